// ops/compute_ark.h - the meaning of each row of the profiles ark and fast (ark reference sections
// 5 and 7).
//
// Operands are views of any strides; an operand that is stretched over others is a view with
// strides of 0, a scalar is a view of one element. "Floats" are f32, f16 and bf16, "integers" i32,
// u32, i8 and u8. Unless a row states otherwise, all operands have one type, floats are computed in
// float32 from their exact values and rounded once, to nearest even, when they are stored; a NaN is
// stored as the positive quiet one (0x7fc00000, 0x7e00, 0x7fc0). Integers are never computed as
// floats. The output of a row that goes element by element may be one of its inputs.
//
// add, subtract, multiply, divide: IEEE's of the storage type, for which rounding the float32
// result is exact. Integers are modulo 2^bits; a quotient is truncated, that of the least number
// and -1 wraps, and x / 0 is 0.
//
// exp, sqrt, rsqrt (1 / sqrt), sigmoid (1 / (1 + e^-x)), gelu (its form with tanh: x / 2 * (1 +
// tanh(0.7978845608 * (x + 0.044715 * x^3))), NaN of -Inf), relu (x where it is above 0, else +0:
// of NaN, too). rsqrt is rounded twice; the bits of exp, sigmoid and gelu are those of
// kernels/ark_math.h. relu takes integers, too.
//
// cast: floats are rounded, integers are taken modulo 2^bits. Of floats i32 and u32 are truncated
// from f32 and rounded to nearest even from f16 and bf16, at most the least and greatest number; i8
// and u8 are truncated, then taken modulo 2^8. NaN gives 0, and of i8 and u8 so do infinities.
//
// rope: rows of pairs (x0, x1), rotated by pairs (y0, y1), the cosine and the sine: z0 = x0 * y0 -
// x1 * y1, z1 = x0 * y1 + x1 * y0, each product and each sum rounded to the type. z may be x or y.
//
// reduce_sum, reduce_mean, reduce_max: along dimension `axis`, which y keeps as one of 1 element
// with keep_dims. Terms go to accumulators: along the last dimension term k to number k mod 16 of
// 16, which then are folded pairwise (p[i] = p[i] + p[i + w] for i < w, w = 8, 4, 2, 1); along any
// other one in the order of the index to one.
//   sum: of floats in float64, from +0; of integers modulo 2^bits.
//   mean: the sum of floats in float64, divided by the number of terms as the type stores it; of
//     integers the sum as it is stored, divided by the number and truncated.
//   max: begins with the lowest finite number of the type (integers: the least) and takes what is
//     greater; so NaN is passed over, and of -Inf alone it is that number. It is folded likewise.
// A float64 is rounded once, to the type.
//
// matmul: y[.., m, n] = sum over k of a[.., m, k] * b[.., k, n]; with transpose_a a is [.., k, m],
// with transpose_b b is [.., n, k]. The three have the same batches, of any rank. Terms are taken
// in the order of k in blocks of HOIST_ARK_MATMUL_BLOCK: sum = fma(a, b, sum) in float32, from +0.
// The total begins with the sum of the first block, and adds those of the others in order.
//
// fast.matmul is ark's matmul of bf16, but for the order of the sums and for numbers below 2^-126,
// of operands and of sums, which may be taken as 0: its bits are those of the CPU level and depend
// on nothing else. The error of a sum of K products, K at most 2^23, is at most
// K * (HOIST_FAST_MATMUL_ERROR * (sum over k of |a * b|) + 2^-126) before it is rounded to bf16.
//
// embedding: rows of `weight`, [V, D], by `indices` of any shape; V is added to a negative index,
// once. An index that then is outside of the table stops the run.
#ifndef HOIST_SRC_OPS_COMPUTE_ARK_H
#define HOIST_SRC_OPS_COMPUTE_ARK_H

#include "ops/compute.h"

#define HOIST_ARK_MATMUL_BLOCK 256
#define HOIST_FAST_MATMUL_ERROR 0x1p-23

// Attributes by index.
enum {
    HOIST_ARK_MATMUL_TRANSPOSE_A = 0, // 0 or 1
    HOIST_ARK_MATMUL_TRANSPOSE_B,     // 0 or 1
    HOIST_ARK_REDUCE_AXIS = 0,
    HOIST_ARK_REDUCE_KEEP_DIMS, // 0 or 1
};

#endif // HOIST_SRC_OPS_COMPUTE_ARK_H
