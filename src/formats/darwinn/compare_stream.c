// Two chunks of instructions, field by field. In: parsed chunks with their links; out: the fields
// that differ, by opcode, and what only one chunk has. Holes are zeroed in copies first, so that a
// linked program equals an unlinked one; instructions are aligned by the common beginning and end
// of both lists of opcodes.
#include "formats/darwinn/compare_stream.h"

#include <string.h>

#include "formats/darwinn/stream_bits.h"

typedef struct comparing {
    hoist_arena *arena;
    const dwn_chunk *chunks[2];
    hoist_bytes bytes[2]; // with empty holes
    dwn_field_difference *items;
    size_t count, capacity;
    dwn_chunk_differences *out;
} comparing;

static const dwn_instruction *instruction_at(const comparing *c, int side, size_t index)
{
    return &c->chunks[side]->stream.instructions[index];
}

static hoist_bytes bytes_of(const comparing *c, int side, size_t index)
{
    const dwn_instruction *instruction = instruction_at(c, side, index);
    return (hoist_bytes){c->bytes[side].data + (size_t)instruction->word * DWN_WORD_SIZE,
                         (size_t)instruction->words * DWN_WORD_SIZE};
}

// Links ------------------------------------------------------------------------------------------

// Holes with the same place and meaning: their content is an address.
static bool is_same_hole(const dwn_link *a, const dwn_link *b)
{
    return a->offset_bit == b->offset_bit && a->position == b->position &&
           dwn_link_compare(a, b) == 0;
}

// Links of both chunks in their order; addresses that differ are only counted.
static void compare_links(comparing *c)
{
    const dwn_chunk *old = c->chunks[0];
    const dwn_chunk *now = c->chunks[1];
    c->out->has_other_links = old->link_count != now->link_count;
    for (size_t i = 0; i < old->link_count && i < now->link_count; i++) {
        const dwn_link *a = &old->links[i];
        const dwn_link *b = &now->links[i];
        if (!is_same_hole(a, b)) {
            c->out->has_other_links = true;
        } else if (dwn_link_is_inside(a, old->stream.bytes.size) &&
                   dwn_link_is_inside(b, now->stream.bytes.size)) {
            const uint64_t bit = (uint64_t)a->offset_bit;
            c->out->addresses += dwn_bits_load(old->stream.bytes, bit, DWN_LINK_BITS) !=
                                 dwn_bits_load(now->stream.bytes, bit, DWN_LINK_BITS);
        }
    }
}

// A copy of the chunk with empty holes, so that linked and unlinked programs are equal. Holes
// outside stay as they are. False: out of memory.
static bool empty_holes(comparing *c, int side)
{
    const dwn_chunk *chunk = c->chunks[side];
    const hoist_bytes from = chunk->stream.bytes;
    uint8_t *copy = hoist_arena_alloc(c->arena, from.size);
    if (!copy) {
        return false;
    }
    if (from.size > 0) {
        memcpy(copy, from.data, from.size);
    }
    for (size_t i = 0; i < chunk->link_count; i++) {
        if (dwn_link_is_inside(&chunk->links[i], from.size)) {
            dwn_bits_store((hoist_mut_bytes){copy, from.size}, (uint64_t)chunk->links[i].offset_bit,
                           DWN_LINK_BITS, 0);
        }
    }
    c->bytes[side] = (hoist_bytes){copy, from.size};
    return true;
}

// Fields -----------------------------------------------------------------------------------------

// One item for each field of each opcode; a list is enough, as both are few.
static bool add(comparing *c, const dwn_field_difference *found)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->items[i].opcode == found->opcode && c->items[i].field == found->field) {
            c->items[i].instructions++;
            return true;
        }
    }
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? c->capacity * 2 : 16;
        dwn_field_difference *items = hoist_arena_array(c->arena, capacity, sizeof(*items));
        if (!items) {
            return false;
        }
        if (c->count > 0) {
            memcpy(items, c->items, c->count * sizeof(*items));
        }
        c->items = items;
        c->capacity = capacity;
    }
    c->items[c->count++] = *found;
    return true;
}

// Fields repeat in loops: the first repeat that differs. False: none does.
static bool find_difference(const dwn_field *field, hoist_bytes old, hoist_bytes now,
                            dwn_field_difference *found)
{
    for (size_t i = 0; i < dwn_field_repeats(field); i++) {
        found->old = dwn_field_value(field, old, i);
        found->now = dwn_field_value(field, now, i);
        if (found->old != found->now) {
            return true;
        }
    }
    return false;
}

