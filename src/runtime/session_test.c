// Sessions over a program of one chip: a queue `in` that the host fills, a graph that adds an entry
// to itself, a queue `out` that the host empties, and a ram `keep` that gets a copy.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program/builder.h"
#include "program/text.h"
#include "runtime/session.h"
#include "testing/test.h"

enum { SLOTS = 4, TILE = 1024 };

typedef struct netlist {
    hoist_builder *b;
    hoist_ref dram;
    hoist_ref layout;
    hoist_ref in, out, keep, sum;
    hoist_ref unit;
} netlist;

static hoist_ref fifo(netlist *n, const char *name, hoist_fifo_kind kind)
{
    const hoist_ref part =
        hoist_builder_buffer(n->b, &(hoist_prog_buffer){.name = hoist_str_from(name),
                                                        .space = n->dram,
                                                        .size = 32 + SLOTS * 4128,
                                                        .alignment = 32,
                                                        .window_of = HOIST_NO_REF,
                                                        .lifetime = HOIST_LIFETIME_SESSION});
    return hoist_builder_fifo(
        n->b, &(hoist_prog_fifo){.name = hoist_str_from(name),
                                 .kind = kind,
                                 .slots = SLOTS,
                                 .parts = &part,
                                 .part_count = 1,
                                 .header = 32,
                                 .slot_bytes = 4128,
                                 .layout = n->layout,
                                 .dtype = HOIST_DTYPE_F32,
                                 .tile_alignment = 32,
                                 .host_push = kind == HOIST_FIFO_RAM || strcmp(name, "in") == 0,
                                 .host_pop = strcmp(name, "in") != 0});
}

static hoist_ref view(netlist *n, hoist_view_base base, hoist_ref of)
{
    return hoist_builder_view(n->b, &(hoist_prog_view){.base = base,
                                                       .of = of,
                                                       .dtype = HOIST_DTYPE_F32,
                                                       .layout = n->layout,
                                                       .reg = HOIST_NO_REF});
}

static void fifo_step(netlist *n, hoist_step_kind kind, hoist_ref fifo, int64_t value)
{
    (void)hoist_builder_step(
        n->b, &(hoist_prog_step){.kind = kind,
                                 .as.fifo = {.fifo = fifo, .value = {HOIST_NO_REF, value}}});
}

static void compute(netlist *n, hoist_compute_op op, hoist_ref a, hoist_ref b, hoist_ref to)
{
    const hoist_ref inputs[2] = {a, b};
    const hoist_prog_compute step = {.op = op,
                                     .inputs = inputs,
                                     .input_count = hoist_compute_get(op)->inputs,
                                     .outputs = &to,
                                     .output_count = 1};
    (void)hoist_builder_step(n->b, &(hoist_prog_step){.kind = HOIST_STEP_COMPUTE,
                                                      .label = HOIST_STR("sum"),
                                                      .as.compute = &step});
}

static void move(netlist *n, hoist_ref from, hoist_ref to)
{
    const hoist_move_source source = {.view = from};
    const hoist_prog_move step = {.destination = to, .sources = &source, .source_count = 1};
    (void)hoist_builder_step(n->b, &(hoist_prog_step){.kind = HOIST_STEP_MOVE, .as.move = &step});
}

static hoist_ref graph(netlist *n, hoist_compute_op op)
{
    const hoist_ref f =
        hoist_builder_begin_function(n->b, &(hoist_prog_function){.name = HOIST_STR("graph")});
    const hoist_ref from = view(n, HOIST_VIEW_READ_SLOT, n->in);
    const hoist_ref sum = view(n, HOIST_VIEW_BUFFER, n->sum);
    fifo_step(n, HOIST_STEP_AWAIT, n->in, 0);
    compute(n, op, from, from, sum);
    fifo_step(n, HOIST_STEP_ADVANCE, n->in, 1);
    fifo_step(n, HOIST_STEP_POP, n->in, 1);
    fifo_step(n, HOIST_STEP_RESERVE, n->out, 0);
    move(n, sum, view(n, HOIST_VIEW_WRITE_SLOT, n->out));
    fifo_step(n, HOIST_STEP_PUSH, n->out, 1);
    move(n, sum, view(n, HOIST_VIEW_WRITE_SLOT, n->keep));
    fifo_step(n, HOIST_STEP_PUSH, n->keep, 1);
    hoist_builder_end_code(n->b);
    return f;
}

