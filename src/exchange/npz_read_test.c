// Reading .npz files: what is in them, what is wrong with them, and limits. Archives are made here,
// entry by entry, and by npz.c.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "exchange/array_set_testing.h"
#include "exchange/npy.h"
#include "exchange/zip_library.h"

enum { HEAD = 30, STORED = 0, DEFLATED = 8 };

typedef struct zip_entry {
    const char *name;
    hoist_bytes bytes; // unpacked
    int method;
    uint32_t crc;      // is changed by this
    uint32_t declares; // size; 0: that of the bytes
} zip_entry;

static void add_u16(hoist_buffer *out, uint32_t value)
{
    const uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    hoist_buffer_add(out, (hoist_bytes){bytes, 2});
}

static void add_u32(hoist_buffer *out, uint32_t value)
{
    add_u16(out, value & 0xffff);
    add_u16(out, value >> 16);
}

// What the local header and the directory both have, from the version on.
static void add_head(hoist_buffer *out, const zip_entry *e, uint32_t packed)
{
    add_u16(out, 20);
    add_u16(out, 0x800); // UTF-8
    add_u16(out, (uint32_t)e->method);
    add_u32(out, 33U << 16);
    add_u32(out, hoist_crc32(e->bytes) ^ e->crc);
    add_u32(out, packed);
    add_u32(out, e->declares ? e->declares : (uint32_t)e->bytes.size);
    add_u16(out, (uint32_t)strlen(e->name));
    add_u16(out, 0);
}

// An archive of the entries, in the test's arena.
static hoist_bytes zip_of(hoist_test *t, const zip_entry *entries, size_t count)
{
    enum { GZIP_HEAD = 10, GZIP_TAIL = 8, MOST = 4 };
    hoist_buffer out;
    uint32_t at[MOST];
    uint32_t packed[MOST];
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        const zip_entry *const e = &entries[i];
        hoist_buffer gzip;
        hoist_buffer_init(&gzip, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_gzip_write(e->bytes, 9, NULL, &gzip), HOIST_OK);
        const hoist_bytes deflated = {gzip.data + GZIP_HEAD, gzip.size - GZIP_HEAD - GZIP_TAIL};
        const hoist_bytes data = e->method == DEFLATED ? deflated : e->bytes;
        at[i] = (uint32_t)out.size;
        packed[i] = (uint32_t)data.size;
        add_u32(&out, 0x04034b50);
        add_head(&out, e, packed[i]);
        hoist_buffer_c(&out, e->name);
        hoist_buffer_add(&out, data);
        hoist_buffer_deinit(&gzip);
    }
    const size_t begin = out.size;
    for (size_t i = 0; i < count; i++) {
        add_u32(&out, 0x02014b50);
        add_u16(&out, 20);
        add_head(&out, &entries[i], packed[i]);
        for (int k = 0; k < 5; k++) { // comment, disk, attributes
            add_u16(&out, 0);
        }
        add_u32(&out, at[i]);
        hoist_buffer_c(&out, entries[i].name);
    }
    const size_t size = out.size - begin;
    add_u32(&out, 0x06054b50);
    add_u32(&out, 0);
    add_u16(&out, (uint32_t)count);
    add_u16(&out, (uint32_t)count);
    add_u32(&out, (uint32_t)size);
    add_u32(&out, (uint32_t)begin);
    add_u16(&out, 0);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, out.size);
    memcpy(copy, out.data, out.size);
    const hoist_bytes file = {copy, out.size};
    hoist_buffer_deinit(&out);
    return file;
}

// A .npy file of `count` bytes, all `value`.
static hoist_bytes npy_of(hoist_test *t, int64_t count, uint8_t value)
{
    const hoist_array array = {.dtype = HOIST_DTYPE_U8, .rank = 1, .shape = {count}};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_npy_header_write(&array, t->diag, &out), HOIST_OK);
    uint8_t *const file = hoist_arena_alloc(&t->arena, out.size + (size_t)count);
    memcpy(file, out.data, out.size);
    memset(file + out.size, value, (size_t)count);
    const hoist_bytes bytes = {file, out.size + (size_t)count};
    hoist_buffer_deinit(&out);
    return bytes;
}

