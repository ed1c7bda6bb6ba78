// Tensor operations, decoded and in groups: one layer on tiles with different extents (darwinn
// reference sections 16.1 and 16.2). In: the chunks of a program; out: dwn_operations, with what
// other instructions gave to each operation (recover_given.c, recover_mesh.c, recover_scalar.c).
// recover.c walks over the groups.
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "formats/darwinn/recover_operation.h"
#include "formats/darwinn/scalar.h"

// Decoding ---------------------------------------------------------------------------------------

// The field of an operation that is not repeated.
static int64_t value_of(hoist_bytes instruction, size_t row)
{
    return dwn_field_value(&dwn_tensor_rows[row], instruction, 0);
}

// Product of the reductions outside of a loop that is none: channels that come in parts, between
// which the pixels are gone through.
static uint64_t late_of(hoist_bytes bytes, uint32_t mask)
{
    uint32_t early = 0;
    for (uint32_t k = 0; k < DWN_MASTER_LOOPS; k++) {
        if (!(mask >> k & 1) && dwn_master_product(bytes, 1u << k) > 1) {
            break;
        }
        early |= 1u << k;
    }
    return dwn_master_product(bytes, mask & ~early);
}

// Where upsampling has other numbers than all operations. [observed in eight models]
static dwn_resize resize_of(hoist_bytes bytes)
{
    // Bits of the instruction: where other operations have clamps and the constant.
    enum { PLACE = 8, COLUMNS = 1983, ROWS = 2015, PIXEL = 2045, ROW = 2077, PITCH = 16 };
    return (dwn_resize){
        .start = {dwn_bits_load(bytes, ROWS, PLACE), dwn_bits_load(bytes, COLUMNS, PLACE)},
        .step = {dwn_bits_load(bytes, ROWS + PLACE, PLACE),
                 dwn_bits_load(bytes, COLUMNS + PLACE, PLACE)},
        .pitch = {dwn_bits_load(bytes, ROW, PITCH), dwn_bits_load(bytes, PIXEL, PITCH)}};
}

// All that the instruction itself says; kind, factors and copies follow from those before it.
static dwn_operation operation_of(hoist_bytes bytes, dwn_words at, uint8_t opcode)
{
    dwn_operation op = {
        .at = at,
        .opcode = opcode,
        .tiles = (uint16_t)value_of(bytes, DWN_TENSOR_TILES),
        .mode = (uint16_t)value_of(bytes, DWN_TENSOR_MODE),
        .code = (uint16_t)value_of(bytes, DWN_TENSOR_CLASS),
        .multiplier = (uint32_t)value_of(bytes, DWN_TENSOR_MULTIPLIER),
        .high = (uint32_t)value_of(bytes, DWN_TENSOR_HIGH),
        .low = (uint32_t)value_of(bytes, DWN_TENSOR_LOW),
        .input_zero = (uint8_t)value_of(bytes, DWN_TENSOR_INPUT_ZERO),
        .weight_zero = (uint8_t)value_of(bytes, DWN_TENSOR_WEIGHT_ZERO),
        .output_zero = (uint8_t)value_of(bytes, DWN_TENSOR_OUTPUT_ZERO),
        .has_multipliers = value_of(bytes, DWN_TENSOR_HAS_MULTIPLIERS) != 0,
        .has_bias = value_of(bytes, DWN_TENSOR_HAS_BIAS) != 0,
        .has_weight_zeros = value_of(bytes, DWN_TENSOR_HAS_WEIGHT_ZEROS) != 0,
        .full_rows = (uint32_t)value_of(bytes, DWN_TENSOR_FULL_ROWS),
        .last_rows = (uint32_t)value_of(bytes, DWN_TENSOR_LAST_ROWS),
        .constant = (int32_t)value_of(bytes, DWN_TENSOR_CONSTANT),
        .c_base = (int32_t)value_of(bytes, DWN_TENSOR_C_BASE),
        .steps = dwn_master_product(bytes, DWN_MASTER_ALL),
        .a = dwn_traversal_of(bytes, DWN_TRAVERSAL_A),
        .b = dwn_traversal_of(bytes, DWN_TRAVERSAL_B),
        .is_elsewhere = value_of(bytes, DWN_TENSOR_A_OTHER) != 0,
        .resize = opcode == DWN_OP_RESIZE ? resize_of(bytes) : (dwn_resize){.start = {0}},
    };
    const uint32_t mask = (uint32_t)value_of(bytes, DWN_TENSOR_REDUCTION);
    op.reduction = dwn_master_product(bytes, mask);
    op.late = late_of(bytes, mask);
    op.reductions = (uint8_t)mask;
    for (size_t i = 0; i < DWN_MASTER_LOOPS; i++) {
        op.master[i] = (uint16_t)dwn_field_value(&dwn_tensor_rows[DWN_TENSOR_MASTER], bytes, i);
    }
    // Of a pool: height, which is the second loop, and width, which is the first.
    op.window[0] = mask & 2 ? (uint32_t)dwn_master_product(bytes, 2) : 1;
    op.window[1] = mask & 1 ? (uint32_t)dwn_master_product(bytes, 1) : 1;
    return op;
}

