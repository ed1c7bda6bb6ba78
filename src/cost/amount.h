// cost/amount.h - what a data step moves and computes, by its operands alone: amounts without
// times, of steps that carry no work of a device (hoist_prog_work).
#ifndef HOIST_SRC_COST_AMOUNT_H
#define HOIST_SRC_COST_AMOUNT_H

#include "program/program.h"

typedef struct hoist_amount {
    uint64_t bytes;      // read and written: each element of each operand once
    uint64_t slots;      // of these, in slots of fifos that have an address or are the host's
    uint64_t operations; // additions, multiplications and so on (ops/compute.h)
} hoist_amount;

// Whether a slot that a view reads counts in `slots`: not where the device may have kept it since
// it was read last. Slots that are written always count.
typedef struct hoist_slot_filter {
    bool (*counts)(void *self, hoist_ref view);
    void *self;
} hoist_slot_filter;

// The amount of `step` of a verified program; what does not fit in 64 bits is UINT64_MAX. `filter`
// NULL: all slots count.
hoist_amount hoist_amount_of(const hoist_program *program, const hoist_prog_step *step,
                             const hoist_slot_filter *filter);
// Bytes of the elements of a view, each once; UINT64_MAX as above.
uint64_t hoist_amount_of_view(const hoist_program *program, hoist_ref view);

#endif // HOIST_SRC_COST_AMOUNT_H
