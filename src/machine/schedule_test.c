// Whole runs under a schedule: who is chosen, what data steps are given, and the messages of
// deadlocks, faults and limits, word for word.
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/buffer.h"
#include "machine/chooser.h"
#include "machine/schedule.h"
#include "machine/step_name.h"
#include "program/builder.h"
#include "program/rules.h"
#include "program/text.h"
#include "testing/test.h"

#define COMMON                                                                                     \
    "program p\nspace m\nbuffer x in m size 64 lifetime session\nbuffer r in m size 64\n"          \
    "fifo q queue of f32[4] slots 2 in [r] slot_bytes 16 host_push\n"                              \
    "fifo o queue of f32[4] slots 2 in [r] slot_bytes 16 host_pop\n"                               \
    "unit u depth 1\nunit v depth 2\nsemaphore s\nsemaphore k maximum 2\n"                         \
    "function stuck {\nwait s >= 1\n}\nfunction give {\nsignal s add 1\n}\n"                       \
    "function below {\nsignal s sub 5\n}\nfunction more {\ncall below\n}\n"                        \
    "function nothing {\n}\n"

static hoist_program *read_whole(hoist_test *t, hoist_str text)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text.data, text.size},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    return program;
}

// A program of COMMON and `text`.
static hoist_program *read_text(hoist_test *t, const char *text)
{
    return read_whole(t, hoist_arena_format(&t->arena, "%s%s", COMMON, text));
}

