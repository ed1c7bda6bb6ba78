// RESHAPE, SQUEEZE, EXPAND_DIMS: the output is another view of the input's bytes (tensor.c), where
// the shape that it has in the file is the one that the operator makes.
#include <inttypes.h>

#include "base/span.h"
#include "lower/tflite/state.h"

// Dimensions, of which -1 is what is left.
typedef struct dims {
    uint32_t count;
    int64_t items[HOIST_MAX_RANK];
} dims;

// -1 fits any extent: the count of elements is compared by the view.
static bool is_shape(const dims *d, const hoist_shape *shape)
{
    bool fits = (int)d->count == shape->rank;
    for (uint32_t i = 0; fits && i < d->count; i++) {
        fits = d->items[i] == -1 || d->items[i] == shape->dim[i];
    }
    return fits;
}

// Numbers of the options; false: more than a shape can have. Items beyond HOIST_MAX_RANK are not
// stored.
static bool listed(hoist_bytes list, dims *out_dims)
{
    out_dims->count = tflite_count(list);
    for (uint32_t i = 0; i < out_dims->count && i < HOIST_MAX_RANK; i++) {
        out_dims->items[i] = hoist_fb_i32(list, i);
    }
    return out_dims->count <= HOIST_MAX_RANK;
}

static bool refuse(tflite_lower_job *j, const tflite_lower_op *op)
{
    return tflite_lower_misfit(j, RUN_030, op,
                               "the output has another shape in the file than it makes");
}

// RESHAPE takes its shape from its second input, if that is a vector of int32, else from its
// options: an older form of a scalar is [0] there. Options without a shape leave it open.
static bool check_reshape(tflite_lower_job *j, const tflite_lower_op *op, const hoist_shape *y)
{
    const tflite_reshape_options *options = op->options;
    const tflite_tensor *given = tflite_tensor_in(j->graph, op->row->inputs, 1);
    dims d = {.count = 0};
    if (given && given->type == TFLITE_INT32 && tflite_count(given->shape) == 1) {
        tflite_lower_numbers numbers = {.count = 0};
        if (hoist_fb_i32(given->shape, 0) == 0) { // a shape of no numbers is a scalar's
            return y->rank == 0 || refuse(j, op);
        }
        if (!tflite_lower_is_constant(j, op, 1)) {
            return tflite_lower_expect_shape(j, op, 1, y);
        }
        if (!tflite_lower_numbers_of(j, op, 1, &numbers)) {
            return false;
        }
        d.count = numbers.count;
        for (uint32_t i = 0; i < d.count; i++) {
            d.items[i] = numbers.items[i];
        }
        return is_shape(&d, y) || refuse(j, op);
    }
    if (!listed(options->new_shape, &d)) {
        return refuse(j, op);
    }
    d.count = d.count == 1 && d.items[0] == 0 ? 0 : d.count; // the older form of a scalar
    return tflite_count(options->new_shape) == 0 || is_shape(&d, y) || refuse(j, op);
}

// The axes that EXPAND_DIMS adds to its input's, or that SQUEEZE takes from them; false: this was
// reported.
static bool axes_of(tflite_lower_job *j, const tflite_lower_op *op, const hoist_shape *x,
                    unsigned *out_axes)
{
    const tflite_squeeze_options *options = op->options;
    const bool adds = op->code == TFLITE_OP_EXPAND_DIMS;
    const int rank = x->rank + adds;
    tflite_lower_numbers numbers = {.count = 0};
    dims d = {.count = 0};
    *out_axes = 0;
    if (adds ? !tflite_lower_numbers_of(j, op, 1, &numbers) || numbers.count != 1
             : !listed(options->squeeze_dims, &d)) {
        return adds && numbers.count == 0 ? false : refuse(j, op);
    }
    for (uint32_t i = 0; i < (adds ? 1 : d.count); i++) {
        const int64_t given = adds ? numbers.items[0] : d.items[i];
        if (given < -rank || given >= rank) {
            return refuse(j, op);
        }
        // Bits of axes, as there are at most HOIST_MAX_RANK of them.
        *out_axes |= 1U << (given < 0 ? given + rank : given);
    }
    // SQUEEZE without a list takes away all dimensions of 1.
    for (int i = 0; i < rank && !adds && d.count == 0; i++) {
        *out_axes |= x->dim[i] == 1 ? 1U << i : 0;
    }
    return true;
}

// The longer shape, without its axes of one element, is the shorter one.
static bool check_axes(tflite_lower_job *j, const tflite_lower_op *op, const hoist_shape *x,
                       const hoist_shape *y)
{
    const bool adds = op->code == TFLITE_OP_EXPAND_DIMS;
    const hoist_shape *longer = adds ? y : x;
    const hoist_shape *shorter = adds ? x : y;
    unsigned axes = 0;
    int k = 0;
    if (!axes_of(j, op, x, &axes)) {
        return false;
    }
    bool fits = longer->rank <= HOIST_MAX_RANK;
    for (int i = 0; fits && i < longer->rank; i++) {
        fits = axes >> i & 1 ? longer->dim[i] == 1
                             : k < shorter->rank && longer->dim[i] == shorter->dim[k++];
    }
    return (fits && k == shorter->rank) || refuse(j, op);
}

void tflite_lower_reshape(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    hoist_shape y;
    if (!x || !tflite_lower_output_shape(j, op, &y)) {
        return;
    }
    if (op->code == TFLITE_OP_RESHAPE ? check_reshape(j, op, &y)
                                      : check_axes(j, op, &x->view.shape, &y)) {
        tflite_lower_share(j, op, x);
    }
}
