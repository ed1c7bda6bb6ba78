// tensor/tt_element.h - Tenstorrent's rules for one element: float32 bits to a queue's element
// bits and back (buda-ops reference section 2). Block floats are in tensor/block.h.
//
// Everything works on bit patterns, so NaN payloads survive and no rounding mode matters.
#ifndef HOIST_SRC_TENSOR_TT_ELEMENT_H
#define HOIST_SRC_TENSOR_TT_ELEMENT_H

#include "hoist/tensor.h"

// True for the element types that have a rule here: F32, TF32, BF16, U8, U16 and every TT_ type
// but the block floats.
bool hoist_tt_has_rule(hoist_dtype dtype);

// Element bits (in the low `bits` of the result) of the float32 whose bit pattern is `u`.
//
// Where the reference says "undefined" this is what we do: a NaN becomes 0 in U8, U16 and TT_I32
// and 127 in TT_I8 (its sign kept), and TT_I32 saturates at 2^31 - 1. `dtype` must have a rule.
uint32_t hoist_tt_encode(hoist_dtype dtype, uint32_t u);

// Bit pattern of the float32 that the element `bits` reads as; higher bits are ignored. Exact
// except for TT_I32 beyond 2^24, which is rounded to nearest even. `dtype` must have a rule.
uint32_t hoist_tt_decode(hoist_dtype dtype, uint32_t bits);

#endif // HOIST_SRC_TENSOR_TT_ELEMENT_H
