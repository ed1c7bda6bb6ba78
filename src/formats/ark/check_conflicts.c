// Rule M37: operators that touch the same bytes, one of them writing, come one after the other by
// the edges of the graph, and not by the order of the file alone.
//
// Walks the operators in the order of the file and keeps for each piece of memory its last writer
// and the readers since. An operator depends on the last writer of what it reads, and on both of
// what it writes; every other pair follows from these. Paths for the dependences are looked for in
// batches (paths.h). A barrier touches no byte and its order is always kept, so it has no
// conflicts.
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/ark/check_memory.h"
#include "formats/ark/paths.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// Dependences whose paths are looked for in one go; readers of pieces that are remembered. Both
// bound memory: more readers are HOIST_LIMIT.
enum { BATCH = 1 << 18, MOST_READERS = 1 << 23 };

// Readers are linked lists in one pool; the list of a piece ends when it is written.
typedef struct reader {
    uint32_t step;
    uint32_t next; // of the same piece; ARK_NONE
} reader;

typedef struct dependence {
    uint32_t from;            // step
    uint32_t to;              // step
    const ark_effect *effect; // of `to`
    bool from_writes;
} dependence;

typedef struct conflict_finder {
    const ark_memory_check *check;
    ark_node_edges edges;
    uint32_t *writers; // by piece: step; ARK_NONE
    uint32_t *readers; // by piece: the latest of the list
    reader *pool;      // owned
    size_t pool_count, pool_capacity;
    uint32_t *asked;         // by step: 1 + the step for which it was asked last
    uint32_t *producers;     // by node: 1 + the node of which it is a producer
    dependence *dependences; // owned
    size_t count, capacity;
} conflict_finder;

// Findings ---------------------------------------------------------------------------------------

// The dependences of one kind of a step that lack a path: the first is named.
static void report_first(const conflict_finder *f, const dependence *first, size_t others)
{
    const ark_graph *const graph = f->check->graph;
    hoist_diag *const diag = f->check->diag;
    const ark_step *const from = &graph->steps[first->from];
    const ark_step *const to = &graph->steps[first->to];
    const bool reads = first->effect->kind != ARK_EFFECT_WRITE;
    const ark_role role = reads ? ARK_READS : ARK_WRITES;
    const int64_t from_id = graph->module->nodes.items[from->owner].id.value;
    const hoist_str title = ark_step_title(from, f->check->scratch);
    char more[64] = "";
    ark_place place;
    hoist_frame frame;
    // "; nor from 2 other operators"
    if (others) {
        (void)snprintf(more, sizeof(more), "; nor from %zu other %s", others,
                       hoist_plural(others, "operator", "operators"));
    }
    ark_enter_step(diag, graph, to, &place);
    ark_enter_tensor(diag, role, first->effect->operand, &frame);
    ark_report(diag, reads ? ARK_M37a : ARK_M37b, ark_operand_pos(to, role, first->effect->operand),
               "tensor %" PRId64 " has bytes of buffer %" PRId64 " that '%.*s' of node %" PRId64
               " %s before, but no path of edges leads from there%s",
               graph->values[first->effect->value].id,
               graph->memories[graph->values[first->effect->value].memory].id,
               HOIST_STR_ARGS(title), from_id, first->from_writes ? "writes" : "reads", more);
    hoist_diag_pop(diag, &frame);
    ark_leave(diag, &place);
}

// Reports those of the batch that lack their path. A step has one finding for each kind.
// Dependences of a step lie next to each other, since steps are walked in order.
static void report_missing(const conflict_finder *f, const ark_path *paths)
{
    for (size_t i = 0; i < f->count;) {
        // [0]: it reads, [1]: it writes.
        const dependence *first[2] = {NULL, NULL};
        size_t counts[2] = {0, 0};
        size_t end = i;
        for (; end < f->count && f->dependences[end].to == f->dependences[i].to; end++) {
            const size_t kind = f->dependences[end].effect->kind == ARK_EFFECT_WRITE;
            if (!paths[end].exists) {
                first[kind] = first[kind] ? first[kind] : &f->dependences[end];
                counts[kind]++;
            }
        }
        for (size_t kind = 0; kind < 2; kind++) {
            if (first[kind]) {
                report_first(f, first[kind], counts[kind] - 1);
            }
        }
        i = end;
    }
}

// Looks for the paths of a batch. Together, since a search visits much of the graph: one search
// serves many dependences.
static hoist_status flush(conflict_finder *f)
{
    const ark_graph *const graph = f->check->graph;
    const hoist_allocator alloc = graph->module->base.alloc;
    ark_path *const paths = hoist_alloc_zero(alloc, f->count + 1, sizeof(*paths));
    HOIST_TRY_MEMORY(paths);
    for (size_t i = 0; i < f->count; i++) {
        paths[i].from = graph->steps[f->dependences[i].from].owner;
        paths[i].to = graph->steps[f->dependences[i].to].owner;
    }
    const hoist_status status = ark_paths_find(graph->module, &f->edges, paths, f->count);
    if (status == HOIST_OK) {
        report_missing(f, paths);
    }
    hoist_free(alloc, paths, (f->count + 1) * sizeof(*paths));
    f->count = 0;
    return status;
}

