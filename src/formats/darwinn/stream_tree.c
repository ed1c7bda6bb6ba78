// The chunks of a program as a tree: every field that is not 0 by its name, and the bits that no
// row knows, word by word; so each instruction can be put together again. In: a listing; out:
// "chunks" and "totals" into a sink, for `hoist dump` and --json. stream_text.c is the same as
// text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/stream_bits.h"
#include "formats/darwinn/stream_listing.h"
#include "formats/darwinn/stream_tensor.h"

typedef struct sender {
    const dwn_listing *listing;
    dwn_remarks remarks;
    hoist_tree_sink *sink;
    hoist_buffer text; // of a bundle
} sender;

// Fields -----------------------------------------------------------------------------------------

// Numbers as they mean, counts plus 1; a NaN, which JSON has not, as the text of its bits.
static void send_value(hoist_tree_sink *sink, const char *key, const dwn_field *field,
                       hoist_bytes bytes, size_t index)
{
    char buffer[32];
    const int64_t value = dwn_field_value(field, bytes, index);
    if (field->kind != DWN_FIELD_FLOAT) {
        hoist_tree_int(sink, key, value);
        return;
    }
    const uint32_t bits = (uint32_t)value;
    if (dwn_float_text(bits, buffer, sizeof(buffer))) {
        hoist_tree_float(sink, key, (double)dwn_float_of(bits), HOIST_UNIT_NONE);
    } else {
        hoist_tree_c(sink, key, buffer);
    }
}

// Whether any of the repeated fields has a bit.
static bool is_set(const dwn_field *field, hoist_bytes bytes)
{
    uint32_t any = 0;
    for (size_t k = 0; k < dwn_field_repeats(field); k++) {
        any |= dwn_field_load(field, bytes, k);
    }
    return any != 0;
}

// A repeated field is a list of all of its values, so that their indices are those of the loops.
static void send_field(hoist_tree_sink *sink, const dwn_field *field, hoist_bytes bytes)
{
    if (field->repeat == 0) {
        send_value(sink, field->name, field, bytes, 0);
        return;
    }
    hoist_tree_short_list(sink, field->name);
    for (size_t k = 0; k < field->repeat; k++) {
        send_value(sink, "", field, bytes, k);
    }
    hoist_tree_end(sink);
}

