// Text to records: the inverse of stream_disasm.c (neff reference section 5.6). In goes text of any
// origin, out come records of 64 bytes; pack_assemble.c is its caller.
//
// One line is one instruction, its operands the rows of a form in their order, so the parser never
// looks back. A line that is wrong gives one finding, at the byte where it goes wrong and with what
// was expected there, and the next line is read. Nothing is kept but the record at hand.
//
// Functions that return bool are false after a finding, and leave `at` where it was reported.
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/stream_internal.h"

typedef struct parser {
    hoist_str line;       // without its end
    size_t at;            // in `line`
    uint32_t line_number; // from 1
    int generation;
    const hoist_rule *rule; // that findings are reported under; borrowed
    hoist_diag *diag;
    uint8_t record[NEFF_RECORD_SIZE];
    uint8_t operands; // their offset in the record
    bool has_value;   // something wrote the value word
    bool has_debug;   // debug=... was on this line
} parser;

// Findings ---------------------------------------------------------------------------------------

// Columns count bytes from 1.
static hoist_loc place(const parser *p, size_t at)
{
    return hoist_loc_pos((hoist_pos){p->line_number, (uint32_t)at + 1});
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// NUL at the end of the line. A NUL in the text looks the same, and no part accepts either.
static char peek(const parser *p)
{
    return p->at < p->line.size ? p->line.data[p->at] : '\0';
}

static void skip_spaces(parser *p)
{
    while (is_space(peek(p))) {
        p->at++;
    }
}

// True at the end of a word: a space, the ';' that ends an instruction, or the end of the line.
static bool is_end(const parser *p, size_t at)
{
    return at >= p->line.size || is_space(p->line.data[at]) || p->line.data[at] == ';';
}

static hoist_str word_here(const parser *p)
{
    size_t end = p->at;
    while (!is_end(p, end)) {
        end++;
    }
    return hoist_str_slice(p->line, p->at, end - p->at);
}

// Reports what is here instead of `expected`; always false, so that callers can return it.
static bool wants(const parser *p, const char *expected)
{
    const hoist_str word = word_here(p);
    if (word.size > 0) {
        hoist_report(p->diag, p->rule, place(p, p->at), "found '%.*s', expected %s",
                     HOIST_STR_ARGS(word), expected);
    } else {
        hoist_report(p->diag, p->rule, place(p, p->at), "the %s ends here, expected %s",
                     peek(p) == ';' ? "instruction" : "line", expected);
    }
    return false;
}

// Pieces -----------------------------------------------------------------------------------------

static bool is_here(const parser *p, const char *text)
{
    return hoist_str_starts_with(hoist_str_slice(p->line, p->at, p->line.size), text);
}

// Steps over `text` when it is here.
static bool take(parser *p, const char *text)
{
    const bool here = is_here(p, text);
    p->at += here ? strlen(text) : 0;
    return here;
}

// The same, and reports when it is not; `text` is short, one of this file's literals or keys.
static bool expect(parser *p, const char *text)
{
    char expected[40];
    (void)snprintf(expected, sizeof(expected), "'%s'", text);
    return take(p, text) || wants(p, expected);
}

// Value of the digit at `at` in that base; -1: there is none.
static int digit_at(const parser *p, size_t at, int base)
{
    const char c = at < p->line.size ? p->line.data[at] : '\0';
    int digit = -1;
    if (c >= '0' && c <= '9') {
        digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
        digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
        digit = c - 'A' + 10;
    }
    return digit < base ? digit : -1;
}

// A decimal number, or a hexadecimal one after 0x, of at most `most`. Digits of a number that is
// too large are still stepped over, so that the finding names all of it.
static bool number(parser *p, uint64_t most, uint64_t *out_value)
{
    const size_t start = p->at;
    const int base = take(p, "0x") ? 16 : 10;
    uint64_t value = 0;
    bool fits = true;
    *out_value = 0;
    if (digit_at(p, p->at, base) < 0) {
        char expected[48];
        (void)snprintf(expected, sizeof(expected), "a number from 0 to %llu",
                       (unsigned long long)most);
        p->at = start; // before the "0x": the finding names it, too
        return wants(p, expected);
    }
    for (int digit = 0; (digit = digit_at(p, p->at, base)) >= 0; p->at++) {
        fits = fits && !hoist_ckd_mul(&value, value, (uint64_t)base) &&
               !hoist_ckd_add(&value, value, (uint64_t)digit) && value <= most;
    }
    if (!fits) {
        const hoist_str text = hoist_str_slice(p->line, start, p->at - start);
        hoist_report(p->diag, p->rule, place(p, start), "%.*s is too large, expected %llu at most",
                     HOIST_STR_ARGS(text), (unsigned long long)most);
        return false;
    }
    *out_value = value;
    return true;
}

// A number into `size` bytes at `at` of the record.
static bool number_into(parser *p, size_t at, size_t size)
{
    uint64_t value = 0;
    const bool fine = number(p, UINT64_MAX >> (64 - 8 * size), &value); // `size` is 1 to 8
    neff_store(p->record + at, size, value);
    return fine;
}

// $R[N] into the byte at `at`.
static bool register_into(parser *p, size_t at)
{
    return expect(p, "$R[") && number_into(p, at, 1) && expect(p, "]");
}

// `count` bytes, two digits each, into the record from `at` on; `at + count` is at most 64.
static bool bytes_into(parser *p, size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        skip_spaces(p);
        const int high = digit_at(p, p->at, 16);
        const int low = digit_at(p, p->at + 1, 16);
        if (high < 0 || low < 0) {
            return wants(p, "a byte of two hexadecimal digits");
        }
        p->record[at + i] = (uint8_t)(high * 16 + low);
        p->at += 2;
    }
    return true;
}

