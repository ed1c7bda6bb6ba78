// The memory of a graph as bars. A scratchpad's slices are lines below each other, at their
// offsets, so that slices that share bytes are in the same columns; the last line counts them.
//
//   scratchpad main, 3 slices of 12.0 KiB in 8.0 KiB
//     x       |aaaaaaaa        |    4.0 KiB
//     y       |    bbbbbbbb    |    4.0 KiB
//     slices  |1111222211111111|
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "picture/draw.h"

enum {
    INDENT = 4,
    NAME_WIDTH = 20,
    NARROW = 60,
    NARROW_NAME_WIDTH = 12,
    MOST_SLICES = 24, // that have a line
};

// Columns of the name before a bar, and of the bar itself: what is left after name, frame and
// size.
static size_t name_width(const hoist_drawing *d)
{
    return d->width < NARROW ? NARROW_NAME_WIDTH : NAME_WIDTH;
}

static size_t bar_width(const hoist_drawing *d)
{
    return d->width - INDENT - name_width(d) - 3 - HOIST_DRAW_SIZE_WIDTH;
}

// "    NAME |": the text before a bar.
static void begin_bar(const hoist_drawing *d, hoist_str name)
{
    hoist_buffer_fill(d->out, ' ', INDENT);
    hoist_draw_padded(d->out, name, name_width(d), false);
    hoist_buffer_c(d->out, " |");
}

// The right side of the frame, and what the bar stands for in bytes.
static void end_bar(const hoist_drawing *d, uint64_t bytes)
{
    hoist_buffer_char(d->out, '|');
    hoist_draw_size(d->out, bytes);
    hoist_draw_end_line(d->out);
}

// Areas -------------------------------------------------------------------------------------------

// Bars are as long as the share of the fullest use, or of the capacity where it is known.
static void draw_area(const hoist_drawing *d, const hoist_picture_memory *m)
{
    // 1, so that an area of nothing divides by no zero.
    uint64_t most = m->capacity ? m->capacity : 1;
    for (size_t i = 0; i < m->use_count; i++) {
        most = m->uses[i].bytes > most ? m->uses[i].bytes : most;
    }
    hoist_buffer_format(d->out, "\n  memory %s, ", m->name);
    hoist_draw_short_size(d->out, hoist_picture_total(m));
    if (m->capacity) {
        hoist_buffer_c(d->out, " of ");
        hoist_draw_short_size(d->out, m->capacity);
    }
    hoist_buffer_char(d->out, '\n');
    for (size_t i = 0; i < m->use_count; i++) {
        if (m->uses[i].bytes) {
            const size_t width = bar_width(d);
            const double share = (double)m->uses[i].bytes / (double)most;
            // Rounded up: what is there has one column at least.
            const size_t columns = (size_t)ceil(share * (double)width);
            begin_bar(d, hoist_str_from(m->uses[i].title));
            hoist_buffer_fill(d->out, '#', columns);
            hoist_buffer_fill(d->out, ' ', width - columns);
            end_bar(d, m->uses[i].bytes);
        }
    }
}

// Scratchpads -------------------------------------------------------------------------------------

typedef struct column_span {
    size_t first;
    size_t end;
} column_span;

// The columns whose middle byte a slice has; at least one where it has bytes.
static column_span span_of(const hoist_drawing *d, const hoist_picture_pad *pad,
                           const hoist_picture_range *slice)
{
    // A column k has its middle at k + 0.5, so that the first one is the least k with k + 0.5 >=
    // start.
    const double columns = (double)bar_width(d);
    const double scale = columns / (double)(pad->extent ? pad->extent : 1);
    const double start = (double)slice->start * scale;
    const double end = start + (double)slice->size * scale;
    column_span span = {(size_t)ceil(start - 0.5 > 0 ? start - 0.5 : 0),
                        (size_t)ceil(end - 0.5 > 0 ? end - 0.5 : 0)};
    span.end = span.end > bar_width(d) ? bar_width(d) : span.end;
    // Narrower than a column: the nearest one, also where that is past the end.
    if (span.end <= span.first && slice->size > 0) {
        span.first = span.first < bar_width(d) ? span.first : bar_width(d) - 1;
        span.end = span.first + 1;
    }
    return span;
}

