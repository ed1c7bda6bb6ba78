// lower/tflite/state.h - what the parts of lowering TFLite models share.
//
// The operators of the first subgraph become the steps of one function, in their order. Tensors
// between them live in the memory of its call, inputs and outputs are ports; what only gives a
// tensor another shape is a view of the same buffer.
//
// Of a batch, inputs and outputs have all elements, one after the other; the function is called for
// each. Where operators are requests to a driver, which the thread makes for all elements at once,
// those between them are functions of their own, and all tensors have all elements.
#ifndef HOIST_SRC_LOWER_TFLITE_STATE_H
#define HOIST_SRC_LOWER_TFLITE_STATE_H

#include "base/diag.h"
#include "formats/tflite/module.h"
#include "formats/tflite/options.h"
#include "lower/darwinn/models.h"
#include "lower/lower.h"
#include "lower/lower_rules.h"
#include "lower/quant.h"

#define TFLITE_LOWER_MAX_BYTES (INT64_C(1) << 40) // of a tensor

// A tensor of the graph.
// One per tensor of the subgraph, indexed as the file's. A value is made when an operator or the
// border first refers to it: tensors that nothing uses give no buffer.
typedef struct tflite_lower_value {
    enum {
        TFLITE_LOWER_NOT_SEEN = 0,
        TFLITE_LOWER_REFUSED, // it was told why
        TFLITE_LOWER_HELD,
    } state;
    bool is_input, is_output; // of the graph
    bool is_updated;          // the request of a package leaves its state in it
    const tflite_tensor *tensor;
    hoist_shape given;     // by its operator, if it has none in the file; of rank 0: nothing is
    hoist_lower_view view; // HELD
} tflite_lower_value;

// What a run does, in order.
// A run is a list of parts in the order of execution: functions of operators, and between them the
// requests that a driver makes. Without a driver it is one function.
typedef struct tflite_lower_part {
    hoist_ref function;           // of operators, for one element; HOIST_NO_REF: the request
    darwinn_lower_model *package; // of the request, which the thread makes
    darwinn_lower_request request;
} tflite_lower_part;

// The lowering of one model: made by lower.c's prepare(), in the arena of the context.
typedef struct tflite_lower_job {
    darwinn_lower_models *models;
    hoist_lower_context *c; // that of the models
    const tflite_module *module;
    const tflite_subgraph *graph;
    hoist_bytes outputs; // tensors, as in the file: the graph's, or those of what is left of it
    bool *left_out;      // arena; by operator; NULL: none is
    hoist_quant_layers layers;
    tflite_lower_value *values;     // arena; by tensor
    darwinn_lower_model **packages; // arena; by operator; NULL: it is no package that can be run
    const dwn_module **modules;     // arena; the same; NULL: it has none
    bool is_driven;                 // requests are made by the thread, between functions
    hoist_ref function;             // being built; HOIST_NO_REF: none
    tflite_lower_part *parts;       // arena; capacity for two of each operator
    uint32_t part_count;
} tflite_lower_job;

// An operator at hand.
// Lives for the call that lowers it; `name` may refer to a buffer of the caller.
typedef struct tflite_lower_op {
    uint32_t index;
    int32_t code; // TFLITE_OP_*, where it is one that is known
    const tflite_operator *row;
    hoist_str name;
    const void *options; // of its kind; with defaults where the file has none
} tflite_lower_op;

// Reports what a rule says about an operator (or, with NULL, the model), at its place. If it is an
// error, there will be no program. These three give false.
bool tflite_lower_refuse(tflite_lower_job *j, hoist_lower_rule_id rule, const tflite_lower_op *op,
                         const char *format, ...) HOIST_PRINTF(4, 5);
// The same with a text that begins with the operator: "operator 3 (ADD): " and what does not fit.
bool tflite_lower_misfit(tflite_lower_job *j, hoist_lower_rule_id rule, const tflite_lower_op *op,
                         const char *format, ...) HOIST_PRINTF(4, 5);
// The same of a tensor: at the operator's place, or with NULL at that of the tensor.
bool tflite_lower_refuse_tensor(tflite_lower_job *j, hoist_lower_rule_id rule,
                                const tflite_lower_op *op, const tflite_tensor *tensor,
                                const char *format, ...) HOIST_PRINTF(5, 6);
