// Rules of plans (check.h: ark_check_plan), and those of the list of tasks and the root: P04, P09,
// P10 and P16. Groups are in check_groups.c, configurations in check_config.c, what runs at the
// same time in check_races.c; P15 and P17 need other files (check_job.h).
#include "formats/ark/check_plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/ark/overlap.h"
#include "formats/ark/rules.h"

// Tasks of one operator, and in all, that are marked one by one where ranges have steps.
enum { MAX_MARKED = 1 << 20, MAX_MARKED_IN_ALL = 1 << 24 };

// Ids ---------------------------------------------------------------------------------------------

// P04, of the tasks, which are put into the map. The first task of an Id has it, as everywhere.
static hoist_status check_ids(ark_plan_check *c)
{
    for (uint32_t i = 0; i < c->plan->tasks.count; i++) {
        const hoist_rec_int *const id = &c->plan->tasks.items[i].id;
        char text[ARK_ID_TEXT];
        const hoist_str key = hoist_arena_str(c->arena, ark_id_text(id->value, text));
        size_t first = 0;
        const hoist_status status =
            key.data ? hoist_map_add(&c->tasks, key, i, &first) : HOIST_NO_MEMORY;
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "tasks", i);
        // The map has the Id.
        if (status == HOIST_BUSY) {
            ark_report(c->diag, ARK_P04a, id->pos,
                       "tasks %zu and %" PRIu32 " both have the Id %" PRId64, first, i, id->value);
        } else if (id->pos.line && id->value != i) {
            ark_report(c->diag, ARK_P04b, id->pos, "task %" PRIu32 " has the Id %" PRId64, i,
                       id->value);
        }
        hoist_diag_pop(c->diag, &frame);
        HOIST_TRY(status == HOIST_BUSY ? HOIST_OK : status);
    }
    return HOIST_OK;
}

// P04a, of the groups that name tasks.
static void check_uses(const ark_plan_check *c)
{
    for (uint32_t g = 0; g < c->plan->groups.count; g++) {
        const ark_processor_group *const group = &c->plan->groups.items[g];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "groups", g);
        for (uint32_t r = 0; r < group->groups.count; r++) {
            for (uint32_t i = 0; i < group->groups.items[r].groups.count; i++) {
                const hoist_rec_int *const task = &group->groups.items[r].groups.items[i].task;
                if (task->pos.line && !ark_plan_find_task(c, task->value)) {
                    ark_report(c->diag, ARK_P04a, task->pos,
                               "TaskId is %" PRId64 ", and no task has that Id", task->value);
                }
            }
        }
        hoist_diag_pop(c->diag, &frame);
    }
}

// Tasks that are executed ------------------------------------------------------------------------

// How often the tasks of an operator are executed. One example of either is enough, so counting
// ends early.
typedef struct coverage {
    bool twice;    // some are
    bool never;    // some are not
    int64_t first; // such a task
} coverage;

// By their begin: then what is covered so far is one number.
static int by_begin(const void *a, const void *b)
{
    const ark_task_range *const x = a;
    const ark_task_range *const y = b;
    return hoist_order_i64(x->begin, y->begin);
}

// Of ranges without steps, which are sorted. A task that is executed twice is preferred to one
// that is never.
static coverage cover_ranges(ark_task_range *ranges, uint32_t count, int64_t tasks)
{
    coverage c = {.twice = false};
    int64_t end = 0; // of those covered so far
    qsort(ranges, count, sizeof *ranges, by_begin);
    for (uint32_t i = 0; i < count && !c.twice; i++) {
        // Tasks beyond the last one do nothing.
        if (ranges[i].begin >= tasks || ranges[i].begin == ranges[i].end) {
            continue;
        }
        c.twice = ranges[i].begin < end;
        if (!c.never && (c.twice || ranges[i].begin > end)) {
            c.first = c.twice ? ranges[i].begin : end;
        }
        c.never = c.never || ranges[i].begin > end;
        // Ranges may lie within each other.
        end = ranges[i].end > end ? ranges[i].end : end;
    }
    if (!c.twice && !c.never && end < tasks) {
        c.never = true;
        c.first = end;
    }
    return c;
}

