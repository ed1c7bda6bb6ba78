// program/read.c - the text form of programs, line by line, in two passes: the first collects the
// names of all rows, so that a line may name what is below it; the second builds.
//
// A line that cannot be read is one finding, and reading goes on with the next one. There is no
// recursion, and nothing is allocated before the text that it is for was seen.
#include <string.h>

#include "base/alloc.h"
#include "base/progress.h"
#include "base/span.h"
#include "program/reader.h"
#include "program/text.h"

#define MAX_TEXT (UINT32_MAX / 2) // bytes: places are numbers of 32 bits

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
    bool once;        // entries
    bool begun;       // functions: the builder knows it
    kept parameters;  // hoist_prog_parameter
    kept threads;     // hoist_ref
    kept assignments; // hoist_prog_entry_parameter
} body;

// Memory is the reader's; the lists are emptied, not freed, at the end of a body.
static void keep(hoist_text_reader *r, kept *list, const void *item, size_t size)
{
    if (!hoist_grow(r->alloc, &list->items, &list->capacity, list->count + 1, size)) {
        (void)hoist_text_no_memory(r);
        return;
    }
    memcpy((uint8_t *)list->items + list->count * size, item, size);
    list->count++;
}

// A function begins with its first line that is not a parameter, since the builder needs them all.
// Nothing in other scopes.
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