// Bits that no row of the opcode knows.
static bool has_other_rest(const dwn_opcode *opcode, hoist_bytes old, hoist_bytes now)
{
    uint8_t rests[2][DWN_MAX_WORDS * DWN_WORD_SIZE];
    const size_t size = old.size < sizeof(rests[0]) ? old.size : sizeof(rests[0]);
    dwn_rest_of(opcode, (hoist_bytes){old.data, size}, (hoist_mut_bytes){rests[0], size});
    dwn_rest_of(opcode, (hoist_bytes){now.data, size}, (hoist_mut_bytes){rests[1], size});
    return memcmp(rests[0], rests[1], size) != 0;
}

// Two instructions of the same opcode, by their fields. False: out of memory.
static bool compare_pair(comparing *c, size_t old_index, size_t now_index)
{
    const hoist_bytes old = bytes_of(c, 0, old_index);
    const hoist_bytes now = bytes_of(c, 1, now_index);
    const dwn_instruction *first = instruction_at(c, 0, old_index);
    const dwn_opcode *opcode = dwn_opcode_find(first->opcode);
    if (old.size != now.size || memcmp(old.data, now.data, old.size) == 0) {
        return true; // sizes follow from opcodes
    }
    dwn_field_difference found = {.opcode = opcode, .word = first->word, .instructions = 1};
    for (size_t i = 0; i < opcode->fields->count; i++) {
        found.field = &opcode->fields->rows[i];
        if (find_difference(found.field, old, now, &found) && !add(c, &found)) {
            return false;
        }
    }
    found.field = NULL;
    found.old = found.now = 0;
    return !has_other_rest(opcode, old, now) || add(c, &found);
}

// Instructions -----------------------------------------------------------------------------------

static bool is_same_kind(const comparing *c, size_t old_index, size_t now_index)
{
    return instruction_at(c, 0, old_index)->opcode == instruction_at(c, 1, now_index)->opcode;
}

// Opcodes are aligned from both ends; what is between has no counterpart. An edit distance would be
// quadratic, and programs may have very many instructions.
static hoist_status compare_instructions(comparing *c)
{
    const size_t counts[2] = {c->chunks[0]->stream.count, c->chunks[1]->stream.count};
    const size_t both = counts[0] < counts[1] ? counts[0] : counts[1];
    size_t head = 0;
    size_t tail = 0;
    while (head < both && is_same_kind(c, head, head)) {
        head++;
    }
    while (head + tail < both && is_same_kind(c, counts[0] - 1 - tail, counts[1] - 1 - tail)) {
        tail++;
    }
    for (size_t i = 0; i < head; i++) {
        if (!compare_pair(c, i, i)) {
            return HOIST_NO_MEMORY;
        }
    }
    for (size_t i = tail; i > 0; i--) {
        if (!compare_pair(c, counts[0] - i, counts[1] - i)) {
            return HOIST_NO_MEMORY;
        }
    }
    c->out->old_only = counts[0] - head - tail;
    c->out->now_only = counts[1] - head - tail;
    const bool ends = head == counts[0];
    // The place where both programs part.
    c->out->word = ends ? c->chunks[0]->stream.words : instruction_at(c, 0, head)->word;
    return HOIST_OK;
}

// Bytes after the last instruction that could be read: equal only byte by byte.
static bool has_other_end(const comparing *c)
{
    hoist_bytes ends[2];
    for (int i = 0; i < 2; i++) {
        const size_t parsed = (size_t)c->chunks[i]->stream.parsed * DWN_WORD_SIZE;
        ends[i] = (hoist_bytes){c->bytes[i].data + parsed, c->bytes[i].size - parsed};
    }
    return ends[0].size != ends[1].size ||
           (ends[0].size > 0 && memcmp(ends[0].data, ends[1].data, ends[0].size) != 0);
}

hoist_status dwn_chunk_compare(const dwn_chunk *old, const dwn_chunk *now, hoist_arena *arena,
                               dwn_chunk_differences *out)
{
    comparing c = {.arena = arena, .chunks = {old, now}, .out = out};
    *out = (dwn_chunk_differences){.fields = NULL};
    compare_links(&c);
    if (!empty_holes(&c, 0) || !empty_holes(&c, 1)) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(compare_instructions(&c));
    out->has_other_end = has_other_end(&c);
    out->fields = c.items;
    out->field_count = c.count;
    return HOIST_OK;
}
