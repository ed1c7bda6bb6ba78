// hoist/progress.h - how far long calls are: every call that has the same deadline reports it to a
// function of the caller's.
//
// Threads and ownership are as in hoist/base.h.
#ifndef HOIST_PROGRESS_H
#define HOIST_PROGRESS_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of long work that report how far they are.
typedef enum hoist_stage {
    HOIST_STAGE_NONE = 0,  // none of them, any more
    HOIST_STAGE_OPENING,   // bytes of a text, or of the members of a container, that were parsed
    HOIST_STAGE_INFLATING, // while a container is opened: bytes of its compressed data
    HOIST_STAGE_CHECKING,  // files whose rules were checked
    HOIST_STAGE_ORDERS,    // "checking orders": steps that were looked at, each several times
    HOIST_STAGE_LOWERING,  // operators, instructions or the like that are part of the program
    HOIST_STAGE_RUNNING,   // data steps that were done
    HOIST_STAGE_PACKING,   // bytes that were compressed
    HOIST_STAGE_UNPACKING, // bytes of files that were given away
    HOIST_STAGE_SCANNING,  // files that were looked at
    HOIST_STAGE_COUNT,     // number of kinds
} hoist_stage;

// How far a call is.
typedef struct hoist_progress {
    hoist_stage stage; // of the call's work
    const char *name;  // of the stage, "checking orders"; "" for HOIST_STAGE_NONE. Static
    const char *unit;  // of the counts, "bytes"; "" likewise. Static
    uint64_t done;     // grows until the stage ends; at most `total`, where that is not 0
    uint64_t total;    // 0: not known; grows when more is found to do
} hoist_progress;

// Is given a report, which is borrowed during the call, and the caller's `self`.
typedef void (*hoist_progress_call)(void *self, const hoist_progress *progress);

// Has every call that the deadline is given to report how far it is: `call` is called when a call
// checks the deadline, if the last report is 50 ms old or more, and once with HOIST_STAGE_NONE
// after the end of a stage. Nothing is reported of calls that take less time, or of work that is
// none of the kinds above. Of several calls that share the deadline at the same time the first one
// reports; a stage within another one is part of it.
//
// Reports come from the thread that works, a worker of a session included, from one at a time, and
// may come while a lock is held: `call` returns soon, and calls nothing of the library but the
// functions of deadlines. Set before `deadline`, which is not NULL, is given to any call; `self` is
// borrowed until hoist_deadline_destroy(). NULL: no reports.
HOIST_API void hoist_deadline_watch(hoist_deadline *deadline, hoist_progress_call call, void *self);

#ifdef __cplusplus
}
#endif

#endif // HOIST_PROGRESS_H
