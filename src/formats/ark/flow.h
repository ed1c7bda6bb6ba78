// formats/ark/flow.h - which bytes of a rank's memory the caller has to supply, and which results
// are left when all operators are done (ark reference section 6.6; the file does not say).
//
// In: the graph of one file. Out: needs, results and state, from the bytes that each operator reads
// and writes in the order of the file. A receiving operator counts as the writer of its target and
// of its scratch.
#ifndef HOIST_SRC_FORMATS_ARK_FLOW_H
#define HOIST_SRC_FORMATS_ARK_FLOW_H

#include "formats/ark/pieces.h"

// Bytes [begin, end) of a buffer.
typedef struct ark_range {
    uint64_t begin, end;
} ark_range;

// Bytes of a buffer that are read before any operator writes them.
typedef struct ark_need {
    uint32_t memory;
    uint32_t value; // the tensor of the first reading operand: the name of the need
    // That operator; ARK_NONE: memory of the caller (external), all of which counts, and which no
    // operator reads.
    uint32_t step;
    const ark_range *ranges; // ascending, apart
    uint32_t range_count;
} ark_need;

// Result 0 of an operator, none of whose bytes is read later and not all of which are overwritten.
typedef struct ark_result {
    uint32_t value;
    uint32_t step;
} ark_result;

typedef struct ark_flow {
    const ark_need *needs; // one for each buffer, in the order of first reading
    uint32_t need_count;
    const ark_result *results; // in the order of the file
    uint32_t result_count;
    const bool *is_state; // by memory: it has needs and results
} ark_flow;

// HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT (more pieces of memory than can be distinguished),
// HOIST_CANCELLED. Everything is in `arena`. Steps that are not valid count as neither reading nor
// writing (formats/ark/effects.h).
HOIST_NODISCARD hoist_status ark_flow_find(const ark_graph *graph, hoist_arena *arena,
                                           ark_flow *out_flow);

// The same of a graph whose effects and pieces are known already.
HOIST_NODISCARD hoist_status ark_flow_of_pieces(const ark_graph *graph, const ark_effects *effects,
                                                const ark_pieces *pieces, hoist_arena *arena,
                                                ark_flow *out_flow);

#endif // HOIST_SRC_FORMATS_ARK_FLOW_H
