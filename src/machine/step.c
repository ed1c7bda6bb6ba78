// One step of one process: peek tests whether it can be made and changes nothing, step makes it. A
// row per kind of step in each of two tables, tests and steps; both report a fault, a block with
// what is waited for, or a data step that the caller does and finishes.
#include "base/alloc.h"
#include "base/assert.h"
#include "machine/alu.h"
#include "machine/semaphore.h"
#include "machine/state.h"

// The event of a control step that was made. Tests and steps change it in place, so that a block, a
// fault or a failure needs no second event; copying one field by field and then as a whole stalls
// on the stores.
static hoist_machine_event stepped(const hoist_prog_step *step)
{
    return (hoist_machine_event){.kind = HOIST_EVENT_STEPPED, .step = step, .object = HOIST_NO_REF};
}

static void set_blocked(hoist_machine_event *event, hoist_block_kind block, hoist_ref object)
{
    event->kind = HOIST_EVENT_BLOCKED;
    event->block = block;
    event->object = object;
}

// `text` NULL: nothing is wrong and the event stays as it is.
static void set_fault(hoist_machine_event *event, const char *text, int64_t value)
{
    if (text) {
        event->kind = HOIST_EVENT_FAULT;
        event->fault = text;
        event->value = value;
    }
}

static void set_status(hoist_machine_event *event, hoist_status status)
{
    if (status != HOIST_OK) {
        event->kind = HOIST_EVENT_FAILED;
        event->status = status;
    }
}

const hoist_prog_step *hoist_machine_at(const hoist_machine *machine, size_t process)
{
    HOIST_ASSERT(process < machine->process_count);
    const hoist_frame_state *top = hoist_process_top(&machine->processes[process]);
    return top && top->step < top->code->step_count ? &top->code->steps[top->step] : NULL;
}

hoist_step_at hoist_process_place(const hoist_machine *m, size_t process)
{
    const hoist_frame_state *top = hoist_process_top(&m->processes[process]);
    // `function` names the code where there is one, else `thread` does.
    return (hoist_step_at){top ? top->function : HOIST_NO_REF, m->processes[process].thread,
                           hoist_machine_at(m, process)};
}

// Collectives -----------------------------------------------------------------------------------

// The collective that a process is at; NULL: none.
static const hoist_prog_collective *collective_at(const hoist_machine *m, size_t process)
{
    const hoist_prog_step *step = hoist_machine_at(m, process);
    return step && step->kind == HOIST_STEP_COLLECTIVE ? step->as.collective : NULL;
}

// True for a member that is at its step in `group` and not yet part of a meeting. One that is part
// of it stays at the same step until the data step ends, hence the second test.
static bool is_there(const hoist_machine *m, size_t process, uint32_t group)
{
    const hoist_prog_collective *c = collective_at(m, process);
    return c && c->group == group && m->processes[process].meeting == SIZE_MAX;
}

// A fault (static) between a member and the others that are there; NULL: they agree. Ranks below
// `members`, each once, are what makes the count in test_collective() mean that all are there.
static const char *disagreement(const hoist_machine *m, size_t process,
                                const hoist_prog_collective *mine)
{
    if (mine->rank >= mine->members) {
        return "the rank of a member is beyond the members";
    }
    for (size_t i = 0; i < m->process_count; i++) {
        if (i == process || !is_there(m, i, mine->group)) {
            continue;
        }
        const hoist_prog_collective *other = collective_at(m, i);
        if (other->kind != mine->kind || other->op != mine->op || other->members != mine->members) {
            return "the members of a collective disagree about what it is";
        }
        if (other->rank == mine->rank) {
            return "two members of a collective have the same rank";
        }
    }
    return NULL;
}

static void test_collective(const hoist_machine *m, const hoist_process *p,
                            const hoist_prog_step *step, hoist_machine_event *event)
{
    const hoist_prog_collective *mine = step->as.collective;
    const size_t process = (size_t)(p - m->processes);
    HOIST_ASSERT(mine && process < m->process_count);
    const char *text = disagreement(m, process, mine);
    size_t there = 0;
    if (!text && m->outside.members) {
        // Members on other machines (src/exchange) count as those here; their faults end the run as
        // well.
        there = m->outside.members(m->outside.self, mine, &text);
    }
    if (text) {
        set_fault(event, text, (int64_t)mine->rank);
        return;
    }
    // `process` itself is among those that are there.
    for (size_t i = 0; i < m->process_count; i++) {
        there += is_there(m, i, mine->group);
    }
    if (there < mine->members) {
        set_blocked(event, HOIST_BLOCK_COLLECTIVE, mine->group);
    } else {
        // Whoever is asked first when all are there does the data step for all; the order changes
        // nothing, since the members are sorted by rank.
        event->kind = HOIST_EVENT_DATA;
    }
}

