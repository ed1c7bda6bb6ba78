// What the descriptors of a subgraph move: by queue set, by engine, from variable to variable. In
// go the rows of engines, out come sums (show.h) for info_dma.c, info_loaded.c and neff_picture.c,
// in one pass; broken patterns count as nothing, sums that 64 bits do not hold as the largest
// number.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/order.h"
#include "formats/neff/pattern.h"
#include "formats/neff/show.h"

typedef struct traffic_reader {
    const neff_subgraph *subgraph;
    hoist_arena *arena;
    neff_traffic *traffic;
    hoist_map pairs;   // of variables, to the index of their flow
    uint32_t capacity; // of `flows`
    bool by_queue;     // flows of different queue sets are different flows
} traffic_reader;

// Bytes of a side; 0 when it has no usable pattern, UINT64_MAX when they do not fit.
static uint64_t side_bytes(const neff_access *access)
{
    uint64_t bytes = 0;
    if (access->dims == 0) {
        return 0;
    }
    return neff_access_bytes(access, &bytes) ? bytes : UINT64_MAX;
}

// Ring entries of a side (7.2) [inferred]: one for each innermost run, and a fixed overhead.
static uint64_t side_entries(const neff_access *access)
{
    enum { OVERHEAD = 16 };
    uint64_t runs = 1;
    for (uint32_t i = 1; i < access->dims; i++) {
        runs = neff_product(runs, (uint64_t)access->sizes[i]);
    }
    return access->dims ? neff_sum(runs, OVERHEAD) : 0;
}

// A sum of one block or descriptor into a total.
static void add_moved(neff_moved *moved, uint64_t blocks, uint64_t descs, uint64_t bytes,
                      uint64_t ring_bytes)
{
    moved->blocks += blocks;
    moved->descs += descs;
    moved->bytes = neff_sum(moved->bytes, bytes);
    moved->ring_bytes = neff_sum(moved->ring_bytes, ring_bytes);
}

// The table doubles; old ones stay in the arena, together less than the last.
static hoist_status grow(traffic_reader *r)
{
    neff_traffic *const t = r->traffic;
    if (t->flow_count < r->capacity) {
        return HOIST_OK;
    }
    const uint32_t capacity = r->capacity ? 2 * r->capacity : 64;
    neff_flow **const flows = hoist_arena_array(r->arena, capacity, sizeof(neff_flow *));
    HOIST_TRY_MEMORY(flows);
    if (t->flow_count) {
        memcpy(flows, t->flows, t->flow_count * sizeof(neff_flow *));
    }
    t->flows = flows;
    r->capacity = capacity;
    return HOIST_OK;
}

// A flow is allocated by itself, so that its key stays in place when the table grows: the map keeps
// a slice of it.
static hoist_status new_flow(traffic_reader *r, uint32_t from, uint32_t to, uint32_t queue,
                             const uint8_t key[NEFF_FLOW_KEY], neff_flow **out_flow)
{
    neff_flow *const flow = hoist_arena_alloc(r->arena, sizeof(*flow));
    *out_flow = flow;
    HOIST_TRY_MEMORY(flow);
    HOIST_TRY(grow(r));
    *flow = (neff_flow){.from = from, .to = to, .queue = queue};
    memcpy(flow->key, key, sizeof(flow->key));
    r->traffic->flows[r->traffic->flow_count] = flow;
    const hoist_str text = {(const char *)flow->key, sizeof(flow->key)};
    return hoist_map_add(&r->pairs, text, r->traffic->flow_count++, NULL);
}

// Adds a descriptor's source to the flow of its pair, which is made when it is the first.
static hoist_status add_flow(traffic_reader *r, int engine, uint32_t from, uint32_t to,
                             uint32_t queue, uint64_t bytes)
{
    uint8_t key[NEFF_FLOW_KEY];
    size_t at = 0;
    // The key is three numbers as bytes; their order in memory does not matter here.
    memcpy(key, &from, sizeof(from));
    memcpy(key + sizeof(from), &to, sizeof(to));
    memcpy(key + sizeof(from) + sizeof(to), &queue, sizeof(queue));
    neff_flow *flow = NULL;
    if (hoist_map_find(&r->pairs, (hoist_str){(const char *)key, sizeof(key)}, &at)) {
        flow = r->traffic->flows[at];
    } else {
        HOIST_TRY(new_flow(r, from, to, queue, key, &flow));
    }
    flow->descs++;
    flow->bytes = neff_sum(flow->bytes, bytes);
    flow->engines |= (uint8_t)(1u << engine);
    return HOIST_OK;
}

