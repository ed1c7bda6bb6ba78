// The closed sets of words of ARK files: types of operators and of elements, and dialects. The
// index of a spelling is the value that the model keeps.
#include "formats/ark/module.h"

// clang-format off
static const char *const op_types[] = {
    [ARK_ADD] = "Add",                     [ARK_CAST] = "Cast",
    [ARK_COPY] = "Copy",                   [ARK_DEVICE_SYNC] = "DeviceSync",
    [ARK_DIV] = "Div",                     [ARK_EMBEDDING] = "Embedding",
    [ARK_EXP] = "Exp",                     [ARK_GELU] = "Gelu",
    [ARK_MATMUL] = "Matmul",               [ARK_MUL] = "Mul",
    [ARK_NOOP] = "Noop",                   [ARK_PLACEHOLDER] = "Placeholder",
    [ARK_RECV] = "Recv",                   [ARK_RECV_PACKET] = "RecvPacket",
    [ARK_RECV_REDUCE_SEND] = "RecvReduceSend",
    [ARK_RECV_REDUCE_SEND_PACKET] = "RecvReduceSendPacket",
    [ARK_REDUCE_MAX] = "ReduceMax",        [ARK_REDUCE_MEAN] = "ReduceMean",
    [ARK_REDUCE_SUM] = "ReduceSum",        [ARK_RELU] = "Relu",
    [ARK_RESHAPE] = "Reshape",             [ARK_ROPE] = "Rope",
    [ARK_RSQRT] = "Rsqrt",                 [ARK_SCALAR_ADD] = "ScalarAdd",
    [ARK_SCALAR_ASSIGN] = "ScalarAssign",  [ARK_SCALAR_MUL] = "ScalarMul",
    [ARK_SEND] = "Send",                   [ARK_SEND_DONE] = "SendDone",
    [ARK_SEND_PACKET] = "SendPacket",      [ARK_SIGMOID] = "Sigmoid",
    [ARK_SQRT] = "Sqrt",                   [ARK_SUB] = "Sub",
    [ARK_TENSOR] = "Tensor",               [ARK_TRANSPOSE] = "Transpose",
};

static const struct {
    const char *name;
    hoist_dtype dtype;
} dtypes[ARK_DTYPE_COUNT] = {
    [ARK_FP32] = {"FP32", HOIST_DTYPE_F32},     [ARK_FP16] = {"FP16", HOIST_DTYPE_F16},
    [ARK_BF16] = {"BF16", HOIST_DTYPE_BF16},    [ARK_INT32] = {"INT32", HOIST_DTYPE_I32},
    [ARK_UINT32] = {"UINT32", HOIST_DTYPE_U32}, [ARK_INT8] = {"INT8", HOIST_DTYPE_I8},
    [ARK_UINT8] = {"UINT8", HOIST_DTYPE_U8},    [ARK_BYTE] = {"BYTE", HOIST_DTYPE_U8},
};

static const char *const dialects[] = {
    [ARK_D0] = "d0", [ARK_D1] = "d1", [ARK_D2A] = "d2a",
    [ARK_D2] = "d2", [ARK_D3] = "d3", [ARK_D4] = "d4",
};
// clang-format on

const hoist_rec_words ark_op_types = {
    .names = op_types, .stride = sizeof(*op_types), .count = ARK_OP_TYPE_COUNT};
const hoist_rec_words ark_dtypes = {
    .names = &dtypes[0].name, .stride = sizeof(*dtypes), .count = ARK_DTYPE_COUNT};

// By the table, whose last row is BYTE.
hoist_dtype ark_dtype_of(int dtype)
{
    return dtype < 0 ? HOIST_DTYPE_NONE : dtypes[dtype].dtype;
}

const char *ark_dialect_name(ark_dialect dialect)
{
    return dialects[dialect];
}
