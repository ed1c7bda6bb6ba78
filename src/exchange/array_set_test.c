// Arrays with names as .npz and safetensors files.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/tree.h"
#include "codec/gzip.h"
#include "exchange/array_set.h"
#include "exchange/npy.h"
#include "testing/test.h"

static const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static hoist_array array_of(hoist_dtype dtype, uint32_t rank, int64_t extent, size_t size)
{
    return (hoist_array){.dtype = dtype, .rank = rank, .shape = {extent}, .data = {bytes, size}};
}

// Two arrays and the notes of `notes`.
static hoist_status fill(hoist_array_set *set, bool notes)
{
    const hoist_array first = array_of(HOIST_DTYPE_I8, 1, 3, 3);
    const hoist_array second = array_of(HOIST_DTYPE_F32, 0, 0, 4);
    HOIST_TRY(hoist_array_set_add(set, HOIST_STR("layers/0/weights"), &first));
    HOIST_TRY(hoist_array_set_add(set, HOIST_STR("../\"x\""), &second));
    if (!notes) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_array_set_note(set, "made by", HOIST_STR("a \"test\"")));
    HOIST_TRY(hoist_array_set_digest(set, "sha256", (hoist_bytes){(const uint8_t *)"abc", 3}));
    hoist_tree_sink *sink = hoist_array_set_begin_tree(set, "tree");
    hoist_tree_uint(sink, "a", 1, HOIST_UNIT_NONE);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_list(sink, "people");
    hoist_tree_uint(sink, "", 2, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_c(sink, "b", "c");
    sink->audience = HOIST_TREE_FOR_ALL;
    return hoist_array_set_end_tree(set);
}

static hoist_array_set *set_of(hoist_test *t, bool notes)
{
    hoist_array_set *set = NULL;
    HOIST_EXPECT_EQ(t, hoist_array_set_create(hoist_allocator_system(), &set), HOIST_OK);
    HOIST_EXPECT_EQ(t, fill(set, notes), HOIST_OK);
    return set;
}

HOIST_TEST(safetensors)
{
    static const char header[] =
        "{\"__metadata__\":{\"made by\":\"a \\\"test\\\"\","
        "\"sha256\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\","
        "\"tree\":\"{\\\"a\\\":1,\\\"b\\\":\\\"c\\\"}\"},"
        "\"../\\\"x\\\"\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]},"
        "\"layers/0/weights\":{\"dtype\":\"I8\",\"shape\":[3],\"data_offsets\":[4,7]}}";
    hoist_array_set *set = set_of(t, true);
    hoist_mut_bytes out;
    HOIST_EXPECT_EQ(t, hoist_array_set_safetensors(set, t->diag, &out), HOIST_OK);
    const uint64_t length = hoist_load_u64le(out.data);
    HOIST_EXPECT_EQ(t, length % 8, 0);
    HOIST_EXPECT_EQ(t, out.size, 8 + length + 7);
    HOIST_EXPECT_STR(t, ((hoist_str){(const char *)out.data + 8, sizeof(header) - 1}), header);
    for (size_t i = sizeof(header) - 1; i < length; i++) {
        HOIST_EXPECT_EQ(t, out.data[8 + i], ' ');
    }
    HOIST_EXPECT(t, memcmp(out.data + 8 + length, "\1\2\3\4\1\2\3", 7) == 0);
    hoist_array_set_free_bytes(set, out);
    hoist_array_set_destroy(set);
}