// Dependences ------------------------------------------------------------------------------------

// Notes that `to` depends on `from`, unless an edge or the node they share says so already.
static hoist_status depend(conflict_finder *f, uint32_t from, uint32_t to, const ark_effect *effect,
                           bool from_writes)
{
    const ark_graph *const graph = f->check->graph;
    const uint32_t node = graph->steps[to].owner;
    // A node's operators are executed in order: they need no path.
    if (from == ARK_NONE || f->asked[from] == to + 1 || graph->steps[from].owner == node) {
        return HOIST_OK;
    }
    // Also before the edge is looked at: another piece need not ask again.
    f->asked[from] = to + 1;
    if (f->producers[graph->steps[from].owner] == node + 1) {
        return HOIST_OK;
    }
    void *dependences = f->dependences;
    HOIST_TRY_MEMORY(hoist_grow(graph->module->base.alloc, &dependences, &f->capacity, f->count + 1,
                                sizeof(*f->dependences)));
    f->dependences = dependences;
    f->dependences[f->count++] = (dependence){from, to, effect, from_writes};
    return HOIST_OK;
}

// A reader that is the latest already is not added twice: a tensor may be read by several
// operands.
static hoist_status add_reader(conflict_finder *f, uint32_t piece, uint32_t step)
{
    void *pool = f->pool;
    const uint32_t latest = f->readers[piece];
    if (latest != ARK_NONE && f->pool[latest].step == step) {
        return HOIST_OK;
    }
    if (f->pool_count == MOST_READERS) {
        return HOIST_LIMIT;
    }
    HOIST_TRY_MEMORY(hoist_grow(f->check->graph->module->base.alloc, &pool, &f->pool_capacity,
                                f->pool_count + 1, sizeof(*f->pool)));
    f->pool = pool;
    f->pool[f->pool_count] = (reader){step, latest};
    f->readers[piece] = (uint32_t)f->pool_count++;
    return HOIST_OK;
}

// A read depends on the last writer. A write depends on it, too, and on all readers since, and
// then it is the last writer and has no readers.
static hoist_status touch(conflict_finder *f, uint32_t step, const ark_effect *effect)
{
    const ark_operands pieces = f->check->pieces->of[effect->value];
    for (uint32_t i = 0; i < pieces.count; i++) {
        const uint32_t piece = pieces.items[i];
        HOIST_TRY(depend(f, f->writers[piece], step, effect, true));
        if (effect->kind != ARK_EFFECT_WRITE) {
            HOIST_TRY(add_reader(f, piece, step));
            continue;
        }
        for (uint32_t r = f->readers[piece]; r != ARK_NONE; r = f->pool[r].next) {
            HOIST_TRY(depend(f, f->pool[r].step, step, effect, false));
        }
        f->readers[piece] = ARK_NONE;
        f->writers[piece] = step;
    }
    return HOIST_OK;
}

// The marks in `producers` are 1 + the node, which no other node has, so no mark is ever reset.
static hoist_status walk(conflict_finder *f)
{
    const ark_graph *const graph = f->check->graph;
    const ark_effects *const effects = f->check->effects;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        const uint32_t node = graph->steps[i].owner;
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        for (uint32_t k = f->edges.starts[node]; k < f->edges.starts[node + 1]; k++) {
            f->producers[f->edges.producers[k]] = node + 1;
        }
        for (uint32_t k = effects->first[i]; k < effects->first[i + 1]; k++) {
            if (effects->items[k].kind != ARK_EFFECT_PASS) {
                HOIST_TRY(touch(f, i, &effects->items[k]));
            }
        }
        // A whole step is in one batch, for report_first.
        if (f->count >= BATCH || i + 1 == graph->step_count) {
            HOIST_TRY(flush(f));
        }
    }
    return HOIST_OK;
}

hoist_status ark_check_conflicts(const ark_memory_check *check)
{
    const ark_graph *const graph = check->graph;
    const hoist_allocator alloc = graph->module->base.alloc;
    const size_t pieces = check->pieces->count;
    conflict_finder f = {.check = check};
    HOIST_TRY(ark_node_edges_find(graph->module, check->scratch, NULL, &f.edges));
    f.writers = hoist_arena_array(check->scratch, pieces, sizeof(*f.writers));
    f.readers = hoist_arena_array(check->scratch, pieces, sizeof(*f.readers));
    f.asked = hoist_arena_array(check->scratch, graph->step_count, sizeof(*f.asked));
    f.producers = hoist_arena_array(check->scratch, f.edges.count, sizeof(*f.producers));
    HOIST_TRY_MEMORY(f.writers && f.readers && f.asked && f.producers);
    for (size_t i = 0; i < pieces; i++) {
        f.writers[i] = ARK_NONE;
        f.readers[i] = ARK_NONE;
    }
    const hoist_status status = walk(&f);
    hoist_free(alloc, f.pool, f.pool_capacity * sizeof(*f.pool));
    hoist_free(alloc, f.dependences, f.capacity * sizeof(*f.dependences));
    return status;
}
