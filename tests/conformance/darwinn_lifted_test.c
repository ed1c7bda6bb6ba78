// Synthetic packages whose layers are recovered: through every driver they give what they give
// without one (darwinn reference sections 2.1, 4 to 6).
#include <string.h>

#include "hoist/runtime.h"

#include "formats/darwinn/darwinn.h"
#include "lower/darwinn/job_testing.h"
#include "lower/darwinn/lower.h"
#include "machine/order_testing.h"
#include "runtime/runtime_testing.h"

enum { MOST = 65536 };

static const hoist_driver drivers[] = {HOIST_DRIVER_PCIE, HOIST_DRIVER_USB,
                                       HOIST_DRIVER_USB_NO_HINTS};

static const hoist_session_options sessions[] = {
    {.struct_size = sizeof(hoist_session_options), .threads = 2},
    {.struct_size = sizeof(hoist_session_options), .sequential = true},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_ADVERSARIAL},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_RANDOM, .seed = 5},
};

// clang-format off
#define LAYER(n, h, w, c, z) {.name = (n), .extent = {h, w, c}, .zero = (z)}
#define SIGNED(n, h, w, c, z) {.name = (n), .extent = {h, w, c}, .zero = (z), .type = DWN_SIGNED_FIXED_POINT8}
#define TWICE(n, h, w, c, z) {.name = (n), .extent = {h, w, c}, .zero = (z), .executions = 2}
// 1 x 1 x 8 to 4
#define DENSE(in, out) {.multiplier = 0.02F, .reduction = 2, .input_zero = (in), .output_zero = (out), .low = -1, .high = 250, .a = {{2, 1}}}
// 64 x 64 x 1 to 64 x 64 x 4, 3 x 3, with padding of 1: 36 words of parameters
#define WINDOW(in, out, at) {.tiles = 0xffff, .reduction = 9, .multiplier = 0.02F, .rest = 256, .input_zero = (in), .output_zero = (out), .low = -1, .high = 250, \
                             .a_base = (at), .b_base = 1000, .a = {{3, 1}, {3, 18}, {16, 1}, {16, 18}}}
#define LAYOUT {.mode = 0x1c30, .code = 0x0038, .multiplier = 1, .high = __builtin_inff(), .b_base = 1000}
#define VECTOR .inputs = {LAYER("x", 1, 1, 8, 3)}, .outputs = {LAYER("y", 1, 1, 4, 5)}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1

static const struct {
    const char *name;
    darwinn_job_plan plan;
} rows[] = {
    {"execution only and caching", {VECTOR}},
    {"stand alone: parameters in every run", {VECTOR, .is_alone = true}},
    {"a batch of 2", {VECTOR, .batch = 2}},
    {"scratch behind a fence", {VECTOR, .scratch = true}},
    {"two chunks and scratch, stand alone, a batch of 2", {VECTOR, .scratch = true, .two_chunks = true, .is_alone = true, .batch = 2}},
    {"signed numbers", {.inputs = {SIGNED("x", 1, 1, 8, 3)}, .outputs = {SIGNED("y", 1, 1, 4, 5)}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1}},
    {"executed twice", {.inputs = {TWICE("x", 1, 1, 8, 3)}, .outputs = {TWICE("y", 1, 1, 4, 5)}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1}},
    {"executed twice, a batch of 2", {.inputs = {TWICE("x", 1, 1, 8, 3)}, .outputs = {TWICE("y", 1, 1, 4, 5)}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1, .batch = 2}},
    {"slices", {.inputs = {LAYER("x", 64, 64, 4, 0)}, .outputs = {LAYER("y", 64, 64, 4, 5)}, .sketches = {LAYOUT, WINDOW(0, 5, 981)}, .cached = 192, .fill = 1, .slices = true}},
    {"slices of signed numbers", {.inputs = {SIGNED("x", 64, 64, 4, 0)}, .outputs = {SIGNED("y", 64, 64, 4, 5)}, .sketches = {LAYOUT, WINDOW(0, 5, 981)}, .cached = 192, .fill = 1, .slices = true, .is_alone = true}},
};
// clang-format on

// Runs ------------------------------------------------------------------------------------------

