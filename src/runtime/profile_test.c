// The profile of a session: what is counted is exact for every number of workers, what is timed
// adds up.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/profile.h"
#include "runtime/runtime_testing.h"

static const runtime_mode modes[] = RUNTIME_MODES;

static hoist_profile_row row_at(hoist_session *session, size_t index)
{
    hoist_profile_row row = {.struct_size = sizeof row};
    (void)hoist_session_profile_at(session, index, &row);
    return row;
}

// The row of that kind and name; one of zeros when there is none.
static hoist_profile_row find(hoist_session *session, hoist_profiled kind, const char *name)
{
    for (size_t i = 0; i < hoist_session_profile_count(session); i++) {
        const hoist_profile_row row = row_at(session, i);
        if (row.kind == kind && hoist_str_equal_c(row.name, name)) {
            return row;
        }
    }
    return (hoist_profile_row){0};
}

static void expect_row(hoist_test *t, hoist_session *session, const hoist_profile_row *want)
{
    const hoist_profile_row row = find(session, want->kind, want->name.data);
    HOIST_EXPECT_STR(t, row.name, want->name.data);
    HOIST_EXPECT_EQ(t, row.calls, want->calls);
    HOIST_EXPECT_EQ(t, row.bytes_read, want->bytes_read);
    HOIST_EXPECT_EQ(t, row.bytes_written, want->bytes_written);
    HOIST_EXPECT(t, row.seconds >= 0);
}

#define COUNTED(kind_, name_, calls_, read_, written_, flops_)                                     \
    {                                                                                              \
        .kind = HOIST_PROFILED_##kind_, .name = {name_, sizeof(name_) - 1}, .calls = (calls_),     \
        .bytes_read = (read_), .bytes_written = (written_), .flops = (flops_)                      \
    }
#define ROW(kind, name, calls, read, written) COUNTED(kind, name, calls, read, written, 0)

// Begins the profile and runs `e` so often.
static hoist_session *open_profiled(hoist_test *t, const hoist_program *program,
                                    const runtime_mode *mode, int runs)
{
    hoist_session *session = runtime_open(t, program, mode);
    HOIST_EXPECT_EQ(t, hoist_session_profile_begin(session), HOIST_OK);
    for (int i = 0; i < runs; i++) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    }
    return session;
}

