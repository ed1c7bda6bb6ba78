// What `recover` gives of a model: the constants of its tensors. An array is as its tensor has it
// where the bytes are that many; else (sparse data, elements of less than a byte, strings) it is
// its bytes in one dimension.
#include <stddef.h>

#include "base/span.h"
#include "formats/tflite/tflite.h"

typedef struct sender {
    const tflite_module *module;
    const hoist_recovery_sink *sink;
    hoist_arena *arena; // names
    size_t graph;       // subgraph at hand
    bool prefixed;      // there are several
} sender;

// "NAME", "tensors/3" where it has none, below "subgraphs/1/" where there are several subgraphs.
static hoist_str name_of(const sender *s, const tflite_tensor *tensor, size_t index)
{
    const hoist_str own =
        tensor->name.size ? tensor->name : hoist_arena_format(s->arena, "tensors/%zu", index);
    return s->prefixed && own.data
               ? hoist_arena_format(s->arena, "subgraphs/%zu/%.*s", s->graph, HOIST_STR_ARGS(own))
               : own;
}

// Type and extents of the tensor, where they give as many bytes as there are.
static void take_shape(const tflite_tensor *tensor, hoist_recovered *array, int64_t *extents)
{
    const tflite_type_row *row = tflite_type_get(tensor->type);
    const uint32_t rank = tflite_count(tensor->shape);
    uint64_t bytes = 0;
    // As many bytes as type and shape give.
    const bool whole = row && row->bits >= 8 && row->bits <= 64 && !tensor->sparsity &&
                       tflite_bytes(tensor, &bytes) && bytes == array->bytes.size &&
                       rank <= HOIST_RECOVERED_MAX_RANK;
    // First as bytes in one dimension, which are right for any data.
    extents[0] = (int64_t)array->bytes.size;
    array->shape = extents;
    array->rank = 1;
    array->element_size = 1;
    if (!whole) {
        return;
    }
    array->dtype = row->dtype;
    array->dtype_from = row->dtype ? "tensor" : NULL;
    array->shape_from = "tensor";
    array->element_size = row->bits / 8;
    array->rank = rank;
    for (uint32_t i = 0; i < rank; i++) {
        extents[i] = hoist_fb_i32(tensor->shape, i);
    }
}

// The array is borrowed by the sink for the call only.
static hoist_status send_array(const sender *s, const tflite_tensor *tensor, hoist_bytes data,
                               hoist_str name)
{
    int64_t extents[HOIST_RECOVERED_MAX_RANK];
    const hoist_bytes file = s->module->file; // empty in a module that was made
    hoist_recovered array = {
        .names = &name,
        .name_count = 1,
        .bytes = data,
        .member = {"", 0},
        .offset = file.size ? (uint64_t)(data.data - file.data) : 0,
    };
    take_shape(tensor, &array, extents);
    return s->sink->array(s->sink->self, &array);
}

// Constants that the file should have.
static hoist_status send_missing(const sender *s, const tflite_tensor *tensor, hoist_str name)
{
    const tflite_model *model = s->module->model;
    const bool beyond = // `size` without data: beyond the end of the file
        tensor->buffer < model->buffers.count && model->buffers.items[tensor->buffer].size > 0;
    const char *reason = tensor->external_buffer ? "its data are in another file"
                         : beyond                ? "its data are beyond the end of the file"
                                                 : NULL;
    if (!reason) {
        return HOIST_OK; // an input, or what an operator makes
    }
    const hoist_unrecovered missing = {
        .name = name,
        .member = {"", 0},
        .loc =
            tflite_place(s->module, &tflite_tensor_type, tensor, offsetof(tflite_tensor, buffer)),
        .reason = hoist_str_from(reason),
    };
    return s->sink->missing(s->sink->self, &missing);
}

// Arrays of all subgraphs first, then the tensors whose data are not here (`missing`).
static hoist_status send_all(sender *s, bool missing)
{
    const tflite_model *model = s->module->model;
    for (s->graph = 0; s->graph < model->subgraphs.count; s->graph++) {
        const tflite_subgraph *graph = &model->subgraphs.items[s->graph];
        for (size_t i = 0; i < graph->tensors.count; i++) {
            const tflite_tensor *tensor = &graph->tensors.items[i];
            const hoist_bytes data = tflite_buffer_data(s->module, tensor->buffer);
            const hoist_str name = name_of(s, tensor, i);
            if (!name.data) {
                return HOIST_NO_MEMORY;
            }
            if (!missing && data.size > 0) {
                HOIST_TRY(send_array(s, tensor, data, name));
            } else if (missing && data.size == 0) {
                HOIST_TRY(send_missing(s, tensor, name));
            }
        }
    }
    return HOIST_OK;
}

hoist_status tflite_recover(const hoist_module *module, const hoist_recovery_sink *sink)
{
    const tflite_module *const own = tflite_of(module);
    hoist_arena arena;
    if (!own->model) { // a module that was made without a model
        return HOIST_OK;
    }
    hoist_arena_init(&arena, module->alloc);
    sender s = {
        .module = own, .sink = sink, .arena = &arena, .prefixed = own->model->subgraphs.count > 1};
    hoist_status status = send_all(&s, false);
    status = status == HOIST_OK ? send_all(&s, true) : status;
    hoist_arena_deinit(&arena);
    return status;
}
