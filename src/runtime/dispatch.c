// The threads of a session: they move the machine's control under the lock, and work on data
// without it. A data step that the machine hands out is made ready (work.h), cut into units that
// any worker takes, and finished under the lock again.
#include "base/assert.h"
#include "base/buffer.h"
#include "base/progress.h"
#include "runtime/session.h"

// Data steps that its work is: those of a group, or one.
static uint32_t steps_of(const hoist_lane *lane)
{
    return lane->open->work.kind == HOIST_WORK_GROUP && !lane->opaque
               ? lane->open->work.group->count
               : 1;
}

// The process is no longer at its data step, whether that was done or not.
static void end_step(hoist_session *session, size_t process)
{
    HOIST_ASSERT(hoist_process_set_has(&session->busy, process));
    hoist_process_set_remove(&session->busy, process);
    if (session->profiler) {
        const hoist_lane *lane = &session->lanes[process];
        // A clock costs as much as an event: the end of the last piece was read already.
        hoist_profiler_end_step(session->profiler, lane->open->profiled, steps_of(lane),
                                lane->open->ended > 0 ? lane->open->ended : hoist_now());
    }
}

// The memory of a step that has ended is for the next one of any process.
static void give_back(hoist_session *session, hoist_lane *lane)
{
    hoist_open_steps_give(&session->open_steps, lane->open);
    lane->open = NULL;
}

// Leaves steps that a deadline has stopped as they are: no worker goes on with them.
static void drop_stopped(hoist_session *session)
{
    // Backwards, as each that is dropped leaves the set.
    for (size_t i = hoist_process_set_count(&session->busy); i-- > 0;) {
        const size_t process = hoist_process_set_at(&session->busy, i);
        if (session->lanes[process].stopped) {
            end_step(session, process);
            give_back(session, &session->lanes[process]);
        }
    }
}

void hoist_session_end_run(hoist_session *session, hoist_status status)
{
    if (session->running) {
        // The others hear of a failure, and may know a better reason for it.
        status = hoist_remote_end_run(session, status);
        session->running = false;
        hoist_stage_end(session->options.deadline, session->has_stage);
        session->has_stage = false;
        drop_stopped(session);
        // Why it failed could not be kept: then memory is what it failed for.
        const bool untold = status != HOIST_OK && hoist_diag_incomplete(session->diag);
        session->outcome = untold ? HOIST_NO_MEMORY : status;
        for (size_t i = 0; i < session->lane_count; i++) {
            // In the order of processes, so that the first one does not depend on who was faster.
            hoist_undefined_add(&session->seen, &session->lanes[i].seen);
        }
        const double now = hoist_now();
        session->counts.seconds += now - session->began;
        if (session->profiler) {
            hoist_profiler_end_run(session->profiler, now, session->counts.control_steps);
        }
    }
    (void)pthread_cond_broadcast(&session->ended);
    hoist_session_wake(session);
}

// The step of a failure, for its message: "step 'matmul_2'".
static hoist_str label_of(const hoist_prog_step *step)
{
    return step && step->label.size ? step->label : HOIST_STR("(no name)");
}

// Where the file has the step.
static hoist_loc place_of(const hoist_prog_step *step)
{
    return step ? step->loc : hoist_loc_none();
}

// Control that cannot go on, such as an index outside its table.
static void fail_fault(hoist_session *session, const hoist_machine_event *event)
{
    hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_FAULT), place_of(event->step),
                 "step '%.*s' cannot be done: %s (value %lld)",
                 HOIST_STR_ARGS(label_of(event->step)), event->fault, (long long)event->value);
    hoist_session_end_run(session, HOIST_INVALID);
}

