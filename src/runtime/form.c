// Forms of compute steps (form.h): a step of a program in, its call without data out. prepared.c
// adds the constants that it knows; scratch.c asks for sizes only.
#include "runtime/form.h"

#include "base/assert.h"

static hoist_view form_of(const hoist_program *program, hoist_ref ref)
{
    HOIST_ASSERT(ref < program->view_count);
    static uint8_t nothing;
    const hoist_prog_view *row = &program->views[ref];
    const hoist_prog_layout *layout = &program->layouts[row->layout];
    hoist_view view = {.memory = {&nothing, 1}, .dtype = row->dtype, .shape = layout->shape};
    for (int i = 0; i < layout->shape.rank; i++) {
        view.stride[i] = layout->stride[i];
    }
    return view;
}

bool hoist_form_of_step(const hoist_program *program, const hoist_prog_step *step,
                        hoist_view *views, hoist_compute_call *out_call)
{
    if (step->kind != HOIST_STEP_COMPUTE || hoist_compute_get(step->as.compute->op)->tiled) {
        return false;
    }
    const hoist_prog_compute *compute = step->as.compute;
    HOIST_ASSERT(compute->input_count <= HOIST_COMPUTE_MAX_INPUTS && compute->output_count > 0);
    for (uint32_t i = 0; i < compute->input_count; i++) {
        views[i] = form_of(program, compute->inputs[i]);
    }
    views[compute->input_count] = form_of(program, compute->outputs[0]);
    *out_call = (hoist_compute_call){.op = compute->op,
                                     .attrs = compute->attrs,
                                     .views = views,
                                     .input_count = compute->input_count};
    return true;
}
