// plan/describer.h - the parts of hoist_program_plan(): what is planned of a program, and the
// members of the document that are about steps and about memory. `hoist dump --plan` is the
// command; keys are part of a document, so they are never renamed.
#ifndef HOIST_SRC_PLAN_DESCRIBER_H
#define HOIST_SRC_PLAN_DESCRIBER_H

#include "base/tree.h"
#include "plan/lanes.h"
#include "plan/pages.h"

// Everything that is planned, for senders that only read it.
typedef struct hoist_describer {
    const hoist_program *program;
    hoist_allocator alloc;
    hoist_tree_sink *sink;
    bool *is_read; // owned, per port: the caller reads it; NULL: all are read
    hoist_group_plan groups;
    hoist_call_plan calls;
    hoist_page_plan pages;
    hoist_lane_plan lanes;
    uint32_t *group_of; // per buffer: that it is local to; HOIST_NO_REF: none
    uint32_t *local_of; // per buffer: row of groups.locals; HOIST_NO_REF: none
    bool *is_queue;     // per buffer with memory of its own: a fifo is in it
} hoist_describer;

// Bytes carry their unit, counts do not.
static inline void hoist_describe_bytes(const hoist_describer *d, const char *key, uint64_t bytes)
{
    hoist_tree_uint(d->sink, key, bytes, HOIST_UNIT_BYTES);
}

static inline void hoist_describe_count(const hoist_describer *d, const char *key, uint64_t count)
{
    hoist_tree_uint(d->sink, key, count, HOIST_UNIT_NONE);
}

// The members "codes", "groups" and "order". HOIST_OK, HOIST_NO_MEMORY; failures of the sink stay
// in it. describe_steps.c
HOIST_NODISCARD hoist_status hoist_describe_steps(const hoist_describer *d);
// The members "buffers" and "queues". describe_memory.c
void hoist_describe_places(const hoist_describer *d);
// The members "memory" and "spaces". As hoist_describe_steps(). describe_memory.c
HOIST_NODISCARD hoist_status hoist_describe_memory(const hoist_describer *d);

#endif // HOIST_SRC_PLAN_DESCRIBER_H
