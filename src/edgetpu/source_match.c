// Which recovered layer each operator of the source became.
//
// Operators are taken in the order of the graph, in rounds: first by their weights, then by what
// they read and the shape of what they have, then by less. A layer that differs in one constant is
// found by all the others.
#include <string.h>

#include "base/assert.h"
#include "base/map.h"
#include "base/span.h"
#include "edgetpu/source.h"

// Layers that are compared with an operator, from the first free one on. The bound keeps damaged
// files, which may have very many of both, from quadratic time.
enum { LOOK_AHEAD = 4096 };

// The graph --------------------------------------------------------------------------------------

// Numbers that are all DWN_NONE; NULL: out of memory.
static uint32_t *new_numbers(hoist_arena *arena, uint32_t count)
{
    uint32_t *numbers = hoist_arena_array(arena, count, sizeof(*numbers));
    for (uint32_t i = 0; numbers && i < count; i++) {
        numbers[i] = DWN_NONE;
    }
    return numbers;
}

// `counts` distinguishes no, one and several readers; with several there is no sole reader.
static void note_readers(hoist_edgetpu_source_pair *s, uint32_t index, hoist_bytes list,
                         uint8_t *counts)
{
    const bool only_moves =
        index != DWN_NONE && hoist_edgetpu_source_moves_channels(s, s->operators[index].op);
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const tflite_tensor *tensor = tflite_tensor_at(s->graph, list, i);
        if (tensor) {
            const uint32_t number = hoist_edgetpu_source_number(s, tensor);
            counts[number] = counts[number] == 0 ? 1 : 2;
            s->readers[number] = counts[number] == 1 ? index : DWN_NONE;
            s->is_computed_with[number] = s->is_computed_with[number] || !only_moves;
        }
    }
}

// The operand of an operator that passes it through where it has no layer; DWN_NONE: the operator
// computes something. A SPLIT into one part passes input 1.
static uint32_t passed_input(const hoist_edgetpu_source_pair *s, const tflite_operator *op)
{
    static const int32_t codes[] = {TFLITE_OP_QUANTIZE, TFLITE_OP_RESHAPE, TFLITE_OP_SQUEEZE,
                                    TFLITE_OP_EXPAND_DIMS};
    const int32_t code = hoist_edgetpu_source_code(s->module, op);
    for (size_t i = 0; i < HOIST_COUNT_OF(codes); i++) {
        if (codes[i] == code) {
            return 0;
        }
    }
    return code == TFLITE_OP_SPLIT && tflite_count(op->outputs) == 1 ? 1 : DWN_NONE;
}

// One step back: the tensor whose values this one has; itself where no operator passes it through,
// or where it is a layer's output; DWN_NONE: it is not known.
static uint32_t passed_from(const hoist_edgetpu_source_pair *s, uint32_t number)
{
    HOIST_ASSERT(number < s->graph->tensors.count);
    const uint32_t writer = s->writers[number];
    if (writer == DWN_NONE || s->makers[number] != DWN_NONE) {
        return number;
    }
    const tflite_operator *op = s->operators[writer].op;
    const uint32_t input = passed_input(s, op);
    if (input == DWN_NONE) {
        return hoist_edgetpu_source_whole(s, number);
    }
    const tflite_tensor *from = hoist_edgetpu_source_tensor(s, op->inputs, input);
    return from ? hoist_edgetpu_source_number(s, from) : DWN_NONE;
}

enum { ORIGIN_OPEN = 0x7fffffff, ORIGIN_BUSY = 0x7ffffffe }; // no tensor has such a number

