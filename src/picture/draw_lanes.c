// Lanes, each with the items that it owns and what these move.
//
//   pool  Pool engine, 3 instructions
//     q_gradient_in
//       in, 1 ring
//       1 trigger, 1 block
//       input          -> gradient_in         128 B
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "picture/draw.h"

enum { MOST_MOVES = 4, ITEM_INDENT = 4, DETAIL_INDENT = 6 };

typedef struct lane_view {
    const hoist_drawing *d;
    const hoist_picture_graph *graph;
    hoist_picture_index owned;  // edges by the lane that owns
    hoist_picture_index owners; // by the item that is owned
    hoist_picture_index moves;  // by the item that moves
} lane_view;

// Keys of the three indices: one node of an edge of the right kind, else none.
static size_t owning_lane(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_OWNS ? edge->from : HOIST_PICTURE_NONE;
}

static size_t owned_item(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_OWNS ? edge->to : HOIST_PICTURE_NONE;
}

static size_t moving_item(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_MOVES ? edge->via : HOIST_PICTURE_NONE;
}

// Items -------------------------------------------------------------------------------------------

// "from -> to" in two columns of the same width, and the bytes.
static void draw_move(const lane_view *v, const hoist_picture_edge *edge)
{
    static const char arrow[] = " -> ";
    hoist_buffer *const out = v->d->out;
    const size_t names = v->d->width - DETAIL_INDENT - (sizeof(arrow) - 1) - HOIST_DRAW_SIZE_WIDTH;
    hoist_buffer_fill(out, ' ', DETAIL_INDENT);
    hoist_draw_padded(out, v->graph->nodes[edge->from].name, names / 2, false);
    hoist_buffer_c(out, arrow);
    hoist_draw_padded(out, v->graph->nodes[edge->to].name, names / 2, false);
    hoist_draw_size(out, edge->bytes);
    hoist_draw_end_line(out);
}

// The first moves of an item, and the sum of the others.
static void draw_moves(const lane_view *v, size_t item)
{
    const size_t count = hoist_picture_edges_of(&v->moves, item);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t index = v->moves.edges[v->moves.first[item] + i];
        const hoist_picture_edge *const edge = &v->graph->edges[index];
        if (i < MOST_MOVES) {
            draw_move(v, edge);
        } else if (hoist_ckd_add(&bytes, bytes, edge->bytes)) {
            bytes = UINT64_MAX;
        }
    }
    if (count > MOST_MOVES) {
        hoist_buffer_format(v->d->out, "      and %zu more with ", count - MOST_MOVES);
        hoist_draw_short_size(v->d->out, bytes);
        hoist_buffer_char(v->d->out, '\n');
    }
}

// Name, what is known of it, and what it moves.
static void draw_item(const lane_view *v, size_t item)
{
    const hoist_picture_node *const node = &v->graph->nodes[item];
    hoist_buffer_fill(v->d->out, ' ', ITEM_INDENT);
    (void)hoist_draw_name(v->d->out, node->name, v->d->width - ITEM_INDENT);
    hoist_buffer_char(v->d->out, '\n');
    hoist_draw_phrases(v->d, v->graph, node->first_attr, node->attr_count, DETAIL_INDENT, 0);
    draw_moves(v, item);
}

// Lanes -------------------------------------------------------------------------------------------

// Whether a lane that owns nothing does anything: some count of it is not 0.
static bool is_busy(const lane_view *v, const hoist_picture_node *node)
{
    for (size_t i = 0; i < node->attr_count; i++) {
        const hoist_picture_attr *const attr = &v->graph->attrs[node->first_attr + i];
        if (attr->show == HOIST_PICTURE_COUNT && attr->value.uinteger) {
            return true;
        }
    }
    return false;
}

static void draw_lane(const lane_view *v, size_t lane)
{
    const hoist_picture_node *const node = &v->graph->nodes[lane];
    const size_t owned = hoist_picture_edges_of(&v->owned, lane);
    if (owned == 0 && !is_busy(v, node)) {
        return;
    }
    hoist_buffer_char(v->d->out, '\n');
    // Phrases go on in this line, so that its length is needed.
    const size_t start = v->d->out->size;
    hoist_buffer_format(v->d->out, "  %.*s  %s", HOIST_STR_ARGS(node->name), node->title);
    hoist_draw_phrases(v->d, v->graph, node->first_attr, node->attr_count, ITEM_INDENT,
                       v->d->out->size - start);
    for (size_t i = 0; i < owned; i++) {
        draw_item(v, v->graph->edges[v->owned.edges[v->owned.first[lane] + i]].to);
    }
}

// Under a heading of their own, which is there only when there are some.
static void draw_items_without_owner(const lane_view *v)
{
    bool any = false;
    for (size_t i = 0; i < v->graph->node_count; i++) {
        const hoist_picture_node *const node = &v->graph->nodes[i];
        const hoist_picture_node_row *const row = &hoist_picture_node_rows[node->kind];
        if (row->role == HOIST_PICTURE_ITEM && !node->is_foreign &&
            hoist_picture_edges_of(&v->owners, i) == 0) {
            if (!any) {
                hoist_buffer_format(v->d->out, "\n  %s without a known owner\n", row->many);
            }
            draw_item(v, i);
            any = true;
        }
    }
}

hoist_status hoist_draw_lanes(const hoist_drawing *d, const hoist_picture_graph *g)
{
    lane_view v = {.d = d, .graph = g};
    HOIST_TRY(hoist_picture_index_edges(g, owning_lane, d->arena, &v.owned));
    HOIST_TRY(hoist_picture_index_edges(g, owned_item, d->arena, &v.owners));
    HOIST_TRY(hoist_picture_index_edges(g, moving_item, d->arena, &v.moves));
    for (size_t i = 0; i < g->node_count; i++) {
        if (hoist_picture_node_rows[g->nodes[i].kind].role == HOIST_PICTURE_LANE) {
            draw_lane(&v, i);
        }
    }
    draw_items_without_owner(&v);
    return HOIST_OK;
}
