// Checking jobs: the rules of the format, then the orders in which the program may run. The program
// is lowered without its constants, and again without what is not public where that hinders;
// verified; explored.
#include "machine/order.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "lower/lower.h"
#include "program/verify.h"

// Control steps of a run that a brief check looks at.
enum { BRIEF_STEPS = 500000 };

// What one question needs.
typedef struct question {
    const hoist_job *job;
    const hoist_order_check *options;
    hoist_diag *diag;
    hoist_diag *refused;    // owned: why the job cannot be lowered whole
    hoist_diag *found;      // owned: of its program
    size_t handed;          // findings of `found` that were looked at
    hoist_program *program; // owned
    hoist_arena arena;
    bool incomplete;         // not all of the job was lowered
    const char *why_ends;    // why it is not known whether every run ends; NULL: it is
    const char *why_ordered; // the same of accesses
    hoist_verdict verdict;
} question;

// The rules of the format ---------------------------------------------------------------------

hoist_status hoist_job_check_rules(const hoist_job *job, hoist_diag *diag)
{
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    bool sound = true;
    for (size_t i = 0; i <= job->other_count; i++) {
        const hoist_job *file = hoist_job_file(job, i);
        hoist_diag_source(diag, file->name, HOIST_STR(""));
        sound = sound && !file->has_errors;
        if (file->module->format->check) {
            HOIST_TRY(file->module->format->check(file->module, &file->options, diag));
        }
    }
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    return sound && hoist_diag_count(diag, HOIST_ERROR) == errors ? HOIST_OK : HOIST_INVALID;
}

// Findings ------------------------------------------------------------------------------------

// Whether it is about lowering: a reason, not a finding.
static bool is_reason(const hoist_finding *f)
{
    for (size_t i = 0; i < hoist_lower_rules.count; i++) {
        if (f->rule == &hoist_lower_rules.rules[i]) {
            return true;
        }
    }
    return false;
}

// Whether the same was found before: what stops one program stops it again before the next one.
static bool is_told(const hoist_diag *found, size_t index)
{
    const hoist_finding *f = hoist_diag_at(found, index);
    for (size_t i = 0; i < index; i++) {
        const hoist_finding *g = hoist_diag_at(found, i);
        if (f->rule == g->rule && hoist_loc_order(f->loc, g->loc) == 0 &&
            hoist_str_equal(f->message, g->message)) {
            return true;
        }
    }
    return false;
}

// Members of other files than the first are called "FILE!MEMBER".
static void find_file(const hoist_job *job, hoist_finding *f)
{
    for (size_t i = 1; i <= job->other_count; i++) {
        const hoist_str name = hoist_job_file(job, i)->name;
        const hoist_str member = f->member;
        if (member.size > name.size && member.data[name.size] == '!' &&
            hoist_str_equal(hoist_str_slice(member, 0, name.size), name)) {
            f->file = name;
            f->member = hoist_str_slice(member, name.size + 1, member.size);
            return;
        }
    }
}

// Hands over what was found since the last call. What an instruction that was left out may have
// written is no finding. Returns how many were.
static size_t hand_over(question *q, const hoist_diag *found)
{
    const hoist_rule *unwritten = hoist_job_rule(q->job, HOIST_PRG_104);
    size_t count = 0;
    for (; q->handed < hoist_diag_kept(found); q->handed++) {
        hoist_finding f = *hoist_diag_at(found, q->handed);
        if (is_reason(&f) || (q->incomplete && f.rule == unwritten) || is_told(found, q->handed)) {
            continue;
        }
        find_file(q->job, &f);
        hoist_diag_add(q->diag, &f);
        count++;
    }
    return count;
}

// The subgraph that it is in: the first part of its path.
static hoist_str subgraph_of(const hoist_finding *f)
{
    size_t size = 0;
    while (size < f->object.size && f->object.data[size] != '/') {
        size++;
    }
    return hoist_str_slice(f->object, 0, size);
}

