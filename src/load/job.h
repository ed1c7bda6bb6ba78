// load/job.h - the job, for the sources of load/.
#ifndef HOIST_SRC_LOAD_JOB_H
#define HOIST_SRC_LOAD_JOB_H

#include "hoist/load.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/progress.h"
#include "load/formats.h"
#include "os/file.h"
#include "program/rules.h"

struct hoist_job {
    hoist_allocator alloc;
    hoist_deadline *deadline; // borrowed; NULL: none
    hoist_arena arena;        // option texts and descriptors
    hoist_file_view view;     // the file, when the module is made of its bytes and they are ours
    hoist_module *module;     // owned
    // The container of which the module is the content (hoist_format.held); owned; NULL: none.
    hoist_module *holder;
    hoist_str member;            // arena: of the holder, which the module is; else empty
    hoist_str name;              // arena
    hoist_check_options options; // texts in the arena
    bool has_errors;             // reading has found some
    bool is_clean;               // the rules were checked, and nothing was found, not even a note
    hoist_nested *nested;        // arena
    size_t nested_count;
    const hoist_diff_rule *diff_rules; // arena: the format's and those of what is nested; or NULL
    hoist_job **others;                // owned, as their list is: the next files of the job
    size_t other_count;
    size_t other_capacity;
};

// A public call that works on a file: its findings are in that file, and it ends with its deadline.
typedef struct hoist_call {
    hoist_deadline *deadline;
    hoist_diag *diag;
    hoist_source before;
    const char *doing; // "checking": what a message says is going on
    bool has_stage;    // it has begun one, which it ends
} hoist_call;

hoist_call hoist_call_begin(hoist_str file, hoist_deadline *deadline, hoist_diag *diag,
                            const char *doing);
// The same of a call on a job; events to `sink`, which may be NULL, end with the deadline, too.
hoist_call hoist_job_call(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink,
                          const char *doing);
// The call is a stage of so much work (0: not known), and reports how far it is.
void hoist_call_stage(hoist_call *call, hoist_stage stage, uint64_t total);
// What the call returns: `status`; HOIST_LIMIT (LOAD-006) or HOIST_CANCELLED when its deadline is
// over, whatever it has done so far.
HOIST_NODISCARD hoist_status hoist_call_end(const hoist_call *call, hoist_status status);

// Reads the caller's options, of `type` and `size`, into `own` (base/options.h), and reports why
// not.
HOIST_NODISCARD hoist_status hoist_load_options(const void *given, void *own, size_t size,
                                                const char *type, hoist_diag *diag);
// Makes a diag, to count errors in, where the caller gave none; hoist_diag_destroy(*out_own).
HOIST_NODISCARD hoist_status hoist_load_diag(hoist_allocator alloc, hoist_diag **diag,
                                             hoist_diag **out_own);
// Reports that the job's format has no meaning for what is asked ("drawn"). HOIST_UNSUPPORTED.
hoist_status hoist_job_refuse(const hoist_job *job, const char *what, hoist_diag *diag);
// Gives what a buffer holds when `status` is HOIST_OK; else frees it and passes `status` on.
hoist_status hoist_load_take(hoist_buffer *buffer, hoist_status status, hoist_mut_bytes *out_bytes);

// The job's files: 0 ... other_count.
static inline const hoist_job *hoist_job_file(const hoist_job *job, size_t index)
{
    return index ? job->others[index - 1] : job;
}

// A job's file for functions that know nothing of jobs; borrowed from it.
static inline hoist_file hoist_job_opened(const hoist_job *job)
{
    return (hoist_file){job->module, job->name, job->member, job->nested, job->nested_count};
}

// Names the job's file, and the member of its container, for findings of its module.
static inline void hoist_job_source(const hoist_job *job, hoist_diag *diag)
{
    hoist_diag_source(diag, job->name, job->member);
}

// Makes the job one of the file that its module is only the container of. HOIST_OK, whatever was
// found; HOIST_LIMIT, HOIST_NO_MEMORY. held.c
hoist_status hoist_job_open_held(hoist_job *job, const hoist_read_options *options,
                                 hoist_diag *diag);

// Opens what the job's module says is a file of another format. HOIST_OK, whatever was found;
// HOIST_LIMIT, HOIST_NO_MEMORY. nested.c
hoist_status hoist_job_open_nested(hoist_job *job, const hoist_read_options *options,
                                   hoist_diag *diag);
void hoist_job_close_nested(hoist_job *job); // nested.c
// The modules of a job's file: its own at 0, then those that are nested, up to nested_count. NULL:
// what is nested there could not be opened.
static inline const hoist_module *hoist_job_module(const hoist_job *job, size_t index)
{
    return index ? job->nested[index - 1].module : job->module;
}

// Opens the object path of findings in module `index` of the file; closed by hoist_diag_pop().
// nested.c
void hoist_job_enter(const hoist_job *job, size_t index, hoist_diag *diag, hoist_frame *frame);
// The bytes of module `index` in a copy of the file's. nested.c
hoist_mut_bytes hoist_job_part(const hoist_job *job, size_t index, hoist_mut_bytes bytes);
// How many modules of the file are of a format that has something; `*out_last`: the last of them.
// nested.c
size_t hoist_job_count(const hoist_job *job, bool (*has)(const hoist_format *format),
                       size_t *out_last);

// Calls `member` for each nested module. With a sink it is sent as the list "payloads", in whose
// maps `member` sends what it has; nothing when there are none. nested.c
typedef hoist_status hoist_nested_member(const hoist_job *job, const hoist_nested *nested,
                                         void *self, hoist_diag *diag, hoist_tree_sink *sink);
hoist_status hoist_job_each_nested(const hoist_job *job, hoist_nested_member *member, void *self,
                                   hoist_diag *diag, hoist_tree_sink *sink);

// Checks the rules of the format, file by file, and of what is nested in them. HOIST_OK;
// HOIST_INVALID: there are errors, of reading, too; HOIST_NOT_FOUND: there are errors, but each
// file alone has none, and they are not all that their job has and no others; HOIST_LIMIT,
// HOIST_NO_MEMORY. check.c
hoist_status hoist_job_check_rules(const hoist_job *job, hoist_diag *diag);
// Sends the list "command_queues" of a summary, null for a job that cannot be lowered. HOIST_OK,
// the sink's failure, HOIST_LIMIT (the deadline), HOIST_CANCELLED, HOIST_NO_MEMORY. commands.c
hoist_status hoist_job_send_commands(const hoist_job *job, hoist_tree_sink *sink);
// Lowers a job that has no errors; as hoist_job_lower().
hoist_status hoist_job_lower_checked(const hoist_job *job, const hoist_lower_options *options,
                                     hoist_diag *diag, hoist_program **out_program);
// Checks choices that this library may not know. HOIST_OK, or HOIST_INVALID and a finding.
hoist_status hoist_job_check_choices(const hoist_lower_options *options, hoist_diag *diag);
// What hoist_job_graph() and hoist_job_layout() send, of one picture. draw.c
HOIST_NODISCARD hoist_status hoist_job_graph_and_layout(const hoist_job *job, hoist_diag *diag,
                                                        hoist_tree_sink *sink);
// Whether the check of the job's format checks the orders of its program.
bool hoist_job_checks_orders(const hoist_job *job);
// What a finding of the job's program is reported under: the format's rule, else the program's.
const hoist_rule *hoist_job_rule(const hoist_job *job, hoist_program_rule rule);

#endif // HOIST_SRC_LOAD_JOB_H
