// formats/ark/plan_order.h - which parts of a plan may run at the same time (ark reference section
// 9.4).
//
// A unit is a task group. A processor group waits for those that it meets on its processors: with a
// barrier for those that no barrier was about yet. In a processor group, resource groups that share
// processors and warps are executed in their order.
//
// In: a plan, whatever was found in it. Out: units and groups in the caller's arena. Ranges that
// break a rule make `valid` false; then nothing more is known.
#ifndef HOIST_SRC_FORMATS_ARK_PLAN_ORDER_H
#define HOIST_SRC_FORMATS_ARK_PLAN_ORDER_H

#include "formats/ark/graph.h"

// [begin, end) or, with a step, every step-th of it.
typedef struct ark_span {
    int64_t begin, end;
} ark_span;

// Reads a range of a plan; false: it is none (P05a).
bool ark_range_read(const hoist_rec_ints *list, ark_task_range *out_range);

typedef struct ark_unit {
    uint32_t group;    // index of the processor group
    uint32_t resource; // of the resource group in it
    uint32_t item;     // of the task group in that
    ark_span processors, warps;
    bool alone;    // its resource group has one processor: its task groups run in their order
    uint32_t task; // index of the TaskInfo
    ark_task_range range;
} ark_unit;

typedef struct ark_group_order {
    // Groups that are over when this one starts, and what is over before them.
    const uint32_t *before;
    uint32_t before_count;
    // Each processor of the group waits for all of these. Else some begin at once, and that the
    // group is after all of `before` is more than ARK promises.
    bool waits;
    uint32_t floor; // all groups below this number are over when it starts
    uint32_t first; // unit
    uint32_t count;
} ark_group_order;

typedef struct ark_plan_order {
    bool valid;
    const ark_unit *units; // in the order of the plan
    uint32_t unit_count;
    const ark_group_order *groups;
    uint32_t group_count;
    bool *after; // by group, of the last question: whether it is after the group asked for
} ark_plan_order;

// HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, or that the module's deadline is over.
HOIST_NODISCARD hoist_status ark_plan_order_find(const ark_module *plan, hoist_arena *arena,
                                                 ark_plan_order *out_order);

// Whether unit `a`, which is before `b` in the plan, may run while `b` does; false also where that
// is not certain. Task groups of one resource group count as in order.
bool ark_units_concurrent(ark_plan_order *order, uint32_t a, uint32_t b);

#endif // HOIST_SRC_FORMATS_ARK_PLAN_ORDER_H
