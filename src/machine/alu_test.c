// Registers and semaphores: every operation and comparison on numbers at the borders, against sums
// in 128 bits and definitions that are gone through step by step.
#include "base/span.h"
#include "machine/alu.h"
#include "machine/semaphore.h"
#include "testing/test.h"

__extension__ typedef __int128 wide;

static const int64_t numbers[] = {0,
                                  1,
                                  -1,
                                  2,
                                  -2,
                                  3,
                                  -3,
                                  7,
                                  -7,
                                  63,
                                  64,
                                  INT32_MAX,
                                  INT32_MIN,
                                  INT32_MAX + INT64_C(1),
                                  INT64_C(0x123456789abcdef0),
                                  INT64_MAX,
                                  INT64_MIN,
                                  INT64_MAX - 1,
                                  INT64_MIN + 1};

// The number of 64 bits that has these.
static int64_t cut(wide value)
{
    const uint64_t bits = (uint64_t)value;
    return bits >> 63 ? -(int64_t)(~bits) - 1 : (int64_t)bits;
}

static int64_t of_bits(int64_t a, int64_t b, unsigned truth)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 64; i++) {
        const unsigned pair =
            (unsigned)((uint64_t)a >> i & 1) * 2 + (unsigned)((uint64_t)b >> i & 1);
        bits |= (uint64_t)(truth >> pair & 1) << i;
    }
    return cut((wide)bits);
}

// By the number of places, modulo 64, one at a time.
static int64_t shifted(int64_t a, int64_t b, bool left)
{
    uint64_t bits = (uint64_t)a;
    for (uint64_t i = 0; i < (uint64_t)b % 64; i++) {
        bits = left ? bits * 2 : bits / 2;
    }
    return cut((wide)bits);
}

static int64_t wrapped(int64_t a)
{
    wide value = a;
    value %= (wide)1 << 32;
    value += value < 0 ? (wide)1 << 32 : 0;
    return (int64_t)(value >> 31 ? value - ((wide)1 << 32) : value);
}

static int64_t expected_of(hoist_alu_op op, int64_t a, int64_t b)
{
    enum { AND = 8, OR = 14, XOR = 6 }; // truth tables
    switch (op) {
    case HOIST_ALU_SET:
        return a;
    case HOIST_ALU_ADD:
        return cut((wide)a + b);
    case HOIST_ALU_SUB:
        return cut((wide)a - b);
    case HOIST_ALU_MUL:
        return cut((wide)a * b);
    case HOIST_ALU_AND:
        return of_bits(a, b, AND);
    case HOIST_ALU_OR:
        return of_bits(a, b, OR);
    case HOIST_ALU_XOR:
        return of_bits(a, b, XOR);
    case HOIST_ALU_SHL:
        return shifted(a, b, true);
    case HOIST_ALU_SHR:
        return shifted(a, b, false);
    case HOIST_ALU_EQ:
        return (wide)a - b == 0;
    case HOIST_ALU_LT:
        return (wide)a - b < 0;
    case HOIST_ALU_LE:
        return (wide)a - b <= 0;
    case HOIST_ALU_WRAP32:
        return wrapped(a);
    case HOIST_ALU_INCWRAP:
    case HOIST_ALU_COUNT:
        break;
    }
    return 0;
}

HOIST_TEST(operations_are_those_of_wider_numbers)
{
    for (int op = 0; op < HOIST_ALU_COUNT; op++) {
        for (size_t i = 0; op != HOIST_ALU_INCWRAP && i < HOIST_COUNT_OF(numbers); i++) {
            for (size_t k = 0; k < HOIST_COUNT_OF(numbers); k++) {
                int64_t result = -99;
                const int64_t expected = expected_of((hoist_alu_op)op, numbers[i], numbers[k]);
                HOIST_EXPECT(t, hoist_alu((hoist_alu_op)op, 5, numbers[i], numbers[k], &result));
                if (result != expected) {
                    hoist_test_fail(t, __FILE__, __LINE__, "operation %d of %lld and %lld", op,
                                    (long long)numbers[i], (long long)numbers[k]);
                }
            }
        }
    }
}