// Constants --------------------------------------------------------------------------------------

// Eight constants are two diagonals of 4 x 4 int16.
enum { CONSTANTS = 8, MESH_CHANNELS = 4, OP_MESH_FIRST = 0x15 };

// Tiles that a channel of the mesh writes to, and those of them that store 0 as none sends to them.
typedef struct channel {
    uint32_t tiles;
    uint32_t last;
} channel;

// What was done before an operation: the last constants other than 0 that mesh operations stored,
// the oldest first, which tiles they sent data to, and what was copied.
typedef struct constants {
    uint32_t values[CONSTANTS];
    uint32_t count;
    bool has_rows_sent, has_columns_sent;
    channel channels[MESH_CHANNELS];
    dwn_copies copies;
    dwn_given given; // of all operations before
} constants;

// Rows of the 4 x 4 tiles, or columns, but not all: those at a border of the image have no
// neighbour there.
static bool are_rows(uint32_t tiles)
{
    const uint32_t left = tiles & 0x1111;
    return tiles != 0 && tiles != UINT16_MAX && tiles == left * 0xf;
}

static bool are_columns(uint32_t tiles)
{
    const uint32_t top = tiles & 0xf;
    return tiles != 0 && tiles != UINT16_MAX && tiles == top * 0x1111;
}

// Whether the tiles where a channel ends are all of a row or column, and not of all: rows of tiles
// begin with 0xf, columns with 0x1111.
static bool ends_in(const channel *c, uint32_t first, uint32_t step)
{
    uint32_t lines = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < DWN_GRID; i++) {
        const uint32_t line = first << i * step; // the line of tiles, from the first on
        lines |= c->last & line ? line : 0;
        count += (c->last & line) != 0;
    }
    return count == 1 && c->last != c->tiles && (c->tiles & lines) == c->last;
}

// A channel sends one way, whichever tiles an instruction names: it goes along columns where it
// ends in the first or the last row of tiles, and along rows where it ends in a column.
static void find_ways(constants *kept)
{
    for (size_t i = 0; i < MESH_CHANNELS; i++) {
        const bool is_row = ends_in(&kept->channels[i], 0xf, DWN_GRID);
        const bool is_column = ends_in(&kept->channels[i], 0x1111, 1);
        kept->has_rows_sent = kept->has_rows_sent || (is_row && !is_column);
        kept->has_columns_sent = kept->has_columns_sent || (is_column && !is_row);
    }
}

// A mesh operation sends or writes (also 0), or it stores a constant: of those the last ones are
// kept.
static void remember(constants *kept, hoist_bytes instruction, uint8_t opcode)
{
    const dwn_field *fields = dwn_opcode_find(opcode)->fields->rows;
    const uint32_t value = dwn_field_load(&fields[DWN_MESH_IMMEDIATE], instruction, 0);
    const bool stores = dwn_field_load(&fields[DWN_MESH_STORES], instruction, 0) != 0;
    if (!stores || value == 0) {
        const uint32_t tiles = dwn_field_load(&fields[DWN_HEADER_TILES], instruction, 0);
        channel *const c = &kept->channels[(opcode - OP_MESH_FIRST) % MESH_CHANNELS];
        c->tiles |= tiles;
        c->last |= stores ? tiles : 0;
        kept->has_rows_sent = kept->has_rows_sent || are_rows(tiles);
        kept->has_columns_sent = kept->has_columns_sent || are_columns(tiles);
        return;
    }
    if (kept->count == CONSTANTS) {
        memmove(kept->values, kept->values + 1, (CONSTANTS - 1) * sizeof(kept->values[0]));
        kept->count--;
    }
    kept->values[kept->count++] = value;
}

// Addresses that are copied again are listed once.
static void remember_copy(constants *kept, hoist_bytes instruction)
{
    dwn_copies *copies = &kept->copies;
    const uint32_t at = dwn_field_load(&dwn_mover_rows[DWN_MOVER_ADDRESS], instruction, 0);
    bool is_new = copies->count < DWN_COPIES;
    for (uint32_t i = 0; i < copies->count; i++) {
        is_new = is_new && copies->at[i] != at;
    }
    if (is_new) {
        copies->at[copies->count++] = (uint16_t)at;
    }
}

