// edgetpu/tflite_maker.h - makes tensors and operators in a TFLite model: what a compiled model's
// layers are written as.
//
// Everything is made in an arena. When memory runs out `failed` is set, and what is made from then
// on is of no use; callers look once, at the end.
#ifndef HOIST_SRC_EDGETPU_TFLITE_MAKER_H
#define HOIST_SRC_EDGETPU_TFLITE_MAKER_H

#include "base/arena.h"
#include "formats/tflite/module.h"
#include "formats/tflite/options.h"

// Lists that grow; the counts of the model's own are kept up to date.
typedef struct hoist_edgetpu_maker {
    hoist_arena *arena; // borrowed
    tflite_model *model;
    tflite_subgraph *graph;     // that tensors are added to
    tflite_operator *operators; // of the graph in the making
    uint32_t operator_count;
    tflite_type type; // of values: UINT8 or INT8
    bool failed;
} hoist_edgetpu_maker;

// The model's own lists become ones that may grow. The data of the model are not copied.
void hoist_edgetpu_maker_init(hoist_edgetpu_maker *m, hoist_arena *arena, tflite_model *model);
// Begins a list of operators of a graph, and puts it in place of the graph's.
void hoist_edgetpu_maker_open(hoist_edgetpu_maker *m, tflite_subgraph *graph);
void hoist_edgetpu_maker_close(hoist_edgetpu_maker *m);
// Adds an operator that there is already.
void hoist_edgetpu_maker_keep(hoist_edgetpu_maker *m, const tflite_operator *op);

typedef struct hoist_edgetpu_shape {
    uint32_t rank;
    int32_t dim[4]; // outermost first
} hoist_edgetpu_shape;

// A tensor to be made; what is 0 or NULL is not there.
typedef struct hoist_edgetpu_draft {
    hoist_str name;
    tflite_type type;
    hoist_edgetpu_shape shape;
    const float *scales;
    uint32_t scale_count;
    int64_t zero; // of all scales
    int32_t axis; // that scales are along
    hoist_bytes data;
} hoist_edgetpu_draft;

// Adds the tensor; its index.
uint32_t hoist_edgetpu_maker_tensor(hoist_edgetpu_maker *m, const hoist_edgetpu_draft *draft);
// The shape of a tensor; rank 0: it has more than 4 dimensions.
hoist_edgetpu_shape hoist_edgetpu_maker_shape(const hoist_edgetpu_maker *m, uint32_t tensor);
bool hoist_edgetpu_same_shape(const hoist_edgetpu_shape *a, const hoist_edgetpu_shape *b);
// int32 numbers as data; empty when memory has run out.
hoist_bytes hoist_edgetpu_maker_ints(hoist_edgetpu_maker *m, const int32_t *items, size_t count);
// Zeroed memory of the arena, such as for options; NULL when it has run out.
void *hoist_edgetpu_maker_alloc(hoist_edgetpu_maker *m, size_t size);

// An operator to be made; its builtin options are of the kind that its row says.
typedef struct hoist_edgetpu_step {
    tflite_operator_number number;
    const int32_t *inputs;
    size_t input_count;
    uint32_t output;
    void *options; // arena; NULL: none
} hoist_edgetpu_step;

void hoist_edgetpu_maker_step(hoist_edgetpu_maker *m, const hoist_edgetpu_step *step);
// Drops the kinds of operators that are the Edge TPU's, none of which is left.
void hoist_edgetpu_maker_drop_compiled(hoist_edgetpu_maker *m);

#endif // HOIST_SRC_EDGETPU_TFLITE_MAKER_H
