// formats/darwinn/stream_bits.h - bit fields of an instruction: bit b is bit (b mod 8) of byte b/8
// (darwinn reference sections 3 and 8.1). Fields may straddle bytes and words.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_BITS_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_BITS_H

#include <string.h>

#include "hoist/base.h"

// The `width` bits from `bit` on, 1 to 32 of them; `bytes` holds them all.
uint32_t dwn_bits_load(hoist_bytes bytes, uint64_t bit, unsigned width);
// Replaces them by the low bits of `value`; other bits of the same bytes stay.
void dwn_bits_store(hoist_mut_bytes bytes, uint64_t bit, unsigned width, uint32_t value);

// The float32 with these bits.
static inline float dwn_float_of(uint32_t bits)
{
    float value = 0;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

#endif // HOIST_SRC_FORMATS_DARWINN_STREAM_BITS_H
