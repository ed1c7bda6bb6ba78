// Operators whose dimensions differ from input to output: transposes, reductions, products, lookups
// (ark reference sections 5.2 and 5.4 to 5.6). The table of operators is in ops.c.
#include <inttypes.h>

#include "lower/ark/state.h"
#include "ops/compute_ark.h"

// Other orders and fewer elements ---------------------------------------------------------------

// False: the list is no permutation of the axes of `x`; this was refused. M56 reports the same of
// a file; here it protects the arrays.
static bool read_permutation(const ark_lower_op *op, const hoist_lower_view *x,
                             int axes[HOIST_MAX_RANK])
{
    const ark_arg *arg = ark_find_arg(op->step->op, "Permutation", ARK_ARG_DIMS);
    const int rank = x->shape.rank;
    bool seen[HOIST_MAX_RANK] = {false};
    bool fits = arg && arg->dims.count == (size_t)rank;
    for (int i = 0; fits && i < rank; i++) {
        const int64_t axis = arg->dims.items[i].value;
        fits = axis >= 0 && axis < rank && !seen[axis];
        axes[i] = fits ? (int)axis : 0;
        seen[axes[i]] = true;
    }
    if (!fits) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "'Permutation' is no permutation of the %d dimensions of the input", rank);
    }
    return fits;
}

// Of the permuted input and the output.
static bool have_equal_shapes(const ark_lower_op *op, const hoist_lower_view *x,
                              const hoist_lower_view *y)
{
    const bool equal = hoist_shape_equal(&x->shape, &y->shape);
    if (!equal) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "the shape of the output is not that of the permuted input");
    }
    return equal;
}

// A view of the input with its dimensions in another order; then it is a copy.
void ark_lower_transpose(const ark_lower_op *op, hoist_compute_op unused)
{
    ark_lower_work work = {.copies = true, .inputs = 1};
    int axes[HOIST_MAX_RANK];
    (void)unused;
    if (!ark_lower_has_operands(op, 1)) {
        return;
    }
    const hoist_lower_view x = ark_lower_input(op, 0);
    const hoist_lower_view y = ark_lower_output(op);
    if (!read_permutation(op, &x, axes)) {
        return;
    }
    const hoist_lower_view permuted = hoist_lower_view_permute(&x, axes);
    ark_lower_init_axes(&work, &y);
    if (have_equal_shapes(op, &permuted, &y) && ark_lower_read_tile(op, &work)) {
        work.operands[0] = ark_lower_aligned(&permuted);
        work.operands[1] = ark_lower_aligned(&y);
        ark_lower_separate(op, &work);
        ark_lower_add_work(op, &work);
    }
}

// A plan's task is an element of the result, in which the axis still is, with one element. An axis
// that is reduced is cut by no tile: each task sees all of it. For example, [2,3,4] along axis 1
// has 2 * 4 tasks.
void ark_lower_reduce(const ark_lower_op *op, hoist_compute_op compute)
{
    const ark_arg *axis_arg = ark_find_arg(op->step->op, "Axis", ARK_ARG_INT);
    const ark_arg *keep_arg = ark_find_arg(op->step->op, "KeepDim", ARK_ARG_BOOL);
    ark_lower_work work = {.op = compute, .inputs = 1};
    if (!ark_lower_has_operands(op, 1)) {
        return;
    }
    const hoist_lower_view x = ark_lower_input(op, 0);
    const hoist_lower_view y = ark_lower_output(op);
    const int rank = x.shape.rank;
    const int64_t given = axis_arg ? axis_arg->integer.value : rank;
    const int64_t axis = given < 0 ? given + rank : given;
    // The only dimension of a vector stays, with one element: there are no tensors without any.
    const bool keeps = (keep_arg && keep_arg->boolean.value) || rank == 1;
    if (axis < 0 || axis >= rank || !keep_arg) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "'Axis' and 'KeepDim' name none of the %d dimensions of the input", rank);
        return;
    }
    ark_lower_init_axes(&work, &x);
    work.operands[0] = ark_lower_aligned(&x);
    work.operands[0].axis[axis] = ARK_LOWER_NO_AXIS;
    work.operands[1] = (ark_lower_operand){.view = y};
    for (int i = 0; i < y.shape.rank && i < ARK_LOWER_AXES; i++) {
        const int from = i + (!keeps && i >= axis);
        work.operands[1].axis[i] = (int8_t)(ARK_LOWER_AXES - rank + from);
    }
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        const bool is_reduced = i == ARK_LOWER_AXES - rank + axis;
        work.extent[i] = is_reduced ? 1 : work.extent[i];
        work.padded[i] = work.extent[i];
        work.tile[i] = 1;
    }
    work.attrs.value[HOIST_ARK_REDUCE_AXIS].integer = axis;
    work.attrs.value[HOIST_ARK_REDUCE_KEEP_DIMS].integer = keeps;
    ark_lower_separate(op, &work);
    ark_lower_add_work(op, &work);
}

// Matrices --------------------------------------------------------------------------------------

// An operand of a product with as many dimensions as the result: a vector is a row on the left, a
// column on the right; batches are those of the result. False: it cannot be so, which was refused.
// Stretched batches have strides of 0, so the same matrix is multiplied with each of the others.
static bool put_matrix(const ark_lower_op *op, ark_lower_work *work, uint32_t index,
                       const hoist_lower_view *y)
{
    hoist_lower_view x = ark_lower_input(op, index);
    if (x.shape.rank == 1 && index == 1) {
        x.shape = (hoist_shape){.rank = 2, .dim = {x.shape.dim[0], 1}};
        x.stride[1] = 0;
    }
    const int rank = y->shape.rank;
    hoist_lower_view stretched;
    bool fits = rank >= 2 && x.shape.rank <= rank;
    if (fits) {
        x = ark_lower_with_rank(&x, rank);
        hoist_shape shape = y->shape;
        shape.dim[rank - 2] = x.shape.dim[rank - 2];
        shape.dim[rank - 1] = x.shape.dim[rank - 1];
        fits = hoist_lower_view_broadcast(&x, &shape, &stretched);
    }
    if (!fits) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "the batches of input %" PRIu32 " are not those of the output", index);
        return false;
    }
    work->operands[index] = ark_lower_aligned(&stretched);
    return true;
}

