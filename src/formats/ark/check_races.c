// Rule P13: memory that parts of a plan share which may run at the same time, and that one of them
// writes (ark reference section 9.4). In: the order of the plan (plan_order.h) and the tensors of
// its operators. Parts of one TaskInfo have tiles of their own and are not compared. Bytes count
// only where they are certain to be shared: no finding is a guess.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/ark/check_plan.h"
#include "formats/ark/effects.h"
#include "formats/ark/overlap.h"
#include "formats/ark/rules.h"

// Operands of units, and pairs of them; in plans with more not all is compared.
enum { MAX_ACCESSES = 1 << 22, MAX_COMPARED = 1 << 26 };

// An operand of an operator of a unit.
typedef struct access {
    uint32_t memory;
    uint32_t unit;
    uint32_t step;
    uint32_t value;
    bool writes;
    bool all; // all tasks of the operator are the unit's
} access;

typedef struct race_check {
    const ark_plan_check *c;
    ark_plan_order order;
    uint32_t *first_step; // by task; ARK_NONE: it has none
    access *accesses;
    size_t count;
    size_t compared; // pairs
    bool *reported;  // by unit: a race of it with one before
} race_check;

// Accesses to one buffer are next to each other, in the order of the plan.
static int by_memory(const void *a, const void *b)
{
    const access *const x = a;
    const access *const y = b;
    int order = hoist_order_u64(x->memory, y->memory);
    order = order ? order : hoist_order_u64(x->unit, y->unit);
    order = order ? order : hoist_order_u64(x->step, y->step);
    return order ? order : hoist_order_u64(x->value, y->value);
}

// Memory of other ranks is left out: no plan of this rank orders it.
static void add_operands(race_check *r, const ark_operands *operands, const access *row)
{
    const ark_graph *const graph = r->c->graph;
    for (uint32_t i = 0; i < operands->count; i++) {
        const uint32_t value = operands->items[i];
        if (graph->memories[graph->values[value].memory].local) {
            access *const a = &r->accesses[r->count++];
            *a = *row;
            a->value = value;
            a->memory = graph->values[value].memory;
        }
    }
}

// All operators of the unit's task, with their operands; a unit without tasks has none.
static void add_unit(race_check *r, uint32_t unit)
{
    const ark_unit *const row = &r->order.units[unit];
    const ark_graph *const graph = r->c->graph;
    uint32_t i = r->first_step[row->task];
    for (; i < graph->step_count && graph->steps[i].owner == row->task; i++) {
        const ark_step *const step = &graph->steps[i];
        const int64_t tasks = step->op->config.num_tasks.value;
        access a = {.unit = unit, .step = i};
        // Else the unit touches a part that is not known.
        a.all = row->range.begin == 0 && row->range.end >= tasks && row->range.step == 1;
        if (step->valid && ark_touches_memory(step->type) && row->range.begin < row->range.end) {
            add_operands(r, &step->reads, &a);
            a.writes = true;
            add_operands(r, &step->writes, &a);
        }
    }
}

// Whether two accesses have bytes in common for certain. A part of the tasks touches a part of the
// tensor, of which nothing more is known. The same tensor is cut into the same tiles, so a part of
// one meets all of the other.
static bool share_bytes(const ark_graph *graph, const access *a, const access *b)
{
    const ark_value *const x = &graph->values[a->value];
    const ark_value *const y = &graph->values[b->value];
    if (a->all && b->all) {
        return ark_values_overlap(x, y) == ARK_OVERLAP;
    }
    return (a->all || b->all) && ark_values_coincide(x, y);
}

