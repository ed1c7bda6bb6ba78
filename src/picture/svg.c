// Elements of an SVG drawing, and its frame (svg.h). The colors are those of Okabe and Ito ("Color
// Universal Design", 2008), which the color-blind distinguish, mixed with the background for areas;
// every area has a text, too, so that nothing depends on them. Declarations come twice, once
// without variables, for readers of SVG that have none.
#include "picture/svg.h"

#include <inttypes.h>

#include "base/span.h"
#include "picture/xml_text.h"

enum { MARGIN = 24, SECTION_GAP = 22, COLUMN_GAP = 36, HEADING_MOST = 84 };

// Tenths of a unit that a column of a font takes, and the class.
static const struct {
    int tenths;
    const char *class;
} fonts[SVG_FONT_COUNT] = {
    [SVG_TEXT] = {73, "t"},
    [SVG_SMALL] = {61, "s"},
    [SVG_HEADING] = {80, "h"},
    [SVG_TITLE] = {104, "g"},
};

static const char style[] =
    ".hoist{--bg:#fff;--ink:#1b1f24;--dim:#57606a;--line:#6e7781;--soft:#d0d7de;--none:#f3f5f7;"
    "--f0:#d6e8f3;--f1:#fbeccc;--f2:#cdebe3;--f3:#f5e4ed;--f4:#dff1fb;--f5:#f8dfcc;--f6:#eaeef2;"
    "--f7:#fcfad6;"
    "--s0:#0072b2;--s1:#b87d00;--s2:#009e73;--s3:#b05a8c;--s4:#3d94c6;--s5:#d55e00;--s6:#6e7781;"
    "--s7:#8f8700}\n"
    "@media (prefers-color-scheme:dark){.hoist{--bg:#14181d;--ink:#e6edf3;--dim:#9da7b1;"
    "--line:#8b949e;--soft:#3a424c;--none:#1d232a;"
    "--f0:#12374e;--f1:#4a3a12;--f2:#0f3f33;--f3:#47303f;--f4:#1f3f52;--f5:#4d2a12;--f6:#2a3139;"
    "--f7:#3f3d15;"
    "--s0:#4ba3dc;--s1:#e69f00;--s2:#2bc297;--s3:#dd95bb;--s4:#7cc6f0;--s5:#f08a45;--s6:#8b949e;"
    "--s7:#f0e442}}\n"
    "@media print{.hoist{--bg:#fff;--ink:#000;--dim:#333;--line:#444;--soft:#bbb;--none:#f3f5f7;"
    "--f0:#d6e8f3;--f1:#fbeccc;--f2:#cdebe3;--f3:#f5e4ed;--f4:#dff1fb;--f5:#f8dfcc;--f6:#eaeef2;"
    "--f7:#fcfad6;"
    "--s0:#0072b2;--s1:#b87d00;--s2:#009e73;--s3:#b05a8c;--s4:#3d94c6;--s5:#d55e00;--s6:#6e7781;"
    "--s7:#8f8700}}\n"
    ".hoist text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
    "fill:#1b1f24;fill:var(--ink);direction:ltr;unicode-bidi:isolate;white-space:pre}\n"
    ".hoist .t{font-size:12px}.hoist .s{font-size:10px;fill:#57606a;fill:var(--dim)}"
    ".hoist .h{font-size:13px;font-weight:bold}.hoist .g{font-size:17px;font-weight:bold}"
    ".hoist .m{text-anchor:middle}.hoist .r{text-anchor:end}\n"
    ".hoist .bg{fill:#fff;fill:var(--bg)}"
    ".hoist .n{stroke-width:1.3}"
    ".hoist .c0{fill:#d6e8f3;fill:var(--f0);stroke:#0072b2;stroke:var(--s0)}"
    ".hoist .c1{fill:#fbeccc;fill:var(--f1);stroke:#b87d00;stroke:var(--s1)}"
    ".hoist .c2{fill:#cdebe3;fill:var(--f2);stroke:#009e73;stroke:var(--s2)}"
    ".hoist .c3{fill:#f5e4ed;fill:var(--f3);stroke:#b05a8c;stroke:var(--s3)}"
    ".hoist .c4{fill:#dff1fb;fill:var(--f4);stroke:#3d94c6;stroke:var(--s4)}"
    ".hoist .c5{fill:#f8dfcc;fill:var(--f5);stroke:#d55e00;stroke:var(--s5)}"
    ".hoist .c6{fill:#eaeef2;fill:var(--f6);stroke:#6e7781;stroke:var(--s6)}"
    ".hoist .c7{fill:#fcfad6;fill:var(--f7);stroke:#8f8700;stroke:var(--s7)}\n"
    ".hoist .p{fill:#fff;fill:var(--bg);stroke:#6e7781;stroke:var(--line)}"
    ".hoist .d{stroke-dasharray:5 3}.hoist .w{stroke-width:2.4}"
    ".hoist .o{fill:#f3f5f7;fill:var(--none);stroke:#d0d7de;stroke:var(--soft)}"
    ".hoist .e{fill:none;stroke:#6e7781;stroke:var(--line);stroke-width:1.3}"
    ".hoist .x{fill:none;stroke:#d0d7de;stroke:var(--soft);stroke-width:1}"
    ".hoist .a{fill:#6e7781;fill:var(--line);stroke:none}";

