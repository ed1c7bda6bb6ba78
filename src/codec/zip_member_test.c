// Members of ZIP archives: stored and deflated, alone and after other bytes; damaged in any byte.
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "codec/zip_member.h"
#include "testing/test.h"

enum { GZIP_HEAD = 10, GZIP_TAIL = 8, STORED = 0, DEFLATED = 8 };

typedef struct member {
    const char *name;
    const char *text;
    uint16_t method;
} member;

static void add_u16(hoist_buffer *out, uint32_t value)
{
    uint8_t bytes[2];
    hoist_store_u16le(bytes, (uint16_t)value);
    hoist_buffer_add(out, (hoist_bytes){bytes, 2});
}

static void add_u32(hoist_buffer *out, uint32_t value)
{
    add_u16(out, value & 0xffff);
    add_u16(out, value >> 16);
}

static void add_head(hoist_buffer *out, const member *m, uint32_t packed)
{
    const hoist_bytes bytes = {(const uint8_t *)m->text, strlen(m->text)};
    add_u16(out, 20);
    add_u16(out, 0);
    add_u16(out, m->method);
    add_u32(out, 0);
    add_u32(out, hoist_crc32(bytes));
    add_u32(out, packed);
    add_u32(out, (uint32_t)bytes.size);
    add_u16(out, (uint32_t)strlen(m->name));
    add_u16(out, 0);
}

// `before`, then an archive whose offsets count from its own begin or, `absolute`, from the file's.
static hoist_bytes zip_of(hoist_test *t, const char *before, bool absolute, const member *members,
                          size_t count)
{
    hoist_buffer out;
    uint32_t at[4];
    uint32_t packed[4];
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, before);
    const uint32_t begin = absolute ? 0 : (uint32_t)out.size;
    for (size_t i = 0; i < count; i++) {
        hoist_buffer gzip;
        hoist_buffer_init(&gzip, hoist_allocator_system());
        const hoist_bytes text = {(const uint8_t *)members[i].text, strlen(members[i].text)};
        HOIST_EXPECT_EQ(t, hoist_gzip_write(text, 9, NULL, &gzip), HOIST_OK);
        const hoist_bytes deflated = {gzip.data + GZIP_HEAD, gzip.size - GZIP_HEAD - GZIP_TAIL};
        const hoist_bytes data = members[i].method == DEFLATED ? deflated : text;
        at[i] = (uint32_t)out.size - begin;
        packed[i] = (uint32_t)data.size;
        add_u32(&out, 0x04034b50);
        add_head(&out, &members[i], packed[i]);
        hoist_buffer_c(&out, members[i].name);
        hoist_buffer_add(&out, data);
        hoist_buffer_deinit(&gzip);
    }
    const uint32_t directory = (uint32_t)out.size - begin;
    for (size_t i = 0; i < count; i++) {
        add_u32(&out, 0x02014b50);
        add_u16(&out, 20);
        add_head(&out, &members[i], packed[i]);
        for (int k = 0; k < 5; k++) { // comment, disk, attributes
            add_u16(&out, 0);
        }
        add_u32(&out, at[i]);
        hoist_buffer_c(&out, members[i].name);
    }
    const uint32_t size = (uint32_t)out.size - begin - directory;
    add_u32(&out, 0x06054b50);
    add_u32(&out, 0);
    add_u16(&out, (uint32_t)count);
    add_u16(&out, (uint32_t)count);
    add_u32(&out, size);
    add_u32(&out, directory);
    add_u16(&out, 0);
    const hoist_bytes file = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return file;
}

static const member members[] = {
    {"labels.txt", "cat\ndog\n", STORED},
    {"more.txt", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", DEFLATED},
    {"labels.txt", "second", STORED},
    {"odd", "packed", 12},
};

HOIST_TEST(members_are_found)
{
    static const char *const befores[] = {"", "", "a model", "a model"};
    for (size_t i = 0; i < HOIST_COUNT_OF(befores); i++) {
        const hoist_bytes file = zip_of(t, befores[i], i & 1, members, HOIST_COUNT_OF(members));
        for (size_t k = 0; k < 2; k++) {
            hoist_buffer out;
            hoist_buffer_init(&out, hoist_allocator_system());
            HOIST_EXPECT_EQ(t,
                            hoist_zip_member(file, hoist_str_from(members[k].name), 1 << 20, &out),
                            HOIST_OK);
            HOIST_EXPECT_STR(t, hoist_buffer_text(&out), members[k].text);
            hoist_buffer_deinit(&out);
        }
    }
}

HOIST_TEST(others_are_not)
{
    static const struct {
        const char *name;
        size_t most;
        hoist_status status;
    } rows[] = {
        {"none", 100, HOIST_NOT_FOUND},
        {"odd", 100, HOIST_UNSUPPORTED},
        {"labels.txt", 7, HOIST_LIMIT},
        {"labels.txt", 8, HOIST_OK},
    };
    const hoist_bytes file = zip_of(t, "x", false, members, HOIST_COUNT_OF(members));
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_zip_member(file, hoist_str_from(rows[i].name), rows[i].most, &out),
                        rows[i].status);
        HOIST_EXPECT(t, (rows[i].status == HOIST_OK) == (out.size != 0));
        hoist_buffer_deinit(&out);
    }
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t size = 0; size < 40; size++) {
        const hoist_bytes none = hoist_test_exact(t, (hoist_bytes){file.data, size});
        HOIST_EXPECT_EQ(t, hoist_zip_member(none, HOIST_STR("x"), 9, &out), HOIST_NOT_FOUND);
    }
    hoist_buffer_deinit(&out);
}

// A changed byte gives the member's bytes or none, and nothing is read beyond the file.
HOIST_TEST(damaged_archives)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    const hoist_bytes file = zip_of(t, "x", false, members, 2);
    uint8_t copy[512];
    HOIST_EXPECT(t, file.size < sizeof(copy));
    for (size_t i = 0; i < file.size * HOIST_COUNT_OF(changes); i++) {
        memcpy(copy, file.data, file.size);
        copy[i / HOIST_COUNT_OF(changes)] ^= changes[i % HOIST_COUNT_OF(changes)];
        for (size_t k = 0; k < 2; k++) {
            hoist_buffer out;
            hoist_buffer_init(&out, hoist_allocator_system());
            const hoist_status status =
                hoist_zip_member(hoist_test_exact(t, (hoist_bytes){copy, file.size}),
                                 hoist_str_from(members[k].name), 1 << 20, &out);
            HOIST_EXPECT(t, status != HOIST_OK ||
                                hoist_str_equal_c(hoist_buffer_text(&out), members[k].text));
            HOIST_EXPECT(t, status == HOIST_OK || out.size == 0);
            hoist_buffer_deinit(&out);
        }
    }
}

static hoist_status read_deflated(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *const file = self;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = hoist_zip_member(*file, HOIST_STR("more.txt"), 1 << 20, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_may_end)
{
    const hoist_bytes file = zip_of(t, "", true, members, 2);
    hoist_test_starve(t, read_deflated, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(members_are_found), HOIST_TEST_ROW(others_are_not),
                HOIST_TEST_ROW(damaged_archives), HOIST_TEST_ROW(memory_may_end))
