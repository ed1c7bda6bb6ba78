// hoist run and bench: from the files of the command line to a session that is ready, and back.
// The command's own steps are the functions of its run_command.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/pages.h"
#include "os/shared_alloc.h"
#include "parse.h"
#include "ranks.h"
#include "run.h"

// The one place where options of a run become options of its session.
static void read_counts(run *r, hoist_session_options *options)
{
    const tool *t = r->t;
    r->iterations = tool_count_of(t, OPT_ITERATIONS, r->command->iterations);
    r->warmup = tool_count_of(t, OPT_WARMUP, r->command->warmup);
    // A chosen schedule is only reproducible when no pusher or popper runs next to it.
    r->alone = tool_given(t, OPT_SEQUENTIAL) || tool_given(t, OPT_SCHEDULE);
    // How the session goes on where several threads or units could.
    const char *text = t->values[OPT_SCHEDULE];
    if (text && tool_parse_random(text, &options->seed)) {
        options->schedule = HOIST_RUN_RANDOM;
    } else if (text) {
        options->schedule =
            strcmp(text, "adversarial") == 0 ? HOIST_RUN_ADVERSARIAL : HOIST_RUN_IN_ORDER;
    }
    options->max_steps = tool_count_of(t, OPT_MAX_STEPS, 0);
    // Stand-ins for the device's command queue and binary cache.
    options->command_slots = (uint32_t)tool_count_of(t, OPT_COMMAND_SLOTS, 0);
    options->binary_slots = (uint32_t)tool_count_of(t, OPT_BINARY_SLOTS, 0);
    options->preload = tool_given(t, OPT_PRELOAD);
    options->threads = (uint32_t)tool_count_of(t, OPT_THREADS, 0);
    options->sequential = r->alone;
    options->no_fusion = tool_given(t, OPT_NO_FUSION);
    options->on_unknown = (hoist_unknown)tool_word_of(t, OPT_ON_UNKNOWN);
    options->on_undefined = (hoist_undefined)tool_word_of(t, OPT_ON_UNDEFINED);
    // --exact asks for the reference's bits, and the reference would stop here.
    if (!tool_given(t, OPT_ON_UNDEFINED) && !tool_given(t, OPT_EXACT)) {
        options->on_undefined = HOIST_UNDEFINED_NAN;
    }
    options->deadline = t->deadline;
    options->comm = t->ranks->comm;
    // Linux overcommits: without a limit a huge tensor is granted, and the kernel ends the
    // process later, when its pages are touched.
    // Pages that are not there yet are promised beyond what the machine has.
    options->max_memory = t->max_memory ? t->max_memory : hoist_memory_size() / 4 * 3;
}

// Sessions take names as C strings.
// A name that is cut at its NUL could be taken for another queue's.
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
// In this order: inputs depend on which programs run, the command's own options on outputs.
static tool_exit prepare(run *r)
{
    r->t->doing = "filling";
    tool_exit code = check_names(r);
    code = code == TOOL_OK ? run_choose_programs(r) : code;
    code = code == TOOL_OK ? run_open_inputs(r) : code;
    code = code == TOOL_OK ? run_open_outputs(r) : code;
    return code == TOOL_OK ? r->command->prepare(r) : code;
}

// The views that are read after the run: those that are given out, of a command that gives nothing
// out the results, which are made all the same.
static bool list_reads(run *r, hoist_session_options *options)
{
    const bool gives_out = tool_takes(r->t->command, OPT_FETCH);
    const char **names = hoist_arena_array(&r->arena, r->output_count + 1, sizeof(*names));
    for (size_t i = 0; names && i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        if (output->wanted || (!gives_out && output->port.result)) {
            names[options->read_count++] = output->name;
        }
    }
    options->reads = names;
    return names != NULL;
}

