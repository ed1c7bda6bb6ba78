// program/reader.h - what the parts of the text reader share: tokens of a line, names, findings.
#ifndef HOIST_SRC_PROGRAM_READER_H
#define HOIST_SRC_PROGRAM_READER_H

#include "base/buffer.h"
#include "base/diag.h"
#include "base/map.h"
#include "program/builder.h"
#include "program/fields.h"
#include "program/lexer.h"
#include "program/rules.h"

// Whose names and lines are meant.
typedef enum hoist_text_scope {
    HOIST_SCOPE_TOP = 0,
    HOIST_SCOPE_FUNCTION,
    HOIST_SCOPE_THREAD,
    HOIST_SCOPE_ENTRY,
} hoist_text_scope;

typedef struct hoist_text_reader {
    hoist_allocator alloc;
    hoist_diag *diag;
    hoist_deadline *deadline; // borrowed; or NULL
    bool no_data;             // as of hoist_parse_options, like
    hoist_str file;           // this
    hoist_lexer lexer;
    hoist_token token;   // the next one of the line
    hoist_arena arena;   // names
    hoist_arena line;    // lists of one line
    hoist_map names;     // table, scope and name -> index
    hoist_buffer key;    // of the name that is looked for
    hoist_builder *b;    // NULL while names are collected
    hoist_status status; // sticky: NO_MEMORY, LIMIT for lists, or the deadline's
    bool line_failed;    // one finding per line
    size_t failures;     // lines with one
    uint64_t items;      // of lists, so far
    hoist_text_scope scope;
    uint32_t scope_row;   // of the function, thread or entry
    uint32_t scope_steps; // steps so far
} hoist_text_reader;

// Findings (read_tokens.c): the first of each line is kept. Returns false, for `return
// hoist_text_fail(...)`.
bool hoist_text_fail(hoist_text_reader *r, hoist_program_rule rule, hoist_pos pos,
                     const char *format, ...) HOIST_PRINTF(4, 5);
bool hoist_text_no_memory(hoist_text_reader *r);

// Takes the next token, and looks at the deadline.
hoist_token hoist_text_take(hoist_text_reader *r);
bool hoist_text_is_mark(const hoist_text_reader *r, char mark);
bool hoist_text_is_word(const hoist_text_reader *r, const char *word);
// Takes `mark`, or fails.
bool hoist_text_want_mark(hoist_text_reader *r, char mark);
// Reports the token that is there instead of `expected`.
bool hoist_text_unexpected(hoist_text_reader *r, const char *expected);

// Names. `row` is that of the function or thread for PARAMETER, REGISTER and labels, else 0.
#define HOIST_NAMES_LABEL HOIST_NAMES_COUNT             // value: the step
#define HOIST_NAMES_LABEL_TWICE (HOIST_NAMES_COUNT + 1) // labels of several steps
typedef struct hoist_text_key {
    uint32_t table; // hoist_name_table, or one of the two above
    hoist_text_scope scope;
    uint32_t row;
} hoist_text_key;
// HOIST_BUSY: the name is there already.
HOIST_NODISCARD hoist_status hoist_text_add_name(hoist_text_reader *r, hoist_text_key key,
                                                 hoist_str name, uint32_t value);
bool hoist_text_find_name(hoist_text_reader *r, hoist_text_key key, hoist_str name,
                          uint32_t *out_value);

// Lines (read_lines.c).
typedef enum hoist_text_line_kind {
    HOIST_LINE_EMPTY = 0,
    HOIST_LINE_ROW,
    HOIST_LINE_STEP,
    HOIST_LINE_CLOSE, // the brace that ends a body
    HOIST_LINE_UNKNOWN,
} hoist_text_line_kind;

typedef struct hoist_text_line {
    hoist_text_line_kind kind;
    hoist_row_kind row;
    hoist_step_kind step;
    hoist_token label; // text empty: none
    hoist_token keyword;
    bool unclosed; // a body begins although the last one has not ended
} hoist_text_line;

// Begins the next line: what it is, up to its keyword.
hoist_text_line hoist_text_begin_line(hoist_text_reader *r);
// Enters the body that the line begins, or leaves the one that it ends; `counts` has the rows of
// each kind so far.
void hoist_text_change_scope(hoist_text_reader *r, const hoist_text_line *line,
                             const uint32_t *counts);
bool hoist_text_has_steps(hoist_text_scope scope);
// The first pass: collects the names of all rows. Findings other than names that occur twice are
// left to the second pass. `*out_program` is the program's name; data NULL: it has none.
void hoist_text_collect(hoist_text_reader *r, hoist_str *out_program);

// Reads the operands of `record` into `row`, which the caller has zeroed. False after a finding.
bool hoist_text_fields(hoist_text_reader *r, const hoist_record *record, void *row);

#endif // HOIST_SRC_PROGRAM_READER_H
