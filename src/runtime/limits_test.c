// Where runs end that would not end by themselves, and what callers may not do meanwhile.
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "program/text.h"
#include "runtime/runtime_testing.h"

// The host fills q, one call of f doubles an entry of it into d.
#define PIPE                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer q.memory in m size 64 lifetime session\nbuffer d.memory in m size 64 lifetime "        \
    "session\nbuffer k.memory in m size 64 lifetime session\n"                                     \
    "buffer x in m size 16 lifetime session output contents zero\n"                                \
    "fifo q queue of f32[4] slots 4 in [q.memory] slot_bytes 16 host_push\n"                       \
    "fifo d queue of f32[4] slots 4 in [d.memory] slot_bytes 16 host_pop\n"                        \
    "fifo k ram of f32[4] slots 4 in [k.memory] slot_bytes 16 host_push host_pop\n"                \
    "unit u depth 2\n"                                                                             \
    "function f {\nawait q\nreserve d\n"                                                           \
    "double: compute ieee.add from [read(q) f32[4], read(q) f32[4]] to [write(d) f32[4]]\n"        \
    "push d by 1\nadvance q by 1\npop q by 1\n}\n"                                                 \
    "thread t {\nregister n lifetime run initial 1\nloop n\npost u f\nend\n}\n"                    \
    "entry e {\nstart t\nparameter n thread t register n\n}\n"

static const runtime_mode modes[] = RUNTIME_MODES;

static hoist_status push(hoist_session *session, float value, double timeout)
{
    const float entry[4] = {value, value, value, value};
    return hoist_session_push(session, "q", HOIST_DTYPE_F32,
                              (hoist_bytes){(const uint8_t *)entry, sizeof entry}, timeout);
}

static hoist_status pop(hoist_session *session, const char *name, float *out_value, double timeout)
{
    float entry[4] = {0};
    const hoist_status status = hoist_session_pop(
        session, name, HOIST_DTYPE_F32, (hoist_mut_bytes){(uint8_t *)entry, sizeof entry}, timeout);
    *out_value = entry[3];
    return status;
}

static hoist_status run_pipe(hoist_session *session, int64_t count)
{
    return hoist_session_run(session, "e", &(hoist_parameter){"n", count}, 1);
}

// Control that goes on for ever -----------------------------------------------------------------

static const char endless[] =
    "program p\nthread t {\nregister r\nagain: alu r = or r 1\nbranch r == 1 to again\n}\n"
    "entry e {\nstart t\n}\n";

HOIST_TEST_TABLE(endless_control_is_left_in_time, modes)
{
    hoist_program *program = runtime_program(t, endless);
    hoist_session *session = runtime_open(t, program, row);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    const double before = hoist_now();
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.05), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0), HOIST_BUSY);
    hoist_session_cancel(session);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_CANCELLED);
    HOIST_EXPECT(t, hoist_now() - before < 5);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(steps_have_a_limit, modes)
{
    hoist_program *program = runtime_program(t, endless);
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = row->threads,
                                           .sequential = row->sequential,
                                           .max_steps = 10000};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_LIMIT);
    hoist_session_counts counts = {.struct_size = sizeof counts};
    hoist_session_count(session, &counts);
    HOIST_EXPECT_EQ(t, counts.control_steps, 10000);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-104");
    // A second run after a failed one says how that ended.
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_LIMIT);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// A thread that posts a billion calls, one that waits for the last of them, one that has no end.
static const char posts[] = "program p\nspace m\nsemaphore s\nunit u depth 2\n"
                            "buffer x in m size 16 lifetime session\n"
                            "function f {\nmove copy from [x u8[8]] to x u8[8] + 8\n}\n"
                            "thread a {\nloop 1000000000\npost u f then [s add 1]\nend\n}\n"
                            "thread b {\nwait s >= 1000000000\n}\n"
                            "thread c {\nagain: signal s add 0\nbranch 0 == 0 to again\n}\n"
                            "entry e {\nstart a\nstart b\n}\nentry g {\nstart b\nstart c\n}\n";

static const struct {
    const char *name;
    const char *entry;
    const char *waits;
    bool by_time;
} endless_runs[] = {
    {"a billion posts, by steps", "e", "'b' waits at wait", false},
    {"a billion posts, by time", "e", "'b' waits at wait", true},
    {"a loop without end, by steps", "g", "'b' waits at wait", false},
    {"a loop without end, by time", "g", "'b' waits at wait", true},
};

