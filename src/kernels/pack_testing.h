// kernels/pack_testing.h - packs and unpacks queue entries by the kernels of a CPU level, for tests
// and benches; byte for byte what tensor/queue_bytes.h does.
#ifndef HOIST_SRC_KERNELS_PACK_TESTING_H
#define HOIST_SRC_KERNELS_PACK_TESTING_H

#include "kernels/pack.h"
#include "tensor/queue_bytes.h"

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

#endif // HOIST_SRC_KERNELS_PACK_TESTING_H
