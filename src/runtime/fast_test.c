// Products of the profile fast in sessions: the bits do not depend on workers, without their
// instructions they are those of ark, also between steps that are done block by block, and counts
// say which it was.
#include <string.h>

#include "runtime/runtime_testing.h"

enum { ROWS = 45, COLUMNS = 101, ELEMENTS = ROWS * COLUMNS };

#define PROGRAM(type, product, a_size, b_size, y_size)                                             \
    "program p\nspace m\n"                                                                         \
    "buffer a in m size " a_size " of " type "[45, 67] lifetime session contents caller\n"         \
    "buffer b in m size " b_size " of " type "[101, 67] lifetime session contents caller\n"        \
    "buffer x in m size " y_size " lifetime session contents zero\n"                               \
    "buffer y in m size " y_size " of " type "[45, 101] lifetime session output contents zero\n"   \
    "thread t {\n"                                                                                 \
    "compute ark.add from [a " type "[45, 67], a " type "[45, 67]] to [a " type "[45, 67]]\n"      \
    "compute " product "(transpose_b 1) from [a " type "[45, 67], b " type                         \
    "[101, 67]] to [x " type "[45, 101]]\n"                                                        \
    "compute ark.sigmoid from [x " type "[45, 101]] to [x " type "[45, 101]]\n"                    \
    "compute ark.multiply from [x " type "[45, 101], x " type "[45, 101]] to [y " type             \
    "[45, 101]]\n"                                                                                 \
    "}\nentry e {\nstart t\n}\n"

#define FAST PROGRAM("bf16", "fast.matmul", "6030", "13534", "9090")
#define REFERENCE PROGRAM("bf16", "ark.matmul", "6030", "13534", "9090")
#define FLOATS PROGRAM("f32", "ark.matmul", "12060", "27068", "18180")

// Runs the program and reads y as float32; counts.fast.
static const char *run(hoist_test *t, const char *text, hoist_session_options options, float *y)
{
    hoist_program *program = runtime_program(t, text);
    hoist_session *session = NULL;
    hoist_session_counts counts = {.struct_size = sizeof counts};
    float given[101 * 67];
    uint32_t state = 7;
    for (size_t i = 0; i < HOIST_COUNT_OF(given); i++) {
        state = state * 1664525 + 1013904223; // Numerical Recipes' LCG
        given[i] = (float)(state >> 9) * 0x1p-22F - 1;
    }
    memset(y, 0, ELEMENTS * sizeof *y);
    options.struct_size = sizeof options;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    if (session) {
        const uint8_t *const bytes = (const uint8_t *)given;
        HOIST_EXPECT_EQ(t,
                        hoist_session_write(session, "a", 0, HOIST_DTYPE_F32,
                                            (hoist_bytes){bytes, 45 * 67 * sizeof *given}),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t,
                        hoist_session_write(session, "b", 0, HOIST_DTYPE_F32,
                                            (hoist_bytes){bytes, sizeof given}),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        HOIST_EXPECT_EQ(t,
                        hoist_session_read(session, "y", 0, HOIST_DTYPE_F32,
                                           (hoist_mut_bytes){(uint8_t *)y, ELEMENTS * sizeof *y}),
                        HOIST_OK);
        hoist_session_count(session, &counts);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
    return counts.fast;
}

static void expect_fast(hoist_test *t, const char *found, const char *expected)
{
    HOIST_EXPECT(t, found != NULL);
    HOIST_EXPECT_STR(t, hoist_str_from(found ? found : ""), expected);
}

// On the program's own CPU level, with fusion and without.
static const struct {
    const char *name;
    hoist_session_options options;
} ways[] = {
    {"one worker", {.threads = 1}},
    {"three workers", {.threads = 3}},
    {"sequential", {.sequential = true}},
    {"step by step", {.threads = 2, .no_fusion = true}},
};

HOIST_TEST_TABLE(the_same_however_it_is_run, ways)
{
    static float expected[ELEMENTS];
    static float y[ELEMENTS];
    const char *const fast = hoist_fast_products() ? hoist_fast_products() : "none";
    (void)run(t, FAST, (hoist_session_options){.threads = 2}, expected);
    expect_fast(t, run(t, FAST, row->options, y), fast);
    HOIST_EXPECT(t, memcmp(y, expected, sizeof y) == 0);
}

HOIST_TEST(as_the_reference_without_instructions)
{
    static float expected[ELEMENTS];
    static float y[ELEMENTS];
    HOIST_EXPECT(t, !run(t, REFERENCE, (hoist_session_options){.threads = 1}, expected));
    for (uint32_t level = HOIST_CPU_BASELINE; level < HOIST_CPU_X86_64_BF16; level++) {
        expect_fast(t, run(t, FAST, (hoist_session_options){.max_cpu_level = level + 1}, y),
                    "none");
        HOIST_EXPECT(t, memcmp(y, expected, sizeof y) == 0);
    }
    // Close to it in any case: a bit of bf16 or two.
    (void)run(t, FAST, (hoist_session_options){.threads = 1}, y);
    float most = 0;
    for (size_t i = 0; i < ELEMENTS; i++) {
        const float apart = y[i] > expected[i] ? y[i] - expected[i] : expected[i] - y[i];
        most = apart > most ? apart : most;
    }
    HOIST_EXPECT(t, most <= 0x1p-6F);
}

HOIST_TEST(other_types_have_none)
{
    static float y[ELEMENTS];
    HOIST_EXPECT(t, !run(t, FLOATS, (hoist_session_options){.threads = 1}, y));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_same_however_it_is_run),
                HOIST_TEST_ROW(as_the_reference_without_instructions),
                HOIST_TEST_ROW(other_types_have_none))
