// A compiled model against its source: comparing what source_match.c has matched, constant by
// constant, and sending the result as tree events. source_expect.c says what the compiler makes of
// an operator.
#include "edgetpu/source.h"

#include <inttypes.h>

#include "base/span.h"
#include "base/tree.h"
#include "edgetpu/edgetpu.h"
#include "formats/darwinn/recover_send.h"

// Differences ------------------------------------------------------------------------------------

// The channels of a join, whichever operators and layers bring them there.
static hoist_status compare_channels(hoist_edgetpu_source_pair *s,
                                     hoist_edgetpu_difference_sender *sender,
                                     hoist_edgetpu_source_operator *op)
{
    const dwn_recovered *layer = &s->layers[op->layer];
    op->compared += layer->input_count;
    if (hoist_edgetpu_source_joins_alike(s, op, layer)) {
        return HOIST_OK;
    }
    const hoist_str path = hoist_arena_format(s->arena, "layers/%" PRIu32 "/inputs", op->layer);
    const hoist_str texts[2] = {HOIST_STR("channels of the operator"), HOIST_STR("other channels")};
    return hoist_edgetpu_difference_of_texts(sender, path, texts);
}

// What the operator reads against what its layer reads. Nothing is compared where a producer is
// unknown: the difference then is not this operator's.
static hoist_status compare_inputs(hoist_edgetpu_source_pair *s,
                                   hoist_edgetpu_difference_sender *sender,
                                   hoist_edgetpu_source_operator *op)
{
    const dwn_recovered *layer = &s->layers[op->layer];
    uint32_t *makers = hoist_arena_array(s->arena, layer->input_count, sizeof(*makers));
    bool same = true;
    if (!makers) {
        return HOIST_NO_MEMORY;
    }
    if (layer->kind == DWN_KIND_CONCATENATION && !layer->is_in_rows &&
        hoist_edgetpu_source_moves_channels(s, op->op)) {
        return compare_channels(s, sender, op);
    }
    for (uint32_t i = 0; i < layer->input_count; i++) {
        // Before the layer that scales it, where there is one.
        const uint32_t from = hoist_edgetpu_source_from(s, op, layer, i);
        makers[i] = hoist_edgetpu_source_maker(s, hoist_edgetpu_source_input(s, op, i));
        same = same && (makers[i] == from || (makers[i] & from & DWN_MODEL_INPUT));
        if (makers[i] == DWN_NONE) {
            return HOIST_OK;
        }
    }
    op->compared += layer->input_count;
    if (same) {
        return HOIST_OK;
    }
    const uint32_t *const inputs[2] = {makers, layer->inputs};
    const uint32_t counts[2] = {layer->input_count, layer->input_count};
    return hoist_edgetpu_difference_of_inputs(sender, op->layer, inputs, counts);
}

// Additions and exchanged operands are settled first (source_expect.c), then constants, scalings
// and inputs are compared.
static hoist_status compare_operator(hoist_edgetpu_source_pair *s,
                                     hoist_edgetpu_difference_sender *sender,
                                     hoist_edgetpu_source_operator *op)
{
    const dwn_recovered *layer = &s->layers[op->layer];
    const dwn_recovered *const layers[2] = {&op->expected.layer, layer};
    const size_t before = sender->count; // so that `different` counts this operator's items
    hoist_edgetpu_source_settle(layer, op->is_exchanged, &op->expected);
    HOIST_TRY(hoist_edgetpu_difference_of_layers(sender, op->layer, layers, op->expected.constants,
                                                 &op->compared));
    HOIST_TRY(hoist_edgetpu_source_compare_scalings(s, sender, op));
    HOIST_TRY(compare_inputs(s, sender, op));
    op->different = (uint32_t)(sender->count - before);
    return HOIST_OK;
}

static hoist_str name_of(const hoist_edgetpu_source_pair *s,
                         const hoist_edgetpu_source_operator *op, char buffer[32])
{
    return tflite_code_name(tflite_code_of(s->module->model, op->op), buffer);
}

