// formats/buda/check_output.c - rules of what an op writes to: the queue of an untilized output,
// the ram of a gradient, the channels of an ethernet copy.
//
// Facts: buda-netlist reference section 5.3 (rules 39, 46b and 62).
// In: views of ops, whose node has the queues and ops that read the output.
#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/frames.h"
#include "formats/buda/op_view.h"

// Rule 39a: untilized outputs are plain rows, which the packer writes for one queue of one core.

// Block floats are refused; Int8 and Int32 are allowed on devices after grayskull.
static void check_untilized_format(const buda_op_view *view)
{
    static const buda_df floats[] = {BUDA_FLOAT16, BUDA_FLOAT16_B, BUDA_FLOAT32};
    static const buda_df integers[] = {BUDA_INT8, BUDA_INT32};
    const buda_df df = view->out_df;
    const bool integer_ok =
        view->check->arch != BUDA_GRAYSKULL && buda_df_in(df, integers, HOIST_COUNT_OF(integers));
    if (df == BUDA_DF_NONE || integer_ok || buda_df_in(df, floats, HOIST_COUNT_OF(floats))) {
        return;
    }
    buda_report_op(view, BUDA_039a, view->op->out_df.pos,
                   "has untilize_output and out_df %s, expected Float16, Float16_b or Float32%s",
                   buda_df_name(df), view->check->arch == BUDA_GRAYSKULL ? "" : ", Int8 or Int32");
}

// Attributes and keys of the op itself that make untilizing impossible.
static void check_untilized_kernel(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    if (view->op->ublock_order.value == BUDA_ORDER_C) {
        buda_report_op(view, BUDA_039a, view->op->ublock_order.pos,
                       "has untilize_output and ublock_order c, expected r");
    }
    if (view->family == HOIST_FAMILY_MATMUL && view->m_k > 1) {
        buda_report_op(
            view, BUDA_039a, buda_attr_pos(attributes, HOIST_ATTR_M_K, view->op->name.pos),
            "is a matmul with untilize_output and m_k %lld, expected 1", (long long)view->m_k);
    }
    if (view->family == HOIST_FAMILY_REDUCE && buda_attr_is(attributes, HOIST_ATTR_DIM, "z")) {
        buda_report_op(view, BUDA_039a, view->op->untilize_output.pos,
                       "reduces z and has untilize_output, it can have one of them");
    }
}

// Findings at the queue, since that is what has to change.
static void check_untilized_queue(const buda_op_view *view, const buda_net_queue *queue)
{
    const buda_pair grid = queue->queue->grid_size;
    if (buda_has(grid.pos) && (grid.r != 1 || grid.c != 1)) {
        buda_report(view->check->diag, BUDA_039a, grid.pos,
                    "queue '%.*s' of untilized op '%.*s' has grid [%lld, %lld], expected [1, 1]",
                    HOIST_STR_ARGS(queue->queue->name.text), HOIST_STR_ARGS(view->op->name.text),
                    (long long)grid.r, (long long)grid.c);
    }
    if (queue->consumer_count > 0) { // rows of a matrix are no tiles for an op
        const buda_net_op *reader = &view->check->net->ops[queue->consumers[0]];
        buda_report(view->check->diag, BUDA_039a, queue->queue->name.pos,
                    "queue '%.*s' holds the untilized output of '%.*s', op '%.*s' cannot read it",
                    HOIST_STR_ARGS(queue->queue->name.text), HOIST_STR_ARGS(view->op->name.text),
                    HOIST_STR_ARGS(reader->op->name.text));
    }
}

// Findings about readers name the first one only.
static void check_untilized(const buda_op_view *view)
{
    const buda_net_op *node = view->node;
    const buda_bool untilize = view->op->untilize_output;
    if (!untilize.value) {
        return;
    }
    check_untilized_format(view);
    check_untilized_kernel(view);
    if (node->out_queue_count != 1) { // exactly one queue, and no op
        buda_report_op(view, BUDA_039a, untilize.pos,
                       "has untilize_output and feeds %zu %s, expected exactly 1",
                       node->out_queue_count,
                       hoist_plural(node->out_queue_count, "queue", "queues"));
    }
    if (node->out_op_count > 0) {
        const buda_net_op *reader = &view->check->net->ops[node->out_ops[0]];
        buda_report_op(view, BUDA_039a, untilize.pos,
                       "has untilize_output, op '%.*s' cannot read it",
                       HOIST_STR_ARGS(reader->op->name.text));
    }
    for (size_t i = 0; i < node->out_queue_count; i++) {
        check_untilized_queue(view, &view->check->net->queues[node->out_queues[i]]);
    }
}

