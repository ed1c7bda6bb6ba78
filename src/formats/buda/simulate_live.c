// formats/buda/simulate_live.c - dynamic queues: allocated, live, deallocated, in the order of the
// instructions of all programs (buda-netlist reference section 2.8, rules 29b to 29d, 79b).
// Overlap is checked when a queue is allocated, against those live at that moment; static queues
// are check_memory.c's.
#include "base/span.h"
#include "formats/buda/memory_map.h"
#include "formats/buda/simulate_state.h"

bool buda_sim_live_init(buda_sim *s)
{
    s->live = hoist_arena_array(s->arena, s->net->queue_count, sizeof(*s->live));
    return s->live != NULL;
}

// Rule 79b. The cost of the comparison is paid in steps, as it is a product of two lists of the
// file.
static void check_overlaps(buda_sim *s, size_t queue, hoist_pos pos)
{
    const size_t places = buda_queue_places(s->net->queues[queue].queue)->count;
    for (size_t i = 0; i < s->live_count; i++) {
        const size_t other = s->live[i];
        size_t place = 0;
        if (!buda_sim_spend(s,
                            1 + places * buda_queue_places(s->net->queues[other].queue)->count)) {
            return;
        }
        if (buda_queues_overlap(s->net, queue, other, &place)) {
            buda_program_report(s->reporter, BUDA_079b, pos, queue,
                                "queue '%.*s' is allocated over queue '%.*s', which is live "
                                "(buffer %zu)",
                                HOIST_STR_ARGS(s->net->queues[queue].name),
                                HOIST_STR_ARGS(s->net->queues[other].name), place);
        }
    }
}

// A second allocate is a finding and has no effect.
void buda_sim_allocate(buda_sim *s, const buda_step *step)
{
    for (size_t i = 0; i < step->queue_count && buda_sim_spend(s, 1); i++) {
        const size_t queue = step->queues[i].queue;
        const buda_name *name = &step->instr->queues.items[step->queues[i].name];
        buda_sim_queue *q = &s->queues[queue];
        if (q->live) {
            buda_program_report(s->reporter, BUDA_029b, name->pos, 0,
                                "queue '%.*s' is allocated, but is live already (since line %u)",
                                HOIST_STR_ARGS(name->text), q->live_pos.line);
            continue;
        }
        check_overlaps(s, queue, name->pos);
        q->live = true;
        q->live_pos = name->pos;
        q->live_program = s->code->program;
        q->live_instr = s->pc;
        // In no order; live_count is bounded by the number of queues, each of which is in it once.
        s->live[s->live_count++] = queue;
        // Allocating zeroes the pointers and keeps the slots.
        q = buda_sim_queue_at(s, queue); // a queue of several programs becomes known here
        q->exact = q->tracked;
        q->rd = 0;
        q->wr = 0;
        q->local = (buda_sim_value){0, true};
    }
}

// A deallocate of a queue that is not live has no effect.
void buda_sim_deallocate(buda_sim *s, const buda_step *step)
{
    for (size_t i = 0; i < step->queue_count && buda_sim_spend(s, 1); i++) {
        const size_t queue = step->queues[i].queue;
        const buda_name *name = &step->instr->queues.items[step->queues[i].name];
        if (!s->queues[queue].live) {
            buda_program_report(s->reporter, BUDA_029c, name->pos, 0,
                                "queue '%.*s' is deallocated, but is not live",
                                HOIST_STR_ARGS(name->text));
            continue;
        }
        // Linear, and paid for in steps; the last one takes its place.
        size_t at = 0;
        while (at < s->live_count && s->live[at] != queue) {
            at++;
        }
        (void)buda_sim_spend(s, at);
        s->live[at] = s->live[--s->live_count];
        s->queues[queue].live = false;
    }
}

// After the last program; located at the allocate.
void buda_sim_end_live(buda_sim *s)
{
    for (size_t i = 0; i < s->live_count && buda_sim_spend(s, 1); i++) {
        const buda_sim_queue *q = &s->queues[s->live[i]];
        s->reporter->program = q->live_program;
        s->reporter->instr = q->live_instr;
        buda_program_report(s->reporter, BUDA_029d, q->live_pos, 0,
                            "queue '%.*s' is still live when the last program ends",
                            HOIST_STR_ARGS(s->net->queues[s->live[i]].name));
    }
}