static void close_both(hoist_session *session, hoist_program *program)
{
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Kinds ---------------------------------------------------------------------------------------

#define MEMORY                                                                                     \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 16384 lifetime session output contents zero\n"                             \
    "buffer y in m size 16384 lifetime session output contents zero\n"                             \
    "buffer k.memory in m size 8256 lifetime session\n"                                            \
    "buffer f.memory in m size 64 lifetime session\n"                                              \
    "fifo k ram of f32 tiled() slots 2 in [k.memory] slot_bytes 4128 tile_alignment 32\n"          \
    "fifo f ram of f32[4] slots 4 in [f.memory] slot_bytes 16\n"
#define THREAD(steps) MEMORY "thread t {\n" steps "}\nentry e {\nstart t\n}\n"

// One step and its row.
// clang-format off
static const struct {
    const char *name;
    const char *step;
    hoist_profile_row want; // of one run
} kinds[] = {
    {"bytes", THREAD("move copy from [x u8[100]] to y u8[100]\n"), ROW(MOVE, "move copy", 1, 100, 100)},
    {"floats are bytes", THREAD("move copy from [x f32[4]] to y f32[4]\n"), ROW(MOVE, "move copy", 1, 16, 16)},
    {"a copy that converts", THREAD("move copy from [x bf16[4]] to y f32[4]\n"), ROW(MOVE, "move copy bf16 to f32", 1, 8, 16)},
    {"a cast", THREAD("move cast from [x f32[4]] to y f32[4]\n"), ROW(MOVE, "move cast f32", 1, 16, 16)},
    {"a cast to less", THREAD("move cast from [x f32[4]] to y u8[4]\n"), ROW(MOVE, "move cast f32 to u8", 1, 16, 4)},
    {"a sum", THREAD("move add from [x f32[4], y f32[4], x f32[4]] to y f32[4]\n"), ROW(MOVE, "move add f32", 1, 48, 16)},
    {"a scaled sum", THREAD("move fma from [x bf16[4] scale 0.5] to y bf16[4]\n"), ROW(MOVE, "move fma bf16", 1, 8, 8)},
    {"a minimum of integers", THREAD("move min from [x i32[4], y i32[4]] to y i32[4] in i32\n"), ROW(MOVE, "move min i32", 1, 32, 16)},
    {"a transposition", THREAD("move copy from [x f32[2, 4]] to y f32[4, 2] transpose [1, 0]\n"), ROW(MOVE, "move copy transposed", 1, 32, 32)},
    {"a table", THREAD("move copy from [x f32[8]] to y f32[2] table [7, -1]\n"), ROW(MOVE, "move copy by table", 1, 8, 8)},
    {"tiles", THREAD("move copy from [x f32 tiled(t 2)] to y f32 tiled(t 2)\n"), ROW(MOVE, "move copy tiles", 1, 8192, 8192)},
    {"tiles by a table", THREAD("move copy from [x f32 tiled(t 3)] to y f32 tiled() table [2]\n"), ROW(MOVE, "move copy tiles by table", 1, 4096, 4096)},
    {"nothing to move", THREAD("move copy from [read(k) f32 tiled()] to write(k) f32 tiled()\n"), ROW(MOVE, "move copy tiles", 1, 0, 0)},
    {"no elements", THREAD("move copy from [x f32[0]] to y f32[0]\n"), ROW(MOVE, "move copy", 1, 0, 0)},
    {"slots of tiles", THREAD("zero k\n"), ROW(MOVE, "zero", 1, 0, 8192)},
    {"slots of bytes", THREAD("zero f\n"), ROW(MOVE, "zero", 1, 0, 64)},
    {"tiles computed", THREAD("compute golden.exp from [x f32 tiled()] to [y f32 tiled()]\n"), COUNTED(COMPUTE, "golden.exp", 1, 4096, 4096, 1024)},
    {"a product", THREAD("compute golden.matmul from [x f32 tiled(), x f32 tiled()] to [y f32 tiled()]\n"), COUNTED(COMPUTE, "golden.matmul", 1, 8192, 4096, 65536)},
    {"elements computed", THREAD("compute ieee.add from [x f32[4], x f32[4]] to [y f32[4]]\n"), COUNTED(COMPUTE, "ieee.add", 1, 32, 16, 4)},
    {"nobody is met", THREAD("collective barrier group 0 members 1 rank 0\n"), ROW(COLLECTIVE, "collective barrier", 1, 0, 0)},
    {"a sum of one", THREAD("collective all_reduce add group 0 members 1 rank 0 from x f32[4] to y f32[4]\n"), ROW(COLLECTIVE, "collective all_reduce add", 1, 16, 16)},
    {"a step often", THREAD("register i\nloop 7\nmove copy from [x u8[3]] to y u8[3]\nend\n"), ROW(MOVE, "move copy", 7, 21, 21)},
    {"two steps of a kind", THREAD("move copy from [x u8[3]] to y u8[3]\nmove copy from [y bf16[2]] to x bf16[2]\n"), ROW(MOVE, "move copy", 2, 7, 7)},
    {"a step that is not reached", THREAD("branch 0 == 0 to after\nmove copy from [x u8[3]] to y u8[3]\nafter: alu i = set 1\nregister i\n"), ROW(MOVE, "move copy", 0, 0, 0)},
};
// clang-format on

HOIST_TEST_TABLE(each_kind_of_step_is_counted, kinds)
{
    hoist_program *program = runtime_program(t, row->step);
    hoist_session *session = open_profiled(t, program, &modes[1], 3);
    const uint64_t runs = 3;
    const hoist_profile_row want = {.kind = row->want.kind,
                                    .name = row->want.name,
                                    .calls = row->want.calls * runs,
                                    .bytes_read = row->want.bytes_read * runs,
                                    .bytes_written = row->want.bytes_written * runs,
                                    .flops = row->want.flops * runs};
    expect_row(t, session, &want);
    // The one thread did it all.
    const hoist_profile_row thread = find(session, HOIST_PROFILED_THREAD, "t");
    HOIST_EXPECT_EQ(t, thread.calls, want.calls);
    HOIST_EXPECT_EQ(t, thread.bytes_read, want.bytes_read);
    HOIST_EXPECT_EQ(t, thread.bytes_written, want.bytes_written);
    HOIST_EXPECT_EQ(t, thread.flops, want.flops);
    HOIST_EXPECT_EQ(t, find(session, want.kind, want.name.data).flops, want.flops);
    close_both(session, program);
}

// A program of everything ---------------------------------------------------------------------

// Two ranks: each brings a gradient in through a unit, they add, each casts what comes out.
#define RANK(r)                                                                                    \
    "thread rank" r " {\npost dma" r " fetch" r "\npost dma" r " fetch" r "\ndrain dma" r "\n"     \
    "collective all_reduce add group 0 members 2 rank " r " from g" r " f32[256] to s" r           \
    " f32[256]\n"                                                                                  \
    "move cast from [s" r " f32[256]] to out" r " bf16[256]\n}\n"
#define BUFFERS(r)                                                                                 \
    "buffer in" r " in m size 1024 lifetime session contents zero\n"                               \
    "buffer g" r " in m size 1024 lifetime session contents zero\n"                                \
    "buffer s" r " in m size 1024 lifetime session contents zero\n"                                \
    "buffer out" r " in m size 512 lifetime session output contents zero\n"                        \
    "unit dma" r " depth 2\n"                                                                      \
    "function fetch" r " {\nmove copy from [in" r " f32[256]] to g" r " f32[256]\n}\n"

static const char ranks[] =
    "program p\nspace m\n" BUFFERS("0") BUFFERS("1") RANK("0") RANK("1") "entry e {\n"
                                                                         "start rank0\n"
                                                                         "start rank1\n}\n";

HOIST_TEST_TABLE(ranks_and_units_have_their_rows, modes)
{
    static const hoist_profile_row expected[] = {
        ROW(RUNS, "runs", 5, 0, 0),
        ROW(MOVE, "move copy", 20, 20480, 20480),
        ROW(MOVE, "move cast f32 to bf16", 10, 10240, 5120),
        ROW(COLLECTIVE, "collective all_reduce add", 5, 10240, 10240),
        ROW(UNIT, "dma0", 10, 10240, 10240),
        ROW(UNIT, "dma1", 10, 10240, 10240),
    };
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *session = open_profiled(t, program, row, 5);
    for (size_t i = 0; i < HOIST_COUNT_OF(expected); i++) {
        expect_row(t, session, &expected[i]);
    }
    // The reduction is done by who comes last.
    uint64_t calls = 0;
    for (int i = 0; i < 2; i++) {
        calls += find(session, HOIST_PROFILED_THREAD, i ? "rank1" : "rank0").calls;
    }
    HOIST_EXPECT_EQ(t, calls, 15);
    const hoist_profile_row control = find(session, HOIST_PROFILED_CONTROL, "control");
    hoist_session_counts counts = {.struct_size = sizeof counts};
    hoist_session_count(session, &counts);
    HOIST_EXPECT_EQ(t, control.calls, counts.control_steps);
    close_both(session, program);
}

// Seconds of the rows of kinds [first, last].
static double sum_of(hoist_session *session, hoist_profiled first, hoist_profiled last)
{
    double seconds = 0;
    for (size_t i = 0; i < hoist_session_profile_count(session); i++) {
        const hoist_profile_row row = row_at(session, i);
        seconds += row.kind >= first && row.kind <= last ? row.seconds : 0;
    }
    return seconds;
}

HOIST_TEST_TABLE(the_workers_time_adds_up, modes)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *session = open_profiled(t, program, row, 20);
    const double runs = sum_of(session, HOIST_PROFILED_RUNS, HOIST_PROFILED_RUNS);
    const double all = sum_of(session, HOIST_PROFILED_MOVE, HOIST_PROFILED_IDLE);
    const uint32_t workers = row->threads ? row->threads : 1;
    HOIST_EXPECT(t, runs > 0);
    HOIST_EXPECT(t, fabs(all - runs * workers) < 1e-6);
    // What workers did is what was done to steps.
    const double steps = sum_of(session, HOIST_PROFILED_MOVE, HOIST_PROFILED_OPAQUE);
    const double work = sum_of(session, HOIST_PROFILED_WORKER, HOIST_PROFILED_WORKER);
    HOIST_EXPECT(t, fabs(steps - work) < 1e-6);
    HOIST_EXPECT(t, steps > 0);
    hoist_session_counts counts = {.struct_size = sizeof counts};
    hoist_session_count(session, &counts);
    HOIST_EXPECT(t, fabs(counts.seconds - runs) < 1e-9);
    close_both(session, program);
}