// Sections ----------------------------------------------------------------------------------------

void svg_begin(svg_canvas *c)
{
    // All that is written until svg_end() is in this group, with (0, 0) where the section begins.
    hoist_buffer_format(c->out, "<g transform=\"translate(%" PRId64 " %" PRId64 ")\">\n",
                        c->left + MARGIN, c->height + MARGIN);
}

void svg_end(svg_canvas *c, int64_t width, int64_t height)
{
    hoist_buffer_c(c->out, "</g>\n");
    c->width = c->left + width > c->width ? c->left + width : c->width;
    c->height += height + SECTION_GAP;
}

svg_split svg_beside(svg_canvas *c, int64_t top)
{
    const svg_split split = {c->left, c->height};
    // Wide sections have the next ones below them, at the same left end.
    if (c->width - c->left <= SVG_BESIDE) {
        c->left = c->width + COLUMN_GAP;
        c->height = top;
    }
    return split;
}

void svg_join(svg_canvas *c, const svg_split *split)
{
    c->left = split->left;
    c->height = c->height > split->height ? c->height : split->height;
}

void svg_heading(svg_canvas *c, svg_font font, hoist_str text)
{
    const size_t columns = hoist_markup_columns(text, HEADING_MOST);
    svg_begin(c);
    svg_add_open(c, "", text);
    svg_add_text(c, font, 0, font == SVG_TITLE ? 16 : 12, text, HEADING_MOST);
    svg_add_close(c);
    svg_end(c, svg_columns_width(font, columns), font == SVG_TITLE ? 20 : 0);
}

void svg_sentence(svg_canvas *c, const char *text)
{
    const hoist_str words = hoist_str_from(text);
    svg_begin(c);
    svg_add_text(c, SVG_SMALL, 0, 6, words, SVG_TITLE_MOST);
    svg_end(c, svg_columns_width(SVG_SMALL, words.size), 8);
}

// Elements ----------------------------------------------------------------------------------------

int64_t svg_columns_width(svg_font font, size_t columns)
{
    return ((int64_t)columns * fonts[font].tenths + 9) / 10;
}

size_t svg_columns_in(svg_font font, int64_t width)
{
    return width > 0 ? (size_t)(width * 10 / fonts[font].tenths) : 0;
}

static void add_tip(svg_canvas *c, hoist_str tip)
{
    hoist_buffer_c(c->out, "<title>");
    for (size_t i = 0, end = 0; i < tip.size; i = end + 1) {
        for (end = i; end < tip.size && tip.data[end] != '\n'; end++) {
        }
        hoist_buffer_c(c->out, i ? "\n" : "");
        // Line by line, as a line break is none of the characters that a name may have.
        (void)hoist_markup_name(c->out, HOIST_MARKUP_XML, hoist_str_slice(tip, i, end - i),
                                SVG_TITLE_MOST);
    }
    hoist_buffer_c(c->out, "</title>");
}

