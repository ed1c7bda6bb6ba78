// What `hoist graph` draws of a NEFF: per subgraph its engines, queue sets, variables and
// semaphores as nodes, what passes between them as edges, and the memory of each area. In goes a
// module, out comes a hoist_picture (base/picture.h), which src/picture draws; traffic.c,
// semaphores.c and memory_use.c count what is in it.
#include "formats/neff/neff_picture.h"

#include "base/picture.h"
#include "base/span.h"
#include "formats/neff/stream.h"

typedef struct graph_sender {
    neff_scene scene;
    hoist_picture *picture;
    neff_traffic traffic;
    neff_semaphores semaphores;
    uint32_t *triggers; // arena; by queue set: triggers in all streams
    // Nodes of a subgraph are numbered in the order in which they are added: engines from 0 on,
    // queue sets, variables, perhaps an unknown one, semaphores, queue sets of the other core.
    size_t queue_node;
    size_t var_node;
    size_t unknown_node;                     // an undeclared variable
    size_t semaphore_nodes[NEFF_SEMAPHORES]; // of those that are used
    size_t *remote_nodes;                    // arena; per queue set of the other core
} graph_sender;

// Counting ----------------------------------------------------------------------------------------

// Records of its stream; 0 without one.
static uint64_t instructions_of(const neff_scene *scene, const neff_engine *engine)
{
    return engine->instr != NEFF_NONE
               ? scene->module->members[engine->instr].bytes.size / NEFF_RECORD_SIZE
               : 0;
}

// Triggers that name no declared set are rule 68's.
static void count_triggers(const neff_scene *scene, const neff_engine *engine, uint32_t *triggers)
{
    for (uint64_t i = 0; i < instructions_of(scene, engine); i++) {
        const uint8_t *const bytes =
            scene->module->members[engine->instr].bytes.data + i * NEFF_RECORD_SIZE;
        const neff_opcode *const row = neff_opcode_find(bytes[0], scene->generation);
        size_t queue = 0;
        if (!row || row->form != NEFF_FORM_TRIGGER) {
            continue;
        }
        const neff_record record = neff_record_decode(bytes, scene->generation);
        if (hoist_map_find(&scene->subgraph->queue_names, neff_trigger_of(&record).queue, &queue)) {
            triggers[queue]++;
        }
    }
}

// All that is counted, before the first node: nodes state sums.
static hoist_status read_scene(graph_sender *s)
{
    const neff_scene *const scene = &s->scene;
    const neff_subgraph *const subgraph = scene->subgraph;
    const size_t remote = scene->peer ? scene->peer->queue_count : 0; // 0: there is no other core
    s->triggers = hoist_arena_array(scene->arena, subgraph->queue_count, sizeof(*s->triggers));
    s->remote_nodes = hoist_arena_array(scene->arena, remote, sizeof(*s->remote_nodes));
    HOIST_TRY_MEMORY(s->triggers && s->remote_nodes);
    HOIST_TRY( // flows by queue set: an edge goes through one
        neff_traffic_read(subgraph, true, scene->module->base.alloc, scene->arena, &s->traffic));
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        count_triggers(scene, &subgraph->engines[e], s->triggers);
    }
    return neff_semaphores_read(scene, &s->semaphores);
}

// Nodes -------------------------------------------------------------------------------------------

// Five engines, also those without instructions, so that node numbers are fixed.
static void send_engines(graph_sender *s)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const hoist_picture_node node = {.kind = HOIST_PICTURE_ENGINE,
                                         .name = hoist_str_from(neff_engines[e].key),
                                         .title = neff_engines[e].title};
        (void)hoist_picture_add_node(s->picture, &node);
        hoist_picture_uint(s->picture, "instructions",
                           instructions_of(&s->scene, &s->scene.subgraph->engines[e]),
                           HOIST_PICTURE_COUNT);
    }
}

