// formats/buda/check_fused.c - rules of fused ops: definitions and their users, order of sub-ops,
// life of dest and of the intermediates. Dimensions are in check_fused_shape.c, formats in
// check_fused_format.c.
//
// A definition is judged once; what depends on the op that uses it is judged for each user.
// Facts: buda-netlist reference sections 1.10, 5.4 and 5.7 (rule 86).
#include "base/span.h"
#include "formats/buda/fused_view.h"

// Each sub-op is judged for each user of its definition; a real file has thousands of such pairs.
#define MAX_PAIRS 20000000

// Rule 85: attributes of sub-ops.

static void check_attributes(const buda_fused_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    for (size_t i = 0; i < attributes->count && view->op->op != HOIST_OP_NONE; i++) {
        const buda_attribute *attribute = &attributes->items[i];
        if (attribute->attr != HOIST_ATTR_NONE &&
            (!hoist_attr_fits_sub_op(attribute->attr) ||
             !hoist_attr_fits(attribute->attr, view->op->op))) {
            buda_report(view->check->diag, BUDA_085, attribute->key_pos,
                        "attribute '%.*s' does not fit sub-op '%.*s' of type '%.*s'",
                        HOIST_STR_ARGS(attribute->key), HOIST_STR_ARGS(view->op->name.text),
                        HOIST_STR_ARGS(view->op->type.text));
        }
    }
}

// Rule 64: operands exist.

// How many intermediates a definition has; without a word of it as many as there can be.
static int64_t intermediates_of(const buda_fused *fused)
{
    const buda_int *count = &fused->intermediates;
    return buda_has(count->pos) && count->value < BUDA_MAX_INTERMEDIATES ? count->value
                                                                         : BUDA_MAX_INTERMEDIATES;
}

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

static void check_inputs(const buda_fused_view *view)
{
    const buda_sub_op *op = view->op;
    const long long inputs = (long long)view->fused->inputs.value;
    const long long intermediates = (long long)intermediates_of(view->fused);
    const hoist_op_def *def = hoist_op_get(op->op);
    for (size_t i = 0; i < op->inputs.count; i++) {
        const buda_name *input = &op->inputs.items[i];
        const buda_operand operand = buda_operand_of(input->text);
        if (operand.kind == BUDA_OPERAND_OUTPUT || !operand_exists(view->fused, operand)) {
            buda_report(view->check->diag, BUDA_064, input->pos,
                        "sub-op '%.*s' reads '%.*s', wanted dest, one of the %lld %s or of the "
                        "%lld %s",
                        HOIST_STR_ARGS(op->name.text), HOIST_STR_ARGS(input->text), inputs,
                        hoist_plural((uint64_t)inputs, "input", "inputs"), intermediates,
                        hoist_plural((uint64_t)intermediates, "intermediate", "intermediates"));
        }
    }
    if (op->op != HOIST_OP_NONE &&
        (op->inputs.count < def->min_inputs || op->inputs.count > def->max_inputs)) {
        buda_report(
            view->check->diag, BUDA_064, buda_has(op->inputs.pos) ? op->inputs.pos : op->name.pos,
            "sub-op '%.*s' has %zu %s, type '%s' wants %d to %d", HOIST_STR_ARGS(op->name.text),
            op->inputs.count, hoist_plural(op->inputs.count, "input", "inputs"), def->name,
            def->min_inputs, def->max_inputs);
    }
}

static void check_output(const buda_fused_view *view)
{
    const buda_name *output = &view->op->output;
    const buda_operand operand = buda_operand_of(output->text);
    const long long intermediates = (long long)intermediates_of(view->fused);
    if (buda_has(output->pos) &&
        (operand.kind == BUDA_OPERAND_INPUT || !operand_exists(view->fused, operand))) {
        buda_report(view->check->diag, BUDA_064, output->pos,
                    "sub-op '%.*s' writes '%.*s', wanted dest, output or one of the %lld %s",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(output->text),
                    intermediates,
                    hoist_plural((uint64_t)intermediates, "intermediate", "intermediates"));
    }
}

// Rules 65 and 66: matmul and reduce.

static bool ends_schedule(hoist_op_family family)
{
    return family == HOIST_FAMILY_MATMUL || family == HOIST_FAMILY_REDUCE;
}

static void check_place(const buda_fused_view *view)
{
    if (!ends_schedule(view->family)) {
        return;
    }
    if (!view->is_last) {
        buda_report_sub_op(view, BUDA_065, view->op->type.pos,
                           "is a matmul or reduce, which must be the last of its schedule");
    }
    if (view->m_k > 1 && buda_operand_of(view->op->output.text).kind != BUDA_OPERAND_INTERMED) {
        buda_report(view->check->diag, BUDA_065, view->op->output.pos,
                    "sub-op '%.*s' has m_k %lld and writes '%.*s', wanted an intermediate",
                    HOIST_STR_ARGS(view->op->name.text), (long long)view->m_k,
                    HOIST_STR_ARGS(view->op->output.text));
    }
}