// Where it becomes unknown what happens: the first place in each subgraph. They come one subgraph
// after the other.
static void tell_refusals(const question *q)
{
    const hoist_finding *last = NULL;
    for (size_t i = 0; i < hoist_diag_kept(q->refused); i++) {
        const hoist_finding *f = hoist_diag_at(q->refused, i);
        hoist_frame frame;
        if (f->severity != HOIST_ERROR || !is_reason(f) ||
            (last && hoist_str_equal(last->file, f->file) &&
             hoist_str_equal(subgraph_of(last), subgraph_of(f)))) {
            continue;
        }
        last = f;
        hoist_diag_source(q->diag, f->file, f->member);
        hoist_diag_push(q->diag, &frame, NULL, HOIST_STR(""), f->object);
        hoist_report(q->diag, hoist_job_rule(q->job, HOIST_PRG_107), f->loc,
                     "orders cannot be judged: %.*s", (int)f->message.size, f->message.data);
        hoist_diag_pop(q->diag, &frame);
    }
    hoist_diag_source(q->diag, q->job->name, HOIST_STR(""));
}

static void tell_doubts(const question *q)
{
    if (q->why_ends) {
        hoist_report(q->diag, hoist_job_rule(q->job, HOIST_PRG_105), hoist_loc_none(),
                     "it could not be shown that every run ends: %s", q->why_ends);
    }
    if (q->why_ordered) {
        hoist_report(q->diag, hoist_job_rule(q->job, HOIST_PRG_106), hoist_loc_none(),
                     "it could not be shown that accesses to common bytes are ordered: %s",
                     q->why_ordered);
    }
}

// Signals that nobody waits for -----------------------------------------------------------------

// What is known of a semaphore.
typedef struct signalled {
    const hoist_prog_step *by; // the first step that signals it; NULL: none
    hoist_str name;
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

// "s20" of "rank1/s20".
static hoist_str short_name(hoist_str name)
{
    size_t start = name.size;
    while (start > 0 && name.data[start - 1] != '/') {
        start--;
    }
    return hoist_str_slice(name, start, name.size);
}

// Those that nobody signals come last.
static int by_place(const void *a, const void *b)
{
    const signalled *x = a;
    const signalled *y = b;
    if (!x->by || !y->by) {
        return (x->by == NULL) - (y->by == NULL);
    }
    const int order = hoist_loc_order(x->by->loc, y->by->loc);
    return order ? order : hoist_str_compare(short_name(x->name), short_name(y->name));
}

// Tells them once for all ranks that have the place. Functions neither wait nor signal.
static hoist_status note_signals(question *q)
{
    const hoist_program *p = q->program;
    signalled *all = hoist_arena_array(&q->arena, p->semaphore_count, sizeof *all);
    if (!all) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < p->semaphore_count; i++) {
        all[i].name = p->semaphores[i].name;
    }
    for (uint32_t i = 0; i < p->thread_count; i++) {
        for (uint32_t k = 0; k < p->threads[i].code.step_count; k++) {
            note_step(&p->threads[i].code.steps[k], all);
        }
    }
    qsort(all, p->semaphore_count, sizeof *all, by_place);
    hoist_diag_members(q->found, p->sources, p->source_count);
    for (uint32_t i = 0; i < p->semaphore_count && all[i].by; i++) {
        const bool told = i > 0 && !all[i - 1].waited && by_place(&all[i - 1], &all[i]) == 0;
        if (!all[i].waited && !told) {
            hoist_report(q->found, hoist_program_rule_of(p, HOIST_PRG_108), all[i].by->loc,
                         "nobody waits for semaphore '%.*s', which is signalled here",
                         HOIST_STR_ARGS(all[i].name));
        }
    }
    hoist_diag_members(q->found, NULL, 0);
    return HOIST_OK;
}

// What runs -------------------------------------------------------------------------------------

// Entries in their order, with their parameters.
typedef struct sequence {
    hoist_ref *entries;
    const int64_t **parameters;
    uint32_t count;
} sequence;

static hoist_status refuse_name(const question *q, const char *what, const char *name)
{
    return hoist_fail(q->diag, HOIST_NOT_FOUND, hoist_load_rule(LOAD_003), hoist_loc_none(),
                      "there is no %s '%s'", what, name);
}

