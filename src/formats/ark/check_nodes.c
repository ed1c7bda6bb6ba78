// The nodes of a model, in an order that their edges allow (ARK-M33), with an edge for each tensor
// that one makes and the other uses (ARK-M35, M41). Ids, edges and cycles: node_edges.c. Also what
// an operator says of itself (ARK-M36, M40), in plans too.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/ark/check.h"
#include "formats/ark/node_edges.h"
#include "formats/ark/ops_table.h"
#include "formats/ark/paths.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// A tensor whose producer is not among the producers of the node that uses it. Whether a path
// leads there is asked for all of them at once, at the end.
typedef struct loose_use {
    uint32_t step;
    ark_role role;
    uint32_t index;    // in the list of that role
    uint32_t producer; // node
} loose_use;

typedef struct checker {
    const ark_graph *graph;
    hoist_diag *diag;
    hoist_arena *arena;
    ark_node_edges edges;
    // Stamps: 1 + the node, or the step, that saw it last.
    uint32_t *direct;   // by node: it is a producer of the node at hand
    uint32_t *reported; // by node: ARK-M41 was reported for it
    uint32_t *used;     // by tensor: the step at hand uses it
    loose_use *loose;   // owned; in the order of the file
    size_t loose_count, loose_capacity;
} checker;

static int64_t node_id(const checker *c, uint32_t node)
{
    return c->graph->module->nodes.items[node].id.value;
}

// Order of nodes ---------------------------------------------------------------------------------

// Marks the producers of a node. Edges within a cycle are reported as one. One finding for a node.
static void check_order(checker *c, uint32_t node)
{
    bool reported = false;
    for (uint32_t i = c->edges.starts[node]; i < c->edges.starts[node + 1]; i++) {
        const uint32_t producer = c->edges.producers[i];
        c->direct[producer] = node + 1;
        if (producer > node && !reported &&
            c->edges.components[producer] != c->edges.components[node]) {
            reported = true;
            hoist_frame frame;
            hoist_diag_push_item(c->diag, &frame, "nodes", node);
            ark_report(c->diag, ARK_M33, c->graph->module->nodes.items[node].pos,
                       "node %" PRId64 " comes before its producer, node %" PRId64,
                       node_id(c, node), node_id(c, producer));
            hoist_diag_pop(c->diag, &frame);
        }
    }
}

// Tensors and edges ------------------------------------------------------------------------------

// The tensor of a use.
static const ark_value *used_value(const checker *c, const loose_use *use)
{
    const ark_step *const step = &c->graph->steps[use->step];
    return &c->graph->values[ark_role_operands(step, use->role).items[use->index]];
}

// "tensor 5 WHAT node 2END"
static void report_use(checker *c, ark_rule rule, const loose_use *use, const char *what,
                       const char *end)
{
    const ark_step *const step = &c->graph->steps[use->step];
    ark_place place;
    hoist_frame frame;
    ark_enter_step(c->diag, c->graph, step, &place);
    ark_enter_tensor(c->diag, use->role, use->index, &frame);
    ark_report(c->diag, rule, ark_operand_pos(step, use->role, use->index),
               "tensor %" PRId64 " %s node %" PRId64 "%s", used_value(c, use)->id, what,
               node_id(c, use->producer), end);
    hoist_diag_pop(c->diag, &frame);
    ark_leave(c->diag, &place);
}

// A tensor that a later step makes has old contents here. Edges are of nodes, so one within a node
// needs none. M35 here: the maker comes later. M41, and M35 where no path exists, are reported at
// the end.
static hoist_status check_use(checker *c, const loose_use *use, uint32_t maker)
{
    const ark_step *const step = &c->graph->steps[use->step];
    if (maker > use->step) {
        report_use(c, ARK_M35, use, "is used before it is the result of", "");
    } else if (use->producer != step->owner && c->direct[use->producer] != step->owner + 1) {
        HOIST_TRY_MEMORY(hoist_grow(c->arena->alloc, (void **)&c->loose, &c->loose_capacity,
                                    c->loose_count + 1, sizeof(*c->loose)));
        c->loose[c->loose_count++] = *use;
    }
    return HOIST_OK;
}

// What a step reads and writes, each tensor once.
static hoist_status check_uses(checker *c, uint32_t index)
{
    const ark_step *const step = &c->graph->steps[index];
    for (ark_role role = ARK_READS; role <= ARK_WRITES; role++) {
        const ark_operands list = ark_role_operands(step, role);
        for (uint32_t i = 0; i < list.count; i++) {
            // A tensor may be read and written, or read twice.
            const uint32_t value = list.items[i];
            const uint32_t maker = c->graph->values[value].producer;
            if (c->used[value] == index + 1 || maker == ARK_NONE || maker == index) {
                continue;
            }
            c->used[value] = index + 1;
            const loose_use use = {index, role, i, c->graph->steps[maker].owner};
            HOIST_TRY(check_use(c, &use, maker));
        }
    }
    return HOIST_OK;
}

