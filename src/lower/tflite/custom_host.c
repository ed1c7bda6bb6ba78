// What lowers custom operators of the host (custom_table.c) takes from here: reports of wrong
// options, inputs as float32, tensors of an operator's own, outputs.
#include <inttypes.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

// `fault` is "" for no FlexBuffer, a name for an option that is missing or no number.
bool tflite_lower_host_options(tflite_lower_job *j, const tflite_lower_op *op, const char *fault)
{
    if (fault) {
        tflite_lower_misfit(j, RUN_030, op, "%s%s%s", *fault ? "its option '" : "its options are",
                            *fault ? fault : " no FlexBuffer", *fault ? "' is no number" : "");
    }
    return !fault;
}

// A name from the same counter as constants, since both are buffers that no tensor has.
hoist_lower_view tflite_lower_scratch(tflite_lower_job *j, const char *what, hoist_dtype dtype,
                                      const hoist_shape *shape)
{
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, dtype, shape);
    const hoist_str name = hoist_lower_numbered(j->c, hoist_str_from(what), &j->c->constants);
    if (name.data) {
        view.of = hoist_builder_buffer(
            j->c->b, &(hoist_prog_buffer){.name = name,
                                          .loc = j->layers.loc,
                                          .space = j->layers.space,
                                          .size = (uint64_t)hoist_shape_count(shape) *
                                                  (hoist_dtype_get(dtype)->bits / 8U),
                                          .alignment = 1,
                                          .window_of = HOIST_NO_REF,
                                          .lifetime = HOIST_LIFETIME_CALL,
                                          .layout = HOIST_NO_REF});
    }
    return view;
}

// The shape without leading dimensions of 1, at most down to `rank`; other leading dimensions stay,
// and the caller refuses the rank.
static hoist_shape without_ones(const hoist_shape *shape, int rank)
{
    hoist_shape rest = *shape;
    while (rest.rank > rank && rest.dim[0] == 1) {
        rest.rank--;
        for (int i = 0; i < rest.rank; i++) {
            rest.dim[i] = rest.dim[i + 1];
        }
    }
    return rest;
}

// Quantised inputs are widened, so that the steps of these operators know float32 alone. The factor
// (pixels to places) is part of the same step where there is one.
bool tflite_lower_host_input(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                             tflite_lower_host_form form, hoist_lower_view *out_view)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, index);
    float scale = 0;
    if (!x) {
        return false;
    }
    const hoist_shape shape = without_ones(&x->view.shape, form.rank);
    const bool is_real = x->view.dtype == HOIST_DTYPE_F32;
    if (shape.rank != form.rank || !hoist_lower_view_reshape(&x->view, &shape, out_view)) {
        return tflite_lower_misfit(j, RUN_030, op,
                                   "input %" PRIu32 " has %d dimensions, expected 1 and %d others",
                                   index, x->view.shape.rank, form.rank);
    }
    if (is_real && form.factor == 1.0F) {
        return true;
    }
    if (!is_real && !tflite_lower_scale(j, op, x, &scale)) {
        return false;
    }
    const hoist_quant_unary layer = {*out_view,
                                     tflite_lower_scratch(j, "numbers", HOIST_DTYPE_F32, &shape)};
    const hoist_status status =
        is_real ? hoist_plain_number(&j->layers, HOIST_TFLITE_MULTIPLY_F32, form.factor, &layer)
                : hoist_quant_dequantize(&j->layers, &layer, scale * form.factor);
    *out_view = layer.y;
    tflite_lower_end(j, op, status);
    return status == HOIST_OK;
}

// The step's rows hold all results, so each output is a copy of some columns.
bool tflite_lower_host_output(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                              const hoist_lower_view *from)
{
    const tflite_lower_value *y = tflite_lower_output(j, op, index);
    if (!y) {
        return false;
    }
    const hoist_quant_unary copy = {*from, y->view};
    const hoist_status status = hoist_quant_copy(&j->layers, &copy);
    tflite_lower_end(j, op, status);
    return status == HOIST_OK;
}
