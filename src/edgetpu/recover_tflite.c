// A compiled model as an ordinary one: its Edge TPU operators become the layers that were recovered
// from them (tflite_layers.c), all other operators stay. Nothing is written of a model with a gap,
// or whose border does not fit the package; each reason is a finding.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"
#include "edgetpu/edgetpu.h"
#include "edgetpu/tflite_layers.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/module.h"
#include "formats/tflite/tflite.h"

// One call of hoist_edgetpu_recover(). The model is a shallow copy of the source's: lists that
// change are copied by the maker, all else is shared.
typedef struct rewrite {
    const hoist_file *file;
    const hoist_rule *rule; // of findings
    hoist_diag *diag;
    const tflite_module *source; // the compiled model
    hoist_arena arena;
    hoist_edgetpu_maker maker; // of tensors and operators in `model`
    tflite_model model;        // to be written; shares what does not change
    uint32_t compiled;         // operators that were looked at
    bool refused;              // a finding says why
} rewrite;

// Reasons are collected: the user gets all of them in one run.
static void refuse(rewrite *r, hoist_loc loc, const char *what)
{
    r->refused = true;
    hoist_report(r->diag, r->rule, loc, "%s", what);
}

// Borders ----------------------------------------------------------------------------------------

// The tensor is what the executable's layer declares: an 8-bit type, elements, scale, and the zero
// point, which the chip has unsigned.
static bool is_border(const tflite_tensor *tensor, const dwn_layer *layer)
{
    const bool is_signed = tensor->type == TFLITE_INT8;
    // The chip's type, DarwiNN's enum DataType: the border is not requantised.
    const int16_t expected = is_signed ? DWN_SIGNED_FIXED_POINT8 : DWN_FIXED_POINT8;
    int64_t elements = 0;
    float scale = 0;
    int64_t zero = 0;
    return (is_signed || tensor->type == TFLITE_UINT8) && layer->data_type == expected &&
           layer->numerics && tflite_quantity(tensor, &scale, &zero) &&
           tflite_elements(tensor, &elements) && tflite_count(tensor->shape) <= 4 &&
           // Elements that the user sees, without the padding of the chip's order.
           elements == dwn_layer_plain(layer) && isfinite(scale) && scale > 0 &&
           scale == layer->numerics->dequantization_factor &&
           // Unsigned, so that a hostile zero point does not overflow.
           (uint64_t)zero + (is_signed ? 128 : 0) == (uint64_t)(int64_t)layer->numerics->zero_point;
}

// The tensor of an operator's list that has the layer's name, else the one at its place; DWN_NONE:
// the list has no such place.
static uint32_t tensor_of(const tflite_subgraph *graph, hoist_bytes list, const dwn_layer *layer,
                          uint32_t place)
{
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const tflite_tensor *tensor = tflite_tensor_at(graph, list, i);
        if (tensor && hoist_str_equal(tensor->name, layer->name)) {
            return (uint32_t)(tensor - graph->tensors.items);
        }
    }
    const tflite_tensor *tensor = tflite_tensor_in(graph, list, place);
    return tensor ? (uint32_t)(tensor - graph->tensors.items) : DWN_NONE;
}

// One operator that is replaced, and its package.
typedef struct replacing {
    const tflite_operator *op; // of the source's graph
    const dwn_module *module;
    const dwn_contents *contents;
    const dwn_image *image; // the executable that is run
    dwn_recovery recovery;
    dwn_scales scales;
} replacing;

// The inputs or the outputs of an executable, and the operator's list that they go with.
typedef struct border {
    const dwn_layer *layers;
    uint32_t count;
    hoist_bytes list; // of the operator
} border;

// The finding is at the layer's name in the package.
static hoist_status refuse_border(rewrite *r, const replacing *p, const dwn_layer *layer)
{
    const hoist_str why = hoist_arena_format(
        &r->arena, "'%.*s' is no 8-bit tensor of the operator with the same scale and size",
        HOIST_STR_ARGS(layer->name));
    if (!why.data) {
        return HOIST_NO_MEMORY;
    }
    refuse(r, DWN_FIELD_PLACE(p->module, p->image->bytes, layer, layer, name), why.data);
    return HOIST_OK;
}

