// hoist check: judges files and prints all findings. Each file is a job of its own, but for ranks
// that run different files.
#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "parse.h"
#include "report/findings.h"
#include "report/plain.h"
#include "tool.h"

// A file and what was asked about it.
typedef struct checked {
    tool_input input;
    const hoist_job *job; // of the input, whoever closes it; NULL: it could not be opened
    hoist_status status;
    bool judged;
    hoist_verdict verdict; // of orders
    bool together;         // it is that of a job of several files
} checked;

// Whether --werror makes the answer a no: a warning, or that --races could not be answered.
static bool is_doubtful(const tool *t, const checked *file)
{
    return hoist_diag_count(file->input.diag, HOIST_WARNING) > 0 ||
           (tool_given(t, OPT_RACES) && file->verdict == HOIST_VERDICT_UNKNOWN);
}

// Exit code for one file: 1 for findings, malformed included; 3 only when it cannot be read.
static tool_exit exit_of(const tool *t, const checked *file)
{
    const hoist_diag *diag = file->input.diag;
    if (hoist_diag_incomplete(diag)) {
        return TOOL_LIMIT;
    }
    switch (file->status) {
    case HOIST_OK:
    case HOIST_INVALID:
    case HOIST_TRUNCATED:
        break;
    case HOIST_NOT_FOUND:
        return file->job ? TOOL_USAGE : TOOL_UNREADABLE; // a name of --program or --param
    default:
        return tool_exit_of(file->status);
    }
    const bool errors = file->status != HOIST_OK || hoist_diag_count(diag, HOIST_ERROR);
    return errors || (tool_given(t, OPT_WERROR) && is_doubtful(t, file)) ? TOOL_NO : TOOL_OK;
}

// --program and --param.
static tool_exit read_names(tool *t, hoist_arena *arena, hoist_order_check *out)
{
    const char **programs = hoist_arena_array(arena, t->repeated_count, sizeof(programs[0]));
    hoist_parameter *parameters =
        hoist_arena_array(arena, t->repeated_count, sizeof(parameters[0]));
    if (!programs || !parameters) {
        return TOOL_LIMIT;
    }
    size_t at = 0;
    for (const char *name; (name = tool_next_value(t, OPT_PROGRAM, &at));) {
        programs[out->program_count++] = name;
    }
    at = 0;
    for (const char *text; (text = tool_next_value(t, OPT_PARAM, &at));) {
        hoist_str name;
        hoist_parameter *parameter = &parameters[out->parameter_count++];
        (void)tool_parse_parameter(text, &name, &parameter->value);
        parameter->name = hoist_arena_str(arena, name).data;
        if (!parameter->name) {
            return TOOL_LIMIT;
        }
    }
    out->programs = out->program_count ? programs : NULL;
    out->parameters = parameters;
    return TOOL_OK;
}

// What is asked of --races.
static tool_exit read_order(tool *t, hoist_arena *arena, hoist_order_check *out)
{
    static const tool_option_id of_races[] = {OPT_PROGRAM, OPT_PARAM, OPT_DRIVER, OPT_BATCH,
                                              OPT_MAX_STEPS};
    const bool races = tool_given(t, OPT_RACES);
    for (size_t i = 0; i < HOIST_COUNT_OF(of_races); i++) {
        if (tool_given(t, of_races[i]) && !races) {
            tool_complain(t, "--%s is about --races, which is not given",
                          tool_options[of_races[i]].name);
            return TOOL_USAGE;
        }
    }
    *out = (hoist_order_check){.struct_size = sizeof(*out),
                               .brief = !races,
                               .ranks = (uint32_t)tool_count_of(t, OPT_RANKS, 0),
                               .driver = tool_driver(t),
                               .batch = (uint32_t)tool_count_of(t, OPT_BATCH, 0),
                               .max_steps = tool_count_of(t, OPT_MAX_STEPS, 0)};
    return read_names(t, arena, out);
}

static void open_file(tool *t, const char *path, checked *out)
{
    out->verdict = HOIST_VERDICT_NONE;
    out->status = tool_open(t, path, &out->input);
    out->job = out->input.job;
}

