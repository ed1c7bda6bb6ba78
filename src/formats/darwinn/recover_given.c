// What instructions before an operation gave it to compute with: weights that are the identity, so
// that each channel is computed alone, and the table of a function. In: the instructions of a
// program in their order; out: members of dwn_operation (recover_group.c).
//
// An identity is four words, 1, 1 << 8, 1 << 16 and 1 << 24, that tiles store one after the other
// and copy into the memory of weights; operations read it there again and again.
#include "base/reader.h"
#include "formats/darwinn/recover_operation.h"

enum { WORDS = 4, BITS = 8 };               // of an identity, and of its numbers
enum { MODE_PLAIN = 0x0030, ROWS = WORDS }; // of an operation without parameters
// Of one that reads words of the identity in place of rows. [observed in one model]
enum { CLASS_WORDS = 0x0018, BY_WORDS = 0x4000 };

// The table of the logistic function, with 256 steps from 0 to 1. [observed before all 218 LOGISTIC
// of compiled models]
const uint32_t dwn_logistic_table[DWN_TABLE_WORDS] = {
    0x90801527, 0x10576df1, 0xd004469c, 0x0f8a7dee, 0xcee57c98, 0xd0c12861, 0x10aada00, 0x106bb809,
    0x900947ae, 0x8f7c4dad, 0xd0c1dd58, 0x50a91ad8, 0x9060dc7f, 0xcfc15a06, 0xaf813203, 0x90c0001a,
    0x909ff8e5, 0x6faa31ff, 0x30327d5f, 0x2fe53039, 0x50c0002e, 0x509feccc, 0x4fbc9a0b, 0xb033cd6d,
    0x8fe72cac, 0xd0b771f1, 0x50b15b1b, 0xb075c804, 0xd016f971, 0x2f8bfdb4, 0xd0d0f5d4, 0x507bef02,
    0xb02daa73, 0xcfbec321, 0xef20b0b5, 0x10dd3315, 0x50215583, 0xafc5a0d5, 0x0f461f8a, 0x6e9a6961,
    0xb02d1e6c, 0x700f724b, 0x2feae87d, 0x0f6c1a7e, 0xcff9c7ef, 0x902668d0, 0xd041e3c2,
};

static uint16_t tiles_of(hoist_bytes instruction, const dwn_field *rows)
{
    return (uint16_t)dwn_field_load(&rows[DWN_HEADER_TILES], instruction, 0);
}

// Identities -------------------------------------------------------------------------------------

// A store of a single word.
static bool is_one_word(const dwn_field *fields, hoist_bytes instruction)
{
    bool is_one = true;
    for (size_t i = 0; i < DWN_MESH_LOOPS; i++) {
        is_one = is_one && dwn_field_value(&fields[DWN_MESH_COUNT], instruction, i) == 1;
    }
    return is_one && dwn_field_load(&fields[DWN_MESH_STORES], instruction, 0) &&
           dwn_field_value(&fields[DWN_MESH_INCREMENT], instruction, 0) != 0;
}

// The next word of an identity, the first of another one, or neither.
static void note_store(dwn_given *given, uint8_t opcode, hoist_bytes instruction)
{
    const dwn_field *fields = dwn_opcode_find(opcode)->fields->rows;
    const uint32_t value = dwn_field_load(&fields[DWN_MESH_IMMEDIATE], instruction, 0);
    const uint32_t base = dwn_field_load(&fields[DWN_MESH_BASE], instruction, 0);
    const uint16_t tiles = tiles_of(instruction, fields);
    const uint32_t stored = given->stored;
    const bool is_one = is_one_word(fields, instruction);
    if (is_one && value == 1) {
        given->stored = 1;
        given->base = base;
        given->tiles = tiles;
    } else if (is_one && stored > 0 && stored < WORDS && value == UINT32_C(1) << BITS * stored &&
               base == given->base + stored && tiles == given->tiles) {
        given->stored++;
    } else if (stored > 0) {
        given->stored = 0; // it may be one of the words
    }
}

