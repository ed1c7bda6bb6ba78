// Sums, means and greatest elements along a dimension (ops/compute_ark.h), in vectors: 16 columns
// of a matrix at a time, a row of it after the other. Along the last dimension its 16 accumulators
// are the columns and the matrix is a row of the input; along any other one the columns are
// elements of the output.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "kernels/ark_lanes.h"
#include "kernels/ark_walk.h"
#include "kernels/elements.h"
#include "kernels/lanes64.h"
#include "kernels/level.h"
#include "kernels/plain_numbers.h"
#include "ops/compute_ark.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_ark_reduce_group);

#define INLINE HOIST_LANES_INLINE

enum {
    UNIT = 64,            // elements of the output, at most, along the last dimension
    UNIT_TERMS = 1 << 16, // of their sums, where one has no more
    UNIT_COLUMNS = 1024,  // the same along others, where rows of a unit should be long
    UNIT_CELLS = 1 << 20, // its terms
    BLOCK = UNIT_COLUMNS, // elements of the output that are handled at a time
    LINE = 512,           // elements with gaps, the same
    VECTORS = HOIST_RUN / HOIST_LANES,
    HALVES = HOIST_RUN / HOIST_LANES64,
    ROWS = 16, // of columns, which accumulators stay in registers for
};

// Accumulators, or what they have come to: of sums of floats float64, else float32 or integers as
// ark_lanes.h has them. Behind `lanes` there is a vector that is read and never used.
typedef struct totals {
    double *sums;
    uint32_t *lanes;
} totals;

