// YAML text from tree events. A stack of frames has the indentation and form (block or flow) of
// each open map or list; yaml_scalar.c writes the scalars.
#include "codec/yaml_writer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "codec/number.h"
#include "codec/yaml_scalar.h"

// A key of more bytes is written `? key`: libyaml takes 1024 bytes for a simple one, and escapes
// take up to four for a byte.
enum { MAX_SIMPLE_KEY = 160, INDENT = 2 };

// A map or list that is open.
struct hoist_yaml_frame {
    bool map;
    bool flow;
    bool long_key; // an entry is written `? key`
    size_t count;  // entries written
    size_t indent; // of its entries, in block form
    size_t start;  // of its bracket in the output, in flow form
};

static const char *const openers[2] = {"[", "{"};
static const char *const closers[2] = {"]", "}"};

void hoist_yaml_writer_init(hoist_yaml_writer *w, hoist_buffer *out)
{
    *w = (hoist_yaml_writer){.out = out, .fresh = true};
}

void hoist_yaml_writer_deinit(hoist_yaml_writer *w)
{
    hoist_free(w->out->alloc, w->frames, w->capacity * sizeof(w->frames[0]));
    *w = (hoist_yaml_writer){.out = w->out};
}

static hoist_yaml_frame *top(const hoist_yaml_writer *w)
{
    return w->depth ? &w->frames[w->depth - 1] : NULL;
}

// Only the words of JSON are booleans here: "yes" and "on" stay strings, which yaml-cpp reads
// as either.
hoist_tree_kind hoist_yaml_plain_kind(hoist_str text)
{
    const hoist_yaml_node node = {.kind = HOIST_YAML_SCALAR, .plain = true, .text = text};
    int64_t integer = 0;
    double number = 0.0;
    if (hoist_yaml_is_null(&node)) {
        return HOIST_TREE_NULL;
    }
    if (hoist_str_equal_nocase(text, HOIST_STR("true")) ||
        hoist_str_equal_nocase(text, HOIST_STR("false"))) {
        return HOIST_TREE_BOOL;
    }
    if (hoist_str_to_i64(text, true, &integer)) {
        return HOIST_TREE_INT;
    }
    return hoist_str_to_f64(text, &number) ? HOIST_TREE_FLOAT : HOIST_TREE_STR;
}

// The text of a decimal integer that 64 bits with a sign do not hold, without a plus sign, else
// empty. A leading 0 is for octal numbers.
static hoist_str digits_of(hoist_str text)
{
    const bool plus = text.size && text.data[0] == '+';
    const hoist_str digits = hoist_str_slice(text, plus ? 1 : 0, text.size);
    const size_t start = !plus && digits.size && digits.data[0] == '-' ? 1 : 0;
    for (size_t i = start; i < digits.size; i++) {
        if (digits.data[i] < (i == start ? '1' : '0') || digits.data[i] > '9') {
            return (hoist_str){"", 0};
        }
    }
    return digits;
}

hoist_tree_event hoist_yaml_scalar_event(const hoist_yaml_node *node)
{
    hoist_tree_event event = {.kind =
                                  node->plain ? hoist_yaml_plain_kind(node->text) : HOIST_TREE_STR,
                              .key = node->key ? node->key->text : (hoist_str){"", 0},
                              .boolean = hoist_str_equal_nocase(node->text, HOIST_STR("true"))};
    if (event.kind == HOIST_TREE_INT) {
        (void)hoist_str_to_i64(node->text, true, &event.integer);
    } else if (event.kind == HOIST_TREE_FLOAT) {
        (void)hoist_str_to_f64(node->text, &event.number);
        event.str = digits_of(node->text);
    } else if (event.kind == HOIST_TREE_STR) {
        event.str = node->text;
    }
    return event;
}

// A text that must not become null.
// "null" and "~" as texts are quoted, as readers would lose them.
static void write_text(hoist_buffer *out, hoist_str text)
{
    if (hoist_yaml_is_plain_safe(text) && hoist_yaml_plain_kind(text) != HOIST_TREE_NULL) {
        hoist_buffer_str(out, text);
    } else {
        hoist_yaml_write_quoted(out, text);
    }
}

static void new_line(const hoist_yaml_writer *w, size_t indent)
{
    hoist_buffer_char(w->out, '\n');
    hoist_buffer_fill(w->out, ' ', indent);
}

// What is before a value in its map or list.
// In block form "- " leaves the cursor on the line, where a map's first key goes: "- a: 1".
static void begin_entry(hoist_yaml_writer *w, hoist_str key)
{
    hoist_yaml_frame *const frame = top(w);
    if (!frame) {
        return;
    }
    if (frame->flow) {
        hoist_buffer_c(w->out, frame->count ? ", " : "");
    } else if (!w->fresh) {
        new_line(w, frame->indent);
    }
    w->fresh = false;
    frame->count++;
    if (frame->map) {
        // A key and its colon.
        const bool simple = key.size <= MAX_SIMPLE_KEY;
        // A long key needs `? key` on a line of its own and `: value` on the next.
        frame->long_key = frame->long_key || !simple;
        hoist_buffer_c(w->out, simple ? "" : "? ");
        write_text(w->out, key);
        if (!simple && !frame->flow) {
            new_line(w, frame->indent);
        }
        hoist_buffer_c(w->out, simple || !frame->flow ? ":" : " :");
    } else if (!frame->flow) {
        hoist_buffer_c(w->out, "- ");
        w->fresh = true;
    }
}

