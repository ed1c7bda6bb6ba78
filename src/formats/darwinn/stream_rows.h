// formats/darwinn/stream_rows.h - what is known of instructions: one row per opcode, one per field
// (darwinn reference sections 8 and 16.1). Reader, disassembler, checks and documents walk them.
//
// An instruction is 1 to 17 words of 16 bytes; bit b of it is bit (b mod 128) of its word b/128.
// What no row knows is unknown, and shown as it is.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_ROWS_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_ROWS_H

#include "formats/darwinn/stream_bits.h"

enum { DWN_WORD_SIZE = 16, DWN_WORD_BITS = 128, DWN_MAX_WORDS = 17 }; // of tensor operations

// Opcodes that differ in more than their row.
enum {
    DWN_OP_TENSOR = 0x01,
    DWN_OP_RING_PRODUCER = 0x10,
    DWN_OP_RING_CONSUMER = 0x11,
    DWN_OP_RING_CONSUMER_2 = 0x12,
    DWN_OP_COPY_OUT = 0x13,
    DWN_OP_COPY_IN = 0x14,
    DWN_OP_TABLE = 0x19,
    DWN_OP_FENCE = 0x1a,
    DWN_OP_TILES = 0x20, // below: instructions of the tiles
    DWN_OP_BUNDLE = 0x20,
    DWN_OP_HALT = 0x21,
    DWN_OP_BRANCH = 0x22,
    DWN_OP_LOOP = 0x23,
    DWN_OP_SCALAR_FENCE = 0x24,
    DWN_OP_FEED = 0x26,
    DWN_OP_DRAIN = 0x27,
    DWN_OP_START = 0x3e,
    DWN_OP_END = 0x3f,
};

typedef enum dwn_unit { // who carries it out
    DWN_UNIT_FRAME = 0, // none: start and end of a chunk
    DWN_UNIT_TENSOR,
    DWN_UNIT_TILE_DMA,
    DWN_UNIT_MESH,
    DWN_UNIT_TILE_SYNC,
    DWN_UNIT_SCALAR,
    DWN_UNIT_SCALAR_DMA,
    DWN_UNIT_COUNT,
} dwn_unit;

// How the bits of a field are meant. COUNT of 0 is 1: no loop has no steps.
typedef enum dwn_field_kind {
    DWN_FIELD_NUMBER = 0,
    DWN_FIELD_SIGNED, // two's complement
    DWN_FIELD_COUNT,  // stored minus 1
    DWN_FIELD_FLOAT,  // float32
    DWN_FIELD_HEX,    // bits, or a code
    DWN_FIELD_KINDS,
} dwn_field_kind;

typedef struct dwn_field {
    const char *name;  // as listings and JSON have it
    uint16_t bit;      // of the first; counted over all words of the instruction
    uint8_t width;     // bits, at most 32
    uint8_t kind;      // dwn_field_kind
    uint8_t repeat;    // how many there are; 0: one
    uint8_t step;      // bits from one to the next
    bool is_inferred;  // the title is a guess that no known file contradicts
    const char *title; // for the generated page
} dwn_field;

// The fields of a kind of instruction, in order of their bits.
// Opcodes of one family share their fields, and code may compare `fields->rows` to learn the
// family.
typedef struct dwn_fields {
    const char *name;
    const dwn_field *rows;
    size_t count;
} dwn_fields;

// Indices of the rows that are used by name.
enum { DWN_HEADER_TILES = 0, DWN_HEADER_ID, DWN_HEADER_COUNT }; // of both families of tiles
// Loops of a nest: of a mesh operation, and of a copy into the tiles.
enum { DWN_MESH_LOOPS = 4, DWN_LOAD_LOOPS = 6 };
extern const dwn_field dwn_opcode_field; // of every instruction's first word
// DWN_TENSOR_MASTER and so on, and dwn_tensor_rows.
// clang-format off
#define FAMILY(name, NAME) enum {
#define FIELD(index, ...) DWN_##index,
#define END(name, NAME)                                                                            \
    DWN_##NAME##_FIELDS }; extern const dwn_field dwn_##name##_rows[DWN_##NAME##_FIELDS];
#include "formats/darwinn/stream_fields.inc"
// clang-format on

// An opcode that no row has ends the parse of its chunk, since its length is unknown.
typedef struct dwn_opcode {
    const char *mnemonic; // of listings; "s" of a bundle is followed by its slots
    const char *title;
    const dwn_fields *fields;
    uint8_t code;
    uint8_t words;     // length, 1 to DWN_MAX_WORDS
    uint8_t unit;      // dwn_unit
    bool is_inferred;  // what it is for
    bool is_uncertain; // how long it is: too few were seen
} dwn_opcode;

// The row of a code; NULL: no such opcode is known.
const dwn_opcode *dwn_opcode_find(uint32_t code);
// Rows in order of their codes; NULL: there are no more.
const dwn_opcode *dwn_opcode_at(size_t index);
// Families of fields, each once; NULL: there are no more.
const dwn_fields *dwn_fields_at(size_t index);

// The bits of the `index`-th of a field in an instruction.
uint32_t dwn_field_load(const dwn_field *field, hoist_bytes instruction, size_t index);
// What they say: NUMBER and HEX as stored, SIGNED with its sign, COUNT plus 1; FLOAT: its bits.
int64_t dwn_field_value(const dwn_field *field, hoist_bytes instruction, size_t index);
void dwn_field_store(const dwn_field *field, hoist_mut_bytes instruction, size_t index,
                     uint32_t bits);
size_t dwn_field_repeats(const dwn_field *field); // at least 1

// Copies an instruction to `out_rest`, of the same size, with the bits zeroed that a row knows.
void dwn_rest_of(const dwn_opcode *opcode, hoist_bytes instruction, hoist_mut_bytes out_rest);

// How what an instruction does is written: "tile", "mesh".
const char *dwn_unit_name(dwn_unit unit);

#endif // HOIST_SRC_FORMATS_DARWINN_STREAM_ROWS_H