// Also for a body whose brace is missing: what follows would be read in the wrong scope.
static void end_body(hoist_text_reader *r, body *at)
{
    begin_function(r, at);
    if (hoist_text_has_steps(r->scope)) {
        hoist_builder_end_code(r->b);
    } else if (r->scope == HOIST_SCOPE_ENTRY) {
        (void)hoist_builder_entry(
            r->b, &(hoist_prog_entry){.name = at->name,
                                      .loc = at->loc,
                                      .once = at->once,
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
// One for all lines, zeroed for each.
typedef union any_row {
    hoist_program program;
    hoist_prog_space space;
    hoist_prog_buffer buffer;
    hoist_prog_relocation relocation;
    hoist_prog_port port;
    hoist_prog_need need;
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

// Only of the three kinds that have a body.
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

// A function is begun later, when its parameters are known; an entry at its end.
static void build_block(hoist_text_reader *r, body *at, hoist_row_kind kind, const any_row *row,
                        hoist_loc loc)
{
    const hoist_str name = block_name(kind, row);
    at->name = name;
    at->loc = loc;
    at->once = kind == HOIST_ROW_ENTRY && row->entry.once;
    at->begun = false;
    if (kind == HOIST_ROW_THREAD) {
        (void)hoist_builder_begin_thread(
            r->b, &(hoist_prog_thread){.name = name, .loc = loc, .home = row->thread.home});
    }
}

// Contents that are not read count as zeros, so that sizes and lifetimes stay right.
static void build_buffer(hoist_text_reader *r, hoist_prog_buffer *row)
{
    const bool has_data =
        row->contents == HOIST_CONTENTS_BYTES || row->contents == HOIST_CONTENTS_PATTERN;
    // A caller that only wants the structure is spared gigabytes of hexadecimal digits.
    if (r->no_data && has_data) {
        row->contents = HOIST_CONTENTS_ZERO;
        row->bytes = (hoist_bytes){NULL, 0};
    }
    (void)hoist_builder_buffer(r->b, row);
}

// Rows take the place of their keyword.
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
        build_buffer(r, &row->buffer);
        break;
    case HOIST_ROW_RELOCATION:
        row->relocation.loc = loc;
        hoist_builder_relocation(r->b, &row->relocation);
        break;
    case HOIST_ROW_PORT:
        row->port.loc = loc;
        (void)hoist_builder_port(r->b, &row->port);
        break;
    case HOIST_ROW_NEED:
        row->need.loc = loc;
        hoist_builder_need(r->b, &row->need);
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

// Nothing may follow. A word of the record itself is there twice or too late.
// The common mistake is the order of operands, which gets a message of its own.
static void want_line_end(hoist_text_reader *r, const hoist_record *record)
{
    if (r->line_failed || r->token.kind == HOIST_TOKEN_LINE_END) {
        return;
    }
    for (uint32_t i = 0; record && i < record->field_count; i++) {
        const char *word = record->fields[i].word;
        if (word && hoist_text_is_word(r, word)) {
            (void)hoist_text_fail(r, HOIST_PRG_906, r->token.pos,
                                  "'%s' comes too late, expected it before the operand in front",
                                  word);
            return;
        }
    }
    (void)hoist_text_fail(r, HOIST_PRG_906, r->token.pos,
                          "found '%.*s', expected the end of the line",
                          HOIST_STR_ARGS(r->token.text));
}

// What follows the operands: the brace of a body, or nothing.
// The brace is on the line that begins the body, by the grammar.
static void read_line_end(hoist_text_reader *r, const hoist_record *record)
{
    if (record->block && !r->line_failed && !hoist_text_is_mark(r, '{')) {
        (void)hoist_text_fail(r, HOIST_PRG_907, r->token.pos, "`{` is missing here");
    } else if (record->block) {
        (void)hoist_text_take(r);
    }
    want_line_end(r, record);
}

// Findings do not end a body: the next line is read in the scope that this one has opened.
static void read_row(hoist_text_reader *r, body *at, const hoist_text_line *line)
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
    // A register or a step ends the parameters.
    if (line->row != HOIST_ROW_PARAMETER) {
        begin_function(r, at);
    }
    if (hoist_text_fields(r, record, &row)) {
        read_line_end(r, record);
    }
    if (record->block) {
        // The body above was not closed, which has been reported.
        if (r->scope != HOIST_SCOPE_TOP) {
            end_body(r, at);
        }
        build_block(r, at, line->row, &row, loc);
    } else if (!r->line_failed) {
        build_row(r, at, line->row, &row, loc);
    }
}

// The step is built only if all of its operands were read: half a step would be another one.
static void read_step_line(hoist_text_reader *r, body *at, const hoist_text_line *line)
{
    const hoist_record *record = hoist_step_record(line->step);
    any_row row;
    hoist_prog_step step;
    memset(&row, 0, sizeof row);
    memset(&step, 0, sizeof step);
    begin_function(r, at);
    // Operands go to the payload, or into the step itself, from `base` on.
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
    // Lists and names point into the line's arena; the builder copies them.
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

// Says where the line is, as many keywords belong to one kind of body.
static void unknown_line(hoist_text_reader *r, const hoist_text_line *line)
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

// A brace that closes nothing is reported and passed over.
static void read_close(hoist_text_reader *r, body *at, const hoist_text_line *line)
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

// The last line need not have an end.
static void read_lines(hoist_text_reader *r, body *at)
{
    size_t counted = 0;
    hoist_stage_expect(r->deadline, HOIST_STAGE_OPENING, r->lexer.source.size);
    do {
        const hoist_text_line line = hoist_text_begin_line(r);
        if (line.unclosed) {
            (void)hoist_text_fail(r, HOIST_PRG_907, line.keyword.pos,
                                  "the body above is not closed by `}`");
        }
        switch (line.kind) {
        case HOIST_LINE_EMPTY:
            break;
        case HOIST_LINE_ROW:
            read_row(r, at, &line);
            break;
        case HOIST_LINE_STEP:
            read_step_line(r, at, &line);
            break;
        case HOIST_LINE_CLOSE:
            read_close(r, at, &line);
            break;
        case HOIST_LINE_UNKNOWN:
            unknown_line(r, &line);
            break;
        }
        // After the line was read, as its operands are of the scope before.
        hoist_text_change_scope(r, &line, at->counts);
        at->counts[line.row] += line.kind == HOIST_LINE_ROW;
        hoist_stage_add(r->deadline, HOIST_STAGE_OPENING, r->lexer.at - counted);
        counted = r->lexer.at;
    } while (r->status == HOIST_OK && hoist_lexer_next_line(&r->lexer));
    if (r->status == HOIST_OK && r->scope != HOIST_SCOPE_TOP) {
        r->line_failed = false;
        // Nobody knows how much is missing; a longer text may be complete.
        hoist_diag_lacks(r->diag, UINT64_MAX);
        (void)hoist_text_fail(r, HOIST_PRG_907, (hoist_pos){r->lexer.line, 1},
                              "the text ends inside a body, `}` is missing");
        end_body(r, at);
    }
}

// Two passes over the same text, with a lexer each.
static hoist_status read_all(hoist_text_reader *r, hoist_str source, hoist_program **out_program)
{
    hoist_str name = {NULL, 0};
    body at = {.begun = false};
    r->lexer = hoist_lexer_init(source, &r->arena);
    // First pass. A name that is there twice is reported here, everything else in the second.
    hoist_text_collect(r, &name);
    HOIST_TRY(r->status);
    HOIST_TRY(hoist_builder_create(r->alloc, name, &r->b));
    hoist_builder_file(r->b, r->file);
    if (!name.data) {
        r->line_failed = false;
        (void)hoist_text_fail(r, HOIST_PRG_909, (hoist_pos){1, 1},
                              "no line `program NAME` gives the program a name");
    }
    // The second pass begins again at the first line.
    r->lexer = hoist_lexer_init(source, &r->arena);
    r->scope = HOIST_SCOPE_TOP;
    read_lines(r, &at);
    hoist_free(r->alloc, at.parameters.items,
               at.parameters.capacity * sizeof(hoist_prog_parameter));
    hoist_free(r->alloc, at.threads.items, at.threads.capacity * sizeof(hoist_ref));
    hoist_free(r->alloc, at.assignments.items,
               at.assignments.capacity * sizeof(hoist_prog_entry_parameter));
    // A program with any finding would have holes: none is given.
    if (r->status != HOIST_OK || r->failures) {
        hoist_builder_destroy(r->b);
        return r->status != HOIST_OK ? r->status : HOIST_INVALID;
    }
    return hoist_builder_finish(r->b, out_program);
}

hoist_status hoist_program_parse_with(hoist_bytes text, const hoist_parse_options *options,
                                      hoist_diag *diag, hoist_program **out_program)
{
    *out_program = NULL;
    hoist_text_reader r = {.alloc = options->alloc,
                           .diag = diag,
                           .deadline = options->deadline,
                           .no_data = options->no_data,
                           .file = options->file};
    if (text.size > MAX_TEXT) {
        return hoist_fail(diag, HOIST_LIMIT, hoist_program_rule_get(HOIST_PRG_908),
                          hoist_loc_none(), "the text has %zu bytes, more than %zu", text.size,
                          (size_t)MAX_TEXT);
    }
    hoist_arena_init(&r.arena, r.alloc);
    hoist_arena_init(&r.line, r.alloc);
    hoist_map_init(&r.names, r.alloc);
    hoist_buffer_init(&r.key, r.alloc);
    const hoist_status status =
        read_all(&r, (hoist_str){(const char *)text.data, text.size}, out_program);
    hoist_buffer_deinit(&r.key);
    hoist_map_deinit(&r.names);
    hoist_arena_deinit(&r.line);
    hoist_arena_deinit(&r.arena);
    return status;
}
