// Temporal epochs: which graphs run together. buda-netlist reference section 2.7. Graphs are joined
// by union-find (base/join.h). Out: the dense number `temporal` of each graph of the net.
//
// Sets of graphs keep their devices as bits, so that joining and the question whether two sets
// share a device cost a few words each.
#include "base/join.h"
#include "formats/buda/net_internal.h"

// Without the bound on devices each graph would need a bit set as long as the file's longest list;
// without the one on executes a program of n lines with n-fold lists would take n*n joins.
enum {
    MAX_DEVICES = 1024,
    MAX_EXECUTES = 10000000, // executes times copies of their graphs
    WORD_BITS = 64,
};

typedef struct epoch_sets {
    buda_net *net;
    size_t *parents;   // per graph
    uint64_t *devices; // `words` words per graph: bits of dense device numbers, valid in a root
    size_t words;
    size_t executes; // seen so far
} epoch_sets;

// Of roots only: `devices` of a graph that has been joined to another is stale.
static bool sets_share_device(const epoch_sets *sets, size_t a, size_t b)
{
    for (size_t i = 0; i < sets->words; i++) {
        if (sets->devices[a * sets->words + i] & sets->devices[b * sets->words + i]) {
            return true;
        }
    }
    return false;
}

// Union by hoist_join()'s choice of root; the bits of both sets gather in that root.
static void sets_join(epoch_sets *sets, size_t a, size_t b)
{
    a = hoist_join_root(sets->parents, a);
    b = hoist_join_root(sets->parents, b);
    const size_t root = hoist_join(sets->parents, a, b);
    const size_t child = root == a ? b : a;
    for (size_t i = 0; i < sets->words; i++) {
        sets->devices[root * sets->words + i] |= sets->devices[child * sets->words + i];
    }
}

// Dense number of `device`: the index in `known`, where it is added when new. MAX_DEVICES when
// `known` is full.
// A linear search: real netlists have at most 33 devices, and MAX_DEVICES bounds the worst case.
static size_t device_number(int64_t *known, size_t *count, int64_t device)
{
    size_t i = 0;
    while (i < *count && known[i] != device) {
        i++;
    }
    if (i == *count && i < MAX_DEVICES) {
        known[i] = device;
        ++*count;
    }
    return i;
}

// Every graph alone in its set, with the bit of its own device.
static hoist_status sets_init(epoch_sets *sets, buda_net *net)
{
    *sets = (epoch_sets){.net = net};
    size_t *numbers = hoist_arena_array(&net->arena, net->graph_count, sizeof(numbers[0]));
    sets->parents = hoist_arena_array(&net->arena, net->graph_count, sizeof(sets->parents[0]));
    HOIST_TRY_MEMORY(numbers && sets->parents);
    int64_t known[MAX_DEVICES];
    size_t known_count = 0;
    for (size_t i = 0; i < net->graph_count; i++) {
        numbers[i] = device_number(known, &known_count, net->graphs[i].device);
        if (numbers[i] == MAX_DEVICES) {
            net->limit = (buda_limit){"the devices of all graphs", MAX_DEVICES};
            return HOIST_LIMIT;
        }
    }
    sets->words = (known_count + WORD_BITS - 1) / WORD_BITS;
    sets->devices =
        hoist_arena_array(&net->arena, net->graph_count, sets->words * sizeof(sets->devices[0]));
    HOIST_TRY_MEMORY(sets->devices);
    hoist_join_init(sets->parents, net->graph_count);
    for (size_t i = 0; i < net->graph_count; i++) {
        sets->devices[i * sets->words + numbers[i] / WORD_BITS] = (uint64_t)1
                                                                  << (numbers[i] % WORD_BITS);
    }
    return HOIST_OK;
}

// (a) A graph that reads an op of a graph on another device joins it.
static void join_cross_graph_inputs(epoch_sets *sets)
{
    const buda_net *net = sets->net;
    for (size_t i = 0; i < net->op_count; i++) {
        const buda_net_op *op = &net->ops[i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            if (op->inputs[k].kind != BUDA_SOURCE_OP) {
                continue;
            }
            const size_t other = net->ops[op->inputs[k].index].graph;
            if (net->graphs[other].device != net->graphs[op->graph].device) {
                sets_join(sets, op->graph, other);
            }
        }
    }
}

