// program/verify_data.c - the operands of moves, computes and collectives. Their views are sound.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/judge.h"

static const hoist_judge_layout *layout_of(hoist_judge *j, hoist_ref view)
{
    return hoist_judge_layout_at(j, j->program->views[view].layout);
}

// Moves ------------------------------------------------------------------------------------------

static bool judge_extremum(hoist_judge *j, const hoist_prog_move *move)
{
    static const hoist_dtype types[HOIST_MOVE_ARITHMETIC_COUNT] = {
        [HOIST_MOVE_IN_F32] = HOIST_DTYPE_NONE, // any
        [HOIST_MOVE_IN_I32] = HOIST_DTYPE_I32,
        [HOIST_MOVE_IN_U32] = HOIST_DTYPE_U32,
    };
    const bool is_extremum = move->op == HOIST_MOVE_MIN || move->op == HOIST_MOVE_MAX;
    if (move->has_start && !is_extremum) {
        return hoist_judge_fail(j, HOIST_PRG_027, "only min and max have a start value");
    }
    if (move->arithmetic == HOIST_MOVE_IN_F32) {
        return true;
    }
    if (!is_extremum) {
        return hoist_judge_fail(j, HOIST_PRG_027, "only min and max compare integers");
    }
    const hoist_dtype wanted = types[move->arithmetic];
    for (uint32_t i = 0; i <= move->source_count; i++) {
        const hoist_ref view = i < move->source_count ? move->sources[i].view : move->destination;
        const hoist_dtype dtype = j->program->views[view].dtype;
        if (dtype != wanted) {
            return hoist_judge_fail(j, HOIST_PRG_027, "operand %" PRIu32 " is %s, computed in %s",
                                    i, hoist_dtype_get(dtype)->name, hoist_dtype_get(wanted)->name);
        }
    }
    return true;
}

static bool judge_move_form(hoist_judge *j, const hoist_prog_move *move)
{
    const bool tiled = layout_of(j, move->destination)->tiled;
    const bool copies = move->op == HOIST_MOVE_COPY;
    const bool casts = move->op == HOIST_MOVE_CAST;
    if (move->source_count > HOIST_MOVE_MAX_SOURCES || (!move->table && move->source_count == 0)) {
        return hoist_judge_fail(j, HOIST_PRG_027, "%" PRIu32 " sources, wanted 1 to %d",
                                move->source_count, HOIST_MOVE_MAX_SOURCES);
    }
    if (copies ? move->source_count > 1 && !move->table : move->table != NULL) {
        return hoist_judge_fail(j, HOIST_PRG_027, "%s",
                                copies ? "a copy of several sources has no table"
                                       : "only copies have a table");
    }
    if (casts && move->source_count != 1) {
        return hoist_judge_fail(j, HOIST_PRG_027, "%" PRIu32 " sources, a cast has one",
                                move->source_count);
    }
    if (!judge_extremum(j, move)) {
        return false;
    }
    if (move->transpose_rank &&
        (!(copies || casts) || move->source_count != 1 || move->table || tiled)) {
        return hoist_judge_fail(j, HOIST_PRG_027,
                                "only the copy or cast of one strided source transposes");
    }
    if (tiled && !copies) {
        return hoist_judge_fail(j, HOIST_PRG_027, "tiled views are only copied");
    }
    for (uint32_t i = 0; i < move->source_count; i++) {
        if (layout_of(j, move->sources[i].view)->tiled != tiled) {
            return hoist_judge_fail(j, HOIST_PRG_027,
                                    "source %" PRIu32 " is %s, the destination %s", i,
                                    tiled ? "strided" : "tiled", tiled ? "tiled" : "strided");
        }
    }
    return true;
}

static void judge_move_table(hoist_judge *j, const hoist_prog_move *move, uint64_t wanted)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < move->source_count; i++) {
        if (hoist_ckd_add(&total, total, layout_of(j, move->sources[i].view)->elements)) {
            total = UINT64_MAX; // more than any item can name
        }
    }
    if (move->table_count != wanted) {
        (void)hoist_judge_fail(j, HOIST_PRG_029,
                               "the table has %" PRIu32 " items, the destination %" PRIu64,
                               move->table_count, wanted);
        return;
    }
    for (uint32_t i = 0; i < move->table_count; i++) {
        if (move->table[i] < -1 || (move->table[i] >= 0 && (uint64_t)move->table[i] >= total)) {
            (void)hoist_judge_fail(j, HOIST_PRG_029,
                                   "item %" PRIu32 " is %" PRId32 ", the sources have %" PRIu64, i,
                                   move->table[i], total);
            return;
        }
    }
}