// The tensors of all layers of a border, in the arena; NULL with HOIST_OK: one does not fit, which
// was reported. HOIST_OK, HOIST_NO_MEMORY.
static hoist_status find_tensors(rewrite *r, const replacing *p, const border *b,
                                 const uint32_t **out_tensors)
{
    const tflite_subgraph *graph = r->maker.graph;
    uint32_t *const tensors = hoist_edgetpu_maker_alloc(&r->maker, b->count * sizeof(*tensors));
    *out_tensors = NULL;
    if (!tensors) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        const dwn_layer *layer = &b->layers[i];
        tensors[i] = tensor_of(graph, b->list, layer, i);
        if (tensors[i] == DWN_NONE || !is_border(&graph->tensors.items[tensors[i]], layer)) {
            return refuse_border(r, p, layer);
        }
    }
    *out_tensors = tensors;
    return HOIST_OK;
}

// Operators --------------------------------------------------------------------------------------

// A finding for each gap, at its instructions. HOIST_OK, HOIST_NO_MEMORY.
static hoist_status report_gaps(rewrite *r, const replacing *p)
{
    for (uint32_t i = 0; i < p->recovery.gap_count; i++) {
        const dwn_gap *gap = &p->recovery.gaps[i];
        hoist_str what;
        HOIST_TRY(dwn_gap_describe(gap, &r->arena, &what));
        refuse(r, dwn_gap_place(p->module, p->contents, gap), what.data);
    }
    return HOIST_OK;
}

// Writes the layers of a complete recovery; tensors of several packages are told apart by a prefix.
static hoist_status add_layers(rewrite *r, const replacing *p)
{
    const dwn_executable *executable = p->image->rows;
    const border inputs = {executable->input_layers.items, executable->input_layers.count,
                           p->op->inputs};
    const border outputs = {executable->output_layers.items, executable->output_layers.count,
                            p->op->outputs};
    const hoist_str prefix = r->compiled > 1 // the name of a tensor's package
                                 ? hoist_arena_format(&r->arena, "packages/%u/", r->compiled - 1)
                                 : HOIST_STR("");
    hoist_edgetpu_layers layers = {.m = &r->maker,
                                   .recovery = &p->recovery,
                                   .scales = &p->scales,
                                   .executable = executable,
                                   .prefix = prefix.data};
    if (!prefix.data) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(find_tensors(r, p, &inputs, &layers.inputs));
    HOIST_TRY(find_tensors(r, p, &outputs, &layers.outputs));
    // Refused: reported at the layer.
    if (layers.inputs && layers.outputs && hoist_edgetpu_layers_add(&layers) != HOIST_OK) {
        const dwn_recovered *layer = &p->recovery.layers[layers.refused];
        refuse(r, dwn_recovered_place(p->module, p->contents, layer), layers.why);
    }
    return HOIST_OK;
}

// Nothing is written of a package with a gap: all operators after it would be guesses.
static hoist_status replace_package(rewrite *r, replacing *p)
{
    const hoist_status status = dwn_recover(p->contents, &r->arena, &p->recovery);
    if (status == HOIST_UNSUPPORTED) {
        refuse(r, dwn_place_in_file(p->module, p->contents->bytes.data),
               "the package has no executable that is run");
        return HOIST_OK;
    }
    HOIST_TRY(status);
    p->image = dwn_roles_of(p->contents).main_image;
    HOIST_TRY(dwn_scales_of(&p->recovery, p->image->rows, &r->arena, &p->scales));
    return p->recovery.gap_count > 0 ? report_gaps(r, p) : add_layers(r, p);
}

// Nested files are in the order of compiled operators (tflite_payloads), so the counter is the
// index.
static hoist_status replace(rewrite *r, const tflite_operator *op)
{
    const uint32_t index = r->compiled++;
    const hoist_nested *nested = index < r->file->nested_count ? &r->file->nested[index] : NULL;
    // One package of one operator; several would have several borders.
    const bool is_package = nested && nested->module &&
                            nested->module->format == &hoist_darwinn_format &&
                            dwn_of(nested->module)->package_count == 1;
    if (!is_package) {
        refuse(r,
               tflite_place(r->source, &tflite_operator_type, op,
                            offsetof(tflite_operator, custom_options)),
               "the operator holds no package, or several");
        return HOIST_OK;
    }
    replacing p = {.op = op, .module = dwn_of(nested->module)};
    p.contents = p.module->packages;
    hoist_frame frame;
    hoist_diag_push(r->diag, &frame, NULL, nested->payload.kind, nested->payload.path);
    const hoist_status status = replace_package(r, &p);
    hoist_diag_pop(r->diag, &frame);
    return status;
}

