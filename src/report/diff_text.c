// How two files differ, for people (diff_text.h). In: the events of hoist.diff/1; out: lines for
// differences, and a document (document.c) for all others.
#include "report/diff_text.h"

#include <inttypes.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "report/plain.h"
#include "report/value.h"

// The first failure stays.
static void note(hoist_diff_text *d, hoist_status status)
{
    d->status = d->status == HOIST_OK ? status : d->status;
}

// Begins a document at the place in the output where the last one, or a list of lines, has ended.
static void open_document(hoist_diff_text *d)
{
    hoist_document_open(&d->doc, d->alloc, d->out, &d->style);
    hoist_document_head(&d->doc, "diff");
    d->is_open = true;
}

static void close_document(hoist_diff_text *d)
{
    if (d->is_open) {
        hoist_tree_end(&d->doc.sink);
        note(d, hoist_document_close(&d->doc));
        d->is_open = false;
    }
}

// Opens the document for what is no difference; the first thing in it is that there are none.
static void resume_document(hoist_diff_text *d)
{
    if (!d->is_open) {
        hoist_output_c(d->out, "\n");
        open_document(d);
    }
    if (d->has_list && !d->has_lines) {
        hoist_tree_list(&d->doc.sink, "differences");
        hoist_tree_end(&d->doc.sink);
        d->has_lines = true;
    }
}

// Lines ------------------------------------------------------------------------------------------

// What the line says of old and new; that they differ where neither is known.
static void write_values(const hoist_diff_text *d, hoist_buffer *out)
{
    const bool has_old = d->has[HOIST_DIFF_TEXT_OLD];
    const bool has_new = d->has[HOIST_DIFF_TEXT_NEW];
    hoist_buffer_c(out, has_old && has_new ? ""
                        : has_old          ? "only in the old file: "
                        : has_new          ? "only in the new file: "
                                           : "differs");
    hoist_buffer_str(out, hoist_buffer_text(&d->parts[HOIST_DIFF_TEXT_OLD]));
    hoist_buffer_c(out, has_old && has_new ? " -> " : "");
    hoist_buffer_str(out, hoist_buffer_text(&d->parts[HOIST_DIFF_TEXT_NEW]));
}

// " (864 elements, by at most 29)"; of a single value nothing, which its line says.
static void write_amount(const hoist_diff_text *d, hoist_buffer *out)
{
    if (d->elements < 2) {
        return;
    }
    hoist_buffer_format(out, " (%" PRIu64 " elements", d->elements);
    if (d->largest != 0) {
        hoist_buffer_c(out, ", by at most ");
        hoist_json_write_double(out, d->largest);
    }
    hoist_buffer_char(out, ')');
}

// Writes an item whose members have all come.
static void write_line(hoist_diff_text *d)
{
    enum { INDENT = 2, BELOW = 6 };
    hoist_buffer words;
    hoist_buffer_init(&words, d->alloc);
    hoist_buffer_str(&words, hoist_buffer_text(&d->parts[HOIST_DIFF_TEXT_PATH]));
    hoist_buffer_c(&words, ": ");
    write_values(d, &words);
    write_amount(d, &words);
    d->line.size = 0;
    // The first line of a list ends the document before it, and begins with a heading.
    if (d->is_open) {
        close_document(d);
        hoist_buffer_char(&d->line, '\n');
        hoist_plain_styled(&d->line, d->style.color, HOIST_STYLE_BOLD, HOIST_STR("differences"));
        hoist_buffer_char(&d->line, '\n');
    }
    hoist_buffer_fill(&d->line, ' ', INDENT);
    hoist_plain_wrap(&d->line, hoist_buffer_text(&words), BELOW, d->style.width);
    hoist_buffer_char(&d->line, '\n');
    hoist_output_str(d->out, hoist_buffer_text(&d->line));
    note(d, words.failed || d->line.failed ? HOIST_NO_MEMORY : HOIST_OK);
    hoist_buffer_deinit(&words);
    d->has_lines = true;
}

// Items ------------------------------------------------------------------------------------------

