// os/scratch_testing.h - a folder of a test's own, in another one of its own: what a changed
// program writes above the folder meets no other test.
#ifndef HOIST_SRC_OS_SCRATCH_TESTING_H
#define HOIST_SRC_OS_SCRATCH_TESTING_H

#include "os/folder.h"
#include "testing/test.h"

typedef struct scratch {
    char around[32]; // the folder that it is in
    char path[64];
    hoist_folder folder; // open
} scratch;

// Both are new and empty.
void scratch_make(hoist_test *t, scratch *s);
// Removes both with all that is in them.
void scratch_drop(scratch *s);
// The path of `name` in it, in the test's arena.
const char *scratch_path(hoist_test *t, const scratch *s, const char *name);
// Writes the file `name`, with a text.
void scratch_put(hoist_test *t, const scratch *s, const char *name, const char *text);
// The text of a file; "(absent)" when there is none.
hoist_str scratch_get(hoist_test *t, const scratch *s, const char *name);
// How many entries the folder `name` in it has, "." being itself.
size_t scratch_count(hoist_test *t, const scratch *s, const char *name);

#endif // HOIST_SRC_OS_SCRATCH_TESTING_H
