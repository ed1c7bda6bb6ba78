// Races and deadlock of jobs, over all orders that their waits permit.
#include "machine/order.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "program/rules.h"
#include "program/verify.h"

// What one question needs.
typedef struct question {
    hoist_job *job;
    hoist_order_check options;
    hoist_program *program; // owned
    hoist_diag *found;      // owned
    bool skips;             // instructions whose meaning is not public were left out
    const char *why;        // the verdict is UNKNOWN
    hoist_verdict verdict;
} question;

static bool is_there(const hoist_finding *a, const hoist_finding *b)
{
    return a->rule == b->rule && a->loc.kind == b->loc.kind &&
           hoist_str_equal(a->member, b->member) && a->loc.offset == b->loc.offset &&
           a->loc.pos.line == b->loc.pos.line && a->loc.pos.column == b->loc.pos.column;
}

// True when the first `count` findings of `diag` have it. That of several ranks has their names in
// its message; what was found of one alone at that place says the same.
static bool has(const hoist_diag *diag, size_t count, const hoist_finding *finding, bool ranks)
{
    for (size_t i = 0; i < count; i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        if (is_there(f, finding) && (ranks || hoist_str_equal(f->message, finding->message))) {
            return true;
        }
    }
    return false;
}

bool hoist_job_pass_on(const hoist_program *program, const hoist_diag *found, bool skips,
                       bool ranks, hoist_diag *diag)
{
    const hoist_rule *unwritten = hoist_program_rule_of(program, HOIST_PRG_104);
    const size_t before = diag ? hoist_diag_kept(diag) : 0;
    bool passed = false;
    hoist_diag_members(diag, program->sources, program->source_count);
    for (size_t i = 0; i < hoist_diag_kept(found); i++) {
        const hoist_finding *f = hoist_diag_at(found, i);
        hoist_frame frame;
        if (skips && f->rule == unwritten) {
            continue;
        }
        passed = true;
        if (!diag || has(diag, before, f, ranks)) {
            continue;
        }
        hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), f->object);
        hoist_report(diag, f->rule, f->loc, "%.*s", (int)f->message.size, f->message.data);
        hoist_diag_pop(diag, &frame);
    }
    hoist_diag_members(diag, NULL, 0);
    return passed;
}

// The worst verdict counts.
static void add_verdict(question *q, hoist_verdict verdict, const char *why)
{
    if (verdict == HOIST_VERDICT_BAD) {
        q->verdict = verdict;
    } else if (verdict == HOIST_VERDICT_UNKNOWN && q->verdict == HOIST_VERDICT_CLEAN) {
        q->verdict = verdict;
        q->why = why;
    }
}

// Lowers the job, without instructions whose meaning is not public where there are any. A file that
// has no program keeps the reason in `found`.
static hoist_status lower(question *q)
{
    hoist_lower_options options = {
        .struct_size = sizeof options, .ranks = q->options.ranks, .control_only = true};
    hoist_diag *first = NULL;
    HOIST_TRY(hoist_diag_create(q->job->alloc, NULL, &first));
    hoist_status status = hoist_job_lower(q->job, &options, first, &q->program);
    status = hoist_diag_incomplete(first) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(first);
    if (status == HOIST_UNSUPPORTED) {
        q->skips = true;
        options.on_unknown = HOIST_UNKNOWN_SKIP;
        status = hoist_job_lower(q->job, &options, q->found, &q->program);
    }
    return status;
}

// The first error of `found`; it stays there.
static const char *first_error(const hoist_diag *found)
{
    for (size_t i = 0; i < hoist_diag_kept(found); i++) {
        const hoist_finding *f = hoist_diag_at(found, i);
        if (f->severity == HOIST_ERROR) {
            return f->message.data;
        }
    }
    return "the file cannot be run";
}

static hoist_status explore(question *q)
{
    const hoist_program *program = q->program;
    const size_t room = (size_t)program->entry_count + 1;
    hoist_ref *before = hoist_alloc_zero(q->job->alloc, room, sizeof *before);
    hoist_status status = before ? HOIST_OK : HOIST_NO_MEMORY;
    const char *why = NULL;
    hoist_order_options options = {.alloc = q->job->alloc,
                                   .max_steps = q->options.max_steps,
                                   .max_schedules = q->options.max_schedules,
                                   .before = before,
                                   .out_why = &why};
    for (uint32_t i = 0; status == HOIST_OK && i < program->entry_count; i++) {
        hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
        status = hoist_program_check_order(program, i, &options, q->found, &verdict);
        if (status == HOIST_LIMIT) {
            why = "it has too many queue slots";
            status = HOIST_OK;
        }
        add_verdict(q, verdict, why);
        before[options.before_count++] = i;
    }
    hoist_free(q->job->alloc, before, room * sizeof *before);
    return status;
}

static hoist_status judge(question *q)
{
    const hoist_status lowered = lower(q);
    if (lowered == HOIST_UNSUPPORTED || lowered == HOIST_LIMIT) {
        add_verdict(q, HOIST_VERDICT_UNKNOWN, first_error(q->found));
        return HOIST_OK;
    }
    HOIST_TRY(lowered);
    HOIST_TRY(hoist_program_verify(q->program, q->found));
    if (hoist_diag_count(q->found, HOIST_ERROR)) {
        q->verdict = HOIST_VERDICT_BAD;
        return HOIST_OK;
    }
    return explore(q);
}

static hoist_status answer(question *q, hoist_diag *diag)
{
    HOIST_TRY(judge(q));
    if (hoist_diag_incomplete(q->found)) {
        return HOIST_NO_MEMORY;
    }
    const bool passed =
        q->program && hoist_job_pass_on(q->program, q->found, q->skips, q->options.ranks > 1, diag);
    if (q->skips && !passed && q->program) {
        q->verdict = HOIST_VERDICT_UNKNOWN;
        q->why = "what its computing instructions touch is not public";
    }
    if (q->verdict == HOIST_VERDICT_UNKNOWN) {
        hoist_diag_source(diag, q->job->name, HOIST_STR(""));
        hoist_job_doubt(q->job, q->why, diag);
    }
    return HOIST_OK;
}

hoist_status hoist_job_check_order(hoist_job *job, const hoist_order_check *options,
                                   hoist_diag *diag, hoist_verdict *out_verdict)
{
    question q = {.job = job, .verdict = HOIST_VERDICT_CLEAN};
    *out_verdict = HOIST_VERDICT_UNKNOWN;
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &q.options, sizeof q.options),
                                  options ? options->struct_size : 0, "hoist_order_check", diag));
    HOIST_TRY(hoist_diag_create(job->alloc, NULL, &q.found));
    const hoist_status status = answer(&q, diag);
    if (status == HOIST_OK) {
        *out_verdict = q.verdict;
    }
    hoist_diag_destroy(q.found);
    hoist_program_destroy(q.program);
    return status;
}