// Waits and updates ------------------------------------------------------------------------------

// True when the word here is of the shape of `text`, with numbers for '#' and '%'. Only looks: a
// number that is too large matches, and is reported by events_into.
static bool matches(const parser *p, const char *text)
{
    size_t at = p->at;
    for (const char *c = text; *c; c++) {
        if (*c == '#' || *c == '%') {
            const bool is_hex =
                digit_at(p, at, 10) == 0 && at + 1 < p->line.size && p->line.data[at + 1] == 'x';
            const size_t start = at += is_hex ? 2 : 0;
            while (digit_at(p, at, is_hex ? 16 : 10) >= 0) {
                at++;
            }
            if (at == start) {
                return false;
            }
        } else if (at >= p->line.size || p->line.data[at++] != *c) {
            return false;
        }
    }
    return is_end(p, at);
}

// The value of a wait or update into the word at `at`. In the common part both share one word, so
// two values there have to be equal; the extended half has a word for each.
static bool value_into(parser *p, size_t at)
{
    const size_t start = p->at;
    const uint64_t before = neff_load(p->record + at, 4);
    uint64_t value = 0;
    if (!number(p, UINT32_MAX, &value)) {
        return false;
    }
    if (at == NEFF_AT_VALUE) {
        if (p->has_value && value != before) {
            hoist_report(p->diag, p->rule, place(p, start),
                         "value %llu here and %llu before share one word, expected the same",
                         (unsigned long long)value, (unsigned long long)before);
            return false;
        }
        p->has_value = true;
    }
    neff_store(p->record + at, 4, value);
    return true;
}

// Steps over a text that matches; code, index and value go to their places. `at` is the mode byte
// of the wait or update, its index byte follows.
static bool events_into(parser *p, const neff_event_row *row, size_t at, size_t value_at)
{
    // The mode byte is already set: a second wait, or a second update, in the same half.
    if (p->record[at] != 0) {
        return wants(p, "one wait and one update at most");
    }
    p->record[at] = row->code;
    for (const char *c = row->text; *c; c++) {
        if (*c == '#' ? !number_into(p, at + 1, 1) : *c == '%' && !value_into(p, value_at)) {
            return false;
        }
        p->at += *c != '#' && *c != '%';
    }
    return true;
}

// One wait or update; its half of the record has its events at `at`. Waits are tried first, no text
// is in both tables.
static bool wait_or_update(parser *p, size_t at)
{
    static const neff_event_row *const sets[] = {neff_waits, neff_updates};
    static const size_t values[] = {NEFF_AT_SECOND_WAIT_VALUE, NEFF_AT_SECOND_UPDATE_VALUE};
    for (size_t set = 0; set < HOIST_COUNT_OF(sets); set++) {
        const size_t value_at = at == NEFF_AT_EVENTS ? NEFF_AT_VALUE : values[set];
        for (size_t i = 1; i < NEFF_EVENT_ROWS; i++) { // row 0 has no text
            if (matches(p, sets[set][i].text)) {
                return events_into(p, &sets[set][i], at + 2 * set, value_at);
            }
        }
    }
    return wants(p, "a wait such as $S[1]>=2 or $E[1], or an update such as $S[1]++@complete");
}

