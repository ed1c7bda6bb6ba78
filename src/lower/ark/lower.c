// ARK files as a program: a space, buffers and a thread for each rank, in the order of its model or
// plan; messages between ranks as fifos. In: the files of a job. Out: the program, or findings of
// lower_rules.inc. The parts: memory.c, ops.c and tiles.c, messages.c, ports.c.
#include "lower/ark/lower.h"

#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/progress.h"
#include "lower/ark/state.h"

// Ranks -----------------------------------------------------------------------------------------

// Adds "1, 3 to 5" to the message: the ranks of the world that no file has. A stretch of one rank
// is a number, a longer one its ends.
static void write_missing(const ark_job *job, hoist_buffer *text)
{
    int64_t next = 0;
    for (uint32_t i = 0; i <= job->rank_count; i++) {
        const int64_t until = i < job->rank_count ? job->ranks[i].number : job->world;
        if (next < until) {
            hoist_buffer_format(text, "%s%" PRId64, text->size ? ", " : "", next);
        }
        if (next + 1 < until) {
            hoist_buffer_format(text, " to %" PRId64, until - 1);
        }
        next = until + 1;
    }
}

// A job runs when all of its ranks are there: where a message lands is in the sender's file.
// Missing files are HOIST_NOT_FOUND, except for a program of control only.
static void check_ranks(ark_lower_job *j, const hoist_file *files)
{
    const ark_job *job = &j->messages;
    const ark_lower_rank place = {.file = files};
    hoist_buffer text;
    hoist_buffer_init(&text, j->c.arena.alloc);
    if (job->world > HOIST_MAX_RANKS) {
        ark_lower_refuse(j, RUN_023, &place, NULL, "%" PRId64 " ranks, expected at most %d",
                         job->world, HOIST_MAX_RANKS);
        hoist_lower_fail(&j->c, HOIST_LIMIT);
    } else if (!job->complete) {
        write_missing(job, &text);
        ark_lower_refuse(j, RUN_042, &place, NULL,
                         text.size
                             ? "the job has %" PRId64 " ranks; the files of these are missing: %.*s"
                             : "messages of the %" PRId64 " ranks have no certain peer or tag%.*s",
                         job->world, HOIST_STR_ARGS(hoist_buffer_text(&text)));
        hoist_lower_fail(&j->c, text.failed                                ? HOIST_NO_MEMORY
                                : text.size && !j->c.options->control_only ? HOIST_NOT_FOUND
                                                                           : HOIST_OK);
    }
    hoist_buffer_deinit(&text);
}

// Each rank has a map of constants, which ark_lower() frees: `rank_count` counts those that have
// one.
static void init_ranks(ark_lower_job *j, const hoist_file *files)
{
    const ark_job *job = &j->messages;
    j->ranks = hoist_lower_array(&j->c, (size_t)job->rank_count + 1, sizeof *j->ranks);
    for (uint32_t i = 0; j->ranks && i < job->rank_count; i++) {
        ark_lower_rank *rank = &j->ranks[i];
        *rank = (ark_lower_rank){.number = (uint32_t)job->ranks[i].number,
                                 .index = i,
                                 .file = &files[job->ranks[i].file],
                                 .graph = job->ranks[i].graph,
                                 .temporary = HOIST_NO_REF,
                                 .received = HOIST_NO_REF};
        rank->prefix = hoist_lower_rank(&j->c, rank->number);
        rank->source =
            hoist_builder_source(j->c.b, (hoist_source){rank->file->name, HOIST_STR(""), 0});
        hoist_map_init(&rank->constant_refs, j->c.arena.alloc);
        j->rank_count = i + 1;
    }
}

// Threads ---------------------------------------------------------------------------------------

// The event of each step of the rank; NULL: it is none. Out of memory: NULL. Steps that are no
// event compute something, or nothing at all.
static const ark_event **find_events(ark_lower_job *j, const ark_rank *row)
{
    const ark_event **events =
        hoist_lower_array(&j->c, (size_t)row->graph->step_count + 1, sizeof *events);
    for (uint32_t i = 0; events && i < row->event_count; i++) {
        events[row->events[i].step] = &row->events[i];
    }
    return events;
}

// The steps of the rank in an order in which all ranks come to their ends. An operator that cannot
// be lowered does not keep others from being reported.
static void lower_steps(ark_lower_job *j, ark_lower_rank *rank)
{
    const ark_event **events = find_events(j, &j->messages.ranks[rank->index]);
    const uint32_t *order = j->orders ? j->orders[rank->index] : NULL;
    for (uint32_t i = 0; events && i < rank->graph->step_count && j->c.status == HOIST_OK; i++) {
        const uint32_t index = order ? order[i] : i;
        const ark_lower_op op = {j, rank, &rank->graph->steps[index]};
        hoist_lower_count(&j->c);
        j->c.ignored = j->c.errors; // each operator may have errors of its own
        if (!events[index] && ark_lower_is_idle(op.step->type)) {
            continue;
        }
        // What goes over the elements of a message does so before its slot is given back, so that
        // they may be taken from there.
        if (events[index] || !ark_lower_is_each(op.step->type)) {
            ark_lower_end_receipt(j, rank);
        }
        if (events[index]) {
            ark_lower_event(&op, events[index]);
        } else {
            ark_lower_operator(&op);
            ark_lower_end_receipt(j, rank);
        }
    }
    ark_lower_end_receipt(j, rank);
    ark_lower_last_deliveries(j, rank);
}

