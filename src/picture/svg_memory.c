// Memory (svg.h): of an area a bar of its uses, and of pads their slices by offset; of channels a
// bar by address for each, those of a chip on one scale. Ranges that overlap are in rows below each
// other; what is narrower than a unit and next to the same is drawn once.
#include <inttypes.h>

#include "base/size_text.h"
#include "base/span.h"
#include "picture/svg.h"
#include "picture/xml_text.h"

enum {
    LABEL = 110, // units at the left of bars
    BAR = SVG_SPAN - LABEL - 80,
    BAR_HEIGHT = 22,
    ROW = 24,
    MOST_ROWS = 6,
    USE_ROW = 18,
    USE_MOST = 40, // columns
};

static const char *const classes[] = {"n c0", "n c1", "n c2", "n c3", "n c4", "n c5", "n c6"};
static const hoist_str no_tip = {NULL, 0};

// Units of `part` of `whole`, which is not 0; exact enough, and never too many.
static int64_t scaled(uint64_t part, uint64_t whole)
{
    if (part >= whole) {
        return BAR;
    }
    return (int64_t)((double)part / (double)whole * BAR);
}

static hoist_str size_words(svg_canvas *c, uint64_t bytes)
{
    const hoist_size_text size = hoist_size_text_of(bytes);
    const hoist_str text = hoist_arena_format(c->arena, "%s %s", size.number, size.unit);
    c->out->failed = c->out->failed || !text.data;
    return text.data ? text : HOIST_STR("");
}

// Ranges by address -------------------------------------------------------------------------------

typedef struct range_rows {
    svg_canvas *c;
    uint64_t begin; // the address at the left of the bar
    uint64_t whole; // bytes of it
    struct {
        uint64_t end;  // of the ranges of a row, in bytes after `begin`
        int64_t drawn; // and in units
    } taken[MOST_ROWS];
    int rows; // in use
} range_rows;

// The first row that is free at `start`; the last one when none is.
static int row_for(range_rows *r, uint64_t start)
{
    int row = 0;
    while (row + 1 < MOST_ROWS && r->taken[row].end > start) {
        row++;
    }
    r->rows = row + 1 > r->rows ? row + 1 : r->rows;
    return row;
}

static void draw_range(range_rows *r, const hoist_picture_range *range, size_t color)
{
    // Nothing is taken from the file as it is: start and end are within the bar, whatever they
    // are.
    const uint64_t begin = range->start > r->begin ? range->start - r->begin : 0;
    const uint64_t start = begin < r->whole ? begin : r->whole;
    const uint64_t left = r->whole - start;
    const uint64_t end = start + (range->size < left ? range->size : left);
    const int row = row_for(r, start);
    const int64_t drawn = r->taken[row].drawn;
    // A range begins where the one before it in this row has ended in the drawing, at the
    // earliest.
    const int64_t x = scaled(start, r->whole) > drawn ? scaled(start, r->whole) : drawn;
    const int64_t right = scaled(end, r->whole) > x ? scaled(end, r->whole) : x + 1;
    r->taken[row].end = end > r->taken[row].end ? end : r->taken[row].end;
    if (right - x == 1 && scaled(start, r->whole) < drawn) {
        return; // in the unit of the range before
    }
    const svg_rect rect = {LABEL + x, (int64_t)row * ROW, right - x, BAR_HEIGHT};
    const hoist_size_text words = hoist_size_text_of(range->size);
    const hoist_str tip = hoist_arena_format(
        r->c->arena, "%.*s\n%.*s\n0x%" PRIx64 ", %s %s", HOIST_STR_ARGS(range->name),
        HOIST_STR_ARGS(range->type), range->start, words.number, words.unit);
    r->c->out->failed = r->c->out->failed || !tip.data;
    svg_add_open(r->c, "", tip);
    svg_add_rect(r->c, rect, rect.width > 6 ? 2 : 0, classes[color % (HOIST_COUNT_OF(classes) - 1)],
                 no_tip);
    svg_add_middle(r->c, SVG_SMALL, rect.x + rect.width / 2, rect.y + 15, range->name,
                   svg_columns_in(SVG_SMALL, rect.width - 6));
    svg_add_close(r->c);
    r->taken[row].drawn = right;
}

