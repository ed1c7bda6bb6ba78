// Operations whose weights only select numbers (recover_selection.h). In: a group of the walk and
// the next block of parameters; out: which byte of what it reads each byte is that it writes.
//
// An output is the sum of the products of a row of weights with the words that the reduction loops
// go through; with one 1 among zeros, a factor of about 1, equal zero points and no clamps that cut
// anything off it is one of these bytes. Blocks have weights as the reduction loops go through
// them, group after group of rows; the loop over groups is the outermost and reads the same words
// again.
#include "formats/darwinn/recover_selection.h"

#include <math.h>

#include "formats/darwinn/recover_numbers.h"
#include "formats/darwinn/recover_steps.h"

enum { WORD_BYTES = 4, ROWS_OF_GROUP = 64, MOST_STEPS = 1 << 24 };
// Up to 4 rows are stored as such, and may have a mode and class of their own (16.3).
enum { NARROW = 4, MODE_NARROW = 0x30, CLASS_NARROW = 0x328 };

// Finding ----------------------------------------------------------------------------------------

// Whether a number of 8 bits less the zero point, times the factor and rounded, is itself.
static bool keeps_numbers(const dwn_operation *op)
{
    const float nearly = 1.0f / 1024; // less than half a step of 255
    const dwn_clamps clamps = {dwn_float_of(op->low), dwn_float_of(op->high)};
    return op->input_zero == op->output_zero && fabsf(dwn_float_of(op->multiplier) - 1) < nearly &&
           dwn_activation_of(clamps, op->output_zero) == DWN_ACTIVATION_NONE &&
           op->table == DWN_TABLE_NONE && op->constant == 0 && !op->has_multipliers &&
           !op->has_weight_zeros && op->weight_zero == 0;
}

// Groups of rows: the count of the outermost master loop, where it gives outputs and the outermost
// loop over the input stands still as often; else one.
static uint32_t groups_of(const dwn_operation *op)
{
    size_t master = DWN_MASTER_LOOPS;
    size_t a = DWN_LOOPS;
    while (master > 0 && op->master[master - 1] == 1) {
        master--;
    }
    while (a > 0 && op->a.loops[a - 1].count == 1) {
        a--;
    }
    const bool is_over_rows = master > 0 && a > 0 && !(op->reductions >> (master - 1) & 1) &&
                              op->a.loops[a - 1].count == op->master[master - 1] &&
                              op->a.loops[a - 1].stride == 0;
    return is_over_rows ? op->master[master - 1] : 1;
}

// Whether an operation's loops go through as many steps as they have to, and it has such rows.
static bool has_rows(const dwn_operation *op, const dwn_operation *first)
{
    const uint32_t groups = groups_of(op);
    const dwn_steps a = dwn_steps_of(op->a.base, op->a.loops, DWN_LOOPS);
    const dwn_steps b = dwn_steps_of(op->b.base, op->b.loops, DWN_LOOPS);
    return op->steps <= MOST_STEPS && a.count == op->steps &&
           b.count == dwn_times(op->steps / op->reduction, dwn_words_of(op->full_rows)) &&
           op->full_rows == first->full_rows && op->last_rows == first->last_rows &&
           op->reduction == first->reduction && groups == groups_of(first) && !op->is_elsewhere &&
           dwn_steps_are_apart(&a, &b) &&
           (groups == 1 ? op->full_rows == op->last_rows : op->full_rows == ROWS_OF_GROUP);
}

// Whether each master loop ends where a loop over the input does, so that outputs and reductions go
// through addresses of their own, one added to the other.
static bool are_alike(const dwn_operation *op)
{
    uint64_t steps = 1;
    uint64_t read = 1;
    size_t a = 0;
    for (size_t i = 0; i < DWN_MASTER_LOOPS; i++) {
        steps *= op->master[i];
        while (read < steps && a < DWN_LOOPS) {
            read *= op->a.loops[a++].count;
        }
        if (read != steps) {
            return false;
        }
    }
    return true;
}

bool dwn_may_select(const dwn_operation *op)
{
    // The other mode of sums of products, which a factor of 1 leaves without a kind.
    const bool is_narrow = op->kind == DWN_KIND_UNKNOWN && op->mode == MODE_NARROW &&
                           op->code == CLASS_NARROW && op->full_rows == NARROW;
    return keeps_numbers(op) && op->opcode == DWN_OP_TENSOR &&
           (op->kind == DWN_KIND_CONVOLUTION || is_narrow || op->is_times_one);
}

static bool may_select(const dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *first = &w->operations.items[group->first];
    bool is_so = dwn_may_select(first);
    for (uint32_t i = 0; i < group->count && is_so; i++) {
        is_so = has_rows(&first[i], first) && are_alike(&first[i]) &&
                first[i].is_times_one == first->is_times_one;
    }
    return is_so;
}

static uint32_t rows_of(const dwn_operation *op)
{
    return (groups_of(op) - 1) * op->full_rows + op->last_rows;
}

// Rows that select nothing at all are those of another block.
static bool selects_any(const uint32_t *from, uint32_t rows)
{
    uint32_t row = 0;
    while (row < rows && from[row] == DWN_NONE) {
        row++;
    }
    return row < rows;
}