// All that are there take part: ranks differ, so that they are not more than the members.
static void meet(hoist_machine *m, size_t process)
{
    const hoist_prog_collective *const mine = collective_at(m, process);
    HOIST_ASSERT(mine);
    const uint32_t group = mine->group;
    for (size_t i = 0; i < m->process_count; i++) {
        if (is_there(m, i, group)) {
            m->processes[i].meeting = process;
        }
    }
}

bool hoist_machine_is_member(const hoist_machine *machine, size_t process)
{
    return collective_at(machine, process) && machine->processes[process].meeting == SIZE_MAX;
}

void hoist_machine_came(hoist_machine *machine)
{
    hoist_waits_wake(machine, HOIST_BLOCK_COLLECTIVE, HOIST_NO_REF);
}

size_t hoist_machine_collective(const hoist_machine *machine, size_t process, size_t *out_members,
                                size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < machine->process_count && count < capacity; i++) {
        if (machine->processes[i].meeting != process) {
            continue;
        }
        // Insertion sort by rank: members are few, and most come in order already.
        size_t at = count++;
        const uint32_t rank = collective_at(machine, i)->rank;
        while (at > 0 && collective_at(machine, out_members[at - 1])->rank > rank) {
            out_members[at] = out_members[at - 1];
            at--;
        }
        out_members[at] = i;
    }
    return count;
}

// Waiting ---------------------------------------------------------------------------------------

// The condition only: do_wait() changes the count.
static void test_wait(const hoist_machine *m, const hoist_process *p, const hoist_prog_step *step,
                      hoist_machine_event *event)
{
    HOIST_ASSERT(step->as.wait.semaphore < m->program->semaphore_count);
    const int64_t count = m->semaphores[step->as.wait.semaphore];
    const int64_t expected = hoist_process_value(m, p, step->as.wait.value);
    if (!hoist_compare_holds(step->as.wait.compare, count, expected)) {
        set_blocked(event, HOIST_BLOCK_SEMAPHORE, step->as.wait.semaphore);
    }
}

static void test_post(const hoist_machine *m, const hoist_process *p, const hoist_prog_step *step,
                      hoist_machine_event *event)
{
    HOIST_ASSERT(step->as.call.unit < m->program->unit_count);
    const hoist_process *unit = &m->processes[m->thread_count + step->as.call.unit];
    // The machine's option (a session's command slots) overrides the program's depth.
    const uint32_t own = m->program->units[step->as.call.unit].depth;
    int64_t index = 0;
    // The table is indexed by a register, so that no check of the program can rule this out.
    if (hoist_process_callee(m, p, &step->as.call.target, &index) == HOIST_NO_REF) {
        set_fault(event, "the index of a post is outside its table", index);
    } else if (unit->waiting >= (m->unit_depth > 0 ? m->unit_depth : own)) {
        set_blocked(event, HOIST_BLOCK_UNIT_FULL, step->as.call.unit);
    }
}

static void test_fifo(hoist_fifo_result result, hoist_block_kind block, hoist_machine_event *event)
{
    if (result.answer == HOIST_FIFO_WRONG) {
        set_fault(event, result.fault, 0);
    } else if (result.answer == HOIST_FIFO_WAIT) {
        set_blocked(event, block, event->step->as.fifo.fifo);
    }
}

// Whether the step can be made now; most can always be.
static void test(const hoist_machine *m, const hoist_process *p, const hoist_prog_step *step,
                 hoist_machine_event *event)
{
    switch (step->kind) {
    case HOIST_STEP_POST:
        test_post(m, p, step, event);
        break;
    // Calls that run count as well as those that wait.
    case HOIST_STEP_DRAIN:
        if (hoist_machine_posted(m, step->as.call.unit) > 0) {
            set_blocked(event, HOIST_BLOCK_DRAIN, step->as.call.unit);
        }
        break;
    case HOIST_STEP_WAIT:
        test_wait(m, p, step, event);
        break;
    case HOIST_STEP_RESERVE:
        test_fifo(hoist_fifo_reserve(&m->fifos[step->as.fifo.fifo]), HOIST_BLOCK_FIFO_FULL, event);
        break;
    case HOIST_STEP_AWAIT:
        test_fifo(hoist_fifo_await(&m->fifos[step->as.fifo.fifo]), HOIST_BLOCK_FIFO_EMPTY, event);
        break;
    case HOIST_STEP_ZERO:
        // An event of data first; a fault of the fifo then takes its place.
        event->kind = HOIST_EVENT_DATA;
        test_fifo(hoist_fifo_zero(&m->fifos[step->as.fifo.fifo]), HOIST_BLOCK_NONE, event);
        break;
    case HOIST_STEP_MOVE:
    case HOIST_STEP_COMPUTE:
    case HOIST_STEP_OPAQUE:
        event->kind = HOIST_EVENT_DATA;
        break;
    case HOIST_STEP_COLLECTIVE:
        test_collective(m, p, step, event);
        break;
    default:
        break;
    }
}

