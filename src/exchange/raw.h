// exchange/raw.h - dense elements in C order, little-endian, and nothing else.
#ifndef HOIST_SRC_EXCHANGE_RAW_H
#define HOIST_SRC_EXCHANGE_RAW_H

#include "hoist/exchange.h"

#include "os/output.h"

// Takes `file` as the elements of `array`, whose type (of whole bytes) and shape the caller has
// set. The data are borrowed from `file`.
// Returns HOIST_OK, or HOIST_INVALID when the file has not exactly the bytes that the shape needs.
HOIST_NODISCARD hoist_status hoist_raw_read(hoist_bytes file, hoist_diag *diag, hoist_array *array);

// Writes the elements. Failures of `out` stay in `out`.
void hoist_raw_write(const hoist_array *array, hoist_output *out);

#endif // HOIST_SRC_EXCHANGE_RAW_H
