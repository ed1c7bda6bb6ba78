// Ops of the matrix unit in the numerics `device` (device.c) but for matmuls (device_product.c):
// add, subtract, multiply, copies, splices, reductions. In: values of their declared formats. Out:
// the packed result, by steps of device_source.c; maxima are those of device_vector.c.
#include "lower/buda/device.h"

enum { MAX_SLICES = 4096 }; // of a reduction: steps are made for each

bool buda_device_is_combined(hoist_op op)
{
    return op == HOIST_OP_ADD || op == HOIST_OP_SUBTRACT || op == HOIST_OP_MULTIPLY;
}

buda_lower_value buda_device_combined(const buda_device *d, hoist_op op,
                                      const hoist_device_source *source,
                                      const buda_lower_value *inputs)
{
    const hoist_compute_attrs attrs = buda_device_attrs(d, source);
    return buda_lower_compute(d->c,
                              op == HOIST_OP_ADD        ? HOIST_DEVICE_ADD
                              : op == HOIST_OP_SUBTRACT ? HOIST_DEVICE_SUBTRACT
                                                        : HOIST_DEVICE_MULTIPLY,
                              &attrs, inputs, 2);
}

// add, subtract, multiply of the matrix unit; the others are the vector unit's.
buda_lower_value buda_device_binary(const buda_device *d, const buda_lower_value *inputs)
{
    const hoist_op op = d->c->view.op->op;
    hoist_device_source source[2] = {HOIST_DEVICE_SOURCE_BF16};
    if (op == HOIST_OP_MAXIMUM) {
        return buda_device_maximum(d, inputs);
    }
    if (!buda_device_is_combined(op)) {
        return buda_device_refuse(d, d->c->view.op->type.pos, "functions of the vector unit");
    }
    if (!buda_device_sources(d, 2, source)) {
        return buda_lower_none();
    }
    return buda_device_packed(d, buda_device_combined(d, op, source, inputs), d->c->view.out_df,
                              &d->c->view.op->attributes);
}

// A copy through the register rounds twice: when it is unpacked and when it is packed.
buda_lower_value buda_device_copy(const buda_device *d, const buda_lower_value *inputs)
{
    hoist_device_source source[1] = {HOIST_DEVICE_SOURCE_BF16};
    if (!buda_device_sources(d, 1, source)) {
        return buda_lower_none();
    }
    return buda_device_packed(d, buda_device_moved(d, source[0], inputs[0]), d->c->view.out_df,
                              &d->c->view.op->attributes);
}

// Copies of tiles of several inputs, which are all unpacked as the first one.
buda_lower_value buda_device_splice(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    hoist_device_source source[BUDA_MAX_INPUTS] = {HOIST_DEVICE_SOURCE_BF16};
    for (size_t i = 0; i < view->input_count; i++) {
        if (d->inputs[i] != d->inputs[0]) {
            return buda_device_refuse(d, buda_input_pos(view->op, i), "inputs of several formats");
        }
    }
    if (view->input_count == 0 || !buda_device_sources(d, view->input_count, source)) {
        return buda_lower_none();
    }
    const buda_lower_value spliced = buda_lower_splice(d->c, inputs);
    return spliced.view == HOIST_NO_REF
               ? spliced
               : buda_device_packed(d, buda_device_moved(d, source[0], spliced), view->out_df,
                                    &view->op->attributes);
}

// Reductions --------------------------------------------------------------------------------------

// Slices k, k + z ... of `from`.
static buda_lower_value every_slice(const buda_device *d, buda_lower_value from, uint64_t k,
                                    uint64_t z)
{
    buda_lower_job *l = d->c->l;
    buda_lower_table table = buda_lower_table_of(from.shape);
    table.shape.z = from.shape.z / z;
    const uint64_t plane = from.shape.rows * from.shape.cols;
    const uint64_t count = buda_lower_tiles(table.shape);
    buda_lower_spend(l, count, d->c->view.op->name.pos);
    table.tiles = hoist_lower_scratch(&l->c, count, sizeof *table.tiles);
    if (l->c.status != HOIST_OK || !table.tiles) {
        return buda_lower_none();
    }
    for (uint64_t i = 0; i < count; i++) {
        table.tiles[i] = (int32_t)((i / plane * z + k) * plane + i % plane);
    }
    return buda_lower_moved(d->c, from, &table);
}

// Slice after slice in the vector unit: what is greatest so far goes over memory.
static buda_lower_value reduce_slices(const buda_device *d, buda_lower_value input,
                                      hoist_device_source source)
{
    const buda_op_view *view = &d->c->view;
    const int64_t z = buda_attr_int(&view->op->attributes, HOIST_ATTR_Z, 0);
    hoist_device_source spill = source;
    if (z < 1 || z > MAX_SLICES || input.shape.z % (uint64_t)z != 0) {
        return buda_device_refuse(d, view->op->name.pos, "another number of slices");
    }
    if (z > 1 && !buda_device_spill_source(d, source, &spill)) {
        return buda_lower_none();
    }
    buda_lower_value most = buda_lower_none();
    for (int64_t k = 0; k < z; k++) {
        buda_lower_value slice = every_slice(d, input, (uint64_t)k, (uint64_t)z);
        if (slice.view == HOIST_NO_REF) {
            return slice;
        }
        slice = buda_device_moved(d, source, slice);
        if (k > 0) {
            slice = buda_device_greater(d, slice, buda_device_moved(d, spill, most));
        }
        most = buda_device_packed(d, slice, k + 1 < z ? view->intermed_df : view->out_df,
                                  k + 1 < z ? NULL : &view->op->attributes);
        if (most.view == HOIST_NO_REF) {
            return most;
        }
    }
    return most;
}

// The greatest of rows or columns: the matrix engine compares words, and does not round.
buda_lower_value buda_device_reduce(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const buda_attributes *attributes = &view->op->attributes;
    const buda_lower_simple simple = {
        .op = HOIST_OP_REDUCE, .attributes = attributes, .pos = view->op->name.pos};
    hoist_device_source source[1] = {HOIST_DEVICE_SOURCE_BF16};
    if (!buda_device_sources(d, 1, source)) {
        return buda_lower_none();
    }
    if (buda_attr_is(attributes, HOIST_ATTR_DIM, "z")) {
        return reduce_slices(d, inputs[0], source[0]);
    }
    if (source[0] == HOIST_DEVICE_SOURCE_F16) {
        return buda_device_refuse(d, buda_input_pos(view->op, 0), "a reduction of Float16");
    }
    if (!buda_attr_is(attributes, HOIST_ATTR_DIM, "r") &&
        !buda_attr_is(attributes, HOIST_ATTR_DIM, "c")) {
        return buda_device_refuse(d, view->op->type.pos, "a reduction of rows and columns at once");
    }
    const buda_lower_value words = buda_device_moved(d, source[0], inputs[0]);
    const buda_lower_value result = buda_lower_simple_op(d->c, &simple, &words, 1);
    return result.view == HOIST_NO_REF ? result
                                       : buda_device_packed(d, result, view->out_df, attributes);
}
