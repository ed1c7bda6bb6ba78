// The table of operators: which function adds the steps of each type, and by which row of
// ops/compute_ark.h. Messages between ranks are messages.c's.
#include "lower/ark/state.h"

// The row of a copy has no compute operator.
typedef struct kind {
    ark_lower_fn *lower; // NULL: no steps, or messages
    hoist_compute_op compute;
    bool is_idle; // it has no steps
} kind;

// clang-format off
static const kind kinds[ARK_OP_TYPE_COUNT] = {
    [ARK_ADD]           = {.lower = ark_lower_each, .compute = HOIST_ARK_ADD},
    [ARK_CAST]          = {.lower = ark_lower_cast, .compute = HOIST_ARK_CAST},
    [ARK_COPY]          = {.lower = ark_lower_copy},
    [ARK_DIV]           = {.lower = ark_lower_each, .compute = HOIST_ARK_DIVIDE},
    [ARK_EMBEDDING]     = {.lower = ark_lower_embedding, .compute = HOIST_ARK_EMBEDDING},
    [ARK_EXP]           = {.lower = ark_lower_each, .compute = HOIST_ARK_EXP},
    [ARK_GELU]          = {.lower = ark_lower_each, .compute = HOIST_ARK_GELU},
    [ARK_MATMUL]        = {.lower = ark_lower_matmul, .compute = HOIST_ARK_MATMUL},
    [ARK_MUL]           = {.lower = ark_lower_each, .compute = HOIST_ARK_MULTIPLY},
    [ARK_NOOP]          = {.is_idle = true},
    [ARK_PLACEHOLDER]   = {.is_idle = true},
    [ARK_REDUCE_MAX]    = {.lower = ark_lower_reduce, .compute = HOIST_ARK_REDUCE_MAX},
    [ARK_REDUCE_MEAN]   = {.lower = ark_lower_reduce, .compute = HOIST_ARK_REDUCE_MEAN},
    [ARK_REDUCE_SUM]    = {.lower = ark_lower_reduce, .compute = HOIST_ARK_REDUCE_SUM},
    [ARK_RELU]          = {.lower = ark_lower_each, .compute = HOIST_ARK_RELU},
    [ARK_RESHAPE]       = {.is_idle = true},
    [ARK_ROPE]          = {.lower = ark_lower_rope, .compute = HOIST_ARK_ROPE},
    [ARK_RSQRT]         = {.lower = ark_lower_each, .compute = HOIST_ARK_RSQRT},
    [ARK_SCALAR_ADD]    = {.lower = ark_lower_scalar, .compute = HOIST_ARK_ADD},
    [ARK_SCALAR_ASSIGN] = {.lower = ark_lower_assign},
    [ARK_SCALAR_MUL]    = {.lower = ark_lower_scalar, .compute = HOIST_ARK_MULTIPLY},
    [ARK_SEND_DONE]     = {.is_idle = true},
    [ARK_SIGMOID]       = {.lower = ark_lower_each, .compute = HOIST_ARK_SIGMOID},
    [ARK_SQRT]          = {.lower = ark_lower_each, .compute = HOIST_ARK_SQRT},
    [ARK_SUB]           = {.lower = ark_lower_each, .compute = HOIST_ARK_SUBTRACT},
    [ARK_TENSOR]        = {.is_idle = true},
    [ARK_TRANSPOSE]     = {.lower = ark_lower_transpose},
};
// clang-format on

// Unknown types are not idle: they are refused.
bool ark_lower_is_idle(ark_op_type type)
{
    return type >= 0 && type < ARK_OP_TYPE_COUNT && kinds[type].is_idle;
}

bool ark_lower_is_each(ark_op_type type)
{
    return type >= 0 && type < ARK_OP_TYPE_COUNT &&
           (kinds[type].lower == ark_lower_each || kinds[type].lower == ark_lower_scalar);
}

// A step that is not valid was reported by the checks of the file, and is refused by name.
void ark_lower_operator(const ark_lower_op *op)
{
    const ark_op_type type = op->step->type;
    const bool is_known = type >= 0 && type < ARK_OP_TYPE_COUNT && kinds[type].lower;
    if (!is_known || !op->step->valid) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         is_known ? "it has not the tensors that its type takes"
                                  : "there is no such operator");
        return;
    }
    kinds[type].lower(op, kinds[type].compute);
}
