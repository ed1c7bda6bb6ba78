// Framing of a chunk: words of 16 bytes become instructions by the table of opcodes (darwinn
// reference sections 8.1 to 8.3). In: bytes; out: instructions and faults. The parse runs twice
// over the words: once to count instructions and faults, once to keep them.
#include "formats/darwinn/stream.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/darwinn/stream_tensor.h"

// Bits of whole words: the two forms of halt, and a bundle whose slots are all empty.
enum { HALT_LAST = 0x10840, HALT_MORE = 0x4840, EMPTY_BUNDLE = 0x800 };

// A parse in progress. The two passes differ in `instructions` and `faults` only, which the first
// has NULL; so both come to the same counts.
typedef struct parser {
    hoist_bytes bytes;
    const dwn_stream_options *options;
    uint32_t words;
    uint32_t word; // where it is
    uint16_t next_id;
    dwn_instruction *instructions; // NULL: only counted
    dwn_fault *faults;             // NULL: only counted
    size_t count;
    size_t fault_count;
} parser;

// A fault at the word at hand.
static void fault(parser *p, dwn_fault_code code, uint64_t found, uint64_t expected)
{
    if (p->faults) {
        p->faults[p->fault_count] =
            (dwn_fault){.code = code, .word = p->word, .found = found, .expected = expected};
    }
    p->fault_count++;
}

// In reach: callers have compared with `words`.
static hoist_bytes words_at(hoist_bytes bytes, uint32_t word, uint32_t count)
{
    HOIST_ASSERT((uint64_t)word + count <= bytes.size / DWN_WORD_SIZE);
    return (hoist_bytes){bytes.data + (size_t)DWN_WORD_SIZE * word, (size_t)DWN_WORD_SIZE * count};
}

static uint32_t opcode_at(const parser *p, uint32_t word)
{
    return dwn_field_load(&dwn_opcode_field, words_at(p->bytes, word, 1), 0);
}

// The chunk as a whole, and its first word ------------------------------------------------------

// Whether the word has nothing but its opcode and field.
static bool is_plain_frame(hoist_bytes word)
{
    uint8_t rest[DWN_WORD_SIZE];
    uint8_t any = 0;
    const dwn_opcode *row = dwn_opcode_find(dwn_field_load(&dwn_opcode_field, word, 0));
    dwn_rest_of(row, word, (hoist_mut_bytes){rest, sizeof(rest)});
    for (size_t i = 0; i < sizeof(rest); i++) {
        any |= rest[i];
    }
    return any == 0;
}

// Start and end words have an opcode and a count, and zeros elsewhere.
static void check_frame(parser *p, uint64_t expected_bits)
{
    const hoist_bytes word = words_at(p->bytes, p->word, 1);
    const uint32_t bits = dwn_field_load(&dwn_frame_rows[DWN_FRAME_BITS], word, 0);
    if (bits != expected_bits) {
        fault(p, DWN_FAULT_BITS, bits, expected_bits);
    }
    if (!is_plain_frame(word)) {
        fault(p, DWN_FAULT_FRAME, 0, 0);
    }
}

// Instructions -----------------------------------------------------------------------------------

// Header of the tiles' instructions: bitmap and id. After a gap the ids are expected to go on from
// the one found, so that a single missing instruction is one fault.
static void check_tiles(parser *p, const dwn_opcode *row, hoist_bytes bytes, dwn_instruction *out)
{
    HOIST_ASSERT(row->code < DWN_OP_TILES && bytes.size == (size_t)DWN_WORD_SIZE * row->words);
    const dwn_field *header = row->fields->rows;
    out->tiles = (uint16_t)dwn_field_load(&header[DWN_HEADER_TILES], bytes, 0);
    out->id = (uint16_t)dwn_field_load(&header[DWN_HEADER_ID], bytes, 0);
    if (out->id != p->next_id) {
        fault(p, DWN_FAULT_ID, out->id, p->next_id);
    }
    if (out->tiles == 0) {
        fault(p, DWN_FAULT_TILES, 0, 0);
    }
    p->next_id = (uint16_t)((out->id + 1) % DWN_ID_COUNT);
}

static void traversal_fault(parser *p, dwn_fault_code code, dwn_traversal_id id, uint64_t found,
                            uint64_t expected)
{
    fault(p, code, found, expected);
    if (p->faults) {
        p->faults[p->fault_count - 1].traversal = (uint8_t)id;
    }
}

