// kernels/declared.h - rounding of the profile declared (ops/compute_declared.h).
#ifndef HOIST_SRC_KERNELS_DECLARED_H
#define HOIST_SRC_KERNELS_DECLARED_H

#include "kernels/compute.h"

// Rounds the 1,024 numbers of a tile to `dtype`, in place. F32 and raw types: nothing changes.
void hoist_declared_round(hoist_dtype dtype, float *tile);

#endif // HOIST_SRC_KERNELS_DECLARED_H
