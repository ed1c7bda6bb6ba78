// The module's life and its members by name. read_members.c fills it from an archive, build.c and
// pack_assemble.c from members of their own.
#include "base/alloc.h"
#include "formats/neff/neff.h"

neff_module *neff_module_create(hoist_allocator alloc, hoist_bytes file)
{
    neff_module *const m = hoist_alloc_zero(alloc, 1, sizeof(*m));
    if (m) {
        m->base.alloc = alloc;
        m->file = file;
        m->graph.text.member = NEFF_NONE; // the only member index that begins as "none" here
        hoist_arena_init(&m->arena, alloc);
        hoist_map_init(&m->member_names, alloc);
    }
    return m;
}

// The arena goes with everything in it; `inflated` is the allocator's own block. The file's bytes
// are the caller's.
void neff_module_free(neff_module *module)
{
    if (!module) {
        return;
    }
    const hoist_allocator alloc = module->base.alloc;
    hoist_map_deinit(&module->member_names);
    hoist_arena_deinit(&module->arena);
    hoist_free(alloc, module->inflated.data, module->inflated.size);
    hoist_free(alloc, module, sizeof(*module));
}

uint32_t neff_member_find(const neff_module *module, hoist_str name)
{
    size_t index = 0;
    return hoist_map_find(&module->member_names, name, &index) ? (uint32_t)index : NEFF_NONE;
}
