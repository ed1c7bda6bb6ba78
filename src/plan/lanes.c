// Memory of calls that each process of a program takes (lanes.h): the steps that call and post in,
// the largest need of each process over all entries out. runtime/session_open.c takes it.
#include "plan/lanes.h"

#include "base/alloc.h"

typedef struct planner {
    const hoist_program *program;
    const hoist_call_plan *calls;
} planner;

// Processes that the machine can have at most: the threads of one entry and the units.
static size_t most_processes(const hoist_program *program)
{
    size_t threads = 0;
    for (uint32_t i = 0; i < program->entry_count; i++) {
        const size_t count = program->entries[i].thread_count;
        threads = count > threads ? count : threads;
    }
    return threads + program->unit_count + 1;
}

// The most that a function that a step calls or posts takes, with all that it calls. A call by a
// table may go to any of its targets.
static uint64_t need_of_step(const planner *p, const hoist_prog_step *step)
{
    const hoist_prog_target *target = &step->as.call.target;
    const bool one = target->function != HOIST_NO_REF;
    uint64_t most = 0;
    for (uint32_t k = 0; k < (one ? 1 : target->table_count); k++) {
        const uint64_t bytes = p->calls->with_all[one ? target->function : target->table[k]];
        most = bytes > most ? bytes : most;
    }
    return most;
}

// The maximum: a process runs one function at a time, with its callees below.
static void raise_need(uint64_t *need, uint64_t bytes)
{
    *need = bytes > *need ? bytes : *need;
}

// What calls of `code` take raises `*calls`, what it posts the needs of `units`. Functions post to
// units, too; the posted function runs in the unit's memory.
static void add_needs(const planner *p, const hoist_prog_code *code, uint64_t *calls,
                      uint64_t *units)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        if (step->kind == HOIST_STEP_CALL) {
            raise_need(calls, need_of_step(p, step));
        } else if (step->kind == HOIST_STEP_POST) {
            raise_need(&units[step->as.call.unit], need_of_step(p, step));
        }
    }
}

// What each process takes: in every entry it is a thread of it, or a unit behind them. `threads`
// and `units` are their needs.
static void add_lanes(const planner *p, const uint64_t *threads, const uint64_t *units,
                      uint64_t *lanes)
{
    uint32_t begun = HOIST_NO_REF; // threads of the entry before
    for (uint32_t i = 0; i < p->program->entry_count; i++) {
        const hoist_prog_entry *entry = &p->program->entries[i];
        for (uint32_t k = 0; k < entry->thread_count; k++) {
            raise_need(&lanes[k], threads[entry->threads[k]]);
        }
        for (uint32_t k = 0; k < p->program->unit_count && entry->thread_count != begun; k++) {
            raise_need(&lanes[entry->thread_count + k], units[k]);
        }
        begun = entry->thread_count;
    }
}

// `unused` takes the calls of functions: calls.c has summed those up into their callers.
static void plan_lanes(const planner *p, uint64_t *needs, uint64_t *lanes, uint64_t *unused)
{
    const hoist_program *program = p->program;
    // One array for both, since all of it is freed together.
    uint64_t *const threads = needs;
    uint64_t *const units = needs + program->thread_count;
    for (uint32_t i = 0; i < program->thread_count; i++) {
        add_needs(p, &program->threads[i].code, &threads[i], units);
    }
    for (uint32_t i = 0; i < program->function_count; i++) {
        add_needs(p, &program->functions[i].code, unused, units); // their callers have it
    }
    add_lanes(p, threads, units, lanes);
}

hoist_status hoist_lane_plan_build(const hoist_program *program, const hoist_call_plan *calls,
                                   hoist_allocator alloc, hoist_lane_plan *out_plan)
{
    const planner p = {program, calls};
    const size_t needs = (size_t)program->thread_count + program->unit_count + 1;
    *out_plan = (hoist_lane_plan){.alloc = alloc, .count = most_processes(program)};
    uint64_t *need = hoist_alloc_zero(alloc, needs, sizeof *need);
    out_plan->bytes = hoist_alloc_zero(alloc, out_plan->count, sizeof *out_plan->bytes);
    const bool complete = need && out_plan->bytes;
    if (complete) {
        plan_lanes(&p, need, out_plan->bytes, &need[needs - 1]); // the last element
    }
    hoist_free(alloc, need, needs * sizeof *need);
    if (!complete) {
        hoist_lane_plan_deinit(out_plan);
    }
    return complete ? HOIST_OK : HOIST_NO_MEMORY;
}

void hoist_lane_plan_deinit(hoist_lane_plan *plan)
{
    hoist_free(plan->alloc, plan->bytes, plan->count * sizeof *plan->bytes);
    *plan = (hoist_lane_plan){.alloc = plan->alloc};
}
