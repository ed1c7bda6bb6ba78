// The header: 1,024 bytes, little-endian, no padding between fields (neff reference 1.1). In go the
// first bytes of a file, out come neff_header and the findings of rules 1 to 5, 7 to 10, 12 and 13;
// container.c reads the archive after it, compose.c and manifest_read.c make headers.
//
// offset size  field                offset size  field
//      0    8  pkg_version             204   16  uuid
//      8    8  header_size             220  256  name
//     16    8  data_size               476    4  requested_tpb_count
//     24    8  neff_version_major      480   64  tpb_per_node
//     32    8  neff_version_minor      544    8  feature_bits
//     40  128  neff_build_version      552    4  lnc_size
//    168    4  num_tpb                 556  468  pad
//    172   32  hash                   1024       data_size bytes: the archive
#include "formats/neff/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"
#include "base/utf8.h"
#include "formats/neff/neff.h"

// clang-format off
// A row is ROW(...) AT(...): clang-format keeps the two halves of a designated initializer apart.
#define ROW(field, member, from, bytes, is, text)                                                  \
    [NEFF_H_##field] = {.name = (member), .offset = (from), .size = (bytes),                        \
                        .kind = NEFF_HEADER_##is, .summary = (text),
#define AT(member) .slot = offsetof(neff_header, member)}
const neff_header_row neff_header_rows[NEFF_H_COUNT] = {
    ROW(PKG_VERSION, "pkg_version", 0, 8, U64,
        "packaging: 1 for SHA-256 (plain tar), 2 for MD5 (gzip)") AT(pkg_version),
    ROW(HEADER_SIZE, "header_size", 8, 8, U64, "bytes of the header: 1024") AT(header_size),
    ROW(DATA_SIZE, "data_size", 16, 8, U64, "bytes of the archive after the header")
        AT(data_size),
    ROW(VERSION_MAJOR, "neff_version_major", 24, 8, U64,
        "format version: 1, or 2 when feature bits count") AT(version_major),
    ROW(VERSION_MINOR, "neff_version_minor", 32, 8, U64, "never examined by the loader")
        AT(version_minor),
    ROW(BUILD_VERSION, "neff_build_version", 40, 128, TEXT, "the compiler's version")
        AT(build_version),
    ROW(NUM_TPB, "num_tpb", 168, 4, U32, "cores needed for efficient execution") AT(num_tpb),
    ROW(HASH, "hash", 172, 32, BYTES, "digest of the archive as stored; MD5 takes 16 bytes")
        AT(hash),
    ROW(UUID, "uuid", 204, 16, BYTES, "identity of the file, RFC 4122 version 4") AT(uuid),
    ROW(NAME, "name", 220, 256, TEXT, "name of the network") AT(name),
    ROW(REQUESTED_TPB_COUNT, "requested_tpb_count", 476, 4, U32,
        "cores asked for at compile time") AT(requested_tpb_count),
    ROW(TPB_PER_NODE, "tpb_per_node", 480, 64, LIST, "cores of each kelf node")
        AT(tpb_per_node),
    ROW(FEATURE_BITS, "feature_bits", 544, 8, U64,
        "features that a loader must know to run the file") AT(feature_bits),
    ROW(LNC_SIZE, "lnc_size", 552, 4, U32, "physical cores of the logical core: 1 or 2")
        AT(lnc_size),
    ROW(PAD, "pad", 556, 468, BYTES, "zero") AT(pad),
};
#undef ROW
#undef AT
// clang-format on

// Values the reference gives: 1.4, 1.5.
enum {
    NEFF_MAX_MAJOR = 2,
    NEFF_UUID_VERSION_AT = 6, // high four bits: 4
    NEFF_UUID_VARIANT_AT = 8, // high two bits: 10
};
// Bits 27 ... 62: a loader of today refuses them; bit 63 is never tested.
#define NEFF_UNKNOWN_FEATURES UINT64_C(0x7ffffffff8000000)

const uint8_t *neff_header_bytes(const neff_header *header, neff_header_field field)
{
    // Offsets of struct members, so that one loop reads and writes all fields. memcpy below because
    // the type at a slot is known from `kind` alone.
    return (const uint8_t *)header + neff_header_rows[field].slot;
}

uint8_t *neff_header_mut_bytes(neff_header *header, neff_header_field field)
{
    return (uint8_t *)header + neff_header_rows[field].slot;
}

uint64_t neff_header_number(const neff_header *header, neff_header_field field)
{
    const uint8_t *const slot = neff_header_bytes(header, field);
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (neff_header_rows[field].kind == NEFF_HEADER_U64) {
        memcpy(&wide, slot, sizeof(wide));
        return wide;
    }
    HOIST_ASSERT(neff_header_rows[field].kind == NEFF_HEADER_U32);
    memcpy(&narrow, slot, sizeof(narrow));
    return narrow;
}

void neff_header_set_number(neff_header *header, neff_header_field field, uint64_t value)
{
    uint8_t *const slot = neff_header_mut_bytes(header, field);
    const uint32_t narrow = (uint32_t)value; // what 32 bits hold; 64-bit fields take `value`
    if (neff_header_rows[field].kind == NEFF_HEADER_U64) {
        memcpy(slot, &value, sizeof(value));
    } else {
        memcpy(slot, &narrow, sizeof(narrow));
    }
}

// A field without a NUL is text to its last byte: rule 8 reports it.
hoist_str neff_header_text(const uint8_t *field, size_t size)
{
    const uint8_t *const end = memchr(field, '\0', size);
    return (hoist_str){(const char *)field, end ? (size_t)(end - field) : size};
}

static void read_field(hoist_reader *reader, const neff_header_row *row, neff_header *out_header)
{
    const neff_header_field field = (neff_header_field)(row - neff_header_rows);
    // The rows are in the order of the file and leave no gap.
    HOIST_ASSERT(reader->failed || reader->pos == row->offset);
    if (row->kind == NEFF_HEADER_U64) {
        neff_header_set_number(out_header, field, hoist_read_u64le(reader));
    } else if (row->kind == NEFF_HEADER_U32) {
        neff_header_set_number(out_header, field, hoist_read_u32le(reader));
    } else {
        // Empty when the file ends before it.
        const hoist_bytes bytes = hoist_read_bytes(reader, row->size);
        if (bytes.size) {
            memcpy(neff_header_mut_bytes(out_header, field), bytes.data, bytes.size);
        }
    }
}

void neff_write_header(const neff_header *header, uint8_t out[NEFF_HEADER_SIZE])
{
    // Every byte of `out` is some row's, so it needs no zeroing before.
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        const neff_header_row *const row = &neff_header_rows[i];
        uint8_t *const to = out + row->offset;
        if (row->kind == NEFF_HEADER_U64) {
            hoist_store_u64le(to, neff_header_number(header, i));
        } else if (row->kind == NEFF_HEADER_U32) {
            hoist_store_u32le(to, (uint32_t)neff_header_number(header, i));
        } else {
            memcpy(to, neff_header_bytes(header, i), row->size);
        }
    }
}

