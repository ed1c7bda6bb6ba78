// Ops with cores of their own: what they wait for, what goes on at the same time, in order of the
// program.
#include "base/span.h"
#include "cost/pipeline.h"
#include "program/program_testing.h"
#include "testing/test.h"

// p makes a, q makes b of a, r makes c of a, s makes d of b and c, t none of these, u makes d of a
// window of a; v reads what the caller of f names.
#define STEPS                                                                                      \
    " p: move copy from [e f32[2]] to a f32[2]\n"                                                  \
    " q: move copy from [a f32[2]] to b f32[2]\n r: move copy from [a f32[2]] to c f32[2]\n"       \
    " s: move copy from [b f32[1], c f32[1]] to d f32[2]\n"                                        \
    " t: move copy from [e f32[2]] to e f32[2]\n"                                                  \
    " u: move copy from [w f32[2]] to d f32[2]\n"
#define PROGRAM                                                                                    \
    "program p\nspace m\n"                                                                         \
    "buffer a in m size 64 lifetime session contents zero\n"                                       \
    "buffer b in m size 64 lifetime session contents zero\n"                                       \
    "buffer c in m size 64 lifetime session contents zero\n"                                       \
    "buffer d in m size 64 lifetime session contents zero\n"                                       \
    "buffer e in m size 64 lifetime session contents zero\n"                                       \
    "buffer w in m size 8 window a lifetime session\n"                                             \
    "function f {\n parameter in view f32[2]\n" STEPS                                              \
    " v: move copy from [param(in) f32[2]] to d f32[2]\n}\n"                                       \
    "function g {\n" STEPS "}\nthread main {\n" STEPS "}\nentry run {\n start main\n}\n"

typedef struct pass {
    int step; // 0 to 6: p, q, r, s, t, u, v; -1: ends the list
    double computing;
    double moving;
    hoist_ref function;
    double begin; // expected
    double end;
} pass;

static const struct {
    const char *name;
    pass passes[9];
} runs[] = {
    {"an op waits for what it reads", {{0, 2, 0, 0, 0, 2}, {1, 3, 0, 0, 2, 5}, {.step = -1}}},
    {"ops that read the same go on at the same time",
     {{0, 2, 0, 0, 0, 2},
      {1, 3, 0, 0, 2, 5},
      {2, 4, 0, 0, 2, 6},
      {3, 1, 0, 0, 6, 7},
      {.step = -1}}},
    {"the next call begins when the cores are free",
     {{0, 2, 0, 0, 0, 2},
      {1, 3, 0, 0, 2, 5},
      {0, 2, 0, 0, 2, 4},
      {1, 3, 0, 0, 5, 8},
      {.step = -1}}},
    {"an op that nothing leads to begins at once",
     {{0, 2, 0, 0, 0, 2}, {4, 1, 0, 0, 0, 1}, {.step = -1}}},
    {"a window has its buffer's bytes", {{0, 2, 0, 0, 0, 2}, {5, 1, 0, 0, 2, 3}, {.step = -1}}},
    {"a place that the caller names may be any",
     {{0, 2, 0, 0, 0, 2}, {6, 1, 0, 0, 2, 3}, {4, 1, 0, 0, 3, 4}, {.step = -1}}},
    {"another function waits for all", {{0, 2, 0, 0, 0, 2}, {4, 1, 0, 1, 2, 3}, {.step = -1}}},
    {"so does the code of a thread",
     {{0, 2, 0, 0, 0, 2}, {1, 1, 0, HOIST_NO_REF, 2, 3}, {.step = -1}}},
    {"a step that takes no time passes on what it reads",
     {{0, 2, 0, 0, 0, 2},
      {1, 0, 0, 0, 2, 2},
      {2, 0, 0, 0, 2, 2},
      {3, 1, 0, 0, 2, 3},
      {.step = -1}}},
    {"memory carries one transfer at a time",
     {{0, 0, 2, 0, 0, 2}, {4, 0, 3, 0, 2, 5}, {.step = -1}}},
    {"an op takes as long as its transfer", {{0, 1, 4, 0, 0, 4}, {1, 1, 0, 0, 4, 5}, {.step = -1}}},
    {"a transfer takes place while others compute",
     {{0, 5, 1, 0, 0, 5}, {4, 0, 2, 0, 1, 3}, {1, 1, 0, 0, 5, 6}, {.step = -1}}},
};

enum { STEPS_OF_F = 7, CODES = 3 };

// Steps with a work each, in place of those of f, g and main.
static void give_works(const hoist_program *program, hoist_prog_step steps[CODES][STEPS_OF_F])
{
    for (size_t i = 0; i < CODES; i++) {
        const hoist_prog_code *const code =
            i < 2 ? &program->functions[i].code : &program->threads[0].code;
        for (uint32_t k = 0; k < code->step_count; k++) {
            steps[i][k] = code->steps[k];
            steps[i][k].work = k + 1;
        }
    }
}

static void go(hoist_test *t, hoist_pipeline *pipeline, const hoist_program *program,
               const pass *passes)
{
    double now = 0;
    hoist_pipeline_reset(pipeline);
    for (const pass *p = passes; p->step >= 0; p++) {
        const hoist_prog_code *const code = p->function == HOIST_NO_REF
                                                ? &program->threads[0].code
                                                : &program->functions[p->function].code;
        const hoist_pipeline_step passing = {.step = &code->steps[p->step],
                                             .function = p->function,
                                             .now = now,
                                             .computing = p->computing,
                                             .moving = p->moving};
        const hoist_pipeline_span span = hoist_pipeline_pass(pipeline, &passing);
        HOIST_EXPECT(t, span.begin == p->begin && span.end == p->end);
        now = span.end > now ? span.end : now;
    }
}

HOIST_TEST_TABLE(ops_overlap, runs)
{
    hoist_program *program = hoist_test_program(t, HOIST_STR(PROGRAM), HOIST_OK);
    hoist_prog_step steps[CODES][STEPS_OF_F];
    hoist_pipeline pipeline;
    if (!program) {
        return;
    }
    give_works(program, steps);
    const hoist_prog_work works[STEPS_OF_F + 1] = {{.has_cores = true}};
    hoist_program with = *program;
    hoist_prog_function functions[2] = {program->functions[0], program->functions[1]};
    hoist_prog_thread thread = program->threads[0];
    functions[0].code.steps = steps[0];
    functions[1].code.steps = steps[1];
    thread.code.steps = steps[2];
    with.functions = functions;
    with.threads = &thread;
    with.works = works;
    with.work_count = HOIST_COUNT_OF(works);
    HOIST_EXPECT_EQ(t, hoist_pipeline_init(&pipeline, &with, 1, &t->arena), HOIST_OK);
    go(t, &pipeline, &with, row->passes);
    go(t, &pipeline, &with, row->passes); // it begins anew
    hoist_program_destroy(program);
}

static hoist_status init_once(hoist_allocator alloc, const void *self)
{
    hoist_pipeline pipeline;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = hoist_pipeline_init(&pipeline, self, 1, &arena);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = hoist_test_program(t, HOIST_STR(PROGRAM), HOIST_OK);
    hoist_test_starve(t, init_once, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ops_overlap), HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
