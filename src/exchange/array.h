// exchange/array.h - a dense array as it comes from a file or goes to one.
#ifndef HOIST_SRC_EXCHANGE_ARRAY_H
#define HOIST_SRC_EXCHANGE_ARRAY_H

#include "hoist/tensor.h"

enum {
    HOIST_ARRAY_MAX_RANK = 32, // NumPy's
};

// Elements in C order, little-endian on every host (tensor/element.h).
typedef struct hoist_array {
    hoist_dtype dtype; // whole bytes per element, no block float
    uint32_t rank;
    int64_t shape[HOIST_ARRAY_MAX_RANK]; // none is negative
    hoist_bytes data;                    // borrowed from the file, or from `owned`
    uint8_t *owned;                      // owned: `data` when they had to be copied; else NULL
} hoist_array;

// Frees what the array owns. `alloc` is the allocator it was read with.
void hoist_array_deinit(hoist_array *array, hoist_allocator alloc);

// Bytes of one element; 0 when `dtype` has no whole bytes (NONE, block floats).
size_t hoist_array_element_size(hoist_dtype dtype);

// Bytes of all elements; true when that does not fit 63 bits (then 0).
bool hoist_array_size(const hoist_array *array, uint64_t *out_size);

#endif // HOIST_SRC_EXCHANGE_ARRAY_H
