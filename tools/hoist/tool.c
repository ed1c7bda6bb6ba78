// Functions that commands share: complaints on standard error, exit codes, text and documents on
// standard output. Opening files is open.c, writing them save.c.
#include "tool.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "os/term.h"
#include "report/plain.h"

size_t tool_summary_lines(const tool *t)
{
    enum { LINES = 60 };
    return tool_takes(t->command, OPT_ALL) && !tool_given(t, OPT_ALL) ? LINES : 0;
}

// Values of all repeatable options are in one list, in the order of the command line.
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
    // The finished sentence is escaped as a whole: names of files and objects in it are any
    // bytes.
    hoist_plain_write(&plain, hoist_buffer_text(&raw));
    hoist_output_c(t->err, "hoist: ");
    hoist_output_str(t->err, hoist_buffer_text(&plain));
    hoist_output_c(t->err, "\n");
    hoist_buffer_deinit(&plain);
    hoist_buffer_deinit(&raw);
    va_end(args);
}

// No default: a new status is a compiler warning here. HOIST_BUSY is a name that is taken.
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

// The list of design and help, worst first; TOOL_OK is what is left.
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

// An incomplete text is printed as far as it goes, and the code says that it ends early.
tool_exit tool_print(tool *t, hoist_buffer *text)
{
    hoist_output_str(t->out, hoist_buffer_text(text));
    const tool_exit code = text->failed ? TOOL_LIMIT : TOOL_OK;
    hoist_buffer_deinit(text);
    return code;
}

// Whether a terminal shows all of `bytes` as they are.
// Newline and tabulator are the only control characters of ordinary text. A size of 0 is what
// hoist_utf8_shown_size() gives for bytes that are escaped.
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

// A member of a container may hold terminal escape sequences.
hoist_status tool_put(tool *t, hoist_bytes bytes)
{
    if (t->is_terminal && !is_harmless(bytes)) {
        tool_complain(t, "the output is a terminal, which would obey some of these bytes: expected "
                         "a pipe or the name of a file");
        return HOIST_IO;
    }
    hoist_output_add(t->out, bytes);
    return HOIST_OK;
}

// .lines and .rest: a text that is longer ends with how many items are left out, and "--all".
void tool_document(tool *t, hoist_document *doc, bool positions)
{
    const hoist_document_style style = {.json = tool_given(t, OPT_JSON),
                                        .positions = positions,
                                        .width = t->width,
                                        .color = t->color,
                                        .lines = tool_summary_lines(t),
                                        .rest = "--all"};
    hoist_document_open(doc, t->alloc, t->out, &style);
    hoist_document_head(doc, t->command->name);
}

void tool_send_file(const tool_input *input, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "file", input->path);
    hoist_tree_c(sink, "format", hoist_job_format(input->job));
}

tool_exit tool_document_end(hoist_document *doc)
{
    hoist_tree_end(&doc->sink);
    return tool_exit_of(hoist_document_close(doc));
}
