#include "plan/calls.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/order.h"
#include "program/uses.h"

// A buffer of the function at hand, root of its windows.
typedef struct interval {
    hoist_ref buffer;
    uint32_t first; // step
    uint32_t last;
    uint64_t size;
    bool pinned; // its place is given
} interval;

typedef struct planner {
    const hoist_program *program;
    hoist_call_plan *plan;
    hoist_ref *owner;      // per buffer: function; HOIST_NO_REF: none yet; OF_MANY
    interval *intervals;   // room for all buffers
    uint32_t *interval_of; // per buffer: index, HOIST_NO_REF: none in this function
    size_t count;
    hoist_ref function;
    uint32_t step;
    bool outside; // a thread names a buffer of a call
} planner;

#define OF_MANY (HOIST_NO_REF - 1)

// The buffer of a call, root of its windows, that a view is of; HOIST_NO_REF: none.
static hoist_ref buffer_of(const hoist_program *program, hoist_ref view)
{
    if (program->views[view].base != HOIST_VIEW_BUFFER) {
        return HOIST_NO_REF;
    }
    const hoist_ref buffer = hoist_prog_root(program, program->views[view].of, NULL);
    return program->buffers[buffer].lifetime == HOIST_LIFETIME_CALL ? buffer : HOIST_NO_REF;
}

// Notes which function names a buffer.
static void note_owner(void *self, hoist_step_use use)
{
    planner *p = self;
    const hoist_ref buffer = buffer_of(p->program, use.view);
    if (buffer == HOIST_NO_REF) {
        return;
    }
    p->outside |= p->function == HOIST_NO_REF;
    const bool first = p->owner[buffer] == HOIST_NO_REF || p->owner[buffer] == p->function;
    p->owner[buffer] = first ? p->function : OF_MANY;
}

static void find_owners(planner *p)
{
    const uint32_t functions = p->program->function_count;
    for (uint32_t i = 0; i < functions + p->program->thread_count; i++) {
        const hoist_prog_code *code = i < functions ? &p->program->functions[i].code
                                                    : &p->program->threads[i - functions].code;
        p->function = i < functions ? i : HOIST_NO_REF;
        for (uint32_t k = 0; k < code->step_count; k++) {
            hoist_step_uses(p->program, &code->steps[k], note_owner, p);
        }
    }
}

static uint64_t align_up(uint64_t at)
{
    return (at + HOIST_PLAN_ALIGNMENT - 1) / HOIST_PLAN_ALIGNMENT * HOIST_PLAN_ALIGNMENT;
}

// A buffer that several functions name has one place in the calls of all of them, apart from all
// others. False: beyond 2^63.
static bool pin_shared(planner *p)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < p->program->buffer_count; i++) {
        if (p->owner[i] == OF_MANY) {
            p->plan->offset[i] = at;
            if (hoist_ckd_add(&at, at, p->program->buffers[i].size) ||
                at > INT64_MAX - HOIST_PLAN_ALIGNMENT) {
                return false;
            }
            at = align_up(at);
        }
    }
    return true;
}

// Notes that the step at hand uses `use.view`.
static void note(void *self, hoist_step_use use)
{
    planner *p = self;
    const hoist_ref buffer = buffer_of(p->program, use.view);
    if (buffer == HOIST_NO_REF) {
        return;
    }
    if (p->interval_of[buffer] == HOIST_NO_REF) {
        const bool pinned = p->owner[buffer] == OF_MANY;
        p->interval_of[buffer] = (uint32_t)p->count;
        p->intervals[p->count++] = (interval){.buffer = buffer,
                                              .first = pinned ? 0 : p->step,
                                              .size = p->program->buffers[buffer].size,
                                              .pinned = pinned};
    }
    interval *v = &p->intervals[p->interval_of[buffer]];
    v->last = v->pinned ? UINT32_MAX : p->step;
}

