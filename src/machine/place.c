// Places of views: a view and the process that uses it in, the buffer, slot or address with its
// byte offset out. The values of registers and pointers are those of the moment.
#include "base/assert.h"
#include "machine/state.h"

static hoist_place place_of_view(const hoist_prog_view *view)
{
    return (hoist_place){.buffer = HOIST_NO_REF,
                         .fifo = HOIST_NO_REF,
                         .space = HOIST_NO_REF,
                         .dtype = view->dtype,
                         .layout = view->layout};
}

// Windows live as long as what they are windows of, so that the root's lifetime counts.
static bool is_of_call(const hoist_program *program, hoist_ref buffer)
{
    const hoist_ref root = hoist_prog_root(program, buffer, NULL);
    return program->buffers[root].lifetime == HOIST_LIFETIME_CALL;
}

// The start of what `view` is a view of.
static hoist_place base_of(const hoist_machine *m, const hoist_process *p,
                           const hoist_prog_view *view)
{
    hoist_place place = place_of_view(view);
    const hoist_frame_state *top = hoist_process_top(p);
    switch (view->base) {
    case HOIST_VIEW_BUFFER:
        place.buffer = view->of;
        if (is_of_call(m->program, view->of) && top) {
            // Depth, process and serial number together name one instance of the buffer: the same
            // function may run in two processes, and twice in one.
            place.frame = (uint32_t)(p->frame_count - 1);
            place.process = (uint32_t)(p - m->processes);
            place.call = top->call;
        }
        break;
    case HOIST_VIEW_READ_SLOT:
        place.fifo = view->of;
        place.slot = hoist_fifo_read_slot(&m->fifos[view->of]);
        break;
    case HOIST_VIEW_WRITE_SLOT:
        place.fifo = view->of;
        place.slot = hoist_fifo_write_slot(&m->fifos[view->of]);
        break;
    case HOIST_VIEW_PARAMETER:
        // The place was resolved when the call was made; type and layout are those of this view.
        if (top && top->function != HOIST_NO_REF) {
            place = p->views[top->views + view->of];
            place.dtype = view->dtype;
            place.layout = view->layout;
        }
        break;
    case HOIST_VIEW_SPACE:
        place.space = view->of;
        break;
    }
    return place;
}

hoist_place hoist_machine_resolve(const hoist_machine *machine, size_t process, hoist_ref view)
{
    HOIST_ASSERT(process < machine->process_count && view < machine->program->view_count);
    const hoist_process *p = &machine->processes[process];
    const hoist_prog_view *v = &machine->program->views[view];
    hoist_place place = base_of(machine, p, v);
    // A view without a register has factor times 0: `number` of the initializer is 0.
    const hoist_prog_value reg = {.reg = v->reg};
    // Wraps like the registers do; who uses the place checks its bounds.
    const uint64_t term = (uint64_t)hoist_process_value(machine, p, reg) * (uint64_t)v->reg_factor;
    place.offset = (int64_t)((uint64_t)place.offset + (uint64_t)v->offset + term);
    return place;
}

uint32_t hoist_machine_depth(const hoist_machine *machine, size_t process)
{
    HOIST_ASSERT(process < machine->process_count);
    return (uint32_t)machine->processes[process].frame_count;
}

hoist_ref hoist_machine_frame(const hoist_machine *machine, size_t process, uint32_t depth)
{
    const hoist_process *p = &machine->processes[process];
    return depth < p->frame_count ? p->frames[depth].function : HOIST_NO_REF;
}
