// The profile device: word by word against results of the vendor's simulator
// (tests/ttsim/device_vectors.cpp), and its rows against the words.
#include "kernels/device_arith.h"
#include "kernels/device_vectors.h"
#include "kernels/tiles_testing.h"

static const device_vector vectors[] = {
#include "kernels/device_vectors.inc"
};

enum { LANES = HOIST_DEVICE_LANES };

static uint32_t computed(const device_vector *v, const uint32_t *a, const uint32_t *b, size_t i,
                         uint32_t held)
{
    const hoist_device_unit unit = {(hoist_device_arch)v->arch, (hoist_device_dest)v->dest,
                                    v->a == HOIST_DEVICE_SOURCE_F16};
    uint32_t column[LANES];
    switch (v->kind) {
    case DEVICE_VECTOR_MULTIPLY:
        return hoist_device_multiply(&unit, v->phase, a[i], b[i], held);
    case DEVICE_VECTOR_ADD:
        return hoist_device_add(&unit, a[i], b[i]);
    default:
        for (size_t k = 0; k < LANES; k++) {
            column[k] = a[k * LANES + i % LANES];
        }
        return hoist_device_dot(&unit, v->phase, column, b + i / LANES * LANES, held);
    }
}

static uint64_t hash_of_math(const device_vector *v)
{
    uint64_t seed = v->seed;
    uint64_t hash = DEVICE_VECTORS_BASIS;
    for (int round = 0; round < DEVICE_VECTORS_ROUNDS; round++) {
        uint32_t a[LANES * LANES];
        uint32_t b[LANES * LANES];
        for (size_t i = 0; i < HOIST_COUNT_OF(a); i++) {
            a[i] =
                hoist_device_unpack((hoist_device_source)v->a, device_vectors_input(&seed, v->a));
        }
        for (size_t i = 0; i < HOIST_COUNT_OF(b); i++) {
            b[i] =
                hoist_device_unpack((hoist_device_source)v->b, device_vectors_input(&seed, v->b));
        }
        for (size_t i = 0; i < DEVICE_VECTORS_SUMS; i++) {
            const uint32_t held = device_vectors_held(&seed, v->dest);
            hash = device_vectors_mix(hash, computed(v, a, b, i, held));
        }
    }
    return hash;
}

static uint64_t hash_of_packed(const device_vector *v)
{
    static const hoist_dtype types[] = {HOIST_DTYPE_F32, HOIST_DTYPE_TT_F16, HOIST_DTYPE_BF16,
                                        HOIST_DTYPE_TT_BFP8B, HOIST_DTYPE_TT_BFP4B};
    const hoist_device_packer packer = {(hoist_device_arch)v->arch, (hoist_device_dest)v->dest,
                                        types[v->type], (hoist_device_relu)v->relu,
                                        (uint16_t)v->threshold};
    uint64_t seed = v->seed;
    uint64_t hash = DEVICE_VECTORS_BASIS;
    for (int round = 0; round < DEVICE_VECTORS_ROUNDS; round++) {
        uint32_t out[DEVICE_VECTORS_PACKED];
        for (size_t i = 0; i < DEVICE_VECTORS_PACKED; i += LANES) {
            uint32_t held[LANES];
            for (size_t k = 0; k < LANES; k++) {
                held[k] = device_vectors_held(&seed, v->dest);
            }
            hoist_device_pack(&packer, held, out + i);
        }
        for (size_t i = 0; i < DEVICE_VECTORS_PACKED; i++) {
            if (v->kind == DEVICE_VECTOR_ACCUMULATE) {
                out[i] = hoist_device_accumulate(packer.dtype,
                                                 device_vectors_memory(&seed, v->type), out[i]);
            }
            hash = device_vectors_mix(hash, out[i]);
        }
    }
    return hash;
}

