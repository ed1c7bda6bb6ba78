// Writing a file that the user names: standard output, a new file or a replaced one, and never a
// file that the command reads (same device and inode).
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/span.h"
#include "tool.h"

// Regular files only: /dev/null and a terminal may be read and written at once.
static bool is_same(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// "-o /dev/stdout" with output redirected to a file must not replace that file: the shell may
// have opened it for appending, and others write to it, too.
bool tool_is_stdout(const char *path)
{
    struct stat there;
    struct stat standard;
    return strcmp(path, "-") == 0 ||
           (stat(path, &there) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
            is_same(&there, &standard));
}

bool tool_reads(tool *t, const char *path)
{
    void *inputs = t->inputs;
    // Not of the budget, which is exchanged while files are open.
    if (!hoist_grow(t->budget.parent, &inputs, &t->input_capacity, t->input_count + 1,
                    sizeof(t->inputs[0]))) {
        return false;
    }
    t->inputs = inputs;
    t->inputs[t->input_count++] = path;
    return true;
}

// By device and inode, since links and "./" give one file many names. A file that is made
// between this look and the write is replaced like any other: the check is against mistakes,
// not against an attacker.
bool tool_spares_inputs(tool *t, const char *path)
{
    struct stat there;
    struct stat input;
    const bool is_there = !tool_is_stdout(path) && stat(path, &there) == 0;
    for (size_t i = 0; is_there && i < t->input_count; i++) {
        const char *const read = t->inputs[i];
        if (strcmp(read, "-") != 0 && stat(read, &input) == 0 && is_same(&there, &input)) {
            tool_complain(t, "the output '%s' is a file that is read: expected another name", path);
            return false;
        }
    }
    return true;
}

// HOIST_BUSY: complained about.
hoist_status tool_spares_inputs_in(tool *t, const char *folder, hoist_str name)
{
    hoist_buffer path;
    hoist_buffer_init(&path, t->alloc);
    hoist_buffer_format(&path, "%s/", folder);
    hoist_buffer_str(&path, name);
    hoist_buffer_char(&path, '\0');
    const hoist_status status = path.failed                                      ? HOIST_NO_MEMORY
                                : tool_spares_inputs(t, (const char *)path.data) ? HOIST_OK
                                                                                 : HOIST_BUSY;
    hoist_buffer_deinit(&path);
    return status;
}

// Pipes and devices are written to as they are; there is nothing to lose.
bool tool_may_replace(tool *t, const char *path)
{
    struct stat about;
    if (!tool_given(t, OPT_FORCE) && stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
        tool_complain(t, "%s: is there already; --force replaces it", path);
        return false;
    }
    return true;
}

// The complete bytes are there, so an output that fails leaves the old file in place.
hoist_status tool_save(tool *t, hoist_diag *diag, const char *path, hoist_bytes bytes)
{
    if (tool_is_stdout(path)) {
        return tool_put(t, bytes);
    }
    hoist_output file;
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    HOIST_TRY(hoist_output_create(&file, path, t->temporaries, diag));
    hoist_output_add(&file, bytes);
    return hoist_output_close(&file, diag);
}

tool_exit tool_save_made(tool *t, const tool_input *input, const char *path, hoist_status status,
                         hoist_mut_bytes made, tool_exit not_found)
{
    // Noted before tool_save(), which may give the same status for another reason.
    const bool is_missing = status == HOIST_NOT_FOUND; // a folder of `path` may be, too
    if (status == HOIST_OK) {
        t->doing = "writing";
        status = tool_save(t, input->diag, path, (hoist_bytes){made.data, made.size});
    }
    const tool_exit code = tool_report(t, status, input);
    if (made.data) {
        hoist_job_free_text(input->job, made);
    }
    return is_missing && code == TOOL_UNREADABLE ? not_found : code;
}
