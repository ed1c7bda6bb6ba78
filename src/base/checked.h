// base/checked.h - arithmetic on sizes and offsets that come from files.
//
// As in C23's <stdckdint.h> each function returns true when the exact result does not fit, and
// then leaves 0 in *out.
#ifndef HOIST_SRC_BASE_CHECKED_H
#define HOIST_SRC_BASE_CHECKED_H

#include "hoist/base.h"

static inline bool hoist_ckd_add(uint64_t *out, uint64_t a, uint64_t b)
{
    const bool overflow = __builtin_add_overflow(a, b, out);
    if (overflow) {
        *out = 0;
    }
    return overflow;
}

static inline bool hoist_ckd_mul(uint64_t *out, uint64_t a, uint64_t b)
{
    const bool overflow = __builtin_mul_overflow(a, b, out);
    if (overflow) {
        *out = 0;
    }
    return overflow;
}

// Rounds `a` up to a multiple of `alignment`, which must not be 0.
static inline bool hoist_ckd_align(uint64_t *out, uint64_t a, uint64_t alignment)
{
    const uint64_t rest = a % alignment;
    return hoist_ckd_add(out, a, rest ? alignment - rest : 0);
}

static inline bool hoist_ckd_add_i64(int64_t *out, int64_t a, int64_t b)
{
    const bool overflow = __builtin_add_overflow(a, b, out);
    if (overflow) {
        *out = 0;
    }
    return overflow;
}

static inline bool hoist_ckd_mul_i64(int64_t *out, int64_t a, int64_t b)
{
    const bool overflow = __builtin_mul_overflow(a, b, out);
    if (overflow) {
        *out = 0;
    }
    return overflow;
}

// Product of two sizes in memory.
static inline bool hoist_ckd_size_mul(size_t *out, size_t a, size_t b)
{
    const bool overflow = __builtin_mul_overflow(a, b, out);
    if (overflow) {
        *out = 0;
    }
    return overflow;
}

#endif // HOIST_SRC_BASE_CHECKED_H
