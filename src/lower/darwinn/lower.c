// Packages that are files of their own as programs. In: the module of a file. Out: ports for its
// layers, and requests that a function or the driver's thread makes (model.h). models.c has the
// order of several files.
#include "lower/darwinn/lower.h"

#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "lower/darwinn/models.h"

typedef struct package_job {
    darwinn_lower_models *m;
    darwinn_lower_model model;
    hoist_lower_view *inputs; // arena; of the request
    hoist_lower_view *outputs;
    uint32_t elements;
    hoist_ref function; // that makes the request; HOIST_NO_REF: the thread does
} package_job;

// Names -----------------------------------------------------------------------------------------

// The layer's name; where another one has it, "output/3" of layer 3, or that and a number.
static hoist_str name_of(package_job *j, const dwn_layer *layer, const char *what, uint32_t index)
{
    return darwinn_lower_models_name(j->m, layer->name,
                                     hoist_lower_format(&j->m->c, "%s/%" PRIu32, what, index));
}

// Ports -----------------------------------------------------------------------------------------

// The shape of a layer's port, with elements of the batch and executions in the first dimension;
// false: it is beyond DARWINN_LOWER_MAX_BYTES, or has no order of dimensions.
static bool shape_of(const package_job *j, const dwn_layer *layer, const dwn_type_row *type,
                     hoist_shape *out_shape)
{
    int64_t dims[HOIST_MAX_RANK] = {1, layer->y_dim, layer->x_dim, layer->z_dim};
    size_t rank = 4;
    int64_t bytes = 0;
    if (layer->shape) {
        rank = dwn_shape_rank(layer->shape);
        for (size_t i = 0; i < rank && i < HOIST_MAX_RANK; i++) {
            const dwn_range range = dwn_shape_range(layer->shape, i);
            dims[i] = (int64_t)range.end - range.start + 1;
        }
    }
    if (rank < 1 || rank > HOIST_MAX_RANK || darwinn_lower_elements(layer) < 1 ||
        hoist_ckd_mul_i64(&bytes, darwinn_lower_elements(layer), j->elements) ||
        hoist_ckd_mul_i64(&bytes, bytes, type->size) || bytes > DARWINN_LOWER_MAX_BYTES) {
        return false;
    }
    dims[0] *= (int64_t)j->elements * layer->execution_count_per_inference;
    return hoist_shape_init(dims, rank, out_shape) == HOIST_OK;
}

// Inputs are filled by the caller, but for those that are the state of an output: these begin as
// zeros, and the request writes them.
static hoist_ref add_port(package_job *j, const dwn_layer *layer, hoist_str name,
                          const hoist_lower_view *view, bool is_output)
{
    const dwn_executable *e = j->model.main;
    bool is_state = false; // of an input: it is not given by the user
    for (uint32_t i = 0; i < e->output_layers.count && !is_output; i++) {
        const hoist_str input = dwn_layer_state_of(&e->output_layers.items[i]);
        is_state = is_state || (input.data && hoist_str_equal(input, layer->name));
    }
    const hoist_contents contents = is_output  ? HOIST_CONTENTS_UNDEFINED
                                    : is_state ? HOIST_CONTENTS_ZERO
                                               : HOIST_CONTENTS_CALLER;
    hoist_loc loc = DWN_FIELD_PLACE(
        j->model.module, j->model.contents->images[j->model.roles.main].bytes, layer, layer, name);
    loc.source = j->m->source;
    const int64_t bytes = hoist_shape_count(&view->shape) * hoist_dtype_get(view->dtype)->bits / 8;
    return hoist_builder_buffer(
        j->m->c.b, &(hoist_prog_buffer){.name = name,
                                        .loc = loc,
                                        .space = j->m->host,
                                        .size = (uint64_t)bytes,
                                        .alignment = 1,
                                        .window_of = HOIST_NO_REF,
                                        .contents = contents,
                                        .lifetime = HOIST_LIFETIME_SESSION,
                                        .output = is_output,
                                        .typed = true,
                                        .dtype = view->dtype,
                                        .layout = hoist_lower_view_layout(j->m->c.b, view)});
}

