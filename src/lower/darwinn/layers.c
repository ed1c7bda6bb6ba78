// Recovered layers as one function of one element (layers.h, darwinn reference section 16). In: the
// recovery of a package. Out: the function, whose parameters are the border's tensors. kinds.c adds
// the steps of each layer, opaque.c those of what is left; model.c is the caller.
#include "lower/darwinn/layers.h"

#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/stream_tensor.h"
#include "lower/quant_steps.h"

static const dwn_executable *executable_of(const darwinn_lower_lift *l)
{
    return l->model->main;
}

// A status that ends the work stays in the context; HOIST_UNSUPPORTED was reported and does not.
static void keep(darwinn_lower_lift *l, hoist_status status)
{
    hoist_lower_fail(l->model->c, status == HOIST_UNSUPPORTED ? HOIST_OK : status);
}

// Whether nothing has ended or spoiled the work.
static bool goes_on(const darwinn_lower_lift *l)
{
    return l->model->c->status == HOIST_OK;
}

// The same numbers as signed or unsigned ones: requantised by 1 with zero points 128 apart, which
// flips the top bit.
static hoist_status add_flip(darwinn_lower_lift *l, const hoist_lower_view *from,
                             const hoist_lower_view *to)
{
    hoist_quant_unary layer = {*from, *to};
    layer.x.zero = from->dtype == HOIST_DTYPE_U8 ? DARWINN_LOWER_FLIP : 0;
    layer.y.zero = to->dtype == HOIST_DTYPE_U8 ? DARWINN_LOWER_FLIP : 0;
    return hoist_quant_requantize(&l->steps, &layer, 1);
}

// The border ------------------------------------------------------------------------------------

static dwn_extent extent_of(const dwn_layer *layer)
{
    return (dwn_extent){(uint32_t)layer->y_dim, (uint32_t)layer->x_dim, (uint32_t)layer->z_dim};
}

// A border layer has 8-bit elements and a shape that agrees with its extents; false: reported.
static bool check_border(darwinn_lower_lift *l, const dwn_layer *layer, const char *what)
{
    const dwn_type_row *type = dwn_type_of(layer->data_type);
    const int64_t elements = dwn_layer_plain(layer);
    if (!type || type->size != 1) {
        const char *const name = hoist_fb_word_name(dwn_data_types, layer->data_type);
        return darwinn_lower_refuse(l->model, RUN_033,
                                    "the %s layer '%.*s' has elements of type %s (%" PRId16
                                    "), layers are computed on 8-bit numbers",
                                    what, HOIST_STR_ARGS(layer->name), name ? name : "unknown",
                                    layer->data_type);
    }
    if (elements < 1 || elements > DARWINN_LOWER_MAX_BYTES ||
        dwn_layer_elements(layer) != elements) {
        return darwinn_lower_refuse(l->model, RUN_033,
                                    "the %s layer '%.*s' has %" PRId32 " x %" PRId32 " x %" PRId32
                                    " elements, and a shape of %" PRId64,
                                    what, HOIST_STR_ARGS(layer->name), layer->y_dim, layer->x_dim,
                                    layer->z_dim, dwn_layer_elements(layer));
    }
    return true;
}

// All layers are checked, so that all findings come at once.
static bool check_borders(darwinn_lower_lift *l)
{
    const dwn_executable *e = executable_of(l);
    bool is_good = true;
    for (uint32_t i = 0; i < e->input_layers.count; i++) {
        is_good = check_border(l, &e->input_layers.items[i], "input") && is_good;
    }
    for (uint32_t i = 0; i < e->output_layers.count; i++) {
        is_good = check_border(l, &e->output_layers.items[i], "output") && is_good;
    }
    return is_good;
}