HOIST_TEST_TABLE(limits_name_who_waits, endless_runs)
{
    hoist_program *program = runtime_program(t, posts);
    for (size_t i = 0; program && i < HOIST_COUNT_OF(modes); i++) {
        hoist_session *session = NULL;
        const hoist_session_options options = {.struct_size = sizeof options,
                                               .threads = modes[i].threads,
                                               .sequential = modes[i].sequential,
                                               .max_steps = row->by_time ? 0 : 20000};
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_run(session, row->entry, NULL, 0), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, row->by_time ? 0.05 : HOIST_FOREVER),
                        HOIST_LIMIT);
        hoist_session_report(session, t->diag);
        HOIST_EXPECT_RULE(t, "RUN-104");
        HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), row->waits));
        hoist_session_close(session);
    }
    hoist_program_destroy(program);
}

// A caller that looks in now and then while a run waits for its input.
HOIST_TEST_TABLE(a_wait_that_times_out_is_no_finding, modes)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, row);
    HOIST_EXPECT_EQ(t, run_pipe(session, 1), HOIST_OK);
    for (int i = 0; i < 3; i++) {
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.005), HOIST_LIMIT);
    }
    // Of the last one alone, and once.
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-104");
    const size_t findings = hoist_diag_kept(t->diag);
    HOIST_EXPECT(t, findings <= 3);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), findings);
    // Nothing of it is left when the run ends well.
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.005), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, push(session, 1, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), findings);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Kernels that do not return --------------------------------------------------------------------

static atomic_bool stuck_ends;
static hoist_session *left_behind; // for the sanitizer: it is meant to stay

static void stick(void *self, const hoist_prog_step *step)
{
    (void)self;
    (void)step;
    while (!atomic_load(&stuck_ends)) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

// Closing leaves the session to the kernel, which comes back later and finds nothing to do.
HOIST_TEST(closing_does_not_wait_for_ever)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, &modes[1]);
    session->before_work = stick;
    session->close_seconds = 0.2;
    HOIST_EXPECT_EQ(t, push(session, 1, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, run_pipe(session, 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.1), HOIST_LIMIT);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "working on step 'double'"));
    hoist_session_cancel(session);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_CANCELLED);
    HOIST_EXPECT_EQ(t,
                    hoist_session_read(session, "x", 0, HOIST_DTYPE_U8,
                                       (hoist_mut_bytes){(uint8_t[16]){0}, 16}),
                    HOIST_BUSY);
    const double before = hoist_now();
    left_behind = session;
    hoist_session_close(session);
    HOIST_EXPECT(t, hoist_now() - before < 3);
    atomic_store(&stuck_ends, true);
    (void)pthread_mutex_lock(&left_behind->lock);
    while (hoist_session_is_busy(left_behind)) {
        (void)hoist_cond_wait(&left_behind->changed, &left_behind->lock, -1);
    }
    (void)pthread_mutex_unlock(&left_behind->lock);
    hoist_program_destroy(program);
}

// Moves that go on for ever ---------------------------------------------------------------------

#define OVER_AND_OVER(shape, steps)                                                                \
    "program p\nspace m\nbuffer x in m size 1 lifetime session contents pattern data 07\n"         \
    "buffer y in m size 1 lifetime session output contents zero\n"                                 \
    "thread t {\nmove copy from [x u8[" shape "] by [" steps "]] to y u8[" shape "] by [" steps    \
    "]\n}\nentry e {\nstart t\n}\n"
#define MANY "1048576, 1048576, 1048576"

static uint8_t read_byte(hoist_test *t, hoist_session *session)
{
    uint8_t byte = 0;
    HOIST_EXPECT_EQ(
        t, hoist_session_read(session, "y", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){&byte, 1}),
        HOIST_OK);
    return byte;
}

HOIST_TEST_TABLE(endless_moves_are_left_in_time, modes)
{
    hoist_program *program = runtime_program(t, OVER_AND_OVER(MANY, "0, 0, 0"));
    hoist_session *session = runtime_open(t, program, row);
    const double before = hoist_now();
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.05), HOIST_LIMIT);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "is working on step"));
    hoist_session_cancel(session);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_CANCELLED);
    hoist_session_close(session);
    HOIST_EXPECT(t, hoist_now() - before < 5);
    hoist_program_destroy(program);
}