// Memory for calls, or the limit of steps.
static void fail_status(hoist_session *session, const hoist_machine_event *event)
{
    if (event->status == HOIST_LIMIT) {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_TIME),
                     place_of(event->step), "the run has not ended after %llu control %s",
                     (unsigned long long)session->options.max_steps,
                     hoist_plural(session->options.max_steps, "step", "steps"));
        hoist_report_waits(session->machine, hoist_runtime_rule_row(HOIST_RUNTIME_TIME),
                           session->diag);
    }
    hoist_session_end_run(session, event->status);
}

// The name of the buffer or fifo that an input of a step is in; empty where only the call of the
// function says which one it is.
static hoist_str input_name(const hoist_program *program, const hoist_prog_compute *compute,
                            unsigned input)
{
    const hoist_prog_view *view = &program->views[compute->inputs[input]];
    switch (view->base) {
    case HOIST_VIEW_BUFFER:
        return program->buffers[view->of].name;
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
        return program->fifos[view->of].name;
    case HOIST_VIEW_PARAMETER:
    case HOIST_VIEW_SPACE:
        break;
    }
    return HOIST_STR("");
}

// "2 at [0, 0, 1] of input 0 't1', expected 7", as far as the kernel knows it.
static void write_fault(const hoist_program *program, const hoist_prog_step *step,
                        const hoist_compute_fault *fault, hoist_buffer *out)
{
    const int digits = fault->has_expected ? 10 : 6; // of 32-bit integers, which differ in any
    hoist_buffer_format(out, "%.*g at [%llu, %llu, %llu]", digits, fault->value,
                        (unsigned long long)fault->z, (unsigned long long)fault->row,
                        (unsigned long long)fault->col);
    if (fault->operand > 0) {
        const hoist_str name = input_name(program, step->as.compute, fault->operand - 1);
        hoist_buffer_format(out, " of input %u", fault->operand - 1);
        if (name.size) {
            hoist_buffer_format(out, " '%.*s'", HOIST_STR_ARGS(name));
        }
    }
    if (fault->has_expected) {
        hoist_buffer_format(out, ", expected %.*g", digits, fault->expected);
    }
}

// A kernel that stopped: arithmetic has an element and a value, all else only a status.
static void fail_work(hoist_session *session, const hoist_lane *lane)
{
    const hoist_prog_step *step = lane->failed;
    if (lane->status == HOIST_INVALID && lane->fault.what) {
        hoist_buffer text;
        hoist_buffer_init(&text, session->alloc);
        write_fault(session->program, step, &lane->fault, &text);
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_ARITHMETIC),
                     place_of(step), "step '%.*s': %s: %.*s", HOIST_STR_ARGS(label_of(step)),
                     lane->fault.what, HOIST_STR_ARGS(hoist_buffer_text(&text)));
        hoist_buffer_deinit(&text);
    } else {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), place_of(step),
                     "step '%.*s' failed: %s", HOIST_STR_ARGS(label_of(step)),
                     hoist_status_name(lane->status));
    }
    hoist_session_end_run(session, lane->status);
}

// Data ----------------------------------------------------------------------------------------

// Units that a thread takes at a time: a share, so that others get theirs, and so that a run that
// ends meanwhile is seen.
static size_t portion(const hoist_session *session, const hoist_lane *lane)
{
    const size_t workers = session->worker_count ? session->worker_count : 1;
    // About four portions for each worker: the last ones end at nearly the same time.
    const size_t share = lane->open->work.units / (4 * workers);
    return share ? share : 1;
}

hoist_status hoist_session_stopped(hoist_session *session)
{
    return atomic_load_explicit(&session->cancel, memory_order_relaxed)
               ? HOIST_CANCELLED
               : hoist_deadline_look(session->options.deadline);
}

// Cancelled, or out of time.
static bool is_stopped(hoist_session *session)
{
    return hoist_session_stopped(session) != HOIST_OK;
}