// A build without libarchive refuses what the tests below read.
static bool can_unzip(hoist_test *t)
{
    hoist_zip_library zip;
    const char *reason = NULL;
    const bool loads = hoist_zip_load(&zip, &reason);
    hoist_array_set *set = NULL;
    const zip_entry entry = {"a.npy", npy_of(t, 1, 1), STORED, 0, 0};
    HOIST_EXPECT_EQ(t, read_set(t, zip_of(t, &entry, 1), &set),
                    loads ? HOIST_OK : HOIST_UNSUPPORTED);
    if (loads) {
        hoist_zip_unload(&zip);
    } else {
        HOIST_EXPECT(t, reason != NULL);
        HOIST_EXPECT_RULE(t, "RAW-007");
    }
    hoist_array_set_destroy(set);
    return loads;
}

HOIST_TEST(npz_is_read)
{
    const zip_entry entries[] = {
        {"op:matmul.npy", npy_of(t, 3, 7), STORED, 0, 0},
        {"rank1/", {NULL, 0}, STORED, 0, 0},
        {"rank1/\xc3\xa4.npy", npy_of(t, 5000, 9), DEFLATED, 0, 0},
        {"none.npy", npy_of(t, 0, 0), DEFLATED, 0, 0},
    };
    hoist_array_set *set = NULL;
    hoist_array array;
    if (!can_unzip(t)) {
        return;
    }
    HOIST_EXPECT_EQ(t, read_set(t, zip_of(t, entries, 4), &set), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_count(set), 3);
    HOIST_EXPECT_STR(t, hoist_array_set_at(set, 0, &array), "op:matmul");
    HOIST_EXPECT(t, array.data.size == 3 && memcmp(array.data.data, "\7\7\7", 3) == 0);
    HOIST_EXPECT_STR(t, hoist_array_set_at(set, 1, &array), "rank1/\xc3\xa4");
    HOIST_EXPECT(t, array.data.size == 5000 && array.data.data[4999] == 9);
    HOIST_EXPECT_STR(t, hoist_array_set_at(set, 2, &array), "none");
    HOIST_EXPECT_EQ(t, array.data.size, 0);
    hoist_array_set_destroy(set);
}

HOIST_TEST(npz_without_arrays)
{
    const hoist_bytes end = zip_of(t, NULL, 0);
    hoist_array_set *set = NULL;
    HOIST_EXPECT_EQ(t, read_set(t, end, &set), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_count(set), 0);
    hoist_array_set_destroy(set);
    HOIST_EXPECT_EQ(t, read_set(t, (hoist_bytes){end.data, end.size - 1}, &set), HOIST_TRUNCATED);
    HOIST_EXPECT_RULE(t, "RAW-005");
}

HOIST_TEST(npz_of_our_own)
{
    hoist_array_set *set = NULL;
    hoist_array_set *again = NULL;
    hoist_mut_bytes file;
    const uint8_t big_endian[4] = {0x3f, 0x80, 0, 0};
    hoist_array array = {.dtype = HOIST_DTYPE_F32, .data = {big_endian, 4}};
    if (!can_unzip(t)) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_array_set_create(hoist_allocator_system(), &set), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_add(set, HOIST_STR("x"), &array), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_npz(set, t->diag, &file), HOIST_OK);
    HOIST_EXPECT_EQ(t, read_set(t, (hoist_bytes){file.data, file.size}, &again), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_array_set_at(again, 0, &array), "x");
    HOIST_EXPECT(t, array.rank == 0 && memcmp(array.data.data, big_endian, 4) == 0);
    hoist_array_set_destroy(again);
    // As another machine writes it: the array owns what had to be copied.
    uint8_t *const order = memchr(file.data, '<', file.size);
    *order = '>';
    const size_t npy = HEAD + strlen("x.npy");
    const size_t size = hoist_load_u32le(file.data + 22);
    const uint32_t crc = hoist_crc32((hoist_bytes){file.data + npy, size});
    hoist_store_u32le(file.data + 14, crc);
    hoist_store_u32le(file.data + npy + size + 16, crc);
    HOIST_EXPECT_EQ(t, read_set(t, (hoist_bytes){file.data, file.size}, &again), HOIST_OK);
    (void)hoist_array_set_at(again, 0, &array);
    HOIST_EXPECT(t, array.data.data[3] == 0x3f && array.data.data[0] == 0);
    hoist_array_set_destroy(again);
    hoist_array_set_free_bytes(set, file);
    hoist_array_set_destroy(set);
}