static hoist_ref epoch(netlist *n, hoist_ref called)
{
    const hoist_prog_parameter count = {.name = HOIST_STR("n")};
    const hoist_ref f = hoist_builder_begin_function(
        n->b, &(hoist_prog_function){
                  .name = HOIST_STR("epoch"), .parameters = &count, .parameter_count = 1});
    (void)hoist_builder_step(
        n->b, &(hoist_prog_step){.kind = HOIST_STEP_LOOP, .as.loop.count = {.reg = 0}});
    (void)hoist_builder_step(
        n->b, &(hoist_prog_step){.kind = HOIST_STEP_CALL,
                                 .as.call = {.unit = HOIST_NO_REF, .target.function = called}});
    (void)hoist_builder_step(n->b, &(hoist_prog_step){.kind = HOIST_STEP_END});
    hoist_builder_end_code(n->b);
    return f;
}

static void program_thread(netlist *n, hoist_ref called)
{
    const hoist_ref t =
        hoist_builder_begin_thread(n->b, &(hoist_prog_thread){.name = HOIST_STR("p")});
    const hoist_ref count = hoist_builder_register(
        n->b, &(hoist_prog_register){.name = HOIST_STR("n"), .lifetime = HOIST_LIFETIME_RUN});
    const hoist_prog_argument argument = {.value = {count, 0}, .view = HOIST_NO_REF};
    (void)hoist_builder_step(n->b,
                             &(hoist_prog_step){.kind = HOIST_STEP_POST,
                                                .label = HOIST_STR("execute"),
                                                .as.call = {.unit = n->unit,
                                                            .target = {.function = called,
                                                                       .arguments = &argument,
                                                                       .argument_count = 1}}});
    hoist_builder_end_code(n->b);
    const hoist_prog_entry_parameter parameter = {
        .name = HOIST_STR("$p_count"), .thread = t, .reg = count};
    (void)hoist_builder_entry(n->b, &(hoist_prog_entry){.name = HOIST_STR("p"),
                                                        .threads = &t,
                                                        .thread_count = 1,
                                                        .parameters = &parameter,
                                                        .parameter_count = 1});
}

static hoist_program *netlist_program(hoist_test *t, hoist_compute_op op)
{
    netlist n = {.b = NULL};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("net"), &n.b),
                    HOIST_OK);
    n.dram =
        hoist_builder_space(n.b, &(hoist_prog_space){.name = HOIST_STR("dram"), .alignment = 32});
    n.layout = hoist_builder_layout(
        n.b, &(hoist_prog_layout){.kind = HOIST_LAYOUT_TILED,
                                  .tiling = {1, 1, 1, 1, 1, 1, 1, false, 32, 32}});
    n.unit = hoist_builder_unit(n.b, &(hoist_prog_unit){.name = HOIST_STR("chip0"), .depth = 2});
    n.in = fifo(&n, "in", HOIST_FIFO_QUEUE);
    n.out = fifo(&n, "out", HOIST_FIFO_QUEUE);
    n.keep = fifo(&n, "keep", HOIST_FIFO_RAM);
    n.sum = hoist_builder_buffer(n.b, &(hoist_prog_buffer){.name = HOIST_STR("sum"),
                                                           .space = n.dram,
                                                           .size = TILE * sizeof(float),
                                                           .alignment = 32,
                                                           .window_of = HOIST_NO_REF});
    program_thread(&n, epoch(&n, graph(&n, op)));
    HOIST_EXPECT_EQ(t, hoist_builder_finish(n.b, &program), HOIST_OK);
    return program;
}

static hoist_status push_value(hoist_session *session, const char *name, float value,
                               double timeout)
{
    float tile[TILE];
    for (size_t i = 0; i < TILE; i++) {
        tile[i] = value;
    }
    return hoist_session_push(session, name, HOIST_DTYPE_F32,
                              (hoist_bytes){(const uint8_t *)tile, sizeof tile}, timeout);
}

static hoist_status pop_value(hoist_session *session, float *out_value, double timeout)
{
    float tile[TILE] = {0};
    const hoist_status status = hoist_session_pop(
        session, "out", HOIST_DTYPE_F32, (hoist_mut_bytes){(uint8_t *)tile, sizeof tile}, timeout);
    *out_value = tile[TILE - 1];
    return status;
}