static void draw_frame(svg_canvas *c)
{
    svg_add_rect(c, (svg_rect){LABEL, 0, BAR, BAR_HEIGHT}, 0, "o", no_tip);
}

// Pads --------------------------------------------------------------------------------------------

static hoist_status draw_pad(svg_canvas *c, const hoist_picture_pad *pad)
{
    range_rows r = {.c = c, .whole = pad->extent ? pad->extent : 1};
    svg_begin(c);
    draw_frame(c);
    svg_add_text(c, SVG_SMALL, 0, 15, pad->name.size ? pad->name : HOIST_STR("scratchpad"),
                 svg_columns_in(SVG_SMALL, LABEL - 8));
    for (size_t i = 0; i < pad->count; i++) {
        HOIST_TRY(hoist_deadline_look(c->view->deadline));
        draw_range(&r, &pad->ranges[i], i);
    }
    svg_add_text(c, SVG_SMALL, LABEL + BAR + 8, 15, size_words(c, pad->extent), 12);
    svg_end(c, SVG_SPAN, (int64_t)(r.rows ? r.rows : 1) * ROW - 14);
    return HOIST_OK;
}

// Areas -------------------------------------------------------------------------------------------

static void draw_uses(svg_canvas *c, const hoist_picture_memory *m, uint64_t whole)
{
    int64_t x = 0;
    for (size_t i = 0; i < m->use_count; i++) {
        const int64_t width = scaled(m->uses[i].bytes, whole);
        const int64_t fits = width < BAR - x ? width : BAR - x;
        // A use of few bytes has one unit, while there is space.
        const int64_t least = m->uses[i].bytes && fits < 1 && x < BAR ? 1 : fits;
        if (least > 0) {
            svg_add_rect(c, (svg_rect){LABEL + x, 0, least, BAR_HEIGHT}, 0,
                         classes[i % HOIST_COUNT_OF(classes)], hoist_str_from(m->uses[i].title));
            x += least;
        }
    }
}

// The legend below a bar, a row for each use; returns how far down it goes.
static int64_t draw_use_list(svg_canvas *c, const hoist_picture_memory *m)
{
    int64_t y = BAR_HEIGHT + 10;
    for (size_t i = 0; i < m->use_count; i++) {
        if (m->uses[i].bytes == 0) {
            continue;
        }
        svg_add_rect(c, (svg_rect){LABEL, y, 14, 12}, 2, classes[i % HOIST_COUNT_OF(classes)],
                     no_tip);
        svg_add_text(c, SVG_SMALL, LABEL + 22, y + 10, hoist_str_from(m->uses[i].title), USE_MOST);
        svg_add_end(c, SVG_SMALL, LABEL + 260, y + 10, size_words(c, m->uses[i].bytes), USE_MOST);
        y += USE_ROW;
    }
    return y;
}

static hoist_status draw_area(svg_canvas *c, const hoist_picture_memory *m)
{
    const uint64_t total = hoist_picture_total(m);
    const uint64_t most = total > m->capacity ? total : m->capacity;
    const hoist_str size = size_words(c, total);
    const hoist_str capacity = size_words(c, m->capacity);
    const hoist_str heading =
        m->capacity
            ? hoist_arena_format(c->arena, "memory %s, %.*s of %.*s", m->name, HOIST_STR_ARGS(size),
                                 HOIST_STR_ARGS(capacity))
            : hoist_arena_format(c->arena, "memory %s, %.*s", m->name, HOIST_STR_ARGS(size));
    c->out->failed = c->out->failed || !heading.data;
    svg_heading(c, SVG_HEADING, heading);
    svg_begin(c);
    draw_frame(c);
    draw_uses(c, m, most ? most : 1);
    svg_end(c, SVG_SPAN, draw_use_list(c, m) - 8);
    for (size_t i = 0; i < m->pad_count; i++) {
        HOIST_TRY(draw_pad(c, &m->pads[i]));
    }
    return HOIST_OK;
}

