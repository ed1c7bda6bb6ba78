// The tensors of the operator that is checked: their values, findings at them, and their shapes.
#include <string.h>

#include "base/span.h"
#include "formats/ark/check_ops.h"

// The caller knows that the operator has the tensor.
const ark_value *ark_checked_value(const ark_op_check *c, ark_role role, uint32_t index)
{
    return &c->graph->values[ark_role_operands(c->step, role).items[index]];
}

void ark_report_tensor(const ark_op_check *c, ark_rule rule, ark_role role, uint32_t index,
                       const char *format, ...)
{
    hoist_frame frame;
    ark_enter_tensor(c->diag, role, index, &frame);
    va_list args;
    va_start(args, format);
    hoist_vreport(c->diag, ark_rule_row(rule), hoist_loc_pos(ark_operand_pos(c->step, role, index)),
                  format, args);
    va_end(args);
    hoist_diag_pop(c->diag, &frame);
}

// Shapes -----------------------------------------------------------------------------------------

ark_shape ark_shape_of(const ark_value *value)
{
    ark_shape shape = {.rank = value->rank};
    memcpy(shape.extents, value->shape, sizeof(shape.extents));
    return shape;
}

bool ark_same_shape(const ark_shape *a, const ark_shape *b)
{
    return a->rank == b->rank &&
           memcmp(a->extents, b->extents, (size_t)a->rank * sizeof(*a->extents)) == 0;
}

// "[1,512,4096]"
ark_dims_text ark_shape_shown(const ark_shape *shape)
{
    return ark_dims_shown(shape->extents, shape->rank);
}

int64_t ark_extent_from_end(const ark_shape *shape, int k)
{
    return k < shape->rank ? shape->extents[shape->rank - 1 - k] : 1;
}

// Extents of 1 are repeated; [4,1] and [3] have [4,3].
bool ark_broadcast(const ark_shape *a, const ark_shape *b, ark_shape *out_shape)
{
    *out_shape = (ark_shape){.rank = a->rank > b->rank ? a->rank : b->rank};
    for (int k = 0; k < out_shape->rank; k++) {
        const int64_t x = ark_extent_from_end(a, k);
        const int64_t y = ark_extent_from_end(b, k);
        if (x != y && x != 1 && y != 1) {
            return false;
        }
        out_shape->extents[out_shape->rank - 1 - k] = x == 1 ? y : x;
    }
    return true;
}

void ark_expect_shape(const ark_op_check *c, ark_rule rule, const ark_shape *expected)
{
    const ark_shape shape = ark_shape_of(ark_checked_value(c, ARK_WRITES, 0));
    if (!ark_same_shape(&shape, expected)) {
        ark_report_tensor(c, rule, ARK_WRITES, 0, "the output of %.*s is %s, expected %s",
                          HOIST_STR_ARGS(c->step->op->type.text), ark_shape_shown(&shape).text,
                          ark_shape_shown(expected).text);
    }
}
