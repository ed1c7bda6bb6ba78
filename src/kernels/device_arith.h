// kernels/device_arith.h - the matrix engine and packer of a Tensix core on single words, for
// Wormhole b0 and Blackhole (docs/formats/buda-device.md has the facts and their sources).
//
// A word of a source register has 19 bits: sign, 8 bits of exponent, 10 of mantissa; a Float16 has
// its own 5 bits of exponent in the low bits of the 8. Registers of results have the bits of a
// float32 here: of a 16-bit one the low bits are 0, and a Float16 keeps its 5 bits of exponent.
#ifndef HOIST_SRC_KERNELS_DEVICE_ARITH_H
#define HOIST_SRC_KERNELS_DEVICE_ARITH_H

#include "ops/compute_device.h"

#define HOIST_DEVICE_LANES 16 // products that are summed at once; elements of a block when packed

// The source word of the element whose value is `f32`, which is one of the type in memory. Below
// the least normal number it is a zero, and what Float16 cannot hold is its greatest.
uint32_t hoist_device_unpack(hoist_device_source source, uint32_t f32);

// The matrix engine of a core, as an op uses it.
typedef struct hoist_device_unit {
    hoist_device_arch arch;
    hoist_device_dest dest;
    bool is_short; // the sources are Float16
} hoist_device_unit;

// `held` + a * b, a phase of it: bit 0 of `phase` takes the low bits of `a`, bit 1 those of `b`.
uint32_t hoist_device_multiply(const hoist_device_unit *unit, unsigned phase, uint32_t a,
                               uint32_t b, uint32_t held);

// a + b.
uint32_t hoist_device_add(const hoist_device_unit *unit, uint32_t a, uint32_t b);

// `held` + the sum of 16 products of such a phase.
uint32_t hoist_device_dot(const hoist_device_unit *unit, unsigned phase,
                          const uint32_t a[HOIST_DEVICE_LANES],
                          const uint32_t b[HOIST_DEVICE_LANES], uint32_t held);

// A number of a register as the float32 of the same value, and back. What a register of Float16
// cannot hold becomes its greatest number or a zero.
uint32_t hoist_device_widen(hoist_device_dest dest, uint32_t held);
uint32_t hoist_device_narrow(hoist_device_dest dest, uint32_t f32);

typedef struct hoist_device_packer {
    hoist_device_arch arch;
    hoist_device_dest dest;
    hoist_dtype dtype; // one that it makes
    hoist_device_relu relu;
    uint16_t threshold; // Float16 where the packer compares such numbers, else Float16_b
} hoist_device_packer;

// Packs 16 numbers of a register, a row of a face, and reads them back: the bits of their float32.
void hoist_device_pack(const hoist_device_packer *packer, const uint32_t held[HOIST_DEVICE_LANES],
                       uint32_t out[HOIST_DEVICE_LANES]);

// A number in memory plus a packed one, both of a `dtype` that hoist_device_accumulates(), as the
// packer leaves their sum there; all of them as float32.
uint32_t hoist_device_accumulate(hoist_dtype dtype, uint32_t memory, uint32_t packed);

#endif // HOIST_SRC_KERNELS_DEVICE_ARITH_H
