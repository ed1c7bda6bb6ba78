// Any file through info, dump and drawing: every stream of events is well formed, every drawing is
// printable and keeps its width.
#include "base/alloc.h"
#include "formats/neff/neff.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20, FUZZ_WIDTH = 60, FUZZ_EXPANDED = 16 << 20 };

static hoist_status count_depth(void *self, const hoist_tree_event *event)
{
    size_t *const depth = self;
    if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
        ++*depth;
    } else if (event->kind == HOIST_TREE_END) {
        fuzz_require(*depth > 0);
        --*depth;
    }
    return HOIST_OK;
}

static void fuzz_trees(const hoist_module *module)
{
    const hoist_dump_options options = {.key = "module", .positions = true};
    size_t depth = 0;
    hoist_tree_sink sink = {.self = &depth, .event = count_depth};
    fuzz_require(neff_info(module, NULL, NULL, &sink) != HOIST_OK || depth == 0);
    depth = 0;
    sink = (hoist_tree_sink){.self = &depth, .event = count_depth};
    fuzz_require(neff_visit(module, &options, &sink) != HOIST_OK || depth == 0);
}

static void fuzz_texts(const hoist_module *module)
{
    hoist_buffer out;
    size_t column = 0;
    hoist_buffer_init(&out, module->alloc);
    if (neff_draw(module, NULL, NULL, FUZZ_WIDTH, &out) == HOIST_OK) {
        for (size_t i = 0; i < out.size; i++) {
            const char c = (char)out.data[i];
            fuzz_require(c == '\n' || (c >= ' ' && c <= '~'));
            column = c == '\n' ? 0 : column + 1;
            fuzz_require(column <= FUZZ_WIDTH);
        }
    }
    out.size = 0;
    fuzz_require(neff_dump(module, &out) != HOIST_INTERNAL);
    hoist_buffer_deinit(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_read_options options = {.alloc = hoist_budget_allocator(&budget),
                                        .keep = true,
                                        .lenient = true,
                                        .max_expanded = FUZZ_EXPANDED};
    hoist_module *module = NULL;
    if (neff_read((hoist_bytes){data, size}, &options, NULL, &module) == HOIST_OK) {
        fuzz_trees(module);
        fuzz_texts(module);
        neff_destroy(module);
    }
    fuzz_require(budget.used == 0);
    return 0;
}
