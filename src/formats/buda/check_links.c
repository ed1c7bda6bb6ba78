// Links between queues and ops: rules 10 to 13, 15, 58 and 91 of the buda-netlist reference,
// sections 5.1, 5.3 and 5.7.
// In: the net, whose links are resolved. The net has BUDA_NO_INDEX or BUDA_SOURCE_NONE where a
// name does not resolve; here it becomes a finding.
//
// The net has one object per device of a list; a fault that all copies share is reported once, at
// the first copy that has it.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

// The same op on the device before; NULL on the first (or only) one. Copies of a graph follow each
// other, each with as many ops.
static const buda_net_op *previous_copy(const buda_net *net, size_t op)
{
    const size_t graph = net->ops[op].graph;
    if (graph == 0 || net->graphs[graph - 1].graph != net->graphs[graph].graph) {
        return NULL;
    }
    return &net->ops[op - net->graphs[graph].op_count];
}

// Copies of a queue follow each other, too.
static bool is_first_copy(const buda_net *net, size_t queue)
{
    return queue == 0 || net->queues[queue - 1].queue != net->queues[queue].queue;
}

// Queues ------------------------------------------------------------------------------------------

// Rule 10. The last condition: the copy before was reported already, with the same name.
static void check_input(hoist_diag *diag, const buda_net *net, size_t index)
{
    const buda_net_queue *queue = &net->queues[index];
    const buda_name *input = &queue->queue->input;
    if (queue->host_fed || queue->producer != BUDA_NO_INDEX || !buda_has(input->pos) ||
        (!is_first_copy(net, index) && net->queues[index - 1].producer == BUDA_NO_INDEX)) {
        return;
    }
    buda_report(diag, BUDA_010, input->pos,
                "input '%.*s' of queue '%.*s' is neither HOST nor an op",
                HOIST_STR_ARGS(input->text), HOIST_STR_ARGS(queue->queue->name.text));
}

// Rules 12 and 13, on the first copy: copies have producers of the same name and tiles.
// `same_name` counts the ops of each name, by the index of the first of them.
static void check_producer(hoist_diag *diag, const buda_net *net, size_t index,
                           const uint32_t *same_name)
{
    const buda_net_queue *queue = &net->queues[index];
    if (queue->producer == BUDA_NO_INDEX || !is_first_copy(net, index)) {
        return;
    }
    if (same_name[queue->producer] > 1) {
        buda_report(diag, BUDA_012, queue->queue->input.pos,
                    "queue '%.*s' is fed by %" PRIu32 " ops named '%.*s', expected one",
                    HOIST_STR_ARGS(queue->queue->name.text), same_name[queue->producer],
                    HOIST_STR_ARGS(queue->queue->input.text));
    }
    const buda_op *producer = net->ops[queue->producer].op;
    const buda_pair mine = buda_tile_dim(queue->queue->tile_dim);
    const buda_pair other = buda_tile_dim(producer->tile_dim);
    // Compared with defaults: an absent tile_dim is 32x32.
    if (mine.r != other.r || mine.c != other.c) {
        const bool written = buda_has(queue->queue->tile_dim.pos);
        buda_report(diag, BUDA_013, written ? queue->queue->tile_dim.pos : queue->queue->name.pos,
                    "queue '%.*s' has tile_dim [%" PRId64 ", %" PRId64
                    "], op '%.*s' that feeds it has [%" PRId64 ", %" PRId64 "]",
                    HOIST_STR_ARGS(queue->queue->name.text), mine.r, mine.c,
                    HOIST_STR_ARGS(producer->name.text), other.r, other.c);
    }
}

// Counts per name once, so that each queue looks its producer's count up.
static hoist_status check_queues(const buda_check *check)
{
    const buda_net *net = check->net;
    // How many ops have the name of the op that the name finds; by its index.
    uint32_t *same_name = hoist_arena_array(check->scratch, net->op_count, sizeof(same_name[0]));
    HOIST_TRY_MEMORY(same_name);
    for (size_t i = 0; i < net->op_count; i++) {
        size_t first = i;
        // The map holds the first of duplicates.
        if (hoist_map_find(&net->op_names, net->ops[i].name, &first)) {
            same_name[first]++;
        }
    }
    for (size_t i = 0; i < net->queue_count; i++) {
        buda_frames frames;
        buda_enter_queue(check->diag, &frames, net->queues[i].queue);
        check_input(check->diag, net, i);
        check_producer(check->diag, net, i, same_name);
        buda_leave(check->diag, &frames);
    }
    return HOIST_OK;
}

// Inputs of ops -----------------------------------------------------------------------------------

// Rule 11, once for all copies that lack it.
static void check_source(hoist_diag *diag, const buda_net *net, size_t index, size_t input)
{
    const buda_net_op *op = &net->ops[index];
    const buda_net_op *before = previous_copy(net, index);
    const buda_name *name = &op->op->inputs.items[input];
    if (op->inputs[input].kind != BUDA_SOURCE_NONE ||
        (before && before->inputs[input].kind == BUDA_SOURCE_NONE)) {
        return;
    }
    buda_report(diag, BUDA_011, name->pos, "input '%.*s' of op '%.*s' is neither a queue nor an op",
                HOIST_STR_ARGS(name->text), HOIST_STR_ARGS(op->op->name.text));
}

// True when `input` is an op of another graph that `op` may not read. Ops of the same graph are
// always in its own epoch.
static bool is_wrong_cross(const buda_net *net, const buda_net_op *op, size_t input)
{
    if (op->inputs[input].kind != BUDA_SOURCE_OP) {
        return false;
    }
    const size_t other = net->ops[op->inputs[input].index].graph;
    return net->graphs[other].temporal != net->graphs[op->graph].temporal;
}