// What comes of noise; how many bytes.
static size_t run(hoist_test *t, const hoist_program *program, const hoist_session_options *options,
                  uint8_t *out)
{
    hoist_session *s = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &s), HOIST_OK);
    if (!s) {
        return 0;
    }
    const hoist_port x = hoist_program_port(program, 0);
    const hoist_port y = hoist_program_port(program, 1);
    HOIST_EXPECT(t, hoist_program_port_count(program) == 2 && x.input && y.output);
    const size_t size = runtime_port_size(&y);
    HOIST_EXPECT(t, size <= MOST);
    runtime_write_noise(t, s, &x, 3);
    HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 60), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "y", 0, y.host_dtype, (hoist_mut_bytes){out, size}),
                    HOIST_OK);
    hoist_session_close(s);
    return size;
}

static hoist_program *lower(hoist_test *t, hoist_bytes package, hoist_driver driver, uint32_t batch)
{
    const hoist_lower_options options = {
        .struct_size = sizeof options, .driver = driver, .batch = batch};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, &options, &program), HOIST_OK);
    return program;
}

static void compare(hoist_test *t, hoist_bytes package, uint32_t batch)
{
    static uint8_t want[MOST];
    static uint8_t got[MOST];
    hoist_program *const plain = lower(t, package, HOIST_DRIVER_NONE, batch);
    const size_t size = plain ? run(t, plain, &sessions[0], want) : 0;
    hoist_program_destroy(plain);
    HOIST_EXPECT(t, size >= 4 && want[0] != want[1]);
    for (size_t i = 0; size && i < HOIST_COUNT_OF(drivers); i++) {
        hoist_program *const program = lower(t, package, drivers[i], batch);
        if (!program) {
            continue;
        }
        HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
        for (size_t k = 0; k < HOIST_COUNT_OF(sessions); k++) {
            HOIST_EXPECT_EQ(t, run(t, program, &sessions[k], got), size);
            HOIST_EXPECT(t, memcmp(got, want, size) == 0);
        }
        hoist_program_destroy(program);
    }
}

HOIST_TEST_TABLE(drivers_around_recovered_layers, rows)
{
    const hoist_bytes package = darwinn_driven_package(t, &row->plan);
    for (uint32_t batch = 1; batch <= 3; batch += 2) {
        compare(t, package, batch);
    }
    HOIST_EXPECT_RULE(t, NULL);
}

// Several packages ------------------------------------------------------------------------------

static hoist_program *lower_both(hoist_test *t, hoist_bytes package, hoist_driver driver)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .driver = driver};
    dwn_module *modules[2] = {NULL};
    hoist_file files[2];
    hoist_program *program = NULL;
    for (size_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, dwn_test_read(t, package, &modules[i]), HOIST_OK);
        files[i] = (hoist_file){.module = &modules[i]->base,
                                .name = i ? HOIST_STR("b.bin") : HOIST_STR("a.bin")};
    }
    HOIST_EXPECT_EQ(t, darwinn_lower(files, 2, NULL, &options, t->diag, &program), HOIST_OK);
    for (size_t i = 0; i < 2; i++) {
        dwn_destroy(&modules[i]->base);
    }
    return program;
}

// The thread of an entry remembers for itself what is on the chip, so there is one.
static const struct {
    const char *name;
    bool is_alone;
    hoist_driver driver;
    size_t entries;
} entries[] = {
    {"cached parameters", false, HOIST_DRIVER_USB, 1},
    {"no driver", false, HOIST_DRIVER_NONE, 3},
    {"parameters that are not kept", true, HOIST_DRIVER_USB, 3},
};

HOIST_TEST_TABLE(who_runs_several, entries)
{
    const darwinn_job_plan plan = {VECTOR, .is_alone = row->is_alone};
    hoist_program *const program = lower_both(t, darwinn_driven_package(t, &plan), row->driver);
    HOIST_EXPECT(t, program != NULL);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_entry_count(program), row->entries);
        for (uint32_t i = 0; i < row->entries; i++) {
            HOIST_EXPECT_EQ(t, order_verdict(t, program, i), HOIST_VERDICT_CLEAN);
        }
    }
    hoist_program_destroy(program);
}

// As the open driver does (2.1, item 4): none of its chips is run.
HOIST_TEST(bundles_are_refused)
{
    static const darwinn_job_plan plan = {VECTOR, .is_alone = true};
    const hoist_bytes package = darwinn_driven_package(t, &plan);
    const hoist_bytes packages[] = {package, package};
    const hoist_bytes bundle = dwn_draft_bundle(t, packages, 2);
    const hoist_lower_options options = {.struct_size = sizeof options, .driver = HOIST_DRIVER_USB};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, bundle, &options, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT_RULE(t, "RUN-033");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bundles_are_refused), HOIST_TEST_ROW(who_runs_several),
                HOIST_TEST_ROW(drivers_around_recovered_layers))
