// tensor/host.h - what an application pushes into a queue and pops from it (buda-ops reference
// section 2.4): arrays of host formats <-> the float32 tensor of an entry.
#ifndef HOIST_SRC_TENSOR_HOST_H
#define HOIST_SRC_TENSOR_HOST_H

#include "tensor/queue.h"

// Element type of the host's array for a queue of `dtype`; HOIST_DTYPE_NONE where the reference
// names none (TF32, TT_LF8, TT_F8E4M3 and types that no queue has).
hoist_dtype hoist_host_dtype(hoist_dtype dtype);

// Converts one entry of host data (C order, little-endian elements of the host's type) to the
// float32 tensor [t, rows, columns] that ops read, which hoist_queue_quantize() rounds to the
// queue's type.
//
// A raw queue is filled linearly: datum k goes to tile k / (h * w) of the entry (row-major over
// slice, tile row, tile column), place k % (h * w) in it.
//
// HOIST_UNSUPPORTED: there is no host type; HOIST_INVALID: `host` has not the entry's size; else
// as hoist_queue_measure(). On failure `tensor` is unchanged.
HOIST_NODISCARD hoist_status hoist_host_load(const hoist_queue_layout *layout, hoist_bytes host,
                                             float *tensor);

// Converts a float32 tensor to host data. Nothing is rounded to the queue's type: floats are
// truncated to the host's type; integers are rounded to nearest even and saturate, except that
// UInt8 above 32767 and NaN give 0, and Int8 and Int32 give their least value for NaN and beyond
// 2^31. Statuses as hoist_host_load().
HOIST_NODISCARD hoist_status hoist_host_pop(const hoist_queue_layout *layout, const float *tensor,
                                            hoist_mut_bytes host);

#endif // HOIST_SRC_TENSOR_HOST_H
