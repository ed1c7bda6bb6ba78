// The operands of moves, computes and collectives: counts, types, shapes and tables (ops/compute.h
// has the patterns). Their views are sound by then: verify_views.c was before.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/verifier.h"

// Sound views have layouts that were measured.
static const hoist_measured_layout *layout_of(hoist_verifier *v, hoist_ref view)
{
    return hoist_verifier_layout(v, v->program->views[view].layout);
}

// Moves ------------------------------------------------------------------------------------------

// The last operand of the loop is the destination.
static bool check_extremum(hoist_verifier *v, const hoist_prog_move *move)
{
    static const hoist_dtype types[HOIST_MOVE_ARITHMETIC_COUNT] = {
        [HOIST_MOVE_IN_F32] = HOIST_DTYPE_NONE, // any
        [HOIST_MOVE_IN_I32] = HOIST_DTYPE_I32,
        [HOIST_MOVE_IN_U32] = HOIST_DTYPE_U32,
    };
    const bool is_extremum = move->op == HOIST_MOVE_MIN || move->op == HOIST_MOVE_MAX;
    if (move->has_start && !is_extremum) {
        return hoist_verifier_fail(v, HOIST_PRG_027, "only min and max have a start value");
    }
    if (move->arithmetic == HOIST_MOVE_IN_F32) {
        return true;
    }
    if (!is_extremum) {
        return hoist_verifier_fail(v, HOIST_PRG_027, "only min and max compare integers");
    }
    const hoist_dtype expected = types[move->arithmetic];
    for (uint32_t i = 0; i <= move->source_count; i++) {
        const hoist_ref view = i < move->source_count ? move->sources[i].view : move->destination;
        const hoist_dtype dtype = v->program->views[view].dtype;
        if (dtype != expected) {
            return hoist_verifier_fail(
                v, HOIST_PRG_027, "operand %" PRIu32 " is %s, computed in %s", i,
                hoist_dtype_get(dtype)->name, hoist_dtype_get(expected)->name);
        }
    }
    return true;
}

// Everything about a move but counts: later checks index sources by it.
static bool check_move_form(hoist_verifier *v, const hoist_prog_move *move)
{
    const bool tiled = layout_of(v, move->destination)->tiled;
    const bool copies = move->op == HOIST_MOVE_COPY;
    const bool casts = move->op == HOIST_MOVE_CAST;
    if (move->source_count > HOIST_MOVE_MAX_SOURCES || (!move->table && move->source_count == 0)) {
        return hoist_verifier_fail(v, HOIST_PRG_027, "%" PRIu32 " sources, expected 1 to %d",
                                   move->source_count, HOIST_MOVE_MAX_SOURCES);
    }
    // A table names elements of all sources joined; without one a copy is of one source.
    if (copies ? move->source_count > 1 && !move->table : move->table != NULL) {
        return hoist_verifier_fail(v, HOIST_PRG_027, "%s",
                                   copies ? "a copy of several sources has no table"
                                          : "only copies have a table");
    }
    if (casts && move->source_count != 1) {
        return hoist_verifier_fail(v, HOIST_PRG_027, "%" PRIu32 " sources, a cast has one",
                                   move->source_count);
    }
    if (!check_extremum(v, move)) {
        return false;
    }
    if (move->transpose_rank &&
        (!(copies || casts) || move->source_count != 1 || move->table || tiled)) {
        return hoist_verifier_fail(v, HOIST_PRG_027,
                                   "only the copy or cast of one strided source transposes");
    }
    if (tiled && !copies) {
        return hoist_verifier_fail(v, HOIST_PRG_027, "tiled views are only copied");
    }
    // Tiles and elements do not mix: a tile is 1,024 of them in its own order.
    for (uint32_t i = 0; i < move->source_count; i++) {
        if (layout_of(v, move->sources[i].view)->tiled != tiled) {
            return hoist_verifier_fail(v, HOIST_PRG_027,
                                       "source %" PRIu32 " is %s, the destination %s", i,
                                       tiled ? "strided" : "tiled", tiled ? "tiled" : "strided");
        }
    }
    return true;
}

