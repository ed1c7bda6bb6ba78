// The summary of a model or plan (`hoist info`) as tree events: what it is, what goes in and comes
// out, operators by type with what they cost, buffers, peers, and of plans the processors.
#include "base/checked.h"
#include "base/diag.h"
#include "formats/ark/ark.h"
#include "formats/ark/flow.h"
#include "formats/ark/op_cost.h"

typedef struct info_writer {
    const ark_module *module;
    ark_graph graph;
    ark_effects effects;
    ark_pieces pieces;
    ark_flow flow;
    hoist_arena *arena; // scratch
    hoist_tree_sink *sink;
} info_writer;

static void send_count(const info_writer *w, const char *key, uint64_t count)
{
    hoist_tree_uint(w->sink, key, count, HOIST_UNIT_NONE);
}

static void send_int(const info_writer *w, const char *key, const hoist_rec_int *value)
{
    if (value->pos.line) {
        hoist_tree_int(w->sink, key, value->value);
    } else { // the file does not have the key
        hoist_tree_null(w->sink, key);
    }
}

static void send_bytes(const info_writer *w, const char *key, uint64_t bytes)
{
    hoist_tree_uint(w->sink, key, bytes, HOIST_UNIT_BYTES);
}

// Of one type of operators, or of the file.
static void send_cost(const info_writer *w, const ark_cost *cost)
{
    send_count(w, "flops", cost->flops);
    send_bytes(w, "read_bytes", cost->read_bytes);
    send_bytes(w, "written_bytes", cost->written_bytes);
    send_bytes(w, "sent_bytes", cost->sent_bytes);
}

// The file ---------------------------------------------------------------------------------------

// What the operators of one type have in common; the last row is of unknown types.
typedef struct type_sum {
    uint64_t count;
    ark_cost cost;
} type_sum;

// Memory is that of this rank: proxies have none here.
static void send_model(const info_writer *w, const type_sum *all)
{
    uint64_t bytes = 0; // saturates
    for (uint32_t i = 0; i < w->graph.memory_count; i++) {
        const ark_memory *const memory = &w->graph.memories[i];
        if (memory->local && hoist_ckd_add(&bytes, bytes, memory->size)) {
            bytes = UINT64_MAX;
        }
    }
    hoist_tree_map(w->sink, "model");
    hoist_tree_c(w->sink, "kind", w->module->is_plan ? "plan" : "model");
    hoist_tree_c(w->sink, "dialect", ark_dialect_name(w->module->dialect));
    send_int(w, "rank", &w->module->rank);
    send_int(w, "world_size", &w->module->world_size);
    hoist_tree_maybe_uint(w->sink, "nodes", !w->module->is_plan, w->module->nodes.count,
                          HOIST_UNIT_NONE);
    send_count(w, "operators", w->graph.step_count);
    send_count(w, "tensors", w->graph.value_count);
    send_count(w, "buffers", w->graph.memory_count);
    send_bytes(w, "memory_bytes", bytes);
    send_cost(w, &all->cost);
    hoist_tree_end(w->sink);
}

// As in the file: [begin, end] or [begin, end, step].
static void send_range(const info_writer *w, const char *key, const hoist_rec_ints *range)
{
    hoist_tree_short_list(w->sink, key);
    for (size_t i = 0; i < range->count; i++) {
        hoist_tree_int(w->sink, "", range->items[i].value);
    }
    hoist_tree_end(w->sink);
}

// The tasks of a processor group, each as often as it has ranges of it.
static void send_tasks(const info_writer *w, const ark_processor_group *group)
{
    hoist_tree_short_list(w->sink, "tasks");
    for (size_t i = 0; i < group->groups.count; i++) {
        const ark_resource_group *const resource = &group->groups.items[i];
        for (size_t k = 0; k < resource->groups.count; k++) {
            hoist_tree_int(w->sink, "", resource->groups.items[k].task.value);
        }
    }
    hoist_tree_end(w->sink);
}

