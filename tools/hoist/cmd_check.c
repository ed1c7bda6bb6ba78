// hoist check: checks files against the rules of their format and prints all findings, as text or
// as one JSON document. Each file is a job of its own, but for files of ranks: those of a format
// whose files are one job, and with --races one for each rank. Findings of a job are sorted back to
// the files that they are in.
#include <string.h>

#include "base/alloc.h"
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
    const hoist_job *job; // of the input, also when ranks share it; NULL: it could not be opened
    hoist_status status;
    bool was_checked;
    bool joined;           // to a job of several files, which is checked as one
    bool is_opened;        // with that one, and it is no part of the job
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
    tool_names names;
    const tool_exit code = tool_read_names(t, arena, &names);
    out->programs = names.programs;
    out->program_count = names.program_count;
    out->parameters = names.parameters;
    out->parameter_count = names.parameter_count;
    return code;
}

static void open_file(tool *t, const char *path, checked *out)
{
    out->verdict = HOIST_VERDICT_NONE;
    out->status = tool_open(t, path, &out->input);
    out->job = out->input.job;
}

// Memory that --races takes: a small file may have a long run, and each of its steps is kept with
// the bytes that it touches and the steps that come before it.
static size_t order_memory(const hoist_order_check *order)
{
    enum { STEP_BYTES = 256, DEFAULT_STEPS = 1000000 };
    const uint64_t steps = order->max_steps ? order->max_steps : DEFAULT_STEPS;
    return steps < SIZE_MAX / STEP_BYTES ? (size_t)steps * STEP_BYTES : SIZE_MAX;
}

// Checks the job of `file`, which has been opened; findings go to `diag`.
static void check_file(tool *t, const hoist_order_check *order, hoist_diag *diag, checked *file)
{
    t->doing = "checking";
    if (!order->brief) {
        tool_allow_memory(t, order_memory(order));
    }
    file->was_checked = true;
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

// The findings and a last line; it has no counts when a limit cut the checking short.
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
        hoist_buffer_c(&text, "the check is incomplete\n");
    }
    const tool_exit code = tool_print(t, &text);
    hoist_buffer_deinit(&text);
    return code;
}

static void send_file(tool *t, const checked *file, hoist_tree_sink *sink)
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
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    const size_t warnings = hoist_diag_count(diag, HOIST_WARNING);
    const size_t notes = hoist_diag_count(diag, HOIST_NOTE);
    hoist_tree_uint(sink, "errors", errors, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "warnings", warnings, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "notes", notes, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "findings_dropped", errors + warnings + notes - hoist_diag_kept(diag),
                    HOIST_UNIT_NONE);
    if (tool_given(t, OPT_RACES) || verdicts[file->verdict]) {
        hoist_tree_maybe_c(sink, "orders", verdicts[file->verdict]);
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
    const bool complete = code != TOOL_LIMIT && (file->was_checked || file->status != HOIST_OK);
    return tool_worse(code, print_text(t, file, complete));
}

// Checks a file that has been opened, unless it was checked with others, and shows it.
static tool_exit check_opened(tool *t, const hoist_order_check *order, hoist_file_set *set,
                              checked *file, hoist_tree_sink *sink)
{
    if (file->status == HOIST_OK && !file->joined) {
        check_file(t, order, file->input.diag, file);
    }
    if (file->status == HOIST_OK &&
        hoist_file_set_add(set, file->job, file->input.diag) != HOIST_OK) {
        file->status = HOIST_NO_MEMORY;
    }
    return show(t, file, sink);
}

// Files of one job ----------------------------------------------------------------------------

// Makes one job of the files, which the first one has. False when one of them is wrong.
static bool join(checked *const *files, size_t count)
{
    bool joined = true;
    for (size_t i = 1; joined && i < count; i++) {
        tool_input *const input = &files[i]->input;
        files[i]->status = hoist_job_add(files[0]->input.job, input->job, input->diag);
        joined = files[i]->status == HOIST_OK;
        input->job = joined ? NULL : input->job;
    }
    return joined;
}

// Checks the job that the first file has, and gives each file its findings.
static void check_job(tool *t, const hoist_order_check *order, checked *const *files, size_t count)
{
    const hoist_diag_options options = {sizeof(options), .strict = tool_given(t, OPT_STRICT)};
    hoist_diag *found = NULL;
    checked *const first = files[0];
    first->status = hoist_diag_create(t->alloc, &options, &found);
    if (first->status == HOIST_OK) {
        check_file(t, order, found, first);
        // To the files that they are in, as the job's findings name them.
        for (size_t i = 0; i < hoist_diag_kept(found); i++) {
            const hoist_finding *const f = hoist_diag_at(found, i);
            size_t at = count - 1;
            while (at > 0 && !hoist_str_equal_c(f->file, files[at]->input.path)) {
                at--;
            }
            hoist_diag_add(files[at]->input.diag, f);
        }
        first->status = hoist_diag_incomplete(found) ? HOIST_NO_MEMORY : first->status;
        hoist_diag_destroy(found);
    }
    for (size_t i = 0; i < count; i++) {
        files[i]->status = first->status;
        files[i]->was_checked = true;
        files[i]->verdict = first->verdict;
        files[i]->together = count > 1;
    }
}

