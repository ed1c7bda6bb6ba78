// A group of graphs as a function that handles one input: each queue is read once, ops follow in
// order, each result goes to all queues that it feeds, and read pointers step at the end
// (buda-ops reference sections 4.1 and 4.2).
// In: a group of group.c. Out: one function of the builder per group, with the varying amounts as
// parameters.
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/frames.h"
#include "formats/buda/program.h"
#include "lower/buda/state.h"

// Unknown types were refused by check; they count as queues here.
static bool is_ram(const buda_lower_job *l, size_t queue)
{
    return l->net.queues[queue].queue->type.value == BUDA_RAM;
}

// Zeros when a dimension is unknown: such a queue has no fifo (memory.c).
static hoist_tile_shape entry_shape(const buda_queue *queue)
{
    buda_shape shape = {0};
    (void)buda_shape_of_queue(queue, &shape);
    return (hoist_tile_shape){(uint64_t)shape.z, (uint64_t)shape.r, (uint64_t)shape.c};
}

// A step on the fifo of a queue, in the function of the graphs.
static void fifo_step(const buda_lower_code *c, hoist_step_kind kind, size_t queue,
                      hoist_prog_value value)
{
    hoist_prog_step step = buda_lower_step(c, kind);
    step.as.fifo.fifo = c->l->fifos[queue];
    step.as.fifo.value = value;
    (void)hoist_builder_step(c->l->c.b, &step);
}

// The view of a slot has the queue's own type and layout: the move converts.
static buda_lower_value slot_view(buda_lower_job *l, size_t queue, hoist_view_base base)
{
    const buda_queue *written = l->net.queues[queue].queue;
    buda_lower_value slot = {HOIST_NO_REF, entry_shape(written)};
    if (l->fifos[queue] != HOIST_NO_REF) {
        slot.view = hoist_builder_view(
            l->c.b, &(hoist_prog_view){.base = base,
                                       .of = l->fifos[queue],
                                       .dtype = buda_formats[written->df.value].dtype,
                                       .layout = l->layouts[queue],
                                       .reg = HOIST_NO_REF});
    }
    return slot;
}

// Notes the storage that the group writes: what it reads there may change under it. read_queue()
// copies those entries first.
static void note_written(buda_lower_job *l, const buda_lower_group *group)
{
    for (size_t i = 0; i < group->use_count; i++) {
        if (group->uses[i].flags & (BUDA_USE_WRITTEN | BUDA_USE_GRADIENT)) {
            l->written_in[l->storage[group->uses[i].queue]] = 1 + (size_t)(group - l->groups);
        }
    }
}

// The entry of `queue` that this input has: the same view for all ops of the group.
static buda_lower_value read_queue(buda_lower_code *c, size_t queue)
{
    buda_lower_job *l = c->l;
    const size_t stamp = 1 + (size_t)(c->group - l->groups);
    if (l->read_in[queue] == stamp) { // cached for this group only
        return l->reads[queue];
    }
    buda_lower_value slot = slot_view(l, queue, HOIST_VIEW_READ_SLOT);
    if (slot.view != HOIST_NO_REF) {
        // A ram is never empty, a queue is awaited.
        if (!is_ram(l, queue)) {
            fifo_step(c, HOIST_STEP_AWAIT, queue, hoist_lower_number(0));
        }
        // The copy is made at the first read, before any op of the group writes.
        if (buda_lower_fits(l, slot.shape, l->net.queues[queue].queue->name.pos, "the entry") &&
            l->written_in[l->storage[queue]] == stamp) {
            const buda_lower_value copy = buda_lower_tensor(c, slot.shape, HOIST_LIFETIME_CALL);
            buda_lower_move(c, slot, NULL, copy.view);
            slot = copy;
        }
    }
    l->reads[queue] = slot;
    l->read_in[queue] = stamp;
    return slot;
}

