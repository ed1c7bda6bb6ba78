// hoist/tensor.h - element types of all formats.
#ifndef HOIST_TENSOR_H
#define HOIST_TENSOR_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Every element type that a supported format can name. A dtype fixes storage and how bits read as
// a number; how a number is rounded into it is said where that is done (hoist_session_write() in
// hoist/runtime.h, hoist_array_floats() in hoist/exchange.h).
//
// The TT_ types are Tenstorrent's: TT_F16 and TT_LF8 have no infinity, NaN or denormals (the top
// exponent is an ordinary binade), TT_I8 and TT_I32 are sign-magnitude, TT_BFP* are block floats
// of 16 elements with one shared exponent (A: 5-bit, B: 8-bit), TT_RAW* carry bit patterns.
typedef enum hoist_dtype {
    HOIST_DTYPE_NONE = 0,
    HOIST_DTYPE_F64,
    HOIST_DTYPE_F32,
    HOIST_DTYPE_TF32, // 19 significant bits kept in 32 bits of storage
    HOIST_DTYPE_F16,
    HOIST_DTYPE_BF16,
    HOIST_DTYPE_F8E5M2,
    HOIST_DTYPE_F8E4M3,   // IEEE-like: the top exponent holds infinity and NaN
    HOIST_DTYPE_F8E4M3FN, // OCP: no infinity, one NaN per sign
    HOIST_DTYPE_F8E3M4,
    HOIST_DTYPE_I8,
    HOIST_DTYPE_I16,
    HOIST_DTYPE_I32,
    HOIST_DTYPE_I64,
    HOIST_DTYPE_U8,
    HOIST_DTYPE_U16,
    HOIST_DTYPE_U32,
    HOIST_DTYPE_U64,
    HOIST_DTYPE_BOOL,
    HOIST_DTYPE_TT_F16,
    HOIST_DTYPE_TT_LF8,
    HOIST_DTYPE_TT_F8E4M3,
    HOIST_DTYPE_TT_I8,
    HOIST_DTYPE_TT_I32,
    HOIST_DTYPE_TT_RAW8,
    HOIST_DTYPE_TT_RAW16,
    HOIST_DTYPE_TT_RAW32,
    HOIST_DTYPE_TT_BFP8A,
    HOIST_DTYPE_TT_BFP8B,
    HOIST_DTYPE_TT_BFP4A,
    HOIST_DTYPE_TT_BFP4B,
    HOIST_DTYPE_TT_BFP2A,
    HOIST_DTYPE_TT_BFP2B,
    HOIST_DTYPE_COUNT,
} hoist_dtype;

typedef enum hoist_dtype_class {
    HOIST_CLASS_NONE = 0,
    HOIST_CLASS_FLOAT,
    HOIST_CLASS_BLOCK,  // block float
    HOIST_CLASS_SIGNED, // two's complement
    HOIST_CLASS_UNSIGNED,
    HOIST_CLASS_SIGN_MAGNITUDE,
    HOIST_CLASS_BOOL,
    HOIST_CLASS_RAW, // a bit pattern without a value of its own
} hoist_dtype_class;

// What is known about an element type.
typedef struct hoist_dtype_info {
    const char *name; // hoist's own name: "f32", "bf16", "tt-bfp8b"
    hoist_dtype_class kind;
    uint8_t bits;          // of storage per element, shared exponents not counted
    uint8_t exponent_bits; // floats and block floats, else 0
    uint8_t mantissa_bits; // stored, without the hidden one
    int16_t bias;          // of the exponent
    uint8_t block;         // elements per shared exponent; 1 when there is none
} hoist_dtype_info;

// The row of `dtype`; for a value outside the enum the row of HOIST_DTYPE_NONE. Never NULL.
HOIST_API const hoist_dtype_info *hoist_dtype_get(hoist_dtype dtype);

// Finds a dtype by hoist's own name; HOIST_DTYPE_NONE when there is none.
HOIST_API hoist_dtype hoist_dtype_find(hoist_str name);

#ifdef __cplusplus
}
#endif

#endif // HOIST_TENSOR_H
