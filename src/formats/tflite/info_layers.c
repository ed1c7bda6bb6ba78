// Operators in the summary: how many there are of each kind, and one by one with their output,
// parameters and multiply-accumulates.
#include "base/alloc.h"
#include "base/span.h"
#include "formats/tflite/cost.h"
#include "formats/tflite/info.h"

// An absent shape means an unknown rank; present and empty it is a scalar's.
void tflite_info_shape(const tflite_info_writer *w, hoist_bytes shape)
{
    if (!shape.data) {
        hoist_tree_null(w->sink, "shape");
        return;
    }
    hoist_tree_short_list(w->sink, "shape");
    for (uint32_t i = 0; i < tflite_count(shape); i++) {
        hoist_tree_int(w->sink, "", hoist_fb_i32(shape, i));
    }
    hoist_tree_end(w->sink);
}

// The name of a kind of operator, which may be known by its number only.
static void send_name(const tflite_info_writer *w, const tflite_operator_code *code)
{
    char buffer[32];
    hoist_tree_str(w->sink, "operator", tflite_code_name(code, buffer));
}

// `code` NULL: operators whose kind is beyond the model's.
static void send_kind(const tflite_info_writer *w, const tflite_operator_code *code, uint64_t count)
{
    const bool is_custom = code && tflite_code_number(code) == TFLITE_OP_CUSTOM;
    hoist_tree_map(w->sink, "");
    send_name(w, code);
    hoist_tree_bool(w->sink, "custom", is_custom);
    if (code) {
        hoist_tree_int(w->sink, "version", code->version);
    } else {
        hoist_tree_null(w->sink, "version");
    }
    hoist_tree_uint(w->sink, "count", count, HOIST_UNIT_NONE);
    hoist_tree_end(w->sink);
}

// Counts by opcode_index: two kinds of one number (versions, custom names) stay apart.
hoist_status tflite_info_operators(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    const size_t kinds = model->operator_codes.count;
    // The last one counts those whose kind is beyond the model's.
    uint64_t *const counts = hoist_alloc_zero(w->module->base.alloc, kinds + 1, sizeof(*counts));
    if (!counts) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            const uint32_t kind = graph->operators.items[i].opcode_index;
            counts[kind < kinds ? kind : kinds]++;
        }
    }
    hoist_tree_list(w->sink, "operators");
    for (size_t i = 0; i <= kinds; i++) {
        if (counts[i]) {
            send_kind(w, i < kinds ? &model->operator_codes.items[i] : NULL, counts[i]);
        }
    }
    hoist_tree_end(w->sink);
    hoist_free(w->module->base.alloc, counts, (kinds + 1) * sizeof(*counts));
    return HOIST_OK;
}

// The shape is that of the first output, as pictures have it.
static void send_layer(const tflite_info_writer *w, uint32_t graph_index, uint32_t op_index)
{
    const tflite_model *const model = w->module->model;
    const tflite_subgraph *const graph = &model->subgraphs.items[graph_index];
    const tflite_operator *const op = &graph->operators.items[op_index];
    const tflite_tensor *const output = tflite_tensor_in(graph, op->outputs, 0);
    uint64_t macs = 0;
    hoist_tree_map(w->sink, "");
    hoist_tree_uint(w->sink, "subgraph", graph_index, HOIST_UNIT_NONE);
    hoist_tree_uint(w->sink, "index", op_index, HOIST_UNIT_NONE);
    send_name(w, tflite_code_of(model, op));
    tflite_info_shape(w, output ? output->shape : (hoist_bytes){NULL, 0});
    hoist_tree_uint(w->sink, "parameter_bytes", tflite_parameter_bytes(w->module, graph, op),
                    HOIST_UNIT_BYTES);
    if (tflite_macs(model, graph, op, &macs)) {
        hoist_tree_uint(w->sink, "multiply_accumulates", macs, HOIST_UNIT_NONE);
    } else {
        hoist_tree_null(w->sink, "multiply_accumulates");
    }
    hoist_tree_end(w->sink);
}

// In the order of execution, of all subgraphs.
void tflite_info_layers(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    hoist_tree_list(w->sink, "layers");
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        for (uint32_t i = 0; i < model->subgraphs.items[g].operators.count; i++) {
            send_layer(w, g, i);
        }
    }
    hoist_tree_end(w->sink);
}
