// Archives of two members, changed at a few bytes per row; sequences of headers; what is no
// archive.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "codec/tar.h"
#include "codec/tar_block.h"
#include "testing/test.h"

static const hoist_rule rule_broken = {.id = "T-BROKEN", .severity = HOIST_ERROR};
static const hoist_rule rule_end = {.id = "T-END", .severity = HOIST_WARNING};
static const hoist_rule rule_limit = {.id = "T-LIMIT", .severity = HOIST_ERROR};
static const hoist_tar_options options = {.rules = {&rule_broken, &rule_end, &rule_limit}};

static void put(uint8_t *block, size_t at, const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        block[at + i] = (uint8_t)text[i];
    }
}

// As POSIX describes it, apart from the code under test.
static void put_checksum(uint8_t *block)
{
    unsigned sum = 0;
    char text[8];
    memset(block + 148, ' ', 8);
    for (size_t i = 0; i < 512; i++) {
        sum += block[i];
    }
    (void)snprintf(text, sizeof(text), "%06o", sum);
    memcpy(block + 148, text, 7);
}

// A ustar header of a file.
static void put_header(uint8_t *block, const char *name, char flag, size_t size)
{
    char octal[12];
    memset(block, 0, 512);
    (void)snprintf(octal, sizeof(octal), "%011zo", size);
    put(block, 0, name);
    put(block, 100, "0000644");
    put(block, 108, "0000001");
    put(block, 116, "0000002");
    put(block, 124, octal);
    put(block, 136, "00000000003");
    block[156] = (uint8_t)flag;
    put(block, 257, "ustar");
    put(block, 263, "00");
    put(block, 265, "u");
    put(block, 297, "g");
    put_checksum(block);
}

static void add_member(hoist_buffer *out, const char *name, char flag, hoist_str data)
{
    uint8_t block[512];
    put_header(block, name, flag, data.size);
    hoist_buffer_add(out, (hoist_bytes){block, sizeof(block)});
    hoist_buffer_str(out, data);
    hoist_buffer_fill(out, '\0', (512 - data.size % 512) % 512);
}

// All that was read: name, link, flag, type, dialect, mode, owner, time, header, data; the end.
static hoist_str described(hoist_test *t, const hoist_tar *tar)
{
    static const char *const types[] = {"file", "folder", "link", "other"};
    static const char *const dialects[] = {"v7", "ustar", "pax", "gnu"};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < tar->count; i++) {
        const hoist_tar_member *m = &tar->members[i];
        hoist_buffer_str(&out, m->name);
        hoist_buffer_c(&out, m->link.size ? "->" : "");
        hoist_buffer_str(&out, m->link);
        hoist_buffer_format(&out, " %c %s %s %o %" PRId64 ":%" PRId64, m->flag ? m->flag : '.',
                            types[m->type], dialects[m->dialect], m->mode, m->uid, m->gid);
        hoist_buffer_format(&out, " %.*s:%.*s %" PRId64, HOIST_STR_ARGS(m->user),
                            HOIST_STR_ARGS(m->group), m->mtime);
        hoist_buffer_format(&out, " %" PRIu64 " %" PRIu64 "+%zu\n", m->header_at, m->data_at,
                            m->data.size);
    }
    hoist_buffer_format(&out, "%" PRIu64 " %u", tar->content_end, tar->end_blocks);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

static void expect_read(hoist_test *t, hoist_bytes archive, hoist_status status,
                        const char *members, const char *findings)
{
    hoist_tar tar;
    const hoist_bytes exact = hoist_test_exact(t, archive);
    HOIST_EXPECT_EQ(t, hoist_tar_read(exact, &options, &t->arena, t->diag, &tar), status);
    HOIST_EXPECT_STR(t, described(t, &tar), members);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), findings);
}

typedef struct patch {
    uint16_t at;
    uint16_t size;
    const char *bytes;
} patch;

#define PUT(at, literal)                                                                           \
    {                                                                                              \
        at, sizeof(literal) - 1, literal                                                           \
    }
