// Operators of one rank in the evaluator (ark_eval.h): section 5 of the ark reference, one function
// for each kind. In: an operator and the memory before it. Out: the memory after it.
#include <math.h>

#include "base/span.h"
#include "testing/ark_eval_state.h"

typedef ark_eval_block block;

const ark_arg *ark_eval_arg(const ark_op *op, const char *name)
{
    for (size_t i = 0; i < op->args.count; i++) {
        if (hoist_str_equal_c(op->args.items[i].name.text, name)) {
            return &op->args.items[i];
        }
    }
    return NULL;
}

// An operator with its operands, and the block that it is to fill.
typedef struct call {
    const ark_op *op;
    ark_op_type type;
    block x, y;
    block out;
} call;

// Element by element -----------------------------------------------------------------------------

static ark_eval_number element(const call *c, const int64_t *at)
{
    const ark_eval_number x = c->x.items[ark_eval_index(&c->x, at)];
    const ark_dtype dtype = c->out.dtype;
    const ark_arg *const factor = ark_eval_arg(c->op, "Factor");
    const ark_arg *const value = ark_eval_arg(c->op, "Value");
    switch (c->type) {
    case ARK_ADD:
    case ARK_SUB:
    case ARK_MUL:
    case ARK_DIV:
        return ark_eval_binary(c->type, dtype, x, c->y.items[ark_eval_index(&c->y, at)]);
    case ARK_SCALAR_ADD:
    case ARK_SCALAR_MUL:
        return ark_eval_binary(c->type == ARK_SCALAR_ADD ? ARK_ADD : ARK_MUL, dtype, x,
                               ark_eval_constant(dtype, (factor ? factor : value)->number.value));
    case ARK_SCALAR_ASSIGN:
        return ark_eval_constant(dtype, value->number.value);
    case ARK_CAST:
        return ark_eval_cast(c->x.dtype, dtype, x);
    case ARK_COPY:
        return x;
    default:
        return ark_eval_unary(c->type, dtype, x);
    }
}

static bool elements(ark_eval *eval, call *c)
{
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    (void)eval;
    do {
        c->out.items[i++] = element(c, at);
    } while (ark_eval_step(c->out.shape, at));
    return true;
}

// Pairs of the last dimension: (x0 y0 - x1 y1, x0 y1 + x1 y0), each product rounded.
static bool rope(ark_eval *eval, call *c)
{
    const ark_dtype dtype = c->out.dtype;
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    (void)eval;
    do {
        const int64_t last = at[ARK_EVAL_DIMS - 1];
        int64_t even[ARK_EVAL_DIMS] = {at[0], at[1], at[2], last - last % 2};
        int64_t odd[ARK_EVAL_DIMS] = {at[0], at[1], at[2], last - last % 2 + 1};
        const ark_eval_number x0 = c->x.items[ark_eval_index(&c->x, even)];
        const ark_eval_number x1 = c->x.items[ark_eval_index(&c->x, odd)];
        const ark_eval_number y0 = c->y.items[ark_eval_index(&c->y, even)];
        const ark_eval_number y1 = c->y.items[ark_eval_index(&c->y, odd)];
        const bool is_odd = last % 2 != 0;
        c->out.items[i++] = ark_eval_binary(is_odd ? ARK_ADD : ARK_SUB, dtype,
                                            ark_eval_binary(ARK_MUL, dtype, x0, is_odd ? y1 : y0),
                                            ark_eval_binary(ARK_MUL, dtype, x1, is_odd ? y0 : y1));
    } while (ark_eval_step(c->out.shape, at));
    return true;
}

// Reductions and products ------------------------------------------------------------------------

static ark_eval_number reduced(const call *c, size_t axis, int64_t *at)
{
    ark_eval_fold fold = {.dtype = c->out.dtype};
    ark_eval_number most = ark_eval_lowest(c->out.dtype);
    for (at[axis] = 0; at[axis] < c->x.shape[axis]; at[axis]++) {
        const ark_eval_number x = c->x.items[ark_eval_index(&c->x, at)];
        ark_eval_add(&fold, x);
        most = ark_eval_greater(c->out.dtype, most, x);
    }
    at[axis] = 0;
    return c->type == ARK_REDUCE_MAX   ? most
           : c->type == ARK_REDUCE_SUM ? ark_eval_sum(&fold)
                                       : ark_eval_mean(&fold);
}

static bool reduce(ark_eval *eval, call *c)
{
    const ark_arg *const arg = ark_eval_arg(c->op, "Axis");
    const int64_t given = arg->integer.value;
    const size_t rank = c->x.rank;
    const size_t axis = ARK_EVAL_DIMS - rank + (size_t)(given < 0 ? given + (int64_t)rank : given);
    int64_t kept[ARK_EVAL_DIMS];
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    (void)eval;
    for (size_t k = 0; k < ARK_EVAL_DIMS; k++) {
        kept[k] = k == axis ? 1 : c->x.shape[k];
    }
    // The order of elements does not depend on whether the axis is kept.
    do {
        c->out.items[i++] = reduced(c, axis, at);
    } while (ark_eval_step(kept, at));
    return i == c->out.count;
}

static bool is_set(const call *c, const char *name)
{
    const ark_arg *const arg = ark_eval_arg(c->op, name);
    return arg && arg->boolean.value;
}

// A matrix operand: extents of rows and columns as it is multiplied, of a vector as section 5.2 has
// them.
typedef struct matrix {
    const block *of;
    int64_t rows, columns;
    bool transposed;
} matrix;

