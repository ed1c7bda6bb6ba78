// gzip members (RFC 1952): a header of 10 bytes with optional parts, a raw deflate stream, CRC32
// and length of what it holds. zlib only inflates and sums; its own gzip framing (and libarchive's)
// does not specify much of what is here.
#include "codec/gzip.h"

#include <inttypes.h>
#include <string.h>

#define ZLIB_CONST // next_in points to const
#include <zlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/progress.h"
#include "base/reader.h"
#include "base/span.h"

enum {
    GZIP_MAGIC_1 = 0x1f,
    GZIP_MAGIC_2 = 0x8b,
    GZIP_DEFLATE = 8,
    GZIP_FHCRC = 0x02,
    GZIP_FEXTRA = 0x04,
    GZIP_FNAME = 0x08,
    GZIP_FCOMMENT = 0x10,
    GZIP_RESERVED = 0xe0,
    GZIP_UNIX = 3, // OS
    GZIP_TRAILER = 8,
    // Negative: raw deflate, as zlib's manual of inflateInit2() has it.
    GZIP_RAW = -15,            // windowBits: no framing, windows of any size
    GZIP_MAX_RATIO = 1032,     // of deflate: 258 bytes from 2 bits
    GZIP_STEP = 256 << 10,     // inflated and summed at a time, while it is in the cache
    GZIP_FREE_RATIO = 1 << 20, // results up to here are not held to max_ratio
    GZIP_CHUNK = 16 << 10,     // deflated at a time
};

typedef struct gzip_read {
    hoist_bytes packed;
    const hoist_gzip_options *options;
    hoist_allocator alloc;
    hoist_diag *diag;
    z_stream z;
    uint64_t pos;     // in `packed`
    uint64_t most;    // bytes of result that are allowed
    uint8_t *data;    // owned
    size_t size;      // bytes inflated, of all members
    size_t capacity;  // of `data`
    size_t member_at; // where the member's bytes begin in `data`
    uint32_t crc;     // of the member's bytes so far
} gzip_read;

// zlib frees without the size, which is before each block.
enum { GZIP_BLOCK_HEAD = 16 };

// A block is [size, padded to 16 bytes] [what zlib gets], so that it stays aligned for any
// type.
static void *gzip_alloc(void *opaque, unsigned items, unsigned size)
{
    const hoist_allocator *alloc = opaque;
    uint64_t total = (uint64_t)items * size + GZIP_BLOCK_HEAD;
    uint8_t *block = total <= SIZE_MAX ? hoist_alloc(*alloc, (size_t)total) : NULL;
    if (!block) {
        return NULL;
    }
    memcpy(block, &total, sizeof(total));
    return block + GZIP_BLOCK_HEAD;
}

static void gzip_free(void *opaque, void *address)
{
    const hoist_allocator *alloc = opaque;
    uint8_t *block = (uint8_t *)address - GZIP_BLOCK_HEAD;
    uint64_t total = 0;
    memcpy(&total, block, sizeof(total));
    hoist_free(*alloc, block, (size_t)total);
}

static hoist_loc gzip_place(const gzip_read *g, uint64_t pos)
{
    return hoist_loc_byte(g->options->base_offset + pos);
}

// The finding is at the end of the bytes, where the rest would be.
static hoist_status gzip_truncated(gzip_read *g, const char *where)
{
    return hoist_fail(g->diag, HOIST_TRUNCATED, g->options->rules.broken,
                      gzip_place(g, g->packed.size), "the gzip stream ends in its %s", where);
}

bool hoist_gzip_is(hoist_bytes bytes)
{
    return bytes.size >= 2 && bytes.data[0] == GZIP_MAGIC_1 && bytes.data[1] == GZIP_MAGIC_2;
}

// Skips a text with its NUL.
// Without a NUL the header is cut off: `failed` is set as for a read past the end.
static void gzip_skip_text(hoist_reader *r)
{
    const uint64_t left = hoist_reader_left(r);
    const uint8_t *text = r->bytes.data + r->pos;
    const uint8_t *end = left ? memchr(text, 0, (size_t)left) : NULL;
    r->failed = r->failed || !end;
    if (!r->failed) {
        r->pos += (uint64_t)(end - text) + 1;
    }
}

