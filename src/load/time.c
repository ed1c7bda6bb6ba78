// Estimates how long jobs take: the job is lowered without its constants, as for the order check,
// and its entries run with a clock. In: a job, the host. Out: tree events (time_send.c).
// Neighbours: order.c (lowering), cost/forecast.h (the run).
#include "load/time.h"

#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "load/load_rules.h"
#include "load/question.h"
#include "os/cpu.h"
#include "os/thread.h"
#include "program/run_rules.h"
#include "program/verify.h"

enum { DEFAULT_STEPS = 10000000 }; // control steps of a run, by default

#define EDGETPU HOIST_STR("edgetpu") // device of works that are behind a link

// Options -------------------------------------------------------------------------------------

// An option of the caller that no rate fits: found, which option, what is expected.
static hoist_status refuse(hoist_diag *diag, const char *what, const char *given, const char *fit)
{
    return hoist_fail(diag, HOIST_INVALID, hoist_load_rule(LOAD_003), hoist_loc_none(),
                      "the caller's options have '%s' as %s, expected %s", given, what, fit);
}

static bool is_rate(double value) // not NaN, not infinite
{
    return isfinite(value) && value >= 0;
}

// Fills in what the caller left open, from this machine, and refuses what no rate fits.
static hoist_status check(hoist_time_options *options, hoist_diag *diag)
{
    hoist_cpu_level level = hoist_cpu_detect();
    // The usual link of an Edge TPU that is plugged in.
    options->host = options->host ? options->host : "usb3";
    options->cores = options->cores ? options->cores : hoist_core_count();
    options->max_steps = options->max_steps ? options->max_steps : DEFAULT_STEPS;
    if (!hoist_rate_is_by(EDGETPU, options->host)) {
        return refuse(diag, "host", options->host, "usb3, usb2 or pcie");
    }
    if (options->cpu_level && !hoist_cpu_level_find(hoist_str_from(options->cpu_level), &level)) {
        return refuse(diag, "cpu_level", options->cpu_level, "the name of one");
    }
    options->cpu_level = hoist_cpu_level_name(level);
    if (!is_rate(options->flops) || !is_rate(options->bandwidth)) {
        return refuse(diag, is_rate(options->flops) ? "bandwidth" : "flops", "a number below 0",
                      "0 or more");
    }
    // The rest of lowering's choices is ours.
    const hoist_lower_options choices = {.batch = options->batch};
    return hoist_job_check_choices(&choices, diag);
}

// The estimate --------------------------------------------------------------------------------

// Steps that are not public stay in the program: the report names them as untimed.
static hoist_status lower(const hoist_time_options *options, hoist_diag *diag, hoist_estimate *e)
{
    const hoist_lower_options choices = {
        .struct_size = sizeof choices,
        .ranks = options->ranks,
        .control_only = true,
        .on_unknown = HOIST_UNKNOWN_POISON, // they stay, as steps without a time
        .driver = hoist_str_equal_c(HOIST_STR("pcie"), options->host) ? HOIST_DRIVER_PCIE
                                                                      : HOIST_DRIVER_USB,
        .batch = options->batch,
        .max_steps = options->max_steps};
    hoist_diag *found = NULL;
    HOIST_TRY(hoist_diag_create(e->job->alloc, NULL, &found));
    hoist_status status = hoist_job_lower_checked(e->job, &choices, found, &e->program);
    if (status == HOIST_OK) {
        status = hoist_program_verify_fully(e->program, found, e->job->alloc);
    }
    // Only errors: notes about what was left out are in the report, by name.
    for (size_t i = 0; i < hoist_diag_kept(found); i++) {
        if (hoist_diag_at(found, i)->severity == HOIST_ERROR) {
            hoist_diag_add(diag, hoist_diag_at(found, i));
        }
    }
    status = hoist_diag_incomplete(found) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(found);
    return status;
}

// The device whose rates the steps without a work have. A file with work of a device behind a link
// has the rest on its host, whose times are not public: none.
static hoist_str device_of(const hoist_estimate *e)
{
    const char *const own = hoist_format_row_of(e->job->module->format)->device;
    const char *const target = hoist_job_target(e->job).arch;
    return hoist_estimate_has_host(e) ? HOIST_STR("")
           : own                      ? hoist_str_from(own)
           : target                   ? hoist_str_from(target)
                                      : HOIST_STR("");
}

// One run of the chosen entries with a clock, by the machine that also explores orders.
static hoist_status run(const hoist_time_options *options, hoist_question *q, hoist_estimate *e)
{
    hoist_order_sequence all = {.count = 0};
    q->program = e->program;
    HOIST_TRY(hoist_question_choose(q, &all));
    e->model = (hoist_cost_model){.device = device_of(e),
                                  .link = options->host,
                                  .level = options->cpu_level,
                                  .cores = options->cores,
                                  .operations = options->flops,
                                  .memory = options->bandwidth};
    const hoist_forecast_options choices = {.alloc = e->job->alloc,
                                            .deadline = e->job->deadline,
                                            .max_steps = options->max_steps,
                                            .model = &e->model,
                                            .entries = all.entries,
                                            .parameters = all.parameters,
                                            .entry_count = all.count};
    e->made = true; // the forecast is to be freed from here on
    HOIST_TRY(hoist_forecast_make(e->program, &choices, q->diag, &e->forecast));
    switch (e->forecast.outcome) {
    // A run that does not end has no time.
    case HOIST_OUTCOME_DONE:
        return HOIST_OK;
    case HOIST_OUTCOME_LIMIT:
        return hoist_fail(q->diag, HOIST_LIMIT, hoist_runtime_rule_row(HOIST_RUNTIME_TIME),
                          hoist_loc_none(), "a run has more than %" PRIu64 " control steps",
                          options->max_steps);
    default:
        return HOIST_INVALID; // which was reported
    }
}

