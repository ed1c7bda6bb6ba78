// The table of element types: a row each with name, class, bits, exponent, mantissa and bias.
// Everything else about types follows from these rows.
#include "hoist/tensor.h"

#include "base/span.h"

// clang-format off
static const hoist_dtype_info dtypes[HOIST_DTYPE_COUNT] = {
    // dtype                   name           class                     bits exp man bias  block
    [HOIST_DTYPE_NONE]      = {"none",        HOIST_CLASS_NONE,            0,  0,  0,    0,  1},
    [HOIST_DTYPE_F64]       = {"f64",         HOIST_CLASS_FLOAT,          64, 11, 52, 1023,  1},
    [HOIST_DTYPE_F32]       = {"f32",         HOIST_CLASS_FLOAT,          32,  8, 23,  127,  1},
    [HOIST_DTYPE_TF32]      = {"tf32",        HOIST_CLASS_FLOAT,          32,  8, 10,  127,  1},
    [HOIST_DTYPE_F16]       = {"f16",         HOIST_CLASS_FLOAT,          16,  5, 10,   15,  1},
    [HOIST_DTYPE_BF16]      = {"bf16",        HOIST_CLASS_FLOAT,          16,  8,  7,  127,  1},
    [HOIST_DTYPE_F8E5M2]    = {"f8e5m2",      HOIST_CLASS_FLOAT,           8,  5,  2,   15,  1},
    [HOIST_DTYPE_F8E4M3]    = {"f8e4m3",      HOIST_CLASS_FLOAT,           8,  4,  3,    7,  1},
    [HOIST_DTYPE_F8E4M3FN]  = {"f8e4m3fn",    HOIST_CLASS_FLOAT,           8,  4,  3,    7,  1},
    [HOIST_DTYPE_F8E3M4]    = {"f8e3m4",      HOIST_CLASS_FLOAT,           8,  3,  4,    3,  1},
    [HOIST_DTYPE_I8]        = {"i8",          HOIST_CLASS_SIGNED,          8,  0,  0,    0,  1},
    [HOIST_DTYPE_I16]       = {"i16",         HOIST_CLASS_SIGNED,         16,  0,  0,    0,  1},
    [HOIST_DTYPE_I32]       = {"i32",         HOIST_CLASS_SIGNED,         32,  0,  0,    0,  1},
    [HOIST_DTYPE_I64]       = {"i64",         HOIST_CLASS_SIGNED,         64,  0,  0,    0,  1},
    [HOIST_DTYPE_U8]        = {"u8",          HOIST_CLASS_UNSIGNED,        8,  0,  0,    0,  1},
    [HOIST_DTYPE_U16]       = {"u16",         HOIST_CLASS_UNSIGNED,       16,  0,  0,    0,  1},
    [HOIST_DTYPE_U32]       = {"u32",         HOIST_CLASS_UNSIGNED,       32,  0,  0,    0,  1},
    [HOIST_DTYPE_U64]       = {"u64",         HOIST_CLASS_UNSIGNED,       64,  0,  0,    0,  1},
    [HOIST_DTYPE_BOOL]      = {"bool",        HOIST_CLASS_BOOL,            8,  0,  0,    0,  1},
    [HOIST_DTYPE_TT_F16]    = {"tt-f16",      HOIST_CLASS_FLOAT,          16,  5, 10,   15,  1},
    [HOIST_DTYPE_TT_LF8]    = {"tt-lf8",      HOIST_CLASS_FLOAT,           8,  5,  2,   15,  1},
    [HOIST_DTYPE_TT_F8E4M3] = {"tt-f8e4m3",   HOIST_CLASS_FLOAT,           8,  4,  3,    7,  1},
    [HOIST_DTYPE_TT_I8]     = {"tt-i8",       HOIST_CLASS_SIGN_MAGNITUDE,  8,  0,  0,    0,  1},
    [HOIST_DTYPE_TT_I32]    = {"tt-i32",      HOIST_CLASS_SIGN_MAGNITUDE, 32,  0,  0,    0,  1},
    [HOIST_DTYPE_TT_RAW8]   = {"tt-raw8",     HOIST_CLASS_RAW,             8,  0,  0,    0,  1},
    [HOIST_DTYPE_TT_RAW16]  = {"tt-raw16",    HOIST_CLASS_RAW,            16,  0,  0,    0,  1},
    [HOIST_DTYPE_TT_RAW32]  = {"tt-raw32",    HOIST_CLASS_RAW,            32,  0,  0,    0,  1},
    [HOIST_DTYPE_TT_BFP8A]  = {"tt-bfp8a",    HOIST_CLASS_BLOCK,           8,  5,  7,   15, 16},
    [HOIST_DTYPE_TT_BFP8B]  = {"tt-bfp8b",    HOIST_CLASS_BLOCK,           8,  8,  7,  127, 16},
    [HOIST_DTYPE_TT_BFP4A]  = {"tt-bfp4a",    HOIST_CLASS_BLOCK,           4,  5,  3,   15, 16},
    [HOIST_DTYPE_TT_BFP4B]  = {"tt-bfp4b",    HOIST_CLASS_BLOCK,           4,  8,  3,  127, 16},
    [HOIST_DTYPE_TT_BFP2A]  = {"tt-bfp2a",    HOIST_CLASS_BLOCK,           2,  5,  1,   15, 16},
    [HOIST_DTYPE_TT_BFP2B]  = {"tt-bfp2b",    HOIST_CLASS_BLOCK,           2,  8,  1,  127, 16},
};
// clang-format on

const hoist_dtype_info *hoist_dtype_get(hoist_dtype dtype)
{
    // The cast also maps a negative value, possible where the enum is signed, out of the table.
    return (unsigned)dtype < HOIST_DTYPE_COUNT ? &dtypes[dtype] : &dtypes[HOIST_DTYPE_NONE];
}

hoist_dtype hoist_dtype_find(hoist_str name)
{
    for (int i = HOIST_DTYPE_NONE + 1; i < HOIST_DTYPE_COUNT; i++) {
        if (hoist_str_equal_c(name, dtypes[i].name)) {
            return (hoist_dtype)i;
        }
    }
    return HOIST_DTYPE_NONE;
}
