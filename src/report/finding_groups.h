// report/finding_groups.h - findings that say the same of many places, as groups: one rule, one
// file or member, one severity, and sentences that differ in numbers and quoted names alone.
#ifndef HOIST_SRC_REPORT_FINDING_GROUPS_H
#define HOIST_SRC_REPORT_FINDING_GROUPS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"

enum { HOIST_FINDING_GROUP_LEAST = 4 }; // findings of a group; fewer are each for themselves

typedef struct hoist_finding_groups {
    size_t *head;  // of each kept finding: the first one of its group; arena
    size_t *next;  // the next one of its group; 0: none
    size_t *count; // of a head: how many the group has, 1 when it is for itself
} hoist_finding_groups;

// Finds the groups of the kept findings, in their order. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_finding_groups_find(const hoist_diag *diag, hoist_arena *arena,
                                                       hoist_finding_groups *out_groups);

// Appends a line that has the number of the others in the group of `head`, and the first of their
// places, or where they have one place what else their sentences say: "    15 more like it, at
// 12:4, 13:4 ...; --all lists them". At most `width` columns wide (0: any).
// Nothing for one that is for itself.
void hoist_finding_groups_write(const hoist_finding_groups *groups, const hoist_diag *diag,
                                size_t head, size_t width, hoist_buffer *out);

#endif // HOIST_SRC_REPORT_FINDING_GROUPS_H