// Of ranges with steps, task by task. Each is marked when it is met, so the time is that of the
// tasks.
static coverage cover_tasks(bool *marks, const ark_task_range *ranges, uint32_t count,
                            int64_t tasks)
{
    coverage c = {.twice = false};
    for (uint32_t i = 0; i < count && !c.twice; i++) {
        const int64_t end = ranges[i].end < tasks ? ranges[i].end : tasks;
        for (int64_t t = ranges[i].begin; t < end && !c.twice;) {
            c.twice = marks[t];
            c.first = t;
            marks[t] = true;
            // No overflow: the step may be any number.
            t = ranges[i].step < end - t ? t + ranges[i].step : end;
        }
    }
    for (int64_t t = 0; t < tasks && !c.twice && !c.never; t++) {
        c.never = !marks[t];
        c.first = t;
    }
    return c;
}

// Whether an operator of the task reads what it writes. DeviceSync names a tensor that it does not
// touch.
static bool is_in_place(const ark_plan_check *c, const ark_step *step)
{
    bool found = false;
    for (uint32_t w = 0; step->valid && w < step->writes.count && !found; w++) {
        for (uint32_t r = 0; r < step->reads.count && !found; r++) {
            found = step->type != ARK_DEVICE_SYNC &&
                    ark_values_overlap(&c->graph->values[step->reads.items[r]],
                                       &c->graph->values[step->writes.items[w]]) == ARK_OVERLAP;
        }
    }
    return found;
}

// Without findings where a range is negative or tasks are too many to be marked.
static hoist_status find_coverage(const ark_plan_check *c, const ark_step *step, int64_t tasks,
                                  size_t *marked, coverage *out)
{
    ark_task_range *const ranges = hoist_arena_array(c->arena, step->range_count, sizeof *ranges);
    bool steps = false;
    bool valid = true;
    *out = (coverage){.twice = false};
    for (uint32_t i = 0; ranges && i < step->range_count; i++) {
        ranges[i] = step->ranges[i];
        steps = steps || ranges[i].step != 1;
        valid = valid && ranges[i].begin >= 0;
    }
    if (!ranges || !valid) {
        return ranges ? HOIST_OK : HOIST_NO_MEMORY;
    }
    if (!steps) {
        *out = cover_ranges(ranges, step->range_count, tasks);
    } else if (tasks <= MAX_MARKED && (size_t)tasks <= MAX_MARKED_IN_ALL - *marked) {
        bool *const marks = hoist_arena_array(c->arena, (size_t)tasks, sizeof *marks);
        HOIST_TRY_MEMORY(marks);
        *marked += (size_t)tasks;
        *out = cover_tasks(marks, ranges, step->range_count, tasks);
    }
    return HOIST_OK;
}

// P09 of an operator that some group executes, by its first operator, and P10 of the others.
// Operators of one task have its ranges in common, so one of them stands for all.
static hoist_status check_coverage(const ark_plan_check *c, uint32_t index, size_t *marked)
{
    const ark_step *const step = &c->graph->steps[index];
    const hoist_rec_int *const tasks = &step->op->config.num_tasks;
    if (step->index || !tasks->pos.line || tasks->value < 0) {
        return HOIST_OK;
    }
    coverage found;
    HOIST_TRY(find_coverage(c, step, tasks->value, marked, &found));
    bool in_place = false;
    // Those of the task are next to each other.
    for (uint32_t i = index;
         found.twice && i < c->graph->step_count && c->graph->steps[i].owner == step->owner; i++) {
        in_place = in_place || is_in_place(c, &c->graph->steps[i]);
    }
    ark_place place;
    ark_enter_step(c->diag, c->graph, step, &place);
    if (found.twice) {
        ark_report(c->diag, in_place ? ARK_P09a : ARK_P09b, tasks->pos,
                   "task %" PRId64 " of %" PRId64 " is executed more than once%s", found.first,
                   tasks->value, in_place ? ", and changes what it reads" : "");
    } else if (found.never) {
        ark_report(c->diag, ARK_P09b, tasks->pos, "task %" PRId64 " of %" PRId64 " is not executed",
                   found.first, tasks->value);
    }
    ark_leave(c->diag, &place);
    return HOIST_OK;
}

