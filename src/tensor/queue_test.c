#include "base/reader.h"
#include "tensor/float_bits.h"
#include "tensor/queue_bytes.h"
#include "testing/test.h"

// By bit pattern.
static bool same_floats(const float *a, const float *b, size_t count)
{
    size_t differing = 0;
    for (size_t i = 0; i < count; i++) {
        differing += hoist_f32_to_bits(a[i]) != hoist_f32_to_bits(b[i]);
    }
    return differing == 0;
}

static const hoist_tiling one = {1, 1, 1, 1, 1, 1, 1, false, 32, 32};

// clang-format off
static const struct {
    const char *name;
    hoist_queue_layout layout;
    hoist_status status;
    size_t buffer_bytes;
} cases[] = {
    {"one tile",           {{1, 1, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_BF16, 32, false, false},     HOIST_OK,          2080},
    {"blackhole",          {{1, 1, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_BF16, 64, false, false},     HOIST_OK,          2112},
    {"all dimensions",     {{2, 3, 2, 1, 2, 3, 1, true, 16, 32}, HOIST_DTYPE_TT_BFP8B, 32, false, false},  HOIST_OK,          (size_t)12 * 576},
    {"flat",               {{1, 1, 1, 2, 1, 1, 4, false, 32, 32}, HOIST_DTYPE_BF16, 32, true, false},      HOIST_OK,          16384},
    {"flat bytes",         {{1, 2, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_U8, 32, true, false},        HOIST_OK,          1024},
    {"flat block float",   {{1, 1, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_TT_BFP8A, 32, true, false},  HOIST_UNSUPPORTED, 0},
    {"no tiles of f64",    {{1, 1, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_F64, 32, false, false},      HOIST_UNSUPPORTED, 0},
    {"no type",            {{1, 1, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_NONE, 32, false, false},     HOIST_UNSUPPORTED, 0},
    {"alignment 16",       {{1, 1, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_BF16, 16, false, false},     HOIST_INVALID,     0},
    {"tile dimensions",    {{1, 1, 1, 1, 1, 1, 1, false, 32, 64}, HOIST_DTYPE_BF16, 32, false, false},     HOIST_INVALID,     0},
    {"no grid",            {{1, 0, 1, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_BF16, 32, false, false},     HOIST_INVALID,     0},
    {"too large",          {{9, 9, 1u << 30, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_BF16, 32, false, false}, HOIST_LIMIT,    0},
};
// clang-format on

HOIST_TEST_TABLE(queue_measure, cases)
{
    hoist_queue_size size;
    HOIST_EXPECT_EQ(t, hoist_queue_measure(&row->layout, &size), row->status);
    HOIST_EXPECT_EQ(t, size.buffer_bytes, row->buffer_bytes);
}

HOIST_TEST(wrong_buffers_are_refused)
{
    const hoist_queue_layout layout = {one, HOIST_DTYPE_TT_I8, 32, false, false};
    float tensor[1024] = {0};
    uint8_t bytes[1057] = {0};
    const hoist_mut_bytes two[2] = {{bytes, 1056}, {bytes, 1056}};
    const hoist_mut_bytes large = {bytes, 1057};
    const hoist_mut_bytes small = {bytes, 1055};
    HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, tensor, two, 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, tensor, two, 2), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, tensor, two, 0), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, tensor, &large, 1), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_queue_unpack(&layout, &small, 1, tensor), HOIST_INVALID);
}

// A flat queue on a 1x2 grid: each buffer holds its half of every row.
HOIST_TEST(flat_buffers_hold_their_columns)
{
    const hoist_queue_layout layout = {
        {1, 2, 2, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_TT_RAW32, 32, true, false};
    float tensor[2 * 32 * 64];
    for (uint32_t i = 0; i < 2 * 32 * 64; i++) {
        tensor[i] = hoist_f32_from_bits(i);
    }
    uint8_t left[8192];
    uint8_t right[8192];
    const hoist_mut_bytes buffers[2] = {{left, sizeof left}, {right, sizeof right}};
    HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, tensor, buffers, 2), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(left + 124), 31);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(left + 128), 64); // next row
    HOIST_EXPECT_EQ(t, hoist_load_u32le(right), 32);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(right + 4096), 2080); // second slice
    float back[2 * 32 * 64];
    HOIST_EXPECT_EQ(t, hoist_queue_unpack(&layout, buffers, 2, back), HOIST_OK);
    HOIST_EXPECT(t, same_floats(tensor, back, HOIST_COUNT_OF(back)));
}

static uint32_t small(uint64_t *state, uint32_t most)
{
    return 1 + (uint32_t)(hoist_test_random(state) >> 32) % most;
}

static hoist_queue_layout random_layout(uint64_t *state)
{
    static const hoist_dtype dtypes[] = {HOIST_DTYPE_F32,      HOIST_DTYPE_TT_F16,
                                         HOIST_DTYPE_TT_BFP8A, HOIST_DTYPE_TT_BFP2B,
                                         HOIST_DTYPE_TT_RAW8,  HOIST_DTYPE_U16};
    hoist_queue_layout layout = {one, dtypes[small(state, HOIST_COUNT_OF(dtypes)) - 1], 32, false,
                                 false};
    layout.tiling.grid_rows = small(state, 2);
    layout.tiling.grid_cols = small(state, 2);
    layout.tiling.t = small(state, 2);
    layout.tiling.mblock_m = small(state, 2);
    layout.tiling.mblock_n = small(state, 2);
    layout.tiling.ublock_rt = small(state, 2);
    layout.tiling.ublock_ct = small(state, 2);
    layout.tiling.column_major = small(state, 2) == 1;
    layout.tiling.tile_height = 1u << small(state, 5);
    layout.alignment = small(state, 2) * 32;
    layout.flat = hoist_dtype_get(layout.dtype)->block == 1 && small(state, 3) == 1;
    return layout;
}

// Packing and unpacking gives what quantisation gives, and packs to the same bytes again.
HOIST_TEST(pack_unpack_settles)
{
    uint64_t state = 4;
    for (size_t n = 0; n < 60; n++) {
        const hoist_queue_layout layout = random_layout(&state);
        hoist_queue_size size;
        HOIST_EXPECT_EQ(t, hoist_queue_measure(&layout, &size), HOIST_OK);
        const size_t count = size.tiling.buffers;
        const size_t elements = size.tiling.elements;
        float *tensor = hoist_arena_array(&t->arena, elements, sizeof *tensor);
        float *back = hoist_arena_array(&t->arena, elements, sizeof *back);
        hoist_mut_bytes buffers[4];
        for (size_t b = 0; b < count; b++) {
            buffers[b] = (hoist_mut_bytes){hoist_arena_alloc(&t->arena, size.buffer_bytes),
                                           size.buffer_bytes};
        }
        for (size_t i = 0; i < elements; i++) {
            tensor[i] = (float)(int32_t)(hoist_test_random(&state) >> 32) * 0x1p-24f;
        }
        HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, tensor, buffers, count), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_queue_unpack(&layout, buffers, count, back), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_queue_quantize(&layout, tensor), HOIST_OK);
        HOIST_EXPECT(t, same_floats(tensor, back, elements));
        HOIST_EXPECT_EQ(t, hoist_queue_quantize(&layout, tensor), HOIST_OK);
        HOIST_EXPECT(t, same_floats(tensor, back, elements));
    }
}

HOIST_TEST(quantize_refuses_a_bad_layout)
{
    const hoist_queue_layout layout = {one, HOIST_DTYPE_F16, 32, false, false};
    HOIST_EXPECT_EQ(t, hoist_queue_quantize(&layout, NULL), HOIST_UNSUPPORTED);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queue_measure), HOIST_TEST_ROW(wrong_buffers_are_refused),
                HOIST_TEST_ROW(flat_buffers_hold_their_columns),
                HOIST_TEST_ROW(pack_unpack_settles), HOIST_TEST_ROW(quantize_refuses_a_bad_layout))
