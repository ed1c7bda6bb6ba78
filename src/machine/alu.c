// The arithmetic of registers and the comparisons of branches and waits: numbers in, a number or a
// truth value out. Wraps in 64 bits like the netlist's variables (buda-netlist reference section
// 2.4); step.c calls it, alu_test.c compares it with 128-bit sums.
#include "machine/alu.h"

// Wrapping arithmetic is unsigned; the conversions back are two's complement with gcc and clang.
static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

// (dst + a + off) mod b with C's remainder; off, a multiple of b, makes the step not negative.
static bool incwrap(int64_t dst, int64_t a, int64_t b, int64_t *out_result)
{
    if (b == 0) {
        return false;
    }
    // The remainder by -1 of the least integer traps on x86, hence not by `%`; by 1 it is 0 as
    // well.
    if (b == 1 || b == -1) {
        *out_result = 0;
        return true;
    }
    int64_t step = a;
    if (a < 0) {
        // Reduced before the size is added: a + off itself could overflow.
        const int64_t rest = a % b; // of a's sign
        const int64_t size = b < 0 ? (int64_t)(0 - (uint64_t)b) : b;
        step = rest == 0 ? 0 : add(rest, size);
    }
    *out_result = add(dst, step) % b;
    return true;
}

// Shifts by 64 and more are undefined in C: the count is taken modulo 64. SHR fills with zeros.
static int64_t binary(hoist_alu_op op, int64_t a, int64_t b)
{
    const uint64_t x = (uint64_t)a;
    const uint64_t y = (uint64_t)b;
    switch (op) {
    case HOIST_ALU_ADD:
        return (int64_t)(x + y);
    case HOIST_ALU_SUB:
        return (int64_t)(x - y);
    case HOIST_ALU_MUL:
        return (int64_t)(x * y); // the low 64 bits are the same for signed factors
    case HOIST_ALU_AND:
        return (int64_t)(x & y);
    case HOIST_ALU_OR:
        return (int64_t)(x | y);
    case HOIST_ALU_XOR:
        return (int64_t)(x ^ y);
    case HOIST_ALU_SHL:
        return (int64_t)(x << (y % 64));
    case HOIST_ALU_SHR:
        return (int64_t)(x >> (y % 64));
    case HOIST_ALU_EQ:
        return a == b;
    case HOIST_ALU_LT:
        return a < b;
    case HOIST_ALU_LE:
        return a <= b;
    case HOIST_ALU_WRAP32:
        return (int32_t)(uint32_t)x; // sign-extended
    case HOIST_ALU_SET:
    case HOIST_ALU_INCWRAP:
    case HOIST_ALU_COUNT:
        break;
    } // SET: the value as it is
    return a;
}

bool hoist_alu(hoist_alu_op op, int64_t dst, int64_t a, int64_t b, int64_t *out_result)
{
    if (op == HOIST_ALU_INCWRAP) {
        *out_result = 0;
        return incwrap(dst, a, b, out_result);
    }
    *out_result = binary(op, a, b);
    return true;
}

bool hoist_compare_holds(hoist_compare compare, int64_t a, int64_t b)
{
    switch (compare) {
    case HOIST_CMP_EQ:
        return a == b;
    case HOIST_CMP_NE:
        return a != b;
    case HOIST_CMP_LT:
        return a < b;
    case HOIST_CMP_LE:
        return a <= b;
    case HOIST_CMP_GT:
        return a > b;
    case HOIST_CMP_GE:
        return a >= b;
    case HOIST_CMP_COUNT:
        break;
    }
    return false;
}
