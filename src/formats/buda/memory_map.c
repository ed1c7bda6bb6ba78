// Ranges of bytes of all buffers, from the sizes that net_size.c works out. check_memory.c checks
// them for overlap, simulate_live.c those of dynamic queues; info.c and netlist_picture.c show
// them.
// In: a linked net. The order of buda_memory_ranges() is what sweeps and sums rely on.
#include "formats/buda/memory_map.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/order.h"
#include "base/span.h"

// A queue without a usable loc has no places, so that callers need no test of their own.
const buda_places *buda_queue_places(const buda_queue *queue)
{
    static const buda_places none = {0};
    if (!buda_has(queue->loc.pos)) {
        return &none;
    }
    switch (queue->loc.value) {
    case BUDA_LOC_DRAM:
        return &queue->dram;
    case BUDA_LOC_HOST:
        return &queue->host;
    default: // a spelling that the reader reported
        return &none;
    }
}

// An address that could not be read has no location (read_place() in read_value.c).
bool buda_place_is_known(const buda_place *place)
{
    return buda_has(place->address.pos) && place->address.value >= 0;
}

// Each chip has host memory of its own: a host queue lies in that of the chip that writes it, and
// one that the host writes in that of its target_device (runtime).
static int64_t memory_chip(const buda_net *net, const buda_net_queue *queue)
{
    return queue->queue->loc.value == BUDA_LOC_HOST && queue->producer != BUDA_NO_INDEX
               ? net->graphs[net->ops[queue->producer].graph].device
               : queue->device;
}

// All arithmetic on the file's numbers is checked here, once.
bool buda_queue_range(const buda_net *net, size_t queue, size_t place, buda_range *out_range)
{
    const buda_net_queue *q = &net->queues[queue];
    const buda_places *places = buda_queue_places(q->queue);
    *out_range = (buda_range){0};
    if (!q->sizes_known || place >= places->count || !buda_place_is_known(&places->items[place])) {
        return false;
    }
    const buda_place *item = &places->items[place];
    buda_range range = {
        .chip = memory_chip(net, q),
        .loc = (buda_loc)q->queue->loc.value,
        .channel = item->channel.value,
        .queue = queue,
        .place = place,
    };
    // Start + size may wrap with a hostile `entries`.
    if (hoist_ckd_add(&range.start, (uint64_t)item->address.value, q->host_shift) ||
        hoist_ckd_add(&range.end, range.start, q->buffer_bytes)) {
        return false;
    }
    *out_range = range;
    return true;
}

// Total order: equal ranges of different queues keep the order of the file.
static int compare_ranges(const void *left, const void *right)
{
    const buda_range *a = left;
    const buda_range *b = right;
    int order = hoist_order_i64(a->chip, b->chip);
    order = order ? order : hoist_order_i64(a->loc, b->loc);
    order = order ? order : hoist_order_i64(a->channel, b->channel);
    order = order ? order : hoist_order_u64(a->start, b->start);
    order = order ? order : hoist_order_u64(a->queue, b->queue);
    return order ? order : hoist_order_u64(a->place, b->place);
}

// Capacity for all places, known or not; unknown ones take no element.
hoist_status buda_memory_ranges(const buda_net *net, hoist_arena *arena,
                                const buda_range **out_ranges, size_t *out_count)
{
    *out_ranges = NULL;
    *out_count = 0;
    size_t most = 0;
    for (size_t i = 0; i < net->queue_count; i++) {
        most += buda_queue_places(net->queues[i].queue)->count;
    }
    buda_range *ranges = hoist_arena_array(arena, most, sizeof(ranges[0]));
    HOIST_TRY_MEMORY(ranges);
    size_t count = 0;
    for (size_t i = 0; i < net->queue_count; i++) {
        const size_t places = buda_queue_places(net->queues[i].queue)->count;
        for (size_t k = 0; k < places; k++) {
            // Overwritten by the next when it is not known.
            count += buda_queue_range(net, i, k, &ranges[count]);
        }
    }
    qsort(ranges, count, sizeof(ranges[0]), compare_ranges);
    *out_ranges = ranges;
    *out_count = count;
    return HOIST_OK;
}

