// formats/buda/memory_map.h - where the buffers of all queues lie: one range per buffer.
// buda-netlist reference section 4.3.
#ifndef HOIST_SRC_FORMATS_BUDA_MEMORY_MAP_H
#define HOIST_SRC_FORMATS_BUDA_MEMORY_MAP_H

#include "formats/buda/net.h"

// Bytes [start, end) of one buffer.
typedef struct buda_range {
    int64_t chip; // of a host queue that an op feeds: the op's
    buda_loc loc;
    int64_t channel; // of the chip's DRAM, or of its host memory
    uint64_t start;
    uint64_t end;
    size_t queue; // index into net->queues
    size_t place; // index into the queue's dram or host list
} buda_range;

// All ranges whose size and place are known, in order of chip, location, channel and address.
// `*out_ranges` lives in `arena`. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_memory_ranges(const buda_net *net, hoist_arena *arena,
                                                const buda_range **out_ranges, size_t *out_count);

// The places that hold for `queue`: its dram or its host list; an empty list when `loc` is unknown.
const buda_places *buda_queue_places(const buda_queue *queue);

// False for a place whose address the reader could not read, or is below 0.
bool buda_place_is_known(const buda_place *place);

// The range of one buffer of `queue` (an index into net->queues); false when its size is not known
// or the range leaves 64 bits.
bool buda_queue_range(const buda_net *net, size_t queue, size_t place, buda_range *out_range);

// True when two queues (indices into net->queues) have a byte in common; `*out_place` is then the
// place in `a`. Pairs that an alias joins do not count.
bool buda_queues_overlap(const buda_net *net, size_t a, size_t b, size_t *out_place);

// True when one of two different queues is the alias of the other, or both are of a third.
bool buda_queues_aliased(const buda_net *net, size_t a, size_t b);

// One flag per queue of the net: true for those that an allocate_queue or deallocate_queue of any
// program names; all others are there for the whole run. In `arena`. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_dynamic_queues(const buda_net *net, hoist_arena *arena,
                                                 const bool **out_dynamic);

// True when both are on one chip, location and channel.
bool buda_range_same_channel(const buda_range *a, const buda_range *b);

// Of sorted ranges, how many at the front are on the channel of the first; 0 for none.
size_t buda_ranges_of_channel(const buda_range *ranges, size_t count);

// Bytes in use of ranges sorted on one channel: what several buffers share (aliases, queues that
// live one after the other) counts once. `*out_end` is the first address after all of them.
uint64_t buda_ranges_used(const buda_range *ranges, size_t count, uint64_t *out_end);

#endif // HOIST_SRC_FORMATS_BUDA_MEMORY_MAP_H
