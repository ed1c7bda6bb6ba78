// report/plain.h - text that is safe to send to a terminal, its width, its line breaks, its
// colors.
//
// "Plain" text is UTF-8 of characters that are shown as they are (base/utf8.h). Names and messages
// come from files that are not checked, so everything a report prints goes through
// hoist_plain_write first.
#ifndef HOIST_SRC_REPORT_PLAIN_H
#define HOIST_SRC_REPORT_PLAIN_H

#include "base/buffer.h"

// Appends `text` with each byte of malformed UTF-8 and of a character that is not shown as it is as
// \xNN.
void hoist_plain_write(hoist_buffer *out, hoist_str text);

// Columns of plain text: one per code point. East Asian wide characters are counted as one.
size_t hoist_plain_width(hoist_str plain);

// Bytes of `plain` that make its first line, at most `width` columns (0: no limit): up to the last
// space that fits, else, when `hard`, exactly `width` columns, else up to the first space.
// `*out_next` is where the next line starts, past the space.
size_t hoist_plain_line(hoist_str plain, size_t width, bool hard, size_t *out_next);

// Appends plain text broken at spaces. The first line starts at the end of `out`, in column
// `indent`, and later lines are indented to it; no line but one of a single long word reaches
// beyond `width` columns (0: no limit). No line break is added at the end.
void hoist_plain_wrap(hoist_buffer *out, hoist_str plain, size_t indent, size_t width);

// Columns of the longest word of plain text: what no line break makes narrower.
size_t hoist_plain_longest_word(hoist_str plain);

typedef enum hoist_style {
    HOIST_STYLE_NONE,
    HOIST_STYLE_BOLD,
    HOIST_STYLE_ERROR,
    HOIST_STYLE_WARNING,
    HOIST_STYLE_NOTE,
    HOIST_STYLE_CARET,
} hoist_style;

// Appends plain text, in the colors of `style` when `color`.
void hoist_plain_styled(hoist_buffer *out, bool color, hoist_style style, hoist_str plain);

// The style a severity is shown in.
hoist_style hoist_severity_style(hoist_severity severity);

#endif // HOIST_SRC_REPORT_PLAIN_H
