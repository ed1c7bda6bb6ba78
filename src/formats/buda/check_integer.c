// formats/buda/check_integer.c - rules of ops on integers: formats, fidelity, accumulation, relu,
// quantization.
//
// Facts: buda-netlist reference section 5.3 (rules 52 and 54).
// In: views of ops with an integer input (op_view.h). check_format.c has the rules of floats.
#include <math.h>

#include "base/span.h"
#include "formats/buda/op_view.h"

// A set of formats with the words that a message names it by. At most four, searched in turn.
typedef struct format_set {
    buda_df formats[4];
    size_t count;
    const char *words;
} format_set;

// Named by what they are for: bytes are factors, sums may be wider.
// clang-format off
static const format_set bytes = {{BUDA_INT8, BUDA_UINT8}, 2, "Int8 or UInt8"};
static const format_set sums = {{BUDA_INT8, BUDA_UINT8, BUDA_INT32}, 3, "Int8, UInt8 or Int32"};
static const format_set signed_sums = {{BUDA_INT8, BUDA_INT32}, 2, "Int8 or Int32"};
static const format_set only_int8 = {{BUDA_INT8}, 1, "Int8"};
static const format_set only_int32 = {{BUDA_INT32}, 1, "Int32"};
static const format_set only_float32 = {{BUDA_FLOAT32}, 1, "Float32"};
// clang-format on

// Unknown formats are the reader's findings and break nothing.
static bool breaks(buda_df df, const format_set *expected)
{
    return df != BUDA_DF_NONE && !buda_df_in(df, expected->formats, expected->count);
}

// Inputs beyond in_df have BUDA_DF_NONE: rule 14 reports a short list.
static void expect_input(const buda_op_view *view, buda_rule rule, size_t i,
                         const format_set *expected)
{
    const buda_df df = buda_input_df(view->op, i);
    if (breaks(df, expected)) {
        buda_report_op(view, rule, buda_input_df_pos(view->op, i),
                       "reads %s as input %zu, expected %s", buda_df_name(df), i, expected->words);
    }
}

// For out_df, acc_df and intermed_df, at their own locations.
static void expect_format(const buda_op_view *view, buda_rule rule, buda_word word, const char *key,
                          const format_set *expected)
{
    if (breaks((buda_df)word.value, expected)) {
        buda_report_op(view, rule, word.pos, "has %s %s, expected %s", key,
                       buda_df_name((buda_df)word.value), expected->words);
    }
}

// Rule 52: an op with one integer input computes in integers throughout.

static void check_output(const buda_op_view *view)
{
    const buda_df df = view->out_df;
    if (view->dequant) { // dequant is the one way from integers to floats inside a matmul
        if (buda_df_is_integer(df)) {
            buda_report_op(view, BUDA_052, view->op->out_df.pos,
                           "has out_df %s, expected a float format for dequant", buda_df_name(df));
        }
        // A fused op's output follows from its last sub-op: check_fused_format.c.
    } else if (df != BUDA_DF_NONE && !buda_df_is_integer(df) &&
               view->op->op != HOIST_OP_DEQUANTIZATION && view->family != HOIST_FAMILY_FUSED) {
        buda_report_op(view, BUDA_052, view->op->out_df.pos,
                       "has out_df %s, expected an integer format for its integer inputs",
                       buda_df_name(df));
    }
}

// intermed_df, acc_df and math_fidelity.
static void check_registers(const buda_op_view *view)
{
    const buda_op *op = view->op;
    expect_format(view, BUDA_052, op->intermed_df, "intermed_df", &sums);
    expect_format(view, BUDA_052, op->acc_df, "acc_df", &only_int32);
    // Below 0: a spelling that the reader reported.
    if (buda_has(op->math_fidelity.pos) && op->math_fidelity.value >= 0 &&
        op->math_fidelity.value != BUDA_HIFI4) {
        buda_report_op(view, BUDA_052, op->math_fidelity.pos,
                       "has math_fidelity %.*s, expected HiFi4 for integers",
                       HOIST_STR_ARGS(op->math_fidelity.text));
    }
}

// Sums and maxima of Int32 are allowed, products and differences are of bytes; quantization has
// rule 54.
static void check_binary(const buda_op_view *view)
{
    const hoist_op op = view->op->op;
    const bool wide = op == HOIST_OP_ADD || op == HOIST_OP_MAXIMUM;
    for (size_t i = 0; i < view->op->in_df.count && !buda_op_is_quantization(view->op->op); i++) {
        expect_input(view, BUDA_052, i, wide ? &sums : &bytes);
    }
}

// No mixing of integers and floats among the inputs of one op.
static void check_other_inputs(const buda_op_view *view)
{
    if (view->requant || view->dequant) { // the scales are Float32: check_matmul()
        return;
    }
    for (size_t i = 0; i < view->op->in_df.count; i++) {
        const buda_df df = buda_input_df(view->op, i);
        // RawUInt32 is the encoding of an identity matmul and no number.
        if (df != BUDA_DF_NONE && !buda_df_is_integer(df) && df != BUDA_RAW_UINT32) {
            buda_report_op(view, BUDA_052, buda_input_df_pos(view->op, i),
                           "reads %s as input %zu, expected an integer format as another input has",
                           buda_df_name(df), i);
        }
    }
}