// Checking ----------------------------------------------------------------------------------------

// Findings are at the offset of the field. The values stay as they are: a reader shows what is
// there.
static hoist_loc place(neff_header_field field)
{
    return hoist_loc_byte(neff_header_rows[field].offset);
}

// Rules 2 and 5.
// The hash and the archive depend on it.
static void check_versions(const neff_reader *r, const neff_header *h)
{
    if (h->pkg_version != 1 && h->pkg_version != 2) {
        neff_report(r->diag, NEFF_002, place(NEFF_H_PKG_VERSION),
                    "pkg_version is %" PRIu64 ", expected 1 or 2", h->pkg_version);
    }
    if (h->version_major > NEFF_MAX_MAJOR) {
        neff_report(r->diag, NEFF_005a, place(NEFF_H_VERSION_MAJOR),
                    "neff_version_major is %" PRIu64 ", expected at most %d", h->version_major,
                    NEFF_MAX_MAJOR);
    } else if (h->version_major == 0) {
        neff_report(r->diag, NEFF_005b, place(NEFF_H_VERSION_MAJOR),
                    "neff_version_major is 0, expected 1 or 2");
    }
    // Loaders never look at it; a note, because "1.1" was accepted by an early runtime.
    if (h->version_minor != 0) {
        neff_report(r->diag, NEFF_005c, place(NEFF_H_VERSION_MINOR),
                    "neff_version_minor is %" PRIu64 "; all known files have 0", h->version_minor);
    }
}

