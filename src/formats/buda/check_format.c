// formats/buda/check_format.c - rules of an op's formats: what grayskull lacks, accumulation,
// gradients, rounding. Integers are in check_integer.c.
//
// Facts: buda-netlist reference section 5.3 (rules 42 to 48, 51, 53 and 55).
// In: views of ops (op_view.h). Each check is a row of `checks`; all findings name the op and the
// format found.
#include "base/span.h"
#include "formats/buda/op_view.h"

// True when the op rounds stochastically in one of the two spellings.
// srnd_fpu_en is the older spelling of stoch_rnd_mode: fpu.
static bool rounds_stochastically(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    return buda_attr_bool(attributes, HOIST_ATTR_SRND_FPU_EN) ||
           (buda_attr_find(attributes, HOIST_ATTR_STOCH_RND_MODE) &&
            !buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "none"));
}

// The later spelling's location first, as that one decides.
static hoist_pos rounding_pos(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    return buda_attr_pos(attributes, HOIST_ATTR_STOCH_RND_MODE,
                         buda_attr_pos(attributes, HOIST_ATTR_SRND_FPU_EN, view->op->name.pos));
}

// At the format's own location; `expected` names the formats or the reason.
static void report_format(const buda_op_view *view, buda_rule rule, buda_word word, const char *key,
                          const char *expected)
{
    buda_report(view->check->diag, rule, buda_op_pos(view->op, word.pos),
                "%s of op '%.*s' is %s, expected %s", key, HOIST_STR_ARGS(view->op->name.text),
                buda_df_name((buda_df)word.value), expected);
}

// Rule 43: one exponent width on grayskull, where the op accumulates: a gradient, or several steps
// of m_k.

static void check_exponent_families(const buda_op_view *view)
{
    const char out = buda_df_family(view->out_df);
    const char intermed = buda_df_family(view->intermed_df);
    const bool known = view->out_df != BUDA_DF_NONE && view->intermed_df != BUDA_DF_NONE;
    // Ops that do not accumulate may have any two formats.
    if (!known || view->out_df == view->intermed_df || (!view->gradient && view->m_k <= 1)) {
        return;
    }
    // The exception that the vendor lists.
    if ((out && out == intermed) || (view->out_df == BUDA_FLOAT32 && intermed == 'B')) {
        return;
    }
    buda_report_op(view, BUDA_043, view->op->intermed_df.pos,
                   "accumulates in %s and writes %s, expected one exponent family on grayskull",
                   buda_df_name(view->intermed_df), buda_df_name(view->out_df));
}

// Rule 42: the list of what grayskull lacks and later devices have.

static void check_grayskull(const buda_op_view *view)
{
    static const buda_df wide[] = {BUDA_FLOAT32, BUDA_INT32};
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = view->op->name.pos;
    const hoist_op op = view->op->op;
    if (view->check->arch != BUDA_GRAYSKULL) {
        return;
    }
    if (buda_df_in(view->acc_df, wide, HOIST_COUNT_OF(wide))) {
        report_format(view, BUDA_042, view->op->acc_df, "acc_df",
                      "a 16-bit format, grayskull has no 32-bit DEST");
    }
    if (view->gradient && op != HOIST_OP_MATMUL && op != HOIST_OP_MULTIPLY &&
        view->family != HOIST_FAMILY_UNARY) {
        buda_report_op(view, BUDA_042, view->op->gradient_op.pos,
                       "has gradient_op, on grayskull only matmul, multiply and datacopy have it");
    }
    if (buda_attr_is(attributes, HOIST_ATTR_SFPU_EXECUTION_THREAD, "pack")) {
        buda_report_op(view, BUDA_042,
                       buda_attr_pos(attributes, HOIST_ATTR_SFPU_EXECUTION_THREAD, at),
                       "runs its sfpu on the pack thread, grayskull has it on math only");
    }
    if (view->l1_acc) {
        buda_report_op(view, BUDA_042, buda_attr_pos(attributes, HOIST_ATTR_L1_ACC, at),
                       "has l1_acc, grayskull cannot accumulate in L1");
    }
    if (rounds_stochastically(view)) {
        buda_report_op(view, BUDA_042, rounding_pos(view),
                       "rounds stochastically, which grayskull cannot");
    }
    check_exponent_families(view); // rule 43 is a matter of grayskull, too
}

// Rule 44: intermediates in which the op accumulates; Bfp4 and Bfp2 are refused.

