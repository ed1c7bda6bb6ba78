// Lowering jobs: the table of formats that can be run.
#include "lower/lower.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/buda/module.h"
#include "formats/neff/module.h"
#include "formats/neff/rules.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "machine/order.h"
#include "program/program.h"
#include "program/rules.h"
#include "program/verify.h"

static hoist_status lower_buda(const hoist_lower_file *files, size_t count,
                               const hoist_check_options *check, const hoist_lower_options *options,
                               hoist_diag *diag, hoist_program **out_program)
{
    (void)count; // one
    return hoist_lower_buda(files[0].module, check, options, diag, out_program);
}

// Some order may be wrong, and exploring has not shown that none is.
static void doubt_neff(hoist_diag *diag, const char *why)
{
    neff_report(diag, NEFF_072b, hoist_loc_none(),
                "it could not be shown that every wait ends, whatever comes first%s%s",
                why ? ": " : "", why ? why : "");
    neff_report(diag, NEFF_075b, hoist_loc_none(),
                "it could not be shown that accesses to common bytes are ordered%s%s",
                why ? ": " : "", why ? why : "");
}

static void note_neff(hoist_diag *diag, hoist_loc loc, hoist_str semaphore)
{
    neff_report(diag, NEFF_072c, loc, "nobody waits for semaphore '%.*s', which is signalled here",
                HOIST_STR_ARGS(semaphore));
}

typedef struct lowering {
    const hoist_format *format;
    bool several; // files make one job
    // Checking judges the orders of the program, too, and calls this when the answer is not known;
    // NULL: it does not.
    void (*doubt)(hoist_diag *diag, const char *why);
    // The first signal of a semaphore that no step waits for. Used with `doubt`.
    void (*note)(hoist_diag *diag, hoist_loc loc, hoist_str semaphore);
    hoist_status (*lower)(const hoist_lower_file *files, size_t count,
                          const hoist_check_options *check, const hoist_lower_options *options,
                          hoist_diag *diag, hoist_program **out_program);
} lowering;

static const lowering lowerings[] = {
    {&hoist_buda_format, false, NULL, NULL, lower_buda},
    {&hoist_neff_format, true, doubt_neff, note_neff, hoist_lower_neff},
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

void hoist_job_doubt(const hoist_job *job, const char *why, hoist_diag *diag)
{
    const lowering *how = lowering_of(job);
    if (how && how->doubt) {
        how->doubt(diag, why);
        return;
    }
    hoist_report(diag, hoist_program_rule_get(HOIST_PRG_105), hoist_loc_none(),
                 "it could not be shown that every run ends: %s", why);
    hoist_report(diag, hoist_program_rule_get(HOIST_PRG_106), hoist_loc_none(),
                 "it could not be shown that accesses to common bytes are ordered: %s", why);
}

// Checks before it lowers: what has errors has no meaning to give a program.
static hoist_status check_file(hoist_job *job, hoist_diag *diag)
{
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_format *format = job->module->format;
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    if (format->check) {
        HOIST_TRY(format->check(job->module, &job->options, diag));
    }
    return job->has_errors || hoist_diag_count(diag, HOIST_ERROR) > errors ? HOIST_INVALID
                                                                           : HOIST_OK;
}

// Orders ----------------------------------------------------------------------------------------

// Control steps that are explored; longer programs would keep a check busy for many seconds.
enum { EXPLORED_STEPS = 500000 };

// Steps of an entry without loops: each call that is posted is taken, made and completed.
static bool is_short(const hoist_program *program, const hoist_prog_entry *entry)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < entry->thread_count && steps <= EXPLORED_STEPS; i++) {
        const hoist_prog_code *code = &program->threads[entry->threads[i]].code;
        for (uint32_t k = 0; k < code->step_count && steps <= EXPLORED_STEPS; k++) {
            const hoist_prog_step *step = &code->steps[k];
            steps++;
            if (step->kind == HOIST_STEP_POST) {
                const hoist_ref function = step->as.call.target.function;
                steps += 2 + (uint64_t)program->functions[function].code.step_count;
            }
        }
    }
    return steps <= EXPLORED_STEPS;
}

// All that a session runs, in its order.
static hoist_status explore(const hoist_program *program, hoist_allocator alloc, hoist_diag *found,
                            bool *out_known)
{
    hoist_ref before[16];
    hoist_order_options options = {.alloc = alloc, .before = before};
    for (uint32_t i = 0; i < program->entry_count; i++) {
        hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
        if (is_short(program, &program->entries[i])) {
            HOIST_TRY(hoist_program_check_order(program, i, &options, found, &verdict));
        }
        *out_known = *out_known && verdict != HOIST_VERDICT_UNKNOWN;
        if (program->entries[i].once && options.before_count < HOIST_COUNT_OF(before)) {
            before[options.before_count++] = i;
        }
    }
    return HOIST_OK;
}

