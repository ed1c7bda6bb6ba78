// What `hoist graph` draws of a model or plan: a node for each operator that is executed, one for
// each input and output (flow.h), and edges from the last writers of the bytes that an operator
// reads; of plans the processors of each operator; and the memory of the rank. The last writers
// are followed piece by piece of memory (pieces.h), not by tensors: two views of one buffer have
// an edge where their bytes meet.
#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/picture.h"
#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/flow.h"
#include "formats/ark/graph_internal.h"
#include "formats/ark/op_cost.h"
#include "formats/ark/ops_table.h"

static const size_t NONE = HOIST_PICTURE_NONE;

typedef struct painter {
    const ark_module *module;
    ark_graph graph;
    ark_effects effects;
    ark_pieces pieces;
    ark_flow flow;
    hoist_arena *arena; // scratch
    hoist_picture *picture;
    size_t *nodes;         // by step; NONE: it is not drawn
    size_t *inputs;        // by memory: the node of its need; NONE
    size_t *writers;       // by piece: the node that wrote it last; NONE
    uint32_t *seen;        // by node: 1 + the node to which it has an edge
    hoist_str *processors; // by task of a plan; data NULL: none
} painter;

// Views and declarations compute nothing: no node stands for them.
static bool is_drawn(const ark_step *step)
{
    const ark_op_def *const def = ark_op_def_of((int)step->type);
    return !def || def->class != ARK_CLASS_VIRTUAL;
}

// Processors of plans ----------------------------------------------------------------------------

// "0-107", of the last one "0-63, 64-107"; longer lists end in three dots. Groups that give a task
// the same range one after the other name it once. Nothing is added to a list that is longer than
// LONGEST.
static void add_processors(painter *p, size_t task, const hoist_rec_ints *range)
{
    enum { LONGEST = 24 };
    hoist_arena *const arena = &p->picture->arena;
    const hoist_str before = p->processors[task];
    char text[64];
    if (range->count < 2 || range->items[0].value >= range->items[1].value ||
        before.size > LONGEST) {
        return;
    }
    (void)snprintf(text, sizeof(text), "%" PRId64 "-%" PRId64, range->items[0].value,
                   range->items[1].value - 1);
    const hoist_str one = hoist_str_from(text);
    size_t last = before.size; // where the list's last range begins
    while (last > 0 && before.data[last - 1] != ' ') {
        last--;
    }
    if (before.size && hoist_str_equal(hoist_str_slice(before, last, before.size - last), one)) {
        return; // another part of the same task
    }
    p->processors[task] = before.size
                              ? hoist_arena_format(arena, "%.*s, %s", HOIST_STR_ARGS(before),
                                                   before.size + one.size > LONGEST ? "..." : text)
                              : hoist_arena_str(arena, one);
    p->picture->failed = p->picture->failed || !p->processors[task].data;
}

// By the Ids of tasks: of two with one Id (P04) the first has it. Groups whose task does not exist
// add nothing.
static hoist_status add_groups(painter *p, hoist_map *tasks)
{
    const ark_module *const m = p->module;
    for (size_t i = 0; i < m->tasks.count; i++) {
        if (hoist_map_add(tasks, ark_id_key(&m->tasks.items[i].id.value), i, NULL) ==
            HOIST_NO_MEMORY) {
            return HOIST_NO_MEMORY;
        }
    }
    for (size_t i = 0; i < m->groups.count; i++) {
        const ark_processor_group *const group = &m->groups.items[i];
        HOIST_TRY(hoist_deadline_look(m->base.deadline));
        for (size_t k = 0; k < group->groups.count; k++) {
            const ark_resource_group *const resource = &group->groups.items[k];
            for (size_t n = 0; n < resource->groups.count; n++) {
                size_t task = 0;
                if (hoist_map_find(tasks, ark_id_key(&resource->groups.items[n].task.value),
                                   &task)) {
                    add_processors(p, task, &resource->processors);
                }
            }
        }
    }
    return HOIST_OK;
}

