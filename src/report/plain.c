#include "report/plain.h"

#include "base/span.h"
#include "codec/utf8.h"

// Sequences that a terminal or a reader's eye obeys instead of showing: C1 controls, and the marks
// that reorder text (embedding, override, isolate). Ranges of the last byte under a common start.
typedef struct hidden_range {
    const char *start;
    size_t start_size;
    uint8_t first;
    uint8_t last;
} hidden_range;

static const hidden_range hidden[] = {
    {"\xc2", 1, 0x80, 0x9f},     // U+0080 to U+009F
    {"\xe2\x80", 2, 0x8e, 0x8f}, // U+200E, U+200F
    {"\xe2\x80", 2, 0xa8, 0xae}, // U+2028 to U+202E: separators and overrides
    {"\xe2\x81", 2, 0xa6, 0xa9}, // U+2066 to U+2069
};

// `size` is that of the well-formed sequence at the start of `text`, 0 for none.
static bool is_hidden(hoist_str text, size_t size)
{
    const uint8_t byte = (uint8_t)text.data[0];
    if (size <= 1) {
        return size == 0 || byte < 0x20 || byte == 0x7f;
    }
    const uint8_t last = (uint8_t)text.data[size - 1];
    for (size_t i = 0; i < HOIST_COUNT_OF(hidden); i++) {
        const hidden_range *h = &hidden[i];
        if (size == h->start_size + 1 && last >= h->first && last <= h->last &&
            hoist_str_starts_with(text, h->start)) {
            return true;
        }
    }
    return false;
}

void hoist_plain_write(hoist_buffer *out, hoist_str text)
{
    size_t kept = 0; // start of what is not yet written
    size_t i = 0;
    while (i < text.size) {
        const size_t size = hoist_utf8_size(text, i);
        const size_t step = size ? size : 1;
        if (is_hidden(hoist_str_slice(text, i, text.size), size)) {
            hoist_buffer_str(out, hoist_str_slice(text, kept, i - kept));
            for (size_t k = 0; k < step; k++) {
                hoist_buffer_format(out, "\\x%02x", (unsigned)(uint8_t)text.data[i + k]);
            }
            kept = i + step;
        }
        i += step;
    }
    hoist_buffer_str(out, hoist_str_slice(text, kept, text.size));
}

static bool starts_character(char c)
{
    return ((uint8_t)c & 0xc0u) != 0x80u;
}

size_t hoist_plain_width(hoist_str plain)
{
    size_t width = 0;
    for (size_t i = 0; i < plain.size; i++) {
        width += starts_character(plain.data[i]);
    }
    return width;
}

size_t hoist_plain_line(hoist_str plain, size_t width, bool hard, size_t *out_next)
{
    size_t columns = 0; // of the characters before i
    size_t space = SIZE_MAX;
    for (size_t i = 0; i < plain.size; i++) {
        const bool starts = starts_character(plain.data[i]);
        const bool full = width && starts && columns >= width;
        if (plain.data[i] == ' ') {
            space = i;
        }
        if (full && space != SIZE_MAX) {
            *out_next = space + 1;
            return space;
        }
        if (full && hard) {
            *out_next = i;
            return i;
        }
        columns += starts;
    }
    *out_next = plain.size;
    return plain.size;
}

void hoist_plain_wrap(hoist_buffer *out, hoist_str plain, size_t indent, size_t width)
{
    const size_t room = width == 0 ? 0 : width > indent ? width - indent : 1;
    while (true) {
        size_t next = 0;
        const size_t size = hoist_plain_line(plain, room, false, &next);
        hoist_buffer_str(out, hoist_str_slice(plain, 0, size));
        plain = hoist_str_slice(plain, next, plain.size);
        if (plain.size == 0) {
            break;
        }
        hoist_buffer_char(out, '\n');
        hoist_buffer_fill(out, ' ', indent);
    }
}

size_t hoist_plain_longest_word(hoist_str plain)
{
    size_t longest = 0;
    while (plain.size) {
        size_t next = 0;
        const size_t size = hoist_plain_line(plain, 1, false, &next);
        const size_t width = hoist_plain_width(hoist_str_slice(plain, 0, size));
        longest = width > longest ? width : longest;
        plain = hoist_str_slice(plain, next, plain.size);
    }
    return longest;
}

// SGR sequences of ECMA-48.
static const char *const style_starts[] = {
    [HOIST_STYLE_NONE] = "",
    [HOIST_STYLE_BOLD] = "\x1b[1m",
    [HOIST_STYLE_ERROR] = "\x1b[1;31m",
    [HOIST_STYLE_WARNING] = "\x1b[1;35m",
    [HOIST_STYLE_NOTE] = "\x1b[1;36m",
    [HOIST_STYLE_CARET] = "\x1b[1;32m",
};

void hoist_plain_styled(hoist_buffer *out, bool color, hoist_style style, hoist_str plain)
{
    const bool styled = color && style != HOIST_STYLE_NONE;
    hoist_buffer_c(out, styled ? style_starts[style] : "");
    hoist_buffer_str(out, plain);
    hoist_buffer_c(out, styled ? "\x1b[0m" : "");
}

hoist_style hoist_severity_style(hoist_severity severity)
{
    static const hoist_style styles[] = {[HOIST_NOTE] = HOIST_STYLE_NOTE,
                                         [HOIST_WARNING] = HOIST_STYLE_WARNING,
                                         [HOIST_ERROR] = HOIST_STYLE_ERROR};
    return styles[severity];
}
