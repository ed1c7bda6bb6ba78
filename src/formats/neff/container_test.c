#include <string.h>

#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/neff/container_testing.h"
#include "formats/neff/header.h"

#define BAD NEFF_TEST_FINDING

// clang-format off
static const struct {
    const char *name;
    bool gzip;
} corpus[] = {
    {"neff/tiny_allreduce_pkg1_pax.neff", false},
    {"neff/tiny_allreduce_pkg2_gnu.neff", true },
};
static const struct {
    const char *name;
    size_t size;
} tiny_members[] = {
    {"kelf-a.json", 129},    {"sg00/pe.json", 63},  {"sg00/pool.bin", 192},
    {"sg00/pe.bin", 64},     {"sg00/dve.json", 65}, {"sg00/dve.bin", 0},    {"sg00/sp.json", 63},
};
// clang-format on

HOIST_TEST_TABLE(corpus_opens, corpus)
{
    const char *const path = hoist_test_corpus(t, row->name);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes file = hoist_test_file(t, path);
    neff_module *m = NULL;
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    memcpy(copy, file.data, file.size);
    HOIST_EXPECT_EQ(t, neff_test_open(t, (hoist_mut_bytes){copy, file.size}, NULL, &m), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    HOIST_EXPECT_EQ(t, m->gzip, row->gzip);
    HOIST_EXPECT_EQ(t, m->member_count, 16);
    for (size_t i = 0; i < HOIST_COUNT_OF(tiny_members); i++) {
        const uint32_t at = neff_member_find(m, hoist_str_from(tiny_members[i].name));
        HOIST_EXPECT(t, at != NEFF_NONE);
        if (at != NEFF_NONE) {
            HOIST_EXPECT_EQ(t, m->members[at].bytes.size, tiny_members[i].size);
        }
    }
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    bool right = false;
    HOIST_EXPECT_EQ(t, neff_verify_hash(m, t->diag, digest, &right), HOIST_OK);
    HOIST_EXPECT(t, right);
    neff_module_free(m);
}

static const neff_test_entry small[] = {
    NEFF_TEST_ENTRY("neff.json", "{}"),
    {.name = {"sg00/", 5}, .flag = '5'},
    NEFF_TEST_ENTRY("./sg00/pe.bin", "0123456789"),
    NEFF_TEST_ENTRY("sg00/wavegraph-bin.json", "{}"),
};
enum { SMALL = HOIST_COUNT_OF(small), SMALL_TAR = 10240 };

HOIST_TEST(members_by_name)
{
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, neff_test_packed(t, 1, small, SMALL), NULL, &m), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    HOIST_EXPECT_EQ(t, m->tar.count, 4);
    HOIST_EXPECT_EQ(t, m->member_count, 3);
    HOIST_EXPECT_EQ(t, neff_member_find(m, HOIST_STR("sg00/pe.bin")), 1);
    HOIST_EXPECT_EQ(t, neff_member_find(m, HOIST_STR("./sg00/pe.bin")), NEFF_NONE);
    HOIST_EXPECT_EQ(t, neff_member_find(m, HOIST_STR("sg00/")), NEFF_NONE);
    HOIST_EXPECT_EQ(t, m->members[2].role, NEFF_ROLE_METADATA);
    // Of a raw archive members are slices of the file.
    HOIST_EXPECT(t, m->members[1].bytes.data > m->file.data);
    HOIST_EXPECT(t, m->members[1].bytes.data < m->file.data + m->file.size);
    neff_module_free(m);
}

// Rules 15, 16 and 20: what is done to the file, and what is said. Codecs have their own tests.
typedef enum damage {
    NOTHING,
    OTHER_PACKING, // gzip with pkg_version 1, plain with 2
    POKE,          // the byte at `at` becomes `value`; from the end when `at` is negative
    CUT,           // `-at` bytes at the end, and data_size says so
    CUT_FILE,      // the same, and data_size does not
    APPEND_ZEROS,  // 512 of them
    APPEND_TEXT,   // "junk"
    NO_ARCHIVE,    // 600 bytes of text
} damage;

