// load/job.h - the job, for the sources of load/.
#ifndef HOIST_SRC_LOAD_JOB_H
#define HOIST_SRC_LOAD_JOB_H

#include "hoist/load.h"

#include "base/arena.h"
#include "load/formats.h"
#include "os/file.h"

struct hoist_job {
    hoist_allocator alloc;
    hoist_arena arena;           // option texts and descriptors
    hoist_file_view view;        // the file, when the module is made of its bytes and they are ours
    hoist_module *module;        // owned
    hoist_str name;              // arena
    hoist_check_options options; // texts in the arena
    bool has_errors;             // reading has found some
    hoist_job **others;          // owned, as their list is: the next files of the job
    size_t other_count;
    size_t other_capacity;
};

// Reports what reading the caller's options of type `type` gave; `status` is passed on.
hoist_status hoist_judge_options(hoist_status status, size_t struct_size, const char *type,
                                 hoist_diag *diag);
// Reports that the job's format has no meaning for what is asked ("drawn"). HOIST_UNSUPPORTED.
hoist_status hoist_job_refuse(const hoist_job *job, const char *what, hoist_diag *diag);
// Judges in which orders the job's program may run, where its format wants that and the file can be
// lowered. HOIST_OK whatever was found, HOIST_NO_MEMORY.
hoist_status hoist_job_check_orders(const hoist_job *job, hoist_diag *diag);
// Hands over what a buffer holds when `status` is HOIST_OK; else frees it and passes `status` on.
hoist_status hoist_load_take(hoist_buffer *buffer, hoist_status status, hoist_mut_bytes *out_bytes);

// Hands over what was found of a program and `diag` (may be NULL) has not got yet; of several
// `ranks` what it has not got at that place. What an instruction that was skipped (`skips`) may
// have written is no finding. Returns whether there was one.
bool hoist_job_pass_on(const hoist_program *program, const hoist_diag *found, bool skips,
                       bool ranks, hoist_diag *diag);
// Reports that not all orders of the job's program could be looked at, and why, under the rules of
// its format.
void hoist_job_doubt(const hoist_job *job, const char *why, hoist_diag *diag);

#endif // HOIST_SRC_LOAD_JOB_H
