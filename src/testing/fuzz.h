// testing/fuzz.h - what fuzz targets share: the entry of libFuzzer, and what a finding is.
#ifndef HOIST_SRC_TESTING_FUZZ_H
#define HOIST_SRC_TESTING_FUZZ_H

#include <stdlib.h>

#include "hoist/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the target, which is a finding, unless the condition holds.
static inline void fuzz_require(bool condition)
{
    if (!condition) {
        abort();
    }
}

// True when it was done. A memory limit is no finding; everything else must have been done.
static inline bool fuzz_came(hoist_status status)
{
    fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY || status == HOIST_LIMIT);
    return status == HOIST_OK;
}

// Requires that what the program prints reads back and prints as the same; false when there was too
// little memory to see.
bool fuzz_read_again(const hoist_program *program, hoist_allocator alloc, hoist_diag *diag);

#endif // HOIST_SRC_TESTING_FUZZ_H
