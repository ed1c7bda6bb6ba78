// plan/lives.h - where and when values live in memory that the steps of a thread or function share
// (reuse.h, calls.h), by which sessions execute a program: what pictures of memory show.
#ifndef HOIST_SRC_PLAN_LIVES_H
#define HOIST_SRC_PLAN_LIVES_H

#include "base/arena.h"
#include "program/program.h"

typedef struct hoist_plan_life {
    hoist_ref buffer;
    uint32_t code;   // whose steps share the memory: functions first, then threads
    uint64_t offset; // bytes from the start of that memory
    uint32_t first;  // of these steps
    uint32_t last;
} hoist_plan_life;

typedef struct hoist_plan_lives {
    hoist_plan_life *lives; // arena; by the buffers of the program
    size_t count;
} hoist_plan_lives;

// Of a program that passed hoist_program_verify(), of which the caller reads the results that are
// views. HOIST_OK, HOIST_UNSUPPORTED (sessions refuse the program), HOIST_INVALID (a thread names
// memory of a call), HOIST_LIMIT (deadline, or beyond 2^63), HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_plan_lives_find(const hoist_program *program,
                                                   hoist_deadline *deadline, hoist_arena *arena,
                                                   hoist_plan_lives *out_lives);

#endif // HOIST_SRC_PLAN_LIVES_H
