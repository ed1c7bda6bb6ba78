// formats/neff/neff_picture.h - what the picture of a subgraph counts first: who raises each
// semaphore and who waits for it.
#ifndef HOIST_SRC_FORMATS_NEFF_NEFF_PICTURE_H
#define HOIST_SRC_FORMATS_NEFF_NEFF_PICTURE_H

#include "formats/neff/show.h"

typedef struct neff_scene {
    const neff_module *module;
    const neff_subgraph *subgraph;
    const neff_subgraph *peer; // of the other core of two; NULL
    int generation;
    hoist_arena *arena; // scratch
} neff_scene;

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
HOIST_NODISCARD hoist_status neff_semaphores_read(const neff_scene *scene, neff_semaphores *out);

#endif // HOIST_SRC_FORMATS_NEFF_NEFF_PICTURE_H