// What is used inside and outside of a loop lives through all of it; what is used inside only may
// carry a value from turn to turn, so it does too.
static void stretch_over_loops(planner *p, const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind != HOIST_STEP_LOOP) {
            continue;
        }
        const uint32_t end = code->steps[i].as.loop.end;
        for (size_t k = 0; k < p->count; k++) {
            interval *v = &p->intervals[k];
            if (v->first <= end && v->last >= i) {
                v->first = v->first < i ? v->first : i;
                v->last = v->last > end ? v->last : end;
            }
        }
    }
}

// Backward branches make loops too.
static void stretch_over_branches(planner *p, const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        if (step->kind != HOIST_STEP_BRANCH || step->as.branch.target_step > i) {
            continue;
        }
        for (size_t k = 0; k < p->count; k++) {
            interval *v = &p->intervals[k];
            if (v->first <= i && v->last >= step->as.branch.target_step) {
                const uint32_t to = step->as.branch.target_step;
                v->first = v->first < to ? v->first : to;
                v->last = v->last > i ? v->last : i;
            }
        }
    }
}

// Pinned ones first, then the largest.
static int by_size(const void *a, const void *b)
{
    const interval *x = a;
    const interval *y = b;
    if (x->pinned != y->pinned) {
        return x->pinned ? -1 : 1;
    }
    if (x->size != y->size) {
        return x->size > y->size ? -1 : 1;
    }
    return hoist_order_u64(x->buffer, y->buffer);
}

// The lowest offset at which `v` overlaps none of the intervals placed before that live with it.
// Largest first, so the candidates are few: 0 and the ends of those.
static bool place(planner *p, size_t index, uint64_t *out_end)
{
    const interval *v = &p->intervals[index];
    uint64_t at = v->pinned ? p->plan->offset[v->buffer] : 0;
    for (bool moved = !v->pinned; moved;) {
        moved = false;
        for (size_t k = 0; k < index; k++) {
            const interval *w = &p->intervals[k];
            const uint64_t begin = p->plan->offset[w->buffer];
            if (w->last < v->first || w->first > v->last || at >= begin + w->size ||
                at + v->size <= begin) {
                continue;
            }
            at = align_up(begin + w->size);
            moved = true;
        }
    }
    p->plan->offset[v->buffer] = at;
    return !hoist_ckd_add(out_end, at, v->size) && *out_end < INT64_MAX - HOIST_PLAN_ALIGNMENT;
}

static bool place_all(planner *p)
{
    uint64_t bytes = 0;
    qsort(p->intervals, p->count, sizeof *p->intervals, by_size);
    for (size_t i = 0; i < p->count; i++) {
        uint64_t end = 0;
        if (!place(p, i, &end)) {
            return false;
        }
        bytes = end > bytes ? end : bytes;
    }
    p->plan->bytes[p->function] = align_up(bytes);
    return true;
}

static bool plan_function(planner *p, hoist_ref function)
{
    const hoist_prog_code *code = &p->program->functions[function].code;
    p->function = function;
    p->count = 0;
    for (uint32_t i = 0; i < code->step_count; i++) {
        p->step = i;
        hoist_step_uses(p->program, &code->steps[i], note, p);
    }
    for (size_t k = 0; k < p->count; k++) {
        p->interval_of[p->intervals[k].buffer] = HOIST_NO_REF;
    }
    stretch_over_loops(p, code);
    stretch_over_branches(p, code);
    return place_all(p);
}

// Offsets of windows follow from their roots.
static void place_windows(const hoist_program *program, hoist_call_plan *plan)
{
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t inside = 0;
        const hoist_ref at = hoist_prog_root(program, i, &inside);
        if (at != i && plan->offset[at] != UINT64_MAX) {
            plan->offset[i] = plan->offset[at] + inside;
        }
    }
}

// Raises what `caller` needs to what it needs while it calls `target`. False: beyond 2^63.
static bool raise_to(hoist_call_plan *plan, hoist_ref caller, const hoist_prog_target *target,
                     bool *changed)
{
    const hoist_ref *list = target->function == HOIST_NO_REF ? target->table : &target->function;
    const uint32_t count = target->function == HOIST_NO_REF ? target->table_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t all = 0;
        if (hoist_ckd_add(&all, plan->bytes[caller], plan->with_all[list[i]]) || all > INT64_MAX) {
            return false;
        }
        if (all > plan->with_all[caller]) {
            plan->with_all[caller] = all;
            *changed = true;
        }
    }
    return true;
}

