// Any bytes through the readers of SoC and cluster descriptors: nothing may crash, run away or
// leak; what is accepted is complete.
#include "base/alloc.h"
#include "formats/buda/soc.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 64 << 20 };

// The workers of an accepted descriptor fit its NoC, and each channel of its DRAM has a top.
static void walk_soc(const buda_soc *soc)
{
    fuzz_require(soc->row_count >= 0 && soc->row_count <= soc->noc_y);
    fuzz_require(soc->column_count >= 0 && soc->column_count <= soc->noc_x);
    fuzz_require(soc->dram_count > 0 && soc->alignment > 0);
    for (int i = 0; i < soc->dram_count; i++) {
        fuzz_require(soc->reserved_tops[i] <= INT64_MAX);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_budget_allocator(&budget));
    const buda_soc *soc = NULL;
    const buda_cluster *cluster = NULL;
    hoist_status status = buda_soc_read((hoist_bytes){data, size}, &arena, NULL, &soc);
    fuzz_require((status == HOIST_OK) == (soc != NULL));
    if (soc) {
        walk_soc(soc);
    }
    status = buda_cluster_read((hoist_bytes){data, size}, &arena, NULL, &cluster);
    fuzz_require((status == HOIST_OK) == (cluster != NULL));
    hoist_arena_deinit(&arena);
    fuzz_require(budget.used == 0);
    return 0;
}
