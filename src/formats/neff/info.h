// formats/neff/info.h - the parts of the summary: info.c (header, tensors), info_loads.c (what
// takes the file), info_flaw.c (why nothing does), info_subgraph.c (variables, memory), info_dma.c
// (queue sets, traffic), info_streams.c (instructions, tables), info_loaded.c (activation tables,
// libraries).
#ifndef HOIST_SRC_FORMATS_NEFF_INFO_H
#define HOIST_SRC_FORMATS_NEFF_INFO_H

#include "base/tree.h"
#include "formats/neff/show.h"

typedef struct neff_info_writer {
    const neff_module *module;
    int generation;
    bool hash_known;
    bool hash_right;
    hoist_arena *arena; // scratch
    hoist_tree_sink *sink;
} neff_info_writer;

// Begins a list that people see only when it has items.
static inline void neff_info_list(hoist_tree_sink *sink, const char *key, size_t count)
{
    sink->audience = count ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_list(sink, key);
}
// Ends it.
static inline void neff_info_end(hoist_tree_sink *sink)
{
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_ALL;
}
static inline void neff_info_count(hoist_tree_sink *sink, const char *key, uint64_t count)
{
    hoist_tree_uint(sink, key, count, HOIST_UNIT_NONE);
}
static inline void neff_info_bytes(hoist_tree_sink *sink, const char *key, uint64_t bytes)
{
    hoist_tree_uint(sink, key, bytes, HOIST_UNIT_BYTES);
}

// "runtimes" and "devices": what loads the file, and why the others refuse it. HOIST_NO_MEMORY.
// info_loads.c
HOIST_NODISCARD hoist_status neff_info_loads(const neff_info_writer *w);
// Why nothing can load the file: the first error of reading it or of what a loader looks up. Empty:
// there is none. HOIST_NO_MEMORY, HOIST_LIMIT. info_flaw.c
HOIST_NODISCARD hoist_status neff_info_flaw(const neff_info_writer *w, hoist_str *out_flaw);
// "variables", "memory", "scratchpads", "constants" of a subgraph. HOIST_NO_MEMORY.
// info_subgraph.c
HOIST_NODISCARD hoist_status neff_info_memory(const neff_info_writer *w,
                                              const neff_subgraph *subgraph);
// "state_buffer" of a subgraph. HOIST_NO_MEMORY. info_state_buffer.c
HOIST_NODISCARD hoist_status neff_info_state_buffer(const neff_info_writer *w,
                                                    const neff_subgraph *subgraph);
// "queues", "engines", "ops", "traffic" of a subgraph. HOIST_NO_MEMORY. info_dma.c
HOIST_NODISCARD hoist_status neff_info_dma(const neff_info_writer *w,
                                           const neff_subgraph *subgraph);
// "instructions", "activation_sets", "dve_tables" of a subgraph. HOIST_NO_MEMORY. info_streams.c
HOIST_NODISCARD hoist_status neff_info_streams(const neff_info_writer *w,
                                               const neff_subgraph *subgraph);
// "activation_loads", "custom_op_libraries" of a subgraph. HOIST_NO_MEMORY. info_loaded.c
HOIST_NODISCARD hoist_status neff_info_loaded(const neff_info_writer *w,
                                              const neff_subgraph *subgraph);

#endif // HOIST_SRC_FORMATS_NEFF_INFO_H
