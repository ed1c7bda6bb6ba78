// runtime/opaque.h - steps whose meaning is not public: the caller's function, or a policy.
#ifndef HOIST_SRC_RUNTIME_OPAQUE_H
#define HOIST_SRC_RUNTIME_OPAQUE_H

#include "hoist/runtime.h"

#include "runtime/work.h"

// What the callback is given for one step.
typedef struct hoist_opaque_work {
    hoist_opaque_step step;
    size_t count;             // of views: what is read, then what is written
    hoist_opaque_view *shown; // owned
    hoist_view *views;        // owned: where their elements are
    hoist_mut_bytes *copies;  // owned, each too: of those that are not dense
} hoist_opaque_work;

// Decides about the opaque step that `process` is at, with the session's lock. Sets the lane's
// work: nothing is to be done any more, or hoist_opaque_run() is. A failure has been reported, but
// for HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_opaque_begin(hoist_session *session, size_t process,
                                                const hoist_prog_step *step);
// Calls the caller's function, without the lock.
HOIST_NODISCARD hoist_status hoist_opaque_run(const hoist_session *session,
                                              const hoist_opaque_work *work);
// What `status` of that function means for what is known, with the lock. The step's status; a
// failure has been reported.
HOIST_NODISCARD hoist_status hoist_opaque_end(hoist_session *session, size_t process,
                                              hoist_status status);
void hoist_opaque_free(hoist_opaque_work *work, hoist_allocator alloc); // NULL is allowed

// Reports that there is no memory for marks, when `status` says so; passes it on.
HOIST_NODISCARD hoist_status hoist_session_shadowed(hoist_session *session,
                                                    const hoist_prog_step *step,
                                                    hoist_status status);

#endif // HOIST_SRC_RUNTIME_OPAQUE_H
