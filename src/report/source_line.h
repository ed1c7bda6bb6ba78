// report/source_line.h - lines of a source text by number, for findings, which come sorted: the
// text is scanned once.
#ifndef HOIST_SRC_REPORT_SOURCE_LINE_H
#define HOIST_SRC_REPORT_SOURCE_LINE_H

#include "hoist/base.h"

// A place in a text that moves forward; {text, 1, 0} is its start.
typedef struct hoist_source_cursor {
    hoist_bytes text; // borrowed
    uint32_t line;    // from 1
    size_t start;     // of `line`
} hoist_source_cursor;

// The line without its end. False: the text has fewer lines.
bool hoist_source_find_line(hoist_source_cursor *cursor, uint32_t line, hoist_str *out_line);

// The number of the character at `pos`, from 1: columns of positions are bytes. A byte that is no
// UTF-8 counts as a character. 0: the text is empty or has no such place.
uint32_t hoist_source_character(hoist_source_cursor *cursor, hoist_pos pos);

#endif // HOIST_SRC_REPORT_SOURCE_LINE_H
