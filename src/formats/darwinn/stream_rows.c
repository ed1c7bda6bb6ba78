// The tables of instructions, from darwinn reference sections 8.1, 8.3 to 8.6 and 16.1: the fields
// of each family, the opcodes, and access to a field by its row. stream_tables_docgen.c writes
// docs/formats/edgetpu-instructions.md from them.
#include "formats/darwinn/stream_rows.h"

#include <string.h>

#include "base/assert.h"
#include "base/span.h"

// Fields -----------------------------------------------------------------------------------------

// In the first word of every instruction, of the tiles and of the scalar core.
const dwn_field dwn_opcode_field = {
    .name = "opcode", .bit = 6, .width = 6, .kind = DWN_FIELD_HEX, .title = "opcode"};

// Each family has its rows, and a name.
// clang-format off
#define FAMILY(name, NAME) const dwn_field dwn_##name##_rows[DWN_##NAME##_FIELDS] = {
#define FIELD(index, name, bit, width, kind, ...) {name, bit, width, DWN_FIELD_##kind, __VA_ARGS__},
#define END(name, NAME)                                                                            \
    }; static const dwn_fields name = {#name, dwn_##name##_rows, DWN_##NAME##_FIELDS};
#include "formats/darwinn/stream_fields.inc"
// clang-format on
// Engines of the scalar side of which only the opcode is understood: all bits are shown as words.
static const dwn_fields engine = {"engine", NULL, 0}; // no field is known

// In the order of the page's table. `engine` has no rows to show.
static const dwn_fields *const families[] = {&tile,   &fence, &mesh, &tensor, &bundle,
                                             &branch, &loop,  &halt, &frame,  &mover,
                                             &feed,   &copy,  &load};

// Opcodes ----------------------------------------------------------------------------------------

// Opcode 0x00 is not here: it was never seen, and words of zeros are not worth seventeen others.
// clang-format off
static const dwn_opcode opcodes[] = {
    // mnemonic, title, fields, code, words, unit, inferred, length uncertain
    {"tensor",  "tensor operation: all multiply-accumulate work",     &tensor, 0x01, 17, DWN_UNIT_TENSOR,     true,  false},
    {"tmax",    "tensor operation: maximum",                          &tensor, 0x02, 17, DWN_UNIT_TENSOR,     true,  false},
    {"tsum",    "tensor operation: sum",                              &tensor, 0x03, 17, DWN_UNIT_TENSOR,     true,  true},
    {"tresize", "tensor operation: bilinear upsampling",              &tensor, 0x05, 17, DWN_UNIT_TENSOR,     true,  true},
    {"ring0",   "tile DMA: produces for the ring",                    &mover,  0x10, 4,  DWN_UNIT_TILE_DMA,   true,  false},
    {"ring1",   "tile DMA: consumes from the ring",                   &mover,  0x11, 4,  DWN_UNIT_TILE_DMA,   true,  false},
    {"ring2",   "tile DMA: second consumer of the ring",              &mover,  0x12, 4,  DWN_UNIT_TILE_DMA,   true,  true},
    {"nw0",     "copy between narrow and wide memory",                &copy,   0x13, 7,  DWN_UNIT_TILE_DMA,   true,  false},
    {"nw1",     "copy between narrow and wide memory, the other way", &load,   0x14, 7,  DWN_UNIT_TILE_DMA,   true,  false},
    {"mesh0",   "mesh bus from tile to tile, channel 0",              &mesh,   0x15, 6,  DWN_UNIT_MESH,       true,  false},
    {"mesh1",   "mesh bus from tile to tile, channel 1",              &mesh,   0x16, 6,  DWN_UNIT_MESH,       true,  false},
    {"mesh2",   "mesh bus from tile to tile, channel 2",              &mesh,   0x17, 6,  DWN_UNIT_MESH,       true,  false},
    {"mesh3",   "mesh bus from tile to tile, channel 3",              &mesh,   0x18, 6,  DWN_UNIT_MESH,       true,  false},
    {"nlutab",  "loads the table of a non-linear function",           &tile,   0x19, 13, DWN_UNIT_TENSOR,     true,  false},
    {"tfence",  "fence between instructions of the tiles",            &fence,  0x1a, 1,  DWN_UNIT_TILE_SYNC,  true,  false},
    {"s",       "scalar bundle: load, store and ALU at once",         &bundle, 0x20, 1,  DWN_UNIT_SCALAR,     false, false},
    {"halt",    "end of the program, or of a chunk",                  &halt,   0x21, 1,  DWN_UNIT_SCALAR,     false, false},
    {"br",      "branch",                                             &branch, 0x22, 1,  DWN_UNIT_SCALAR,     false, false},
    {"loop",    "loop over the next bundles",                         &loop,   0x23, 1,  DWN_UNIT_SCALAR,     false, false},
    {"sfence",  "scalar fence",                                       &engine, 0x24, 2,  DWN_UNIT_SCALAR,     true,  false},
    {"sdma1",   "scalar-side DMA engine",                             &engine, 0x25, 2,  DWN_UNIT_SCALAR_DMA, true,  false},
    {"sdma2",   "scalar-side DMA engine: feeds the ring",             &feed,   0x26, 4,  DWN_UNIT_SCALAR_DMA, true,  false},
    {"sdma3",   "scalar-side DMA engine: drains the ring",            &engine, 0x27, 2,  DWN_UNIT_SCALAR_DMA, true,  false},
    {"start",   "first word of a chunk",                              &frame,  0x3e, 1,  DWN_UNIT_FRAME,      false, false},
    {"end",     "last word of a chunk",                               &frame,  0x3f, 1,  DWN_UNIT_FRAME,      false, false},
};
// clang-format on

// Linear: 25 rows, and the common opcodes are not worth a table by code.
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
    return index < HOIST_COUNT_OF(families) ? families[index] : NULL;
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

// Repeated fields are `step` bits apart; the table keeps them inside the instruction.
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
        return (bits ^ sign) - sign; // sign extension without a shift of a negative number
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

// What is left is what no row explains: listings print it, so that nothing of a file is hidden.
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
