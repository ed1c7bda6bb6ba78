// NumPy's codes: what each means, in which byte order, and what has no counterpart.
#include "base/span.h"
#include "tensor/npy_code.h"
#include "testing/test.h"

static const struct {
    const char *name; // the descr
    hoist_dtype dtype;
    bool is_big_endian;
    const char *refused;
} codes[] = {
    // clang-format off
    {"<f4",  HOIST_DTYPE_F32,      false, "floats of this size"},
    {">f4",  HOIST_DTYPE_F32,      true,  "floats of this size"},
    {"=i8",  HOIST_DTYPE_I64,      false, NULL},
    {"|u1",  HOIST_DTYPE_U8,       false, NULL},
    {">u1",  HOIST_DTYPE_U8,       false, NULL},
    {"|u2",  HOIST_DTYPE_NONE,     false, NULL},
    {"|b1",  HOIST_DTYPE_BOOL,     false, NULL},
    {">V2",  HOIST_DTYPE_TT_RAW16, false, "bit patterns of this size"},
    {"|V2",  HOIST_DTYPE_TT_RAW16, false, "bit patterns of this size"},
    {"|V3",  HOIST_DTYPE_NONE,     false, "bit patterns of this size"},
    {"<f16", HOIST_DTYPE_NONE,     false, "floats of this size"},
    {"<c8",  HOIST_DTYPE_NONE,     false, "complex numbers"},
    {"|O",   HOIST_DTYPE_NONE,     false, "Python objects"},
    {"|S10", HOIST_DTYPE_NONE,     false, "byte strings"},
    {"<U3",  HOIST_DTYPE_NONE,     false, "text"},
    {"<U3x", HOIST_DTYPE_NONE,     false, NULL},
    {"<M8[ns]", HOIST_DTYPE_NONE,  false, "dates"},
    {"<m8[s]",  HOIST_DTYPE_NONE,  false, "durations"},
    {"<c8[ns]", HOIST_DTYPE_NONE,  false, NULL},
    {"<q8",  HOIST_DTYPE_NONE,     false, NULL},
    {"<",    HOIST_DTYPE_NONE,     false, NULL},
    {"",     HOIST_DTYPE_NONE,     false, NULL},
    // clang-format on
};

HOIST_TEST_TABLE(codes_of_numpy, codes)
{
    bool is_big_endian = !row->is_big_endian;
    HOIST_EXPECT_EQ(t, hoist_npy_dtype(hoist_str_from(row->name), &is_big_endian), row->dtype);
    HOIST_EXPECT_EQ(t, is_big_endian, row->is_big_endian);
    const char *refused = hoist_npy_refused(hoist_str_from(row->name));
    HOIST_EXPECT_STR(t, hoist_str_from(refused ? refused : "none"),
                     row->refused ? row->refused : "none");
}

HOIST_TEST(codes_of_types)
{
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_npy_code(HOIST_DTYPE_F16)), "f2");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_npy_code(HOIST_DTYPE_TT_RAW8)), "V1");
    HOIST_EXPECT(t, hoist_npy_code(HOIST_DTYPE_BF16) == NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(codes_of_numpy), HOIST_TEST_ROW(codes_of_types))
