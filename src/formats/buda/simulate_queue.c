// formats/buda/simulate_queue.c - read and write pointers of op-fed queues (buda-netlist reference
// section 2.8, rules 97 to 99, 101, 102).
//
// Pointers count modulo 2E, so that full and empty differ: occupancy = (wr - rd) mod 2E. Host-fed
// queues are not followed, since the netlist does not give what the host pushes; nor are queues
// that a graph both feeds and reads within one temporal epoch. After a finding the queue's state is
// not known any more, so that one mistake gives one finding. Abbreviations as in the reference: E
// is the number of entries, rd and wr the pointers, "there" the occupancy.
#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/buda/simulate_state.h"

#define SHARED ((size_t)-1) // no program's number + 1

// Which program uses what: number of the program + 1, SHARED for several, 0 for none. Only a queue
// of one program has a state that one pass over that program knows.
static void mark_owner(size_t *owner, size_t program)
{
    *owner = *owner == 0 || *owner == program + 1 ? program + 1 : SHARED;
}

// Graphs that the program executes, and queues that it allocates.
static void mark_program(const buda_code *code, size_t program, size_t *graph_owner,
                         size_t *queue_owner)
{
    for (size_t i = 0; i < code->count; i++) {
        const buda_step *step = &code->steps[i];
        for (size_t k = 0; k < step->launch_count; k++) {
            mark_owner(&graph_owner[step->launches[k].graph], program);
        }
        for (size_t k = 0; k < step->queue_count; k++) {
            mark_owner(&queue_owner[step->queues[k].queue], program);
        }
    }
}

// Queues of a graph belong to whoever executes the graph.
static void mark_uses(buda_sim *s, const size_t *graph_owner, size_t *queue_owner)
{
    const buda_index *index = s->index;
    for (size_t g = 0; g < s->net->graph_count; g++) {
        for (size_t i = index->first_use[g]; graph_owner[g] && i < index->first_use[g + 1]; i++) {
            size_t *owner = &queue_owner[index->uses[i].queue];
            *owner = *owner == 0 || *owner == graph_owner[g] ? graph_owner[g] : SHARED;
        }
    }
}

// Within an epoch producer and reader run at the same time, and the order of pushes and pops is
// the device's.
static bool read_within_epoch(const buda_net *net, const buda_net_queue *queue)
{
    const size_t epoch = net->graphs[net->ops[queue->producer].graph].temporal;
    for (size_t i = 0; i < queue->consumer_count; i++) {
        if (net->graphs[net->ops[queue->consumers[i]].graph].temporal == epoch) {
            return true;
        }
    }
    return false;
}

// Aliases share slots with another queue, whose pushes would have to be followed as well.
static bool can_track(const buda_sim *s, size_t queue)
{
    const buda_net_queue *q = &s->net->queues[queue];
    return q->queue->type.value == BUDA_QUEUE && !q->host_fed && q->producer != BUDA_NO_INDEX &&
           buda_sim_entries(s, queue) && !buda_has(q->queue->alias.pos) &&
           !read_within_epoch(s->net, q);
}

// Everything starts empty and exactly known: pointers 0, no slot written.
bool buda_sim_queue_init(buda_sim *s, const buda_code *codes)
{
    const buda_net *net = s->net;
    size_t *graph_owner = hoist_arena_array(s->arena, net->graph_count, sizeof(*graph_owner));
    size_t *queue_owner = hoist_arena_array(s->arena, net->queue_count, sizeof(*queue_owner));
    s->queues = hoist_arena_array(s->arena, net->queue_count, sizeof(*s->queues));
    if (!graph_owner || !queue_owner || !s->queues) {
        return false;
    }
    for (size_t p = 0; p < net->module->program_count; p++) {
        mark_program(&codes[p], p, graph_owner, queue_owner);
    }
    mark_uses(s, graph_owner, queue_owner);
    for (size_t i = 0; i < net->queue_count; i++) {
        s->queues[i].tracked = can_track(s, i);
        s->queues[i].shared = queue_owner[i] == SHARED;
        s->queues[i].consumed = net->queues[i].consumer_count > 0;
        s->queues[i].exact = s->queues[i].tracked;
        s->queues[i].written_exact = true;
    }
    return true;
}

// A shared queue is uncertain from the start of each program that uses it, as programs may be
// called in any order.
buda_sim_queue *buda_sim_queue_at(buda_sim *s, size_t queue)
{
    buda_sim_queue *q = &s->queues[queue];
    if (q->shared && q->state_run != s->run) {
        q->exact = false;
        q->written_exact = false;
    }
    q->state_run = s->run;
    return q;
}

// rd and wr are below 2E, hence the sum is not negative.
static uint64_t occupancy(const buda_sim_queue *q, uint64_t entries)
{
    HOIST_ASSERT(entries > 0); // as of every queue that is followed
    return (q->wr + 2 * entries - q->rd) % (2 * entries);
}

