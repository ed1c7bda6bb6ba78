// The graph of an ARK file: its operators in the order of execution, each with its tensors as
// indices. Of plans these are the operators of tasks in the order in which groups first use them
// (ark reference sections 9.4 and 9.5). Tensors: graph_tensors.c, geometry.c.
#include "formats/ark/graph.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/ark/graph_internal.h"
#include "formats/ark/ops_table.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// Nodes and tasks have lists of operators alike.
static size_t owner_count(const ark_module *m)
{
    return m->is_plan ? m->tasks.count : m->nodes.count;
}

static const ark_ops *ops_of(const ark_module *m, size_t owner)
{
    return m->is_plan ? &m->tasks.items[owner].ops : &m->nodes.items[owner].ops;
}

// Operators --------------------------------------------------------------------------------------

// Tensors of one role as indices. An occurrence that differs from the first is reported there.
static hoist_status read_operands(ark_builder *b, const ark_op *op, ark_role role,
                                  ark_operands *out_operands)
{
    const ark_tensors *const rows = ark_role_rows(op, role);
    uint32_t *const items = hoist_arena_array(b->arena, rows->count, sizeof(*items));
    *out_operands = (ark_operands){items, (uint32_t)rows->count};
    hoist_status status = items ? HOIST_OK : HOIST_NO_MEMORY;
    for (uint32_t i = 0; status == HOIST_OK && i < rows->count; i++) {
        hoist_frame frame;
        ark_enter_tensor(b->diag, role, i, &frame);
        status = ark_builder_tensor(b, &rows->items[i], &items[i]);
        hoist_diag_pop(b->diag, &frame);
    }
    return status;
}

// Reads, writes and results in this order, which gives tensors their indices.
static hoist_status read_step(ark_builder *b, ark_step *step)
{
    ark_place place;
    ark_enter_op(b->diag, b->module, step->owner, step->index, &place);
    ark_operands *const lists[ARK_ROLE_COUNT] = {&step->reads, &step->writes, &step->results};
    hoist_status status = hoist_deadline_look(b->module->base.deadline);
    for (ark_role role = 0; status == HOIST_OK && role < ARK_ROLE_COUNT; role++) {
        status = read_operands(b, step->op, role, lists[role]);
    }
    ark_leave(b->diag, &place);
    return status;
}

// All operators of the file in its order.
static hoist_status read_steps(ark_builder *b, ark_step **out_steps, size_t *out_count)
{
    size_t count = 0;
    for (size_t i = 0; i < owner_count(b->module); i++) {
        count += ops_of(b->module, i)->count;
    }
    *out_count = count;
    *out_steps = NULL;
    if (count >= ARK_NONE || owner_count(b->module) >= ARK_NONE) { // indices are 32 bits
        return HOIST_LIMIT;
    }
    ark_step *step = hoist_arena_array(b->arena, count, sizeof(*step));
    *out_steps = step;
    hoist_status status = step ? HOIST_OK : HOIST_NO_MEMORY;
    for (size_t i = 0; i < owner_count(b->module); i++) {
        const ark_ops *const ops = ops_of(b->module, i);
        for (size_t k = 0; status == HOIST_OK && k < ops->count; k++, step++) {
            const ark_op *const op = &ops->items[k];
            // A type that is missing is unknown, too.
            const ark_op_type type = op->type.pos.line ? op->type.value : ARK_OP_UNKNOWN;
            *step = (ark_step){.op = op, .type = type, .owner = (uint32_t)i, .index = (uint32_t)k};
            status = read_step(b, step);
        }
    }
    return status;
}

// Plans ------------------------------------------------------------------------------------------

typedef struct task_use {
    uint32_t first_step; // of its operators, in the order of the file
    uint32_t count;      // of groups that execute it
    uint32_t filled;
    ark_task_range *ranges;
} task_use;

// Tasks as they are used; the list of operators alone does not say which are executed. Groups are
// walked twice: first to count the uses of each task, then to fill the ranges in.
typedef struct plan_order {
    const ark_module *module;
    hoist_map ids;
    task_use *uses;  // by task
    uint32_t *order; // tasks by first use
    size_t order_count;
} plan_order;

// A range that is none is reported by the checks of plans, and executes nothing.
static bool read_range(const hoist_rec_ints *list, ark_task_range *out_range)
{
    if (list->count < 2 || list->count > 3) {
        return false;
    }
    *out_range = (ark_task_range){list->items[0].value, list->items[1].value,
                                  list->count == 3 ? list->items[2].value : 1};
    return out_range->begin <= out_range->end && out_range->step >= 1;
}

