// The table of operators: arity, arguments, rules of shapes and types. Facts: ark reference section
// 5.0 (what each type takes), 3.7 (arguments), 8.1 (communication); kernels of ARK: sections 5.1 to
// 5.4, the narrow integers [inferred].
#include "formats/ark/ops_table.h"

#include "base/span.h"

#define BIT(x) (1u << (x))

enum {
    FLOATS = BIT(ARK_FP32) | BIT(ARK_FP16) | BIT(ARK_BF16),
    WIDE = FLOATS | BIT(ARK_INT32) | BIT(ARK_UINT32), // those with arithmetic
    ALL = BIT(ARK_DTYPE_COUNT) - 1,                   // all element types
    EVERY = BIT(ARK_DIALECT_COUNT) - 1,               // all dialects
    NOT_D0 = EVERY & ~BIT(ARK_D0),
    NONE = 0, // no dialect requires it, but any may have it
};

// clang-format off
// Arguments by type, with the dialects that require them.
static const ark_arg_def matmul_args[] = {
    {"TransposeInput",     ARK_ARG_BOOL,   NOT_D0,      NULL},
    {"TransposeOther",     ARK_ARG_BOOL,   NOT_D0,      NULL},
    {"InputDimNC",         ARK_ARG_DIMS,   NONE,        NULL},
    {"OtherDimNC",         ARK_ARG_DIMS,   NONE,        NULL},
    {"ShapeMNK",           ARK_ARG_DIMS,   NONE,        NULL},
    {"StridesACDB",        ARK_ARG_DIMS,   NONE,        NULL},
    {"StridesMNK",         ARK_ARG_DIMS,   NONE,        NULL},
    {"IsInputColumnMajor", ARK_ARG_BOOL,   BIT(ARK_D0), NULL},
    {"IsOtherColumnMajor", ARK_ARG_BOOL,   BIT(ARK_D0), NULL},
};
static const ark_arg_def reduce_args[] = {
    {"Axis",               ARK_ARG_INT,    EVERY,       NULL},
    {"KeepDim",            ARK_ARG_BOOL,   EVERY,       NULL},
};
static const ark_arg_def scalar_args[] = {
    {"Factor",             ARK_ARG_FLOAT,  EVERY,       "Value"},
};
static const ark_arg_def assign_args[] = {
    {"Value",              ARK_ARG_FLOAT,  EVERY,       NULL},
};
static const ark_arg_def transpose_args[] = {
    {"Permutation",        ARK_ARG_DIMS,   EVERY,       NULL},
};
static const ark_arg_def packet_args[] = {
    {"Flag",               ARK_ARG_UINT32, EVERY,       NULL},
};
static const ark_arg_def reduce_send_args[] = {
    {"NPeers",             ARK_ARG_UINT32, EVERY,       NULL},
    {"Rank",               ARK_ARG_INT,    EVERY,       NULL},
};
static const ark_arg_def reduce_packet_args[] = {
    {"Flag",               ARK_ARG_UINT32, EVERY,       NULL},
    {"NPeers",             ARK_ARG_UINT32, EVERY,       NULL},
    {"Rank",               ARK_ARG_INT,    EVERY,       NULL},
};
static const ark_arg_def sync_args[] = {
    {"Rank",               ARK_ARG_INT,    EVERY,       NULL},
    {"PeerNum",            ARK_ARG_INT,    EVERY,       NULL},
};

#define ARGS(rows) HOIST_COUNT_OF(rows), rows
#define NO_ARGS 0, NULL

// Rows that several types have. Reads, writes and results have exactly as many; every element type
// is possible, and ARK has kernels for those with arithmetic.
#define PAIR    {2, 2}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_PAIR, true, ALL, WIDE, NO_ARGS
#define UNARY   {1, 1}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_INTO, true, ALL, WIDE, NO_ARGS
#define SCALAR  {1, 1}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_INTO, true, ALL, WIDE, \
                ARGS(scalar_args)
#define REDUCE  {1, 1}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_REDUCE, true, ALL, WIDE, \
                ARGS(reduce_args)

