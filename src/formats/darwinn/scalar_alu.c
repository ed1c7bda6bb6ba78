// The operations of the scalar core's ALU: one expression and one row per code (darwinn reference
// section 8.4).
#include "formats/darwinn/scalar_alu.h"

#include <math.h>

#include "formats/darwinn/stream_bits.h"

// Two's complement without relying on how a conversion out of range comes out.
static int32_t as_signed(uint32_t bits)
{
    int32_t value = 0;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// One operation of two numbers of 32 bits. Some use `b` only (move, conversions). Unsigned
// arithmetic wraps, as that of the core.
#define OPERATION(name, value)                                                                     \
    static uint32_t name(uint32_t a, uint32_t b)                                                   \
    {                                                                                              \
        (void)a;                                                                                   \
        return (value);                                                                            \
    }

// clang-format off
OPERATION(add, a + b)
OPERATION(subtract, a - b)
OPERATION(bit_and, a & b)
OPERATION(bit_or, a | b)
OPERATION(bit_xor, a ^ b)
OPERATION(shift_left, a << (b & 31))
OPERATION(shift_right, a >> (b & 31))

// Without a shift of a negative number, whose result C leaves to the implementation.
static uint32_t shift_right_signed(uint32_t a, uint32_t b)
{
    // Ones where zeros were shifted in.
    const uint32_t sign = a >> 31 ? ~(UINT32_MAX >> (b & 31)) : 0;
    return a >> (b & 31) | sign;
}

OPERATION(equal, a == b)
OPERATION(unequal, a != b)
OPERATION(greater_signed, as_signed(a) > as_signed(b))
OPERATION(less, a < b)
OPERATION(not_less_signed, as_signed(a) >= as_signed(b))
OPERATION(not_less, a >= b)
OPERATION(move, b)
OPERATION(to_float, bits_of((float)as_signed(b)))

// Towards zero; out of range the nearest end, and 0 of a NaN [inferred].
static uint32_t to_int(uint32_t a, uint32_t b)
{
    (void)a;
    const float value = dwn_float_of(b);
    if (isnan(value)) {
        return 0;
    }
    if (value >= 2147483648.0f) { // 2^31, the first that does not fit
        return INT32_MAX;
    }
    return value <= -2147483648.0f ? UINT32_C(0x80000000) : (uint32_t)(int32_t)value;
}

OPERATION(multiply_floats, bits_of(dwn_float_of(a) * dwn_float_of(b)))
OPERATION(add_floats, bits_of(dwn_float_of(a) + dwn_float_of(b)))
OPERATION(subtract_floats, bits_of(dwn_float_of(a) - dwn_float_of(b)))
OPERATION(greater_float, bits_of(fmaxf(dwn_float_of(a), dwn_float_of(b))))
OPERATION(lesser_float, bits_of(fminf(dwn_float_of(a), dwn_float_of(b))))
// clang-format on

// Less and not-less as runs of released programs need them: 0x0c makes the carry of 64-bit sums.
// The conversions take the operand, not the first source: in the one program that has them only so
// the addresses of its loop come out as pieces of one transfer.
// clang-format off
static const dwn_alu rows[DWN_ALU_CODES] = {
    [0x00] = {"nop",  "",                                DWN_ALU_NONE,    false, NULL},
    [0x01] = {"add",  "a + b",                           DWN_ALU_BINARY,  false, add},
    [0x02] = {"sub",  "a - b",                           DWN_ALU_BINARY,  false, subtract},
    [0x03] = {"and",  "a AND b",                         DWN_ALU_BINARY,  false, bit_and},
    [0x04] = {"or",   "a OR b",                          DWN_ALU_BINARY,  false, bit_or},
    [0x05] = {"xor",  "a XOR b",                         DWN_ALU_BINARY,  false, bit_xor},
    [0x06] = {"shl",  "a shifted left by b mod 32",      DWN_ALU_BINARY,  false, shift_left},
    [0x07] = {"shr",  "a shifted right by b mod 32",     DWN_ALU_BINARY,  false, shift_right},
    [0x08] = {"sar",  "the same, with the sign",         DWN_ALU_BINARY,  false, shift_right_signed},
    [0x09] = {"eq",   "a = b",                           DWN_ALU_COMPARE, false, equal},
    [0x0a] = {"ne",   "a is not b",                      DWN_ALU_COMPARE, false, unequal},
    [0x0b] = {"gt",   "a > b, signed",                   DWN_ALU_COMPARE, true,  greater_signed},
    [0x0c] = {"ltu",  "a < b, unsigned",                 DWN_ALU_COMPARE, false, less},
    [0x0d] = {"ge",   "a >= b, signed",                  DWN_ALU_COMPARE, true,  not_less_signed},
    [0x0e] = {"geu",  "a >= b, unsigned",                DWN_ALU_COMPARE, true,  not_less},
    [DWN_ALU_MOVE] = {"mov", "b",                        DWN_ALU_UNARY,   false, move},
    [0x10] = {"i2f",  "signed b as float32",             DWN_ALU_UNARY,   true,  to_float},
    [0x11] = {"f2i",  "float32 b towards zero",          DWN_ALU_UNARY,   true,  to_int},
    [0x12] = {"fadd", "a + b in float32",                DWN_ALU_BINARY,  true,  add_floats},
    [0x13] = {"fsub", "a - b in float32",                DWN_ALU_BINARY,  true,  subtract_floats},
    [0x14] = {"fmul", "a * b in float32",                DWN_ALU_BINARY,  true,  multiply_floats},
    [0x15] = {"fmax", "the greater of float32 a and b",  DWN_ALU_BINARY,  true,  greater_float},
    [0x16] = {"fmin", "the lesser of float32 a and b",   DWN_ALU_BINARY,  true,  lesser_float},
};
// clang-format on

// Codes have 5 bits, and those from 0x17 on have no row.
const dwn_alu *dwn_alu_find(uint32_t code)
{
    return code < DWN_ALU_CODES && rows[code].name ? &rows[code] : NULL;
}
