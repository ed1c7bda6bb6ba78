// cost/cost_cache.h - the costs of steps that a run comes to again and again, each computed once.
// What a step costs follows from the step and from which of the slots that it reads count
// (hoist_slot_filter); of slots only the bytes matter. A step that finds the entry of another one
// in its place takes it: of entries there are as many as the program has steps, from 2^10 to 2^15.
#ifndef HOIST_SRC_COST_COST_CACHE_H
#define HOIST_SRC_COST_COST_CACHE_H

#include "base/arena.h"
#include "cost/model.h"

enum { HOIST_COST_CACHE_READS = 8 };

// A slot that a step reads.
typedef struct hoist_slot_read {
    hoist_ref view;
    uint64_t bytes;
} hoist_slot_read;

typedef struct hoist_cost_entry {
    const hoist_prog_step *step; // NULL: none
    bool has_cost;
    hoist_cost cost;
    uint64_t cost_slots;  // bytes of slots that it is for
    hoist_amount written; // the amount without slots that are read
    hoist_slot_read reads[HOIST_COST_CACHE_READS];
    size_t read_count; // more than there are: each time the step is looked at anew
} hoist_cost_entry;

typedef struct hoist_cost_cache {
    const hoist_cost_model *model;
    const hoist_program *program;
    hoist_cost_entry *entries; // arena; 1 << bits
    int bits;
} hoist_cost_cache;

// Both are borrowed, and stay as they are. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_cost_cache_init(hoist_cost_cache *cache,
                                                   const hoist_cost_model *model,
                                                   const hoist_program *program,
                                                   hoist_arena *arena);
// The cost of a step of the program. `filter` is asked about each slot that the step reads, once
// and in order; of steps whose cost has no amount it is not asked. Valid until the next call.
const hoist_cost *hoist_cost_cache_find(hoist_cost_cache *cache, const hoist_prog_step *step,
                                        const hoist_slot_filter *filter);

#endif // HOIST_SRC_COST_COST_CACHE_H
