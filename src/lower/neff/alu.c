// Registers of an engine: MOVE and ALU_OP (neff reference section 5.2). In goes a record of
// threads.c, out come ALU steps of the program (program's own few operations).
//
// A register holds 32 bits; here it is the signed integer that they are, so that sums need only be
// wrapped and the logical operations are those of 64 bits. What reads it as unsigned masks it
// first.
#include <inttypes.h>

#include "base/span.h"
#include "lower/neff/state.h"

enum { LOGICAL = 9 }; // dtype UINT32; 8: INT32
#define LOW32 INT64_C(0xffffffff)

// The halves of the instruction's own address, which nothing writes.
enum { ADDRESS_LOW = 128, ADDRESS_HIGH };

// 0 to 63 are general; 128 and 129 have a message of their own, all others that of the range.
static void refuse_register(neff_lower_job *j, const neff_lower_place *place, uint32_t number,
                            neff_lower_use use)
{
    const char *const used = use == NEFF_LOWER_WRITES ? "written" : "read";
    if (number != ADDRESS_LOW && number != ADDRESS_HIGH) {
        neff_lower_refuse(j, RUN_021, place, "register %" PRIu32 " is %s, expected 0 to %d", number,
                          used, NEFF_LOWER_REGISTERS - 1);
        return;
    }
    neff_lower_refuse(j, RUN_021, place,
                      "register %" PRIu32 " is %s, the %s half of the instruction's address, %s",
                      number, used, number == ADDRESS_LOW ? "lower" : "upper",
                      use == NEFF_LOWER_WRITES ? "which can only be read"
                                               : "which instructions have on devices alone");
}

hoist_ref neff_lower_register_at(neff_lower_job *j, const neff_lower_place *place,
                                 neff_lower_registers *registers, uint32_t number,
                                 neff_lower_use use)
{
    if (number >= NEFF_LOWER_REGISTERS) {
        refuse_register(j, place, number, use);
        return HOIST_NO_REF;
    }
    // Names are per thread: every engine has registers r0 to r63 of its own.
    hoist_ref *ref = &registers->refs[number];
    if (*ref == HOIST_NO_REF) {
        *ref = hoist_builder_register(
            j->c.b, &(hoist_prog_register){.name = hoist_lower_format(&j->c, "r%" PRIu32, number)});
    }
    return *ref;
}

// One of our own, beyond those of the engine: t0 the result, t1 and t2 for parts of it.
static hoist_ref spare(neff_lower_job *j, neff_lower_registers *registers, uint32_t number)
{
    hoist_ref *ref = &registers->refs[NEFF_LOWER_REGISTERS + number];
    if (*ref == HOIST_NO_REF) {
        *ref = hoist_builder_register(
            j->c.b, &(hoist_prog_register){.name = hoist_lower_format(&j->c, "t%" PRIu32, number)});
    }
    return *ref;
}

void neff_lower_move_registers(neff_lower_job *j, const neff_lower_place *place,
                               neff_lower_registers *registers, const neff_record *record)
{
    // A MOVE writes several registers at once; as no destination is a source, one after the other
    // is the same.
    const neff_moves moves = neff_moves_of(record);
    char fault[96];
    if (neff_moves_fault(record, fault, sizeof(fault))) {
        neff_lower_refuse(j, RUN_021, place, "MOVE %s", fault);
        return;
    }
    for (unsigned i = 0; i < moves.count && hoist_lower_goes_on(&j->c); i++) {
        const hoist_ref to =
            neff_lower_register_at(j, place, registers, moves.destination[i], NEFF_LOWER_WRITES);
        const hoist_prog_value from =
            // Raw 32 bits, whatever the dtype.
            moves.immediate ? hoist_lower_number((int32_t)moves.number[i])
                            : hoist_lower_register(neff_lower_register_at(
                                  j, place, registers, moves.source[i], NEFF_LOWER_READS));
        if (hoist_lower_goes_on(&j->c)) {
            neff_lower_step(
                j, place, "MOVE",
                (hoist_prog_step){.kind = HOIST_STEP_ALU,
                                  .as.alu = {HOIST_ALU_SET, to, from, hoist_lower_number(0)}});
        }
    }
}

// ALU_OP -----------------------------------------------------------------------------------------

// The operation at hand. `a` and `b` may be masked copies.
typedef struct alu {
    // Operands may be masked copies in spare registers.
    neff_lower_job *j;
    const neff_lower_place *place;
    neff_lower_registers *registers;
    hoist_ref to; // t0, so that the destination may be an operand
    hoist_prog_value a;
    hoist_prog_value b;
} alu;