static hoist_machine *start(hoist_test *t, const hoist_program *program, uint64_t max_steps)
{
    hoist_machine *machine = NULL;
    const hoist_machine_options options = {.alloc = hoist_allocator_system(),
                                           .max_steps = max_steps};
    HOIST_EXPECT_EQ(t, hoist_machine_create(program, &options, &machine), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    return machine;
}

#define THREAD(name, steps) "thread " name " {\n" steps "}\n"
#define ONE(a) THREAD("a", a) "entry main {\nstart a\n}\n"
#define TWO(a, b) THREAD("a", a) THREAD("b", b) "entry main {\nstart a\nstart b\n}\n"
#define THREE(a, b, c)                                                                             \
    THREAD("a", a) THREAD("b", b) THREAD("c", c) "entry main {\nstart a\nstart b\nstart c\n}\n"

// All that a run reports, in order.
static const struct {
    const char *name;
    hoist_outcome outcome;
    const char *findings;
    const char *text; // after COMMON, from line 27 on
} stops[] = {
    {"it ends", HOIST_OUTCOME_DONE, "", ONE("signal s add 1\nwait s == 1\n")},
    {"a semaphore", HOIST_OUTCOME_DEADLOCK,
     "27:7: error: 'a' waits for ever at wait 'here' (threads/a/steps/1, 27:7) for semaphore 's', "
     "which is 2, expected == 7; no process that is left could help [PRG-102]\n",
     ONE("signal s add 2\nhere: wait s == 7\n")},
    {"every comparison has its sign", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 0, expected != 0; no process that is left could help [PRG-102]\n"
     "29:1: error: 'b' waits for ever at wait (threads/b/steps/0, 29:1) for semaphore 's', which "
     "is 0, expected < 0; no process that is left could help [PRG-102]\n",
     TWO("wait s != 0\n", "wait s < 0\n")},
    {"and the others", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 0, expected <= -1; no process that is left could help [PRG-102]\n"
     "29:1: error: 'b' waits for ever at wait (threads/b/steps/0, 29:1) for semaphore 's', which "
     "is 0, expected > 0; no process that is left could help [PRG-102]\n"
     "32:1: error: 'c' waits for ever at wait (threads/c/steps/0, 32:1) for semaphore 's', which "
     "is 0, expected >= 1; no process that is left could help [PRG-102]\n",
     THREE("wait s <= -1\n", "wait s > 0\n", "wait s >= 1\n")},
    {"an entry", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at await (threads/a/steps/0, 26:1) for an entry of fifo 'o'; "
     "no process that is left could help [PRG-102]\n",
     ONE("await o\n")},
    {"an entry of the host", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at await (threads/a/steps/0, 26:1) for an entry of fifo 'q'; "
     "the host could help [PRG-102]\n",
     ONE("await q\n")},
    {"a slot that the host may free", HOIST_OUTCOME_DEADLOCK,
     "27:1: error: 'a' waits for ever at reserve (threads/a/steps/1, 27:1) for a free slot of fifo "
     "'o'; the host could help [PRG-102]\n",
     ONE("loop 3\nreserve o\npush o by 1\nend\n")},
    {"a slot that another pops", HOIST_OUTCOME_DEADLOCK,
     "27:1: error: 'a' waits for ever at reserve (threads/a/steps/1, 27:1) for a free slot of fifo "
     "'q'; who could help waits: 'b' [PRG-102]\n"
     "32:1: error: 'b' waits for ever at wait (threads/b/steps/0, 32:1) for semaphore 's', which "
     "is 0, expected > 0; no process that is left could help [PRG-102]\n",
     TWO("loop 3\nreserve q\npush q by 1\nend\n", "wait s > 0\npop q by 1\n")},
    {"a full unit, and the drain of another thread", HOIST_OUTCOME_DEADLOCK,
     "12:1: error: 'u' waits for ever at wait (functions/stuck/steps/0, 12:1) for semaphore 's', "
     "which is 0, expected >= 1; who could help waits: 'b' [PRG-102]\n"
     "12:1: error: they wait for each other: 'u' for 'b' for 'u' [PRG-102]\n"
     "27:1: error: 'a' waits for ever at post (threads/a/steps/1, 27:1) for space in the queue of "
     "unit 'u'; who could help waits: 'u' [PRG-102]\n"
     "31:1: error: 'b' waits for ever at drain (threads/b/steps/0, 31:1) for unit 'u' to complete "
     "its calls; who could help waits: 'u' [PRG-102]\n",
     TWO("loop 3\npost u stuck\nend\n", "drain u\nsignal s add 1\n")},
    {"a collective", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at collective (threads/a/steps/0, 26:1) for the 3 members of "
     "group 4; who could help waits: 'b' [PRG-102]\n"
     "29:1: error: 'b' waits for ever at wait (threads/b/steps/0, 29:1) for semaphore 's', which "
     "is 0, expected >= 1; no process that is left could help [PRG-102]\n",
     TWO("collective barrier group 4 members 3 rank 0\n",
         "wait s >= 1\ncollective barrier group 4 members 3 rank 2\n")},
    {"help behind calls, posts and tables", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 0, expected >= 1; who could help waits: 'b', 'c' [PRG-102]\n"
     "29:1: error: 'b' waits for ever at wait (threads/b/steps/0, 29:1) for semaphore 'k', which "
     "is 0, expected == 1; no process that is left could help [PRG-102]\n"
     "33:1: error: 'c' waits for ever at wait (threads/c/steps/0, 33:1) for semaphore 'k', which "
     "is 0, expected == 2; no process that is left could help [PRG-102]\n",
     THREE("wait s >= 1\n", "wait k == 1\npost v [nothing, give] at 1\n",
           "wait k == 2\npost v nothing then [s add 1]\n")},
    {"help in a loop is behind, too", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 1, expected >= 2; who could help waits: 'b' [PRG-102]\n"
     "31:1: error: 'b' waits for ever at wait (threads/b/steps/2, 31:1) for semaphore 'k', which "
     "is 0, expected == 1; no process that is left could help [PRG-102]\n",
     TWO("wait s >= 2\n", "loop 2\nsignal s add 1\nwait k == 1\nend\n")},
    {"no help from steps that are done", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 1, expected >= 2; no process that is left could help [PRG-102]\n"
     "30:1: error: 'b' waits for ever at wait (threads/b/steps/1, 30:1) for semaphore 'k', which "
     "is 0, expected == 1; no process that is left could help [PRG-102]\n",
     TWO("wait s >= 2\n", "signal s add 1\nwait k == 1\n")},
    {"help of a wait that changes", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 0, expected >= 1; who could help waits: 'b' [PRG-102]\n"
     "29:1: error: 'b' waits for ever at wait (threads/b/steps/0, 29:1) for semaphore 's', which "
     "is 0, expected >= 2; no process that is left could help [PRG-102]\n",
     TWO("wait s >= 1\n", "wait s >= 2 then set 1\n")},
    {"help of a call that waits on a unit", HOIST_OUTCOME_DEADLOCK,
     "12:1: error: 'u' waits for ever at wait (functions/stuck/steps/0, 12:1) for semaphore 's', "
     "which is 0, expected >= 1; no process that is left could help [PRG-102]\n"
     "29:1: error: 'a' waits for ever at wait (threads/a/steps/3, 29:1) for semaphore 'k', which "
     "is 0, expected == 1; who could help waits: 'b' [PRG-102]\n"
     "32:1: error: 'b' waits for ever at wait (threads/b/steps/0, 32:1) for semaphore 's', which "
     "is 0, expected >= 1; who could help waits: 'u' [PRG-102]\n",
     TWO("post u stuck\npost u give\ndrain v\nwait k == 1\n", "wait s >= 1\nsignal k add 1\n")},
    {"a cycle of three", HOIST_OUTCOME_DEADLOCK,
     "26:1: error: 'a' waits for ever at wait (threads/a/steps/0, 26:1) for semaphore 's', which "
     "is 0, expected == 1; who could help waits: 'c' [PRG-102]\n"
     "26:1: error: they wait for each other: 'a' for 'c' for 'b' for 'a' [PRG-102]\n"
     "30:1: error: 'b' waits for ever at wait (threads/b/steps/0, 30:1) for semaphore 'k', which "
     "is 0, expected == 1; who could help waits: 'a' [PRG-102]\n"
     "34:1: error: 'c' waits for ever at await (threads/c/steps/0, 34:1) for an entry of fifo "
     "'o'; who could help waits: 'b' [PRG-102]\n",
     THREE("wait s == 1\nsignal k set 1\n", "wait k == 1\npush o by 1\n",
           "await o\nsignal s set 1\n")},
    {"a fault of a thread", HOIST_OUTCOME_FAULT,
     "26:8: error: 'a' fails at signal 'there' (threads/a/steps/0, 26:8): the semaphore exceeds "
     "its maximum (3) [PRG-103]\n",
     ONE("there: signal k add 3\n")},
    {"a fault of a function in a function", HOIST_OUTCOME_FAULT,
     "18:1: error: 'a' fails at signal (functions/below/steps/0, 18:1): the semaphore becomes "
     "negative (-5) [PRG-103]\n",
     ONE("call more\n")},
    {"a fault of a unit", HOIST_OUTCOME_FAULT,
     "18:1: error: 'u' fails at signal (functions/below/steps/0, 18:1): the semaphore becomes "
     "negative (-5) [PRG-103]\n",
     ONE("post u below\ndrain u\n")},
    {"a fault when a call completes", HOIST_OUTCOME_FAULT,
     "26:1: error: 'u' fails at the end of a posted call: the semaphore exceeds its maximum "
     "[PRG-103]\n",
     ONE("post u nothing then [k add 1, k add 2]\ndrain u\n")},
    {"a limit", HOIST_OUTCOME_LIMIT, "", ONE("here: branch 1 == 1 to here\n")},
};

HOIST_TEST_TABLE(runs_report_why_they_stop, stops)
{
    hoist_program *program = read_text(t, row->text);
    hoist_machine *machine = start(t, program, 1000);
    const hoist_schedule schedule = {HOIST_SCHEDULE_IN_ORDER, 0};
    hoist_outcome outcome = HOIST_OUTCOME_DONE;
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, outcome, row->outcome);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// At most 16 waits, under the rule that is given; a process whose data step is not finished does
// not wait.
HOIST_TEST(waits_of_a_run_that_is_ended)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, COMMON "thread d {\nmove copy from [x f32[4]] to x f32[4] + 16\n}\n");
    for (int i = 0; i < 20; i++) {
        hoist_buffer_format(&text, "thread t%d {\nwait s >= %d\n}\n", i, i);
    }
    hoist_buffer_c(&text, "entry main {\nstart d\n");
    for (int i = 0; i < 20; i++) {
        hoist_buffer_format(&text, "start t%d\n", i);
    }
    hoist_buffer_c(&text, "}\n");
    hoist_program *program = read_whole(t, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    hoist_machine *machine = start(t, program, 0);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).kind, HOIST_EVENT_DATA);
    hoist_report_waits(machine, hoist_program_rule_of(program, HOIST_PRG_105), t->diag);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 16);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), 16);
    // t0 can go on.
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message,
                     "'t1' waits at wait (threads/t1/steps/0, 32:1) for semaphore 's', which is 0, "
                     "expected >= 1");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 15)->message,
                     "'t16' waits at wait (threads/t16/steps/0, 77:1) for semaphore 's', which is "
                     "0, expected >= 16");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 15)->object, "threads/t16/steps/0");
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Threads that wait for a semaphore at so many places of a file, one after the other.
static hoist_program *waiting_threads(hoist_test *t, uint32_t threads, uint32_t places)
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    hoist_ref refs[128];
    HOIST_ASSERT(threads <= HOIST_COUNT_OF(refs));
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    const hoist_ref semaphore =
        hoist_builder_semaphore(b, &(hoist_prog_semaphore){.name = HOIST_STR("s")});
    for (uint32_t i = 0; i < threads; i++) {
        const hoist_str name = hoist_arena_format(&t->arena, "t%u", i);
        refs[i] = hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = name});
        hoist_prog_step step = {.kind = HOIST_STEP_WAIT,
                                .loc = hoist_loc_pos((hoist_pos){1 + i % places, 1})};
        step.as.wait.semaphore = semaphore;
        step.as.wait.compare = HOIST_CMP_GE;
        step.as.wait.value = (hoist_prog_value){.reg = HOIST_NO_REF, .number = 1};
        (void)hoist_builder_step(b, &step);
        hoist_builder_end_code(b);
    }
    (void)hoist_builder_entry(
        b,
        &(hoist_prog_entry){.name = HOIST_STR("main"), .threads = refs, .thread_count = threads});
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    return program;
}