// The lexical look only: what begins like this has to be a wait or an update.
static bool is_event_here(const parser *p)
{
    return is_here(p, "$S[") || is_here(p, "$E[") || is_here(p, "!") || matches(p, "unordered");
}

static bool debug(parser *p)
{
    if (p->has_debug) {
        return wants(p, "debug bytes once");
    }
    p->has_debug = true;
    return expect(p, "debug=") && number_into(p, NEFF_AT_DEBUG_CMD, 1) && expect(p, ",") &&
           number_into(p, NEFF_AT_DEBUG_HINT, 1);
}

// What every instruction may have before its operands, in any order: $S[10]>0 $S[22]++@complete
// value=7 debug=1,2
static bool common(parser *p)
{
    bool fine = true;
    for (bool more = true; fine && more;) {
        skip_spaces(p);
        if (is_here(p, "debug=")) {
            fine = debug(p);
        } else if (is_event_here(p) || is_here(p, "value=")) {
            if (p->generation == NEFF_GEN1) {
                return wants(p, "operands: codes of events are not public on generation 1");
            }
            fine = take(p, "value=") ? value_into(p, NEFF_AT_VALUE)
                                     : wait_or_update(p, NEFF_AT_EVENTS);
        } else {
            more = false;
        }
    }
    return fine;
}

// Operands ---------------------------------------------------------------------------------------

// Offset in this record of the field that is at `at` of the long form.
static size_t at_of(const parser *p, size_t at)
{
    return neff_place_of(at, p->operands);
}

// KEY= of a row that has one.
static bool key(parser *p, const neff_operand *row)
{
    return !row->key || (expect(p, row->key) && expect(p, "="));
}

static bool parse_number(parser *p, const neff_operand *row)
{
    return key(p, row) && number_into(p, at_of(p, row->at), row->size);
}

// A word of the row's set, or any number of its size: unnamed codes stay assemblable.
static bool parse_code(parser *p, const neff_operand *row)
{
    char expected[64];
    if (!key(p, row)) {
        return false;
    }
    if (digit_at(p, p->at, 10) >= 0) { // no word of a set begins with a digit
        return number_into(p, at_of(p, row->at), row->size);
    }
    const hoist_str word = word_here(p);
    int code = row->codes->other ? row->codes->other(word) : -1;
    for (unsigned i = 0; code < 0 && i < row->codes->count; i++) {
        const char *name = row->codes->name(i);
        code = name && hoist_str_equal_c(word, name) ? (int)i : -1;
    }
    if (code < 0) {
        (void)snprintf(expected, sizeof(expected), "%s or a number", row->codes->what);
        return wants(p, expected);
    }
    p->record[at_of(p, row->at)] = (uint8_t)code;
    p->at += word.size;
    return true;
}

// One byte of a name in quotes. \x00 is refused: names end at the first NUL, so the text would not
// come back.
static bool quoted_byte(parser *p, uint8_t *out_byte)
{
    if (take(p, "\\x")) {
        const int high = digit_at(p, p->at, 16);
        const int low = digit_at(p, p->at + 1, 16);
        if (high < 0 || low < 0 || high + low == 0) {
            return wants(p, "two hexadecimal digits of a byte that is not 0");
        }
        *out_byte = (uint8_t)(high * 16 + low);
        p->at += 2;
        return true;
    }
    if (take(p, "\\") && peek(p) != '"' && peek(p) != '\\') {
        return wants(p, "\\\", \\\\ or \\xHH in the name");
    }
    if (peek(p) == '\0') {
        return wants(p, p->at < p->line.size ? "\\xHH for a byte" : "the '\"' that ends the name");
    }
    *out_byte = (uint8_t)p->line.data[p->at++];
    return true;
}