// A plan's tasks cover the padded rows and columns. Without TileShapeMNK it is the Tile of D4.
static bool read_matrix_tile(const ark_lower_op *op, ark_lower_work *work)
{
    const ark_value *y = &op->rank->graph->values[op->step->writes.items[0]];
    const ark_config *config = &op->step->op->config;
    for (int i = 0; i < y->rank; i++) {
        work->padded[ARK_LOWER_AXES - y->rank + i] = y->padded[i];
    }
    if (config->tile_mnk.count < 2) {
        return ark_lower_read_tile(op, work);
    }
    for (int i = 0; i < ARK_LOWER_AXES - 2; i++) {
        work->tile[i] = 1;
    }
    return ark_lower_read_entries(op, "TileShapeMNK", &config->tile_mnk, 2, work);
}

// False without the argument.
static bool find_flag(const ark_op *op, const char *name)
{
    const ark_arg *arg = ark_find_arg(op, name, ARK_ARG_BOOL);
    return arg && arg->boolean.value;
}

// The row by which matrices are multiplied: fast ones, where they are asked for, have bf16.
static hoist_compute_op product_of(const ark_lower_op *op, const ark_lower_work *work)
{
    bool is_fast = op->job->c.options->numerics == HOIST_NUMERICS_FAST;
    for (uint32_t i = 0; i <= work->inputs; i++) {
        is_fast = is_fast && work->operands[i].view.dtype == HOIST_DTYPE_BF16;
    }
    return is_fast ? HOIST_FAST_MATMUL : work->op;
}

// Transposition is an attribute of the row: matrices stay as they are. Without it A is [m,k], B is
// [k,n] and C is [m,n]: tiles cut m and n, and each task adds up all of k.
void ark_lower_matmul(const ark_lower_op *op, hoist_compute_op compute)
{
    ark_lower_work work = {.op = compute, .inputs = 2};
    if (!ark_lower_has_operands(op, 2)) {
        return;
    }
    const hoist_lower_view y = ark_lower_output(op);
    const bool transposes_a = find_flag(op->step->op, "TransposeInput");
    const bool transposes_b = find_flag(op->step->op, "TransposeOther");
    ark_lower_init_axes(&work, &y);
    if (!put_matrix(op, &work, 0, &y) || !put_matrix(op, &work, 1, &y) ||
        !read_matrix_tile(op, &work)) {
        return;
    }
    const int rows = y.shape.rank - 2;
    // Rows and columns of the result are along the last two axes; sums are along none.
    work.operands[0].axis[rows] = transposes_a ? ARK_LOWER_NO_AXIS : ARK_LOWER_INNERMOST - 1;
    work.operands[0].axis[rows + 1] = transposes_a ? ARK_LOWER_INNERMOST - 1 : ARK_LOWER_NO_AXIS;
    work.operands[1].axis[rows] = transposes_b ? ARK_LOWER_INNERMOST : ARK_LOWER_NO_AXIS;
    work.operands[1].axis[rows + 1] = transposes_b ? ARK_LOWER_NO_AXIS : ARK_LOWER_INNERMOST;
    work.operands[2] = ark_lower_aligned(&y);
    work.op = product_of(op, &work);
    work.attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_A].integer = transposes_a;
    work.attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_B].integer = transposes_b;
    ark_lower_separate(op, &work);
    ark_lower_add_work(op, &work);
}

// Lookups ---------------------------------------------------------------------------------------

// The result has as many dimensions as the indices and one more, whatever the file has: those of
// one element in front are left out or added. An index is read as int32 whatever its type. A plan's
// task is a row. For example, indices [5] and weights [V,D] have the result [1,1,5,D].
void ark_lower_embedding(const ark_lower_op *op, hoist_compute_op compute)
{
    ark_lower_work work = {.op = compute, .inputs = 2};
    if (!ark_lower_has_operands(op, 2)) {
        return;
    }
    hoist_lower_view index = ark_lower_input(op, 0);
    const hoist_lower_view weight = ark_lower_input(op, 1);
    hoist_lower_view y = ark_lower_output(op);
    if (index.shape.rank > ARK_LOWER_INNERMOST || weight.shape.rank != 2) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "the indices have %d dimensions and the weights %d, expected at most %d "
                         "and 2",
                         index.shape.rank, weight.shape.rank, ARK_LOWER_INNERMOST);
        return;
    }
    if (hoist_dtype_get(index.dtype)->bits == 32) {
        index.dtype = HOIST_DTYPE_I32;
    }
    index = ark_lower_with_rank(&index, ARK_LOWER_INNERMOST);
    y = ark_lower_with_rank(&y, ARK_LOWER_AXES);
    ark_lower_init_axes(&work, &y);
    for (int i = 0; i < ARK_LOWER_INNERMOST; i++) {
        work.tile[i] = 1;
    }
    work.operands[0] = (ark_lower_operand){.view = index, .axis = {0, 1, 2}};
    work.operands[1] =
        (ark_lower_operand){.view = weight, .axis = {ARK_LOWER_NO_AXIS, ARK_LOWER_NO_AXIS}};
    work.operands[2] = ark_lower_aligned(&y);
    ark_lower_separate(op, &work);
    ark_lower_add_work(op, &work);
}