// Rule 46b: the ram of a gradient: the op reads it, adds to it and writes it back, block by block.

static void check_gradient_block(const buda_op_view *view, const buda_queue *queue)
{
    const buda_op *op = view->op;
    // Grid, t, mblock and ublock of both are the same.
    if (!buda_pairs_equal(op->grid_size, queue->grid_size) ||
        !buda_pairs_equal(op->mblock, queue->mblock) ||
        !buda_pairs_equal(op->ublock, queue->ublock) || op->t.value != queue->t.value) {
        buda_report(view->check->diag, BUDA_046b, queue->name.pos,
                    "ram '%.*s' of gradient op '%.*s' has another grid, t, mblock or ublock, "
                    "expected the op's",
                    HOIST_STR_ARGS(queue->name.text), HOIST_STR_ARGS(op->name.text));
    }
    if (queue->input_tms.count > 0) {
        buda_report(view->check->diag, BUDA_046b, queue->input_tms.pos,
                    "ram '%.*s' of gradient op '%.*s' has input_tms, expected none",
                    HOIST_STR_ARGS(queue->name.text), HOIST_STR_ARGS(op->name.text));
    }
}

// A variable may be true in some run; only a value that is certainly false is reported.
static bool may_be_true(buda_token token)
{
    return hoist_str_contains(token.text, "$") ||
           (buda_has(token.pos) && (hoist_str_equal_nocase(token.text, HOIST_STR("true")) ||
                                    hoist_str_equal(token.text, HOIST_STR("1"))));
}

// One ram and nothing else: the accumulated value has one place.
static void check_gradient(const buda_op_view *view)
{
    const buda_net_op *node = view->node;
    if (!view->gradient) {
        return;
    }
    if (node->out_queue_count != 1 || node->out_op_count != 0) {
        buda_report_op(view, BUDA_046b, view->op->gradient_op.pos,
                       "is a gradient and feeds %zu %s and %zu %s, expected exactly one ram",
                       node->out_queue_count,
                       hoist_plural(node->out_queue_count, "queue", "queues"), node->out_op_count,
                       hoist_plural(node->out_op_count, "op", "ops"));
    }
    for (size_t i = 0; i < node->out_queue_count; i++) {
        const buda_queue *queue = view->check->net->queues[node->out_queues[i]].queue;
        if (queue->type.value == BUDA_QUEUE) { // an unknown type is the reader's finding
            buda_report_op(view, BUDA_046b, queue->type.pos,
                           "is a gradient and feeds queue '%.*s', expected a ram",
                           HOIST_STR_ARGS(queue->name.text));
        }
        check_gradient_block(view, queue);
    }
}

// Only executes of the graph that the gradient is in write the ram. Settings of the same ram in
// executes of other graphs read it.
static void check_execute_settings(const buda_check *c, const buda_instr *instr,
                                   const hoist_map *rams)
{
    static const buda_setting_key keys[] = {BUDA_S_PROLOGUE, BUDA_S_EPILOGUE};
    for (size_t i = 0; i < instr->setting_count; i++) {
        const buda_setting *setting = &instr->settings[i];
        size_t index = 0;
        if (!hoist_map_find(rams, setting->queue.text, &index)) {
            continue;
        }
        const buda_net_op *op = &c->net->ops[index]; // the producer of the ram
        const buda_name *graph = &c->net->graphs[op->graph].graph->name;
        for (size_t k = 0; k < 2 && hoist_str_equal(instr->graph.text, graph->text); k++) {
            const buda_token token = setting->fields[keys[k]];
            if (!may_be_true(token)) {
                buda_report(c->diag, BUDA_046b,
                            buda_has(token.pos) ? token.pos : setting->queue.pos,
                            "%s of ram '%.*s' is not true, expected true for gradient op '%.*s'",
                            k == 0 ? "prologue" : "epilogue", HOIST_STR_ARGS(setting->queue.text),
                            HOIST_STR_ARGS(op->op->name.text));
            }
        }
    }
}

// The rams of gradients, by the name that the file has, with their producers. The first copy of a
// list form stands for all: settings name the ram as written.
static hoist_status collect_gradient_rams(const buda_check *c, hoist_map *rams)
{
    for (size_t i = 0; i < c->net->queue_count; i++) {
        const buda_net_queue *queue = &c->net->queues[i];
        if (queue->producer != BUDA_NO_INDEX &&
            c->net->ops[queue->producer].op->gradient_op.value) {
            const hoist_status status =
                hoist_map_add(rams, queue->queue->name.text, queue->producer, NULL);
            if (status != HOIST_OK && status != HOIST_BUSY) {
                return status;
            }
        }
    }
    return HOIST_OK;
}