// The first item that is wrong is enough: tables may have thousands.
static void check_move_table(hoist_verifier *v, const hoist_prog_move *move, uint64_t expected)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < move->source_count; i++) {
        if (hoist_ckd_add(&total, total, layout_of(v, move->sources[i].view)->elements)) {
            total = UINT64_MAX; // more than any item can name
        }
    }
    if (move->table_count != expected) {
        (void)hoist_verifier_fail(v, HOIST_PRG_029,
                                  "the table has %" PRIu32 " items, the destination %" PRIu64,
                                  move->table_count, expected);
        return;
    }
    for (uint32_t i = 0; i < move->table_count; i++) {
        if (move->table[i] < -1 || (move->table[i] >= 0 && (uint64_t)move->table[i] >= total)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_029,
                                      "item %" PRIu32 " is %" PRId32 ", the sources have %" PRIu64,
                                      i, move->table[i], total);
            return;
        }
    }
}

// A permutation: every axis once.
static void check_transpose(hoist_verifier *v, const hoist_prog_move *move)
{
    const hoist_ref source = v->program->views[move->sources[0].view].layout;
    const uint32_t rank = (uint32_t)v->program->layouts[source].shape.rank;
    bool seen[HOIST_MAX_RANK] = {false};
    bool ok = move->transpose_rank == rank;
    for (uint32_t i = 0; ok && i < rank; i++) {
        const uint8_t axis = move->transpose_axes[i];
        ok = axis < rank && !seen[axis];
        seen[ok ? axis : 0] = true;
    }
    if (!ok) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_030, "the axes are no permutation of the %" PRIu32 " of the source", rank);
    }
}

// By bounds: views with gaps may overlap here without sharing a byte.
static bool overlaps(const hoist_view_range *a, const hoist_view_range *b)
{
    return a->buffer == b->buffer && a->begin < b->end && b->begin < a->end;
}

// A tile is moved as a whole, several at a time.
static void check_tile_move(hoist_verifier *v, const hoist_prog_move *move)
{
    hoist_view_range to;
    hoist_view_range from;
    for (uint32_t i = 0; i < move->source_count; i++) {
        if (hoist_verifier_range(v, move->destination, &to) &&
            hoist_verifier_range(v, move->sources[i].view, &from) && overlaps(&to, &from)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_031,
                                      "source %" PRIu32 " has tiles of the destination", i);
        }
    }
}

// Without a table every source has as many elements as the destination.
static void check_move(hoist_verifier *v, const hoist_prog_move *move)
{
    const hoist_measured_layout *to = layout_of(v, move->destination);
    if (!check_move_form(v, move)) {
        return;
    }
    if (move->transpose_rank) {
        check_transpose(v, move);
    }
    if (to->tiled) {
        check_tile_move(v, move);
    }
    if (move->table) {
        check_move_table(v, move, to->elements);
        return;
    }
    for (uint32_t i = 0; i < move->source_count; i++) {
        const uint64_t count = layout_of(v, move->sources[i].view)->elements;
        if (count != to->elements) {
            (void)hoist_verifier_fail(
                v, HOIST_PRG_028, "source %" PRIu32 " has %" PRIu64 " %s, the destination %" PRIu64,
                i, count, to->tiled ? "tiles" : "elements", to->elements);
        }
    }
}

// Computes ---------------------------------------------------------------------------------------

// Number and layout, before types and shapes, which are looked up by them.
static bool check_operands(hoist_verifier *v, const hoist_prog_compute *compute)
{
    const hoist_compute_def *def = hoist_compute_get(compute->op);
    if (compute->input_count != def->inputs || compute->output_count != HOIST_COMPUTE_MAX_OUTPUTS) {
        return hoist_verifier_fail(
            v, HOIST_PRG_032, "%" PRIu32 " inputs and %" PRIu32 " outputs, expected %u and %d",
            compute->input_count, compute->output_count, def->inputs, HOIST_COMPUTE_MAX_OUTPUTS);
    }
    for (uint32_t i = 0; i <= compute->input_count; i++) {
        const hoist_ref view = i < compute->input_count ? compute->inputs[i] : compute->outputs[0];
        if (layout_of(v, view)->tiled != def->tiled) {
            return hoist_verifier_fail(
                v, HOIST_PRG_032, "operand %" PRIu32 " is %s, expected %s views", i,
                def->tiled ? "strided" : "tiled", def->tiled ? "tiled" : "strided");
        }
    }
    return true;
}

