// Spaces, buffers and fifos: one buffer per grid part of each queue, at its declared address
// (buda-netlist reference sections 1.4, 1.9, 2.8 and 4).
// In: ranges (memory_map.c) and sizes (net_size.c). Out: l->fifos, l->layouts, l->storage.
#include <inttypes.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/buda/frames.h"
#include "formats/buda/memory_map.h"
#include "lower/buda/state.h"

enum { TILE_DIM = 32, TILE_BYTES = 4096 };

// The space of this name, added when new: chips and channels appear in the order of first use.
static hoist_ref space_of(buda_lower_job *l, const char *name, uint64_t capacity)
{
    size_t found = 0;
    if (hoist_map_find(&l->spaces, hoist_str_from(name), &found)) {
        return (hoist_ref)found;
    }
    // Only Blackhole refuses addresses that are not aligned (rules 18, 79e).
    const uint32_t alignment = l->net.arch == BUDA_BLACKHOLE ? (uint32_t)l->net.soc->alignment : 1;
    const hoist_str key = hoist_arena_str(&l->c.arena, hoist_str_from(name));
    const hoist_ref space = hoist_builder_space(
        l->c.b, &(hoist_prog_space){.name = key, .capacity = capacity, .alignment = alignment});
    if (!key.data || hoist_map_add(&l->spaces, key, space, NULL) != HOIST_OK) {
        hoist_lower_fail(&l->c, HOIST_NO_MEMORY);
    }
    return space;
}

// Without a capacity: temporaries of calls are counted by the runtime, not placed in a device's
// L1.
hoist_ref buda_lower_l1(buda_lower_job *l, int64_t chip)
{
    char name[64];
    (void)snprintf(name, sizeof name, "chip%" PRId64 ".l1", chip);
    return space_of(l, name, 0);
}

// "chip0.dram2", "chip0.host0".
static hoist_ref range_space(buda_lower_job *l, const buda_range *range)
{
    const bool dram = range->loc == BUDA_LOC_DRAM;
    char name[96];
    (void)snprintf(name, sizeof name, "chip%" PRId64 ".%s%" PRId64, range->chip,
                   dram ? "dram" : "host", range->channel);
    return space_of(l, name, dram ? l->net.soc->dram_bytes : BUDA_HOST_CHANNEL_BYTES);
}

// One buffer, one macro block, one ublock: then tiles are in logical order.
hoist_ref buda_lower_layout(buda_lower_job *l, hoist_tile_shape shape)
{
    return hoist_builder_layout(l->c.b,
                                &(hoist_prog_layout){.kind = HOIST_LAYOUT_TILED,
                                                     .tiling = {.grid_rows = 1,
                                                                .grid_cols = 1,
                                                                .t = (uint32_t)shape.z,
                                                                .mblock_m = 1,
                                                                .mblock_n = 1,
                                                                .ublock_rt = (uint32_t)shape.rows,
                                                                .ublock_ct = (uint32_t)shape.cols,
                                                                .tile_height = TILE_DIM,
                                                                .tile_width = TILE_DIM}});
}

static bool fits_u32(int64_t value)
{
    return value >= 1 && value <= UINT32_MAX;
}

