// runtime/reshapes.h - tables for buffers that are read where the tiles of another tensor are
// (plan/reshapes.h).
#ifndef HOIST_SRC_RUNTIME_RESHAPES_H
#define HOIST_SRC_RUNTIME_RESHAPES_H

#include "plan/calls.h"
#include "runtime/store.h"

typedef struct hoist_reshape_table {
    // Place of logical tile n of the buffer in the tensor that it is read from, for hoist_tiles;
    // NULL: n.
    const uint32_t *tiles;
    uint32_t *owned; // NULL: `tiles` are the store's
    size_t count;    // of `owned`
} hoist_reshape_table;

typedef struct hoist_reshape_tables {
    hoist_allocator alloc;
    hoist_reshape_table *of; // owned, per buffer; of those that are stored it says nothing
    size_t buffer_count;
} hoist_reshape_tables;

// Makes the tables of all reshapes of `plan`. HOIST_OK, HOIST_NO_MEMORY; deinit() in either case.
HOIST_NODISCARD hoist_status hoist_reshape_tables_init(hoist_reshape_tables *tables,
                                                       const hoist_call_plan *plan,
                                                       const hoist_store *store);
void hoist_reshape_tables_deinit(hoist_reshape_tables *tables); // zeros are allowed

#endif // HOIST_SRC_RUNTIME_RESHAPES_H
