// Offsets of buffers of lifetime CALL: their lifetimes over the steps of a function in, one offset
// for each (intervals.h) and the size of a call's memory out. Order: owners of buffers, places of
// shared ones, each function by itself, then sums over calls.
#include "plan/calls.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/order.h"
#include "ops/compute.h"
#include "program/uses.h"

typedef struct planner {
    const hoist_program *program;
    const hoist_group_plan *groups; // NULL: none
    hoist_call_plan *plan;
    hoist_ref *owner;          // per buffer: function; HOIST_NO_REF: none yet; OF_MANY
    hoist_interval *intervals; // space for all buffers
    uint32_t *interval_of;     // per buffer: index, HOIST_NO_REF: none in this function
    hoist_ref *place_of;       // per buffer: the one whose place it has; HOIST_NO_REF: its own
    size_t count;
    hoist_ref function;
    uint32_t first; // step; of a group that of its first and of its last
    uint32_t last;
    bool outside; // a thread names a buffer of a call
} planner;

#define OF_MANY (HOIST_NO_REF - 1) // a value of `owner`, no function

// The buffer of a call, root of its windows, that a view is of; HOIST_NO_REF: none. Views of
// parameters and slots are of other memory.
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
    p->outside |= p->function == HOIST_NO_REF; // threads have no calls
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

// A buffer that several functions name has one place in the calls of all of them, apart from all
// others. False: beyond 2^63. Callers and callees may have it at the same time, so it must not
// move between them.
static bool pin_shared(planner *p)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < p->program->buffer_count; i++) {
        if (p->owner[i] == OF_MANY) {
            p->plan->offset[i] = at;
            // 2^63 leaves a margin for alignment in all sums that follow.
            if (hoist_ckd_add(&at, at, p->program->buffers[i].size) ||
                at > INT64_MAX - HOIST_PLAN_ALIGNMENT) {
                return false;
            }
            at = hoist_interval_align(at);
        }
    }
    return true;
}

// Notes that the step at hand uses `use.view`. The interval is made at the first use; each later
// one makes it longer.
static void note(void *self, hoist_step_use use)
{
    planner *p = self;
    const hoist_reshape *reshape = hoist_reshape_of(p->program, p->plan->reshapes, use.view);
    if (reshape && use.written) {
        return; // nothing is written
    }
    // What is read instead lives as long.
    const hoist_ref buffer =
        buffer_of(p->program, reshape ? reshape->move->sources[0].view : use.view);
    if (buffer == HOIST_NO_REF) {
        return;
    }
    if (p->interval_of[buffer] == HOIST_NO_REF) {
        const bool pinned = p->owner[buffer] == OF_MANY;
        p->interval_of[buffer] = (uint32_t)p->count;
        p->intervals[p->count++] = (hoist_interval){.buffer = buffer,
                                                    .first = pinned ? 0 : p->first,
                                                    .size = p->program->buffers[buffer].size,
                                                    .pinned = pinned};
    }
    hoist_interval *v = &p->intervals[p->interval_of[buffer]];
    v->last = v->pinned ? UINT32_MAX : p->last; // over all steps: nothing may be placed on it
}

// Steps that may be gone through again: a loop, or what a branch back passes over.
typedef struct stretch {
    uint32_t first;
    uint32_t last;
} stretch;

// For qsort(); ends do not matter, as overlapping ones are merged.
static int by_first(const void *a, const void *b)
{
    const stretch *x = a;
    const stretch *y = b;
    return hoist_order_u64(x->first, y->first);
}

// Makes one stretch of those that share a step; `all` is in order of `first`. Returns how many are
// left.
static size_t merge(stretch *all, size_t count)
{
    size_t merged = 0;
    for (size_t i = 0; i < count; i++) {
        if (merged > 0 && all[i].first <= all[merged - 1].last) {
            stretch *before = &all[merged - 1];
            before->last = before->last > all[i].last ? before->last : all[i].last;
        } else {
            all[merged++] = all[i];
        }
    }
    return merged;
}

// At most one per step.
static size_t list_stretches(const hoist_prog_code *code, stretch *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        if (step->kind == HOIST_STEP_LOOP) {
            out[count++] = (stretch){i, step->as.loop.end};
            // backwards.
        } else if (step->kind == HOIST_STEP_BRANCH && step->as.branch.target_step <= i) {
            out[count++] = (stretch){step->as.branch.target_step, i};
        }
    }
    qsort(out, count, sizeof *out, by_first);
    return merge(out, count);
}

static bool begins_by(const void *one, const void *step)
{
    return ((const stretch *)one)->first <= *(const uint32_t *)step;
}

// The last stretch that begins at `step` or before it; NULL: none does.
static const stretch *last_before(const stretch *all, size_t count, uint32_t step)
{
    const size_t begun = hoist_order_first(all, count, sizeof *all, begins_by, &step);
    return begun > 0 ? &all[begun - 1] : NULL;
}

