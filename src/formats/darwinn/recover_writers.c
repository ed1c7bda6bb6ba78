// Which value an address of a tile has, by the instruction that wrote it last: a reading of
// addresses that knows that memory is used again. In: what comes before an operation, and the
// layers that operations are; out: a value.
//
// Movements and copies over the ring pass on what they read at the same step of their loops. What
// the mesh writes is unknown.
#include "formats/darwinn/recover_work.h"

enum { LOOK_BACK = 2048 }; // operations; bounds time

// A word of a tile.
typedef struct word {
    uint32_t tile;
    int64_t address;
} word;

// What a copy into the memory of a tile wrote there becomes what it was copied from. False: it is
// unknown.
static bool follow_copy(const dwn_operations *all, const dwn_copy_in *in, uint64_t step, word *at)
{
    const dwn_copy *copy = in->copy == DWN_NONE ? NULL : &all->copies[in->copy];
    if (!copy || copy->tiles == 0) {
        return false;
    }
    at->tile = in->is_own ? at->tile : (uint32_t)__builtin_ctz(copy->tiles);
    at->address = dwn_address_at(copy->base, copy->loops, DWN_MESH_LOOPS, step);
    return true;
}

// Goes back from an operation through the lists of what comes before it.
typedef struct back {
    const dwn_operations *all;
    uint32_t operation, copies_in, fills; // how many are left of each
    word at;
    bool is_unknown;
} back;

// The copies into memory that come right before the operation after `operation`, as it is the last.
// A copy that wrote the word leads to where the word was.
static void go_through_copies(back *b)
{
    while (b->copies_in > 0 && b->all->copies_in[b->copies_in - 1].operation >= b->operation) {
        const dwn_copy_in *copy = &b->all->copies_in[--b->copies_in];
        uint64_t step = 0;
        if ((copy->tiles >> b->at.tile & 1) &&
            dwn_find_step(&copy->to, (dwn_channel_rows){0, 0}, b->at.address, &step) &&
            !follow_copy(b->all, copy, step, &b->at)) {
            b->is_unknown = true;
        }
    }
}

// The same of what the mesh writes. What a tile sends may be of another value.
static void go_through_fills(back *b)
{
    while (b->fills > 0 && b->all->fills[b->fills - 1].operation >= b->operation) {
        const dwn_fill *fill = &b->all->fills[--b->fills];
        if ((fill->tiles >> b->at.tile & 1) &&
            dwn_mesh_has(fill->base, fill->loops, b->at.address)) {
            b->is_unknown = true;
        }
    }
}

// By bisection: all lists are in the order of the program.
dwn_spot dwn_spot_before(const dwn_operations *all, uint32_t operation, uint32_t tile,
                         int64_t address)
{
    dwn_spot p = {.operation = operation, .tile = tile, .address = address};
    p.fills = dwn_fills_before(all, operation + 1);
    uint32_t end = all->copy_in_count;
    while (p.copies_in < end) {
        const uint32_t middle = p.copies_in + (end - p.copies_in) / 2;
        const bool is_before = all->copies_in[middle].operation <= operation;
        p.copies_in = is_before ? middle + 1 : p.copies_in;
        end = is_before ? end : middle;
    }
    return p;
}

dwn_spot dwn_spot_copied(const dwn_copy *copy, uint32_t tile)
{
    return (dwn_spot){copy->operation, copy->fills, copy->copies_in, tile, copy->base};
}

// The last copy with these tiles and that address, of those right before `operation`.
const dwn_copy *dwn_copy_for(const dwn_operations *all, const dwn_operation *op, uint32_t tile,
                             uint32_t operation)
{
    enum { ADDRESS = 0x3fff }; // of c.base; the bits above are flags [observed]
    uint32_t end = all->copy_count;
    uint32_t low = 0;
    while (low < end) {
        const uint32_t middle = low + (end - low) / 2;
        const bool is_before = all->copies[middle].operation <= operation;
        low = is_before ? middle + 1 : low;
        end = is_before ? end : middle;
    }
    for (; low > 0 && all->copies[low - 1].operation == operation; low--) {
        const dwn_copy *copy = &all->copies[low - 1];
        if ((copy->tiles >> tile & 1) && copy->to == ((uint32_t)op->c_base & ADDRESS)) {
            return copy;
        }
    }
    return NULL;
}

