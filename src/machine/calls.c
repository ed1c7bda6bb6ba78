// Calls: frames on the explicit stack of a process, and the queues of units. A call enters a frame
// on the caller's own stack; a post evaluates its arguments into a block that waits in the unit's
// ring until the unit takes it. step.c decides when, semaphore.c does the signals of completion.
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "machine/semaphore.h"
#include "machine/state.h"

int64_t *hoist_process_registers(const hoist_machine *m, const hoist_process *p)
{
    const hoist_frame_state *top = hoist_process_top(p);
    HOIST_ASSERT(top && (top->function != HOIST_NO_REF || p->thread < m->program->thread_count));
    // Only a thread has code of its own; a unit's bottom frame is the function that was posted.
    if (top->function == HOIST_NO_REF) {
        return m->thread_registers + m->thread_first[p->thread];
    }
    return p->registers + top->registers;
}

int64_t hoist_process_value(const hoist_machine *m, const hoist_process *p, hoist_prog_value value)
{
    if (value.reg == HOIST_NO_REF) {
        return value.number;
    }
    return hoist_process_top(p) ? hoist_process_registers(m, p)[value.reg] : 0;
}

// Space for everything that a call of `function` puts on the lists.
static bool reserve(hoist_machine *m, hoist_process *p, hoist_ref function,
                    const hoist_prog_code *code)
{
    const size_t parameters =
        function == HOIST_NO_REF ? 0 : m->program->functions[function].parameter_count;
    return hoist_grow(m->alloc, (void **)&p->frames, &p->frame_capacity, p->frame_count + 1,
                      sizeof *p->frames) &&
           hoist_grow(m->alloc, (void **)&p->registers, &p->register_capacity,
                      // One spare: a value that is not used may name register 0 of a function
                      // without any.
                      p->register_count + code->register_count + 1, sizeof *p->registers) &&
           hoist_grow(m->alloc, (void **)&p->views, &p->view_capacity, p->view_count + parameters,
                      sizeof *p->views);
}

hoist_status hoist_process_enter(hoist_machine *m, hoist_process *p, hoist_ref function,
                                 const hoist_prog_code *code)
{
    HOIST_ASSERT(function == HOIST_NO_REF || function < m->program->function_count);
    HOIST_ASSERT(p->frame_count < HOIST_MACHINE_MAX_DEPTH);
    if (!reserve(m, p, function, code)) {
        return HOIST_NO_MEMORY;
    }
    // All growth is behind it: from here on nothing can fail, so that NO_MEMORY changes nothing.
    p->frames[p->frame_count++] = (hoist_frame_state){.function = function,
                                                      .code = code,
                                                      // From 1, over the whole session.
                                                      .call = ++m->calls,
                                                      .registers = p->register_count,
                                                      .loops = p->loop_count,
                                                      .views = p->view_count};
    if (function != HOIST_NO_REF) {
        for (uint32_t i = 0; i < code->register_count; i++) {
            p->registers[p->register_count++] = code->registers[i].initial;
        }
        for (uint32_t i = 0; i < m->program->functions[function].parameter_count; i++) {
            // Those that are views are filled by bind().
            p->views[p->view_count++] = (hoist_place){.buffer = HOIST_NO_REF};
        }
    }
    return HOIST_OK;
}

void hoist_process_leave(hoist_process *p)
{
    const hoist_frame_state *top = hoist_process_top(p);
    HOIST_ASSERT(top && top->registers <= p->register_count);
    HOIST_ASSERT(top->loops <= p->loop_count && top->views <= p->view_count);
    // The lists are cut back to where this frame began: frames are left in the reverse order.
    p->register_count = top->registers;
    p->loop_count = top->loops;
    p->view_count = top->views;
    p->frame_count--;
}

// A call as the last step of a function ends both at once, for as many levels as end there.
void hoist_process_unwind(hoist_process *p)
{
    while (p->frame_count > 1 &&
           hoist_process_top(p)->step >= hoist_process_top(p)->code->step_count) {
        hoist_process_leave(p);
    }
}

