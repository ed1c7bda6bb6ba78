// The tables of quantised kernels by CPU level, and which one a CPU gets (quant.h).
#include "kernels/quant.h"

const hoist_quant_kernels *hoist_quant_kernels_at(hoist_cpu_level level)
{
#ifdef HOIST_X86_64_LEVELS
    if (level >= HOIST_CPU_X86_64_VNNI) {
        return &hoist_quant_kernels_vnni;
    }
    if (level >= HOIST_CPU_X86_64_V4) {
        return &hoist_quant_kernels_v4;
    }
    if (level >= HOIST_CPU_X86_64_V3) {
        return &hoist_quant_kernels_v3;
    }
#endif
    (void)level;
    return &hoist_quant_kernels_baseline;
}
