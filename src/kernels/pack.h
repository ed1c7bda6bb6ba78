// kernels/pack.h - what packing leaves of tiles of queue entries, fast; bit for bit what
// tensor/queue.h does.
#ifndef HOIST_SRC_KERNELS_PACK_H
#define HOIST_SRC_KERNELS_PACK_H

#include "os/cpu.h"
#include "tensor/queue.h"

// The kernels of one CPU level. Immutable, static; any thread.
typedef struct hoist_pack_kernels hoist_pack_kernels;

// The best kernels built in for a CPU of `level`; never NULL. The caller vouches that the machine
// has the level.
const hoist_pack_kernels *hoist_pack_kernels_at(hoist_cpu_level level);

// A tile in memory: its first element, and how many floats lie between the beginnings of its rows.
typedef struct hoist_tile_rows {
    const float *first;
    size_t stride;
} hoist_tile_rows;

// As hoist_queue_quantize() does each tile of `layout`, which hoist_queue_measure() accepts, but to
// rows at `to` that are `to_stride` floats apart; they may be those of `from`. Types without a fast
// kernel (U8, U16, TT_I32) take the slow path.
void hoist_quantize_tile(const hoist_pack_kernels *kernels, const hoist_queue_layout *layout,
                         hoist_tile_rows from, float *to, size_t to_stride);

#endif // HOIST_SRC_KERNELS_PACK_H