// Channels of different chips and of DRAM and host memory are different memories.
bool buda_range_same_channel(const buda_range *a, const buda_range *b)
{
    return a->chip == b->chip && a->loc == b->loc && a->channel == b->channel;
}

size_t buda_ranges_of_channel(const buda_range *ranges, size_t count)
{
    size_t end = count > 0 ? 1 : 0;
    while (end < count && buda_range_same_channel(&ranges[0], &ranges[end])) {
        end++;
    }
    return end;
}

// One pass: `end` is the end of the union so far, and each range adds what lies behind it.
uint64_t buda_ranges_used(const buda_range *ranges, size_t count, uint64_t *out_end)
{
    uint64_t bytes = 0;
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t start = ranges[i].start > end ? ranges[i].start : end;
        if (ranges[i].end > start) {
            bytes += ranges[i].end - start;
            end = ranges[i].end;
        }
    }
    *out_end = end;
    return bytes;
}

// The queue whose storage it is: the alias' target as a name, or its own name. A chain of aliases
// is refused by rule 19, so one step is enough.
static hoist_str storage_name(const buda_queue *queue)
{
    return buda_has(queue->alias.pos) ? queue->alias.text : queue->name.text;
}

// Two different queues of the module; copies of one queue are on different devices and not
// aliased.
bool buda_queues_aliased(const buda_net *net, size_t a, size_t b)
{
    const buda_queue *first = net->queues[a].queue;
    const buda_queue *second = net->queues[b].queue;
    return first != second && hoist_str_equal(storage_name(first), storage_name(second));
}

// Every place of one against every place of the other: used for single pairs, sweeps use the
// sorted ranges.
bool buda_queues_overlap(const buda_net *net, size_t a, size_t b, size_t *out_place)
{
    *out_place = 0;
    if (buda_queues_aliased(net, a, b)) {
        return false;
    }
    const size_t count_a = buda_queue_places(net->queues[a].queue)->count;
    const size_t count_b = buda_queue_places(net->queues[b].queue)->count;
    for (size_t i = 0; i < count_a; i++) {
        buda_range mine;
        if (!buda_queue_range(net, a, i, &mine)) {
            continue;
        }
        for (size_t k = 0; k < count_b; k++) {
            buda_range other;
            // half-open: touching is no overlap.
            if (buda_queue_range(net, b, k, &other) && buda_range_same_channel(&mine, &other) &&
                mine.start < other.end && other.start < mine.end) {
                *out_place = i;
                return true;
            }
        }
    }
    return false;
}

// Names as programs write them; unknown ones do no harm.
static hoist_status collect_dynamic_names(const hoist_buda_module *module, hoist_map *names)
{
    for (size_t p = 0; p < module->program_count; p++) {
        for (size_t i = 0; i < module->programs[p].count; i++) {
            const buda_instr *instr = &module->programs[p].instrs[i];
            if (instr->kind != BUDA_I_ALLOCATE && instr->kind != BUDA_I_DEALLOCATE) {
                continue;
            }
            for (size_t k = 0; k < instr->queues.count; k++) {
                if (hoist_map_add(names, instr->queues.items[k].text, 0, NULL) == HOIST_NO_MEMORY) {
                    return HOIST_NO_MEMORY;
                }
            }
        }
    }
    return HOIST_OK;
}

// By the written name for all copies of a list form, or by the name of one copy.
hoist_status buda_dynamic_queues(const buda_net *net, hoist_arena *arena, const bool **out_dynamic)
{
    bool *dynamic = hoist_arena_array(arena, net->queue_count, sizeof(dynamic[0]));
    *out_dynamic = dynamic;
    HOIST_TRY_MEMORY(dynamic);
    hoist_map names;
    hoist_map_init(&names, arena->alloc);
    const hoist_status status = collect_dynamic_names(net->module, &names);
    size_t ignored = 0; // the map's value has no meaning
    for (size_t i = 0; i < net->queue_count; i++) {
        dynamic[i] = hoist_map_find(&names, net->queues[i].queue->name.text, &ignored) ||
                     hoist_map_find(&names, net->queues[i].name, &ignored);
    }
    hoist_map_deinit(&names);
    return status;
}