// The caller ----------------------------------------------------------------------------------

#define PIPE                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer q.memory in m size 64 lifetime session\nbuffer d.memory in m size 64 lifetime "        \
    "session\n"                                                                                    \
    "fifo q queue of f32[4] slots 4 in [q.memory] slot_bytes 16 host_push\n"                       \
    "fifo d queue of f32[4] slots 4 in [d.memory] slot_bytes 16 host_pop\n"                        \
    "thread t {\nloop 3\nawait q\nreserve d\n"                                                     \
    "compute ieee.add from [read(q) f32[4], read(q) f32[4]] to [write(d) f32[4]]\n"                \
    "push d by 1\nadvance q by 1\npop q by 1\nend\n}\n"                                            \
    "entry e {\nstart t\n}\n"

static hoist_status push(hoist_session *session)
{
    static const float entry[4] = {1, 2, 3, 4};
    return hoist_session_push(session, "q", HOIST_DTYPE_F32,
                              (hoist_bytes){(const uint8_t *)entry, sizeof entry}, 0);
}

static hoist_status pop(hoist_session *session)
{
    float entry[4];
    return hoist_session_pop(session, "d", HOIST_DTYPE_F32,
                             (hoist_mut_bytes){(uint8_t *)entry, sizeof entry}, 0);
}

