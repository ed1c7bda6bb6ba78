// Attributes of a graph and its nodes as people read them: one of them, or phrases separated by
// commas.
#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "picture/draw.h"

enum { VALUE_WIDTH = 16 }; // at most, of a text

const hoist_picture_attr *hoist_draw_attr(const hoist_picture_graph *g, size_t node,
                                          const char *key)
{
    const size_t first = g->nodes[node].first_attr;
    for (size_t i = first; i < first + g->nodes[node].attr_count; i++) {
        if (strcmp(g->attrs[i].key, key) == 0) {
            return &g->attrs[i];
        }
    }
    return NULL;
}

hoist_str hoist_draw_attr_str(const hoist_picture_graph *g, size_t node, const char *key)
{
    const hoist_picture_attr *const attr = hoist_draw_attr(g, node, key);
    return attr && attr->kind == HOIST_TREE_STR ? attr->value.str : HOIST_STR("");
}

// Phrases -----------------------------------------------------------------------------------------

// Whether an attribute has a phrase: columns are in the table, and what is absent or false says
// nothing.
static bool is_shown(const hoist_picture_attr *attr)
{
    switch (attr->show) {
    case HOIST_PICTURE_HIDDEN:
    case HOIST_PICTURE_COLUMN:
    case HOIST_PICTURE_EXTRA:
        return false;
    case HOIST_PICTURE_SOME:
        return attr->value.uinteger > 0;
    default:
        return attr->kind != HOIST_TREE_NULL &&
               (attr->kind != HOIST_TREE_BOOL || attr->value.boolean);
    }
}

// "3 rings", "1 ring" of "rings" or "ring_count".
static void write_count(hoist_buffer *out, const hoist_picture_attr *attr)
{
    static const char end[] = "_count";
    const hoist_str key = hoist_str_from(attr->key);
    // A key is a plural, of which the s goes, or it ends in "_count".
    const size_t cut = hoist_str_ends_with(key, end) ? sizeof(end) - 1 : 1;
    hoist_buffer_format(out, "%" PRIu64 " ", attr->value.uinteger);
    for (size_t i = 0; i < key.size - cut; i++) {
        hoist_buffer_char(out, (char)(key.data[i] == '_' ? ' ' : key.data[i]));
    }
    hoist_buffer_c(out, attr->value.uinteger == 1 ? "" : "s");
}

// The value alone; a bool is its key, as only true ones get here.
static void write_value(hoist_buffer *out, const hoist_picture_attr *attr)
{
    if (attr->kind == HOIST_TREE_STR) {
        (void)hoist_draw_name(out, attr->value.str, VALUE_WIDTH);
    } else if (attr->kind == HOIST_TREE_BOOL) {
        hoist_buffer_c(out, attr->key);
    } else if (attr->kind == HOIST_TREE_INT) {
        hoist_buffer_format(out, "%" PRId64, attr->value.integer);
    } else if (attr->kind == HOIST_TREE_FLOAT) {
        hoist_draw_percent(out, attr->value.number);
    } else {
        hoist_buffer_format(out, "%" PRIu64, attr->value.uinteger);
    }
}

// One attribute: a count with its word, a name and a value, or the value.
static void write_phrase(hoist_buffer *out, const hoist_picture_attr *attr)
{
    if (attr->show == HOIST_PICTURE_COUNT || attr->show == HOIST_PICTURE_SOME) {
        write_count(out, attr);
        return;
    }
    if (attr->show == HOIST_PICTURE_NAMED) {
        hoist_buffer_format(out, "%s ", attr->key);
    }
    write_value(out, attr);
}

void hoist_draw_phrases(const hoist_drawing *d, const hoist_picture_graph *g, size_t first,
                        size_t count, size_t indent, size_t column)
{
    for (size_t i = first; i < first + count; i++) {
        const hoist_picture_attr *const attr = &g->attrs[i];
        if (!is_shown(attr)) {
            continue;
        }
        // The phrase is written aside first, as its length decides where it goes.
        d->words->size = 0;
        write_phrase(d->words, attr);
        // Two columns are the comma and the space.
        if (column && !attr->starts_line && column + 2 + d->words->size <= d->width) {
            hoist_buffer_c(d->out, ", ");
            column += 2;
        } else {
            // With column 0 no line is open, and there is none to end.
            hoist_buffer_c(d->out, column ? "\n" : "");
            hoist_buffer_fill(d->out, ' ', indent);
            column = indent;
        }
        hoist_buffer_str(d->out, hoist_buffer_text(d->words));
        column += d->words->size;
    }
    hoist_buffer_c(d->out, column ? "\n" : "");
}
