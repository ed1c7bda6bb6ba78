// os/temporary.h - files and folders that have a temporary name until they are complete.
//
// A temporary entry of the target NAME is called ".NAME.hoist-0123456789abcdef.tmp" and lies in the
// folder of its target. Its name is random, it is created exclusively, and its writer holds
// a lock (flock) on it: an entry of that form without a holder was left by a process that was
// killed, and the next one that writes the same target removes it.
#ifndef HOIST_SRC_OS_TEMPORARY_H
#define HOIST_SRC_OS_TEMPORARY_H

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "hoist/base.h"

typedef struct hoist_temporary hoist_temporary;

// The temporary entries of a process, so that a signal handler can remove them. Zero is none.
typedef struct hoist_temporaries {
    atomic_bool busy; // a thread makes, renames or removes an entry
    hoist_temporary *first;
} hoist_temporaries;

// Stays where it is in memory while there is an entry.
struct hoist_temporary {
    hoist_temporaries *list; // borrowed; NULL: only its writer removes it
    hoist_temporary *next;
    int parent; // owned: the folder that it is in; -1: there is no entry
    int fd;     // owned: the entry, with the lock
    bool is_folder;
    char name[NAME_MAX + 1];
};

// Removes all entries of the list. For signal handlers and for other threads than the one that
// writes: async-signal-safe. Call it once, when nothing but _exit() or a deadly signal follows: it
// keeps the list, so that a thread which is about to begin, rename or remove an entry waits for
// ever. Waits itself while another thread does one of these, which is the time of a few system
// calls (when the files of a folder are moved into one that exists: of one for each file).
void hoist_temporaries_remove(hoist_temporaries *list);

// Keeps others from the list, and signals from this thread; `list` may be NULL. Between the two
// only system calls that do not wait for anybody.
void hoist_temporaries_enter(hoist_temporaries *list, sigset_t *out_mask);
void hoist_temporaries_leave(hoist_temporaries *list, const sigset_t *mask);

// Creates a file (mode `mode`) or a folder (0) for the target `name` in the folder `parent`, which
// it takes over in any case, and removes what killed processes have left there for that target.
// `list` may be NULL. 0 or an errno; then `out` has no entry.
int hoist_temporary_create(hoist_temporary *out, hoist_temporaries *list, int parent,
                           const char *name, mode_t mode);
// Gives the entry its name in the folder `parent` (borrowed), in place of a file or an empty folder
// that has it. 0, and there is no temporary entry any more, or an errno, and it is unchanged.
int hoist_temporary_rename(hoist_temporary *temporary, int parent, const char *name);
// Moves what is in a temporary folder to the same paths in the folder `parent` (borrowed), in place
// of files that are there; meanwhile it is called `marker` there. 0, or an errno: either nothing
// has changed, or the temporary folder is gone and the marker stays with what is missing.
int hoist_temporary_spill(hoist_temporary *temporary, int parent, const char *marker);
// Removes the entry, if there is one.
void hoist_temporary_drop(hoist_temporary *temporary);

// Removes the entries of the target `name` ("": of the folder itself) that no process holds.
void hoist_temporary_sweep(int parent, const char *name);
// Whether `entry` has the form of a temporary name of any target.
bool hoist_temporary_is_name(const char *entry);

#endif // HOIST_SRC_OS_TEMPORARY_H
