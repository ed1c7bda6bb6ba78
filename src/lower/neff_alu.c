// Registers of an engine: MOVE and ALU_OP (neff reference section 5.2).
//
// A register holds 32 bits; here it is the signed number that they are, so that sums need only be
// cut back and the logical operations are those of 64 bits. What reads it as unsigned masks first.
#include <inttypes.h>

#include "base/span.h"
#include "lower/neff_lower.h"

enum { LOGICAL = 9 }; // dtype UINT32; 8: INT32
#define LOW32 INT64_C(0xffffffff)

// The halves of the instruction's own address, which nothing writes.
enum { ADDRESS_LOW = 128, ADDRESS_HIGH };

static void refuse_register(hoist_neff_job *j, const hoist_neff_place *place, uint32_t number,
                            hoist_neff_use use)
{
    const char *const used = use == HOIST_NEFF_WRITES ? "written" : "read";
    if (number != ADDRESS_LOW && number != ADDRESS_HIGH) {
        hoist_neff_refuse(j, RUN_021, place, "register %" PRIu32 " is %s, wanted 0 to %d", number,
                          used, HOIST_NEFF_REGISTERS - 1);
        return;
    }
    hoist_neff_refuse(j, RUN_021, place,
                      "register %" PRIu32 " is %s, the %s half of the instruction's address, %s",
                      number, used, number == ADDRESS_LOW ? "lower" : "upper",
                      use == HOIST_NEFF_WRITES ? "which can only be read"
                                               : "which instructions have on devices alone");
}

hoist_ref hoist_neff_register_at(hoist_neff_job *j, const hoist_neff_place *place,
                                 hoist_neff_registers *registers, uint32_t number,
                                 hoist_neff_use use)
{
    if (number >= HOIST_NEFF_REGISTERS) {
        refuse_register(j, place, number, use);
        return HOIST_NO_REF;
    }
    hoist_ref *ref = &registers->refs[number];
    if (*ref == HOIST_NO_REF) {
        *ref = hoist_builder_register(
            j->b, &(hoist_prog_register){.name = hoist_neff_name(j, "r%" PRIu32, number)});
    }
    return *ref;
}

// One of our own, beyond those of the engine.
static hoist_ref spare(hoist_neff_job *j, hoist_neff_registers *registers, uint32_t number)
{
    hoist_ref *ref = &registers->refs[HOIST_NEFF_REGISTERS + number];
    if (*ref == HOIST_NO_REF) {
        *ref = hoist_builder_register(
            j->b, &(hoist_prog_register){.name = hoist_neff_name(j, "t%" PRIu32, number)});
    }
    return *ref;
}

void hoist_neff_move_registers(hoist_neff_job *j, const hoist_neff_place *place,
                               hoist_neff_registers *registers, const neff_record *record)
{
    const neff_moves moves = neff_moves_of(record);
    char fault[96];
    if (neff_moves_fault(record, fault, sizeof(fault))) {
        hoist_neff_refuse(j, RUN_021, place, "MOVE %s", fault);
        return;
    }
    for (unsigned i = 0; i < moves.count && hoist_neff_goes_on(j); i++) {
        const hoist_ref to =
            hoist_neff_register_at(j, place, registers, moves.destination[i], HOIST_NEFF_WRITES);
        const hoist_prog_value from =
            moves.immediate ? hoist_neff_number((int32_t)moves.number[i])
                            : hoist_neff_register(hoist_neff_register_at(
                                  j, place, registers, moves.source[i], HOIST_NEFF_READS));
        if (hoist_neff_goes_on(j)) {
            hoist_neff_step(
                j, place, "MOVE",
                (hoist_prog_step){.kind = HOIST_STEP_ALU,
                                  .as.alu = {HOIST_ALU_SET, to, from, hoist_neff_number(0)}});
        }
    }
}

// ALU_OP -----------------------------------------------------------------------------------------

// The operation at hand. `a` and `b` may be masked copies.
typedef struct alu {
    hoist_neff_job *j;
    const hoist_neff_place *place;
    hoist_neff_registers *registers;
    hoist_ref to; // t0, so that the destination may be an operand
    hoist_prog_value a;
    hoist_prog_value b;
} alu;

static void emit(alu *x, hoist_alu_op op, hoist_ref to, hoist_prog_value a, hoist_prog_value b)
{
    hoist_neff_step(x->j, x->place, "ALU_OP",
                    (hoist_prog_step){.kind = HOIST_STEP_ALU, .as.alu = {op, to, a, b}});
}

