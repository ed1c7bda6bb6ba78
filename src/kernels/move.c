#include "kernels/move.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/move_table.h"
#include "tensor/convert.h"
#include "tensor/element.h"

enum {
    LINE = 1024,         // elements on the way at a time
    LONG_ROW = 256,      // elements that are converted where they are, whole runs or not
    CACHE_LINE = 64,     // bytes
    STAGE = 16 * 1024,   // bytes of a turned tile that goes past the caches
    SMALL_RESULT = 4096, // bytes of a buffered result that needs no allocation
};

#define LINE_BYTES ((size_t)LINE * HOIST_ELEMENT_MAX_SIZE)

const hoist_move_kernels *hoist_move_kernels_at(hoist_cpu_level level)
{
#ifdef HOIST_X86_64_LEVELS
    if (level >= HOIST_CPU_X86_64_V4) {
        return &hoist_move_kernels_v4;
    }
    if (level >= HOIST_CPU_X86_64_V3) {
        return &hoist_move_kernels_v3;
    }
#endif
    (void)level;
    return &hoist_move_kernels_baseline;
}

// Elements of one tile or of one line of all views.
typedef struct piece {
    const hoist_move_kernels *kernels;
    const hoist_move_plan *plan;
    uint64_t begin; // LINES: first element
    size_t count;   // at most LINE
    size_t size[3]; // TILES: planes, rows, columns
    uint8_t *base[1 + HOIST_MOVE_MAX_VIEWS];
} piece;

// The loops over planes, rows and columns of a tile.
static const hoist_move_loop *tile_loops(const hoist_move_plan *plan)
{
    return &plan->loops[plan->loop_count - 3];
}

static unsigned log2_of(size_t size)
{
    return (unsigned)__builtin_ctzll(size);
}

// Lines ------------------------------------------------------------------------------------------

