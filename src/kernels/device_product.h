// kernels/device_product.h - products of tiles in the register of results of a Tensix core:
// unpacked, summed, and packed to memory between blocks (docs/formats/buda-device.md).
#ifndef HOIST_SRC_KERNELS_DEVICE_PRODUCT_H
#define HOIST_SRC_KERNELS_DEVICE_PRODUCT_H

#include "kernels/compute.h"
#include "kernels/device_arith.h"

// A core as a row of the profile device configures it.
typedef struct hoist_device_core {
    hoist_device_unit unit;
    hoist_device_source source[2]; // of inputs
    unsigned phases;               // the end of them
    unsigned step;
} hoist_device_core;

hoist_device_core hoist_device_core_of(const hoist_compute_call *call);

// The source words of a tile.
void hoist_device_unpack_tile(hoist_device_source source, const float *in, uint32_t *out);

// A source word in the register, as a move there leaves it.
uint32_t hoist_device_moved(const hoist_device_core *core, uint32_t word);

// A tile of the register, and of memory where blocks of its sum go.
typedef struct hoist_device_product {
    hoist_device_core core;
    hoist_device_packer spill;
    hoist_device_source spill_source;
    hoist_device_sums sums;
    uint32_t held[HOIST_TILE_FLOATS];
    uint32_t memory[HOIST_TILE_FLOATS]; // as float32
} hoist_device_product;

// With the attributes of a matmul; register and memory are zeros.
hoist_device_product hoist_device_product_of(const hoist_compute_call *call);

// held += left x right
void hoist_device_add_product(hoist_device_product *product, const float *left, const float *right);

// The register before the next block: zeros, or what memory holds, moved back.
void hoist_device_begin_block(hoist_device_product *product, bool reloads);

// The register is packed to memory, and added to what is there where the packer adds, unless it is
// the first block.
void hoist_device_store(hoist_device_product *product, bool is_first);

#endif // HOIST_SRC_KERNELS_DEVICE_PRODUCT_H