// Four kinds of items: constants that differ, operators without a layer, layers without an
// operator, gaps.
static hoist_status send_differences(hoist_edgetpu_source_pair *s,
                                     hoist_edgetpu_difference_sender *sender)
{
    hoist_tree_list(sender->sink, "differences");
    for (uint32_t i = 0; i < s->operator_count; i++) {
        hoist_edgetpu_source_operator *op = &s->operators[i];
        char buffer[32];
        if (op->state == HOIST_EDGETPU_SOURCE_LAYER) {
            HOIST_TRY(compare_operator(s, sender, op));
        } else if (op->state == HOIST_EDGETPU_SOURCE_OPEN) {
            const hoist_str path = hoist_arena_format(s->arena, "operators/%" PRIu32, i);
            HOIST_TRY(hoist_edgetpu_difference_of_one(sender, path, true, name_of(s, op, buffer)));
        }
    }
    for (uint32_t i = 0; i < s->layer_count; i++) {
        if (s->owners[i] == DWN_NONE) {
            const char *kind = dwn_layer_kind_name(s->layers[i].kind);
            const hoist_str path = hoist_arena_format(s->arena, "layers/%" PRIu32, i);
            HOIST_TRY(hoist_edgetpu_difference_of_one(sender, path, false, hoist_str_from(kind)));
        }
    }
    for (uint32_t i = 0; i < s->gap_count; i++) {
        const hoist_str path = hoist_arena_format(s->arena, "gaps/%" PRIu32, i);
        HOIST_TRY(hoist_edgetpu_difference_of_one(sender, path, false,
                                                  hoist_str_from(s->gaps[i].reason)));
    }
    hoist_tree_end(sender->sink);
    hoist_tree_uint(sender->sink, "count", sender->count, HOIST_UNIT_NONE);
    return sender->sink->status;
}

// The result -------------------------------------------------------------------------------------