// (dst + a + off) mod b, where off is the least multiple of b, 0 or more, that makes a + off not
// negative.
HOIST_TEST(increments_wrap)
{
    for (int64_t b = -5; b <= 5; b++) {
        for (int64_t a = -12; a <= 12; a++) {
            for (int64_t dst = -7; dst <= 7; dst++) {
                const int64_t size = b < 0 ? -b : b;
                int64_t step = a;
                while (b != 0 && step < 0) {
                    step += size;
                }
                int64_t result = -99;
                HOIST_EXPECT_EQ(t, hoist_alu(HOIST_ALU_INCWRAP, dst, a, b, &result), b != 0);
                HOIST_EXPECT_EQ(t, result, b == 0 ? 0 : (dst + step) % b);
            }
        }
    }
    int64_t result = 0;
    HOIST_EXPECT(t, hoist_alu(HOIST_ALU_INCWRAP, 3, INT64_MIN, -1, &result));
    HOIST_EXPECT_EQ(t, result, 0);
    HOIST_EXPECT(t, hoist_alu(HOIST_ALU_INCWRAP, 3, -1, INT64_MIN, &result));
    HOIST_EXPECT_EQ(t, result, INT64_MIN + 2); // 3 - 1 + 2^63, modulo -2^63
}

HOIST_TEST(comparisons_are_those_of_differences)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        for (size_t k = 0; k < HOIST_COUNT_OF(numbers); k++) {
            const wide difference = (wide)numbers[i] - numbers[k];
            const bool expected[HOIST_CMP_COUNT] = {
                [HOIST_CMP_EQ] = difference == 0,
                [HOIST_CMP_NE] = difference != 0,
                [HOIST_CMP_LT] =
                    difference<0, [HOIST_CMP_LE] = difference <= 0, [HOIST_CMP_GT] = difference> 0,
                [HOIST_CMP_GE] = difference >= 0,
            };
            for (int compare = 0; compare < HOIST_CMP_COUNT; compare++) {
                HOIST_EXPECT_EQ(t,
                                hoist_compare_holds((hoist_compare)compare, numbers[i], numbers[k]),
                                expected[compare]);
            }
        }
    }
}

// Semaphores -------------------------------------------------------------------------------------

#define NEGATIVE "the semaphore becomes negative"
#define EXCEEDS "the semaphore exceeds its maximum"
#define OVERFLOWS "the semaphore exceeds 64 bits"

// clang-format off
static const struct {
    const char *name;
    int64_t maximum;
    int64_t count;
    hoist_signal_op op;
    int64_t value;
    const char *wrong; // NULL: it is all right
    int64_t after;     // the count, or what it would be
} signals[] = {
    {"more",                      0, 3,         HOIST_SIGNAL_ADD, 4,         NULL,      7},
    {"more by nothing",           0, 3,         HOIST_SIGNAL_ADD, 0,         NULL,      3},
    {"less by more of the other sign", 0, 3,    HOIST_SIGNAL_ADD, -3,        NULL,      0},
    {"less than none",            0, 3,         HOIST_SIGNAL_ADD, -4,        NEGATIVE,  -1},
    {"less",                      0, 3,         HOIST_SIGNAL_SUB, 3,         NULL,      0},
    {"one less than there is",    0, 3,         HOIST_SIGNAL_SUB, 4,         NEGATIVE,  -1},
    {"less by the other sign",    0, 3,         HOIST_SIGNAL_SUB, -2,        NULL,      5},
    {"set",                       0, 3,         HOIST_SIGNAL_SET, 9,         NULL,      9},
    {"set to nothing",            0, 3,         HOIST_SIGNAL_SET, 0,         NULL,      0},
    {"set below",                 0, 3,         HOIST_SIGNAL_SET, -1,        NEGATIVE,  -1},
    {"up to the maximum",         5, 3,         HOIST_SIGNAL_ADD, 2,         NULL,      5},
    {"beyond it",                 5, 3,         HOIST_SIGNAL_ADD, 3,         EXCEEDS,   6},
    {"an event that is set",      1, 0,         HOIST_SIGNAL_SET, 1,         NULL,      1},
    {"twice",                     1, 1,         HOIST_SIGNAL_ADD, 1,         EXCEEDS,   2},
    {"set beyond the maximum",    5, 0,         HOIST_SIGNAL_SET, 6,         EXCEEDS,   6},
    {"up to all there is",        0, 1,         HOIST_SIGNAL_ADD, INT64_MAX - 1, NULL,  INT64_MAX},
    {"beyond 64 bits",            0, 2,         HOIST_SIGNAL_ADD, INT64_MAX - 1, OVERFLOWS, INT64_MIN},
    {"beyond 64 bits, by less",   0, INT64_MAX, HOIST_SIGNAL_SUB, -1,        OVERFLOWS, INT64_MIN},
};
// clang-format on

