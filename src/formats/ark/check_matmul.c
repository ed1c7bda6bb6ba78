// Matmul (ark reference section 5.2): extents m, n and k of both inputs, of Shape and of
// PaddedShape, and the output that follows (ARK-M53); arguments of old files that repeat them
// (M54a); and batches that ARK's kernel finds at other places (M54b).
#include <inttypes.h>
#include <string.h>

#include "formats/ark/check_ops.h"

// An input, its matrix as it is multiplied. `rows` and `columns` are after the transposition. [7]
// on the left is 1 by 7, on the right 7 by 1.
typedef struct factor {
    ark_shape shape;
    int64_t rows, columns;
    int64_t n, c; // batches
} factor;

// The same rules hold of padded extents: ARK multiplies the padded matrices.
static ark_shape padded_shape(const ark_value *value)
{
    ark_shape shape = {.rank = value->rank};
    memcpy(shape.extents, value->padded, sizeof(shape.extents));
    return shape;
}

// A list of extents is a row on the left and a column on the right. A transposition swaps these,
// too.
static factor factor_of(const ark_shape *shape, bool is_left, bool is_transposed)
{
    const int rank = shape->rank;
    const int64_t last = shape->extents[rank - 1];
    factor f = {.shape = *shape,
                .rows = rank == 1 ? (is_left ? 1 : last) : shape->extents[rank - 2],
                .columns = rank == 1 && !is_left ? 1 : last,
                .n = rank == 4 ? shape->extents[0] : 1,
                .c = rank >= 3 ? shape->extents[rank - 3] : 1};
    if (is_transposed) {
        const int64_t rows = f.rows;
        f.rows = f.columns;
        f.columns = rows;
    }
    return f;
}

// False: the batches cannot be broadcast. Two inputs of rank 1 or 2 have an output of rank 2, "[1,
// n]" of a list; it is not squeezed.
static bool output_of(const factor *a, const factor *b, ark_shape *out_shape)
{
    const int rank = a->shape.rank > b->shape.rank ? a->shape.rank : b->shape.rank;
    const ark_shape left = {.rank = 2, .extents = {a->n, a->c}};
    const ark_shape right = {.rank = 2, .extents = {b->n, b->c}};
    ark_shape batch;
    *out_shape = (ark_shape){.rank = 0};
    if (!ark_broadcast(&left, &right, &batch)) {
        return false;
    }
    if (rank == 4) {
        out_shape->extents[out_shape->rank++] = batch.extents[0];
    }
    if (rank >= 3) {
        out_shape->extents[out_shape->rank++] = batch.extents[1];
    }
    out_shape->extents[out_shape->rank++] = a->rows;
    out_shape->extents[out_shape->rank++] = b->columns;
    return true;
}

// `key` is Shape or PaddedShape. Reports the first fault only: extents that follow from others
// would be wrong with it.
static bool check_extents(const ark_op_check *c, const char *key, const factor *a, const factor *b,
                          const ark_shape *found)
{
    ark_shape expected;
    if (a->columns != b->rows) {
        ark_report_tensor(c, ARK_M53, ARK_READS, 1,
                          "the inner extents of Matmul by %s are %" PRId64 " and %" PRId64, key,
                          a->columns, b->rows);
        return false;
    }
    if (!output_of(a, b, &expected)) {
        ark_report_tensor(c, ARK_M53, ARK_READS, 1,
                          "the batches of Matmul by %s, %s and %s, cannot be broadcast", key,
                          ark_shape_shown(&a->shape).text, ark_shape_shown(&b->shape).text);
        return false;
    }
    if (!ark_same_shape(&expected, found)) {
        ark_report_tensor(c, ARK_M53, ARK_WRITES, 0,
                          "%s of the output of Matmul is %s, expected %s", key,
                          ark_shape_shown(found).text, ark_shape_shown(&expected).text);
        return false;
    }
    return true;
}

// Arguments of old files -------------------------------------------------------------------------

// The file's list against numbers that the geometry gives.
static bool is_list(const hoist_rec_ints *list, const int64_t *values, size_t count)
{
    bool same = list->count == count;
    for (size_t i = 0; same && i < count; i++) {
        same = list->items[i].value == values[i];
    }
    return same;
}

// An argument, if it is there; of padded tensors the numbers with or without padding. Files of D1
// repeat what the tensors say; nothing reads them, but they must not contradict.
static void check_repeated(const ark_op_check *c, const char *name, const int64_t *values,
                           const int64_t *padded, int count)
{
    const ark_arg *const arg = ark_find_arg(c->step->op, name, ARK_ARG_DIMS);
    if (arg && !is_list(&arg->dims, values, (size_t)count) &&
        !is_list(&arg->dims, padded, (size_t)count)) {
        ark_report(c->diag, ARK_M54a, arg->dims.pos, "%s is %s, the tensors have %s", name,
                   ark_ints_shown(&arg->dims).text, ark_dims_shown(values, count).text);
    }
}

// Elements from one row of the array to the next.
static int64_t pitch(const ark_value *value)
{
    return value->dims[value->rank - 1];
}

