// The memory of a subgraph as bars. A scratchpad's slices stand below each other at their places,
// so that what shares bytes stands above each other; the last line counts them.
//
//   scratchpad main, 3 slices of 12.0 KiB in 8.0 KiB
//     x       |aaaaaaaa        |    4.0 KiB
//     y       |    bbbbbbbb    |    4.0 KiB
//     slices  |1111222211111111|
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/draw.h"

enum {
    INDENT = 4,
    NAME_WIDTH = 20,
    NARROW = 60,
    NARROW_NAME_WIDTH = 12,
    MOST_SLICES = 24, // that have a line
};

static size_t name_width(const neff_drawing *d)
{
    return d->width < NARROW ? NARROW_NAME_WIDTH : NAME_WIDTH;
}

static size_t bar_width(const neff_drawing *d)
{
    return d->width - INDENT - name_width(d) - 3 - HOIST_DRAW_SIZE_WIDTH;
}

// "    NAME |": what stands before a bar.
static void begin_bar(const neff_drawing *d, hoist_str name)
{
    hoist_buffer_fill(d->out, ' ', INDENT);
    hoist_draw_padded(d->out, name, name_width(d), false);
    hoist_buffer_c(d->out, " |");
}

static void end_bar(const neff_drawing *d, uint64_t bytes)
{
    hoist_buffer_char(d->out, '|');
    hoist_draw_size(d->out, bytes);
    hoist_draw_end_line(d->out);
}

// Areas
// --------------------------------------------------------------------------------------------

static void draw_area(const neff_drawing *d, neff_fabric fabric, const neff_area *area)
{
    static const char *const names[NEFF_USE_COUNT] = {
        [NEFF_USE_TENSORS] = "tensors",       [NEFF_USE_CONSTANTS] = "constants",
        [NEFF_USE_BUFFERS] = "buffers",       [NEFF_USE_TABLES] = "address tables",
        [NEFF_USE_SCRATCHPAD] = "scratchpad", [NEFF_USE_OTHER] = "other",
    };
    uint64_t total = 0;
    uint64_t most = 1;
    for (int i = NEFF_USE_TENSORS; i < NEFF_USE_COUNT; i++) {
        total = neff_sum(total, area->bytes[i]);
        most = area->bytes[i] > most ? area->bytes[i] : most;
    }
    hoist_buffer_format(d->out, "\n  memory %s, ", neff_fabrics.names[fabric]);
    hoist_draw_short_size(d->out, total);
    hoist_buffer_char(d->out, '\n');
    for (int i = NEFF_USE_TENSORS; i < NEFF_USE_COUNT; i++) {
        if (area->bytes[i]) {
            const size_t width = bar_width(d);
            const double share = (double)area->bytes[i] / (double)most;
            const size_t columns = (size_t)ceil(share * (double)width);
            begin_bar(d, hoist_str_from(names[i]));
            hoist_buffer_fill(d->out, '#', columns);
            hoist_buffer_fill(d->out, ' ', width - columns);
            end_bar(d, area->bytes[i]);
        }
    }
}

// Scratchpads
// --------------------------------------------------------------------------------------

typedef struct column_span {
    size_t first;
    size_t end;
} column_span;

// The columns whose middle byte a slice has; at least one where it has bytes.
static column_span span_of(const neff_drawing *d, const neff_scratchpad *pad, const neff_var *var)
{
    const double columns = (double)bar_width(d);
    const double scale = columns / (double)(pad->extent ? pad->extent : 1);
    const double start = (double)var->backing_variable_off * scale;
    const double end = start + (double)var->size * scale;
    column_span span = {(size_t)ceil(start - 0.5 > 0 ? start - 0.5 : 0),
                        (size_t)ceil(end - 0.5 > 0 ? end - 0.5 : 0)};
    span.end = span.end > bar_width(d) ? bar_width(d) : span.end;
    if (span.end <= span.first && var->size > 0) {
        span.first = span.first < bar_width(d) ? span.first : bar_width(d) - 1;
        span.end = span.first + 1;
    }
    return span;
}

