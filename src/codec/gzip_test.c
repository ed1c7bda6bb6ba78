#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/reader.h"
#include "codec/gzip.h"
#include "testing/test.h"

static const hoist_rule rule_broken = {.id = "T-BROKEN", .severity = HOIST_ERROR};
static const hoist_rule rule_trailing = {.id = "T-TRAILING", .severity = HOIST_WARNING};
static const hoist_rule rule_limit = {.id = "T-LIMIT", .severity = HOIST_ERROR};

#define RULES                                                                                      \
    {                                                                                              \
        .broken = &rule_broken, .trailing = &rule_trailing, .limit = &rule_limit                   \
    }

static hoist_str text_of(hoist_mut_bytes bytes)
{
    return (hoist_str){(const char *)bytes.data, bytes.size};
}

// 19 bytes "hello, hello, hello": 10 bytes of header, 11 of deflate, CRC32 and length.
#define MAGIC "\x1f\x8b\x08"
#define REST "\0\0\0\0\0\x03" // MTIME, XFL, OS
#define HEAD MAGIC "\0" REST
#define BODY "\xcb\x48\xcd\xc9\xc9\xd7\x51\xc8\x40\xa2\x00"
#define CRC "\x9f\xa1\xca\x09"
#define SIZE "\x13\0\0\0"
#define MEMBER HEAD BODY CRC SIZE
#define HELLO "hello, hello, hello"
#define ZEROS "\0\0\0\0\0\0\0\0"
#define BROKEN(at, text) "+" at ": error: " text " [T-BROKEN]\n"
#define TRAILING(at, text) "+" at ": warning: " text " [T-TRAILING]\n"
#define PACKED(literal) literal, sizeof(literal) - 1

