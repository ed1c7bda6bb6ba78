// Single events: what a process that stops is stopped by, with the object and the number that is
// wrong, and what of the state has changed.
#include "base/alloc.h"
#include "machine/state_testing.h"
#include "program/text.h"
#include "testing/test.h"

#define COMMON                                                                                     \
    "program p\nspace m\nbuffer x in m size 64 lifetime session\nbuffer r in m size 256\n"         \
    "fifo q queue of f32[4] slots 2 in [r] slot_bytes 16 host_push host_pop\n"                     \
    "fifo g queue policy golden of f32[4] slots 2 in [r] slot_bytes 16\n"                          \
    "fifo w ram of f32[4] slots 4 in [r] slot_bytes 16 host_push\n"                                \
    "fifo d queue of f32[4] slots 2 in [r] slot_bytes 16 dynamic\n"                                \
    "unit u depth 1\nunit v depth 3\nsemaphore s\nsemaphore e maximum 3\n"                         \
    "function deep {\ncall deeper\n}\nfunction deeper {\nsignal s add 1\n}\n"                      \
    "function nothing {\n}\nfunction two {\nparameter a\nparameter b\nsignal s set a\n"            \
    "signal e set b\n}\n"

#define NONE HOIST_NO_REF

// clang-format off
static const struct {
    const char *name;
    const char *steps; // of the only thread, which is stepped until it stops
    hoist_event_kind kind;
    hoist_block_kind block;
    hoist_ref object;
    const char *fault;
    int64_t value;
    int64_t s, e;      // semaphores then
} cases[] = {
    {"the end", "", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 0, 0},
    {"a wait", "signal e add 2\nwait e < 2\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_SEMAPHORE, 1, NULL, 0, 0, 2},
    {"a wait for less than nothing", "wait s < 0\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_SEMAPHORE, 0, NULL, 0, 0, 0},
    {"a wait takes what it waited for", "signal e add 3\nwait e >= 2 then subtract 2\nwait e == 1 then set 2\nwait e > 1 then clear\n",
     HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 0, 0},
    {"a wait takes too much", "signal s add 3\nwait s >= 2 then subtract 4\n", HOIST_EVENT_FAULT, 0, NONE, "the semaphore becomes negative", -1, 3, 0},
    {"a wait sets too much", "wait e == 0 then set 4\n", HOIST_EVENT_FAULT, 0, NONE, "the semaphore exceeds its maximum", 4, 0, 0},
    {"the maximum itself", "signal e add 3\nsignal e set 3\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 0, 3},
    {"one more", "signal e add 3\nsignal e add 1\n", HOIST_EVENT_FAULT, 0, NONE, "the semaphore exceeds its maximum", 4, 0, 3},
    {"to 0", "signal e add 3\nsignal e sub 3\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 0, 0},
    {"one less", "signal e add 2\nsignal e sub 3\n", HOIST_EVENT_FAULT, 0, NONE, "the semaphore becomes negative", -1, 0, 2},
    {"beyond 64 bits", "signal s set 9223372036854775807\nsignal s add 2\n", HOIST_EVENT_FAULT, 0, NONE,
     "the semaphore exceeds 64 bits", INT64_MIN + 1, INT64_MAX, 0},
    {"below 64 bits", "signal s sub -9223372036854775808\n", HOIST_EVENT_FAULT, 0, NONE, "the semaphore exceeds 64 bits", INT64_MIN, 0, 0},
    {"an empty fifo", "await q\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_FIFO_EMPTY, 0, NULL, 0, 0, 0},
    {"a ram is never empty", "await w\nsignal s add 1\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 1, 0},
    {"a full fifo", "loop 3\nreserve q\npush q by 1\nsignal s add 1\nend\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_FIFO_FULL, 0, NULL, 0, 2, 0},
    {"a golden one holds twice as much", "loop 9\nreserve g\npush g by 1\nsignal s add 1\nend\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_FIFO_FULL, 1, NULL, 0, 4, 0},
    {"a ram is never full", "loop 9\nreserve w\npush w by 1\nsignal s add 1\nend\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 9, 0},
    {"a push that does not fit", "push q by 3\n", HOIST_EVENT_FAULT, 0, NONE, "push into a full fifo", 3, 0, 0},
    {"a push of less than nothing", "push q by -1\n", HOIST_EVENT_FAULT, 0, NONE, "the count of a push is negative", -1, 0, 0},
    {"an advance of less than nothing", "advance q by -2\n", HOIST_EVENT_FAULT, 0, NONE, "the count of an advance is negative", -2, 0, 0},
    {"a pop of less than nothing", "pop q by -3\n", HOIST_EVENT_FAULT, 0, NONE, "the count of a pop is negative", -3, 0, 0},
    {"a pop of more than there is", "push q by 1\npop q by 2\n", HOIST_EVENT_FAULT, 0, NONE, "pop from an empty fifo", 2, 0, 0},
    {"a pointer below 0", "set_pointer q read = -4\n", HOIST_EVENT_FAULT, 0, NONE, "a pointer is set to a negative value", -4, 0, 0},
    {"a pointer of a ram beyond it", "set_pointer w write = 4\n", HOIST_EVENT_FAULT, 0, NONE, "the pointer of a ram is set beyond its slots", 4, 0, 0},
    {"the last slot of a ram", "set_pointer w write = 3\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 0, 0},
    {"a fifo that is not allocated", "push d by 1\n", HOIST_EVENT_FAULT, 0, NONE, "the fifo is not allocated", 1, 0, 0},
    {"await of one", "await d\n", HOIST_EVENT_FAULT, 0, NONE, "the fifo is not allocated", 0, 0, 0},
    {"allocated twice", "allocate d\nallocate d\n", HOIST_EVENT_FAULT, 0, NONE, "the fifo is allocated already", 0, 0, 0},
    {"freed twice", "allocate d\nfree d\nfree d\n", HOIST_EVENT_FAULT, 0, NONE, "the fifo is not allocated", 0, 0, 0},
    {"empty when it is allocated again", "allocate d\npush d by 2\nfree d\nallocate d\nawait d\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_FIFO_EMPTY, 3, NULL, 0, 0, 0},
    {"a full unit", "loop 3\npost u nothing\nsignal s add 1\nend\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_UNIT_FULL, 0, NULL, 0, 1, 0},
    {"a deeper one", "loop 5\npost v nothing\nsignal s add 1\nend\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_UNIT_FULL, 1, NULL, 0, 3, 0},
    {"a drain", "post v nothing\ndrain v\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_DRAIN, 1, NULL, 0, 0, 0},
    {"a drain of an idle unit", "post u nothing\ndrain v\nsignal s add 1\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 1, 0},
    {"a call beyond its table", "call [nothing, deep] at 2\n", HOIST_EVENT_FAULT, 0, NONE, "the index of a call is outside its table", 2, 0, 0},
    {"a call before its table", "call [nothing, deep] at -1\n", HOIST_EVENT_FAULT, 0, NONE, "the index of a call is outside its table", -1, 0, 0},
    {"the last of a table", "call [nothing, deep] at 1\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 1, 0},
    {"a post beyond its table", "post u [nothing, deep] at 2\n", HOIST_EVENT_FAULT, 0, NONE, "the index of a post is outside its table", 2, 0, 0},
    {"arguments keep their places", "call two with [7, 3]\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 7, 3},
    {"a loop that must run", "alu i = sub 0 3\nloop i must_run\nend\n", HOIST_EVENT_FAULT, 0, NONE, "the count of a loop is below 1", -3, 0, 0},
    {"a branch over its own end", "branch 1 == 2 to 2\nsignal s add 1\nsignal e add 1\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 1, 1},
    {"a branch over one", "branch 2 >= 2 to 2\nsignal s add 1\nsignal e add 1\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 0, 1},
    {"no remainder", "alu i = incwrap 3 0\n", HOIST_EVENT_FAULT, 0, NONE, "incwrap wraps at 0", 0, 0, 0},
    {"a collective without the others", "collective barrier group 9 members 2 rank 1\n", HOIST_EVENT_BLOCKED, HOIST_BLOCK_COLLECTIVE, 9, NULL, 0, 0, 0},
    {"a collective of one", "collective barrier group 9 members 1 rank 0\nsignal s add 1\n", HOIST_EVENT_ENDED, 0, NONE, NULL, 0, 1, 0},
    {"a rank beyond the members", "collective barrier group 9 members 2 rank 2\n", HOIST_EVENT_FAULT, 0, NONE, "the rank of a member is beyond the members", 2, 0, 0},
};
// clang-format on

static hoist_program *read_text(hoist_test *t, const char *text)
{
    const hoist_str all = hoist_arena_format(&t->arena, "%s%s", COMMON, text);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)all.data, all.size},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    return program;
}

static hoist_machine *start(hoist_test *t, const hoist_program *program, uint32_t unit_depth)
{
    hoist_machine *machine = NULL;
    const hoist_machine_options options = {.alloc = hoist_allocator_system(),
                                           .unit_depth = unit_depth};
    HOIST_EXPECT_EQ(t, hoist_machine_create(program, &options, &machine), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    return machine;
}

// Steps `process` until it stops, with the data steps on the way.
static hoist_machine_event go(hoist_machine *machine, size_t process)
{
    hoist_machine_event event = hoist_machine_step(machine, process);
    while (event.kind == HOIST_EVENT_STEPPED || event.kind == HOIST_EVENT_DATA) {
        if (event.kind == HOIST_EVENT_DATA) {
            hoist_machine_finish(machine, process);
        }
        event = hoist_machine_step(machine, process);
    }
    return event;
}

HOIST_TEST_TABLE(what_stops_a_thread, cases)
{
    const hoist_str text = hoist_arena_format(
        &t->arena, "thread a {\nregister i\n%s}\nentry main {\nstart a\n}\n", row->steps);
    hoist_program *program = read_text(t, text.data);
    hoist_machine *machine = start(t, program, 0);
    const hoist_machine_event event = go(machine, 0);
    const hoist_machine_event peeked = hoist_machine_peek(machine, 0);
    HOIST_EXPECT_EQ(t, event.kind, row->kind);
    HOIST_EXPECT_EQ(t, event.block, row->block);
    HOIST_EXPECT_EQ(t, event.object, row->object);
    HOIST_EXPECT_EQ(t, event.value, row->value);
    HOIST_EXPECT_STR(t, hoist_str_from(event.fault ? event.fault : ""),
                     row->fault ? row->fault : "");
    HOIST_EXPECT(t, event.step == hoist_machine_at(machine, 0));
    HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), row->s);
    HOIST_EXPECT_EQ(t, machine_semaphore(machine, 1), row->e);
    if (row->kind != HOIST_EVENT_FAULT) { // a peek finds only some faults
        HOIST_EXPECT_EQ(t, peeked.kind, event.kind);
        HOIST_EXPECT_EQ(t, peeked.object, event.object);
        HOIST_EXPECT(t, !hoist_machine_ask(machine, 0));
    } else {
        HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_BUSY);
    }
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Functions f0, f1 ... call each other in turn, so many of them; the last one signals s.
static hoist_program *chain_of(hoist_test *t, uint32_t count, const char *begin)
{
    const char *text = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *next = i + 1 < count ? hoist_arena_format(&t->arena, "call f%u", i + 1).data
                                         : "signal s add 1";
        text = hoist_arena_format(&t->arena, "%sfunction f%u {\n%s\n}\n", text, i, next).data;
    }
    const hoist_str all = hoist_arena_format(
        &t->arena, "%sthread a {\n%s f0\n}\nentry main {\nstart a\n}\n", text, begin);
    return read_text(t, all.data);
}

// The frame of the thread is one of them.
static const struct {
    const char *name;
    uint32_t functions;
    const char *begin;
    size_t process; // that calls
    hoist_event_kind kind;
} chains[] = {
    {"of a thread", HOIST_MACHINE_MAX_DEPTH - 1, "call", 0, HOIST_EVENT_ENDED},
    {"one more", HOIST_MACHINE_MAX_DEPTH, "call", 0, HOIST_EVENT_FAULT},
    {"of a unit", HOIST_MACHINE_MAX_DEPTH, "post u", 1, HOIST_EVENT_ENDED},
    {"one more of a unit", HOIST_MACHINE_MAX_DEPTH + 1, "post u", 1, HOIST_EVENT_FAULT},
};

HOIST_TEST_TABLE(calls_are_nested_so_deep, chains)
{
    hoist_program *program = chain_of(t, row->functions, row->begin);
    hoist_machine *machine = start(t, program, 0);
    hoist_machine_event event = go(machine, 0);
    event = row->process ? go(machine, row->process) : event;
    HOIST_EXPECT_EQ(t, event.kind, row->kind);
    HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), row->kind != HOIST_EVENT_FAULT);
    if (row->kind == HOIST_EVENT_FAULT) {
        HOIST_EXPECT_STR(t, hoist_str_from(event.fault), "calls are nested too deeply");
        HOIST_EXPECT_EQ(t, event.value, HOIST_MACHINE_MAX_DEPTH);
        HOIST_EXPECT_EQ(t, hoist_machine_depth(machine, row->process), HOIST_MACHINE_MAX_DEPTH);
    }
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// The depth of the options replaces that of each unit.
HOIST_TEST(a_depth_for_all_units)
{
    hoist_program *program = read_text(
        t, "thread a {\nloop 9\npost u nothing\nsignal s add 1\nend\n}\nthread b {\nloop 9\n"
           "post v nothing\nsignal e add 1\nend\n}\nentry main {\nstart a\nstart b\n}\n");
    for (uint32_t depth = 1; depth <= 3; depth++) {
        hoist_machine *machine = start(t, program, depth);
        HOIST_EXPECT_EQ(t, go(machine, 0).block, HOIST_BLOCK_UNIT_FULL);
        HOIST_EXPECT_EQ(t, go(machine, 1).object, 1);
        HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), depth);
        HOIST_EXPECT_EQ(t, machine_semaphore(machine, 1), depth);
        HOIST_EXPECT_EQ(t, hoist_machine_posted(machine, 1), depth);
        hoist_machine_destroy(machine);
    }
    hoist_program_destroy(program);
}

// A unit that takes or completes a call names the post that the call came from, not the next one.
HOIST_TEST(a_call_names_its_post)
{
    hoist_program *program =
        read_text(t, "thread a {\npost v nothing\npost v nothing\n}\nentry main {\nstart a\n}\n");
    hoist_machine *machine = start(t, program, 0);
    const hoist_prog_step *const posts = program->threads[0].code.steps;
    (void)go(machine, 0);
    for (int i = 0; i < 4; i++) { // takes and completes each
        const hoist_machine_event event = hoist_machine_step(machine, 2);
        HOIST_EXPECT_EQ(t, event.kind, HOIST_EVENT_STEPPED);
        HOIST_EXPECT(t, event.step == &posts[i / 2]);
    }
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Members are listed by rank, as many as the caller takes; each goes on by itself when it is over.
HOIST_TEST(members_are_in_the_order_of_ranks)
{
    hoist_program *program =
        read_text(t, "thread a {\ncollective barrier group 1 members 3 rank 2\nsignal s add 1\n}\n"
                     "thread b {\ncollective barrier group 1 members 3 rank 0\nsignal s add 1\n}\n"
                     "thread c {\ncollective barrier group 2 members 1 rank 0\n}\n"
                     "thread d {\nwait e == 1\ncollective barrier group 1 members 3 rank 1\n}\n"
                     "entry main {\nstart a\nstart b\nstart c\nstart d\n}\n");
    hoist_machine *machine = start(t, program, 0);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).block, HOIST_BLOCK_COLLECTIVE);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 3).block, HOIST_BLOCK_SEMAPHORE);
    HOIST_EXPECT_EQ(t, go(machine, 2).kind, HOIST_EVENT_ENDED);
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
    program =
        read_text(t, "thread a {\ncollective barrier group 1 members 3 rank 2\nsignal s add 1\n}\n"
                     "thread b {\ncollective barrier group 1 members 3 rank 0\nsignal s add 1\n}\n"
                     "thread d {\ncollective barrier group 1 members 3 rank 1\n}\n"
                     "entry main {\nstart a\nstart b\nstart d\n}\n");
    size_t members[4] = {9, 9, 9, 9};
    machine = start(t, program, 0);
    HOIST_EXPECT_EQ(t, hoist_machine_step(machine, 0).kind, HOIST_EVENT_DATA);
    HOIST_EXPECT_EQ(t, hoist_machine_collective(machine, 0, members, 4), 3);
    HOIST_EXPECT_EQ(t, members[0], 1);
    HOIST_EXPECT_EQ(t, members[1], 2);
    HOIST_EXPECT_EQ(t, members[2], 0);
    HOIST_EXPECT_EQ(t, members[3], 9);
    HOIST_EXPECT_EQ(t, hoist_machine_collective(machine, 0, members, 2), 2);
    HOIST_EXPECT(t, !hoist_machine_is_done(machine));
    HOIST_EXPECT_EQ(t, hoist_machine_peek(machine, 1).kind, HOIST_EVENT_BLOCKED);
    hoist_machine_finish(machine, 0);
    for (size_t i = 0; i < 3; i++) {
        HOIST_EXPECT_EQ(t, go(machine, i).kind, HOIST_EVENT_ENDED);
    }
    HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), 2);
    HOIST_EXPECT(t, hoist_machine_is_done(machine));
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

// Frames of calls within calls, as deep as they go.
HOIST_TEST(calls_have_a_greatest_depth)
{
    hoist_program *program =
        read_text(t, "thread a {\ncall deep\nsignal e add 1\n}\nentry main {\nstart a\n}\n");
    hoist_machine *machine = start(t, program, 0);
    static const uint32_t depths[] = {1, 2, 3, 1, 1};
    for (size_t i = 0; i < HOIST_COUNT_OF(depths); i++) {
        HOIST_EXPECT_EQ(t, hoist_machine_depth(machine, 0), depths[i]);
        for (uint32_t k = 0; k < 4; k++) {
            const hoist_ref function = k == 0 || k >= depths[i] ? NONE : k - 1;
            HOIST_EXPECT_EQ(t, hoist_machine_frame(machine, 0, k), function);
        }
        (void)hoist_machine_step(machine, 0);
    }
    HOIST_EXPECT_EQ(t, machine_semaphore(machine, 0), 1);
    HOIST_EXPECT_EQ(t, machine_semaphore(machine, 1), 1);
    hoist_machine_destroy(machine);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_stops_a_thread), HOIST_TEST_ROW(calls_are_nested_so_deep),
                HOIST_TEST_ROW(a_depth_for_all_units), HOIST_TEST_ROW(a_call_names_its_post),
                HOIST_TEST_ROW(members_are_in_the_order_of_ranks),
                HOIST_TEST_ROW(calls_have_a_greatest_depth))
