// What is written: bytes of each dialect, and that reading gives back the member.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "codec/tar.h"
#include "codec/tar_block.h"
#include "testing/test.h"

static const hoist_rule rule_broken = {.id = "T-BROKEN", .severity = HOIST_ERROR};
static const hoist_rule rule_end = {.id = "T-END", .severity = HOIST_WARNING};
static const hoist_tar_options options = {.rules = {&rule_broken, &rule_end, &rule_broken}};

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

// clang-format off
static const struct {
    const char *name;
    hoist_tar_member member;
    hoist_tar_dialect expected; // of the member that is read
    size_t blocks;            // of headers and data
} cases[] = {
#define V7(type, ...) {.dialect = HOIST_TAR_V7, .flag = type, __VA_ARGS__}
#define USTAR(type, ...) {.dialect = HOIST_TAR_USTAR, .flag = type, __VA_ARGS__}
#define PAX(type, ...) {.dialect = HOIST_TAR_PAX, .flag = type, __VA_ARGS__}
#define GNU(type, ...) {.dialect = HOIST_TAR_GNU, .flag = type, __VA_ARGS__}
#define DATA(literal) .data = {(const uint8_t *)(literal), sizeof(literal) - 1}
    {"v7", V7('0', .name = TEXT("a"), .uid = 1, .gid = 2, .mtime = 3, DATA("hello")),
     HOIST_TAR_V7, 2},
    {"v7, flag NUL", V7('\0', .name = TEXT("a")), HOIST_TAR_V7, 1},
    {"v7, 100 bytes", V7('0', .name = TEXT(HUNDRED)), HOIST_TAR_V7, 1},
    {"v7, 101 bytes", V7('0', .name = TEXT(HUNDRED "/")), HOIST_TAR_PAX, 3},
    {"v7 has no prefix", V7('0', .name = TEXT(TEN "/" HUNDRED)), HOIST_TAR_USTAR, 1},
    {"v7 has no users", V7('0', .name = TEXT("a"), .user = TEXT("u")), HOIST_TAR_USTAR, 1},
    {"v7, large uid", V7('0', .name = TEXT("a"), .uid = 010000000), HOIST_TAR_PAX, 3},

    {"ustar", USTAR('0', .name = TEXT("a"), .user = TEXT("u"), .group = TEXT("g"), DATA(HUNDRED)),
     HOIST_TAR_USTAR, 2},
    {"ustar, folder", USTAR('5', .name = TEXT("a/")), HOIST_TAR_USTAR, 1},
    {"ustar, link", USTAR('2', .name = TEXT("a"), .link = TEXT(HUNDRED)), HOIST_TAR_USTAR, 1},
    {"ustar, a link has no data", USTAR('1', .name = TEXT("a"), DATA("gone")), HOIST_TAR_USTAR, 1},
    {"ustar, split", USTAR('0', .name = TEXT(TEN "/" HUNDRED)), HOIST_TAR_USTAR, 1},
    {"ustar, 256 bytes split",
     USTAR('0', .name = TEXT(HUNDRED TEN TEN TEN TEN TEN "01234/" HUNDRED)),
     HOIST_TAR_USTAR, 1},
    {"ustar, prefix of 156 bytes",
     USTAR('0', .name = TEXT(HUNDRED TEN TEN TEN TEN TEN "012345/" HUNDRED)), HOIST_TAR_PAX, 3},
    {"ustar, 101 bytes behind the slash", USTAR('0', .name = TEXT("a/" HUNDRED "0")),
     HOIST_TAR_PAX, 3},
    {"ustar, slash first", USTAR('0', .name = TEXT("/" HUNDRED)), HOIST_TAR_PAX, 3},
    {"ustar, slash last", USTAR('5', .name = TEXT(HUNDRED "/")), HOIST_TAR_PAX, 3},
    {"ustar, no slash", USTAR('0', .name = TEXT(HUNDRED "0")), HOIST_TAR_PAX, 3},
    {"ustar, NUL in the name", USTAR('0', .name = TEXT("a\0b")), HOIST_TAR_PAX, 3},
    {"ustar, long link", USTAR('2', .name = TEXT("a"), .link = TEXT(HUNDRED "0")),
     HOIST_TAR_PAX, 3},
    {"ustar, largest numbers", USTAR('0', .name = TEXT("a"), .mode = 07777777, .uid = 07777777,
     .gid = 07777777, .mtime = 077777777777), HOIST_TAR_USTAR, 1},
    {"ustar, large mode", USTAR('0', .name = TEXT("a"), .mode = UINT32_MAX), HOIST_TAR_USTAR, 1},
    {"ustar, large gid", USTAR('0', .name = TEXT("a"), .gid = 010000000), HOIST_TAR_PAX, 3},
    {"ustar, time before 1970", USTAR('0', .name = TEXT("a"), .mtime = -1), HOIST_TAR_PAX, 3},
    {"ustar, user of 32 bytes", USTAR('0', .name = TEXT("a"), .user = TEXT(TEN TEN TEN "01")),
     HOIST_TAR_USTAR, 1},
    {"ustar, user of 33 bytes", USTAR('0', .name = TEXT("a"), .user = TEXT(TEN TEN TEN "012")),
     HOIST_TAR_PAX, 3},

    {"pax without need", PAX('0', .name = TEXT("a")), HOIST_TAR_USTAR, 1},
    {"pax", PAX('0', .name = TEXT(HUNDRED "0"), .link = TEXT(HUNDRED HUNDRED), .uid = INT64_MAX,
     .gid = -1, .mtime = INT64_MIN, .group = TEXT(HUNDRED), DATA("x")), HOIST_TAR_PAX, 4},
    {"pax, records of more than a block",
     PAX('0', .name = TEXT(HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
     HUNDRED)), HOIST_TAR_PAX, 4},

    {"gnu", GNU('0', .name = TEXT(HUNDRED), .user = TEXT("root"), DATA("hello")), HOIST_TAR_GNU, 2},
    {"gnu, long name", GNU('0', .name = TEXT(HUNDRED "0"), DATA("hello")), HOIST_TAR_GNU, 4},
    {"gnu, long link", GNU('2', .name = TEXT("a"), .link = TEXT(HUNDRED "0")), HOIST_TAR_GNU, 3},
    {"gnu, both", GNU('1', .name = TEXT(HUNDRED HUNDRED), .link = TEXT(HUNDRED "0")),
     HOIST_TAR_GNU, 5},
    {"gnu, name of 511 bytes",
     GNU('0', .name = TEXT(HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED TEN "0")),
     HOIST_TAR_GNU, 3},
    {"gnu, name of 512 bytes",
     GNU('0', .name = TEXT(HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED TEN "01")),
     HOIST_TAR_GNU, 4},
    {"gnu, NUL in the name", GNU('0', .name = TEXT("a\0b")), HOIST_TAR_GNU, 3},
    {"gnu, NUL at the end", GNU('0', .name = TEXT("a\0")), HOIST_TAR_PAX, 3},
    {"gnu, long user", GNU('0', .name = TEXT("a"), .user = TEXT(HUNDRED)), HOIST_TAR_PAX, 3},
    {"gnu, numbers", GNU('0', .name = TEXT("a"), .mode = 010000000, .uid = 626188407, .gid = -1,
     .mtime = INT64_MIN), HOIST_TAR_GNU, 1},
    {"gnu, uid beyond 8 bytes", GNU('0', .name = TEXT("a"), .uid = INT64_MAX), HOIST_TAR_PAX, 3},
};
// clang-format on

