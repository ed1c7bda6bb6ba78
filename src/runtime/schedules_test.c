// Schedules of sessions: results of programs without races are the same under all, a race shows.
#include <string.h>

#include "runtime/runtime_testing.h"
#include "testing/program_generator.h"

enum { SEEDS = 20, MOST = 64 };

static hoist_session *open_scheduled(hoist_test *t, const hoist_program *program,
                                     hoist_run_schedule schedule, uint64_t seed)
{
    hoist_session *session = NULL;
    const hoist_session_options options = {
        .struct_size = sizeof options, .schedule = schedule, .seed = seed};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

// Memory `x` of 4 bytes that two units fill from constants 1 and 2, and a copy of it.
static const char memory[] =
    "program p\n"
    "space m\n"
    "buffer one in m size 4 lifetime constant contents bytes data 01010101\n"
    "buffer two in m size 4 lifetime constant contents bytes data 02020202\n"
    "buffer x in m size 4 lifetime session output contents zero\n"
    "buffer y in m size 4 lifetime session output contents zero\n"
    "unit a depth 4\n"
    "unit b depth 4\n"
    "semaphore s\n"
    "function put_one {\nmove copy from [one u8[4]] to x u8[4]\n}\n"
    "function put_two {\nmove copy from [two u8[4]] to x u8[4]\n}\n";

static const struct {
    const char *name;
    const char *text; // of the thread `t`
    uint32_t least;   // different results that 20 seeds give
    uint32_t most;
} programs[] = {
    {"two rings write what nothing orders", "post a put_one\npost b put_two\n", 2, 2},
    {"a read that does not wait", "post a put_one\nmove copy from [x u8[4]] to y u8[4]\n", 2, 2},
    {"one ring is in order", "post a put_one\npost a put_two\n", 1, 1},
    {"a wait between", "post a put_one then [s add 1]\nwait s >= 1\npost b put_two\n", 1, 1},
    {"a drain between", "post a put_one\ndrain a\nmove copy from [x u8[4]] to y u8[4]\n", 1, 1},
};

static hoist_program *program_of(hoist_test *t, const char *thread)
{
    const hoist_str text =
        hoist_arena_format(&t->arena, "%sthread t {\n%s}\nentry e {\nstart t\n}\n", memory, thread);
    return runtime_program(t, text.data);
}

// x and y after a run.
static uint32_t result_of(hoist_test *t, const hoist_program *program, hoist_run_schedule schedule,
                          uint64_t seed)
{
    hoist_session *session = open_scheduled(t, program, schedule, seed);
    uint8_t x[4] = {0};
    uint8_t y[4] = {0};
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(
        t, hoist_session_read(session, "x", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){x, sizeof x}),
        HOIST_OK);
    HOIST_EXPECT_EQ(
        t, hoist_session_read(session, "y", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){y, sizeof y}),
        HOIST_OK);
    hoist_session_close(session);
    return (uint32_t)x[0] << 8 | y[0];
}

HOIST_TEST_TABLE(seeds_show_races, programs)
{
    hoist_program *program = program_of(t, row->text);
    uint32_t seen[SEEDS];
    uint32_t count = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const uint32_t result = result_of(t, program, HOIST_RUN_RANDOM, seed);
        HOIST_EXPECT_EQ(t, result_of(t, program, HOIST_RUN_RANDOM, seed), result);
        uint32_t at = 0;
        while (at < count && seen[at] != result) {
            at++;
        }
        seen[at] = result;
        count += at == count;
    }
    HOIST_EXPECT(t, count >= row->least && count <= row->most);
    hoist_program_destroy(program);
}

static const struct {
    const char *name;
    const char *text;
    hoist_run_schedule schedule;
    uint32_t expected; // x, then y
} orders[] = {
    {"in order: threads as far as they go", "post a put_one\nmove copy from [x u8[4]] to y u8[4]\n",
     HOIST_RUN_IN_ORDER, 0x100},
    {"in order: units by their number", "post b put_two\npost a put_one\n", HOIST_RUN_IN_ORDER,
     0x200},
    {"adversarial: posted work comes last", "post a put_one\nmove copy from [x u8[4]] to y u8[4]\n",
     HOIST_RUN_ADVERSARIAL, 0x100},
    {"adversarial: the last unit first", "post a put_one\npost b put_two\n", HOIST_RUN_ADVERSARIAL,
     0x100},
};