// Ends the run of a session that has to stop; a deadline is reported, with who was waiting for
// what.
static void end_stopped(hoist_session *session)
{
    const hoist_status why = hoist_session_stopped(session);
    HOIST_ASSERT(!session->running || why != HOIST_OK);
    if (why == HOIST_LIMIT && session->running) {
        const hoist_rule *const rule = hoist_runtime_rule_row(HOIST_RUNTIME_TIME);
        hoist_report(session->diag, rule, hoist_loc_none(),
                     "the time limit was reached %.3g s after the run began",
                     hoist_now() - session->began);
        hoist_report_waits(session->machine, rule, session->diag);
    }
    hoist_session_end_run(session, why);
}

// Asked by what works without the lock.
static bool is_unwanted(void *self)
{
    const hoist_lane *const lane = self;
    return is_stopped(lane->session) || (lane->until >= 0 && hoist_now() >= lane->until);
}

// Which worker this is; a caller who does everything alone is the first.
static size_t own_worker(const hoist_session *session)
{
    const pthread_t self = pthread_self();
    // Few workers, and a call for each step that is begun: a search costs nothing.
    for (uint32_t i = 0; i < session->worker_count; i++) {
        if (pthread_equal(session->workers[i], self)) {
            return i;
        }
    }
    return 0;
}

// What a worker has done without the lock.
typedef struct piece {
    size_t begin;
    size_t count;
    hoist_status status;
    hoist_compute_fault fault;
    double began;   // if timed
    double seconds; // if timed
    hoist_blocks_outcome blocks;
} piece;

// Does the units of a piece, without the lock, by whatever does this kind of work.
static void run_piece(hoist_session *session, const hoist_lane *lane,
                      const hoist_work_context *context, bool is_timed, piece *p)
{
    const hoist_work *work = &lane->open->work;
    p->began = is_timed ? hoist_now() : 0;
    p->fault.what = NULL;
    if (lane->opaque) {
        p->status = hoist_opaque_run(session, lane->opaque);
    } else if (work->kind == HOIST_WORK_GROUP) {
        const hoist_blocks blocks = {.group = work->group,
                                     .steps = work->steps,
                                     .kernels = context->kernels,
                                     .scratch = context->scratch,
                                     .is_timed = is_timed};
        p->status = hoist_blocks_run(&blocks, p->begin, p->begin + p->count, &p->blocks);
    } else {
        p->status = hoist_work_run(context, work, p->begin, p->begin + p->count, &p->fault);
    }
    p->seconds = is_timed ? hoist_now() - p->began : 0;
}

// Adds a piece to the rows of its steps and of its worker.
static void profile_piece(hoist_profiler *profiler, const hoist_lane *lane, const piece *p,
                          size_t worker)
{
    const bool grouped = lane->open->work.kind == HOIST_WORK_GROUP && !lane->opaque;
    const hoist_profiled_piece done = {.worker = worker,
                                       .began = p->began,
                                       .seconds = p->seconds,
                                       .each = grouped ? p->blocks.seconds : NULL};
    const double end = p->began + p->seconds;
    lane->open->ended = end > lane->open->ended ? end : lane->open->ended;
    hoist_profiler_work(profiler, lane->open->profiled, steps_of(lane), &done);
}

// Of several failures the one that would have come first.
static void note_failure(hoist_lane *lane, const piece *p)
{
    const bool grouped = lane->open->work.kind == HOIST_WORK_GROUP;
    // In a group all blocks of a step come before those of the next one, as without a group.
    const uint64_t at =
        grouped ? p->blocks.step * lane->open->work.group->blocks + p->blocks.block : p->begin;
    if (lane->status == HOIST_OK || at < lane->failed_at) {
        lane->status = p->status;
        lane->failed_at = at;
        lane->failed =
            grouped ? &lane->open->work.group->steps[p->blocks.step] : lane->open->work.step;
        lane->fault = p->fault;
    }
}