// The optional parts, in the order of RFC 1952 2.3.
static void gzip_skip_parts(gzip_read *g, hoist_reader *r, unsigned flags)
{
    if (flags & GZIP_FEXTRA) {
        const uint16_t size = hoist_read_u16le(r);
        (void)hoist_read_bytes(r, size);
    }
    if (flags & GZIP_FNAME) {
        gzip_skip_text(r);
    }
    if (flags & GZIP_FCOMMENT) {
        gzip_skip_text(r);
    }
    if (flags & GZIP_FHCRC) {
        // A wrong sum is reported and reading goes on: the data have a sum of their own.
        // The sum over the header's bytes before it: the low half of their CRC32.
        HOIST_ASSERT(r->pos >= g->pos);
        const uint64_t at = r->pos;
        const uint16_t stored = hoist_read_u16le(r);
        const uint8_t *header = g->packed.data + g->pos;
        const uint16_t sum = (uint16_t)(crc32_z(0, header, (size_t)(at - g->pos)) & 0xffff);
        if (!r->failed && stored != sum) {
            hoist_report(g->diag, g->options->rules.broken, gzip_place(g, at),
                         "the gzip header's CRC16 is 0x%04x, that of its bytes 0x%04x", stored,
                         sum);
        }
    }
}

// Reads one member's header; on success g->pos is at its compressed data.
static hoist_status gzip_header(gzip_read *g)
{
    const hoist_rule *broken = g->options->rules.broken;
    hoist_reader r = hoist_reader_init(g->packed);
    hoist_reader_seek(&r, g->pos);
    const unsigned magic_1 = hoist_read_u8(&r);
    const unsigned magic_2 = hoist_read_u8(&r);
    const unsigned method = hoist_read_u8(&r);
    const unsigned flags = hoist_read_u8(&r);
    (void)hoist_read_bytes(&r, 6); // MTIME, XFL, OS

    // With fewer bytes it is a truncated header, which says more than two wrong bytes.
    if (r.bytes.size - g->pos >= 2 && (magic_1 != GZIP_MAGIC_1 || magic_2 != GZIP_MAGIC_2)) {
        return hoist_fail(g->diag, HOIST_INVALID, broken, gzip_place(g, g->pos),
                          "the bytes 0x%02x 0x%02x do not begin a gzip stream, expected 0x1f 0x8b",
                          magic_1, magic_2);
    }
    if (r.failed) {
        return gzip_truncated(g, "header");
    }
    if (method != GZIP_DEFLATE) {
        return hoist_fail(g->diag, HOIST_INVALID, broken, gzip_place(g, g->pos + 2),
                          "the gzip compression method is %u, expected 8 (deflate)", method);
    }
    if (flags & GZIP_RESERVED) {
        return hoist_fail(g->diag, HOIST_INVALID, broken, gzip_place(g, g->pos + 3),
                          "the gzip flags 0x%02x have reserved bits set", flags);
    }
    gzip_skip_parts(g, &r, flags);
    if (r.failed) {
        return gzip_truncated(g, "header");
    }
    g->pos = r.pos;
    return HOIST_OK;
}

static hoist_status gzip_over_limit(gzip_read *g)
{
    return hoist_fail(g->diag, HOIST_LIMIT, g->options->rules.limit, gzip_place(g, 0),
                      "%zu gzip bytes expand to more than %" PRIu64 ", the limit", g->packed.size,
                      g->most);
}

// Both directions: gzip_give() makes the buffer smaller.
static hoist_status gzip_reserve(gzip_read *g, uint64_t capacity)
{
    void *data = NULL;
    if (capacity <= SIZE_MAX) {
        data = hoist_resize(g->alloc, g->data, g->capacity, (size_t)capacity);
    }
    HOIST_TRY_MEMORY(data);
    g->data = data;
    g->capacity = (size_t)capacity;
    return HOIST_OK;
}

