// formats/buda/check_fused.c - rules of fused ops: definitions and their users, order of sub-ops,
// life of dest and of the intermediates. Dimensions are in check_fused_shape.c, formats in
// check_fused_format.c.
//
// A definition is checked once; what depends on the op that uses it is checked for each user.
// Facts: buda-netlist reference sections 1.10, 5.4 and 5.7 (rule 86). Order of calls: users are
// collected (check_fused_users.c), then each definition is walked sub-op by sub-op.
#include "base/span.h"
#include "formats/buda/fused_view.h"

// Each sub-op is checked for each user of its definition; a real file has thousands of such pairs.
// A hostile file could ask for 10^10 pairs with a few megabytes of text.
#define MAX_PAIRS 20000000

// Rule 85: attributes of sub-ops. They fit the type and are among those that sub-ops take at all.

static void check_attributes(const buda_fused_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    for (size_t i = 0; i < attributes->count && view->op->op != HOIST_OP_NONE; i++) {
        const buda_attribute *attribute = &attributes->items[i];
        if (attribute->attr != HOIST_ATTR_NONE &&
            (!hoist_attr_fits_sub_op(attribute->attr) ||
             !hoist_attr_fits(attribute->attr, view->op->op))) {
            buda_report_sub_op(view, BUDA_085, attribute->key_pos,
                               "has attribute '%.*s', which its type '%.*s' does not take",
                               HOIST_STR_ARGS(attribute->key), HOIST_STR_ARGS(view->op->type.text));
        }
    }
}

// Rule 64: operands exist.

// How many intermediates a definition has; the most there can be where it gives none or too many
// (check_totals() reports those).
static int64_t intermediates_of(const buda_fused *fused)
{
    const buda_int *count = &fused->intermediates;
    return buda_has(count->pos) && count->value < BUDA_MAX_INTERMEDIATES ? count->value
                                                                         : BUDA_MAX_INTERMEDIATES;
}

// Without a count of inputs any input may exist: the missing key is reported already.
static bool operand_exists(const buda_fused *fused, buda_operand operand)
{
    switch (operand.kind) {
    case BUDA_OPERAND_INPUT:
        return !buda_has(fused->inputs.pos) || operand.number < fused->inputs.value;
    case BUDA_OPERAND_INTERMED:
        return operand.number < intermediates_of(fused);
    case BUDA_OPERAND_DEST:
    case BUDA_OPERAND_OUTPUT:
        return true;
    case BUDA_OPERAND_UNKNOWN:
        break;
    }
    return false;
}

// Arity is that of the type's row in ops; base ops and sub-ops share it.
static void check_inputs(const buda_fused_view *view)
{
    const buda_sub_op *op = view->op;
    const long long inputs = (long long)view->fused->inputs.value;
    const long long intermediates = (long long)intermediates_of(view->fused);
    const hoist_op_def *def = hoist_op_get(op->op);
    for (size_t i = 0; i < op->inputs.count; i++) {
        const buda_name *input = &op->inputs.items[i];
        const buda_operand operand = buda_operand_of(input->text);
        // No sub-op reads what the base op writes.
        if (operand.kind == BUDA_OPERAND_OUTPUT || !operand_exists(view->fused, operand)) {
            buda_report_sub_op(
                view, BUDA_064, input->pos,
                "reads '%.*s', expected dest, one of the %lld %s or of the %lld %s",
                HOIST_STR_ARGS(input->text), inputs,
                hoist_plural((uint64_t)inputs, "input", "inputs"), intermediates,
                hoist_plural((uint64_t)intermediates, "intermediate", "intermediates"));
        }
    }
    if (op->op != HOIST_OP_NONE &&
        (op->inputs.count < def->min_inputs || op->inputs.count > def->max_inputs)) {
        buda_report_sub_op(view, BUDA_064, op->inputs.pos,
                           "has %zu %s, expected %d to %d for its type '%s'", op->inputs.count,
                           hoist_plural(op->inputs.count, "input", "inputs"), def->min_inputs,
                           def->max_inputs, def->name);
    }
}

