// formats/buda/check_fused_format.c - rules of formats within a fused op, which follow from the op
// that uses it: integer fused ops, quantization, reduce.
//
// Facts: buda-netlist reference section 5.3 (rules 40, 52 and 54), op reference section 6.
// In: the sub-op at hand and each of its users, because an operand's format is the user's.
#include "base/span.h"
#include "formats/buda/fused_view.h"

// One sub-op within one user.
typedef struct sub_use {
    const buda_fused_view *view;
    const buda_op_view *user;
    const buda_sub_op *op;
} sub_use;

// UNKNOWN for an input that the sub-op does not have; its format is then BUDA_DF_NONE, which is
// not checked.
static buda_operand operand_at(const sub_use *use, size_t i)
{
    const buda_names *inputs = &use->op->inputs;
    return i < inputs->count ? buda_operand_of(inputs->items[i].text)
                             : (buda_operand){BUDA_OPERAND_UNKNOWN, 0};
}

// `words` is the set in words: "Int8 or Int32". Unknown formats pass.
static void expect_operand(const sub_use *use, buda_rule rule, size_t i, const buda_df *set,
                           size_t count, const char *words)
{
    const buda_df df = buda_operand_df(use->user, operand_at(use, i));
    if (df == BUDA_DF_NONE || buda_df_in(df, set, count)) {
        return;
    }
    buda_report(use->view->check->diag, rule, use->op->inputs.items[i].pos,
                "input %zu of sub-op '%.*s' is %s in op '%.*s', expected %s", i,
                HOIST_STR_ARGS(use->op->name.text), buda_df_name(df),
                HOIST_STR_ARGS(use->user->op->name.text), words);
}

// Operands from the base op: Int8 for subtract and multiply, Int8 or Int32 for all others; dest is
// for requantization and dequantization.
static void check_integer_inputs(const sub_use *use)
{
    static const buda_df sums[] = {BUDA_INT8, BUDA_INT32};
    static const buda_df bytes[] = {BUDA_INT8};
    const hoist_op op = use->op->op;
    const bool narrow = op == HOIST_OP_SUBTRACT || op == HOIST_OP_MULTIPLY;
    for (size_t i = 0; i < use->op->inputs.count; i++) {
        if (operand_at(use, i).kind == BUDA_OPERAND_INPUT) {
            expect_operand(use, BUDA_052, i, narrow ? bytes : sums, narrow ? 1 : 2,
                           narrow ? "Int8" : "Int8 or Int32");
        }
        if (operand_at(use, i).kind == BUDA_OPERAND_DEST) {
            buda_report_sub_op(use->view, BUDA_067, use->op->inputs.items[i].pos,
                               "reads dest in an integer fused op, where only requantization and "
                               "dequantization do");
        }
    }
}

// From float to integer: both operands are Float32 inputs of the base op (values and scales).
static void check_quantization(const sub_use *use)
{
    static const buda_df float32[] = {BUDA_FLOAT32};
    for (size_t i = 0; i < 2 && i < use->op->inputs.count; i++) {
        if (operand_at(use, i).kind != BUDA_OPERAND_INPUT) {
            buda_report_sub_op(use->view, BUDA_054, use->op->inputs.items[i].pos,
                               "is a quantization, which reads inputs of the fused op only");
        } else {
            expect_operand(use, BUDA_054, i, float32, 1, "Float32");
        }
    }
}