HOIST_TEST_TABLE(what_callers_do_has_rows_of_its_own, modes)
{
    static const hoist_profile_row expected[] = {
        ROW(HOST, "push", 3, 0, 48),
        ROW(HOST, "pop", 2, 32, 0),
        ROW(COMPUTE, "ieee.add", 3, 96, 48),
    };
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = open_profiled(t, program, row, 0);
    for (int i = 0; i < 3; i++) {
        HOIST_EXPECT_EQ(t, push(session), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, pop(session), HOIST_OK);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(expected); i++) {
        expect_row(t, session, &expected[i]);
    }
    close_both(session, program);
}

HOIST_TEST_TABLE(nothing_changes_while_something_runs, modes)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = open_profiled(t, program, row, 0);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK); // waits for entries
    HOIST_EXPECT_EQ(t, hoist_session_profile_begin(session), HOIST_BUSY);
    hoist_session_profile_end(session); // is not heard
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_RUNS, "runs").calls, 1);
    HOIST_EXPECT(t, find(session, HOIST_PROFILED_RUNS, "runs").seconds > 0);
    for (int i = 0; i < 3; i++) {
        HOIST_EXPECT_EQ(t, push(session), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_COMPUTE, "ieee.add").calls, 3);
    HOIST_EXPECT_EQ(t, hoist_session_profile_begin(session), HOIST_OK);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_COMPUTE, "ieee.add").calls, 0);
    close_both(session, program);
}

// Callbacks -----------------------------------------------------------------------------------

static hoist_status do_nothing(void *self, const hoist_opaque_step *step)
{
    (void)self;
    (void)step;
    return HOIST_OK;
}

// Without a callback nothing is read or written.
static const struct {
    const char *name;
    hoist_opaque_call call;
    hoist_profile_row want;
} callbacks[] = {
    {"a callback", do_nothing, ROW(OPAQUE, "opaque", 1, 3, 8)},
    {"skipped", NULL, ROW(OPAQUE, "opaque", 1, 0, 0)},
};

HOIST_TEST_TABLE(opaque_steps_have_a_row, callbacks)
{
    hoist_program *program =
        runtime_program(t, THREAD("opaque P record 00 reads [x u8[3]] writes [y f32[2]]\n"));
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = 1,
                                           .on_unknown = HOIST_UNKNOWN_SKIP,
                                           .on_opaque = row->call};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_profile_begin(session), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    expect_row(t, session, &row->want);
    close_both(session, program);
}

// On and off ----------------------------------------------------------------------------------

HOIST_TEST(off_gives_nothing)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *session = runtime_open(t, program, &modes[1]);
    hoist_profile_row row = {.struct_size = sizeof row, .calls = 9};
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    hoist_session_profile_end(session);
    HOIST_EXPECT_EQ(t, hoist_session_profile_count(session), 0);
    HOIST_EXPECT(t, !hoist_session_profile_at(session, 0, &row));
    HOIST_EXPECT_EQ(t, row.calls, 0);
    close_both(session, program);
}

