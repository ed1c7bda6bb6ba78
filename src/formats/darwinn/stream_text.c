// One line per instruction, wrapped at 80 columns: word, mnemonic, fields, unknown bits, remarks.
// In: the chunks of a program and, for remarks on transfers, its run; out: text in a buffer. For
// instance: `0010 desc.w   0, s4 | s.movi s1, 0x0 ; link PARAM low`.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/darwinn/scalar_alu.h"
#include "formats/darwinn/stream_listing.h"
#include "formats/darwinn/stream_tensor.h"

// INDENT is where the first field stands, after "0000 ", a mnemonic of 8 and a blank. PIECE is in
// bytes; a longer piece, say a long name, stays where it is.
enum { COLUMNS = 80, INDENT = 14, PIECE = 160 };

// What is written into, and how far the line at hand has come.
typedef struct lister {
    const dwn_listing *listing;
    dwn_remarks remarks;
    hoist_buffer *out;
    size_t line;  // where the line begins in `out`
    size_t piece; // where what is being written begins
} lister;

// Pieces -----------------------------------------------------------------------------------------

// What is written between begin and end stays together: it moves to a line of its own where the
// line would become too long.
static void begin_piece(lister *l)
{
    hoist_buffer_char(l->out, ' ');
    l->piece = l->out->size;
}

static void end_piece(lister *l)
{
    static const char indent[] = "\n              "; // INDENT blanks
    char buffer[PIECE];
    const size_t size = l->out->size - l->piece;
    const size_t shift = sizeof(indent) - 1;
    // A piece that already begins its line would not fit better on the next one.
    if (l->out->failed || l->out->size - l->line <= COLUMNS || size > sizeof(buffer) ||
        l->piece - l->line <= INDENT) {
        return;
    }
    memcpy(buffer, l->out->data + l->piece, size);
    l->out->size = l->piece - 1; // without the blank before it
    hoist_buffer_str(l->out, (hoist_str){indent, shift});
    l->line = l->out->size - INDENT;
    hoist_buffer_str(l->out, (hoist_str){buffer, size});
}

static void add_piece(lister *l, const char *format, ...) HOIST_PRINTF(2, 3);
static void add_piece(lister *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    begin_piece(l);
    hoist_buffer_vformat(l->out, format, args);
    end_piece(l);
    va_end(args);
}

// Names come from the file: control characters in a listing could change what a terminal shows.
void dwn_name_write(hoist_buffer *out, hoist_str name)
{
    hoist_buffer_char(out, '\'');
    for (size_t i = 0; i < name.size; i++) {
        const uint8_t c = (uint8_t)name.data[i];
        if (c < 0x20 || c > 0x7e || c == '\'' || c == '\\') {
            hoist_buffer_format(out, "\\x%02x", c);
        } else {
            hoist_buffer_char(out, (char)c);
        }
    }
    hoist_buffer_char(out, '\'');
}

// Fields -----------------------------------------------------------------------------------------

static void write_value(hoist_buffer *out, const dwn_field *field, hoist_bytes bytes, size_t index)
{
    char buffer[32];
    const int64_t value = dwn_field_value(field, bytes, index);
    switch ((dwn_field_kind)field->kind) {
    case DWN_FIELD_FLOAT:
        (void)dwn_float_text((uint32_t)value, buffer, sizeof(buffer));
        hoist_buffer_c(out, buffer);
        break;
    case DWN_FIELD_HEX:
        // Addresses and bitmaps have a fixed width, codes have not.
        hoist_buffer_format(out, field->width == 16 ? "%04" PRIx64 : "0x%" PRIx64, value);
        break;
    case DWN_FIELD_NUMBER:
    case DWN_FIELD_SIGNED:
    case DWN_FIELD_COUNT:
    case DWN_FIELD_KINDS:
        hoist_buffer_format(out, "%" PRId64, value);
        break;
    }
}

// "name=value", or "name=v0,v1,..." of a repeated field.
static void write_field(lister *l, const dwn_field *field, hoist_bytes bytes)
{
    begin_piece(l);
    hoist_buffer_format(l->out, "%s=", field->name);
    write_value(l->out, field, bytes, 0);
    for (size_t i = 1; i < field->repeat; i++) {
        hoist_buffer_char(l->out, ',');
        write_value(l->out, field, bytes, i);
    }
    end_piece(l);
}

