// Golden reduce and sum_z against their definitions.
#include <math.h>

#include "kernels/tiles_testing.h"

static float larger(float acc, float v)
{
    return acc < v ? v : acc;
}

static void clear(const hoist_tiles *out)
{
    for (uint64_t n = 0; n < tiles_count(&out->shape); n++) {
        memset(tiles_tile(out, n), 0, HOIST_TILE_FLOATS * sizeof(float));
    }
}

static void reduce_columns(const hoist_compute_call *call)
{
    const hoist_tiles *in = &call->inputs[0];
    clear(&call->output);
    for (uint64_t z = 0; z < in->shape.z; z++) {
        for (uint64_t i = 0; i < in->shape.rows * 32; i++) {
            float acc = -INFINITY;
            for (uint64_t j = 0; j < in->shape.cols * 32; j++) {
                acc = larger(acc, *tiles_at(in, z, i, j));
            }
            *tiles_at(&call->output, z, i, 0) = acc;
        }
    }
}

static void reduce_rows(const hoist_compute_call *call)
{
    const hoist_tiles *in = &call->inputs[0];
    clear(&call->output);
    for (uint64_t z = 0; z < in->shape.z; z++) {
        for (uint64_t j = 0; j < in->shape.cols * 32; j++) {
            float acc = -INFINITY;
            for (uint64_t i = 0; i < in->shape.rows * 32; i++) {
                acc = larger(acc, *tiles_at(in, z, i, j));
            }
            *tiles_at(&call->output, z, 0, j) = acc;
        }
    }
}

// Tile by tile: of two equal zeros in different tiles, the first tile's stays.
static void reduce_both(const hoist_compute_call *call)
{
    const hoist_tiles *in = &call->inputs[0];
    const uint64_t slice = in->shape.rows * in->shape.cols;
    clear(&call->output);
    for (uint64_t z = 0; z < in->shape.z; z++) {
        float acc = -INFINITY;
        for (uint64_t n = 0; n < slice; n++) {
            for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
                acc = larger(acc, tiles_tile(in, z * slice + n)[i]);
            }
        }
        *tiles_at(&call->output, z, 0, 0) = acc;
    }
}

static float next_maximum(float acc, float slice)
{
    return larger(slice, acc);
}
static float next_sum(float acc, float slice)
{
    return acc + slice;
}

static void combine_slices(const hoist_compute_call *call, uint64_t group,
                           float (*next)(float acc, float slice))
{
    const hoist_tile_shape *out = &call->output.shape;
    for (uint64_t z = 0; z < out->z; z++) {
        for (uint64_t i = 0; i < out->rows * 32; i++) {
            for (uint64_t j = 0; j < out->cols * 32; j++) {
                float acc = *tiles_at(&call->inputs[0], z * group, i, j);
                for (uint64_t k = 1; k < group; k++) {
                    acc = next(acc, *tiles_at(&call->inputs[0], z * group + k, i, j));
                }
                *tiles_at(&call->output, z, i, j) = acc;
            }
        }
    }
}

static void reduce_slices(const hoist_compute_call *call)
{
    const int64_t group = call->attrs.value[HOIST_REDUCE_GROUP].integer;
    combine_slices(call, (uint64_t)group, next_maximum);
}
static void sum_slices(const hoist_compute_call *call)
{
    const int64_t group = call->attrs.value[HOIST_SUM_Z_GROUP].integer;
    combine_slices(call, (uint64_t)group, next_sum);
}

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    tiles_definition *definition;
    int64_t attrs[2];
    hoist_tile_shape in;
} cases[] = {
    {"rows",            HOIST_GOLDEN_REDUCE, reduce_rows,    {HOIST_AXIS_ROW},    {2, 3, 2}},
    {"columns",         HOIST_GOLDEN_REDUCE, reduce_columns, {HOIST_AXIS_COLUMN}, {2, 2, 3}},
    {"both",            HOIST_GOLDEN_REDUCE, reduce_both,    {HOIST_AXIS_BOTH},   {2, 2, 3}},
    {"slices",          HOIST_GOLDEN_REDUCE, reduce_slices,  {HOIST_AXIS_Z, 3},   {6, 1, 2}},
    {"slices of 1",     HOIST_GOLDEN_REDUCE, reduce_slices,  {HOIST_AXIS_Z, 1},   {2, 1, 2}},
    {"sum",             HOIST_GOLDEN_SUM_Z,  sum_slices,     {3},                 {6, 2, 1}},
    {"sum of 1",        HOIST_GOLDEN_SUM_Z,  sum_slices,     {1},                 {2, 1, 1}},
};
// clang-format on

static hoist_compute_call make_call(hoist_compute_op op, const int64_t attrs[2])
{
    hoist_compute_call call = {.op = op, .input_count = 1};
    call.attrs.value[0].integer = attrs[0];
    call.attrs.value[1].integer = attrs[1];
    return call;
}

HOIST_TEST_TABLE(reductions, cases)
{
    uint64_t state = 1;
    for (tiles_draw how = 0; how < TILES_DRAW_COUNT; how++) {
        hoist_compute_call call = make_call(row->op, row->attrs);
        call.inputs[0] = tiles_input(t, row->in, how, &state);
        tiles_check(t, &call, row->definition, 1, &state);
    }
}

// Only zeros of both signs, NaN and -Inf: the order of comparison decides.
HOIST_TEST_TABLE(ties, cases)
{
    static const float values[] = {0.0F, -0.0F, NAN, -INFINITY};
    uint64_t state = 7;
    hoist_compute_call call = make_call(row->op, row->attrs);
    call.inputs[0] = tiles_make(t, row->in, &state);
    for (uint64_t n = 0; n < tiles_count(&row->in); n++) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            tiles_tile(&call.inputs[0], n)[i] = values[hoist_test_random(&state) >> 62];
        }
    }
    tiles_check(t, &call, row->definition, 1, &state);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reductions), HOIST_TEST_ROW(ties))