// Walks back from a tensor and notes the origin of all on the way, in two passes without recursion.
// BUSY marks those of this walk: to meet one again is a cycle, whose origin is DWN_NONE.
static void find_origin(hoist_edgetpu_source_pair *s, uint32_t number)
{
    HOIST_ASSERT(number < s->graph->tensors.count);
    uint32_t at = number;
    uint32_t from = number;
    while (at != DWN_NONE && s->origins[at] == ORIGIN_OPEN) {
        from = passed_from(s, at);
        s->origins[at] = from == at ? at : ORIGIN_BUSY;
        at = from;
    }
    const uint32_t origin =
        at == DWN_NONE || s->origins[at] == ORIGIN_BUSY ? DWN_NONE : s->origins[at];
    for (at = number; at != DWN_NONE && s->origins[at] == ORIGIN_BUSY;) {
        from = passed_from(s, at);
        s->origins[at] = origin;
        at = from;
    }
}

// All origins at once: matching asks for them once per candidate, and chains may be long.
static void find_origins(hoist_edgetpu_source_pair *s)
{
    const uint32_t count = s->graph->tensors.count;
    for (uint32_t i = 0; i < count; i++) {
        s->origins[i] = ORIGIN_OPEN;
    }
    for (uint32_t i = 0; i < count; i++) {
        find_origin(s, i);
    }
}

// A tensor that nothing writes is an input of the model (or a constant, which layers do not read).
uint32_t hoist_edgetpu_source_maker(const hoist_edgetpu_source_pair *s, const tflite_tensor *tensor)
{
    const uint32_t origin = tensor ? s->origins[hoist_edgetpu_source_number(s, tensor)] : DWN_NONE;
    if (origin == DWN_NONE) {
        return DWN_NONE;
    }
    return s->writers[origin] == DWN_NONE ? DWN_MODEL_INPUT : s->makers[origin];
}

// Makes the tables of operators and tensors. An output of the graph counts as a reader, so that a
// RELU after it is not fused.
static hoist_status list_operators(hoist_edgetpu_source_pair *s)
{
    const uint32_t tensors = s->graph->tensors.count;
    s->operator_count = s->graph->operators.count;
    s->operators = hoist_arena_array(s->arena, s->operator_count, sizeof(*s->operators));
    s->writers = new_numbers(s->arena, tensors);
    s->readers = new_numbers(s->arena, tensors);
    s->makers = new_numbers(s->arena, tensors);
    s->origins = new_numbers(s->arena, tensors);
    s->owners = new_numbers(s->arena, s->layer_count);
    s->is_computed_with = hoist_arena_array(s->arena, tensors, sizeof(*s->is_computed_with));
    uint8_t *counts = hoist_arena_alloc(s->arena, tensors);
    if (!s->operators || !s->writers || !s->readers || !s->makers || !s->origins || !s->owners ||
        !s->is_computed_with || !counts) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < s->operator_count; i++) {
        const tflite_operator *op = &s->graph->operators.items[i];
        s->operators[i].op = op;
        for (uint32_t k = 0; k < tflite_count(op->outputs); k++) {
            const tflite_tensor *tensor = tflite_tensor_at(s->graph, op->outputs, k);
            if (tensor) {
                s->writers[hoist_edgetpu_source_number(s, tensor)] = i;
            }
        }
    }
    for (uint32_t i = 0; i < s->operator_count; i++) {
        note_readers(s, i, s->operators[i].op->inputs, counts);
    }
    note_readers(s, DWN_NONE, s->graph->outputs, counts);
    find_origins(s);
    return HOIST_OK;
}

// Checking ----------------------------------------------------------------------------------------

// Evidence for a layer: bits that a round requires.
typedef enum evidence {
    SAME_WEIGHTS = 1, // byte for byte
    SAME_INPUTS = 2,  // the same producers, in either order of a pair
    SAME_SHAPE = 4,
} evidence;

// Equal bytes of weights are the strongest evidence: trained layers hardly ever share them.
static bool has_weights(const hoist_edgetpu_expected *e, const dwn_recovered *layer)
{
    return e->layer.weights && layer->weights && e->layer.weight_count == layer->weight_count &&
           e->layer.rows == layer->rows &&
           memcmp(e->layer.weights, layer->weights, (size_t)layer->weight_count) == 0;
}

