// Rules 77 to 80: channels, capacities, alignment, overlap. buda-netlist reference sections 4.3,
// 5.5 and 7.4. Most rules give one finding per queue, at its first buffer that breaks them.
// In: the net with sizes (net_size.c) and the ranges of memory_map.c. A buffer without a known
// size or address has no range and is not checked.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/check.h"
#include "formats/buda/frames.h"
#include "formats/buda/memory_map.h"

enum {
    PEER_WINDOW = 0x30000000, // of channel 0: what other chips can write on grayskull
};

// Single queues --------------------------------------------------------------------------------

// True when a buffer breaks a rule. The range is all zeros when it is not known. Tests have one
// type, so that find_broken() serves all rules of single buffers.
typedef bool (*place_test)(const buda_check *c, const buda_place *place, const buda_range *range);

// Rule 80. Channels are numbered from 0; a bare host address is on channel 0.
static bool is_channel_missing(const buda_check *c, const buda_place *place,
                               const buda_range *range)
{
    (void)range;
    return place->channel.value < 0 || place->channel.value >= c->net->soc->dram_count;
}

// Where the memory of the buffer's channel ends.
static uint64_t channel_end(const buda_check *c, const buda_range *range)
{
    return range->loc == BUDA_LOC_HOST ? BUDA_HOST_CHANNEL_BYTES : c->net->soc->dram_bytes;
}

// Unknown ranges end at 0, which is before every end.
static bool is_past_channel(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)place;
    return range->end > channel_end(c, range);
}

// First free address of the place's channel; 0 when the channel or its top is unknown.
static uint64_t reserved_top(const buda_check *c, const buda_place *place)
{
    return is_channel_missing(c, place, NULL) ? 0
                                              : c->net->soc->reserved_tops[place->channel.value];
}

// Rule 79d, a warning: the backend's own queues and binaries lie there (section 7.4).
static bool is_in_reserved(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)range;
    return place->address.value < (int64_t)reserved_top(c, place);
}

// Rule 79e; the sizes are 32 or 64 bytes by architecture.
static bool is_unaligned(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)range;
    return place->address.value % c->net->soc->alignment != 0;
}

// Rule 77: below the window of channel 0, which ends with the channel at 1 GiB.
static bool is_outside_window(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)c;
    (void)range;
    return place->channel.value != 0 || place->address.value < PEER_WINDOW;
}

// Places of a queue that break a rule: how many, and the first with its range. One finding per
// rule and queue, however many buffers there are.
typedef struct broken_places {
    size_t count;
    size_t first;
    const buda_place *place;
    buda_range range;
} broken_places;

// All buffers are tested although one is reported: the finding says how many more there are.
static broken_places find_broken(const buda_check *c, size_t queue, place_test test)
{
    broken_places broken = {0};
    const buda_places *places = buda_queue_places(c->net->queues[queue].queue);
    for (size_t i = 0; i < places->count; i++) {
        buda_range range;
        (void)buda_queue_range(c->net, queue, i, &range);
        if (buda_place_is_known(&places->items[i]) && test(c, &places->items[i], &range) &&
            broken.count++ == 0) {
            broken.first = i;
            broken.place = &places->items[i];
            broken.range = range;
        }
    }
    return broken;
}

// " (N more buffers as well)" for the end of a message. By value, so that a finding can use it
// inside its argument list.
typedef struct more_text { // 48 bytes hold 20 digits and the words
    char text[48];
} more_text;

static more_text more_of(const broken_places *broken)
{
    more_text more = {""};
    if (broken->count > 1) {
        (void)snprintf(more.text, sizeof(more.text), " (%zu more %s as well)", broken->count - 1,
                       hoist_plural(broken->count - 1, "buffer", "buffers"));
    }
    return more;
}

