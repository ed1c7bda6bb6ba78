// program/read.c - the text form of programs, line by line, in two passes: the first collects the
// names of all rows, so that a line may name what stands below it; the second builds.
//
// A line that cannot be read is one finding, and reading goes on with the next one. There is no
// recursion, and nothing is allocated before the text that it is for was seen.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "program/reader.h"
#include "program/text.h"

#define MAX_TEXT (UINT32_MAX / 2) // bytes: places are numbers of 32 bits

bool hoist_text_fail(hoist_text_reader *r, hoist_program_rule rule, hoist_pos pos,
                     const char *format, ...)
{
    // The first pass leaves to the second one what that sees as well.
    if (!r->line_failed && (r->b || rule == HOIST_PRG_904)) {
        va_list args;
        va_start(args, format);
        hoist_vreport(r->diag, hoist_program_rule_get(rule), hoist_loc_pos(pos), format, args);
        va_end(args);
        r->failures++;
    }
    r->line_failed = true;
    return false;
}

bool hoist_text_no_memory(hoist_text_reader *r)
{
    r->status = HOIST_NO_MEMORY;
    r->line_failed = true;
    return false;
}

hoist_token hoist_text_take(hoist_text_reader *r)
{
    const hoist_token taken = r->token;
    r->token = hoist_lexer_next(&r->lexer);
    if (r->lexer.failed) {
        (void)hoist_text_no_memory(r);
    } else if (r->token.kind == HOIST_TOKEN_BAD) {
        (void)hoist_text_fail(r, HOIST_PRG_901, r->token.pos, "%.*s",
                              HOIST_STR_ARGS(r->token.text));
    }
    return taken;
}

bool hoist_text_is_mark(const hoist_text_reader *r, char mark)
{
    const hoist_token *t = &r->token;
    return t->kind == HOIST_TOKEN_MARK && t->text.size == 1 && t->text.data[0] == mark;
}

bool hoist_text_is_word(const hoist_text_reader *r, const char *word)
{
    return r->token.kind == HOIST_TOKEN_WORD && hoist_str_equal_c(r->token.text, word);
}

bool hoist_text_want_mark(hoist_text_reader *r, char mark)
{
    if (!hoist_text_is_mark(r, mark)) {
        const char text[] = {'`', mark, '`', 0};
        return hoist_text_unexpected(r, text);
    }
    (void)hoist_text_take(r);
    return !r->line_failed;
}

bool hoist_text_unexpected(hoist_text_reader *r, const char *wanted)
{
    if (r->token.kind == HOIST_TOKEN_LINE_END) {
        return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "the line ends where %s is wanted",
                               wanted);
    }
    return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "'%.*s' stands where %s is wanted",
                           HOIST_STR_ARGS(r->token.text), wanted);
}

// Names ------------------------------------------------------------------------------------------

// The key's numbers, then the name; in the reader's buffer, until the next call.
static hoist_str make_key(hoist_text_reader *r, hoist_text_key key, hoist_str name)
{
    const uint32_t head[3] = {key.table, key.scope, key.row};
    r->key.size = 0;
    hoist_buffer_add(&r->key, (hoist_bytes){(const uint8_t *)head, sizeof head});
    hoist_buffer_str(&r->key, name);
    if (r->key.failed) {
        (void)hoist_text_no_memory(r);
        return (hoist_str){NULL, 0};
    }
    return hoist_buffer_text(&r->key);
}

hoist_status hoist_text_add_name(hoist_text_reader *r, hoist_text_key key, hoist_str name,
                                 uint32_t value)
{
    const hoist_str text = make_key(r, key, name);
    size_t other = 0;
    if (text.data && hoist_map_find(&r->names, text, &other)) {
        return HOIST_BUSY;
    }
    const hoist_str owned = hoist_arena_str(&r->arena, text);
    return text.data && owned.data ? hoist_map_add(&r->names, owned, value, NULL) : HOIST_NO_MEMORY;
}

