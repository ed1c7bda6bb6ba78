// report/diff_text.h - how two files differ, for people: one layout, whatever was compared.
//
// The members of hoist.diff/1 come as events. Those called "...differences" are lists of items with
// `path`, `kind`, `old`, `new`, `elements` and `largest`: each item is a line, "PATH: OLD -> NEW",
// which is written as it comes and not kept. What is before, between and after such lists is a
// document (report/document.h).
#ifndef HOIST_SRC_REPORT_DIFF_TEXT_H
#define HOIST_SRC_REPORT_DIFF_TEXT_H

#include "report/document.h"

typedef enum hoist_diff_text_part {
    HOIST_DIFF_TEXT_PATH,
    HOIST_DIFF_TEXT_OLD,
    HOIST_DIFF_TEXT_NEW,
    HOIST_DIFF_TEXT_PARTS,
} hoist_diff_text_part;

typedef struct hoist_diff_text {
    hoist_tree_sink sink; // where producers send members
    hoist_document_style style;
    hoist_allocator alloc;
    hoist_output *out;  // borrowed
    hoist_document doc; // the members at hand
    bool is_open;       // `doc`
    size_t depth;       // of maps and lists in it
    size_t skipped;     // open maps and lists that are for programs
    bool in_list;       // of differences
    size_t level;       // maps and lists in that which are open
    bool has_list;      // one has come
    bool has_lines;     // one had items, or it was said that there are none
    // The item at hand.
    hoist_buffer parts[HOIST_DIFF_TEXT_PARTS]; // owned: plain text
    bool has[HOIST_DIFF_TEXT_PARTS];
    uint64_t elements; // 0: not said
    double largest;    // 0: not said
    hoist_buffer line; // owned
    hoist_status status;
} hoist_diff_text;

// `text` must stay where it is until hoist_diff_text_end(). `style` is that of a text.
void hoist_diff_text_begin(hoist_diff_text *text, hoist_allocator alloc, hoist_output *out,
                           const hoist_document_style *style);
// Writes what is left, and frees all. The first failure of the sink, of memory or HOIST_OK;
// failures of the output stay in it.
HOIST_NODISCARD hoist_status hoist_diff_text_end(hoist_diff_text *text);

#endif // HOIST_SRC_REPORT_DIFF_TEXT_H