static const struct {
    const char *name;
    uint32_t threads, places;
    uint64_t reported;
} crowds[] = {
    {"a wait", 1, 1, 1},
    {"two copies of it", 2, 1, 1},
    {"two waits", 2, 2, 2},
    {"two waits of two ranks", 4, 2, 2},
    {"three of two, the last one of one", 5, 3, 3},
    {"a hundred", 100, 100, 100},
    {"one more", 101, 101, 100},
    {"so many copies", 128, 1, 1},
};

// Of a deadlock, a hundred are looked at.
HOIST_TEST_TABLE(waits_of_copies_are_reported_once, crowds)
{
    hoist_program *program = waiting_threads(t, row->threads, row->places);
    hoist_machine *machine = start(t, program, 0);
    const hoist_schedule schedule = {HOIST_SCHEDULE_IN_ORDER, 0};
    hoist_outcome outcome = HOIST_OUTCOME_DONE;
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, outcome, HOIST_OUTCOME_DEADLOCK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->reported);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "threads/t0/steps/0");
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Copies of a step, as ranks of one file have them: of one kind, at one place of one file.
HOIST_TEST(copies_are_of_one_place)
{
    const hoist_loc loc = {.kind = HOIST_LOC_TEXT, .pos = {.line = 3, .column = 4}, .source = 1};
    const hoist_prog_step step = {.kind = HOIST_STEP_WAIT, .loc = loc};
    hoist_prog_step other = step;
    HOIST_EXPECT(t, hoist_step_is_copy(&step, &other) && hoist_step_is_copy(&step, &step));
    HOIST_EXPECT(t, hoist_step_is_copy(NULL, NULL));
    HOIST_EXPECT(t, !hoist_step_is_copy(&step, NULL) && !hoist_step_is_copy(NULL, &step));
    other.kind = HOIST_STEP_SIGNAL;
    HOIST_EXPECT(t, !hoist_step_is_copy(&step, &other));
    other = step;
    other.loc.pos.column = 5;
    HOIST_EXPECT(t, !hoist_step_is_copy(&step, &other));
    other.loc = loc;
    other.loc.source = 2;
    HOIST_EXPECT(t, !hoist_step_is_copy(&step, &other));
    const hoist_prog_step nowhere[2] = {{.kind = HOIST_STEP_WAIT}, {.kind = HOIST_STEP_WAIT}};
    HOIST_EXPECT(t, !hoist_step_is_copy(&nowhere[0], &nowhere[1]));
    HOIST_EXPECT(t, hoist_step_is_copy(&nowhere[0], &nowhere[0]));
}

