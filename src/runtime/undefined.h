// runtime/undefined.h - arithmetic that the reference does not define, of sessions that go on: what
// is noted of it while steps run, and the one warning about it.
#ifndef HOIST_SRC_RUNTIME_UNDEFINED_H
#define HOIST_SRC_RUNTIME_UNDEFINED_H

#include "base/diag.h"
#include "kernels/compute.h"
#include "program/program.h"

// Zeros: none so far.
typedef struct hoist_undefined_seen {
    uint64_t count;              // elements
    const hoist_prog_step *step; // of the first one; NULL: none
    uint64_t unit;               // of that step's work
    hoist_compute_fault fault;   // the first one, in the order of units
} hoist_undefined_seen;

// Units of `step` from `unit` on have met `fault`, which may be none. All of one execution of a
// step, in any order, go to one `seen`.
void hoist_undefined_note(hoist_undefined_seen *seen, const hoist_prog_step *step, uint64_t unit,
                          const hoist_compute_fault *fault);
// Adds what came later, and forgets it there.
void hoist_undefined_add(hoist_undefined_seen *seen, hoist_undefined_seen *later);
// Reports what was seen and forgets it: count, first place, the operators that lead there.
void hoist_undefined_report(hoist_undefined_seen *seen, const hoist_program *program,
                            hoist_diag *diag, hoist_allocator alloc);

#endif // HOIST_SRC_RUNTIME_UNDEFINED_H
