// What a model says of its inputs and outputs: their scale, and in the model metadata (a FlatBuffer
// in the buffer that is called TFLITE_METADATA; TFLite's metadata_schema.fbs) how images are given
// and which file has labels. Such files are in a ZIP archive after the model.
#include "formats/tflite/metadata.h"

#include <math.h>

#include "base/span.h"
#include "codec/zip_member.h"
#include "formats/tflite/tflite.h"

enum { MOST_LABEL_BYTES = 16 << 20 }; // of a file of labels, inflated: 16 MiB

// Rows for codec/flatbuffer.h, written by hand because only a few fields of each table are read.
// Children come before their parents.
// clang-format off
#define F(object, member, id, what)                                                                \
    .name = #member, .slot = (id), .kind = HOIST_FB_##what, .at = offsetof(tflite_meta_##object, member)
#define TYPE(title, object)                                                                        \
    {title, object##_fields, HOIST_COUNT_OF(object##_fields), sizeof(tflite_meta_##object)}
static const hoist_fb_field file_fields[] = {
    {F(file, name, 0, STRING), .summary = "in the archive"},
    {F(file, type, 2, U8), .summary = "2: labels of an axis"},
};
static const hoist_fb_type file_type = TYPE("AssociatedFile", file);
static const hoist_fb_field normalization_fields[] = {
    {F(normalization, mean, 0, VECTOR), .item = HOIST_FB_F32, .summary = "of each channel"},
    {F(normalization, std, 1, VECTOR), .item = HOIST_FB_F32, .summary = "of each channel"},
};
static const hoist_fb_type normalization_type = TYPE("NormalizationOptions", normalization);
static const hoist_fb_variant unit_variants[] = {{TFLITE_META_NORMALIZATION, &normalization_type}, {0, NULL}};
static const hoist_fb_field unit_fields[] = {
    {F(unit, options, 1, UNION), .variants = unit_variants, .summary = "what is done to the data"},
};
static const hoist_fb_type unit_type = TYPE("ProcessUnit", unit);
static const hoist_fb_field tensor_fields[] = {
    {F(tensor, process_units, 4, TABLES), .type = &unit_type, .summary = "before or after the model"},
    {F(tensor, associated_files, 6, TABLES), .type = &file_type, .summary = "files of the tensor"},
};
static const hoist_fb_type tensor_type = TYPE("TensorMetadata", tensor);
static const hoist_fb_field graph_fields[] = {
    {F(graph, input_tensor_metadata, 2, TABLES), .type = &tensor_type, .summary = "in their order"},
    {F(graph, output_tensor_metadata, 3, TABLES), .type = &tensor_type, .summary = "in their order"},
};
static const hoist_fb_type graph_type = TYPE("SubGraphMetadata", graph);
static const hoist_fb_field model_fields[] = {
    {F(model, subgraph_metadata, 3, TABLES), .type = &graph_type, .summary = "of each subgraph"},
};
const hoist_fb_type tflite_meta_model_type = TYPE("ModelMetadata", model);
// clang-format on

// An input or output of the first subgraph.
typedef struct port {
    const tflite_tensor *tensor;
    bool is_input;
    uint32_t index; // among the inputs or outputs
} port;

// The first tensor of that name; names of ports are unique in files that converters write.
// `out_port` keeps its value where the name is not in the list.
static bool find_in(const tflite_subgraph *graph, hoist_bytes list, hoist_str name, port *out_port)
{
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const tflite_tensor *const tensor = tflite_tensor_at(graph, list, i);
        if (tensor && hoist_str_equal(tensor->name, name)) {
            *out_port = (port){.tensor = tensor, .index = i};
            return true;
        }
    }
    return false;
}

// Inputs before outputs: a tensor that is both is an input.
static bool find_port(const tflite_model *model, hoist_str name, port *out_port)
{
    const tflite_subgraph *const graph = model->subgraphs.count ? model->subgraphs.items : NULL;
    if (!graph) {
        return false;
    }
    if (find_in(graph, graph->inputs, name, out_port)) {
        out_port->is_input = true;
        return true;
    }
    return find_in(graph, graph->outputs, name, out_port);
}

