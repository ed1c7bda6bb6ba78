// Single steps: registers and flow, calls, units, semaphores, fifos, collectives, places.
#include "base/alloc.h"
#include "machine/alu.h"
#include "machine/schedule.h"
#include "machine/state_testing.h"
#include "program/text.h"
#include "testing/test.h"

#define COMMON                                                                                     \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 64 lifetime session\nbuffer y in m size 64 lifetime session\n"             \
    "buffer own in m size 64\nbuffer part in m size 64\n"                                          \
    "fifo q queue of f32[4] slots 2 in [part] slot_bytes 16 host_push host_pop\n"                  \
    "fifo w ram of f32[4] slots 4 in [part] slot_bytes 16 host_push\n"                             \
    "fifo d queue of f32[4] slots 2 in [part] slot_bytes 16 dynamic\n"                             \
    "unit u depth 2\nsemaphore s\nsemaphore r initial 5\nsemaphore e maximum 1\n"                  \
    "function add_to_s {\nparameter n\nregister i initial 2\nalu n = mul n i\nsignal s add n\n}\n" \
    "function ten {\nregister i\nloop 10\nalu i = add i 1\nend\nsignal s add i\n}\n"               \
    "function nested {\nparameter n\ncall add_to_s with [n]\ncall add_to_s with [1]\n}\n"          \
    "function nothing {\n}\n"                                                                      \
    "function mark {\nsignal s set 1000\n}\n"

#define ONE(a) "thread a {\nregister i\nregister j\n" a "}\nentry main {\nstart a\n}\n"
#define TWO(a, b)                                                                                  \
    "thread a {\nregister i\n" a "}\nthread b {\n" b "}\nentry main {\nstart a\nstart b\n}\n"

static hoist_program *read_text(hoist_test *t, const char *text)
{
    const hoist_str whole = hoist_arena_format(&t->arena, "%s%s", COMMON, text);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)whole.data, whole.size},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    return program;
}

static hoist_machine *create(hoist_test *t, const hoist_program *program)
{
    hoist_machine *machine = NULL;
    const hoist_machine_options options = {.alloc = hoist_allocator_system(), .max_steps = 10000};
    HOIST_EXPECT_EQ(t, hoist_machine_create(program, &options, &machine), HOIST_OK);
    return machine;
}