// Forgets the item before; its buffers are used again.
static void begin_item(hoist_diff_text *d)
{
    for (int i = 0; i < HOIST_DIFF_TEXT_PARTS; i++) {
        d->parts[i].size = 0;
        d->has[i] = false;
    }
    d->elements = 0;
    d->largest = 0;
}

// A value in words. What maps and lists hold comes in events of its own, which are not shown.
static void take_text(hoist_diff_text *d, hoist_diff_text_part part, const hoist_tree_event *event)
{
    const hoist_value value = {.event = *event};
    hoist_buffer *const out = &d->parts[part];
    d->has[part] = event->kind != HOIST_TREE_NULL;
    if (event->kind == HOIST_TREE_STR) {
        hoist_plain_write(out, event->str);
    } else if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
        hoist_buffer_c(out, "...");
    } else if (d->has[part]) {
        hoist_value_write(out, &value, false);
    }
    note(d, out->failed ? HOIST_NO_MEMORY : HOIST_OK);
}

// Keeps what is known of the item; keys that are not known here are left out.
static void take_member(hoist_diff_text *d, const hoist_tree_event *event)
{
    static const char *const keys[HOIST_DIFF_TEXT_PARTS] = {"path", "old", "new"};
    for (int i = 0; i < HOIST_DIFF_TEXT_PARTS; i++) {
        if (hoist_str_equal_c(event->key, keys[i])) {
            take_text(d, (hoist_diff_text_part)i, event);
        }
    }
    if (hoist_str_equal_c(event->key, "elements") && event->kind == HOIST_TREE_UINT) {
        d->elements = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "largest") && event->kind == HOIST_TREE_FLOAT) {
        d->largest = event->number;
    }
}

// An event inside of a list of differences. Level 0 is the list, 1 an item, deeper ones are in
// values.
static void take_in_list(hoist_diff_text *d, const hoist_tree_event *event)
{
    if (event->kind == HOIST_TREE_END) {
        if (d->level == 0) {
            d->in_list = false;
        } else if (--d->level == 0) {
            write_line(d);
        }
        return;
    }
    if (d->level == 1) {
        take_member(d, event);
    }
    if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
        if (d->level == 0) {
            begin_item(d);
        }
        d->level++;
    }
}

static hoist_status take(void *self, const hoist_tree_event *event)
{
    hoist_diff_text *const d = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    if (hoist_document_skips(&d->skipped, false, event)) {
        return d->status;
    }
    if (d->in_list) {
        take_in_list(d, event);
    } else if (d->depth == 0 && event->kind == HOIST_TREE_LIST &&
               hoist_str_ends_with(event->key, "differences")) {
        d->has_list = true;
        d->in_list = true;
    } else {
        resume_document(d);
        hoist_tree_send(&d->doc.sink, event);
        // Only lists at the top are lines.
        d->depth = opens ? d->depth + 1 : event->kind == HOIST_TREE_END ? d->depth - 1 : d->depth;
        note(d, d->doc.sink.status);
    }
    return d->status;
}

void hoist_diff_text_begin(hoist_diff_text *text, hoist_allocator alloc, hoist_output *out,
                           const hoist_document_style *style)
{
    *text = (hoist_diff_text){.style = *style, .alloc = alloc, .out = out};
    text->sink = (hoist_tree_sink){.self = text, .event = take};
    for (int i = 0; i < HOIST_DIFF_TEXT_PARTS; i++) {
        hoist_buffer_init(&text->parts[i], alloc);
    }
    hoist_buffer_init(&text->line, alloc);
    open_document(text);
}

hoist_status hoist_diff_text_end(hoist_diff_text *text)
{
    if (text->has_list && !text->has_lines) {
        resume_document(text);
    }
    close_document(text);
    for (int i = 0; i < HOIST_DIFF_TEXT_PARTS; i++) {
        hoist_buffer_deinit(&text->parts[i]);
    }
    hoist_buffer_deinit(&text->line);
    note(text, text->sink.status);
    return text->status;
}
