// What `hoist graph` draws of a model: a node for each operator and each tensor at the border,
// edges from the operators that make a tensor to those that read it, and the memory of constants
// and tensors. report draws it (base/picture.h).
#include "base/checked.h"
#include "base/picture.h"
#include "base/span.h"
#include "formats/tflite/cost.h"
#include "formats/tflite/tflite.h"

typedef struct graph_sender {
    const tflite_module *module;
    const tflite_subgraph *graph;
    uint32_t number; // of the subgraph
    hoist_picture *picture;
    size_t *makers; // arena; per tensor: the operator that makes it
    size_t *places; // arena; per tensor: its node, where it has one
} graph_sender;

// No node: a tensor that is neither of the border nor a state.
static const size_t NONE = HOIST_PICTURE_NONE;

// The index of item `i` of a list; NONE: it is none of the subgraph's tensors.
static size_t tensor_index(const graph_sender *s, hoist_bytes list, uint32_t i)
{
    const tflite_tensor *const tensor = tflite_tensor_at(s->graph, list, i);
    return tensor ? (size_t)(tensor - s->graph->tensors.items) : NONE;
}

// Attributes --------------------------------------------------------------------------------------

// Null where the tensor is missing or its rank is unknown.
static void send_shape(hoist_picture *p, const tflite_tensor *tensor)
{
    const uint32_t rank = tensor ? tflite_count(tensor->shape) : 0;
    int64_t *const shape = hoist_arena_array(&p->arena, rank, sizeof(*shape));
    const bool has_shape = shape && tensor && tensor->shape.data;
    p->failed = p->failed || !shape;
    for (uint32_t i = 0; has_shape && i < rank; i++) {
        shape[i] = hoist_fb_i32(tensor->shape, i);
    }
    hoist_picture_list(p, "shape", has_shape ? shape : NULL, rank, HOIST_PICTURE_COLUMN);
}

// The object path of an item, as findings have it: "subgraphs/0/operators/3".
static hoist_str object_name(graph_sender *s, const char *list, size_t item)
{
    const hoist_str object =
        hoist_arena_format(&s->picture->arena, "subgraphs/%u/%s/%zu", s->number, list, item);
    s->picture->failed = s->picture->failed || !object.data;
    return object;
}

// Type and shape of a tensor, and the bytes that it takes; NULL: there is none.
static void send_tensor(hoist_picture *p, const tflite_tensor *tensor)
{
    const tflite_type_row *const row = tensor ? tflite_type_get(tensor->type) : NULL;
    uint64_t bytes = 0;
    hoist_picture_str(p, "type", row ? hoist_str_from(row->name) : (hoist_str){NULL, 0},
                      HOIST_PICTURE_EXTRA);
    send_shape(p, tensor);
    if (tensor && tflite_bytes(tensor, &bytes)) {
        hoist_picture_bytes(p, "size_bytes", bytes, HOIST_PICTURE_EXTRA);
    } else {
        hoist_picture_null(p, "size_bytes", HOIST_PICTURE_EXTRA);
    }
}

// The node's index is the operator's: operators are added first, and edges rely on it.
static void send_operator(graph_sender *s, const tflite_operator *op)
{
    const tflite_model *const model = s->module->model;
    hoist_picture *const p = s->picture;
    const tflite_operator_code *const code = tflite_code_of(model, op);
    char number[32];
    uint64_t macs = 0;
    const hoist_str name = hoist_arena_str(&p->arena, tflite_code_name(code, number));
    const tflite_tensor *const made = tflite_tensor_in(s->graph, op->outputs, 0);
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OPERATOR,
        .name = name,
        .path = made ? made->name : HOIST_STR(""),
        .object = object_name(s, "operators", (size_t)(op - s->graph->operators.items))};
    p->failed = p->failed || !name.data;
    (void)hoist_picture_add_node(p, &node);
    hoist_picture_str(p, "runs_on",
                      tflite_is_edgetpu(code) ? HOIST_STR("edgetpu") : HOIST_STR("cpu"),
                      HOIST_PICTURE_EXTRA);
    send_tensor(p, made);
    hoist_picture_bytes(p, "parameter_bytes", tflite_parameter_bytes(s->module, s->graph, op),
                        HOIST_PICTURE_COLUMN);
    if (tflite_macs(model, s->graph, op, &macs)) {
        hoist_picture_uint(p, "multiply_accumulates", macs, HOIST_PICTURE_HIDDEN);
    } else {
        hoist_picture_null(p, "multiply_accumulates", HOIST_PICTURE_HIDDEN);
    }
}

