// The bytes that views touch, as ranges of a buffer, of a space's addresses or of a fifo's slots:
// views of a step in, entries of o->ranges out, for order_race.c. Strided views are cut into runs
// of bytes that follow each other; one with more than MAX_RUNS of them is noted as inexact, by the
// range around it.
#include "base/alloc.h"
#include "machine/order_state.h"
#include "machine/state.h"

// A tile in memory that the runtime owns: 1,024 float32.
#define TILE_BYTES 4096
// Intervals of one strided view; beyond this its envelope is taken for them.
#define MAX_RUNS 1024

static void touch(hoist_order *o, const hoist_order_range *range)
{
    if (range->end > range->begin) {
        (void)hoist_order_add(o, &o->ranges, range);
    }
}

void hoist_order_touch_pointer(hoist_order *o, uint32_t event, hoist_ref fifo,
                               hoist_fifo_pointer pointer, bool write)
{
    // A ram has one read pointer.
    const bool ram = o->program->fifos[fifo].kind == HOIST_FIFO_RAM;
    const bool reads = pointer == HOIST_POINTER_BEGIN || (ram && pointer == HOIST_POINTER_LOCAL);
    const unsigned which = reads ? HOIST_POINTER_READ : pointer;
    const hoist_order_range range = {
        .memory = hoist_order_memory_of(HOIST_ORDER_POINTER, 4 * (uint64_t)fifo + which),
        .end = 1,
        .event = event,
        .write = write,
        .exact = true};
    touch(o, &range);
}

// Where the bytes of `buffer` begin: fills `memory`, `call` and `begin` of `range`.
static void locate_buffer(const hoist_order *o, hoist_ref buffer, uint64_t call,
                          hoist_order_range *range)
{
    uint64_t offset = 0;
    const hoist_ref root = hoist_prog_root(o->program, buffer, &offset);
    const hoist_prog_buffer *b = &o->program->buffers[root];
    // By address where other views may name the same bytes by their addresses, or another buffer
    // lies on them.
    const bool by_address = b->placed && (o->addressed[b->space] || o->shares[root]);
    range->memory = by_address ? hoist_order_memory_of(HOIST_ORDER_SPACE, b->space)
                               : hoist_order_memory_of(HOIST_ORDER_BUFFER, root);
    // Each call of a function has such buffers of its own.
    range->call = b->lifetime == HOIST_LIFETIME_CALL ? call : 0;
    range->begin = (by_address ? b->address : 0) + offset;
}

// One slot, `size` bytes from `from` on; of all parts when it has several.
static void touch_slot_bytes(hoist_order *o, hoist_order_range range, const hoist_place *place,
                             uint64_t from, uint64_t size)
{
    const hoist_prog_fifo *f = &o->program->fifos[place->fifo];
    const uint64_t start = (uint64_t)place->slot * f->slot_bytes + from;
    // All parts get the same bytes of a slot, so that one represents all.
    if (o->fifos[place->fifo].is_private) {
        range.memory = hoist_order_memory_of(HOIST_ORDER_FIFO, place->fifo);
        range.begin = start;
        range.end = start + size;
        touch(o, &range);
        return;
    }
    // Shared parts are named as buffers, header included, so that views of these meet them.
    for (uint32_t i = 0; i < f->part_count; i++) {
        locate_buffer(o, f->parts[i], 0, &range);
        range.begin += f->header + start;
        range.end = range.begin + size;
        touch(o, &range);
    }
}

void hoist_order_touch_slot(hoist_order *o, uint32_t event, hoist_ref fifo, uint32_t slot,
                            bool write)
{
    const hoist_order_range range = {.event = event, .write = write, .exact = true};
    const hoist_place place = {.fifo = fifo, .slot = slot};
    touch_slot_bytes(o, range, &place, 0, o->program->fifos[fifo].slot_bytes);
}

// Strided views ---------------------------------------------------------------------------------

// Dimensions of a strided view without those that repeat one element, all strides positive,
// innermost first, and what runs on joined together.
typedef struct runs {
    int64_t start; // bytes from the view's offset
    int64_t size;  // bytes of one run
    int rank;      // of what is left
    int64_t dim[HOIST_MAX_RANK];
    int64_t stride[HOIST_MAX_RANK];
    bool empty;
} runs;