// What is known of a semaphore.
typedef struct signalled {
    const hoist_prog_step *by; // the first step that signals it; NULL: none
    bool waited;
} signalled;

static void note_step(const hoist_prog_step *step, signalled *all)
{
    const bool signals = step->kind == HOIST_STEP_SIGNAL;
    const uint32_t count = step->kind == HOIST_STEP_POST ? step->as.call.signal_count : signals;
    if (step->kind == HOIST_STEP_WAIT) {
        all[step->as.wait.semaphore].waited = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const hoist_prog_signal *signal = signals ? &step->as.signal : &step->as.call.signals[i];
        if (!all[signal->semaphore].by) {
            all[signal->semaphore].by = step;
        }
    }
}

// Signals that nobody waits for, in threads: functions neither wait nor signal.
static hoist_status note_signals(const hoist_job *job, const lowering *how,
                                 const hoist_program *program, hoist_diag *diag)
{
    const size_t count = (size_t)program->semaphore_count + 1;
    signalled *all = hoist_alloc_zero(job->alloc, count, sizeof *all);
    if (!all) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < program->thread_count; i++) {
        for (uint32_t k = 0; k < program->threads[i].code.step_count; k++) {
            note_step(&program->threads[i].code.steps[k], all);
        }
    }
    hoist_diag_members(diag, program->sources, program->source_count);
    for (uint32_t i = 0; i < program->semaphore_count; i++) {
        if (all[i].by && !all[i].waited) {
            how->note(diag, all[i].by->loc, program->semaphores[i].name);
        }
    }
    hoist_diag_members(diag, NULL, 0);
    hoist_free(job->alloc, all, count * sizeof *all);
    return HOIST_OK;
}

static hoist_status judge_program(const hoist_job *job, const lowering *how,
                                  const hoist_program *program, bool skipped, hoist_diag *diag)
{
    hoist_diag *found = NULL;
    bool known = true;
    HOIST_TRY(hoist_diag_create(job->alloc, NULL, &found));
    hoist_status status = hoist_program_verify(program, found);
    const bool sound = hoist_diag_count(found, HOIST_ERROR) == 0;
    if (status == HOIST_OK && sound) { // else the format's own checks have said what is wrong
        status = explore(program, job->alloc, found, &known);
    }
    if (status == HOIST_LIMIT) {
        known = false;
        status = HOIST_OK;
    }
    if (status == HOIST_OK && sound) {
        (void)hoist_job_pass_on(program, found, skipped, false, diag);
    }
    if (status == HOIST_OK && !known) {
        how->doubt(diag, NULL);
    }
    if (status == HOIST_OK && sound) {
        status = note_signals(job, how, program, diag);
    }
    hoist_diag_destroy(found);
    return status;
}

// A file that cannot be lowered is not judged here: whether it can run is not what is asked.
static hoist_status lower_to_judge(const hoist_job *job, const lowering *how, hoist_unknown unknown,
                                   hoist_program **out_program)
{
    const hoist_lower_options options = {
        .struct_size = sizeof options, .on_unknown = unknown, .control_only = true};
    const hoist_lower_file file = {job->module, job->name};
    hoist_diag *refusals = NULL;
    HOIST_TRY(hoist_diag_create(job->alloc, NULL, &refusals));
    const hoist_status status =
        how->lower(&file, 1, &job->options, &options, refusals, out_program);
    hoist_diag_destroy(refusals);
    return status == HOIST_NO_MEMORY ? status : HOIST_OK;
}

hoist_status hoist_job_check_orders(const hoist_job *job, hoist_diag *diag)
{
    const lowering *how = lowering_of(job);
    hoist_program *program = NULL;
    if (!how || !how->doubt || !diag || job->has_errors) {
        return HOIST_OK;
    }
    HOIST_TRY(lower_to_judge(job, how, HOIST_UNKNOWN_STOP, &program));
    const bool skipped = !program;
    if (skipped) {
        HOIST_TRY(lower_to_judge(job, how, HOIST_UNKNOWN_SKIP, &program));
    }
    const hoist_status status =
        program ? judge_program(job, how, program, skipped, diag) : HOIST_OK;
    hoist_program_destroy(program);
    return status;
}

static hoist_status lower_files(hoist_job *job, const hoist_lower_options *options,
                                hoist_diag *diag, hoist_program **out_program)
{
    const lowering *how = lowering_of(job);
    const size_t count = job->other_count + 1;
    if (!how) {
        return hoist_job_refuse(job, "lowered", diag);
    }
    for (size_t i = 0; i < count; i++) {
        HOIST_TRY(check_file(i ? job->others[i - 1] : job, diag));
    }
    hoist_lower_file *files = hoist_alloc_zero(job->alloc, count, sizeof *files);
    if (!files) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const hoist_job *one = i ? job->others[i - 1] : job;
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
    const hoist_status status = lower_files(job, &mine, diag ? diag : own, out_program);
    hoist_diag_destroy(own);
    return status;
}
