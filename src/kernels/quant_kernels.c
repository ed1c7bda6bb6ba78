// The tables of quantised kernels by CPU level, and which one a CPU gets (quant.h).
#include "kernels/level_choice.h"
#include "kernels/quant.h"

const hoist_quant_kernels *hoist_quant_kernels_at(hoist_cpu_level level)
{
    return HOIST_LEVEL_CHOICE(hoist_quant_kernels, vnni, vnni, level);
}