// Does units of an open step until none is left to take, or the run has ended, when no worker needs
// the rest. Holds the lock but while it works.
static void work_on(hoist_session *session, size_t process)
{
    hoist_lane *lane = &session->lanes[process];
    hoist_work_context context = hoist_session_context(session);
    hoist_profiler *profiler = session->profiler;
    const size_t worker = own_worker(session);
    context.stop = &lane->stop;
    context.scratch = hoist_scratch_of(&session->scratch, worker);
    // The kernel itself looks at it, as the lock is not held meanwhile.
    lane->until = session->deadline;
    HOIST_ASSERT(lane->next <= lane->open->work.units);
    HOIST_ASSERT(lane->left >= lane->open->work.units - lane->next);
    while (lane->next < lane->open->work.units) {
        // What no worker has taken is left out; pieces that others have begun still come to their
        // end.
        if (!session->running || is_stopped(session)) {
            lane->left -= lane->open->work.units - lane->next;
            lane->next = lane->open->work.units;
            lane->is_whole = false;
            break;
        }
        const size_t left = lane->open->work.units - lane->next;
        const size_t share = portion(session, lane);
        piece p = {.begin = lane->next, .count = share < left ? share : left};
        HOIST_ASSERT(p.count > 0);
        // Taken while the lock is held: no other worker gets these units.
        lane->next += p.count;
        (void)pthread_mutex_unlock(&session->lock);
        if (session->before_work) {
            session->before_work(session->before_work_self, lane->open->work.step);
        }
        run_piece(session, lane, &context, profiler != NULL, &p);
        hoist_lock_soon(&session->lock);
        if (profiler) {
            profile_piece(profiler, lane, &p, worker);
        }
        // The kernel was asked to stop and knows how far it came: its unit is given back, to be
        // gone on with.
        if (p.status == HOIST_CANCELLED && !lane->opaque) {
            lane->next = p.begin;
            lane->stopped = session->running && !is_stopped(session);
            if (lane->stopped) {
                return;
            }
            continue;
        }
        if (p.status != HOIST_OK) {
            note_failure(lane, &p);
        } else {
            // Units may end in any order; the lowest one stays.
            hoist_undefined_note(&lane->seen_now, lane->open->work.step, p.begin, &p.fault);
        }
        HOIST_ASSERT(lane->left >= p.count);
        lane->left -= p.count;
    }
}

// Steps that several threads do together, and those that a callback does, do not count.
// Tells who watches the run how many data steps are done.
static void count_done(hoist_session *session, const hoist_lane *lane)
{
    const bool counts = !lane->opaque && lane->open->work.step->kind != HOIST_STEP_COLLECTIVE;
    if (session->has_stage && counts) {
        session->data_steps += steps_of(lane);
        hoist_stage_set(session->options.deadline, session->data_steps);
    }
}

// The process goes on after the data step, or after all steps of a group.
static void pass_steps(hoist_session *session, size_t process, const hoist_work *work)
{
    const uint32_t count = work->kind == HOIST_WORK_GROUP ? work->group->count : 1;
    hoist_machine_finish(session->machine, process);
    for (uint32_t i = 1; i < count; i++) {
        // Nothing is between the steps of a group: each step of control is the next data step.
        const hoist_machine_event event = hoist_machine_step(session->machine, process);
        HOIST_ASSERT(event.kind == HOIST_EVENT_DATA && event.step == &work->group->steps[i]);
        (void)event;
        hoist_machine_finish(session->machine, process);
    }
}

// The last unit is done: the machine goes on. After the end of the run neither the machine nor the
// program is touched, because a session that was closed in the meantime may have lost them.
static void finish(hoist_session *session, size_t process)
{
    hoist_lane *lane = &session->lanes[process];
    HOIST_ASSERT(lane->left == 0);
    end_step(session, process);
    hoist_undefined_add(&lane->seen, &lane->seen_now);
    const bool opaque = session->running && lane->opaque;
    // What the function of the caller has answered may mean that the policy decides.
    if (opaque) {
        lane->status = hoist_opaque_end(session, process, lane->status);
    }
    if (opaque && lane->status != HOIST_OK) {
        hoist_session_end_run(session, lane->status);
    } else if (session->running && lane->status != HOIST_OK) {
        fail_work(session, lane);
    } else if (session->running && lane->is_whole) {
        count_done(session, lane);
        pass_steps(session, process, &lane->open->work);
    } else {
        end_stopped(session);
    }
    give_back(session, lane);
    hoist_session_wake(session);
}