// Rules 78b and 79c: buffers end before their memory does. `memory` is its name in the finding.
static void check_ends(const buda_check *c, size_t queue, buda_rule rule, const char *memory)
{
    const broken_places broken = find_broken(c, queue, is_past_channel);
    if (broken.count > 0) {
        buda_report(c->diag, rule, broken.place->pos,
                    "buffer %zu ends at 0x%" PRIx64 ", %s at 0x%" PRIx64 "%s", broken.first,
                    broken.range.end, memory, channel_end(c, &broken.range), more_of(&broken).text);
    }
}

// Each rule by itself: a buffer may break several.
static void check_dram(const buda_check *c, size_t queue)
{
    const buda_soc *soc = c->net->soc;
    broken_places broken = find_broken(c, queue, is_channel_missing);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_080, broken.place->pos,
                    "buffer %zu is on DRAM channel %" PRId64 ", %s has channels 0 to %d%s",
                    broken.first, broken.place->channel.value, buda_arch_name(c->arch),
                    soc->dram_count - 1, more_of(&broken).text);
    }
    check_ends(c, queue, BUDA_079c, "its DRAM channel");
    broken = find_broken(c, queue, is_in_reserved);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_079d, broken.place->pos,
                    "buffer %zu begins at 0x%" PRIx64
                    ", the backend uses the channel up to 0x%" PRIx64 "%s",
                    broken.first, (uint64_t)broken.place->address.value,
                    reserved_top(c, broken.place), more_of(&broken).text);
    }
    broken = find_broken(c, queue, is_unaligned);
    if (broken.count > 0 && c->arch != BUDA_BLACKHOLE) { // blackhole's 64 is rule 18, an error
        buda_report(c->diag, BUDA_079e, broken.place->pos,
                    "buffer %zu begins at 0x%" PRIx64 ", expected a multiple of %d%s", broken.first,
                    (uint64_t)broken.place->address.value, soc->alignment, more_of(&broken).text);
    }
}

// Rule 77: what chips of grayskull reach of each other's DRAM. PCI Express lets a chip of
// grayskull write a peer's memory through a window, and never read it.
static void check_peer_access(const buda_check *c, size_t index)
{
    const buda_net *net = c->net;
    const buda_net_queue *queue = &net->queues[index];
    // Two devices are compared: the queue's with that of a reader, then with that of the producer.
    int64_t device = queue->device;
    // Up to the first reader on another chip.
    for (size_t i = 0; i < queue->consumer_count && device == queue->device; i++) {
        device = net->graphs[net->ops[queue->consumers[i]].graph].device;
    }
    if (device != queue->device) {
        buda_report(c->diag, BUDA_077, queue->queue->target_device.pos,
                    "the queue is on chip %" PRId64 ", a graph on chip %" PRId64
                    " reads it; grayskull reads DRAM of its own chip only",
                    queue->device, device);
    }
    if (queue->producer == BUDA_NO_INDEX) {
        return;
    }
    device = net->graphs[net->ops[queue->producer].graph].device;
    const broken_places broken = find_broken(c, index, is_outside_window);
    if (device != queue->device && broken.count > 0) {
        buda_report(c->diag, BUDA_077, broken.place->pos,
                    "chip %" PRId64 " writes buffer %zu of chip %" PRId64
                    ", which must be on channel 0 at 0x%x or above%s",
                    device, broken.first, queue->device, (unsigned)PEER_WINDOW,
                    more_of(&broken).text);
    }
}

// Rule 78a: only chips with MMIO reach host memory. Without a cluster descriptor all chips are
// taken as mapped.
static void check_host_producer(const buda_check *c, const buda_net_queue *queue)
{
    if (!c->cluster || queue->producer == BUDA_NO_INDEX) {
        return;
    }
    const int64_t device = c->net->graphs[c->net->ops[queue->producer].graph].device;
    bool reaches = false;
    for (size_t i = 0; i < c->cluster->mmio_count; i++) {
        reaches = reaches || c->cluster->mmio[i] == device;
    }
    if (!reaches) {
        buda_report(c->diag, BUDA_078a, queue->queue->input.pos,
                    "op '%.*s' on chip %" PRId64 " writes a host queue, expected a chip with MMIO",
                    HOIST_STR_ARGS(queue->queue->input.text), device);
    }
}

