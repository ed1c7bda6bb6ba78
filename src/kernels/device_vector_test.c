// The vector unit of a Tensix core: its functions against results of the vendor's simulator
// (tests/ttsim/device_vectors.cpp), its multiply-add where the chips differ, and the rows on tiles.
#include "kernels/device_arith.h"
#include "kernels/device_vector.h"
#include "kernels/device_vectors.h"
#include "kernels/tiles_testing.h"

static const device_function_vector vectors[] = {
#include "kernels/device_functions.inc"
};

static hoist_compute_op op_named(hoist_test *t, const char *name)
{
    return hoist_compute_find(hoist_arena_format(&t->arena, "device.%s", name));
}

// The inverse of hoist_device_widen().
static uint32_t held_of(uint32_t dest, uint32_t f32)
{
    return dest == HOIST_DEVICE_DEST_F16 && (f32 & 0x7f800000) ? f32 - (112U << 23) : f32;
}

HOIST_TEST(vectors_of_the_simulator)
{
    for (size_t n = 0; n < HOIST_COUNT_OF(vectors); n++) {
        const device_function_vector *v = &vectors[n];
        const hoist_device_dest dest = (hoist_device_dest)v->dest;
        const hoist_device_function f = {(hoist_device_arch)v->arch, dest, op_named(t, v->op),
                                         v->approximate != 0, v->parameter};
        uint64_t seed = v->seed;
        uint64_t hash = DEVICE_VECTORS_BASIS;
        for (int i = 0; i < DEVICE_VECTORS_ROUNDS * DEVICE_VECTORS_PACKED; i++) {
            const uint32_t a = hoist_device_widen(dest, device_vectors_held(&seed, v->dest));
            const uint32_t b = hoist_device_widen(dest, device_vectors_held(&seed, v->dest));
            const uint32_t y = f.op == HOIST_DEVICE_MAXIMUM
                                   ? hoist_device_maximum(f.arch, dest, a, b)
                                   : hoist_device_apply(&f, a);
            hash = device_vectors_mix(hash, held_of(v->dest, y));
        }
        hoist_test_row(t, v->op);
        HOIST_EXPECT_EQ(t, hash, v->hash);
    }
}

#define INF 0x7f800000U
#define NAN_BITS 0x7fc00000U
#define NEG 0x80000000U
#define ONE 0x3f800000U

// clang-format off
static const struct {
    const char *name;
    uint32_t a, b, c;
    uint32_t wormhole, blackhole;
} sums[] = {
    {"one and one",                ONE,        ONE,        ONE,        0x40000000, 0x40000000},
    {"ties go to even",            ONE,        0x33800000, ONE,        ONE,        ONE},
    {"a product loses its low bits",               0x3f800001, 0x3f800001, 0xbf800002, 0x32800000, 0x32800000},
    {"a zero of two signs",        NEG | ONE,  ONE,        ONE,        0,          0},
    {"two negative zeros",         NEG,        ONE,        NEG,        0,          NEG},
    {"a denormal is a zero",       0x007fffff, ONE,        0,          0,          0},
    {"an underflow keeps a sign",  0x80800000, 0x3f000000, 0,          0,          NEG},
    {"an overflow",                0x7f7fffff, 0x40000000, 0,          INF,        INF},
    {"infinity less an overflow",  0x7f7fffff, 0x40000000, NEG | INF,  0x7fffffff, NEG | INF},
    {"infinity times 0",           INF,        0,          ONE,        0x7f800001, NAN_BITS},
    {"bits get into a NaN",        INF,        0,          0x3fc00000, 0x7fc00001, NAN_BITS},
    {"a NaN",                      ONE,        ONE,        0xff812345, 0xff800001, NAN_BITS},
};
// clang-format on

HOIST_TEST_TABLE(multiply_add, sums)
{
    HOIST_EXPECT_EQ(t, hoist_device_fma(HOIST_DEVICE_WORMHOLE_B0, row->a, row->b, row->c),
                    row->wormhole);
    HOIST_EXPECT_EQ(t, hoist_device_fma(HOIST_DEVICE_BLACKHOLE, row->a, row->b, row->c),
                    row->blackhole);
}

// Rows --------------------------------------------------------------------------------------------

static _Alignas(64) float left[HOIST_TILE_FLOATS];
static _Alignas(64) float right[HOIST_TILE_FLOATS];
static _Alignas(64) float result[HOIST_TILE_FLOATS];

static hoist_compute_call make_call(hoist_compute_op op)
{
    uint64_t seed = 5;
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        left[i] = hoist_f32_from_bits(device_vectors_held(&seed, HOIST_DEVICE_DEST_F32));
        right[i] = hoist_f32_from_bits(device_vectors_held(&seed, HOIST_DEVICE_DEST_F32));
    }
    hoist_compute_call call = {
        .op = op,
        .inputs = {{left, NULL, {1, 1, 1}}, {right, NULL, {1, 1, 1}}},
        .output = {result, NULL, {1, 1, 1}},
        .input_count = op == HOIST_DEVICE_MAXIMUM ? 2 : 1,
    };
    call.attrs.value[HOIST_DEVICE_DEST].integer = HOIST_DEVICE_DEST_F32;
    return call;
}

static hoist_status run(const hoist_compute_call *call)
{
    hoist_compute_fault fault;
    return hoist_compute_run(hoist_compute_kernels_at(HOIST_CPU_BASELINE), call, 0, 1, &fault);
}

static const struct {
    const char *name;
    hoist_tile_part part;
    size_t rows, columns; // that are computed
} parts[] = {{"all", HOIST_TILE_ALL, 32, 32},
             {"rows", HOIST_TILE_ROWS, 4, 32},
             {"columns", HOIST_TILE_COLUMNS, 32, 16}};

HOIST_TEST_TABLE(others_stay_as_they_are, parts)
{
    const hoist_device_function f = {
        .dest = HOIST_DEVICE_DEST_F32, .op = HOIST_DEVICE_POWER, .parameter = 3};
    hoist_compute_call call = make_call(f.op);
    call.attrs.value[HOIST_DEVICE_VECTOR].integer = row->part;
    call.attrs.value[HOIST_DEVICE_PARAMETER].integer = f.parameter;
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        const uint32_t x = hoist_f32_to_bits(left[i]);
        const bool is_computed = i / 32 < row->rows && i % 32 < row->columns;
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(result[i]),
                        is_computed ? hoist_device_apply(&f, x) : x);
    }
}

HOIST_TEST(maximum)
{
    const hoist_compute_call call = make_call(HOIST_DEVICE_MAXIMUM);
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(result[i]),
                        hoist_device_maximum(HOIST_DEVICE_WORMHOLE_B0, HOIST_DEVICE_DEST_F32,
                                             hoist_f32_to_bits(left[i]),
                                             hoist_f32_to_bits(right[i])));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(vectors_of_the_simulator), HOIST_TEST_ROW(multiply_add),
                HOIST_TEST_ROW(others_stay_as_they_are), HOIST_TEST_ROW(maximum))
