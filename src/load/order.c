// Checking jobs: the rules of the format (check.c), then the orders in which the program may run.
// In: a job. Out: findings and a verdict: clean, bad, unknown or none. The program is lowered
// without its constants, and again without what is not public where that hinders; verified
// (program/verify.h); explored (machine/order.h). question.h is what the parts share.
#include "machine/order.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "load/question.h"
#include "lower/lower.h"
#include "program/verify.h"

// Control steps of a run that a brief check, as `hoist check` makes by default, looks at.
enum { BRIEF_STEPS = 500000 };

// The first reason stays: later ones often follow from it.
static void set_unknown(hoist_question *q, const char *why)
{
    q->why_ends = q->why_ends ? q->why_ends : why;
    q->why_ordered = q->why_ordered ? q->why_ordered : why;
}

// Races and deadlock of all entries, one after the other. A limit is no failure: the answer is
// unknown then.
static hoist_status explore(hoist_question *q)
{
    // A failure to choose is a misspelled name, or memory.
    hoist_order_sequence all = {.count = 0};
    HOIST_TRY(hoist_question_choose(q, &all));
    hoist_order_result *results = hoist_arena_array(&q->arena, all.count, sizeof *results);
    if (!results) {
        return HOIST_NO_MEMORY;
    }
    const hoist_order_options options = {.alloc = q->job->alloc,
                                         .deadline = q->job->deadline,
                                         .max_steps = q->options->max_steps,
                                         .max_schedules = q->options->max_schedules,
                                         .races = q->options->races,
                                         .before = all.entries,
                                         .before_parameters = all.parameters,
                                         .before_count = all.count};
    const bool is_own = hoist_stage_begin(q->job->deadline, HOIST_STAGE_ORDERS, 0);
    const hoist_status status =
        hoist_program_check_sequence(q->program, &options, q->found, results);
    hoist_stage_end(q->job->deadline, is_own);
    HOIST_TRY(hoist_deadline_look(q->job->deadline)); // before a limit, which it may look like
    // The explorer has a limit on the slots of fifos that it follows, whatever the caller allows.
    if (status == HOIST_LIMIT) {
        set_unknown(q, "it has too many queue slots");
        return HOIST_OK;
    }
    HOIST_TRY(status);
    for (uint32_t i = 0; i < all.count; i++) {
        if (results[i].verdict == HOIST_VERDICT_UNKNOWN) {
            set_unknown(q, results[i].why);
        }
    }
    return HOIST_OK;
}

// Findings of the verifier end the question: orders of a broken program have no meaning.
static hoist_status check_program(hoist_question *q)
{
    HOIST_TRY(hoist_program_verify(q->program, q->found));
    (void)hoist_question_hand_over(q, q->found); // what it found is the caller's now
    if (hoist_diag_count(q->found, HOIST_ERROR)) {
        q->verdict = HOIST_VERDICT_BAD;
        return HOIST_OK;
    }
    HOIST_TRY(explore(q));
    // Findings of the explorer are errors; of possible ones it says UNKNOWN.
    q->verdict = hoist_question_hand_over(q, q->found) ? HOIST_VERDICT_BAD : HOIST_VERDICT_CLEAN;
    HOIST_TRY(hoist_question_note_signals(q)); // notes: the verdict stays
    (void)hoist_question_hand_over(q, q->found);
    return HOIST_OK;
}

// The first error of `found`; NULL: there is none.
static const char *first_error(const hoist_diag *found)
{
    for (size_t i = 0; i < hoist_diag_kept(found); i++) {
        const hoist_finding *f = hoist_diag_at(found, i);
        if (f->severity == HOIST_ERROR) {
            return f->message.data;
        }
    }
    return NULL;
}

// Once strictly; where instructions are not public once more without them, as far as orders go.
static hoist_status lower(hoist_question *q)
{
    hoist_lower_options options = {.struct_size = sizeof options,
                                   .ranks = q->options->ranks,
                                   .control_only = true, // data does not matter
                                   .driver = q->options->driver,
                                   .batch = q->options->batch,
                                   .max_steps = q->options->max_steps};
    const hoist_status status = hoist_job_lower_checked(q->job, &options, q->refused, &q->program);
    if (status != HOIST_UNSUPPORTED) {
        return status;
    }
    q->incomplete = true; // a clean answer is about a part only
    options.on_unknown = HOIST_UNKNOWN_SKIP;
    return hoist_job_lower_checked(q->job, &options, q->found, &q->program);
}