// What is used inside and outside of a loop lives through all of it; what is used inside only may
// carry a value from turn to turn, so it does too. After merging, a life touches at most two
// stretches at its ends; those inside need nothing.
static hoist_status stretch_over_loops(planner *p, const hoist_prog_code *code)
{
    const size_t most = (size_t)code->step_count + 1;
    stretch *all = hoist_alloc_zero(p->plan->alloc, most, sizeof *all);
    const size_t count = all ? list_stretches(code, all) : 0;
    for (size_t k = 0; count > 0 && k < p->count; k++) {
        hoist_interval *v = &p->intervals[k];
        const stretch *first = last_before(all, count, v->first);
        const stretch *last = last_before(all, count, v->last);
        v->first = first && first->last >= v->first ? first->first : v->first;
        v->last = last && last->last >= v->last ? last->last : v->last;
    }
    hoist_free(p->plan->alloc, all, most * sizeof *all);
    return all ? HOIST_OK : HOIST_NO_MEMORY;
}

// Whether `view` is of all of a buffer that lives in this function only, from its first byte on.
static bool is_complete(const planner *p, hoist_ref view)
{
    const hoist_prog_view *row = &p->program->views[view];
    const hoist_ref buffer = buffer_of(p->program, view);
    return buffer != HOIST_NO_REF && buffer == row->of && row->offset == 0 &&
           row->reg == HOIST_NO_REF && p->interval_of[buffer] != HOIST_NO_REF &&
           !p->intervals[p->interval_of[buffer]].pinned;
}

// Whether the output of a step may take the place of the buffer that `input` is of: it dies there,
// has the output's size and blocks, and no input reads it otherwise.
static bool may_replace(const planner *p, const hoist_prog_compute *compute, hoist_ref input,
                        uint32_t at)
{
    const hoist_prog_view *to = &p->program->views[compute->outputs[0]];
    const hoist_prog_view *from = &p->program->views[input];
    if (!is_complete(p, input) || from->layout != to->layout || from->of == to->of ||
        p->plan->life[from->of].last != at ||
        p->program->buffers[from->of].size != p->program->buffers[to->of].size) {
        return false;
    }
    for (uint32_t i = 0; i < compute->input_count; i++) {
        const hoist_ref view = compute->inputs[i];
        const hoist_reshape *reshape = hoist_reshape_of(p->program, p->plan->reshapes, view);
        const hoist_ref read =
            buffer_of(p->program, reshape ? reshape->move->sources[0].view : view);
        if (read == from->of &&
            (reshape || !is_complete(p, view) || p->program->views[view].layout != to->layout)) {
            return false;
        }
    }
    return true;
}

// Kernels that work tile by tile write over an input that nothing reads any more: its lines are in
// the caches. Of steps on tiles, of which none is in a group.
static void share_place(planner *p, const hoist_prog_compute *compute, uint32_t at)
{
    const hoist_compute_def *row = hoist_compute_get(compute->op);
    if (!row->tiled || !row->tilewise || compute->output_count != 1 ||
        !is_complete(p, compute->outputs[0])) {
        return;
    }
    const hoist_ref to = p->program->views[compute->outputs[0]].of;
    for (uint32_t i = 0; i < compute->input_count && p->plan->life[to].first == at; i++) {
        if (may_replace(p, compute, compute->inputs[i], at)) {
            const hoist_ref from = p->program->views[compute->inputs[i]].of;
            const hoist_ref place = p->place_of[from] == HOIST_NO_REF ? from : p->place_of[from];
            p->place_of[to] = place;
            p->intervals[p->interval_of[place]].last = p->plan->life[to].last;
            p->intervals[p->interval_of[to]].size = 0;
            return;
        }
    }
}

// Places of all intervals: of those that share one, the first one's.
static hoist_status place_all(planner *p, hoist_ref function, const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_COMPUTE) {
            share_place(p, code->steps[i].as.compute, i);
        }
    }
    HOIST_TRY(hoist_intervals_place(p->intervals, p->count, p->plan->alloc, p->plan->offset,
                                    &p->plan->bytes[function]));
    for (size_t k = 0; k < p->count; k++) {
        const hoist_ref buffer = p->intervals[k].buffer;
        if (p->place_of[buffer] != HOIST_NO_REF) {
            p->plan->offset[buffer] = p->plan->offset[p->place_of[buffer]];
        }
    }
    return HOIST_OK;
}