// Continues a row of executes with `graph`: joined when its devices are all new to the row.
// The set of the last execute is compared, not its graph: three executes on devices 0, 1, 0 give
// {0, 1} and {0}.
static void join_execute(epoch_sets *sets, size_t graph, size_t *last)
{
    const size_t root = hoist_join_root(sets->parents, graph);
    if (*last != BUDA_NO_INDEX) {
        const size_t before = hoist_join_root(sets->parents, *last);
        if (before != root && !sets_share_device(sets, before, root)) {
            sets_join(sets, before, root);
        }
    }
    *last = graph;
}

// The copies of a graph follow each other, from the first with this module graph on.
static hoist_status join_copies(epoch_sets *sets, size_t first, size_t *last)
{
    buda_net *net = sets->net;
    for (size_t i = first; i < net->graph_count && net->graphs[i].graph == net->graphs[first].graph;
         i++) {
        join_execute(sets, i, last);
        if (sets->executes++ == MAX_EXECUTES) {
            net->limit = (buda_limit){"the graphs that the programs execute", MAX_EXECUTES};
            return HOIST_LIMIT;
        }
    }
    return HOIST_OK;
}

// (b) Executes that follow each other in a program are joined when their devices differ. Section
// 2.7 says "directly"; the reference looks from execute to execute whatever instructions are
// between, and so do we: no real netlist distinguishes the two. The reference also joins the last
// execute of one program with the first of the next, in the order of a hash table; that order is
// no property of the file, so every program begins anew here.
static hoist_status join_adjacent_executes(epoch_sets *sets, const hoist_map *graphs)
{
    const hoist_buda_module *module = sets->net->module;
    for (size_t p = 0; p < module->program_count; p++) {
        const buda_program *program = &module->programs[p];
        size_t last = BUDA_NO_INDEX;
        for (size_t i = 0; i < program->count; i++) {
            size_t first = 0;
            if (program->instrs[i].kind == BUDA_I_EXECUTE &&
                hoist_map_find(graphs, program->instrs[i].graph.text, &first)) {
                HOIST_TRY(join_copies(sets, first, &last));
            }
        }
    }
    return HOIST_OK;
}

// Names as the file writes them to the first copy of a graph.
// A duplicate name keeps its first graph (HOIST_BUSY is no failure); rule 4a reports the second.
static hoist_status map_graphs(const buda_net *net, hoist_map *graphs)
{
    for (size_t i = 0; i < net->graph_count; i++) {
        const hoist_status status = hoist_map_add(graphs, net->graphs[i].graph->name.text, i, NULL);
        if (status == HOIST_NO_MEMORY) {
            return status;
        }
    }
    return HOIST_OK;
}

// Roots are the least graphs of their sets, so that a set is numbered when its root is met: ids
// ascend with the file.
static void number_sets(epoch_sets *sets)
{
    buda_net *net = sets->net;
    size_t next = 0;
    for (size_t i = 0; i < net->graph_count; i++) {
        const size_t root = hoist_join_root(sets->parents, i);
        net->graphs[i].temporal = root == i ? next++ : net->graphs[root].temporal;
    }
}

hoist_status buda_net_epochs(buda_net *net)
{
    epoch_sets sets;
    HOIST_TRY(sets_init(&sets, net));
    // On every architecture: reading another graph's op is possible only if both run.
    join_cross_graph_inputs(&sets);
    // Grayskull runs one graph after the other.
    if (net->arch != BUDA_GRAYSKULL && net->arch != BUDA_ARCH_NONE) {
        hoist_map graphs;
        hoist_map_init(&graphs, net->arena.alloc);
        hoist_status status = map_graphs(net, &graphs);
        if (status == HOIST_OK) {
            status = join_adjacent_executes(&sets, &graphs);
        }
        hoist_map_deinit(&graphs);
        HOIST_TRY(status);
    }
    number_sets(&sets);
    return HOIST_OK;
}