static hoist_prog_value result(const alu *x)
{
    return hoist_neff_register(x->to);
}

static void do_set(alu *x)
{
    emit(x, HOIST_ALU_SET, x->to, x->a, hoist_neff_number(0));
}

static void do_not(alu *x)
{
    emit(x, HOIST_ALU_XOR, x->to, x->a, hoist_neff_number(-1));
}

// The amount of a shift, modulo 32 [inferred].
static hoist_prog_value amount(alu *x)
{
    const hoist_ref masked = spare(x->j, x->registers, 1);
    emit(x, HOIST_ALU_AND, masked, x->b, hoist_neff_number(31));
    return hoist_neff_register(masked);
}

static void do_left(alu *x)
{
    const hoist_prog_value by = amount(x);
    emit(x, HOIST_ALU_SHL, x->to, x->a, by);
}

// The upper half of the 64 bits is the sign.
static void do_arithmetic_right(alu *x)
{
    const hoist_prog_value by = amount(x);
    emit(x, HOIST_ALU_SHR, x->to, x->a, by);
}

static void do_logical_right(alu *x)
{
    const hoist_prog_value by = amount(x);
    emit(x, HOIST_ALU_AND, x->to, x->a, hoist_neff_number(LOW32));
    emit(x, HOIST_ALU_SHR, x->to, result(x), by);
}

static void do_add(alu *x)
{
    emit(x, HOIST_ALU_ADD, x->to, x->a, x->b);
}
static void do_subtract(alu *x)
{
    emit(x, HOIST_ALU_SUB, x->to, x->a, x->b);
}
static void do_multiply(alu *x)
{
    emit(x, HOIST_ALU_MUL, x->to, x->a, x->b);
}
static void do_and(alu *x)
{
    emit(x, HOIST_ALU_AND, x->to, x->a, x->b);
}
static void do_or(alu *x)
{
    emit(x, HOIST_ALU_OR, x->to, x->a, x->b);
}
static void do_xor(alu *x)
{
    emit(x, HOIST_ALU_XOR, x->to, x->a, x->b);
}
static void do_equal(alu *x)
{
    emit(x, HOIST_ALU_EQ, x->to, x->a, x->b);
}
static void do_less(alu *x)
{
    emit(x, HOIST_ALU_LT, x->to, x->a, x->b);
}
static void do_less_or_equal(alu *x)
{
    emit(x, HOIST_ALU_LE, x->to, x->a, x->b);
}
static void do_greater(alu *x)
{
    emit(x, HOIST_ALU_LT, x->to, x->b, x->a);
}
static void do_greater_or_equal(alu *x)
{
    emit(x, HOIST_ALU_LE, x->to, x->b, x->a);
}

static void do_not_equal(alu *x)
{
    do_equal(x);
    emit(x, HOIST_ALU_XOR, x->to, result(x), hoist_neff_number(1));
}

// a + (pick b ? 1 : 0) * (b - a)
static void choose(alu *x, hoist_prog_value low, hoist_prog_value high)
{
    const hoist_ref difference = spare(x->j, x->registers, 1);
    const hoist_prog_value value = hoist_neff_register(difference);
    emit(x, HOIST_ALU_LT, x->to, low, high);
    emit(x, HOIST_ALU_SUB, difference, x->b, x->a);
    emit(x, HOIST_ALU_MUL, difference, value, result(x));
    emit(x, HOIST_ALU_ADD, x->to, x->a, value);
}

static void do_greatest(alu *x)
{
    choose(x, x->a, x->b);
}
static void do_least(alu *x)
{
    choose(x, x->b, x->a);
}

// |difference| = difference * (1 - 2 * (difference < 0))
static void make_positive(alu *x, hoist_prog_value value)
{
    const hoist_ref sign = spare(x->j, x->registers, 1);
    const hoist_prog_value of_sign = hoist_neff_register(sign);
    emit(x, HOIST_ALU_LT, sign, value, hoist_neff_number(0));
    emit(x, HOIST_ALU_MUL, sign, of_sign, hoist_neff_number(-2));
    emit(x, HOIST_ALU_ADD, sign, of_sign, hoist_neff_number(1));
    emit(x, HOIST_ALU_MUL, x->to, value, of_sign);
}

static void do_distance(alu *x)
{
    do_subtract(x);
    make_positive(x, result(x));
}
static void do_absolute(alu *x)
{
    make_positive(x, x->a);
}

