// Custom operators: those that are compiled for an Edge TPU (darwinn reference sections 1 and 5.3).
// In: the operator's package, opened by load as a nested file. Out: a request of the package's
// layers with the operator's tensors (lower/darwinn/model.h). Layers of the package are matched
// with tensors by name, else by order.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "lower/tflite/state.h"

static bool is_custom(const tflite_lower_job *j, const tflite_operator *row)
{
    const tflite_operator_code *code = tflite_code_of(j->module->model, row);
    return code && tflite_code_number(code) == TFLITE_OP_CUSTOM;
}

// Packages --------------------------------------------------------------------------------------

// Maps the paths of packages ("subgraphs/0/operators/3") to their indices among the file's nested
// ones. False: no memory.
static bool map_packages(const tflite_lower_job *j, hoist_map *paths)
{
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < j->models->file->nested_count && status != HOIST_NO_MEMORY; i++) {
        const hoist_nested *nested = &j->models->file->nested[i];
        if (nested->module && nested->module->format == &hoist_darwinn_format) {
            status = hoist_map_add(paths, nested->payload.path, i, NULL); // the first one counts
        }
    }
    return status != HOIST_NO_MEMORY;
}

// Finds the package of each custom operator, in `modules`. False: no memory.
static bool find_packages(tflite_lower_job *j, const hoist_map *paths)
{
    for (uint32_t i = 0; i < j->graph->operators.count; i++) {
        size_t nested = 0;
        if (!is_custom(j, &j->graph->operators.items[i])) {
            continue;
        }
        const hoist_str path = hoist_lower_format(j->c, "subgraphs/0/operators/%" PRIu32, i);
        if (!path.data) {
            return false;
        }
        if (hoist_map_find(paths, path, &nested)) {
            j->modules[i] = dwn_of(j->models->file->nested[nested].module);
        }
    }
    return true;
}

// `packages` stay NULL until prepare_one() accepts them.
static bool make_packages(tflite_lower_job *j)
{
    const size_t count = (size_t)j->graph->operators.count + 1;
    hoist_map paths;
    j->packages = hoist_lower_array(j->c, count, sizeof(darwinn_lower_model *));
    j->modules = hoist_lower_array(j->c, count, sizeof(dwn_module *));
    if (!j->packages || !j->modules) {
        return false;
    }
    hoist_map_init(&paths, j->c->arena.alloc);
    const bool done = map_packages(j, &paths) && find_packages(j, &paths);
    hoist_map_deinit(&paths);
    return done;
}

// A package that cannot be run leaves its place NULL: the reason was reported, and the operator
// adds nothing.
static void prepare_one(tflite_lower_job *j, uint32_t index, const dwn_module *module)
{
    const hoist_str name = hoist_lower_name(j->c, j->models->prefix, "edgetpu/%" PRIu32, index);
    darwinn_lower_model *model = hoist_lower_array(j->c, 1, sizeof *model);
    if (!name.data || !model) {
        return;
    }
    j->models->chip.source = j->models->source;
    if (darwinn_lower_prepare(&j->models->chip, module, name, model)) {
        j->packages[index] = model;
        // One driven package makes all parts of the run alternate with requests.
        j->is_driven = j->is_driven || model->drive;
    }
}

// Tensors of layers -----------------------------------------------------------------------------

// The inputs or the outputs of an operator, and their layers.
typedef struct border {
    tflite_lower_job *j;
    const tflite_lower_op *op;
    const darwinn_lower_model *model;
    bool is_output;
    const dwn_layer *layers;
    uint32_t count;
    uint32_t *operands; // arena; by layer: its tensor's place among the operands; DWN_NONE: it is a
                        // state, which has none
    uint32_t *states;   // arena; by layer: the input layer whose state it is; DWN_NONE: of none
} border;

static hoist_bytes list_of(const border *s)
{
    return s->is_output ? s->op->row->outputs : s->op->row->inputs;
}

// Layers of variables have no tensor: they are states of an input layer.
static bool is_visible(const border *s, uint32_t layer)
{
    return s->states[layer] == DWN_NONE;
}

static uint32_t visible_count(const border *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        count += is_visible(s, i);
    }
    return count;
}

