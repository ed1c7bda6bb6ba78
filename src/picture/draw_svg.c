// A picture as SVG (draw_markup.h): of each graph its name, the flow of data, the floorplan and its
// memory, then the memory that is of no graph. In: the rows of a picture; out: one document.
#include "base/span.h"
#include "picture/draw_markup.h"
#include "picture/svg.h"

static const char nothing[] = "Nothing in this file can be drawn.";

// The flow of data, and what else is known of the graph next to it or, when it is wide, below.
static hoist_status draw_graph(svg_canvas *c, const hoist_picture *picture, size_t index)
{
    const hoist_picture_graph *const g = &picture->graphs[index];
    svg_heading(c, SVG_TITLE, svg_graph_name(c, g));
    // The width of this graph's flow alone decides whether the rest goes next to it.
    const int64_t before = c->width;
    const int64_t top = c->height;
    c->width = 0;
    HOIST_TRY(svg_flow(c, g, c->view));
    const svg_split split = svg_beside(c, top);
    HOIST_TRY(svg_grid(c, g));
    HOIST_TRY(svg_lanes(c, g));
    HOIST_TRY(svg_areas(c, picture, index));
    HOIST_TRY(svg_tiles(c, g));
    svg_join(c, &split);
    // The document is as wide as its widest graph.
    c->width = before > c->width ? before : c->width;
    return HOIST_OK;
}

// All graphs of the view, below each other.
static hoist_status draw_graphs(svg_canvas *c, const hoist_picture *picture)
{
    for (size_t i = 0; i < picture->graph_count; i++) {
        if (flow_view_has(c->view, &picture->graphs[i])) {
            HOIST_TRY(draw_graph(c, picture, i));
        }
    }
    return HOIST_OK;
}

// Graphs as boxes, then the memory of all.
static hoist_status draw_overview(svg_canvas *c, const hoist_picture *picture)
{
    // The overview is a picture of its own, whose steps are graphs: they have a palette of their
    // own.
    flow_view view = {.depth = FLOW_NOT_DEEP, .deadline = c->view->deadline};
    hoist_picture graphs;
    hoist_picture_init(&graphs, c->arena->alloc);
    hoist_status status = flow_overview(picture, c->view, &graphs);
    if (status == HOIST_OK) {
        status = flow_palette_find(&graphs, c->arena, &view);
    }
    if (status == HOIST_OK && graphs.graphs[0].node_count) {
        status = svg_flow(c, &graphs.graphs[0], &view);
    }
    hoist_picture_deinit(&graphs);
    for (size_t i = 0; status == HOIST_OK && i < picture->graph_count; i++) {
        if (flow_view_has(c->view, &picture->graphs[i])) {
            status = svg_areas(c, picture, i);
        }
    }
    return status;
}

static hoist_status draw_all(svg_canvas *c, const hoist_picture *picture)
{
    HOIST_TRY((c->view->depth == 0 ? draw_overview : draw_graphs)(c, picture));
    // Memory that is of no graph is left out when one graph is asked for.
    if (!c->view->graph) {
        HOIST_TRY(svg_channels(c, picture));
        HOIST_TRY(svg_lives(c, picture));
    }
    // No section was begun.
    if (c->height == 0) {
        svg_sentence(c, nothing);
    }
    return HOIST_OK;
}

hoist_status hoist_picture_svg(const hoist_picture *picture, const flow_view *view,
                               hoist_buffer *out)
{
    hoist_arena arena;
    hoist_buffer words;
    // The head of the document has its size, which is known only after all elements: they are
    // written aside, and copied behind the head.
    hoist_buffer elements;
    hoist_arena_init(&arena, out->alloc);
    hoist_buffer_init(&words, out->alloc);
    hoist_buffer_init(&elements, out->alloc);
    flow_view own = *view;
    svg_canvas c = {.out = &elements, .words = &words, .arena = &arena, .view = &own};
    hoist_status status = flow_palette_find(picture, &arena, &own);
    if (status == HOIST_OK) {
        status = draw_all(&c, picture);
    }
    if (status == HOIST_OK) {
        // What a reader of the file calls the drawing: the graph that was asked for, or the first
        // one.
        const hoist_str title = view->graph                ? hoist_str_from(view->graph)
                                : picture->graph_count > 0 ? picture->graphs[0].name
                                                           : HOIST_STR("");
        svg_document_begin(out, c.width, c.height, title);
        hoist_buffer_add(out, hoist_buffer_bytes(&elements));
        svg_document_end(out);
    }
    // Buffers remember that memory ran out, so that it is asked once for all of them.
    const bool failed = out->failed || words.failed || elements.failed;
    hoist_buffer_deinit(&elements);
    hoist_buffer_deinit(&words);
    hoist_arena_deinit(&arena);
    return failed ? HOIST_NO_MEMORY : status;
}
