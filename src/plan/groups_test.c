// Which steps of programs are done block by block, and what is not stored then.
#include "base/buffer.h"
#include "plan/calls.h"
#include "plan/groups.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

// Lines of 8,192 elements, and matrices [64, 128] of the same size; x and y outlive a call, and y
// has a port. b0 to b3 are of one call.
#define ROWS                                                                                       \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 32768 lifetime session contents zero\n"                                    \
    "buffer y in m size 32768 lifetime session contents zero\n"                                    \
    "buffer z in m size 65536 lifetime session contents zero\n"                                    \
    "buffer b0 in m size 32768 contents zero\n"                                                    \
    "buffer b1 in m size 32768 contents zero\n"                                                    \
    "buffer b2 in m size 32768 contents zero\n"                                                    \
    "buffer b3 in m size 32768 contents zero\n"                                                    \
    "buffer w in m size 64 window b2 offset 128 contents zero\n"                                   \
    "buffer big in m size 1048576 contents zero\n"                                                 \
    "fifo q queue of f32[8192] slots 2 in [z] slot_bytes 32768 host_push\n"                        \
    "port y in y of f32[8192] result\n"                                                            \
    "semaphore s\n"
#define MAIN "thread main {\n    call f\n}\nentry run {\n    start main\n}\n"
#define FUNCTION(text) "function f {\n" text "}\n" MAIN

#define EXP(from, to) "compute ark.exp from [" from "] to [" to "]\n"
#define ADD(a, b, to) "compute ark.add from [" a ", " b "] to [" to "]\n"
#define SUM(from, to) "compute ark.reduce_sum(axis 1, keep_dims 1) from [" from "] to [" to "]\n"
#define SQUARE(name) name " f32[64, 64]"
#define PRODUCT(a, b, to)                                                                          \
    "compute ark.matmul(transpose_a 0, transpose_b 0) from [" a " f32[64, 8], " b                  \
    " f32[8, 64]] to [" to "]\n"
