// formats/neff/draw.h - the parts of the drawing of a NEFF: draw.c (engines, queue sets,
// what flows), draw_semaphores.c, draw_areas.c (memory).
#ifndef HOIST_SRC_FORMATS_NEFF_DRAW_H
#define HOIST_SRC_FORMATS_NEFF_DRAW_H

#include "formats/draw_text.h"
#include "formats/neff/show.h"

typedef struct neff_drawing {
    const neff_module *module;
    const neff_subgraph *subgraph;
    const neff_subgraph *peer; // of the other core of two; NULL
    int generation;
    hoist_arena *arena; // scratch
    size_t width;       // columns, 40 or more
    hoist_buffer *out;
} neff_drawing;

// Who raises each semaphore and who waits for it. HOIST_NO_MEMORY. draw_semaphores.c
HOIST_NODISCARD hoist_status neff_draw_semaphores(const neff_drawing *d);
// A bar per use of each area, and the slices of each scratchpad at their places. HOIST_NO_MEMORY.
// draw_areas.c
HOIST_NODISCARD hoist_status neff_draw_areas(const neff_drawing *d);

#endif // HOIST_SRC_FORMATS_NEFF_DRAW_H