// A queue set; one of the other core is `is_foreign`, and without counts, which are in its own
// graph.
static size_t send_queue(graph_sender *s, const neff_subgraph *of, uint32_t index)
{
    const neff_queue_set *const queue = &of->queues[index];
    const bool own = of == s->scene.subgraph;
    const hoist_picture_node node = {.kind = HOIST_PICTURE_QUEUE_SET,
                                     .name = queue->name,
                                     .graph = of->name,
                                     .is_foreign = !own};
    const hoist_picture_attr pinned = {.key = "pinned",
                                       .kind = HOIST_TREE_BOOL,
                                       .show = HOIST_PICTURE_VALUE,
                                       .value.boolean = queue->pinned};
    const size_t id = hoist_picture_add_node(s->picture, &node);
    hoist_picture_str(s->picture, "type", queue->type_text, HOIST_PICTURE_VALUE);
    hoist_picture_add_attr(s->picture, &pinned);
    hoist_picture_uint(s->picture, "rings", neff_size(queue->num_queues), HOIST_PICTURE_COUNT);
    hoist_picture_uint(s->picture, "instances", queue->instances.count, HOIST_PICTURE_SOME);
    if (own) {
        const hoist_picture_attr triggers = {.key = "triggers",
                                             .kind = HOIST_TREE_UINT,
                                             .show = HOIST_PICTURE_COUNT,
                                             .starts_line = true,
                                             // On a line of its own in drawn nodes.
                                             .value.uinteger = s->triggers[index]};
        hoist_picture_add_attr(s->picture, &triggers);
        hoist_picture_uint(s->picture, "blocks", s->traffic.queues[index].moved.blocks,
                           HOIST_PICTURE_COUNT);
    }
    return id;
}

// Variables, and one for all that are undeclared, when a flow has such an end.
static void send_vars(graph_sender *s)
{
    bool unknown = false;
    for (uint32_t i = 0; i < s->scene.subgraph->var_count; i++) {
        const hoist_picture_node node = {.kind = HOIST_PICTURE_VARIABLE,
                                         .name = s->scene.subgraph->vars[i].name};
        const hoist_str area =
            s->scene.subgraph->vars[i].fabric < 0
                ? (hoist_str){NULL, 0}
                : hoist_str_from(neff_fabrics.names[s->scene.subgraph->vars[i].fabric]);
        (void)hoist_picture_add_node(s->picture, &node);
        hoist_picture_str(s->picture, "type", s->scene.subgraph->vars[i].type_text,
                          HOIST_PICTURE_HIDDEN);
        hoist_picture_str(s->picture, "area", area, HOIST_PICTURE_HIDDEN);
        if (neff_has(&neff_var_table, s->scene.subgraph->vars[i].present, "size")) {
            hoist_picture_bytes(s->picture, "size_bytes",
                                neff_size(s->scene.subgraph->vars[i].size), HOIST_PICTURE_HIDDEN);
        } else {
            hoist_picture_null(s->picture, "size_bytes", HOIST_PICTURE_HIDDEN);
        }
    }
    s->var_node = s->queue_node + s->scene.subgraph->queue_count; // queue sets come right before
    for (uint32_t i = 0; i < s->traffic.flow_count; i++) {
        const neff_flow *const flow = s->traffic.flows[i];
        unknown = unknown || flow->from == NEFF_NONE || flow->to == NEFF_NONE;
    }
    if (unknown) {
        const hoist_picture_node node = {.kind = HOIST_PICTURE_UNKNOWN, .name = HOIST_STR("?")};
        s->unknown_node = hoist_picture_add_node(s->picture, &node);
    }
}

static void send_semaphores(graph_sender *s)
{
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        if (neff_semaphore_in(&s->semaphores.used, i)) {
            // As instructions have it.
            const hoist_str name = hoist_arena_format(&s->picture->arena, "$S[%d]", i);
            const hoist_picture_node node = {.kind = HOIST_PICTURE_SEMAPHORE, .name = name};
            s->picture->failed = s->picture->failed || !name.data;
            s->semaphore_nodes[i] = hoist_picture_add_node(s->picture, &node);
            hoist_picture_uint(s->picture, "number", (uint64_t)i, HOIST_PICTURE_HIDDEN);
        }
    }
}

// Queue sets of the other core are drawn only when they signal this one.
static bool raises_any(const neff_semaphore_set *set)
{
    for (size_t i = 0; i < sizeof(set->bits); i++) {
        if (set->bits[i]) {
            return true;
        }
    }
    return false;
}

