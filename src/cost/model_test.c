// Amounts of steps from their operands and times by rates, worked out by hand.
#include "base/arena.h"
#include "base/span.h"
#include "cost/model.h"
#include "program/program_testing.h"

#define ROWS                                                                                       \
    "program p\nspace m\nbuffer x in m size 65536 lifetime session contents zero\n"                \
    "buffer y in m size 65536 lifetime session contents zero\n"                                    \
    "buffer z in m size 65536 lifetime session contents zero\n"

// Two operations and four bytes in a second.
static const hoist_cost_model slow = {
    .device = {"cpu", 3}, .level = "baseline", .cores = 1, .operations = 2, .memory = 4};

// clang-format off
static const struct {
    const char *name;
    const char *step;
    uint64_t bytes;
    uint64_t operations;
    double seconds; // by `slow`
    hoist_bound bound;
} steps[] = {
    {"a copy reads and writes", "move copy from [x f32[8]] to y f32[8]", 64, 0, 16, HOIST_BOUND_MEMORY},
    {"types of their own", "move cast from [x u8[8]] to y f32[8]", 40, 0, 10, HOIST_BOUND_MEMORY},
    {"what repeats is read once", "move copy from [x f32[8] by [0]] to y f32[8]", 36, 0, 9, HOIST_BOUND_MEMORY},
    {"a row that repeats", "move copy from [x f32[2, 4] by [0, 4]] to y f32[2, 4]", 48, 0, 12, HOIST_BOUND_MEMORY},
    {"two sources", "move add from [x f32[4], y f32[4]] to z f32[4]", 48, 0, 12, HOIST_BOUND_MEMORY},
    {"an operation for each element", "compute ark.add from [x f32[8], y f32[8]] to [z f32[8]]", 96, 8, 24, HOIST_BOUND_MEMORY},
    {"a product: 2 x 32 x 32 x 32", "compute ark.matmul(transpose_a 0, transpose_b 0) from [x f32[1, 32, 32], y f32[1, 32, 32]] to [z f32[1, 32, 32]]",
     12288, 65536, 32768, HOIST_BOUND_COMPUTE},
    {"a matrix that all share", "compute ark.matmul(transpose_a 0, transpose_b 1) from [x f32[2, 4, 8], y f32[2, 4, 8] by [0, 32, 4]] to [z f32[2, 4, 4]]",
     512, 512, 256, HOIST_BOUND_COMPUTE},
};
// clang-format on

static hoist_program *program_of(hoist_test *t, const char *step)
{
    const hoist_str text = hoist_arena_format(
        &t->arena, "%sthread main {\n    %s\n}\nentry run {\n    start main\n}\n", ROWS, step);
    return hoist_test_program(t, text, HOIST_OK);
}

HOIST_TEST_TABLE(steps_of_a_cpu, steps)
{
    hoist_program *program = program_of(t, row->step);
    if (program) {
        const hoist_cost cost =
            hoist_cost_of(&slow, program, &program->threads[0].code.steps[0], NULL);
        HOIST_EXPECT_EQ(t, cost.amount.bytes, row->bytes);
        HOIST_EXPECT_EQ(t, cost.amount.operations, row->operations);
        HOIST_EXPECT(t, cost.is_timed && !cost.is_bound);
        for (int i = 0; i < HOIST_CASE_COUNT; i++) {
            HOIST_EXPECT(t, cost.seconds[i][row->bound] == row->seconds);
            HOIST_EXPECT(t, hoist_cost_seconds(&cost, (hoist_case)i) == row->seconds);
        }
    }
    hoist_program_destroy(program);
}

