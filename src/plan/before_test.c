// What is over before what: for each step of each thread, how many steps of the others.
#include "base/buffer.h"
#include "base/span.h"
#include "plan/before.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

#define HEAD                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 16 lifetime session contents zero\n"                                       \
    "buffer m0 in m size 32 lifetime run\nbuffer m1 in m size 32 lifetime run\n"                   \
    "fifo q queue of f32[4] slots 2 in [m0] slot_bytes 16\n"                                       \
    "fifo r queue of f32[4] slots 1 in [m1] slot_bytes 16\n"                                       \
    "semaphore s\n"
#define A(text) "thread a {\n" text "}\n"
#define B(text) "thread b {\n" text "}\n"
#define C(text) "thread c {\n" text "}\n"
#define TWO "entry run {\n    start a\n    start b\n}\n"
#define THREE "entry run {\n    start a\n    start b\n    start c\n}\n"
#define PUT(q) "reserve " q "\npush " q " by 1\n"
#define GET(q) "await " q "\nadvance " q " by 1\npop " q " by 1\n"
#define ZERO "move copy from [x f32[4]] to x f32[4]\n"
#define MEET(rank, all) "collective barrier group 0 members " all " rank " rank "\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *clocks; // "unknown"; else a line for each thread
} cases[] = {
    {"nothing in common", A(ZERO) B(ZERO ZERO) TWO, "a: 0\nb: 0 0\n"},
    {"a message", A(ZERO PUT("q") ZERO) B(ZERO GET("q") ZERO) TWO, "a: 0 0 0 0\nb: 0 0 3 3 3\n"},
    {"there and back", A(PUT("q") GET("r") ZERO) B(GET("q") PUT("r") ZERO) TWO,
     "a: 0 0 0 5 5 5\nb: 0 2 2 2 2 2\n"},
    {"a full queue waits for the pop", A(PUT("r") PUT("r") ZERO) B(GET("r") GET("r")) TWO,
     "a: 0 0 0 3 3\nb: 0 2 2 2 4 4\n"},
    {"one that is not full does not", A(PUT("q") PUT("q") PUT("q")) B(GET("q") GET("q") GET("q")) TWO,
     "a: 0 0 0 0 0 3\nb: 0 2 2 2 4 4 4 6 6\n"},
    {"over a third thread", A(PUT("q")) B(GET("q") PUT("r")) C(GET("r")) THREE,
     "a: 0,0 0,0\nb: 0,0 2,0 2,0 2,0 2,0\nc: 0,0 2,5 2,5\n"},
    {"a barrier", A(ZERO MEET("0", "2") ZERO) B(MEET("1", "2") ZERO) TWO, "a: 0 0 0\nb: 0 1\n"},
    {"a barrier of some", A(MEET("0", "2")) B(MEET("1", "2")) C(ZERO) THREE, "unknown"},
    {"what is in the queue is left there", A(PUT("q")) B(ZERO) TWO, "unknown"},
    {"each waits for the other", A(GET("r") PUT("q")) B(GET("q") PUT("r")) TWO, "unknown"},
    {"two fill it", A(PUT("q")) B(PUT("q")) C(GET("q") GET("q")) THREE, "unknown"},
    {"two empty it", A(PUT("q") PUT("q")) B(GET("q")) C(GET("q")) THREE, "unknown"},
    {"two entries at once", A("push q by 2\n") B(GET("q") GET("q")) TWO, "unknown"},
    {"a loop", A("loop 2\n" ZERO "end\n") B(ZERO) TWO, "unknown"},
    {"a semaphore", A("signal s add 1\n") B("wait s >= 1\n") TWO, "unknown"},
    {"two entries", A(ZERO) B(ZERO) TWO "entry other {\n    start a\n}\n", "unknown"},
    {"a thread of its own", A(PUT("q") GET("q")) B(ZERO) TWO, "a: 0 0 0 0 0\nb: 0\n"},
};
// clang-format on

static hoist_program *program_of(hoist_test *t, const char *rest)
{
    hoist_program *program = NULL;
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, HEAD);
    hoist_buffer_c(&text, rest);
    const hoist_str all = hoist_buffer_text(&text);
    const hoist_bytes bytes = {(const uint8_t *)all.data, all.size};
    if (hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program) != HOIST_OK ||
        hoist_program_verify(program, t->diag) != HOIST_OK) {
        const hoist_str found = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s", HOIST_STR_ARGS(found));
        hoist_program_destroy(program);
        program = NULL;
    }
    hoist_buffer_deinit(&text);
    return program;
}

// How many steps of `other` are over before a step.
static uint32_t over(const hoist_before *before, uint32_t other, hoist_before_step step)
{
    uint32_t count = 0;
    while (count < before->program->threads[other].code.step_count &&
           hoist_is_before(before, (hoist_before_step){other, count}, step)) {
        count++;
    }
    return count;
}

static void write_step(const hoist_before *before, hoist_before_step step, hoist_buffer *out)
{
    const char *between = " ";
    for (uint32_t i = 0; i < before->program->thread_count; i++) {
        if (i != step.thread) {
            hoist_buffer_format(out, "%s%u", between, over(before, i, step));
            between = ",";
        }
    }
}

static void write_clocks(const hoist_before *before, hoist_buffer *out)
{
    for (uint32_t t = 0; before->is_known && t < before->program->thread_count; t++) {
        const hoist_prog_thread *thread = &before->program->threads[t];
        hoist_buffer_format(out, "%.*s:", HOIST_STR_ARGS(thread->name));
        for (uint32_t i = 0; i < thread->code.step_count; i++) {
            write_step(before, (hoist_before_step){t, i}, out);
        }
        hoist_buffer_c(out, "\n");
    }
    hoist_buffer_c(out, before->is_known ? "" : "unknown");
}

HOIST_TEST_TABLE(what_is_over_before_what, cases)
{
    hoist_program *program = program_of(t, row->text);
    hoist_before before;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_before_build(program, hoist_allocator_system(), NULL, &before),
                        HOIST_OK);
        write_clocks(&before, &out);
        HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->clocks);
        hoist_before_deinit(&before);
    }
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
}

HOIST_TEST(a_deadline_ends_it)
{
    hoist_program *program = program_of(t, cases[1].text);
    hoist_deadline *deadline = NULL;
    hoist_before before;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), 0, &deadline), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_before_build(program, hoist_allocator_system(), deadline, &before),
                        HOIST_LIMIT);
        HOIST_EXPECT(t, !before.clocks && !before.is_known);
    }
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

static hoist_status starved(hoist_allocator alloc, const void *program)
{
    hoist_before before;
    const hoist_status status = hoist_before_build(program, alloc, NULL, &before);
    hoist_before_deinit(&before);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = program_of(t, cases[2].text);
    if (program) {
        hoist_test_starve(t, starved, program);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_over_before_what), HOIST_TEST_ROW(a_deadline_ends_it),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
