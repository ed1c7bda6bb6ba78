// hoist dump: the complete content of a file in its own text, as JSON with locations, as the text
// of its program, or the bytes of one member. --output writes to a temporary file first
// (os/output.h).
#include <string.h>

#include "base/diag.h"
#include "base/name_list.h"
#include "base/span.h"
#include "tool.h"

static tool_exit dump_json(tool *t, const tool_input *input)
{
    hoist_document doc;
    tool_document(t, &doc, true);
    tool_send_file(input, &doc.sink);
    const hoist_status status = hoist_job_dump(input->job, "module", true, &doc.sink);
    return tool_worse(tool_exit_of(status), tool_document_end(t, &doc));
}

static hoist_status take_text(void *self, hoist_str piece)
{
    hoist_output_str(self, piece);
    return HOIST_OK;
}

static tool_exit dump_text(tool *t, const tool_input *input)
{
    const hoist_piece_sink sink = {t->out, take_text};
    return tool_exit_of(hoist_job_text(input->job, &sink));
}

// Looks for one member among all.
typedef struct member_search {
    tool *t;
    const char *name;
    bool found;
    hoist_name_list there;
} member_search;

static hoist_status take_part(void *self, const hoist_part *part)
{
    member_search *const search = self;
    if (!search->found && hoist_str_equal_c(part->path, search->name)) {
        search->found = true;
        HOIST_TRY(tool_put(search->t, part->bytes));
    }
    hoist_name_list_add(&search->there, part->path);
    return HOIST_OK;
}

// The bytes of the member that --member names.
static tool_exit dump_member(tool *t, const tool_input *input)
{
    member_search search = {.t = t, .name = t->values[OPT_MEMBER]};
    hoist_name_list_init(&search.there, hoist_allocator_system());
    hoist_part_sink sink = {&search, take_part};
    const hoist_unpack_options options = {.struct_size = sizeof(options), .members_only = true};
    const hoist_status status = hoist_job_unpack(input->job, &options, input->diag, &sink);
    tool_exit code = tool_report(t, status, input);
    if (code == TOOL_OK && !search.found) {
        tool_complain(t, "%s has no member '%s'; there are: %s", input->path, search.name,
                      hoist_name_list_text(&search.there));
        code = TOOL_USAGE;
    }
    hoist_name_list_deinit(&search.there);
    return code;
}

// The file in the dialect that --dialect names.
static tool_exit dump_dialect(tool *t, const tool_input *input)
{
    hoist_mut_bytes text;
    const hoist_status status =
        hoist_job_convert(input->job, t->values[OPT_DIALECT], input->diag, &text);
    if (status != HOIST_OK) {
        return tool_report(t, status, input);
    }
    hoist_output_add(t->out, (hoist_bytes){text.data, text.size});
    hoist_job_free_text(input->job, text);
    return TOOL_OK;
}

// `program` is NULL without --program.
static tool_exit dump(tool *t, const tool_input *input, const hoist_program *program)
{
    if (program) {
        // The text of the program that the file was lowered to.
        hoist_mut_bytes text;
        const hoist_status status = hoist_program_write(program, &text);
        if (status == HOIST_OK) {
            hoist_output_add(t->out, (hoist_bytes){text.data, text.size});
            hoist_program_free_text(program, text);
        }
        return tool_exit_of(status);
    }
    if (tool_given(t, OPT_MEMBER)) {
        return dump_member(t, input);
    }
    if (tool_given(t, OPT_DIALECT)) {
        return dump_dialect(t, input);
    }
    return tool_given(t, OPT_JSON) ? dump_json(t, input) : dump_text(t, input);
}

// Dumps to the file of --output.
static tool_exit dump_to_file(tool *t, tool_input *input, const hoist_program *program,
                              const char *path)
{
    hoist_output file;
    hoist_output *const standard = t->out;
    hoist_diag_source(input->diag, hoist_str_from(path), HOIST_STR(""));
    const hoist_status created = hoist_output_create(&file, path, t->temporaries, input->diag);
    if (created != HOIST_OK) {
        return tool_report(t, created, input);
    }
    t->out = &file;
    const tool_exit code = dump(t, input, program);
    t->out = standard;
    if (code != TOOL_OK) {
        hoist_output_drop(&file);
        return code;
    }
    return tool_report(t, hoist_output_close(&file, input->diag), input);
}

// Dumps the first of the files that were opened; with --program the program of all.
static tool_exit dump_opened(tool *t, tool_input *input, tool_exit code)
{
    const char *path = t->values[OPT_OUTPUT];
    hoist_program *program = NULL;
    if (code == TOOL_OK && tool_given(t, OPT_AS_PROGRAM)) {
        code = tool_lower(t, input, &program);
    }
    const bool shown = tool_given(t, OPT_AS_PROGRAM) ? program != NULL : tool_can_show(input, code);
    t->doing = shown ? "writing" : t->doing;
    if (shown && path && !tool_is_stdout(path)) {
        code = tool_worse(code, dump_to_file(t, input, program, path));
    } else if (shown) {
        code = tool_worse(code, dump(t, input, program));
    }
    hoist_program_destroy(program);
    return code;
}

static bool fits(tool *t)
{
    if (tool_given(t, OPT_AS_PROGRAM) && tool_given(t, OPT_JSON)) {
        tool_complain(t, "dump --program writes text, not JSON");
        return false;
    }
    if (tool_given(t, OPT_MEMBER) && (tool_given(t, OPT_AS_PROGRAM) || tool_given(t, OPT_JSON))) {
        tool_complain(t, "dump --member writes bytes: neither a program nor JSON");
        return false;
    }
    if (tool_given(t, OPT_DIALECT) &&
        (tool_given(t, OPT_AS_PROGRAM) || tool_given(t, OPT_JSON) || tool_given(t, OPT_MEMBER))) {
        tool_complain(t, "dump --dialect writes a model: neither a program nor JSON nor a member");
        return false;
    }
    if (t->argument_count > 1 && !tool_given(t, OPT_AS_PROGRAM)) {
        tool_complain(t, "dump takes one file, or with --program the files of one job");
        return false;
    }
    return !t->values[OPT_OUTPUT] || tool_spares_inputs(t, t->values[OPT_OUTPUT]);
}

tool_exit cmd_dump(tool *t)
{
    if (!fits(t)) {
        return TOOL_USAGE;
    }
    tool_exit code = tool_check_ranks(t);
    if (code != TOOL_OK) {
        return code;
    }
    tool_input *files = NULL;
    code = tool_open_job(t, &files);
    code = files ? dump_opened(t, &files[0], code) : code;
    tool_close_job(t, files, code);
    return code;
}
