// Any bytes through the reader of memory images: the first ones choose the queue, the rest is an
// image, of its own length or filled up to that of the queue. What was read must be packed to an
// image that passes the check, and packing what that holds must settle.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "exchange/queue_image.h"
#include "testing/fuzz.h"

enum { CHOICES = 4 }; // bytes

static const hoist_dtype dtypes[] = {
    HOIST_DTYPE_F32,      HOIST_DTYPE_BF16,     HOIST_DTYPE_TT_F16,   HOIST_DTYPE_TT_LF8,
    HOIST_DTYPE_TT_BFP8A, HOIST_DTYPE_TT_BFP8B, HOIST_DTYPE_TT_BFP4A, HOIST_DTYPE_TT_BFP4B,
    HOIST_DTYPE_TT_BFP2A, HOIST_DTYPE_TT_BFP2B, HOIST_DTYPE_TT_I8,    HOIST_DTYPE_TT_I32,
    HOIST_DTYPE_U8,       HOIST_DTYPE_U16,      HOIST_DTYPE_TT_RAW8,  HOIST_DTYPE_TT_RAW16,
    HOIST_DTYPE_TT_RAW32, HOIST_DTYPE_TT_F8E4M3};
static const uint8_t dims[][2] = {{32, 32}, {16, 32}, {8, 32}, {4, 32}, {2, 32}, {1, 32}, {32, 16}};

static hoist_queue_image choose(const uint8_t *data)
{
    const uint8_t *dim = dims[data[1] % HOIST_COUNT_OF(dims)];
    const uint8_t bits = data[2];
    return (hoist_queue_image){
        .entry = {.tiling = {1u + (bits & 1), 1u + (bits >> 1 & 1), 1u + (bits >> 2 & 1),
                             1u + (bits >> 3 & 1), 1u + (bits >> 4 & 1), 1u + (bits >> 5 & 1), 1,
                             bits >> 6 & 1, dim[0], dim[1]},
                  .dtype = dtypes[data[0] % HOIST_COUNT_OF(dtypes)],
                  .alignment = bits >> 7 ? 64 : 32,
                  .flat = data[3] & 1},
        .slots = 1u + (data[3] >> 1 & 3),
        .is_ram = data[3] >> 3 & 1,
    };
}

// All slots of an image to a new one, whose entry is otherwise zero.
static void pack_again(const hoist_queue_image *image, const hoist_queue_image_size *size,
                       hoist_queue_pointers pointers, const uint8_t *from, float *tensor,
                       uint8_t *to)
{
    hoist_queue_image_begin(image, size, pointers, to);
    for (uint32_t slot = 0; slot < hoist_queue_image_count(image, size, from); slot++) {
        hoist_queue_image_get(image, size, 0, slot, from, tensor);
        hoist_queue_image_put(image, size, 0, slot, tensor, to);
    }
}

static void check_read(const hoist_queue_image *image, const hoist_queue_image_size *size,
                       hoist_queue_pointers pointers, const uint8_t *bytes)
{
    const hoist_allocator alloc = hoist_allocator_system();
    const size_t count = size->entry.tiling.elements;
    float *tensor = hoist_alloc_zero(alloc, count, sizeof *tensor);
    uint8_t *first = hoist_alloc(alloc, size->bytes);
    uint8_t *second = hoist_alloc(alloc, size->bytes);
    if (tensor && first && second) {
        hoist_queue_pointers again;
        pack_again(image, size, pointers, bytes, tensor, first);
        fuzz_require(hoist_queue_image_check(image, size, (hoist_bytes){first, size->bytes}, NULL,
                                             NULL, &again) == HOIST_OK);
        fuzz_require(again.read == pointers.read && again.write == pointers.write);
        // The first packing makes of bytes that no packer wrote what the type holds, the second one
        // of the -0 that an Int32 of -2^31 is packed to, 0.
        pack_again(image, size, pointers, first, tensor, second);
        pack_again(image, size, pointers, second, tensor, first);
        fuzz_require(memcmp(first, second, size->bytes) == 0);
    }
    hoist_free(alloc, tensor, count * sizeof *tensor);
    hoist_free(alloc, first, size->bytes);
    hoist_free(alloc, second, size->bytes);
}

static void check_image(const hoist_queue_image *image, const hoist_queue_image_size *size,
                        hoist_bytes bytes)
{
    hoist_diag *diag = NULL;
    hoist_queue_pointers pointers;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status = hoist_queue_image_check(image, size, bytes, NULL, diag, &pointers);
    fuzz_require(hoist_diag_count(diag, HOIST_ERROR) == (status != HOIST_OK));
    if (status == HOIST_OK) {
        check_read(image, size, pointers, bytes.data);
    }
    hoist_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < CHOICES) {
        return 0;
    }
    const hoist_queue_image image = choose(data);
    hoist_queue_image_size sizes;
    const char *reason = NULL;
    if (hoist_queue_image_measure(&image, &sizes, &reason) != HOIST_OK) {
        fuzz_require(reason != NULL); // all choices are sound, but not all are known
        return 0;
    }
    const hoist_bytes rest = {data + CHOICES, size - CHOICES};
    check_image(&image, &sizes, rest);
    uint8_t *filled = hoist_alloc_zero(hoist_allocator_system(), sizes.bytes, 1);
    if (filled) {
        memcpy(filled, rest.data, rest.size < sizes.bytes ? rest.size : sizes.bytes);
        check_image(&image, &sizes, (hoist_bytes){filled, sizes.bytes});
        hoist_free(hoist_allocator_system(), filled, sizes.bytes);
    }
    return 0;
}