// Closed in the middle.
HOIST_TEST_TABLE(endless_moves_do_not_keep_a_session, modes)
{
    hoist_program *program = runtime_program(t, OVER_AND_OVER(MANY, "0, 0, 0"));
    hoist_session *session = runtime_open(t, program, row);
    const double before = hoist_now();
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.05), HOIST_LIMIT);
    session->close_seconds = 60;
    hoist_session_close(session);
    HOIST_EXPECT(t, hoist_now() - before < 30);
    hoist_program_destroy(program);
}

// Whoever looks in again goes on where the move was left.
HOIST_TEST_TABLE(long_moves_end, modes)
{
    enum { MOST = 100000 };
    hoist_program *program = runtime_program(t, OVER_AND_OVER("4096, 1024", "0, 0"));
    hoist_session *session = runtime_open(t, program, row);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    int looks = 0;
    while (hoist_session_wait_idle(session, 0) == HOIST_BUSY && looks < MOST) {
        looks++;
    }
    HOIST_EXPECT(t, looks > 0 || !row->sequential);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, read_byte(t, session), 7);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Cancelling ------------------------------------------------------------------------------------

static hoist_session *interrupted;

static void on_signal(int number)
{
    (void)number;
    hoist_session_cancel(interrupted);
}

typedef struct caller {
    hoist_session *session;
    int entries;
    int failures;
    hoist_status last;
} caller;

static void *pop_one(void *self)
{
    caller *c = self;
    float value = 0;
    c->last = pop(c->session, "d", &value, HOIST_FOREVER);
    return NULL;
}

static void *wait_for_idle(void *self)
{
    caller *c = self;
    c->last = hoist_session_wait_idle(c->session, HOIST_FOREVER);
    return NULL;
}

static void *push_many(void *self)
{
    caller *c = self;
    for (int i = 0; i < c->entries; i++) {
        c->last = push(c->session, (float)i, HOIST_FOREVER);
        c->failures += c->last != HOIST_OK;
    }
    return NULL;
}

// Everybody waits: a popper, a waiter, a pusher before a full queue, and the program.
HOIST_TEST_TABLE(a_signal_wakes_everybody, modes)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, row);
    caller callers[2] = {{session, 0, 0, HOIST_OK}, {session, 0, 0, HOIST_OK}};
    pthread_t threads[2];
    struct sigaction before;
    struct sigaction action = {.sa_handler = on_signal};
    interrupted = session;
    (void)sigemptyset(&action.sa_mask);
    HOIST_EXPECT_EQ(t, sigaction(SIGUSR1, &action, &before), 0);
    HOIST_EXPECT_EQ(t, run_pipe(session, 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, pthread_create(&threads[0], NULL, pop_one, &callers[0]), 0);
    HOIST_EXPECT_EQ(t, pthread_create(&threads[1], NULL, wait_for_idle, &callers[1]), 0);
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    HOIST_EXPECT_EQ(t, raise(SIGUSR1), 0);
    for (int i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, pthread_join(threads[i], NULL), 0);
        HOIST_EXPECT_EQ(t, callers[i].last, HOIST_CANCELLED);
    }
    HOIST_EXPECT_EQ(t, push(session, 1, HOIST_FOREVER), HOIST_CANCELLED);
    HOIST_EXPECT_EQ(t, run_pipe(session, 1), HOIST_CANCELLED);
    (void)sigaction(SIGUSR1, &before, NULL);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST(nothing_runs_after_a_cancellation)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, &modes[0]);
    hoist_session_cancel(session);
    HOIST_EXPECT_EQ(t, run_pipe(session, 1), HOIST_CANCELLED);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Callers ---------------------------------------------------------------------------------------

