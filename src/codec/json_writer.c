// JSON text from tree events. A stack of bytes, one per open map or list, knows what has to be
// closed. Strings are escaped as RFC 8259 section 7 requires and beyond: characters that terminals
// obey become \uXXXX.
#include "codec/json_writer.h"

#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/utf8.h"
#include "codec/number.h"

// What is known of one open map or list.
enum {
    LEVEL_LIST = 1,    // else a map
    LEVEL_ITEMS = 2,   // something has been written inside
    LEVEL_WRAPPED = 4, // is inside {"at": ..., "value": } and closes that too
    LEVEL_BROKEN = 8,  // a line for each member
};

#define EXACT_LIMIT ((uint64_t)1 << 53) // integers up to here are doubles for every reader

void hoist_json_writer_init(hoist_json_writer *w, hoist_buffer *out, bool indent, bool positions)
{
    *w = (hoist_json_writer){.out = out, .indent = indent, .positions = positions};
}

void hoist_json_writer_deinit(hoist_json_writer *w)
{
    hoist_free(w->out->alloc, w->stack, w->stack_capacity);
    w->stack = NULL;
    w->stack_capacity = 0;
}

// Escapes of one letter; others are written as \uXXXX.
static const char short_escapes[128] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                        ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};

static bool is_plain(char c)
{
    const uint8_t byte = (uint8_t)c;
    return byte >= 0x20 && byte < 0x7f && !short_escapes[byte];
}

// The character of `size` bytes at `at`; 0: the byte is no UTF-8.
// The exceptions of hoist_json_write_string(): most bytes of most texts never come here.
static void write_character(hoist_buffer *out, hoist_str text, size_t at, size_t size)
{
    const uint8_t byte = (uint8_t)text.data[at];
    const uint32_t code = size ? hoist_utf8_decode(text, at, size) : 0xfffd;
    if (size == 0) {
        hoist_buffer_c(out, "\xef\xbf\xbd");
    } else if (size == 1 && short_escapes[byte]) {
        hoist_buffer_char(out, '\\');
        hoist_buffer_char(out, short_escapes[byte]);
    } else if (hoist_utf8_is_shown(code)) {
        hoist_buffer_str(out, hoist_str_slice(text, at, size));
    } else {
        // \uXXXX of UTF-16: of a character above U+FFFF its two surrogates.
        const uint32_t above = code - 0x10000;
        if (code < 0x10000) {
            hoist_buffer_format(out, "\\u%04" PRIx32, code);
        } else {
            hoist_buffer_format(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + (above >> 10),
                                0xdc00 + (above & 0x3ff));
        }
    }
}

void hoist_json_write_string(hoist_buffer *out, hoist_str text)
{
    hoist_buffer_char(out, '"');
    size_t i = 0;
    while (i < text.size) {
        size_t end = i;
        while (end < text.size && is_plain(text.data[end])) {
            end++;
        }
        hoist_buffer_str(out, hoist_str_slice(text, i, end - i));
        i = end;
        if (i < text.size) {
            const size_t size = hoist_utf8_size(text, i);
            write_character(out, text, i, size);
            i += size ? size : 1;
        }
    }
    hoist_buffer_char(out, '"');
}

