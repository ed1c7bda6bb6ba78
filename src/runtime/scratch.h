// runtime/scratch.h - memory that kernels work in (kernels/compute.h): a part for each worker,
// taken when a session opens, as large as the step that needs most.
#ifndef HOIST_SRC_RUNTIME_SCRATCH_H
#define HOIST_SRC_RUNTIME_SCRATCH_H

#include "plan/groups.h"
#include "runtime/store.h"

typedef struct hoist_scratch {
    hoist_mut_bytes pages; // owned; the parts, one after the other
    size_t each;           // bytes of a part, a multiple of 64; 0: there is none
} hoist_scratch;

// Takes a part for each of `workers`: memory for blocks of groups, then what kernels need.
// All go without where the limit of `store` leaves too little. HOIST_OK, HOIST_NO_MEMORY; deinit
// frees what there is in any case.
HOIST_NODISCARD hoist_status hoist_scratch_init(hoist_scratch *scratch, hoist_store *store,
                                                const hoist_compute_kernels *kernels,
                                                const hoist_group_plan *groups, size_t workers);
void hoist_scratch_deinit(hoist_scratch *scratch);

// The part of a worker, aligned to 64; {NULL, 0}: there is none.
hoist_mut_bytes hoist_scratch_of(const hoist_scratch *scratch, size_t worker);

#endif // HOIST_SRC_RUNTIME_SCRATCH_H
