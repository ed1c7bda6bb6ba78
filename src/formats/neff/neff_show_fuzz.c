// Any file through info, dump, drawing and recovery: every stream of events is well formed, every
// drawing is printable and keeps its width, every array has as many bytes as it says.
#include "base/alloc.h"
#include "base/checked.h"
#include "formats/neff/neff.h"
#include "testing/drawing.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { FUZZ_MEMORY = 256 << 20, FUZZ_WIDTH = 60, FUZZ_EXPANDED = 16 << 20 };

static void fuzz_trees(const hoist_module *module)
{
    const hoist_dump_options options = {.key = "module", .positions = true};
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    fuzz_require(neff_info(module, NULL, NULL, &sink) != HOIST_OK || depth == 0);
    sink = hoist_depth_sink(&depth);
    fuzz_require(neff_visit(module, &options, &sink) != HOIST_OK || depth == 0);
    sink = hoist_depth_sink(&depth);
    fuzz_require(hoist_drawing_tree(&hoist_neff_format, module, NULL, NULL, &sink) != HOIST_OK ||
                 depth == 0);
}

static void fuzz_texts(const hoist_module *module)
{
    hoist_buffer out;
    size_t column = 0;
    const hoist_piece_sink pieces = hoist_dropping_sink();
    hoist_buffer_init(&out, module->alloc);
    if (hoist_drawing_text(&hoist_neff_format, module, NULL, NULL, FUZZ_WIDTH, &out) == HOIST_OK) {
        for (size_t i = 0; i < out.size; i++) {
            const char c = (char)out.data[i];
            fuzz_require(c == '\n' || (c >= ' ' && c <= '~'));
            column = c == '\n' ? 0 : column + 1;
            fuzz_require(column <= FUZZ_WIDTH);
        }
    }
    fuzz_require(neff_dump(module, &pieces) != HOIST_INTERNAL);
    hoist_buffer_deinit(&out);
}

static hoist_status check_array(void *self, const hoist_recovered *array)
{
    const hoist_module *const module = self;
    const neff_module *const m = neff_of(module);
    const uint32_t size = array->element_size;
    uint64_t bytes = size;
    fuzz_require(array->name_count > 0 && array->rank <= HOIST_RECOVERED_MAX_RANK);
    fuzz_require(size == 1 || size == 2 || size == 4 || size == 8);
    for (uint32_t i = 0; i < array->rank; i++) {
        // Those of an empty array may be of any size.
        bytes = hoist_ckd_mul(&bytes, bytes, (uint64_t)array->shape[i]) ? 0 : bytes;
    }
    fuzz_require(bytes == array->bytes.size || array->bytes.size == 0);
    fuzz_require(
        array->bytes.size == 0 ||
        (array->bytes.data >= m->archive.data &&
         array->bytes.size <= (size_t)(m->archive.data + m->archive.size - array->bytes.data)));
    return HOIST_OK;
}

static hoist_status check_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    fuzz_require(missing->reason.size > 0 && missing->member.size > 0);
    return HOIST_OK;
}

static void fuzz_recovery(hoist_module *module)
{
    const hoist_recovery_sink sink = {module, check_array, check_missing};
    const hoist_status status = neff_recover(module, &sink);
    fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY);
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
        fuzz_recovery(module);
        neff_destroy(module);
    }
    fuzz_require(budget.used == 0);
    return 0;
}
