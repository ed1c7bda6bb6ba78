// hoist unpack: the members of a container as files, or a list of them.
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "os/folder.h"
#include "tool.h"

// What takes the parts: a folder, a list, or both.
typedef struct unpack {
    tool *t;
    tool_input input;
    const char *path;      // of the folder; NULL: nothing is written
    hoist_folder folder;   // fd -1: not open
    hoist_tree_sink *list; // NULL: nothing is listed
    uint64_t files;
    uint64_t bytes;
} unpack;

static void list_part(hoist_tree_sink *sink, const hoist_part *part)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", part->path);
    hoist_tree_uint(sink, "size_bytes", part->bytes.size, HOIST_UNIT_BYTES);
    hoist_tree_end(sink);
}

// Opens the folder, and names it in what writing may report.
static hoist_status open_folder(unpack *u)
{
    hoist_diag_source(u->input.diag, hoist_str_from(u->path), HOIST_STR(""));
    return hoist_folder_create(&u->folder, u->path, u->input.diag);
}

static hoist_status take_part(void *self, const hoist_part *part)
{
    unpack *const u = self;
    u->files++;
    u->bytes += part->bytes.size;
    if (u->list) {
        list_part(u->list, part);
    }
    if (!u->path) {
        return HOIST_OK;
    }
    if (u->folder.fd < 0) {
        HOIST_TRY(open_folder(u));
    }
    const hoist_folder_write_options options = {.executable = part->executable,
                                                .replace = tool_given(u->t, OPT_FORCE)};
    return hoist_folder_write(&u->folder, part->path, part->bytes, &options, u->input.diag);
}

static hoist_status send_parts(unpack *u)
{
    const hoist_unpack_options options = {.struct_size = sizeof(options), .members_only = !u->path};
    hoist_part_sink sink = {u, take_part};
    return hoist_job_unpack(u->input.job, &options, u->input.diag, &sink);
}

// "right", "wrong", "unknown" or, when nobody asked, NULL.
static tool_exit verify(unpack *u, const char **out_verdict)
{
    bool right = false;
    *out_verdict = NULL;
    if (!tool_given(u->t, OPT_VERIFY)) {
        return TOOL_OK;
    }
    u->t->doing = "verifying";
    const hoist_status status = hoist_job_verify(u->input.job, u->input.diag, &right);
    *out_verdict = status == HOIST_UNSUPPORTED ? "unknown" : right ? "right" : "wrong";
    if (status == HOIST_OK || status == HOIST_UNSUPPORTED) {
        return right ? TOOL_OK : TOOL_NO;
    }
    return tool_judge(u->t, status, &u->input);
}

// What is said of the file: with its members when `list`, which are unpacked meanwhile.
static hoist_status send_report(unpack *u, const char *verdict, bool list, hoist_tree_sink *sink)
{
    hoist_status status = HOIST_OK;
    hoist_tree_c(sink, "file", u->input.path);
    hoist_tree_c(sink, "format", hoist_job_format(u->input.job));
    if (verdict) {
        hoist_tree_c(sink, "hash", verdict);
    }
    if (u->path) {
        hoist_tree_c(sink, "folder", u->path);
    }
    if (list) {
        hoist_tree_list(sink, "members");
        u->list = sink;
        status = send_parts(u);
        hoist_tree_end(sink);
    }
    hoist_tree_uint(sink, "files", u->files, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "bytes", u->bytes, HOIST_UNIT_BYTES);
    return status;
}

static tool_exit run_unpack(unpack *u)
{
    const char *verdict = NULL;
    const bool list = tool_given(u->t, OPT_LIST) || tool_given(u->t, OPT_JSON);
    const tool_exit verified = verify(u, &verdict);
    if (verified != TOOL_OK && verified != TOOL_NO) {
        return verified;
    }
    u->t->doing = "unpacking";
    tool_exit code = list ? TOOL_OK : tool_judge(u->t, send_parts(u), &u->input);
    if (code == TOOL_OK) {
        hoist_document doc;
        tool_document(u->t, &doc, false);
        code = tool_judge(u->t, send_report(u, verdict, list, &doc.sink), &u->input);
        code = tool_worse(code, tool_document_end(u->t, &doc));
    }
    return tool_worse(verified, code);
}

// FILE's name without its folder and its ending; standard input has none.
static tool_exit choose_folder(unpack *u, hoist_buffer *room)
{
    const char *const file = u->t->arguments[0];
    const char *const slash = strrchr(file, '/');
    const char *const name = slash ? slash + 1 : file;
    const char *const dot = strrchr(name, '.');
    if (tool_given(u->t, OPT_LIST)) {
        return TOOL_OK;
    }
    u->path = u->t->values[OPT_UNPACK_DIR];
    if (u->path) {
        return TOOL_OK;
    }
    if (!dot || dot == name) {
        tool_complain(u->t, "unpack needs a folder to write to: --output DIR");
        return TOOL_USAGE;
    }
    hoist_buffer_str(room, (hoist_str){name, (size_t)(dot - name)});
    hoist_buffer_char(room, '\0');
    u->path = (const char *)room->data;
    return room->failed ? TOOL_LIMIT : TOOL_OK;
}

tool_exit cmd_unpack(tool *t)
{
    unpack u = {.t = t, .folder = {-1}};
    hoist_buffer room;
    hoist_buffer_init(&room, t->alloc);
    tool_exit code = choose_folder(&u, &room);
    if (code == TOOL_OK) {
        const hoist_status status = tool_open(t, t->arguments[0], &u.input);
        code = u.input.diag ? tool_judge(t, status, &u.input) : TOOL_LIMIT;
        code = code == TOOL_OK ? run_unpack(&u) : code;
        // What was skipped or does not fit is for people to know, whatever came of it.
        const bool asked = tool_given(t, OPT_LENIENT) || tool_given(t, OPT_VERIFY);
        code = asked && u.input.diag && !tool_warn(t, &u.input) ? TOOL_LIMIT : code;
        tool_close(t, &u.input, code);
    }
    hoist_folder_close(&u.folder);
    hoist_buffer_deinit(&room);
    return code;
}
