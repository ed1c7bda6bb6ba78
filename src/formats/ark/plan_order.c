// The order of a plan (plan_order.h): its groups in, units and what is over before each group out.
// Processors are kept as pieces, each with the last group on it. Where a new group meets one that
// no barrier was about yet, ARK's barriers make it wait for all of its pieces.
#include "formats/ark/plan_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/order.h"

// Begin is checked too: tasks and processors are numbered from 0.
bool ark_range_read(const hoist_rec_ints *list, ark_task_range *out_range)
{
    if (list->count != 2 && list->count != 3) {
        return false;
    }
    *out_range = (ark_task_range){list->items[0].value, list->items[1].value,
                                  list->count == 3 ? list->items[2].value : 1};
    return out_range->begin >= 0 && out_range->begin <= out_range->end && out_range->step >= 1;
}

// Pieces of processors ----------------------------------------------------------------------------

// Each has the last group that was executed on these processors.
typedef struct piece {
    int64_t begin, end;
    uint32_t group;
} piece;

typedef struct finder {
    const ark_module *plan;
    hoist_arena *arena;
    ark_group_order *groups;
    ark_unit *units;
    uint32_t unit_count;
    hoist_map tasks; // by the text of their Id
    bool *synced;    // by group: a barrier was about it
    piece *pieces;   // ascending, apart
    size_t piece_count;
} finder;

static bool ends_by(const void *one, const void *at)
{
    return ((const piece *)one)->end <= *(const int64_t *)at;
}

// The first piece that ends after `at`.
static size_t find_piece(const finder *f, int64_t at)
{
    return hoist_order_first(f->pieces, f->piece_count, sizeof *f->pieces, ends_by, &at);
}

// Puts `group` on the processors in place of what was there; the array has space for two more. A
// piece that the span cuts keeps what is before and after it.
static void put_piece(finder *f, size_t first, size_t end, ark_span span, uint32_t group)
{
    piece new[3];
    size_t count = 0;
    if (first < end && f->pieces[first].begin < span.begin) {
        new[count++] = (piece){f->pieces[first].begin, span.begin, f->pieces[first].group};
    }
    new[count++] = (piece){span.begin, span.end, group};
    if (first < end && f->pieces[end - 1].end > span.end) {
        new[count++] = (piece){span.end, f->pieces[end - 1].end, f->pieces[end - 1].group};
    }
    memmove(&f->pieces[first + count], &f->pieces[end], (f->piece_count - end) * sizeof(piece));
    memcpy(&f->pieces[first], new, count * sizeof(piece));
    f->piece_count = f->piece_count - (end - first) + count;
}

static int by_number(const void *a, const void *b)
{
    return hoist_order_u64(*(const uint32_t *)a, *(const uint32_t *)b);
}

// All groups below the result are over when the group starts. So a question about an older group
// is answered without a search.
static uint32_t find_floor(const finder *f, const ark_group_order *row)
{
    uint32_t floor = 0;
    for (uint32_t i = 0; i < row->before_count; i++) {
        const uint32_t other = f->groups[row->before[i]].floor;
        floor = other > floor ? other : floor;
    }
    for (uint32_t i = 0; i < row->before_count; i++) { // ascending
        floor += row->before[i] == floor;
    }
    return floor;
}

// Whether a barrier joins all processors of the span, which meets the pieces; what it meets has had
// its barrier then.
static bool join(finder *f, size_t first, size_t end, ark_span span)
{
    bool joins = false;
    for (size_t i = first; i < end; i++) {
        const piece *const p = &f->pieces[i]; // all of a group that has had no barrier yet
        const bool inside = span.begin >= p->begin && span.end <= p->end;
        const bool same = span.begin == p->begin && span.end == p->end;
        joins = joins || (!f->synced[p->group] && (!inside || same));
        f->synced[p->group] = true;
    }
    return joins;
}

