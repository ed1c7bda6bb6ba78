// Custom operators: those that are compiled for an Edge TPU (darwinn reference sections 1 and 5.3).
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "lower/tflite_lower.h"

static bool is_custom(const hoist_tflite_job *j, const tflite_operator *row)
{
    const tflite_operator_code *code = tflite_code_of(j->module->model, row);
    return code && tflite_code_number(code) == TFLITE_OP_CUSTOM;
}

// The package of an operator; NULL: it has none.
static const dwn_module *package_of(const hoist_tflite_job *j, hoist_str path)
{
    for (size_t i = 0; i < j->models->file->nested_count; i++) {
        const hoist_lower_nested *nested = &j->models->file->nested[i];
        if (nested->module && nested->module->format == &hoist_darwinn_format &&
            hoist_str_equal(nested->payload->path, path)) {
            return dwn_of(nested->module);
        }
    }
    return NULL;
}

static void prepare_one(hoist_tflite_job *j, uint32_t index, const dwn_module *module)
{
    const hoist_str name = hoist_arena_format(j->arena, "%.*sedgetpu/%" PRIu32,
                                              HOIST_STR_ARGS(j->models->prefix), index);
    hoist_darwinn_model *model = hoist_arena_array(j->arena, 1, sizeof *model);
    if (!name.data || !model) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    j->models->chip.source = j->models->source;
    if (hoist_darwinn_prepare(&j->models->chip, module, name, model)) {
        j->packages[index] = model;
        j->is_driven = j->is_driven || model->drive;
    }
}

// What became of the chip is what becomes of the job.
static void take_chip(hoist_tflite_job *j)
{
    j->refused = j->refused || j->models->chip.refused;
    j->status = j->status == HOIST_OK ? j->models->chip.status : j->status;
}

void hoist_tflite_prepare(hoist_tflite_job *j)
{
    const uint32_t count = j->graph->operators.count;
    j->packages = hoist_arena_array(j->arena, (size_t)count + 1, sizeof(hoist_darwinn_model *));
    if (!j->packages) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < count && j->status == HOIST_OK; i++) {
        if (!is_custom(j, &j->graph->operators.items[i])) {
            continue;
        }
        const hoist_str path = hoist_arena_format(j->arena, "subgraphs/0/operators/%" PRIu32, i);
        const dwn_module *module = path.data ? package_of(j, path) : NULL;
        if (module) {
            prepare_one(j, i, module);
        }
        j->status = path.data ? j->status : HOIST_NO_MEMORY;
        take_chip(j);
    }
}

// Tensors of layers -----------------------------------------------------------------------------

// The inputs or the outputs of an operator, and their layers.
typedef struct border {
    hoist_tflite_job *j;
    const hoist_tflite_op *op;
    const hoist_darwinn_model *model;
    bool is_output;
    const dwn_layer *layers;
    uint32_t count;
    uint32_t *operands; // arena; by layer: its tensor's place among the operands; DWN_NONE: it is a
                        // state, which has none
} border;

static hoist_bytes list_of(const border *s)
{
    return s->is_output ? s->op->row->outputs : s->op->row->inputs;
}

static bool is_visible(const border *s, uint32_t layer)
{
    return !s->is_output || !dwn_layer_is_state(&s->layers[layer], s->model->main);
}

// By name, as far as each layer that has a tensor finds one.
static bool match_names(border *s)
{
    const hoist_bytes list = list_of(s);
    for (uint32_t i = 0; i < s->count; i++) {
        s->operands[i] = DWN_NONE;
        for (uint32_t k = 0; is_visible(s, i) && k < tflite_count(list); k++) {
            const tflite_tensor *tensor = tflite_tensor_at(s->j->graph, list, k);
            if (tensor && hoist_str_equal(tensor->name, s->layers[i].name)) {
                s->operands[i] = k;
                break;
            }
        }
        if (is_visible(s, i) && s->operands[i] == DWN_NONE) {
            return false;
        }
    }
    return true;
}

// By name, else in order. False: there are more or fewer tensors than layers.
static bool match(border *s)
{
    uint32_t visible = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        visible += is_visible(s, i);
    }
    if (visible != tflite_count(list_of(s))) {
        hoist_tflite_refuse(s->j, RUN_034, s->op,
                            "operator %" PRIu32 " has %" PRIu32 " %s, its package has %" PRIu32,
                            s->op->index, tflite_count(list_of(s)),
                            s->is_output ? "outputs" : "inputs", visible);
        return false;
    }
    if (match_names(s)) {
        return true;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        s->operands[i] = is_visible(s, i) ? next++ : DWN_NONE;
    }
    return true;
}

// Whether the tensor of a layer has its type and as many elements, for each of the batch.
static bool fits(const border *s, const dwn_layer *layer, const hoist_tflite_value *value)
{
    const dwn_type_row *type = dwn_type_of(layer->data_type);
    int64_t wanted = hoist_darwinn_elements(layer);
    if (!type || type->dtype != value->view.dtype ||
        hoist_ckd_mul_i64(&wanted, wanted, s->model->main->batch_size) ||
        wanted != hoist_shape_count(&value->view.shape)) {
        hoist_tflite_refuse(s->j, RUN_034, s->op,
                            "operator %" PRIu32 ": the tensor '%.*s' has %" PRId64
                            " elements of %s, the layer '%.*s' %" PRId64 " of %s",
                            s->op->index, HOIST_STR_ARGS(value->tensor->name),
                            hoist_shape_count(&value->view.shape),
                            hoist_dtype_get(value->view.dtype)->name, HOIST_STR_ARGS(layer->name),
                            wanted, type ? hoist_dtype_get(type->dtype)->name : "unknown");
        return false;
    }
    return true;
}