// Totals of `count` elements, on the stack.
#define TOTALS(name, count)                                                                        \
    _Alignas(64) double name##_sums[count];                                                        \
    _Alignas(64) uint32_t name##_lanes[(count) + HOIST_RUN];                                       \
    totals name = {name##_sums, name##_lanes}

// Rows that are added to totals, column by column.
typedef struct matrix {
    const uint8_t *first;
    int64_t stride; // from a row to the next, bytes
    size_t rows;
    size_t columns; // which are adjacent
} matrix;

// Adds the rows to the first totals.
typedef void fold_fn(totals *t, const matrix *m);
// Folds 16 totals pairwise, to the first one.
typedef void join_fn(totals *t);
// Stores `bits` as ark_lanes.h has them to elements that are adjacent.
typedef void store_fn(const uint32_t *bits, size_t count, uint8_t *elements);

// How one type is reduced.
typedef struct kernel {
    fold_fn *fold;
    join_fn *join;
    store_fn *store;
    uint32_t start; // of `lanes`
    bool in_double;
} kernel;

// Columns ---------------------------------------------------------------------------------------

typedef hoist_u32s lanes_fn(hoist_u32s total, hoist_u32s x);

// Adds `count` rows to 16 totals, which stay in registers meanwhile.
INLINE void fold_16(uint32_t *total, const uint8_t *rows, int64_t stride, size_t count,
                    hoist_ark_form form, lanes_fn *fn)
{
    hoist_u32s t[VECTORS];
#pragma GCC unroll 4
    for (size_t v = 0; v < VECTORS; v++) {
        t[v] = hoist_lanes_load(total, v * HOIST_LANES);
    }
    for (size_t k = 0; k < count; k++) {
        const uint8_t *const row = rows + (int64_t)k * stride;
#pragma GCC unroll 4
        for (size_t v = 0; v < VECTORS; v++) {
            t[v] = fn(t[v], form.load(row + v * HOIST_LANES * form.size));
        }
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < VECTORS; v++) {
        hoist_lanes_store(total, v * HOIST_LANES, t[v]);
    }
}

INLINE void fold_lanes(totals *t, const matrix *m, hoist_ark_form form, lanes_fn *fn)
{
    const size_t count = m->columns;
    size_t i = 0;
    for (; i + HOIST_RUN <= count; i += HOIST_RUN) {
        fold_16(t->lanes + i, m->first + i * form.size, m->stride, m->rows, form, fn);
    }
    // The last columns, less than 16, row by row through a part of zeros.
    for (size_t k = 0; i < count && k < m->rows; k++) {
        uint8_t part[HOIST_RUN * sizeof(float)] = {0};
        uint32_t total[HOIST_RUN] = {0};
        memcpy(part, m->first + (int64_t)k * m->stride + i * form.size, (count - i) * form.size);
        memcpy(total, t->lanes + i, (count - i) * sizeof *total);
        fold_16(total, part, 0, 1, form, fn);
        memcpy(t->lanes + i, total, (count - i) * sizeof *total);
    }
}

// The upper half is folded into the lower one, until one is left: the same tree at every level.
INLINE void join_lanes(totals *t, lanes_fn *fn)
{
    for (size_t width = HOIST_RUN / 2; width > 0; width /= 2) {
        for (size_t i = 0; i < width; i += HOIST_LANES) {
            hoist_lanes_store(
                t->lanes, i,
                fn(hoist_lanes_load(t->lanes, i), hoist_lanes_load(t->lanes, i + width)));
        }
    }
}

// The same of float64.
INLINE void add_16(double *total, const uint8_t *rows, int64_t stride, size_t count,
                   hoist_ark_form form)
{
    hoist_f64s t[HALVES];
    memcpy(t, total, sizeof t);
    for (size_t k = 0; k < count; k++) {
        const uint8_t *const row = rows + (int64_t)k * stride;
#pragma GCC unroll 4
        for (size_t v = 0; v < VECTORS; v++) {
            const hoist_u32s x = form.load(row + v * HOIST_LANES * form.size);
            t[2 * v] += hoist_lanes64_low((hoist_f32s)x);
            t[2 * v + 1] += hoist_lanes64_high((hoist_f32s)x);
        }
    }
    memcpy(total, t, sizeof t);
}

INLINE void add_doubles(totals *t, const matrix *m, hoist_ark_form form)
{
    const size_t count = m->columns;
    size_t i = 0;
    for (; i + HOIST_RUN <= count; i += HOIST_RUN) {
        add_16(t->sums + i, m->first + i * form.size, m->stride, m->rows, form);
    }
    for (size_t k = 0; i < count && k < m->rows; k++) {
        uint8_t part[HOIST_RUN * sizeof(float)] = {0};
        double total[HOIST_RUN] = {0};
        memcpy(part, m->first + (int64_t)k * m->stride + i * form.size, (count - i) * form.size);
        memcpy(total, t->sums + i, (count - i) * sizeof *total);
        add_16(total, part, 0, 1, form);
        memcpy(t->sums + i, total, (count - i) * sizeof *total);
    }
}

// The same tree of float64.
static void join_doubles(totals *t)
{
    for (size_t width = HOIST_RUN / 2; width > 0; width /= 2) {
        for (size_t i = 0; i < width; i++) {
            t->sums[i] += t->sums[i + width];
        }
    }
}

// Kernels ---------------------------------------------------------------------------------------

INLINE hoist_u32s add(hoist_u32s total, hoist_u32s x)
{
    return total + x;
}

// The first of equals, as the profile has it of zeros, and never NaN.
INLINE hoist_u32s greater_float(hoist_u32s most, hoist_u32s x)
{
    return (hoist_u32s)hoist_lanes_greater_f32((hoist_f32s)x, (hoist_f32s)most);
}

// Lanes are sign-extended, so that a comparison of 32 bits is one of the type.
INLINE hoist_u32s greater_signed(hoist_u32s most, hoist_u32s x)
{
    return hoist_lanes_max(most, x);
}

INLINE hoist_u32s greater_unsigned(hoist_u32s most, hoist_u32s x)
{
    // The highest bit flipped makes unsigned numbers compare as signed ones do.
    const uint32_t flip = HOIST_F32_SIGN;
    return hoist_lanes_max(most ^ flip, x ^ flip) ^ flip;
}

// clang-format off
// Whole vectors, then what is left by way of a part.
#define STORE(type) \
    static void store_##type(const uint32_t *bits, size_t count, uint8_t *elements) \
    { \
        size_t i = 0; \
        for (; i + HOIST_LANES <= count; i += HOIST_LANES) { \
            hoist_ark_store_##type(elements + i * hoist_ark_size_##type, hoist_lanes_load(bits, i)); \
        } \
        uint8_t part[sizeof(hoist_u32s)]; \
        hoist_ark_store_##type(part, hoist_lanes_load(bits, i)); \
        memcpy(elements + i * hoist_ark_size_##type, part, (count - i) * hoist_ark_size_##type); \
    }
// Names of functions by operation and type, for the tables.
#define DOUBLES(type) \
    static void sum_##type(totals *t, const matrix *m) \
    { \
        add_doubles(t, m, HOIST_ARK_FORM(type)); \
    }
#define LANES(name, type, fn) \
    static void name##_##type(totals *t, const matrix *m) \
    { \
        fold_lanes(t, m, HOIST_ARK_FORM(type), fn); \
    }
#define JOIN(fn) \
    static void join_##fn(totals *t) \
    { \
        join_lanes(t, fn); \
    }

// All that the tables name.
STORE(f32) STORE(f16) STORE(bf16) STORE(i32) STORE(u32) STORE(i8) STORE(u8)
DOUBLES(f32) DOUBLES(f16) DOUBLES(bf16)
LANES(sum, i32, add) LANES(sum, u32, add) LANES(sum, i8, add) LANES(sum, u8, add)
LANES(max, f32, greater_float) LANES(max, f16, greater_float) LANES(max, bf16, greater_float)
LANES(max, i32, greater_signed) LANES(max, u32, greater_unsigned)
LANES(max, i8, greater_signed) LANES(max, u8, greater_signed)
JOIN(add) JOIN(greater_float) JOIN(greater_signed) JOIN(greater_unsigned)

static const kernel sums[HOIST_DTYPE_COUNT] = {
    [HOIST_DTYPE_F32]  = {sum_f32, join_doubles, store_f32, 0, true},
    [HOIST_DTYPE_F16]  = {sum_f16, join_doubles, store_f16, 0, true},
    [HOIST_DTYPE_BF16] = {sum_bf16, join_doubles, store_bf16, 0, true},
    [HOIST_DTYPE_I32]  = {sum_i32, join_add, store_i32, 0, false},
    [HOIST_DTYPE_U32]  = {sum_u32, join_add, store_u32, 0, false},
    [HOIST_DTYPE_I8]   = {sum_i8, join_add, store_i8, 0, false},
    [HOIST_DTYPE_U8]   = {sum_u8, join_add, store_u8, 0, false},
};
// The least finite float, the least integer.
static const kernel maxima[HOIST_DTYPE_COUNT] = {
    [HOIST_DTYPE_F32]  = {max_f32, join_greater_float, store_f32, 0xff7fffff, false},
    [HOIST_DTYPE_F16]  = {max_f16, join_greater_float, store_f16, 0xc77fe000, false},
    [HOIST_DTYPE_BF16] = {max_bf16, join_greater_float, store_bf16, 0xff7f0000, false},
    [HOIST_DTYPE_I32]  = {max_i32, join_greater_signed, store_i32, 0x80000000, false},
    [HOIST_DTYPE_U32]  = {max_u32, join_greater_unsigned, store_u32, 0, false},
    [HOIST_DTYPE_I8]   = {max_i8, join_greater_signed, store_i8, 0xffffff80, false},
    [HOIST_DTYPE_U8]   = {max_u8, join_greater_signed, store_u8, 0, false},
};
// clang-format on

// Calls -----------------------------------------------------------------------------------------

// A call, read once.
typedef struct reduction {
    const kernel *kernel;
    hoist_dtype dtype;
    size_t size;    // of an element, bytes
    size_t terms;   // of an element of the output
    int64_t stride; // from one to the next, bytes
    bool is_last;   // along the last dimension
    bool is_mean;
} reduction;

// The dimension that goes.
static int axis_of(const hoist_compute_call *call)
{
    return (int)call->attrs.value[HOIST_ARK_REDUCE_AXIS].integer;
}

static reduction reduction_of(const hoist_compute_call *call)
{
    const hoist_view *const x = &call->views[0];
    const int axis = axis_of(call);
    const kernel *const table = call->op == HOIST_ARK_REDUCE_MAX ? maxima : sums;
    return (reduction){.kernel = &table[x->dtype],
                       .dtype = x->dtype,
                       .size = hoist_element_size(x->dtype),
                       .terms = (size_t)x->shape.dim[axis],
                       .stride = x->stride[axis],
                       .is_last = axis == x->shape.rank - 1,
                       .is_mean = call->op == HOIST_ARK_REDUCE_MEAN};
}

// Elements of the output in a unit.
static uint64_t unit_of(const hoist_compute_call *call)
{
    const bool is_last = axis_of(call) == call->views[0].shape.rank - 1;
    const uint64_t terms = (uint64_t)call->views[0].shape.dim[axis_of(call)];
    const uint64_t most = is_last ? UNIT : UNIT_COLUMNS;
    // Fewer elements where each has many terms.
    const uint64_t count = (is_last ? UNIT_TERMS : UNIT_CELLS) / terms;
    return count < 1 ? 1 : count > most ? most : count;
}

static size_t work(const hoist_compute_call *call)
{
    const uint64_t unit = unit_of(call);
    const uint64_t count = (uint64_t)hoist_shape_count(&hoist_ark_output(call)->shape);
    return (size_t)((count + unit - 1) / unit);
}

// A view without the dimension, as if its index were 0.
static void remove_dimension(hoist_view *view, int axis)
{
    view->shape.rank--;
    for (int i = axis; i < view->shape.rank; i++) {
        view->shape.dim[i] = view->shape.dim[i + 1];
        view->stride[i] = view->stride[i + 1];
    }
}

// What a reduction begins with: 0, or less than anything.
static void begin_totals(const reduction *r, totals *t, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        t->sums[i] = 0;
        t->lanes[i] = r->kernel->start;
    }
}

// The terms of one element of the output, from `first` on, come to `total` number `at`.
static void fold_row(const reduction *r, const uint8_t *first, totals *total, size_t at)
{
    TOTALS(t, HOIST_RUN);
    uint8_t line[LINE * sizeof(float)];
    begin_totals(r, &t, HOIST_RUN);
    for (size_t done = 0; done < r->terms;) {
        const size_t left = r->terms - done;
        const size_t count = left < LINE ? left : LINE;
        const uint8_t *terms = first + (int64_t)done * r->stride;
        // Elements with gaps are brought together first.
        if (r->stride != (int64_t)r->size) {
            hoist_ark_copy(line, (int64_t)r->size, terms, r->stride, count, r->size);
            terms = line;
        }
        // The line as a matrix of 16 columns; its rest is a row of fewer.
        const size_t rows = count / HOIST_RUN;
        r->kernel->fold(&t, &(matrix){terms, (int64_t)(HOIST_RUN * r->size), rows, HOIST_RUN});
        if (count % HOIST_RUN > 0) {
            const uint8_t *const rest = terms + rows * HOIST_RUN * r->size;
            r->kernel->fold(&t, &(matrix){rest, 0, 1, count % HOIST_RUN});
        }
        done += count;
    }
    r->kernel->join(&t);
    total->sums[at] = t.sums[0];
    total->lanes[at] = t.lanes[0];
}

// The terms of `count` elements of the output, which are `step` bytes apart.
static void fold_columns(const reduction *r, const uint8_t *first, int64_t step, size_t count,
                         totals *t)
{
    uint8_t line[BLOCK * sizeof(float)];
    const bool is_dense = step == (int64_t)r->size || count == 1;
    begin_totals(r, t, count);
    for (size_t k = 0; k < r->terms;) {
        const size_t left = r->terms - k;
        // Rows that go through the buffer come one by one.
        const size_t rows = !is_dense ? 1 : left < ROWS ? left : ROWS;
        const uint8_t *row = first + (int64_t)k * r->stride;
        if (!is_dense) {
            hoist_ark_copy(line, (int64_t)r->size, row, step, count, r->size);
            row = line;
        }
        r->kernel->fold(t, &(matrix){row, r->stride, rows, count});
        k += rows;
    }
}

// The float32 that the type rounds from as from `x` itself: of two that `x` is between the odd one.
static uint32_t odd_of(double x)
{
    const float nearest = (float)x;
    const uint32_t bits = hoist_f32_to_bits(nearest);
    if ((double)nearest == x || isnan(x) || bits % 2 == 1) {
        return bits;
    }
    return fabs((double)nearest) > fabs(x) ? bits - 1 : bits + 1;
}

// Means are divided in float64; both are then rounded once to the type.
static void finish_floats(const reduction *r, totals *t, size_t count)
{
    const double terms = (double)hoist_ark_round(r->dtype, (float)r->terms);
    for (size_t i = 0; i < count; i++) {
        const double total = r->is_mean ? t->sums[i] / terms : t->sums[i];
        t->lanes[i] = r->dtype == HOIST_DTYPE_F32 ? hoist_f32_to_bits((float)total) : odd_of(total);
    }
}

// Of the sum as it is stored.
static void finish_integers(const reduction *r, totals *t, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t stored[HOIST_ELEMENT_MAX_SIZE];
        hoist_plain_store(r->dtype, (int64_t)t->lanes[i], stored);
        t->lanes[i] = (uint32_t)(hoist_plain_load(r->dtype, stored) / (int64_t)r->terms);
    }
}

