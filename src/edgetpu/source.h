// edgetpu/source.h - a compiled model against the model that it was compiled from, for the sources
// of that comparison only (darwinn reference sections 16.5 to 16.7).
//
// What the Edge TPU's compiler makes of an operator is written down as a layer like those that are
// recovered: then both are compared constant by constant, and bit by bit.
#ifndef HOIST_SRC_EDGETPU_SOURCE_H
#define HOIST_SRC_EDGETPU_SOURCE_H

#include "edgetpu/difference.h"
#include "formats/darwinn/recover_numbers.h"
#include "formats/tflite/module.h"

// The outcome of the match for an operator of the source.
typedef enum hoist_edgetpu_source_state {
    HOIST_EDGETPU_SOURCE_OPEN = 0, // nothing that was found
    HOIST_EDGETPU_SOURCE_LAYER,    // a recovered layer
    HOIST_EDGETPU_SOURCE_PADDING,  // the padding of the layer of another operator
    HOIST_EDGETPU_SOURCE_CLAMP,    // the clamps of one
    HOIST_EDGETPU_SOURCE_PASSED,   // it passes its values through: no work on the chip
    HOIST_EDGETPU_SOURCE_LEFT,     // it is still an operator of the compiled model
} hoist_edgetpu_source_state;

// The layer that the compiler makes of an operator.
// The link between both models: expected layers are compared with recovered ones constant by
// constant.
typedef struct hoist_edgetpu_expected {
    dwn_recovered layer;            // kind UNKNOWN: nothing is known of such operators
    uint64_t constants;             // of it that are known: bits
    uint32_t pad;                   // operator in front that became its padding; DWN_NONE
    uint32_t clamp;                 // operator after that became its clamps; DWN_NONE
    const tflite_tensor *inputs[2]; // that it reads, after the padding; NULL: there is none
    const tflite_tensor *output;
    // Of products, the scales that TFLite takes multipliers from. `weight_scales` is in the arena,
    // one for each row; NULL: no layer of products.
    dwn_ends ends;
    const float *weight_scales;
} hoist_edgetpu_expected;

// Operators keep the order of the source's first subgraph; indices below are into that list.
typedef struct hoist_edgetpu_source_operator {
    const tflite_operator *op; // borrowed from the source
    hoist_edgetpu_expected expected;
    hoist_edgetpu_source_state state;
    uint32_t layer;     // LAYER, PADDING, CLAMP: of the list
    bool is_exchanged;  // its first two inputs are the layer's second and first
    uint64_t compared;  // values
    uint32_t different; // constants
} hoist_edgetpu_source_operator;

// Both models while they are compared. Everything is in the arena, or borrowed from the modules.
typedef struct hoist_edgetpu_source_pair {
    hoist_arena *arena;
    const tflite_module *module;   // the source
    const tflite_subgraph *graph;  // its first subgraph
    const tflite_module *compiled; // NULL: a package without a model around it
    dwn_recovered *layers;         // of all packages, one after the other
    uint32_t layer_count, layer_capacity;
    dwn_gap *gaps; // the same
    uint32_t gap_count, gap_capacity;
    uint32_t *owners;    // of layers: the operator; DWN_NONE
    uint32_t first_free; // no layer before it is free
    hoist_edgetpu_source_operator *operators;
    uint32_t operator_count;
    // Of tensors, DWN_NONE where there is none:
    uint32_t *writers;      // the operator that writes it
    uint32_t *readers;      // the only operator that reads it; there is none where several do
    uint32_t *makers;       // the layer
    uint32_t *origins;      // the tensor that it is, after operators that pass values through
    bool *is_computed_with; // an operator that does not only move channels reads it, or the graph
} hoist_edgetpu_source_pair;

// source_expect.c. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_edgetpu_source_expect(const hoist_edgetpu_source_pair *s,
                                                         uint32_t op,
                                                         hoist_edgetpu_expected *out_expected);
// The same of an addition or product that was found: with its inputs exchanged or not, and the
// factors that belong to the multiplier of `found`.
void hoist_edgetpu_source_settle(const dwn_recovered *found, bool is_exchanged,
                                 hoist_edgetpu_expected *expected);

// The same of an input of a concatenation that has not the scale and zero point of its output: the
// layer that scales it.
void hoist_edgetpu_source_expect_scaling(const hoist_edgetpu_source_pair *s,
                                         const hoist_edgetpu_source_operator *op, uint32_t index,
                                         hoist_edgetpu_expected *out_expected);

// source_join.c. The layer that scales input `index` of a concatenation for its layer, and that no
// other operator has; DWN_NONE: there is none.
uint32_t hoist_edgetpu_source_scaling(const hoist_edgetpu_source_pair *s,
                                      const hoist_edgetpu_source_operator *op,
                                      const dwn_recovered *layer, uint32_t index);
// What a layer of an operator reads, as dwn_recovered.inputs, before it is scaled.
uint32_t hoist_edgetpu_source_from(const hoist_edgetpu_source_pair *s,
                                   const hoist_edgetpu_source_operator *op,
                                   const dwn_recovered *layer, uint32_t index);
