// The machine with a clock, a discrete event simulation: all control that can be done now is done,
// then the data step that ends first is finished, and the time is its end. In: a machine that was
// started, and what steps need. Out: a span for each data step. Neighbour: machine/schedule.h runs
// without time.
#include "cost/clock.h"

#include "base/alloc.h"
#include "base/span.h"

typedef struct running {
    double end;                  // of the step that is under way
    const hoist_prog_step *post; // the last one that it made, or that its call came from
} running;

typedef struct simulation {
    hoist_clock *clock;
    hoist_machine *machine;
    running *processes; // owned
    size_t count;
    size_t *heap; // owned: processes whose step is under way, a binary heap: the first ends first
    size_t busy;  // of them
    double available[HOIST_CLOCK_RESOURCES]; // when each resource is
} simulation;

// By the end of the step, then by number.
static bool ends_before(const simulation *s, size_t a, size_t b)
{
    const double x = s->processes[a].end;
    const double y = s->processes[b].end;
    return x < y || (x <= y && a < b);
}

static void push(simulation *s, size_t process)
{
    size_t at = s->busy++;
    while (at > 0 && ends_before(s, process, s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = process;
}

// Takes the first one; there is one.
static size_t pop(simulation *s)
{
    const size_t first = s->heap[0];
    const size_t last = s->heap[--s->busy];
    size_t at = 0;
    for (size_t child = 1; child < s->busy; child = 2 * at + 1) {
        if (child + 1 < s->busy && ends_before(s, s->heap[child + 1], s->heap[child])) {
            child++;
        }
        if (!ends_before(s, s->heap[child], last)) {
            break;
        }
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return first;
}

static hoist_status begin(simulation *s, size_t process, const hoist_prog_step *step)
{
    hoist_clock *const clock = s->clock;
    const hoist_clock_need need = clock->need(clock->self, s->machine, process, step);
    hoist_clock_span span = {.step = step,
                             .process = process,
                             .post = s->processes[process].post,
                             .ready = clock->now,
                             .begin = clock->now};
    double *const available =
        need.resource < HOIST_CLOCK_RESOURCES ? &s->available[need.resource] : NULL;
    if (available && *available > span.begin) {
        span.begin = *available;
    }
    span.end = span.begin + need.seconds;
    if (available) {
        *available = span.end;
    }
    s->processes[process].end = span.end;
    push(s, process);
    return clock->span(clock->self, &span);
}

// Everything that can be done now, by each process as far as it goes.
static hoist_status advance(simulation *s, hoist_diag *diag, hoist_outcome *out_outcome)
{
    size_t process = 0;
    bool goes_on = false;
    while (goes_on || hoist_machine_next(s->machine, process, &process)) {
        HOIST_TRY(hoist_deadline_look(s->clock->deadline));
        const hoist_machine_event event = hoist_machine_step(s->machine, process);
        goes_on = event.kind == HOIST_EVENT_STEPPED;
        if (event.kind == HOIST_EVENT_DATA) {
            HOIST_TRY(begin(s, process, event.step));
        } else if (goes_on && event.step && event.step->kind == HOIST_STEP_POST) {
            s->processes[process].post = event.step;
        } else if (event.kind == HOIST_EVENT_FAULT) {
            hoist_report_fault(s->machine, process, &event, diag);
            *out_outcome = HOIST_OUTCOME_FAULT;
            return HOIST_OK;
        } else if (event.kind == HOIST_EVENT_FAILED) {
            *out_outcome = HOIST_OUTCOME_LIMIT;
            return event.status == HOIST_LIMIT ? HOIST_OK : event.status;
        }
    }
    return HOIST_OK;
}

// The step that ends first, of several that of the first process. False: none is under way.
static bool finish_first(simulation *s)
{
    if (s->busy == 0) {
        return false;
    }
    const size_t first = pop(s);
    s->clock->now = s->processes[first].end;
    hoist_machine_finish(s->machine, first);
    return true;
}

// Whether the run goes on because its surroundings have changed.
static bool is_helped(simulation *s)
{
    return s->clock->idle && !hoist_machine_is_done(s->machine) &&
           s->clock->idle(s->clock->self, s->machine);
}

static hoist_status simulate(simulation *s, hoist_diag *diag, hoist_outcome *out_outcome)
{
    *out_outcome = HOIST_OUTCOME_DONE;
    do {
        HOIST_TRY(advance(s, diag, out_outcome));
    } while (*out_outcome == HOIST_OUTCOME_DONE && (finish_first(s) || is_helped(s)));
    if (*out_outcome == HOIST_OUTCOME_DONE && !hoist_machine_is_done(s->machine)) {
        hoist_report_deadlock(s->machine, diag);
        *out_outcome = HOIST_OUTCOME_DEADLOCK;
    }
    return HOIST_OK;
}

hoist_status hoist_clock_run(hoist_clock *clock, hoist_machine *machine, hoist_diag *diag,
                             hoist_outcome *out_outcome)
{
    simulation s = {
        .clock = clock, .machine = machine, .count = hoist_machine_process_count(machine)};
    s.processes = hoist_alloc_zero(clock->alloc, s.count + 1, sizeof(s.processes[0]));
    s.heap = hoist_alloc_zero(clock->alloc, s.count + 1, sizeof(s.heap[0]));
    const hoist_status status =
        s.processes && s.heap ? simulate(&s, diag, out_outcome) : HOIST_NO_MEMORY;
    hoist_free(clock->alloc, s.processes, (s.count + 1) * sizeof(s.processes[0]));
    hoist_free(clock->alloc, s.heap, (s.count + 1) * sizeof(s.heap[0]));
    return status;
}
