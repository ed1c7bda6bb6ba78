// plan/locals.h - which buffers of groups live in the block and are never stored. Called by
// hoist_group_plan_build() at its end.
#ifndef HOIST_SRC_PLAN_LOCALS_H
#define HOIST_SRC_PLAN_LOCALS_H

#include "plan/groups.h"

// Finds them for all groups of `plan`, and their places in the memory of a block. HOIST_OK,
// HOIST_LIMIT (deadline), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_group_find_locals(const hoist_program *program,
                                                     const hoist_group_options *options,
                                                     hoist_group_plan *plan);

#endif // HOIST_SRC_PLAN_LOCALS_H
