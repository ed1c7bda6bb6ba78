// Any bytes through the readers of images; what was read is resized both ways.
#include "base/diag.h"
#include "exchange/image.h"
#include "testing/fuzz.h"

static void fuzz_resize(const hoist_array *image)
{
    const hoist_allocator alloc = hoist_allocator_system();
    static const int64_t sides[] = {1, 7, 300};
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        hoist_array out;
        fuzz_require(hoist_image_resize(image, sides[i], sides[2 - i], NULL, alloc, &out) ==
                     HOIST_OK);
        fuzz_require(out.data.size == (size_t)(sides[i] * sides[2 - i] * 3));
        hoist_array_deinit(&out, alloc);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_diag *diag = NULL;
    hoist_array image;
    fuzz_require(hoist_diag_create(alloc, NULL, &diag) == HOIST_OK);
    const hoist_status status =
        hoist_image_read((hoist_bytes){data, size}, NULL, alloc, diag, &image);
    fuzz_require((status == HOIST_OK) == (image.owned != NULL));
    fuzz_require(status == HOIST_OK || hoist_diag_count(diag, HOIST_ERROR) == 1);
    if (status == HOIST_OK && image.data.size < 1 << 20) {
        fuzz_resize(&image);
    }
    hoist_array_deinit(&image, alloc);
    hoist_diag_destroy(diag);
    return 0;
}
