// JSON members as tapes, the fields of their objects by table, and places in their texts.
#include "formats/neff/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "formats/neff/neff.h"

// Texts ------------------------------------------------------------------------------------------

// Gives what the codec found as findings of NEFF: `text` is no JSON, or has keys twice. The finding
// that ended the reading is the last one.
static void report_codec(hoist_diag *diag, const hoist_diag *found, hoist_status status)
{
    const size_t count = hoist_diag_kept(found);
    for (size_t i = 0; i < count; i++) {
        const hoist_finding *f = hoist_diag_at(found, i);
        if (status == HOIST_OK || i + 1 < count) {
            neff_report(diag, NEFF_021b, f->loc, "%.*s; the last one counts",
                        HOIST_STR_ARGS(f->message));
        } else if (status == HOIST_LIMIT) {
            hoist_report(diag, f->rule, f->loc, "%.*s", HOIST_STR_ARGS(f->message));
        } else {
            neff_report(diag, NEFF_021a, f->loc, "no JSON: %.*s (%s)", HOIST_STR_ARGS(f->message),
                        f->rule->id);
        }
    }
}

hoist_status neff_json_read(neff_reader *r, uint32_t member, const hoist_json_stream *stream,
                            hoist_json *out_json)
{
    const hoist_allocator alloc = r->module->base.alloc;
    const hoist_json_limits limits = {.max_tokens = r->options ? r->options->max_nodes : 0,
                                      .nonfinite = true,
                                      .stream = stream,
                                      .deadline = r->module->base.deadline};
    *out_json = (hoist_json){.alloc = alloc};
    hoist_diag *found = NULL;
    HOIST_TRY(hoist_diag_create(alloc, NULL, &found));
    neff_enter(r->module, r->diag, member);
    const hoist_bytes text = r->module->members[member].bytes;
    hoist_status status = hoist_json_read(text, &limits, alloc, found, out_json);
    if (hoist_diag_incomplete(found)) {
        hoist_json_free(out_json);
        status = HOIST_NO_MEMORY;
    }
    if (status != HOIST_NO_MEMORY) {
        report_codec(r->diag, found, status);
    }
    hoist_diag_destroy(found);
    return status;
}

hoist_status neff_text_read(neff_reader *r, uint32_t member, neff_role role, neff_text *out_text)
{
    *out_text = (neff_text){.member = member};
    r->module->members[member].role = role;
    return neff_json_read(r, member, NULL, &out_text->json);
}

hoist_status neff_text_try(neff_reader *r, uint32_t member, neff_role role, neff_text *out_text)
{
    const hoist_status status = neff_text_read(r, member, role, out_text);
    return status == HOIST_INVALID || status == HOIST_TRUNCATED ? HOIST_OK : status;
}

void neff_text_free(neff_text *text)
{
    hoist_json_free(&text->json);
}

hoist_status neff_engine_fragment(const neff_module *module, const neff_engine *engine, uint32_t at,
                                  hoist_json *out_json)
{
    const hoist_bytes text = module->members[engine->text.member].bytes;
    const hoist_json_limits limits = {.nonfinite = true};
    return hoist_json_read_at(text, at, &limits, module->base.alloc, NULL, out_json);
}

// Places -----------------------------------------------------------------------------------------

hoist_pos neff_place(neff_cursor *cursor, hoist_bytes text, size_t at)
{
    return hoist_json_place(cursor, text, at);
}

hoist_loc neff_token_loc(neff_reader *r, const hoist_json *json, hoist_json_index at)
{
    return hoist_loc_pos(neff_place(&r->cursor, json->text, json->tokens[at].start));
}

// Values -----------------------------------------------------------------------------------------

static const char *const kind_names[NEFF_KIND_COUNT] = {
    [NEFF_KIND_INT] = "an integer of 64 bits",
    [NEFF_KIND_NUMBER] = "a number",
    [NEFF_KIND_BOOL] = "true or false",
    [NEFF_KIND_STR] = "a string",
    [NEFF_KIND_WORD] = "a string",
    [NEFF_KIND_SMALL_WORD] = "a string",
    [NEFF_KIND_VAR] = "the name of a variable",
    [NEFF_KIND_INTS] = "a list of integers of 64 bits",
    [NEFF_KIND_STRS] = "a list of strings",
    [NEFF_KIND_SIZES] = "a list of integers of 64 bits",
    [NEFF_KIND_ANY] = "a value",
};

void neff_report_value(neff_reader *r, neff_rule rule, const hoist_json *json, hoist_json_index at,
                       const char *key, const char *wanted)
{
    if (rule == NEFF_RULE_COUNT) {
        return;
    }
    const hoist_loc loc = neff_token_loc(r, json, at);
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    const bool list = kind == HOIST_JSON_ARRAY;
    if (list || kind == HOIST_JSON_OBJECT) {
        neff_report(r->diag, rule, loc, "'%s' is %s, wanted %s", key, list ? "a list" : "an object",
                    wanted);
    } else {
        neff_report(r->diag, rule, loc, "'%s' is %.*s, wanted %s", key,
                    HOIST_STR_ARGS(hoist_json_text(json, at)), wanted);
    }
}

