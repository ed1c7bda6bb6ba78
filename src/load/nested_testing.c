#include "load/nested_testing.h"

#include "formats/tflite/tflite_testing.h"

// The tensor that a layer goes with.
static tflite_tensor tensor_of(hoist_test *t, const dwn_layer *layer)
{
    const bool is_signed = layer->data_type == DWN_SIGNED_FIXED_POINT8;
    tflite_quantization *const q = hoist_arena_alloc(&t->arena, sizeof(*q));
    *q = (tflite_quantization){
        .scale = TEST_FLOATS(&t->arena, layer->numerics->dequantization_factor),
        .zero_point = TEST_LONGS(&t->arena, layer->numerics->zero_point - (is_signed ? 128 : 0))};
    return (tflite_tensor){.shape =
                               TEST_INTS(&t->arena, 1, layer->y_dim, layer->x_dim, layer->z_dim),
                           .type = is_signed ? TFLITE_INT8 : TFLITE_UINT8,
                           .name = layer->name,
                           .quantization = q};
}

hoist_bytes hoist_test_edgetpu_file_of(const dwn_draft *draft)
{
    hoist_test *const t = draft->t;
    const dwn_executable *const main = draft->executables[0];
    tflite_tensor *const tensors = hoist_arena_array(&t->arena, 3, sizeof(*tensors));
    tensors[0] = tensor_of(t, &main->input_layers.items[0]);
    tensors[1] = tensor_of(t, &main->output_layers.items[0]);
    tensors[2] = tensor_of(t, &main->output_layers.items[1]);
    tflite_operator op = {.inputs = TEST_INTS(&t->arena, 0), .outputs = TEST_INTS(&t->arena, 1, 2)};
    tflite_subgraph graph = {
        .tensors = {tensors, 3}, .inputs = op.inputs, .outputs = op.outputs, .operators = {&op, 1}};
    tflite_operator_code code = {.version = 1};
    tflite_buffer none = {.data = {NULL, 0}}; // buffer 0 is that of tensors without contents
    tflite_model model = {.version = TFLITE_SCHEMA_VERSION,
                          .operator_codes = {&code, 1},
                          .subgraphs = {&graph, 1},
                          .description = HOIST_STR("An example of hoist's own."),
                          .buffers = {&none, 1}};
    tflite_test_compile(&t->arena, &model, dwn_draft_package(draft));
    return tflite_test_write(t, &model);
}

hoist_bytes hoist_test_edgetpu_file(hoist_test *t)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    return hoist_test_edgetpu_file_of(&draft);
}

hoist_bytes hoist_test_layers_file(hoist_test *t)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    return hoist_test_edgetpu_file_of(&draft);
}