// By the table: cores, level and memory of each case.
HOIST_TEST(a_cpu_by_its_rows)
{
    hoist_program *program = program_of(t, steps[6].step);
    hoist_cost_model model = {.device = {"cpu", 3}, .level = "x86-64-v3", .cores = 2};
    if (!program) {
        return;
    }
    const hoist_prog_step *const step = &program->threads[0].code.steps[0];
    const hoist_cost two = hoist_cost_of(&model, program, step, NULL);
    model.cores = 1;
    const hoist_cost one = hoist_cost_of(&model, program, step, NULL);
    // 65,536 operations by 2 x 32 in a cycle of 2.5 GHz; 12,288 bytes by 25.6 GB/s are 480 ns.
    HOIST_EXPECT(t, two.seconds[HOIST_CASE_TYPICAL][HOIST_BOUND_MEMORY] == 12288 / 25.6e9);
    HOIST_EXPECT(t, one.seconds[HOIST_CASE_TYPICAL][HOIST_BOUND_COMPUTE] == 65536 / (32 * 2.5e9));
    HOIST_EXPECT(t, one.seconds[HOIST_CASE_LOW][HOIST_BOUND_COMPUTE] == 65536 / (64 * 4e9));
    model.level = "none";
    HOIST_EXPECT(t, !hoist_cost_of(&model, program, step, NULL).is_timed);
    model.device = HOIST_STR("");
    HOIST_EXPECT(t, !hoist_cost_of(&model, program, step, NULL).is_timed);
    hoist_program_destroy(program);
}

static const struct {
    const char *name;
    hoist_prog_work work;
    const char *link;
    hoist_resource resource;
    double seconds[HOIST_CASE_COUNT];
    hoist_bound bound;
    bool is_timed;
} works[] = {
    {"a round trip",
     {.device = {"edgetpu", 7}, .requests = 2},
     "usb3",
     HOIST_RESOURCE_LINK,
     {0.5e-3, 0.5e-3, 0.58e-3},
     HOIST_BOUND_REQUEST,
     true},
    {"bytes",
     {.device = {"edgetpu", 7}, .bytes = 1000000},
     "usb3",
     HOIST_RESOURCE_LINK,
     {1 / 315.0, 4e-3, 5e-3},
     HOIST_BOUND_TRANSFER,
     true},
    {"streamed ones",
     {.device = {"edgetpu", 7}, .bytes = 1000000, .streamed = true},
     "usb2",
     HOIST_RESOURCE_LINK,
     {1 / 33.0, 1 / 30.0, 1 / 27.0},
     HOIST_BOUND_PARAMETERS,
     true},
    {"cycles",
     {.device = {"edgetpu", 7}, .cycles = 480},
     "pcie",
     HOIST_RESOURCE_CHIP,
     {480 / 500e6, 1e-6, 1e-6},
     HOIST_BOUND_COMPUTE,
     true},
    {"nothing",
     {.device = {"edgetpu", 7}},
     "usb3",
     HOIST_RESOURCE_QUEUE,
     {0, 0, 0},
     HOIST_BOUND_COMPUTE,
     true},
    {"another device",
     {.device = {"none", 4}, .bytes = 1},
     "usb3",
     HOIST_RESOURCE_LINK,
     {0, 0, 0},
     HOIST_BOUND_TRANSFER,
     false},
    {"a link that is not known",
     {.device = {"edgetpu", 7}, .requests = 1},
     "usb1",
     HOIST_RESOURCE_LINK,
     {0, 0, 0},
     HOIST_BOUND_REQUEST,
     false},
};

HOIST_TEST_TABLE(work_of_a_device, works)
{
    const hoist_program program = {.works = &row->work, .work_count = 1};
    const hoist_prog_step step = {.kind = HOIST_STEP_OPAQUE, .work = 1};
    const hoist_cost_model model = {.link = row->link};
    const hoist_cost cost = hoist_cost_of(&model, &program, &step, NULL);
    HOIST_EXPECT_EQ(t, cost.is_timed, row->is_timed);
    HOIST_EXPECT(t, !cost.is_bound);
    HOIST_EXPECT_EQ(t, cost.resource, row->resource);
    HOIST_EXPECT_STR(t, cost.device, row->work.device.data);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        const double got = cost.seconds[i][row->bound];
        HOIST_EXPECT(t,
                     got >= row->seconds[i] * (1 - 1e-12) && got <= row->seconds[i] * (1 + 1e-12));
    }
}

