// The elements of a test's inputs, by the stimulus of the queue (stimulus_read.c): tile by tile, as
// test programs fill them. stimulus_sparse.c has those of sparse matmuls.
// In: a queue and an entry's number. Out: the elements of that entry, as doubles, in the logical
// order of the tensor or tile by tile for raw formats.
#include "formats/buda/stimulus.h"

#include <math.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/buda/net.h"

// One entry of a queue: slices of rows of columns, in tiles.
typedef struct filling {
    const buda_stimulus *s;
    const hoist_test_input *input;
    bool integer;
    bool linear; // tile after tile, as raw formats are pushed (buda-ops reference section 1)
    buda_random random;
    int64_t slices, rows, cols; // elements
    int64_t height, width;      // of a tile
    double *values;
} filling;

// Of numbers of 32 bits; no type of a queue has more.
// Clamped before the conversion: a double beyond 64 bits would be undefined behaviour, and input
// is hostile.
static int64_t whole(double value)
{
    return (int64_t)fmax(fmin(value, 0x1p32), -0x1p32);
}

// Both bounds may occur in integers; of floats the upper one does not.
static double uniform(filling *f)
{
    if (f->integer) {
        return (double)buda_random_int(&f->random, whole(f->s->low), whole(f->s->high));
    }
    return f->s->low + buda_random_share(&f->random) * (f->s->high - f->s->low);
}

// Irwin-Hall: twelve uniform numbers have variance 1, and their sum less 6 has mean 0. The same
// bits on all machines, unlike log() and cos().
static double normal(filling *f)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += buda_random_share(&f->random);
    }
    // Integer formats take the truncated parameters, as the vendor's integer distributions do.
    const double mean = f->integer ? trunc(f->s->mean) : f->s->mean;
    const double deviation = f->integer ? trunc(f->s->deviation) : f->s->deviation;
    const double value = mean + sum * deviation;
    return f->integer ? round(value) : value;
}

static double constant(filling *f)
{
    return f->integer ? trunc(f->s->constant) : f->s->constant;
}

// Where a tile begins.
typedef struct tile_at {
    int64_t slice, row, col; // elements
    int64_t number;          // of the tile in the entry
} tile_at;

// Calls `fill` for each tile in order: slices, rows of tiles, tiles of a row.
// `self` is passed through to `fill`.
static void each_tile(filling *f, void (*fill)(filling *f, const tile_at *at, void *self),
                      void *self)
{
    tile_at at = {0, 0, 0, 0};
    for (at.slice = 0; at.slice < f->slices; at.slice++) {
        for (at.row = 0; at.row < f->rows; at.row += f->height) {
            for (at.col = 0; at.col < f->cols; at.col += f->width, at.number++) {
                fill(f, &at, self);
            }
        }
    }
}

// Raw formats have no rows and columns: their tiles follow one another.
static double *element(filling *f, const tile_at *at, int64_t row, int64_t col)
{
    if (f->linear) {
        return &f->values[(at->number * f->height + row) * f->width + col];
    }
    return &f->values[(at->slice * f->rows + at->row + row) * f->cols + at->col + col];
}

typedef double next_fn(filling *f); // the next random or constant number

// The rows and columns of a tile that are set; the others are zeros. `self` is a pointer to a
// next_fn *, since a function pointer does not go through void *.
static void fill_each(filling *f, const tile_at *at, void *self)
{
    next_fn *const next = *(next_fn **)self;
    const buda_stimulus *s = f->s;
    for (int64_t row = 0; row < f->height; row++) {
        for (int64_t col = 0; col < f->width; col++) {
            const bool set = // ranges are from 0, both ends included
                row >= s->rows[0] && row <= s->rows[1] && col >= s->cols[0] && col <= s->cols[1];
            *element(f, at, row, col) = set ? next(f) : 0;
        }
    }
}

// DebugTileId: base + step * number of the tile, in all its elements.
static void fill_number(filling *f, const tile_at *at, void *self)
{
    (void)self;
    // In float32, as test programs compute it.
    const float value = (float)at->number * (float)f->s->id_step + (float)f->s->id_base;
    for (int64_t i = 0; i < f->height * f->width; i++) {
        *element(f, at, i / f->width, i % f->width) = (double)value;
    }
}