// By a setting or by a varinst: raising the pointer pops (section 2.8).
void buda_sim_set_rd(buda_sim *s, size_t queue, buda_sim_value value, hoist_pos pos)
{
    buda_sim_queue *q = buda_sim_queue_at(s, queue);
    // The read pointer of a queue that no graph reads belongs to the host.
    if (!q->exact || !q->consumed) {
        return;
    }
    if (!value.known) {
        q->exact = false;
        return;
    }
    const uint64_t ring = 2 * buda_sim_entries(s, queue);
    const uint64_t there = occupancy(q, ring / 2);
    // Distance forward, modulo 2E; a step backwards is a long one forward and fails the test.
    const uint64_t pops = ((uint64_t)value.value % ring + ring - q->rd) % ring;
    if (pops > there) {
        buda_program_report(s->reporter, BUDA_102, pos, queue,
                            "rd_ptr_global of queue '%.*s' is set to %" PRId32 ", it is %" PRIu64
                            " and %" PRIu64 " of %" PRIu64 " %s there",
                            HOIST_STR_ARGS(s->net->queues[queue].name), value.value, q->rd, there,
                            ring / 2, hoist_plural(ring / 2, "entry is", "entries are"));
        q->exact = false;
        return;
    }
    q->rd = (q->rd + pops) % ring;
    q->flow.pops += pops;
}

// Reading --------------------------------------------------------------------------------------

// One launch's reading of one queue.
typedef struct reading {
    size_t queue;
    const buda_bound *bound;
    uint64_t entries;
    uint64_t local; // modulo 2E
    uint64_t step;  // of local, modulo 2E
    uint64_t pops;  // after each input
} reading;

// `what` completes the sentence "slot N of queue 'q' is read, ...".
static void report_read(buda_sim *s, const reading *r, buda_rule rule, const char *what,
                        uint64_t slot)
{
    const buda_sim_queue *q = &s->queues[r->queue];
    buda_program_report(s->reporter, rule, r->bound->setting->queue.pos, r->queue,
                        "slot %" PRIu64 " of queue '%.*s' is read, %s (rd_ptr_global %" PRIu64
                        ", %" PRIu64 " of %" PRIu64 " %s there)",
                        slot, HOIST_STR_ARGS(s->net->queues[r->queue].name), what, q->rd,
                        occupancy(q, r->entries), r->entries,
                        hoist_plural(r->entries, "entry is", "entries are"));
}

// Checks one read, rules 97 to 99 in turn; false when it breaks one.
static bool read_slot(buda_sim *s, const reading *r)
{
    const buda_sim_queue *q = &s->queues[r->queue];
    const uint64_t there = occupancy(q, r->entries);
    const uint64_t slot = r->local % r->entries;
    if (there == 0) {
        report_read(s, r, BUDA_097, "while the queue is empty", slot);
    } else if (q->written_exact && slot >= q->written) {
        report_read(s, r, BUDA_098, "which was never pushed", slot);
        // The slot's distance from rd, modulo E: below the occupancy it is between rd and wr.
    } else if ((slot + 2 * r->entries - q->rd) % r->entries >= there) {
        report_read(s, r, BUDA_099, "which is popped already or not pushed yet", slot);
    } else {
        return true;
    }
    return false;
}

// Pops of global_rdptr_autoinc come after each input, by as many as the setting says.
static bool pop_entries(buda_sim *s, const reading *r)
{
    buda_sim_queue *q = &s->queues[r->queue];
    const uint64_t there = occupancy(q, r->entries);
    if (r->pops > there) {
        buda_program_report(s->reporter, BUDA_097, r->bound->setting->queue.pos, r->queue,
                            "global_rdptr_autoinc pops %" PRIu64 " from queue '%.*s', %" PRIu64
                            " of %" PRIu64 " %s there",
                            r->pops, HOIST_STR_ARGS(s->net->queues[r->queue].name), there,
                            r->entries, hoist_plural(r->entries, "entry is", "entries are"));
        return false;
    }
    q->rd = (q->rd + r->pops) % (2 * r->entries);
    q->flow.pops += r->pops;
    return true;
}

// One read and its pops per input of input_count. The first violation ends it and makes the
// queue's state unknown.
static void read_inputs(buda_sim *s, const reading *r_first, int64_t inputs)
{
    reading r = *r_first;
    for (int64_t i = 0; i < inputs && buda_sim_spend(s, 1); i++) {
        if (!read_slot(s, &r) || !pop_entries(s, &r)) {
            s->queues[r.queue].exact = false;
            return;
        }
        // Nothing changes any more: input_count may be 2^31.
        if (r.step == 0 && r.pops == 0) {
            return; // all others are the same
        }
        r.local = (r.local + r.step) % (2 * r.entries);
    }
}

