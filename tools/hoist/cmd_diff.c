// hoist diff: the differences between two files. Files of one format are compared by their dumped
// fields (report/diff.h), compiled models also by their layers and instructions, and a compiled
// model with its source layer by layer (both hoist_job_compare()).
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "diff_run.h"
#include "diff_send.h"
#include "report/diff.h"
#include "report/plain.h"
#include "run.h"
#include "tool.h"

enum { SIDES = 2 };

typedef struct diff_writer {
    tool *t;
    hoist_tree_sink *sink; // a document; NULL: lines of text
    bool is_text;          // the document is for people: values are there as words
    hoist_buffer line;     // text
    size_t count;
} diff_writer;

// "PATH: OLD -> NEW", broken at spaces.
static hoist_status write_line(diff_writer *w, const hoist_difference *d)
{
    enum { INDENT = 4, VALUE_WIDTH = 60 };
    hoist_buffer words;
    hoist_buffer_init(&words, w->t->alloc);
    hoist_buffer_str(&words, d->path);
    hoist_buffer_c(&words, d->old ? ": " : ": only in the new file: ");
    if (d->old) {
        hoist_buffer_c(&words, d->now ? "" : "only in the old file: ");
        hoist_diff_write(&words, d->old, VALUE_WIDTH);
        hoist_buffer_c(&words, d->now ? " -> " : "");
    }
    if (d->now) {
        hoist_diff_write(&words, d->now, VALUE_WIDTH);
    }
    w->line.size = 0;
    hoist_plain_wrap(&w->line, hoist_buffer_text(&words), INDENT, w->t->width);
    hoist_buffer_char(&w->line, '\n');
    hoist_output_str(w->t->out, hoist_buffer_text(&w->line));
    const bool whole = !words.failed && !w->line.failed;
    hoist_buffer_deinit(&words);
    return whole ? HOIST_OK : HOIST_NO_MEMORY;
}

// `value` NULL: there is none.
static void send_value(diff_writer *w, const char *key, const hoist_diff_node *value)
{
    enum { VALUE_WIDTH = 40 };
    if (!w->is_text) {
        if (value) {
            hoist_diff_send(w->sink, key, value);
        }
        return;
    }
    if (!value) {
        hoist_tree_null(w->sink, key);
        return;
    }
    w->line.size = 0;
    hoist_diff_write(&w->line, value, VALUE_WIDTH);
    hoist_tree_str(w->sink, key, hoist_buffer_text(&w->line));
}

static hoist_status send_item(diff_writer *w, const hoist_difference *d)
{
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "path", d->path);
    hoist_tree_c(w->sink, "kind", !d->old ? "added" : !d->now ? "removed" : "changed");
    send_value(w, "old", d->old);
    send_value(w, "new", d->now);
    hoist_tree_end(w->sink);
    return w->line.failed ? HOIST_NO_MEMORY : w->sink->status;
}

static hoist_status take(void *self, const hoist_difference *difference)
{
    diff_writer *const w = self;
    w->count++;
    return w->sink ? send_item(w, difference) : write_line(w, difference);
}

static void send_files(hoist_tree_sink *sink, const tool_input inputs[SIDES])
{
    hoist_tree_c(sink, "old", inputs[0].path);
    hoist_tree_c(sink, "new", inputs[1].path);
    hoist_tree_c(sink, "format", hoist_job_format(inputs[0].job));
}

// The differences as members of a map; behind them those of compiled programs.
static hoist_status send_differences(diff_writer *w, hoist_diff *diff,
                                     const tool_input inputs[SIDES])
{
    const hoist_diff_sink sink = {w, take};
    const hoist_comparison comparison = hoist_job_comparison(inputs[0].job, inputs[1].job);
    size_t more = 0;
    send_files(w->sink, inputs);
    hoist_tree_list(w->sink, "differences");
    hoist_status status = hoist_diff_compare(diff, &sink);
    hoist_tree_end(w->sink);
    if (status == HOIST_OK && comparison == HOIST_COMPARISON_COMPILED) {
        status = hoist_job_compare(inputs[0].job, inputs[1].job, w->sink, &more);
    }
    w->count += more;
    hoist_tree_uint(w->sink, "count", w->count, HOIST_UNIT_NONE);
    return status;
}

static tool_exit write_document(diff_writer *w, hoist_diff *diff, const tool_input inputs[SIDES])
{
    hoist_document doc;
    tool_document(w->t, &doc, false);
    w->sink = &doc.sink;
    w->is_text = !tool_given(w->t, OPT_JSON);
    const hoist_status status = send_differences(w, diff, inputs);
    return tool_worse(tool_exit_of(status), tool_document_end(w->t, &doc));
}

static hoist_status read_both(hoist_diff *diff, const tool_input inputs[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        hoist_tree_sink sink = hoist_diff_document(diff, i);
        HOIST_TRY(hoist_job_dump(inputs[i].job, NULL, false, &sink));
    }
    return HOIST_OK;
}