// Goes back instruction by instruction; each that wrote the word either is the answer, or moves the
// search to where it read the word.
uint32_t dwn_writer_of(const dwn_walk *w, const dwn_spot *spot)
{
    back b = {
        &w->operations, spot->operation, spot->copies_in, spot->fills, {spot->tile, spot->address},
        false};
    for (uint32_t looked = 0; looked < LOOK_BACK; looked++) {
        go_through_copies(&b);
        go_through_fills(&b);
        if (b.is_unknown || b.operation == 0) {
            return DWN_NONE;
        }
        const dwn_operation *op = &w->operations.items[--b.operation];
        uint64_t step = 0;
        if (!(op->tiles >> b.at.tile & 1) ||
            !dwn_find_step(&op->b, (dwn_channel_rows){op->full_rows, op->last_rows}, b.at.address,
                           &step)) {
            continue;
        }
        if (w->owners[b.operation] != DWN_NONE) { // of a layer: its output
            return w->input_count + w->owners[b.operation];
        }
        // From the host, or not understood.
        if (op->kind != DWN_KIND_MOVE || op->is_elsewhere || dwn_lays_out(op)) {
            return DWN_NONE;
        }
        b.at.address = dwn_address_at(op->a.base, op->a.loops, DWN_LOOPS, step);
    }
    return DWN_NONE;
}

// Joins of joins are few; the depth keeps a hostile list from recursing.
static bool is_in(const dwn_walk *w, uint32_t part, uint32_t value, uint32_t depth)
{
    if (part == value) {
        return true;
    }
    const dwn_recovered *layer = value < w->input_count ? NULL : &w->layers[value - w->input_count];
    if (!layer || layer->kind != DWN_KIND_CONCATENATION || depth == 0) {
        return false;
    }
    for (uint32_t i = 0; i < layer->input_count; i++) {
        if (is_in(w, part, dwn_value_of(w, layer->inputs[i]), depth - 1)) {
            return true;
        }
    }
    return false;
}

bool dwn_is_part(const dwn_walk *w, uint32_t part, uint32_t value)
{
    enum { DEPTH = 4 };
    return is_in(w, part, value, DEPTH);
}

dwn_written dwn_has_word(const dwn_walk *w, const dwn_spot *spot, uint32_t value)
{
    const uint32_t writer = dwn_writer_of(w, spot);
    return writer == DWN_NONE              ? DWN_WRITTEN_UNKNOWN
           : dwn_is_part(w, writer, value) ? DWN_WRITTEN_SO
                                           : DWN_WRITTEN_NOT_SO;
}

// Tile 15 where there is none, which bitmaps of hostile files may say.
static uint32_t first_tile(const dwn_operation *op)
{
    enum { LAST_TILE = 15 };
    return (uint32_t)__builtin_ctz(op->tiles | 1u << LAST_TILE);
}

dwn_written dwn_is_written(const dwn_walk *w, const dwn_group *group, int64_t address,
                           uint32_t value)
{
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    const dwn_spot spot = dwn_spot_before(&w->operations, group->first, first_tile(part), address);
    return part->is_elsewhere ? DWN_WRITTEN_UNKNOWN : dwn_has_word(w, &spot, value);
}

// The same for a word of the input, and for what is copied.
uint32_t dwn_written_at(const dwn_walk *w, const dwn_group *group, int64_t after)
{
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    const dwn_spot spot =
        dwn_spot_before(&w->operations, group->first, first_tile(part), part->a.base + after);
    return dwn_writer_of(w, &spot);
}

// The second factor of a multiplication is copied while it runs: the copy is noted before the next
// operation, and the memory is as before this one.
uint32_t dwn_written_copied(const dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    const uint32_t tile = first_tile(part);
    const dwn_copy *copy = dwn_copy_for(&w->operations, part, tile, group->first + group->count);
    if (!copy) {
        return DWN_NONE;
    }
    const dwn_spot spot = dwn_spot_before(&w->operations, group->first, tile, copy->base);
    return dwn_writer_of(w, &spot);
}
