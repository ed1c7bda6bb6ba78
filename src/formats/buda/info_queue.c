// The queues of a netlist's summary (info.c), as tree events: one map for each, with a short form
// for people and all numbers for programs. Sizes are net_size.c's, addresses memory_map.c's.
#include <inttypes.h>

#include "base/checked.h"
#include "formats/buda/info.h"
#include "formats/buda/memory_map.h"
#include "formats/buda/words.h"

// One queue on its way to the sink.
typedef struct queue_writer {
    const buda_net *net;
    size_t index; // into net->queues
    const buda_queue *queue;
    hoist_tree_sink *sink;
} queue_writer;

// a * b * c * d, or -1 when it does not fit or a factor is below 1. For people and programs alike,
// -1 stands for "not known" and is shown as "?" or null.
static int64_t product_of(const int64_t factors[4])
{
    int64_t product = 1;
    for (size_t i = 0; i < 4; i++) {
        if (factors[i] < 1 || hoist_ckd_mul_i64(&product, product, factors[i])) {
            return -1;
        }
    }
    return product;
}

// Rows and columns of one entry in elements, section 4.1; -1 when not known.
static void entry_shape(const buda_queue *queue, int64_t *out_rows, int64_t *out_columns)
{
    const buda_pair tile = buda_tile_dim(queue->tile_dim);
    const int64_t rows[4] = {queue->grid_size.r, queue->mblock.r, queue->ublock.r, tile.r};
    const int64_t columns[4] = {queue->grid_size.c, queue->mblock.c, queue->ublock.c, tile.c};
    *out_rows = product_of(rows);
    *out_columns = product_of(columns);
}

// The buffer keeps its own failure; send_text() looks at it.
static void add_number(hoist_buffer *text, int64_t number)
{
    if (number < 0) {
        hoist_buffer_char(text, '?');
    } else {
        hoist_buffer_format(text, "%" PRId64, number);
    }
}

// "t1 64x128 Float16": slices, rows and columns of one entry in elements, and the format as
// written.
static void add_shape(hoist_buffer *text, const buda_queue *queue)
{
    int64_t rows = 0;
    int64_t columns = 0;
    entry_shape(queue, &rows, &columns);
    hoist_buffer_format(text, "t%" PRId64 " ", queue->t.value);
    add_number(text, rows);
    hoist_buffer_char(text, 'x');
    add_number(text, columns);
    hoist_buffer_char(text, ' ');
    hoist_buffer_str(text, queue->df.text);
}

// "chip 0 dram 0,2": the channels in order of first use; past eight of them "0,1,...". Eight by
// eight comparisons at most, whatever the grid has.
static void add_location(hoist_buffer *text, const buda_net_queue *queue)
{
    enum { MOST = 8 }; // channels of the largest DRAM
    const buda_places *places = buda_queue_places(queue->queue);
    int64_t channels[MOST];
    size_t count = 0;
    hoist_buffer_format(text, "chip %" PRId64 " ", queue->device);
    hoist_buffer_str(text, queue->queue->loc.text);
    for (size_t i = 0; i < places->count; i++) {
        const int64_t channel = places->items[i].channel.value;
        size_t k = 0;
        while (k < count && channels[k] != channel) {
            k++;
        }
        if (k < count) {
            continue;
        }
        hoist_buffer_char(text, count == 0 ? ' ' : ',');
        if (count == MOST) {
            hoist_buffer_c(text, "...");
            return;
        }
        channels[count++] = channel;
        hoist_buffer_format(text, "%" PRId64, channel);
    }
}

// Sends the contents of `text` and empties it for the next one: one buffer serves all queues.
static void send_text(hoist_tree_sink *sink, const char *key, hoist_buffer *text)
{
    if (text->failed && sink->status == HOIST_OK) {
        sink->status = HOIST_NO_MEMORY;
    }
    hoist_tree_str(sink, key, hoist_buffer_text(text));
    text->size = 0;
}

// Null for what is not known.
static void send_number(hoist_tree_sink *sink, const char *key, int64_t number)
{
    if (number < 0) {
        hoist_tree_null(sink, key);
    } else {
        hoist_tree_int(sink, key, number);
    }
}

// Null, and not 0, where a size is not known.
static void send_bytes(hoist_tree_sink *sink, const char *key, bool known, uint64_t bytes)
{
    hoist_tree_maybe_uint(sink, key, known, bytes, HOIST_UNIT_BYTES);
}

// Short lists stay on one line in text.
static void send_pair(hoist_tree_sink *sink, const char *key, buda_pair pair)
{
    hoist_tree_short_list(sink, key);
    hoist_tree_int(sink, "", pair.r);
    hoist_tree_int(sink, "", pair.c);
    hoist_tree_end(sink);
}

