// A map of the grid of a graph next to its legend.
//
//          0   1   2   3
//        +-------+---+---+
//      0 | a   a | b | . |     a  matmul_1      matmul    1x2
//        +-------+---+   |     b  gelu_1        gelu      1x1
//      1 | .   .   .   . |
//
// A wall is between two cores that do not run the same step.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "picture/draw.h"

enum {
    MARGIN = 6,        // before the map: indent, row number, space
    GAP = 3,           // between map and legend
    SHARE_WIDTH = 8,   // " 100.0 %"
    LEAST_LEGEND = 34, // columns; a narrower legend is below the map
    TYPE_WIDTH = 12,   // at most
    GRID_WIDTH = 6,
};

// Values of a cell of the map other than the id of a step.
static const size_t FREE = SIZE_MAX;
static const size_t SHARED = SIZE_MAX - 1;

typedef struct core_map {
    const hoist_drawing *d;
    const hoist_picture_graph *graph;
    size_t *cells; // row by row: FREE, SHARED or a step; arena
    int rows;      // of the grid
    int columns;
    int shown_rows; // without the free ones at the end
    int shown_columns;
    size_t tag_width;
    size_t type_width;  // of the longest type
    size_t share_width; // of shares of time; 0: there are none
    size_t used;        // cores
} core_map;

// Filling the map -------------------------------------------------------------------------------

// One side of a step's rectangle, cut to [0, limit).
typedef struct core_span {
    int first;
    int end;
} core_span;

// Numbers come from the file, any of 64 bits: what begins outside has no cells, and the end is
// cut.
static core_span cut_span(int64_t first, int64_t count, int limit)
{
    if (first < 0 || first >= limit || count < 1) {
        return (core_span){0, 0};
    }
    return (core_span){(int)first, count > limit - first ? limit : (int)(first + count)};
}

// Enters a step into the cells of its rectangle; a cell that has one already is SHARED.
static void place_step(core_map *map, size_t step)
{
    const hoist_picture_cores *const cores = &map->graph->nodes[step].cores;
    if (!cores->is_placed) {
        return;
    }
    const core_span rows = cut_span(cores->row, cores->rows, map->rows);
    const core_span columns = cut_span(cores->column, cores->columns, map->columns);
    for (int r = rows.first; r < rows.end; r++) {
        for (int c = columns.first; c < columns.end; c++) {
            size_t *cell = &map->cells[r * map->columns + c];
            map->used += *cell == FREE;
            *cell = *cell == FREE ? step : SHARED;
            map->shown_rows = r + 1 > map->shown_rows ? r + 1 : map->shown_rows;
            map->shown_columns = c + 1 > map->shown_columns ? c + 1 : map->shown_columns;
        }
    }
}

static hoist_status map_init(core_map *map, const hoist_drawing *d,
                             const hoist_picture_graph *graph)
{
    const size_t count = (size_t)graph->rows * (size_t)graph->columns;
    // Tags are as wide as that of the last step.
    const size_t last = graph->step_count ? graph->step_count - 1 : 0;
    *map = (core_map){
        .d = d,
        .graph = graph,
        .cells = hoist_arena_array(d->arena, count, sizeof(map->cells[0])),
        .rows = graph->rows,
        .columns = graph->columns,
        .tag_width = hoist_draw_tag(last).text[1] ? 2 : 1,
    };
    if (!map->cells) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        map->cells[i] = FREE;
    }
    for (size_t i = 0; i < graph->step_count; i++) {
        const size_t size = hoist_draw_attr_str(graph, i, "type").size;
        map->type_width = size > map->type_width ? size : map->type_width;
        map->share_width =
            hoist_draw_attr(graph, i, "share_percent") ? SHARE_WIDTH : map->share_width;
        place_step(map, i);
    }
    map->type_width = map->type_width < TYPE_WIDTH ? map->type_width : TYPE_WIDTH;
    return HOIST_OK;
}

// Drawing the map -------------------------------------------------------------------------------

// The cell at (r, c); the world outside differs from every cell.
static size_t cell_at(const core_map *map, int r, int c)
{
    const bool inside = r >= 0 && r < map->shown_rows && c >= 0 && c < map->shown_columns;
    return inside ? map->cells[r * map->columns + c] : SHARED - 1;
}

