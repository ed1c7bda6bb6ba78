// hoist view: a page of files, each with its documents (page/file.h). Files are opened one after
// the other.
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "diff_send.h"
#include "page/file.h"
#include "timing.h"
#include "tool.h"

enum { PAIR = 2 }; // files that are compared

typedef struct view {
    tool *t;
    hoist_output *out; // borrowed
    hoist_page page;   // from the first file on
    size_t shown;      // files that are in the page
} view;

// A file ------------------------------------------------------------------------------------------

// What a part of a file's documents ended with.
typedef struct outcome {
    tool *t;
    const tool_input *input;
    tool_exit opened; // how the opening of the file ended
    tool_exit code;   // the worst so far
} outcome;

// The findings of the rules that only hoist_job_check() looks at do not count for the exit code.
// Parts of a page end with statuses of their own: a document that cannot be made leaves a gap,
// with its findings, and does not take the others with it.
static void keep_outcome(void *self, hoist_status status, hoist_diag *found)
{
    outcome *const o = self;
    // A copy of the input with the findings of this part alone, for the functions that print
    // them.
    const tool_input calls = {.path = o->input->path, .job = o->input->job, .diag = found};
    o->code = tool_worse(o->code, found ? tool_report_shown(o->t, status, &calls, o->opened)
                                        : tool_exit_of(status));
}

// Of a file that is too broken to be shown the page has its findings.
// Files are numbered by what is shown, without those that could not be read.
static tool_exit send_file(view *v, const tool_input *input, tool_exit opened)
{
    outcome o = {.t = v->t, .input = input, .opened = opened, .code = opened};
    const page_file file = {.job = input->job,
                            .diag = input->diag,
                            .name = hoist_str_from(input->path),
                            .size = input->view.bytes.size,
                            .is_shown = tool_can_show(input, opened),
                            .number = v->shown++,
                            .ended = keep_outcome,
                            .self = &o};
    const hoist_status status = page_file_send(&file, &v->page);
    return tool_worse(o.code, tool_exit_of(status));
}

// The estimated run; texts of documents, and what they are compressed to: several times what they
// are made of.
static size_t page_memory(const tool_input *input)
{
    enum { LEAST = 256 << 20, TIMES = 32 };
    const size_t size = input->view.bytes.size;
    return TIMING_MOST_BYTES + LEAST + TIMES * (size < LEAST ? size : LEAST);
}

// The file stays open.
// The page is opened with the first file that has any bytes: a page of nothing is not written.
static tool_exit view_file(view *v, const char *path, tool_input *out_input)
{
    tool_exit code = tool_open_file(v->t, path, out_input);
    if (out_input->view.bytes.size && code != TOOL_LIMIT) {
        tool_allow_memory(v->t, page_memory(out_input));
        v->t->doing = "drawing";
        if (v->shown == 0) {
            page_open(&v->page, v->t->alloc, v->out, v->t->deadline);
        }
        code = send_file(v, out_input, code);
    }
    return code;
}

// How two files differ ----------------------------------------------------------------------------

// The condition of `hoist diff`, without its complaint.
static bool are_comparable(const tool_input inputs[PAIR])
{
    return inputs[0].job && inputs[1].job && hoist_job_can_show(inputs[0].job) &&
           hoist_job_can_show(inputs[1].job) &&
           (hoist_job_comparison(inputs[0].job, inputs[1].job) == HOIST_COMPARISON_SOURCE ||
            strcmp(hoist_job_format(inputs[0].job), hoist_job_format(inputs[1].job)) == 0);
}

static tool_exit send_changes(view *v, const tool_input inputs[PAIR])
{
    v->t->doing = "comparing";
    // The comparison is for the pair, not a document of either file.
    hoist_page_begin(&v->page, "changes", false);
    hoist_tree_map(&v->page.sink, "");
    const hoist_status status = diff_send(v->t, inputs, &v->page.sink);
    hoist_tree_end(&v->page.sink);
    return tool_exit_of(hoist_page_end(&v->page, status));
}

// Two files stay open together; of others one is at a time.
static tool_exit view_pair(view *v)
{
    tool_input inputs[PAIR] = {{0}};
    tool_exit code = TOOL_OK;
    int opened = 0;
    size_t memory = 0; // that both may take, together
    while (opened < PAIR && code != TOOL_LIMIT) {
        code = tool_worse(code, view_file(v, v->t->arguments[opened], &inputs[opened]));
        memory += v->t->budget.limit;
        opened++;
    }
    v->t->budget.limit = v->t->max_memory ? v->t->max_memory : memory;
    if (code != TOOL_LIMIT && are_comparable(inputs)) {
        code = tool_worse(code, send_changes(v, inputs));
    }
    while (opened-- > 0) {
        if (inputs[opened].diag) {
            tool_close(v->t, &inputs[opened], opened == 0 ? code : TOOL_OK);
        }
    }
    return code;
}

// The page ----------------------------------------------------------------------------------------

// `*out_shown`: the page has a file, and is complete. Else nothing, or not all, is written.
static tool_exit write_page(tool *t, hoist_output *out, bool *out_shown)
{
    view v = {.t = t, .out = out};
    tool_exit code = TOOL_OK;
    if (t->argument_count == PAIR) {
        code = view_pair(&v);
    }
    for (size_t i = 0; i < t->argument_count && t->argument_count != PAIR; i++) {
        tool_input input;
        const tool_exit shown = view_file(&v, t->arguments[i], &input);
        tool_close(t, &input, shown);
        code = tool_worse(code, shown);
    }
    const hoist_status closed = v.shown ? hoist_page_close(&v.page) : HOIST_OK;
    *out_shown = v.shown > 0 && closed == HOIST_OK;
    return tool_worse(code, tool_exit_of(closed));
}

// Findings of writing are kept apart from those of the files, which have diags of their own.
static tool_exit save_page(tool *t, const char *path)
{
    hoist_diag *diag = NULL;
    hoist_output file;
    bool shown = false;
    tool_exit code = TOOL_OK;
    if (hoist_diag_create(t->alloc, NULL, &diag) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    const tool_input page = {.path = path, .diag = diag};
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    const hoist_status created = hoist_output_create(&file, path, t->temporaries, diag);
    if (created == HOIST_OK) {
        code = write_page(t, &file, &shown);
        if (shown && code != TOOL_LIMIT) {
            code = tool_worse(code, tool_report(t, hoist_output_close(&file, diag), &page));
        }
        // After hoist_output_close() this does nothing.
        hoist_output_drop(&file);
    } else {
        code = tool_report(t, created, &page);
    }
    code = hoist_diag_incomplete(diag) ? tool_worse(code, TOOL_LIMIT) : code;
    hoist_diag_destroy(diag);
    return code;
}

tool_exit cmd_view(tool *t)
{
    bool shown = false;
    const char *path = t->values[OPT_OUTPUT];
    if (path && !tool_spares_inputs(t, path)) {
        return TOOL_USAGE;
    }
    return path && !tool_is_stdout(path) ? save_page(t, path) : write_page(t, t->out, &shown);
}