// Adds a name that may be none; of several of a name the first counts. False: no memory.
static bool add_name(hoist_map *names, hoist_str name, uint32_t place)
{
    const hoist_str key = name.data ? name : HOIST_STR("");
    return hoist_map_add(names, key, place, NULL) != HOIST_NO_MEMORY;
}

// Files may leave names out: "" is a name here.
static uint32_t find_name(const hoist_map *names, hoist_str name)
{
    size_t place = 0;
    const hoist_str key = name.data ? name : HOIST_STR("");
    return hoist_map_find(names, key, &place) ? (uint32_t)place : DWN_NONE;
}

// Tensor and layer have one name in files that the compiler writes. False: not every visible layer
// finds a tensor, then none of the matches counts.
static bool match_names(border *s, const hoist_map *names)
{
    for (uint32_t i = 0; i < s->count; i++) {
        s->operands[i] = is_visible(s, i) ? find_name(names, s->layers[i].name) : DWN_NONE;
        if (is_visible(s, i) && s->operands[i] == DWN_NONE) {
            return false;
        }
    }
    return true;
}

// The fallback: the driver, too, numbers layers in the order of tensors.
static void match_in_order(border *s)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        s->operands[i] = is_visible(s, i) ? next++ : DWN_NONE;
    }
}

// Fills `operands`; there are as many tensors as visible layers (match()). False: no memory.
static bool find_operands(border *s)
{
    const hoist_bytes list = list_of(s);
    hoist_map names;
    hoist_map_init(&names, s->j->c->arena.alloc);
    bool done = true;
    for (uint32_t i = 0; done && i < tflite_count(list); i++) {
        const tflite_tensor *tensor = tflite_tensor_at(s->j->graph, list, i);
        done = !tensor || add_name(&names, tensor->name, i);
    }
    if (done && !match_names(s, &names)) {
        match_in_order(s);
    }
    hoist_map_deinit(&names);
    return done;
}

// False: there are more or fewer tensors than layers, which was reported (RUN_034), or no memory.
static bool match(border *s)
{
    const uint32_t visible = visible_count(s);
    const uint32_t count = tflite_count(list_of(s));
    if (visible != count) {
        return tflite_lower_refuse(s->j, RUN_034, s->op,
                                   "operator %" PRIu32 " has %" PRIu32
                                   " %s, its package has %" PRIu32,
                                   s->op->index, count,
                                   s->is_output ? hoist_plural(count, "output", "outputs")
                                                : hoist_plural(count, "input", "inputs"),
                                   visible);
    }
    if (!find_operands(s)) {
        hoist_lower_fail(s->j->c, HOIST_NO_MEMORY);
        return false;
    }
    return true;
}

// The tensor has the layer's type, and its elements times the package's batch.
static bool fits(const border *s, const dwn_layer *layer, const tflite_lower_value *value)
{
    const dwn_type_row *type = dwn_type_of(layer->data_type);
    int64_t expected = darwinn_lower_elements(layer);
    if (!type || type->dtype != value->view.dtype ||
        hoist_ckd_mul_i64(&expected, expected, s->model->main->batch_size) ||
        expected != hoist_shape_count(&value->view.shape)) {
        return tflite_lower_refuse(s->j, RUN_034, s->op,
                                   "operator %" PRIu32 ": the tensor '%.*s' has %" PRId64
                                   " elements of %s, the layer '%.*s' %" PRId64 " of %s",
                                   s->op->index, HOIST_STR_ARGS(value->tensor->name),
                                   hoist_shape_count(&value->view.shape),
                                   hoist_dtype_get(value->view.dtype)->name,
                                   HOIST_STR_ARGS(layer->name), expected,
                                   type ? hoist_dtype_get(type->dtype)->name : "unknown");
    }
    return true;
}

// Reports a tensor that is left out (-1); other missing tensors were reported by tensor.c.
static void refuse_absent(const border *s, uint32_t layer, const tflite_lower_value *value)
{
    const uint32_t operand = s->operands[layer];
    if (!value && hoist_fb_i32(list_of(s), operand) < 0) {
        tflite_lower_refuse(s->j, RUN_034, s->op,
                            "operator %" PRIu32 ": %s %" PRIu32 " is left out", s->op->index,
                            s->is_output ? "output" : "input", operand);
    }
}