// The first use of a task gives it its place in the order of execution.
static void count_use(plan_order *p, size_t task, const ark_task_group *group)
{
    (void)group;
    task_use *const use = &p->uses[task];
    if (use->count++ == 0) {
        p->order[p->order_count++] = (uint32_t)task;
    }
}

// A range that breaks a rule is left out, so `filled` may be less than `count`.
static void fill_use(plan_order *p, size_t task, const ark_task_group *group)
{
    task_use *const use = &p->uses[task];
    if (read_range(&group->range, &use->ranges[use->filled])) {
        use->filled++;
    }
}

// Visits the groups that execute a task of the file, in the order of the plan.
static hoist_status each_group(plan_order *p,
                               void (*visit)(plan_order *p, size_t task, const ark_task_group *g))
{
    for (size_t i = 0; i < p->module->groups.count; i++) {
        const ark_processor_group *const outer = &p->module->groups.items[i];
        HOIST_TRY(hoist_deadline_look(p->module->base.deadline));
        for (size_t k = 0; k < outer->groups.count; k++) {
            const ark_resource_group *const inner = &outer->groups.items[k];
            for (size_t n = 0; n < inner->groups.count; n++) {
                const ark_task_group *const group = &inner->groups.items[n];
                size_t task = 0;
                if (group->task.pos.line &&
                    hoist_map_find(&p->ids, ark_id_key(&group->task.value), &task)) {
                    visit(p, task, group);
                }
            }
        }
    }
    return HOIST_OK;
}

// Of tasks with the same id the first one is meant.
static hoist_status index_tasks(plan_order *p)
{
    uint32_t step = 0;
    for (size_t i = 0; i < p->module->tasks.count; i++) {
        const ark_task *const task = &p->module->tasks.items[i];
        p->uses[i].first_step = step;
        step += (uint32_t)task->ops.count;
        if (task->id.pos.line &&
            hoist_map_add(&p->ids, ark_id_key(&task->id.value), i, NULL) == HOIST_NO_MEMORY) {
            return HOIST_NO_MEMORY;
        }
    }
    return HOIST_OK;
}

// The capacity of each list is the number of uses of its task.
static hoist_status allot_ranges(plan_order *p, hoist_arena *arena)
{
    for (size_t i = 0; i < p->order_count; i++) {
        task_use *const use = &p->uses[p->order[i]];
        use->ranges = hoist_arena_array(arena, use->count, sizeof(*use->ranges));
        HOIST_TRY_MEMORY(use->ranges);
    }
    return HOIST_OK;
}

// The steps of the tasks that are executed, in the order of first use. Operators of one task lie
// next to each other.
static hoist_status take_steps(const plan_order *p, const ark_step *all, hoist_arena *arena,
                               ark_graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < p->order_count; i++) {
        count += p->module->tasks.items[p->order[i]].ops.count;
    }
    ark_step *const steps = hoist_arena_array(arena, count, sizeof(*steps));
    HOIST_TRY_MEMORY(steps);
    size_t next = 0;
    for (size_t i = 0; i < p->order_count; i++) {
        const task_use *const use = &p->uses[p->order[i]];
        for (size_t k = 0; k < p->module->tasks.items[p->order[i]].ops.count; k++, next++) {
            steps[next] = all[use->first_step + k];
            steps[next].ranges = use->ranges;
            steps[next].range_count = use->filled;
        }
    }
    graph->steps = steps;
    graph->step_count = (uint32_t)count;
    return HOIST_OK;
}

// In: the steps of the whole file. Out: those of the tasks that some group executes. Groups that
// execute tasks 1, 0 and 1 have the steps of task 1 first, then those of task 0.
static hoist_status order_plan(const ark_module *module, const ark_step *all, hoist_arena *arena,
                               ark_graph *graph)
{
    const size_t tasks = module->tasks.count;
    plan_order p = {.module = module,
                    .uses = hoist_arena_array(arena, tasks, sizeof(task_use)),
                    .order = hoist_arena_array(arena, tasks, sizeof(uint32_t))};
    hoist_map_init(&p.ids, arena->alloc);
    hoist_status status = p.uses && p.order ? index_tasks(&p) : HOIST_NO_MEMORY;
    status = status == HOIST_OK ? each_group(&p, count_use) : status;
    status = status == HOIST_OK ? allot_ranges(&p, arena) : status;
    status = status == HOIST_OK ? each_group(&p, fill_use) : status;
    status = status == HOIST_OK ? take_steps(&p, all, arena, graph) : status;
    hoist_map_deinit(&p.ids);
    return status;
}

