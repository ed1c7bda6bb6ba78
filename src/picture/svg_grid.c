// The floorplan of a graph (svg.h): its grid of cores, and on it the rectangles that steps take, in
// the color of their sort.
#include "base/span.h"
#include "picture/svg.h"

enum {
    CELL_WIDTH = 68,
    CELL_HEIGHT = 38,
    AXIS = 22,       // at the left and above
    MOST_CELLS = 64, // of a side; what is beyond is not drawn
};

// A part of [0, most) that a step takes; empty: none.
typedef struct cells {
    int64_t first;
    int64_t count;
} cells;

// Numbers are of the file: what begins outside has no cells, what ends outside is cut.
static cells cells_in(int64_t first, int64_t count, int most)
{
    if (first < 0 || first >= most || count < 1) {
        return (cells){0, 0};
    }
    return (cells){first, count > most - first ? most - first : count};
}

static void draw_axes(svg_canvas *c, int rows, int columns)
{
    const int64_t right = AXIS + (int64_t)columns * CELL_WIDTH;
    const int64_t bottom = AXIS + (int64_t)rows * CELL_HEIGHT;
    char text[24];
    svg_add_rect(c, (svg_rect){AXIS, AXIS, right - AXIS, bottom - AXIS}, 0, "o",
                 (hoist_str){NULL, 0});
    for (int i = 0; i < columns; i++) {
        const int64_t x = AXIS + (int64_t)i * CELL_WIDTH;
        const hoist_str number = svg_number(text, i);
        svg_add_middle(c, SVG_SMALL, x + CELL_WIDTH / 2, AXIS - 7, number, sizeof(text));
        svg_add_line(c, x, AXIS, x, bottom, "x");
    }
    for (int i = 0; i < rows; i++) {
        const int64_t y = AXIS + (int64_t)i * CELL_HEIGHT;
        const hoist_str number = svg_number(text, i);
        svg_add_end(c, SVG_SMALL, AXIS - 7, y + CELL_HEIGHT / 2 + 4, number, sizeof(text));
        svg_add_line(c, AXIS, y, right, y, "x");
    }
}

// Draws a step that has a place on what is drawn of the grid; false: it has none.
static bool draw_step(svg_canvas *c, const flow_graph *flow, const flow_box *box)
{
    const hoist_picture_graph *const g = flow->graph;
    const hoist_picture_node *const node = &g->nodes[box->node];
    const cells rows = cells_in(node->cores.row, node->cores.rows, g->rows);
    const cells columns = cells_in(node->cores.column, node->cores.columns, g->columns);
    if (!node->cores.is_placed || node->is_foreign || rows.count == 0 || columns.count == 0 ||
        rows.first >= MOST_CELLS || columns.first >= MOST_CELLS) {
        return false;
    }
    const svg_rect rect = {AXIS + columns.first * CELL_WIDTH + 2,
                           AXIS + rows.first * CELL_HEIGHT + 2, columns.count * CELL_WIDTH - 4,
                           rows.count * CELL_HEIGHT - 4};
    const int64_t y = rect.y + rect.height / 2;
    const int64_t x = rect.x + rect.width / 2;
    const bool has_sort = node->sort.size && !hoist_str_equal(node->sort, node->name);
    svg_add_open(c, "", svg_node_tip(c, g, box->node));
    svg_add_rect(c, rect, 3, svg_box_class(box), (hoist_str){NULL, 0});
    svg_add_middle(c, SVG_SMALL, x, y + (has_sort ? -2 : 4), node->name,
                   svg_columns_in(SVG_SMALL, rect.width - 4));
    if (has_sort) {
        svg_add_middle(c, SVG_SMALL, x, y + 11, node->sort,
                       svg_columns_in(SVG_SMALL, rect.width - 4));
    }
    svg_add_close(c);
    return true;
}

hoist_status svg_grid(svg_canvas *c, const hoist_picture_graph *graph)
{
    const flow_view view = {
        .depth = FLOW_NOT_DEEP, .deadline = c->view->deadline, .palette = c->view->palette};
    const int rows = graph->rows < MOST_CELLS ? graph->rows : MOST_CELLS;
    const int columns = graph->columns < MOST_CELLS ? graph->columns : MOST_CELLS;
    flow_graph flow;
    size_t placed = 0;
    if (rows <= 0 || columns <= 0) {
        return HOIST_OK;
    }
    HOIST_TRY(flow_graph_find(graph, &view, c->arena, &flow)); // for its colors
    svg_heading(c, SVG_HEADING, HOIST_STR("placement"));
    svg_begin(c);
    draw_axes(c, rows, columns);
    for (size_t i = 0; i < flow.box_count; i++) {
        HOIST_TRY(hoist_deadline_look(view.deadline));
        placed += flow.boxes[i].role == HOIST_PICTURE_STEP && draw_step(c, &flow, &flow.boxes[i]);
    }
    svg_end(c, AXIS + (int64_t)columns * CELL_WIDTH, AXIS + (int64_t)rows * CELL_HEIGHT);
    if (placed == 0) {
        svg_sentence(c, "No step has a place on the grid.");
    }
    return HOIST_OK;
}