HOIST_TEST_TABLE(vectors_of_the_simulator, vectors)
{
    HOIST_EXPECT_EQ(t, row->kind >= DEVICE_VECTOR_PACK ? hash_of_packed(row) : hash_of_math(row),
                    row->hash);
}

// Rows --------------------------------------------------------------------------------------------

enum { TILES = 4 };

static _Alignas(64) float left[TILES * HOIST_TILE_FLOATS];
static _Alignas(64) float right[TILES * HOIST_TILE_FLOATS];
static _Alignas(64) float result[TILES * HOIST_TILE_FLOATS];

// 1 x `inner` tiles times `inner` x 1, or the first tile of each.
static hoist_compute_call make_call(hoist_compute_op op, uint64_t inner, uint64_t seed)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(left); i++) {
        left[i] = hoist_f32_from_bits(device_vectors_input(&seed, HOIST_DEVICE_SOURCE_BF16));
        right[i] = hoist_f32_from_bits(device_vectors_input(&seed, HOIST_DEVICE_SOURCE_TF32));
    }
    hoist_compute_call call = {
        .op = op,
        .inputs = {{left, NULL, {1, 1, inner}}, {right, NULL, {1, inner, 1}}},
        .output = {result, NULL, {1, 1, 1}},
        .input_count = 2,
    };
    call.attrs.value[HOIST_DEVICE_DEST].integer = HOIST_DEVICE_DEST_F32;
    call.attrs.value[HOIST_DEVICE_A].integer = HOIST_DEVICE_SOURCE_BF16;
    call.attrs.value[HOIST_DEVICE_B].integer = HOIST_DEVICE_SOURCE_TF32;
    call.attrs.value[HOIST_DEVICE_PHASES].integer = 3;
    call.attrs.value[HOIST_DEVICE_PHASE_STEP].integer = 1;
    return call;
}

static hoist_status run(const hoist_compute_call *call)
{
    hoist_compute_fault fault;
    return hoist_compute_run(hoist_compute_kernels_at(HOIST_CPU_BASELINE), call, 0, 1, &fault);
}

static uint32_t word(const float *tile, size_t i, hoist_device_source source)
{
    return hoist_device_unpack(source, hoist_f32_to_bits(tile[i]));
}

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    int64_t row; // broadcast
} binaries[] = {
    {"add",            HOIST_DEVICE_ADD,      0},
    {"add a row",      HOIST_DEVICE_ADD,      1},
    {"subtract",       HOIST_DEVICE_SUBTRACT, 0},
    {"multiply",       HOIST_DEVICE_MULTIPLY, 0},
    {"multiply a row", HOIST_DEVICE_MULTIPLY, 1},
};
// clang-format on

HOIST_TEST_TABLE(binary, binaries)
{
    hoist_compute_call call = make_call(row->op, 1, 7);
    call.attrs.value[HOIST_DEVICE_ROW].integer = row->row;
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        const hoist_device_unit unit = {.dest = HOIST_DEVICE_DEST_F32};
        const uint32_t a = word(left, i, HOIST_DEVICE_SOURCE_BF16);
        uint32_t b = word(right, row->row ? i % 32 : i, HOIST_DEVICE_SOURCE_TF32);
        uint32_t expected = 0;
        if (row->op == HOIST_DEVICE_MULTIPLY) {
            for (unsigned phase = 0; phase < 3; phase++) {
                expected = hoist_device_multiply(&unit, phase, a, b, expected);
            }
        } else {
            b ^= row->op == HOIST_DEVICE_SUBTRACT ? 1U << 18 : 0;
            expected = hoist_device_add(&unit, a, b);
        }
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(result[i]), expected);
    }
}