bool hoist_text_find_name(hoist_text_reader *r, hoist_text_key key, hoist_str name,
                          uint32_t *out_value)
{
    const hoist_str text = make_key(r, key, name);
    size_t value = 0;
    const bool found = text.data && hoist_map_find(&r->names, text, &value);
    *out_value = found ? (uint32_t)value : HOIST_NO_REF;
    return found;
}

// Lines ------------------------------------------------------------------------------------------

typedef enum line_kind {
    LINE_EMPTY = 0,
    LINE_ROW,
    LINE_STEP,
    LINE_CLOSE, // the brace that ends a body
    LINE_UNKNOWN,
} line_kind;

typedef struct text_line {
    line_kind kind;
    hoist_row_kind row;
    hoist_step_kind step;
    hoist_token label; // text empty: none
    hoist_token keyword;
    bool unclosed; // a body begins although the last one has not ended
} text_line;

// Rows that may stand in a scope: [first, last].
static const hoist_row_kind scope_rows[][2] = {
    [HOIST_SCOPE_TOP] = {HOIST_ROW_PROGRAM, HOIST_ROW_ENTRY},
    [HOIST_SCOPE_FUNCTION] = {HOIST_ROW_PARAMETER, HOIST_ROW_REGISTER},
    [HOIST_SCOPE_THREAD] = {HOIST_ROW_REGISTER, HOIST_ROW_REGISTER},
    [HOIST_SCOPE_ENTRY] = {HOIST_ROW_START, HOIST_ROW_ENTRY_PARAMETER},
};

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

static bool has_steps(hoist_text_scope scope)
{
    return scope == HOIST_SCOPE_FUNCTION || scope == HOIST_SCOPE_THREAD;
}

// What the line is, up to its keyword. Only words are keywords.
static text_line begin_line(hoist_text_reader *r)
{
    static const hoist_row_kind blocks[2] = {HOIST_ROW_FUNCTION, HOIST_ROW_ENTRY};
    text_line line = {.kind = LINE_EMPTY};
    r->line_failed = false;
    hoist_arena_deinit(&r->line);
    hoist_arena_init(&r->line, r->alloc);
    (void)hoist_text_take(r);
    if (r->token.kind == HOIST_TOKEN_LINE_END || r->line_failed) {
        return line;
    }
    line.keyword = hoist_text_take(r);
    if (hoist_text_is_mark(r, ':')) {
        (void)hoist_text_take(r);
        line.label = line.keyword;
        line.keyword = hoist_text_take(r);
    }
    const hoist_str word = line.keyword.text;
    const bool is_word = line.keyword.kind == HOIST_TOKEN_WORD;
    line.kind = LINE_UNKNOWN;
    if (line.keyword.kind == HOIST_TOKEN_MARK && hoist_str_equal_c(word, "}")) {
        line.kind = LINE_CLOSE;
    } else if (is_word && has_steps(r->scope) && find_step(word, &line.step)) {
        line.kind = LINE_STEP;
    } else if (is_word && find_row(scope_rows[r->scope], word, &line.row)) {
        line.kind = LINE_ROW;
    } else if (is_word && find_row(blocks, word, &line.row)) {
        line.kind = LINE_ROW;
        line.unclosed = true;
    }
    return line;
}

