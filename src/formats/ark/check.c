// All checks of a file, one after the other over its graph.
#include "formats/ark/check.h"

#include "base/span.h"

// In the order of findings: a part may rely on none before it. Each has its own scratch memory.
static ark_check_part *const parts[] = {
    ark_check_args,   ark_check_nodes,    ark_check_ops,
    ark_check_memory, ark_check_messages, ark_check_plan,
};

hoist_status ark_check(hoist_module *module, const hoist_check_options *options, hoist_diag *diag)
{
    (void)options; // no check of this format has a choice
    hoist_arena arena;
    hoist_arena_init(&arena, module->alloc);
    ark_graph graph;
    hoist_status status = ark_graph_build(ark_module_of(module), &arena, diag, &graph);
    for (size_t i = 0; status == HOIST_OK && i < HOIST_COUNT_OF(parts); i++) {
        hoist_arena scratch;
        hoist_arena_init(&scratch, module->alloc);
        status = hoist_arena_status(&scratch, parts[i](&graph, &scratch, diag));
        hoist_arena_deinit(&scratch);
    }
    hoist_arena_deinit(&arena);
    return status;
}