static uint64_t elements_of(dwn_extent extent)
{
    return (uint64_t)extent.h * extent.w * extent.c;
}

// Of products sizes and kernel, of others the number of elements: recovery may have shaped a flat
// output in another way.
static bool has_shape(const hoist_edgetpu_expected *e, const dwn_recovered *layer)
{
    if (e->layer.weights || layer->weights) {
        return e->layer.rows == layer->rows && e->layer.weight_count == layer->weight_count &&
               memcmp(e->layer.kernel, layer->kernel, sizeof(layer->kernel)) == 0;
    }
    return elements_of(e->layer.output) == elements_of(layer->output);
}

// `from` as dwn_recovered.inputs; inputs of the model are not told apart.
static bool reads(const hoist_edgetpu_source_pair *s, uint32_t from, const tflite_tensor *tensor)
{
    const uint32_t maker = hoist_edgetpu_source_maker(s, tensor);
    return maker != DWN_NONE && (from == maker || (from & maker & DWN_MODEL_INPUT));
}

const tflite_tensor *hoist_edgetpu_source_input(const hoist_edgetpu_source_pair *s,
                                                const hoist_edgetpu_source_operator *op,
                                                uint32_t index)
{
    const hoist_edgetpu_expected *e = &op->expected;
    if (e->layer.kind == DWN_KIND_CONCATENATION) {
        return hoist_edgetpu_source_tensor(s, op->op->inputs, index);
    }
    return index < HOIST_COUNT_OF(e->inputs) ? e->inputs[index] : NULL;
}

bool hoist_edgetpu_source_joins_alike(const hoist_edgetpu_source_pair *s,
                                      const hoist_edgetpu_source_operator *op,
                                      const dwn_recovered *layer)
{
    return layer->kind == DWN_KIND_CONCATENATION && !layer->is_in_rows &&
           hoist_edgetpu_source_moves_channels(s, op->op) && op->expected.output &&
           hoist_edgetpu_source_is_route(s, hoist_edgetpu_source_number(s, op->expected.output),
                                         layer);
}

// Every input of the layer comes from where the operator's comes, and the operator has no more.
static bool reads_all(const hoist_edgetpu_source_pair *s, const hoist_edgetpu_source_operator *op,
                      const dwn_recovered *layer)
{
    uint32_t count = 0;
    if (hoist_edgetpu_source_joins_alike(s, op, layer)) {
        return true;
    }
    while (count < layer->input_count && hoist_edgetpu_source_input(s, op, count) &&
           reads(s, hoist_edgetpu_source_from(s, op, layer, count),
                 hoist_edgetpu_source_input(s, op, count))) {
        count++;
    }
    return count == layer->input_count && !hoist_edgetpu_source_input(s, op, count);
}

// Additions and products commute, so the compiler may exchange their operands.
static bool has_inputs(const hoist_edgetpu_source_pair *s, const hoist_edgetpu_source_operator *op,
                       const dwn_recovered *layer, bool *out_is_exchanged)
{
    const hoist_edgetpu_expected *e = &op->expected;
    // Concatenations keep their order: only a pair has a second input here.
    const bool is_pair = e->inputs[1] && layer->input_count == 2;
    *out_is_exchanged = false;
    if (reads_all(s, op, layer)) {
        return true;
    }
    *out_is_exchanged = is_pair && reads(s, layer->inputs[0], e->inputs[1]) &&
                        reads(s, layer->inputs[1], e->inputs[0]);
    return *out_is_exchanged;
}

// Matching ---------------------------------------------------------------------------------------

// An operator that became part of another one's layer; DWN_NONE: there is none.
static void fuse(hoist_edgetpu_source_pair *s, uint32_t index, hoist_edgetpu_source_state state,
                 uint32_t layer)
{
    HOIST_ASSERT(index == DWN_NONE || index < s->operator_count);
    if (index != DWN_NONE) {
        s->operators[index].state = state;
        s->operators[index].layer = layer;
    }
}