// Whole runs: what semaphore s and register i of the thread are at the end, under every schedule.
static const struct {
    const char *name;
    hoist_outcome outcome;
    int64_t s;
    int64_t i;
    const char *text;
} runs[] = {
    {"nothing", HOIST_OUTCOME_DONE, 0, 0, ONE("")},
    {"arithmetic", HOIST_OUTCOME_DONE, 0, 42, ONE("alu i = set 40\nalu i = add i 2\n")},
    {"a loop", HOIST_OUTCOME_DONE, 0, 12, ONE("loop 3\nalu i = add i 4\nend\n")},
    {"a loop that does not run", HOIST_OUTCOME_DONE, 0, 1,
     ONE("loop 0\nalu i = add i 4\nend\nloop -1\nalu i = add i 4\nend\nalu i = add i 1\n")},
    {"a loop in a loop", HOIST_OUTCOME_DONE, 0, 6,
     ONE("alu j = set 3\nloop 2\nloop j\nalu i = add i 1\nend\nend\n")},
    {"a loop that must run, and does", HOIST_OUTCOME_DONE, 0, 3,
     ONE("alu j = set 3\nloop j must_run\nloop 1 must_run\nalu i = add i 1\nend\nend\n")},
    {"its count is read once", HOIST_OUTCOME_DONE, 0, 4,
     ONE("alu i = set 2\nloop i\nalu i = add i 1\nend\n")},
    {"a branch back", HOIST_OUTCOME_DONE, 0, 5, ONE("alu i = add i 1\nbranch i < 5 to 0\n")},
    {"a branch to the end", HOIST_OUTCOME_DONE, 0, 0, ONE("branch i == 0 to 2\nalu i = set 9\n")},
    {"a call", HOIST_OUTCOME_DONE, 14, 0, ONE("call add_to_s with [7]\n")},
    {"calls begin with their registers anew", HOIST_OUTCOME_DONE, 20, 0,
     ONE("call ten\ncall ten\n")},
    {"calls in calls", HOIST_OUTCOME_DONE, 8, 0, ONE("call nested with [3]\n")},
    {"an empty function", HOIST_OUTCOME_DONE, 0, 1,
     ONE("call nothing\npost u nothing\nalu i = add i 1\n")},
    {"a call at the end of a loop", HOIST_OUTCOME_DONE, 6, 0,
     ONE("loop 3\ncall add_to_s with [1]\nend\n")},
    {"a call by table", HOIST_OUTCOME_DONE, 10, 0, ONE("call [nothing, ten] at 1\n")},
    {"posts wait for room", HOIST_OUTCOME_DONE, 100, 0, ONE("loop 10\npost u ten\nend\ndrain u\n")},
    {"arguments are of the time of the post", HOIST_OUTCOME_DONE, 6, 9,
     ONE("alu i = set 3\npost u add_to_s with [i]\nalu i = set 9\n")},
    {"signals are of the time of the post", HOIST_OUTCOME_DONE, 3, 9,
     ONE("alu i = set 3\npost u nothing then [s add i]\nalu i = set 9\n")},
    {"several signals", HOIST_OUTCOME_DONE, 2, 0,
     ONE("post u nothing then [s add 1, r sub 5, s add 1]\nwait r == 0\n")},
    {"calls are in order", HOIST_OUTCOME_DONE, 1001, 0,
     ONE("post u ten\npost u mark\npost u nothing then [s add 1]\n")},
    {"a drain waits for all", HOIST_OUTCOME_DONE, 5, 0,
     ONE("post u ten\ndrain u\nsignal s sub 5\n")},
    {"waits change what they waited for", HOIST_OUTCOME_DONE, 3, 0,
     ONE("signal s set 9\nwait s > 4 then subtract 2\nwait s == 7 then set 4\n"
         "wait s != 0 then clear\nwait s <= 0\nwait s < 1\nsignal s add 3\n")},
    {"two threads", HOIST_OUTCOME_DONE, 2, 0,
     TWO("wait s >= 1\nsignal s add 1\n", "signal s add 1\n")},
    {"a barrier", HOIST_OUTCOME_DONE, 1, 0,
     TWO("collective barrier group 3 members 2 rank 1\nsignal s add 1\n",
         "collective barrier group 3 members 2 rank 0\n")},
    {"pushes and pops", HOIST_OUTCOME_DONE, 0, 0,
     TWO("loop 7\nreserve q\npush q by 1\nend\n",
         "loop 7\nawait q\nadvance q by 1\npop q by 1\nend\n")},
    {"a dynamic fifo", HOIST_OUTCOME_DONE, 0, 0,
     ONE("loop 3\nallocate d\nreserve d\npush d by 1\nzero d\nfree d\nend\n")},
    {"faults: wrap at 0", HOIST_OUTCOME_FAULT, 0, 0, ONE("alu i = incwrap 1 0\n")},
    {"faults: a loop that must run", HOIST_OUTCOME_FAULT, 0, 0, ONE("loop 0 must_run\nend\n")},
    {"faults: its count is negative", HOIST_OUTCOME_FAULT, 0, -1,
     ONE("alu i = sub 0 1\nloop i must_run\nalu i = set 9\nend\n")},
    {"faults: it must run in every turn", HOIST_OUTCOME_FAULT, 2, 0,
     ONE("alu i = set 2\nloop 3\nloop i must_run\nend\nalu i = sub i 1\nsignal s add 1\nend\n")},
    {"faults: table of a post", HOIST_OUTCOME_FAULT, 0, 0, ONE("post u [nothing] at -1\n")},
    {"faults: below zero", HOIST_OUTCOME_FAULT, 0, 0, ONE("signal s sub 1\n")},
    {"faults: set below zero", HOIST_OUTCOME_FAULT, 0, 0, ONE("signal s set -1\n")},
    {"faults: subtract more than there is", HOIST_OUTCOME_FAULT, 0, 0,
     ONE("wait s >= 0 then subtract 1\n")},
    {"faults: set beyond the maximum", HOIST_OUTCOME_FAULT, 0, 0, ONE("wait e == 0 then set 2\n")},
    {"faults: beyond 64 bits", HOIST_OUTCOME_FAULT, 9223372036854775807, 0,
     ONE("signal s set 9223372036854775807\nsignal s add 1\n")},
    {"faults: not allocated", HOIST_OUTCOME_FAULT, 0, 0, ONE("reserve d\n")},
    {"faults: zero of what is not allocated", HOIST_OUTCOME_FAULT, 0, 0, ONE("zero d\n")},
    {"deadlock", HOIST_OUTCOME_DEADLOCK, 0, 0, ONE("wait s > 0\n")},
    {"endless", HOIST_OUTCOME_LIMIT, 0, 1, ONE("alu i = set 1\nbranch i == 1 to 0\n")},
};

