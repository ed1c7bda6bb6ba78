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

// Packs the part of an entry that is in buffer number `buffer` (row-major over the grid) to the
// size->buffer_bytes bytes at `out`; `size` is what hoist_queue_measure() gave for `layout`.
void hoist_queue_pack_buffer(const hoist_queue_layout *layout, const hoist_queue_size *size,
                             size_t buffer, const float *tensor, uint8_t *out);
// Unpacks it into its places of `tensor`; the other elements stay.
void hoist_queue_unpack_buffer(const hoist_queue_layout *layout, const hoist_queue_size *size,
                               size_t buffer, const uint8_t *in, float *tensor);

// Packs an entry into its buffers. Statuses as hoist_queue_measure_buffers(); nothing is written
// unless HOIST_OK.
HOIST_NODISCARD hoist_status hoist_queue_pack(const hoist_queue_layout *layout, const float *tensor,
                                              const hoist_mut_bytes *buffers, size_t count);

// Unpacks an entry; `tensor` takes all its elements. The buffers are only read.
HOIST_NODISCARD hoist_status hoist_queue_unpack(const hoist_queue_layout *layout,
                                                const hoist_mut_bytes *buffers, size_t count,
                                                float *tensor);

#endif // HOIST_SRC_TENSOR_QUEUE_BYTES_H