void neff_report_wrong(neff_reader *r, const neff_field *field, const hoist_json *json,
                       hoist_json_index at)
{
    const bool strs = field->kind == NEFF_KIND_STRS;
    const bool list = strs || field->kind == NEFF_KIND_INTS || field->kind == NEFF_KIND_SIZES;
    if (!list || hoist_json_kind_of(json, at) != HOIST_JSON_ARRAY) {
        neff_report_value(r, field->wrong, json, at, field->key, kind_names[field->kind]);
        return;
    }
    const uint32_t count = hoist_json_size(json, at);
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = 0;
        const bool right = strs ? hoist_json_kind_of(json, item) == HOIST_JSON_STRING
                                : hoist_json_i64(json, item, &value);
        if (!right) {
            char name[64];
            (void)snprintf(name, sizeof(name), "%s[%" PRIu32 "]", field->key, i);
            neff_report_value(r, field->wrong, json, item, name,
                              strs ? "a string" : kind_names[NEFF_KIND_INT]);
            return;
        }
        item = hoist_json_next(json, item);
    }
}

// Slots are reached by offset, at any type.
static void store(void *object, uint16_t at, const void *value, size_t size)
{
    if (at != NEFF_NO_SLOT) {
        memcpy((char *)object + at, value, size);
    }
}

static bool read_bool(const hoist_json *json, hoist_json_index at, bool *out_value)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    *out_value = kind == HOIST_JSON_TRUE;
    return kind == HOIST_JSON_TRUE || kind == HOIST_JSON_FALSE;
}

// The items of a list, in the arena. HOIST_INVALID: one is of another kind.
static hoist_status read_ints(neff_reader *r, const hoist_json *json, hoist_json_index at,
                              neff_ints *out_ints)
{
    *out_ints = (neff_ints){0};
    const uint32_t count = hoist_json_size(json, at);
    int64_t *items = hoist_arena_array(r->arena, count, sizeof(*items));
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (!hoist_json_i64(json, item, &items[i])) {
            return HOIST_INVALID;
        }
        item = hoist_json_next(json, item);
    }
    *out_ints = (neff_ints){items, count};
    return HOIST_OK;
}

static hoist_status read_strs(neff_reader *r, const hoist_json *json, hoist_json_index at,
                              neff_strs *out_strs)
{
    *out_strs = (neff_strs){0};
    const uint32_t count = hoist_json_size(json, at);
    hoist_str *items = hoist_arena_array(r->arena, count, sizeof(*items));
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (hoist_json_kind_of(json, item) != HOIST_JSON_STRING) {
            return HOIST_INVALID;
        }
        items[i] = hoist_json_string(json, item, r->arena);
        if (!items[i].data) {
            return HOIST_NO_MEMORY;
        }
        item = hoist_json_next(json, item);
    }
    *out_strs = (neff_strs){items, count};
    return HOIST_OK;
}

// A string, or a word and its text.
static hoist_status read_text(neff_reader *r, const neff_field *field, const hoist_json *json,
                              hoist_json_index at, void *object)
{
    const hoist_str text = hoist_json_string(json, at, r->arena);
    if (!text.data) {
        return HOIST_NO_MEMORY;
    }
    if (field->kind == NEFF_KIND_STR) {
        store(object, field->at, &text, sizeof(text));
        return HOIST_OK;
    }
    const int32_t word = (int32_t)neff_word_find(field->words, text);
    const int8_t small = (int8_t)word;
    if (field->kind == NEFF_KIND_WORD) {
        store(object, field->at, &word, sizeof(word));
        store(object, field->text_at, &text, sizeof(text));
    } else {
        store(object, field->at, &small, sizeof(small));
    }
    return HOIST_OK;
}

static hoist_status read_list(neff_reader *r, const neff_field *field, const hoist_json *json,
                              hoist_json_index at, void *object)
{
    neff_ints ints = {0};
    neff_strs strs = {0};
    hoist_status status = HOIST_OK;
    if (field->kind == NEFF_KIND_INTS) {
        status = read_ints(r, json, at, &ints);
        store(object, field->at, &ints, sizeof(ints));
    } else {
        status = read_strs(r, json, at, &strs);
        store(object, field->at, &strs, sizeof(strs));
    }
    return status;
}

// The value of a number or a boolean; false when it is of another kind.
static bool read_scalar(const neff_field *field, const hoist_json *json, hoist_json_index at,
                        void *object)
{
    int64_t integer = 0;
    double number = 0;
    bool boolean = false;
    if (field->kind == NEFF_KIND_INT && hoist_json_i64(json, at, &integer)) {
        store(object, field->at, &integer, sizeof(integer));
    } else if (field->kind == NEFF_KIND_NUMBER && hoist_json_f64(json, at, &number)) {
        store(object, field->at, &number, sizeof(number));
    } else if (field->kind == NEFF_KIND_BOOL && read_bool(json, at, &boolean)) {
        store(object, field->at, &boolean, sizeof(boolean));
    } else {
        return false;
    }
    return true;
}