// clang-format off
static const struct {
    const char *name;
    const char *packed;
    size_t size;
    hoist_status status;
    const char *result;
    const char *findings;
} cases[] = {
    {"plain", PACKED(MEMBER), HOIST_OK, HELLO, ""},
    {"text flag", PACKED(MAGIC "\x01" REST BODY CRC SIZE), HOIST_OK, HELLO, ""},
    {"extra field", PACKED(MAGIC "\x04" REST "\x03\0" "abc" BODY CRC SIZE), HOIST_OK, HELLO, ""},
    {"name", PACKED(MAGIC "\x08" REST "file.tar\0" BODY CRC SIZE), HOIST_OK, HELLO, ""},
    {"comment", PACKED(MAGIC "\x10" REST "why not\0" BODY CRC SIZE), HOIST_OK, HELLO, ""},
    {"header sum", PACKED(MAGIC "\x02" REST "\xa7\x77" BODY CRC SIZE), HOIST_OK, HELLO, ""},
    {"all parts", PACKED(MAGIC "\x1f" REST "\x01\0" "x" "n\0" "c\0" "\x4c\xc6" BODY CRC SIZE),
     HOIST_OK, HELLO, ""},
    {"no data", PACKED(HEAD "\x03\0" "\0\0\0\0" "\0\0\0\0"), HOIST_OK, "", ""},
    {"two members", PACKED(MEMBER MEMBER), HOIST_OK, HELLO HELLO, ""},
    {"member without data between", PACKED(MEMBER HEAD "\x03\0" "\0\0\0\0" "\0\0\0\0" MEMBER),
     HOIST_OK, HELLO HELLO, ""},
    {"padding", PACKED(MEMBER ZEROS ZEROS "\0"), HOIST_OK, HELLO, ""},

    {"nothing", PACKED(""), HOIST_TRUNCATED, "",
     BROKEN("0x0", "the gzip stream ends in its header")},
    {"one byte", PACKED("\x1f"), HOIST_TRUNCATED, "",
     BROKEN("0x1", "the gzip stream ends in its header")},
    {"other magic", PACKED("BZh9....."), HOIST_INVALID, "",
     BROKEN("0x0", "the bytes 0x42 0x5a do not begin a gzip stream, expected 0x1f 0x8b")},
    {"second byte of the magic", PACKED("\x1f\x8c\x08" "\0" REST), HOIST_INVALID, "",
     BROKEN("0x0", "the bytes 0x1f 0x8c do not begin a gzip stream, expected 0x1f 0x8b")},
    {"header cut", PACKED(MAGIC "\0" "\0\0\0\0\0"), HOIST_TRUNCATED, "",
     BROKEN("0x9", "the gzip stream ends in its header")},
    {"method", PACKED("\x1f\x8b\x07" "\0" REST BODY CRC SIZE), HOIST_INVALID, "",
     BROKEN("0x2", "the gzip compression method is 7, expected 8 (deflate)")},
    {"reserved flag, lowest", PACKED(MAGIC "\x20" REST BODY CRC SIZE), HOIST_INVALID, "",
     BROKEN("0x3", "the gzip flags 0x20 have reserved bits set")},
    {"reserved flag, highest", PACKED(MAGIC "\x80" REST BODY CRC SIZE), HOIST_INVALID, "",
     BROKEN("0x3", "the gzip flags 0x80 have reserved bits set")},
    {"extra field's length cut", PACKED(MAGIC "\x04" REST "\x03"), HOIST_TRUNCATED, "",
     BROKEN("0xb", "the gzip stream ends in its header")},
    {"extra field cut", PACKED(MAGIC "\x04" REST "\x03\0ab"), HOIST_TRUNCATED, "",
     BROKEN("0xe", "the gzip stream ends in its header")},
    {"name without end", PACKED(MAGIC "\x08" REST "file"), HOIST_TRUNCATED, "",
     BROKEN("0xe", "the gzip stream ends in its header")},
    {"name missing", PACKED(MAGIC "\x08" REST), HOIST_TRUNCATED, "",
     BROKEN("0xa", "the gzip stream ends in its header")},
    {"comment without end", PACKED(MAGIC "\x18" REST "file\0why"), HOIST_TRUNCATED, "",
     BROKEN("0x12", "the gzip stream ends in its header")},
    {"header sum cut", PACKED(MAGIC "\x02" REST "\x75"), HOIST_TRUNCATED, "",
     BROKEN("0xb", "the gzip stream ends in its header")},
    {"header sum wrong", PACKED(MAGIC "\x02" REST "\xa7\x76" BODY CRC SIZE), HOIST_OK, HELLO,
     BROKEN("0xa", "the gzip header's CRC16 is 0x76a7, that of its bytes 0x77a7")},
    {"no deflate stream", PACKED(HEAD), HOIST_TRUNCATED, "",
     BROKEN("0xa", "the gzip stream ends in its compressed data")},
    {"deflate stream cut", PACKED(HEAD "\xcb\x48\xcd\xc9\xc9\xd7"), HOIST_TRUNCATED, "hello",
     BROKEN("0x10", "the gzip stream ends in its compressed data")},
    {"block type 3", PACKED(HEAD "\x07" CRC SIZE), HOIST_INVALID, "",
     BROKEN("0xb", "the gzip stream's compressed data is broken (invalid block type)")},
    {"stored length", PACKED(HEAD "\x01\x05\0\0\0hello"), HOIST_INVALID, "",
     BROKEN("0xf", "the gzip stream's compressed data is broken (invalid stored block lengths)")},
    {"distance before the start", PACKED(HEAD "\x4b\x04\x11\0"), HOIST_INVALID, "a",
     BROKEN("0xd", "the gzip stream's compressed data is broken (invalid distance too far back)")},
    {"trailer missing", PACKED(HEAD BODY), HOIST_TRUNCATED, HELLO,
     BROKEN("0x15", "the gzip stream ends in its trailer")},
    {"trailer cut", PACKED(HEAD BODY CRC "\x13\0\0"), HOIST_TRUNCATED, HELLO,
     BROKEN("0x1c", "the gzip stream ends in its trailer")},
    {"CRC32", PACKED(HEAD BODY "\x9f\xa1\xca\x08" SIZE), HOIST_OK, HELLO,
     BROKEN("0x15", "the gzip stream's CRC32 is 0x08caa19f, that of its data 0x09caa19f")},
    {"length", PACKED(HEAD BODY CRC "\x14\0\0\0"), HOIST_OK, HELLO,
     BROKEN("0x19", "the gzip stream's length is 20, that of its data 19 (both modulo 2^32)")},
    {"CRC32 and length", PACKED(HEAD BODY "\x9e\xa1\xca\x09" "\x13\0\0\x01"), HOIST_OK, HELLO,
     BROKEN("0x15", "the gzip stream's CRC32 is 0x09caa19e, that of its data 0x09caa19f")
     BROKEN("0x19", "the gzip stream's length is 16777235, that of its data 19 (both modulo "
            "2^32)")},
    {"CRC32 of the second", PACKED(MEMBER HEAD BODY "\x9f\xa1\xca\x08" SIZE), HOIST_OK,
     HELLO HELLO,
     BROKEN("0x32", "the gzip stream's CRC32 is 0x08caa19f, that of its data 0x09caa19f")},
    {"second member's method", PACKED(MEMBER "\x1f\x8b\x07" "\0" REST), HOIST_INVALID, HELLO,
     BROKEN("0x1f", "the gzip compression method is 7, expected 8 (deflate)")},
    {"second member's header cut", PACKED(MEMBER MAGIC), HOIST_TRUNCATED, HELLO,
     BROKEN("0x20", "the gzip stream ends in its header")},
    {"garbage behind", PACKED(MEMBER "garbage"), HOIST_OK, HELLO,
     TRAILING("0x1d", "7 bytes follow the gzip stream and its padding")},
    {"garbage behind padding", PACKED(MEMBER ZEROS "\x01" ZEROS), HOIST_OK, HELLO,
     TRAILING("0x25", "9 bytes follow the gzip stream and its padding")},
    {"first byte of a magic behind", PACKED(MEMBER "\x1f"), HOIST_OK, HELLO,
     TRAILING("0x1d", "1 byte follows the gzip stream and its padding")},
    {"member behind padding", PACKED(MEMBER ZEROS MEMBER), HOIST_OK, HELLO,
     TRAILING("0x25", "29 bytes follow the gzip stream and its padding")},
};
// clang-format on

