// formats/buda/check_shape.c - rules of edges: TMs divide, every input has the shape and format
// that its op needs, every queue those of the op that feeds it.
//
// The shape that an op needs of its inputs is a function per family; 0 on an axis means that this
// axis is not checked, because the need depends on data (encodings, indices) or on more than one
// entry. Facts: buda-netlist reference sections 4.1 and 5.3 (rules 39b, 59 and 63), op reference
// section 5.
// In: the net and views of ops. check_fused.c calls in here for inputs of sub-ops.
#include "base/span.h"
#include "formats/buda/check.h"
#include "formats/buda/fused_view.h"
#include "formats/buda/shape.h"

// The facts that the needs of a kernel follow from, for ops and sub-ops alike.
typedef struct need_facts {
    buda_shape out; // of the kernel, in tiles
    hoist_op_family family;
    int64_t inner; // m_k * u_kt
    int64_t m_k;
    int64_t z; // slices that a reduction or accumulation takes together, 1 when none
    const buda_attributes *attributes;
    bool identity;
    const buda_tms *sub_op_tms; // of a fused op's input within it; NULL: none
} need_facts;

// Section 4.1. Identity: only the columns of input 1 are known, the rest depends on the encoding.
static buda_shape need_matmul(const need_facts *f, size_t i)
{
    const int64_t z = buda_shape_product(f->out.z, f->z);
    if (f->identity) {
        return (buda_shape){0, 0, i == 1 ? f->out.c : 0};
    }
    switch (i) {
    case 0:
        return (buda_shape){z, f->out.r, f->inner};
    case 1:
        return (buda_shape){z, f->inner, f->out.c};
    default: // bias and scales: any rows, or one that is repeated
        return (buda_shape){f->out.z, 0, f->out.c};
    }
}

// Input 0 has m_k blocks next to each other, input 1 one tile row per block.
static buda_shape need_depthwise(const need_facts *f, size_t i)
{
    switch (i) {
    case 0:
        return (buda_shape){f->out.z, f->out.r, buda_shape_product(f->m_k, f->out.c)};
    case 1:
        return (buda_shape){f->out.z, f->m_k > 0 ? f->m_k : 0, f->out.c};
    default:
        return (buda_shape){f->out.z, 0, f->out.c};
    }
}

// The reduced axis is longer in the input: by m_k*u_kt tiles for r and c, by z slices for z.
static buda_shape need_reduce(const need_facts *f)
{
    if (buda_attr_is(f->attributes, HOIST_ATTR_DIM, "r")) {
        return (buda_shape){f->out.z, f->inner, f->out.c};
    }
    if (buda_attr_is(f->attributes, HOIST_ATTR_DIM, "c")) {
        return (buda_shape){f->out.z, f->out.r, f->inner};
    }
    if (buda_attr_is(f->attributes, HOIST_ATTR_DIM, "z")) {
        return (buda_shape){buda_shape_product(f->out.z, f->z), f->out.r, f->out.c};
    }
    return (buda_shape){0, 0, 0}; // rc, or no dim: rule 40
}

// The switch lists every family, so that a new one has to say what it needs.
static buda_shape need_of(const need_facts *f, size_t i)
{
    switch (f->family) {
    case HOIST_FAMILY_BINARY:
    case HOIST_FAMILY_UNARY:
    case HOIST_FAMILY_SFPU:
    case HOIST_FAMILY_ETHERNET:
    case HOIST_FAMILY_TILIZER:
        return f->out;
    case HOIST_FAMILY_MATMUL:
        return need_matmul(f, i);
    case HOIST_FAMILY_DEPTHWISE:
        return need_depthwise(f, i);
    case HOIST_FAMILY_REDUCE:
        return need_reduce(f);
    case HOIST_FAMILY_SPLICE:
        // Pieces along t, or along rows and columns; the sum of the pieces is not checked here.
        return buda_attr_is(f->attributes, HOIST_ATTR_GRANULARITY, "t")
                   ? (buda_shape){0, f->out.r, f->out.c}
                   : (buda_shape){f->out.z, 0, 0};
    case HOIST_FAMILY_TOPK:
        return (buda_shape){f->out.z, f->out.r, 0};
    case HOIST_FAMILY_FUSED:
    case HOIST_FAMILY_EMBEDDING:
    case HOIST_FAMILY_BUFFER:
    case HOIST_FAMILY_DRAINER:
    case HOIST_FAMILY_NONE:
    case HOIST_FAMILY_COUNT:
        break;
    }
    return (buda_shape){0, 0, 0};
}