// Two cells are apart when they are not of the same step.
static bool is_wall(const core_map *map, int r, int c, int other_r, int other_c)
{
    return cell_at(map, r, c) != cell_at(map, other_r, other_c);
}

// Where four cells meet, of which (r, c) is the lower right one.
static char corner(const core_map *map, int r, int c)
{
    const bool up = is_wall(map, r - 1, c - 1, r - 1, c);
    const bool down = is_wall(map, r, c - 1, r, c);
    const bool left = is_wall(map, r - 1, c - 1, r, c - 1);
    const bool right = is_wall(map, r - 1, c, r, c);
    if ((up || down) && (left || right)) {
        return '+';
    }
    return (char)(up || down ? '|' : left || right ? '-' : ' ');
}

// The line above row r.
static void draw_wall_line(const core_map *map, int r)
{
    hoist_buffer *out = map->d->out;
    hoist_buffer_fill(out, ' ', MARGIN);
    for (int c = 0; c <= map->shown_columns; c++) {
        hoist_buffer_char(out, corner(map, r, c));
        if (c < map->shown_columns) {
            hoist_buffer_fill(out, is_wall(map, r - 1, c, r, c) ? '-' : ' ', map->tag_width + 2);
        }
    }
}

// A dot where nothing runs, a hash where several steps do.
static void draw_cell(const core_map *map, size_t cell)
{
    const hoist_draw_tag_text tag = cell == FREE     ? (hoist_draw_tag_text){"."}
                                    : cell == SHARED ? (hoist_draw_tag_text){"#"}
                                                     : hoist_draw_tag(cell);
    hoist_buffer_format(map->d->out, " %-*s ", (int)map->tag_width, tag.text);
}

// The row's number, then its cells with the walls between them.
static void draw_core_line(const core_map *map, int r)
{
    hoist_buffer *out = map->d->out;
    hoist_buffer_format(out, "%*d ", MARGIN - 1, r);
    for (int c = 0; c <= map->shown_columns; c++) {
        hoist_buffer_char(out, is_wall(map, r, c - 1, r, c) ? '|' : ' ');
        if (c < map->shown_columns) {
            draw_cell(map, cell_at(map, r, c));
        }
    }
}

// A number at the left of each cell, where its tag is below.
static void draw_column_numbers(const core_map *map)
{
    hoist_buffer *out = map->d->out;
    hoist_buffer_fill(out, ' ', MARGIN);
    for (int c = 0; c < map->shown_columns; c++) {
        hoist_buffer_format(out, "  %-*d ", (int)map->tag_width, c);
    }
    hoist_buffer_char(out, ' ');
}

static size_t map_width(const core_map *map)
{
    return MARGIN + (size_t)map->shown_columns * (map->tag_width + 3) + 1;
}

// The numbers, a line for each row and one above it, and the last wall.
static size_t map_lines(const core_map *map)
{
    return map->shown_rows > 0 ? 2 * (size_t)map->shown_rows + 2 : 0;
}

// One line of the map, filled to its width; numbers past the last line give spaces.
static void draw_map_line(const core_map *map, size_t line)
{
    hoist_buffer *out = map->d->out;
    const size_t start = out->size;
    if (line == 0 && map->shown_rows > 0) {
        draw_column_numbers(map);
    } else if (line < map_lines(map) && line % 2 == 1) {
        draw_wall_line(map, (int)(line / 2));
    } else if (line < map_lines(map)) {
        draw_core_line(map, (int)(line / 2) - 1);
    }
    const size_t used = out->size - start;
    hoist_buffer_fill(out, ' ', used < map_width(map) ? map_width(map) - used : 0);
}

// Legend and heading ----------------------------------------------------------------------------

// "2x3", with "T" for a transposed one.
static void draw_size(hoist_buffer *out, const hoist_picture_cores *cores)
{
    char text[64];
    const bool transposed = cores->is_transposed;
    // The file has the size before the transposition: the rectangle on the grid is turned.
    (void)snprintf(text, sizeof(text), "%" PRId64 "x%" PRId64 "%s",
                   transposed ? cores->columns : cores->rows,
                   transposed ? cores->rows : cores->columns, transposed ? "T" : "");
    (void)hoist_draw_name(out, hoist_str_from(text), GRID_WIDTH);
}