// The loop nests of a tensor operation agree with each other (DWN-084), and leave no gaps
// (DWN-088).
static void check_traversals(parser *p, uint8_t opcode, hoist_bytes bytes)
{
    for (dwn_traversal_id id = 0; id < DWN_TRAVERSAL_COUNT; id++) {
        if (!dwn_traversal_is_bound(bytes, opcode, id)) {
            continue;
        }
        const uint64_t found = dwn_traversal_product(bytes, id);
        const uint64_t expected = dwn_traversal_expected(bytes, id);
        if (found != expected) {
            traversal_fault(p, DWN_FAULT_COUNTS, id, found, expected);
        }
        const size_t loop = dwn_traversal_jumps(bytes, id);
        if (loop < DWN_LOOPS) {
            traversal_fault(p, DWN_FAULT_STEPS, id, loop, 0);
        }
    }
}

// What is known to hold for an instruction. Nothing here stops the parse.
static void check(parser *p, const dwn_opcode *row, hoist_bytes bytes, dwn_instruction *out)
{
    const bool is_first = p->word == 0;
    const bool is_last = p->word == p->words - 1;
    if (row->code < DWN_OP_TILES) {
        check_tiles(p, row, bytes, out);
    }
    if (row->fields->rows == dwn_tensor_rows) {
        check_traversals(p, row->code, bytes);
    }
    if ((row->code == DWN_OP_START && !is_first) || (row->code == DWN_OP_END && !is_last)) {
        fault(p, DWN_FAULT_INSIDE, row->code, 0);
    } else if (row->code == DWN_OP_END) {
        check_frame(p, DWN_WORD_BITS);
    }
}

// The instruction at the parser's word; false: there is none, and parsing ends.
static bool parse_one(parser *p)
{
    HOIST_ASSERT(p->word < p->words);
    const uint32_t code = opcode_at(p, p->word);
    const dwn_opcode *row = dwn_opcode_find(code);
    if (!row) {
        fault(p, DWN_FAULT_OPCODE, code, 0);
        return false;
    }
    if (row->words > p->words - p->word) { // by subtraction: a sum could overflow
        fault(p, DWN_FAULT_PAST_END, p->words - p->word, row->words);
        return false;
    }
    dwn_instruction made = {
        .word = p->word, .id = DWN_NO_ID, .opcode = row->code, .words = row->words};
    check(p, row, words_at(p->bytes, p->word, row->words), &made);
    if (p->instructions) {
        p->instructions[p->count] = made;
    }
    p->count++;
    p->word += row->words;
    HOIST_ASSERT(row->words > 0 && p->word <= p->words);
    return true;
}

// The end ----------------------------------------------------------------------------------------

// Whether the word is that number and nothing else.
static bool is_word(const parser *p, uint32_t word, uint32_t number)
{
    const hoist_bytes bytes = words_at(p->bytes, word, 1);
    return dwn_bits_load(bytes, 0, 32) == number && dwn_bits_load(bytes, 32, 32) == 0 &&
           dwn_bits_load(bytes, 64, 32) == 0 && dwn_bits_load(bytes, 96, 32) == 0;
}

// The last six words: halt, four empty bundles, end. The form of halt says whether a chunk follows.
static void check_halt(parser *p)
{
    bool is_right = p->words >= DWN_HALT_TAIL;
    for (uint32_t i = 1; is_right && i < DWN_HALT_TAIL - 1; i++) {
        is_right = is_word(p, p->words - DWN_HALT_TAIL + i, EMPTY_BUNDLE);
    }
    if (!is_right ||
        !is_word(p, p->words - DWN_HALT_TAIL, p->options->has_successor ? HALT_MORE : HALT_LAST)) {
        fault(p, DWN_FAULT_HALT, 0, 0);
    }
}

// Only where the words could all be parsed; else it is known already what is wrong.
static void check_end(parser *p)
{
    HOIST_ASSERT(p->word == p->words && p->words > 0);
    p->word = p->words - 1;
    const uint32_t opcode = opcode_at(p, p->word);
    if (opcode != DWN_OP_END) {
        fault(p, DWN_FAULT_END, opcode, DWN_OP_END);
    } else {
        check_halt(p);
    }
}

