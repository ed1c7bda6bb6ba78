// lower/neff_job_testing.h - for tests: NEFFs as texts, lowered, and their programs run with data.
#ifndef HOIST_SRC_LOWER_NEFF_JOB_TESTING_H
#define HOIST_SRC_LOWER_NEFF_JOB_TESTING_H

#include "formats/neff/neff_testing.h"
#include "lower/lower.h"

// A NEFF that differs from the base of one copy: queue set `q0` of sp, semaphore 1, `input` and
// `output` of 64 bytes. NULL: as there.
typedef struct neff_job_parts {
    const char *queues;   // members of dma_queue
    const char *vars;     // members of var, all of them
    const char *blocks;   // items of sp's dma
    const char *records;  // of sp.bin
    const char *groups;   // replica_groups
    const char *pe, *act; // records of other engines
} neff_job_parts;

void neff_job_texts(hoist_test *t, const neff_job_parts *parts, neff_texts *out_neff);
// Reads and lowers; `*out_program` is the caller's, NULL when there is none. Modules live only
// until this returns, as the job may be closed before the program runs.
hoist_status neff_job_lower(hoist_test *t, const neff_texts *files, size_t count,
                            const hoist_lower_options *options, hoist_program **out_program);

#endif // HOIST_SRC_LOWER_NEFF_JOB_TESTING_H
