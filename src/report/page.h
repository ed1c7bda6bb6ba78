// report/page.h - an HTML page around documents: one file that opens without a server and asks for
// nothing. The page's own text, style and script are the caller's (viewer/); documents are JSON,
// compressed (gzip) and written in base64, so that nothing in them can be markup.
//
//   hoist_page_open(&page, alloc, out, &parts);
//   hoist_page_begin(&page, "data", false);            // events go to page.sink
//   status = hoist_page_end(&page, status);
//   status = hoist_page_close(&page);
//
// The template has {{policy}}, {{style}}, {{script}} and {{data}} once each, in this order. The
// policy allows that one script and that one style by their SHA-256, and images that the page
// makes.
#ifndef HOIST_SRC_REPORT_PAGE_H
#define HOIST_SRC_REPORT_PAGE_H

#include "report/document.h"

// Borrowed until the page is closed.
typedef struct hoist_page_parts {
    hoist_str text; // the template
    hoist_str style;
    hoist_str script; // without "</script"
} hoist_page_parts;

typedef struct hoist_page {
    hoist_page_parts parts;
    hoist_allocator alloc;
    hoist_output *out;        // borrowed; NULL: all stays in `text`
    hoist_buffer text;        // owned
    size_t at;                // of the template, written so far
    hoist_buffer json;        // owned: of the document at hand
    hoist_json_writer writer; // of that document
    hoist_tree_sink inner;    // of the writer
    size_t skipped;           // open maps and lists that are for people
    hoist_tree_sink sink;     // where producers send its events
    hoist_deadline *deadline; // borrowed; NULL: none
    hoist_status status;      // the first failure
} hoist_page;

// Writes all before the data, to `out`, or with NULL to memory. `page` must stay where it is until
// it is closed or taken. A failure, such as a template without a mark (HOIST_INVALID), comes back
// from the next calls.
void hoist_page_open(hoist_page *page, hoist_allocator alloc, hoist_output *out,
                     const hoist_page_parts *parts, hoist_deadline *deadline);

// A document, whose element has this id: lower-case letters, digits and '-'. With `positions`
// values have their places (codec/json_writer.h). One at a time.
void hoist_page_begin(hoist_page *page, const char *id, bool positions);
// `produced`: whether all events of the document were sent; what failed fails the page. HOIST_OK,
// or the first failure so far: that, the sink's, of memory, of the deadline.
HOIST_NODISCARD hoist_status hoist_page_end(hoist_page *page, hoist_status produced);

// Writes the rest. Statuses as above; failures of the output itself stay in the output.
HOIST_NODISCARD hoist_status hoist_page_close(hoist_page *page);
// The same of a page in memory: gives its bytes, to be freed with its allocator; empty after a
// failure.
HOIST_NODISCARD hoist_status hoist_page_take(hoist_page *page, hoist_mut_bytes *out_bytes);

#endif // HOIST_SRC_REPORT_PAGE_H
