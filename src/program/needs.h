// program/needs.h - which ports a caller has still to supply before a run.
#ifndef HOIST_SRC_PROGRAM_NEEDS_H
#define HOIST_SRC_PROGRAM_NEEDS_H

#include "program/program.h"

// As hoist_program_missing() of hoist/program.h, with scratch memory of `alloc`. The program
// verifies.
HOIST_NODISCARD hoist_status hoist_prog_find_missing(const hoist_program *program,
                                                     hoist_allocator alloc, const bool *given,
                                                     bool *out_missing);

#endif // HOIST_SRC_PROGRAM_NEEDS_H
