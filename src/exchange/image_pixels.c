// The memory of an image's pixels, for both readers (image_png.c, image_jpeg.c): limited before it
// is taken.
#include <inttypes.h>

#include "base/alloc.h"
#include "exchange/exchange_rules.h"
#include "exchange/image.h"

hoist_status hoist_image_begin(const hoist_image_reader *reader, uint64_t width, uint64_t height,
                               hoist_array *out_image)
{
    if (width == 0 || height == 0) {
        return hoist_exchange_fail(reader->diag, HOIST_INVALID, HOIST_RAW_011, 0,
                                   "the image is %" PRIu64 " by %" PRIu64 ": it has no pixels",
                                   width, height);
    }
    // By division: the product may not fit.
    if (width > HOIST_IMAGE_MAX_PIXELS || height > HOIST_IMAGE_MAX_PIXELS / width) {
        return hoist_exchange_fail(reader->diag, HOIST_LIMIT, HOIST_RAW_012, 0,
                                   "the image is %" PRIu64 " by %" PRIu64
                                   ", expected at most %" PRIu64 " pixels",
                                   width, height, HOIST_IMAGE_MAX_PIXELS);
    }
    // Three samples per pixel, fits after the check.
    const size_t size = (size_t)(width * height * 3);
    // Zeros: what is transparent lies over black.
    uint8_t *const pixels = hoist_alloc_zero(reader->alloc, size, 1);
    if (!pixels) {
        return HOIST_NO_MEMORY;
    }
    *out_image = (hoist_array){.dtype = HOIST_DTYPE_U8,
                               .rank = 3,
                               .shape = {(int64_t)height, (int64_t)width, 3},
                               .data = {pixels, size},
                               .owned = pixels};
    return HOIST_OK;
}