static void peek(const hoist_machine *m, size_t process, hoist_machine_event *out_event)
{
    HOIST_ASSERT(process < m->process_count);
    const hoist_process *p = &m->processes[process];
    const hoist_prog_step *step = hoist_machine_at(m, process);
    *out_event = stepped(step);
    // Before `meeting`: the process that does a collective's data step has both, and waits for
    // itself.
    if (p->busy) {
        set_blocked(out_event, HOIST_BLOCK_NONE, HOIST_NO_REF);
    } else if (p->meeting != SIZE_MAX) {
        set_blocked(out_event, HOIST_BLOCK_COLLECTIVE, step->as.collective->group);
    } else if (step) {
        test(m, p, step, out_event);
        // A unit without code: it completes the call that it runs before it takes the next.
    } else if (p->running) {
        out_event->step = p->current.post;
    } else if (p->waiting > 0) {
        out_event->step = p->ring[p->first].post;
    } else {
        out_event->kind = HOIST_EVENT_ENDED;
    }
}

hoist_machine_event hoist_machine_peek(const hoist_machine *machine, size_t process)
{
    hoist_machine_event event;
    peek(machine, process, &event);
    return event;
}

// Steps -----------------------------------------------------------------------------------------

// What a step does once its test allows it. Loop, end and branch set the step before the one that
// comes next, since go_on() adds 1 after each of them.
static void do_alu(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                   hoist_machine_event *event)
{
    int64_t *registers = hoist_process_registers(m, p);
    int64_t *destination = &registers[step->as.alu.destination];
    const int64_t a = hoist_process_value(m, p, step->as.alu.a);
    const int64_t b = hoist_process_value(m, p, step->as.alu.b);
    int64_t result = 0;
    if (hoist_alu(step->as.alu.op, *destination, a, b, &result)) {
        *destination = result;
        // The operand may be a register, so that rule PRG-039 of the program finds constants only.
    } else {
        set_fault(event, "incwrap wraps at 0", 0);
    }
}

static void do_loop(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                    hoist_machine_event *event)
{
    const int64_t count = hoist_process_value(m, p, step->as.loop.count);
    if (count <= 0 && step->as.loop.must_run) {
        set_fault(event, "the count of a loop is below 1", count);
    } else if (count <= 0) {
        // The END's index: go_on() passes over it, and no counter was made.
        hoist_process_top(p)->step = step->as.loop.end;
    } else if (hoist_grow(m->alloc, (void **)&p->loops, &p->loop_capacity, p->loop_count + 1,
                          sizeof *p->loops)) {
        // The count is evaluated here once: the body may change its register without effect on the
        // loop.
        p->loops[p->loop_count++] = count;
    } else {
        set_status(event, HOIST_NO_MEMORY);
    }
}

static void do_end(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                   hoist_machine_event *event)
{
    (void)m;
    (void)event;
    HOIST_ASSERT(p->loop_count > hoist_process_top(p)->loops && p->loops[p->loop_count - 1] > 0);
    if (--p->loops[p->loop_count - 1] > 0) {
        // The LOOP's index: go_on() passes over it, so that its count is not evaluated again.
        hoist_process_top(p)->step = step->as.end.begin;
    } else {
        p->loop_count--;
    }
}

static void do_branch(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                      hoist_machine_event *event)
{
    (void)event;
    HOIST_ASSERT(step->as.branch.target_step <= hoist_process_top(p)->code->step_count);
    const int64_t a = hoist_process_value(m, p, step->as.branch.a);
    const int64_t b = hoist_process_value(m, p, step->as.branch.b);
    if (hoist_compare_holds(step->as.branch.compare, a, b)) {
        // Of target 0 too: unsigned, -1 + 1 is 0.
        hoist_process_top(p)->step = step->as.branch.target_step - 1;
    }
}

