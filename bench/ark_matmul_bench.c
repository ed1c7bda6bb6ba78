// The products of matrices of the profile ark against PyTorch's: ark_matmul_torch.py does the work.
// Argument: the highest CPU level to use (default: the machine's).
#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"
#include "os/cpu.h"

int main(int argc, char **argv)
{
    hoist_cpu_level level = hoist_cpu_detect();
    if (argc > 1 && !hoist_cpu_level_find(hoist_str_from(argv[1]), &level)) {
        (void)fprintf(stderr, "ark_matmul_bench: no CPU level '%s'\n", argv[1]);
        return 2;
    }
    char command[1024];
    (void)snprintf(command, sizeof command, "%s %s %s %s", HOIST_BENCH_PYTHON, HOIST_BENCH_SCRIPT,
                   HOIST_BENCH_PEER, hoist_cpu_level_name(level));
    return system(command) == 0 ? 0 : 1;
}
