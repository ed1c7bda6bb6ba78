// Steps of functions: temporaries, compute and move steps, one call each for op.c, simple.c,
// fused.c and splice.c. In: values and tables (state.h). Out: rows of the builder with the location
// of the op. A failed step gives buda_lower_none(), which all steps after it pass on, so that one
// fault has one finding.

#include "base/assert.h"
#include "base/span.h"
#include "lower/buda/state.h"

enum { TILE_DIM = 32, TILE_BYTES = 4096 }; // sides and float32 bytes of a tile of a temporary

// -0.0: the one number that leaves every other as it is when it is added.
static const uint8_t nothing[] = {0, 0, 0, 0x80};

hoist_prog_step buda_lower_step(const buda_lower_code *c, hoist_step_kind kind)
{
    return (hoist_prog_step){.kind = kind, .loc = c->loc, .label = c->label};
}

// Temporaries are tiled float32, in logical order, whatever formats the op declares: roundings are
// steps of their own.
buda_lower_value buda_lower_tensor(buda_lower_code *c, hoist_tile_shape shape,
                                   hoist_lifetime lifetime)
{
    HOIST_ASSERT(buda_lower_tiles(shape) > 0);
    buda_lower_job *l = c->l;
    // "op/3" of a call, "op/sum3" of the session.
    const char *kind = lifetime == HOIST_LIFETIME_CALL ? "" : "sum";
    const hoist_str name = hoist_lower_name(&l->c, c->label, "/%s%u", kind, c->temporaries++);
    const hoist_ref buffer = hoist_builder_buffer(
        l->c.b, &(hoist_prog_buffer){
                    .name = name,
                    .loc = c->loc,
                    .space = c->space,
                    .size = buda_lower_tiles(shape) * TILE_BYTES,
                    .alignment = 1,
                    .window_of = HOIST_NO_REF,
                    // A sum that begins as -0.0 makes the first addition give its other operand,
                    // sign included.
                    .contents = lifetime == HOIST_LIFETIME_CALL ? HOIST_CONTENTS_UNDEFINED
                                                                : HOIST_CONTENTS_PATTERN,
                    // A pattern of one float.
                    .bytes = {nothing, lifetime == HOIST_LIFETIME_CALL ? 0 : sizeof nothing},
                    .lifetime = lifetime});
    const hoist_ref view =
        hoist_builder_view(l->c.b, &(hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                                                      .of = buffer,
                                                      .dtype = HOIST_DTYPE_F32,
                                                      .layout = buda_lower_layout(l, shape),
                                                      .reg = HOIST_NO_REF});
    return (buda_lower_value){view, shape};
}

// The result's shape is inferred from the inputs by the rules of ops/compute.h, so that lowering
// has none of its own.
buda_lower_value buda_lower_compute(buda_lower_code *c, hoist_compute_op op,
                                    const hoist_compute_attrs *attrs,
                                    const buda_lower_value *inputs, size_t count)
{
    const hoist_compute_attrs none = {0};
    const hoist_compute_def *def = hoist_compute_get(op);
    hoist_ref views[HOIST_COMPUTE_MAX_INPUTS];
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    attrs = attrs ? attrs : &none;
    // The count comes from the netlist: a sub-op may list fewer or more than the step takes.
    if (count != def->inputs) {
        buda_lower_refuse(c->l, RUN_003, c->view.op->name.pos,
                          "op '%.*s' has %zu inputs for %s, expected %u", HOIST_STR_ARGS(c->label),
                          count, def->name, (unsigned)def->inputs);
        return buda_lower_none();
    }
    for (size_t i = 0; i < count; i++) {
        HOIST_ASSERT(i < HOIST_COUNT_OF(views));
        views[i] = inputs[i].view;
        operands[i] = hoist_compute_tiles(inputs[i].shape);
        if (views[i] == HOIST_NO_REF) { // reported where it arose
            return buda_lower_none();
        }
    }
    operands[count].dtype = HOIST_DTYPE_F32; // what golden steps give
    const hoist_compute_fit fit = hoist_compute_infer(op, attrs, operands, why);
    if (fit != HOIST_FIT_OK) {
        buda_lower_refuse(c->l, fit == HOIST_FIT_ATTRIBUTES ? RUN_002 : RUN_003,
                          c->view.op->name.pos, "op '%.*s' becomes %s: %s",
                          HOIST_STR_ARGS(c->label), def->name, why);
        return buda_lower_none();
    }
    const int64_t *dim = operands[count].shape.dim;
    const hoist_tile_shape shape = {(uint64_t)dim[0], (uint64_t)dim[1], (uint64_t)dim[2]};
    // Inference is by 64-bit numbers; a tensor of more tiles than a table may have stops here.
    if (!buda_lower_fits(c->l, shape, c->view.op->name.pos, "the result")) {
        return buda_lower_none();
    }
    const buda_lower_value result = buda_lower_tensor(c, shape, HOIST_LIFETIME_CALL);
    const hoist_prog_compute compute = {.op = op,
                                        .attrs = *attrs,
                                        .inputs = views,
                                        .input_count = (uint32_t)count,
                                        .outputs = &result.view,
                                        .output_count = 1};
    hoist_prog_step step = buda_lower_step(c, HOIST_STEP_COMPUTE);
    step.as.compute = &compute;
    (void)hoist_builder_step(c->l->c.b, &step);
    return result;
}