HOIST_TEST_TABLE(members, cases)
{
    static const hoist_gzip_options options = {.rules = RULES};
    const hoist_bytes packed = {(const uint8_t *)row->packed, row->size};
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_mut_bytes result;
    HOIST_EXPECT_EQ(t,
                    hoist_gzip_read(hoist_test_exact(t, packed), &options, alloc, t->diag, &result),
                    row->status);
    HOIST_EXPECT_STR(t, text_of(result), row->result);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_free(alloc, result.data, result.size);
}

// Bytes that shrink by as much as deflate can, or not at all.
static hoist_bytes make_bytes(hoist_test *t, size_t size, bool random)
{
    uint8_t *data = hoist_arena_alloc(&t->arena, size);
    uint64_t seed = size;
    for (size_t i = 0; random && i < size; i++) {
        data[i] = (uint8_t)(hoist_test_random(&seed) & 0xff);
    }
    return (hoist_bytes){data, size};
}

static hoist_buffer packed(hoist_test *t, hoist_bytes bytes, int level)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_gzip_write(bytes, level, NULL, &out), HOIST_OK);
    return out;
}

// clang-format off
#define MIB ((size_t)1 << 20)
static const struct {
    const char *name;
    size_t size; // of zeros, which shrink to 1/1020
    uint64_t max_bytes;
    uint32_t max_ratio;
    bool refused;
} limits[] = {
    {"no limit",                        3 * MIB, 0,           0,    false},
    {"just enough",                     3 * MIB, 3 * MIB,     0,    false},
    {"a byte too much",                 3 * MIB, 3 * MIB - 1, 0,    true },
    {"small limit",                     3 * MIB, 1,           0,    true },
    {"ratio that nothing exceeds",      3 * MIB, 0,           1032, false},
    {"ratio exceeded",                  3 * MIB, 0,           1000, true },
    {"both, the smaller is bytes",      3 * MIB, 2000000,     1000, true },
    {"both, the smaller is the ratio",  3 * MIB, 3 * MIB,     1000, true },
    {"ratio does not count up to 1 MiB", MIB,    0,           1,    false},
    {"ratio counts beyond 1 MiB",       MIB + 1, 0,           1,    true },
};
// clang-format on

// What is refused costs no more memory than the limit, zlib's own 50 KiB and findings.
HOIST_TEST_TABLE(expansion_is_limited, limits)
{
    const hoist_gzip_options options = {
        .rules = RULES, .max_bytes = row->max_bytes, .max_ratio = row->max_ratio};
    hoist_buffer bomb = packed(t, make_bytes(t, row->size, false), 9);
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = SIZE_MAX};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    hoist_mut_bytes result;
    HOIST_EXPECT_EQ(t,
                    hoist_gzip_read(hoist_buffer_bytes(&bomb), &options, alloc, t->diag, &result),
                    row->refused ? HOIST_LIMIT : HOIST_OK);
    HOIST_EXPECT_EQ(t, result.size, row->refused ? 0 : row->size);
    HOIST_EXPECT_RULE(t, row->refused ? "T-LIMIT" : NULL);
    HOIST_EXPECT(t, row->max_bytes == 0 || budget.peak < row->max_bytes + 65536);
    hoist_free(alloc, result.data, result.size);
    HOIST_EXPECT_EQ(t, budget.used, 0);
    hoist_buffer_deinit(&bomb);
}

