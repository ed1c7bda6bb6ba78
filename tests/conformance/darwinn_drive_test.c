// The driver's walk with data: under every driver and schedule the layers' results come out, and no
// order that the waits permit is wrong (darwinn reference sections 4 to 6).
#include <string.h>

#include "hoist/runtime.h"

#include "base/alloc.h"
#include "formats/darwinn/relayout.h"
#include "lower/darwinn/bench_testing.h"
#include "lower/darwinn/border.h"
#include "machine/order_testing.h"
#include "program/text.h"

enum { IMAGE = 60, GRID = 640, SCORES = 10, MOST = 8 };

static const hoist_driver drivers[] = {HOIST_DRIVER_PCIE, HOIST_DRIVER_USB,
                                       HOIST_DRIVER_USB_NO_HINTS};

// How sessions work.
static const hoist_session_options sessions[] = {
    {.struct_size = sizeof(hoist_session_options), .threads = 2},
    {.struct_size = sizeof(hoist_session_options), .sequential = true},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_IN_ORDER},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_ADVERSARIAL},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_RANDOM, .seed = 1},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_RANDOM, .seed = 2},
};

// A program of requests -------------------------------------------------------------------------

// The caller's tensors of so many elements, one after the other.
typedef struct tensors {
    hoist_lower_view image, grid, scores;
} tensors;

static tensors add_tensors(darwinn_bench *bench, int64_t count)
{
    return (tensors){
        .image = darwinn_bench_buffer(bench, "image", HOIST_DTYPE_U8, count * IMAGE),
        .grid = darwinn_bench_buffer(bench, "grid", HOIST_DTYPE_U8, count * GRID),
        .scores = darwinn_bench_buffer(bench, "scores", HOIST_DTYPE_I8, count * SCORES),
    };
}

static void request(darwinn_lower_model *model, const tensors *all, uint32_t first, uint32_t count,
                    int64_t executions)
{
    hoist_lower_view inputs[MOST];
    hoist_lower_view outputs[2 * MOST];
    for (uint32_t i = 0; i < count; i++) {
        const int64_t at = first + i;
        inputs[i] = hoist_lower_view_part(
            &all->image, 0, (hoist_lower_range){at * executions * IMAGE, 1, executions * IMAGE});
        outputs[(size_t)2 * i] = hoist_lower_view_part(
            &all->grid, 0, (hoist_lower_range){at * executions * GRID, 1, executions * GRID});
        outputs[(size_t)2 * i + 1] = hoist_lower_view_part(
            &all->scores, 0, (hoist_lower_range){at * executions * SCORES, 1, executions * SCORES});
    }
    const darwinn_lower_request r = {.inputs = inputs, .outputs = outputs, .elements = count};
    darwinn_lower_drive_run(model, &r);
}

// The program of one request; `*out_count`: images of it. NULL and a failed test: there is none.
static hoist_program *make_program(hoist_test *t, hoist_bytes package, hoist_driver driver,
                                   uint32_t batch, size_t *out_count)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    hoist_program *program = NULL;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = driver;
    *out_count = 0;
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package, "model", &model), HOIST_OK);
    const int64_t executions = model.main->input_layers.items[0].execution_count_per_inference;
    const tensors all = add_tensors(&bench, batch * executions);
    if (darwinn_lower_drive_prepare(&model)) {
        darwinn_bench_thread(&bench);
        request(&model, &all, 0, batch, executions);
        program = darwinn_bench_finish(&bench);
        *out_count = (size_t)(batch * executions);
    }
    HOIST_EXPECT(t, program != NULL);
    darwinn_bench_end(&bench);
    return program;
}

// Runs ------------------------------------------------------------------------------------------

// Images of noise, and what comes of each.
typedef struct data {
    uint8_t image[2 * MOST * IMAGE];
    uint8_t grid[2 * MOST * GRID];
    uint8_t scores[2 * MOST * SCORES];
} data;

static void fill(data *d, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count * IMAGE; i++) {
        d->image[i] = (uint8_t)hoist_test_random(&seed);
    }
    for (size_t i = 0; i < count * GRID; i++) {
        const size_t pixel = i % GRID / 32;
        d->grid[i] = d->image[i / GRID * IMAGE + pixel * 3 + i % GRID % 32 % 3];
    }
    for (size_t i = 0; i < count * SCORES; i++) {
        d->scores[i] = d->image[i / SCORES * IMAGE + i % SCORES] ^ 0x80;
    }
}

