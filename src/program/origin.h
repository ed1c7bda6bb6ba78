// program/origin.h - the steps through which an input of a program leads to one of its steps.
#ifndef HOIST_SRC_PROGRAM_ORIGIN_H
#define HOIST_SRC_PROGRAM_ORIGIN_H

#include "program/program.h"

// The fewest compute steps, moves and others that lead from an input to a step.
typedef struct hoist_origin {
    hoist_str input;               // its name, borrowed; empty: no input leads there
    const hoist_prog_step **steps; // owned: from the input on; the last one is the step asked for
    size_t count;                  // of `steps`, 1 or more
    hoist_str code;                // borrowed: the function or thread that the step is in
} hoist_origin;

// Of a data step of a program that passed hoist_program_verify(). All steps that write a buffer
// count, whichever ran last; what a function gets as a view leads nowhere. HOIST_OK,
// HOIST_NO_MEMORY
// (`*out_origin` is zeros). Free with hoist_origin_deinit and the same allocator.
HOIST_NODISCARD hoist_status hoist_origin_find(const hoist_program *program,
                                               const hoist_prog_step *step, hoist_allocator alloc,
                                               hoist_origin *out_origin);
void hoist_origin_deinit(hoist_origin *origin, hoist_allocator alloc);

#endif // HOIST_SRC_PROGRAM_ORIGIN_H
