// The compute kernels of one CPU level.
#include "kernels/compute_table.h"
#include "kernels/level.h"

extern const hoist_compute_row HOIST_LEVEL_NAME(hoist_binary_rows)[HOIST_COMPUTE_COUNT];

const hoist_compute_kernels HOIST_LEVEL_NAME(hoist_compute_kernels) = {
    .level = HOIST_LEVEL,
    .groups =
        {
            HOIST_LEVEL_NAME(hoist_binary_rows),
        },
};
