// ops/op.h - the operator table: what verifier, checker, planner, printer and docs know of an op.
// No data is touched here.
//
// One row per operator type (op_table.c) and one per attribute (attr_table.c). Facts: buda-netlist
// reference sections 1.6 and 1.10.
#ifndef HOIST_SRC_OPS_OP_H
#define HOIST_SRC_OPS_OP_H

#include "hoist/base.h"

typedef enum hoist_op {
    HOIST_OP_NONE = 0,
    HOIST_OP_ADD,
    HOIST_OP_SUBTRACT,
    HOIST_OP_MULTIPLY,
    HOIST_OP_MAXIMUM,
    HOIST_OP_QUANTIZATION,
    HOIST_OP_DEQUANTIZATION,
    HOIST_OP_REQUANTIZATION,
    HOIST_OP_NOP,
    HOIST_OP_DATACOPY,
    HOIST_OP_EXP,
    HOIST_OP_LOG,
    HOIST_OP_SQRT,
    HOIST_OP_GELU,
    HOIST_OP_GELU_DERIVATIVE,
    HOIST_OP_RECIPROCAL,
    HOIST_OP_SIGMOID,
    HOIST_OP_TANH,
    HOIST_OP_ABS,
    HOIST_OP_SINE,
    HOIST_OP_COSINE,
    HOIST_OP_DROPOUT,
    HOIST_OP_SQUARE,
    HOIST_OP_POWER,
    HOIST_OP_LRELU,
    HOIST_OP_MATMUL,
    HOIST_OP_DEPTHWISE,
    HOIST_OP_REDUCE,
    HOIST_OP_SPLICE,
    HOIST_OP_FUSED,
    HOIST_OP_ETHERNET_DATACOPY,
    HOIST_OP_TILIZER,
    HOIST_OP_TOPK,
    HOIST_OP_EMBEDDING,
    HOIST_OP_BUFFER,
    HOIST_OP_DRAINER,
    HOIST_OP_COUNT,
} hoist_op;

typedef enum hoist_op_family {
    HOIST_FAMILY_NONE = 0,
    HOIST_FAMILY_BINARY,
    HOIST_FAMILY_UNARY, // nop, datacopy
    HOIST_FAMILY_SFPU,  // unary on the vector unit
    HOIST_FAMILY_MATMUL,
    HOIST_FAMILY_DEPTHWISE,
    HOIST_FAMILY_REDUCE,
    HOIST_FAMILY_SPLICE,
    HOIST_FAMILY_FUSED,
    HOIST_FAMILY_ETHERNET,
    HOIST_FAMILY_TILIZER,
    HOIST_FAMILY_TOPK,
    HOIST_FAMILY_EMBEDDING,
    HOIST_FAMILY_BUFFER,
    HOIST_FAMILY_DRAINER,
    HOIST_FAMILY_COUNT,
} hoist_op_family;

// A set of families: bit HOIST_FAMILY_x.
#define HOIST_FAMILY_BIT(family) (1u << (family))

typedef struct hoist_op_def {
    const char *name; // as netlists spell it
    hoist_op_family family;
    uint8_t min_inputs;
    uint8_t max_inputs; // UINT8_MAX: no limit of its own
    bool in_fused;      // may be a sub-op of a fused op
    bool integer_ok;    // has an integer form (rule 52)
} hoist_op_def;

// The row of `op`; the row of HOIST_OP_NONE when out of range. Static, never NULL.
const hoist_op_def *hoist_op_get(hoist_op op);
// Finds an op by its name; HOIST_OP_NONE when unknown.
hoist_op hoist_op_find(hoist_str name);