static hoist_session *open_session(hoist_test *t, const hoist_program *program, uint32_t threads,
                                   bool sequential)
{
    hoist_session *session = NULL;
    const hoist_session_options options = {
        .struct_size = sizeof options, .threads = threads, .sequential = sequential};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

static const struct {
    const char *name;
    uint32_t threads;
    bool sequential;
} modes[] = {{"one worker", 1, false},
             {"two workers", 2, false},
             {"four workers", 4, false},
             {"sequential", 0, true}};

HOIST_TEST_TABLE(a_run_takes_and_gives, modes)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, row->threads, row->sequential);
    const hoist_parameter three = {"$p_count", 3};
    for (int i = 1; i <= 3; i++) {
        HOIST_EXPECT_EQ(t, push_value(session, "in", (float)i, HOIST_FOREVER), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "p", &three, 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_available(session, "out"), 3);
    HOIST_EXPECT_EQ(t, hoist_session_available(session, "in"), 0);
    HOIST_EXPECT_EQ(t, hoist_session_available(session, "keep"), 3);
    for (int i = 1; i <= 3; i++) {
        float value = 0;
        HOIST_EXPECT_EQ(t, pop_value(session, &value, HOIST_FOREVER), HOIST_OK);
        HOIST_EXPECT_EQ(t, value, 2 * i);
    }
    float value = 0;
    HOIST_EXPECT_EQ(t, pop_value(session, &value, 0.01), HOIST_LIMIT);
    hoist_session_counts counts = {.struct_size = sizeof counts};
    hoist_session_count(session, &counts);
    HOIST_EXPECT_EQ(t, counts.computes, 3);
    HOIST_EXPECT_EQ(t, counts.moves, 6);
    HOIST_EXPECT_EQ(t, counts.cache_misses, 1);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(a_run_waits_for_the_host, modes)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, row->threads, row->sequential);
    const hoist_parameter twelve = {"p_count", 12}; // more than both queues hold
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "p", &twelve, 1), HOIST_OK);
    for (int i = 0; i < 12; i++) {
        float value = 0;
        HOIST_EXPECT_EQ(t, push_value(session, "in", (float)i, HOIST_FOREVER), HOIST_OK);
        HOIST_EXPECT_EQ(t, pop_value(session, &value, HOIST_FOREVER), HOIST_OK);
        HOIST_EXPECT_EQ(t, value, 2 * i);
    }
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

typedef struct pusher {
    hoist_session *session;
    int count;
    int failures;
} pusher;

static void *push_all(void *self)
{
    pusher *p = self;
    for (int i = 0; i < p->count; i++) {
        p->failures += push_value(p->session, "in", (float)i, HOIST_FOREVER) != HOIST_OK;
    }
    return NULL;
}

static void *run_all(void *self)
{
    pusher *p = self;
    const hoist_parameter one = {"p_count", 1};
    for (int i = 0; i < p->count; i++) {
        p->failures += hoist_session_run(p->session, "p", &one, 1) != HOIST_OK;
    }
    p->failures += hoist_session_wait_idle(p->session, HOIST_FOREVER) != HOIST_OK;
    return NULL;
}

// Entries through push, run and pop from three threads: nothing is lost, the order stays. The full
// tier sets the number.
HOIST_TEST_TABLE(three_threads_lose_nothing, modes)
{
    const char *given = getenv("HOIST_TEST_STRESS");
    const int count = given ? atoi(given) : 100;
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, row->threads, row->sequential);
    pusher push = {session, count, 0};
    pusher run = {session, count, 0};
    pthread_t threads[2];
    HOIST_EXPECT_EQ(t, pthread_create(&threads[0], NULL, push_all, &push), 0);
    HOIST_EXPECT_EQ(t, pthread_create(&threads[1], NULL, run_all, &run), 0);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        float value = -1;
        wrong += pop_value(session, &value, HOIST_FOREVER) != HOIST_OK || value != (float)(2 * i);
    }
    HOIST_EXPECT_EQ(t, wrong, 0);
    HOIST_EXPECT_EQ(t, pthread_join(threads[0], NULL), 0);
    HOIST_EXPECT_EQ(t, pthread_join(threads[1], NULL), 0);
    HOIST_EXPECT_EQ(t, push.failures + run.failures, 0);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(a_run_that_nobody_feeds_ends, modes)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, row->threads, row->sequential);
    const hoist_parameter one = {"p_count", 1};
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "p", &one, 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.05), HOIST_LIMIT);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-104");
    hoist_session_end_input(session, NULL);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_INVALID);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(arithmetic_stops_a_run, modes)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_SQRT);
    hoist_session *session = open_session(t, program, row->threads, row->sequential);
    const hoist_parameter one = {"p_count", 1};
    HOIST_EXPECT_EQ(t, push_value(session, "in", -4.0f, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "p", &one, 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_INVALID);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-101");
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// A kernel that does not return for a while.
static void sleep_long(void *self, const hoist_prog_step *step)
{
    (void)self;
    (void)step;
    (void)nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

HOIST_TEST(a_kernel_that_hangs_is_named_in_time)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, 1, false);
    session->before_work = sleep_long;
    const hoist_parameter one = {"p_count", 1};
    HOIST_EXPECT_EQ(t, push_value(session, "in", 1.0f, HOIST_FOREVER), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "p", &one, 1), HOIST_OK);
    const double before = hoist_now();
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 0.05), HOIST_LIMIT);
    HOIST_EXPECT(t, hoist_now() - before < 0.3);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "working on step 'sum'"));
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(a_cancelled_run_ends, modes)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, row->threads, row->sequential);
    const hoist_parameter one = {"p_count", 1};
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "p", &one, 1), HOIST_OK);
    hoist_session_cancel(session);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_CANCELLED);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

