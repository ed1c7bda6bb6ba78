// MOVE and ALU_OP: the steps that each becomes, executed on numbers at the borders of 32 bits,
// against the operations as the reference has them for int32 and uint32 (neff reference sections
// 5.2 and 5.3).
#include <string.h>

#include "lower/neff/job_testing.h"
#include "lower/program_text_testing.h"

// What an operation gives, of the 32 bits of both operands.
typedef uint32_t reference(uint32_t a, uint32_t b);

static uint32_t ref_set(uint32_t a, uint32_t b)
{
    (void)b;
    return a;
}
static uint32_t ref_not(uint32_t a, uint32_t b)
{
    (void)b;
    return ~a;
}
static uint32_t ref_left(uint32_t a, uint32_t b)
{
    return a << b % 32;
}
static uint32_t ref_signed_right(uint32_t a, uint32_t b)
{
    const uint32_t sign = a >> 31 && b % 32 ? ~(UINT32_MAX >> b % 32) : 0;
    return a >> b % 32 | sign;
}
static uint32_t ref_right(uint32_t a, uint32_t b)
{
    return a >> b % 32;
}
static uint32_t ref_add(uint32_t a, uint32_t b)
{
    return a + b;
}
static uint32_t ref_subtract(uint32_t a, uint32_t b)
{
    return a - b;
}
static uint32_t ref_multiply(uint32_t a, uint32_t b)
{
    return a * b;
}
static uint32_t ref_and(uint32_t a, uint32_t b)
{
    return a & b;
}
static uint32_t ref_or(uint32_t a, uint32_t b)
{
    return a | b;
}
static uint32_t ref_xor(uint32_t a, uint32_t b)
{
    return a ^ b;
}
static uint32_t ref_both(uint32_t a, uint32_t b)
{
    return a && b;
}
static uint32_t ref_either(uint32_t a, uint32_t b)
{
    return a || b;
}
static uint32_t ref_one(uint32_t a, uint32_t b)
{
    return !a != !b;
}
static uint32_t ref_equal(uint32_t a, uint32_t b)
{
    return a == b;
}
static uint32_t ref_differ(uint32_t a, uint32_t b)
{
    return a != b;
}
// Comparisons as unsigned numbers; those as signed ones are the same with the sign bits flipped.
static uint32_t ref_greater(uint32_t a, uint32_t b)
{
    return a > b;
}
static uint32_t ref_greater_or_equal(uint32_t a, uint32_t b)
{
    return a >= b;
}
static uint32_t ref_less_or_equal(uint32_t a, uint32_t b)
{
    return a <= b;
}
static uint32_t ref_less(uint32_t a, uint32_t b)
{
    return a < b;
}
static uint32_t ref_greatest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
static uint32_t ref_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static uint32_t ref_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}
static uint32_t ref_absolute(uint32_t a, uint32_t b)
{
    (void)b;
    return a;
}

enum { INT32 = 8, UINT32 = 9, SIGN = 31 };

// How the signed operation follows from the unsigned one.
typedef enum signedness {
    SAME = 0,
    FLIPPED_TRUTH,
    FLIPPED_VALUE,
    FLIPPED_DISTANCE,
    OWN_SIGN
} signedness;

