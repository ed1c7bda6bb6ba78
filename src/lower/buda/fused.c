// A fused op: its sub-ops one after another, on complete tensors (buda-ops reference section 6).
// In: the definition and the inputs of the op that uses it. Out: steps by op.c and simple.c, with
// intermediates and dest as temporaries. Pops have no effect: buffers are temporaries that live as
// long as they are read.
#include "base/assert.h"
#include "base/span.h"
#include "formats/buda/fused_view.h"
#include "lower/buda/state.h"

// What each operand holds after the sub-ops so far.
typedef struct fused {
    buda_lower_code *c;
    const buda_lower_value *inputs; // of the op
    buda_lower_value intermed[BUDA_MAX_INTERMEDIATES];
    buda_lower_value dest;
    buda_lower_value output;
    const buda_sub_op *before; // of the schedule
} fused;

// The first of equal names, as in check_fused.c.
static const buda_fused *definition_of(const buda_lower_code *c)
{
    const buda_attribute *id = buda_attr_find(&c->view.op->attributes, HOIST_ATTR_FUSED_OP_ID);
    for (size_t i = 0; id && i < c->l->module->fused_count; i++) {
        if (hoist_str_equal(c->l->module->fused[i].name.text, id->text)) {
            return &c->l->module->fused[i];
        }
    }
    buda_lower_refuse(c->l, RUN_002, id ? id->pos : c->view.op->name.pos,
                      "the fused op of '%.*s' is not defined", HOIST_STR_ARGS(c->label));
    return NULL;
}

// Where an operand is kept; NULL for inputs and unknown names.
static buda_lower_value *place_of(fused *f, buda_operand operand)
{
    switch (operand.kind) {
    case BUDA_OPERAND_INTERMED:
        return operand.number >= 0 && operand.number < BUDA_MAX_INTERMEDIATES
                   ? &f->intermed[operand.number]
                   : NULL;
    case BUDA_OPERAND_DEST:
        return &f->dest;
    case BUDA_OPERAND_OUTPUT:
        return &f->output;
    case BUDA_OPERAND_INPUT:
    case BUDA_OPERAND_UNKNOWN:
        break;
    }
    return NULL;
}

// Format of an operand's value in the op at hand; inputs have been rounded where the op reads
// them.
static buda_df format_of(const fused *f, buda_operand operand)
{
    const buda_op *op = f->c->view.op;
    switch (operand.kind) {
    case BUDA_OPERAND_INTERMED:
        return (buda_df)op->intermed_df.value;
    case BUDA_OPERAND_DEST:
        return (buda_df)op->acc_df.value;
    case BUDA_OPERAND_OUTPUT:
        return (buda_df)op->out_df.value;
    case BUDA_OPERAND_INPUT:
    case BUDA_OPERAND_UNKNOWN:
        break;
    }
    return BUDA_DF_NONE;
}

// Inputs of the op, or what a sub-op before wrote. Silent after an earlier error, which explains
// the empty operand.
static buda_lower_value resolve(fused *f, const buda_name *name)
{
    const buda_operand operand = buda_operand_of(name->text);
    if (operand.kind == BUDA_OPERAND_INPUT && operand.number >= 0 &&
        (uint64_t)operand.number < f->c->view.input_count) {
        return f->inputs[operand.number];
    }
    const buda_lower_value *place = place_of(f, operand);
    if (place && place->view != HOIST_NO_REF) {
        return *place;
    }
    if (!f->c->l->c.errors) {
        buda_lower_refuse(f->c->l, RUN_002, name->pos, "'%.*s' holds nothing here",
                          HOIST_STR_ARGS(name->text));
    }
    return buda_lower_none();
}