static void judge_transpose(hoist_judge *j, const hoist_prog_move *move)
{
    const hoist_ref source = j->program->views[move->sources[0].view].layout;
    const uint32_t rank = (uint32_t)j->program->layouts[source].shape.rank;
    bool seen[HOIST_MAX_RANK] = {false};
    bool ok = move->transpose_rank == rank;
    for (uint32_t i = 0; ok && i < rank; i++) {
        const uint8_t axis = move->transpose_axes[i];
        ok = axis < rank && !seen[axis];
        seen[ok ? axis : 0] = true;
    }
    if (!ok) {
        (void)hoist_judge_fail(
            j, HOIST_PRG_030, "the axes are no permutation of the %" PRIu32 " of the source", rank);
    }
}

static bool overlaps(const hoist_judge_range *a, const hoist_judge_range *b)
{
    return a->buffer == b->buffer && a->begin < b->end && b->begin < a->end;
}

static void judge_tile_move(hoist_judge *j, const hoist_prog_move *move)
{
    hoist_judge_range to;
    hoist_judge_range from;
    for (uint32_t i = 0; i < move->source_count; i++) {
        if (hoist_judge_range_of(j, move->destination, &to) &&
            hoist_judge_range_of(j, move->sources[i].view, &from) && overlaps(&to, &from)) {
            (void)hoist_judge_fail(j, HOIST_PRG_031,
                                   "source %" PRIu32 " has tiles of the destination", i);
        }
    }
}

static void judge_move(hoist_judge *j, const hoist_prog_move *move)
{
    const hoist_judge_layout *to = layout_of(j, move->destination);
    if (!judge_move_form(j, move)) {
        return;
    }
    if (move->transpose_rank) {
        judge_transpose(j, move);
    }
    if (to->tiled) {
        judge_tile_move(j, move);
    }
    if (move->table) {
        judge_move_table(j, move, to->elements);
        return;
    }
    for (uint32_t i = 0; i < move->source_count; i++) {
        const uint64_t count = layout_of(j, move->sources[i].view)->elements;
        if (count != to->elements) {
            (void)hoist_judge_fail(
                j, HOIST_PRG_028, "source %" PRIu32 " has %" PRIu64 " %s, the destination %" PRIu64,
                i, count, to->tiled ? "tiles" : "elements", to->elements);
        }
    }
}

// Computes ---------------------------------------------------------------------------------------

static bool judge_operands(hoist_judge *j, const hoist_prog_compute *compute)
{
    const hoist_compute_def *def = hoist_compute_get(compute->op);
    const bool tiled = def->infer != NULL;
    if (compute->input_count < def->min_inputs || compute->input_count > def->max_inputs ||
        compute->output_count != HOIST_COMPUTE_MAX_OUTPUTS) {
        return hoist_judge_fail(
            j, HOIST_PRG_032, "%" PRIu32 " inputs and %" PRIu32 " outputs, wanted %u to %u and %d",
            compute->input_count, compute->output_count, def->min_inputs, def->max_inputs,
            HOIST_COMPUTE_MAX_OUTPUTS);
    }
    for (uint32_t i = 0; i <= compute->input_count; i++) {
        const hoist_ref view = i < compute->input_count ? compute->inputs[i] : compute->outputs[0];
        if (layout_of(j, view)->tiled != tiled) {
            return hoist_judge_fail(j, HOIST_PRG_032, "operand %" PRIu32 " is %s, wanted %s views",
                                    i, tiled ? "strided" : "tiled", tiled ? "tiled" : "strided");
        }
    }
    return true;
}

