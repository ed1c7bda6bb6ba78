// program/verify.h - what every program must hold, checked without running it: references, operands
// and their shapes, bounds, capacity, alignment, overlap, code structure, and reads of bytes that
// nothing ever wrote. Rules PRG-001... (rules.inc); formats map them to their own.
//
// Order (races, deadlock) needs the machine: machine/order.h.
#ifndef HOIST_SRC_PROGRAM_VERIFY_H
#define HOIST_SRC_PROGRAM_VERIFY_H

#include "program/program.h"

extern const hoist_rule_set hoist_program_rules;

// Reports all findings, each at the place of its row or step, with the object path
// "functions/f/steps/3". HOIST_OK whatever was found, HOIST_NO_MEMORY. A program without an error
// here can be run: the machine and the runtime rely on every reference, operand and bound.
HOIST_NODISCARD hoist_status hoist_program_verify(const hoist_program *program, hoist_diag *diag);
// The same; HOIST_INVALID when there is an error. `diag` may be NULL; `alloc` is for findings then.
HOIST_NODISCARD hoist_status hoist_program_verify_fully(const hoist_program *program,
                                                        hoist_diag *diag, hoist_allocator alloc);

#endif // HOIST_SRC_PROGRAM_VERIFY_H
