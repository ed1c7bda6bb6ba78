// Lowering jobs: the table of formats that can be run.
#include "lower/lower.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/buda/module.h"
#include "formats/darwinn/module.h"
#include "formats/neff/module.h"
#include "formats/tflite/module.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "program/program.h"

static hoist_status lower_buda(const hoist_lower_file *files, size_t count,
                               const hoist_check_options *check, const hoist_lower_options *options,
                               hoist_diag *diag, hoist_program **out_program)
{
    (void)count; // one
    return hoist_lower_buda(&files[0], check, options, diag, out_program);
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
    {&hoist_tflite_format, true, false, NULL, hoist_lower_tflite},
    {&hoist_darwinn_format, true, false, NULL, hoist_lower_darwinn},
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

static hoist_status add(hoist_job *job, hoist_job *other, hoist_diag *diag)
{
    const lowering *how = lowering_of(job);
    const hoist_rule *rule = hoist_load_rule(LOAD_004);
    if (!how || !how->several) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, rule, hoist_loc_none(),
                          "files of the format '%s' do not make one job",
                          job->module->format->name);
    }
    if (other->module->format != job->module->format) {
        return hoist_fail(diag, HOIST_INVALID, rule, hoist_loc_none(),
                          "a file of the format '%s' in a job of '%s'", other->module->format->name,
                          job->module->format->name);
    }
    if (other->other_count) {
        return hoist_fail(diag, HOIST_INVALID, rule, hoist_loc_none(),
                          "a job of %zu files is added to a job, wanted one file",
                          other->other_count + 1);
    }
    if (!hoist_grow(job->alloc, (void **)&job->others, &job->other_capacity, job->other_count + 1,
                    sizeof(hoist_job *))) {
        return HOIST_NO_MEMORY;
    }
    job->others[job->other_count++] = other;
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
    const lowering *how = lowering_of(job);
    return how && how->checks_orders;
}

const hoist_rule *hoist_job_rule(const hoist_job *job, hoist_program_rule rule)
{
    const lowering *how = lowering_of(job);
    const hoist_rule *own = how && how->rule ? how->rule(rule) : NULL;
    return own ? own : hoist_program_rule_get(rule);
}

// A file of a job as lowering takes it.
static hoist_status describe(const hoist_job *job, hoist_arena *arena, hoist_lower_file *out_file)
{
    hoist_lower_nested *const nested =
        hoist_arena_array(arena, job->nested_count + 1, sizeof *nested);
    if (!nested) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < job->nested_count; i++) {
        nested[i] = (hoist_lower_nested){&job->nested[i].payload, job->nested[i].module};
    }
    *out_file = (hoist_lower_file){job->module, job->name, nested, job->nested_count};
    return HOIST_OK;
}

hoist_status hoist_job_lower_checked(const hoist_job *job, const hoist_lower_options *options,
                                     hoist_diag *diag, hoist_program **out_program)
{
    const lowering *how = lowering_of(job);
    const size_t count = job->other_count + 1;
    if (!how) {
        return hoist_job_refuse(job, "lowered", diag);
    }
    hoist_arena arena;
    hoist_arena_init(&arena, job->alloc);
    hoist_lower_file *const files = hoist_arena_array(&arena, count, sizeof *files);
    hoist_status status = files ? HOIST_OK : HOIST_NO_MEMORY;
    for (size_t i = 0; i < count && status == HOIST_OK; i++) {
        status = describe(hoist_job_file(job, i), &arena, &files[i]);
    }
    if (status == HOIST_OK) {
        hoist_diag_source(diag, job->name, HOIST_STR(""));
        status = how->lower(files, count, &job->options, options, diag, out_program);
    }
    hoist_arena_deinit(&arena);
    return status;
}

hoist_status hoist_job_judge_choices(const hoist_lower_options *options, hoist_diag *diag)
{
    const struct {
        const char *name;
        unsigned value, most;
    } choices[] = {
        {"numerics", options->numerics, HOIST_NUMERICS_REFERENCE},
        {"queue_mode", options->queue_mode, HOIST_QUEUES_GOLDEN},
        {"on_unknown", options->on_unknown, HOIST_UNKNOWN_POISON},
        {"requantization", options->requantization, HOIST_REQUANTIZE_FLOAT},
        {"driver", options->driver, HOIST_DRIVER_NONE},
        {"batch", options->batch, HOIST_MAX_BATCH},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(choices); i++) {
        if (choices[i].value > choices[i].most) {
            return hoist_fail(diag, HOIST_INVALID, hoist_load_rule(LOAD_003), hoist_loc_none(),
                              "the caller's options have %u as %s, wanted 0 to %u",
                              choices[i].value, choices[i].name, choices[i].most);
        }
    }
    return HOIST_OK;
}

static hoist_status lower(hoist_job *job, const hoist_lower_options *options, hoist_diag *diag,
                          hoist_program **out_program)
{
    hoist_lower_options mine;
    hoist_diag *own = NULL;
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &mine, sizeof(mine)),
                                  options ? options->struct_size : 0, "hoist_lower_options", diag));
    HOIST_TRY(hoist_job_judge_choices(&mine, diag));
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

hoist_status hoist_job_lower(hoist_job *job, const hoist_lower_options *options, hoist_diag *diag,
                             hoist_program **out_program)
{
    *out_program = NULL;
    const hoist_call call = hoist_job_call(job, diag, NULL, "lowering");
    const hoist_status status = hoist_call_end(&call, lower(job, options, diag, out_program));
    if (status != HOIST_OK) {
        hoist_program_destroy(*out_program);
        *out_program = NULL;
    }
    return status;
}
