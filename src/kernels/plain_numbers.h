// kernels/plain_numbers.h - stored integers of any type as int64_t.
#ifndef HOIST_SRC_KERNELS_PLAIN_NUMBERS_H
#define HOIST_SRC_KERNELS_PLAIN_NUMBERS_H

#include "kernels/elements.h"
#include "tensor/element.h"

// A number of up to 64 bits, signed or not (those of u64 modulo 2^64); a bool is 0 or 1.
static inline int64_t hoist_plain_load(hoist_dtype dtype, const uint8_t *element)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    const uint64_t raw = hoist_element_load(element, hoist_element_size(dtype));
    const uint64_t sign = UINT64_C(1) << (info->bits - 1);
    if (dtype == HOIST_DTYPE_BOOL) {
        return raw != 0;
    }
    return (int64_t)(info->kind == HOIST_CLASS_SIGNED ? (raw ^ sign) - sign : raw);
}

// The number modulo 2^bits.
static inline void hoist_plain_store(hoist_dtype dtype, int64_t number, uint8_t *element)
{
    hoist_element_store(element, hoist_element_size(dtype), (uint64_t)number);
}

#endif // HOIST_SRC_KERNELS_PLAIN_NUMBERS_H