// The groups follow in the order of execution.
static void send_plan(const info_writer *w)
{
    const hoist_rec_str *const architecture = &w->module->architecture;
    hoist_tree_map(w->sink, "plan");
    hoist_tree_maybe_str(w->sink, "architecture",
                         architecture->pos.line ? architecture->text : (hoist_str){NULL, 0});
    send_int(w, "processors", &w->module->processors);
    send_int(w, "warps_per_processor", &w->module->warps);
    send_count(w, "tasks", w->module->tasks.count);
    hoist_tree_end(w->sink);
    hoist_tree_list(w->sink, "processor_groups");
    for (size_t i = 0; i < w->module->groups.count; i++) {
        const ark_processor_group *const group = &w->module->groups.items[i];
        hoist_tree_map(w->sink, "");
        send_range(w, "processors", &group->processors);
        send_count(w, "resource_groups", group->groups.count);
        send_tasks(w, group);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

// Inputs and outputs -----------------------------------------------------------------------------

// The Ids of the file, not indices of the graph.
static void send_tensor(const info_writer *w, uint32_t index)
{
    const ark_value *const value = &w->graph.values[index];
    hoist_tree_int(w->sink, "tensor", value->id);
    hoist_tree_int(w->sink, "buffer", w->graph.memories[value->memory].id);
    hoist_tree_str(w->sink, "type", value->row->dtype.text);
    hoist_tree_short_list(w->sink, "shape");
    for (int i = 0; i < value->rank; i++) {
        hoist_tree_int(w->sink, "", value->shape[i]);
    }
    hoist_tree_end(w->sink);
}

// By its name, which may be empty; null: there is none.
static void send_step(const info_writer *w, const char *key, uint32_t step)
{
    hoist_tree_maybe_str(
        w->sink, key, step == ARK_NONE ? (hoist_str){NULL, 0} : w->graph.steps[step].op->name.text);
}

// By flow.h: the file does not say what goes in and comes out. Memory that is an input and an
// output is in both lists, with "state": true.
static void send_flow(const info_writer *w)
{
    hoist_tree_list(w->sink, "inputs");
    for (uint32_t i = 0; i < w->flow.need_count; i++) {
        const ark_need *const need = &w->flow.needs[i];
        uint64_t bytes = 0;
        for (uint32_t k = 0; k < need->range_count; k++) {
            bytes += need->ranges[k].end - need->ranges[k].begin;
        }
        hoist_tree_map(w->sink, "");
        send_tensor(w, need->value);
        send_bytes(w, "needed_bytes", bytes);
        send_step(w, "first_read_by", need->step);
        hoist_tree_bool(w->sink, "state", w->flow.is_state[need->memory]);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
    hoist_tree_list(w->sink, "outputs");
    for (uint32_t i = 0; i < w->flow.result_count; i++) {
        const ark_result *const result = &w->flow.results[i];
        hoist_tree_map(w->sink, "");
        send_tensor(w, result->value);
        send_step(w, "written_by", result->step);
        hoist_tree_bool(w->sink, "state", w->flow.is_state[w->graph.values[result->value].memory]);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

// Operators --------------------------------------------------------------------------------------

// By type, and in all. Unknown types share the last row.
static void add_up(const info_writer *w, type_sum *sums, type_sum *all)
{
    for (uint32_t i = 0; i < w->graph.step_count; i++) {
        const ark_op_type type = w->graph.steps[i].type;
        type_sum *const sum = &sums[type < 0 ? ARK_OP_TYPE_COUNT : type];
        const ark_cost cost = ark_step_cost(&w->graph, &w->effects, i);
        sum->count++;
        ark_cost_add(&sum->cost, &cost);
        ark_cost_add(&all->cost, &cost);
    }
}

// Types that occur, in the order of ark_op_type.
static void send_types(const info_writer *w, const type_sum *sums)
{
    hoist_tree_list(w->sink, "operators");
    for (int i = 0; i <= ARK_OP_TYPE_COUNT; i++) {
        if (sums[i].count) {
            hoist_tree_map(w->sink, "");
            hoist_tree_maybe_c(w->sink, "type", hoist_rec_word_name(&ark_op_types, i));
            send_count(w, "count", sums[i].count);
            send_cost(w, &sums[i].cost);
            hoist_tree_end(w->sink);
        }
    }
    hoist_tree_end(w->sink);
}

// Buffers ----------------------------------------------------------------------------------------

// In the order of first occurrence in the file.
static hoist_status send_buffers(const info_writer *w)
{
    const ark_graph *const graph = &w->graph;
    uint32_t *const tensors = hoist_arena_array(w->arena, graph->memory_count, sizeof(*tensors));
    HOIST_TRY_MEMORY(tensors);
    for (uint32_t i = 0; i < graph->value_count; i++) {
        if (graph->values[i].memory != ARK_NONE) { // else its buffer is not readable
            tensors[graph->values[i].memory]++;
        }
    }
    hoist_tree_list(w->sink, "buffers");
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        const ark_memory *const memory = &graph->memories[i];
        hoist_tree_map(w->sink, "");
        hoist_tree_int(w->sink, "buffer", memory->id);
        if (memory->local) {
            hoist_tree_null(w->sink, "on_rank");
        } else {
            hoist_tree_int(w->sink, "on_rank", memory->row->rank.value);
        }
        hoist_tree_bool(w->sink, "external", memory->external);
        hoist_tree_maybe_uint(w->sink, "size_bytes", memory->size > 0, memory->size,
                              HOIST_UNIT_BYTES);
        send_count(w, "tensors", tensors[i]);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
    return HOIST_OK;
}

static void send_peer(const info_writer *w, const char *direction, int64_t rank, int64_t tag,
                      int64_t buffer)
{
    hoist_tree_map(w->sink, "");
    hoist_tree_int(w->sink, "rank", rank);
    hoist_tree_c(w->sink, "direction", direction);
    hoist_tree_int(w->sink, "tag", tag);
    hoist_tree_int(w->sink, "buffer", buffer);
    hoist_tree_end(w->sink);
}

// Data is sent through proxies that have a tag of receiving, and received where memory of this rank
// has one (ark reference section 8.2). Tags of sending repeat these and packets lack them.
static void send_peers(const info_writer *w)
{
    hoist_tree_list(w->sink, "peers");
    for (uint32_t i = 0; i < w->graph.memory_count; i++) {
        const ark_memory *const memory = &w->graph.memories[i];
        const ark_tags *const tags = &memory->row->recv_tags;
        for (size_t k = 0; k < tags->count; k++) {
            if (memory->local) {
                send_peer(w, "receive", tags->items[k].rank, tags->items[k].tag, memory->id);
            } else {
                send_peer(w, "send", memory->row->rank.value, tags->items[k].tag, memory->id);
            }
        }
    }
    hoist_tree_end(w->sink);
}

// ------------------------------------------------------------------------------------------------

// A limit that is not one of time is that of pieces: the user gets a finding for it.
void ark_explain_limit(const hoist_module *module, hoist_status status,
                       const hoist_check_options *options, hoist_diag *diag)
{
    if (status == HOIST_LIMIT && hoist_deadline_look(module->deadline) == HOIST_OK && options &&
        options->limit_rule) {
        hoist_report(diag, options->limit_rule, hoist_loc_none(),
                     "views of its buffers are cut into more pieces than can be distinguished");
    }
}

// Without findings: `hoist check` has them.
static hoist_status find(info_writer *w)
{
    HOIST_TRY(ark_graph_build(w->module, w->arena, NULL, &w->graph));
    HOIST_TRY(ark_effects_find(&w->graph, w->arena, &w->effects));
    HOIST_TRY(ark_pieces_find(&w->graph, &w->effects, w->arena, &w->pieces));
    return ark_flow_of_pieces(&w->graph, &w->effects, &w->pieces, w->arena, &w->flow);
}

static hoist_status send(info_writer *w)
{
    type_sum sums[ARK_OP_TYPE_COUNT + 1] = {{.count = 0}};
    type_sum all = {.count = 0};
    add_up(w, sums, &all);
    send_model(w, &all);
    if (w->module->is_plan) {
        send_plan(w);
    }
    send_flow(w);
    send_types(w, sums);
    HOIST_TRY(send_buffers(w));
    send_peers(w);
    return HOIST_OK;
}

// What a broken file has is counted all the same.
hoist_status ark_info(const hoist_module *module, const hoist_check_options *options,
                      hoist_diag *diag, hoist_tree_sink *sink)
{
    hoist_arena scratch;
    info_writer w = {.module = ark_module_of(module), .arena = &scratch, .sink = sink};
    hoist_arena_init(&scratch, module->alloc);
    hoist_status status = find(&w);
    ark_explain_limit(module, status, options, diag);
    status = status == HOIST_OK ? send(&w) : status;
    hoist_arena_deinit(&scratch);
    return status;
}
