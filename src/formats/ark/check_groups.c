// Rules P05 to P08: ranges of a plan's groups, and whether they have the processors, warps and SRAM
// that their tasks take (ark reference sections 9.1 and 9.4).
#include <inttypes.h>

#include "formats/ark/check_plan.h"
#include "formats/ark/rules.h"

// First of that Id, when there are several.
const ark_task *ark_plan_find_task(const ark_plan_check *c, int64_t id)
{
    char text[ARK_ID_TEXT];
    size_t index = 0;
    return hoist_map_find(&c->tasks, ark_id_text(id, text), &index) ? &c->plan->tasks.items[index]
                                                                    : NULL;
}

// P05: reads a range; false: it is none, or the key is missing, which the reader has reported. A
// step other than 1 is read and honoured here: ARK ignores it (P05b).
static bool check_range(const ark_plan_check *c, const char *key, const hoist_rec_ints *list,
                        ark_task_range *out_range)
{
    if (!list->pos.line) {
        return false;
    }
    if (!ark_range_read(list, out_range)) {
        const ark_dims_text shown = ark_ints_shown(list);
        ark_report(c->diag, ARK_P05a, list->pos,
                   "%s is %s, expected [begin, end] or [begin, end, step] with 0 <= begin <= end "
                   "and a step of 1 or more",
                   key, shown.text);
        return false;
    }
    if (out_range->step != 1) {
        ark_report(c->diag, ARK_P05b, list->pos, "%s has the step %" PRId64 ", which ARK ignores",
                   key, out_range->step);
    }
    return true;
}

// P06: `range` is within [0, most), or within the range that holds it. Steps do not count.
static void check_within(const ark_plan_check *c, const char *key, const hoist_rec_ints *list,
                         const ark_task_range *range, const ark_task_range *outer)
{
    if (range->begin < outer->begin || range->end > outer->end) {
        ark_report(c->diag, ARK_P06, list->pos,
                   "%s is [%" PRId64 ", %" PRId64 "], expected a part of [%" PRId64 ", %" PRId64
                   "]",
                   key, range->begin, range->end, outer->begin, outer->end);
    }
}

// P07: the resource group has what one task takes. The task's own numbers count; that they hold
// for its operators is not asked here.
static void check_resources(const ark_plan_check *c, const ark_task_group *group,
                            const ark_task_range *warps, const ark_task_range *sram)
{
    const ark_task *const task = ark_plan_find_task(c, group->task.value);
    if (task && task->num_warps.value > warps->end - warps->begin) {
        ark_report(c->diag, ARK_P07, group->pos,
                   "task %" PRId64 " takes %" PRId64 " warps, and its resource group has %" PRId64,
                   group->task.value, task->num_warps.value, warps->end - warps->begin);
    } else if (task && task->sram_bytes.value > sram->end - sram->begin) {
        ark_report(c->diag, ARK_P07, group->pos,
                   "task %" PRId64 " takes %" PRId64
                   " bytes of SRAM, and its resource group has %" PRId64,
                   group->task.value, task->sram_bytes.value, sram->end - sram->begin);
    }
}

// Whether the ranges of tasks are valid. `outer` is NULL when the range around it is not known:
// then nothing is compared with it. A row is {"ProcessorRange": [0,8], "WarpRange": [0,4],
// "SramRange": [0,24672], "TaskGroups": [..]}.
static bool check_resource_group(const ark_plan_check *c, const ark_resource_group *row,
                                 const ark_task_range *outer)
{
    const ark_task_range all_warps = {0, c->plan->warps.value, 1};
    ark_task_range processors;
    ark_task_range warps;
    ark_task_range sram;
    bool valid = true;
    if (check_range(c, "ProcessorRange", &row->processors, &processors) && outer) {
        check_within(c, "ProcessorRange", &row->processors, &processors, outer);
    }
    const bool has_warps = check_range(c, "WarpRange", &row->warps, &warps);
    if (has_warps && c->plan->warps.pos.line) {
        check_within(c, "WarpRange", &row->warps, &warps, &all_warps);
    }
    const bool has_sram = check_range(c, "SramRange", &row->sram, &sram);
    for (uint32_t i = 0; i < row->groups.count; i++) {
        const ark_task_group *const group = &row->groups.items[i];
        ark_task_range tasks;
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "tasks", i);
        valid = check_range(c, "TaskRange", &group->range, &tasks) && valid;
        if (has_warps && has_sram) {
            check_resources(c, group, &warps, &sram);
        }
        if (group->granularity.pos.line && group->granularity.value < 1) {
            ark_report(c->diag, ARK_P08, group->granularity.pos,
                       "Granularity is %" PRId64 ", expected 1 or more", group->granularity.value);
        }
        hoist_diag_pop(c->diag, &frame);
    }
    return valid;
}

// A plan without NumProcessors or warps is reported by the reader: nothing is compared with 0.
bool ark_check_groups(const ark_plan_check *c)
{
    bool all_valid = true;
    const ark_task_range all = {0, c->plan->processors.value, 1};
    for (uint32_t g = 0; g < c->plan->groups.count; g++) {
        const ark_processor_group *const row = &c->plan->groups.items[g];
        ark_task_range range;
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "groups", g);
        const bool valid = check_range(c, "ProcessorRange", &row->processors, &range);
        if (valid && c->plan->processors.pos.line) {
            check_within(c, "ProcessorRange", &row->processors, &range, &all);
        }
        for (uint32_t r = 0; r < row->groups.count; r++) {
            hoist_frame inner;
            hoist_diag_push_item(c->diag, &inner, "resources", r);
            all_valid =
                check_resource_group(c, &row->groups.items[r], valid ? &range : NULL) && all_valid;
            hoist_diag_pop(c->diag, &inner);
        }
        hoist_diag_pop(c->diag, &frame);
    }
    return all_valid;
}