static void insert_dimension(runs *r, int64_t dim, int64_t stride)
{
    int at = r->rank++;
    // Insertion sort by stride, ascending.
    while (at > 0 && r->stride[at - 1] > stride) {
        r->dim[at] = r->dim[at - 1];
        r->stride[at] = r->stride[at - 1];
        at--;
    }
    r->dim[at] = dim;
    r->stride[at] = stride;
}

static runs runs_of(const hoist_prog_layout *layout, int64_t element)
{
    runs r = {.size = element};
    for (int i = 0; i < layout->shape.rank; i++) {
        const int64_t dim = layout->shape.dim[i];
        const int64_t stride = layout->stride[i];
        r.empty = r.empty || dim <= 0;
        if (dim <= 1 || stride == 0) { // no further element: one, or the same again
            continue;
        }
        if (stride < 0) { // from the lowest address on
            r.start += stride * (dim - 1);
        }
        insert_dimension(&r, dim, stride < 0 ? -stride : stride);
    }
    int used = 0;
    // As long as the next dimension begins within the run or right after it, both are one run.
    while (used < r.rank && r.stride[used] <= r.size) {
        r.size += r.stride[used] * (r.dim[used] - 1);
        used++;
    }
    for (int i = used; i < r.rank; i++) {
        r.dim[i - used] = r.dim[i];
        r.stride[i - used] = r.stride[i];
    }
    r.rank -= used;
    return r;
}

static int64_t run_count(const runs *r)
{
    int64_t count = 1;
    // Stops early: the product of a file's dimensions can be beyond 64 bits.
    for (int i = 0; i < r->rank && count <= MAX_RUNS; i++) {
        count = r->dim[i] > MAX_RUNS ? MAX_RUNS + 1 : count * r->dim[i];
    }
    return count;
}

// Where an access goes: `range` has all but the bytes, which count from `base`.
typedef struct target {
    hoist_order_range range;
    const hoist_place *place; // a slot; NULL: from range.begin on
    int64_t base;
} target;

static void touch_bytes(hoist_order *o, const target *t, int64_t from, int64_t size)
{
    if (t->place) {
        touch_slot_bytes(o, t->range, t->place, (uint64_t)(t->base + from), (uint64_t)size);
        return;
    }
    hoist_order_range range = t->range;
    range.begin += (uint64_t)(t->base + from);
    range.end = range.begin + (uint64_t)size;
    touch(o, &range);
}

static void touch_strided(hoist_order *o, target *t, const hoist_prog_layout *layout,
                          hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    const int64_t element = info->bits >= 8 ? info->bits / 8 : 1; // bits: whole bytes around them
    const runs r = runs_of(layout, element);
    if (r.empty) {
        return;
    }
    // Its envelope, from the first byte to the last: more than it touches, hence inexact.
    if (run_count(&r) > MAX_RUNS || info->bits % 8 != 0) {
        int64_t size = r.size;
        for (int i = 0; i < r.rank; i++) {
            size += r.stride[i] * (r.dim[i] - 1);
        }
        t->range.exact = false;
        touch_bytes(o, t, r.start, size);
        return;
    }
    int64_t index[HOIST_MAX_RANK] = {0};
    // An odometer over the dimensions that are left; `i` beyond the rank ends it.
    for (int i = 0; i <= r.rank;) {
        int64_t at = r.start;
        for (int k = 0; k < r.rank; k++) {
            at += index[k] * r.stride[k];
        }
        touch_bytes(o, t, at, r.size);
        for (i = 0; i < r.rank && ++index[i] == r.dim[i]; i++) {
            index[i] = 0;
        }
        i = i == r.rank ? r.rank + 1 : 0;
    }
}

// A tiled tensor in a buffer of the runtime's own, tile after tile.
static void touch_tiled(hoist_order *o, target *t, const hoist_prog_layout *layout)
{
    hoist_tiling_size size;
    if (hoist_tiling_measure(&layout->tiling, &size) == HOIST_OK) {
        t->base *= TILE_BYTES; // tiles to bytes
        touch_bytes(o, t, 0, (int64_t)(size.buffers * size.buffer_tiles * TILE_BYTES));
    }
}

static void touch_pointer_of(hoist_order *o, uint32_t event, hoist_view_base base, hoist_ref fifo)
{
    hoist_order_touch_pointer(
        o, event, fifo, base == HOIST_VIEW_READ_SLOT ? HOIST_POINTER_LOCAL : HOIST_POINTER_WRITE,
        false);
}