// clang-format off
static const struct {
    const char *name;
    unsigned code;
    reference *unsigned_result;
    signedness how;
} operations[] = {
    {"a copy",                0x00, ref_set,              SAME},
    {"not",                   0x01, ref_not,              SAME},
    {"shift left",            0x02, ref_left,             SAME},
    {"shift of the sign",     0x03, ref_signed_right,     SAME},
    {"add",                   0x04, ref_add,              SAME},
    {"subtract",              0x05, ref_subtract,         SAME},
    {"multiply",              0x06, ref_multiply,         SAME},
    {"greatest",              0x08, ref_greatest,         FLIPPED_VALUE},
    {"least",                 0x09, ref_least,            FLIPPED_VALUE},
    {"and",                   0x0a, ref_and,              SAME},
    {"or",                    0x0b, ref_or,               SAME},
    {"xor",                   0x0c, ref_xor,              SAME},
    {"both are true",         0x0d, ref_both,             SAME},
    {"one or both are true",  0x0e, ref_either,           SAME},
    {"one is true",           0x0f, ref_one,              SAME},
    {"shift left, logical",   0x10, ref_left,             SAME},
    {"shift right, logical",  0x11, ref_right,            SAME},
    {"equal",                 0x12, ref_equal,            SAME},
    {"greater",               0x13, ref_greater,          FLIPPED_TRUTH},
    {"greater or equal",      0x14, ref_greater_or_equal, FLIPPED_TRUTH},
    {"less or equal",         0x15, ref_less_or_equal,    FLIPPED_TRUTH},
    {"less",                  0x16, ref_less,             FLIPPED_TRUTH},
    {"distance",              0x17, ref_distance,         FLIPPED_DISTANCE},
    {"not equal",             0x18, ref_differ,           SAME},
    {"absolute",              0x19, ref_absolute,         OWN_SIGN},
};
// clang-format on

static const uint32_t flip = UINT32_C(1) << SIGN;

static uint32_t expected_of(reference *operation, signedness how, unsigned dtype, uint32_t a,
                            uint32_t b)
{
    if (dtype == UINT32 || how == SAME) {
        return operation(a, b);
    }
    switch (how) {
    case FLIPPED_TRUTH:
    case FLIPPED_DISTANCE:
        return operation(a ^ flip, b ^ flip);
    case FLIPPED_VALUE:
        return operation(a ^ flip, b ^ flip) ^ flip;
    case OWN_SIGN:
        return a >> SIGN ? 0 - a : a;
    case SAME:
        break;
    }
    return 0;
}

// What steps of registers do (program/program.h), on numbers of 64 bits.
enum { MAX_REGISTERS = 16 };
typedef struct machine {
    int64_t registers[MAX_REGISTERS];
    int64_t signalled; // the last value that a signal has set
} machine;

static int64_t value_of(const machine *m, hoist_prog_value value)
{
    return value.reg == HOIST_NO_REF ? value.number : m->registers[value.reg];
}

static int64_t wrap32(int64_t value)
{
    const uint32_t bits = (uint32_t)(uint64_t)value;
    return bits >> SIGN ? (int64_t)bits - (INT64_C(1) << 32) : (int64_t)bits;
}

static int64_t result_of(hoist_test *t, hoist_alu_op op, int64_t a, int64_t b)
{
    const uint64_t x = (uint64_t)a;
    const uint64_t y = (uint64_t)b;
    switch (op) {
    case HOIST_ALU_SET:
        return a;
    case HOIST_ALU_ADD:
        return (int64_t)(x + y);
    case HOIST_ALU_SUB:
        return (int64_t)(x - y);
    case HOIST_ALU_MUL:
        return (int64_t)(x * y);
    case HOIST_ALU_AND:
        return (int64_t)(x & y);
    case HOIST_ALU_OR:
        return (int64_t)(x | y);
    case HOIST_ALU_XOR:
        return (int64_t)(x ^ y);
    case HOIST_ALU_SHL:
        return (int64_t)(x << y % 64);
    case HOIST_ALU_SHR:
        return (int64_t)(x >> y % 64);
    case HOIST_ALU_EQ:
        return a == b;
    case HOIST_ALU_LT:
        return a < b;
    case HOIST_ALU_LE:
        return a <= b;
    case HOIST_ALU_WRAP32:
        return wrap32(a);
    case HOIST_ALU_INCWRAP:
    case HOIST_ALU_COUNT:
        break;
    }
    hoist_test_fail(t, __FILE__, __LINE__, "operation %d is not expected", (int)op);
    return 0;
}

