// formats/buda/check_fused_shape.c - rules of dimensions within a fused op: broadcasts, agreement
// of sub-ops, the output, DEST.
//
// Dimensions of the fused op's own inputs are checked with the other edges (check_shape.c, rule
// 63b). Facts: buda-netlist reference section 5.4 (rules 72 to 76).
// In: the fused view with the states of operands (fused_view.h). Each finding compares a block
// with an expected one.
#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/fused_view.h"

// Block dimensions of a buffer within a fused op: m x n ublocks of rt x ct tiles.
typedef struct block {
    int64_t m;
    int64_t n;
    int64_t rt;
    int64_t ct;
} block;

static block block_of(const buda_sub_op *op)
{
    return (block){op->mblock.r, op->mblock.c, op->ublock.r, op->ublock.c};
}

// a*b*c, -1 where it does not fit. Sizes are positive, so -1 equals no size; two products that
// both overflow count as equal and are not reported.
static int64_t product(int64_t a, int64_t b, int64_t c)
{
    int64_t result = 0;
    return hoist_ckd_mul_i64(&result, a, b) || hoist_ckd_mul_i64(&result, result, c) ? -1 : result;
}

// The broadcasts of one input.
typedef struct broadcasts {
    int64_t r; // factor, 1 when there is none
    int64_t c;
    bool has_r;
    bool has_c;
    hoist_pos pos; // of the first
} broadcasts;

// A later factor of the same axis replaces the earlier: rule 72 refuses both together anyway.
static broadcasts broadcasts_of(const buda_input_keys *keys)
{
    broadcasts found = {1, 1, false, false, {0, 0}};
    for (size_t i = 0; keys && i < keys->tms.count; i++) {
        const buda_tm *tm = &keys->tms.items[i];
        for (size_t a = 0; tm->kind == BUDA_TM_BROADCAST && a < tm->axis_count; a++) {
            if (tm->axes[a].axis == 'r') {
                found.r = tm->axes[a].factor.value;
                found.has_r = true;
            } else if (tm->axes[a].axis == 'c') {
                found.c = tm->axes[a].factor.value;
                found.has_c = true;
            }
            found.pos = buda_has(found.pos) ? found.pos : tm->pos;
        }
    }
    return found;
}

// Dimensions of input `i` when a sub-op before wrote it; false for inputs of the fused op. Inputs
// of the fused op have the shape of their source, which buda_check_sub_op_inputs() checks.
static bool known_block(buda_fused_view *view, size_t i, block *out_block)
{
    *out_block = (block){0};
    if (i >= view->op->inputs.count) {
        return false;
    }
    const buda_operand operand = buda_operand_of(view->op->inputs.items[i].text);
    const buda_operand_state *state = buda_operand_state_of(view, operand);
    if (!state || !state->producer) {
        return false;
    }
    *out_block = block_of(state->producer);
    return true;
}

// Rule 72: TMs. The reason why `tm` is refused on input `input`, or NULL.

static const char *tm_refusal(const buda_fused_view *view, const buda_tm *tm, int input)
{
    switch (tm->kind) {
    case BUDA_TM_TRANSPOSE:
        return "transposes an input, expected no transpose inside a fused op";
    case BUDA_TM_PAD:
        return "pads an input, expected no pad inside a fused op";
    case BUDA_TM_TILE_BROADCAST:
        // The matrix unit broadcasts its second operand only.
        if (input != 1 || view->family != HOIST_FAMILY_BINARY || buda_is_vector_binary(view)) {
            return "has a tile_broadcast, which only input 1 of add, subtract and multiply takes";
        }
        return (size_t)input < view->op->inputs.count &&
                       buda_operand_of(view->op->inputs.items[input].text).kind == BUDA_OPERAND_DEST
                   ? "has a tile_broadcast of dest, expected one of an input or an intermediate"
                   : NULL;
    case BUDA_TM_BROADCAST:
        for (size_t a = 0; a < tm->axis_count; a++) {
            if (tm->axes[a].axis == 'z') {
                return "broadcasts z, expected r or c inside a fused op";
            }
        }
        return NULL;
    case BUDA_TM_HSLICE:
    case BUDA_TM_HSTACK:
    case BUDA_TM_VSLICE:
    case BUDA_TM_VSTACK:
        return "slices or stacks an input, expected neither inside a fused op";
    case BUDA_TM_NONE: // reported by the reader
        break;
    }
    return NULL;
}

