// hoist check: findings of a file as text, as an item of a JSON document or SARIF log, as lines of
// JSON, or as annotations that GitHub's runners read; and the exit status that follows from them.
// Input: a file with its findings (check.h). Findings of --baseline are taken out before.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "base/utf8.h"
#include "check.h"
#include "report/findings.h"
#include "report/plain.h"
#include "report/source_line.h"

static const char *const verdicts[] = {
    [HOIST_VERDICT_CLEAN] = "clean",
    [HOIST_VERDICT_BAD] = "bad",
    [HOIST_VERDICT_UNKNOWN] = "unknown",
    [HOIST_VERDICT_NONE] = NULL,
};

// Exit status ------------------------------------------------------------------------------------

// Whether --werror makes the answer a no: a warning, or that --races could not be answered.
// HOIST_VERDICT_UNKNOWN is not clean: some orders were not explored.
static bool is_doubtful(const tool *t, const checked *file)
{
    return hoist_diag_count(file->input.diag, HOIST_WARNING) > 0 ||
           (tool_given(t, OPT_RACES) && file->verdict == HOIST_VERDICT_UNKNOWN);
}

// Whether there is nothing to check: no format takes the file, or it is empty, whatever --format
// says. Both are unreadable for every command.
static bool is_of_no_format(const tool *t, const checked *file)
{
    const hoist_bytes bytes = file->input.view.bytes;
    const bool is_unknown = !t->values[OPT_FORMAT] && !hoist_format_of(bytes, file->input.path);
    return !file->job && (bytes.size == 0 || is_unknown);
}

// Exit code for one file: 1 for findings, malformed included; 3 only when it cannot be read.
// The order of the questions is that of the codes: a limit first, then whether the file could
// be read, then what was found.
static tool_exit exit_of(const tool *t, const checked *file)
{
    const hoist_diag *diag = file->input.diag;
    if (hoist_diag_incomplete(diag)) {
        return TOOL_LIMIT;
    }
    switch (file->status) {
    case HOIST_OK:
        break;
    // check gives 1 for a malformed file, unlike other commands, because that is its answer.
    case HOIST_INVALID:
    case HOIST_TRUNCATED:
        if (is_of_no_format(t, file)) {
            return TOOL_UNREADABLE;
        }
        break;
    case HOIST_NOT_FOUND:
        return file->job ? TOOL_USAGE : TOOL_UNREADABLE; // a name of --program or --param
    default:
        return tool_exit_of(file->status);
    }
    // A file that cannot be read further has an error, which may be known.
    const bool errors =
        hoist_diag_count(diag, HOIST_ERROR) || (file->status != HOIST_OK && file->known == 0);
    return errors || (tool_given(t, OPT_WERROR) && is_doubtful(t, file)) ? TOOL_NO : TOOL_OK;
}

// The baseline -----------------------------------------------------------------------------------

// Its findings are about the log, not about a file that is checked: each is printed as a
// complaint about the option. The log stays mapped in `report` as long as the baseline borrows
// from it.
static tool_exit open_baseline(check_report *report, const char *path)
{
    tool *const t = report->t;
    const hoist_allocator alloc = t->budget.parent;
    hoist_diag *diag = NULL;
    if (!tool_reads(t, path) || hoist_diag_create(alloc, NULL, &diag) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    hoist_status status = hoist_file_read(path, 0, alloc, diag, &report->log);
    if (status == HOIST_OK) {
        const hoist_bytes bytes = {report->log.data ? report->log.data : (const uint8_t *)"",
                                   report->log.size};
        report->has_baseline = true;
        status = hoist_baseline_read(bytes, alloc, diag, &report->baseline);
    }
    if (status == HOIST_UNSUPPORTED) {
        tool_complain(t, "--baseline %s: this is no SARIF log, as 'hoist check --sarif' writes it",
                      path);
        status = HOIST_INVALID;
    }
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        tool_complain(t, "--baseline %s: %.*s", path, HOIST_STR_ARGS(f->message));
    }
    status = hoist_diag_incomplete(diag) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(diag);
    return tool_exit_of(status);
}