// The group that `step` begins. Marks of unknown bytes go from step to step, so then there is none.
static const hoist_group *group_at(const hoist_session *session, const hoist_prog_step *step)
{
    // Marks are carried before the bytes are: sources may be overwritten by the step itself.
    return hoist_shadow_is_open(&session->shadow) ? NULL : hoist_group_at(&session->groups, step);
}

// Makes a step or group ready. What fails is reported.
static hoist_status prepare_work(hoist_session *session, size_t process,
                                 const hoist_prog_step *step)
{
    hoist_lane *lane = &session->lanes[process];
    const hoist_work_context context = hoist_session_context(session);
    const hoist_group *group = group_at(session, step);
    const char *why = "";
    if (step->kind == HOIST_STEP_OPAQUE) {
        return hoist_opaque_begin(session, process, step);
    }
    const hoist_status status =
        group ? hoist_work_prepare_group(&context, process, group, &lane->open->work, &step, &why)
              : hoist_work_prepare(&context, process, step, &lane->open->work, &why);
    if (status != HOIST_OK) {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), place_of(step),
                     "step '%.*s' cannot be done: %s", HOIST_STR_ARGS(label_of(step)), why);
        return status;
    }
    return hoist_shadow_is_open(&session->shadow)
               ? hoist_session_shadowed(
                     session, step,
                     hoist_shadow_carry(&session->shadow, &context, &lane->open->work))
               : HOIST_OK;
}

// Notes what begins, for counts and the profile.
static void count_work(hoist_session *session, size_t process, const hoist_prog_step *step)
{
    hoist_lane *lane = &session->lanes[process];
    const bool grouped = lane->open->work.kind == HOIST_WORK_GROUP && !lane->opaque;
    session->counts.computes += (grouped ? lane->open->work.group->count : 1) -
                                (step->kind != HOIST_STEP_COMPUTE); // of a group the first
    session->counts.moves += step->kind == HOIST_STEP_MOVE;
    lane->open->ended = 0;
    if (session->profiler && grouped) {
        hoist_profiler_begin_group(session->profiler, process, &lane->open->work,
                                   lane->open->profiled);
    } else if (session->profiler) {
        hoist_profiler_begin_step(session->profiler, process, &lane->open->work, lane->opaque,
                                  &session->store, &lane->open->profiled[0]);
    }
}

// Makes the data step ready at which a process is, for all workers. False: the run has ended.
static bool begin_work(hoist_session *session, size_t process, const hoist_prog_step *step)
{
    hoist_lane *lane = &session->lanes[process];
    HOIST_ASSERT(session->running && !hoist_process_set_has(&session->busy, process));
    lane->open = hoist_open_steps_take(&session->open_steps, session->alloc);
    const hoist_status status = lane->open ? prepare_work(session, process, step) : HOIST_NO_MEMORY;
    if (status != HOIST_OK) {
        give_back(session, lane);
        hoist_session_end_run(session, status);
        return false;
    }
    hoist_process_set_add(&session->busy, process);
    lane->next = 0;
    lane->left = lane->open->work.units;
    lane->is_whole = true;
    lane->stopped = false;
    lane->stop = (hoist_move_stop){.is_wanted = is_unwanted, .self = lane};
    lane->session = session;
    lane->status = HOIST_OK;
    lane->failed_at = 0;
    lane->failed = step;
    lane->fault.what = NULL;
    count_work(session, process, step);
    // One unit is done by this thread itself.
    if (lane->open->work.units > 1 && session->waiting > 0) {
        hoist_session_wake(session);
    }
    return true;
}

