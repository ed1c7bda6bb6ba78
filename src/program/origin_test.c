// The shortest way from an input of a program to one of its steps: through buffers, windows and
// queues, by whatever code writes them.
#include "base/buffer.h"
#include "program/origin.h"
#include "program/program_testing.h"

#define HEAD                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 64 lifetime session contents caller\n"                                     \
    "buffer y in m size 64 lifetime session contents caller\n"                                     \
    "buffer a in m size 64\nbuffer b in m size 64\nbuffer w in m size 32 window a offset 0\n"      \
    "buffer s in m size 64 lifetime session contents zero\n"                                       \
    "fifo q queue of f32[1] slots 2 in [s] slot_bytes 4 host_push\n"                               \
    "thread t {\n"
#define COPY(label, from, to) label ": move copy from [" from " f32[1]] to " to " f32[1]\n"

static const struct {
    const char *name;
    const char *steps;
    const char *way;
} cases[] = {
    {"the input itself", COPY("end", "x", "b"), "x end"},
    {"a step between", COPY("one", "x", "a") COPY("end", "a", "b"), "x one end"},
    {"a window of its buffer", COPY("one", "x", "w") COPY("end", "a", "b"), "x one end"},
    {"the way is the shortest",
     COPY("one", "x", "a") "two: move add from [a f32[1], y f32[1]] to b f32[1]\n" COPY("end", "b",
                                                                                        "a"),
     "y two end"},
    {"of two inputs the first operand's", "end: move add from [y f32[1], x f32[1]] to b f32[1]\n",
     "y end"},
    {"a queue", "await q\n" COPY("end", "read(q)", "b"), "q end"},
    {"no input", COPY("one", "b", "a") COPY("end", "a", "b"), "- end"},
    {"in place", "end: move add from [a f32[1], a f32[1]] to a f32[1]\n", "- end"},
};

static const hoist_prog_step *step_called(const hoist_program *program, const char *label)
{
    const hoist_prog_code *code = &program->threads[0].code;
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (hoist_str_equal_c(code->steps[i].label, label)) {
            return &code->steps[i];
        }
    }
    return NULL;
}

static void write_way(const hoist_origin *origin, hoist_buffer *out)
{
    hoist_buffer_str(out, origin->input.size ? origin->input : HOIST_STR("-"));
    for (size_t i = 0; i < origin->count; i++) {
        hoist_buffer_format(out, " %.*s", HOIST_STR_ARGS(origin->steps[i]->label));
    }
}

static hoist_program *program_of(hoist_test *t, const char *steps)
{
    return hoist_test_program(
        t, hoist_arena_format(&t->arena, "%s%s}\nentry e {\nstart t\n}\n", HEAD, steps), HOIST_OK);
}

HOIST_TEST_TABLE(ways, cases)
{
    hoist_program *program = program_of(t, row->steps);
    hoist_origin origin = {.count = 0};
    if (program) {
        HOIST_EXPECT_EQ(t,
                        hoist_origin_find(program, step_called(program, "end"),
                                          hoist_allocator_system(), &origin),
                        HOIST_OK);
        hoist_buffer way;
        hoist_buffer_init(&way, hoist_allocator_system());
        write_way(&origin, &way);
        HOIST_EXPECT_STR(t, hoist_buffer_text(&way), row->way);
        HOIST_EXPECT_STR(t, origin.code, "t");
        hoist_buffer_deinit(&way);
    }
    hoist_origin_deinit(&origin, hoist_allocator_system());
    hoist_program_destroy(program);
}

static hoist_status find_starved(hoist_allocator alloc, const void *self)
{
    const hoist_program *program = self;
    hoist_origin origin;
    const hoist_status status =
        hoist_origin_find(program, step_called(program, "end"), alloc, &origin);
    hoist_origin_deinit(&origin, alloc);
    return status;
}

HOIST_TEST(without_memory)
{
    hoist_program *program = program_of(t, cases[1].steps);
    if (program) {
        hoist_test_starve(t, find_starved, program);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ways), HOIST_TEST_ROW(without_memory))