// Tag, name, type, share and grid of a step in at most `width` columns.
static void draw_legend_line(const core_map *map, size_t step, size_t width)
{
    hoist_buffer *out = map->d->out;
    const hoist_picture_node *const node = &map->graph->nodes[step];
    const hoist_picture_attr *const share = hoist_draw_attr(map->graph, step, "share_percent");
    const size_t name_width =
        width - map->type_width - map->share_width - GRID_WIDTH - 4 - map->tag_width;
    hoist_buffer_format(out, "%-*s  ", (int)map->tag_width, hoist_draw_tag(step).text);
    hoist_draw_padded(out, node->name, name_width, false);
    hoist_buffer_char(out, ' ');
    hoist_draw_padded(out, hoist_draw_attr_str(map->graph, step, "type"), map->type_width, false);
    map->d->words->size = 0;
    if (share) {
        hoist_draw_percent(map->d->words, share->value.number);
    }
    hoist_draw_padded(out, hoist_buffer_text(map->d->words), map->share_width, true);
    hoist_buffer_char(out, ' ');
    draw_size(out, &node->cores);
}

static void draw_side_by_side(const core_map *map)
{
    const size_t legend_width = map->d->width - map_width(map) - GAP;
    // The legend begins next to the first row of cores.
    const size_t legend_end = map->graph->step_count + 2;
    const size_t lines = map_lines(map) > legend_end ? map_lines(map) : legend_end;
    for (size_t i = 0; i < lines; i++) {
        draw_map_line(map, i);
        if (i >= 2 && i < legend_end) {
            hoist_buffer_fill(map->d->out, ' ', GAP);
            draw_legend_line(map, i - 2, legend_width);
        }
        hoist_draw_end_line(map->d->out);
    }
}

// The map first, then the legend, where lines are too short for both.
static void draw_below(const core_map *map)
{
    enum { INDENT = 4 };
    for (size_t i = 0; i < map_lines(map); i++) {
        draw_map_line(map, i);
        hoist_draw_end_line(map->d->out);
    }
    for (size_t i = 0; i < map->graph->step_count; i++) {
        hoist_buffer_fill(map->d->out, ' ', INDENT);
        draw_legend_line(map, i, map->d->width - INDENT);
        hoist_draw_end_line(map->d->out);
    }
}

// "2 rows": a count with its word.
static void draw_count(hoist_buffer *out, const char *before, int count, const char *one,
                       const char *many)
{
    if (count > 0) {
        hoist_buffer_format(out, "%s%d %s", before, count,
                            hoist_plural((uint64_t)count, one, many));
    }
}

// How many rows and columns at the end are left out because they are free.
static void draw_free_note(const core_map *map)
{
    hoist_buffer *out = map->d->out;
    const int rows = map->rows - map->shown_rows;
    const int columns = map->columns - map->shown_columns;
    if (map->shown_rows > 0 && (rows > 0 || columns > 0)) {
        hoist_buffer_c(out, "      free beyond: ");
        draw_count(out, "", rows, "row", "rows");
        draw_count(out, rows > 0 ? ", " : "", columns, "column", "columns");
        hoist_buffer_char(out, '\n');
    }
}

static void draw_usage(const core_map *map)
{
    const size_t steps = map->graph->step_count;
    const size_t workers = (size_t)map->rows * (size_t)map->columns;
    hoist_buffer_format(map->d->out, "  %zu %s on %zu of %zu workers (%.1f %%)\n\n", steps,
                        hoist_plural(steps, "op", "ops"), map->used, workers,
                        100.0 * (double)map->used / (double)workers);
}

hoist_status hoist_draw_grid(const hoist_drawing *d, const hoist_picture_graph *g)
{
    core_map map;
    HOIST_TRY(map_init(&map, d, g));
    draw_usage(&map);
    if (map.shown_rows > 0 && map_width(&map) + GAP + LEAST_LEGEND <= d->width) {
        draw_side_by_side(&map);
    } else {
        draw_below(&map);
    }
    draw_free_note(&map);
    return HOIST_OK;
}
