// Operators of one rank in random ARK models (ark_generator.h): a type is drawn, then element
// types, shapes and operands that it takes (ark reference section 5).
#include "base/span.h"
#include "testing/ark_generator_state.h"

// Arguments --------------------------------------------------------------------------------------

static hoist_str factor(gen *g, const char *name, bool is_integer)
{
    static const char *const numbers[] = {
        "0.10000000149011612",  "-1.5", "2.0", "0.0", "3.0", "-0.25", "100.0",
        "9.999999747378752e-06"};
    static const char *const integers[] = {"1.0", "-3.0", "2.0", "0.0",
                                           "7.0", "2.5",  "3.5", "-100.0"};
    return gen_format(g, "\"%s\":{\"FLOAT\":%s}", name,
                      (is_integer ? integers : numbers)[gen_number(g, 8)]);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

// Element by element -----------------------------------------------------------------------------

static void add_pair(gen *g, gen_rank *r, ark_op_type type)
{
    const bool is_rope = type == ARK_ROPE;
    const ark_dtype dtype = is_rope ? gen_float(g) : gen_dtype(g);
    int64_t shape[GEN_DIMS];
    int64_t narrow[GEN_DIMS];
    bool kept[GEN_DIMS] = {false};
    const size_t rank = gen_shape(g, 1, shape);
    if (is_rope) {
        shape[rank - 1] += shape[rank - 1] % 2;
        kept[rank - 1] = true;
    }
    gen_op *const op = gen_new_op(g, r, type);
    const size_t x_rank = gen_narrow(g, rank, shape, kept, narrow);
    const gen_tensor *const x = gen_input(g, r, dtype, x_rank, narrow, true);
    gen_read(op, x);
    kept[rank - 1] = kept[rank - 1] || is_rope;
    // The one that is not narrow has all dimensions.
    if (x_rank < rank) {
        kept[0] = true;
    }
    const size_t y_rank = gen_narrow(g, rank, shape, kept, narrow);
    const gen_tensor *y = NULL;
    if (type == ARK_DIV && !gen_is_float(dtype)) {
        gen_tensor *const divisor =
            gen_new_tensor(r, dtype, y_rank, narrow, gen_new_buffer(r, -1, dtype));
        divisor->buffer->is_fixed = true;
        divisor->buffer->memory.content = ARK_GEN_DIVISORS;
        y = divisor;
    } else {
        y = gen_input(g, r, dtype, y_rank, narrow, true);
    }
    gen_read(op, y);
    gen_write(op, gen_output(g, r, dtype, rank, shape, gen_chance(g, 50) ? x : y));
    (void)gen_end(g, r, op, true);
}

static void add_single(gen *g, gen_rank *r, ark_op_type type)
{
    const bool is_math = type == ARK_EXP || type == ARK_SQRT || type == ARK_RSQRT ||
                         type == ARK_GELU || type == ARK_SIGMOID;
    const ark_dtype dtype = is_math ? gen_float(g) : gen_dtype(g);
    const ark_dtype to = type == ARK_CAST ? gen_dtype(g) : dtype;
    int64_t shape[GEN_DIMS];
    int64_t narrow[GEN_DIMS];
    bool kept[GEN_DIMS] = {false};
    gen_op *const op = gen_new_op(g, r, type);
    const gen_tensor *x = gen_any(g, r, dtype);
    size_t rank = x->rank;
    for (size_t k = 0; k < rank; k++) {
        shape[k] = x->shape[k];
    }
    if (gen_chance(g, 25)) {
        rank = gen_shape(g, 1, shape);
        const size_t own = gen_narrow(g, rank, shape, kept, narrow);
        x = gen_input(g, r, dtype, own, narrow, true);
    }
    gen_read(op, x);
    gen_write(op, gen_output(g, r, to, rank, shape, x));
    if (type == ARK_SCALAR_ADD || type == ARK_SCALAR_MUL) {
        op->args = factor(g, "Factor", !gen_is_float(dtype));
    }
    (void)gen_end(g, r, op, true);
}

static void add_assign(gen *g, gen_rank *r, ark_op_type type)
{
    const ark_dtype dtype = gen_dtype(g);
    int64_t shape[GEN_DIMS];
    gen_op *const op = gen_new_op(g, r, type);
    const size_t rank = gen_shape(g, 1, shape);
    gen_write(op, gen_output(g, r, dtype, rank, shape, NULL));
    op->args = factor(g, "Value", !gen_is_float(dtype));
    (void)gen_end(g, r, op, true);
}

// Reductions, products, moves --------------------------------------------------------------------

static void add_reduce(gen *g, gen_rank *r, ark_op_type type)
{
    const ark_dtype dtype = gen_dtype(g);
    gen_op *const op = gen_new_op(g, r, type);
    const gen_tensor *const x = gen_any(g, r, dtype);
    const size_t axis = (size_t)gen_number(g, x->rank);
    const bool keep = gen_chance(g, 50);
    int64_t shape[GEN_DIMS] = {1};
    size_t rank = 0;
    for (size_t k = 0; k < x->rank; k++) {
        if (k != axis || keep) {
            shape[rank++] = k == axis ? 1 : x->shape[k];
        }
    }
    gen_read(op, x);
    // Its output is not the object that it reads.
    gen_write(op, gen_output(g, r, dtype, rank ? rank : 1, shape, NULL));
    op->args =
        gen_format(g, "\"Axis\":{\"INT\":%d},\"KeepDim\":{\"BOOL\":%s}", (int)axis, truth(keep));
    (void)gen_end(g, r, op, true);
}

// The operand of a matmul: a batch, then the two dimensions as they are stored.
static void factor_shape(gen *g, size_t rank, int64_t rows, int64_t columns, const int64_t *batch,
                         int64_t *shape)
{
    for (size_t k = 0; k + 2 < rank; k++) {
        shape[k] = gen_chance(g, 25) ? 1 : batch[GEN_DIMS - rank + k];
    }
    shape[rank - 2] = rows;
    shape[rank - 1] = columns;
}

static void add_matmul(gen *g, gen_rank *r, ark_op_type type)
{
    const ark_dtype dtype = gen_float(g);
    const bool transposed[2] = {gen_chance(g, 40), gen_chance(g, 40)};
    const int64_t batch[2] = {1 + (int64_t)gen_number(g, 3), 1 + (int64_t)gen_number(g, 3)};
    const int64_t m = 1 + (int64_t)gen_number(g, 8);
    const int64_t n = 1 + (int64_t)gen_number(g, gen_chance(g, 20) ? 40 : 8);
    const int64_t k = 1 + (int64_t)gen_number(g, gen_chance(g, 20) ? 60 : 9);
    int64_t shapes[2][GEN_DIMS] = {{0}};
    int64_t out[GEN_DIMS] = {1, 1, m, n};
    size_t ranks[2] = {2 + (size_t)gen_number(g, 3), 2 + (size_t)gen_number(g, 3)};
    factor_shape(g, ranks[0], transposed[0] ? k : m, transposed[0] ? m : k, batch, shapes[0]);
    factor_shape(g, ranks[1], transposed[1] ? n : k, transposed[1] ? k : n, batch, shapes[1]);
    for (size_t i = 0; i < 2; i++) {
        for (size_t d = 0; d + 2 < ranks[i]; d++) {
            int64_t *const extent = &out[GEN_DIMS - ranks[i] + d];
            *extent = shapes[i][d] > *extent ? shapes[i][d] : *extent;
        }
        // A vector is a row of the first operand, a column of the second.
        const size_t one = i ? 1 : 0;
        if (ranks[i] == 2 && shapes[i][one] == 1 && gen_chance(g, 60)) {
            shapes[i][0] = shapes[i][0] * shapes[i][1];
            ranks[i] = 1;
        }
    }
    const size_t most = ranks[0] > ranks[1] ? ranks[0] : ranks[1];
    const size_t rank = most < 2 ? 2 : most;
    gen_op *const op = gen_new_op(g, r, type);
    for (size_t i = 0; i < 2; i++) {
        gen_read(op, gen_input(g, r, dtype, ranks[i], shapes[i], false));
    }
    gen_write(op, gen_exact_output(g, r, dtype, rank, out + GEN_DIMS - rank));
    op->args = gen_format(g, "\"TransposeInput\":{\"BOOL\":%s},\"TransposeOther\":{\"BOOL\":%s}",
                          truth(transposed[0]), truth(transposed[1]));
    (void)gen_end(g, r, op, true);
}

static void add_transpose(gen *g, gen_rank *r, ark_op_type type)
{
    const ark_dtype dtype = gen_dtype(g);
    gen_op *const op = gen_new_op(g, r, type);
    const gen_tensor *const x = gen_any(g, r, dtype);
    int64_t shape[GEN_DIMS];
    size_t order[GEN_DIMS] = {0, 1, 2, 3};
    hoist_str list = HOIST_STR("");
    for (size_t k = 0; k < x->rank; k++) {
        const size_t other = k + (size_t)gen_number(g, x->rank - k);
        const size_t chosen = order[other];
        order[other] = order[k];
        order[k] = chosen;
        shape[k] = x->shape[chosen];
        list = gen_format(g, "%.*s%s%d", HOIST_STR_ARGS(list), k ? "," : "", (int)chosen);
    }
    gen_read(op, x);
    gen_write(op, gen_output(g, r, dtype, x->rank, shape, NULL));
    op->args = gen_format(g, "\"Permutation\":{\"DIMS\":[%.*s]}", HOIST_STR_ARGS(list));
    (void)gen_end(g, r, op, true);
}

static void add_embedding(gen *g, gen_rank *r, ark_op_type type)
{
    const ark_dtype dtype = gen_dtype(g);
    const int64_t weight[2] = {1 + (int64_t)gen_number(g, 6), 1 + (int64_t)gen_number(g, 9)};
    const size_t rank = 1 + (size_t)gen_number(g, 3);
    int64_t out[GEN_DIMS] = {1, 1, 1, weight[1]};
    gen_op *const op = gen_new_op(g, r, type);
    for (size_t k = 0; k < rank; k++) {
        out[3 - rank + k] = 1 + (int64_t)gen_number(g, 3);
    }
    gen_tensor *const index =
        gen_new_tensor(r, ARK_INT32, rank, out + 3 - rank, gen_new_buffer(r, -1, ARK_INT32));
    index->buffer->is_fixed = true;
    index->buffer->memory.content = ARK_GEN_INDEXES;
    index->buffer->memory.limit = weight[0];
    gen_read(op, index);
    gen_read(op, gen_input(g, r, dtype, 2, weight, true));
    gen_write(op, gen_output(g, r, dtype, GEN_DIMS, out, NULL));
    (void)gen_end(g, r, op, true);
}

// Operators without computation ------------------------------------------------------------------

// A declaration, a view, or an identity that waits for other operators.
static void add_virtual(gen *g, gen_rank *r, ark_op_type type)
{
    const ark_dtype dtype = gen_dtype(g);
    gen_op *const op = gen_new_op(g, r, type);
    int64_t shape[GEN_DIMS];
    const size_t rank = gen_shape(g, 1, shape);
    if (type == ARK_TENSOR && gen_chance(g, 30)) {
        op->result = gen_new_tensor(r, dtype, rank, shape, gen_new_buffer(r, -1, dtype));
    } else if (type == ARK_PLACEHOLDER) {
        gen_buffer *const buffer = gen_new_buffer(r, -1, dtype);
        buffer->is_external = true;
        op->result = gen_new_tensor(r, dtype, rank, shape, buffer);
    } else {
        const gen_tensor *const x = gen_any(g, r, dtype);
        gen_tensor *const result = gen_new_tensor(r, dtype, x->rank, x->shape, x->buffer);
        const int64_t id = result->id;
        const bool flat = gen_chance(g, 50) && gen_bytes_of(x) <= x->buffer->memory.size;
        gen_read(op, x);
        *result = *x;
        result->id = id;
        if (flat) { // all of the array, in one dimension, as bytes or as what it is
            const bool as_bytes = type == ARK_TENSOR && gen_chance(g, 15);
            result->dtype = as_bytes ? ARK_BYTE : dtype;
            result->rank = 1;
            result->dims[0] = result->padded[0] = result->shape[0] =
                (int64_t)(gen_bytes_of(x) / gen_size(result->dtype));
            result->offsets[0] = 0;
        }
        for (uint64_t i = type == ARK_TENSOR ? gen_number(g, 3) : 0; i > 0; i--) {
            gen_read(op, gen_any(g, r, gen_dtype(g)));
        }
        op->result = result;
    }
    (void)gen_end(g, r, op, true);
}

static void add_noop(gen *g, gen_rank *r, ark_op_type type)
{
    gen_op *const op = gen_new_op(g, r, type);
    gen_read(op, gen_any(g, r, gen_dtype(g)));
    (void)gen_end(g, r, op, false);
}

// Types ------------------------------------------------------------------------------------------

typedef void adder(gen *g, gen_rank *r, ark_op_type type);

void gen_add_local(gen *g, gen_rank *r)
{
    static const struct {
        ark_op_type type;
        adder *add;
    } rows[] = {
        {ARK_ADD, add_pair},
        {ARK_SUB, add_pair},
        {ARK_MUL, add_pair},
        {ARK_DIV, add_pair},
        {ARK_ROPE, add_pair},
        {ARK_EXP, add_single},
        {ARK_SQRT, add_single},
        {ARK_RSQRT, add_single},
        {ARK_GELU, add_single},
        {ARK_RELU, add_single},
        {ARK_SIGMOID, add_single},
        {ARK_COPY, add_single},
        {ARK_CAST, add_single},
        {ARK_CAST, add_single},
        {ARK_SCALAR_ADD, add_single},
        {ARK_SCALAR_MUL, add_single},
        {ARK_SCALAR_ASSIGN, add_assign},
        {ARK_REDUCE_SUM, add_reduce},
        {ARK_REDUCE_MAX, add_reduce},
        {ARK_REDUCE_MEAN, add_reduce},
        {ARK_MATMUL, add_matmul},
        {ARK_MATMUL, add_matmul},
        {ARK_TRANSPOSE, add_transpose},
        {ARK_EMBEDDING, add_embedding},
        {ARK_TENSOR, add_virtual},
        {ARK_RESHAPE, add_virtual},
        {ARK_NOOP, add_noop},
    };
    const size_t i = (size_t)gen_number(g, HOIST_COUNT_OF(rows));
    if (g->is_d4 && gen_chance(g, 10)) {
        add_virtual(g, r, ARK_PLACEHOLDER);
    } else {
        rows[i].add(g, r, rows[i].type);
    }
}
