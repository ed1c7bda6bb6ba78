// picture/draw.h - pictures (base/picture.h) as text and as tree events, whatever format they come
// from; and what the parts of the text share.
#ifndef HOIST_SRC_PICTURE_DRAW_H
#define HOIST_SRC_PICTURE_DRAW_H

#include "base/buffer.h"
#include "base/picture.h"
#include "picture/draw_text.h"

// Draws the picture into `out`, at most `width` columns wide (0: 80; 40 at least). HOIST_OK,
// HOIST_NO_MEMORY. picture_text.c
HOIST_NODISCARD hoist_status hoist_picture_text(const hoist_picture *picture, size_t width,
                                                hoist_buffer *out);
// Sends the lists "graphs" and "memory" of the map that is open (docs/json.md, hoist.graph/1).
// HOIST_OK, or the sink's status. picture_tree.c
HOIST_NODISCARD hoist_status hoist_picture_tree(const hoist_picture *picture,
                                                hoist_tree_sink *sink);

// Sends the list "selected" of the map that is open: of each graph its attributes and its steps as
// the list "ops". HOIST_OK, or the sink's status. picture_ops.c
HOIST_NODISCARD hoist_status hoist_picture_ops(const hoist_picture *picture, hoist_tree_sink *sink);
// The same of a picture of an op (choose.h): its own nodes, with the names of those at the other
// ends of their edges.
HOIST_NODISCARD hoist_status hoist_picture_op(const hoist_picture *picture, hoist_tree_sink *sink);

// Sends the list "layouts" of the map that is open (docs/json.md, hoist.view/1): where the nodes
// and edges of each graph are, in its order. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT,
// HOIST_CANCELLED, or the sink's status. layout_tree.c
HOIST_NODISCARD hoist_status hoist_picture_layouts(const hoist_picture *picture,
                                                   hoist_tree_sink *sink);

// Sends attributes [first, first + count) of the graph. picture_tree.c
void hoist_picture_send_attrs(const hoist_picture_graph *g, size_t first, size_t count,
                              hoist_tree_sink *sink);

// The parts of a text. Each returns HOIST_OK or HOIST_NO_MEMORY; that `out` failed shows there.
typedef struct hoist_drawing {
    hoist_arena *arena;  // scratch
    size_t width;        // columns, 40 or more
    hoist_buffer *out;   // ends with a line break, or is empty
    hoist_buffer *words; // scratch
} hoist_drawing;

// Writes attributes [first, first + count) of the graph as people read them, separated by commas,
// in lines that begin with `indent` spaces. `column`: columns of a line that goes on; 0: there is
// none. draw_attr.c
void hoist_draw_phrases(const hoist_drawing *d, const hoist_picture_graph *g, size_t first,
                        size_t count, size_t indent, size_t column);
// The attribute of a node that has that key; NULL: none. draw_attr.c
const hoist_picture_attr *hoist_draw_attr(const hoist_picture_graph *g, size_t node,
                                          const char *key);
// The text of an attribute that has one; else empty. draw_attr.c
hoist_str hoist_draw_attr_str(const hoist_picture_graph *g, size_t node, const char *key);

// A map of the grid next to its legend. draw_grid.c
HOIST_NODISCARD hoist_status hoist_draw_grid(const hoist_drawing *d, const hoist_picture_graph *g);
// The flow of data, a block per step in the order of layers. draw_flow.c
HOIST_NODISCARD hoist_status hoist_draw_flow(const hoist_drawing *d, const hoist_picture_graph *g);
// A line per step, in the graph's order. draw_list.c
HOIST_NODISCARD hoist_status hoist_draw_list(const hoist_drawing *d, const hoist_picture_graph *g);
// Lanes with their items and what these move. draw_lanes.c
HOIST_NODISCARD hoist_status hoist_draw_lanes(const hoist_drawing *d, const hoist_picture_graph *g);
// Who raises each signal and who waits for it. draw_signals.c
HOIST_NODISCARD hoist_status hoist_draw_signals(const hoist_drawing *d,
                                                const hoist_picture_graph *g);
// A bar per use of each area of graph number `graph`, and its pads. draw_areas.c
HOIST_NODISCARD hoist_status hoist_draw_areas(const hoist_drawing *d, const hoist_picture *picture,
                                              size_t graph);
// Per chip a bar for each channel, and a legend. draw_channels.c
HOIST_NODISCARD hoist_status hoist_draw_channels(const hoist_drawing *d,
                                                 const hoist_picture *picture);

#endif // HOIST_SRC_PICTURE_DRAW_H
