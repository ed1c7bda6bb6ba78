// Any bytes as a device image: read, checked, summed up, dumped, unpacked and recovered. The
// netlist in it is other targets' (netlist_fuzz, all_tti_fuzz).
#include "base/alloc.h"
#include "base/span.h"
#include "formats/part_name.h"
#include "formats/tti/tti.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 64 << 20 };

static hoist_status take_event(void *self, const hoist_tree_event *event)
{
    (void)self;
    (void)event;
    return HOIST_OK;
}

static hoist_status take_part(void *self, const hoist_part *part)
{
    (void)self;
    fuzz_require(hoist_part_unsafe(part->path) == NULL);
    return HOIST_OK;
}

// Arrays are as large as their shapes.
static hoist_status take_array(void *self, const hoist_recovered *array)
{
    uint64_t size = array->element_size;
    (void)self;
    for (uint32_t i = 0; i < array->rank; i++) {
        fuzz_require(array->shape[i] >= 0);
        size *= (uint64_t)array->shape[i];
    }
    fuzz_require(size == array->bytes.size);
    return HOIST_OK;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    fuzz_require(missing->reason.size > 0);
    return HOIST_OK;
}

static void fuzz_module(hoist_module *module)
{
    const hoist_unpack_options unpacking = {.members_only = true};
    const hoist_dump_options dumping = {.key = "module", .positions = true};
    const hoist_recovery_sink recovery = {NULL, take_array, take_missing};
    hoist_tree_sink events = {.event = take_event};
    hoist_part_sink parts = {NULL, take_part};
    hoist_held held;
    if (!fuzz_came(tti_check(module, NULL, NULL)) ||
        !fuzz_came(tti_info(module, NULL, NULL, &events)) ||
        !fuzz_came(tti_visit(module, &dumping, &events)) ||
        !fuzz_came(tti_recover(module, &recovery))) {
        return;
    }
    const hoist_status unpacked = tti_unpack(module, &unpacking, NULL, &parts);
    fuzz_require(unpacked == HOIST_OK || unpacked == HOIST_INVALID);
    const hoist_status found = tti_held(module, &held);
    fuzz_require(found == HOIST_OK || found == HOIST_NOT_FOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_read_options options = {.alloc = hoist_budget_allocator(&budget), .keep = true};
    hoist_module *module = NULL;
    const hoist_status status =
        hoist_format_read(&hoist_tti_format, (hoist_bytes){data, size}, &options, NULL, &module);
    if (status == HOIST_OK) {
        fuzz_module(module);
        hoist_tti_format.destroy(module);
    } else {
        fuzz_require(!module && status != HOIST_INTERNAL);
    }
    fuzz_require(budget.used == 0);
    return 0;
}