hoist_status neff_read_value(neff_reader *r, const neff_field *field, const hoist_json *json,
                             hoist_json_index at, void *object)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    bool right = true;
    switch ((neff_kind)field->kind) {
    case NEFF_KIND_INT:
    case NEFF_KIND_NUMBER:
    case NEFF_KIND_BOOL:
        right = read_scalar(field, json, at, object);
        break;
    case NEFF_KIND_STR:
    case NEFF_KIND_WORD:
    case NEFF_KIND_SMALL_WORD:
        if (kind == HOIST_JSON_STRING) {
            return read_text(r, field, json, at, object);
        }
        right = false;
        break;
    case NEFF_KIND_INTS:
    case NEFF_KIND_STRS:
        if (kind == HOIST_JSON_ARRAY) {
            return read_list(r, field, json, at, object);
        }
        right = false;
        break;
    case NEFF_KIND_VAR:
    case NEFF_KIND_SIZES:
    case NEFF_KIND_ANY:
    case NEFF_KIND_COUNT:
        return HOIST_OK;
    }
    return right ? HOIST_OK : HOIST_INVALID;
}

// Objects ----------------------------------------------------------------------------------------

void neff_set_fallback(const neff_field *field, void *object)
{
    static const neff_ints none = {0};
    static const neff_strs no_strs = {0};
    static const hoist_str empty = {0};
    const int64_t integer = field->fallback;
    const double number = (double)integer;
    const int32_t word = (int32_t)integer;
    const int8_t small = (int8_t)integer;
    const bool boolean = integer != 0;
    switch ((neff_kind)field->kind) {
    case NEFF_KIND_INT:
        store(object, field->at, &integer, sizeof(integer));
        break;
    case NEFF_KIND_NUMBER:
        store(object, field->at, &number, sizeof(number));
        break;
    case NEFF_KIND_BOOL:
        store(object, field->at, &boolean, sizeof(boolean));
        break;
    case NEFF_KIND_STR:
        store(object, field->at, &empty, sizeof(empty));
        break;
    case NEFF_KIND_WORD:
        store(object, field->at, &word, sizeof(word));
        store(object, field->text_at, &empty, sizeof(empty));
        break;
    case NEFF_KIND_SMALL_WORD:
        store(object, field->at, &small, sizeof(small));
        break;
    case NEFF_KIND_INTS:
        store(object, field->at, &none, sizeof(none));
        break;
    case NEFF_KIND_STRS:
        store(object, field->at, &no_strs, sizeof(no_strs));
        break;
    case NEFF_KIND_VAR:
    case NEFF_KIND_SIZES:
    case NEFF_KIND_ANY:
    case NEFF_KIND_COUNT:
        break;
    }
}

void neff_fill_fallbacks(const neff_table *table, void *object)
{
    for (size_t i = 0; i < table->count; i++) {
        neff_set_fallback(&table->fields[i], object);
    }
}

void neff_report_missing(neff_reader *r, const neff_table *table, const hoist_json *json,
                         hoist_json_index at, uint64_t seen)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->fields[i].required && !(seen >> i & 1)) {
            neff_report(r->diag, table->fields[i].missing, neff_token_loc(r, json, at),
                        "%s without '%s'", table->what, table->fields[i].key);
        }
    }
}

int neff_key_find(neff_reader *r, const neff_table *table, const hoist_json *json,
                  hoist_json_index key)
{
    const hoist_str name = hoist_json_string(json, key, r->arena);
    return name.data ? neff_field_find(table, name) : NEFF_NO_KEY_MEMORY;
}

hoist_status neff_read_fields(neff_reader *r, const neff_table *table, const hoist_json *json,
                              hoist_json_index at, void *object, uint64_t *out_present)
{
    *out_present = 0;
    neff_fill_fallbacks(table, object);
    const bool is_object = hoist_json_kind_of(json, at) == HOIST_JSON_OBJECT;
    const uint32_t count = is_object ? hoist_json_size(json, at) : 0;
    uint64_t seen = 0; // also with values of the wrong kind
    hoist_json_index key = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        const int row = neff_key_find(r, table, json, key);
        if (row == NEFF_NO_KEY_MEMORY) {
            return HOIST_NO_MEMORY;
        }
        if (row >= 0) {
            const uint64_t bit = (uint64_t)1 << row;
            const neff_field *field = &table->fields[row];
            const hoist_status status = neff_read_value(r, field, json, key + 1, object);
            if (status == HOIST_NO_MEMORY) {
                return status;
            }
            seen |= bit;
            *out_present = status == HOIST_OK ? *out_present | bit : *out_present & ~bit;
            if (status != HOIST_OK) {
                neff_report_wrong(r, field, json, key + 1);
                neff_set_fallback(field, object);
            }
        }
        key = hoist_json_next(json, key + 1);
    }
    neff_report_missing(r, table, json, at, seen);
    return HOIST_OK;
}
