// The verdict on the orders of an entry: records one run (order_trace.c), computes what comes first
// in all runs (order_clock.c), decides whether that run speaks for all (order_holds.c), and looks
// for races (order_race.c). Where one run does not speak for all, a bounded number of schedules is
// tried.
#include "machine/order.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "machine/order_state.h"

#define MAX_SCHEDULES 64

// Also of an order whose init() failed: tables may be missing.
static void deinit(hoist_order *o)
{
    const hoist_program *p = o->program;
    for (uint32_t i = 0; o->calls && i < p->unit_count; i++) {
        hoist_order_free_list(o, &o->calls[i]);
    }
    for (uint32_t i = 0; o->fifos && i < p->fifo_count; i++) {
        hoist_order_free_list(o, &o->fifos[i].pushes);
        hoist_order_free_list(o, &o->fifos[i].pops);
    }
    hoist_order_free_list(o, &o->events);
    hoist_order_free_list(o, &o->joins);
    hoist_order_free_list(o, &o->waits);
    hoist_order_free_semaphores(o);
    hoist_order_free_list(o, &o->signals);
    hoist_order_free_list(o, &o->epochs);
    hoist_order_free_list(o, &o->ranges);
    hoist_order_free_list(o, &o->last);
    hoist_arena_deinit(&o->tables);
    hoist_order_free_clocks(o);
    hoist_map_deinit(&o->moves);
    hoist_machine_destroy(o->machine);
}

static bool init_tables(hoist_order *o)
{
    const hoist_program *p = o->program;
    hoist_arena *tables = &o->tables;
    o->calls = hoist_arena_array(tables, p->unit_count, sizeof *o->calls);
    o->ended = hoist_arena_array(tables, p->unit_count, sizeof *o->ended);
    o->taken = hoist_arena_array(tables, p->unit_count, sizeof *o->taken);
    o->fifos = hoist_arena_array(tables, p->fifo_count, sizeof *o->fifos);
    o->addressed = hoist_arena_array(tables, p->space_count, 1);
    o->shares = hoist_arena_array(tables, p->buffer_count, 1);
    o->filled = hoist_arena_array(tables, p->buffer_count, 1);
    o->newest = hoist_arena_array(tables, p->semaphore_count, sizeof *o->newest);
    o->disordered = hoist_arena_array(tables, p->semaphore_count, 1);
    return o->calls && o->ended && o->taken && o->fifos && o->addressed && o->shares && o->filled &&
           o->newest && o->disordered;
}

static hoist_status init(hoist_order *o)
{
    o->monotone = true; // until a change or wait says otherwise
    hoist_arena_init(&o->tables, o->alloc);
    hoist_map_init(&o->moves, o->alloc);
    hoist_map_init(&o->signal_lists, o->alloc);
    hoist_arena_init(&o->keys, o->alloc);
    o->events.size = sizeof(hoist_order_event);
    o->joins.size = sizeof(uint32_t);
    o->waits.size = sizeof(hoist_order_wait);
    o->signals.size = sizeof(hoist_order_signals);
    o->epochs.size = sizeof(hoist_order_epoch);
    o->ranges.size = sizeof(hoist_order_range);
    o->last.size = sizeof(uint32_t);
    if (!init_tables(o)) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < o->program->unit_count; i++) {
        o->calls[i].size = sizeof(hoist_order_call);
    }
    // Before any other epoch: the first epoch of each semaphore has the semaphore's number.
    hoist_order_begin_semaphores(o);
    for (uint32_t i = 0; i < o->program->fifo_count; i++) {
        hoist_order_fifo *f = &o->fifos[i];
        f->pushes.size = sizeof(uint32_t);
        f->pops.size = sizeof(uint32_t);
        f->host_pusher = HOIST_ORDER_NONE;
        f->host_popper = HOIST_ORDER_NONE;
    }
    hoist_order_survey(o);
    return o->status;
}

// Calls have the same numbers in all runs when each unit's posts have one order.
static bool posts_are_ordered(const hoist_order *o)
{
    for (uint32_t i = 0; i < o->program->unit_count; i++) {
        const hoist_order_call *calls = o->calls[i].items;
        // Neighbours suffice: the order is transitive.
        for (size_t k = 1; k < o->calls[i].count; k++) {
            if (!hoist_order_is_before(o, calls[k - 1].post, calls[k].post)) {
                return false;
            }
        }
    }
    return true;
}

// Who takes part in a group, with which rank.
typedef struct member {
    uint32_t group;
    uint32_t rank;
    uint32_t process;
} member;