// At the later of the two, with the earlier in the text.
static void report(const race_check *r, const access *a, const access *b)
{
    const ark_graph *const graph = r->c->graph;
    const ark_step *const step = &graph->steps[b->step];
    const ark_unit *const x = &r->order.units[a->unit];
    const ark_unit *const y = &r->order.units[b->unit];
    ark_place place;
    ark_enter_step(r->c->diag, graph, step, &place);
    ark_report(r->c->diag, ARK_P13, step->op->pos,
               "%.*s (group %" PRIu32 ") %s buffer %" PRId64 " while %.*s (group %" PRIu32
               ") may still %s it",
               HOIST_STR_ARGS(ark_step_title(step, r->c->arena)), y->group,
               b->writes ? "writes" : "reads", graph->memories[b->memory].id,
               HOIST_STR_ARGS(ark_step_title(&graph->steps[a->step], r->c->arena)), x->group,
               a->writes ? "write" : "read");
    ark_leave(r->c->diag, &place);
}

// Compares an access with those before it whose groups may not be over. One finding for a unit.
// Sorted by unit, those before are earlier in the plan, and none whose group is below the floor
// can be at work.
static void check_access(race_check *r, size_t index)
{
    const access *const b = &r->accesses[index];
    const ark_unit *const unit = &r->order.units[b->unit];
    const uint32_t floor = r->order.groups[unit->group].floor;
    for (size_t i = index; i-- > 0 && !r->reported[b->unit] && r->compared < MAX_COMPARED;
         r->compared++) {
        const access *const a = &r->accesses[i];
        const ark_unit *const other = &r->order.units[a->unit];
        if (a->memory != b->memory || other->group < floor) {
            return;
        }
        if ((a->writes || b->writes) && a->unit != b->unit && other->task != unit->task &&
            ark_units_concurrent(&r->order, a->unit, b->unit) && share_bytes(r->c->graph, a, b)) {
            report(r, a, b);
            r->reported[b->unit] = true;
        }
    }
}

// Counts first, since the list is allocated once. Too many accesses mean no list and no finding.
static hoist_status list_accesses(race_check *r)
{
    const ark_graph *const graph = r->c->graph;
    const size_t tasks = r->c->plan->tasks.count;
    size_t *const operands = hoist_arena_array(r->c->arena, tasks, sizeof *operands);
    r->first_step = hoist_arena_array(r->c->arena, tasks, sizeof *r->first_step);
    HOIST_TRY_MEMORY(operands && r->first_step);
    for (size_t i = 0; i < tasks; i++) {
        r->first_step[i] = ARK_NONE;
    }
    // Backward, so the first step of a task is the last one that is stored.
    for (uint32_t i = graph->step_count; i-- > 0;) {
        const ark_step *const step = &graph->steps[i];
        operands[step->owner] += (size_t)step->reads.count + step->writes.count;
        r->first_step[step->owner] = i;
    }
    size_t most = 0;
    for (uint32_t u = 0; u < r->order.unit_count; u++) {
        most += operands[r->order.units[u].task];
    }
    if (most > MAX_ACCESSES) {
        return HOIST_OK;
    }
    r->accesses = hoist_arena_array(r->c->arena, most, sizeof *r->accesses);
    r->reported = hoist_arena_array(r->c->arena, r->order.unit_count, sizeof *r->reported);
    HOIST_TRY_MEMORY(r->accesses && r->reported);
    for (uint32_t u = 0; u < r->order.unit_count; u++) {
        add_unit(r, u);
    }
    return HOIST_OK;
}

// HOIST_OK also where there are too many pairs: what was compared is reported.
hoist_status ark_check_races(const ark_plan_check *c)
{
    race_check r = {.c = c};
    HOIST_TRY(ark_plan_order_find(c->plan, c->arena, &r.order));
    if (!r.order.valid) { // P04, P05
        return HOIST_OK;
    }
    HOIST_TRY(list_accesses(&r));
    if (r.count) {
        qsort(r.accesses, r.count, sizeof *r.accesses, by_memory);
    }
    for (size_t i = 0; i < r.count; i++) {
        HOIST_TRY(hoist_deadline_look(c->plan->base.deadline));
        check_access(&r, i);
    }
    return HOIST_OK;
}