HOIST_TEST_TABLE(whole_runs, runs)
{
    hoist_program *program = read_text(t, row->text);
    for (uint64_t k = 0; program && k < 8; k++) {
        const hoist_schedule schedule = {(hoist_schedule_kind)(k < 3 ? k : HOIST_SCHEDULE_RANDOM),
                                         k};
        hoist_machine *machine = create(t, program);
        hoist_outcome outcome = HOIST_OUTCOME_DONE;
        HOIST_EXPECT(t, hoist_machine_is_done(machine));
        HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, outcome, row->outcome);
        HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), row->s);
        HOIST_EXPECT_EQ(t, machine_register(machine, 0, 0), row->i);
        HOIST_EXPECT_EQ(t, hoist_machine_is_done(machine), outcome == HOIST_OUTCOME_DONE);
        hoist_machine_destroy(machine);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0,
                    row->outcome == HOIST_OUTCOME_FAULT || row->outcome == HOIST_OUTCOME_DEADLOCK);
    hoist_program_destroy(program);
}

// Whether `process` is among those that are to be asked.
static bool is_ready(const hoist_machine *machine, size_t process)
{
    size_t next = 0;
    return hoist_machine_next(machine, process, &next) && next == process;
}

// The host pushes and pops, now and then.
static void let_host(hoist_machine *machine, uint64_t number)
{
    uint32_t slot = 0;
    if (number % 8 == 0 && hoist_machine_host_push_begin(machine, 0, &slot)) {
        hoist_machine_host_push_end(machine, 0);
    } else if (number % 8 == 1 && hoist_machine_host_pop_begin(machine, 0, &slot)) {
        hoist_machine_host_pop_end(machine, 0);
    }
}

// Steps that anybody makes or tries, and some data steps that take long.
HOIST_TEST_TABLE(who_can_move_is_ready, runs)
{
    hoist_program *program = read_text(t, row->text);
    for (uint64_t seed = 0; program && seed < 8; seed++) {
        uint64_t random = seed;
        hoist_machine *machine = create(t, program);
        HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
        const size_t count = hoist_machine_process_count(machine);
        size_t busy = count;
        hoist_machine_event event = {.kind = HOIST_EVENT_STEPPED};
        for (int i = 0; i < 400 && event.kind < HOIST_EVENT_FAULT; i++) {
            const size_t process = (size_t)(hoist_test_random(&random) % count);
            let_host(machine, hoist_test_random(&random));
            event = hoist_machine_step(machine, process);
            HOIST_EXPECT(t, !is_ready(machine, process) || (event.kind != HOIST_EVENT_BLOCKED &&
                                                            event.kind != HOIST_EVENT_DATA &&
                                                            event.kind != HOIST_EVENT_ENDED));
            if (busy < count && hoist_test_random(&random) % 4 == 0) {
                hoist_machine_finish(machine, busy);
                busy = count;
            }
            if (event.kind == HOIST_EVENT_DATA && busy == count) {
                busy = process;
            } else if (event.kind == HOIST_EVENT_DATA) {
                hoist_machine_finish(machine, process);
            }
            bool done = true;
            for (size_t k = 0; k < count; k++) {
                const hoist_event_kind kind = hoist_machine_peek(machine, k).kind;
                done = done && kind == HOIST_EVENT_ENDED;
                HOIST_EXPECT(t, is_ready(machine, k) || kind == HOIST_EVENT_BLOCKED ||
                                    kind == HOIST_EVENT_ENDED);
            }
            HOIST_EXPECT_EQ(t, hoist_machine_is_done(machine), done);
        }
        hoist_machine_destroy(machine);
    }
    hoist_program_destroy(program);
}

