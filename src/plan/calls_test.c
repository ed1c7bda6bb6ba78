#include "plan/calls.h"
#include "program/builder.h"
#include "program/text.h"
#include "testing/test.h"

// A function is written as one line of steps: "ab" moves buffer a to buffer b, '[' and ']' are a
// loop,
// '^' branches back to the first step, '}' to the step behind the last '{', '0'..'9' call that
// function. Buffers a..h have 64 bytes, the
// capital letters 128.
enum { BUFFERS = 16 };

static hoist_ref view_of(hoist_builder *b, char name, const hoist_ref *buffers, hoist_ref layout)
{
    const hoist_ref index = name >= 'a' ? (hoist_ref)(name - 'a') : (hoist_ref)(name - 'A' + 8);
    return hoist_builder_view(b, &(hoist_prog_view){.of = buffers[index],
                                                    .dtype = HOIST_DTYPE_U8,
                                                    .layout = layout,
                                                    .reg = HOIST_NO_REF});
}

static void add_steps(hoist_builder *b, const char *text, const hoist_ref *buffers,
                      hoist_ref layout)
{
    uint32_t count = 0;
    uint32_t mark = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '{') {
            mark = count;
            continue;
        }
        hoist_prog_step step = {.kind = HOIST_STEP_MOVE};
        hoist_move_source source = {0};
        hoist_prog_move move = {.sources = &source, .source_count = 1};
        if (*p == '[') {
            step.kind = HOIST_STEP_LOOP;
        } else if (*p == ']') {
            step.kind = HOIST_STEP_END;
        } else if (*p == '^' || *p == '}') {
            step.kind = HOIST_STEP_BRANCH;
            step.as.branch.target_step = *p == '}' ? mark : 0;
        } else if (*p >= '0' && *p <= '9') {
            step.kind = HOIST_STEP_CALL;
            step.as.call.target.function = (hoist_ref)(*p - '0');
        } else {
            source.view = view_of(b, p[0], buffers, layout);
            move.destination = view_of(b, p[1], buffers, layout);
            step.as.move = &move;
            p++;
        }
        (void)hoist_builder_step(b, &step);
        count++;
    }
}

static hoist_program *program_of(hoist_test *t, const char *const *functions, size_t count,
                                 hoist_lifetime lifetime)
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    const hoist_ref layout = hoist_builder_layout(b, &(hoist_prog_layout){0});
    hoist_ref buffers[BUFFERS];
    for (uint32_t i = 0; i < BUFFERS; i++) {
        buffers[i] = hoist_builder_buffer(
            b, &(hoist_prog_buffer){.size = i < 8 ? 64 : 128,
                                    .window_of = i == 7 ? 8 : HOIST_NO_REF, // h: inside A
                                    .window_offset = i == 7 ? 64 : 0,
                                    .lifetime = lifetime});
    }
    for (size_t i = 0; i < count; i++) {
        (void)hoist_builder_begin_function(b, &(hoist_prog_function){.name = HOIST_STR("f")});
        add_steps(b, functions[i], buffers, layout);
        hoist_builder_end_code(b);
    }
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    return program;
}