// JSON has no words for these three; as strings they survive any reader.
void hoist_json_write_double(hoist_buffer *out, double value)
{
    if (isnan(value)) {
        hoist_buffer_c(out, "\"NaN\"");
    } else if (isinf(value)) {
        hoist_buffer_c(out, value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    } else {
        hoist_number_write(out, value, 0);
    }
}

// Documents of large graphs have millions of integers, of which printf would take a sixth of the
// time.
static void write_integer(hoist_json_writer *w, bool negative, uint64_t magnitude)
{
    char text[24]; // 20 digits, a sign and two quotes
    size_t at = sizeof(text);
    // JavaScript and jq read numbers as doubles: 2^53 + 1 would change without a word.
    const bool quoted = magnitude > EXACT_LIMIT && !w->wide;
    if (quoted) {
        text[--at] = '"';
    }
    do {
        text[--at] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (negative) {
        text[--at] = '-';
    }
    if (quoted) {
        text[--at] = '"';
    }
    hoist_buffer_str(w->out, (hoist_str){text + at, sizeof(text) - at});
}

// Integers beyond 64 bits are written as the others are.
static void write_float(hoist_json_writer *w, const hoist_tree_event *e)
{
    const char *quote = w->wide ? "" : "\"";
    if (e->str.size == 0) {
        hoist_json_write_double(w->out, e->number);
        return;
    }
    hoist_buffer_c(w->out, quote);
    hoist_buffer_str(w->out, e->str);
    hoist_buffer_c(w->out, quote);
}

static void write_scalar(hoist_json_writer *w, const hoist_tree_event *e)
{
    hoist_buffer *const out = w->out;
    switch (e->kind) {
    case HOIST_TREE_STR:
        hoist_json_write_string(out, e->str);
        break;
    case HOIST_TREE_INT:
        write_integer(w, e->integer < 0,
                      e->integer < 0 ? 0 - (uint64_t)e->integer : (uint64_t)e->integer);
        break;
    case HOIST_TREE_UINT:
        write_integer(w, false, e->uinteger);
        break;
    case HOIST_TREE_FLOAT:
        write_float(w, e);
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, e->boolean ? "true" : "false");
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

static void line_break(hoist_json_writer *w)
{
    hoist_buffer_char(w->out, '\n');
    hoist_buffer_fill(w->out, ' ', 2 * w->depth);
}

// Whether the innermost map or list, whose first value this is, has a line for each.
// The form of a map or list is decided by its first member and kept for all.
static bool is_broken(const hoist_json_writer *w, const hoist_tree_event *first)
{
    const bool numbers = (w->stack[w->depth - 1] & LEVEL_LIST) && first->kind >= HOIST_TREE_INT &&
                         first->kind <= HOIST_TREE_FLOAT;
    return w->indent && (w->levels ? w->depth - 1 <= w->levels && !numbers : w->inline_depth == 0);
}

// What is before a value: comma, line break or space, key.
static void write_lead(hoist_json_writer *w, const hoist_tree_event *e)
{
    if (w->depth == 0) {
        return;
    }
    uint8_t *const level = &w->stack[w->depth - 1];
    const bool first = !(*level & LEVEL_ITEMS);
    const bool spaced = w->indent && !w->levels;
    if (first) {
        *level |= (uint8_t)(LEVEL_ITEMS | (is_broken(w, e) ? LEVEL_BROKEN : 0));
    } else {
        hoist_buffer_char(w->out, ',');
    }
    if (*level & LEVEL_BROKEN) {
        line_break(w);
    } else if (spaced && !first) {
        hoist_buffer_char(w->out, ' ');
    }
    if (!(*level & LEVEL_LIST)) {
        hoist_json_write_string(w->out, e->key);
        hoist_buffer_char(w->out, ':');
        if (spaced || (*level & LEVEL_BROKEN)) {
            hoist_buffer_char(w->out, ' ');
        }
    }
}

// False: the value has no wrapping map that would have to be closed.
static bool write_position(hoist_json_writer *w, hoist_pos pos)
{
    if (!w->positions || pos.line == 0) {
        return false;
    }
    hoist_buffer_format(w->out,
                        w->indent ? "{\"at\": [%" PRIu32 ", %" PRIu32 "], \"value\": "
                                  : "{\"at\":[%" PRIu32 ",%" PRIu32 "],\"value\":",
                        pos.line, pos.column);
    return true;
}

static hoist_status open_level(hoist_json_writer *w, const hoist_tree_event *e, bool wrapped)
{
    void *items = w->stack;
    HOIST_TRY_MEMORY(hoist_grow(w->out->alloc, &items, &w->stack_capacity, w->depth + 1, 1));
    w->stack = items;
    const bool list = e->kind == HOIST_TREE_LIST;
    w->stack[w->depth++] = (uint8_t)((list ? LEVEL_LIST : 0) | (wrapped ? LEVEL_WRAPPED : 0));
    // Everything inside an inline value is inline, too: its depth is counted until it closes.
    if (e->inline_hint || w->inline_depth) {
        w->inline_depth++;
    }
    hoist_buffer_char(w->out, list ? '[' : '{');
    return HOIST_OK;
}

static void close_level(hoist_json_writer *w)
{
    const uint8_t level = w->stack[--w->depth];
    if (level & LEVEL_BROKEN) {
        line_break(w);
    }
    if (w->inline_depth) {
        w->inline_depth--;
    }
    hoist_buffer_char(w->out, (level & LEVEL_LIST) ? ']' : '}');
    if (level & LEVEL_WRAPPED) {
        hoist_buffer_char(w->out, '}');
    }
}

static hoist_status write_event(void *self, const hoist_tree_event *e)
{
    hoist_json_writer *w = self;
    // A fault of the caller, which must not become an invalid document.
    if (w->done || (e->kind == HOIST_TREE_END && w->depth == 0)) {
        return HOIST_INTERNAL;
    }
    if (e->kind == HOIST_TREE_END) {
        close_level(w);
    } else {
        write_lead(w, e);
        const bool wrapped = write_position(w, e->pos);
        if (e->kind == HOIST_TREE_MAP || e->kind == HOIST_TREE_LIST) {
            HOIST_TRY(open_level(w, e, wrapped));
        } else {
            write_scalar(w, e);
            if (wrapped) {
                hoist_buffer_char(w->out, '}');
            }
        }
    }
    w->done = w->depth == 0;
    return w->out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_tree_sink hoist_json_writer_sink(hoist_json_writer *w)
{
    return (hoist_tree_sink){.self = w, .event = write_event};
}