static hoist_mut_bytes rewrap(hoist_test *t, uint32_t version, hoist_mut_bytes file, size_t size,
                              const char *tail, size_t tail_size)
{
    const size_t kept = size - NEFF_HEADER_SIZE;
    uint8_t *const payload = hoist_arena_alloc(&t->arena, kept + tail_size);
    memcpy(payload, file.data + NEFF_HEADER_SIZE, kept);
    memcpy(payload + kept, tail, tail_size);
    return neff_test_file(t, version, (hoist_bytes){payload, kept + tail_size});
}

static hoist_mut_bytes damaged(hoist_test *t, uint32_t version, damage kind, int at, uint8_t value)
{
    static const char zeros[600] = "";
    hoist_mut_bytes file = neff_test_packed(t, version, small, SMALL);
    char text[600];
    memset(text, 'x', sizeof(text));
    switch (kind) {
    case NOTHING:
        break;
    case OTHER_PACKING:
        file.data[0] = version == 1 ? 2 : 1;
        break;
    case POKE:
        file.data[at < 0 ? (int)file.size + at : at] = value;
        break;
    case CUT:
        return rewrap(t, version, file, file.size - (size_t)-at, "", 0);
    case CUT_FILE:
        file.size -= (size_t)-at;
        break;
    case APPEND_ZEROS:
        return rewrap(t, version, file, file.size, zeros, 512);
    case APPEND_TEXT:
        return rewrap(t, version, file, file.size, "junk", 4);
    case NO_ARCHIVE:
        return rewrap(t, version, file, NEFF_HEADER_SIZE, text, sizeof(text));
    }
    return file;
}

// clang-format off
static const struct {
    const char *name;
    uint32_t version;
    damage damage;
    int at;
    uint8_t value;
    hoist_status want;
    const char *findings;
} broken[] = {
    {"gzip as it is", 2, NOTHING, 0, 0, HOIST_OK,
     ""},
    {"plain as it is", 1, NOTHING, 0, 0, HOIST_OK,
     ""},
    {"gzip with pkg_version 1", 2, OTHER_PACKING, 0, 0, HOIST_OK,
     BAD("400", "warning", "the archive is in gzip, expected a plain tar with pkg_version 1", "NEFF-015b")},
    {"plain with pkg_version 2", 1, OTHER_PACKING, 0, 0, HOIST_OK,
     BAD("bc", "note", "the 16 bytes of the hash after the MD5 hold a value, expected all 0x00 or all 0x30", "NEFF-007")
     BAD("400", "warning", "the archive is no gzip, expected one with pkg_version 2", "NEFF-015b")},
    {"unknown method", 2, POKE, 1026, 7, HOIST_INVALID,
     BAD("402", "error", "the gzip compression method is 7, expected 8 (deflate)", "NEFF-015a")},
    {"reserved flag", 2, POKE, 1027, 128, HOIST_INVALID,
     BAD("403", "error", "the gzip flags 0x80 have reserved bits set", "NEFF-015a")},
    {"CRC wrong", 2, POKE, -8, 255, HOIST_OK,
     BAD("503", "error", "the gzip stream's CRC32 is 0x32ac4bff, that of its data 0x32ac4b9f", "NEFF-015a")},
    {"ISIZE wrong", 2, POKE, -4, 1, HOIST_OK,
     BAD("507", "error", "the gzip stream's length is 10241, that of its data 10240 (both modulo 2^32)", "NEFF-015a")},
    {"gzip cut in the trailer", 2, CUT, -3, 0, HOIST_OK,
     BAD("508", "error", "the gzip stream ends in its trailer", "NEFF-015a")},
    {"gzip cut in the stream", 2, CUT, -20, 0, HOIST_OK,
     BAD("4f7", "error", "the gzip stream ends in its compressed data", "NEFF-015a")},
    {"gzip cut by the end of the file", 2, CUT_FILE, -20, 0, HOIST_OK,
     BAD("10", "error", "data_size is 267, but only 247 bytes follow the header", "NEFF-004a")
     BAD("4f7", "error", "the gzip stream ends in its compressed data", "NEFF-015a")},
    {"zeros behind the gzip", 2, APPEND_ZEROS, 0, 0, HOIST_OK,
     ""},
    {"text behind the gzip", 2, APPEND_TEXT, 0, 0, HOIST_OK,
     BAD("50b", "warning", "4 bytes follow the gzip stream and its padding", "NEFF-015c")},
    {"checksum wrong", 1, POKE, 1174, 55, HOIST_OK,
     BAD("494", "error", "the tar header's checksum is 7686, that of its bytes 4614", "NEFF-016a")},
    {"one end block", 1, CUT, -6144, 0, HOIST_OK,
     BAD("1200", "warning", "the archive ends with one block of zeros, expected two", "NEFF-016b")},
    {"no end block", 1, CUT, -6656, 0, HOIST_OK,
     BAD("1200", "warning", "the archive ends with no block of zeros, expected two", "NEFF-016b")},
    {"a member past the end", 1, CUT, -7167, 0, HOIST_OK,
     BAD("e00", "error", "the member 'sg00/wavegraph-bin.json' has 2 bytes, but the archive ends after 1 of them", "NEFF-016a")},
    {"a member without data", 1, CUT, -7168, 0, HOIST_OK,
     BAD("e00", "error", "the member 'sg00/wavegraph-bin.json' has 2 bytes, but the archive ends after 0 of them", "NEFF-016a")},
    {"cut by the end of the file", 1, CUT_FILE, -7168, 0, HOIST_OK,
     BAD("10", "error", "data_size is 10240, but only 3072 bytes follow the header", "NEFF-004a")
     BAD("e00", "error", "the member 'sg00/wavegraph-bin.json' has 2 bytes, but the archive ends after 0 of them", "NEFF-016a")},
    {"no archive", 1, NO_ARCHIVE, 0, 0, HOIST_INVALID,
     BAD("494", "error", "the tar header's checksum is no octal number, that of its bytes is 60736", "NEFF-016a")},
};
// clang-format on