// Files of the program name its findings, and no longer those that follow.
HOIST_TEST(findings_of_a_run_name_its_files)
{
    hoist_program *program = read_text(t, ONE("wait s >= 1\n"));
    hoist_prog_step step = program->threads[0].code.steps[0];
    step.loc.source = 1;
    const hoist_prog_thread thread = {.name = HOIST_STR("a"),
                                      .code = {.steps = &step, .step_count = 1}};
    const hoist_source source = {.file = HOIST_STR("p.neff"), .member = HOIST_STR("a/b.json")};
    hoist_program changed = *program;
    changed.threads = &thread;
    changed.sources = &source;
    changed.source_count = 1;
    hoist_machine *machine = start(t, &changed, 0);
    hoist_outcome outcome = HOIST_OUTCOME_DONE;
    const hoist_schedule schedule = {HOIST_SCHEDULE_IN_ORDER, 0};
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                    HOIST_OK);
    hoist_report(t->diag, hoist_program_rule_of(program, HOIST_PRG_102), step.loc, "after");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 2);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->member, "a/b.json");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->member, "");
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Schedules -------------------------------------------------------------------------------------

typedef struct trace {
    char text[64];
    size_t size;
    size_t fail_at; // 0: never
} trace;

// Notes the last letter of the step's label.
static hoist_status note(void *self, hoist_machine *machine, size_t process,
                         const hoist_prog_step *step)
{
    trace *seen = self;
    HOIST_ASSERT(hoist_machine_at(machine, process) == step && seen->size + 1 < sizeof seen->text);
    seen->text[seen->size++] = step->label.data[step->label.size - 1];
    return seen->size == seen->fail_at ? HOIST_IO : HOIST_OK;
}

