// runtime/runtime_fuzz_testing.h - for fuzz targets: an arbitrary program, in a
// small session.
#ifndef HOIST_SRC_RUNTIME_RUNTIME_FUZZ_TESTING_H
#define HOIST_SRC_RUNTIME_RUNTIME_FUZZ_TESTING_H

#include "hoist/runtime.h"

typedef struct fuzz_session_limits {
    uint64_t memory; // of the session, and of an entry of each port
    uint64_t steps;  // of one run
} fuzz_session_limits;

// Opens a session, fills all inputs with zeros, runs every entry with parameters 1 and takes what
// came out. It ends whatever the program does, and what ends badly has said why, or it is a
// finding.
void fuzz_session(const hoist_program *program, const fuzz_session_limits *limits,
                  hoist_allocator alloc, hoist_diag *diag);

#endif // HOIST_SRC_RUNTIME_RUNTIME_FUZZ_TESTING_H
