// One run of the command: set up, parse, run, flush, exit code.
#include "tool.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/utf8.h"
#include "os/term.h"
#include "parse.h"
#include "report/plain.h"
#include "signals.h"

// Of every JSON document; raised when a key is removed or retyped.
static const unsigned SCHEMA_VERSION = 1;

enum { DEFAULT_WIDTH = 80, MIN_WIDTH = 40, MAX_WIDTH = 1000 };

// COLUMNS, else the terminal's own width, else 80; 0 (no wrapping) when COLUMNS says nothing and
// standard output is no terminal.
static size_t text_width(void)
{
    const char *columns = getenv("COLUMNS");
    size_t width = 0;
    if (columns && tool_parse_size(columns, &width)) {
        return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
    }
    if (!hoist_term_is_tty(STDOUT_FILENO)) {
        return DEFAULT_WIDTH;
    }
    width = hoist_term_width(STDOUT_FILENO);
    return width == 0 ? DEFAULT_WIDTH : width < MIN_WIDTH ? MIN_WIDTH : width;
}

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

const char *tool_next_value(const tool *t, tool_option_id id, size_t *at)
{
    while (*at < t->repeated_count) {
        const tool_value *value = &t->repeated[(*at)++];
        if (value->id == id) {
            return value->value;
        }
    }
    return NULL;
}

void tool_complain(tool *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_buffer raw;
    hoist_buffer plain;
    // The command's own memory may be what has run out.
    hoist_buffer_init(&raw, hoist_allocator_system());
    hoist_buffer_init(&plain, hoist_allocator_system());
    hoist_buffer_vformat(&raw, format, args);
    hoist_plain_write(&plain, hoist_buffer_text(&raw));
    hoist_output_c(t->err, "hoist: ");
    hoist_output_str(t->err, hoist_buffer_text(&plain));
    hoist_output_c(t->err, "\n");
    hoist_buffer_deinit(&plain);
    hoist_buffer_deinit(&raw);
    va_end(args);
}

tool_exit tool_exit_of(hoist_status status)
{
    switch (status) {
    case HOIST_OK:
        return TOOL_OK;
    case HOIST_INVALID:
    case HOIST_TRUNCATED:
    case HOIST_NOT_FOUND:
    case HOIST_IO:
    case HOIST_BUSY:
        return TOOL_UNREADABLE;
    case HOIST_UNSUPPORTED:
        return TOOL_UNSUPPORTED;
    case HOIST_LIMIT:
    case HOIST_NO_MEMORY:
        return TOOL_LIMIT;
    case HOIST_CANCELLED:
        return TOOL_INTERRUPTED;
    case HOIST_INTERNAL:
        return TOOL_INTERNAL;
    }
    return TOOL_INTERNAL;
}

tool_exit tool_worse(tool_exit a, tool_exit b)
{
    static const tool_exit ranks[] = {TOOL_INTERNAL,   TOOL_INTERRUPTED, TOOL_LIMIT,
                                      TOOL_UNREADABLE, TOOL_UNSUPPORTED, TOOL_USAGE,
                                      TOOL_NO};
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        if (a == ranks[i] || b == ranks[i]) {
            return ranks[i];
        }
    }
    return TOOL_OK;
}

tool_exit tool_print(tool *t, const hoist_buffer *text)
{
    hoist_output_str(t->out, hoist_buffer_text(text));
    return text->failed ? TOOL_LIMIT : TOOL_OK;
}

// Whether a terminal shows all of `bytes` as they are.
static bool is_harmless(hoist_bytes bytes)
{
    const hoist_str text = {(const char *)bytes.data, bytes.size};
    size_t i = 0;
    size_t size = 1;
    while (i < text.size && size) {
        const bool is_layout = text.data[i] == '\n' || text.data[i] == '\t';
        size = is_layout ? 1 : hoist_utf8_shown_size(text, i);
        i += size;
    }
    return size != 0;
}

