// formats/neff/graph.h - the tape of neff.json, for its readers and its checks.
#ifndef HOIST_SRC_FORMATS_NEFF_GRAPH_H
#define HOIST_SRC_FORMATS_NEFF_GRAPH_H

#include "formats/neff/neff.h"

// The object that has `nodes`: the root, or the first of `graphs` where the graph is wrapped.
hoist_json_index neff_graph_root(const hoist_json *json);
// The list of attrs.NAME, which is a pair of a word and the list; 0: there is none.
hoist_json_index neff_graph_list(const hoist_json *json, hoist_json_index root, const char *name);
// node_row_ptr, which has node_count + 1 items: `*out_rows` (arena) is NULL when it is not as it
// should be: from 0, never falling, within the lists of types and shapes. HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_graph_rows(const neff_graph *graph, hoist_arena *arena,
                                             uint32_t **out_rows);
// Reads the kelfs that its nodes name, each once. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY.
// kelf_read.c
HOIST_NODISCARD hoist_status neff_read_kelfs(neff_reader *r);
// Makes the subgraphs that the kelfs list. HOIST_OK, HOIST_NO_MEMORY. kelf_read.c
HOIST_NODISCARD hoist_status neff_make_subgraphs(neff_reader *r);

#endif // HOIST_SRC_FORMATS_NEFF_GRAPH_H
