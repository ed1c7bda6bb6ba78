// formats/buda/check_op.c - rules of one op by itself: its inputs, buffers, DEST and transposes;
// and the walk over all ops. Rules of one kind of op are in check_kind.c, attributes in
// check_attribute.c, formats in check_format.c and check_integer.c, tiles in check_tile.c, what an
// op writes to in check_output.c.
//
// Facts: buda-netlist reference sections 1.5 to 1.7, 5.3 and 5.7.
// In: buda_check. Out: findings; each check sees one op through its view.
#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/op_view.h"

#define DEST_TILES 8 // of 16-bit formats in half of the register (rule 37)

// Rule 87: two inputs. Their tiles are compared in check_tile.c.

static void check_binary_inputs(const buda_op_view *view)
{
    const buda_op *op = view->op;
    if (op->inputs.count != 2) {
        buda_report_op(view, BUDA_087, op->inputs.pos, "is binary and has %zu %s, expected 2",
                       op->inputs.count, hoist_plural(op->inputs.count, "input", "inputs"));
    }
}

// Rule 61: extra inputs are used: each beyond the two factors has an attribute that gives it a
// meaning.

static void report_extra_input(const buda_op_view *view, size_t input, const char *expected)
{
    const buda_names *inputs = &view->op->inputs;
    buda_report_op(view, BUDA_061, inputs->items[input].pos, "has input %zu, which needs %s", input,
                   expected);
}

static void check_extra_inputs(const buda_op_view *view)
{
    const size_t count = view->op->inputs.count;
    const bool scaled = view->requant || view->dequant;
    if (view->family == HOIST_FAMILY_DEPTHWISE) {
        if (count > 2 && !view->bias) {
            report_extra_input(view, 2, "bias");
        }
    } else if (view->identity) { // inputs 0 to 2 are the sparse tiles, the matrix and the encoding
        if (count > 3 && !view->bias) {
            report_extra_input(view, 3, "bias");
        }
    } else {
        // The dense order: factors, bias, scales; scales come without a bias as input 2, too.
        if (count > 2 && !view->bias && !scaled) {
            report_extra_input(view, 2, "bias, requant or dequant");
        }
        if (count > 3 && !(view->bias && scaled)) {
            report_extra_input(view, 3, "bias together with requant or dequant");
        }
    }
}

// Too few inputs are rule 63b's (check_shape.c); binary ops have rule 87.
static void check_input_count(const buda_op_view *view)
{
    const hoist_op_def *def = hoist_op_get(view->op->op);
    const size_t most =
        def->max_inputs < BUDA_MAX_INPUTS ? (size_t)def->max_inputs : BUDA_MAX_INPUTS;
    if (view->op->op != HOIST_OP_NONE && view->op->inputs.count > most) {
        buda_report_op(view, BUDA_061, view->op->inputs.items[most].pos,
                       "has %zu %s, expected at most %zu for its type '%s'", view->op->inputs.count,
                       hoist_plural(view->op->inputs.count, "input", "inputs"), most, def->name);
    }
}

// Rule 60: buffers. buf_size_mb counts macro blocks; an even number stands for two buffers of half
// the size.

static void check_buffer_size(const buda_op_view *view)
{
    const buda_int size = view->op->buf_size_mb;
    // 0 passes: the vendor's parser takes it.
    if (buda_has(size.pos) && size.value > 1 && size.value % 2 != 0) {
        buda_report_op(view, BUDA_060a, size.pos,
                       "has buf_size_mb %lld, expected 1 or an even number", (long long)size.value);
    }
}

// Rule 60b: an entry of t macro blocks goes through the buffer in whole fillings.
static void check_buffer_divides(const buda_op_view *view)
{
    const int64_t size = view->op->buf_size_mb.value;
    const int64_t t = view->op->t.value;
    const int64_t single = size == 1 ? 1 : size / 2;
    // A gradient op has no output buffer, an odd size is rule 60a.
    if (view->family == HOIST_FAMILY_BUFFER || view->family == HOIST_FAMILY_DRAINER ||
        view->gradient || single <= 0 || t <= 0 || (size > 1 && size % 2 != 0)) {
        return;
    }
    if (single % t != 0 && t % single != 0) {
        buda_report_op(view, BUDA_060b, view->op->buf_size_mb.pos,
                       "buffers %lld %s at a time, expected a divisor or a multiple of t %lld",
                       (long long)single, hoist_plural((uint64_t)single, "mblock", "mblocks"),
                       (long long)t);
    }
}

// Rule 37: a ublock of the output is computed in DEST at once.

static void check_dest(const buda_op_view *view)
{
    const buda_op *op = view->op;
    if (view->check->arch == BUDA_ARCH_NONE) {
        return;
    }
    const int64_t limit = buda_dest_tiles(view->check, view->acc_df);
    if (buda_exceeds(op->ublock.r, op->ublock.c, limit)) {
        buda_report_op(view, BUDA_037, op->ublock.pos,
                       "has ublock [%lld, %lld], DEST holds %lld %s", (long long)op->ublock.r,
                       (long long)op->ublock.c, (long long)limit,
                       hoist_plural((uint64_t)limit, "tile", "tiles"));
    }
    if (view->family == HOIST_FAMILY_TOPK && buda_exceeds(op->ublock.r, view->u_kt, limit)) {
        buda_report_op(view, BUDA_037,
                       buda_attr_pos(&op->attributes, HOIST_ATTR_U_KT, op->name.pos),
                       "is a topk of %lld x %lld tiles, DEST holds %lld", (long long)op->ublock.r,
                       (long long)view->u_kt, (long long)limit);
    }
}

