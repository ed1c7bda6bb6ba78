// Text that is safe for a terminal: escapes, width in columns, line breaks, colors. Everything
// that hoist prints for people goes through here.
#include "report/plain.h"

#include "base/span.h"
#include "base/utf8.h"

void hoist_plain_write(hoist_buffer *out, hoist_str text)
{
    size_t kept = 0; // start of what is not yet written
    size_t i = 0;
    while (i < text.size) {
        const size_t size = hoist_utf8_shown_size(text, i);
        if (!size) {
            hoist_buffer_str(out, hoist_str_slice(text, kept, i - kept));
            hoist_buffer_format(out, "\\x%02x", (unsigned)(uint8_t)text.data[i]);
            kept = i + 1;
        }
        i += size ? size : 1;
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