// Under --max-memory the tensors count together with everything else, though they come from
// elsewhere.
// Tensors are pages of the system (os/pages.h), which the budget does not see.
static hoist_status open_session(run *r, const hoist_session_options *options)
{
    hoist_budget *budget = &r->t->budget;
    HOIST_TRY(hoist_session_open(r->program, options, r->file->diag, &r->session));
    if (!r->t->max_memory) {
        return HOIST_OK;
    }
    hoist_session_counts counts = {.struct_size = sizeof(counts)};
    hoist_session_count(r->session, &counts);
    // By subtraction: the sum could wrap.
    if (counts.memory_bytes > budget->limit - budget->used) {
        budget->exceeded = true;
        return HOIST_LIMIT;
    }
    r->tensor_bytes = (size_t)counts.memory_bytes;
    budget->used += r->tensor_bytes;
    return HOIST_OK;
}

// The findings of the run are in the diag when run_drive() returns, and are printed here.
static tool_exit execute(run *r, hoist_session_options *options)
{
    tool_input *file = r->file;
    r->t->doing = "running";
    const hoist_status opened = list_reads(r, options) ? open_session(r, options) : HOIST_NO_MEMORY;
    if (opened != HOIST_OK) {
        const tool_exit code = tool_report(r->t, opened, file);
        return opened == HOIST_NOT_FOUND ? TOOL_USAGE : code; // more or less processes than ranks
    }
    const hoist_status status = run_drive(r);
    const tool_exit code = tool_report(r->t, status, file);
    if (status == HOIST_CANCELLED) {
        tool_complain(r->t, "%s: interrupted", file->path);
    }
    return code;
}

// The order of the end is that of dependencies: the session borrows from the program, inputs
// and outputs are used by the session's threads until it is closed.
tool_exit run_file(tool *t, const run_command *command, void *own, tool_input *file)
{
    run r = {.t = t, .command = command, .own = own, .file = file};
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
    // With --json warnings are a part of the document (tool_send_warnings()).
    hoist_diag_sort(file->diag);
    if (code == TOOL_OK && !tool_given(t, OPT_JSON) && !tool_warn(t, file, true)) {
        code = TOOL_LIMIT;
    }
    code = code == TOOL_OK ? command->give_out(&r) : code;
    // Before the session is closed: other ranks may still wait for messages of this one.
    code = ranks_agree(t->ranks, t, code);
    hoist_session_close(r.session);
    t->budget.used -= r.tensor_bytes;
    command->close(&r);
    run_close_outputs(&r);
    hoist_folder_output_drop(&r.folder);
    run_close_inputs(&r);
    hoist_program_destroy(r.program);
    hoist_arena_deinit(&r.arena);
    return code;
}

static tool_exit open_and_run(tool *t, const void *command)
{
    tool_input *files = NULL;
    tool_exit code = tool_open_job(t, &files);
    if (code == TOOL_OK) {
        code = run_file(t, command, NULL, &files[0]);
    }
    tool_close_job(t, files, code);
    return code;
}

// t->alloc is exchanged for the time of `body`; what it allocates has to be freed in it.
tool_exit run_among_ranks(tool *t, tool_exit (*body)(tool *t, const void *self), const void *self)
{
    // Workers, pusher and popper allocate too.
    hoist_shared_alloc shared;
    if (!hoist_shared_alloc_init(&shared, t->alloc)) {
        return TOOL_LIMIT;
    }
    const hoist_allocator alloc = t->alloc;
    t->alloc = hoist_shared_allocator(&shared);
    ranks all;
    tool_exit code = ranks_begin(&all, t);
    code = code == TOOL_OK ? body(t, self) : code;
    code = ranks_end(&all, t, code);
    t->alloc = alloc;
    hoist_shared_alloc_deinit(&shared);
    return code;
}

tool_exit run_files(tool *t, const run_command *command)
{
    const tool_exit fitting = tool_check_ranks(t);
    return fitting == TOOL_OK ? run_among_ranks(t, open_and_run, command) : fitting;
}