// Stores the totals of some elements, as their type has them.
static void finish(const reduction *r, totals *t, size_t count, uint8_t *first, int64_t step)
{
    uint8_t line[BLOCK * sizeof(float)];
    const bool is_dense = step == (int64_t)r->size || count == 1;
    if (r->kernel->in_double) {
        finish_floats(r, t, count);
    } else if (r->is_mean) {
        finish_integers(r, t, count);
    }
    r->kernel->store(t->lanes, count, is_dense ? first : line);
    if (!is_dense) {
        hoist_ark_copy(first, step, line, (int64_t)r->size, count, r->size);
    }
}

// Elements of the output that are evenly spaced, and so are their terms.
static void reduce_run(const reduction *r, const hoist_compute_line *run)
{
    TOTALS(t, BLOCK);
    for (size_t done = 0; done < run->count; done += BLOCK) {
        const size_t count = run->count - done < BLOCK ? run->count - done : BLOCK;
        const uint8_t *const first = run->at[0] + (int64_t)done * run->step[0];
        for (size_t i = 0; r->is_last && i < count; i++) {
            fold_row(r, first + (int64_t)i * run->step[0], &t, i);
        }
        if (!r->is_last) {
            fold_columns(r, first, run->step[0], count, &t);
        }
        finish(r, &t, count, run->at[1] + (int64_t)done * run->step[1], run->step[1]);
    }
}

