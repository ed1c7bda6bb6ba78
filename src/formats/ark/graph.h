// formats/ark/graph.h - what follows from an ARK file: its tensors and buffers, each once, and its
// operators in the order in which they are executed.
//
// A file repeats tensors and buffers wherever operators name them; here each id is one row, of the
// first occurrence. Arrays refer to each other by index. Geometry: ark reference section 4; order:
// section 6.4, of plans 9.4 and 9.5. A graph refers to the module it was built from, which must
// outlive it.
//
// In: a module, whatever was found while it was read. Out: a graph in the caller's arena. Rows that
// break a rule of geometry are there with `valid` false, and so is every step that uses one; other
// checks look at valid ones only, so that a fault is reported once.
#ifndef HOIST_SRC_FORMATS_ARK_GRAPH_H
#define HOIST_SRC_FORMATS_ARK_GRAPH_H

#include "formats/ark/module.h"

#define ARK_NONE UINT32_MAX

enum { ARK_MAX_RANK = 4 };

// A buffer: bytes that no other buffer overlaps.
typedef struct ark_memory {
    int64_t id;            // of the file
    const ark_buffer *row; // the first occurrence
    // Of this file's rank; else the memory is on rank row->rank.value, and this is a proxy for it.
    bool local;
    bool external; // D4
    bool valid;
    uint64_t size;  // bytes: the largest array that a tensor in it is a part of
    uint32_t whole; // the tensor of that array: the first with the largest product of `dims`
} ark_memory;

// A tensor: elements (i_0 ... ) of an array [dims] of elements that begins with the buffer. Its
// last dimension is always contiguous, and no stride is 0 or negative.
typedef struct ark_value {
    int64_t id;
    const ark_tensor *row; // the first occurrence
    uint32_t memory;       // index; ARK_NONE: its buffer is not readable
    bool valid;
    hoist_dtype dtype;
    int rank; // 1 to 4
    int64_t shape[ARK_MAX_RANK];
    int64_t dims[ARK_MAX_RANK]; // the file's Strides
    int64_t offsets[ARK_MAX_RANK];
    // At least the shape; at most what the array has after the offsets.
    int64_t padded[ARK_MAX_RANK];
    int64_t stride[ARK_MAX_RANK]; // bytes from one index of a dimension to the next
    uint64_t offset;              // bytes: of the first element in the buffer
    uint64_t end;                 // bytes: after the last element
    uint64_t count;               // elements
    uint32_t producer;            // the first step that results in it; ARK_NONE
} ark_value;

typedef struct ark_operands {
    const uint32_t *items; // tensors
    uint32_t count;
} ark_operands;

// Tasks of an operator of a plan that are executed: begin, begin + step, ... below end.
typedef struct ark_task_range {
    int64_t begin, end, step;
} ark_task_range;

// An operator in the order of execution.
typedef struct ark_step {
    const ark_op *op;
    ark_op_type type;
    bool valid;     // the type is known and all tensors are valid
    uint32_t owner; // index of the node, or of the plan's task, that holds it
    uint32_t index; // among the ops of that
    ark_operands reads, writes, results;
    const ark_task_range *ranges; // plans: in the order of the plan
    uint32_t range_count;
} ark_step;

typedef struct ark_graph {
    const ark_module *module;   // rows point into it
    const ark_memory *memories; // in the order of first occurrence
    uint32_t memory_count;
    const ark_value *values; // likewise
    uint32_t value_count;
    // Models: all operators, virtual ones too, in the order of the file. Plans: the operators of
    // tasks that a group executes, in the order of first use.
    const ark_step *steps;
    uint32_t step_count;
} ark_graph;

// Builds the graph of a module; everything in it lives in `arena`. Reports the rules of geometry
// and identity (M20 to M26, M28, M29, M34) to `diag`, which may be NULL. HOIST_OK whatever was
// found; HOIST_NO_MEMORY, HOIST_LIMIT; HOIST_CANCELLED when the module's deadline is over.
HOIST_NODISCARD hoist_status ark_graph_build(const ark_module *module, hoist_arena *arena,
                                             hoist_diag *diag, ark_graph *out_graph);

// The argument of an operator called `name`, with a value of that kind; NULL: there is none.
const ark_arg *ark_find_arg(const ark_op *op, const char *name, ark_arg_kind kind);

// What people call a step: "matmul_1 (Matmul)"; in the arena, data NULL when out of memory.
hoist_str ark_step_title(const ark_step *step, hoist_arena *arena);

#endif // HOIST_SRC_FORMATS_ARK_GRAPH_H
