// formats/neff/stream_index.h - what a stream is made of: its functions, and for every ring the
// blocks that the triggers of one function release, in their order (neff reference sections 4.7,
// 5.2). Checks and lowering look blocks up here.
#ifndef HOIST_SRC_FORMATS_NEFF_STREAM_INDEX_H
#define HOIST_SRC_FORMATS_NEFF_STREAM_INDEX_H

#include "formats/neff/module.h"
#include "formats/neff/stream.h"

#define NEFF_NO_SECTION (UINT32_MAX - 1) // a function that no `function_start` names

// A part of the stream that runs on its own: the main program, or a function.
typedef struct neff_routine {
    hoist_str name; // slice of the stream; empty: the main program
    uint32_t begin; // its FUNCTION_BEGIN record; NEFF_NONE: the main program
    uint32_t first; // records [first, end)
    uint32_t end;
    uint32_t section; // `function` of its blocks: index into neff_engine.functions, NEFF_NONE (the
                      // main program) or NEFF_NO_SECTION
} neff_routine;

// The blocks of one ring that the triggers of one function release.
typedef struct neff_section {
    uint32_t queue;    // queue set
    uint32_t instance; // index into neff_subgraph.instances; NEFF_NONE: the ring of the set itself
    uint32_t function; // as neff_block.function
    uint32_t first;    // in neff_stream.order
    uint32_t count;
} neff_section;

typedef struct neff_stream {
    hoist_bytes bytes; // of whole records; borrowed from the member
    uint32_t record_count;
    int generation;
    neff_routine *routines; // arena; the first is the main program
    uint32_t routine_count;
    hoist_map routine_names; // owned; name of a function to index, first of equals
    neff_section *sections;  // arena
    uint32_t section_count;
    uint32_t *order; // arena; blocks by section, in a section as `dma` has them
    uint32_t *by_id; // arena; positions in `order`: by section, id and position
    const neff_engine *engine;
} neff_stream;

// Looks over the stream of `engine`; without one (NEFF_NONE) there are no records. Tables are in
// `arena`; HOIST_OK or HOIST_NO_MEMORY. Release with neff_stream_deinit, also after a failure.
HOIST_NODISCARD hoist_status neff_stream_index(const neff_module *module, const neff_engine *engine,
                                               int generation, hoist_arena *arena,
                                               neff_stream *out_stream);
void neff_stream_deinit(neff_stream *stream);

// The i-th record.
neff_record neff_stream_at(const neff_stream *stream, uint32_t i);

// The section of that ring and function; NULL when it has no blocks.
const neff_section *neff_section_find(const neff_stream *stream, uint32_t queue, uint32_t instance,
                                      uint32_t function);
// The section that triggers of a set release at start: of its first instance when it has any
// [inferred], else of the set.
const neff_section *neff_section_of(const neff_stream *stream, const neff_subgraph *subgraph,
                                    uint32_t queue, uint32_t function);
// The next block for a trigger of `id` when `*cursor` blocks of the section were released: the next
// one, or, when that has another id, the first later one that has it (`*out_in_order` is false).
// `*cursor` is moved after it. NEFF_NONE: none is left, the cursor stays.
uint32_t neff_section_release(const neff_stream *stream, const neff_section *section,
                              uint32_t *cursor, uint32_t id, bool *out_in_order);

// How often streams are looked at. Many engines may name one stream; a small file must not keep us
// busy with a large one for ever.
typedef struct neff_reuse {
    bool *seen;    // arena; by member
    uint64_t left; // records that may still be looked at again
} neff_reuse;

HOIST_NODISCARD hoist_status neff_reuse_init(neff_reuse *reuse, const neff_module *module,
                                             hoist_arena *arena);
// Counts that the engine's stream, which is there, is looked at. HOIST_LIMIT: too often, which is
// reported under `rule` (may be NULL).
HOIST_NODISCARD hoist_status neff_reuse_stream(neff_reuse *reuse, const neff_module *module,
                                               const neff_engine *engine, const hoist_rule *rule,
                                               hoist_diag *diag);

#endif // HOIST_SRC_FORMATS_NEFF_STREAM_INDEX_H