hoist_status svg_areas(svg_canvas *c, const hoist_picture *picture, size_t graph)
{
    for (size_t i = 0; i < picture->memory_count; i++) {
        const hoist_picture_memory *const m = &picture->memories[i];
        if (!m->is_channel && m->graph_index == graph) {
            HOIST_TRY(draw_area(c, m));
        }
    }
    return HOIST_OK;
}

// Channels ----------------------------------------------------------------------------------------

static bool is_scale_shared(const hoist_picture_memory *a, const hoist_picture_memory *b)
{
    return b->is_channel && a->chip == b->chip &&
           hoist_str_equal_c(hoist_str_from(a->name), b->name);
}

// Addresses of the channels of one memory of a chip, which have the same scale.
typedef struct address_scale {
    uint64_t begin;
    uint64_t end;
} address_scale;

static address_scale scale_of(const hoist_picture_memory *m)
{
    address_scale s = {m->end, m->end};
    for (size_t i = 0; i < m->range_count; i++) {
        s.begin = m->ranges[i].start < s.begin ? m->ranges[i].start : s.begin;
    }
    return s;
}

static hoist_status draw_channel(svg_canvas *c, const hoist_picture_memory *m, address_scale scale)
{
    const uint64_t whole = scale.end > scale.begin ? scale.end - scale.begin : 1;
    range_rows r = {.c = c, .begin = scale.begin, .whole = whole};
    const hoist_str name = hoist_arena_format(c->arena, "%s %" PRId64, m->name, m->channel);
    c->out->failed = c->out->failed || !name.data;
    svg_begin(c);
    draw_frame(c);
    svg_add_text(c, SVG_TEXT, 0, 15, name, svg_columns_in(SVG_TEXT, LABEL - 8));
    for (size_t i = 0; i < m->range_count; i++) {
        HOIST_TRY(hoist_deadline_look(c->view->deadline));
        draw_range(&r, &m->ranges[i], m->ranges[i].owner);
    }
    svg_add_text(c, SVG_SMALL, LABEL + BAR + 8, 15, size_words(c, m->used), 12);
    svg_end(c, SVG_SPAN, (int64_t)(r.rows ? r.rows : 1) * ROW - 14);
    return HOIST_OK;
}

static void draw_scale(svg_canvas *c, address_scale scale)
{
    const hoist_str begin = hoist_arena_format(c->arena, "0x%" PRIx64, scale.begin);
    const hoist_str end = hoist_arena_format(c->arena, "0x%" PRIx64, scale.end);
    c->out->failed = c->out->failed || !begin.data || !end.data;
    svg_begin(c);
    svg_add_text(c, SVG_SMALL, LABEL, 4, begin, 24);
    svg_add_end(c, SVG_SMALL, LABEL + BAR, 4, end, 24);
    svg_end(c, SVG_SPAN, 8);
}

// Channels [begin, end).
static hoist_status draw_chip(svg_canvas *c, const hoist_picture *picture, size_t begin, size_t end)
{
    const hoist_picture_memory *const first = &picture->memories[begin];
    address_scale scale = scale_of(first);
    const hoist_str heading =
        hoist_arena_format(c->arena, "memory of chip %" PRId64 ", %s", first->chip, first->name);
    c->out->failed = c->out->failed || !heading.data;
    for (size_t i = begin + 1; i < end; i++) {
        const address_scale one = scale_of(&picture->memories[i]);
        scale.begin = one.begin < scale.begin ? one.begin : scale.begin;
        scale.end = one.end > scale.end ? one.end : scale.end;
    }
    svg_heading(c, SVG_HEADING, heading);
    for (size_t i = begin; i < end; i++) {
        HOIST_TRY(draw_channel(c, &picture->memories[i], scale));
    }
    draw_scale(c, scale);
    return HOIST_OK;
}

hoist_status svg_channels(svg_canvas *c, const hoist_picture *picture)
{
    for (size_t i = 0, end = 0; i < picture->memory_count; i = end) {
        const hoist_picture_memory *const first = &picture->memories[i];
        for (end = i + 1; end < picture->memory_count && first->is_channel &&
                          is_scale_shared(first, &picture->memories[end]);
             end++) {
        }
        if (first->is_channel) {
            HOIST_TRY(draw_chip(c, picture, i, end));
        }
    }
    return HOIST_OK;
}