// Calls have no cycle (PRG-025), yet a chain of them may be longer than any stack of frames. The
// caller's place moves on with the call: the step after it is the callee's first.
static void do_call(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                    hoist_machine_event *event)
{
    int64_t index = 0;
    const hoist_ref function = hoist_process_callee(m, p, &step->as.call.target, &index);
    if (function == HOIST_NO_REF) {
        set_fault(event, "the index of a call is outside its table", index);
    } else if (p->frame_count >= HOIST_MACHINE_MAX_DEPTH) {
        set_fault(event, "calls are nested too deeply", HOIST_MACHINE_MAX_DEPTH);
    } else {
        set_status(event, hoist_process_call(m, p, function, &step->as.call.target));
    }
}

static void do_post(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                    hoist_machine_event *event)
{
    int64_t index = 0;
    const hoist_ref function = hoist_process_callee(m, p, &step->as.call.target, &index);
    // The test found it in the same step, and nothing ran in between.
    HOIST_ASSERT(function != HOIST_NO_REF);
    set_status(event, hoist_process_post(m, p, function, step));
}

static void do_wait(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                    hoist_machine_event *event)
{
    const hoist_ref semaphore = step->as.wait.semaphore;
    const int64_t value = hoist_process_value(m, p, step->as.wait.then_value);
    int64_t wrong = 0;
    const char *text =
        hoist_semaphore_then(&m->program->semaphores[semaphore], &m->semaphores[semaphore],
                             step->as.wait.then, value, &wrong);
    // Subtracting can let others go on too: a wait may compare for "less than".
    if (step->as.wait.then != HOIST_THEN_NOTHING) {
        hoist_waits_wake(m, HOIST_BLOCK_SEMAPHORE, semaphore);
    }
    set_fault(event, text, wrong);
}

static void do_signal(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                      hoist_machine_event *event)
{
    const hoist_prog_signal *signal = &step->as.signal;
    const int64_t value = hoist_process_value(m, p, signal->value);
    int64_t wrong = 0;
    const char *text =
        hoist_semaphore_signal(&m->program->semaphores[signal->semaphore],
                               &m->semaphores[signal->semaphore], signal->op, value, &wrong);
    // Also after a fault, when the count is as it was: waking is never wrong.
    hoist_waits_wake(m, HOIST_BLOCK_SEMAPHORE, signal->semaphore);
    set_fault(event, text, wrong);
}

static void do_fifo(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                    hoist_machine_event *event)
{
    HOIST_ASSERT(step->as.fifo.fifo < m->program->fifo_count);
    hoist_fifo *fifo = &m->fifos[step->as.fifo.fifo];
    const int64_t value = hoist_process_value(m, p, step->as.fifo.value);
    hoist_fifo_result result = {HOIST_FIFO_DONE, NULL};
    if (step->kind == HOIST_STEP_PUSH) {
        result = hoist_fifo_push(fifo, value);
    } else if (step->kind == HOIST_STEP_ADVANCE) {
        result = hoist_fifo_advance(fifo, value);
    } else if (step->kind == HOIST_STEP_POP) {
        result = hoist_fifo_pop(fifo, value);
    } else if (step->kind == HOIST_STEP_SET_POINTER) {
        result = hoist_fifo_set_pointer(fifo, step->as.fifo.pointer, value);
    } else if (step->kind == HOIST_STEP_ALLOCATE) {
        result = hoist_fifo_allocate(fifo);
    } else if (step->kind == HOIST_STEP_FREE) {
        result = hoist_fifo_free(fifo);
    }
    // One list holds those that wait for an entry and those that wait for a slot, so that either
    // kind wakes both.
    hoist_waits_wake(m, HOIST_BLOCK_FIFO_EMPTY, step->as.fifo.fifo);
    set_fault(event, result.fault, value);
}

typedef void (*step_function)(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                              hoist_machine_event *event);

// NULL: nothing but the test, or a data step, which the caller does.
static const step_function steps[HOIST_STEP_COUNT] = {
    [HOIST_STEP_ALU] = do_alu,       [HOIST_STEP_LOOP] = do_loop,
    [HOIST_STEP_END] = do_end,       [HOIST_STEP_BRANCH] = do_branch,
    [HOIST_STEP_CALL] = do_call,     [HOIST_STEP_POST] = do_post,
    [HOIST_STEP_WAIT] = do_wait,     [HOIST_STEP_SIGNAL] = do_signal,
    [HOIST_STEP_PUSH] = do_fifo,     [HOIST_STEP_ADVANCE] = do_fifo,
    [HOIST_STEP_POP] = do_fifo,      [HOIST_STEP_SET_POINTER] = do_fifo,
    [HOIST_STEP_ALLOCATE] = do_fifo, [HOIST_STEP_FREE] = do_fifo,
};

