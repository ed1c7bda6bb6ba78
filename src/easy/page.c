// A job as a page. In: a job and what was found on opening it. Out: the bytes that `hoist view`
// writes, by the same code (page/file.h).
#include "hoist/easy.h"

#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/job.h"
#include "page/file.h"

// What parts of the page ended with, first of all.
typedef struct outcome {
    hoist_status status;
    hoist_diag *diag; // the caller's: findings of parts go there
} outcome;

// Parts of a page fail each for itself: the page goes on, and the first status is the call's.
static void keep_outcome(void *self, hoist_status status, hoist_diag *found)
{
    outcome *const o = self;
    if (status != HOIST_OK) {
        hoist_diag_add_all(o->diag, found, NULL, NULL);
        o->status = o->status == HOIST_OK ? status : o->status;
    }
}

static hoist_status write_page(hoist_job *job, const hoist_page_options *options,
                               hoist_diag *findings, hoist_diag *diag, hoist_mut_bytes *out_page)
{
    outcome o = {HOIST_OK, diag};
    const page_file file = {.job = job,
                            .diag = findings,
                            .name = options->name ? hoist_str_from(options->name) : job->name,
                            .size = options->size_bytes,
                            .is_shown = hoist_job_can_show(job),
                            .ended = keep_outcome,
                            .self = &o};
    hoist_page page;
    page_open(&page, options->alloc, NULL, job->deadline);
    const hoist_status sent = page_file_send(&file, &page);
    const hoist_status taken = hoist_page_take(&page, out_page);
    // A part's failure first: page_file_send() itself may have succeeded.
    const hoist_status status = o.status != HOIST_OK ? o.status : sent;
    if (status != HOIST_OK) {
        hoist_easy_free(*out_page, options->alloc);
        *out_page = (hoist_mut_bytes){NULL, 0};
    }
    return status != HOIST_OK ? status : taken;
}

hoist_status hoist_job_page(hoist_job *job, const hoist_page_options *options, hoist_diag *diag,
                            hoist_mut_bytes *out_page)
{
    hoist_page_options own;
    hoist_diag *findings = NULL;
    *out_page = (hoist_mut_bytes){NULL, 0};
    HOIST_TRY(hoist_options_read(options, &own, sizeof(own)));
    // A zeroed option: the system's.
    own.alloc = own.alloc.resize ? own.alloc : hoist_allocator_system();
    // Copies: those of the caller stay as they are.
    HOIST_TRY(hoist_diag_create(own.alloc, NULL, &findings));
    hoist_diag_add_all(findings, own.found, NULL, NULL);
    const hoist_status status = write_page(job, &own, findings, diag, out_page);
    hoist_diag_destroy(findings);
    return status;
}