// One tile of the left times one of the right: phases, then the halves of the inner dimension.
static uint32_t with_product(const hoist_device_unit *unit, size_t first, size_t second, size_t i,
                             uint32_t held)
{
    for (unsigned phase = 0; phase < 3; phase++) {
        for (size_t half = 0; half < 2; half++) {
            uint32_t a[LANES];
            uint32_t b[LANES];
            for (size_t k = 0; k < LANES; k++) {
                const size_t inner = half * LANES + k;
                a[k] = word(left + first * HOIST_TILE_FLOATS, i / 32 * 32 + inner,
                            HOIST_DEVICE_SOURCE_BF16);
                b[k] = word(right + second * HOIST_TILE_FLOATS, inner * 32 + i % 32,
                            HOIST_DEVICE_SOURCE_TF32);
            }
            held = hoist_device_dot(unit, phase, b, a, held);
        }
    }
    return held;
}

static const struct {
    const char *name;
    int64_t block;
    hoist_device_sums sums;
} blocks[] = {{"in the register", TILES, HOIST_DEVICE_SUMS_RELOADED},
              {"over memory", 1, HOIST_DEVICE_SUMS_RELOADED},
              {"added in memory, then reloaded", 1, HOIST_DEVICE_SUMS_ADDED},
              {"added in memory", 1, HOIST_DEVICE_SUMS_KEPT},
              {"packed", TILES, HOIST_DEVICE_SUMS_KEPT},
              {"over memory, and packed", 1, HOIST_DEVICE_SUMS_STORED}};

// Element `i`; what goes to memory is float16_b there.
static uint32_t expected_sum(size_t i, int64_t block, hoist_device_sums sums)
{
    const hoist_device_unit unit = {.dest = HOIST_DEVICE_DEST_F32};
    const hoist_device_packer packer = {.dest = HOIST_DEVICE_DEST_F32, .dtype = HOIST_DTYPE_BF16};
    uint32_t held = 0;
    uint32_t memory[LANES] = {0};
    for (size_t tile = 0; tile < TILES; tile++) {
        const bool ends = (int64_t)(tile + 1) % block == 0;
        const bool is_last = tile + 1 == TILES;
        held = with_product(&unit, tile, tile, i, held);
        if (ends && (!is_last || hoist_device_keeps(sums))) {
            const uint32_t before = memory[0];
            const bool adds = (int64_t)(tile + 1) > block && hoist_device_adds(sums);
            hoist_device_pack(&packer, (uint32_t[LANES]){held}, memory);
            memory[0] = adds ? hoist_device_accumulate(packer.dtype, before, memory[0]) : memory[0];
            const bool begins = sums == HOIST_DEVICE_SUMS_KEPT ||
                                (sums == HOIST_DEVICE_SUMS_ADDED && tile + 2 < TILES);
            const uint32_t back = hoist_device_unpack(HOIST_DEVICE_SOURCE_BF16, memory[0]);
            held = begins ? 0 : hoist_device_add(&unit, back, 0);
        }
    }
    return hoist_device_keeps(sums) ? memory[0] : held;
}

HOIST_TEST_TABLE(matmul, blocks)
{
    hoist_compute_call call = make_call(HOIST_DEVICE_MATMUL, TILES, 11);
    call.attrs.value[HOIST_DEVICE_BLOCK].integer = row->block;
    call.attrs.value[HOIST_DEVICE_SPILL].dtype = HOIST_DTYPE_BF16;
    call.attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = HOIST_DEVICE_SOURCE_BF16;
    call.attrs.value[HOIST_DEVICE_SUMS].integer = row->sums;
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(result[i]), expected_sum(i, row->block, row->sums));
    }
}

// Sparse ------------------------------------------------------------------------------------------

enum {
    ROWS = 4, // of tiles: 2 ublocks of 2
    STRIPS = 2,
    LAST_STRIP = 0x4000,
};

#define UBLOCK(count, row) ((count) << 8 | (row))
#define TILE(sparse, row, depth) ((sparse) << 8 | (row) << 1 | (depth))