// A missing key is the reader's.
static void check_output(const buda_fused_view *view)
{
    const buda_name *output = &view->op->output;
    const buda_operand operand = buda_operand_of(output->text);
    const long long intermediates = (long long)intermediates_of(view->fused);
    if (buda_has(output->pos) &&
        (operand.kind == BUDA_OPERAND_INPUT || !operand_exists(view->fused, operand))) {
        buda_report_sub_op(view, BUDA_064, output->pos,
                           "writes '%.*s', expected dest, output or one of the %lld %s",
                           HOIST_STR_ARGS(output->text), intermediates,
                           hoist_plural((uint64_t)intermediates, "intermediate", "intermediates"));
    }
}

// Rules 65 and 66: matmul and reduce collect over m_k steps and end a schedule.

static bool ends_schedule(hoist_op_family family)
{
    return family == HOIST_FAMILY_MATMUL || family == HOIST_FAMILY_REDUCE;
}

static void check_matmul_and_reduce(const buda_fused_view *view)
{
    if (!ends_schedule(view->family)) {
        return;
    }
    if (!view->is_last) {
        buda_report_sub_op(view, BUDA_065, view->op->type.pos,
                           "is a matmul or reduce, which must be the last of its schedule");
    }
    // Partial sums have to be kept somewhere.
    if (view->m_k > 1 && buda_operand_of(view->op->output.text).kind != BUDA_OPERAND_INTERMED) {
        buda_report_sub_op(view, BUDA_065, view->op->output.pos,
                           "has m_k %lld and writes '%.*s', expected an intermediate",
                           (long long)view->m_k, HOIST_STR_ARGS(view->op->output.text));
    }
    const buda_names *inputs = &view->op->inputs;
    // Rule 66: input 1 is read again for each of m_k blocks, which only an input of the op allows.
    if (view->family == HOIST_FAMILY_MATMUL && inputs->count > 1 && view->m_k != 1 &&
        buda_operand_of(inputs->items[1].text).kind != BUDA_OPERAND_INPUT) {
        buda_report_sub_op(
            view, BUDA_066, inputs->items[1].pos,
            "is a matmul that reads '%.*s' as input 1, expected an input of the fused op, or m_k 1",
            HOIST_STR_ARGS(inputs->items[1].text));
    }
}

// Rules 67 and 68: dest holds one ublock and is gone after the next sub-op.

static void check_dest(const buda_fused_view *view)
// Three facts decide: `reads` (this sub-op), `written` (the one before), and being first or last.
{
    const buda_sub_op *op = view->op;
    bool reads = false;
    hoist_pos pos = op->name.pos; // of the first input that is dest
    for (size_t i = 0; i < op->inputs.count; i++) {
        const buda_name *input = &op->inputs.items[i];
        if (buda_operand_of(input->text).kind != BUDA_OPERAND_DEST) {
            continue;
        }
        if (ends_schedule(view->family) || op->op == HOIST_OP_MAXIMUM) {
            buda_report_sub_op(view, BUDA_067, input->pos,
                               "of type '%.*s' reads dest, expected an input or an intermediate",
                               HOIST_STR_ARGS(op->type.text));
        }
        if (i == 1 && view->check->arch == BUDA_GRAYSKULL) {
            buda_report_sub_op(view, BUDA_068, input->pos,
                               "reads dest as input 1, on grayskull it can only be input 0");
        }
        // Later inputs that are dest as well do not move the finding.
        pos = reads ? pos : input->pos;
        reads = true;
    }
    const buda_sub_op *previous = view->previous;
    const bool written =
        previous && buda_operand_of(previous->output.text).kind == BUDA_OPERAND_DEST;
    // Writing dest and not reading it at once loses the value.
    if (written && !reads) {
        buda_report_sub_op(view, BUDA_068, op->inputs.pos,
                           "does not read dest, which '%.*s' before it writes",
                           HOIST_STR_ARGS(previous->name.text));
    }
    if (reads && !previous) {
        buda_report_sub_op(view, BUDA_068, pos, "reads dest, but is the first of its schedule");
    } else if (reads && !written) {
        buda_report_sub_op(view, BUDA_068, pos, "reads dest, which '%.*s' before it does not write",
                           HOIST_STR_ARGS(previous->name.text));
    }
    // Across schedules dest does not survive.
    if (view->is_last && buda_operand_of(op->output.text).kind == BUDA_OPERAND_DEST) {
        buda_report_sub_op(view, BUDA_068, op->output.pos,
                           "writes dest at the end of its schedule, where no sub-op reads it");
    }
}