// Row 0, column 0 or element [0, 0] of each tile goes to all of it.
static buda_lower_value tile_broadcast(buda_lower_code *c, buda_lower_value from, const buda_tm *tm)
{
    const hoist_str axis = tm->tile_axis.text;
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_BROADCAST_AXIS].integer = hoist_str_equal_c(axis, "r")   ? HOIST_AXIS_ROW
                                                : hoist_str_equal_c(axis, "c") ? HOIST_AXIS_COLUMN
                                                                               : HOIST_AXIS_BOTH;
    return buda_lower_compute1(c, HOIST_GOLDEN_BROADCAST_TILE, &attrs, from);
}

// The TMs of one input of a sub-op, one move each: tile_broadcast computes, and may be between
// others.
static buda_lower_value apply_tms(fused *f, buda_lower_value from, const buda_tms *tms)
{
    for (size_t i = 0; i < tms->count && from.view != HOIST_NO_REF; i++) {
        if (tms->items[i].kind == BUDA_TM_TILE_BROADCAST) {
            from = tile_broadcast(f->c, from, &tms->items[i]);
            continue;
        }
        const buda_tms one = {.items = &tms->items[i], .count = 1, .pos = tms->pos};
        buda_lower_table table = buda_lower_table_of(from.shape);
        if (!buda_lower_table_tms(f->c->l, &table, &one, "an input of a sub-op")) {
            return buda_lower_none();
        }
        if (table.transposed) {
            buda_lower_refuse(f->c->l, RUN_002, tms->items[i].pos,
                              "a transpose inside fused op '%.*s'", HOIST_STR_ARGS(f->c->label));
            return buda_lower_none();
        }
        from = buda_lower_moved(f->c, from, &table);
    }
    return from;
}

// The format that the result of a sub-op is rounded to where it is stored; BUDA_DF_NONE: none. The
// reference keeps float32 for all float formats between sub-ops.
static buda_df rounding_of(const fused *f, const buda_sub_op *sub, buda_operand target)
{
    if (sub->op == HOIST_OP_QUANTIZATION || sub->op == HOIST_OP_REQUANTIZATION) {
        return BUDA_INT8;
    }
    const buda_df df = format_of(f, target);
    return df == BUDA_INT8 || df == BUDA_INT32 ? df : BUDA_DF_NONE;
}

// The relu of a sub-op: the op's own for the one that writes its output, when that is enabled;
// else the sub-op's.
static const buda_attributes *relu_of(const fused *f, const buda_sub_op *sub, buda_operand target)
{
    const buda_attributes *outer = &f->c->view.op->attributes;
    return target.kind == BUDA_OPERAND_OUTPUT && buda_attr_bool(outer, HOIST_ATTR_RELU_EN)
               ? outer
               : &sub->attributes;
}

// The format of an operand in memory; BUDA_DF_NONE: dest.
static buda_df stored_format(const fused *f, const buda_name *name)
{
    const buda_operand operand = buda_operand_of(name->text);
    if (operand.kind == BUDA_OPERAND_INPUT) {
        return buda_lower_input_label(f->c->l, f->c->node, (size_t)operand.number);
    }
    return operand.kind == BUDA_OPERAND_DEST ? BUDA_DF_NONE : format_of(f, operand);
}

// In numerics of the device. Inputs have been found, so their names are valid.
static buda_lower_value on_device(const fused *f, const buda_sub_op *sub,
                                  const buda_lower_value *inputs)
{
    buda_lower_sub_op s = {
        .sub = sub,
        .count = sub->inputs.count,
        .target = stored_format(f, &sub->output),
        .relu = relu_of(f, sub, buda_operand_of(sub->output.text)),
        .from_register =
            f->before && buda_operand_of(f->before->output.text).kind == BUDA_OPERAND_DEST,
    };
    for (size_t i = 0; i < s.count && i < HOIST_COUNT_OF(s.inputs); i++) {
        if (inputs[i].view == HOIST_NO_REF) {
            return inputs[i];
        }
        s.inputs[i] = inputs[i];
        s.formats[i] = stored_format(f, &sub->inputs.items[i]);
    }
    return buda_lower_device_sub_op(f->c, &s);
}