// The layout of an entry; false when a size is missing or too large. The tiling of section 4.1, as
// the queue's producer writes it.
static bool entry_layout(const buda_lower_job *l, const buda_net_queue *q, hoist_prog_layout *out)
{
    const buda_queue *queue = q->queue;
    const buda_op *producer = // NULL: the host
        q->producer == BUDA_NO_INDEX ? NULL : l->net.ops[q->producer].op;
    const buda_pair tile = buda_tile_dim(queue->tile_dim);
    const int64_t counts[] = {
        queue->grid_size.r, queue->grid_size.c, queue->t.value, queue->mblock.r, queue->mblock.c,
        queue->ublock.r,    queue->ublock.c,    tile.r,         tile.c};
    for (size_t i = 0; i < HOIST_COUNT_OF(counts); i++) {
        if (!fits_u32(counts[i])) {
            // A product of 32-bit numbers may still be too large: hoist_tiling_measure()
            return false;
        }
    }
    *out = (hoist_prog_layout){
        .kind = HOIST_LAYOUT_TILED,
        .tiling = {.grid_rows = (uint32_t)queue->grid_size.r,
                   .grid_cols = (uint32_t)queue->grid_size.c,
                   .t = (uint32_t)queue->t.value,
                   .mblock_m = (uint32_t)queue->mblock.r,
                   .mblock_n = (uint32_t)queue->mblock.c,
                   .ublock_rt = (uint32_t)queue->ublock.r,
                   .ublock_ct = (uint32_t)queue->ublock.c,
                   // What the host writes is in order r, whatever the queue says.
                   .column_major = producer && producer->ublock_order.value == BUDA_ORDER_C,
                   .tile_height = (uint32_t)tile.r,
                   .tile_width = (uint32_t)tile.c},
        .flat = queue->layout.value == BUDA_LAYOUT_FLAT ||
                (producer && producer->untilize_output.value),
    };
    hoist_tiling_size size;
    return hoist_tiling_measure(&out->tiling, &size) == HOIST_OK;
}

// The queue whose bytes `q` uses: its own, or its alias' target. BUDA_NO_INDEX: the alias names
// nothing.
static size_t base_of(buda_lower_job *l, size_t q)
{
    const buda_net_queue *queue = &l->net.queues[q];
    const hoist_str alias = queue->queue->alias.text;
    size_t base = q;
    if (!buda_has(queue->queue->alias.pos) || hoist_map_find(&l->net.queue_names, alias, &base)) {
        return base;
    }
    // The copy on the queue's own device.
    const hoist_str copy = hoist_lower_name(&l->c, alias, ".%" PRId64, queue->device);
    return hoist_map_find(&l->net.queue_names, copy, &base) ? base : BUDA_NO_INDEX;
}

// True when `q` can be a window of `base`: the same number of buffers in the same memory, none of
// them larger.
static bool is_window(const buda_lower_job *l, size_t q, size_t base)
{
    HOIST_ASSERT(q < l->net.queue_count && base < l->net.queue_count);
    const buda_net_queue *a = &l->net.queues[q];
    const buda_net_queue *b = &l->net.queues[base];
    // No alias of an alias.
    return base != q && l->storage[base] == base && a->device == b->device &&
           a->queue->loc.value == b->queue->loc.value &&
           buda_queue_places(a->queue)->count == buda_queue_places(b->queue)->count &&
           a->buffer_bytes <= b->buffer_bytes && a->queue->type.value == BUDA_RAM &&
           b->queue->type.value == BUDA_RAM;
}

// The buffers of queue `q`, one per part; `base` are those that they are windows of, or NULL. NULL
// when an address is not known.
static hoist_ref *add_buffers(buda_lower_job *l, size_t q, const hoist_ref *base)
{
    HOIST_ASSERT(q < l->net.queue_count);
    const buda_net_queue *queue = &l->net.queues[q];
    const size_t count = buda_queue_places(queue->queue)->count;
    hoist_ref *parts = hoist_lower_array(&l->c, count, sizeof *parts);
    for (size_t i = 0; parts && i < count; i++) {
        buda_range range;
        if (!buda_queue_range(&l->net, q, i, &range)) {
            buda_lower_refuse(l, RUN_005, queue->queue->name.pos,
                              "queue '%.*s' has no address for buffer %zu",
                              HOIST_STR_ARGS(queue->name), i);
            return NULL;
        }
        parts[i] = hoist_builder_buffer(
            l->c.b, &(hoist_prog_buffer){
                        .name = hoist_lower_name(&l->c, queue->name, "[%zu]", i),
                        .loc = hoist_loc_pos(buda_queue_places(queue->queue)->items[i].pos),
                        .space = range_space(l, &range),
                        .size = queue->buffer_bytes, // header and all entries
                        .alignment = 1,
                        .placed = true,
                        .address = range.start,
                        // The same bytes under another name.
                        .window_of = base ? base[i] : HOIST_NO_REF,
                        // Slots that nothing has written read as zeros, as in the golden model.
                        .contents = HOIST_CONTENTS_ZERO,
                        .lifetime = HOIST_LIFETIME_SESSION,
                    });
    }
    return parts;
}