// Sums are rounded to float32 one by one, as test programs add them.
// `self` is the running value: it goes on from tile to tile.
static void fill_steps(filling *f, const tile_at *at, void *self)
{
    float *const value = self;
    for (int64_t i = 0; i < f->height * f->width; i++) {
        *element(f, at, i / f->width, i % f->width) = (double)*value;
        *value += (float)f->s->increment;
    }
}

// Each line of a tile begins with the same number, and each tile of a line `width` above the one
// before it, whatever the increment. Rows for StepRowwise, columns for StepColumnwise.
static void fill_lines(filling *f, const tile_at *at, void *self)
{
    (void)self;
    const bool by_rows = f->s->kind == BUDA_STIMULUS_STEP_ROWWISE;
    const int64_t lines = by_rows ? f->height : f->width;
    const int64_t length = by_rows ? f->width : f->height;
    // Tiles before this one in the direction of lines.
    const int64_t tile = by_rows ? at->col / f->width : at->row / f->height;
    float begin = (float)f->s->start;
    // Added one by one, to round as the vendor's loop does.
    for (int64_t i = 0; i < tile; i++) {
        begin += (float)f->width;
    }
    for (int64_t line = 0; line < lines; line++) {
        float value = begin;
        for (int64_t i = 0; i < length; i++) {
            *element(f, at, by_rows ? line : i, by_rows ? i : line) = (double)value;
            value += (float)f->s->increment;
        }
    }
}

// What copy_tile() copies from.
typedef struct copying {
    const double *tiles; // row by row
} copying;

// From consecutive tiles into the layout of the entry.
static void copy_tile(filling *f, const tile_at *at, void *self)
{
    const copying *const c = self;
    for (int64_t i = 0; i < f->height * f->width; i++) {
        *element(f, at, i / f->width, i % f->width) =
            c->tiles[at->number * f->height * f->width + i];
    }
}

// Encodings and sparse tiles are made as a list of tiles, and then put into place.
static hoist_status fill_sparse(filling *f, const hoist_buda_module *module, hoist_allocator alloc,
                                hoist_diag *diag)
{
    const size_t tile = (size_t)(f->height * f->width);
    const size_t count = (size_t)(f->slices * f->rows * f->cols);
    double *tiles = hoist_alloc_zero(alloc, count, sizeof *tiles);
    HOIST_TRY_MEMORY(tiles);
    const hoist_status status = buda_stimulus_sparse(module, f->s, &f->random, alloc, diag,
                                                     (buda_sparse_tiles){count / tile, tiles});
    if (status == HOIST_OK) {
        each_tile(f, copy_tile, &(copying){tiles});
    }
    hoist_free(alloc, tiles, count * sizeof *tiles);
    return status;
}

// Kinds by the order in which elements are filled: per tile, in lines, or element by element.
static hoist_status fill(filling *f, const hoist_buda_module *module, hoist_allocator alloc,
                         hoist_diag *diag)
{
    next_fn *next = uniform;
    float value = (float)f->s->start;
    switch (f->s->kind) {
    case BUDA_STIMULUS_TILE_ID:
        each_tile(f, fill_number, NULL);
        return HOIST_OK;
    case BUDA_STIMULUS_STEP:
        each_tile(f, fill_steps, &value);
        return HOIST_OK;
    case BUDA_STIMULUS_STEP_ROWWISE:
    case BUDA_STIMULUS_STEP_COLUMNWISE:
        each_tile(f, fill_lines, NULL);
        return HOIST_OK;
    case BUDA_STIMULUS_NORMAL:
        next = normal;
        break;
    case BUDA_STIMULUS_CONSTANT:
        next = constant;
        break;
    case BUDA_STIMULUS_UNIFORM:
        break;
    default: // the three sparse kinds
        return fill_sparse(f, module, alloc, diag);
    }
    each_tile(f, fill_each, (void *)&next);
    return HOIST_OK;
}