// Reports a use whose producer is no direct one. M41 also where a path through others keeps the
// order. It is reported once for each pair of nodes.
static void report_loose(checker *c, const loose_use *use, bool has_path)
{
    const uint32_t node = c->graph->steps[use->step].owner;
    if (!has_path) {
        report_use(c, ARK_M35, use, "is used without a path from", ", which results in it");
    }
    if (c->reported[use->producer] != node + 1) {
        c->reported[use->producer] = node + 1;
        report_use(c, ARK_M41, use, "is the result of", ", which is not in ProducerNodeIds");
    }
}

// All paths in one search: a search goes through much of the graph.
static hoist_status report_all_loose(checker *c)
{
    ark_path *const paths = hoist_arena_array(c->arena, c->loose_count, sizeof(*paths));
    HOIST_TRY_MEMORY(paths);
    for (size_t i = 0; i < c->loose_count; i++) {
        paths[i] =
            (ark_path){.from = c->loose[i].producer, .to = c->graph->steps[c->loose[i].step].owner};
    }
    HOIST_TRY(ark_paths_find(c->graph->module, &c->edges, paths, c->loose_count));
    for (size_t i = 0; i < c->loose_count; i++) {
        report_loose(c, &c->loose[i], paths[i].exists);
    }
    return HOIST_OK;
}

// Steps are in the order of their nodes. Producers of a node are marked before its steps ask for
// them.
static hoist_status check_model(checker *c)
{
    uint32_t step = 0;
    for (uint32_t node = 0; node < c->edges.count; node++) {
        HOIST_TRY(hoist_deadline_look(c->graph->module->base.deadline));
        check_order(c, node);
        while (step < c->graph->step_count && c->graph->steps[step].owner == node) {
            HOIST_TRY(check_uses(c, step++));
        }
    }
    return c->loose_count > 0 ? report_all_loose(c) : HOIST_OK;
}

// Nothing here is looked at in plans, which have no nodes.
static hoist_status check_edges(checker *c)
{
    HOIST_TRY(ark_node_edges_find(c->graph->module, c->arena, c->diag, &c->edges));
    const size_t nodes = c->edges.count;
    c->direct = hoist_arena_array(c->arena, nodes, sizeof(uint32_t));
    c->reported = hoist_arena_array(c->arena, nodes, sizeof(uint32_t));
    c->used = hoist_arena_array(c->arena, c->graph->value_count, sizeof(uint32_t));
    HOIST_TRY_MEMORY(c->direct && c->reported && c->used);
    const hoist_status status = check_model(c);
    hoist_free(c->arena->alloc, c->loose, c->loose_capacity * sizeof(*c->loose));
    return status;
}

// Operators by themselves ------------------------------------------------------------------------

// The type decides what is executed here; the flag is compared with it only.
static void check_virtual(const ark_step *step, hoist_diag *diag)
{
    const hoist_rec_bool *const flag = &step->op->is_virtual;
    const ark_op_def *const def = ark_op_def_of(step->type);
    if (flag->pos.line && def && flag->value != (def->class == ARK_CLASS_VIRTUAL)) {
        ark_report(diag, ARK_M40, flag->pos, "IsVirtual is %s of %.*s, expected %s",
                   flag->value ? "true" : "false", HOIST_STR_ARGS(step->op->type.text),
                   flag->value ? "false" : "true");
    }
}

// Lists are short: at most the operands of an operator.
static bool has(ark_operands list, uint32_t value)
{
    for (uint32_t i = 0; i < list.count; i++) {
        if (list.items[i] == value) {
            return true;
        }
    }
    return false;
}

// A result names new contents, so it has another Id than the tensors that are read and written.
static void check_results(const ark_graph *graph, const ark_step *step, hoist_diag *diag)
{
    // Operators have one result; more are ARK-M50, and not looked for in long lists.
    if (step->results.count == 0) {
        return;
    }
    const uint32_t result = step->results.items[0];
    const bool read = has(step->reads, result);
    if (read || has(step->writes, result)) {
        hoist_frame frame;
        ark_enter_tensor(diag, ARK_RESULTS, 0, &frame);
        ark_report(diag, ARK_M36, ark_operand_pos(step, ARK_RESULTS, 0),
                   "result %" PRId64 " is also in %s", graph->values[result].id,
                   ark_role_key(read ? ARK_READS : ARK_WRITES));
        hoist_diag_pop(diag, &frame);
    }
}

// First operators by themselves, which plans have, too; then nodes and edges.
hoist_status ark_check_nodes(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    for (uint32_t i = 0; i < graph->step_count; i++) {
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        ark_place place;
        ark_enter_step(diag, graph, &graph->steps[i], &place);
        check_virtual(&graph->steps[i], diag);
        check_results(graph, &graph->steps[i], diag);
        ark_leave(diag, &place);
    }
    if (graph->module->is_plan) {
        return HOIST_OK;
    }
    checker c = {.graph = graph, .diag = diag, .arena = scratch};
    return check_edges(&c);
}
