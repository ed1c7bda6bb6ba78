// hoist unpack: the members of a container as files, or a list of them. A text list is written row
// by row, as a container may have a million members: one pass measures the columns, a second one
// writes.
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "os/folder_output.h"
#include "report/plain.h"
#include "report/table.h"
#include "report/value.h"
#include "tool.h"

// What takes the parts: a folder, a list, or both.
typedef struct unpack {
    tool *t;
    tool_input input;
    const char *path; // of the folder; NULL: nothing is written
    hoist_folder_output folder;
    hoist_tree_sink *list; // of a document; NULL: nothing is listed there
    hoist_table_flow rows; // of a text, where they all fit
    bool measured;         // there are some
    bool flows;            // they are written
    hoist_buffer cells;    // of a row
    hoist_buffer line;
    uint64_t files;
    uint64_t bytes;
} unpack;

enum { NAME, SIZE, COLUMNS, INDENT = 2 };

// The row of a part, in `u->cells`.
// Both cells are in one buffer, which the next row overwrites.
static void fill_cells(unpack *u, const hoist_part *part, hoist_str cells[COLUMNS])
{
    const hoist_value size = {
        .event = {.kind = HOIST_TREE_UINT, .uinteger = part->bytes.size, .unit = HOIST_UNIT_BYTES}};
    u->cells.size = 0;
    hoist_plain_write(&u->cells, part->path);
    const size_t name = u->cells.size;
    hoist_value_write(&u->cells, &size, false);
    const hoist_str both = hoist_buffer_text(&u->cells);
    cells[NAME] = hoist_str_slice(both, 0, name);
    cells[SIZE] = hoist_str_slice(both, name, both.size);
}