// Inputs: two factors, then the bias, then the scales of requant or dequant; the position of the
// last depends on bias.
static void check_matmul(const buda_op_view *view)
{
    expect_input(view, BUDA_052, 0, &bytes);
    expect_input(view, BUDA_052, 1, &bytes);
    if (view->bias) {
        expect_input(view, BUDA_052, 2, &only_int32);
    }
    if (view->requant || view->dequant) {
        expect_input(view, BUDA_052, view->bias ? 3 : 2, &only_float32);
    }
    const buda_op *op = view->op;
    const buda_attributes *attributes = &op->attributes;
    if (view->l1_acc) {
        buda_report_op(view, BUDA_052, buda_attr_pos(attributes, HOIST_ATTR_L1_ACC, op->name.pos),
                       "is an integer matmul with l1_acc, it cannot accumulate in L1");
    }
    if (buda_attr_int(attributes, HOIST_ATTR_MIN_BUFFER_INPUT, 0) == 1) {
        buda_report_op(view, BUDA_052,
                       buda_attr_pos(attributes, HOIST_ATTR_MIN_BUFFER_INPUT, op->name.pos),
                       "is an integer matmul with min_buffer_input 1, expected 0");
    }
    // Input 2 of an identity matmul is the encoding, so a fourth one would be its bias.
    if (view->identity && op->inputs.count > 3) {
        buda_report_op(view, BUDA_052, op->inputs.items[3].pos,
                       "is an integer identity matmul with a bias, it takes 3 inputs");
    }
}

// requant and dequant scale the result of a dense matmul.
static void check_scaling(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_attr_pos(
        attributes, view->dequant ? HOIST_ATTR_DEQUANT : HOIST_ATTR_REQUANT, view->op->name.pos);
    if (view->requant && view->dequant) {
        buda_report_op(view, BUDA_052, at, "has requant and dequant, it can have one of them");
    }
    if ((view->requant || view->dequant) && view->identity) {
        buda_report_op(view, BUDA_052, at,
                       "is an identity matmul with requant or dequant, only a dense one has them");
    }
}

// Thresholds that the output's format can hold: below 127 for Int8, 0 with relu_mode min for
// Int32.
static void check_relu(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_attr_pos(attributes, HOIST_ATTR_RELU_EN, view->op->name.pos);
    const hoist_pos threshold_at = buda_attr_pos(attributes, HOIST_ATTR_RELU_THRESHOLD, at);
    const double threshold = buda_attr_float(attributes, HOIST_ATTR_RELU_THRESHOLD);
    if (!buda_attr_bool(attributes, HOIST_ATTR_RELU_EN)) {
        return;
    }
    // A NaN fails the comparison, too, and is reported.
    if (view->out_df == BUDA_INT8 && !(fabs(threshold) < 127.0)) {
        buda_report_op(view, BUDA_052, threshold_at,
                       "has relu_threshold %g, expected less than 127 for an Int8 output",
                       threshold);
    }
    if (view->out_df != BUDA_INT32) {
        return;
    }
    if (threshold != 0.0) {
        buda_report_op(view, BUDA_052, threshold_at,
                       "has relu_threshold %g, expected 0 for an Int32 output", threshold);
    }
    if (!buda_attr_is(attributes, HOIST_ATTR_RELU_MODE, "min")) {
        buda_report_op(view, BUDA_052, buda_attr_pos(attributes, HOIST_ATTR_RELU_MODE, at),
                       "has an Int32 output and another relu_mode than min");
    }
}

// Rule 54: quantization. Values as input 0, scales as input 1, DEST always Int32.

static void check_quantization(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const bool from_float = op->op == HOIST_OP_QUANTIZATION;
    if (!buda_op_is_quantization(view->op->op)) {
        return;
    }
    expect_input(view, BUDA_054, 0, from_float ? &only_float32 : &signed_sums);
    expect_input(view, BUDA_054, 1, &only_float32);
    expect_format(view, BUDA_054, op->acc_df, "acc_df", &only_int32);
    expect_format(view, BUDA_054, op->out_df, "out_df",
                  op->op == HOIST_OP_DEQUANTIZATION ? &only_float32 : &only_int8);
}

// Rule 54: UInt8 is refused on either side of quantization and reduce.
static void check_no_uint8(const buda_op_view *view)
{
    if (!buda_op_is_quantization(view->op->op) && view->family != HOIST_FAMILY_REDUCE) {
        return;
    }
    for (size_t i = 0; i < view->op->in_df.count; i++) {
        if (buda_input_df(view->op, i) == BUDA_UINT8) {
            buda_report_op(view, BUDA_054, buda_input_df_pos(view->op, i),
                           "reads UInt8 as input %zu, quantization and reduce cannot use it", i);
        }
    }
    if (view->out_df == BUDA_UINT8) {
        buda_report_op(view, BUDA_054, view->op->out_df.pos,
                       "writes UInt8, quantization and reduce cannot use it");
    }
}

// Checks of ops that have an integer input, and checks of all ops; families in the first column, 0
// for all.
// clang-format off
static const buda_op_check integer_checks[] = {
    {0, check_output},
    {0, check_registers},
    {BUDA_FAMILY(BINARY), check_binary},
    {~(BUDA_FAMILY(BINARY) | BUDA_FAMILY(FUSED)), check_other_inputs}, // ~ : all families but these
    {BUDA_FAMILY(MATMUL), check_matmul},
    {BUDA_FAMILY(MATMUL), check_scaling},
    {0, check_relu},
};
static const buda_op_check all_checks[] = {
    {BUDA_FAMILY(BINARY), check_quantization},
    {BUDA_FAMILY(BINARY) | BUDA_FAMILY(REDUCE), check_no_uint8},
};
// clang-format on

void buda_check_op_integers(const buda_op_view *view)
{
    // topk carries integers as payload; its arithmetic is not an integer op's.
    if (view->integer_input && view->family != HOIST_FAMILY_TOPK) {
        buda_op_checks_run(integer_checks, HOIST_COUNT_OF(integer_checks), view);
    }
    buda_op_checks_run(all_checks, HOIST_COUNT_OF(all_checks), view);
}
