// Files that are opened and checked by other threads, before they are reported in their order:
// --jobs of hoist check.
#ifndef HOIST_TOOLS_CHECK_AHEAD_H
#define HOIST_TOOLS_CHECK_AHEAD_H

#include "check.h"
#include "os/shared_alloc.h"
#include "os/thread.h"

typedef struct check_ahead {
    tool *t;
    void (*work)(tool *t, const void *self, const char *path, checked *file);
    const void *self;
    checked *files;     // borrowed: by argument of the command
    tool *tools;        // owned: a copy for each file, with a budget of its own
    bool *done;         // owned: by file
    size_t count;       // files
    size_t next;        // that is begun next
    size_t awaited;     // files before it are not reported later
    size_t window;      // files that may be open and not reported
    pthread_t *threads; // owned
    size_t thread_count;
    size_t thread_room;
    pthread_mutex_t lock; // of `done`, `next` and `awaited`
    pthread_cond_t changed;
} check_ahead;

// Begins threads that call `work` for each file with a tool of its own, which the file then has as
// its owner; its memory is that of t->budget.parent, which is shared then. False: there is no
// thread, and nothing was begun.
bool check_ahead_begin(check_ahead *ahead, tool *t, size_t threads, checked *files, size_t count);
// Waits until file `index` was worked on; files go in ascending order.
void check_ahead_wait(check_ahead *ahead, size_t index);
// Waits for the threads, and frees the tools: files that have one are closed by then.
void check_ahead_end(check_ahead *ahead);

#endif // HOIST_TOOLS_CHECK_AHEAD_H
