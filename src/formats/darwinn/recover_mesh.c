// What the mesh and the ring move between the memories of tiles, and what is copied out of them.
// In: the instructions of a program in their order; out: lists of dwn_operations, which
// recover_trace.c, recover_writers.c and recover_pad.c read.
//
// A mesh operation has a traversal of what it sends and one of what it writes; the innermost loop
// of either goes from word to word, and is one step of nothing where there is nothing to do. One
// that sends what it has just written passes it on from tile to tile.
#include "formats/darwinn/recover_work.h"

enum { OP_MESH_FIRST = 0x15 };

// The fields of a traversal.
typedef struct way {
    size_t base, increment, count;
} way;

static const way sent = {DWN_MESH_FROM, DWN_MESH_FROM_INCREMENT, DWN_MESH_FROM_COUNT};
static const way written = {DWN_MESH_BASE, DWN_MESH_INCREMENT, DWN_MESH_COUNT};
static const way copied = {DWN_MOVER_ADDRESS, DWN_COPY_INCREMENT, DWN_COPY_COUNT};

// Loops by the increment rule of tensor operations. Hostile numbers make strides that wrap around
// 64 bits.
static void read_loops(const dwn_field *fields, hoist_bytes instruction, const way *from,
                       dwn_loop out[DWN_MESH_LOOPS])
{
    for (size_t i = 0; i < DWN_MESH_LOOPS; i++) {
        out[i] = (dwn_loop){
            .count = (uint32_t)dwn_field_value(&fields[from->count], instruction, i),
            .increment = (int32_t)dwn_field_value(&fields[from->increment], instruction, i)};
    }
    dwn_loops_set_strides(out, DWN_MESH_LOOPS);
}

// Words that are passed on may all be kept in one place on the way.
static bool is_used(const dwn_loop loops[DWN_MESH_LOOPS])
{
    return loops[0].increment != 0 || loops[0].count > 1;
}

static bool is_same(const dwn_loop a[DWN_MESH_LOOPS], const dwn_loop b[DWN_MESH_LOOPS])
{
    bool is_so = true;
    for (size_t i = 0; i < DWN_MESH_LOOPS; i++) {
        is_so = is_so && a[i].count == b[i].count && a[i].stride == b[i].stride;
    }
    return is_so;
}

void dwn_note_mesh(dwn_operations *out, uint8_t opcode, hoist_bytes instruction)
{
    const dwn_field *fields = dwn_opcode_find(opcode)->fields->rows;
    const bool stores = dwn_field_load(&fields[DWN_MESH_STORES], instruction, 0) != 0;
    dwn_send send = {.operation = out->count,
                     .tiles = (uint16_t)dwn_field_load(&fields[DWN_HEADER_TILES], instruction, 0),
                     .channel = (uint8_t)(opcode - OP_MESH_FIRST),
                     .base = (int32_t)dwn_field_value(&fields[sent.base], instruction, 0)};
    dwn_fill fill = {.operation = send.operation,
                     .tiles = send.tiles,
                     .channel = send.channel,
                     .is_sent = !stores,
                     .value = dwn_field_load(&fields[DWN_MESH_IMMEDIATE], instruction, 0),
                     .base = (int32_t)dwn_field_value(&fields[written.base], instruction, 0)};
    read_loops(fields, instruction, &sent, send.loops);
    read_loops(fields, instruction, &written, fill.loops);
    const bool sends = is_used(send.loops);
    const bool writes = is_used(fill.loops);
    fill.is_passed_on = sends && writes && fill.is_sent && fill.base == send.base &&
                        is_same(fill.loops, send.loops);
    if (writes) {
        out->fills[out->fill_count++] = fill;
    }
    if (sends && !fill.is_passed_on) {
        out->sends[out->send_count++] = send;
    }
}

// They are in the order of the program.
uint32_t dwn_fills_before(const dwn_operations *all, uint32_t operation)
{
    uint32_t low = 0;
    uint32_t high = all->fill_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const bool is_before = all->fills[middle].operation < operation;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

void dwn_note_copy(dwn_operations *out, hoist_bytes instruction)
{
    dwn_copy *const copy = &out->copies[out->copy_count++];
    *copy = (dwn_copy){
        .operation = out->count,
        .tiles = (uint16_t)dwn_field_load(&dwn_copy_rows[DWN_HEADER_TILES], instruction, 0),
        .base = (int32_t)dwn_field_value(&dwn_copy_rows[copied.base], instruction, 0)};
    read_loops(dwn_copy_rows, instruction, &copied, copy->loops);
}

// The ring ---------------------------------------------------------------------------------------

enum { UNIT_OF_WIDE = 4 }; // of the addresses of the ring in those of copies

static void note_copy_in(dwn_operations *out, hoist_bytes instruction)
{
    dwn_copy_in *const in = &out->copies_in[out->copy_in_count++];
    *in = (dwn_copy_in){
        .operation = out->count,
        .tiles = (uint16_t)dwn_field_load(&dwn_load_rows[DWN_HEADER_TILES], instruction, 0),
        .copy = DWN_NONE,
        .to.base = (int32_t)dwn_field_load(&dwn_load_rows[DWN_LOAD_BASE], instruction, 0)};
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        in->to.loops[i] = (dwn_loop){.count = 1};
    }
    for (size_t i = 0; i < DWN_LOAD_LOOPS; i++) {
        in->to.loops[i].count =
            (uint32_t)dwn_field_value(&dwn_load_rows[DWN_LOAD_COUNT], instruction, i);
        in->to.loops[i].increment =
            (int32_t)dwn_field_value(&dwn_load_rows[DWN_LOAD_INCREMENT], instruction, i);
    }
    dwn_loops_set_strides(in->to.loops, DWN_LOAD_LOOPS);
}

void dwn_note_ring(dwn_operations *out, dwn_ring *ring, uint8_t opcode, hoist_bytes instruction)
{
    static const uint8_t stages[] = {DWN_OP_COPY_IN, DWN_OP_RING_CONSUMER, DWN_OP_RING_PRODUCER,
                                     DWN_OP_COPY_OUT};
    enum { CONSUMED = 1, PRODUCED, COPIED };
    const uint32_t address = dwn_field_load(&dwn_mover_rows[DWN_MOVER_ADDRESS], instruction, 0);
    const uint16_t tiles =
        (uint16_t)dwn_field_load(&dwn_mover_rows[DWN_HEADER_TILES], instruction, 0);
    const uint32_t wide = dwn_field_load(&dwn_copy_rows[DWN_COPY_WIDE], instruction, 0);
    const bool is_next =
        opcode == stages[ring->stage] &&
        (ring->stage != CONSUMED || (address == ring->address && tiles == ring->tiles)) &&
        (ring->stage != PRODUCED || __builtin_popcount(tiles) == 1) &&
        (ring->stage != COPIED || (wide == ring->address * UNIT_OF_WIDE && tiles == ring->tiles));
    if (opcode == DWN_OP_COPY_IN) {
        note_copy_in(out, instruction);
    } else if (is_next && ring->stage == COPIED) {
        out->copies_in[out->copy_in_count - 1].copy = out->copy_count;
    }
    const bool begins = opcode == DWN_OP_COPY_IN;
    ring->stage = begins ? CONSUMED : is_next && ring->stage < COPIED ? ring->stage + 1 : 0;
    ring->address = address;
    ring->tiles = tiles;
}