// A layer's tensor that is left out, which nobody has reported.
static void refuse_absent(const border *s, uint32_t layer, const hoist_tflite_value *value)
{
    const uint32_t operand = s->operands[layer];
    if (!value && hoist_fb_i32(list_of(s), operand) < 0) {
        hoist_tflite_refuse(s->j, RUN_034, s->op,
                            "operator %" PRIu32 ": %s %" PRIu32 " is left out", s->op->index,
                            s->is_output ? "output" : "input", operand);
    }
}

// Elements of a request: those of the package's batch; where a driver makes it, for all of ours.
static uint32_t elements_of(const border *s)
{
    const uint32_t batch = s->j->is_driven ? hoist_models_batch(s->j->models) : 1;
    return batch * (uint32_t)s->model->main->batch_size;
}

// The tensors of all elements: element e of layer i at e * count + i. States are left out. False:
// it was reported.
static bool fill(border *s, hoist_quant_view *out_views)
{
    const uint32_t own = (uint32_t)s->model->main->batch_size;
    const uint32_t elements = elements_of(s);
    for (uint32_t i = 0; i < s->count; i++) {
        const dwn_layer *layer = &s->layers[i];
        if (s->operands[i] == DWN_NONE) {
            continue;
        }
        const hoist_tflite_value *value = s->is_output
                                              ? hoist_tflite_output(s->j, s->op, s->operands[i])
                                              : hoist_tflite_input(s->j, s->op, s->operands[i]);
        hoist_quant_view view;
        if (!value || !fits(s, layer, value)) {
            refuse_absent(s, i, value);
            return false;
        }
        const hoist_shape each = {.rank = 2, .dim = {own, hoist_darwinn_elements(layer)}};
        (void)hoist_quant_reshape(&value->view, &each, &view); // dense, as all tensors are
        for (uint32_t e = 0; e < elements; e++) {
            hoist_quant_view *one = &out_views[(size_t)e * s->count + i];
            *one = hoist_quant_part(&view, 0, (hoist_quant_range){e % own, 1, 1});
            if (s->j->is_driven) {
                one->offset += e / own * view.step;
                one->step = 0;
            }
        }
    }
    return true;
}

// Outputs that are the state of an input have its tensor.
static void fill_states(const border *in, const border *out, const hoist_quant_view *inputs,
                        hoist_quant_view *outputs)
{
    for (uint32_t i = 0; i < out->count; i++) {
        if (is_visible(out, i)) {
            continue;
        }
        const dwn_layer *input =
            dwn_layer_find(in->layers, in->count, dwn_layer_state_of(&out->layers[i]));
        for (uint32_t e = 0; e < elements_of(out); e++) {
            outputs[(size_t)e * out->count + i] =
                inputs[(size_t)e * in->count + (size_t)(input - in->layers)];
        }
    }
}

// Operators -------------------------------------------------------------------------------------

// A request with room for its tensors.
static bool make_room(border *in, border *out, hoist_quant_view **out_inputs,
                      hoist_quant_view **out_outputs)
{
    hoist_arena *arena = in->j->arena;
    const size_t elements = elements_of(in);
    in->operands = hoist_arena_array(arena, (size_t)in->count + 1, sizeof(uint32_t));
    out->operands = hoist_arena_array(arena, (size_t)out->count + 1, sizeof(uint32_t));
    *out_inputs = hoist_arena_array(arena, elements * in->count + 1, sizeof(hoist_quant_view));
    *out_outputs = hoist_arena_array(arena, elements * out->count + 1, sizeof(hoist_quant_view));
    return in->operands && out->operands && *out_inputs && *out_outputs;
}

static void run(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_darwinn_model *model)
{
    const dwn_executable *e = model->main;
    border in = {.j = j,
                 .op = op,
                 .model = model,
                 .layers = e->input_layers.items,
                 .count = e->input_layers.count};
    border out = {.j = j,
                  .op = op,
                  .model = model,
                  .is_output = true,
                  .layers = e->output_layers.items,
                  .count = e->output_layers.count};
    hoist_quant_view *inputs = NULL;
    hoist_quant_view *outputs = NULL;
    if (!make_room(&in, &out, &inputs, &outputs)) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    if (!match(&in) || !match(&out) || !fill(&in, inputs) || !fill(&out, outputs)) {
        return;
    }
    fill_states(&in, &out, inputs, outputs);
    const hoist_darwinn_request request = {inputs, outputs, elements_of(&in)};
    if (j->is_driven) {
        hoist_tflite_end_function(j);
        j->parts[j->part_count++] =
            (hoist_tflite_part){.function = HOIST_NO_REF, .package = model, .request = request};
    } else {
        hoist_darwinn_run(model, &request);
        take_chip(j);
    }
}

void hoist_tflite_custom(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const hoist_str path =
        hoist_arena_format(j->arena, "subgraphs/0/operators/%" PRIu32, op->index);
    if (!path.data) {
        j->status = HOIST_NO_MEMORY;
    } else if (j->packages[op->index]) {
        run(j, op, j->packages[op->index]);
    } else if (!package_of(j, path)) { // else it was told what is wrong with it
        hoist_tflite_refuse(j, RUN_029, op,
                            "operator %" PRIu32 " is the custom one '%.*s', which cannot be run",
                            op->index, HOIST_STR_ARGS(op->name));
    }
}