// Which areas a set's transfers touch; the state buffer is in none.
static void note_area(const neff_subgraph *subgraph, neff_queue_use *use, uint32_t var)
{
    if (use && var != NEFF_NONE && subgraph->vars[var].type != NEFF_VAR_STATE_BUFFER) {
        use->main = use->main || subgraph->vars[var].fabric == NEFF_FABRIC_MAIN;
        use->alt = use->alt || subgraph->vars[var].fabric == NEFF_FABRIC_ALT;
    }
}

// Each source is a flow to the destination; bytes moved are those written, once.
static hoist_status add_desc(traffic_reader *r, const neff_engine *engine, const neff_block *block,
                             const neff_desc *desc, neff_moved *moved)
{
    neff_traffic *const t = r->traffic;
    neff_queue_use *const use = block->queue != NEFF_NONE ? &t->queues[block->queue] : NULL;
    const neff_access to = neff_access_of(engine, &desc->to);
    uint64_t entries = side_entries(&to);
    for (uint32_t i = 0; i < desc->source_count; i++) {
        const neff_pattern *const from = &engine->sources[desc->sources + i].from;
        const neff_access access = neff_access_of(engine, from);
        entries = neff_sum(entries, side_entries(&access));
        note_area(r->subgraph, use, from->var);
        HOIST_TRY(add_flow(r, (int)engine->id, from->var, desc->to.var,
                           r->by_queue ? block->queue : NEFF_NONE, side_bytes(&access)));
    }
    enum { ENTRY_BYTES = 16 };
    note_area(r->subgraph, use, desc->to.var);
    t->op_count[desc->op >= 0 ? desc->op : NEFF_OP_COUNT]++;
    add_moved(moved, 0, 1, side_bytes(&to), neff_product(entries, ENTRY_BYTES));
    return HOIST_OK;
}

// Block by block: a block's sums go to its engine, to all, and to its queue set.
static hoist_status add_engine(traffic_reader *r, const neff_engine *engine)
{
    neff_traffic *const t = r->traffic;
    for (size_t b = 0; b < engine->block_count; b++) {
        const neff_block *const block = &engine->blocks[b];
        neff_moved moved = {.blocks = 1};
        for (uint32_t i = 0; i < block->desc_count; i++) {
            HOIST_TRY(add_desc(r, engine, block, &engine->descs[block->descs + i], &moved));
        }
        add_moved(&t->engines[engine->id], 1, moved.descs, moved.bytes, moved.ring_bytes);
        add_moved(&t->all, 1, moved.descs, moved.bytes, moved.ring_bytes);
        if (block->queue != NEFF_NONE) {
            add_moved(&t->queues[block->queue].moved, 1, moved.descs, moved.bytes,
                      moved.ring_bytes);
        }
    }
    return HOIST_OK;
}

// By queue set, most bytes first, then by variables, as def.json has them: no two flows are equal.
static int compare_flows(const void *left, const void *right)
{
    const neff_flow *const a = *(neff_flow *const *)left;
    const neff_flow *const b = *(neff_flow *const *)right;
    const int queue = hoist_order_u64(a->queue, b->queue);
    const int bytes = queue ? queue : hoist_order_u64(b->bytes, a->bytes);
    const int from = bytes ? bytes : hoist_order_u64(a->from, b->from);
    return from ? from : hoist_order_u64(a->to, b->to);
}

// Everything is in the arena but the map, which is freed here.
hoist_status neff_traffic_read(const neff_subgraph *subgraph, bool by_queue, hoist_allocator alloc,
                               hoist_arena *arena, neff_traffic *out_traffic)
{
    *out_traffic = (neff_traffic){0};
    out_traffic->queues =
        hoist_arena_array(arena, subgraph->queue_count, sizeof(*out_traffic->queues));
    HOIST_TRY_MEMORY(out_traffic->queues);
    traffic_reader r = {
        .subgraph = subgraph, .arena = arena, .traffic = out_traffic, .by_queue = by_queue};
    hoist_map_init(&r.pairs, alloc);
    hoist_status status = HOIST_OK;
    for (int e = 0; e < NEFF_ENGINE_COUNT && status == HOIST_OK; e++) {
        status = add_engine(&r, &subgraph->engines[e]);
    }
    hoist_map_deinit(&r.pairs);
    if (out_traffic->flow_count) {
        qsort(out_traffic->flows, out_traffic->flow_count, sizeof(neff_flow *), compare_flows);
    }
    return status;
}
