// hoist view: a page of files (report/page.h around viewer/). A file is a document of what the page
// shows at once (graphs with where their nodes are, memory, findings); others, which the page reads
// when it is asked for them, are its summary, the estimated run (view_time.c), and its complete
// content with places, which is left out of files with very many values. Files are opened one after
// the other.
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "diff_send.h"
#include "report/findings.h"
#include "view.h"

// viewer/, as bytes.
extern const uint8_t viewer_text[];
extern const size_t viewer_text_size;
extern const uint8_t viewer_style[];
extern const size_t viewer_style_size;
extern const uint8_t viewer_script[];
extern const size_t viewer_script_size;

enum { PAIR = 2 };              // files that are compared
enum { MOST_VALUES = 2000000 }; // of the content of a file; a page cannot hold any number

// Contents ----------------------------------------------------------------------------------------

static hoist_status count_value(void *self, const hoist_tree_event *event)
{
    size_t *count = self;
    (void)event;
    return ++*count > MOST_VALUES ? HOIST_LIMIT : HOIST_OK;
}

// `*out_has`: the content has a document, since the format gives it and a page can hold it.
static hoist_status find_content(const tool_input *input, bool *out_has)
{
    size_t count = 0;
    hoist_tree_sink counter = {.self = &count, .event = count_value};
    const hoist_status status = hoist_job_dump(input->job, NULL, false, &counter);
    *out_has = status == HOIST_OK;
    return count > MOST_VALUES || status == HOIST_UNSUPPORTED ? HOIST_OK : status;
}

static hoist_status send_content(view *v, const tool_input *input)
{
    view_begin(v, "content", true);
    return hoist_page_end(&v->page, hoist_job_dump(input->job, NULL, true, &v->page.sink));
}

// A file ------------------------------------------------------------------------------------------

// Files of some formats are not drawn; then the page says so.
static hoist_status send_graphs(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    const hoist_status drawn = hoist_job_graph(job, NULL, NULL);
    if (drawn != HOIST_OK) {
        return drawn == HOIST_UNSUPPORTED ? HOIST_OK : drawn;
    }
    HOIST_TRY(hoist_job_graph(job, diag, sink));
    return hoist_job_layout(job, diag, sink);
}

// Files whose graphs the page has, or their summary.
typedef hoist_status send_fn(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink);

static hoist_status send_info(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    return hoist_job_info(job, false, diag, sink);
}

// What these calls find has a diag of its own: each of them repeats what hoist_job_check() finds.
static tool_exit send_facts(view *v, const tool_input *input, tool_exit opened, send_fn *send,
                            hoist_status *out_status)
{
    tool_input calls = {.path = input->path, .job = input->job};
    *out_status = hoist_diag_create(v->t->alloc, NULL, &calls.diag);
    if (*out_status != HOIST_OK) {
        return TOOL_LIMIT;
    }
    *out_status = send(input->job, calls.diag, &v->page.sink);
    const tool_exit code = tool_report_shown(v->t, *out_status, &calls, opened);
    hoist_diag_destroy(calls.diag);
    return code;
}

static void send_head(const tool_input *input, bool content, hoist_tree_sink *sink)
{
    const hoist_job *job = input->job;
    hoist_tree_c(sink, "schema", "hoist.view/1");
    hoist_tree_c(sink, "generator", "hoist " HOIST_VERSION_TEXT);
    hoist_tree_c(sink, "file", input->path);
    hoist_tree_maybe_c(sink, "format", job ? hoist_job_format(job) : NULL);
    hoist_tree_maybe_c(sink, "title", job ? hoist_job_format_title(job) : NULL);
    hoist_tree_uint(sink, "size_bytes", input->view.bytes.size, HOIST_UNIT_BYTES);
    hoist_tree_bool(sink, "has_content", content);
}

