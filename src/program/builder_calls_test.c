// Calls of the builder in the wrong order, and what is shared: equal layouts and views, and no
// others.
#include "program/builder.h"
#include "testing/test.h"

// Calls as letters: T thread, F function, E end of the code, R register, S step, L loop, N end,
// P space.
static hoist_ref call(hoist_builder *b, char what)
{
    static const hoist_str name = {"n", 1};
    switch (what) {
    case 'T':
        return hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = name});
    case 'F':
        return hoist_builder_begin_function(b, &(hoist_prog_function){.name = name});
    case 'R':
        return hoist_builder_register(b, &(hoist_prog_register){.name = name});
    case 'S':
        return hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_ALU});
    case 'L':
        return hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_LOOP});
    case 'N':
        return hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_END});
    case 'P':
        return hoist_builder_space(b, &(hoist_prog_space){.name = name});
    default:
        hoist_builder_end_code(b);
        return 0;
    }
}

static const struct {
    const char *name;
    const char *calls;
    hoist_status status; // of the finish
    const char *results; // of each call: its number, - for HOIST_NO_REF
} orders[] = {
    {"nothing", "", HOIST_OK, ""},
    {"a space", "P", HOIST_OK, "0"},
    {"rows are numbered", "PPP", HOIST_OK, "012"},
    {"a thread", "TE", HOIST_OK, "00"},
    {"steps are numbered", "TSSLNE", HOIST_OK, "001230"},
    {"registers are numbered", "TRRRE", HOIST_OK, "00120"},
    {"steps begin anew", "TSSETSE", HOIST_OK, "0010100"},
    {"registers begin anew", "FRRETRE", HOIST_OK, "0010000"},
    {"threads and functions count for themselves", "TEFETEFE", HOIST_OK, "00001010"},
    {"rows between steps", "TSPSE", HOIST_OK, "00010"},
    {"registers between steps", "TSRSRE", HOIST_OK, "000110"},
    {"an end twice", "TEE", HOIST_OK, "000"},
    {"a step outside", "S", HOIST_INTERNAL, "-"},
    {"a loop outside", "L", HOIST_INTERNAL, "-"},
    {"an end outside", "N", HOIST_INTERNAL, "-"},
    {"a register outside", "R", HOIST_INTERNAL, "-"},
    {"a step behind the end", "TSES", HOIST_INTERNAL, "000-"},
    {"a register behind the end", "TRER", HOIST_INTERNAL, "000-"},
    {"a thread in a thread", "TT", HOIST_INTERNAL, "0-"},
    {"a function in a thread", "TSF", HOIST_INTERNAL, "00-"},
    {"a thread in a function", "FT", HOIST_INTERNAL, "0-"},
    {"a function in a function", "FRF", HOIST_INTERNAL, "00-"},
    {"a thread that does not end", "TS", HOIST_INTERNAL, "00"},
    {"a function that does not end", "F", HOIST_INTERNAL, "0"},
    {"failures stay", "SPTRSEP", HOIST_INTERNAL, "-----0-"},
    {"the rows before a failure do not help", "PPSP", HOIST_INTERNAL, "01--"},
};

HOIST_TEST_TABLE(calls_have_an_order, orders)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_builder_create(hoist_failing_allocator(&failing, 0), HOIST_STR("p"), &b),
                    HOIST_OK);
    char results[16] = "";
    for (size_t i = 0; row->calls[i]; i++) {
        const hoist_ref ref = call(b, row->calls[i]);
        results[i] = ref == HOIST_NO_REF ? '-' : (char)('0' + ref);
    }
    HOIST_EXPECT_STR(t, hoist_str_from(results), row->results);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), row->status);
    HOIST_EXPECT_EQ(t, program != NULL, row->status == HOIST_OK);
    hoist_program_destroy(program);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST_TABLE(builders_can_be_dropped, orders)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_builder *b = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_builder_create(hoist_failing_allocator(&failing, 0), HOIST_STR("p"), &b),
                    HOIST_OK);
    for (size_t i = 0; row->calls[i]; i++) {
        (void)call(b, row->calls[i]);
    }
    HOIST_EXPECT(t, failing.live > 0);
    hoist_builder_destroy(b);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

