// formats/buda/check_kind.c - rules of single kinds of op: reduce, identity matmul, splice,
// embedding, tilizer, depthwise, buffer.
//
// Facts: buda-netlist reference sections 1.6 and 5.3 (rules 40, 49, 50 and 57).
#include "base/span.h"
#include "formats/buda/op_view.h"

// Rule 40: reduce.

static void check_reduce(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_op_pos(view->op, attributes->pos);
    if (!buda_attr_find(attributes, HOIST_ATTR_DIM)) {
        buda_report_op(view, BUDA_040a, at, "has no attribute 'dim', reduce wants r, c or z");
    }
    if (!buda_attr_find(attributes, HOIST_ATTR_TYPE)) {
        buda_report_op(view, BUDA_040a, at, "has no attribute 'type', reduce wants max");
    }
    if (buda_attr_is(attributes, HOIST_ATTR_DIM, "rc")) {
        buda_report_op(view, BUDA_040b, buda_attr_pos(attributes, HOIST_ATTR_DIM, at),
                       "reduces rc, which the compiler does not know; wanted r, c or z");
    }
}

// Reduction over z adds slices where they stand: nothing is converted.
static void check_reduce_formats(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const buda_df input = buda_input_df(op, 0);
    const buda_df intermed = view->intermed_df;
    if (view->acc_df == BUDA_FLOAT32 && buda_df_family(input) == 'A') {
        buda_report(view->check->diag, BUDA_040a, buda_input_df_pos(op, 0),
                    "reduce '%.*s' reads %s with acc_df Float32, wanted no 5-bit exponents",
                    HOIST_STR_ARGS(op->name.text), buda_df_name(input));
    }
    if (!buda_attr_is(&op->attributes, HOIST_ATTR_DIM, "z") || intermed == BUDA_DF_NONE) {
        return;
    }
    if (input != BUDA_DF_NONE && input != intermed) {
        buda_report(view->check->diag, BUDA_040a, buda_input_df_pos(op, 0),
                    "reduce '%.*s' over z reads %s, wanted its intermed_df %s",
                    HOIST_STR_ARGS(op->name.text), buda_df_name(input), buda_df_name(intermed));
    }
    if (view->out_df != BUDA_DF_NONE && view->out_df != intermed) {
        buda_report(view->check->diag, BUDA_040a, op->out_df.pos,
                    "reduce '%.*s' over z writes %s, wanted its intermed_df %s",
                    HOIST_STR_ARGS(op->name.text), buda_df_name(view->out_df),
                    buda_df_name(intermed));
    }
}

// Rule 49: identity matmul.

static void check_identity(const buda_op_view *view)
{
    const buda_op *op = view->op;
    if (!view->identity) {
        return;
    }
    if (view->gradient) {
        buda_report_op(view, BUDA_049, op->gradient_op.pos,
                       "is an identity matmul with gradient_op, which does not accumulate");
    }
    if (op->inputs.count < 3) {
        buda_report(view->check->diag, BUDA_049, buda_op_pos(op, op->inputs.pos),
                    "identity matmul '%.*s' has %zu %s, wanted 3 or more",
                    HOIST_STR_ARGS(op->name.text), op->inputs.count,
                    hoist_plural(op->inputs.count, "input", "inputs"));
        return;
    }
    const buda_df encoding = buda_input_df(op, 2);
    if (encoding != BUDA_DF_NONE && !buda_formats[encoding].raw) {
        buda_report(view->check->diag, BUDA_049, buda_input_df_pos(op, 2),
                    "input 2 of identity matmul '%.*s' is %s, wanted RawUInt8, RawUInt16 or "
                    "RawUInt32",
                    HOIST_STR_ARGS(op->name.text), buda_df_name(encoding));
    }
    const buda_input_keys *keys = buda_input_keys_find(op->input_keys, 2);
    if (keys && keys->tms.count > 0 && keys->tms.items[0].kind != BUDA_TM_BROADCAST) {
        buda_report_op(view, BUDA_049, keys->tms.items[0].pos,
                       "has input 2 of an identity matmul whose first TM is no broadcast");
    }
}

// Rule 50: splice.

static const buda_attribute *splice_piece(const buda_attributes *attributes, size_t input)
{
    for (size_t i = attributes->count; i > 0; i--) {
        const buda_attribute *attribute = &attributes->items[i - 1];
        if (attribute->attr == HOIST_ATTR_INPUT && attribute->input >= 0 &&
            (size_t)attribute->input == input) {
            return attribute;
        }
    }
    return NULL;
}

static void check_splice_piece(const buda_op_view *view, size_t input)
{
    const buda_op *op = view->op;
    const buda_attribute *piece = splice_piece(&op->attributes, input);
    if (!piece) {
        buda_report(view->check->diag, BUDA_050, op->inputs.items[input].pos,
                    "splice '%.*s' has no attribute 'input%zu', wanted [index, length, stride]",
                    HOIST_STR_ARGS(op->name.text), input);
        return;
    }
    const buda_ints *values = &piece->ints;
    if (values->count != 3) {
        buda_report(view->check->diag, BUDA_050, piece->pos,
                    "input%zu of splice '%.*s' has %zu %s, wanted [index, length, stride]", input,
                    HOIST_STR_ARGS(op->name.text), values->count,
                    hoist_plural(values->count, "value", "values"));
        return;
    }
    if (values->items[0].value < 0 || values->items[1].value <= 0 || values->items[2].value <= 0) {
        buda_report(view->check->diag, BUDA_050, piece->pos,
                    "input%zu of splice '%.*s' is [%lld, %lld, %lld], wanted an index of 0 or "
                    "more, length and stride of 1 or more",
                    input, HOIST_STR_ARGS(op->name.text), (long long)values->items[0].value,
                    (long long)values->items[1].value, (long long)values->items[2].value);
    }
}