// True when the tile's elements of view `v` stand in one line.
static bool is_line(const piece *p, size_t v, size_t size)
{
    if (p->plan->way != HOIST_MOVE_TILES) {
        return false;
    }
    const hoist_move_loop *loops = tile_loops(p->plan);
    int64_t stride = (int64_t)size;
    bool line = true;
    for (size_t i = 3; i-- > 0;) {
        line = line && (p->size[i] == 1 || loops[i].stride[v] == stride);
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
    p->kernels->tile[log2_of(size)](&tile);
}

// The elements of view `v` as a line: where they stand, or else gathered in `line`.
static const uint8_t *line_of(const piece *p, size_t v, uint8_t *line)
{
    const hoist_move_plan *plan = p->plan;
    const size_t size = hoist_element_size(plan->views[v].dtype);
    if (plan->way != HOIST_MOVE_TILES) {
        hoist_elements_read(&plan->views[v], p->begin, p->count, line);
        return line;
    }
    if (is_line(p, v, size)) {
        return p->base[v];
    }
    const hoist_move_loop *loops = tile_loops(plan);
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

// Where the result is to be written: straight to the destination, or else to `line`.
static uint8_t *place_of(const piece *p, uint8_t *line)
{
    return is_line(p, 0, hoist_element_size(p->plan->views[0].dtype)) ? p->base[0] : line;
}

static void put_line(const piece *p, const uint8_t *line)
{
    const hoist_move_plan *plan = p->plan;
    const size_t size = hoist_element_size(plan->views[0].dtype);
    if (plan->way != HOIST_MOVE_TILES) {
        hoist_elements_write(&plan->views[0], p->begin, p->count, line);
        return;
    }
    if (line == p->base[0]) {
        return;
    }
    const hoist_move_loop *loops = tile_loops(plan);
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

static void convert_line(hoist_move_convert_fn *kernel, const uint8_t *from, size_t count,
                         uint8_t *to)
{
    const hoist_move_tile line = {
        .source = from, .destination = to, .planes = 1, .rows = 1, .cols = count};
    kernel(&line, false);
}

static void to_values(const hoist_move_kernels *kernels, hoist_dtype dtype, const uint8_t *line,
                      size_t count, float *values)
{
    if (kernels->to_f32[dtype]) {
        convert_line(kernels->to_f32[dtype], line, count, (uint8_t *)values);
    } else {
        hoist_elements_to_f32(dtype, line, count, values);
    }
}

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
    const hoist_view *source = &p->plan->views[1];
    while (at >= (uint64_t)hoist_shape_count(&source->shape)) {
        at -= (uint64_t)hoist_shape_count(&source->shape);
        source++;
    }
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

static void gather_by_table(const piece *p, uint8_t *out)
{
    const hoist_view_move *move = &p->plan->move;
    const hoist_dtype dtype = p->plan->views[0].dtype;
    const size_t size = hoist_element_size(dtype);
    for (size_t i = 0; i < p->count; i++) {
        const int32_t at = move->table[p->begin + i];
        if (at < 0) {
            hoist_elements_from_f32(dtype, &move->fill, 1, out + i * size);
        } else {
            read_joined(p, (uint64_t)at, out + i * size);
        }
    }
}

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
    for (size_t i = 0; (move->has_start || move->source_count == 0) && i < p->count; i++) {
        sum[i] = (float)move->start;
    }
    for (size_t s = 0; s < move->source_count; s++) {
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
    kernels->settle(sum, p->count);
    from_values(kernels, p->plan->views[0].dtype, sum, p->count, out);
}

static void load_integers(const uint8_t *line, size_t count, uint32_t *integers)
{
    for (size_t i = 0; i < count; i++) {
        integers[i] = hoist_load_u32le(line + 4 * i);
    }
}

static void fold_integers(const piece *p, uint8_t *out)
{
    const hoist_view_move *move = &p->plan->move;
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    hoist_move_fold_integers_fn *const *kernels =
        move->arithmetic == HOIST_DTYPE_I32 ? p->kernels->fold_i32 : p->kernels->fold_u32;
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

static void do_piece(const piece *p)
{
    const hoist_view_move *move = &p->plan->move;
    uint8_t line[LINE_BYTES];
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

// A walk over the tiles of a plan: where the tile begins in each loop.
typedef struct walk {
    const hoist_move_plan *plan;
    size_t views;
    size_t index[HOIST_MOVE_MAX_LOOPS];
    size_t step[HOIST_MOVE_MAX_LOOPS];
    uint8_t *base[1 + HOIST_MOVE_MAX_VIEWS];
} walk;

static void walk_to(walk *w, const hoist_move_plan *plan, uint64_t tile)
{
    w->plan = plan;
    w->views = plan->move.source_count + 1;
    for (size_t v = 0; v < w->views; v++) {
        w->base[v] = plan->base[v];
    }
    for (size_t i = plan->loop_count; i-- > 0;) {
        const hoist_move_loop *loop = &plan->loops[i];
        const size_t inner = plan->loop_count - i;
        w->step[i] = inner <= 3 ? plan->tile[3 - inner] : 1;
        const uint64_t turns = (loop->count + w->step[i] - 1) / w->step[i];
        w->index[i] = (size_t)(tile % turns) * w->step[i];
        tile /= turns;
        for (size_t v = 0; v < w->views; v++) {
            w->base[v] += (int64_t)w->index[i] * loop->stride[v];
        }
    }
}

static void step(walk *w)
{
    for (size_t i = w->plan->loop_count; i-- > 0;) {
        const hoist_move_loop *loop = &w->plan->loops[i];
        const size_t index = w->index[i];
        const bool goes_on = index + w->step[i] < loop->count;
        const int64_t steps = goes_on ? (int64_t)w->step[i] : -(int64_t)index;
        for (size_t v = 0; v < w->views; v++) {
            w->base[v] += steps * loop->stride[v];
        }
        w->index[i] = goes_on ? index + w->step[i] : 0;
        if (goes_on) {
            return;
        }
    }
}

// Planes, rows and columns of the tile here.
static void tile_size(const walk *w, size_t size[3])
{
    HOIST_ASSERT(w->plan->loop_count >= 3); // as of every plan of tiles
    const size_t first = w->plan->loop_count - 3;
    for (size_t i = 0; i < 3; i++) {
        const size_t left = w->plan->loops[first + i].count - w->index[first + i];
        size[i] = left < w->step[first + i] ? left : w->step[first + i];
    }
}

// The source of the turned tile here in the cache before it is needed: of rows that are far apart
// the machine does not guess which comes next.
static void ask_for(const walk *w)
{
    const hoist_move_loop *loops = tile_loops(w->plan);
    size_t size[3];
    tile_size(w, size);
    __builtin_prefetch(w->base[0], 1); // the line where this tile ends and that one begins
    for (size_t plane = 0; plane < size[0]; plane++) {
        for (size_t col = 0; col < size[2]; col++) {
            const uint8_t *line = w->base[1] + (int64_t)plane * loops[0].stride[1] +
                                  (int64_t)col * loops[2].stride[1];
            for (size_t at = 0; at < size[1] * w->plan->block; at += CACHE_LINE) {
                __builtin_prefetch(line + at);
            }
        }
    }
}

static void copy_elements(const hoist_move_kernels *kernels, const hoist_move_tile *tile,
                          size_t block)
{
    const unsigned element = log2_of(block);
    if (block >> element == 1 && element < HOIST_MOVE_ELEMENT_SIZES) {
        kernels->tile[element](tile);
    } else {
        kernels->blocks(tile, block);
    }
}

// A turned tile that is written side by side, past the caches: by way of the first one, so that
// lines are whole.
static void stream_turned(const hoist_move_kernels *kernels, const hoist_move_tile *tile,
                          size_t block)
{
    uint8_t stage[STAGE];
    const size_t size = block * tile->cols * tile->rows * tile->planes;
    hoist_move_tile in = *tile;
    in.destination = stage;
    in.destination_col = (int64_t)block;
    in.destination_row = (int64_t)(block * tile->cols);
    in.destination_plane = (int64_t)(block * tile->cols * tile->rows);
    copy_elements(kernels, &in, block);
    const hoist_move_tile out = {
        .source = stage, .destination = tile->destination, .planes = 1, .rows = 1, .cols = 1};
    kernels->stream(&out, size);
}

static void run_blocks(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                       uint64_t begin, uint64_t end)
{
    const hoist_move_loop *loops = tile_loops(plan);
    walk w;
    walk_to(&w, plan, begin);
    for (uint64_t n = begin; n < end; n++) {
        size_t size[3];
        tile_size(&w, size);
        const hoist_move_tile tile = {.source = w.base[1],
                                      .destination = w.base[0],
                                      .source_plane = loops[0].stride[1],
                                      .source_row = loops[1].stride[1],
                                      .source_col = loops[2].stride[1],
                                      .destination_plane = loops[0].stride[0],
                                      .destination_row = loops[1].stride[0],
                                      .destination_col = loops[2].stride[0],
                                      .planes = size[0],
                                      .rows = size[1],
                                      .cols = size[2]};
        step(&w);
        if (!plan->streams) {
            copy_elements(kernels, &tile, plan->block);
        } else if (plan->turned) {
            ask_for(&w);
            stream_turned(kernels, &tile, plan->block);
        } else {
            kernels->stream(&tile, plan->block);
        }
    }
}

// Rows from where they stand to where they go. False where the level does better with lines.
static bool convert_rows(const piece *p)
{
    const hoist_move_plan *plan = p->plan;
    const hoist_move_loop *loops = tile_loops(plan);
    if (!plan->has_rows || (p->size[2] % p->kernels->whole != 0 && p->size[2] < LONG_ROW)) {
        return false;
    }
    const hoist_move_tile rows = {.source = p->base[1],
                                  .destination = p->base[0],
                                  .source_plane = loops[0].stride[1],
                                  .source_row = loops[1].stride[1],
                                  .destination_plane = loops[0].stride[0],
                                  .destination_row = loops[1].stride[0],
                                  .planes = p->size[0],
                                  .rows = p->size[1],
                                  .cols = p->size[2]};
    hoist_move_conversion(p->kernels, plan)(&rows, plan->streams);
    return true;
}

// Rows of a tile, as many at a time as fit a line.
static void do_rows(const piece *p)
{
    const hoist_move_loop *loops = tile_loops(p->plan);
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

static void run_tiles(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                      uint64_t begin, uint64_t end)
{
    walk w;
    walk_to(&w, plan, begin);
    for (uint64_t n = begin; n < end; n++) {
        piece p;
        p.kernels = kernels;
        p.plan = plan;
        tile_size(&w, p.size);
        p.count = p.size[0] * p.size[1] * p.size[2];
        for (size_t v = 0; v < w.views; v++) {
            p.base[v] = w.base[v];
        }
        if (!plan->has_rows) {
            do_piece(&p);
        } else if (!convert_rows(&p)) {
            do_rows(&p);
        }
        step(&w);
    }
}

static void run_lines(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                      uint64_t begin, uint64_t end)
{
    for (uint64_t at = begin; at < end; at += LINE) {
        piece p;
        p.kernels = kernels;
        p.plan = plan;
        p.begin = at;
        p.count = end - at < LINE ? (size_t)(end - at) : LINE;
        do_piece(&p);
    }
}

// In units as large as they come: the C library knows how, unless the bytes go past the caches.
static void run_flat(const hoist_move_kernels *kernels, const hoist_move_plan *plan, uint64_t begin,
                     uint64_t end)
{
    const hoist_move_tile all = {.source = plan->base[1] + begin,
                                 .destination = plan->base[0] + begin,
                                 .planes = 1,
                                 .rows = 1,
                                 .cols = 1};
    if (plan->streams) {
        kernels->stream(&all, (size_t)(end - begin));
    } else {
        memmove(plan->base[0] + begin, plan->base[1] + begin, (size_t)(end - begin));
    }
}

// Moves ------------------------------------------------------------------------------------------

// The whole result as elements side by side, then to the destination.
static hoist_status move_through(const hoist_move_kernels *kernels, const hoist_view_move *move,
                                 hoist_mut_bytes bytes, hoist_allocator alloc)
{
    hoist_view buffer;
    HOIST_TRY(hoist_view_init(bytes, move->destination.dtype, &move->destination.shape, 0, NULL,
                              &buffer));
    hoist_view_move there = *move;
    there.destination = buffer;
    const hoist_view_move back = {
        .destination = move->destination, .sources = &buffer, .source_count = 1};
    HOIST_TRY(hoist_move_views(kernels, &there, alloc));
    return hoist_move_views(kernels, &back, alloc);
}

static hoist_status run_buffered(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                                 hoist_allocator alloc)
{
    uint8_t small[SMALL_RESULT];
    size_t size = 0;
    if (hoist_ckd_size_mul(&size, (size_t)plan->count, hoist_element_size(plan->views[0].dtype))) {
        return HOIST_NO_MEMORY;
    }
    if (size <= sizeof small) {
        return move_through(kernels, &plan->move, (hoist_mut_bytes){small, size}, alloc);
    }
    uint8_t *large = hoist_alloc(alloc, size);
    if (!large) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status =
        move_through(kernels, &plan->move, (hoist_mut_bytes){large, size}, alloc);
    hoist_free(alloc, large, size);
    return status;
}

// Units [begin, end) as tiles, elements or bytes of the whole.
static uint64_t last_of(const hoist_move_plan *plan, size_t end, uint64_t whole)
{
    return end == plan->units ? whole : (uint64_t)end * plan->unit;
}

static hoist_status run_units(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                              size_t begin, size_t end, hoist_allocator alloc)
{
    const uint64_t first = (uint64_t)begin * plan->unit;
    switch (plan->way) {
    case HOIST_MOVE_NOTHING:
        return HOIST_OK;
    case HOIST_MOVE_FLAT:
        run_flat(kernels, plan, first, last_of(plan, end, plan->block));
        return HOIST_OK;
    case HOIST_MOVE_BLOCKS:
        run_blocks(kernels, plan, first, last_of(plan, end, plan->tiles));
        return HOIST_OK;
    case HOIST_MOVE_TILES:
        run_tiles(kernels, plan, first, last_of(plan, end, plan->tiles));
        return HOIST_OK;
    case HOIST_MOVE_LINES:
        run_lines(kernels, plan, first, last_of(plan, end, plan->count));
        return HOIST_OK;
    case HOIST_MOVE_BUFFERED:
        return run_buffered(kernels, plan, alloc);
    }
    return HOIST_INTERNAL;
}

hoist_status hoist_move_run(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                            size_t begin, size_t end, hoist_allocator alloc)
{
    const hoist_status status = run_units(kernels, plan, begin, end, alloc);
    if (plan->streams) {
        kernels->fence(); // else others might see that the move is done before its bytes
    }
    return status;
}

hoist_status hoist_move_views(const hoist_move_kernels *kernels, const hoist_view_move *move,
                              hoist_allocator alloc)
{
    hoist_move_plan plan;
    HOIST_TRY(hoist_move_prepare(move, &plan));
    return hoist_move_run(kernels, &plan, 0, plan.units, alloc);
}

static uint64_t tiles_of(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols;
}

// Tile `at` of the sources joined; it exists.
static const float *joined_tile(const hoist_tile_move *move, uint64_t at)
{
    const hoist_tiles *source = move->sources;
    for (; at >= tiles_of(source); source++) {
        at -= tiles_of(source);
    }
    return hoist_tile_in(source, at);
}

static void fill_tile(float *tile, float value)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tile[i] = value;
    }
}

void hoist_move_tiles(const hoist_tile_move *move, size_t begin, size_t end)
{
    for (size_t n = begin; n < end; n++) {
        float *out = hoist_tile_out(&move->destination, n);
        if (move->table && move->table[n] < 0) {
            fill_tile(out, move->fill);
        } else {
            const uint64_t at = move->table ? (uint64_t)move->table[n] : n;
            memcpy(out, joined_tile(move, at), HOIST_TILE_FLOATS * sizeof *out);
        }
    }
}
