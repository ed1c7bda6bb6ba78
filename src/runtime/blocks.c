// Blocks of groups (blocks.h): a block's number in, for each step a call on the block's part of
// every view, made with the kernels that do complete steps. Values that are not stored are in the
// worker's memory, at the same distances as in their buffers.
#include "runtime/blocks.h"

#include "base/assert.h"
#include "os/thread.h"
#include "plan/walk.h"

// The value that a group keeps in place of a buffer; NULL: the buffer itself is used.
static const hoist_group_local *local_of(const hoist_group_plan *plan, const hoist_group *group,
                                         hoist_ref root)
{
    for (uint32_t i = 0; i < group->local_count; i++) {
        const hoist_group_local *local = &plan->locals[group->local_first + i];
        if (local->buffer == root) {
            return local;
        }
    }
    return NULL;
}

// Lines -----------------------------------------------------------------------------------------

// The dimensions of a view, among those that cut its step into parts, that have several indices.
typedef struct part_dims {
    int count;
    int64_t extent[HOIST_MAX_RANK];
    int64_t stride[HOIST_MAX_RANK];
} part_dims;

static part_dims part_dims_of(const hoist_view *view, int lead)
{
    part_dims dims = {.count = 0};
    for (int i = 0; i < lead && i < view->shape.rank; i++) {
        if (view->shape.dim[i] > 1) {
            dims.extent[dims.count] = view->shape.dim[i];
            dims.stride[dims.count++] = view->stride[i];
        }
    }
    return dims;
}

// Joins a view's dimensions behind `axis` to one of even steps. False: there is none.
static bool join_dims(const part_dims *dims, int axis, uint64_t *out_parts, int64_t *out_step)
{
    const int last = dims->count - 1;
    int64_t parts = 1;
    *out_step = dims->stride[last];
    for (int i = last; i > axis; i--) {
        if (dims->stride[i] != *out_step * parts) {
            return false;
        }
        parts *= dims->extent[i]; // of elements that a view counts
    }
    *out_parts = (uint64_t)parts;
    return true;
}

// The lines of the blocks of a step. Without any `out->form` has nothing to run.
static void find_lines(const hoist_compute_kernels *kernels, const hoist_group *group,
                       const hoist_block_step *step, hoist_block_lines *out)
{
    const size_t operands = step->call.input_count + HOIST_COMPUTE_MAX_OUTPUTS;
    const int lead =
        hoist_compute_lead(step->call.op, &step->call.attrs, step->views[0].shape.rank);
    hoist_compute_call call = step->call;
    call.views = step->views;
    *out = (hoist_block_lines){.is_one = true};
    for (size_t i = 0; i < operands; i++) {
        const part_dims dims = part_dims_of(&step->views[i], lead);
        uint64_t parts = 0;
        if (operands > HOIST_COMPUTE_LINE_OPERANDS || dims.count <= group->axis ||
            !join_dims(&dims, group->axis, &parts, &out->step[i]) ||
            (i > 0 && parts != out->parts)) {
            return;
        }
        out->parts = parts;
        for (int k = 0; k <= group->axis; k++) {
            out->index[i][k] = dims.stride[k];
        }
        out->is_one = out->is_one && dims.stride[group->axis] == out->step[i] * (int64_t)parts;
    }
    if (!hoist_compute_form_of(kernels, &call, out->step, &out->form)) {
        out->form.run = NULL;
    }
}

// Without enough memory for its values each step of a block goes through the buffers, with the same
// bits.
static bool keeps_values(const hoist_blocks *b)
{
    return b->scratch.size >= b->group->scratch;
}

static uint8_t *place_of(const hoist_blocks *b, const hoist_block_step *step, size_t operand,
                         const hoist_group_box *box)
{
    const hoist_view *view = &step->views[operand];
    if (step->place[operand] >= 0 && keeps_values(b)) {
        return b->scratch.data + step->place[operand];
    }
    uint8_t *at = view->memory.data + view->offset;
    for (int k = 0; k <= b->group->axis; k++) {
        at += (int64_t)box->begin[k] * step->lines.index[operand][k];
    }
    return at;
}

static void run_lines(const hoist_blocks *b, const hoist_block_step *step,
                      const hoist_group_box *box)
{
    const hoist_block_lines *lines = &step->lines;
    const size_t operands = step->call.input_count + HOIST_COMPUTE_MAX_OUTPUTS;
    const uint64_t indices = box->count[b->group->axis];
    hoist_compute_line line = {.count = (size_t)lines->parts};
    line.count *= lines->is_one ? (size_t)indices : 1;
    for (size_t i = 0; i < operands; i++) {
        line.at[i] = place_of(b, step, i, box);
        line.step[i] = lines->step[i];
    }
    lines->form.run(&lines->form, &line);
    for (uint64_t n = 1; n < indices && !lines->is_one; n++) {
        for (size_t i = 0; i < operands; i++) {
            line.at[i] += lines->index[i][b->group->axis];
        }
        lines->form.run(&lines->form, &line);
    }
}