// How much was compared: a result without differences says nothing unless values were.
static void send_summary(const hoist_edgetpu_source_pair *s, hoist_tree_sink *sink)
{
    uint64_t layers = 0;
    uint64_t values = 0;
    for (uint32_t i = 0; i < s->operator_count; i++) {
        layers += s->operators[i].state == HOIST_EDGETPU_SOURCE_LAYER;
        values += s->operators[i].compared;
    }
    hoist_tree_map(sink, "summary");
    hoist_tree_uint(sink, "source_operators", s->operator_count, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "compiled_layers", s->layer_count, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "compared_layers", layers, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "compared_values", values, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

// Pairs of layer and operator, in the order of layers.
static void send_layers(const hoist_edgetpu_source_pair *s, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "layers");
    for (uint32_t i = 0; i < s->layer_count; i++) {
        const uint32_t owner = s->owners[i];
        char buffer[32];
        // Layers without an operator are among the differences.
        if (owner == DWN_NONE) {
            continue;
        }
        const hoist_edgetpu_source_operator *op = &s->operators[owner];
        hoist_tree_map(sink, "");
        hoist_tree_uint(sink, "layer", i, HOIST_UNIT_NONE);
        hoist_tree_c(sink, "kind", dwn_layer_kind_name(s->layers[i].kind));
        hoist_tree_uint(sink, "operator", owner, HOIST_UNIT_NONE);
        hoist_tree_str(sink, "name", name_of(s, op, buffer));
        hoist_tree_uint(sink, "values", op->compared, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "different", op->different, HOIST_UNIT_NONE);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// Operators that have no layer of their own, with the reason.
static void send_others(const hoist_edgetpu_source_pair *s, hoist_tree_sink *sink)
{
    static const char *const fates[] = {
        [HOIST_EDGETPU_SOURCE_PADDING] = "padding of a layer",
        [HOIST_EDGETPU_SOURCE_CLAMP] = "clamps of a layer",
        [HOIST_EDGETPU_SOURCE_PASSED] = "hands its values on",
        [HOIST_EDGETPU_SOURCE_LEFT] = "left to the CPU",
    };
    hoist_tree_list(sink, "others");
    for (uint32_t i = 0; i < s->operator_count; i++) {
        const hoist_edgetpu_source_operator *op = &s->operators[i];
        char buffer[32];
        if (op->state == HOIST_EDGETPU_SOURCE_OPEN || op->state == HOIST_EDGETPU_SOURCE_LAYER) {
            continue;
        }
        hoist_tree_map(sink, "");
        hoist_tree_uint(sink, "operator", i, HOIST_UNIT_NONE);
        hoist_tree_str(sink, "name", name_of(s, op, buffer));
        hoist_tree_c(sink, "fate", fates[op->state]);
        hoist_tree_maybe_uint(sink, "layer",
                              op->state == HOIST_EDGETPU_SOURCE_PADDING ||
                                  op->state == HOIST_EDGETPU_SOURCE_CLAMP,
                              op->layer, HOIST_UNIT_NONE);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// The order of keys is schema hoist.diff.
hoist_status hoist_edgetpu_source_send(hoist_edgetpu_source_pair *s,
                                       hoist_edgetpu_difference_sender *sender)
{
    HOIST_TRY(hoist_edgetpu_source_match(s));
    HOIST_TRY(send_differences(s, sender));
    send_summary(s, sender->sink);
    send_layers(s, sender->sink);
    send_others(s, sender->sink);
    dwn_gaps_send(s->gaps, s->gap_count, sender->sink);
    return sender->sink->status;
}

// Both models, with the layers of the compiled one; a source without a subgraph counts as one
// without operators. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY.
static hoist_status begin(hoist_edgetpu_source_pair *s, hoist_arena *arena,
                          const hoist_file *source, const hoist_file *compiled)
{
    static const tflite_subgraph nothing = {.operators = {NULL, 0}};
    *s = (hoist_edgetpu_source_pair){.arena = arena, .module = tflite_of(source->module)};
    if (compiled->module->format == &hoist_tflite_format) {
        s->compiled = tflite_of(compiled->module);
    }
    const tflite_model *model = s->module->model;
    s->graph = model->subgraphs.count ? &model->subgraphs.items[0] : &nothing;
    return hoist_edgetpu_source_collect(s, compiled);
}

// Paths are of the compiled side (layers, gaps) or the source (operators), whichever file is old.
hoist_status hoist_edgetpu_source_compare(const hoist_file *source, const hoist_file *compiled,
                                          bool is_source_old, hoist_tree_sink *sink,
                                          size_t *out_count)
{
    hoist_arena arena;
    hoist_arena_init(&arena, source->module->alloc);
    hoist_edgetpu_source_pair s;
    hoist_edgetpu_difference_sender sender = {
        .sink = sink, .arena = &arena, .is_swapped = !is_source_old};
    hoist_status status = begin(&s, &arena, source, compiled);
    if (status == HOIST_OK) {
        hoist_tree_c(sink, "source", is_source_old ? "old" : "new");
        status = hoist_edgetpu_source_send(&s, &sender);
    }
    *out_count = sender.count;
    hoist_arena_deinit(&arena);
    return status;
}

// Rows whose multiplier in the file is another than TFLite's: the chip's has 24 bits, TFLite's 31.
static uint32_t inexact_rows(const dwn_recovered *layer, const hoist_edgetpu_expected *e)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < layer->rows; row++) {
        const float own = layer->multipliers ? layer->multipliers[row] : layer->multiplier;
        count +=
            !dwn_is_exact(own, e->ends.in, e->weight_scales[row], e->ends.out, e->ends.rounding);
    }
    return count;
}

// The output of an operator that a layer is: of one that cuts, one of several.
static const tflite_tensor *made_by(const hoist_edgetpu_source_pair *s,
                                    const hoist_edgetpu_source_operator *op, uint32_t layer)
{
    for (uint32_t i = 0; i < tflite_count(op->op->outputs); i++) {
        const tflite_tensor *tensor = hoist_edgetpu_source_tensor(s, op->op->outputs, i);
        if (tensor && s->makers[hoist_edgetpu_source_number(s, tensor)] == layer) {
            return tensor;
        }
    }
    return op->expected.output;
}

// A layer whose operator has no output tensor is passed over.
static hoist_status send_match(const hoist_edgetpu_source_pair *s, uint32_t layer,
                               bool is_source_old, hoist_layer_match_call take, void *self)
{
    const hoist_edgetpu_source_operator *op = &s->operators[s->owners[layer]];
    const tflite_tensor *tensor = made_by(s, op, layer);
    char buffer[32];
    if (!tensor) {
        return HOIST_OK;
    }
    const dwn_recovered *found = &s->layers[layer];
    const hoist_edgetpu_expected *e = &op->expected;
    // Multipliers can be compared where both sides have the same rows.
    const bool has_rows = e->weight_scales && found->weights && found->rows == e->layer.rows;
    const hoist_layer_match match = {.layer = layer,
                                     .kind =
                                         hoist_str_from(dwn_layer_kind_name(s->layers[layer].kind)),
                                     .source_operator = s->owners[layer],
                                     .operator_name = name_of(s, op, buffer),
                                     .tensor = hoist_edgetpu_source_number(s, tensor),
                                     .tensor_name = tensor->name,
                                     .is_source_old = is_source_old,
                                     .channels = has_rows ? found->rows : 0,
                                     .inexact = has_rows ? inexact_rows(found, e) : 0};
    return take(self, &match);
}

hoist_status hoist_edgetpu_source_each(const hoist_file *source, const hoist_file *compiled,
                                       bool is_source_old, hoist_layer_match_call take, void *self)
{
    hoist_arena arena;
    hoist_arena_init(&arena, source->module->alloc);
    hoist_edgetpu_source_pair s;
    hoist_status status = begin(&s, &arena, source, compiled);
    status = status == HOIST_OK ? hoist_edgetpu_source_match(&s) : status;
    for (uint32_t i = 0; status == HOIST_OK && i < s.layer_count; i++) {
        status = s.owners[i] == DWN_NONE ? HOIST_OK : send_match(&s, i, is_source_old, take, self);
    }
    hoist_arena_deinit(&arena);
    return status;
}
