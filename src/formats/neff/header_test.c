#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "formats/neff/container_testing.h"
#include "formats/neff/header.h"

// The header of the reference's appendix A12 (pkg 2, data_size 1709, version 2.0, one core), with
// a name, a build text and a version 4 uuid, before 1,709 bytes of payload.
enum { PAYLOAD = 1709, FILE_SIZE = NEFF_HEADER_SIZE + PAYLOAD };

static void fill_file(uint8_t file[FILE_SIZE])
{
    static const char build[] = "2.0.1%tools";
    memset(file, 0, FILE_SIZE);
    hoist_store_u64le(file, 2);
    hoist_store_u64le(file + 8, 1024);
    hoist_store_u64le(file + 16, PAYLOAD);
    hoist_store_u64le(file + 24, 2);
    memcpy(file + 40, build, sizeof build);
    hoist_store_u32le(file + 168, 1);
    memset(file + 172, 0xab, 16);
    for (uint8_t i = 0; i < 16; i++) {
        file[204 + i] = i;
    }
    file[210] = 0x40;
    file[212] = 0x80;
    file[220] = 'x';
    hoist_store_u32le(file + 476, 1);
    hoist_store_u32le(file + 552, 1);
}

// Reads the first `size` bytes of `file`; the findings are in t->diag.
static hoist_status read_header(hoist_test *t, const uint8_t *file, size_t size,
                                neff_header *out_header, size_t *out_payload)
{
    const hoist_bytes exact = hoist_test_exact(t, (hoist_bytes){file, size});
    neff_module *const m = neff_module_create(hoist_allocator_system(), exact);
    HOIST_EXPECT(t, m != NULL);
    neff_reader r = {.module = m, .diag = t->diag, .arena = &m->arena};
    const hoist_status status = neff_read_header(&r);
    *out_header = m->header;
    *out_payload = m->payload.size;
    neff_module_free(m);
    return status;
}

typedef struct header_case {
    const char *name;
    size_t at;        // first byte that is overwritten
    size_t size;      // how many: with the little-endian bytes of `value`, then zeros
    uint64_t value;   // of up to 8 bytes
    const char *want; // findings as the command prints them
} header_case;

#define BAD NEFF_TEST_FINDING

