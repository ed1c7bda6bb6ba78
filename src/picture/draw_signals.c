// Signals: who raises each, who waits for it.
//
//   semaphores
//      10  q_gradient_in            -> pe
//      11  sg01/q0                  -> sp        of another graph
#include <inttypes.h>

#include "base/span.h"
#include "picture/draw.h"

enum { MOST_NAMES = 3 };

// Keys of the two indices: the signal of an edge that raises, or that awaits.
static size_t raised_signal(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_RAISES ? edge->to : HOIST_PICTURE_NONE;
}

static size_t awaited_signal(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_AWAITED ? edge->from : HOIST_PICTURE_NONE;
}

// "q0, q1, sg01/q0, pe": the items of each graph, of which some are named, then lanes.
static void write_raisers(const hoist_picture_graph *g, const hoist_picture_index *raised,
                          size_t signal, hoist_buffer *out)
{
    size_t items = 0; // of the graph at hand
    bool was_foreign = false;
    for (size_t i = raised->first[signal]; i < raised->first[signal + 1]; i++) {
        const hoist_picture_node *const node = &g->nodes[g->edges[raised->edges[i]].from];
        const bool is_item = hoist_picture_node_rows[node->kind].role == HOIST_PICTURE_ITEM;
        // Edges come sorted: first the items of this graph, then those of others, then lanes.
        items = is_item && node->is_foreign == was_foreign ? items + 1 : 1;
        was_foreign = node->is_foreign;
        // Written once, at the first that is left out.
        if (is_item && items > MOST_NAMES) {
            hoist_buffer_c(out, items == MOST_NAMES + 1 ? " and more" : "");
            continue;
        }
        hoist_buffer_c(out, out->size ? ", " : "");
        if (node->is_foreign) {
            hoist_buffer_str(out, node->graph);
            hoist_buffer_char(out, '/');
        }
        hoist_buffer_str(out, node->name);
    }
}

// The names of all lanes that wait.
static void write_waiters(const hoist_picture_graph *g, const hoist_picture_index *awaited,
                          size_t signal, hoist_buffer *out)
{
    for (size_t i = awaited->first[signal]; i < awaited->first[signal + 1]; i++) {
        hoist_buffer_c(out, out->size ? ", " : "");
        hoist_buffer_str(out, g->nodes[g->edges[awaited->edges[i]].to].name);
    }
}

// What `words` has; a word for none.
static hoist_str names_of(const hoist_buffer *words)
{
    return words->size ? hoist_buffer_text(words) : HOIST_STR("nobody");
}

// A line: the number, who raises, an arrow, who waits.
static void draw_signal(const hoist_drawing *d, const hoist_picture_graph *g, size_t signal,
                        const hoist_picture_index *raised, const hoist_picture_index *awaited)
{
    enum { INDENT = 4, NUMBER_WIDTH = 3, WAITER_WIDTH = 12 };
    static const char arrow[] = " -> ";
    const size_t raisers =
        d->width - INDENT - NUMBER_WIDTH - 2 - (sizeof(arrow) - 1) - WAITER_WIDTH;
    const hoist_picture_attr *const number = hoist_draw_attr(g, signal, "number");
    hoist_buffer_format(d->out, "%*s%*" PRIu64 "  ", INDENT, "", NUMBER_WIDTH,
                        number ? number->value.uinteger : 0);
    d->words->size = 0;
    write_raisers(g, raised, signal, d->words);
    hoist_draw_padded(d->out, names_of(d->words), raisers, false);
    hoist_buffer_c(d->out, arrow);
    d->words->size = 0;
    write_waiters(g, awaited, signal, d->words);
    (void)hoist_draw_name(d->out, names_of(d->words), WAITER_WIDTH);
    hoist_draw_end_line(d->out);
}

hoist_status hoist_draw_signals(const hoist_drawing *d, const hoist_picture_graph *g)
{
    hoist_picture_index raised;
    hoist_picture_index awaited;
    // The heading is there only when there is a signal.
    bool any = false;
    HOIST_TRY(hoist_picture_index_edges(g, raised_signal, d->arena, &raised));
    HOIST_TRY(hoist_picture_index_edges(g, awaited_signal, d->arena, &awaited));
    for (size_t i = 0; i < g->node_count; i++) {
        const hoist_picture_node_row *const row = &hoist_picture_node_rows[g->nodes[i].kind];
        if (row->role == HOIST_PICTURE_SIGNAL) {
            if (!any) {
                hoist_buffer_format(d->out, "\n  %s: who raises, who waits\n", row->many);
            }
            draw_signal(d, g, i, &raised, &awaited);
            any = true;
        }
    }
    return HOIST_OK;
}
