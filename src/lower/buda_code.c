// Steps of functions: temporaries, compute and move steps.
#include <inttypes.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/span.h"
#include "lower/buda_lower.h"

enum { TILE_DIM = 32, TILE_BYTES = 4096 };

// -0.0: the one number that leaves every other as it is when it is added.
static const uint8_t nothing[] = {0, 0, 0, 0x80};

hoist_prog_step hoist_lower_step(const hoist_lower_code *c, hoist_step_kind kind)
{
    return (hoist_prog_step){.kind = kind, .loc = c->loc, .label = c->label};
}

hoist_lower_value hoist_lower_tensor(hoist_lower_code *c, hoist_tile_shape shape,
                                     hoist_lifetime lifetime)
{
    HOIST_ASSERT(hoist_lower_tiles(shape) > 0);
    hoist_lower *l = c->l;
    const char *kind = lifetime == HOIST_LIFETIME_CALL ? "" : "sum";
    const hoist_str name = hoist_lower_name(l, c->label, "/%s%u", kind, c->temporaries++);
    const hoist_ref buffer = hoist_builder_buffer(
        l->b, &(hoist_prog_buffer){
                  .name = name,
                  .loc = c->loc,
                  .space = c->space,
                  .size = hoist_lower_tiles(shape) * TILE_BYTES,
                  .alignment = 1,
                  .window_of = HOIST_NO_REF,
                  .contents = lifetime == HOIST_LIFETIME_CALL ? HOIST_CONTENTS_UNDEFINED
                                                              : HOIST_CONTENTS_PATTERN,
                  .bytes = {nothing, lifetime == HOIST_LIFETIME_CALL ? 0 : sizeof nothing},
                  .lifetime = lifetime});
    const hoist_ref view =
        hoist_builder_view(l->b, &(hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                                                    .of = buffer,
                                                    .dtype = HOIST_DTYPE_F32,
                                                    .layout = hoist_lower_layout(l, shape),
                                                    .reg = HOIST_NO_REF});
    return (hoist_lower_value){view, shape};
}

static void report_misfit(hoist_lower_code *c, hoist_compute_op op, const hoist_lower_value *inputs,
                          size_t count, const char *wanted)
{
    char shapes[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof shapes; i++) {
        used += (size_t)snprintf(shapes + used, sizeof shapes - used,
                                 "%s%" PRIu64 "x%" PRIu64 "x%" PRIu64, i ? ", " : "",
                                 inputs[i].shape.z, inputs[i].shape.rows, inputs[i].shape.cols);
    }
    hoist_lower_refuse(c->l, RUN_003, c->view.op->name.pos,
                       "op '%.*s' gives %s inputs of %s tiles, wanted %s", HOIST_STR_ARGS(c->label),
                       hoist_compute_get(op)->name, shapes, wanted);
}

static bool is_attribute_ok(const hoist_compute_attr_def *def, hoist_compute_value value)
{
    return def->kind != HOIST_COMPUTE_INT ||
           (value.integer >= def->min && value.integer <= def->max);
}

// True when all attributes are in the ranges of their definitions; else the first one is reported.
static bool check_attributes(hoist_lower_code *c, hoist_compute_op op,
                             const hoist_compute_attrs *attrs)
{
    const hoist_compute_def *def = hoist_compute_get(op);
    for (size_t i = 0; i < def->attr_count; i++) {
        if (!is_attribute_ok(&def->attrs[i], attrs->value[i])) {
            hoist_lower_refuse(c->l, RUN_002, c->view.op->name.pos,
                               "op '%.*s' gives %s '%s' %" PRId64 ", wanted %" PRId64
                               " to %" PRId64,
                               HOIST_STR_ARGS(c->label), def->name, def->attrs[i].name,
                               attrs->value[i].integer, def->attrs[i].min, def->attrs[i].max);
            return false;
        }
    }
    return true;
}

