// Rules 77 to 80: channels, capacities, alignment, overlap. buda-netlist reference sections 4.3,
// 5.5 and 7.4. Most rules give one finding per queue, at its first buffer that breaks them.
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

// What a rule says of one buffer: broken or not. The range is all zeros when it is not known.
typedef bool (*place_test)(const buda_check *c, const buda_place *place, const buda_range *range);

static bool is_channel_missing(const buda_check *c, const buda_place *place,
                               const buda_range *range)
{
    (void)range;
    return place->channel.value < 0 || place->channel.value >= c->net->soc->dram_count;
}

static bool is_past_channel(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)place;
    return range->end > c->net->soc->dram_bytes;
}

static bool is_past_host(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)c;
    (void)place;
    return range->end > BUDA_HOST_CHANNEL_BYTES;
}

// First free address of the place's channel; 0 when the channel or its top is unknown.
static uint64_t reserved_top(const buda_check *c, const buda_place *place)
{
    return is_channel_missing(c, place, NULL)
               ? 0
               : c->net->soc->dram[place->channel.value].reserved_top;
}

static bool is_in_reserved(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)range;
    return place->address.value < (int64_t)reserved_top(c, place);
}

static bool is_unaligned(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)range;
    return place->address.value % c->net->soc->alignment != 0;
}

static bool is_outside_window(const buda_check *c, const buda_place *place, const buda_range *range)
{
    (void)c;
    (void)range;
    return place->channel.value != 0 || place->address.value < PEER_WINDOW;
}

// Places of a queue that break a rule: how many, and the first with its range.
typedef struct broken_places {
    size_t count;
    size_t first;
    const buda_place *place;
    buda_range range;
} broken_places;

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

// " (N more buffers as well)" for the end of a message.
typedef struct more_text {
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

static void check_channels(const buda_check *c, size_t queue)
{
    const broken_places broken = find_broken(c, queue, is_channel_missing);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_080, broken.place->pos,
                    "buffer %zu lies on DRAM channel %" PRId64 ", %s has channels 0 to %d%s",
                    broken.first, broken.place->channel.value, buda_arch_name(c->arch),
                    c->net->soc->dram_count - 1, more_of(&broken).text);
    }
}

static void check_capacity(const buda_check *c, size_t queue)
{
    const broken_places broken = find_broken(c, queue, is_past_channel);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_079c, broken.place->pos,
                    "buffer %zu ends at 0x%" PRIx64 ", its DRAM channel at 0x%" PRIx64 "%s",
                    broken.first, broken.range.end, c->net->soc->dram_bytes, more_of(&broken).text);
    }
}

static void check_reserved(const buda_check *c, size_t queue)
{
    const broken_places broken = find_broken(c, queue, is_in_reserved);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_079d, broken.place->pos,
                    "buffer %zu begins at 0x%" PRIx64
                    ", the backend uses the channel up to 0x%" PRIx64 "%s",
                    broken.first, (uint64_t)broken.place->address.value,
                    reserved_top(c, broken.place), more_of(&broken).text);
    }
}

static void check_alignment(const buda_check *c, size_t queue)
{
    // Blackhole's 64 is rule 18, an error.
    if (c->arch == BUDA_BLACKHOLE) {
        return;
    }
    const broken_places broken = find_broken(c, queue, is_unaligned);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_079e, broken.place->pos,
                    "buffer %zu begins at 0x%" PRIx64 ", wanted a multiple of %d%s", broken.first,
                    (uint64_t)broken.place->address.value, c->net->soc->alignment,
                    more_of(&broken).text);
    }
}

// The device of a graph that reads `queue` from another chip; false when there is none.
static bool find_remote_reader(const buda_net *net, const buda_net_queue *queue,
                               int64_t *out_device)
{
    for (size_t i = 0; i < queue->consumer_count; i++) {
        *out_device = net->graphs[net->ops[queue->consumers[i]].graph].device;
        if (*out_device != queue->device) {
            return true;
        }
    }
    return false;
}

static void check_peer_access(const buda_check *c, size_t index)
{
    const buda_net_queue *queue = &c->net->queues[index];
    int64_t device = 0;
    if (c->arch != BUDA_GRAYSKULL) {
        return;
    }
    if (find_remote_reader(c->net, queue, &device)) {
        buda_report(c->diag, BUDA_077, queue->queue->target_device.pos,
                    "the queue is on chip %" PRId64 ", a graph on chip %" PRId64
                    " reads it; grayskull reads DRAM of its own chip only",
                    queue->device, device);
    }
    if (queue->producer == BUDA_NO_INDEX) {
        return;
    }
    device = c->net->graphs[c->net->ops[queue->producer].graph].device;
    const broken_places broken = find_broken(c, index, is_outside_window);
    if (device != queue->device && broken.count > 0) {
        buda_report(c->diag, BUDA_077, broken.place->pos,
                    "chip %" PRId64 " writes buffer %zu of chip %" PRId64
                    ", which must be on channel 0 at 0x%x or above%s",
                    device, broken.first, queue->device, (unsigned)PEER_WINDOW,
                    more_of(&broken).text);
    }
}