// Fields of 0 are left out; a reader of the listing takes what is absent for 0.
static void write_field_if_set(lister *l, const dwn_field *field, hoist_bytes bytes)
{
    const size_t count = field->repeat ? field->repeat : 1;
    bool is_set = false;
    for (size_t i = 0; i < count; i++) {
        is_set = is_set || dwn_field_load(field, bytes, i) != 0;
    }
    if (is_set) {
        write_field(l, field, bytes);
    }
}

// The header of the tiles is always shown, other fields where they are set.
static void write_fields(lister *l, const dwn_opcode *row, hoist_bytes bytes)
{
    const bool is_tile = row->code < DWN_OP_TILES;
    for (size_t i = 0; i < row->fields->count; i++) {
        if (is_tile && i < DWN_HEADER_COUNT) {
            write_field(l, &row->fields->rows[i], bytes);
        } else {
            write_field_if_set(l, &row->fields->rows[i], bytes);
        }
    }
}

// Bits that no row knows, word by word.
static void write_rest(lister *l, const dwn_opcode *row, hoist_bytes bytes)
{
    uint8_t rest[DWN_MAX_WORDS * DWN_WORD_SIZE];
    char buffer[2 * DWN_WORD_SIZE + 1];
    static const uint8_t zeros[DWN_WORD_SIZE] = {0};
    dwn_rest_of(row, bytes, (hoist_mut_bytes){rest, bytes.size});
    for (size_t i = 0; i < row->words; i++) {
        const uint8_t *word = rest + i * DWN_WORD_SIZE;
        if (memcmp(word, zeros, sizeof(zeros)) != 0) {
            add_piece(l, "w%zu=%s", i, dwn_word_text(word, buffer));
        }
    }
}

// Tensor operations ------------------------------------------------------------------------------

// "master=(9)(256)(2)": counts, the innermost first, up to the last that is not 1.
static void write_master(lister *l, hoist_bytes bytes)
{
    const size_t used = dwn_master_used(bytes);
    if (used == 0) {
        return;
    }
    begin_piece(l);
    hoist_buffer_c(l->out, "master=");
    for (size_t k = 0; k < used; k++) {
        hoist_buffer_format(l->out, "(%" PRId64 ")",
                            dwn_field_value(&dwn_tensor_rows[DWN_TENSOR_MASTER], bytes, k));
    }
    end_piece(l);
}

// "a=0x12 (64,1) (2,64)": address, and count and stride of each loop; flags follow where there are.
// Where the address is stored is not known of all: "d=?".
static void write_traversal(lister *l, hoist_bytes bytes, dwn_traversal_id id)
{
    const dwn_traversal t = dwn_traversal_of(bytes, id);
    const size_t used = dwn_traversal_used(&t);
    if (used == 0 && t.base == 0) {
        return;
    }
    if (dwn_traversals[id].base == DWN_TENSOR_FIELDS) {
        add_piece(l, "%s=?", dwn_traversals[id].name);
    } else {
        add_piece(l, "%s=%s0x%" PRIx32, dwn_traversals[id].name, t.base < 0 ? "-" : "",
                  t.base < 0 ? 0u - (uint32_t)t.base : (uint32_t)t.base); // also INT32_MIN
    }
    for (size_t k = 0; k < used; k++) {
        const dwn_loop *loop = &t.loops[k];
        if (loop->flags) {
            add_piece(l, "(%" PRIu32 ",%" PRId64 ",f%u)", loop->count, loop->stride, loop->flags);
        } else {
            add_piece(l, "(%" PRIu32 ",%" PRId64 ")", loop->count, loop->stride);
        }
    }
}

