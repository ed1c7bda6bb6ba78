// Look-ups in a JSON tape (codec/json.h): values by key, tokens by their first byte (by bisection,
// as tokens are in the order of the text), and locations of findings. Readers and checks of
// neff.json, kelfs and def.json use them; nothing here allocates but texts with escapes.
#include "formats/neff/tape.h"

#include "base/order.h"
#include "base/span.h"

hoist_json_index neff_tape_find(const hoist_json *json, hoist_json_index at, const char *key)
{
    hoist_json_index found = 0;
    if (json->count == 0 || hoist_json_kind_of(json, at) != HOIST_JSON_OBJECT) {
        return 0;
    }
    const hoist_str expected = hoist_str_from(key);
    hoist_json_index member = at + 1;
    // All keys are looked at, since the last of equal ones counts.
    for (uint32_t i = 0; i < hoist_json_size(json, at); i++) {
        const hoist_json_index value = hoist_json_next(json, member);
        found = hoist_json_string_is(json, member, expected) ? value : found;
        member = hoist_json_next(json, value);
    }
    return found;
}

bool neff_tape_is(const hoist_json *json, hoist_json_index at, hoist_json_kind kind)
{
    return at != 0 && hoist_json_kind_of(json, at) == kind;
}

hoist_status neff_tape_str(const hoist_json *json, hoist_json_index at, const char *key,
                           hoist_arena *arena, hoist_str *out_text)
{
    *out_text = HOIST_STR("");
    const hoist_json_index value = neff_tape_find(json, at, key);
    if (neff_tape_is(json, value, HOIST_JSON_STRING)) {
        *out_text = hoist_json_string(json, value, arena);
    }
    return out_text->data ? HOIST_OK : HOIST_NO_MEMORY; // NULL only when out of memory
}

static bool start_is_before(const void *token, const void *start)
{
    return ((const hoist_json_token *)token)->start < *(const uint32_t *)start;
}

hoist_json_index neff_tape_at(const hoist_json *json, uint32_t start)
{
    // Tokens are in the order of their first bytes.
    const size_t at = hoist_order_first(json->tokens, json->count, sizeof json->tokens[0],
                                        start_is_before, &start);
    // The root begins where the text does, so "none" and "the root" may share 0.
    return at < json->count && json->tokens[at].start == start ? (hoist_json_index)at : 0;
}

hoist_loc neff_tape_loc(neff_cursor *cursor, const hoist_json *json, hoist_json_index at)
{
    return hoist_loc_pos(neff_place(cursor, json->text, json->tokens[at].start));
}

// A finding about a missing key is at the object that lacks it.
hoist_loc neff_key_loc(neff_cursor *cursor, const hoist_json *json, uint32_t start, const char *key)
{
    const hoist_json_index object = neff_tape_at(json, start);
    const hoist_json_index value = neff_tape_find(json, object, key);
    return neff_tape_loc(cursor, json, value ? value : object);
}

bool neff_key_there(const hoist_json *json, uint32_t start, const char *key)
{
    return neff_tape_find(json, neff_tape_at(json, start), key) != 0;
}
