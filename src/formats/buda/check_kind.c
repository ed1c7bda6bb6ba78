// formats/buda/check_kind.c - rules of single kinds of op: reduce, identity matmul, splice,
// embedding, tilizer, depthwise, buffer.
//
// Facts: buda-netlist reference sections 1.6 and 5.3 (rules 40, 49, 50 and 57).
// In: views of ops. Block shapes that follow from the edges are check_shape.c's.
#include "base/span.h"
#include "formats/buda/op_view.h"

// Rule 40: reduce has `dim` and `type`; without them the vendor's parser stops.

static void check_reduce(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_op_pos(view->op, attributes->pos);
    if (!buda_attr_find(attributes, HOIST_ATTR_DIM)) {
        buda_report_op(view, BUDA_040a, at,
                       "has no attribute 'dim', expected r, c or z for a reduce");
    }
    if (!buda_attr_find(attributes, HOIST_ATTR_TYPE)) {
        buda_report_op(view, BUDA_040a, at, "has no attribute 'type', expected max for a reduce");
    }
    if (buda_attr_is(attributes, HOIST_ATTR_DIM, "rc")) {
        buda_report_op(view, BUDA_040b, buda_attr_pos(attributes, HOIST_ATTR_DIM, at),
                       "reduces rc, which the compiler does not know; expected r, c or z");
    }
}

// Reduction over z adds slices in place: input, intermediate and output have one format.
static void check_reduce_formats(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const buda_df input = buda_input_df(op, 0);
    const buda_df intermed = view->intermed_df;
    if (view->acc_df == BUDA_FLOAT32 && buda_df_family(input) == 'A') {
        buda_report_op(view, BUDA_040a, buda_input_df_pos(op, 0),
                       "is a reduce of %s with acc_df Float32, expected no 5-bit exponents",
                       buda_df_name(input));
    }
    if (!buda_attr_is(&op->attributes, HOIST_ATTR_DIM, "z") || intermed == BUDA_DF_NONE) {
        return;
    }
    if (input != BUDA_DF_NONE && input != intermed) {
        buda_report_op(view, BUDA_040a, buda_input_df_pos(op, 0),
                       "reduces z and reads %s, expected its intermed_df %s", buda_df_name(input),
                       buda_df_name(intermed));
    }
    if (view->out_df != BUDA_DF_NONE && view->out_df != intermed) {
        buda_report_op(view, BUDA_040a, op->out_df.pos,
                       "reduces z and writes %s, expected its intermed_df %s",
                       buda_df_name(view->out_df), buda_df_name(intermed));
    }
}

// Rule 49: identity matmul: input 0 has the sparse tiles, input 1 the dense matrix, input 2 the
// encoding (buda-ops reference, section 4).

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
        buda_report_op(view, BUDA_049, op->inputs.pos,
                       "is an identity matmul of %zu %s, expected 3 or more", op->inputs.count,
                       hoist_plural(op->inputs.count, "input", "inputs"));
        return; // the rules below look at input 2
    }
    const buda_df encoding = buda_input_df(op, 2);
    if (encoding != BUDA_DF_NONE && !buda_formats[encoding].raw) {
        buda_report_op(view, BUDA_049, buda_input_df_pos(op, 2),
                       "is an identity matmul that reads %s as input 2, expected RawUInt8, "
                       "RawUInt16 or RawUInt32",
                       buda_df_name(encoding));
    }
    const buda_input_keys *keys = buda_input_keys_find(op->input_keys, 2);
    // Without TMs the input is taken as it is.
    if (keys && keys->tms.count > 0 && keys->tms.items[0].kind != BUDA_TM_BROADCAST) {
        buda_report_op(
            view, BUDA_049, keys->tms.items[0].pos,
            "is an identity matmul, expected a broadcast as the first TM of its input 2");
    }
}

// Rule 50: splice takes pieces of each input in turn: `input0: [index, length, stride]` for each
// of them.

// The last of duplicates holds, as in buda_attr_find(), which cannot tell the inputs apart.
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

// Numbers in range here; whether the pieces add up to the output is not checked.
static void check_splice_piece(const buda_op_view *view, size_t input)
{
    const buda_op *op = view->op;
    const buda_attribute *piece = splice_piece(&op->attributes, input);
    if (!piece) {
        buda_report_op(view, BUDA_050, op->inputs.items[input].pos,
                       "is a splice without attribute 'input%zu', expected [index, length, stride]",
                       input);
        return;
    }
    const buda_ints *values = &piece->ints;
    if (values->count != 3) {
        buda_report_op(view, BUDA_050, piece->pos,
                       "has %zu %s in input%zu, expected [index, length, stride]", values->count,
                       hoist_plural(values->count, "value", "values"), input);
        return;
    }
    if (values->items[0].value < 0 || values->items[1].value <= 0 || values->items[2].value <= 0) {
        buda_report_op(view, BUDA_050, piece->pos,
                       "has input%zu [%lld, %lld, %lld], expected an index of 0 or "
                       "more, length and stride of 1 or more",
                       input, (long long)values->items[0].value, (long long)values->items[1].value,
                       (long long)values->items[2].value);
    }
}