static void check_host_end(const buda_check *c, size_t queue)
{
    const broken_places broken = find_broken(c, queue, is_past_host);
    if (broken.count > 0) {
        buda_report(c->diag, BUDA_078b, broken.place->pos,
                    "buffer %zu ends at 0x%" PRIx64 ", host memory at 0x%" PRIx64 "%s",
                    broken.first, broken.range.end, BUDA_HOST_CHANNEL_BYTES, more_of(&broken).text);
    }
}

static bool has_mmio(const buda_cluster *cluster, int64_t chip)
{
    for (size_t i = 0; i < cluster->mmio_count; i++) {
        if (cluster->mmio[i] == chip) {
            return true;
        }
    }
    return false;
}

static void check_host_producer(const buda_check *c, const buda_net_queue *queue)
{
    if (!c->cluster || queue->producer == BUDA_NO_INDEX) {
        return;
    }
    const int64_t device = c->net->graphs[c->net->ops[queue->producer].graph].device;
    if (!has_mmio(c->cluster, device)) {
        buda_report(c->diag, BUDA_078a, queue->queue->input.pos,
                    "op '%.*s' on chip %" PRId64
                    " writes a host queue, only chips with MMIO reach host memory",
                    HOIST_STR_ARGS(queue->queue->input.text), device);
    }
}

static void check_queue(const buda_check *c, size_t index)
{
    const buda_net_queue *queue = &c->net->queues[index];
    if (!buda_has(queue->queue->loc.pos)) {
        return;
    }
    buda_frames frames;
    buda_enter_queue(c->diag, &frames, queue->queue);
    switch (queue->queue->loc.value) {
    case BUDA_LOC_DRAM:
        check_channels(c, index);
        check_capacity(c, index);
        check_reserved(c, index);
        check_alignment(c, index);
        check_peer_access(c, index);
        break;
    case BUDA_LOC_HOST:
        check_host_end(c, index);
        check_host_producer(c, queue);
        break;
    default: // a spelling that the reader reported
        break;
    }
    buda_leave(c->diag, &frames);
}

// Overlap --------------------------------------------------------------------------------------

// The ranges of one kind, static or dynamic, met so far on a channel: the one that ends last, and
// the one that ends last among those that no alias joins with it.
typedef struct overlap_front {
    const buda_range *last;
    const buda_range *other;
} overlap_front;

typedef struct overlap_sweep {
    const buda_check *c;
    const bool *dynamic;     // per queue: named by an allocate or deallocate
    bool *reported;          // per queue: one finding is enough
    overlap_front fronts[2]; // [dynamic]
} overlap_sweep;

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

static bool is_before(hoist_pos a, hoist_pos b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

// Reports at the one of both that stands later in the file.
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
// from the programs (check_program.c).
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

static hoist_status check_overlap(const buda_check *c)
{
    overlap_sweep sweep = {.c = c};
    const buda_range *ranges = NULL;
    size_t count = 0;
    HOIST_TRY(buda_dynamic_queues(c->net, c->scratch, &sweep.dynamic));
    HOIST_TRY(buda_memory_ranges(c->net, c->scratch, &ranges, &count));
    sweep.reported = hoist_arena_array(c->scratch, c->net->queue_count, sizeof(bool));
    if (!sweep.reported) {
        return HOIST_NO_MEMORY;
    }
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

// Ethernet channels of ethernet_datacopy, judged when a descriptor says what the chip has.
static void check_ethernet_attribute(const buda_check *c, const buda_attribute *attribute)
{
    if (attribute->attr != HOIST_ATTR_INGRESS_CHANNELS &&
        attribute->attr != HOIST_ATTR_EGRESS_CHANNELS) {
        return;
    }
    for (size_t i = 0; i < attribute->ints.count; i++) {
        const buda_int *channel = &attribute->ints.items[i];
        if (channel->value < 0 || channel->value >= c->net->soc->ethernet_count) {
            buda_report(c->diag, BUDA_080, channel->pos,
                        "ethernet channel %" PRId64 " does not exist, the chip has %d",
                        channel->value, c->net->soc->ethernet_count);
        }
    }
}

static void check_ethernet(const buda_check *c)
{
    for (size_t i = 0; i < c->net->op_count; i++) {
        const buda_net_op *op = &c->net->ops[i];
        if (op->op->op != HOIST_OP_ETHERNET_DATACOPY) {
            continue;
        }
        buda_frames frames;
        buda_enter_op(c->diag, &frames, c->net->graphs[op->graph].graph, op->op);
        for (size_t k = 0; k < op->op->attributes.count; k++) {
            check_ethernet_attribute(c, &op->op->attributes.items[k]);
        }
        buda_leave(c->diag, &frames);
    }
}

hoist_status buda_check_memory(const buda_check *c)
{
    // Sizes, channels and capacities all follow from the architecture.
    if (c->arch == BUDA_ARCH_NONE) {
        return HOIST_OK;
    }
    for (size_t i = 0; i < c->net->queue_count; i++) {
        check_queue(c, i);
    }
    if (c->cluster || (c->options && c->options->soc.size > 0)) {
        check_ethernet(c);
    }
    return check_overlap(c);
}
