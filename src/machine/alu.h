// machine/alu.h - the arithmetic of registers.
#ifndef HOIST_SRC_MACHINE_ALU_H
#define HOIST_SRC_MACHINE_ALU_H

#include "program/program.h"

// `dst` op (a, b), in 64-bit two's complement; `dst` is the old value of the destination. False
// for HOIST_ALU_INCWRAP with b = 0, which has no result.
bool hoist_alu(hoist_alu_op op, int64_t dst, int64_t a, int64_t b, int64_t *out_result);
bool hoist_compare_holds(hoist_compare compare, int64_t a, int64_t b);

#endif // HOIST_SRC_MACHINE_ALU_H