// The findings of the rules that only hoist_job_check() looks at do not count for the exit code.
static tool_exit send_first(view *v, const tool_input *input, tool_exit opened, bool content)
{
    static const hoist_findings_options all = {.quiet = false};
    view_begin(v, "file", false);
    hoist_tree_sink *sink = &v->page.sink;
    hoist_tree_map(sink, "");
    send_head(input, content, sink);
    tool_exit code = opened;
    hoist_status status = HOIST_OK;
    if (tool_can_show(input, opened)) {
        code = send_facts(v, input, opened, send_graphs, &status);
    }
    hoist_tree_list(sink, "races");
    if (input->job && code != TOOL_LIMIT) {
        // As hoist_job_check() does, with the races that it finds step by step.
        const hoist_order_check check = {.struct_size = sizeof check, .brief = true, .races = sink};
        hoist_verdict verdict = HOIST_VERDICT_NONE;
        code = tool_worse(
            code, tool_exit_of(hoist_job_check_order(input->job, &check, input->diag, &verdict)));
    }
    hoist_tree_end(sink);
    if (hoist_diag_incomplete(input->diag)) {
        code = tool_worse(code, TOOL_LIMIT);
    }
    hoist_diag_sort(input->diag);
    hoist_findings_tree(input->diag, "findings", &all, sink);
    hoist_tree_end(sink);
    return tool_worse(code, tool_exit_of(hoist_page_end(&v->page, status)));
}

static tool_exit send_summary(view *v, const tool_input *input, tool_exit opened)
{
    view_begin(v, "info", false);
    hoist_tree_map(&v->page.sink, "");
    hoist_status status = HOIST_OK;
    const tool_exit code = send_facts(v, input, opened, send_info, &status);
    hoist_tree_end(&v->page.sink);
    return tool_worse(code, tool_exit_of(hoist_page_end(&v->page, status)));
}

// Of a file that is too broken to be shown the page has its findings.
static tool_exit send_file(view *v, const tool_input *input, tool_exit opened)
{
    const bool is_shown = tool_can_show(input, opened);
    bool content = false;
    const hoist_status found = is_shown ? find_content(input, &content) : HOIST_OK;
    tool_exit code = tool_worse(tool_exit_of(found), send_first(v, input, opened, content));
    if (is_shown && code != TOOL_LIMIT) {
        code = tool_worse(code, send_summary(v, input, opened));
    }
    if (is_shown && code != TOOL_LIMIT) {
        code = tool_worse(code, view_send_run(v, input));
    }
    if (content && code != TOOL_LIMIT) {
        code = tool_worse(code, tool_exit_of(send_content(v, input)));
    }
    v->shown++;
    return code;
}

// Texts of documents, and what they are compressed to: several times what they are made of.
static size_t page_memory(const tool_input *input)
{
    enum { LEAST = 256 << 20, TIMES = 32 };
    const size_t size = input->view.bytes.size;
    return LEAST + TIMES * (size < LEAST ? size : LEAST);
}

static hoist_str str_of(const uint8_t *bytes, size_t size)
{
    return (hoist_str){(const char *)bytes, size};
}

static void open_page(view *v)
{
    const hoist_page_parts parts = {.text = str_of(viewer_text, viewer_text_size),
                                    .style = str_of(viewer_style, viewer_style_size),
                                    .script = str_of(viewer_script, viewer_script_size)};
    hoist_page_open(&v->page, v->t->alloc, v->out, &parts, v->t->deadline);
}

// The file stays open.
static tool_exit view_file(view *v, const char *path, tool_input *out_input)
{
    tool_exit code = tool_open_file(v->t, path, out_input);
    if (out_input->view.bytes.size && code != TOOL_LIMIT) {
        tool_allow_memory(v->t, page_memory(out_input));
        v->t->doing = "drawing";
        if (v->shown == 0) {
            open_page(v);
        }
        code = send_file(v, out_input, code);
    }
    return code;
}

// How two files differ
// -----------------------------------------------------------------------------

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
