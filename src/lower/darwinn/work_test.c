// Work of the chip that steps of a driver's walk carry: round trips, bytes over the link, which of
// them are streamed, and cycles, in all of a program.
#include "base/span.h"
#include "lower/darwinn/job_testing.h"

// clang-format off
#define LAYER(n, h, w, c, z) {.name = (n), .extent = {h, w, c}, .zero = (z)}
#define DENSE {.reduction = 2, .input_zero = 3, .output_zero = 5, .low = -1, .high = 100, .a = {{2, 1}}}
#define VECTORS .inputs = {LAYER("x", 1, 1, 8, 3)}, .outputs = {LAYER("y", 1, 1, 4, 5)}, .sketches = {DENSE}, .cached = 128, .fill = 1

static const struct {
    const char *name;
    darwinn_job_plan plan;
    hoist_driver driver;
    hoist_prog_work sums; // `streamed` does not count
    uint64_t streamed;    // bytes
} cases[] = {
    // 880 and 528 bytes of instructions, 128 of parameters, 8 of input, 4 of output. The reduction
    // has two words of four numbers. Alone, the executable has 1,024 bytes of instructions.
    {"parameters stay", {VECTORS}, HOIST_DRIVER_USB, {.requests = 2, .bytes = 880 + 528 + 128 + 8 + 4, .cycles = 2}, 0},
    {"over PCIe, too", {VECTORS}, HOIST_DRIVER_PCIE, {.requests = 2, .bytes = 880 + 528 + 128 + 8 + 4, .cycles = 2}, 0},
    {"parameters come in every run", {VECTORS, .is_alone = true}, HOIST_DRIVER_USB, {.requests = 1, .bytes = 1024 + 128 + 8 + 4, .cycles = 2}, 128},
    {"no driver, no transfers", {VECTORS}, HOIST_DRIVER_NONE, {.cycles = 2}, 0},
};
// clang-format on

HOIST_TEST_TABLE(work_of_a_package, cases)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .driver = row->driver};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    darwinn_job_lower(t, darwinn_driven_package(t, &row->plan), &options, &program),
                    HOIST_OK);
    hoist_prog_work sums = {.requests = 0};
    uint64_t streamed = 0;
    for (uint32_t i = 0; program && i < program->work_count; i++) {
        const hoist_prog_work *const work = &program->works[i];
        HOIST_EXPECT_STR(t, work->device, "edgetpu");
        sums.requests += work->requests;
        sums.bytes += work->bytes;
        sums.cycles += work->cycles;
        streamed += work->streamed ? work->bytes : 0;
    }
    HOIST_EXPECT_EQ(t, sums.requests, row->sums.requests);
    HOIST_EXPECT_EQ(t, sums.bytes, row->sums.bytes);
    HOIST_EXPECT_EQ(t, sums.cycles, row->sums.cycles);
    HOIST_EXPECT_EQ(t, streamed, row->streamed);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(work_of_a_package))
