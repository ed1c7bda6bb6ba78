// Opening the files of the command line, lowering them, and the parts of findings that all
// commands but check share: errors and warnings go to standard error, a status becomes an exit
// code. Also the memory budget of a file, by its format and size.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/pages.h"
#include "parse.h"
#include "report/findings.h"
#include "tool.h"

// Bytes of what is read before its format is known: a pipe. Files of any size are mapped.
static const size_t INPUT_LIMIT = (size_t)256 << 20;

// Reads all of standard input or of a file.
// The limit is for what has to be read into memory; a mapping of any size costs address space
// only.
static hoist_status read_input(const tool *t, const char *path, hoist_diag *diag,
                               hoist_file_view *out_view)
{
    enum { STANDARD_INPUT = 0 };
    const size_t limit = t->max_memory > INPUT_LIMIT ? t->max_memory : INPUT_LIMIT;
    return strcmp(path, "-") == 0
               ? hoist_file_map_fd(STANDARD_INPUT, limit, t->alloc, diag, out_view)
               : hoist_file_map(path, limit, t->alloc, diag, out_view);
}

// `most`, and never more than three quarters of the machine's memory.
static size_t within_machine(size_t most)
{
    const uint64_t machine = hoist_memory_size() / 4 * 3;
    return machine && most > machine ? (size_t)machine : most;
}

// Without --max-memory as much as valid files of this format and size take, in addition to the
// files that are open already.
// Limits by format and size keep a hostile file of a few bytes from taking the machine's
// memory.
static size_t memory_limit(const tool *t, const tool_input *input, size_t taken)
{
    if (t->max_memory) {
        return t->max_memory;
    }
    const size_t honest = hoist_open_memory(input->view.bytes, input->path, t->values[OPT_FORMAT]);
    return within_machine(honest < SIZE_MAX - taken ? honest + taken : SIZE_MAX);
}

// The limit only grows, and not at all where the user has set it.
void tool_allow_memory(tool *t, size_t more)
{
    const size_t limit = t->budget.limit;
    t->budget.limit =
        t->max_memory ? limit : within_machine(more < SIZE_MAX - limit ? limit + more : SIZE_MAX);
}

hoist_status tool_open(tool *t, const char *path, tool_input *out_input)
{
    *out_input = (tool_input){.path = path};
    tool_watch_file(path);
    t->doing = "reading";
    t->budget.exceeded = false;
    const size_t taken = t->budget.used; // by files that are open already
    // Provisional: the format is not known before the bytes are read, and a pipe takes memory.
    t->budget.limit = t->max_memory ? t->max_memory : taken + 2 * INPUT_LIMIT;
    const hoist_diag_options diag_options = {sizeof(diag_options),
                                             .strict = tool_given(t, OPT_STRICT)};
    HOIST_TRY(hoist_diag_create(t->alloc, &diag_options, &out_input->diag));
    hoist_diag_source(out_input->diag, hoist_str_from(path), HOIST_STR(""));
    const hoist_status read = read_input(t, path, out_input->diag, &out_input->view);
    if (read == HOIST_NOT_FOUND || read == HOIST_IO) {
        tool_hint_path(t, path);
    }
    HOIST_TRY(read);
    t->budget.limit = memory_limit(t, out_input, taken);
    // A mapped file takes memory, too, without a call of the allocator; --max-memory is
    // about what is asked for.
    // The charge is given back by tool_close(). A mapping that is larger than the budget is not
    // charged, since opening it would then fail at once.
    const size_t size = out_input->view.mapped && !t->max_memory ? out_input->view.bytes.size : 0;
    out_input->charged = size < t->budget.limit - t->budget.used ? size : 0;
    t->budget.used += out_input->charged;
    const hoist_open_options options = {
        .struct_size = sizeof(options),
        .alloc = t->alloc,
        .format = t->values[OPT_FORMAT],
        .arch = t->values[OPT_ARCH] ? t->values[OPT_ARCH] : t->values[OPT_TARGET],
        // The library does not read the environment; this is one of the few places that do.
        .arch_fallback = getenv(tool_options[OPT_ARCH].variable),
        .soc_path = t->values[OPT_SOC],
        .cluster_path = t->values[OPT_CLUSTER],
        // The view outlives the job, so modules may borrow from it instead of copying.
        .bytes_stay = true,
        .lenient = tool_given(t, OPT_LENIENT),
        .container_only = t->command->container_only,
        .deadline = t->deadline,
        .all_archs = tool_given(t, OPT_ALL_ARCHS),
    };
    return hoist_job_open_bytes(out_input->view.bytes, path, &options, out_input->diag,
                                &out_input->job);
}

tool_exit tool_open_file(tool *t, const char *path, tool_input *out_input)
{
    const hoist_status status = tool_open(t, path, out_input);
    return out_input->diag ? tool_report(t, status, out_input) : TOOL_LIMIT;
}

// A program text says itself how many ranks and examples there are.
// A program has its ranks and batch unrolled, so another number cannot be chosen any more.
static bool refuses_choice(tool *t, const tool_input *input, tool_option_id id)
{
    const bool refused = t->values[id] && strcmp(hoist_job_format(input->job), "program") == 0;
    if (refused) {
        tool_complain(t,
                      "%s is a program text, which has its %s already: give --%s to 'hoist dump "
                      "--program' of the file that it comes from",
                      input->path, id == OPT_RANKS ? "ranks" : "batch", tool_options[id].name);
    }
    return refused;
}

