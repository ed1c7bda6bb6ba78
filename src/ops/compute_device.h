// ops/compute_device.h - attributes of the rows of the profile device: a Tensix core's matrix
// engine, vector unit and packer (docs/formats/buda-device.md). Tensors are float32 tiles, which
// hold the value of each element exactly; steps are what the core does between memory and memory:
//
//   matmul, sparse_matmul, add, subtract,
//   multiply, copy                          unpack the inputs, compute, leave a register of results
//   maximum, abs to tanh                    registers of results to another one, in the vector unit
//   pack                                    a register of results to a type of memory
#ifndef HOIST_SRC_OPS_COMPUTE_DEVICE_H
#define HOIST_SRC_OPS_COMPUTE_DEVICE_H

#include "ops/compute.h"

typedef enum hoist_device_arch {
    HOIST_DEVICE_WORMHOLE_B0 = 0,
    HOIST_DEVICE_BLACKHOLE,
    HOIST_DEVICE_ARCH_COUNT,
} hoist_device_arch;

// What an operand is in a source register.
typedef enum hoist_device_source {
    HOIST_DEVICE_SOURCE_F16 = 0,
    HOIST_DEVICE_SOURCE_BF16, // block floats, too
    HOIST_DEVICE_SOURCE_TF32,
    HOIST_DEVICE_SOURCE_COUNT,
} hoist_device_source;

// What a number of the register of results is.
typedef enum hoist_device_dest {
    HOIST_DEVICE_DEST_F16 = 0,
    HOIST_DEVICE_DEST_BF16,
    HOIST_DEVICE_DEST_F32,
    HOIST_DEVICE_DEST_COUNT,
} hoist_device_dest;

// What the packer does with what it reads.
typedef enum hoist_device_relu {
    HOIST_DEVICE_RELU_NONE = 0,
    HOIST_DEVICE_RELU_ZERO, // negative numbers become 0
    HOIST_DEVICE_RELU_MIN,  // and all up to the threshold
    HOIST_DEVICE_RELU_MAX,  // and what is above the threshold becomes it
    HOIST_DEVICE_RELU_COUNT,
} hoist_device_relu;

// Where the sum of a matmul is after each block of the inner dimension; of a sparse_matmul after
// each strip.
typedef enum hoist_device_sums {
    HOIST_DEVICE_SUMS_RELOADED = 0, // packed to memory, and moved to the register for the next one
    HOIST_DEVICE_SUMS_ADDED,  // blocks are packed and added in memory; the last one reloads the sum
    HOIST_DEVICE_SUMS_KEPT,   // so is the last one: the result is the sum in memory, packed
    HOIST_DEVICE_SUMS_STORED, // reloaded; the last one is packed, too, and memory the result
    HOIST_DEVICE_SUMS_COUNT,
} hoist_device_sums;

enum {
    HOIST_DEVICE_ARCH = 0, // hoist_device_arch; of all rows
    HOIST_DEVICE_DEST,     // hoist_device_dest; of all rows
    HOIST_DEVICE_A,        // hoist_device_source; of all rows but pack
    HOIST_DEVICE_B,
    HOIST_DEVICE_PHASES,     // of the multiplier, 1 to 4; of matmul and multiply
    HOIST_DEVICE_PHASE_STEP, // 1: phases 0, 1, 2, 3; 2: phases 0, 2
    HOIST_DEVICE_ROW, // add, subtract, multiply: 1: row 0 of each tile of b is all of its rows
    HOIST_DEVICE_SPILL = HOIST_DEVICE_ROW,    // matmul, sparse_matmul: the type of sums in memory
    HOIST_DEVICE_SPILL_SOURCE,                // hoist_device_source; of what was packed
    HOIST_DEVICE_SUMS,                        // hoist_device_sums
    HOIST_DEVICE_BLOCK,                       // matmul: tiles of the inner dimension between sums
    HOIST_DEVICE_SPARSE = HOIST_DEVICE_BLOCK, // sparse_matmul: HOIST_SPARSE_GRID_ROWS and others
    HOIST_DEVICE_DTYPE = HOIST_DEVICE_A,      // pack
    HOIST_DEVICE_RELU,                        // hoist_device_relu
    HOIST_DEVICE_THRESHOLD,                   // 16 bits
    HOIST_DEVICE_VECTOR = HOIST_DEVICE_A, // abs to tanh: hoist_tile_part; others stay as they are
    HOIST_DEVICE_APPROXIMATE,             // 1: the kernel of `approximate_mode`
    HOIST_DEVICE_PARAMETER, // of lrelu the Float16_b of the slope, of power the exponent; 16 bits
};

// True when a packer of `arch` makes `dtype` of what `dest` holds.
bool hoist_device_packs(hoist_device_arch arch, hoist_device_dest dest, hoist_dtype dtype);

// True when packers add numbers of `dtype` to those in memory.
bool hoist_device_accumulates(hoist_dtype dtype);

// True when the packer adds blocks in memory; when the last block goes there, too.
static inline bool hoist_device_adds(hoist_device_sums sums)
{
    return sums == HOIST_DEVICE_SUMS_ADDED || sums == HOIST_DEVICE_SUMS_KEPT;
}

static inline bool hoist_device_keeps(hoist_device_sums sums)
{
    return sums == HOIST_DEVICE_SUMS_KEPT || sums == HOIST_DEVICE_SUMS_STORED;
}

// True when the kernel of `op`, HOIST_DEVICE_ABS to HOIST_DEVICE_TANH, is known to the bit.
bool hoist_device_has_function(hoist_device_arch arch, hoist_compute_op op, bool is_approximate);

#endif // HOIST_SRC_OPS_COMPUTE_DEVICE_H