// A copy into the memory of weights: of an identity, or over one.
static void note_copy(dwn_given *given, hoist_bytes instruction)
{
    const uint32_t from = dwn_field_load(&dwn_copy_rows[DWN_COPY_ADDRESS], instruction, 0);
    const uint16_t to = (uint16_t)dwn_field_load(&dwn_copy_rows[DWN_COPY_WIDE], instruction, 0);
    const uint16_t tiles = tiles_of(instruction, dwn_copy_rows);
    const bool is_identity = given->stored == WORDS && given->base == from;
    uint32_t place = 0;
    while (place < given->count && given->places[place].at != to) {
        place++;
    }
    if (place == given->count && (!is_identity || place == DWN_IDENTITIES)) {
        return;
    }
    if (place == given->count) {
        given->places[given->count++] = (dwn_identity){.at = to};
    }
    given->places[place].tiles &= (uint16_t)~tiles;
    given->places[place].tiles |= is_identity ? (uint16_t)(tiles & given->tiles) : 0;
}

// Other tables overwrite what the tiles had.
static void note_table(dwn_given *given, hoist_bytes instruction)
{
    const dwn_field *fields = dwn_opcode_find(DWN_OP_TABLE)->fields->rows;
    const uint16_t tiles = tiles_of(instruction, fields);
    bool is_logistic = true;
    for (size_t i = 0; i < DWN_TABLE_WORDS; i++) {
        const uint8_t *word = instruction.data + DWN_TABLE_AT + i * sizeof(uint32_t);
        is_logistic = is_logistic && hoist_load_u32le(word) == dwn_logistic_table[i];
    }
    given->logistic &= (uint16_t)~tiles;
    given->logistic |= is_logistic ? tiles : 0;
}

// Only three kinds of instructions give anything.
void dwn_given_note(dwn_given *given, uint8_t opcode, hoist_bytes instruction)
{
    if (dwn_opcode_find(opcode)->unit == DWN_UNIT_MESH) {
        note_store(given, opcode, instruction);
    } else if (opcode == DWN_OP_COPY_OUT) {
        note_copy(given, instruction);
    } else if (opcode == DWN_OP_TABLE) {
        note_table(given, instruction);
    }
}

// Operations -------------------------------------------------------------------------------------

// Whether the traversal of weights stays where it begins.
static bool stays(const dwn_traversal *c)
{
    bool is_so = true;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        is_so = is_so && (c->loops[i].count == 1 || c->loops[i].stride == 0);
    }
    return is_so;
}

// The identity has to be on all tiles of the operation, and read alone.
static bool reads_identity(const dwn_given *given, const dwn_operation *op, const dwn_traversal *c,
                           uint16_t at)
{
    for (uint32_t i = 0; i < given->count; i++) {
        const dwn_identity *place = &given->places[i];
        if (place->at == at && (op->tiles & ~place->tiles) == 0) {
            return stays(c);
        }
    }
    return false;
}

// Weights that are the identity, and nothing else that would mix or change channels.
void dwn_given_to(const dwn_given *given, hoist_bytes instruction, dwn_operation *op)
{
    const uint32_t table = dwn_field_load(&dwn_tensor_rows[DWN_TENSOR_TABLE], instruction, 0);
    const bool is_logistic = table == 1 && (op->tiles & ~given->logistic) == 0;
    op->table = table == 0 ? DWN_TABLE_NONE : is_logistic ? DWN_TABLE_LOGISTIC : DWN_TABLE_UNKNOWN;
    const dwn_traversal c = dwn_traversal_of(instruction, DWN_TRAVERSAL_C);
    const bool is_plain = op->opcode == DWN_OP_TENSOR && op->mode == MODE_PLAIN &&
                          op->reduction == 1 && op->full_rows == ROWS && op->last_rows == ROWS &&
                          op->weight_zero == 0 && op->constant == 0 && !op->has_multipliers &&
                          !op->has_bias && !op->has_weight_zeros;
    op->is_channelwise = is_plain && reads_identity(given, op, &c, (uint16_t)c.base);
    op->is_times_one = is_plain && op->code == CLASS_WORDS && (c.base & BY_WORDS) &&
                       reads_identity(given, op, &c, (uint16_t)(c.base & ~BY_WORDS));
}