// Rules of one queue; those of pairs follow in check_overlap().
static void check_queue(const buda_check *c, size_t index)
{
    const buda_net_queue *queue = &c->net->queues[index];
    if (!buda_has(queue->queue->loc.pos)) {
        return;
    }
    buda_frames frames;
    buda_enter_queue(c->diag, &frames, queue->queue);
    // Other values are spellings that the reader reported.
    if (queue->queue->loc.value == BUDA_LOC_DRAM) {
        check_dram(c, index);
        if (c->arch == BUDA_GRAYSKULL) {
            check_peer_access(c, index);
        }
    } else if (queue->queue->loc.value == BUDA_LOC_HOST) {
        check_ends(c, index, BUDA_078b, "host memory");
        check_host_producer(c, queue);
    }
    buda_leave(c->diag, &frames);
}

// Overlap --------------------------------------------------------------------------------------

// The ranges of one kind, static or dynamic, met so far on a channel: the one that ends last, and
// the one that ends last among those that no alias joins with it. Two suffice: what starts next
// overlaps some range of the front if and only if it starts before the greatest end, and an alias
// of the greatest is allowed to.
typedef struct overlap_front {
    const buda_range *last;
    const buda_range *other;
} overlap_front;

// Sweep in order of start addresses, channel by channel: linear after the sort of memory_map.c,
// where comparing all pairs would be quadratic.
typedef struct overlap_sweep {
    const buda_check *c;
    const bool *dynamic;     // per queue: named by an allocate or deallocate
    bool *reported;          // per queue: one finding is enough
    overlap_front fronts[2]; // [dynamic]
} overlap_sweep;

// Keeps the greatest end in `last`, and in `other` the greatest end of a queue not aliased with
// it.
static void front_add(const buda_net *net, overlap_front *front, const buda_range *range)
{
    if (!front->last || range->end > front->last->end) {
        if (front->last && !buda_queues_aliased(net, front->last->queue, range->queue)) {
            front->other = front->last;
        }
        front->last = range;
    } else if (!buda_queues_aliased(net, front->last->queue, range->queue) &&
               (!front->other || range->end > front->other->end)) {
        front->other = range;
    }
}

// The range of the front that `range` overlaps; NULL when there is none.
static const buda_range *front_find(const buda_net *net, const overlap_front *front,
                                    const buda_range *range)
{
    const buda_range *found = front->last;
    if (found && buda_queues_aliased(net, found->queue, range->queue)) {
        found = front->other;
    }
    return found && range->start < found->end ? found : NULL;
}