hoist_lower_value hoist_lower_compute(hoist_lower_code *c, hoist_compute_op op,
                                      const hoist_compute_attrs *attrs,
                                      const hoist_lower_value *inputs, size_t count)
{
    const hoist_compute_attrs none = {0};
    const hoist_compute_def *def = hoist_compute_get(op);
    hoist_ref views[HOIST_COMPUTE_MAX_INPUTS];
    hoist_tile_shape shapes[HOIST_COMPUTE_MAX_INPUTS];
    attrs = attrs ? attrs : &none;
    if (count < def->min_inputs || count > def->max_inputs) {
        hoist_lower_refuse(c->l, RUN_003, c->view.op->name.pos,
                           "op '%.*s' has %zu inputs for %s, wanted %u", HOIST_STR_ARGS(c->label),
                           count, def->name, (unsigned)def->min_inputs);
        return hoist_lower_none();
    }
    for (size_t i = 0; i < count; i++) {
        views[i] = inputs[i].view;
        shapes[i] = inputs[i].shape;
        HOIST_ASSERT(i < HOIST_COUNT_OF(views));
        if (views[i] == HOIST_NO_REF) {
            return hoist_lower_none();
        }
    }
    if (!check_attributes(c, op, attrs)) {
        return hoist_lower_none();
    }
    hoist_tile_shape shape;
    const char *wanted = "";
    if (!def->infer(attrs, shapes, count, &shape, &wanted)) {
        report_misfit(c, op, inputs, count, wanted);
        return hoist_lower_none();
    }
    if (!hoist_lower_fits(c->l, shape, c->view.op->name.pos, "the result")) {
        return hoist_lower_none();
    }
    const hoist_lower_value result = hoist_lower_tensor(c, shape, HOIST_LIFETIME_CALL);
    const hoist_prog_compute compute = {.op = op,
                                        .attrs = *attrs,
                                        .inputs = views,
                                        .input_count = (uint32_t)count,
                                        .outputs = &result.view,
                                        .output_count = 1};
    hoist_prog_step step = hoist_lower_step(c, HOIST_STEP_COMPUTE);
    step.as.compute = &compute;
    (void)hoist_builder_step(c->l->b, &step);
    return result;
}

hoist_lower_value hoist_lower_compute1(hoist_lower_code *c, hoist_compute_op op,
                                       const hoist_compute_attrs *attrs, hoist_lower_value a)
{
    return hoist_lower_compute(c, op, attrs, &a, 1);
}

hoist_lower_value hoist_lower_compute2(hoist_lower_code *c, hoist_compute_op op,
                                       hoist_lower_value a, hoist_lower_value b)
{
    const hoist_lower_value inputs[] = {a, b};
    return hoist_lower_compute(c, op, NULL, inputs, 2);
}

void hoist_lower_move(hoist_lower_code *c, hoist_lower_value from, const hoist_lower_table *table,
                      hoist_ref to)
{
    const hoist_move_source source = {.view = from.view, .scale = 1.0F};
    hoist_prog_move move = {
        .op = HOIST_MOVE_COPY, .destination = to, .sources = &source, .source_count = 1};
    if (table && !hoist_lower_table_is_same(table, from.shape)) {
        move.table = table->tiles;
        move.table_count = (uint32_t)hoist_lower_tiles(table->shape);
        move.fill = table->fill;
        hoist_lower_spend(c->l, move.table_count, c->view.op->name.pos);
    }
    hoist_prog_step step = hoist_lower_step(c, HOIST_STEP_MOVE);
    step.as.move = &move;
    (void)hoist_builder_step(c->l->b, &step);
}

hoist_lower_value hoist_lower_moved(hoist_lower_code *c, hoist_lower_value from,
                                    const hoist_lower_table *table)
{
    if (hoist_lower_table_is_same(table, from.shape)) {
        return from;
    }
    const hoist_lower_value to = hoist_lower_tensor(c, table->shape, HOIST_LIFETIME_CALL);
    hoist_lower_move(c, from, table, to.view);
    return to;
}

hoist_lower_value hoist_lower_turned(hoist_lower_code *c, hoist_lower_value from)
{
    return hoist_lower_compute1(c, HOIST_GOLDEN_TRANSPOSE_TILE, NULL, from);
}

hoist_lower_value hoist_lower_rounded(hoist_lower_code *c, hoist_lower_value from, buda_df df,
                                      buda_pair tile)
{
    if (df == BUDA_DF_NONE) {
        return from;
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_QUANTIZE_DTYPE].dtype = buda_formats[df].dtype;
    attrs.value[HOIST_QUANTIZE_HEIGHT].integer = tile.r;
    attrs.value[HOIST_QUANTIZE_WIDTH].integer = tile.c;
    return hoist_lower_compute1(c, HOIST_GOLDEN_QUANTIZE, &attrs, from);
}

hoist_lower_value hoist_lower_cleared(hoist_lower_code *c, hoist_lower_value from, buda_pair tile)
{
    if (buda_tile_is(tile, TILE_DIM, TILE_DIM)) {
        return from;
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_CLEAR_HEIGHT].integer = tile.r;
    attrs.value[HOIST_CLEAR_WIDTH].integer = tile.c;
    return hoist_lower_compute1(c, HOIST_GOLDEN_CLEAR, &attrs, from);
}
