// Shapes and element types of operators, each by the rule that ops_table.h has for its type (ark
// reference section 5): binary ones (ARK-M51), those with one input (M52), reductions (M55),
// Transpose (M56), Embedding (M57), Rope (M58).
#include <inttypes.h>

#include "base/span.h"
#include "formats/ark/check_ops.h"

// Element types ----------------------------------------------------------------------------------

// The rule of a type's shapes is that of its element types, too. Types whose inputs differ from
// the output by nature, as Cast, have `one_dtype` false.
static void check_dtypes(const ark_op_check *c, ark_rule rule)
{
    const int dtype = ark_checked_value(c, ARK_WRITES, 0)->row->dtype.value;
    for (uint32_t i = 0; c->def->one_dtype && i < c->step->reads.count; i++) {
        const int other = ark_checked_value(c, ARK_READS, i)->row->dtype.value;
        if (other != dtype) {
            ark_report_tensor(c, rule, ARK_READS, i, "an input of %.*s is %s, its output %s",
                              HOIST_STR_ARGS(c->step->op->type.text), ark_dtype_shown(other),
                              ark_dtype_shown(dtype));
        }
    }
    if (!(c->def->dtypes >> dtype & 1)) {
        ark_report_tensor(c, rule, ARK_WRITES, 0,
                          "the output of %.*s is %s, expected FP32, FP16 or BF16",
                          HOIST_STR_ARGS(c->step->op->type.text), ark_dtype_shown(dtype));
    }
}

// The rules --------------------------------------------------------------------------------------

// The output has exactly the shape to which both extend: [4,1] and [3] have [4,3].
static void check_pair(const ark_op_check *c)
{
    const ark_shape x = ark_shape_of(ark_checked_value(c, ARK_READS, 0));
    const ark_shape y = ark_shape_of(ark_checked_value(c, ARK_READS, 1));
    ark_shape expected;
    if (ark_broadcast(&x, &y, &expected)) {
        ark_expect_shape(c, ARK_M51, &expected);
    } else {
        ark_report_tensor(c, ARK_M51, ARK_READS, 1, "shapes %s and %s cannot be broadcast",
                          ark_shape_shown(&x).text, ark_shape_shown(&y).text);
    }
}

// Shapes as of Add; then the last dimension, where pairs are rotated and nothing is broadcast.
static void check_rope(const ark_op_check *c)
{
    check_pair(c);
    const ark_value *const out = ark_checked_value(c, ARK_WRITES, 0);
    const int64_t last = out->shape[out->rank - 1];
    if (last % 2 != 0) {
        ark_report_tensor(c, ARK_M58, ARK_WRITES, 0,
                          "the last dimension of Rope is %" PRId64 ", expected an even number",
                          last);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const ark_value *const in = ark_checked_value(c, ARK_READS, i);
        const int64_t extent = in->shape[in->rank - 1];
        if (extent != last) {
            ark_report_tensor(c, ARK_M58, ARK_READS, i,
                              "the last dimension of an input of Rope is %" PRId64
                              ", that of its output %" PRId64,
                              extent, last);
        }
    }
}

// The output may be larger: the input is repeated along extents of 1.
static void check_into(const ark_op_check *c)
{
    const ark_shape in = ark_shape_of(ark_checked_value(c, ARK_READS, 0));
    const ark_shape out = ark_shape_of(ark_checked_value(c, ARK_WRITES, 0));
    ark_shape both;
    if (!ark_broadcast(&in, &out, &both) || !ark_same_shape(&both, &out)) {
        ark_report_tensor(c, ARK_M52, ARK_WRITES, 0,
                          "the input of %.*s is %s, which does not extend to its output %s",
                          HOIST_STR_ARGS(c->step->op->type.text), ark_shape_shown(&in).text,
                          ark_shape_shown(&out).text);
    }
}

// `axis` is one of the input's. "[2,3,4]" along axis 1 is "[2,1,4]" when it is kept, and "[2,4]"
// else. No shape is empty: "[5]" has "[1]".
static void check_reduced(const ark_op_check *c, int64_t axis, bool keep)
{
    const ark_shape in = ark_shape_of(ark_checked_value(c, ARK_READS, 0));
    ark_shape expected = {.rank = 0};
    for (int k = 0; k < in.rank; k++) {
        if (k != axis) {
            expected.extents[expected.rank++] = in.extents[k];
        } else if (keep || in.rank == 1) {
            expected.extents[expected.rank++] = 1;
        }
    }
    ark_expect_shape(c, ARK_M55a, &expected);
}

// A negative axis counts from the last dimension, with a warning.
static void check_reduce(const ark_op_check *c)
{
    const ark_arg *const axis = ark_find_arg(c->step->op, "Axis", ARK_ARG_INT);
    const ark_arg *const keep = ark_find_arg(c->step->op, "KeepDim", ARK_ARG_BOOL);
    const ark_value *const in = ark_checked_value(c, ARK_READS, 0);
    if (ark_checked_value(c, ARK_WRITES, 0) == in) {
        ark_report_tensor(c, ARK_M55a, ARK_WRITES, 0,
                          "tensor %" PRId64 " is both input and output of %.*s", in->id,
                          HOIST_STR_ARGS(c->step->op->type.text));
    }
    if (!axis) {
        return; // reported as missing
    }
    const int64_t value = axis->integer.value;
    if (value < -in->rank || value >= in->rank) {
        ark_report(c->diag, ARK_M55a, axis->integer.pos, "Axis is %" PRId64 ", expected 0 to %d",
                   value, in->rank - 1);
        return;
    }
    if (value < 0) {
        ark_report(c->diag, ARK_M55b, axis->integer.pos, "Axis is %" PRId64 ", taken as %" PRId64,
                   value, value + in->rank);
    }
    if (keep) {
        check_reduced(c, value < 0 ? value + in->rank : value, keep->boolean.value);
    }
}

