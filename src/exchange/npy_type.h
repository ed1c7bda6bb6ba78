// exchange/npy_type.h - NumPy's codes of element types.
#ifndef HOIST_SRC_EXCHANGE_NPY_TYPE_H
#define HOIST_SRC_EXCHANGE_NPY_TYPE_H

#include "hoist/exchange.h"

#include "codec/npy_header.h"

// Type and byte order of the elements. HOIST_INVALID: `descr` is no type; HOIST_UNSUPPORTED: one
// without a counterpart.
HOIST_NODISCARD hoist_status hoist_npy_type(const hoist_npy_header *header, hoist_diag *diag,
                                            hoist_dtype *out_dtype, bool *out_big_endian);

// NumPy's code of a type without its byte order, "f4"; NULL when there is none.
const char *hoist_npy_code(hoist_dtype dtype);

#endif // HOIST_SRC_EXCHANGE_NPY_TYPE_H