// P09b of tasks that no group executes, where ranges are valid; P10 of all. A task that does
// nothing, with NumTasks 0, need not be executed.
static hoist_status check_tasks(const ark_plan_check *c, bool valid)
{
    bool *const used = hoist_arena_array(c->arena, c->plan->tasks.count, sizeof *used);
    HOIST_TRY_MEMORY(used);
    for (uint32_t i = 0; i < c->graph->step_count; i++) {
        used[c->graph->steps[i].owner] = true;
    }
    for (uint32_t t = 0; t < c->plan->tasks.count; t++) {
        const ark_task *const task = &c->plan->tasks.items[t];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "tasks", t);
        const bool found = valid && ark_plan_find_task(c, task->id.value) == task; // else P04
        if (found && !used[t] && task->ops.count && task->ops.items[0].config.num_tasks.value > 0) {
            ark_report(c->diag, ARK_P09b, task->pos, "no group executes task %" PRId64,
                       task->id.value);
        }
        for (size_t i = 1; i < task->ops.count; i++) {
            const hoist_rec_int *const first = &task->ops.items[0].config.num_tasks;
            const hoist_rec_int *const here = &task->ops.items[i].config.num_tasks;
            if (first->pos.line && here->pos.line && first->value != here->value) {
                ark_report(c->diag, ARK_P10, here->pos,
                           "NumTasks is %" PRId64 ", expected %" PRId64
                           " as of the first operator of the task",
                           here->value, first->value);
            }
        }
        hoist_diag_pop(c->diag, &frame);
    }
    return HOIST_OK;
}

// All ---------------------------------------------------------------------------------------------

// P16. A missing key is P01b.
static void check_architecture(const ark_plan_check *c)
{
    static const char *const known[] = {"ANY",     "CUDA", "CUDA_70",  "CUDA_80",
                                        "CUDA_90", "ROCM", "ROCM_90A", "ROCM_942"};
    const hoist_rec_str *const found = &c->plan->architecture;
    bool is_known = !found->pos.line;
    for (size_t i = 0; i < HOIST_COUNT_OF(known); i++) {
        is_known = is_known || hoist_str_equal_c(found->text, known[i]);
    }
    if (!is_known) {
        ark_report(c->diag, ARK_P16, found->pos,
                   "Architecture is '%.*s', expected ANY, CUDA, ROCM or one of their versions",
                   HOIST_STR_ARGS(found->text));
    }
}

// Ids first: all later parts find tasks by the map.
static hoist_status check(ark_plan_check *c)
{
    size_t marked = 0;
    check_architecture(c);
    HOIST_TRY(check_ids(c));
    check_uses(c);
    const bool valid = ark_check_groups(c);
    ark_check_configs(c);
    HOIST_TRY(check_tasks(c, valid));
    for (uint32_t i = 0; valid && i < c->graph->step_count; i++) {
        HOIST_TRY(hoist_deadline_look(c->plan->base.deadline));
        HOIST_TRY(check_coverage(c, i, &marked));
    }
    return ark_check_races(c);
}

hoist_status ark_check_plan(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    if (!graph->module->is_plan) {
        return HOIST_OK;
    }
    ark_plan_check c = {.graph = graph, .plan = graph->module, .arena = scratch, .diag = diag};
    hoist_map_init(&c.tasks, scratch->alloc);
    const hoist_status status = check(&c);
    hoist_map_deinit(&c.tasks);
    return status;
}
