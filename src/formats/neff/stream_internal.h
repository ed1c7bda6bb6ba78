// formats/neff/stream_internal.h - what decoder, disassembler and assembler of records share.
#ifndef HOIST_SRC_FORMATS_NEFF_STREAM_INTERNAL_H
#define HOIST_SRC_FORMATS_NEFF_STREAM_INTERNAL_H

#include "formats/neff/stream.h"

// Where the fields of a record are (5.1, 5.2), in the form with eight bytes of events. Operands of
// generation 1 lie four bytes lower: neff_place_of.
enum {
    NEFF_AT_OPCODE = 0x00,
    NEFF_AT_WORDS = 0x01,
    NEFF_AT_DEBUG_CMD = 0x02,
    NEFF_AT_DEBUG_HINT = 0x03,
    NEFF_AT_EVENTS = 0x04, // wait mode, wait index, update mode, update index
    NEFF_AT_VALUE = 0x08,
    NEFF_AT_OPERANDS = 0x0c,
    NEFF_AT_OPERANDS_GEN1 = 0x08,

    NEFF_AT_QUEUE = 0x0c,
    NEFF_AT_USE_RAW_COUNT = 0x2c,
    NEFF_AT_BLOCK = 0x30,

    NEFF_AT_COLLECTIVE_OP = 0x0c,
    NEFF_AT_COLLECTIVE_DTYPE = 0x0d,
    NEFF_AT_COLLECTIVE_GROUP = 0x0e,
    NEFF_AT_COLLECTIVE_INPUT = 0x10,
    NEFF_AT_COLLECTIVE_OUTPUT = 0x14,
    NEFF_AT_COLLECTIVE_ELEMENTS = 0x18,
    NEFF_AT_COLLECTIVE_KIND = 0x20,
    NEFF_AT_COLLECTIVE_INPUT_OFFSET = 0x30,
    NEFF_AT_COLLECTIVE_OUTPUT_OFFSET = 0x38,

    NEFF_AT_SECOND_EVENTS = 0x20,
    NEFF_AT_SECOND_WAIT_VALUE = 0x24,
    NEFF_AT_SECOND_UPDATE_VALUE = 0x28,
    NEFF_AT_SECOND_END = 0x2c,

    NEFF_AT_MOVE_COUNT = 0x0c,
    NEFF_AT_MOVE_DTYPE = 0x0d,
    NEFF_AT_MOVE_SOURCE = 0x0e, // 0: registers, 1: immediates
    NEFF_AT_MOVE_SOURCES = 0x10,
    NEFF_AT_MOVE_TARGETS = 0x18,
    NEFF_AT_MOVE_NUMBERS = 0x20,
    NEFF_MOVES = 8,

    NEFF_AT_ALU_OP = 0x0c,
    NEFF_AT_ALU_DTYPE = 0x0d,
    NEFF_AT_ALU_SOURCE = 0x0e, // of the second operand; 0: register, 1: immediate
    NEFF_AT_ALU_FIRST = 0x10,
    NEFF_AT_ALU_SECOND = 0x12, // [inferred]
    NEFF_AT_ALU_TARGET = 0x14,
    NEFF_AT_ALU_NUMBER = 0x18,

    NEFF_AT_FUNCTION = 0x0c,
    NEFF_AT_RESET_SEMAPHORES = 0x30,
    NEFF_AT_RETURN = 0x31,     // low and high register
    NEFF_AT_ARGS_TABLE = 0x30, // of a CALL, where a BEGIN has its reset count

    NEFF_AT_BARRIER_ID = 0x0c,
    NEFF_AT_BARRIER_SEMAPHORE = 0x10,

    NEFF_AT_INST = 0x0c,

    NEFF_QUEUE_BYTES = 32,
    NEFF_FUNCTION_BYTES = 36,
};

// The `size` (1 ... 8) little-endian bytes at `bytes`.
static inline uint64_t neff_load(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static inline void neff_store(uint8_t *bytes, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

// Offset of the first operand byte on that generation.
static inline uint8_t neff_operands_at(int generation)
{
    return generation == NEFF_GEN1 ? NEFF_AT_OPERANDS_GEN1 : NEFF_AT_OPERANDS;
}

// Where the field that is at `at` of the long form lies in a record whose operands begin at
// `operands`.
static inline size_t neff_place_of(size_t at, size_t operands)
{
    return at - NEFF_AT_OPERANDS + operands;
}

// Waits and updates ------------------------------------------------------------------------------

// A code with its text, in which `#` is replaced by the index and `%` by the value.
typedef struct neff_event_row {
    uint8_t code;
    const char *text; // of code 0 empty
    union {
        neff_wait wait;     // without index and value
        neff_update update; // without index; `value` where the code says it
    };
} neff_event_row;

enum { NEFF_EVENT_ROWS = 16 };
extern const neff_event_row neff_waits[NEFF_EVENT_ROWS]; // code 0 is the first
extern const neff_event_row neff_updates[NEFF_EVENT_ROWS];

// NULL: the code is none of 5.1.
const char *neff_event_text(const neff_event_row *rows, uint8_t code);
neff_wait neff_wait_decode(uint8_t code, uint8_t index, uint32_t value);
neff_update neff_update_decode(uint8_t code, uint8_t index, uint32_t value);

// Operands ---------------------------------------------------------------------------------------

// How a field of a form is written.
typedef enum neff_operand_kind {
    NEFF_OPERAND_NUMBER = 0, // KEY=N
    NEFF_OPERAND_CODE,       // KEY=WORD of a closed set, or its number
    NEFF_OPERAND_NAME,       // NUL-padded text, quoted where needed
    NEFF_OPERAND_RELEASE,    // block_id=N or raw_count=N, after the flag at NEFF_AT_USE_RAW_COUNT
    NEFF_OPERAND_RETURN,     // KEY=$R[low],$R[high]
    NEFF_OPERAND_SECOND,     // then WAIT UPDATE
    NEFF_OPERAND_MOVES,      // $R[d]=$R[s], ... or $R[d]=0xHEX, ...
    NEFF_OPERAND_TERMS,      // $R[d]=$R[s],$R[t] or $R[d]=$R[s],N
    NEFF_OPERAND_KIND_COUNT,
} neff_operand_kind;

// Words for codes: those of `name` below `count`.
typedef struct neff_code_set {
    const char *what; // "an ALU op", for messages
    unsigned count;
    const char *(*name)(unsigned code);
    int (*other)(hoist_str word); // more spellings; -1: none of them; may be NULL
} neff_code_set;

typedef struct neff_operand {
    uint8_t kind; // neff_operand_kind
    uint8_t at;
    uint8_t size;    // bytes
    bool optional;   // not written when its bytes are 0
    const char *key; // NUMBER, CODE, RETURN; NULL: without one
    const neff_code_set *codes;
} neff_operand;

typedef struct neff_operands {
    const neff_operand *rows;
    size_t count;
} neff_operands;
extern const neff_operands neff_forms[NEFF_FORM_COUNT];

// True for bytes of names that are written without quotes.
bool neff_is_plain(uint8_t byte);

#endif // HOIST_SRC_FORMATS_NEFF_STREAM_INTERNAL_H
