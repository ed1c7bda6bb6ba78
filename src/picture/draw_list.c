// The steps of a graph as a table, in the graph's order, between the places that they read first
// and those that they write: by letters and numbers each line has those that it reads.
//
//      name         reads  runs on  type  shape     size  parameter
//   a  input                        INT8  1x8x8x3  192 B
//   0  CONV_2D      a      cpu      INT8  1x8x8x4  256 B      124 B
#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "picture/draw.h"

enum {
    MOST_COLUMNS = 8,
    ROOMY = 60,      // columns of a drawing that has all of the table
    TAG_WIDTH = 5,   // before the name
    LEAST_NAME = 10, // columns
    READS_WIDTH = 9, // at most
    CELL_WIDTH = 18, // at most
};

typedef struct list_column {
    const char *key;
    bool is_number; // aligned right
    size_t width;
} list_column;

typedef struct list_view {
    const hoist_drawing *d;
    const hoist_picture_graph *graph;
    hoist_picture_index inputs; // edges by the step that reads
    hoist_picture_index readers;
    hoist_picture_index writers; // by the place that is written
    size_t *letters;             // arena; per node: the number of a place
    list_column columns[MOST_COLUMNS];
    size_t column_count;
    size_t reads_width; // 0: not shown
    size_t name_width;
} list_view;

// For the index of edges by the place that is written.
static size_t written_place(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_WRITES ? edge->to : HOIST_PICTURE_NONE;
}

static bool is_place(const list_view *v, size_t node)
{
    return hoist_picture_node_rows[v->graph->nodes[node].kind].role == HOIST_PICTURE_PLACE;
}

// Cells: written into the drawing's scratch, where they are until the next one --------------------

// The text of an attribute in its column; empty for a node that lacks it.
static hoist_str cell_of(const list_view *v, const hoist_picture_attr *attr)
{
    hoist_buffer *const words = v->d->words;
    words->size = 0;
    if (!attr) {
        return HOIST_STR("");
    }
    switch (attr->kind) {
    case HOIST_TREE_STR:
        hoist_buffer_str(words, attr->value.str);
        break;
    case HOIST_TREE_UINT:
        if (attr->unit != HOIST_UNIT_BYTES) {
            hoist_buffer_format(words, "%" PRIu64, attr->value.uinteger);
        } else if (attr->value.uinteger) {
            hoist_draw_short_size(words, attr->value.uinteger);
        } else {
            // No bytes are a dash, which stands out less than "0 B".
            hoist_buffer_char(words, '-');
        }
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(words, "%" PRId64, attr->value.integer);
        break;
    case HOIST_TREE_FLOAT:
        hoist_draw_percent(words, attr->value.number);
        break;
    case HOIST_TREE_LIST:
        for (size_t i = 0; i < attr->value.list.count; i++) {
            hoist_buffer_format(words, "%s%" PRId64, i ? "x" : "", attr->value.list.items[i]);
        }
        hoist_buffer_c(words, attr->value.list.count ? "" : "scalar");
        break;
    default:
        hoist_buffer_char(words, '?');
        break;
    }
    return hoist_buffer_text(words);
}

// "size" of "size_bytes", "share" of "share_percent", "runs on" of "runs_on".
static hoist_str title_of(const list_view *v, const char *key)
{
    static const char *const units[] = {"_bytes", "_percent"};
    const hoist_str words = hoist_str_from(key);
    size_t cut = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(units); i++) {
        cut = hoist_str_ends_with(words, units[i]) ? strlen(units[i]) : cut;
    }
    v->d->words->size = 0;
    for (size_t i = 0; i < words.size - cut; i++) {
        hoist_buffer_char(v->d->words, (char)(key[i] == '_' ? ' ' : key[i]));
    }
    return hoist_buffer_text(v->d->words);
}

// Steps have numbers, places letters; what is neither has no line to refer to.
static void write_tag(const list_view *v, size_t node, hoist_buffer *out)
{
    if (node < v->graph->step_count) {
        hoist_buffer_format(out, "%zu", node);
    } else {
        hoist_buffer_c(out, is_place(v, node) ? hoist_draw_tag(v->letters[node]).text : "?");
    }
}

// The tags of what a step reads, or of who writes a place.
static hoist_str reads_of(const list_view *v, size_t node)
{
    const bool is_step = node < v->graph->step_count;
    const hoist_picture_index *const index = is_step ? &v->inputs : &v->writers;
    v->d->words->size = 0;
    for (size_t i = index->first[node]; i < index->first[node + 1]; i++) {
        hoist_buffer_c(v->d->words, v->d->words->size ? " " : "");
        write_tag(v, v->graph->edges[index->edges[i]].from, v->d->words);
    }
    return hoist_buffer_text(v->d->words);
}

// Columns -----------------------------------------------------------------------------------------

// The column of a key, a new one when there is space; NULL when there are too many.
static list_column *find_column(list_view *v, const hoist_picture_attr *attr)
{
    for (size_t i = 0; i < v->column_count; i++) {
        if (strcmp(v->columns[i].key, attr->key) == 0) {
            return &v->columns[i];
        }
    }
    if (v->column_count == MOST_COLUMNS) {
        return NULL;
    }
    list_column *const column = &v->columns[v->column_count++];
    *column = (list_column){.key = attr->key, .width = title_of(v, attr->key).size};
    return column;
}

// `width`, or what the cell needs where that is more, up to `most`.
static size_t wider(size_t width, hoist_str cell, size_t most)
{
    const size_t size = cell.size < most ? cell.size : most;
    return size > width ? size : width;
}