// Rule 69: pop lists are subsets of the inputs, without repetition, and disjoint.

// Linear: callers bound `end` by BUDA_MAX_INPUTS or by the inputs of one sub-op.
static bool names_hold(const buda_names *names, size_t end, hoist_str name)
{
    for (size_t i = 0; i < end; i++) {
        if (hoist_str_equal(names->items[i].text, name)) {
            return true;
        }
    }
    return false;
}

static void check_pop_list(const buda_fused_view *view, const buda_names *pops, const char *key)
{
    const buda_sub_op *op = view->op;
    // Longer lists are not compared name by name: the cost would be quadratic in the file.
    if (pops->count > op->inputs.count || pops->count > BUDA_MAX_INPUTS) {
        buda_report_sub_op(view, BUDA_069, pops->pos, "has %zu %s in %s, but %zu %s", pops->count,
                           hoist_plural(pops->count, "name", "names"), key, op->inputs.count,
                           hoist_plural(op->inputs.count, "input", "inputs"));
        return;
    }
    for (size_t i = 0; i < pops->count; i++) {
        const buda_name *pop = &pops->items[i];
        if (!names_hold(&op->inputs, op->inputs.count, pop->text)) {
            buda_report_sub_op(view, BUDA_069, pop->pos,
                               "has '%.*s' in %s, which is no input of it",
                               HOIST_STR_ARGS(pop->text), key);
        } else if (names_hold(pops, i, pop->text)) {
            buda_report_sub_op(view, BUDA_069, pop->pos, "has '%.*s' in %s twice",
                               HOIST_STR_ARGS(pop->text), key);
        }
    }
}

// pop frees after each use, pop_last after the whole t (section 1.10), hence intermediates only.
static void check_pops(const buda_fused_view *view)
{
    const buda_sub_op *op = view->op;
    check_pop_list(view, &op->pop, "pop");
    check_pop_list(view, &op->pop_last, "pop_last");
    for (size_t i = 0; i < op->pop_last.count; i++) {
        const buda_name *pop = &op->pop_last.items[i];
        // Else the list has been reported as too long.
        if (op->pop.count <= BUDA_MAX_INPUTS && names_hold(&op->pop, op->pop.count, pop->text)) {
            buda_report_sub_op(view, BUDA_069, pop->pos,
                               "has '%.*s' in pop and in pop_last, expected one of them",
                               HOIST_STR_ARGS(pop->text));
        }
        if (buda_operand_of(pop->text).kind != BUDA_OPERAND_INTERMED) {
            buda_report_sub_op(view, BUDA_069, pop->pos,
                               "has '%.*s' in pop_last, expected an intermediate",
                               HOIST_STR_ARGS(pop->text));
        }
    }
}

// Rules 70 and 71: life of the intermediates, as a walk over the sub-ops in order; the state is in
// the view.

// Rule 71: the producer's schedule ends in a matmul or reduce, the producer itself is neither, and
// it has more than one block.
static void check_crossing(const buda_fused_view *view, const buda_name *input,
                           const buda_operand_state *state)
{
    const buda_schedule *from = &view->fused->schedules[state->schedule];
    const buda_sub_op *producer = state->producer;
    const hoist_op_family end = hoist_op_get(from->ops[from->count - 1].op)->family;
    const bool one_block = producer->mblock.r == 1 && producer->mblock.c == 1;
    if (state->schedule != view->schedule && ends_schedule(end) && !one_block &&
        !ends_schedule(hoist_op_get(producer->op)->family)) {
        buda_report_sub_op(view, BUDA_071, input->pos,
                           "reads '%.*s' of another schedule, which '%.*s' made there with mblock "
                           "[%lld, %lld] before a matmul or reduce; expected mblock [1, 1]",
                           HOIST_STR_ARGS(input->text), HOIST_STR_ARGS(producer->name.text),
                           (long long)producer->mblock.r, (long long)producer->mblock.c);
    }
}

// Before the pops and the write of the same sub-op: see the order in check_sub_op().
static void check_reads(buda_fused_view *view)
{
    for (size_t i = 0; i < view->op->inputs.count; i++) {
        const buda_name *input = &view->op->inputs.items[i];
        const buda_operand operand = buda_operand_of(input->text);
        const buda_operand_state *state = buda_operand_state_of(view, operand);
        if (operand.kind != BUDA_OPERAND_INTERMED || !state) {
            continue;
        }
        if (!state->full) {
            buda_report_sub_op(
                view, BUDA_070, input->pos, "reads '%.*s', which %s", HOIST_STR_ARGS(input->text),
                state->producer ? "is popped already" : "no sub-op before it writes");
        } else {
            check_crossing(view, input, state);
        }
    }
}

