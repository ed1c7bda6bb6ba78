// Operators whose results differ from what their author may expect: reductions beyond what FP16
// counts, and maxima of -inf alone (ARK-M61); element types without a kernel in ARK, and operators
// without tasks (ARK-M63).
#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "formats/ark/check_ops.h"
#include "tensor/convert.h"

enum { FP16_MOST = 65504 }; // the largest finite number of FP16

// Elements that a valid reduction adds up or compares; 0: the axis is wrong. Either sign of Axis
// is right here: M55 is about it.
static int64_t reduced_extent(const ark_op_check *c)
{
    const ark_arg *const axis = ark_find_arg(c->step->op, "Axis", ARK_ARG_INT);
    const ark_value *const in = ark_checked_value(c, ARK_READS, 0);
    const int64_t value = axis ? axis->integer.value : in->rank;
    if (value < -in->rank || value >= in->rank) {
        return 0;
    }
    return in->shape[value < 0 ? value + in->rank : value];
}

// The count is a number of FP16, too, when a mean is computed in that type.
static void check_count(const ark_op_check *c)
{
    const ark_value *const in = ark_checked_value(c, ARK_READS, 0);
    const int64_t extent = reduced_extent(c);
    if (in->row->dtype.value == ARK_FP16 && extent > FP16_MOST) {
        ark_report_tensor(c, ARK_M61, ARK_READS, 0,
                          "%.*s of %" PRId64 " elements of FP16, which counts to %d",
                          HOIST_STR_ARGS(c->step->op->type.text), extent, FP16_MOST);
    }
}

// Whether an operator fills the tensor with a number that its type rounds to -inf. Files have no
// infinities, so there is no other way in which all elements are known to be.
static bool is_minus_infinity(const ark_op_check *c, const ark_value *value)
{
    const ark_step *const maker =
        value->producer == ARK_NONE ? NULL : &c->graph->steps[value->producer];
    if (!maker || maker->type != ARK_SCALAR_ASSIGN || !maker->valid ||
        hoist_dtype_get(value->dtype)->kind != HOIST_CLASS_FLOAT) {
        return false;
    }
    const ark_arg *const arg = ark_find_arg(maker->op, "Value", ARK_ARG_FLOAT);
    const hoist_rounding nearest = {.mode = HOIST_ROUND_NEAREST};
    const double stored =
        arg ? hoist_to_f64(value->dtype, hoist_from_f64(value->dtype, arg->number.value, nearest))
            : 0;
    return isinf(stored) && stored < 0;
}

// The maximum begins with the lowest finite number of the type and not with -inf (section 5.4).
static void check_maximum(const ark_op_check *c)
{
    const ark_value *const in = ark_checked_value(c, ARK_READS, 0);
    if (is_minus_infinity(c, in)) {
        ark_report_tensor(c, ARK_M61, ARK_READS, 0,
                          "all elements of tensor %" PRId64
                          " are -inf, and ReduceMax gives the lowest finite number",
                          in->id);
    }
}

// `kernels` has a bit for each element type that ARK compiles the operator for (ops_table.h).
static void check_kernel(const ark_op_check *c)
{
    if (c->step->writes.count == 0) {
        return;
    }
    const int dtype = ark_checked_value(c, ARK_WRITES, 0)->row->dtype.value;
    // What no operator of the type can have is an error already.
    if (c->def->dtypes & ~c->def->kernels & 1u << dtype) {
        ark_report_tensor(c, ARK_M63, ARK_WRITES, 0, "ARK has no kernel of %.*s for %s",
                          HOIST_STR_ARGS(c->step->op->type.text), ark_dtype_shown(dtype));
    }
}

// Only plans state the number. Noop has none by its nature.
static void check_tasks(const ark_op_check *c)
{
    const hoist_rec_int *const tasks = &c->step->op->config.num_tasks;
    if (tasks->pos.line && tasks->value == 0 && c->def->class != ARK_CLASS_NOTHING) {
        ark_report(c->diag, ARK_M63, tasks->pos, "%.*s has no tasks, so ARK does not execute it",
                   HOIST_STR_ARGS(c->step->op->type.text));
    }
}

// In: an operator whose tensors are valid.
void ark_check_numbers(const ark_op_check *c)
{
    check_kernel(c);
    check_tasks(c);
    if (c->step->type == ARK_REDUCE_SUM || c->step->type == ARK_REDUCE_MEAN) {
        check_count(c);
    } else if (c->step->type == ARK_REDUCE_MAX) {
        check_maximum(c);
    }
}