// Values that are k, k << 16 again and again: a diagonal of int16 (16.7).
static bool is_diagonal(const uint32_t *values, size_t count)
{
    bool is_so = values[0] <= UINT16_MAX;
    for (size_t i = 0; i < count; i++) {
        is_so = is_so && values[i] == values[0] << i % 2 * 16;
    }
    return is_so;
}

// The factors of an addition are two diagonals: stored whole, or, by early compilers, the first
// half of each, which is copied to the other.
static bool find_factors(const constants *kept, int32_t factors[2])
{
    const size_t half = kept->count / 2;
    const bool is_found = (kept->count == CONSTANTS || kept->count == CONSTANTS / 2) &&
                          is_diagonal(kept->values, half) && is_diagonal(kept->values + half, half);
    for (size_t k = 0; is_found && k < 2; k++) {
        factors[k] = (int16_t)kept->values[k * half];
    }
    return is_found;
}

// Groups -----------------------------------------------------------------------------------------

bool dwn_is_same_layer(const dwn_operation *a, const dwn_operation *b)
{
    if (a->kind == DWN_KIND_NEAREST) { // its other numbers are those of each tile
        return b->kind == a->kind;
    }
    return a->opcode == b->opcode && a->kind == b->kind && a->multiplier == b->multiplier &&
           a->high == b->high && a->low == b->low && a->input_zero == b->input_zero &&
           a->weight_zero == b->weight_zero && a->output_zero == b->output_zero &&
           a->has_multipliers == b->has_multipliers && a->has_bias == b->has_bias &&
           a->has_weight_zeros == b->has_weight_zeros && a->table == b->table &&
           a->constant == b->constant;
}

// Steps that give an output. Additions of early compilers do not count the loop over the operands
// among the reductions: what they write says how many there are.
static uint64_t outputs_of(const dwn_operation *op)
{
    uint64_t written = 1;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        written = dwn_times(written, op->b.loops[i].count);
    }
    return op->kind == DWN_KIND_ADD ? written : op->steps / op->reduction;
}

// Groups have capacity for one per operation.
static void make_groups(dwn_operations *all)
{
    assert(all->groups);
    for (uint32_t i = 0; i < all->count; i++) {
        const dwn_operation *op = &all->items[i];
        dwn_group *last = all->group_count ? &all->groups[all->group_count - 1] : NULL;
        const bool goes_on =
            last && !(last->tiles & op->tiles) && dwn_is_same_layer(&all->items[last->first], op);
        // Tiles that are there already begin another group: a tile carries out an operation once.
        if (!goes_on) {
            last = &all->groups[all->group_count++];
            *last = (dwn_group){.first = i, .widest = i};
        }
        // On all tiles of the operation.
        const uint64_t tiles = (uint64_t)__builtin_popcount(op->tiles);
        last->produced = dwn_plus(last->produced, dwn_times(outputs_of(op), tiles));
        last->tiles |= op->tiles;
        last->count++;
        if (op->steps > all->items[last->widest].steps) {
            last->widest = i;
        }
    }
}

bool dwn_is_tensor(uint8_t opcode)
{
    return opcode == DWN_OP_TENSOR || opcode == DWN_OP_MAX || opcode == DWN_OP_SUM ||
           opcode == DWN_OP_RESIZE;
}

// Whether the scalar core computes float32 numbers: addresses and counts are integers.
// An unknown program that computes with floats may make a value, so it counts as an operation.
static bool computes_floats(uint8_t opcode, hoist_bytes instruction)
{
    enum { FIRST = 0x10, LAST = 0x16 }; // of the ALU's codes
    const dwn_bundle b = opcode == DWN_OP_BUNDLE ? dwn_bundle_of(instruction) : (dwn_bundle){0};
    return b.function != DWN_FUNCTION_NONE || (b.alu >= FIRST && b.alu <= LAST);
}

// A run of what the scalar core computes and no program that is known does: one operation.
static void add_unknown(dwn_operations *out, dwn_words at)
{
    assert(out->items);
    dwn_operation *const last = out->count ? &out->items[out->count - 1] : NULL;
    if (last && last->opcode == DWN_OP_BUNDLE && last->at.chunk == at.chunk) {
        last->at.words = at.word + at.words - last->at.word;
    } else {
        out->items[out->count++] = (dwn_operation){.at = at,
                                                   .opcode = DWN_OP_BUNDLE,
                                                   .kind = DWN_KIND_UNKNOWN,
                                                   .steps = 1,
                                                   .reduction = 1,
                                                   .late = 1};
    }
}