// Nodes -------------------------------------------------------------------------------------------

// Adds a node of a tensor; `usage` is "input", "output", "variable" or "unknown".
static void send_place(graph_sender *s, size_t tensor, const char *usage)
{
    const tflite_tensor *const t = &s->graph->tensors.items[tensor];
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_TENSOR, .name = t->name, .object = object_name(s, "tensors", tensor)};
    s->places[tensor] = hoist_picture_add_node(s->picture, &node);
    hoist_picture_str(s->picture, "usage", hoist_str_from(usage), HOIST_PICTURE_HIDDEN);
    send_tensor(s->picture, t);
}

// A tensor that is input and output at once has one node, an input.
static void send_border(graph_sender *s, hoist_bytes list, const char *usage)
{
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const size_t tensor = tensor_index(s, list, i);
        if (tensor != NONE && s->places[tensor] == NONE) {
            send_place(s, tensor, usage);
        }
    }
}

// Data in another file are constants that hoist does not see.
static bool is_constant(const graph_sender *s, const tflite_tensor *tensor)
{
    return tensor->external_buffer || tflite_buffer_data(s->module, tensor->buffer).size > 0;
}

// Tensors that operators read and none makes: variables, which keep their values between runs.
static void send_states(graph_sender *s, hoist_bytes list)
{
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const size_t tensor = tensor_index(s, list, i);
        if (tensor != NONE && s->makers[tensor] == NONE && s->places[tensor] == NONE &&
            !is_constant(s, &s->graph->tensors.items[tensor])) {
            send_place(s, tensor,
                       s->graph->tensors.items[tensor].is_variable ? "variable" : "unknown");
        }
    }
}

// Operators, border, states: the order of rows in the text.
static void send_nodes(graph_sender *s)
{
    for (uint32_t i = 0; i < s->graph->operators.count; i++) {
        send_operator(s, &s->graph->operators.items[i]);
    }
    send_border(s, s->graph->inputs, "input");
    send_border(s, s->graph->outputs, "output");
    for (uint32_t i = 0; i < s->graph->operators.count; i++) {
        send_states(s, s->graph->operators.items[i].inputs);
    }
}

// Edges -------------------------------------------------------------------------------------------

// From the operator that makes an input, or the tensor's node; constants have neither, and no edge.
// The number of an edge is the operand's.
static void send_edges(graph_sender *s, uint32_t number)
{
    const tflite_operator *const op = &s->graph->operators.items[number];
    for (uint32_t i = 0; i < tflite_count(op->inputs); i++) {
        const size_t tensor = tensor_index(s, op->inputs, i);
        const bool is_made = tensor != NONE && s->makers[tensor] != NONE;
        const size_t from = is_made ? s->makers[tensor] : tensor != NONE ? s->places[tensor] : NONE;
        const hoist_picture_edge edge = {
            .kind = HOIST_PICTURE_READS, .from = from, .to = number, .number = i};
        if (from != NONE) {
            hoist_picture_add_edge(s->picture, &edge);
        }
    }
    for (uint32_t i = 0; i < tflite_count(op->outputs); i++) {
        const size_t tensor = tensor_index(s, op->outputs, i);
        if (tensor != NONE && s->places[tensor] != NONE) {
            hoist_picture_connect(s->picture, HOIST_PICTURE_WRITES, number, s->places[tensor]);
        }
    }
}

// Of tensors that several operators write (TFL-019) the last is the maker.
static hoist_status find_makers(graph_sender *s)
{
    const tflite_subgraph *const graph = s->graph;
    hoist_arena *const arena = &s->picture->arena;
    s->makers = hoist_arena_array(arena, graph->tensors.count, sizeof(*s->makers));
    s->places = hoist_arena_array(arena, graph->tensors.count, sizeof(*s->places));
    if (!s->makers || !s->places) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->tensors.count; i++) {
        s->makers[i] = NONE;
        s->places[i] = NONE;
    }
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        const hoist_bytes outputs = graph->operators.items[i].outputs;
        for (uint32_t k = 0; k < tflite_count(outputs); k++) {
            const size_t tensor = tensor_index(s, outputs, k);
            if (tensor != NONE) {
                s->makers[tensor] = i;
            }
        }
    }
    return HOIST_OK;
}

