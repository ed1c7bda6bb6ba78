// runtime/session.h - the inside of a session.
//
// One lock guards everything below it but the bytes of tensors: those belong to the process whose
// data step is at work, or to the host that has begun a push or pop, for as long as the machine
// says so. Kernels and conversions run without the lock. See README.md for the order of waiting.
#ifndef HOIST_SRC_RUNTIME_SESSION_H
#define HOIST_SRC_RUNTIME_SESSION_H

#include <pthread.h>
#include <stdatomic.h>

#include "hoist/runtime.h"

#include "base/map.h"
#include "base/span.h"
#include "machine/chooser.h"
#include "machine/process_set.h"
#include "os/thread.h"
#include "program/run_rules.h"
#include "runtime/cache.h"
#include "runtime/opaque.h"
#include "runtime/open_steps.h"
#include "runtime/profile.h"
#include "runtime/remote.h"
#include "runtime/scratch.h"
#include "runtime/shadow.h"
#include "runtime/undefined.h"
#include "runtime/work.h"

// A process of the machine as the runtime sees it.
typedef struct hoist_lane {
    hoist_open_step *open;     // owned: of the step that it is at; NULL: none
    hoist_opaque_work *opaque; // owned: what the callback is given; NULL: none
    size_t next;               // first unit that no worker has taken
    size_t left;               // units not done
    bool stopped;              // with its only unit begun: who waits on goes on with it
    hoist_move_stop stop;
    double until;           // that it may work; below 0: for ever
    hoist_session *session; // whose it is
    bool is_whole;          // no unit was left out
    hoist_status status;    // of the work; the failure with the lowest unit
    uint64_t failed_at;
    const hoist_prog_step *failed; // that step
    hoist_compute_fault fault;
    hoist_undefined_seen seen_now; // by the step at hand, which went on
    hoist_undefined_seen seen;     // by steps of the run
    hoist_mut_bytes call_memory;
    bool worked;        // the unit's call has worked on data
    hoist_ref function; // that the unit is in, to count its cache; HOIST_NO_REF: none
} hoist_lane;

// Which sides of a fifo callers are at: one caller at a time has each.
enum { HOIST_HOST_PUSHES = 1, HOIST_HOST_POPS = 2 };

struct hoist_session {
    const hoist_program *program; // borrowed
    hoist_session_options options;
    hoist_allocator alloc;
    hoist_group_plan groups; // none without fusion
    hoist_call_plan plan;
    bool *is_read; // per view of the program's ports: the caller may read it; NULL: any
    hoist_store store;
    hoist_reshape_tables reshapes; // of `plan`
    const hoist_compute_kernels *kernels;
    hoist_prepared prepared; // for `kernels`
    hoist_scratch scratch;   // for `kernels`
    const hoist_move_kernels *moves;
    hoist_cpu_level level;
    bool has_fast;      // the program has steps of the profile fast
    atomic_bool cancel; // set from anywhere

    pthread_mutex_t lock;
    pthread_cond_t changed; // something that workers, pushes and pops may wait for
    atomic_uint changes;    // how often, for workers that look before they sleep; changes with it
    pthread_cond_t ended;   // the run: apart, or its waiter would wake at every step
    // Guarded by `lock`:
    hoist_machine *machine;
    hoist_remote *remote; // owned: other homes, in other processes; NULL: all are here
    hoist_diag *diag;
    hoist_lane *lanes; // per process of the machine: threads of the entry first, then units
    size_t lane_count; // space for
    hoist_open_steps open_steps; // that no lane has
    hoist_shadow shadow;
    uint8_t **call_memory;      // per process; for hoist_work_context
    hoist_binary_cache *caches; // per unit
    hoist_chooser chooser;      // of a session with a schedule
    bool began_once;            // entries that run once have run
    size_t turn;                // process to look at first
    hoist_process_set busy;     // lanes that are at a data step; they have it open
    size_t host_at_work;        // pushes and pops between their begin and end
    uint32_t waiting;           // workers that wait
    bool may_spin;              // workers have a core each
    bool running;               // a run has begun and not ended
    bool stuck;                 // nothing can move unless the host does something
    bool *input_ended;          // per fifo: no further pushes will come
    bool *given;                // per port: by the caller, if it is no fifo
    bool inputs_given;          // all that a run needs before it begins
    bool is_slice;              // the last advance ended because it was long
    double deadline;            // of who waits and works meanwhile; below 0: none
    bool stop;                  // workers are to end
    uint8_t *host_sides;        // per fifo: HOIST_HOST_PUSHES, HOIST_HOST_POPS
    size_t host_reads;          // reads and writes of slots going on
    size_t reported;            // findings of `diag` that hoist_session_report() has moved
    hoist_diag *late;           // owned: what the last wait that timed out saw; NULL: none
    double close_seconds;       // that closing waits for a kernel
    hoist_status outcome;       // of the last run
    hoist_undefined_seen seen;  // by runs that have ended; not reported yet
    double began;               // of the run
    bool has_stage;             // the run reports how far it is
    uint64_t data_steps;        // of the run that are done
    hoist_session_counts counts;
    hoist_profiler profile;   // what was noted; begun when it has rows
    hoist_profiler *profiler; // it, while noting is on; changes only while nothing runs
    pthread_t *workers;       // owned
    uint32_t worker_count;
    // For tests: called without the lock before the work of a step; NULL: none.
    void (*before_work)(void *self, const hoist_prog_step *step);
    void *before_work_self;
};

// Whether a data step is being done.
static inline bool hoist_session_is_busy(const hoist_session *session)
{
    return hoist_process_set_count(&session->busy) > 0;
}

static inline hoist_work_context hoist_session_context(hoist_session *session)
{
    return (hoist_work_context){.program = session->program,
                                .plan = &session->plan,
                                .groups = &session->groups,
                                .reshapes = &session->reshapes,
                                .store = &session->store,
                                .machine = session->machine,
                                .kernels = session->kernels,
                                .prepared = &session->prepared,
                                .moves = session->moves,
                                .alloc = session->alloc,
                                .call_memory = session->call_memory,
                                .remote = session->remote,
                                .goes_on = session->options.on_undefined == HOIST_UNDEFINED_NAN,
                                .members = hoist_remote_members};
}

// Something has changed: all who wait for that look again. The caller holds the lock.
static inline void hoist_session_wake(hoist_session *session)
{
    (void)atomic_fetch_add_explicit(&session->changes, 1, memory_order_relaxed);
    (void)pthread_cond_broadcast(&session->changed);
}

// A diag whose findings are of the program's files, owned by the caller. session.c
HOIST_NODISCARD hoist_status hoist_session_create_diag(const hoist_session *session,
                                                       hoist_diag **out_diag);

// Nothing moves: ends the run when it is done, or finds that it is stuck. True when it ended. The
// caller holds the lock.
bool hoist_session_settle(hoist_session *session);
// Waits for `what` (`changed` or `ended`) or until the deadline, at most a tenth of a second, so
// that a cancellation is seen; sequential sessions move on instead, and then wait for any change.
// False when the deadline has passed.
bool hoist_session_wait(hoist_session *session, pthread_cond_t *what, double deadline);
// A worker's life.
void *hoist_session_worker(void *session);

#endif // HOIST_SRC_RUNTIME_SESSION_H
