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
static size_t memory_limit(const tool *t, const tool_input *input, size_t taken)
{
    if (t->max_memory) {
        return t->max_memory;
    }
    const size_t honest = hoist_open_memory(input->view.bytes, input->path, t->values[OPT_FORMAT]);
    return within_machine(honest < SIZE_MAX - taken ? honest + taken : SIZE_MAX);
}

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
    const size_t size = out_input->view.mapped && !t->max_memory ? out_input->view.bytes.size : 0;
    out_input->charged = size < t->budget.limit - t->budget.used ? size : 0;
    t->budget.used += out_input->charged;
    const hoist_open_options options = {
        .struct_size = sizeof(options),
        .alloc = t->alloc,
        .format = t->values[OPT_FORMAT],
        .arch = t->values[OPT_ARCH] ? t->values[OPT_ARCH] : t->values[OPT_TARGET],
        .arch_fallback = getenv(tool_options[OPT_ARCH].variable),
        .soc_path = t->values[OPT_SOC],
        .cluster_path = t->values[OPT_CLUSTER],
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

// Which of the option's words is given, from 0 on; the first when none is.
static size_t word_of(const tool *t, tool_option_id option, const char *const *words, size_t count)
{
    const char *given = t->values[option];
    size_t found = 0;
    for (size_t i = 0; given && i < count; i++) {
        found = strcmp(given, words[i]) == 0 ? i : found;
    }
    return found;
}

hoist_unknown tool_on_unknown(const tool *t)
{
    static const char *const words[] = {
        [HOIST_UNKNOWN_STOP] = "stop",
        [HOIST_UNKNOWN_SKIP] = "skip",
        [HOIST_UNKNOWN_POISON] = "poison",
    };
    return (hoist_unknown)word_of(t, OPT_ON_UNKNOWN, words, HOIST_COUNT_OF(words));
}

hoist_undefined tool_on_undefined(const tool *t)
{
    static const char *const words[] = {
        [HOIST_UNDEFINED_STOP] = "stop",
        [HOIST_UNDEFINED_NAN] = "nan",
    };
    if (!t->values[OPT_ON_UNDEFINED]) {
        return tool_given(t, OPT_EXACT) ? HOIST_UNDEFINED_STOP : HOIST_UNDEFINED_NAN;
    }
    return (hoist_undefined)word_of(t, OPT_ON_UNDEFINED, words, HOIST_COUNT_OF(words));
}

hoist_driver tool_driver(const tool *t)
{
    static const char *const words[] = {
        [HOIST_DRIVER_PCIE] = "pcie",
        [HOIST_DRIVER_USB] = "usb",
        [HOIST_DRIVER_USB_NO_HINTS] = "usb-no-hints",
        [HOIST_DRIVER_NONE] = "none",
    };
    return (hoist_driver)word_of(t, OPT_DRIVER, words, HOIST_COUNT_OF(words));
}

static hoist_requantization rounding_of(const tool *t)
{
    static const char *const words[] = {
        [HOIST_REQUANTIZE_DOUBLE] = "double",
        [HOIST_REQUANTIZE_SINGLE] = "single",
        [HOIST_REQUANTIZE_FLOAT] = "float",
    };
    return (hoist_requantization)word_of(t, OPT_ROUNDING, words, HOIST_COUNT_OF(words));
}

// A program text says itself how many ranks and examples there are.
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

hoist_numerics tool_numerics(const tool *t)
{
    const char *kind = t->values[OPT_NUMERICS];
    return !kind || strcmp(kind, "reference") == 0 ? HOIST_NUMERICS_REFERENCE
           : strcmp(kind, "declared") == 0         ? HOIST_NUMERICS_DECLARED
                                                   : HOIST_NUMERICS_DEVICE;
}

tool_exit tool_lower(tool *t, tool_input *input, hoist_program **out_program)
{
    const char *mode = t->values[OPT_QUEUE_MODE];
    hoist_lower_options options = {
        .struct_size = sizeof(options),
        .ranks = (uint32_t)tool_count_of(t, OPT_RANKS, 0),
        .numerics = tool_numerics(t),
        .on_unknown = tool_on_unknown(t),
        .requantization = rounding_of(t),
        .driver = tool_given(t, OPT_DIFF_RUN) ? HOIST_DRIVER_NONE : tool_driver(t),
        .layers = tool_given(t, OPT_DIFF_RUN),
        .layers_alone = t->layers_alone,
        .notes_multipliers = !tool_given(t, OPT_DIFF_RUN), // which counts those that differ
        .batch = (uint32_t)tool_count_of(t, OPT_BATCH, 0),
        .queue_mode =
            mode && strcmp(mode, "golden") == 0 ? HOIST_QUEUES_GOLDEN : HOIST_QUEUES_STRICT,
        .max_steps = tool_count_of(t, OPT_MAX_STEPS, 0),
    };
    if (refuses_choice(t, input, OPT_RANKS) || refuses_choice(t, input, OPT_BATCH)) {
        return TOOL_USAGE;
    }
    t->doing = "lowering";
    const hoist_status status = hoist_job_lower(input->job, &options, input->diag, out_program);
    const tool_exit code = tool_report(t, status, input);
    // Files of the job are missing on the command line.
    return status == HOIST_NOT_FOUND && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}

void tool_close(tool *t, tool_input *input, tool_exit code)
{
    if (code == TOOL_LIMIT && !t->limit_explained) {
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
    hoist_job_close(input->job);
    hoist_diag_destroy(input->diag);
    hoist_file_unmap(&input->view);
    t->budget.used -= input->charged;
    *input = (tool_input){0};
}

// Prints findings to standard error; false when memory ran out.
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

tool_exit tool_report(tool *t, hoist_status status, const tool_input *input)
{
    const size_t errors = hoist_diag_count(input->diag, HOIST_ERROR);
    if (errors && !print_errors(t, input->diag)) {
        return TOOL_LIMIT;
    }
    if (hoist_diag_incomplete(input->diag)) {
        return TOOL_LIMIT;
    }
    return status == HOIST_OK && errors ? TOOL_UNREADABLE : tool_exit_of(status);
}

tool_exit tool_report_shown(tool *t, hoist_status status, const tool_input *input, tool_exit code)
{
    return code == TOOL_OK ? tool_report(t, status, input) : tool_worse(code, tool_exit_of(status));
}
