// report/document.h - a document on its way to an output: tree events in, JSON or text out, flushed
// as it grows so that a large dump is never held completely.
#ifndef HOIST_SRC_REPORT_DOCUMENT_H
#define HOIST_SRC_REPORT_DOCUMENT_H

#include "codec/json_writer.h"
#include "os/output.h"
#include "report/text.h"

typedef struct hoist_document_style {
    bool json;
    bool positions; // JSON: values carry their place in the source
    size_t width;   // text: columns; 0: no limit
    bool color;     // text
    size_t lines;   // text: of a summary (hoist_text_summarize); 0: all
    const char *rest;
} hoist_document_style;

typedef struct hoist_document {
    hoist_document_style style;
    hoist_output *out;        // borrowed; NULL: all stays in the buffer
    hoist_buffer buffer;      // owned: rendered, not yet sent
    hoist_json_writer writer; // style.json
    hoist_text text;          // else
    size_t skipped;           // open maps and lists that are for others
    hoist_tree_sink inner;    // of the writer in use
    hoist_tree_sink sink;     // where producers send their events
} hoist_document;

// True when the event is for others than the readers of a document, which is JSON or text, or
// inside what is; `*skipped`, 0 at first, counts the open ones. An end belongs to what it ends,
// whatever its own audience.
bool hoist_document_skips(size_t *skipped, bool json, const hoist_tree_event *event);

// `doc` must stay where it is until hoist_document_close.
void hoist_document_open(hoist_document *doc, hoist_allocator alloc, hoist_output *out,
                         const hoist_document_style *style);

// Begins the outer map; of JSON with the schema's name, that of the command's document, and
// "generator".
void hoist_document_head(hoist_document *doc, const char *command);

// The same as hoist_document_close of a document without an output: gives its bytes, to be freed
// with its allocator.
HOIST_NODISCARD hoist_status hoist_document_take(hoist_document *doc, hoist_mut_bytes *out_bytes);

// Sends what is left and a final line break. Returns the first failure of the sink, of memory or
// HOIST_OK; failures of the output itself stay in the output.
HOIST_NODISCARD hoist_status hoist_document_close(hoist_document *doc);

// The same instead of hoist_document_close when there is nothing to show after all: what was not
// sent yet is dropped. The statuses are the same.
HOIST_NODISCARD hoist_status hoist_document_abandon(hoist_document *doc);

#endif // HOIST_SRC_REPORT_DOCUMENT_H