// Whether the pieces leave out processors of the span. Processors in a gap have executed nothing
// yet, and begin at once.
static bool has_gap(const finder *f, size_t first, size_t end, ark_span span)
{
    int64_t at = span.begin;
    for (size_t i = first; i < end && f->pieces[i].begin <= at; i++) {
        at = f->pieces[i].end;
    }
    return at < span.end;
}

// What is before a group are the groups on its processors; then it takes their place. After groups
// on processors [0,64) and [64,108), one on [0,108) waits for both.
static hoist_status order_group(finder *f, uint32_t index, ark_span span)
{
    const size_t first = find_piece(f, span.begin);
    size_t end = first;
    while (end < f->piece_count && f->pieces[end].begin < span.end) {
        end++;
    }
    ark_group_order *const row = &f->groups[index];
    uint32_t *const before = hoist_arena_array(f->arena, end - first, sizeof *before);
    HOIST_TRY_MEMORY(before);
    for (size_t i = first; i < end; i++) {
        before[i - first] = f->pieces[i].group;
    }
    if (first < end) {
        qsort(before, end - first, sizeof *before, by_number);
    }
    for (size_t i = 0; i < end - first; i++) { // each once
        if (i == 0 || before[i] != before[row->before_count - 1]) {
            before[row->before_count++] = before[i];
        }
    }
    row->before = before;
    const bool joins = join(f, first, end, span);
    row->waits = joins || (row->before_count == 1 && !has_gap(f, first, end, span));
    row->floor = find_floor(f, row);
    if (span.begin < span.end) {
        put_piece(f, first, end, span, index);
    }
    return HOIST_OK;
}

// Units -------------------------------------------------------------------------------------------

// Without a step: processors and warps of a step are taken as all between.
static bool read_span(const hoist_rec_ints *list, ark_span *out_span)
{
    ark_task_range range;
    const bool valid = ark_range_read(list, &range);
    *out_span = valid ? (ark_span){range.begin, range.end} : (ark_span){0, 0};
    return valid;
}

// The task of an Id. False: there is none, or there are two.
static bool find_task(const finder *f, int64_t id, uint32_t *out_task)
{
    size_t found = 0;
    const hoist_str key = hoist_arena_format(f->arena, "%lld", (long long)id);
    const bool known = key.data && hoist_map_find(&f->tasks, key, &found);
    *out_task = (uint32_t)found;
    return known;
}

// The task groups of a resource group are a unit each.
static bool add_resource(finder *f, uint32_t group, uint32_t index)
{
    const ark_resource_group *const row = &f->plan->groups.items[group].groups.items[index];
    ark_unit unit = {.group = group, .resource = index};
    bool valid =
        read_span(&row->processors, &unit.processors) && read_span(&row->warps, &unit.warps);
    unit.alone = unit.processors.end - unit.processors.begin <= 1;
    for (uint32_t i = 0; valid && i < row->groups.count; i++) {
        const ark_task_group *const task = &row->groups.items[i];
        unit.item = i;
        valid =
            ark_range_read(&task->range, &unit.range) && find_task(f, task->task.value, &unit.task);
        f->units[f->unit_count++] = unit;
    }
    return valid;
}

// A group is ordered only when all in it is valid.
static hoist_status add_group(finder *f, uint32_t index, bool *valid)
{
    const ark_processor_group *const row = &f->plan->groups.items[index];
    ark_span span;
    *valid = read_span(&row->processors, &span);
    f->groups[index].first = f->unit_count;
    for (uint32_t i = 0; *valid && i < row->groups.count; i++) {
        *valid = add_resource(f, index, i);
    }
    f->groups[index].count = f->unit_count - f->groups[index].first;
    return *valid ? order_group(f, index, span) : HOIST_OK;
}