// Makes the port of a layer, and a view of each element of the batch: element e at out_views[e *
// step]. False: reported.
static bool make_port(package_job *j, const dwn_layer *layer, uint32_t index, bool is_output,
                      hoist_lower_view *out_views, uint32_t step)
{
    const dwn_type_row *type = dwn_type_of(layer->data_type);
    const char *what = is_output ? "output" : "input";
    hoist_shape shape;
    if (!type || !shape_of(j, layer, type, &shape)) {
        return darwinn_lower_refuse(&j->model, RUN_033,
                                    "the %s layer '%.*s' is of no type or size that can be held",
                                    what, HOIST_STR_ARGS(layer->name));
    }
    const hoist_str name = name_of(j, layer, what, index);
    if (!name.data) {
        return false;
    }
    hoist_lower_view all = hoist_lower_view_dense(HOIST_NO_REF, type->dtype, &shape);
    all.of = add_port(j, layer, name, &all, is_output);
    const hoist_shape each = {.rank = 2, .dim = {j->elements, darwinn_lower_elements(layer)}};
    (void)hoist_lower_view_reshape(&all, &each, &all);
    for (uint32_t e = 0; e < j->elements; e++) {
        out_views[(size_t)e * step] = hoist_lower_view_part(&all, 0, (hoist_lower_range){e, 1, 1});
    }
    return true;
}

// The tensors of a request. Outputs that are states have the tensor of their input, so that the
// next run goes on from them.
static bool make_ports(package_job *j)
{
    hoist_lower_view *inputs = j->inputs;
    hoist_lower_view *outputs = j->outputs;
    const dwn_executable *e = j->model.main;
    const uint32_t input_count = e->input_layers.count;
    const uint32_t output_count = e->output_layers.count;
    for (uint32_t i = 0; i < input_count; i++) {
        if (!make_port(j, &e->input_layers.items[i], i, false, inputs + i, input_count)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < output_count; i++) {
        const dwn_layer *layer = &e->output_layers.items[i];
        if (!dwn_layer_is_state(layer, e)) {
            if (!make_port(j, layer, i, true, outputs + i, output_count)) {
                return false;
            }
            continue;
        }
        const size_t input =
            (size_t)(dwn_layer_find(e->input_layers.items, input_count, dwn_layer_state_of(layer)) -
                     e->input_layers.items);
        for (uint32_t k = 0; k < j->elements; k++) {
            outputs[(size_t)k * output_count + i] = inputs[(size_t)k * input_count + input];
        }
    }
    return true;
}

// Requests --------------------------------------------------------------------------------------

static void add_request(package_job *j)
{
    darwinn_lower_run(&j->model, &(darwinn_lower_request){j->inputs, j->outputs, j->elements});
}

// The function that makes the request where there is no driver.
static void add_function(package_job *j)
{
    darwinn_lower_models *m = j->m;
    const hoist_str name = hoist_lower_name(&m->c, m->prefix, "request");
    if (!name.data) {
        return;
    }
    j->function = hoist_builder_begin_function(m->c.b, &(hoist_prog_function){.name = name});
    add_request(j);
    hoist_builder_end_code(m->c.b);
}

// Views of all elements, then the ports they are of.
static bool make_views(package_job *j)
{
    const dwn_executable *e = j->model.main;
    const size_t elements = j->elements;
    j->inputs =
        hoist_lower_array(&j->m->c, elements * e->input_layers.count + 1, sizeof *j->inputs);
    j->outputs =
        hoist_lower_array(&j->m->c, elements * e->output_layers.count + 1, sizeof *j->outputs);
    if (!j->inputs || !j->outputs) {
        return false;
    }
    return make_ports(j);
}

// NULL: the package cannot be run, which was reported, or memory has run out.
static void *prepare(darwinn_lower_models *m)
{
    package_job *j = hoist_lower_array(&m->c, 1, sizeof *j);
    const hoist_str name = hoist_lower_name(&m->c, m->prefix, "edgetpu");
    if (!j || !name.data) {
        return NULL;
    }
    *j = (package_job){.m = m, .elements = darwinn_lower_models_batch(m), .function = HOIST_NO_REF};
    m->chip.source = m->source;
    if (!darwinn_lower_prepare(&m->chip, dwn_of(m->file->module), name, &j->model) ||
        !make_views(j)) {
        return NULL;
    }
    if (!j->model.drive) {
        add_function(j);
    }
    return j;
}

static void run(darwinn_lower_models *m, void *prepared)
{
    package_job *j = prepared;
    if (j->function == HOIST_NO_REF) {
        add_request(j);
    } else {
        darwinn_lower_models_call(m, j->function, j->model.name, NULL);
    }
}

hoist_status darwinn_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                           const hoist_lower_options *options, hoist_diag *diag,
                           hoist_program **out_program)
{
    static const darwinn_lower_models_kind kind = {"darwinn", "host", prepare, run};
    (void)check; // nothing in them is about packages
    return darwinn_lower_models_lower(&kind, files, count, options, diag, out_program);
}