// Elements of one request: the package's batch, times the run's where a driver makes it for all.
static uint32_t elements_of(const border *s)
{
    const uint32_t batch = s->j->is_driven ? darwinn_lower_models_batch(s->j->models) : 1;
    return batch * (uint32_t)s->model->main->batch_size;
}

// Views of all tensors, by element and layer: element e of layer i at e * count + i. States are
// left out. False: it was reported.
static bool fill(border *s, hoist_lower_view *out_views)
{
    const uint32_t own = (uint32_t)s->model->main->batch_size;
    const uint32_t elements = elements_of(s);
    for (uint32_t i = 0; i < s->count; i++) {
        const dwn_layer *layer = &s->layers[i];
        if (s->operands[i] == DWN_NONE) {
            continue;
        }
        const tflite_lower_value *value = s->is_output
                                              ? tflite_lower_output(s->j, s->op, s->operands[i])
                                              : tflite_lower_input(s->j, s->op, s->operands[i]);
        hoist_lower_view view;
        if (!value || !fits(s, layer, value)) {
            refuse_absent(s, i, value);
            return false;
        }
        const hoist_shape each = {.rank = 2, .dim = {own, darwinn_lower_elements(layer)}};
        // Dense, as all tensors are: reshaping cannot fail.
        (void)hoist_lower_view_reshape(&value->view, &each, &view); // dense, as all tensors are
        for (uint32_t e = 0; e < elements; e++) {
            hoist_lower_view *one = &out_views[(size_t)e * s->count + i];
            *one = hoist_lower_view_part(&view, 0, (hoist_lower_range){e % own, 1, 1});
            if (s->j->is_driven) {
                // The thread addresses elements of a batch itself; inside a function the call's
                // parameter does.
                one->offset += e / own * view.step;
                one->step = 0;
            }
        }
    }
    return true;
}

// An output layer that is a state writes the tensor of its input layer, so that the next request
// reads it.
static void fill_states(const border *in, const border *out, const hoist_lower_view *inputs,
                        hoist_lower_view *outputs)
{
    for (uint32_t i = 0; i < out->count; i++) {
        for (uint32_t e = 0; !is_visible(out, i) && e < elements_of(out); e++) {
            outputs[(size_t)e * out->count + i] = inputs[(size_t)e * in->count + out->states[i]];
        }
    }
}

// Operators -------------------------------------------------------------------------------------

// Which output layers are states of which input layers, by the names that dwn_layer_state_of()
// derives. False: no memory.
static bool find_states(border *in, border *out)
{
    hoist_map names;
    hoist_map_init(&names, in->j->c->arena.alloc);
    bool done = true;
    for (uint32_t i = 0; done && i < in->count; i++) {
        in->states[i] = DWN_NONE;
        done = add_name(&names, in->layers[i].name, i);
    }
    for (uint32_t i = 0; done && i < out->count; i++) {
        const hoist_str input = dwn_layer_state_of(&out->layers[i]);
        out->states[i] = input.data ? find_name(&names, input) : DWN_NONE;
    }
    hoist_map_deinit(&names);
    return done;
}

// Both borders of a package, with capacity for each layer's operand and state. False: no memory.
static bool make_borders(tflite_lower_job *j, const tflite_lower_op *op,
                         const darwinn_lower_model *model, border *out_in, border *out_out)
{
    const dwn_executable *e = model->main;
    *out_in = (border){.j = j,
                       .op = op,
                       .model = model,
                       .layers = e->input_layers.items,
                       .count = e->input_layers.count};
    *out_out = (border){.j = j,
                        .op = op,
                        .model = model,
                        .is_output = true,
                        .layers = e->output_layers.items,
                        .count = e->output_layers.count};
    border *const both[] = {out_in, out_out};
    for (size_t i = 0; i < HOIST_COUNT_OF(both); i++) {
        const size_t count = (size_t)both[i]->count + 1;
        both[i]->operands = hoist_lower_array(j->c, count, sizeof(uint32_t));
        both[i]->states = hoist_lower_array(j->c, count, sizeof(uint32_t));
        if (!both[i]->operands || !both[i]->states) {
            return false;
        }
    }
    return find_states(out_in, out_out);
}