// Finds the tasks by their Ids. Two tasks with one Id make the plan's order unknown.
static hoist_status index_tasks(finder *f, bool *valid)
{
    for (size_t i = 0; i < f->plan->tasks.count; i++) {
        const hoist_rec_int *const id = &f->plan->tasks.items[i].id;
        const hoist_str key = hoist_arena_format(f->arena, "%lld", (long long)id->value);
        const hoist_status status =
            key.data ? hoist_map_add(&f->tasks, key, i, NULL) : HOIST_NO_MEMORY;
        *valid = *valid && status == HOIST_OK;
        HOIST_TRY(status == HOIST_BUSY ? HOIST_OK : status);
    }
    return HOIST_OK;
}

// Sizes first. Each group cuts two pieces at most, so the array of pieces never grows.
static hoist_status find(finder *f, ark_plan_order *order)
{
    size_t units = 0;
    const size_t count = f->plan->groups.count;
    for (size_t g = 0; g < count; g++) {
        for (size_t r = 0; r < f->plan->groups.items[g].groups.count; r++) {
            units += f->plan->groups.items[g].groups.items[r].groups.count;
        }
    }
    if (units >= ARK_NONE || count >= ARK_NONE) {
        return HOIST_LIMIT;
    }
    f->groups = hoist_arena_array(f->arena, count, sizeof *f->groups);
    f->units = hoist_arena_array(f->arena, units, sizeof *f->units);
    f->pieces = hoist_arena_array(f->arena, 2 * count + 2, sizeof *f->pieces);
    f->synced = hoist_arena_array(f->arena, count, sizeof *f->synced);
    order->after = hoist_arena_array(f->arena, count, sizeof *order->after);
    HOIST_TRY_MEMORY(f->groups && f->units && f->pieces && f->synced && order->after);
    order->valid = true;
    HOIST_TRY(index_tasks(f, &order->valid));
    for (uint32_t g = 0; order->valid && g < count; g++) {
        HOIST_TRY(hoist_deadline_look(f->plan->base.deadline));
        HOIST_TRY(add_group(f, g, &order->valid));
    }
    order->units = f->units;
    order->unit_count = f->unit_count;
    order->groups = f->groups;
    order->group_count = (uint32_t)count;
    return HOIST_OK;
}

hoist_status ark_plan_order_find(const ark_module *plan, hoist_arena *arena,
                                 ark_plan_order *out_order)
{
    *out_order = (ark_plan_order){.valid = false};
    finder f = {.plan = plan, .arena = arena};
    hoist_map_init(&f.tasks, arena->alloc);
    const hoist_status status = hoist_arena_status(arena, find(&f, out_order));
    hoist_map_deinit(&f.tasks);
    return status;
}

// Questions ---------------------------------------------------------------------------------------

// Whether group `a` is over when `b` starts. Groups are only after earlier ones, so those between
// them are enough. Only what is asked for is computed.
static bool group_before(ark_plan_order *order, uint32_t a, uint32_t b)
{
    for (uint32_t g = a < order->groups[b].floor ? b : a + 1; g <= b; g++) {
        const ark_group_order *const row = &order->groups[g];
        uint32_t after = 0;
        for (uint32_t i = 0; a >= row->floor && i < row->before_count; i++) {
            const uint32_t other = row->before[i];
            after += other == a || (other > a && order->after[other]);
        }
        order->after[g] = a < row->floor || after > 0;
    }
    return order->after[b];
}

// Ranges that have a number in common; empty ones have none.
static bool meet(ark_span a, ark_span b)
{
    return a.begin < b.end && b.begin < a.end;
}

// Groups by their order; in a group, resource groups by what they share.
bool ark_units_concurrent(ark_plan_order *order, uint32_t a, uint32_t b)
{
    const ark_unit *const x = &order->units[a];
    const ark_unit *const y = &order->units[b];
    if (x->group != y->group) {
        return !group_before(order, x->group, y->group);
    }
    return x->resource != y->resource &&
           !(meet(x->processors, y->processors) && meet(x->warps, y->warps));
}
