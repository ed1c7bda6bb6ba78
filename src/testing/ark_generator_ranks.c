// Exchanges among the ranks of random ARK models (ark_generator.h): messages, packets, puts, and
// the all-reduces of section 8.5 of the ark reference. Every rank gets its part in an order in
// which none waits for ever.
#include "base/span.h"
#include "testing/ark_generator_state.h"

static void add_tag(gen_tags *tags, int64_t rank, int64_t tag)
{
    size_t i = tags->count++;
    // Ascending, as ARK writes them.
    for (; i > 0 && (tags->pairs[i - 1][0] > rank ||
                     (tags->pairs[i - 1][0] == rank && tags->pairs[i - 1][1] > tag));
         i--) {
        tags->pairs[i][0] = tags->pairs[i - 1][0];
        tags->pairs[i][1] = tags->pairs[i - 1][1];
    }
    tags->pairs[i][0] = rank;
    tags->pairs[i][1] = tag;
}

// A buffer that represents one of `peer`, which receives with `tag`, or sends.
static gen_buffer *proxy(gen_rank *r, size_t peer, ark_dtype dtype, bool receives, int64_t tag)
{
    gen_buffer *const b = gen_new_buffer(r, (int64_t)peer, dtype);
    add_tag(receives ? &b->receives : &b->sends, -1, tag);
    return b;
}

// A tensor of `count` elements that is part of an array of one dimension.
static gen_tensor *slice(gen_rank *r, ark_dtype dtype, gen_buffer *buffer, int64_t count,
                         int64_t all, int64_t offset)
{
    gen_tensor *const t = gen_new_tensor(r, dtype, 1, &count, buffer);
    t->dims[0] = all;
    t->offsets[0] = offset;
    return t;
}

// Whether a buffer has space for more tags of an exchange.
static bool has_space(const gen_tensor *t)
{
    return t->buffer->sends.count + ARK_GEN_MAX_RANKS < GEN_TAGS && !t->buffer->is_external;
}

// A tensor to send: one of the pool, or a new one.
static const gen_tensor *sent(gen *g, gen_rank *r, ark_dtype dtype, size_t rank,
                              const int64_t *shape)
{
    const gen_tensor *const t = gen_input(g, r, dtype, rank, shape, true);
    return has_space(t) ? t : gen_new_tensor(r, dtype, rank, shape, gen_new_buffer(r, -1, dtype));
}

static const gen_tensor *add_send(gen *g, gen_rank *r, const gen_tensor *input, size_t peer,
                                  int64_t tag, const gen_tensor *geometry)
{
    gen_tensor *const to = gen_new_tensor(r, geometry->dtype, geometry->rank, geometry->shape,
                                          proxy(r, peer, geometry->dtype, true, tag));
    for (size_t k = 0; k < geometry->rank; k++) {
        to->dims[k] = geometry->dims[k];
        to->offsets[k] = geometry->offsets[k];
        to->padded[k] = geometry->padded[k];
    }
    add_tag(&input->buffer->sends, (int64_t)peer, tag);
    gen_op *const op = gen_new_op(g, r, ARK_SEND);
    gen_read(op, input);
    gen_write(op, to);
    return gen_end(g, r, op, false);
}

static void add_send_done(gen *g, gen_rank *r, const gen_tensor *sent)
{
    gen_op *const op = gen_new_op(g, r, ARK_SEND_DONE);
    gen_read(op, sent);
    (void)gen_end(g, r, op, false);
}

static const gen_tensor *add_recv(gen *g, gen_rank *r, const gen_tensor *to, size_t peer,
                                  int64_t tag)
{
    gen_op *const op = gen_new_op(g, r, ARK_RECV);
    gen_read(op, gen_new_tensor(r, to->dtype, to->rank, to->shape,
                                proxy(r, peer, to->dtype, false, tag)));
    gen_write(op, to);
    return gen_end(g, r, op, true);
}

static void add_sync(gen *g, gen_rank *r)
{
    const gen_tensor *const x = gen_any(g, r, ARK_FP32);
    gen_op *const op = gen_new_op(g, r, ARK_DEVICE_SYNC);
    gen_tensor *const same = gen_new_tensor(r, x->dtype, x->rank, x->shape, x->buffer);
    const int64_t id = same->id;
    *same = *x;
    same->id = id;
    gen_read(op, x);
    gen_write(op, same);
    op->args = gen_format(g, "\"PeerNum\":{\"INT\":%d},\"Rank\":{\"INT\":%d}",
                          (int)g->rank_count - 1, (int)r->number);
    (void)gen_end(g, r, op, true);
}

