// Races step by step: which steps a schedule has, in what order, and what comes after what.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "base/tree.h"
#include "machine/order_testing.h"
#include "program/program_testing.h"

#define HEAD                                                                                       \
    "program p\nspace m\nbuffer x in m size 64 lifetime session contents zero\n"                   \
    "buffer y in m size 64 lifetime session contents zero\n"                                       \
    "buffer z in m size 64 lifetime session contents zero\nbuffer ring in m size 32\n"             \
    "fifo q queue of f32[4] slots 2 in [ring] slot_bytes 16 host_push\n"                           \
    "unit u depth 2\nsemaphore s\nsemaphore r\n"                                                   \
    "function fill {\nmove copy from [y f32[4]] to x f32[4]\n}\n"                                  \
    "function look {\nmove copy from [y f32[4]] to z f32[4]\n}\n"
#define WRITE "move copy from [y f32[4]] to x f32[4]\n"
#define READ "move copy from [x f32[4]] to z f32[4]\n"
#define TWO(a, b) "thread a {\n" a "}\nthread b {\n" b "}\nentry main {\nstart a\nstart b\n}\n"

// Of what is expected.
#define MOVE(thread, line, step)                                                                   \
    thread " : move (threads/" thread "/steps/" step ", " #line ":1), after\n"
#define PAIR                                                                                       \
    "a : signal (threads/a/steps/2, 20:1), after\na : signal (threads/a/steps/3, 21:1), after\n"
#define TEN PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *races; // a line for each: accesses, steps left out, then "process: step [after]"
} witnesses[] = {
    {"nothing comes before", TWO(WRITE, READ),
     "writes reads \n0 left out\n" MOVE("a", 18, "0") MOVE("b", 21, "0")},
    {"two writes", TWO(WRITE, WRITE),
     "writes writes \n0 left out\n" MOVE("a", 18, "0") MOVE("b", 21, "0")},
    {"what one of them waits for", TWO("signal s add 1\nwait r >= 1\n" WRITE, "signal r add 1\n" READ),
     "reads writes \n0 left out\na : signal (threads/a/steps/0, 18:1), after\n"
     "b : signal (threads/b/steps/0, 23:1), after\na : wait (threads/a/steps/1, 19:1), after 1\n"
     MOVE("b", 24, "1") MOVE("a", 20, "2")},
    {"what comes after both is not there", TWO(WRITE "signal s add 1\n", READ "signal r add 1\n"),
     "writes reads \n0 left out\n" MOVE("a", 18, "0") MOVE("b", 22, "0")},
    {"no race", TWO(WRITE "signal s add 1\n", "wait s >= 1\n" READ), ""},
    {"a call of a unit", TWO("post u fill\n", READ),
     "reads writes \n0 left out\na : post (threads/a/steps/0, 18:1), after\nu : begins a call, after 0\n"
     MOVE("b", 21, "0") "u : move (functions/fill/steps/0, 12:1), after\n"},
    {"the end of a call", TWO("post u look then [s add 1]\n" WRITE, "wait s >= 1\n" WRITE),
     "writes writes \n0 left out\na : post (threads/a/steps/0, 18:1), after\nu : begins a call, after 0\n"
     "u : move (functions/look/steps/0, 15:1), after\nu : ends the call, after\n"
     "b : wait (threads/b/steps/0, 22:1), after 0 3\n" MOVE("a", 19, "1") MOVE("b", 23, "1")},
    {"the host", TWO("await q\nmove copy from [read(q) f32[4]] to x f32[4]\nadvance q by 1\npop q by 1\n", READ),
     "writes reads \n0 left out\nhost : fills or empties a queue, after\n"
     "a : await (threads/a/steps/0, 18:1), after 0\n" MOVE("a", 19, "1") MOVE("b", 24, "0")},
    {"a thread of another entry",
     TWO("await q\nmove copy from [read(q) f32[4]] to x f32[4]\nadvance q by 1\npop q by 1\n", READ)
     "thread c {\n}\nentry other {\nstart c\n}\n",
     "writes reads \n0 left out\nhost : fills or empties a queue, after\n"
     "a : await (threads/a/steps/0, 18:1), after 0\n" MOVE("a", 19, "1") MOVE("b", 24, "0")},
    {"the last 80 steps", TWO("signal r add 1\nloop 40\nsignal s add 1\nsignal r add 1\nend\n" WRITE, READ),
     "writes reads \n1 left out\n" TEN TEN TEN TEN MOVE("a", 23, "5") MOVE("b", 26, "0")},
};
// clang-format on

// Writes a race as lines: its accesses and how many steps are left out, then each step.
static hoist_status write_event(void *self, const hoist_tree_event *event)
{
    hoist_buffer *const out = self;
    if (hoist_str_equal_c(event->key, "left_out")) {
        hoist_buffer_format(out, "%llu left out\n", (unsigned long long)event->uinteger);
    } else if (hoist_str_equal_c(event->key, "step")) {
        hoist_buffer_format(out, ": %.*s", HOIST_STR_ARGS(event->str));
    } else if (hoist_str_equal_c(event->key, "after")) {
        hoist_buffer_c(out, ", after");
    } else if (event->kind == HOIST_TREE_UINT) {
        hoist_buffer_format(out, " %llu", (unsigned long long)event->uinteger);
    } else if (event->kind == HOIST_TREE_STR && !hoist_str_equal_c(event->key, "message")) {
        hoist_buffer_format(out, "%.*s ", HOIST_STR_ARGS(event->str));
    } else if (event->kind == HOIST_TREE_END && out->size && out->data[out->size - 1] != '\n') {
        hoist_buffer_char(out, '\n');
    }
    return HOIST_OK;
}

HOIST_TEST_TABLE(races, witnesses)
{
    hoist_program *program =
        hoist_test_program(t, hoist_arena_format(&t->arena, HEAD "%s", row->text), HOIST_OK);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &text, .event = write_event};
    const hoist_order_options options = {.alloc = hoist_allocator_system(), .races = &sink};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 0, &options, t->diag, &verdict),
                        HOIST_OK);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), row->races);
    hoist_buffer_deinit(&text);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(races))
