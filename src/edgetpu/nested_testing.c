#include "edgetpu/nested_testing.h"

#include "formats/darwinn/darwinn.h"
#include "formats/tflite/tflite.h"
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

// With the compiled operator once or several times.
static hoist_bytes file_of(const dwn_draft *draft, uint32_t operators)
{
    hoist_test *const t = draft->t;
    const dwn_executable *const main = draft->executables[0];
    tflite_tensor *const tensors = hoist_arena_array(&t->arena, 3, sizeof(*tensors));
    tensors[0] = tensor_of(t, &main->input_layers.items[0]);
    tensors[1] = tensor_of(t, &main->output_layers.items[0]);
    tensors[2] = tensor_of(t, &main->output_layers.items[1]);
    tflite_operator *const ops = hoist_arena_array(&t->arena, operators, sizeof(*ops));
    ops[0] =
        (tflite_operator){.inputs = TEST_INTS(&t->arena, 0), .outputs = TEST_INTS(&t->arena, 1, 2)};
    tflite_subgraph graph = {.tensors = {tensors, 3},
                             .inputs = ops[0].inputs,
                             .outputs = ops[0].outputs,
                             .operators = {ops, operators}};
    tflite_operator_code code = {.version = 1};
    tflite_buffer none = {.data = {NULL, 0}}; // buffer 0 is that of tensors without contents
    tflite_model model = {.version = TFLITE_SCHEMA_VERSION,
                          .operator_codes = {&code, 1},
                          .subgraphs = {&graph, 1},
                          .description = HOIST_STR("An example of hoist's own."),
                          .buffers = {&none, 1}};
    tflite_test_compile(&t->arena, &model, dwn_draft_package(draft));
    for (uint32_t i = 1; i < operators; i++) {
        ops[i] = ops[0];
    }
    return tflite_test_write(t, &model);
}

hoist_bytes hoist_test_edgetpu_file_of(const dwn_draft *draft)
{
    return file_of(draft, 1);
}

hoist_bytes hoist_test_edgetpu_files(hoist_test *t, uint32_t operators)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    return file_of(&draft, operators);
}

hoist_bytes hoist_test_edgetpu_file(hoist_test *t)
{
    return hoist_test_edgetpu_files(t, 1);
}

hoist_bytes hoist_test_layers_file(hoist_test *t)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    return hoist_test_edgetpu_file_of(&draft);
}

static hoist_status open_nested(edgetpu_file *f, const hoist_read_options *options,
                                hoist_diag *diag)
{
    hoist_payload *payloads = NULL;
    size_t count = 0;
    if (!f->module->format->payloads) {
        return HOIST_OK;
    }
    HOIST_TRY(f->module->format->payloads(f->module, &f->arena, &payloads, &count));
    f->nested = hoist_arena_array(&f->arena, count, sizeof(*f->nested));
    f->file.nested = f->nested;
    if (!f->nested) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        hoist_read_options own = *options;
        own.payload = &payloads[i];
        f->nested[f->file.nested_count++].payload = payloads[i];
        const hoist_status status = dwn_read(payloads[i].bytes, &own, diag, &f->nested[i].module);
        HOIST_TRY(status == HOIST_NO_MEMORY ? status : HOIST_OK);
    }
    return HOIST_OK;
}

hoist_status edgetpu_open(hoist_bytes bytes, hoist_allocator alloc, hoist_diag *diag,
                          edgetpu_file *out_file)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    const bool is_model = tflite_sniff(bytes, HOIST_STR("")) > 0;
    *out_file = (edgetpu_file){.module = NULL};
    HOIST_TRY(hoist_format_read(is_model ? &hoist_tflite_format : &hoist_darwinn_format, bytes,
                                &options, diag, &out_file->module));
    out_file->file = (hoist_file){.module = out_file->module, .name = HOIST_STR("test")};
    hoist_arena_init(&out_file->arena, alloc);
    const hoist_status status = open_nested(out_file, &options, diag);
    if (status != HOIST_OK) {
        edgetpu_close(out_file);
    }
    return status;
}

void edgetpu_close(edgetpu_file *file)
{
    for (size_t i = 0; i < file->file.nested_count; i++) {
        dwn_destroy(file->nested[i].module);
    }
    if (file->module) {
        file->module->format->destroy(file->module);
        hoist_arena_deinit(&file->arena);
    }
    *file = (edgetpu_file){.module = NULL};
}