#define RECEIVE(to) "move copy from [read(q) f32[8192]] to " to "\n"
#define LINE(name) name " f32[8192]"
#define MATRIX(name) name " f32[64, 128]"
#define EACH_ROW(name) name " f32[64, 1]"
#define OVER_ROWS(name) name " f32[64, 128] by [4, 0]"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *groups;
} cases[] = {
    {"one step", FUNCTION(EXP(LINE("x"), LINE("y"))), ""},
    {"two of no common bytes", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b1"), LINE("y"))),
     "0: 0-1 [8192] 2 x 4096, b0 at 0 of 16384"},
    {"a chain", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("b1")) ADD(LINE("b0"), LINE("b1"), LINE("y"))),
     "0: 0-2 [8192] 2 x 4096, b0 at 0 of 16384, b1 at 16384 of 16384"},
    {"places are used again", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("b1")) EXP(LINE("b1"), LINE("b2")) EXP(LINE("b2"), LINE("y"))),
     "0: 0-3 [8192] 2 x 4096, b0 at 0 of 16384, b1 at 16384 of 16384, b2 at 0 of 16384"},
    {"in place", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("b0")) EXP(LINE("b0"), LINE("y"))),
     "0: 0-2 [8192] 2 x 4096, b0 at 0 of 16384"},
    {"a later reader", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("y")) "signal s add 1\n" EXP(LINE("b0"), LINE("x"))),
     "0: 0-1 [8192] 2 x 4096"},
    {"a reader before it", FUNCTION(EXP(LINE("b0"), LINE("x")) "signal s add 1\n" EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("y"))),
     "0: 2-3 [8192] 2 x 4096"},
    {"read before it is written", FUNCTION(EXP(LINE("b0"), LINE("b1")) EXP(LINE("b1"), LINE("b0"))),
     "0: 0-1 [8192] 2 x 4096, b1 at 0 of 16384"},
    {"more is read than was written", FUNCTION(EXP("x f32[64] by [8]", "b0 f32[64] by [8]") EXP("b0 f32[64] by [8] + 4", "y f32[64] by [8]")),
     "0: 0-1 [64] 1 x 64"},
    {"a part is read", FUNCTION(EXP(MATRIX("x"), MATRIX("b0")) EXP("b0 f32[64, 4] by [512, 4] + 16", "y f32[64, 4]")),
     "0: 0-1 [64] 2 x 32, b0 at 0 of 16384"},
    {"values of a session that no port has", FUNCTION(EXP(LINE("y"), LINE("x")) EXP(LINE("x"), LINE("y"))),
     "0: 0-1 [8192] 2 x 4096, x at 0 of 16384"},
    {"a port", FUNCTION(EXP(LINE("x"), LINE("y")) EXP(LINE("y"), LINE("x"))),
     "0: 0-1 [8192] 2 x 4096"},
    {"a fifo's memory", FUNCTION(EXP(LINE("x"), LINE("z")) EXP(LINE("z"), LINE("y"))),
     "0: 0-1 [8192] 2 x 4096"},
    {"other shapes", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(MATRIX("b0"), MATRIX("y"))), ""},
    {"ones between", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP("b0 f32[1, 8192, 1]", "y f32[1, 8192, 1]")),
     "0: 0-1 [8192] 2 x 4096, b0 at 0 of 16384"},
    {"rows with gaps", FUNCTION(EXP("x f32[4, 60] by [256, 4]", "b0 f32[4, 60] by [256, 4]") EXP("b0 f32[4, 60] by [256, 4]", "y f32[4, 60]")),
     "0: 0-1 [4, 60] 1 x 4, b0 at 0 of 1008"},
    {"one element further", FUNCTION(EXP("x f32[64]", "b0 f32[64]") EXP("b0 f32[64] + 4", "y f32[64]")), ""},
    {"written where it is still read", FUNCTION(EXP("x f32[64]", "y f32[64]") EXP("y f32[64]", "x f32[64] + 4")), ""},
    {"backwards", FUNCTION(EXP("x f32[64]", "b0 f32[64]") EXP("b0 f32[64] by [-4] + 252", "y f32[64]")), ""},
    {"one element is written for all", FUNCTION(EXP("x f32[64]", "b0 f32[64]") ADD("b0 f32[64]", "x f32[64] by [0]", "x f32[64]")), ""},
    {"one element for all", FUNCTION(EXP("x f32[64]", "b0 f32[64]") ADD("b0 f32[64]", "b1 f32[64] by [0]", "y f32[64]")),
     "0: 0-1 [64] 1 x 64, b0 at 0 of 256"},
    {"a window of what was written", FUNCTION(EXP("x f32[16]", "b2 f32[16]") EXP("w f32[16]", "y f32[16]")),
     "0: 0-1 [16] 1 x 16"},
    {"a window of what is written", FUNCTION(EXP("x f32[16]", "b2 f32[16] + 128") EXP("w f32[16]", "y f32[16]")),
     "0: 0-1 [16] 1 x 16, b2 at 0 of 64"},
    {"other types", FUNCTION("compute ark.cast from [x f32[4096]] to [b0 f16[4096]]\n" "compute ark.exp from [b0 f16[4096]] to [y f16[4096]]\n"),
     "0: 0-1 [4096] 1 x 4096, b0 at 0 of 8192"},
    {"rows and what is made of them", FUNCTION(SUM(MATRIX("x"), EACH_ROW("b0")) ADD(MATRIX("x"), OVER_ROWS("b0"), MATRIX("b1")) EXP(MATRIX("b1"), MATRIX("y"))),
     "0: 0-2 [64] 2 x 32, b0 at 0 of 128, b1 at 128 of 16384"},
    {"sums of columns", FUNCTION(EXP(MATRIX("x"), MATRIX("b0")) "compute ark.reduce_sum(axis 0, keep_dims 1) from [b0 f32[64, 128]] to [y f32[1, 128]]\n"), ""},
    {"sums of all", FUNCTION(EXP(LINE("x"), LINE("b0")) "compute ark.reduce_sum(axis 0, keep_dims 1) from [b0 f32[8192]] to [y f32[1]]\n"), ""},
    {"pairs", FUNCTION(EXP("x f32[4, 64]", "b0 f32[4, 64]") "compute ark.rope from [b0 f32[4, 64], x f32[4, 64]] to [y f32[4, 64]]\n"),
     "0: 0-1 [4] 1 x 4, b0 at 0 of 1024"},
    {"rows that just fit", FUNCTION(EXP("big f32[2, 16384]", "big f32[2, 16384]") "compute ark.reduce_max(axis 1, keep_dims 0) from [big f32[2, 16384]] to [y f32[2]]\n"),
     "0: 0-1 [2] 2 x 1"},
    {"rows that are too long", FUNCTION(EXP("big f32[2, 16385]", "big f32[2, 16385]") "compute ark.reduce_max(axis 1, keep_dims 0) from [big f32[2, 16385]] to [y f32[2]]\n"), ""},
    {"the last block is smaller", FUNCTION(EXP("big f32[9000]", "big f32[9000]") EXP("big f32[9000]", "big f32[9000]")),
     "0: 0-1 [9000] 3 x 4096"},
    {"outer dimensions", FUNCTION(EXP("big f32[3, 5000]", "big f32[3, 5000]") EXP("big f32[3, 5000]", "big f32[3, 5000]")),
     "0: 0-1 [3, 5000] 6 x 4096"},
    {"a control step between", FUNCTION(EXP(LINE("x"), LINE("b0")) "signal s add 1\n" EXP(LINE("b0"), LINE("y"))), ""},
    {"a push between", FUNCTION(EXP(LINE("x"), LINE("b0")) "await q\npop q by 1\n" EXP(LINE("b0"), LINE("y"))), ""},
    {"a slot of a fifo", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP("read(q) f32[8192]", LINE("y"))), ""},
    {"a product", FUNCTION(EXP("x f32[8, 8]", "b0 f32[8, 8]") "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[8, 8], b0 f32[8, 8]] to [y f32[8, 8]]\n"), ""},
    {"a message and what is made of it", FUNCTION("await q\n" RECEIVE(LINE("b0")) ADD(LINE("b0"), LINE("x"), LINE("y")) "advance q by 1\npop q by 1\n"),
     "0: 1-2 [8192] 2 x 4096, b0 at 0 of 16384"},
    {"a message that is read later", FUNCTION("await q\n" RECEIVE(LINE("b0")) ADD(LINE("b0"), LINE("x"), LINE("y")) "advance q by 1\npop q by 1\n" EXP(LINE("b0"), LINE("x"))),
     "0: 1-2 [8192] 2 x 4096"},
    {"a message that lands transposed", FUNCTION("await q\nmove copy from [read(q) f32[64, 128]] to b0 f32[64, 128] by [4, 256]\n" EXP("b0 f32[64, 128] by [4, 256]", MATRIX("y"))),
     ""},
    {"a message of another shape", FUNCTION("await q\nmove copy from [read(q) f32[8192]] to b0 f32[64, 128]\n" EXP(MATRIX("b0"), MATRIX("y"))), ""},
    {"a message whose slot is written", FUNCTION("await q\n" RECEIVE(LINE("b0")) EXP(LINE("b0"), LINE("z")) EXP(LINE("x"), LINE("y"))),
     "0: 2-3 [8192] 2 x 4096"},
    {"a slot that was given back", FUNCTION("await q\n" RECEIVE(LINE("b0")) "advance q by 1\npop q by 1\n" EXP(LINE("b0"), LINE("y"))), ""},
    {"a message between others", FUNCTION("await q\n" EXP(LINE("x"), LINE("b1")) RECEIVE(LINE("b0")) EXP(LINE("b0"), LINE("y"))),
     "0: 2-3 [8192] 2 x 4096, b0 at 0 of 16384"},
    {"a product and what is made of it", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) EXP(SQUARE("b0"), SQUARE("b1")) ADD(SQUARE("b1"), SQUARE("b0"), SQUARE("y"))),
     "0: 0-2 [64, 64] 1 x 64, b0 at 0 of 0, b1 at 0 of 16384"},
    {"a product that is read later", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) EXP(SQUARE("b0"), SQUARE("b1")) ADD(SQUARE("b1"), SQUARE("b0"), SQUARE("y")) "signal s add 1\n" EXP(SQUARE("b0"), SQUARE("x"))),
     "0: 0-2 [64, 64] 1 x 64, b1 at 0 of 16384"},
    {"columns of a product", FUNCTION("compute ark.matmul(transpose_a 0, transpose_b 0) from [x f32[100, 2], z f32[2, 300]] to [big f32[100, 300]]\n" EXP("big f32[100, 300]", "big f32[100, 300]")),
     "0: 0-1 [100, 300] 14 x 16, big at 0 of 0"},
    {"few rows of a product", FUNCTION("compute ark.matmul(transpose_a 0, transpose_b 0) from [x f32[2, 2], z f32[2, 4000]] to [big f32[2, 4000]]\n" EXP("big f32[2, 4000]", "b0 f32[2, 4000]") EXP("b0 f32[2, 4000]", "big f32[2, 4000]")),
     "0: 0-2 [2, 4000] 2 x 2, big at 0 of 0, b0 at 0 of 16384"},
    {"rows of a product that are reduced", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) EXP(SQUARE("b0"), SQUARE("b1")) EXP(SQUARE("b1"), SQUARE("b2")) SUM(SQUARE("b2"), "b3 f32[64, 1]") ADD(SQUARE("b2"), "b3 f32[64, 64] by [4, 0]", SQUARE("y"))),
     "0: 0-1 [64, 64] 1 x 64, b0 at 0 of 0\n0: 2-4 [64] 1 x 64, b2 at 0 of 16384, b3 at 16384 of 256"},
    {"columns of a product that are reduced", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) EXP(SQUARE("b0"), SQUARE("b1")) "compute ark.reduce_sum(axis 0, keep_dims 1) from [b1 f32[64, 64]] to [y f32[1, 64]]\n"),
     "0: 0-1 [64, 64] 1 x 64, b0 at 0 of 0"},
    {"what a product multiplies is written", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) EXP(SQUARE("b0"), SQUARE("x"))), ""},
    {"a product of what it gives", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) PRODUCT("b0", "z", SQUARE("b1")) EXP(SQUARE("b1"), SQUARE("y"))),
     "0: 1-2 [64, 64] 1 x 64, b1 at 0 of 0"},
    {"another shape after a product", FUNCTION(PRODUCT("x", "z", SQUARE("b0")) EXP("b0 f32[32, 128]", "y f32[32, 128]")), ""},
    {"a place that a register gives", "function f {\n    parameter n\n" EXP(LINE("x"), LINE("b0")) EXP("b0 f32[8] + n * 4", "y f32[8]") "}\nthread main {\n    call f with [0]\n}\nentry run {\n    start main\n}\n", ""},
    {"in a loop", FUNCTION("loop 3\n" EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("y")) "end\n"),
     "0: 1-2 [8192] 2 x 4096, b0 at 0 of 16384"},
    {"over the end of a loop", FUNCTION("loop 3\n" EXP(LINE("x"), LINE("b0")) "end\n" EXP(LINE("b0"), LINE("y"))), ""},
    {"a branch into it", FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("b1")) "here: " EXP(LINE("b1"), LINE("b2")) EXP(LINE("b2"), LINE("y")) "branch 0 == 1 to here\n"),
     "0: 0-1 [8192] 2 x 4096, b0 at 0 of 16384\n0: 2-3 [8192] 2 x 4096, b2 at 0 of 16384"},
    {"two functions", "function e {\n" EXP(LINE("b0"), LINE("x")) "}\n" FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("y"))),
     "1: 0-1 [8192] 2 x 4096"},
    {"a thread", "thread main {\n" EXP(LINE("x"), LINE("x")) EXP(LINE("x"), LINE("y")) "}\nentry run {\n    start main\n}\n",
     "0: 0-1 [8192] 2 x 4096"},
};
// clang-format on

