// The summary of a model, as tree events: what it is, the tensors that callers fill and get, its
// tensors by type, signatures and metadata. info_layers.c sends the operators, info_custom.c the
// custom ones, cost.c counts multiply-accumulates.
#include "formats/tflite/info.h"

#include "base/span.h"
#include "formats/tflite/cost.h"

// Totals. Bytes and multiply-accumulates saturate: the file chooses shapes, and no sum may wrap.
static hoist_status send_model(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    uint64_t bytes = 0;
    uint64_t operators = 0;
    uint64_t compiled = 0;
    uint64_t total = 0; // of layers whose cost is known; saturates
    HOIST_TRY(tflite_constant_bytes(w->module, &bytes));
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        operators += graph->operators.count;
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            const tflite_operator *const op = &graph->operators.items[i];
            uint64_t macs = 0;
            (void)tflite_macs(model, graph, op, &macs);
            total = macs > UINT64_MAX - total ? UINT64_MAX : total + macs;
            compiled += tflite_is_edgetpu(tflite_code_of(model, op));
        }
    }
    hoist_tree_map(w->sink, "model");
    hoist_tree_uint(w->sink, "schema_version", model->version, HOIST_UNIT_NONE);
    hoist_tree_maybe_str(w->sink, "description", model->description);
    hoist_tree_uint(w->sink, "subgraph_count", model->subgraphs.count, HOIST_UNIT_NONE);
    hoist_tree_uint(w->sink, "operator_count", operators, HOIST_UNIT_NONE);
    hoist_tree_uint(w->sink, "edgetpu_operator_count", compiled, HOIST_UNIT_NONE);
    hoist_tree_uint(w->sink, "constants_bytes", bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(w->sink, "multiply_accumulates", total, HOIST_UNIT_NONE);
    hoist_tree_end(w->sink);
    return HOIST_OK;
}

// Borders ----------------------------------------------------------------------------------------

// Scale and zero point of a tensor that has one of each; null for none, and for a pair per channel.
static void send_quantization(const tflite_info_writer *w, const tflite_tensor *tensor)
{
    const tflite_quantization *const q = tensor->quantization;
    const size_t scales = q ? hoist_fb_count(q->scale, sizeof(float)) : 0;
    const bool plain = scales == 1 && q->zero_point.size == sizeof(int64_t);
    if (plain) {
        hoist_tree_float(w->sink, "scale", (double)hoist_fb_f32(q->scale, 0), HOIST_UNIT_NONE);
        hoist_tree_int(w->sink, "zero_point", hoist_fb_i64(q->zero_point, 0));
    } else {
        hoist_tree_null(w->sink, "scale");
        hoist_tree_null(w->sink, "zero_point");
    }
}

// A number without a word is sent as it is.
static void send_type(const tflite_info_writer *w, int8_t type)
{
    const tflite_type_row *const row = tflite_type_get(type);
    if (row) {
        hoist_tree_c(w->sink, "type", row->name);
    } else {
        hoist_tree_int(w->sink, "type", type);
    }
}

// Entries of one list for all subgraphs; optional tensors that are left out (-1) have none.
static void send_border(const tflite_info_writer *w, uint32_t graph_index, bool outputs)
{
    const tflite_subgraph *const graph = &w->module->model->subgraphs.items[graph_index];
    const hoist_bytes list = outputs ? graph->outputs : graph->inputs;
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const tflite_tensor *const tensor = tflite_tensor_at(graph, list, i);
        if (!tensor) {
            continue;
        }
        hoist_tree_map(w->sink, "");
        hoist_tree_uint(w->sink, "subgraph", graph_index, HOIST_UNIT_NONE);
        hoist_tree_uint(w->sink, "tensor", (uint64_t)(tensor - graph->tensors.items),
                        HOIST_UNIT_NONE);
        hoist_tree_str(w->sink, "name", tensor->name);
        send_type(w, tensor->type);
        tflite_info_shape(w, tensor->shape);
        send_quantization(w, tensor);
        hoist_tree_end(w->sink);
    }
}

// "inputs" or "outputs".
static void send_borders(const tflite_info_writer *w, const char *key, bool outputs)
{
    hoist_tree_list(w->sink, key);
    for (uint32_t i = 0; i < w->module->model->subgraphs.count; i++) {
        send_border(w, i, outputs);
    }
    hoist_tree_end(w->sink);
}