// The files of one command.
typedef struct command_files {
    checked *files; // by argument
    checked **job;  // those of one job; the first of them has it
    size_t job_count;
    size_t count;
} command_files;

static tool_exit print_verdict(tool *t, const command_files *all)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    hoist_buffer_format(&text, "%zu files together: orders: %s\n", all->job_count,
                        verdicts[all->job[0]->verdict]);
    const tool_exit code = tool_print(t, &text);
    hoist_buffer_deinit(&text);
    return code;
}

// Shows the verdict of a job of several files, and closes them: the first one has the job of all.
static tool_exit end_job(tool *t, const command_files *all, tool_exit code, hoist_tree_sink *sink)
{
    if (!sink && all->job_count > 1 && says_verdict(t, all->job[0])) {
        code = tool_worse(code, print_verdict(t, all));
    }
    for (size_t i = 0; i < all->job_count; i++) {
        tool_close(t, &all->job[i]->input, i ? TOOL_OK : code);
    }
    return code;
}

// Checks the files, one for each rank, as one job.
static tool_exit check_ranks(tool *t, const hoist_order_check *order, command_files *all,
                             hoist_tree_sink *sink)
{
    size_t memory = 0; // that opening may take, together
    bool opened = true;
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < all->count; i++) {
        open_file(t, t->arguments[i], &all->files[i]);
        opened = opened && all->files[i].status == HOIST_OK;
        memory += t->budget.limit;
        all->job[all->job_count++] = &all->files[i];
    }
    t->budget.limit = t->max_memory ? t->max_memory : memory;
    if (opened && join(all->job, all->job_count)) {
        check_job(t, order, all->job, all->job_count);
    }
    for (size_t i = 0; i < all->count; i++) {
        code = tool_worse(code, show(t, &all->files[i], sink));
    }
    return end_job(t, all, code, sink);
}

// Opens all files after `first`, which is open, that are of its format; others are closed again.
static void open_joined(tool *t, command_files *all, size_t first)
{
    const char *const format = hoist_job_format(all->files[first].job);
    all->files[first].joined = true;
    all->job[all->job_count++] = &all->files[first];
    for (size_t i = first + 1; i < all->count; i++) {
        checked *const file = &all->files[i];
        open_file(t, t->arguments[i], file);
        file->joined = file->status == HOIST_OK && strcmp(hoist_job_format(file->job), format) == 0;
        if (file->joined) {
            all->job[all->job_count++] = file;
        } else if (file->status == HOIST_NO_MEMORY || !file->input.diag ||
                   hoist_diag_incomplete(file->input.diag)) {
            file->is_opened = true; // it is not tried again: the job was checked without it
        } else {
            tool_close(t, &file->input, TOOL_OK);
            *file = (checked){.job = NULL};
        }
    }
}

// Checks files that are jobs of their own; all of a format whose files are one job, together.
static tool_exit check_each(tool *t, const hoist_order_check *order, command_files *all,
                            hoist_file_set *set, hoist_tree_sink *sink)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < all->count; i++) {
        checked *const file = &all->files[i];
        if (!file->joined && !file->is_opened) {
            open_file(t, t->arguments[i], file);
        }
        if (all->job_count == 0 && file->status == HOIST_OK && hoist_job_joins(file->job)) {
            open_joined(t, all, i);
            if (join(all->job, all->job_count)) {
                check_job(t, order, all->job, all->job_count);
            }
        }
        code = tool_worse(code, check_opened(t, order, set, file, sink));
        if (!file->joined) {
            tool_close(t, &file->input, code);
        }
    }
    return all->job_count ? end_job(t, all, code, sink) : code;
}

static tool_exit check_all(tool *t, const hoist_order_check *order, hoist_tree_sink *sink)
{
    // None of it is of a file's budget: the message about the limit needs it.
    const hoist_allocator alloc = t->budget.parent;
    const size_t count = t->argument_count;
    command_files all = {.count = count};
    all.files = hoist_alloc_zero(alloc, count, sizeof *all.files);
    all.job = hoist_alloc_zero(alloc, count, sizeof(checked *));
    hoist_file_set *set = NULL;
    tool_exit code = TOOL_LIMIT;
    if (all.files && all.job && hoist_file_set_create(alloc, &set) == HOIST_OK) {
        const bool ranks = tool_given(t, OPT_RACES) && order->ranks > 1 && order->ranks == count;
        code = ranks ? check_ranks(t, order, &all, sink) : check_each(t, order, &all, set, sink);
    }
    hoist_file_set_destroy(set);
    hoist_free(alloc, all.files, count * sizeof *all.files);
    hoist_free(alloc, all.job, count * sizeof(checked *));
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
