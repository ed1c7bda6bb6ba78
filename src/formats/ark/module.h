// formats/ark/module.h - the typed model of an ARK file, as written: a model (the operators of one
// rank as a graph) or a plan (the same operators with tiles and processors).
//
// Facts: ark reference sections 2, 3, 9.1 and 9.2. Every value keeps its place; what the file does
// not have has pos.line 0. Nothing is dropped: keys that no table knows are kept as JSON nodes, so
// a module refers to the file's bytes. Names and lists live in the module's arena.
//
// The model has the contents of the file, in whatever dialect it is, with tensors and buffers
// repeated wherever the file repeats them. What follows from them (which tensors are the same,
// where they lie, who reads what) is graph.h.
#ifndef HOIST_SRC_FORMATS_ARK_MODULE_H
#define HOIST_SRC_FORMATS_ARK_MODULE_H

#include "hoist/tensor.h"

#include "base/arena.h"
#include "codec/record.h"
#include "formats/format.h"

// Sets of words (words.c) ------------------------------------------------------------------------

// How keys are spelled and ordered; nothing in a file names it (section 2). read.c finds it from
// the keys that are there.
typedef enum ark_dialect {
    ARK_D0 = 0, // "Ops", "Pads", work-in-progress arguments of Matmul; never written
    ARK_D1,     // "Ops", "Pads", "Buffer" third
    ARK_D2A,    // "Ops", "PaddedShape", "Buffer" third
    ARK_D2,     // "Ops", "PaddedShape", "Buffer" last
    ARK_D3,     // "Op" in models; the main branch
    ARK_D4,     // and "IsExternal" in buffers
    ARK_DIALECT_COUNT,
} ark_dialect;

// The types of operators (section 5.0), in words.c with how many tensors each has.
typedef enum ark_op_type {
    ARK_OP_UNKNOWN = -1, // a type that no version of ARK has
    ARK_ADD = 0,
    ARK_CAST, // the element types may be any two
    ARK_COPY,
    ARK_DEVICE_SYNC, // a barrier of all ranks of the world
    ARK_DIV,
    ARK_EMBEDDING, // rows of a table, by index
    ARK_EXP,
    ARK_GELU,
    ARK_MATMUL,
    ARK_MUL,
    ARK_NOOP,        // no effect: keeps its input alive
    ARK_PLACEHOLDER, // D4
    ARK_RECV,        // waits: the data goes where the sender puts it
    ARK_RECV_PACKET,
    ARK_RECV_REDUCE_SEND,        // adds what each peer has sent, and sends the sum to each
    ARK_RECV_REDUCE_SEND_PACKET, // the same by packets, each with a flag
    ARK_REDUCE_MAX,
    ARK_REDUCE_MEAN,
    ARK_REDUCE_SUM,
    ARK_RELU,
    ARK_RESHAPE, // a view; files have Tensor in its place
    ARK_ROPE,    // pairs of elements of the last dimension
    ARK_RSQRT,
    ARK_SCALAR_ADD,
    ARK_SCALAR_ASSIGN, // fills a tensor, in every iteration
    ARK_SCALAR_MUL,
    ARK_SEND,
    ARK_SEND_DONE, // moves no data
    ARK_SEND_PACKET,
    ARK_SIGMOID,
    ARK_SQRT,
    ARK_SUB,
    ARK_TENSOR,    // a declaration or a view of a buffer: nothing is computed
    ARK_TRANSPOSE, // always a copy: no view of a buffer is transposed
    ARK_OP_TYPE_COUNT,
} ark_op_type;

// Element types (section 3.4); -1: unknown.
typedef enum ark_dtype {
    ARK_FP32 = 0,
    ARK_FP16,
    ARK_BF16,
    ARK_INT32,
    ARK_UINT32,
    ARK_INT8,
    ARK_UINT8,
    ARK_BYTE, // a view to or from it may change the element type (M60)
    ARK_DTYPE_COUNT,
} ark_dtype;

