// Sparse matmuls: the attributes of an encoding, which the kernel reads at run time, and the older
// forms of it. In: values of the three inputs as function.c has moved them. Out: the product. op.c
// goes on with its bias; device_product.c has the same in numerics device.
#include "base/span.h"
#include "lower/buda/state.h"

static int64_t attribute(const buda_lower_code *c, hoist_attr which, int64_t absent)
{
    return buda_attr_int(&c->view.op->attributes, which, absent);
}

// True when the vendor's files show how an encoding of the older form is meant.
static bool is_known_encoding(const buda_op *op, bool is_list, int64_t u_kt, int64_t fracture)
{
    const bool is_power = u_kt > 1 && (u_kt & (u_kt - 1)) == 0;
    return op->grid_size.r == 1 && op->grid_size.c == 1 && op->t.value == 1 && fracture == 1 &&
           (is_list ? u_kt == 1 : is_power || op->ublock.r == 1);
}

// Before sparse_tile_ptr_bits encodings were lists, whose length is given, or strips of bytes.
// Both forms are steps of their own (ops/compute.h), with attributes in the order of
// HOIST_OLDER_*.
static buda_lower_value sparse_older(buda_lower_code *c, const buda_lower_value *inputs)
{
    const buda_op *op = c->view.op;
    const int64_t length = attribute(c, HOIST_ATTR_INDICES_LEN, 0);
    const int64_t u_kt = attribute(c, HOIST_ATTR_U_KT, 1);
    hoist_compute_attrs attrs = {0};
    if (!is_known_encoding(op, length != 0, u_kt, attribute(c, HOIST_ATTR_FRACTURE_FACTOR, 1))) {
        buda_lower_refuse(
            c->l, RUN_002, op->name.pos,
            "op '%.*s' has no sparse_tile_ptr_bits: its encoding is of an older form, "
            "known for one core, t 1 and %s",
            HOIST_STR_ARGS(c->label),
            length ? "u_kt 1" : "a u_kt that is a power of 2 or ublocks of one row");
        return buda_lower_none();
    }
    attrs.value[HOIST_OLDER_MBLOCK_M].integer = op->mblock.r;
    attrs.value[HOIST_OLDER_MBLOCK_N].integer = op->mblock.c;
    attrs.value[HOIST_OLDER_UBLOCK_RT].integer = op->ublock.r;
    attrs.value[HOIST_OLDER_UBLOCK_CT].integer = op->ublock.c;
    if (length == 0) {
        attrs.value[HOIST_OLDER_U_KT].integer = u_kt;
        return buda_lower_compute(c, HOIST_GOLDEN_SPARSE_BYTES, &attrs, inputs, 3);
    }
    attrs.value[HOIST_OLDER_LENGTH].integer = length;
    attrs.value[HOIST_OLDER_FIRST_ROW].integer = attribute(c, HOIST_ATTR_STARTING_ROW, 0);
    return buda_lower_compute(c, HOIST_GOLDEN_SPARSE_INDICES, &attrs, inputs, 3);
}

// The constants of the encoding's layout; the kernel reads the encoding itself at run time.
void buda_lower_sparse_attrs(const buda_lower_code *c, hoist_compute_value *out)
{
    const buda_op *op = c->view.op;
    const int64_t ptr_bits = attribute(c, HOIST_ATTR_SPARSE_TILE_PTR_BITS, 0);
    const int64_t idx_bits = attribute(c, HOIST_ATTR_SPARSE_UBLOCK_IDX_BITS, -1);
    out[HOIST_SPARSE_GRID_ROWS].integer = op->grid_size.r;
    out[HOIST_SPARSE_GRID_COLS].integer = op->grid_size.c;
    out[HOIST_SPARSE_T].integer = op->t.value;
    out[HOIST_SPARSE_MBLOCK_M].integer = op->mblock.r;
    out[HOIST_SPARSE_MBLOCK_N].integer = op->mblock.c;
    out[HOIST_SPARSE_UBLOCK_RT].integer = op->ublock.r;
    out[HOIST_SPARSE_UBLOCK_CT].integer = op->ublock.c;
    out[HOIST_SPARSE_U_KT].integer = attribute(c, HOIST_ATTR_U_KT, 1);
    out[HOIST_SPARSE_TILES].integer = attribute(c, HOIST_ATTR_NUM_SPARSE_TILES, 0);
    out[HOIST_SPARSE_PTR_BITS].integer = ptr_bits;
    // Absent: as wide as the tile pointer.
    out[HOIST_SPARSE_IDX_BITS].integer = idx_bits < 0 ? ptr_bits : idx_bits;
    out[HOIST_SPARSE_FRACTURE].integer = attribute(c, HOIST_ATTR_FRACTURE_FACTOR, 1);
}

buda_lower_value buda_lower_sparse(buda_lower_code *c, const buda_lower_value *inputs)
{
    hoist_compute_attrs attrs = {0};
    if (attribute(c, HOIST_ATTR_SPARSE_TILE_PTR_BITS, 0) == 0) {
        return sparse_older(c, inputs);
    }
    buda_lower_sparse_attrs(c, attrs.value + HOIST_SPARSE_GRID_ROWS);
    return buda_lower_compute(c, HOIST_GOLDEN_SPARSE_MATMUL, &attrs, inputs, 3);
}
