// A value of a tape as tree events, with all that is inside it.
#include "base/assert.h"
#include "base/span.h"
#include "base/tree.h"
#include "codec/json.h"

// The reader's own limit, where the caller set none.
enum { MAX_DEPTH = 1024 };

typedef struct sending {
    const hoist_json *json;
    const hoist_json_sending *how;
    hoist_tree_sink *sink;
    hoist_status status; // HOIST_OK until memory runs out
} sending;

// Line and column are counted only if somebody wants them.
static void send_event(sending *s, hoist_json_index at, hoist_tree_event *event)
{
    if (s->how->cursor) {
        event->pos = hoist_json_place(s->how->cursor, s->json->text, s->json->tokens[at].start);
    }
    hoist_tree_send(s->sink, event);
}

// The narrowest kind that holds the number exactly; a float keeps its digits where integers are
// too large or the caller asks.
static void send_number(sending *s, hoist_json_index at, hoist_tree_event *event)
{
    event->kind = HOIST_TREE_INT;
    if (!hoist_json_i64(s->json, at, &event->integer)) {
        event->kind = HOIST_TREE_UINT;
        if (!hoist_json_u64(s->json, at, &event->uinteger)) {
            event->kind = HOIST_TREE_FLOAT;
            event->str =
                s->how->digits ? hoist_json_text(s->json, at) : hoist_json_digits(s->json, at);
            (void)hoist_json_f64(s->json, at, &event->number);
        }
    }
    send_event(s, at, event);
}

static void send_string(sending *s, hoist_json_index at, hoist_tree_event *event)
{
    event->kind = HOIST_TREE_STR;
    event->str = hoist_json_string(s->json, at, s->how->arena);
    if (!event->str.data) {
        s->status = HOIST_NO_MEMORY;
        return;
    }
    send_event(s, at, event);
}

static void send_scalar(sending *s, hoist_json_index at, hoist_tree_event *event)
{
    const hoist_json_kind kind = hoist_json_kind_of(s->json, at);
    if (kind == HOIST_JSON_NUMBER) {
        send_number(s, at, event);
    } else if (kind == HOIST_JSON_STRING) {
        send_string(s, at, event);
    } else {
        event->kind = kind == HOIST_JSON_NULL ? HOIST_TREE_NULL : HOIST_TREE_BOOL;
        event->boolean = kind == HOIST_JSON_TRUE;
        send_event(s, at, event);
    }
}

static bool is_scalar(const hoist_json *json, hoist_json_index at)
{
    return hoist_json_kind_of(json, at) < HOIST_JSON_ARRAY;
}

// Lists of a few scalars read best on one line.
// At most SHORT + 1 items are looked at, however long the list is.
static bool is_short(const hoist_json *json, hoist_json_index at)
{
    enum { SHORT = 16 };
    const uint32_t size = hoist_json_size(json, at);
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < size && i <= SHORT; i++, item = hoist_json_next(json, item)) {
        if (!is_scalar(json, item)) {
            return false;
        }
    }
    return size <= SHORT && hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY;
}

// An array or object of which some items are still to be sent.
typedef struct open_value {
    hoist_json_index at;
    uint32_t left; // items
} open_value;

static void begin_value(sending *s, hoist_json_index at, hoist_tree_event *event)
{
    const bool is_object = hoist_json_kind_of(s->json, at) == HOIST_JSON_OBJECT;
    event->kind = is_object ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    event->inline_hint = is_short(s->json, at);
    send_event(s, at, event);
}

// The key of an item, whose value is after it in `*at` then; items of arrays have none.
static hoist_str take_key(sending *s, hoist_json_index in, hoist_json_index *at)
{
    if (hoist_json_kind_of(s->json, in) != HOIST_JSON_OBJECT) {
        return HOIST_STR("");
    }
    const hoist_str key = hoist_json_string(s->json, *at, s->how->arena);
    s->status = key.data ? s->status : HOIST_NO_MEMORY;
    *at = hoist_json_next(s->json, *at);
    return key;
}

// Not by recursion: callers may have small stacks (hoist/base.h).
hoist_status hoist_json_send(const hoist_json *json, hoist_json_index at, hoist_str key,
                             const hoist_json_sending *how, hoist_tree_sink *sink)
{
    sending state = {.json = json, .how = how, .sink = sink};
    sending *const s = &state;
    open_value open[MAX_DEPTH];
    size_t depth = 0;
    bool is_done = false;
    while (!is_done && s->status == HOIST_OK && sink->status == HOIST_OK) {
        hoist_tree_event event = {.key = key, .audience = sink->audience};
        if (is_scalar(json, at)) {
            send_scalar(s, at, &event);
        } else {
            // The reader's limit is the same unless a caller has set another one.
            HOIST_ASSERT(depth < MAX_DEPTH);
            begin_value(s, at, &event);
            open[depth++] = (open_value){at, hoist_json_size(json, at)};
        }
        at++; // what follows in the tape: the first item, or what is after a scalar
        while (depth > 0 && open[depth - 1].left == 0) {
            hoist_tree_end(sink);
            depth--;
        }
        is_done = depth == 0;
        if (!is_done) {
            open[depth - 1].left--;
            key = take_key(s, open[depth - 1].at, &at);
        }
    }
    // Closes what a failure left open.
    for (; depth > 0; depth--) {
        hoist_tree_end(sink);
    }
    return s->status;
}
