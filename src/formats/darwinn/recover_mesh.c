// What the mesh and the ring move between the memories of tiles, and what is copied out of them.
// In: the instructions of a program in their order; out: lists of dwn_operations, which
// recover_trace.c, recover_writers.c and recover_pad.c read.
//
// A mesh operation has a traversal of what it sends and one of what it writes; the innermost loop
// of either goes from word to word, and is one step of nothing where there is nothing to do. One
// that sends what it has just written passes it on from tile to tile.
#include "base/order.h"
#include "formats/darwinn/recover_operation.h"

enum {
    OP_MESH_FIRST = 0x15,
    UNIT_OF_WIDE = 4, // of the addresses of the ring in those of copies
};

// The fields of a traversal.
typedef struct way {
    size_t base, increment, count;
} way;

static const way sent = {DWN_MESH_FROM, DWN_MESH_FROM_INCREMENT, DWN_MESH_FROM_COUNT};
static const way written = {DWN_MESH_BASE, DWN_MESH_INCREMENT, DWN_MESH_COUNT};
static const way copied = {DWN_COPY_ADDRESS, DWN_COPY_INCREMENT, DWN_COPY_COUNT};

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

// Where a mesh operation has its cut: the words less 1, the number of the loop, and whether there
// is one. [observed: in all models with groups of channels that have different words]
static dwn_cut read_cut(hoist_bytes instruction, uint32_t at)
{
    enum { WORDS = 16, LOOP = 2, HAS = 21 };
    const bool has = dwn_bits_load(instruction, at + HAS, 1) != 0;
    return (dwn_cut){.loop = dwn_bits_load(instruction, at + WORDS, LOOP),
                     .words = has ? dwn_bits_load(instruction, at, WORDS) + 1 : 0};
}

// Whether there is anything to do. Words that are passed on may all be kept in one place on the
// way, so that an increment without steps counts as well.
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

// An operation is listed among the fills, the sends, or both; one that passes on what it gets is a
// fill only.
void dwn_note_mesh(dwn_operations *out, uint8_t opcode, hoist_bytes instruction)
{
    enum { WAITS = 4 * 128 + 8 }; // a bit for each thing that it waits for [observed]
    enum { SENT_CUT = 128 + 105, WRITTEN_CUT = 3 * 128 + 54 };
    const dwn_field *fields = dwn_opcode_find(opcode)->fields->rows;
    const bool stores = dwn_field_load(&fields[DWN_MESH_STORES], instruction, 0) != 0;
    dwn_send send = {.operation = out->count,
                     .tiles = (uint16_t)dwn_field_load(&fields[DWN_HEADER_TILES], instruction, 0),
                     .channel = (uint8_t)(opcode - OP_MESH_FIRST),
                     .waits =
                         (uint32_t)__builtin_popcount(dwn_bits_load(instruction, WAITS, DWN_WAITS)),
                     .cut = read_cut(instruction, SENT_CUT),
                     .fence = out->fence_count,
                     .base = (int32_t)dwn_field_value(&fields[sent.base], instruction, 0)};
    dwn_fill fill = {.operation = send.operation,
                     .tiles = send.tiles,
                     .channel = send.channel,
                     .is_sent = !stores,
                     .fence = out->fence_count,
                     .cut = read_cut(instruction, WRITTEN_CUT),
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
    send.is_passing_own = writes && fill.is_sent && dwn_mesh_has(send.base, send.loops, fill.base);
    send.fill = send.is_passing_own ? out->fill_count - 1 : 0;
    if (sends && !fill.is_passed_on) {
        out->sends[out->send_count++] = send;
    }
}

static bool operation_is_before(const void *fill, const void *operation)
{
    return ((const dwn_fill *)fill)->operation < *(const uint32_t *)operation;
}

// They are in the order of the program.
uint32_t dwn_fills_before(const dwn_operations *all, uint32_t operation)
{
    return (uint32_t)hoist_order_first(all->fills, all->fill_count, sizeof *all->fills,
                                       operation_is_before, &operation);
}

// Copies are numbered in the order of the program; what was filled and copied in before is noted,
// as it is what the copy reads.
void dwn_note_copy(dwn_operations *out, hoist_bytes instruction)
{
    dwn_copy *const copy = &out->copies[out->copy_count++];
    *copy = (dwn_copy){
        .operation = out->count,
        .tiles = (uint16_t)dwn_field_load(&dwn_copy_rows[DWN_HEADER_TILES], instruction, 0),
        .fills = out->fill_count,
        .copies_in = out->copy_in_count,
        .base = (int32_t)dwn_field_value(&dwn_copy_rows[copied.base], instruction, 0),
        .to = (uint16_t)dwn_field_load(&dwn_copy_rows[DWN_COPY_WIDE], instruction, 0)};
    read_loops(dwn_copy_rows, instruction, &copied, copy->loops);
}

// The ring ---------------------------------------------------------------------------------------

// What the same tiles copied to an address of the ring last, since the operation before; DWN_NONE:
// nothing.
static uint32_t own_copy(const dwn_operations *all, uint16_t tiles, uint32_t address)
{
    for (uint32_t i = all->copy_count; i > 0 && all->copies[i - 1].operation == all->count; i--) {
        const dwn_copy *copy = &all->copies[i - 1];
        if ((copy->tiles & tiles) && copy->to == address * UNIT_OF_WIDE) {
            return (tiles & ~copy->tiles) == 0 ? i - 1 : DWN_NONE; // all tiles, or nothing is known
        }
    }
    return DWN_NONE;
}

// What a tile copied out to the same address is its own; anything else is of the ring.
static void note_copy_in(dwn_operations *out, hoist_bytes instruction)
{
    const uint32_t address = dwn_field_load(&dwn_load_rows[DWN_LOAD_ADDRESS], instruction, 0);
    const uint16_t tiles =
        (uint16_t)dwn_field_load(&dwn_load_rows[DWN_HEADER_TILES], instruction, 0);
    dwn_copy_in *const in = &out->copies_in[out->copy_in_count++];
    *in = (dwn_copy_in){.operation = out->count,
                        .sends = out->send_count,
                        .tiles = tiles,
                        .copy = own_copy(out, tiles, address),
                        .to.base =
                            (int32_t)dwn_field_load(&dwn_load_rows[DWN_LOAD_BASE], instruction, 0)};
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
    in->is_own = in->copy != DWN_NONE;
}

// Whether a copy brings biases and the like, which are not where operations read values. [observed:
// set where the second consumer of the ring takes parameters, and only there, in 65 models]
static bool is_of_parameters(hoist_bytes instruction)
{
    enum { PARAMETERS = 4 * 128 + 101 };
    return dwn_bits_load(instruction, PARAMETERS, 1) != 0;
}

// Follows a transfer from the receiver back to the sender, in the order of `stages`: each has the
// address, or the tiles, of the one before.
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
    if (opcode == DWN_OP_COPY_IN && is_of_parameters(instruction)) {
        ring->stage = 0;
        return;
    }
    if (opcode == DWN_OP_COPY_IN) {
        note_copy_in(out, instruction);
    } else if (opcode == DWN_OP_RING_CONSUMER && ring->stage == CONSUMED) {
        dwn_copy_in *const in = &out->copies_in[out->copy_in_count - 1];
        in->copy = DWN_NONE; // what the ring brings may be it
        in->is_own = false;
    } else if (is_next && ring->stage == COPIED) {
        out->copies_in[out->copy_in_count - 1].copy = out->copy_count;
    }
    const bool begins = opcode == DWN_OP_COPY_IN;
    ring->stage = begins ? CONSUMED : is_next && ring->stage < COPIED ? ring->stage + 1 : 0;
    ring->address = address;
    ring->tiles = tiles;
}

