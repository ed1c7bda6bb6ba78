// The queue sets of a subgraph and what they move (neff reference 4.2, 7.2), its engines, ops, and
// the traffic between variables. In go the sums of traffic.c, out come parts of `hoist info`:
// tables for people with few columns, all numbers for programs.
#include "formats/neff/info.h"
#include "formats/neff/stream.h"

enum { MOST_FLOWS = 12 }; // that people see; programs get all

// Numbers of descriptors, for people under a short title, as the tables have many columns.
static void send_descs(hoist_tree_sink *sink, uint64_t count)
{
    const hoist_tree_audience all = sink->audience;
    if (all == HOIST_TREE_FOR_ALL) {
        sink->audience = HOIST_TREE_FOR_PEOPLE;
        neff_info_count(sink, "descs", count);
    }
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    neff_info_count(sink, "descriptors", count);
    sink->audience = all;
}

// What a queue set or an engine moves in one execution of all its blocks.
static void send_moved(hoist_tree_sink *sink, const neff_moved *moved)
{
    neff_info_count(sink, "blocks", moved->blocks);
    send_descs(sink, moved->descs);
    neff_info_bytes(sink, "dma_bytes", moved->bytes);
}

// Queue sets --------------------------------------------------------------------------------------

// The semaphores that a set may raise: its single one, else its list.
static void send_semaphores(hoist_tree_sink *sink, const char *key, const neff_queue_set *queue)
{
    const bool one = neff_has(&neff_queue_table, queue->present, "semaphore");
    const neff_ints own = {&queue->semaphore, 1};
    neff_send_ints(sink, key, one ? own : queue->semaphore_set);
}

// True when nothing that it moves is in the area of its own pathway, which costs time but changes
// no result (4.1).
static bool is_elsewhere(const neff_queue_set *queue, const neff_queue_use *use)
{
    return (queue->fabric == NEFF_FABRIC_MAIN && use->alt && !use->main) ||
           (queue->fabric == NEFF_FABRIC_ALT && use->main && !use->alt);
}

static void send_queue(const neff_info_writer *w, const neff_queue_set *queue,
                       const neff_queue_use *use)
{
    hoist_tree_sink *const sink = w->sink;
    const uint64_t instances = queue->instances.count ? queue->instances.count : 1;
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", queue->name);
    hoist_tree_str(sink, "type", queue->type_text);
    hoist_tree_maybe_str(sink, "owner",
                         queue->owner_text.size ? queue->owner_text : (hoist_str){NULL, 0});
    // Each instance is a ring for each queue.
    neff_info_count(sink, "rings", neff_product(neff_size(queue->num_queues), instances));
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    send_semaphores(sink, "signals", queue);
    sink->audience = HOIST_TREE_FOR_ALL;
    send_moved(sink, &use->moved);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    send_semaphores(sink, "semaphores", queue);
    neff_info_bytes(sink, "ring_bytes", use->moved.ring_bytes);
    hoist_tree_bool(sink, "pinned", queue->pinned);
    neff_info_count(sink, "instances", queue->instances.count);
    hoist_tree_c(sink, "fabric",
                 queue->fabric >= 0 ? neff_fabrics.names[queue->fabric] : "unknown");
    hoist_tree_bool(sink, "only_other_area", is_elsewhere(queue, use));
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_end(sink);
}

// A property that hardly any set has: people get the names of those that have it, instead of a
// column.
typedef bool queue_test(const neff_queue_set *queue, const neff_queue_use *use);

static bool is_pinned(const neff_queue_set *queue, const neff_queue_use *use)
{
    (void)use;
    return queue->pinned;
}

static bool has_instances(const neff_queue_set *queue, const neff_queue_use *use)
{
    (void)use;
    return queue->instances.count > 0;
}

// No list when no set passes the test.
static void send_names(const neff_info_writer *w, const neff_subgraph *s,
                       const neff_traffic *traffic, const char *key, queue_test *test)
{
    bool any = false;
    w->sink->audience = HOIST_TREE_FOR_PEOPLE;
    for (uint32_t i = 0; i < s->queue_count; i++) {
        if (test(&s->queues[i], &traffic->queues[i])) {
            if (!any) {
                hoist_tree_short_list(w->sink, key);
            }
            any = true;
            hoist_tree_str(w->sink, "", s->queues[i].name);
        }
    }
    if (any) {
        hoist_tree_end(w->sink);
    }
    w->sink->audience = HOIST_TREE_FOR_ALL;
}

