// The flow of data as boxes and arrows (svg.h): a legend of the sorts of steps, then the layout of
// flow_graph.h's boxes by layout.h. Steps are rectangles in the color of their sort, places have
// round ends, what moves data has heavy lines, groups a second frame.
#include <inttypes.h>

#include "base/size_text.h"
#include "base/span.h"
#include "picture/layout.h"
#include "picture/svg.h"
#include "picture/xml_text.h"

enum {
    NAME_MOST = 28, // columns
    DETAIL_MOST = 40,
    PAD_X = 10,
    LEAST_WIDTH = 44,
    FIRST_LINE = 17, // baseline
    NEXT_LINE = 13,
    BELOW = 9,
    GAP_X = 26,
    GAP_Y = 34,
    LEGEND_ROW = 22,
    LEGEND_MOST = 560, // units of a row
    MOST_LINES = 3,
};

typedef struct box_text {
    hoist_str lines[MOST_LINES]; // borrowed, or of the arena of the canvas
    int count;
} box_text;

typedef struct flow_drawing {
    svg_canvas *c;
    const flow_graph *flow;
    box_text *texts;
    hoist_layout_size *sizes;
    hoist_layout out;
} flow_drawing;

// Texts of boxes ----------------------------------------------------------------------------------

// A line of a box, when it says anything and there is space.
static void add_line_of(box_text *text, hoist_str line)
{
    if (line.size && text->count < MOST_LINES) {
        text->lines[text->count++] = line;
    }
}

// The lines of a box: its name, then what it is, most important first.
static void find_text(flow_drawing *d, size_t box)
{
    const flow_box *const b = &d->flow->boxes[box];
    const hoist_picture_node *const node = &d->flow->graph->nodes[b->node];
    box_text *const text = &d->texts[box];
    add_line_of(text, b->name.size ? b->name : HOIST_STR("(no name)"));
    if (b->is_group) {
        const hoist_str count = hoist_arena_format(d->c->arena, "%zu %s", b->count,
                                                   hoist_plural(b->count, "node", "nodes"));
        d->c->out->failed = d->c->out->failed || !count.data;
        add_line_of(text, count);
        return;
    }
    if (node->sort.size && !hoist_str_equal(node->sort, node->name)) {
        add_line_of(text, node->sort);
    }
    if (b->role == HOIST_PICTURE_LOST) {
        add_line_of(text, HOIST_STR("unknown"));
    }
    if (node->is_foreign && node->graph.data) {
        add_line_of(text, hoist_arena_format(d->c->arena, "of %.*s", HOIST_STR_ARGS(node->graph)));
    }
    add_line_of(text, svg_node_detail(d->c, d->flow->graph, b->node));
}

// As large as its lines need. An even width has its middle on a whole unit.
static hoist_layout_size size_of(const box_text *text)
{
    int64_t width = LEAST_WIDTH;
    for (int i = 0; i < text->count; i++) {
        const svg_font font = i == 0 ? SVG_TEXT : SVG_SMALL;
        const size_t most = i == 0 ? NAME_MOST : DETAIL_MOST;
        const int64_t line = svg_columns_width(font, hoist_markup_columns(text->lines[i], most)) +
                             (int64_t)2 * PAD_X;
        width = line > width ? line : width;
    }
    return (hoist_layout_size){(int32_t)(width + width % 2),
                               FIRST_LINE + NEXT_LINE * (text->count - 1) + BELOW};
}

static hoist_status find_texts(flow_drawing *d)
{
    const size_t count = d->flow->box_count;
    d->texts = hoist_arena_array(d->c->arena, count, sizeof(*d->texts));
    d->sizes = hoist_arena_array(d->c->arena, count, sizeof(*d->sizes));
    if (!d->texts || !d->sizes) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        HOIST_TRY(hoist_deadline_look(d->c->view->deadline));
        find_text(d, i);
        d->sizes[i] = size_of(&d->texts[i]);
    }
    return HOIST_OK;
}

