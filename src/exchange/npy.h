// exchange/npy.h - NumPy's .npy files.
//
// Read: versions 1, 2 and 3, both byte orders, C and Fortran order, several arrays one after the
// other. Written: version 1.0, C order, little-endian, byte for byte as NumPy writes (since 1.24).
//
// hoist_npy_read() and hoist_npy_save() are public: hoist/exchange.h.
//
// Types: f8 f4 f2 i1..i8 u1..u8 b1; V1 and V2 become TT_RAW8 and TT_RAW16 with a note (NPY-017),
// because what the bits mean is not in the file. Everything else is refused by name.
#ifndef HOIST_SRC_EXCHANGE_NPY_H
#define HOIST_SRC_EXCHANGE_NPY_H

#include "hoist/exchange.h"

#include "base/buffer.h"
#include "os/output.h"

// Reads the array that starts at `*offset` of `file`, and moves `*offset` after it; on failure
// `*offset` stays. The data are borrowed from `file` where they are little-endian and in C order;
// else they are a copy from `alloc`. hoist_array_deinit in both cases.
//
// Returns HOIST_OK, HOIST_INVALID, HOIST_TRUNCATED (the file ends too early), HOIST_UNSUPPORTED (an
// element type without a counterpart) or HOIST_NO_MEMORY; the first finding has the location and
// the reason.
HOIST_NODISCARD hoist_status hoist_npy_read_next(hoist_bytes file, uint64_t *offset,
                                                 hoist_allocator alloc, hoist_diag *diag,
                                                 hoist_array *out_array);

// Appends magic, version and header of `array` to `out`; its data belong right after. Running out
// of memory sets out->failed. Returns HOIST_OK or HOIST_UNSUPPORTED (the type has no NumPy code).
HOIST_NODISCARD hoist_status hoist_npy_header_write(const hoist_array *array, hoist_diag *diag,
                                                    hoist_buffer *out);

// Writes header and data. Failures of `out` stay in `out`. Returns HOIST_OK,
// HOIST_UNSUPPORTED or HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_npy_write(const hoist_array *array, hoist_allocator alloc,
                                             hoist_diag *diag, hoist_output *out);

#endif // HOIST_SRC_EXCHANGE_NPY_H
