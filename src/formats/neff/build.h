// formats/neff/build.h - what the parts of the builder of hoist/neff.h share: build.c (the file and
// its members), build_parts.c, build_def.c, build_engine.c and build_graph.c.
#ifndef HOIST_SRC_FORMATS_NEFF_BUILD_H
#define HOIST_SRC_FORMATS_NEFF_BUILD_H

#include "formats/neff/build_tree.h"
#include "formats/neff/pack.h"

// What the bytes of a member come from.
typedef enum neff_build_source {
    NEFF_BUILD_GIVEN = 0, // `bytes`
    NEFF_BUILD_GRAPH,     // the entries
    NEFF_BUILD_TREE,      // `tree`
    NEFF_BUILD_STREAM,    // `stream`
} neff_build_source;

typedef struct neff_build_member {
    hoist_str path;
    neff_build_source source;
    unsigned rank; // of the archive's order: by rank, then by path
    bool dropped;
    hoist_bytes bytes; // arena; of a stream: the engine's buffer
    neff_made *tree;
    const hoist_buffer *stream;
} neff_build_member;

// The archive's order.
enum {
    NEFF_RANK_GRAPH,
    NEFF_RANK_KELF,
    NEFF_RANK_DEF,
    NEFF_RANK_ENGINE,
    NEFF_RANK_STREAM,
    NEFF_RANK_OTHER
};

typedef struct neff_build_engine {
    neff_made *blocks; // the list "dma"; NULL: the engine is absent
    hoist_buffer stream;
} neff_build_engine;

typedef struct neff_build_subgraph {
    hoist_str name;
    neff_made *def;
    neff_made *vars;
    neff_made *queues;
    neff_build_engine engines[NEFF_ENGINE_COUNT];
} neff_build_subgraph;

struct hoist_neff {
    hoist_allocator alloc;
    hoist_arena arena;
    neff_maker maker;
    hoist_neff_options options; // texts and bytes in the arena
    uint64_t features;          // that follow from the content
    neff_made *kelf;
    neff_made *kelf_graphs;
    neff_made *graph_keys; // top-level keys of neff.json
    neff_made *entries;    // given ones: inputs, outputs and nodes as maps, see build_graph.c
    neff_build_subgraph **subgraphs; // owned; in the arena
    size_t subgraph_count;
    size_t subgraph_capacity;
    neff_build_member *members; // owned
    size_t member_count;
    size_t member_capacity;
    hoist_map member_names;
    hoist_buffer file; // of the last finish
};

// Every call begins with this one, which forgets the failure of an earlier one.
// build_parts.c
neff_maker *neff_build_begin(hoist_neff *neff);
// A member that is made; HOIST_BUSY when there is one of that path. build_parts.c
HOIST_NODISCARD hoist_status neff_build_add(hoist_neff *neff, const neff_build_member *member);
// The subgraph; NULL when there is none. build_parts.c
neff_build_subgraph *neff_build_subgraph_at(hoist_neff *neff, size_t index);
// Content uses a feature. build_parts.c
void neff_build_feature(hoist_neff *neff, neff_feature_bit bit);
// `name` for a key that stays, by the builder's maker. build_parts.c
hoist_str neff_build_name(hoist_neff *neff, const char *name);
// A new map "neff.json". build_graph.c
neff_made *neff_build_graph(hoist_neff *neff);
// Root and list of the kelf, without subgraphs. build_graph.c
void neff_build_kelf(hoist_neff *neff);

#endif // HOIST_SRC_FORMATS_NEFF_BUILD_H
