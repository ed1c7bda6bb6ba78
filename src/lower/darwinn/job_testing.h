// lower/darwinn/job_testing.h - for tests: packages of a few recovered layers, lowered.
#ifndef HOIST_SRC_LOWER_DARWINN_JOB_TESTING_H
#define HOIST_SRC_LOWER_DARWINN_JOB_TESTING_H

#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/recover_testing.h"
#include "lower/darwinn/lower.h"

enum { DARWINN_JOB_LAYERS = 4, DARWINN_JOB_SKETCHES = 6, DARWINN_JOB_CONSTANTS = 8 };

// A layer at the border.
typedef struct darwinn_job_layer {
    const char *name; // NULL: no more
    dwn_extent extent;
    uint8_t zero;
    int16_t type;       // dwn_data_type
    int32_t executions; // 0: 1
    // Ranges of its shape, starts and ends in turn, where there is one.
    int32_t ranges[2 * HOIST_MAX_RANK + 2];
    size_t rank;
} darwinn_job_layer;

// A package of an executable that is run and one that fills the chip's memory with `cached` bytes,
// all of them `fill`.
typedef struct darwinn_job_plan {
    darwinn_job_layer inputs[DARWINN_JOB_LAYERS];
    darwinn_job_layer outputs[DARWINN_JOB_LAYERS];
    dwn_sketch sketches[DARWINN_JOB_SKETCHES]; // of operations, until one has no multiplier
    uint32_t
        constants[DARWINN_JOB_CONSTANTS]; // stored before the last operation, if the first is not 0
    uint32_t cached;
    uint8_t fill;
    uint32_t
        one_hot;   // rows of the last 128 bytes, which have a 1 each and are of 8 inputs; 0: none
    int32_t batch; // 0: 1
    // Of packages for a driver:
    bool is_alone; // one executable, to which the parameters are sent in every run
    bool scratch;  // 64 bytes of it are sent out and fetched after a fence
    bool two_chunks;
    bool slices; // outputs have shape_info: the lower half of the rows comes first
} darwinn_job_plan;

// Its bytes, in the test's arena.
hoist_bytes darwinn_job_package(hoist_test *t, const darwinn_job_plan *plan);
// The same with all that a driver needs: links, transfers, hints; byte i of the parameters is
// `fill` + i modulo 7. driven_testing.c
hoist_bytes darwinn_driven_package(hoist_test *t, const darwinn_job_plan *plan);
// Adds the operations to a chunk, with what takes an equal share of the parameters to each that has
// some, or what caches these shares; the layers at the border, in the test's arena.
void darwinn_job_operations(const darwinn_job_plan *plan, dwn_maker *m);
void darwinn_job_runs(const darwinn_job_plan *plan, dwn_maker *m);
dwn_layer *darwinn_job_layers(hoist_test *t, const darwinn_job_layer *plan, uint32_t *out_count);
// Reads and lowers a package that is a file, without a driver where `options` is NULL;
// `*out_program` is the caller's, NULL when there is none.
hoist_status darwinn_job_lower(hoist_test *t, hoist_bytes package,
                               const hoist_lower_options *options, hoist_program **out_program);
// The steps of a function as text, one a line, with labels.
hoist_str darwinn_job_steps(hoist_test *t, const hoist_program *program, const char *function);

#endif // HOIST_SRC_LOWER_DARWINN_JOB_TESTING_H