// Only intermediates have a state; inputs are freed in L1 and can be read again.
static void pop_all(buda_fused_view *view, const buda_names *pops)
{
    for (size_t i = 0; i < pops->count; i++) {
        const buda_operand operand = buda_operand_of(pops->items[i].text);
        buda_operand_state *state = buda_operand_state_of(view, operand);
        if (operand.kind == BUDA_OPERAND_INTERMED && state) {
            state->full = false;
        }
    }
}

// After the pops of the same sub-op; `full` catches a second write without a pop between.
static void record_output(buda_fused_view *view)
{
    const buda_name *output = &view->op->output;
    const buda_operand operand = buda_operand_of(output->text);
    buda_operand_state *state = buda_operand_state_of(view, operand);
    if (!state) {
        return;
    }
    if (operand.kind == BUDA_OPERAND_INTERMED && state->full) {
        buda_report_sub_op(
            view, BUDA_070, output->pos, "writes '%.*s', which '%.*s' wrote and no sub-op popped",
            HOIST_STR_ARGS(output->text), HOIST_STR_ARGS(state->producer->name.text));
    }
    *state = (buda_operand_state){view->op, view->schedule, true};
}

// Rule 86: names are unique over all schedules, since intermediate results are traced by them.

static hoist_status check_names(const buda_fused_view *view)
{
    const buda_fused *fused = view->fused;
    hoist_map names;
    hoist_status status = HOIST_OK;
    hoist_map_init(&names, view->check->scratch->alloc);
    for (size_t s = 0; s < fused->schedule_count && status == HOIST_OK; s++) {
        for (size_t i = 0; i < fused->schedules[s].count && status == HOIST_OK; i++) {
            const buda_name *name = &fused->schedules[s].ops[i].name;
            status = hoist_map_add(&names, name->text, i, NULL);
            if (status == HOIST_BUSY) {
                buda_report(view->check->diag, BUDA_086, name->pos,
                            "sub-op '%.*s' occurs twice in fused op '%.*s'",
                            HOIST_STR_ARGS(name->text), HOIST_STR_ARGS(fused->name.text));
                status = HOIST_OK; // several duplicates are all reported
            }
        }
    }
    hoist_map_deinit(&names);
    return status;
}

// One definition.

// All checks see the state before this sub-op; the last three calls bring it up to date.
static void check_sub_op(buda_fused_view *view)
{
    hoist_frame frame;
    // The path is fused_ops/F/ops/NAME, without the schedule: names are unique.
    hoist_diag_push(view->check->diag, &frame, NULL, HOIST_STR(""), view->op->name.text);
    check_attributes(view);
    check_inputs(view);
    check_output(view);
    check_matmul_and_reduce(view);
    check_dest(view);
    check_pops(view);
    check_reads(view);
    buda_check_sub_op_shape(view);
    buda_check_sub_op_inputs(view);
    buda_check_sub_op_formats(view);
    pop_all(view, &view->op->pop);
    pop_all(view, &view->op->pop_last);
    record_output(view);
    hoist_diag_pop(view->check->diag, &frame);
}

// Sets what the view says of the sub-op at hand; m_k and u_kt are -1 and not 0 when absent, as 0
// is a value.
static void check_schedule(buda_fused_view *view, size_t index)
{
    const buda_schedule *schedule = &view->fused->schedules[index];
    view->schedule = index;
    view->previous = NULL;
    for (size_t i = 0; i < schedule->count; i++) {
        view->op = &schedule->ops[i];
        view->family = hoist_op_get(view->op->op)->family;
        view->m_k = buda_attr_int(&view->op->attributes, HOIST_ATTR_M_K, -1);
        view->u_kt = buda_attr_int(&view->op->attributes, HOIST_ATTR_U_KT, -1);
        view->is_last = i + 1 == schedule->count;
        check_sub_op(view);
        view->previous = view->op;
    }
}

