// Which views each step reads and writes, in order: verifier, planner and machine rely on it.
#include "base/buffer.h"
#include "program/program_testing.h"
#include "program/uses.h"

// Rows that the steps name: buffers a to d, functions that write none, the first or the second of
// two views.
#define HEAD                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer a in m size 64\nbuffer b in m size 64\nbuffer c in m size 64\nbuffer d in m size 64\n" \
    "fifo q queue of f32[1] slots 2 in [d] slot_bytes 4 dynamic\n"                                 \
    "unit u depth 1\nsemaphore s\n"                                                                \
    "function none {\nparameter v view f32[1]\nparameter w view f32[1]\n}\n"                       \
    "function first {\nparameter v view f32[1] written\nparameter w view f32[1]\n}\n"              \
    "function second {\nparameter v view f32[1]\nparameter w view f32[1] written\n}\n"             \
    "function mixed {\nparameter n\nparameter w view f32[1] written\n}\n"                          \
    "thread t {\nregister i\n"

static const struct {
    const char *name;
    const char *step;
    const char *uses; // r or w and the number of the buffer or fifo, for each
} cases[] = {
    {"a copy", "move copy from [a f32[1]] to b f32[1]", "r0 w1"},
    {"a sum in place", "move add from [a f32[1], b f32[1]] to a f32[1]", "r0 r1 w0"},
    {"one source twice", "move add from [a f32[1], a f32[1]] to c f32[1]", "r0 r0 w2"},
    {"a table without sources", "move copy from [] to d f32[1] table [-1]", "w3"},
    {"slots", "move copy from [read(q) f32[1]] to write(q) f32[1]", "r0 w0"},
    {"a compute", "compute ieee.add from [a f32[1], b f32[1]] to [c f32[1]]", "r0 r1 w2"},
    {"outputs come last", "compute ieee.relu from [d f32[1]] to [b f32[1], a f32[1]]", "r3 w1 w0"},
    {"a compute of nothing", "compute ieee.relu from [] to []", ""},
    {"a barrier", "collective barrier group 0 members 1 rank 0", ""},
    {"a collective", "collective broadcast group 0 members 1 rank 0 from c f32[1] to d f32[1]",
     "r2 w3"},
    {"half a collective", "collective broadcast group 0 members 1 rank 0 to d f32[1]", "w3"},
    {"the other half", "collective broadcast group 0 members 1 rank 0 from d f32[1]", "r3"},
    {"a record", "opaque k reads [a f32[1], b f32[1]] writes [c f32[1], d f32[1]]", "r0 r1 w2 w3"},
    {"a record of nothing", "opaque k", ""},
    {"a call that writes nothing", "call none with [a f32[1], b f32[1]]", "r0 r1"},
    {"a call that writes the first", "call first with [a f32[1], b f32[1]]", "w0 r1"},
    {"a call that writes the second", "call second with [a f32[1], b f32[1]]", "r0 w1"},
    {"numbers are no views", "call mixed with [i, b f32[1]]", "w1"},
    {"a table writes what any of it writes", "call [none, second] at i with [a f32[1], b f32[1]]",
     "r0 w1"},
    {"all of a table", "call [first, none, second] at 0 with [a f32[1], b f32[1]]", "w0 w1"},
    {"a table of one", "call [none] at 0 with [a f32[1], b f32[1]]", "r0 r1"},
    {"an empty table", "call [] at 0 with [a f32[1]]", "r0"},
    {"more arguments than parameters", "call first with [a f32[1], b f32[1], c f32[1]]",
     "w0 r1 r2"},
    {"a call without arguments", "call first", ""},
    {"a post", "post u second with [c f32[1], d f32[1]] then [s add 1]", "r2 w3"},
    {"an alu", "alu i = add i 1", ""},
    {"a loop", "loop i", ""},
    {"an end", "end", ""},
    {"a branch", "branch i == 0 to 0", ""},
    {"a drain", "drain u", ""},
    {"a wait", "wait s >= 1", ""},
    {"a signal", "signal s add 1", ""},
    {"a reserve", "reserve q", ""},
    {"a push", "push q by 1", ""},
    {"an await", "await q", ""},
    {"an advance", "advance q by 1", ""},
    {"a pop", "pop q by 1", ""},
    {"a pointer", "set_pointer q read = 0", ""},
    {"an allocate", "allocate q", ""},
    {"a free", "free q", ""},
    {"a zero", "zero q", ""},
};

typedef struct recorder {
    const hoist_program *program;
    hoist_buffer text;
} recorder;

static void record(void *self, hoist_step_use use)
{
    recorder *r = self;
    hoist_buffer_format(&r->text, "%s%c%u", r->text.size ? " " : "", use.written ? 'w' : 'r',
                        (unsigned)r->program->views[use.view].of);
}

HOIST_TEST_TABLE(each_step_uses_its_views, cases)
{
    hoist_program *program = hoist_test_program(
        t, hoist_arena_format(&t->arena, "%s%s\n}\n", HEAD, row->step), HOIST_OK);
    if (!program) {
        return;
    }
    recorder r = {.program = program};
    hoist_buffer_init(&r.text, hoist_allocator_system());
    hoist_step_uses(program, &program->threads[0].code.steps[0], record, &r);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&r.text), row->uses);
    hoist_buffer_deinit(&r.text);
    hoist_program_destroy(program);
}

// A step without a row above would be one whose uses were not looked at.
HOIST_TEST(every_step_has_a_row)
{
    bool seen[HOIST_STEP_COUNT] = {false};
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        hoist_program *program = hoist_test_program(
            t, hoist_arena_format(&t->arena, "%s%s\n}\n", HEAD, cases[i].step), HOIST_OK);
        if (program) {
            seen[program->threads[0].code.steps[0].kind] = true;
        }
        hoist_program_destroy(program);
    }
    for (int i = 0; i < HOIST_STEP_COUNT; i++) {
        if (!seen[i]) {
            hoist_test_fail(t, __FILE__, __LINE__, "no row has step %d", i);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_step_uses_its_views), HOIST_TEST_ROW(every_step_has_a_row))
