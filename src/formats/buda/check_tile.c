// formats/buda/check_tile.c - rules of tile dimensions: which operands may have tiny tiles, and
// which tiles of inputs and output fit each other.
//
// Facts: buda-netlist reference sections 1.8, 5.3 (rules 42 and 56) and 5.7 (rules 87 to 90).
// In: views of ops; tiles of inputs are those of their sources, transposed where the TMs do so.
#include "base/span.h"
#include "formats/buda/frames.h"
#include "formats/buda/op_view.h"

#define NOC_BYTES 32 // a tile's data moves in units of this size (rule 56)

// "Tiny" is everything but 32x32, with fewer rows or fewer columns.
static bool is_tiny(buda_pair tile)
{
    return !buda_tile_is(tile, 32, 32);
}

// Among the first `inputs` inputs, or the output. Unknown sources count as full tiles.
static bool has_tiny_tile(const buda_op_view *view, size_t inputs)
{
    buda_pair tile;
    for (size_t i = 0; i < inputs && i < view->input_count; i++) {
        if (buda_input_tile(view, i, &tile) && is_tiny(tile)) {
            return true;
        }
    }
    return is_tiny(buda_tile_dim(view->op->tile_dim));
}

// Rule 42: grayskull has 32x32 tiles only, in ops and queues.

static void check_grayskull_tile(const buda_op_view *view)
{
    const buda_pair tile = view->op->tile_dim;
    if (view->check->arch == BUDA_GRAYSKULL && buda_has(tile.pos) && is_tiny(tile)) {
        buda_report_op(view, BUDA_042, tile.pos,
                       "has tile_dim [%lld, %lld], expected [32, 32] on grayskull",
                       (long long)tile.r, (long long)tile.c);
    }
}

// Part of the checks of ops, because the rule is the same; queues are not of any op.
void buda_check_grayskull_queues(const buda_check *check)
{
    for (size_t i = 0; check->arch == BUDA_GRAYSKULL && i < check->module->queue_count; i++) {
        const buda_queue *queue = &check->module->queues[i];
        buda_frames frames;
        buda_enter_queue(check->diag, &frames, queue);
        if (buda_has(queue->tile_dim.pos) && is_tiny(queue->tile_dim)) {
            buda_report(check->diag, BUDA_042, queue->tile_dim.pos,
                        "queue '%.*s' has tile_dim [%lld, %lld], expected [32, 32] on grayskull",
                        HOIST_STR_ARGS(queue->name.text), (long long)queue->tile_dim.r,
                        (long long)queue->tile_dim.c);
        }
        if (queue->read_ports.count > 0 || queue->write_ports.count > 0) {
            buda_report(check->diag, BUDA_042,
                        queue->read_ports.count > 0 ? queue->read_ports.pos
                                                    : queue->write_ports.pos,
                        "queue '%.*s' lists DRAM ports, grayskull has one port per channel",
                        HOIST_STR_ARGS(queue->name.text));
        }
        buda_leave(check->diag, &frames);
    }
}

// Rule 56: which operands may have tiny tiles: those of elementwise ops, and some of a matmul.

static bool takes_any_tile(hoist_op_family family)
{
    return family == HOIST_FAMILY_UNARY || family == HOIST_FAMILY_SFPU ||
           family == HOIST_FAMILY_BINARY || family == HOIST_FAMILY_TILIZER;
}

// Full tiles fit everywhere. In a dense matmul the bias (input 2) has only the 1x32 form; identity
// has them as input 1.
static bool tile_fits_input(const buda_op_view *view, size_t i, buda_pair tile)
{
    if (!is_tiny(tile) || takes_any_tile(view->family)) {
        return true;
    }
    if (view->family != HOIST_FAMILY_MATMUL) {
        return false;
    }
    return view->identity ? i == 1 : i != 2 || buda_tile_is(tile, 1, 32);
}

// The message expects 32x32, which is always right.
static void check_tiny_inputs(const buda_op_view *view)
{
    for (size_t i = 0; i < view->input_count; i++) {
        buda_pair tile;
        if (buda_input_tile(view, i, &tile) && !tile_fits_input(view, i, tile)) {
            buda_report_op(view, BUDA_056, buda_input_pos(view->op, i),
                           "reads %lldx%lld tiles as input %zu, expected 32x32", (long long)tile.r,
                           (long long)tile.c, i);
        }
    }
}

// Block floats below 32 bytes of data do not fit the NoC's unit: Bfp2 in 1x32 and 2x32, Bfp4 in
// 1x32.
static bool is_under_noc_unit(buda_df df, buda_pair tile)
{
    const int bits = buda_df_bfp_bits(df);
    return bits != 0 && tile.r > 0 && tile.r <= 32 && tile.c > 0 && tile.c <= 32 &&
           tile.r * tile.c * bits / 8 < NOC_BYTES;
}

