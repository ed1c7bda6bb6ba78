// All checks, one after the other over the same module: in goes what reading made, out come
// findings. Each check_*.c has the rules of one part of the file; what reading itself has found is
// not reported again.
#include "base/span.h"
#include "formats/neff/neff.h"

// In the order of the archive: container, graph, definitions, queue sets, then blocks, descriptors
// and streams of each engine. Later ones rely on nothing that earlier ones do.
static hoist_status (*const parts[])(neff_check *c) = {
    neff_check_container, neff_check_graph, neff_check_def,     neff_check_queues,
    neff_check_blocks,    neff_check_descs, neff_check_streams,
};

hoist_status neff_check_all(hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag)
{
    neff_module *const m = (neff_module *)module;
    neff_check c = {.module = m, .diag = diag, .options = options};
    // Opcodes and several limits depend on it.
    c.generation = neff_generation_for(m, options, &c.target_given);
    hoist_arena_init(&c.arena, module->alloc);
    hoist_status status = HOIST_OK;
    // Out of memory, a limit, or time.
    for (size_t i = 0; i < HOIST_COUNT_OF(parts) && status == HOIST_OK; i++) {
        status = parts[i](&c);
        status = status == HOIST_OK ? hoist_deadline_look(module->deadline) : status;
        neff_enter(m, diag, NEFF_NONE); // findings after this are the file's
    }
    hoist_arena_deinit(&c.arena);
    return status;
}
