// formats/buda/simulate_flow.c - what goes into op-fed queues and out of them in one iteration of a
// loop (buda-netlist reference rule 36d).
//
// Checked in the last iteration (a pipeline fills in the first ones), and only for queues that are
// both pushed and popped in it: a loop that fills and another one that empties are fine.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/simulate_state.h"

// A visitor of each queue use of each execute between a loop and its end.
// `number` counts uses in the order of the walk.
typedef void visit_use(buda_sim *s, const buda_sim_loop *loop, size_t queue, size_t number);

// Returns how many there are; `visit` may be NULL. The walk is the same each time, so that numbers
// agree between the snapshot and the comparison.
static size_t visit_body(buda_sim *s, const buda_sim_loop *loop, visit_use *visit)
{
    const buda_index *index = s->index;
    const size_t end = s->code->steps[loop->begin].match;
    size_t number = 0;
    for (size_t i = loop->begin + 1; i < end && buda_sim_spend(s, 1); i++) {
        const buda_step *step = &s->code->steps[i];
        for (size_t k = 0; k < step->launch_count; k++) {
            const size_t graph = step->launches[k].graph;
            const size_t last = index->first_use[graph + 1];
            for (size_t u = index->first_use[graph]; u < last && buda_sim_spend(s, 1); u++) {
                const buda_sim_queue *queue = &s->queues[index->uses[u].queue];
                // Queues that are not followed have no counts; those that no graph reads are the
                // host's to pop.
                if (!queue->tracked || !queue->consumed) {
                    continue;
                }
                if (visit) {
                    visit(s, loop, index->uses[u].queue, number);
                }
                number++;
            }
        }
    }
    return number;
}

// The snapshot at the start of the last iteration.
static void store_use(buda_sim *s, const buda_sim_loop *loop, size_t queue, size_t number)
{
    loop->flow[number] = s->queues[queue].flow;
}

// Differences to the snapshot. A queue whose state was lost on the way says nothing.
static void check_use(buda_sim *s, const buda_sim_loop *loop, size_t queue, size_t number)
{
    const buda_sim_queue *q = &s->queues[queue];
    const uint64_t pushes = q->flow.pushes - loop->flow[number].pushes;
    const uint64_t pops = q->flow.pops - loop->flow[number].pops;
    if (q->exact && pushes && pops && pushes != pops) {
        buda_program_report(s->reporter, BUDA_036d, s->code->steps[loop->begin].instr->pos, queue,
                            "one turn of the loop pushes %" PRIu64 " %s to queue '%.*s' and "
                            "pops %" PRIu64,
                            pushes, hoist_plural(pushes, "entry", "entries"),
                            HOIST_STR_ARGS(s->net->queues[queue].name), pops);
    }
}

// Memory of a loop is kept with its instruction: an inner loop begins many times.
void buda_sim_flow_begin(buda_sim *s, buda_sim_loop *loop)
{
    buda_sim_flow **memory = &s->flows[loop->begin];
    if (!*memory) {
        const size_t count = visit_body(s, loop, NULL);
        *memory = hoist_arena_array(s->arena, count, sizeof(**memory));
        if (!*memory) {
            s->no_memory = true;
            return;
        }
    }
    loop->flow = *memory;
    (void)visit_body(s, loop, store_use);
}

// NULL: the loop's last iteration was never begun, or memory ran out.
void buda_sim_flow_end(buda_sim *s, const buda_sim_loop *loop)
{
    if (loop->flow) {
        (void)visit_body(s, loop, check_use);
    }
}
