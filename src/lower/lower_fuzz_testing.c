#include "lower/lower_fuzz_testing.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "lower/darwinn/lower.h"
#include "program/verify.h"

enum { PACKAGE_MEMORY = 256 << 20 };

void fuzz_run(const hoist_program *program, hoist_ref entry, const fuzz_way *way,
              hoist_allocator alloc, hoist_diag *diag)
{
    const hoist_machine_options options = {.alloc = alloc, .max_steps = way->max_steps};
    hoist_machine *machine = NULL;
    hoist_outcome outcome = HOIST_OUTCOME_DONE;
    if (fuzz_came(hoist_machine_create(program, &options, &machine)) &&
        fuzz_came(hoist_machine_start(machine, entry, NULL)) &&
        fuzz_came(hoist_schedule_run(machine, way->schedule, NULL, NULL, diag, &outcome))) {
        fuzz_require(!way->never_stuck || outcome == HOIST_OUTCOME_DONE ||
                     outcome == HOIST_OUTCOME_LIMIT);
    }
    hoist_machine_destroy(machine);
}

void fuzz_lower_files(fuzz_lowering *lower, const hoist_file *files, size_t count,
                      const hoist_lower_options *options, const fuzz_way *way, hoist_diag *diag)
{
    const hoist_module *module = files->module;
    hoist_program *program = NULL;
    const size_t before = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_status status = lower(files, count, NULL, options, diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    if (status == HOIST_UNSUPPORTED || status == HOIST_NOT_FOUND) {
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) > before); // it says why
    } else if (fuzz_came(status)) {
        fuzz_require(hoist_program_verify(program, diag) != HOIST_INVALID);
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) == before);
        (void)fuzz_read_again(program, module->alloc, diag);
        fuzz_run(program, 0, way, module->alloc, diag);
    }
    hoist_program_destroy(program);
}

void fuzz_lower(fuzz_lowering *lower, const hoist_module *module,
                const hoist_lower_options *options, const fuzz_way *way, hoist_diag *diag)
{
    const hoist_file file = {.module = module, .name = HOIST_STR("fuzz")};
    fuzz_lower_files(lower, &file, 1, options, way, diag);
}

void fuzz_lower_package(hoist_bytes file, const hoist_lower_options *options, const fuzz_way *way)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = PACKAGE_MEMORY};
    const hoist_read_options read = {.alloc = hoist_budget_allocator(&budget), .keep = true};
    hoist_module *module = NULL;
    hoist_diag *diag = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status = dwn_read(file, &read, diag, &module);
    fuzz_require(status == HOIST_OK || module == NULL);
    if (module) {
        fuzz_lower(darwinn_lower, module, options, way, diag);
    }
    dwn_destroy(module);
    fuzz_require(budget.used == 0);
    hoist_diag_destroy(diag);
}
