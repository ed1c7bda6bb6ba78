// exchange/image.h - the two readers of images behind hoist_image_read() (hoist/exchange.h).
#ifndef HOIST_SRC_EXCHANGE_IMAGE_H
#define HOIST_SRC_EXCHANGE_IMAGE_H

#include "hoist/exchange.h"

// Pixels of an image at most, so that a header of a few bytes asks for no more than 192 MiB.
#define HOIST_IMAGE_MAX_PIXELS (UINT64_C(1) << 26)

// What the readers share.
typedef struct hoist_image_reader {
    hoist_bytes file;
    hoist_deadline *deadline; // or NULL
    hoist_allocator alloc;
    hoist_diag *diag;
} hoist_image_reader;

// Takes the memory of the pixels, [height, width, 3] of u8. HOIST_OK, HOIST_LIMIT (with a finding),
// HOIST_INVALID (likewise: no pixels), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_image_begin(const hoist_image_reader *reader, uint64_t width,
                                               uint64_t height, hoist_array *out_image);

// As hoist_image_read(), of files that begin as PNG and JPEG do. On failure `*out_image` may have
// memory, which hoist_array_deinit() frees.
HOIST_NODISCARD hoist_status hoist_png_read(const hoist_image_reader *reader,
                                            hoist_array *out_image);
HOIST_NODISCARD hoist_status hoist_jpeg_read(const hoist_image_reader *reader,
                                             hoist_array *out_image);

#endif // HOIST_SRC_EXCHANGE_IMAGE_H
