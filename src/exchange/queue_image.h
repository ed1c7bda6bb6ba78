// exchange/queue_image.h - memory images of a queue of a Tenstorrent device: the bytes of one
// buffer of its grid, as they are in DRAM or in the host's memory from the buffer's address on.
//
//     header of 32 bytes (64 on Blackhole), slot 0, slot 1 ... each one entry's part of the buffer
//
// docs/formats/buda-memory.md has the layout, its sources, and what is not known.
#ifndef HOIST_SRC_EXCHANGE_QUEUE_IMAGE_H
#define HOIST_SRC_EXCHANGE_QUEUE_IMAGE_H

#include "tensor/queue.h"

// What the images of a queue hold.
typedef struct hoist_queue_image {
    hoist_queue_layout entry;
    uint32_t slots;
    bool is_ram; // addressed by slot: its header has no pointers that are known
} hoist_queue_image;

typedef struct hoist_queue_image_size {
    hoist_queue_size entry;
    size_t header; // bytes before slot 0
    size_t bytes;  // of one image; there are entry.tiling.buffers of them
} hoist_queue_image_size;

// What the header of a queue has, both below 2 * slots; 0 of a ram.
typedef struct hoist_queue_pointers {
    uint32_t read;
    uint32_t write;
} hoist_queue_pointers;

// Checks `image` and computes its sizes. HOIST_OK; HOIST_UNSUPPORTED: the layout of such a queue is
// not known, and `*out_reason` is a static text that says which part of it, else NULL;
// HOIST_INVALID and HOIST_LIMIT as hoist_queue_measure(), also for no slots and more bytes than
// memory can index.
HOIST_NODISCARD hoist_status hoist_queue_image_measure(const hoist_queue_image *image,
                                                       hoist_queue_image_size *out_size,
                                                       const char **out_reason);

// The functions below take the sizes of hoist_queue_image_measure(), and `bytes` of exactly
// size->bytes.

// Begins an image: all bytes are zero, but for the pointers.
void hoist_queue_image_begin(const hoist_queue_image *image, const hoist_queue_image_size *size,
                             hoist_queue_pointers pointers, uint8_t *bytes);
// Packs the part that buffer `buffer` has of an entry, [t, rows, columns], into slot `slot`.
void hoist_queue_image_put(const hoist_queue_image *image, const hoist_queue_image_size *size,
                           size_t buffer, uint32_t slot, const float *tensor, uint8_t *bytes);

// Checks the image of one buffer, whose bytes may be any: their number, the pointers, and the size
// in the header of each tile. HOIST_OK; HOIST_TRUNCATED or HOIST_INVALID with one error at the byte
// where it is wrong (RAW-014 to RAW-016); HOIST_LIMIT, HOIST_CANCELLED.
HOIST_NODISCARD hoist_status hoist_queue_image_check(const hoist_queue_image *image,
                                                     const hoist_queue_image_size *size,
                                                     hoist_bytes bytes, hoist_deadline *deadline,
                                                     hoist_diag *diag,
                                                     hoist_queue_pointers *out_pointers);
// Checks that the pointers of another image of the queue, `own`, are those of its first one.
// HOIST_OK, or HOIST_INVALID with an error (RAW-015).
HOIST_NODISCARD hoist_status hoist_queue_image_agree(hoist_queue_pointers first,
                                                     hoist_queue_pointers own, hoist_diag *diag);
// Slots up to the last one that holds tiles; all of a flat queue, which has no tile headers.
uint32_t hoist_queue_image_count(const hoist_queue_image *image, const hoist_queue_image_size *size,
                                 const uint8_t *bytes);
// Unpacks the part that is in slot `slot` into its places of `tensor`; the other elements stay.
void hoist_queue_image_get(const hoist_queue_image *image, const hoist_queue_image_size *size,
                           size_t buffer, uint32_t slot, const uint8_t *bytes, float *tensor);

#endif // HOIST_SRC_EXCHANGE_QUEUE_IMAGE_H
