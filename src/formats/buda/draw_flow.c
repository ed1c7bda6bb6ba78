// The flow of data through a graph: one block per op, in the order of dependencies.
//
//      1       input --+--> a matmul_1 --+--> b gelu_1
//            weights --'                 '--> result
//
// The number is the op's layer: one more than that of the deepest op of the graph it reads.
#include "base/span.h"
#include "formats/buda/draw.h"

enum {
    LAYER_WIDTH = 5,
    ARROW_WIDTH = 7, // " --+-->"
    SPACES = 2,      // one behind each arrow
};

typedef struct flow {
    const buda_drawing *d;
    const buda_net_graph *graph;
    size_t *layers; // per op of the graph; 0: in a cycle
    size_t *order;  // numbers of ops, layer by layer
    size_t input_width;
    size_t op_width;
    size_t output_width;
} flow;

// Order ------------------------------------------------------------------------------------------

static bool is_in_graph(const buda_net_graph *graph, size_t op)
{
    return op >= graph->first_op && op - graph->first_op < graph->op_count;
}

static size_t *count_inputs(const buda_net *net, const buda_net_graph *graph, hoist_arena *arena)
{
    size_t *counts = hoist_arena_array(arena, graph->op_count, sizeof(counts[0]));
    for (size_t i = 0; counts && i < graph->op_count; i++) {
        const buda_net_op *op = &net->ops[graph->first_op + i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            counts[i] +=
                op->inputs[k].kind == BUDA_SOURCE_OP && is_in_graph(graph, op->inputs[k].index);
        }
    }
    return counts;
}

// Lists the ops by waves: those whose inputs are all listed. What remains is a cycle, and goes last
// with layer 0.
hoist_status buda_graph_layers(const buda_net *net, const buda_net_graph *graph, hoist_arena *arena,
                               size_t **out_layers, size_t **out_order)
{
    const size_t total = graph->op_count;
    size_t *missing = count_inputs(net, graph, arena);
    size_t *layers = hoist_arena_array(arena, total, sizeof(layers[0]));
    size_t *order = hoist_arena_array(arena, total, sizeof(order[0]));
    if (!missing || !layers || !order) {
        return HOIST_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < total; i++) {
        if (missing[i] == 0) {
            layers[i] = 1;
            order[count++] = i;
        }
    }
    for (size_t next = 0; next < count; next++) {
        const buda_net_op *op = &net->ops[graph->first_op + order[next]];
        for (size_t k = 0; k < op->out_op_count; k++) {
            const size_t reader = op->out_ops[k] - graph->first_op;
            if (is_in_graph(graph, op->out_ops[k]) && --missing[reader] == 0) {
                layers[reader] = layers[order[next]] + 1;
                order[count++] = reader;
            }
        }
    }
    for (size_t i = 0; i < total; i++) {
        if (layers[i] == 0) {
            order[count++] = i;
        }
    }
    *out_layers = layers;
    *out_order = order;
    return HOIST_OK;
}

// Cells ------------------------------------------------------------------------------------------

// A label that was made, or none: then the drawing has failed.
static hoist_str made(const flow *f, hoist_str label)
{
    f->d->out->failed = f->d->out->failed || !label.data;
    return label;
}

// "a matmul_1" for an op of this graph, else the plain name.
static hoist_str op_label(const flow *f, size_t op)
{
    const hoist_str name = f->d->net->ops[op].name;
    if (!is_in_graph(f->graph, op)) {
        return name;
    }
    const hoist_draw_tag_text tag = hoist_draw_tag(op - f->graph->first_op);
    return made(f, hoist_arena_format(f->d->arena, "%s %.*s", tag.text, HOIST_STR_ARGS(name)));
}

static hoist_str input_label(const flow *f, const buda_net_op *op, size_t input)
{
    const buda_source source = op->inputs[input];
    switch (source.kind) {
    case BUDA_SOURCE_QUEUE:
        return f->d->net->queues[source.index].name;
    case BUDA_SOURCE_OP:
        return op_label(f, source.index);
    case BUDA_SOURCE_NONE:
        break;
    }
    return made(f, hoist_arena_format(f->d->arena, "%.*s (unknown)",
                                      HOIST_STR_ARGS(op->op->inputs.items[input].text)));
}

static size_t output_count(const buda_net_op *op)
{
    return op->out_op_count + op->out_queue_count;
}