#define BROKEN(at, text) "+" at ": error: " text " [T-BROKEN]\n"
#define END(at, text) "+" at ": warning: " text " [T-END]\n"

// 0: header of "a"; 512: its 5 bytes; 1024: header of "b", which is empty; 1536: the end.
enum { WHOLE = 2560, AFTER_SUMS = 1 };
#define A "a 0 file ustar 644 1:2 u:g 3 0 512+5\n"
#define B "b 0 file ustar 644 1:2 u:g 3 1024 1536+0\n"
#define A_AND_B A B "1536 2"

// 100 and 155 bytes.
#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define PREFIX HUNDRED TEN TEN TEN TEN TEN "01234"

// clang-format off
static const struct {
    const char *name;
    patch patches[4]; // before the checksums are made, or after them
    unsigned flags;
    size_t size;
    hoist_status status;
    const char *members;
    const char *findings;
} cases[] = {
    {"two files", {{0}}, 0, WHOLE, HOIST_OK, A_AND_B, ""},
    {"zeros behind the end", {{0}}, 0, WHOLE + 512, HOIST_OK, A_AND_B, ""},
    {"anything behind the end", {PUT(2560, "x")}, 0, WHOLE + 512, HOIST_OK, A_AND_B, ""},
    {"type NUL", {PUT(156, "\0")}, 0, WHOLE, HOIST_OK,
     "a . file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"type 7", {PUT(156, "7")}, 0, WHOLE, HOIST_OK,
     "a 7 file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"type that nobody knows", {PUT(156, "Z")}, 0, WHOLE, HOIST_OK,
     "a Z other ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"folder", {PUT(1024, "b/"), PUT(1180, "5")}, 0, WHOLE, HOIST_OK,
     A "b/ 5 folder ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"folder with a size", {PUT(1148, "00000001000"), PUT(1180, "5")}, 0, WHOLE, HOIST_OK,
     A "b 5 folder ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"hard link", {PUT(1180, "1"), PUT(1181, "a")}, 0, WHOLE, HOIST_OK,
     A "b->a 1 link ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"hard link with a size", {PUT(1180, "1"), PUT(1181, "a"), PUT(1148, "00000000005")}, 0, WHOLE,
     HOIST_OK, A "b->a 1 link ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"symbolic link", {PUT(1180, "2"), PUT(1181, HUNDRED)}, 0, WHOLE, HOIST_OK,
     A "b->" HUNDRED " 2 link ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"character device", {PUT(1180, "3")}, 0, WHOLE, HOIST_OK,
     A "b 3 other ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"block device", {PUT(1180, "4")}, 0, WHOLE, HOIST_OK,
     A "b 4 other ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"FIFO", {PUT(1180, "6")}, 0, WHOLE, HOIST_OK,
     A "b 6 other ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"folder of old", {PUT(1024, "b/"), PUT(1180, "\0")}, 0, WHOLE, HOIST_OK,
     A "b/ . folder ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"name of 100 bytes", {PUT(0, HUNDRED)}, 0, WHOLE, HOIST_OK,
     HUNDRED " 0 file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"behind a name's NUL", {PUT(0, "n\0x")}, 0, WHOLE, HOIST_OK,
     "n 0 file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"no name", {PUT(0, "\0")}, 0, WHOLE, HOIST_OK,
     " 0 file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"prefix", {PUT(345, "dir/sub")}, 0, WHOLE, HOIST_OK,
     "dir/sub/a 0 file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"prefix of 155 bytes", {PUT(345, PREFIX), PUT(0, HUNDRED)}, 0, WHOLE, HOIST_OK,
     PREFIX "/" HUNDRED " 0 file ustar 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"other version of ustar", {PUT(263, "  ")}, 0, WHOLE, HOIST_OK, A_AND_B, ""},
    {"GNU", {PUT(257, "ustar  \0")}, 0, WHOLE, HOIST_OK,
     "a 0 file gnu 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"no prefix in GNU", {PUT(257, "ustar  \0"), PUT(345, "12345670123")}, 0, WHOLE, HOIST_OK,
     "a 0 file gnu 644 1:2 u:g 3 0 512+5\n" B "1536 2", ""},
    {"V7", {PUT(257, "\0\0\0\0\0\0\0\0")}, 0, WHOLE, HOIST_OK,
     "a 0 file v7 644 1:2 : 3 0 512+5\n" B "1536 2", ""},
    {"no prefix in V7", {PUT(257, "\0\0\0\0\0\0\0\0"), PUT(345, "dir")}, 0, WHOLE, HOIST_OK,
     "a 0 file v7 644 1:2 : 3 0 512+5\n" B "1536 2", ""},
    {"numbers in base 256", {PUT(108, "\x80\0\0\0\x25\x52\xce\xb7"),
     PUT(124, "\x80\0\0\0\0\0\0\0\0\0\0\x05"),
     PUT(136, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe")},
     0, WHOLE, HOIST_OK,
     "a 0 file ustar 644 626183863:2 u:g -2 0 512+5\n" B "1536 2", ""},
    {"blank numbers", {PUT(100, "       \0"), PUT(108, "\0\0\0\0\0\0\0"), PUT(136, "            ")},
     0, WHOLE, HOIST_OK,
     "a 0 file ustar 0 0:2 u:g 0 0 512+5\n" B "1536 2", ""},
    {"PAX records", {PUT(124, "00000000014"), PUT(156, "x"), PUT(512, "12 path=dir\n")}, 0, WHOLE,
     HOIST_OK, "dir 0 file pax 644 1:2 u:g 3 0 1536+0\n1536 2", ""},
    {"PAX records of numbers and names", {PUT(124, "00000000051"), PUT(156, "x"),
     PUT(512, "9 uid=12\n9 gid=34\n12 mtime=-5\n11 uname=r\n")}, 0, WHOLE, HOIST_OK,
     "b 0 file pax 644 12:34 r:g -5 0 1536+0\n1536 2", ""},
    {"PAX size counts", {PUT(124, "00000000014"), PUT(156, "x"), PUT(512, "12 size=512\n"),
     PUT(1148, "0000000000x")}, 0, WHOLE, HOIST_OK, "b 0 file pax 644 1:2 u:g 3 0 1536+512\n2048 1",
     END("0x800", "the archive ends with one block of zeros, expected two")},
    {"global PAX records", {PUT(124, "00000000014"), PUT(156, "g"), PUT(512, "12 path=all\n")}, 0,
     WHOLE, HOIST_OK, "all 0 file ustar 644 1:2 u:g 3 1024 1536+0\n1536 2", ""},
    {"GNU long name", {PUT(124, "00000000006"), PUT(156, "L"), PUT(512, "long1\0")}, 0, WHOLE,
     HOIST_OK, "long1 0 file ustar 644 1:2 u:g 3 0 1536+0\n1536 2", ""},
    {"GNU long name without NUL", {PUT(156, "L")}, 0, WHOLE, HOIST_OK,
     "hello 0 file ustar 644 1:2 u:g 3 0 1536+0\n1536 2", ""},
    {"empty GNU long name", {PUT(156, "L"), PUT(512, "\0\0\0\0\0")}, 0, WHOLE, HOIST_OK,
     "b 0 file ustar 644 1:2 u:g 3 0 1536+0\n1536 2", ""},
    {"GNU long link", {PUT(156, "K"), PUT(1180, "2")}, 0, WHOLE, HOIST_OK,
     "b->hello 2 link ustar 644 1:2 u:g 3 0 1536+0\n1536 2", ""},

    {"checksum", {PUT(148, "000001\0")}, AFTER_SUMS, WHOLE, HOIST_OK, B "1536 2",
     BROKEN("0x94", "the tar header's checksum is 1, that of its bytes 3365")},
    {"checksum is not octal", {PUT(148, "000x01\0")}, AFTER_SUMS, WHOLE, HOIST_OK, B "1536 2",
     BROKEN("0x94", "the tar header's checksum is no octal number, that of its bytes is 3365")},
    {"checksum of the second", {PUT(1024, "c")}, AFTER_SUMS, WHOLE, HOIST_OK, A "1024 2",
     BROKEN("0x494", "the tar header's checksum is 3361, that of its bytes 3362")},
    {"checksums of both", {PUT(0, "b"), PUT(1024, "c")}, AFTER_SUMS, WHOLE, HOIST_OK, "0 2",
     BROKEN("0x94", "the tar header's checksum is 3365, that of its bytes 3366")},
    {"checksums of both, no end", {PUT(0, "b"), PUT(1024, "c")}, AFTER_SUMS, 1536, HOIST_INVALID,
     "0 0", BROKEN("0x94", "the tar header's checksum is 3365, that of its bytes 3366")},
    {"size", {PUT(124, "0000000000x")}, 0, WHOLE, HOIST_OK, B "1536 2",
     BROKEN("0x7c", "the tar header's size is no valid octal or base-256 number")},
    {"negative size", {PUT(124, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")}, 0, WHOLE,
     HOIST_OK, B "1536 2",
     BROKEN("0x7c", "the tar header's size is no valid octal or base-256 number")},
    {"size beyond 64 bits", {PUT(124, "\x80\0\0\x01\0\0\0\0\0\0\0\0")}, 0, WHOLE, HOIST_OK,
     B "1536 2", BROKEN("0x7c", "the tar header's size is no valid octal or base-256 number")},
    {"mode", {PUT(100, "rw-r--r-")}, 0, WHOLE, HOIST_OK,
     "a 0 file ustar 0 1:2 u:g 3 0 512+5\n" B "1536 2",
     BROKEN("0x64", "the tar header's mode is no valid octal or base-256 number")},
    {"mode beyond 32 bits", {PUT(100, "\x80\0\0\x01\0\0\0\0")}, 0, WHOLE, HOIST_OK,
     "a 0 file ustar 0 1:2 u:g 3 0 512+5\n" B "1536 2",
     BROKEN("0x64", "the tar header's mode is no valid octal or base-256 number")},
    {"uid", {PUT(108, "root")}, 0, WHOLE, HOIST_OK,
     "a 0 file ustar 644 0:2 u:g 3 0 512+5\n" B "1536 2",
     BROKEN("0x6c", "the tar header's uid is no valid octal or base-256 number")},
    {"gid", {PUT(116, "0000009")}, 0, WHOLE, HOIST_OK,
     "a 0 file ustar 644 1:0 u:g 3 0 512+5\n" B "1536 2",
     BROKEN("0x74", "the tar header's gid is no valid octal or base-256 number")},
    {"mtime", {PUT(136, "1.5")}, 0, WHOLE, HOIST_OK,
     "a 0 file ustar 644 1:2 u:g 0 0 512+5\n" B "1536 2",
     BROKEN("0x88", "the tar header's mtime is no valid octal or base-256 number")},
    {"data beyond the end", {PUT(124, "00000010000")}, 0, WHOLE, HOIST_OK,
     "a 0 file ustar 644 1:2 u:g 3 0 512+2048\n2560 0",
     BROKEN("0x0", "the member 'a' has 4096 bytes, but the archive ends after 2048 of them")},
    {"data far beyond the end", {PUT(124, "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff")}, 0, WHOLE,
     HOIST_OK, "a 0 file ustar 644 1:2 u:g 3 0 512+2048\n2560 0",
     BROKEN("0x0", "the member 'a' has 9223372036854775807 bytes, but the archive ends after 2048 "
            "of them")},
    {"data of the second beyond the end", {PUT(1148, "00000004000")}, 0, WHOLE, HOIST_OK,
     A "b 0 file ustar 644 1:2 u:g 3 1024 1536+1024\n2560 0",
     BROKEN("0x400", "the member 'b' has 2048 bytes, but the archive ends after 1024 of them")},
    {"records beyond the end", {PUT(124, "00000010000"), PUT(156, "x")}, 0, WHOLE, HOIST_INVALID,
     "0 0",
     BROKEN("0x0", "the header of type 'x' has 4096 bytes, but the archive ends after 2048 of "
            "them")},
    {"size of records", {PUT(124, "0000000000x"), PUT(156, "x")}, 0, WHOLE, HOIST_OK, B "1536 2",
     BROKEN("0x7c", "the tar header's size is no valid octal or base-256 number")},
    {"bad record", {PUT(156, "x")}, 0, WHOLE, HOIST_OK,
     "b 0 file pax 644 1:2 u:g 3 0 1536+0\n1536 2",
     BROKEN("0x200", "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline")},
    {"bad record behind a good one", {PUT(124, "00000000021"), PUT(156, "x"),
     PUT(512, "12 path=dir\nworse")}, 0, WHOLE, HOIST_OK,
     "dir 0 file pax 644 1:2 u:g 3 0 1536+0\n1536 2",
     BROKEN("0x20c", "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline")},
    {"bad global record", {PUT(156, "g")}, 0, WHOLE, HOIST_OK, B "1536 2",
     BROKEN("0x200", "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline")},
    {"records at the end", {PUT(124, "00000000014"), PUT(156, "x"), PUT(512, "12 path=dir\n")}, 0,
     1024, HOIST_INVALID, "0 0", BROKEN("0x0", "no member follows the header of type 'x'")},

    {"no end", {{0}}, 0, 1536, HOIST_OK, A "b 0 file ustar 644 1:2 u:g 3 1024 1536+0\n1536 0",
     END("0x600", "the archive ends with no block of zeros, expected two")},
    {"one block of the end", {{0}}, 0, 2048, HOIST_OK,
     A "b 0 file ustar 644 1:2 u:g 3 1024 1536+0\n1536 1",
     END("0x600", "the archive ends with one block of zeros, expected two")},
    {"one block of the end and a piece", {{0}}, 0, 2559, HOIST_OK,
     A "b 0 file ustar 644 1:2 u:g 3 1024 1536+0\n1536 1",
     END("0x600", "the archive ends with one block of zeros, expected two")},
    {"a piece of the end", {{0}}, 0, 1636, HOIST_OK,
     A "b 0 file ustar 644 1:2 u:g 3 1024 1536+0\n1536 0",
     END("0x600", "the archive ends with no block of zeros, expected two")},
    {"one block of the end, then anything", {PUT(2048, "x")}, 0, WHOLE, HOIST_OK,
     A "b 0 file ustar 644 1:2 u:g 3 1024 1536+0\n1536 1",
     END("0x600", "the archive ends with one block of zeros, expected two")},
    {"cut in the second header", {{0}}, 0, 1535, HOIST_OK, A "1024 0",
     BROKEN("0x400", "the archive ends with 511 bytes of a header, expected 512")},
    {"cut before the second header", {{0}}, 0, 1024, HOIST_OK, A "1024 0",
     END("0x400", "the archive ends with no block of zeros, expected two")},
    {"cut in the padding", {{0}}, 0, 517, HOIST_OK, A "517 0",
     END("0x205", "the archive ends with no block of zeros, expected two")},
    {"cut in the data", {{0}}, 0, 516, HOIST_OK, "a 0 file ustar 644 1:2 u:g 3 0 512+4\n516 0",
     BROKEN("0x0", "the member 'a' has 5 bytes, but the archive ends after 4 of them")},
    {"cut before the data", {{0}}, 0, 512, HOIST_OK, "a 0 file ustar 644 1:2 u:g 3 0 512+0\n512 0",
     BROKEN("0x0", "the member 'a' has 5 bytes, but the archive ends after 0 of them")},
    {"cut in the first header", {{0}}, 0, 511, HOIST_INVALID, "0 0",
     BROKEN("0x0", "the archive ends with 511 bytes of a header, expected 512")},
    {"nothing", {{0}}, 0, 0, HOIST_INVALID, "0 0",
     BROKEN("0x0", "the 0 bytes are no tar archive, they have neither a member nor an end")},
};
// clang-format on

HOIST_TEST_TABLE(archives, cases)
{
    uint8_t archive[WHOLE + 512] = {0};
    put_header(archive, "a", '0', 5);
    put(archive, 512, "hello");
    put_header(archive + 1024, "b", '0', 0);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->patches); i++) {
        const patch *p = &row->patches[i];
        memcpy(archive + p->at, p->bytes ? p->bytes : "", p->size);
    }
    if (row->flags != AFTER_SUMS) {
        put_checksum(archive);
        put_checksum(archive + 1024);
    }
    expect_read(t, (hoist_bytes){archive, row->size}, row->status, row->members, row->findings);
}

// A piece of an archive: a header with its data, or bytes as they are when there is no name.
typedef struct part {
    const char *name;
    char flag;
    const char *data;
} part;

#define GARBAGE HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED TEN "01" // a block

// clang-format off
static const struct {
    const char *name;
    part parts[6]; // two blocks of zeros after them
    hoist_status status;
    const char *members;
    const char *findings;
} sequences[] = {
    {"no member", {{0}}, HOIST_OK, "0 2", ""},
    {"global records count until others do",
     {{"g", 'g', "12 path=all\n13 gname=all\n"}, {"x", 'x', "9 path=x\n"}, {"a", '0', ""},
      {"b", '0', ""}, {"g", 'g', "11 gname=h\n"}, {"c", '0', ""}}, HOIST_OK,
     "x 0 file pax 644 1:2 u:all 3 1024 2560+0\nall 0 file ustar 644 1:2 u:all 3 2560 3072+0\n"
     "all 0 file ustar 644 1:2 u:h 3 4096 4608+0\n4608 2", ""},
    {"global records between a header and its member",
     {{"x", 'x', "9 path=x\n"}, {"g", 'g', "9 path=g\n"}, {"a", '0', ""}, {"b", '0', ""}},
     HOIST_OK,
     "x 0 file pax 644 1:2 u:g 3 0 2560+0\ng 0 file ustar 644 1:2 u:g 3 2560 3072+0\n3072 2", ""},
    {"a record takes back a global one",
     {{"g", 'g', "12 path=all\n"}, {"x", 'x', "8 path=\n"}, {"a", '0', ""}}, HOIST_OK,
     "a 0 file pax 644 1:2 u:g 3 1024 2560+0\n2560 2", ""},
    {"long link and long name",
     {{"k", 'K', HUNDRED TEN}, {"l", 'L', TEN HUNDRED}, {"a", '2', ""}, {"b", '0', ""}}, HOIST_OK,
     TEN HUNDRED "->" HUNDRED TEN " 2 link ustar 644 1:2 u:g 3 0 2560+0\n"
     "b 0 file ustar 644 1:2 u:g 3 2560 3072+0\n3072 2", ""},
    {"two headers of records", {{"x", 'x', "9 path=x\n9 uid=77\n"}, {"x", 'x', "11 path=xy\n"},
      {"a", '0', ""}}, HOIST_OK,
     "xy 0 file pax 644 77:2 u:g 3 0 2560+0\n2560 2", ""},
    {"data that look like a header", {{"a", '0', "data"}, {"b", '0', ""}}, HOIST_OK,
     "a 0 file ustar 644 1:2 u:g 3 0 512+4\n" B "1536 2", ""},
    {"garbage between members", {{"a", '0', ""}, {NULL, 0, GARBAGE GARBAGE}, {"b", '0', "data"}},
     HOIST_OK,
     "a 0 file ustar 644 1:2 u:g 3 0 512+0\nb 0 file ustar 644 1:2 u:g 3 1536 2048+4\n2560 2",
     BROKEN("0x294", "the tar header's checksum is no octal number, that of its bytes is 26712")},
    {"garbage at two places", {{NULL, 0, GARBAGE}, {"a", '0', ""}, {NULL, 0, GARBAGE},
      {"b", '0', "data"}}, HOIST_OK,
     "a 0 file ustar 644 1:2 u:g 3 512 1024+0\nb 0 file ustar 644 1:2 u:g 3 1536 2048+4\n2560 2",
     BROKEN("0x94", "the tar header's checksum is no octal number, that of its bytes is 26712")
     BROKEN("0x494", "the tar header's checksum is no octal number, that of its bytes is 26712")},
    {"long name of what is lost", {{"l", 'L', "lost"}, {NULL, 0, GARBAGE}, {"b", '0', ""}},
     HOIST_OK,
     "b 0 file ustar 644 1:2 u:g 3 1536 2048+0\n2048 2",
     BROKEN("0x494", "the tar header's checksum is no octal number, that of its bytes is 26712")},
    {"long name at the end", {{"a", '0', ""}, {"l", 'L', "long"}}, HOIST_OK,
     "a 0 file ustar 644 1:2 u:g 3 0 512+0\n512 2",
     BROKEN("0x200", "no member follows the header of type 'L'")},
    {"nothing but a long name", {{"l", 'L', "long"}}, HOIST_OK, "0 2",
     BROKEN("0x0", "no member follows the header of type 'L'")},
    {"nothing but garbage", {{NULL, 0, GARBAGE}}, HOIST_OK, "0 2",
     BROKEN("0x94", "the tar header's checksum is no octal number, that of its bytes is 26712")},
};
// clang-format on

HOIST_TEST_TABLE(headers_in_sequence, sequences)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < HOIST_COUNT_OF(row->parts) && row->parts[i].data; i++) {
        const part *p = &row->parts[i];
        if (p->name) {
            add_member(&out, p->name, p->flag, hoist_str_from(p->data));
        } else {
            hoist_buffer_c(&out, p->data);
        }
    }
    hoist_buffer_fill(&out, '\0', 1024);
    expect_read(t, hoist_buffer_bytes(&out), row->status, row->members, row->findings);
    hoist_buffer_deinit(&out);
}

#define BYTES(literal)                                                                             \
    {                                                                                              \
        (const uint8_t *)(literal), sizeof(literal) - 1                                            \
    }

// clang-format off
static const struct {
    const char *name;
    hoist_bytes bytes;
    const char *findings;
} others[] = {
    {"gzip", BYTES("\x1f\x8b\x08"),
     BROKEN("0x0", "the archive ends with 3 bytes of a header, expected 512")},
    {"text of a block", BYTES(GARBAGE),
     BROKEN("0x94", "the tar header's checksum is no octal number, that of its bytes is 26712")},
    {"text of two blocks", BYTES(GARBAGE GARBAGE),
     BROKEN("0x94", "the tar header's checksum is no octal number, that of its bytes is 26712")},
    {"some zeros", BYTES("\0\0\0\0"),
     BROKEN("0x0", "the 4 bytes are no tar archive, they have neither a member nor an end")},
};
// clang-format on

HOIST_TEST_TABLE(no_archives, others)
{
    HOIST_EXPECT(t, !hoist_tar_is(hoist_test_exact(t, row->bytes)));
    expect_read(t, row->bytes, HOIST_INVALID, "0 0", row->findings);
}

static hoist_bytes two_members(hoist_test *t)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    add_member(&out, "a", '0', HOIST_STR("hello"));
    add_member(&out, "b", '0', HOIST_STR(""));
    const hoist_bytes exact = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return exact;
}