// Boxes -------------------------------------------------------------------------------------------

const char *svg_box_class(const flow_box *box)
{
    static const char *const colors[] = {"n c0", "n c1", "n c2", "n c3", "n c4", "n c5", "n c6"};
    _Static_assert(HOIST_COUNT_OF(colors) == FLOW_COLORS + 1, "a class for each color");
    switch (box->role) {
    case HOIST_PICTURE_STEP:
        return colors[box->color];
    case HOIST_PICTURE_ITEM:
        return "n c7 w";
    case HOIST_PICTURE_LOST:
        return "n p d";
    default:
        return "n p";
    }
}

static void draw_box(const flow_drawing *d, size_t index)
{
    static const hoist_str no_tip = {NULL, 0};
    const flow_box *const box = &d->flow->boxes[index];
    const box_text *const text = &d->texts[index];
    const hoist_layout_point at = d->out.nodes[index];
    const hoist_layout_size size = d->sizes[index];
    const svg_rect rect = {at.x, at.y, size.width, size.height};
    const bool is_place = box->role == HOIST_PICTURE_PLACE;
    svg_add_open(d->c, "",
                 box->is_group ? box->name : svg_node_tip(d->c, d->flow->graph, box->node));
    // A radius of half the height makes both ends round.
    svg_add_rect(d->c, rect, is_place ? size.height / 2 : 4, svg_box_class(box), no_tip);
    if (box->is_group) {
        const svg_rect inner = {at.x + 3, at.y + 3, size.width - 6, size.height - 6};
        svg_add_rect(d->c, inner, is_place ? size.height / 2 - 3 : 2, "e", no_tip);
    }
    for (int i = 0; i < text->count; i++) {
        svg_add_middle(d->c, i == 0 ? SVG_TEXT : SVG_SMALL, at.x + size.width / 2,
                       at.y + FIRST_LINE + (int64_t)NEXT_LINE * i, text->lines[i],
                       i == 0 ? NAME_MOST : DETAIL_MOST);
    }
    svg_add_close(d->c);
}

// Arrows ------------------------------------------------------------------------------------------

// From a to b: upright at both ends, as the control points are right below a and above b.
static void add_curve(hoist_buffer *out, hoist_layout_point a, hoist_layout_point b)
{
    const int64_t middle = a.y + (b.y - a.y) / 2;
    if (a.x == b.x) {
        hoist_buffer_format(out, "V%" PRId64, b.y);
    } else {
        hoist_buffer_format(out,
                            "C%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
                            a.x, middle, b.x, middle, b.x, b.y);
    }
}

// An arrow along the points of its route, with what it stands for as a tooltip.
static void draw_line(const flow_drawing *d, size_t index)
{
    const flow_line *const line = &d->flow->lines[index];
    const hoist_layout_route *const route = &d->out.routes[index];
    const hoist_layout_point *const points = &d->out.points[route->first];
    hoist_buffer *const out = d->c->out;
    hoist_buffer_format(
        out, "<path class=\"%s\" marker-end=\"url(#hoist-arrow)\" d=\"M%" PRId64 " %" PRId64,
        route->is_back ? "e d" : "e", points[0].x, points[0].y);
    for (size_t i = 1; i < route->count; i++) {
        if (route->way == HOIST_LAYOUT_CURVE) {
            add_curve(out, points[i - 1], points[i]);
        } else {
            hoist_buffer_format(out, "L%" PRId64 " %" PRId64, points[i].x, points[i].y);
        }
    }
    hoist_buffer_c(out, "\"");
    if (line->bytes > 0) {
        const hoist_size_text size = hoist_size_text_of(line->bytes);
        hoist_buffer_format(out, "><title>%s %s</title></path>\n", size.number, size.unit);
    } else if (line->count > 1) {
        hoist_buffer_format(out, "><title>%zu edges</title></path>\n", line->count);
    } else {
        hoist_buffer_c(out, "/>\n");
    }
}