// Loops are shown as nests of counts and strides, not as fields; the fields behind them by name.
static void write_tensor(lister *l, hoist_bytes bytes)
{
    write_field(l, &dwn_tensor_rows[DWN_TENSOR_TILES], bytes);
    write_field(l, &dwn_tensor_rows[DWN_TENSOR_ID], bytes);
    write_master(l, bytes);
    for (dwn_traversal_id id = 0; id < DWN_TRAVERSAL_COUNT; id++) {
        write_traversal(l, bytes, id);
    }
    write_field_if_set(l, &dwn_tensor_rows[DWN_TENSOR_A_OTHER], bytes);
    // Rows from CLASS on are the arithmetic; those before were shown as loops.
    for (size_t i = DWN_TENSOR_CLASS; i < DWN_TENSOR_FIELDS; i++) {
        write_field_if_set(l, &dwn_tensor_rows[i], bytes);
    }
}

// Bundles ----------------------------------------------------------------------------------------

// A bundle that is written slot by slot. What no slot has shown is written by name at the end.
typedef struct slots {
    hoist_buffer *out;
    dwn_bundle bundle;
    uint32_t shown; // bit i: row i of dwn_bundle_rows
    bool is_later;  // a slot was written
} slots;

// The rows from `first` to `last` need not be written by name.
static void shows(slots *s, uint32_t first, uint32_t last)
{
    s->shown |= (UINT32_C(2) << last) - (UINT32_C(1) << first); // bits first to last
}

// The first slot is padded like a mnemonic, the others follow behind a bar.
static void begin_slot(slots *s, const char *mnemonic)
{
    hoist_buffer_format(s->out, s->is_later ? " | %s" : "%-8s", mnemonic);
    s->is_later = true;
}

// "[4095]", "[s6]", "special 38".
static void write_address(slots *s, bool by_register, bool is_special, uint16_t address)
{
    hoist_buffer_format(s->out,
                        is_special    ? " special %u"
                        : by_register ? " [s%u]"
                                      : " [%u]",
                        address);
}

static void write_load(slots *s)
{
    const dwn_bundle *b = &s->bundle;
    const bool by_register = b->load == DWN_LOAD_BY_REGISTER;
    // A register beyond s31 is none: the fields are shown by name instead.
    if (b->load == DWN_LOAD_NONE || (by_register && b->load_from >= DWN_REGISTERS)) {
        return;
    }
    shows(s, DWN_BUNDLE_LOAD, DWN_BUNDLE_LOAD_FROM);
    begin_slot(s, "ld");
    hoist_buffer_format(s->out, " s%u,", b->load_to);
    write_address(s, by_register, b->load == DWN_LOAD_SPECIAL, b->load_from);
}

static void write_store_to_memory(slots *s)
{
    const dwn_bundle *b = &s->bundle;
    const bool by_register = b->store == DWN_STORE_BY_REGISTER;
    if (by_register && b->store_to >= DWN_REGISTERS) {
        return;
    }
    shows(s, DWN_BUNDLE_STORE, DWN_BUNDLE_STORE_FROM);
    begin_slot(s, "st");
    write_address(s, by_register, b->store == DWN_STORE_SPECIAL, b->store_to);
    hoist_buffer_format(s->out, ", s%u", b->store_from);
}

// A store of an unknown code shows nothing here, so that write_unshown() shows its fields.
static void write_store(slots *s)
{
    const dwn_bundle *b = &s->bundle;
    switch (b->store) {
    case DWN_STORE_DIRECT:
    case DWN_STORE_BY_REGISTER:
    case DWN_STORE_SPECIAL:
        write_store_to_memory(s);
        return;
    case DWN_STORE_PUSH:
        // The rows of a slot that it does not use stay unshown, and come out by name if they are
        // set.
        begin_slot(s, "out.push");
        hoist_buffer_format(s->out, " s%u", b->store_from);
        shows(s, DWN_BUNDLE_STORE_FROM, DWN_BUNDLE_STORE_FROM);
        break;
    case DWN_STORE_DESCRIPTOR:
        begin_slot(s, "desc.w");
        hoist_buffer_format(s->out, " %u, s%u", b->store_to, b->store_from);
        shows(s, DWN_BUNDLE_STORE_TO, DWN_BUNDLE_STORE_FROM);
        break;
    case DWN_STORE_SEND:
        begin_slot(s, "desc.send");
        break;
    default:
        return;
    }
    shows(s, DWN_BUNDLE_STORE, DWN_BUNDLE_STORE);
}

