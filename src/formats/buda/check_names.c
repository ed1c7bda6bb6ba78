// Names occur once: rules 4a and 20a of the buda-netlist reference, section 5.1. Fills the index of
// names (check_structure.h), which check_alias.c, check_op_lists.c and check_unused.c look names up
// in.
// Out: the maps of buda_structure, from names as written to indices of the module.
#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

// One kind of names while it is indexed. The same steps serve queues, graphs, programs and ops.
typedef struct naming {
    hoist_diag *diag;
    const char *kind;
    hoist_map *map;
    hoist_pos *places; // by index; scratch
} naming;

// Reported at the second, with the line of the first.
static void report_twice(const naming *n, hoist_str name, hoist_pos second, hoist_pos first)
{
    buda_report(n->diag, BUDA_004a, second, "%s name '%.*s' is used twice, first in line %u",
                n->kind, HOIST_STR_ARGS(name), first.line);
}

// Starts a kind; `count` is the number of its objects.
static hoist_status begin(naming *n, const buda_structure *s, const char *kind, hoist_map *map,
                          size_t count)
{
    n->diag = s->check->diag;
    n->kind = kind;
    n->map = map;
    n->places = hoist_arena_array(s->check->scratch, count, sizeof(n->places[0]));
    return n->places ? HOIST_OK : HOIST_NO_MEMORY;
}

// Adds a name as number `index`, or reports it as the second of its kind; then leaves the object.
// `*frames` has been entered by the caller, who knows the kind of object.
static hoist_status add(const naming *n, const buda_frames *frames, const buda_name *name,
                        size_t index)
{
    size_t first = index;
    const hoist_status status = hoist_map_add(n->map, name->text, index, &first);
    if (status == HOIST_BUSY) {
        report_twice(n, name->text, name->pos, n->places[first]); // set when the first was added
    } else {
        n->places[index] = name->pos;
    }
    buda_leave(n->diag, frames);
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// Queues, graphs and programs; ops need a second index and are apart.
static hoist_status index_sections(buda_structure *s)
{
    const hoist_buda_module *module = s->check->module;
    buda_frames frames;
    naming n;
    HOIST_TRY(begin(&n, s, "queue", &s->queues, module->queue_count));
    for (size_t i = 0; i < module->queue_count; i++) {
        buda_enter_queue(n.diag, &frames, &module->queues[i]);
        HOIST_TRY(add(&n, &frames, &module->queues[i].name, i));
    }
    HOIST_TRY(begin(&n, s, "graph", &s->graphs, module->graph_count));
    for (size_t i = 0; i < module->graph_count; i++) {
        buda_enter_graph(n.diag, &frames, &module->graphs[i]);
        HOIST_TRY(add(&n, &frames, &module->graphs[i].name, i));
    }
    HOIST_TRY(begin(&n, s, "program", &s->programs, module->program_count));
    for (size_t i = 0; i < module->program_count; i++) {
        buda_enter_program(n.diag, &frames, &module->programs[i]);
        HOIST_TRY(add(&n, &frames, &module->programs[i].name, i));
    }
    return HOIST_OK;
}

// Op names are unique over all graphs (rule 4a), so that they are numbered over all graphs.
static hoist_status index_ops(buda_structure *s)
{
    const hoist_buda_module *module = s->check->module;
    size_t total = 0;
    for (size_t i = 0; i < module->graph_count; i++) {
        total += module->graphs[i].op_count;
    }
    naming n;
    HOIST_TRY(begin(&n, s, "op", &s->ops, total));
    s->op_graphs = hoist_arena_array(s->check->scratch, total, sizeof(s->op_graphs[0]));
    HOIST_TRY_MEMORY(s->op_graphs);
    size_t number = 0;
    for (size_t g = 0; g < module->graph_count; g++) {
        const buda_graph *graph = &module->graphs[g];
        for (size_t i = 0; i < graph->op_count; i++) {
            buda_frames frames;
            buda_enter_op(n.diag, &frames, graph, &graph->ops[i]);
            s->op_graphs[number] = g;
            HOIST_TRY(add(&n, &frames, &graph->ops[i].name, number++));
        }
    }
    return HOIST_OK;
}

// Copies of queues whose names (with suffix) meet: a device listed twice, or another queue that is
// written with the suffix. Equal written names were reported already. The list form makes names
// that are in no place of the file: `q.1` of the list `q` and a queue written `q.1`.
static void check_queue_copies(const buda_structure *s)
{
    const buda_net *net = s->check->net;
    const naming n = {.diag = s->check->diag, .kind = "queue"};
    for (size_t i = 0; i < net->queue_count; i++) {
        const buda_queue *queue = net->queues[i].queue;
        size_t first = i;
        if (!hoist_map_find(&net->queue_names, net->queues[i].name, &first) || first == i) {
            continue;
        }
        const buda_queue *other = net->queues[first].queue;
        // Two queues of one written name: reported in index_sections()
        if (other != queue && hoist_str_equal(other->name.text, queue->name.text)) {
            continue;
        }
        buda_frames frames;
        buda_enter_queue(n.diag, &frames, queue);
        report_twice(&n, net->queues[i].name, queue->name.pos, other->name.pos);
        buda_leave(n.diag, &frames);
    }
}

// Rule 20a. The vendor's lookups try queues first and never find such an op.
static void check_op_and_queue(const buda_structure *s)
{
    const buda_net *net = s->check->net;
    for (size_t i = 0; i < net->op_count; i++) {
        const buda_net_op *op = &net->ops[i];
        size_t queue = 0;
        if (!hoist_map_find(&net->queue_names, op->name, &queue)) {
            continue;
        }
        buda_frames frames;
        buda_enter_op(s->check->diag, &frames, net->graphs[op->graph].graph, op->op);
        buda_report(s->check->diag, BUDA_020a, op->op->name.pos,
                    "op '%.*s' has the name of the queue in line %u", HOIST_STR_ARGS(op->name),
                    net->queues[queue].queue->name.pos.line);
        buda_leave(s->check->diag, &frames);
    }
}

// Findings of names first, since links are resolved by them.
hoist_status buda_check_names(buda_structure *s)
{
    HOIST_TRY(index_sections(s));
    HOIST_TRY(index_ops(s));
    check_queue_copies(s);
    check_op_and_queue(s);
    return HOIST_OK;
}