static void check_matmul_input(const buda_fused_view *view)
{
    const buda_names *inputs = &view->op->inputs;
    if (view->family == HOIST_FAMILY_MATMUL && inputs->count > 1 && view->m_k != 1 &&
        buda_operand_of(inputs->items[1].text).kind != BUDA_OPERAND_INPUT) {
        buda_report(view->check->diag, BUDA_066, inputs->items[1].pos,
                    "matmul '%.*s' reads '%.*s' as input 1, wanted an input of the fused op, or "
                    "m_k 1",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(inputs->items[1].text));
    }
}

// Rules 67 and 68: dest.

static void check_dest_reader(const buda_fused_view *view, size_t i)
{
    const hoist_pos pos = view->op->inputs.items[i].pos;
    if (ends_schedule(view->family) || view->op->op == HOIST_OP_MAXIMUM) {
        buda_report(view->check->diag, BUDA_067, pos,
                    "sub-op '%.*s' of type '%.*s' reads dest, wanted an input or an intermediate",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(view->op->type.text));
    }
    if (i == 1 && view->check->arch == BUDA_GRAYSKULL) {
        buda_report_sub_op(view, BUDA_068, pos,
                           "reads dest as input 1, on grayskull it can only be input 0");
    }
}

static void check_dest(const buda_fused_view *view)
{
    bool reads = false;
    hoist_pos pos = view->op->name.pos;
    for (size_t i = 0; i < view->op->inputs.count; i++) {
        if (buda_operand_of(view->op->inputs.items[i].text).kind == BUDA_OPERAND_DEST) {
            check_dest_reader(view, i);
            pos = reads ? pos : view->op->inputs.items[i].pos;
            reads = true;
        }
    }
    const bool written =
        view->previous && buda_operand_of(view->previous->output.text).kind == BUDA_OPERAND_DEST;
    if (written && !reads) {
        buda_report(view->check->diag, BUDA_068, view->op->inputs.pos,
                    "sub-op '%.*s' does not read dest, which '%.*s' before it writes",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(view->previous->name.text));
    }
    if (reads && !view->previous) {
        buda_report_sub_op(view, BUDA_068, pos, "reads dest, but is the first of its schedule");
    } else if (reads && !written) {
        buda_report(view->check->diag, BUDA_068, pos,
                    "sub-op '%.*s' reads dest, which '%.*s' before it does not write",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(view->previous->name.text));
    }
}

static void check_last_dest(const buda_fused_view *view)
{
    if (view->is_last && buda_operand_of(view->op->output.text).kind == BUDA_OPERAND_DEST) {
        buda_report_sub_op(view, BUDA_068, view->op->output.pos,
                           "writes dest at the end of its schedule, nobody reads it");
    }
}

// Rule 69: pop lists.

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
    if (pops->count > op->inputs.count || pops->count > BUDA_MAX_INPUTS) {
        buda_report(view->check->diag, BUDA_069, pops->pos,
                    "%s of sub-op '%.*s' has %zu %s, the sub-op has %zu %s", key,
                    HOIST_STR_ARGS(op->name.text), pops->count,
                    hoist_plural(pops->count, "name", "names"), op->inputs.count,
                    hoist_plural(op->inputs.count, "input", "inputs"));
        return;
    }
    for (size_t i = 0; i < pops->count; i++) {
        const buda_name *pop = &pops->items[i];
        if (!names_hold(&op->inputs, op->inputs.count, pop->text)) {
            buda_report(view->check->diag, BUDA_069, pop->pos,
                        "%s of sub-op '%.*s' names '%.*s', which is no input of it", key,
                        HOIST_STR_ARGS(op->name.text), HOIST_STR_ARGS(pop->text));
        } else if (names_hold(pops, i, pop->text)) {
            buda_report(view->check->diag, BUDA_069, pop->pos,
                        "%s of sub-op '%.*s' names '%.*s' twice", key,
                        HOIST_STR_ARGS(op->name.text), HOIST_STR_ARGS(pop->text));
        }
    }
}

