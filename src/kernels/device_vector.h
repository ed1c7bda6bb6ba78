// kernels/device_vector.h - the vector unit of a Tensix core (SFPU) on single numbers: float32
// multiply-adds as Wormhole b0 and Blackhole round them, and the unary functions that the vendor's
// kernels make of them (docs/formats/buda-device.md has the facts and their sources).
//
// Numbers are the bits of float32. Every lane does the same, so that predicates are branches here.
#ifndef HOIST_SRC_KERNELS_DEVICE_VECTOR_H
#define HOIST_SRC_KERNELS_DEVICE_VECTOR_H

#include "ops/compute_device.h"

// a * b + c with one rounding, to nearest, ties to even; denormals are zeros on both sides.
uint32_t hoist_device_fma(hoist_device_arch arch, uint32_t a, uint32_t b, uint32_t c);

// What a register of results keeps of a number that the unit stores there, as float32.
uint32_t hoist_device_stored(hoist_device_dest dest, uint32_t value);

// One function of hoist_device_has_function(), as its row of ops/compute_device.h describes it.
typedef struct hoist_device_function {
    hoist_device_arch arch;
    hoist_device_dest dest;
    hoist_compute_op op; // HOIST_DEVICE_ABS to HOIST_DEVICE_TANH
    bool is_approximate;
    uint32_t parameter; // of lrelu and power
} hoist_device_function;

// The number that the register holds instead of `x`.
uint32_t hoist_device_apply(const hoist_device_function *function, uint32_t x);

// The number that the register holds instead of `a`, which the same element of `b` follows.
uint32_t hoist_device_maximum(hoist_device_arch arch, hoist_device_dest dest, uint32_t a,
                              uint32_t b);

#endif // HOIST_SRC_KERNELS_DEVICE_VECTOR_H