// A queue's slot, or the result of an op that comes before in buda_lower_order().
static buda_lower_value read_source(buda_lower_code *c, size_t i)
{
    const buda_source source = c->node->inputs[i];
    const buda_lower_job *l = c->l;
    switch (source.kind) {
    case BUDA_SOURCE_QUEUE:
        return buda_lower_owner(c->l, c->group, source.index) == c->group
                   ? read_queue(c, source.index)
                   : buda_lower_receive(c, buda_lower_queue_source(l, source.index));
    case BUDA_SOURCE_OP:
        // Within the group results are temporaries of one call; other groups run at another time.
        if (&l->groups[l->group_of[l->net.ops[source.index].graph]] == c->group) {
            return l->results[source.index];
        }
        if (l->groups[l->group_of[l->net.ops[source.index].graph]].cluster == c->group->cluster) {
            return buda_lower_receive(c, source.index);
        }
        buda_lower_refuse(c->l, RUN_003, buda_input_pos(c->view.op, i),
                          "op '%.*s' reads an op of a graph that runs at another time",
                          HOIST_STR_ARGS(c->label));
        return buda_lower_none();
    case BUDA_SOURCE_NONE:
        break;
    }
    buda_lower_refuse(c->l, RUN_003, buda_input_pos(c->view.op, i),
                      "input %zu of op '%.*s' does not exist", i, HOIST_STR_ARGS(c->label));
    return buda_lower_none();
}

// Input `i` as the op sees it: unpad, TMs and pad in one move; then it is rounded and transposed
// within tiles. The order is that of the golden model: moves do not change numbers, the rounding
// does.
static buda_lower_value read_input(buda_lower_code *c, size_t i)
{
    buda_lower_value value = read_source(c, i);
    const buda_input_keys *keys = buda_input_keys_find(c->view.op->input_keys, i);
    buda_lower_table table = buda_lower_table_of(value.shape);
    if (value.view == HOIST_NO_REF) {
        return value;
    }
    char what[64]; // for findings of TMs
    (void)snprintf(what, sizeof what, "input %zu", i);
    if (keys &&
        ((buda_has(keys->unpad.pos) && !buda_lower_table_unpad(c->l, &table, &keys->unpad, what)) ||
         !buda_lower_table_tms(c->l, &table, &keys->tms, what) ||
         (buda_has(keys->pad.pos) && !buda_lower_table_pad(c->l, &table, &keys->pad, what)))) {
        return buda_lower_none();
    }
    value = buda_lower_moved(c, value, &table);
    buda_pair tile = buda_tile_dim((buda_pair){0}); // the source's own, before TMs
    (void)buda_source_tile(&c->view, i, &tile);
    const buda_df label = buda_lower_input_label(c->l, c->node, i);
    value = buda_lower_rounded(c, value, buda_lower_input_rounding(c->l, label), tile);
    return table.transposed ? buda_lower_transposed(c, value) : value;
}

// Gradients -----------------------------------------------------------------------------------

// The amount that makes the op forget its sum; the number 0 where no queue has one. One parameter
// serves all queues of the op, which are one (rule 46b).
static hoist_prog_value fresh_of(const buda_lower_code *c)
{
    for (size_t i = 0; i < c->node->out_queue_count; i++) {
        const buda_lower_use *use = buda_lower_use_of(c->group, c->node->out_queues[i]);
        if (use && use->amounts[BUDA_LOWER_FRESH].varies) {
            return hoist_lower_register(use->amounts[BUDA_LOWER_FRESH].parameter);
        }
    }
    return hoist_lower_number(0);
}

// The target is set by the caller, when it is known.
static uint32_t branch(const buda_lower_code *c, hoist_prog_value a, hoist_compare compare)
{
    hoist_prog_step step = buda_lower_step(c, HOIST_STEP_BRANCH);
    step.as.branch.a = a;
    step.as.branch.b = hoist_lower_number(0);
    step.as.branch.compare = compare;
    return hoist_builder_step(c->l->c.b, &step);
}