// Counts of the definition as a whole.
static void check_totals(const buda_fused_view *view)
{
    const buda_fused *fused = view->fused;
    if (fused->intermediates.value > BUDA_MAX_INTERMEDIATES) {
        buda_report(view->check->diag, BUDA_064, fused->intermediates.pos,
                    "fused op '%.*s' has %lld intermediates, expected at most %d",
                    HOIST_STR_ARGS(fused->name.text), (long long)fused->intermediates.value,
                    BUDA_MAX_INTERMEDIATES);
    }
    for (size_t i = 0; i < fused->schedule_count; i++) {
        if (fused->schedules[i].count == 0) {
            buda_report(view->check->diag, BUDA_064, fused->schedules[i].pos,
                        "schedule %zu of fused op '%.*s' is empty", i,
                        HOIST_STR_ARGS(fused->name.text));
        }
    }
    if (fused->schedule_count == 0) {
        buda_report(view->check->diag, BUDA_064, fused->name.pos, "fused op '%.*s' has no schedule",
                    HOIST_STR_ARGS(fused->name.text));
    }
}

// Intermediates live across schedules, so their states are not reset between them.
static hoist_status check_definition(buda_fused_view *view)
{
    hoist_diag *diag = view->check->diag;
    hoist_frame frames[3];
    hoist_diag_push(diag, &frames[0], NULL, HOIST_STR(""), HOIST_STR("fused_ops"));
    hoist_diag_push(diag, &frames[1], NULL, HOIST_STR(""), view->fused->name.text);
    check_totals(view);
    hoist_diag_push(diag, &frames[2], NULL, HOIST_STR(""), HOIST_STR("ops"));
    for (size_t i = 0; i < view->fused->schedule_count; i++) {
        check_schedule(view, i);
    }
    // Whatever is full at the end would be full when the op runs on its next input.
    for (size_t i = 0; i < BUDA_MAX_INTERMEDIATES; i++) {
        const buda_operand_state *state = &view->intermed[i];
        if (state->full) {
            buda_report(view->check->diag, BUDA_070, state->producer->output.pos,
                        "'%.*s', which sub-op '%.*s' writes, is not popped by the end",
                        HOIST_STR_ARGS(state->producer->output.text),
                        HOIST_STR_ARGS(state->producer->name.text));
        }
    }
    const hoist_status status = check_names(view);
    hoist_diag_pop(diag, &frames[2]);
    hoist_diag_pop(diag, &frames[1]);
    hoist_diag_pop(diag, &frames[0]);
    return status;
}

// `names` maps names to indices of definitions.
static hoist_status check_all(const buda_check *c, const hoist_map *names)
{
    buda_fused_users table = {0};
    uint64_t pairs = 0;
    HOIST_TRY(buda_fused_users_collect(c, names, &table));
    for (size_t d = 0; d < c->module->fused_count; d++) {
        buda_fused_view view = {
            .check = c,
            .fused = &c->module->fused[d],
            .users = table.views + table.first[d],
            .user_count = table.first[d + 1] - table.first[d],
        };
        // Counted before the work is done, cumulatively: many definitions with few users each cost
        // as much as one with many.
        for (size_t s = 0; s < view.fused->schedule_count; s++) {
            pairs += (uint64_t)view.user_count * view.fused->schedules[s].count;
        }
        if (pairs > MAX_PAIRS) {
            return buda_fail_limit(
                c->options, c->diag,
                &(buda_limit){"the sub-ops times the ops that use them", MAX_PAIRS});
        }
        HOIST_TRY(hoist_deadline_look(c->module->base.deadline));
        buda_check_multicasts(&view);
        HOIST_TRY(check_definition(&view));
    }
    return HOIST_OK;
}

// The first of definitions with one name holds; the reader has reported the other as a duplicate
// key.
hoist_status buda_check_fused(const buda_check *c)
{
    hoist_map names;
    hoist_status status = HOIST_OK;
    hoist_map_init(&names, c->scratch->alloc);
    for (size_t d = 0; d < c->module->fused_count && status == HOIST_OK; d++) {
        status = hoist_map_add(&names, c->module->fused[d].name.text, d, NULL);
        status = status == HOIST_BUSY ? HOIST_OK : status;
    }
    if (status == HOIST_OK) {
        status = check_all(c, &names);
    }
    hoist_map_deinit(&names);
    return status;
}
