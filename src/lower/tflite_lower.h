// lower/tflite_lower.h - what the parts of lowering TFLite models share.
//
// The operators of the first subgraph become the steps of one function, in their order. Tensors
// between them live in the memory of its call, inputs and outputs are ports; what only gives a
// tensor another shape is a view of the same buffer.
//
// Of a batch, inputs and outputs have all elements, one after the other; the function is called for
// each. Where operators are requests to a driver, which the thread makes for all elements at once,
// those between them are functions of their own, and all tensors have all elements.
#ifndef HOIST_SRC_LOWER_TFLITE_LOWER_H
#define HOIST_SRC_LOWER_TFLITE_LOWER_H

#include "base/diag.h"
#include "formats/tflite/module.h"
#include "formats/tflite/options.h"
#include "lower/lower.h"
#include "lower/lower_rules.h"
#include "lower/models.h"
#include "lower/quant.h"

#define HOIST_TFLITE_MAX_BYTES (INT64_C(1) << 40) // of a tensor

// A tensor of the graph.
typedef struct hoist_tflite_value {
    enum {
        HOIST_TFLITE_NOT_SEEN = 0,
        HOIST_TFLITE_REFUSED, // it was told why
        HOIST_TFLITE_HELD,
    } state;
    bool is_input, is_output; // of the graph
    bool is_updated;          // the request of a package leaves its state in it
    const tflite_tensor *tensor;
    hoist_quant_view view; // HELD
} hoist_tflite_value;

// What a run does, in order.
typedef struct hoist_tflite_part {
    hoist_ref function;           // of operators, for one element; HOIST_NO_REF: the request
    hoist_darwinn_model *package; // of the request, which the thread makes
    hoist_darwinn_request request;
} hoist_tflite_part;

typedef struct hoist_tflite_job {
    hoist_models *models;
    const hoist_lower_options *options; // what follows is that of the models
    hoist_diag *diag;
    hoist_builder *b;
    hoist_arena *arena;
    hoist_map *names; // of buffers; keys live in the arena or the file
    const tflite_module *module;
    const tflite_subgraph *graph;
    hoist_bytes outputs; // tensors, as in the file: the graph's, or those of what is left of it
    bool *left_out;      // arena; by operator; NULL: none is
    hoist_quant_layers layers;
    hoist_tflite_value *values;     // arena; by tensor
    hoist_darwinn_model **packages; // arena; by operator; NULL: it is no package that can be run
    const dwn_module **modules;     // arena; the same; NULL: it has none
    bool is_driven;                 // requests are made by the thread, between functions
    hoist_ref function;             // being built; HOIST_NO_REF: none
    hoist_tflite_part *parts;       // arena; room for two of each operator
    uint32_t part_count;
    hoist_status status; // HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_INTERNAL
    bool refused;
} hoist_tflite_job;

// An operator at hand.
typedef struct hoist_tflite_op {
    uint32_t index;
    const tflite_operator *row;
    hoist_str name;
    const void *options; // of its kind; with defaults where the file has none
} hoist_tflite_op;

// Reports what a rule says about an operator (or, with NULL, the model), at its place. If it is an
// error, there will be no program.
void hoist_tflite_refuse(hoist_tflite_job *j, hoist_lower_rule_id rule, const hoist_tflite_op *op,
                         const char *format, ...) HOIST_PRINTF(4, 5);
// The same of a tensor: at the operator's place, or with NULL at that of the tensor.
void hoist_tflite_refuse_tensor(hoist_tflite_job *j, hoist_lower_rule_id rule,
                                const hoist_tflite_op *op, const tflite_tensor *tensor,
                                const char *format, ...) HOIST_PRINTF(5, 6);
// Ends the function of operators that is being built, if any, which becomes a part.
void hoist_tflite_end_function(hoist_tflite_job *j);
// Where a row or step comes from.
hoist_loc hoist_tflite_place(const hoist_tflite_job *j, const hoist_fb_type *type,
                             const void *object, size_t member);
// What became of a layer: reports what did not fit, keeps what ends the work.
void hoist_tflite_end(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_status status);

// Tensors, by their place among the operator's inputs and outputs. tflite_tensor.c

// The tensor's value; its buffer is made when it is not there yet. NULL: there is no such operand,
// it was left out, or it cannot be held (only the last is reported, once).
hoist_tflite_value *hoist_tflite_input(hoist_tflite_job *j, const hoist_tflite_op *op,
                                       uint32_t index);
hoist_tflite_value *hoist_tflite_output(hoist_tflite_job *j, const hoist_tflite_op *op,
                                        uint32_t index);
// The graph's inputs and outputs, so that they are there even when no operator touches them.
void hoist_tflite_ports(hoist_tflite_job *j);
// Makes the operator's output another view of the bytes of `from`, with as many elements of the
// same type, or a copy where it has to have bytes of its own: either is updated later.
void hoist_tflite_share(hoist_tflite_job *j, const hoist_tflite_op *op,
                        const hoist_tflite_value *from);

