// formats/buda/frames.h - the object path of a finding: `queues/q0`, `graphs/g0/ops/mm`.
//
//     buda_frames frames;
//     buda_enter_queue(diag, &frames, queue);
//     ... buda_report(...) ...
//     buda_leave(diag, &frames);
#ifndef HOIST_SRC_FORMATS_BUDA_FRAMES_H
#define HOIST_SRC_FORMATS_BUDA_FRAMES_H

#include "base/diag.h"
#include "formats/buda/module.h"

// The frames of one object, on the caller's stack.
typedef struct buda_frames {
    hoist_frame items[4];
    size_t count;
} buda_frames;

// Each pushes the path of one object; `frames` is overwritten, and is in use until buda_leave.
void buda_enter_queue(hoist_diag *diag, buda_frames *frames, const buda_queue *queue);
void buda_enter_graph(hoist_diag *diag, buda_frames *frames, const buda_graph *graph);
void buda_enter_op(hoist_diag *diag, buda_frames *frames, const buda_graph *graph,
                   const buda_op *op);
void buda_enter_program(hoist_diag *diag, buda_frames *frames, const buda_program *program);
// Pops what the enter call pushed.
void buda_leave(hoist_diag *diag, const buda_frames *frames);

#endif // HOIST_SRC_FORMATS_BUDA_FRAMES_H