// clang-format off
static const struct {
    const char *name;
    hoist_alu_op op;
    int64_t dst, a, b, expected;
} sums[] = {
    {"set",            HOIST_ALU_SET, 1, 2, 3, 2},
    {"add wraps",      HOIST_ALU_ADD, 0, INT64_MAX, 1, INT64_MIN},
    {"sub wraps",      HOIST_ALU_SUB, 0, INT64_MIN, 1, INT64_MAX},
    {"mul wraps",      HOIST_ALU_MUL, 0, INT64_MAX, 2, -2},
    {"and",            HOIST_ALU_AND, 0, 12, 10, 8},
    {"or",             HOIST_ALU_OR, 0, 12, 10, 14},
    {"xor",            HOIST_ALU_XOR, 0, 12, 10, 6},
    {"shl modulo 64",  HOIST_ALU_SHL, 0, 1, 65, 2},
    {"shl by -1",      HOIST_ALU_SHL, 0, 1, -1, INT64_MIN},
    {"shr is logical", HOIST_ALU_SHR, 0, -1, 63, 1},
    {"eq",             HOIST_ALU_EQ, 0, 4, 4, 1},
    {"lt is signed",   HOIST_ALU_LT, 0, -1, 1, 1},
    {"le",             HOIST_ALU_LE, 0, 2, 1, 0},
    {"wrap32",         HOIST_ALU_WRAP32, 0, 0x180000000, 0, INT32_MIN},
    // C18.
    {"incwrap 1 -3 4", HOIST_ALU_INCWRAP, 1, -3, 4, 2},
    {"incwrap 1 -1 4", HOIST_ALU_INCWRAP, 1, -1, 4, 0},
    {"incwrap 3 5 4",  HOIST_ALU_INCWRAP, 3, 5, 4, 0},
    {"incwrap -6 1 4", HOIST_ALU_INCWRAP, -6, 1, 4, -1},
    {"incwrap by a multiple", HOIST_ALU_INCWRAP, 3, -8, 4, 3},
    {"incwrap at -1",  HOIST_ALU_INCWRAP, INT64_MIN, 0, -1, 0},
    {"incwrap at -4",  HOIST_ALU_INCWRAP, 3, -1, -4, 2},
};
// clang-format on

HOIST_TEST_TABLE(arithmetic, sums)
{
    int64_t result = 0;
    HOIST_EXPECT(t, hoist_alu(row->op, row->dst, row->a, row->b, &result));
    HOIST_EXPECT_EQ(t, result, row->expected);
}

// Steps `process` until it waits or ends; the event that stopped it.
static hoist_machine_event go(hoist_machine *machine, size_t process)
{
    for (;;) {
        const hoist_machine_event event = hoist_machine_step(machine, process);
        if (event.kind == HOIST_EVENT_DATA) {
            hoist_machine_finish(machine, process);
        } else if (event.kind != HOIST_EVENT_STEPPED) {
            return event;
        }
    }
}

HOIST_TEST(a_unit_holds_its_depth_and_one_that_runs)
{
    hoist_program *program = read_text(t, ONE("loop 9\npost u nothing\nend\n"));
    hoist_machine *machine = create(t, program);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_process_count(machine), 2);
    HOIST_EXPECT_STR(t, hoist_machine_process_name(machine, 0), "a");
    HOIST_EXPECT_STR(t, hoist_machine_process_name(machine, 1), "u");
    hoist_machine_event event = go(machine, 0);
    HOIST_EXPECT_EQ(t, event.kind, HOIST_EVENT_BLOCKED);
    HOIST_EXPECT_EQ(t, event.block, HOIST_BLOCK_UNIT_FULL);
    HOIST_EXPECT_EQ(t, hoist_machine_posted(machine, 0), 2);
    HOIST_EXPECT_EQ(t, hoist_machine_depth(machine, 1), 0);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 1).kind, HOIST_EVENT_STEPPED); // takes one
    HOIST_EXPECT_EQ(t, hoist_machine_depth(machine, 1), 1);
    HOIST_EXPECT_EQ(t, hoist_machine_frame(machine, 1, 0), 3);
    event = go(machine, 0);
    HOIST_EXPECT_EQ(t, event.block, HOIST_BLOCK_UNIT_FULL);
    HOIST_EXPECT_EQ(t, hoist_machine_posted(machine, 0), 3);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 1).kind, HOIST_EVENT_STEPPED); // completes
    HOIST_EXPECT_EQ(t, hoist_machine_posted(machine, 0), 2);
    HOIST_EXPECT(t, !hoist_machine_is_done(machine));
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_BUSY);
    hoist_machine_destroy(machine); // with calls that wait
    hoist_program_destroy(program);
}

