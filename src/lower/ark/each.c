// Operators that go element by element (ark reference sections 5.1, 5.3, 5.7 and 5.8): inputs are
// broadcast to the shape of the result by strides of 0. The table of operators is in ops.c.
#include <inttypes.h>

#include "lower/ark/state.h"

// The inputs of the step, broadcast to the result, as the first operands; false: this was refused.
// The output comes after them. A tile of the plan is read last, when everything else fits.
static bool put_each(const ark_lower_op *op, ark_lower_work *work, uint32_t reads)
{
    if (!ark_lower_has_operands(op, reads)) {
        return false;
    }
    const hoist_lower_view y = ark_lower_output(op);
    ark_lower_init_axes(work, &y);
    for (uint32_t i = 0; i < reads; i++) {
        const hoist_lower_view x = ark_lower_input(op, i);
        hoist_lower_view stretched;
        if (!hoist_lower_view_broadcast(&x, &y.shape, &stretched)) {
            ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                             "input %" PRIu32 " cannot be broadcast to the shape of the output", i);
            return false;
        }
        work->operands[i] = ark_lower_aligned(&stretched);
    }
    work->operands[work->inputs] = ark_lower_aligned(&y);
    return ark_lower_read_tile(op, work);
}

void ark_lower_each(const ark_lower_op *op, hoist_compute_op compute)
{
    ark_lower_work work = {.op = compute, .inputs = hoist_compute_get(compute)->inputs};
    if (put_each(op, &work, work.inputs)) {
        ark_lower_separate(op, &work);
        ark_lower_add_work(op, &work);
    }
}

// A copy changes no element, so it needs no row and may be of any type.
void ark_lower_copy(const ark_lower_op *op, hoist_compute_op unused)
{
    ark_lower_work work = {.copies = true, .inputs = 1};
    (void)unused;
    if (put_each(op, &work, 1)) {
        ark_lower_separate(op, &work);
        ark_lower_add_work(op, &work);
    }
}

// A cast to the same type is a copy.
void ark_lower_cast(const ark_lower_op *op, hoist_compute_op compute)
{
    if (ark_lower_has_operands(op, 1)) {
        const bool casts = ark_lower_input(op, 0).dtype != ark_lower_output(op).dtype;
        (casts ? ark_lower_each : ark_lower_copy)(op, compute);
    }
}

// Pairs of elements belong together: no tile of a plan separates them, unless all tiles are
// executed as one: ARK's default plan has tiles of one column for tensors that are higher than
// wide.
void ark_lower_rope(const ark_lower_op *op, hoist_compute_op compute)
{
    ark_lower_work work = {.op = compute, .inputs = 2};
    if (!put_each(op, &work, 2)) {
        return;
    }
    const int64_t tile = work.tile[ARK_LOWER_INNERMOST];
    if (tile % 2 && tile < work.extent[ARK_LOWER_INNERMOST] && !ark_lower_is_complete(op, &work)) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "tiles of %" PRId64 " elements separate pairs", tile);
        return;
    }
    ark_lower_separate(op, &work);
    ark_lower_add_work(op, &work);
}

// The operator's constant; false: there is none, which was refused. `other`: a second name, which
// ARK's documentation has for it (M10b).
static bool find_number(const ark_lower_op *op, const char *name, const char *other, double *out)
{
    const ark_arg *arg = ark_find_arg(op->step->op, name, ARK_ARG_FLOAT);
    arg = arg || !other ? arg : ark_find_arg(op->step->op, other, ARK_ARG_FLOAT);
    *out = arg ? arg->number.value : 0;
    if (!arg) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step, "there is no argument '%s'", name);
    }
    return arg != NULL;
}

// The number becomes a second input, rounded to the type, with strides of 0.
void ark_lower_scalar(const ark_lower_op *op, hoist_compute_op compute)
{
    ark_lower_work work = {.op = compute, .inputs = 2};
    double factor = 0;
    if (!put_each(op, &work, 1) || !find_number(op, "Factor", "Value", &factor)) {
        return;
    }
    const hoist_lower_view *y = &work.operands[2].view;
    const hoist_lower_view number = ark_lower_constant(op, y->dtype, factor, &y->shape);
    work.operands[1] = ark_lower_aligned(&number);
    ark_lower_separate(op, &work);
    ark_lower_add_work(op, &work);
}

// It reads nothing, so nothing can overlap.
void ark_lower_assign(const ark_lower_op *op, hoist_compute_op unused)
{
    ark_lower_work work = {.copies = true, .inputs = 1};
    double value = 0;
    (void)unused;
    if (!put_each(op, &work, 0) || !find_number(op, "Value", NULL, &value)) {
        return;
    }
    const hoist_lower_view *y = &work.operands[1].view;
    const hoist_lower_view number = ark_lower_constant(op, y->dtype, value, &y->shape);
    work.operands[0] = ark_lower_aligned(&number);
    ark_lower_add_work(op, &work);
}
