// testing/ark_eval_numbers.h - elements of ARK tensors as doubles and 64-bit integers, each with
// the bound of its error: the arithmetic of ark_eval.h (ark reference sections 5 and 7).
//
// A result that the reference fixes to the bit has the error 0. Where it leaves the last digits
// open (sums, matmuls, functions) the bound covers every way to compute that it allows, and
// operators carry the bounds of their operands on.
#ifndef HOIST_SRC_TESTING_ARK_EVAL_NUMBERS_H
#define HOIST_SRC_TESTING_ARK_EVAL_NUMBERS_H

#include "formats/ark/module.h"

// The sign of a zero and the bits of a NaN are open; the value is not.
#define ARK_EVAL_OPEN_BITS 0x1p-1074

typedef struct ark_eval_number {
    double real;     // of floats
    int64_t integer; // of the other types
    uint32_t bits;   // of a NaN that was loaded, and is copied as it is
    double error;    // 0: exact to the bit; INFINITY: nothing is known
} ark_eval_number;

size_t ark_eval_size(ark_dtype dtype); // bytes
bool ark_eval_is_float(ark_dtype dtype);

// Little-endian bytes of an element, and back; exact.
ark_eval_number ark_eval_load(ark_dtype dtype, const uint8_t *bytes);
void ark_eval_store(ark_dtype dtype, ark_eval_number number, uint8_t *bytes);

// An argument of kind FLOAT as an element.
ark_eval_number ark_eval_constant(ark_dtype dtype, double value);
ark_eval_number ark_eval_binary(ark_op_type type, ark_dtype dtype, ark_eval_number x,
                                ark_eval_number y);
// Exp, Sqrt, Rsqrt, Gelu, Relu, Sigmoid; of floats, Relu of integers, too.
ark_eval_number ark_eval_unary(ark_op_type type, ark_dtype dtype, ark_eval_number x);
ark_eval_number ark_eval_cast(ark_dtype from, ark_dtype to, ark_eval_number x);

// Sums, means, maxima and products of many elements.
typedef struct ark_eval_fold {
    ark_dtype dtype;
    uint64_t integer; // wraps
    double sum;
    double error; // of what was added
    double size;  // of the absolute values that were added
    int64_t count;
} ark_eval_fold;

void ark_eval_add(ark_eval_fold *fold, ark_eval_number x);
void ark_eval_add_product(ark_eval_fold *fold, ark_eval_number x, ark_eval_number y);
ark_eval_number ark_eval_sum(const ark_eval_fold *fold);
ark_eval_number ark_eval_mean(const ark_eval_fold *fold);
ark_eval_number ark_eval_lowest(ark_dtype dtype);
ark_eval_number ark_eval_greater(ark_dtype dtype, ark_eval_number x, ark_eval_number y);

// Whether the bytes are an element that `expected` allows.
bool ark_eval_allows(ark_dtype dtype, ark_eval_number expected, const uint8_t *bytes);

#endif // HOIST_SRC_TESTING_ARK_EVAL_NUMBERS_H
