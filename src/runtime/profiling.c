// The caller's side of a session's profile: starting, stopping, reading rows. profile.c keeps them;
// the session's lock is held around each call.
#include <string.h>

#include "runtime/session.h"

static const uint64_t MOST_EVENTS = 1000000; // unless the caller says how many

// Whether a step of the profile may still be open.
static bool is_working(const hoist_session *s)
{
    return s->running || hoist_session_is_busy(s) || s->host_at_work;
}

// Forgets the profile before, and begins one that has no times yet.
static hoist_status begin_profile(hoist_session *s, uint64_t events)
{
    const hoist_profiler_setup setup = {.program = s->program,
                                        .alloc = s->alloc,
                                        .workers = s->worker_count,
                                        .idle = s->waiting,
                                        .events = events};
    // Nothing is noted until the new rows are there.
    s->profiler = NULL;
    hoist_profiler_deinit(&s->profile);
    const hoist_status status = hoist_profiler_init(&s->profile, &setup);
    if (status != HOIST_OK) {
        hoist_profiler_deinit(&s->profile);
        s->profile = (hoist_profiler){0};
        return status;
    }
    s->profiler = &s->profile;
    return HOIST_OK;
}

// A step that has begun without a profile would end in one that does not know it.
static hoist_status begin_unless_working(hoist_session *session, uint64_t events)
{
    (void)pthread_mutex_lock(&session->lock);
    const hoist_status status = is_working(session) ? HOIST_BUSY : begin_profile(session, events);
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

hoist_status hoist_session_profile_begin(hoist_session *session)
{
    return begin_unless_working(session, 0);
}

hoist_status hoist_session_timeline_begin(hoist_session *session, uint64_t most)
{
    return begin_unless_working(session, most ? most : MOST_EVENTS);
}

void hoist_session_profile_end(hoist_session *session)
{
    (void)pthread_mutex_lock(&session->lock);
    // The rows stay, to be read.
    if (session->profiler && !is_working(session)) {
        session->profiler = NULL;
    }
    (void)pthread_mutex_unlock(&session->lock);
}

size_t hoist_session_profile_count(hoist_session *session)
{
    (void)pthread_mutex_lock(&session->lock);
    const size_t count = session->profile.row_count;
    (void)pthread_mutex_unlock(&session->lock);
    return count;
}

bool hoist_session_profile_at(hoist_session *session, size_t index, hoist_profile_row *out_row)
{
    hoist_profile_row row = {0};
    (void)pthread_mutex_lock(&session->lock);
    const bool found = index < session->profile.row_count;
    if (found) {
        // Rows may be read while something runs: they are then as of now.
        row = hoist_profiler_row(&session->profile, index, hoist_now());
    }
    (void)pthread_mutex_unlock(&session->lock);
    // A caller that knows fewer members gets those.
    const size_t size = out_row->struct_size;
    memcpy(out_row, &row, size < sizeof row ? size : sizeof row);
    out_row->struct_size = size;
    return found;
}

// Timeline ------------------------------------------------------------------------------------

uint64_t hoist_session_timeline_count(hoist_session *session, uint64_t *out_lost)
{
    (void)pthread_mutex_lock(&session->lock);
    const uint64_t count = session->profile.timeline.count;
    if (out_lost) {
        *out_lost = session->profile.timeline.lost;
    }
    (void)pthread_mutex_unlock(&session->lock);
    return count;
}

// As the caller has it: seconds from the beginning, and the file that the place is in.
static hoist_timeline_event event_of(const hoist_session *s, const hoist_timed *timed)
{
    const hoist_program *program = s->program;
    const hoist_loc loc = timed->loc ? *timed->loc : hoist_loc_none();
    hoist_timeline_event event = {.row = timed->row,
                                  .owner = timed->owner,
                                  .nested = timed->nested,
                                  .begin = timed->begin - s->profile.timeline.setup.origin,
                                  .seconds = timed->end - timed->begin,
                                  .steps = timed->steps,
                                  .label = timed->label ? *timed->label : (hoist_str){NULL, 0},
                                  .file = program->file,
                                  .loc = loc,
                                  .bytes_read = timed->bytes_read,
                                  .bytes_written = timed->bytes_written,
                                  .flops = timed->flops};
    if (loc.source > 0 && loc.source <= program->source_count) {
        event.file = program->sources[loc.source - 1].file;
        event.member = program->sources[loc.source - 1].member;
    }
    // The number means something within the program only; the caller has the names.
    event.loc.source = 0;
    return event;
}

bool hoist_session_timeline_at(hoist_session *session, uint64_t index,
                               hoist_timeline_event *out_event)
{
    hoist_timeline_event event = {0};
    (void)pthread_mutex_lock(&session->lock);
    const bool found = index < session->profile.timeline.count;
    if (found) {
        event = event_of(session, hoist_timeline_event_at(&session->profile.timeline, index));
    }
    (void)pthread_mutex_unlock(&session->lock);
    const size_t size = out_event->struct_size;
    memcpy(out_event, &event, size < sizeof event ? size : sizeof event);
    out_event->struct_size = size;
    return found;
}
