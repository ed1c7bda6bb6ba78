// kernels/pack_table.h - the tile kernels of one CPU level. pack_level.c is compiled once per level
// and defines one of the tables below; pack.c chooses.
#ifndef HOIST_SRC_KERNELS_PACK_TABLE_H
#define HOIST_SRC_KERNELS_PACK_TABLE_H

#include "kernels/pack.h"

// A tile in memory: `height` x `width` floats whose rows are `stride` apart, cut into faces of
// `face_height` rows (1 for raw formats, which have none: the order is then row-major).
typedef struct hoist_pack_tile {
    size_t height;
    size_t width;
    size_t face_height;
    size_t stride;
} hoist_pack_tile;

// The tile of `format` in rows that are `stride` floats apart.
hoist_pack_tile hoist_pack_tile_of(const hoist_tile_format *format, size_t stride);

// Fill or read the exponent section (unused unless a block float) and the data section.
typedef void hoist_pack_fn(const hoist_pack_tile *tile, const float *rows, uint8_t *exponents,
                           uint8_t *data);
typedef void hoist_unpack_fn(const hoist_pack_tile *tile, const uint8_t *exponents,
                             const uint8_t *data, float *rows);
// What packing and unpacking leave of a tile, to rows that are `to_stride` floats apart.
typedef void hoist_round_fn(const hoist_pack_tile *tile, const float *rows, float *to,
                            size_t to_stride);

// NULL: no fast kernel.
typedef struct hoist_pack_row {
    hoist_pack_fn *pack;     // rounding, for block floats
    hoist_pack_fn *truncate; // block floats only
    hoist_unpack_fn *unpack;
    hoist_round_fn *round; // all but block floats
} hoist_pack_row;

struct hoist_pack_kernels {
    hoist_cpu_level level;
    hoist_pack_row row[HOIST_DTYPE_COUNT];
};

extern const hoist_pack_kernels hoist_pack_kernels_baseline;
extern const hoist_pack_kernels hoist_pack_kernels_v3;
extern const hoist_pack_kernels hoist_pack_kernels_v4;

#endif // HOIST_SRC_KERNELS_PACK_TABLE_H
