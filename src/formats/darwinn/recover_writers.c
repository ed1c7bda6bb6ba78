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

// The step of a loop nest that comes to an address. False: none does. Outer loops step over all
// that the inner ones go through, or are those of one step.
static bool find_step(const dwn_traversal *to, int64_t address, uint64_t *out_step)
{
    uint32_t steps[DWN_LOOPS];
    int64_t rest = address - to->base;
    for (size_t i = DWN_LOOPS; i-- > 0;) {
        const dwn_loop *loop = &to->loops[i];
        const bool goes = loop->count > 1 && loop->stride > 0 && rest >= loop->stride;
        const int64_t most = goes ? rest / loop->stride : 0;
        steps[i] = most < loop->count ? (uint32_t)most : loop->count - 1;
        rest -= goes ? (int64_t)steps[i] * loop->stride : 0;
    }
    uint64_t inside = 1;
    *out_step = 0;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        *out_step = dwn_plus(*out_step, dwn_times(steps[i], inside));
        inside = dwn_times(inside, to->loops[i].count);
    }
    return rest == 0;
}

// The address at a step of loops.
static int64_t address_at(int32_t base, const dwn_loop *loops, size_t count, uint64_t step)
{
    uint64_t address = (uint64_t)(int64_t)base; // hostile strides wrap around
    for (size_t i = 0; i < count; i++) {
        address += step % loops[i].count * (uint64_t)loops[i].stride;
        step /= loops[i].count;
    }
    return (int64_t)address;
}

// What a copy into the memory of a tile wrote there becomes what it was copied from. False: it is
// unknown.
static bool follow_copy(const dwn_operations *all, const dwn_copy_in *in, uint64_t step, word *at)
{
    const dwn_copy *copy = in->copy == DWN_NONE ? NULL : &all->copies[in->copy];
    if (!copy || copy->tiles == 0) {
        return false;
    }
    at->tile = (uint32_t)__builtin_ctz(copy->tiles);
    at->address = address_at(copy->base, copy->loops, DWN_MESH_LOOPS, step);
    return true;
}

// Goes back from an operation through the lists of what comes before it.
typedef struct back {
    const dwn_operations *all;
    uint32_t operation, copies_in, fills; // how many are left of each
    word at;
    bool is_unknown;
} back;

// The copies into memory that come right before the next operation, as it is the last.
static void go_through_copies(back *b)
{
    while (b->copies_in > 0 && b->all->copies_in[b->copies_in - 1].operation >= b->operation) {
        const dwn_copy_in *copy = &b->all->copies_in[--b->copies_in];
        uint64_t step = 0;
        if ((copy->tiles >> b->at.tile & 1) && find_step(&copy->to, b->at.address, &step) &&
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
        dwn_traversal to = {.base = fill->base};
        for (size_t i = 0; i < DWN_LOOPS; i++) {
            to.loops[i] = i < DWN_MESH_LOOPS ? fill->loops[i] : (dwn_loop){.count = 1};
        }
        uint64_t step = 0;
        if ((fill->tiles >> b->at.tile & 1) && find_step(&to, b->at.address, &step)) {
            b->is_unknown = true;
        }
    }
}

// All of each list that comes before an operation.
static back begin(const dwn_operations *all, uint32_t operation, word at)
{
    back b = {.all = all, .operation = operation, .at = at};
    b.fills = dwn_fills_before(all, operation + 1);
    uint32_t end = all->copy_in_count;
    while (b.copies_in < end) {
        const uint32_t middle = b.copies_in + (end - b.copies_in) / 2;
        const bool is_before = all->copies_in[middle].operation <= operation;
        b.copies_in = is_before ? middle + 1 : b.copies_in;
        end = is_before ? end : middle;
    }
    return b;
}

static uint32_t writer_of(const dwn_walk *w, uint32_t operation, uint32_t tile, int64_t address)
{
    back b = begin(&w->operations, operation, (word){tile, address});
    for (uint32_t looked = 0; looked < LOOK_BACK; looked++) {
        go_through_copies(&b);
        go_through_fills(&b);
        if (b.is_unknown || b.operation == 0) {
            return DWN_NONE;
        }
        const dwn_operation *op = &w->operations.items[--b.operation];
        uint64_t step = 0;
        if (!(op->tiles >> b.at.tile & 1) || !find_step(&op->b, b.at.address, &step)) {
            continue;
        }
        if (w->owners[b.operation] != DWN_NONE) {
            return w->input_count + w->owners[b.operation];
        }
        if (op->kind != DWN_KIND_MOVE || op->is_elsewhere) {
            return DWN_NONE;
        }
        b.at.address = address_at(op->a.base, op->a.loops, DWN_LOOPS, step);
    }
    return DWN_NONE;
}

// Whether a value is another one, or a part of it, or of its parts.
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

dwn_written dwn_is_written(const dwn_walk *w, const dwn_group *group, int64_t address,
                           uint32_t value)
{
    enum { DEPTH = 4, LAST_TILE = 15 };
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    const uint32_t tile = (uint32_t)__builtin_ctz(part->tiles | 1u << LAST_TILE);
    const uint32_t writer =
        part->is_elsewhere ? DWN_NONE : writer_of(w, group->first, tile, address);
    return writer == DWN_NONE               ? DWN_WRITTEN_UNKNOWN
           : is_in(w, writer, value, DEPTH) ? DWN_WRITTEN_SO
                                            : DWN_WRITTEN_NOT_SO;
}