// The order fixes the numbers of nodes, which edges use.
static void send_nodes(graph_sender *s)
{
    const neff_subgraph *const peer = s->scene.peer;
    send_engines(s);
    s->queue_node = NEFF_ENGINE_COUNT;
    for (uint32_t i = 0; i < s->scene.subgraph->queue_count; i++) {
        (void)send_queue(s, s->scene.subgraph, i);
    }
    send_vars(s);
    send_semaphores(s);
    for (uint32_t i = 0; peer && i < peer->queue_count; i++) {
        if (raises_any(&s->semaphores.remote[i])) {
            s->remote_nodes[i] = send_queue(s, peer, i);
        }
    }
}

// Edges -------------------------------------------------------------------------------------------

static size_t node_of_var(const graph_sender *s, uint32_t var)
{
    return var == NEFF_NONE ? s->unknown_node : s->var_node + var;
}

// Edges from a node to each semaphore of the set; all of these have nodes, as `used` has them.
static void send_raises(graph_sender *s, const neff_semaphore_set *set, size_t node)
{
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        if (neff_semaphore_in(set, i)) {
            hoist_picture_connect(s->picture, HOIST_PICTURE_RAISES, node, s->semaphore_nodes[i]);
        }
    }
}

// Owner to queue set, variable to variable through a set, sets and engines to semaphores,
// semaphores to engines that wait.
static void send_edges(graph_sender *s)
{
    const neff_subgraph *const subgraph = s->scene.subgraph;
    const neff_subgraph *const peer = s->scene.peer;
    for (uint32_t i = 0; i < subgraph->queue_count; i++) {
        if (subgraph->queues[i].owner >= 0) {
            hoist_picture_connect(s->picture, HOIST_PICTURE_OWNS, (size_t)subgraph->queues[i].owner,
                                  s->queue_node + i);
        }
    }
    for (uint32_t i = 0; i < s->traffic.flow_count; i++) {
        const hoist_picture_edge edge = {.kind = HOIST_PICTURE_MOVES,
                                         .from = node_of_var(s, s->traffic.flows[i]->from),
                                         .to = node_of_var(s, s->traffic.flows[i]->to),
                                         // A block on an undeclared set.
                                         .via = s->traffic.flows[i]->queue == NEFF_NONE
                                                    ? HOIST_PICTURE_NONE
                                                    : s->queue_node + s->traffic.flows[i]->queue,
                                         .number = s->traffic.flows[i]->descs,
                                         .bytes = s->traffic.flows[i]->bytes};
        hoist_picture_add_edge(s->picture, &edge);
    }
    for (uint32_t i = 0; i < subgraph->queue_count; i++) {
        send_raises(s, &s->semaphores.queues[i], s->queue_node + i);
    }
    for (uint32_t i = 0; peer && i < peer->queue_count; i++) {
        send_raises(s, &s->semaphores.remote[i], s->remote_nodes[i]);
    }
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        // Meaningless when unused: no bit is set then.
        const size_t semaphore = s->semaphore_nodes[i];
        for (size_t e = 0; e < NEFF_ENGINE_COUNT; e++) {
            if (s->semaphores.raised[i] >> e & 1) {
                hoist_picture_connect(s->picture, HOIST_PICTURE_RAISES, e, semaphore);
            }
            if (s->semaphores.awaited[i] >> e & 1) {
                hoist_picture_connect(s->picture, HOIST_PICTURE_AWAITED, semaphore, e);
            }
        }
    }
}

// Memory ------------------------------------------------------------------------------------------

// A scratchpad into the picture's arena, which outlives the scratch.
static hoist_status copy_pad(const graph_sender *s, const neff_scratchpad *pad,
                             hoist_picture_pad *out)
{
    hoist_picture_range *const slices =
        hoist_arena_array(&s->picture->arena, pad->count, sizeof(*slices));
    *out = (hoist_picture_pad){pad->buffer, pad->extent, pad->sum, slices, pad->count};
    HOIST_TRY_MEMORY(slices);
    for (uint32_t i = 0; i < pad->count; i++) {
        const neff_var *const var = &s->scene.subgraph->vars[pad->vars[i]];
        slices[i] = (hoist_picture_range){.name = var->name,
                                          .start = (uint64_t)var->backing_variable_off,
                                          .size = neff_size(var->size)};
    }
    return HOIST_OK;
}

