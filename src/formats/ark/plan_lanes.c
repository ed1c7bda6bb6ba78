// Lanes of a rank (progress.h): the order of its plan in, lanes and what is between them out. Each
// unit is a lane, and each processor group has two that only order others: its begin and its end.
#include "formats/ark/plan_order.h"
#include "formats/ark/progress.h"

// Units of one group that are compared with each other; in larger ones no order is known. Orders
// that are not known let more run at once, so a deadlock is rather P17 than X03.
enum { MAX_COMPARED = 512 };

typedef struct weaver {
    const ark_rank *rank;
    hoist_arena *arena;
    ark_plan_order order;
    ark_lane *lanes; // units, then begin and end of each group
    uint32_t count;
    uint32_t *successors; // NULL: edges are counted only
    uint32_t *filled;     // by lane
} weaver;

// Two lanes without events for each group keep the edges few: each unit has one from the begin and
// one to the end, and not one to each unit of the groups around.
static uint32_t begin_of(const weaver *w, uint32_t group)
{
    return w->order.unit_count + 2 * group;
}

static uint32_t end_of(const weaver *w, uint32_t group)
{
    return begin_of(w, group) + 1;
}

// The first pass counts, the second one writes.
static void add_edge(weaver *w, uint32_t from, uint32_t to)
{
    if (w->successors) {
        w->successors[w->lanes[from].next + w->filled[from]++] = to;
    } else {
        w->lanes[from].next_count++;
        w->lanes[to].waits++;
    }
}

// Edges of a group: from the groups before it, from its begin to its units, to its end.
static void add_group(weaver *w, uint32_t group)
{
    const ark_group_order *const row = &w->order.groups[group];
    const uint32_t end = row->first + row->count;
    for (uint32_t i = 0; row->waits && i < row->before_count; i++) {
        add_edge(w, end_of(w, row->before[i]), begin_of(w, group));
    }
    add_edge(w, begin_of(w, group), end_of(w, group));
    for (uint32_t i = row->first; i < end; i++) {
        add_edge(w, begin_of(w, group), i);
        add_edge(w, i, end_of(w, group));
        for (uint32_t j = i + 1; row->count <= MAX_COMPARED && j < end; j++) {
            const ark_unit *const a = &w->order.units[i];
            const ark_unit *const b = &w->order.units[j];
            const bool ordered =
                a->resource == b->resource ? a->alone : !ark_units_concurrent(&w->order, i, j);
            if (ordered) {
                add_edge(w, i, j);
            }
        }
    }
}

// Fills in edges: counts them, makes places, and writes them. The list has the successors of each
// lane one after the other.
static hoist_status add_edges(weaver *w)
{
    for (uint32_t g = 0; g < w->order.group_count; g++) {
        add_group(w, g);
    }
    uint64_t edges = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        w->lanes[i].next = (uint32_t)edges;
        edges += w->lanes[i].next_count;
    }
    w->filled = hoist_arena_array(w->arena, w->count, sizeof *w->filled);
    uint32_t *const successors = hoist_arena_array(w->arena, edges, sizeof *successors);
    if (!w->filled || !successors || edges >= ARK_NONE) {
        // Too many, or no memory for so many.
        return w->filled && successors ? HOIST_LIMIT : HOIST_NO_MEMORY;
    }
    w->successors = successors;
    for (uint32_t g = 0; g < w->order.group_count; g++) {
        add_group(w, g);
    }
    return HOIST_OK;
}

// Gives each unit the events of its task, if it is the first to execute it, as steps are ordered.
// Events of later units that execute the same task are those of the first.
static hoist_status add_events(weaver *w, uint32_t *of_event)
{
    const ark_graph *const graph = w->rank->graph;
    bool *const used = hoist_arena_array(w->arena, graph->module->tasks.count, sizeof *used);
    HOIST_TRY_MEMORY(used);
    uint32_t step = 0;
    uint32_t event = 0;
    for (uint32_t u = 0; u < w->order.unit_count; u++) {
        const uint32_t task = w->order.units[u].task;
        w->lanes[u].first_step = step;
        while (!used[task] && step < graph->step_count && graph->steps[step].owner == task) {
            step++;
        }
        used[task] = true;
        w->lanes[u].end_step = step;
        w->lanes[u].first = event;
        while (event < w->rank->event_count && w->rank->events[event].step < step) {
            of_event[event++] = u;
        }
        w->lanes[u].end = event;
    }
    // Whatever no unit has is executed at the end.
    w->lanes[w->count - 1].first = event;
    w->lanes[w->count - 1].end = w->rank->event_count;
    w->lanes[w->count - 1].first_step = step;
    w->lanes[w->count - 1].end_step = graph->step_count;
    for (; event < w->rank->event_count; event++) {
        of_event[event] = w->count - 1;
    }
    return HOIST_OK;
}

// A model, or a plan whose order is not known, is one lane with everything in it.
static hoist_status weave(weaver *w, ark_lanes *out_lanes)
{
    const bool ordered = w->order.valid && w->order.group_count;
    const uint64_t count = ordered ? w->order.unit_count + 2 * (uint64_t)w->order.group_count : 1;
    if (count >= ARK_NONE) {
        return HOIST_LIMIT;
    }
    w->count = (uint32_t)count;
    w->lanes = hoist_arena_array(w->arena, w->count, sizeof *w->lanes);
    uint32_t *const of_event = hoist_arena_array(w->arena, w->rank->event_count, sizeof *of_event);
    HOIST_TRY_MEMORY(w->lanes && of_event);
    w->lanes[0].end = w->rank->event_count;
    w->lanes[0].end_step = w->rank->graph->step_count;
    if (ordered) {
        w->lanes[0] = (ark_lane){.end = 0};
        HOIST_TRY(add_edges(w));
        HOIST_TRY(add_events(w, of_event));
    }
    *out_lanes = (ark_lanes){w->lanes, w->count, w->successors, of_event};
    return HOIST_OK;
}

// In: a rank, whatever was found in its plan.
hoist_status ark_lanes_find(const ark_rank *rank, hoist_arena *arena, ark_lanes *out_lanes)
{
    weaver w = {.rank = rank, .arena = arena};
    if (rank->graph->module->is_plan) {
        HOIST_TRY(ark_plan_order_find(rank->graph->module, arena, &w.order));
    }
    return weave(&w, out_lanes);
}
