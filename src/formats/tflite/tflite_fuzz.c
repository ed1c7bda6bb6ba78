// Any bytes as a model: read, checked, summed up, shown, its constants and payloads taken; what was
// read and not changed is written as it was.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "formats/tflite/tflite.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { FUZZ_MEMORY = 256 << 20 };

static void fuzz_shown(const hoist_module *module)
{
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    const hoist_piece_sink pieces = hoist_dropping_sink();
    if (fuzz_came(tflite_info(module, NULL, NULL, &sink))) {
        fuzz_require(depth == 0);
    }
    sink = hoist_depth_sink(&depth);
    if (fuzz_came(tflite_visit(module, NULL, &sink))) {
        fuzz_require(depth == 0);
    }
    (void)fuzz_came(tflite_text(module, &pieces));
    const hoist_recovery_sink arrays = hoist_dropping_recovery();
    (void)fuzz_came(tflite_recover(module, &arrays));
}

static void fuzz_written(const hoist_module *module, hoist_bytes file)
{
    hoist_buffer out;
    hoist_buffer_init(&out, module->alloc);
    const hoist_status status = tflite_write(module, &out);
    if (tflite_of(module)->model->table.faults) {
        fuzz_require(status == HOIST_INVALID || !fuzz_came(status));
    } else if (fuzz_came(status)) {
        fuzz_require(out.size == file.size && memcmp(out.data, file.data, file.size) == 0);
    }
    hoist_buffer_deinit(&out);
}

static void fuzz_payloads(const hoist_module *module, hoist_bytes file)
{
    hoist_arena arena;
    hoist_payload *payloads = NULL;
    size_t count = 0;
    hoist_arena_init(&arena, module->alloc);
    if (fuzz_came(tflite_payloads(module, &arena, &payloads, &count))) {
        for (size_t i = 0; i < count; i++) {
            const hoist_payload *const p = &payloads[i];
            fuzz_require(p->offset <= file.size && p->bytes.size <= file.size - p->offset);
        }
    }
    hoist_arena_deinit(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_read_options options = {.alloc = hoist_budget_allocator(&budget), .keep = true};
    const hoist_bytes file = {data, size};
    hoist_diag *diag = NULL;
    hoist_module *module = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status = tflite_read(file, &options, diag, &module);
    fuzz_require((status == HOIST_OK) == (module != NULL));
    fuzz_require(module || status == HOIST_NO_MEMORY || hoist_diag_count(diag, HOIST_ERROR) > 0);
    if (module) {
        (void)fuzz_came(tflite_check(module, NULL, diag));
        fuzz_shown(module);
        fuzz_written(module, file);
        fuzz_payloads(module, file);
        tflite_destroy(module);
    }
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
