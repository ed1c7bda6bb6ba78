// tensor/convert.h - one element of any type <-> a number. Slow and obvious; fast conversions are
// tested against these. Elements of block floats have no value alone: see tensor/block.h.
//
// Element bits are in the low `bits` of a uint64_t; higher bits are ignored. Raw types have no
// value: their bits are those of the float itself.
#ifndef HOIST_SRC_TENSOR_CONVERT_H
#define HOIST_SRC_TENSOR_CONVERT_H

#include "hoist/tensor.h"

typedef enum hoist_round_mode {
    HOIST_ROUND_NEAREST = 0, // ties to even
    HOIST_ROUND_TRUNCATE,    // toward zero
    HOIST_ROUND_TT,          // hoist_tt_encode() where it has a rule, else as TRUNCATE
} hoist_round_mode;

typedef struct hoist_rounding {
    hoist_round_mode mode;
    bool saturate; // floats: overflow and Inf become the largest finite number
} hoist_rounding;

// The number that `bits` represent. To double everything is exact but 64-bit integers beyond 2^53,
// to float what fits; the rest is rounded to nearest even. NaNs keep their sign and payload,
// signalling ones included (an F64 one read as float becomes quiet). `dtype` is not NONE and not a
// block float.
double hoist_to_f64(hoist_dtype dtype, uint64_t bits);
float hoist_to_f32(hoist_dtype dtype, uint64_t bits);

// Bits of the element nearest to `value` under `rounding`.
//
// Floats: without `saturate`, what rounds beyond the largest finite number becomes Inf (F8E4M3FN:
// NaN) under NEAREST and the largest finite number under TRUNCATE. NaN stays NaN, quiet. Types
// without Inf and NaN always saturate, NaN too; types without denormals flush to a signed zero.
// Integers: saturate at the ends of their range (sign-magnitude: symmetrical), NaN gives 0.
// BOOL: 0 for zero, else 1.
// HOIST_ROUND_TT is defined on float32: hoist_from_f64() first truncates to it.
uint64_t hoist_from_f64(hoist_dtype dtype, double value, hoist_rounding rounding);
uint64_t hoist_from_f32(hoist_dtype dtype, float value, hoist_rounding rounding);

// `value` rounded to an integer, ties to even, whatever the floating-point environment says.
double hoist_round_even(double value);

#endif // HOIST_SRC_TENSOR_CONVERT_H