// Works on the step of a process, and ends it when no unit is left.
static void do_work(hoist_session *session, size_t process)
{
    work_on(session, process);
    // Another worker may have ended the step in the meantime.
    if (session->lanes[process].left == 0 && hoist_process_set_has(&session->busy, process)) {
        finish(session, process);
    }
}

// Goes on with a step that a deadline has stopped. True when there was one.
static bool resume(hoist_session *session)
{
    const size_t count = hoist_process_set_count(&session->busy);
    for (size_t i = 0; session->running && i < count; i++) {
        const size_t process = hoist_process_set_at(&session->busy, i);
        if (session->lanes[process].stopped) {
            session->lanes[process].stopped = false;
            do_work(session, process);
            return true;
        }
    }
    return false;
}

// The first process with units that nobody has taken; one after another, so that steps end early.
bool hoist_session_help(hoist_session *session)
{
    const size_t count = hoist_process_set_count(&session->busy);
    for (size_t i = 0; session->running && i < count; i++) {
        const size_t process = hoist_process_set_at(&session->busy, i);
        if (session->lanes[process].next < session->lanes[process].open->work.units) {
            do_work(session, process);
            return true;
        }
    }
    return false;
}

// Control -------------------------------------------------------------------------------------

// Threads of the entry come first, then units.
static bool is_unit(const hoist_session *session, size_t process, size_t *out_unit)
{
    HOIST_ASSERT(hoist_machine_process_count(session->machine) >= session->program->unit_count);
    const size_t threads =
        hoist_machine_process_count(session->machine) - session->program->unit_count;
    *out_unit = process - threads;
    return process >= threads;
}

// A unit takes or completes a call: what it does next is another call's.
static void begin_call(hoist_session *session, size_t process, const hoist_prog_step *step)
{
    size_t unit = 0;
    if (step && step->kind == HOIST_STEP_POST && is_unit(session, process, &unit)) {
        session->lanes[process].function = HOIST_NO_REF;
        session->lanes[process].worked = false;
    }
}

// Counts a call of a unit when it first works on data, and the unit's cache when it enters another
// function that does: the deepest call.
static void count_function(hoist_session *session, size_t process)
{
    size_t unit = 0;
    if (!is_unit(session, process, &unit)) {
        return;
    }
    session->counts.calls += !session->lanes[process].worked;
    session->lanes[process].worked = true;
    const uint32_t depth = hoist_machine_depth(session->machine, process);
    const hoist_ref now =
        depth ? hoist_machine_frame(session->machine, process, depth - 1) : HOIST_NO_REF;
    // Steps of the same function in a row ask once.
    if (now != session->lanes[process].function) {
        session->lanes[process].function = now;
        if (now != HOIST_NO_REF) {
            const hoist_binary_found found = hoist_binary_cache_ask(&session->caches[unit], now);
            session->counts.cache_hits += found == HOIST_BINARY_HIT;
            session->counts.cache_misses += found != HOIST_BINARY_HIT;
            session->counts.cache_evictions += found == HOIST_BINARY_EVICTED;
        }
    }
}

// Steps between two looks at the time by whoever waits.
enum { SLICE = 4096 };

// Control of one process as far as it goes, at most `most` steps. True when it moved.
static bool advance_process(hoist_session *session, size_t process, int most)
{
    HOIST_ASSERT(!hoist_process_set_has(&session->busy, process));
    bool moved = false;
    session->is_slice = false;
    // Control steps are short; all of them are made with the lock.
    for (int i = 0; i < most && session->running && !is_stopped(session); i++) {
        const hoist_machine_event event = hoist_machine_step(session->machine, process);
        session->counts.control_steps += event.kind == HOIST_EVENT_STEPPED;
        switch (event.kind) {
        case HOIST_EVENT_STEPPED:
            begin_call(session, process, event.step);
            moved = true;
            break;
        case HOIST_EVENT_DATA:
            count_function(session, process);
            // What this process has pushed may let others go on while it works.
            if (moved && session->waiting > 0) {
                hoist_session_wake(session);
            }
            if (begin_work(session, process, event.step)) {
                do_work(session, process);
            }
            return true;
        case HOIST_EVENT_FAULT:
            fail_fault(session, &event);
            return true;
        case HOIST_EVENT_FAILED:
            fail_status(session, &event);
            return true;
        case HOIST_EVENT_ENDED:
            session->lanes[process].function = HOIST_NO_REF;
            return moved;
        default:
            return moved;
        }
    }
    session->is_slice = moved;
    return moved;
}

