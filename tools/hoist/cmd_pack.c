// hoist pack: a container from the files of a folder, the opposite of cmd_unpack.c. With
// --parameters the argument is a model, and pack_parameters.c has the work.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/span.h"
#include "os/folder.h"
#include "pack_parameters.h"
#include "parse.h"
#include "tool.h"

// A folder of the command line and what is made of it.
typedef struct pack {
    tool *t;
    tool_input input; // the folder's name and its findings; there is no job
    hoist_folder folder;
    hoist_folder_files files; // owned; mapped until the file is written
    hoist_part *parts;        // owned
    hoist_mut_bytes packed;
} pack;

// False: a variable of the environment is malformed, which has been complained about.
static bool read_options(tool *t, hoist_pack_options *options)
{
    *options = (hoist_pack_options){.struct_size = sizeof(*options),
                                    .deadline = t->deadline,
                                    .alloc = t->alloc,
                                    .format = t->values[OPT_FORMAT],
                                    .pkg_version = (uint32_t)tool_count_of(t, OPT_PKG_VERSION, 0),
                                    .has_level = tool_given(t, OPT_LEVEL),
                                    .level = (int)tool_count_of(t, OPT_LEVEL, 0),
                                    .redact = tool_given(t, OPT_REDACT),
                                    .hints = (hoist_pack_hints)tool_word_of(t, OPT_HINTS)};
    // SOURCE_DATE_EPOCH, as https://reproducible-builds.org has it.
    const char *const text = getenv("SOURCE_DATE_EPOCH");
    if (!text || !*text) {
        return true;
    }
    options->has_time = true;
    if (hoist_str_to_i64(hoist_str_from(text), false, &options->time) && options->time >= 0) {
        return true;
    }
    tool_complain(t, "SOURCE_DATE_EPOCH takes seconds since 1970, not '%s'", text);
    return false;
}

static hoist_status pack_folder(pack *p, const hoist_pack_options *options)
{
    const char *const path = p->t->values[OPT_PACK_FILE];
    p->t->doing = "reading";
    HOIST_TRY(hoist_folder_open(&p->folder, p->input.path, p->input.diag));
    HOIST_TRY(hoist_folder_read(&p->folder, 0, p->t->alloc, p->input.diag, &p->files));
    // The parts borrow from the mapped files; nothing is copied before packing.
    p->parts = hoist_alloc_zero(p->t->alloc, p->files.count + 1, sizeof(p->parts[0]));
    for (size_t i = 0; p->parts && i < p->files.count; i++) {
        const hoist_folder_file *const file = &p->files.items[i];
        p->parts[i] = (hoist_part){
            .path = file->path, .bytes = file->view.bytes, .executable = file->executable};
    }
    if (!p->parts) {
        return HOIST_NO_MEMORY;
    }
    p->t->doing = "packing";
    HOIST_TRY(hoist_pack(p->parts, p->files.count, options, p->input.diag, &p->packed));
    p->t->doing = "writing";
    return tool_save(p->t, p->input.diag, path, (hoist_bytes){p->packed.data, p->packed.size});
}

// Warnings are printed before the errors: a folder may have both.
static tool_exit run_pack(pack *p, const hoist_pack_options *options)
{
    const hoist_diag_options diag_options = {.struct_size = sizeof(diag_options)};
    if (hoist_diag_create(p->t->alloc, &diag_options, &p->input.diag) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    hoist_diag_source(p->input.diag, hoist_str_from(p->input.path), HOIST_STR(""));
    tool_watch_file(p->input.path);
    const hoist_status status = pack_folder(p, options);
    return tool_warn(p->t, &p->input, false) ? tool_report(p->t, status, &p->input) : TOOL_LIMIT;
}

// True when `path` is a file below `folder`, or would be, links followed. Where that cannot be said
// reading or writing will say why.
// Otherwise a second `hoist pack` would find the first one's output among the files to pack.
// Paths are compared after realpath(), so that neither links nor "..", nor a trailing slash
// hide it; of a file that does not exist yet the folder is resolved.
static bool is_below(const char *path, const char *folder)
{
    char outer[PATH_MAX];
    char inner[PATH_MAX];
    char parent[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    // The folder of `path`: "/" itself, what is before the last slash, or nothing for a name
    // alone.
    const int used = slash == path ? 1 : slash ? (int)(slash - path) : 0;
    const int size = snprintf(parent, sizeof(parent), "%.*s", used, path);
    if (size < 0 || (size_t)size >= sizeof(parent) || !realpath(folder, outer) ||
        (!realpath(path, inner) && !realpath(size ? parent : ".", inner))) {
        return false;
    }
    const size_t whole = strlen(outer);
    return strncmp(inner, outer, whole) == 0 &&
           // "/a/bc" begins with "/a/b" but is not below it. "/" ends with the slash.
           (inner[whole] == '\0' || inner[whole] == '/' || outer[whole - 1] == '/');
}

// What --output says, and that it is not a part of what is packed.
static bool check_output(tool *t)
{
    const char *const path = t->values[OPT_PACK_FILE];
    const char *const folder = t->arguments[0];
    if (!path) {
        tool_complain(t, "pack needs a file to write: --output FILE");
    } else if (!tool_is_stdout(path) && is_below(path, folder)) {
        tool_complain(t, "the output '%s' is inside '%s', which is packed: expected a path outside",
                      path, folder);
        return false;
    }
    return path != NULL;
}

// That nothing is asked of an exchange of parameters which only packing does, and that the model
// itself is not written.
static bool check_exchange(tool *t)
{
    static const tool_option_id others[] = {OPT_REDACT, OPT_LEVEL, OPT_PKG_VERSION, OPT_HINTS};
    for (size_t i = 0; i < HOIST_COUNT_OF(others); i++) {
        if (tool_given(t, others[i])) {
            tool_complain(t, "--%s is about packing a folder, which --parameters does not",
                          tool_options[others[i]].name);
            return false;
        }
    }
    return tool_spares_inputs(t, t->values[OPT_PACK_FILE]);
}

tool_exit cmd_pack(tool *t)
{
    pack p = {.t = t, .input = {.path = t->arguments[0]}, .folder = {-1}};
    hoist_pack_options options;
    // Without --output the message of check_output() is the right one for both.
    if (tool_given(t, OPT_PARAMETERS) && t->values[OPT_PACK_FILE]) {
        return check_exchange(t) ? pack_parameters(t) : TOOL_USAGE;
    }
    if (!check_output(t) || !read_options(t, &options)) {
        return TOOL_USAGE;
    }
    const tool_exit code = run_pack(&p, &options);
    hoist_pack_free(t->alloc, p.packed);
    hoist_free(t->alloc, p.parts, (p.files.count + 1) * sizeof(p.parts[0]));
    // Set when the folder was read: before, there is nothing to free.
    if (p.files.alloc.resize) {
        hoist_folder_files_free(&p.files);
    }
    hoist_folder_close(&p.folder);
    tool_close(t, &p.input, code);
    return code;
}