static bool judge_attrs(hoist_judge *j, const hoist_prog_compute *compute)
{
    const hoist_compute_def *def = hoist_compute_get(compute->op);
    for (uint8_t i = 0; i < def->attr_count; i++) {
        const hoist_compute_attr_def *attr = &def->attrs[i];
        const hoist_compute_value value = compute->attrs.value[i];
        if (attr->kind == HOIST_COMPUTE_INT &&
            (value.integer < attr->min || value.integer > attr->max)) {
            return hoist_judge_fail(j, HOIST_PRG_033,
                                    "%s is %" PRId64 ", wanted %" PRId64 " to %" PRId64, attr->name,
                                    value.integer, attr->min, attr->max);
        }
        if (attr->kind == HOIST_COMPUTE_DTYPE &&
            ((uint32_t)value.dtype >= HOIST_DTYPE_COUNT || value.dtype == HOIST_DTYPE_NONE)) {
            return hoist_judge_fail(j, HOIST_PRG_033, "%s is no element type", attr->name);
        }
    }
    return true;
}

// Rows without operands of their own: each as many elements as the output.
static bool judge_counts(hoist_judge *j, const hoist_prog_compute *compute)
{
    const hoist_judge_layout *to = layout_of(j, compute->outputs[0]);
    for (uint32_t i = 0; i < compute->input_count; i++) {
        const hoist_judge_layout *from = layout_of(j, compute->inputs[i]);
        if (from->elements != to->elements) {
            return hoist_judge_fail(
                j, HOIST_PRG_034, "input %" PRIu32 " has %" PRIu64 " elements, the output %" PRIu64,
                i, from->elements, to->elements);
        }
    }
    return true;
}

static bool judge_tiles(hoist_judge *j, const hoist_prog_compute *compute)
{
    const hoist_compute_def *def = hoist_compute_get(compute->op);
    const hoist_judge_layout *to = layout_of(j, compute->outputs[0]);
    hoist_tile_shape inputs[HOIST_COMPUTE_MAX_INPUTS];
    hoist_tile_shape shape = {0, 0, 0};
    const char *wanted = "other shapes";
    for (uint32_t i = 0; i < compute->input_count; i++) {
        inputs[i] = layout_of(j, compute->inputs[i])->tiles;
    }
    if (!def->infer(&compute->attrs, inputs, compute->input_count, &shape, &wanted)) {
        return hoist_judge_fail(j, HOIST_PRG_034, "%s wants %s", def->name, wanted);
    }
    if (shape.z != to->tiles.z || shape.rows != to->tiles.rows || shape.cols != to->tiles.cols) {
        return hoist_judge_fail(j, HOIST_PRG_034,
                                "the output has %" PRIu64 " slices of %" PRIu64 " x %" PRIu64
                                " tiles, wanted %" PRIu64 " of %" PRIu64 " x %" PRIu64,
                                to->tiles.z, to->tiles.rows, to->tiles.cols, shape.z, shape.rows,
                                shape.cols);
    }
    return true;
}

// Rows with operands of their own.
static bool judge_fit(hoist_judge *j, const hoist_prog_compute *compute)
{
    static const hoist_program_rule rules[] = {[HOIST_FIT_TYPES] = HOIST_PRG_032,
                                               [HOIST_FIT_ATTRIBUTES] = HOIST_PRG_033,
                                               [HOIST_FIT_SHAPES] = HOIST_PRG_034};
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    for (uint32_t i = 0; i <= compute->input_count; i++) {
        const hoist_prog_view *view =
            &j->program->views[i < compute->input_count ? compute->inputs[i] : compute->outputs[0]];
        operands[i] = (hoist_compute_operand){view->dtype, j->program->layouts[view->layout].shape};
    }
    const hoist_compute_fit fit = hoist_compute_fits(compute->op, &compute->attrs, operands, why);
    return fit == HOIST_FIT_OK || hoist_judge_fail(j, rules[fit], "%s", why);
}

