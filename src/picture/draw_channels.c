// Where buffers lie: per chip a bar for each channel, in order of addresses, as long as what is
// used of it; what is free is left out.
//
//   dram 0  0x30000000 |aaaaaaaabbbbbb|       0x30021060  12.0 KiB
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "picture/draw.h"

enum {
    PLACE_WIDTH = 10, // "  dram 12 "
    ADDRESS_WIDTH = 12,
    ROOMY = 60,     // columns of a drawing that shows end addresses too
    MOST_TAGS = 52, // owners on a chip that get a letter and a line in the legend
};

static const size_t UNTAGGED = SIZE_MAX;

typedef struct memory_view {
    const hoist_drawing *d;
    const hoist_picture_memory *channels; // of one chip
    size_t count;
    size_t *tags;     // per owner: its number on this chip; arena
    size_t tag_count; // owners on this chip
    uint64_t longest; // used bytes of the fullest channel
    size_t bar_width; // columns of its bar
} memory_view;

// Letters are used again past the last one; the drawing then says so instead of a legend.
static char letter_of(const memory_view *v, const hoist_picture_range *range)
{
    return hoist_draw_tag(v->tags[range->owner] % MOST_TAGS).text[0];
}

// Columns [k, k+1) represent used bytes [k, k+1) * used / columns; a column shows the owner of its
// middle byte.
static void draw_bar(const memory_view *v, const hoist_picture_memory *m, size_t columns)
{
    uint64_t before = 0; // used bytes below the range
    uint64_t covered = 0;
    size_t column = 0;
    for (size_t i = 0; i < m->range_count; i++) {
        const hoist_picture_range *const range = &m->ranges[i];
        // Ranges come by address; where one overlaps those before, only what is new of it counts.
        const uint64_t start = range->start > covered ? range->start : covered;
        const uint64_t end = range->start + range->size;
        if (end <= start) {
            continue;
        }
        before += end - start;
        covered = end;
        // The part of the used bytes that this range and those below it have: columns go on up to
        // it.
        const double share = (double)before / (double)m->used;
        while (column < columns && ((double)column + 0.5) / (double)columns <= share) {
            hoist_buffer_char(v->d->out, letter_of(v, range));
            column++;
        }
    }
}

// Hexadecimal, and aligned right below the addresses of the other channels.
static void draw_address(hoist_buffer *out, uint64_t address)
{
    char text[32];
    (void)snprintf(text, sizeof(text), "0x%" PRIx64, address);
    hoist_draw_padded(out, hoist_str_from(text), ADDRESS_WIDTH, true);
}

// A line: place, first address, bar, end address, size. Channels without ranges are not in
// pictures.
static void draw_channel(const memory_view *v, const hoist_picture_memory *m)
{
    hoist_buffer *out = v->d->out;
    const double share = v->longest ? (double)m->used / (double)v->longest : 0;
    // Bars of a chip are on one scale: the fullest channel has all columns.
    size_t columns = (size_t)(share * (double)v->bar_width + 0.5);
    columns = columns == 0 && m->used > 0 ? 1 : columns;
    char place[32];
    (void)snprintf(place, sizeof(place), "  %s %" PRId64, m->name, m->channel);
    hoist_draw_padded(out, hoist_str_from(place), PLACE_WIDTH, false);
    draw_address(out, m->ranges[0].start);
    hoist_buffer_c(out, " |");
    draw_bar(v, m, columns);
    hoist_buffer_char(out, '|');
    hoist_buffer_fill(out, ' ', v->bar_width - columns);
    if (v->d->width >= ROOMY) {
        draw_address(out, m->end);
    }
    hoist_draw_size(out, m->used);
    hoist_buffer_char(out, '\n');
}

