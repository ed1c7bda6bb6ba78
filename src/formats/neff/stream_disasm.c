// One record to one line of text (neff reference section 5.6): in goes a record, out its line, as
// the vendor's .asm members have it. Rows of stream_forms.c state the operands; stream_assemble.c
// is the inverse.
//
// A form is only written when it shows every byte that is not zero; else the operands are bytes in
// braces, and a record whose common part has no text is bytes altogether. So that no line loses
// anything: assembling it gives the record.
#include <string.h>

#include "base/span.h"
#include "formats/neff/stream_internal.h"

typedef struct writer {
    hoist_buffer *out;
    const neff_record *record; // decoded; its bytes are borrowed
} writer;

// Decimal digits by hand: streams have millions of numbers, and printf would be most of the time.
static void add_number(hoist_buffer *out, uint64_t value)
{
    char digits[20]; // UINT64_MAX has 20
    size_t at = sizeof(digits);
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    hoist_buffer_str(out, (hoist_str){digits + at, sizeof(digits) - at});
}

// " HH" for each byte.
static void add_bytes(hoist_buffer *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char text[3 * NEFF_RECORD_SIZE]; // the longest: a complete record
    for (size_t i = 0; i < size; i++) {
        text[3 * i] = ' ';
        text[3 * i + 1] = digits[bytes[i] >> 4];
        text[3 * i + 2] = digits[bytes[i] & 15];
    }
    hoist_buffer_str(out, (hoist_str){text, 3 * size});
}

// The text of a wait or update, after a space; nothing for an empty one. `text` is of a row of
// stream_codes.c, '#' and '%' in it are replaced.
static void add_events(hoist_buffer *out, const char *text, uint8_t index, uint32_t value)
{
    if (text[0] == '\0') {
        return;
    }
    hoist_buffer_char(out, ' ');
    for (const char *c = text; *c; c++) {
        if (*c == '#') {
            add_number(out, index);
        } else if (*c == '%') {
            add_number(out, value);
        } else {
            hoist_buffer_char(out, *c);
        }
    }
}

static bool has_value(const char *text)
{
    return strchr(text, '%') != NULL;
}

static bool has_index(const char *text)
{
    return strchr(text, '#') != NULL;
}

// Names ---------------------------------------------------------------------------------------

static bool is_plain_name(hoist_str name)
{
    // Without quotes the word `unordered` would be read as the wait of that name.
    bool plain = name.size > 0 && !hoist_str_equal_c(name, "unordered");
    for (size_t i = 0; plain && i < name.size; i++) {
        plain = neff_is_plain((uint8_t)name.data[i]);
    }
    return plain;
}

void neff_name_write(hoist_buffer *out, hoist_str name)
{
    // Quoted, so that any bytes of a file give a text of printable ASCII on one line.
    if (is_plain_name(name)) {
        hoist_buffer_str(out, name);
        return;
    }
    hoist_buffer_char(out, '"');
    for (size_t i = 0; i < name.size; i++) {
        const uint8_t c = (uint8_t)name.data[i];
        if (c == '"' || c == '\\') {
            hoist_buffer_char(out, '\\');
        }
        if (c < 0x20 || c > 0x7e) {
            hoist_buffer_format(out, "\\x%02x", c);
        } else {
            hoist_buffer_char(out, (char)c);
        }
    }
    hoist_buffer_char(out, '"');
}

// What a form shows ------------------------------------------------------------------------------

// The functions shows_KIND add the bytes that the text of an operand would contain to `shown`, one
// bit per byte of the record, and return false when the operand has no text at all.

// Adds `size` bytes from `at` of the long form to the shown ones, one bit per byte of the record.
static void show(const writer *w, uint64_t *shown, size_t at, size_t size)
{
    // A shift by 64 is undefined.
    const uint64_t bits = size < 64 ? (UINT64_C(1) << size) - 1 : UINT64_MAX;
    *shown |= bits << neff_place_of(at, w->record->payload);
}

static uint64_t load(const writer *w, size_t at, size_t size)
{
    return neff_load(w->record->bytes + neff_place_of(at, w->record->payload), size);
}

