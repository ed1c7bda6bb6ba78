// The life of a netlist's module (module.h): one allocation and one arena, which owns all that
// read.c puts into it.
#include "base/alloc.h"
#include "formats/buda/buda.h"

hoist_buda_module *buda_module_create(hoist_allocator alloc)
{
    hoist_buda_module *const module = hoist_alloc_zero(alloc, 1, sizeof(*module));
    if (module) {
        module->base.alloc = alloc;
        hoist_arena_init(&module->arena, alloc);
    }
    return module;
}

void buda_module_destroy(hoist_module *base)
{
    if (!base) {
        return;
    }
    // The base is the first member, so both have one address.
    hoist_buda_module *const module = (hoist_buda_module *)base;
    hoist_arena_deinit(&module->arena);
    hoist_free(base->alloc, module, sizeof(*module));
}