// A name without quotes, or one in quotes. All of it is read even when too long, for the count in
// the finding; only what fits is stored.
static bool parse_name(parser *p, const neff_operand *row)
{
    const size_t start = p->at;
    const bool quoted = take(p, "\"");
    size_t size = 0;
    if (!quoted && !neff_is_plain((uint8_t)peek(p))) {
        return wants(p, "a name");
    }
    while (quoted ? peek(p) != '"' : neff_is_plain((uint8_t)peek(p))) {
        uint8_t byte = (uint8_t)peek(p);
        if (quoted && !quoted_byte(p, &byte)) {
            return false;
        }
        p->at += !quoted;
        if (size < row->size) { // never past the field
            p->record[at_of(p, row->at) + size] = byte;
        }
        size++;
        // The closing quote; for a plain name nothing.
    }
    p->at += quoted;
    if (size > row->size) {
        hoist_report(p->diag, p->rule, place(p, start),
                     "the name has %zu bytes, expected %u at most", size, row->size);
    }
    return size <= row->size;
}

// block_id=N and raw_count=N are one number; the flag in front of it says which.
static bool parse_release(parser *p, const neff_operand *row)
{
    const bool is_raw = take(p, "raw_count=");
    p->record[at_of(p, NEFF_AT_USE_RAW_COUNT)] = is_raw;
    if (!is_raw && !take(p, "block_id=")) {
        return wants(p, "'block_id=' or 'raw_count='");
    }
    return number_into(p, at_of(p, row->at), row->size);
}

static bool parse_return(parser *p, const neff_operand *row)
{
    return key(p, row) && register_into(p, at_of(p, row->at)) && expect(p, ",") &&
           register_into(p, at_of(p, row->at) + 1);
}

// then $S[1]>=2 $S[3]++@complete: at least one of the two, in any order.
static bool parse_second(parser *p, const neff_operand *row)
{
    bool fine = expect(p, "then");
    skip_spaces(p);
    if (fine && !is_event_here(p)) {
        return wants(p, "a wait or an update");
    }
    while (fine && is_event_here(p)) {
        fine = wait_or_update(p, row->at);
        skip_spaces(p);
    }
    return fine;
}

// $R[1]=$R[2], $R[3]=$R[4] or $R[1]=0x10, $R[3]=7
static bool parse_moves(parser *p, const neff_operand *row)
{
    size_t count = 0;
    bool immediate = false;
    for (bool more = true; more; count++) {
        skip_spaces(p);
        if (count == NEFF_MOVES) {
            return wants(p, "8 moves at most");
        }
        if (!register_into(p, NEFF_AT_MOVE_TARGETS + count) || !expect(p, "=")) {
            return false;
        }
        // The first move decides for all: a record has either registers or numbers as sources.
        immediate = count > 0 ? immediate : !is_here(p, "$");
        if (immediate ? !number_into(p, NEFF_AT_MOVE_NUMBERS + 4 * count, 4)
                      : !register_into(p, NEFF_AT_MOVE_SOURCES + count)) {
            return false;
        }
        skip_spaces(p);
        more = take(p, ",");
    }
    p->record[NEFF_AT_MOVE_SOURCE] = immediate;
    p->record[row->at] = (uint8_t)count;
    return true;
}

// $R[1]=$R[2],$R[3] or $R[1]=$R[2],4
static bool parse_terms(parser *p, const neff_operand *row)
{
    if (!register_into(p, row->at) || !expect(p, "=") || !register_into(p, NEFF_AT_ALU_FIRST) ||
        !expect(p, ",")) {
        return false;
    }
    p->record[NEFF_AT_ALU_SOURCE] = !is_here(p, "$");
    return is_here(p, "$") ? register_into(p, NEFF_AT_ALU_SECOND)
                           : number_into(p, NEFF_AT_ALU_NUMBER, 8);
}

// By neff_operand_kind; the inverse of the table in stream_disasm.c.
static bool (*const kinds[NEFF_OPERAND_KIND_COUNT])(parser *p, const neff_operand *row) = {
    // clang-format off
    [NEFF_OPERAND_NUMBER]  = parse_number,
    [NEFF_OPERAND_CODE]    = parse_code,
    [NEFF_OPERAND_NAME]    = parse_name,
    [NEFF_OPERAND_RELEASE] = parse_release,
    [NEFF_OPERAND_RETURN]  = parse_return,
    [NEFF_OPERAND_SECOND]  = parse_second,
    [NEFF_OPERAND_MOVES]   = parse_moves,
    [NEFF_OPERAND_TERMS]   = parse_terms,
    // clang-format on
};