// Leaves the findings in the diag that the baseline has not.
// A new diag replaces the old one: findings cannot be taken out of a diag, which counts them.
static hoist_status drop_known(check_report *report, checked *file)
{
    hoist_diag *const all = file->input.diag;
    const hoist_diag_options options = {sizeof(options),
                                        .strict = tool_given(report->t, OPT_STRICT)};
    const size_t found = hoist_diag_count(all, HOIST_ERROR) + hoist_diag_count(all, HOIST_WARNING) +
                         hoist_diag_count(all, HOIST_NOTE);
    if (!report->has_baseline || hoist_diag_incomplete(all) || found > hoist_diag_kept(all)) {
        return HOIST_OK; // of findings that were not kept none is known
    }
    hoist_diag *unknown = NULL;
    HOIST_TRY(hoist_diag_create(report->t->budget.parent, &options, &unknown));
    const hoist_status status = hoist_baseline_split(&report->baseline, all, unknown, &file->known);
    if (status != HOIST_OK) {
        hoist_diag_destroy(unknown);
        return status;
    }
    hoist_diag_destroy(all);
    file->input.diag = unknown;
    return HOIST_OK;
}

// Forms ------------------------------------------------------------------------------------------

static hoist_target target_of(const checked *file)
{
    return file->job ? hoist_job_target(file->job) : (hoist_target){NULL, NULL};
}

// Whether a line of text has the verdict.
// --quiet drops it, and a check without --races has none to give.
static bool says_verdict(const tool *t, const checked *file)
{
    return tool_given(t, OPT_RACES) && !tool_given(t, OPT_QUIET) && verdicts[file->verdict];
}

// The text of the file is there for columns in characters and for lines that are shown.
static hoist_findings_options options_of(const tool *t, const checked *file)
{
    return (hoist_findings_options){.color = t->color,
                                    .quiet = tool_given(t, OPT_QUIET),
                                    .source_file = hoist_str_from(file->input.path),
                                    .source = file->input.view.bytes};
}

// A value of an annotation, or its message: what would end it, and what terminals obey, is written
// as %XX.
// A name with a newline would otherwise begin a command of its own in the runner's log.
static void add_escaped(hoist_buffer *out, hoist_str text, bool is_value)
{
    for (size_t i = 0; i < text.size;) {
        const char c = text.data[i];
        // GitHub's runner decodes %25, %3A, %2C, %0A and %0D (actions/toolkit, escapeProperty
        // and escapeData).
        const bool ends = c == '%' || (is_value && (c == ':' || c == ','));
        const size_t size = ends ? 0 : hoist_utf8_shown_size(text, i);
        if (size) {
            hoist_buffer_str(out, hoist_str_slice(text, i, size));
        } else {
            hoist_buffer_format(out, "%%%02X", (unsigned)(uint8_t)c);
        }
        i += size ? size : 1;
    }
}

// "::error file=a.yaml,line=3,col=5,title=BUDA-016::SENTENCE".
// Only text has lines: a finding in bytes or in a member is annotated at the file.
static void add_annotation(hoist_buffer *out, const hoist_finding *f, hoist_source_cursor *cursor)
{
    static const char *const commands[] = {
        [HOIST_ERROR] = "error", [HOIST_WARNING] = "warning", [HOIST_NOTE] = "notice"};
    hoist_buffer_format(out, "::%s file=", commands[f->severity]);
    add_escaped(out, f->file, true);
    if (f->loc.kind == HOIST_LOC_TEXT && f->member.size == 0) {
        const uint32_t character = hoist_source_character(cursor, f->loc.pos);
        hoist_buffer_format(out, ",line=%" PRIu32, f->loc.pos.line);
        if (character) {
            hoist_buffer_format(out, ",col=%" PRIu32, character);
        }
    }
    hoist_buffer_format(out, ",title=%s::", f->rule->id);
    add_escaped(out, f->message, false);
    if (f->object.size) {
        hoist_buffer_c(out, " (");
        add_escaped(out, f->object, false);
        hoist_buffer_char(out, ')');
    }
    hoist_buffer_char(out, '\n');
}

