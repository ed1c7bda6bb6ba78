// Groups: the graphs of one temporal epoch that share ops or queues are a cluster. Those of a
// cluster that are on one chip make one function on the unit of that chip, and so do those on
// several chips where one of them writes a queue that another uses, on the lowest. All functions
// of an epoch run side by side (buda-netlist reference section 2.7); those of a cluster exchange
// results, and entries of queues that several read, over links (link.c).
// In: the net, its index and the codes of programs. Out: l->units, l->groups with their uses,
// amounts and drains.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/join.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/buda/program.h"
#include "lower/buda/state.h"

// The thread waits when the queue is full.
enum { UNIT_DEPTH = 32 }; // commands that a chip's queue holds (section 6.5)

// Units ---------------------------------------------------------------------------------------

// For sorting and for unit_of().
static int compare_chips(const void *a, const void *b)
{
    return hoist_order_i64(((const buda_lower_unit *)a)->chip, ((const buda_lower_unit *)b)->chip);
}

// Every graph's chip has a unit, so the search finds it.
static size_t unit_of(const buda_lower_job *l, int64_t chip)
{
    const buda_lower_unit key = {.chip = chip};
    const buda_lower_unit *found =
        bsearch(&key, l->units, l->unit_count, sizeof *l->units, compare_chips);
    return (size_t)(found - l->units);
}

// One unit per chip that has graphs.
static void add_units(buda_lower_job *l)
{
    l->units = hoist_lower_array(&l->c, l->net.graph_count, sizeof *l->units);
    for (size_t g = 0; l->units && g < l->net.graph_count; g++) {
        l->units[g].chip = l->net.graphs[g].device;
    }
    if (!l->units || l->net.graph_count == 0) { // no graphs: no units
        return;
    }
    // Sorted, then equal neighbours removed in place.
    qsort(l->units, l->net.graph_count, sizeof *l->units, compare_chips);
    for (size_t g = 0; g < l->net.graph_count; g++) {
        if (l->unit_count == 0 || l->units[l->unit_count - 1].chip != l->units[g].chip) {
            l->units[l->unit_count++] = l->units[g];
        }
    }
    for (size_t u = 0; u < l->unit_count; u++) {
        char name[32];
        (void)snprintf(name, sizeof name, "chip%" PRId64, l->units[u].chip);
        l->units[u].unit = hoist_builder_unit(
            l->c.b, &(hoist_prog_unit){.name = hoist_str_from(name), .depth = UNIT_DEPTH});
        l->units[u].space = buda_lower_l1(l, l->units[u].chip);
    }
}

// Union-find (base/join.h) over graphs: first by ops, then by storage.
// Joining -------------------------------------------------------------------------------------

// An op read across graphs of one epoch is a temporary of both, hence of one function.
static void join_by_ops(const buda_net *net, size_t *parent)
{
    for (size_t i = 0; i < net->op_count; i++) {
        const buda_net_op *op = &net->ops[i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            if (op->inputs[k].kind != BUDA_SOURCE_OP) {
                continue;
            }
            const size_t other = net->ops[op->inputs[k].index].graph;
            if (net->graphs[other].temporal == net->graphs[op->graph].temporal) {
                (void)hoist_join(parent, op->graph, other);
            }
        }
    }
}

typedef struct epoch_graph {
    size_t temporal;
    size_t graph;
} epoch_graph;

static int compare_epochs(const void *a, const void *b)
{
    const epoch_graph *left = a;
    const epoch_graph *right = b;
    const int order = hoist_order_u64(left->temporal, right->temporal);
    return order ? order : hoist_order_u64(left->graph, right->graph);
}

// Rows of flat queues (tables) do not go over links, which have tiles.
static bool is_kept_together(const buda_use *use)
{
    return use->flags & (BUDA_USE_WRITTEN | BUDA_USE_GRADIENT | BUDA_USE_TABLE);
}

// Per storage, epochs and graphs counted from 1.
typedef struct queue_join {
    size_t *parent;
    bool only_written;
    epoch_graph *last; // graph that has used it
    size_t *writers;   // epoch in which it is kept together
} queue_join;