hoist_status diff_send(tool *t, const tool_input inputs[SIDES], hoist_tree_sink *sink)
{
    size_t count = 0;
    if (hoist_job_comparison(inputs[0].job, inputs[1].job) == HOIST_COMPARISON_SOURCE) {
        send_files(sink, inputs);
        return hoist_job_compare(inputs[0].job, inputs[1].job, sink, &count);
    }
    hoist_diff diff;
    diff_writer w = {.t = t, .sink = sink};
    hoist_buffer_init(&w.line, t->alloc);
    hoist_diff_init(&diff, hoist_job_diff_rules(inputs[0].job), t->alloc);
    hoist_status status = read_both(&diff, inputs);
    status = status == HOIST_OK ? send_differences(&w, &diff, inputs) : status;
    hoist_diff_deinit(&diff);
    hoist_buffer_deinit(&w.line);
    return status;
}

// Compares the fields of two files of one format: as a document, or as lines of text.
static tool_exit compare(tool *t, const tool_input inputs[SIDES])
{
    const hoist_comparison comparison = hoist_job_comparison(inputs[0].job, inputs[1].job);
    hoist_diff diff;
    diff_writer w = {.t = t};
    hoist_buffer_init(&w.line, t->alloc);
    hoist_diff_init(&diff, hoist_job_diff_rules(inputs[0].job), t->alloc);
    t->doing = "comparing";
    tool_exit code = tool_exit_of(read_both(&diff, inputs));
    if (code == TOOL_OK) {
        const hoist_diff_sink lines = {&w, take};
        code = tool_given(t, OPT_JSON) || comparison != HOIST_COMPARISON_FIELDS
                   ? write_document(&w, &diff, inputs)
                   : tool_exit_of(hoist_diff_compare(&diff, &lines));
    }
    hoist_diff_deinit(&diff);
    hoist_buffer_deinit(&w.line);
    return w.count && code == TOOL_OK ? TOOL_NO : code;
}

// Runs both; how they differ is a document.
static tool_exit compare_runs(tool *t, tool_input inputs[SIDES])
{
    diff_runs *runs = NULL;
    tool_exit code = diff_run_begin(t, inputs, &runs);
    if (code == TOOL_OK) {
        hoist_document doc;
        size_t count = 0;
        tool_document(t, &doc, false);
        send_files(&doc.sink, inputs);
        const hoist_status status =
            diff_run_send(runs, !tool_given(t, OPT_JSON), &doc.sink, &count);
        code = tool_worse(tool_exit_of(status), tool_document_end(t, &doc));
        code = count && code == TOOL_OK ? TOOL_NO : code;
    }
    diff_run_end(runs);
    return code;
}

// Options that say how files are run.
static tool_exit check_options(tool *t)
{
    static const tool_option_id of_runs[] = {OPT_INPUT, OPT_ROUNDING, OPT_ON_UNKNOWN};
    for (size_t i = 0; i < HOIST_COUNT_OF(of_runs); i++) {
        if (tool_given(t, of_runs[i]) && !tool_given(t, OPT_DIFF_RUN)) {
            tool_complain(t, "--%s is about --run, which is not given",
                          tool_options[of_runs[i]].name);
            return TOOL_USAGE;
        }
    }
    return TOOL_OK;
}

static tool_exit compare_formats(tool *t, tool_input inputs[SIDES])
{
    if (tool_given(t, OPT_DIFF_RUN)) {
        return compare_runs(t, inputs);
    }
    if (hoist_job_comparison(inputs[0].job, inputs[1].job) == HOIST_COMPARISON_SOURCE) {
        // Compares a compiled model with its source, layer by layer, as a document.
        hoist_document doc;
        size_t count = 0;
        t->doing = "comparing";
        tool_document(t, &doc, false);
        send_files(&doc.sink, inputs);
        const hoist_status status =
            hoist_job_compare(inputs[0].job, inputs[1].job, &doc.sink, &count);
        const tool_exit code = tool_worse(tool_exit_of(status), tool_document_end(t, &doc));
        return count && code == TOOL_OK ? TOOL_NO : code;
    }
    const char *const old = hoist_job_format(inputs[0].job);
    const char *const now = hoist_job_format(inputs[1].job);
    if (strcmp(old, now) != 0) {
        tool_complain(t, "'%s' is of the format '%s', '%s' of '%s': they cannot be compared",
                      inputs[0].path, old, inputs[1].path, now);
        return TOOL_UNSUPPORTED;
    }
    return compare(t, inputs);
}

static tool_exit diff_files(tool *t, const void *self)
{
    (void)self;
    tool_input inputs[SIDES] = {0};
    tool_exit code = TOOL_OK;
    size_t memory = 0; // that opening may take, together
    for (int i = 0; i < SIDES; i++) {
        code = tool_worse(code, tool_open_file(t, t->arguments[i], &inputs[i]));
        memory += t->budget.limit;
        if (!inputs[i].job) {
            break;
        }
    }
    t->budget.limit = t->max_memory ? t->max_memory : memory;
    if (inputs[0].job && inputs[1].job && hoist_job_can_show(inputs[0].job) &&
        hoist_job_can_show(inputs[1].job)) {
        const tool_exit compared = compare_formats(t, inputs);
        code = code == TOOL_UNREADABLE ? code : tool_worse(code, compared);
    }
    for (int i = SIDES; i > 0; i--) {
        if (inputs[i - 1].diag) {
            tool_close(t, &inputs[i - 1], i == 1 ? code : TOOL_OK);
        }
    }
    return code;
}

tool_exit cmd_diff(tool *t)
{
    const tool_exit code = check_options(t);
    return code != TOOL_OK               ? code
           : tool_given(t, OPT_DIFF_RUN) ? run_among_ranks(t, diff_files, NULL)
                                         : diff_files(t, NULL);
}
