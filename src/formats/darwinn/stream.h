// formats/darwinn/stream.h - instruction chunks: words of 16 bytes, framed into instructions by
// the table of opcodes (darwinn reference sections 8.1 to 8.3 and 16.1).
//
// Every parse of a chunk gives instructions and faults at once; a chunk that breaks off at an
// unknown opcode has the instructions before it. Nothing is guessed after it.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_H

#include "base/arena.h"
#include "formats/darwinn/stream_rows.h"

// Limits; only DWN_MAX_CHUNK is of real files, and a larger chunk is reported but read.
enum {
    DWN_MAX_CHUNK = 262144, // bytes; the largest seen has 262112
    DWN_NO_ID = 0xffff,     // of instructions that are not the tiles'
    DWN_ID_COUNT = 0x8000,  // after the last one ids would begin anew [inferred]
    DWN_HALT_TAIL = 6,      // instructions: halt, four empty bundles, end
};

typedef struct dwn_instruction {
    uint32_t word;  // index of its first word in the chunk
    uint16_t id;    // of the tiles' instructions, else DWN_NO_ID
    uint16_t tiles; // bit t: tile t; 0 where no tile has a part
    uint8_t opcode; // has a row
    uint8_t words;
} dwn_instruction;

// What can be wrong with a chunk (faults.inc).
typedef enum dwn_fault_code {
#define DWN_FAULT(code, ...) DWN_FAULT_##code,
#include "formats/darwinn/faults.inc"
    DWN_FAULT_COUNT,
} dwn_fault_code;

// `found` and `expected` are numbers of the texts in faults.inc; which have a meaning depends on
// the code.
typedef struct dwn_fault {
    dwn_fault_code code;
    uint32_t word;     // where
    uint8_t traversal; // COUNTS, STEPS: dwn_traversal_id
    uint64_t found;
    uint64_t expected;
} dwn_fault;

typedef struct dwn_stream {
    hoist_bytes bytes;                   // of the chunk; borrowed
    const dwn_instruction *instructions; // arena
    size_t count;
    const dwn_fault *faults; // arena; in order of words
    size_t fault_count;
    uint32_t words;  // that the chunk has
    uint32_t parsed; // words of the instructions
} dwn_stream;

typedef struct dwn_stream_options {
    bool has_successor; // it is not the last chunk of its program
    uint16_t first_id;  // that the first instruction of the tiles is to have: 0, or the next after
                        // the chunk before
} dwn_stream_options;

// Parses the chunk `bytes`, which outlives the result. HOIST_OK, whatever is wrong with it; then
// `*out_next_id` is the `first_id` of the chunk that follows. HOIST_LIMIT: more words than 32 bits
// count; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_stream_read(hoist_bytes bytes, const dwn_stream_options *options,
                                             hoist_arena *arena, dwn_stream *out_stream,
                                             uint16_t *out_next_id);

// The words of an instruction of the stream.
hoist_bytes dwn_instruction_bytes(const dwn_stream *stream, const dwn_instruction *instruction);
// The instruction that begins at `word`; NULL: none does.
const dwn_instruction *dwn_instruction_find(const dwn_stream *stream, uint32_t word);

// Writes into `buffer` what is wrong, as a sentence without a period: "chunk has 17 bytes, ...".
void dwn_fault_text(const dwn_fault *fault, char *buffer, size_t size);
// A word for each code: "bits"; for programs and tests.
const char *dwn_fault_name(dwn_fault_code code);

#endif // HOIST_SRC_FORMATS_DARWINN_STREAM_H
