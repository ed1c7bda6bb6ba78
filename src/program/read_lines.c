// program/read_lines.c - what each line of the text is, and the first pass over them, which
// collects the names of all rows.
#include "base/span.h"
#include "program/reader.h"

// Rows that may be in a scope: [first, last].
static const hoist_row_kind scope_rows[][2] = {
    [HOIST_SCOPE_TOP] = {HOIST_ROW_PROGRAM, HOIST_ROW_ENTRY},
    [HOIST_SCOPE_FUNCTION] = {HOIST_ROW_PARAMETER, HOIST_ROW_REGISTER},
    [HOIST_SCOPE_THREAD] = {HOIST_ROW_REGISTER, HOIST_ROW_REGISTER},
    [HOIST_SCOPE_ENTRY] = {HOIST_ROW_START, HOIST_ROW_ENTRY_PARAMETER},
};

// Rows of a scope follow each other in the enum.
static bool find_row(const hoist_row_kind range[2], hoist_str keyword, hoist_row_kind *out)
{
    for (hoist_row_kind kind = range[0]; kind <= range[1]; kind++) {
        if (hoist_str_equal_c(keyword, hoist_row_record(kind)->keyword)) {
            *out = kind;
            return true;
        }
    }
    return false;
}

// Linear over some twenty words, whose first letters differ.
static bool find_step(hoist_str keyword, hoist_step_kind *out)
{
    for (hoist_step_kind kind = 0; kind < HOIST_STEP_COUNT; kind++) {
        if (hoist_str_equal_c(keyword, hoist_step_record(kind)->keyword)) {
            *out = kind;
            return true;
        }
    }
    return false;
}

// Entries have rows only.
bool hoist_text_has_steps(hoist_text_scope scope)
{
    return scope == HOIST_SCOPE_FUNCTION || scope == HOIST_SCOPE_THREAD;
}

// Only words are keywords.
hoist_text_line hoist_text_begin_line(hoist_text_reader *r)
{
    static const hoist_row_kind blocks[2] = {HOIST_ROW_FUNCTION, HOIST_ROW_ENTRY};
    hoist_text_line line = {.kind = HOIST_LINE_EMPTY};
    r->line_failed = false;
    hoist_arena_deinit(&r->line);
    // Lists of the last line are gone: memory does not grow with the length of the text.
    hoist_arena_init(&r->line, r->alloc);
    (void)hoist_text_take(r);
    if (r->token.kind == HOIST_TOKEN_LINE_END || r->line_failed) {
        return line;
    }
    line.keyword = hoist_text_take(r);
    // "label: keyword ..."; a label may be any name, a keyword among them.
    if (hoist_text_is_mark(r, ':')) {
        (void)hoist_text_take(r);
        line.label = line.keyword;
        line.keyword = hoist_text_take(r);
    }
    const hoist_str word = line.keyword.text;
    const bool is_word = line.keyword.kind == HOIST_TOKEN_WORD;
    line.kind = HOIST_LINE_UNKNOWN;
    if (line.keyword.kind == HOIST_TOKEN_MARK && hoist_str_equal_c(word, "}")) {
        line.kind = HOIST_LINE_CLOSE;
    } else if (is_word && hoist_text_has_steps(r->scope) && find_step(word, &line.step)) {
        line.kind = HOIST_LINE_STEP;
    } else if (is_word && find_row(scope_rows[r->scope], word, &line.row)) {
        line.kind = HOIST_LINE_ROW;
    } else if (is_word && find_row(blocks, word, &line.row)) {
        line.kind = HOIST_LINE_ROW;
        // A new body inside one that is open: the brace was forgotten.
        line.unclosed = true;
    }
    return line;
}

// The row of a body is its number among those of its kind, which names of registers are kept
// by.
void hoist_text_change_scope(hoist_text_reader *r, const hoist_text_line *line,
                             const uint32_t *counts)
{
    static const hoist_text_scope scopes[HOIST_ROW_COUNT] = {
        [HOIST_ROW_FUNCTION] = HOIST_SCOPE_FUNCTION,
        [HOIST_ROW_THREAD] = HOIST_SCOPE_THREAD,
        [HOIST_ROW_ENTRY] = HOIST_SCOPE_ENTRY,
    };
    if (line->kind == HOIST_LINE_CLOSE) {
        r->scope = HOIST_SCOPE_TOP;
    } else if (line->kind == HOIST_LINE_ROW && scopes[line->row] != HOIST_SCOPE_TOP) {
        r->scope = scopes[line->row];
        r->scope_row = counts[line->row];
        r->scope_steps = 0;
    }
}

// First pass -------------------------------------------------------------------------------------

// Rows of each kind so far; those of PARAMETER and REGISTER begin anew in each body.
typedef struct collector {
    uint32_t counts[HOIST_ROW_COUNT];
    hoist_str program; // its name; data NULL: none yet
} collector;

