#include "base/alloc.h"
#include "tensor/view_testing.h"
#include "testing/test.h"

// Views of 2 x 3 elements (or the shape given) on `size` bytes.
// clang-format off
static const struct {
    const char *name;
    size_t size;
    int64_t dims[2];
    int64_t offset;
    int64_t stride[2];
    hoist_dtype dtype;
    hoist_status status;
    bool strided;
} cases[] = {
    {"dense",                  24, {2, 3},        0,  {0, 0},         HOIST_DTYPE_F32,      HOIST_OK,         false},
    {"one byte short",         23, {2, 3},        0,  {0, 0},         HOIST_DTYPE_F32,      HOIST_INVALID,    false},
    {"offset",                 26, {2, 3},        2,  {0, 0},         HOIST_DTYPE_F32,      HOIST_OK,         false},
    {"offset too large",       26, {2, 3},        3,  {0, 0},         HOIST_DTYPE_F32,      HOIST_INVALID,    false},
    {"negative offset",        26, {2, 3},        -1, {0, 0},         HOIST_DTYPE_F32,      HOIST_INVALID,    false},
    {"bytes",                   6, {2, 3},        0,  {0, 0},         HOIST_DTYPE_TT_I8,    HOIST_OK,         false},
    {"8 bytes each",           48, {2, 3},        0,  {0, 0},         HOIST_DTYPE_I64,      HOIST_OK,         false},
    {"reversed",               24, {2, 3},        20, {-12, -4},      HOIST_DTYPE_F32,      HOIST_OK,         true},
    {"reversed, too low",      24, {2, 3},        16, {-12, -4},      HOIST_DTYPE_F32,      HOIST_INVALID,    true},
    {"one element",             4, {1, 1},        0,  {0, 0},          HOIST_DTYPE_F32,      HOIST_OK,         false},
    {"one element, cut",        3, {1, 1},        0,  {0, 0},          HOIST_DTYPE_F32,      HOIST_INVALID,    false},
    {"broadcast",               4, {9, 9},        0,  {0, 0},         HOIST_DTYPE_F32,      HOIST_OK,         true},
    {"overlapping",            12, {3, 3},        0,  {2, 2},         HOIST_DTYPE_F32,      HOIST_OK,         true},
    {"overlapping, outside",   11, {3, 3},        0,  {2, 2},         HOIST_DTYPE_F32,      HOIST_INVALID,    true},
    {"wraps around",           24, {3, 3},        0,  {INT64_MAX, 4}, HOIST_DTYPE_F32,      HOIST_LIMIT,      true},
    {"sum wraps around",       24, {2, 2},        9,  {INT64_MAX, 4}, HOIST_DTYPE_F32,      HOIST_LIMIT,      true},
    {"end wraps around",       24, {2, 1},        0,  {INT64_MAX, 4}, HOIST_DTYPE_F32,      HOIST_LIMIT,      true},
    {"least stride",           24, {2, 2},        0,  {INT64_MIN, 4}, HOIST_DTYPE_F32,      HOIST_INVALID,    true},
    {"least stride, twice",    24, {3, 2},        0,  {INT64_MIN, 4}, HOIST_DTYPE_F32,      HOIST_LIMIT,      true},
    {"no elements",             0, {0, 3},        99, {5, 5},         HOIST_DTYPE_F32,      HOIST_OK,         true},
    {"no elements, far apart",  0, {0, INT64_MAX}, 0,  {0, 0},         HOIST_DTYPE_F32,      HOIST_LIMIT,      false},
    {"block float",            99, {2, 3},        0,  {0, 0},         HOIST_DTYPE_TT_BFP8B, HOIST_UNSUPPORTED, false},
    {"no type",                99, {2, 3},        0,  {0, 0},         HOIST_DTYPE_NONE,     HOIST_UNSUPPORTED, false},
    {"huge",                   99, {INT64_MAX, 1}, 0,  {0, 0},         HOIST_DTYPE_F64,      HOIST_LIMIT,      false},
};
// clang-format on

HOIST_TEST_TABLE(view_init, cases)
{
    hoist_shape shape;
    HOIST_EXPECT_EQ(t, hoist_shape_init(row->dims, 2, &shape), HOIST_OK);
    // A heap block of exactly that size: the sanitizer sees any access outside.
    const hoist_mut_bytes memory = {hoist_alloc(hoist_allocator_system(), row->size), row->size};
    hoist_view view;
    HOIST_EXPECT_EQ(t,
                    hoist_view_init(memory, row->dtype, &shape, row->offset,
                                    row->strided ? row->stride : NULL, &view),
                    row->status);
    HOIST_EXPECT_EQ(t, view.shape.rank, row->status == HOIST_OK ? 2 : 0);
    if (row->status == HOIST_OK) {
        float values[81] = {0};
        view_scatter(&view, values);
        view_gather(&view, values);
        HOIST_EXPECT(t, values[0] == 0.0f);
    }
    hoist_free(hoist_allocator_system(), memory.data, memory.size);
}

HOIST_TEST(view_strides_in_c_order)
{
    hoist_shape shape;
    int64_t stride[HOIST_MAX_RANK];
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){2, 3, 4}, 3, &shape), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_view_strides(&shape, HOIST_DTYPE_BF16, stride), HOIST_OK);
    HOIST_EXPECT_EQ(t, stride[0], 24);
    HOIST_EXPECT_EQ(t, stride[1], 8);
    HOIST_EXPECT_EQ(t, stride[2], 2);
    HOIST_EXPECT_EQ(t, stride[3], 0);
}

HOIST_TEST(view_reads_and_writes_elements)
{
    uint8_t bytes[12] = {0x80, 0x3f, 0x00, 0x40, 0x40, 0x40, 0x80, 0x40, 0xa0, 0x40, 0xc0, 0x40};
    hoist_shape shape;
    hoist_view view;
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){3, 2}, 2, &shape), HOIST_OK);
    // The transpose of the 2 x 3 bfloat16 matrix 1 2 3, 4 5 6.
    HOIST_EXPECT_EQ(t,
                    hoist_view_init((hoist_mut_bytes){bytes, sizeof bytes}, HOIST_DTYPE_BF16,
                                    &shape, 0, (int64_t[]){2, 6}, &view),
                    HOIST_OK);
    float values[6] = {0};
    view_gather(&view, values);
    static const float expected[6] = {1, 4, 2, 5, 3, 6};
    for (size_t i = 0; i < 6; i++) {
        HOIST_EXPECT(t, values[i] == expected[i]);
        values[i] = -values[i];
    }
    view_scatter(&view, values);
    HOIST_EXPECT_EQ(t, bytes[3], 0xc0);
    const int64_t last[HOIST_MAX_RANK] = {2, 1};
    HOIST_EXPECT_EQ(t, view_load(&view, last), 0xc0c0);
    view_store(&view, last, 0x1234);
    HOIST_EXPECT_EQ(t, bytes[10], 0x34);
    HOIST_EXPECT_EQ(t, bytes[11], 0x12);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(view_init), HOIST_TEST_ROW(view_strides_in_c_order),
                HOIST_TEST_ROW(view_reads_and_writes_elements))
