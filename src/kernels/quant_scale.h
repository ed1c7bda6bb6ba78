// kernels/quant_scale.h - the result of a sum: scaled, moved by the zero point, clamped.
#ifndef HOIST_SRC_KERNELS_QUANT_SCALE_H
#define HOIST_SRC_KERNELS_QUANT_SCALE_H

#include <math.h>

#include "kernels/fixed_point.h"

// x + zero clamped to low..high; the sum does not wrap.
static inline int32_t hoist_quant_place(int32_t x, int32_t zero, int32_t low, int32_t high)
{
    const int64_t sum = (int64_t)x + zero;
    return sum < low ? low : sum > high ? high : (int32_t)sum;
}

// (float)sum * multiplier, clamped, rounded half to even, + zero. `multiplier` is finite, and the
// limits with `zero` are numbers of the type.
static inline int32_t hoist_quant_place_f32(int32_t sum, float multiplier, int32_t zero, float low,
                                            float high)
{
    const float t = (float)sum * multiplier;
    return (int32_t)rintf(t < low ? low : t > high ? high : t) + zero;
}

#endif // HOIST_SRC_KERNELS_QUANT_SCALE_H