static void emit(alu *x, hoist_alu_op op, hoist_ref to, hoist_prog_value a, hoist_prog_value b)
{
    neff_lower_step(x->j, x->place, "ALU_OP",
                    (hoist_prog_step){.kind = HOIST_STEP_ALU, .as.alu = {op, to, a, b}});
}

// The result so far, as an operand of the next step.
static hoist_prog_value result(const alu *x)
{
    return hoist_lower_register(x->to);
}

// Each do_* adds the steps of an operation with the result in x->to; `op` is its row's.
static void do_plain(alu *x, hoist_alu_op op)
{
    emit(x, op, x->to, x->a, x->b);
}

static void do_swapped(alu *x, hoist_alu_op op)
{
    emit(x, op, x->to, x->b, x->a);
}

static void do_set(alu *x, hoist_alu_op op)
{
    emit(x, op, x->to, x->a, hoist_lower_number(0));
}

static void do_not(alu *x, hoist_alu_op op) // x xor -1
{
    emit(x, op, x->to, x->a, hoist_lower_number(-1));
}

// The amount is modulo 32 [inferred]. Bits above 31 are the sign, so SHR is arithmetic.
static void do_shift(alu *x, hoist_alu_op op)
{
    const hoist_ref masked = spare(x->j, x->registers, 1);
    emit(x, HOIST_ALU_AND, masked, x->b, hoist_lower_number(31));
    emit(x, op, x->to, x->a, hoist_lower_register(masked));
}

// The operand is masked to 32 bits first: zeros come in from above.
static void do_logical_right(alu *x, hoist_alu_op op)
{
    const hoist_ref masked = spare(x->j, x->registers, 1);
    emit(x, HOIST_ALU_AND, masked, x->b, hoist_lower_number(31));
    emit(x, HOIST_ALU_AND, x->to, x->a, hoist_lower_number(LOW32));
    emit(x, op, x->to, result(x), hoist_lower_register(masked));
}

static void do_not_equal(alu *x, hoist_alu_op op)
{
    emit(x, HOIST_ALU_EQ, x->to, x->a, x->b);
    emit(x, op, x->to, result(x), hoist_lower_number(1));
}

// a + (low < high ? 1 : 0) * (b - a): the program has no conditional move.
static void choose(alu *x, hoist_alu_op op, hoist_prog_value low, hoist_prog_value high)
{
    const hoist_ref difference = spare(x->j, x->registers, 1);
    const hoist_prog_value value = hoist_lower_register(difference);
    emit(x, op, x->to, low, high);
    emit(x, HOIST_ALU_SUB, difference, x->b, x->a);
    emit(x, HOIST_ALU_MUL, difference, value, result(x));
    emit(x, HOIST_ALU_ADD, x->to, x->a, value);
}

static void do_greatest(alu *x, hoist_alu_op op)
{
    choose(x, op, x->a, x->b);
}

static void do_least(alu *x, hoist_alu_op op)
{
    choose(x, op, x->b, x->a);
}

// |value| = value * (1 - 2 * (value < 0))
static void make_positive(alu *x, hoist_alu_op op, hoist_prog_value value)
{
    const hoist_ref sign = spare(x->j, x->registers, 1);
    const hoist_prog_value of_sign = hoist_lower_register(sign);
    emit(x, op, sign, value, hoist_lower_number(0));
    emit(x, HOIST_ALU_MUL, sign, of_sign, hoist_lower_number(-2));
    emit(x, HOIST_ALU_ADD, sign, of_sign, hoist_lower_number(1));
    emit(x, HOIST_ALU_MUL, x->to, value, of_sign);
}

static void do_distance(alu *x, hoist_alu_op op)
{
    emit(x, HOIST_ALU_SUB, x->to, x->a, x->b);
    make_positive(x, op, result(x));
}

static void do_absolute(alu *x, hoist_alu_op op)
{
    make_positive(x, op, x->a);
}

// Of the truths of both operands, 0 or 1, in t0 and t1.
static void do_logical(alu *x, hoist_alu_op op)
{
    const hoist_ref other = spare(x->j, x->registers, 1);
    emit(x, HOIST_ALU_EQ, x->to, x->a, hoist_lower_number(0));
    emit(x, HOIST_ALU_XOR, x->to, result(x), hoist_lower_number(1));
    emit(x, HOIST_ALU_EQ, other, x->b, hoist_lower_number(0));
    emit(x, HOIST_ALU_XOR, other, hoist_lower_register(other), hoist_lower_number(1));
    emit(x, op, x->to, result(x), hoist_lower_register(other));
}

