// Where the parameters of tensor operations come from, by the instructions that move them: a
// reading that knows nothing of layers, with which the order of blocks has to agree.
//
// The caching program feeds the ring with runs of parameters, and each run is taken by the tiles it
// is for, at an address. An operation reads its weights at such an address of its own tiles, or
// they are sent to it: from a tile and address that has them, or by a feed from the host. What is
// sent comes after the operation that it is for, before the next one. [observed in 65 models]
#include <stdlib.h>

#include "base/assert.h"
#include "base/order.h"
#include "formats/darwinn/recover_operation.h"

// Fields of the ring's instructions [observed].
enum {
    SOURCE_PARAMETERS = 0x0480, // of a feed
    FEED_UNIT = 64,             // bytes
    POSITIONS = 1 << 16,
    UNIT_OF_C = 4, // of the addresses of an operation's weights in those of the ring
    TILES = 16,
};

// A run of parameters in the memory of a tile.
typedef struct placement {
    uint32_t place; // tile and address
    uint32_t order; // of the runs
    uint64_t offset;
    uint64_t size; // bytes
} placement;

// Sorted, so that the run below an address is found by bisection.
typedef struct placements {
    placement *items; // in order of place, then of `order`
    size_t count;
} placements;

// What is read of instructions --------------------------------------------------------------------

static uint32_t field_of(hoist_bytes instruction, const dwn_field *row)
{
    return dwn_field_load(row, instruction, 0);
}

static bool is_consumer(uint8_t opcode)
{
    return opcode == DWN_OP_RING_CONSUMER || opcode == DWN_OP_RING_CONSUMER_2;
}

static bool feeds_parameters(uint8_t opcode, hoist_bytes instruction)
{
    return opcode == DWN_OP_FEED &&
           field_of(instruction, &dwn_feed_rows[DWN_FEED_SOURCE]) == SOURCE_PARAMETERS;
}

// The byte where a fed run begins. Positions are counted to 65,536: they go on from the one before.
static uint64_t offset_of(hoist_bytes instruction, uint64_t before)
{
    const uint32_t position = field_of(instruction, &dwn_feed_rows[DWN_FEED_POSITION]);
    const uint64_t least = before / FEED_UNIT;
    uint64_t unit = (position + POSITIONS - 1) % POSITIONS + least / POSITIONS * POSITIONS;
    unit += unit < least ? POSITIONS : 0;
    return unit * FEED_UNIT;
}

// One number to sort by: tile, then address.
static uint32_t place_of(uint32_t tile, uint32_t address)
{
    return tile << 16 | (address & 0xffff);
}

// Placements --------------------------------------------------------------------------------------

typedef struct run { // of the caching program: what a consumer takes of a feed
    uint16_t taken_by;
    uint16_t fed_to;
    uint16_t address;
    uint64_t offset;
} run;

// Feeds and consumers are read into one list: feed i and consumer i are one run if is_paired().
typedef struct runs {
    run *items;
    size_t fed;
    size_t taken;
    uint64_t end; // of the parameters
} runs;

static size_t count_opcode(const dwn_image *image, bool (*counts)(uint8_t))
{
    size_t count = 0;
    for (uint32_t c = 0; c < image->chunk_count; c++) {
        for (size_t i = 0; i < image->chunks[c].stream.count; i++) {
            count += counts(image->chunks[c].stream.instructions[i].opcode);
        }
    }
    return count;
}

static bool is_feed(uint8_t opcode)
{
    return opcode == DWN_OP_FEED;
}