// Layers that scale inputs of an operator that was matched become its own.
void hoist_edgetpu_source_own_scalings(hoist_edgetpu_source_pair *s, uint32_t index);
// Compares these, and reports inputs that no layer scales. HOIST_OK, HOIST_NO_MEMORY, or the sink's
// status.
HOIST_NODISCARD hoist_status hoist_edgetpu_source_compare_scalings(
    const hoist_edgetpu_source_pair *s, hoist_edgetpu_difference_sender *sender,
    hoist_edgetpu_source_operator *op);

// source_layers.c. Lists the layers and gaps of all packages of a file. HOIST_OK, HOIST_LIMIT,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_edgetpu_source_collect(hoist_edgetpu_source_pair *s,
                                                          const hoist_file *compiled);
// source.c. Matches, compares, and sends the result as members of the map that is open. HOIST_OK,
// HOIST_NO_MEMORY, or the sink's status.
HOIST_NODISCARD hoist_status hoist_edgetpu_source_send(hoist_edgetpu_source_pair *s,
                                                       hoist_edgetpu_difference_sender *sender);
// source_match.c. Lists the operators, finds the layer of each, and the outcome of those without
// one. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_edgetpu_source_match(hoist_edgetpu_source_pair *s);

// Notes the layer that makes a tensor.
void hoist_edgetpu_source_own(hoist_edgetpu_source_pair *s, const tflite_tensor *tensor,
                              uint32_t layer);

// source_routes.c. Whether an operator cuts channels out of its operand, for each of its outputs;
// and whether it only moves channels: it cuts, or joins.
bool hoist_edgetpu_source_cuts(const hoist_edgetpu_source_pair *s, const tflite_operator *op);
bool hoist_edgetpu_source_moves_channels(const hoist_edgetpu_source_pair *s,
                                         const tflite_operator *op);
// The place of a tensor among the outputs of an operator; their number: it is none.
uint32_t hoist_edgetpu_source_place(const hoist_edgetpu_source_pair *s, const tflite_operator *op,
                                    uint32_t number);
// The tensor of which a tensor has all channels, through operators that move channels; itself, if
// there is no other.
uint32_t hoist_edgetpu_source_whole(const hoist_edgetpu_source_pair *s, uint32_t number);
// Whether a layer of the list gives the channels that a tensor consists of.
bool hoist_edgetpu_source_is_route(const hoist_edgetpu_source_pair *s, uint32_t number,
                                   const dwn_recovered *layer);
// Finds the slices that are outputs of an operator that cuts.
void hoist_edgetpu_source_take_cuts(hoist_edgetpu_source_pair *s, uint32_t index);
// Layers that only move channels to others of their kind, which operators have, become theirs.
void hoist_edgetpu_source_own_parts(hoist_edgetpu_source_pair *s);
// Whether all outputs of an operator that moves channels, and that something computes with, have a
// layer, or are all of another tensor.
bool hoist_edgetpu_source_has_moved(const hoist_edgetpu_source_pair *s, const tflite_operator *op);

// Whether both have one scale and zero point each, as the chip has them, and these are the same.
bool hoist_edgetpu_source_is_same_quantity(const tflite_tensor *a, const tflite_tensor *b);

// The layer that a tensor comes from, after operators that pass values through, or
// DWN_MODEL_INPUT; DWN_NONE: unknown.
uint32_t hoist_edgetpu_source_maker(const hoist_edgetpu_source_pair *s,
                                    const tflite_tensor *tensor);
// Whether a layer joins the same channels as an operator, in however many inputs.
bool hoist_edgetpu_source_joins_alike(const hoist_edgetpu_source_pair *s,
                                      const hoist_edgetpu_source_operator *op,
                                      const dwn_recovered *layer);
// Item `index` of what an operator reads, after its padding, in the order of its layer; NULL:
// there is none.
const tflite_tensor *hoist_edgetpu_source_input(const hoist_edgetpu_source_pair *s,
                                                const hoist_edgetpu_source_operator *op,
                                                uint32_t index);

// Item `index` of the list of an operator; NULL: it has none.
static inline const tflite_tensor *hoist_edgetpu_source_tensor(const hoist_edgetpu_source_pair *s,
                                                               hoist_bytes list, uint32_t index)
{
    return tflite_tensor_in(s->graph, list, index);
}
// The number of a tensor of the source.
static inline uint32_t hoist_edgetpu_source_number(const hoist_edgetpu_source_pair *s,
                                                   const tflite_tensor *tensor)
{
    return (uint32_t)(tensor - s->graph->tensors.items);
}
// A tflite_operator_number, or another number.
static inline int32_t hoist_edgetpu_source_code(const tflite_module *module,
                                                const tflite_operator *op)
{
    const tflite_operator_code *code = tflite_code_of(module->model, op);
    return code ? tflite_code_number(code) : -1;
}

#endif // HOIST_SRC_EDGETPU_SOURCE_H
