// kernels/tiles_testing.h - for the tests of compute kernels: tensors of tiles that lie scattered
// in memory, element access for slow definitions, and the check that every level of the machine
// gives the expected elements however the work is cut.
#ifndef HOIST_SRC_KERNELS_TILES_TESTING_H
#define HOIST_SRC_KERNELS_TILES_TESTING_H

#include <math.h>
#include <string.h>

#include "kernels/compute.h"
#include "tensor/float_bits.h"
#include "testing/test.h"

// How elements are drawn.
typedef enum tiles_draw {
    TILES_NORMAL,   // -2..2
    TILES_INTEGERS, // -8..8, many equal
    TILES_SPECIAL,  // zeros, Inf, NaN, denormals, the largest
    TILES_DRAW_COUNT,
} tiles_draw;

static inline float tiles_draw_one(tiles_draw how, uint64_t *state)
{
    static const uint32_t specials[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff,
                                        0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                        0x7fc00000, 0xffc00000, 0x1f800000, 0x5f000000};
    const uint64_t r = hoist_test_random(state);
    const int32_t high = (int32_t)(r >> 32);
    if (how == TILES_INTEGERS) {
        return (float)(high % 9);
    }
    if (how == TILES_SPECIAL && r % 64 == 0) {
        return hoist_f32_from_bits(specials[(r >> 32) % HOIST_COUNT_OF(specials)]);
    }
    return (float)high * 0x1p-30F;
}

static inline uint64_t tiles_count(const hoist_tile_shape *shape)
{
    return shape->z * shape->rows * shape->cols;
}

// Tiles in random places of a store that has space for one more.
static inline hoist_tiles tiles_make(hoist_test *t, hoist_tile_shape shape, uint64_t *state)
{
    const uint64_t count = tiles_count(&shape);
    char *store = hoist_arena_array(&t->arena, (count + 2) * HOIST_TILE_FLOATS, sizeof(float));
    uint32_t *places = hoist_arena_array(&t->arena, count + 1, sizeof *places);
    for (uint64_t i = 0; i <= count; i++) {
        const uint64_t other = hoist_test_random(state) % (i + 1);
        places[i] = places[other];
        places[other] = (uint32_t)i;
    }
    store += -(uintptr_t)store % 64;
    return (hoist_tiles){(float *)(void *)store, places, shape};
}

static inline float *tiles_tile(const hoist_tiles *tiles, uint64_t n)
{
    return tiles->base + (tiles->tiles ? tiles->tiles[n] : n) * HOIST_TILE_FLOATS;
}

// Tile `a` times tile `b`, scalar order, added to `c`.
static inline void tiles_add_product(const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            float sum = 0;
            for (size_t k = 0; k < 32; k++) {
                sum = fmaf(a[i * 32 + k], b[k * 32 + j], sum);
            }
            c[i * 32 + j] += sum;
        }
    }
}

// The place of an element; row and col count elements.
static inline float *tiles_at(const hoist_tiles *tiles, uint64_t z, uint64_t row, uint64_t col)
{
    const hoist_tile_shape *s = &tiles->shape;
    const uint64_t n = (z * s->rows + row / 32) * s->cols + col / 32;
    return tiles_tile(tiles, n) + row % 32 * 32 + col % 32;
}

// Drawn tiles.
static inline hoist_tiles tiles_input(hoist_test *t, hoist_tile_shape shape, tiles_draw how,
                                      uint64_t *state)
{
    const hoist_tiles tiles = tiles_make(t, shape, state);
    for (uint64_t n = 0; n < tiles_count(&shape); n++) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            tiles_tile(&tiles, n)[i] = tiles_draw_one(how, state);
        }
    }
    return tiles;
}

// The same tensor with about one tile in eight absent; those of `tiles` become zeros.
static inline hoist_tiles tiles_with_holes(hoist_test *t, const hoist_tiles *tiles, uint64_t *state)
{
    const uint64_t count = tiles_count(&tiles->shape);
    uint32_t *places = hoist_arena_array(&t->arena, count, sizeof *places);
    for (uint64_t n = 0; n < count; n++) {
        places[n] = tiles->tiles[n];
        if (hoist_test_random(state) % 8 == 0) {
            places[n] = HOIST_TILE_ZERO;
            memset(tiles_tile(tiles, n), 0, HOIST_TILE_FLOATS * sizeof(float));
        }
    }
    return (hoist_tiles){tiles->base, places, tiles->shape};
}

