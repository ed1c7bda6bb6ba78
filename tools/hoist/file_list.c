// --files0-from: the files of a command from a list instead of the command line, a NUL after each
// name, as `find -print0` and `git ls-files -z` write them.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "tool.h"

// The limit keeps a list from /dev/zero from filling the memory.
enum { STANDARD_INPUT = 0, MOST_BYTES = 256 << 20 };

// Memory is that of the command, not of a file's budget: names are used until the end.
static hoist_status read_list(tool *t, const char *path, hoist_mut_bytes *out_text)
{
    const hoist_allocator alloc = t->budget.parent;
    hoist_diag *diag = NULL;
    HOIST_TRY(hoist_diag_create(alloc, NULL, &diag));
    const hoist_status status =
        strcmp(path, "-") == 0
            ? hoist_file_read_fd(STANDARD_INPUT, MOST_BYTES, alloc, diag, out_text)
            : hoist_file_read(path, MOST_BYTES, alloc, diag, out_text);
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_str message = hoist_diag_at(diag, i)->message;
        tool_complain(t, "--files0-from %s: %.*s", path, HOIST_STR_ARGS(message));
    }
    const bool is_complete = !hoist_diag_incomplete(diag);
    hoist_diag_destroy(diag);
    return is_complete ? status : HOIST_NO_MEMORY;
}

// Counts the names, each of which ends with a NUL. False: one is empty, or the last has no end.
// A missing NUL at the end is refused rather than mended: a list that was cut off would check
// fewer files than its maker meant. An empty name is none, as for `wc --files0-from`.
static bool count_names(tool *t, hoist_bytes text, size_t *out_count)
{
    size_t begin = 0;
    *out_count = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\0') {
            if (i == begin) {
                tool_complain(t, "--files0-from: name %zu is empty", *out_count + 1);
                return false;
            }
            (*out_count)++;
            begin = i + 1;
        }
    }
    if (begin != text.size) {
        tool_complain(t, "--files0-from: no NUL byte follows name %zu, expected one after each",
                      *out_count + 1);
    }
    return begin == text.size;
}

// `*out_list` remembers what the arguments were, whatever is returned.
tool_exit tool_open_file_list(tool *t, tool_file_list *out_list)
{
    const char *const path = t->values[OPT_FILES0_FROM];
    const hoist_allocator alloc = t->budget.parent;
    *out_list = (tool_file_list){.given = t->arguments, .given_count = t->argument_count};
    if (!path) {
        return TOOL_OK;
    }
    // Both at once would leave open in which order the files are.
    if (t->argument_count) {
        tool_complain(t, "--files0-from names the files, expected none on the command line");
        return TOOL_USAGE;
    }
    const hoist_status status = read_list(t, path, &out_list->text);
    const hoist_bytes text = {out_list->text.data, out_list->text.size};
    if (status != HOIST_OK) {
        return tool_exit_of(status);
    }
    if (!count_names(t, text, &out_list->count)) {
        return TOOL_USAGE;
    }
    out_list->names = hoist_alloc_zero(alloc, out_list->count + 1, sizeof(out_list->names[0]));
    if (!out_list->names) {
        return TOOL_LIMIT;
    }
    size_t at = 0;
    for (size_t i = 0; i < out_list->count; i++) {
        out_list->names[i] = (const char *)text.data + at;
        // A NUL ends each name: count_names() has seen to it.
        at += strlen(out_list->names[i]) + 1;
        if (!tool_reads(t, out_list->names[i])) {
            return TOOL_LIMIT;
        }
    }
    // The command finds the names where it would find those of the command line.
    t->arguments = out_list->names;
    t->argument_count = out_list->count;
    return TOOL_OK;
}

// The arguments of the command line are put back: entry.c frees them.
void tool_close_file_list(tool *t, tool_file_list *list)
{
    const hoist_allocator alloc = t->budget.parent;
    t->arguments = list->given;
    t->argument_count = list->given_count;
    hoist_free(alloc, list->names, list->names ? (list->count + 1) * sizeof(list->names[0]) : 0);
    hoist_free(alloc, list->text.data, list->text.size);
}
