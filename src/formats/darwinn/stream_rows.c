// The tables of instructions, from darwinn reference sections 8.1, 8.3 to 8.6 and 16.1: the fields
// of each family, the opcodes, and access to a field by its row. stream_tables_docgen.c writes
// docs/formats/edgetpu-instructions.md from them.
#include "formats/darwinn/stream_rows.h"

#include <string.h>

#include "base/assert.h"
#include "base/span.h"

// Fields -----------------------------------------------------------------------------------------

const dwn_field dwn_opcode_field = {
    .name = "opcode", .bit = 6, .width = 6, .kind = DWN_FIELD_HEX, .title = "opcode"};

// clang-format off
#define TILES {.name = "tiles", .bit = 12, .width = 16, .kind = DWN_FIELD_HEX, \
               .title = "bit t: tile t of 16 carries it out"}
#define ID(at) {.name = "id", .bit = (at), .width = 15, \
                .title = "counts the tiles' instructions of a program, across chunks, from 0"}

static const dwn_field tile_rows[DWN_HEADER_COUNT] = {
    [DWN_HEADER_TILES] = TILES,
    [DWN_HEADER_ID] = ID(46),
};

static const dwn_field fence_rows[DWN_HEADER_COUNT] = {
    [DWN_HEADER_TILES] = TILES,
    [DWN_HEADER_ID] = ID(28),
};

#define ADDRESS {"address", 62, 16, DWN_FIELD_HEX, 0, 0, true, \
                 "in the tiles' memory: of parameters as `c.base` in 4, of copies as `b.base`"}

const dwn_field dwn_mover_rows[DWN_MOVER_FIELDS] = {
    [DWN_HEADER_TILES] = TILES,
    [DWN_HEADER_ID] = ID(46),
    [DWN_MOVER_ADDRESS] = ADDRESS,
};

const dwn_field dwn_copy_rows[DWN_COPY_FIELDS] = {
    [DWN_HEADER_TILES] = TILES,
    [DWN_HEADER_ID] = ID(46),
    [DWN_MOVER_ADDRESS] = ADDRESS,
    [DWN_COPY_INCREMENT] = {"increment", 78, 17, DWN_FIELD_SIGNED, 4, 33, true,
        "what it copies: increments of the loops, unit 4 bytes"},
    [DWN_COPY_COUNT] = {"count", 95, 16, DWN_FIELD_COUNT, 4, 33, true,
        "what it copies: counts of the loops"},
    [DWN_COPY_WIDE] = {"wide", 2 * 128 + 79, 16, DWN_FIELD_HEX, 0, 0, true,
        "where it goes in the other memory: address as `c.base`"},
};

const dwn_field dwn_load_rows[DWN_LOAD_FIELDS] = {
    [DWN_HEADER_TILES] = TILES,
    [DWN_HEADER_ID] = ID(46),
    [DWN_MOVER_ADDRESS] = ADDRESS,
    [DWN_LOAD_BASE] = {"base", 267, 16, DWN_FIELD_HEX, 0, 0, true,
        "where it goes in the tiles' memory: address as `a.base`"},
    [DWN_LOAD_INCREMENT] = {"increment", 283, 17, DWN_FIELD_SIGNED, DWN_LOAD_LOOPS, 33, true,
        "where it goes: increments of the loops, unit 4 bytes"},
    [DWN_LOAD_COUNT] = {"count", 300, 16, DWN_FIELD_COUNT, DWN_LOAD_LOOPS, 33, true,
        "where it goes: counts of the loops"},
};

const dwn_field dwn_feed_rows[DWN_FEED_FIELDS] = {
    [DWN_FEED_SOURCE] = {"source", 2 * 128 + 48, 16, DWN_FIELD_HEX, 0, 0, true,
        "0x480: parameters of the host, 0x80: an input, 0x1cb0: what was drained from the ring"},
    [DWN_FEED_POSITION] = {"position", 2 * 128 + 64, 16, DWN_FIELD_NUMBER, 0, 0, true,
        "of parameters: the byte where they begin, in 64, plus 1"},
    [DWN_FEED_TILES] = {"tiles", 3 * 128 + 25, 16, DWN_FIELD_HEX, 0, 0, true,
        "bit t: for tile t of 16"},
};