// Past the step that was made, and out of functions that end with it: a process is never seen at
// the end of a function, except at the end of its last frame.
static void go_on(hoist_process *p)
{
    hoist_frame_state *const top = hoist_process_top(p);
    HOIST_ASSERT(top);
    top->step++;
    hoist_process_unwind(p);
}

// `process` has moved. Where it completes a collective, or disagrees, it does so for all that are
// there: any of them may then be the one that goes on.
static void arrive(hoist_machine *m, size_t process)
{
    const hoist_prog_step *step = hoist_machine_at(m, process);
    if (step && step->kind == HOIST_STEP_COLLECTIVE) {
        hoist_machine_event event = stepped(step);
        test_collective(m, &m->processes[process], step, &event);
        if (event.kind != HOIST_EVENT_BLOCKED) {
            hoist_waits_wake(m, HOIST_BLOCK_COLLECTIVE, HOIST_NO_REF);
        }
    }
}

static void make_step(hoist_machine *m, hoist_process *p, const hoist_prog_step *step,
                      hoist_machine_event *event)
{
    HOIST_ASSERT(step->kind < HOIST_STEP_COUNT && !p->busy && p->meeting == SIZE_MAX);
    if (steps[step->kind]) {
        steps[step->kind](m, p, step, event);
    }
    // A call has moved on its caller's step itself; the callee begins at its first.
    if (event->kind == HOIST_EVENT_STEPPED && step->kind != HOIST_STEP_CALL) {
        go_on(p);
    }
}

// A unit between two calls, or at the end of one.
static void turn_unit(hoist_machine *m, hoist_process *p, hoist_machine_event *event)
{
    HOIST_ASSERT(p->unit != HOIST_NO_REF && (p->running || p->waiting > 0));
    if (p->running) {
        int64_t wrong = 0;
        const char *const text = hoist_process_complete(m, p, &wrong);
        set_fault(event, text, wrong);
    } else {
        set_status(event, hoist_process_take(m, p));
    }
}

hoist_machine_event hoist_machine_step(hoist_machine *machine, size_t process)
{
    hoist_process *p = &machine->processes[process];
    hoist_machine_event event;
    // Asked again even of ready processes: ready ones are only those that may be able to move.
    peek(machine, process, &event);
    const bool can = event.kind == HOIST_EVENT_STEPPED || event.kind == HOIST_EVENT_DATA;
    // Only a step that would be made is counted: a deadlock ends as one, however low the limit is.
    if (can && machine->max_steps > 0 && machine->steps >= machine->max_steps) {
        set_status(&event, HOIST_LIMIT);
        return event;
    }
    if (event.kind == HOIST_EVENT_DATA) {
        p->busy = true;
        machine->busy_count++;
        // No list has it: hoist_machine_finish() alone makes it ready again.
        hoist_process_sleep(machine, process, HOIST_BLOCK_NONE, HOIST_NO_REF);
        if (event.step->kind == HOIST_STEP_COLLECTIVE) {
            meet(machine, process);
        }
    } else if (event.kind == HOIST_EVENT_STEPPED) {
        const hoist_prog_step *step = hoist_machine_at(machine, process);
        p->waited = false;
        if (step) {
            make_step(machine, p, step, &event);
            // No step is left: a unit turns to its next call, or completes the one at hand. An
            // ended thread was sorted out by peek().
        } else {
            turn_unit(machine, p, &event);
        }
        arrive(machine, process);
    } else if (event.kind != HOIST_EVENT_FAULT) {
        hoist_process_sleep(machine, process, event.block, event.object);
    }
    machine->steps += can && event.kind != HOIST_EVENT_FAILED;
    // Sticky: the run is over, for other processes too (hoist_machine_start()).
    machine->faulted = machine->faulted || event.kind == HOIST_EVENT_FAULT;
    return event;
}

// Members other than the one that did the data step were asleep in the list of collectives.
static void finish_one(hoist_machine *m, size_t process)
{
    go_on(&m->processes[process]);
    hoist_process_wake(m, process);
    arrive(m, process);
}

void hoist_machine_finish(hoist_machine *machine, size_t process)
{
    hoist_process *p = &machine->processes[process];
    HOIST_ASSERT(process < machine->process_count && p->busy && machine->busy_count > 0);
    p->busy = false;
    machine->busy_count--;
    // Not a collective: `meeting` is SIZE_MAX then.
    if (p->meeting != process) {
        finish_one(machine, process);
        return;
    }
    for (size_t i = 0; i < machine->process_count; i++) {
        if (machine->processes[i].meeting == process) {
            machine->processes[i].meeting = SIZE_MAX;
            finish_one(machine, i);
        }
    }
}
