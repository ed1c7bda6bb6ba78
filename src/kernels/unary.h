// kernels/unary.h - the golden functions that go through the C library, one element at a time
// (buda-ops reference section 5.3). These define the bits; math_level.c gives the same ones faster.
#ifndef HOIST_SRC_KERNELS_UNARY_H
#define HOIST_SRC_KERNELS_UNARY_H

float hoist_golden_exp(float x); // NaN and Inf give the largest finite number
float hoist_golden_log(float x); // 0 counts as 2^-23
float hoist_golden_gelu(float x);
float hoist_golden_gelu_derivative(float x);

#endif // HOIST_SRC_KERNELS_UNARY_H
