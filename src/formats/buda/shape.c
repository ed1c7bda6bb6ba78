// Shapes in tiles through tensor manipulations. In: dimensions and TMs of the module. Out: shapes,
// or the reason why a TM does not apply; check_shape.c reports it. lower/buda/table.c moves the
// data accordingly.
#include "formats/buda/shape.h"

#include "base/checked.h"

// 0 instead of an overflow: 0 fits every shape (buda_shape_fits), so that a hostile size gives no
// second finding.
int64_t buda_shape_product(int64_t a, int64_t b)
{
    int64_t result = 0;
    return a <= 0 || b <= 0 || hoist_ckd_mul_i64(&result, a, b) ? 0 : result;
}

// All parts are file values: absent ones are 0, and 0 anywhere makes the shape unknown.
bool buda_shape_of_block(buda_pair grid, buda_int t, buda_pair mblock, buda_pair ublock,
                         buda_shape *out_shape)
{
    *out_shape = (buda_shape){
        .z = t.value > 0 ? t.value : 0,
        // Total rows of the grid in tiles.
        .r = buda_shape_product(grid.r, buda_shape_product(mblock.r, ublock.r)),
        .c = buda_shape_product(grid.c, buda_shape_product(mblock.c, ublock.c)),
    };
    return out_shape->z > 0 && out_shape->r > 0 && out_shape->c > 0;
}

bool buda_shape_of_op(const buda_op *op, buda_shape *out_shape)
{
    return buda_shape_of_block(op->grid_size, op->t, op->mblock, op->ublock, out_shape);
}

bool buda_shape_of_queue(const buda_queue *queue, buda_shape *out_shape)
{
    return buda_shape_of_block(queue->grid_size, queue->t, queue->mblock, queue->ublock, out_shape);
}

// Multiplies one axis and divides another (NULL: none) by `factor`.
static buda_tm_result scale(int64_t *grows, int64_t *shrinks, int64_t factor)
{
    int64_t grown = 0;
    if (factor < 1) {
        return BUDA_TM_BAD_FACTOR;
    }
    if (shrinks && *shrinks % factor != 0) {
        return BUDA_TM_NOT_DIVISIBLE;
    }
    if (hoist_ckd_mul_i64(&grown, *grows, factor)) {
        return BUDA_TM_TOO_BIG;
    }
    *grows = grown;
    if (shrinks) {
        *shrinks /= factor;
    }
    return BUDA_TM_OK;
}

static int64_t *axis_of(buda_shape *shape, char axis)
{
    switch (axis) {
    case 'r':
        return &shape->r;
    case 'c':
        return &shape->c;
    case 'z':
        return &shape->z;
    default:
        return NULL;
    }
}

// The map may have several axes; the run refuses that (rule 96), the shape is still the product.
static buda_tm_result broadcast(buda_shape *shape, const buda_tm *tm)
{
    for (size_t i = 0; i < tm->axis_count; i++) {
        int64_t *axis = axis_of(shape, tm->axes[i].axis);
        const buda_tm_result result =
            axis ? scale(axis, NULL, tm->axes[i].factor.value) : BUDA_TM_OK;
        if (result != BUDA_TM_OK) {
            return result;
        }
    }
    return BUDA_TM_OK;
}

// Padding with whole tiles at the bottom and at the right; 0 adds nothing.
static buda_tm_result grow(buda_shape *shape, int64_t rows, int64_t columns)
{
    buda_shape grown = *shape;
    if (rows < 0 || columns < 0) {
        return BUDA_TM_BAD_FACTOR;
    }
    if (hoist_ckd_add_i64(&grown.r, shape->r, rows) ||
        hoist_ckd_add_i64(&grown.c, shape->c, columns)) {
        return BUDA_TM_TOO_BIG;
    }
    *shape = grown;
    return BUDA_TM_OK;
}

