#include "base/alloc.h"
#include "tensor/view.h"
#include "testing/test.h"

// Views of 2 x 3 elements (or the shape given) on `size` bytes.
// clang-format off
static const struct {
    const char *name;
    size_t size;
    hoist_dtype dtype;
    int64_t dims[2];
    int64_t offset;
    bool strided;
    int64_t stride[2];
    hoist_status status;
} cases[] = {
    {"dense",                 24, HOIST_DTYPE_F32,       {2, 3}, 0,  false, {0, 0},    HOIST_OK         },
    {"one byte short",        23, HOIST_DTYPE_F32,       {2, 3}, 0,  false, {0, 0},    HOIST_INVALID    },
    {"offset",                26, HOIST_DTYPE_F32,       {2, 3}, 2,  false, {0, 0},    HOIST_OK         },
    {"offset too large",      26, HOIST_DTYPE_F32,       {2, 3}, 3,  false, {0, 0},    HOIST_INVALID    },
    {"negative offset",       26, HOIST_DTYPE_F32,       {2, 3}, -1, false, {0, 0},    HOIST_INVALID    },
    {"bytes",                 6,  HOIST_DTYPE_TT_I8,     {2, 3}, 0,  false, {0, 0},    HOIST_OK         },
    {"8 bytes each",          48, HOIST_DTYPE_I64,       {2, 3}, 0,  false, {0, 0},    HOIST_OK         },
    {"reversed",              24, HOIST_DTYPE_F32,       {2, 3}, 20, true,  {-12, -4}, HOIST_OK         },
    {"reversed, too low",     24, HOIST_DTYPE_F32,       {2, 3}, 16, true,  {-12, -4}, HOIST_INVALID    },
    {"broadcast",             4,  HOIST_DTYPE_F32,       {9, 9}, 0,  true,  {0, 0},    HOIST_OK         },
    {"overlapping",           12, HOIST_DTYPE_F32,       {3, 3}, 0,  true,  {2, 2},    HOIST_OK         },
    {"overlapping, outside",  11, HOIST_DTYPE_F32,       {3, 3}, 0,  true,  {2, 2},    HOIST_INVALID    },
    {"wraps around",          24, HOIST_DTYPE_F32,       {3, 3}, 0,  true,  {INT64_MAX, 4}, HOIST_LIMIT },
    {"sum wraps around",      24, HOIST_DTYPE_F32,       {2, 2}, 9,  true,  {INT64_MAX, 4}, HOIST_LIMIT },
    {"end wraps around",      24, HOIST_DTYPE_F32,       {2, 1}, 0,  true,  {INT64_MAX, 4}, HOIST_LIMIT },
    {"least stride",          24, HOIST_DTYPE_F32,       {2, 2}, 0,  true,  {INT64_MIN, 4}, HOIST_INVALID},
    {"least stride, twice",   24, HOIST_DTYPE_F32,       {3, 2}, 0,  true,  {INT64_MIN, 4}, HOIST_LIMIT },
    {"no elements",           0,  HOIST_DTYPE_F32,       {0, 3}, 99, true,  {5, 5},    HOIST_OK         },
    {"block float",           99, HOIST_DTYPE_TT_BFP8B,  {2, 3}, 0,  false, {0, 0},    HOIST_UNSUPPORTED},
    {"no type",               99, HOIST_DTYPE_NONE,      {2, 3}, 0,  false, {0, 0},    HOIST_UNSUPPORTED},
    {"huge",                  99, HOIST_DTYPE_F64,       {INT64_MAX, 1}, 0, false, {0, 0}, HOIST_LIMIT  },
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
        hoist_view_scatter(&view, values);
        hoist_view_gather(&view, values);
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
    float values[6];
    hoist_view_gather(&view, values);
    static const float wanted[6] = {1, 4, 2, 5, 3, 6};
    for (size_t i = 0; i < 6; i++) {
        HOIST_EXPECT(t, values[i] == wanted[i]);
        values[i] = -values[i];
    }
    hoist_view_scatter(&view, values);
    HOIST_EXPECT_EQ(t, bytes[3], 0xc0);
    const int64_t last[HOIST_MAX_RANK] = {2, 1};
    HOIST_EXPECT_EQ(t, hoist_view_load(&view, last), 0xc0c0);
    hoist_view_store(&view, last, 0x1234);
    HOIST_EXPECT_EQ(t, bytes[10], 0x34);
    HOIST_EXPECT_EQ(t, bytes[11], 0x12);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(view_init), HOIST_TEST_ROW(view_strides_in_c_order),
                HOIST_TEST_ROW(view_reads_and_writes_elements))