// Messages and packets ---------------------------------------------------------------------------

// From one rank to another, received or, before a DeviceSync, put.
static void add_message(gen *g)
{
    const ark_dtype dtype = gen_dtype(g);
    const size_t from = (size_t)gen_number(g, g->rank_count);
    const size_t to = (from + 1 + (size_t)gen_number(g, g->rank_count - 1)) % g->rank_count;
    gen_rank *const source = &g->ranks[from];
    gen_rank *const target = &g->ranks[to];
    const int64_t tag = g->next_tag++;
    const bool is_put = gen_chance(g, 30);
    int64_t shape[GEN_DIMS];
    const size_t rank = gen_shape(g, 1, shape);
    const gen_tensor *const input = sent(g, source, dtype, rank, shape);
    gen_tensor *const place =
        gen_new_tensor(target, dtype, rank, shape, gen_new_buffer(target, -1, dtype));
    for (size_t k = 0; k < rank; k++) {
        place->offsets[k] = (int64_t)gen_number(g, 2);
        place->dims[k] += place->offsets[k] + (int64_t)gen_number(g, 2);
    }
    place->buffer->memory.size = gen_bytes_of(place);
    add_tag(&place->buffer->receives, (int64_t)from, tag);
    const gen_tensor *const result = add_send(g, source, input, to, tag, place);
    if (gen_chance(g, 70)) {
        add_send_done(g, source, result);
    }
    if (!is_put) {
        (void)add_recv(g, target, place, from, tag);
        return;
    }
    // A file names the buffer only if some operator of it does.
    gen_op *const before = gen_new_op(g, target, ARK_NOOP);
    gen_read(before, place);
    (void)gen_end(g, target, before, false);
    for (size_t i = 0; i < g->rank_count; i++) {
        add_sync(g, &g->ranks[i]);
    }
    gen_add_to_pool(target, place);
}

static hoist_str flag(gen *g, uint32_t value)
{
    return gen_format(g, "\"Flag\":{\"UINT32\":%u}", (unsigned)value);
}

// Packets in an array of bytes of the receiver.
typedef struct packets {
    int64_t count, all, offset; // bytes
    int64_t tag;
    uint32_t number; // flag
} packets;

static void add_send_packet(gen *g, gen_rank *r, const gen_tensor *input, size_t peer,
                            const packets *p)
{
    gen_buffer *const to = proxy(r, peer, ARK_UINT8, true, p->tag);
    gen_op *const op = gen_new_op(g, r, ARK_SEND_PACKET);
    gen_read(op, input);
    gen_write(op, slice(r, ARK_UINT8, to, p->count, p->all, p->offset));
    op->args = flag(g, p->number);
    (void)gen_end(g, r, op, false);
}

static void add_recv_packet(gen *g, gen_rank *r, const gen_tensor *scratch, const gen_tensor *to,
                            size_t peer, uint32_t number)
{
    gen_op *const op = gen_new_op(g, r, ARK_RECV_PACKET);
    gen_read(op, gen_new_tensor(r, to->dtype, to->rank, to->shape,
                                gen_new_buffer(r, (int64_t)peer, to->dtype)));
    gen_read(op, scratch);
    gen_write(op, to);
    op->args = flag(g, number);
    (void)gen_end(g, r, op, true);
}

// A packet from each rank to the next one.
static void add_packets(gen *g)
{
    const int64_t count = 8 * (1 + (int64_t)gen_number(g, 3));
    const ark_dtype dtype = gen_dtype(g);
    const int64_t bytes = 2 * count * (int64_t)gen_size(dtype);
    const packets p = {
        .count = bytes, .all = bytes, .tag = g->next_tag++, .number = g->next_flag++};
    for (size_t i = 0; i < g->rank_count; i++) {
        const gen_tensor *const input = sent(g, &g->ranks[i], dtype, 1, &count);
        add_send_packet(g, &g->ranks[i], input, (i + 1) % g->rank_count, &p);
    }
    for (size_t i = 0; i < g->rank_count; i++) {
        gen_rank *const r = &g->ranks[i];
        const size_t peer = (i + g->rank_count - 1) % g->rank_count;
        gen_buffer *const scratch = gen_new_buffer(r, -1, ARK_UINT8);
        add_tag(&scratch->receives, (int64_t)peer, p.tag);
        add_recv_packet(g, r, gen_new_tensor(r, ARK_UINT8, 1, &bytes, scratch),
                        gen_exact_output(g, r, dtype, 1, &count), peer, p.number);
    }
}