// Also the reverse: a piece of an input that the op does not have.
static void check_splice(const buda_op_view *view)
{
    const buda_op *op = view->op;
    for (size_t i = 0; i < view->input_count; i++) {
        check_splice_piece(view, i);
        // All pieces go into one output without conversion.
        const buda_df first = buda_input_df(op, 0);
        const buda_df df = buda_input_df(op, i);
        if (df != BUDA_DF_NONE && first != BUDA_DF_NONE && df != first) {
            buda_report_op(view, BUDA_050, buda_input_df_pos(op, i),
                           "is a splice that reads %s as input %zu, expected %s as input 0",
                           buda_df_name(df), i, buda_df_name(first));
        }
    }
    for (size_t i = 0; i < op->attributes.count; i++) {
        const buda_attribute *attribute = &op->attributes.items[i];
        if (attribute->attr == HOIST_ATTR_INPUT &&
            (attribute->input < 0 || (size_t)attribute->input >= op->inputs.count)) {
            buda_report_op(view, BUDA_050, attribute->key_pos,
                           "has an attribute of an input that it does not have");
        }
    }
}

// Rule 57: block shapes of special ops, in the vendor's wording.

// One row of the table for each index: 32 indices fill one tile row of the output.
static void check_embedding(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const buda_attributes *attributes = &op->attributes;
    const int64_t indices = buda_attr_int(attributes, HOIST_ATTR_NUM_INDICES, 0);
    const hoist_pos at =
        buda_attr_pos(attributes, HOIST_ATTR_NUM_INDICES, buda_op_pos(op, attributes->pos));
    if (indices % 32 != 0) {
        buda_report_op(view, BUDA_057, at,
                       "is an embedding with num_indices %lld, expected a multiple of 32",
                       (long long)indices);
    } else if (buda_has(op->mblock.pos) && indices / 32 != op->mblock.r) {
        buda_report_op(
            view, BUDA_057, op->mblock.pos,
            "is an embedding with mblock [%lld, %lld], expected %lld %s for num_indices %lld",
            (long long)op->mblock.r, (long long)op->mblock.c, (long long)(indices / 32),
            hoist_plural((uint64_t)indices / 32, "row", "rows"), (long long)indices);
    }
    if (buda_has(op->ublock.pos) && op->ublock.r != 1) {
        buda_report_op(view, BUDA_057, op->ublock.pos,
                       "is an embedding with ublock [%lld, %lld], expected 1 row",
                       (long long)op->ublock.r, (long long)op->ublock.c);
    }
}

// A tilizer reads rows, not tiles; TMs are about tiles.
static void check_tilizer_tms(const buda_op_view *view)
{
    for (const buda_input_keys *keys = view->op->input_keys; keys; keys = keys->next) {
        if (keys->tms.count > 0) {
            buda_report_op(view, BUDA_057, keys->tms.items[0].pos,
                           "is a tilizer with TMs on its input, it takes none");
        }
    }
}

// A depthwise matmul has one tile of inner dimension per step.
static void check_depthwise_inner(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_op_pos(view->op, attributes->pos);
    if (view->u_kt != 1) {
        buda_report_op(view, BUDA_057, buda_attr_pos(attributes, HOIST_ATTR_U_KT, at),
                       "is a depthwise with u_kt %lld, expected 1", (long long)view->u_kt);
    }
    if (view->m_k <= 0) {
        buda_report_op(view, BUDA_057, buda_attr_pos(attributes, HOIST_ATTR_M_K, at),
                       "is a depthwise with m_k %lld, expected 1 or more", (long long)view->m_k);
    }
}

// A buffer op passes blocks of one ublock row through.
static void check_buffer_block(const buda_op_view *view)
{
    const buda_op *op = view->op;
    if (op->mblock.r > 1) {
        buda_report_op(view, BUDA_057, op->mblock.pos,
                       "is a buffer with mblock [%lld, %lld], expected 1 row",
                       (long long)op->mblock.r, (long long)op->mblock.c);
    }
}

// A row per rule; the first column says which families it concerns.
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