// TMs of an input that is not there are reported once, and looked at all the same.
static void check_tms(const buda_fused_view *view, const buda_input_keys *keys)
{
    if ((size_t)keys->input >= view->op->inputs.count) {
        buda_report_sub_op(view, BUDA_072, keys->tms.pos, "has TMs of input %d, but only %zu %s",
                           keys->input, view->op->inputs.count,
                           hoist_plural(view->op->inputs.count, "input", "inputs"));
    }
    for (size_t i = 0; i < keys->tms.count; i++) {
        const char *refusal = tm_refusal(view, &keys->tms.items[i], keys->input);
        if (refusal) {
            buda_report_sub_op(view, BUDA_072, keys->tms.items[i].pos, "%s", refusal);
        }
    }
}

// The clauses of rule 72 that do not depend on the size of the source.
static void check_broadcast_operand(const buda_fused_view *view, const buda_input_keys *keys,
                                    const broadcasts *found)
{
    const buda_name *input = &view->op->inputs.items[keys->input];
    if (buda_operand_of(input->text).kind != BUDA_OPERAND_INTERMED) {
        buda_report_sub_op(view, BUDA_072, found->pos,
                           "broadcasts '%.*s', expected an intermediate",
                           HOIST_STR_ARGS(input->text));
    }
    if (found->has_r && found->has_c) {
        buda_report_sub_op(view, BUDA_072, found->pos,
                           "broadcasts r and c of one input, expected one of them");
    }
    if (buda_is_vector_binary(view)) {
        buda_report_sub_op(view, BUDA_072, found->pos,
                           "broadcasts an input, which quantization, maximum and add of Int32 "
                           "do not take");
    }
}

// Rule 73: the source of a broadcast has one row, or one column, of tiles.

// r: the source has m = rt = 1, and n = 1 as well unless the output has one mblock row.
static void check_row_source(const buda_fused_view *view, hoist_pos pos, block source)
{
    if (view->family == HOIST_FAMILY_MATMUL) {
        buda_report_sub_op(view, BUDA_073, pos,
                           "is a matmul that broadcasts r, expected c on input 0 at most");
    }
    if (source.m != 1 || source.rt != 1) {
        buda_report_sub_op(
            view, BUDA_073, pos,
            "broadcasts r of mblock [%lld, %lld], ublock [%lld, %lld]; expected 1 row in both",
            (long long)source.m, (long long)source.n, (long long)source.rt, (long long)source.ct);
    }
    if (view->op->mblock.r != 1 && source.n != 1) {
        buda_report_sub_op(
            view, BUDA_073, pos,
            "broadcasts r to %lld mblock %s of a source with %lld mblock %s, expected 1",
            (long long)view->op->mblock.r,
            hoist_plural((uint64_t)view->op->mblock.r, "row", "rows"), (long long)source.n,
            hoist_plural((uint64_t)source.n, "column", "columns"));
    }
}

// c: the source has n = ct = 1; input 0 of a matmul may have n = m_k instead.
static void check_column_source(const buda_fused_view *view, hoist_pos pos, block source, int input)
{
    if (view->family == HOIST_FAMILY_MATMUL) {
        if (input != 0 || (source.n != 1 && source.n != view->m_k)) {
            buda_report_sub_op(
                view, BUDA_073, pos,
                "is a matmul that broadcasts c of input %d with %lld mblock %s, expected "
                "input 0 with 1 or m_k of them",
                input, (long long)source.n, hoist_plural((uint64_t)source.n, "column", "columns"));
        }
    } else if (source.n != 1 || source.ct != 1) {
        buda_report_sub_op(
            view, BUDA_073, pos,
            "broadcasts c of mblock [%lld, %lld], ublock [%lld, %lld]; expected 1 column in both",
            (long long)source.m, (long long)source.n, (long long)source.rt, (long long)source.ct);
    }
}

// Without a known producer there is only the form to check.
static void check_broadcasts(buda_fused_view *view, const buda_input_keys *keys)
{
    const broadcasts found = broadcasts_of(keys);
    block source;
    if ((!found.has_r && !found.has_c) || (size_t)keys->input >= view->op->inputs.count) {
        return;
    }
    check_broadcast_operand(view, keys, &found);
    if (!known_block(view, (size_t)keys->input, &source)) {
        return;
    }
    if (found.has_r) {
        check_row_source(view, found.pos, source);
    }
    if (found.has_c) {
        check_column_source(view, found.pos, source, keys->input);
    }
}

// Rule 74: dimensions agree between producer and reader.