HOIST_TEST_TABLE(orders_are_as_described, orders)
{
    hoist_program *program = program_of(t, row->text);
    HOIST_EXPECT_EQ(t, result_of(t, program, row->schedule, 0), row->expected);
    hoist_program_destroy(program);
}

// The smallest all-reduce of two ranks, which has no race.
static void run_example(hoist_test *t, hoist_session *session, float out[MOST])
{
    float in[MOST];
    for (int i = 0; i < MOST; i++) {
        in[i] = (float)(i * i % 37);
    }
    const uint8_t *bytes = (const uint8_t *)in;
    for (size_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t,
                        hoist_session_write(session, i ? "input1" : "input0", 0, HOIST_DTYPE_U8,
                                            (hoist_bytes){bytes + 128 * i, 128}),
                        HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
    for (size_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t,
                        hoist_session_read(session, i ? "output1" : "output0", 0, HOIST_DTYPE_U8,
                                           (hoist_mut_bytes){(uint8_t *)out + 128 * i, 128}),
                        HOIST_OK);
    }
    hoist_session_close(session);
}

HOIST_TEST(an_example_without_races_is_the_same_under_all)
{
    hoist_program *program = runtime_example(t, "neff_all_reduce");
    float expected[MOST];
    run_example(t, open_scheduled(t, program, HOIST_RUN_AS_IT_COMES, 0), expected);
    for (uint64_t seed = 0; seed < SEEDS + 2; seed++) {
        const hoist_run_schedule schedule = seed < SEEDS    ? HOIST_RUN_RANDOM
                                            : seed == SEEDS ? HOIST_RUN_IN_ORDER
                                                            : HOIST_RUN_ADVERSARIAL;
        float found[MOST];
        run_example(t, open_scheduled(t, program, schedule, seed), found);
        HOIST_EXPECT(t, memcmp((const void *)found, (const void *)expected, sizeof expected) == 0);
    }
    hoist_program_destroy(program);
}

// All bytes that a run of entry 0 leaves, as a number (FNV-1a).
static uint64_t memory_after(hoist_test *t, const hoist_program *program,
                             hoist_run_schedule schedule, uint64_t seed)
{
    hoist_session *session = open_scheduled(t, program, schedule, seed);
    const hoist_str entry = hoist_arena_str(&t->arena, program->entries[0].name);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    HOIST_EXPECT_EQ(t, runtime_run(session, entry.data), HOIST_OK);
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_mut_bytes bytes = session->store.buffers[i];
        for (size_t k = 0; k < bytes.size; k++) {
            hash = (hash ^ bytes.data[k]) * UINT64_C(0x100000001b3);
        }
    }
    hoist_session_close(session);
    return hash;
}

HOIST_TEST(generated_programs_are_the_same_under_all)
{
    for (uint64_t number = 0; number < HOIST_TEST_ROUNDS(20); number++) {
        const hoist_program_options options = {.seed = number};
        hoist_generated generated;
        HOIST_EXPECT_EQ(t, hoist_program_generate(hoist_allocator_system(), &options, &generated),
                        HOIST_OK);
        const uint64_t expected = memory_after(t, generated.program, HOIST_RUN_AS_IT_COMES, 0);
        HOIST_EXPECT_EQ(t, memory_after(t, generated.program, HOIST_RUN_IN_ORDER, 0), expected);
        HOIST_EXPECT_EQ(t, memory_after(t, generated.program, HOIST_RUN_ADVERSARIAL, 0), expected);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            HOIST_EXPECT_EQ(t, memory_after(t, generated.program, HOIST_RUN_RANDOM, seed),
                            expected);
        }
        hoist_program_destroy(generated.program);
    }
}

HOIST_TEST(a_schedule_that_is_none)
{
    hoist_program *program = program_of(t, "post a put_one\n");
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .schedule = (hoist_run_schedule)4};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_INVALID);
    HOIST_EXPECT(t, session == NULL);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(seeds_show_races), HOIST_TEST_ROW(orders_are_as_described),
                HOIST_TEST_ROW(an_example_without_races_is_the_same_under_all),
                HOIST_TEST_ROW(generated_programs_are_the_same_under_all),
                HOIST_TEST_ROW(a_schedule_that_is_none))
