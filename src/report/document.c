// A document on its way to an output: events go to codec/json_writer.h or to text.c, and the text
// is flushed as it grows, so that large dumps need no memory.
#include "report/document.h"

#include <stdio.h>

enum { FLUSH_AT = 64 * 1024 };

// Sends what was rendered, and begins to fill the buffer anew.
static void send(hoist_document *doc)
{
    hoist_output_str(doc->out, hoist_buffer_text(&doc->buffer));
    doc->buffer.size = 0;
}

bool hoist_document_skips(size_t *skipped, bool json, const hoist_tree_event *event)
{
    const hoist_tree_audience others = json ? HOIST_TREE_FOR_PEOPLE : HOIST_TREE_FOR_PROGRAMS;
    const bool is_end = event->kind == HOIST_TREE_END;
    // An end comes here only for what was not skipped.
    if (*skipped == 0 && (is_end || event->audience != others)) {
        return false;
    }
    if (is_end) {
        --*skipped;
    } else if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
        ++*skipped;
    }
    return true;
}

static hoist_status forward(void *self, const hoist_tree_event *event)
{
    hoist_document *doc = self;
    if (hoist_document_skips(&doc->skipped, doc->style.json, event)) {
        return doc->inner.status;
    }
    hoist_tree_send(&doc->inner, event);
    // A document in memory is one buffer, whatever its size.
    if (doc->out && doc->buffer.size >= FLUSH_AT) {
        send(doc);
    }
    return doc->inner.status;
}

void hoist_document_head(hoist_document *doc, const char *command)
{
    enum { SCHEMA_VERSION = 1 }; // of every document; raised when a key is removed or retyped
    hoist_tree_map(&doc->sink, "");
    if (doc->style.json) {
        char schema[64];
        (void)snprintf(schema, sizeof(schema), "hoist.%s/%d", command, SCHEMA_VERSION);
        hoist_tree_c(&doc->sink, "schema", schema);
        hoist_tree_c(&doc->sink, "generator", "hoist " HOIST_VERSION_TEXT);
    }
}

void hoist_document_open(hoist_document *doc, hoist_allocator alloc, hoist_output *out,
                         const hoist_document_style *style)
{
    *doc = (hoist_document){.style = *style, .out = out};
    hoist_buffer_init(&doc->buffer, alloc);
    if (style->json) {
        hoist_json_writer_init(&doc->writer, &doc->buffer, true, style->positions);
        doc->inner = hoist_json_writer_sink(&doc->writer);
    } else {
        hoist_text_init(&doc->text, &doc->buffer, style->width, style->color);
        hoist_text_summarize(&doc->text, style->lines, style->rest);
        doc->inner = hoist_text_sink(&doc->text);
    }
    doc->sink = (hoist_tree_sink){.self = doc, .event = forward};
}

static void close_writer(hoist_document *doc)
{
    if (doc->style.json) {
        hoist_json_writer_deinit(&doc->writer);
    } else {
        hoist_text_deinit(&doc->text);
    }
}

// The first failure of what came until now.
static hoist_status status_of(const hoist_document *doc)
{
    const hoist_status status = doc->sink.status;
    return status == HOIST_OK && doc->buffer.failed ? HOIST_NO_MEMORY : status;
}

hoist_status hoist_document_abandon(hoist_document *doc)
{
    const hoist_status status = status_of(doc);
    close_writer(doc);
    hoist_buffer_deinit(&doc->buffer);
    return status;
}

hoist_status hoist_document_take(hoist_document *doc, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    // The writer of JSON ends without a line break, that of text with one.
    hoist_buffer_c(&doc->buffer, doc->style.json ? "\n" : "");
    close_writer(doc);
    hoist_status status = status_of(doc);
    if (status == HOIST_OK) {
        status = hoist_buffer_take(&doc->buffer, out_bytes);
    }
    hoist_buffer_deinit(&doc->buffer);
    return status;
}

hoist_status hoist_document_close(hoist_document *doc)
{
    hoist_buffer_c(&doc->buffer, doc->style.json ? "\n" : "");
    close_writer(doc);
    const hoist_status status = status_of(doc);
    send(doc);
    hoist_buffer_deinit(&doc->buffer);
    return status;
}
