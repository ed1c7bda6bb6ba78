// picture/svg.h - the parts of an SVG drawing: a canvas that grows downwards, its elements, and the
// style sheet. Sections (svg_*.c) write elements at coordinates of their own, from (0, 0), between
// svg_begin() and svg_end().
//
// A drawing has no script and refers to nothing outside; every text from a file goes through
// picture/xml_text.h. All numbers are integers.
#ifndef HOIST_SRC_PICTURE_SVG_H
#define HOIST_SRC_PICTURE_SVG_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/picture.h"
#include "picture/flow_graph.h"

enum {
    SVG_TITLE_MOST = 1024, // columns of a name in a tooltip
    SVG_SPAN = 640,        // units that bars take with what is written at their sides
    SVG_BESIDE = 640,      // of a section that has others at its right
};

// Sizes of text, and what it is; the style sheet has a class for each.
typedef enum svg_font {
    SVG_TEXT,    // 12 units
    SVG_SMALL,   // 10 units, less ink
    SVG_HEADING, // of a section
    SVG_TITLE,   // of a graph
    SVG_FONT_COUNT,
} svg_font;

typedef struct svg_canvas {
    hoist_buffer *out;     // elements
    hoist_buffer *words;   // scratch
    hoist_arena *arena;    // scratch
    const flow_view *view; // what is drawn
    int64_t left;          // where sections begin
    int64_t width;         // of all sections so far
    int64_t height;
} svg_canvas;

typedef struct svg_rect {
    int64_t x, y, width, height;
} svg_rect;

// Begins a section below the ones before; svg_end() says what it takes.
void svg_begin(svg_canvas *c);
void svg_end(svg_canvas *c, int64_t width, int64_t height);

// Sections at the right of those that began at `top`, when these are narrow: until svg_join(),
// which goes on below both.
typedef struct svg_split {
    int64_t left;   // of the canvas before
    int64_t height; // of the sections at the left
} svg_split;
svg_split svg_beside(svg_canvas *c, int64_t top);
void svg_join(svg_canvas *c, const svg_split *split);

// Units that so many columns take.
int64_t svg_columns_width(svg_font font, size_t columns);
// Columns for which there is space in so many units.
size_t svg_columns_in(svg_font font, int64_t width);

// A rectangle of a class ("n c0"), with a tooltip when `tip` has one: it is raw text, that loses
// what it has too much of.
void svg_add_rect(svg_canvas *c, svg_rect rect, int radius, const char *class, hoist_str tip);
// A text whose baseline is at `y`, in at most `columns`, a longer one without its middle.
void svg_add_text(svg_canvas *c, svg_font font, int64_t x, int64_t y, hoist_str text,
                  size_t columns);
// The same around `x`.
void svg_add_middle(svg_canvas *c, svg_font font, int64_t x, int64_t y, hoist_str text,
                    size_t columns);
// The same with its end at `x`.
void svg_add_end(svg_canvas *c, svg_font font, int64_t x, int64_t y, hoist_str text,
                 size_t columns);
// A straight line of a class.
void svg_add_line(svg_canvas *c, int64_t x1, int64_t y1, int64_t x2, int64_t y2, const char *class);
// A section that is a heading, and one that is a sentence.
void svg_heading(svg_canvas *c, svg_font font, hoist_str text);
void svg_sentence(svg_canvas *c, const char *text);
// Opens a group whose tooltip is `tip`, raw text; svg_add_close() ends it.
void svg_add_open(svg_canvas *c, const char *class, hoist_str tip);
void svg_add_close(svg_canvas *c);

// The document: what comes before the elements of a canvas of that size, and after them.
void svg_document_begin(hoist_buffer *out, int64_t width, int64_t height, hoist_str title);
void svg_document_end(hoist_buffer *out);

// The class of a box: color and kind. svg_flow.c
const char *svg_box_class(const flow_box *box);
// A number as text, in `buffer`.
hoist_str svg_number(char buffer[24], int64_t number);

// The sections. Each returns HOIST_OK, HOIST_NO_MEMORY or the deadline's status.

// Boxes and lines of a graph. svg_flow.c
HOIST_NODISCARD hoist_status svg_flow(svg_canvas *c, const hoist_picture_graph *graph,
                                      const flow_view *view);
// The steps of a graph on its grid, when it has one. svg_grid.c
HOIST_NODISCARD hoist_status svg_grid(svg_canvas *c, const hoist_picture_graph *graph);
// The tiles of a graph that has such, and those of each step. svg_tiles.c
HOIST_NODISCARD hoist_status svg_tiles(svg_canvas *c, const hoist_picture_graph *graph);
// Lanes with their items, and signals across them. svg_lanes.c
HOIST_NODISCARD hoist_status svg_lanes(svg_canvas *c, const hoist_picture_graph *graph);
// Memory by use of a graph. svg_memory.c
HOIST_NODISCARD hoist_status svg_areas(svg_canvas *c, const hoist_picture *picture, size_t graph);
// Memory by address. svg_memory.c
HOIST_NODISCARD hoist_status svg_channels(svg_canvas *c, const hoist_picture *picture);

// Memory that steps share: what is where, over time. svg_lives.c
HOIST_NODISCARD hoist_status svg_lives(svg_canvas *c, const hoist_picture *picture);

// Texts of rows, in the canvas's arena; data NULL: out of memory.

// "graph x, chip 0, epoch 1": title, name, and phrases.
hoist_str svg_graph_name(svg_canvas *c, const hoist_picture_graph *graph);
// The attributes that people see of a node, in one line: "INT8 1x8x300".
hoist_str svg_node_detail(svg_canvas *c, const hoist_picture_graph *graph, size_t node);
// Name, kind and all attributes, a line each.
hoist_str svg_node_tip(svg_canvas *c, const hoist_picture_graph *graph, size_t node);

#endif // HOIST_SRC_PICTURE_SVG_H