HOIST_TEST(a_blocked_step_changes_nothing)
{
    hoist_program *program = read_text(t, ONE("wait s >= 1 then subtract 1\nawait q\n"));
    hoist_machine *machine = create(t, program);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    for (int i = 0; i < 3; i++) {
        const hoist_machine_event event = hoist_machine_step(machine, 0);
        HOIST_EXPECT_EQ(t, event.kind, HOIST_EVENT_BLOCKED);
        HOIST_EXPECT_EQ(t, event.block, HOIST_BLOCK_SEMAPHORE);
        HOIST_EXPECT_EQ(t, event.object, 0);
        HOIST_EXPECT(t, event.step == &program->threads[0].code.steps[0]);
        HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), 0);
    }
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST(registers_live_as_long_as_they_say)
{
    hoist_program *program =
        read_text(t, "thread a {\nregister c initial 1\nregister r lifetime run initial 1\n"
                     "register k lifetime session initial 1\nregister n\n"
                     "alu c = add c n\nalu r = add r n\nalu k = add k n\nsignal s add 1\n}\n"
                     "entry main {\nstart a\nparameter n thread a register n\n}\n");
    hoist_machine *machine = create(t, program);
    static const int64_t session[] = {11, 21, 31};
    for (size_t i = 0; i < HOIST_COUNT_OF(session); i++) {
        const int64_t ten = 10;
        HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, &ten), HOIST_OK);
        HOIST_EXPECT_EQ(t, go(machine, 0).kind, HOIST_EVENT_ENDED);
        HOIST_EXPECT_EQ(t, machine_register(machine, 0, 0), 11);
        HOIST_EXPECT_EQ(t, machine_register(machine, 0, 1), 11);
        HOIST_EXPECT_EQ(t, machine_register(machine, 0, 2), session[i]);
        HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), 1);
    }
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST(places)
{
    hoist_program *program =
        read_text(t, "function f {\nparameter v view f32[4] written\nparameter n\n"
                     "move copy from [own f32[4]] to param(v) f32[4] + n * 4\n}\n" ONE(
                         "alu i = set 3\n"
                         "move copy from [read(w) f32[4]] to x f32[4] + 8 + i * 4\n"
                         "push w by 2\nadvance w by 1\n"
                         "move copy from [read(w) f32[4]] to write(w) f32[4]\n"
                         "call f with [x f32[4] + i * 4, 2]\n"
                         "move copy from [space(m) f32[4] + i * 16] to x f32[4]\n"));
    hoist_machine *machine = create(t, program);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    hoist_place to[4];
    hoist_place from[4];
    for (size_t i = 0; i < 4;) {
        const hoist_machine_event event = hoist_machine_step(machine, 0);
        if (event.kind == HOIST_EVENT_DATA) {
            to[i] = hoist_machine_resolve(machine, 0, event.step->as.move->destination);
            from[i++] = hoist_machine_resolve(machine, 0, event.step->as.move->sources[0].view);
            HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).block, HOIST_BLOCK_NONE); // busy
            hoist_machine_finish(machine, 0);
        }
    }
    HOIST_EXPECT_EQ(t, to[0].buffer, 0);
    HOIST_EXPECT_EQ(t, to[0].offset, 20);
    HOIST_EXPECT_EQ(t, from[0].fifo, 1);
    HOIST_EXPECT_EQ(t, from[0].slot, 0);
    HOIST_EXPECT_EQ(t, from[1].slot, 1);
    HOIST_EXPECT_EQ(t, to[1].slot, 2);
    HOIST_EXPECT(t, hoist_machine_slot_written(machine, 1, 0));
    HOIST_EXPECT(t, !hoist_machine_slot_written(machine, 1, 2));
    HOIST_EXPECT_EQ(t, to[2].buffer, 0);
    HOIST_EXPECT_EQ(t, to[2].offset, 20);
    HOIST_EXPECT_EQ(t, from[2].buffer, 2);
    HOIST_EXPECT_EQ(t, from[2].frame, 1);
    HOIST_EXPECT_EQ(t, from[2].process, 0);
    HOIST_EXPECT_EQ(t, from[2].call, 2);
    HOIST_EXPECT_EQ(t, from[3].space, 0);
    HOIST_EXPECT_EQ(t, from[3].offset, 48);
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST(the_host_fills_and_empties)
{
    hoist_program *program = read_text(t, ONE("await q\nadvance q by 1\npop q by 1\n"));
    hoist_machine *machine = create(t, program);
    uint32_t slot = 9;
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).block, HOIST_BLOCK_FIFO_EMPTY);
    HOIST_EXPECT(t, !hoist_machine_host_pop_begin(machine, 0, &slot));
    for (uint32_t i = 0; i < 2; i++) {
        HOIST_EXPECT(t, hoist_machine_host_push_begin(machine, 0, &slot));
        HOIST_EXPECT_EQ(t, slot, i);
        hoist_machine_host_push_end(machine, 0);
    }
    HOIST_EXPECT(t, !hoist_machine_host_push_begin(machine, 0, &slot));
    HOIST_EXPECT_EQ(t, go(machine, 0).kind, HOIST_EVENT_ENDED);
    HOIST_EXPECT(t, hoist_machine_host_pop_begin(machine, 0, &slot));
    HOIST_EXPECT_EQ(t, slot, 1);
    hoist_machine_host_pop_end(machine, 0);
    HOIST_EXPECT_EQ(t, hoist_machine_fifo(machine, 0).read, 2);
    HOIST_EXPECT_EQ(t, hoist_machine_fifo(machine, 0).write, 2);
    hoist_machine_host_write(machine, 1, 3);
    HOIST_EXPECT(t, hoist_machine_slot_written(machine, 1, 3));
    HOIST_EXPECT(t, !hoist_machine_fifo(machine, 2).live);
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST(a_collective_is_one_data_step)
{
    hoist_program *program = read_text(
        t, TWO("collective all_reduce add group 3 members 2 rank 1 from x f32[4] to x f32[4]\n",
               "collective all_reduce add group 3 members 2 rank 0 from y f32[4] to y f32[4]\n"));
    hoist_machine *machine = create(t, program);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    // The other one is at its first step, which is the collective.
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 1).kind, HOIST_EVENT_DATA);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).block, HOIST_BLOCK_COLLECTIVE);
    size_t members[4];
    HOIST_EXPECT_EQ(t, hoist_machine_collective(machine, 1, members, 4), 2);
    HOIST_EXPECT_EQ(t, members[0], 1); // rank 0
    HOIST_EXPECT_EQ(t, members[1], 0);
    const hoist_prog_step *step = hoist_machine_at(machine, members[1]);
    HOIST_EXPECT_EQ(
        t, hoist_machine_resolve(machine, members[1], step->as.collective->source).buffer, 0);
    hoist_machine_finish(machine, 1);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).kind, HOIST_EVENT_ENDED);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 1).kind, HOIST_EVENT_ENDED);
    HOIST_EXPECT(t, hoist_machine_is_done(machine));
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST(entries_of_several_sizes)
{
    hoist_program *program = read_text(
        t, "thread a {\nsignal s add 1\npost u ten\n}\nthread b {\nsignal s add 2\n}\n"
           "entry one {\nstart b\n}\nentry two {\nstart a\nstart b\n}\nentry none {\n}\n");
    hoist_machine *machine = create(t, program);
    static const int64_t expected[] = {2, 13, 0, 13, 2};
    static const hoist_ref entries[] = {0, 1, 2, 1, 0};
    for (size_t i = 0; i < HOIST_COUNT_OF(entries); i++) {
        hoist_outcome outcome = HOIST_OUTCOME_LIMIT;
        const hoist_schedule schedule = {HOIST_SCHEDULE_ADVERSARIAL, 0};
        HOIST_EXPECT_EQ(t, hoist_machine_start(machine, entries[i], NULL), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, outcome, HOIST_OUTCOME_DONE);
        HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), expected[i]);
    }
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Memory of a run does not grow with its calls: registers, views and loops of those that ended are
// given back.
// clang-format off
static const struct {
    const char *name;
    const char *step;
} repeated[] = {
    {"registers",            "call add_to_s with [1]\n"},
    {"calls in calls",       "call nested with [1]\n"},
    {"loops",                "call ten\n"},
    {"views",                "call take with [x f32[4]]\n"},
    {"posts",                "post u add_to_s with [1] then [s add 1]\n"},
    {"posts with views",     "post u take with [x f32[4]]\n"},
    {"posts that are drained", "post u ten\npost u nothing\ndrain u\n"},
    {"entries",              "reserve q\npush q by 1\nawait q\nadvance q by 1\npop q by 1\n"},
};
// clang-format on