// Begins a function of the operators that come next; of a batch it has the number of the element.
void tflite_lower_begin_function(tflite_lower_job *j);
// Ends the function of operators that is being built, if any, which becomes a part.
void tflite_lower_end_function(tflite_lower_job *j);
// Where a row or step comes from.
hoist_loc tflite_lower_place(const tflite_lower_job *j, const hoist_fb_type *type,
                             const void *object, size_t member);
// The outcome of a layer: reports what did not fit, keeps what ends the work.
void tflite_lower_end(tflite_lower_job *j, const tflite_lower_op *op, hoist_status status);

// Tensors, by their place among the operator's inputs and outputs. tensor.c

// The tensor's value; its buffer is made when it is not there yet. NULL: there is no such operand,
// it was left out, or it cannot be held (only the last is reported, once).
tflite_lower_value *tflite_lower_input(tflite_lower_job *j, const tflite_lower_op *op,
                                       uint32_t index);
tflite_lower_value *tflite_lower_output(tflite_lower_job *j, const tflite_lower_op *op,
                                        uint32_t index);
// The graph's inputs and outputs, so that they are there even when no operator touches them.
void tflite_lower_ports(tflite_lower_job *j);
// The shape of output 0, whose buffer is not made; false: it cannot be held, which was reported.
bool tflite_lower_output_shape(tflite_lower_job *j, const tflite_lower_op *op,
                               hoist_shape *out_shape);
// Makes the operator's output another view of the bytes of `from`, with as many elements of the
// same type, or a copy where it has to have bytes of its own: either is updated later.
void tflite_lower_share(tflite_lower_job *j, const tflite_lower_op *op,
                        const tflite_lower_value *from);

// Whether an input is there; false: it is absent, or -1.
bool tflite_lower_has_input(const tflite_lower_op *op, uint32_t index);
// The scale of a tensor that has one; false: it has none, or several, or no plain ones; this is
// reported.
bool tflite_lower_scale(tflite_lower_job *j, const tflite_lower_op *op,
                        const tflite_lower_value *value, float *out_scale);

// Numbers that an operator is told as a constant tensor: int32 or int64.
typedef struct tflite_lower_numbers {
    uint32_t count;
    int64_t items[HOIST_MAX_RANK];
} tflite_lower_numbers;
// False: there are more than HOIST_MAX_RANK, or the input is no constant of such a type; this is
// reported.
bool tflite_lower_numbers_of(tflite_lower_job *j, const tflite_lower_op *op, uint32_t input,
                             tflite_lower_numbers *out_numbers);
// The run stops where an input, of int32, is not this shape; -1 is any number. False: it cannot be
// checked, which was reported. operands.c
bool tflite_lower_expect_shape(tflite_lower_job *j, const tflite_lower_op *op, uint32_t input,
                               const hoist_shape *shape);
// Whether an input is a constant.
bool tflite_lower_is_constant(const tflite_lower_job *j, const tflite_lower_op *op, uint32_t input);
// An axis that may count from the end; -1, and a report: it is none of the value's.
int tflite_lower_axis(tflite_lower_job *j, const tflite_lower_op *op,
                      const tflite_lower_value *value, int64_t axis);

// Adds the steps of an operator, or reports why it cannot. op.c
void tflite_lower_operator(tflite_lower_job *j, const tflite_lower_op *op);
// Whether there is arithmetic, or a package, for such an operator. op.c
bool tflite_lower_is_known(const tflite_lower_job *j, const tflite_operator *row);
// Its first input and its output, and their scales; false: this was reported. operands.c
bool tflite_lower_unary(tflite_lower_job *j, const tflite_lower_op *op,
                        hoist_quant_unary *out_layer);
bool tflite_lower_scales(tflite_lower_job *j, const tflite_lower_op *op, float *out_x,
                         float *out_y);

// Zero points are 0 where x is of 16 bits: kernels of such numbers do not look at them. False: this
// was reported. operands.c
bool tflite_lower_symmetric(tflite_lower_job *j, const tflite_lower_op *op,
                            const hoist_lower_view *x, const hoist_lower_view *y);

