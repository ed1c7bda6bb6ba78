// codec/npy_header.h - the header of an array in a .npy file; what its elements are, callers say.
#ifndef HOIST_SRC_CODEC_NPY_HEADER_H
#define HOIST_SRC_CODEC_NPY_HEADER_H

#include "hoist/base.h"

enum { HOIST_NPY_MAX_RANK = 32 }; // NumPy's

typedef struct hoist_npy_header {
    unsigned version;   // 1, 2 or 3
    hoist_str descr;    // borrowed: '<', '>' or '|', then the type's code, "<f4"
    uint64_t descr_at;  // in the file
    uint64_t item_size; // bytes, as the digits of descr say; 0: it has none
    bool is_fortran;    // first index fastest
    uint32_t rank;
    int64_t shape[HOIST_NPY_MAX_RANK]; // none is negative
    uint64_t data_offset;              // in the file
} hoist_npy_header;

// Reads the header at `offset` of `file`. Findings are NPY-001 to 013, at the byte where it is
// wrong. HOIST_OK, HOIST_INVALID, HOIST_TRUNCATED (the file ends inside the header) or
// HOIST_UNSUPPORTED (records, another version).
HOIST_NODISCARD hoist_status hoist_npy_header_read(hoist_bytes file, uint64_t offset,
                                                   hoist_diag *diag, hoist_npy_header *out_header);

#endif // HOIST_SRC_CODEC_NPY_HEADER_H