// Reads `queue` for one launch. Without a setting of its own, or with a step that is not known, the
// pointers are not followed any more. Settings of other rounds do not count: the local pointer
// goes back to the setting's value at each execute.
static void move_input(buda_sim *s, size_t queue, int64_t inputs, size_t round)
{
    buda_sim_queue *q = buda_sim_queue_at(s, queue);
    if (!q->exact) {
        return;
    }
    if (q->run != s->run || q->round != round) {
        q->exact = false;
        return;
    }
    const buda_sim_value prologue = buda_sim_setting(s, q->last, BUDA_S_PROLOGUE);
    const buda_sim_value epilogue = buda_sim_setting(s, q->last, BUDA_S_EPILOGUE);
    const buda_sim_value step = buda_sim_setting(s, q->last, BUDA_S_RD_PTR_AUTOINC);
    const buda_sim_value pops = buda_sim_setting(s, q->last, BUDA_S_GLOBAL_RDPTR_AUTOINC);
    // Negative steps are not followed.
    if (!q->local.known || !prologue.known || !epilogue.known || !step.known || !pops.known ||
        step.value < 0 || pops.value < 0) {
        q->exact = false;
        return;
    }
    const uint64_t ring = 2 * buda_sim_entries(s, queue);
    HOIST_ASSERT(ring > 0);
    // Prologue or epilogue: one read for all inputs.
    const bool once = prologue.value || epilogue.value;
    const reading r = {.queue = queue,
                       .bound = q->last,
                       .entries = ring / 2,
                       .local = (uint64_t)q->local.value % ring,
                       .step = once ? 0 : (uint64_t)step.value % ring,
                       .pops = (uint64_t)pops.value};
    read_inputs(s, &r, inputs);
}

// Pushing --------------------------------------------------------------------------------------

// Slots 0 ... written-1 hold a tensor; a push beyond that leaves a gap, and then rule 98 has
// nothing to say.
static void note_written(buda_sim_queue *q, uint64_t entries, uint64_t pushes)
{
    const uint64_t start = q->wr % entries;
    if (start > q->written) {
        q->written_exact = false;
    } else if (start + pushes > q->written) {
        q->written = start + pushes < entries ? start + pushes : entries;
    }
}

// A queue that no graph reads is the host's to pop, and it may do so while the program runs. Hence
// a warning for such a queue (101b), and an error for one that only the program pops.
static void report_full(buda_sim *s, size_t queue, uint64_t pushes, uint64_t there)
{
    const bool consumed = s->queues[queue].consumed;
    buda_program_report(
        s->reporter, consumed ? BUDA_101 : BUDA_101b, buda_sim_instr(s)->graph.pos, queue,
        "%" PRIu64 " %s pushed to queue '%.*s', %" PRIu64 " of %" PRIu64 " %s there already and %s",
        pushes, hoist_plural(pushes, "entry is", "entries are"),
        HOIST_STR_ARGS(s->net->queues[queue].name), there, buda_sim_entries(s, queue),
        hoist_plural(buda_sim_entries(s, queue), "is", "are"),
        consumed ? "nothing pops them before" : "the program waits until the host pops some");
}

// All pushes of a launch at once: no read of the same epoch is in between (can_track()).
static void move_output(buda_sim *s, size_t queue, int64_t inputs)
{
    buda_sim_queue *q = buda_sim_queue_at(s, queue);
    if (!q->exact) {
        return;
    }
    const uint64_t entries = buda_sim_entries(s, queue);
    const uint64_t there = occupancy(q, entries);
    const uint64_t pushes = (uint64_t)inputs;
    if (pushes > entries - there) { // free entries
        report_full(s, queue, pushes, there);
        q->exact = false;
        return;
    }
    note_written(q, entries, pushes);
    q->wr = (q->wr + pushes) % (2 * entries);
    q->flow.pushes += pushes;
}

// Reads before writes for each queue, in the order of queues; a queue is in the list once per
// graph.
void buda_sim_move(buda_sim *s, const buda_launch *launch, size_t round)
{
    const buda_index *index = s->index;
    const int64_t inputs = s->net->graphs[launch->graph].graph->input_count.value;
    const size_t end = index->first_use[launch->graph + 1];
    for (size_t i = index->first_use[launch->graph]; i < end && buda_sim_spend(s, 1); i++) {
        const buda_use *use = &index->uses[i];
        if (!s->queues[use->queue].tracked || inputs < 1) { // input_count below 1 is rule 15
            continue;
        }
        if (use->flags & BUDA_USE_READ) {
            move_input(s, use->queue, inputs, round);
        }
        if (use->flags & (BUDA_USE_WRITTEN | BUDA_USE_GRADIENT)) {
            move_output(s, use->queue, inputs);
        }
    }
}

// After a loop of unknown count: also queues that are followed again later, by an allocate or a
// new setting.
void buda_sim_forget(buda_sim *s, const buda_launch *launch)
{
    const buda_index *index = s->index;
    const size_t end = index->first_use[launch->graph + 1];
    for (size_t i = index->first_use[launch->graph]; i < end && buda_sim_spend(s, 1); i++) {
        buda_sim_queue *q = buda_sim_queue_at(s, index->uses[i].queue);
        q->exact = false;
        q->local.known = false;
    }
}
