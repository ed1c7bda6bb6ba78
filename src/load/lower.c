// Jobs of several files, and lowering to a program: as the row of formats.c describes, after the
// check. In: a job, options of lowering. Out: a program (program/program.h) that sessions run;
// order.c and time.c lower in their own ways through hoist_job_lower_checked().
#include "hoist/lower.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "lower/lower_rules.h"
#include "program/program.h"

static const hoist_format_row *row_of(const hoist_job *job)
{
    return hoist_format_row_of(job->module->format);
}

// The other file becomes the job's and is closed with it, but only when this succeeds.
static hoist_status add(hoist_job *job, hoist_job *other, hoist_diag *diag)
{
    // Three reasons why a file does not fit into the job, each with what was found.
    const hoist_rule *rule = hoist_load_rule(LOAD_004);
    if (!row_of(job)->several) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, rule, hoist_loc_none(),
                          "files of the format '%s' do not make one job",
                          job->module->format->name);
    }
    if (other->module->format != job->module->format) {
        return hoist_fail(diag, HOIST_INVALID, rule, hoist_loc_none(),
                          "a file of the format '%s' in a job of '%s'", other->module->format->name,
                          job->module->format->name);
    }
    if (other->other_count) { // a list of files has one level
        return hoist_fail(diag, HOIST_INVALID, rule, hoist_loc_none(),
                          "a job of %zu files is added to a job, expected one file",
                          other->other_count + 1);
    }
    if (!hoist_grow(job->alloc, (void **)&job->others, &job->other_capacity, job->other_count + 1,
                    sizeof(hoist_job *))) {
        return HOIST_NO_MEMORY;
    }
    job->others[job->other_count++] = other;
    job->is_clean = false; // rules of the job need all files
    return HOIST_OK;
}

hoist_status hoist_job_add(hoist_job *job, hoist_job *other, hoist_diag *diag)
{
    const hoist_source before = hoist_diag_enter(diag, other->name);
    const hoist_status status = add(job, other, diag);
    hoist_diag_leave(diag, before);
    return status;
}

bool hoist_job_checks_orders(const hoist_job *job)
{
    return row_of(job)->checks_orders;
}

// Where a format has the same rule, users know it by that id.
const hoist_rule *hoist_job_rule(const hoist_job *job, hoist_program_rule rule)
{
    const hoist_format_row *const row = row_of(job);
    // The format's own id where it has one, else PRG-...
    const hoist_rule *own = row->rule ? row->rule(rule) : NULL;
    return own ? own : hoist_program_rule_get(rule);
}

// No check of rules: callers have seen to it that there are no errors.
hoist_status hoist_job_lower_checked(const hoist_job *job, const hoist_lower_options *options,
                                     hoist_diag *diag, hoist_program **out_program)
{
    const hoist_format_row *const row = row_of(job);
    const size_t count = job->other_count + 1;
    // The format has no meaning in a run, as streams in files of their own.
    if (!row->lower) {
        return hoist_job_refuse(job, "lowered", diag);
    }
    // The format's reference is the only numerics it has.
    hoist_lower_options own = *options;
    const bool has =
        own.numerics == HOIST_NUMERICS_REFERENCE || (row->numerics >> own.numerics & 1);
    if (!has && own.numerics != HOIST_NUMERICS_FAST) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, hoist_lower_rule(RUN_045), hoist_loc_none(),
                          "the format '%s' has the numerics reference and fast only",
                          job->module->format->name);
    }
    own.numerics = has ? own.numerics : HOIST_NUMERICS_REFERENCE; // nothing of it is faster
    hoist_file *const files = hoist_alloc_zero(job->alloc, count, sizeof *files);
    if (!files) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        files[i] = hoist_job_opened(hoist_job_file(job, i));
    }
    hoist_job_source(job, diag);
    // One part each; the format has their number.
    const bool is_own = hoist_stage_begin(job->deadline, HOIST_STAGE_LOWERING, 0);
    const hoist_status status = row->lower(files, count, &job->options, &own, diag, out_program);
    hoist_stage_end(job->deadline, is_own);
    hoist_free(job->alloc, files, count * sizeof *files);
    return status;
}

// Enumerations come as numbers from other languages, and a newer caller may have more choices.
hoist_status hoist_job_check_choices(const hoist_lower_options *options, hoist_diag *diag)
{
    const struct {
        const char *name;
        unsigned value, most;
    } choices[] = {
        {"numerics", options->numerics, HOIST_NUMERICS_FAST},
        {"queue_mode", options->queue_mode, HOIST_QUEUES_GOLDEN},
        {"on_unknown", options->on_unknown, HOIST_UNKNOWN_POISON},
        {"requantization", options->requantization, HOIST_REQUANTIZE_FLOAT},
        {"driver", options->driver, HOIST_DRIVER_NONE},
        {"batch", options->batch, HOIST_MAX_BATCH},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(choices); i++) {
        if (choices[i].value > choices[i].most) {
            return hoist_fail(diag, HOIST_INVALID, hoist_load_rule(LOAD_003), hoist_loc_none(),
                              "the caller's options have %u as %s, expected 0 to %u",
                              choices[i].value, choices[i].name, choices[i].most);
        }
    }
    return HOIST_OK;
}

// A job with errors gives HOIST_INVALID, and no program.
static hoist_status lower(hoist_job *job, const hoist_lower_options *options, hoist_diag *diag,
                          hoist_program **out_program)
{
    hoist_lower_options mine;
    hoist_diag *own = NULL;
    HOIST_TRY(hoist_load_options(options, &mine, sizeof(mine), "hoist_lower_options", diag));
    HOIST_TRY(hoist_job_check_choices(&mine, diag));
    HOIST_TRY(hoist_load_diag(job->alloc, &diag, &own));
    hoist_status status = hoist_job_check_rules(job, diag);
    if (status == HOIST_OK) {
        status = hoist_job_lower_checked(job, &mine, diag, out_program);
    }
    hoist_diag_destroy(own);
    return status;
}

hoist_status hoist_job_lower(hoist_job *job, const hoist_lower_options *options, hoist_diag *diag,
                             hoist_program **out_program)
{
    *out_program = NULL;
    const hoist_call call = hoist_job_call(job, diag, NULL, "lowering");
    const hoist_status status = hoist_call_end(&call, lower(job, options, diag, out_program));
    // The deadline may have passed after the program was made.
    if (status != HOIST_OK) {
        hoist_program_destroy(*out_program);
        *out_program = NULL;
    }
    return status;
}