// Judges the job of `file`, which has been opened; findings go to `diag`.
static void judge(tool *t, const hoist_order_check *order, hoist_diag *diag, checked *file)
{
    t->doing = "checking";
    file->judged = true;
    file->status = hoist_job_check_order(file->input.job, order, diag, &file->verdict);
}

static hoist_target target_of(const checked *file)
{
    return file->job ? hoist_job_target(file->job) : (hoist_target){NULL, NULL};
}

static const char *const verdicts[] = {
    [HOIST_VERDICT_CLEAN] = "clean",
    [HOIST_VERDICT_BAD] = "bad",
    [HOIST_VERDICT_UNKNOWN] = "unknown",
    [HOIST_VERDICT_NONE] = NULL,
};

// Whether a line of text has the verdict.
static bool says_verdict(const tool *t, const checked *file)
{
    return tool_given(t, OPT_RACES) && !tool_given(t, OPT_QUIET) && verdicts[file->verdict];
}

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
    if (says_verdict(t, file) && !file->together) {
        hoist_plain_write(&text, hoist_str_from(input->path));
        hoist_buffer_format(&text, ": orders: %s\n", verdicts[file->verdict]);
    }
    hoist_plain_write(&text, hoist_str_from(input->path));
    hoist_buffer_c(&text, ": ");
    if (complete) {
        const hoist_target target = target_of(file);
        const char *good = file->verdict == HOIST_VERDICT_UNKNOWN ? "orders unknown" : "clean";
        hoist_findings_summary(input->diag, quiet, good, target.arch, &text);
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

static void send_target(const checked *file, hoist_tree_sink *sink)
{
    const hoist_target target = target_of(file);
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
    send_text(sink, "format", file->job ? hoist_job_format(file->job) : NULL);
    send_target(file, sink);
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    const size_t warnings = hoist_diag_count(diag, HOIST_WARNING);
    const size_t notes = hoist_diag_count(diag, HOIST_NOTE);
    hoist_tree_uint(sink, "errors", errors, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "warnings", warnings, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "notes", notes, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "findings_dropped", errors + warnings + notes - hoist_diag_kept(diag),
                    HOIST_UNIT_NONE);
    if (tool_given(t, OPT_RACES) || verdicts[file->verdict]) {
        send_text(sink, "orders", verdicts[file->verdict]);
    }
    const hoist_findings_options options = {.quiet = tool_given(t, OPT_QUIET)};
    hoist_findings_tree(diag, "findings", &options, sink);
    hoist_tree_end(sink);
}

// As an item of `sink`, or as text when it is NULL.
static tool_exit show(tool *t, checked *file, hoist_tree_sink *sink)
{
    if (!file->input.diag) {
        return TOOL_LIMIT;
    }
    hoist_diag_sort(file->input.diag);
    const tool_exit code = exit_of(t, file);
    if (sink) {
        send_file(t, file, sink);
        return code;
    }
    const bool complete = code != TOOL_LIMIT && (file->judged || file->status != HOIST_OK);
    return tool_worse(code, print_text(t, file, complete));
}

static tool_exit check_alone(tool *t, const char *path, const hoist_order_check *order,
                             hoist_file_set *set, hoist_tree_sink *sink)
{
    checked file = {.judged = false};
    open_file(t, path, &file);
    if (file.status == HOIST_OK) {
        judge(t, order, file.input.diag, &file);
    }
    if (file.status == HOIST_OK && hoist_file_set_add(set, file.job, file.input.diag) != HOIST_OK) {
        file.status = HOIST_NO_MEMORY;
    }
    const tool_exit code = show(t, &file, sink);
    tool_close(t, &file.input, code);
    return code;
}

// Ranks ---------------------------------------------------------------------------------------

// Opens a file for each rank as one job, which the first one has. False when one of them is wrong.
static bool open_ranks(tool *t, checked *files)
{
    size_t memory = 0; // that opening may take, together
    bool opened = true;
    for (size_t i = 0; i < t->argument_count; i++) {
        open_file(t, t->arguments[i], &files[i]);
        opened = opened && files[i].status == HOIST_OK;
        memory += t->budget.limit;
    }
    t->budget.limit = t->max_memory ? t->max_memory : memory;
    for (size_t i = 1; opened && i < t->argument_count; i++) {
        tool_input *const input = &files[i].input;
        files[i].status = hoist_job_add(files[0].input.job, input->job, input->diag);
        opened = files[i].status == HOIST_OK;
        input->job = opened ? NULL : input->job;
    }
    return opened;
}

// To the files that they are in, as the job's findings name them.
static void give_findings(tool *t, const hoist_diag *found, checked *files)
{
    for (size_t i = 0; i < hoist_diag_kept(found); i++) {
        const hoist_finding *const f = hoist_diag_at(found, i);
        size_t at = t->argument_count - 1;
        while (at > 0 && !hoist_str_equal_c(f->file, files[at].input.path)) {
            at--;
        }
        hoist_diag_add(files[at].input.diag, f);
    }
}

static void judge_ranks(tool *t, const hoist_order_check *order, checked *files)
{
    const hoist_diag_options options = {sizeof(options), .strict = tool_given(t, OPT_STRICT)};
    hoist_diag *found = NULL;
    files[0].status = hoist_diag_create(t->alloc, &options, &found);
    if (files[0].status != HOIST_OK) {
        return;
    }
    judge(t, order, found, &files[0]);
    give_findings(t, found, files);
    files[0].status = hoist_diag_incomplete(found) ? HOIST_NO_MEMORY : files[0].status;
    hoist_diag_destroy(found);
    for (size_t i = 1; i < t->argument_count; i++) {
        files[i].status = files[0].status;
        files[i].judged = files[0].judged;
        files[i].verdict = files[0].verdict;
        files[i].together = true;
    }
    files[0].together = true;
}

static tool_exit print_verdict(tool *t, const checked *files)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    hoist_buffer_format(&text, "%zu files together: orders: %s\n", t->argument_count,
                        verdicts[files[0].verdict]);
    const tool_exit code = tool_print(t, &text);
    hoist_buffer_deinit(&text);
    return code;
}

