// Arrays of files in C order and little-endian: sizes, transposing Fortran order, swapping bytes,
// elements as float32. Arrays of .npy files (npy.c) and of other libraries (easy/arrays.c) come
// through here.
#include <string.h>

#include "hoist/exchange.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "tensor/convert.h"
#include "tensor/element.h"

void hoist_array_deinit(hoist_array *array, hoist_allocator alloc)
{
    hoist_free(alloc, array->owned, array->data.size);
    *array = (hoist_array){0};
}

size_t hoist_array_element_size(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    // 0 for block floats: none of their elements has bytes of its own.
    return info->kind == HOIST_CLASS_BLOCK ? 0 : info->bits / 8u;
}

// True: the size does not fit 63 bits.
bool hoist_array_size(const hoist_array *array, uint64_t *out_size)
{
    int64_t size = (int64_t)hoist_array_element_size(array->dtype);
    *out_size = 0;
    // Zeros first: an extent of zero makes the array empty, however large the product of the others
    // is.
    for (uint32_t i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0) {
            return false;
        }
    }
    for (uint32_t i = 0; i < array->rank; i++) {
        if (hoist_ckd_mul_i64(&size, size, array->shape[i])) {
            return true;
        }
    }
    *out_size = (uint64_t)size;
    return false;
}

// Copies Fortran order to C order. `from` and `to` hold the whole array, which is not empty.
static void transpose(const hoist_array *array, const uint8_t *from, uint8_t *to, size_t size)
{
    HOIST_ASSERT(array->rank <= HOIST_ARRAY_MAX_RANK && size > 0);
    const size_t element = hoist_array_element_size(array->dtype);
    // Fortran order: the first index runs fastest.
    size_t stride[HOIST_ARRAY_MAX_RANK] = {0}; // in `from`, bytes
    size_t index[HOIST_ARRAY_MAX_RANK] = {0};
    size_t step = element;
    for (uint32_t d = 0; d < array->rank; d++) {
        stride[d] = step;
        step *= (size_t)array->shape[d];
    }
    size_t at = 0;
    for (size_t i = 0; i < size; i += element) {
        memcpy(to + i, from + at, element);
        HOIST_ASSERT(at + element <= size);
        // The last index runs fastest; one that is full goes back to zero and the one before steps.
        uint32_t d = array->rank;
        while (d > 0) {
            d--;
            at += stride[d];
            if (++index[d] < (size_t)array->shape[d]) {
                break;
            }
            at -= stride[d] * index[d]; // back by all steps of this index, `shape` of them
            index[d] = 0;
        }
    }
}

// Data stay borrowed where no copy is needed: the common file costs no memory.
hoist_status hoist_array_from_stored(hoist_array *array, bool is_big_endian, bool is_fortran,
                                     hoist_allocator alloc)
{
    const hoist_bytes from = array->data;
    const size_t element = hoist_array_element_size(array->dtype);
    uint64_t size = 0;
    // `data` has to have the size that type and shape give, for the loops below rely on it.
    if (array->rank > HOIST_ARRAY_MAX_RANK || element == 0 || hoist_array_size(array, &size) ||
        size != from.size) {
        return HOIST_INVALID;
    }
    const bool swaps = is_big_endian && element > 1;
    const bool turns = is_fortran && array->rank > 1;
    if (size == 0 || !(swaps || turns)) {
        return HOIST_OK;
    }
    uint8_t *const to = hoist_alloc(alloc, from.size);
    if (!to) {
        return HOIST_NO_MEMORY;
    }
    // Order first: a transposed copy can then be swapped in place.
    if (turns) {
        transpose(array, from.data, to, from.size);
    } else {
        memcpy(to, from.data, from.size);
    }
    // hoist has no complex types, so that an element is one number.
    if (swaps) {
        HOIST_ASSERT(element > 0 && from.size % element == 0);
        for (size_t i = 0; i < from.size; i += element) {
            for (size_t k = 0; k < element / 2; k++) {
                const uint8_t byte = to[i + k];
                to[i + k] = to[i + element - 1 - k];
                to[i + element - 1 - k] = byte;
            }
        }
    }
    array->data = (hoist_bytes){to, from.size};
    array->owned = to;
    return HOIST_OK;
}

hoist_status hoist_array_floats(const hoist_array *array, float *out)
{
    const size_t size = hoist_array_element_size(array->dtype);
    // Bit patterns have no value.
    if (size == 0 || hoist_dtype_get(array->dtype)->kind == HOIST_CLASS_RAW) {
        return HOIST_UNSUPPORTED;
    }
    for (size_t i = 0; i < array->data.size / size; i++) {
        const uint64_t bits = hoist_element_load(array->data.data + i * size, size);
        out[i] = hoist_to_f32(array->dtype, bits);
    }
    return HOIST_OK;
}
