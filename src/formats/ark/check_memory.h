// formats/ark/check_memory.h - parts of ark_check_memory: what operators do to each other's bytes,
// and to their own.
#ifndef HOIST_SRC_FORMATS_ARK_CHECK_MEMORY_H
#define HOIST_SRC_FORMATS_ARK_CHECK_MEMORY_H

#include "formats/ark/check.h"
#include "formats/ark/pieces.h"

typedef struct ark_memory_check {
    const ark_graph *graph;
    const ark_effects *effects;
    const ark_pieces *pieces;
    hoist_arena *scratch;
    hoist_diag *diag; // may be NULL
} ark_memory_check;

// Rule M37, of a model. HOIST_OK whatever was found; HOIST_NO_MEMORY, HOIST_CANCELLED; HOIST_LIMIT,
// also when more readers than can be remembered come before a writer. check_conflicts.c
HOIST_NODISCARD hoist_status ark_check_conflicts(const ark_memory_check *check);

#endif // HOIST_SRC_FORMATS_ARK_CHECK_MEMORY_H
