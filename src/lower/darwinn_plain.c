// Requests without a driver: the layers' function works on the user's tensors.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "lower/darwinn_lower.h"

enum {
    MOST_CALLS = 65536,     // of the layers' function in a request
    MOST_TENSORS = 4194304, // of them all
};

typedef struct plain_run {
    hoist_darwinn_model *model;
    hoist_quant_layers steps;
    hoist_prog_argument *arguments; // of the layers' function
    struct passed *tensors;         // of a call
} plain_run;

static void keep(plain_run *r, hoist_status status)
{
    hoist_darwinn_chip *chip = r->model->chip;
    if (status == HOIST_UNSUPPORTED) {
        hoist_darwinn_refuse(r->model, RUN_033, "a tensor of the model: %s", r->steps.why);
    } else if (status != HOIST_OK) {
        chip->status = status;
    }
}

static hoist_shape shape_of(const dwn_layer *layer)
{
    return (hoist_shape){.rank = 4, .dim = {1, layer->y_dim, layer->x_dim, layer->z_dim}};
}

// A tensor of the user and what the layers' function takes in its stead.
typedef struct passed {
    const dwn_layer *layer;
    hoist_quant_view user;  // [1, y, x, z]
    hoist_quant_view given; // the same, or unsigned numbers apart from it
    bool is_apart;
} passed;

// Of an execution of the layer.
static passed pass(plain_run *r, const dwn_layer *layer, const hoist_quant_view *user,
                   uint32_t execution)
{
    const hoist_shape shape = shape_of(layer);
    const hoist_shape all = {.rank = 2, .dim = {r->model->executions, hoist_shape_count(&shape)}};
    passed p = {.layer = layer};
    hoist_quant_view each;
    if (hoist_quant_reshape(user, &all, &each)) {
        const hoist_quant_view part =
            hoist_quant_part(&each, 0, (hoist_quant_range){execution, 1, 1});
        (void)hoist_quant_reshape(&part, &shape, &p.user);
    } else {
        p.user = *user;
        hoist_darwinn_refuse(r->model, RUN_033, "the tensor of layer '%.*s' has another size",
                             HOIST_STR_ARGS(layer->name));
    }
    p.given = p.user;
    p.is_apart = user->dtype != HOIST_DTYPE_U8 || dwn_layer_is_state(layer, r->model->main);
    if (p.is_apart) {
        p.given = hoist_quant_dense(HOIST_NO_REF, HOIST_DTYPE_U8, &shape);
        p.given.of = hoist_darwinn_memory(r->model, &p.given);
    }
    return p;
}

// Brings the numbers of one tensor to the other; those of signed types have their top bit flipped.
static void bring(plain_run *r, const hoist_quant_view *from, const hoist_quant_view *to)
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
            .is_view = true, .view = hoist_quant_ref(r->steps.b, &tensors[i].given)};
    }
    const hoist_prog_target target = {
        .function = r->model->layers, .arguments = r->arguments, .argument_count = count};
    (void)hoist_builder_step(
        r->steps.b, &(hoist_prog_step){.kind = HOIST_STEP_CALL,
                                       .label = r->model->name,
                                       .as.call = {.unit = HOIST_NO_REF, .target = target}});
}

static void execute(plain_run *r, uint32_t execution, const hoist_quant_view *inputs,
                    const hoist_quant_view *outputs)
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

static bool judge_request(hoist_darwinn_model *model, uint32_t elements, size_t layers)
{
    const uint64_t calls = (uint64_t)elements * model->executions;
    if (calls <= MOST_CALLS && calls * layers <= MOST_TENSORS) {
        return true;
    }
    hoist_darwinn_refuse(model, RUN_008,
                         "%" PRIu32 " elements and %" PRIu32
                         " executions of each, with %zu tensors, wanted at most %d in all and %d "
                         "tensors of them",
                         elements, model->executions, layers, (int)MOST_CALLS, (int)MOST_TENSORS);
    return false;
}

// Calls of the layers' function for all elements.
static void execute_all(plain_run *r, const hoist_darwinn_request *request)
{
    const size_t inputs = r->model->main->input_layers.count;
    const size_t outputs = r->model->main->output_layers.count;
    for (uint32_t i = 0; i < request->elements; i++) {
        for (uint32_t k = 0; k < r->model->executions; k++) {
            if (r->model->chip->status == HOIST_OK) {
                execute(r, k, request->inputs + i * inputs, request->outputs + i * outputs);
            }
        }
    }
}

void hoist_darwinn_plain_run(hoist_darwinn_model *model, const hoist_darwinn_request *request)
{
    hoist_darwinn_chip *chip = model->chip;
    const size_t layers =
        (size_t)model->main->input_layers.count + model->main->output_layers.count;
    plain_run r = {.model = model};
    if (!judge_request(model, request->elements, layers)) {
        return;
    }
    hoist_darwinn_begin_steps(chip, chip->memory, &r.steps);
    r.steps.label = model->name;
    r.arguments = hoist_arena_array(chip->arena, layers + 1, sizeof *r.arguments);
    r.tensors = hoist_arena_array(chip->arena, layers + 1, sizeof *r.tensors);
    if (!r.arguments || !r.tensors) {
        chip->status = HOIST_NO_MEMORY;
        return;
    }
    execute_all(&r, request);
    hoist_darwinn_end_steps(chip, &r.steps);
}