// Enters the body that the line begins, or leaves the one that it ends; `row` numbers bodies.
static void change_scope(hoist_text_reader *r, const text_line *line, const uint32_t *counts)
{
    static const hoist_text_scope scopes[HOIST_ROW_COUNT] = {
        [HOIST_ROW_FUNCTION] = HOIST_SCOPE_FUNCTION,
        [HOIST_ROW_THREAD] = HOIST_SCOPE_THREAD,
        [HOIST_ROW_ENTRY] = HOIST_SCOPE_ENTRY,
    };
    if (line->kind == LINE_CLOSE) {
        r->scope = HOIST_SCOPE_TOP;
    } else if (line->kind == LINE_ROW && scopes[line->row] != HOIST_SCOPE_TOP) {
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

static void collect_label(hoist_text_reader *r, const text_line *line)
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

static void collect_row(hoist_text_reader *r, collector *c, const text_line *line)
{
    static const uint8_t tables[HOIST_ROW_COUNT] = {
        [HOIST_ROW_PROGRAM] = HOIST_NAMES_COUNT,
        [HOIST_ROW_SPACE] = HOIST_NAMES_SPACE,
        [HOIST_ROW_BUFFER] = HOIST_NAMES_BUFFER,
        [HOIST_ROW_RELOCATION] = HOIST_NAMES_COUNT,
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
    const bool is_integer = line->row == HOIST_ROW_PARAMETER && !hoist_text_is_word(r, "view");
    if (is_integer && is_name) {
        add_name(r, HOIST_NAMES_REGISTER, name, c->counts[HOIST_ROW_REGISTER]);
    }
    c->counts[HOIST_ROW_REGISTER] += is_integer;
    c->counts[line->row]++;
}

// Collects the names of all rows. Findings other than names that occur twice are left to the second
// pass.
static void collect(hoist_text_reader *r, collector *c)
{
    do {
        const text_line line = begin_line(r);
        const uint32_t before = c->counts[line.row];
        if (line.kind == LINE_STEP) {
            collect_label(r, &line);
        } else if (line.kind == LINE_ROW) {
            collect_row(r, c, &line);
        }
        const uint32_t now = c->counts[line.row];
        c->counts[line.row] = before;
        change_scope(r, &line, c->counts);
        c->counts[line.row] = now;
        if (line.kind == LINE_ROW && hoist_row_record(line.row)->block) {
            c->counts[HOIST_ROW_PARAMETER] = 0;
            c->counts[HOIST_ROW_REGISTER] = 0;
        }
    } while (r->status == HOIST_OK && hoist_lexer_next_line(&r->lexer));
}

// Second pass ------------------------------------------------------------------------------------

// A list that outlives its line.
typedef struct kept {
    void *items; // owned
    size_t count;
    size_t capacity;
} kept;

// The body at hand.
typedef struct body {
    uint32_t counts[HOIST_ROW_COUNT];
    hoist_loc loc;
    hoist_str name;
    bool begun;       // functions: the builder knows it
    kept parameters;  // hoist_prog_parameter
    kept threads;     // hoist_ref
    kept assignments; // hoist_prog_entry_parameter
} body;

static void keep(hoist_text_reader *r, kept *list, const void *item, size_t size)
{
    if (!hoist_grow(r->alloc, &list->items, &list->capacity, list->count + 1, size)) {
        (void)hoist_text_no_memory(r);
        return;
    }
    memcpy((uint8_t *)list->items + list->count * size, item, size);
    list->count++;
}

// A function begins with its first line that is not a parameter, since the builder wants them all.
static void begin_function(hoist_text_reader *r, body *at)
{
    if (r->scope == HOIST_SCOPE_FUNCTION && !at->begun) {
        const hoist_prog_function row = {.name = at->name,
                                         .loc = at->loc,
                                         .parameters = at->parameters.items,
                                         .parameter_count = (uint32_t)at->parameters.count};
        (void)hoist_builder_begin_function(r->b, &row);
        at->begun = true;
    }
}

static void end_body(hoist_text_reader *r, body *at)
{
    begin_function(r, at);
    if (has_steps(r->scope)) {
        hoist_builder_end_code(r->b);
    } else if (r->scope == HOIST_SCOPE_ENTRY) {
        (void)hoist_builder_entry(
            r->b, &(hoist_prog_entry){.name = at->name,
                                      .loc = at->loc,
                                      .threads = at->threads.items,
                                      .thread_count = (uint32_t)at->threads.count,
                                      .parameters = at->assignments.items,
                                      .parameter_count = (uint32_t)at->assignments.count});
    }
    at->parameters.count = 0;
    at->threads.count = 0;
    at->assignments.count = 0;
    r->scope = HOIST_SCOPE_TOP;
}

// The row of a line, of any kind.
typedef union any_row {
    hoist_program program;
    hoist_prog_space space;
    hoist_prog_buffer buffer;
    hoist_prog_relocation relocation;
    hoist_prog_fifo fifo;
    hoist_prog_unit unit;
    hoist_prog_semaphore semaphore;
    hoist_prog_function function;
    hoist_prog_thread thread;
    hoist_prog_entry entry;
    hoist_prog_parameter parameter;
    hoist_prog_register reg;
    hoist_ref start;
    hoist_prog_entry_parameter assignment;
    hoist_prog_step step;
    hoist_prog_move move;
    hoist_prog_compute compute;
    hoist_prog_collective collective;
    hoist_prog_opaque opaque;
} any_row;

static void build_block(hoist_text_reader *r, body *at, hoist_row_kind kind, hoist_str name,
                        hoist_loc loc)
{
    at->name = name;
    at->loc = loc;
    at->begun = false;
    if (kind == HOIST_ROW_THREAD) {
        (void)hoist_builder_begin_thread(r->b, &(hoist_prog_thread){.name = name, .loc = loc});
    }
}

static void build_row(hoist_text_reader *r, body *at, hoist_row_kind kind, any_row *row,
                      hoist_loc loc)
{
    switch (kind) {
    case HOIST_ROW_SPACE:
        row->space.loc = loc;
        (void)hoist_builder_space(r->b, &row->space);
        break;
    case HOIST_ROW_BUFFER:
        row->buffer.loc = loc;
        (void)hoist_builder_buffer(r->b, &row->buffer);
        break;
    case HOIST_ROW_RELOCATION:
        row->relocation.loc = loc;
        hoist_builder_relocation(r->b, &row->relocation);
        break;
    case HOIST_ROW_FIFO:
        row->fifo.loc = loc;
        (void)hoist_builder_fifo(r->b, &row->fifo);
        break;
    case HOIST_ROW_UNIT:
        row->unit.loc = loc;
        (void)hoist_builder_unit(r->b, &row->unit);
        break;
    case HOIST_ROW_SEMAPHORE:
        row->semaphore.loc = loc;
        (void)hoist_builder_semaphore(r->b, &row->semaphore);
        break;
    case HOIST_ROW_REGISTER:
        (void)hoist_builder_register(r->b, &row->reg);
        break;
    case HOIST_ROW_PARAMETER:
        keep(r, &at->parameters, &row->parameter, sizeof row->parameter);
        break;
    case HOIST_ROW_START:
        keep(r, &at->threads, &row->start, sizeof row->start);
        break;
    case HOIST_ROW_ENTRY_PARAMETER:
        keep(r, &at->assignments, &row->assignment, sizeof row->assignment);
        break;
    default: // of blocks all have the name at the same place: read_row knows it
        break;
    }
}

// Nothing may follow. A word of the record itself stands there twice or too late.
static void want_line_end(hoist_text_reader *r, const hoist_record *record)
{
    if (r->line_failed || r->token.kind == HOIST_TOKEN_LINE_END) {
        return;
    }
    for (uint32_t i = 0; record && i < record->field_count; i++) {
        const char *word = record->fields[i].word;
        if (word && hoist_text_is_word(r, word)) {
            (void)hoist_text_fail(r, HOIST_PRG_906, r->token.pos,
                                  "'%s' stands behind what it should come before", word);
            return;
        }
    }
    (void)hoist_text_fail(r, HOIST_PRG_906, r->token.pos,
                          "'%.*s' follows where the line should end",
                          HOIST_STR_ARGS(r->token.text));
}

// What follows the operands: the brace of a body, or nothing.
static void read_line_end(hoist_text_reader *r, const hoist_record *record)
{
    if (record->block && !r->line_failed && !hoist_text_is_mark(r, '{')) {
        (void)hoist_text_fail(r, HOIST_PRG_907, r->token.pos, "`{` is missing here");
    } else if (record->block) {
        (void)hoist_text_take(r);
    }
    want_line_end(r, record);
}

static hoist_str block_name(hoist_row_kind kind, const any_row *row)
{
    switch (kind) {
    case HOIST_ROW_FUNCTION:
        return row->function.name;
    case HOIST_ROW_THREAD:
        return row->thread.name;
    default:
        return row->entry.name;
    }
}

static void read_row(hoist_text_reader *r, body *at, const text_line *line)
{
    const hoist_record *record = hoist_row_record(line->row);
    const hoist_loc loc = hoist_loc_pos(line->keyword.pos);
    any_row row;
    memset(&row, 0, sizeof row);
    if (line->label.text.size) {
        (void)hoist_text_fail(r, HOIST_PRG_902, line->label.pos, "only steps have labels");
    }
    if (line->row == HOIST_ROW_PARAMETER && at->begun) {
        (void)hoist_text_fail(r, HOIST_PRG_902, line->keyword.pos,
                              "parameters come before registers and steps");
    }
    if (line->row == HOIST_ROW_PROGRAM && at->counts[line->row] > 0) {
        (void)hoist_text_fail(r, HOIST_PRG_909, line->keyword.pos,
                              "there is another line `program` above");
    }
    if (line->row != HOIST_ROW_PARAMETER) {
        begin_function(r, at);
    }
    if (hoist_text_fields(r, record, &row)) {
        read_line_end(r, record);
    }
    if (record->block) {
        if (r->scope != HOIST_SCOPE_TOP) {
            end_body(r, at);
        }
        build_block(r, at, line->row, block_name(line->row, &row), loc);
    } else if (!r->line_failed) {
        build_row(r, at, line->row, &row, loc);
    }
}

static void read_step_line(hoist_text_reader *r, body *at, const text_line *line)
{
    const hoist_record *record = hoist_step_record(line->step);
    any_row row;
    hoist_prog_step step;
    memset(&row, 0, sizeof row);
    memset(&step, 0, sizeof step);
    begin_function(r, at);
    void *target = record->payload ? (void *)&row : (uint8_t *)&row.step + record->base;
    if (hoist_text_fields(r, record, target)) {
        read_line_end(r, record);
    }
    if (r->line_failed) {
        return;
    }
    if (!record->payload) {
        step = row.step;
    }
    step.kind = line->step;
    step.loc = hoist_loc_pos(line->keyword.pos);
    step.label = line->label.text;
    switch (line->step) {
    case HOIST_STEP_MOVE:
        step.as.move = &row.move;
        break;
    case HOIST_STEP_COMPUTE:
        step.as.compute = &row.compute;
        break;
    case HOIST_STEP_COLLECTIVE:
        step.as.collective = &row.collective;
        break;
    case HOIST_STEP_OPAQUE:
        step.as.opaque = &row.opaque;
        break;
    default:
        break;
    }
    (void)hoist_builder_step(r->b, &step);
}

static void unknown_line(hoist_text_reader *r, const text_line *line)
{
    static const char *const places[] = {
        [HOIST_SCOPE_TOP] = "outside functions, threads and entries",
        [HOIST_SCOPE_FUNCTION] = "in a function",
        [HOIST_SCOPE_THREAD] = "in a thread",
        [HOIST_SCOPE_ENTRY] = "in an entry",
    };
    (void)hoist_text_fail(r, HOIST_PRG_902, line->keyword.pos, "no line %s begins with '%.*s'",
                          places[r->scope], HOIST_STR_ARGS(line->keyword.text));
}

static void read_close(hoist_text_reader *r, body *at, const text_line *line)
{
    if (r->scope == HOIST_SCOPE_TOP) {
        (void)hoist_text_fail(r, HOIST_PRG_907, line->keyword.pos, "`}` ends nothing here");
        return;
    }
    if (line->label.text.size) {
        (void)hoist_text_fail(r, HOIST_PRG_902, line->label.pos, "only steps have labels");
    }
    end_body(r, at);
    want_line_end(r, NULL);
}

static void read_lines(hoist_text_reader *r, body *at)
{
    do {
        const text_line line = begin_line(r);
        if (line.unclosed) {
            (void)hoist_text_fail(r, HOIST_PRG_907, line.keyword.pos,
                                  "the body above is not closed by `}`");
        }
        switch (line.kind) {
        case LINE_EMPTY:
            break;
        case LINE_ROW:
            read_row(r, at, &line);
            break;
        case LINE_STEP:
            read_step_line(r, at, &line);
            break;
        case LINE_CLOSE:
            read_close(r, at, &line);
            break;
        case LINE_UNKNOWN:
            unknown_line(r, &line);
            break;
        }
        change_scope(r, &line, at->counts);
        at->counts[line.row] += line.kind == LINE_ROW;
    } while (r->status == HOIST_OK && hoist_lexer_next_line(&r->lexer));
    if (r->status == HOIST_OK && r->scope != HOIST_SCOPE_TOP) {
        r->line_failed = false;
        (void)hoist_text_fail(r, HOIST_PRG_907, (hoist_pos){r->lexer.line, 1},
                              "the text ends inside a body, `}` is missing");
        end_body(r, at);
    }
}

static hoist_status read_all(hoist_text_reader *r, hoist_str source, hoist_program **out_program)
{
    collector names = {.program.data = NULL};
    body at = {.begun = false};
    r->lexer = hoist_lexer_init(source, &r->arena);
    collect(r, &names);
    HOIST_TRY(r->status);
    HOIST_TRY(hoist_builder_create(r->alloc, names.program, &r->b));
    if (!names.program.data) {
        r->line_failed = false;
        (void)hoist_text_fail(r, HOIST_PRG_909, (hoist_pos){1, 1},
                              "no line `program NAME` gives the program a name");
    }
    r->lexer = hoist_lexer_init(source, &r->arena);
    r->scope = HOIST_SCOPE_TOP;
    read_lines(r, &at);
    hoist_free(r->alloc, at.parameters.items,
               at.parameters.capacity * sizeof(hoist_prog_parameter));
    hoist_free(r->alloc, at.threads.items, at.threads.capacity * sizeof(hoist_ref));
    hoist_free(r->alloc, at.assignments.items,
               at.assignments.capacity * sizeof(hoist_prog_entry_parameter));
    if (r->status != HOIST_OK || r->failures) {
        hoist_builder_destroy(r->b);
        return r->status != HOIST_OK ? r->status : HOIST_INVALID;
    }
    return hoist_builder_finish(r->b, out_program);
}

hoist_status hoist_program_read(hoist_bytes text, hoist_allocator alloc, hoist_diag *diag,
                                hoist_program **out_program)
{
    *out_program = NULL;
    hoist_text_reader r = {.alloc = alloc, .diag = diag};
    if (text.size > MAX_TEXT) {
        return hoist_fail(diag, HOIST_LIMIT, hoist_program_rule_get(HOIST_PRG_908),
                          hoist_loc_none(), "the text has %zu bytes, more than %zu", text.size,
                          (size_t)MAX_TEXT);
    }
    hoist_arena_init(&r.arena, alloc);
    hoist_arena_init(&r.line, alloc);
    hoist_map_init(&r.names, alloc);
    hoist_buffer_init(&r.key, alloc);
    const hoist_status status =
        read_all(&r, (hoist_str){(const char *)text.data, text.size}, out_program);
    hoist_buffer_deinit(&r.key);
    hoist_map_deinit(&r.names);
    hoist_arena_deinit(&r.line);
    hoist_arena_deinit(&r.arena);
    return status;
}
