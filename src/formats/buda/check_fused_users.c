// formats/buda/check_fused_users.c - the ops that use definitions of fused ops: each names one that
// exists and has its inputs.
//
// Facts: buda-netlist reference section 5.3 (rule 61) and 5.4 (rule 64).
// Out: buda_fused_users, the table that check_fused.c walks.
#include "base/span.h"
#include "formats/buda/frames.h"
#include "formats/buda/fused_view.h"

#define MAX_MULTICASTS 2 // rule 61, for the inputs of one fused op

// The inputs and multicasts seen so far in the walk over a definition's operands.
typedef struct multicast_count {
    uint64_t seen; // inputs that a sub-op before reads
    int count;
} multicast_count;

// Rule 61: a core multicasts input 0 of a matmul along its row, input 1 along its column. Only the
// first reader of an input counts. A grid of one column has nobody to multicast to along a row.
static void count_multicasts(const buda_op_view *user, const buda_sub_op *op, multicast_count *sum)
{
    const buda_pair grid = user->op->grid_size;
    for (size_t k = 0; k < op->inputs.count; k++) {
        const buda_operand operand = buda_operand_of(op->inputs.items[k].text);
        // Beyond rule 61's own limit.
        if (operand.kind != BUDA_OPERAND_INPUT || operand.number >= BUDA_MAX_INPUTS) {
            continue;
        }
        const uint64_t bit = UINT64_C(1) << operand.number;
        if (!(sum->seen & bit) && op->op == HOIST_OP_MATMUL && (k == 0 ? grid.c : grid.r) > 1) {
            sum->count++;
        }
        sum->seen |= bit;
    }
}

// Counted per user and not per definition, because the grid is the user's.
static void check_multicasts(const buda_op_view *user, const buda_fused *fused)
{
    multicast_count sum = {0, 0};
    for (size_t s = 0; s < fused->schedule_count; s++) {
        for (size_t i = 0; i < fused->schedules[s].count; i++) {
            count_multicasts(user, &fused->schedules[s].ops[i], &sum);
        }
    }
    if (sum.count > MAX_MULTICASTS) {
        buda_report(user->check->diag, BUDA_061, buda_op_pos(user->op, user->op->inputs.pos),
                    "op '%.*s' multicasts %d inputs to matmuls, expected at most %d",
                    HOIST_STR_ARGS(user->op->name.text), sum.count, MAX_MULTICASTS);
    }
}

// Index of the definition that `user` names; BUDA_NO_INDEX and a finding when there is none. The
// attribute is text: `fused_op_id: 0` is the name "0".
static size_t find_definition(const buda_op_view *user, const hoist_map *names)
{
    const buda_attribute *id = buda_attr_find(&user->op->attributes, HOIST_ATTR_FUSED_OP_ID);
    size_t index = BUDA_NO_INDEX;
    if (!id) {
        buda_report_op(user, BUDA_064, user->op->type.pos, "has no attribute 'fused_op_id'");
    } else if (!hoist_map_find(names, id->text, &index)) {
        index = BUDA_NO_INDEX;
        buda_report(user->check->diag, BUDA_064, id->pos,
                    "op '%.*s' has fused_op_id '%.*s', which fused_ops does not define",
                    HOIST_STR_ARGS(user->op->name.text), HOIST_STR_ARGS(id->text));
    }
    return index;
}

// Returns the definition even if the number of inputs is wrong, so that its sub-ops are checked
// for this user.
static size_t check_user(const buda_op_view *user, const hoist_map *names)
{
    const size_t index = find_definition(user, names);
    if (index == BUDA_NO_INDEX) {
        return index;
    }
    const buda_fused *fused = &user->check->module->fused[index];
    if (buda_has(fused->inputs.pos) &&
        (fused->inputs.value < 0 || (uint64_t)fused->inputs.value != user->op->inputs.count)) {
        buda_report(user->check->diag, BUDA_064, buda_op_pos(user->op, user->op->inputs.pos),
                    "op '%.*s' has %zu %s, expected %lld of its definition '%.*s'",
                    HOIST_STR_ARGS(user->op->name.text), user->op->inputs.count,
                    hoist_plural(user->op->inputs.count, "input", "inputs"),
                    (long long)fused->inputs.value, HOIST_STR_ARGS(fused->name.text));
    }
    return index;
}

// As many views as there are ops: an upper bound, and one allocation.
static hoist_status collect_users(const buda_check *c, const hoist_map *names,
                                  buda_fused_users *table)
{
    const buda_net *net = c->net;
    table->views = hoist_arena_array(c->scratch, net->op_count, sizeof(*table->views));
    table->definition = hoist_arena_array(c->scratch, net->op_count, sizeof(*table->definition));
    HOIST_TRY_MEMORY(table->views && table->definition);
    for (size_t g = 0; g < net->graph_count; g++) {
        const buda_net_graph *graph = &net->graphs[g];
        // One view per op of the file, not per copy.
        for (size_t i = 0; i < graph->op_count && buda_net_graph_is_first(net, g); i++) {
            const buda_net_op *node = &net->ops[graph->first_op + i];
            if (node->op->op != HOIST_OP_FUSED) {
                continue;
            }
            buda_frames frames;
            buda_enter_op(c->diag, &frames, graph->graph, node->op);
            buda_op_view *view = &table->views[table->count];
            *view = buda_op_view_of(c, graph, node);
            table->definition[table->count++] = check_user(view, names);
            buda_leave(c->diag, &frames);
        }
    }
    return HOIST_OK;
}

// Counting sort by definition: stable, so users keep the order of the file. Two extra counters
// leave first[d] at the start of d's users after the fill.
static hoist_status sort_users(const buda_check *c, buda_fused_users *table)
{
    const size_t definitions = c->module->fused_count;
    buda_op_view *sorted = hoist_arena_array(c->scratch, table->count, sizeof(*sorted));
    table->first = hoist_arena_array(c->scratch, definitions + 2, sizeof(*table->first));
    HOIST_TRY_MEMORY(sorted && table->first);
    for (size_t i = 0; i < table->count; i++) {
        if (table->definition[i] != BUDA_NO_INDEX) {
            table->first[table->definition[i] + 2]++;
        }
    }
    for (size_t d = 2; d < definitions + 2; d++) {
        table->first[d] += table->first[d - 1];
    }
    for (size_t i = 0; i < table->count; i++) {
        if (table->definition[i] != BUDA_NO_INDEX) {
            // Fills advance first[d + 1] to its final value, the end of d's users.
            sorted[table->first[table->definition[i] + 1]++] = table->views[i];
        }
    }
    table->views = sorted;
    return HOIST_OK;
}

hoist_status buda_fused_users_collect(const buda_check *c, const hoist_map *names,
                                      buda_fused_users *out_users)
{
    *out_users = (buda_fused_users){0};
    HOIST_TRY(collect_users(c, names, out_users));
    return sort_users(c, out_users);
}

// Findings are at the users, under their own paths.
void buda_check_multicasts(const buda_fused_view *view)
{
    for (size_t u = 0; u < view->user_count; u++) {
        buda_frames frames;
        const buda_op_view *user = &view->users[u];
        buda_enter_op(user->check->diag, &frames, user->graph->graph, user->op);
        check_multicasts(user, view->fused);
        buda_leave(user->check->diag, &frames);
    }
}