// Two threads push to one queue: every entry arrives complete.
HOIST_TEST_TABLE(two_threads_may_push_to_one_queue, modes)
{
    enum { EACH = 200 };
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, row);
    caller callers[2] = {{session, EACH, 0, HOIST_OK}, {session, EACH, 0, HOIST_OK}};
    pthread_t threads[2];
    HOIST_EXPECT_EQ(t, run_pipe(session, INT64_C(2) * EACH), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, pthread_create(&threads[i], NULL, push_many, &callers[i]), 0);
    }
    int seen[EACH] = {0};
    for (int i = 0; i < 2 * EACH; i++) {
        float value = -1;
        HOIST_EXPECT_EQ(t, pop(session, "d", &value, HOIST_FOREVER), HOIST_OK);
        const int index = (int)value / 2;
        HOIST_EXPECT(t, index >= 0 && index < EACH && ++seen[index] <= 2);
    }
    for (int i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, pthread_join(threads[i], NULL), 0);
        HOIST_EXPECT_EQ(t, callers[i].failures, 0);
    }
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// A pusher that waits while the run fails gets its status; what was popped can still be taken.
static const char failing[] =
    "program p\nspace m\nsemaphore s\n"
    "buffer q.memory in m size 64 lifetime session\nbuffer d.memory in m size 64 lifetime session\n"
    "fifo q queue of f32[4] slots 4 in [q.memory] slot_bytes 16 host_push\n"
    "fifo d queue of f32[4] slots 4 in [d.memory] slot_bytes 16 host_pop\n"
    "buffer x in m size 16 lifetime session output contents zero\n"
    "thread t {\nawait q\nmove copy from [read(q) f32[4]] to write(d) f32[4]\npush d by 1\n"
    "wait s >= 1\n}\nthread w {\nawait q\nsignal s sub 1\n}\n"
    "entry e {\nstart t\n}\nentry g {\nstart w\n}\n";

HOIST_TEST_TABLE(callers_of_a_failed_run, modes)
{
    hoist_program *program = runtime_program(t, failing);
    hoist_session *session = runtime_open(t, program, row);
    caller c = {session, 6, 0, HOIST_OK};
    pthread_t thread;
    float value = 0;
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, pthread_create(&thread, NULL, push_many, &c), 0);
    HOIST_EXPECT_EQ(t, pthread_join(thread, NULL), 0);
    HOIST_EXPECT_EQ(t, c.last, HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, pop(session, "d", &value, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, pop(session, "d", &value, HOIST_FOREVER), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "g", NULL, 0), HOIST_INVALID);
    uint8_t bytes[16] = {0};
    HOIST_EXPECT_EQ(t,
                    hoist_session_write(session, "x", 0, HOIST_DTYPE_U8, (hoist_bytes){bytes, 16}),
                    HOIST_INVALID);
    HOIST_EXPECT_EQ(
        t, hoist_session_read(session, "x", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){bytes, 16}),
        HOIST_OK);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "PRG-102");
    const size_t findings = hoist_diag_kept(t->diag);
    hoist_session_report(session, t->diag); // moved: not again
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), findings);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// clang-format off
static const struct {
    const char *name;
    char call; // push, pop, write, read
    const char *port;
    uint32_t slot;
    hoist_dtype dtype;
    size_t size;
    hoist_status status;
} calls[] = {
    {"push where the program pushes", '+', "d", 0, HOIST_DTYPE_F32, 16, HOIST_NOT_FOUND},
    {"push to a ram", '+', "k", 0, HOIST_DTYPE_F32, 16, HOIST_NOT_FOUND},
    {"push to a buffer", '+', "x", 0, HOIST_DTYPE_U8, 16, HOIST_NOT_FOUND},
    {"push to nothing", '+', "", 0, HOIST_DTYPE_U8, 16, HOIST_NOT_FOUND},
    {"push another type", '+', "q", 0, HOIST_DTYPE_BF16, 8, HOIST_INVALID},
    {"push too little", '+', "q", 0, HOIST_DTYPE_F32, 12, HOIST_INVALID},
    {"pop where the program pops", '-', "q", 0, HOIST_DTYPE_F32, 16, HOIST_NOT_FOUND},
    {"pop from a ram", '-', "k", 0, HOIST_DTYPE_F32, 16, HOIST_NOT_FOUND},
    {"pop too much", '-', "d", 0, HOIST_DTYPE_F32, 20, HOIST_INVALID},
    {"pop from an empty queue", '-', "d", 0, HOIST_DTYPE_F32, 16, HOIST_LIMIT},
    {"write a ram", 'w', "k", 3, HOIST_DTYPE_F32, 16, HOIST_OK},
    {"write a slot that is not there", 'w', "k", 4, HOIST_DTYPE_F32, 16, HOIST_INVALID},
    {"write a queue", 'w', "q", 0, HOIST_DTYPE_F32, 16, HOIST_INVALID},
    {"write a buffer", 'w', "x", 0, HOIST_DTYPE_U8, 16, HOIST_OK},
    {"write a second slot of a buffer", 'w', "x", 1, HOIST_DTYPE_U8, 16, HOIST_INVALID},
    {"write a buffer as floats", 'w', "x", 0, HOIST_DTYPE_F32, 16, HOIST_INVALID},
    {"write a part of a buffer", 'w', "x", 0, HOIST_DTYPE_U8, 15, HOIST_INVALID},
    {"write nothing", 'w', "none", 0, HOIST_DTYPE_U8, 15, HOIST_NOT_FOUND},
    {"read a queue", 'r', "d", 3, HOIST_DTYPE_F32, 16, HOIST_OK},
    {"read a slot that is not there", 'r', "d", 4, HOIST_DTYPE_F32, 16, HOIST_INVALID},
    {"read a second slot of a buffer", 'r', "x", 1, HOIST_DTYPE_U8, 16, HOIST_INVALID},
    {"read too much", 'r', "x", 0, HOIST_DTYPE_U8, 17, HOIST_INVALID},
};
// clang-format on

