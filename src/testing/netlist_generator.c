#include "testing/netlist_generator.h"

#include <stdlib.h>

#include "base/span.h"
#include "testing/generator_state.h"

static const gen_arch archs[] = {
    {"grayskull", 8, 32, 32, .float32 = false, .stacks_in_l1 = false},
    {"wormhole", 6, 32, 32, .float32 = false, .stacks_in_l1 = true},
    {"wormhole_b0", 6, 32, 32, .float32 = true, .stacks_in_l1 = true},
    {"blackhole", 8, 64, 64, .float32 = true, .stacks_in_l1 = true},
};

static const gen_formats formats[] = {
    {true, "Float16_b", "Bfp8_b", "Bfp4_b"},
    {false, "Float16", "Bfp8", "Bfp4"},
};

enum { LOOP_TURNS = 3 };

// A graph of a program, until its execute is written.
typedef struct made_graph {
    hoist_str name;
    gen_use *uses;
    struct made_graph *next;
} made_graph;

// How a program repeats its graphs and spells its pointers.
typedef struct program_style {
    const char *loop; // count of the loop: "" for none, else a param, a variable or a number
    bool is_nested;   // within a loop of 2
    bool is_static;
    bool is_shared; // queues of equal size share theirs
} program_style;

static void write_devices(generator *g)
{
    hoist_text_node *devices =
        hoist_text_add(g->arena, g->root, HOIST_TEXT_MAP, HOIST_STR("devices"));
    if (gen_chance(g, 60)) {
        hoist_text_set(g->arena, devices, "arch", "%s", g->arch->name);
    } else {
        const char *const other = archs[gen_pick(g, HOIST_COUNT_OF(archs))].name;
        hoist_text_set(g->arena, devices, "arch", "[%s, %s]", g->arch->name, other);
    }
}

// Every result that no op reads goes to a queue, some of the others too. Later graphs may read it.
static void add_outputs(generator *g, bool more_graphs)
{
    for (gen_source *op = g->ops.first; op; op = op->next) {
        if (op->sealed || (op->readers > 0 && !gen_chance(g, 20))) {
            continue;
        }
        gen_source *queue = gen_output(g, op);
        if (more_graphs && !queue->sealed) {
            queue->next = g->program_queues.first;
            g->program_queues.first = queue;
            g->program_queues.count++;
        }
    }
}

static made_graph *make_graph(generator *g, const hoist_netlist_options *options, hoist_str name,
                              bool more_graphs)
{
    made_graph *made = hoist_arena_alloc(g->arena, sizeof(*made));
    if (!made) {
        abort();
    }
    g->ops = (gen_sources){NULL, 0};
    g->uses = NULL;
    for (size_t i = 0; i < (size_t)GEN_ROWS * GEN_COLUMNS; i++) {
        g->taken[i / GEN_COLUMNS][i % GEN_COLUMNS] = false;
    }
    g->graph = hoist_text_add(g->arena, g->graphs, HOIST_TEXT_MAP, name);
    hoist_text_set(g->arena, g->graph, "target_device", "%zu", g->device);
    hoist_text_set(g->arena, g->graph, "input_count", "%zu", g->input_count);
    const size_t ops = options->ops ? options->ops : 1 + gen_pick(g, 8);
    for (size_t i = 0; i < ops && gen_op(g); i++) {
    }
    add_outputs(g, more_graphs);
    *made = (made_graph){name, g->uses, NULL};
    return made;
}

// Programs --------------------------------------------------------------------------------------

static hoist_str pointer_name(generator *g, const program_style *style, char which,
                              const gen_source *queue)
{
    // A dynamic queue starts anew in each program, whatever its neighbours do.
    return style->is_shared && !queue->is_dynamic
               ? gen_text(g, "$%cptr_%zu", which, queue->entries)
               : gen_text(g, "$%cptr_%s", which, queue->name.data);
}

static void add_instr(generator *g, hoist_text_node *program, const char *key, hoist_str value)
{
    hoist_text_node *item = hoist_text_add(g->arena, program, HOIST_TEXT_MAP, HOIST_STR(""));
    hoist_text_set(g->arena, item, key, "%s", value.data);
}

static void add_word(generator *g, hoist_text_node *program, const char *word)
{
    hoist_text_add(g->arena, program, HOIST_TEXT_SCALAR, HOIST_STR(""))->value =
        hoist_str_from(word);
}

