// Lays out rows of cells in columns. Two ways: a complete table, whose columns are narrowed to fit
// (hoist_table_write), and rows that flow with widths measured before (hoist_table_flow).
#include "report/table.h"

#include "base/assert.h"
#include "base/span.h"
#include "report/plain.h"

enum {
    GAP = 2,         // columns between two columns
    LEAST_LAST = 16, // the last text column, before others give way too
    WORD = 16,       // shorter words are never broken
};

// Widths of one column while the table is fitted.
typedef struct column_width {
    size_t now;
    size_t title_word; // longest word of the title
    size_t cells;      // widest cell
    size_t least;      // what it can be made: numbers and short words stay whole
    size_t whole;      // the same when all words stay whole
} column_width;

typedef struct line_style {
    size_t indent;
    bool bold;
} line_style;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static column_width measure(const hoist_table *table, size_t column)
{
    HOIST_ASSERT(column < table->column_count);
    const hoist_str title = table->columns[column].title;
    column_width width = {.title_word = hoist_plain_longest_word(title)};
    size_t word = 0;
    for (size_t row = 0; row < table->row_count; row++) {
        const hoist_str cell = table->cells[row * table->column_count + column];
        width.cells = larger(width.cells, hoist_plain_width(cell));
        word = larger(word, hoist_plain_longest_word(cell));
    }
    word = table->columns[column].number ? width.cells : word;
    width.whole = larger(width.title_word, word);
    width.least =
        table->columns[column].number || word < WORD ? width.whole : larger(width.title_word, WORD);
    width.now = larger(hoist_plain_width(title), width.cells);
    return width;
}

size_t hoist_table_width(const hoist_table *table)
{
    size_t total = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        total += measure(table, i).now;
        total += i ? GAP : 0;
    }
    return total;
}

size_t hoist_table_least(const hoist_table *table)
{
    size_t total = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        total += measure(table, i).least;
        total += i ? GAP : 0;
    }
    return total;
}

// Takes up to `*excess` off a column, but leaves `least` and what it must have.
static void narrow(column_width *column, size_t least, size_t *excess)
{
    least = larger(least, column->least);
    const size_t spare = column->now > least ? column->now - least : 0;
    const size_t cut = spare < *excess ? spare : *excess;
    column->now -= cut;
    HOIST_ASSERT(cut <= *excess);
    *excess -= cut;
}

// Index of the widest text column that can still give way, or SIZE_MAX.
static size_t widest_text(const hoist_table *table, const column_width *widths)
{
    size_t widest = SIZE_MAX;
    for (size_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].number && widths[i].now > widths[i].least &&
            (widest == SIZE_MAX || widths[i].now > widths[widest].now)) {
            widest = i;
        }
    }
    return widest;
}

// Words are broken only where the table cannot be made narrow enough without.
static void keep_words(const hoist_table *table, size_t room, column_width *widths)
{
    size_t total = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        total += widths[i].whole + (i ? GAP : 0);
    }
    for (size_t i = 0; total <= room && i < table->column_count; i++) {
        widths[i].least = widths[i].whole;
    }
}

static void fit(const hoist_table *table, size_t excess, column_width *widths)
{
    size_t last_text = SIZE_MAX;
    for (size_t i = 0; i < table->column_count; i++) {
        narrow(&widths[i], larger(widths[i].title_word, widths[i].cells), &excess);
        last_text = table->columns[i].number ? last_text : i;
    }
    if (last_text != SIZE_MAX) {
        narrow(&widths[last_text], LEAST_LAST, &excess);
    }
    size_t widest = widest_text(table, widths);
    while (excess && widest != SIZE_MAX) {
        size_t one = 1;
        narrow(&widths[widest], 0, &one);
        excess--;
        widest = widest_text(table, widths);
    }
}