// Order in the file, for the location of a finding.
static bool is_before(hoist_pos a, hoist_pos b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

// Reports at the one of both that is later in the file. Swapping the arguments ends at once: one
// of both orders is right.
static void report_overlap(overlap_sweep *sweep, buda_rule rule, const buda_range *a,
                           const buda_range *b)
{
    const buda_net *net = sweep->c->net;
    const buda_places *places_a = buda_queue_places(net->queues[a->queue].queue);
    const buda_places *places_b = buda_queue_places(net->queues[b->queue].queue);
    if (is_before(places_b->items[b->place].pos, places_a->items[a->place].pos)) {
        report_overlap(sweep, rule, b, a);
        return;
    }
    // A queue of a hundred buffers that overlaps another would have a hundred findings.
    if (sweep->reported[b->queue]) {
        return;
    }
    sweep->reported[b->queue] = true;
    buda_frames frames;
    buda_enter_queue(sweep->c->diag, &frames, net->queues[b->queue].queue);
    buda_report(sweep->c->diag, rule, places_b->items[b->place].pos,
                "buffer %zu at 0x%" PRIx64 " to 0x%" PRIx64
                " overlaps buffer %zu of %s queue '%.*s' at 0x%" PRIx64 " to 0x%" PRIx64
                " (chip %" PRId64 ", %s channel %" PRId64 ")",
                b->place, b->start, b->end, a->place,
                sweep->dynamic[a->queue] ? "dynamic" : "static",
                HOIST_STR_ARGS(net->queues[a->queue].name), a->start, a->end, b->chip,
                b->loc == BUDA_LOC_DRAM ? "DRAM" : "host", b->channel);
    buda_leave(sweep->c->diag, &frames);
}

// Two dynamic queues may share bytes as long as they do not live at the same time; that follows
// from the programs (check_program.c). Dynamic against static is an error whenever: static queues
// live for the whole run.
static void sweep_range(overlap_sweep *sweep, const buda_range *range)
{
    const buda_net *net = sweep->c->net;
    const bool is_dynamic = sweep->dynamic[range->queue];
    const buda_range *hit = front_find(net, &sweep->fronts[false], range);
    if (hit) {
        report_overlap(sweep, is_dynamic ? BUDA_079b : BUDA_079a, hit, range);
    }
    hit = is_dynamic ? NULL : front_find(net, &sweep->fronts[true], range);
    if (hit) {
        report_overlap(sweep, BUDA_079b, hit, range);
    }
    front_add(net, &sweep->fronts[is_dynamic], range);
}

// Ranges come sorted by channel and start; a change of channel empties both fronts.
static hoist_status check_overlap(const buda_check *c)
{
    overlap_sweep sweep = {.c = c};
    const buda_range *ranges = NULL;
    size_t count = 0;
    HOIST_TRY(buda_dynamic_queues(c->net, c->scratch, &sweep.dynamic));
    HOIST_TRY(buda_memory_ranges(c->net, c->scratch, &ranges, &count));
    sweep.reported = hoist_arena_array(c->scratch, c->net->queue_count, sizeof(bool));
    HOIST_TRY_MEMORY(sweep.reported);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && !buda_range_same_channel(&ranges[i - 1], &ranges[i])) {
            sweep.fronts[false] = (overlap_front){0};
            sweep.fronts[true] = (overlap_front){0};
        }
        HOIST_TRY(hoist_deadline_look(c->module->base.deadline));
        sweep_range(&sweep, &ranges[i]);
    }
    return HOIST_OK;
}

// Ethernet channels of ethernet_datacopy, checked when a descriptor says how many the chip has.
// Without one the count of the architecture may be another than that of the board.
static void check_ethernet(const buda_check *c, const buda_net_op *op)
{
    const buda_attributes *attributes = &op->op->attributes;
    buda_frames frames;
    buda_enter_op(c->diag, &frames, c->net->graphs[op->graph].graph, op->op);
    for (size_t k = 0; k < attributes->count; k++) {
        const buda_attribute *attribute = &attributes->items[k];
        const bool names_channels = attribute->attr == HOIST_ATTR_INGRESS_CHANNELS ||
                                    attribute->attr == HOIST_ATTR_EGRESS_CHANNELS;
        for (size_t i = 0; i < attribute->ints.count && names_channels; i++) {
            const buda_int *channel = &attribute->ints.items[i];
            if (channel->value < 0 || channel->value >= c->net->soc->ethernet_count) {
                buda_report(c->diag, BUDA_080, channel->pos,
                            "ethernet channel %" PRId64 " does not exist, the chip has %d",
                            channel->value, c->net->soc->ethernet_count);
            }
        }
    }
    buda_leave(c->diag, &frames);
}

// Overlap comes last: it needs the sorted ranges of all queues.
hoist_status buda_check_memory(const buda_check *c)
{
    // Sizes, channels and capacities all follow from the architecture.
    if (c->arch == BUDA_ARCH_NONE) {
        return HOIST_OK;
    }
    for (size_t i = 0; i < c->net->queue_count; i++) {
        check_queue(c, i);
    }
    const bool described = c->cluster || (c->options && c->options->soc.size > 0);
    for (size_t i = 0; i < c->net->op_count && described; i++) {
        if (c->net->ops[i].op->op == HOIST_OP_ETHERNET_DATACOPY) {
            check_ethernet(c, &c->net->ops[i]);
        }
    }
    return check_overlap(c);
}