// clang-format off
static const header_case cases[] = {
    {"as it is", 0, 0, 0, ""},
    {"pkg_version 1", 0, 8, 1, ""},
    {"pkg_version 3", 0, 8, 3,
     BAD("0", "error", "pkg_version is 3, expected 1 or 2, as described", "NEFF-002")},
    {"pkg_version 0", 0, 8, 0,
     BAD("0", "error", "pkg_version is 0, expected 1 or 2, as described", "NEFF-002")},
    {"header_size 1023", 8, 8, 1023,
     BAD("8", "error", "header_size is 1023, expected at least 1024 and less than the file's 2733 bytes", "NEFF-003a")},
    {"header_size of the file", 8, 8, FILE_SIZE,
     BAD("8", "error", "header_size is 2733, expected at least 1024 and less than the file's 2733 bytes", "NEFF-003a")},
    {"header_size 1025", 8, 8, 1025,
     BAD("8", "warning", "header_size is 1025, expected 1024, where loaders look for the archive whatever it is", "NEFF-003b")},
    {"header_size just below the file", 8, 8, FILE_SIZE - 1,
     BAD("8", "warning", "header_size is 2732, expected 1024, where loaders look for the archive whatever it is", "NEFF-003b")},
    {"data_size beyond the end", 16, 8, PAYLOAD + 1,
     BAD("10", "error", "data_size is 1710, but only 1709 bytes follow the header", "NEFF-004a")},
    {"data_size that wraps around", 16, 8, UINT64_MAX,
     BAD("10", "error", "data_size is 18446744073709551615, but only 1709 bytes follow the header", "NEFF-004a")},
    {"data_size one less", 16, 8, PAYLOAD - 1,
     BAD("aac", "warning", "1 byte follows the archive, whose data_size is 1708", "NEFF-004b")},
    {"data_size 0", 16, 8, 0,
     BAD("400", "warning", "1709 bytes follow the archive, whose data_size is 0", "NEFF-004b")},
    {"major 3", 24, 8, 3,
     BAD("18", "error", "neff_version_major is 3, expected at most 2, as described", "NEFF-005a")},
    {"major 1", 24, 8, 1, ""},
    {"major 0", 24, 8, 0,
     BAD("18", "warning", "neff_version_major is 0, expected 1 or 2, as described", "NEFF-005b")},
    {"minor 1", 32, 8, 1,
     BAD("20", "note", "neff_version_minor is 1; all known files have 0, as described", "NEFF-005c")},
    {"MD5 with digits behind", 188, 8, 0x3030303030303030,
     BAD("bc", "note", "the 16 bytes of the hash after the MD5 hold a value, expected all 0x00 or all 0x30", "NEFF-007")},
    {"MD5 with one bit behind", 203, 1, 1,
     BAD("bc", "note", "the 16 bytes of the hash after the MD5 hold a value, expected all 0x00 or all 0x30", "NEFF-007")},
    {"name that goes on behind its NUL", 475, 1, 'y',
     BAD("1db", "warning", "name goes on after its NUL, expected only zeros there", "NEFF-008")},
    {"name with a line feed", 221, 1, '\n',
     BAD("dd", "warning", "name has the byte 0x0a, expected printable text", "NEFF-008")},
    {"name with DEL", 221, 1, 0x7f,
     BAD("dd", "warning", "name has the byte 0x7f, expected printable text", "NEFF-008")},
    {"name in UTF-8", 221, 2, 0xa4c3, ""},
    {"name in Latin-1", 221, 1, 0xe4,
     BAD("dd", "warning", "name has the byte 0xe4, expected printable text", "NEFF-008")},
    {"no name", 220, 1, 0, ""},
    {"build version that goes on behind its NUL", 100, 1, 'y',
     BAD("64", "warning", "neff_build_version goes on after its NUL, expected only zeros there", "NEFF-008")},
    {"build version with an escape", 40, 1, 0x1b,
     BAD("28", "warning", "neff_build_version has the byte 0x1b, expected printable text", "NEFF-008")},
    {"uuid all zero", 204, 16, 0,
     BAD("cc", "warning", "the uuid is all zero", "NEFF-009")},
    {"uuid of version 1", 210, 1, 0x10,
     BAD("cc", "warning", "the uuid has version 1 and variant bits 10, expected version 4 and 10", "NEFF-009")},
    {"uuid of another variant", 212, 1, 0xc0,
     BAD("cc", "warning", "the uuid has version 4 and variant bits 11, expected version 4 and 10", "NEFF-009")},
    {"first byte of the pad", 556, 1, 1,
     BAD("22c", "warning", "the header's pad has the byte 0x01, expected zeros: perhaps a field that is newer than this program", "NEFF-010")},
    {"last byte of the pad", 1023, 1, 0xff,
     BAD("3ff", "warning", "the header's pad has the byte 0xff, expected zeros: perhaps a field that is newer than this program", "NEFF-010")},
    {"known feature bits", 544, 8, 0x7ffffff, ""},
    {"feature bit 63", 544, 8, UINT64_C(1) << 63, ""},
    {"feature bit 27", 544, 8, UINT64_C(1) << 27,
     BAD("220", "error", "unknown feature bit 27: loaders refuse the file, as described", "NEFF-012b")},
    {"feature bits 31 and 62", 544, 8, UINT64_C(0x4000000080000000),
     BAD("220", "error", "unknown feature bits 31, 62: loaders refuse the file, as described", "NEFF-012b")},
    {"no cores", 168, 4, 0,
     BAD("a8", "warning", "num_tpb is 0, expected 1 or more", "NEFF-013")},
    {"no cores requested", 476, 4, 0,
     BAD("1dc", "warning", "requested_tpb_count is 0, expected 1 or more", "NEFF-013")},
    {"cores of nodes that fit", 543, 1, 1, ""},
    {"cores of nodes that do not", 480, 2, 0x0101,
     BAD("1e0", "warning", "tpb_per_node sums up to 2, expected num_tpb, which is 1, or 0", "NEFF-013")},
};
// clang-format on

HOIST_TEST_TABLE(patched, cases)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    for (size_t i = 0; i < row->size; i++) {
        file[row->at + i] = (uint8_t)(i < 8 ? row->value >> (8 * i) : 0);
    }
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, FILE_SIZE, &header, &payload), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->want);
}

HOIST_TEST(unknown_feature_below_major_2)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    hoist_store_u64le(file + 24, 1);
    hoist_store_u64le(file + 544, UINT64_C(3) << 40);
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, FILE_SIZE, &header, &payload), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     BAD("220", "warning",
                         "unknown feature bits 40, 41; with neff_version_major 1 loaders do not "
                         "look, as described",
                         "NEFF-012a"));
}

HOIST_TEST(every_unknown_feature)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    hoist_store_u64le(file + 544, UINT64_MAX);
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, FILE_SIZE, &header, &payload), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), " 27, 28, "));
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), " 61, 62: "));
}