HOIST_TEST(is_an_archive)
{
    const hoist_bytes archive = two_members(t);
    HOIST_EXPECT(t, hoist_tar_is(archive));
    HOIST_EXPECT(t, hoist_tar_is((hoist_bytes){archive.data, 512}));
    HOIST_EXPECT(t, !hoist_tar_is((hoist_bytes){archive.data, 511}));
    HOIST_EXPECT(t, !hoist_tar_is((hoist_bytes){NULL, 0}));
}

HOIST_TEST(data_are_slices_of_the_archive)
{
    const hoist_bytes archive = two_members(t);
    hoist_tar tar;
    HOIST_EXPECT_EQ(t, hoist_tar_read(archive, &options, &t->arena, t->diag, &tar), HOIST_OK);
    HOIST_EXPECT(t, tar.count == 2 && tar.members[0].data.data == archive.data + 512);
    HOIST_EXPECT(t, tar.count == 2 &&
                        (const uint8_t *)tar.members[1].name.data == archive.data + 1024);
}

HOIST_TEST(members_are_limited)
{
    const hoist_bytes archive = two_members(t);
    hoist_tar_options few = options;
    hoist_tar tar;
    few.max_members = 2;
    HOIST_EXPECT_EQ(t, hoist_tar_read(archive, &few, &t->arena, NULL, &tar), HOIST_OK);
    few.max_members = 1;
    few.base_offset = 0x10000;
    HOIST_EXPECT_EQ(t, hoist_tar_read(archive, &few, &t->arena, t->diag, &tar), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, tar.count, 0);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "+0x10400: error: the archive has more than 1 members, the limit [T-LIMIT]\n");
}

