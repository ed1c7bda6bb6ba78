// hoist check: checks files against the rules of their format and prints all findings, as text or
// as one JSON document (check_report.c). Each file is a job of its own, but for files of ranks:
// those of a format whose files are one job, and with --races one for each rank. Findings of a job
// are sorted back to the files that they are in.
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/progress.h"
#include "base/span.h"
#include "check.h"
#include "check_ahead.h"
#include "parse.h"

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
                               // Without --races orders are still explored, but only as far as
                               // that is cheap.
                               .brief = !races,
                               .ranks = (uint32_t)tool_count_of(t, OPT_RANKS, 0),
                               .driver = (hoist_driver)tool_word_of(t, OPT_DRIVER),
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

// The status is kept in `out`, not reported: the report of the file comes in its turn.
static void open_file(tool *t, const char *path, checked *out)
{
    out->verdict = HOIST_VERDICT_NONE;
    out->status = tool_open(t, path, &out->input);
    out->job = out->input.job;
}

// Memory that --races takes: a small file may have a long run, and each of its steps is kept with
// the bytes that it touches and the steps that come before it.
// STEP_BYTES is a generous figure per step for events, clocks and byte ranges.
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
    // tool_open() limited memory by the size of the file, and the length of a run does not
    // follow from it.
    if (!order->brief) {
        tool_allow_memory(t, order_memory(order));
    }
    file->was_checked = true;
    file->status = hoist_job_check_order(file->input.job, order, diag, &file->verdict);
}

// Closes a file under the budget by which it is open.
static void close_file(tool *t, checked *file, tool_exit code)
{
    tool *const owner = file->owner ? file->owner : t;
    // One message about a limit is enough for the whole command.
    owner->limit_explained = t->limit_explained;
    tool_close(owner, &file->input, code);
    t->limit_explained = owner->limit_explained;
}

// Checks a file that has been opened, unless it was checked with others, and shows it.
static tool_exit check_opened(tool *t, const hoist_order_check *order, hoist_file_set *set,
                              checked *file, check_report *report)
{
    if (file->status == HOIST_OK && !file->joined && !file->was_checked) {
        check_file(t, order, file->input.diag, file);
    }
    if (file->status == HOIST_OK &&
        // Findings about several files at once, such as parameters of co-compiled models that
        // differ.
        hoist_file_set_add(set, file->job, file->input.diag) != HOIST_OK) {
        file->status = HOIST_NO_MEMORY;
    }
    return check_report_file(report, file);
}

// Files of one job ----------------------------------------------------------------------------

// Makes one job of the files, which the first one has. False when one of them is wrong.
// A job that was added belongs to the first one: its own pointer is taken out, so that it is
// freed once.
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
        check_file(first->owner ? first->owner : t, order, found, first);
        // To the files that they are in, as the job's findings name them.
        for (size_t i = 0; i < hoist_diag_kept(found); i++) {
            const hoist_finding *const f = hoist_diag_at(found, i);
            // A finding of none of them, which a linked file may have, is given to the first.
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
    check_ahead *ahead; // of --jobs; NULL: files are opened one after the other
    checked *files;     // by argument
    checked **job;      // those of one job; the first of them has it
    size_t job_count;
    size_t count;
} command_files;

// Shows the verdict of a job of several files, and closes them: the first one has the job of all.
// The first is closed with the exit code, so that a limit that was hit is explained once.
static tool_exit end_job(tool *t, const command_files *all, tool_exit code, check_report *report)
{
    if (all->job_count > 1) {
        code = tool_worse(code, check_report_job(report, all->job[0], all->job_count));
    }
    for (size_t i = 0; i < all->job_count; i++) {
        close_file(t, all->job[i], i ? TOOL_OK : code);
    }
    return code;
}

// Checks the files, one for each rank, as one job.
static tool_exit check_ranks(tool *t, const hoist_order_check *order, command_files *all,
                             check_report *report)
{
    size_t memory = 0; // that opening may take, together
    bool opened = true;
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < all->count; i++) {
        open_file(t, t->arguments[i], &all->files[i]);
        opened = opened && all->files[i].status == HOIST_OK;
        // tool_open() sets the limit for one file; those of a job are open at the same time.
        memory += t->budget.limit;
        all->job[all->job_count++] = &all->files[i];
    }
    t->budget.limit = t->max_memory ? t->max_memory : memory;
    if (opened && join(all->job, all->job_count)) {
        check_job(t, order, all->job, all->job_count);
    }
    for (size_t i = 0; i < all->count; i++) {
        code = tool_worse(code, check_report_file(report, &all->files[i]));
    }
    return end_job(t, all, code, report);
}

// Opens all files after `first`, which is open, that are of its format; others are closed again.
// Without threads: the files after `first` have not been opened. Those of other formats are
// opened again in their turn, in order that one file at a time is in memory.
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

// Joins all files after `first` that are of its format, as other threads have opened them.
// A file of another format stays open here, as the thread has checked it already.
static void await_joined(command_files *all, size_t first)
{
    const char *const format = hoist_job_format(all->files[first].job);
    for (size_t i = first; i < all->count; i++) {
        checked *const file = &all->files[i];
        check_ahead_wait(all->ahead, i);
        file->joined = file->status == HOIST_OK && strcmp(hoist_job_format(file->job), format) == 0;
        if (file->joined) {
            all->job[all->job_count++] = file;
        }
    }
}

