// Requests without a driver (model.h): the layers' function is called on the user's tensors,
// through a copy only where types differ or an output is a state. drive.c has those with a driver.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "lower/darwinn/model.h"

enum {
    MOST_CALLS = 65536,     // of the layers' function in a request
    MOST_TENSORS = 4194304, // of them all
};

typedef struct plain_run {
    darwinn_lower_model *model;
    hoist_quant_layers steps;
    hoist_prog_argument *arguments; // of the layers' function
    struct passed *tensors;         // of a call
} plain_run;

static void keep(plain_run *r, hoist_status status)
{
    if (status == HOIST_UNSUPPORTED) {
        darwinn_lower_refuse(r->model, RUN_033, "a tensor of the model: %s", r->steps.why);
    } else {
        hoist_lower_fail(r->model->c, status);
    }
}

static hoist_shape shape_of(const dwn_layer *layer)
{
    return (hoist_shape){.rank = 4, .dim = {1, layer->y_dim, layer->x_dim, layer->z_dim}};
}

// A tensor of the user and what the layers' function takes in its stead.
typedef struct passed {
    const dwn_layer *layer;
    hoist_lower_view user;  // [1, y, x, z]
    hoist_lower_view given; // the same, or unsigned numbers apart from it
    bool is_apart;
} passed;

// The tensor of one execution of a layer, and what the function gets for it. States are copied,
// because the function may read the input after it wrote the output.
static passed pass(plain_run *r, const dwn_layer *layer, const hoist_lower_view *user,
                   uint32_t execution)
{
    const hoist_shape shape = shape_of(layer);
    const hoist_shape all = {.rank = 2, .dim = {r->model->executions, hoist_shape_count(&shape)}};
    passed p = {.layer = layer};
    hoist_lower_view each;
    if (hoist_lower_view_reshape(user, &all, &each)) {
        const hoist_lower_view part =
            hoist_lower_view_part(&each, 0, (hoist_lower_range){execution, 1, 1});
        (void)hoist_lower_view_reshape(&part, &shape, &p.user);
    } else {
        p.user = *user;
        darwinn_lower_refuse(r->model, RUN_033, "the tensor of layer '%.*s' has another size",
                             HOIST_STR_ARGS(layer->name));
    }
    p.given = p.user;
    p.is_apart = user->dtype != HOIST_DTYPE_U8 || dwn_layer_is_state(layer, r->model->main);
    if (p.is_apart) {
        p.given = hoist_lower_view_dense(HOIST_NO_REF, HOIST_DTYPE_U8, &shape);
        p.given.of = darwinn_lower_memory(r->model, &p.given);
    }
    return p;
}

// Copies the numbers of one tensor to the other; between signed and unsigned by a factor of 1 with
// zero points 128 apart.
static void bring(plain_run *r, const hoist_lower_view *from, const hoist_lower_view *to)
{
    hoist_quant_unary layer = {*from, *to};
    layer.x.zero = from->dtype == HOIST_DTYPE_U8 ? 128 : 0;
    layer.y.zero = to->dtype == HOIST_DTYPE_U8 ? 128 : 0;
    keep(r, from->dtype == to->dtype ? hoist_quant_copy(&r->steps, &layer)
                                     : hoist_quant_requantize(&r->steps, &layer, 1));
}

static void call_layers(plain_run *r, const passed *tensors, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        r->arguments[i] = (hoist_prog_argument){
            .is_view = true, .view = hoist_lower_view_ref(r->steps.c->b, &tensors[i].given)};
    }
    const hoist_prog_target target = {
        .function = r->model->layers, .arguments = r->arguments, .argument_count = count};
    (void)hoist_builder_step(
        r->steps.c->b, &(hoist_prog_step){.kind = HOIST_STEP_CALL,
                                          .label = r->model->name,
                                          .as.call = {.unit = HOIST_NO_REF, .target = target}});
}

// Inputs, the call, outputs: states are written back after the call.
static void execute(plain_run *r, uint32_t execution, const hoist_lower_view *inputs,
                    const hoist_lower_view *outputs)
{
    const dwn_executable *e = r->model->main;
    const uint32_t input_count = e->input_layers.count;
    const uint32_t count = input_count + e->output_layers.count;
    passed *const tensors = r->tensors;
    for (uint32_t i = 0; i < input_count; i++) {
        tensors[i] = pass(r, &e->input_layers.items[i], &inputs[i], execution);
        if (tensors[i].is_apart) {
            bring(r, &tensors[i].user, &tensors[i].given);
        }
    }
    for (uint32_t i = input_count; i < count; i++) {
        tensors[i] =
            pass(r, &e->output_layers.items[i - input_count], &outputs[i - input_count], execution);
    }
    call_layers(r, tensors, count);
    for (uint32_t i = input_count; i < count; i++) {
        if (tensors[i].is_apart) {
            bring(r, &tensors[i].given, &tensors[i].user);
        }
    }
}

// Both bounds are needed: a file declares executions and layers, the caller elements.
static bool check_request(darwinn_lower_model *model, uint32_t elements, size_t layers)
{
    const uint64_t calls = (uint64_t)elements * model->executions;
    if (calls <= MOST_CALLS && calls * layers <= MOST_TENSORS) {
        return true;
    }
    return darwinn_lower_refuse(
        model, RUN_008,
        "%" PRIu32 " elements and %" PRIu32
        " executions of each, with %zu tensors, expected at most %d in all and %d "
        "tensors of them",
        elements, model->executions, layers, (int)MOST_CALLS, (int)MOST_TENSORS);
}

// Calls of the layers' function for all elements.
static void execute_all(plain_run *r, const darwinn_lower_request *request)
{
    const size_t inputs = r->model->main->input_layers.count;
    const size_t outputs = r->model->main->output_layers.count;
    for (uint32_t i = 0; i < request->elements; i++) {
        for (uint32_t k = 0; k < r->model->executions; k++) {
            if (r->model->c->status == HOIST_OK) {
                execute(r, k, request->inputs + i * inputs, request->outputs + i * outputs);
            }
        }
    }
}

void darwinn_lower_plain_run(darwinn_lower_model *model, const darwinn_lower_request *request)
{
    darwinn_lower_chip *chip = model->chip;
    const size_t layers =
        (size_t)model->main->input_layers.count + model->main->output_layers.count;
    plain_run r = {.model = model};
    if (!check_request(model, request->elements, layers)) {
        return;
    }
    hoist_quant_init(&r.steps, chip->c, chip->memory);
    r.steps.label = model->name;
    r.arguments = hoist_lower_array(chip->c, layers + 1, sizeof *r.arguments);
    r.tensors = hoist_lower_array(chip->c, layers + 1, sizeof *r.tensors);
    if (!r.arguments || !r.tensors) {
        return;
    }
    execute_all(&r, request);
}
