// Rules of section 5.1 (buda-netlist reference) that look at all of the netlist, and those of
// section 5.7 that belong to them. One file per idea; see check_structure.h.
#include "formats/buda/check_structure.h"

static hoist_status run_parts(buda_structure *s)
{
    HOIST_TRY(buda_check_names(s));
    buda_check_buffers(s);
    buda_check_aliases(s);
    HOIST_TRY(buda_check_op_lists(s));
    HOIST_TRY(buda_check_cores(s));
    HOIST_TRY(buda_check_links(s));
    return buda_check_unused(s);
}

hoist_status buda_check_structure(const buda_check *c)
{
    buda_structure s = {.check = c};
    hoist_map *const maps[] = {&s.queues, &s.graphs, &s.ops, &s.programs};
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        hoist_map_init(maps[i], c->scratch->alloc);
    }
    const hoist_status status = run_parts(&s);
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        hoist_map_deinit(maps[i]);
    }
    return status;
}