// What an argument's value is (section 3.7): the rows of ark_arg_table, in this order. The kind is
// the one key of the object {"TYPE": value}.
typedef enum ark_arg_kind {
    ARK_ARG_NONE = -1, // no key, an unknown one, several, or a value that is not of its kind
    ARK_ARG_INT = 0,
    ARK_ARG_UINT32,
    ARK_ARG_INT64,
    ARK_ARG_UINT64,
    ARK_ARG_BOOL,
    ARK_ARG_FLOAT,
    ARK_ARG_DIMS,
    ARK_ARG_TENSOR,
    ARK_ARG_OFFSET,
    ARK_ARG_KIND_COUNT,
} ark_arg_kind;

extern const hoist_rec_words ark_op_types; // "Add", by ark_op_type
extern const hoist_rec_words ark_dtypes;   // "FP32", by ark_dtype
// Of elements; HOIST_DTYPE_NONE for -1. BYTE is HOIST_DTYPE_U8. BYTE has no type of its own, since
// nothing is computed with it.
hoist_dtype ark_dtype_of(int dtype);
const char *ark_dialect_name(ark_dialect dialect); // "d3"

// Objects ----------------------------------------------------------------------------------------

// A list of records: HOIST_REC_TABLES. `pos` of lists is not kept; that of an object is its own.
#define ARK_LIST(T) HOIST_REC_BARE_LIST(T)

// [remote rank, tag] of SendTags and RecvTags; -1 of a proxy buffer: the rank of this file.
typedef struct ark_tag {
    int64_t rank;
    int64_t tag;
    hoist_pos pos;
} ark_tag;
typedef HOIST_REC_LIST(ark_tag) ark_tags;