static bool raise_by_calls(const hoist_program *program, hoist_call_plan *plan, hoist_ref caller,
                           bool *changed)
{
    const hoist_prog_code *code = &program->functions[caller].code;
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_CALL &&
            !raise_to(plan, caller, &code->steps[i].as.call.target, changed)) {
            return false;
        }
    }
    return true;
}

// Bytes with the deepest calls: functions call each other without cycles, but in any order of the
// table, so this goes on until nothing changes (at most as many rounds as calls are deep).
static bool sum_calls(const hoist_program *program, hoist_call_plan *plan)
{
    for (uint32_t i = 0; i < program->function_count; i++) {
        plan->with_all[i] = plan->bytes[i];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < program->function_count; i++) {
            if (!raise_by_calls(program, plan, i, &changed)) {
                return false;
            }
        }
    }
    return true;
}

static hoist_status plan_all(planner *p)
{
    find_owners(p);
    if (p->outside) {
        return HOIST_INVALID;
    }
    if (!pin_shared(p)) {
        return HOIST_LIMIT;
    }
    for (uint32_t i = 0; i < p->program->function_count; i++) {
        if (!plan_function(p, i)) {
            return HOIST_LIMIT;
        }
    }
    place_windows(p->program, p->plan);
    return sum_calls(p->program, p->plan) ? HOIST_OK : HOIST_LIMIT;
}

hoist_status hoist_call_plan_build(const hoist_program *program, hoist_allocator alloc,
                                   hoist_call_plan *out_plan)
{
    const size_t buffers = program->buffer_count ? program->buffer_count : 1;
    const size_t functions = program->function_count ? program->function_count : 1;
    hoist_call_plan plan = {.alloc = alloc,
                            .buffer_count = (uint32_t)buffers,
                            .function_count = (uint32_t)functions,
                            .offset = hoist_alloc_zero(alloc, buffers, sizeof *plan.offset),
                            .bytes = hoist_alloc_zero(alloc, functions, sizeof *plan.bytes),
                            .with_all = hoist_alloc_zero(alloc, functions, sizeof *plan.with_all)};
    planner p = {.program = program,
                 .plan = &plan,
                 .owner = hoist_alloc_zero(alloc, buffers, sizeof *p.owner),
                 .intervals = hoist_alloc_zero(alloc, buffers, sizeof *p.intervals),
                 .interval_of = hoist_alloc_zero(alloc, buffers, sizeof *p.interval_of)};
    hoist_status status = HOIST_NO_MEMORY;
    if (plan.offset && plan.bytes && plan.with_all && p.owner && p.intervals && p.interval_of) {
        for (size_t i = 0; i < buffers; i++) {
            plan.offset[i] = UINT64_MAX;
            p.owner[i] = HOIST_NO_REF;
            p.interval_of[i] = HOIST_NO_REF;
        }
        status = plan_all(&p);
    }
    hoist_free(alloc, p.owner, buffers * sizeof *p.owner);
    hoist_free(alloc, p.intervals, buffers * sizeof *p.intervals);
    hoist_free(alloc, p.interval_of, buffers * sizeof *p.interval_of);
    *out_plan = plan;
    if (status != HOIST_OK) {
        hoist_call_plan_deinit(out_plan);
    }
    return status;
}

void hoist_call_plan_deinit(hoist_call_plan *plan)
{
    hoist_free(plan->alloc, plan->offset, plan->buffer_count * sizeof *plan->offset);
    hoist_free(plan->alloc, plan->bytes, plan->function_count * sizeof *plan->bytes);
    hoist_free(plan->alloc, plan->with_all, plan->function_count * sizeof *plan->with_all);
    *plan = (hoist_call_plan){.alloc = plan->alloc};
}
