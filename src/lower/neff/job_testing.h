// lower/neff/job_testing.h - for tests: NEFFs as texts, lowered, and their programs run with data.
#ifndef HOIST_SRC_LOWER_NEFF_JOB_TESTING_H
#define HOIST_SRC_LOWER_NEFF_JOB_TESTING_H

#include "formats/neff/neff_testing.h"
#include "lower/neff/lower.h"

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
// Adds subgraphs "sg01" ... whose engine sp is that of the first one.
void neff_job_cores(hoist_test *t, neff_texts *neff, uint32_t cores);
// Reads and lowers; `*out_program` is the caller's, NULL when there is none. Modules live only
// until this returns, as the job may be closed before the program runs.
hoist_status neff_job_lower(hoist_test *t, const neff_texts *files, size_t count,
                            const hoist_lower_options *options, hoist_program **out_program);

// A job of one file, and what a piece of its program's text is.
typedef struct neff_job_case {
    const char *name;
    neff_job_parts parts;
    uint32_t ranks;    // 0: as the file says
    uint32_t cores;    // subgraphs that are all alike; 0: 1
    uint32_t lnc;      // cores of a logical core; 0: 1
    bool unknown;      // what is not public is skipped
    const char *heads; // of lower_test_expect_piece()
    const char *text;
} neff_job_case;
void neff_job_expect(hoist_test *t, const neff_job_case *row);

#endif // HOIST_SRC_LOWER_NEFF_JOB_TESTING_H