// The thread's home is its rank, as that of its memory.
static hoist_ref lower_thread(ark_lower_job *j, ark_lower_rank *rank)
{
    const hoist_ref thread = hoist_builder_begin_thread(
        j->c.b,
        &(hoist_prog_thread){.name = hoist_lower_format(&j->c, "rank%" PRIu32, rank->number),
                             .loc = hoist_loc_none(),
                             .home = rank->number});
    lower_steps(j, rank);
    hoist_builder_end_code(j->c.b);
    return thread;
}

// Memory of all ranks comes before any thread, because messages land in memory of other ranks.
static void lower_ranks(ark_lower_job *j)
{
    hoist_ref *threads = hoist_lower_array(&j->c, (size_t)j->rank_count + 1, sizeof *threads);
    for (uint32_t i = 0; i < j->rank_count && j->c.status == HOIST_OK; i++) {
        ark_lower_memory(j, &j->ranks[i]);
        ark_lower_ports(j, &j->ranks[i]);
    }
    if (!threads || j->c.status != HOIST_OK) {
        return;
    }
    for (uint32_t i = 0; i < j->rank_count; i++) {
        hoist_lower_expect(&j->c, j->ranks[i].graph->step_count);
    }
    ark_lower_fifos(j);
    for (uint32_t i = 0; i < j->rank_count && j->c.status == HOIST_OK; i++) {
        threads[i] = lower_thread(j, &j->ranks[i]);
    }
    (void)hoist_builder_entry(j->c.b, &(hoist_prog_entry){.name = HOIST_STR("run"),
                                                          .loc = hoist_loc_none(),
                                                          .threads = threads,
                                                          .thread_count = j->rank_count});
}

// The program -----------------------------------------------------------------------------------

// What programs and ARK files both have a rule for. Geometry is checked before, so what is out of a
// buffer is a message at its sender's geometry.
static const struct {
    hoist_program_rule program;
    ark_rule ark;
} same_rules[] = {
    {HOIST_PRG_018, ARK_X06},  // bounds
    {HOIST_PRG_101, ARK_M37a}, // races
    {HOIST_PRG_102, ARK_X03},  // a run ends
};

const hoist_rule *ark_lower_rule(hoist_program_rule rule)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(same_rules); i++) {
        if (same_rules[i].program == rule) {
            return ark_rule_row(same_rules[i].ark);
        }
    }
    return NULL;
}

// Findings of the program that ARK has a rule for are reported under that rule.
static void lower_job(ark_lower_job *j, const hoist_file *files, size_t count)
{
    hoist_lower_fail(&j->c, ark_job_build(files, count, &j->c.arena, &j->messages));
    if (j->c.status != HOIST_OK) {
        return;
    }
    check_ranks(j, files);
    // A limit of the world is at most what ranks have as numbers.
    j->c.rank_count = j->messages.world > 1 ? (uint32_t)j->messages.world : 1;
    if (!hoist_lower_goes_on(&j->c)) {
        return;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(same_rules); i++) {
        hoist_builder_rule(j->c.b, same_rules[i].program, ark_rule_row(same_rules[i].ark));
    }
    init_ranks(j, files);
    hoist_lower_fail(&j->c, ark_job_find_orders(&j->messages, &j->c.arena, &j->orders));
    if (j->c.status == HOIST_OK) {
        lower_ranks(j);
    }
}

// In: files of ARK. What was reached is freed also when it fails.
hoist_status ark_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                       const hoist_lower_options *options, hoist_diag *diag,
                       hoist_program **out_program)
{
    static const hoist_name_table unique[] = {HOIST_NAMES_SPACE, HOIST_NAMES_BUFFER,
                                              HOIST_NAMES_FIFO, HOIST_NAMES_THREAD};
    ark_lower_job j = {.wires = HOIST_NO_REF};
    *out_program = NULL;
    (void)check; // nothing in them is about ARK files
    hoist_status status = hoist_lower_begin(&j.c, HOIST_STR("ark"), files, options, diag);
    if (status == HOIST_OK) {
        lower_job(&j, files, count);
        status = hoist_lower_finish(&j.c, unique, HOIST_COUNT_OF(unique), out_program);
    }
    for (uint32_t i = 0; i < j.rank_count; i++) { // those that have a map
        hoist_map_deinit(&j.ranks[i].constant_refs);
    }
    hoist_lower_deinit(&j.c);
    return status;
}