// Takes the slices of t of a matmul's input 1 that input 0 has no partner for off `*shape`: the
// golden model does not read them. Rule 63c: the surplus slices have no effect on the result.
static void drop_unread(const buda_op_view *view, size_t i, const buda_shape *expected,
                        buda_shape *shape)
{
    if (expected->z == 0 || shape->z <= expected->z) {
        return;
    }
    buda_report_op(
        view, BUDA_063c, buda_input_pos(view->op, i),
        "has %lld slices of t in input %zu after its TMs, and its matmul reads the first %lld",
        (long long)shape->z, i, (long long)expected->z);
    shape->z = expected->z;
}

// Checks input `i` of the op as operand `k` of the kernel of `f`: the op's own, or a sub-op's. A
// fused op's input is checked against every sub-op that reads it.
static void check_need(const buda_op_view *view, size_t i, const need_facts *f, size_t k)
{
    const buda_shape expected = need_of(f, k);
    buda_shape shape;
    // Unknown source or TM: other rules.
    if (!buda_input_shape(view, i, &shape) || !buda_shape_apply_all(&shape, f->sub_op_tms)) {
        return;
    }
    if (f->family == HOIST_FAMILY_MATMUL && k == 1) {
        drop_unread(view, i, &expected, &shape);
    }
    if (buda_shape_fits(&shape, &expected)) {
        return;
    }
    // For the message: the free axes as they are.
    const buda_shape w = {expected.z ? expected.z : shape.z, expected.r ? expected.r : shape.r,
                          expected.c ? expected.c : shape.c};
    buda_report(view->check->diag, BUDA_063b, buda_input_pos(view->op, i),
                "input %zu of op '%.*s' is %lld x %lld x %lld (t, tile rows, tile columns) after "
                "its TMs, expected %lld x %lld x %lld",
                i, HOIST_STR_ARGS(view->op->name.text), (long long)shape.z, (long long)shape.r,
                (long long)shape.c, (long long)w.z, (long long)w.r, (long long)w.c);
}

// Rule 63a: TMs. The shape is followed through the list up to the first that does not apply.

// `shape` is as it was before the TM, as a failing one leaves it.
static void report_tm(const buda_op_view *view, const buda_input_keys *keys, const buda_tm *tm,
                      buda_tm_result result, const buda_shape *shape)
{
    int64_t size = 0;
    const char *what = buda_tm_divides(tm, shape, &size); // NULL: no slice or stack
    if (result == BUDA_TM_NOT_DIVISIBLE && what) {
        buda_report_op(view, BUDA_063a, tm->pos,
                       "has %.*s %lld of input %d, which does not divide its %lld %s",
                       HOIST_STR_ARGS(tm->text), (long long)tm->factor.value, keys->input,
                       (long long)size, what);
    } else if (result == BUDA_TM_BAD_FACTOR) {
        buda_report_op(
            view, BUDA_063a, tm->pos,
            "has %.*s of input %d with a number out of range, expected 1 or more (of a pad 0)",
            HOIST_STR_ARGS(tm->text), keys->input);
    } else {
        buda_report_op(view, BUDA_063a, tm->pos,
                       "has %.*s of input %d that makes a shape over 64 bits",
                       HOIST_STR_ARGS(tm->text), keys->input);
    }
}

// Rule 63b: at least one row and column stay.
static void check_unpad(const buda_op_view *view, const buda_input_keys *keys,
                        const buda_shape *shape)
{
    const buda_pad *unpad = &keys->unpad;
    if (unpad->rt.value < 0 || unpad->ct.value < 0 || unpad->rt.value >= shape->r ||
        unpad->ct.value >= shape->c) {
        buda_report_op(
            view, BUDA_063b, unpad->pos,
            "has input_%d_unpad of %lld %s and %lld %s of %lld x %lld tiles, expected fewer",
            keys->input, (long long)unpad->rt.value,
            hoist_plural((uint64_t)unpad->rt.value, "row", "rows"), (long long)unpad->ct.value,
            hoist_plural((uint64_t)unpad->ct.value, "column", "columns"), (long long)shape->r,
            (long long)shape->c);
    }
}