// Joins graphs[0 .. count), which are of one epoch, that use one queue or its alias.
static void join_epoch(const buda_lower_job *l, queue_join *j, const epoch_graph *graphs,
                       size_t count)
{
    const buda_index *index = l->index;
    for (size_t i = 0; i < count; i++) {
        const size_t g = graphs[i].graph;
        for (size_t u = index->first_use[g]; u < index->first_use[g + 1]; u++) {
            if (is_kept_together(&index->uses[u])) {
                j->writers[l->storage[index->uses[u].queue]] = graphs[i].temporal + 1;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const size_t g = graphs[i].graph;
        for (size_t u = index->first_use[g]; u < index->first_use[g + 1]; u++) {
            const size_t storage = l->storage[index->uses[u].queue];
            const epoch_graph last = j->last[storage];
            const bool joins = !j->only_written || j->writers[storage] == graphs[i].temporal + 1;
            if (joins && last.graph && last.temporal == graphs[i].temporal) {
                (void)hoist_join(j->parent, last.graph - 1, g);
            }
            j->last[storage] = (epoch_graph){graphs[i].temporal, g + 1};
        }
    }
}

// Graphs of one epoch that use one queue or its alias. On different units they would run at the
// same time, and their pushes and pops would be unordered. With `only_written` those that all only
// read it stay apart: one of them gives its entries to the others.
static void join_by_queues(buda_lower_job *l, size_t *parent, bool only_written)
{
    const size_t count = l->net.graph_count;
    epoch_graph *order = hoist_lower_array(&l->c, count, sizeof *order);
    queue_join j = {
        .parent = parent,
        .only_written = only_written,
        .last = hoist_lower_array(&l->c, l->net.queue_count, sizeof *j.last),
        .writers = hoist_lower_array(&l->c, l->net.queue_count, sizeof *j.writers),
    };
    if (!order || !j.last || !j.writers || count == 0) {
        return;
    }
    for (size_t g = 0; g < count; g++) {
        order[g] = (epoch_graph){l->net.graphs[g].temporal, g};
    }
    // Epoch by epoch, so that one entry per storage suffices.
    qsort(order, count, sizeof *order, compare_epochs);
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && order[end].temporal == order[begin].temporal) {
            end++;
        }
        join_epoch(l, &j, order + begin, end - begin);
    }
}

typedef struct placed_graph {
    size_t cluster; // its root
    int64_t chip;
    size_t graph;
} placed_graph;

static int compare_placed(const void *a, const void *b)
{
    const placed_graph *left = a;
    const placed_graph *right = b;
    const int order = hoist_order_u64(left->cluster, right->cluster);
    const int chips = hoist_order_i64(left->chip, right->chip);
    return order ? order : chips ? chips : hoist_order_u64(left->graph, right->graph);
}

// Graphs of one cluster that are on one chip; all of them where they take different numbers of
// inputs, which chips side by side could not keep step with.
static void join_by_chips(buda_lower_job *l, size_t *clusters, size_t *parent)
{
    const size_t count = l->net.graph_count;
    placed_graph *order = hoist_lower_array(&l->c, count, sizeof *order);
    bool *differs = hoist_lower_array(&l->c, count, sizeof *differs);
    if (!order || !differs || count == 0) {
        return;
    }
    for (size_t g = 0; g < count; g++) {
        const size_t root = hoist_join_root(clusters, g);
        order[g] = (placed_graph){root, l->net.graphs[g].device, g};
        differs[root] = differs[root] || l->net.graphs[g].graph->input_count.value !=
                                             l->net.graphs[root].graph->input_count.value;
    }
    qsort(order, count, sizeof *order, compare_placed);
    for (size_t i = 1; i < count; i++) {
        const placed_graph *last = &order[i - 1];
        if (last->cluster == order[i].cluster &&
            (last->chip == order[i].chip || differs[last->cluster])) {
            (void)hoist_join(parent, last->graph, order[i].graph);
        }
    }
}

// Makes rings of the groups of each cluster, in their order.
static void link_siblings(buda_lower_job *l, size_t *clusters)
{
    for (size_t i = 0; i < l->group_count && l->c.status == HOIST_OK; i++) {
        buda_lower_group *group = &l->groups[i];
        group->cluster = l->group_of[hoist_join_root(clusters, group->graphs[0])];
        group->sibling = i;
    }
    for (size_t i = l->group_count; i > 0 && l->c.status == HOIST_OK; i--) {
        buda_lower_group *group = &l->groups[i - 1];
        buda_lower_group *first = &l->groups[group->cluster];
        if (group != first) {
            group->sibling = first->sibling;
            first->sibling = i - 1;
        }
    }
}