static void report_mismatch(const buda_fused_view *view, size_t input, block source,
                            const char *expected)
{
    const buda_sub_op *op = view->op;
    buda_report(
        view->check->diag, BUDA_074, op->inputs.items[input].pos,
        "input %zu of sub-op '%.*s' has mblock [%lld, %lld], ublock [%lld, %lld]; the sub-op has "
        "mblock [%lld, %lld], ublock [%lld, %lld], m_k %lld, u_kt %lld, expected %s",
        input, HOIST_STR_ARGS(op->name.text), (long long)source.m, (long long)source.n,
        (long long)source.rt, (long long)source.ct, (long long)op->mblock.r,
        (long long)op->mblock.c, (long long)op->ublock.r, (long long)op->ublock.c,
        (long long)view->m_k, (long long)view->u_kt, expected);
}

// With its broadcasts each input covers the output; ublocks may differ in number, so products are
// compared.
static void check_eltwise(buda_fused_view *view)
{
    const block out = block_of(view->op);
    // No elementwise type has more than two.
    for (size_t i = 0; i < view->op->inputs.count && i < 2; i++) {
        const broadcasts found = broadcasts_of(buda_input_keys_find(view->op->input_keys, i));
        block in;
        if (!known_block(view, i, &in)) {
            continue;
        }
        const bool rows = product(in.m, in.rt, found.r) == product(out.m, out.rt, 1) &&
                          out.m >= in.m && out.rt >= in.rt;
        const bool columns = product(in.n, in.ct, found.c) == product(out.n, out.ct, 1) &&
                             out.n >= in.n && out.ct >= in.ct;
        if (!rows || !columns) {
            report_mismatch(view, i, in, "the sub-op's own dimensions after broadcasts");
        }
    }
}

// in0 is [m x m_k] ublocks, in1 is [m_k x n]; u_kt is the inner dimension of a ublock.
static void check_matmul(buda_fused_view *view)
{
    const block out = block_of(view->op);
    const broadcasts found = broadcasts_of(buda_input_keys_find(view->op->input_keys, 0));
    block in0;
    block in1;
    if (known_block(view, 0, &in0)) {
        const bool inner =
            // With a broadcast over c the source has fewer columns: only the products agree.
            found.c == 1 ? in0.n == view->m_k && in0.ct == view->u_kt
                         : product(in0.n, in0.ct, found.c) == product(view->m_k, view->u_kt, 1);
        if (!inner) {
            report_mismatch(view, 0, in0, "m_k ublocks of u_kt columns");
        }
        if (in0.m != out.m || in0.rt != out.rt) {
            report_mismatch(view, 0, in0, "the rows of the sub-op");
        }
    }
    if (!known_block(view, 1, &in1)) {
        return;
    }
    if (in1.m != view->m_k || in1.rt != view->u_kt) {
        report_mismatch(view, 1, in1, "m_k ublocks of u_kt rows");
    }
    if (in1.n != out.n || in1.ct != out.ct) {
        report_mismatch(view, 1, in1, "the columns of the sub-op");
    }
}

// The reduced axis is one tile.
static void check_reduce_output(const buda_fused_view *view, bool rows)
{
    const buda_sub_op *op = view->op;
    if ((rows ? op->mblock.r : op->mblock.c) != 1 || (rows ? op->ublock.r : op->ublock.c) != 1) {
        buda_report_sub_op(
            view, BUDA_074, op->mblock.pos,
            "reduces %s into mblock [%lld, %lld], ublock [%lld, %lld]; expected 1 %s in both",
            rows ? "r" : "c", (long long)op->mblock.r, (long long)op->mblock.c,
            (long long)op->ublock.r, (long long)op->ublock.c, rows ? "row" : "column");
    }
}

// Rule 40a: inside a fused op only r and c are known.
static void check_reduce(buda_fused_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const bool rows = buda_attr_is(attributes, HOIST_ATTR_DIM, "r");
    const block out = block_of(view->op);
    block in;
    if (!rows && !buda_attr_is(attributes, HOIST_ATTR_DIM, "c")) {
        buda_report_sub_op(view, BUDA_040a,
                           buda_attr_pos(attributes, HOIST_ATTR_DIM, view->op->type.pos),
                           "is a reduce inside a fused op without dim r or c");
        return;
    }
    check_reduce_output(view, rows);
    if (!known_block(view, 0, &in)) {
        return;
    }
    const bool kept = rows ? in.n == out.n && in.ct == out.ct : in.m == out.m && in.rt == out.rt;
    const bool reduced =
        rows ? in.m == view->m_k && in.rt == view->u_kt : in.n == view->m_k && in.ct == view->u_kt;
    if (!kept || !reduced) {
        report_mismatch(view, 0, in,
                        rows ? "the sub-op's columns, and m_k ublocks of u_kt rows"
                             : "the sub-op's rows, and m_k ublocks of u_kt columns");
    }
}

// Rule 75: the output. A definition that several ops use fits each of their blocks.

