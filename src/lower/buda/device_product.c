// Matmuls in the numerics `device` (device.c), dense and sparse: factors, blocks of the inner
// dimension whose sums go over memory, bias, function, packer. In: values of their declared
// formats. Out: the packed result. Sources and packing are of device_source.c, gelu is of
// device_vector.c; matmuls in fused ops are in device_fused.c.
#include <string.h>

#include "lower/buda/device.h"

// The sums, which are in memory, plus row 0 of each tile of the bias.
static buda_lower_value biased(const buda_device *d, buda_lower_value sums, buda_lower_value bias,
                               const hoist_device_source *source)
{
    const buda_lower_value operands[] = {sums, bias};
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    attrs.value[HOIST_DEVICE_ROW].integer = 1;
    return buda_lower_compute(d->c, HOIST_DEVICE_ADD, &attrs, operands, 2);
}

// False: nothing follows a matmul in the vector unit. What else than gelu could is refused.
static bool has_function(const buda_op_view *view)
{
    return buda_attr_find(&view->op->attributes, HOIST_ATTR_SFPU_OP) &&
           !buda_attr_is(&view->op->attributes, HOIST_ATTR_SFPU_OP, "invalid");
}

// Features of a matmul without a known order of roundings; NULL: none is used.
static const char *unknown_matmul(const buda_op_view *view)
{
    return view->requant || view->dequant ? "scales"
           : has_function(view) && !buda_attr_is(&view->op->attributes, HOIST_ATTR_SFPU_OP, "gelu")
               ? "functions of the vector unit"
               : NULL;
}

// Where sums are after a block. With l1_acc the packer adds blocks in memory; the last one, too,
// where a bias follows, or where memory of sums and of results is the same and nothing else is
// done to them (hlks/matmul/matmul_u.cpp). Of a sparse matmul memory is the result in these cases
// whether the packer adds or not: ublocks without tiles are left alone (matmul_ident.cpp).
static hoist_device_sums sums_of(const buda_op_view *view)
{
    const bool is_shared = view->intermed_df == view->out_df &&
                           !buda_attr_bool(&view->op->attributes, HOIST_ATTR_RELU_EN) &&
                           !has_function(view);
    const bool keeps = view->bias || is_shared;
    if (view->l1_acc) {
        return keeps ? HOIST_DEVICE_SUMS_KEPT : HOIST_DEVICE_SUMS_ADDED;
    }
    return keeps && view->identity ? HOIST_DEVICE_SUMS_STORED : HOIST_DEVICE_SUMS_RELOADED;
}

// What sums over memory need; false when it is refused.
static bool has_sums(const buda_device *d, hoist_device_sums sums,
                     const hoist_device_source *source, hoist_device_source *out_spill)
{
    const buda_op_view *view = &d->c->view;
    if (!buda_device_spill_source(d, source[0], out_spill)) {
        return false;
    }
    if (hoist_device_keeps(sums) && !view->bias && view->op->untilize_output.value) {
        (void)buda_device_refuse(d, view->op->untilize_output.pos,
                                 "sums in memory that are untilized");
        return false;
    }
    if (hoist_device_adds(sums) &&
        !hoist_device_accumulates(buda_formats[view->intermed_df].dtype)) {
        (void)buda_device_refuse(d, view->op->intermed_df.pos, "sums in memory of such a format");
        return false;
    }
    return true;
}

// z slices that are summed, next to each other as one inner dimension: columns of the first factor,
// rows of the second one.
static buda_lower_value side_by_side(const buda_device *d, buda_lower_value from, uint64_t z,
                                     bool is_first)
{
    const hoist_tile_shape in = from.shape;
    buda_lower_job *l = d->c->l;
    buda_lower_table table = buda_lower_table_of(in);
    table.shape = (hoist_tile_shape){in.z / z, is_first ? in.rows : in.rows * z,
                                     is_first ? in.cols * z : in.cols};
    const uint64_t count = buda_lower_tiles(in);
    buda_lower_spend(l, count, d->c->view.op->name.pos);
    table.tiles = hoist_lower_scratch(&l->c, count, sizeof *table.tiles);
    if (l->c.status != HOIST_OK || !table.tiles) {
        return buda_lower_none();
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t row = i / table.shape.cols % table.shape.rows;
        const uint64_t slice = i / (in.rows * in.cols * z) * z;
        const uint64_t at = i % table.shape.cols / in.cols; // of the first factor
        table.tiles[i] =
            (int32_t)(is_first ? ((slice + at) * in.rows + row) * in.cols + i % in.cols : i);
    }
    return buda_lower_moved(d->c, from, &table);
}

// The factors with the inner dimension that the op sums over; false when it is refused.
static bool factors(const buda_device *d, const buda_lower_value *inputs, buda_lower_value *out)
{
    const buda_op_view *view = &d->c->view;
    const int64_t z = buda_attr_int(&view->op->attributes, HOIST_ATTR_Z, 0);
    memcpy(out, inputs, 2 * sizeof *out);
    if (!view->accumulate) {
        return true;
    }
    const uint64_t block = view->u_kt > 0 ? (uint64_t)view->u_kt : 1;
    if (z < 1 || inputs[0].shape.z % (uint64_t)z != 0 || inputs[1].shape.z != inputs[0].shape.z ||
        inputs[0].shape.cols % block != 0 || inputs[1].shape.rows != inputs[0].shape.cols) {
        (void)buda_device_refuse(d, view->op->name.pos, "another number of slices or blocks");
        return false;
    }
    out[0] = side_by_side(d, inputs[0], (uint64_t)z, true);
    out[1] = side_by_side(d, inputs[1], (uint64_t)z, false);
    return out[0].view != HOIST_NO_REF && out[1].view != HOIST_NO_REF;
}

