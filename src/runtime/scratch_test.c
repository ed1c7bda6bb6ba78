// How much scratch memory workers get, and that each call gets that of who runs it. The kernels are
// made for the test: one needs as many bytes as its second operand has elements.
#include <string.h>

#include "base/alloc.h"
#include "kernels/compute_table.h"
#include "runtime/runtime_testing.h"

static size_t size_wanted(const hoist_compute_call *call)
{
    return (size_t)hoist_shape_count(&call->views[1].shape);
}

static hoist_status run(const hoist_compute_call *call, size_t begin, size_t end,
                        hoist_compute_fault *out_fault)
{
    (void)begin;
    (void)end;
    *out_fault = (hoist_compute_fault){.what = "no memory", .row = call->scratch.size};
    return call->scratch.data ? HOIST_OK : HOIST_INVALID;
}

static const hoist_compute_row rows[HOIST_COMPUTE_COUNT] = {
    [HOIST_IEEE_ADD] = {.run = run, .scratch_size = size_wanted},
    [HOIST_IEEE_MULTIPLY] = {.run = run},
};
static const hoist_compute_group group = {0, HOIST_COMPUTE_COUNT, rows};
static const hoist_compute_kernels kernels = {.groups = {&group}};

#define ADD(count)                                                                                 \
    "compute ieee.add from [x f32[" count "], x f32[" count "]] to [y f32[" count "]]\n"
#define MULTIPLY "compute ieee.multiply from [x f32[200], x f32[200]] to [y f32[200]]\n"
#define PROGRAM(function, thread)                                                                  \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 800 lifetime session contents zero\n"                                      \
    "buffer y in m size 800 lifetime session output contents zero\n"                               \
    "function f {\n" function "}\nthread t {\n" thread "call f\n}\nentry e {\nstart t\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    size_t workers;
    uint64_t more; // bytes up to the limit; UINT64_MAX: there is none
    size_t each;
} cases[] = {
    {"nothing is computed",              PROGRAM("", ""),                     2, UINT64_MAX, 0},
    {"a row that wants nothing",         PROGRAM("", MULTIPLY),               2, UINT64_MAX, 0},
    {"one byte",                         PROGRAM("", ADD("1")),               1, UINT64_MAX, 64},
    {"a multiple of 64",                 PROGRAM("", ADD("64")),              2, UINT64_MAX, 64},
    {"one more",                         PROGRAM("", ADD("65")),              2, UINT64_MAX, 128},
    {"the greatest of a thread",         PROGRAM("", ADD("3") ADD("129") MULTIPLY ADD("4")), 3, UINT64_MAX, 192},
    {"the greatest of a function",       PROGRAM(ADD("70") ADD("3"), ADD("1")), 3, UINT64_MAX, 128},
    {"as much as the limit leaves",      PROGRAM("", ADD("65")),              3, 384, 128},
    {"one byte more than it leaves",     PROGRAM("", ADD("65")),              3, 383, 0},
    {"nothing is left",                  PROGRAM("", ADD("1")),               1, 0, 0},
    {"bytes that cannot be counted",     PROGRAM("", ADD("1")),               SIZE_MAX / 2, UINT64_MAX, 0},
};
// clang-format on

HOIST_TEST_TABLE(what_workers_get, cases)
{
    hoist_program *program = runtime_program(t, row->text);
    hoist_store store;
    hoist_scratch scratch;
    const hoist_group_plan none = {.count = 0};
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    const uint64_t before = store.bytes;
    store.limit = row->more == UINT64_MAX ? 0 : before + row->more;
    HOIST_EXPECT_EQ(t, hoist_scratch_init(&scratch, &store, &kernels, &none, row->workers),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, scratch.each, row->each);
    HOIST_EXPECT_EQ(t, store.bytes - before, row->each * row->workers);
    for (size_t i = 0; row->each && i < row->workers; i++) {
        const hoist_mut_bytes part = hoist_scratch_of(&scratch, i);
        HOIST_EXPECT_EQ(t, part.size, row->each);
        HOIST_EXPECT_EQ(t, (size_t)(part.data - scratch.pages.data), i * row->each);
        HOIST_EXPECT(t, (uintptr_t)part.data % 64 == 0);
        memset(part.data, 1, part.size);
    }
    HOIST_EXPECT(t, row->each || hoist_scratch_of(&scratch, 0).data == NULL);
    hoist_scratch_deinit(&scratch);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

// A session has a part for each worker, and gives it to what the worker runs.
HOIST_TEST(sessions_take_it)
{
    static const runtime_mode modes[] = RUNTIME_MODES;
    static const size_t parts[] = {1, 2, 4, 1};
    hoist_program *program = runtime_program(
        t, PROGRAM("", "compute ark.matmul from [x f32[1, 10, 20], x f32[1, 20, 10]] "
                       "to [y f32[1, 10, 10]]\n"));
    for (size_t m = 0; program && m < HOIST_COUNT_OF(modes); m++) {
        hoist_session *session = runtime_open(t, program, &modes[m]);
        if (session) {
            const size_t each = session->scratch.each;
            HOIST_EXPECT_EQ(t, session->options.threads, parts[m]);
            HOIST_EXPECT_EQ(t, session->scratch.pages.size, parts[m] * each);
            HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
            hoist_session_counts counts = {.struct_size = sizeof counts};
            hoist_session_count(session, &counts);
            HOIST_EXPECT_EQ(t, counts.memory_bytes, 1600 + parts[m] * each);
        }
        hoist_session_close(session);
    }
    hoist_program_destroy(program);
}

// Work is run with the memory of its context; the call that workers share keeps none.
HOIST_TEST(work_gets_that_of_its_context)
{
    uint8_t bytes[64];
    hoist_compute_fault fault;
    hoist_work work = {.kind = HOIST_WORK_COMPUTE, .units = 1, .call = {.op = HOIST_IEEE_ADD}};
    hoist_work_context context = {.kernels = &kernels};
    HOIST_EXPECT_EQ(t, hoist_work_run(&context, &work, 0, 1, &fault), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, fault.row, 0);
    context.scratch = (hoist_mut_bytes){bytes, sizeof bytes};
    HOIST_EXPECT_EQ(t, hoist_work_run(&context, &work, 0, 1, &fault), HOIST_OK);
    HOIST_EXPECT_EQ(t, fault.row, sizeof bytes);
    HOIST_EXPECT(t, work.call.scratch.data == NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_workers_get), HOIST_TEST_ROW(sessions_take_it),
                HOIST_TEST_ROW(work_gets_that_of_its_context))