// The order of the run: unpad, TMs, pad; what does not fit would make all later shapes wrong, so
// it ends there.
static void check_tms(const buda_op_view *view, const buda_input_keys *keys)
{
    buda_shape shape;
    size_t pads = buda_has(keys->pad.pos) ? 1 : 0; // input_<N>_pad counts as one
    if (!buda_input_source_shape(view, (size_t)keys->input, &shape)) {
        return;
    }
    check_unpad(view, keys, &shape);
    shape.r -= keys->unpad.rt.value;
    shape.c -= keys->unpad.ct.value;
    // Unpad has left nothing.
    for (size_t k = 0; k < keys->tms.count && shape.r > 0 && shape.c > 0; k++) {
        const buda_tm *tm = &keys->tms.items[k];
        const buda_tm_result result = buda_shape_apply(&shape, tm);
        if (tm->kind == BUDA_TM_PAD && ++pads == 2) {
            buda_report_op(view, BUDA_063b, tm->pos, "pads an input twice, expected one pad");
        }
        if (result != BUDA_TM_OK) {
            report_tm(view, keys, tm, result, &shape);
            return;
        }
    }
}

// Keys of inputs that the op does not have are reported at the first that is there.
static void check_input_keys(const buda_op_view *view)
{
    for (const buda_input_keys *keys = view->op->input_keys; keys; keys = keys->next) {
        if ((size_t)keys->input < view->op->inputs.count) {
            check_tms(view, keys);
            continue;
        }
        const hoist_pos at = buda_has(keys->tms.pos)   ? keys->tms.pos
                             : buda_has(keys->pad.pos) ? keys->pad.pos
                                                       : keys->unpad.pos;
        buda_report_op(view, BUDA_063b, at, "has TMs or pads of input %d, but only %zu %s",
                       keys->input, view->op->inputs.count,
                       hoist_plural(view->op->inputs.count, "input", "inputs"));
    }
}

// Rule 63b: shapes.

// In a matmul `z` counts only with accumulate: check_attribute.c refuses it otherwise.
static void check_needs(const buda_op_view *view)
{
    const int64_t z = buda_attr_int(&view->op->attributes, HOIST_ATTR_Z, 1);
    need_facts facts = {
        .family = view->family,
        .inner = buda_shape_product(view->m_k, view->u_kt),
        .m_k = view->m_k,
        .z = view->family == HOIST_FAMILY_MATMUL && !view->accumulate ? 1 : z,
        .attributes = &view->op->attributes,
        .identity = view->identity,
    };
    const hoist_op_def *def = hoist_op_get(view->op->op);
    // Binary ops have rule 87.
    if (view->family != HOIST_FAMILY_BINARY && view->op->inputs.count < def->min_inputs) {
        buda_report_op(view, BUDA_063b, view->op->inputs.pos,
                       "has %zu %s, expected %d or more for its type '%s'", view->op->inputs.count,
                       hoist_plural(view->op->inputs.count, "input", "inputs"), def->min_inputs,
                       def->name);
    }
    if (!buda_shape_of_op(view->op, &facts.out)) { // a dimension is missing or wrong
        return;
    }
    for (size_t i = 0; i < view->input_count; i++) {
        check_need(view, i, &facts, i);
    }
}

// One sub-op in one op that uses it: grid and t are the op's, blocks the sub-op's.
static void check_sub_op_use(const buda_fused_view *view, const buda_op_view *user)
{
    const buda_sub_op *op = view->op;
    need_facts facts = {
        .family = view->family,
        .inner = buda_shape_product(view->m_k, view->u_kt),
        .m_k = view->m_k,
        .z = 1,
        .attributes = &op->attributes,
    };
    if (!buda_shape_of_block(user->op->grid_size, user->op->t, op->mblock, op->ublock,
                             &facts.out)) {
        return;
    }
    for (size_t k = 0; k < op->inputs.count; k++) {
        const buda_operand operand = buda_operand_of(op->inputs.items[k].text);
        // Operands that other sub-ops make are rule 74's.
        if (operand.kind == BUDA_OPERAND_INPUT && (uint64_t)operand.number < user->input_count) {
            const buda_input_keys *keys = buda_input_keys_find(op->input_keys, k);
            facts.sub_op_tms = keys ? &keys->tms : NULL;
            check_need(user, (size_t)operand.number, &facts, k);
        }
    }
}

void buda_check_sub_op_inputs(const buda_fused_view *view)
{
    for (size_t u = 0; u < view->user_count; u++) {
        check_sub_op_use(view, &view->users[u]);
    }
}

// Rule 59a: formats along the edge, where both ends have one.