// One core with strips of 2 x 2 ublocks; words of the encoding.
static hoist_compute_call make_sparse_call(float *encoding, const uint16_t *words, size_t count)
{
    static const int64_t attrs[] = {1, 1, 1, 2, 1, 2, 1, 2, TILES, 8, 8, 1};
    hoist_compute_call call = make_call(HOIST_DEVICE_SPARSE_MATMUL, TILES, 13);
    memset(encoding, 0, HOIST_TILE_FLOATS * sizeof *encoding);
    for (size_t i = 0; i < count; i++) {
        const uint32_t before = hoist_f32_to_bits(encoding[i / 2]);
        encoding[i / 2] = hoist_f32_from_bits(before | (uint32_t)words[i] << i % 2 * 16);
    }
    call.inputs[2] = (hoist_tiles){encoding, NULL, {1, 1, 1}};
    call.input_count = 3;
    call.output.shape = (hoist_tile_shape){1, ROWS, 1};
    call.attrs.value[HOIST_DEVICE_SPILL].dtype = HOIST_DTYPE_BF16;
    call.attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = HOIST_DEVICE_SOURCE_BF16;
    for (size_t i = 0; i < HOIST_COUNT_OF(attrs); i++) {
        call.attrs.value[HOIST_DEVICE_SPARSE + i].integer = attrs[i];
    }
    return call;
}

// The first strip has two tiles of row 0, the last one a tile of row 1; ublock 1 has none.
static const uint16_t stream[] = {0, 0,          1, UBLOCK(2, 0), TILE(0, 0, 0), TILE(1, 0, 1),
                                  1, LAST_STRIP, 1, UBLOCK(1, 0), TILE(2, 1, 0)};

static uint32_t with_strip(const hoist_device_unit *unit, size_t strip, size_t row, size_t i,
                           uint32_t held)
{
    if (strip == 0 && row == 0) {
        return with_product(unit, 1, 1, i, with_product(unit, 0, 0, i, held));
    }
    return strip == 1 && row == 1 ? with_product(unit, 2, 2, i, held) : held;
}

static uint32_t reloaded(const hoist_device_unit *unit, uint32_t memory)
{
    return hoist_device_add(unit, hoist_device_unpack(HOIST_DEVICE_SOURCE_BF16, memory), 0);
}

static uint32_t expected_sparse(size_t row, size_t i, hoist_device_sums sums)
{
    const hoist_device_unit unit = {.dest = HOIST_DEVICE_DEST_F32};
    const hoist_device_packer packer = {.dest = HOIST_DEVICE_DEST_F32, .dtype = HOIST_DTYPE_BF16};
    uint32_t memory[LANES] = {0};
    for (size_t strip = 0; strip < STRIPS; strip++) {
        const bool adds = strip > 0 && hoist_device_adds(sums);
        if (strip + 1 == STRIPS && !hoist_device_keeps(sums)) {
            return with_strip(&unit, strip, row, i, reloaded(&unit, memory[0]));
        }
        if (row < 2) { // the ublock that has tiles
            const uint32_t before = memory[0];
            const uint32_t held = strip == 0 || adds ? 0 : reloaded(&unit, before);
            const uint32_t block[LANES] = {with_strip(&unit, strip, row, i, held)};
            hoist_device_pack(&packer, block, memory);
            memory[0] = adds ? hoist_device_accumulate(packer.dtype, before, memory[0]) : memory[0];
        }
    }
    return memory[0];
}

static const struct {
    const char *name;
    hoist_device_sums sums;
} strips[] = {{"reloaded", HOIST_DEVICE_SUMS_RELOADED},
              {"added in memory", HOIST_DEVICE_SUMS_ADDED},
              {"added in memory, which is the result", HOIST_DEVICE_SUMS_KEPT},
              {"reloaded, and memory is the result", HOIST_DEVICE_SUMS_STORED}};