// Parameter `index` of the function: unsigned, [1, y, x, z], for `layer` of the border.
static hoist_lower_view add_parameter(darwinn_lower_lift *l, const dwn_layer *layer, uint32_t index,
                                      bool is_output, hoist_prog_parameter *out_row)
{
    const hoist_str name =
        hoist_lower_format(l->steps.c, "%s/%" PRIu32, is_output ? "output" : "input", index);
    const hoist_shape shape = darwinn_lower_shape(extent_of(layer));
    hoist_lower_view view = hoist_lower_view_dense(index, HOIST_DTYPE_U8, &shape);
    view.base = HOIST_VIEW_PARAMETER;
    view.zero = layer->numerics ? (uint8_t)layer->numerics->zero_point : 0;
    *out_row = (hoist_prog_parameter){.name = name,
                                      .is_view = true,
                                      .dtype = view.dtype,
                                      .layout = hoist_lower_view_layout(l->steps.c->b, &view),
                                      .written = is_output};
    return view;
}

// Begins the function; its parameters are `inputs` and `outputs` from then on. HOIST_NO_REF:
// failed.
static hoist_ref begin(darwinn_lower_lift *l)
{
    const dwn_executable *e = executable_of(l);
    const uint32_t inputs = e->input_layers.count;
    const uint32_t outputs = e->output_layers.count;
    hoist_prog_parameter *rows =
        hoist_lower_array(l->steps.c, (size_t)inputs + outputs + 1, sizeof *rows);
    const hoist_str name = hoist_lower_name(l->steps.c, l->model->name, "/layers");
    if (!rows || !name.data) {
        return HOIST_NO_REF;
    }
    for (uint32_t i = 0; i < inputs; i++) {
        l->inputs[i] = add_parameter(l, &e->input_layers.items[i], i, false, &rows[i]);
    }
    for (uint32_t i = 0; i < outputs; i++) {
        l->outputs[i] =
            add_parameter(l, &e->output_layers.items[i], inputs + i, true, &rows[inputs + i]);
    }
    if (!goes_on(l)) {
        return HOIST_NO_REF;
    }
    return hoist_builder_begin_function(
        l->steps.c->b, &(hoist_prog_function){
                           .name = name, .parameters = rows, .parameter_count = inputs + outputs});
}

// Inputs in the type of hidden tensors, copied where that is signed.
static void convert_inputs(darwinn_lower_lift *l)
{
    const dwn_executable *e = executable_of(l);
    l->steps.label = HOIST_STR("inputs");
    for (uint32_t i = 0; l->is_signed && i < e->input_layers.count; i++) {
        const hoist_lower_view given = l->inputs[i];
        l->inputs[i] = darwinn_lower_hidden(l, extent_of(&e->input_layers.items[i]), 0);
        const hoist_status status = add_flip(l, &given, &l->inputs[i]);
        if (status == HOIST_UNSUPPORTED) {
            darwinn_lower_refuse(l->model, RUN_033, "the input layer '%.*s': %s",
                                 HOIST_STR_ARGS(e->input_layers.items[i].name), l->steps.why);
        }
        keep(l, status);
    }
}

// Layers ----------------------------------------------------------------------------------------

// The outcome of a layer: what did not fit is reported at its instructions.
static void conclude(darwinn_lower_lift *l, uint32_t index, hoist_status status)
{
    const dwn_recovered *layer = &l->model->recovery.layers[index];
    if (status == HOIST_UNSUPPORTED) {
        hoist_loc loc = l->steps.loc;
        loc.source = 0; // it is in the file at hand
        darwinn_lower_refuse_at(l->model, RUN_033, loc, "layer %" PRIu32 " (%s): %s", index,
                                dwn_layer_kind_name(layer->kind), l->steps.why);
    }
    keep(l, status);
}

// Whether tensors between layers can be read after the run.
static bool keeps(const darwinn_lower_lift *l)
{
    const hoist_lower_options *options = l->model->c->options;
    return options && options->layers;
}

