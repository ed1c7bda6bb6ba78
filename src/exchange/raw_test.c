#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "exchange/raw.h"
#include "testing/test.h"

static const uint8_t elements[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

// clang-format off
static const struct {
    const char *name;
    hoist_array array; // type and shape
    size_t file_size;
    hoist_status want;
} cases[] = {
    {"exact",          {.dtype = HOIST_DTYPE_I16, .rank = 2, .shape = {2, 3}}, 12, HOIST_OK},
    {"scalar",         {.dtype = HOIST_DTYPE_U64},                              8, HOIST_OK},
    {"bf16",           {.dtype = HOIST_DTYPE_BF16, .rank = 1, .shape = {6}},   12, HOIST_OK},
    {"empty",          {.dtype = HOIST_DTYPE_F32, .rank = 2, .shape = {0, 9}},  0, HOIST_OK},
    {"one byte less",  {.dtype = HOIST_DTYPE_I16, .rank = 2, .shape = {2, 3}}, 11, HOIST_INVALID},
    {"one byte more",  {.dtype = HOIST_DTYPE_U8, .rank = 1, .shape = {11}},    12, HOIST_INVALID},
    {"empty file",     {.dtype = HOIST_DTYPE_U8},                               0, HOIST_INVALID},
    {"too large",      {.dtype = HOIST_DTYPE_F64, .rank = 2, .shape = {INT64_MAX, 2}}, 12,
     HOIST_INVALID},
};
// clang-format on

HOIST_TEST_TABLE(wants_exactly_the_bytes, cases)
{
    hoist_array array = row->array;
    const hoist_bytes file = hoist_test_exact(t, (hoist_bytes){elements, row->file_size});
    HOIST_EXPECT_EQ(t, hoist_raw_read(file, t->diag, &array), row->want);
    HOIST_EXPECT_RULE(t, row->want == HOIST_OK ? NULL : "RAW-001");
    HOIST_EXPECT_EQ(t, array.data.size, row->want == HOIST_OK ? row->file_size : 0);
    HOIST_EXPECT(t, !array.owned);
}

HOIST_TEST(writes_what_it_read)
{
    char path[] = "/tmp/hoist-raw-XXXXXX";
    HOIST_EXPECT_EQ(t, close(mkstemp(path)), 0);
    hoist_array array = {.dtype = HOIST_DTYPE_F32, .rank = 1, .shape = {3}};
    HOIST_EXPECT_EQ(t, hoist_raw_read((hoist_bytes){elements, 12}, t->diag, &array), HOIST_OK);
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, path, NULL, t->diag), HOIST_OK);
    hoist_raw_write(&array, &out);
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_OK);
    const hoist_bytes got = hoist_test_file(t, path);
    HOIST_EXPECT(t, hoist_str_equal((hoist_str){(const char *)got.data, got.size},
                                    (hoist_str){(const char *)elements, sizeof(elements)}));
    HOIST_EXPECT_EQ(t, unlink(path), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(wants_exactly_the_bytes), HOIST_TEST_ROW(writes_what_it_read))