// A refused change leaves the count as it was, and reports what it would have become.
typedef struct change {
    const char *wrong; // NULL: it was made
    int64_t before;
    int64_t count;
    int64_t would_be;
} change;

static void expect_change(hoist_test *t, const change *c, const char *wrong, int64_t after)
{
    HOIST_EXPECT_STR(t, hoist_str_from(c->wrong ? c->wrong : ""), wrong ? wrong : "");
    HOIST_EXPECT_EQ(t, c->count, wrong ? c->before : after);
    HOIST_EXPECT_EQ(t, c->would_be, after);
}

HOIST_TEST_TABLE(semaphores_are_never_negative, signals)
{
    const hoist_prog_semaphore def = {.maximum = row->maximum};
    int64_t count = row->count;
    int64_t would_be = -99;
    const char *wrong = hoist_semaphore_signal(&def, &count, row->op, row->value, &would_be);
    expect_change(t, &(change){wrong, row->count, count, would_be}, row->wrong, row->after);
}

// clang-format off
static const struct {
    const char *name;
    hoist_wait_then then;
    int64_t value;
    const char *wrong;
    int64_t after; // of 4, at most 6
} thens[] = {
    {"taken",         HOIST_THEN_SUBTRACT, 4, NULL,     0},
    {"one too many",  HOIST_THEN_SUBTRACT, 5, NEGATIVE, -1},
    {"cleared",       HOIST_THEN_CLEAR,    5, NULL,     0},
    {"set",           HOIST_THEN_SET,      6, NULL,     6},
    {"set too high",  HOIST_THEN_SET,      7, EXCEEDS,  7},
};
// clang-format on

HOIST_TEST_TABLE(waits_change_what_they_waited_for, thens)
{
    const hoist_prog_semaphore def = {.maximum = 6};
    int64_t count = 4;
    int64_t would_be = -99;
    const char *wrong = hoist_semaphore_then(&def, &count, row->then, row->value, &would_be);
    expect_change(t, &(change){wrong, 4, count, would_be}, row->wrong, row->after);
}

HOIST_TEST(waits_may_leave_it)
{
    const hoist_prog_semaphore def = {.maximum = 6};
    int64_t count = 4;
    int64_t would_be = -99;
    HOIST_EXPECT(t, !hoist_semaphore_then(&def, &count, HOIST_THEN_NOTHING, 9, &would_be));
    HOIST_EXPECT_EQ(t, count, 4);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operations_are_those_of_wider_numbers),
                HOIST_TEST_ROW(increments_wrap),
                HOIST_TEST_ROW(comparisons_are_those_of_differences),
                HOIST_TEST_ROW(semaphores_are_never_negative),
                HOIST_TEST_ROW(waits_change_what_they_waited_for),
                HOIST_TEST_ROW(waits_may_leave_it))
