// os/drain.h - what is in a folder, taken out. Async-signal-safe: no memory, no streams.
#ifndef HOIST_SRC_OS_DRAIN_H
#define HOIST_SRC_OS_DRAIN_H

#include "hoist/base.h"

// The entries of an open folder but "." and "..", in the system's order.
typedef struct hoist_entries {
    int fd; // borrowed, open for reading
    int size;
    int at;
    int error; // errno, when the folder cannot be read
    _Alignas(8) char buffer[1024];
} hoist_entries;

// From the first entry on.
void hoist_entries_begin(hoist_entries *entries, int fd);
// The name of the next one, valid until the next call; NULL: no more, or `error` says why.
const char *hoist_entries_next(hoist_entries *entries);

// Empties the folder `from` with all below it: everything is removed when `to` is -1, else moved to
// the same path below the folder `to`, in place of files that are there. Follows no link. Both
// stay open. 0, or the errno of what stopped it.
int hoist_drain(int from, int to);

#endif // HOIST_SRC_OS_DRAIN_H
