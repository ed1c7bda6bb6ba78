// One step of one process: peek tests whether it can be made and changes nothing, step makes it. A
// row per kind of step in each of two tables, tests and steps; both report a fault, a block with
// what is waited for, or a data step that the caller does and finishes.
#include "base/alloc.h"
#include "base/assert.h"
#include "machine/alu.h"
#include "machine/semaphore.h"
#include "machine/state.h"

static hoist_machine_event event_of(hoist_event_kind kind, const hoist_prog_step *step)
{
    return (hoist_machine_event){.kind = kind, .step = step, .object = HOIST_NO_REF};
}

static hoist_machine_event stepped(const hoist_prog_step *step)
{
    return event_of(HOIST_EVENT_STEPPED, step);
}

static hoist_machine_event blocked(const hoist_prog_step *step, hoist_block_kind block,
                                   hoist_ref object)
{
    hoist_machine_event event = event_of(HOIST_EVENT_BLOCKED, step);
    event.block = block;
    event.object = object;
    return event;
}

static hoist_machine_event fault(const hoist_prog_step *step, const char *text, int64_t value)
{
    hoist_machine_event event = event_of(HOIST_EVENT_FAULT, step);
    event.fault = text;
    event.value = value;
    return event;
}

static hoist_machine_event outcome(const hoist_prog_step *step, const char *text, int64_t value)
{
    return text ? fault(step, text, value) : stepped(step);
}

