// Any bytes through reader and checker, for every architecture: nothing may crash, run away or
// leak, and every finding has a sentence and a place within the text.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/buda/check.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20 };

static uint32_t count_lines(const uint8_t *data, size_t size)
{
    uint32_t lines = 2; // the end of the text may be on a line of its own
    for (size_t i = 0; i < size; i++) {
        lines += data[i] == '\n' || data[i] == '\r' || data[i] >= 0x80 ? 1u : 0u;
    }
    return lines;
}

static void check_findings(const hoist_diag *diag, uint32_t lines)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        fuzz_require(finding->message.size > 0);
        fuzz_require(finding->loc.kind != HOIST_LOC_TEXT ||
                     (finding->loc.pos.line >= 1 && finding->loc.pos.line <= lines));
    }
}

static void check_all(hoist_module *module, hoist_diag *diag)
{
    for (int i = 0; i < BUDA_ARCH_COUNT; i++) {
        const hoist_check_options options = {.arch = hoist_str_from(buda_arch_name(i))};
        const hoist_status status = hoist_buda_format.check(module, &options, diag);
        fuzz_require(status == HOIST_OK || status == HOIST_LIMIT || status == HOIST_NO_MEMORY);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_read_options options = {.alloc = hoist_budget_allocator(&budget)};
    hoist_diag *diag = NULL;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        return 0;
    }
    hoist_module *module = NULL;
    if (hoist_buda_format.read((hoist_bytes){data, size}, &options, diag, &module) == HOIST_OK) {
        check_all(module, diag);
        hoist_buda_format.destroy(module);
    }
    check_findings(diag, count_lines(data, size));
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
