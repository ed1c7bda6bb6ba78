// Lanes of a graph (svg.h), such as engines: a band for each with the items that it owns (queue
// sets), and a last one for items that no lane owns. Signals (semaphores) are lines across the
// bands, with a dot where a lane or its item raises one, and a ring where a lane waits for it.
#include <inttypes.h>

#include "base/span.h"
#include "picture/svg.h"
#include "picture/xml_text.h"

enum {
    LABEL = 170, // units at the left
    BAND = 54,
    BAND_GAP = 8,
    PAD = 8,
    NAME_MOST = 24, // columns
    DETAIL_MOST = 44,
    SIGNAL_STEP = 26,
    SIGNAL_TOP = 26, // above the bands
    ITEM_GAP = 10,
};

typedef struct lane_drawing {
    svg_canvas *c;
    const hoist_picture_graph *graph;
    size_t *band;  // of each lane and item; HOIST_PICTURE_NONE: it has none
    int64_t *x;    // of each signal
    int64_t *next; // of each band: where its next item begins
    size_t count;  // of bands
    int64_t width; // of bands
    int64_t height;
} lane_drawing;

static const size_t NONE = HOIST_PICTURE_NONE;

static hoist_picture_role role_of(const lane_drawing *d, size_t node)
{
    return hoist_picture_node_rows[d->graph->nodes[node].kind].role;
}

static int64_t band_y(size_t band)
{
    return SIGNAL_TOP + (int64_t)band * (BAND + BAND_GAP);
}

// Which band has what; the last one is for items that no lane owns, when there are such.
static void find_bands(lane_drawing *d)
{
    const hoist_picture_graph *const g = d->graph;
    bool is_any_free = false;
    for (size_t i = 0; i < g->node_count; i++) {
        d->band[i] = role_of(d, i) == HOIST_PICTURE_LANE ? d->count++ : NONE;
    }
    for (size_t i = 0; i < g->edge_count; i++) {
        if (g->edges[i].kind == HOIST_PICTURE_OWNS) {
            d->band[g->edges[i].to] = d->band[g->edges[i].from];
        }
    }
    for (size_t i = 0; i < g->node_count; i++) {
        if (role_of(d, i) == HOIST_PICTURE_ITEM && d->band[i] == NONE) {
            d->band[i] = d->count;
            is_any_free = true;
        }
    }
    d->count += is_any_free;
}

// Items -------------------------------------------------------------------------------------------

static int64_t item_width(const lane_drawing *d, size_t item, hoist_str detail)
{
    const int64_t name =
        svg_columns_width(SVG_TEXT, hoist_markup_columns(d->graph->nodes[item].name, NAME_MOST));
    const int64_t line = svg_columns_width(SVG_SMALL, hoist_markup_columns(detail, DETAIL_MOST));
    return (name > line ? name : line) + (int64_t)2 * PAD;
}

// An item at the end of what its band has so far.
static void draw_item(lane_drawing *d, size_t item)
{
    const hoist_picture_node *const node = &d->graph->nodes[item];
    const hoist_str detail = svg_node_detail(d->c, d->graph, item);
    const int64_t width = item_width(d, item, detail);
    int64_t *const next = &d->next[d->band[item]];
    const svg_rect rect = {*next, band_y(d->band[item]) + PAD, width, BAND - 2 * PAD};
    svg_add_open(d->c, "", svg_node_tip(d->c, d->graph, item));
    svg_add_rect(d->c, rect, 3, node->is_foreign ? "n c7 d" : "n c7", (hoist_str){NULL, 0});
    svg_add_text(d->c, SVG_TEXT, rect.x + PAD, rect.y + 16, node->name, NAME_MOST);
    svg_add_text(d->c, SVG_SMALL, rect.x + PAD, rect.y + 30, detail, DETAIL_MOST);
    svg_add_close(d->c);
    *next += width + ITEM_GAP;
}

// Where items end: known before they are drawn, as bands are below them.
static void find_width(lane_drawing *d)
{
    for (size_t i = 0; i < d->count; i++) {
        d->next[i] = LABEL;
    }
    for (size_t i = 0; i < d->graph->node_count; i++) {
        if (role_of(d, i) == HOIST_PICTURE_ITEM) {
            int64_t *const next = &d->next[d->band[i]];
            *next += item_width(d, i, svg_node_detail(d->c, d->graph, i)) + ITEM_GAP;
            d->width = *next > d->width ? *next : d->width;
        }
    }
    for (size_t i = 0; i < d->count; i++) {
        d->next[i] = LABEL;
    }
}

// Signals -----------------------------------------------------------------------------------------

// A dot in the upper half of the band where the signal is raised, a square below where it is
// awaited.
static void add_mark(lane_drawing *d, size_t signal, size_t node, bool is_raised)
{
    const int64_t y = band_y(d->band[node]) + (is_raised ? 0 : 12) + BAND / 2 - 6;
    const hoist_str kind = is_raised ? HOIST_STR("raised by ") : HOIST_STR("awaited by ");
    const hoist_str tip = hoist_arena_format(d->c->arena, "%.*s%.*s", HOIST_STR_ARGS(kind),
                                             HOIST_STR_ARGS(d->graph->nodes[node].name));
    const svg_rect rect = {d->x[signal] - 4, y - 4, 8, 8};
    d->c->out->failed = d->c->out->failed || !tip.data;
    svg_add_rect(d->c, rect, is_raised ? 4 : 0, is_raised ? "a" : "n p", tip);
}