// The first pass, for widths of columns only.
static hoist_status measure_part(void *self, const hoist_part *part)
{
    unpack *const u = self;
    hoist_str cells[COLUMNS];
    fill_cells(u, part, cells);
    hoist_table_flow_measure(&u->rows, cells);
    u->measured = true;
    return u->cells.failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static void write_line(unpack *u, const hoist_str *cells)
{
    u->line.size = 0;
    hoist_table_flow_row(&u->rows, cells, INDENT, u->t->color, &u->line);
    hoist_output_str(u->t->out, hoist_buffer_text(&u->line));
}

// The only pass that writes files; the list, if any, is made by the same one.
static hoist_status take_part(void *self, const hoist_part *part)
{
    unpack *const u = self;
    u->files++;
    u->bytes += part->bytes.size;
    if (u->list) {
        hoist_tree_map(u->list, "");
        hoist_tree_str(u->list, "name", part->path);
        hoist_tree_uint(u->list, "size_bytes", part->bytes.size, HOIST_UNIT_BYTES);
        hoist_tree_end(u->list);
    }
    if (u->flows) {
        hoist_str cells[COLUMNS];
        fill_cells(u, part, cells);
        write_line(u, cells);
        if (u->cells.failed || u->line.failed) {
            return HOIST_NO_MEMORY;
        }
    }
    if (!u->path) {
        return HOIST_OK;
    }
    // Begun with the first part: a file that is no container leaves no empty folder.
    if (!hoist_folder_output_begun(&u->folder)) {
        // Findings of writing name the folder.
        hoist_diag_source(u->input.diag, hoist_str_from(u->path), HOIST_STR(""));
        HOIST_TRY(hoist_folder_output_begin(&u->folder, u->path, tool_given(u->t, OPT_FORCE),
                                            u->t->temporaries, u->input.diag));
    }
    const hoist_folder_write_options options = {.executable = part->executable};
    // A container must not unpack a member over itself: "model.neff" may have one of that name.
    HOIST_TRY(tool_spares_inputs_in(u->t, u->path, part->path));
    return hoist_folder_output_write(&u->folder, part->path, part->bytes, &options, u->input.diag);
}

// `diag` NULL for the pass that measures: findings would be there twice.
static hoist_status send_parts_to(unpack *u, hoist_diag *diag,
                                  hoist_status (*take)(void *self, const hoist_part *part))
{
    const hoist_unpack_options options = {.struct_size = sizeof(options), .members_only = !u->path};
    hoist_part_sink sink = {u, take};
    return hoist_job_unpack(u->input.job, &options, diag, &sink);
}

static hoist_status send_parts(unpack *u)
{
    const hoist_status status = send_parts_to(u, u->input.diag, take_part);
    // Members move to their names here; before, the folder has them under temporary ones.
    return status == HOIST_OK && hoist_folder_output_begun(&u->folder)
               ? hoist_folder_output_finish(&u->folder, u->input.diag)
               : status;
}

// "right", "wrong", "unknown" or, when not asked for, NULL.
// TOOL_NO does not keep the members from being unpacked: a file with a wrong hash is to be
// looked at.
static tool_exit verify(unpack *u, const char **out_verdict)
{
    bool right = false;
    *out_verdict = NULL;
    if (!tool_given(u->t, OPT_VERIFY)) {
        return TOOL_OK;
    }
    u->t->doing = "verifying";
    const hoist_status status = hoist_job_verify(u->input.job, u->input.diag, &right);
    if (status == HOIST_UNSUPPORTED && hoist_diag_count(u->input.diag, HOIST_ERROR)) {
        return tool_report(u->t, status, &u->input); // it is no container
    }
    *out_verdict = status == HOIST_UNSUPPORTED ? "unknown" : right ? "right" : "wrong";
    if (status == HOIST_OK || status == HOIST_UNSUPPORTED) {
        return right ? TOOL_OK : TOOL_NO;
    }
    return tool_report(u->t, status, &u->input);
}

// What is said of the file, before its members and behind them.
static void send_head(unpack *u, const char *verdict, hoist_tree_sink *sink)
{
    tool_send_file(&u->input, sink);
    if (verdict) {
        hoist_tree_c(sink, "hash", verdict);
    }
    if (u->path) {
        hoist_tree_c(sink, "folder", u->path);
    }
}

static void send_tail(unpack *u, hoist_tree_sink *sink)
{
    hoist_tree_uint(sink, "files", u->files, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "bytes", u->bytes, HOIST_UNIT_BYTES);
}

// With the members when `list`, which are unpacked meanwhile.
// JSON, and text whose rows would not fit on a line: then each member is a block of lines.
static tool_exit write_document(unpack *u, const char *verdict, bool list)
{
    hoist_document doc;
    hoist_status status = HOIST_OK;
    tool_document(u->t, &doc, false);
    send_head(u, verdict, &doc.sink);
    if (list) {
        hoist_tree_list(&doc.sink, "members");
        u->list = &doc.sink;
        status = send_parts(u);
        hoist_tree_end(&doc.sink);
    }
    send_tail(u, &doc.sink);
    const tool_exit code = tool_report(u->t, status, &u->input);
    if (status == HOIST_UNSUPPORTED) {
        return tool_worse(code, tool_exit_of(hoist_document_abandon(&doc))); // it is no container
    }
    return tool_worse(code, tool_document_end(&doc));
}

// The same text, without keeping its rows: there may be a million.
// Three pieces of one text: a document for the head, rows, a document for the tail.
static tool_exit write_rows(unpack *u, const char *verdict)
{
    hoist_document doc;
    tool_document(u->t, &doc, false);
    send_head(u, verdict, &doc.sink);
    const tool_exit head = tool_document_end(&doc);
    hoist_buffer_c(&u->line, "\n");
    hoist_plain_styled(&u->line, u->t->color, HOIST_STYLE_BOLD, HOIST_STR("members"));
    hoist_buffer_c(&u->line, "\n");
    hoist_output_str(u->t->out, hoist_buffer_text(&u->line));
    write_line(u, NULL);
    u->flows = true;
    const tool_exit code = tool_report(u->t, send_parts(u), &u->input);
    hoist_output_c(u->t->out, "\n");
    tool_document(u->t, &doc, false);
    send_tail(u, &doc.sink);
    return tool_worse(tool_worse(head, code), tool_document_end(&doc));
}

// Says whether there are members, all of which can be listed in rows that are not broken. What they
// cannot is told when they are sent again, unless memory has run out already.
static tool_exit can_flow(unpack *u, bool *out_flows)
{
    static const hoist_table_column columns[COLUMNS] = {
        [NAME] = {{"name", 4}, false}, [SIZE] = {{"size", 4}, true}};
    u->rows = (hoist_table_flow){.columns = columns, .column_count = COLUMNS};
    hoist_table_flow_measure(&u->rows, NULL);
    const hoist_status status = send_parts_to(u, NULL, measure_part);
    *out_flows = status == HOIST_OK && u->measured &&
                 (!u->t->width || INDENT + hoist_table_flow_width(&u->rows) <= u->t->width);
    return status == HOIST_NO_MEMORY ? tool_exit_of(status) : TOOL_OK;
}

static tool_exit run_unpack(unpack *u)
{
    const char *verdict = NULL;
    const bool json = tool_given(u->t, OPT_JSON);
    const bool list = tool_given(u->t, OPT_LIST) || json;
    const tool_exit verified = verify(u, &verdict);
    if (verified != TOOL_OK && verified != TOOL_NO) {
        return verified;
    }
    u->t->doing = "unpacking";
    bool flows = false;
    tool_exit code = !list  ? tool_report(u->t, send_parts(u), &u->input)
                     : json ? TOOL_OK
                            : can_flow(u, &flows);
    if (code == TOOL_OK) {
        code = flows ? write_rows(u, verdict) : write_document(u, verdict, list);
    }
    return tool_worse(verified, code);
}

// FILE's name without its folder and its ending; standard input has none.
// "models/a.neff" goes to "a" in the current folder, as unzip and tar leave it to the user.
// `room` holds the name, which `u->path` borrows.
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
    unpack u = {.t = t};
    hoist_buffer room;
    hoist_folder_output_init(&u.folder, t->alloc);
    hoist_buffer_init(&room, t->alloc);
    hoist_buffer_init(&u.cells, t->alloc);
    hoist_buffer_init(&u.line, t->alloc);
    tool_exit code = choose_folder(&u, &room);
    if (code == TOOL_OK) {
        code = tool_open_file(t, t->arguments[0], &u.input);
        code = code == TOOL_OK ? run_unpack(&u) : code;
        // What was skipped or does not fit is for people to know, whatever the result.
        // Without either option warnings about the archive are what `hoist check` is for.
        const bool asked = tool_given(t, OPT_LENIENT) || tool_given(t, OPT_VERIFY);
        code = asked && u.input.diag && !tool_warn(t, &u.input, false) ? TOOL_LIMIT : code;
        tool_close(t, &u.input, code);
    }
    hoist_folder_output_drop(&u.folder);
    hoist_buffer_deinit(&u.line);
    hoist_buffer_deinit(&u.cells);
    hoist_buffer_deinit(&room);
    return code;
}