// Steps of one and of two inputs, which are most.
buda_lower_value buda_lower_compute1(buda_lower_code *c, hoist_compute_op op,
                                     const hoist_compute_attrs *attrs, buda_lower_value a)
{
    return buda_lower_compute(c, op, attrs, &a, 1);
}

buda_lower_value buda_lower_compute2(buda_lower_code *c, hoist_compute_op op, buda_lower_value a,
                                     buda_lower_value b)
{
    const buda_lower_value inputs[] = {a, b};
    return buda_lower_compute(c, op, NULL, inputs, 2);
}

// Without a table, or with one that changes nothing, the move copies tile by tile.
void buda_lower_move(buda_lower_code *c, buda_lower_value from, const buda_lower_table *table,
                     hoist_ref to)
{
    const hoist_move_source source = {.view = from.view, .scale = 1.0F};
    hoist_prog_move move = {
        .op = HOIST_MOVE_COPY, .destination = to, .sources = &source, .source_count = 1};
    if (table && !buda_lower_table_is_same(table, from.shape)) {
        move.table = table->tiles;
        move.table_count = (uint32_t)buda_lower_tiles(table->shape);
        move.fill = table->fill;
        // The table is copied into the program.
        buda_lower_spend(c->l, move.table_count, c->view.op->name.pos);
    }
    hoist_prog_step step = buda_lower_step(c, HOIST_STEP_MOVE);
    step.as.move = &move;
    (void)hoist_builder_step(c->l->c.b, &step);
}

// No step where the table is the identity: most inputs have no TMs.
buda_lower_value buda_lower_moved(buda_lower_code *c, buda_lower_value from,
                                  const buda_lower_table *table)
{
    if (buda_lower_table_is_same(table, from.shape)) {
        return from;
    }
    const buda_lower_value to = buda_lower_tensor(c, table->shape, HOIST_LIFETIME_CALL);
    buda_lower_move(c, from, table, to.view);
    return to;
}

// TMs move tiles; the elements within a tile are a compute step.
buda_lower_value buda_lower_transposed(buda_lower_code *c, buda_lower_value from)
{
    return buda_lower_compute1(c, HOIST_GOLDEN_TRANSPOSE_TILE, NULL, from);
}

buda_lower_value buda_lower_rounded(buda_lower_code *c, buda_lower_value from, buda_df df,
                                    buda_pair tile)
{
    if (df == BUDA_DF_NONE) {
        return from;
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_QUANTIZE_DTYPE].dtype = buda_formats[df].dtype;
    attrs.value[HOIST_QUANTIZE_HEIGHT].integer = tile.r;
    attrs.value[HOIST_QUANTIZE_WIDTH].integer = tile.c;
    return buda_lower_compute1(c, HOIST_GOLDEN_QUANTIZE, &attrs, from);
}

// Tiny tiles are kept as 32x32 with zeros behind them.
buda_lower_value buda_lower_zeroed(buda_lower_code *c, buda_lower_value from, buda_pair tile)
{
    if (buda_tile_is(tile, TILE_DIM, TILE_DIM)) {
        return from;
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_MASK_HEIGHT].integer = tile.r;
    attrs.value[HOIST_MASK_WIDTH].integer = tile.c;
    return buda_lower_compute1(c, HOIST_GOLDEN_MASK, &attrs, from);
}