// The cursor goes forward through the file's text, since findings are sorted; one for another
// file counts nothing.
static void add_annotations(const hoist_diag *diag, const hoist_findings_options *options,
                            hoist_buffer *out)
{
    hoist_source_cursor text = {options->source, 1, 0};
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        hoist_source_cursor none = {.line = 1};
        if (f->severity != HOIST_NOTE || !options->quiet) {
            add_annotation(out, f, hoist_str_equal(f->file, options->source_file) ? &text : &none);
        }
    }
}

static size_t verdicts_of(const checked *file, const hoist_arch_verdict **out_rows)
{
    return file->job ? hoist_job_verdicts(file->job, out_rows) : 0;
}

// Counts of the findings that are printed, for the architecture that they are for.
// A file that was checked for several architectures has the findings of one in its diag and the
// counts of all in its job (hoist_job_verdicts()).
static hoist_arch_verdict counts_of(const checked *file)
{
    const hoist_diag *const diag = file->input.diag;
    return (hoist_arch_verdict){target_of(file).arch, hoist_diag_count(diag, HOIST_ERROR),
                                hoist_diag_count(diag, HOIST_WARNING),
                                hoist_diag_count(diag, HOIST_NOTE)};
}

// The last line of a file for one architecture.
// "a.yaml: 1 error, 2 warnings (wormhole_b0)", or with a baseline "3 known, no other".
static void add_verdict(const tool *t, const checked *file, const hoist_arch_verdict *counts,
                        size_t known, hoist_buffer *out)
{
    const char *const good = file->verdict == HOIST_VERDICT_UNKNOWN ? "orders unknown"
                             : known                                ? "no other"
                                                                    : "clean";
    hoist_plain_write(out, hoist_str_from(file->input.path));
    hoist_buffer_c(out, ": ");
    if (known) {
        hoist_buffer_format(out, "%zu known, ", known);
    }
    hoist_findings_summary(counts, tool_given(t, OPT_QUIET), good, out);
}

// The last line of a file, for each architecture that it was checked for; it has no counts when a
// limit cut the checking short.
static void add_summary(const tool *t, const checked *file, bool complete, hoist_buffer *out)
{
    const hoist_str path = hoist_str_from(file->input.path);
    const hoist_arch_verdict *rows = NULL;
    const size_t count = verdicts_of(file, &rows);
    const hoist_arch_verdict printed = counts_of(file);
    if (says_verdict(t, file) && !file->together) {
        hoist_plain_write(out, path);
        hoist_buffer_format(out, ": orders: %s\n", verdicts[file->verdict]);
    }
    if (!complete) {
        hoist_plain_write(out, path);
        hoist_buffer_c(out, ": the check is incomplete\n");
    } else if (count == 0) {
        add_verdict(t, file, &printed, file->known, out);
    }
    for (size_t i = 0; complete && i < count; i++) {
        const bool is_printed = rows[i].arch == printed.arch && !tool_given(t, OPT_ALL_ARCHS);
        add_verdict(t, file, is_printed ? &printed : &rows[i], is_printed ? file->known : 0, out);
    }
}

// With --explain source lines are shown, which needs the text; without it none is read.
static tool_exit print_text(tool *t, const checked *file, bool complete, bool annotates)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    hoist_findings_options options = options_of(t, file);
    if (annotates) {
        add_annotations(file->input.diag, &options, &text);
    } else {
        options.explain = tool_given(t, OPT_EXPLAIN);
        options.grouped = !tool_given(t, OPT_ALL);
        options.width = t->width;
        options.source = options.explain ? options.source : (hoist_bytes){NULL, 0};
        hoist_findings_text(file->input.diag, &options, &text);
    }
    add_summary(t, file, complete, &text);
    return tool_print(t, &text);
}

