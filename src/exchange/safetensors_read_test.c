// Reading safetensors files: what is in them, what is wrong with them, and limits.
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "exchange/array_set_testing.h"

// The header as it is, its length before it, and `size` bytes of data: 0, 1, 2 ...
static hoist_bytes tensors(hoist_test *t, const char *header, size_t size)
{
    const hoist_str text = hoist_str_from(header);
    uint8_t *const file = hoist_arena_alloc(&t->arena, 8 + text.size + size);
    hoist_store_u64le(file, text.size);
    memcpy(file + 8, text.data, text.size);
    for (size_t i = 0; i < size; i++) {
        file[8 + text.size + i] = (uint8_t)i;
    }
    return (hoist_bytes){file, 8 + text.size + size};
}

#define A(dtype, shape, offsets)                                                                   \
    "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

HOIST_TEST(safetensors_are_read)
{
    const hoist_bytes file =
        tensors(t,
                "{\"__metadata__\":{\"k\":\"v\"},"
                "\"b\\u00e4\":{\"shape\":[],\"dtype\":\"BF16\",\"data_offsets\":[12,14]},"
                "\"none\":{\"dtype\":\"I8\",\"shape\":[3,0],\"data_offsets\":[12,12],\"more\":1},"
                "\"a\":{\"data_offsets\":[0,12],\"dtype\":\"U16\",\"shape\":[2,3]}}   ",
                14);
    hoist_array_set *set = NULL;
    hoist_array array;
    HOIST_EXPECT_EQ(t, read_set(t, file, &set), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_count(set), 3);
    HOIST_EXPECT_STR(t, hoist_array_set_at(set, 0, &array), "b\xc3\xa4");
    HOIST_EXPECT(t, array.dtype == HOIST_DTYPE_BF16 && array.rank == 0 && array.data.size == 2);
    HOIST_EXPECT_EQ(t, array.data.data[0], 12);
    HOIST_EXPECT_STR(t, hoist_array_set_at(set, 1, &array), "none");
    HOIST_EXPECT(t, array.rank == 2 && array.shape[1] == 0 && array.data.size == 0);
    HOIST_EXPECT_STR(t, hoist_array_set_at(set, 2, &array), "a");
    HOIST_EXPECT(t, array.dtype == HOIST_DTYPE_U16 && array.rank == 2 && array.shape[0] == 2 &&
                        array.shape[1] == 3 && array.data.size == 12 && array.data.data[11] == 11);
    hoist_array_set_destroy(set);
}

// clang-format off
static const struct {
    const char *name;
    const char *header;
    size_t size; // of the data
    hoist_status status;
    const char *rule;
} refused[] = {
    {"no arrays, but data", "{}", 1, HOIST_INVALID, "RAW-010"},
    {"neither header nor archive", "[1]", 0, HOIST_INVALID, "RAW-004"},
    {"a header of one byte", "{", 8, HOIST_TRUNCATED, "JSON-002"},
    {"no JSON", "{\"a\"}", 0, HOIST_INVALID, "JSON-010"},
    {"another value", "{} {}", 0, HOIST_INVALID, "JSON-012"},
    {"an array that is no object", "{\"a\":1}", 0, HOIST_INVALID, "RAW-009"},
    {"without dtype", "{\"a\":{\"shape\":[],\"data_offsets\":[0,0]}}", 0, HOIST_INVALID, "RAW-009"},
    {"without shape", "{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,0]}}", 0, HOIST_INVALID, "RAW-009"},
    {"without data_offsets", "{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}", 0, HOIST_INVALID, "RAW-009"},
    {"another code", A("\"F4\"", "[2]", "[0,1]"), 1, HOIST_UNSUPPORTED, "RAW-009"},
    {"a code that is no string", A("8", "[1]", "[0,1]"), 1, HOIST_UNSUPPORTED, "RAW-009"},
    {"a shape that is no list", A("\"U8\"", "1", "[0,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"a negative extent", A("\"U8\"", "[-1]", "[0,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"an extent with a fraction", A("\"U8\"", "[1.0]", "[0,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"33 dimensions", A("\"U8\"", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"32 dimensions", A("\"U8\"", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"), 1, HOIST_OK, ""},
    {"2^63 bytes", A("\"U8\"", "[4611686018427387904,2]", "[0,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"fewer bytes than the shape", A("\"U8\"", "[2]", "[0,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"more bytes than the shape", A("\"U8\"", "[1]", "[0,2]"), 2, HOIST_INVALID, "RAW-009"},
    {"offsets that are no list", A("\"U8\"", "[1]", "1"), 1, HOIST_INVALID, "RAW-009"},
    {"three offsets", A("\"U8\"", "[1]", "[0,1,1]"), 1, HOIST_INVALID, "RAW-009"},
    {"a negative offset", A("\"U8\"", "[1]", "[-1,0]"), 1, HOIST_INVALID, "RAW-009"},
    {"the end before the begin", A("\"U8\"", "[1]", "[1,0]"), 1, HOIST_INVALID, "RAW-009"},
    {"beyond the file", A("\"U8\"", "[2]", "[0,2]"), 1, HOIST_INVALID, "RAW-009"},
    {"all of the file", A("\"U8\"", "[2]", "[0,2]"), 2, HOIST_OK, ""},
    {"a gap before", A("\"U8\"", "[1]", "[1,2]"), 2, HOIST_INVALID, "RAW-010"},
    {"bytes after", A("\"U8\"", "[1]", "[0,1]"), 2, HOIST_INVALID, "RAW-010"},
    {"two arrays of the same bytes", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, HOIST_INVALID, "RAW-010"},
    {"a name twice", "{\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0, HOIST_INVALID, "RAW-008"},
    {"too deep", "{\"__metadata__\":[[[[[[[[]]]]]]]]}", 0, HOIST_INVALID, "JSON-013"},
};
// clang-format on

HOIST_TEST_TABLE(wrong_safetensors, refused)
{
    hoist_array_set *set = NULL;
    HOIST_EXPECT_EQ(t, read_set(t, tensors(t, row->header, row->size), &set), row->status);
    if (row->rule[0]) {
        HOIST_EXPECT_RULE(t, row->rule);
    }
    HOIST_EXPECT(t, (set != NULL) == (row->status == HOIST_OK));
    hoist_array_set_destroy(set);
}

HOIST_TEST(length_of_the_header)
{
    static const struct {
        uint64_t length;
        hoist_status status;
    } cases[] = {{2, HOIST_OK},
                 {3, HOIST_TRUNCATED},
                 {100000000, HOIST_TRUNCATED},
                 {100000001, HOIST_LIMIT},
                 {UINT64_MAX, HOIST_LIMIT}};
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        const hoist_bytes file = tensors(t, "{}", 0);
        hoist_array_set *set = NULL;
        uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
        memcpy(copy, file.data, file.size);
        hoist_store_u64le(copy, cases[i].length);
        HOIST_EXPECT_EQ(t, read_set(t, (hoist_bytes){copy, file.size}, &set), cases[i].status);
        hoist_array_set_destroy(set);
    }
}

HOIST_TEST(memory_and_time)
{
    expect_memory_and_time(t, tensors(t, A("\"U8\"", "[2]", "[0,2]"), 2));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(safetensors_are_read), HOIST_TEST_ROW(wrong_safetensors),
                HOIST_TEST_ROW(length_of_the_header), HOIST_TEST_ROW(memory_and_time))
