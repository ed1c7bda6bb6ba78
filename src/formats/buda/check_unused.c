// Queues and graphs that nothing uses: rule 20b of the buda-netlist reference, section 5.1.
//
// A queue that an op feeds is an output, which the host reads; only a queue that the host fills,
// and that neither an op reads nor a program names, is left over. An alias keeps its target in use.
// In: names of the index (check_structure.h) and of the net. A warning for each name left over.
#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

// Flags by objects of the module: a list form is in use if any of its copies is.
typedef struct usage {
    const buda_structure *s;
    bool *queues; // by index into module->queues; scratch
    bool *graphs; // by index into module->graphs; scratch
} usage;

// A queue by its name in a program: as written, or a copy with its suffix. Unknown names are rule
// 24 or 29a.
static void use_queue(usage *u, hoist_str name)
{
    const buda_net *net = u->s->check->net;
    size_t index = 0;
    if (hoist_map_find(&u->s->queues, name, &index)) {
        u->queues[index] = true;
    } else if (hoist_map_find(&net->queue_names, name, &index)) {
        // Index in the module by its address.
        u->queues[net->queues[index].queue - net->module->queues] = true;
    }
}

// As use_queue().
static void use_graph(usage *u, hoist_str name)
{
    const buda_net *net = u->s->check->net;
    size_t index = 0;
    if (hoist_map_find(&u->s->graphs, name, &index)) {
        u->graphs[index] = true;
    } else if (hoist_map_find(&net->graph_names, name, &index)) {
        u->graphs[net->graphs[index].graph - net->module->graphs] = true;
    }
}

// Settings count as a use, although rule 24 refuses those of queues that the graph does not read.
static void use_in_program(usage *u, const buda_program *program)
{
    for (size_t k = 0; k < program->count; k++) {
        const buda_instr *instr = &program->instrs[k];
        if (instr->kind == BUDA_I_EXECUTE) {
            use_graph(u, instr->graph.text);
        }
        for (size_t i = 0; i < instr->setting_count; i++) {
            use_queue(u, instr->settings[i].queue.text);
        }
        for (size_t i = 0; i < instr->queues.count; i++) {
            use_queue(u, instr->queues.items[i].text);
        }
    }
}

// Read by an op, or fed by one; an alias keeps its target.
static void use_in_graphs(usage *u)
{
    const buda_net *net = u->s->check->net;
    for (size_t i = 0; i < net->queue_count; i++) {
        const buda_net_queue *queue = &net->queues[i];
        if (queue->consumer_count > 0 || !queue->host_fed) {
            u->queues[queue->queue - net->module->queues] = true;
        }
        if (buda_has(queue->queue->alias.pos)) {
            use_queue(u, queue->queue->alias.text);
        }
    }
}

// After all marks are made, in the order of the file.
static void report_queues(const usage *u)
{
    const buda_check *check = u->s->check;
    for (size_t i = 0; i < check->module->queue_count; i++) {
        const buda_queue *queue = &check->module->queues[i];
        if (u->queues[i]) {
            continue;
        }
        buda_frames frames;
        buda_enter_queue(check->diag, &frames, queue);
        buda_report(check->diag, BUDA_020b, queue->name.pos,
                    "queue '%.*s' is read by no op and named by no program",
                    HOIST_STR_ARGS(queue->name.text));
        buda_leave(check->diag, &frames);
    }
}

static void report_graphs(const usage *u)
{
    const buda_check *check = u->s->check;
    for (size_t i = 0; i < check->module->graph_count; i++) {
        const buda_graph *graph = &check->module->graphs[i];
        if (u->graphs[i]) {
            continue;
        }
        buda_frames frames;
        buda_enter_graph(check->diag, &frames, graph);
        buda_report(check->diag, BUDA_020b, graph->name.pos,
                    "graph '%.*s' is executed by no program", HOIST_STR_ARGS(graph->name.text));
        buda_leave(check->diag, &frames);
    }
}

// Marks first, then both lists: a queue may be named by the last program only.
hoist_status buda_check_unused(const buda_structure *s)
{
    const hoist_buda_module *module = s->check->module;
    // Without programs (rule 2) everything would be unused.
    if (module->program_count == 0) {
        return HOIST_OK;
    }
    usage u = {
        .s = s,
        .queues = hoist_arena_array(s->check->scratch, module->queue_count, sizeof(bool)),
        .graphs = hoist_arena_array(s->check->scratch, module->graph_count, sizeof(bool)),
    };
    HOIST_TRY_MEMORY(u.queues && u.graphs);
    use_in_graphs(&u);
    for (size_t i = 0; i < module->program_count; i++) {
        use_in_program(&u, &module->programs[i]);
    }
    report_queues(&u);
    report_graphs(&u);
    return HOIST_OK;
}