static tool_exit check_ranks(tool *t, const hoist_order_check *order, hoist_tree_sink *sink)
{
    // Not of the budget: without it nobody could say what a limit stopped.
    const size_t size = t->argument_count * sizeof(checked);
    checked *files = hoist_alloc_zero(t->budget.parent, t->argument_count, sizeof(checked));
    tool_exit code = TOOL_OK;
    if (!files) {
        return TOOL_LIMIT;
    }
    if (open_ranks(t, files)) {
        judge_ranks(t, order, files);
    }
    for (size_t i = 0; i < t->argument_count; i++) {
        code = tool_worse(code, show(t, &files[i], sink));
    }
    if (!sink && says_verdict(t, &files[0])) {
        code = tool_worse(code, print_verdict(t, files));
    }
    for (size_t i = 0; i < t->argument_count; i++) { // the first one has the job of all
        tool_close(t, &files[i].input, i ? TOOL_OK : code);
    }
    hoist_free(t->budget.parent, files, size);
    return code;
}

static tool_exit check_all(tool *t, const hoist_order_check *order, hoist_tree_sink *sink)
{
    if (tool_given(t, OPT_RACES) && order->ranks > 1 && order->ranks == t->argument_count) {
        return check_ranks(t, order, sink);
    }
    tool_exit code = TOOL_OK;
    hoist_file_set *set = NULL; // of no file's budget
    if (hoist_file_set_create(t->budget.parent, &set) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    for (size_t i = 0; i < t->argument_count; i++) {
        code = tool_worse(code, check_alone(t, t->arguments[i], order, set, sink));
    }
    hoist_file_set_destroy(set);
    return code;
}

static tool_exit check_document(tool *t, const hoist_order_check *order)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_list(&doc.sink, "files");
    const tool_exit code = check_all(t, order, &doc.sink);
    hoist_tree_end(&doc.sink);
    return tool_worse(code, tool_document_end(t, &doc));
}

tool_exit cmd_check(tool *t)
{
    hoist_order_check order;
    hoist_arena arena;
    hoist_arena_init(&arena, t->budget.parent); // for what the command line says, not a file
    tool_exit code = read_order(t, &arena, &order);
    if (code == TOOL_OK) {
        code = tool_given(t, OPT_JSON) ? check_document(t, &order) : check_all(t, &order, NULL);
    }
    hoist_arena_deinit(&arena);
    return code;
}