static hoist_program *program_of(hoist_test *t, const char *rest)
{
    hoist_program *program = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_str(&out, HOIST_STR(ROWS));
    hoist_buffer_str(&out, hoist_str_from(rest));
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    hoist_buffer_deinit(&out);
    if (hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program) != HOIST_OK ||
        hoist_program_verify(program, t->diag) != HOIST_OK ||
        hoist_diag_count(t->diag, HOIST_ERROR) > 0) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s", (int)all.size, all.data);
        hoist_program_destroy(program);
        return NULL;
    }
    return program;
}

// "CODE: FIRST-LAST [EXTENTS] BLOCKS x INDICES, BUFFER at OFFSET of SIZE, ...", a line for each.
static void write_group(const hoist_program *program, const hoist_group_plan *plan,
                        const hoist_group *g, hoist_buffer *out)
{
    hoist_buffer_format(out, "%s%u: %u-%u [", out->size ? "\n" : "", g->code, g->first,
                        g->first + g->count - 1);
    for (int i = 0; i < g->lead; i++) {
        hoist_buffer_format(out, "%s%llu", i ? ", " : "", (unsigned long long)g->extent[i]);
    }
    hoist_buffer_format(out, "] %llu x %llu", (unsigned long long)g->blocks,
                        (unsigned long long)g->most[g->axis]);
    for (uint32_t i = 0; i < g->local_count; i++) {
        const hoist_group_local *local = &plan->locals[g->local_first + i];
        hoist_buffer_format(out, ", %.*s at %llu of %llu",
                            HOIST_STR_ARGS(program->buffers[local->buffer].name),
                            (unsigned long long)local->offset, (unsigned long long)local->size);
    }
}