// Operators in their order: compiled ones are replaced, others kept. Custom options after the
// FlatBuffer move into it, as their offsets would no longer be right.
static hoist_status rewrite_graph(rewrite *r, tflite_subgraph *graph)
{
    const tflite_operator *operators = graph->operators.items;
    const uint32_t count = graph->operators.count;
    hoist_edgetpu_maker_open(&r->maker, graph);
    for (uint32_t i = 0; i < count && !r->maker.failed; i++) {
        if (tflite_is_edgetpu(tflite_code_of(r->source->model, &operators[i]))) {
            HOIST_TRY(replace(r, &operators[i]));
        } else {
            tflite_operator op = operators[i];
            op.custom_options = tflite_custom_options(r->source, &op);
            op.large_custom_options_offset = op.large_custom_options_size = 0;
            hoist_edgetpu_maker_keep(&r->maker, &op);
        }
    }
    hoist_edgetpu_maker_close(&r->maker);
    return HOIST_OK;
}

// The model ---------------------------------------------------------------------------------------

// Subgraphs, codes and buffers become copies that may grow.
static hoist_status rewrite_model(rewrite *r)
{
    const uint32_t graphs = r->source->model->subgraphs.count;
    r->model = *r->source->model;
    hoist_edgetpu_maker_init(&r->maker, &r->arena, &r->model);
    r->model.subgraphs.items =
        hoist_edgetpu_maker_alloc(&r->maker, graphs * sizeof(tflite_subgraph));
    if (!r->model.subgraphs.items) {
        return HOIST_NO_MEMORY;
    }
    // Data after the FlatBuffer move into it.
    for (uint32_t i = 0; i < r->model.buffers.count && !r->maker.failed; i++) {
        tflite_buffer *const buffer = &r->model.buffers.items[i];
        const hoist_bytes data = tflite_buffer_data(r->source, i);
        *buffer = (tflite_buffer){.data = data.size > 0 ? data : buffer->data};
    }
    for (uint32_t i = 0; i < graphs; i++) {
        r->model.subgraphs.items[i] = r->source->model->subgraphs.items[i];
        HOIST_TRY(rewrite_graph(r, &r->model.subgraphs.items[i]));
    }
    hoist_edgetpu_maker_drop_compiled(&r->maker);
    return r->maker.failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Fields that hoist does not know cannot be written anew, and dropping them may change the model.
static hoist_status write_model(rewrite *r, hoist_buffer *out)
{
    if (r->compiled == 0) {
        refuse(r, hoist_loc_none(), "no operator of the model is compiled");
    }
    if (!hoist_fb_is_known(&tflite_model_type, r->source->model)) {
        refuse(r, hoist_loc_none(), "the model has fields that are not known here");
    }
    if (r->refused) {
        return HOIST_NOT_FOUND;
    }
    // No file behind it: written from its objects.
    tflite_module *const made = tflite_module_create(r->source->base.alloc, (hoist_bytes){NULL, 0});
    if (!made) {
        return HOIST_NO_MEMORY;
    }
    made->model = &r->model; // in the arena of `r`, which outlives `made`
    const hoist_status status = tflite_write(&made->base, out);
    tflite_destroy(&made->base);
    return status;
}

// `rule` is the caller's, so that findings have the id of its command.
hoist_status hoist_edgetpu_recover(const hoist_file *file, const hoist_rule *rule, hoist_diag *diag,
                                   hoist_buffer *out)
{
    if (file->module->format != &hoist_tflite_format) {
        return HOIST_UNSUPPORTED;
    }
    rewrite r = {.file = file, .rule = rule, .diag = diag, .source = tflite_of(file->module)};
    hoist_arena_init(&r.arena, file->module->alloc);
    hoist_status status = rewrite_model(&r);
    if (status == HOIST_OK) {
        status = write_model(&r, out);
    }
    hoist_arena_deinit(&r.arena);
    return status;
}
