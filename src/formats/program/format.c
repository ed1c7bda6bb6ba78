// The row of the format: recognising, reading, verifying, sending and writing program texts. In:
// bytes of a file. Out: a program_module, findings at lines and columns. The text is read and
// written by program/text.h, and verified by program/verify.h; info.c and picture.c summarize it.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/program/module.h"
#include "program/text.h"
#include "program/verify.h"

#define KEYWORD "program"

// The blanks of the text form; a carriage return is one, so that files of other systems are read.
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// The next line that has more than blanks and a comment, from its first word on; false when
// `*rest` has none.
static bool next_statement(hoist_str *rest, hoist_str *out_line)
{
    while (rest->size) {
        const char *const newline = memchr(rest->data, '\n', rest->size);
        const size_t end = newline ? (size_t)(newline - rest->data) : rest->size;
        hoist_str line = hoist_str_slice(*rest, 0, end);
        const size_t next = newline ? end + 1 : end;
        *rest = hoist_str_slice(*rest, next, rest->size - next);
        while (line.size && is_blank(line.data[0])) {
            line = hoist_str_slice(line, 1, line.size - 1);
        }
        if (line.size && line.data[0] != '#') {
            *out_line = line;
            return true;
        }
    }
    return false;
}

// "program NAME", whose name may be in quotes, and no more than a comment behind it. A YAML file
// with a key `program:` is no program text, hence the test for a colon.
static bool is_title(hoist_str line)
{
    size_t at = sizeof(KEYWORD) - 1;
    if (!hoist_str_starts_with(line, KEYWORD) || at == line.size || !is_blank(line.data[at])) {
        return false;
    }
    while (at < line.size && is_blank(line.data[at])) {
        at++;
    }
    const size_t name = at;
    // A name with blanks is in quotes: program "my net".
    const bool quoted = at < line.size && line.data[at] == '"';
    at += quoted;
    while (at < line.size && (quoted ? line.data[at] != '"' : !is_blank(line.data[at]))) {
        at += quoted && line.data[at] == '\\' ? 2 : 1; // an escaped character inside the quotes
    }
    const bool named = at > name + quoted && line.data[name] != '#' && line.data[name] != ':';
    at += quoted;
    while (at < line.size && is_blank(line.data[at])) {
        at++;
    }
    return named && (at >= line.size || line.data[at] == '#');
}

// There is no magic number: a program text begins with its title, after comments.
// Bids as in formats/format.h: a title is as good as sure, a name alone is a guess.
static int sniff(hoist_bytes head, hoist_str file_name)
{
    hoist_str rest = {(const char *)head.data, head.size};
    hoist_str line;
    const int by_name = hoist_str_ends_with(file_name, ".hoist") ? 10 : 0;
    return next_statement(&rest, &line) && is_title(line) ? 90 : by_name;
}

// NULL is allowed, and a module whose program was never read.
static void destroy(hoist_module *module)
{
    if (module) {
        program_module *m = (program_module *)module; // the base is its first member
        hoist_program_destroy(m->program);
        hoist_free(module->alloc, m, sizeof(*m));
    }
}

// The program is parsed without being verified: `check` and `info` are for programs with faults,
// too.
static hoist_status read_text(hoist_bytes bytes, const hoist_read_options *options,
                              hoist_diag *diag, hoist_module **out_module)
{
    *out_module = NULL;
    if (!options->keep) {      // the caller has to keep the bytes
        return HOIST_INTERNAL; // lowering reads the bytes again
    }
    program_module *m = hoist_alloc_zero(options->alloc, 1, sizeof(*m));
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    const hoist_parse_options parse = {.alloc = options->alloc, .deadline = options->deadline};
    m->base = (hoist_module){&hoist_program_format, options->alloc, options->deadline};
    m->text = bytes;
    const hoist_status status = hoist_program_parse_with(bytes, &parse, diag, &m->program);
    if (status != HOIST_OK) { // the parser has reported why
        destroy(&m->base);
        return status;
    }
    *out_module = &m->base;
    return HOIST_OK;
}

// Rules PRG-...; races and deadlock are the command's (`check --races`).
static hoist_status check(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag)
{
    (void)options; // nothing in them is about programs
    return hoist_program_verify(program_of(module)->program, diag);
}

// The document is that of program/send.c, the same as for programs of other formats.
static hoist_status visit(const hoist_module *module, const hoist_dump_options *options,
                          hoist_tree_sink *sink)
{
    hoist_tree_map(sink, options->key ? options->key : "");
    const hoist_status status =
        hoist_program_send(program_of(module)->program, options->positions, sink);
    hoist_tree_end(sink);
    return status != HOIST_OK ? status : sink->status;
}

// Comments and spacing of the text are not kept: the printer's form is canonical.
static hoist_status write(const hoist_module *module, hoist_buffer *out)
{
    return hoist_program_print(program_of(module)->program, out);
}

// Those of programs are in every program's set (load/formats.c).
static const hoist_rule_set *const rule_sets[] = {NULL};

// Tables whose order says nothing; their rows are known by name. Tables whose rows refer to each
// other by order (layouts, views, steps) are compared by position.
static const hoist_diff_rule diff_rules[] = {
    {"spaces", "name"},    {"buffers", "name"},
    {"ports", "name"},     {"fifos", "name"},
    {"units", "name"},     {"semaphores", "name"},
    {"functions", "name"}, {"functions/*/registers", "name"},
    {"threads", "name"},   {"threads/*/registers", "name"},
    {NULL, NULL},
};

const hoist_format hoist_program_format = {
    .name = "program",
    .title = "hoist program text",
    .rule_sets = rule_sets,
    .keeps_bytes = true,
    .memory = {.base = (size_t)16 << 20, .factor = 64}, // bytes of memory, and per byte of text
    .sniff = sniff,
    .read = read_text,
    .destroy = destroy,
    .check = check,
    .visit = visit,
    .info = program_info,
    .picture = program_picture,
    .write = write,
    .diff_rules = diff_rules,
};