// Any process that can go on. True when one has. One that cannot is not ready any more.
static bool advance_any(hoist_session *session)
{
    // After the process that went on last, so that all get their turn.
    size_t process = session->turn;
    while (session->running && !is_stopped(session) &&
           hoist_machine_next(session->machine, process, &process)) {
        if (advance_process(session, process, SLICE)) {
            session->turn = process + 1;
            return true;
        }
    }
    return false;
}

// The steps that the schedule asks for, to the end of a data step at most. True when any was made.
static bool advance_chosen(hoist_session *session)
{
    bool moved = false;
    size_t process = 0;
    for (int i = 0; i < SLICE && session->running && !is_stopped(session) &&
                    hoist_chooser_next(&session->chooser, session->machine, &process);
         i++) {
        const uint64_t before = session->counts.control_steps;
        moved = advance_process(session, process, 1) || moved;
        // It was a data step, or the process cannot go on.
        if (session->counts.control_steps == before) {
            return moved;
        }
    }
    session->is_slice = moved;
    return moved;
}

bool hoist_session_advance(hoist_session *session)
{
    if (!session->running) {
        return false;
    }
    if (is_stopped(session)) {
        end_stopped(session);
        return true;
    }
    // With a schedule the order of steps is part of what was asked for.
    const bool scheduled = session->options.schedule != HOIST_RUN_AS_IT_COMES;
    const bool moved = scheduled ? advance_chosen(session) : advance_any(session);
    if (moved) {
        session->stuck = false;
        hoist_session_wake(session);
    }
    return moved;
}

// True when something waits that the host could still give or take.
static bool host_may_help(hoist_session *session)
{
    if (session->host_at_work) {
        return true;
    }
    const size_t count = hoist_machine_process_count(session->machine);
    for (size_t i = 0; i < count; i++) {
        const hoist_machine_event event = hoist_machine_peek(session->machine, i);
        if (event.kind != HOIST_EVENT_BLOCKED) {
            continue;
        }
        const hoist_prog_fifo *fifos = session->program->fifos;
        // A process waits for an entry that the host may still push ...
        if (event.block == HOIST_BLOCK_FIFO_EMPTY && fifos[event.object].host_push &&
            !session->input_ended[event.object]) {
            return true;
        }
        // ... or for a slot that the host may still empty.
        if (event.block == HOIST_BLOCK_FIFO_FULL && fifos[event.object].host_pop) {
            return true;
        }
    }
    return false;
}

// Ends the run when the processes of other ranks are the reason. True when it ended.
static bool follow_others(hoist_session *session)
{
    hoist_status why = HOIST_OK;
    const bool leaves = session->running && hoist_remote_leaves(session->remote, &why);
    if (leaves) {
        hoist_session_end_run(session, why);
    }
    return leaves;
}