// One area as bars: uses in the order of neff_use, and its scratchpads with their slices.
static hoist_status send_area(graph_sender *s, int fabric, const neff_area *area,
                              const neff_scratchpad *pads, uint32_t pad_count)
{
    static const hoist_picture_use words[NEFF_USE_COUNT] = {
        [NEFF_USE_TENSORS] = {"tensor_bytes", "tensors", 0},
        [NEFF_USE_CONSTANTS] = {"constant_bytes", "constants", 0},
        [NEFF_USE_BUFFERS] = {"buffer_bytes", "buffers", 0},
        [NEFF_USE_TABLES] = {"table_bytes", "address tables", 0},
        [NEFF_USE_SCRATCHPAD] = {"scratchpad_bytes", "scratchpad", 0},
        [NEFF_USE_OTHER] = {"other_bytes", "other", 0},
    };
    hoist_arena *const arena = &s->picture->arena;
    hoist_picture_use *const uses = hoist_arena_array(arena, NEFF_USE_COUNT, sizeof(*uses));
    hoist_picture_pad *const copies = hoist_arena_array(arena, pad_count, sizeof(*copies));
    hoist_picture_memory memory = {.name = neff_fabrics.names[fabric],
                                   .graph = s->scene.subgraph->name,
                                   // Of the graph that was just ended.
                                   .graph_index = s->picture->graph_count - 1,
                                   .uses = uses,
                                   .has_pads = true,
                                   .pads = copies};
    HOIST_TRY_MEMORY(uses && copies);
    for (int i = NEFF_USE_TENSORS; i < NEFF_USE_COUNT; i++) {
        uses[memory.use_count] = words[i];
        uses[memory.use_count++].bytes = area->bytes[i];
    }
    for (uint32_t i = 0; i < pad_count; i++) {
        if (pads[i].fabric == fabric) {
            HOIST_TRY(copy_pad(s, &pads[i], &copies[memory.pad_count++]));
        }
    }
    hoist_picture_add_memory(s->picture, &memory);
    return HOIST_OK;
}

// After the graph: a memory refers to it by index.
static hoist_status send_memory(graph_sender *s)
{
    const neff_scratchpad *pads = NULL;
    uint32_t count = 0;
    neff_area areas[NEFF_FABRIC_COUNT];
    HOIST_TRY(neff_scratchpads(s->scene.subgraph, s->scene.arena, &pads, &count));
    neff_areas(s->scene.subgraph, pads, count, areas);
    for (int f = 0; f < NEFF_FABRIC_COUNT; f++) {
        if (areas[f].used) {
            HOIST_TRY(send_area(s, f, &areas[f], pads, count));
        }
    }
    return HOIST_OK;
}

static hoist_status send_graph(graph_sender *s)
{
    const hoist_picture_graph graph = {.title = "subgraph", .name = s->scene.subgraph->name};
    HOIST_TRY(read_scene(s));
    hoist_picture_begin_graph(s->picture, &graph);
    send_nodes(s);
    send_edges(s);
    HOIST_TRY(hoist_picture_status(s->picture));
    hoist_picture_end_graph(s->picture);
    return send_memory(s);
}

// With two subgraphs each is the other's peer: the cores of one logical core.
hoist_status neff_picture(const hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag, hoist_picture *picture)
{
    (void)diag;
    const neff_module *const m = neff_of(module);
    bool given = false;
    hoist_arena arena;
    hoist_status status = HOIST_OK;
    graph_sender s = {.scene = {.module = m,
                                .generation = neff_generation_for(m, options, &given),
                                .arena = &arena},
                      .picture = picture};
    hoist_arena_init(&arena, module->alloc);
    for (uint32_t i = 0; i < m->subgraph_count && status == HOIST_OK; i++) {
        s.scene.subgraph = &m->subgraphs[i];
        s.scene.peer = m->subgraph_count == 2 ? &m->subgraphs[1 - i] : NULL;
        status = send_graph(&s);
    }
    hoist_arena_deinit(&arena);
    return status == HOIST_OK ? hoist_picture_status(picture) : status;
}
