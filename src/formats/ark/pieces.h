// formats/ark/pieces.h - the memory of a rank cut into pieces: bytes that belong to the same
// tensors, among those that operators touch. Sets of bytes are sets of pieces then, exact by bytes
// whatever the views, and small: a tensor that shares no byte with a different view is one piece,
// however large.
//
// In: a graph and the effects of its operators. Out: the pieces of each of these tensors, and the
// bytes of each piece. Flow (6.6) and conflicts (M37, M38) are computed on them.
#ifndef HOIST_SRC_FORMATS_ARK_PIECES_H
#define HOIST_SRC_FORMATS_ARK_PIECES_H

#include "base/block.h"
#include "formats/ark/effects.h"

// Bytes of a piece: those of `bytes`, which have the dimensions of ark_piece_memory. A piece may
// have several ranges.
typedef struct ark_piece_range {
    uint64_t begin, end;
    uint32_t piece;
} ark_piece_range;

// The pieces of a memory: ranges, repeated along dimensions that all its tensors have in common.
typedef struct ark_piece_memory {
    const ark_piece_range *ranges; // ascending, apart
    uint32_t range_count;
    int rank;
    uint64_t count[HOIST_BLOCK_RANK];
    uint64_t stride[HOIST_BLOCK_RANK];
} ark_piece_memory;

typedef struct ark_pieces {
    uint32_t count;                   // pieces are below it
    const ark_operands *of;           // by value: its pieces; none for tensors that nothing touches
    const ark_piece_memory *memories; // by memory
} ark_pieces;

// The bytes of a tensor; it is valid.
hoist_block ark_value_block(const ark_value *value);
// The bytes of a range of a memory's pieces.
hoist_block ark_piece_block(const ark_piece_memory *memory, const ark_piece_range *range);

// HOIST_OK; HOIST_LIMIT: views are cut into too many ranges, or the module's deadline is over, as
// is HOIST_CANCELLED; HOIST_NO_MEMORY. Everything is in `arena`.
HOIST_NODISCARD hoist_status ark_pieces_find(const ark_graph *graph, const ark_effects *effects,
                                             hoist_arena *arena, ark_pieces *out_pieces);

#endif // HOIST_SRC_FORMATS_ARK_PIECES_H