// Steps -----------------------------------------------------------------------------------------

void hoist_blocks_place(const hoist_program *program, const hoist_group_plan *plan,
                        const hoist_compute_kernels *kernels, const hoist_group *group,
                        const hoist_prog_step *step, hoist_block_step *out_step)
{
    const hoist_prog_compute *compute = step->as.compute;
    for (uint32_t i = 0; i <= compute->input_count; i++) {
        const hoist_ref view = i < compute->input_count ? compute->inputs[i] : compute->outputs[0];
        hoist_walk walk = {.root = HOIST_NO_REF};
        const bool is_walk = hoist_walk_init(program, view, false, &walk);
        HOIST_ASSERT(is_walk); // it is in a group
        const hoist_group_local *local = is_walk ? local_of(plan, group, walk.root) : NULL;
        // The value begins `base` bytes into its buffer, from which the view counts.
        out_step->place[i] = local ? (int64_t)local->offset + walk.offset - local->base : -1;
    }
    find_lines(kernels, group, out_step, &out_step->lines);
}

// The part of a view in `box`: in the buffer, or from `place` of `memory` on.
static void cut(const hoist_view *view, const hoist_group *group, const hoist_group_box *box,
                int64_t place, hoist_mut_bytes memory, hoist_view *out)
{
    int lead = 0; // dimensions of one index are not counted
    *out = *view;
    for (int i = 0; i < view->shape.rank && lead <= group->axis; i++) {
        // A box has a range for each dimension that is longer than 1, up to the axis that is cut.
        if (view->shape.dim[i] > 1) {
            out->shape.dim[i] = (int64_t)box->count[lead];
            // A value of the worker holds this block only, and always begins at the same place.
            out->offset += place < 0 ? (int64_t)box->begin[lead] * view->stride[i] : 0;
            lead++;
        }
    }
    if (place >= 0) {
        out->memory = memory;
        out->offset = place;
    }
}

static hoist_status run_step(const hoist_blocks *b, const hoist_block_step *step,
                             const hoist_group_box *box)
{
    hoist_compute_fault fault; // rows that are cut have none
    hoist_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    const bool keeps = keeps_values(b);
    const size_t own = keeps ? (size_t)b->group->scratch : 0;
    hoist_compute_call call = step->call;
    HOIST_ASSERT(call.input_count <= HOIST_COMPUTE_MAX_INPUTS);
    for (size_t i = 0; i <= call.input_count; i++) {
        cut(&step->views[i], b->group, box, keeps ? step->place[i] : -1, b->scratch, &views[i]);
    }
    call.views = views;
    call.scratch = b->scratch;
    // What the values of the block leave is the kernels'.
    if (own > 0) {
        call.scratch = (hoist_mut_bytes){b->scratch.data + own, b->scratch.size - own};
    }
    return hoist_compute_run(b->kernels, &call, 0, hoist_compute_work(&call), &fault);
}

// A step after another, up to one that fails or `last`, which is not done any more.
static hoist_status run_block(const hoist_blocks *b, uint64_t block, uint32_t last,
                              hoist_blocks_outcome *outcome, uint32_t *out_step)
{
    const hoist_group_box box = hoist_group_box_of(b->group, block);
    // The end of a step is the beginning of the next one: a clock is read once for both.
    double before = b->is_timed ? hoist_now() : 0;
    for (uint32_t i = 0; i < last; i++) {
        hoist_status status = HOIST_OK;
        if (b->steps[i].lines.form.run) {
            run_lines(b, &b->steps[i], &box);
        } else {
            status = run_step(b, &b->steps[i], &box);
        }
        if (b->is_timed) {
            const double now = hoist_now();
            outcome->seconds[i] += now - before;
            before = now;
        }
        if (status != HOIST_OK) {
            *out_step = i;
            return status;
        }
    }
    return HOIST_OK;
}

hoist_status hoist_blocks_run(const hoist_blocks *blocks, uint64_t begin, uint64_t end,
                              hoist_blocks_outcome *out_outcome)
{
    hoist_status status = HOIST_OK;
    uint32_t last = blocks->group->count; // a later failure of the same step is not the first
    *out_outcome = (hoist_blocks_outcome){.step = 0};
    for (uint64_t i = begin; i < end; i++) {
        uint32_t step = 0;
        const hoist_status found = run_block(blocks, i, last, out_outcome, &step);
        if (found != HOIST_OK) {
            status = found;
            last = step;
            out_outcome->step = step;
            out_outcome->block = i;
        }
    }
    return status;
}
