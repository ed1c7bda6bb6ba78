// Lists of one op that go with its inputs: rules 14 and 93 of the buda-netlist reference, sections
// 5.1 and 5.7. Items of the lists stand for inputs by their position.
#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

// One item of forked_dram_inputs, in the op of graph number `graph` whose inputs are `inputs`.
// Rule 93 has four clauses; each failing one is a finding.
static void check_fork(const buda_structure *s, const buda_fork *fork, size_t graph,
                       const hoist_map *inputs)
{
    hoist_diag *diag = s->check->diag;
    const hoist_str queue = fork->queue.text;
    size_t index = 0;
    if (!hoist_map_find(&s->queues, queue, &index)) {
        buda_report(diag, BUDA_093, fork->queue.pos, "forked input '%.*s' is no queue",
                    HOIST_STR_ARGS(queue));
        // An unknown loc is not DRAM, and is reported by the reader.
    } else if (s->check->module->queues[index].loc.value != BUDA_LOC_DRAM) {
        buda_report(diag, BUDA_093, fork->queue.pos,
                    "forked input '%.*s' is not in DRAM, expected a queue with loc dram",
                    HOIST_STR_ARGS(queue));
    }
    if (!hoist_map_find(inputs, queue, &index)) {
        buda_report(diag, BUDA_093, fork->queue.pos, "forked input '%.*s' is no input of this op",
                    HOIST_STR_ARGS(queue));
    }
    // Ops by their written names, in this very graph.
    if (!hoist_map_find(&s->ops, fork->op.text, &index) || s->op_graphs[index] != graph) {
        buda_report(diag, BUDA_093, fork->op.pos,
                    "forked input '%.*s' names '%.*s', which is no op of graph '%.*s'",
                    HOIST_STR_ARGS(queue), HOIST_STR_ARGS(fork->op.text),
                    HOIST_STR_ARGS(s->check->module->graphs[graph].name.text));
    }
}

// A map of the inputs makes forks linear; a hostile op may have a million of both.
static hoist_status check_forks(const buda_structure *s, const buda_op *op, size_t graph)
{
    if (op->forked_count == 0) {
        return HOIST_OK;
    }
    if (op->forked_count > op->inputs.count) {
        buda_report(s->check->diag, BUDA_093, op->forked_pos,
                    "op '%.*s' has %zu forked %s, it has %zu %s", HOIST_STR_ARGS(op->name.text),
                    op->forked_count, hoist_plural(op->forked_count, "input", "inputs"),
                    op->inputs.count, hoist_plural(op->inputs.count, "input", "inputs"));
    }
    hoist_map inputs;
    hoist_map_init(&inputs, s->check->scratch->alloc);
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < op->inputs.count && status == HOIST_OK; i++) {
        status = hoist_map_add(&inputs, op->inputs.items[i].text, i, NULL);
        status = status == HOIST_BUSY ? HOIST_OK : status; // an input may occur twice
    }
    for (size_t i = 0; i < op->forked_count && status == HOIST_OK; i++) {
        check_fork(s, &op->forked_dram_inputs[i], graph, &inputs);
    }
    hoist_map_deinit(&inputs);
    return status;
}

hoist_status buda_check_op_lists(const buda_structure *s)
{
    const hoist_buda_module *module = s->check->module;
    hoist_diag *diag = s->check->diag;
    for (size_t g = 0; g < module->graph_count; g++) {
        const buda_graph *graph = &module->graphs[g];
        for (size_t i = 0; i < graph->op_count; i++) {
            const buda_op *op = &graph->ops[i];
            buda_frames frames;
            buda_enter_op(diag, &frames, graph, op);
            // Only where both lists are there: a missing one is the reader's finding.
            if (buda_has(op->in_df.pos) && buda_has(op->inputs.pos) &&
                op->in_df.count != op->inputs.count) {
                buda_report(diag, BUDA_014, op->in_df.pos,
                            "op '%.*s' has %zu in_df for %zu %s, expected one each",
                            HOIST_STR_ARGS(op->name.text), op->in_df.count, op->inputs.count,
                            hoist_plural(op->inputs.count, "input", "inputs"));
            }
            // Only this list of sizes: surplus items of input_buf_min_size_tiles are accepted and
            // without effect [observed in a netlist that is clean].
            const buda_ints *sizes = &op->input_dram_io_buf_size_tiles;
            if (buda_has(op->inputs.pos) && sizes->count > op->inputs.count) {
                buda_report(diag, BUDA_014, sizes->pos,
                            "op '%.*s' has %zu input_dram_io_buf_size_tiles for %zu %s, expected "
                            "one each at most",
                            HOIST_STR_ARGS(op->name.text), sizes->count, op->inputs.count,
                            hoist_plural(op->inputs.count, "input", "inputs"));
            }
            const hoist_status status = check_forks(s, op, g);
            buda_leave(diag, &frames);
            // After buda_leave(): the frames are on this stack frame.
            HOIST_TRY(status);
        }
    }
    return HOIST_OK;
}
