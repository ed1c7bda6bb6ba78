// Object paths of findings: pushes the frames of an object of the netlist onto the diag's stack
// (base/diag.h) and pops them. They are rendered only when something is reported.
#include "formats/buda/frames.h"

#include "base/span.h"

// `items` has four places: graphs/G/ops/O is the deepest path.
static void push(hoist_diag *diag, buda_frames *frames, hoist_str path)
{
    hoist_diag_push(diag, &frames->items[frames->count++], NULL, (hoist_str){NULL, 0}, path);
}

// A path of two parts; more are pushed behind it.
static void enter(hoist_diag *diag, buda_frames *frames, hoist_str section, hoist_str name)
{
    frames->count = 0;
    push(diag, frames, section);
    push(diag, frames, name);
}

void buda_enter_queue(hoist_diag *diag, buda_frames *frames, const buda_queue *queue)
{
    enter(diag, frames, HOIST_STR("queues"), queue->name.text);
}

void buda_enter_graph(hoist_diag *diag, buda_frames *frames, const buda_graph *graph)
{
    enter(diag, frames, HOIST_STR("graphs"), graph->name.text);
}

void buda_enter_op(hoist_diag *diag, buda_frames *frames, const buda_graph *graph,
                   const buda_op *op)
{
    buda_enter_graph(diag, frames, graph);
    push(diag, frames, HOIST_STR("ops"));
    push(diag, frames, op->name.text);
}

void buda_enter_program(hoist_diag *diag, buda_frames *frames, const buda_program *program)
{
    enter(diag, frames, HOIST_STR("programs"), program->name.text);
}

// In reverse order: the diag's stack is a list through the frames.
void buda_leave(hoist_diag *diag, const buda_frames *frames)
{
    for (size_t i = frames->count; i > 0; i--) {
        hoist_diag_pop(diag, &frames->items[i - 1]);
    }
}
