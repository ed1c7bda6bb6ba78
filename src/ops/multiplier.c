// Float factors as integers: a multiplier of 31 bits and a shift (TFLite kernels reference, section
// 2: QuantizeMultiplier). Lowering makes them, kernels/fixed_point.h applies them.
#include "ops/multiplier.h"

#include <math.h>

hoist_status hoist_quantize_multiplier_signed(double factor, hoist_multiplier *out_multiplier)
{
    int shift = 0;
    *out_multiplier = (hoist_multiplier){0, 0};
    if (!isfinite(factor)) {
        return HOIST_INVALID;
    }
    const double mantissa = frexp(factor, &shift);
    int64_t multiplier = (int64_t)round(mantissa * 0x1p31);
    if (multiplier == INT64_C(1) << 31) {
        multiplier /= 2;
        shift++;
    }
    if (factor == 0 || shift < -31) {
        return HOIST_OK;
    }
    if (shift > 30) {
        return HOIST_LIMIT;
    }
    *out_multiplier = (hoist_multiplier){(int32_t)multiplier, shift};
    return HOIST_OK;
}

hoist_status hoist_quantize_multiplier(double factor, hoist_multiplier *out_multiplier)
{
    *out_multiplier = (hoist_multiplier){0, 0};
    return factor < 0 ? HOIST_INVALID : hoist_quantize_multiplier_signed(factor, out_multiplier);
}
