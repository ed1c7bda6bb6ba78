// Runs of programs whose messages stay where they are and whose values share memory (plan/stays.h,
// plan/reuse.h) give the bits of runs in which everything has memory of its own.
#include <string.h>

#include "runtime/runtime_testing.h"

// Each rank scales what it is given, sends it and adds what comes; then both give each other the
// sums, through the buffers that were sent before.
#define RANK(n, other)                                                                             \
    "thread t" #n " home " #n " {\n"                                                               \
    "move fma from [x" #n " f32[300] scale 3] to u" #n " f32[300]\n"                               \
    "reserve a" #n "\nmove copy from [u" #n " f32[300]] to write(a" #n ") f32[300]\n"              \
    "push a" #n " by 1\n"                                                                          \
    "move copy from [x" #n " f32[300]] to v" #n " f32[300]\n"                                      \
    "await a" #other "\nmove copy from [read(a" #other ") f32[300]] to w" #n " f32[300]\n"         \
    "advance a" #other " by 1\npop a" #other " by 1\n"                                             \
    "move fma from [v" #n " f32[300] scale 1, w" #n " f32[300] scale 2] to s" #n " f32[300]\n"     \
    "collective barrier group 0 members 2 rank " #n "\n"                                           \
    "reserve b" #n "\nmove copy from [s" #n " f32[300]] to write(b" #n ") f32[300]\n"              \
    "push b" #n " by 1\n"                                                                          \
    "await b" #other "\nmove copy from [read(b" #other ") f32[300]] to u" #n " f32[300]\n"         \
    "advance b" #other " by 1\npop b" #other " by 1\n"                                             \
    "move fma from [u" #n " f32[300] scale 1, s" #n " f32[300] scale 1] to y" #n " f32[300]\n}\n"
#define BUFFER(name, n) "buffer " name #n " in r" #n " size 1200 lifetime session contents zero\n"
#define MEMORY(n)                                                                                  \
    BUFFER("x", n)                                                                                 \
    BUFFER("y", n)                                                                                 \
    BUFFER("u", n)                                                                                 \
    BUFFER("v", n)                                                                                 \
    BUFFER("w", n)                                                                                 \
    BUFFER("s", n)                                                                                 \
    "buffer ma" #n " in wire size 1216 lifetime run\n"                                             \
    "buffer mb" #n " in wire size 1216 lifetime run\n"                                             \
    "fifo a" #n " queue of f32[300] slots 1 in [ma" #n "] slot_bytes 1216\n"                       \
    "fifo b" #n " queue of f32[300] slots 1 in [mb" #n "] slot_bytes 1216\n"                       \
    "port in" #n " in x" #n " of f32[300]\nport out" #n " in y" #n " of f32[300] result\n"         \
    "port value" #n " in w" #n " of f32[300]\nneed in" #n " from 0 to 1200\n"
static const char ranks[] = "program p\nspace r0\nspace r1 home 1\nspace wire\n" MEMORY(0) MEMORY(1)
    RANK(0, 1) RANK(1, 0) "entry run {\nstart t0\nstart t1\n}\n";

enum { COUNT = 300, RUNS = 3 };

typedef struct outputs {
    float y[RUNS][2][COUNT];
} outputs;

static hoist_status read_floats(hoist_session *s, const char *name, float *to)
{
    return hoist_session_read(s, name, 0, HOIST_DTYPE_F32,
                              (hoist_mut_bytes){(uint8_t *)to, COUNT * sizeof *to});
}

// Runs with new inputs each time; before each, a value that no one needs is written, too.
static void run(hoist_test *t, hoist_session *s, outputs *out)
{
    static const char *const inputs[] = {"in0", "in1", "value0", "value1"};
    for (uint32_t i = 0; s && i < RUNS; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            float x[COUNT];
            for (uint32_t n = 0; n < COUNT; n++) {
                x[n] = (float)(1000 * i + 100 * k + n);
            }
            HOIST_EXPECT_EQ(t,
                            hoist_session_write(s, inputs[k], 0, HOIST_DTYPE_F32,
                                                (hoist_bytes){(const uint8_t *)x, sizeof x}),
                            HOIST_OK);
        }
        HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
        HOIST_EXPECT_EQ(t, read_floats(s, "out0", out->y[i][0]), HOIST_OK);
        HOIST_EXPECT_EQ(t, read_floats(s, "out1", out->y[i][1]), HOIST_OK);
    }
}

static const char *const reads[] = {"out0", "out1"};

static const struct {
    const char *name;
    hoist_session_options options;
} modes[] = {
    {"one worker", {.threads = 1}},
    {"four workers", {.threads = 4}},
    {"sequential", {.sequential = true}},
    {"random", {.schedule = HOIST_RUN_RANDOM, .seed = 5}},
    {"adversarial", {.schedule = HOIST_RUN_ADVERSARIAL}},
    {"without fusion", {.threads = 2, .no_fusion = true}},
};

static hoist_session *open(hoist_test *t, const hoist_program *program,
                           hoist_session_options options)
{
    hoist_session *session = NULL;
    options.struct_size = sizeof options;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

HOIST_TEST_TABLE(bits_are_those_of_memory_of_its_own, modes)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session_options options = row->options;
    outputs own = {0};
    outputs shared = {0};
    hoist_session *a = program ? open(t, program, options) : NULL;
    options.reads = reads;
    options.read_count = 2;
    hoist_session *b = program ? open(t, program, options) : NULL;
    run(t, a, &own);
    run(t, b, &shared);
    HOIST_EXPECT(t, memcmp(&own, &shared, sizeof own) == 0);
    HOIST_EXPECT(t, own.y[1][0][7] == (1007 + 6 * 1107) + (1107 + 6 * 1007));
    hoist_session_close(a);
    hoist_session_close(b);
    hoist_program_destroy(program);
}

// Without reads of its own values the session is smaller, and says that they are not there.
HOIST_TEST(what_is_not_read_is_not_there)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *a = open(t, program, (hoist_session_options){.sequential = true});
    hoist_session *b = open(
        t, program, (hoist_session_options){.sequential = true, .reads = reads, .read_count = 2});
    outputs out = {0};
    float x[COUNT];
    if (a && b) {
        // x has its own; u and s are lent and live on, y takes the place of v or w.
        HOIST_EXPECT_EQ(t, a->store.bytes - a->scratch.pages.size, 2 * (6 * 1200 + 2 * 1216));
        HOIST_EXPECT_EQ(t, b->store.bytes - b->scratch.pages.size, 2 * (1200 + 4 * 1216));
        run(t, b, &out);
        HOIST_EXPECT_EQ(t, read_floats(b, "value0", x), HOIST_NOT_FOUND);
        HOIST_EXPECT_EQ(t, read_floats(b, "b0", x), HOIST_NOT_FOUND);
    }
    hoist_session_close(a);
    hoist_session_close(b);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bits_are_those_of_memory_of_its_own),
                HOIST_TEST_ROW(what_is_not_read_is_not_there))