static bool shows_field(const writer *w, const neff_operand *row, uint64_t *shown)
{
    show(w, shown, row->at, row->size);
    return true;
}

static hoist_str name_of(const writer *w, const neff_operand *row)
{
    const uint8_t *text = w->record->bytes + neff_place_of(row->at, w->record->payload);
    return (hoist_str){(const char *)text, strnlen((const char *)text, row->size)};
}

// Only up to the first NUL: bytes after it in the field make the record one of braces.
static bool shows_name(const writer *w, const neff_operand *row, uint64_t *shown)
{
    show(w, shown, row->at, name_of(w, row).size);
    return true;
}

static bool shows_release(const writer *w, const neff_operand *row, uint64_t *shown)
{
    show(w, shown, NEFF_AT_USE_RAW_COUNT, 4);
    show(w, shown, row->at, row->size);
    return load(w, NEFF_AT_USE_RAW_COUNT, 4) <= 1; // other flags have no text
}

static bool shows_second(const writer *w, const neff_operand *row, uint64_t *shown)
{
    const uint8_t *bytes = w->record->bytes + row->at;
    const char *wait = neff_event_text(neff_waits, bytes[0]);
    const char *update = neff_event_text(neff_updates, bytes[2]);
    if (!wait || !update) {
        return false;
    }
    show(w, shown, row->at, 1);
    show(w, shown, row->at + 1u, has_index(wait));
    show(w, shown, row->at + 2u, 1);
    show(w, shown, row->at + 3u, has_index(update));
    // A value that neither text has stays unshown, and makes the record one of braces when not 0.
    show(w, shown, NEFF_AT_SECOND_WAIT_VALUE, has_value(wait) ? 4 : 0);
    show(w, shown, NEFF_AT_SECOND_UPDATE_VALUE, has_value(update) ? 4 : 0);
    return true;
}

static bool shows_moves(const writer *w, const neff_operand *row, uint64_t *shown)
{
    const neff_moves moves = neff_moves_of(w->record);
    show(w, shown, row->at, row->size);
    show(w, shown, NEFF_AT_MOVE_SOURCE, 1);
    if (moves.count < 1 || moves.count > NEFF_MOVES || load(w, NEFF_AT_MOVE_SOURCE, 1) > 1) {
        return false;
    }
    // The slots after the last move are unused; one that is not 0 has to be shown as bytes.
    show(w, shown, NEFF_AT_MOVE_TARGETS, moves.count);
    if (moves.immediate) {
        show(w, shown, NEFF_AT_MOVE_NUMBERS, (size_t)4 * moves.count);
    } else {
        show(w, shown, NEFF_AT_MOVE_SOURCES, moves.count);
    }
    return true;
}

static bool shows_terms(const writer *w, const neff_operand *row, uint64_t *shown)
{
    show(w, shown, row->at, row->size);
    show(w, shown, NEFF_AT_ALU_SOURCE, 1);
    show(w, shown, NEFF_AT_ALU_FIRST, 1);
    // The second operand is either a number or a register; the other field must be 0.
    if (neff_alu_of(w->record).immediate) {
        show(w, shown, NEFF_AT_ALU_NUMBER, 8);
    } else {
        show(w, shown, NEFF_AT_ALU_SECOND, 1);
    }
    return load(w, NEFF_AT_ALU_SOURCE, 1) <= 1;
}

// How it is written ------------------------------------------------------------------------------

// The functions write_KIND append the text of an operand whose record passed the above.

static void add_key(const writer *w, const neff_operand *row)
{
    if (row->key) {
        hoist_buffer_c(w->out, row->key);
        hoist_buffer_char(w->out, '=');
    }
}

static void add_register(const writer *w, uint64_t index)
{
    hoist_buffer_c(w->out, "$R[");
    add_number(w->out, index);
    hoist_buffer_char(w->out, ']');
}

static void write_number(const writer *w, const neff_operand *row)
{
    add_key(w, row);
    add_number(w->out, load(w, row->at, row->size));
}

// A code without a name is written as its number, which the assembler takes, too.
static void write_code(const writer *w, const neff_operand *row)
{
    const unsigned code = (unsigned)load(w, row->at, row->size);
    const char *name = row->codes->name(code);
    add_key(w, row);
    if (name) {
        hoist_buffer_c(w->out, name);
    } else {
        add_number(w->out, code);
    }
}

