// What all calls of the builder need: its maker of values, subgraphs, features and members. Below
// build.c, build_def.c, build_engine.c and build_graph.c.
#include "base/alloc.h"
#include "base/span.h"
#include "formats/neff/build.h"

neff_maker *neff_build_begin(hoist_neff *neff)
{
    neff->maker = (neff_maker){.arena = &neff->arena};
    return &neff->maker;
}

neff_build_subgraph *neff_build_subgraph_at(hoist_neff *neff, size_t index)
{
    return index < neff->subgraph_count ? neff->subgraphs[index] : NULL;
}

void neff_build_feature(hoist_neff *neff, neff_feature_bit bit)
{
    neff->features |= UINT64_C(1) << bit;
}

hoist_str neff_build_name(hoist_neff *neff, const char *name)
{
    const hoist_str own = hoist_arena_str(&neff->arena, hoist_str_from(name));
    // Sticky, as in build_tree.c.
    neff->maker.status = own.data ? neff->maker.status : HOIST_NO_MEMORY;
    return own;
}

hoist_status neff_build_add(hoist_neff *neff, const neff_build_member *member)
{
    void *items = neff->members;
    HOIST_TRY_MEMORY(hoist_grow(neff->alloc, &items, &neff->member_capacity, neff->member_count + 1,
                                sizeof(neff->members[0])));
    neff->members = items;
    const hoist_str path = hoist_arena_str(&neff->arena, member->path);
    HOIST_TRY_MEMORY(path.data);
    // HOIST_BUSY: the path is taken.
    HOIST_TRY(hoist_map_add(&neff->member_names, path, neff->member_count, NULL));
    neff_build_member *const own = &neff->members[neff->member_count++];
    *own = *member;
    own->path = path;
    return HOIST_OK;
}
