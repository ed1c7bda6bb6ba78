// tensor/queue.h - one entry of a queue: a float32 tensor [t, rows, columns] in C order as the
// bytes of the buffers of its grid hold it (buda-netlist reference section 4). Those bytes
// themselves are in queue_bytes.h.
//
// This is the slow, obvious version; kernels/pack.h has a fast one with the same results.
#ifndef HOIST_SRC_TENSOR_QUEUE_H
#define HOIST_SRC_TENSOR_QUEUE_H

#include "tensor/tile.h"
#include "tensor/tiling.h"

typedef struct hoist_queue_layout {
    hoist_tiling tiling;
    hoist_dtype dtype;
    uint32_t alignment; // of tile images: 32, on Blackhole 64
    bool flat;          // rows of elements without tiles and headers (layout: flat, untilized)
    bool truncate;      // block floats only: as in hoist_block_encode
} hoist_queue_layout;

// Sizes of an entry, and the format of its tiles.
typedef struct hoist_queue_size {
    hoist_tiling_size tiling;
    size_t buffer_bytes; // of one entry in one buffer
} hoist_queue_size;

// Checks `layout` and computes its sizes. HOIST_INVALID and HOIST_LIMIT as
// hoist_tiling_measure(), HOIST_INVALID for an alignment other than 32 and 64;
// HOIST_UNSUPPORTED: tiles of `dtype` do not exist, or a block float in a flat layout.
HOIST_NODISCARD hoist_status hoist_queue_measure(const hoist_queue_layout *layout,
                                                 hoist_queue_size *out_size);

hoist_tile_format hoist_queue_tile(const hoist_queue_layout *layout);

// What packing and unpacking make of `tensor`, in place: the quantisation of a push.
HOIST_NODISCARD hoist_status hoist_queue_quantize(const hoist_queue_layout *layout, float *tensor);

#endif // HOIST_SRC_TENSOR_QUEUE_H