HOIST_TEST(what_was_noted_stays_and_begins_anew)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *session = open_profiled(t, program, &modes[2], 2);
    const size_t count = hoist_session_profile_count(session);
    hoist_session_profile_end(session);
    const double seconds = sum_of(session, HOIST_PROFILED_RUNS, HOIST_PROFILED_WORKER);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_MOVE, "move copy").calls, 8);
    HOIST_EXPECT(t, sum_of(session, HOIST_PROFILED_RUNS, HOIST_PROFILED_WORKER) == seconds);
    HOIST_EXPECT_EQ(t, hoist_session_profile_begin(session), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_profile_count(session), count);
    HOIST_EXPECT(t, sum_of(session, HOIST_PROFILED_RUNS, HOIST_PROFILED_WORKER) == 0);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_MOVE, "move copy").calls, 4);
    close_both(session, program);
}

HOIST_TEST(older_callers_get_what_they_know)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *session = open_profiled(t, program, &modes[0], 1);
    hoist_profile_row row = {.struct_size = offsetof(hoist_profile_row, calls), .calls = 99};
    HOIST_EXPECT(t, hoist_session_profile_at(session, HOIST_PROFILE_ROW_RUNS, &row));
    HOIST_EXPECT_STR(t, row.name, "runs");
    HOIST_EXPECT_EQ(t, row.calls, 99);
    HOIST_EXPECT_EQ(t, row.struct_size, offsetof(hoist_profile_row, calls));
    close_both(session, program);
}

// An op is what compute steps are called; a move of the same name is part of it, any other is of
// none.
HOIST_TEST_TABLE(functions_and_ops_have_rows, modes)
{
    static const hoist_profile_row wanted[] = {
        ROW(FUNCTION, "f", 6, 4 * 4096 + 100, 4 * 4096 + 100),
        ROW(FUNCTION, "g", 0, 0, 0),
        ROW(OP, "a", 4, 4 * 4096, 4 * 4096),
        ROW(OP, "b", 1, 2 * 4096, 4096),
    };
    hoist_program *program = runtime_program(
        t, MEMORY "function f {\n"
                  "\"a\": compute golden.exp from [x f32 tiled()] to [y f32 tiled()]\n"
                  "\"a\": move copy from [x f32 tiled()] to y f32 tiled()\n"
                  "\"m\": move copy from [x u8[50]] to y u8[50]\n"
                  "}\nfunction g {\nmove copy from [x u8[4]] to y u8[4]\n}\n"
                  "thread t {\ncall f\ncall f\n"
                  "\"b\": compute golden.add from [x f32 tiled(), x f32 tiled()] to [y f32 "
                  "tiled()]\n}\nentry e {\nstart t\n}\n");
    hoist_session *session = open_profiled(t, program, row, 1);
    for (size_t i = 0; i < HOIST_COUNT_OF(wanted); i++) {
        expect_row(t, session, &wanted[i]);
    }
    HOIST_EXPECT(t, find(session, HOIST_PROFILED_OP, "m").name.size == 0);
    const double all = sum_of(session, HOIST_PROFILED_MOVE, HOIST_PROFILED_OPAQUE);
    const double f = find(session, HOIST_PROFILED_FUNCTION, "f").seconds;
    const double b = find(session, HOIST_PROFILED_OP, "b").seconds;
    HOIST_EXPECT(t, fabs(all - f - b) < 1e-6);
    close_both(session, program);
}

// Programs without steps have rows, too.
HOIST_TEST(a_program_of_nothing)
{
    hoist_program *program =
        runtime_program(t, "program p\nthread t {\n}\nentry e {\nstart t\n}\n");
    hoist_session *session = open_profiled(t, program, &modes[0], 1);
    HOIST_EXPECT_EQ(t, hoist_session_profile_count(session), HOIST_PROFILE_FIXED_ROWS + 2);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_RUNS, "runs").calls, 1);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_WORKER, "worker 0").calls, 0);
    close_both(session, program);
}

// A run that fails, and one that is cancelled, are reported as far as they went.
HOIST_TEST_TABLE(a_run_that_fails_is_counted, modes)
{
    hoist_program *program = runtime_program(
        t, MEMORY "thread t {\nregister r initial 99999\nmove copy from [x u8[4]] to y u8[4]\n"
                  "move copy from [x u8[4]] to y u8[4] + r * 1\n}\nentry e {\nstart t\n}\n");
    hoist_session *session = open_profiled(t, program, row, 0);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_MOVE, "move copy").calls, 1);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_RUNS, "runs").calls, 1);
    hoist_session_profile_end(session);
    close_both(session, program);
}

