// tensor/element.h - whole-byte elements in memory, little-endian on every host.
#ifndef HOIST_SRC_TENSOR_ELEMENT_H
#define HOIST_SRC_TENSOR_ELEMENT_H

#include "base/assert.h"
#include "base/reader.h"

// Loads an element of 1, 2, 4 or 8 `bytes`.
static inline uint64_t hoist_element_load(const uint8_t *p, size_t bytes)
{
    switch (bytes) {
    case 1:
        return p[0];
    case 2:
        return hoist_load_u16le(p);
    case 4:
        return hoist_load_u32le(p);
    default:
        HOIST_ASSERT(bytes == 8);
        return hoist_load_u64le(p);
    }
}

// Stores the low `bytes` (1, 2, 4 or 8) bytes of `bits`.
static inline void hoist_element_store(uint8_t *p, size_t bytes, uint64_t bits)
{
    switch (bytes) {
    case 1:
        p[0] = (uint8_t)(bits & 0xff);
        return;
    case 2:
        hoist_store_u16le(p, (uint16_t)(bits & 0xffff));
        return;
    case 4:
        hoist_store_u32le(p, (uint32_t)(bits & 0xffffffff));
        return;
    default:
        HOIST_ASSERT(bytes == 8);
        hoist_store_u64le(p, bits);
    }
}

#endif // HOIST_SRC_TENSOR_ELEMENT_H
