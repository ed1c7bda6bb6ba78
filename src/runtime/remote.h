// runtime/remote.h - a session whose other homes run in other processes.
//
// This process runs the threads of its own home. A fifo between homes is held on both sides: what
// is pushed is sent and stays in the sender's slot until the receiver has popped it, so that slots
// are as full here as in one process, and a sender cannot get further ahead. Members of a
// collective send their operands to all homes of the group; each home works out the result for its
// own, in the same order of ranks.
//
// A run ends when the threads of all homes have, and nothing is on its way; when all processes wait
// for each other instead, each has the deadlock to report. Both are seen from counts of messages
// that processes give each other when they have nothing to do (remote_end.c).
//
// All calls are made with the session's lock; hoist_remote_pump() gives it up while bytes move. One
// thread at a time is in the comm.
#ifndef HOIST_SRC_RUNTIME_REMOTE_H
#define HOIST_SRC_RUNTIME_REMOTE_H

#include "hoist/runtime.h"

#include "machine/machine.h"
#include "runtime/work.h"

typedef struct hoist_remote hoist_remote;

// For the session's program, over options.comm; before its machine. HOIST_OK; HOIST_UNSUPPORTED: a
// fifo that cannot be between processes, reported to `diag`; HOIST_NOT_FOUND: as many processes
// as homes are needed, reported, too; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_remote_create(hoist_session *session, hoist_diag *diag,
                                                 hoist_remote **out_remote);
void hoist_remote_destroy(hoist_remote *remote); // NULL is allowed

// What the machine has to know of the other homes.
hoist_machine_outside hoist_remote_outside(hoist_remote *remote);
// Whether steps of this process touch the memory of a buffer.
bool hoist_remote_has(const hoist_remote *remote, hoist_ref buffer);

void hoist_remote_begin_run(hoist_remote *remote);
// The run ends with `status`: a failure is announced to the others. The status to end with, which
// may be another one: a process that was killed explains why a launcher ends this one.
hoist_status hoist_remote_end_run(hoist_session *session, hoist_status status);
// Whether a thread is in the comm.
bool hoist_remote_is_busy(const hoist_remote *remote);

// Whether the run is to end, as the messages of other processes or hoist_remote_settle() have it:
// the caller of the functions below ends it then.
bool hoist_remote_leaves(const hoist_remote *remote, hoist_status *out_why);
// Sends and receives what can be without waiting. True when something has moved.
bool hoist_remote_pump(hoist_session *session);
// The same for a thread that has nothing else to do: when nothing moves it lets others have the
// core for a moment. False: another thread is in the comm, or nothing runs.
bool hoist_remote_wait(hoist_session *session);
// Nothing moves in this process, whose threads have ended (`is_done`) or wait. True when that ends
// the run.
bool hoist_remote_settle(hoist_session *session, bool is_done);

// The members of the collective whose data step `process` was given, those of other homes too, into
// work->members. As hoist_work_prepare().
HOIST_NODISCARD hoist_status hoist_remote_members(const hoist_work_context *context, size_t process,
                                                  hoist_work *work);

#endif // HOIST_SRC_RUNTIME_REMOTE_H