static void draw_slice(const hoist_drawing *d, const hoist_picture_pad *pad,
                       const hoist_picture_range *slice, size_t number)
{
    const column_span span = span_of(d, pad, slice);
    begin_bar(d, slice->name);
    hoist_buffer_fill(d->out, ' ', span.first);
    hoist_buffer_fill(d->out, hoist_draw_tag(number).text[0], span.end - span.first);
    hoist_buffer_fill(d->out, ' ', bar_width(d) - span.end);
    end_bar(d, slice->size);
}

// How many slices there are at each column.
static hoist_status draw_depth(const hoist_drawing *d, const hoist_picture_pad *pad)
{
    int64_t *const steps = hoist_arena_array(d->arena, bar_width(d) + 1, sizeof(*steps));
    if (!steps) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < pad->count; i++) {
        const column_span span = span_of(d, pad, &pad->ranges[i]);
        if (span.first < span.end) {
            // One more slice from here on, and one less from its end on: summed up they are the
            // depth.
            steps[span.first]++;
            steps[span.end]--;
        }
    }
    begin_bar(d, HOIST_STR("slices"));
    int64_t depth = 0;
    for (size_t i = 0; i < bar_width(d); i++) {
        depth += steps[i];
        // A digit has one column: more than nine are a plus.
        hoist_buffer_char(d->out, (char)(depth > 9 ? '+' : depth ? '0' + depth : '.'));
    }
    end_bar(d, pad->extent);
    return HOIST_OK;
}

// Slices of one list, by pointers into it.
// The largest first; of equal ones the first in the list, so that the order is the same
// everywhere.
static int compare_sizes(const void *left, const void *right)
{
    const hoist_picture_range *const a = *(const hoist_picture_range *const *)left;
    const hoist_picture_range *const b = *(const hoist_picture_range *const *)right;
    const int size = hoist_order_u64(b->size, a->size);
    return size ? size : (a > b) - (a < b);
}

// The order of the list itself.
static int compare_places(const void *left, const void *right)
{
    const hoist_picture_range *const a = *(const hoist_picture_range *const *)left;
    const hoist_picture_range *const b = *(const hoist_picture_range *const *)right;
    return (a > b) - (a < b);
}

// The largest slices of a scratchpad, in the order of the file, and how many share each column.
static hoist_status draw_pad(const hoist_drawing *d, const char *area, const hoist_picture_pad *pad)
{
    const size_t shown = pad->count < MOST_SLICES ? pad->count : MOST_SLICES;
    const hoist_picture_range **const slices =
        hoist_arena_array(d->arena, pad->count, sizeof(const hoist_picture_range *));
    if (!slices) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < pad->count; i++) {
        slices[i] = &pad->ranges[i];
    }
    // The largest come to the front; those that are shown are then put back in their order.
    qsort(slices, pad->count, sizeof(const hoist_picture_range *), compare_sizes);
    qsort(slices, shown, sizeof(const hoist_picture_range *), compare_places);
    hoist_buffer_format(d->out, "\n  scratchpad %s%s", area, pad->name.size ? "/" : "");
    (void)hoist_draw_name(d->out, pad->name, NARROW_NAME_WIDTH);
    hoist_buffer_c(d->out, ": ");
    hoist_draw_short_size(d->out, pad->sum);
    hoist_buffer_c(d->out, " in ");
    hoist_draw_short_size(d->out, pad->extent);
    hoist_buffer_char(d->out, '\n');
    for (size_t i = 0; i < shown; i++) {
        draw_slice(d, pad, slices[i], i);
    }
    if (shown < pad->count) {
        hoist_buffer_format(d->out, "    and %zu smaller slices\n", pad->count - shown);
    }
    return draw_depth(d, pad);
}

// Channels belong to no graph: their index says nothing.
static bool is_of_graph(const hoist_picture_memory *m, size_t graph)
{
    return !m->is_channel && m->graph_index == graph;
}

hoist_status hoist_draw_areas(const hoist_drawing *d, const hoist_picture *picture, size_t graph)
{
    for (size_t i = 0; i < picture->memory_count; i++) {
        if (is_of_graph(&picture->memories[i], graph)) {
            draw_area(d, &picture->memories[i]);
        }
    }
    for (size_t i = 0; i < picture->memory_count; i++) {
        const hoist_picture_memory *const m = &picture->memories[i];
        for (size_t k = 0; is_of_graph(m, graph) && k < m->pad_count; k++) {
            HOIST_TRY(draw_pad(d, m->name, &m->pads[k]));
        }
    }
    return HOIST_OK;
}
