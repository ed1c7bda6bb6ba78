// The format label that a tensor carries in the reference: that of the op's first input, whatever
// out_df says (buda-ops reference section 0, surprise 3, and section 4.2). A label decides nothing
// but the rounding of the inputs of the op that reads it. In other numerics than the reference's it
// is the declared format.
// Out: l->labels, for function.c and device_source.c.
#include "lower/buda/state.h"

static const buda_df UNKNOWN = BUDA_DF_COUNT; // not labelled yet

// Formats to which the reference rounds on reading; wider ones keep their float32.
static bool is_small_block(buda_df df)
{
    return df == BUDA_BFP2 || df == BUDA_BFP2_B || df == BUDA_BFP4 || df == BUDA_BFP4_B;
}

// Float32 is relabelled where the first op of a Wormhole reads it.
static buda_df as_read(const buda_lower_job *l, buda_df label)
{
    const bool wormhole = l->net.arch == BUDA_WORMHOLE || l->net.arch == BUDA_WORMHOLE_B0;
    return wormhole && label == BUDA_FLOAT32 ? BUDA_TF32 : label;
}

// Labels follow ops in the reference's numerics only.
static bool is_reference(const buda_lower_job *l)
{
    return buda_lower_numerics(l) == HOIST_NUMERICS_REFERENCE;
}

buda_df buda_lower_input_rounding(const buda_lower_job *l, buda_df label)
{
    if (!is_reference(l)) {
        return BUDA_DF_NONE; // it was rounded when it was stored
    }
    const buda_df read = as_read(l, label);
    return read != label || is_small_block(label) ? read : BUDA_DF_NONE;
}

// Results are rounded to integers and to small block floats; all other formats are labels without
// effect.
buda_df buda_lower_output_rounding(const buda_op *op)
{
    const buda_df df = (buda_df)op->out_df.value;
    const bool to_int8 =
        op->op == HOIST_OP_QUANTIZATION || op->op == HOIST_OP_REQUANTIZATION ||
        (op->op == HOIST_OP_MATMUL && buda_attr_bool(&op->attributes, HOIST_ATTR_REQUANT));
    if (df != BUDA_INT8 && df != BUDA_INT32 && !is_small_block(df)) {
        return BUDA_DF_NONE;
    }
    return to_int8 ? BUDA_INT8 : df;
}

// The input whose label the result has; inputs.count: none of them, but out_df. The reference
// copies the label with the tensor object; these ops make a new one.
static size_t labelling_input(const buda_op *op)
{
    switch (op->op) {
    case HOIST_OP_SPLICE:
    case HOIST_OP_EMBEDDING:
        return op->inputs.count;
    case HOIST_OP_MATMUL:
        return buda_attr_bool(&op->attributes, HOIST_ATTR_IDENTITY) ? op->inputs.count : 0;
    case HOIST_OP_TOPK:
        return buda_attr_is(&op->attributes, HOIST_ATTR_SORT, "argmax") ? 1 : 0;
    default:
        return 0;
    }
}

// The op whose label is that of `source`; BUDA_NO_INDEX with the label in `*out_label` where no op
// decides.
static size_t labelling_op(const buda_lower_job *l, buda_source source, buda_df *out_label)
{
    const buda_net *net = &l->net;
    *out_label = BUDA_DF_NONE;
    if (source.kind == BUDA_SOURCE_OP) {
        return source.index;
    }
    if (source.kind == BUDA_SOURCE_QUEUE) {
        const buda_net_queue *queue = &net->queues[source.index];
        *out_label = (buda_df)queue->queue->df.value;
        return is_reference(l) ? queue->producer : BUDA_NO_INDEX; // a push by an op keeps its label
    }
    return BUDA_NO_INDEX;
}

// Labels go along a chain of first inputs: followed until one is known, then given backwards.
// `chain` has a place for every op, and each op is in one chain: the walk is linear over all
// calls.
static void label_chain(buda_lower_job *l, size_t op, size_t *chain)
{
    size_t length = 0;
    buda_df label = BUDA_DF_NONE;
    size_t next = op;
    while (next != BUDA_NO_INDEX && l->labels[next] == UNKNOWN) {
        const buda_net_op *node = &l->net.ops[next];
        const size_t input = labelling_input(node->op);
        l->labels[next] = BUDA_DF_NONE; // met again: a loop through a queue
        chain[length++] = next;
        next = BUDA_NO_INDEX;
        label = (buda_df)node->op->out_df.value;
        if (input < node->op->inputs.count) {
            next = labelling_op(l, node->inputs[input], &label);
        }
    }
    // The chain ended at an op whose label is known from an earlier chain.
    if (next != BUDA_NO_INDEX && l->labels[next] != BUDA_DF_NONE) {
        label = l->labels[next];
    }
    // Backwards, from the source to the op that was asked for.
    while (length > 0) {
        const size_t at = chain[--length];
        const buda_df rounding = buda_lower_output_rounding(l->net.ops[at].op);
        const bool inherited = labelling_input(l->net.ops[at].op) < l->net.ops[at].op->inputs.count;
        label = inherited ? as_read(l, label) : label; // the label changes where the op reads it
        label = rounding != BUDA_DF_NONE ? rounding : label;
        l->labels[at] = label;
    }
}

// In other numerics labels are declared formats, and nothing is followed.
hoist_status buda_lower_labels(buda_lower_job *l)
{
    const size_t count = l->net.op_count;
    size_t *chain = hoist_lower_array(&l->c, count, sizeof *chain);
    l->labels = hoist_lower_array(&l->c, count, sizeof *l->labels);
    if (l->c.status != HOIST_OK) {
        return l->c.status;
    }
    for (size_t i = 0; i < count; i++) {
        l->labels[i] = is_reference(l) ? UNKNOWN : (buda_df)l->net.ops[i].op->out_df.value;
    }
    for (size_t i = 0; is_reference(l) && i < count; i++) {
        label_chain(l, i, chain);
    }
    return HOIST_OK;
}

// The label of the op behind the queue where there is one, else the queue's own format.
buda_df buda_lower_input_label(const buda_lower_job *l, const buda_net_op *node, size_t i)
{
    buda_df label = BUDA_DF_NONE;
    const size_t op = labelling_op(l, node->inputs[i], &label);
    return op != BUDA_NO_INDEX && l->labels[op] != BUDA_DF_NONE ? l->labels[op] : label;
}