static bool same_bytes(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// Everything that an archive keeps.
static void expect_same(hoist_test *t, const hoist_tar_member *got,
                        const hoist_tar_member *expected)
{
    const hoist_bytes data = hoist_tar_has_data(expected->flag) ? expected->data : (hoist_bytes){0};
    HOIST_EXPECT(t, hoist_str_equal(got->name, expected->name));
    HOIST_EXPECT(t, hoist_str_equal(got->link, expected->link));
    HOIST_EXPECT(t, hoist_str_equal(got->user, expected->user));
    HOIST_EXPECT(t, hoist_str_equal(got->group, expected->group));
    HOIST_EXPECT(t, same_bytes(got->data, data));
    HOIST_EXPECT_EQ(t, got->flag, expected->flag);
    HOIST_EXPECT_EQ(t, got->mode, expected->mode);
    HOIST_EXPECT_EQ(t, got->uid, expected->uid);
    HOIST_EXPECT_EQ(t, got->gid, expected->gid);
    HOIST_EXPECT_EQ(t, got->mtime, expected->mtime);
}

static void write_members(hoist_test *t, const hoist_tar_member *members, size_t count,
                          hoist_buffer *out)
{
    hoist_buffer_init(out, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        HOIST_EXPECT_EQ(t, hoist_tar_write(&members[i], out), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_tar_end(0, 512, out), HOIST_OK);
}

// Reads what was written and writes it again: the same members, the same bytes.
static hoist_tar expect_round_trip(hoist_test *t, const hoist_tar_member *members, size_t count,
                                   hoist_bytes archive)
{
    hoist_tar tar;
    HOIST_EXPECT_EQ(t, hoist_tar_read(archive, &options, &t->arena, t->diag, &tar), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, tar.count, count);
    HOIST_EXPECT_EQ(t, tar.end_blocks, 2);
    HOIST_EXPECT_EQ(t, tar.content_end + 1024, archive.size);
    for (size_t i = 0; i < count && i < tar.count; i++) {
        expect_same(t, &tar.members[i], &members[i]);
    }
    hoist_buffer again;
    write_members(t, tar.members, tar.count, &again);
    HOIST_EXPECT(t, same_bytes(hoist_buffer_bytes(&again), archive));
    hoist_buffer_deinit(&again);
    return tar;
}

HOIST_TEST_TABLE(members, cases)
{
    hoist_buffer out;
    write_members(t, &row->member, 1, &out);
    const hoist_bytes archive = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    HOIST_EXPECT_EQ(t, archive.size, (row->blocks + 2) * 512);
    const hoist_tar tar = expect_round_trip(t, &row->member, 1, archive);
    if (tar.count == 1) {
        HOIST_EXPECT_EQ(t, tar.members[0].dialect, row->expected);
    }
}

static uint64_t below(uint64_t *seed, uint64_t limit)
{
    return hoist_test_random(seed) % limit;
}

// Mostly letters and slashes, sometimes any bytes; lengths around those that fields have.
static hoist_str random_text(hoist_test *t, uint64_t *seed)
{
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 99, 100, 101, 155, 156, 256, 257, 600};
    const size_t size =
        below(seed, 2) ? (size_t)below(seed, 12) : sizes[below(seed, HOIST_COUNT_OF(sizes))];
    const bool wild = below(seed, 8) == 0;
    char *text = hoist_arena_alloc(&t->arena, size);
    for (size_t i = 0; i < size; i++) {
        text[i] = wild ? (char)below(seed, 256) : "abcdefghijk/"[below(seed, 12)];
    }
    return (hoist_str){text, size};
}

static int64_t random_number(uint64_t *seed)
{
    static const int64_t numbers[] = {0,         1,         -1,        07777777,  010000000,
                                      INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 077777777777};
    return below(seed, 4) ? (int64_t)below(seed, 1000) : numbers[below(seed, 10)];
}

static hoist_tar_member random_member(hoist_test *t, uint64_t *seed)
{
    const hoist_str data = random_text(t, seed);
    return (hoist_tar_member){
        .name = random_text(t, seed),
        .link = below(seed, 3) ? (hoist_str){0} : random_text(t, seed),
        .flag = "0007Z125\0"[below(seed, 9)],
        .dialect = (hoist_tar_dialect)below(seed, 4),
        .data = {(const uint8_t *)data.data, data.size},
        .mode = below(seed, 4) ? 0644 : (uint32_t)hoist_test_random(seed),
        .uid = random_number(seed),
        .gid = random_number(seed),
        .mtime = random_number(seed),
        .user = below(seed, 3) ? (hoist_str){0} : random_text(t, seed),
        .group = below(seed, 3) ? (hoist_str){0} : random_text(t, seed),
    };
}

HOIST_TEST(random_members)
{
    hoist_tar_member members[8];
    for (uint64_t round = 0; round < HOIST_TEST_ROUNDS(1000); round++) {
        uint64_t seed = round;
        char name[32];
        (void)snprintf(name, sizeof(name), "seed %u", (unsigned)round);
        hoist_test_row(t, name);
        const size_t count = (size_t)below(&seed, HOIST_COUNT_OF(members) + 1);
        for (size_t i = 0; i < count; i++) {
            members[i] = random_member(t, &seed);
        }
        hoist_buffer out;
        write_members(t, members, count, &out);
        (void)expect_round_trip(t, members, count, hoist_buffer_bytes(&out));
        hoist_buffer_deinit(&out);
    }
}

static void expect_bytes(hoist_test *t, const uint8_t *at, const char *expected, size_t size)
{
    HOIST_EXPECT(t, memcmp(at, expected, size) == 0);
}

// Every field of a ustar header, at the place that POSIX gives it.
HOIST_TEST(bytes_of_a_header)
{
    static const hoist_tar_member m =
        USTAR('0', .name = TEXT("a"), .link = TEXT("l"), .mode = 0644, .uid = 8, .gid = 9,
              .mtime = 10, .user = TEXT("u"), .group = TEXT("g"), DATA("hello"));
    hoist_buffer out;
    write_members(t, &m, 1, &out);
    expect_bytes(t, out.data, "a\0", 2);
    expect_bytes(t, out.data + 100,
                 "0000644\0"
                 "0000010\0"
                 "0000011\0",
                 24);
    expect_bytes(t, out.data + 124,
                 "00000000005\0"
                 "00000000012\0",
                 24);
    expect_bytes(t, out.data + 148,
                 "010061\0 "
                 "0"
                 "l\0",
                 11);
    expect_bytes(t, out.data + 257,
                 "ustar\0"
                 "00"
                 "u\0",
                 10);
    expect_bytes(t, out.data + 297, "g\0", 2);
    expect_bytes(t, out.data + 329,
                 "0000000\0"
                 "0000000\0",
                 17);
    expect_bytes(t, out.data + 512, "hello\0", 6);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(bytes_of_long_names)
{
    static const hoist_tar_member gnu = GNU('0', .name = TEXT(HUNDRED "x"));
    static const hoist_tar_member pax = PAX('0', .name = TEXT(HUNDRED "x"), .mtime = -1);
    hoist_buffer out;
    write_members(t, &gnu, 1, &out);
    expect_bytes(t, out.data, "././@LongLink\0", 14);
    expect_bytes(t, out.data + 124, "00000000146\0", 12);
    expect_bytes(t, out.data + 156, "L\0", 2);
    expect_bytes(t, out.data + 257, "ustar  \0", 8);
    expect_bytes(t, out.data + 512, HUNDRED "x\0", 102);
    expect_bytes(t, out.data + 1024, HUNDRED "0000000\0", 108);
    hoist_buffer_deinit(&out);
    write_members(t, &pax, 1, &out);
    expect_bytes(t, out.data, "././@PaxHeader\0", 15);
    expect_bytes(t, out.data + 156, "x\0", 2);
    expect_bytes(t, out.data + 512, "111 path=" HUNDRED "x\n12 mtime=-1\n\0", 124);
    expect_bytes(t, out.data + 1024 + 136, "00000000000\0", 12);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(end_of_an_archive)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "header of a file");
    const size_t start = out.size;
    HOIST_EXPECT_EQ(t, hoist_tar_end(start, 512, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size - start, 1024);
    hoist_buffer_fill(&out, '\0', 512);
    HOIST_EXPECT_EQ(t, hoist_tar_end(start, 10240, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size - start, 10240);
    hoist_buffer_fill(&out, '\0', 9728);
    HOIST_EXPECT_EQ(t, hoist_tar_end(start, 10240, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size - start, 30720);
    hoist_buffer_deinit(&out);
}

static hoist_status write_starved(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < HOIST_COUNT_OF(cases) && status == HOIST_OK; i++) {
        status = hoist_tar_write(&cases[i].member, &out);
    }
    if (status == HOIST_OK) {
        status = hoist_tar_end(0, 10240, &out);
    }
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, write_starved, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(members), HOIST_TEST_ROW(random_members),
                HOIST_TEST_ROW(bytes_of_a_header), HOIST_TEST_ROW(bytes_of_long_names),
                HOIST_TEST_ROW(end_of_an_archive), HOIST_TEST_ROW(memory_may_run_out))