#define DATA(label) label ": move copy from [x f32[4]] to x f32[4] + 16\n"

static const char turns[] = "function work {\n" DATA("p")
    DATA("q") "}\n" THREE(DATA("a") "post u work\n" DATA("b"), DATA("c") "post v work\n" DATA("d"),
                          DATA("e") "signal s add 1\n" DATA("f"));

static const struct {
    const char *name;
    hoist_schedule schedule;
    const char *expected;
} orders[] = {
    {"each as far as it goes", {HOIST_SCHEDULE_IN_ORDER, 0}, "abcdefpqpq"},
    {"the newest thread first, units last", {HOIST_SCHEDULE_ADVERSARIAL, 0}, "efcdabpqpq"},
    {"the newest one has no seed", {HOIST_SCHEDULE_ADVERSARIAL, 7}, "efcdabpqpq"},
    {"random 1", {HOIST_SCHEDULE_RANDOM, 1}, "aebcpdqfpq"},
    {"random 2", {HOIST_SCHEDULE_RANDOM, 2}, "acdpeqbfpq"},
    {"random 1 again", {HOIST_SCHEDULE_RANDOM, 1}, "aebcpdqfpq"},
};

HOIST_TEST_TABLE(schedules_have_an_order, orders)
{
    hoist_program *program = read_text(t, turns);
    hoist_machine *machine = start(t, program, 0);
    trace seen = {.size = 0};
    hoist_outcome outcome = HOIST_OUTCOME_LIMIT;
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, row->schedule, note, &seen, t->diag, &outcome),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, outcome, HOIST_OUTCOME_DONE);
    HOIST_EXPECT_STR(t, hoist_str_from(seen.text), row->expected);
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST(a_data_step_that_fails_ends_the_run)
{
    hoist_program *program = read_text(t, turns);
    hoist_machine *machine = start(t, program, 0);
    trace seen = {.fail_at = 3};
    hoist_outcome outcome = HOIST_OUTCOME_LIMIT;
    const hoist_schedule schedule = {HOIST_SCHEDULE_IN_ORDER, 0};
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, note, &seen, t->diag, &outcome),
                    HOIST_IO);
    HOIST_EXPECT_EQ(t, seen.size, 3);
    HOIST_EXPECT(t, !hoist_machine_is_done(machine));
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// The limit counts the steps that are made, those of the data too, and not those that are tried.
HOIST_TEST(the_limit_is_the_number_of_steps)
{
    hoist_program *program = read_text(
        t, TWO("wait s >= 1\n" DATA("a") "signal s add 1\n", DATA("b") "signal s add 1\n"));
    for (uint64_t limit = 1; limit <= 6; limit++) {
        hoist_machine *machine = start(t, program, limit);
        hoist_outcome outcome = HOIST_OUTCOME_DONE;
        const hoist_schedule schedule = {HOIST_SCHEDULE_IN_ORDER, 0};
        HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, NULL, NULL, t->diag, &outcome),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, outcome, limit < 5 ? HOIST_OUTCOME_LIMIT : HOIST_OUTCOME_DONE);
        hoist_machine_destroy(machine);
    }
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

