// kernels/pack.h - packs and unpacks queue entries fast; byte for byte what tensor/queue.h does.
#ifndef HOIST_SRC_KERNELS_PACK_H
#define HOIST_SRC_KERNELS_PACK_H

#include "os/cpu.h"
#include "tensor/queue.h"

// The kernels of one CPU level. Immutable, static; any thread.
typedef struct hoist_pack_kernels hoist_pack_kernels;

// The best kernels built in for a CPU of `level`; never NULL. The caller vouches that the machine
// has the level.
const hoist_pack_kernels *hoist_pack_kernels_at(hoist_cpu_level level);

// "baseline", "x86-64-v3", "x86-64-v4".
const char *hoist_pack_kernels_name(const hoist_pack_kernels *kernels);

// As hoist_queue_pack() and hoist_queue_unpack(), with the same statuses and results. Types without
// a fast kernel (U8, U16, TT_I32) and flat layouts take the slow path.
HOIST_NODISCARD hoist_status hoist_pack_queue(const hoist_pack_kernels *kernels,
                                              const hoist_queue_layout *layout, const float *tensor,
                                              const hoist_mut_bytes *buffers, size_t count);
HOIST_NODISCARD hoist_status hoist_unpack_queue(const hoist_pack_kernels *kernels,
                                                const hoist_queue_layout *layout,
                                                const hoist_mut_bytes *buffers, size_t count,
                                                float *tensor);

// As hoist_queue_quantize().
HOIST_NODISCARD hoist_status hoist_quantize_queue(const hoist_pack_kernels *kernels,
                                                  const hoist_queue_layout *layout, float *tensor);

#endif // HOIST_SRC_KERNELS_PACK_H