// The legend --------------------------------------------------------------------------------------

typedef struct legend {
    svg_canvas *c;
    int64_t x, y;
    int64_t width; // of the longest row
} legend;

// An entry of the legend, in the next row when this one is full.
static void add_entry(legend *l, const char *class, hoist_str name, size_t count)
{
    const hoist_str text =
        hoist_arena_format(l->c->arena, "%.*s \xc3\x97%zu", HOIST_STR_ARGS(name), count);
    const int64_t width =
        34 + svg_columns_width(SVG_SMALL, hoist_markup_columns(text, DETAIL_MOST));
    l->c->out->failed = l->c->out->failed || !text.data;
    if (l->x > 0 && l->x + width > LEGEND_MOST) {
        l->x = 0;
        l->y += LEGEND_ROW;
    }
    svg_add_rect(l->c, (svg_rect){l->x, l->y, 14, 12}, 2, class, (hoist_str){NULL, 0});
    svg_add_text(l->c, SVG_SMALL, l->x + 20, l->y + 10, text, DETAIL_MOST);
    l->x += width;
    l->width = l->x > l->width ? l->x : l->width;
}

static void draw_legend(svg_canvas *c, const flow_graph *flow, const flow_palette *palette)
{
    legend l = {.c = c};
    bool is_any = false;
    for (size_t i = 0; i <= FLOW_COLORS; i++) {
        is_any = is_any || flow->counts[i] > 0;
    }
    if (!is_any) {
        return;
    }
    svg_begin(c);
    for (size_t i = 0; i <= FLOW_COLORS; i++) {
        const flow_box box = {.role = HOIST_PICTURE_STEP, .color = (unsigned)i};
        const hoist_str name = i < FLOW_COLORS ? palette->sorts[i] : HOIST_STR("others");
        if (flow->counts[i]) {
            add_entry(&l, svg_box_class(&box), name, flow->counts[i]);
        }
    }
    svg_end(c, l.width, l.y + LEGEND_ROW - 8);
}

// ------------------------------------------------------------------------------------------------

static hoist_status find_layout(flow_drawing *d)
{
    const flow_graph *const flow = d->flow;
    hoist_layout_link *const links =
        hoist_arena_array(d->c->arena, flow->line_count, sizeof(*links));
    if (!links) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < flow->line_count; i++) {
        links[i] = (hoist_layout_link){flow->lines[i].from, flow->lines[i].to};
    }
    const hoist_layout_input in = {.sizes = d->sizes,
                                   .links = links,
                                   .node_count = flow->box_count,
                                   .link_count = flow->line_count,
                                   .gap_x = GAP_X,
                                   .gap_y = GAP_Y,
                                   .deadline = d->c->view->deadline};
    return hoist_layout_find(&in, d->c->arena, &d->out);
}

hoist_status svg_flow(svg_canvas *c, const hoist_picture_graph *graph, const flow_view *view)
{
    flow_graph flow;
    HOIST_TRY(flow_graph_find(graph, view, c->arena, &flow));
    if (flow.box_count == 0) {
        svg_sentence(c, "No flow of data is known of it.");
        return HOIST_OK;
    }
    flow_drawing d = {.c = c, .flow = &flow};
    HOIST_TRY(find_texts(&d));
    HOIST_TRY(find_layout(&d));
    draw_legend(c, &flow, &view->palette);
    // Lines first, so that boxes cover what goes below them.
    svg_begin(c);
    for (size_t i = 0; i < flow.line_count; i++) {
        HOIST_TRY(hoist_deadline_look(view->deadline));
        draw_line(&d, i);
    }
    for (size_t i = 0; i < flow.box_count; i++) {
        HOIST_TRY(hoist_deadline_look(view->deadline));
        draw_box(&d, i);
    }
    svg_end(c, d.out.width, d.out.height);
    return HOIST_OK;
}