static void send_queues(const neff_info_writer *w, const neff_subgraph *s,
                        const neff_traffic *traffic)
{
    neff_info_list(w->sink, "queues", s->queue_count);
    for (uint32_t i = 0; i < s->queue_count; i++) {
        send_queue(w, &s->queues[i], &traffic->queues[i]);
    }
    neff_info_end(w->sink);
    send_names(w, s, traffic, "pinned_queues", is_pinned);
    send_names(w, s, traffic, "queues_with_instances", has_instances);
    send_names(w, s, traffic, "queues_only_in_the_other_area", is_elsewhere);
}

// Traffic -----------------------------------------------------------------------------------------

// All five engines, also those without a program: the list has a fixed form.
static void send_engines(const neff_info_writer *w, const neff_subgraph *s,
                         const neff_traffic *traffic)
{
    hoist_tree_list(w->sink, "engines");
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *const engine = &s->engines[e];
        const uint64_t records =
            engine->instr != NEFF_NONE
                ? w->module->members[engine->instr].bytes.size / NEFF_RECORD_SIZE
                : 0;
        hoist_tree_map(w->sink, "");
        hoist_tree_c(w->sink, "engine", neff_engines[e].key);
        neff_info_count(w->sink, "instructions", records);
        send_moved(w->sink, &traffic->engines[e]);
        neff_info_bytes(w->sink, "ring_bytes", traffic->engines[e].ring_bytes);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

// By op, in the order of words.c; unknown ops last.
static void send_ops(const neff_info_writer *w, const neff_traffic *traffic)
{
    neff_info_list(w->sink, "descriptor_ops", traffic->all.descs != 0);
    for (int i = 0; i <= NEFF_OP_COUNT; i++) {
        if (traffic->op_count[i]) {
            hoist_tree_map(w->sink, "");
            hoist_tree_c(w->sink, "op", i < NEFF_OP_COUNT ? neff_ops.names[i] : "unknown");
            neff_info_count(w->sink, "count", traffic->op_count[i]);
            hoist_tree_end(w->sink);
        }
    }
    neff_info_end(w->sink);
}

// Null: an undeclared variable.
static void send_var(hoist_tree_sink *sink, const char *key, const neff_subgraph *s, uint32_t var)
{
    hoist_tree_maybe_str(sink, key, var != NEFF_NONE ? s->vars[var].name : (hoist_str){NULL, 0});
}

// Pairs of variables, most bytes first (traffic.c sorts them).
static void send_flows(const neff_info_writer *w, const neff_subgraph *s,
                       const neff_traffic *traffic)
{
    hoist_tree_sink *const sink = w->sink;
    neff_info_list(sink, "traffic", traffic->flow_count);
    const hoist_tree_audience all = sink->audience; // neff_info_list has set it for an empty list
    for (uint32_t i = 0; i < traffic->flow_count; i++) {
        const neff_flow *const flow = traffic->flows[i];
        sink->audience = i < MOST_FLOWS ? all : HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_map(sink, "");
        send_var(sink, "from", s, flow->from);
        send_var(sink, "to", s, flow->to);
        send_descs(sink, flow->descs);
        neff_info_bytes(sink, "dma_bytes", flow->bytes);
        hoist_tree_end(sink);
    }
    neff_info_end(sink);
    if (traffic->flow_count > MOST_FLOWS) {
        sink->audience = HOIST_TREE_FOR_PEOPLE;
        neff_info_count(sink, "more_pairs_of_variables", traffic->flow_count - MOST_FLOWS);
        sink->audience = HOIST_TREE_FOR_ALL;
    }
}

// `false`: flows of all queue sets together.
hoist_status neff_info_dma(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    neff_traffic traffic;
    HOIST_TRY(neff_traffic_read(subgraph, false, w->module->base.alloc, w->arena, &traffic));
    send_queues(w, subgraph, &traffic);
    send_engines(w, subgraph, &traffic);
    send_ops(w, &traffic);
    send_flows(w, subgraph, &traffic);
    return HOIST_OK;
}