static void draw_slice(const neff_drawing *d, const neff_scratchpad *pad, const neff_var *var,
                       size_t number)
{
    const column_span span = span_of(d, pad, var);
    begin_bar(d, var->name);
    hoist_buffer_fill(d->out, ' ', span.first);
    hoist_buffer_fill(d->out, hoist_draw_tag(number).text[0], span.end - span.first);
    hoist_buffer_fill(d->out, ' ', bar_width(d) - span.end);
    end_bar(d, neff_size(var->size));
}

// How many slices there are at each column.
static hoist_status draw_depth(const neff_drawing *d, const neff_scratchpad *pad)
{
    int64_t *const steps = hoist_arena_array(d->arena, bar_width(d) + 1, sizeof(*steps));
    if (!steps) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < pad->count; i++) {
        const column_span span = span_of(d, pad, &d->subgraph->vars[pad->vars[i]]);
        if (span.first < span.end) {
            steps[span.first]++;
            steps[span.end]--;
        }
    }
    begin_bar(d, HOIST_STR("slices"));
    int64_t depth = 0;
    for (size_t i = 0; i < bar_width(d); i++) {
        depth += steps[i];
        hoist_buffer_char(d->out, (char)(depth > 9 ? '+' : depth ? '0' + depth : '.'));
    }
    end_bar(d, pad->extent);
    return HOIST_OK;
}

typedef struct big_slice {
    uint32_t place; // in the scratchpad
    int64_t size;
} big_slice;

static int compare_sizes(const void *left, const void *right)
{
    const big_slice *const a = left;
    const big_slice *const b = right;
    const int size = hoist_order_i64(b->size, a->size);
    return size ? size : hoist_order_u64(a->place, b->place);
}

static int compare_places(const void *left, const void *right)
{
    return hoist_order_u64(((const big_slice *)left)->place, ((const big_slice *)right)->place);
}

static hoist_status draw_scratchpad(const neff_drawing *d, const neff_scratchpad *pad)
{
    const uint32_t shown = pad->count < MOST_SLICES ? pad->count : MOST_SLICES;
    big_slice *const slices = hoist_arena_array(d->arena, pad->count, sizeof(*slices));
    if (!slices) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < pad->count; i++) {
        slices[i] = (big_slice){i, d->subgraph->vars[pad->vars[i]].size};
    }
    qsort(slices, pad->count, sizeof(*slices), compare_sizes);
    qsort(slices, shown, sizeof(*slices), compare_places);
    hoist_buffer_format(d->out, "\n  scratchpad %s%s", neff_fabrics.names[pad->fabric],
                        pad->buffer.size ? "/" : "");
    (void)hoist_draw_name(d->out, pad->buffer, NARROW_NAME_WIDTH);
    hoist_buffer_c(d->out, ": ");
    hoist_draw_short_size(d->out, pad->sum);
    hoist_buffer_c(d->out, " in ");
    hoist_draw_short_size(d->out, pad->extent);
    hoist_buffer_char(d->out, '\n');
    for (uint32_t i = 0; i < shown; i++) {
        draw_slice(d, pad, &d->subgraph->vars[pad->vars[slices[i].place]], i);
    }
    if (shown < pad->count) {
        hoist_buffer_format(d->out, "    and %u smaller slices\n", pad->count - shown);
    }
    return draw_depth(d, pad);
}

hoist_status neff_draw_areas(const neff_drawing *d)
{
    const neff_scratchpad *pads = NULL;
    uint32_t count = 0;
    neff_area areas[NEFF_FABRIC_COUNT];
    HOIST_TRY(neff_scratchpads(d->subgraph, d->arena, &pads, &count));
    neff_areas(d->subgraph, pads, count, areas);
    for (int f = 0; f < NEFF_FABRIC_COUNT; f++) {
        if (areas[f].used) {
            draw_area(d, (neff_fabric)f, &areas[f]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(draw_scratchpad(d, &pads[i]));
    }
    return HOIST_OK;
}