// The new result plus `sum`, the last one of this op in this session; the new one alone when the
// queue was zeroed (section 4.2, step 4). Both ways end in the buffer of `total`, so that what
// follows has one operand.
static buda_lower_value accumulate(buda_lower_code *c, buda_lower_value result,
                                   buda_lower_value sum)
{
    hoist_builder *b = c->l->c.b;
    const hoist_prog_value fresh = fresh_of(c);
    if (fresh.reg == HOIST_NO_REF) {
        return buda_lower_compute2(c, HOIST_GOLDEN_ADD, sum, result);
    } // no queue is ever zeroed
    const uint32_t is_fresh = branch(c, fresh, HOIST_CMP_NE);
    const buda_lower_value total = buda_lower_compute2(c, HOIST_GOLDEN_ADD, sum, result);
    const uint32_t done = branch(c, hoist_lower_number(0), HOIST_CMP_EQ);
    hoist_builder_set_target(b, is_fresh, hoist_builder_next_step(b));
    buda_lower_move(c, result, NULL, total.view);
    hoist_builder_set_target(b, done, hoist_builder_next_step(b));
    return total;
}

// Outputs -------------------------------------------------------------------------------------

static bool is_same_shape(hoist_tile_shape a, hoist_tile_shape b)
{
    return a.z == b.z && a.rows == b.rows && a.cols == b.cols;
}

// The result in a queue of another format. Numerics 'device' has no such step: the packer writes
// one format.
static buda_lower_value converted(buda_lower_code *c, buda_lower_value result,
                                  const buda_queue *written)
{
    if (buda_lower_numerics(c->l) == HOIST_NUMERICS_DEVICE) {
        buda_lower_refuse(c->l, RUN_045, c->view.op->name.pos,
                          "op '%.*s' gives %.*s, its queue '%.*s' has %.*s",
                          HOIST_STR_ARGS(c->label), HOIST_STR_ARGS(c->view.op->out_df.text),
                          HOIST_STR_ARGS(written->name.text), HOIST_STR_ARGS(written->df.text));
    }
    return buda_lower_declared(c, result, (buda_df)written->df.value);
}

// TMs of the queue, space for an entry, the move, the push: all parts of the queue at once.
static void push_result(buda_lower_code *c, buda_lower_value result, size_t queue)
{
    buda_lower_job *l = c->l;
    const buda_queue *written = l->net.queues[queue].queue;
    const buda_lower_value slot = slot_view(l, queue, HOIST_VIEW_WRITE_SLOT);
    buda_lower_table table = buda_lower_table_of(result.shape);
    if (result.view == HOIST_NO_REF || slot.view == HOIST_NO_REF ||
        !buda_lower_table_tms(l, &table, &written->input_tms, "the queue's input")) {
        return;
    }
    if (table.transposed || !is_same_shape(table.shape, slot.shape)) {
        buda_lower_refuse(l, RUN_003, c->view.op->name.pos,
                          "op '%.*s' gives %llu x %llu x %llu tiles, its queue '%.*s' has "
                          "%llu x %llu x %llu",
                          HOIST_STR_ARGS(c->label), (unsigned long long)table.shape.z,
                          (unsigned long long)table.shape.rows,
                          (unsigned long long)table.shape.cols, HOIST_STR_ARGS(written->name.text),
                          (unsigned long long)slot.shape.z, (unsigned long long)slot.shape.rows,
                          (unsigned long long)slot.shape.cols);
        return;
    }
    if (written->df.value != c->view.op->out_df.value) {
        result = converted(c, result, written);
    }
    if (!is_ram(l, queue)) { // waits while all slots are full
        fifo_step(c, HOIST_STEP_RESERVE, queue, hoist_lower_number(0));
    }
    buda_lower_move(c, result, &table, slot.view);
    // Queues are pushed by 1, rams by their setting's step.
    const buda_lower_amount *step =
        &buda_lower_use_of(c->group, queue)->amounts[BUDA_LOWER_WRITE_STEP];
    fifo_step(c, HOIST_STEP_PUSH, queue,
              step->varies ? hoist_lower_register(step->parameter)
                           : hoist_lower_number(step->number));
}