// What goes to the host --------------------------------------------------------------------------

// The last copy of a tile to an address of the ring; DWN_NONE: there is none.
static uint32_t copy_to(const dwn_operations *all, uint16_t tiles, uint32_t address)
{
    enum { LOOK_BACK = 256 }; // bounds time
    const uint32_t count = all->copy_count;
    for (uint32_t back = 1; back <= count && back <= LOOK_BACK; back++) {
        const dwn_copy *copy = &all->copies[count - back];
        if ((copy->tiles & tiles) && copy->to == address * UNIT_OF_WIDE) {
            return count - back;
        }
    }
    return DWN_NONE;
}

// A drain is noted also where its copy is unknown: dwn_is_sent() then knows nothing of its output.
static void note_producer(dwn_operations *out, hoist_bytes producer, dwn_words at, bool is_after)
{
    const uint32_t address = dwn_field_load(&dwn_mover_rows[DWN_MOVER_ADDRESS], producer, 0);
    const uint16_t tiles = (uint16_t)dwn_field_load(&dwn_mover_rows[DWN_HEADER_TILES], producer, 0);
    const bool is_one = __builtin_popcount(tiles) == 1;
    out->drains[out->drain_count++] =
        (dwn_drain){.at = at,
                    .is_after = is_after,
                    .tile = is_one ? (uint32_t)__builtin_ctz(tiles) : 0,
                    .copy = is_one ? copy_to(out, tiles, address) : DWN_NONE,
                    .output = DWN_NONE,
                    .values = {DWN_NONE, DWN_NONE}};
}

// The drains of a run take from the producers of the run before them, one each.
static bool takes_ready(dwn_drains *d, uint8_t opcode)
{
    const bool is_between = opcode >= DWN_OP_TILES && opcode != DWN_OP_FEED;
    d->ready = is_between || opcode == DWN_OP_RING_PRODUCER ? d->ready : 0;
    return opcode == DWN_OP_DRAIN && d->ready > 0;
}

// Three orders are known: producer after the drain, producers before a run of drains, and a
// producer right before a drain to the core itself (recover_sent.c).
void dwn_note_drain(dwn_operations *out, const dwn_stream *stream, size_t index, uint32_t chunk,
                    dwn_drains *d)
{
    enum { TO_HOST = 128 + 100 }; // bit of a drain [inferred]
    const dwn_instruction *in = &stream->instructions[index];
    const hoist_bytes bytes = dwn_instruction_bytes(stream, in);
    const dwn_words at = {chunk, in->word, in->words};
    const bool is_to_host = in->opcode == DWN_OP_DRAIN && dwn_bits_load(bytes, TO_HOST, 1);
    if (takes_ready(d, in->opcode) && is_to_host) {
        note_producer(out, dwn_instruction_bytes(stream, &stream->instructions[d->first++]), at,
                      true);
        d->ready--;
    } else if (in->opcode == DWN_OP_RING_PRODUCER && d->pending > 0) {
        d->pending--;
        note_producer(out, bytes, at, true);
    } else if (in->opcode == DWN_OP_RING_PRODUCER) {
        d->first = d->ready > 0 ? d->first : index;
        d->ready++;
    } else if (is_to_host) {
        d->pending++;
    } else if (in->opcode == DWN_OP_DRAIN) {
        // A fence of the scalar core may be between both.
        const size_t back = index > 1 && in[-1].opcode == DWN_OP_SCALAR_FENCE ? 2 : 1;
        if (index >= back && in[-(ptrdiff_t)back].opcode == DWN_OP_RING_PRODUCER) {
            note_producer(out, dwn_instruction_bytes(stream, in - back), at, false);
        }
        d->ready = 0;
    }
}
