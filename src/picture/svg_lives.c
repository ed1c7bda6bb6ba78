// Memory that steps share (svg.h): of each thread or function a rectangle for what it has in its
// memory, from left to right the time, from below to above the address.
#include <inttypes.h>

#include "base/size_text.h"
#include "base/span.h"
#include "picture/svg.h"

enum {
    LABEL = 110, // units at the left of the map
    WIDE = SVG_SPAN - LABEL - 20,
    HIGH = 200,
    LINE = 11, // least units of a rectangle that has a name
};

static const char *const classes[] = {"n c0", "n c1", "n c2", "n c3", "n c4", "n c5"};

// Three digits and a unit.
static hoist_str seconds_words(svg_canvas *c, double seconds)
{
    static const struct {
        double least, factor;
        const char *unit;
    } units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
    size_t at = 0;
    while (seconds < units[at].least) {
        at++;
    }
    return hoist_arena_format(c->arena, "%.3g %s", seconds * units[at].factor, units[at].unit);
}

// A point in time as people read it: seconds since the beginning, or the number of a step.
static hoist_str moment(svg_canvas *c, const hoist_picture_sharing *sharing, double at)
{
    return sharing->is_timed ? seconds_words(c, at - sharing->begin)
                             : hoist_arena_format(c->arena, "step %.0f", at);
}

// Steps end where the next one begins.
static double last_of(const hoist_picture_sharing *sharing, double end)
{
    return sharing->is_timed ? end : end - 1;
}

// Units of a part, rounded; nothing of a whole that is nothing.
static int64_t part_of(double part, double whole, int64_t units)
{
    return whole > 0 ? (int64_t)(part / whole * (double)units + 0.5) : 0;
}

// A rectangle of one unit at least each way, as what is small has a tooltip, too.
static void draw_life(svg_canvas *c, const hoist_picture_sharing *sharing, size_t number)
{
    const hoist_picture_life *const life = &sharing->lives[number];
    const double span = sharing->end - sharing->begin;
    const double size = (double)sharing->size;
    const int64_t x = LABEL + part_of(life->begin - sharing->begin, span, WIDE);
    const int64_t right = LABEL + part_of(life->end - sharing->begin, span, WIDE);
    const int64_t below = HIGH - part_of((double)life->offset, size, HIGH);
    const int64_t top = HIGH - part_of((double)(life->offset + life->size), size, HIGH);
    const svg_rect rect = {x, top, right > x ? right - x : 1, below > top ? below - top : 1};
    const hoist_size_text words = hoist_size_text_of(life->size);
    const hoist_str begin = moment(c, sharing, life->begin);
    const hoist_str end = moment(c, sharing, last_of(sharing, life->end));
    const hoist_str tip = hoist_arena_format(
        c->arena, "%.*s\n%s %s at %" PRIu64 "\n%.*s to %.*s", HOIST_STR_ARGS(life->name),
        words.number, words.unit, life->offset, HOIST_STR_ARGS(begin), HOIST_STR_ARGS(end));
    svg_add_open(c, "", tip);
    svg_add_rect(c, rect, 0, classes[number % HOIST_COUNT_OF(classes)], (hoist_str){NULL, 0});
    if (rect.height >= LINE) {
        svg_add_middle(c, SVG_SMALL, rect.x + rect.width / 2, top + rect.height / 2 + 4, life->name,
                       svg_columns_in(SVG_SMALL, rect.width - 6));
    }
    svg_add_close(c);
}

static void draw_scales(svg_canvas *c, const hoist_picture_sharing *sharing)
{
    const hoist_size_text size = hoist_size_text_of(sharing->size);
    const int64_t right = LABEL + WIDE;
    svg_add_end(c, SVG_SMALL, LABEL - 8, 10,
                hoist_arena_format(c->arena, "%s %s", size.number, size.unit), 14);
    svg_add_end(c, SVG_SMALL, LABEL - 8, HIGH, HOIST_STR("0 B"), 14);
    svg_add_text(c, SVG_SMALL, LABEL, HIGH + 14, moment(c, sharing, sharing->begin), 14);
    svg_add_end(c, SVG_SMALL, right, HIGH + 14, moment(c, sharing, last_of(sharing, sharing->end)),
                14);
}

static hoist_status draw_sharing(svg_canvas *c, const hoist_picture_sharing *sharing)
{
    const hoist_str heading = hoist_arena_format(
        c->arena, "memory that the steps of %.*s share, %s", HOIST_STR_ARGS(sharing->name),
        sharing->is_timed ? "over the estimated time" : "step by step");
    svg_heading(c, SVG_HEADING, heading);
    svg_begin(c);
    svg_add_rect(c, (svg_rect){LABEL, 0, WIDE, HIGH}, 0, "o", (hoist_str){NULL, 0});
    for (size_t i = 0; i < sharing->count; i++) {
        HOIST_TRY(hoist_deadline_look(c->view->deadline));
        draw_life(c, sharing, i);
    }
    draw_scales(c, sharing);
    svg_end(c, SVG_SPAN, HIGH + 18);
    return hoist_arena_status(c->arena, HOIST_OK);
}

hoist_status svg_lives(svg_canvas *c, const hoist_picture *picture)
{
    for (size_t i = 0; i < picture->sharing_count; i++) {
        HOIST_TRY(draw_sharing(c, &picture->sharings[i]));
    }
    return HOIST_OK;
}
