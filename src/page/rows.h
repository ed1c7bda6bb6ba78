// page/rows.h - rows of an estimate (hoist_job_time()) as structs, of which traces and pages are
// made.
#ifndef HOIST_SRC_PAGE_ROWS_H
#define HOIST_SRC_PAGE_ROWS_H

#include "base/arena.h"
#include "base/tree.h"

// Most bytes that an estimate takes: a small file may have a long run, and its steps are kept.
enum { TIMING_MOST_BYTES = 1 << 30 };

// A row of an estimate (hoist.time/1).
typedef struct timing_row {
    hoist_str name, process, function, device, bound; // arena; data NULL: null
    uint64_t steps, untimed_steps, bytes, operations, cycles;
    double begin, end;
    double low, typical, high; // -1: null
} timing_row;

// What trace needs of an estimate; the sink takes the events of hoist_job_time().
typedef struct timing_rows {
    hoist_arena arena;
    hoist_tree_sink sink;
    hoist_str device, host; // arena
    timing_row *rows;       // owned
    size_t count;
    size_t capacity;
    size_t depth;      // of maps and lists that are open
    bool in_rows;      // the list that is open is that of rows
    size_t skipped;    // depth inside of something for people
    size_t next_field; // of timing_fields: the one that probably comes next
} timing_rows;

// A row of copies that take no time is in no timeline.
static inline bool timing_row_is_shown(const timing_row *row)
{
    return row->low > 0 || row->untimed_steps;
}

// The members of a row: keys of hoist.time/1.
typedef enum timing_kind { TIMING_TEXT, TIMING_COUNT, TIMING_SECONDS } timing_kind;

typedef struct timing_field {
    hoist_str key; // ends with 0
    timing_kind kind;
    size_t offset; // in timing_row
} timing_field;

enum { TIMING_FIELDS = 15 };
extern const timing_field timing_fields[TIMING_FIELDS];

void timing_rows_init(timing_rows *rows, hoist_allocator alloc);
void timing_rows_deinit(timing_rows *rows);

#endif // HOIST_SRC_PAGE_ROWS_H