static hoist_str text_of(hoist_test *t, const hoist_program *program, const hoist_group_plan *plan)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < plan->count; i++) {
        write_group(program, plan, &plan->groups[i], &out);
    }
    const hoist_str all = hoist_buffer_text(&out);
    const hoist_str copy = hoist_arena_str(&t->arena, all);
    hoist_buffer_deinit(&out);
    return copy;
}

HOIST_TEST_TABLE(groups, cases)
{
    hoist_program *program = program_of(t, row->text);
    hoist_group_plan plan;
    if (program) {
        const hoist_group_options options = {.alloc = hoist_allocator_system()};
        HOIST_EXPECT_EQ(t, hoist_group_plan_build(program, &options, &plan), HOIST_OK);
        HOIST_EXPECT_STR(t, text_of(t, program, &plan), row->groups);
        hoist_group_plan_deinit(&plan);
    }
    hoist_program_destroy(program);
}

// Only what the caller may read is kept.
HOIST_TEST(ports_that_are_not_read)
{
    hoist_program *program =
        program_of(t, FUNCTION(EXP(LINE("x"), LINE("y")) EXP(LINE("y"), LINE("x"))));
    static const struct {
        bool is_read;
        const char *groups;
    } rows[] = {{true, "0: 0-1 [8192] 2 x 4096"},
                {false, "0: 0-1 [8192] 2 x 4096, y at 0 of 16384"}};
    for (size_t i = 0; program && i < 2; i++) {
        hoist_group_plan plan;
        const hoist_group_options options = {.alloc = hoist_allocator_system(),
                                             .is_read = &rows[i].is_read};
        HOIST_EXPECT_EQ(t, hoist_group_plan_build(program, &options, &plan), HOIST_OK);
        HOIST_EXPECT_STR(t, text_of(t, program, &plan), rows[i].groups);
        hoist_group_plan_deinit(&plan);
    }
    hoist_program_destroy(program);
}

