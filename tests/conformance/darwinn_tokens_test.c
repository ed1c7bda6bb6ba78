// Which parameters are sent to the chip, and when (darwinn reference section 6): sequences of
// requests of models with two tokens, against the section written down as it stands.
#include <string.h>

#include "base/alloc.h"
#include "lower/darwinn/bench_testing.h"
#include "runtime/session.h"

enum { MODELS = 4, LONGEST = 5, RUNS = 2, ROOM = 2 * LONGEST };

// Packages a, b and c have caching executables; d, stand alone, has no token.
static const uint64_t tokens[MODELS] = {7, 7, UINT64_C(0xfce222d70d502fb8), 0};
static const char *const names[MODELS] = {"a", "b", "c", "d"};

// Requests, or caching runs: models in their order.
typedef struct sequence {
    size_t count;
    uint8_t items[ROOM];
} sequence;

// Section 6.
static sequence expected(const sequence *requests)
{
    uint64_t token = 0;
    bool cached[MODELS] = {false};
    sequence runs = {0};
    for (size_t i = 0; i < RUNS * requests->count; i++) {
        const uint8_t m = requests->items[i % requests->count];
        if (tokens[m] == 0 || tokens[m] != token) {
            token = 0;
            memset(cached, 0, sizeof cached);
        }
        if (tokens[m] != 0 && !cached[m]) {
            token = tokens[m];
            cached[m] = true;
            runs.items[runs.count++] = m;
        }
    }
    return runs;
}

// What is seen of a session: steps of functions that send parameters to be kept.
typedef struct watch {
    const hoist_program *program;
    hoist_ref functions[MODELS]; // HOIST_NO_REF: it has none
    sequence runs;
} watch;

static void look(void *self, const hoist_prog_step *step)
{
    watch *const w = self;
    for (int i = 0; i < MODELS; i++) {
        if (w->functions[i] == HOIST_NO_REF) {
            continue;
        }
        const hoist_prog_code *const code = &w->program->functions[w->functions[i]].code;
        if (step >= code->steps && step < code->steps + code->step_count && w->runs.count < ROOM) {
            w->runs.items[w->runs.count++] = (uint8_t)i;
        }
    }
}

static hoist_program *make_program(hoist_test *t, const hoist_bytes packages[MODELS],
                                   const sequence *requests, hoist_driver driver)
{
    darwinn_bench bench;
    darwinn_lower_model models[MODELS];
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = driver;
    for (int i = 0; i < MODELS; i++) {
        HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, packages[i], names[i], &models[i]), HOIST_OK);
        HOIST_EXPECT(t, darwinn_lower_drive_prepare(&models[i]));
    }
    const hoist_lower_view image = darwinn_bench_buffer(&bench, "image", HOIST_DTYPE_U8, 60);
    const hoist_lower_view outputs[] = {darwinn_bench_buffer(&bench, "grid", HOIST_DTYPE_U8, 640),
                                        darwinn_bench_buffer(&bench, "scores", HOIST_DTYPE_I8, 10)};
    darwinn_bench_thread(&bench);
    for (size_t i = 0; i < requests->count; i++) {
        darwinn_lower_drive_run(&models[requests->items[i]],
                                &(darwinn_lower_request){&image, outputs, 1});
    }
    hoist_program *const program = darwinn_bench_finish(&bench);
    darwinn_bench_end(&bench);
    return program;
}

static hoist_ref find(hoist_test *t, const hoist_program *program, const char *model)
{
    const hoist_str name = hoist_arena_format(&t->arena, "%s/caching/transfer1", model);
    for (uint32_t i = 0; i < program->function_count; i++) {
        if (hoist_str_equal(program->functions[i].name, name)) {
            return i;
        }
    }
    return HOIST_NO_REF;
}

// Caching runs of two runs of the program in one session: what was remembered lasts.
static sequence run(hoist_test *t, const hoist_program *program)
{
    const hoist_session_options options = {.struct_size = sizeof options, .sequential = true};
    hoist_session *s = NULL;
    watch w = {.program = program};
    for (int i = 0; i < MODELS; i++) {
        w.functions[i] = find(t, program, names[i]);
    }
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &s), HOIST_OK);
    if (s) {
        s->before_work = look;
        s->before_work_self = &w;
    }
    for (int i = 0; s && i < RUNS; i++) {
        HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 20), HOIST_OK);
    }
    hoist_session_close(s);
    return w.runs;
}

static void judge(hoist_test *t, const hoist_bytes packages[MODELS], const sequence *requests,
                  hoist_driver driver)
{
    char text[ROOM + 1] = {0};
    for (size_t i = 0; i < requests->count; i++) {
        text[i] = names[requests->items[i]][0];
    }
    hoist_test_row(t, text);
    hoist_program *const program = make_program(t, packages, requests, driver);
    if (program) {
        const sequence got = run(t, program);
        const sequence want = expected(requests);
        HOIST_EXPECT_EQ(t, got.count, want.count);
        HOIST_EXPECT(t, memcmp(got.items, want.items, sizeof got.items) == 0);
    }
    hoist_program_destroy(program);
}

static void make_packages(hoist_test *t, hoist_bytes packages[MODELS])
{
    for (int i = 0; i < MODELS; i++) {
        dwn_draft draft = dwn_draft_of(t, tokens[i] ? DWN_PAIR : DWN_PLAIN);
        for (size_t k = 0; k < draft.count; k++) {
            draft.executables[k]->parameter_caching_token = tokens[i];
        }
        packages[i] = dwn_draft_package(&draft);
    }
}

// All sequences of so many requests of the first models.
static void judge_all(hoist_test *t, size_t models, size_t length, hoist_driver driver)
{
    hoist_bytes packages[MODELS];
    size_t count = 1;
    make_packages(t, packages);
    for (size_t i = 0; i < length; i++) {
        count *= models;
    }
    for (size_t i = 0; i < count; i++) {
        sequence requests = {.count = length};
        for (size_t k = 0, left = i; k < length; k++, left /= models) {
            requests.items[k] = (uint8_t)(left % models);
        }
        judge(t, packages, &requests, driver);
    }
}

HOIST_TEST(three_packages_with_two_tokens)
{
    for (size_t length = 1; length <= LONGEST; length++) {
        judge_all(t, 3, length, HOIST_DRIVER_USB);
    }
}

HOIST_TEST(one_without_a_token_forgets_all)
{
    for (size_t length = 1; length <= 3; length++) {
        judge_all(t, MODELS, length, HOIST_DRIVER_PCIE);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(three_packages_with_two_tokens),
                HOIST_TEST_ROW(one_without_a_token_forgets_all))