// The bytes that rows of parameters select, and these. HOIST_OK, `*out_from` NULL: the rows select
// none; HOIST_NO_MEMORY.
static hoist_status read_rows(const dwn_walk *w, const dwn_group *group, const uint32_t **out_from,
                              dwn_piece *out_piece)
{
    const dwn_operation *first = &w->operations.items[group->first];
    const dwn_supply supply = dwn_group_supply(&w->operations, group);
    const dwn_block_shape shape = {.rows = rows_of(first),
                                   .steps = first->reduction,
                                   .rows_of_group = rows_of(first) <= NARROW ? NARROW : 0,
                                   .has_bias = first->has_bias};
    *out_from = NULL;
    if (!dwn_block_find(&w->sources, dwn_block_size(&shape), supply.source == DWN_SUPPLY_STREAMED,
                        out_piece) ||
        !dwn_supply_is(&supply, out_piece)) {
        return HOIST_OK;
    }
    uint32_t *from = hoist_arena_array(w->scratch, shape.rows, sizeof(*from));
    if (from && dwn_block_selects(&shape, dwn_block_bytes(&w->sources, out_piece), from) &&
        selects_any(from, shape.rows)) {
        *out_from = from;
    }
    return from ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status dwn_take_selection(dwn_walk *w, const dwn_group *group, bool *out_is_taken)
{
    // A word times 1, whichever of its bytes the 1 is for, keeps its first byte.
    static const uint32_t first_byte[WORD_BYTES] = {0, DWN_NONE, DWN_NONE, DWN_NONE};
    dwn_operation *first = &w->operations.items[group->first];
    const uint32_t *from = first_byte;
    dwn_piece piece = {.size = 0};
    *out_is_taken = false;
    if (!may_select(w, group)) {
        return HOIST_OK;
    }
    if (!first->is_times_one) {
        HOIST_TRY(read_rows(w, group, &from, &piece));
    }
    const uint32_t rows = rows_of(first);
    dwn_selection *s = hoist_arena_alloc(w->scratch, sizeof(*s));
    int64_t *after = hoist_arena_array(w->scratch, rows, sizeof(*after));
    if (!s || !after || !from) {
        return s && after ? HOIST_OK : HOIST_NO_MEMORY;
    }
    *s = (dwn_selection){.groups = groups_of(first),
                         .rows = rows,
                         .after = after,
                         .full = first->full_rows,
                         .last = first->last_rows,
                         .from = from,
                         .piece = piece,
                         .group = (uint32_t)(group - w->operations.groups),
                         .chain = s,
                         .before = w->selection};
    for (uint32_t i = 0; i < group->count; i++) {
        first[i].selection = s;
    }
    if (piece.size > 0) {
        dwn_block_take(&w->sources, &piece);
    }
    w->selection = s;
    w->zeros[first->output_zero]++; // what it writes is none of the values that there are
    *out_is_taken = true;
    return HOIST_OK;
}

dwn_selection *dwn_selection_chain(dwn_selection *selection)
{
    while (selection->chain != selection) {
        selection->chain = selection->chain->chain;
        selection = selection->chain;
    }
    return selection;
}

// Words ------------------------------------------------------------------------------------------

uint64_t dwn_selected_outputs(const dwn_operation *op)
{
    return op->steps / op->reduction;
}

// The step of an output and of a reduction, among all.
static uint64_t step_of(const dwn_operation *op, uint64_t output, uint64_t reduction)
{
    uint64_t step = 0;
    uint64_t inside = 1;
    for (size_t i = 0; i < DWN_MASTER_LOOPS; i++) {
        uint64_t *const index = op->reductions >> i & 1 ? &reduction : &output;
        step += *index % op->master[i] * inside;
        *index /= op->master[i];
        inside *= op->master[i];
    }
    return step;
}

dwn_steps dwn_selection_begin(const dwn_operation *op)
{
    const dwn_selection *s = op->selection;
    for (uint32_t row = 0; row < s->rows; row++) {
        if (s->from[row] != DWN_NONE) {
            const uint64_t step = step_of(op, 0, s->from[row] / WORD_BYTES);
            s->after[row] = dwn_address_at(0, op->a.loops, DWN_LOOPS, step);
        }
    }
    // Each master loop ends where a loop over the input does: those of reductions stand still.
    dwn_loop loops[DWN_LOOPS];
    size_t a = 0;
    for (size_t i = 0; i < DWN_MASTER_LOOPS; i++) {
        for (uint64_t steps = 1; steps < op->master[i] && a < DWN_LOOPS; a++) {
            steps *= op->a.loops[a].count;
            loops[a] = op->a.loops[a];
            loops[a].count = op->reductions >> i & 1 ? 1 : loops[a].count;
        }
    }
    return dwn_steps_of(op->a.base, loops, a);
}

dwn_selected dwn_selection_at(const dwn_operation *op, uint64_t output, int64_t address)
{
    const dwn_selection *s = op->selection;
    const uint64_t of_group = dwn_selected_outputs(op) / s->groups; // the outermost loop
    const uint32_t group = (uint32_t)(output / of_group);
    return (dwn_selected){.address = address,
                          .first = group * s->full,
                          .rows = group + 1 == s->groups ? s->last : s->full};
}