static hoist_status add_entry(question *q, sequence *all, hoist_ref index, bool *used)
{
    const hoist_prog_entry *entry = &q->program->entries[index];
    int64_t *values = hoist_arena_array(&q->arena, entry->parameter_count, sizeof *values);
    if (!values) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < entry->parameter_count; i++) {
        values[i] = 1;
    }
    for (size_t i = 0; i < q->options->parameter_count; i++) {
        const hoist_parameter *given = &q->options->parameters[i];
        const uint32_t at = hoist_prog_find_parameter(entry, given->name);
        if (at < entry->parameter_count) {
            values[at] = given->value;
            used[i] = true;
        }
    }
    all->entries[all->count] = index;
    all->parameters[all->count++] = values;
    return HOIST_OK;
}

static hoist_status add_entries(question *q, sequence *all, bool *used)
{
    const hoist_order_check *options = q->options;
    for (uint32_t i = 0; i < q->program->entry_count; i++) {
        if (q->program->entries[i].once || !options->programs) {
            HOIST_TRY(add_entry(q, all, i, used));
        }
    }
    for (size_t i = 0; options->programs && i < options->program_count; i++) {
        const hoist_ref entry = hoist_prog_find_entry(q->program, options->programs[i]);
        if (entry == HOIST_NO_REF) {
            return refuse_name(q, "program", options->programs[i]);
        }
        HOIST_TRY(add_entry(q, all, entry, used));
    }
    return HOIST_OK;
}

static hoist_status choose(question *q, sequence *all)
{
    const size_t most = q->program->entry_count + q->options->program_count;
    bool *used = hoist_arena_array(&q->arena, q->options->parameter_count, sizeof *used);
    all->entries = hoist_arena_array(&q->arena, most, sizeof *all->entries);
    all->parameters = hoist_arena_array(&q->arena, most, sizeof *all->parameters);
    if (!used || !all->entries || !all->parameters) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(add_entries(q, all, used));
    for (size_t i = 0; i < q->options->parameter_count; i++) {
        if (!used[i]) {
            return refuse_name(q, "parameter", q->options->parameters[i].name);
        }
    }
    return HOIST_OK;
}

// The question ----------------------------------------------------------------------------------

static void set_unknown(question *q, const char *why)
{
    q->why_ends = q->why_ends ? q->why_ends : why;
    q->why_ordered = q->why_ordered ? q->why_ordered : why;
}

static hoist_status explore(question *q)
{
    sequence all = {.count = 0};
    const char *why = NULL;
    HOIST_TRY(choose(q, &all));
    hoist_order_options options = {.alloc = q->job->alloc,
                                   .max_steps = q->options->max_steps,
                                   .max_schedules = q->options->max_schedules,
                                   .before = all.entries,
                                   .before_parameters = all.parameters,
                                   .out_why = &why};
    for (; options.before_count < all.count; options.before_count++) {
        hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
        options.parameters = all.parameters[options.before_count];
        const hoist_status status = hoist_program_check_order(
            q->program, all.entries[options.before_count], &options, q->found, &verdict);
        if (status != HOIST_LIMIT) {
            HOIST_TRY(status);
        }
        if (verdict == HOIST_VERDICT_UNKNOWN) {
            set_unknown(q, status == HOIST_LIMIT ? "it has too many queue slots" : why);
        }
    }
    return HOIST_OK;
}

