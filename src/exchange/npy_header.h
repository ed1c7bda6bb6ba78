// exchange/npy_header.h - the header of an array in a .npy file.
#ifndef HOIST_SRC_EXCHANGE_NPY_HEADER_H
#define HOIST_SRC_EXCHANGE_NPY_HEADER_H

#include "hoist/exchange.h"

typedef struct hoist_npy_header {
    hoist_array array; // type and shape; no data
    bool is_big_endian;
    bool is_fortran;      // first index fastest
    uint64_t data_offset; // in the file
} hoist_npy_header;

// Reads the header at `offset` of `file`. Statuses as hoist_npy_read_next, without NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_npy_header_read(hoist_bytes file, uint64_t offset,
                                                   hoist_diag *diag, hoist_npy_header *out_header);

// NumPy's code of a type without its byte order, "f4"; NULL when there is none.
const char *hoist_npy_code(hoist_dtype dtype);

#endif // HOIST_SRC_EXCHANGE_NPY_HEADER_H