// The metadata of the model, in `arena`; NULL: it has none, or such as cannot be read. Faults there
// are no finding of the model: it runs without.
static hoist_status read_metadata(const tflite_module *m, hoist_arena *arena,
                                  const tflite_meta_model **out_model)
{
    *out_model = NULL;
    for (uint32_t i = 0; i < m->model->metadata.count; i++) {
        const tflite_metadata *const row = &m->model->metadata.items[i];
        const hoist_bytes bytes = tflite_buffer_data(m, row->buffer);
        if (!hoist_str_equal_c(row->name, TFLITE_METADATA_NAME) || bytes.size == 0) {
            continue;
        }
        const hoist_fb_options options = {.deadline = m->base.deadline};
        void *model = NULL;
        const hoist_status status =
            hoist_fb_read(bytes, &tflite_meta_model_type, &options, arena, NULL, &model);
        *out_model = model;
        return status == HOIST_NO_MEMORY || status == HOIST_CANCELLED ? status : HOIST_OK;
    }
    return HOIST_OK;
}

// By index, as the schema has it: names in the metadata are for people.
static const tflite_meta_tensor *metadata_of(const tflite_meta_model *model, const port *p)
{
    if (!model || !model->subgraph_metadata.count) {
        return NULL;
    }
    const tflite_meta_graph *const graph = model->subgraph_metadata.items;
    const tflite_meta_tensors *const list =
        p->is_input ? &graph->input_tensor_metadata : &graph->output_tensor_metadata;
    return p->index < list->count ? &list->items[p->index] : NULL;
}

// Takes a normalisation of 1 to 4 channels whose numbers are finite and deviations above 0. Any
// other leaves the facts without one, so that images are refused instead of wrongly scaled.
static void take_normalization(const tflite_meta_normalization *n, hoist_port_facts *facts)
{
    const size_t count = hoist_fb_count(n->mean, sizeof(float));
    if (count < 1 || count > HOIST_COUNT_OF(facts->mean) ||
        hoist_fb_count(n->std, sizeof(float)) != count) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        facts->mean[i] = (double)hoist_fb_f32(n->mean, i);
        facts->deviation[i] = (double)hoist_fb_f32(n->std, i);
        if (!isfinite(facts->mean[i]) || !isfinite(facts->deviation[i]) ||
            !(facts->deviation[i] > 0)) {
            return;
        }
    }
    facts->channels = (uint32_t)count;
}

// Scale and zero point come from the tensor, normalisation from the metadata; of several units the
// last counts.
hoist_status tflite_facts(const hoist_module *module, hoist_str name, hoist_port_facts *out_facts)
{
    const tflite_module *const m = tflite_of(module);
    const tflite_meta_model *metadata = NULL;
    hoist_arena arena;
    port p = {.index = 0};
    if (!find_port(m->model, name, &p)) {
        return HOIST_NOT_FOUND;
    }
    float scale = 0;
    out_facts->is_quantized = tflite_quantity(p.tensor, &scale, &out_facts->zero_point);
    out_facts->scale = (double)scale;
    hoist_arena_init(&arena, module->alloc);
    const hoist_status status = read_metadata(m, &arena, &metadata);
    const tflite_meta_tensor *const tensor = metadata_of(metadata, &p);
    for (uint32_t i = 0; tensor && i < tensor->process_units.count; i++) {
        const hoist_fb_union *const options = &tensor->process_units.items[i].options;
        if (options->type == TFLITE_META_NORMALIZATION && options->value) {
            take_normalization(options->value, out_facts);
        }
    }
    hoist_arena_deinit(&arena);
    return status;
}

// The file of labels of a tensor; empty: it has none.
static hoist_str label_file_of(const tflite_meta_tensor *tensor)
{
    for (uint32_t i = 0; tensor && i < tensor->associated_files.count; i++) {
        const tflite_meta_file *const file = &tensor->associated_files.items[i];
        if (file->type == TFLITE_META_AXIS_LABELS) {
            return file->name;
        }
    }
    return HOIST_STR("");
}

// The archive is the tail of the same file: a ZIP is found from its end, a FlatBuffer from its
// start.
hoist_status tflite_labels(const hoist_module *module, hoist_str name, hoist_buffer *out)
{
    const tflite_module *const m = tflite_of(module);
    const tflite_meta_model *metadata = NULL;
    hoist_arena arena;
    port p = {.index = 0};
    if (!find_port(m->model, name, &p)) {
        return HOIST_NOT_FOUND;
    }
    hoist_arena_init(&arena, module->alloc);
    hoist_status status = read_metadata(m, &arena, &metadata);
    const hoist_str file = label_file_of(metadata_of(metadata, &p));
    if (status == HOIST_OK) {
        status =
            file.size ? hoist_zip_member(m->file, file, MOST_LABEL_BYTES, out) : HOIST_NOT_FOUND;
    }
    hoist_arena_deinit(&arena);
    // Labels that cannot be read are none.
    return status == HOIST_OK || status == HOIST_NO_MEMORY || status == HOIST_CANCELLED
               ? status
               : HOIST_NOT_FOUND;
}