HOIST_TEST_TABLE(broken_archives, broken)
{
    neff_module *m = NULL;
    hoist_mut_bytes file = damaged(t, row->version, row->damage, row->at, row->value);
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, NULL, &m), row->want);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    neff_module_free(m);
}

// data_size 0 is no archive at all, though bytes follow.
HOIST_TEST(empty_payload)
{
    hoist_mut_bytes file = neff_test_packed(t, 1, small, SMALL);
    hoist_store_u64le(file.data + neff_header_rows[NEFF_H_DATA_SIZE].offset, 0);
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, NULL, &m), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "NEFF-016a");
    neff_module_free(m);
}

// Rules 17 and 18.
// clang-format off
#define UNSAFE(place, member, why) \
    BAD(place, "error", "the name of member '" member "' " why ", expected a relative path that stays below its folder", "NEFF-017")
#define LEFT_OUT(what) \
    BAD("600", "error", "member 'l' is " what ", expected files and folders only", "NEFF-017"), \
    BAD("600", "warning", "member 'l' is " what " and was left out", "NEFF-017")
#define ENTRY(member) {.name = {member, sizeof(member) - 1}}
#define TYPED(member, is, target) {.name = {member, sizeof(member) - 1}, .flag = (is), .link = (target)}
static const struct {
    const char *name;
    neff_test_entry entries[2];
    size_t members; // that are kept
    const char *findings;
    const char *lenient; // NULL: the same
} names[] = {
    {"two good names", {ENTRY("a"), ENTRY("a.b/..c/d..")}, 2, "", NULL},
    {"a folder's name ends in a slash", {TYPED("a/", '5', NULL), ENTRY("a/b")}, 1, "", NULL},
    {"old kind of file", {TYPED("a", '7', NULL), ENTRY("b")}, 2, "", NULL},
    {"absolute", {ENTRY("/a"), ENTRY("b")}, 2,
     UNSAFE("400", "/a", "is absolute"),
     NULL},
    {"up", {ENTRY("../x"), ENTRY("b")}, 2,
     UNSAFE("400", "../x", "climbs with '..'"),
     NULL},
    {"up in the middle", {ENTRY("a"), ENTRY("a/../x")}, 2,
     UNSAFE("600", "a/../x", "climbs with '..'"),
     NULL},
    {"up at the end", {ENTRY("a"), ENTRY("b/..")}, 2,
     UNSAFE("600", "b/..", "climbs with '..'"),
     NULL},
    {"up behind a dot", {ENTRY("a"), ENTRY("./../x")}, 2,
     UNSAFE("600", "./../x", "climbs with '..'"),
     NULL},
    {"a folder that climbs", {TYPED("../a/", '5', NULL), ENTRY("b")}, 1,
     UNSAFE("400", "../a/", "climbs with '..'"),
     NULL},
    {"a NUL", {ENTRY("a"), ENTRY("b\0c")}, 2,
     UNSAFE("600", "b", "has a NUL"),
     NULL},
    {"a backslash", {ENTRY("a"), ENTRY("b\\c")}, 2,
     UNSAFE("600", "b\\c", "has a backslash"),
     NULL},
    {"symbolic link", {ENTRY("a"), TYPED("l", '2', "a")}, 1,
     LEFT_OUT("a symbolic link")},
    {"hard link", {ENTRY("a"), TYPED("l", '1', "a")}, 1,
     LEFT_OUT("a hard link")},
    {"character device", {ENTRY("a"), TYPED("l", '3', NULL)}, 1,
     LEFT_OUT("a character device")},
    {"block device", {ENTRY("a"), TYPED("l", '4', NULL)}, 1,
     LEFT_OUT("a block device")},
    {"FIFO", {ENTRY("a"), TYPED("l", '6', NULL)}, 1,
     LEFT_OUT("a FIFO")},
    {"unknown type", {ENTRY("a"), TYPED("l", 'Q', NULL)}, 1,
     LEFT_OUT("of an unknown type")},
    {"twice", {ENTRY("a"), ENTRY("a")}, 2,
     BAD("600", "error", "member 'a' is there again, the first is at +0x400", "NEFF-018"),
     NULL},
    {"twice, once with a dot", {ENTRY("a"), ENTRY("./a")}, 2,
     BAD("600", "error", "member 'a' is there again, the first is at +0x400", "NEFF-018"),
     NULL},
    {"a file, and a folder of that name", {ENTRY("sg00"), ENTRY("sg00/def.json")}, 2,
     BAD("600", "error", "member 'sg00/def.json' is in a folder, but 'sg00' at +0x400 is a file", "NEFF-018"),
     NULL},
    {"the same the other way, further down", {ENTRY("a/b/c/d"), ENTRY("./a/b")}, 2,
     BAD("400", "error", "member 'a/b/c/d' is in a folder, but 'a/b' at +0x600 is a file", "NEFF-018"),
     NULL},
    {"names that only begin alike", {ENTRY("sg00"), ENTRY("sg001/def.json")}, 2, "", NULL},
    {"a folder and a file", {TYPED("a/", '5', NULL), ENTRY("a")}, 1, "", NULL},
};
// clang-format on

