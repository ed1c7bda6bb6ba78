// Any bytes through the reader and checker of netlists. One without an error is lowered, in the
// numerics that its size draws; what it becomes must verify, print and read back as the same, and
// run to some end without data.
#include "hoist/load.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "machine/schedule.h"
#include "program/verify.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20, FUZZ_STEPS = 20000, MOST_PARAMETERS = 64 };

static void fill_queues(const hoist_program *program, hoist_machine *machine)
{
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        uint32_t slot = 0;
        if (program->fifos[i].host_push && program->fifos[i].kind == HOIST_FIFO_QUEUE &&
            hoist_machine_host_push_begin(machine, i, &slot)) {
            hoist_machine_host_push_end(machine, i);
        }
    }
}

// Deadlocks, faults and limits are what wrong netlists end in.
static void run_entry(const hoist_program *program, hoist_ref entry, hoist_allocator alloc,
                      hoist_diag *diag)
{
    const hoist_machine_options options = {.alloc = alloc, .max_steps = FUZZ_STEPS};
    hoist_machine *machine = NULL;
    if (program->entries[entry].parameter_count > MOST_PARAMETERS ||
        !fuzz_came(hoist_machine_create(program, &options, &machine))) {
        return;
    }
    int64_t parameters[MOST_PARAMETERS];
    for (size_t i = 0; i < MOST_PARAMETERS; i++) {
        parameters[i] = 1;
    }
    fill_queues(program, machine);
    hoist_outcome outcome;
    if (fuzz_came(hoist_machine_start(machine, entry, parameters))) {
        const hoist_schedule in_order = {.kind = HOIST_SCHEDULE_IN_ORDER};
        (void)fuzz_came(hoist_schedule_run(machine, in_order, NULL, NULL, diag, &outcome));
    }
    hoist_machine_destroy(machine);
}

static void fuzz_lower(hoist_job *job, hoist_numerics numerics, hoist_allocator alloc,
                       hoist_diag *diag)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .numerics = numerics};
    hoist_program *program = NULL;
    const size_t before = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_status status = hoist_job_lower(job, &options, diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    if (status == HOIST_INVALID || status == HOIST_UNSUPPORTED) {
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) > before); // it says why
    } else if (fuzz_came(status) && fuzz_came(hoist_program_verify(program, diag))) {
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) == before);
        (void)fuzz_read_again(program, alloc, diag);
        for (uint32_t i = 0; i < program->entry_count; i++) {
            run_entry(program, i, alloc, diag);
        }
    }
    hoist_program_destroy(program);
}

static hoist_status ignore(void *self, const hoist_tree_event *event)
{
    (void)self;
    (void)event;
    return HOIST_OK;
}

// An estimate ends in some way, too, and says why when there is none.
static void fuzz_time(hoist_job *job, hoist_diag *diag)
{
    const hoist_time_options options = {
        .struct_size = sizeof options, .cores = 1, .max_steps = FUZZ_STEPS};
    hoist_tree_sink sink = {.event = ignore};
    const size_t before = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_status status = hoist_job_time(job, &options, diag, &sink);
    fuzz_require(status != HOIST_INTERNAL);
    fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY ||
                 hoist_diag_count(diag, HOIST_ERROR) > before);
}

static void fuzz_netlist(hoist_bytes text, hoist_allocator alloc, hoist_diag *diag)
{
    const hoist_open_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .format = "buda"};
    hoist_job *job = NULL;
    if (hoist_job_open_bytes(text, "fuzz", &options, diag, &job) == HOIST_OK &&
        hoist_diag_count(diag, HOIST_ERROR) == 0) {
        fuzz_lower(job, (hoist_numerics)(text.size % (HOIST_NUMERICS_DEVICE + 1)), alloc, diag);
        fuzz_time(job, diag);
    }
    hoist_job_close(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    hoist_diag *diag = NULL;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        return 0;
    }
    fuzz_netlist((hoist_bytes){data, size}, hoist_budget_allocator(&budget), diag);
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