hoist_status tool_put(tool *t, hoist_bytes bytes)
{
    if (hoist_term_is_tty(t->out->fd) && !is_harmless(bytes)) {
        tool_complain(t, "the output is a terminal, which would obey some of these bytes: expected "
                         "a pipe or the name of a file");
        return HOIST_IO;
    }
    hoist_output_add(t->out, bytes);
    return HOIST_OK;
}

void tool_document(tool *t, hoist_document *doc, bool positions)
{
    const hoist_document_style style = {.json = tool_given(t, OPT_JSON),
                                        .positions = positions,
                                        .width = t->width,
                                        .color = t->color};
    hoist_document_open(doc, t->alloc, t->out, &style);
    hoist_tree_map(&doc->sink, "");
    if (style.json) {
        char schema[64];
        (void)snprintf(schema, sizeof(schema), "hoist.%s/%u", t->command->name, SCHEMA_VERSION);
        hoist_tree_c(&doc->sink, "schema", schema);
        hoist_tree_c(&doc->sink, "generator", "hoist " HOIST_VERSION_TEXT);
    }
}

tool_exit tool_document_end(tool *t, hoist_document *doc)
{
    (void)t;
    hoist_tree_end(&doc->sink);
    return tool_exit_of(hoist_document_close(doc));
}

// Runs the command until its deadline.
static tool_exit run_in_time(tool *t)
{
    const double seconds = tool_number_of(t, OPT_TIMEOUT, -1);
    if (seconds >= 0 && hoist_deadline_create(t->alloc, seconds, &t->deadline) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    tool_watch_time(t, seconds);
    const tool_exit code = t->command->run(t);
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
        hoist_buffer text;
        hoist_buffer_init(&text, t->alloc);
        tool_help(t->command, t->width, &text);
        const tool_exit code = tool_print(t, &text);
        hoist_buffer_deinit(&text);
        return code;
    }
    t->budget =
        (hoist_budget){.parent = t->alloc, .limit = t->max_memory ? t->max_memory : SIZE_MAX};
    t->alloc = hoist_budget_allocator(&t->budget);
    const tool_exit code = note_inputs(t) ? run_in_time(t) : TOOL_LIMIT;
    t->alloc = t->budget.parent;
    hoist_free(t->alloc, t->inputs, t->input_capacity * sizeof(t->inputs[0]));
    if (code == TOOL_LIMIT && !t->limit_explained) {
        tool_complain(t, "memory ran out while writing what was asked for");
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
    // There is nobody to tell that standard error failed.
    (void)hoist_output_flush(t->err);
    return code;
}

int tool_main(int argc, char **argv, hoist_allocator alloc)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); // a file may not grow so far: writing says so
    tool_watch_signals();
    hoist_output out;
    hoist_output err;
    hoist_output_init(&out, STDOUT_FILENO);
    hoist_output_init(&err, STDERR_FILENO);
    hoist_temporaries temporaries = {0};
    tool t = {.alloc = alloc, .out = &out, .err = &err, .temporaries = &temporaries};
    tool_signals_begin(&temporaries);
    const size_t room = (size_t)argc * sizeof(t.arguments[0]);
    const size_t repeated = (size_t)argc * sizeof(t.repeated[0]);
    t.arguments = hoist_alloc(alloc, room);
    t.repeated = hoist_alloc(alloc, repeated);
    tool_exit code = TOOL_LIMIT;
    if (t.arguments && t.repeated) {
        code = tool_parse(&t, argc, argv);
        t.width = text_width();
        t.color = wants_color(&t);
        code = code == TOOL_OK ? run(&t) : code;
    } else {
        tool_complain(&t, "memory ran out while reading the command line");
    }
    hoist_free(alloc, t.arguments, room);
    hoist_free(alloc, t.repeated, repeated);
    tool_signals_end();
    code = finish_output(&t, code);
    tool_watch_time(NULL, -1);
    return (int)code;
}
