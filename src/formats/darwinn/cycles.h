// formats/darwinn/cycles.h - how many cycles the tiles of the chip take for the layers of an
// executable: one for each step of an operation's master loops, in which a tile multiplies a word
// of four input numbers with up to 64 rows of weights (reference cost.md, 1.1).
//
// Tiles carry out their operations one after the other, each its own. What counts is the busiest
// tile: the one with the most steps in the program.
#ifndef HOIST_SRC_FORMATS_DARWINN_CYCLES_H
#define HOIST_SRC_FORMATS_DARWINN_CYCLES_H

#include "formats/darwinn/recover.h"

typedef struct dwn_cycles {
    // Of one run of the executable, by layer of the recovery: what carries it out, and the
    // operations before it that are of no layer (they move what it reads). Arena.
    const uint64_t *layers;
    uint64_t rest;  // of operations after those of the last layer that was recovered
    uint64_t total; // of the busiest tile; UINT64_MAX: more than fit
    uint32_t tile;  // which that is
} dwn_cycles;

// Counts the cycles of an executable's instructions. HOIST_OK, HOIST_LIMIT: chunks that cannot be
// counted in 32 bits; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_count_cycles(const dwn_image *image, const dwn_recovery *recovery,
                                              hoist_arena *arena, dwn_cycles *out_cycles);

#endif // HOIST_SRC_FORMATS_DARWINN_CYCLES_H
