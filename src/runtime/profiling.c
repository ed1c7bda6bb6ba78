// The caller's side of a session's profile: starting, stopping, reading rows. profile.c keeps them;
// the session's lock is held around each call.
#include <string.h>

#include "runtime/session.h"

// Whether a step of the profile may still be open.
static bool is_working(const hoist_session *s)
{
    return s->running || hoist_session_is_busy(s) || s->host_at_work;
}

static hoist_status begin_profile(hoist_session *s)
{
    const hoist_profiler_setup setup = {
        .program = s->program, .alloc = s->alloc, .workers = s->worker_count, .idle = s->waiting};
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

hoist_status hoist_session_profile_begin(hoist_session *session)
{
    (void)pthread_mutex_lock(&session->lock);
    const hoist_status status = is_working(session) ? HOIST_BUSY : begin_profile(session);
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

void hoist_session_profile_end(hoist_session *session)
{
    (void)pthread_mutex_lock(&session->lock);
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
        row = hoist_profiler_row(&session->profile, index, hoist_now());
    }
    (void)pthread_mutex_unlock(&session->lock);
    const size_t size = out_row->struct_size;
    memcpy(out_row, &row, size < sizeof row ? size : sizeof row);
    out_row->struct_size = size;
    return found;
}