// The word, or null where the reader knows none. `value` may be -1 here: an unknown spelling.
static void send_word(hoist_tree_sink *sink, const char *key, const hoist_rec_words *set, int value)
{
    hoist_tree_maybe_c(sink, key, hoist_rec_word_name(set, value));
}

// Everything that the size follows from, with defaults filled in.
static void send_shape(const queue_writer *w)
{
    const buda_queue *const q = w->queue;
    int64_t rows = 0;
    int64_t columns = 0;
    entry_shape(q, &rows, &columns);
    hoist_tree_short_list(w->sink, "shape");
    hoist_tree_int(w->sink, "", q->t.value);
    send_number(w->sink, "", rows);
    send_number(w->sink, "", columns);
    hoist_tree_end(w->sink);
    send_word(w->sink, "df", &buda_df_words, q->df.value);
    send_pair(w->sink, "grid_size", q->grid_size);
    hoist_tree_int(w->sink, "t", q->t.value);
    send_pair(w->sink, "mblock", q->mblock);
    send_pair(w->sink, "ublock", q->ublock);
    send_word(w->sink, "ublock_order", &buda_order_words, q->ublock_order.value);
    send_pair(w->sink, "tile_dim", buda_tile_dim(q->tile_dim));
    send_word(w->sink, "layout", &buda_layout_words, q->layout.value);
}

// The address is the start of the range, with the shift of a copy on the host (section 1.9).
static void send_buffer(const queue_writer *w, size_t place, const buda_place *item)
{
    buda_range range;
    const bool known = buda_queue_range(w->net, w->index, place, &range);
    hoist_tree_short_map(w->sink, "");
    hoist_tree_int(w->sink, "channel", item->channel.value);
    hoist_tree_maybe_uint(w->sink, "address", known, range.start, HOIST_UNIT_ADDRESS);
    hoist_tree_end(w->sink);
}

// The alias is null where there is none, so that the key is always there.
static void send_location(const queue_writer *w)
{
    const buda_net_queue *const queue = &w->net->queues[w->index];
    const buda_places *const places = buda_queue_places(w->queue);
    hoist_tree_int(w->sink, "chip", queue->device);
    send_word(w->sink, "memory", &buda_loc_words, w->queue->loc.value);
    hoist_tree_maybe_str(w->sink, "alias",
                         buda_has(w->queue->alias.pos) ? w->queue->alias.text
                                                       : (hoist_str){NULL, 0});
    hoist_tree_list(w->sink, "buffers");
    for (size_t i = 0; i < places->count; i++) {
        send_buffer(w, i, &places->items[i]);
    }
    hoist_tree_end(w->sink);
    send_bytes(w->sink, "entry_bytes", queue->sizes_known, queue->entry_bytes);
    send_bytes(w->sink, "buffer_bytes", queue->sizes_known, queue->buffer_bytes);
}

// Text and JSON differ: two short columns for people, all parts for programs.
static void send_queue(const queue_writer *w, hoist_buffer *text)
{
    const buda_net_queue *const queue = &w->net->queues[w->index];
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "name", queue->name);
    hoist_tree_str(w->sink, "type", w->queue->type.text);
    hoist_tree_str(w->sink, "input", w->queue->input.text);
    hoist_tree_int(w->sink, "entries", w->queue->entries.value);
    w->sink->audience = HOIST_TREE_FOR_PEOPLE;
    add_shape(text, w->queue);
    send_text(w->sink, "shape", text);
    add_location(text, queue);
    send_text(w->sink, "location", text);
    w->sink->audience = HOIST_TREE_FOR_PROGRAMS;
    send_shape(w);
    send_location(w);
    w->sink->audience = HOIST_TREE_FOR_ALL;
    // The product of a size and a list that the file gives: checked, and null when it overflows.
    uint64_t bytes = 0;
    const bool known = queue->sizes_known && !hoist_ckd_mul(&bytes, queue->buffer_bytes,
                                                            buda_queue_places(w->queue)->count);
    send_bytes(w->sink, "bytes", known, bytes);
    hoist_tree_end(w->sink);
}

// `text` is reused for every queue, so that a long list takes no memory per queue.
hoist_status buda_send_queues(const buda_net *net, hoist_arena *arena, hoist_tree_sink *sink)
{
    hoist_buffer text;
    hoist_buffer_init(&text, arena->alloc);
    hoist_tree_list(sink, "queues");
    for (size_t i = 0; i < net->queue_count; i++) {
        const queue_writer w = {net, i, net->queues[i].queue, sink};
        send_queue(&w, &text);
    }
    hoist_tree_end(sink);
    hoist_buffer_deinit(&text);
    return sink->status;
}