// Chains of `steps` steps, each of a buffer of its own.
static hoist_str chain(hoist_test *t, uint32_t steps, uint32_t elements)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (uint32_t i = 0; i <= steps; i++) {
        hoist_buffer_format(&out, "buffer c%u in m size %u lifetime session contents zero\n", i,
                            elements * 4);
    }
    hoist_buffer_format(&out, "port c in c%u of f32[%u] result\nfunction f {\n", steps, elements);
    for (uint32_t i = 0; i < steps; i++) {
        hoist_buffer_format(&out, "compute ark.exp from [c%u f32[%u]] to [c%u f32[%u]]\n", i,
                            elements, i + 1, elements);
    }
    hoist_buffer_format(&out, "}\n%s", MAIN);
    const hoist_str all = hoist_buffer_text(&out);
    const hoist_str copy = hoist_arena_str(&t->arena, all);
    hoist_buffer_deinit(&out);
    return copy;
}

HOIST_TEST(long_chains_are_several_groups)
{
    hoist_program *program = program_of(t, chain(t, 2 * HOIST_GROUP_STEPS + 1, 16).data);
    hoist_group_plan plan;
    const hoist_group_options options = {.alloc = hoist_allocator_system()};
    HOIST_EXPECT_EQ(t, hoist_group_plan_build(program, &options, &plan), HOIST_OK);
    HOIST_EXPECT_EQ(t, plan.count, 2);
    for (size_t i = 0; i < plan.count; i++) {
        const hoist_prog_step *steps = program->functions[0].code.steps;
        HOIST_EXPECT_EQ(t, plan.groups[i].count, HOIST_GROUP_STEPS);
        HOIST_EXPECT(t, hoist_group_at(&plan, &steps[i * HOIST_GROUP_STEPS]) == &plan.groups[i]);
        HOIST_EXPECT(t, !hoist_group_at(&plan, &steps[i * HOIST_GROUP_STEPS + 1]));
        HOIST_EXPECT_EQ(t, plan.groups[i].local_count, HOIST_GROUP_STEPS - 1);
        HOIST_EXPECT_EQ(t, plan.groups[i].scratch, 128); // two places
    }
    hoist_group_plan_deinit(&plan);
    hoist_program_destroy(program);
}

