// formats/darwinn/stream_rows.h - what is known of instructions: one row per opcode, one per field
// (darwinn reference sections 8 and 16.1). Reader, disassembler, checks and documents walk them.
//
// An instruction is 1 to 17 words of 16 bytes; bit b of it is bit (b mod 128) of its word b/128.
// What no row knows is unknown, and shown as it is.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_ROWS_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_ROWS_H

#include "formats/darwinn/stream_bits.h"

enum { DWN_WORD_SIZE = 16, DWN_WORD_BITS = 128, DWN_MAX_WORDS = 17 };

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
    DWN_OP_FEED = 0x26,
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

typedef enum dwn_field_kind {
    DWN_FIELD_NUMBER = 0,
    DWN_FIELD_SIGNED, // two's complement
    DWN_FIELD_COUNT,  // stored minus 1
    DWN_FIELD_FLOAT,  // float32
    DWN_FIELD_HEX,    // bits, or a code
    DWN_FIELD_KINDS,
} dwn_field_kind;

typedef struct dwn_field {
    const char *name;
    uint16_t bit;
    uint8_t width;  // bits, at most 32
    uint8_t kind;   // dwn_field_kind
    uint8_t repeat; // how many there are; 0: one
    uint8_t step;   // bits from one to the next
    bool is_inferred;
    const char *title;
} dwn_field;

// The fields of a kind of instruction, in order of their bits.
typedef struct dwn_fields {
    const char *name;
    const dwn_field *rows;
    size_t count;
} dwn_fields;

// Indices of the rows that are used by name.
enum { DWN_HEADER_TILES = 0, DWN_HEADER_ID, DWN_HEADER_COUNT }; // of both families of tiles
enum {
    DWN_MESH_FROM = DWN_HEADER_COUNT,
    DWN_MESH_FROM_INCREMENT,
    DWN_MESH_FROM_COUNT,
    DWN_MESH_BASE,
    DWN_MESH_INCREMENT,
    DWN_MESH_COUNT,
    DWN_MESH_STORES,
    DWN_MESH_IMMEDIATE,
    DWN_MESH_FIELDS
};
enum { DWN_MESH_LOOPS = 4 };
enum { DWN_MOVER_ADDRESS = DWN_HEADER_COUNT, DWN_MOVER_FIELDS };
enum { // after those of a mover
    DWN_COPY_INCREMENT = DWN_MOVER_FIELDS,
    DWN_COPY_COUNT,
    DWN_COPY_WIDE,
    DWN_COPY_FIELDS
};
enum { // after those of a mover
    DWN_LOAD_BASE = DWN_MOVER_FIELDS,
    DWN_LOAD_INCREMENT,
    DWN_LOAD_COUNT,
    DWN_LOAD_FIELDS
};
enum { DWN_LOAD_LOOPS = 6 };
enum { DWN_FEED_SOURCE = 0, DWN_FEED_POSITION, DWN_FEED_TILES, DWN_FEED_FIELDS };
enum {
    DWN_TENSOR_TILES = 0,
    DWN_TENSOR_ID,
    DWN_TENSOR_MASTER,
    DWN_TENSOR_A_BASE,
    DWN_TENSOR_A_OTHER,
    DWN_TENSOR_A_INCREMENT,
    DWN_TENSOR_A_COUNT,
    DWN_TENSOR_A_FLAGS,
    DWN_TENSOR_B_BASE,
    DWN_TENSOR_B_INCREMENT,
    DWN_TENSOR_B_COUNT,
    DWN_TENSOR_B_FLAGS,
    DWN_TENSOR_C_BASE,
    DWN_TENSOR_C_INCREMENT,
    DWN_TENSOR_C_COUNT,
    DWN_TENSOR_C_FLAGS,
    DWN_TENSOR_D_INCREMENT,
    DWN_TENSOR_D_COUNT,
    DWN_TENSOR_D_FLAGS,
    DWN_TENSOR_CLASS,
    DWN_TENSOR_MODE,
    DWN_TENSOR_HAS_WEIGHT_ZEROS,
    DWN_TENSOR_WEIGHT_ZERO,
    DWN_TENSOR_INPUT_ZERO,
    DWN_TENSOR_REDUCTION,
    DWN_TENSOR_LAST_ROWS,
    DWN_TENSOR_FULL_ROWS,
    DWN_TENSOR_TABLE,
    DWN_TENSOR_MULTIPLIER,
    DWN_TENSOR_HIGH,
    DWN_TENSOR_LOW,
    DWN_TENSOR_CONSTANT,
    DWN_TENSOR_OUTPUT_ZERO,
    DWN_TENSOR_HAS_BIAS,
    DWN_TENSOR_HAS_MULTIPLIERS,
    DWN_TENSOR_FIELDS,
};
enum {
    DWN_BUNDLE_PREDICATED = 0,
    DWN_BUNDLE_PREDICATE,
    DWN_BUNDLE_SENSE,
    DWN_BUNDLE_LOAD,
    DWN_BUNDLE_LOAD_TO,
    DWN_BUNDLE_LOAD_FROM,
    DWN_BUNDLE_STORE,
    DWN_BUNDLE_STORE_TO,
    DWN_BUNDLE_STORE_FROM,
    DWN_BUNDLE_ALU,
    DWN_BUNDLE_IMMEDIATE_USED,
    DWN_BUNDLE_TO,
    DWN_BUNDLE_FIRST,
    DWN_BUNDLE_IMMEDIATE,
    DWN_BUNDLE_FUNCTION,
    DWN_BUNDLE_FUNCTION_TO,
    DWN_BUNDLE_FUNCTION_OF,
    DWN_BUNDLE_FIELDS,
};
enum {
    DWN_BRANCH_CONDITIONAL = 0,
    DWN_BRANCH_PREDICATE,
    DWN_BRANCH_SENSE,
    DWN_BRANCH_OFFSET,
    DWN_BRANCH_FORM,
    DWN_BRANCH_FIELDS,
};
enum { DWN_LOOP_COUNT = 0, DWN_LOOP_BODY, DWN_LOOP_FIELDS };
enum { DWN_HALT_MORE = 0, DWN_HALT_LAST, DWN_HALT_FIELDS };
enum { DWN_FRAME_BITS = 0, DWN_FRAME_FIELDS };

extern const dwn_field dwn_opcode_field; // of every instruction's first word
extern const dwn_field dwn_mover_rows[DWN_MOVER_FIELDS];
extern const dwn_field dwn_copy_rows[DWN_COPY_FIELDS];
extern const dwn_field dwn_load_rows[DWN_LOAD_FIELDS];
extern const dwn_field dwn_feed_rows[DWN_FEED_FIELDS];
extern const dwn_field dwn_tensor_rows[DWN_TENSOR_FIELDS];
extern const dwn_field dwn_bundle_rows[DWN_BUNDLE_FIELDS];
extern const dwn_field dwn_branch_rows[DWN_BRANCH_FIELDS];
extern const dwn_field dwn_loop_rows[DWN_LOOP_FIELDS];
extern const dwn_field dwn_halt_rows[DWN_HALT_FIELDS];
extern const dwn_field dwn_frame_rows[DWN_FRAME_FIELDS];

typedef struct dwn_opcode {
    const char *mnemonic;
    const char *title;
    const dwn_fields *fields;
    uint8_t code;
    uint8_t words;
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
