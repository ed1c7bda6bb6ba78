// report/text.h - shows a document of tree events to people.
//
// Scalars and short lists of a map are aligned `key: value` lines, a list of maps as a table
// (item by item when it cannot be made narrow enough), a map inside a map as a section with a
// heading. Underscores of keys become spaces, and a unit at their end that the value shows itself
// (bytes, address, percent) is left out. The document is kept until its root ends, because
// columns and keys are aligned to what comes later.
#ifndef HOIST_SRC_REPORT_TEXT_H
#define HOIST_SRC_REPORT_TEXT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/tree.h"

typedef struct hoist_text {
    hoist_buffer *out;        // borrowed
    size_t width;             // columns of a line; 0: no limit
    bool color;               // headings in bold
    size_t lines;             // of a summary: long lists are cut to fit; 0: nothing is left out
    const char *rest;         // of a summary: the option that leaves nothing out; static
    hoist_arena arena;        // owns the document
    struct hoist_value *root; // arena; NULL before the first event
    struct hoist_value *open; // innermost open map or list
    size_t depth;
    size_t heading_end; // of `out`: where the latest heading ended
    bool done;          // the root was shown
} hoist_text;

// Memory comes from out's allocator. Free with hoist_text_deinit.
void hoist_text_init(hoist_text *text, hoist_buffer *out, size_t width, bool color);
void hoist_text_deinit(hoist_text *text);

// From now on the document is a summary: as many items of its longer lists are left out as are
// needed to make it `lines` long, where cutting lists can; each such list ends with a line that has
// their number and names `rest`, the option that leaves nothing out.
void hoist_text_summarize(hoist_text *text, size_t lines, const char *rest);

// A sink that appends the document to `out` when its root ends. It returns HOIST_NO_MEMORY;
// HOIST_LIMIT for more than 256 maps and lists inside each other; HOIST_INTERNAL when events break
// the grammar of hoist/base.h.
hoist_tree_sink hoist_text_sink(hoist_text *text);

#endif // HOIST_SRC_REPORT_TEXT_H