// By ALU code (5.3); gaps are operations whose integer form is not public (DIV, POW, MOD, CRC32,
// RSQRT). `compares`: as unsigned integers when the dtype is UINT32.
static const struct {
    void (*run)(alu *x, hoist_alu_op op);
    hoist_alu_op op;
    bool compares;
} operations[] = {
    [0x00] = {do_set, HOIST_ALU_SET, false},
    [0x01] = {do_not, HOIST_ALU_XOR, false},
    [0x02] = {do_shift, HOIST_ALU_SHL, false},
    [0x03] = {do_shift, HOIST_ALU_SHR, false},
    [0x04] = {do_plain, HOIST_ALU_ADD, false},
    [0x05] = {do_plain, HOIST_ALU_SUB, false},
    [0x06] = {do_plain, HOIST_ALU_MUL, false},
    [0x08] = {do_greatest, HOIST_ALU_LT, true},
    [0x09] = {do_least, HOIST_ALU_LT, true},
    [0x0a] = {do_plain, HOIST_ALU_AND, false},
    [0x0b] = {do_plain, HOIST_ALU_OR, false},
    [0x0c] = {do_plain, HOIST_ALU_XOR, false},
    [0x0d] = {do_logical, HOIST_ALU_AND, false},
    [0x0e] = {do_logical, HOIST_ALU_OR, false},
    [0x0f] = {do_logical, HOIST_ALU_XOR, false},
    [0x10] = {do_shift, HOIST_ALU_SHL, false},
    [0x11] = {do_logical_right, HOIST_ALU_SHR, false},
    [0x12] = {do_plain, HOIST_ALU_EQ, false},
    [0x13] = {do_swapped, HOIST_ALU_LT, true}, // greater
    [0x14] = {do_swapped, HOIST_ALU_LE, true}, // greater or equal
    [0x15] = {do_plain, HOIST_ALU_LE, true},
    [0x16] = {do_plain, HOIST_ALU_LT, true},
    [0x17] = {do_distance, HOIST_ALU_LT, true},
    [0x18] = {do_not_equal, HOIST_ALU_XOR, false},
    [0x19] = {do_absolute, HOIST_ALU_LT, true},
};

// The value as an unsigned integer; of a register a copy in `copy`.
static hoist_prog_value as_unsigned(alu *x, hoist_prog_value value, hoist_ref copy)
{
    if (value.reg == HOIST_NO_REF) {
        return hoist_lower_number(value.number & LOW32);
    }
    emit(x, HOIST_ALU_AND, copy, value, hoist_lower_number(LOW32));
    return hoist_lower_register(copy);
}

void neff_lower_alu(neff_lower_job *j, const neff_lower_place *place,
                    neff_lower_registers *registers, const neff_record *record)
{
    const neff_alu code = neff_alu_of(record);
    const char *name = neff_alu_name(code.op);
    const bool known = code.op < HOIST_COUNT_OF(operations) && operations[code.op].run;
    if (!known || (code.dtype != LOGICAL && code.dtype != LOGICAL - 1)) { // only INT32 and UINT32
        neff_lower_refuse(j, RUN_021, place,
                          "operation %s (0x%02x) of type code %u, which is not public",
                          name ? name : "unknown", code.op, code.dtype);
        return;
    }
    const hoist_ref to =
        neff_lower_register_at(j, place, registers, code.destination, NEFF_LOWER_WRITES);
    const hoist_ref a = neff_lower_register_at(j, place, registers, code.source, NEFF_LOWER_READS);
    const hoist_ref b =
        code.immediate ? HOIST_NO_REF
                       : neff_lower_register_at(j, place, registers, code.second, NEFF_LOWER_READS);
    if (!hoist_lower_goes_on(&j->c)) {
        return;
    }
    alu x = {.j = j, .place = place, .registers = registers, .a = hoist_lower_register(a)};
    x.b = code.immediate ? hoist_lower_number((int32_t)(uint32_t)code.number)
                         : hoist_lower_register(b);
    x.to = spare(j, registers, 0);
    if (operations[code.op].compares && code.dtype == LOGICAL) {
        // a is in t2 then; b may use the result's register, which is written last.
        x.a = as_unsigned(&x, x.a, spare(j, registers, 2));
        x.b = as_unsigned(&x, x.b, to);
    }
    operations[code.op].run(&x, operations[code.op].op);
    // The lower 32 bits, with their sign.
    emit(&x, HOIST_ALU_WRAP32, to, result(&x), hoist_lower_number(0));
}
