// hoist run and bench: from the files of the command line to a session that is ready, and back.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/pages.h"
#include "os/shared_alloc.h"
#include "parse.h"
#include "run.h"

// How the session goes on where several threads or units could.
static void read_schedule(const tool *t, hoist_session_options *options)
{
    const char *text = t->values[OPT_SCHEDULE];
    if (text && tool_parse_random(text, &options->seed)) {
        options->schedule = HOIST_RUN_RANDOM;
    } else if (text) {
        options->schedule =
            strcmp(text, "adversarial") == 0 ? HOIST_RUN_ADVERSARIAL : HOIST_RUN_IN_ORDER;
    }
}

static void read_counts(run *r, hoist_session_options *options)
{
    const tool *t = r->t;
    r->iterations = tool_count_of(t, OPT_ITERATIONS, r->command->iterations);
    r->warmup = tool_count_of(t, OPT_WARMUP, r->command->warmup);
    r->alone = tool_given(t, OPT_SEQUENTIAL) || tool_given(t, OPT_SCHEDULE);
    read_schedule(t, options);
    options->max_steps = tool_count_of(t, OPT_MAX_STEPS, 0);
    // What stands in for the device's command queue and binary cache.
    options->command_slots = (uint32_t)tool_count_of(t, OPT_COMMAND_SLOTS, 0);
    options->binary_slots = (uint32_t)tool_count_of(t, OPT_BINARY_SLOTS, 0);
    options->preload = tool_given(t, OPT_PRELOAD);
    options->threads = (uint32_t)tool_count_of(t, OPT_THREADS, 0);
    options->sequential = r->alone;
    options->on_unknown = tool_on_unknown(t);
    options->deadline = t->deadline;
    // Pages that are not there yet are promised beyond what the machine has.
    options->max_memory = t->max_memory ? t->max_memory : hoist_memory_size() / 4 * 3;
}

// Sessions are told names as C strings.
static tool_exit check_names(run *r)
{
    for (size_t i = 0; i < hoist_program_port_count(r->program); i++) {
        const hoist_str name = hoist_program_port(r->program, i).name;
        if (name.size && memchr(name.data, '\0', name.size)) {
            tool_complain(r->t,
                          "%s: the name of queue '%.*s...' has a NUL byte, it cannot be filled",
                          r->file->path, HOIST_STR_ARGS(name));
            return TOOL_UNSUPPORTED;
        }
    }
    return TOOL_OK;
}

// Everything that the user named, before anything runs.
static tool_exit prepare(run *r)
{
    r->t->doing = "filling";
    tool_exit code = check_names(r);
    code = code == TOOL_OK ? run_choose_programs(r) : code;
    code = code == TOOL_OK ? run_open_inputs(r) : code;
    code = code == TOOL_OK ? run_open_outputs(r) : code;
    return code == TOOL_OK ? r->command->prepare(r) : code;
}

// Under --max-memory the tensors count together with everything else, though they come from
// elsewhere.
static hoist_status open_session(run *r, const hoist_session_options *options)
{
    hoist_budget *budget = &r->t->budget;
    HOIST_TRY(hoist_session_open(r->program, options, r->file->diag, &r->session));
    if (!r->t->max_memory) {
        return HOIST_OK;
    }
    hoist_session_counts counts = {.struct_size = sizeof(counts)};
    hoist_session_count(r->session, &counts);
    if (counts.memory_bytes > budget->limit - budget->used) {
        budget->exceeded = true;
        return HOIST_LIMIT;
    }
    r->tensor_bytes = (size_t)counts.memory_bytes;
    budget->used += r->tensor_bytes;
    return HOIST_OK;
}

static tool_exit execute(run *r, const hoist_session_options *options)
{
    tool_input *file = r->file;
    r->t->doing = "running";
    const hoist_status opened = open_session(r, options);
    if (opened != HOIST_OK) {
        return tool_judge(r->t, opened, file);
    }
    const hoist_status status = run_drive(r);
    const tool_exit code = tool_judge(r->t, status, file);
    if (status == HOIST_CANCELLED) {
        tool_complain(r->t, "%s: interrupted", file->path);
    }
    return code;
}