// Each occurrence in the file is a row of its own; that they agree is ARK-M26. `present` has bit k
// when the file has the key of row k of the table; `order` and `extra` let the writer repeat the
// file's own order and unknown keys. Rank is -1 or the number of this file's rank in local
// buffers.
typedef struct ark_buffer {
    hoist_pos pos;
    hoist_rec_int id;        // unique in the file of a rank
    hoist_rec_int rank;      // -1: of this file's rank
    hoist_rec_bool external; // D4
    ark_tags send_tags;
    ark_tags recv_tags;
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_buffer;

// One occurrence of a tensor. Lists may have any length here; the rules say 1 to 4.
typedef struct ark_tensor {
    hoist_pos pos;
    hoist_rec_int id;
    hoist_rec_word dtype;   // ark_dtype
    hoist_rec_ints shape;   // logical: what operators compute on
    hoist_rec_ints strides; // dimensions of the array that the tensor is a part of
    hoist_rec_ints offsets; // of the first element in that array
    hoist_rec_ints padded;  // PaddedShape
    hoist_rec_ints pads;    // D0, D1
    ark_buffer buffer;      // pos.line 0: absent
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_tensor;
typedef ARK_LIST(ark_tensor) ark_tensors;

// An argument of type OFFSET.
typedef struct ark_offset {
    hoist_pos pos;
    hoist_rec_int buffer; // BufferId
    hoist_rec_int value;  // bytes
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_offset;

// {"Name": {"TYPE": value}}
typedef struct ark_arg {
    hoist_rec_str name; // "Axis"
    hoist_pos pos;      // of {"TYPE": value}
    ark_arg_kind kind;
    hoist_rec_int integer;    // INT, UINT32, INT64; UINT64 as the same 64 bits
    hoist_rec_float number;   // FLOAT: a float32, widened
    hoist_rec_bool boolean;   // BOOL
    hoist_rec_ints dims;      // DIMS
    const ark_tensor *tensor; // TENSOR
    ark_offset offset;        // OFFSET
    hoist_rec_extra *extra;   // keys that are no type
    const hoist_rec_order *order;
    uint64_t present; // bit k: the row of kind k
} ark_arg;
typedef ARK_LIST(ark_arg) ark_args;

// How an operator of a plan is cut into tasks (section 9.2).
typedef struct ark_config {
    hoist_pos pos;             // line 0: there is none
    hoist_rec_int num_warps;   // warps that one task takes
    hoist_rec_int sram_bytes;  // that one task takes
    hoist_rec_int num_tasks;   // tasks; by default one for each tile, where it has tiles
    hoist_rec_int granularity; // tasks in a row that one processor gets
    hoist_rec_ints tile;       // 1 to 4 entries, aligned to the last dimension
    hoist_rec_ints tile_mnk;   // TileShapeMNK
    hoist_rec_ints pad_mnk;    // TilePadMNK, D1
    hoist_rec_str impl;        // "WarpWise", "ElementWise"
    hoist_rec_str channel;     // "Proxy", "SecondaryProxy", "Sm"
    hoist_rec_str packet;      // "mscclpp::LL8Packet", ...
    hoist_rec_bool signal;     // of Send; absent: true
    hoist_rec_bool wait;       // of Recv; absent: true
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_config;

typedef struct ark_op {
    hoist_pos pos;
    hoist_rec_word type;       // ark_op_type
    hoist_rec_str name;        // free text; operators may share one
    hoist_rec_bool is_virtual; // no computation: a declaration or a view
    ark_tensors reads;         // inputs; the same tensor may be written, too
    ark_tensors writes;        // memory that is written
    ark_tensors results;       // new tensors: what was written, as it is after the operator
    ark_args args;
    ark_config config; // plans
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_op;
typedef ARK_LIST(ark_op) ark_ops;

typedef struct ark_node {
    hoist_pos pos;
    hoist_rec_int id;         // its index in the list, in files that ARK has written (M30b)
    hoist_rec_ints producers; // nodes that come first; control edges, too
    hoist_rec_ints consumers; // the inverse relation (M31)
    ark_ops ops;              // "Ops", or "Op" as a list of one
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_node;

// Of plans (section 9.1).
typedef struct ark_task {
    hoist_pos pos;
    hoist_rec_int id;        // its index in the list, in files that ARK has written (P04b)
    hoist_rec_int num_warps; // of one task: its resource group has as many (P07)
    hoist_rec_int sram_bytes;
    ark_ops ops; // executed in order, tile by tile
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_task;

// The end of a range is exclusive.
typedef struct ark_task_group {
    hoist_pos pos;
    hoist_rec_int task;   // an Id of the list of tasks
    hoist_rec_ints range; // [begin, end] or [begin, end, step]; likewise those below
    hoist_rec_int granularity;
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_task_group;

typedef struct ark_resource_group {
    hoist_pos pos;
    hoist_rec_ints processors; // within those of the processor group (P06)
    hoist_rec_ints warps;
    hoist_rec_ints sram;
    ARK_LIST(ark_task_group) groups; // they begin in this order, without a barrier
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_resource_group;

typedef struct ark_processor_group {
    hoist_pos pos;
    hoist_rec_ints processors; // a barrier may come before, for groups that have some of them, too
    ARK_LIST(ark_resource_group) groups;
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_processor_group;

// A file.
typedef struct ark_module {
    hoist_module base;
    hoist_arena arena;
    hoist_json json; // of the whole file: kept nodes refer to it
    ark_dialect dialect;
    bool is_plan;
    hoist_pos pos;
    hoist_rec_int rank; // 0 to WorldSize - 1 (M07)
    hoist_rec_int world_size;
    ARK_LIST(ark_node) nodes;   // models
    hoist_rec_str architecture; // plans, as all below
    hoist_rec_int processors;   // of the device: no range may be beyond (P06)
    hoist_rec_int warps;        // of each processor
    ARK_LIST(ark_task) tasks;
    ARK_LIST(ark_processor_group) groups;
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
    uint64_t present;
} ark_module;

// Tables of fields (fields.c): reader, writer, documents and schemas follow from them. `forms` of
// rows are bits 1 << ark_dialect.
extern const hoist_rec_table ark_model_table, ark_plan_table, ark_node_table, ark_op_table,
    ark_tensor_table, ark_buffer_table, ark_arg_table, ark_offset_table, ark_config_table,
    ark_task_table, ark_processor_group_table, ark_resource_group_table, ark_task_group_table;

extern const hoist_format hoist_ark_format;

// The module behind the interface of formats.
static inline const ark_module *ark_module_of(const hoist_module *module)
{
    return (const ark_module *)module;
}

#endif // HOIST_SRC_FORMATS_ARK_MODULE_H