// Formats of 32 bits take two places each, so half as many tiles fit.
int64_t buda_dest_tiles(const buda_check *check, buda_df acc_df)
{
    static const buda_df wide[] = {BUDA_FLOAT32, BUDA_INT32};
    const int64_t scale = check->net->soc ? check->net->soc->dest_scale : 1;
    return DEST_TILES * scale / (buda_df_in(acc_df, wide, HOIST_COUNT_OF(wide)) ? 2 : 1);
}

// Sizes that are unknown (0) or wrong exceed nothing; an overflow exceeds every limit.
bool buda_exceeds(int64_t a, int64_t b, int64_t limit)
{
    int64_t product = 0;
    return a > 0 && b > 0 && (hoist_ckd_mul_i64(&product, a, b) || product > limit);
}

// Rules 38 and 41: matmul and transposes. Vector modes are in check_attribute.c.

// Rule 38 for matmul, reduce and depthwise, which take their ublocks row by row.
static void check_row_order(const buda_op_view *view)
{
    if (view->op->ublock_order.value == BUDA_ORDER_C) {
        buda_report_op(view, BUDA_038, view->op->ublock_order.pos,
                       "has ublock_order c, expected r for its type");
    }
}

// An absent attribute is 0 in the view and is reported like a wrong one, at the list of
// attributes.
static void check_inner_dimension(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const hoist_pos at = buda_op_pos(view->op, attributes->pos);
    if (view->m_k <= 0) {
        buda_report_op(view, BUDA_038, buda_attr_pos(attributes, HOIST_ATTR_M_K, at),
                       "is a matmul with m_k %lld, expected 1 or more", (long long)view->m_k);
    }
    if (view->u_kt <= 0) {
        buda_report_op(view, BUDA_038, buda_attr_pos(attributes, HOIST_ATTR_U_KT, at),
                       "is a matmul with u_kt %lld, expected 1 or more", (long long)view->u_kt);
    }
    if (view->accumulate && view->identity) {
        buda_report_op(view, BUDA_038, buda_attr_pos(attributes, HOIST_ATTR_ACCUMULATE, at),
                       "has accumulate and identity, a matmul can have one of them");
    }
}

// NULL when input `i` of this op may be transposed, else the sentence for the finding.
static const char *transpose_refusal(const buda_op_view *view, size_t i)
{
    switch (view->family) {
    case HOIST_FAMILY_MATMUL:
        return i == 1 ? NULL : "a matmul transposes input 1 only";
    case HOIST_FAMILY_UNARY:
    case HOIST_FAMILY_SFPU:
        break;
    case HOIST_FAMILY_BINARY:
        if (i != 0) {
            return "a binary op transposes input 0 only";
        }
        break;
    default:
        return "only matmul, unary and binary ops transpose";
    }
    return buda_input_df(view->op, 0) == BUDA_INT32 ? "Int32 is not transposed" : NULL;
}

// The location is that of the first transpose of the input.
static void check_input_tms(const buda_op_view *view)
{
    for (const buda_input_keys *keys = view->op->input_keys; keys; keys = keys->next) {
        hoist_pos pos = {0, 0};
        const bool transposed = buda_tms_transposes(&keys->tms, &pos) > 0;
        const char *refusal = transposed ? transpose_refusal(view, (size_t)keys->input) : NULL;
        if (refusal) {
            buda_report_op(view, BUDA_038, pos, "transposes input %d, %s", keys->input, refusal);
            // Rule 42: what grayskull lacks.
        } else if (transposed && view->family == HOIST_FAMILY_BINARY &&
                   view->check->arch == BUDA_GRAYSKULL) {
            buda_report_op(view, BUDA_042, pos,
                           "transposes an input of a binary op, which grayskull cannot");
        }
        for (size_t i = 0; i < keys->tms.count; i++) {
            if (keys->tms.items[i].kind == BUDA_TM_TILE_BROADCAST) {
                buda_report_op(view, BUDA_038, keys->tms.items[i].pos,
                               "has a tile_broadcast, which only fused ops have inside");
            }
        }
    }
}

// The order is that of rules within an op; the last five rows are files of their own.
// clang-format off
static const buda_op_check checks[] = {
    {0, buda_check_op_attributes},
    {BUDA_FAMILY(BINARY), check_binary_inputs}, // families are a set of bits, 0: all ops
        {BUDA_FAMILY(MATMUL) | BUDA_FAMILY(DEPTHWISE), check_extra_inputs},
    {~BUDA_FAMILY(BINARY), check_input_count},
    {0, check_buffer_size},
    {0, check_buffer_divides},
    {0, check_dest},
    {BUDA_FAMILY(MATMUL) | BUDA_FAMILY(REDUCE) | BUDA_FAMILY(DEPTHWISE), check_row_order},
    {BUDA_FAMILY(MATMUL), check_inner_dimension},
    {0, check_input_tms},
    {0, buda_check_op_kind},
    {0, buda_check_op_formats},
    {0, buda_check_op_integers},
    {0, buda_check_op_tiles},
    {0, buda_check_op_outputs},
};
// clang-format on

// Ops first; then what concerns queues and executes and not a single op.
hoist_status buda_check_ops(const buda_check *c)
{
    buda_op_checks_run_all(checks, HOIST_COUNT_OF(checks), c);
    buda_check_grayskull_queues(c);
    return buda_check_gradient_settings(c);
}
