// Draws where the queues lie: per chip a bar for each channel, in order of addresses, as long as
// what is used of it; what is free is left out.
//
//   dram 0  0x30000000 |aaaaaaaabbbbbb|       0x30021060  12.0 KiB
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/draw.h"
#include "formats/buda/memory_map.h"

enum {
    PLACE_WIDTH = 10, // "  dram 12 "
    ADDRESS_WIDTH = 12,
    ROOMY = 60,     // columns of a drawing that shows end addresses too
    MOST_TAGS = 52, // queues of a chip that get a letter and a line in the legend
};

typedef struct memory_view {
    const buda_drawing *d;
    const buda_range *ranges; // of one chip
    size_t count;
    size_t *tags;     // per queue of the net: its number on this chip; arena
    size_t tag_count; // queues on this chip
    uint64_t longest; // used bytes of the fullest channel
    size_t bar_width; // columns of its bar
} memory_view;

static char queue_letter(const memory_view *v, size_t queue)
{
    return hoist_draw_tag(v->tags[queue] % MOST_TAGS).text[0];
}

// Columns [k, k+1) stand for used bytes [k, k+1) * used / columns; a column shows the queue that
// holds its middle byte.
static void draw_bar(const memory_view *v, const buda_range *ranges, size_t count, uint64_t used,
                     size_t columns)
{
    uint64_t before = 0; // used bytes below the range
    uint64_t covered = 0;
    size_t column = 0;
    for (size_t i = 0; i < count; i++) {
        const buda_range *range = &ranges[i];
        const uint64_t start = range->start > covered ? range->start : covered;
        if (range->end <= start) {
            continue;
        }
        before += range->end - start;
        covered = range->end;
        const double share = (double)before / (double)used;
        while (column < columns && ((double)column + 0.5) / (double)columns <= share) {
            hoist_buffer_char(v->d->out, queue_letter(v, range->queue));
            column++;
        }
    }
}

static void draw_address(hoist_buffer *out, uint64_t address)
{
    char text[32];
    (void)snprintf(text, sizeof(text), "0x%" PRIx64, address);
    hoist_draw_padded(out, hoist_str_from(text), ADDRESS_WIDTH, true);
}

static void draw_channel(const memory_view *v, const buda_range *ranges, size_t count)
{
    hoist_buffer *out = v->d->out;
    uint64_t end = 0;
    const uint64_t used = buda_ranges_used(ranges, count, &end);
    const double share = v->longest ? (double)used / (double)v->longest : 0;
    size_t columns = (size_t)(share * (double)v->bar_width + 0.5);
    columns = columns == 0 && used > 0 ? 1 : columns;
    char place[32];
    (void)snprintf(place, sizeof(place), "  %s %" PRId64,
                   ranges[0].loc == BUDA_LOC_DRAM ? "dram" : "host", ranges[0].channel);
    hoist_draw_padded(out, hoist_str_from(place), PLACE_WIDTH, false);
    draw_address(out, ranges[0].start);
    hoist_buffer_c(out, " |");
    draw_bar(v, ranges, count, used, columns);
    hoist_buffer_char(out, '|');
    hoist_buffer_fill(out, ' ', v->bar_width - columns);
    if (v->d->width >= ROOMY) {
        draw_address(out, end);
    }
    hoist_draw_size(out, used);
    hoist_buffer_char(out, '\n');
}

static void draw_legend(const memory_view *v)
{
    enum { INDENT = 4, TYPE_WIDTH = 5 };
    hoist_buffer *out = v->d->out;
    const size_t name_width = v->d->width - INDENT - 4 - TYPE_WIDTH - HOIST_DRAW_SIZE_WIDTH - 1;
    size_t next = 0;
    for (size_t i = 0; i < v->count; i++) {
        const size_t index = v->ranges[i].queue;
        const buda_net_queue *queue = &v->d->net->queues[index];
        if (v->tags[index] != next) {
            continue;
        }
        next++;
        hoist_buffer_format(out, "%*s%c  ", INDENT, "", queue_letter(v, index));
        hoist_draw_padded(out, queue->name, name_width, false);
        hoist_buffer_char(out, ' ');
        hoist_draw_padded(out, queue->queue->type.text, TYPE_WIDTH, false);
        // Saturates: a place list times a 64-bit size is for people only.
        const double bytes =
            (double)queue->buffer_bytes * (double)buda_queue_places(queue->queue)->count;
        hoist_draw_size(out, bytes < 1e18 ? (uint64_t)bytes : (uint64_t)1000000000000000000);
        hoist_buffer_char(out, '\n');
    }
}

// Numbers the queues of the chip in the order of their first range.
static void number_queues(memory_view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        size_t *tag = &v->tags[v->ranges[i].queue];
        if (*tag == BUDA_NO_INDEX) {
            *tag = v->tag_count++;
        }
    }
}

static void draw_chip(memory_view *v)
{
    hoist_buffer *out = v->d->out;
    number_queues(v);
    size_t on_channel = 0;
    for (size_t i = 0; i < v->count; i += on_channel) {
        uint64_t end = 0;
        on_channel = buda_ranges_of_channel(&v->ranges[i], v->count - i);
        const uint64_t used = buda_ranges_used(&v->ranges[i], on_channel, &end);
        v->longest = used > v->longest ? used : v->longest;
    }
    hoist_buffer_format(out, "memory of chip %" PRId64 "\n", v->ranges[0].chip);
    for (size_t i = 0; i < v->count; i += on_channel) {
        on_channel = buda_ranges_of_channel(&v->ranges[i], v->count - i);
        draw_channel(v, &v->ranges[i], on_channel);
    }
    if (v->tag_count <= MOST_TAGS) {
        hoist_buffer_char(out, '\n');
        draw_legend(v);
    } else {
        hoist_buffer_format(out, "  %zu queues, letters are used again and again; see info\n",
                            v->tag_count);
    }
}

hoist_status buda_draw_memory(const buda_drawing *d)
{
    const buda_range *ranges = NULL;
    size_t count = 0;
    HOIST_TRY(buda_memory_ranges(d->net, d->arena, &ranges, &count));
    size_t *tags = hoist_arena_array(d->arena, d->net->queue_count, sizeof(tags[0]));
    if (!tags) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < d->net->queue_count; i++) {
        tags[i] = BUDA_NO_INDEX;
    }
    const size_t addresses = d->width >= ROOMY ? 2 : 1;
    const size_t fixed = PLACE_WIDTH + addresses * ADDRESS_WIDTH + HOIST_DRAW_SIZE_WIDTH + 3;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && ranges[end].chip == ranges[i].chip) {
            end++;
        }
        memory_view v = {
            .d = d,
            .ranges = &ranges[i],
            .count = end - i,
            .tags = tags,
            .bar_width = d->width - fixed,
        };
        hoist_buffer_c(d->out, i > 0 ? "\n" : "");
        draw_chip(&v);
        i = end;
    }
    return HOIST_OK;
}