// The result as the reference makes it, after relu, in its format; of a gradient op with the sum of
// the session, `*out_sum`. Order of roundings: sum to acc_df, relu, out_df; the reference's own
// rounding comes last.
static buda_lower_value finished(buda_lower_code *c, const buda_lower_value *inputs,
                                 buda_lower_value *out_sum)
{
    const buda_op *op = c->view.op;
    buda_lower_value result = buda_lower_op(c, inputs);
    if (op->gradient_op.value && result.view != HOIST_NO_REF) {
        *out_sum = buda_lower_tensor(c, result.shape, HOIST_LIFETIME_SESSION);
        result = accumulate(c, result, *out_sum);
    }
    result = buda_lower_sums(c, result);
    if (op->op != HOIST_OP_FUSED) { // each sub-op has its own relu
        result = buda_lower_relu(c, &op->attributes, result);
    }
    result = buda_lower_declared(c, result, c->view.out_df);
    return buda_lower_rounded(c, result, buda_lower_output_rounding(op),
                              buda_tile_dim(op->tile_dim));
}

// A failed input leaves the op without a result; ops that read it give none, without another
// finding.
static buda_lower_value on_device(buda_lower_code *c, const buda_lower_value *inputs)
{
    if (c->view.family != HOIST_FAMILY_FUSED) {
        return buda_lower_device(c, inputs);
    }
    return buda_lower_device_has(c) ? buda_lower_fused(c, inputs) : buda_lower_none();
}

static void lower_op(buda_lower_code *c)
{
    // Work is attributed in three parts: inputs, the op itself, outputs.
    const buda_lower_op_work work = buda_lower_work_of(c);
    buda_lower_value inputs[BUDA_MAX_INPUTS];
    buda_lower_begin_inputs(c, &work);
    for (size_t i = 0; i < c->view.input_count; i++) {
        inputs[i] = read_input(c, i);
        if (inputs[i].view == HOIST_NO_REF) {
            c->l->results[c->op] = buda_lower_none();
            return;
        }
    }
    const uint32_t begin = hoist_builder_next_step(c->l->c.b);
    buda_lower_value sum = buda_lower_none();
    buda_lower_begin_work(c, &work);
    const buda_lower_value result = buda_lower_numerics(c->l) == HOIST_NUMERICS_DEVICE
                                        ? on_device(c, inputs)
                                        : finished(c, inputs, &sum);
    if (sum.view != HOIST_NO_REF && result.view != HOIST_NO_REF) { // for the next execute
        buda_lower_move(c, result, NULL, sum.view);
    }
    c->l->results[c->op] = result;
    for (size_t i = 0; i < c->node->out_queue_count; i++) {
        push_result(c, result, c->node->out_queues[i]);
    }
    buda_lower_send(c, c->op, result);
    buda_lower_end_work(c, begin);
}

// Functions -----------------------------------------------------------------------------------

// Everything that steps of one op have in common.
static buda_lower_code code_of(buda_lower_job *l, buda_lower_group *group, size_t op)
{
    const buda_net_op *node = &l->net.ops[op];
    const buda_net_graph *graph = &l->net.graphs[node->graph];
    return (buda_lower_code){.l = l,
                             .group = group,
                             .op = op,
                             .node = node,
                             .view = buda_op_view_of(&l->check, graph, node),
                             .space = buda_lower_l1(l, graph->device),
                             .loc = hoist_loc_pos(node->op->name.pos),
                             .label = node->name};
}

// In the order of order.c, with progress and object paths.
static void lower_ops(buda_lower_job *l, buda_lower_group *group)
{
    size_t *ops = NULL;
    size_t count = 0;
    if (!buda_lower_order(l, group, &ops, &count)) {
        return;
    }
    for (size_t i = 0; i < count && l->c.status == HOIST_OK; i++) {
        buda_lower_code c = code_of(l, group, ops[i]);
        hoist_lower_count(&l->c);
        buda_frames frames;
        buda_enter_op(l->c.diag, &frames, c.view.graph->graph, c.view.op);
        lower_op(&c);
        buda_leave(l->c.diag, &frames);
    }
}

// Entries of this input that groups on other chips read, too: before any op, so that none of them
// waits for what this one computes.
static void send_queues(buda_lower_job *l, buda_lower_group *group)
{
    for (size_t i = 0; i < group->use_count; i++) {
        const size_t queue = group->uses[i].queue;
        const size_t source = buda_lower_queue_source(l, queue);
        if (!(group->uses[i].flags & BUDA_USE_READ) || !buda_lower_is_sent(l, group, source)) {
            continue;
        }
        buda_lower_code c = {.l = l,
                             .group = group,
                             .space = buda_lower_l1(l, l->units[group->unit].chip),
                             .loc = hoist_loc_pos(l->net.queues[queue].queue->name.pos),
                             .label = l->net.queues[queue].name};
        buda_lower_send(&c, source, read_queue(&c, queue));
    }
}