// What a sparse matmul takes, where the config gives its queues the numbers of all others: as the
// vendor's tests, which have these constants from PyBuda and not from a config. False: it is no
// such queue, or one of a form that is not made here.
static bool fill_constants(filling *f, const hoist_buda_module *module, hoist_str queue,
                           hoist_allocator alloc)
{
    buda_stimulus own = *f->s;
    filling of_matmul = *f;
    of_matmul.s = &own;
    const uint32_t bits = (uint32_t)hoist_dtype_get(f->input->dtype)->bits;
    const bool is_plain = f->s->kind < BUDA_STIMULUS_SPARSE || f->s->kind >= BUDA_STIMULUS_STEP;
    return is_plain && buda_stimulus_of_matmul(module, queue, bits, &own) &&
           fill_sparse(&of_matmul, module, alloc, NULL) == HOIST_OK;
}

// By the name as written.
static const buda_queue *find_queue(const hoist_buda_module *module, hoist_str name)
{
    for (size_t i = 0; i < module->queue_count; i++) {
        if (hoist_str_equal(module->queues[i].name.text, name)) {
            return &module->queues[i];
        }
    }
    return NULL;
}

// Integers stay in the range of their type. The dtype's range, whatever the bounds in the file: a
// queue holds nothing else.
static void clamp(const filling *f, size_t count)
{
    const hoist_dtype_info *info = hoist_dtype_get(f->input->dtype);
    const bool is_signed = info->kind == HOIST_CLASS_SIGNED;
    // Exact: at most 32 bits.
    const double most = ldexp(1, is_signed ? info->bits - 1 : info->bits) - 1;
    const double least = is_signed ? -most - 1 : 0;
    for (size_t i = 0; i < count; i++) {
        f->values[i] = f->values[i] < least ? least : f->values[i];
        f->values[i] = f->values[i] > most ? most : f->values[i];
    }
}

hoist_status buda_test_input(const hoist_module *base, const hoist_test_input *input,
                             hoist_allocator alloc, hoist_diag *diag, double *out_values)
{
    const hoist_buda_module *module = (const hoist_buda_module *)base;
    const buda_queue *queue = find_queue(module, input->port);
    // A list of devices makes queues `q.0`, `q.1` and so on of one.
    // Cuts the last ".number" off, and looks the rest up.
    hoist_str name = input->port;
    while (!queue && name.size && name.data[name.size - 1] != '.') {
        name.size--;
    }
    name.size -= !queue && name.size;
    queue = queue ? queue : find_queue(module, name);
    buda_stimulus s;
    // No queue of the netlist, or no tensor of slices, rows and columns: another way to make the
    // input is the caller's.
    if (!queue || input->rank != 3) {
        return HOIST_NOT_FOUND;
    }
    HOIST_TRY(buda_stimulus_read(module, input->port, diag, &s));
    const buda_pair tile = buda_tile_dim(queue->tile_dim);
    filling f = {.s = &s,
                 .input = input,
                 .integer = hoist_dtype_get(input->dtype)->kind != HOIST_CLASS_FLOAT,
                 .linear = hoist_dtype_get(input->dtype)->kind == HOIST_CLASS_RAW,
                 .slices = input->shape[0],
                 .rows = input->shape[1],
                 .cols = input->shape[2],
                 .height = tile.r,
                 .width = tile.c,
                 .values = out_values};
    if (f.rows % tile.r != 0 || f.cols % tile.c != 0) { // the program has other tiles than the file
        return HOIST_NOT_FOUND;
    }
    // The seed of one entry: seed, index and name, mixed as in FNV-1a (its 64-bit prime), so that
    // queues have different numbers.
    f.random.state = input->seed * UINT64_C(0xd1342543de82ef95) + input->index;
    for (size_t i = 0; i < input->port.size; i++) {
        f.random.state = (f.random.state ^ (uint8_t)input->port.data[i]) * UINT64_C(0x100000001b3);
    }
    if (!fill_constants(&f, module, queue->name.text, alloc)) {
        HOIST_TRY(fill(&f, module, alloc, diag));
    }
    if (f.integer) {
        clamp(&f, (size_t)(f.slices * f.rows * f.cols));
    }
    return HOIST_OK;
}