// Does units of a call: runs of the output, with the dimension left out on both sides.
static void run(const hoist_compute_call *call, size_t begin, size_t end)
{
    const reduction r = reduction_of(call);
    const uint64_t unit = unit_of(call);
    hoist_view views[] = {call->views[0], *hoist_ark_output(call)};
    HOIST_ASSERT(r.kernel->fold);
    remove_dimension(&views[0], axis_of(call));
    if (call->attrs.value[HOIST_ARK_REDUCE_KEEP_DIMS].integer == 1) {
        remove_dimension(&views[1], axis_of(call));
    }
    hoist_ark_walk walk;
    hoist_compute_line next;
    hoist_ark_walk_begin(&walk, views, 2, (uint64_t)begin * unit, (uint64_t)(end - begin) * unit);
    while (hoist_ark_walk_run(&walk, &next)) {
        reduce_run(&r, &next);
    }
}

// Of the last dimension, rows of which are anywhere (hoist_compute_form_of).
static void run_form(const hoist_compute_form *form, const hoist_compute_line *line)
{
    reduction r;
    memcpy(&r, form->state, sizeof r);
    reduce_run(&r, line);
}

static bool form(const hoist_compute_call *call, const int64_t *step, hoist_compute_form *out_form)
{
    const reduction r = reduction_of(call);
    _Static_assert(sizeof r <= sizeof out_form->state, "a form's state");
    (void)step;
    out_form->run = run_form;
    memcpy(out_form->state, &r, sizeof r);
    return r.is_last;
}

enum { FIRST = HOIST_ARK_REDUCE_SUM };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_ARK_REDUCE_SUM - FIRST]  = {.work = work, .fill = run, .form = form},
    [HOIST_ARK_REDUCE_MEAN - FIRST] = {.work = work, .fill = run, .form = form},
    [HOIST_ARK_REDUCE_MAX - FIRST]  = {.work = work, .fill = run, .form = form},
};
// clang-format on
const hoist_compute_group HOIST_LEVEL_NAME(hoist_ark_reduce_group) = {
    FIRST, HOIST_COUNT_OF(group_rows), group_rows};