// Read pointers step when all reading is done: several ops may read one entry.
static void advance(buda_lower_job *l, buda_lower_group *group)
{
    for (size_t i = 0; i < group->use_count; i++) {
        const buda_lower_use *use = &group->uses[i];
        const buda_lower_amount *step = &use->amounts[BUDA_LOWER_READ_STEP];
        if (!(use->flags & BUDA_USE_READ) || (!step->varies && step->number == 0)) {
            continue;
        }
        // No op is at hand: location and label are the queue's.
        const buda_lower_code c = {.l = l,
                                   .loc = hoist_loc_pos(l->net.queues[use->queue].queue->name.pos),
                                   .label = l->net.queues[use->queue].name};
        fifo_step(&c, HOIST_STEP_ADVANCE, use->queue,
                  step->varies ? hoist_lower_register(step->parameter)
                               : hoist_lower_number(step->number));
    }
}

// True when an amount has to be a parameter: it varies, and the function has a step that uses it.
static bool is_needed(const buda_lower_job *l, const buda_lower_use *use,
                      buda_lower_amount_kind kind)
{
    if (!use->amounts[kind].varies) {
        return false;
    }
    switch (kind) {
    case BUDA_LOWER_READ_STEP:
        return use->flags & BUDA_USE_READ;
    case BUDA_LOWER_WRITE_STEP:
        return is_ram(l, use->queue) && (use->flags & (BUDA_USE_WRITTEN | BUDA_USE_GRADIENT));
    case BUDA_LOWER_FRESH:
        return use->flags & BUDA_USE_GRADIENT;
    case BUDA_LOWER_AMOUNT_COUNT:
        break;
    }
    return false;
}

// Numbers the amounts that vary; the others keep their number. The order is that of
// call_arguments().
static hoist_prog_parameter *add_parameters(buda_lower_job *l, buda_lower_group *group,
                                            uint32_t *out_count)
{
    static const char *const names[BUDA_LOWER_AMOUNT_COUNT] = {"step", "write_step", "fresh"};
    hoist_prog_parameter *parameters =
        hoist_lower_array(&l->c, group->use_count * BUDA_LOWER_AMOUNT_COUNT, sizeof *parameters);
    *out_count = 0;
    for (size_t i = 0; parameters && i < group->use_count; i++) {
        buda_lower_use *use = &group->uses[i];
        for (int kind = 0; kind < BUDA_LOWER_AMOUNT_COUNT; kind++) {
            buda_lower_amount *amount = &use->amounts[kind];
            amount->varies = is_needed(l, use, (buda_lower_amount_kind)kind);
            if (amount->varies) {
                amount->parameter = *out_count;
                parameters[(*out_count)++] = (hoist_prog_parameter){
                    .name =
                        hoist_lower_name(&l->c, l->net.queues[use->queue].name, ".%s", names[kind]),
                    .layout = HOIST_NO_REF};
            }
        }
    }
    return parameters;
}

// The function has the first graph's name: a group mostly has one.
void buda_lower_graph(buda_lower_job *l, buda_lower_group *group)
{
    const buda_net_graph *first = &l->net.graphs[group->graphs[0]];
    uint32_t parameter_count = 0;
    const hoist_prog_parameter *parameters = add_parameters(l, group, &parameter_count);
    if (l->c.status != HOIST_OK) {
        return;
    }
    note_written(l, group);
    group->function = hoist_builder_begin_function(
        l->c.b, &(hoist_prog_function){.name = first->name,
                                       .loc = hoist_loc_pos(first->graph->name.pos),
                                       .parameters = parameters,
                                       .parameter_count = parameter_count});
    send_queues(l, group);
    lower_ops(l, group);
    advance(l, group);
    buda_lower_release(l, group);
    hoist_builder_end_code(l->c.b);
}