static void close_run(run *r)
{
    hoist_session_close(r->session);
    r->t->budget.used -= r->tensor_bytes;
    r->command->close(r);
    run_close_outputs(r);
    hoist_folder_output_drop(&r->folder);
    run_close_inputs(r);
    hoist_program_destroy(r->program);
    hoist_arena_deinit(&r->arena);
}

// Runs the file that was opened.
static tool_exit run_file(tool *t, const run_command *command, tool_input *file)
{
    run r = {.t = t, .command = command, .file = file};
    hoist_folder_output_init(&r.folder, t->alloc);
    hoist_session_options options = {.struct_size = sizeof(options), .alloc = t->alloc};
    hoist_arena_init(&r.arena, t->alloc);
    read_counts(&r, &options);
    tool_exit code = tool_lower(t, file, &r.program);
    if (code == TOOL_OK && !t->max_memory) {
        const size_t memory = (size_t)hoist_memory_size();
        t->budget.limit = memory ? memory : SIZE_MAX; // arrays may be large
    }
    code = code == TOOL_OK ? prepare(&r) : code;
    code = code == TOOL_OK ? execute(&r, &options) : code;
    hoist_diag_sort(file->diag);
    if (code == TOOL_OK && !tool_given(t, OPT_JSON) && !tool_warn(t, file, true)) {
        code = TOOL_LIMIT;
    }
    code = code == TOOL_OK ? command->give_out(&r) : code;
    close_run(&r);
    return code;
}

// Opens the files of the command line as one job, which the first one has.
static tool_exit open_files(tool *t, tool_input *files)
{
    for (size_t i = 0; i < t->argument_count; i++) {
        hoist_status status = tool_open(t, t->arguments[i], &files[i]);
        if (status == HOIST_OK && i > 0) {
            status = hoist_job_add(files[0].job, files[i].job, files[i].diag);
            files[i].job = status == HOIST_OK ? NULL : files[i].job;
        }
        const tool_exit code = files[i].diag ? tool_judge(t, status, &files[i]) : TOOL_LIMIT;
        if (code != TOOL_OK) {
            return code;
        }
        for (size_t k = 0; i > 0 && k < hoist_diag_kept(files[i].diag); k++) {
            hoist_diag_add(files[0].diag, hoist_diag_at(files[i].diag, k)); // the job's
        }
    }
    return TOOL_OK;
}

// The first one has the job, which is made of the bytes of all.
static void close_files(tool *t, tool_input *files, tool_exit code)
{
    for (size_t i = 0; i < t->argument_count; i++) {
        if (files[i].path) {
            tool_close(t, &files[i], code);
        }
    }
    hoist_free(t->budget.parent, files, t->argument_count * sizeof(files[0]));
}

static tool_exit open_and_run(tool *t, const run_command *command)
{
    // Not of the budget: without it nobody could say what a limit stopped.
    tool_input *files = hoist_alloc_zero(t->budget.parent, t->argument_count, sizeof(files[0]));
    if (!files) {
        return TOOL_LIMIT;
    }
    tool_exit code = open_files(t, files);
    if (code == TOOL_OK) {
        code = run_file(t, command, &files[0]);
    }
    close_files(t, files, code);
    return code;
}

// Several files are those of the ranks.
static tool_exit judge_ranks(tool *t)
{
    const uint64_t ranks = tool_count_of(t, OPT_RANKS, t->argument_count);
    if (t->argument_count == 1 || ranks == t->argument_count) {
        return TOOL_OK;
    }
    tool_complain(t, "--ranks %llu and %zu files: wanted one file, or one for each rank",
                  (unsigned long long)ranks, t->argument_count);
    return TOOL_USAGE;
}

tool_exit run_files(tool *t, const run_command *command)
{
    const tool_exit judged = judge_ranks(t);
    if (judged != TOOL_OK) {
        return judged;
    }
    // Workers, pusher and popper allocate too.
    hoist_shared_alloc shared;
    if (!hoist_shared_alloc_init(&shared, t->alloc)) {
        return TOOL_LIMIT;
    }
    const hoist_allocator alloc = t->alloc;
    t->alloc = hoist_shared_allocator(&shared);
    const tool_exit code = open_and_run(t, command);
    t->alloc = alloc;
    hoist_shared_alloc_deinit(&shared);
    return code;
}
