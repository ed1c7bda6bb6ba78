// formats/darwinn/stream_listing.h - the chunks of a program for people and for programs: as text
// of one instruction per line (darwinn reference section 8.7), or as a tree.
//
// Both lose nothing: what a row knows is shown by its name, where it is not 0, and what none knows
// as the bits of its words ("w3=..."). docs/formats/edgetpu-instructions.md says how to read it.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_LISTING_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_LISTING_H

#include "base/buffer.h"
#include "base/tree.h"
#include "formats/darwinn/scalar_hints.h"

// What is shown; nothing is owned.
typedef struct dwn_listing {
    const dwn_chunk *chunks; // borrowed
    size_t count;
    const dwn_program_run *run; // of these chunks, for remarks on what they transfer; or NULL
    bool offsets;               // text: "+0xOFFSET: " before each instruction
} dwn_listing;

// Appends the text. HOIST_OK; HOIST_LIMIT as dwn_links_count(); HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_listing_write(const dwn_listing *listing, hoist_buffer *out);
// Sends the members "chunks" and "totals" of the open map. HOIST_OK; HOIST_LIMIT as
// dwn_links_count(); HOIST_NO_MEMORY; the sink keeps its own status.
HOIST_NODISCARD hoist_status dwn_listing_send(const dwn_listing *listing, hoist_allocator alloc,
                                              hoist_tree_sink *sink);

// The slots of a bundle as text, without its place: "ld s4, [4095] | s.movi s1, 0x0 if p0".
void dwn_bundle_write(hoist_buffer *out, hoist_bytes instruction);

// A layer's name in quotes, with \xHH for what is not printed.
void dwn_name_write(hoist_buffer *out, hoist_str name);

// Shared by text and tree ------------------------------------------------------------------------

typedef struct dwn_linked { // with the chunk, since bits are counted in each
    const dwn_link *link;
    uint32_t chunk;
} dwn_linked;

// Remarks on the instructions of a listing, which is walked in order: what is linked there, what is
// transferred.
typedef struct dwn_remarks {
    const dwn_linked *links; // by chunk and bit; arena
    size_t link_count, next_link;
    const dwn_transfer *transfers; // of the run, which is in order, too
    size_t transfer_count, next_transfer;
} dwn_remarks;

typedef struct dwn_remark {
    const dwn_linked *links; // holes that begin in the instruction
    size_t link_count;
    const dwn_transfer *transfer; // that it sends; NULL: none
} dwn_remark;

HOIST_NODISCARD hoist_status dwn_remarks_make(const dwn_listing *listing, hoist_arena *arena,
                                              dwn_remarks *out_remarks);
// Of an instruction that comes after those before.
dwn_remark dwn_remarks_next(dwn_remarks *remarks, uint32_t chunk,
                            const dwn_instruction *instruction);

// Of all chunks; parts that could not be parsed count as words only.
typedef struct dwn_totals {
    uint64_t words;
    uint64_t instructions;
    uint64_t by_opcode[64]; // by code of 6 bits
    uint16_t tiles;         // that have a part in anything
    bool ids_follow;        // the tiles' instructions are numbered without a gap
    uint64_t faults;
    uint64_t links;
} dwn_totals;

dwn_totals dwn_listing_totals(const dwn_listing *listing);

// The 16 bytes of a word as a number, without zeros in front; `buffer` has 33 bytes.
const char *dwn_word_text(const uint8_t *bytes, char *buffer);
// The value of a FLOAT as JSON and text have it, into `buffer`: "1.5", "inf"; "0x7fc00000" of a
// NaN, which has no number that gives its bits. False in the last case.
bool dwn_float_text(uint32_t bits, char *buffer, size_t size);

#endif // HOIST_SRC_FORMATS_DARWINN_STREAM_LISTING_H
