// ops/multiplier.h - float factors as integers, for rows that take a multiplier and a shift.
#ifndef HOIST_SRC_OPS_MULTIPLIER_H
#define HOIST_SRC_OPS_MULTIPLIER_H

#include "hoist/base.h"

// A float factor as integers: multiplier * 2^(shift - 31).
typedef struct hoist_multiplier {
    int32_t multiplier; // 0, or 2^30 to 2^31 - 1; of negative factors -2^31 to -2^30
    int32_t shift;      // -31 to 30
} hoist_multiplier;

// The nearest multiplier (QuantizeMultiplier of the reference); factors below 2^-32 become 0.
// HOIST_INVALID: negative or not finite; HOIST_LIMIT: 2^30 or more.
HOIST_NODISCARD hoist_status hoist_quantize_multiplier(double factor,
                                                       hoist_multiplier *out_multiplier);

// The same of factors of either sign, halves away from 0; HOIST_INVALID: not finite.
HOIST_NODISCARD hoist_status hoist_quantize_multiplier_signed(double factor,
                                                              hoist_multiplier *out_multiplier);

#endif // HOIST_SRC_OPS_MULTIPLIER_H