// Numbers the roots and lists the graphs of each.
// Numbers the roots and lists the graphs of each. Roots are the least graphs, so that groups
// ascend with the file.
static void number_groups(buda_lower_job *l, size_t *parent)
{
    const size_t count = l->net.graph_count;
    l->group_of = hoist_lower_array(&l->c, count, sizeof *l->group_of);
    l->groups = hoist_lower_array(&l->c, count, sizeof *l->groups);
    if (!l->group_of || !l->groups) {
        return;
    }
    for (size_t g = 0; g < count; g++) {
        const size_t root = hoist_join_root(parent, g);
        l->group_of[g] = root == g ? l->group_count++ : l->group_of[root];
        l->groups[l->group_of[g]].graph_count++;
    }
    for (size_t i = 0; i < l->group_count; i++) {
        buda_lower_group *group = &l->groups[i];
        group->graphs = hoist_lower_array(&l->c, group->graph_count, sizeof *group->graphs);
        group->graph_count = 0;
        group->function = HOIST_NO_REF;
    }
    for (size_t g = 0; g < count && l->c.status == HOIST_OK; g++) {
        buda_lower_group *group = &l->groups[l->group_of[g]];
        const buda_net_graph *graph = &l->net.graphs[g];
        const size_t unit = unit_of(l, graph->device);
        // The unit of the lowest chip: units ascend by chip.
        group->unit = group->graph_count == 0 || unit < group->unit ? unit : group->unit;
        group->temporal = graph->temporal;
        // Equal in all graphs of an epoch (rule 35a)
        group->inputs = graph->graph->input_count.value;
        group->graphs[group->graph_count++] = g;
    }
}

// Uses ----------------------------------------------------------------------------------------

// Uses of a group are sorted by queue, for bsearch() here and in buda_lower_use_of().
static int compare_uses(const void *a, const void *b)
{
    return hoist_order_u64(((const buda_lower_use *)a)->queue, ((const buda_lower_use *)b)->queue);
}

buda_lower_use *buda_lower_use_of(buda_lower_group *group, size_t queue)
{
    const buda_lower_use key = {.queue = queue};
    return group->use_count == 0
               ? NULL
               : bsearch(&key, group->uses, group->use_count, sizeof *group->uses, compare_uses);
}

buda_lower_group *buda_lower_owner(buda_lower_job *l, const buda_lower_group *group, size_t queue)
{
    size_t i = group->cluster;
    while (!buda_lower_use_of(&l->groups[i], queue) && l->groups[i].sibling != group->cluster) {
        i = l->groups[i].sibling;
    }
    return &l->groups[i];
}

// True when a group of the cluster that comes before has the queue: all of them only read it.
static bool has_owner(buda_lower_job *l, const buda_lower_group *group, size_t queue)
{
    for (size_t i = group->cluster; &l->groups[i] != group; i = l->groups[i].sibling) {
        if (buda_lower_use_of(&l->groups[i], queue)) {
            return true;
        }
    }
    return false;
}

// Uses of all graphs of the group, merged by queue with their flags joined. Those of a queue that a
// group before has are that one's. In the order of groups.
static void collect_uses(buda_lower_job *l, buda_lower_group *group)
{
    const buda_index *index = l->index;
    size_t most = 0;
    for (size_t i = 0; i < group->graph_count; i++) {
        most += index->first_use[group->graphs[i] + 1] - index->first_use[group->graphs[i]];
    }
    group->uses = hoist_lower_array(&l->c, most, sizeof *group->uses);
    if (!group->uses || most == 0) {
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < group->graph_count; i++) {
        const size_t g = group->graphs[i];
        for (size_t u = index->first_use[g]; u < index->first_use[g + 1]; u++) {
            group->uses[count++] =
                (buda_lower_use){.queue = index->uses[u].queue, .flags = index->uses[u].flags};
        }
    }
    qsort(group->uses, count, sizeof *group->uses, compare_uses);
    for (size_t i = 0; i < count; i++) {
        if (group->use_count > 0 &&
            group->uses[group->use_count - 1].queue == group->uses[i].queue) {
            group->uses[group->use_count - 1].flags |= group->uses[i].flags;
        } else if (!has_owner(l, group, group->uses[i].queue)) {
            group->uses[group->use_count++] = group->uses[i];
        }
    }
}

