// lower/lower_fuzz_testing.h - for fuzz targets: modules are lowered, and what comes of them is run
// without data.
#ifndef HOIST_SRC_LOWER_LOWER_FUZZ_TESTING_H
#define HOIST_SRC_LOWER_LOWER_FUZZ_TESTING_H

#include "lower/lower.h"
#include "machine/schedule.h"
#include "testing/fuzz.h"

// How programs are run.
typedef struct fuzz_way {
    hoist_schedule schedule;
    uint64_t max_steps;
    bool never_stuck; // a deadlock or a fault is a finding
} fuzz_way;

// Runs an entry to some end.
void fuzz_run(const hoist_program *program, hoist_ref entry, const fuzz_way *way,
              hoist_allocator alloc, hoist_diag *diag);

// One of the functions of lower/lower.h.
typedef hoist_status fuzz_lowering(const hoist_file *files, size_t count,
                                   const hoist_check_options *check,
                                   const hoist_lower_options *options, hoist_diag *diag,
                                   hoist_program **out_program);

// Lowers the files of a job and runs the first entry. What is not supported must be reported; what
// is lowered must pass the verifier, and print and read back as the same.
void fuzz_lower_files(fuzz_lowering *lower, const hoist_file *files, size_t count,
                      const hoist_lower_options *options, const fuzz_way *way, hoist_diag *diag);
// The same of one module.
void fuzz_lower(fuzz_lowering *lower, const hoist_module *module,
                const hoist_lower_options *options, const fuzz_way *way, hoist_diag *diag);
// The same of the bytes of an Edge TPU package, if they read; all memory must come back.
void fuzz_lower_package(hoist_bytes file, const hoist_lower_options *options, const fuzz_way *way);

#endif // HOIST_SRC_LOWER_LOWER_FUZZ_TESTING_H