// A length that a deflate stream of this size cannot have reserves nothing.
HOIST_TEST(stored_length_is_not_trusted)
{
    static const hoist_gzip_options options = {.rules = RULES};
    static const char lie[] = HEAD BODY CRC "\xff\xff\xff\xff";
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = MIB};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    hoist_mut_bytes result;
    HOIST_EXPECT_EQ(t,
                    hoist_gzip_read((hoist_bytes){(const uint8_t *)lie, sizeof(lie) - 1}, &options,
                                    alloc, t->diag, &result),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, text_of(result), HELLO);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     BROKEN("0x19", "the gzip stream's length is 4294967295, that of its data 19 "
                                    "(both modulo 2^32)"));
    hoist_free(alloc, result.data, result.size);
}

// One that it could have reserves what there is.
HOIST_TEST(room_that_is_not_there_is_not_needed)
{
    static const hoist_gzip_options options = {.rules = RULES};
    static const char begin[] = MAGIC "\x08" REST;
    static const char end[] = "\0" BODY CRC "\xff\xff\x3f\0";
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = MIB};
    hoist_buffer packed;
    hoist_mut_bytes result;
    hoist_buffer_init(&packed, hoist_allocator_system());
    hoist_buffer_str(&packed, (hoist_str){begin, sizeof begin - 1});
    hoist_buffer_fill(&packed, 'n', 4096);
    hoist_buffer_str(&packed, (hoist_str){end, sizeof end - 1});
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    HOIST_EXPECT_EQ(t,
                    hoist_gzip_read(hoist_buffer_bytes(&packed), &options, alloc, t->diag, &result),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, text_of(result), HELLO);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1); // of the length
    hoist_free(alloc, result.data, result.size);
    hoist_buffer_deinit(&packed);
}

// clang-format off
static const struct {
    const char *name;
    size_t size;
    bool random;
    size_t padding; // zero bytes after
} sizes[] = {
    {"nothing", 0, false, 0},
    {"one byte", 1, true, 0},
    {"zeros", 1000, false, 0},
    {"a step", 256 << 10, true, 0},
    {"a step and a byte", (256 << 10) + 1, true, 0},
    {"many steps", 3 * MIB + 17, true, 0},
    {"many steps of zeros", 5 * MIB + 17, false, 0},
    {"padding hides the length", 3 * MIB + 17, true, 5000},
    {"padding, zeros", 3 * MIB, false, 5},
};
// clang-format on

HOIST_TEST_TABLE(sizes_and_levels, sizes)
{
    static const hoist_gzip_options options = {.rules = RULES};
    const hoist_allocator alloc = hoist_allocator_system();
    const hoist_bytes bytes = make_bytes(t, row->size, row->random);
    for (int level = 0; level <= 9; level += 3) {
        hoist_buffer file = packed(t, bytes, level);
        hoist_buffer again = packed(t, bytes, level);
        HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&file), hoist_buffer_text(&again)));
        hoist_buffer_fill(&file, '\0', row->padding);
        hoist_mut_bytes result;
        HOIST_EXPECT_EQ(
            t, hoist_gzip_read(hoist_buffer_bytes(&file), &options, alloc, t->diag, &result),
            HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
        HOIST_EXPECT(t, result.size == bytes.size &&
                            (bytes.size == 0 || memcmp(result.data, bytes.data, bytes.size) == 0));
        hoist_free(alloc, result.data, result.size);
        hoist_buffer_deinit(&file);
        hoist_buffer_deinit(&again);
    }
}

// How zlib packs is its own affair; header and trailer are ours.
HOIST_TEST(written_bytes)
{
    hoist_buffer out = packed(t, (hoist_bytes){(const uint8_t *)HELLO, 19}, 9);
    const hoist_bytes file = hoist_buffer_bytes(&out);
    HOIST_EXPECT(t, file.size > 18 && memcmp(file.data, HEAD, 10) == 0);
    HOIST_EXPECT(t, file.size > 18 && memcmp(file.data + file.size - 8, CRC SIZE, 8) == 0);
    HOIST_EXPECT(t, hoist_gzip_is(file));
    HOIST_EXPECT(t, !hoist_gzip_is((hoist_bytes){file.data, 1}));
    HOIST_EXPECT(t, !hoist_gzip_is((hoist_bytes){file.data + 1, 10}));
    hoist_buffer_deinit(&out);
}

