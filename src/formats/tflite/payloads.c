// Compiled operators as files of another format (formats/format.h): the options of each Edge TPU
// operator are a package, whose border are the tensors of the operator. In: a model; out: one
// hoist_payload for each such operator, in the order of the file. src/load opens them.
#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/tflite/tflite.h"

typedef struct payload_list {
    const tflite_module *module;
    hoist_arena *arena;
    hoist_payload *items; // arena
    size_t count;
    size_t neighbours; // in the subgraph that is looked at
} payload_list;

// Counted first: the arena's array is made once.
static size_t count_payloads(const tflite_model *model, const tflite_subgraph *graph)
{
    size_t count = 0;
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        count += tflite_is_edgetpu(tflite_code_of(model, &graph->operators.items[i]));
    }
    return count;
}

// The border in hoist's types; an element type without a dtype is NONE, which the reader of the
// package reports.
static hoist_status fill_border(payload_list *list, const tflite_tensor *tensor,
                                hoist_border_tensor *border)
{
    const tflite_type_row *const type = tflite_type_get(tensor->type);
    const uint32_t rank = tflite_count(tensor->shape);
    int64_t *const shape = hoist_arena_array(list->arena, rank, sizeof(*shape));
    if (!shape) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < rank; i++) {
        shape[i] = hoist_fb_i32(tensor->shape, i);
    }
    *border = (hoist_border_tensor){.name = tensor->name,
                                    .dtype = type ? type->dtype : HOIST_DTYPE_NONE,
                                    .rank = rank,
                                    .shape = shape};
    border->is_quantized = tflite_quantity(tensor, &border->scale, &border->zero_point);
    return HOIST_OK;
}

// The tensors of a list; those that are left out, or beyond the subgraph's, are passed over.
static hoist_status make_borders(payload_list *list, const tflite_subgraph *graph,
                                 hoist_bytes tensors, const hoist_border_tensor **out_items,
                                 size_t *out_count)
{
    hoist_border_tensor *const items =
        hoist_arena_array(list->arena, tflite_count(tensors), sizeof(*items));
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < tflite_count(tensors); i++) {
        const tflite_tensor *const tensor = tflite_tensor_at(graph, tensors, i);
        if (tensor) {
            HOIST_TRY(fill_border(list, tensor, &items[(*out_count)++]));
        }
    }
    *out_items = items;
    return HOIST_OK;
}

static hoist_status add_payload(payload_list *list, uint32_t graph_index, uint32_t op_index)
{
    HOIST_ASSERT(graph_index < list->module->model->subgraphs.count);
    HOIST_ASSERT(op_index < list->module->model->subgraphs.items[graph_index].operators.count);
    const tflite_subgraph *const graph = &list->module->model->subgraphs.items[graph_index];
    const tflite_operator *const op = &graph->operators.items[op_index];
    const hoist_bytes bytes = tflite_custom_options(list->module, op);
    // tflite_payloads() has counted the operators of this kind.
    hoist_payload *const payload = &list->items[list->count++];
    *payload = (hoist_payload){
        .kind = HOIST_STR(TFLITE_EDGETPU_NAME),
        .path = hoist_arena_format(list->arena, "subgraphs/%" PRIu32 "/operators/%" PRIu32,
                                   graph_index, op_index),
        .bytes = bytes,
        // Where in the file; 0: made.
        .offset = bytes.data ? (uint64_t)(bytes.data - list->module->file.data) : 0,
        .neighbours = list->neighbours,
    };
    HOIST_TRY(make_borders(list, graph, op->inputs, &payload->inputs, &payload->input_count));
    HOIST_TRY(make_borders(list, graph, op->outputs, &payload->outputs, &payload->output_count));
    return payload->path.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// An index in `items` is the operator's number among the compiled ones, in folders
// ("payloads/0.bin") and messages alike.
hoist_status tflite_payloads(const hoist_module *module, hoist_arena *arena,
                             hoist_payload **out_payloads, size_t *out_count)
{
    payload_list list = {.module = tflite_of(module), .arena = arena};
    const tflite_model *const model = list.module->model;
    size_t count = 0;
    *out_payloads = NULL;
    *out_count = 0;
    for (uint32_t i = 0; i < model->subgraphs.count; i++) {
        count += count_payloads(model, &model->subgraphs.items[i]);
    }
    list.items = hoist_arena_array(arena, count, sizeof(*list.items));
    if (!list.items) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        // Operators of the subgraph that the host runs.
        list.neighbours = graph->operators.count - count_payloads(model, graph);
        HOIST_ASSERT(list.count <= count);
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            if (tflite_is_edgetpu(tflite_code_of(model, &graph->operators.items[i]))) {
                HOIST_TRY(add_payload(&list, g, i));
            }
        }
    }
    *out_payloads = list.items;
    *out_count = list.count;
    return HOIST_OK;
}