// One pass. Bytes behind the last whole word are a fault, and are not parsed.
static void parse(parser *p)
{
    p->word = 0;
    p->next_id = p->options->first_id;
    p->count = p->fault_count = 0;
    const size_t size = p->bytes.size;
    if (size == 0) {
        fault(p, DWN_FAULT_EMPTY, 0, DWN_WORD_SIZE);
    }
    if (size % DWN_WORD_SIZE != 0) {
        fault(p, DWN_FAULT_SIZE, size, DWN_WORD_SIZE);
    }
    if (size > DWN_MAX_CHUNK) {
        fault(p, DWN_FAULT_LARGE, size, DWN_MAX_CHUNK);
    }
    if (p->words == 0) {
        return; // nothing to frame
    }
    const uint32_t opcode = opcode_at(p, 0);
    if (opcode == DWN_OP_START) {
        check_frame(p, p->words < 2 ? 0 : DWN_WORD_BITS * (uint64_t)(p->words - 2));
    } else {
        fault(p, DWN_FAULT_START, opcode, DWN_OP_START);
    }
    while (p->word < p->words && parse_one(p)) {
    }
    if (p->word == p->words) {
        check_end(p);
        p->word = p->words; // check_end() has moved it for its faults
    }
}

hoist_status dwn_stream_read(hoist_bytes bytes, const dwn_stream_options *options,
                             hoist_arena *arena, dwn_stream *out_stream, uint16_t *out_next_id)
{
    // In case of failure nothing of an earlier result remains.
    *out_stream = (dwn_stream){0};
    *out_next_id = 0;
    if (bytes.size / DWN_WORD_SIZE > UINT32_MAX) {
        return HOIST_LIMIT;
    }
    parser p = {
        .bytes = bytes, .options = options, .words = (uint32_t)(bytes.size / DWN_WORD_SIZE)};
    parse(&p); // counts
    p.instructions = hoist_arena_array(arena, p.count, sizeof(*p.instructions));
    p.faults = hoist_arena_array(arena, p.fault_count, sizeof(*p.faults));
    if (!p.instructions || !p.faults) {
        return HOIST_NO_MEMORY;
    }
    parse(&p); // keeps
    *out_stream = (dwn_stream){.bytes = bytes,
                               .instructions = p.instructions,
                               .count = p.count,
                               .faults = p.faults,
                               .fault_count = p.fault_count,
                               .words = p.words,
                               .parsed = p.word};
    *out_next_id = p.next_id;
    return HOIST_OK;
}

hoist_bytes dwn_instruction_bytes(const dwn_stream *stream, const dwn_instruction *instruction)
{
    return words_at(stream->bytes, instruction->word, instruction->words);
}

static bool word_is_before(const void *instruction, const void *word)
{
    return ((const dwn_instruction *)instruction)->word < *(const uint32_t *)word;
}

// Instructions are in order of their words.
const dwn_instruction *dwn_instruction_find(const dwn_stream *stream, uint32_t word)
{
    const dwn_instruction *const all = stream->instructions;
    const size_t at = hoist_order_first(all, stream->count, sizeof *all, word_is_before, &word);
    return at < stream->count && all[at].word == word ? &all[at] : NULL;
}

// Words ------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    bool is_hex;
    const char *text;
} fault_rows[DWN_FAULT_COUNT] = {
#define DWN_FAULT(code, rule, ...) {__VA_ARGS__},
#include "formats/darwinn/faults.inc"
};

const char *dwn_fault_name(dwn_fault_code code)
{
    HOIST_ASSERT(code < DWN_FAULT_COUNT);
    return fault_rows[code].name;
}

// Text is written as far as it fits; `used` may then be beyond `size`, which ends the loop.
void dwn_fault_text(const dwn_fault *fault_, char *buffer, size_t size)
{
    HOIST_ASSERT(size > 0);
    size_t used = 0;
    buffer[0] = '\0';
    for (const char *c = fault_rows[fault_->code].text; *c && used + 1 < size; c++) {
        int more = 0;
        if (*c == '@') {
            more =
                snprintf(buffer + used, size - used, "%s", dwn_traversals[fault_->traversal].title);
        } else if (*c == '#' || *c == '%') {
            const uint64_t number = *c == '#' ? fault_->found : fault_->expected;
            more = fault_rows[fault_->code].is_hex
                       ? snprintf(buffer + used, size - used, "0x%02" PRIx64, number)
                       : snprintf(buffer + used, size - used, "%" PRIu64, number);
        } else {
            more = snprintf(buffer + used, size - used, "%c", *c);
        }
        used += more > 0 ? (size_t)more : 0;
    }
}