// "s.add s1, s2, s3", "s.ltu p0, s1, 0x10"; "s.movi s1, 0x0" is the move that linking fills.
static void write_alu(slots *s)
{
    const dwn_bundle *b = &s->bundle;
    const dwn_alu *alu = dwn_alu_find(b->alu);
    char mnemonic[16];
    if (!alu || alu->kind == DWN_ALU_NONE || (!b->by_immediate && b->immediate >= DWN_REGISTERS)) {
        return;
    }
    shows(s, DWN_BUNDLE_ALU, DWN_BUNDLE_TO);
    shows(s, DWN_BUNDLE_IMMEDIATE, DWN_BUNDLE_IMMEDIATE);
    (void)snprintf(mnemonic, sizeof(mnemonic), "s.%s%s", alu->name,
                   dwn_bundle_moves_immediate(b) ? "i" : "");
    begin_slot(s, mnemonic);
    hoist_buffer_format(s->out, alu->kind == DWN_ALU_COMPARE ? " p%u" : " s%u", b->to);
    if (alu->kind != DWN_ALU_UNARY) {
        shows(s, DWN_BUNDLE_FIRST, DWN_BUNDLE_FIRST);
        hoist_buffer_format(s->out, ", s%u", b->first);
    }
    hoist_buffer_format(s->out, b->by_immediate ? ", 0x%" PRIx32 : ", s%" PRIu32, b->immediate);
}

// "s.frcp s1, s2": float32 functions with a slot of their own.
static void write_function(slots *s)
{
    static const char *const names[] = {
        [DWN_FUNCTION_RECIPROCAL] = "s.frcp",
        [DWN_FUNCTION_EXP2] = "s.fexp2",
    };
    const dwn_bundle *b = &s->bundle;
    if (b->function >= HOIST_COUNT_OF(names) || !names[b->function]) {
        return;
    }
    shows(s, DWN_BUNDLE_FUNCTION, DWN_BUNDLE_FUNCTION_OF);
    begin_slot(s, names[b->function]);
    hoist_buffer_format(s->out, " s%u, s%u", b->function_to, b->function_of);
}

// Fields that no slot has shown, by name: a slot of an unknown kind, or bits that do nothing.
static void write_unshown(slots *s, hoist_bytes bytes)
{
    for (size_t i = 0; i < DWN_BUNDLE_FIELDS; i++) {
        const dwn_field *field = &dwn_bundle_rows[i];
        if (!(s->shown >> i & 1) && dwn_field_load(field, bytes, 0) != 0) {
            hoist_buffer_format(s->out, " %s=", field->name);
            write_value(s->out, field, bytes, 0);
        }
    }
}

// Order of slots as in the bits: load, store, ALU, function; then the condition, which is of all.
void dwn_bundle_write(hoist_buffer *out, hoist_bytes instruction)
{
    slots s = {.out = out, .bundle = dwn_bundle_of(instruction)};
    write_load(&s);
    write_store(&s);
    write_alu(&s);
    write_function(&s);
    if (!s.is_later) {
        hoist_buffer_c(out, "s.nop");
    }
    const dwn_bundle *b = &s.bundle;
    if (b->predicated) {
        shows(&s, DWN_BUNDLE_PREDICATED, DWN_BUNDLE_SENSE);
        hoist_buffer_format(s.out, " if %sp%u", b->sense ? "" : "!", b->predicate);
    }
    write_unshown(&s, instruction);
}

// Branches ---------------------------------------------------------------------------------------

// "br 1974 if p0": the word where it goes. Unconditional branches show the fields that they ignore,
// should they be set.
static void write_branch(lister *l, const dwn_instruction *instruction, hoist_bytes bytes)
{
    const dwn_branch b = dwn_branch_of(bytes);
    add_piece(l, "%04" PRId64, (int64_t)instruction->word + b.offset);
    if (b.conditional) {
        add_piece(l, "if %sp%u", b.sense ? "" : "!", b.predicate);
    } else {
        write_field_if_set(l, &dwn_branch_rows[DWN_BRANCH_PREDICATE], bytes);
        write_field_if_set(l, &dwn_branch_rows[DWN_BRANCH_SENSE], bytes);
    }
    if (b.form != 2) { // of an unknown form the offset may mean something else
        write_field(l, &dwn_branch_rows[DWN_BRANCH_FORM], bytes);
    }
}