// Over the module's programs and not over the net: a setting is checked once, however many copies
// it has.
hoist_status buda_check_gradient_settings(const buda_check *c)
{
    hoist_map rams;
    hoist_map_init(&rams, c->scratch->alloc);
    const hoist_status status = collect_gradient_rams(c, &rams);
    for (size_t p = 0; p < c->module->program_count && status == HOIST_OK; p++) {
        const buda_program *program = &c->module->programs[p];
        buda_frames frames;
        buda_enter_program(c->diag, &frames, program);
        for (size_t i = 0; i < program->count; i++) {
            if (program->instrs[i].kind == BUDA_I_EXECUTE) {
                check_execute_settings(c, &program->instrs[i], &rams);
            }
        }
        buda_leave(c->diag, &frames);
    }
    hoist_map_deinit(&rams);
    return status;
}

// Rule 62: ethernet channels: as many in as out, one per core; with a cluster descriptor also
// linked.

// A link works in both directions, so both of its ends are tried.
static bool cluster_links(const buda_cluster *cluster, int64_t from, int64_t channel, int64_t to)
{
    for (size_t i = 0; i < cluster->link_count; i++) {
        const buda_link *link = &cluster->links[i];
        for (int end = 0; end < 2; end++) {
            if (link->chip[end] == from && link->channel[end] == channel &&
                (to < 0 || link->chip[1 - end] == to)) {
                return true;
            }
        }
    }
    return false;
}

// A list of channels of the op's own chip; `to` is the chip that they must lead to, -1 for any.
static void check_channel_links(const buda_op_view *view, const buda_attribute *channels,
                                int64_t to)
{
    const int64_t device = view->graph->device;
    for (size_t i = 0; channels && i < channels->ints.count; i++) {
        const buda_int channel = channels->ints.items[i];
        if (!cluster_links(view->check->cluster, device, channel.value, to)) {
            buda_report_op(view, BUDA_062b, channel.pos,
                           "uses ethernet channel %lld of chip %lld, which is not linked%s",
                           (long long)channel.value, (long long)device,
                           to < 0 ? " in the cluster" : " to its dest_device");
        }
    }
}

// Nothing is known without a descriptor (section 7.3).
static void check_ethernet_cluster(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const buda_attribute *dest = buda_attr_find(attributes, HOIST_ATTR_DEST_DEVICE);
    if (!view->check->cluster) {
        return;
    }
    if (dest && !buda_cluster_has_chip(view->check->cluster, dest->integer)) {
        buda_report_op(view, BUDA_062b, dest->pos,
                       "has dest_device %lld, expected a chip of the cluster",
                       (long long)dest->integer);
        return; // links to an unknown chip do not exist
    }
    // Egress channels lead to dest_device. Ingress channels are not compared with the cluster.
    check_channel_links(view, buda_attr_find(attributes, HOIST_ATTR_EGRESS_CHANNELS),
                        dest ? dest->integer : -1);
}

// Ops that list no channels at all are not checked.
static void check_ethernet_lists(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const buda_attribute *in = buda_attr_find(&op->attributes, HOIST_ATTR_INGRESS_CHANNELS);
    const buda_attribute *out = buda_attr_find(&op->attributes, HOIST_ATTR_EGRESS_CHANNELS);
    const size_t ingress = in ? in->ints.count : 0;
    const size_t egress = out ? out->ints.count : 0;
    uint64_t cores = 0;
    if (!in && !out) {
        return;
    }
    if (ingress != egress) {
        buda_report_op(view, BUDA_062a, out ? out->pos : in->pos,
                       "has %zu ingress and %zu egress %s, expected as many of both", ingress,
                       egress, hoist_plural(egress, "channel", "channels"));
    }
    if (!buda_has(op->grid_size.pos) ||
        hoist_ckd_mul(&cores, (uint64_t)op->grid_size.r, (uint64_t)op->grid_size.c)) {
        return;
    }
    if (ingress != cores) {
        buda_report_op(view, BUDA_062a, in ? in->pos : out->pos,
                       "has %zu ingress %s, expected one per core of its grid [%lld, %lld]",
                       ingress, hoist_plural(ingress, "channel", "channels"),
                       (long long)op->grid_size.r, (long long)op->grid_size.c);
    }
}

// All ops; ethernet rules for ethernet_datacopy alone.
static const buda_op_check checks[] = {
    {0, check_untilized},
    {0, check_gradient},
    {BUDA_FAMILY(ETHERNET), check_ethernet_lists},
    {BUDA_FAMILY(ETHERNET), check_ethernet_cluster},
};

void buda_check_op_outputs(const buda_op_view *view)
{
    buda_op_checks_run(checks, HOIST_COUNT_OF(checks), view);
}
