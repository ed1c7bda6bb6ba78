// tensor/float_bits.h - bit patterns of the host's floats.
#ifndef HOIST_SRC_TENSOR_FLOAT_BITS_H
#define HOIST_SRC_TENSOR_FLOAT_BITS_H

#include <string.h>

#include "hoist/base.h"

static inline uint32_t hoist_f32_to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float hoist_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t hoist_f64_to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double hoist_f64_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif // HOIST_SRC_TENSOR_FLOAT_BITS_H
