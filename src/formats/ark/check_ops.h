// formats/ark/check_ops.h - what the checks of operators share: the operator at hand and its
// tensors (op_tensors.c), and the parts that check_ops.c calls.
#ifndef HOIST_SRC_FORMATS_ARK_CHECK_OPS_H
#define HOIST_SRC_FORMATS_ARK_CHECK_OPS_H

#include "formats/ark/ops_table.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// A valid operator, whose frames are set.
typedef struct ark_op_check {
    const ark_graph *graph;
    const ark_step *step;
    const ark_op_def *def;
    hoist_diag *diag;
} ark_op_check;

// The tensor, which the operator has.
const ark_value *ark_checked_value(const ark_op_check *c, ark_role role, uint32_t index);

// Reports at a tensor of the operator.
void ark_report_tensor(const ark_op_check *c, ark_rule rule, ark_role role, uint32_t index,
                       const char *format, ...) HOIST_PRINTF(5, 6);

// The shape to which both are extended, aligned at the last dimension; false: to none.
typedef struct ark_shape {
    int rank;
    int64_t extents[ARK_MAX_RANK];
} ark_shape;
bool ark_broadcast(const ark_shape *a, const ark_shape *b, ark_shape *out_shape);
ark_shape ark_shape_of(const ark_value *value);
// The extent of dimension `k`, counted from the last one; 1 before the first.
int64_t ark_extent_from_end(const ark_shape *shape, int k);
bool ark_same_shape(const ark_shape *a, const ark_shape *b);
ark_dims_text ark_shape_shown(const ark_shape *shape);

// Reports by `rule` that write 0 has not the shape that follows from the inputs.
void ark_expect_shape(const ark_op_check *c, ark_rule rule, const ark_shape *expected);

void ark_check_shapes(const ark_op_check *c);  // check_shapes.c: M51, M52, M55 to M58
void ark_check_matmul(const ark_op_check *c);  // check_matmul.c: M53, M54
void ark_check_numbers(const ark_op_check *c); // check_numbers.c: M61, M63

#endif // HOIST_SRC_FORMATS_ARK_CHECK_OPS_H