static hoist_status make_call(hoist_session *s, char call, const char *port, uint32_t slot,
                              hoist_dtype dtype, hoist_mut_bytes to)
{
    const hoist_bytes from = {to.data, to.size};
    return call == '+'   ? hoist_session_push(s, port, dtype, from, 0)
           : call == '-' ? hoist_session_pop(s, port, dtype, to, 0)
           : call == 'w' ? hoist_session_write(s, port, slot, dtype, from)
                         : hoist_session_read(s, port, slot, dtype, to);
}

HOIST_TEST_TABLE(calls_that_fit, calls)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, &modes[0]);
    uint8_t bytes[20] = {0};
    const hoist_mut_bytes to = {bytes, row->size};
    HOIST_EXPECT_EQ(t, make_call(session, row->call, row->port, row->slot, row->dtype, to),
                    row->status);
    // While something runs slots are the program's.
    HOIST_EXPECT_EQ(t, run_pipe(session, 1), HOIST_OK);
    const bool by_slot = row->call == 'w' || row->call == 'r';
    HOIST_EXPECT_EQ(t, make_call(session, row->call, row->port, row->slot, row->dtype, to),
                    by_slot && row->status == HOIST_OK ? HOIST_BUSY : row->status);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Options ---------------------------------------------------------------------------------------

static const struct {
    const char *name;
    hoist_session_options options;
    hoist_status status;
    uint32_t threads;
    const char *says; // NULL: nothing
} opened[] = {
    {"none", {.struct_size = sizeof(size_t)}, HOIST_OK, 0, NULL},
    {"no size", {.struct_size = 0}, HOIST_INVALID, 0, "a struct_size of 0, expected"},
    {"a size that cannot be", {.struct_size = SIZE_MAX}, HOIST_INVALID, 0, "a struct_size of"},
    {"no schedule",
     {.struct_size = sizeof(hoist_session_options), .schedule = (hoist_run_schedule)4},
     HOIST_INVALID,
     0,
     "have 4 as schedule, expected 0 to 3"},
    {"no policy",
     {.struct_size = sizeof(hoist_session_options), .on_unknown = (hoist_unknown)3},
     HOIST_INVALID,
     0,
     "have 3 as on_unknown, expected 0 to 2"},
    {"three workers",
     {.struct_size = sizeof(hoist_session_options), .threads = 3},
     HOIST_OK,
     3,
     NULL},
    {"no workers",
     {.struct_size = sizeof(hoist_session_options), .threads = 3, .sequential = true},
     HOIST_OK,
     1,
     NULL},
    {"a cache without end",
     {.struct_size = sizeof(hoist_session_options),
      .threads = 1,
      .binary_slots = UINT32_MAX,
      .preload = true},
     HOIST_OK,
     1,
     NULL},
    {"too little memory",
     {.struct_size = sizeof(hoist_session_options), .max_memory = 15},
     HOIST_LIMIT,
     0,
     "the program needs at least 208 bytes of memory, more than its limit of 15: raise max_memory "
     "(--max-memory)"},
};

