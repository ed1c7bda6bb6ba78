// Tensor operations, decoded and in groups: one layer on tiles with different extents (darwinn
// reference sections 16.1 and 16.2).
#include <string.h>

#include "base/checked.h"
#include "formats/darwinn/recover_work.h"

// Decoding ---------------------------------------------------------------------------------------

static int64_t value_of(hoist_bytes instruction, size_t row)
{
    return dwn_field_value(&dwn_tensor_rows[row], instruction, 0);
}

// The product of the master counts whose bit in `mask` is set; UINT64_MAX: it does not fit.
static uint64_t master_product(hoist_bytes instruction, uint32_t mask)
{
    uint64_t product = 1;
    for (size_t k = 0; k < DWN_MASTER_LOOPS; k++) {
        const int64_t count = dwn_field_value(&dwn_tensor_rows[DWN_TENSOR_MASTER], instruction, k);
        if ((mask >> k & 1) && hoist_ckd_mul(&product, product, (uint64_t)count)) {
            return UINT64_MAX;
        }
    }
    return product;
}

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
        .steps = dwn_master_product(bytes),
        .a = dwn_traversal_of(bytes, DWN_TRAVERSAL_A),
        .b = dwn_traversal_of(bytes, DWN_TRAVERSAL_B),
    };
    const uint32_t mask = (uint32_t)value_of(bytes, DWN_TENSOR_REDUCTION);
    op.reduction = master_product(bytes, mask);
    op.kind = dwn_operation_kind(&op);
    return op;
}

// Constants --------------------------------------------------------------------------------------

enum { CONSTANTS = 8 };

// What was done before an operation: the last constants other than 0 that mesh operations stored,
// the oldest first, which tiles they sent data to, and what was copied.
typedef struct constants {
    uint32_t values[CONSTANTS];
    uint32_t count;
    bool has_rows_sent, has_columns_sent;
    dwn_copies copies;
} constants;

static bool is_mesh(uint8_t opcode)
{
    const dwn_opcode *row = dwn_opcode_find(opcode);
    return row && row->unit == DWN_UNIT_MESH;
}

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

static void remember(constants *kept, hoist_bytes instruction, uint8_t opcode)
{
    const dwn_field *fields = dwn_opcode_find(opcode)->fields->rows;
    const uint32_t value = dwn_field_load(&fields[DWN_MESH_IMMEDIATE], instruction, 0);
    if (dwn_field_load(&fields[DWN_MESH_STORES], instruction, 0) == 0 || value == 0) {
        const uint32_t tiles = dwn_field_load(&fields[DWN_HEADER_TILES], instruction, 0);
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

// Four values that are k, k << 16, k, k << 16: a diagonal of int16 (16.7).
static bool is_diagonal(const uint32_t values[4])
{
    return values[0] <= UINT16_MAX && values[1] == values[0] << 16 && values[2] == values[0] &&
           values[3] == values[1];
}

static void take_factors(const constants *kept, dwn_operation *op)
{
    op->has_factors = kept->count == CONSTANTS && is_diagonal(kept->values) &&
                      is_diagonal(kept->values + CONSTANTS / 2);
    for (size_t i = 0; op->has_factors && i < 2; i++) {
        op->factors[i] = (int16_t)kept->values[i * CONSTANTS / 2];
    }
}

// Groups -----------------------------------------------------------------------------------------

// Whether both are the same layer, on whatever tiles.
static bool is_same_layer(const dwn_operation *a, const dwn_operation *b)
{
    return a->opcode == b->opcode && a->kind == b->kind && a->multiplier == b->multiplier &&
           a->high == b->high && a->low == b->low && a->input_zero == b->input_zero &&
           a->weight_zero == b->weight_zero && a->output_zero == b->output_zero &&
           a->has_multipliers == b->has_multipliers && a->has_bias == b->has_bias &&
           a->has_weight_zeros == b->has_weight_zeros;
}

// Steps that give an output, on all tiles of the operation.
static uint64_t produced_by(const dwn_operation *op)
{
    const uint64_t tiles = (uint64_t)__builtin_popcount(op->tiles);
    uint64_t product = 0;
    return hoist_ckd_mul(&product, op->steps / op->reduction, tiles) ? UINT64_MAX : product;
}

static void join(const dwn_operations *all, dwn_group *group, uint32_t index)
{
    const dwn_operation *op = &all->items[index];
    if (hoist_ckd_add(&group->produced, group->produced, produced_by(op))) {
        group->produced = UINT64_MAX;
    }
    group->tiles |= op->tiles;
    group->count++;
    if (op->steps > all->items[group->widest].steps) {
        group->widest = index;
    }
}

static void make_groups(dwn_operations *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        dwn_group *last = all->group_count ? &all->groups[all->group_count - 1] : NULL;
        const bool goes_on = last && !(last->tiles & all->items[i].tiles) &&
                             is_same_layer(&all->items[last->first], &all->items[i]);
        if (!goes_on) {
            last = &all->groups[all->group_count++];
            *last = (dwn_group){.first = i, .widest = i};
        }
        join(all, last, i);
    }
}

bool dwn_is_tensor(uint8_t opcode)
{
    return opcode == DWN_OP_TENSOR || opcode == DWN_OP_MAX || opcode == DWN_OP_SUM ||
           opcode == DWN_OP_RESIZE;
}

static uint32_t count_operations(const dwn_chunk *chunks, uint32_t chunk_count)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < chunk_count; c++) {
        for (size_t i = 0; i < chunks[c].stream.count; i++) {
            count += dwn_is_tensor(chunks[c].stream.instructions[i].opcode);
        }
    }
    return count;
}

static void decode_chunk(const dwn_stream *stream, uint32_t chunk, constants *kept,
                         dwn_operations *out)
{
    for (size_t i = 0; i < stream->count; i++) {
        const dwn_instruction *in = &stream->instructions[i];
        const hoist_bytes bytes = dwn_instruction_bytes(stream, in);
        if (dwn_is_tensor(in->opcode)) {
            const dwn_words at = {chunk, in->word, in->words};
            dwn_operation *op = &out->items[out->count++];
            *op = operation_of(bytes, at, in->opcode);
            take_factors(kept, op);
            kept->count = 0;
            op->has_rows_sent = kept->has_rows_sent;
            op->has_columns_sent = kept->has_columns_sent;
            op->copies = kept->copies;
            if (op->kind != DWN_KIND_MOVE) {
                *kept = (constants){.count = 0};
            }
        } else if (in->opcode == DWN_OP_COPY_OUT) {
            remember_copy(kept, bytes);
        } else if (is_mesh(in->opcode)) {
            remember(kept, bytes, in->opcode);
        }
    }
}

hoist_status dwn_operations_of(const dwn_chunk *chunks, uint32_t chunk_count, hoist_arena *arena,
                               dwn_operations *out)
{
    *out = (dwn_operations){0};
    const uint32_t count = count_operations(chunks, chunk_count);
    out->items = hoist_arena_array(arena, count, sizeof(*out->items));
    out->groups = hoist_arena_array(arena, count, sizeof(*out->groups));
    if (!out->items || !out->groups) {
        return HOIST_NO_MEMORY;
    }
    constants kept = {.count = 0};
    for (uint32_t c = 0; c < chunk_count; c++) {
        decode_chunk(&chunks[c].stream, c, &kept, out);
    }
    make_groups(out);
    return HOIST_OK;
}