// A line of JSON for each finding.
// Lines are independent documents: a reader may stop after any of them.
static tool_exit print_lines(tool *t, const checked *file)
{
    const hoist_diag *diag = file->input.diag;
    hoist_status status = HOIST_OK;
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    for (size_t i = 0; status == HOIST_OK && i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        if (f->severity == HOIST_NOTE && tool_given(t, OPT_QUIET)) {
            continue;
        }
        status = hoist_finding_json(f, &text);
        hoist_buffer_char(&text, '\n');
    }
    return tool_worse(tool_print(t, &text), tool_exit_of(status));
}

// The list is there for formats that have architectures.
static void send_verdicts(const checked *file, hoist_tree_sink *sink)
{
    const hoist_arch_verdict *rows = NULL;
    const size_t count = verdicts_of(file, &rows);
    if (count) {
        hoist_tree_list(sink, "verdicts");
        for (size_t i = 0; i < count; i++) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "architecture", rows[i].arch);
            hoist_tree_uint(sink, "errors", rows[i].errors, HOIST_UNIT_NONE);
            hoist_tree_uint(sink, "warnings", rows[i].warnings, HOIST_UNIT_NONE);
            hoist_tree_uint(sink, "notes", rows[i].notes, HOIST_UNIT_NONE);
            hoist_tree_end(sink);
        }
        hoist_tree_end(sink);
    }
}

// An item of "files". Its keys are those of schemas/check.json, in this order.
static void send_file(const tool *t, const checked *file, hoist_tree_sink *sink)
{
    const tool_input *input = &file->input;
    const hoist_diag *diag = input->diag;
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "file", input->path);
    hoist_tree_maybe_c(sink, "format", file->job ? hoist_job_format(file->job) : NULL);
    const hoist_target target = target_of(file);
    hoist_tree_map(sink, "architecture");
    hoist_tree_maybe_c(sink, "chosen", target.arch);
    hoist_tree_maybe_c(sink, "source", target.source);
    hoist_tree_end(sink);
    send_verdicts(file, sink);
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    const size_t warnings = hoist_diag_count(diag, HOIST_WARNING);
    const size_t notes = hoist_diag_count(diag, HOIST_NOTE);
    hoist_tree_uint(sink, "errors", errors, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "warnings", warnings, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "notes", notes, HOIST_UNIT_NONE);
    // The diag counts all findings but keeps a limited number.
    hoist_tree_uint(sink, "findings_dropped", errors + warnings + notes - hoist_diag_kept(diag),
                    HOIST_UNIT_NONE);
    if (tool_given(t, OPT_BASELINE)) {
        hoist_tree_uint(sink, "findings_known", file->known, HOIST_UNIT_NONE);
    }
    if (tool_given(t, OPT_RACES) || verdicts[file->verdict]) {
        hoist_tree_maybe_c(sink, "orders", verdicts[file->verdict]);
    }
    const hoist_findings_options options = {.quiet = tool_given(t, OPT_QUIET)};
    hoist_findings_tree(diag, "findings", &options, sink);
    hoist_tree_end(sink);
}

// The file as a test case; what has an exit code of its own has no answer.
// The path is borrowed until the report is written.
static void add_case(check_report *report, const checked *file, tool_exit code)
{
    const tool *const t = report->t;
    const hoist_junit_file row = {
        .path = hoist_str_from(file->input.path),
        .format = file->job ? hoist_job_format(file->job) : NULL,
        .diag = file->input.diag,
        // Failed is an answer about the file; broken means that there is no answer.
        .answer = code == TOOL_OK   ? HOIST_JUNIT_PASSED
                  : code == TOOL_NO ? HOIST_JUNIT_FAILED
                                    : HOIST_JUNIT_BROKEN,
        .fails_by_warning = tool_given(t, OPT_WERROR),
        .quiet = tool_given(t, OPT_QUIET),
    };
    hoist_junit_add(&report->junit, &row);
}

// Reports ----------------------------------------------------------------------------------------