// Rules 3 and 4; the payload is what is there of data_size, so that a cut file is still read.
static void check_sizes(const neff_reader *r, const neff_header *h)
{
    neff_module *const m = r->module; // the caller has checked that there is a header
    const uint64_t size = m->file.size;
    const uint64_t behind = size - NEFF_HEADER_SIZE;
    if (h->header_size < NEFF_HEADER_SIZE || h->header_size >= size) {
        neff_report(r->diag, NEFF_003a, place(NEFF_H_HEADER_SIZE),
                    "header_size is %" PRIu64 ", expected at least %d and less than the file's "
                    "%" PRIu64 " bytes",
                    h->header_size, NEFF_HEADER_SIZE, size);
    } else if (h->header_size != NEFF_HEADER_SIZE) {
        neff_report(r->diag, NEFF_003b, place(NEFF_H_HEADER_SIZE),
                    "header_size is %" PRIu64 ", expected %d, where loaders look for the archive "
                    "whatever it is",
                    h->header_size, NEFF_HEADER_SIZE);
    }
    if (h->data_size > behind) {
        // What a transfer would have to deliver for the file to be complete; without wrapping
        // around.
        hoist_diag_lacks(r->diag, h->data_size > UINT64_MAX - NEFF_HEADER_SIZE
                                      ? UINT64_MAX
                                      : h->data_size + NEFF_HEADER_SIZE);
        neff_report(r->diag, NEFF_004a, place(NEFF_H_DATA_SIZE),
                    "data_size is %" PRIu64 ", but only %" PRIu64 " %s the header", h->data_size,
                    behind, hoist_plural(behind, "byte follows", "bytes follow"));
        // The vendor's loader accepts bytes after the archive; another reader of the format does
        // not.
    } else if (h->data_size < behind) {
        const uint64_t rest = behind - h->data_size;
        neff_report(r->diag, NEFF_004b, hoist_loc_byte(NEFF_HEADER_SIZE + h->data_size),
                    "%" PRIu64 " %s the archive, whose data_size is %" PRIu64, rest,
                    hoist_plural(rest, "byte follows", "bytes follow"), h->data_size);
    }
    const uint64_t there = h->data_size < behind ? h->data_size : behind;
    m->payload = (hoist_bytes){m->file.data + NEFF_HEADER_SIZE, (size_t)there};
}

// Index of the first byte that is not `value`; `size` when all are.
static size_t first_other(const uint8_t *bytes, size_t size, uint8_t value)
{
    size_t i = 0;
    while (i < size && bytes[i] == value) {
        i++;
    }
    return i;
}

// Rule 7: what MD5 leaves of the hash is zeros or, in an observed file, the digit 0.
static void check_hash_rest(const neff_reader *r, const neff_header *h)
{
    enum { MD5_BYTES = 16 };
    const uint8_t *const rest = h->hash + MD5_BYTES;
    const size_t size = sizeof(h->hash) - MD5_BYTES;
    // SHA-256 takes all 32 bytes.
    if (h->pkg_version != 2 || first_other(rest, size, 0x00) == size ||
        first_other(rest, size, 0x30) == size) {
        return;
    }
    const uint64_t at = neff_header_rows[NEFF_H_HASH].offset + UINT64_C(16);
    neff_report(r->diag, NEFF_007, hoist_loc_byte(at),
                "the 16 bytes of the hash after the MD5 hold a value, expected all 0x00 or all "
                "0x30");
}

// Index of the first byte that is neither printable ASCII nor part of other UTF-8.
static size_t first_unprintable(hoist_str text)
{
    size_t i = 0;
    while (i < text.size) {
        const uint8_t byte = (uint8_t)text.data[i];
        const size_t size = hoist_utf8_size(text, i); // 0: no UTF-8 there
        if (size == 0 || byte < 0x20 || byte == 0x7f) {
            return i;
        }
        i += size;
    }
    return text.size;
}

// Rule 8.
static void check_text(const neff_reader *r, const neff_header *h, neff_header_field field)
{
    const neff_header_row *const row = &neff_header_rows[field];
    const uint8_t *const bytes = neff_header_bytes(h, field);
    const hoist_str text = neff_header_text(bytes, row->size);
    const size_t odd = first_unprintable(text);
    if (odd < text.size) {
        neff_report(r->diag, NEFF_008, hoist_loc_byte(row->offset + odd),
                    "%s has the byte 0x%02x, expected printable text", row->name, bytes[odd]);
    }
    if (text.size == row->size) {
        neff_report(r->diag, NEFF_008, hoist_loc_byte(row->offset),
                    "%s fills its %d bytes, expected a NUL at the end", row->name, row->size);
        return;
    }
    // The first byte after the NUL that is not one.
    const size_t behind = text.size + first_other(bytes + text.size, row->size - text.size, 0);
    if (behind < row->size) {
        neff_report(r->diag, NEFF_008, hoist_loc_byte(row->offset + behind),
                    "%s goes on after its NUL, expected only zeros there", row->name);
    }
}