HOIST_TEST_TABLE(sparse_matmul, strips)
{
    static _Alignas(64) float encoding[HOIST_TILE_FLOATS];
    hoist_compute_call call = make_sparse_call(encoding, stream, HOIST_COUNT_OF(stream));
    call.attrs.value[HOIST_DEVICE_SUMS].integer = row->sums;
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    for (size_t i = 0; i < sizeof result / sizeof *result; i++) {
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(result[i]),
                        expected_sparse(i / HOIST_TILE_FLOATS, i % HOIST_TILE_FLOATS, row->sums));
    }
}

static const struct {
    const char *name;
    uint16_t words[6];
} disorders[] = {
    {"tiles descend", {0, LAST_STRIP, 1, UBLOCK(2, 0), TILE(0, 1, 0), TILE(1, 0, 1)}},
    {"a row outside of the ublock", {0, LAST_STRIP, 1, UBLOCK(1, 0), TILE(0, 2, 0)}},
    {"a ublock that is not there", {0, LAST_STRIP, 1, UBLOCK(1, 2), TILE(0, 0, 0)}},
};

// The reference stops there, a device goes on.
HOIST_TEST_TABLE(encodings_out_of_order, disorders)
{
    static _Alignas(64) float encoding[HOIST_TILE_FLOATS];
    const hoist_compute_call call =
        make_sparse_call(encoding, row->words, HOIST_COUNT_OF(row->words));
    hoist_compute_fault fault = {.what = NULL};
    HOIST_EXPECT_EQ(
        t, hoist_compute_run(hoist_compute_kernels_at(HOIST_CPU_BASELINE), &call, 0, 1, &fault),
        HOIST_INVALID);
    HOIST_EXPECT(t, fault.what && strstr(fault.what, "do not ascend"));
}

HOIST_TEST(copy_and_pack)
{
    hoist_compute_call call = make_call(HOIST_DEVICE_COPY, 1, 3);
    call.input_count = 1;
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(result[i]),
                        hoist_device_add(&(hoist_device_unit){.dest = HOIST_DEVICE_DEST_F32},
                                         word(left, i, HOIST_DEVICE_SOURCE_BF16), 0));
    }
    call.op = HOIST_DEVICE_PACK;
    call.attrs.value[HOIST_DEVICE_DTYPE].dtype = HOIST_DTYPE_TT_BFP4B;
    call.attrs.value[HOIST_DEVICE_RELU].integer = HOIST_DEVICE_RELU_ZERO;
    HOIST_EXPECT_EQ(t, run(&call), HOIST_OK);
    const hoist_device_packer packer = {.dest = HOIST_DEVICE_DEST_F32,
                                        .dtype = HOIST_DTYPE_TT_BFP4B,
                                        .relu = HOIST_DEVICE_RELU_ZERO};
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += LANES) {
        uint32_t held[LANES];
        memcpy(held, left + i, sizeof held);
        hoist_device_pack(&packer, held, held);
        HOIST_EXPECT_EQ(t, memcmp(held, result + i, sizeof held), 0);
    }
}

// A program text may hold any numbers there.
HOIST_TEST(registers_hold_what_they_can)
{
    static const struct {
        uint32_t in, out;
    } cases[] = {{0x3f802000, 0x07802000}, {0x7f800000, 0x0fffe000}, {0x80000001, 0x80000000}};
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        HOIST_EXPECT_EQ(t, hoist_device_narrow(HOIST_DEVICE_DEST_F16, cases[i].in), cases[i].out);
    }
    HOIST_EXPECT_EQ(t, hoist_device_widen(HOIST_DEVICE_DEST_F16, 0x07802000), 0x3f802000);
    HOIST_EXPECT_EQ(t, hoist_device_narrow(HOIST_DEVICE_DEST_F32, 0x3f812345), 0x3f812345);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(vectors_of_the_simulator), HOIST_TEST_ROW(binary),
                HOIST_TEST_ROW(matmul), HOIST_TEST_ROW(sparse_matmul),
                HOIST_TEST_ROW(encodings_out_of_order), HOIST_TEST_ROW(copy_and_pack),
                HOIST_TEST_ROW(registers_hold_what_they_can))
