// Memory images of a queue's buffers: entries in, bytes as a Tenstorrent device has them out, and
// back; what comes from a file is checked first. tensor/queue_bytes.h has the bytes of an entry,
// docs/formats/buda-memory.md the facts.
#include "exchange/queue_image.h"

#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/reader.h"
#include "base/span.h"
#include "exchange/exchange_rules.h"
#include "tensor/queue_bytes.h"

enum {
    READ_AT = 0,        // bytes of the header: global read pointer, 16 bits
    WRITE_AT = 4,       // global write pointer, 16 bits
    MOST_SLOTS = 32767, // of a queue: pointers count to twice as many
    TILE_UNIT = 16,     // bytes that a tile header counts in
};

// The part of the layout that no source describes without doubt; NULL: all of it is known.
static const char *unknown_part(const hoist_queue_image *image)
{
    const hoist_dtype dtype = image->entry.dtype;
    if (dtype == HOIST_DTYPE_TT_F8E4M3) {
        return "the reference packs Fp8_e4m3 as the bits of Lf8";
    }
    if (image->entry.flat && hoist_dtype_get(dtype)->kind == HOIST_CLASS_RAW) {
        return "the order of raw elements in a flat layout is not published";
    }
    if (image->entry.flat && hoist_dtype_get(dtype)->kind == HOIST_CLASS_BLOCK) {
        return "a flat layout of block floats is not published";
    }
    // 16 bits hold pointers below 2 * 32,767 = 65,534.
    if (!image->is_ram && image->slots > MOST_SLOTS) {
        return "the pointers of its header have 16 bits, which more than 32,767 entries exceed";
    }
    return NULL;
}

hoist_status hoist_queue_image_measure(const hoist_queue_image *image,
                                       hoist_queue_image_size *out_size, const char **out_reason)
{
    *out_size = (hoist_queue_image_size){0};
    *out_reason = unknown_part(image);
    if (*out_reason) {
        return HOIST_UNSUPPORTED;
    }
    // The header takes one unit of alignment.
    hoist_queue_image_size size = {.header = image->entry.alignment};
    HOIST_TRY(hoist_queue_measure(&image->entry, &size.entry));
    if (image->slots == 0) {
        return HOIST_INVALID;
    }
    if (hoist_ckd_mul(&size.bytes, size.entry.buffer_bytes, (size_t)image->slots) ||
        hoist_ckd_add(&size.bytes, size.bytes, size.header)) {
        return HOIST_LIMIT;
    }
    *out_size = size;
    return HOIST_OK;
}

static size_t slot_at(const hoist_queue_image_size *size, uint32_t slot)
{
    const size_t at = size->header + slot * size->entry.buffer_bytes;
    HOIST_ASSERT(at < size->bytes);
    return at;
}

// Writing ----------------------------------------------------------------------------------------

void hoist_queue_image_begin(const hoist_queue_image *image, const hoist_queue_image_size *size,
                             hoist_queue_pointers pointers, uint8_t *bytes)
{
    memset(bytes, 0, size->bytes);
    if (!image->is_ram) {
        HOIST_ASSERT(pointers.read < 2 * image->slots && pointers.write < 2 * image->slots);
        hoist_store_u16le(bytes + READ_AT, (uint16_t)pointers.read);
        hoist_store_u16le(bytes + WRITE_AT, (uint16_t)pointers.write);
    }
}

void hoist_queue_image_put(const hoist_queue_image *image, const hoist_queue_image_size *size,
                           size_t buffer, uint32_t slot, const float *tensor, uint8_t *bytes)
{
    HOIST_ASSERT(slot < image->slots);
    hoist_queue_pack_buffer(&image->entry, &size->entry, buffer, tensor,
                            bytes + slot_at(size, slot));
}

// Reading ----------------------------------------------------------------------------------------

// The first 16 bits of a tile's header. What a device's packer writes after them is not published.
static uint32_t tile_units(const uint8_t *tile)
{
    return hoist_load_u16le(tile);
}

// Whether the slot holds tiles: memory that nothing was written to has no tile headers.
static bool has_tiles(const hoist_queue_image *image, const hoist_queue_image_size *size,
                      uint32_t slot, const uint8_t *bytes)
{
    // A flat layout has no headers, so that any bytes may be an entry.
    return image->entry.flat || tile_units(bytes + slot_at(size, slot)) != 0;
}

static hoist_status check_size(const hoist_queue_image *image, const hoist_queue_image_size *size,
                               hoist_bytes bytes, hoist_diag *diag)
{
    if (bytes.size == size->bytes) {
        return HOIST_OK;
    }
    const bool is_short = bytes.size < size->bytes;
    // At the end of the shorter of both: the first byte that is missing or too much.
    return hoist_exchange_fail(diag, is_short ? HOIST_TRUNCATED : HOIST_INVALID, HOIST_RAW_014,
                               is_short ? bytes.size : size->bytes,
                               "the image has %zu bytes, expected %zu: a header of %zu and %u "
                               "%s of %zu",
                               bytes.size, size->bytes, size->header, image->slots,
                               hoist_plural(image->slots, "entry", "entries"),
                               size->entry.buffer_bytes);
}

