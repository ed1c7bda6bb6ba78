// Any netlist through info and draw: every stream of events is well formed, every drawing is
// printable and keeps its width.
#include "base/alloc.h"
#include "formats/buda/buda.h"
#include "testing/drawing.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum {
    FUZZ_MEMORY = 256 << 20,
    FUZZ_WIDTH = 60,
};

static void fuzz_info(const hoist_module *module)
{
    const hoist_check_options options = {.resources = true};
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    const hoist_status status = buda_info(module, &options, NULL, &sink);
    fuzz_require(status != HOIST_OK || depth == 0);
    sink = hoist_depth_sink(&depth);
    fuzz_require(hoist_drawing_tree(&hoist_buda_format, module, &options, NULL, &sink) !=
                     HOIST_OK ||
                 depth == 0);
}

static void fuzz_draw(const hoist_module *module)
{
    hoist_buffer out;
    hoist_buffer_init(&out, module->alloc);
    if (hoist_drawing_text(&hoist_buda_format, module, NULL, NULL, FUZZ_WIDTH, &out) == HOIST_OK) {
        size_t column = 0;
        for (size_t i = 0; i < out.size; i++) {
            const char c = (char)out.data[i];
            fuzz_require(c == '\n' || (c >= ' ' && c <= '~'));
            column = c == '\n' ? 0 : column + 1;
            fuzz_require(column <= FUZZ_WIDTH);
        }
    }
    hoist_buffer_deinit(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_read_options options = {.alloc = hoist_budget_allocator(&budget)};
    hoist_module *module = NULL;
    if (hoist_buda_format.read((hoist_bytes){data, size}, &options, NULL, &module) == HOIST_OK) {
        fuzz_info(module);
        fuzz_draw(module);
        hoist_buda_format.destroy(module);
    }
    fuzz_require(budget.used == 0);
    return 0;
}
