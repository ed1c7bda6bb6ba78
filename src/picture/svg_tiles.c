// The tiles of a chip (svg.h): a map that counts the steps in which each takes part, and a small
// map for each step, in the order of execution.
#include <inttypes.h>

#include "base/span.h"
#include "picture/svg.h"

enum {
    CELL_WIDTH = 76,
    CELL_HEIGHT = 40,
    MOST_TILES = 64,
    DOT = 6,          // units of a tile in a small map
    ITEM_WIDTH = 160, // of a step
    LABEL = 8,        // from a small map to its text
};

typedef struct tile_drawing {
    svg_canvas *c;
    const hoist_picture_graph *graph;
    int64_t rows, columns;
} tile_drawing;

// Tiles of a step are the bits of a word, of which there are 64: MOST_TILES.
static bool has_tile(const hoist_picture_node *node, int64_t tile)
{
    return node->tiles >> tile & 1;
}

static void draw_tile(const tile_drawing *d, int64_t tile)
{
    const svg_rect rect = {tile % d->columns * CELL_WIDTH, tile / d->columns * CELL_HEIGHT,
                           CELL_WIDTH - 4, CELL_HEIGHT - 4};
    size_t steps = 0;
    for (size_t i = 0; i < d->graph->step_count; i++) {
        steps += has_tile(&d->graph->nodes[i], tile);
    }
    const hoist_str name = hoist_arena_format(d->c->arena, "tile %" PRId64, tile);
    const hoist_str count =
        hoist_arena_format(d->c->arena, "%zu %s", steps, hoist_plural(steps, "step", "steps"));
    d->c->out->failed = d->c->out->failed || !name.data || !count.data;
    svg_add_rect(d->c, rect, 3, steps ? "n c0" : "n o", (hoist_str){NULL, 0});
    svg_add_middle(d->c, SVG_TEXT, rect.x + rect.width / 2, rect.y + 15, name, 9);
    svg_add_middle(d->c, SVG_SMALL, rect.x + rect.width / 2, rect.y + 29, count, 11);
}

// A step's tiles as one path, and its name.
static void draw_step(const tile_drawing *d, size_t step, int64_t x, int64_t y)
{
    const hoist_picture_node *const node = &d->graph->nodes[step];
    const int64_t width = d->columns * DOT;
    const int64_t height = d->rows * DOT;
    svg_add_open(d->c, "", svg_node_tip(d->c, d->graph, step));
    svg_add_rect(d->c, (svg_rect){x, y, width, height}, 0, node->tiles ? "o" : "p d",
                 (hoist_str){NULL, 0});
    hoist_buffer_c(d->c->out, "<path class=\"a\" d=\"");
    for (int64_t i = 0; i < d->rows * d->columns; i++) {
        if (has_tile(node, i)) {
            hoist_buffer_format(d->c->out, "M%" PRId64 " %" PRId64 "h%dv%dh-%dz",
                                x + i % d->columns * DOT, y + i / d->columns * DOT, DOT - 1,
                                DOT - 1, DOT - 1);
        }
    }
    hoist_buffer_c(d->c->out, "\"/>\n");
    svg_add_text(d->c, SVG_SMALL, x + width + LABEL, y + height / 2 + 3, node->name,
                 svg_columns_in(SVG_SMALL, ITEM_WIDTH - width - (int64_t)2 * LABEL));
    svg_add_close(d->c);
}

static hoist_status draw_steps(const tile_drawing *d)
{
    const int64_t height = d->rows * DOT + 8;
    const int64_t a_row = SVG_SPAN / ITEM_WIDTH;
    svg_begin(d->c);
    for (size_t i = 0; i < d->graph->step_count; i++) {
        HOIST_TRY(hoist_deadline_look(d->c->view->deadline));
        draw_step(d, i, (int64_t)i % a_row * ITEM_WIDTH, (int64_t)i / a_row * height);
    }
    svg_end(d->c, SVG_SPAN, ((int64_t)d->graph->step_count + a_row - 1) / a_row * height - 8);
    return HOIST_OK;
}

hoist_status svg_tiles(svg_canvas *c, const hoist_picture_graph *graph)
{
    const tile_drawing d = {c, graph, graph->tile_rows, graph->tile_columns};
    // Division instead of a product, which could overflow.
    if (d.rows <= 0 || d.columns <= 0 || d.columns > MOST_TILES ||
        d.rows > MOST_TILES / d.columns || graph->step_count == 0) {
        return HOIST_OK;
    }
    svg_heading(c, SVG_HEADING,
                HOIST_STR("tiles, and those of each step in order (dashed: not known)"));
    svg_begin(c);
    for (int64_t i = 0; i < d.rows * d.columns; i++) {
        draw_tile(&d, i);
    }
    svg_end(c, d.columns * CELL_WIDTH, d.rows * CELL_HEIGHT - 8);
    return draw_steps(&d);
}