static void write_name(const writer *w, const neff_operand *row)
{
    neff_name_write(w->out, name_of(w, row));
}

static void write_release(const writer *w, const neff_operand *row)
{
    (void)row;
    // The number is read from NEFF_AT_BLOCK either way.
    const neff_trigger trigger = neff_trigger_of(w->record);
    hoist_buffer_c(w->out, trigger.use_raw_count ? "raw_count=" : "block_id=");
    add_number(w->out, trigger.block_id);
}

static void write_return(const writer *w, const neff_operand *row)
{
    add_key(w, row);
    add_register(w, load(w, row->at, 1));
    hoist_buffer_char(w->out, ',');
    add_register(w, load(w, row->at + 1u, 1));
}

// Only reached when both codes have a text: shows_second refuses others.
static void write_second(const writer *w, const neff_operand *row)
{
    const neff_second second = neff_second_of(w->record);
    const uint8_t *events = w->record->bytes + row->at;
    hoist_buffer_c(w->out, "then");
    add_events(w->out, neff_event_text(neff_waits, events[0]), second.wait.index,
               second.wait.value);
    add_events(w->out, neff_event_text(neff_updates, events[2]), second.update.index,
               second.update.value);
}

static void write_moves(const writer *w, const neff_operand *row)
{
    (void)row;
    const neff_moves moves = neff_moves_of(w->record);
    for (size_t i = 0; i < moves.count; i++) {
        hoist_buffer_c(w->out, i ? ", " : "");
        add_register(w, moves.destination[i]);
        hoist_buffer_char(w->out, '=');
        if (moves.immediate) {
            hoist_buffer_format(w->out, "0x%x", moves.number[i]);
        } else {
            add_register(w, moves.source[i]);
        }
    }
}

static void write_terms(const writer *w, const neff_operand *row)
{
    (void)row;
    const neff_alu alu = neff_alu_of(w->record);
    add_register(w, alu.destination);
    hoist_buffer_char(w->out, '=');
    add_register(w, alu.source);
    hoist_buffer_char(w->out, ',');
    if (alu.immediate) {
        add_number(w->out, alu.number);
    } else {
        add_register(w, alu.second);
    }
}

static const struct {
    bool (*shows)(const writer *w, const neff_operand *row, uint64_t *shown); // false: no text
    void (*write)(const writer *w, const neff_operand *row);
} kinds[NEFF_OPERAND_KIND_COUNT] = {
    // clang-format off
    [NEFF_OPERAND_NUMBER]  = {shows_field,   write_number},
    [NEFF_OPERAND_CODE]    = {shows_field,   write_code},
    [NEFF_OPERAND_NAME]    = {shows_name,    write_name},
    [NEFF_OPERAND_RELEASE] = {shows_release, write_release},
    [NEFF_OPERAND_RETURN]  = {shows_field,   write_return},
    [NEFF_OPERAND_SECOND]  = {shows_second,  write_second},
    [NEFF_OPERAND_MOVES]   = {shows_moves,   write_moves},
    [NEFF_OPERAND_TERMS]   = {shows_terms,   write_terms},
    // clang-format on
};

// Records ----------------------------------------------------------------------------------------

// One bit per byte from the operands on that is not zero. The bytes before are the common part, for
// which write_common shows.
static uint64_t filled(const neff_record *record)
{
    uint64_t bits = 0;
    for (size_t i = record->payload; i < NEFF_RECORD_SIZE; i++) {
        bits |= (uint64_t)(record->bytes[i] != 0) << i;
    }
    return bits;
}

// False also when one operand has no text: the form is written completely or not at all.
static bool form_shows_all(const writer *w, const neff_operands *form)
{
    uint64_t shown = 0;
    for (size_t i = 0; i < form->count; i++) {
        if (!kinds[form->rows[i].kind].shows(w, &form->rows[i], &shown)) {
            return false;
        }
    }
    return (filled(w->record) & ~shown) == 0;
}