HOIST_TEST(safetensors_without_anything)
{
    hoist_array_set *set = NULL;
    hoist_mut_bytes out;
    HOIST_EXPECT_EQ(t, hoist_array_set_create(hoist_allocator_system(), &set), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_safetensors(set, t->diag, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, ((hoist_str){(const char *)out.data + 8, out.size - 8}), "{}      ");
    hoist_array_set_free_bytes(set, out);
    HOIST_EXPECT_EQ(t, hoist_array_set_npz(set, t->diag, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size, 22);
    hoist_array_set_free_bytes(set, out);
    hoist_array_set_destroy(set);
}

// The entry of the directory at `at`: its name and its array; where the next one is.
static size_t read_entry(hoist_test *t, hoist_bytes file, size_t at, hoist_str *name,
                         hoist_array *array)
{
    HOIST_EXPECT_EQ(t, hoist_load_u32le(file.data + at), 0x02014b50);
    const uint32_t crc = hoist_load_u32le(file.data + at + 16);
    static const uint8_t nothing[12]; // no extra field, comment, disk, attributes
    HOIST_EXPECT(t, memcmp(file.data + at + 30, nothing, sizeof(nothing)) == 0);
    const uint32_t size = hoist_load_u32le(file.data + at + 20);
    const uint16_t length = hoist_load_u16le(file.data + at + 28);
    const uint8_t *local = file.data + hoist_load_u32le(file.data + at + 42);
    *name = (hoist_str){(const char *)file.data + at + 46, length};
    HOIST_EXPECT_EQ(t, hoist_load_u32le(local), 0x04034b50);
    HOIST_EXPECT(t, memcmp(local + 4, file.data + at + 6, 26) == 0);
    HOIST_EXPECT(t, memcmp(local + 30, name->data, length) == 0);
    const hoist_bytes npy = {local + 30 + length, size};
    HOIST_EXPECT_EQ(t, hoist_crc32(npy), crc);
    HOIST_EXPECT_EQ(t, hoist_npy_read(npy, hoist_allocator_system(), t->diag, array), HOIST_OK);
    return at + 46 + length;
}

// Of names that lose what tells them apart, the later ones get numbers, which may meet others.
HOIST_TEST(names_of_npz_are_apart)
{
    static const char *const names[] = {"a:b", "a_b", "a_b_2", "a\\b", "c"};
    static const char *const written[] = {"a_b.npy", "a_b_2.npy", "a_b_2_2.npy", "a_b_3.npy",
                                          "c.npy"};
    const hoist_array array = array_of(HOIST_DTYPE_I8, 1, 3, 3);
    hoist_array_set *set = NULL;
    hoist_mut_bytes out;
    HOIST_EXPECT_EQ(t, hoist_array_set_create(hoist_allocator_system(), &set), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        HOIST_EXPECT_EQ(t, hoist_array_set_add(set, hoist_str_from(names[i]), &array), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_array_set_npz(set, t->diag, &out), HOIST_OK);
    const hoist_bytes file = {out.data, out.size};
    size_t at = hoist_load_u32le(out.data + out.size - 22 + 16);
    for (size_t i = 0; i < HOIST_COUNT_OF(written); i++) {
        hoist_array read;
        hoist_str name;
        at = read_entry(t, file, at, &name, &read);
        HOIST_EXPECT_STR(t, name, written[i]);
    }
    hoist_array_set_free_bytes(set, out);
    hoist_array_set_destroy(set);
}

HOIST_TEST(npz)
{
    hoist_array_set *set = set_of(t, true);
    hoist_mut_bytes out;
    hoist_array array;
    hoist_str name;
    HOIST_EXPECT_EQ(t, hoist_array_set_npz(set, t->diag, &out), HOIST_OK);
    const hoist_bytes file = {out.data, out.size};
    const size_t end = out.size - 22;
    HOIST_EXPECT_EQ(t, hoist_load_u32le(out.data + end), 0x06054b50);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(out.data + end + 4), 0); // disks
    HOIST_EXPECT_EQ(t, hoist_load_u16le(out.data + end + 8), 2);
    HOIST_EXPECT_EQ(t, hoist_load_u16le(out.data + end + 10), 2);
    HOIST_EXPECT_EQ(t, hoist_load_u16le(out.data + end + 20), 0); // comment
    size_t at = hoist_load_u32le(out.data + end + 16);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(out.data + end + 12), end - at);
    at = read_entry(t, file, at, &name, &array);
    HOIST_EXPECT_STR(t, name, "layers/0/weights.npy");
    HOIST_EXPECT(t, array.dtype == HOIST_DTYPE_I8 && array.rank == 1 && array.shape[0] == 3);
    HOIST_EXPECT(t, memcmp(array.data.data, bytes, 3) == 0);
    at = read_entry(t, file, at, &name, &array);
    HOIST_EXPECT_STR(t, name, "_./\"x\".npy");
    HOIST_EXPECT(t, array.dtype == HOIST_DTYPE_F32 && array.rank == 0 && array.data.size == 4);
    HOIST_EXPECT_EQ(t, at, end);
    hoist_array_set_free_bytes(set, out);
    hoist_array_set_destroy(set);
}

HOIST_TEST(what_is_refused)
{
    hoist_array_set *set = set_of(t, false);
    hoist_array odd = array_of(HOIST_DTYPE_TT_RAW32, 1, 2, 8);
    hoist_mut_bytes out;
    HOIST_EXPECT_EQ(t, hoist_array_set_add(set, HOIST_STR("layers/0/weights"), &odd), HOIST_BUSY);
    HOIST_EXPECT_EQ(t, hoist_array_set_add(set, HOIST_STR("odd"), &odd), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_safetensors(set, t->diag, &out), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RAW-002");
    HOIST_EXPECT_EQ(t, hoist_array_set_npz(set, t->diag, &out), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "NPY-016");
    HOIST_EXPECT(t, out.data == NULL);
    hoist_array_set_destroy(set);
}

HOIST_TEST(too_many_arrays)
{
    hoist_array_set *set = NULL;
    const hoist_array array = array_of(HOIST_DTYPE_U8, 1, 0, 0);
    hoist_mut_bytes out;
    HOIST_EXPECT_EQ(t, hoist_array_set_create(hoist_allocator_system(), &set), HOIST_OK);
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        uint8_t name[4];
        hoist_store_u32le(name, i);
        HOIST_EXPECT_EQ(t, hoist_array_set_add(set, (hoist_str){(const char *)name, 4}, &array),
                        HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_array_set_npz(set, t->diag, &out), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "RAW-003");
    hoist_array_set_destroy(set);
}

static hoist_status write_both(hoist_allocator alloc, const void *self)
{
    hoist_array_set *set = NULL;
    hoist_mut_bytes out;
    (void)self;
    HOIST_TRY(hoist_array_set_create(alloc, &set));
    hoist_status status = fill(set, true);
    if (status == HOIST_OK) {
        status = hoist_array_set_safetensors(set, NULL, &out);
        hoist_array_set_free_bytes(set, out);
    }
    if (status == HOIST_OK) {
        status = hoist_array_set_npz(set, NULL, &out);
        hoist_array_set_free_bytes(set, out);
    }
    hoist_array_set_destroy(set);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    hoist_test_starve(t, write_both, NULL);
    hoist_array_set_destroy(NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(safetensors), HOIST_TEST_ROW(safetensors_without_anything),
                HOIST_TEST_ROW(npz), HOIST_TEST_ROW(names_of_npz_are_apart),
                HOIST_TEST_ROW(what_is_refused), HOIST_TEST_ROW(too_many_arrays),
                HOIST_TEST_ROW(memory_runs_out))