// Output and inputs, each by its own format.
static void check_tiny_sizes(const buda_op_view *view)
{
    const buda_pair out = buda_tile_dim(view->op->tile_dim);
    if (is_under_noc_unit(view->out_df, out)) {
        buda_report_op(view, BUDA_056, view->op->tile_dim.pos,
                       "writes %s in %lldx%lld tiles, under the %d bytes that the NoC moves",
                       buda_df_name(view->out_df), (long long)out.r, (long long)out.c, NOC_BYTES);
    }
    // in_df is the format of the tile that travels, whatever the source calls it.
    for (size_t i = 0; i < view->input_count; i++) {
        buda_pair tile;
        if (buda_input_tile(view, i, &tile) &&
            is_under_noc_unit(buda_input_df(view->op, i), tile)) {
            buda_report_op(
                view, BUDA_056, buda_input_pos(view->op, i),
                "reads %s in %lldx%lld tiles as input %zu, under the %d bytes that the NoC moves",
                buda_df_name(buda_input_df(view->op, i)), (long long)tile.r, (long long)tile.c, i,
                NOC_BYTES);
        }
    }
}

// Int8 and Int32 are refused together with any tiny tile of the op, not just as its format.
static void check_tiny_integers(const buda_op_view *view)
{
    static const buda_df integers[] = {BUDA_INT8, BUDA_INT32};
    if (!has_tiny_tile(view, view->input_count)) {
        return;
    }
    for (size_t i = 0; i < view->op->in_df.count; i++) {
        const buda_df df = buda_input_df(view->op, i);
        if (buda_df_in(df, integers, HOIST_COUNT_OF(integers))) {
            buda_report_op(view, BUDA_056, buda_input_df_pos(view->op, i),
                           "reads %s as input %zu, which tiny tiles do not hold", buda_df_name(df),
                           i);
        }
    }
    if (buda_df_in(view->out_df, integers, HOIST_COUNT_OF(integers))) {
        buda_report_op(view, BUDA_056, view->op->out_df.pos,
                       "writes %s, which tiny tiles do not hold", buda_df_name(view->out_df));
    }
}

// Input 2 does not count: a bias of 1x32 is allowed.
static void check_tiny_matmul(const buda_op_view *view)
{
    // Names of no sfpu op ("invalid" is in real files) mean that nothing is fused.
    const buda_attribute *sfpu = buda_attr_find(&view->op->attributes, HOIST_ATTR_SFPU_OP);
    if (view->identity || !has_tiny_tile(view, 2)) {
        return;
    }
    if (sfpu && hoist_op_get(hoist_op_find(sfpu->text))->family == HOIST_FAMILY_SFPU) {
        buda_report_op(view, BUDA_056, sfpu->pos,
                       "is a matmul of tiny tiles with an sfpu_op, it cannot fuse one");
    }
    if (view->gradient) {
        buda_report_op(view, BUDA_056, view->op->gradient_op.pos,
                       "is a matmul of tiny tiles with gradient_op, it cannot accumulate");
    }
}

// Rule 56, on devices after grayskull.
static void check_tiny(const buda_op_view *view)
{
    // On grayskull rule 42 refuses each of them.
    if (view->check->arch == BUDA_GRAYSKULL) {
        return;
    }
    check_tiny_inputs(view);
    check_tiny_sizes(view);
    check_tiny_integers(view);
    if (view->family == HOIST_FAMILY_MATMUL) {
        check_tiny_matmul(view);
    }
}

// Rule 87: a binary op reads equal tiles; the number of its inputs is check_op.c's.

static void check_binary_tiles(const buda_op_view *view)
{
    buda_pair first;
    buda_pair second;
    if (view->op->inputs.count == 2 && buda_input_tile(view, 0, &first) &&
        buda_input_tile(view, 1, &second) && !buda_tile_is(first, second.r, second.c)) {
        buda_report_op(view, BUDA_087, buda_input_pos(view->op, 1),
                       "is binary and reads %lldx%lld and %lldx%lld tiles, expected equal ones",
                       (long long)first.r, (long long)first.c, (long long)second.r,
                       (long long)second.c);
    }
}

// Rule 88: tiles of input 0 and output of ops that work element by element.