// Requantization and dequantization: integers as input 0 and scales as input 1, or scales as input
// 0 and dest as input 1.
static void check_requantization(const sub_use *use)
{
    static const buda_df float32[] = {BUDA_FLOAT32};
    static const buda_df sums[] = {BUDA_INT8, BUDA_INT32};
    const bool from_dest = operand_at(use, 1).kind == BUDA_OPERAND_DEST;
    if (operand_at(use, 0).kind == BUDA_OPERAND_DEST) {
        buda_report_sub_op(use->view, BUDA_054, use->op->inputs.items[0].pos,
                           "reads dest as input 0, quantization takes it as input 1");
        return;
    }
    if (!from_dest) {
        expect_operand(use, BUDA_054, 0, sums, 2, "Int8 or Int32");
        expect_operand(use, BUDA_054, 1, float32, 1, "Float32");
        return;
    }
    expect_operand(use, BUDA_054, 0, float32, 1, "Float32 next to dest");
    // A limit of this form only, below that of rule 76.
    if (buda_exceeds(use->op->ublock.r, use->op->ublock.c, 2)) {
        buda_report_sub_op(use->view, BUDA_054, use->op->ublock.pos,
                           "reads dest as input 1 with a ublock over 2 tiles");
    }
}

// Only the last sub-op of the last schedule decides the kind of numbers that the base op writes.
static void check_integer_output(const sub_use *use)
{
    static const buda_df sums[] = {BUDA_INT8, BUDA_INT32};
    const bool to_float = use->op->op == HOIST_OP_DEQUANTIZATION;
    const buda_df df = use->user->out_df;
    const bool ok = to_float ? df == BUDA_FLOAT32 : buda_df_in(df, sums, HOIST_COUNT_OF(sums));
    const bool is_end =
        use->view->is_last && use->view->schedule + 1 == use->view->fused->schedule_count;
    if (is_end && df != BUDA_DF_NONE && !ok) {
        buda_report_op(use->user, BUDA_052, use->user->op->out_df.pos,
                       "is an integer fused op with out_df %s, expected %s of its last sub-op",
                       buda_df_name(df), to_float ? "Float32" : "Int8 or Int32");
    }
}

// Rule 40a for every input of the base op, whichever of them the reduce reads.
static void check_reduce(const sub_use *use)
{
    for (size_t i = 0; i < use->user->op->in_df.count; i++) {
        const buda_df df = buda_input_df(use->user->op, i);
        if (use->user->acc_df == BUDA_FLOAT32 && buda_df_family(df) == 'A') {
            buda_report_op(use->user, BUDA_040a, buda_input_df_pos(use->user->op, i),
                           "reads %s as input %zu and reduces, expected no 5-bit exponents with "
                           "acc_df Float32",
                           buda_df_name(df), i);
        }
    }
}

// acc_df Int32 makes the fused op an integer one.
static void check_use(const sub_use *use)
{
    const hoist_op_family family = use->view->family;
    if (use->user->acc_df == BUDA_INT32) {
        if (family != HOIST_FAMILY_BINARY && family != HOIST_FAMILY_UNARY) {
            buda_report_sub_op(
                use->view, BUDA_052, use->op->type.pos,
                "is in an integer fused op, which holds binary ops and datacopy only");
        } else if (use->op->op == HOIST_OP_QUANTIZATION) {
            check_quantization(use);
        } else if (buda_op_is_quantization(use->op->op)) {
            check_requantization(use);
        } else {
            check_integer_inputs(use);
        }
        check_integer_output(use);
    } else if (buda_op_is_quantization(use->op->op) && use->user->acc_df != BUDA_DF_NONE) {
        buda_report_sub_op(use->view, BUDA_054, use->op->type.pos,
                           "quantizes, expected acc_df Int32 of op '%.*s'",
                           HOIST_STR_ARGS(use->user->op->name.text));
    }
    if (family == HOIST_FAMILY_REDUCE) {
        check_reduce(use);
    }
}

// The first rule does not depend on users.
void buda_check_sub_op_formats(const buda_fused_view *view)
{
    if (buda_is_vector_binary(view) &&
        buda_operand_of(view->op->output.text).kind == BUDA_OPERAND_DEST) {
        buda_report_sub_op(view, BUDA_067, view->op->output.pos,
                           "writes dest, which quantization, maximum and add of Int32 cannot");
    }
    for (size_t u = 0; u < view->user_count; u++) {
        const sub_use use = {view, &view->users[u], view->op};
        check_use(&use);
    }
}