// From lowering to the verdict. A brief check reports no doubts: they would be in every file with
// computing instructions.
static hoist_status verify(hoist_question *q)
{
    const hoist_status lowered = lower(q);
    HOIST_TRY(hoist_deadline_look(q->job->deadline));
    if (lowered == HOIST_INVALID) { // ranks do not fit each other: there is nothing to run
        (void)hoist_question_hand_over(q, q->incomplete ? q->found : q->refused);
        return HOIST_OK;
    }
    hoist_question_report_refusals(q);
    if (lowered == HOIST_OK) {
        HOIST_TRY(check_program(q));
        if (q->incomplete && !q->options->brief) {
            q->why_ordered = q->why_ordered ? q->why_ordered
                                            : "what its computing instructions touch is not public";
        }
    } else if (lowered != HOIST_UNSUPPORTED && lowered != HOIST_LIMIT) { // memory, or cancelled
        return lowered;
    } else if (!q->options->brief) {
        const char *why = first_error(q->found);
        set_unknown(q, why ? why : first_error(q->refused));
    }
    // Bad stays bad, whatever else is unknown; clean needs everything known.
    const bool unknown = !q->program || q->incomplete || q->why_ends || q->why_ordered;
    if (q->verdict != HOIST_VERDICT_BAD && unknown) {
        q->verdict = HOIST_VERDICT_UNKNOWN;
        hoist_question_report_doubts(q);
    }
    return HOIST_OK;
}

// Two diags: why the job cannot be lowered completely, and what was found in the part that could.
static hoist_status check_orders(hoist_question *q)
{
    HOIST_TRY(hoist_diag_create(q->job->alloc, NULL, &q->refused));
    HOIST_TRY(hoist_diag_create(q->job->alloc, NULL, &q->found));
    hoist_job_source(q->job, q->found);
    const hoist_status status = verify(q);
    return hoist_diag_incomplete(q->refused) || hoist_diag_incomplete(q->found) ? HOIST_NO_MEMORY
                                                                                : status;
}

static size_t count_all(const hoist_diag *diag)
{
    return hoist_diag_count(diag, HOIST_ERROR) + hoist_diag_count(diag, HOIST_WARNING) +
           hoist_diag_count(diag, HOIST_NOTE);
}

// Rules first; a job with errors has no program whose orders could be checked.
static hoist_status check(hoist_job *job, const hoist_order_check *options, hoist_diag *diag,
                          hoist_verdict *out_verdict)
{
    const size_t before = count_all(diag);
    const hoist_status ruled = hoist_job_check_rules(job, diag);
    // Nothing to report: the next call may skip it.
    job->is_clean = ruled == HOIST_OK && count_all(diag) == before;
    if (ruled == HOIST_INVALID || ruled == HOIST_NOT_FOUND ||
        // A format that leaves orders to --races.
        (ruled == HOIST_OK && options->brief && !hoist_job_checks_orders(job))) {
        return HOIST_OK;
    }
    HOIST_TRY(ruled);
    hoist_question q = {
        .job = job, .options = options, .diag = diag, .verdict = HOIST_VERDICT_NONE};
    hoist_arena_init(&q.arena, job->alloc);
    const hoist_status status = check_orders(&q);
    if (status == HOIST_OK) {
        *out_verdict = q.verdict;
    }
    hoist_diag_destroy(q.refused);
    hoist_diag_destroy(q.found);
    hoist_program_destroy(q.program);
    hoist_arena_deinit(&q.arena);
    return status;
}

// The options of the caller, then the check.
static hoist_status check_order(hoist_job *job, const hoist_order_check *options, hoist_diag *diag,
                                hoist_verdict *out_verdict)
{
    hoist_order_check mine;
    hoist_diag *own = NULL; // errors are counted there
    HOIST_TRY(hoist_load_options(options, &mine, sizeof(mine), "hoist_order_check", diag));
    const hoist_lower_options choices = {.driver = mine.driver, .batch = mine.batch};
    HOIST_TRY(hoist_job_check_choices(&choices, diag));
    if (mine.brief && mine.max_steps == 0) { // a check without options has to end soon
        mine.max_steps = BRIEF_STEPS;
    }
    HOIST_TRY(hoist_load_diag(job->alloc, &diag, &own));
    hoist_status status = check(job, &mine, diag, out_verdict);
    status = hoist_diag_incomplete(own) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(own);
    return status;
}

hoist_status hoist_job_check_order(hoist_job *job, const hoist_order_check *options,
                                   hoist_diag *diag, hoist_verdict *out_verdict)
{
    *out_verdict = HOIST_VERDICT_NONE;
    const hoist_call call = hoist_job_call(job, diag, NULL, "checking");
    return hoist_call_end(&call, check_order(job, options, diag, out_verdict));
}

hoist_status hoist_job_check(hoist_job *job, hoist_diag *diag)
{
    static const hoist_order_check brief = {.struct_size = sizeof brief, .brief = true};
    hoist_verdict verdict = HOIST_VERDICT_NONE;
    return hoist_job_check_order(job, &brief, diag, &verdict);
}