// All-reduces ------------------------------------------------------------------------------------

// 8.5a: every rank sends its tensor to every other one, and adds what arrives.
static void add_exchange_of_all(gen *g)
{
    const ark_dtype dtype = gen_dtype(g);
    const size_t ranks = g->rank_count;
    const int64_t first = g->next_tag;
    int64_t shape[GEN_DIMS];
    const size_t rank = gen_shape(g, 1, shape);
    g->next_tag += (int64_t)ranks;
    for (size_t n = 0; n < ranks; n++) {
        gen_rank *const r = &g->ranks[n];
        const gen_tensor *const x = sent(g, r, dtype, rank, shape);
        gen_op *const copy = gen_new_op(g, r, ARK_COPY);
        gen_read(copy, x);
        gen_write(copy, gen_new_tensor(r, dtype, rank, shape, gen_new_buffer(r, -1, dtype)));
        const gen_tensor *sum = gen_end(g, r, copy, true);
        for (size_t i = 1; i < ranks; i++) {
            const size_t source = (n + ranks - i) % ranks;
            gen_tensor *const to =
                gen_new_tensor(r, dtype, rank, shape, gen_new_buffer(r, -1, dtype));
            add_tag(&to->buffer->receives, (int64_t)source, first + (int64_t)source);
            add_send_done(g, r, add_send(g, r, x, (n + i) % ranks, first + (int64_t)n, to));
            const gen_tensor *const received = add_recv(g, r, to, source, first + (int64_t)source);
            gen_op *const add = gen_new_op(g, r, ARK_ADD);
            gen_read(add, sum);
            gen_read(add, received);
            gen_write(add, sum);
            sum = gen_end(g, r, add, true);
        }
    }
}

// Of a tensor that is cut into a part for each rank: `count` elements each.
typedef struct shards {
    ark_dtype dtype;
    int64_t count;
    int64_t in, out; // tags
    uint32_t number; // flag
} shards;

static hoist_str reduce_args(gen *g, const gen_rank *r, const shards *s, bool by_packets)
{
    const hoist_str rest = gen_format(g, "\"NPeers\":{\"UINT32\":%d},\"Rank\":{\"INT\":%d}",
                                      (int)g->rank_count - 1, (int)r->number);
    return by_packets ? gen_format(g, "%.*s,%.*s", HOIST_STR_ARGS(flag(g, s->number)),
                                   HOIST_STR_ARGS(rest))
                      : rest;
}

// The sums of part `number` of all ranks, to all of them.
static void add_reduce_send(gen *g, gen_rank *r, const shards *s, gen_buffer *x,
                            gen_buffer *scratch, bool by_packets)
{
    const int64_t ranks = (int64_t)g->rank_count;
    const int64_t own = (int64_t)r->number * s->count;
    const int64_t bytes = 2 * s->count * (int64_t)gen_size(s->dtype);
    const int64_t chunks = (ranks - 1) * (by_packets ? bytes : s->count);
    gen_op *const op =
        gen_new_op(g, r, by_packets ? ARK_RECV_REDUCE_SEND_PACKET : ARK_RECV_REDUCE_SEND);
    gen_tensor *const part = slice(r, s->dtype, x, s->count, ranks * s->count, own);
    gen_read(op, part);
    gen_read(op, slice(r, by_packets ? ARK_UINT8 : s->dtype, scratch, chunks, chunks, 0));
    gen_write(op, part);
    for (size_t peer = 0; peer < g->rank_count; peer++) {
        if (peer == r->number) {
            continue;
        }
        gen_write(op, by_packets ? slice(r, ARK_UINT8, proxy(r, peer, ARK_UINT8, true, s->out),
                                         bytes, bytes, 0)
                                 : slice(r, s->dtype, proxy(r, peer, s->dtype, true, s->out),
                                         s->count, ranks * s->count, own));
        add_tag(&scratch->receives, (int64_t)peer, s->in);
        if (!by_packets) {
            add_tag(&x->sends, (int64_t)peer, s->out);
        }
    }
    op->args = reduce_args(g, r, s, by_packets);
    gen_add_to_pool(r, gen_end(g, r, op, false));
}

