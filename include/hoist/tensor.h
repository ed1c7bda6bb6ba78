// hoist/tensor.h - element types of all formats. All functions may be called from any thread.
#ifndef HOIST_TENSOR_H
#define HOIST_TENSOR_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Every element type that a supported format can name. A dtype fixes storage and the number that
// the bits encode; rounding into it is specified where it is done (hoist_session_write() in
// hoist/runtime.h, hoist_array_floats() in hoist/exchange.h).
//
// The TT_ types are Tenstorrent's: TT_F16, TT_LF8 and TT_F8E4M3 have no infinity or NaN (the top
// exponent is an ordinary binade) and no denormals (a zero exponent means zero; bits that have
// a mantissa all the same are read as Tenstorrent's unpacker reads them, as a float32 denormal),
// TT_I8 and TT_I32 are sign-magnitude, TT_BFP* are block floats of 16 elements with one shared
// exponent (A: 5-bit, B: 8-bit), TT_RAW* carry bit patterns.
//
// Floats have one sign bit; below "e8m23" means 8 exponent bits and 23 stored mantissa bits.
typedef enum hoist_dtype {
    HOIST_DTYPE_NONE = 0,  // no type, or an unknown one
    HOIST_DTYPE_F64,       // IEEE binary64, e11m52
    HOIST_DTYPE_F32,       // IEEE binary32, e8m23
    HOIST_DTYPE_TF32,      // e8m10: 19 significant bits kept in 32 bits of storage
    HOIST_DTYPE_F16,       // IEEE binary16, e5m10
    HOIST_DTYPE_BF16,      // e8m7: the upper half of an F32
    HOIST_DTYPE_F8E5M2,    // IEEE-like: the top exponent holds infinity and NaN
    HOIST_DTYPE_F8E4M3,    // IEEE-like: the top exponent holds infinity and NaN
    HOIST_DTYPE_F8E4M3FN,  // OCP: no infinity, one NaN per sign
    HOIST_DTYPE_F8E3M4,    // IEEE-like: the top exponent holds infinity and NaN
    HOIST_DTYPE_I8,        // two's complement
    HOIST_DTYPE_I16,       // two's complement
    HOIST_DTYPE_I32,       // two's complement
    HOIST_DTYPE_I64,       // two's complement
    HOIST_DTYPE_U8,        // unsigned
    HOIST_DTYPE_U16,       // unsigned
    HOIST_DTYPE_U32,       // unsigned
    HOIST_DTYPE_U64,       // unsigned
    HOIST_DTYPE_BOOL,      // one byte: 0 is false, any other true
    HOIST_DTYPE_TT_F16,    // e5m10
    HOIST_DTYPE_TT_LF8,    // e5m2
    HOIST_DTYPE_TT_F8E4M3, // e4m3
    HOIST_DTYPE_TT_I8,     // sign and 7 bits of magnitude
    HOIST_DTYPE_TT_I32,    // sign and 31 bits of magnitude
    HOIST_DTYPE_TT_RAW8,   // 8 bits without a value
    HOIST_DTYPE_TT_RAW16,  // 16 bits without a value
    HOIST_DTYPE_TT_RAW32,  // 32 bits without a value
    HOIST_DTYPE_TT_BFP8A,  // sign and 7 bits of mantissa, 5-bit exponent per block
    HOIST_DTYPE_TT_BFP8B,  // sign and 7 bits of mantissa, 8-bit exponent per block
    HOIST_DTYPE_TT_BFP4A,  // sign and 3 bits of mantissa, 5-bit exponent per block
    HOIST_DTYPE_TT_BFP4B,  // sign and 3 bits of mantissa, 8-bit exponent per block
    HOIST_DTYPE_TT_BFP2A,  // sign and 1 bit of mantissa, 5-bit exponent per block
    HOIST_DTYPE_TT_BFP2B,  // sign and 1 bit of mantissa, 8-bit exponent per block
    HOIST_DTYPE_COUNT,     // number of the types above
} hoist_dtype;

// Kind of number that the bits of an element encode.
typedef enum hoist_dtype_class {
    HOIST_CLASS_NONE = 0,       // HOIST_DTYPE_NONE
    HOIST_CLASS_FLOAT,          // sign, exponent, mantissa
    HOIST_CLASS_BLOCK,          // block float: sign and mantissa, an exponent shared by a block
    HOIST_CLASS_SIGNED,         // two's complement
    HOIST_CLASS_UNSIGNED,       // unsigned integer
    HOIST_CLASS_SIGN_MAGNITUDE, // sign bit and magnitude
    HOIST_CLASS_BOOL,           // false or true
    HOIST_CLASS_RAW,            // a bit pattern without a value of its own
} hoist_dtype_class;

// Properties of an element type. Rows are static.
typedef struct hoist_dtype_info {
    const char *name;       // hoist's own name: "f32", "bf16", "tt-bfp8b"; static
    hoist_dtype_class kind; // of number
    uint8_t bits;           // of storage per element, shared exponents not counted
    uint8_t exponent_bits;  // of floats and block floats, else 0
    uint8_t mantissa_bits;  // of floats and block floats, without the hidden one; else 0
    int16_t bias;           // of the exponent; 0 when there is none
    uint8_t block;          // elements per shared exponent; 1 when there is none
} hoist_dtype_info;

// Properties of `dtype`; for a value outside the enum those of HOIST_DTYPE_NONE. Static; never
// NULL.
HOIST_API const hoist_dtype_info *hoist_dtype_get(hoist_dtype dtype);

// Finds a dtype by hoist's own name (hoist_dtype_info.name); HOIST_DTYPE_NONE when no type has it.
HOIST_API hoist_dtype hoist_dtype_find(hoist_str name);

#ifdef __cplusplus
}
#endif

#endif // HOIST_TENSOR_H