HOIST_TEST_TABLE(member_names, names)
{
    const hoist_mut_bytes file = neff_test_packed(t, 1, row->entries, 2);
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, NULL, &m), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    HOIST_EXPECT_EQ(t, m->member_count, row->members);
    neff_module_free(m);
}

HOIST_TEST_TABLE(member_names_leniently, names)
{
    const hoist_read_options options = {.lenient = true};
    const hoist_mut_bytes file = neff_test_packed(t, 1, row->entries, 2);
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, &options, &m), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->lenient ? row->lenient : row->findings);
    HOIST_EXPECT_EQ(t, m->member_count, row->members);
    neff_module_free(m);
}

// Places in an inflated archive are in the archive.
HOIST_TEST(places_in_gzip)
{
    static const neff_test_entry entries[] = {ENTRY("a"), ENTRY("../b")};
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, neff_test_packed(t, 2, entries, 2), NULL, &m), HOIST_OK);
    const hoist_finding *const f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, f->member, "archive.tar");
    HOIST_EXPECT_EQ(t, f->loc.offset, 512);
    HOIST_EXPECT_STR(t, hoist_diag_member(t->diag), "");
    neff_module_free(m);
}

// Rule 20: by the limit that was asked for, and by what deflate can do at all.
HOIST_TEST(expansion_limits)
{
    static const neff_test_entry entries[] = {ENTRY("a"), ENTRY("b")};
    const hoist_mut_bytes file = neff_test_packed(t, 2, entries, 2);
    const hoist_read_options enough = {.max_expanded = SMALL_TAR};
    const hoist_read_options short_of = {.max_expanded = SMALL_TAR - 1};
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, &enough, &m), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    neff_module_free(m);
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, &short_of, &m), HOIST_LIMIT);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "+0x400: error: 147 gzip bytes expand to more than 10239, the limit "
                     "[NEFF-020]\n");
    neff_module_free(m);
}

