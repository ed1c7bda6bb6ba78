// The share of the time that each step of a picture takes. In: a picture, an estimate of its job.
// Out: attributes of the picture's steps. A row of the estimate is of the step whose name and
// number it has ("CONV_2D/0"), or whose name alone; names that several steps have are of none.
// Neighbours: time.c (the estimate), draw.c (the picture).
#include "base/map.h"
#include "base/span.h"
#include "load/time.h"

// A step of the picture.
typedef struct share {
    size_t graph, node;
    double seconds; // of the rows that are of it
} share;

typedef struct shares {
    hoist_arena arena; // names, items
    hoist_map names;   // to items
    share *items;
    size_t count;
    size_t *owners; // by number in `names`: an item
    size_t name_count;
} shares;

#define NO_OWNER SIZE_MAX // several steps have the name

// BUSY: a second step of that name, so that no step owns it.
static hoist_status add_name(shares *s, hoist_str name, size_t item)
{
    size_t existing = 0;
    if (!name.data) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = hoist_map_add(&s->names, name, s->name_count, &existing);
    if (status == HOIST_BUSY) {
        s->owners[existing] = NO_OWNER;
        return HOIST_OK;
    }
    HOIST_TRY(status);
    s->owners[s->name_count++] = item;
    return HOIST_OK;
}

static hoist_status add_steps(shares *s, const hoist_picture *picture)
{
    size_t most = 0;
    for (size_t g = 0; g < picture->graph_count; g++) {
        most += picture->graphs[g].step_count;
    }
    s->items = hoist_arena_array(&s->arena, most + 1, sizeof(*s->items));
    // Each step has two names.
    s->owners = hoist_arena_array(&s->arena, 2 * most + 1, sizeof(*s->owners));
    if (!s->items || !s->owners) {
        return HOIST_NO_MEMORY;
    }
    for (size_t g = 0; g < picture->graph_count; g++) {
        const hoist_picture_graph *const graph = &picture->graphs[g];
        for (size_t i = 0; i < graph->step_count; i++) {
            const hoist_str name = graph->nodes[i].name;
            const size_t item = s->count++;
            s->items[item] = (share){.graph = g, .node = i};
            HOIST_TRY(add_name(s, name, item));
            HOIST_TRY(add_name(
                s, hoist_arena_format(&s->arena, "%.*s/%zu", HOIST_STR_ARGS(name), i), item));
        }
    }
    return HOIST_OK;
}

// Rows of no step, such as the host's copies, have no place in the picture.
static void add_rows(shares *s, const hoist_forecast *forecast)
{
    for (size_t i = 0; i < forecast->count; i++) {
        const hoist_time_row *const row = &forecast->rows[i];
        size_t number = 0;
        if (hoist_map_find(&s->names, row->name, &number) && s->owners[number] != NO_OWNER) {
            s->items[s->owners[number]].seconds += hoist_time_row_seconds(row, forecast->lead);
        }
    }
}

static void append(const shares *s, double total, hoist_picture *picture)
{
    for (size_t i = 0; i < s->count; i++) {
        const share *const item = &s->items[i];
        const bool is_list = picture->graphs[item->graph].is_list;
        const hoist_picture_attr attr = {.key = "share_percent",
                                         .kind = HOIST_TREE_FLOAT,
                                         .unit = HOIST_UNIT_PERCENT,
                                         .show =
                                             // A list has it as a column.
                                         is_list ? HOIST_PICTURE_COLUMN : HOIST_PICTURE_VALUE,
                                         .value.number = 100 * item->seconds / total};
        // Steps that several units do at the same time add up to more than the total and have no
        // share.
        if (item->seconds > 0 && item->seconds <= total * (1 + 1e-9)) {
            hoist_picture_append_attr(picture, item->graph, item->node, &attr);
        }
    }
}

hoist_status hoist_estimate_append_shares(const hoist_estimate *e, hoist_picture *picture)
{
    const double total = e->forecast.total[e->forecast.lead];
    shares s = {.count = 0};
    hoist_arena_init(&s.arena, picture->arena.alloc);
    hoist_map_init(&s.names, picture->arena.alloc);
    const hoist_status status = add_steps(&s, picture);
    if (status == HOIST_OK && total > 0) { // without times there are no shares
        add_rows(&s, &e->forecast);
        append(&s, total, picture);
    }
    hoist_map_deinit(&s.names);
    hoist_arena_deinit(&s.arena);
    HOIST_TRY(status);
    return hoist_picture_status(picture);
}