static void write_setting(generator *g, hoist_text_node *settings, const program_style *style,
                          const gen_source *queue)
{
    const bool streamed = !queue->is_ram;
    hoist_text_node *node = hoist_text_add(g->arena, settings, HOIST_TEXT_FLOW_MAP, queue->name);
    hoist_text_set(g->arena, node, "prologue", streamed ? "false" : "true");
    hoist_text_set(g->arena, node, "epilogue", queue->is_gradient ? "true" : "false");
    hoist_text_set(g->arena, node, "zero", queue->is_gradient ? "true" : "false");
    if (streamed) {
        hoist_text_set(g->arena, node, "rd_ptr_local", "%s",
                       pointer_name(g, style, 'l', queue).data);
        hoist_text_set(g->arena, node, "rd_ptr_global", "%s",
                       pointer_name(g, style, 'g', queue).data);
    } else {
        hoist_text_set(g->arena, node, "rd_ptr_global", "0");
        hoist_text_set(g->arena, node, "wr_ptr_global", "0");
    }
}

static void write_execute(generator *g, hoist_text_node *program, const program_style *style,
                          const made_graph *graph)
{
    hoist_text_node *item = hoist_text_add(g->arena, program, HOIST_TEXT_MAP, HOIST_STR(""));
    hoist_text_node *execute = hoist_text_add(g->arena, item, HOIST_TEXT_MAP, HOIST_STR("execute"));
    hoist_text_set(g->arena, execute, "graph_name", "%s", graph->name.data);
    hoist_text_node *settings =
        hoist_text_add(g->arena, execute, HOIST_TEXT_MAP, HOIST_STR("queue_settings"));
    for (const gen_use *use = graph->uses; use; use = use->next) {
        write_setting(g, settings, style, use->queue);
    }
}

// True for one queue of each pair of pointers: of those that share a name the last one made.
static bool is_stepped(const generator *g, const program_style *style, const gen_source *queue)
{
    if (queue->readers == 0) {
        return false;
    }
    for (const gen_source *s = g->program_queues.first; s != queue; s = s->next) {
        if (style->is_shared && s->readers > 0 && s->entries == queue->entries && !s->is_dynamic &&
            !queue->is_dynamic) {
            return false;
        }
    }
    return true;
}

// The declarations "$a: 0, $b: 0" of static or of local pointers.
static hoist_str declarations(generator *g, const program_style *style, bool statics)
{
    hoist_str text = HOIST_STR("");
    for (const gen_source *queue = g->program_queues.first; queue; queue = queue->next) {
        const bool is_static = style->is_static && !queue->is_dynamic;
        if (is_static == statics && is_stepped(g, style, queue)) {
            text = gen_text(g, "%s%s%s: 0, %s: 0", text.data, text.size ? ", " : "",
                            pointer_name(g, style, 'l', queue).data,
                            pointer_name(g, style, 'g', queue).data);
        }
    }
    return text;
}

static void declare(generator *g, hoist_text_node *program, const program_style *style)
{
    const hoist_str statics = declarations(g, style, true);
    const hoist_str locals = declarations(g, style, false);
    if (statics.size) {
        add_instr(g, program, "staticvar", gen_text(g, "{%s}", statics.data));
    }
    if (locals.size) {
        add_instr(g, program, "var", gen_text(g, "{%s}", locals.data));
    }
}

static void step_pointers(generator *g, hoist_text_node *program, const program_style *style)
{
    for (const gen_source *queue = g->program_queues.first; queue; queue = queue->next) {
        for (size_t i = 0; i < 2 && is_stepped(g, style, queue); i++) {
            const hoist_str name = pointer_name(g, style, "gl"[i], queue);
            add_instr(g, program, "varinst",
                      gen_text(g, "[%s, incwrap, %zu, %zu]", name.data, g->input_count,
                               2 * queue->entries));
        }
    }
}

// Queues between graphs that live for the program only: "[a, b]", or "" for none.
static hoist_str choose_dynamic(generator *g)
{
    hoist_str names = HOIST_STR("");
    for (gen_source *queue = g->program_queues.first; queue; queue = queue->next) {
        const hoist_text_node *input = hoist_text_find(queue->node, "input");
        if (queue->readers > 0 && !hoist_str_equal_c(input->value, "HOST") && gen_chance(g, 30)) {
            queue->is_dynamic = true;
            names = gen_text(g, "%s%s%s", names.data, names.size ? ", " : "", queue->name.data);
        }
    }
    return names.size ? gen_text(g, "[%s]", names.data) : names;
}