// Both kinds of numbers are given: the file does not say which it means.
static void check_repeats(const ark_op_check *c, const factor exact[2], const factor padded[2])
{
    const ark_value *const a = ark_checked_value(c, ARK_READS, 0);
    const ark_value *const b = ark_checked_value(c, ARK_READS, 1);
    const ark_value *const out = ark_checked_value(c, ARK_WRITES, 0);
    const int64_t mnk[] = {exact[0].rows, exact[1].columns, exact[0].columns};
    const int64_t padded_mnk[] = {padded[0].rows, padded[1].columns, padded[0].columns};
    const int64_t pitches[] = {pitch(a), pitch(out), pitch(out), pitch(b)};
    check_repeated(c, "ShapeMNK", mnk, padded_mnk, 3);
    check_repeated(c, "StridesACDB", pitches, pitches, 4);
    static const char *const names[] = {"InputDimNC", "OtherDimNC"};
    for (int i = 0; i < 2; i++) {
        const int64_t batch[] = {exact[i].n, exact[i].c};
        const int64_t padded_batch[] = {padded[i].n, padded[i].c};
        check_repeated(c, names[i], batch, padded_batch, 2);
    }
}

// Batches in ARK's kernel ------------------------------------------------------------------------

// The dimension of the array, counted from the last one; 1 before the first.
static int64_t dim_from_end(const ark_value *value, int k)
{
    return k < value->rank ? value->dims[value->rank - 1 - k] : 1;
}

// ARK takes the distance of two matrices of an input as the rows of the output's array (of the
// right one: its columns) times the distance of two of these in the input. A transposed input has
// rows and columns swapped. Our executor takes each tensor's own array, so its results differ
// there (M54b).
static void check_distance(const ark_op_check *c, uint32_t index, bool is_transposed)
{
    const bool is_left = index == 0;
    const ark_value *const in = ark_checked_value(c, ARK_READS, index);
    const ark_value *const out = ark_checked_value(c, ARK_WRITES, 0);
    const int64_t own = dim_from_end(in, is_left == is_transposed ? 0 : 1);
    const int64_t taken = dim_from_end(out, is_left ? 1 : 0);
    if (own != taken) {
        ark_report_tensor(c, ARK_M54b, ARK_READS, index,
                          "the array of a batched input of Matmul has %" PRId64
                          " %s, that of the output %" PRId64 ", which ARK's kernel takes for it",
                          own, is_left ? "rows" : "columns", taken);
    }
}

// ARK takes groups of batches to follow each other without a gap.
static void check_groups(const ark_op_check *c, ark_role role, uint32_t index, int64_t batches)
{
    const int64_t own = dim_from_end(ark_checked_value(c, role, index), 2);
    if (own != batches) {
        ark_report_tensor(c, ARK_M54b, role, index,
                          "the array of a tensor of Matmul has %" PRId64
                          " matrices, ARK's kernel takes %" PRId64,
                          own, batches);
    }
}

// Only inputs with more than one batch: one matrix has no distance to another.
static void check_batches(const ark_op_check *c, const factor inputs[2], const bool transposed[2])
{
    const int64_t batches = inputs[0].c > inputs[1].c ? inputs[0].c : inputs[1].c;
    for (uint32_t i = 0; i < 2; i++) {
        if (inputs[i].n > 1 || inputs[i].c > 1) {
            check_distance(c, i, transposed[i]);
        }
        if (inputs[i].n > 1) {
            check_groups(c, ARK_READS, i, inputs[i].c == 1 ? 1 : batches);
        }
    }
    if (inputs[0].n > 1 || inputs[1].n > 1) {
        check_groups(c, ARK_WRITES, 0, batches);
    }
}

// Extents first: batches are compared only when all extents agree. The repeated numbers are
// compared either way.
void ark_check_matmul(const ark_op_check *c)
{
    static const char *const names[] = {"TransposeInput", "TransposeOther"};
    bool transposed[2];
    factor exact[2];
    factor padded[2];
    for (uint32_t i = 0; i < 2; i++) {
        const ark_arg *const arg = ark_find_arg(c->step->op, names[i], ARK_ARG_BOOL);
        const ark_value *const in = ark_checked_value(c, ARK_READS, i);
        const ark_shape shape = ark_shape_of(in);
        const ark_shape with_padding = padded_shape(in);
        if (!arg) {
            return; // reported as missing, or a file of D0, whose flags mean something else
        }
        transposed[i] = arg->boolean.value;
        exact[i] = factor_of(&shape, i == 0, transposed[i]);
        padded[i] = factor_of(&with_padding, i == 0, transposed[i]);
    }
    const ark_value *const out = ark_checked_value(c, ARK_WRITES, 0);
    const ark_shape shape = ark_shape_of(out);
    const ark_shape with_padding = padded_shape(out);
    if (check_extents(c, "Shape", &exact[0], &exact[1], &shape) &&
        check_extents(c, "PaddedShape", &padded[0], &padded[1], &with_padding)) {
        check_batches(c, exact, transposed);
    }
    check_repeats(c, exact, padded);
}
