// The flow of data through a graph: one block per step, in the order of dependencies.
//
//      1       input --+--> a matmul_1 --+--> b gelu_1
//            weights --'                 '--> result
//
// The number is the step's layer: one more than that of the deepest step of the graph it reads.
#include "base/span.h"
#include "picture/draw.h"

enum {
    LAYER_WIDTH = 5,
    ARROW_WIDTH = 7, // " --+-->"
    SPACES = 2,      // one after each arrow
};

typedef struct flow {
    const hoist_drawing *d;
    const hoist_picture_graph *graph;
    hoist_picture_index inputs; // edges by the step that reads
    hoist_picture_index readers;
    hoist_picture_index writes;
    size_t input_width; // columns of the widest label of inputs; the same below
    size_t step_width;
    size_t output_width;
} flow;

// Cells ------------------------------------------------------------------------------------------

// For the index of edges by the step that writes.
static size_t writer(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_WRITES ? edge->from : HOIST_PICTURE_NONE;
}

// "a matmul_1" for a step of this graph, else the plain name.
static hoist_str label_of(const flow *f, size_t node)
{
    const hoist_str name = f->graph->nodes[node].name;
    const bool is_lost = f->graph->nodes[node].kind == HOIST_PICTURE_UNKNOWN;
    if (node >= f->graph->step_count && !is_lost) {
        return name;
    }
    const hoist_str made =
        is_lost ? hoist_arena_format(f->d->arena, "%.*s (unknown)", HOIST_STR_ARGS(name))
                : hoist_arena_format(f->d->arena, "%s %.*s", hoist_draw_tag(node).text,
                                     HOIST_STR_ARGS(name));
    f->d->out->failed = f->d->out->failed || !made.data;
    return made;
}

// The label of what a step reads, by the number of the input, and how many labels its right side
// has.
static hoist_str input_label(const flow *f, size_t step, size_t input)
{
    return label_of(f, f->graph->edges[f->inputs.edges[f->inputs.first[step] + input]].from);
}

static size_t output_count(const flow *f, size_t step)
{
    return hoist_picture_edges_of(&f->readers, step) + hoist_picture_edges_of(&f->writes, step);
}

// First who reads the step, then what it writes.
static hoist_str output_label(const flow *f, size_t step, size_t output)
{
    const size_t readers = hoist_picture_edges_of(&f->readers, step);
    const size_t edge = output < readers
                            ? f->readers.edges[f->readers.first[step] + output]
                            : f->writes.edges[f->writes.first[step] + output - readers];
    return label_of(f, f->graph->edges[edge].to);
}

// Widths count bytes, as names are drawn a column for each byte.
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
    const size_t space = f->d->width - LAYER_WIDTH - (size_t)2 * ARROW_WIDTH - SPACES;
    size_t cap = space;
    // The cap goes down by one at a time: narrow columns keep what they need, the wide ones get
    // the same.
    while (cap > 1 &&
           least(f->input_width, cap) + least(f->step_width, cap) + least(f->output_width, cap) >
               space) {
        cap--;
    }
    f->input_width = least(f->input_width, cap);
    f->step_width = least(f->step_width, cap);
    f->output_width = least(f->output_width, cap);
}

// The longest label of each of the three columns, over all steps.
static void find_widths(flow *f)
{
    for (size_t i = 0; i < f->graph->step_count; i++) {
        f->step_width = wider(f->step_width, label_of(f, i));
        for (size_t k = 0; k < hoist_picture_edges_of(&f->inputs, i); k++) {
            f->input_width = wider(f->input_width, input_label(f, i, k));
        }
        for (size_t k = 0; k < output_count(f, i); k++) {
            f->output_width = wider(f->output_width, output_label(f, i, k));
        }
    }
    share_width(f);
}

// Blocks -----------------------------------------------------------------------------------------

// The lines that gather several inputs into one arrow.
static const char *input_arrow(size_t line, size_t count)
{
    // A step without inputs still has the head of an arrow.
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

// The number is only at the first line of a layer; steps of a cycle have no layer.
static void draw_layer(hoist_buffer *out, size_t layer, bool is_new)
{
    if (is_new && layer > 0) {
        hoist_buffer_format(out, "%*zu ", LAYER_WIDTH - 1, layer);
    } else {
        hoist_buffer_c(out, is_new ? "loop " : "     ");
    }
}

// One line of a block: an input, on the first line the step, and an output.
static void draw_line(const flow *f, size_t step, size_t line)
{
    hoist_buffer *out = f->d->out;
    const size_t inputs = hoist_picture_edges_of(&f->inputs, step);
    const size_t outputs = output_count(f, step);
    const hoist_str none = HOIST_STR("");
    hoist_draw_padded(out, line < inputs ? input_label(f, step, line) : none, f->input_width, true);
    hoist_buffer_c(out, input_arrow(line, inputs));
    hoist_buffer_char(out, ' ');
    hoist_draw_padded(out, line == 0 ? label_of(f, step) : none, f->step_width, false);
    hoist_buffer_c(out, output_arrow(line, outputs));
    if (line < outputs) {
        hoist_buffer_char(out, ' ');
        (void)hoist_draw_name(out, output_label(f, step, line), f->output_width);
    }
    hoist_draw_end_line(out);
}

// As many lines as the longer side has; one for a step that is connected to nothing.
static void draw_block(const flow *f, size_t step, bool new_layer)
{
    const size_t inputs = hoist_picture_edges_of(&f->inputs, step);
    const size_t outputs = output_count(f, step);
    const size_t lines = inputs > outputs ? inputs : outputs;
    for (size_t i = 0; i < lines || i == 0; i++) {
        draw_layer(f->d->out, f->graph->nodes[step].layer, new_layer && i == 0);
        draw_line(f, step, i);
    }
}

hoist_status hoist_draw_flow(const hoist_drawing *d, const hoist_picture_graph *g)
{
    flow f = {.d = d, .graph = g};
    HOIST_TRY(hoist_picture_index_edges(g, hoist_picture_reader, d->arena, &f.inputs));
    HOIST_TRY(hoist_picture_index_edges(g, hoist_picture_read_node, d->arena, &f.readers));
    HOIST_TRY(hoist_picture_index_edges(g, writer, d->arena, &f.writes));
    find_widths(&f);
    hoist_buffer_char(d->out, '\n');
    for (size_t i = 0; i < g->step_count; i++) {
        const size_t layer = g->nodes[g->order[i]].layer;
        draw_block(&f, g->order[i], i == 0 || layer != g->nodes[g->order[i - 1]].layer);
    }
    hoist_buffer_char(d->out, '\n');
    return HOIST_OK;
}