// Checks files that are jobs of their own; all of a format whose files are one job, together.
static tool_exit check_each(tool *t, const hoist_order_check *order, command_files *all,
                            hoist_file_set *set, check_report *report)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < all->count; i++) {
        checked *const file = &all->files[i];
        if (all->ahead) {
            check_ahead_wait(all->ahead, i);
        } else if (!file->joined && !file->is_opened) {
            open_file(t, t->arguments[i], file);
        }
        if (all->job_count == 0 && file->status == HOIST_OK && hoist_job_joins(file->job)) {
            if (all->ahead) {
                await_joined(all, i);
            } else {
                open_joined(t, all, i);
            }
            if (join(all->job, all->job_count)) {
                check_job(t, order, all->job, all->job_count);
            }
        }
        code = tool_worse(code, check_opened(t, order, set, file, report));
        if (!file->joined) {
            close_file(t, file, code);
        }
        hoist_stage_add(t->deadline, HOIST_STAGE_CHECKING, 1);
    }
    return all->job_count ? end_job(t, all, code, report) : code;
}

// What a thread of --jobs does: files that make one job are checked later, together.
static void work_ahead(tool *t, const void *order, const char *path, checked *file)
{
    open_file(t, path, file);
    if (file->status == HOIST_OK && !hoist_job_joins(file->job)) {
        check_file(t, order, file->input.diag, file);
    }
}

// Checks each file, --jobs at a time where there are threads for it.
static tool_exit check_some(tool *t, const hoist_order_check *order, command_files *all,
                            hoist_file_set *set, check_report *report)
{
    const size_t jobs = (size_t)tool_count_of(t, OPT_JOBS, 1);
    check_ahead ahead = {.work = work_ahead, .self = order};
    // Progress counts files where there are several; for one file its own stages are shown.
    const bool counts =
        all->count > 1 && hoist_stage_begin(t->deadline, HOIST_STAGE_CHECKING, all->count);
    if (jobs > 1 && all->count > 1 && check_ahead_begin(&ahead, t, jobs, all->files, all->count)) {
        all->ahead = &ahead;
    }
    const tool_exit code = check_each(t, order, all, set, report);
    if (all->ahead) {
        check_ahead_end(&ahead);
    }
    hoist_stage_end(t->deadline, counts);
    return code;
}

// `set` knows all files of the command, for rules about files that belong together.
static tool_exit check_all(tool *t, const hoist_order_check *order, check_report *report)
{
    // None of it is of a file's budget: the message about the limit needs it.
    const hoist_allocator alloc = t->budget.parent;
    const size_t count = t->argument_count;
    command_files all = {.count = count};
    // One more, because a list may have none.
    all.files = hoist_alloc_zero(alloc, count + 1, sizeof *all.files);
    all.job = hoist_alloc_zero(alloc, count + 1, sizeof(checked *));
    hoist_file_set *set = NULL;
    tool_exit code = TOOL_LIMIT;
    if (all.files && all.job && hoist_file_set_create(alloc, &set) == HOIST_OK) {
        // One file for each rank: then all are one job, whatever their format says of joining.
        const bool ranks = tool_given(t, OPT_RACES) && order->ranks > 1 && order->ranks == count;
        code =
            ranks ? check_ranks(t, order, &all, report) : check_some(t, order, &all, set, report);
    }
    hoist_file_set_destroy(set);
    hoist_free(alloc, all.files, all.files ? (count + 1) * sizeof *all.files : 0);
    hoist_free(alloc, all.job, all.job ? (count + 1) * sizeof(checked *) : 0);
    return code;
}

static tool_exit check_files(tool *t)
{
    hoist_order_check order;
    hoist_arena arena;
    hoist_arena_init(&arena, t->budget.parent); // for what the command line says, not a file
    tool_file_list list;
    tool_exit code = tool_open_file_list(t, &list);
    code = code == TOOL_OK ? read_order(t, &arena, &order) : code;
    if (code == TOOL_OK) {
        check_report report;
        code = check_report_begin(t, &report);
        const bool begun = code == TOOL_OK;
        code = begun ? check_all(t, &order, &report) : code;
        code = check_report_end(&report, begun, code);
    }
    tool_close_file_list(t, &list);
    hoist_arena_deinit(&arena);
    return code;
}

tool_exit cmd_check(tool *t)
{
    if (tool_count_of(t, OPT_JOBS, 1) < 2) {
        return check_files(t);
    }
    // Threads allocate, too.
    hoist_shared_alloc shared;
    const hoist_allocator parent = t->budget.parent;
    if (!hoist_shared_alloc_init(&shared, parent)) {
        return TOOL_LIMIT;
    }
    t->budget.parent = hoist_shared_allocator(&shared);
    const tool_exit code = check_files(t);
    t->budget.parent = parent;
    hoist_shared_alloc_deinit(&shared);
    return code;
}