// Makes the columns that a node needs as wide as its cells.
static void measure(list_view *v, size_t node)
{
    const hoist_picture_node *const n = &v->graph->nodes[node];
    for (size_t i = 0; i < n->attr_count; i++) {
        const hoist_picture_attr *const attr = &v->graph->attrs[n->first_attr + i];
        // Extra attributes only in a roomy drawing.
        const bool is_wide = v->d->width >= ROOMY && attr->show == HOIST_PICTURE_EXTRA;
        list_column *const column =
            is_wide || attr->show == HOIST_PICTURE_COLUMN ? find_column(v, attr) : NULL;
        if (column) {
            // One number makes the column one of numbers, also when others have no value.
            column->is_number = column->is_number || attr->kind == HOIST_TREE_UINT ||
                                attr->kind == HOIST_TREE_INT || attr->kind == HOIST_TREE_FLOAT;
            column->width = wider(column->width, cell_of(v, attr), CELL_WIDTH);
        }
    }
    v->reads_width =
        v->d->width >= ROOMY ? wider(v->reads_width, reads_of(v, node), READS_WIDTH) : 0;
}

// Columns get what they need and the name the rest; what leaves it less than it needs is left out.
static void find_widths(list_view *v)
{
    v->reads_width = v->d->width >= ROOMY ? sizeof("reads") - 1 : 0;
    for (size_t i = 0; i < v->graph->node_count; i++) {
        measure(v, i);
    }
    size_t left = v->d->width - TAG_WIDTH - (v->reads_width ? v->reads_width + 2 : 0);
    for (size_t i = 0; i < v->column_count; i++) {
        if (v->columns[i].width + 2 + LEAST_NAME > left) {
            v->column_count = i;
            break;
        }
        left -= v->columns[i].width + 2;
    }
    v->name_width = 0;
    for (size_t i = 0; i < v->graph->node_count; i++) {
        v->name_width = wider(v->name_width, v->graph->nodes[i].name, left);
    }
    v->name_width = v->name_width < LEAST_NAME ? LEAST_NAME : v->name_width;
}

// Lines -------------------------------------------------------------------------------------------

// The line of titles; tags have none.
static void draw_titles(const list_view *v)
{
    hoist_buffer *const out = v->d->out;
    hoist_buffer_fill(out, ' ', TAG_WIDTH);
    hoist_draw_padded(out, HOIST_STR("name"), v->name_width, false);
    if (v->reads_width) {
        hoist_buffer_c(out, "  ");
        hoist_draw_padded(out, HOIST_STR("reads"), v->reads_width, false);
    }
    for (size_t i = 0; i < v->column_count; i++) {
        hoist_buffer_c(out, "  ");
        hoist_draw_padded(out, title_of(v, v->columns[i].key), v->columns[i].width,
                          v->columns[i].is_number);
    }
    hoist_draw_end_line(out);
}

// A node: tag, name, what it reads, and its cells.
static void draw_line(const list_view *v, size_t node)
{
    hoist_buffer *const out = v->d->out;
    v->d->words->size = 0;
    write_tag(v, node, v->d->words);
    hoist_draw_padded(out, hoist_buffer_text(v->d->words), TAG_WIDTH - 2, true);
    hoist_buffer_c(out, "  ");
    hoist_draw_padded(out, v->graph->nodes[node].name, v->name_width, false);
    if (v->reads_width) {
        hoist_buffer_c(out, "  ");
        hoist_draw_padded(out, reads_of(v, node), v->reads_width, false);
    }
    for (size_t i = 0; i < v->column_count; i++) {
        const list_column *const column = &v->columns[i];
        const hoist_picture_attr *const attr = hoist_draw_attr(v->graph, node, column->key);
        hoist_buffer_c(out, "  ");
        hoist_draw_padded(out, cell_of(v, attr), column->width, column->is_number);
    }
    hoist_draw_end_line(out);
}

// True when steps only read a location: its line is then before theirs.
static bool comes_first(const list_view *v, size_t place)
{
    return hoist_picture_edges_of(&v->readers, place) > 0 &&
           hoist_picture_edges_of(&v->writers, place) == 0;
}

// The places before the steps, or those after them.
static void draw_places(const list_view *v, bool first)
{
    for (size_t i = v->graph->step_count; i < v->graph->node_count; i++) {
        if (is_place(v, i) && comes_first(v, i) == first) {
            draw_line(v, i);
        }
    }
}

// Letters go down the table.
static void give_letters(list_view *v)
{
    size_t places = 0;
    for (int first = 1; first >= 0; first--) {
        for (size_t i = v->graph->step_count; i < v->graph->node_count; i++) {
            if (is_place(v, i) && comes_first(v, i) == first) {
                v->letters[i] = places++;
            }
        }
    }
}

hoist_status hoist_draw_list(const hoist_drawing *d, const hoist_picture_graph *g)
{
    list_view v = {.d = d, .graph = g};
    // Letters must be known before widths, as the tags of inputs are measured.
    v.letters = hoist_arena_array(d->arena, g->node_count, sizeof(*v.letters));
    if (!v.letters) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(hoist_picture_index_edges(g, hoist_picture_reader, d->arena, &v.inputs));
    HOIST_TRY(hoist_picture_index_edges(g, hoist_picture_read_node, d->arena, &v.readers));
    HOIST_TRY(hoist_picture_index_edges(g, written_place, d->arena, &v.writers));
    give_letters(&v);
    find_widths(&v);
    hoist_draw_gap(d->out);
    draw_titles(&v);
    draw_places(&v, true);
    for (size_t i = 0; i < g->step_count; i++) {
        draw_line(&v, i);
    }
    draw_places(&v, false);
    return HOIST_OK;
}