// What is read of one chunk is in the order of the program, and chunks follow each other.
static void read_runs(const dwn_image *image, runs *r)
{
    for (uint32_t c = 0; c < image->chunk_count; c++) {
        const dwn_stream *stream = &image->chunks[c].stream;
        for (size_t i = 0; i < stream->count; i++) {
            const uint8_t opcode = stream->instructions[i].opcode;
            const hoist_bytes bytes = dwn_instruction_bytes(stream, &stream->instructions[i]);
            if (is_consumer(opcode)) {
                run *one = &r->items[r->taken++];
                one->taken_by = (uint16_t)field_of(bytes, &dwn_mover_rows[DWN_HEADER_TILES]);
                one->address = (uint16_t)field_of(bytes, &dwn_mover_rows[DWN_MOVER_ADDRESS]);
            } else if (feeds_parameters(opcode, bytes)) {
                const uint64_t before = r->fed > 0 ? r->items[r->fed - 1].offset : 0;
                run *one = &r->items[r->fed++];
                one->fed_to = (uint16_t)field_of(bytes, &dwn_feed_rows[DWN_FEED_TILES]);
                one->offset = offset_of(bytes, before);
            }
        }
    }
}

// Later runs come last, so that the last at a place is found.
static int by_place(const void *a, const void *b)
{
    const placement *x = a;
    const placement *y = b;
    return x->place != y->place ? hoist_order_u64(x->place, y->place)
                                : hoist_order_u64(x->order, y->order);
}

// Every run is fed to the tiles that take it, in the same order; else nothing is known of any.
static bool is_paired(const runs *r)
{
    bool is_so = r->fed == r->taken;
    for (size_t i = 0; i < r->taken && is_so; i++) {
        is_so = r->items[i].fed_to == r->items[i].taken_by;
    }
    return is_so;
}

// Bytes of a run: up to the next one.
static uint64_t size_of(const runs *r, size_t index)
{
    const uint64_t end = index + 1 < r->fed ? r->items[index + 1].offset : r->end;
    return end > r->items[index].offset ? end - r->items[index].offset : 0;
}

// Where the caching program leaves its runs: empty where feeds and consumers do not pair.
static hoist_status placements_of(const dwn_image *caching, hoist_arena *arena, placements *out)
{
    const size_t taken = count_opcode(caching, is_consumer);
    const size_t fed = count_opcode(caching, is_feed);
    runs r = {.items = hoist_arena_array(arena, taken > fed ? taken : fed, sizeof(*r.items)),
              .end = caching->rows->parameters.size};
    *out = (placements){0};
    if (!r.items) {
        return HOIST_NO_MEMORY;
    }
    read_runs(caching, &r);
    if (!is_paired(&r)) { // nothing is known
        return HOIST_OK;
    }
    size_t most = 0;
    for (size_t i = 0; i < r.taken; i++) {
        most += (size_t)__builtin_popcount(r.items[i].taken_by);
    }
    out->items = hoist_arena_array(arena, most, sizeof(*out->items));
    if (!out->items) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < r.taken; i++) {
        for (uint32_t tile = 0; tile < TILES; tile++) {
            if (r.items[i].taken_by >> tile & 1) {
                out->items[out->count++] = (placement){.place = place_of(tile, r.items[i].address),
                                                       .order = (uint32_t)i,
                                                       .offset = r.items[i].offset,
                                                       .size = size_of(&r, i)};
            }
        }
    }
    if (out->count > 0) {
        qsort(out->items, out->count, sizeof(*out->items), by_place);
    }
    return HOIST_OK;
}

static bool is_up_to(const void *one, const void *place)
{
    return ((const placement *)one)->place <= *(const uint32_t *)place;
}

// The run that was put at a place last, or below it on its tile; NULL: there is none.
static const placement *find_below(const placements *all, uint32_t place)
{
    const size_t after =
        hoist_order_first(all->items, all->count, sizeof *all->items, is_up_to, &place);
    const placement *const at = after > 0 ? &all->items[after - 1] : NULL;
    return at && at->place >> 16 == place >> 16 ? at : NULL;
}

// The run that was put there last. False: none was.
static bool find_placement(const placements *all, uint32_t place, uint64_t *out_offset)
{
    const placement *const at = find_below(all, place);
    const bool is_found = at && at->place == place;
    *out_offset = is_found ? at->offset : 0;
    return is_found;
}

// Supplies ----------------------------------------------------------------------------------------

