// One run of the command: set up outputs and signals, parse (parse.c), run under the limits of
// memory and time, flush, exit code. The only file that sees the whole life of a `tool`.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/span.h"
#include "os/term.h"
#include "parse.h"
#include "progress.h"
#include "signals.h"
#include "tool.h"

enum { DEFAULT_WIDTH = 80, MIN_WIDTH = 40, MAX_WIDTH = 1000 };

// Columns of text: COLUMNS, else the terminal's own width, else 80. `*out_is_known` is false where
// nothing but the default says it.
// COLUMNS comes first, because tests and scripts set it; a value that is no number is ignored.
static size_t text_width(bool *out_is_known)
{
    const char *columns = getenv("COLUMNS");
    size_t width = 0;
    const bool is_given = columns && tool_parse_size(columns, &width);
    *out_is_known = is_given || hoist_term_is_tty(STDOUT_FILENO);
    if (is_given) {
        return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
    }
    width = *out_is_known ? hoist_term_width(STDOUT_FILENO) : 0;
    return width == 0 ? DEFAULT_WIDTH : width < MIN_WIDTH ? MIN_WIDTH : width;
}

// An empty variable counts as absent, as no-color.org and its like have it.
static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

// --color, then NO_COLOR, CLICOLOR_FORCE, then whether standard output is a terminal.
static bool wants_color(const tool *t)
{
    const char *when = t->values[OPT_COLOR];
    if (when && strcmp(when, "auto") != 0) {
        return strcmp(when, "always") == 0;
    }
    const char *term = getenv("TERM");
    if (is_set("NO_COLOR") || (term && strcmp(term, "dumb") == 0)) {
        return false;
    }
    return is_set("CLICOLOR_FORCE") || hoist_term_is_tty(STDOUT_FILENO);
}

// Runs the command until its deadline.
// A deadline exists only where --timeout or progress needs one: looks at NULL cost nothing.
// tool_watch_time() is the second line of defence, for work that never looks.
static tool_exit run_in_time(tool *t)
{
    const double seconds = tool_number_of(t, OPT_TIMEOUT, -1);
    tool_progress progress;
    if ((seconds >= 0 || tool_progress_is_asked(t)) &&
        hoist_deadline_create(t->alloc, seconds, &t->deadline) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    tool_watch_time(t, seconds);
    tool_progress_begin(&progress, t);
    const tool_exit code = t->command->run(t);
    tool_progress_end(&progress);
    // The message of last resort: files that are open when the limit is hit say more
    // (tool_close()).
    if (code == TOOL_LIMIT && !t->limit_explained &&
        hoist_deadline_look(t->deadline) == HOIST_LIMIT) {
        tool_complain(t, "the time limit of %g s (--timeout) was reached", seconds);
        t->limit_explained = true;
    }
    hoist_deadline_destroy(t->deadline);
    t->deadline = NULL;
    return code;
}

// The files of the command line that every command reads in the same way.
// Options that name outputs are compared with this list (tool_spares_inputs()).
static bool note_inputs(tool *t)
{
    static const tool_option_id options[] = {OPT_SOC, OPT_CLUSTER};
    bool is_noted = true;
    for (size_t i = 0; is_noted && i < t->argument_count; i++) {
        is_noted = tool_reads(t, t->arguments[i]);
    }
    for (size_t i = 0; is_noted && i < HOIST_COUNT_OF(options); i++) {
        const char *const path = t->values[options[i]];
        is_noted = !path || tool_reads(t, path);
    }
    return is_noted;
}

// Runs the parsed command, under the memory limit when there is one.
static tool_exit run(tool *t)
{
    if (tool_given(t, OPT_HELP)) {
        return tool_print_help(t, t->command);
    }
    // From here on all memory of the command is counted. The budget itself is part of `t`, so
    // nothing of it may outlive the run.
    t->budget =
        (hoist_budget){.parent = t->alloc, .limit = t->max_memory ? t->max_memory : SIZE_MAX};
    t->alloc = hoist_budget_allocator(&t->budget);
    if (tool_takes(t->command, OPT_NO_PAGER) && !tool_given(t, OPT_NO_PAGER)) {
        tool_pager_begin(t);
    }
    const tool_exit code = note_inputs(t) ? run_in_time(t) : TOOL_LIMIT;
    t->alloc = t->budget.parent;
    // The list grew under the budget; it is freed by its parent, to which all memory belongs.
    hoist_free(t->alloc, t->inputs, t->input_capacity * sizeof(t->inputs[0]));
    if (code == TOOL_LIMIT && !t->limit_explained) {
        tool_complain(t, "memory ran out while writing the output");
    }
    return code;
}

// A closed pipe ends silently; any other failure of standard output is reported.
static tool_exit finish_output(tool *t, tool_exit code)
{
    if (hoist_output_flush(t->out) != HOIST_OK && !hoist_output_closed_pipe(t->out)) {
        tool_complain(t, "standard output: %s", strerror(hoist_output_error(t->out)));
        code = TOOL_UNREADABLE;
    }
    // A failure of standard error cannot be reported anywhere.
    (void)hoist_output_flush(t->err);
    return code;
}

int tool_main(int argc, char **argv, hoist_allocator alloc)
{
    // A write to a closed pipe fails with EPIPE instead, which finish_output() can tell from
    // others.
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); // a file may not grow so far: writing says so
    tool_watch_signals();
    hoist_output out;
    hoist_output err;
    hoist_output_init(&out, STDOUT_FILENO);
    hoist_output_init(&err, STDERR_FILENO);
    hoist_temporaries temporaries = {0};
    tool t = {.commands = tool_commands,
              .command_count = tool_command_count,
              .alloc = alloc,
              .out = &out,
              .err = &err,
              .is_terminal = hoist_term_is_tty(STDOUT_FILENO),
              .temporaries = &temporaries};
    tool_signals_begin(&temporaries);
    // There are never more arguments or values of options than words of the command line.
    const size_t size = (size_t)argc * sizeof(t.arguments[0]);
    const size_t repeated = (size_t)argc * sizeof(t.repeated[0]);
    t.arguments = hoist_alloc(alloc, size);
    t.repeated = hoist_alloc(alloc, repeated);
    tool_exit code = TOOL_LIMIT;
    if (t.arguments && t.repeated) {
        code = tool_parse(&t, argc, argv);
        bool is_known = false;
        // After a wrong command line, too: complaints are wrapped and colored like the rest.
        t.width = text_width(&is_known);
        t.row_width = is_known ? t.width : 0;
        t.color = wants_color(&t);
        if (code == TOOL_OK && tool_expand_ranks(&t) != HOIST_OK) {
            tool_complain(&t, "memory ran out while reading the command line");
            code = TOOL_LIMIT;
        }
        code = code == TOOL_OK ? run(&t) : code;
        tool_expand_end(&t);
    } else {
        tool_complain(&t, "memory ran out while reading the command line");
    }
    hoist_free(alloc, t.arguments, size);
    hoist_free(alloc, t.repeated, repeated);
    // Output is flushed before the pager's pipe is closed, and signals are given back last:
    // until then SIGINT removes temporary files.
    code = finish_output(&t, code);
    tool_watch_time(NULL, -1);
    tool_pager_end();
    tool_signals_end();
    return (int)code;
}
