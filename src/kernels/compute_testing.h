// kernels/compute_testing.h - the name of kernels, for messages of tests.
#ifndef HOIST_SRC_KERNELS_COMPUTE_TESTING_H
#define HOIST_SRC_KERNELS_COMPUTE_TESTING_H

#include "kernels/compute_table.h"

// "baseline", "x86-64-v3", "x86-64-v4".
static inline const char *compute_kernels_name(const hoist_compute_kernels *kernels)
{
    return hoist_cpu_level_name(kernels->level);
}

#endif // HOIST_SRC_KERNELS_COMPUTE_TESTING_H