static const ark_op_def defs[ARK_OP_TYPE_COUNT] = {
    // type               reads   writes  results class              shape  one type  possible  kernels
    [ARK_ADD]          = {PAIR},
    [ARK_CAST]         = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_INTO, false, ALL, ALL,
                          NO_ARGS},
    [ARK_COPY]         = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_INTO, true, ALL, ALL,
                          NO_ARGS},
    [ARK_DEVICE_SYNC]  = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false, ALL, ALL,
                          ARGS(sync_args)},
    [ARK_DIV]          = {PAIR},
    [ARK_EMBEDDING]    = {{2, 2}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_EMBEDDING, false, ALL,
                          ALL, NO_ARGS},
    [ARK_EXP]          = {UNARY},
    [ARK_GELU]         = {UNARY},
    [ARK_MATMUL]       = {{2, 2}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_MATMUL, true, FLOATS,
                          FLOATS, ARGS(matmul_args)},
    [ARK_MUL]          = {PAIR},
    [ARK_NOOP]         = {{1, 1}, {0, 0}, {0, 0}, ARK_CLASS_NOTHING, ARK_SHAPE_ANY, false, ALL, ALL,
                          NO_ARGS},
    [ARK_PLACEHOLDER]  = {{0, 0}, {0, 0}, {1, 1}, ARK_CLASS_VIRTUAL, ARK_SHAPE_ANY, false, ALL, ALL,
                          NO_ARGS},
    [ARK_RECV]         = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false, ALL, ALL,
                          NO_ARGS},
    [ARK_RECV_PACKET]  = {{2, 2}, {1, 1}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false, ALL, ALL,
                          ARGS(packet_args)},
    // As many proxies as NPeers says, after the output.
    [ARK_RECV_REDUCE_SEND] = {{2, 2}, {2, ARK_MANY}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false,
                              ALL, WIDE, ARGS(reduce_send_args)},
    [ARK_RECV_REDUCE_SEND_PACKET] = {{2, 2}, {2, ARK_MANY}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY,
                                     false, ALL, WIDE, ARGS(reduce_packet_args)},
    [ARK_REDUCE_MAX]   = {REDUCE},
    [ARK_REDUCE_MEAN]  = {REDUCE},
    [ARK_REDUCE_SUM]   = {REDUCE},
    [ARK_RELU]         = {UNARY},
    [ARK_RESHAPE]      = {{1, 1}, {0, 0}, {1, 1}, ARK_CLASS_VIRTUAL, ARK_SHAPE_VIEW, false, ALL, ALL,
                          NO_ARGS},
    [ARK_ROPE]         = {{2, 2}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_ROPE, true, ALL, WIDE,
                          NO_ARGS},
    [ARK_RSQRT]        = {UNARY},
    [ARK_SCALAR_ADD]   = {SCALAR},
    [ARK_SCALAR_ASSIGN] = {{0, 0}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_ANY, true, ALL, ALL,
                           ARGS(assign_args)},
    [ARK_SCALAR_MUL]   = {SCALAR},
    [ARK_SEND]         = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false, ALL, ALL,
                          NO_ARGS},
    [ARK_SEND_DONE]    = {{1, 1}, {0, 0}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false, ALL, ALL,
                          NO_ARGS},
    [ARK_SEND_PACKET]  = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_MESSAGE, ARK_SHAPE_ANY, false, ALL, ALL,
                          ARGS(packet_args)},
    [ARK_SIGMOID]      = {UNARY},
    [ARK_SQRT]         = {UNARY},
    [ARK_SUB]          = {PAIR},
    // A declaration, a view of read 0, or that after all other reads.
    [ARK_TENSOR]       = {{0, ARK_MANY}, {0, 0}, {1, 1}, ARK_CLASS_VIRTUAL, ARK_SHAPE_VIEW, false, ALL,
                          ALL, NO_ARGS},
    [ARK_TRANSPOSE]    = {{1, 1}, {1, 1}, {1, 1}, ARK_CLASS_COMPUTE, ARK_SHAPE_TRANSPOSE, true, ALL,
                          ALL, ARGS(transpose_args)},
};
// clang-format on

const ark_op_def *ark_op_def_of(int type)
{
    return type >= 0 && type < ARK_OP_TYPE_COUNT ? &defs[type] : NULL;
}

const ark_arg_def *ark_arg_def_find(const ark_op_def *def, hoist_str name)
{
    for (uint8_t i = 0; i < def->arg_count; i++) {
        const ark_arg_def *const arg = &def->args[i];
        if (hoist_str_equal_c(name, arg->name) ||
            (arg->former && hoist_str_equal_c(name, arg->former))) {
            return arg;
        }
    }
    return NULL;
}
