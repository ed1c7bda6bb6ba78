// push_pop_threads FILE: pushes, runs and pops from three threads, as an application does.
//
// FILE is buda/feed_forward.yaml. Its parameters are zero, so that what comes out is what went in:
// entry i is filled with i. There are more entries than the queues hold; push and pop wait.
#include <pthread.h>
#include <stdio.h>

#include "hoist/hoist.h"

enum { ENTRIES = 32, PER_TURN = 2, ELEMENTS = 128 * 128 };

static const double PATIENCE = 60; // seconds

static void *push_all(void *self)
{
    hoist_session *session = self;
    static float entry[ELEMENTS];
    const hoist_bytes bytes = {(const uint8_t *)entry, sizeof entry};
    for (int i = 0; i < ENTRIES; i++) {
        for (int k = 0; k < ELEMENTS; k++) {
            entry[k] = (float)i;
        }
        const hoist_status status =
            hoist_session_push(session, "x", HOIST_DTYPE_F32, bytes, PATIENCE);
        if (status != HOIST_OK) {
            (void)fprintf(stderr, "push %d: %s\n", i, hoist_status_name(status));
            hoist_session_cancel(session);
            return NULL;
        }
    }
    return NULL;
}

static int popped; // entries as they should be; read after the popper has ended

static void *pop_all(void *self)
{
    hoist_session *session = self;
    static float entry[ELEMENTS];
    const hoist_mut_bytes bytes = {(uint8_t *)entry, sizeof entry};
    for (int i = 0; i < ENTRIES; i++) {
        const hoist_status status =
            hoist_session_pop(session, "y", HOIST_DTYPE_F32, bytes, PATIENCE);
        if (status != HOIST_OK) {
            (void)fprintf(stderr, "pop %d: %s\n", i, hoist_status_name(status));
            hoist_session_cancel(session);
            return NULL;
        }
        popped += entry[0] == (float)i && entry[ELEMENTS - 1] == (float)i;
    }
    return NULL;
}

// Rams of parameters: what was never written is zero.
static hoist_status run_between(hoist_session *session)
{
    pthread_t pusher;
    pthread_t popper;
    if (pthread_create(&pusher, NULL, push_all, session) != 0) {
        return HOIST_NO_MEMORY;
    }
    hoist_status status = HOIST_NO_MEMORY;
    const bool both = pthread_create(&popper, NULL, pop_all, session) == 0;
    if (both) {
        const hoist_parameter turns = {"p_loop_count", ENTRIES / PER_TURN};
        status = hoist_session_run(session, "run_feed_forward", &turns, 1);
        status = status == HOIST_OK ? hoist_session_wait_idle(session, PATIENCE) : status;
    }
    if (status != HOIST_OK) {
        hoist_session_cancel(session); // so that push and pop end
    }
    (void)pthread_join(pusher, NULL);
    if (both) {
        (void)pthread_join(popper, NULL);
    }
    return status;
}

int main(int argc, char **argv)
{
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    hoist_session *session = NULL;
    hoist_status status = argc == 2 ? hoist_job_open(argv[1], NULL, NULL, &job) : HOIST_NOT_FOUND;
    status = status == HOIST_OK ? hoist_job_lower(job, NULL, NULL, &program) : status;
    status = status == HOIST_OK ? hoist_session_open(program, NULL, NULL, &session) : status;
    status = status == HOIST_OK ? run_between(session) : status;
    hoist_session_close(session);
    hoist_program_destroy(program);
    hoist_job_close(job);
    printf("%s: %d of %d entries came out in order\n", hoist_status_name(status), popped, ENTRIES);
    return status == HOIST_OK && popped == ENTRIES ? 0 : 1;
}