// What is between a key and a value on the same line.
static void begin_inline(hoist_yaml_writer *w)
{
    const hoist_yaml_frame *const frame = top(w);
    w->fresh = false;
    if (frame && frame->map) {
        hoist_buffer_char(w->out, ' ');
    }
}

static hoist_status open_frame(hoist_yaml_writer *w, bool map, bool flow)
{
    const hoist_yaml_frame *const parent = top(w);
    const bool inside = parent && parent->flow;
    hoist_yaml_frame frame = {
        .map = map, .flow = flow || inside, .indent = parent ? parent->indent + INDENT : 0};
    if (frame.flow) {
        begin_inline(w);
        frame.start = w->out->size;
        hoist_buffer_c(w->out, openers[map]);
    }
    void *frames = w->frames;
    HOIST_TRY_MEMORY(hoist_grow(w->out->alloc, &frames, &w->capacity, w->depth + 1, sizeof(frame)));
    w->frames = frames;
    w->frames[w->depth++] = frame;
    return HOIST_OK;
}

// A map of one pair needs no braces in a flow list: [hslice: 4, broadcast: {r: 3}].
static bool is_bare_pair(const hoist_yaml_writer *w, const hoist_yaml_frame *frame)
{
    const hoist_yaml_frame *const parent = top(w);
    return parent && parent->flow && !parent->map && frame->map && frame->count == 1 &&
           !frame->long_key && !w->out->failed;
}

static void close_frame(hoist_yaml_writer *w)
{
    const hoist_yaml_frame frame = w->frames[--w->depth];
    if (is_bare_pair(w, &frame)) {
        // The opening brace was written before the number of entries was known; it is taken out
        // again.
        memmove(&w->out->data[frame.start], &w->out->data[frame.start + 1],
                w->out->size - frame.start - 1);
        w->out->size--;
        return;
    }
    // Block form has no way to write an empty list or map.
    if (!frame.flow && frame.count == 0) {
        begin_inline(w);
        hoist_buffer_c(w->out, openers[frame.map]);
    }
    if (frame.flow || frame.count == 0) {
        hoist_buffer_c(w->out, closers[frame.map]);
    }
    if (w->depth == 0) {
        hoist_buffer_char(w->out, '\n');
    }
}

static void write_float(hoist_buffer *out, const hoist_tree_event *event)
{
    const double value = event->number;
    if (event->str.size) {
        hoist_buffer_str(out, event->str);
    } else if (isfinite(value)) {
        hoist_number_write(out, value, 0);
    } else if (isnan(value)) {
        // YAML 1.1, float type; yaml-cpp reads the same words.
        hoist_buffer_c(out, ".nan");
    } else {
        hoist_buffer_c(out, value < 0.0 ? "-.inf" : ".inf");
    }
}

static void write_value(hoist_buffer *out, const hoist_tree_event *event)
{
    switch (event->kind) {
    case HOIST_TREE_STR:
        write_text(out, event->str);
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(out, "%" PRId64, event->integer);
        break;
    case HOIST_TREE_UINT:
        hoist_buffer_format(out, event->unit == HOIST_UNIT_ADDRESS ? "0x%08" PRIx64 : "%" PRIu64,
                            event->uinteger);
        break;
    case HOIST_TREE_FLOAT:
        write_float(out, event);
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, event->boolean ? "true" : "false");
        break;
    case HOIST_TREE_NULL:
        hoist_buffer_c(out, "null");
        break;
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
    case HOIST_TREE_END:
        break;
    }
}

static hoist_status writer_event(void *self, const hoist_tree_event *event)
{
    hoist_yaml_writer *const w = self;
    if (event->kind == HOIST_TREE_END) {
        close_frame(w);
    } else {
        begin_entry(w, event->key);
        if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
            HOIST_TRY(open_frame(w, event->kind == HOIST_TREE_MAP, event->inline_hint));
        } else {
            begin_inline(w);
            write_value(w->out, event);
        }
    }
    return w->out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_tree_sink hoist_yaml_writer_sink(hoist_yaml_writer *w)
{
    return (hoist_tree_sink){.self = w, .event = writer_event, .status = HOIST_OK};
}

// The recursion is bounded by the depth that the reader allows.
hoist_status hoist_yaml_write_node(hoist_yaml_writer *w, const hoist_yaml_node *node)
{
    begin_entry(w, node->key ? node->key->text : (hoist_str){"", 0});
    if (node->kind == HOIST_YAML_SCALAR) {
        begin_inline(w);
        // A scalar as it was read. Quotes go only where the text is a string without them as well.
        bool flag = false;
        const bool typed = hoist_yaml_plain_kind(node->text) != HOIST_TREE_STR ||
                           hoist_yaml_to_bool(node->text, &flag);
        if (hoist_yaml_is_null(node)) {
            hoist_buffer_str(w->out, node->text.size ? node->text : HOIST_STR("null"));
        } else if (!node->plain && typed) {
            // A quoted "12" is a string and stays one.
            hoist_yaml_write_quoted(w->out, node->text);
        } else {
            write_text(w->out, node->text);
        }
    } else {
        HOIST_TRY(open_frame(w, node->kind == HOIST_YAML_MAP, node->flow));
        for (const hoist_yaml_node *n = node->first; n; n = n->next) {
            HOIST_TRY(hoist_yaml_write_node(w, n));
        }
        close_frame(w);
    }
    return w->out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}