// One graph per subgraph; unnamed ones are named by their index.
static hoist_status send_graph(graph_sender *s, uint32_t index)
{
    hoist_picture *const p = s->picture;
    const hoist_str name =
        s->graph->name.size ? s->graph->name : hoist_arena_format(&p->arena, "%u", index);
    const hoist_picture_graph graph = {.title = "subgraph", .name = name, .is_list = true};
    uint64_t compiled = 0;
    p->failed = p->failed || !name.data;
    for (uint32_t i = 0; i < s->graph->operators.count; i++) {
        compiled +=
            tflite_is_edgetpu(tflite_code_of(s->module->model, &s->graph->operators.items[i]));
    }
    HOIST_TRY(find_makers(s));
    hoist_picture_begin_graph(p, &graph);
    hoist_picture_uint(p, "operator_count", s->graph->operators.count, HOIST_PICTURE_COUNT);
    hoist_picture_uint(p, "edgetpu_operator_count", compiled, HOIST_PICTURE_SOME);
    send_nodes(s);
    for (uint32_t i = 0; i < s->graph->operators.count; i++) {
        send_edges(s, i);
    }
    HOIST_TRY(hoist_picture_status(p));
    hoist_picture_end_graph(p);
    return hoist_picture_status(p);
}

// Memory ------------------------------------------------------------------------------------------

static void add(uint64_t *sum, uint64_t bytes) // saturates
{
    *sum = hoist_ckd_add(sum, *sum, bytes) ? UINT64_MAX : *sum;
}

// Tensors that are no constants, as if none shared memory with another, and compiled operators.
static void add_up(const graph_sender *s, const tflite_subgraph *graph, uint64_t *tensors,
                   uint64_t *packages)
{
    const tflite_model *const model = s->module->model;
    for (uint32_t i = 0; i < graph->tensors.count; i++) {
        uint64_t bytes = 0;
        if (!is_constant(s, &graph->tensors.items[i]) &&
            tflite_bytes(&graph->tensors.items[i], &bytes)) {
            add(tensors, bytes);
        }
    }
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        const tflite_operator *const op = &graph->operators.items[i];
        if (tflite_is_edgetpu(tflite_code_of(model, op))) {
            add(packages, tflite_custom_options(s->module, op).size);
        }
    }
}

// One memory, the host's, at the last graph: its areas are sums over all subgraphs.
static hoist_status send_memory(graph_sender *s)
{
    enum { PARAMETERS, PACKAGES, TENSORS, USES };
    const tflite_model *const model = s->module->model;
    hoist_picture_use *const uses = hoist_arena_array(&s->picture->arena, USES, sizeof(*uses));
    if (!uses) {
        return HOIST_NO_MEMORY;
    }
    uses[PARAMETERS] = (hoist_picture_use){"parameter_bytes", "parameters", 0};
    uses[PACKAGES] = (hoist_picture_use){"package_bytes", "packages", 0};
    uses[TENSORS] = (hoist_picture_use){"tensor_bytes", "tensors", 0};
    HOIST_TRY(tflite_constant_bytes(s->module, &uses[PARAMETERS].bytes));
    for (uint32_t i = 0; i < model->subgraphs.count; i++) {
        add_up(s, &model->subgraphs.items[i], &uses[TENSORS].bytes, &uses[PACKAGES].bytes);
    }
    const hoist_picture_memory memory = {.name = "host",
                                         .graph =
                                             s->picture->graphs[s->picture->graph_count - 1].name,
                                         .graph_index = s->picture->graph_count - 1,
                                         .uses = uses,
                                         .use_count = USES};
    hoist_picture_add_memory(s->picture, &memory);
    return hoist_picture_status(s->picture);
}

// A model without subgraphs (TFL-003) has no picture.
hoist_status tflite_picture(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_picture *picture)
{
    (void)options;
    (void)diag;
    graph_sender s = {.module = tflite_of(module), .picture = picture};
    const tflite_model *const model = s.module->model;
    for (uint32_t i = 0; i < model->subgraphs.count; i++) {
        s.graph = &model->subgraphs.items[i];
        s.number = i;
        HOIST_TRY(send_graph(&s, i));
    }
    return model->subgraphs.count ? send_memory(&s) : HOIST_OK;
}