// Names of steps --------------------------------------------------------------------------------

static const char long_name[] =
    "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijklm";

HOIST_TEST(names_of_steps_are_cut)
{
    hoist_prog_step steps[2] = {{.kind = HOIST_STEP_WAIT},
                                {.kind = HOIST_STEP_SIGNAL, .label = hoist_str_from(long_name)}};
    const hoist_prog_function function = {.name = HOIST_STR("f"), .code = {.steps = steps}};
    const hoist_prog_thread thread = {.name = hoist_str_from(long_name), .code = {.steps = steps}};
    const hoist_source sources[] = {{.file = HOIST_STR("p.neff"), .member = HOIST_STR("a/b.json")},
                                    {.file = HOIST_STR("o.neff"), .member = HOIST_STR("c.bin")}};
    const hoist_program program = {.file = HOIST_STR("p.neff"),
                                   .functions = &function,
                                   .threads = &thread,
                                   .sources = sources,
                                   .source_count = HOIST_COUNT_OF(sources)};
    const hoist_step_at at = {HOIST_NO_REF, 0, &steps[1]};
    char name[HOIST_STEP_NAME_SIZE];
    hoist_step_path(&program, at, name);
    HOIST_EXPECT_STR(t, hoist_str_from(name),
                     "threads/abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghij/"
                     "steps/1");
    const struct {
        hoist_loc loc;
        const char *place;
    } places[] = {
        {{.kind = HOIST_LOC_TEXT, .pos = {.line = 3, .column = 4}}, "steps/1, 3:4)"},
        {{.kind = HOIST_LOC_TEXT, .pos = {.line = 3, .column = 4}, .source = 1}, ", a/b.json:3:4)"},
        {{.kind = HOIST_LOC_BYTE, .offset = 260, .source = 2}, ", o.neff!c.bin:+0x104)"},
        {{.kind = HOIST_LOC_BYTE, .offset = 260, .source = 3}, "steps/1, +0x104)"},
        {{.kind = HOIST_LOC_NONE}, "steps/1)"},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(places); i++) {
        steps[1].loc = places[i].loc;
        hoist_step_name(&program, at, name);
        const hoist_str all = hoist_str_from(name);
        HOIST_EXPECT(t, hoist_str_contains(all, "signal 'abcdefghijklmnopqrstuvwxyz_abcdefghijklmn"
                                                "opqrstuvwxyz_abcdefghij' (threads/abc"));
        const size_t size = strlen(places[i].place);
        const hoist_str tail = {name + (all.size - size), size};
        HOIST_EXPECT_STR(t, tail, places[i].place);
    }
    hoist_step_name(&program, (hoist_step_at){0, HOIST_NO_REF, &steps[0]}, name);
    HOIST_EXPECT_STR(t, hoist_str_from(name), "wait (functions/f/steps/0)");
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(runs_report_why_they_stop), HOIST_TEST_ROW(waits_of_a_run_that_is_ended),
    HOIST_TEST_ROW(waits_of_copies_are_reported_once), HOIST_TEST_ROW(copies_are_of_one_place),
    HOIST_TEST_ROW(findings_of_a_run_name_its_files), HOIST_TEST_ROW(schedules_have_an_order),
    HOIST_TEST_ROW(a_data_step_that_fails_ends_the_run),
    HOIST_TEST_ROW(the_limit_is_the_number_of_steps), HOIST_TEST_ROW(names_of_steps_are_cut))