HOIST_TEST(places_count_from_the_file)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    add_member(&out, "x", 'x', HOIST_STR("9 path=a\nbad"));
    add_member(&out, "b", '0', HOIST_STR(""));
    hoist_tar_options far = options;
    hoist_tar tar;
    far.base_offset = 0x10000;
    HOIST_EXPECT_EQ(t, hoist_tar_read(hoist_buffer_bytes(&out), &far, &t->arena, t->diag, &tar),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, described(t, &tar), "a 0 file pax 644 1:2 u:g 3 0 1536+0\n1536 0");
    HOIST_EXPECT_STR(
        t, hoist_test_findings(t),
        BROKEN("0x10209", "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline")
            END("0x10600", "the archive ends with no block of zeros, expected two"));
    hoist_buffer_deinit(&out);
}

HOIST_TEST(findings_may_be_unwanted)
{
    static const hoist_tar_options silent = {.max_members = 1};
    static const uint8_t text[] = GARBAGE;
    const hoist_bytes archive = two_members(t);
    hoist_tar tar;
    HOIST_EXPECT_EQ(t, hoist_tar_read(archive, &silent, &t->arena, t->diag, &tar), HOIST_LIMIT);
    HOIST_EXPECT_EQ(
        t, hoist_tar_read((hoist_bytes){archive.data, 1024}, &silent, &t->arena, t->diag, &tar),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_tar_read((hoist_bytes){text, 512}, &silent, &t->arena, t->diag, &tar),
                    HOIST_INVALID);
    HOIST_EXPECT_RULE(t, NULL);
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    hoist_arena arena;
    hoist_tar tar;
    hoist_arena_init(&arena, alloc);
    const hoist_status status =
        hoist_tar_read(*(const hoist_bytes *)self, &options, &arena, NULL, &tar);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_buffer out;
    uint8_t block[512];
    hoist_buffer_init(&out, hoist_allocator_system());
    put_header(block, "name", '0', 0);
    put(block, 345, "prefix");
    put_checksum(block);
    for (size_t i = 0; i < 40; i++) {
        hoist_buffer_add(&out, (hoist_bytes){block, sizeof(block)});
    }
    const hoist_bytes archive = hoist_buffer_bytes(&out);
    hoist_test_starve(t, read_starved, &archive);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(archives), HOIST_TEST_ROW(headers_in_sequence),
                HOIST_TEST_ROW(no_archives), HOIST_TEST_ROW(is_an_archive),
                HOIST_TEST_ROW(data_are_slices_of_the_archive), HOIST_TEST_ROW(members_are_limited),
                HOIST_TEST_ROW(places_count_from_the_file),
                HOIST_TEST_ROW(findings_may_be_unwanted), HOIST_TEST_ROW(memory_may_run_out))
