// hoist diff: the differences between two files, as JSON or as lines (report/diff_text.h). Files of
// one format are compared by their dumped fields (report/diff.h), compiled models also by their
// layers and instructions, a compiled model with its source layer by layer (both
// hoist_job_compare()); --run compares what they compute (diff_run.c).
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "diff_run.h"
#include "diff_send.h"
#include "report/diff.h"
#include "report/diff_text.h"
#include "run.h"
#include "tool.h"

enum { SIDES = 2 };

typedef struct diff_writer {
    tool *t;
    hoist_tree_sink *sink;
    bool is_text;      // for people: values are there as words
    hoist_buffer line; // text
    size_t count;      // differences sent so far
} diff_writer;

// `value` NULL: there is none.
// For people a value is cut to VALUE_WIDTH columns, a map or list is summarized; programs get
// it complete.
static void send_value(diff_writer *w, const char *key, const hoist_diff_node *value)
{
    enum { VALUE_WIDTH = 60 };
    if (value && !w->is_text) {
        hoist_diff_send(w->sink, key, value);
    } else if (value) {
        w->line.size = 0;
        hoist_diff_write(&w->line, value, VALUE_WIDTH);
        hoist_tree_str(w->sink, key, hoist_buffer_text(&w->line));
    }
}

static hoist_status send_item(void *self, const hoist_difference *d)
{
    diff_writer *const w = self;
    w->count++;
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "path", d->path);
    hoist_tree_c(w->sink, "kind", !d->old ? "added" : !d->now ? "removed" : "changed");
    send_value(w, "old", d->old);
    send_value(w, "new", d->now);
    hoist_tree_end(w->sink);
    return w->line.failed ? HOIST_NO_MEMORY : w->sink->status;
}

static void send_files(hoist_tree_sink *sink, const tool_input inputs[SIDES])
{
    hoist_tree_c(sink, "old", inputs[0].path);
    hoist_tree_c(sink, "new", inputs[1].path);
    hoist_tree_c(sink, "format", hoist_job_format(inputs[0].job));
}

// Of two compiled models layers, parameters and instructions follow, which no field of the file
// spells out.
static hoist_status send_differences(diff_writer *w, hoist_diff *diff,
                                     const tool_input inputs[SIDES])
{
    const hoist_diff_sink sink = {w, send_item};
    const hoist_comparison comparison = hoist_job_comparison(inputs[0].job, inputs[1].job);
    size_t more = 0;
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

// Both dumps are kept as trees; nothing is compared before both are complete.
static hoist_status read_both(hoist_diff *diff, const tool_input inputs[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        hoist_tree_sink sink = hoist_diff_document(diff, i);
        HOIST_TRY(hoist_job_dump(inputs[i].job, NULL, false, &sink));
    }
    return HOIST_OK;
}

// Compares the fields of two files of one format.
static hoist_status compare_fields(tool *t, const tool_input inputs[SIDES], bool is_text,
                                   hoist_tree_sink *sink, size_t *out_count)
{
    hoist_diff diff;
    diff_writer w = {.t = t, .sink = sink, .is_text = is_text};
    hoist_buffer_init(&w.line, t->alloc);
    hoist_diff_init(&diff, hoist_job_diff_rules(inputs[0].job), t->alloc);
    hoist_status status = read_both(&diff, inputs);
    status = status == HOIST_OK ? send_differences(&w, &diff, inputs) : status;
    hoist_diff_deinit(&diff);
    hoist_buffer_deinit(&w.line);
    *out_count = w.count;
    return status;
}

// Sends how the files differ as members of the map that is open; `runs` NULL: by what they say.
static hoist_status send_all(tool *t, const tool_input inputs[SIDES], diff_runs *runs, bool is_text,
                             hoist_tree_sink *sink, size_t *out_count)
{
    send_files(sink, inputs);
    if (runs) {
        return diff_run_send(runs, is_text, sink, out_count);
    }
    // A compiled model and its source share no field; their layers are what can be compared.
    return hoist_job_comparison(inputs[0].job, inputs[1].job) == HOIST_COMPARISON_SOURCE
               ? hoist_job_compare(inputs[0].job, inputs[1].job, sink, out_count)
               : compare_fields(t, inputs, is_text, sink, out_count);
}

hoist_status diff_send(tool *t, const tool_input inputs[SIDES], hoist_tree_sink *sink)
{
    size_t count = 0;
    return send_all(t, inputs, NULL, false, sink, &count);
}

static tool_exit report(tool *t, const tool_input inputs[SIDES], diff_runs *runs)
{
    size_t count = 0;
    tool_exit code = TOOL_OK;
    t->doing = "comparing";
    if (tool_given(t, OPT_JSON)) {
        hoist_document doc;
        tool_document(t, &doc, false);
        const hoist_status status = send_all(t, inputs, runs, false, &doc.sink, &count);
        code = tool_worse(tool_exit_of(status), tool_document_end(&doc));
    } else {
        const hoist_document_style style = {.width = t->width, .color = t->color};
        hoist_diff_text text;
        hoist_diff_text_begin(&text, t->alloc, t->out, &style);
        const hoist_status status = send_all(t, inputs, runs, true, &text.sink, &count);
        code = tool_worse(tool_exit_of(status), tool_exit_of(hoist_diff_text_end(&text)));
    }
    // Different is 1, as with diff(1) and cmp(1), but no failure hides behind it.
    return count && code == TOOL_OK ? TOOL_NO : code;
}

// Files of different formats can be run against each other: names of inputs and outputs have to
// agree, formats need not.
static tool_exit compare_runs(tool *t, tool_input inputs[SIDES])
{
    diff_runs *runs = NULL;
    tool_exit code = diff_run_begin(t, inputs, &runs);
    code = code == TOOL_OK ? report(t, inputs, runs) : code;
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
    const char *const old = hoist_job_format(inputs[0].job);
    const char *const now = hoist_job_format(inputs[1].job);
    if (strcmp(old, now) != 0 &&
        hoist_job_comparison(inputs[0].job, inputs[1].job) != HOIST_COMPARISON_SOURCE) {
        tool_complain(t,
                      "'%s' is of the format '%s', '%s' of '%s': they cannot be compared; expected "
                      "two files of one format",
                      inputs[0].path, old, inputs[1].path, now);
        return TOOL_UNSUPPORTED;
    }
    return report(t, inputs, NULL);
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
        // The second file is not read when the first could not be opened; its errors have been
        // printed.
        if (!inputs[i].job) {
            break;
        }
    }
    t->budget.limit = t->max_memory ? t->max_memory : memory;
    if (inputs[0].job && inputs[1].job && hoist_job_can_show(inputs[0].job) &&
        hoist_job_can_show(inputs[1].job)) {
        // A file with errors may still be compared as far as it could be read; the code is then
        // that of the errors.
        const tool_exit compared = compare_formats(t, inputs);
        code = code == TOOL_UNREADABLE ? code : tool_worse(code, compared);
    }
    // The first file last: closing it explains a limit that was hit, with the code of the
    // command.
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