static hoist_str output_label(const flow *f, const buda_net_op *op, size_t output)
{
    return output < op->out_op_count
               ? op_label(f, op->out_ops[output])
               : f->d->net->queues[op->out_queues[output - op->out_op_count]].name;
}

static size_t wider(size_t width, hoist_str label)
{
    return label.size > width ? label.size : width;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Columns get what they need; when the line is too short, the wide ones share what is left.
static void share_width(flow *f)
{
    const size_t room = f->d->width - LAYER_WIDTH - (size_t)2 * ARROW_WIDTH - SPACES;
    size_t cap = room;
    while (cap > 1 &&
           least(f->input_width, cap) + least(f->op_width, cap) + least(f->output_width, cap) >
               room) {
        cap--;
    }
    f->input_width = least(f->input_width, cap);
    f->op_width = least(f->op_width, cap);
    f->output_width = least(f->output_width, cap);
}

static void find_widths(flow *f)
{
    for (size_t i = 0; i < f->graph->op_count; i++) {
        const size_t index = f->graph->first_op + i;
        const buda_net_op *op = &f->d->net->ops[index];
        f->op_width = wider(f->op_width, op_label(f, index));
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            f->input_width = wider(f->input_width, input_label(f, op, k));
        }
        for (size_t k = 0; k < output_count(op); k++) {
            f->output_width = wider(f->output_width, output_label(f, op, k));
        }
    }
    share_width(f);
}

// Blocks -----------------------------------------------------------------------------------------

// The lines that gather several inputs into one arrow.
static const char *input_arrow(size_t line, size_t count)
{
    if (line >= count) {
        return line == 0 ? "      >" : "       ";
    }
    if (line == 0) {
        return count == 1 ? " ----->" : " --+-->";
    }
    return line + 1 == count ? " --'   " : " --+   ";
}

// The lines that spread one output.
static const char *output_arrow(size_t line, size_t count)
{
    if (line >= count) {
        return "       ";
    }
    if (line == 0) {
        return count == 1 ? " ----->" : " --+-->";
    }
    return line + 1 == count ? "   '-->" : "   +-->";
}

static void draw_layer(hoist_buffer *out, size_t layer, bool is_new)
{
    if (is_new && layer > 0) {
        hoist_buffer_format(out, "%*zu ", LAYER_WIDTH - 1, layer);
    } else {
        hoist_buffer_c(out, is_new ? "loop " : "     ");
    }
}

static void draw_line(const flow *f, size_t number, size_t line)
{
    hoist_buffer *out = f->d->out;
    const buda_net_op *op = &f->d->net->ops[f->graph->first_op + number];
    const size_t inputs = op->op->inputs.count;
    const hoist_str none = HOIST_STR("");
    hoist_draw_padded(out, line < inputs ? input_label(f, op, line) : none, f->input_width, true);
    hoist_buffer_c(out, input_arrow(line, inputs));
    hoist_buffer_char(out, ' ');
    hoist_draw_padded(out, line == 0 ? op_label(f, f->graph->first_op + number) : none, f->op_width,
                      false);
    hoist_buffer_c(out, output_arrow(line, output_count(op)));
    if (line < output_count(op)) {
        hoist_buffer_char(out, ' ');
        (void)hoist_draw_name(out, output_label(f, op, line), f->output_width);
    }
    while (out->size > 0 && out->data[out->size - 1] == ' ') {
        out->size--;
    }
    hoist_buffer_char(out, '\n');
}

static void draw_block(const flow *f, size_t number, bool new_layer)
{
    const buda_net_op *op = &f->d->net->ops[f->graph->first_op + number];
    const size_t inputs = op->op->inputs.count;
    const size_t outputs = output_count(op);
    const size_t lines = inputs > outputs ? inputs : outputs;
    for (size_t i = 0; i < lines || i == 0; i++) {
        draw_layer(f->d->out, f->layers[number], new_layer && i == 0);
        draw_line(f, number, i);
    }
}

hoist_status buda_draw_flow(const buda_drawing *d, const buda_net_graph *graph)
{
    flow f = {.d = d, .graph = graph};
    HOIST_TRY(buda_graph_layers(d->net, graph, d->arena, &f.layers, &f.order));
    find_widths(&f);
    hoist_buffer_char(d->out, '\n');
    for (size_t i = 0; i < graph->op_count; i++) {
        const size_t layer = f.layers[f.order[i]];
        draw_block(&f, f.order[i], i == 0 || layer != f.layers[f.order[i - 1]]);
    }
    return HOIST_OK;
}
