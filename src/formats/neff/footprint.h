// formats/neff/footprint.h - sets of bytes of a state buffer: what blocks write there, exactly.
//
// A set has a bit for each byte of the window (neff reference 4.1.1), in pages that are there once
// a byte of theirs is. Patterns are walked run by run, so a pattern of any size costs what it can
// reach; one that stays in a part of its partitions where the set has nothing costs nothing.
#ifndef HOIST_SRC_FORMATS_NEFF_FOOTPRINT_H
#define HOIST_SRC_FORMATS_NEFF_FOOTPRINT_H

#include "formats/neff/pattern.h"

enum {
    NEFF_PARTITIONS = 128,
    NEFF_PAGE_WORDS = 256, // 16 KiB of the window
    NEFF_PAGE_BYTES = NEFF_PAGE_WORDS * 64,
    NEFF_PAGE_COUNT = (int)(NEFF_STATE_BUFFER_SIZE / NEFF_PAGE_BYTES),
};

typedef struct neff_footprint {
    hoist_allocator alloc;
    uint64_t **pages; // owned: NEFF_PAGE_COUNT, each of NEFF_PAGE_WORDS words; NULL: no byte
    uint32_t low;     // bytes in the set are in [low, high)
    uint32_t high;
    uint32_t inner_low; // their places in their partitions are in [inner_low, inner_high)
    uint32_t inner_high;
    uint64_t budget; // runs that may still be walked, longer ones counting for their length
} neff_footprint;

// The bytes that a side of a transfer writes or reads, as runs; false when they are not in the
// window completely, or there is no pattern at all.
bool neff_window_runs(const neff_engine *engine, const neff_pattern *pattern, neff_runs *out_runs);

// An empty set. HOIST_NO_MEMORY. Release with neff_footprint_deinit, also after a failure.
HOIST_NODISCARD hoist_status neff_footprint_init(neff_footprint *set, hoist_allocator alloc);
void neff_footprint_deinit(neff_footprint *set);
// Adds bytes; they are in the window. HOIST_OK, HOIST_NO_MEMORY, or HOIST_LIMIT when the budget is
// used up.
HOIST_NODISCARD hoist_status neff_footprint_range(neff_footprint *set, uint32_t start,
                                                  uint32_t size);
// Adds all bytes of the runs. As neff_footprint_range.
HOIST_NODISCARD hoist_status neff_footprint_add(neff_footprint *set, const neff_runs *runs);
// Whether a byte of the runs is in the set: `*out_byte` is one of them, else NEFF_NONE.
// HOIST_OK, or HOIST_LIMIT when the budget is used up.
HOIST_NODISCARD hoist_status neff_footprint_meets(neff_footprint *set, const neff_runs *runs,
                                                  uint32_t *out_byte);
// Moves all bytes of `other`, of the same allocator, into `set`; `other` is empty after it.
void neff_footprint_take(neff_footprint *set, neff_footprint *other);
// The bytes of the set in a partition.
uint32_t neff_footprint_count(const neff_footprint *set, uint32_t partition);

#endif // HOIST_SRC_FORMATS_NEFF_FOOTPRINT_H
