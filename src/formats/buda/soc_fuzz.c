// Any bytes through the readers of SoC and cluster descriptors: nothing may crash, run away or
// leak; what is accepted is whole.
#include "base/alloc.h"
#include "formats/buda/soc.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 64 << 20 };

// Every logical core of an accepted descriptor is a place on its NoC.
static void walk_soc(const buda_soc *soc)
{
    for (int r = 0; r < soc->row_count; r++) {
        for (int c = 0; c < soc->column_count; c++) {
            buda_core core;
            fuzz_require(buda_soc_physical(soc, r, c, &core));
            fuzz_require(core.x < soc->noc_x && core.y < soc->noc_y);
        }
    }
    fuzz_require(soc->dram_count > 0 && soc->alignment > 0);
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