// Names of parameters and registers are those of one body.
static void add_name(hoist_text_reader *r, uint32_t table, hoist_token name, uint32_t value)
{
    const bool local = table >= HOIST_NAMES_PARAMETER;
    const hoist_text_key key = {.table = table,
                                .scope = local ? r->scope : HOIST_SCOPE_TOP,
                                .row = local ? r->scope_row : 0};
    const hoist_status status = hoist_text_add_name(r, key, name.text, value);
    if (status == HOIST_NO_MEMORY) {
        (void)hoist_text_no_memory(r);
    } else if (status == HOIST_BUSY) {
        (void)hoist_text_fail(r, HOIST_PRG_904, name.pos, "there is another %s called '%.*s'",
                              hoist_name_table_text((hoist_name_table)table),
                              HOIST_STR_ARGS(name.text));
    }
}

// A label may be there twice as long as no branch names it: the second one is kept under
// another key, for the message.
static void collect_label(hoist_text_reader *r, const hoist_text_line *line)
{
    hoist_text_key key = {.table = HOIST_NAMES_LABEL, .scope = r->scope, .row = r->scope_row};
    hoist_status status = HOIST_OK;
    if (line->label.text.size) {
        status = hoist_text_add_name(r, key, line->label.text, r->scope_steps);
    }
    if (status == HOIST_BUSY) {
        key.table = HOIST_NAMES_LABEL_TWICE;
        status = hoist_text_add_name(r, key, line->label.text, r->scope_steps);
    }
    if (status == HOIST_NO_MEMORY) {
        (void)hoist_text_no_memory(r);
    }
    r->scope_steps++;
}

// HOIST_NAMES_COUNT: rows of this kind have no name that others use.
static void collect_row(hoist_text_reader *r, collector *c, const hoist_text_line *line)
{
    static const uint8_t tables[HOIST_ROW_COUNT] = {
        [HOIST_ROW_PROGRAM] = HOIST_NAMES_COUNT,
        [HOIST_ROW_SPACE] = HOIST_NAMES_SPACE,
        [HOIST_ROW_BUFFER] = HOIST_NAMES_BUFFER,
        [HOIST_ROW_RELOCATION] = HOIST_NAMES_COUNT,
        [HOIST_ROW_PORT] = HOIST_NAMES_PORT,
        [HOIST_ROW_NEED] = HOIST_NAMES_COUNT,
        [HOIST_ROW_FIFO] = HOIST_NAMES_FIFO,
        [HOIST_ROW_UNIT] = HOIST_NAMES_UNIT,
        [HOIST_ROW_SEMAPHORE] = HOIST_NAMES_SEMAPHORE,
        [HOIST_ROW_FUNCTION] = HOIST_NAMES_FUNCTION,
        [HOIST_ROW_THREAD] = HOIST_NAMES_THREAD,
        [HOIST_ROW_ENTRY] = HOIST_NAMES_ENTRY,
        [HOIST_ROW_PARAMETER] = HOIST_NAMES_PARAMETER,
        [HOIST_ROW_REGISTER] = HOIST_NAMES_REGISTER,
        [HOIST_ROW_START] = HOIST_NAMES_COUNT,
        [HOIST_ROW_ENTRY_PARAMETER] = HOIST_NAMES_COUNT,
    };
    const hoist_token name = hoist_text_take(r);
    const bool is_name = name.kind == HOIST_TOKEN_WORD || name.kind == HOIST_TOKEN_NAME;
    if (line->row == HOIST_ROW_PROGRAM && !c->program.data && is_name) {
        c->program = name.text;
    }
    if (tables[line->row] != HOIST_NAMES_COUNT && is_name) {
        add_name(r, tables[line->row], name, c->counts[line->row]);
    }
    // An integer parameter is a register as well.
    const bool is_integer = line->row == HOIST_ROW_PARAMETER && !hoist_text_is_word(r, "view");
    if (is_integer && is_name) {
        add_name(r, HOIST_NAMES_REGISTER, name, c->counts[HOIST_ROW_REGISTER]);
    }
    c->counts[HOIST_ROW_REGISTER] += is_integer;
    c->counts[line->row]++;
}

// Lines that cannot be read are left to the second pass, but their row is counted all the same,
// so that numbers of later rows agree.
void hoist_text_collect(hoist_text_reader *r, hoist_str *out_program)
{
    collector counted = {.program.data = NULL};
    collector *c = &counted;
    do {
        const hoist_text_line line = hoist_text_begin_line(r);
        // change_scope() wants the number of this row, which collect_row() has counted already.
        const uint32_t before = c->counts[line.row];
        if (line.kind == HOIST_LINE_STEP) {
            collect_label(r, &line);
        } else if (line.kind == HOIST_LINE_ROW) {
            collect_row(r, c, &line);
        }
        const uint32_t now = c->counts[line.row];
        c->counts[line.row] = before;
        hoist_text_change_scope(r, &line, c->counts);
        c->counts[line.row] = now;
        if (line.kind == HOIST_LINE_ROW && hoist_row_record(line.row)->block) {
            c->counts[HOIST_ROW_PARAMETER] = 0;
            c->counts[HOIST_ROW_REGISTER] = 0;
        }
    } while (r->status == HOIST_OK && hoist_lexer_next_line(&r->lexer));
    *out_program = c->program;
}
