// The tables of move kernels by CPU level, and which one a CPU gets (move.h).
#include "kernels/move_table.h"

const hoist_move_kernels *hoist_move_kernels_at(hoist_cpu_level level)
{
#ifdef HOIST_X86_64_LEVELS
    if (level >= HOIST_CPU_X86_64_V4) {
        return &hoist_move_kernels_v4;
    }
    if (level >= HOIST_CPU_X86_64_V3) {
        return &hoist_move_kernels_v3;
    }
#endif
    (void)level;
    return &hoist_move_kernels_baseline;
}