// Capacity for the views of a request, by element and layer; false: no memory.
static bool reserve(const border *in, const border *out, hoist_lower_view **out_inputs,
                    hoist_lower_view **out_outputs)
{
    hoist_lower_context *c = in->j->c;
    const size_t elements = elements_of(in);
    *out_inputs = hoist_lower_array(c, elements * in->count + 1, sizeof(hoist_lower_view));
    *out_outputs = hoist_lower_array(c, elements * out->count + 1, sizeof(hoist_lower_view));
    return *out_inputs && *out_outputs;
}

// Marks the tensors that a request changes: tensor.c must not let them share bytes with others.
// Counts that do not fit are refused later, by match(). False: no memory.
static bool mark_states(tflite_lower_job *j, uint32_t index)
{
    const tflite_lower_op op = {.index = index, .row = &j->graph->operators.items[index]};
    border in;
    border out;
    if (!make_borders(j, &op, j->packages[index], &in, &out)) {
        return false;
    }
    if (visible_count(&out) == out.count || in.count != tflite_count(list_of(&in))) {
        return true; // there are none, or it is going to be refused
    }
    if (!find_operands(&in)) {
        return false;
    }
    for (uint32_t i = 0; i < out.count; i++) {
        const int32_t tensor =
            is_visible(&out, i) ? -1 : hoist_fb_i32(list_of(&in), in.operands[out.states[i]]);
        if (tensor >= 0 && (uint32_t)tensor < j->graph->tensors.count) { // else it is left out
            j->values[tensor].is_updated = true;
        }
    }
    return true;
}

// Two passes: marks of the second need all packages of the first.
void tflite_lower_prepare(tflite_lower_job *j)
{
    const uint32_t count = j->graph->operators.count;
    if (!make_packages(j)) {
        hoist_lower_fail(j->c, HOIST_NO_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < count && j->c->status == HOIST_OK; i++) {
        if (j->modules[i]) {
            prepare_one(j, i, j->modules[i]);
        }
    }
    for (uint32_t i = 0; i < count && j->c->status == HOIST_OK; i++) {
        if (j->packages[i] && !mark_states(j, i)) {
            hoist_lower_fail(j->c, HOIST_NO_MEMORY);
        }
    }
}

// One request; with a driver it becomes a part of the run, else steps of the function at hand.
static void run(tflite_lower_job *j, const tflite_lower_op *op, darwinn_lower_model *model)
{
    border in;
    border out;
    hoist_lower_view *inputs = NULL;
    hoist_lower_view *outputs = NULL;
    if (!make_borders(j, op, model, &in, &out) || !reserve(&in, &out, &inputs, &outputs)) {
        hoist_lower_fail(j->c, HOIST_NO_MEMORY);
        return;
    }
    if (!match(&in) || !match(&out) || !fill(&in, inputs) || !fill(&out, outputs)) {
        return;
    }
    fill_states(&in, &out, inputs, outputs);
    const darwinn_lower_request request = {inputs, outputs, elements_of(&in)};
    if (j->is_driven) {
        tflite_lower_end_function(j);
        j->parts[j->part_count++] =
            (tflite_lower_part){.function = HOIST_NO_REF, .package = model, .request = request};
    } else {
        darwinn_lower_run(model, &request);
    }
}

void tflite_lower_custom(tflite_lower_job *j, const tflite_lower_op *op)
{
    // By name first: the host's operators are no packages, whatever their options hold.
    tflite_lower_fn *const host = tflite_lower_host(tflite_code_of(j->module->model, op->row));
    if (host) {
        host(j, op);
    } else if (j->packages[op->index]) {
        run(j, op, j->packages[op->index]);
    } else if (!j->modules[op->index]) { // else it was told what is wrong with it
        tflite_lower_refuse(j, RUN_029, op,
                            "operator %" PRIu32 " is the custom one '%.*s', which cannot be run",
                            op->index, HOIST_STR_ARGS(op->name));
    }
}
