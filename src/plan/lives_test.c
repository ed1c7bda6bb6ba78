// What lives where and when in memory that steps share (lives.h), as lines of text.
#include "base/buffer.h"
#include "base/span.h"
#include "plan/lives.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

// The caller reads w; b0 and b1 are of one call, g of a group that stores nothing.
#define HEAD                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 4096 lifetime session contents zero\n"                                     \
    "buffer u in m size 4096 lifetime session contents zero\n"                                     \
    "buffer v in m size 4096 lifetime session contents zero\n"                                     \
    "buffer w in m size 4096 lifetime session contents zero\n"                                     \
    "buffer b0 in m size 512\nbuffer b1 in m size 1024\nbuffer g in m size 1024\n"                 \
    "port in in x of f32[1024]\nport result in w of f32[1024] result\n"
#define COPY(from, to) "move copy from [" from " f32[1024]] to " to " f32[1024]\n"
#define PART(from, to, n) "move copy from [" from " f32[" n "]] to " to " f32[" n "]\n"
#define RUN "entry run {\n    start a\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *lives; // "BUFFER FIRST-LAST of CODE at OFFSET"
} cases[] = {
    {"values of a thread", "thread a {\n" COPY("x", "u") COPY("u", "v") COPY("v", "w") "}\n" RUN,
     "u 0-1 of 0 at 0; v 1-2 of 0 at 4096; w 2-2 of 0 at 0;"},
    {"buffers of a call", "function f {\n" PART("x", "b0", "128") PART("b0", "b1", "128") PART("b1", "w", "128") "}\nthread a {\ncall f\n}\n" RUN,
     "b0 0-1 of 0 at 1024; b1 1-2 of 0 at 0;"},
    {"what is never stored", "function f {\ncompute ark.exp from [x f32[256]] to [g f32[256]]\ncompute ark.exp from [g f32[256]] to [w f32[256]]\n}\n"
     "thread a {\ncall f\n}\n" RUN, ""},
    {"a value alone", "thread a {\n" COPY("x", "w") COPY("w", "x") "}\n" RUN, "w 0-1 of 0 at 0;"},
    {"what was there before", "thread a {\n" COPY("w", "u") COPY("v", "w") COPY("u", "v") "}\n" RUN, "u 0-2 of 0 at 0;"},
};
// clang-format on

static hoist_program *program_of(hoist_test *t, const char *text)
{
    hoist_buffer all;
    hoist_program *program = NULL;
    hoist_buffer_init(&all, hoist_allocator_system());
    hoist_buffer_c(&all, HEAD);
    hoist_buffer_c(&all, text);
    HOIST_EXPECT_EQ(
        t,
        hoist_program_parse(hoist_buffer_bytes(&all), hoist_allocator_system(), t->diag, &program),
        HOIST_OK);
    hoist_buffer_deinit(&all);
    HOIST_EXPECT_EQ(t, hoist_program_verify_fully(program, t->diag, hoist_allocator_system()),
                    HOIST_OK);
    return program;
}

HOIST_TEST_TABLE(what_lives_when, cases)
{
    hoist_program *const program = program_of(t, row->text);
    hoist_arena arena;
    hoist_buffer lines;
    hoist_plan_lives found;
    hoist_arena_init(&arena, hoist_allocator_system());
    hoist_buffer_init(&lines, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_plan_lives_find(program, NULL, &arena, &found), HOIST_OK);
    for (size_t i = 0; i < found.count; i++) {
        const hoist_plan_life *const life = &found.lives[i];
        hoist_buffer_format(&lines, "%s%.*s %u-%u of %u at %llu;", i ? " " : "",
                            HOIST_STR_ARGS(program->buffers[life->buffer].name), life->first,
                            life->last, life->code, (unsigned long long)life->offset);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&lines), row->lives);
    hoist_buffer_deinit(&lines);
    hoist_arena_deinit(&arena);
    hoist_program_destroy(program);
}

HOIST_TEST(a_deadline_ends_it)
{
    hoist_program *const program = program_of(t, cases[0].text);
    hoist_deadline *const over = hoist_test_deadline(t, 0);
    hoist_arena arena;
    hoist_plan_lives found;
    hoist_arena_init(&arena, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_plan_lives_find(program, over, &arena, &found), HOIST_LIMIT);
    hoist_arena_deinit(&arena);
    hoist_deadline_destroy(over);
    hoist_program_destroy(program);
}

static hoist_status find_once(hoist_allocator alloc, const void *self)
{
    hoist_arena arena;
    hoist_plan_lives found;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = hoist_plan_lives_find(self, NULL, &arena, &found);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *const thread = program_of(t, cases[0].text);
    hoist_program *const call = program_of(t, cases[1].text);
    hoist_test_starve(t, find_once, thread);
    hoist_test_starve(t, find_once, call);
    hoist_program_destroy(call);
    hoist_program_destroy(thread);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_lives_when), HOIST_TEST_ROW(a_deadline_ends_it),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
