// Moves of elements that change on the way: gathered into a line of at most 1,024, converted,
// folded (sum, maximum), converted again, scattered. The loops over lines are move_level.c's.
#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "kernels/elements.h"
#include "kernels/move_ways.h"
#include "tensor/convert.h"
#include "tensor/element.h"

enum {
    LINE = 1024,    // elements on the way at a time
    LONG_ROW = 256, // elements that are converted where they are, whole runs or not
};

#define LINE_BYTES ((size_t)LINE * HOIST_ELEMENT_MAX_SIZE)

// Elements of one tile or of one line of all views.
typedef struct piece {
    const hoist_move_kernels *kernels;
    const hoist_move_plan *plan;
    uint64_t begin; // LINES: first element
    size_t count;   // at most LINE
    size_t size[3]; // TILES: planes, rows, columns
    uint8_t *base[1 + HOIST_MOVE_MAX_VIEWS];
} piece;

// Lines ------------------------------------------------------------------------------------------

// True when the tile's elements of view `v` are in one line.
static bool is_line(const piece *p, size_t v, size_t size)
{
    if (p->plan->way != HOIST_MOVE_TILES) {
        return false;
    }
    const hoist_move_loop *loops = hoist_move_tile_loops(p->plan);
    int64_t stride = (int64_t)size;
    bool line = true;
    for (size_t i = 3; i-- > 0;) {
        line = line && (p->size[i] == 1 || loops[i].stride[v] == stride);
        // What the loop inside takes, where it leaves no gap.
        stride *= (int64_t)p->size[i];
    }
    return line;
}

// Copies elements of `size` bytes by the strides of `tile`.
static void copy_tile(const piece *p, hoist_move_tile tile, size_t size)
{
    tile.planes = p->size[0];
    tile.rows = p->size[1];
    tile.cols = p->size[2];
    p->kernels->tile[hoist_move_log2(size)](&tile);
}

// The tile's elements of view `v`, of `size` bytes, side by side in `line`.
static const uint8_t *gather_tile(const piece *p, size_t v, size_t size, uint8_t *line)
{
    const hoist_move_loop *loops = hoist_move_tile_loops(p->plan);
    // Bytes of a row in the line.
    const int64_t row = (int64_t)(p->size[2] * size);
    copy_tile(p,
              (hoist_move_tile){.source = p->base[v],
                                .destination = line,
                                .source_plane = loops[0].stride[v],
                                .source_row = loops[1].stride[v],
                                .source_col = loops[2].stride[v],
                                .destination_plane = row * (int64_t)p->size[1],
                                .destination_row = row,
                                .destination_col = (int64_t)size},
              size);
    return line;
}

// The elements of view `v` as a line: where they are, or else gathered in `line`.
static const uint8_t *line_of(const piece *p, size_t v, uint8_t *line)
{
    const hoist_move_plan *plan = p->plan;
    const size_t size = hoist_element_size(plan->views[v].dtype);
    if (plan->way != HOIST_MOVE_TILES) {
        hoist_elements_read(&plan->views[v], p->begin, p->count, line);
        return line;
    }
    return is_line(p, v, size) ? p->base[v] : gather_tile(p, v, size, line);
}

// Where the result is to be written: straight to the destination, or else to `line`.
static uint8_t *place_of(const piece *p, uint8_t *line)
{
    return is_line(p, 0, hoist_element_size(p->plan->views[0].dtype)) ? p->base[0] : line;
}

// The line to the elements of the destination, unless it was written there.
static void put_line(const piece *p, const uint8_t *line)
{
    HOIST_ASSERT(p->count <= LINE);
    const hoist_move_plan *plan = p->plan;
    const size_t size = hoist_element_size(plan->views[0].dtype);
    if (plan->way != HOIST_MOVE_TILES) {
        hoist_elements_write(&plan->views[0], p->begin, p->count, line);
        return;
    }
    if (line == p->base[0]) {
        return;
    }
    const hoist_move_loop *loops = hoist_move_tile_loops(plan);
    const int64_t row = (int64_t)(p->size[2] * size);
    copy_tile(p,
              (hoist_move_tile){.source = line,
                                .destination = p->base[0],
                                .source_plane = row * (int64_t)p->size[1],
                                .source_row = row,
                                .source_col = (int64_t)size,
                                .destination_plane = loops[0].stride[0],
                                .destination_row = loops[1].stride[0],
                                .destination_col = loops[2].stride[0]},
              size);
}

// One row as a tile, for a kernel that takes such.
static void convert_line(hoist_move_convert_fn *kernel, const uint8_t *from, size_t count,
                         uint8_t *to)
{
    const hoist_move_tile line = {
        .source = from, .destination = to, .planes = 1, .rows = 1, .cols = count};
    kernel(&line, false);
}

// Elements as floats, by the level's kernel where it has one.
static void to_values(const hoist_move_kernels *kernels, hoist_dtype dtype, const uint8_t *line,
                      size_t count, float *values)
{
    if (kernels->to_f32[dtype]) {
        convert_line(kernels->to_f32[dtype], line, count, (uint8_t *)values);
    } else {
        hoist_elements_to_f32(dtype, line, count, values);
    }
}