HOIST_TEST_TABLE(options_are_read, opened)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &row->options, t->diag, &session), row->status);
    HOIST_EXPECT_EQ(t, session != NULL, row->status == HOIST_OK);
    HOIST_EXPECT(t, row->says ? hoist_str_contains(hoist_test_findings(t), row->says)
                              : hoist_diag_kept(t->diag) == 0);
    HOIST_EXPECT_RULE(t, row->status == HOIST_INVALID ? "RUN-107" : row->says ? "RUN-105" : NULL);
    if (session) {
        hoist_session_counts counts;
        memset(&counts, 0xee, sizeof counts);
        counts.struct_size = offsetof(hoist_session_counts, cpu_level);
        hoist_session_count(session, &counts);
        HOIST_EXPECT(t, row->threads == 0 || counts.threads == row->threads);
        HOIST_EXPECT_EQ(t, counts.struct_size, offsetof(hoist_session_counts, cpu_level));
        const uint8_t *behind = (const uint8_t *)&counts.cpu_level;
        HOIST_EXPECT_EQ(t, behind[0], 0xee); // the caller's struct ended before
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

static const struct {
    const char *name;
    const char *text;
    hoist_status status;
    const char *says;
} refused[] = {
    {"a program that does not verify", "program p\nspace m\nbuffer x in m size 0\n", HOIST_INVALID,
     "PRG-005"},
    {"contents of a call", "program p\nspace m\nbuffer x in m size 1 contents zero\n",
     HOIST_UNSUPPORTED, "'x': memory of one call"},
    {"a thread with memory of a call",
     "program p\nspace m\nbuffer x in m size 4\nbuffer y in m size 4 lifetime session\n"
     "thread t {\nmove copy from [y u8[4]] to x u8[4]\n}\n",
     HOIST_INVALID, "a thread names a buffer of one call"},
    {"more slots than a machine counts",
     "program p\nspace m\nbuffer x in m size 2147483648 lifetime session\n"
     "fifo f queue of u8[1] slots 2147483648 in [x] slot_bytes 1\n",
     HOIST_LIMIT, "more slots or tiles than can be held"},
};

HOIST_TEST_TABLE(programs_that_are_refused, refused)
{
    hoist_program *program = NULL;
    hoist_session *session = NULL;
    const hoist_bytes text = {(const uint8_t *)row->text, strlen(row->text)};
    HOIST_EXPECT_EQ(t, hoist_program_parse(text, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, NULL, t->diag, &session), row->status);
    HOIST_EXPECT(t, session == NULL);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), row->says));
    hoist_program_destroy(program);
}

// Ends of input ---------------------------------------------------------------------------------

HOIST_TEST_TABLE(input_that_ends_is_a_deadlock, modes)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_session *session = runtime_open(t, program, row);
    float value = 0;
    HOIST_EXPECT_EQ(t, run_pipe(session, 2), HOIST_OK);
    HOIST_EXPECT_EQ(t, push(session, 3, HOIST_FOREVER), HOIST_OK);
    hoist_session_end_input(session, "none"); // names of no input are ignored
    hoist_session_end_input(session, "q");
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, pop(session, "d", &value, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, value, 6);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Deadlines -------------------------------------------------------------------------------------

static hoist_session *open_until(hoist_test *t, const hoist_program *program,
                                 const runtime_mode *mode, hoist_deadline *deadline)
{
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = mode->threads,
                                           .sequential = mode->sequential,
                                           .deadline = deadline};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

HOIST_TEST_TABLE(a_session_ends_with_its_deadline, modes)
{
    hoist_program *program = runtime_program(t, endless);
    hoist_deadline *deadline = hoist_test_deadline(t, 0.05);
    hoist_session *session = open_until(t, program, row, deadline);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_LIMIT);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-104");
    hoist_session_close(session);
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