// The shape of what the caller pushes, from the shape that the queue holds: `tms` backwards, each
// inverted. False: one has no inverse.
static bool before_tms(const buda_tms *tms, buda_shape *shape)
{
    for (size_t i = tms->count; i > 0; i--) {
        buda_tm back = tms->items[i - 1];
        buda_tm_axis axis = back.axis_count == 1 ? back.axes[0] : (buda_tm_axis){0};
        // One axis at most (rule 96)
        int64_t *grown = axis.axis == 'r' ? &shape->r : axis.axis == 'c' ? &shape->c : &shape->z;
        switch (back.kind) {
        case BUDA_TM_BROADCAST:
            if (axis.factor.value < 1 || *grown % axis.factor.value != 0) {
                return false;
            }
            *grown /= axis.factor.value;
            // A slice and a stack by the same factor undo each other.
            continue;
        case BUDA_TM_HSLICE:
            back.kind = BUDA_TM_HSTACK;
            break;
        case BUDA_TM_HSTACK:
            back.kind = BUDA_TM_HSLICE;
            break;
        case BUDA_TM_VSLICE:
            back.kind = BUDA_TM_VSTACK;
            break;
        case BUDA_TM_VSTACK:
            back.kind = BUDA_TM_VSLICE;
            break;
        default:
            return false;
        }
        if (buda_shape_apply(shape, &back) != BUDA_TM_OK) {
            return false;
        }
    }
    return true;
}

// The table of tiles for a push of the caller into a queue with input_tms. False: refused.
static bool push_table(buda_lower_job *l, const buda_net_queue *q, const hoist_prog_layout *layout,
                       hoist_prog_fifo *fifo)
{
    const buda_queue *queue = q->queue;
    buda_shape shape;
    if (!buda_shape_of_queue(queue, &shape) || !before_tms(&queue->input_tms, &shape)) {
        buda_lower_refuse(l, RUN_004, queue->input_tms.pos,
                          "input_tms of queue '%.*s' do not give its shape",
                          HOIST_STR_ARGS(q->name));
        return false;
    }
    buda_lower_table table = buda_lower_table_of(
        (hoist_tile_shape){(uint64_t)shape.z, (uint64_t)shape.r, (uint64_t)shape.c});
    if (!buda_lower_table_tms(l, &table, &queue->input_tms, "the queue's input")) {
        return false;
    }
    // In elements; the table counts tiles.
    fifo->push_shape = (hoist_shape){
        3, {shape.z, shape.r * layout->tiling.tile_height, shape.c * layout->tiling.tile_width}};
    // No queue TM makes tiles of nothing, so these are all numbers of tiles.
    fifo->push_tiles = (const uint32_t *)(const void *)table.tiles;
    fifo->push_tile_count = (uint32_t)buda_lower_tiles(table.shape);
    return true;
}

// How much a queue holds: entries (devices), or up to twice as many (golden).
static hoist_fifo_policy policy_of(const buda_lower_job *l)
{
    return l->c.options && l->c.options->queue_mode == HOIST_QUEUES_GOLDEN ? HOIST_FIFO_GOLDEN
                                                                           : HOIST_FIFO_STRICT;
}