// The range from the first to the last run; of several sources it is MIXED.
void dwn_supply_add(dwn_supply *supply, const dwn_supply *more)
{
    if (more->source == DWN_SUPPLY_NONE) {
        return;
    }
    if (supply->source == DWN_SUPPLY_NONE) {
        *supply = *more;
        return;
    }
    supply->source = supply->source == more->source ? supply->source : DWN_SUPPLY_MIXED;
    supply->first = supply->first < more->first ? supply->first : more->first;
    supply->last = supply->last > more->last ? supply->last : more->last;
}

bool dwn_supply_is(const dwn_supply *supply, const dwn_piece *piece)
{
    const dwn_supply_source expected = piece->is_cached ? DWN_SUPPLY_CACHED : DWN_SUPPLY_STREAMED;
    return supply->source == expected && supply->first == piece->offset &&
           supply->last - piece->offset < piece->size;
}

// One more run of an operation.
static void add_run(dwn_operation *op, dwn_supply_source source, uint64_t offset)
{
    const dwn_supply one = {.source = source, .first = offset, .last = offset};
    dwn_supply_add(&op->supply, &one);
}

// Bytes of an address of parameters: a word for each row that is stored (16.5), as the parts of the
// layer have it that have most; `op` is the last of them.
static uint64_t unit_of(const dwn_operations *all, const dwn_operation *op)
{
    enum { ROW_STEP = 16, WORD_BYTES = 4 };
    uint64_t rows = op->full_rows;
    uint32_t tiles = op->tiles;
    const dwn_operation *part = op;
    while (part > all->items && dwn_is_same_layer(part - 1, op) && !((part - 1)->tiles & tiles)) {
        part--;
        tiles |= part->tiles;
        rows = part->full_rows > rows ? part->full_rows : rows;
    }
    return (rows + ROW_STEP - 1) / ROW_STEP * ROW_STEP * WORD_BYTES;
}

// What the operation's own tiles have where it reads: of all tiles, or it is not known.
static void find_resident(const placements *all, dwn_operation *op)
{
    dwn_supply found = {0};
    uint64_t offset = 0;
    if (op->c_base < 0 || op->c_base % UNIT_OF_C != 0) { // below the memory, or between two words
        return;
    }
    for (uint32_t tile = 0; tile < TILES; tile++) {
        if (!(op->tiles >> tile & 1)) {
            continue;
        }
        const uint32_t place = place_of(tile, (uint32_t)op->c_base / UNIT_OF_C);
        if (!find_placement(all, place, &offset)) { // one tile without: not known
            return;
        }
        dwn_supply_add(&found, &(dwn_supply){DWN_SUPPLY_CACHED, true, offset, offset});
    }
    op->supply = found;
}

// One tile sends what it has: a run, or more of one whose beginning was sent to the operation. An
// address has `unit` bytes of a run.
static void find_sent(const placements *all, uint64_t unit, hoist_bytes instruction,
                      dwn_operation *op)
{
    const uint32_t tiles = field_of(instruction, &dwn_mover_rows[DWN_HEADER_TILES]);
    const uint32_t address = field_of(instruction, &dwn_mover_rows[DWN_MOVER_ADDRESS]);
    if (__builtin_popcount(tiles) != 1) {
        return;
    }
    const uint32_t place = place_of((uint32_t)__builtin_ctz(tiles), address);
    const placement *const at = find_below(all, place);
    const uint64_t inside = at ? (place - at->place) * unit : 0;
    const bool is_more = at && op->supply.source == DWN_SUPPLY_CACHED &&
                         op->supply.first <= at->offset && op->supply.last >= at->offset;
    if (at && (inside == 0 || (is_more && inside < at->size))) {
        add_run(op, DWN_SUPPLY_CACHED, at->offset + inside);
    }
}

// Where tiles put what they took from the ring last.
typedef struct taken {
    uint32_t at[TILES]; // address + 1; 0: nothing
} taken;