static void run(hoist_test *t, const hoist_prog_code *code, machine *m)
{
    HOIST_EXPECT(t, code->register_count <= MAX_REGISTERS);
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        if (step->kind == HOIST_STEP_SIGNAL) {
            m->signalled = value_of(m, step->as.signal.value);
        } else {
            HOIST_EXPECT_EQ(t, step->kind, HOIST_STEP_ALU);
            m->registers[step->as.alu.destination] = result_of(
                t, step->as.alu.op, value_of(m, step->as.alu.a), value_of(m, step->as.alu.b));
        }
    }
}

// Little-endian bytes, as records have them.
static const char *bytes_of(hoist_test *t, uint32_t value)
{
    return hoist_arena_format(&t->arena, "%02x %02x %02x %02x", value & 255, value >> 8 & 255,
                              value >> 16 & 255, value >> 24)
        .data;
}

// How registers are named in the operation: the destination may be an operand, too.
typedef struct shape {
    unsigned to;
    unsigned first;
    unsigned second;
    bool immediate; // the second operand
} shape;

static const char *records_of(hoist_test *t, const shape *s, unsigned code, unsigned dtype,
                              uint32_t a, uint32_t b)
{
    const char *first = bytes_of(t, a);
    const char *second = bytes_of(t, b);
    return hoist_arena_format(
               &t->arena,
               // MOVE of two numbers, ALU_OP, an update by the destination
               "a7 10 00 00 00 00 00 00 00 00 00 00 02 08 01 00 00 00 00 00 00 00 00 00 "
               "%02x %02x 00 00 00 00 00 00 %s %s\n"
               "a8 10 00 00 00 00 00 00 00 00 00 00 %02x %02x %02x 00 %02x 00 %02x 00 %02x 00 00 "
               "00 "
               "%s\n"
               "a4 10 00 00 00 00 99 01 %02x 00 00 00\n",
               s->first, s->second == s->first ? s->first + 7 : s->second, first, second, code,
               dtype, s->immediate ? 1u : 0u, s->first, s->second, s->to,
               s->immediate ? second : "00 00 00 00", s->to)
        .data;
}

static uint32_t run_operation(hoist_test *t, const char *records)
{
    hoist_program *program = NULL;
    neff_texts neff;
    machine m = {.signalled = -1};
    const neff_job_parts parts = {.records = records};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    for (uint32_t i = 0; program && i < program->thread_count; i++) {
        if (hoist_str_equal_c(program->threads[i].name, "sp")) {
            run(t, &program->threads[i].code, &m);
        }
    }
    if (program) {
        HOIST_EXPECT_EQ(t, m.signalled, wrap32(m.signalled)); // a register is a signed number
    }
    hoist_program_destroy(program);
    return (uint32_t)(uint64_t)m.signalled;
}

HOIST_TEST_TABLE(operations_are_those_of_the_reference, operations)
{
    static const uint32_t pairs[][2] = {
        {0, 0},          {0, 1},          {1, 0},
        {7, 7},          {5, 3},          {3, 5},
        {UINT32_MAX, 1}, {1, UINT32_MAX}, {0x80000000, 1},
        {1, 0x80000000}, {0x7fffffff, 2}, {0x80000000, 0x7fffffff},
        {0x12345678, 4}, {0xf2345678, 4}, {0xf2345678, 31},
        {3, 33},         {0, 0xfffffffe}, {0xfffffff0, 0xfffffff1},
    };
    static const shape shapes[] = {
        {4, 3, 5, true}, {4, 3, 5, false}, {3, 3, 5, false}, {5, 3, 5, false}, {3, 3, 5, true}};
    for (size_t i = 0; i < HOIST_COUNT_OF(pairs); i++) {
        for (unsigned dtype = INT32; dtype <= UINT32; dtype++) {
            const uint32_t a = pairs[i][0];
            const uint32_t b = pairs[i][1];
            const shape *s = &shapes[i % HOIST_COUNT_OF(shapes)];
            const uint32_t found = run_operation(t, records_of(t, s, row->code, dtype, a, b));
            const uint32_t expected = expected_of(row->unsigned_result, row->how, dtype, a, b);
            if (found != expected) {
                hoist_test_fail(t, __FILE__, __LINE__,
                                "0x%x and 0x%x of type %u: 0x%x, expected 0x%x", a, b, dtype, found,
                                expected);
            }
        }
    }
}