// Bytes that a machine holds when it has made a step so many times.
static size_t held_after(hoist_test *t, const char *step, int turns)
{
    const hoist_str text = hoist_arena_format(
        &t->arena, "function take {\nparameter v view f32[4]\n}\n" ONE("loop %d\n%send\n"), turns,
        step);
    hoist_program *program = read_text(t, text.data);
    hoist_failing counted = {.parent = hoist_allocator_system()};
    const hoist_machine_options options = {.alloc = hoist_failing_allocator(&counted, 0)};
    const hoist_schedule schedule = {HOIST_SCHEDULE_IN_ORDER, 0};
    hoist_outcome outcome = HOIST_OUTCOME_LIMIT;
    hoist_machine *machine = NULL;
    HOIST_EXPECT_EQ(t, hoist_machine_create(program, &options, &machine), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, outcome, HOIST_OUTCOME_DONE);
    const size_t held = counted.live;
    hoist_machine_destroy(machine);
    HOIST_EXPECT_EQ(t, counted.live, 0);
    hoist_program_destroy(program);
    return held;
}

HOIST_TEST_TABLE(calls_give_their_memory_back, repeated)
{
    HOIST_EXPECT_EQ(t, held_after(t, row->step, 2000), held_after(t, row->step, 10));
}

HOIST_TEST(too_many_slots_are_a_limit)
{
    const hoist_prog_fifo fifo = {.slots = UINT32_MAX};
    const hoist_program program = {.fifos = &fifo, .fifo_count = 1};
    hoist_machine *machine = NULL;
    const hoist_machine_options options = {.alloc = hoist_allocator_system()};
    HOIST_EXPECT_EQ(t, hoist_machine_create(&program, &options, &machine), HOIST_LIMIT);
    HOIST_EXPECT(t, machine == NULL);
}

