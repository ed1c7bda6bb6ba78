// testing/program_generator.h - random small programs without a race, by construction: an order of
// actions is chosen first, and every wait that it needs, and no other, is put in. The same seed
// gives the same program on every machine.
//
// Threads and units copy and compute on buffers and windows of them; they meet through semaphores
// of one and of several signallers, drains, and fifos; there are loops, calls with views, and
// posts.
#ifndef HOIST_SRC_TESTING_PROGRAM_GENERATOR_H
#define HOIST_SRC_TESTING_PROGRAM_GENERATOR_H

#include "program/program.h"

typedef struct hoist_program_options {
    uint64_t seed;
    size_t leave_out; // number, from 1, of the wait to leave out; 0: none
} hoist_program_options;

typedef struct hoist_generated {
    hoist_program *program; // owned: hoist_program_destroy
    // Waits and drains, each of which is all that orders some pair of conflicting accesses.
    size_t waits;
} hoist_generated;

// Entry 0 runs all threads. Buffers hold 16 float32 with given contents.
HOIST_NODISCARD hoist_status hoist_program_generate(hoist_allocator alloc,
                                                    const hoist_program_options *options,
                                                    hoist_generated *out_generated);

#endif // HOIST_SRC_TESTING_PROGRAM_GENERATOR_H