// Targets ----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t branch; // which step is given a target: 0 is an alu, 1 a branch to 0, there is no 2
    uint32_t target;
    uint32_t expected; // of step 1
} targets[] = {
    {"a branch", 1, 7, 7},
    {"another step", 0, 7, 0},
    {"a step that is not there", 2, 7, 0},
    {"no step", HOIST_NO_REF, 7, 0},
};

HOIST_TEST_TABLE(targets_are_set_later, targets)
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    (void)call(b, 'T');
    HOIST_EXPECT_EQ(t, hoist_builder_next_step(b), 0);
    (void)hoist_builder_step(b,
                             &(hoist_prog_step){.kind = HOIST_STEP_ALU, .as.alu.destination = 5});
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_BRANCH});
    HOIST_EXPECT_EQ(t, hoist_builder_next_step(b), 2);
    hoist_builder_set_target(b, row->branch, row->target);
    hoist_builder_end_code(b);
    HOIST_EXPECT_EQ(t, hoist_builder_next_step(b), 0);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    HOIST_EXPECT_EQ(t, program->threads[0].code.steps[0].as.alu.destination, 5);
    HOIST_EXPECT_EQ(t, program->threads[0].code.steps[1].as.branch.target_step, row->expected);
    hoist_program_destroy(program);
}

// Loops: the partner of each step, - for none.
static const struct {
    const char *name;
    const char *calls; // L, N and S in a thread
    const char *partners;
} loops[] = {
    {"one", "LN", "10"},
    {"two", "LNLN", "1032"},
    {"one in another", "LLNN", "3210"},
    {"steps between", "LSLSNSNS", "6.4.2.0."},
    {"an end too many", "LNN", "10-"},
    {"a loop too many", "LLN", "-21"},
    {"the wrong way round", "NL", "--"},
};

HOIST_TEST_TABLE(loops_find_their_ends, loops)
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    (void)call(b, 'T');
    for (size_t i = 0; row->calls[i]; i++) {
        (void)call(b, row->calls[i]);
    }
    hoist_builder_end_code(b);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    const hoist_prog_code *code = &program->threads[0].code;
    char partners[16] = "";
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        const hoist_ref at = step->kind == HOIST_STEP_LOOP ? step->as.loop.end : step->as.end.begin;
        partners[i] = step->kind == HOIST_STEP_ALU ? '.'
                      : at == HOIST_NO_REF         ? '-'
                                                   : (char)('0' + at);
    }
    HOIST_EXPECT_STR(t, hoist_str_from(partners), row->partners);
    hoist_program_destroy(program);
}

// Sharing ----------------------------------------------------------------------------------------

#define TILED(...)                                                                                 \
    {                                                                                              \
        .kind = HOIST_LAYOUT_TILED, __VA_ARGS__                                                    \
    }
#define STRIDED(...)                                                                               \
    {                                                                                              \
        .kind = HOIST_LAYOUT_STRIDED, __VA_ARGS__                                                  \
    }

