// formats/tti/tti_testing.h - images for tests: archives of members, in memory.
#ifndef HOIST_SRC_FORMATS_TTI_TTI_TESTING_H
#define HOIST_SRC_FORMATS_TTI_TTI_TESTING_H

#include "formats/tti/tti.h"
#include "testing/test.h"

typedef struct tti_test_entry {
    const char *name; // NULL: left out
    const char *text; // its bytes
    char flag;        // of tar; 0: a file
} tti_test_entry;

// The archive of the entries, in the test's arena, in a block of exactly its size.
hoist_bytes tti_test_archive(hoist_test *t, const tti_test_entry *entries, size_t count);

// Reads an image; `*out_module` is freed with hoist_tti_format.destroy.
hoist_status tti_test_read(hoist_test *t, hoist_bytes file, bool container_only,
                           tti_module **out_module);

#endif // HOIST_SRC_FORMATS_TTI_TTI_TESTING_H
