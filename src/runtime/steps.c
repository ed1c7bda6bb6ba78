// A data step that the machine hands out is made ready (work.h), cut into units that any worker
// takes, and finished under the lock again.
#include "runtime/steps.h"

#include "base/assert.h"
#include "base/progress.h"
#include "runtime/lane.h"
#include "runtime/run_end.h"

// Units that a thread takes at a time: a share, so that others get theirs, and so that a run that
// ends meanwhile is seen.
static size_t portion(const hoist_session *session, const hoist_lane *lane)
{
    const size_t workers = session->worker_count ? session->worker_count : 1;
    // About four portions for each worker: the last ones end at nearly the same time.
    const size_t share = lane->open->work.units / (4 * workers);
    return share ? share : 1;
}

// Asked by what works without the lock.
static bool is_unwanted(void *self)
{
    const hoist_lane *const lane = self;
    return hoist_session_is_stopped(lane->session) ||
           (lane->until >= 0 && hoist_now() >= lane->until);
}

size_t hoist_session_own_worker(const hoist_session *session)
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
    hoist_profiler_work(profiler, lane->open->profiled, hoist_lane_steps(lane), &done);
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
    const size_t worker = hoist_session_own_worker(session);
    context.stop = &lane->stop;
    context.scratch = hoist_scratch_of(&session->scratch, worker);
    // The kernel itself looks at it, as the lock is not held meanwhile.
    lane->until = session->deadline;
    HOIST_ASSERT(lane->next <= lane->open->work.units);
    HOIST_ASSERT(lane->left >= lane->open->work.units - lane->next);
    while (lane->next < lane->open->work.units) {
        // What no worker has taken is left out; pieces that others have begun still come to their
        // end.
        if (!session->running || hoist_session_is_stopped(session)) {
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
            lane->stopped = session->running && !hoist_session_is_stopped(session);
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

// Tells who watches the run how many data steps are done. Those that several threads do together,
// or that a callback does, do not count.
static void count_done(hoist_session *session, const hoist_lane *lane)
{
    const bool counts = !lane->opaque && lane->open->work.step->kind != HOIST_STEP_COLLECTIVE;
    if (session->has_stage && counts) {
        session->data_steps += hoist_lane_steps(lane);
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
    hoist_lane_end_step(session, process);
    hoist_undefined_add(&lane->seen, &lane->seen_now);
    const bool opaque = session->running && lane->opaque;
    // What the function of the caller has answered may mean that the policy decides.
    if (opaque) {
        lane->status = hoist_opaque_end(session, process, lane->status);
    }
    if (opaque && lane->status != HOIST_OK) {
        hoist_session_end_run(session, lane->status);
    } else if (session->running && lane->status != HOIST_OK) {
        hoist_session_fail_work(session, lane);
    } else if (session->running && lane->is_whole) {
        count_done(session, lane);
        pass_steps(session, process, &lane->open->work);
    } else {
        hoist_session_end_stopped(session);
    }
    hoist_lane_give_back(session, lane);
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
        hoist_session_report_unready(session, step, why);
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

bool hoist_step_begin(hoist_session *session, size_t process, const hoist_prog_step *step)
{
    hoist_lane *lane = &session->lanes[process];
    HOIST_ASSERT(session->running && !hoist_process_set_has(&session->busy, process));
    lane->open = hoist_open_steps_take(&session->open_steps, session->alloc);
    const hoist_status status = lane->open ? prepare_work(session, process, step) : HOIST_NO_MEMORY;
    if (status != HOIST_OK) {
        hoist_lane_give_back(session, lane);
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

void hoist_step_do(hoist_session *session, size_t process)
{
    work_on(session, process);
    // Another worker may have ended the step in the meantime.
    if (session->lanes[process].left == 0 && hoist_process_set_has(&session->busy, process)) {
        finish(session, process);
    }
}

bool hoist_steps_resume(hoist_session *session)
{
    const size_t count = hoist_process_set_count(&session->busy);
    for (size_t i = 0; session->running && i < count; i++) {
        const size_t process = hoist_process_set_at(&session->busy, i);
        if (session->lanes[process].stopped) {
            session->lanes[process].stopped = false;
            hoist_step_do(session, process);
            return true;
        }
    }
    return false;
}

bool hoist_steps_help(hoist_session *session)
{
    const size_t count = hoist_process_set_count(&session->busy);
    for (size_t i = 0; session->running && i < count; i++) {
        const size_t process = hoist_process_set_at(&session->busy, i);
        if (session->lanes[process].next < session->lanes[process].open->work.units) {
            hoist_step_do(session, process);
            return true;
        }
    }
    return false;
}