bool hoist_session_settle(hoist_session *session)
{
    if (!session->running || hoist_session_is_busy(session)) {
        return false;
    }
    // With other processes only all of them together know whether nothing moves any more.
    if (session->remote && !is_stopped(session)) {
        session->stuck = true;
        const bool is_done = hoist_machine_is_done(session->machine);
        return (is_done || !host_may_help(session)) && hoist_remote_settle(session, is_done) &&
               follow_others(session);
    }
    if (hoist_machine_is_done(session->machine)) {
        hoist_session_end_run(session, HOIST_OK);
        return true;
    }
    if (is_stopped(session)) { // the host may have stopped for the same reason
        end_stopped(session);
        return true;
    }
    session->stuck = true;
    // Nothing can move, and nobody can change that.
    if (!host_may_help(session)) {
        hoist_report_deadlock(session->machine, session->diag);
        hoist_session_end_run(session, HOIST_INVALID);
        return true;
    }
    return false;
}

// A worker looks so long for a change before it sleeps: most steps are shorter, and to sleep and to
// be woken would take as long as they do.
static const double SPIN_SECONDS = 100e-6;

// Waits for a change without giving up the core. False when none has come.
static bool spin(hoist_session *session)
{
    const unsigned seen = atomic_load_explicit(&session->changes, memory_order_relaxed);
    (void)pthread_mutex_unlock(&session->lock);
    (void)hoist_spin_while(&session->changes, seen, SPIN_SECONDS);
    hoist_lock_soon(&session->lock);
    // It may have come while the lock was waited for.
    return atomic_load_explicit(&session->changes, memory_order_relaxed) != seen;
}

// Waits for any change, for example by another thread's push: there is nothing to do for whoever
// does the work.
static void wait_idly(hoist_session *session, double deadline)
{
    if (session->profiler) {
        hoist_profiler_begin_wait(session->profiler, own_worker(session), hoist_now());
    }
    session->waiting++;
    if (!session->may_spin || !spin(session)) {
        (void)hoist_cond_wait(&session->changed, &session->lock, deadline);
    }
    HOIST_ASSERT(session->waiting > 0);
    session->waiting--;
    if (session->profiler) {
        hoist_profiler_end_wait(session->profiler, own_worker(session), hoist_now());
    }
}

bool hoist_session_wait(hoist_session *session, pthread_cond_t *what, double deadline)
{
    // There is no worker: whoever waits does the work meanwhile.
    if (session->options.sequential) {
        session->deadline = deadline;
        if (resume(session) || hoist_session_advance(session) || hoist_session_settle(session) ||
            hoist_remote_wait(session)) {
            (void)follow_others(session);
            return deadline < 0 || hoist_now() < deadline;
        }
    }
    // A cancellation wakes nobody: it is seen at the latest after this time.
    const double soon = hoist_now() + 0.1;
    const double until = deadline >= 0 && deadline < soon ? deadline : soon;
    if (session->options.sequential) {
        wait_idly(session, until);
    } else {
        (void)hoist_cond_wait(what, &session->lock, until);
    }
    if (is_stopped(session)) {
        end_stopped(session);
    }
    return deadline < 0 || hoist_now() < deadline;
}

// A program that computes nothing but control holds the lock all the time. Giving it up for a
// moment is not enough: who waits for it has to wake up first.
static void let_others(hoist_session *session)
{
    session->is_slice = false;
    (void)hoist_cond_wait(&session->changed, &session->lock, hoist_now() + 0.00005);
}

// Who works next to a thread that looks after messages, and may have taken up a step since.
static const double NAP = 0.001;

void *hoist_session_worker(void *self)
{
    hoist_session *session = self;
    unsigned slices = 0;
    (void)pthread_mutex_lock(&session->lock);
    while (!session->stop) {
        if (hoist_session_help(session) || hoist_session_advance(session) ||
            hoist_session_settle(session)) {
            // Messages go out as soon as there may be some.
            (void)hoist_remote_pump(session);
            (void)follow_others(session);
            if (session->is_slice && ++slices % 16 == 0) {
                let_others(session);
            }
            continue;
        }
        if (hoist_remote_wait(session)) {
            (void)follow_others(session);
        } else {
            wait_idly(session, session->running && session->remote ? hoist_now() + NAP : -1);
        }
    }
    (void)pthread_mutex_unlock(&session->lock);
    return NULL;
}