hoist_ref hoist_process_callee(const hoist_machine *m, const hoist_process *p,
                               const hoist_prog_target *target, int64_t *out_index)
{
    *out_index = 0;
    if (target->function != HOIST_NO_REF) {
        return target->function;
    }
    *out_index = hoist_process_value(m, p, target->index);
    const bool inside = *out_index >= 0 && *out_index < (int64_t)target->table_count;
    // The verifier checked every entry of the table, so that only the index can be wrong.
    HOIST_ASSERT(!inside || target->table[*out_index] < m->program->function_count);
    return inside ? target->table[*out_index] : HOIST_NO_REF;
}

// Gives the frame on top its arguments: `views` and `values`, one per parameter.
static void bind(const hoist_machine *m, hoist_process *p, const hoist_place *views,
                 const int64_t *values)
{
    const hoist_frame_state *top = hoist_process_top(p);
    HOIST_ASSERT(top && top->function < m->program->function_count);
    const hoist_prog_function *function = &m->program->functions[top->function];
    // Integer parameters are the first registers of a function, in order; views have a list of
    // their own.
    size_t reg = top->registers;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        if (function->parameters[i].is_view) {
            p->views[top->views + i] = views[i];
        } else {
            p->registers[reg++] = values[i];
        }
    }
}

// Evaluates arguments for the code on top of `p`: before the callee is entered, since registers and
// parameters are the caller's.
static void evaluate(const hoist_machine *m, const hoist_process *p,
                     const hoist_prog_target *target, hoist_place *views, int64_t *values)
{
    HOIST_ASSERT(p >= m->processes && p < m->processes + m->process_count);
    const size_t process = (size_t)(p - m->processes);
    for (uint32_t i = 0; i < target->argument_count; i++) {
        const hoist_prog_argument *argument = &target->arguments[i];
        HOIST_ASSERT(views && values);
        if (argument->is_view) {
            views[i] = hoist_machine_resolve(m, process, argument->view);
        } else {
            values[i] = hoist_process_value(m, p, argument->value);
        }
    }
}

// The block of a posted call: views first, then values; false: no memory. Nothing is allocated for
// a call without arguments and signals.
static bool posted_init(hoist_allocator alloc, hoist_posted *posted, size_t arguments,
                        size_t signals)
{
    const size_t places = arguments * sizeof *posted->views;
    const size_t size = places + (arguments + signals) * sizeof *posted->values;
    posted->block_size = size;
    posted->views = NULL;
    posted->values = NULL;
    if (size > 0) {
        posted->views = hoist_alloc_zero(alloc, 1, size);
        posted->values =
            posted->views ? (int64_t *)(void *)((uint8_t *)posted->views + places) : NULL;
    }
    return size == 0 || posted->views != NULL;
}

// The values of the arguments, after those of the signals.
static int64_t *argument_values(const hoist_posted *posted)
{
    return posted->values ? posted->values + posted->post->as.call.signal_count : NULL;
}

hoist_status hoist_process_call(hoist_machine *m, hoist_process *p, hoist_ref function,
                                const hoist_prog_target *target)
{
    // A block as of a post, for as long as the call takes: the arguments are evaluated while the
    // caller is on top, and bound when the callee is.
    hoist_posted arguments;
    if (!posted_init(m->alloc, &arguments, target->argument_count, 0)) {
        return HOIST_NO_MEMORY;
    }
    evaluate(m, p, target, arguments.views, arguments.values);
    const size_t caller = p->frame_count - 1;
    HOIST_ASSERT(p->frame_count > 0);
    const hoist_status status =
        hoist_process_enter(m, p, function, &m->program->functions[function].code);
    if (status == HOIST_OK) {
        p->frames[caller].step++; // where it goes on
        bind(m, p, arguments.views, arguments.values);
        hoist_process_unwind(p); // a function without steps ends at once
    }
    hoist_free(m->alloc, arguments.views, arguments.block_size);
    return status;
}