// What the increments of a tensor operation come to.
static void send_strides(const sender *s, hoist_bytes bytes)
{
    hoist_tree_short_map(s->sink, "strides");
    for (dwn_traversal_id id = 0; id < DWN_TRAVERSAL_COUNT; id++) {
        const dwn_traversal t = dwn_traversal_of(bytes, id);
        const size_t used = dwn_traversal_used(&t);
        hoist_tree_short_list(s->sink, dwn_traversals[id].name);
        for (size_t k = 0; k < used; k++) {
            hoist_tree_int(s->sink, "", t.loops[k].stride);
        }
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
}

// "unknown": {"w3": "8000"}: words with bits that no row knows; absent where there are none.
static void send_rest(const sender *s, const dwn_opcode *row, hoist_bytes bytes)
{
    static const uint8_t zeros[DWN_WORD_SIZE] = {0};
    uint8_t rest[DWN_MAX_WORDS * DWN_WORD_SIZE];
    char buffer[2 * DWN_WORD_SIZE + 1];
    char key[8];
    bool is_open = false;
    dwn_rest_of(row, bytes, (hoist_mut_bytes){rest, bytes.size});
    for (size_t i = 0; i < row->words; i++) {
        const uint8_t *word = rest + i * DWN_WORD_SIZE;
        if (memcmp(word, zeros, sizeof(zeros)) == 0) {
            continue;
        }
        if (!is_open) { // not before it is known that it has a member
            hoist_tree_short_map(s->sink, "unknown");
            is_open = true;
        }
        (void)snprintf(key, sizeof(key), "w%zu", i);
        hoist_tree_c(s->sink, key, dwn_word_text(word, buffer));
    }
    if (is_open) {
        hoist_tree_end(s->sink);
    }
}

// Remarks ----------------------------------------------------------------------------------------

// By name where there is one, else as a number.
static void send_code(const sender *s, const char *key, const char *name, int64_t code)
{
    if (name) {
        hoist_tree_c(s->sink, key, name);
    } else {
        hoist_tree_int(s->sink, key, code);
    }
}

// What a link or a transfer is about. Parameters and scratch have no name.
static void send_buffer(const sender *s, int16_t desc, int32_t batch, hoist_str name)
{
    send_code(s, "buffer", dwn_desc_name(desc), desc);
    if (name.size > 0) {
        hoist_tree_str(s->sink, "name", name);
    }
    hoist_tree_int(s->sink, "batch", batch);
}

// All links of the instruction; without meta only where the hole is.
static void send_links(const sender *s, const dwn_linked *links, size_t count)
{
    if (count == 0) {
        return;
    }
    hoist_tree_list(s->sink, "links");
    for (size_t i = 0; i < count; i++) {
        const dwn_link *link = links[i].link;
        hoist_tree_short_map(s->sink, "");
        hoist_tree_int(s->sink, "offset_bit", link->offset_bit);
        if (link->has_meta) {
            send_buffer(s, link->desc, link->batch, link->name);
            send_code(s, "half", dwn_position_name(link->position), link->position);
        }
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
}

// Of a name no more than a text has, since each transfer may have the same.
static void send_transfer(const sender *s, const dwn_transfer *t)
{
    hoist_tree_short_map(s->sink, "transfer");
    hoist_tree_uint(s->sink, "tag", t->tag, HOIST_UNIT_NONE);
    if (t->is_known && !dwn_transfer_is_interrupt(t)) {
        send_buffer(s, t->desc, t->batch, hoist_str_slice(t->name, 0, HOIST_SHOWN_BYTES));
        hoist_tree_int(s->sink, "offset", t->offset);
        hoist_tree_uint(s->sink, "size", t->size, HOIST_UNIT_BYTES);
    }
    hoist_tree_bool(s->sink, "known", t->is_known);
    hoist_tree_uint(s->sink, "times", 1, HOIST_UNIT_NONE);
    hoist_tree_end(s->sink);
}

// Instructions -----------------------------------------------------------------------------------

// One map. Fields come before strides, which are computed from them.
static void send_instruction(sender *s, uint32_t chunk, const dwn_instruction *instruction)
{
    const dwn_opcode *row = dwn_opcode_find(instruction->opcode);
    const hoist_bytes bytes = dwn_instruction_bytes(&s->listing->chunks[chunk].stream, instruction);
    hoist_tree_short_map(s->sink, "");
    hoist_tree_uint(s->sink, "word", instruction->word, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "opcode", row->code, HOIST_UNIT_NONE);
    hoist_tree_c(s->sink, "mnemonic", row->mnemonic);
    if (row->code == DWN_OP_BUNDLE) {
        s->text.size = 0; // the buffer is used again for each bundle
        dwn_bundle_write(&s->text, bytes);
        hoist_tree_str(s->sink, "text", hoist_buffer_text(&s->text));
    }
    hoist_tree_short_map(s->sink, "fields");
    for (size_t i = 0; i < row->fields->count; i++) {
        if (is_set(&row->fields->rows[i], bytes)) {
            send_field(s->sink, &row->fields->rows[i], bytes);
        }
    }
    hoist_tree_end(s->sink);
    if (row->fields->rows == dwn_tensor_rows) {
        send_strides(s, bytes);
    }
    send_rest(s, row, bytes);
    const dwn_remark remark = dwn_remarks_next(&s->remarks, chunk, instruction);
    send_links(s, remark.links, remark.link_count);
    if (remark.transfer) {
        send_transfer(s, remark.transfer);
    }
    hoist_tree_end(s->sink);
}

// Words that are no known instruction, and bytes that are no word, as one text of bytes each.
static void send_tail(const sender *s, const dwn_stream *stream)
{
    char buffer[2 * DWN_WORD_SIZE + 1];
    hoist_tree_list(s->sink, "unparsed");
    size_t at = (size_t)stream->parsed * DWN_WORD_SIZE;
    // Only the last text may be shorter than a word.
    while (at < stream->bytes.size && s->sink->status == HOIST_OK) {
        const size_t left = stream->bytes.size - at;
        const size_t size = left < DWN_WORD_SIZE ? left : DWN_WORD_SIZE;
        for (size_t i = 0; i < size; i++) {
            (void)snprintf(buffer + 2 * i, 3, "%02x", stream->bytes.data[at + i]);
        }
        hoist_tree_str(s->sink, "", (hoist_str){buffer, 2 * size});
        at += size;
    }
    hoist_tree_end(s->sink);
}

// "instructions" are in order of words, and "unparsed" goes on where they end.
static void send_chunk(sender *s, uint32_t chunk)
{
    const dwn_stream *stream = &s->listing->chunks[chunk].stream;
    hoist_tree_map(s->sink, "");
    hoist_tree_uint(s->sink, "chunk", chunk, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "words", stream->words, HOIST_UNIT_NONE);
    hoist_tree_list(s->sink, "instructions");
    for (size_t i = 0; i < stream->count && s->sink->status == HOIST_OK; i++) {
        send_instruction(s, chunk, &stream->instructions[i]);
    }
    hoist_tree_end(s->sink);
    send_tail(s, stream);
    hoist_tree_end(s->sink);
}

// The same totals as in the text, by names instead of sentences.
static void send_totals(const sender *s)
{
    const dwn_totals totals = dwn_listing_totals(s->listing);
    const dwn_program_run *run = s->listing->run;
    const dwn_opcode *row = NULL;
    hoist_tree_map(s->sink, "totals");
    hoist_tree_uint(s->sink, "words", totals.words, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "instructions", totals.instructions, HOIST_UNIT_NONE);
    hoist_tree_map(s->sink, "opcodes");
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        if (totals.by_opcode[row->code] > 0) {
            hoist_tree_uint(s->sink, row->mnemonic, totals.by_opcode[row->code], HOIST_UNIT_NONE);
        }
    }
    hoist_tree_end(s->sink);
    hoist_tree_uint(s->sink, "tiles", totals.tiles, HOIST_UNIT_NONE);
    hoist_tree_bool(s->sink, "ids_follow", totals.ids_follow);
    hoist_tree_uint(s->sink, "links", totals.links, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "faults", totals.faults, HOIST_UNIT_NONE);
    if (run) {
        hoist_tree_uint(s->sink, "descriptors", run->transfer_count, HOIST_UNIT_NONE);
        hoist_tree_c(s->sink, "scalar_run", dwn_scalar_end_text(run->run.end));
    }
    hoist_tree_end(s->sink);
}

// Failures of the sink stay in it; here only memory and the count of links can fail.
hoist_status dwn_listing_send(const dwn_listing *listing, hoist_allocator alloc,
                              hoist_tree_sink *sink)
{
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    sender s = {.listing = listing, .sink = sink};
    hoist_buffer_init(&s.text, alloc);
    hoist_status status = dwn_remarks_make(listing, &arena, &s.remarks);
    if (status == HOIST_OK) {
        hoist_tree_list(sink, "chunks");
        for (size_t i = 0; i < listing->count; i++) {
            send_chunk(&s, (uint32_t)i);
        }
        hoist_tree_end(sink);
        send_totals(&s);
        status = s.text.failed ? HOIST_NO_MEMORY : HOIST_OK;
    }
    hoist_buffer_deinit(&s.text);
    hoist_arena_deinit(&arena);
    return status;
}
