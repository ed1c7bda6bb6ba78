// hoist check: judges files and prints all findings.
#include "base/span.h"
#include "parse.h"
#include "report/findings.h"
#include "tool.h"

// Exit code for one file: 1 for findings, malformed included; 3 only when it cannot be read.
static tool_exit judge(const tool *t, hoist_status status, const hoist_diag *diag)
{
    if (hoist_diag_incomplete(diag)) {
        return TOOL_LIMIT;
    }
    switch (status) {
    case HOIST_OK:
    case HOIST_INVALID:
    case HOIST_TRUNCATED:
        break;
    default:
        return tool_exit_of(status);
    }
    const bool errors = status != HOIST_OK || hoist_diag_count(diag, HOIST_ERROR);
    const bool warnings = tool_given(t, OPT_WERROR) && hoist_diag_count(diag, HOIST_WARNING);
    return errors || warnings ? TOOL_NO : TOOL_OK;
}

// A file and what was asked about it.
typedef struct checked {
    tool_input input;
    bool has_verdict; // of --races: the file has no errors that keep it from being judged
    hoist_verdict verdict;
} checked;

static bool read_order(tool *t, hoist_order_check *out)
{
    uint64_t ranks = 0;
    *out = (hoist_order_check){.struct_size = sizeof(*out)};
    if (!tool_count_of(t, OPT_RANKS, 1, 0, &ranks) ||
        !tool_count_of(t, OPT_MAX_STEPS, 1, 0, &out->max_steps)) {
        return false;
    }
    out->ranks = ranks < UINT32_MAX ? (uint32_t)ranks : UINT32_MAX;
    return true;
}

static hoist_status check_order(const hoist_order_check *order, checked *file)
{
    hoist_diag *diag = file->input.diag;
    const bool wrong = hoist_diag_count(diag, HOIST_ERROR) > 0;
    const hoist_status status = hoist_job_check_order(file->input.job, order, diag, &file->verdict);
    file->has_verdict = status == HOIST_OK;
    return status == HOIST_INVALID && wrong ? HOIST_OK : status; // nothing to judge
}

static hoist_status check_file(tool *t, const char *path, const hoist_order_check *order,
                               checked *file)
{
    HOIST_TRY(tool_open(t, path, &file->input));
    t->doing = "checking";
    HOIST_TRY(hoist_job_check(file->input.job, file->input.diag));
    if (tool_given(t, OPT_RACES)) {
        HOIST_TRY(check_order(order, file));
    }
    hoist_diag_sort(file->input.diag);
    return HOIST_OK;
}

static hoist_target target_of(const tool_input *input)
{
    return input->job ? hoist_job_target(input->job) : (hoist_target){NULL, NULL};
}

static const char *const verdicts[] = {
    [HOIST_VERDICT_CLEAN] = "clean",
    [HOIST_VERDICT_BAD] = "bad",
    [HOIST_VERDICT_UNKNOWN] = "unknown",
};

// The findings and a last line; it tells no counts when a limit cut the judging short.
static tool_exit print_text(tool *t, const checked *file, bool complete)
{
    const tool_input *input = &file->input;
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    const bool quiet = tool_given(t, OPT_QUIET);
    hoist_findings_options options = {.color = t->color, .quiet = quiet};
    if (tool_given(t, OPT_EXPLAIN)) {
        options.explain = true;
        options.width = t->width;
        options.source_file = hoist_str_from(input->path);
        options.source = input->view.bytes;
    }
    hoist_findings_text(input->diag, &options, &text);
    if (file->has_verdict && !quiet) {
        hoist_buffer_format(&text, "%s: orders: %s\n", input->path, verdicts[file->verdict]);
    }
    hoist_buffer_format(&text, "%s: ", input->path);
    if (complete) {
        const hoist_target target = target_of(input);
        hoist_findings_summary(input->diag, quiet, target.arch, &text);
    } else {
        hoist_buffer_c(&text, "not judged to the end\n");
    }
    const tool_exit code = tool_print(t, &text);
    hoist_buffer_deinit(&text);
    return code;
}

static void send_text(hoist_tree_sink *sink, const char *key, const char *text)
{
    if (text) {
        hoist_tree_c(sink, key, text);
    } else {
        hoist_tree_null(sink, key);
    }
}

static void send_target(const tool_input *input, hoist_tree_sink *sink)
{
    const hoist_target target = target_of(input);
    hoist_tree_map(sink, "architecture");
    send_text(sink, "chosen", target.arch);
    send_text(sink, "source", target.source);
    hoist_tree_end(sink);
}

static void send_file(tool *t, const checked *file, hoist_tree_sink *sink)
{
    const tool_input *input = &file->input;
    const hoist_diag *diag = input->diag;
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "file", input->path);
    send_text(sink, "format", input->job ? hoist_job_format(input->job) : NULL);
    send_target(input, sink);
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    const size_t warnings = hoist_diag_count(diag, HOIST_WARNING);
    const size_t notes = hoist_diag_count(diag, HOIST_NOTE);
    hoist_tree_uint(sink, "errors", errors, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "warnings", warnings, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "notes", notes, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "findings_dropped", errors + warnings + notes - hoist_diag_kept(diag),
                    HOIST_UNIT_NONE);
    if (tool_given(t, OPT_RACES)) {
        send_text(sink, "orders", file->has_verdict ? verdicts[file->verdict] : NULL);
    }
    hoist_findings_tree(diag, "findings", tool_given(t, OPT_QUIET), sink);
    hoist_tree_end(sink);
}

static tool_exit check_one(tool *t, const char *path, const hoist_order_check *order,
                           hoist_tree_sink *sink)
{
    checked file = {.has_verdict = false};
    const hoist_status status = check_file(t, path, order, &file);
    tool_exit code = TOOL_LIMIT;
    if (file.input.diag) {
        hoist_diag_sort(file.input.diag);
        code = judge(t, status, file.input.diag);
        if (sink) {
            send_file(t, &file, sink);
        } else {
            code = tool_worse(code, print_text(t, &file, code != TOOL_LIMIT));
        }
    }
    tool_close(t, &file.input, code);
    return code;
}

tool_exit cmd_check(tool *t)
{
    tool_exit code = TOOL_OK;
    hoist_order_check order;
    if (!read_order(t, &order)) {
        return TOOL_USAGE;
    }
    if (!tool_given(t, OPT_JSON)) {
        for (size_t i = 0; i < t->argument_count; i++) {
            code = tool_worse(code, check_one(t, t->arguments[i], &order, NULL));
        }
        return code;
    }
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_list(&doc.sink, "files");
    for (size_t i = 0; i < t->argument_count; i++) {
        code = tool_worse(code, check_one(t, t->arguments[i], &order, &doc.sink));
    }
    hoist_tree_end(&doc.sink);
    return tool_worse(code, tool_document_end(t, &doc));
}