// Whether a tile of these took something to another address.
static bool was_taken_aside(const taken *t, uint16_t tiles, uint32_t address)
{
    bool is_so = false;
    for (uint32_t tile = 0; tile < TILES; tile++) {
        is_so = is_so || ((tiles >> tile & 1) && t->at[tile] != 0 && t->at[tile] != address + 1);
    }
    return is_so;
}

static void note_taken(taken *t, hoist_bytes instruction)
{
    const uint32_t tiles = field_of(instruction, &dwn_mover_rows[DWN_HEADER_TILES]);
    for (uint32_t tile = 0; tile < TILES; tile++) {
        if (tiles >> tile & 1) {
            t->at[tile] = field_of(instruction, &dwn_mover_rows[DWN_MOVER_ADDRESS]) + 1;
        }
    }
}

typedef struct walk {
    placements all;
    taken taken;
    dwn_operations *operations;
    uint32_t next;          // operation
    dwn_operation *current; // the last that is more than a movement; NULL: none
    uint64_t fed;           // offset of the last run from the host
} walk;

// The operation that begins at the word, which is the next one; NULL: none does.
static dwn_operation *operation_at(walk *w, uint32_t chunk, uint32_t word)
{
    dwn_operation *const next =
        w->next < w->operations->count ? &w->operations->items[w->next] : NULL;
    const bool is_here = next && next->at.chunk == chunk && next->at.word == word;
    w->next += is_here;
    return is_here ? next : NULL;
}

// What an instruction adds: an operation with weights in its own tiles, or a run for the one
// before.
static void step(walk *w, dwn_operation *next, uint8_t opcode, hoist_bytes instruction)
{
    if (next) {
        if (next->kind != DWN_KIND_MOVE) {
            find_resident(&w->all, next);
            w->current = next;
        }
        // What the ring brings for it is taken before it, where it reads.
        next->is_misplaced =
            (next->mode & DWN_MODE_PARAMETERS) && !next->supply.is_resident &&
            (next->c_base < 0 || next->c_base % UNIT_OF_C != 0 ||
             was_taken_aside(&w->taken, next->tiles, (uint32_t)next->c_base / UNIT_OF_C));
        return;
    }
    if (is_consumer(opcode)) {
        note_taken(&w->taken, instruction);
    }
    const bool is_sent = opcode == DWN_OP_RING_PRODUCER;
    const bool is_fed = feeds_parameters(opcode, instruction);
    if (is_fed) {
        w->fed = offset_of(instruction, w->fed);
    }
    if (!w->current || w->current->supply.is_resident) { // its own tiles have them all
        return;
    }
    if (is_sent) {
        find_sent(&w->all, unit_of(w->operations, w->current), instruction, w->current);
    } else if (is_fed) {
        add_run(w->current, DWN_SUPPLY_STREAMED, w->fed);
    }
}

// In the order of the program, chunk after chunk: an operation, then the runs that are sent for it.
hoist_status dwn_supply_operations(const dwn_image *main, const dwn_image *caching,
                                   hoist_arena *arena, dwn_operations *operations)
{
    walk w = {.operations = operations};
    if (caching) {
        HOIST_TRY(placements_of(caching, arena, &w.all));
    }
    for (uint32_t c = 0; c < main->chunk_count; c++) {
        const dwn_stream *stream = &main->chunks[c].stream;
        for (size_t i = 0; i < stream->count; i++) {
            const dwn_instruction *in = &stream->instructions[i];
            step(&w, operation_at(&w, c, in->word), in->opcode, dwn_instruction_bytes(stream, in));
        }
    }
    return HOIST_OK;
}

// Parts of a group that have some of their parameters resident and some not are MIXED.
dwn_supply dwn_group_supply(const dwn_operations *all, const dwn_group *group)
{
    dwn_supply supply = {0};
    uint32_t resident = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        resident += op->supply.is_resident;
        dwn_supply_add(&supply, &op->supply);
    }
    if (resident > 0 && resident < group->count) {
        supply.source = DWN_SUPPLY_MIXED;
    }
    return supply;
}