static hoist_status run_with(hoist_allocator alloc, const void *self)
{
    const hoist_program *program = self;
    hoist_machine *machine = NULL;
    hoist_outcome outcome = HOIST_OUTCOME_DONE;
    const hoist_machine_options options = {.alloc = alloc};
    hoist_status status = hoist_machine_create(program, &options, &machine);
    if (status == HOIST_OK) {
        status = hoist_machine_start(machine, 0, NULL);
    }
    if (status == HOIST_OK) {
        const hoist_schedule schedule = {HOIST_SCHEDULE_ADVERSARIAL, 0};
        status = hoist_schedule_run(machine, schedule, NULL, NULL, NULL, &outcome);
    }
    hoist_machine_destroy(machine);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program =
        read_text(t, ONE("loop 2\ncall nested with [3]\npost u add_to_s with [1] then [s add 1]\n"
                         "end\npost u ten\ndrain u\n"));
    hoist_test_starve(t, run_with, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(whole_runs), HOIST_TEST_ROW(who_can_move_is_ready),
                HOIST_TEST_ROW(arithmetic),
                HOIST_TEST_ROW(a_unit_holds_its_depth_and_one_that_runs),
                HOIST_TEST_ROW(a_blocked_step_changes_nothing),
                HOIST_TEST_ROW(registers_live_as_long_as_they_say), HOIST_TEST_ROW(places),
                HOIST_TEST_ROW(the_host_fills_and_empties),
                HOIST_TEST_ROW(a_collective_is_one_data_step),
                HOIST_TEST_ROW(entries_of_several_sizes),
                HOIST_TEST_ROW(calls_give_their_memory_back),
                HOIST_TEST_ROW(too_many_slots_are_a_limit),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