// Dimension k of the output is dimension Permutation[k] of the input, as in NumPy.
static void check_transpose(const ark_op_check *c)
{
    const ark_arg *const arg = ark_find_arg(c->step->op, "Permutation", ARK_ARG_DIMS);
    const ark_shape in = ark_shape_of(ark_checked_value(c, ARK_READS, 0));
    if (!arg) {
        return; // reported as missing
    }
    // Bit d: dimension d occurs.
    unsigned seen = 0;
    ark_shape expected = {.rank = in.rank};
    for (size_t k = 0; k < arg->dims.count && arg->dims.count == (size_t)in.rank; k++) {
        const int64_t from = arg->dims.items[k].value;
        if (from >= 0 && from < in.rank) {
            seen |= 1u << from;
            expected.extents[k] = in.extents[from];
        }
    }
    // As many entries as dimensions, each another one.
    if (seen != (1u << in.rank) - 1) {
        ark_report(c->diag, ARK_M56, arg->dims.pos,
                   "Permutation is %s, expected each of 0 to %d once",
                   ark_ints_shown(&arg->dims).text, in.rank - 1);
        return;
    }
    ark_expect_shape(c, ARK_M56, &expected);
}

// Output and index are compared as 4 dimensions, so that leading ones may be left out or added.
// The table's row is the last dimension: index [5] and table [V,D] have [1,1,5,D], or [5,D].
static void check_rows(const ark_op_check *c, const ark_value *index, const ark_value *table)
{
    const ark_shape out = ark_shape_of(ark_checked_value(c, ARK_WRITES, 0));
    ark_shape expected = {.rank = ARK_MAX_RANK};
    const ark_shape rows = ark_shape_of(index);
    bool same = true;
    for (int k = 0; k < ARK_MAX_RANK; k++) {
        const int64_t extent = k == 0 ? table->shape[1] : ark_extent_from_end(&rows, k - 1);
        expected.extents[ARK_MAX_RANK - 1 - k] = extent;
        same = same && ark_extent_from_end(&out, k) == extent;
    }
    if (!same) {
        ark_report_tensor(c, ARK_M57a, ARK_WRITES, 0, "the output of Embedding is %s, expected %s",
                          ark_shape_shown(&out).text, ark_shape_shown(&expected).text);
    }
}

// The type of the index does not stop the other checks: it is read as INT32 in any case.
static void check_embedding(const ark_op_check *c)
{
    const ark_value *const index = ark_checked_value(c, ARK_READS, 0);
    const ark_value *const table = ark_checked_value(c, ARK_READS, 1);
    const ark_value *const out = ark_checked_value(c, ARK_WRITES, 0);
    if (index->rank > 3) {
        ark_report_tensor(c, ARK_M57a, ARK_READS, 0,
                          "the index of Embedding has %d dimensions, expected at most 3",
                          index->rank);
    }
    if (index->row->dtype.value != ARK_INT32) {
        ark_report_tensor(c, ARK_M57b, ARK_READS, 0,
                          "the index of Embedding is %s, and is read as INT32",
                          ark_dtype_shown(index->row->dtype.value));
    }
    if (table->rank != 2) {
        ark_report_tensor(c, ARK_M57a, ARK_READS, 1,
                          "the table of Embedding has %d dimensions, expected 2", table->rank);
    }
    if (table->row->dtype.value != out->row->dtype.value) {
        ark_report_tensor(c, ARK_M57a, ARK_WRITES, 0, "the output of Embedding is %s, its table %s",
                          ark_dtype_shown(out->row->dtype.value),
                          ark_dtype_shown(table->row->dtype.value));
    }
    if (index->rank <= 3 && table->rank == 2) {
        check_rows(c, index, table);
    }
}

// The rule of shapes, which is that of element types, too, and its check.
static const struct {
    ark_rule rule;
    void (*check)(const ark_op_check *c);
} rows[] = {
    [ARK_SHAPE_ANY] = {ARK_M52, NULL},
    [ARK_SHAPE_PAIR] = {ARK_M51, check_pair},
    [ARK_SHAPE_ROPE] = {ARK_M51, check_rope},
    [ARK_SHAPE_INTO] = {ARK_M52, check_into},
    [ARK_SHAPE_REDUCE] = {ARK_M55a, check_reduce},
    [ARK_SHAPE_TRANSPOSE] = {ARK_M56, check_transpose},
    [ARK_SHAPE_MATMUL] = {ARK_M53, ark_check_matmul},
    [ARK_SHAPE_EMBEDDING] = {ARK_M57a, check_embedding},
    [ARK_SHAPE_VIEW] = {ARK_M60, NULL},
};

// Element types in all cases; shapes where the type has a rule for them.
void ark_check_shapes(const ark_op_check *c)
{
    check_dtypes(c, rows[c->def->shape].rule);
    if (rows[c->def->shape].check) {
        rows[c->def->shape].check(c);
    }
}