static const struct {
    const char *name;
    const char *entry;
    hoist_parameter parameters[2];
    size_t count;
} refused[] = {
    {"no such program", "q", {{"p_count", 1}}, 1},
    {"a parameter is missing", "p", {{NULL, 0}}, 0},
    {"an unknown parameter", "p", {{"p_count", 1}, {"p_other", 1}}, 2},
};

HOIST_TEST_TABLE(runs_that_do_not_begin, refused)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, 1, false);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, row->entry, row->parameters, row->count),
                    HOIST_NOT_FOUND);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-106");
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST(wrong_pushes_and_pops)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, 1, false);
    uint8_t bytes[4096] = {0};
    const hoist_bytes whole = {bytes, sizeof bytes};
    const hoist_bytes less = {bytes, sizeof bytes - 4};
    const hoist_mut_bytes to = {bytes, sizeof bytes};
    HOIST_EXPECT_EQ(t, hoist_session_push(session, "x", HOIST_DTYPE_F32, whole, 0),
                    HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_session_push(session, "out", HOIST_DTYPE_F32, whole, 0),
                    HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_session_push(session, "in", HOIST_DTYPE_F32, less, 0), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_push(session, "in", HOIST_DTYPE_I32, whole, 0), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_read(session, "keep", SLOTS, HOIST_DTYPE_F32, to),
                    HOIST_INVALID);
    for (int i = 0; i < SLOTS; i++) {
        HOIST_EXPECT_EQ(t, hoist_session_push(session, "in", HOIST_DTYPE_F32, whole, 0), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_session_push(session, "in", HOIST_DTYPE_F32, whole, 0), HOIST_LIMIT);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST(rams_are_written_and_read_by_slot)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = open_session(t, program, 1, false);
    float tile[TILE];
    for (size_t i = 0; i < TILE; i++) {
        tile[i] = (float)i;
    }
    float back[TILE] = {0};
    HOIST_EXPECT_EQ(t,
                    hoist_session_write(session, "keep", 2, HOIST_DTYPE_F32,
                                        (hoist_bytes){(const uint8_t *)tile, sizeof tile}),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_available(session, "keep"), 1);
    HOIST_EXPECT_EQ(t,
                    hoist_session_read(session, "keep", 2, HOIST_DTYPE_F32,
                                       (hoist_mut_bytes){(uint8_t *)back, sizeof back}),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp((const void *)tile, (const void *)back, sizeof tile) == 0);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST(memory_has_a_limit)
{
    hoist_program *program = netlist_program(t, HOIST_GOLDEN_ADD);
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options, .max_memory = 20000};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_LIMIT);
    HOIST_EXPECT(t, session == NULL);
    HOIST_EXPECT_RULE(t, "RUN-105");
    hoist_program_destroy(program);
}

static const struct {
    const char *name;
    const char *text;
    const char *rule;
    hoist_status status;
} stopped[] = {
    {"a wrap at 0", "program p\nthread t {\nregister r lifetime run\nalu r = incwrap 1 r\n}\n",
     "RUN-102", HOIST_INVALID},
    {"a negative semaphore", "program p\nsemaphore s\nthread t {\nsignal s sub 1\n}\n", "RUN-102",
     HOIST_INVALID},
    {"a record that nobody knows", "program p\nthread t {\nopaque PE_01 record 00\n}\n", "RUN-103",
     HOIST_UNSUPPORTED},
    {"a wait that nobody ends", "program p\nsemaphore s\nthread t {\nwait s >= 1\n}\n", "PRG-102",
     HOIST_INVALID},
};

HOIST_TEST_TABLE(what_stops_a_run, stopped)
{
    const hoist_str text = hoist_arena_format(&t->arena, "%sentry e {\nstart t\n}\n", row->text);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text.data, text.size},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    hoist_session *session = program ? open_session(t, program, 1, false) : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, hoist_session_run(session, "e", NULL, 0), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), row->status);
        hoist_session_report(session, t->diag);
        HOIST_EXPECT_RULE(t, row->rule);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(what_stops_a_run), HOIST_TEST_ROW(a_run_takes_and_gives),
    HOIST_TEST_ROW(a_run_waits_for_the_host), HOIST_TEST_ROW(three_threads_lose_nothing),
    HOIST_TEST_ROW(a_run_that_nobody_feeds_ends), HOIST_TEST_ROW(arithmetic_stops_a_run),
    HOIST_TEST_ROW(a_kernel_that_hangs_is_named_in_time), HOIST_TEST_ROW(a_cancelled_run_ends),
    HOIST_TEST_ROW(runs_that_do_not_begin), HOIST_TEST_ROW(wrong_pushes_and_pops),
    HOIST_TEST_ROW(rams_are_written_and_read_by_slot), HOIST_TEST_ROW(memory_has_a_limit))