// Tensors ----------------------------------------------------------------------------------------

// What tensors of one type have in common.
typedef struct type_sum {
    uint64_t count;       // tensors
    uint64_t constants;   // of these with data
    uint64_t per_tensor;  // quantised by one scale
    uint64_t per_channel; // by one of each channel
} type_sum;

static void add_tensor(const tflite_module *module, const tflite_tensor *tensor, type_sum *sum)
{
    const tflite_quantization *const q = tensor->quantization;
    const size_t scales = q ? hoist_fb_count(q->scale, sizeof(float)) : 0;
    sum->count++;
    sum->constants += tflite_buffer_data(module, tensor->buffer).size > 0;
    sum->per_tensor += scales == 1;
    sum->per_channel += scales > 1;
}

// A row for each element type that occurs, in the order of their numbers; the last is of all types
// that have no row.
static void send_types(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    type_sum sums[TFLITE_TYPE_COUNT + 1] = {{0, 0, 0, 0}};
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->tensors.count; i++) {
            const tflite_tensor *const tensor = &graph->tensors.items[i];
            const bool known = tflite_type_get(tensor->type) != NULL;
            add_tensor(w->module, tensor, &sums[known ? (size_t)tensor->type : TFLITE_TYPE_COUNT]);
        }
    }
    hoist_tree_list(w->sink, "tensor_types");
    for (size_t i = 0; i <= TFLITE_TYPE_COUNT; i++) {
        const tflite_type_row *const row = tflite_type_get((int64_t)i);
        if (sums[i].count) {
            hoist_tree_map(w->sink, "");
            hoist_tree_c(w->sink, "type", row ? row->name : "unknown");
            hoist_tree_uint(w->sink, "tensors", sums[i].count, HOIST_UNIT_NONE);
            hoist_tree_uint(w->sink, "constants", sums[i].constants, HOIST_UNIT_NONE);
            hoist_tree_uint(w->sink, "quantized", sums[i].per_tensor, HOIST_UNIT_NONE);
            hoist_tree_uint(w->sink, "quantized_per_channel", sums[i].per_channel, HOIST_UNIT_NONE);
            hoist_tree_end(w->sink);
        }
    }
    hoist_tree_end(w->sink);
}

// Names ------------------------------------------------------------------------------------------

// Names and sizes; the content of TFLITE_METADATA is read by metadata.c where a run needs it.
static void send_metadata(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    hoist_tree_list(w->sink, "metadata");
    for (uint32_t i = 0; i < model->metadata.count; i++) {
        const tflite_metadata *const metadata = &model->metadata.items[i];
        hoist_tree_map(w->sink, "");
        hoist_tree_str(w->sink, "name", metadata->name);
        hoist_tree_uint(w->sink, "size_bytes", tflite_buffer_data(w->module, metadata->buffer).size,
                        HOIST_UNIT_BYTES);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

// The names of a signature's arguments or results.
static void send_names(const tflite_info_writer *w, const char *key,
                       const tflite_tensor_map_list *maps)
{
    hoist_tree_short_list(w->sink, key);
    for (uint32_t i = 0; i < maps->count; i++) {
        hoist_tree_str(w->sink, "", maps->items[i].name);
    }
    hoist_tree_end(w->sink);
}

static void send_signatures(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    hoist_tree_list(w->sink, "signatures");
    for (uint32_t i = 0; i < model->signature_defs.count; i++) {
        const tflite_signature *const signature = &model->signature_defs.items[i];
        hoist_tree_map(w->sink, "");
        hoist_tree_str(w->sink, "name", signature->signature_key);
        hoist_tree_uint(w->sink, "subgraph", signature->subgraph_index, HOIST_UNIT_NONE);
        send_names(w, "inputs", &signature->inputs);
        send_names(w, "outputs", &signature->outputs);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

hoist_status tflite_info(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)options;
    (void)diag;
    const tflite_info_writer w = {.module = tflite_of(module), .sink = sink};
    HOIST_TRY(send_model(&w));
    send_borders(&w, "inputs", false);
    send_borders(&w, "outputs", true);
    HOIST_TRY(tflite_info_operators(&w));
    send_types(&w);
    tflite_info_layers(&w);
    HOIST_TRY(tflite_info_custom(&w));
    send_signatures(&w);
    send_metadata(&w);
    return HOIST_OK;
}
