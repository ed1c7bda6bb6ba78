// tensor/block.h - Tenstorrent's block floats: 16 elements with one shared exponent (buda-ops
// reference section 2.1).
//
// An element is a sign bit over a 7-, 3- or 1-bit mantissa whose top bit is worth 2^(E - bias).
// Everything works on float32 bit patterns.
#ifndef HOIST_SRC_TENSOR_BLOCK_H
#define HOIST_SRC_TENSOR_BLOCK_H

#include "hoist/tensor.h"

#define HOIST_BLOCK_SIZE 16

typedef struct hoist_block {
    uint8_t exponent;                // shared, biased: 0..31 (A) or 0..255 (B)
    uint8_t datum[HOIST_BLOCK_SIZE]; // sign and mantissa, in the low `bits` bits
} hoist_block;

// Quantises 16 float32 bit patterns. `truncate` chops the mantissas (quantisation inside a graph);
// otherwise they are rounded half away from zero and saturate at the all-ones mantissa (host push).
// `dtype` must be a block float.
hoist_block hoist_block_encode(hoist_dtype dtype, const uint32_t values[HOIST_BLOCK_SIZE],
                               bool truncate);

// Float32 bit pattern of one datum under a shared exponent. A mantissa of 0 reads as a signed zero.
//
// Bytes that no encoder writes: only the low five exponent bits of an A format count, and a B
// mantissa that would need an exponent below 0 reads as a signed zero (the reference backend
// aborts or wraps there). `dtype` must be a block float.
uint32_t hoist_block_decode(hoist_dtype dtype, uint8_t exponent, uint8_t datum);

#endif // HOIST_SRC_TENSOR_BLOCK_H