// Space for one more waiting call; false: no memory. The calls begin at index 0 of a new ring.
// Rings grow as calls come in, since the depth of a unit is the file's choice and can be large.
static bool grow_ring(hoist_machine *m, hoist_process *unit)
{
    HOIST_ASSERT(unit->waiting <= unit->ring_capacity);
    if (unit->waiting < unit->ring_capacity) {
        return true;
    }
    const size_t capacity = unit->ring_capacity > 0 ? 2 * unit->ring_capacity : 4;
    hoist_posted *ring = hoist_alloc_zero(m->alloc, capacity, sizeof *ring);
    if (!ring) {
        return false;
    }
    for (size_t i = 0; i < unit->waiting; i++) {
        HOIST_ASSERT(unit->ring_capacity > 0);
        ring[i] = unit->ring[(unit->first + i) % unit->ring_capacity];
    }
    hoist_free(m->alloc, unit->ring, unit->ring_capacity * sizeof *ring);
    unit->ring = ring;
    unit->ring_capacity = capacity;
    unit->first = 0;
    return true;
}

hoist_status hoist_process_post(hoist_machine *m, hoist_process *p, hoist_ref function,
                                const hoist_prog_step *step)
{
    HOIST_ASSERT(step->as.call.unit < m->program->unit_count);
    HOIST_ASSERT(function < m->program->function_count);
    hoist_process *unit = &m->processes[m->thread_count + step->as.call.unit];
    const hoist_prog_target *target = &step->as.call.target;
    const uint32_t signals = step->as.call.signal_count;
    hoist_posted posted = {.function = function, .post = step};
    if (!grow_ring(m, unit) || !posted_init(m->alloc, &posted, target->argument_count, signals)) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < signals; i++) {
        HOIST_ASSERT(posted.values);
        // Values of signals are those of the post: the poster's registers may change until
        // completion.
        posted.values[i] = hoist_process_value(m, p, step->as.call.signals[i].value);
    }
    evaluate(m, p, target, posted.views, argument_values(&posted));
    HOIST_ASSERT(unit->waiting < unit->ring_capacity);
    unit->ring[(unit->first + unit->waiting) % unit->ring_capacity] = posted;
    unit->waiting++;
    m->counts.commands++;
    // Posts wake the unit directly: an idle unit waits in no list.
    hoist_process_wake(m, (size_t)(unit - m->processes));
    return HOIST_OK;
}

hoist_status hoist_process_take(hoist_machine *m, hoist_process *unit)
{
    HOIST_ASSERT(unit->waiting > 0 && !unit->running && unit->frame_count == 0);
    HOIST_ASSERT(unit->first < unit->ring_capacity);
    const hoist_posted posted = unit->ring[unit->first];
    HOIST_TRY(hoist_process_enter(m, unit, posted.function,
                                  &m->program->functions[posted.function].code));
    bind(m, unit, posted.views, argument_values(&posted));
    unit->current = posted;
    unit->running = true;
    // After the enter, which may fail: then the call still waits in the ring.
    unit->first = (unit->first + 1) % unit->ring_capacity;
    unit->waiting--;
    hoist_waits_wake(m, HOIST_BLOCK_UNIT_FULL, unit->unit);
    return HOIST_OK;
}

const char *hoist_process_complete(hoist_machine *m, hoist_process *unit, int64_t *out_wrong)
{
    HOIST_ASSERT(unit->running && unit->current.post && unit->frame_count == 1);
    // The unit's code has ended, and so have the functions that it called; signals are given in the
    // order of the post.
    const hoist_prog_step *post = unit->current.post;
    const char *fault = NULL;
    for (uint32_t i = 0; i < post->as.call.signal_count && !fault; i++) {
        const hoist_prog_signal *signal = &post->as.call.signals[i];
        fault = hoist_semaphore_signal(&m->program->semaphores[signal->semaphore],
                                       &m->semaphores[signal->semaphore], signal->op,
                                       unit->current.values[i], out_wrong);
        hoist_waits_wake(m, HOIST_BLOCK_SEMAPHORE, signal->semaphore);
    }
    hoist_process_leave(unit);
    hoist_free(m->alloc, unit->current.views, unit->current.block_size);
    unit->current = (hoist_posted){.post = NULL};
    unit->running = false;
    // A drain waits for an empty unit; with calls left it is found blocked again.
    hoist_waits_wake(m, HOIST_BLOCK_DRAIN, unit->unit);
    return fault;
}