static void check_splice(const buda_op_view *view)
{
    const buda_op *op = view->op;
    for (size_t i = 0; i < view->input_count; i++) {
        check_splice_piece(view, i);
        const buda_df first = buda_input_df(op, 0);
        const buda_df df = buda_input_df(op, i);
        if (df != BUDA_DF_NONE && first != BUDA_DF_NONE && df != first) {
            buda_report(view->check->diag, BUDA_050, buda_input_df_pos(op, i),
                        "input %zu of splice '%.*s' is %s, wanted %s as input 0", i,
                        HOIST_STR_ARGS(op->name.text), buda_df_name(df), buda_df_name(first));
        }
    }
    for (size_t i = 0; i < op->attributes.count; i++) {
        const buda_attribute *attribute = &op->attributes.items[i];
        if (attribute->attr == HOIST_ATTR_INPUT &&
            (attribute->input < 0 || (size_t)attribute->input >= op->inputs.count)) {
            buda_report_op(view, BUDA_050, attribute->key_pos,
                           "describes an input that it has not");
        }
    }
}

// Rule 57: block shapes of special ops.

static void check_embedding(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const buda_attributes *attributes = &op->attributes;
    const int64_t indices = buda_attr_int(attributes, HOIST_ATTR_NUM_INDICES, 0);
    const hoist_pos at =
        buda_attr_pos(attributes, HOIST_ATTR_NUM_INDICES, buda_op_pos(op, attributes->pos));
    if (indices % 32 != 0) {
        buda_report(view->check->diag, BUDA_057, at,
                    "num_indices of embedding '%.*s' is %lld, wanted a multiple of 32",
                    HOIST_STR_ARGS(op->name.text), (long long)indices);
    } else if (buda_has(op->mblock.pos) && indices / 32 != op->mblock.r) {
        buda_report(view->check->diag, BUDA_057, op->mblock.pos,
                    "embedding '%.*s' has mblock [%lld, %lld], %lld %s %lld %s",
                    HOIST_STR_ARGS(op->name.text), (long long)op->mblock.r, (long long)op->mblock.c,
                    (long long)indices,
                    hoist_plural((uint64_t)indices, "index wants", "indices want"),
                    (long long)(indices / 32), hoist_plural((uint64_t)indices / 32, "row", "rows"));
    }
    if (buda_has(op->ublock.pos) && op->ublock.r != 1) {
        buda_report(view->check->diag, BUDA_057, op->ublock.pos,
                    "embedding '%.*s' has ublock [%lld, %lld], wanted 1 row",
                    HOIST_STR_ARGS(op->name.text), (long long)op->ublock.r,
                    (long long)op->ublock.c);
    }
}

static void check_tilizer_tms(const buda_op_view *view)
{
    for (const buda_input_keys *keys = view->op->input_keys; keys; keys = keys->next) {
        if (keys->tms.count > 0) {
            buda_report_op(view, BUDA_057, keys->tms.items[0].pos,
                           "is a tilizer with TMs on its input, it takes none");
        }
    }
}

static void check_depthwise_inner(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_op_pos(view->op, attributes->pos);
    if (view->u_kt != 1) {
        buda_report(view->check->diag, BUDA_057, buda_attr_pos(attributes, HOIST_ATTR_U_KT, at),
                    "depthwise '%.*s' has u_kt %lld, wanted 1", HOIST_STR_ARGS(view->op->name.text),
                    (long long)view->u_kt);
    }
    if (view->m_k <= 0) {
        buda_report(view->check->diag, BUDA_057, buda_attr_pos(attributes, HOIST_ATTR_M_K, at),
                    "depthwise '%.*s' has m_k %lld, wanted 1 or more",
                    HOIST_STR_ARGS(view->op->name.text), (long long)view->m_k);
    }
}

static void check_buffer_block(const buda_op_view *view)
{
    const buda_op *op = view->op;
    if (op->mblock.r > 1) {
        buda_report(view->check->diag, BUDA_057, op->mblock.pos,
                    "buffer '%.*s' has mblock [%lld, %lld], wanted 1 row",
                    HOIST_STR_ARGS(op->name.text), (long long)op->mblock.r,
                    (long long)op->mblock.c);
    }
}

// clang-format off
static const buda_op_check checks[] = {
    {BUDA_FAMILY(REDUCE), check_reduce},
    {BUDA_FAMILY(REDUCE), check_reduce_formats},
    {BUDA_FAMILY(MATMUL), check_identity},
    {BUDA_FAMILY(SPLICE), check_splice},
    {BUDA_FAMILY(EMBEDDING), check_embedding},
    {BUDA_FAMILY(TILIZER), check_tilizer_tms},
    {BUDA_FAMILY(DEPTHWISE), check_depthwise_inner},
    {BUDA_FAMILY(BUFFER), check_buffer_block},
};
// clang-format on

void buda_check_op_kind(const buda_op_view *view)
{
    buda_op_checks_run(checks, HOIST_COUNT_OF(checks), view);
}