static void decode_chunk(const dwn_stream *stream, uint32_t chunk, constants *kept,
                         dwn_operations *out)
{
    dwn_ring ring = {.stage = 0}; // of the chunk, as transfers do not cross
    dwn_drains drained = {.pending = 0};
    for (size_t i = 0; i < stream->count; i++) {
        const dwn_instruction *in = &stream->instructions[i];
        const hoist_bytes bytes = dwn_instruction_bytes(stream, in);
        size_t next = 0;
        dwn_given_note(&kept->given, in->opcode, bytes); // before the operation that it is for
        if (dwn_opcode_find(in->opcode)->unit == DWN_UNIT_TILE_DMA) {
            dwn_note_ring(out, &ring, in->opcode, bytes);
        }
        dwn_note_drain(out, stream, i, chunk, &drained);
        if (dwn_scalar_softmax(stream, i, chunk, &out->items[out->count], &next)) {
            out->count++;
            i = next - 1;
        } else if (computes_floats(in->opcode, bytes)) {
            const dwn_words at = {chunk, in->word, in->words};
            add_unknown(out, at);
        } else if (dwn_is_tensor(in->opcode)) {
            const dwn_words at = {chunk, in->word, in->words};
            dwn_operation *op = &out->items[out->count++];
            *op = operation_of(bytes, at, in->opcode);
            op->fence = out->fence_count;
            dwn_given_to(&kept->given, bytes, op);
            op->kind = dwn_operation_kind(op);
            op->has_factors = find_factors(kept, op->factors);
            // Constants belong to the next operation, also where that moves data; what was sent or
            // copied lasts until the next operation that is more than that.
            kept->count = 0;
            find_ways(kept);
            op->has_rows_sent = kept->has_rows_sent;
            op->has_columns_sent = kept->has_columns_sent;
            op->copies = kept->copies;
            if (op->kind != DWN_KIND_MOVE) {
                *kept = (constants){.given = kept->given};
            }
        } else if (in->opcode == DWN_OP_COPY_OUT) {
            remember_copy(kept, bytes);
            dwn_note_copy(out, bytes);
        } else if (dwn_opcode_find(in->opcode)->unit == DWN_UNIT_MESH) {
            remember(kept, bytes, in->opcode);
            dwn_note_mesh(out, in->opcode, bytes);
        } else if (in->opcode == DWN_OP_FENCE) {
            out->fence_count++;
        }
    }
}

// Two passes: the first counts instructions, so that each list has its memory at once. The numbers
// are bounded by the bytes of the program.
hoist_status dwn_operations_of(const dwn_chunk *chunks, uint32_t chunk_count, hoist_arena *arena,
                               dwn_operations *out)
{
    *out = (dwn_operations){0};
    uint32_t count = 0;
    uint32_t meshes = 0;
    uint32_t copies = 0;
    uint32_t copies_in = 0;
    uint32_t drains = 0;
    for (uint32_t c = 0; c < chunk_count; c++) {
        for (size_t i = 0; i < chunks[c].stream.count; i++) {
            const uint8_t opcode = chunks[c].stream.instructions[i].opcode;
            meshes += dwn_opcode_find(opcode)->unit == DWN_UNIT_MESH;
            copies += opcode == DWN_OP_COPY_OUT;
            copies_in += opcode == DWN_OP_COPY_IN;
            drains += opcode == DWN_OP_DRAIN;
            count += dwn_is_tensor(opcode) || opcode == DWN_OP_BRANCH; // a softmax has one
        }
        count++;
    }
    count *= 2; // between any two what the scalar core computes; instructions have 16 bytes
    out->items = hoist_arena_array(arena, count, sizeof(*out->items));
    out->groups = hoist_arena_array(arena, count, sizeof(*out->groups));
    out->fills = hoist_arena_array(arena, meshes, sizeof(*out->fills));
    out->sends = hoist_arena_array(arena, meshes, sizeof(*out->sends));
    out->copies = hoist_arena_array(arena, copies, sizeof(*out->copies));
    out->copies_in = hoist_arena_array(arena, copies_in, sizeof(*out->copies_in));
    out->drains = hoist_arena_array(arena, drains, sizeof(*out->drains));
    if (!out->items || !out->groups || !out->fills || !out->sends || !out->copies ||
        !out->copies_in || !out->drains) {
        return HOIST_NO_MEMORY;
    }
    constants kept = {.count = 0};
    for (uint32_t c = 0; c < chunk_count; c++) {
        decode_chunk(&chunks[c].stream, c, &kept, out);
    }
    make_groups(out);
    return HOIST_OK;
}
