// Why nothing can load a file: the first error of reading it, else of what a loader looks up one
// after the other (neff reference 2.5, 7.2). In goes a module, out comes a sentence with its rule;
// the checks of rules 11, 22 to 35, 43, 44 and 66 run on a collector of their own, and nothing else
// is checked here.
#include "base/span.h"
#include "formats/neff/check_streams.h"
#include "formats/neff/info.h"

// Rule 66, of all engines.
static hoist_status check_members(neff_check *c)
{
    for (uint32_t i = 0; i < c->module->subgraph_count; i++) {
        for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
            neff_check_member(c->module, &c->module->subgraphs[i].engines[e], c->diag);
        }
    }
    return HOIST_OK;
}

static hoist_status (*const parts[])(neff_check *c) = {neff_check_graph, neff_check_def,
                                                       check_members};

static hoist_status check_all(neff_check *c)
{
    bool given = false;
    c->generation = neff_generation_for(c->module, NULL, &given);
    // Later ones look into what earlier ones found.
    for (size_t i = 0; i < HOIST_COUNT_OF(parts) && !hoist_diag_count(c->diag, HOIST_ERROR); i++) {
        HOIST_TRY(parts[i](c));
    }
    return hoist_diag_incomplete(c->diag) ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_status neff_info_flaw(const neff_info_writer *w, hoist_str *out_flaw)
{
    neff_check c = {.module = w->module}; // no options: not for a chosen target
    *out_flaw = w->module->flaw;
    if (out_flaw->size) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_diag_create(w->module->base.alloc, NULL, &c.diag));
    hoist_arena_init(&c.arena, w->module->base.alloc);
    hoist_status status = check_all(&c);
    if (status == HOIST_OK && hoist_diag_count(c.diag, HOIST_ERROR)) {
        *out_flaw = neff_first_error(c.diag, 0, w->arena);
        status = out_flaw->data ? HOIST_OK : HOIST_NO_MEMORY;
    }
    hoist_arena_deinit(&c.arena);
    hoist_diag_destroy(c.diag);
    return status;
}