// Floats as elements: by hand, types that the level does not convert give the same bits.
static void from_values(const hoist_move_kernels *kernels, hoist_dtype dtype, const float *values,
                        size_t count, uint8_t *line)
{
    if (kernels->from_f32[dtype]) {
        convert_line(kernels->from_f32[dtype], (const uint8_t *)values, count, line);
    } else {
        hoist_elements_from_f32(dtype, values, count, line);
    }
}

// Elements of view 1 to those of the destination.
static void convert(const piece *p, const uint8_t *line, uint8_t *out)
{
    hoist_move_convert_fn *kernel = hoist_move_conversion(p->kernels, p->plan);
    if (kernel) {
        convert_line(kernel, line, p->count, out);
    } else {
        float values[LINE];
        to_values(p->kernels, p->plan->views[1].dtype, line, p->count, values);
        from_values(p->kernels, p->plan->views[0].dtype, values, p->count, out);
    }
}

// Operations -------------------------------------------------------------------------------------

// Element `at` of the sources joined; it exists.
static void read_joined(const piece *p, uint64_t at, uint8_t *out)
{
    const hoist_dtype dtype = p->plan->views[0].dtype;
    // Sources are counted through, one after the other.
    const hoist_view *source = &p->plan->views[1];
    while (at >= (uint64_t)hoist_shape_count(&source->shape)) {
        at -= (uint64_t)hoist_shape_count(&source->shape);
        source++;
    }
    HOIST_ASSERT(source <= &p->plan->views[p->plan->move.source_count]);
    // As stored; converted only where the types differ.
    uint8_t element[HOIST_ELEMENT_MAX_SIZE];
    float value = 0;
    hoist_elements_read(source, at, 1, element);
    if (source->dtype == dtype) {
        memcpy(out, element, hoist_element_size(dtype));
    } else {
        hoist_elements_to_f32(source->dtype, element, 1, &value);
        hoist_elements_from_f32(dtype, &value, 1, out);
    }
}

// Each element by its own number, as the table may name them in any order.
static void gather_by_table(const piece *p, uint8_t *out)
{
    const hoist_view_move *move = &p->plan->move;
    const hoist_dtype dtype = p->plan->views[0].dtype;
    const size_t size = hoist_element_size(dtype);
    for (size_t i = 0; i < p->count; i++) {
        // The table has a number for each element of the destination.
        const int32_t at = move->table[p->begin + i];
        if (at < 0) {
            hoist_elements_from_f32(dtype, &move->fill, 1, out + i * size);
        } else {
            read_joined(p, (uint64_t)at, out + i * size);
        }
    }
}

// Elements that keep their type, or change it.
static void copy_or_cast(const piece *p, uint8_t *out)
{
    const hoist_move_plan *plan = p->plan;
    if (plan->move.op == HOIST_KERNEL_COPY && plan->views[0].dtype == plan->views[1].dtype) {
        hoist_elements_read(&plan->views[1], p->begin, p->count, out); // way: LINES
        return;
    }
    uint8_t line[LINE_BYTES];
    convert(p, line_of(p, 1, line), out);
}

// Folds work on whole vectors, so that the arrays are longer than what counts.
static void fold(const piece *p, uint8_t *out)
{
    const hoist_view_move *move = &p->plan->move;
    const hoist_move_kernels *kernels = p->kernels;
    float sum[LINE];
    float next[LINE];
    uint8_t line[LINE_BYTES];
    // Without a start the first source is what the fold begins with.
    for (size_t i = 0; (move->has_start || move->source_count == 0) && i < p->count; i++) {
        sum[i] = (float)move->start;
    }
    for (size_t s = 0; s < move->source_count; s++) {
        // The first source is the sum itself where nothing is before it.
        const bool first = s == 0 && !move->has_start;
        const float scale = move->op == HOIST_KERNEL_FMA ? move->scales[s] : 1;
        const uint8_t *elements = line_of(p, s + 1, line);
        to_values(kernels, p->plan->views[s + 1].dtype, elements, p->count, first ? sum : next);
        if (!first) {
            kernels->fold[move->op](sum, next, scale, p->count);
        } else if (move->op == HOIST_KERNEL_FMA) {
            kernels->scale(sum, sum, scale, p->count);
        }
    }
    // One NaN for all, whichever operand it came from.
    kernels->settle(sum, p->count);
    from_values(kernels, p->plan->views[0].dtype, sum, p->count, out);
}

// Integers of 32 bits in the machine's order.
static void load_integers(const uint8_t *line, size_t count, uint32_t *integers)
{
    for (size_t i = 0; i < count; i++) {
        integers[i] = hoist_load_u32le(line + 4 * i);
    }
}