static void compare(hoist_test *t, hoist_session *s, const char *name, hoist_dtype dtype,
                    hoist_bytes want)
{
    uint8_t *const got = hoist_arena_alloc(&t->arena, want.size);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, name, 0, dtype, (hoist_mut_bytes){got, want.size}),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(got, want.data, want.size) == 0);
}

// Several runs of one session.
static void run_program(hoist_test *t, const hoist_program *program, size_t count,
                        const hoist_session_options *options)
{
    hoist_session *s = NULL;
    data d = {.image = {0}};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &s), HOIST_OK);
    for (uint64_t turn = 0; s && turn < 3; turn++) {
        fill(&d, count, turn + 7);
        HOIST_EXPECT_EQ(t,
                        hoist_session_write(s, "image", 0, HOIST_DTYPE_U8,
                                            (hoist_bytes){d.image, count * IMAGE}),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 20), HOIST_OK);
        compare(t, s, "grid", HOIST_DTYPE_U8, (hoist_bytes){d.grid, count * GRID});
        compare(t, s, "scores", HOIST_DTYPE_I8, (hoist_bytes){d.scores, count * SCORES});
    }
    hoist_session_close(s);
}

static const struct {
    const char *name;
    dwn_kind kind;
} kinds[] = {
    {"execution only with streamed parameters, and caching", DWN_PAIR},
    {"stand alone", DWN_PLAIN},
    {"stand alone, batch of 2, scratch, two chunks", DWN_ALONE},
    {"slices", DWN_SLICES},
    {"executed twice", DWN_REPEATED},
    {"three executables", DWN_TRIPLE},
};

static void run_kind(hoist_test *t, hoist_bytes package, hoist_driver driver, uint32_t batch)
{
    size_t count = 0;
    hoist_program *const program = make_program(t, package, driver, batch, &count);
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
    for (size_t i = 0; i < HOIST_COUNT_OF(sessions); i++) {
        run_program(t, program, count, &sessions[i]);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(every_driver_gives_the_same, kinds)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    const hoist_bytes package = dwn_draft_package(&draft);
    for (size_t i = 0; i < HOIST_COUNT_OF(drivers); i++) {
        for (uint32_t batch = 1; batch <= 3; batch += 2) {
            run_kind(t, package, drivers[i], batch);
        }
    }
    HOIST_EXPECT_RULE(t, NULL);
}

// Scratch that is fetched without a fence before it: over USB it might be read before it is
// written. Where the chip begins its transfers it waits for itself.
HOIST_TEST(without_its_fence)
{
    static const hoist_verdict want[] = {HOIST_VERDICT_CLEAN, HOIST_VERDICT_BAD,
                                         HOIST_VERDICT_CLEAN};
    const dwn_draft draft = dwn_draft_of(t, DWN_ALONE);
    dwn_hints *const stored = draft.executables[0]->dma_hints;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < stored->hints.count; i++) {
        if (stored->hints.items[i].any_hint.type != DWN_HINT_FENCE) {
            stored->hints.items[kept++] = stored->hints.items[i];
        }
    }
    HOIST_EXPECT_EQ(t, stored->hints.count, kept + 1);
    stored->hints.count = kept;
    const hoist_bytes package = dwn_draft_package(&draft);
    for (size_t i = 0; i < HOIST_COUNT_OF(drivers); i++) {
        size_t count = 0;
        hoist_program *const program = make_program(t, package, drivers[i], 1, &count);
        HOIST_EXPECT_EQ(t, program ? order_verdict(t, program, 0) : HOIST_VERDICT_NONE, want[i]);
        hoist_program_destroy(program);
    }
    HOIST_EXPECT_RULE(t, "PRG-101");
}

// The border ------------------------------------------------------------------------------------