// A thread posts to units that run side by side; where two units touch one queue, the thread
// drains the other first.
// Drains --------------------------------------------------------------------------------------

void buda_lower_add_unit(buda_lower_job *l, buda_lower_list *list, size_t unit)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->units[i] == unit) {
            return;
        }
    }
    // Nearly every queue is touched by one unit; the list grows for the others.
    size_t *units = hoist_lower_array(&l->c, list->count + 1, sizeof *units);
    if (units) {
        for (size_t i = 0; i < list->count; i++) {
            units[i] = list->units[i];
        }
        units[list->count] = unit;
        *list = (buda_lower_list){units, list->count + 1};
    }
}

// Per storage and not per queue: an alias shares its target's bytes.
static void find_queue_units(buda_lower_job *l)
{
    l->queue_units = hoist_lower_array(&l->c, l->net.queue_count, sizeof *l->queue_units);
    l->drains = hoist_lower_array(&l->c, l->unit_count, sizeof *l->drains);
    l->is_listed = hoist_lower_array(&l->c, l->unit_count, sizeof *l->is_listed);
    for (size_t i = 0; i < l->group_count && l->c.status == HOIST_OK; i++) {
        const buda_lower_group *group = &l->groups[i];
        for (size_t u = 0; u < group->use_count; u++) {
            buda_lower_add_unit(l, &l->queue_units[l->storage[group->uses[u].queue]], group->unit);
        }
    }
}

// Collects without duplicates; the flags are taken back in buda_lower_take_drains().
void buda_lower_add_drains(buda_lower_job *l, buda_lower_list list, size_t unit)
{
    for (size_t i = 0; i < list.count; i++) {
        const size_t other = list.units[i];
        if (other != unit && !l->is_listed[other]) {
            l->is_listed[other] = true;
            l->drains[l->drain_count++] = other;
        }
    }
}

// The list of a group of calls is complete: copied to the arena, and the collection starts anew.
const size_t *buda_lower_take_drains(buda_lower_job *l, size_t *out_count)
{
    size_t *list = hoist_lower_array(&l->c, l->drain_count, sizeof *list);
    *out_count = list ? l->drain_count : 0;
    for (size_t i = 0; i < l->drain_count; i++) {
        l->is_listed[l->drains[i]] = false;
        if (list) {
            list[i] = l->drains[i];
        }
    }
    l->drain_count = 0;
    return list;
}

// The other units that touch a queue of a group: they have to be done before any group of its
// cluster begins, since one that has begun may wait for the others.
static void find_drains(buda_lower_job *l, size_t cluster)
{
    size_t i = cluster;
    do {
        const buda_lower_group *group = &l->groups[i];
        for (size_t u = 0; u < group->use_count; u++) {
            buda_lower_add_drains(l, l->queue_units[l->storage[group->uses[u].queue]], group->unit);
        }
        i = group->sibling;
    } while (i != cluster);
    l->groups[cluster].drains = buda_lower_take_drains(l, &l->groups[cluster].drain_count);
}

// What a setting gives is a constant of the function if all executes of all programs give the same
// number.
// Amounts -------------------------------------------------------------------------------------

// The first number is kept; another one, or a variable, makes it vary.
static void add_amount(buda_lower_amount *amount, bool known, int64_t number)
{
    amount->varies = amount->varies || !known || (amount->seen && amount->number != number);
    amount->number = number;
    amount->seen = true;
}

// The number of a field of `bound` (NULL: no setting, the defaults); false when it varies.
static bool field(const buda_lower_job *l, const buda_bound *bound, size_t queue,
                  buda_setting_key key, int64_t *out)
{
    const bool ram = l->net.queues[queue].queue->type.value == BUDA_RAM;
    *out = buda_setting_default(ram, key);
    if (!bound || bound->fields[key].kind == BUDA_OPERAND_ABSENT) {
        return true;
    }
    *out = bound->fields[key].value;
    return bound->fields[key].kind == BUDA_OPERAND_NUMBER;
}

