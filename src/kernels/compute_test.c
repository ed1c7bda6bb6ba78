// Dispatch: every op has one row at every level of the machine.
#include "kernels/compute.h"
#include "testing/test.h"

HOIST_TEST(levels_have_kernels)
{
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        HOIST_EXPECT(t, kernels != NULL);
        const hoist_str name = hoist_str_from(hoist_compute_kernels_name(kernels));
        hoist_cpu_level named = HOIST_CPU_LEVEL_COUNT;
        HOIST_EXPECT(t, hoist_cpu_level_find(name, &named));
        HOIST_EXPECT(t, named <= level);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(levels_have_kernels))