static inline void tiles_poison(const hoist_tiles *tiles)
{
    for (uint64_t n = 0; n < tiles_count(&tiles->shape); n++) {
        memset(tiles_tile(tiles, n), 0xa5, HOIST_TILE_FLOATS * sizeof(float));
    }
}

// Elements that differ. Any NaN equals any other unless `exact`: which operand's NaN an instruction
// passes through is the compiler's choice.
static inline size_t tiles_differences(const hoist_tiles *a, const hoist_tiles *b, bool exact)
{
    size_t differing = 0;
    for (uint64_t n = 0; n < tiles_count(&a->shape); n++) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            const float x = tiles_tile(a, n)[i];
            const float y = tiles_tile(b, n)[i];
            const bool both_nan = !exact && x != x && y != y;
            differing += !both_nan && hoist_f32_to_bits(x) != hoist_f32_to_bits(y);
        }
    }
    return differing;
}

// Runs all units of `call` in pieces, in random order.
static inline void tiles_run_in_pieces(hoist_test *t, const hoist_compute_kernels *kernels,
                                       const hoist_compute_call *call, uint64_t *state)
{
    const size_t work = hoist_compute_work(call);
    size_t *cuts = hoist_arena_array(&t->arena, work, 2 * sizeof *cuts);
    size_t count = 0;
    for (size_t begin = 0; begin < work;) {
        const size_t left = work - begin;
        const size_t end = begin + 1 + hoist_test_random(state) % (left < 3 ? left : 3);
        const size_t other = hoist_test_random(state) % (count + 1);
        memcpy(&cuts[2 * count], &cuts[2 * other], 2 * sizeof *cuts);
        cuts[2 * other] = begin;
        cuts[2 * other + 1] = end;
        count++;
        begin = end;
    }
    for (size_t i = 0; i < count; i++) {
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, call, cuts[2 * i], cuts[2 * i + 1], &fault),
                        HOIST_OK);
    }
}

// The shape of the output of `call`, which must fit its row.
static inline hoist_tile_shape tiles_output_shape(hoist_test *t, const hoist_compute_call *call)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    for (size_t i = 0; i < call->input_count; i++) {
        operands[i] = hoist_compute_tiles(call->inputs[i].shape);
    }
    operands[call->input_count].dtype = HOIST_DTYPE_F32;
    HOIST_EXPECT_EQ(t, hoist_compute_infer(call->op, &call->attrs, operands, why), HOIST_FIT_OK);
    const int64_t *dim = operands[call->input_count].shape.dim;
    return (hoist_tile_shape){(uint64_t)dim[0], (uint64_t)dim[1], (uint64_t)dim[2]};
}

typedef void tiles_definition(const hoist_compute_call *call);

// Fills call->output by `definition`, then by the kernels of every level, whole and in pieces. The
// kernels see the first `holed_count` inputs with holes.
static inline void tiles_check(hoist_test *t, hoist_compute_call *call,
                               tiles_definition *definition, size_t holed_count, uint64_t *state)
{
    hoist_compute_call holed = *call;
    for (size_t i = 0; i < holed_count; i++) {
        holed.inputs[i] = tiles_with_holes(t, &call->inputs[i], state);
    }
    const hoist_tile_shape shape = tiles_output_shape(t, call);
    const hoist_tiles expected = tiles_make(t, shape, state);
    const hoist_tiles whole = tiles_make(t, shape, state);
    const hoist_tiles pieces = tiles_make(t, shape, state);
    call->output = expected;
    definition(call);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        holed.output = whole;
        tiles_poison(&whole);
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(
            t, hoist_compute_run(kernels, &holed, 0, hoist_compute_work(&holed), &fault), HOIST_OK);
        HOIST_EXPECT_EQ(t, tiles_differences(&whole, &expected, false), 0);
        holed.output = pieces;
        tiles_poison(&pieces);
        tiles_run_in_pieces(t, kernels, &holed, state);
        HOIST_EXPECT_EQ(t, tiles_differences(&pieces, &whole, true), 0);
    }
}

#endif // HOIST_SRC_KERNELS_TILES_TESTING_H