static const dwn_field mesh_rows[DWN_MESH_FIELDS] = {
    [DWN_HEADER_TILES] = TILES,
    [DWN_HEADER_ID] = ID(46),
    [DWN_MESH_FROM] = {"from.base", 62, 16, DWN_FIELD_HEX, 0, 0, true,
        "what it sends: address, unit 4 bytes"},
    [DWN_MESH_FROM_INCREMENT] = {"from.increment", 78, 17, DWN_FIELD_SIGNED, 4, 33, true,
        "what it sends: increments of the loops, unit 4 bytes; the first is 0 where it sends nothing"},
    [DWN_MESH_FROM_COUNT] = {"from.count", 95, 16, DWN_FIELD_COUNT, 4, 33, true,
        "what it sends: counts of the loops"},
    [DWN_MESH_BASE] = {"base", 2 * 128 + 11, 16, DWN_FIELD_HEX, 0, 0, true,
        "what it writes: address, unit 4 bytes"},
    [DWN_MESH_INCREMENT] = {"increment", 2 * 128 + 27, 17, DWN_FIELD_SIGNED, 4, 33, true,
        "what it writes: increments of the loops, unit 4 bytes; the first is 0 where it writes nothing"},
    [DWN_MESH_COUNT] = {"count", 2 * 128 + 44, 16, DWN_FIELD_COUNT, 4, 33, true,
        "what it writes: counts of the loops"},
    [DWN_MESH_STORES] = {"stores", 5 * 128 + 87, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: it stores `immediate`"},
    [DWN_MESH_IMMEDIATE] = {"immediate", 5 * 128 + 88, 32, DWN_FIELD_HEX, 0, 0, false,
        "the number that is stored"},
};

const dwn_field dwn_tensor_rows[DWN_TENSOR_FIELDS] = {
    [DWN_TENSOR_TILES] = TILES,
    [DWN_TENSOR_ID] = ID(46),
    [DWN_TENSOR_MASTER] = {"master", 62, 14, DWN_FIELD_COUNT, 8, 14, false,
        "counts of the master loops, the innermost first"},
    [DWN_TENSOR_A_BASE] = {"a.base", 193, 16, DWN_FIELD_HEX, 0, 0, false,
        "input: address, unit 4 bytes"},
    [DWN_TENSOR_A_OTHER] = {"a.other", 209, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: the input is in the other memory"},
    [DWN_TENSOR_A_INCREMENT] = {"a.increment", 211, 17, DWN_FIELD_SIGNED, 8, 37, false,
        "input: increments of the loops, unit 4 bytes"},
    [DWN_TENSOR_A_COUNT] = {"a.count", 228, 18, DWN_FIELD_COUNT, 8, 37, false,
        "input: counts of the loops"},
    [DWN_TENSOR_A_FLAGS] = {"a.flags", 246, 2, DWN_FIELD_HEX, 7, 37, false,
        "input: flags of the loops, meaning unknown"},
    [DWN_TENSOR_B_BASE] = {"b.base", 576, 16, DWN_FIELD_HEX, 0, 0, false,
        "output: address, unit 4 bytes"},
    [DWN_TENSOR_B_INCREMENT] = {"b.increment", 594, 17, DWN_FIELD_SIGNED, 8, 37, false,
        "output: increments of the loops, unit 4 bytes"},
    [DWN_TENSOR_B_COUNT] = {"b.count", 611, 18, DWN_FIELD_COUNT, 8, 37, false,
        "output: counts of the loops"},
    [DWN_TENSOR_B_FLAGS] = {"b.flags", 629, 2, DWN_FIELD_HEX, 7, 37, false,
        "output: flags of the loops, meaning unknown"},
    [DWN_TENSOR_C_BASE] = {"c.base", 957, 16, DWN_FIELD_SIGNED, 0, 0, false,
        "parameters: address of the weights, unit one byte per stored row"},
    [DWN_TENSOR_C_INCREMENT] = {"c.increment", 973, 13, DWN_FIELD_SIGNED, 8, 29, false,
        "parameters: increments of the loops"},
    [DWN_TENSOR_C_COUNT] = {"c.count", 986, 14, DWN_FIELD_COUNT, 8, 29, false,
        "parameters: counts of the loops"},
    [DWN_TENSOR_C_FLAGS] = {"c.flags", 1000, 2, DWN_FIELD_HEX, 7, 29, false,
        "parameters: flags of the loops, meaning unknown"},
    [DWN_TENSOR_D_INCREMENT] = {"d.increment", 1276, 13, DWN_FIELD_SIGNED, 8, 29, false,
        "second operand or partial sums: increments of the loops"},
    [DWN_TENSOR_D_COUNT] = {"d.count", 1289, 14, DWN_FIELD_COUNT, 8, 29, false,
        "second operand or partial sums: counts of the loops"},
    [DWN_TENSOR_D_FLAGS] = {"d.flags", 1303, 2, DWN_FIELD_HEX, 7, 29, false,
        "second operand or partial sums: flags of the loops, meaning unknown"},
    [DWN_TENSOR_CLASS] = {"class", 1560, 16, DWN_FIELD_HEX, 0, 0, true,
        "distinguishes kinds of operations"},
    [DWN_TENSOR_MODE] = {"mode", 1840, 13, DWN_FIELD_HEX, 0, 0, false,
        "kind of operation; 8: weights come from the parameters"},
    [DWN_TENSOR_HAS_WEIGHT_ZEROS] = {"weight_zeros", 1853, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: the parameters have a zero point of weights per row"},
    [DWN_TENSOR_WEIGHT_ZERO] = {"weight_zero", 1854, 8, DWN_FIELD_NUMBER, 0, 0, false,
        "zero point of the weights (multiplication: of the other input)"},
    [DWN_TENSOR_INPUT_ZERO] = {"input_zero", 1870, 8, DWN_FIELD_NUMBER, 0, 0, false,
        "zero point of the input"},
    [DWN_TENSOR_REDUCTION] = {"reduction", 1926, 8, DWN_FIELD_HEX, 0, 0, false,
        "bit k: no output comes while master loop k runs"},
    [DWN_TENSOR_LAST_ROWS] = {"last_rows", 1934, 6, DWN_FIELD_COUNT, 0, 0, false,
        "rows of the last group of outputs"},
    [DWN_TENSOR_FULL_ROWS] = {"full_rows", 1940, 6, DWN_FIELD_COUNT, 0, 0, false,
        "rows of the other groups"},
    [DWN_TENSOR_TABLE] = {"table", 1946, 3, DWN_FIELD_NUMBER, 0, 0, true,
        "not 0: what is clamped goes through the table that `nlutab` has loaded"},
    [DWN_TENSOR_MULTIPLIER] = {"multiplier", 1949, 32, DWN_FIELD_FLOAT, 0, 0, false,
        "factor from the accumulator to the output; 1: also when it is per row"},
    [DWN_TENSOR_HIGH] = {"high", 1981, 32, DWN_FIELD_FLOAT, 0, 0, false,
        "upper clamp, before the zero point is added; infinite: none"},
    [DWN_TENSOR_LOW] = {"low", 2013, 32, DWN_FIELD_FLOAT, 0, 0, false, "lower clamp"},
    [DWN_TENSOR_CONSTANT] = {"constant", 2045, 32, DWN_FIELD_SIGNED, 0, 0, false,
        "added to the accumulator"},
    [DWN_TENSOR_OUTPUT_ZERO] = {"output_zero", 2077, 8, DWN_FIELD_NUMBER, 0, 0, false,
        "zero point of the output"},
    [DWN_TENSOR_HAS_BIAS] = {"bias", 2093, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: the parameters have a bias per row"},
    [DWN_TENSOR_HAS_MULTIPLIERS] = {"multipliers", 2094, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: the parameters have a multiplier per row"},
};

const dwn_field dwn_bundle_rows[DWN_BUNDLE_FIELDS] = {
    [DWN_BUNDLE_PREDICATED] = {"predicated", 0, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: only carried out where the predicate is as `sense`"},
    [DWN_BUNDLE_PREDICATE] = {"predicate", 1, 3, DWN_FIELD_NUMBER, 0, 0, false, "p0 to p7"},
    [DWN_BUNDLE_SENSE] = {"sense", 4, 1, DWN_FIELD_NUMBER, 0, 0, false, "expected predicate"},
    [DWN_BUNDLE_LOAD] = {"load", 12, 2, DWN_FIELD_NUMBER, 0, 0, false,
        "0 none, 1 direct, 2 by register, 3 special"},
    [DWN_BUNDLE_LOAD_TO] = {"load_to", 14, 5, DWN_FIELD_NUMBER, 0, 0, false,
        "register; it has the value two bundles later"},
    [DWN_BUNDLE_LOAD_FROM] = {"load_from", 19, 13, DWN_FIELD_NUMBER, 0, 0, false,
        "word of the scalar memory; by register: the number of the register with it"},
    [DWN_BUNDLE_STORE] = {"store", 32, 4, DWN_FIELD_NUMBER, 0, 0, false,
        "0 none, 1 direct, 2 by register, 3 special, 4 push, 5 descriptor word, 6 send"},
    [DWN_BUNDLE_STORE_TO] = {"store_to", 36, 13, DWN_FIELD_NUMBER, 0, 0, false,
        "as of a load; 5: word 0 to 3 of the descriptor"},
    [DWN_BUNDLE_STORE_FROM] = {"store_from", 49, 5, DWN_FIELD_NUMBER, 0, 0, false, "register"},
    [DWN_BUNDLE_ALU] = {"alu", 54, 5, DWN_FIELD_NUMBER, 0, 0, false, "operation, 0: none"},
    [DWN_BUNDLE_IMMEDIATE_USED] = {"by_immediate", 59, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: the operand is the immediate, 0: the register that its low 5 bits name"},
    [DWN_BUNDLE_TO] = {"to", 60, 5, DWN_FIELD_NUMBER, 0, 0, false,
        "register; of comparisons the predicate"},
    [DWN_BUNDLE_FIRST] = {"first", 65, 5, DWN_FIELD_NUMBER, 0, 0, false, "first source register"},
    [DWN_BUNDLE_IMMEDIATE] = {"immediate", 70, 32, DWN_FIELD_HEX, 0, 0, false,
        "operand; linking fills it with half an address"},
    [DWN_BUNDLE_FUNCTION] = {"function", 102, 3, DWN_FIELD_NUMBER, 0, 0, true,
        "of float32: 2 reciprocal, 3 power of two; 0: none"},
    [DWN_BUNDLE_FUNCTION_TO] = {"function_to", 105, 5, DWN_FIELD_NUMBER, 0, 0, true, "register"},
    [DWN_BUNDLE_FUNCTION_OF] = {"function_of", 110, 5, DWN_FIELD_NUMBER, 0, 0, true, "register"},
};

const dwn_field dwn_branch_rows[DWN_BRANCH_FIELDS] = {
    [DWN_BRANCH_CONDITIONAL] = {"conditional", 12, 1, DWN_FIELD_NUMBER, 0, 0, false,
        "1: only where the predicate is as `sense`"},
    [DWN_BRANCH_PREDICATE] = {"predicate", 13, 3, DWN_FIELD_NUMBER, 0, 0, true, "p0 to p7"},
    [DWN_BRANCH_SENSE] = {"sense", 16, 1, DWN_FIELD_NUMBER, 0, 0, false, "expected predicate"},
    [DWN_BRANCH_OFFSET] = {"offset", 17, 15, DWN_FIELD_SIGNED, 0, 0, false,
        "words from the branch to the next instruction"},
    [DWN_BRANCH_FORM] = {"form", 32, 2, DWN_FIELD_NUMBER, 0, 0, false, "2: relative"},
};

const dwn_field dwn_loop_rows[DWN_LOOP_FIELDS] = {
    [DWN_LOOP_COUNT] = {"count", 12, 16, DWN_FIELD_NUMBER, 0, 0, false, "iterations"},
    [DWN_LOOP_BODY] = {"body", 28, 12, DWN_FIELD_NUMBER, 0, 0, false,
        "how many of the following bundles are repeated"},
};

const dwn_field dwn_halt_rows[DWN_HALT_FIELDS] = {
    [DWN_HALT_MORE] = {"more", 14, 1, DWN_FIELD_NUMBER, 0, 0, false, "1: another chunk follows"},
    [DWN_HALT_LAST] = {"last", 16, 1, DWN_FIELD_NUMBER, 0, 0, false, "1: the program ends"},
};

const dwn_field dwn_frame_rows[DWN_FRAME_FIELDS] = {
    [DWN_FRAME_BITS] = {"bits", 19, 32, DWN_FIELD_NUMBER, 0, 0, false,
        "start: bits between it and the end; end: 128"},
};
// clang-format on

static const dwn_fields families[] = {
    {"tile", tile_rows, HOIST_COUNT_OF(tile_rows)},
    {"fence", fence_rows, HOIST_COUNT_OF(fence_rows)},
    {"mesh", mesh_rows, HOIST_COUNT_OF(mesh_rows)},
    {"tensor", dwn_tensor_rows, DWN_TENSOR_FIELDS},
    {"bundle", dwn_bundle_rows, DWN_BUNDLE_FIELDS},
    {"branch", dwn_branch_rows, DWN_BRANCH_FIELDS},
    {"loop", dwn_loop_rows, DWN_LOOP_FIELDS},
    {"halt", dwn_halt_rows, DWN_HALT_FIELDS},
    {"frame", dwn_frame_rows, DWN_FRAME_FIELDS},
    {"engine", NULL, 0}, // no field is known
    {"mover", dwn_mover_rows, DWN_MOVER_FIELDS},
    {"feed", dwn_feed_rows, DWN_FEED_FIELDS},
    {"copy", dwn_copy_rows, DWN_COPY_FIELDS},
    {"load", dwn_load_rows, DWN_LOAD_FIELDS},
};

#define TILE (&families[0])
#define FENCE (&families[1])
#define MESH (&families[2])
#define TENSOR (&families[3])
#define BUNDLE (&families[4])
#define BRANCH (&families[5])
#define LOOP (&families[6])
#define HALT (&families[7])
#define FRAME (&families[8])
#define ENGINE (&families[9])
#define MOVER (&families[10])
#define FEED (&families[11])
#define COPY (&families[12])
#define LOAD (&families[13])

// Opcodes ----------------------------------------------------------------------------------------

// Opcode 0x00 is not here: it was never seen, and words of zeros are not worth seventeen others.
// clang-format off
static const dwn_opcode opcodes[] = {
    // mnemonic, title, fields, code, words, unit, inferred, length uncertain
    {"tensor",  "tensor operation: all multiply-accumulate work",     TENSOR, 0x01, 17, DWN_UNIT_TENSOR,     true,  false},
    {"tmax",    "tensor operation: maximum",                          TENSOR, 0x02, 17, DWN_UNIT_TENSOR,     true,  false},
    {"tsum",    "tensor operation: sum",                              TENSOR, 0x03, 17, DWN_UNIT_TENSOR,     true,  true},
    {"tresize", "tensor operation: bilinear upsampling",              TENSOR, 0x05, 17, DWN_UNIT_TENSOR,     true,  true},
    {"ring0",   "tile DMA: produces for the ring",                    MOVER,  0x10, 4,  DWN_UNIT_TILE_DMA,   true,  false},
    {"ring1",   "tile DMA: consumes from the ring",                   MOVER,  0x11, 4,  DWN_UNIT_TILE_DMA,   true,  false},
    {"ring2",   "tile DMA: second consumer of the ring",              MOVER,  0x12, 4,  DWN_UNIT_TILE_DMA,   true,  true},
    {"nw0",     "copy between narrow and wide memory",                COPY,   0x13, 7,  DWN_UNIT_TILE_DMA,   true,  false},
    {"nw1",     "copy between narrow and wide memory, the other way", LOAD,   0x14, 7,  DWN_UNIT_TILE_DMA,   true,  false},
    {"mesh0",   "mesh bus from tile to tile, channel 0",              MESH,   0x15, 6,  DWN_UNIT_MESH,       true,  false},
    {"mesh1",   "mesh bus from tile to tile, channel 1",              MESH,   0x16, 6,  DWN_UNIT_MESH,       true,  false},
    {"mesh2",   "mesh bus from tile to tile, channel 2",              MESH,   0x17, 6,  DWN_UNIT_MESH,       true,  false},
    {"mesh3",   "mesh bus from tile to tile, channel 3",              MESH,   0x18, 6,  DWN_UNIT_MESH,       true,  false},
    {"nlutab",  "loads the table of a non-linear function",           TILE,   0x19, 13, DWN_UNIT_TENSOR,     true,  false},
    {"tfence",  "fence between instructions of the tiles",            FENCE,  0x1a, 1,  DWN_UNIT_TILE_SYNC,  true,  false},
    {"s",       "scalar bundle: load, store and ALU at once",         BUNDLE, 0x20, 1,  DWN_UNIT_SCALAR,     false, false},
    {"halt",    "end of the program, or of a chunk",                  HALT,   0x21, 1,  DWN_UNIT_SCALAR,     false, false},
    {"br",      "branch",                                             BRANCH, 0x22, 1,  DWN_UNIT_SCALAR,     false, false},
    {"loop",    "loop over the next bundles",                         LOOP,   0x23, 1,  DWN_UNIT_SCALAR,     false, false},
    {"sfence",  "scalar fence",                                       ENGINE, 0x24, 2,  DWN_UNIT_SCALAR,     true,  false},
    {"sdma1",   "scalar-side DMA engine",                             ENGINE, 0x25, 2,  DWN_UNIT_SCALAR_DMA, true,  false},
    {"sdma2",   "scalar-side DMA engine: feeds the ring",             FEED,   0x26, 4,  DWN_UNIT_SCALAR_DMA, true,  false},
    {"sdma3",   "scalar-side DMA engine: drains the ring",            ENGINE, 0x27, 2,  DWN_UNIT_SCALAR_DMA, true,  false},
    {"start",   "first word of a chunk",                              FRAME,  0x3e, 1,  DWN_UNIT_FRAME,      false, false},
    {"end",     "last word of a chunk",                               FRAME,  0x3f, 1,  DWN_UNIT_FRAME,      false, false},
};
// clang-format on

const dwn_opcode *dwn_opcode_find(uint32_t code)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(opcodes); i++) {
        if (opcodes[i].code == code) {
            return &opcodes[i];
        }
    }
    return NULL;
}

const dwn_opcode *dwn_opcode_at(size_t index)
{
    return index < HOIST_COUNT_OF(opcodes) ? &opcodes[index] : NULL;
}

const dwn_fields *dwn_fields_at(size_t index)
{
    return index < HOIST_COUNT_OF(families) ? &families[index] : NULL;
}

const char *dwn_unit_name(dwn_unit unit)
{
    static const char *const names[DWN_UNIT_COUNT] = {
        [DWN_UNIT_FRAME] = "frame",           [DWN_UNIT_TENSOR] = "tensor",
        [DWN_UNIT_TILE_DMA] = "tile DMA",     [DWN_UNIT_MESH] = "mesh",
        [DWN_UNIT_TILE_SYNC] = "tile",        [DWN_UNIT_SCALAR] = "scalar",
        [DWN_UNIT_SCALAR_DMA] = "scalar DMA",
    };
    HOIST_ASSERT(unit < DWN_UNIT_COUNT);
    return names[unit];
}

// Access -----------------------------------------------------------------------------------------

static uint64_t bit_of(const dwn_field *field, size_t index)
{
    HOIST_ASSERT(index < dwn_field_repeats(field));
    return field->bit + (uint64_t)field->step * index;
}

size_t dwn_field_repeats(const dwn_field *field)
{
    return field->repeat ? field->repeat : 1;
}

uint32_t dwn_field_load(const dwn_field *field, hoist_bytes instruction, size_t index)
{
    return dwn_bits_load(instruction, bit_of(field, index), field->width);
}

int64_t dwn_field_value(const dwn_field *field, hoist_bytes instruction, size_t index)
{
    const int64_t bits = dwn_field_load(field, instruction, index);
    const int64_t sign = INT64_C(1) << (field->width - 1);
    switch ((dwn_field_kind)field->kind) {
    case DWN_FIELD_SIGNED:
        return (bits ^ sign) - sign;
    case DWN_FIELD_COUNT:
        return bits + 1;
    case DWN_FIELD_NUMBER:
    case DWN_FIELD_FLOAT:
    case DWN_FIELD_HEX:
    case DWN_FIELD_KINDS:
        break;
    }
    return bits;
}

void dwn_field_store(const dwn_field *field, hoist_mut_bytes instruction, size_t index,
                     uint32_t bits)
{
    dwn_bits_store(instruction, bit_of(field, index), field->width, bits);
}

void dwn_rest_of(const dwn_opcode *opcode, hoist_bytes instruction, hoist_mut_bytes out_rest)
{
    HOIST_ASSERT(out_rest.size == instruction.size);
    memcpy(out_rest.data, instruction.data, instruction.size);
    dwn_field_store(&dwn_opcode_field, out_rest, 0, 0);
    for (size_t i = 0; i < opcode->fields->count; i++) {
        const dwn_field *field = &opcode->fields->rows[i];
        for (size_t k = 0; k < dwn_field_repeats(field); k++) {
            dwn_field_store(field, out_rest, k, 0);
        }
    }
}
