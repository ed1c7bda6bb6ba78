// plan/stays.h - the memory that messages need. A message goes through a slot of a fifo: a move
// copies it there, and its receiver reads the slot. Where no byte of what is copied changes before
// the receiver has popped the slot, the slot may as well be those bytes: the message stays where
// its sender has it. Other fifos need as many slots in memory as there can be entries at a time.
#ifndef HOIST_SRC_PLAN_STAYS_H
#define HOIST_SRC_PLAN_STAYS_H

#include "plan/before.h"

typedef struct hoist_stay_plan {
    hoist_allocator alloc;
    uint32_t fifo_count;
    // Owned, per fifo: all its entries stay, so its memory is never touched. The moves into its
    // slots have nothing to do: each has one source, dense bytes of a buffer at a fixed place.
    bool *stays;
    uint32_t *capacities; // owned, per fifo: slots in memory; slot i is in number i modulo this
    uint32_t buffer_count;
    // Owned, per buffer with memory of its own: up to this step of their thread entries may be in
    // it; 0: there are none, UINT32_MAX: to the end of the run.
    uint32_t *lent_until;
} hoist_stay_plan;

// Of a program that passed hoist_program_verify(). HOIST_OK, HOIST_LIMIT (deadline),
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_stay_plan_build(const hoist_program *program,
                                                   const hoist_before *before,
                                                   hoist_allocator alloc, hoist_deadline *deadline,
                                                   hoist_stay_plan *out_plan);
void hoist_stay_plan_deinit(hoist_stay_plan *plan);

#endif // HOIST_SRC_PLAN_STAYS_H
