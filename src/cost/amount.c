// Amounts of steps from the shapes of their views. In: a verified program and a step of it. Out:
// bytes and operations. Neighbours: program/uses.h (which views), ops/compute.h (operations);
// model.c makes times of them.
#include "cost/amount.h"

#include "base/checked.h"
#include "program/uses.h"
#include "tensor/tiling.h"

typedef struct counter {
    const hoist_program *program;
    const hoist_slot_filter *filter; // NULL: none
    uint64_t bytes;
    uint64_t slots;
} counter;

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return hoist_ckd_add(&sum, a, b) ? UINT64_MAX : sum;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return hoist_ckd_mul(&product, a, b) ? UINT64_MAX : product;
}

// Elements that differ: a dimension without a stride repeats the same ones.
static uint64_t elements_of(const hoist_prog_layout *layout)
{
    uint64_t count = 1;
    if (layout->kind == HOIST_LAYOUT_TILED) {
        hoist_tiling_size size;
        return hoist_tiling_measure(&layout->tiling, &size) == HOIST_OK ? size.elements : 0;
    }
    for (int i = 0; i < layout->shape.rank; i++) {
        if (layout->stride[i] != 0) {
            count = times(count, (uint64_t)layout->shape.dim[i]);
        }
    }
    return count;
}

uint64_t hoist_amount_of_view(const hoist_program *program, hoist_ref view)
{
    const hoist_prog_view *const row = &program->views[view];
    const uint64_t bits = hoist_dtype_get(row->dtype)->bits;
    return times(elements_of(&program->layouts[row->layout]), bits) / 8;
}

// Whether a view is a slot in the device's memory. A fifo without an address and a host's end is
// none: what is on its way from chip to chip.
static bool is_slot(const hoist_program *program, const hoist_prog_view *view)
{
    if (view->base != HOIST_VIEW_READ_SLOT && view->base != HOIST_VIEW_WRITE_SLOT) {
        return false;
    }
    const hoist_prog_fifo *const fifo = &program->fifos[view->of];
    return fifo->host_push || fifo->host_pop || program->buffers[fifo->parts[0]].placed;
}

static void count_view(void *self, hoist_step_use use)
{
    counter *const c = self;
    const hoist_prog_view *const view = &c->program->views[use.view];
    const uint64_t bytes = hoist_amount_of_view(c->program, use.view);
    c->bytes = plus(c->bytes, bytes);
    if (is_slot(c->program, view) &&
        (use.written || !c->filter || c->filter->counts(c->filter->self, use.view))) {
        c->slots = plus(c->slots, bytes);
    }
}

static hoist_compute_operand operand_of(const hoist_program *program, hoist_ref ref)
{
    const hoist_prog_view *const view = &program->views[ref];
    const hoist_prog_layout *const layout = &program->layouts[view->layout];
    hoist_tiling_size size;
    hoist_compute_operand operand = {.dtype = view->dtype, .shape = layout->shape};
    if (layout->kind == HOIST_LAYOUT_TILED &&
        hoist_tiling_measure(&layout->tiling, &size) == HOIST_OK) {
        const hoist_tiling *const t = &layout->tiling;
        operand =
            hoist_compute_tiles((hoist_tile_shape){t->t, (uint64_t)t->grid_rows * size.buffer_rows,
                                                   (uint64_t)t->grid_cols * size.buffer_cols});
        operand.dtype = view->dtype;
    }
    return operand;
}

static uint64_t operations_of(const hoist_program *program, const hoist_prog_compute *compute)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    for (uint32_t i = 0; i <= compute->input_count; i++) {
        operands[i] = operand_of(program, i < compute->input_count ? compute->inputs[i]
                                                                   : compute->outputs[0]);
    }
    return hoist_compute_flops(compute->op, &compute->attrs, operands);
}

hoist_amount hoist_amount_of(const hoist_program *program, const hoist_prog_step *step,
                             const hoist_slot_filter *filter)
{
    counter c = {.program = program, .filter = filter};
    if (step->kind >= HOIST_STEP_MOVE && step->kind < HOIST_STEP_COUNT) {
        hoist_step_uses(program, step, count_view, &c);
    }
    return (hoist_amount){
        c.bytes, c.slots,
        step->kind == HOIST_STEP_COMPUTE ? operations_of(program, step->as.compute) : 0};
}