// Truth of both operands: t0 and t1.
static hoist_prog_value truths(alu *x)
{
    const hoist_ref other = spare(x->j, x->registers, 1);
    emit(x, HOIST_ALU_EQ, x->to, x->a, hoist_neff_number(0));
    emit(x, HOIST_ALU_XOR, x->to, result(x), hoist_neff_number(1));
    emit(x, HOIST_ALU_EQ, other, x->b, hoist_neff_number(0));
    emit(x, HOIST_ALU_XOR, other, hoist_neff_register(other), hoist_neff_number(1));
    return hoist_neff_register(other);
}
static void do_both(alu *x)
{
    const hoist_prog_value other = truths(x);
    emit(x, HOIST_ALU_AND, x->to, result(x), other);
}
static void do_either(alu *x)
{
    const hoist_prog_value other = truths(x);
    emit(x, HOIST_ALU_OR, x->to, result(x), other);
}
static void do_one(alu *x)
{
    const hoist_prog_value other = truths(x);
    emit(x, HOIST_ALU_XOR, x->to, result(x), other);
}

// By ALU code (5.3). `compares`: as unsigned numbers when the dtype is UINT32.
static const struct {
    void (*run)(alu *x);
    bool compares;
} operations[] = {
    [0x00] = {do_set, false},
    [0x01] = {do_not, false},
    [0x02] = {do_left, false},
    [0x03] = {do_arithmetic_right, false},
    [0x04] = {do_add, false},
    [0x05] = {do_subtract, false},
    [0x06] = {do_multiply, false},
    [0x08] = {do_greatest, true},
    [0x09] = {do_least, true},
    [0x0a] = {do_and, false},
    [0x0b] = {do_or, false},
    [0x0c] = {do_xor, false},
    [0x0d] = {do_both, false},
    [0x0e] = {do_either, false},
    [0x0f] = {do_one, false},
    [0x10] = {do_left, false},
    [0x11] = {do_logical_right, false},
    [0x12] = {do_equal, false},
    [0x13] = {do_greater, true},
    [0x14] = {do_greater_or_equal, true},
    [0x15] = {do_less_or_equal, true},
    [0x16] = {do_less, true},
    [0x17] = {do_distance, true},
    [0x18] = {do_not_equal, false},
    [0x19] = {do_absolute, true},
};

// A copy of the value as an unsigned number, in `copy`.
static hoist_prog_value as_unsigned(alu *x, hoist_prog_value value, hoist_ref copy)
{
    if (value.reg == HOIST_NO_REF) {
        return hoist_neff_number(value.number & LOW32);
    }
    emit(x, HOIST_ALU_AND, copy, value, hoist_neff_number(LOW32));
    return hoist_neff_register(copy);
}

void hoist_neff_alu(hoist_neff_job *j, const hoist_neff_place *place,
                    hoist_neff_registers *registers, const neff_record *record)
{
    const neff_alu code = neff_alu_of(record);
    const char *name = neff_alu_name(code.op);
    const bool known = code.op < HOIST_COUNT_OF(operations) && operations[code.op].run;
    if (!known || (code.dtype != LOGICAL && code.dtype != LOGICAL - 1)) {
        hoist_neff_refuse(j, RUN_021, place,
                          "operation %s (0x%02x) of type code %u, which is not public",
                          name ? name : "unknown", code.op, code.dtype);
        return;
    }
    const hoist_ref to =
        hoist_neff_register_at(j, place, registers, code.destination, HOIST_NEFF_WRITES);
    const hoist_ref a = hoist_neff_register_at(j, place, registers, code.source, HOIST_NEFF_READS);
    const hoist_ref b =
        code.immediate ? HOIST_NO_REF
                       : hoist_neff_register_at(j, place, registers, code.second, HOIST_NEFF_READS);
    if (!hoist_neff_goes_on(j)) {
        return;
    }
    alu x = {.j = j, .place = place, .registers = registers, .a = hoist_neff_register(a)};
    x.b =
        code.immediate ? hoist_neff_number((int32_t)(uint32_t)code.number) : hoist_neff_register(b);
    x.to = spare(j, registers, 0);
    if (operations[code.op].compares && code.dtype == LOGICAL) {
        // The destination has room for the second one, when the first is safe.
        x.a = as_unsigned(&x, x.a, spare(j, registers, 2));
        x.b = as_unsigned(&x, x.b, to);
    }
    operations[code.op].run(&x);
    emit(&x, HOIST_ALU_WRAP32, to, result(&x), hoist_neff_number(0));
}
