// tensor/npy_code.h - NumPy's codes of element types: the `descr` of an .npy header.
#ifndef HOIST_SRC_TENSOR_NPY_CODE_H
#define HOIST_SRC_TENSOR_NPY_CODE_H

#include "hoist/tensor.h"

// NumPy's code of a type without its byte order, "f4"; NULL when there is none.
const char *hoist_npy_code(hoist_dtype dtype);

// The type that `descr` ("<f4") means, and whether its elements are big-endian; HOIST_DTYPE_NONE
// when it has no counterpart or is no type.
hoist_dtype hoist_npy_dtype(hoist_str descr, bool *out_big_endian);

// What a type without a counterpart means, "complex numbers"; NULL: `descr` is no type.
const char *hoist_npy_refused(hoist_str descr);

#endif // HOIST_SRC_TENSOR_NPY_CODE_H
