// Numbers of a tile rounded to a type and read back (declared.h): floats to nearest, ties to even;
// integers to nearest; block floats as the host's packer rounds them (tensor/block.h).
#include "kernels/declared.h"

#include "tensor/block.h"
#include "tensor/convert.h"
#include "tensor/float_bits.h"

// A row of a face.
static void round_block(hoist_dtype dtype, float *row)
{
    uint32_t bits[HOIST_BLOCK_SIZE];
    memcpy(bits, row, sizeof bits);
    const hoist_block block = hoist_block_encode(dtype, bits, false);
    for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
        bits[i] = hoist_block_decode(dtype, block.exponent, block.datum[i]);
    }
    memcpy(row, bits, sizeof bits);
}

void hoist_declared_round(hoist_dtype dtype, float *tile)
{
    const hoist_rounding nearest = {.mode = HOIST_ROUND_NEAREST};
    const hoist_dtype_class kind = hoist_dtype_get(dtype)->kind;
    // Sixteen numbers in a row share an exponent; others are rounded one by one.
    if (kind == HOIST_CLASS_BLOCK) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_SIZE) {
            round_block(dtype, tile + i);
        }
    } else if (dtype != HOIST_DTYPE_F32 && kind != HOIST_CLASS_RAW) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            tile[i] = hoist_to_f32(dtype, hoist_from_f32(dtype, tile[i], nearest));
        }
    }
}