// The same members meet in all runs when every rank of a group is one process's.
static bool groups_are_closed(hoist_order *o)
{
    hoist_order_list members = {.size = sizeof(member)};
    bool closed = true;
    for (uint32_t i = 0; i < o->events.count && closed; i++) {
        const hoist_order_event *e = hoist_order_event_at(o, i);
        if (e->meeting == 0) {
            continue;
        }
        const hoist_prog_collective *c = e->at.step->as.collective;
        const member *all = members.items;
        size_t k = 0;
        // A linear search: members are few.
        while (k < members.count && (all[k].group != c->group || all[k].rank != c->rank)) {
            k++;
        }
        if (k < members.count) {
            closed = all[k].process == e->process;
        } else {
            const member new = {c->group, c->rank, e->process};
            closed = hoist_order_add(o, &members, &new);
        }
    }
    hoist_order_free_list(o, &members);
    return closed;
}

// The result of one run.
typedef struct finding {
    bool bad;       // findings were reported
    bool exact;     // it speaks for all runs
    bool truncated; // it was not seen to its end
    bool inexact;   // some accesses are of bytes that are not known exactly
} finding;

// Whether what was recorded is the same in all runs.
static bool is_same(hoist_order *o)
{
    return posts_are_ordered(o) && groups_are_closed(o) && hoist_order_drains_hold(o) &&
           (o->monotone || hoist_order_holds(o));
}

// Where the clocks may not name all events that come first in all runs, a race is reported only
// when a run shows it.
static hoist_status find_races(hoist_order *o, bool *out_exact)
{
    hoist_diag *diag = o->diag;
    const bool sure = o->observed || o->monotone || hoist_order_is_exact(o);
    o->diag = sure ? diag : NULL; // no sink: findings are counted, not shown
    const hoist_status status = hoist_order_find_races(o);
    o->diag = diag;
    *out_exact = sure || o->reported == 0;
    // What was counted and not shown is no reason for BAD: a schedule has to show it.
    o->reported = sure ? o->reported : 0;
    return status;
}

// Checks the run that was recorded, unless it speaks only for itself although all runs are asked
// for.
static hoist_status check_run(hoist_order *o, bool *out_exact)
{
    bool exact = false;
    bool same = !o->overflows && !o->irregular;
    // Only as a run of its own is it of use then: explore() takes it up with `observed`.
    if (!o->observed && !same) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_order_compute(o));
    same = same && !o->observed && is_same(o);
    HOIST_TRY(o->status);
    if (!o->observed && !same) {
        return HOIST_OK;
    }
    HOIST_TRY(find_races(o, &exact));
    *out_exact = exact && same && !o->truncated && !o->inexact;
    return HOIST_OK;
}

static hoist_status check_entry(hoist_order *o, hoist_ref entry, const int64_t *parameters,
                                hoist_schedule schedule, finding *out_finding)
{
    *out_finding = (finding){.bad = false};
    hoist_status status = HOIST_OK;
    // An entry before did not come to its end: its outcome is that of the whole sequence.
    if (o->outcome == HOIST_OUTCOME_DONE) {
        status = hoist_order_record(o, entry, parameters, schedule);
    }
    if (status == HOIST_OK) {
        status = check_run(o, &out_finding->exact);
    }
    out_finding->bad = o->reported > 0 || o->outcome == HOIST_OUTCOME_DEADLOCK ||
                       o->outcome == HOIST_OUTCOME_FAULT;
    out_finding->truncated = o->truncated;
    out_finding->inexact = o->inexact;
    return status;
}

// Runs the entries before, without findings: each is checked by a call of its own.
static hoist_status run_before(hoist_order *o)
{
    const hoist_order_options *options = o->options;
    for (uint32_t i = 0; i < options->before_count && o->outcome == HOIST_OUTCOME_DONE; i++) {
        const int64_t *const *all = options->before_parameters;
        HOIST_TRY(hoist_order_record(o, options->before[i], all ? all[i] : NULL,
                                     (hoist_schedule){HOIST_SCHEDULE_IN_ORDER, 0}));
        hoist_order_forget(o);
    }
    return HOIST_OK;
}

static hoist_status try_schedule(const hoist_order *pattern, hoist_ref entry,
                                 hoist_schedule schedule, finding *out_finding)
{
    // Everything of its own but the options: each schedule begins with a machine as it is first.
    hoist_order o = *pattern;
    *out_finding = (finding){.bad = false};
    hoist_status status = init(&o);
    status = status == HOIST_OK ? hoist_order_begin(&o) : status;
    status = status == HOIST_OK ? run_before(&o) : status;
    if (status == HOIST_OK) {
        status = check_entry(&o, entry, o.options->parameters, schedule, out_finding);
    }
    deinit(&o);
    return status;
}