// Both operands in one register.
HOIST_TEST(an_operand_may_be_used_twice)
{
    static const shape same = {4, 3, 3, false};
    HOIST_EXPECT_EQ(t, run_operation(t, records_of(t, &same, 0x04, INT32, 21, 1)), 42);
    HOIST_EXPECT_EQ(t, run_operation(t, records_of(t, &same, 0x05, UINT32, 21, 1)), 0);
    HOIST_EXPECT_EQ(t, run_operation(t, records_of(t, &same, 0x14, UINT32, 21, 1)), 1);
}

// Moves ------------------------------------------------------------------------------------------

#define MOVE(count, kind, from, to, numbers)                                                       \
    "a7 10 00 00 00 00 00 00 00 00 00 00 " count " 08 " kind " 00 " from " " to " " numbers "\n"
#define NONE "00 00 00 00 00 00 00 00"

// clang-format off
static const struct {
    const char *name;
    const char *records;
    const char *thread; // NULL: refused
} moves[] = {
    {"one number", MOVE("01", "01", NONE, "05 00 00 00 00 00 00 00", "07 00 00 00"),
     "thread sp {\nregister r5\nMOVE: alu r5 = set 7\n}\n"},
    {"a negative number", MOVE("01", "01", NONE, "05 00 00 00 00 00 00 00", "fe ff ff ff"),
     "thread sp {\nregister r5\nMOVE: alu r5 = set -2\n}\n"},
    {"the first and last register", MOVE("02", "01", NONE, "00 3f 00 00 00 00 00 00", "01 00 00 00 02 00 00 00"),
     "thread sp {\nregister r0\nregister r63\nMOVE: alu r0 = set 1\nMOVE: alu r63 = set 2\n}\n"},
    {"from registers", MOVE("02", "00", "0a 0b 00 00 00 00 00 00", "01 02 00 00 00 00 00 00", "09"),
     "thread sp {\nregister r1\nregister r10\nregister r2\nregister r11\nMOVE: alu r1 = set r10\nMOVE: alu r2 = set r11\n}\n"},
    {"eight of them", MOVE("08", "01", NONE, "00 01 02 03 04 05 06 07", "00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00"),
     "thread sp {\nregister r0\nregister r1\nregister r2\nregister r3\nregister r4\nregister r5\nregister r6\nregister r7\n"
     "MOVE: alu r0 = set 0\nMOVE: alu r1 = set 1\nMOVE: alu r2 = set 2\nMOVE: alu r3 = set 3\nMOVE: alu r4 = set 4\nMOVE: alu r5 = set 5\nMOVE: alu r6 = set 6\nMOVE: alu r7 = set 7\n}\n"},
    {"one that is not there, then one that is", MOVE("02", "01", NONE, "40 01 00 00 00 00 00 00", NONE), NULL},
    {"from one that is not there", MOVE("01", "00", "40 00 00 00 00 00 00 00", "01 00 00 00 00 00 00 00", NONE), NULL},
};
// clang-format on

HOIST_TEST_TABLE(moves_set_registers, moves)
{
    hoist_program *program = NULL;
    neff_texts neff;
    const neff_job_parts parts = {.records = row->records};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program),
                    row->thread ? HOIST_OK : HOIST_UNSUPPORTED);
    if (row->thread) {
        lower_test_expect_piece(t, program, "thread sp {", row->thread);
    } else {
        HOIST_EXPECT_RULE(t, "RUN-021");
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operations_are_those_of_the_reference),
                HOIST_TEST_ROW(an_operand_may_be_used_twice), HOIST_TEST_ROW(moves_set_registers))
