// formats/neff/stream.h - instruction streams: arrays of 64-byte records (neff reference section
// 5).
//
// A record is decoded on demand from its bytes; nothing is stored. Opcodes and forms are tables:
// decoder, disassembler, assembler, checker and documents walk them.
#ifndef HOIST_SRC_FORMATS_NEFF_STREAM_H
#define HOIST_SRC_FORMATS_NEFF_STREAM_H

#include "base/buffer.h"
#include "formats/neff/words.h"

#define NEFF_RECORD_SIZE 64

typedef enum neff_opcode_class {
    NEFF_CLASS_PE = 0,
    NEFF_CLASS_ACT,
    NEFF_CLASS_VECTOR, // vector, pool and the high opcodes: computing
    NEFF_CLASS_CONTROL,
    NEFF_CLASS_DGE,    // descriptors made at run time, indirect DMA
    NEFF_CLASS_PSEUDO, // the runtime rewrites it at load
    NEFF_CLASS_INVALID,
} neff_opcode_class;

// How the bytes from 0x0c on are written as operands (5.6).
typedef enum neff_form {
    NEFF_FORM_NONE = 0, // no known operands: {0c: ...}
    NEFF_FORM_TRIGGER,
    NEFF_FORM_COLLECTIVE,
    NEFF_FORM_EVENT_SEMAPHORE,
    NEFF_FORM_MOVE,
    NEFF_FORM_ALU,
    NEFF_FORM_FUNCTION_BEGIN,
    NEFF_FORM_FUNCTION_CALL,
    NEFF_FORM_CORE_BARRIER,
    NEFF_FORM_INST,
    NEFF_FORM_COUNT,
} neff_form;

// Codes that are distinguished by more than their row (generation 2 and later).
typedef enum neff_code {
    NEFF_ENGINE_NOP = 0x9f,
    NEFF_EVENT_SEMAPHORE = 0xa0,
    NEFF_HALT = 0xa1,
    NEFF_MOVE = 0xa7,
    NEFF_ALU_OP = 0xa8,
    NEFF_COMPARE_BRANCH = 0xa9,
    NEFF_DMA_TRIGGER = 0xc1, // on generation 1, too
    NEFF_COLLECTIVE = 0xc8,
    NEFF_BRANCH_LABEL = 0xcc,
    NEFF_SWAP_QUEUE_SET = 0xcf,
    NEFF_FUNCTION_BEGIN = 0xd1,
    NEFF_FUNCTION_RETURN = 0xd2,
    NEFF_FUNCTION_CALL = 0xd3,
    NEFF_SYNC_BARRIER = 0xd5,
    NEFF_CORE_BARRIER = 0xd8,
    NEFF_COLLECTIVE2 = 0xd9,
    NEFF_EXTENSION = 0xda,
    NEFF_INST = 0xdf,
} neff_code;

enum { NEFF_ALU_ADD = 4, NEFF_ALU_MULT = 6, NEFF_ALU_MAX = 8, NEFF_ALU_MIN = 9 }; // of 5.3
enum { NEFF_INST_EXIT = 1, NEFF_INST_LIBRARY_RELOAD = 2 }; // sub-opcodes of INST
enum { NEFF_COLLECTIVE_ALL_REDUCE = 1 };                   // kinds of COLLECTIVE

typedef struct neff_opcode {
    const char *name;
    uint8_t code;
    uint8_t first; // generations that have it: 1 ... 5
    uint8_t last;
    uint8_t kind;    // neff_opcode_class
    uint8_t form;    // neff_form
    bool runs_empty; // in a run only its wait and update matter (5.2)
} neff_opcode;

// The opcode of that generation (NEFF_ANY_GENERATION: of any but the first); NULL: unassigned.
const neff_opcode *neff_opcode_find(uint8_t code, int generation);
// By mnemonic, PSEUDO_DMA_TRIGGER and PSEUDO_DMATRIGGER both; NULL.
const neff_opcode *neff_opcode_by_name(hoist_str name, int generation);
const neff_opcode *neff_opcode_at(int generation, size_t index);

// What an instruction waits for or updates, in words.
typedef enum neff_wait_kind {
    NEFF_WAIT_NONE = 0,
    NEFF_WAIT_SEMAPHORE, // compare with value or register
    NEFF_WAIT_EVENT,     // state 1 or 0, then perhaps set to the opposite
    NEFF_WAIT_UNORDERED,
    NEFF_WAIT_UNKNOWN, // a code outside the table
} neff_wait_kind;

typedef enum neff_comparison {
    NEFF_EQ = 1,
    NEFF_LT,
    NEFF_LE,
    NEFF_GT,
    NEFF_GE,
} neff_comparison;

