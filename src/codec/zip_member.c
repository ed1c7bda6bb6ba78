// A member of a ZIP archive (PKWARE's APPNOTE, without ZIP64): the end record is looked for from
// the end of the file, the member in the directory before it, its bytes after its local header.
// Offsets count from where the archive begins: the file's start, or where it was appended to
// something.
//
// [local header, name, extra, bytes]... [directory: a row per member] [end record, comment]
//
// Sizes and sums are those of the directory: local headers may have zeros (flag bit 3).
#include "codec/zip_member.h"

#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"

enum {
    END_SIZE = 22,
    ROW_SIZE = 46,  // of a directory's row, without its texts
    HEAD_SIZE = 30, // of a local header, the same
    MOST_COMMENT = 0xffff,
    STORED = 0,
    DEFLATED = 8,
};
#define END_MAGIC 0x06054b50u
#define ROW_MAGIC 0x02014b50u
#define HEAD_MAGIC 0x04034b50u

typedef struct zip_row {
    uint16_t flags;
    uint16_t method;
    uint32_t crc;
    uint32_t packed;
    uint32_t size;
    uint32_t at; // of the local header, from where the archive begins
} zip_row;

// Where the end record is; false: there is none.
// Backwards over the longest comment; the comment's length has to agree, since a comment may
// hold the magic itself.
static bool find_end(hoist_bytes file, size_t *out_end)
{
    const size_t first =
        file.size < END_SIZE + MOST_COMMENT ? 0 : file.size - END_SIZE - MOST_COMMENT;
    for (size_t at = file.size < END_SIZE ? 0 : file.size - END_SIZE + 1; at-- > first;) {
        const uint8_t *const p = file.data + at;
        if (hoist_load_u32le(p) == END_MAGIC &&
            hoist_load_u16le(p + 20) == file.size - at - END_SIZE) {
            *out_end = at;
            return true;
        }
    }
    return false;
}

// Looks for the member's row. HOIST_OK, HOIST_NOT_FOUND, HOIST_INVALID.
static hoist_status find_row(hoist_bytes directory, uint16_t count, hoist_str name,
                             zip_row *out_row)
{
    size_t at = 0;
    for (uint16_t i = 0; i < count; i++) {
        if (directory.size - at < ROW_SIZE || hoist_load_u32le(directory.data + at) != ROW_MAGIC) {
            return HOIST_INVALID;
        }
        const uint8_t *const p = directory.data + at;
        const size_t length = hoist_load_u16le(p + 28);
        // Extra field and comment of the row.
        const size_t rest =
            (size_t)hoist_load_u16le(p + 30) + hoist_load_u16le(p + 32); // extra, comment
        if (directory.size - at - ROW_SIZE < length + rest) {
            return HOIST_INVALID;
        }
        if (hoist_str_equal(name, (hoist_str){(const char *)p + ROW_SIZE, length})) {
            *out_row = (zip_row){.flags = hoist_load_u16le(p + 8),
                                 .method = hoist_load_u16le(p + 10),
                                 .crc = hoist_load_u32le(p + 16),
                                 .packed = hoist_load_u32le(p + 20),
                                 .size = hoist_load_u32le(p + 24),
                                 .at = hoist_load_u32le(p + 42)};
            return HOIST_OK;
        }
        at += ROW_SIZE + length + rest;
    }
    return HOIST_NOT_FOUND;
}

// The bytes that the row is about, as they are packed. False: they are not in the archive.
// The texts' lengths are those of the local header, which may differ from the directory's.
static bool find_packed(hoist_bytes archive, const zip_row *row, hoist_bytes *out_packed)
{
    if (archive.size < HEAD_SIZE || row->at > archive.size - HEAD_SIZE ||
        hoist_load_u32le(archive.data + row->at) != HEAD_MAGIC) {
        return false;
    }
    const uint8_t *const head = archive.data + row->at;
    const size_t texts = (size_t)hoist_load_u16le(head + 26) + hoist_load_u16le(head + 28);
    const size_t left = archive.size - HEAD_SIZE - row->at;
    if (texts > left || row->packed > left - texts) {
        return false;
    }
    *out_packed = (hoist_bytes){head + HEAD_SIZE + texts, row->packed};
    return true;
}

// Deflated bytes are a gzip member without its head and tail (codec/gzip.h).
static hoist_status inflate_row(hoist_bytes packed, const zip_row *row, hoist_allocator alloc,
                                hoist_mut_bytes *out_bytes)
{
    static const uint8_t head[] = {0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 3};
    uint8_t tail[8];
    hoist_buffer gzip;
    hoist_buffer_init(&gzip, alloc);
    hoist_store_u32le(tail, row->crc);
    hoist_store_u32le(tail + 4, row->size);
    hoist_buffer_add(&gzip, (hoist_bytes){head, sizeof(head)});
    hoist_buffer_add(&gzip, packed);
    hoist_buffer_add(&gzip, (hoist_bytes){tail, sizeof(tail)});
    // One byte more than it has at most, because 0 is no limit.
    const hoist_gzip_options options = {.max_bytes = (uint64_t)row->size + 1};
    const hoist_status status =
        gzip.failed ? HOIST_NO_MEMORY
                    : hoist_gzip_read(hoist_buffer_bytes(&gzip), &options, alloc, NULL, out_bytes);
    hoist_buffer_deinit(&gzip);
    return status == HOIST_NO_MEMORY || status == HOIST_OK ? status : HOIST_INVALID;
}

static hoist_status add_checked(hoist_bytes bytes, const zip_row *row, hoist_buffer *out)
{
    if (bytes.size != row->size || hoist_crc32(bytes) != row->crc) {
        return HOIST_INVALID;
    }
    hoist_buffer_add(out, bytes);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static hoist_status unpack(hoist_bytes packed, const zip_row *row, hoist_buffer *out)
{
    // Bit 0 of the flags.
    const bool is_encrypted = row->flags & 1;
    if (is_encrypted || (row->method != STORED && row->method != DEFLATED)) {
        return HOIST_UNSUPPORTED;
    }
    if (row->method == STORED) {
        return add_checked(packed, row, out);
    }
    hoist_mut_bytes inflated = {NULL, 0};
    hoist_status status = inflate_row(packed, row, out->alloc, &inflated);
    if (status == HOIST_OK) {
        status = add_checked((hoist_bytes){inflated.data, inflated.size}, row, out);
    }
    hoist_free(out->alloc, inflated.data, inflated.size);
    return status;
}

hoist_status hoist_zip_member(hoist_bytes file, hoist_str name, size_t most, hoist_buffer *out)
{
    size_t end = 0;
    if (!find_end(file, &end)) {
        return HOIST_NOT_FOUND;
    }
    const uint8_t *const p = file.data + end;
    const uint64_t size = hoist_load_u32le(p + 12);
    const uint64_t at = hoist_load_u32le(p + 16);
    if (size + at > end) {
        return HOIST_INVALID;
    }
    // The directory ends at the end record, and its offset says where the archive begins before
    // it.
    const hoist_bytes archive = {file.data + (end - size - at), (size_t)(size + at)};
    const hoist_bytes directory = {archive.data + at, (size_t)size};
    zip_row row = {.at = 0};
    hoist_bytes packed;
    HOIST_TRY(find_row(directory, hoist_load_u16le(p + 10), name, &row));
    if (row.size > most) {
        return HOIST_LIMIT;
    }
    return find_packed(archive, &row, &packed) ? unpack(packed, &row, out) : HOIST_INVALID;
}