// The schedules of programs whose order is not the same in all runs: the plainest, the one with the
// latest completions, and random ones with their number as seed, so that a verdict can be repeated.
static hoist_schedule schedule_of(uint32_t number)
{
    if (number == 0) {
        return (hoist_schedule){HOIST_SCHEDULE_IN_ORDER, 0};
    }
    return number == 1 ? (hoist_schedule){HOIST_SCHEDULE_ADVERSARIAL, 0}
                       : (hoist_schedule){HOIST_SCHEDULE_RANDOM, number};
}

static const char *why_unknown(const finding *found)
{
    return found->truncated ? "a run is longer than what was looked at"
           : found->inexact ? "which bytes a transfer touches is not known exactly"
                            : "what waits for what depends on the run, and only some were tried";
}

// The verdict on an entry of whose run under the first schedule that was found.
static hoist_status explore(const hoist_order *all, hoist_ref entry, finding found,
                            hoist_order_result *out_result)
{
    // It speaks for all runs and shows nothing. A finding is final as well: the loop does not run.
    if (found.exact && !found.bad) {
        out_result->verdict = HOIST_VERDICT_CLEAN;
        return HOIST_OK;
    }
    hoist_order pattern = *all;
    const uint32_t given = pattern.options->max_schedules;
    const uint32_t count = given > 0 ? given : MAX_SCHEDULES;
    // From here waits come after what they have seen, so that races are those of this very run.
    pattern.observed = true;
    // More schedules cannot make a finding better, nor a run that is too long shorter.
    for (uint32_t i = 0; i < count && !found.bad && !found.truncated; i++) {
        HOIST_TRY(try_schedule(&pattern, entry, schedule_of(i), &found));
    }
    out_result->verdict = found.bad ? HOIST_VERDICT_BAD : HOIST_VERDICT_UNKNOWN;
    out_result->why = found.bad ? NULL : why_unknown(&found);
    return HOIST_OK;
}

static hoist_order pattern_of(const hoist_program *program, const hoist_order_options *options,
                              hoist_diag *diag)
{
    return (hoist_order){
        .alloc = options->alloc, .program = program, .options = options, .diag = diag};
}

static hoist_status check_order(const hoist_order *pattern, hoist_ref entry,
                                hoist_order_result *out_result)
{
    finding found;
    HOIST_TRY(try_schedule(pattern, entry, schedule_of(0), &found));
    return explore(pattern, entry, found, out_result);
}

hoist_status hoist_program_check_order(const hoist_program *program, hoist_ref entry,
                                       const hoist_order_options *options, hoist_diag *diag,
                                       hoist_verdict *out_verdict)
{
    hoist_order_result result = {.verdict = HOIST_VERDICT_UNKNOWN};
    const hoist_order pattern = pattern_of(program, options, diag);
    hoist_diag_sources(diag, program->sources, program->source_count);
    const hoist_status status = check_order(&pattern, entry, &result);
    hoist_diag_sources(diag, NULL, 0);
    if (options->out_why && result.why) {
        *options->out_why = result.why;
    }
    *out_verdict = result.verdict;
    return status;
}

// One machine runs the entries, and each run is checked before the next one. After a run that does
// not come to its end the machine cannot go on, so each entry after it is checked by a machine of
// its own.
static hoist_status check_in_turn(hoist_order *o, const hoist_order_options *options,
                                  hoist_order_result *out_results)
{
    HOIST_TRY(init(o));
    HOIST_TRY(hoist_order_begin(o));
    for (uint32_t i = 0; i < options->before_count; i++) {
        hoist_order_options own = *options;
        own.before_count = i; // those before it, as if it were asked for alone
        own.parameters = options->before_parameters ? options->before_parameters[i] : NULL;
        const hoist_order pattern = pattern_of(o->program, &own, o->diag);
        if (o->outcome != HOIST_OUTCOME_DONE) {
            HOIST_TRY(check_order(&pattern, options->before[i], &out_results[i]));
            continue;
        }
        finding found;
        HOIST_TRY(check_entry(o, options->before[i], own.parameters, schedule_of(0), &found));
        HOIST_TRY(explore(&pattern, options->before[i], found, &out_results[i]));
        hoist_order_forget(o);
    }
    return HOIST_OK;
}

hoist_status hoist_program_check_sequence(const hoist_program *program,
                                          const hoist_order_options *options, hoist_diag *diag,
                                          hoist_order_result *out_results)
{
    hoist_order o = pattern_of(program, options, diag);
    for (uint32_t i = 0; i < options->before_count; i++) {
        out_results[i] = (hoist_order_result){.verdict = HOIST_VERDICT_UNKNOWN};
    }
    hoist_diag_sources(diag, program->sources, program->source_count);
    const hoist_status status = check_in_turn(&o, options, out_results);
    hoist_diag_sources(diag, NULL, 0);
    deinit(&o);
    return status;
}
