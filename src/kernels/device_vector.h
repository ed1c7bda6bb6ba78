// kernels/device_vector.h - the vector unit of a Tensix core (SFPU) on single numbers: float32
// multiply-adds as Wormhole b0 and Blackhole round them.
//
// Numbers are the bits of float32.
#ifndef HOIST_SRC_KERNELS_DEVICE_VECTOR_H
#define HOIST_SRC_KERNELS_DEVICE_VECTOR_H

#include "ops/compute_device.h"

// a * b + c with one rounding, to nearest, ties to even; denormals are zeros on both sides.
uint32_t hoist_device_fma(hoist_device_arch arch, uint32_t a, uint32_t b, uint32_t c);

#endif // HOIST_SRC_KERNELS_DEVICE_VECTOR_H