HOIST_TEST(wrong_npz)
{
    const hoist_bytes npy = npy_of(t, 2000, 1);
    // clang-format off
    const struct {
        const char *name;
        zip_entry entries[2];
        size_t count;
        hoist_status status;
        const char *rule;
    } cases[] = {
        {"another CRC", {{"a.npy", npy, STORED, 1, 0}}, 1, HOIST_INVALID, "RAW-005"},
        {"another CRC, deflated", {{"a.npy", npy, DEFLATED, 1, 0}}, 1, HOIST_INVALID, "RAW-005"},
        {"no .npy file", {{"a.txt", npy, STORED, 0, 0}}, 1, HOIST_INVALID, "RAW-005"},
        {"no array", {{"a.npy", {(const uint8_t *)"text", 4}, STORED, 0, 0}}, 1, HOIST_INVALID, "NPY-001"},
        {"a name twice", {{"a.npy", npy, STORED, 0, 0}, {"a.npy", npy, STORED, 0, 0}}, 2, HOIST_INVALID, "RAW-008"},
        {"a larger size", {{"a.npy", npy, DEFLATED, 0, 2200}}, 1, HOIST_INVALID, "RAW-005"},
        {"a smaller size", {{"a.npy", npy, DEFLATED, 0, 2000}}, 1, HOIST_INVALID, "RAW-005"},
        {"a method that nothing reads", {{"a.npy", npy, 99, 0, 0}}, 1, HOIST_INVALID, "RAW-005"},
    };
    // clang-format on
    if (!can_unzip(t)) {
        return;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        hoist_test_row(t, cases[i].name);
        hoist_array_set *set = NULL;
        const hoist_bytes file = zip_of(t, cases[i].entries, cases[i].count);
        HOIST_EXPECT_EQ(t, read_set(t, file, &set), cases[i].status);
        HOIST_EXPECT_RULE(t, cases[i].rule);
        HOIST_EXPECT(t, set == NULL);
    }
}

// All entries together have at most 1,032 bytes for each byte of the file.
HOIST_TEST(npz_that_declares_much)
{
    const hoist_bytes npy = npy_of(t, 2000, 1);
    zip_entry entries[] = {{"a.npy", npy, DEFLATED, 0, 0}, {"b.npy", npy, DEFLATED, 0, 0}};
    if (!can_unzip(t)) {
        return;
    }
    const size_t most = 1032 * zip_of(t, entries, 2).size - npy.size;
    for (uint32_t more = 0; more < 2; more++) {
        hoist_array_set *set = NULL;
        entries[1].declares = (uint32_t)most + more;
        HOIST_EXPECT_EQ(t, read_set(t, zip_of(t, entries, 2), &set),
                        more ? HOIST_LIMIT : HOIST_INVALID);
        HOIST_EXPECT_RULE(t, more ? "RAW-006" : "RAW-005");
    }
}

// What is cut off is missed, wherever; with the directory at the end, always.
HOIST_TEST(npz_that_is_cut)
{
    const zip_entry entries[] = {{"a.npy", npy_of(t, 2, 1), STORED, 0, 0}};
    if (!can_unzip(t)) {
        return;
    }
    const hoist_bytes file = zip_of(t, entries, 1);
    for (size_t size = 0; size < file.size; size++) {
        hoist_array_set *set = NULL;
        HOIST_EXPECT(t, read_set(t, (hoist_bytes){file.data, size}, &set) != HOIST_OK);
        HOIST_EXPECT(t, set == NULL && hoist_diag_count(t->diag, HOIST_ERROR) == size + 1);
    }
    // Four bytes are enough to know that it is an archive.
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_diag_at(t->diag, 3)->rule->id), "RAW-004");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_diag_at(t->diag, 4)->rule->id), "RAW-005");
}

HOIST_TEST(memory_and_time)
{
    const zip_entry entry = {"a.npy", npy_of(t, 2, 1), DEFLATED, 0, 0};
    if (can_unzip(t)) {
        expect_memory_and_time(t, zip_of(t, &entry, 1));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(npz_is_read), HOIST_TEST_ROW(npz_without_arrays),
                HOIST_TEST_ROW(npz_of_our_own), HOIST_TEST_ROW(wrong_npz),
                HOIST_TEST_ROW(npz_that_declares_much), HOIST_TEST_ROW(npz_that_is_cut),
                HOIST_TEST_ROW(memory_and_time))
