// formats/ark/graph_internal.h - what the sources of the graph share: graph.c (operators and their
// order), graph_tensors.c (each tensor and buffer once), geometry.c (where a tensor is).
#ifndef HOIST_SRC_FORMATS_ARK_GRAPH_INTERNAL_H
#define HOIST_SRC_FORMATS_ARK_GRAPH_INTERNAL_H

#include "base/diag.h"
#include "base/map.h"
#include "formats/ark/graph.h"

// A row of the graph, and what is known of it only while it is made. The flags keep a rule from a
// second finding at each further occurrence.
typedef struct ark_memory_row {
    ark_memory memory;
    uint32_t first; // tensor that is in it; ARK_NONE
    bool mixed;     // ARK-M28 was reported
    bool differs;   // ARK-M26 was reported
} ark_memory_row;

typedef struct ark_value_row {
    ark_value value;
    bool differs; // ARK-M25 was reported
} ark_value_row;

// Rows of one kind, found by the ids of the file. An id may be any integer of the file, so rows
// are found by a hash of it, never by position.
typedef struct ark_rows {
    hoist_map ids;
    void *items; // owned
    size_t count, capacity;
    size_t size; // bytes of a row
} ark_rows;

typedef struct ark_builder {
    const ark_module *module;
    hoist_arena *arena;
    hoist_diag *diag;  // may be NULL
    ark_rows values;   // ark_value_row
    ark_rows memories; // ark_memory_row
} ark_builder;

void ark_builder_init(ark_builder *b, const ark_module *module, hoist_arena *arena,
                      hoist_diag *diag);
void ark_builder_deinit(ark_builder *b);

// The index of the tensor that `row` is an occurrence of. Reports M20 to M26, M28 and M29 at it;
// the frames name the occurrence.
HOIST_NODISCARD hoist_status ark_builder_tensor(ark_builder *b, const ark_tensor *row,
                                                uint32_t *out_value);
// When all tensors are there: reports what their sum breaks, and moves the rows to the graph, whose
// values are `*out_values`.
HOIST_NODISCARD hoist_status ark_builder_finish(ark_builder *b, ark_graph *graph,
                                                ark_value **out_values);

// geometry.c: dtype, lists and places of `value` from the lists of its row. False: the row lacks a
// key, or breaks a rule of M20 to M24 and M29a, which is reported.
bool ark_geometry(const ark_tensor *row, hoist_diag *diag, ark_value *value);
// PaddedShape, also of a row that has Pads. False: no integer is. Pads of p make it the shape
// rounded up to a multiple of p (M29b).
bool ark_padded_at(const ark_tensor *row, size_t dim, int64_t *out_padded);
// Bytes of the array that a valid value is a part of.
uint64_t ark_array_size(const ark_value *value);

// The key of an id in maps: borrows it. The map copies nothing: the id must not move while the map
// is used.
static inline hoist_str ark_id_key(const int64_t *id)
{
    return (hoist_str){(const char *)id, sizeof(*id)};
}

#endif // HOIST_SRC_FORMATS_ARK_GRAPH_INTERNAL_H