// clang-format off
static const struct {
    const char *name;
    const char *functions[3];
    size_t count;
    hoist_status status;
    uint64_t bytes[3];
    uint64_t with_all[3];
} cases[] = {
    {"nothing",                   {""},               1, HOIST_OK,      {0},             {0}},
    {"two that live together",    {"ab"},             1, HOIST_OK,      {128},           {128}},
    {"a chain shares",            {"abbccdde"},       1, HOIST_OK,      {128},           {128}},
    {"one lives through",         {"abbccdda"},       1, HOIST_OK,      {192},           {192}},
    {"different sizes",           {"AbbCCd"},         1, HOIST_OK,      {192},           {192}},
    {"a loop keeps all of it",    {"ab[bccd]de"},     1, HOIST_OK,      {192},           {192}},
    {"a branch back is a loop",   {"abbccd^"},        1, HOIST_OK,      {256},           {256}},
    {"a window is its base",      {"ahbc"},           1, HOIST_OK,      {192},           {192}},
    {"calls add up",              {"ab1", "cd", "ef"},3, HOIST_OK,      {128, 128, 128}, {256, 128, 128}},
    {"the deepest call counts",   {"ab", "CD02", "efgE"}, 3, HOIST_OK,  {128, 256, 192}, {128, 448, 192}},
    {"calls of calls",            {"ab1", "cd2", "ef"}, 3, HOIST_OK,    {128, 128, 128}, {384, 256, 128}},
    {"two functions, one buffer", {"ab", "bc"},       2, HOIST_OK,      {128, 128},      {128, 128}},
    {"shared ones keep apart",    {"abcd", "caef"},   2, HOIST_OK,      {192, 256},      {192, 256}},
    {"one that calls the other",  {"ab1", "bc"},      2, HOIST_OK,      {128, 128},      {256, 128}},
};
// clang-format on

HOIST_TEST_TABLE(bytes_of_calls, cases)
{
    hoist_program *program = program_of(t, row->functions, row->count, HOIST_LIFETIME_CALL);
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    row->status);
    for (size_t i = 0; i < row->count && row->status == HOIST_OK; i++) {
        HOIST_EXPECT_EQ(t, plan.bytes[i], row->bytes[i]);
        HOIST_EXPECT_EQ(t, plan.with_all[i], row->with_all[i]);
    }
    hoist_call_plan_deinit(&plan);
    hoist_program_destroy(program);
}

HOIST_TEST(windows_stand_in_their_base)
{
    const char *const steps = "ahAb";
    hoist_program *program = program_of(t, &steps, 1, HOIST_LIFETIME_CALL);
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, plan.offset[7], plan.offset[8] + 64);
    HOIST_EXPECT(t, plan.offset[2] == UINT64_MAX); // c is not used
    hoist_call_plan_deinit(&plan);
    hoist_program_destroy(program);
}

HOIST_TEST(other_lifetimes_are_not_planned)
{
    const char *const steps = "ab";
    hoist_program *program = program_of(t, &steps, 1, HOIST_LIFETIME_RUN);
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, plan.bytes[0], 0);
    HOIST_EXPECT(t, plan.offset[0] == UINT64_MAX);
    hoist_call_plan_deinit(&plan);
    hoist_program_destroy(program);
}

HOIST_TEST(threads_have_no_calls)
{
    static const char text[] = "program p\nspace m\nbuffer a in m size 4\nthread t {\n"
                               "move copy from [a u8[2]] to a u8[2] + 2\n}\n";
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    hoist_program *program = NULL;
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    HOIST_INVALID);
    hoist_program_destroy(program);
}

static hoist_status build_with(hoist_allocator alloc, const void *self)
{
    hoist_call_plan plan;
    const hoist_status status = hoist_call_plan_build(self, NULL, alloc, &plan);
    hoist_call_plan_deinit(&plan);
    return status;
}

// Of lives that begin and end everywhere, so that every set of places grows.
HOIST_TEST(every_failing_allocation_is_no_memory)
{
    static const char *const steps[] = {"abbc", "aBbCcDdEeFfGgAaC[cDdE]eFfGgB"};
    for (size_t i = 0; i < HOIST_COUNT_OF(steps); i++) {
        hoist_program *program = program_of(t, &steps[i], 1, HOIST_LIFETIME_CALL);
        hoist_test_starve(t, build_with, program);
        hoist_program_destroy(program);
    }
}

// Windows that come before their base, and all buffers of a program used.
HOIST_TEST(the_first_buffer_may_be_a_window)
{
    static const char text[] = "program p\nspace m\nbuffer w in m size 4 window a offset 60\n"
                               "buffer a in m size 64\nfunction f {\n"
                               "move copy from [w u8[4]] to a u8[4]\n}\n";
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    hoist_program *program = NULL;
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, plan.offset[0], 60);
    HOIST_EXPECT_EQ(t, plan.offset[1], 0);
    HOIST_EXPECT_EQ(t, plan.bytes[0], 64);
    hoist_call_plan_deinit(&plan);
    hoist_program_destroy(program);
}