// Any thread may look while the program runs.
static void *look(void *self)
{
    hoist_session *session = self;
    for (int i = 0; i < 50; i++) {
        for (size_t k = 0; k < hoist_session_profile_count(session); k++) {
            (void)row_at(session, k);
        }
    }
    return NULL;
}

HOIST_TEST_TABLE(rows_are_read_while_it_runs, modes)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_session *session = open_profiled(t, program, row, 0);
    pthread_t looker;
    HOIST_EXPECT_EQ(t, pthread_create(&looker, NULL, look, session), 0);
    for (int i = 0; i < 20; i++) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, pthread_join(looker, NULL), 0);
    HOIST_EXPECT_EQ(t, find(session, HOIST_PROFILED_MOVE, "move copy").calls, 80);
    close_both(session, program);
}

// Memory --------------------------------------------------------------------------------------

static hoist_status profile_once(hoist_allocator alloc, const void *self)
{
    hoist_session *session = NULL;
    const hoist_session_options options = {
        .struct_size = sizeof options, .alloc = alloc, .sequential = true};
    HOIST_TRY(hoist_session_open(self, &options, NULL, &session));
    hoist_status status = hoist_session_profile_begin(session);
    const bool nothing = status == HOIST_OK || hoist_session_profile_count(session) == 0;
    status = status == HOIST_OK ? runtime_run(session, "e") : status;
    hoist_session_close(session);
    return nothing ? status : HOIST_INTERNAL;
}

HOIST_TEST(memory_that_runs_out)
{
    hoist_program *program = runtime_program(t, ranks);
    hoist_test_starve(t, profile_once, program);
    hoist_program_destroy(program);
}

// The clock of a profile -------------------------------------------------------------------------

// Events at a time in eighths of a second, in order: R a run begins, E it ends, W a worker waits, G
// it goes on, P a push that took so long.
static void play(hoist_profiler *p, const char *events)
{
    for (const char *at = events; *at; at += *at == ' ') {
        const char event = *at++;
        char *end = NULL;
        const long eighths = strtol(at, &end, 10);
        const double now = (double)eighths / 8;
        at = end;
        switch (event) {
        case 'R':
            hoist_profiler_begin_run(p, 0, now, (uint64_t)eighths);
            break;
        case 'E':
            hoist_profiler_end_run(p, now, (uint64_t)eighths);
            break;
        case 'W':
            hoist_profiler_begin_wait(p, 0, now);
            break;
        case 'G':
            hoist_profiler_end_wait(p, 0, now);
            break;
        default:
            hoist_profiler_host(p, true, 4, 0, now);
            break;
        }
    }
}

// What is counted, and eighths of a second.
typedef struct amount {
    uint64_t calls;
    int eighths;
} amount;

