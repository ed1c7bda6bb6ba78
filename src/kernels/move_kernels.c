// The tables of move kernels by CPU level, and which one a CPU gets (move.h).
#include "kernels/level_choice.h"
#include "kernels/move_table.h"

const hoist_move_kernels *hoist_move_kernels_at(hoist_cpu_level level)
{
    return HOIST_LEVEL_CHOICE(hoist_move_kernels, v4, v4, level);
}