// The table of section 1.7: a slice moves a factor from an axis to z, a stack moves it back.
static buda_tm_result apply(buda_shape *shape, const buda_tm *tm)
{
    switch (tm->kind) {
    case BUDA_TM_BROADCAST:
        return broadcast(shape, tm);
    case BUDA_TM_HSLICE:
        return scale(&shape->z, &shape->c, tm->factor.value);
    case BUDA_TM_HSTACK:
        return scale(&shape->c, &shape->z, tm->factor.value);
    case BUDA_TM_VSLICE:
        return scale(&shape->z, &shape->r, tm->factor.value);
    case BUDA_TM_VSTACK:
        return scale(&shape->r, &shape->z, tm->factor.value);
    case BUDA_TM_TRANSPOSE:
        *shape = (buda_shape){shape->z, shape->c, shape->r};
        return BUDA_TM_OK;
    case BUDA_TM_PAD:
        return grow(shape, tm->pad.r, tm->pad.c);
    case BUDA_TM_TILE_BROADCAST: // the same tiles: only elements are repeated
    case BUDA_TM_NONE:
        break;
    }
    return BUDA_TM_OK;
}

// On a copy: a broadcast over two axes may fail at the second.
buda_tm_result buda_shape_apply(buda_shape *shape, const buda_tm *tm)
{
    buda_shape changed = *shape;
    const buda_tm_result result = apply(&changed, tm);
    if (result == BUDA_TM_OK) {
        *shape = changed;
    }
    return result;
}

bool buda_shape_apply_all(buda_shape *shape, const buda_tms *tms)
{
    for (size_t i = 0; tms && i < tms->count; i++) {
        if (buda_shape_apply(shape, &tms->items[i]) != BUDA_TM_OK) {
            return false;
        }
    }
    return true;
}

// For the finding of rule 63a, which shows the size that is not divisible and what it counts.
const char *buda_tm_divides(const buda_tm *tm, const buda_shape *shape, int64_t *out_size)
{
    switch (tm->kind) {
    case BUDA_TM_HSLICE:
        *out_size = shape->c;
        return "tile columns";
    case BUDA_TM_VSLICE:
        *out_size = shape->r;
        return "tile rows";
    case BUDA_TM_HSTACK:
    case BUDA_TM_VSTACK:
        *out_size = shape->z;
        return "slices of t";
    default:
        *out_size = 0;
        return NULL;
    }
}

// The output block of an op is the input of its readers: queues and ops give the shape by the same
// four keys.
bool buda_input_source_shape(const buda_op_view *view, size_t i, buda_shape *out_shape)
{
    const buda_net *net = view->check->net;
    const buda_source none = {BUDA_SOURCE_NONE, 0};
    const buda_source source = i < view->op->inputs.count ? view->node->inputs[i] : none;
    switch (source.kind) {
    case BUDA_SOURCE_QUEUE:
        return buda_shape_of_queue(net->queues[source.index].queue, out_shape);
    case BUDA_SOURCE_OP:
        return buda_shape_of_op(net->ops[source.index].op, out_shape);
    case BUDA_SOURCE_NONE:
        break;
    }
    *out_shape = (buda_shape){0, 0, 0};
    return false;
}

bool buda_input_shape(const buda_op_view *view, size_t i, buda_shape *out_shape)
{
    const buda_input_keys *keys = buda_input_keys_find(view->op->input_keys, i);
    if (!buda_input_source_shape(view, i, out_shape)) {
        return false;
    }
    if (!keys) {
        return true;
    }
    // Unpad may not take everything away: a shape of 0 rows would mean "any" from here on.
    if (keys->unpad.rt.value < 0 || keys->unpad.ct.value < 0 ||
        keys->unpad.rt.value >= out_shape->r || keys->unpad.ct.value >= out_shape->c) {
        return false;
    }
    out_shape->r -= keys->unpad.rt.value;
    out_shape->c -= keys->unpad.ct.value;
    // The order of the reference: unpad, TMs from left to right, pad.
    return buda_shape_apply_all(out_shape, &keys->tms) &&
           grow(out_shape, keys->pad.rt.value, keys->pad.ct.value) == BUDA_TM_OK;
}

bool buda_shape_fits(const buda_shape *shape, const buda_shape *expected)
{
    return (expected->z == 0 || expected->z == shape->z) &&
           (expected->r == 0 || expected->r == shape->r) &&
           (expected->c == 0 || expected->c == shape->c);
}