static void check_pops(const buda_fused_view *view)
{
    const buda_sub_op *op = view->op;
    check_pop_list(view, &op->pop, "pop");
    check_pop_list(view, &op->pop_last, "pop_last");
    for (size_t i = 0; i < op->pop_last.count; i++) {
        const buda_name *pop = &op->pop_last.items[i];
        if (op->pop.count <= BUDA_MAX_INPUTS && names_hold(&op->pop, op->pop.count, pop->text)) {
            buda_report(view->check->diag, BUDA_069, pop->pos,
                        "'%.*s' is in pop and in pop_last of sub-op '%.*s', wanted one of them",
                        HOIST_STR_ARGS(pop->text), HOIST_STR_ARGS(op->name.text));
        }
        if (buda_operand_of(pop->text).kind != BUDA_OPERAND_INTERMED) {
            buda_report(view->check->diag, BUDA_069, pop->pos,
                        "pop_last of sub-op '%.*s' names '%.*s', wanted an intermediate",
                        HOIST_STR_ARGS(op->name.text), HOIST_STR_ARGS(pop->text));
        }
    }
}

// Rules 70 and 71: life of the intermediates.

static void check_crossing(const buda_fused_view *view, const buda_name *input,
                           const buda_operand_state *state)
{
    const buda_schedule *from = &view->fused->schedules[state->schedule];
    const buda_sub_op *producer = state->producer;
    const hoist_op_family end = hoist_op_get(from->ops[from->count - 1].op)->family;
    const bool one_block = producer->mblock.r == 1 && producer->mblock.c == 1;
    if (state->schedule != view->schedule && ends_schedule(end) && !one_block &&
        !ends_schedule(hoist_op_get(producer->op)->family)) {
        buda_report(view->check->diag, BUDA_071, input->pos,
                    "sub-op '%.*s' reads '%.*s' of another schedule, which '%.*s' made there with "
                    "mblock [%lld, %lld] before a matmul or reduce; wanted mblock [1, 1]",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(input->text),
                    HOIST_STR_ARGS(producer->name.text), (long long)producer->mblock.r,
                    (long long)producer->mblock.c);
    }
}

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
            buda_report(view->check->diag, BUDA_070, input->pos,
                        "sub-op '%.*s' reads '%.*s', which %s", HOIST_STR_ARGS(view->op->name.text),
                        HOIST_STR_ARGS(input->text),
                        state->producer ? "is popped already" : "no sub-op before it writes");
        } else {
            check_crossing(view, input, state);
        }
    }
}

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

static void record_output(buda_fused_view *view)
{
    const buda_name *output = &view->op->output;
    const buda_operand operand = buda_operand_of(output->text);
    buda_operand_state *state = buda_operand_state_of(view, operand);
    if (!state) {
        return;
    }
    if (operand.kind == BUDA_OPERAND_INTERMED && state->full) {
        buda_report(view->check->diag, BUDA_070, output->pos,
                    "sub-op '%.*s' writes '%.*s', which '%.*s' wrote and nobody popped",
                    HOIST_STR_ARGS(view->op->name.text), HOIST_STR_ARGS(output->text),
                    HOIST_STR_ARGS(state->producer->name.text));
    }
    *state = (buda_operand_state){view->op, view->schedule, true};
}

static void check_leftovers(const buda_fused_view *view)
{
    for (size_t i = 0; i < BUDA_MAX_INTERMEDIATES; i++) {
        const buda_operand_state *state = &view->intermed[i];
        if (state->full) {
            buda_report(view->check->diag, BUDA_070, state->producer->output.pos,
                        "'%.*s', which sub-op '%.*s' writes, is not popped by the end",
                        HOIST_STR_ARGS(state->producer->output.text),
                        HOIST_STR_ARGS(state->producer->name.text));
        }
    }
}

// Rule 86: names.

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
                status = HOIST_OK;
            }
        }
    }
    hoist_map_deinit(&names);
    return status;
}

// One definition.

static void check_sub_op(buda_fused_view *view)
{
    hoist_frame frame;
    hoist_diag_push(view->check->diag, &frame, NULL, HOIST_STR(""), view->op->name.text);
    check_attributes(view);
    check_inputs(view);
    check_output(view);
    check_place(view);
    check_matmul_input(view);
    check_dest(view);
    check_last_dest(view);
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

static void check_totals(const buda_fused_view *view)
{
    const buda_fused *fused = view->fused;
    if (fused->intermediates.value > BUDA_MAX_INTERMEDIATES) {
        buda_report(view->check->diag, BUDA_064, fused->intermediates.pos,
                    "fused op '%.*s' has %lld intermediates, wanted at most %d",
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
    check_leftovers(view);
    const hoist_status status = check_names(view);
    hoist_diag_pop(diag, &frames[2]);
    hoist_diag_pop(diag, &frames[1]);
    hoist_diag_pop(diag, &frames[0]);
    return status;
}

static size_t sub_op_count(const buda_fused *fused)
{
    size_t count = 0;
    for (size_t i = 0; i < fused->schedule_count; i++) {
        count += fused->schedules[i].count;
    }
    return count;
}

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
        pairs += (uint64_t)view.user_count * sub_op_count(view.fused);
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
