// Images as arrays: which reader takes a file (image_png.c, image_jpeg.c). image_resize.c gives
// them other extents.
#include "exchange/image.h"

#include <string.h>

#include "exchange/exchange_rules.h"

// `magic` may contain zero bytes, hence its size.
static bool begins(hoist_bytes file, const char *magic, size_t size)
{
    return file.size >= size && memcmp(file.data, magic, size) == 0;
}

bool hoist_image_is(hoist_bytes file)
{
    // PNG signature; JPEG: SOI and the first marker.
    return begins(file, "\x89PNG\r\n\x1a\n", 8) || begins(file, "\xff\xd8\xff", 3);
}

hoist_status hoist_image_read(hoist_bytes file, hoist_deadline *deadline, hoist_allocator alloc,
                              hoist_diag *diag, hoist_array *out_image)
{
    const hoist_image_reader reader = {file, deadline, alloc, diag};
    *out_image = (hoist_array){.dtype = HOIST_DTYPE_NONE};
    if (!hoist_image_is(file)) {
        return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_011, 0,
                                   "the file begins neither as a PNG nor as a JPEG image");
    }
    // Both begin otherwise in the first byte.
    const hoist_status status = file.data[0] == 0x89 ? hoist_png_read(&reader, out_image)
                                                     : hoist_jpeg_read(&reader, out_image);
    // A reader that fails may have taken the memory of the pixels.
    if (status != HOIST_OK) {
        hoist_array_deinit(out_image, alloc);
    }
    return status;
}