static void draw_signals(lane_drawing *d)
{
    const int64_t bottom = band_y(d->count) - BAND_GAP;
    for (size_t i = 0; i < d->graph->node_count; i++) {
        if (role_of(d, i) == HOIST_PICTURE_SIGNAL) {
            // The part of "$S[3]" that is not the same in all.
            char text[24];
            const hoist_picture_attr *const number =
                &d->graph->attrs[d->graph->nodes[i].first_attr];
            const bool has_number =
                d->graph->nodes[i].attr_count > 0 && number->kind == HOIST_TREE_UINT;
            svg_add_open(d->c, "", svg_node_tip(d->c, d->graph, i));
            svg_add_line(d->c, d->x[i], SIGNAL_TOP - 8, d->x[i], bottom, "e");
            svg_add_middle(d->c, SVG_SMALL, d->x[i], SIGNAL_TOP - 13,
                           has_number ? svg_number(text, (int64_t)number->value.uinteger)
                                      : d->graph->nodes[i].name,
                           4);
            svg_add_close(d->c);
        }
    }
    for (size_t i = 0; i < d->graph->edge_count; i++) {
        const hoist_picture_edge *const edge = &d->graph->edges[i];
        if (edge->kind == HOIST_PICTURE_RAISES) {
            add_mark(d, edge->to, edge->from, true);
        } else if (edge->kind == HOIST_PICTURE_AWAITED) {
            add_mark(d, edge->from, edge->to, false);
        }
    }
}

// Signals are at the right of all items, so that their lines cross none.
static void place_signals(lane_drawing *d)
{
    size_t count = 0;
    const int64_t left = d->width + SIGNAL_STEP;
    for (size_t i = 0; i < d->graph->node_count; i++) {
        if (role_of(d, i) == HOIST_PICTURE_SIGNAL) {
            d->x[i] = left + (int64_t)count++ * SIGNAL_STEP;
        }
    }
    d->width = count ? left + (int64_t)count * SIGNAL_STEP : d->width;
}

// ------------------------------------------------------------------------------------------------

static void draw_band(lane_drawing *d, size_t band, size_t node)
{
    const int64_t y = band_y(band);
    const hoist_picture_node *const n = node == NONE ? NULL : &d->graph->nodes[node];
    const hoist_str name = !n         ? HOIST_STR("no known owner")
                           : n->title ? hoist_str_from(n->title)
                                      : n->name;
    svg_add_rect(d->c, (svg_rect){0, y, d->width, BAND}, 4, "o", (hoist_str){NULL, 0});
    svg_add_text(d->c, SVG_TEXT, PAD, y + 22, name, svg_columns_in(SVG_TEXT, LABEL - 2 * PAD));
    if (n) {
        svg_add_text(d->c, SVG_SMALL, PAD, y + 38, svg_node_detail(d->c, d->graph, node),
                     svg_columns_in(SVG_SMALL, LABEL - 2 * PAD));
    }
}

static hoist_status draw_all(lane_drawing *d)
{
    place_signals(d);
    size_t lanes = 0;
    d->width = d->width < SVG_SPAN ? SVG_SPAN : d->width;
    for (size_t i = 0; i < d->graph->node_count; i++) {
        if (role_of(d, i) == HOIST_PICTURE_LANE) {
            draw_band(d, lanes++, i);
        }
    }
    if (lanes < d->count) {
        draw_band(d, lanes, NONE);
    }
    for (size_t i = 0; i < d->graph->node_count; i++) {
        HOIST_TRY(hoist_deadline_look(d->c->view->deadline));
        if (role_of(d, i) == HOIST_PICTURE_ITEM) {
            draw_item(d, i);
        }
    }
    draw_signals(d);
    return HOIST_OK;
}

hoist_status svg_lanes(svg_canvas *c, const hoist_picture_graph *graph)
{
    lane_drawing d = {.c = c, .graph = graph, .width = LABEL};
    d.band = hoist_arena_array(c->arena, graph->node_count, sizeof(*d.band));
    d.x = hoist_arena_array(c->arena, graph->node_count, sizeof(*d.x));
    d.next = hoist_arena_array(c->arena, graph->node_count + 1, sizeof(*d.next));
    if (!d.band || !d.x || !d.next) {
        return HOIST_NO_MEMORY;
    }
    find_bands(&d);
    if (d.count == 0) {
        return HOIST_OK;
    }
    find_width(&d);
    svg_heading(c, SVG_HEADING, HOIST_STR("engines"));
    svg_begin(c);
    const hoist_status status = draw_all(&d);
    svg_end(c, d.width, band_y(d.count) - BAND_GAP - 8);
    svg_sentence(c, "Upright lines are semaphores: \xe2\x97\x8f raised, \xe2\x96\xa1 awaited.");
    return status;
}