// Attributes, element types and shapes.
// ops/compute.h says which kind of misfit it is, and why in words.
static bool check_fit(hoist_verifier *v, const hoist_prog_compute *compute)
{
    static const hoist_program_rule rules[] = {[HOIST_FIT_TYPES] = HOIST_PRG_032,
                                               [HOIST_FIT_ATTRIBUTES] = HOIST_PRG_033,
                                               [HOIST_FIT_SHAPES] = HOIST_PRG_034};
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    for (uint32_t i = 0; i <= compute->input_count; i++) {
        const hoist_ref ref = i < compute->input_count ? compute->inputs[i] : compute->outputs[0];
        const hoist_prog_view *view = &v->program->views[ref];
        const hoist_measured_layout *layout = layout_of(v, ref);
        operands[i] =
            layout->tiled
                ? hoist_compute_tiles(layout->tiles)
                : (hoist_compute_operand){.shape = v->program->layouts[view->layout].shape};
        operands[i].dtype = view->dtype;
    }
    const hoist_compute_fit fit = hoist_compute_fits(compute->op, &compute->attrs, operands, why);
    return fit == HOIST_FIT_OK || hoist_verifier_fail(v, rules[fit], "%s", why);
}

// Tiles are never shared.
// Elements that share bytes would be written by several workers at once.
static bool check_output(hoist_verifier *v, const hoist_prog_compute *compute)
{
    const hoist_prog_view *view = &v->program->views[compute->outputs[0]];
    const uint64_t bytes = hoist_dtype_get(view->dtype)->bits / 8;
    return hoist_compute_get(compute->op)->tiled ||
           hoist_verifier_lies_apart(&v->program->layouts[view->layout], bytes) ||
           hoist_verifier_fail(v, HOIST_PRG_041, "elements of the output share bytes");
}

// Views whose memory is not known here are checked when they run.
static void check_in_place(hoist_verifier *v, const hoist_prog_compute *compute)
{
    const hoist_prog_view *views = v->program->views;
    hoist_view_range to;
    hoist_view_range from;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        if (!hoist_verifier_range(v, compute->outputs[0], &to) ||
            !hoist_verifier_range(v, compute->inputs[i], &from) || !overlaps(&to, &from)) {
            continue;
        }
        const hoist_prog_view *a = &views[compute->inputs[i]];
        const hoist_prog_view *y = &views[compute->outputs[0]];
        // Element i of the output is where element i of the input was.
        const bool same = to.begin == from.begin && a->layout == y->layout &&
                          hoist_dtype_get(a->dtype)->bits == hoist_dtype_get(y->dtype)->bits;
        // Element-wise work reads an element before it writes it.
        const bool tilewise = hoist_compute_get(compute->op)->tilewise;
        // Views with gaps may lie between each other's elements.
        if (same ? !tilewise : to.whole && from.whole) {
            (void)hoist_verifier_fail(v, HOIST_PRG_035, "the output overlaps input %" PRIu32, i);
        }
    }
}

// Each check relies on the one before.
static void check_compute(hoist_verifier *v, const hoist_prog_compute *compute)
{
    if (check_operands(v, compute) && check_fit(v, compute) && check_output(v, compute)) {
        check_in_place(v, compute);
    }
}

// Collectives ------------------------------------------------------------------------------------

// all_gather joins the parts of all members, reduce_scatter gives each its part.
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

// Views are counted only where they have to be there.
static void check_collective(hoist_verifier *v, const hoist_prog_collective *c)
{
    const bool barrier = c->kind == HOIST_COLLECTIVE_BARRIER;
    if (c->rank >= c->members) {
        (void)hoist_verifier_fail(v, HOIST_PRG_036, "rank %" PRIu32 " of %" PRIu32 " members",
                                  c->rank, c->members);
    }
    if ((c->source == HOIST_NO_REF) != barrier || (c->destination == HOIST_NO_REF) != barrier) {
        (void)hoist_verifier_fail(v, HOIST_PRG_036, "%s",
                                  barrier ? "a barrier moves nothing"
                                          : "the source or the destination is missing");
        return;
    }
    if (barrier) {
        return;
    }
    const hoist_measured_layout *from = layout_of(v, c->source);
    const hoist_measured_layout *to = layout_of(v, c->destination);
    if (from->tiled != to->tiled || !counts_fit(c, from->elements, to->elements)) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_036, "%" PRIu64 " elements become %" PRIu64 " with %" PRIu32 " members",
            from->elements, to->elements, c->members);
    }
}

// Control steps and opaque ones have no operands that must fit each other.
void hoist_verify_data(hoist_verifier *v, const hoist_prog_step *step)
{
    switch (step->kind) {
    case HOIST_STEP_MOVE:
        check_move(v, step->as.move);
        break;
    case HOIST_STEP_COMPUTE:
        check_compute(v, step->as.compute);
        break;
    case HOIST_STEP_COLLECTIVE:
        check_collective(v, step->as.collective);
        break;
    default:
        break;
    }
}