// Makes space for more of the result: twice as much, but one byte beyond what is allowed at most,
// which distinguishes a result that just fits from one that does not.
static hoist_status gzip_grow(gzip_read *g)
{
    uint64_t capacity = 0;
    // The one byte beyond the limit was used: the result does not fit.
    if (g->size > g->most) {
        return gzip_over_limit(g);
    }
    if (g->size < g->capacity) {
        return HOIST_OK;
    }
    if (hoist_ckd_mul(&capacity, g->capacity, 2)) {
        return HOIST_NO_MEMORY;
    }
    capacity = capacity ? capacity : GZIP_STEP;
    return gzip_reserve(g, g->most < capacity ? g->most + 1 : capacity);
}

// One call of inflate(), whose counters are narrower than sizes.
// Inflates and sums at most GZIP_STEP bytes, so that the CRC finds the bytes in the cache.
static int gzip_step(gzip_read *g)
{
    HOIST_ASSERT(g->pos <= g->packed.size && g->size < g->capacity);
    const uint64_t left = g->packed.size - g->pos;
    const size_t space = g->capacity - g->size;
    const uInt in = left < GZIP_STEP ? (uInt)left : GZIP_STEP;
    const uInt out = space < GZIP_STEP ? (uInt)space : GZIP_STEP;
    g->z.next_in = g->packed.data + g->pos;
    g->z.avail_in = in;
    g->z.next_out = g->data + g->size;
    g->z.avail_out = out;
    const int result = inflate(&g->z, Z_NO_FLUSH);
    const size_t got = out - g->z.avail_out;
    g->crc = (uint32_t)crc32_z(g->crc, g->data + g->size, got);
    g->size += got;
    g->pos += in - g->z.avail_in;
    HOIST_ASSERT(g->pos <= g->packed.size && g->size <= g->capacity);
    return result;
}

// Leaves g->pos behind the compressed data, whose end only inflate() knows.
static hoist_status gzip_stream(gzip_read *g)
{
    HOIST_ASSERT(g->size <= g->capacity);
    // One z_stream for all members: setting one up takes longer than inflating a small one.
    if (inflateReset(&g->z) != Z_OK) {
        return HOIST_INTERNAL;
    }
    g->member_at = g->size;
    g->crc = 0;
    for (;;) {
        HOIST_TRY(hoist_deadline_look(g->options->deadline));
        HOIST_TRY(gzip_grow(g));
        const uint64_t before = g->pos;
        const int result = gzip_step(g);
        hoist_stage_add(g->options->deadline, HOIST_STAGE_INFLATING, g->pos - before);
        if (result == Z_STREAM_END) {
            return g->size > g->most ? gzip_over_limit(g) : HOIST_OK;
        }
        if (result == Z_MEM_ERROR) {
            return HOIST_NO_MEMORY;
        }
        if (result == Z_BUF_ERROR) { // there was space, so it wants input
            return gzip_truncated(g, "compressed data");
        }
        if (result != Z_OK) {
            return hoist_fail(g->diag, HOIST_INVALID, g->options->rules.broken,
                              gzip_place(g, g->pos),
                              "the gzip stream's compressed data is broken (%s)",
                              g->z.msg ? g->z.msg : "no reason given");
        }
    }
}

// CRC-32 and length are of one member, not of all; a wrong one is an error, but the bytes are
// kept.
static hoist_status gzip_trailer(gzip_read *g)
{
    const hoist_rule *broken = g->options->rules.broken;
    hoist_reader r = hoist_reader_init(g->packed);
    hoist_reader_seek(&r, g->pos);
    const uint32_t crc = hoist_read_u32le(&r);
    const uint32_t length = hoist_read_u32le(&r);
    if (r.failed) {
        return gzip_truncated(g, "trailer");
    }
    const uint32_t size = (uint32_t)((g->size - g->member_at) & UINT32_MAX);
    if (crc != g->crc) {
        hoist_report(g->diag, broken, gzip_place(g, g->pos),
                     "the gzip stream's CRC32 is 0x%08" PRIx32 ", that of its data 0x%08" PRIx32,
                     crc, g->crc);
    }
    if (length != size) {
        hoist_report(g->diag, broken, gzip_place(g, g->pos + 4),
                     "the gzip stream's length is %" PRIu32 ", that of its data %" PRIu32
                     " (both modulo 2^32)",
                     length, size);
    }
    g->pos = r.pos;
    return HOIST_OK;
}