// The product of both factors: blocks of the inner dimension, of one slice each, go over memory.
static buda_lower_value product(const buda_device *d, const buda_lower_value *inputs,
                                const hoist_device_source *source, hoist_device_source spill,
                                hoist_device_sums sums)
{
    const buda_op_view *view = &d->c->view;
    const bool spills = view->m_k > 1 || view->accumulate;
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    // Larger than any inner dimension: one block.
    attrs.value[HOIST_DEVICE_BLOCK].integer = spills && view->u_kt > 0 ? view->u_kt : 1 << 30;
    attrs.value[HOIST_DEVICE_SPILL].dtype =
        spills ? buda_formats[view->intermed_df].dtype : HOIST_DTYPE_F32;
    attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = spills ? spill : source[0];
    attrs.value[HOIST_DEVICE_SUMS].integer = sums;
    return buda_lower_compute(d->c, HOIST_DEVICE_MATMUL, &attrs, inputs, 2);
}

// What follows the sums: the bias, the function, the packer.
static buda_lower_value finished(const buda_device *d, buda_lower_value sums, bool is_packed,
                                 const buda_lower_value *bias, const hoist_device_source *source)
{
    const buda_op_view *view = &d->c->view;
    if (bias) {
        sums = is_packed ? sums : buda_device_packed(d, sums, view->intermed_df, NULL);
        sums = biased(d, sums, *bias, source);
        is_packed = false;
    }
    if (has_function(view)) {
        sums = buda_device_applied(d, HOIST_OP_GELU, sums);
    }
    return is_packed ? sums : buda_device_packed(d, sums, view->out_df, &view->op->attributes);
}

// Dense, with an optional bias. Sums go over memory after each block when there are several, and
// before the bias.
static buda_lower_value dense(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const bool spills = view->m_k > 1 || view->accumulate;
    const hoist_device_sums sums = spills ? sums_of(view) : HOIST_DEVICE_SUMS_RELOADED;
    hoist_device_source source[3] = {HOIST_DEVICE_SOURCE_BF16};
    hoist_device_source spill = HOIST_DEVICE_SOURCE_BF16;
    buda_lower_value both[2];
    if (!buda_device_sources(d, view->bias ? 3 : 2, source) ||
        ((view->bias || spills) && !has_sums(d, sums, source, &spill)) ||
        !factors(d, inputs, both)) {
        return buda_lower_none();
    }
    return finished(d, product(d, both, source, spill, sums), hoist_device_keeps(sums),
                    view->bias ? &inputs[2] : NULL, (hoist_device_source[]){spill, source[2]});
}

// The reason why a sparse matmul is refused; NULL: it is known. What a Float32 is unpacked to
// depends on the formats of all inputs, of which the encoding is one.
static const char *unknown_sparse(const buda_device *d)
{
    const buda_op_view *view = &d->c->view;
    for (size_t i = 0; i < view->input_count; i++) {
        if (d->inputs[i] == BUDA_FLOAT32) {
            return "Float32 next to an encoding";
        }
    }
    return buda_attr_int(&view->op->attributes, HOIST_ATTR_SPARSE_TILE_PTR_BITS, 0) < 1
               ? "an encoding of an older form"
           : view->accumulate || has_function(view)
               ? "a sparse matmul with sums over z or a function"
               : NULL;
}

// Strips of the encoding are the blocks. Inputs are the tiles, the activations, the encoding, the
// bias.
static buda_lower_value sparse(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const char *unknown = unknown_sparse(d);
    const hoist_device_sums sums = sums_of(view);
    hoist_device_source source[4] = {HOIST_DEVICE_SOURCE_BF16};
    hoist_device_source spill = HOIST_DEVICE_SOURCE_BF16;
    if (unknown) {
        return buda_device_refuse(d, view->op->name.pos, unknown);
    }
    if (!buda_device_sources(d, 2, source) ||
        (view->bias && !buda_device_source_at(d, 3, source)) ||
        !has_sums(d, sums, source, &spill)) {
        return buda_lower_none();
    }
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    attrs.value[HOIST_DEVICE_SPILL].dtype = buda_formats[view->intermed_df].dtype;
    attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = spill;
    attrs.value[HOIST_DEVICE_SUMS].integer = sums;
    buda_lower_sparse_attrs(d->c, attrs.value + HOIST_DEVICE_SPARSE);
    return finished(d, buda_lower_compute(d->c, HOIST_DEVICE_SPARSE_MATMUL, &attrs, inputs, 3),
                    hoist_device_keeps(sums), view->bias ? &inputs[3] : NULL,
                    (hoist_device_source[]){spill, source[3]});
}

buda_lower_value buda_device_matmul(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const char *unknown = unknown_matmul(view);
    const size_t count = (view->identity ? 3 : 2) + (size_t)view->bias;
    if (unknown || view->input_count != count) {
        return buda_device_refuse(d, view->op->name.pos,
                                  unknown ? unknown : "another number of inputs");
    }
    return view->identity ? sparse(d, inputs) : dense(d, inputs);
}
