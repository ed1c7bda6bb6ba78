// picture/draw_text.h - the words of drawings: names, tags, sizes, in as many columns as there are.
#ifndef HOIST_SRC_PICTURE_DRAW_TEXT_H
#define HOIST_SRC_PICTURE_DRAW_TEXT_H

#include "base/buffer.h"

enum {
    HOIST_DRAW_LEAST_WIDTH = 40,   // columns of a drawing
    HOIST_DRAW_DEFAULT_WIDTH = 80, // where the caller gives no width
    HOIST_DRAW_SIZE_WIDTH = 10,    // of hoist_draw_size
};

// Columns of a drawing of `width` columns; 0: the caller gives no width.
static inline size_t hoist_draw_width(size_t width)
{
    const size_t columns = width ? width : HOIST_DRAW_DEFAULT_WIDTH;
    return columns < HOIST_DRAW_LEAST_WIDTH ? HOIST_DRAW_LEAST_WIDTH : columns;
}

// A short name for the index-th object: a ... z, A ... Z, then aa, ab ...; "##" past zz.
typedef struct hoist_draw_tag_text {
    char text[3];
} hoist_draw_tag_text;
hoist_draw_tag_text hoist_draw_tag(size_t index);

// Appends `name` in at most `width` columns: bytes that are not printable ASCII as '?', a long name
// without its middle. Returns the columns written.
size_t hoist_draw_name(hoist_buffer *out, hoist_str name, size_t width);
// The same, with spaces to exactly `width` columns after it or, `right`, before it.
void hoist_draw_padded(hoist_buffer *out, hoist_str name, size_t width, bool right);
// Appends "12.0 KiB" in HOIST_DRAW_SIZE_WIDTH columns.
void hoist_draw_size(hoist_buffer *out, uint64_t bytes);
// The same in as many columns as it takes.
void hoist_draw_short_size(hoist_buffer *out, uint64_t bytes);
// Appends "37.5 %": one decimal; what is less than 0.1 and not 0 is "<0.1 %".
void hoist_draw_percent(hoist_buffer *out, double percent);
// Ends a line without the spaces at its end.
void hoist_draw_end_line(hoist_buffer *out);
// Adds an empty line after other lines, unless there is one.
void hoist_draw_gap(hoist_buffer *out);

#endif // HOIST_SRC_PICTURE_DRAW_TEXT_H