static uint64_t size_of(int64_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

// Elements lie apart when, from the shortest stride on, each one steps over all that the shorter
// ones cover. There are layouts for which this is not so and which lie apart; nobody writes them.
static bool lies_apart(const hoist_prog_layout *layout, uint64_t covered)
{
    bool done[HOIST_MAX_RANK] = {false};
    for (int n = 0; n < layout->shape.rank; n++) {
        int shortest = -1;
        for (int i = 0; i < layout->shape.rank; i++) {
            if (!done[i] &&
                (shortest < 0 || size_of(layout->stride[i]) < size_of(layout->stride[shortest]))) {
                shortest = i;
            }
        }
        done[shortest] = true;
        const int64_t dim = layout->shape.dim[shortest];
        const uint64_t stride = size_of(layout->stride[shortest]);
        uint64_t reach = 0;
        if (dim > 1 && (stride < covered || hoist_ckd_mul(&reach, stride, (uint64_t)dim - 1) ||
                        hoist_ckd_add(&covered, covered, reach))) {
            return false;
        }
    }
    return true;
}

static bool judge_output(hoist_judge *j, hoist_ref ref)
{
    const hoist_prog_view *view = &j->program->views[ref];
    const uint64_t bytes = hoist_dtype_get(view->dtype)->bits / 8;
    return lies_apart(&j->program->layouts[view->layout], bytes) ||
           hoist_judge_fail(j, HOIST_PRG_041, "elements of the output share bytes");
}

static bool judge_shapes(hoist_judge *j, const hoist_prog_compute *compute)
{
    const hoist_compute_def *def = hoist_compute_get(compute->op);
    if (def->infer) {
        return judge_tiles(j, compute);
    }
    return (def->operands ? judge_fit(j, compute) : judge_counts(j, compute)) &&
           judge_output(j, compute->outputs[0]);
}

static void judge_in_place(hoist_judge *j, const hoist_prog_compute *compute)
{
    const hoist_prog_view *views = j->program->views;
    hoist_judge_range to;
    hoist_judge_range from;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        if (!hoist_judge_range_of(j, compute->outputs[0], &to) ||
            !hoist_judge_range_of(j, compute->inputs[i], &from) || !overlaps(&to, &from)) {
            continue;
        }
        const hoist_prog_view *a = &views[compute->inputs[i]];
        const hoist_prog_view *y = &views[compute->outputs[0]];
        const bool same = to.begin == from.begin && a->layout == y->layout &&
                          hoist_dtype_get(a->dtype)->bits == hoist_dtype_get(y->dtype)->bits;
        const bool tilewise = hoist_compute_get(compute->op)->tilewise;
        // Views with gaps may lie between each other's elements.
        if (same ? !tilewise : to.whole && from.whole) {
            (void)hoist_judge_fail(j, HOIST_PRG_035, "the output overlaps input %" PRIu32, i);
        }
    }
}

static void judge_compute(hoist_judge *j, const hoist_prog_compute *compute)
{
    if (judge_operands(j, compute) && judge_attrs(j, compute) && judge_shapes(j, compute)) {
        judge_in_place(j, compute);
    }
}

// Collectives ------------------------------------------------------------------------------------

static bool counts_fit(const hoist_prog_collective *c, uint64_t from, uint64_t to)
{
    uint64_t all = 0;
    switch (c->kind) {
    case HOIST_COLLECTIVE_ALL_GATHER:
        return !hoist_ckd_mul(&all, from, c->members) && all == to;
    case HOIST_COLLECTIVE_REDUCE_SCATTER:
        return !hoist_ckd_mul(&all, to, c->members) && all == from;
    default:
        return from == to;
    }
}

static void judge_collective(hoist_judge *j, const hoist_prog_collective *c)
{
    const bool barrier = c->kind == HOIST_COLLECTIVE_BARRIER;
    if (c->rank >= c->members) {
        (void)hoist_judge_fail(j, HOIST_PRG_036, "rank %" PRIu32 " of %" PRIu32 " members", c->rank,
                               c->members);
    }
    if ((c->source == HOIST_NO_REF) != barrier || (c->destination == HOIST_NO_REF) != barrier) {
        (void)hoist_judge_fail(j, HOIST_PRG_036, "%s",
                               barrier ? "a barrier moves nothing"
                                       : "the source or the destination is missing");
        return;
    }
    if (barrier) {
        return;
    }
    const hoist_judge_layout *from = layout_of(j, c->source);
    const hoist_judge_layout *to = layout_of(j, c->destination);
    if (from->tiled != to->tiled || !counts_fit(c, from->elements, to->elements)) {
        (void)hoist_judge_fail(j, HOIST_PRG_036,
                               "%" PRIu64 " elements become %" PRIu64 " with %" PRIu32 " members",
                               from->elements, to->elements, c->members);
    }
}

void hoist_judge_data(hoist_judge *j, const hoist_prog_step *step)
{
    switch (step->kind) {
    case HOIST_STEP_MOVE:
        judge_move(j, step->as.move);
        break;
    case HOIST_STEP_COMPUTE:
        judge_compute(j, step->as.compute);
        break;
    case HOIST_STEP_COLLECTIVE:
        judge_collective(j, step->as.collective);
        break;
    default:
        break;
    }
}
