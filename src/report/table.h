// report/table.h - lays out rows of cells in columns, at most so many columns wide.
#ifndef HOIST_SRC_REPORT_TABLE_H
#define HOIST_SRC_REPORT_TABLE_H

#include "base/arena.h"
#include "base/buffer.h"

typedef struct hoist_table_column {
    hoist_str title; // plain text (report/plain.h); borrowed
    bool number;     // aligned right and never broken; else text, which may be broken
} hoist_table_column;

typedef struct hoist_table {
    const hoist_table_column *columns; // borrowed
    size_t column_count;
    const hoist_str *cells; // row by row, column_count each; plain text; borrowed
    size_t row_count;
} hoist_table;

// Width of the table without any broken cell.
size_t hoist_table_width(const hoist_table *table);

// The least width that hoist_table_write can bring it to.
size_t hoist_table_least(const hoist_table *table);

// Appends a header row and the rows, each line indented by `indent`, columns as wide as their
// content and two spaces apart. When that is more than `width` (0: no limit), titles are broken at
// their spaces first, then the cells of the last text column, then those of the widest text column
// and so on; nothing is left out. Words are broken only where that does not make it narrow enough,
// and words of up to 16 columns never. It is never made narrower than hoist_table_least. Scratch
// memory comes from `arena`; HOIST_NO_MEMORY when it runs out (`out` has its own flag).
HOIST_NODISCARD hoist_status hoist_table_write(const hoist_table *table, size_t indent,
                                               size_t width, bool color, hoist_arena *arena,
                                               hoist_buffer *out);

// A table whose rows are not kept: all of them are measured, then written one after the other as
// hoist_table_write would with no limit.
enum { HOIST_TABLE_FLOW_COLUMNS = 8 };
typedef struct hoist_table_flow {
    const hoist_table_column *columns; // borrowed
    size_t column_count;               // up to HOIST_TABLE_FLOW_COLUMNS
    size_t widths[HOIST_TABLE_FLOW_COLUMNS];
} hoist_table_flow;

// `cells`: column_count of plain text; NULL: the titles, which are a row like any other.
void hoist_table_flow_measure(hoist_table_flow *flow, const hoist_str *cells);
// Width of the rows that were measured.
size_t hoist_table_flow_width(const hoist_table_flow *flow);
// Appends a row; titles are bold when `color`.
void hoist_table_flow_row(const hoist_table_flow *flow, const hoist_str *cells, size_t indent,
                          bool color, hoist_buffer *out);

#endif // HOIST_SRC_REPORT_TABLE_H