static void check_intermediates(const buda_op_view *view)
{
    const bool accumulates =
        view->gradient || (view->family == HOIST_FAMILY_MATMUL && (view->m_k > 1 || view->bias));
    const int bits = buda_df_bfp_bits(view->intermed_df);
    if (accumulates && bits != 0 && bits < 8) {
        report_format(view, BUDA_044, view->op->intermed_df, "intermed_df",
                      "a wider format, since the op accumulates there");
    }
}

// Rule 45: accumulation in 32 bits: the intermediate has the format of DEST.

static void check_wide_matmul(const buda_op_view *view)
{
    static const buda_df wide[] = {BUDA_FLOAT32, BUDA_INT32};
    if (view->check->arch == BUDA_ARCH_NONE || view->intermed_df == BUDA_DF_NONE ||
        !buda_df_in(view->acc_df, wide, HOIST_COUNT_OF(wide)) ||
        view->intermed_df == view->acc_df) {
        return;
    }
    // Which ops accumulate through intermed_df: on grayskull those with several steps of m_k, on
    // others those with l1_acc.
    const bool accumulates = view->check->arch == BUDA_GRAYSKULL ? view->m_k > 1 : view->l1_acc;
    if (!accumulates) {
        return;
    }
    report_format(view, BUDA_045, view->op->intermed_df, "intermed_df",
                  view->acc_df == BUDA_FLOAT32 ? "Float32 as acc_df" : "Int32 as acc_df");
}

// Wormhole a0 only; wormhole_b0 has no such rule.
static void check_wormhole_copy(const buda_op_view *view)
{
    const buda_df input = buda_input_df(view->op, 0);
    if (view->check->arch == BUDA_WORMHOLE && view->acc_df == BUDA_FLOAT32 && !view->gradient &&
        input != BUDA_FLOAT32 && input != BUDA_DF_NONE) {
        buda_report_op(view, BUDA_045, buda_input_df_pos(view->op, 0),
                       "reads %s as input 0, expected Float32 for acc_df Float32 on wormhole",
                       buda_df_name(input));
    }
}

// Rule 45 as well: the words of stoch_rnd_mode that include the fpu. `pack` alone is allowed.
static void check_wide_rounding(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    if (view->acc_df != BUDA_FLOAT32) {
        return;
    }
    if (buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "fpu") ||
        buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "all") ||
        buda_attr_bool(attributes, HOIST_ATTR_SRND_FPU_EN)) {
        buda_report_op(view, BUDA_045, rounding_pos(view),
                       "rounds stochastically in the fpu, acc_df Float32 does not allow that");
    }
}

// Rule 46a: gradients. Such an op has no output buffer of its own, its intermediate is the output
// (section 5.5, 81).

static void check_gradient_formats(const buda_op_view *view)
{
    const buda_op *op = view->op;
    if (!view->gradient) {
        return;
    }
    if (view->intermed_df != view->out_df && view->intermed_df != BUDA_DF_NONE &&
        view->out_df != BUDA_DF_NONE) {
        buda_report_op(view, BUDA_046a, op->intermed_df.pos,
                       "is a gradient with intermed_df %s, expected its out_df %s",
                       buda_df_name(view->intermed_df), buda_df_name(view->out_df));
    }
    if (view->acc_df == BUDA_INT32) {
        report_format(view, BUDA_046a, op->acc_df, "acc_df",
                      "a float format, gradients do not accumulate in integers");
    }
    if (op->op == HOIST_OP_MAXIMUM) {
        buda_report_op(view, BUDA_046a, op->gradient_op.pos,
                       "is a maximum with gradient_op, it can have no gradient");
    }
    // An odd number of transposes is one that shows; pairs cancel out.
    const bool transposes =
        view->family == HOIST_FAMILY_MATMUL || view->family == HOIST_FAMILY_UNARY;
    for (const buda_input_keys *keys = op->input_keys; keys && !transposes; keys = keys->next) {
        hoist_pos pos = {0, 0};
        if (buda_tms_transposes(&keys->tms, &pos) % 2 == 1) {
            buda_report_op(view, BUDA_046a, pos,
                           "is a gradient with a transpose, only matmul and datacopy have both");
        }
    }
}

// Rule 48: with Bfp8 results only the roundings none and fpu are allowed.

