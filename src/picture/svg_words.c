// Texts of the rows of a picture for drawings in markup (svg.h): names of graphs, details and
// tooltips of nodes. They are raw: the writers of elements escape and shorten them.
#include <inttypes.h>
#include <stdio.h>

#include "base/size_text.h"
#include "base/span.h"
#include "picture/draw_text.h"
#include "picture/svg.h"

enum { MOST_ITEMS = 12 }; // of a list

hoist_str svg_number(char buffer[24], int64_t number)
{
    (void)snprintf(buffer, 24, "%" PRId64, number);
    return hoist_str_from(buffer);
}

// What is in the scratch buffer, as a text of the arena.
static hoist_str take_words(svg_canvas *c)
{
    const hoist_str text = c->words->failed
                               ? (hoist_str){NULL, 0}
                               : hoist_arena_str(c->arena, hoist_buffer_text(c->words));
    c->out->failed = c->out->failed || !text.data;
    return text.data ? text : HOIST_STR("");
}

// Keys as words: "runs on" for "runs_on".
static void add_key(hoist_buffer *out, const char *key)
{
    for (size_t i = 0; key[i]; i++) {
        hoist_buffer_char(out, (char)(key[i] == '_' ? ' ' : key[i]));
    }
}

// A shape, with a sign of multiplication between its numbers.
static void add_list(hoist_buffer *out, const hoist_picture_attr *attr)
{
    const size_t count = attr->value.list.count;
    if (count == 0) {
        hoist_buffer_c(out, "scalar");
    }
    for (size_t i = 0; i < count && i < MOST_ITEMS; i++) {
        hoist_buffer_format(out, i ? "\xc3\x97%" PRId64 : "%" PRId64, attr->value.list.items[i]);
    }
    hoist_buffer_c(out, count > MOST_ITEMS ? "\xc3\x97..." : "");
}

// The first SVG_TITLE_MOST bytes are more than is shown.
static void add_str(hoist_buffer *out, hoist_str text)
{
    for (size_t i = 0; i < text.size && i < SVG_TITLE_MOST; i++) {
        hoist_buffer_char(out, (char)(text.data[i] == '\n' ? ' ' : text.data[i]));
    }
}

// A value as people read it, with its unit.
static void add_value(hoist_buffer *out, const hoist_picture_attr *attr)
{
    switch (attr->kind) {
    case HOIST_TREE_STR:
        add_str(out, attr->value.str);
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, attr->value.boolean ? "yes" : "no");
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(out, "%" PRId64, attr->value.integer);
        break;
    case HOIST_TREE_UINT:
        if (attr->unit == HOIST_UNIT_BYTES) {
            const hoist_size_text size = hoist_size_text_of(attr->value.uinteger);
            hoist_buffer_format(out, "%s %s", size.number, size.unit);
        } else {
            hoist_buffer_format(out, "%" PRIu64, attr->value.uinteger);
        }
        break;
    case HOIST_TREE_FLOAT:
        hoist_draw_percent(out, attr->value.number);
        break;
    case HOIST_TREE_LIST:
        add_list(out, attr);
        break;
    default:
        hoist_buffer_c(out, "unknown");
        break;
    }
}

// What says nothing: null, false, and no items where that is not worth a phrase.
static bool is_empty(const hoist_picture_attr *attr)
{
    return attr->kind == HOIST_TREE_NULL ||
           (attr->kind == HOIST_TREE_BOOL && !attr->value.boolean) ||
           (attr->show == HOIST_PICTURE_SOME && attr->value.uinteger == 0);
}

