// The rows of kernels of each CPU level, and calls of them (compute.h): a call in, the row that
// fits its op and types found, its work cut into units, each run by number.
#include "base/assert.h"
#include "kernels/compute_table.h"
#include "kernels/level_choice.h"

const hoist_compute_kernels *hoist_compute_kernels_at(hoist_cpu_level level)
{
    return HOIST_LEVEL_CHOICE(hoist_compute_kernels, vnni, bf16, level);
}

const char *hoist_compute_fast(const hoist_compute_kernels *kernels)
{
    return kernels->fast;
}

// The row that implements `op`; every op has one.
static const hoist_compute_row *row_of(const hoist_compute_kernels *kernels, hoist_compute_op op)
{
    for (size_t i = 0;; i++) {
        HOIST_ASSERT(i < HOIST_COMPUTE_GROUPS && kernels->groups[i]);
        const hoist_compute_group *group = kernels->groups[i];
        const size_t at = (size_t)op - group->first; // below the first: above all counts
        if (at < group->count && (group->rows[at].run || group->rows[at].fill)) {
            return &group->rows[at];
        }
    }
}

// Rows that prepare nothing leave the function out.
size_t hoist_compute_prepared_size(const hoist_compute_kernels *kernels,
                                   const hoist_compute_call *call)
{
    const hoist_compute_row *row = row_of(kernels, call->op);
    return row->prepared_size ? row->prepared_size(call) : 0;
}

bool hoist_compute_prepare(const hoist_compute_kernels *kernels, const hoist_compute_call *call,
                           uint8_t *prepared)
{
    return row_of(kernels, call->op)->prepare(call, prepared);
}

size_t hoist_compute_scratch_size(const hoist_compute_kernels *kernels,
                                  const hoist_compute_call *call)
{
    const hoist_compute_row *row = row_of(kernels, call->op);
    return row->scratch_size ? row->scratch_size(call) : 0;
}

bool hoist_compute_form_of(const hoist_compute_kernels *kernels, const hoist_compute_call *call,
                           const int64_t *step, hoist_compute_form *out_form)
{
    const hoist_compute_row *row = row_of(kernels, call->op);
    return row->form && row->form(call, step, out_form);
}

size_t hoist_compute_work(const hoist_compute_call *call)
{
    // The cut is the same at every level.
    const hoist_compute_row *row = row_of(&hoist_compute_kernels_baseline, call->op);
    // Rows without a cut of their own have a unit for each tile.
    if (row->work) {
        return row->work(call);
    }
    const hoist_tile_shape *shape = &call->output.shape;
    return (size_t)(shape->z * shape->rows * shape->cols);
}

hoist_status hoist_compute_run(const hoist_compute_kernels *kernels, const hoist_compute_call *call,
                               size_t begin, size_t end, hoist_compute_fault *out_fault)
{
    HOIST_ASSERT(begin <= end);
    *out_fault = (hoist_compute_fault){0};
    const hoist_compute_row *row = row_of(kernels, call->op);
    if (row->run) {
        return row->run(call, begin, end, out_fault);
    }
    row->fill(call, begin, end);
    return HOIST_OK;
}