static const struct {
    const char *name;
    bool same;
    hoist_prog_layout a;
    hoist_prog_layout b;
} layouts[] = {
    {"equal shapes", true, STRIDED(.shape = {.rank = 1, .dim = {4}}, .stride = {4}),
     STRIDED(.shape = {.rank = 1, .dim = {4}}, .stride = {4})},
    {"what is beyond the rank", true, STRIDED(.shape = {.rank = 1, .dim = {4, 5}}, .stride = {4}),
     STRIDED(.shape = {.rank = 1, .dim = {4, 6}}, .stride = {4, 7})},
    {"a tiling of a strided layout", true, STRIDED(.tiling.t = 1), STRIDED(.tiling.t = 2)},
    {"flat of a strided layout", true, STRIDED(.flat = true), STRIDED(.flat = false)},
    {"another rank", false, STRIDED(.shape = {.rank = 1, .dim = {1, 0}}),
     STRIDED(.shape = {.rank = 2, .dim = {1, 0}})},
    {"another dimension", false, STRIDED(.shape = {.rank = 2, .dim = {4, 5}}),
     STRIDED(.shape = {.rank = 2, .dim = {4, 6}})},
    {"another stride", false, STRIDED(.shape = {.rank = 1, .dim = {4}}, .stride = {4}),
     STRIDED(.shape = {.rank = 1, .dim = {4}}, .stride = {-4})},
    {"another kind", false, STRIDED(.flat = false), TILED(.flat = false)},
    {"equal tilings", true, TILED(.tiling.t = 2, .flat = true), TILED(.tiling.t = 2, .flat = true)},
    {"a shape of a tiling", true, TILED(.shape.rank = 1), TILED(.shape.rank = 2)},
    {"flat", false, TILED(.flat = true), TILED(.flat = false)},
    {"slices", false, TILED(.tiling.t = 1), TILED(.tiling.t = 2)},
    {"rows of the grid", false, TILED(.tiling.grid_rows = 1), TILED(.tiling.grid_rows = 2)},
    {"columns of the grid", false, TILED(.tiling.grid_cols = 1), TILED(.tiling.grid_cols = 2)},
    {"rows of macro blocks", false, TILED(.tiling.mblock_m = 1), TILED(.tiling.mblock_m = 2)},
    {"columns of macro blocks", false, TILED(.tiling.mblock_n = 1), TILED(.tiling.mblock_n = 2)},
    {"rows of micro blocks", false, TILED(.tiling.ublock_rt = 1), TILED(.tiling.ublock_rt = 2)},
    {"columns of micro blocks", false, TILED(.tiling.ublock_ct = 1), TILED(.tiling.ublock_ct = 2)},
    {"the order of micro blocks", false, TILED(.tiling.column_major = true),
     TILED(.tiling.column_major = false)},
    {"the height of tiles", false, TILED(.tiling.tile_height = 16),
     TILED(.tiling.tile_height = 32)},
    {"the width of tiles", false, TILED(.tiling.tile_width = 16), TILED(.tiling.tile_width = 32)},
};

HOIST_TEST_TABLE(equal_layouts_are_one, layouts)
{
    hoist_builder *b = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_builder_layout(b, &row->a), 0);
    HOIST_EXPECT_EQ(t, hoist_builder_layout(b, &row->b), row->same ? 0 : 1);
    HOIST_EXPECT_EQ(t, hoist_builder_layout(b, &row->a), 0);
    hoist_builder_destroy(b);
}

static const struct {
    const char *name;
    bool same;
    hoist_prog_view a;
    hoist_prog_view b;
} views[] = {
    {"equal views", true, {.of = 1, .offset = 4}, {.of = 1, .offset = 4}},
    {"a factor without a register",
     true,
     {.reg = HOIST_NO_REF, .reg_factor = 1},
     {.reg = HOIST_NO_REF, .reg_factor = 2}},
    {"what it is of", false, {.of = 1}, {.of = 2}},
    {"kind", false, {.base = HOIST_VIEW_READ_SLOT}, {.base = HOIST_VIEW_WRITE_SLOT}},
    {"element type", false, {.dtype = HOIST_DTYPE_F32}, {.dtype = HOIST_DTYPE_I32}},
    {"layout", false, {.layout = 1}, {.layout = 2}},
    {"offset", false, {.offset = 4}, {.offset = -4}},
    {"register", false, {.reg = 1}, {.reg = HOIST_NO_REF}},
    {"factor", false, {.reg = 1, .reg_factor = 1}, {.reg = 1, .reg_factor = 2}},
};

HOIST_TEST_TABLE(equal_views_are_one, views)
{
    hoist_builder *b = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_builder_view(b, &row->a), 0);
    HOIST_EXPECT_EQ(t, hoist_builder_view(b, &row->b), row->same ? 0 : 1);
    HOIST_EXPECT_EQ(t, hoist_builder_view(b, &row->a), 0);
    hoist_builder_destroy(b);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(calls_have_an_order), HOIST_TEST_ROW(builders_can_be_dropped),
                HOIST_TEST_ROW(targets_are_set_later), HOIST_TEST_ROW(loops_find_their_ends),
                HOIST_TEST_ROW(equal_layouts_are_one), HOIST_TEST_ROW(equal_views_are_one))