typedef struct tflite_lower_reals {
    float from, to; // infinite where the type alone limits
} tflite_lower_reals;
// The real numbers that an activation leaves; false: it is not known here, which is reported.
bool tflite_lower_range(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation,
                        tflite_lower_reals *out_range);
// What results of an operator with this activation are clamped to; false: it is not known here,
// which is reported. operands.c
bool tflite_lower_limits(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation,
                         const tflite_lower_value *y, hoist_quant_limits *out_limits);

// Leaves out operators that are not known, and what follows from them; what they read are outputs
// then. cut.c
void tflite_lower_cut(tflite_lower_job *j);

// Operators that are compiled for an Edge TPU. custom.c

// Makes what they need, before code is built, and `packages`; what cannot be run is reported.
void tflite_lower_prepare(tflite_lower_job *j);

// The sum, difference, product or quotient (by its code) of numbers that stand for themselves,
// float32 or int32, and true; false: the output's numbers are others. plain.c
bool tflite_lower_arithmetic(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation);

// The kinds of operators, each with its number of inputs and outputs checked. Those that differ in
// little are one, which looks at the code.
typedef void tflite_lower_fn(tflite_lower_job *j, const tflite_lower_op *op);
tflite_lower_fn tflite_lower_custom; // custom.c
// window.c
tflite_lower_fn tflite_lower_conv, tflite_lower_depthwise, tflite_lower_dense, tflite_lower_pool,
    tflite_lower_transpose_conv;
// lstm.c, svdf.c
tflite_lower_fn tflite_lower_lstm, tflite_lower_svdf;
// image.c
tflite_lower_fn tflite_lower_resize, tflite_lower_nearest, tflite_lower_mean;
// plain.c
tflite_lower_fn tflite_lower_choice, tflite_lower_prelu, tflite_lower_divide,
    tflite_lower_floor_divide, tflite_lower_each, tflite_lower_hard_swish, tflite_lower_places,
    tflite_lower_gather, tflite_lower_gather_nd;
// reshape.c
tflite_lower_fn tflite_lower_reshape;
// move.c
tflite_lower_fn tflite_lower_concatenation, tflite_lower_split, tflite_lower_pad,
    tflite_lower_transpose, tflite_lower_strided_slice, tflite_lower_slice, tflite_lower_pack,
    tflite_lower_unpack, tflite_lower_tile;

// Custom operators that the host computes. custom_table.c and custom_host.c

// What lowers one; NULL: it is none of them. The code may be NULL.
tflite_lower_fn *tflite_lower_host(const tflite_operator_code *code);
// The shape that an operator gives its output; false: it gives none.
typedef bool tflite_lower_shape_fn(const tflite_module *module, const tflite_operator *op,
                                   uint32_t output, hoist_shape *out_shape);
// Fills `given` of all values that they make; before ports are made.
void tflite_lower_host_shapes(tflite_lower_job *j);
// Whether their options were read; `fault`, what tflite_custom_numbers_read() returned, is
// reported.
bool tflite_lower_host_options(tflite_lower_job *j, const tflite_lower_op *op, const char *fault);
// A tensor that an operator alone uses.
hoist_lower_view tflite_lower_scratch(tflite_lower_job *j, const char *what, hoist_dtype dtype,
                                      const hoist_shape *shape);
// How they read an input: as float32 times `factor`, without the first of rank + 1 dimensions,
// which is 1.
typedef struct tflite_lower_host_form {
    int rank;
    float factor;
} tflite_lower_host_form;
// False: this was reported.
bool tflite_lower_host_input(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                             tflite_lower_host_form form, hoist_lower_view *out_view);
// Copies numbers to an output of as many; false: this was reported.
bool tflite_lower_host_output(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                              const hoist_lower_view *from);
tflite_lower_fn tflite_lower_detection, tflite_lower_pose; // detection.c, pose.c
tflite_lower_shape_fn tflite_lower_detection_shape, tflite_lower_pose_shape;

#endif // HOIST_SRC_LOWER_TFLITE_STATE_H
