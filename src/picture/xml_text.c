// Texts of drawings in markup (xml_text.h): cells of one or more columns, escaped, and the parts of
// a long name that are kept.
#include "picture/xml_text.h"

#include "base/span.h"
#include "base/utf8.h"

enum {
    FIRST_WIDE = 0x1100,   // no character before it is wide
    FIRST_NO_XML = 0xFFFE, // this one and the next are in no XML (Char, XML 1.0 2.2)
    LAST_NO_XML = 0xFFFF,  //
    ESCAPED_COLUMNS = 4,   // "\xNN"
    LONGEST_CHARACTER = 4, // bytes
};

// A piece of text that is shown or escaped as one.
typedef struct cell {
    size_t size; // bytes
    size_t columns;
    bool is_escaped;
} cell;

static cell cell_at(hoist_str text, size_t at)
{
    const size_t size = hoist_utf8_shown_size(text, at);
    const uint32_t code = size ? hoist_utf8_decode(text, at, size) : 0;
    // A byte at a time, so that the next one may begin a character again.
    if (size == 0 || (code >= FIRST_NO_XML && code <= LAST_NO_XML)) {
        return (cell){1, ESCAPED_COLUMNS, true};
    }
    return (cell){size, code < FIRST_WIDE ? 1 : 2, false};
}

size_t hoist_markup_columns(hoist_str text, size_t most)
{
    size_t columns = 0;
    for (size_t i = 0; i < text.size && columns < most;) {
        const cell c = cell_at(text, i);
        columns += c.columns;
        i += c.size;
    }
    return columns < most ? columns : most;
}

// Writing -----------------------------------------------------------------------------------------

static const char *xml_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

// A backslash begins an escape in strings of DOT, a quote ends them, and an ampersand begins an
// entity as in HTML.
static const char *dot_escape(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    default:
        return NULL;
    }
}

static void write_cell(hoist_buffer *out, hoist_markup markup, hoist_str text, size_t at, cell c)
{
    if (c.is_escaped) {
        hoist_buffer_format(out, markup == HOIST_MARKUP_XML ? "\\x%02x" : "\\\\x%02x",
                            (unsigned)(uint8_t)text.data[at]);
        return;
    }
    const char *const escape =
        markup == HOIST_MARKUP_XML ? xml_entity(text.data[at]) : dot_escape(text.data[at]);
    if (c.size == 1 && escape) {
        hoist_buffer_c(out, escape);
    } else {
        hoist_buffer_str(out, hoist_str_slice(text, at, c.size));
    }
}

// Writes what fits from `at` on; the columns written.
static size_t write_part(hoist_buffer *out, hoist_markup markup, hoist_str text, size_t at,
                         size_t most)
{
    size_t columns = 0;
    while (at < text.size) {
        const cell c = cell_at(text, at);
        // A cell is never cut: a wide character may leave one column free.
        if (columns + c.columns > most) {
            break;
        }
        write_cell(out, markup, text, at, c);
        columns += c.columns;
        at += c.size;
    }
    return columns;
}

// Where the last `most` columns of a text begin, which has more.
static size_t find_tail(hoist_str text, size_t most)
{
    // No column takes more bytes: before that, nothing needs to be looked at.
    const size_t bytes = most * LONGEST_CHARACTER;
    size_t at = text.size > bytes ? text.size - bytes : 0;
    for (size_t i = 0; i + 1 < LONGEST_CHARACTER && at > 0 && at < text.size &&
                       ((uint8_t)text.data[at] & 0xc0u) == 0x80u;
         i++) {
        at++; // in the middle of a character
    }
    size_t columns = hoist_markup_columns(hoist_str_slice(text, at, text.size), SIZE_MAX);
    while (columns > most) {
        const cell c = cell_at(text, at);
        columns -= c.columns;
        at += c.size;
    }
    return at;
}

size_t hoist_markup_name(hoist_buffer *out, hoist_markup markup, hoist_str text, size_t most)
{
    static const char omission[] = "\xe2\x80\xa6"; // one column
    if (hoist_markup_columns(text, most + 1) <= most) {
        return write_part(out, markup, text, 0, most);
    }
    // The end of a name identifies it better than its start: it gets the larger part.
    const size_t head = (most - 1) / 3;
    const size_t tail = most - 1 - head;
    size_t columns = write_part(out, markup, text, 0, head) + 1;
    hoist_buffer_c(out, omission);
    columns += write_part(out, markup, text, find_tail(text, tail), tail);
    return columns;
}