// Rule 9.
static void check_uuid(const neff_reader *r, const neff_header *h)
{
    if (first_other(h->uuid, sizeof(h->uuid), 0) == sizeof(h->uuid)) {
        neff_report(r->diag, NEFF_009, place(NEFF_H_UUID), "the uuid is all zero");
        return;
    }
    // RFC 4122: version in the high nibble of byte 6, variant in the high bits of byte 8.
    const unsigned version = h->uuid[NEFF_UUID_VERSION_AT] >> 4;
    const unsigned variant = h->uuid[NEFF_UUID_VARIANT_AT] >> 6;
    if (version != 4 || variant != 2) {
        neff_report(r->diag, NEFF_009, place(NEFF_H_UUID),
                    "the uuid has version %u and variant bits %u%u, expected version 4 and 10",
                    version, variant >> 1, variant & 1);
    }
}

// Rule 10.
static void check_pad(const neff_reader *r, const neff_header *h)
{
    const size_t at = first_other(h->pad, sizeof(h->pad), 0);
    if (at < sizeof(h->pad)) {
        neff_report(r->diag, NEFF_010, hoist_loc_byte(neff_header_rows[NEFF_H_PAD].offset + at),
                    "the header's pad has the byte 0x%02x, expected zeros: perhaps a field that is "
                    "newer than this program",
                    h->pad[at]);
    }
}

// Rule 12: an error where loaders look at the bits (major 2), else a warning. Above major 2 nothing
// is known of them, and rule 5 has spoken.
static void check_features(const neff_reader *r, const neff_header *h)
{
    const uint64_t unknown = h->feature_bits & NEFF_UNKNOWN_FEATURES;
    if (!unknown || h->version_major > NEFF_MAX_MAJOR) {
        return;
    }
    char bits[256] = ""; // 36 bits of at most 2 digits, with ", "
    size_t used = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (unknown >> bit & 1) {
            used +=
                (size_t)snprintf(bits + used, sizeof(bits) - used, "%s%u", used ? ", " : "", bit);
        }
    }
    const char *const what = (unknown & (unknown - 1)) ? "bits" : "bit";
    if (h->version_major == NEFF_MAX_MAJOR) {
        neff_report(r->diag, NEFF_012b, place(NEFF_H_FEATURE_BITS),
                    "unknown feature %s %s: loaders refuse the file", what, bits);
    } else {
        neff_report(r->diag, NEFF_012a, place(NEFF_H_FEATURE_BITS),
                    "unknown feature %s %s; with neff_version_major %" PRIu64
                    " loaders do not look",
                    what, bits, h->version_major);
    }
}

// Rule 13. tpb_per_node all zero is usual: the packager's fallback.
static void check_cores(const neff_reader *r, const neff_header *h)
{
    if (h->num_tpb == 0) {
        neff_report(r->diag, NEFF_013, place(NEFF_H_NUM_TPB), "num_tpb is 0, expected 1 or more");
    }
    if (h->requested_tpb_count == 0) {
        neff_report(r->diag, NEFF_013, place(NEFF_H_REQUESTED_TPB_COUNT),
                    "requested_tpb_count is 0, expected 1 or more");
    }
    unsigned sum = 0; // at most 64 * 255
    for (size_t i = 0; i < sizeof(h->tpb_per_node); i++) {
        sum += h->tpb_per_node[i];
    }
    if (sum != 0 && sum != h->num_tpb) {
        neff_report(r->diag, NEFF_013, place(NEFF_H_TPB_PER_NODE),
                    "tpb_per_node sums up to %u, expected num_tpb, which is %" PRIu32 ", or 0", sum,
                    h->num_tpb);
    }
}

hoist_status neff_read_header(neff_reader *r)
{
    neff_module *const m = r->module;
    // 1,024 bytes are a header, but rule 1 expects an archive after it.
    if (m->file.size <= NEFF_HEADER_SIZE) {
        neff_report(r->diag, NEFF_001, hoist_loc_byte(m->file.size),
                    "the file has %zu %s, expected %d of header and an archive", m->file.size,
                    hoist_plural(m->file.size, "byte", "bytes"), NEFF_HEADER_SIZE);
        return HOIST_TRUNCATED;
    }
    hoist_reader reader = hoist_reader_init(m->file);
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        read_field(&reader, &neff_header_rows[i], &m->header);
    }
    const neff_header *const h = &m->header;
    check_versions(r, h);
    check_sizes(r, h);
    check_hash_rest(r, h);
    check_text(r, h, NEFF_H_BUILD_VERSION);
    check_text(r, h, NEFF_H_NAME);
    check_uuid(r, h);
    check_pad(r, h);
    check_features(r, h);
    check_cores(r, h);
    return HOIST_OK;
}