static void check_output_block(const buda_fused_view *view, const buda_op *user)
{
    const buda_sub_op *op = view->op;
    const bool same =
        buda_pairs_equal(op->mblock, user->mblock) && buda_pairs_equal(op->ublock, user->ublock);
    if (!same && buda_has(user->mblock.pos) && buda_has(user->ublock.pos)) {
        buda_report_sub_op(
            view, BUDA_075, op->mblock.pos,
            "writes output with mblock [%lld, %lld], ublock [%lld, %lld]; expected [%lld, %lld], "
            "[%lld, %lld] of op '%.*s'",
            (long long)op->mblock.r, (long long)op->mblock.c, (long long)op->ublock.r,
            (long long)op->ublock.c, (long long)user->mblock.r, (long long)user->mblock.c,
            (long long)user->ublock.r, (long long)user->ublock.c, HOIST_STR_ARGS(user->name.text));
    }
}

// The word of relu_mode; absent is "none".
static hoist_str relu_mode(const buda_attributes *attributes)
{
    const buda_attribute *mode = buda_attr_find(attributes, HOIST_ATTR_RELU_MODE);
    return mode ? mode->text : HOIST_STR("none");
}

// Two relus, the sub-op's and the base op's: threshold and mode agree where both are on.
static void check_output_relu(const buda_fused_view *view, const buda_op *user)
{
    const buda_attributes *sub = &view->op->attributes;
    const buda_attributes *base = &user->attributes;
    const hoist_pos at = buda_attr_pos(sub, HOIST_ATTR_RELU_EN, view->op->name.pos);
    if (!buda_attr_bool(sub, HOIST_ATTR_RELU_EN) || !buda_attr_bool(base, HOIST_ATTR_RELU_EN)) {
        return;
    }
    const double threshold = buda_attr_float(sub, HOIST_ATTR_RELU_THRESHOLD);
    const double expected = buda_attr_float(base, HOIST_ATTR_RELU_THRESHOLD);
    if (threshold != expected) {
        buda_report_sub_op(view, BUDA_075, buda_attr_pos(sub, HOIST_ATTR_RELU_THRESHOLD, at),
                           "writes output with relu_threshold %g, expected %g of op '%.*s'",
                           threshold, expected, HOIST_STR_ARGS(user->name.text));
    }
    if (!hoist_str_equal(relu_mode(sub), relu_mode(base))) {
        buda_report_sub_op(view, BUDA_075, buda_attr_pos(sub, HOIST_ATTR_RELU_MODE, at),
                           "writes output with relu_mode %.*s, expected %.*s of op '%.*s'",
                           HOIST_STR_ARGS(relu_mode(sub)), HOIST_STR_ARGS(relu_mode(base)),
                           HOIST_STR_ARGS(user->name.text));
    }
}

// Rule 76: a ublock of each sub-op fits DEST, whose size depends on the user's acc_df.

static void check_dest(const buda_fused_view *view, const buda_op_view *user)
{
    const buda_pair ublock = view->op->ublock;
    const int64_t limit = buda_dest_tiles(view->check, user->acc_df);
    if (view->check->arch != BUDA_ARCH_NONE && buda_exceeds(ublock.r, ublock.c, limit)) {
        buda_report_sub_op(
            view, BUDA_076, ublock.pos, "has ublock [%lld, %lld], DEST holds %lld %s in op '%.*s'",
            (long long)ublock.r, (long long)ublock.c, (long long)limit,
            hoist_plural((uint64_t)limit, "tile", "tiles"), HOIST_STR_ARGS(user->op->name.text));
    }
}

// TMs first, as their findings explain the mismatches of rule 74.
void buda_check_sub_op_shape(buda_fused_view *view)
{
    for (const buda_input_keys *keys = view->op->input_keys; keys; keys = keys->next) {
        check_tms(view, keys);
        check_broadcasts(view, keys);
    }
    switch (view->family) {
    case HOIST_FAMILY_UNARY:
    case HOIST_FAMILY_SFPU:
    case HOIST_FAMILY_BINARY:
        check_eltwise(view);
        break;
    case HOIST_FAMILY_MATMUL:
        check_matmul(view);
        break;
    case HOIST_FAMILY_REDUCE:
        check_reduce(view);
        break;
    default: // other types have no rule of agreement
        break;
    }
    const bool writes_output = buda_operand_of(view->op->output.text).kind == BUDA_OPERAND_OUTPUT;
    for (size_t u = 0; u < view->user_count; u++) {
        check_dest(view, &view->users[u]);
        if (writes_output) {
            check_output_block(view, view->users[u].op);
            check_output_relu(view, view->users[u].op);
        }
    }
}