HOIST_TEST(limits_are_told)
{
    static const hoist_gzip_options options = {.rules = RULES, .base_offset = 1024, .max_bytes = 9};
    static const char file[] = MEMBER;
    const hoist_bytes bytes = {(const uint8_t *)file, sizeof(file) - 1};
    hoist_mut_bytes result;
    HOIST_EXPECT_EQ(t, hoist_gzip_read(bytes, &options, hoist_allocator_system(), t->diag, &result),
                    HOIST_LIMIT);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "+0x400: error: 29 gzip bytes expand to more than 9, the limit [T-LIMIT]\n");
}

HOIST_TEST(places_count_from_the_file)
{
    static const hoist_gzip_options options = {.rules = RULES, .base_offset = 1024};
    static const hoist_gzip_options silent = {0};
    static const char file[] = HEAD BODY CRC "\0\0\0\0"
                                             "behind";
    const hoist_bytes bytes = {(const uint8_t *)file, sizeof(file) - 1};
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_mut_bytes result;
    HOIST_EXPECT_EQ(t, hoist_gzip_read(bytes, &silent, alloc, t->diag, &result), HOIST_OK);
    hoist_free(alloc, result.data, result.size);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, hoist_gzip_read(bytes, &options, alloc, t->diag, &result), HOIST_OK);
    hoist_free(alloc, result.data, result.size);
    HOIST_EXPECT_STR(
        t, hoist_test_findings(t),
        BROKEN("0x419", "the gzip stream's length is 0, that of its data 19 (both modulo 2^32)")
            TRAILING("0x41d", "6 bytes follow the gzip stream and its padding"));
}

// As long as blocks of padding are, and of other bytes.
HOIST_TEST(long_garbage_is_no_padding)
{
    static const hoist_gzip_options options = {.rules = RULES};
    static const char member[] = MEMBER;
    static const char *const places[] = {"0x1d", "0x21d"};
    for (size_t padding = 0; padding <= 512; padding += 512) {
        hoist_buffer file;
        hoist_buffer_init(&file, hoist_allocator_system());
        hoist_buffer_add(&file, (hoist_bytes){(const uint8_t *)member, sizeof(member) - 1});
        hoist_buffer_fill(&file, '\0', padding);
        hoist_buffer_fill(&file, 'x', 1024);
        hoist_mut_bytes result;
        hoist_test_row(t, places[padding != 0]);
        HOIST_EXPECT_EQ(t,
                        hoist_gzip_read(hoist_buffer_bytes(&file), &options,
                                        hoist_allocator_system(), t->diag, &result),
                        HOIST_OK);
        const char *const expected =
            padding ? TRAILING("0x21d", "1024 bytes follow the gzip stream and its padding")
                    : TRAILING("0x1d", "1024 bytes follow the gzip stream and its padding");
        HOIST_EXPECT_STR(t, hoist_test_findings(t), expected);
        hoist_free(hoist_allocator_system(), result.data, result.size);
        hoist_buffer_deinit(&file);
    }
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    static const hoist_gzip_options options = {.rules = RULES};
    hoist_mut_bytes result;
    const hoist_status status =
        hoist_gzip_read(*(const hoist_bytes *)self, &options, alloc, NULL, &result);
    hoist_free(alloc, result.data, result.size);
    return status;
}

static hoist_status write_starved(hoist_allocator alloc, const void *self)
{
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = hoist_gzip_write(*(const hoist_bytes *)self, 6, NULL, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    const hoist_bytes bytes = make_bytes(t, MIB, true);
    hoist_test_starve(t, write_starved, &bytes);
    hoist_buffer file = packed(t, bytes, 6);
    hoist_buffer_char(&file, '\0'); // hides the length: the buffer grows
    const hoist_bytes all = hoist_buffer_bytes(&file);
    hoist_test_starve(t, read_starved, &all);
    hoist_buffer_deinit(&file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(members), HOIST_TEST_ROW(expansion_is_limited),
                HOIST_TEST_ROW(stored_length_is_not_trusted),
                HOIST_TEST_ROW(room_that_is_not_there_is_not_needed),
                HOIST_TEST_ROW(sizes_and_levels), HOIST_TEST_ROW(written_bytes),
                HOIST_TEST_ROW(limits_are_told), HOIST_TEST_ROW(places_count_from_the_file),
                HOIST_TEST_ROW(long_garbage_is_no_padding), HOIST_TEST_ROW(memory_may_run_out))