static bool is_zero(const writer *w, const neff_operand *row)
{
    const uint8_t *bytes = w->record->bytes + neff_place_of(row->at, w->record->payload);
    uint8_t any = 0;
    for (size_t i = 0; i < row->size; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

static void write_form(const writer *w, const neff_operands *form)
{
    for (size_t i = 0; i < form->count; i++) {
        const neff_operand *row = &form->rows[i];
        if (row->optional && is_zero(w, row)) {
            continue;
        }
        hoist_buffer_char(w->out, ' ');
        kinds[row->kind].write(w, row);
    }
}

// The operands as bytes, without the zeros at the end; `least` bytes at least.
// {0c: 01 00 02}
static void write_braces(const writer *w, size_t least)
{
    const uint8_t first = w->record->payload;
    size_t size = NEFF_RECORD_SIZE - first;
    while (size > least && w->record->bytes[first + size - 1] == 0) {
        size--;
    }
    if (size > 0) {
        hoist_buffer_format(w->out, " {%02x:", first);
        add_bytes(w->out, w->record->bytes + first, size);
        hoist_buffer_char(w->out, '}');
    }
}

// Waits, updates, then what is left: the value word when neither text has used it, the debug bytes.
static void write_common(const writer *w, neff_record_text *out_text)
{
    const neff_record *record = w->record;
    const uint8_t *events = record->bytes + NEFF_AT_EVENTS;
    // Records of generation 1 have no text for events: is_regular lets only empty ones pass.
    const char *wait =
        record->payload == NEFF_AT_OPERANDS ? neff_event_text(neff_waits, events[0]) : "";
    const char *update =
        record->payload == NEFF_AT_OPERANDS ? neff_event_text(neff_updates, events[2]) : "";
    add_events(w->out, wait, record->wait.index, record->value);
    out_text->wait_end = w->out->size;
    add_events(w->out, update, record->update.index, record->value);
    out_text->update_end = w->out->size;
    if (record->value != 0 && !has_value(wait) && !has_value(update)) {
        hoist_buffer_c(w->out, " value=");
        add_number(w->out, record->value);
    }
    if (record->debug_cmd || record->debug_hint) {
        hoist_buffer_format(w->out, " debug=%u,%u", record->debug_cmd, record->debug_hint);
    }
}

// True when the common part has a text that shows all of it: the length byte is the usual one, the
// codes are known, and no index is set that its text would not show.
static bool is_regular(const neff_record *record)
{
    const bool wait_is_bare =
        record->wait.kind == NEFF_WAIT_NONE || record->wait.kind == NEFF_WAIT_UNORDERED;
    return record->words == NEFF_RECORD_SIZE / 4 && record->wait.kind != NEFF_WAIT_UNKNOWN &&
           record->update.kind != NEFF_UPDATE_UNKNOWN &&
           !(wait_is_bare && record->wait.index != 0) &&
           !(record->update.kind == NEFF_UPDATE_NONE && record->update.index != 0);
}

neff_record_text neff_record_write(hoist_buffer *out, const uint8_t *bytes, int generation)
{
    const neff_record record = neff_record_decode(bytes, generation);
    const neff_opcode *opcode = neff_opcode_find(record.opcode, generation);
    const bool is_known = opcode && is_regular(&record);
    const writer w = {out, &record};
    neff_record_text text = {.start = out->size};
    hoist_buffer_c(out, is_known ? opcode->name : ".record");
    // An empty part ends where it begins.
    text.mnemonic_end = text.wait_end = text.update_end = out->size;
    if (!is_known) {
        add_bytes(out, bytes, NEFF_RECORD_SIZE);
    } else {
        const neff_operands *form = &neff_forms[opcode->form];
        write_common(&w, &text);
        if (form->count > 0 && form_shows_all(&w, form)) {
            write_form(&w, form);
        } else {
            // Where a form exists at least one byte is written, "{0c: 00}": without braces the
            // assembler would read operands of the form.
            write_braces(&w, form->count > 0);
        }
    }
    text.end = out->size;
    return text;
}

void neff_disasm_record(hoist_buffer *out, const uint8_t *bytes, int generation)
{
    (void)neff_record_write(out, bytes, generation);
    hoist_buffer_c(out, ";\n");
}