// Least or greatest integers, exactly: float32 does not hold them all.
static void fold_integers(const piece *p, uint8_t *out)
{
    const hoist_view_move *move = &p->plan->move;
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    hoist_move_fold_integers_fn *const *kernels =
        move->arithmetic == HOIST_DTYPE_I32 ? p->kernels->fold_i32 : p->kernels->fold_u32;
    // The start in the type of all views.
    const uint32_t start = (uint32_t)hoist_from_f64(move->arithmetic, move->start, nearest);
    uint32_t sum[LINE];
    uint32_t next[LINE];
    uint8_t line[LINE_BYTES];
    for (size_t i = 0; i < p->count; i++) {
        sum[i] = start;
    }
    for (size_t s = 0; s < move->source_count; s++) {
        const bool first = s == 0 && !move->has_start;
        load_integers(line_of(p, s + 1, line), p->count, first ? sum : next);
        if (!first) {
            kernels[move->op == HOIST_KERNEL_MAX](sum, next, p->count);
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        hoist_store_u32le(out + 4 * i, sum[i]);
    }
}

// One piece of any move: to a line, or straight to where it goes.
static void do_piece(const piece *p)
{
    HOIST_ASSERT(p->count > 0 && p->count <= LINE);
    const hoist_view_move *move = &p->plan->move;
    uint8_t line[LINE_BYTES];
    // Where the destination has no gaps, the line is the destination.
    uint8_t *out = place_of(p, line);
    if (move->table) {
        gather_by_table(p, out);
    } else if (move->op == HOIST_KERNEL_COPY || move->op == HOIST_KERNEL_CAST) {
        copy_or_cast(p, out);
    } else if (move->arithmetic == HOIST_DTYPE_I32 || move->arithmetic == HOIST_DTYPE_U32) {
        fold_integers(p, out);
    } else {
        fold(p, out);
    }
    put_line(p, out);
}

// Tiles ------------------------------------------------------------------------------------------

// Rows to where they go. False where the level does better with lines.
static bool convert_rows(const piece *p)
{
    const hoist_move_plan *plan = p->plan;
    const hoist_move_loop *loops = hoist_move_tile_loops(plan);
    // Short rows that are no whole runs cost more by themselves than in lines.
    if (!plan->has_rows || (p->size[2] % p->kernels->whole != 0 && p->size[2] < LONG_ROW)) {
        return false;
    }
    hoist_move_tile rows = {.source = p->base[1],
                            .destination = p->base[0],
                            .source_plane = loops[0].stride[1],
                            .source_row = loops[1].stride[1],
                            .destination_plane = loops[0].stride[0],
                            .destination_row = loops[1].stride[0],
                            .planes = p->size[0],
                            .rows = p->size[1],
                            .cols = p->size[2]};
    uint8_t stage[HOIST_MOVE_STAGED * sizeof(float)];
    // Transposed first, into rows as the kernel takes them.
    if (plan->turned) {
        const size_t size = hoist_element_size(plan->views[1].dtype);
        rows.source = gather_tile(p, 1, size, stage);
        HOIST_ASSERT(p->count * size <= sizeof(stage));
        rows.source_row = (int64_t)(p->size[2] * size);
        rows.source_plane = rows.source_row * (int64_t)p->size[1];
    }
    hoist_move_conversion(p->kernels, plan)(&rows, plan->streams);
    return true;
}

// Rows of a tile, as many at a time as fit a line.
static void do_rows(const piece *p)
{
    HOIST_ASSERT(p->size[2] > 0 && p->size[2] <= LINE);
    const hoist_move_loop *loops = hoist_move_tile_loops(p->plan);
    // Rows of a plane that fit a line.
    const size_t most = LINE / p->size[2];
    for (size_t plane = 0; plane < p->size[0]; plane++) {
        for (size_t row = 0; row < p->size[1]; row += most) {
            piece part = *p;
            part.size[0] = 1;
            part.size[1] = p->size[1] - row < most ? p->size[1] - row : most;
            part.count = part.size[1] * part.size[2];
            for (size_t v = 0; v < 2; v++) {
                part.base[v] +=
                    (int64_t)plane * loops[0].stride[v] + (int64_t)row * loops[1].stride[v];
            }
            do_piece(&part);
        }
    }
}

// Tiles [begin, end): whole rows where the level converts them, else lines.
void hoist_move_run_tiles(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                          uint64_t begin, uint64_t end)
{
    hoist_move_walk w;
    hoist_move_walk_to(&w, plan, begin);
    for (uint64_t n = begin; n < end; n++) {
        piece p;
        p.kernels = kernels;
        p.plan = plan;
        hoist_move_tile_size(&w, p.size);
        p.count = p.size[0] * p.size[1] * p.size[2];
        for (size_t v = 0; v < w.views; v++) {
            p.base[v] = w.base[v];
        }
        // A tile fits one line.
        if (!plan->has_rows) {
            do_piece(&p);
        } else if (!convert_rows(&p)) {
            do_rows(&p);
        }
        hoist_move_step(&w);
    }
}

// Elements [begin, end) in their order, a line at a time.
void hoist_move_run_lines(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                          uint64_t begin, uint64_t end)
{
    for (uint64_t at = begin; at < end; at += LINE) {
        const piece p = {.kernels = kernels,
                         .plan = plan,
                         .begin = at,
                         .count = end - at < LINE ? (size_t)(end - at) : LINE};
        do_piece(&p);
    }
}
