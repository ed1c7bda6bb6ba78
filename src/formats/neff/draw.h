// formats/neff/draw.h - the parts of the drawing of a NEFF: draw.c (engines, queue sets,
// what flows), draw_semaphores.c, draw_areas.c (memory); and draw_tree.c, the same as data.
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

enum { NEFF_SEMAPHORES = 256 };
typedef struct neff_semaphore_set {
    uint8_t bits[NEFF_SEMAPHORES / 8];
} neff_semaphore_set;
static inline bool neff_semaphore_in(const neff_semaphore_set *set, int semaphore)
{
    return set->bits[semaphore / 8] >> (semaphore % 8) & 1;
}

typedef struct neff_semaphores {
    neff_semaphore_set used;
    uint8_t raised[NEFF_SEMAPHORES]; // bit: by that engine
    uint8_t awaited[NEFF_SEMAPHORES];
    neff_semaphore_set *queues; // arena; per queue set: those that it raises
    neff_semaphore_set *remote; // arena; per queue set of the other core
} neff_semaphores;
// Those of the subgraph. HOIST_NO_MEMORY. semaphores.c
HOIST_NODISCARD hoist_status neff_semaphores_read(const neff_drawing *d, neff_semaphores *out);

// What flows through each queue set.
typedef struct neff_flow_view {
    neff_traffic traffic;
    uint32_t *first;    // arena; by queue set: its first flow
    uint32_t *triggers; // arena; by queue set: triggers in all streams
} neff_flow_view;
// That of the subgraph. HOIST_NO_MEMORY. draw.c
HOIST_NODISCARD hoist_status neff_flow_view_read(const neff_drawing *d, neff_flow_view *out);
// Instructions of an engine. draw.c
uint64_t neff_instructions_of(const neff_drawing *d, const neff_engine *engine);

// Who raises each semaphore and who waits for it. HOIST_NO_MEMORY. draw_semaphores.c
HOIST_NODISCARD hoist_status neff_draw_semaphores(const neff_drawing *d);
// A bar per use of each area, and the slices of each scratchpad at their places. HOIST_NO_MEMORY.
// draw_areas.c
HOIST_NODISCARD hoist_status neff_draw_areas(const neff_drawing *d);

#endif // HOIST_SRC_FORMATS_NEFF_DRAW_H
