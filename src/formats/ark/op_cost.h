// formats/ark/op_cost.h - what operators cost: floating-point operations and bytes moved, by the
// shapes of their tensors alone. Numbers of any machine are not in it.
#ifndef HOIST_SRC_FORMATS_ARK_OP_COST_H
#define HOIST_SRC_FORMATS_ARK_OP_COST_H

#include "formats/ark/effects.h"

// Sums that do not fit are UINT64_MAX.
typedef struct ark_cost {
    uint64_t flops; // additions, multiplications and so on; of integers, too
    // Of local memory: each tensor once for each time that an operator names it. Of weights of an
    // Embedding the rows that are looked up.
    uint64_t read_bytes, written_bytes;
    uint64_t sent_bytes; // written to other ranks, flags of packets included
} ark_cost;

// Of step `index`; all zeros of one without effects.
ark_cost ark_step_cost(const ark_graph *graph, const ark_effects *effects, uint32_t index);

// Adds `cost` to a sum.
void ark_cost_add(ark_cost *sum, const ark_cost *cost);

#endif // HOIST_SRC_FORMATS_ARK_OP_COST_H