// clang-format off
static const struct {
    const char *name;
    uint32_t workers; // 0: sequential
    uint32_t idle;
    const char *events;
    int now;
    amount runs, control, waits, push;
} clocks[] = {
    {"a run from the beginning of time",       1, 0, "R0 E8",             8,  {1, 8},  {8, 8},  {0, 0},  {0, 0}},
    {"a wait in it",                           1, 0, "R0 W2 G4 E8",       8,  {1, 8},  {8, 6},  {1, 2},  {0, 0}},
    {"a wait outside of runs",                 1, 0, "W2 G4 R8 E16",      16, {1, 8},  {8, 8},  {0, 0},  {0, 0}},
    {"a wait that begins before the run",      1, 0, "W2 R8 G12 E16",     16, {1, 8},  {8, 4},  {0, 4},  {0, 0}},
    {"a wait that goes on across runs",        1, 0, "R0 W4 E8 R16 E24",  24, {2, 16}, {16, 4}, {1, 12}, {0, 0}},
    {"waits that began before the profile",    2, 2, "R0 G4 E8",          8,  {1, 8},  {8, 4},  {0, 12}, {0, 0}},
    {"one more goes on than has waited",       1, 0, "R0 G2 W4 G6 E8",    8,  {1, 8},  {8, 6},  {1, 2},  {0, 0}},
    {"as many wait as there are workers",      2, 0, "R0 W2 W4 E8",       8,  {1, 8},  {8, 6},  {2, 10}, {0, 0}},
    {"more callers wait than there are workers", 0, 0, "R0 W2 W2 G6 E8",  8,  {1, 8},  {8, 2},  {2, 6},  {0, 0}},
    {"in the midst of a run",                  1, 0, "R0 W2",             6,  {1, 6},  {0, 2},  {1, 4},  {0, 0}},
    {"in the midst of the second run",         1, 0, "R0 E4 R8",          10, {2, 6},  {4, 6},  {0, 0},  {0, 0}},
    {"after a run nothing goes on",            1, 1, "R0 E8",             80, {1, 8},  {8, 0},  {0, 8},  {0, 0}},
    {"a push of the caller who does the work", 0, 0, "R0 P4 E8",          8,  {1, 8},  {8, 4},  {0, 0},  {1, 4}},
    {"a push beside workers",                  1, 0, "R0 P4 E8",          8,  {1, 8},  {8, 8},  {0, 0},  {1, 4}},
    {"a push between runs",                    0, 0, "P4 R8 E16 P2",      16, {1, 8},  {8, 8},  {0, 0},  {2, 6}},
    {"a push that began before the run",       0, 0, "R0 P16 E8",         8,  {1, 8},  {8, 0},  {0, 0},  {1, 16}},
    {"an end without a run",                   1, 0, "E8",                8,  {0, 0},  {0, 0},  {0, 0},  {0, 0}},
    {"a run that ends twice",                  1, 0, "R0 E8 E16",         16, {1, 8},  {8, 8},  {0, 0},  {0, 0}},
};
// clang-format on

static void expect_amount(hoist_test *t, const hoist_profiler *p, size_t index, int now,
                          const amount *want)
{
    const hoist_profile_row row = hoist_profiler_row(p, index, now / 8.0);
    if (row.calls != want->calls || row.seconds != want->eighths / 8.0) {
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s: %llu calls, %g s; expected %llu, %g s",
                        HOIST_STR_ARGS(row.name), (unsigned long long)row.calls, row.seconds,
                        (unsigned long long)want->calls, want->eighths / 8.0);
    }
}

HOIST_TEST_TABLE(time_is_of_what_goes_on_then, clocks)
{
    hoist_program *program =
        runtime_program(t, "program p\nthread t {\n}\nentry e {\nstart t\n}\n");
    const hoist_profiler_setup setup = {program, hoist_allocator_system(), row->workers, row->idle,
                                        0};
    hoist_profiler p;
    HOIST_EXPECT_EQ(t, hoist_profiler_init(&p, &setup), HOIST_OK);
    play(&p, row->events);
    expect_amount(t, &p, HOIST_PROFILE_ROW_RUNS, row->now, &row->runs);
    expect_amount(t, &p, HOIST_PROFILE_ROW_CONTROL, row->now, &row->control);
    expect_amount(t, &p, HOIST_PROFILE_ROW_IDLE, row->now, &row->waits);
    expect_amount(t, &p, HOIST_PROFILE_ROW_PUSH, row->now, &row->push);
    expect_amount(t, &p, HOIST_PROFILE_ROW_POP, row->now, &(amount){0, 0});
    HOIST_EXPECT_EQ(t, p.rows[HOIST_PROFILE_ROW_PUSH].bytes_written, 4 * row->push.calls);
    hoist_profiler_deinit(&p);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(each_kind_of_step_is_counted), HOIST_TEST_ROW(ranks_and_units_have_their_rows),
    HOIST_TEST_ROW(the_workers_time_adds_up), HOIST_TEST_ROW(what_callers_do_has_rows_of_its_own),
    HOIST_TEST_ROW(nothing_changes_while_something_runs), HOIST_TEST_ROW(opaque_steps_have_a_row),
    HOIST_TEST_ROW(off_gives_nothing), HOIST_TEST_ROW(what_was_noted_stays_and_begins_anew),
    HOIST_TEST_ROW(older_callers_get_what_they_know), HOIST_TEST_ROW(a_program_of_nothing),
    HOIST_TEST_ROW(functions_and_ops_have_rows), HOIST_TEST_ROW(a_run_that_fails_is_counted),
    HOIST_TEST_ROW(rows_are_read_while_it_runs), HOIST_TEST_ROW(memory_that_runs_out),
    HOIST_TEST_ROW(time_is_of_what_goes_on_then))