// Read step, write step and zeroing of one setting; with prologue or epilogue nothing steps
// between inputs.
// What one execute gives to a use.
static void add_setting(buda_lower_job *l, buda_lower_use *use, const buda_bound *bound)
{
    const bool ram = l->net.queues[use->queue].queue->type.value == BUDA_RAM;
    const buda_setting_key key = ram ? BUDA_S_GLOBAL_RDPTR_AUTOINC : BUDA_S_RD_PTR_AUTOINC;
    int64_t prologue = 0;
    int64_t epilogue = 0;
    int64_t value = 0;
    bool known = field(l, bound, use->queue, BUDA_S_PROLOGUE, &prologue);
    known = field(l, bound, use->queue, BUDA_S_EPILOGUE, &epilogue) && known;
    known = field(l, bound, use->queue, key, &value) && known;
    add_amount(&use->amounts[BUDA_LOWER_READ_STEP], known, prologue || epilogue ? 0 : value);
    // Every result is pushed to a queue, whatever a setting says (C55).
    // A queue's write step is known whatever the setting has.
    known = field(l, bound, use->queue, BUDA_S_GLOBAL_WRPTR_AUTOINC, &value) || !ram;
    add_amount(&use->amounts[BUDA_LOWER_WRITE_STEP], known, ram ? value : 1);
    known = field(l, bound, use->queue, BUDA_S_ZERO, &value);
    // Consumed by the first input of an execute: no constant but 0.
    add_amount(&use->amounts[BUDA_LOWER_FRESH], known && value == 0, value);
}

// The last of several settings of one queue, as in collect() of execute.c.
static const buda_bound *bound_of(const buda_launch *launch, size_t queue)
{
    const buda_bound *found = NULL;
    for (size_t i = 0; i < launch->bound_count; i++) {
        found = launch->bound[i].queue == queue ? &launch->bound[i] : found;
    }
    return found;
}

// What a launch gives to the uses of its group: settings, and defaults to queues without one.
// Queues that a program never names still have defaults.
static void add_launch(buda_lower_job *l, const buda_launch *launch)
{
    buda_lower_group *group = &l->groups[l->group_of[launch->graph]];
    const buda_index *index = l->index;
    group->executed = true;
    for (size_t u = index->first_use[launch->graph]; u < index->first_use[launch->graph + 1]; u++) {
        const size_t queue = index->uses[u].queue;
        buda_lower_use *use = buda_lower_use_of(buda_lower_owner(l, group, queue), queue);
        HOIST_ASSERT(use); // of each queue that the index has for the graph
        add_setting(l, use, bound_of(launch, use->queue));
    }
}

// Before any function is built, since parameters depend on all executes.
static void add_launches(buda_lower_job *l)
{
    for (size_t p = 0; p < l->module->program_count; p++) {
        const buda_code *code = &l->codes[p];
        for (size_t i = 0; i < code->count; i++) {
            for (size_t k = 0; k < code->steps[i].launch_count; k++) {
                add_launch(l, &code->steps[i].launches[k]);
            }
        }
    }
}

// Each part needs those before it, and none runs after memory has run out.
hoist_status buda_lower_groups(buda_lower_job *l)
{
    size_t *clusters = hoist_lower_array(&l->c, l->net.graph_count, sizeof *clusters);
    size_t *parent = hoist_lower_array(&l->c, l->net.graph_count, sizeof *parent);
    hoist_join_init(clusters, clusters ? l->net.graph_count : 0);
    hoist_join_init(parent, parent ? l->net.graph_count : 0);
    add_units(l);
    if (l->c.status == HOIST_OK) {
        join_by_ops(&l->net, clusters);
        join_by_queues(l, clusters, false);
        join_by_chips(l, clusters, parent);
        join_by_queues(l, parent, true);
    }
    if (l->c.status == HOIST_OK) {
        number_groups(l, parent);
        link_siblings(l, clusters);
    }
    for (size_t i = 0; i < l->group_count && l->c.status == HOIST_OK; i++) {
        collect_uses(l, &l->groups[i]);
    }
    if (l->c.status == HOIST_OK) {
        find_queue_units(l);
    }
    for (size_t i = 0; i < l->group_count && l->c.status == HOIST_OK; i++) {
        if (l->groups[i].cluster == i) {
            find_drains(l, i);
        }
    }
    if (l->c.status == HOIST_OK) {
        add_launches(l);
    }
    return l->c.status;
}
