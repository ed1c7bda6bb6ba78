// Scratch memory of workers: the compute steps of a program in, the greatest need of their kernels
// found (kernels/compute.h), a part of that size for each worker out (scratch.h).
#include "runtime/scratch.h"

#include "base/assert.h"
#include "base/checked.h"
#include "os/pages.h"
#include "plan/groups.h"
#include "runtime/form.h"

enum { ALIGNMENT = 64 }; // of parts

// A product whose output is not stored takes memory for it.
static size_t step_need(const hoist_program *program, const hoist_prog_step *step,
                        const hoist_group_plan *groups, const hoist_compute_kernels *kernels)
{
    static const hoist_compute_finish goes_on = {.is_stored = false};
    hoist_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    hoist_compute_call call;
    if (!hoist_form_of_step(program, step, views, &call)) {
        return 0;
    }
    const hoist_group *group = hoist_group_at(groups, step);
    if (group && group->is_product && !hoist_group_stores_product(program, groups, group)) {
        call.finish = &goes_on;
    }
    return hoist_compute_scratch_size(kernels, &call);
}

// What the step of some code needs that needs most.
static size_t need_of(const hoist_program *program, const hoist_prog_code *code,
                      const hoist_group_plan *groups, const hoist_compute_kernels *kernels)
{
    size_t most = 0;
    for (uint32_t i = 0; i < code->step_count; i++) {
        const size_t size = step_need(program, &code->steps[i], groups, kernels);
        most = size > most ? size : most;
    }
    return most;
}

hoist_status hoist_scratch_init(hoist_scratch *scratch, hoist_store *store,
                                const hoist_compute_kernels *kernels,
                                const hoist_group_plan *groups, size_t workers)
{
    const hoist_program *const program = store->program;
    size_t most = 0;
    *scratch = (hoist_scratch){.each = 0};
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        const size_t size = need_of(program, hoist_prog_code_at(program, i), groups, kernels);
        most = size > most ? size : most;
    }
    HOIST_ASSERT(most <= HOIST_COMPUTE_MAX_SCRATCH);
    // Kernels' memory follows that of blocks, with the same alignment.
    HOIST_ASSERT(groups->scratch <= HOIST_GROUP_SCRATCH && groups->scratch % ALIGNMENT == 0);
    const size_t each = (size_t)groups->scratch + (most + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint64_t all = 0;
    const hoist_status status = hoist_ckd_mul(&all, each, workers)
                                    ? HOIST_LIMIT
                                    : hoist_store_take(store, all, &scratch->pages);
    scratch->each = status == HOIST_OK ? each : 0;
    // Going without is slower, and no failure.
    return status == HOIST_LIMIT ? HOIST_OK : status;
}

void hoist_scratch_deinit(hoist_scratch *scratch)
{
    hoist_pages_free(scratch->pages);
}

hoist_mut_bytes hoist_scratch_of(const hoist_scratch *scratch, size_t worker)
{
    if (scratch->each == 0) {
        return (hoist_mut_bytes){NULL, 0};
    }
    HOIST_ASSERT(worker < scratch->pages.size / scratch->each);
    return (hoist_mut_bytes){scratch->pages.data + worker * scratch->each, scratch->each};
}