static hoist_machine_event outcome_of_status(const hoist_prog_step *step, hoist_status status)
{
    hoist_machine_event event = stepped(step);
    if (status != HOIST_OK) {
        event.kind = HOIST_EVENT_FAILED;
        event.status = status;
    }
    return event;
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

// Whether `process` waits to meet in `group`.
static bool is_there(const hoist_machine *m, size_t process, uint32_t group)
{
    const hoist_prog_collective *c = collective_at(m, process);
    return c && c->group == group && m->processes[process].meeting == SIZE_MAX;
}

// What is wrong between a member and the others that are there; NULL: nothing.
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

static hoist_machine_event test_collective(const hoist_machine *m, const hoist_process *p,
                                           const hoist_prog_step *step)
{
    const hoist_prog_collective *mine = step->as.collective;
    const size_t process = (size_t)(p - m->processes);
    HOIST_ASSERT(mine && process < m->process_count);
    const char *text = disagreement(m, process, mine);
    if (text) {
        return fault(step, text, (int64_t)mine->rank);
    }
    size_t there = m->outside.members ? m->outside.members(m->outside.self, mine, &text) : 0;
    if (text) {
        return fault(step, text, (int64_t)mine->rank);
    }
    for (size_t i = 0; i < m->process_count; i++) {
        there += is_there(m, i, mine->group);
    }
    return there < mine->members ? blocked(step, HOIST_BLOCK_COLLECTIVE, mine->group)
                                 : event_of(HOIST_EVENT_DATA, step);
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

static hoist_machine_event test_wait(const hoist_machine *m, const hoist_process *p,
                                     const hoist_prog_step *step)
{
    HOIST_ASSERT(step->as.wait.semaphore < m->program->semaphore_count);
    const int64_t count = m->semaphores[step->as.wait.semaphore];
    const int64_t expected = hoist_process_value(m, p, step->as.wait.value);
    return hoist_compare_holds(step->as.wait.compare, count, expected)
               ? stepped(step)
               : blocked(step, HOIST_BLOCK_SEMAPHORE, step->as.wait.semaphore);
}

static hoist_machine_event test_post(const hoist_machine *m, const hoist_process *p,
                                     const hoist_prog_step *step)
{
    HOIST_ASSERT(step->as.call.unit < m->program->unit_count);
    const hoist_process *unit = &m->processes[m->thread_count + step->as.call.unit];
    int64_t index = 0;
    if (hoist_process_callee(m, p, &step->as.call.target, &index) == HOIST_NO_REF) {
        return fault(step, "the index of a post is outside its table", index);
    }
    const uint32_t own = m->program->units[step->as.call.unit].depth;
    const uint32_t depth = m->unit_depth > 0 ? m->unit_depth : own;
    return unit->waiting < depth ? stepped(step)
                                 : blocked(step, HOIST_BLOCK_UNIT_FULL, step->as.call.unit);
}

static hoist_machine_event test_fifo(hoist_fifo_result result, const hoist_prog_step *step,
                                     hoist_block_kind block)
{
    if (result.answer == HOIST_FIFO_WRONG) {
        return fault(step, result.fault, 0);
    }
    return result.answer == HOIST_FIFO_WAIT ? blocked(step, block, step->as.fifo.fifo)
                                            : stepped(step);
}

static hoist_machine_event test_zero(const hoist_machine *m, const hoist_prog_step *step)
{
    const hoist_fifo_result result = hoist_fifo_zero(&m->fifos[step->as.fifo.fifo]);
    return result.answer == HOIST_FIFO_DONE ? event_of(HOIST_EVENT_DATA, step)
                                            : fault(step, result.fault, 0);
}

// Whether the step can be made now; most can always be.
static hoist_machine_event test(const hoist_machine *m, const hoist_process *p,
                                const hoist_prog_step *step)
{
    switch (step->kind) {
    case HOIST_STEP_POST:
        return test_post(m, p, step);
    case HOIST_STEP_DRAIN:
        return hoist_machine_posted(m, step->as.call.unit) == 0
                   ? stepped(step)
                   : blocked(step, HOIST_BLOCK_DRAIN, step->as.call.unit);
    case HOIST_STEP_WAIT:
        return test_wait(m, p, step);
    case HOIST_STEP_RESERVE:
        return test_fifo(hoist_fifo_reserve(&m->fifos[step->as.fifo.fifo]), step,
                         HOIST_BLOCK_FIFO_FULL);
    case HOIST_STEP_AWAIT:
        return test_fifo(hoist_fifo_await(&m->fifos[step->as.fifo.fifo]), step,
                         HOIST_BLOCK_FIFO_EMPTY);
    case HOIST_STEP_ZERO:
        return test_zero(m, step);
    case HOIST_STEP_MOVE:
    case HOIST_STEP_COMPUTE:
    case HOIST_STEP_OPAQUE:
        return event_of(HOIST_EVENT_DATA, step);
    case HOIST_STEP_COLLECTIVE:
        return test_collective(m, p, step);
    default:
        return stepped(step);
    }
}

hoist_machine_event hoist_machine_peek(const hoist_machine *machine, size_t process)
{
    HOIST_ASSERT(process < machine->process_count);
    const hoist_process *p = &machine->processes[process];
    const hoist_prog_step *step = hoist_machine_at(machine, process);
    if (p->busy) {
        return blocked(step, HOIST_BLOCK_NONE, HOIST_NO_REF);
    }
    if (p->meeting != SIZE_MAX) {
        return blocked(step, HOIST_BLOCK_COLLECTIVE, step->as.collective->group);
    }
    if (step) {
        return test(machine, p, step);
    }
    if (p->running) {
        return stepped(p->current.post);
    }
    return p->waiting > 0 ? stepped(p->ring[p->first].post) : event_of(HOIST_EVENT_ENDED, NULL);
}

// Steps -----------------------------------------------------------------------------------------

// What a step does; the process then goes on with the next one.
static hoist_machine_event do_alu(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
{
    int64_t *registers = hoist_process_registers(m, p);
    int64_t *destination = &registers[step->as.alu.destination];
    const int64_t a = hoist_process_value(m, p, step->as.alu.a);
    const int64_t b = hoist_process_value(m, p, step->as.alu.b);
    int64_t result = 0;
    if (!hoist_alu(step->as.alu.op, *destination, a, b, &result)) {
        return fault(step, "incwrap wraps at 0", 0);
    }
    *destination = result;
    return stepped(step);
}

static hoist_machine_event do_loop(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
{
    const int64_t count = hoist_process_value(m, p, step->as.loop.count);
    if (count <= 0 && step->as.loop.must_run) {
        return fault(step, "the count of a loop is below 1", count);
    }
    if (count <= 0) {
        hoist_process_top(p)->step = step->as.loop.end;
        return stepped(step);
    }
    if (!hoist_grow(m->alloc, (void **)&p->loops, &p->loop_capacity, p->loop_count + 1,
                    sizeof *p->loops)) {
        return outcome_of_status(step, HOIST_NO_MEMORY);
    }
    p->loops[p->loop_count++] = count;
    return stepped(step);
}

static hoist_machine_event do_end(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
{
    (void)m;
    HOIST_ASSERT(p->loop_count > hoist_process_top(p)->loops && p->loops[p->loop_count - 1] > 0);
    if (--p->loops[p->loop_count - 1] > 0) {
        hoist_process_top(p)->step = step->as.end.begin;
    } else {
        p->loop_count--;
    }
    return stepped(step);
}

static hoist_machine_event do_branch(hoist_machine *m, hoist_process *p,
                                     const hoist_prog_step *step)
{
    HOIST_ASSERT(step->as.branch.target_step <= hoist_process_top(p)->code->step_count);
    const int64_t a = hoist_process_value(m, p, step->as.branch.a);
    const int64_t b = hoist_process_value(m, p, step->as.branch.b);
    if (hoist_compare_holds(step->as.branch.compare, a, b)) {
        hoist_process_top(p)->step = step->as.branch.target_step - 1; // the next one is the target
    }
    return stepped(step);
}

// The caller's place moves on with the call: the step after it is the callee's first.
static hoist_machine_event do_call(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
{
    int64_t index = 0;
    const hoist_ref function = hoist_process_callee(m, p, &step->as.call.target, &index);
    if (function == HOIST_NO_REF) {
        return fault(step, "the index of a call is outside its table", index);
    }
    if (p->frame_count >= HOIST_MACHINE_MAX_DEPTH) {
        return fault(step, "calls are nested too deeply", HOIST_MACHINE_MAX_DEPTH);
    }
    return outcome_of_status(step, hoist_process_call(m, p, function, &step->as.call.target));
}

static hoist_machine_event do_post(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
{
    int64_t index = 0;
    const hoist_ref function = hoist_process_callee(m, p, &step->as.call.target, &index);
    HOIST_ASSERT(function != HOIST_NO_REF);
    return outcome_of_status(step, hoist_process_post(m, p, function, step));
}

static hoist_machine_event do_wait(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
{
    const hoist_ref semaphore = step->as.wait.semaphore;
    const int64_t value = hoist_process_value(m, p, step->as.wait.then_value);
    int64_t wrong = 0;
    const char *text =
        hoist_semaphore_then(&m->program->semaphores[semaphore], &m->semaphores[semaphore],
                             step->as.wait.then, value, &wrong);
    if (step->as.wait.then != HOIST_THEN_NOTHING) {
        hoist_waits_wake(m, HOIST_BLOCK_SEMAPHORE, semaphore);
    }
    return outcome(step, text, wrong);
}

static hoist_machine_event do_signal(hoist_machine *m, hoist_process *p,
                                     const hoist_prog_step *step)
{
    const hoist_prog_signal *signal = &step->as.signal;
    const int64_t value = hoist_process_value(m, p, signal->value);
    int64_t wrong = 0;
    const char *text =
        hoist_semaphore_signal(&m->program->semaphores[signal->semaphore],
                               &m->semaphores[signal->semaphore], signal->op, value, &wrong);
    hoist_waits_wake(m, HOIST_BLOCK_SEMAPHORE, signal->semaphore);
    return outcome(step, text, wrong);
}

static hoist_machine_event do_fifo(hoist_machine *m, hoist_process *p, const hoist_prog_step *step)
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
    hoist_waits_wake(m, HOIST_BLOCK_FIFO_EMPTY, step->as.fifo.fifo);
    return outcome(step, result.fault, value);
}

typedef hoist_machine_event (*step_function)(hoist_machine *m, hoist_process *p,
                                             const hoist_prog_step *step);

// NULL: nothing but the test.
static const step_function steps[HOIST_STEP_COUNT] = {
    [HOIST_STEP_ALU] = do_alu,       [HOIST_STEP_LOOP] = do_loop,
    [HOIST_STEP_END] = do_end,       [HOIST_STEP_BRANCH] = do_branch,
    [HOIST_STEP_CALL] = do_call,     [HOIST_STEP_POST] = do_post,
    [HOIST_STEP_WAIT] = do_wait,     [HOIST_STEP_SIGNAL] = do_signal,
    [HOIST_STEP_PUSH] = do_fifo,     [HOIST_STEP_ADVANCE] = do_fifo,
    [HOIST_STEP_POP] = do_fifo,      [HOIST_STEP_SET_POINTER] = do_fifo,
    [HOIST_STEP_ALLOCATE] = do_fifo, [HOIST_STEP_FREE] = do_fifo,
};

static void go_on(hoist_process *p)
{
    hoist_process_top(p)->step++;
    hoist_process_unwind(p);
}

// `process` has moved. Where it completes a collective, or disagrees, it does so for all that are
// there: any of them may then be the one that goes on.
static void arrive(hoist_machine *m, size_t process)
{
    const hoist_prog_step *step = hoist_machine_at(m, process);
    if (step && step->kind == HOIST_STEP_COLLECTIVE &&
        test_collective(m, &m->processes[process], step).kind != HOIST_EVENT_BLOCKED) {
        hoist_waits_wake(m, HOIST_BLOCK_COLLECTIVE, HOIST_NO_REF);
    }
}

static hoist_machine_event make_step(hoist_machine *m, hoist_process *p,
                                     const hoist_prog_step *step)
{
    HOIST_ASSERT(step->kind < HOIST_STEP_COUNT && !p->busy && p->meeting == SIZE_MAX);
    hoist_machine_event event = stepped(step);
    if (steps[step->kind]) {
        event = steps[step->kind](m, p, step);
    }
    if (event.kind == HOIST_EVENT_STEPPED && step->kind != HOIST_STEP_CALL) {
        go_on(p);
    }
    return event;
}

// A unit between two calls, or at the end of one.
static hoist_machine_event turn_unit(hoist_machine *m, hoist_process *p)
{
    HOIST_ASSERT(p->unit != HOIST_NO_REF && (p->running || p->waiting > 0));
    if (p->running) {
        const hoist_prog_step *const completed = p->current.post;
        int64_t wrong = 0;
        const char *const text = hoist_process_complete(m, p, &wrong);
        return outcome(completed, text, wrong);
    }
    const hoist_prog_step *const post = p->ring[p->first].post; // taking it empties the slot
    return outcome_of_status(post, hoist_process_take(m, p));
}

hoist_machine_event hoist_machine_step(hoist_machine *machine, size_t process)
{
    hoist_process *p = &machine->processes[process];
    hoist_machine_event event = hoist_machine_peek(machine, process);
    const bool can = event.kind == HOIST_EVENT_STEPPED || event.kind == HOIST_EVENT_DATA;
    if (can && machine->max_steps > 0 && machine->steps >= machine->max_steps) {
        return outcome_of_status(event.step, HOIST_LIMIT);
    }
    if (event.kind == HOIST_EVENT_DATA) {
        p->busy = true;
        machine->busy_count++;
        hoist_process_sleep(machine, process, HOIST_BLOCK_NONE, HOIST_NO_REF);
        if (event.step->kind == HOIST_STEP_COLLECTIVE) {
            meet(machine, process);
        }
    } else if (event.kind == HOIST_EVENT_STEPPED) {
        const hoist_prog_step *step = hoist_machine_at(machine, process);
        event = step ? make_step(machine, p, step) : turn_unit(machine, p);
        arrive(machine, process);
    } else if (event.kind != HOIST_EVENT_FAULT) {
        hoist_process_sleep(machine, process, event.block, event.object);
    }
    machine->steps += can && event.kind != HOIST_EVENT_FAILED;
    machine->faulted = machine->faulted || event.kind == HOIST_EVENT_FAULT;
    return event;
}

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