// `vector` counts as for full tiles: rule 72 allows nothing smaller inside.
static buda_lower_value run_sub_op(fused *f, const buda_sub_op *sub, buda_operand target)
{
    buda_lower_value inputs[HOIST_COMPUTE_MAX_INPUTS];
    const size_t count = sub->inputs.count;
    if (count > HOIST_COMPUTE_MAX_INPUTS) {
        buda_lower_refuse(f->c->l, RUN_003, sub->inputs.pos, "sub-op '%.*s' has %zu inputs",
                          HOIST_STR_ARGS(sub->name.text), count);
        return buda_lower_none();
    }
    for (size_t i = 0; i < count; i++) {
        const buda_input_keys *keys = buda_input_keys_find(sub->input_keys, i);
        inputs[i] = resolve(f, &sub->inputs.items[i]);
        if (keys) {
            inputs[i] = apply_tms(f, inputs[i], &keys->tms);
        }
    }
    if (buda_lower_numerics(f->c->l) == HOIST_NUMERICS_DEVICE) {
        return on_device(f, sub, inputs);
    }
    // Of a dequantization the register holds the tensor, on whichever side it is written.
    if (sub->op == HOIST_OP_DEQUANTIZATION && count == 2 &&
        buda_operand_of(sub->inputs.items[1].text).kind == BUDA_OPERAND_DEST) {
        const buda_lower_value scale = inputs[0];
        inputs[0] = inputs[1];
        inputs[1] = scale;
    }
    const buda_lower_simple simple = {.op = sub->op,
                                      .attributes = &sub->attributes,
                                      .zero_point = (float)sub->zero_point.value,
                                      .pos = sub->type.pos};
    buda_lower_value result = buda_lower_simple_op(f->c, &simple, inputs, count);
    // acc_df, relu, then the format of the operand: declared numerics only, see declared.c.
    result = buda_lower_declared(f->c, result, (buda_df)f->c->view.op->acc_df.value);
    result = buda_lower_relu(f->c, relu_of(f, sub, target), result);
    result = buda_lower_declared(f->c, result, format_of(f, target));
    return buda_lower_rounded(f->c, result, rounding_of(f, sub, target),
                              buda_tile_dim((buda_pair){0}));
}

// A sub-op may read what it overwrites: its result is a new temporary.
static void lower_sub_op(fused *f, const buda_sub_op *sub)
{
    const buda_operand target = buda_operand_of(sub->output.text);
    HOIST_ASSERT(f);
    buda_lower_value *place = place_of(f, target);
    if (!place) {
        buda_lower_refuse(f->c->l, RUN_002, sub->output.pos, "sub-op '%.*s' writes to '%.*s'",
                          HOIST_STR_ARGS(sub->name.text), HOIST_STR_ARGS(sub->output.text));
        return;
    }
    *place = run_sub_op(f, sub, target);
    f->before = sub;
}

// Sub-ops of all schedules in order; loops over blocks, as the device has them, change no number.
buda_lower_value buda_lower_fused(buda_lower_code *c, const buda_lower_value *inputs)
{
    const buda_fused *definition = definition_of(c);
    fused f = {.c = c, .inputs = inputs, .dest = buda_lower_none(), .output = buda_lower_none()};
    for (size_t i = 0; i < BUDA_MAX_INTERMEDIATES; i++) {
        f.intermed[i] = buda_lower_none();
    }
    for (size_t s = 0; definition && s < definition->schedule_count; s++) {
        const buda_schedule *schedule = &definition->schedules[s];
        f.before = NULL;
        for (size_t i = 0; i < schedule->count; i++) {
            lower_sub_op(&f, &schedule->ops[i]);
        }
    }
    if (definition && f.output.view == HOIST_NO_REF && !c->l->c.errors) {
        buda_lower_refuse(c->l, RUN_002, definition->name.pos, "fused op '%.*s' writes no output",
                          HOIST_STR_ARGS(definition->name.text));
    }
    return f.output;
}