// Whether an input is there; false: it is absent, or -1.
bool hoist_tflite_has_input(const hoist_tflite_op *op, uint32_t index);
// The scale of a tensor that has one; false: it has none, or several, or no plain ones; this is
// reported.
bool hoist_tflite_scale(hoist_tflite_job *j, const hoist_tflite_op *op,
                        const hoist_tflite_value *value, float *out_scale);

// Numbers that an operator is told as a constant tensor: int32 or int64.
typedef struct hoist_tflite_numbers {
    uint32_t count;
    int64_t items[HOIST_MAX_RANK];
} hoist_tflite_numbers;
// False: there are more than HOIST_MAX_RANK, or the input is no constant of such a type; this is
// reported.
bool hoist_tflite_numbers_of(hoist_tflite_job *j, const hoist_tflite_op *op, uint32_t input,
                             hoist_tflite_numbers *out_numbers);
// An axis that may count from the end; -1, and a report: it is none of the value's.
int hoist_tflite_axis(hoist_tflite_job *j, const hoist_tflite_op *op,
                      const hoist_tflite_value *value, int64_t axis);

// Adds the steps of an operator, or reports why it cannot. tflite_op.c
void hoist_tflite_operator(hoist_tflite_job *j, const hoist_tflite_op *op);
// Whether there is arithmetic, or a package, for such an operator. tflite_op.c
bool hoist_tflite_is_known(const hoist_tflite_job *j, const tflite_operator *row);
// Its first input and its output, and their scales; false: this was reported. tflite_op.c
bool hoist_tflite_unary(hoist_tflite_job *j, const hoist_tflite_op *op,
                        hoist_quant_unary *out_layer);
bool hoist_tflite_scales(hoist_tflite_job *j, const hoist_tflite_op *op, float *out_x,
                         float *out_y);

typedef struct hoist_tflite_reals {
    float from, to; // infinite where the type alone limits
} hoist_tflite_reals;
// The real numbers that an activation leaves; false: it is not known here, which is reported.
bool hoist_tflite_range(hoist_tflite_job *j, const hoist_tflite_op *op, int8_t activation,
                        hoist_tflite_reals *out_range);
// What results of an operator with this activation are clamped to; false: it is not known here,
// which is reported. tflite_op.c
bool hoist_tflite_limits(hoist_tflite_job *j, const hoist_tflite_op *op, int8_t activation,
                         const hoist_tflite_value *y, hoist_quant_limits *out_limits);

// Leaves out operators that are not known, and what follows from them; what they read are outputs
// then. tflite_cut.c
void hoist_tflite_cut(hoist_tflite_job *j);

// Operators that are compiled for an Edge TPU. tflite_custom.c

// Makes what they need, before code is built, and `packages`; what cannot be run is reported.
void hoist_tflite_prepare(hoist_tflite_job *j);

// The sum, difference, product or quotient (by its operator) of numbers that stand for themselves,
// float32 or int32, and true; false: the output's numbers are others. tflite_plain.c
bool hoist_tflite_arithmetic(hoist_tflite_job *j, const hoist_tflite_op *op, int32_t code,
                             int8_t activation);

// The kinds of operators, each with its number of inputs and outputs judged.
typedef void hoist_tflite_lower_fn(hoist_tflite_job *j, const hoist_tflite_op *op);
hoist_tflite_lower_fn hoist_tflite_custom; // tflite_custom.c
// tflite_window.c
hoist_tflite_lower_fn hoist_tflite_conv, hoist_tflite_depthwise, hoist_tflite_dense,
    hoist_tflite_average_pool, hoist_tflite_max_pool;
// tflite_image.c
hoist_tflite_lower_fn hoist_tflite_resize, hoist_tflite_nearest, hoist_tflite_mean;
// tflite_plain.c
hoist_tflite_lower_fn hoist_tflite_maximum, hoist_tflite_minimum, hoist_tflite_divide,
    hoist_tflite_floor_divide, hoist_tflite_square_root, hoist_tflite_cast, hoist_tflite_hard_swish,
    hoist_tflite_arg_max, hoist_tflite_arg_min, hoist_tflite_gather, hoist_tflite_gather_nd;
// tflite_move.c
hoist_tflite_lower_fn hoist_tflite_reshape, hoist_tflite_concatenation, hoist_tflite_split,
    hoist_tflite_split_v, hoist_tflite_pad, hoist_tflite_pad_v2, hoist_tflite_transpose,
    hoist_tflite_strided_slice, hoist_tflite_slice, hoist_tflite_pack, hoist_tflite_unpack;

#endif // HOIST_SRC_LOWER_TFLITE_LOWER_H