// Every element is in one block.
HOIST_TEST(boxes_cover_all)
{
    hoist_group group = {
        .lead = 3, .extent = {2, 3, 10}, .axis = 2, .most = {1, 1, 4}, .blocks = 18};
    uint32_t seen[2][3][10] = {{{0}}};
    for (uint64_t i = 0; i < group.blocks; i++) {
        const hoist_group_box box = hoist_group_box_of(&group, i);
        HOIST_EXPECT_EQ(t, box.count[0] * box.count[1], 1);
        HOIST_EXPECT(t, box.begin[2] + box.count[2] <= 10);
        for (uint64_t k = 0; k < box.count[2]; k++) {
            seen[box.begin[0]][box.begin[1]][box.begin[2] + k]++;
        }
    }
    for (size_t i = 0; i < 60; i++) {
        HOIST_EXPECT_EQ(t, seen[i / 30][i / 10 % 3][i % 10], 1);
    }
}

// Buffers of a group live together, whichever of its steps use them.
HOIST_TEST(steps_of_a_group_are_one_moment)
{
    hoist_program *program =
        program_of(t, FUNCTION(EXP(LINE("x"), LINE("b0")) EXP(LINE("b0"), LINE("b1"))
                                   EXP(LINE("b1"), LINE("b2")) EXP(LINE("b2"), LINE("y"))));
    const hoist_group_options options = {.alloc = hoist_allocator_system()};
    hoist_group_plan plan;
    HOIST_EXPECT_EQ(t, hoist_group_plan_build(program, &options, &plan), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        hoist_call_plan calls;
        HOIST_EXPECT_EQ(
            t, hoist_call_plan_build(program, i ? &plan : NULL, hoist_allocator_system(), &calls),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, calls.bytes[0], i ? 3 * 32768 : 2 * 32768);
        hoist_call_plan_deinit(&calls);
    }
    hoist_group_plan_deinit(&plan);
    hoist_program_destroy(program);
}

static hoist_status build(hoist_allocator alloc, const void *program)
{
    hoist_group_plan plan;
    const hoist_group_options options = {.alloc = alloc};
    const hoist_status status = hoist_group_plan_build(program, &options, &plan);
    hoist_group_plan_deinit(&plan);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = program_of(t, chain(t, 12, 8192).data);
    hoist_test_starve(t, build, program);
    hoist_program_destroy(program);
    program =
        program_of(t, chain(t, HOIST_GROUP_STEPS + 2, 16).data); // two groups, one after the other
    hoist_test_starve(t, build, program);
    hoist_program_destroy(program);
}

HOIST_TEST(a_deadline_ends_it)
{
    hoist_program *program = program_of(t, chain(t, 2, 8192).data);
    hoist_deadline *deadline = NULL;
    hoist_group_plan plan;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), 0, &deadline), HOIST_OK);
    const hoist_group_options options = {.alloc = hoist_allocator_system(), .deadline = deadline};
    HOIST_EXPECT_EQ(t, hoist_group_plan_build(program, &options, &plan), HOIST_LIMIT);
    hoist_group_plan_deinit(&plan);
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(groups), HOIST_TEST_ROW(ports_that_are_not_read),
                HOIST_TEST_ROW(long_chains_are_several_groups), HOIST_TEST_ROW(boxes_cover_all),
                HOIST_TEST_ROW(steps_of_a_group_are_one_moment),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory),
                HOIST_TEST_ROW(a_deadline_ends_it))