static const struct {
    const char *name;
    dwn_kind kind;
    dwn_change changes[3];
    uint32_t layer; // of the outputs
    hoist_dtype dtype;
} borders[] = {
    {"tiles", DWN_PLAIN, {{0}}, 0, HOIST_DTYPE_U8},
    {"tiles of signed numbers",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/data_type", DWN_SIGNED_FIXED_POINT8, NULL}},
     0,
     HOIST_DTYPE_I8},
    {"tiles of 16 bits",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/data_type", DWN_SIGNED_FIXED_POINT16, NULL},
      {"executables/0/output_layers/0/size_bytes", 1280, NULL}},
     0,
     HOIST_DTYPE_I16},
    {"unsigned 16 bits as they are",
     DWN_PLAIN,
     {{"executables/0/output_layers/1/data_type", DWN_FIXED_POINT16, NULL},
      {"executables/0/output_layers/1/size_bytes", 24, NULL}},
     1,
     HOIST_DTYPE_I16},
    {"float32",
     DWN_PLAIN,
     {{"executables/0/output_layers/1/data_type", DWN_SINGLE, NULL},
      {"executables/0/output_layers/1/size_bytes", 40, NULL}},
     1,
     HOIST_DTYPE_F32},
    {"tiles, executed twice", DWN_REPEATED, {{0}}, 0, HOIST_DTYPE_U8},
    {"signed, executed twice", DWN_REPEATED, {{0}}, 1, HOIST_DTYPE_I8},
    {"signed slices",
     DWN_SLICES,
     {{"executables/0/output_layers/0/data_type", DWN_SIGNED_FIXED_POINT8, NULL}},
     0,
     HOIST_DTYPE_I8},
    {"slices with a gap",
     DWN_SLICES,
     {{"executables/0/output_layers/0/any_layer/shape_info/slice_layout", 3, NULL},
      {"executables/0/output_layers/0/any_layer/shape_info/slice_offset", 12, NULL}},
     0,
     HOIST_DTYPE_U8},
};

// user -> chip -> back, as moves.
static hoist_program *border_program(hoist_test *t, const dwn_layer *layer, hoist_dtype dtype)
{
    darwinn_bench bench;
    darwinn_lower_border border;
    hoist_program *program = NULL;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    if (darwinn_lower_border_of(&bench.model, layer, &border)) {
        const int64_t count = dwn_layer_actual(layer) / border.type->size;
        const hoist_lower_view user = darwinn_bench_buffer(&bench, "user", dtype, count);
        const hoist_lower_view back = darwinn_bench_buffer(&bench, "back", dtype, count);
        const hoist_lower_view chip =
            darwinn_bench_buffer(&bench, "chip", HOIST_DTYPE_U8, dwn_layer_padded(layer));
        darwinn_bench_thread(&bench);
        darwinn_lower_to_chip(&bench.model, &border, &user, &chip);
        darwinn_lower_from_chip(&bench.model, &border, &chip, &back);
        program = darwinn_bench_finish(&bench);
    }
    HOIST_EXPECT(t, program != NULL);
    darwinn_bench_end(&bench);
    return program;
}

static void run_border(hoist_test *t, const hoist_program *program, const dwn_layer *layer,
                       hoist_dtype dtype)
{
    const size_t actual = (size_t)dwn_layer_actual(layer);
    const size_t padded = (size_t)dwn_layer_padded(layer);
    uint8_t *const user = hoist_arena_alloc(&t->arena, actual);
    const hoist_mut_bytes chip = {hoist_arena_alloc(&t->arena, padded), padded};
    const hoist_mut_bytes back = {hoist_arena_alloc(&t->arena, actual), actual};
    hoist_session *s = NULL;
    uint64_t seed = 9;
    for (size_t i = 0; i < actual; i++) {
        const uint8_t byte = (uint8_t)hoist_test_random(&seed);
        user[i] = dtype == HOIST_DTYPE_F32 ? byte & 0x7e : byte; // no NaN
    }
    const hoist_bytes from = {user, actual};
    HOIST_EXPECT_EQ(t, dwn_to_chip(layer, from, &t->arena, chip), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_from_chip(layer, (hoist_bytes){chip.data, padded}, &t->arena, back),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, NULL, t->diag, &s), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "user", 0, dtype, from), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 20), HOIST_OK);
    compare(t, s, "chip", HOIST_DTYPE_U8, (hoist_bytes){chip.data, padded});
    compare(t, s, "back", dtype, (hoist_bytes){back.data, actual});
    hoist_session_close(s);
}

HOIST_TEST_TABLE(moves_of_the_border, borders)
{
    dwn_draft draft = dwn_draft_of(t, row->kind);
    for (size_t i = 0; row->changes[i].path; i++) {
        dwn_draft_set(&draft, row->changes[i].path, row->changes[i].value);
    }
    const dwn_layer *const layer = &draft.executables[0]->output_layers.items[row->layer];
    hoist_program *const program = border_program(t, layer, row->dtype);
    if (program) {
        run_border(t, program, layer, row->dtype);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(without_its_fence), HOIST_TEST_ROW(moves_of_the_border),
                HOIST_TEST_ROW(every_driver_gives_the_same))