void hoist_order_touch_view(hoist_order *o, uint32_t event, size_t process, hoist_ref view,
                            hoist_order_use use)
{
    const hoist_prog_view *v = &o->program->views[view];
    const hoist_place place = hoist_machine_resolve(o->machine, process, view);
    const hoist_prog_layout *layout = &o->program->layouts[place.layout];
    target t = {.range = {.event = event,
                          .write = use == HOIST_ORDER_WRITE,
                          .exact = use != HOIST_ORDER_READ_PART},
                .base = place.offset};
    if (place.fifo != HOIST_NO_REF) {
        const hoist_prog_fifo *f = &o->program->fifos[place.fifo];
        // A parameter's slot was found when the call was made: the step reads no pointer.
        if (v->base != HOIST_VIEW_PARAMETER) {
            touch_pointer_of(o, event, v->base, place.fifo);
        }
        // Tiles, and elements spread over parts, are no byte ranges of the view: the whole slot is
        // taken.
        if (layout->kind == HOIST_LAYOUT_TILED || f->part_count != 1) {
            touch_slot_bytes(o, t.range, &place, 0, f->slot_bytes);
            return;
        }
        t.place = &place;
    } else if (place.buffer != HOIST_NO_REF) {
        locate_buffer(o, place.buffer, place.call, &t.range);
    } else {
        t.range.memory = hoist_order_memory_of(HOIST_ORDER_SPACE, place.space);
    }
    if (layout->kind == HOIST_LAYOUT_TILED) {
        touch_tiled(o, &t, layout);
    } else {
        touch_strided(o, &t, layout, place.dtype);
    }
}

// Elements of a view as tables count them: tiles of tiled ones.
static size_t element_count(const hoist_order *o, hoist_ref view)
{
    const hoist_prog_layout *layout = &o->program->layouts[o->program->views[view].layout];
    hoist_tiling_size size;
    if (layout->kind == HOIST_LAYOUT_STRIDED) {
        return (size_t)hoist_shape_count(&layout->shape);
    }
    return hoist_tiling_measure(&layout->tiling, &size) == HOIST_OK
               ? size.buffers * size.buffer_tiles
               : 0;
}

// Whether the table names each of the `count` elements from `first` on.
static bool names_all(hoist_order *o, const hoist_prog_move *move, size_t first, size_t count)
{
    if (count > move->table_count) {
        return false;
    }
    uint8_t *seen = hoist_alloc_zero(o->alloc, count + 1, 1); // one more, for count 0
    if (!seen) {
        o->status = HOIST_NO_MEMORY;
        return false;
    }
    size_t left = count;
    for (uint32_t i = 0; i < move->table_count; i++) {
        const int64_t at = (int64_t)move->table[i] - (int64_t)first;
        // Tables repeat elements, and leave out others.
        if (at >= 0 && at < (int64_t)count && !seen[at]) {
            seen[at] = 1;
            left--;
        }
    }
    hoist_free(o->alloc, seen, count + 1);
    return left == 0;
}

// Bit i: source i of `move` is read completely. Found once for each move, not for each of its
// iterations.
static size_t whole_sources(hoist_order *o, const hoist_prog_move *move)
{
    if (!move->table) { // without a table every source is read as a whole
        return SIZE_MAX;
    }
    // The row itself is the key: its bytes hold the address of the table, which no other move has.
    const hoist_str key = {(const char *)move, sizeof *move};
    size_t whole = 0;
    if (hoist_map_find(&o->moves, key, &whole)) {
        return whole;
    }
    size_t first = 0;
    for (uint32_t i = 0; i < move->source_count; i++) {
        const size_t count = element_count(o, move->sources[i].view);
        // At most HOIST_MOVE_MAX_SOURCES bits.
        whole |= (size_t)names_all(o, move, first, count) << i;
        first += count;
    }
    if (hoist_map_add(&o->moves, key, whole, NULL) == HOIST_NO_MEMORY) {
        o->status = HOIST_NO_MEMORY;
    }
    return whole;
}

void hoist_order_touch_move(hoist_order *o, uint32_t event, size_t process,
                            const hoist_prog_move *move)
{
    const size_t whole = whole_sources(o, move);
    for (uint32_t i = 0; i < move->source_count; i++) {
        hoist_order_touch_view(o, event, process, move->sources[i].view,
                               (whole >> i & 1) != 0 ? HOIST_ORDER_READ : HOIST_ORDER_READ_PART);
    }
    // The destination is written as a whole, whatever the table leaves out of the sources.
    hoist_order_touch_view(o, event, process, move->destination, HOIST_ORDER_WRITE);
}