typedef struct neff_wait {
    neff_wait_kind kind;
    uint8_t index;           // semaphore or event
    neff_comparison compare; // SEMAPHORE
    bool by_register;        // SEMAPHORE: compared with register `value`
    bool state;              // EVENT: set
    bool then;               // EVENT: and then made the opposite
    uint32_t value;
} neff_wait;

typedef enum neff_update_kind {
    NEFF_UPDATE_NONE = 0,
    NEFF_UPDATE_ADD, // semaphore += value
    NEFF_UPDATE_SUB,
    NEFF_UPDATE_SET, // semaphore = value (or register)
    NEFF_UPDATE_EVENT,
    NEFF_UPDATE_UNKNOWN,
} neff_update_kind;

typedef struct neff_update {
    neff_update_kind kind;
    uint8_t index;
    bool at_read; // else at completion
    bool by_register;
    bool state;     // EVENT: set or clear
    uint32_t value; // ADD and SUB by one: 1
} neff_update;

// The common part of a record.
typedef struct neff_record {
    const uint8_t *bytes; // 64; borrowed
    uint8_t opcode;
    uint8_t words; // byte 1: 0x10
    uint8_t debug_cmd;
    uint8_t debug_hint;
    uint8_t payload; // offset of the operands: 0x0c; 0x08 on generation 1
    neff_wait wait;
    neff_update update;
    uint32_t value; // 0 on generation 1, which has no such word
} neff_record;

// Decodes the bytes at `bytes`, 64 of them. Generation 1 has four bytes of events, whose codes are
// not public: when they are not 0, wait and update are UNKNOWN.
neff_record neff_record_decode(const uint8_t *bytes, int generation);

// Payloads; each is for records of its form.
typedef struct neff_trigger {
    hoist_str queue; // up to the first NUL, at most 32 bytes
    bool use_raw_count;
    uint32_t block_id; // or the raw count
} neff_trigger;
neff_trigger neff_trigger_of(const neff_record *record);

typedef struct neff_collective {
    uint8_t op;    // ALU code
    uint8_t dtype; // ISA code
    uint16_t group_id;
    uint32_t input;  // var_id
    uint32_t output; // var_id
    uint64_t elements;
    uint8_t kind; // 1: all-reduce
    uint64_t input_offset;
    uint64_t output_offset;
} neff_collective;
neff_collective neff_collective_of(const neff_record *record);

typedef struct neff_second { // the extended half of EVENT_SEMAPHORE
    bool present;
    neff_wait wait;
    neff_update update;
} neff_second;
neff_second neff_second_of(const neff_record *record);

typedef struct neff_moves {
    uint8_t count; // 1 ... 8; others as found
    uint8_t dtype;
    bool immediate;
    uint8_t source[8];
    uint8_t destination[8];
    uint32_t number[8];
} neff_moves;
neff_moves neff_moves_of(const neff_record *record);
// Writes into `buffer` what is wrong with the operands of a MOVE, after its name; false: nothing.
bool neff_moves_fault(const neff_record *record, char *buffer, size_t size);

typedef struct neff_alu {
    uint8_t op;
    uint8_t dtype;
    bool immediate;
    uint8_t source;
    uint8_t second; // register, when not immediate [inferred: at 0x12, between source and target]
    uint8_t destination;
    uint64_t number;
} neff_alu;
neff_alu neff_alu_of(const neff_record *record);

typedef struct neff_function {
    hoist_str name; // of BEGIN and CALL; up to the first NUL, at most 36 bytes
    uint8_t reset_semaphores;
} neff_function;
neff_function neff_function_of(const neff_record *record);

uint8_t neff_inst_of(const neff_record *record); // sub-opcode of INST

// Names of codes; NULL: unassigned.
const char *neff_alu_name(unsigned code);
const char *neff_collective_name(unsigned code);
const char *neff_inst_name(unsigned code);

// A name as text has it: as it is, or quoted (5.6).
void neff_name_write(hoist_buffer *out, hoist_str name);

// Where the parts of a record's text are in a buffer; each but the first begins with a space, or is
// empty.
typedef struct neff_record_text {
    size_t start;
    size_t mnemonic_end;
    size_t wait_end;
    size_t update_end;
    size_t end; // of the operands
} neff_record_text;

// Text (5.6) without ';' and newline, appended.
neff_record_text neff_record_write(hoist_buffer *out, const uint8_t *bytes, int generation);
// The record's line, with ';' and a newline.
void neff_disasm_record(hoist_buffer *out, const uint8_t *bytes, int generation);

// Inverts it: the records of a text, comments and empty lines skipped. Findings are located by line
// and column under `rule`. HOIST_OK, HOIST_INVALID (findings say where), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_assemble(hoist_str text, int generation, const hoist_rule *rule,
                                           hoist_diag *diag, hoist_buffer *out);

#endif // HOIST_SRC_FORMATS_NEFF_STREAM_H
