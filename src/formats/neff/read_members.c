// All that the members of a container hold, and freeing it: what reading a file (format.c) and
// packing one (pack.c) share. graph_read.c finds the subgraphs, def_read.c reads each with its
// engines.
#include "formats/neff/neff.h"

hoist_status neff_read_members(neff_reader *r)
{
    neff_module *const m = r->module;
    HOIST_TRY(neff_read_graph(r));
    for (uint32_t i = 0; i < m->subgraph_count; i++) {
        HOIST_TRY(neff_read_subgraph(r, &m->subgraphs[i]));
    }
    return HOIST_OK;
}

void neff_destroy(hoist_module *module)
{
    if (!module) {
        return;
    }
    // The base is the first member, so both have one address.
    neff_module *const m = (neff_module *)module;
    neff_graph_deinit(m);
    neff_module_free(m);
}
