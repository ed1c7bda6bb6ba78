// kernels/pack.h - what packing leaves of queue entries, fast; bit for bit what tensor/queue.h
// does.
#ifndef HOIST_SRC_KERNELS_PACK_H
#define HOIST_SRC_KERNELS_PACK_H

#include "os/cpu.h"
#include "tensor/queue.h"

// The kernels of one CPU level. Immutable, static; any thread.
typedef struct hoist_pack_kernels hoist_pack_kernels;

// The best kernels built in for a CPU of `level`; never NULL. The caller vouches that the machine
// has the level.
const hoist_pack_kernels *hoist_pack_kernels_at(hoist_cpu_level level);

// As hoist_queue_quantize(). Types without a fast kernel (U8, U16, TT_I32) take the slow path.
HOIST_NODISCARD hoist_status hoist_quantize_queue(const hoist_pack_kernels *kernels,
                                                  const hoist_queue_layout *layout, float *tensor);

#endif // HOIST_SRC_KERNELS_PACK_H