// Devices of which only bounds are public: moves of queues. Without work, what computes has no
// time.
HOIST_TEST(bounds)
{
    hoist_program *program = program_of(t, steps[0].step);
    hoist_program *product = program_of(t, steps[6].step);
    if (program && product) {
        const hoist_prog_step *const move = &program->threads[0].code.steps[0];
        const hoist_prog_step *const compute = &product->threads[0].code.steps[0];
        const hoist_cost_model neuron = {.device = {"trn1", 4}};
        const hoist_cost moved = hoist_cost_of(&neuron, program, move, NULL);
        HOIST_EXPECT(t, moved.is_timed && moved.is_bound);
        HOIST_EXPECT(t, moved.seconds[HOIST_CASE_LOW][HOIST_BOUND_TRANSFER] == 32 / 27.2e9);
        HOIST_EXPECT(t, hoist_cost_seconds(&moved, HOIST_CASE_TYPICAL) == 0);
        HOIST_EXPECT(t, !hoist_cost_of(&neuron, product, compute, NULL).is_timed);
        const hoist_cost_model chip = {.device = {"grayskull", 9}};
        const hoist_cost computed = hoist_cost_of(&chip, product, compute, NULL);
        HOIST_EXPECT(t, !computed.is_timed);
        // Memory on the chip has no rate: only slots of queues count.
        HOIST_EXPECT(t, hoist_cost_of(&chip, program, move, NULL).is_timed);
        HOIST_EXPECT(t, hoist_cost_seconds(&computed, HOIST_CASE_LOW) == 0);
    }
    hoist_program_destroy(program);
    hoist_program_destroy(product);
}

// Times of cores at 1.2 GHz that receive 38.4 GB/s, twice that at best.
static const struct {
    const char *name;
    hoist_prog_work work;
    double cycles[HOIST_CASE_COUNT];
    double network; // bytes
    bool is_timed;
} cores[] = {
    {"cycles with a range",
     {.device = {"grayskull", 9}, .cycles = 20, .least_cycles = 10, .most_cycles = 40},
     {10, 20, 40},
     0,
     true},
    {"cycles without one", {.device = {"grayskull", 9}, .cycles = 20}, {20, 20, 20}, 0, true},
    {"what comes from other cores",
     {.device = {"grayskull", 9}, .cycles = 1, .core_bytes = 3840},
     {1, 1, 1},
     3840,
     true},
    {"nothing", {.device = {"grayskull", 9}}, {0, 0, 0}, 0, true},
    {"a device without a network",
     {.device = {"blackhole", 9}, .core_bytes = 1},
     {0, 0, 0},
     0,
     true},
    {"no such device", {.device = {"none", 4}, .cycles = 20}, {0, 0, 0}, 0, false},
};

HOIST_TEST_TABLE(work_of_cores, cores)
{
    hoist_program *program = program_of(t, steps[6].step);
    hoist_prog_work work = row->work;
    work.has_cores = true;
    if (program) {
        hoist_program with = *program;
        hoist_prog_step step = program->threads[0].code.steps[0];
        const hoist_cost_model model = {.device = work.device};
        with.works = &work;
        with.work_count = 1;
        step.work = 1;
        const hoist_cost cost = hoist_cost_of(&model, &with, &step, NULL);
        HOIST_EXPECT_EQ(t, cost.is_timed, row->is_timed);
        HOIST_EXPECT(t, cost.at_once && !cost.is_bound);
        HOIST_EXPECT_EQ(t, cost.resource, HOIST_RESOURCE_QUEUE);
        for (int i = 0; i < HOIST_CASE_COUNT; i++) {
            const double network = row->network / (i == HOIST_CASE_LOW ? 76.8e9 : 38.4e9);
            const double computing = row->cycles[i] / 1.2e9;
            HOIST_EXPECT(t, cost.seconds[i][HOIST_BOUND_COMPUTE] == computing);
            HOIST_EXPECT(t, cost.seconds[i][HOIST_BOUND_NETWORK] == network);
            HOIST_EXPECT(t, hoist_cost_seconds(&cost, (hoist_case)i) ==
                                (network > computing ? network : computing));
        }
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(steps_of_a_cpu), HOIST_TEST_ROW(a_cpu_by_its_rows),
                HOIST_TEST_ROW(work_of_a_device), HOIST_TEST_ROW(bounds),
                HOIST_TEST_ROW(work_of_cores))
