// Which sorts of steps have a color of their own (flow_graph.h): the most frequent ones of all
// graphs that a view has, so that a sort looks the same in all of them; of equally frequent ones
// the first.
#include "base/map.h"
#include "base/span.h"
#include "picture/flow_graph.h"

// A sort of steps, and how many steps are of it.
typedef struct sort_count {
    hoist_str name;
    size_t count;
} sort_count;

// All sorts, in the order in which steps have them.
typedef struct counter {
    hoist_map names; // of sorts: their numbers
    sort_count *sorts;
    size_t count;
} counter;

// Counts a step; its sort gets the next number when it is new.
static hoist_status count_step(counter *k, const hoist_picture_node *node)
{
    const hoist_str name = flow_sort_of(node);
    // Where the name is known already, the map says its number.
    size_t at = k->count;
    const hoist_status status = hoist_map_add(&k->names, name, k->count, &at);
    if (status == HOIST_NO_MEMORY) {
        return status;
    }
    if (status == HOIST_OK) {
        at = k->count++;
        k->sorts[at].name = name;
    }
    k->sorts[at].count++;
    return HOIST_OK;
}

// The steps of all graphs of the view.
static hoist_status count_all(counter *k, const hoist_picture *picture, const flow_view *view)
{
    for (size_t i = 0; i < picture->graph_count; i++) {
        const hoist_picture_graph *const g = &picture->graphs[i];
        for (size_t n = 0; n < g->step_count && flow_view_has(view, g); n++) {
            HOIST_TRY(hoist_deadline_look(view->deadline));
            HOIST_TRY(count_step(k, &g->nodes[n]));
        }
    }
    return HOIST_OK;
}

static void choose(const counter *k, flow_palette *palette)
{
    size_t counts[FLOW_COLORS] = {0};
    for (size_t i = 0; i < k->count; i++) {
        size_t at = palette->count;
        // An insertion into a list of six: only what has fewer steps moves on, so that the first
        // stays first.
        while (at > 0 && counts[at - 1] < k->sorts[i].count) {
            at--;
        }
        // It has no more steps than the last one of a full list.
        if (at == FLOW_COLORS) {
            continue;
        }
        // Of a full list the last one falls out.
        palette->count += palette->count < FLOW_COLORS;
        for (size_t n = palette->count - 1; n > at; n--) {
            palette->sorts[n] = palette->sorts[n - 1];
            counts[n] = counts[n - 1];
        }
        palette->sorts[at] = k->sorts[i].name;
        counts[at] = k->sorts[i].count;
    }
}

hoist_status flow_palette_find(const hoist_picture *picture, hoist_arena *arena, flow_view *view)
{
    counter k = {.count = 0};
    size_t steps = 0;
    for (size_t i = 0; i < picture->graph_count; i++) {
        steps += picture->graphs[i].step_count;
    }
    view->palette = (flow_palette){.count = 0};
    k.sorts = hoist_arena_array(arena, steps, sizeof(*k.sorts));
    if (!k.sorts) {
        return HOIST_NO_MEMORY;
    }
    hoist_map_init(&k.names, arena->alloc);
    const hoist_status status = count_all(&k, picture, view);
    hoist_map_deinit(&k.names);
    if (status == HOIST_OK) {
        choose(&k, &view->palette);
    }
    return status;
}