// Remarks ----------------------------------------------------------------------------------------

// A code that no enum has is shown as its number.
static void write_code(hoist_buffer *out, const char *name, int64_t code)
{
    if (name) {
        hoist_buffer_c(out, name);
    } else {
        hoist_buffer_format(out, "%" PRId64, code);
    }
}

// Elements other than the first of a batch; files with a batch of 1 need no more.
static void write_element(lister *l, int32_t batch)
{
    if (batch != 0) {
        hoist_buffer_format(l->out, "element %" PRId32 " ", batch);
    }
}

// "; link PARAM low": the hole that begins in this instruction.
static void write_link(lister *l, const dwn_link *link)
{
    begin_piece(l);
    hoist_buffer_c(l->out, "; link ");
    if (!link->has_meta) {
        hoist_buffer_c(l->out, "unknown");
    } else {
        write_code(l->out, dwn_desc_name(link->desc), link->desc);
        hoist_buffer_char(l->out, ' ');
        if (link->name.size > 0) {
            dwn_name_write(l->out, hoist_str_slice(link->name, 0, HOIST_SHOWN_BYTES));
            hoist_buffer_char(l->out, ' ');
        }
        write_element(l, link->batch);
        write_code(l->out, dwn_position_name(link->position), link->position);
    }
    end_piece(l);
}

// "; input 'image' [0, +256] infeed": what the bundle sends. Sizes of unknown buffers are shown
// too.
static void write_transfer(lister *l, const dwn_transfer *t)
{
    begin_piece(l);
    hoist_buffer_c(l->out, "; ");
    if (!t->is_known) {
        hoist_buffer_format(l->out, "unknown buffer, tag %" PRIu32 ", %" PRIu32 " bytes", t->tag,
                            t->size);
    } else if (dwn_transfer_is_interrupt(t)) {
        hoist_buffer_format(l->out, "interrupt %" PRIu32, t->tag - DWN_TAG_INTERRUPT);
    } else {
        hoist_buffer_format(l->out, "%s ", dwn_desc_name(t->desc));
        if (t->name.size > 0) {
            dwn_name_write(l->out, hoist_str_slice(t->name, 0, HOIST_SHOWN_BYTES));
            hoist_buffer_char(l->out, ' ');
        }
        write_element(l, t->batch);
        hoist_buffer_format(l->out, "[%" PRId64 ", +%" PRIu32 "] %s", t->offset, t->size,
                            t->tag == DWN_TAG_OUTPUT ? "outfeed" : "infeed");
    }
    end_piece(l);
}

// Instructions -----------------------------------------------------------------------------------

// Word number in the chunk, as branches name it; with `offsets` the byte, too, as hex editors do.
static void begin_line(lister *l, uint32_t word)
{
    l->line = l->out->size;
    if (l->listing->offsets) {
        hoist_buffer_format(l->out, "+0x%" PRIx64 ": ", (uint64_t)word * DWN_WORD_SIZE);
    }
    hoist_buffer_format(l->out, "%04" PRIu32 " ", word);
}

// One line; a bundle's slots take the place of mnemonic and fields.
static void write_instruction(lister *l, uint32_t chunk, const dwn_instruction *instruction)
{
    const dwn_opcode *row = dwn_opcode_find(instruction->opcode);
    const hoist_bytes bytes = dwn_instruction_bytes(&l->listing->chunks[chunk].stream, instruction);
    begin_line(l, instruction->word);
    if (row->code == DWN_OP_BUNDLE) {
        dwn_bundle_write(l->out, bytes);
    } else {
        hoist_buffer_format(l->out, "%-8s", row->mnemonic);
        if (row->code == DWN_OP_BRANCH) {
            write_branch(l, instruction, bytes);
        } else if (row->fields->rows == dwn_tensor_rows) {
            write_tensor(l, bytes);
        } else {
            write_fields(l, row, bytes);
        }
    }
    write_rest(l, row, bytes);
    const dwn_remark remark = dwn_remarks_next(&l->remarks, chunk, instruction);
    for (size_t i = 0; i < remark.link_count; i++) {
        write_link(l, remark.links[i].link);
    }
    if (remark.transfer) {
        write_transfer(l, remark.transfer);
    }
    hoist_buffer_char(l->out, '\n');
}

