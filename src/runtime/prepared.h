// runtime/prepared.h - constant operands of compute steps in the form that their kernels need, made
// once when a session opens (kernels/compute.h).
#ifndef HOIST_SRC_RUNTIME_PREPARED_H
#define HOIST_SRC_RUNTIME_PREPARED_H

#include "runtime/store.h"

typedef struct hoist_prepared_step {
    const hoist_prog_step *step; // borrowed from the program
    uint64_t offset;             // into `pages`
    uint64_t size;               // bytes; 0: it could not be prepared
} hoist_prepared_step;

typedef struct hoist_prepared {
    hoist_prepared_step *steps; // owned, in the order of their addresses
    size_t count;
    size_t capacity;
    uint64_t bytes;        // of all of them
    hoist_mut_bytes pages; // owned
    hoist_allocator alloc;
} hoist_prepared;

// Prepares the steps whose inputs after the first are complete constants: views, without a
// register, of buffers that neither steps nor callers write. The forms take what the limit of
// `store`, which has its contents, leaves, and at most four times as much as it holds; steps for
// which there is no space go without. HOIST_OK, HOIST_NO_MEMORY; deinit frees what there is in any
// case.
HOIST_NODISCARD hoist_status hoist_prepared_init(hoist_prepared *prepared, hoist_store *store,
                                                 const hoist_compute_kernels *kernels);
void hoist_prepared_deinit(hoist_prepared *prepared);

// What calls of `step` take; NULL: nothing.
const uint8_t *hoist_prepared_of(const hoist_prepared *prepared, const hoist_prog_step *step);

#endif // HOIST_SRC_RUNTIME_PREPARED_H
