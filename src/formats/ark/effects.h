// formats/ark/effects.h - what the operators of a file do to the memory of its rank: which of their
// tensors they read, write or fill. Flow, checks and lowering go by the same table.
//
// In: a graph. Out: for each step the tensors of local memory that it touches. Tensors on other
// ranks, operators without computation and steps that are not valid have no effects.
#ifndef HOIST_SRC_FORMATS_ARK_EFFECTS_H
#define HOIST_SRC_FORMATS_ARK_EFFECTS_H

#include "formats/ark/graph.h"

typedef enum ark_effect_kind {
    ARK_EFFECT_NONE = 0,
    ARK_EFFECT_READ,  // all logical elements of the tensor
    ARK_EFFECT_WRITE, // what was there before does not matter; receiving operators, too
    // Scratch of a receiving operator: other ranks write it before the operator reads it.
    ARK_EFFECT_FILL,
    // DeviceSync: no byte is touched, but its result continues its input, which is needed for it.
    ARK_EFFECT_PASS,
} ark_effect_kind;

typedef struct ark_effect {
    uint32_t value;
    uint32_t operand; // index among the tensors that are read, or written
    ark_effect_kind kind;
} ark_effect;

typedef struct ark_effects {
    const ark_effect *items; // of all steps, in their order: tensors read, then tensors written
    const uint32_t *first;   // of step i: items[first[i]] up to items[first[i + 1]]
    // By step: result 0, when the step leaves one in local memory; ARK_NONE.
    const uint32_t *results;
} ark_effects;

// Whether operators of a type read or change bytes of memory, here or on another rank.
bool ark_touches_memory(ark_op_type type);

// HOIST_OK, HOIST_NO_MEMORY; HOIST_LIMIT or HOIST_CANCELLED when the module's deadline is over.
// Everything is in `arena`.
HOIST_NODISCARD hoist_status ark_effects_find(const ark_graph *graph, hoist_arena *arena,
                                              ark_effects *out_effects);

#endif // HOIST_SRC_FORMATS_ARK_EFFECTS_H
