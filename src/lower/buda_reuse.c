// Queues that are allocated and freed may lie at one address, one after the other, and be used by
// different chips. A queue must not begin before all chips are done with what had its bytes.
#include "formats/buda/memory_map.h"
#include "lower/buda_lower.h"

// How many of `ranges`, sorted on one channel, hang together at the front: each begins before one
// of those in front of it ends.
static size_t overlapping(const buda_range *ranges, size_t count)
{
    uint64_t end = ranges[0].end;
    size_t i = 1;
    for (; i < count && ranges[i].start < end; i++) {
        end = ranges[i].end > end ? ranges[i].end : end;
    }
    return i;
}

static void add_all(hoist_lower *l, hoist_lower_list *to, hoist_lower_list from)
{
    for (size_t i = 0; i < from.count; i++) {
        hoist_lower_add_unit(l, to, from.units[i]);
    }
}

// Units of all the queues of `ranges`, which hang together, go to each of them.
static void share(hoist_lower *l, const buda_range *ranges, size_t count)
{
    hoist_lower_list all = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        add_all(l, &all, l->queue_units[l->storage[ranges[i].queue]]);
    }
    for (size_t i = 0; i < count && l->status == HOIST_OK; i++) {
        add_all(l, &l->memory_units[ranges[i].queue], all);
    }
}

hoist_status hoist_lower_reuse(hoist_lower *l)
{
    const buda_range *ranges = NULL;
    size_t count = 0;
    l->memory_units = hoist_lower_array(l, l->net.queue_count, sizeof *l->memory_units);
    HOIST_TRY(l->status);
    HOIST_TRY(buda_memory_ranges(&l->net, &l->arena, &ranges, &count));
    while (count > 0 && l->status == HOIST_OK) {
        const size_t here = overlapping(ranges, buda_ranges_of_channel(ranges, count));
        share(l, ranges, here);
        ranges += here;
        count -= here;
    }
    return l->status;
}