static matrix matrix_of(const block *of, bool is_second, bool transposed)
{
    int64_t rows = of->shape[2];
    int64_t columns = of->shape[3];
    if (of->rank == 1 && is_second) { // [k] is k rows of one column
        rows = columns;
        columns = 1;
    }
    return (matrix){of, transposed ? columns : rows, transposed ? rows : columns, transposed};
}

static ark_eval_number matrix_at(const matrix *m, const int64_t *batch, int64_t row, int64_t column)
{
    const int64_t stored_columns = m->transposed ? m->rows : m->columns;
    const int64_t n = m->of->shape[0] == 1 ? 0 : batch[0];
    const int64_t c = m->of->shape[1] == 1 ? 0 : batch[1];
    const int64_t index =
        m->transposed ? column * stored_columns + row : row * stored_columns + column;
    return m->of->items[(n * m->of->shape[1] + c) * m->rows * m->columns + index];
}

static bool matmul(ark_eval *eval, call *c)
{
    const matrix a = matrix_of(&c->x, false, is_set(c, "TransposeInput"));
    const matrix b = matrix_of(&c->y, true, is_set(c, "TransposeOther"));
    const int64_t shape[ARK_EVAL_DIMS] = {c->out.shape[0], c->out.shape[1], a.rows, b.columns};
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    (void)eval;
    if (a.columns != b.rows ||
        (size_t)(shape[0] * shape[1] * shape[2] * shape[3]) != c->out.count) {
        return false;
    }
    do {
        ark_eval_fold fold = {.dtype = c->out.dtype};
        bool unknown = false;
        for (int64_t k = 0; k < a.columns; k++) {
            const ark_eval_number x = matrix_at(&a, at, at[2], k);
            const ark_eval_number y = matrix_at(&b, at, k, at[3]);
            unknown = unknown || isinf(x.error) || isinf(y.error);
            ark_eval_add_product(&fold, x, y);
        }
        c->out.items[i] = ark_eval_sum(&fold);
        c->out.items[i].error = unknown ? INFINITY : c->out.items[i].error;
        i++;
    } while (ark_eval_step(shape, at));
    return true;
}

// Moves ------------------------------------------------------------------------------------------

static bool transpose(ark_eval *eval, call *c)
{
    const ark_arg *const arg = ark_eval_arg(c->op, "Permutation");
    const size_t missing = ARK_EVAL_DIMS - c->x.rank;
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    (void)eval;
    do {
        int64_t from[ARK_EVAL_DIMS] = {0};
        for (size_t k = 0; k < c->x.rank; k++) {
            from[missing + (size_t)arg->dims.items[k].value] = at[missing + k];
        }
        c->out.items[i++] = c->x.items[ark_eval_index(&c->x, from)];
    } while (ark_eval_step(c->out.shape, at));
    return true;
}

// A row of the second operand for each index; a negative one counts from the end.
static bool embedding(ark_eval *eval, call *c)
{
    const int64_t rows = c->y.shape[2];
    const size_t columns = (size_t)c->y.shape[3];
    (void)eval;
    for (size_t i = 0; i < c->x.count; i++) {
        const int64_t given = c->x.items[i].integer;
        const int64_t row = given < 0 ? given + rows : given;
        if (row < 0 || row >= rows || c->x.items[i].error > 0) {
            return false;
        }
        for (size_t k = 0; k < columns; k++) {
            c->out.items[i * columns + k] = c->y.items[(size_t)row * columns + k];
        }
    }
    return true;
}

// Operators --------------------------------------------------------------------------------------

typedef bool operation(ark_eval *eval, call *c);

static operation *operation_of(ark_op_type type)
{
    switch (type) {
    case ARK_ROPE:
        return rope;
    case ARK_REDUCE_SUM:
    case ARK_REDUCE_MAX:
    case ARK_REDUCE_MEAN:
        return reduce;
    case ARK_MATMUL:
        return matmul;
    case ARK_TRANSPOSE:
        return transpose;
    case ARK_EMBEDDING:
        return embedding;
    default:
        return elements;
    }
}

bool ark_eval_compute(ark_eval *eval, size_t rank, const ark_op *op)
{
    // Stands for the operands that an operator has not.
    ark_eval_number zero = {0};
    const block none = {.shape = {1, 1, 1, 1}, .count = 1, .items = &zero};
    call c = {.op = op, .type = (ark_op_type)op->type.value, .x = none, .y = none};
    if (c.type == ARK_TENSOR || c.type == ARK_PLACEHOLDER || c.type == ARK_RESHAPE ||
        c.type == ARK_NOOP) {
        return true;
    }
    block *const operands[] = {&c.x, &c.y};
    for (size_t i = 0; i < op->reads.count && i < HOIST_COUNT_OF(operands); i++) {
        const ark_eval_memory *const memory = ark_eval_memory_of(eval, rank, &op->reads.items[i]);
        if (!memory) {
            return false;
        }
        *operands[i] = ark_eval_read(eval, &op->reads.items[i], memory);
    }
    ark_eval_memory *const to = ark_eval_memory_of(eval, rank, &op->writes.items[0]);
    c.out = ark_eval_block_of(eval, &op->writes.items[0]);
    if (!to || !operation_of(c.type)(eval, &c)) {
        return false;
    }
    ark_eval_write(&c.out, &op->writes.items[0], to);
    return true;
}