// Notes the layer that makes a tensor. A tensor that was passed through before has another origin
// now, and so have those after it.
void hoist_edgetpu_source_own(hoist_edgetpu_source_pair *s, const tflite_tensor *tensor,
                              uint32_t layer)
{
    const uint32_t number = hoist_edgetpu_source_number(s, tensor);
    s->makers[number] = layer;
    if (s->origins[number] != number) {
        find_origins(s);
    }
}

// Everything that follows from a match; the order is free, but all of it has to be noted before the
// next find().
static void take(hoist_edgetpu_source_pair *s, uint32_t index, uint32_t layer, bool is_exchanged)
{
    HOIST_ASSERT(index < s->operator_count && layer < s->layer_count &&
                 s->owners[layer] == DWN_NONE);
    hoist_edgetpu_source_operator *op = &s->operators[index];
    op->state = HOIST_EDGETPU_SOURCE_LAYER;
    op->layer = layer;
    op->is_exchanged = is_exchanged;
    s->owners[layer] = index;
    hoist_edgetpu_source_own(s, hoist_edgetpu_source_tensor(s, op->op->outputs, 0), layer);
    hoist_edgetpu_source_own(s, op->expected.output, layer);
    hoist_edgetpu_source_own_scalings(s, index);
    fuse(s, op->expected.pad, HOIST_EDGETPU_SOURCE_PADDING, layer);
    fuse(s, op->expected.clamp, HOIST_EDGETPU_SOURCE_CLAMP, layer);
    // Layers are mostly matched in order, so that the search window moves with them.
    while (s->first_free < s->layer_count && s->owners[s->first_free] != DWN_NONE) {
        s->first_free++;
    }
}

// Matches an operator with the first free layer of its kind for which all of `expected` speaks;
// false: there is none in the window.
static bool find(hoist_edgetpu_source_pair *s, uint32_t index, uint32_t expected)
{
    HOIST_ASSERT(index < s->operator_count && s->first_free <= s->layer_count);
    const hoist_edgetpu_source_operator *op = &s->operators[index];
    const hoist_edgetpu_expected *e = &op->expected;
    for (uint32_t i = s->first_free; i < s->layer_count && i - s->first_free < LOOK_AHEAD; i++) {
        const dwn_recovered *layer = &s->layers[i];
        bool is_exchanged = false;
        if (s->owners[i] == DWN_NONE && layer->kind == e->layer.kind &&
            (!(expected & SAME_SHAPE) || has_shape(e, layer)) &&
            (!(expected & SAME_INPUTS) || has_inputs(s, op, layer, &is_exchanged)) &&
            (!(expected & SAME_WEIGHTS) || has_weights(e, layer))) {
            take(s, index, i, is_exchanged);
            return true;
        }
    }
    return false;
}

// One round in the order of the graph, so that the inputs of most operators have their layer when
// they are looked at. expected[1] is tried where expected[0] finds none; 0: it is not.
static void match_round(hoist_edgetpu_source_pair *s, const uint32_t expected[2])
{
    for (uint32_t i = 0; i < s->operator_count; i++) {
        const hoist_edgetpu_source_operator *op = &s->operators[i];
        const dwn_recovered *layer = &op->expected.layer;
        const bool is_product = layer->weights != NULL;
        if (op->state == HOIST_EDGETPU_SOURCE_OPEN && hoist_edgetpu_source_cuts(s, op->op)) {
            hoist_edgetpu_source_take_cuts(s, i);
        }
        if (op->state == HOIST_EDGETPU_SOURCE_OPEN && layer->kind != DWN_KIND_UNKNOWN &&
            (is_product || !(expected[0] & SAME_WEIGHTS)) && !find(s, i, expected[0]) &&
            expected[1]) {
            (void)find(s, i, expected[1]);
        }
    }
}

// Operators without a layer ----------------------------------------------------------------------

