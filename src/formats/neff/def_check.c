// The walk over the subgraphs whose def.json was read, and locations in it: what check_def.c,
// check_queues.c, check_constants.c, check_scratchpad.c and check_window.c rest on.
#include "formats/neff/def_check.h"

#include "base/span.h"

hoist_status neff_check_each_def(neff_check *c, hoist_status (*check)(neff_def_check *d))
{
    for (uint32_t i = 0; i < c->module->subgraph_count; i++) {
        const neff_subgraph *const subgraph = &c->module->subgraphs[i];
        if (subgraph->def.json.count > 0) { // else reading has reported why not
            neff_def_check d = {.c = c, .subgraph = subgraph, .json = &subgraph->def.json};
            neff_enter(c->module, c->diag, subgraph->def.member);
            HOIST_TRY(check(&d));
        }
    }
    return HOIST_OK;
}

// Frames are linked and live in the caller's `path` until neff_def_pop().
void neff_def_push(neff_def_check *d, neff_def_path *path, const char *what, hoist_str name)
{
    hoist_diag_push(d->c->diag, &path->outer, NULL, HOIST_STR(""), hoist_str_from(what));
    hoist_diag_push(d->c->diag, &path->inner, NULL, HOIST_STR(""), name);
}

void neff_def_pop(neff_def_check *d, const neff_def_path *path)
{
    hoist_diag_pop(d->c->diag, &path->inner);
    hoist_diag_pop(d->c->diag, &path->outer);
}

hoist_loc neff_def_loc(neff_def_check *d, const char *key)
{
    return neff_def_at(d, d->json->tokens[0].start, key);
}
