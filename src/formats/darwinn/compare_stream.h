// formats/darwinn/compare_stream.h - what two chunks of instructions say differently, field by
// field. Addresses that were filled in count apart: the same program is linked and unlinked.
//
// Instructions at the beginning and at the end with the same opcodes are compared with each other;
// what is between them has no counterpart.
#ifndef HOIST_SRC_FORMATS_DARWINN_COMPARE_STREAM_H
#define HOIST_SRC_FORMATS_DARWINN_COMPARE_STREAM_H

#include "formats/darwinn/compare.h"

// One field of one kind of instruction.
typedef struct dwn_field_difference {
    const dwn_opcode *opcode;
    const dwn_field *field; // NULL: bits that no field is known for
    uint32_t word;          // of the old chunk, where the first such instruction begins
    uint64_t instructions;  // that differ in it
    int64_t old, now;       // of the first: as dwn_field_value(); of unknown bits 0
} dwn_field_difference;

typedef struct dwn_chunk_differences {
    const dwn_field_difference *fields; // arena; in the order in which they were found
    size_t field_count;
    uint32_t addresses;          // holes that are filled with something else
    bool has_other_links;        // holes are not at the same places, or for other buffers
    bool has_other_end;          // bytes after the last instruction that could be read
    uint32_t word;               // of the old chunk, where instructions without counterpart begin
    uint64_t old_only, now_only; // how many they are
} dwn_chunk_differences;

// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_chunk_compare(const dwn_chunk *old, const dwn_chunk *now,
                                               hoist_arena *arena,
                                               dwn_chunk_differences *out_differences);

#endif // HOIST_SRC_FORMATS_DARWINN_COMPARE_STREAM_H