// The form that the command line chooses. TOOL_USAGE: it chooses two.
// OPT_COUNT: text for people.
static tool_exit choose_form(tool *t, tool_option_id *out_form)
{
    static const tool_option_id forms[] = {OPT_JSON, OPT_SARIF, OPT_JSONL, OPT_GITHUB, OPT_JUNIT};
    *out_form = OPT_COUNT;
    for (size_t i = 0; i < HOIST_COUNT_OF(forms); i++) {
        if (!tool_given(t, forms[i])) {
            continue;
        }
        if (*out_form != OPT_COUNT) {
            tool_complain(t, "--%s and --%s exclude each other", tool_options[*out_form].name,
                          tool_options[forms[i]].name);
            return TOOL_USAGE;
        }
        *out_form = forms[i];
    }
    return TOOL_OK;
}

tool_exit check_report_begin(tool *t, check_report *out_report)
{
    *out_report = (check_report){.t = t};
    const char *const path = t->values[OPT_BASELINE];
    tool_exit code = choose_form(t, &out_report->form);
    hoist_junit_init(&out_report->junit, t->budget.parent);
    code = code == TOOL_OK && path ? open_baseline(out_report, path) : code;
    if (code != TOOL_OK) {
        return code;
    }
    if (out_report->form == OPT_JSON) {
        tool_document(t, &out_report->doc, false);
        hoist_tree_list(&out_report->doc.sink, "files");
    } else if (out_report->form == OPT_SARIF) {
        static const hoist_document_style style = {.json = true};
        hoist_document_open(&out_report->doc, t->alloc, t->out, &style);
        hoist_tree_map(&out_report->doc.sink, "");
        hoist_sarif_begin(&out_report->sarif, t->budget.parent, &out_report->doc.sink);
    }
    return TOOL_OK;
}

tool_exit check_report_file(check_report *report, checked *file)
{
    tool *const t = report->t;
    if (!file->input.diag) {
        return TOOL_LIMIT;
    }
    // By place, then drop_known(), then the exit code, which depends on what is left.
    hoist_diag_sort(file->input.diag);
    const hoist_status split = drop_known(report, file);
    const tool_exit code = tool_worse(exit_of(t, file), tool_exit_of(split));
    const bool complete = code != TOOL_LIMIT && (file->was_checked || file->status != HOIST_OK);
    switch (report->form) {
    case OPT_JSON:
        send_file(t, file, &report->doc.sink);
        return code;
    case OPT_SARIF: {
        const hoist_findings_options options = options_of(t, file);
        hoist_sarif_add(&report->sarif, file->input.diag, &options);
        return code;
    }
    case OPT_JUNIT:
        add_case(report, file, code);
        return code;
    case OPT_JSONL:
        return tool_worse(code, print_lines(t, file));
    default:
        return tool_worse(code, print_text(t, file, complete, report->form == OPT_GITHUB));
    }
}

// Documents have the verdict with each file instead.
tool_exit check_report_job(check_report *report, const checked *first, size_t count)
{
    tool *const t = report->t;
    const bool is_text = report->form == OPT_COUNT || report->form == OPT_GITHUB;
    if (!is_text || !says_verdict(t, first)) {
        return TOOL_OK;
    }
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    hoist_buffer_format(&text, "%zu files together: orders: %s\n", count, verdicts[first->verdict]);
    return tool_print(t, &text);
}

// JUnit is written here at once, because the counts in its first line are those of all files.
tool_exit check_report_end(check_report *report, bool begun, tool_exit code)
{
    tool *const t = report->t;
    if (begun && report->form == OPT_JSON) {
        hoist_tree_end(&report->doc.sink);
        code = tool_worse(code, tool_document_end(&report->doc));
    } else if (begun && report->form == OPT_SARIF) {
        const hoist_status status = hoist_sarif_end(&report->sarif, HOIST_VERSION_TEXT);
        code = tool_worse(code, tool_exit_of(status));
        code = tool_worse(code, tool_document_end(&report->doc));
    }
    if (begun && report->form == OPT_JUNIT) {
        hoist_buffer text;
        hoist_buffer_init(&text, t->budget.parent);
        hoist_junit_write(&report->junit, &text);
        code = tool_worse(code, tool_print(t, &text));
    }
    hoist_junit_deinit(&report->junit);
    if (report->has_baseline) {
        hoist_baseline_deinit(&report->baseline);
    }
    hoist_free(t->budget.parent, report->log.data, report->log.size);
    return code;
}
