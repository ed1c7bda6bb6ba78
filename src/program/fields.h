// program/fields.h - the text form of every row and step as one table of operands: the printer, the
// reader and the verifier of references all follow it.
//
// A line of the text is a record: a keyword and operands in a fixed order. Each operand is a field
// of the C struct; those with a word are written after it, and left out when they have their
// usual value.
#ifndef HOIST_SRC_PROGRAM_FIELDS_H
#define HOIST_SRC_PROGRAM_FIELDS_H

#include "program/program.h"

// What an operand is in C, and how it is written.
typedef enum hoist_field_type {
    HOIST_FIELD_NAME = 0,  // hoist_str: name
    HOIST_FIELD_U32,       // uint32_t: 12
    HOIST_FIELD_U64,       // uint64_t: 12
    HOIST_FIELD_ADDRESS,   // uint64_t at `offset`, bool at `also`: 0x1000
    HOIST_FIELD_I64,       // int64_t: -12
    HOIST_FIELD_FLOAT,     // float: 0.5
    HOIST_FIELD_DOUBLE,    // double at `offset`, bool at `also`: 0.5
    HOIST_FIELD_FLAG,      // bool: the word alone
    HOIST_FIELD_CHOICE,    // an enum: one of `words`
    HOIST_FIELD_REF,       // hoist_ref: name in `table`
    HOIST_FIELD_REFS,      // const hoist_ref * and uint32_t count at `also`: [a, b]
    HOIST_FIELD_STEP,      // uint32_t: number of a step, or its label
    HOIST_FIELD_VALUE,     // hoist_prog_value: 12 or the name of a register
    HOIST_FIELD_TYPE,      // hoist_dtype, layout at `also`: f32[4, 4] by [16, 4] or bf16 tiled(t 2)
    HOIST_FIELD_VIEW,      // hoist_ref: x f32[4] + 16 + i * 4
    HOIST_FIELD_VIEWS,     // const hoist_ref * and count at `also`: [view, view]
    HOIST_FIELD_TARGET,    // hoist_prog_target but for arguments: f or [f, g] at i
    HOIST_FIELD_ARGUMENTS, // const hoist_prog_argument * and count at `also`: [view, 3, i]
    HOIST_FIELD_SIGNALS,   // const hoist_prog_signal * and count at `also`: [s add 1]
    HOIST_FIELD_SOURCES,   // const hoist_move_source * and count at `also`: [view scale 0.5]
    HOIST_FIELD_INTS,      // const int32_t * and count at `also`: [0..31, -1x4, 7]
    HOIST_FIELD_AXES,      // uint8_t[HOIST_MAX_RANK], uint32_t rank at `also`: [2, 1, 0]
    HOIST_FIELD_SHAPE,     // hoist_shape: [1, 32, 32]
    HOIST_FIELD_PAIR,      // two uint32_t: 2x4
    HOIST_FIELD_BYTES,     // hoist_bytes: 00ff12
    HOIST_FIELD_COMPUTE,   // hoist_compute_op, hoist_compute_attrs at `also`: golden.exp(vector 0)
} hoist_field_type;

// The tables whose rows have names. PARAMETER and REGISTER are those of one code.
typedef enum hoist_name_table {
    HOIST_NAMES_SPACE = 0,
    HOIST_NAMES_BUFFER,
    HOIST_NAMES_PORT,
    HOIST_NAMES_FIFO,
    HOIST_NAMES_UNIT,
    HOIST_NAMES_SEMAPHORE,
    HOIST_NAMES_FUNCTION,
    HOIST_NAMES_THREAD,
    HOIST_NAMES_ENTRY,
    HOIST_NAMES_PARAMETER,
    HOIST_NAMES_REGISTER,
    HOIST_NAMES_COUNT,
} hoist_name_table;

// The words of an enum, in its order.
typedef struct hoist_words {
    const char *what; // "a comparison"
    const char *const *names;
    uint32_t count;
} hoist_words;

typedef struct hoist_field {
    const char *word; // written before the operand; NULL: the operand alone
    hoist_field_type type;
    hoist_name_table table; // REF, REFS
    uint16_t offset;        // in the record's struct
    uint16_t also;          // of the second member, where the type has one
    bool optional;          // not written when it has its usual value
    int64_t usual;          // numbers and choices; PAIR: first * 2^32 + second; refs: none
    const hoist_words *words;
    bool (*used)(const void *record); // false: without meaning here, not written; NULL: always used
    const char *key;                  // in trees (send.c); NULL: the word, else as its type says
} hoist_field;

typedef struct hoist_record {
    const char *keyword;
    const hoist_field *fields;
    uint32_t field_count;
    size_t payload; // bytes of the struct that a step points to; 0: the fields are in the row
    size_t base;    // where in the row its fields' offsets count from
    bool block;     // ends with `{`, and a body follows
} hoist_record;

// Lines that are not steps.
typedef enum hoist_row_kind {
    HOIST_ROW_PROGRAM = 0,
    HOIST_ROW_SPACE,
    HOIST_ROW_BUFFER,
    HOIST_ROW_RELOCATION,
    HOIST_ROW_PORT,
    HOIST_ROW_NEED,
    HOIST_ROW_FIFO,
    HOIST_ROW_UNIT,
    HOIST_ROW_SEMAPHORE,
    HOIST_ROW_FUNCTION,
    HOIST_ROW_THREAD,
    HOIST_ROW_ENTRY,
    HOIST_ROW_PARAMETER,       // in a function
    HOIST_ROW_REGISTER,        // in a function or thread
    HOIST_ROW_START,           // in an entry: hoist_ref of a thread
    HOIST_ROW_ENTRY_PARAMETER, // in an entry
    HOIST_ROW_COUNT,
} hoist_row_kind;

// Static tables; `kind` is below the COUNT of its enum.
const hoist_record *hoist_row_record(hoist_row_kind kind);
const hoist_record *hoist_step_record(hoist_step_kind kind);
const hoist_record *hoist_tiling_record(void); // hoist_prog_layout: tiled(...)

// The words that begin a view: read(fifo), and the table that its name is in.
typedef struct hoist_view_base_row {
    const char *word; // NULL: the name alone
    hoist_name_table table;
} hoist_view_base_row;
const hoist_view_base_row *hoist_view_base_get(hoist_view_base base);
#define HOIST_VIEW_BASE_COUNT ((uint32_t)HOIST_VIEW_SPACE + 1)

const char *hoist_lifetime_name(hoist_lifetime lifetime);  // "call"
const char *hoist_name_table_text(hoist_name_table table); // "buffer"
const char *hoist_name_table_many(hoist_name_table table); // "buffers"

// A member of a record, at its offset.
uint32_t hoist_field_u32(const void *record, size_t offset);
const void *hoist_field_pointer(const void *record, size_t offset);

// What `step` has its fields in: the step itself, or what it points to.
const void *hoist_step_fields(const hoist_prog_step *step);

// Strides in C order without gaps, which the text leaves out; false when there are none.
bool hoist_layout_dense(const hoist_shape *shape, hoist_dtype dtype, int64_t out[HOIST_MAX_RANK]);

#endif // HOIST_SRC_PROGRAM_FIELDS_H