HOIST_TEST(full_text_fields)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    memset(file + 220, 'n', 256);
    memset(file + 40, 'b', 128);
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, FILE_SIZE, &header, &payload), HOIST_OK);
    HOIST_EXPECT_STR(
        t, hoist_test_findings(t),
        BAD("28", "warning", "neff_build_version fills its 128 bytes, expected a NUL at the end",
            "NEFF-008") BAD("dc", "warning", "name fills its 256 bytes, expected a NUL at the end",
                            "NEFF-008"));
    HOIST_EXPECT_EQ(t, neff_header_text(header.name, sizeof(header.name)).size, 256);
}

static const struct {
    const char *name;
    size_t size;
    const char *want;
} short_files[] = {
    {"empty", 0,
     BAD("0", "error", "the file has 0 bytes, expected 1024 of header and an archive, as described",
         "NEFF-001")},
    {"one byte", 1,
     BAD("1", "error", "the file has 1 byte, expected 1024 of header and an archive, as described",
         "NEFF-001")},
    {"the header only", 1024,
     BAD("400", "error",
         "the file has 1024 bytes, expected 1024 of header and an archive, as described",
         "NEFF-001")},
};

HOIST_TEST_TABLE(too_short, short_files)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, row->size, &header, &payload), HOIST_TRUNCATED);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->want);
}

// The shortest file that rule 1 accepts; what is there of the archive is its payload.
HOIST_TEST(one_byte_of_archive)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, 1025, &header, &payload), HOIST_OK);
    HOIST_EXPECT_EQ(t, payload, 1);
    HOIST_EXPECT_RULE(t, "NEFF-004a");
}

HOIST_TEST(fields_of_the_reference)
{
    uint8_t file[FILE_SIZE];
    fill_file(file);
    static const uint8_t begin[] = {2,    0,    0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0,
                                    0xad, 0x06, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    HOIST_EXPECT(t, memcmp(file, begin, sizeof(begin)) == 0);
    HOIST_EXPECT(t, file[0xa8] == 1 && file[0x1dc] == 1 && file[0x228] == 1);
    neff_header header;
    size_t payload = 0;
    HOIST_EXPECT_EQ(t, read_header(t, file, FILE_SIZE, &header, &payload), HOIST_OK);
    HOIST_EXPECT_EQ(t, header.pkg_version, 2);
    HOIST_EXPECT_EQ(t, header.data_size, PAYLOAD);
    HOIST_EXPECT_EQ(t, header.version_major, 2);
    HOIST_EXPECT_EQ(t, header.num_tpb, 1);
    HOIST_EXPECT_EQ(t, header.requested_tpb_count, 1);
    HOIST_EXPECT_EQ(t, header.lnc_size, 1);
    HOIST_EXPECT_EQ(t, header.uuid[6], 0x40);
    HOIST_EXPECT_STR(t, neff_header_text(header.name, sizeof(header.name)), "x");
    HOIST_EXPECT_EQ(t, payload, PAYLOAD);
}

// Whatever 1,024 bytes are read, writing gives them back.
HOIST_TEST(write_gives_what_was_read)
{
    uint64_t state = 7;
    for (int round = 0; round < HOIST_TEST_ROUNDS(200); round++) {
        uint8_t file[NEFF_HEADER_SIZE + 1];
        for (size_t i = 0; i < sizeof(file); i++) {
            file[i] = (uint8_t)hoist_test_random(&state);
        }
        neff_header header;
        size_t payload = 0;
        HOIST_EXPECT_EQ(t, read_header(t, file, sizeof(file), &header, &payload), HOIST_OK);
        uint8_t written[NEFF_HEADER_SIZE];
        neff_write_header(&header, written);
        HOIST_EXPECT(t, memcmp(file, written, sizeof(written)) == 0);
    }
}

// The rows are the whole header, in order and without a gap.
HOIST_TEST(rows_cover_the_header)
{
    size_t at = 0;
    for (size_t i = 0; i < NEFF_H_COUNT; i++) {
        HOIST_EXPECT_EQ(t, neff_header_rows[i].offset, at);
        at += neff_header_rows[i].size;
    }
    HOIST_EXPECT_EQ(t, at, NEFF_HEADER_SIZE);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(patched), HOIST_TEST_ROW(unknown_feature_below_major_2),
                HOIST_TEST_ROW(every_unknown_feature), HOIST_TEST_ROW(full_text_fields),
                HOIST_TEST_ROW(too_short), HOIST_TEST_ROW(one_byte_of_archive),
                HOIST_TEST_ROW(fields_of_the_reference), HOIST_TEST_ROW(write_gives_what_was_read),
                HOIST_TEST_ROW(rows_cover_the_header))