static program_style choose_style(generator *g)
{
    static const char *const counts[] = {"", "$p_loop_count", "$turns", "3"};
    program_style style = {.loop = counts[gen_pick(g, HOIST_COUNT_OF(counts))]};
    style.is_nested = style.loop[0] && gen_chance(g, 20);
    style.is_static = gen_chance(g, 60);
    style.is_shared = gen_chance(g, 40);
    g->turns = (style.loop[0] ? (size_t)LOOP_TURNS : 1u) * (style.is_nested ? 2u : 1u);
    return style;
}

// What the loop counts with. A param is unknown, so that queues have space for LOOP_TURNS only.
static void declare_loop(generator *g, hoist_text_node *program, const char *loop)
{
    if (hoist_str_starts_with(hoist_str_from(loop), "$p_")) {
        add_instr(g, program, "param", gen_text(g, "[%s]", loop));
    } else if (loop[0] == '$') {
        const size_t turns = 1 + gen_pick(g, LOOP_TURNS);
        add_instr(g, program, "var", gen_text(g, "{%s: %zu}", loop, turns));
    }
}

static void write_program(generator *g, hoist_text_node *program, const program_style *style,
                          const made_graph *graphs)
{
    const size_t loops = (style->loop[0] ? 1u : 0u) + (style->is_nested ? 1u : 0u);
    declare_loop(g, program, style->loop);
    const hoist_str dynamic = choose_dynamic(g);
    declare(g, program, style);
    if (dynamic.size) {
        add_instr(g, program, "allocate_queue", dynamic);
    }
    if (style->loop[0]) {
        add_instr(g, program, "loop", hoist_str_from(style->loop));
    }
    if (style->is_nested) {
        add_instr(g, program, "loop", HOIST_STR("2"));
    }
    for (const made_graph *graph = graphs; graph; graph = graph->next) {
        write_execute(g, program, style, graph);
    }
    step_pointers(g, program, style);
    for (size_t i = 0; i < loops; i++) {
        add_word(g, program, "endloop");
    }
    if (dynamic.size) {
        add_instr(g, program, "deallocate_queue", dynamic);
    }
}

// A program with graphs of its own, all on one device.
static void make_program(generator *g, const hoist_netlist_options *options,
                         hoist_text_node *programs, size_t number)
{
    const size_t graphs = options->graphs ? options->graphs : 1 + gen_pick(g, 3);
    made_graph *first = NULL;
    made_graph **last = &first;
    const program_style style = choose_style(g);
    g->device = number % g->devices;
    g->program_queues = (gen_sources){NULL, 0};
    for (size_t i = 0; i < graphs; i++) {
        *last = make_graph(g, options, gen_text(g, "g%zu_%zu", number, i), i + 1 < graphs);
        last = &(*last)->next;
    }
    hoist_text_node *item = hoist_text_add(g->arena, programs, HOIST_TEXT_MAP, HOIST_STR(""));
    hoist_text_node *program =
        hoist_text_add(g->arena, item, HOIST_TEXT_LIST, gen_text(g, "run%zu", number));
    write_program(g, program, &style, first);
}

hoist_text_node *hoist_netlist_generate(hoist_arena *arena, const hoist_netlist_options *options)
{
    generator g = {.arena = arena, .random = options->seed, .root = hoist_text_root(arena)};
    g.arch = &archs[gen_pick(&g, HOIST_COUNT_OF(archs))];
    g.formats = &formats[gen_pick(&g, HOIST_COUNT_OF(formats))];
    g.devices = 1 + gen_pick(&g, GEN_DEVICES);
    g.input_count = 1 + gen_pick(&g, 3);
    for (size_t i = 0; i < (size_t)GEN_DEVICES * GEN_CHANNELS; i++) {
        g.dram[i / GEN_CHANNELS][i % GEN_CHANNELS] = 0x10000000;
    }
    write_devices(&g);
    g.queues = hoist_text_add(arena, g.root, HOIST_TEXT_MAP, HOIST_STR("queues"));
    g.graphs = hoist_text_add(arena, g.root, HOIST_TEXT_MAP, HOIST_STR("graphs"));
    hoist_text_node *programs =
        hoist_text_add(arena, g.root, HOIST_TEXT_LIST, HOIST_STR("programs"));
    const size_t count = options->programs ? options->programs : 1 + gen_pick(&g, 3);
    for (size_t i = 0; i < count; i++) {
        make_program(&g, options, programs, i);
    }
    return g.root;
}
