// Queues that are allocated and freed may lie at one address, one after the other, and be used by
// different chips. A queue must not begin before all chips are done with what had its bytes.
// Out: l->memory_units; varinst.c drains these units before an allocate.
#include "formats/buda/memory_map.h"
#include "lower/buda/state.h"

// How many of `ranges`, sorted on one channel, hang together at the front: each begins before one
// of those in front of it ends. Ranges are sorted by start, so that the greatest end so far
// decides.
static size_t overlapping(const buda_range *ranges, size_t count)
{
    uint64_t end = ranges[0].end;
    size_t i = 1;
    for (; i < count && ranges[i].start < end; i++) {
        end = ranges[i].end > end ? ranges[i].end : end;
    }
    return i;
}

static void add_all(buda_lower_job *l, buda_lower_list *to, buda_lower_list from)
{
    for (size_t i = 0; i < from.count; i++) {
        buda_lower_add_unit(l, to, from.units[i]);
    }
}

// Units of all the queues of `ranges`, which overlap in a chain, go to each of them: more than
// necessary for the ends of a chain, never too few.
static void share(buda_lower_job *l, const buda_range *ranges, size_t count)
{
    buda_lower_list all = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        add_all(l, &all, l->queue_units[l->storage[ranges[i].queue]]);
    }
    for (size_t i = 0; i < count && l->c.status == HOIST_OK; i++) {
        add_all(l, &l->memory_units[ranges[i].queue], all);
    }
}

// A sweep over sorted ranges, channel by channel.
hoist_status buda_lower_reuse(buda_lower_job *l)
{
    const buda_range *ranges = NULL;
    size_t count = 0;
    size_t channel = 0; // ranges that are left of the channel at hand
    l->memory_units = hoist_lower_array(&l->c, l->net.queue_count, sizeof *l->memory_units);
    HOIST_TRY(l->c.status);
    HOIST_TRY(buda_memory_ranges(&l->net, &l->c.arena, &ranges, &count));
    while (count > 0 && l->c.status == HOIST_OK) {
        channel = channel > 0 ? channel : buda_ranges_of_channel(ranges, count);
        const size_t here = overlapping(ranges, channel);
        share(l, ranges, here);
        ranges += here;
        count -= here;
        channel -= here;
    }
    return l->c.status;
}