// The graph --------------------------------------------------------------------------------------

// Reported at the later operator, with the line of the first.
static void report_producer(ark_builder *b, const ark_graph *graph, const ark_step *step,
                            uint32_t index)
{
    const ark_value *const value = &graph->values[step->results.items[index]];
    const ark_step *const first = &graph->steps[value->producer];
    ark_place place;
    hoist_frame frame;
    ark_enter_step(b->diag, graph, step, &place);
    ark_enter_tensor(b->diag, ARK_RESULTS, index, &frame);
    ark_report(b->diag, ARK_M34, ark_operand_pos(step, ARK_RESULTS, index),
               "tensor %" PRId64 " is already the result of the operator at line %" PRIu32,
               value->id, first->op->pos.line);
    hoist_diag_pop(b->diag, &frame);
    ark_leave(b->diag, &place);
}

// Who results in what; `values` are the graph's. A plan's steps are searched in the order of
// execution.
static void find_producers(ark_builder *b, const ark_graph *graph, ark_value *values)
{
    for (uint32_t i = 0; i < graph->step_count; i++) {
        const ark_step *const step = &graph->steps[i];
        for (uint32_t k = 0; k < step->results.count; k++) {
            ark_value *const value = &values[step->results.items[k]];
            if (value->producer == ARK_NONE) {
                value->producer = i;
            } else {
                report_producer(b, graph, step, k);
            }
        }
    }
}

// Invalid tensors are reported where they occur.
static bool all_valid(const ark_graph *graph, const ark_operands *operands)
{
    for (uint32_t i = 0; i < operands->count; i++) {
        if (!graph->values[operands->items[i]].valid) {
            return false;
        }
    }
    return true;
}

// An operator with a wrong number of tensors is no valid step (M50), so no check has to count
// again.
static bool is_valid(const ark_graph *graph, const ark_step *step)
{
    const ark_op_def *const def = ark_op_def_of(step->type);
    return def && ark_arity_has(def->reads, step->reads.count) &&
           ark_arity_has(def->writes, step->writes.count) &&
           ark_arity_has(def->results, step->results.count) && all_valid(graph, &step->reads) &&
           all_valid(graph, &step->writes) && all_valid(graph, &step->results);
}

// Tensors first: whether a step is valid depends on all occurrences of its tensors.
static hoist_status build(ark_builder *b, ark_graph *graph)
{
    ark_step *steps = NULL;
    size_t count = 0;
    hoist_status status = read_steps(b, &steps, &count);
    ark_value *values = NULL;
    status = status == HOIST_OK ? ark_builder_finish(b, graph, &values) : status;
    for (size_t i = 0; status == HOIST_OK && i < count; i++) {
        steps[i].valid = is_valid(graph, &steps[i]);
    }
    graph->steps = steps;
    graph->step_count = (uint32_t)count;
    if (status == HOIST_OK && b->module->is_plan) {
        status = order_plan(b->module, steps, b->arena, graph);
    }
    if (status == HOIST_OK) {
        find_producers(b, graph, values);
    }
    return status;
}

// The graph is empty when it fails: the arena has parts of it until it goes.
hoist_status ark_graph_build(const ark_module *module, hoist_arena *arena, hoist_diag *diag,
                             ark_graph *out_graph)
{
    *out_graph = (ark_graph){.module = module};
    ark_builder b;
    ark_builder_init(&b, module, arena, diag);
    const hoist_status status = build(&b, out_graph);
    ark_builder_deinit(&b);
    if (status != HOIST_OK) {
        *out_graph = (ark_graph){.module = module};
    }
    return status;
}

const ark_arg *ark_find_arg(const ark_op *op, const char *name, ark_arg_kind kind)
{
    for (size_t i = 0; i < op->args.count; i++) {
        const ark_arg *const arg = &op->args.items[i];
        if (arg->kind == kind && hoist_str_equal_c(arg->name.text, name)) {
            return arg;
        }
    }
    return NULL;
}

// Names need not be there, and need not differ.
hoist_str ark_step_title(const ark_step *step, hoist_arena *arena)
{
    const hoist_str type = step->op->type.text;
    const hoist_str name = step->op->name.text;
    return name.size ? hoist_arena_format(arena, "%.*s (%.*s)", HOIST_STR_ARGS(name),
                                          HOIST_STR_ARGS(type))
                     : hoist_arena_str(arena, type);
}
