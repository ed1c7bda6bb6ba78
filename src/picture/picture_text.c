// A picture as text: of each graph its heading, what it consists of and its memory, then the memory
// that is of no graph.
#include <string.h>

#include "picture/draw.h"

// Graphs ------------------------------------------------------------------------------------------

// Title and name, underlined, and what is known of the graph in phrases.
static void draw_heading(const hoist_drawing *d, const hoist_picture_graph *g)
{
    const size_t title = strlen(g->title) + (g->name.size ? 1 : 0);
    hoist_buffer_format(d->out, "%s%s", g->title, g->name.size ? " " : "");
    const size_t width = title + hoist_draw_name(d->out, g->name, d->width - title);
    hoist_buffer_char(d->out, '\n');
    hoist_buffer_fill(d->out, '=', width);
    hoist_buffer_char(d->out, '\n');
    hoist_draw_phrases(d, g, 0, g->attr_count, 2, 0);
}

static hoist_status draw_graph(const hoist_drawing *d, const hoist_picture *picture, size_t index)
{
    const hoist_picture_graph *const g = &picture->graphs[index];
    hoist_draw_gap(d->out);
    draw_heading(d, g);
    // A list says what steps read in a column; the flow is drawn of graphs on a grid.
    if (g->is_list) {
        HOIST_TRY(hoist_draw_list(d, g));
    } else if (g->rows) {
        HOIST_TRY(hoist_draw_grid(d, g));
        HOIST_TRY(hoist_draw_flow(d, g));
    }
    HOIST_TRY(hoist_draw_lanes(d, g));
    HOIST_TRY(hoist_draw_signals(d, g));
    return hoist_draw_areas(d, picture, index);
}

static hoist_status draw_all(const hoist_drawing *d, const hoist_picture *picture)
{
    for (size_t i = 0; i < picture->graph_count; i++) {
        HOIST_TRY(draw_graph(d, picture, i));
    }
    return hoist_draw_channels(d, picture);
}

hoist_status hoist_picture_text(const hoist_picture *picture, size_t width, hoist_buffer *out)
{
    hoist_arena arena;
    hoist_buffer words;
    hoist_arena_init(&arena, out->alloc);
    hoist_buffer_init(&words, out->alloc);
    const hoist_drawing d = {&arena, hoist_draw_width(width), out, &words};
    const hoist_status status = draw_all(&d, picture);
    const bool failed = out->failed || words.failed;
    hoist_buffer_deinit(&words);
    hoist_arena_deinit(&arena);
    return failed ? HOIST_NO_MEMORY : status;
}