// Calls that nothing else would end: a push to a full queue, and a pop from an empty one.
HOIST_TEST_TABLE(waits_end_with_the_deadline, modes)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_deadline *deadline = hoist_test_deadline(t, 0.05);
    hoist_session *session = open_until(t, program, row, deadline);
    float value = 0;
    for (int i = 0; i < 4; i++) {
        HOIST_EXPECT_EQ(t, push(session, 1, 0), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, push(session, 1, HOIST_FOREVER), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, pop(session, "d", &value, HOIST_FOREVER), HOIST_LIMIT);
    hoist_session_close(session);
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(a_deadline_that_is_cancelled_cancels, modes)
{
    hoist_program *program = runtime_program(t, endless);
    hoist_deadline *deadline = hoist_test_deadline(t, -1);
    hoist_session *session = open_until(t, program, row, deadline);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
    hoist_deadline_cancel(deadline);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_CANCELLED);
    hoist_session_close(session);
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

HOIST_TEST(nothing_is_opened_after_the_deadline)
{
    hoist_program *program = runtime_program(t, PIPE);
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    const hoist_session_options options = {.struct_size = sizeof options, .deadline = deadline};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_LIMIT);
    HOIST_EXPECT(t, session == NULL);
    HOIST_EXPECT_RULE(t, "RUN-104");
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

// Collectives of many members --------------------------------------------------------------------

static const struct {
    const char *name;
    unsigned members;
    const char *step;
} crowds[] = {
    {"one", 1, "all_reduce add"},
    {"more than there were once", 65, "all_reduce add"},
    {"as many as a job may have", 1024, "all_reduce add"},
    {"a barrier of many", 1024, "barrier"},
};

// Each member gives 1, in place, and has the number of the members then.
static hoist_program *crowd(hoist_test *t, unsigned members, const char *step)
{
    const bool is_barrier = strcmp(step, "barrier") == 0;
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "program p\nspace m\n");
    for (unsigned i = 0; i < members; i++) {
        hoist_buffer_format(&text,
                            "buffer b%u in m size 4 lifetime session output contents bytes data "
                            "0000803f\nthread t%u {\ncollective %s group 0 members %u rank %u",
                            i, i, step, members, i);
        hoist_buffer_format(&text, is_barrier ? "\n}\n" : " from b%u f32[1] to b%u f32[1]\n}\n", i,
                            i);
    }
    hoist_buffer_c(&text, "entry e {\n");
    for (unsigned i = 0; i < members; i++) {
        hoist_buffer_format(&text, "start t%u\n", i);
    }
    hoist_buffer_c(&text, "}\n");
    hoist_buffer_char(&text, '\0');
    hoist_program *program = runtime_program(t, (const char *)text.data);
    hoist_buffer_deinit(&text);
    return program;
}

HOIST_TEST_TABLE(collectives_have_any_number_of_members, crowds)
{
    hoist_program *program = crowd(t, row->members, row->step);
    hoist_session *session = runtime_open(t, program, &modes[0]);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    const bool is_barrier = strcmp(row->step, "barrier") == 0;
    for (unsigned i = 0; i < row->members; i++) {
        float sum = 0;
        const hoist_str name = hoist_arena_format(&t->arena, "b%u", i);
        HOIST_EXPECT_EQ(t,
                        hoist_session_read(session, name.data, 0, HOIST_DTYPE_U8,
                                           (hoist_mut_bytes){(uint8_t *)&sum, sizeof sum}),
                        HOIST_OK);
        HOIST_EXPECT(t, sum == (is_barrier ? 1 : (float)row->members));
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(collectives_have_any_number_of_members),
    HOIST_TEST_ROW(endless_control_is_left_in_time), HOIST_TEST_ROW(steps_have_a_limit),
    HOIST_TEST_ROW(limits_name_who_waits), HOIST_TEST_ROW(a_wait_that_times_out_is_no_finding),
    HOIST_TEST_ROW(closing_does_not_wait_for_ever), HOIST_TEST_ROW(endless_moves_are_left_in_time),
    HOIST_TEST_ROW(endless_moves_do_not_keep_a_session), HOIST_TEST_ROW(long_moves_end),
    HOIST_TEST_ROW(a_signal_wakes_everybody), HOIST_TEST_ROW(nothing_runs_after_a_cancellation),
    HOIST_TEST_ROW(two_threads_may_push_to_one_queue), HOIST_TEST_ROW(callers_of_a_failed_run),
    HOIST_TEST_ROW(calls_that_fit), HOIST_TEST_ROW(options_are_read),
    HOIST_TEST_ROW(programs_that_are_refused), HOIST_TEST_ROW(input_that_ends_is_a_deadlock),
    HOIST_TEST_ROW(a_session_ends_with_its_deadline), HOIST_TEST_ROW(waits_end_with_the_deadline),
    HOIST_TEST_ROW(a_deadline_that_is_cancelled_cancels),
    HOIST_TEST_ROW(nothing_is_opened_after_the_deadline))