static hoist_status check_pointer(const hoist_queue_image *image, const char *name, uint64_t at,
                                  uint32_t value, hoist_diag *diag)
{
    if (value < 2 * image->slots) {
        return HOIST_OK;
    }
    return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_015, at,
                               "the %s pointer is %u, expected less than %u, twice the entries",
                               name, value, 2 * image->slots);
}

static hoist_status check_pointers(const hoist_queue_image *image,
                                   const hoist_queue_image_size *size, hoist_bytes bytes,
                                   hoist_diag *diag, hoist_queue_pointers *out_pointers)
{
    if (image->is_ram) {
        return HOIST_OK;
    }
    const hoist_queue_pointers p = {hoist_load_u16le(bytes.data + READ_AT),
                                    hoist_load_u16le(bytes.data + WRITE_AT)};
    HOIST_TRY(check_pointer(image, "read", READ_AT, p.read, diag));
    HOIST_TRY(check_pointer(image, "write", WRITE_AT, p.write, diag));
    HOIST_ASSERT(image->slots > 0); // a pointer is below twice as many
    // Modulo twice the slots: equal pointers mean empty, `slots` apart mean full.
    const uint32_t waiting = (p.write + 2 * image->slots - p.read) % (2 * image->slots);
    if (waiting > image->slots) {
        return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_015, WRITE_AT,
                                   "%u entries wait between the pointers %u and %u, expected at "
                                   "most %u",
                                   waiting, p.read, p.write, image->slots);
    }
    // Slots between the pointers only: the others may hold what was popped.
    for (uint32_t i = 0; i < waiting; i++) {
        const uint32_t slot = (p.read + i) % image->slots;
        if (!has_tiles(image, size, slot, bytes.data)) {
            return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_015, slot_at(size, slot),
                                       "slot %u holds no tiles, but an entry waits in it by the "
                                       "pointers %u and %u",
                                       slot, p.read, p.write);
        }
    }
    *out_pointers = p;
    return HOIST_OK;
}

// Either all tiles of a slot have a header, or none has.
static hoist_status check_tiles(const hoist_queue_image *image, const hoist_queue_image_size *size,
                                uint32_t slot, hoist_bytes bytes, hoist_diag *diag)
{
    const hoist_tile_format tile = hoist_queue_tile(&image->entry);
    // Of the first tile: the others have to agree with it.
    const size_t tile_size = hoist_tile_size(&tile);
    const bool has_any = has_tiles(image, size, slot, bytes.data);
    const uint32_t expected = has_any ? (uint32_t)(tile_size / TILE_UNIT) : 0;
    for (size_t i = 0; i < size->entry.tiling.buffer_tiles; i++) {
        const size_t at = slot_at(size, slot) + i * tile_size;
        const uint32_t found = tile_units(bytes.data + at);
        if (found != expected) {
            return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_016, at,
                                       "the header of tile %zu of slot %u has a size of %u units "
                                       "of 16 bytes, expected %u%s",
                                       i, slot, found, expected,
                                       expected ? "" : " as in the tiles before it");
        }
    }
    return HOIST_OK;
}

hoist_status hoist_queue_image_check(const hoist_queue_image *image,
                                     const hoist_queue_image_size *size, hoist_bytes bytes,
                                     hoist_deadline *deadline, hoist_diag *diag,
                                     hoist_queue_pointers *out_pointers)
{
    *out_pointers = (hoist_queue_pointers){0};
    HOIST_TRY(check_size(image, size, bytes, diag));
    for (uint32_t slot = 0; !image->entry.flat && slot < image->slots; slot++) {
        // Per slot: an image can have gigabytes.
        HOIST_TRY(hoist_deadline_look(deadline));
        HOIST_TRY(check_tiles(image, size, slot, bytes, diag));
    }
    // Last: it relies on the size and reads tile headers.
    return check_pointers(image, size, bytes, diag, out_pointers);
}

hoist_status hoist_queue_image_agree(hoist_queue_pointers first, hoist_queue_pointers own,
                                     hoist_diag *diag)
{
    const bool is_read = first.read != own.read;
    if (!is_read && first.write == own.write) {
        return HOIST_OK;
    }
    return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_015, is_read ? READ_AT : WRITE_AT,
                               "the %s pointer is %u, expected %u as in the queue's first image",
                               is_read ? "read" : "write", is_read ? own.read : own.write,
                               is_read ? first.read : first.write);
}

uint32_t hoist_queue_image_count(const hoist_queue_image *image, const hoist_queue_image_size *size,
                                 const uint8_t *bytes)
{
    // From the end: a ram's slots are written in any order.
    uint32_t count = image->slots;
    while (count > 0 && !has_tiles(image, size, count - 1, bytes)) {
        count--;
    }
    return count;
}

void hoist_queue_image_get(const hoist_queue_image *image, const hoist_queue_image_size *size,
                           size_t buffer, uint32_t slot, const uint8_t *bytes, float *tensor)
{
    HOIST_ASSERT(slot < image->slots);
    hoist_queue_unpack_buffer(&image->entry, &size->entry, buffer, bytes + slot_at(size, slot),
                              tensor);
}