static hoist_status judge_program(question *q)
{
    HOIST_TRY(hoist_program_verify(q->program, q->found));
    (void)hand_over(q, q->found);
    if (hoist_diag_count(q->found, HOIST_ERROR)) {
        q->verdict = HOIST_VERDICT_BAD;
        return HOIST_OK;
    }
    HOIST_TRY(explore(q));
    q->verdict = hand_over(q, q->found) ? HOIST_VERDICT_BAD : HOIST_VERDICT_CLEAN;
    HOIST_TRY(note_signals(q));
    (void)hand_over(q, q->found);
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

static hoist_status lower(question *q)
{
    hoist_lower_options options = {
        .struct_size = sizeof options, .ranks = q->options->ranks, .control_only = true};
    const hoist_status status = hoist_job_lower_checked(q->job, &options, q->refused, &q->program);
    if (status != HOIST_UNSUPPORTED) {
        return status;
    }
    q->incomplete = true;
    options.on_unknown = HOIST_UNKNOWN_SKIP;
    return hoist_job_lower_checked(q->job, &options, q->found, &q->program);
}

static hoist_status judge(question *q)
{
    const hoist_status lowered = lower(q);
    if (lowered == HOIST_INVALID) { // ranks do not fit each other: there is nothing to run
        (void)hand_over(q, q->incomplete ? q->found : q->refused);
        return HOIST_OK;
    }
    tell_refusals(q);
    if (lowered == HOIST_OK) {
        HOIST_TRY(judge_program(q));
        if (q->incomplete && !q->options->brief) {
            q->why_ordered = q->why_ordered ? q->why_ordered
                                            : "what its computing instructions touch is not public";
        }
    } else if (lowered != HOIST_UNSUPPORTED && lowered != HOIST_LIMIT) {
        return lowered;
    } else if (!q->options->brief) {
        const char *why = first_error(q->found);
        set_unknown(q, why ? why : first_error(q->refused));
    }
    const bool unknown = !q->program || q->incomplete || q->why_ends || q->why_ordered;
    if (q->verdict != HOIST_VERDICT_BAD && unknown) {
        q->verdict = HOIST_VERDICT_UNKNOWN;
        tell_doubts(q);
    }
    return HOIST_OK;
}

static hoist_status judge_orders(question *q)
{
    HOIST_TRY(hoist_diag_create(q->job->alloc, NULL, &q->refused));
    HOIST_TRY(hoist_diag_create(q->job->alloc, NULL, &q->found));
    hoist_diag_source(q->found, q->job->name, HOIST_STR(""));
    const hoist_status status = judge(q);
    return hoist_diag_incomplete(q->refused) || hoist_diag_incomplete(q->found) ? HOIST_NO_MEMORY
                                                                                : status;
}

static hoist_status check(hoist_job *job, const hoist_order_check *options, hoist_diag *diag,
                          hoist_verdict *out_verdict)
{
    const hoist_status ruled = hoist_job_check_rules(job, diag);
    if (ruled == HOIST_INVALID ||
        (ruled == HOIST_OK && options->brief && !hoist_job_checks_orders(job))) {
        return HOIST_OK;
    }
    HOIST_TRY(ruled);
    question q = {.job = job, .options = options, .diag = diag, .verdict = HOIST_VERDICT_NONE};
    hoist_arena_init(&q.arena, job->alloc);
    const hoist_status status = judge_orders(&q);
    if (status == HOIST_OK) {
        *out_verdict = q.verdict;
    }
    hoist_diag_destroy(q.refused);
    hoist_diag_destroy(q.found);
    hoist_program_destroy(q.program);
    hoist_arena_deinit(&q.arena);
    return status;
}

hoist_status hoist_job_check_order(hoist_job *job, const hoist_order_check *options,
                                   hoist_diag *diag, hoist_verdict *out_verdict)
{
    hoist_order_check mine;
    hoist_diag *own = NULL; // errors are counted there
    *out_verdict = HOIST_VERDICT_NONE;
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &mine, sizeof mine),
                                  options ? options->struct_size : 0, "hoist_order_check", diag));
    if (mine.brief && mine.max_steps == 0) {
        mine.max_steps = BRIEF_STEPS;
    }
    if (!diag) {
        HOIST_TRY(hoist_diag_create(job->alloc, NULL, &own));
    }
    hoist_status status = check(job, &mine, diag ? diag : own, out_verdict);
    status = hoist_diag_incomplete(own) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(own);
    return status;
}

hoist_status hoist_job_check(hoist_job *job, hoist_diag *diag)
{
    static const hoist_order_check brief = {.struct_size = sizeof brief, .brief = true};
    hoist_verdict verdict = HOIST_VERDICT_NONE;
    return hoist_job_check_order(job, &brief, diag, &verdict);
}