static hoist_status find_processors(painter *p)
{
    hoist_map tasks;
    // By index in the file, as `owner` of steps.
    p->processors = hoist_arena_array(p->arena, p->module->tasks.count, sizeof(*p->processors));
    HOIST_TRY_MEMORY(p->processors);
    hoist_map_init(&tasks, p->module->base.alloc);
    const hoist_status status = add_groups(p, &tasks);
    hoist_map_deinit(&tasks);
    return status;
}

// Nodes ------------------------------------------------------------------------------------------

// Type, shape and bytes of a tensor; ARK_NONE: there is none. The bytes are those of the elements,
// without padding or gaps.
static void send_tensor(const painter *p, uint32_t index)
{
    const ark_value *const value = index == ARK_NONE ? NULL : &p->graph.values[index];
    hoist_picture *const picture = p->picture;
    uint64_t bytes = 0;
    hoist_picture_str(picture, "type", value ? value->row->dtype.text : (hoist_str){NULL, 0},
                      HOIST_PICTURE_EXTRA);
    hoist_picture_list(picture, "shape", value ? value->shape : NULL,
                       value ? (size_t)value->rank : 0, HOIST_PICTURE_COLUMN);
    if (value && !hoist_ckd_mul(&bytes, value->count, (uint64_t)value->stride[value->rank - 1])) {
        hoist_picture_bytes(picture, "size_bytes", bytes, HOIST_PICTURE_EXTRA);
    } else {
        hoist_picture_null(picture, "size_bytes", HOIST_PICTURE_EXTRA);
    }
}

// The tensor that people see: what the operator writes, else what it reads. A step that breaks a
// rule has none: its operands are not known.
static uint32_t shown_tensor(const ark_step *step)
{
    if (!step->valid) {
        return ARK_NONE;
    }
    return step->writes.count  ? step->writes.items[0]
           : step->reads.count ? step->reads.items[0]
                               : ARK_NONE;
}

// A model names the object of the node, "Nodes/3/Op", for links into the file; an operator of a
// plan has no node.
static void send_step(painter *p, uint32_t index)
{
    const ark_step *const step = &p->graph.steps[index];
    const hoist_str name = step->op->name.text;
    const ark_cost cost = ark_step_cost(&p->graph, &p->effects, index);
    const hoist_str object =
        p->module->is_plan ? HOIST_STR("")
                           : hoist_arena_format(&p->picture->arena, "Nodes/%u/Op", step->owner);
    const hoist_picture_node node = {.kind = HOIST_PICTURE_OPERATOR,
                                     .name = name.size ? name : step->op->type.text,
                                     .object = object,
                                     .sort = step->op->type.text};
    p->picture->failed = p->picture->failed || !object.data;
    p->nodes[index] = hoist_picture_add_node(p->picture, &node);
    hoist_picture_str(p->picture, "operator", step->op->type.text, HOIST_PICTURE_COLUMN);
    send_tensor(p, shown_tensor(step));
    if (p->module->is_plan) {
        hoist_picture_str(p->picture, "processors", p->processors[step->owner],
                          HOIST_PICTURE_COLUMN);
    }
    hoist_picture_uint(p->picture, "flops", cost.flops, HOIST_PICTURE_HIDDEN);
}

// A node that stands for data: a tensor that the run needs, or leaves. Out: the node's index.
static size_t send_place(const painter *p, uint32_t value, const char *usage)
{
    const ark_value *const v = &p->graph.values[value];
    const hoist_str name = hoist_arena_format(&p->picture->arena, "tensor %" PRId64, v->id);
    const hoist_picture_node node = {.kind = HOIST_PICTURE_TENSOR, .name = name};
    const size_t id = hoist_picture_add_node(p->picture, &node);
    const hoist_picture_attr buffer = {.key = "buffer",
                                       .kind = HOIST_TREE_INT,
                                       .show = HOIST_PICTURE_HIDDEN,
                                       .value.integer = p->graph.memories[v->memory].id};
    p->picture->failed = p->picture->failed || !name.data;
    hoist_picture_str(p->picture, "usage", hoist_str_from(usage), HOIST_PICTURE_HIDDEN);
    hoist_picture_add_attr(p->picture, &buffer);
    send_tensor(p, value);
    return id;
}