// Words that are no known instruction, and bytes that are no word.
static void write_tail(lister *l, const dwn_stream *stream)
{
    char buffer[2 * DWN_WORD_SIZE + 1];
    for (uint32_t word = stream->parsed; word < stream->words && !l->out->failed; word++) {
        begin_line(l, word);
        hoist_buffer_format(
            l->out, "%-8s %s\n", ".word",
            dwn_word_text(stream->bytes.data + (size_t)word * DWN_WORD_SIZE, buffer));
    }
    const size_t whole = (size_t)stream->words * DWN_WORD_SIZE;
    if (whole < stream->bytes.size) {
        begin_line(l, stream->words);
        hoist_buffer_format(l->out, "%-8s", ".bytes");
        for (size_t i = whole; i < stream->bytes.size; i++) {
            hoist_buffer_format(l->out, " %02x", stream->bytes.data[i]);
        }
        hoist_buffer_char(l->out, '\n');
    }
}

// The heading counts what was parsed; what was not follows as ".word" and ".bytes".
static void write_chunk(lister *l, uint32_t chunk)
{
    const dwn_stream *stream = &l->listing->chunks[chunk].stream;
    hoist_buffer_format(l->out, "%s# chunk %" PRIu32 ": %" PRIu32 " words, %zu %s\n",
                        chunk ? "\n" : "", chunk, stream->words, stream->count,
                        hoist_plural(stream->count, "instruction", "instructions"));
    // A failed buffer takes no more: no use in going on.
    for (size_t i = 0; i < stream->count && !l->out->failed; i++) {
        write_instruction(l, chunk, &stream->instructions[i]);
    }
    write_tail(l, stream);
}

// Totals -----------------------------------------------------------------------------------------

// Lines of "# ..." at the end. Opcodes that do not occur are left out.
static void write_totals(lister *l)
{
    const dwn_totals totals = dwn_listing_totals(l->listing);
    hoist_buffer_format(l->out,
                        "\n# %zu %s, %" PRIu64 " words, %" PRIu64 " instructions, tiles %04x, ids "
                        "%s\n",
                        l->listing->count, hoist_plural(l->listing->count, "chunk", "chunks"),
                        totals.words, totals.instructions, totals.tiles,
                        totals.ids_follow ? "consecutive" : "not consecutive");
    const dwn_opcode *row = NULL;
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        if (totals.by_opcode[row->code] > 0) {
            hoist_buffer_format(l->out, "# %6" PRIu64 " %s\n", totals.by_opcode[row->code],
                                row->mnemonic);
        }
    }
    const size_t descriptors = l->listing->run ? l->listing->run->transfer_count : 0;
    hoist_buffer_format(l->out, "# %" PRIu64 " %s, %zu %s, %" PRIu64 " %s\n", totals.links,
                        hoist_plural(totals.links, "link", "links"), descriptors,
                        hoist_plural(descriptors, "descriptor", "descriptors"), totals.faults,
                        hoist_plural(totals.faults, "fault", "faults"));
    if (l->listing->run && l->listing->run->run.end != DWN_SCALAR_DONE) {
        // A run that ended early explains transfers that have no remark.
        hoist_buffer_format(l->out, "# the scalar core was not run to the end: %s\n",
                            dwn_scalar_end_text(l->listing->run->run.end));
    }
}

// The remarks are in an arena of the listing; they are gone when the text is there.
hoist_status dwn_listing_write(const dwn_listing *listing, hoist_buffer *out)
{
    hoist_arena arena;
    hoist_arena_init(&arena, out->alloc);
    lister l = {.listing = listing, .out = out};
    const hoist_status status = dwn_remarks_make(listing, &arena, &l.remarks);
    for (size_t i = 0; i < listing->count && status == HOIST_OK; i++) {
        write_chunk(&l, (uint32_t)i);
    }
    if (status == HOIST_OK) {
        write_totals(&l);
    }
    hoist_arena_deinit(&arena);
    return status == HOIST_OK && out->failed ? HOIST_NO_MEMORY : status;
}
