// Lowering jobs: the table of formats that can be run.
#include "lower/lower.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/buda/module.h"
#include "formats/neff/module.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "program/program.h"

static hoist_status lower_buda(const hoist_lower_file *files, size_t count,
                               const hoist_check_options *check, const hoist_lower_options *options,
                               hoist_diag *diag, hoist_program **out_program)
{
    (void)count; // one
    return hoist_lower_buda(files[0].module, check, options, diag, out_program);
}

typedef struct lowering {
    const hoist_format *format;
    bool several;       // files make one job
    bool checks_orders; // its check judges them, too
    // The format's rule for one of programs; NULL: it has none of its own.
    const hoist_rule *(*rule)(hoist_program_rule rule);
    hoist_status (*lower)(const hoist_lower_file *files, size_t count,
                          const hoist_check_options *check, const hoist_lower_options *options,
                          hoist_diag *diag, hoist_program **out_program);
} lowering;

static const lowering lowerings[] = {
    {&hoist_buda_format, false, false, NULL, lower_buda},
    {&hoist_neff_format, true, true, hoist_lower_neff_rule, hoist_lower_neff},
};

static const lowering *lowering_of(const hoist_job *job)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(lowerings); i++) {
        if (lowerings[i].format == job->module->format) {
            return &lowerings[i];
        }
    }
    return NULL;
}

hoist_status hoist_job_add(hoist_job *job, hoist_job *other, hoist_diag *diag)
{
    const lowering *how = lowering_of(job);
    const hoist_rule *rule = hoist_load_rule(LOAD_004);
    hoist_diag_source(diag, other->name, HOIST_STR(""));
    if (!how || !how->several) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, rule, hoist_loc_none(),
                          "files of the format '%s' do not make one job",
                          job->module->format->name);
    }
    if (other->module->format != job->module->format || other->other_count) {
        return hoist_fail(diag, HOIST_INVALID, rule, hoist_loc_none(),
                          "a file of the format '%s' in a job of '%s'", other->module->format->name,
                          job->module->format->name);
    }
    if (!hoist_grow(job->alloc, (void **)&job->others, &job->other_capacity, job->other_count + 1,
                    sizeof(hoist_job *))) {
        return HOIST_NO_MEMORY;
    }
    job->others[job->other_count++] = other;
    return HOIST_OK;
}

bool hoist_job_checks_orders(const hoist_job *job)
{
    const lowering *how = lowering_of(job);
    return how && how->checks_orders;
}

const hoist_rule *hoist_job_rule(const hoist_job *job, hoist_program_rule rule)
{
    const lowering *how = lowering_of(job);
    const hoist_rule *own = how && how->rule ? how->rule(rule) : NULL;
    return own ? own : hoist_program_rule_get(rule);
}

hoist_status hoist_job_lower_checked(const hoist_job *job, const hoist_lower_options *options,
                                     hoist_diag *diag, hoist_program **out_program)
{
    const lowering *how = lowering_of(job);
    const size_t count = job->other_count + 1;
    if (!how) {
        return hoist_job_refuse(job, "lowered", diag);
    }
    hoist_lower_file *files = hoist_alloc_zero(job->alloc, count, sizeof *files);
    if (!files) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const hoist_job *one = hoist_job_file(job, i);
        files[i] = (hoist_lower_file){one->module, one->name};
    }
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    const hoist_status status = how->lower(files, count, &job->options, options, diag, out_program);
    hoist_free(job->alloc, files, count * sizeof *files);
    return status;
}

hoist_status hoist_job_lower(hoist_job *job, const hoist_lower_options *options, hoist_diag *diag,
                             hoist_program **out_program)
{
    *out_program = NULL;
    hoist_lower_options mine;
    hoist_diag *own = NULL;
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &mine, sizeof(mine)),
                                  options ? options->struct_size : 0, "hoist_lower_options", diag));
    if (!diag) {
        HOIST_TRY(hoist_diag_create(job->alloc, NULL, &own));
    }
    diag = diag ? diag : own;
    hoist_status status = hoist_job_check_rules(job, diag);
    if (status == HOIST_OK) {
        status = hoist_job_lower_checked(job, &mine, diag, out_program);
    }
    hoist_diag_destroy(own);
    return status;
}