// Edges ------------------------------------------------------------------------------------------

// Edge number k is operand k. Two pieces of an operand from one writer are one edge: `seen` has
// the mark of the reader. An operator that reads what it wrote has no edge to itself.
static void connect(painter *p, size_t from, size_t to, uint32_t operand)
{
    const hoist_picture_edge edge = {
        .kind = HOIST_PICTURE_READS, .from = from, .to = to, .number = operand};
    const uint32_t mark = (uint32_t)to + 1;
    if (from == NONE || from == to || p->seen[from] == mark) {
        return;
    }
    p->seen[from] = mark;
    hoist_picture_add_edge(p->picture, &edge);
}

// From the last writers of its bytes, and from the input for those that nothing has written;
// tensors that are not local, and those that nothing touches, come from what results in them.
static void connect_read(painter *p, uint32_t step, uint32_t operand)
{
    const uint32_t value = p->graph.steps[step].reads.items[operand];
    const ark_operands pieces = p->pieces.of[value];
    const uint32_t producer = p->graph.values[value].producer;
    for (uint32_t i = 0; i < pieces.count; i++) {
        const size_t writer = p->writers[pieces.items[i]];
        connect(p, writer == NONE ? p->inputs[p->graph.values[value].memory] : writer,
                p->nodes[step], operand);
    }
    if (pieces.count == 0 && producer != ARK_NONE) {
        connect(p, p->nodes[producer], p->nodes[step], operand);
    }
}

// Reads come before writes, so an operator that works in place gets its edge from the writer
// before.
static hoist_status send_edges(painter *p)
{
    for (uint32_t i = 0; i < p->graph.step_count; i++) {
        const ark_step *const step = &p->graph.steps[i];
        HOIST_TRY(hoist_deadline_look(p->module->base.deadline));
        for (uint32_t k = 0; step->valid && p->nodes[i] != NONE && k < step->reads.count; k++) {
            connect_read(p, i, k);
        }
        for (uint32_t k = p->effects.first[i]; k < p->effects.first[i + 1]; k++) {
            const ark_effect *const effect = &p->effects.items[k];
            const ark_operands pieces = p->pieces.of[effect->value];
            for (uint32_t n = 0; effect->kind == ARK_EFFECT_WRITE && n < pieces.count; n++) {
                p->writers[pieces.items[n]] = p->nodes[i];
            }
        }
    }
    return HOIST_OK;
}

// ------------------------------------------------------------------------------------------------

// Steps first, in order, then inputs, edges and outputs; indices of nodes follow from that.
static hoist_status send_graph(painter *p)
{
    hoist_picture *const picture = p->picture;
    const hoist_str name = hoist_arena_format(&picture->arena, "%" PRId64, p->module->rank.value);
    const hoist_picture_graph graph = {.title = "rank", .name = name, .is_list = true};
    uint64_t count = 0;
    picture->failed = picture->failed || !name.data;
    for (uint32_t i = 0; i < p->graph.step_count; i++) {
        count += is_drawn(&p->graph.steps[i]);
    }
    hoist_picture_begin_graph(picture, &graph);
    hoist_picture_uint(picture, "operator_count", count, HOIST_PICTURE_COUNT);
    hoist_picture_uint(picture, "virtual_operator_count", p->graph.step_count - count,
                       HOIST_PICTURE_SOME);
    for (uint32_t i = 0; i < p->graph.step_count; i++) {
        p->nodes[i] = NONE;
        if (is_drawn(&p->graph.steps[i])) {
            send_step(p, i);
        }
    }
    for (uint32_t i = 0; i < p->flow.need_count; i++) {
        const ark_need *const need = &p->flow.needs[i];
        p->inputs[need->memory] = send_place(p, need->value, "input");
    }
    HOIST_TRY(send_edges(p));
    for (uint32_t i = 0; i < p->flow.result_count; i++) {
        const ark_result *const result = &p->flow.results[i];
        hoist_picture_connect(picture, HOIST_PICTURE_WRITES, p->nodes[result->step],
                              send_place(p, result->value, "output"));
    }
    HOIST_TRY(hoist_picture_status(picture));
    hoist_picture_end_graph(picture);
    return hoist_picture_status(picture);
}