// Letter, name, type, and what the owner has in all its ranges.
static void draw_legend_line(const memory_view *v, const hoist_picture_range *range)
{
    enum { INDENT = 4, TYPE_WIDTH = 5 };
    hoist_buffer *out = v->d->out;
    const size_t name_width = v->d->width - INDENT - 4 - TYPE_WIDTH - HOIST_DRAW_SIZE_WIDTH - 1;
    hoist_buffer_format(out, "%*s%c  ", INDENT, "", letter_of(v, range));
    hoist_draw_padded(out, range->name, name_width, false);
    hoist_buffer_char(out, ' ');
    hoist_draw_padded(out, range->type, TYPE_WIDTH, false);
    hoist_draw_size(out, range->total);
    hoist_buffer_char(out, '\n');
}

// A line for each owner, where its first range is.
static void draw_legend(const memory_view *v)
{
    size_t next = 0;
    for (size_t i = 0; i < v->count; i++) {
        for (size_t k = 0; k < v->channels[i].range_count; k++) {
            const hoist_picture_range *const range = &v->channels[i].ranges[k];
            // Owners are numbered by their first ranges, so that each is met for the first time in
            // this order.
            if (v->tags[range->owner] == next) {
                draw_legend_line(v, range);
                next++;
            }
        }
    }
}

// Numbers the owners on the chip in the order of their first ranges, and finds the fullest channel.
static void survey(memory_view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        const hoist_picture_memory *const m = &v->channels[i];
        v->longest = m->used > v->longest ? m->used : v->longest;
        for (size_t k = 0; k < m->range_count; k++) {
            size_t *const tag = &v->tags[m->ranges[k].owner];
            *tag = *tag == UNTAGGED ? v->tag_count++ : *tag;
        }
    }
}

// The channels of a chip below its heading, and who owns what.
static void draw_chip(memory_view *v)
{
    survey(v);
    hoist_buffer_format(v->d->out, "memory of chip %" PRId64 "\n", v->channels[0].chip);
    for (size_t i = 0; i < v->count; i++) {
        draw_channel(v, &v->channels[i]);
    }
    if (v->tag_count <= MOST_TAGS) {
        hoist_buffer_char(v->d->out, '\n');
        draw_legend(v);
    } else {
        hoist_buffer_format(v->d->out, "  %zu queues, letters are used again and again; see info\n",
                            v->tag_count);
    }
}

// Of each owner "no number yet". Owners are numbered through all chips, tags from 0 on each.
static size_t *make_tags(const hoist_drawing *d, const hoist_picture *picture)
{
    size_t owners = 0;
    for (size_t i = 0; i < picture->memory_count; i++) {
        const hoist_picture_memory *const m = &picture->memories[i];
        for (size_t k = 0; k < m->range_count; k++) {
            owners = m->ranges[k].owner >= owners ? m->ranges[k].owner + 1 : owners;
        }
    }
    size_t *const tags = hoist_arena_array(d->arena, owners, sizeof(*tags));
    for (size_t i = 0; tags && i < owners; i++) {
        tags[i] = UNTAGGED;
    }
    return tags;
}

hoist_status hoist_draw_channels(const hoist_drawing *d, const hoist_picture *picture)
{
    const hoist_picture_memory *const all = picture->memories;
    const size_t addresses = d->width >= ROOMY ? 2 : 1;
    const size_t fixed = PLACE_WIDTH + addresses * ADDRESS_WIDTH + HOIST_DRAW_SIZE_WIDTH + 3;
    size_t *const tags = make_tags(d, picture);
    if (!tags) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < picture->memory_count;) {
        size_t end = i + 1;
        // Channels of a chip follow each other in a picture.
        while (end < picture->memory_count && all[end].chip == all[i].chip) {
            end++;
        }
        memory_view v = {
            .d = d,
            .channels = &all[i],
            .count = end - i,
            .tags = tags,
            .bar_width = d->width - fixed,
        };
        if (all[i].is_channel) {
            hoist_draw_gap(d->out);
            draw_chip(&v);
        }
        i = end;
    }
    return HOIST_OK;
}
