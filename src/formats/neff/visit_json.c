// JSON members as tree events, as they are written. The items of `dma`, of which a file may have
// hundreds of megabytes, are read one by one.
#include <ctype.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/neff/visit.h"

enum { MAX_DEPTH = 1024 }; // of nested values, as the reader of JSON has it by default

static void send_event(neff_visitor *v, const hoist_json *json, hoist_json_index at,
                       hoist_tree_event *event)
{
    if (v->positions) {
        event->pos = neff_place(&v->cursor, json->text, json->tokens[at].start);
    }
    hoist_tree_send(v->sink, event);
}

static void send_number(neff_visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    event->kind = HOIST_TREE_INT;
    if (!hoist_json_i64(json, at, &event->integer)) {
        event->kind = HOIST_TREE_UINT;
        if (!hoist_json_u64(json, at, &event->uinteger)) {
            event->kind = HOIST_TREE_FLOAT;
            event->str = hoist_json_digits(json, at);
            (void)hoist_json_f64(json, at, &event->number);
        }
    }
    send_event(v, json, at, event);
}

static void send_string(neff_visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    event->kind = HOIST_TREE_STR;
    event->str = hoist_json_string(json, at, &v->arena);
    if (!event->str.data) {
        v->status = HOIST_NO_MEMORY;
        return;
    }
    send_event(v, json, at, event);
}

static void send_scalar(neff_visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    if (kind == HOIST_JSON_NUMBER) {
        send_number(v, json, at, event);
    } else if (kind == HOIST_JSON_STRING) {
        send_string(v, json, at, event);
    } else {
        event->kind = kind == HOIST_JSON_NULL ? HOIST_TREE_NULL : HOIST_TREE_BOOL;
        event->boolean = kind == HOIST_JSON_TRUE;
        send_event(v, json, at, event);
    }
}

static bool is_scalar(const hoist_json *json, hoist_json_index at)
{
    return hoist_json_kind_of(json, at) < HOIST_JSON_ARRAY;
}

// Lists of a few scalars read best on one line.
static bool is_short(const hoist_json *json, hoist_json_index at)
{
    enum { SHORT = 16 };
    const uint32_t size = hoist_json_size(json, at);
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < size && i <= SHORT; i++) {
        if (!is_scalar(json, item)) {
            return false;
        }
        item = hoist_json_next(json, item);
    }
    return size <= SHORT && hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY;
}

// An array or object of which some items are still to be sent.
typedef struct open_value {
    hoist_json_index at;
    uint32_t left; // items
} open_value;

static void begin_value(neff_visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    const bool is_object = hoist_json_kind_of(json, at) == HOIST_JSON_OBJECT;
    event->kind = is_object ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    event->inline_hint = is_short(json, at);
    send_event(v, json, at, event);
}

// The key of an item, whose value is behind it in `*at` then; items of arrays have none.
static hoist_str take_key(neff_visitor *v, const hoist_json *json, hoist_json_index in,
                          hoist_json_index *at)
{
    if (hoist_json_kind_of(json, in) != HOIST_JSON_OBJECT) {
        return HOIST_STR("");
    }
    const hoist_str key = hoist_json_string(json, *at, &v->arena);
    v->status = key.data ? v->status : HOIST_NO_MEMORY;
    *at = hoist_json_next(json, *at);
    return key;
}

// A value and all inside it. Not by recursion: callers may have small stacks (hoist/base.h).
static void send_json(neff_visitor *v, const hoist_json *json, hoist_json_index at, hoist_str key)
{
    open_value open[MAX_DEPTH];
    size_t depth = 0;
    bool is_done = false;
    while (!is_done && v->status == HOIST_OK && v->sink->status == HOIST_OK) {
        hoist_tree_event event = {.key = key, .audience = v->sink->audience};
        if (is_scalar(json, at)) {
            send_scalar(v, json, at, &event);
        } else {
            HOIST_ASSERT(depth < MAX_DEPTH);
            begin_value(v, json, at, &event);
            open[depth++] = (open_value){at, hoist_json_size(json, at)};
        }
        at++; // what follows in the tape: the first item, or what is behind a scalar
        while (depth > 0 && open[depth - 1].left == 0) {
            hoist_tree_end(v->sink);
            depth--;
        }
        is_done = depth == 0;
        if (!is_done) {
            open[depth - 1].left--;
            key = take_key(v, json, open[depth - 1].at, &at);
        }
    }
    for (; depth > 0; depth--) {
        hoist_tree_end(v->sink);
    }
}

void neff_visit_forget(neff_visitor *v)
{
    if (v->arena.total) {
        hoist_arena_deinit(&v->arena);
        hoist_arena_init(&v->arena, v->module->base.alloc);
    }
}

static const hoist_json_limits limits = {.max_depth = MAX_DEPTH, .nonfinite = true};

// The next byte of JSON at or behind `at` that is no space and no comma.
static size_t skip(hoist_bytes text, size_t at)
{
    while (at < text.size && (isspace(text.data[at]) || text.data[at] == ',')) {
        at++;
    }
    return at;
}

// Sends the items of the array that begins at byte `at` of a text that is JSON, one by one.
static void send_items(neff_visitor *v, hoist_bytes text, size_t at)
{
    at = skip(text, at + 1);
    while (at < text.size && text.data[at] != ']' && v->status == HOIST_OK &&
           v->sink->status == HOIST_OK) {
        hoist_json item;
        v->status = hoist_json_read_at(text, at, &limits, v->module->base.alloc, NULL, &item);
        if (v->status == HOIST_OK) {
            at = skip(text, at + item.tokens[0].size);
            send_json(v, &item, 0, HOIST_STR(""));
        }
        hoist_json_free(&item);
        neff_visit_forget(v);
    }
}

// The items of `dma` are not kept while the text is read.
static hoist_status drop_item(void *self, const hoist_json *json, hoist_json_index array,
                              hoist_json_index item)
{
    (void)self;
    (void)json;
    (void)array;
    (void)item;
    return HOIST_OK;
}

static void send_root(neff_visitor *v, const hoist_json *json, hoist_str key_of_root)
{
    static const char streamed[] = "dma";
    hoist_tree_event event = {.kind = HOIST_TREE_MAP, .key = key_of_root};
    const uint32_t size = hoist_json_size(json, 0);
    hoist_json_index at = 1;
    send_event(v, json, 0, &event);
    for (uint32_t i = 0; i < size && v->status == HOIST_OK; i++) {
        const hoist_str key = hoist_json_string(json, at, &v->arena);
        const hoist_json_index value = hoist_json_next(json, at);
        v->status = key.data ? v->status : HOIST_NO_MEMORY;
        if (key.data && hoist_str_equal_c(key, streamed) &&
            hoist_json_kind_of(json, value) == HOIST_JSON_ARRAY) {
            event = (hoist_tree_event){.kind = HOIST_TREE_LIST, .key = key};
            send_event(v, json, value, &event);
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
        hoist_json_read(member->bytes, &options, v->module->base.alloc, NULL, &json);
    if (status != HOIST_OK) {
        v->status = status == HOIST_NO_MEMORY ? status : v->status;
        return false;
    }
    v->cursor = (neff_cursor){0};
    if (hoist_json_kind_of(&json, 0) == HOIST_JSON_OBJECT) {
        send_root(v, &json, key);
    } else {
        send_json(v, &json, 0, key);
    }
    hoist_json_free(&json);
    neff_visit_forget(v);
    return true;
}