static void check_input_formats(const buda_op_view *view)
{
    const buda_net *net = view->check->net;
    for (size_t i = 0; i < view->op->inputs.count; i++) {
        const buda_source source = view->node->inputs[i];
        const buda_df df = buda_input_df(view->op, i);
        buda_df made = BUDA_DF_NONE;
        if (source.kind == BUDA_SOURCE_QUEUE) {
            made = (buda_df)net->queues[source.index].queue->df.value;
        } else if (source.kind == BUDA_SOURCE_OP) {
            made = (buda_df)net->ops[source.index].op->out_df.value;
        }
        if (df != BUDA_DF_NONE && made != BUDA_DF_NONE && df != made) {
            buda_report_op(view, BUDA_059a, buda_input_df_pos(view->op, i),
                           "has in_df %s for input %zu, expected %s of '%.*s'", buda_df_name(df), i,
                           buda_df_name(made), HOIST_STR_ARGS(view->op->inputs.items[i].text));
        }
    }
}

// Queues that the op feeds: rules 39b, 59b and 63b. A queue may reshape what it gets: input_tms.

// `*made` is all zeros afterwards when a TM does not apply: nothing is compared then.
static void check_queue_tms(const buda_op_view *view, const buda_queue *queue, buda_shape *made)
{
    const buda_tms *tms = &queue->input_tms;
    for (size_t i = 0; i < tms->count; i++) {
        const buda_tm *tm = &tms->items[i];
        const bool forbidden = tm->kind == BUDA_TM_PAD || tm->kind == BUDA_TM_TRANSPOSE ||
                               tm->kind == BUDA_TM_TILE_BROADCAST;
        if (forbidden || buda_shape_apply(made, tm) != BUDA_TM_OK) {
            buda_report(view->check->diag, BUDA_063a, tm->pos,
                        "%.*s in input_tms of queue '%.*s' %s", HOIST_STR_ARGS(tm->text),
                        HOIST_STR_ARGS(queue->name.text),
                        forbidden ? "is no TM that a queue takes"
                                  : "does not fit the shape of the op that feeds it");
            *made = (buda_shape){0, 0, 0};
            return;
        }
    }
}

// An untilized queue is compared without TMs, as rule 39b refuses them.
static void check_queue_shape(const buda_op_view *view, const buda_queue *queue)
{
    const bool untilized = view->op->untilize_output.value;
    buda_shape made;
    buda_shape held;
    if (!buda_shape_of_op(view->op, &made) || !buda_shape_of_queue(queue, &held)) {
        return;
    }
    if (!untilized) {
        check_queue_tms(view, queue, &made);
    }
    if (!buda_shape_fits(&held, &made)) {
        // One text for both rules: the difference is the tiles' form, not their number.
        buda_report(view->check->diag, untilized ? BUDA_039b : BUDA_063b, queue->name.pos,
                    "queue '%.*s' holds %lld x %lld x %lld (t, tile rows, tile columns), expected "
                    "%lld x %lld x %lld of %sop '%.*s'",
                    HOIST_STR_ARGS(queue->name.text), (long long)held.z, (long long)held.r,
                    (long long)held.c, (long long)made.z, (long long)made.r, (long long)made.c,
                    untilized ? "untilized " : "", HOIST_STR_ARGS(view->op->name.text));
    }
}

// All findings are at the queue's keys.
static void check_out_queues(const buda_op_view *view)
{
    for (size_t i = 0; i < view->node->out_queue_count; i++) {
        const buda_queue *queue = view->check->net->queues[view->node->out_queues[i]].queue;
        const buda_df df = (buda_df)queue->df.value;
        if (df != view->out_df && df != BUDA_DF_NONE && view->out_df != BUDA_DF_NONE) {
            buda_report(view->check->diag, BUDA_059b, queue->df.pos,
                        "df of queue '%.*s' is %s, expected %s of op '%.*s'",
                        HOIST_STR_ARGS(queue->name.text), buda_df_name(df),
                        buda_df_name(view->out_df), HOIST_STR_ARGS(view->op->name.text));
        }
        if (view->op->untilize_output.value && queue->input_tms.count > 0) {
            buda_report(view->check->diag, BUDA_039b, queue->input_tms.pos,
                        "queue '%.*s' of untilized op '%.*s' has input_tms, expected none",
                        HOIST_STR_ARGS(queue->name.text), HOIST_STR_ARGS(view->op->name.text));
        }
        check_queue_shape(view, queue);
    }
}

// Every op has inputs, formats and queues: no family is left out.
static const buda_op_check checks[] = {
    {0, check_input_keys},
    {0, check_needs},
    {0, check_input_formats},
    {0, check_out_queues},
};

hoist_status buda_check_shapes(const buda_check *c)
{
    buda_op_checks_run_all(checks, HOIST_COUNT_OF(checks), c);
    return HOIST_OK;
}