#define CUT "f32 tiled(mblock 2x2)"
#define OTHER "f32 tiled(mblock 2x2 column_major)"
#define EXP(from, to) "compute golden.exp from [" from " " CUT "] to [" to " " CUT "]\n"
#define ADD(one, other, to)                                                                        \
    "compute golden.add from [" one " " CUT ", " other " " CUT "] to [" to " " CUT "]\n"
#define KEEP(from) "move copy from [" from " " CUT "] to x " CUT "\n"

// clang-format off
static const struct {
    const char *name;
    const char *code;
    const char *same; // buffers with one place
    uint64_t bytes;
} places[] = {
    {"an input that dies",       EXP("x", "a") EXP("a", "b") KEEP("b"), "ab", 16384},
    {"a chain",                  EXP("x", "a") EXP("a", "b") EXP("b", "c") KEEP("c"), "abc", 16384},
    {"one that is read later",   EXP("x", "a") EXP("a", "b") ADD("a", "b", "c") KEEP("c"), "ac", 32768},
    {"the other one",            EXP("x", "a") EXP("x", "b") ADD("a", "b", "c") ADD("a", "c", "d") KEEP("d"), "bc", 32768},
    {"both inputs",              EXP("x", "a") ADD("a", "a", "b") KEEP("b"), "ab", 16384},
    {"by a table, too",          EXP("x", "a") "move copy from [a " CUT "] to d " CUT " table [3, 2, 1, 0]\n" ADD("a", "d", "b") KEEP("b"), "", 32768},
    {"in another order",         EXP("x", "a") "compute golden.exp from [a " CUT "] to [b " OTHER "]\n" KEEP("b"), "", 32768},
    {"not tile by tile",         EXP("x", "a") "compute golden.matmul from [a " CUT ", x " CUT "] to [b " CUT "]\n" KEEP("b"), "", 32768},
    {"a larger buffer",          EXP("x", "a") EXP("a", "e") KEEP("e"), "", 49152},
    {"in a loop",                "loop 2\n" EXP("x", "a") EXP("a", "b") KEEP("b") "end\n", "", 32768},
};
// clang-format on

HOIST_TEST_TABLE(outputs_replace_inputs, places)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "program p\nspace m\nbuffer x in m size 16384 lifetime session contents zero\n"
        "buffer a in m size 16384\nbuffer b in m size 16384\nbuffer c in m size 16384\n"
        "buffer d in m size 16384\nbuffer e in m size 32768\nfunction f {\n%s}\n",
        row->code);
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    hoist_program *program = NULL;
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, plan.bytes[0], row->bytes);
    for (const char *p = row->same; *p && p[1]; p++) {
        HOIST_EXPECT_EQ(t, plan.offset[1 + p[0] - 'a'], plan.offset[1 + p[1] - 'a']);
    }
    hoist_call_plan_deinit(&plan);
    hoist_program_destroy(program);
}

// The plan by its definition, without any order that saves time: every buffer is compared with
// every loop and with every buffer placed before.
typedef struct life {
    hoist_ref buffer;
    uint32_t first;
    uint32_t last;
    uint64_t at;
} life;

static void stretch_over(life *all, size_t count, uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < count; i++) {
        if (all[i].first <= last && all[i].last >= first) {
            all[i].first = all[i].first < first ? all[i].first : first;
            all[i].last = all[i].last > last ? all[i].last : last;
        }
    }
}

