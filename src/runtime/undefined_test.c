// Arithmetic that the reference stops at, in sessions that go on: the same bits, the same count and
// the same first place for all workers and CPU levels; and one warning.
#include <string.h>

#include "base/span.h"
#include "kernels/compute.h"
#include "runtime/runtime_testing.h"

enum { TILES = 4, FLOATS = TILES * HOIST_TILE_FLOATS };

// x: -1, 4, -Inf and a negative NaN with a payload, over and over; d: the negative denormal
// -2^-128, and 0.
#define PROGRAM(from, op)                                                                          \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 16384 lifetime session contents pattern data "                             \
    "000080bf00008040000080ff0100c0ff\n"                                                           \
    "buffer d in m size 16384 lifetime session contents pattern data 0000208000000000\n"           \
    "buffer y in m size 16384 lifetime session output contents zero\n"                             \
    "thread t {\n"                                                                                 \
    "first: compute golden." op " from [" from " f32 tiled(t 4)] to [y f32 tiled(t 4)]\n"          \
    "again: compute golden." op " from [" from " f32 tiled(t 4)] to [y f32 tiled(t 4)]\n"          \
    "}\nentry e {\nstart t\n}\n"

static const struct {
    const char *name;
    const char *text;
    uint32_t bits[4];
    const char *message; // NULL: nothing is undefined
} cases[] = {
    {"square roots",
     PROGRAM("x", "sqrt"),
     {0x7fc00000, 0x40000000, 0x7fc00000, 0x7fc00000},
     "step 'first': square root of a negative number or NaN: -1 at [0, 0, 0], the first of 6144 "
     "elements at which the reference stops"},
    {"reciprocals",
     PROGRAM("x", "reciprocal"),
     {0xbf800000, 0x3e800000, 0x80000000, 0x7fc00000},
     "step 'first': reciprocal that is NaN or minus infinity: NaN at [0, 0, 3], the first of 2048 "
     "elements"},
    {"minus infinity",
     PROGRAM("d", "reciprocal"),
     {0xff800000, 0x4b000000, 0xff800000, 0x4b000000},
     "at [0, 0, 0], the first of 4096 elements"},
    {"what is defined", PROGRAM("d", "square"), {0, 0, 0, 0}, NULL},
};

static void expect_run(hoist_test *t, const hoist_program *program,
                       const hoist_session_options *options, size_t index)
{
    static uint8_t bytes[FLOATS * sizeof(uint32_t)];
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &session), HOIST_OK);
    if (!session) {
        return;
    }
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(
        t,
        hoist_session_read(session, "y", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){bytes, sizeof bytes}),
        HOIST_OK);
    for (size_t i = 0; i < FLOATS; i++) {
        uint32_t bits = 0;
        memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
        if (bits != cases[index].bits[i % 4]) {
            hoist_test_fail(t, __FILE__, __LINE__, "element %zu has bits %08x", i, (unsigned)bits);
            break;
        }
    }
    hoist_session_report(session, t->diag);
    hoist_session_report(session, t->diag); // once only
    hoist_session_close(session);
}

HOIST_TEST_TABLE(the_value_of_ieee, cases)
{
    const size_t index = (size_t)(row - cases);
    hoist_program *program = runtime_program(t, row->text);
    const hoist_session_options ways[] = {
        {.struct_size = sizeof *ways, .threads = 1},
        {.struct_size = sizeof *ways, .threads = 4},
        {.struct_size = sizeof *ways, .sequential = true, .max_cpu_level = 1},
        {.struct_size = sizeof *ways, .threads = 2, .max_cpu_level = 2},
    };
    for (size_t i = 0; program && i < HOIST_COUNT_OF(ways); i++) {
        hoist_session_options options = ways[i];
        options.on_undefined = HOIST_UNDEFINED_NAN;
        expect_run(t, program, &options, index);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), row->message ? i + 1 : 0);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    HOIST_EXPECT(t, !row->message || hoist_str_contains(hoist_test_findings(t), row->message));
    HOIST_EXPECT(t, !row->message || hoist_str_contains(hoist_test_findings(t), "[RUN-110]"));
    hoist_program_destroy(program);
}

// Stopping is what a session does unless it is told otherwise.
HOIST_TEST(an_option_out_of_range)
{
    hoist_program *program = runtime_program(t, cases[0].text);
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .on_undefined = (hoist_undefined)2};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_INVALID);
    HOIST_EXPECT(
        t, hoist_str_contains(hoist_test_findings(t), "have 2 as on_undefined, expected 0 to 1"));
    hoist_session_close(session);
    session = runtime_open(t, program, &(runtime_mode){"", 1, false});
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_INVALID);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "[RUN-101]"));
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_value_of_ieee), HOIST_TEST_ROW(an_option_out_of_range))