// Rule 58: the other graph runs at another time, so its op's output is gone.
static void check_cross(const buda_check *check, size_t index, size_t input)
{
    const buda_net *net = check->net;
    const buda_net_op *op = &net->ops[index];
    const buda_net_op *before = previous_copy(net, index);
    if (!is_wrong_cross(net, op, input) || (before && is_wrong_cross(net, before, input))) {
        return;
    }
    const buda_net_op *source = &net->ops[op->inputs[input].index];
    buda_report(check->diag, BUDA_058, op->op->inputs.items[input].pos,
                "op '%.*s' reads op '%.*s' of graph '%.*s'; expected a graph of the same temporal "
                "epoch",
                HOIST_STR_ARGS(op->op->name.text), HOIST_STR_ARGS(source->op->name.text),
                HOIST_STR_ARGS(net->graphs[source->graph].graph->name.text));
}

// Input counts ------------------------------------------------------------------------------------

// A queue has one input_count, that of the last graph that reads it (a graph that only feeds it
// decides where none reads it, and then nothing can differ). Rams may differ. Rule 15. The
// comparison is with the last reader, so that one odd graph gives one finding per input and not
// one per pair.
static void check_input_count(const buda_check *check, const buda_net_op *op, size_t input)
{
    const buda_net *net = check->net;
    if (op->inputs[input].kind != BUDA_SOURCE_QUEUE) {
        return;
    }
    const buda_net_queue *queue = &net->queues[op->inputs[input].index];
    const buda_graph *mine = net->graphs[op->graph].graph;
    if (!buda_has(queue->queue->type.pos) || queue->queue->type.value != BUDA_QUEUE ||
        queue->consumer_count == 0 || !buda_has(mine->input_count.pos)) {
        return;
    }
    const size_t last = queue->consumers[queue->consumer_count - 1];
    const buda_graph *other = net->graphs[net->ops[last].graph].graph;
    if (buda_has(other->input_count.pos) && other->input_count.value != mine->input_count.value) {
        buda_report(check->diag, BUDA_015, op->op->inputs.items[input].pos,
                    "graph '%.*s' has input_count %" PRId64
                    ", graph '%.*s', which reads queue '%.*s' as well, has %" PRId64,
                    HOIST_STR_ARGS(mine->name.text), mine->input_count.value,
                    HOIST_STR_ARGS(other->name.text), HOIST_STR_ARGS(queue->queue->name.text),
                    other->input_count.value);
    }
}

// Values below 1; a missing key is the reader's.
static void check_graph_counts(const buda_check *check)
{
    for (size_t i = 0; i < check->module->graph_count; i++) {
        const buda_graph *graph = &check->module->graphs[i];
        if (!buda_has(graph->input_count.pos) || graph->input_count.value >= 1) {
            continue;
        }
        buda_frames frames;
        buda_enter_graph(check->diag, &frames, graph);
        buda_report(check->diag, BUDA_015, graph->input_count.pos,
                    "input_count of graph '%.*s' is %" PRId64 ", expected 1 or more",
                    HOIST_STR_ARGS(graph->name.text), graph->input_count.value);
        buda_leave(check->diag, &frames);
    }
}

// Tilizers ----------------------------------------------------------------------------------------

// Rule 91 concerns ublocks of more than one row of tiles.
static void check_tilizer(const buda_check *check, const buda_net_op *op)
{
    if (op->op->op != HOIST_OP_TILIZER || op->op->inputs.count == 0 ||
        op->inputs[0].kind != BUDA_SOURCE_QUEUE || !buda_has(op->op->ublock.pos)) {
        return;
    }
    const buda_queue *queue = check->net->queues[op->inputs[0].index].queue;
    const buda_pair in = queue->ublock;
    const buda_pair out = op->op->ublock;
    if (!buda_has(in.pos) || (in.r <= 1 && out.r <= 1) || (in.r == out.r && in.c == out.c)) {
        return;
    }
    buda_report(check->diag, BUDA_091, out.pos,
                "tilizer '%.*s' has ublock [%" PRId64 ", %" PRId64
                "], its input queue '%.*s' has [%" PRId64 ", %" PRId64
                "], expected equal ones with more than one row",
                HOIST_STR_ARGS(op->op->name.text), out.r, out.c, HOIST_STR_ARGS(queue->name.text),
                in.r, in.c);
}

// Sources of copies may differ from device to device, counts and shapes may not.
static void check_op(const buda_check *check, size_t index)
{
    const buda_net_op *op = &check->net->ops[index];
    const bool first = previous_copy(check->net, index) == NULL;
    for (size_t i = 0; i < op->op->inputs.count; i++) {
        check_source(check->diag, check->net, index, i);
        check_cross(check, index, i);
        if (first) {
            check_input_count(check, op, i);
        }
    }
    if (first) {
        check_tilizer(check, op);
    }
}

// Queues first, then ops: the order of findings is that of locations in any case.
hoist_status buda_check_links(const buda_structure *s)
{
    const buda_check *check = s->check;
    const buda_net *net = check->net;
    HOIST_TRY(check_queues(check));
    check_graph_counts(check);
    for (size_t i = 0; i < net->op_count; i++) {
        buda_frames frames;
        buda_enter_op(check->diag, &frames, net->graphs[net->ops[i].graph].graph, net->ops[i].op);
        check_op(check, i);
        buda_leave(check->diag, &frames);
    }
    return HOIST_OK;
}
