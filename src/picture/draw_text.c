// The texts of drawings (draw_text.h): tags, names in a fixed number of columns, sizes. Used by all
// draw_*.c; nothing here depends on a picture.
#include "picture/draw_text.h"

#include "base/size_text.h"
#include "base/span.h"

#define LETTERS ((size_t)26)

hoist_draw_tag_text hoist_draw_tag(size_t index)
{
    // 52 tags of one letter, then 676 of two; past them all are the same.
    hoist_draw_tag_text tag = {"##"};
    if (index < 2 * LETTERS) {
        tag.text[0] = (char)(index < LETTERS ? 'a' + index : 'A' + (index - LETTERS));
        tag.text[1] = '\0';
    } else if (index - 2 * LETTERS < LETTERS * LETTERS) {
        tag.text[0] = (char)('a' + (index - 2 * LETTERS) / LETTERS);
        tag.text[1] = (char)('a' + (index - 2 * LETTERS) % LETTERS);
    }
    return tag;
}

// Names come from files: a control character must not reach a terminal, so that it is a '?'.
static void add_printable(hoist_buffer *out, hoist_str text)
{
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        hoist_buffer_char(out, c >= ' ' && c <= '~' ? c : '?');
    }
}

size_t hoist_draw_name(hoist_buffer *out, hoist_str name, size_t width)
{
    static const char cut[] = "..";
    const size_t cut_size = sizeof(cut) - 1;
    if (name.size <= width) {
        add_printable(out, name);
        return name.size;
    }
    // Too narrow for a sign of omission: the beginning alone.
    if (width <= 2 * cut_size) {
        add_printable(out, hoist_str_slice(name, 0, width));
        return width;
    }
    // The end of a name identifies it better than its start: it gets the larger part.
    const size_t head = (width - cut_size) / 3;
    const size_t tail = width - cut_size - head;
    add_printable(out, hoist_str_slice(name, 0, head));
    hoist_buffer_c(out, cut);
    add_printable(out, hoist_str_slice(name, name.size - tail, tail));
    return width;
}

void hoist_draw_padded(hoist_buffer *out, hoist_str name, size_t width, bool right)
{
    const size_t used = name.size < width ? name.size : width;
    hoist_buffer_fill(out, ' ', right ? width - used : 0);
    (void)hoist_draw_name(out, name, width);
    hoist_buffer_fill(out, ' ', right ? 0 : width - used);
}

void hoist_draw_size(hoist_buffer *out, uint64_t bytes)
{
    // A number of the same width, and a unit that is padded, so that sizes are aligned below each
    // other.
    const hoist_size_text size = hoist_size_text_of(bytes);
    hoist_buffer_format(out, "%*s %-3s", HOIST_DRAW_SIZE_WIDTH - 4, size.number, size.unit);
}

void hoist_draw_short_size(hoist_buffer *out, uint64_t bytes)
{
    const hoist_size_text size = hoist_size_text_of(bytes);
    hoist_buffer_format(out, "%s %s", size.number, size.unit);
}

void hoist_draw_percent(hoist_buffer *out, double percent)
{
    // "0.0 %" would say that it takes nothing.
    if (percent > 0 && percent < 0.1) {
        hoist_buffer_c(out, "<0.1 %");
    } else {
        hoist_buffer_format(out, "%.1f %%", percent);
    }
}

void hoist_draw_end_line(hoist_buffer *out)
{
    // Padding of the last cell is of no use at the end of a line.
    while (out->size > 0 && out->data[out->size - 1] == ' ') {
        out->size--;
    }
    hoist_buffer_char(out, '\n');
}

void hoist_draw_gap(hoist_buffer *out)
{
    // Two line breaks at the end, or nothing before: there is a gap already.
    const bool has_gap = out->size < 2 || out->data[out->size - 2] == '\n';
    hoist_buffer_c(out, has_gap ? "" : "\n");
}