// Buffers of this rank, by what a run does with them. A buffer that is an input and an output
// counts as an input, so that the sums are of all memory.
static hoist_status send_memory(const painter *p)
{
    enum { INPUTS, OUTPUTS, OTHERS, USES };
    hoist_picture_use *const uses = hoist_arena_array(&p->picture->arena, USES, sizeof(*uses));
    bool *const is_output = hoist_arena_array(p->arena, p->graph.memory_count, sizeof(*is_output));
    HOIST_TRY_MEMORY(uses && is_output);
    uses[INPUTS] = (hoist_picture_use){"input_bytes", "inputs, state", 0};
    uses[OUTPUTS] = (hoist_picture_use){"output_bytes", "outputs", 0};
    uses[OTHERS] = (hoist_picture_use){"other_bytes", "others", 0};
    for (uint32_t i = 0; i < p->flow.result_count; i++) {
        is_output[p->graph.values[p->flow.results[i].value].memory] = true;
    }
    for (uint32_t i = 0; i < p->graph.memory_count; i++) {
        const ark_memory *const memory = &p->graph.memories[i];
        uint64_t *const sum = &uses[p->inputs[i] != NONE ? INPUTS
                                    : is_output[i]       ? OUTPUTS
                                                         : OTHERS]
                                   .bytes;
        if (memory->local && hoist_ckd_add(sum, *sum, memory->size)) {
            *sum = UINT64_MAX; // too much for a number
        }
    }
    const size_t graph = p->picture->graph_count - 1;
    const hoist_picture_memory memory = {.name = "rank",
                                         .graph = p->picture->graphs[graph].name,
                                         .graph_index = graph,
                                         .uses = uses,
                                         .use_count = USES};
    hoist_picture_add_memory(p->picture, &memory);
    return hoist_picture_status(p->picture);
}

static hoist_status paint(painter *p)
{
    const size_t most = (size_t)p->graph.step_count + p->graph.memory_count;
    HOIST_TRY(ark_effects_find(&p->graph, p->arena, &p->effects));
    HOIST_TRY(ark_pieces_find(&p->graph, &p->effects, p->arena, &p->pieces));
    HOIST_TRY(ark_flow_of_pieces(&p->graph, &p->effects, &p->pieces, p->arena, &p->flow));
    p->nodes = hoist_arena_array(p->arena, p->graph.step_count, sizeof(*p->nodes));
    p->inputs = hoist_arena_array(p->arena, p->graph.memory_count, sizeof(*p->inputs));
    p->writers = hoist_arena_array(p->arena, p->pieces.count, sizeof(*p->writers));
    p->seen = hoist_arena_array(p->arena, most, sizeof(*p->seen));
    HOIST_TRY_MEMORY(p->nodes && p->inputs && p->writers && p->seen);
    for (uint32_t i = 0; i < p->graph.memory_count; i++) {
        p->inputs[i] = NONE;
    }
    for (uint32_t i = 0; i < p->pieces.count; i++) {
        p->writers[i] = NONE;
    }
    if (p->module->is_plan) {
        HOIST_TRY(find_processors(p));
    }
    HOIST_TRY(send_graph(p));
    return send_memory(p);
}

// In: any module, whatever was found in it. The rules have reported its faults: the graph is built
// without `diag`.
hoist_status ark_picture(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_picture *picture)
{
    hoist_arena scratch;
    painter p = {.module = ark_module_of(module), .arena = &scratch, .picture = picture};
    hoist_arena_init(&scratch, module->alloc);
    // What rows refer to lives in the picture's arena, so the graph does, too.
    hoist_status status = ark_graph_build(p.module, &picture->arena, NULL, &p.graph);
    status = status == HOIST_OK ? paint(&p) : status;
    ark_explain_limit(module, status, options, diag);
    hoist_arena_deinit(&scratch);
    return status;
}
