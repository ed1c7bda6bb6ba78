// plan/reshapes.h - buffers of tiles that need not be stored: a move that cuts a tensor otherwise,
// or repeats its tiles, copies tile by tile into a buffer that kernels then read through a table of
// tiles. They may as well read the tiles where they are.
//
//   move copy from [x tiled(ublock 4x24)] to y tiled(t 12 ublock 4x2) table [0, 1, 24, 25, ...]
//   compute matmul from [y ...]        reads tiles 0, 1, 24, 25, ... of x; y has no memory
#ifndef HOIST_SRC_PLAN_RESHAPES_H
#define HOIST_SRC_PLAN_RESHAPES_H

#include "program/program.h"

// Of a buffer that is read through the table of the move that would fill it.
typedef struct hoist_reshape {
    const hoist_prog_move *move; // borrowed; NULL: the buffer is stored
    hoist_ref layout;            // of all views of the buffer
} hoist_reshape;

// Finds them for buffers of one call, each by the function that `owners` has for it (another value:
// none). The move is the buffer's only writer and has one source, tiles that do not change until
// the buffer is read for the last time: another buffer of the call that is stored, or a slot of a
// fifo whose pointers stay meanwhile. Only code without loops, branches and calls has some, and no
// program with opaque steps, whose unknown bytes are carried from step to step.
// `out_reshapes`: per buffer, zeros on entry. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_reshapes_find(const hoist_program *program,
                                                 const hoist_ref *owners, hoist_allocator alloc,
                                                 hoist_reshape *out_reshapes);

// The reshape of the buffer that `view` is of; NULL: the view is of something that is stored.
static inline const hoist_reshape *hoist_reshape_of(const hoist_program *program,
                                                    const hoist_reshape *reshapes, hoist_ref view)
{
    const hoist_prog_view *row = &program->views[view];
    const bool is = row->base == HOIST_VIEW_BUFFER && reshapes[row->of].move;
    return is ? &reshapes[row->of] : NULL;
}

#endif // HOIST_SRC_PLAN_RESHAPES_H