// One line of a row: of each cell what is left of it, as far as it fits. True when more is left.
static bool write_line(const hoist_table *table, const column_width *widths, hoist_str *left,
                       size_t indent, hoist_buffer *out)
{
    bool more = false;
    size_t pad = indent; // spaces owed; never written at the end of a line
    for (size_t i = 0; i < table->column_count; i++) {
        size_t next = 0;
        const size_t size = hoist_plain_line(left[i], larger(widths[i].now, 1), true, &next);
        HOIST_ASSERT(size <= next && next <= left[i].size);
        const hoist_str part = hoist_str_slice(left[i], 0, size);
        const size_t width = hoist_plain_width(part);
        const size_t fill = widths[i].now > width ? widths[i].now - width : 0;
        pad += table->columns[i].number ? fill : 0;
        if (part.size) {
            hoist_buffer_fill(out, ' ', pad);
            hoist_buffer_str(out, part);
            pad = 0;
        } else {
            pad += width;
        }
        pad += (table->columns[i].number ? 0 : fill) + GAP;
        left[i] = hoist_str_slice(left[i], next, left[i].size);
        more = more || left[i].size > 0;
    }
    return more;
}

static void write_row(const hoist_table *table, const column_width *widths, hoist_str *left,
                      const line_style *style, hoist_buffer *out)
{
    bool more = true;
    while (more) {
        hoist_buffer_c(out, style->bold ? "\x1b[1m" : "");
        more = write_line(table, widths, left, style->indent, out);
        hoist_buffer_c(out, style->bold ? "\x1b[0m\n" : "\n");
    }
}

hoist_status hoist_table_write(const hoist_table *table, size_t indent, size_t width, bool color,
                               hoist_arena *arena, hoist_buffer *out)
{
    const size_t count = table->column_count;
    column_width *widths = hoist_arena_array(arena, count, sizeof(widths[0]));
    hoist_str *left = hoist_arena_array(arena, count, sizeof(left[0]));
    if (!widths || !left) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        left[i] = table->columns[i].title;
        widths[i] = measure(table, i);
    }
    const size_t wanted = indent + hoist_table_width(table);
    if (width && wanted > width) {
        keep_words(table, width > indent ? width - indent : 0, widths);
        fit(table, wanted - width, widths);
    }
    write_row(table, widths, left, &(line_style){indent, color}, out);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < count; i++) {
            left[i] = table->cells[row * count + i];
        }
        write_row(table, widths, left, &(line_style){indent, false}, out);
    }
    return HOIST_OK;
}

static hoist_str flow_cell(const hoist_table_flow *flow, const hoist_str *cells, size_t i)
{
    return cells ? cells[i] : flow->columns[i].title;
}

void hoist_table_flow_measure(hoist_table_flow *flow, const hoist_str *cells)
{
    for (size_t i = 0; i < flow->column_count; i++) {
        flow->widths[i] = larger(flow->widths[i], hoist_plain_width(flow_cell(flow, cells, i)));
    }
}

size_t hoist_table_flow_width(const hoist_table_flow *flow)
{
    size_t total = 0;
    for (size_t i = 0; i < flow->column_count; i++) {
        total += flow->widths[i] + (i ? GAP : 0);
    }
    return total;
}

void hoist_table_flow_row(const hoist_table_flow *flow, const hoist_str *cells, size_t indent,
                          bool color, hoist_buffer *out)
{
    HOIST_ASSERT(flow->column_count <= HOIST_TABLE_FLOW_COLUMNS);
    const hoist_table table = {.columns = flow->columns, .column_count = flow->column_count};
    column_width widths[HOIST_TABLE_FLOW_COLUMNS];
    hoist_str left[HOIST_TABLE_FLOW_COLUMNS];
    for (size_t i = 0; i < flow->column_count; i++) {
        widths[i] = (column_width){.now = flow->widths[i]};
        left[i] = flow_cell(flow, cells, i);
    }
    write_row(&table, widths, left, &(line_style){indent, !cells && color}, out);
}