typedef enum hoist_attr {
    HOIST_ATTR_NONE = 0,
    HOIST_ATTR_KERNEL_BROADCAST,
    HOIST_ATTR_KERNEL_BROADCAST_PER_T,
    HOIST_ATTR_SINGLE_TILE,
    HOIST_ATTR_M_K,
    HOIST_ATTR_U_KT,
    HOIST_ATTR_BIAS,
    HOIST_ATTR_SFPU_OP,
    HOIST_ATTR_ACCUMULATE,
    HOIST_ATTR_Z,
    HOIST_ATTR_VECTOR,
    HOIST_ATTR_APPROXIMATE_MODE,
    HOIST_ATTR_RELU_EN,
    HOIST_ATTR_RELU_THRESHOLD,
    HOIST_ATTR_RELU_MODE,
    HOIST_ATTR_SRND_FPU_EN,
    HOIST_ATTR_STOCH_RND_MODE,
    HOIST_ATTR_ZERO_POINT,
    HOIST_ATTR_INGRESS_CHANNELS,
    HOIST_ATTR_EGRESS_CHANNELS,
    HOIST_ATTR_DEST_DEVICE,
    HOIST_ATTR_IDENTITY,
    HOIST_ATTR_NUM_SPARSE_TILES,
    HOIST_ATTR_NUM_COLUMNS,
    HOIST_ATTR_INDICES_LEN,
    HOIST_ATTR_FRACTURE_FACTOR,
    HOIST_ATTR_STARTING_ROW,
    HOIST_ATTR_ACT_T,
    HOIST_ATTR_NUM_INDEX_TILES,
    HOIST_ATTR_SPARSE_TILE_PTR_BITS,
    HOIST_ATTR_SPARSE_UBLOCK_IDX_BITS,
    HOIST_ATTR_NUM_NZ_STRIPS,
    HOIST_ATTR_MIN_BUFFER_INPUT,
    HOIST_ATTR_L1_ACC,
    HOIST_ATTR_DIM,
    HOIST_ATTR_TYPE,
    HOIST_ATTR_P,
    HOIST_ATTR_SEED,
    HOIST_ATTR_SLOPE,
    HOIST_ATTR_EXP,
    HOIST_ATTR_FUSED_OP_ID,
    HOIST_ATTR_GRANULARITY,
    HOIST_ATTR_INPUT, // input0 ... input7 of splice: [index, length, stride]
    HOIST_ATTR_NUM_INDICES,
    HOIST_ATTR_SFPU_EXECUTION_THREAD,
    HOIST_ATTR_REQUANT,
    HOIST_ATTR_DEQUANT,
    HOIST_ATTR_K,
    HOIST_ATTR_SORT,
    HOIST_ATTR_KREDUCE,
    HOIST_ATTR_COUNT,
} hoist_attr;

typedef enum hoist_attr_kind {
    HOIST_ATTR_KIND_NONE = 0,
    HOIST_ATTR_KIND_INT,
    HOIST_ATTR_KIND_FLOAT,
    HOIST_ATTR_KIND_BOOL,
    HOIST_ATTR_KIND_WORD,      // one of `words`
    HOIST_ATTR_KIND_NAME,      // free text
    HOIST_ATTR_KIND_INTS,      // list of int
    HOIST_ATTR_KIND_INPUT_MAP, // {input_N: int}
} hoist_attr_kind;

typedef struct hoist_attr_def {
    const char *name;
    hoist_attr_kind kind;
    uint32_t families; // HOIST_FAMILY_BIT set of op families that take it
    hoist_op extra_op; // one more op that takes it (dropout's p); HOIST_OP_NONE: no
    bool in_fused;     // may be on a sub-op of a fused op
    double min;        // INT, FLOAT, items of INTS, values of INPUT_MAP
    double max;
    uint32_t zero_families;   // families where the only value is 0
    const char *const *words; // WORD: NULL-terminated; the value is the index
    const char *summary;      // one line for docs
} hoist_attr_def;

// The row of `attr`; the row of HOIST_ATTR_NONE when out of range. Static, never NULL.
const hoist_attr_def *hoist_attr_get(hoist_attr attr);
// Finds by name ("input3" gives HOIST_ATTR_INPUT); HOIST_ATTR_NONE when unknown.
hoist_attr hoist_attr_find(hoist_str name);
// True when `attr` may be on `op`, which is an op of a graph.
bool hoist_attr_fits(hoist_attr attr, hoist_op op);
// True when `attr` may be on a sub-op of a fused op, of whatever type.
bool hoist_attr_fits_sub_op(hoist_attr attr);
// Index of `word` in the words of `attr`, -1 when it is none of them.
int hoist_attr_word(const hoist_attr_def *def, hoist_str word);

#endif // HOIST_SRC_OPS_OP_H
