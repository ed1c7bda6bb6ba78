// kernels/move_ways.h - the ways in which a move is done (move_plan.c chooses one), for move.c.
#ifndef HOIST_SRC_KERNELS_MOVE_WAYS_H
#define HOIST_SRC_KERNELS_MOVE_WAYS_H

#include "kernels/move_table.h"

// A walk over the tiles of a plan: where the tile begins in each loop.
typedef struct hoist_move_walk {
    const hoist_move_plan *plan;
    size_t views;                            // the destination and the sources
    size_t index[HOIST_MOVE_MAX_LOOPS];      // below the count of the loop
    size_t step[HOIST_MOVE_MAX_LOOPS];       // elements of a loop that a tile has; 1 in outer ones
    uint8_t *base[1 + HOIST_MOVE_MAX_VIEWS]; // first element of the tile in each view
} hoist_move_walk;

void hoist_move_walk_to(hoist_move_walk *walk, const hoist_move_plan *plan, uint64_t tile);
void hoist_move_step(hoist_move_walk *walk);

// Planes, rows and columns of the tile here.
void hoist_move_tile_size(const hoist_move_walk *walk, size_t size[3]);

// The loops over planes, rows and columns of a tile.
const hoist_move_loop *hoist_move_tile_loops(const hoist_move_plan *plan);

static inline unsigned hoist_move_log2(size_t size)
{
    return (unsigned)__builtin_ctzll(size);
}

// Bytes (FLAT), tiles (BLOCKS, TILES) or elements (LINES) [begin, end).
typedef void hoist_move_way_fn(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                               uint64_t begin, uint64_t end);

hoist_move_way_fn hoist_move_run_flat;   // move_copy.c
hoist_move_way_fn hoist_move_run_blocks; // move_copy.c
hoist_move_way_fn hoist_move_run_tiles;  // move_elements.c
hoist_move_way_fn hoist_move_run_lines;  // move_elements.c

#endif // HOIST_SRC_KERNELS_MOVE_WAYS_H