// Also an estimate of which nothing was made.
void hoist_estimate_end(hoist_estimate *e)
{
    if (e->made) {
        hoist_forecast_deinit(&e->forecast);
    }
    hoist_program_destroy(e->program);
}

// Steps as in `check`: rules, lowering, verifying, then the run.
hoist_status hoist_estimate_make(const hoist_job *job, const hoist_time_options *options,
                                 hoist_diag *diag, hoist_estimate *e)
{
    hoist_diag *own = NULL;
    *e = (hoist_estimate){.job = job, .narrow = options->narrow};
    HOIST_TRY(hoist_load_diag(job->alloc, &diag, &own));
    const hoist_order_check choices = {.programs = options->programs,
                                       .program_count = options->program_count,
                                       .parameters = options->parameters,
                                       .parameter_count = options->parameter_count};
    hoist_question q = {.job = job, .options = &choices, .diag = diag};
    hoist_arena_init(&q.arena, job->alloc);
    hoist_status status = hoist_job_check_rules(job, diag);
    status = status == HOIST_OK ? lower(options, diag, e) : status;
    status = status == HOIST_OK ? run(options, &q, e) : status;
    status = hoist_diag_incomplete(own) ? HOIST_NO_MEMORY : status;
    hoist_arena_deinit(&q.arena);
    hoist_diag_destroy(own);
    return status;
}

// Checks and completes them.
static hoist_status estimate_job(const hoist_job *job, const hoist_time_options *options,
                                 hoist_diag *diag, hoist_estimate *e)
{
    hoist_time_options mine;
    HOIST_TRY(hoist_load_options(options, &mine, sizeof(mine), "hoist_time_options", diag));
    HOIST_TRY(check(&mine, diag));
    return hoist_estimate_make(job, &mine, diag, e);
}

hoist_status hoist_job_estimate(const hoist_job *job, const hoist_time_options *options,
                                hoist_diag *diag, hoist_estimate *e)
{
    const hoist_call call = hoist_job_call(job, diag, NULL, "timing");
    *e = (hoist_estimate){.job = job};
    return hoist_call_end(&call, estimate_job(job, options, diag, e));
}

// Both estimates are made before anything is sent, so that no half of a document comes out.
static hoist_status time_both(hoist_job *job, const hoist_time_options *options, hoist_diag *diag,
                              hoist_tree_sink *sink)
{
    hoist_estimate mine = {.job = job};
    hoist_estimate other = {.job = options->compared};
    hoist_status status = hoist_estimate_make(job, options, diag, &mine);
    if (status == HOIST_OK && options->compared) {
        // Findings are in the other's file.
        const hoist_call call = hoist_job_call(options->compared, diag, NULL, "timing");
        status =
            hoist_call_end(&call, hoist_estimate_make(options->compared, options, diag, &other));
    }
    if (status == HOIST_OK) {
        status = hoist_estimate_send(&mine, sink);
    }
    if (status == HOIST_OK && options->compared) {
        status = hoist_estimate_compare(&mine, &other, sink);
    }
    hoist_estimate_end(&mine);
    hoist_estimate_end(&other);
    return status;
}

// For drawings: default options, and parts of the picture instead of a document.
hoist_status hoist_job_append_time(const hoist_job *job, bool lives, hoist_diag *diag,
                                   hoist_picture *picture)
{
    const hoist_time_options options = {.struct_size = sizeof(options)};
    hoist_estimate e = {.job = job};
    hoist_status status = estimate_job(job, &options, diag, &e);
    if (status == HOIST_OK) {
        status = hoist_estimate_append_shares(&e, picture);
    }
    if (status == HOIST_OK && lives) {
        status = hoist_estimate_append_lives(&e, picture);
    }
    hoist_estimate_end(&e);
    return status;
}

// Options first, then one estimate or two.
static hoist_status time_job(hoist_job *job, const hoist_time_options *options, hoist_diag *diag,
                             hoist_tree_sink *sink)
{
    hoist_time_options mine;
    HOIST_TRY(hoist_load_options(options, &mine, sizeof(mine), "hoist_time_options", diag));
    HOIST_TRY(check(&mine, diag));
    return time_both(job, &mine, diag, sink);
}

hoist_status hoist_job_time(hoist_job *job, const hoist_time_options *options, hoist_diag *diag,
                            hoist_tree_sink *sink)
{
    const hoist_call call = hoist_job_call(job, diag, sink, "timing");
    return hoist_call_end(&call, time_job(job, options, diag, sink));
}
