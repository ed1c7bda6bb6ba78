// Arguments of operators: those that the row of the type (ops_table.h) asks for are there, with its
// type (ARK-M10), and no others (ARK-M11).
#include "base/span.h"
#include "formats/ark/check.h"
#include "formats/ark/ops_table.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// The first of that name; two of one name are ARK-M13 of the reader.
static const ark_arg *find(const ark_op *op, const char *name)
{
    for (size_t i = 0; i < op->args.count; i++) {
        if (hoist_str_equal_c(op->args.items[i].name.text, name)) {
            return &op->args.items[i];
        }
    }
    return NULL;
}

static const char *kind_name(ark_arg_kind kind)
{
    return ark_arg_table.fields[kind].key;
}

// One argument of the table: `required` in this dialect. A former name, "Value" of Factor, is
// accepted with a warning (M10b). In the file it is "Factor": {"FLOAT": 2.0}.
static void check_arg(const ark_op *op, const ark_arg_def *def, bool required, hoist_diag *diag)
{
    const ark_arg *arg = find(op, def->name);
    const ark_arg *const former = !arg && def->former ? find(op, def->former) : NULL;
    if (former) {
        ark_report(diag, ARK_M10b, former->name.pos,
                   "'%s' is taken as '%s', which is what ARK reads", def->former, def->name);
        arg = former;
    }
    if (!arg && required) {
        ark_report(diag, ARK_M10a, op->pos, "%.*s without the argument '%s' of type %s",
                   HOIST_STR_ARGS(op->type.text), def->name, kind_name(def->kind));
    }
    // The reader has reported values that are of no type.
    if (arg && arg->kind != def->kind && arg->kind != ARK_ARG_NONE) {
        ark_report(diag, ARK_M10a, arg->pos, "'%.*s' is of type %s, expected %s",
                   HOIST_STR_ARGS(arg->name.text), kind_name(arg->kind), kind_name(def->kind));
    }
}

// First the arguments that the table requires, then those of the file that it does not have.
static void check_op(const ark_op *op, const ark_op_def *def, ark_dialect dialect, hoist_diag *diag)
{
    for (uint8_t i = 0; i < def->arg_count; i++) {
        const ark_arg_def *const arg = &def->args[i];
        check_arg(op, arg, arg->dialects >> dialect & 1, diag);
    }
    for (size_t i = 0; i < op->args.count; i++) {
        const hoist_rec_str *const name = &op->args.items[i].name;
        if (!ark_arg_def_find(def, name->text)) {
            ark_report(diag, ARK_M11, name->pos, "'%.*s' is no argument of %.*s, and is kept",
                       HOIST_STR_ARGS(name->text), HOIST_STR_ARGS(op->type.text));
        }
    }
}

hoist_status ark_check_args(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    (void)scratch;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        const ark_step *const step = &graph->steps[i];
        const ark_op_def *const def = ark_op_def_of(step->type);
        if (def && ark_op_has(step->op, "Args")) {
            ark_place place;
            ark_enter_step(diag, graph, step, &place);
            check_op(step->op, def, graph->module->dialect, diag);
            ark_leave(diag, &place);
        }
    }
    return HOIST_OK;
}