// One layer. It writes an output of the model directly where no sign is flipped and tensors are not
// kept; else a tensor of its own, and a copy or flip to the output. The last layer carries the
// cycles of what is no layer.
static void lift(darwinn_lower_lift *l, uint32_t index)
{
    const dwn_recovered *layer = &l->model->recovery.layers[index];
    const bool is_output = layer->output_layer != DWN_NONE;
    l->steps.label =
        hoist_lower_format(l->steps.c, "%s/%" PRIu32, dwn_layer_kind_name(layer->kind), index);
    darwinn_lower_place(l, layer->word_count ? layer->words : NULL);
    if (!l->steps.label.data) {
        return;
    }
    const dwn_cycles *const cycles = &l->model->cycles;
    const bool is_last = index + 1 == l->model->recovery.count && darwinn_lower_is_made(l);
    const hoist_prog_work work =
        darwinn_lower_cycles(l->model, dwn_plus(cycles->layers[index], is_last ? cycles->rest : 0));
    hoist_builder_work(l->steps.c->b, &work);
    if (keeps(l)) {
        l->values[index] = darwinn_lower_kept(l, index);
        if (l->given) {
            l->given[index] = darwinn_lower_given(l, index);
        }
    } else if (is_output && !l->is_signed) {
        l->values[index] = l->outputs[layer->output_layer];
        l->values[index].zero = layer->output_zero;
    } else {
        l->values[index] = darwinn_lower_hidden(l, layer->output, layer->output_zero);
    }
    conclude(l, index, darwinn_lower_layer(l, layer, &l->values[index]));
    if (is_output && l->is_signed) {
        conclude(l, index, add_flip(l, &l->values[index], &l->outputs[layer->output_layer]));
    } else if (is_output && keeps(l)) {
        const hoist_quant_unary copy = {l->values[index], l->outputs[layer->output_layer]};
        conclude(l, index, hoist_quant_copy(&l->steps, &copy));
    }
}

// The function ----------------------------------------------------------------------------------

// `given` stays NULL unless each layer is run on inputs of the caller (layers_alone).
static bool init(darwinn_lower_lift *l, darwinn_lower_model *model)
{
    darwinn_lower_chip *chip = model->chip;
    const dwn_executable *e = model->main;
    *l =
        (darwinn_lower_lift){.model = model, .is_signed = dwn_is_signed_model(&model->recovery, e)};
    hoist_quant_init(&l->steps, chip->c, chip->memory);
    l->steps.requantization = model->requantization;
    l->inputs = hoist_lower_array(chip->c, (size_t)e->input_layers.count + 1, sizeof *l->inputs);
    l->outputs = hoist_lower_array(chip->c, (size_t)e->output_layers.count + 1, sizeof *l->outputs);
    l->values = hoist_lower_array(chip->c, (size_t)model->recovery.count + 1, sizeof *l->values);
    if (keeps(l) && chip->c->options->layers_alone) {
        l->given = hoist_lower_array(chip->c, (size_t)model->recovery.count + 1, sizeof *l->given);
    }
    return chip->c->status == HOIST_OK && l->inputs && l->outputs && l->values;
}

// Errors of one layer do not end the others, so that all are reported; the function is refused.
hoist_ref darwinn_lower_layers(darwinn_lower_model *model)
{
    darwinn_lower_lift l;
    if (!init(&l, model) || !check_borders(&l)) {
        return HOIST_NO_REF;
    }
    const hoist_ref function = begin(&l);
    if (function == HOIST_NO_REF) {
        return HOIST_NO_REF;
    }
    const hoist_prog_work none = darwinn_lower_cycles(model, 0);
    hoist_builder_work(model->c->b, &none);
    convert_inputs(&l);
    hoist_lower_expect(model->c, model->recovery.count);
    for (uint32_t i = 0; i < model->recovery.count && goes_on(&l); i++) {
        hoist_lower_count(model->c);
        lift(&l, i);
    }
    if (goes_on(&l)) {
        keep(&l, darwinn_lower_rest(&l));
    }
    hoist_builder_end_code(model->c->b);
    return goes_on(&l) && model->c->errors == model->errors ? function : HOIST_NO_REF;
}
