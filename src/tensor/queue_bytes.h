// tensor/queue_bytes.h - one entry of a queue: a float32 tensor [t, rows, columns] in C order <->
// the bytes of the buffers of its grid (buda-netlist reference section 4).
#ifndef HOIST_SRC_TENSOR_QUEUE_BYTES_H
#define HOIST_SRC_TENSOR_QUEUE_BYTES_H

#include "tensor/queue.h"

// Sizes of a layout as hoist_queue_measure() has them; checks that there are `count` buffers
// (row-major over the grid) of exactly buffer_bytes each (HOIST_INVALID).
HOIST_NODISCARD hoist_status hoist_queue_measure_buffers(const hoist_queue_layout *layout,
                                                         const hoist_mut_bytes *buffers,
                                                         size_t count, hoist_queue_size *out_size);

// Packs an entry into its buffers. Statuses as hoist_queue_measure_buffers(); nothing is written
// unless HOIST_OK.
HOIST_NODISCARD hoist_status hoist_queue_pack(const hoist_queue_layout *layout, const float *tensor,
                                              const hoist_mut_bytes *buffers, size_t count);

// Unpacks an entry; `tensor` takes all its elements. The buffers are only read.
HOIST_NODISCARD hoist_status hoist_queue_unpack(const hoist_queue_layout *layout,
                                                const hoist_mut_bytes *buffers, size_t count,
                                                float *tensor);

#endif // HOIST_SRC_TENSOR_QUEUE_BYTES_H
