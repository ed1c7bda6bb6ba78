// lower/darwinn/work.c - work of the chip that steps carry: cycles of the executable's layers for
// one call of their function (formats/darwinn/cycles.h counts them for a whole run). Users:
// layers.c, opaque.c and drive_chip.c.
#include "lower/darwinn/model.h"

// A call is one execution of one element; the cycles of a run are divided among its calls.
hoist_prog_work darwinn_lower_cycles(const darwinn_lower_model *model, uint64_t cycles)
{
    const dwn_executable *const e = model->main;
    const int32_t executions =
        e->input_layers.count ? e->input_layers.items[0].execution_count_per_inference : 1;
    const uint64_t calls = (e->batch_size > 0 ? (uint64_t)e->batch_size : UINT64_C(1)) *
                           (executions > 0 ? (uint64_t)executions : UINT64_C(1));
    const uint64_t rest = cycles % calls; // of a call, to the nearest cycle
    return (hoist_prog_work){.device = DARWINN_LOWER_DEVICE,
                             .cycles = cycles / calls + (rest >= calls - rest)};
}