// Adds the fifo of queue `q` over `parts`.
static void add_fifo(buda_lower_job *l, size_t q, const hoist_ref *parts, bool dynamic)
{
    HOIST_ASSERT(parts && q < l->net.queue_count);
    const buda_net_queue *queue = &l->net.queues[q];
    const buda_queue *written = queue->queue;
    const bool ram = written->type.value == BUDA_RAM;
    hoist_prog_layout layout;
    // One part per cell of the grid, as rule 9 requires.
    if (!entry_layout(l, queue, &layout) || !fits_u32(written->entries.value) ||
        (uint64_t)layout.tiling.grid_rows * layout.tiling.grid_cols !=
            buda_queue_places(written)->count) {
        buda_lower_refuse(l, RUN_005, written->name.pos,
                          "queue '%.*s' has no entries, or sizes that cannot be built",
                          HOIST_STR_ARGS(queue->name));
        return;
    }
    hoist_prog_fifo fifo = {
        .name = queue->name,
        .loc = hoist_loc_pos(written->name.pos),
        .kind = ram ? HOIST_FIFO_RAM : HOIST_FIFO_QUEUE,
        .policy = policy_of(l),
        .slots = (uint32_t)written->entries.value,
        .parts = parts,
        .part_count = (uint32_t)buda_queue_places(written)->count,
        // Of each part, before the first slot.
        .header = queue->buffer_bytes - queue->entry_bytes * (uint64_t)written->entries.value,
        .slot_bytes = queue->entry_bytes,
        .layout = hoist_builder_layout(l->c.b, &layout),
        .dtype = buda_formats[written->df.value].dtype,
        .tile_alignment = (uint32_t)l->net.soc->alignment,
        .dynamic = dynamic,
        .host_push = queue->host_fed,
        // A ram that ops write can be looked at; a queue that no op reads is the caller's.
        .host_pop = !queue->host_fed && (ram || queue->consumer_count == 0),
    };
    if (queue->host_fed && written->input_tms.count > 0 && !push_table(l, queue, &layout, &fifo)) {
        return;
    }
    l->layouts[q] = fifo.layout;
    l->fifos[q] = hoist_builder_fifo(l->c.b, &fifo);
}

// Parts first, fifo second. `parts` of all queues are kept for aliases, which come later.
static void lower_queue(buda_lower_job *l, size_t q, hoist_ref **parts, bool dynamic)
{
    const buda_net_queue *queue = &l->net.queues[q];
    const size_t base = l->storage[q];
    if (!queue->sizes_known || queue->queue->df.value < 0) {
        buda_lower_refuse(l, RUN_005, queue->queue->name.pos,
                          "the size of queue '%.*s' is not known", HOIST_STR_ARGS(queue->name));
        return;
    }
    if (base != q && (base == BUDA_NO_INDEX || !is_window(l, q, base) || !parts[base])) {
        buda_lower_refuse(l, RUN_005, queue->queue->alias.pos,
                          "queue '%.*s' cannot use the buffers of its alias",
                          HOIST_STR_ARGS(queue->name));
        return;
    }
    parts[q] = add_buffers(l, q, base == q ? NULL : parts[base]);
    if (parts[q]) {
        add_fifo(l, q, parts[q], dynamic);
    }
}

// Queues without storage problems get everything; each failure leaves HOIST_NO_REF, and its users
// report nothing more.
hoist_status buda_lower_memory(buda_lower_job *l)
{
    const size_t count = l->net.queue_count;
    const bool *dynamic = NULL;
    HOIST_TRY(buda_dynamic_queues(&l->net, &l->c.arena, &dynamic));
    l->fifos = hoist_lower_array(&l->c, count, sizeof *l->fifos);
    l->layouts = hoist_lower_array(&l->c, count, sizeof *l->layouts);
    l->storage = hoist_lower_array(&l->c, count, sizeof *l->storage);
    hoist_ref **parts = hoist_lower_array(&l->c, count, sizeof *parts);
    if (l->c.status != HOIST_OK) {
        return l->c.status;
    }
    for (size_t q = 0; q < count; q++) {
        l->fifos[q] = HOIST_NO_REF;
        l->storage[q] = base_of(l, q);
    }
    // An alias needs the buffers of its target.
    // Two rounds: first all queues with bytes of their own, then the windows.
    for (int aliases = 0; aliases < 2; aliases++) {
        for (size_t q = 0; q < count && l->c.status == HOIST_OK; q++) {
            if ((l->storage[q] != q) == (aliases == 1)) {
                buda_frames frames;
                buda_enter_queue(l->c.diag, &frames, l->net.queues[q].queue);
                lower_queue(l, q, parts, dynamic[q]);
                buda_leave(l->c.diag, &frames);
            }
        }
    }
    // A queue whose storage was not found counts as its own, so that indices stay valid in what
    // follows.
    for (size_t q = 0; q < count; q++) {
        l->storage[q] = l->storage[q] == BUDA_NO_INDEX ? q : l->storage[q];
    }
    return l->c.status;
}