// Operators that are in the compiled model, too, by code and name of the output: the compiler left
// them to the CPU. HOIST_OK, HOIST_NO_MEMORY.
static hoist_status mark_left(hoist_edgetpu_source_pair *s)
{
    if (!s->compiled || s->compiled->model->subgraphs.count == 0) {
        return HOIST_OK;
    }
    const tflite_subgraph *rest = &s->compiled->model->subgraphs.items[0];
    hoist_map names;
    hoist_map_init(&names, s->module->base.alloc);
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; i < rest->operators.count && status == HOIST_OK; i++) {
        const tflite_operator *op = &rest->operators.items[i];
        const tflite_tensor *output = tflite_tensor_in(rest, op->outputs, 0);
        status =
            output && output->name.size ? hoist_map_add(&names, output->name, i, NULL) : HOIST_OK;
        status = status == HOIST_BUSY ? HOIST_OK : status; // the first of a name counts
    }
    for (uint32_t i = 0; i < s->operator_count && status == HOIST_OK; i++) {
        hoist_edgetpu_source_operator *op = &s->operators[i];
        const tflite_tensor *output = hoist_edgetpu_source_tensor(s, op->op->outputs, 0);
        size_t at = 0;
        if (output && hoist_map_find(&names, output->name, &at) &&
            hoist_edgetpu_source_code(s->module, op->op) ==
                hoist_edgetpu_source_code(s->compiled, &rest->operators.items[at])) {
            op->state = HOIST_EDGETPU_SOURCE_LEFT;
        }
    }
    hoist_map_deinit(&names);
    return status;
}

// An operator that leaves its values as they are: its inputs have the scale and zero point of the
// output, and it only moves or joins them.
static bool only_moves(const hoist_edgetpu_source_pair *s, const tflite_operator *op)
{
    const bool joins = hoist_edgetpu_source_code(s->module, op) == TFLITE_OP_CONCATENATION;
    // A concatenation checks all inputs, others the one that is passed.
    const uint32_t first = joins ? 0 : passed_input(s, op);
    const uint32_t count = joins ? tflite_count(op->inputs) : 1;
    bool same = first != DWN_NONE;
    for (uint32_t i = first; same && i < first + count; i++) {
        same =
            hoist_edgetpu_source_is_same_quantity(hoist_edgetpu_source_tensor(s, op->inputs, i),
                                                  hoist_edgetpu_source_tensor(s, op->outputs, 0));
    }
    return same;
}

// From strong evidence to weak: weights and producers, weights alone, producers and shape, shape
// alone, producers alone. Operators that stay open at the end either move values or were not found.
hoist_status hoist_edgetpu_source_match(hoist_edgetpu_source_pair *s)
{
    // {required first, tried next; 0: nothing}
    static const uint32_t rounds[][2] = {{SAME_WEIGHTS | SAME_INPUTS, SAME_WEIGHTS},
                                         {SAME_INPUTS | SAME_SHAPE, 0},
                                         {SAME_SHAPE, 0},
                                         {SAME_INPUTS, 0}};
    HOIST_TRY(list_operators(s));
    HOIST_TRY(mark_left(s));
    for (uint32_t i = 0; i < s->operator_count; i++) {
        if (s->operators[i].state == HOIST_EDGETPU_SOURCE_OPEN) {
            HOIST_TRY(hoist_edgetpu_source_expect(s, i, &s->operators[i].expected));
        }
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(rounds); i++) {
        match_round(s, rounds[i]);
    }
    hoist_edgetpu_source_own_parts(s);
    for (uint32_t i = 0; i < s->operator_count; i++) {
        hoist_edgetpu_source_operator *op = &s->operators[i];
        const bool has_moved = hoist_edgetpu_source_moves_channels(s, op->op)
                                   ? hoist_edgetpu_source_has_moved(s, op->op)
                                   : only_moves(s, op->op);
        if (op->state == HOIST_EDGETPU_SOURCE_OPEN && has_moved) {
            op->state = HOIST_EDGETPU_SOURCE_PASSED;
        }
    }
    return HOIST_OK;
}
