// picture/draw_markup.h - pictures (base/picture.h) as SVG and in the language of Graphviz.
#ifndef HOIST_SRC_PICTURE_DRAW_MARKUP_H
#define HOIST_SRC_PICTURE_DRAW_MARKUP_H

#include "base/buffer.h"
#include "base/picture.h"
#include "picture/flow_graph.h"

// Draws what `view` chooses of the picture, the flow of data, floorplans and memory, as a document
// of its own: light, or dark where the reader prefers it; no script, nothing from elsewhere. A
// picture of nothing says so. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_CANCELLED. draw_svg.c
HOIST_NODISCARD hoist_status hoist_picture_svg(const hoist_picture *picture, const flow_view *view,
                                               hoist_buffer *out);
// The flow of data alone, as a directed graph with a cluster for each of the picture's. Statuses as
// above. draw_dot.c
HOIST_NODISCARD hoist_status hoist_picture_dot(const hoist_picture *picture, const flow_view *view,
                                               hoist_buffer *out);

#endif // HOIST_SRC_PICTURE_DRAW_MARKUP_H