static hoist_status gzip_members(gzip_read *g)
{
    do {
        HOIST_TRY(gzip_header(g));
        HOIST_TRY(gzip_stream(g));
        HOIST_TRY(gzip_trailer(g));
        // RFC 1952, 2.2: members follow each other directly.
    } while (hoist_gzip_is((hoist_bytes){g->packed.data + g->pos, g->packed.size - g->pos}));
    // What is after the last member: zeros are the padding of a tape record.
    HOIST_ASSERT(g->pos <= g->packed.size);
    static const uint8_t zeros[512];
    uint64_t at = g->pos;
    while (g->packed.size - at >= sizeof(zeros) &&
           memcmp(g->packed.data + at, zeros, sizeof(zeros)) == 0) {
        at += sizeof(zeros);
    }
    while (at < g->packed.size && g->packed.data[at] == 0) {
        at++;
    }
    if (at < g->packed.size) {
        // Padding was skipped block by block first, as a file may have gigabytes of it.
        const uint64_t rest = g->packed.size - at;
        hoist_report(g->diag, g->options->rules.trailing, gzip_place(g, at),
                     "%" PRIu64 " %s the gzip stream and its padding", rest,
                     hoist_plural(rest, "byte follows", "bytes follow"));
    }
    return HOIST_OK;
}

// A small file may expand by any ratio up to GZIP_FREE_RATIO: an archive of zeros is no attack.
static uint64_t gzip_most(hoist_bytes packed, const hoist_gzip_options *options)
{
    uint64_t most = options->max_bytes ? options->max_bytes : UINT64_MAX;
    uint64_t ratio = UINT64_MAX;
    if (options->max_ratio && !hoist_ckd_mul(&ratio, packed.size, options->max_ratio)) {
        ratio = ratio < GZIP_FREE_RATIO ? GZIP_FREE_RATIO : ratio;
        most = ratio < most ? ratio : most;
    }
    return most;
}

// The first capacity: what the last four bytes say when that can be true, as they are the length
// where there is one member without padding. It is only a guess: where there is no memory for it
// the buffer grows with the result.
static hoist_status gzip_begin(gzip_read *g)
{
    // A length beyond what deflate can expand to is a lie, and nothing is allocated for it.
    const uint64_t most = g->packed.size * GZIP_MAX_RATIO;
    uint64_t capacity = GZIP_STEP;
    if (g->packed.size > GZIP_TRAILER) {
        const uint32_t length = hoist_load_u32le(g->packed.data + g->packed.size - 4);
        // One byte more ends the stream without another step.
        capacity = length > 0 && length <= most ? (uint64_t)length + 1 : capacity;
    }
    const hoist_status status = gzip_reserve(g, g->most < capacity ? g->most + 1 : capacity);
    return status == HOIST_NO_MEMORY && capacity > GZIP_STEP && g->most > GZIP_STEP
               ? gzip_reserve(g, GZIP_STEP)
               : status;
}

// Cuts the buffer down to the result and gives it to the caller.
static hoist_status gzip_give(gzip_read *g, hoist_status status, hoist_mut_bytes *out_bytes)
{
    // Of a result that is over a limit nothing is given: the caller did not want it in memory.
    const bool none = g->size == 0 || status == HOIST_LIMIT || status == HOIST_CANCELLED ||
                      status == HOIST_NO_MEMORY;
    if (!none && g->size < g->capacity) {
        const hoist_status cut = gzip_reserve(g, g->size);
        if (cut != HOIST_OK) {
            status = cut;
        }
    }
    if (none || status == HOIST_NO_MEMORY) {
        hoist_free(g->alloc, g->data, g->capacity);
        return status;
    }
    *out_bytes = (hoist_mut_bytes){g->data, g->size};
    return status;
}