// The part of the tensor of `peer`, sent to it; the chunk of this rank in its scratch.
static void add_part(gen *g, gen_rank *r, const shards *s, gen_buffer *x, size_t peer,
                     bool by_packets)
{
    const int64_t ranks = (int64_t)g->rank_count;
    const int64_t chunk = (int64_t)(r->number < peer ? r->number : r->number - 1);
    const int64_t bytes = 2 * s->count * (int64_t)gen_size(s->dtype);
    gen_tensor *const part =
        slice(r, s->dtype, x, s->count, ranks * s->count, (int64_t)peer * s->count);
    if (by_packets) {
        const packets p = {.count = bytes,
                           .all = (ranks - 1) * bytes,
                           .offset = chunk * bytes,
                           .tag = s->in,
                           .number = s->number};
        add_send_packet(g, r, part, peer, &p);
    } else {
        const gen_tensor geometry = {.dtype = s->dtype,
                                     .rank = 1,
                                     .shape = {s->count},
                                     .dims = {(ranks - 1) * s->count},
                                     .offsets = {chunk * s->count},
                                     .padded = {s->count}};
        (void)add_send(g, r, part, peer, s->in, &geometry);
    }
}

// The sum that `peer` has made.
static void add_sum(gen *g, gen_rank *r, const shards *s, gen_buffer *x, size_t peer,
                    bool by_packets)
{
    const int64_t bytes = 2 * s->count * (int64_t)gen_size(s->dtype);
    gen_tensor *const part = slice(r, s->dtype, x, s->count, (int64_t)g->rank_count * s->count,
                                   (int64_t)peer * s->count);
    if (by_packets) {
        gen_buffer *const scratch = gen_new_buffer(r, -1, ARK_UINT8);
        add_tag(&scratch->receives, (int64_t)peer, s->out);
        add_recv_packet(g, r, gen_new_tensor(r, ARK_UINT8, 1, &bytes, scratch), part, peer,
                        s->number);
    } else {
        add_tag(&x->receives, (int64_t)peer, s->out);
        (void)add_recv(g, r, part, peer, s->out);
    }
}

// 8.5b with packets, 8.5c without: parts to their ranks, which add them and send the sums back.
static void add_exchange_of_parts(gen *g, bool by_packets)
{
    const shards s = {.dtype = gen_chance(g, 80) ? gen_float(g) : ARK_INT32,
                      .count = 4 * (1 + (int64_t)gen_number(g, 4)),
                      .in = g->next_tag,
                      .out = g->next_tag + 1,
                      .number = g->next_flag++};
    const int64_t all = (int64_t)g->rank_count * s.count;
    g->next_tag += 2;
    for (size_t n = 0; n < g->rank_count; n++) {
        gen_rank *const r = &g->ranks[n];
        const gen_tensor *const whole =
            gen_new_tensor(r, s.dtype, 1, &all, gen_new_buffer(r, -1, s.dtype));
        gen_buffer *const x = whole->buffer;
        gen_buffer *const scratch = gen_new_buffer(r, -1, by_packets ? ARK_UINT8 : s.dtype);
        for (size_t peer = 0; peer < g->rank_count; peer++) {
            if (peer != n) {
                add_part(g, r, &s, x, peer, by_packets);
            }
        }
        if (!by_packets) {
            add_sync(g, r);
        }
        add_reduce_send(g, r, &s, x, scratch, by_packets);
        for (size_t peer = 0; peer < g->rank_count; peer++) {
            if (peer != n) {
                add_sum(g, r, &s, x, peer, by_packets);
            }
        }
        if (!by_packets) {
            add_sync(g, r);
        }
        gen_add_to_pool(r, whole);
    }
}

void gen_add_exchange(gen *g)
{
    switch (gen_number(g, 5)) {
    case 0:
        add_packets(g);
        break;
    case 1:
        add_exchange_of_all(g);
        break;
    case 2:
        add_exchange_of_parts(g, true);
        break;
    case 3:
        add_exchange_of_parts(g, false);
        break;
    default:
        add_message(g);
        break;
    }
}
