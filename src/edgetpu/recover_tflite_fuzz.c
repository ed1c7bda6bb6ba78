// Recovered layers of any chunk and any parameters as operators of a TFLite model, which is read
// again and checked.
//
// Bytes 0 to 3: height, width and channels of the input, and its zero point; 4 to 7: the same of
// the output; 8 and 9: bytes of cached parameters, which are next. The rest is the chunk.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"
#include "edgetpu/tflite_layers.h"
#include "formats/tflite/tflite.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 64 << 20 };

static void read_layer(hoist_reader *r, dwn_layer *layer, dwn_numerics *numerics)
{
    layer->y_dim = hoist_read_u8(r);
    layer->x_dim = hoist_read_u8(r);
    layer->z_dim = hoist_read_u8(r);
    layer->numerics = numerics;
    *numerics = (dwn_numerics){.zero_point = hoist_read_u8(r), .dequantization_factor = 0.5F};
}

// What is written is a model without faults.
static void check(const hoist_module *made, hoist_allocator alloc)
{
    hoist_buffer out;
    hoist_diag *diag = NULL;
    hoist_module *module = NULL;
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_buffer_init(&out, alloc);
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    if (fuzz_came(tflite_write(made, &out)) &&
        fuzz_came(tflite_read(hoist_buffer_bytes(&out), &options, diag, &module)) &&
        fuzz_came(tflite_check(module, NULL, diag))) {
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) == 0);
    }
    tflite_destroy(module);
    hoist_diag_destroy(diag);
    hoist_buffer_deinit(&out);
}

static uint32_t border_of(hoist_edgetpu_maker *m, const char *name, const dwn_layer *layer)
{
    const hoist_edgetpu_draft draft = {
        .name = hoist_str_from(name),
        .type = TFLITE_UINT8,
        .shape = {4, {1, layer->y_dim, layer->x_dim, layer->z_dim}},
        .scales = &layer->numerics->dequantization_factor,
        .scale_count = 1,
        .zero = layer->numerics->zero_point,
    };
    return hoist_edgetpu_maker_tensor(m, &draft);
}

// Whatever was understood, and outputs that no layer makes are those of the graph all the same.
static void write(const dwn_recovery *recovery, const dwn_executable *main, hoist_arena *arena,
                  hoist_allocator alloc)
{
    tflite_buffer none = {.data = {NULL, 0}};
    tflite_model model = {.version = TFLITE_SCHEMA_VERSION, .buffers = {&none, 1}};
    tflite_subgraph graph = {.debug_metadata_index = -1};
    hoist_edgetpu_maker m;
    dwn_scales scales;
    if (!fuzz_came(dwn_scales_of(recovery, main, arena, &scales))) {
        return;
    }
    hoist_edgetpu_maker_init(&m, arena, &model);
    hoist_edgetpu_maker_open(&m, &graph);
    const uint32_t input = border_of(&m, "x", main->input_layers.items);
    const uint32_t output = border_of(&m, "y", main->output_layers.items);
    hoist_edgetpu_layers layers = {.m = &m,
                                   .recovery = recovery,
                                   .scales = &scales,
                                   .executable = main,
                                   .inputs = &input,
                                   .outputs = &output,
                                   .prefix = ""};
    const bool is_made = !m.failed && hoist_edgetpu_layers_add(&layers) == HOIST_OK && !m.failed;
    tflite_module *const module = tflite_module_create(alloc, (hoist_bytes){NULL, 0});
    if (is_made && module && recovery->gap_count == 0) {
        hoist_edgetpu_maker_close(&m);
        const int32_t first = (int32_t)input;
        const int32_t last = (int32_t)output;
        graph.inputs = hoist_edgetpu_maker_ints(&m, &first, 1);
        graph.outputs = hoist_edgetpu_maker_ints(&m, &last, 1);
        model.subgraphs.items = &graph;
        model.subgraphs.count = 1;
        module->model = &model;
        check(&module->base, alloc);
    }
    tflite_destroy(module ? &module->base : NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const dwn_stream_options first = {0};
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    hoist_reader r = hoist_reader_init((hoist_bytes){data, size});
    dwn_layer input = {.name = HOIST_STR("x")};
    dwn_layer output = {.name = HOIST_STR("y")};
    dwn_numerics numerics[2];
    read_layer(&r, &input, &numerics[0]);
    read_layer(&r, &output, &numerics[1]);
    const uint16_t cached = hoist_read_u16le(&r);
    dwn_executable caching = {.type = DWN_PARAMETER_CACHING,
                              .parameters = hoist_read_bytes(&r, cached)};
    dwn_executable main = {
        .type = DWN_EXECUTION_ONLY, .input_layers = {&input, 1}, .output_layers = {&output, 1}};
    dwn_chunk chunk = {.links = NULL};
    dwn_image images[] = {{.rows = &main, .chunks = &chunk, .chunk_count = 1}, {.rows = &caching}};
    const dwn_contents contents = {.images = images, .image_count = 2};
    hoist_arena arena;
    dwn_recovery recovery;
    uint16_t next = 0;
    hoist_arena_init(&arena, alloc);
    const hoist_bytes bytes = hoist_read_bytes(&r, hoist_reader_left(&r));
    if (!r.failed && input.y_dim > 0 && input.x_dim > 0 && input.z_dim > 0 &&
        fuzz_came(dwn_stream_read(bytes, &first, &arena, &chunk.stream, &next)) &&
        fuzz_came(dwn_recover(&contents, &arena, &recovery))) {
        write(&recovery, &main, &arena, alloc);
    }
    hoist_arena_deinit(&arena);
    fuzz_require(budget.used == 0);
    return 0;
}