hoist_status hoist_gzip_read(hoist_bytes packed, const hoist_gzip_options *options,
                             hoist_allocator alloc, hoist_diag *diag, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){0};
    gzip_read g = {.packed = packed, .options = options, .alloc = alloc, .diag = diag};
    g.most = gzip_most(packed, options);
    g.z.zalloc = gzip_alloc;
    g.z.zfree = gzip_free;
    g.z.opaque = &g.alloc;
    if (inflateInit2(&g.z, GZIP_RAW) != Z_OK) {
        return HOIST_NO_MEMORY;
    }
    hoist_status status = gzip_begin(&g);
    if (status == HOIST_OK) {
        status = gzip_members(&g);
    }
    (void)inflateEnd(&g.z);
    return gzip_give(&g, status, out_bytes);
}

static hoist_status gzip_deflate(z_stream *z, hoist_bytes bytes, hoist_deadline *deadline,
                                 hoist_buffer *out)
{
    uint8_t chunk[GZIP_CHUNK];
    uint64_t pos = 0;
    int result = Z_OK;
    hoist_stage_expect(deadline, HOIST_STAGE_PACKING, bytes.size);
    while (result != Z_STREAM_END && !out->failed) {
        HOIST_TRY(hoist_deadline_look(deadline));
        const size_t left = bytes.size - pos;
        const uInt in = left < GZIP_STEP ? (uInt)left : GZIP_STEP;
        z->next_in = left ? bytes.data + pos : NULL;
        z->avail_in = in;
        z->next_out = chunk;
        z->avail_out = sizeof(chunk);
        // The output buffer is never full before the call, so a stream that does not end makes
        // progress.
        result = deflate(z, in == left ? Z_FINISH : Z_NO_FLUSH);
        if (result == Z_STREAM_ERROR) {
            return HOIST_INTERNAL;
        }
        pos += in - z->avail_in;
        hoist_stage_add(deadline, HOIST_STAGE_PACKING, in - z->avail_in);
        HOIST_ASSERT(pos <= bytes.size);
        hoist_buffer_add(out, (hoist_bytes){chunk, sizeof(chunk) - z->avail_out});
    }
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_status hoist_gzip_write(hoist_bytes bytes, int level, hoist_deadline *deadline,
                              hoist_buffer *out)
{
    static const uint8_t header[10] = {GZIP_MAGIC_1, GZIP_MAGIC_2, GZIP_DEFLATE, 0, 0, 0, 0, 0, 0,
                                       GZIP_UNIX};
    uint8_t trailer[GZIP_TRAILER];
    hoist_store_u32le(trailer, (uint32_t)crc32_z(0, bytes.data, bytes.size));
    hoist_store_u32le(trailer + 4, (uint32_t)(bytes.size & UINT32_MAX));

    z_stream z = {.zalloc = gzip_alloc, .zfree = gzip_free, .opaque = &out->alloc};
    // 8 is zlib's default memory level, which decides about the bytes that come out, too.
    const int result = deflateInit2(&z, level, Z_DEFLATED, GZIP_RAW, 8, Z_DEFAULT_STRATEGY);
    if (result != Z_OK) {
        return result == Z_MEM_ERROR ? HOIST_NO_MEMORY : HOIST_INTERNAL;
    }
    hoist_buffer_add(out, (hoist_bytes){header, sizeof(header)});
    const hoist_status status = gzip_deflate(&z, bytes, deadline, out);
    (void)deflateEnd(&z);
    HOIST_TRY(status);
    hoist_buffer_add(out, (hoist_bytes){trailer, sizeof(trailer)});
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

uint32_t hoist_crc32(hoist_bytes bytes)
{
    return (uint32_t)crc32_z(0, bytes.data, bytes.size);
}