// Operands as bytes: {0c: HH ...}. The offset is checked against the generation's, so that text of
// generation 1 is not assembled for another one.
static bool braces(parser *p)
{
    char first[8];
    (void)snprintf(first, sizeof(first), "{%02x:", p->operands);
    if (!expect(p, first)) {
        return false;
    }
    for (size_t at = p->operands;; at++) {
        skip_spaces(p);
        if (take(p, "}")) {
            return true;
        }
        if (at == NEFF_RECORD_SIZE) {
            return wants(p, "'}' after the last byte of the record");
        }
        if (!bytes_into(p, at, 1)) {
            return false;
        }
    }
}

// Optional fields are recognised by their key; the second half of an EVENT_SEMAPHORE has none, and
// begins with "then".
static bool operands(parser *p, const neff_operands *form)
{
    for (size_t i = 0; i < form->count; i++) {
        const neff_operand *row = &form->rows[i];
        skip_spaces(p);
        if (row->optional && !is_here(p, row->key ? row->key : "then")) {
            continue;
        }
        if (!kinds[row->kind](p, row)) {
            return false;
        }
    }
    return true;
}

// Lines ------------------------------------------------------------------------------------------

// MNEMONIC [WAIT] [UPDATE] [OPERANDS]; NEFF_FORM_NONE has no operands, so only braces give some.
static bool instruction(parser *p)
{
    const hoist_str name = word_here(p);
    const neff_opcode *opcode = neff_opcode_by_name(name, p->generation);
    if (!opcode) {
        char expected[64] = "an instruction of generations 2 to 5, or .record";
        if (p->generation != NEFF_ANY_GENERATION) {
            (void)snprintf(expected, sizeof(expected),
                           "an instruction of generation %d, or .record", p->generation);
        }
        return wants(p, expected);
    }
    p->at += name.size;
    p->record[NEFF_AT_OPCODE] = opcode->code;
    p->record[NEFF_AT_WORDS] = NEFF_RECORD_SIZE / 4;
    if (!common(p)) {
        return false;
    }
    return peek(p) == '{' ? braces(p) : operands(p, &neff_forms[opcode->form]);
}

// MNEMONIC ...; or .record HH ...; or nothing but a comment. True with a record, or without one
// (`*out_empty`); false after a finding.
static bool line(parser *p, bool *out_empty)
{
    static const uint8_t zeros[NEFF_RECORD_SIZE];
    memcpy(p->record, zeros, sizeof(zeros));
    p->at = 0;
    p->has_value = p->has_debug = false;
    skip_spaces(p);
    *out_empty = p->at == p->line.size || peek(p) == '#';
    if (*out_empty) {
        return true;
    }
    const bool is_bytes = hoist_str_equal_c(word_here(p), ".record");
    p->at += is_bytes ? strlen(".record") : 0;
    if (!(is_bytes ? bytes_into(p, 0, NEFF_RECORD_SIZE) : instruction(p))) {
        return false;
    }
    skip_spaces(p);
    if (!expect(p, ";")) {
        return false;
    }
    skip_spaces(p);
    return p->at == p->line.size || peek(p) == '#' || wants(p, "the end of the line");
}

hoist_status neff_assemble(hoist_str text, int generation, const hoist_rule *rule, hoist_diag *diag,
                           hoist_buffer *out)
{
    bool fine = true;
    parser p = {.generation = generation,
                .rule = rule,
                .diag = diag,
                .operands = neff_operands_at(generation)};
    // Errors do not end the loop: all lines of a text are reported in one go.
    for (size_t at = 0; at < text.size; at += p.line.size + 1) {
        const char *end = memchr(text.data + at, '\n', text.size - at);
        p.line = hoist_str_slice(text, at, end ? (size_t)(end - text.data) - at : text.size - at);
        p.line_number++;
        bool is_empty = false;
        if (!line(&p, &is_empty)) {
            fine = false;
        } else if (!is_empty) {
            // Records of later lines are added after an error, too; the caller drops the buffer
            // then.
            hoist_buffer_add(out, (hoist_bytes){p.record, NEFF_RECORD_SIZE});
        }
    }
    HOIST_TRY_MEMORY(!out->failed);
    return fine ? HOIST_OK : HOIST_INVALID;
}