// Only where the file has the attribute: the default that the vendor derives from the tile
// satisfies the rule.
static void check_sfpu_vector(const buda_op_view *view)
{
    const buda_attribute *vector = buda_attr_find(&view->op->attributes, HOIST_ATTR_VECTOR);
    buda_pair tile;
    if (!vector || !buda_input_tile(view, 0, &tile) || !is_tiny(tile)) {
        return;
    }
    const char *expected = buda_tile_is(tile, 32, 16) ? "c" : "r"; // half as many columns
    if (!hoist_str_equal_c(vector->text, expected)) {
        buda_report_op(view, BUDA_088a, vector->pos,
                       "has vector %.*s, expected %s for an input of %lldx%lld tiles",
                       HOIST_STR_ARGS(vector->text), expected, (long long)tile.r,
                       (long long)tile.c);
    }
}

// Input `i` is 32x16 exactly when the output is.
static void check_half_tiles(const buda_op_view *view, buda_rule rule, size_t i)
{
    buda_pair tile;
    const buda_pair out = buda_tile_dim(view->op->tile_dim);
    if (buda_input_tile(view, i, &tile) &&
        buda_tile_is(tile, 32, 16) != buda_tile_is(out, 32, 16)) {
        buda_report_op(view, rule, buda_input_pos(view->op, i),
                       "reads %lldx%lld tiles as input %zu and writes %lldx%lld, expected 32x16 on "
                       "both or none",
                       (long long)tile.r, (long long)tile.c, i, (long long)out.r, (long long)out.c);
    }
}

static void check_eltwise_tiles(const buda_op_view *view)
{
    check_half_tiles(view, BUDA_088b, 0);
}

// The accumulated tile is read back as an operand.
static void check_gradient_tile(const buda_op_view *view)
{
    const buda_pair out = buda_tile_dim(view->op->tile_dim);
    buda_pair tile;
    if (view->gradient && buda_input_tile(view, 0, &tile) && !buda_tile_is(tile, out.r, out.c)) {
        buda_report_op(
            view, BUDA_088c, buda_input_pos(view->op, 0),
            "is a gradient, reads %lldx%lld tiles and writes %lldx%lld, expected equal ones",
            (long long)tile.r, (long long)tile.c, (long long)out.r, (long long)out.c);
    }
}

// reduce has one type, max; its absence is rule 40a.
static void check_reduce_tile(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const buda_pair tile = buda_tile_dim(view->op->tile_dim);
    const bool half = buda_tile_is(tile, 32, 16);
    if (!buda_attr_is(attributes, HOIST_ATTR_TYPE, "max")) {
        return;
    }
    if (buda_attr_is(attributes, HOIST_ATTR_DIM, "r") && half) {
        buda_report_op(view, BUDA_088d, view->op->tile_dim.pos,
                       "reduces r into 32x16 tiles, expected 32 columns");
    }
    if (buda_attr_is(attributes, HOIST_ATTR_DIM, "c") && is_tiny(tile) && !half) {
        buda_report_op(view, BUDA_088d, view->op->tile_dim.pos,
                       "reduces c into %lldx%lld tiles, expected 32x32 or 32x16", (long long)tile.r,
                       (long long)tile.c);
    }
}

// Rules 89 and 90: tiles of a matmul's input 1, and of transposed inputs.

static void check_matmul_tiles(const buda_op_view *view)
{
    check_half_tiles(view, BUDA_089, 1);
}

// By the source's tile, before the transpose exchanges its sides.
static void check_transposed_tiles(const buda_op_view *view)
{
    for (const buda_input_keys *keys = view->op->input_keys; keys; keys = keys->next) {
        hoist_pos pos = {0, 0};
        buda_pair tile;
        if (buda_tms_transposes(&keys->tms, &pos) > 0 &&
            buda_source_tile(view, (size_t)keys->input, &tile) && !buda_tile_is(tile, 32, 32) &&
            !buda_tile_is(tile, 16, 32)) {
            buda_report_op(view, BUDA_090, pos,
                           "transposes %lldx%lld tiles of input %d, expected 32x32 or 16x32",
                           (long long)tile.r, (long long)tile.c, keys->input);
        }
    }
}

// Families in the first column, 0 for all.
// clang-format off
static const buda_op_check checks[] = {
    {0, check_grayskull_tile},
    {0, check_tiny},
    {BUDA_FAMILY(BINARY), check_binary_tiles},
    {BUDA_FAMILY(SFPU), check_sfpu_vector},
    {BUDA_FAMILY(UNARY) | BUDA_FAMILY(SFPU) | BUDA_FAMILY(BINARY) | BUDA_FAMILY(TILIZER), check_eltwise_tiles},
    {BUDA_FAMILY(UNARY), check_gradient_tile},
    {BUDA_FAMILY(REDUCE), check_reduce_tile},
    {BUDA_FAMILY(MATMUL), check_matmul_tiles},
    {BUDA_FAMILY(MATMUL), check_transposed_tiles},
};
// clang-format on

void buda_check_op_tiles(const buda_op_view *view)
{
    buda_op_checks_run(checks, HOIST_COUNT_OF(checks), view);
}
