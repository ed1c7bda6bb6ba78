// The flow of data of a picture in the language of Graphviz (draw_markup.h): a cluster for each
// graph, in it a node for each box of flow_graph.h. In: the rows of a picture; out: a digraph.
#include "base/size_text.h"
#include "base/span.h"
#include "picture/draw_markup.h"
#include "picture/xml_text.h"

enum { NAME_MOST = 28, TIP_MOST = 1024 };

// Fill and line of a sort, as svg.c has them.
static const char *const colors[FLOW_COLORS + 1][2] = {
    {"#d6e8f3", "#0072b2"}, {"#fbeccc", "#b87d00"}, {"#cdebe3", "#009e73"}, {"#f5e4ed", "#b05a8c"},
    {"#dff1fb", "#3d94c6"}, {"#f8dfcc", "#d55e00"}, {"#eaeef2", "#6e7781"},
};

// A name from the file, escaped for a string in double quotes.
static void add_name(hoist_buffer *out, hoist_str name, size_t most)
{
    (void)hoist_markup_name(out, HOIST_MARKUP_DOT, name, most);
}

// The attributes for a box's role: colors for steps and items, dashes for what is not known,
// ellipses for places.
static void add_look(hoist_buffer *out, const flow_box *box)
{
    switch (box->role) {
    case HOIST_PICTURE_STEP:
        hoist_buffer_format(out, ", fillcolor=\"%s\", color=\"%s\"", colors[box->color][0],
                            colors[box->color][1]);
        break;
    case HOIST_PICTURE_ITEM:
        hoist_buffer_c(out, ", fillcolor=\"#fcfad6\", color=\"#8f8700\"");
        break;
    case HOIST_PICTURE_LOST:
        hoist_buffer_c(out, ", style=dashed");
        break;
    default:
        hoist_buffer_c(out, ", shape=ellipse, fillcolor=white");
        break;
    }
    // A group has a second frame, as in the other drawings.
    hoist_buffer_c(out, box->is_group ? ", peripheries=2" : "");
}

// A node statement: its identifier has the numbers of graph and box, never text from a file.
static void add_box(hoist_buffer *out, const flow_graph *flow, size_t graph, size_t index)
{
    const flow_box *const box = &flow->boxes[index];
    const hoist_picture_node *const node = &flow->graph->nodes[box->node];
    hoist_buffer_format(out, "    g%zun%zu [label=\"", graph, index);
    add_name(out, box->name, NAME_MOST);
    // The second line of the label: how many nodes a group has, or what sort of step it is.
    if (box->is_group) {
        hoist_buffer_format(out, "\\n%zu %s", box->count,
                            hoist_plural(box->count, "node", "nodes"));
    } else if (node->sort.size && !hoist_str_equal(node->sort, node->name)) {
        hoist_buffer_c(out, "\\n");
        add_name(out, node->sort, NAME_MOST);
    }
    // The label loses the middle of a long name, the tooltip has it.
    hoist_buffer_c(out, "\", tooltip=\"");
    add_name(out, box->name, TIP_MOST);
    hoist_buffer_c(out, "\"");
    add_look(out, box);
    hoist_buffer_c(out, "];\n");
}

// An edge statement, with the bytes that it moves, else with the number of edges that it stands
// for.
static void add_line(hoist_buffer *out, const flow_line *line, size_t graph)
{
    hoist_buffer_format(out, "    g%zun%zu -> g%zun%zu", graph, line->from, graph, line->to);
    if (line->bytes > 0) {
        const hoist_size_text size = hoist_size_text_of(line->bytes);
        hoist_buffer_format(out, " [label=\"%s %s\"]", size.number, size.unit);
    } else if (line->count > 1) {
        hoist_buffer_format(out, " [label=\"%zu\"]", line->count);
    }
    hoist_buffer_c(out, ";\n");
}

// A cluster. Scratch is freed after each graph, so that it is as large as the largest one's.
static hoist_status add_graph(hoist_buffer *out, const hoist_picture_graph *graph, size_t index,
                              const flow_view *view)
{
    hoist_arena arena;
    flow_graph flow;
    hoist_arena_init(&arena, out->alloc);
    hoist_status status = flow_graph_find(graph, view, &arena, &flow);
    if (status == HOIST_OK) {
        // Graphviz frames a subgraph only when its name begins with "cluster".
        hoist_buffer_format(out, "  subgraph cluster_%zu {\n    label=\"%s%s", index, graph->title,
                            graph->name.size ? " " : "");
        add_name(out, graph->name, NAME_MOST);
        hoist_buffer_c(out, "\";\n");
        for (size_t i = 0; i < flow.box_count && status == HOIST_OK; i++) {
            add_box(out, &flow, index, i);
            status = hoist_deadline_look(view->deadline);
        }
        for (size_t i = 0; i < flow.line_count && status == HOIST_OK; i++) {
            add_line(out, &flow.lines[i], index);
            status = hoist_deadline_look(view->deadline);
        }
        hoist_buffer_c(out, "  }\n");
    }
    hoist_arena_deinit(&arena);
    return status;
}

// All graphs as boxes of one cluster, in the colors of their titles.
static hoist_status add_overview(hoist_buffer *out, const hoist_picture *picture,
                                 const flow_view *view)
{
    flow_view all = {.depth = FLOW_NOT_DEEP, .deadline = view->deadline};
    hoist_picture graphs;
    hoist_picture_init(&graphs, out->alloc);
    hoist_status status = flow_overview(picture, view, &graphs);
    if (status == HOIST_OK) {
        status = flow_palette_find(&graphs, &graphs.arena, &all);
    }
    if (status == HOIST_OK) {
        status = add_graph(out, &graphs.graphs[0], 0, &all);
    }
    hoist_picture_deinit(&graphs);
    return status;
}

hoist_status hoist_picture_dot(const hoist_picture *picture, const flow_view *view,
                               hoist_buffer *out)
{
    // The caller's view is constant; the palette is chosen here.
    flow_view own = *view;
    hoist_arena arena;
    hoist_arena_init(&arena, out->alloc);
    hoist_status status = flow_palette_find(picture, &arena, &own);
    hoist_buffer_c(out, "digraph hoist {\n"
                        "  graph [fontname=\"monospace\", fontsize=13];\n"
                        "  node [shape=box, style=\"filled,rounded\", fontname=\"monospace\", "
                        "fontsize=11, fillcolor=\"#eaeef2\"];\n"
                        "  edge [fontname=\"monospace\", fontsize=9, color=\"#6e7781\"];\n");
    if (status == HOIST_OK && view->depth == 0) {
        status = add_overview(out, picture, view);
    }
    for (size_t i = 0; status == HOIST_OK && view->depth != 0 && i < picture->graph_count; i++) {
        if (flow_view_has(view, &picture->graphs[i])) {
            status = add_graph(out, &picture->graphs[i], i, &own);
        }
    }
    // A digraph without nodes would be an empty image.
    if (picture->graph_count == 0) {
        hoist_buffer_c(out, "  nothing [label=\"Nothing in this file can be drawn.\"];\n");
    }
    hoist_buffer_c(out, "}\n");
    hoist_arena_deinit(&arena);
    return status == HOIST_OK && out->failed ? HOIST_NO_MEMORY : status;
}