tool_exit tool_lower(tool *t, tool_input *input, hoist_program **out_program)
{
    const hoist_driver driver = (hoist_driver)tool_word_of(t, OPT_DRIVER);
    hoist_lower_options options = {
        .struct_size = sizeof(options),
        .ranks = (uint32_t)tool_count_of(t, OPT_RANKS, 0),
        .numerics = (hoist_numerics)tool_word_of(t, OPT_NUMERICS),
        .on_unknown = (hoist_unknown)tool_word_of(t, OPT_ON_UNKNOWN),
        .requantization = (hoist_requantization)tool_word_of(t, OPT_ROUNDING),
        // diff --run compares layers, which a driver would hide behind transfers.
        .driver = tool_given(t, OPT_DIFF_RUN) ? HOIST_DRIVER_NONE : driver,
        .layers = tool_given(t, OPT_DIFF_RUN),
        .layers_alone = t->layers_alone,
        .notes_multipliers = !tool_given(t, OPT_DIFF_RUN), // which counts those that differ
        .batch = (uint32_t)tool_count_of(t, OPT_BATCH, 0),
        .queue_mode = (hoist_queue_mode)tool_word_of(t, OPT_QUEUE_MODE),
        .max_steps = tool_count_of(t, OPT_MAX_STEPS, 0),
    };
    if (refuses_choice(t, input, OPT_RANKS) || refuses_choice(t, input, OPT_BATCH)) {
        return TOOL_USAGE;
    }
    t->doing = "lowering";
    const hoist_status status = hoist_job_lower(input->job, &options, input->diag, out_program);
    return tool_report_named(t, status, input, TOOL_OK); // files of the job may be missing, too
}

void tool_close(tool *t, tool_input *input, tool_exit code)
{
    if (code == TOOL_LIMIT && !t->limit_explained) {
        // Which of the limits it was: the budget, the deadline, or the system's own memory. A
        // finding that is an error has its own sentence.
        if (t->budget.exceeded) {
            tool_complain(t, "%s: %s it takes more than %zu %s of memory, %s", input->path,
                          t->doing, t->budget.limit, hoist_plural(t->budget.limit, "byte", "bytes"),
                          t->max_memory ? "the limit of --max-memory" : "--max-memory allows more");
        } else if (hoist_diag_count(input->diag, HOIST_ERROR) == 0) {
            const bool is_late = hoist_deadline_look(t->deadline) == HOIST_LIMIT;
            tool_complain(t, "%s: %s while %s it", input->path,
                          is_late ? "the time limit of --timeout was reached" : "memory ran out",
                          t->doing);
        }
        t->limit_explained = true;
    }
    // In this order: the job borrows from the bytes and reports to the diag.
    hoist_job_close(input->job);
    hoist_diag_destroy(input->diag);
    hoist_file_unmap(&input->view);
    t->budget.used -= input->charged;
    *input = (tool_input){0};
}

// Prints findings to standard error; false when memory ran out.
// To standard error, uncolored and without source lines, as compilers print them.
static bool print_findings(tool *t, const hoist_diag *diag, const hoist_findings_options *options)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    hoist_findings_text(diag, options, &text);
    hoist_output_str(t->err, hoist_buffer_text(&text));
    const bool complete = !text.failed;
    hoist_buffer_deinit(&text);
    return complete;
}

static bool print_errors(tool *t, hoist_diag *diag)
{
    const hoist_findings_options options = {.quiet = true};
    hoist_diag_sort(diag);
    return print_findings(t, diag, &options) && !hoist_diag_incomplete(diag);
}

// Notes of lowering matter to who runs a file: they name what is assumed or left out.
static hoist_findings_options warnings(const tool *t, bool runs)
{
    return (hoist_findings_options){.quiet = !runs || tool_given(t, OPT_QUIET),
                                    .notes = hoist_rule_set_of_lowering()};
}

void tool_send_warnings(const tool *t, const tool_input *input, hoist_tree_sink *sink)
{
    const hoist_findings_options options = warnings(t, true);
    hoist_findings_tree(input->diag, "findings", &options, sink);
}

bool tool_warn(tool *t, const tool_input *input, bool runs)
{
    const hoist_findings_options options = warnings(t, runs);
    const bool some = hoist_diag_count(input->diag, HOIST_WARNING) ||
                      (!options.quiet && hoist_diag_count(input->diag, HOIST_NOTE));
    if (!some || hoist_diag_count(input->diag, HOIST_ERROR)) {
        return true; // errors are printed together with them
    }
    return print_findings(t, input->diag, &options);
}

// Where the command does not take files of a format at all (LOAD-004), its help says which it
// takes.
static void hint_refused(tool *t, const hoist_diag *diag)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        if (strcmp(hoist_diag_at(diag, i)->rule->id, "LOAD-004") == 0) {
            tool_complain(t, "try 'hoist help %s'", t->command->name);
            return;
        }
    }
}

// HOIST_OK with error findings is TOOL_UNREADABLE: the file was read as far as it could be.
tool_exit tool_report(tool *t, hoist_status status, const tool_input *input)
{
    const size_t errors = hoist_diag_count(input->diag, HOIST_ERROR);
    if (errors && !print_errors(t, input->diag)) {
        return TOOL_LIMIT;
    }
    if (status == HOIST_UNSUPPORTED) {
        hint_refused(t, input->diag);
    }
    if (hoist_diag_incomplete(input->diag)) {
        return TOOL_LIMIT;
    }
    return status == HOIST_OK && errors ? TOOL_UNREADABLE : tool_exit_of(status);
}

// With a `code` other than TOOL_OK the errors have been printed when the file was opened.
tool_exit tool_report_shown(tool *t, hoist_status status, const tool_input *input, tool_exit code)
{
    return code == TOOL_OK ? tool_report(t, status, input) : tool_worse(code, tool_exit_of(status));
}

tool_exit tool_report_named(tool *t, hoist_status status, const tool_input *input, tool_exit code)
{
    code = tool_report_shown(t, status, input, code);
    return status == HOIST_NOT_FOUND && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}