// The lives of one function's buffers, then their places.
static hoist_status plan_function(planner *p, hoist_ref function)
{
    const hoist_prog_code *code = &p->program->functions[function].code;
    const hoist_group *group = NULL;
    p->function = function;
    p->count = 0;
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_group *next = p->groups ? hoist_group_at(p->groups, &code->steps[i]) : NULL;
        // `group` stays through the steps of a group, which all count as one step.
        group = next ? next : group && i < group->first + group->count ? group : NULL;
        p->first = group ? group->first : i;
        p->last = group ? group->first + group->count - 1 : i;
        hoist_step_uses(p->program, &code->steps[i], note, p);
    }
    if (p->count == 0) {
        return HOIST_OK;
    }
    HOIST_TRY(stretch_over_loops(p, code));
    for (size_t k = 0; k < p->count; k++) {
        const hoist_interval *v = &p->intervals[k];
        if (!v->pinned) {
            p->plan->life[v->buffer] = (hoist_call_life){function, v->first, v->last};
        }
    }
    const hoist_status status = place_all(p, function, code);
    for (size_t k = 0; k < p->count; k++) { // for the next function
        p->interval_of[p->intervals[k].buffer] = HOIST_NO_REF;
    }
    return status;
}

// Offsets of windows follow from their roots, whose offsets are final now.
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

// Raises what `caller` needs to what it needs while it calls `target`. False: beyond 2^63. Through
// a table it is the greatest of all targets.
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

// False: beyond 2^63.
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
// A fixed point: each round goes one level of calls further up.
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

// HOIST_INVALID before anything is placed: a thread has no memory of calls.
static hoist_status plan_all(planner *p)
{
    find_owners(p);
    if (p->outside) {
        return HOIST_INVALID;
    }
    if (!pin_shared(p)) {
        return HOIST_LIMIT;
    }
    HOIST_TRY(hoist_reshapes_find(p->program, p->owner, p->plan->alloc, p->plan->reshapes));
    for (uint32_t i = 0; i < p->program->function_count; i++) {
        HOIST_TRY(plan_function(p, i));
    }
    place_windows(p->program, p->plan);
    return sum_calls(p->program, p->plan) ? HOIST_OK : HOIST_LIMIT;
}

hoist_status hoist_call_plan_build(const hoist_program *program, const hoist_group_plan *groups,
                                   hoist_allocator alloc, hoist_call_plan *out_plan)
{
    // Arrays have at least one element, so that NULL means out of memory.
    const size_t buffers = program->buffer_count ? program->buffer_count : 1;
    const size_t functions = program->function_count ? program->function_count : 1;
    hoist_call_plan plan = {.alloc = alloc,
                            .buffer_count = (uint32_t)buffers,
                            .function_count = (uint32_t)functions,
                            .offset = hoist_alloc_zero(alloc, buffers, sizeof *plan.offset),
                            .life = hoist_alloc_zero(alloc, buffers, sizeof *plan.life),
                            .reshapes = hoist_alloc_zero(alloc, buffers, sizeof *plan.reshapes),
                            .bytes = hoist_alloc_zero(alloc, functions, sizeof *plan.bytes),
                            .with_all = hoist_alloc_zero(alloc, functions, sizeof *plan.with_all)};
    planner p = {.program = program,
                 .groups = groups,
                 .plan = &plan,
                 .owner = hoist_alloc_zero(alloc, buffers, sizeof *p.owner),
                 .intervals = hoist_alloc_zero(alloc, buffers, sizeof *p.intervals),
                 .interval_of = hoist_alloc_zero(alloc, buffers, sizeof *p.interval_of),
                 .place_of = hoist_alloc_zero(alloc, buffers, sizeof *p.place_of)};
    hoist_status status = HOIST_NO_MEMORY;
    if (plan.offset && plan.life && plan.reshapes && plan.bytes && plan.with_all && p.owner &&
        p.intervals && p.interval_of && p.place_of) {
        for (size_t i = 0; i < buffers; i++) {
            plan.offset[i] = UINT64_MAX;
            plan.life[i].function = HOIST_NO_REF;
            p.owner[i] = HOIST_NO_REF;
            p.interval_of[i] = HOIST_NO_REF;
            p.place_of[i] = HOIST_NO_REF;
        }
        status = plan_all(&p);
    }
    hoist_free(alloc, p.owner, buffers * sizeof *p.owner);
    hoist_free(alloc, p.intervals, buffers * sizeof *p.intervals);
    hoist_free(alloc, p.interval_of, buffers * sizeof *p.interval_of);
    hoist_free(alloc, p.place_of, buffers * sizeof *p.place_of);
    // Out even on failure: deinit() needs the arrays that were made.
    *out_plan = plan;
    if (status != HOIST_OK) {
        hoist_call_plan_deinit(out_plan);
    }
    return status;
}

void hoist_call_plan_deinit(hoist_call_plan *plan)
{
    hoist_free(plan->alloc, plan->offset, plan->buffer_count * sizeof *plan->offset);
    hoist_free(plan->alloc, plan->life, plan->buffer_count * sizeof *plan->life);
    hoist_free(plan->alloc, plan->reshapes, plan->buffer_count * sizeof *plan->reshapes);
    hoist_free(plan->alloc, plan->bytes, plan->function_count * sizeof *plan->bytes);
    hoist_free(plan->alloc, plan->with_all, plan->function_count * sizeof *plan->with_all);
    *plan = (hoist_call_plan){.alloc = plan->alloc};
}