// "3 rings", "epoch 0", "ram".
static void add_phrase(hoist_buffer *out, const hoist_picture_attr *attr)
{
    static const char end[] = "_count";
    const hoist_str key = hoist_str_from(attr->key);
    if (attr->show == HOIST_PICTURE_COUNT || attr->show == HOIST_PICTURE_SOME) {
        const size_t cut = hoist_str_ends_with(key, end) ? sizeof(end) - 1 : 1;
        hoist_buffer_format(out, "%" PRIu64 " ", attr->value.uinteger);
        for (size_t i = 0; i + cut < key.size; i++) {
            hoist_buffer_char(out, (char)(key.data[i] == '_' ? ' ' : key.data[i]));
        }
        hoist_buffer_c(out, attr->value.uinteger == 1 ? "" : "s");
        return;
    }
    if (attr->show == HOIST_PICTURE_NAMED || attr->kind == HOIST_TREE_BOOL) {
        add_key(out, attr->key);
    }
    if (attr->kind != HOIST_TREE_BOOL) {
        hoist_buffer_c(out, attr->show == HOIST_PICTURE_NAMED ? " " : "");
        add_value(out, attr);
    }
}

hoist_str svg_graph_name(svg_canvas *c, const hoist_picture_graph *graph)
{
    c->words->size = 0;
    hoist_buffer_format(c->words, graph->name.size ? "%s " : "%s", graph->title);
    add_str(c->words, graph->name);
    for (size_t i = 0; i < graph->attr_count; i++) {
        if (graph->attrs[i].show != HOIST_PICTURE_HIDDEN && !is_empty(&graph->attrs[i])) {
            hoist_buffer_c(c->words, ", ");
            add_phrase(c->words, &graph->attrs[i]);
        }
    }
    return take_words(c);
}

// Whether the attribute is part of a node's line: a type, a shape, counts.
static bool is_detail(const hoist_picture_attr *attr)
{
    switch (attr->show) {
    case HOIST_PICTURE_HIDDEN:
        return false;
    case HOIST_PICTURE_COLUMN:
    case HOIST_PICTURE_EXTRA:
        return attr->kind == HOIST_TREE_STR || attr->kind == HOIST_TREE_LIST;
    default:
        return true;
    }
}

hoist_str svg_node_detail(svg_canvas *c, const hoist_picture_graph *graph, size_t node)
{
    const hoist_picture_node *const n = &graph->nodes[node];
    c->words->size = 0;
    for (size_t i = n->first_attr; i < n->first_attr + n->attr_count; i++) {
        const hoist_picture_attr *const attr = &graph->attrs[i];
        const bool is_sort =
            attr->kind == HOIST_TREE_STR && hoist_str_equal(attr->value.str, n->sort);
        if (is_detail(attr) && !is_empty(attr) && !is_sort) {
            const bool is_plain =
                attr->show == HOIST_PICTURE_COLUMN || attr->show == HOIST_PICTURE_EXTRA;
            hoist_buffer_c(c->words, c->words->size == 0 ? "" : is_plain ? " " : ", ");
            add_phrase(c->words, attr);
        }
    }
    return take_words(c);
}

hoist_str svg_node_tip(svg_canvas *c, const hoist_picture_graph *graph, size_t node)
{
    const hoist_picture_node *const n = &graph->nodes[node];
    const hoist_size_text size = hoist_size_text_of(n->name.size);
    c->words->size = 0;
    add_str(c->words, n->name);
    if (n->name.size > SVG_TITLE_MOST) {
        hoist_buffer_format(c->words, "... (a name of %s %s)", size.number, size.unit);
    }
    hoist_buffer_char(c->words, '\n');
    add_key(c->words, hoist_picture_node_rows[n->kind].name);
    if (n->title) {
        hoist_buffer_format(c->words, ", %s", n->title);
    }
    for (size_t i = n->first_attr; i < n->first_attr + n->attr_count; i++) {
        hoist_buffer_char(c->words, '\n');
        add_key(c->words, graph->attrs[i].key);
        hoist_buffer_c(c->words, ": ");
        add_value(c->words, &graph->attrs[i]);
    }
    if (n->path.size) {
        hoist_buffer_c(c->words, "\npath: ");
        add_str(c->words, n->path);
    }
    return take_words(c);
}