void svg_add_rect(svg_canvas *c, svg_rect rect, int radius, const char *class, hoist_str tip)
{
    hoist_buffer_format(c->out,
                        "<rect class=\"%s\" x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
                        "\" height=\"%" PRId64 "\"",
                        class, rect.x, rect.y, rect.width, rect.height);
    if (radius > 0) {
        hoist_buffer_format(c->out, " rx=\"%d\"", radius);
    }
    if (tip.size == 0) {
        hoist_buffer_c(c->out, "/>\n");
        return;
    }
    hoist_buffer_char(c->out, '>');
    add_tip(c, tip);
    hoist_buffer_c(c->out, "</rect>\n");
}

// A text with its class and what `at` is of it: begin, middle or end.
static void add_text(svg_canvas *c, const char *class, const char *anchor, hoist_str text,
                     size_t columns, svg_rect at)
{
    if (text.size == 0 || columns < 4) {
        return; // there is no space for it
    }
    hoist_buffer_format(c->out, "<text class=\"%s%s\" x=\"%" PRId64 "\" y=\"%" PRId64 "\">", class,
                        anchor, at.x, at.y);
    (void)hoist_markup_name(c->out, HOIST_MARKUP_XML, text, columns);
    hoist_buffer_c(c->out, "</text>\n");
}

void svg_add_text(svg_canvas *c, svg_font font, int64_t x, int64_t y, hoist_str text,
                  size_t columns)
{
    add_text(c, fonts[font].class, "", text, columns, (svg_rect){.x = x, .y = y});
}

void svg_add_middle(svg_canvas *c, svg_font font, int64_t x, int64_t y, hoist_str text,
                    size_t columns)
{
    add_text(c, fonts[font].class, " m", text, columns, (svg_rect){.x = x, .y = y});
}

void svg_add_end(svg_canvas *c, svg_font font, int64_t x, int64_t y, hoist_str text, size_t columns)
{
    add_text(c, fonts[font].class, " r", text, columns, (svg_rect){.x = x, .y = y});
}

void svg_add_line(svg_canvas *c, int64_t x1, int64_t y1, int64_t x2, int64_t y2, const char *class)
{
    hoist_buffer_format(
        c->out, "<path class=\"%s\" d=\"M%" PRId64 " %" PRId64 "L%" PRId64 " %" PRId64 "\"/>\n",
        class, x1, y1, x2, y2);
}

void svg_add_open(svg_canvas *c, const char *class, hoist_str tip)
{
    // Without a class there is no attribute; the text is empty then.
    hoist_buffer_format(c->out, *class ? "<g class=\"%s\">" : "<g%s>", class);
    if (tip.size) {
        add_tip(c, tip);
    }
    hoist_buffer_char(c->out, '\n');
}

void svg_add_close(svg_canvas *c)
{
    hoist_buffer_c(c->out, "</g>\n");
}

// The document ------------------------------------------------------------------------------------

void svg_document_begin(hoist_buffer *out, int64_t width, int64_t height, hoist_str title)
{
    const int64_t all_width = width + (int64_t)2 * MARGIN;
    const int64_t all_height = height + (int64_t)2 * MARGIN;
    hoist_buffer_format(out,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hoist\" role=\"img\" "
                        "width=\"%" PRId64 "\" height=\"%" PRId64 "\" viewBox=\"0 0 %" PRId64
                        " %" PRId64 "\">\n<title>",
                        all_width, all_height, all_width, all_height);
    (void)hoist_markup_name(out, HOIST_MARKUP_XML, title, SVG_TITLE_MOST);
    hoist_buffer_c(out, "</title>\n<style>\n");
    hoist_buffer_c(out, style);
    hoist_buffer_c(out,
                   "\n</style>\n<defs><marker id=\"hoist-arrow\" viewBox=\"0 0 8 8\" refX=\"7\" "
                   "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" "
                   "orient=\"auto\"><path class=\"a\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n");
    hoist_buffer_format(out, "<rect class=\"bg\" width=\"%" PRId64 "\" height=\"%" PRId64 "\"/>\n",
                        all_width, all_height);
}

void svg_document_end(hoist_buffer *out)
{
    hoist_buffer_c(out, "</svg>\n");
}