static size_t lives_of(const hoist_program *program, life *out)
{
    const hoist_prog_code *code = &program->functions[0].code;
    size_t count = 0;
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind != HOIST_STEP_MOVE) {
            continue;
        }
        const hoist_prog_move *move = code->steps[i].as.move;
        const hoist_ref views[] = {move->sources[0].view, move->destination};
        for (size_t k = 0; k < 2; k++) {
            const hoist_ref buffer = hoist_prog_root(program, program->views[views[k]].of, NULL);
            size_t at = 0;
            while (at < count && out[at].buffer != buffer) {
                at++;
            }
            out[at] = at < count ? out[at] : (life){buffer, i, i, 0};
            out[at].last = i;
            count += at == count;
        }
    }
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_LOOP) {
            stretch_over(out, count, i, code->steps[i].as.loop.end);
        }
    }
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_BRANCH) {
            stretch_over(out, count, code->steps[i].as.branch.target_step, i);
        }
    }
    return count;
}

static void place_by_definition(const hoist_program *program, life *all, size_t count)
{
    bool placed[BUFFERS] = {false};
    for (size_t n = 0; n < count; n++) {
        size_t next = count; // the largest, of these the first
        for (size_t i = 0; i < count; i++) {
            const uint64_t size = program->buffers[all[i].buffer].size;
            const uint64_t best = next < count ? program->buffers[all[next].buffer].size : 0;
            if (!placed[i] && (next == count || size > best ||
                               (size == best && all[i].buffer < all[next].buffer))) {
                next = i;
            }
        }
        for (size_t i = 0; i < count;) {
            const bool meet = all[i].last >= all[next].first && all[i].first <= all[next].last;
            const bool hit = placed[i] && meet &&
                             all[next].at < all[i].at + program->buffers[all[i].buffer].size &&
                             all[next].at + program->buffers[all[next].buffer].size > all[i].at;
            all[next].at = hit ? all[i].at + program->buffers[all[i].buffer].size : all[next].at;
            i = hit ? 0 : i + 1;
        }
        placed[next] = true;
    }
}

// A function of up to 24 moves, in loops, and with branches back that overlap.
static void random_steps(uint64_t *state, char *out)
{
    uint32_t depth = 0;
    for (int i = 0; i < 24; i++) {
        const uint64_t kind = hoist_test_random(state) % 12;
        if (kind == 0 && depth < 3) {
            *out++ = '[';
            depth++;
        } else if (kind == 1 && depth > 0) {
            *out++ = ']';
            depth--;
        } else if (kind < 4 && depth == 0) {
            *out++ = kind == 2 ? '{' : '}';
        } else {
            *out++ = "abcdefgABCDEF"[hoist_test_random(state) % 13];
            *out++ = "abcdefgABCDEF"[hoist_test_random(state) % 13];
        }
    }
    while (depth-- > 0) {
        *out++ = ']';
    }
    *out = 0;
}

HOIST_TEST(plans_are_those_of_the_definition)
{
    uint64_t seed = 1;
    for (int round = 0; round < HOIST_TEST_ROUNDS(2000); round++) {
        char text[64];
        life lives[BUFFERS];
        random_steps(&seed, text);
        const char *const steps = text;
        hoist_program *program = program_of(t, &steps, 1, HOIST_LIFETIME_CALL);
        const size_t count = lives_of(program, lives);
        for (size_t i = 0; i < count; i++) {
            lives[i].at = 0;
        }
        place_by_definition(program, lives, count);
        hoist_call_plan plan;
        HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                        HOIST_OK);
        for (size_t i = 0; i < count; i++) {
            HOIST_EXPECT_EQ(t, plan.offset[lives[i].buffer], lives[i].at);
        }
        hoist_call_plan_deinit(&plan);
        hoist_program_destroy(program);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bytes_of_calls), HOIST_TEST_ROW(plans_are_those_of_the_definition),
                HOIST_TEST_ROW(outputs_replace_inputs), HOIST_TEST_ROW(windows_stand_in_their_base),
                HOIST_TEST_ROW(the_first_buffer_may_be_a_window),
                HOIST_TEST_ROW(other_lifetimes_are_not_planned),
                HOIST_TEST_ROW(threads_have_no_calls),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