// Rule 6.
// clang-format off
static const struct {
    const char *name;
    uint32_t version;
    size_t at;
    bool right;
    const char *want;
} hashes[] = {
    {"SHA-256", 1, 0, true, ""},
    {"MD5", 2, 0, true, ""},
    {"last byte of SHA-256", 1, 172 + 31, false,
     BAD("ac", "warning", "the stored hash is b4c45722758387f06b32d4dddf273175876bebc84fe6c3470dba7393048a1674, but the archive's SHA-256 is b4c45722758387f06b32d4dddf273175876bebc84fe6c3470dba7393048a1644", "NEFF-006")},
    {"last byte of MD5", 2, 172 + 15, false,
     BAD("ac", "warning", "the stored hash is 884291e94111714c01624f1b4a58193c, but the archive's MD5 is 884291e94111714c01624f1b4a58190c", "NEFF-006")},
    {"behind the MD5", 2, 172 + 16, true,
     BAD("bc", "note", "the 16 bytes of the hash after the MD5 hold a value, expected all 0x00 or all 0x30", "NEFF-007")},
    {"a byte of the archive", 1, 1024 + 10000, false,
     BAD("ac", "warning", "the stored hash is b4c45722758387f06b32d4dddf273175876bebc84fe6c3470dba7393048a1644, but the archive's SHA-256 is 16f551c40b50266950fb3c430fa2532c504db0a58b80ec5055028d9dc03ed7dd", "NEFF-006")},
};
// clang-format on

HOIST_TEST_TABLE(hash_is_verified, hashes)
{
    static const neff_test_entry entries[] = {ENTRY("a")};
    const hoist_mut_bytes file = neff_test_packed(t, row->version, entries, 1);
    neff_module *m = NULL;
    if (row->at) {
        file.data[row->at] ^= 0x30;
    }
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, NULL, &m), HOIST_OK);
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    bool right = false;
    HOIST_EXPECT_EQ(t, neff_verify_hash(m, t->diag, digest, &right), HOIST_OK);
    HOIST_EXPECT_EQ(t, right, row->right);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->want);
    neff_module_free(m);
}

HOIST_TEST(hash_of_unknown_packaging)
{
    static const neff_test_entry entries[] = {ENTRY("a")};
    const hoist_mut_bytes file = neff_test_packed(t, 1, entries, 1);
    file.data[0] = 3;
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, neff_test_open(t, file, NULL, &m), HOIST_OK);
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    HOIST_EXPECT_EQ(t, neff_verify_hash(m, NULL, digest, NULL), HOIST_UNSUPPORTED);
    neff_module_free(m);
}

static hoist_status open_starved(hoist_allocator alloc, const void *self)
{
    const hoist_mut_bytes *const file = self;
    neff_module *const m = neff_module_create(alloc, (hoist_bytes){file->data, file->size});
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    neff_reader r = {.module = m, .arena = &m->arena};
    hoist_status status = neff_read_header(&r);
    if (status == HOIST_OK) {
        status = neff_read_container(&r);
    }
    neff_module_free(m);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    for (uint32_t version = 1; version <= 2; version++) {
        const hoist_mut_bytes file = neff_test_packed(t, version, small, SMALL);
        hoist_test_starve(t, open_starved, &file);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(corpus_opens), HOIST_TEST_ROW(members_by_name),
                HOIST_TEST_ROW(broken_archives), HOIST_TEST_ROW(empty_payload),
                HOIST_TEST_ROW(member_names), HOIST_TEST_ROW(member_names_leniently),
                HOIST_TEST_ROW(places_in_gzip), HOIST_TEST_ROW(expansion_limits),
                HOIST_TEST_ROW(hash_is_verified), HOIST_TEST_ROW(hash_of_unknown_packaging),
                HOIST_TEST_ROW(survives_every_failed_allocation))
