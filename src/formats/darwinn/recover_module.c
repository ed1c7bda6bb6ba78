// The recovered layers of all packages of a module as tree events, for `hoist recover`: recover.c
// makes the list, recover_scales.c the scales, recover_tree.c sends both.
#include "base/arena.h"
#include "base/tree.h"
#include "formats/darwinn/recover_send.h"

// A package without a program is an empty map: its findings are of other commands.
static hoist_status send_package(const dwn_module *m, uint32_t index, hoist_tree_sink *sink,
                                 uint64_t *gaps)
{
    const dwn_contents *contents = &m->packages[index];
    hoist_arena arena;
    dwn_recovery recovery;
    dwn_scales scales;
    hoist_arena_init(&arena, m->base.alloc);
    hoist_status status = dwn_recover(contents, &arena, &recovery);
    const bool has_program = status == HOIST_OK;
    if (has_program) {
        const dwn_executable *const main = dwn_roles_of(contents).main_image->rows;
        status = dwn_scales_of(&recovery, main, &arena, &scales);
    }
    hoist_tree_map(sink, "");
    if (has_program && status == HOIST_OK) {
        *gaps += recovery.gap_count;
        status = dwn_recovery_send(&recovery, &scales, sink);
    }
    hoist_tree_end(sink);
    hoist_arena_deinit(&arena);
    return status == HOIST_UNSUPPORTED ? sink->status : status;
}

hoist_status dwn_send_layers(const hoist_module *module, hoist_tree_sink *sink, uint64_t *out_gaps)
{
    const dwn_module *const m = dwn_of(module);
    hoist_status status = HOIST_OK;
    *out_gaps = 0;
    hoist_tree_list(sink, "packages");
    for (uint32_t i = 0; i < m->package_count && status == HOIST_OK; i++) {
        status = send_package(m, i, sink, out_gaps);
    }
    hoist_tree_end(sink);
    return status;
}
