// Commands of a job's programs to chips, for hoist_job_info(): how many calls each thread posts to
// each unit, and how often it waits until the unit has done all of them. In: a job that can be
// lowered. Out: the list "command_queues". Only what the code of a thread says by itself is
// counted: loops whose count is a number; a post that depends on a register is not.
#include "base/alloc.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/diag.h"
#include "load/job.h"
#include "program/program.h"

enum { MAX_LOOPS = 64 }; // nested; more make all counts unknown

// Of one unit.
typedef struct sum {
    bool unknown;
    uint64_t number;
} sum;

typedef struct tally {
    uint64_t posts; // places of the code
    sum commands;
    sum waits;
} tally;

// A place in the code of a thread.
typedef struct place {
    bool unknown[MAX_LOOPS + 1]; // by depth: how often it is passed
    uint64_t times[MAX_LOOPS + 1];
    size_t depth;
    uint32_t skipped_to; // a branch before it may go to this step
} place;

static void add(sum *c, const place *at, uint32_t step)
{
    c->unknown = c->unknown || at->unknown[at->depth] || step < at->skipped_to ||
                 hoist_ckd_add(&c->number, c->number, at->times[at->depth]);
}

static void enter_loop(place *at, hoist_prog_value turns)
{
    const size_t outer = at->depth;
    at->depth += at->depth < MAX_LOOPS;
    at->unknown[at->depth] =
        at->unknown[outer] || turns.reg != HOIST_NO_REF || turns.number < 0 ||
        at->depth == MAX_LOOPS ||
        hoist_ckd_mul(&at->times[at->depth], at->times[outer], (uint64_t)turns.number);
}

static void count_thread(const hoist_prog_code *code, tally *units)
{
    place at = {.times = {1}};
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        switch (step->kind) {
        case HOIST_STEP_LOOP:
            enter_loop(&at, step->as.loop.count);
            break;
        case HOIST_STEP_END:
            at.depth -= at.depth > 0;
            break;
        case HOIST_STEP_BRANCH:
            // Back: what is between may be passed any number of times.
            at.unknown[at.depth] = at.unknown[at.depth] || step->as.branch.target_step <= i;
            at.skipped_to = step->as.branch.target_step > at.skipped_to
                                ? step->as.branch.target_step
                                : at.skipped_to;
            break;
        case HOIST_STEP_POST:
            units[step->as.call.unit].posts++;
            add(&units[step->as.call.unit].commands, &at, i);
            break;
        case HOIST_STEP_DRAIN:
            add(&units[step->as.call.unit].waits, &at, i);
            break;
        default:
            break;
        }
    }
}

static void send_number(hoist_tree_sink *sink, const char *key, const sum *c)
{
    if (c->unknown) {
        hoist_tree_null(sink, key);
    } else {
        hoist_tree_uint(sink, key, c->number, HOIST_UNIT_NONE);
    }
}

static void send_row(const hoist_prog_entry *entry, const hoist_prog_unit *unit, const tally *of,
                     hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "program", entry->name);
    hoist_tree_str(sink, "unit", unit->name);
    hoist_tree_uint(sink, "slots", unit->depth, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "posts", of->posts, HOIST_UNIT_NONE);
    send_number(sink, "commands", &of->commands);
    send_number(sink, "waits", &of->waits);
    hoist_tree_end(sink);
}

// Units that an entry gives no command are left out. People see no list of one row without a
// number of commands: that is a program that runs one chip as often as the caller says.
static void send_rows(const hoist_program *program, const tally *tallies, hoist_tree_sink *sink)
{
    const size_t count = (size_t)program->entry_count * program->unit_count;
    size_t shown = 0;
    bool known = count == 0;
    for (size_t i = 0; i < count; i++) {
        shown += tallies[i].posts > 0;
        known = known || (tallies[i].posts > 0 && !tallies[i].commands.unknown);
    }
    sink->audience = known || shown > 1 ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_list(sink, "command_queues");
    for (size_t i = 0; i < count; i++) {
        if (tallies[i].posts > 0) {
            send_row(&program->entries[i / program->unit_count],
                     &program->units[i % program->unit_count], &tallies[i], sink);
        }
    }
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_ALL;
}

static hoist_status send(const hoist_program *program, hoist_allocator alloc, hoist_tree_sink *sink)
{
    const size_t count = (size_t)program->entry_count * program->unit_count;
    tally *tallies = hoist_alloc_zero(alloc, count, sizeof *tallies);
    if (count > 0 && !tallies) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t e = 0; count > 0 && e < program->entry_count; e++) {
        const hoist_prog_entry *entry = &program->entries[e];
        for (uint32_t k = 0; k < entry->thread_count; k++) {
            count_thread(&program->threads[entry->threads[k]].code,
                         tallies + (size_t)e * program->unit_count);
        }
    }
    send_rows(program, tallies, sink);
    hoist_free(alloc, tallies, count * sizeof *tallies);
    return sink->status;
}

// Findings are those of `hoist check` and `hoist run`, and stay here.
static hoist_status lower(const hoist_job *job, hoist_program **out_program)
{
    hoist_diag *own = NULL;
    const hoist_lower_options options = {.struct_size = sizeof options, .control_only = true};
    HOIST_TRY(hoist_diag_create(job->alloc, NULL, &own));
    hoist_status status = hoist_job_check_rules(job, own);
    if (status == HOIST_OK) {
        status = hoist_job_lower_checked(job, &options, own, out_program);
    }
    status = hoist_diag_incomplete(own) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(own);
    return status;
}

hoist_status hoist_job_send_commands(const hoist_job *job, hoist_tree_sink *sink)
{
    hoist_program *program = NULL;
    hoist_status status = lower(job, &program);
    // A limit of the program is no limit of the summary, unless there is no time left.
    if (status == HOIST_LIMIT) {
        HOIST_TRY(hoist_deadline_look(job->deadline));
        status = HOIST_UNSUPPORTED;
    }
    if (status == HOIST_INVALID || status == HOIST_UNSUPPORTED || status == HOIST_NOT_FOUND) {
        sink->audience = HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_null(sink, "command_queues"); // it does not run
        sink->audience = HOIST_TREE_FOR_ALL;
        status = sink->status;
    } else if (status == HOIST_OK) {
        status = send(program, job->alloc, sink);
    }
    hoist_program_destroy(program);
    return status;
}
