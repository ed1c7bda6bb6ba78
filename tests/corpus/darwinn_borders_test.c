// The outputs of every compiled model as boxes: few of them, and each element where
// formats/darwinn/relayout.h has it. And the driver's walk over every package, whether its layers
// are understood or not, with something in their place: no order that the waits permit is wrong.
#include <stdio.h>

#include "edgetpu_testing.h"
#include "lower/darwinn/bench_testing.h"
#include "lower/darwinn/drive.h"
#include "machine/order_testing.h"

typedef struct figures {
    size_t walks;
    size_t items; // of them: chunks, transfers, interrupts, fences
    size_t outputs;
    size_t boxes;
    size_t most; // boxes of an output
} figures;

static void compare_output(hoist_test *t, darwinn_bench *bench, const dwn_layer *layer, figures *f)
{
    darwinn_lower_border border;
    HOIST_EXPECT(t, darwinn_lower_border_of(&bench->model, layer, &border));
    darwinn_expect_order(t, &border);
    f->outputs++;
    f->boxes += border.count;
    f->most = border.count > f->most ? border.count : f->most;
}

// Walks -----------------------------------------------------------------------------------------

static void walk(hoist_test *t, hoist_bytes package, hoist_driver driver, figures *f)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    hoist_program *program = NULL;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = driver;
    HOIST_EXPECT_EQ(t, darwinn_bench_open_any(&bench, package, "m", &model), HOIST_OK);
    if (darwinn_lower_drive_prepare(&model)) {
        darwinn_bench_thread(&bench);
        if (model.caching) {
            darwinn_lower_walk_run(&model.drive->caching, hoist_lower_number(0), HOIST_NO_REF);
        }
        darwinn_lower_walk_run(&model.drive->main, hoist_lower_number(0), HOIST_NO_REF);
        f->items += model.drive->main.count + (model.caching ? model.drive->caching.count : 0);
        f->walks++;
        program = darwinn_bench_finish(&bench);
    }
    HOIST_EXPECT(t, program != NULL);
    if (program) {
        HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
    }
    hoist_program_destroy(program);
    darwinn_bench_end(&bench);
}

static void judge_payload(hoist_test *t, const hoist_payload *payload, hoist_module *module,
                          void *self)
{
    figures *const f = self;
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    const dwn_contents *const contents = &dwn_of(module)->packages[0];
    for (uint32_t i = 0; i < contents->image_count; i++) {
        const dwn_executable *const e = contents->images[i].rows;
        for (uint32_t k = 0; k < e->output_layers.count; k++) {
            compare_output(t, &bench, &e->output_layers.items[k], f);
        }
    }
    darwinn_bench_end(&bench);
    for (int i = HOIST_DRIVER_PCIE; i < HOIST_DRIVER_NONE; i++) {
        walk(t, payload->bytes, (hoist_driver)i, f);
    }
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    edgetpu_each_payload(t, path, judge_payload, self);
}

HOIST_TEST(outputs_and_walks)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "no compiled models here");
    }
    printf("%zu outputs, %zu boxes, at most %zu of one; %zu walks over %zu items\n", f.outputs,
           f.boxes, f.most, f.walks, f.items);
    HOIST_EXPECT(t, f.outputs >= 21 && f.most <= 256 && f.walks >= 63);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(outputs_and_walks))
