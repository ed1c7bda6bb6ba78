// The operator that a package is in: rules 4 and 73 to 76. Tensors of the operator belong to layers
// of the main executable by their order; outputs that are state have no tensor. In: the payload
// that the TFLite model has made (formats/tflite/payloads.c).
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/check.h"

// Bytes of a tensor; -1: an extent is negative, or their product does not fit.
static int64_t tensor_bytes(const hoist_border_tensor *tensor)
{
    int64_t bytes = hoist_dtype_get(tensor->dtype)->bits / 8;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        if (tensor->shape[i] < 0 || hoist_ckd_mul_i64(&bytes, bytes, tensor->shape[i])) {
            return -1;
        }
    }
    return bytes > 0 ? bytes : -1;
}

// Rule 74. The types fit as they are, or the delegate converts (LE tflite/custom_op.cc): an output
// of one pixel, of SINGLE or FIXED_POINT16, to uint8.
static void check_type(const dwn_check *c, const dwn_layer *layer,
                       const hoist_border_tensor *tensor, bool is_output)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const bool is_converted =
        is_output && tensor->dtype == HOIST_DTYPE_U8 && layer->y_dim == 1 && layer->x_dim == 1 &&
        (layer->data_type == DWN_SINGLE || layer->data_type == DWN_FIXED_POINT16);
    if (type && type->dtype != tensor->dtype && !is_converted) {
        const char *const name = hoist_fb_word_name(dwn_data_types, layer->data_type);
        dwn_report(c->diag, DWN_074, DWN_PLACE(c, layer, layer, data_type),
                   "the layer '%.*s' is %s, the tensor '%.*s' %s", HOIST_STR_ARGS(layer->name),
                   name ? name : "of an unknown type", HOIST_STR_ARGS(tensor->name),
                   hoist_dtype_get(tensor->dtype)->name);
    }
}

// Rule 75: the tensor has the bytes of all elements of the batch.
static void check_bytes(const dwn_check *c, const dwn_layer *layer,
                        const hoist_border_tensor *tensor)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const int64_t have = tensor_bytes(tensor);
    int64_t expected = dwn_layer_actual(layer);
    if (!type || type->dtype != tensor->dtype || have < 0 || expected < 0 ||
        hoist_ckd_mul_i64(&expected, expected, c->image->rows->batch_size)) {
        return;
    }
    if (have != expected) {
        dwn_report(c->diag, DWN_075, DWN_PLACE(c, layer, layer, size_bytes),
                   "the tensor '%.*s' has %" PRId64 " bytes, the layer %" PRId64,
                   HOIST_STR_ARGS(tensor->name), have, expected);
    }
}

// Rule 76. The layer's zero point is that of the unsigned form: 128 above the tensor's for int8,
// 32768 for int16 (reference 5.3).
static void check_quantisation(const dwn_check *c, const dwn_layer *layer,
                               const hoist_border_tensor *tensor)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const dwn_numerics *const numerics = layer->numerics;
    if (!type || !numerics || !tensor->is_quantized || type->dtype != tensor->dtype) {
        return;
    }
    const int64_t zero = tensor->zero_point + type->zero_shift;
    if (numerics->dequantization_factor != tensor->scale || numerics->zero_point != zero) {
        dwn_report(c->diag, DWN_076, DWN_PLACE(c, layer, layer, numerics),
                   "the layer '%.*s' has scale %.9g and zero point %" PRId32
                   ", the tensor declares %.9g and %" PRId64,
                   HOIST_STR_ARGS(layer->name), (double)numerics->dequantization_factor,
                   numerics->zero_point, (double)tensor->scale, zero);
    }
}

// One list of layers against one list of tensors. Where their numbers differ the common ones are
// compared, as far as they go.
static hoist_status check_side(dwn_check *c, const dwn_layer *layers, uint32_t count,
                               const hoist_border_tensor *tensors, size_t tensor_count)
{
    const dwn_executable *const e = c->image->rows;
    const bool is_output = layers == e->output_layers.items;
    const dwn_layer **const visible =
        hoist_arena_array(&c->arena, count, sizeof(const dwn_layer *));
    if (!visible) {
        return HOIST_NO_MEMORY;
    }
    // Layers that have a tensor of the operator, in order.
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_str input = dwn_layer_state_of(&layers[i]);
        if (!is_output || !input.data || dwn_check_find(c, DWN_DESC_INPUT, input) == DWN_NONE) {
            visible[found++] = &layers[i];
        }
    }
    if (found != tensor_count) {
        dwn_report(c->diag, DWN_073,
                   is_output ? DWN_PLACE(c, executable, e, output_layers)
                             : DWN_PLACE(c, executable, e, input_layers),
                   "the operator has %zu %s, the executable %" PRIu32, tensor_count,
                   is_output ? "outputs" : "inputs", found);
    }
    for (uint32_t i = 0; i < found && i < tensor_count; i++) {
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, is_output ? "output_layers" : "input_layers",
                             (uint32_t)(visible[i] - layers));
        check_type(c, visible[i], &tensors[i], is_output);
        check_bytes(c, visible[i], &tensors[i]);
        check_quantisation(c, visible[i], &tensors[i]);
        hoist_diag_pop(c->diag, &frame);
    }
    return HOIST_OK;
}

hoist_status dwn_check_border(dwn_check *c)
{
    const hoist_payload *const payload = c->module->payload;
    const dwn_roles roles = dwn_roles_of(c->contents);
    if (!payload) {
        return HOIST_OK;
        // Other operators of the model run on the CPU: a note, since this decides how fast it is.
    }
    if (payload->neighbours) {
        dwn_report(c->diag, DWN_004, hoist_loc_byte(payload->offset),
                   "%zu other operator%s on the CPU", payload->neighbours,
                   payload->neighbours == 1 ? " runs" : "s run");
    }
    if (roles.main == DWN_NONE) {
        return HOIST_OK;
    }
    c->image = roles.main_image;
    hoist_frame frame;
    hoist_diag_push_item(c->diag, &frame, "executables", roles.main);
    hoist_status status = dwn_check_enter(c);
    if (status == HOIST_OK) {
        const dwn_executable *const e = c->image->rows;
        status = check_side(c, e->input_layers.items, e->input_layers.count, payload->inputs,
                            payload->input_count);
        if (status == HOIST_OK) {
            status = check_side(c, e->output_layers.items, e->output_layers.count, payload->outputs,
                                payload->output_count);
        }
        dwn_check_leave(c);
    }
    hoist_diag_pop(c->diag, &frame);
    return status;
}