static void check_bfp8_rounding(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    if (buda_df_bfp_bits(view->intermed_df) != 8 && buda_df_bfp_bits(view->out_df) != 8) {
        return;
    }
    if (buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "pack") ||
        buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "all")) {
        buda_report_op(
            view, BUDA_048, rounding_pos(view),
            "has a Bfp8 result and rounds it stochastically when packing, expected none or fpu");
    }
}

// Rule 51: accumulation in L1, which exists for three formats.

static void check_l1_acc(const buda_op_view *view)
{
    static const buda_df allowed[] = {BUDA_FLOAT32, BUDA_INT32, BUDA_FLOAT16_B};
    if (view->l1_acc && view->intermed_df != BUDA_DF_NONE &&
        !buda_df_in(view->intermed_df, allowed, HOIST_COUNT_OF(allowed))) {
        report_format(view, BUDA_051, view->op->intermed_df, "intermed_df",
                      "Float32, Int32 or Float16_b for l1_acc");
    }
}

// Rule 53: ops on floats; check_integer.c has the others.

static void check_float_op(const buda_op_view *view)
{
    const buda_op *op = view->op;
    const buda_attributes *attributes = &op->attributes;
    // topk reads indices as input 1 next to float values.
    if (view->integer_input && view->family != HOIST_FAMILY_TOPK) {
        return;
    }
    if (view->acc_df == BUDA_INT32 && op->op != HOIST_OP_QUANTIZATION && op->op != HOIST_OP_NOP &&
        // The exceptions of rule 53 by name.
        view->family != HOIST_FAMILY_FUSED) {
        report_format(view, BUDA_053, op->acc_df, "acc_df",
                      "a float format, since no input is an integer");
    }
    if (view->requant || view->dequant) {
        buda_report_op(view, BUDA_053,
                       buda_attr_pos(attributes,
                                     view->requant ? HOIST_ATTR_REQUANT : HOIST_ATTR_DEQUANT,
                                     op->name.pos),
                       "has requant or dequant, which need integer inputs");
    }
}

// Rule 55: UInt16 is the format of topk's indices: input 1 and, with argmax, the output.

static void check_uint16(const buda_op_view *view)
{
    const bool topk = view->family == HOIST_FAMILY_TOPK;
    for (size_t i = 0; i < view->op->in_df.count; i++) {
        if (buda_input_df(view->op, i) == BUDA_UINT16 && !(topk && i == 1)) {
            buda_report_op(view, BUDA_055, buda_input_df_pos(view->op, i),
                           "reads UInt16 as input %zu, which only topk does, as input 1", i);
        }
    }
    if (view->out_df == BUDA_UINT16 && !topk) {
        report_format(view, BUDA_055, view->op->out_df, "out_df",
                      "another format, only topk writes it");
    }
    if (view->intermed_df == BUDA_UINT16) {
        report_format(view, BUDA_055, view->op->intermed_df, "intermed_df", "another format");
    }
    if (view->acc_df == BUDA_UINT16) {
        report_format(view, BUDA_055, view->op->acc_df, "acc_df", "another format");
    }
}

// argmax returns indices in the format in which it got them.
static void check_argmax(const buda_op_view *view)
{
    const buda_df indices = buda_input_df(view->op, 1);
    if (buda_attr_is(&view->op->attributes, HOIST_ATTR_SORT, "argmax") && indices != BUDA_DF_NONE &&
        view->out_df != BUDA_DF_NONE && indices != view->out_df) {
        buda_report_op(view, BUDA_055, view->op->out_df.pos,
                       "is an argmax that writes %s, expected %s as its input 1",
                       buda_df_name(view->out_df), buda_df_name(indices));
    }
}

// Families in the first column, 0 for all.
// clang-format off
static const buda_op_check checks[] = {
    {0, check_grayskull},
    {0, check_intermediates},
    {BUDA_FAMILY(MATMUL), check_wide_matmul},
    {BUDA_FAMILY(SFPU) | BUDA_FAMILY(UNARY), check_wormhole_copy},
    {0, check_wide_rounding},
    {0, check_gradient_formats},
    {0, check_bfp8_rounding},
    {0, check_l1_acc},
    {0, check_float_op},
    {0, check_uint16},
    {BUDA_FAMILY(TOPK), check_argmax},
};
// clang-format on

void buda_check_op_formats(const buda_op_view *view)
{
    buda_op_checks_run(checks, HOIST_COUNT_OF(checks), view);
}
