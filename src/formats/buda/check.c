// Runs the checks of a netlist: builds the net for the chosen architecture (net_open.c), then calls
// each part of check.h with it. Findings go to the diag; scratch memory is freed at the end.
#include "formats/buda/check.h"

#include "base/span.h"

typedef hoist_status (*check_part)(const buda_check *c);

// In the order of the rules' families. Findings are sorted by location when they are shown, so the
// order is no promise.
static const check_part parts[] = {
    buda_check_structure, buda_check_ops,      buda_check_fused,         buda_check_shapes,
    buda_check_memory,    buda_check_programs, buda_check_test_sections,
};

static hoist_status run_parts(const buda_check *c)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        HOIST_TRY(parts[i](c));
        // A part may end early at the deadline, without a status of its own.
        HOIST_TRY(hoist_deadline_look(c->module->base.deadline));
    }
    return HOIST_OK;
}

hoist_status buda_check_arch(const hoist_buda_module *netlist, const hoist_check_options *options,
                             hoist_diag *diag)
{
    // Net and scratch live for one architecture; the module outlives them.
    buda_net net;
    const buda_cluster *cluster = NULL;
    HOIST_TRY(buda_net_open(netlist, options, diag, &net, &cluster));
    hoist_arena scratch;
    hoist_arena_init(&scratch, netlist->base.alloc);
    const buda_check check = {
        .module = netlist,
        .net = &net,
        .cluster = cluster,
        .options = options,
        .diag = diag,
        .scratch = &scratch,
        .arch = net.arch,
    };
    const hoist_status status = run_parts(&check);
    hoist_arena_deinit(&scratch);
    buda_net_deinit(&net);
    return status;
}
