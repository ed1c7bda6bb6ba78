// JSON members as tree events, as they are written: order of keys, unknown keys and duplicates
// stay. The items of `dma`, of which a file may have hundreds of megabytes, are read one by one. In
// goes a member's text, out come events for visit.c and dump.c.
#include <ctype.h>

#include "base/span.h"
#include "formats/neff/visit.h"

enum { MAX_DEPTH = 1024 }; // of nested values, as the reader of JSON has it by default

// A value with all inside it; with places when the caller asked for them.
static void send_json(neff_visitor *v, const hoist_json *json, hoist_json_index at, hoist_str key)
{
    if (v->status == HOIST_OK) {
        const hoist_json_sending how = {.arena = &v->arena,
                                        .cursor = v->positions ? &v->cursor : NULL};
        v->status = hoist_json_send(json, at, key, &how, v->sink);
    }
}

void neff_visit_forget(neff_visitor *v) // strings of texts that are done
{
    if (v->arena.total) {
        hoist_arena_deinit(&v->arena);
        hoist_arena_init(&v->arena, v->module->base.alloc);
    }
}

static const hoist_json_limits limits = {.max_depth = MAX_DEPTH, .nonfinite = true};

// The next byte of JSON at or after `at` that is no space and no comma. The text was read once, so
// commas are where they belong.
static size_t skip(hoist_bytes text, size_t at)
{
    while (at < text.size && (isspace(text.data[at]) || text.data[at] == ',')) {
        at++;
    }
    return at;
}

// Sends the items of the array that begins at byte `at` of a text that is JSON, one by one. Each is
// parsed a second time, by itself: memory stays that of one item.
static void send_items(neff_visitor *v, hoist_bytes text, size_t at)
{
    at = skip(text, at + 1);
    while (at < text.size && text.data[at] != ']' && v->status == HOIST_OK &&
           v->sink->status == HOIST_OK) {
        hoist_json item;
        v->status = hoist_json_read_at(text, at, &limits, v->module->base.alloc, NULL, &item);
        if (v->status == HOIST_OK) {
            at = skip(text, at + item.tokens[0].size); // a token's size is that of its text
            send_json(v, &item, 0, HOIST_STR(""));
        }
        hoist_json_free(&item);
        neff_visit_forget(v);
    }
}

// The items of `dma` are not kept while the text is read for its other keys.
static hoist_status drop_item(void *self, const hoist_json *json, hoist_json_index array,
                              hoist_json_index item)
{
    (void)self;
    (void)json;
    (void)array;
    (void)item;
    return HOIST_OK;
}

// Begins a map or list whose members are sent one by one.
static void begin(neff_visitor *v, const hoist_json *json, hoist_json_index at,
                  hoist_tree_event event)
{
    if (v->positions) {
        event.pos = neff_place(&v->cursor, json->text, json->tokens[at].start);
    }
    hoist_tree_send(v->sink, &event);
}

// The members of the root object, `dma` from the text and all others from the tape.
static void send_root(neff_visitor *v, const hoist_json *json, hoist_str key_of_root)
{
    static const char streamed[] = "dma";
    const hoist_tree_event event = {.kind = HOIST_TREE_MAP, .key = key_of_root};
    const uint32_t size = hoist_json_size(json, 0);
    hoist_json_index at = 1;
    begin(v, json, 0, event);
    for (uint32_t i = 0; i < size && v->status == HOIST_OK; i++) {
        const hoist_str key = hoist_json_string(json, at, &v->arena);
        const hoist_json_index value = hoist_json_next(json, at);
        // The key is needed for the event in any case.
        v->status = key.data ? v->status : HOIST_NO_MEMORY;
        if (key.data && hoist_str_equal_c(key, streamed) &&
            hoist_json_kind_of(json, value) == HOIST_JSON_ARRAY) {
            begin(v, json, value, (hoist_tree_event){.kind = HOIST_TREE_LIST, .key = key});
            send_items(v, json->text, json->tokens[value].start);
            hoist_tree_end(v->sink);
        } else {
            send_json(v, json, value, key);
        }
        at = hoist_json_next(json, value);
    }
    hoist_tree_end(v->sink);
}

bool neff_visit_json(neff_visitor *v, const neff_member *member, hoist_str key)
{
    const hoist_json_stream stream = {.key = HOIST_STR("dma"), .item = drop_item};
    hoist_json_limits options = limits;
    hoist_json json;
    options.stream = &stream;
    options.deadline = v->sink->deadline;
    const hoist_status status =
        // No diag: what is wrong with a text was reported when it was read.
        hoist_json_read(member->bytes, &options, v->module->base.alloc, NULL, &json);
    if (status != HOIST_OK) {
        v->status = status == HOIST_NO_MEMORY ? status : v->status;
        return false;
    }
    v->cursor = (neff_cursor){0}; // places are found anew in each text
    if (hoist_json_kind_of(&json, 0) == HOIST_JSON_OBJECT) {
        send_root(v, &json, key);
    } else {
        send_json(v, &json, 0, key);
    }
    hoist_json_free(&json);
    neff_visit_forget(v); // also of the next member nothing is needed
    return true;
}
