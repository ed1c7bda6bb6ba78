// hoist dump: the complete content of a file in its own text, as JSON with locations, as the text
// of its program, the plan by which that is executed, or the bytes of one member. --output writes
// to a temporary file first (os/output.h).
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/name_list.h"
#include "base/span.h"
#include "base/tree.h"
#include "tool.h"

// With locations: each member has its place in the file, which is what makes a dump comparable
// with findings.
static tool_exit dump_json(tool *t, const tool_input *input)
{
    hoist_document doc;
    tool_document(t, &doc, true);
    tool_send_file(input, &doc.sink);
    const hoist_status status = hoist_job_dump(input->job, "module", true, &doc.sink);
    return tool_worse(tool_exit_of(status), tool_document_end(&doc));
}

// The text comes in pieces: a netlist of many megabytes is never in memory as a whole.
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

// The search goes on after the member was found, because unpacking has no way to stop early
// without a failure; the names are for the message.
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
// Members come with their bytes, all in one pass; the one that is asked for goes to the output.
static tool_exit dump_member(tool *t, const tool_input *input)
{
    member_search search = {.t = t, .name = t->values[OPT_MEMBER]};
    // Not of the command's budget: the list is needed for a message even when the limit was
    // hit.
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
// A format that has no dialects gives HOIST_UNSUPPORTED, which is exit code 4.
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

// Checked before the plan is built, so that a misspelled name is an error of the command line.
static bool has_ports(tool *t, const tool_input *input, const hoist_program *program)
{
    size_t at = 0;
    size_t port = 0;
    for (const char *name; (name = tool_next_value(t, OPT_FETCH, &at));) {
        if (!hoist_program_find_port(program, hoist_str_from(name), &port)) {
            tool_complain(t, "%s has no output '%s'", input->path, name);
            return false;
        }
    }
    return true;
}

// The plan depends on what is read at the end: steps whose results nobody reads can share
// memory.
static tool_exit dump_plan(tool *t, const tool_input *input, const hoist_program *program)
{
    hoist_program_plan_options options = {.struct_size = sizeof(options),
                                          .alloc = t->alloc,
                                          .no_fusion = tool_given(t, OPT_NO_FUSION),
                                          .deadline = t->deadline};
    hoist_arena arena;
    hoist_document doc;
    if (!has_ports(t, input, program)) {
        return TOOL_USAGE;
    }
    hoist_arena_init(&arena, t->alloc);
    options.reads = tool_list_reads(t, program, &arena, &options.read_count);
    tool_document(t, &doc, false);
    tool_send_file(input, &doc.sink);
    hoist_tree_map(&doc.sink, "plan");
    const hoist_status status = options.reads
                                    ? hoist_program_plan(program, &options, input->diag, &doc.sink)
                                    : HOIST_NO_MEMORY;
    hoist_tree_end(&doc.sink);
    hoist_arena_deinit(&arena);
    return tool_worse(tool_report(t, status, input), tool_document_end(&doc));
}

// `program` is NULL without --program and --plan.
static tool_exit dump(tool *t, const tool_input *input, const hoist_program *program)
{
    if (program && tool_given(t, OPT_AS_PLAN)) {
        return dump_plan(t, input, program);
    }
    if (program) {
        // The text form reads back as a file of format "program".
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
// t->out is the file for as long as dump() runs, so the functions above need not know where
// they write. A dump that failed leaves the old file as it was.
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

// Only these two run the lowering, which takes options of a run.
static bool is_lowered(const tool *t)
{
    return tool_given(t, OPT_AS_PROGRAM) || tool_given(t, OPT_AS_PLAN);
}

// Dumps the first of the files that were opened; with --program and --plan what is made of all.
// Errors of the file are printed before this; `code` is theirs.
static tool_exit dump_opened(tool *t, tool_input *input, tool_exit code)
{
    const char *path = t->values[OPT_OUTPUT];
    hoist_program *program = NULL;
    if (code == TOOL_OK && is_lowered(t)) {
        code = tool_lower(t, input, &program);
    }
    // A file with errors can be dumped as far as it was read, but it has no program.
    const bool shown = is_lowered(t) ? program != NULL : tool_can_show(input, code);
    t->doing = shown ? "writing" : t->doing;
    if (shown && path && !tool_is_stdout(path)) {
        code = tool_worse(code, dump_to_file(t, input, program, path));
    } else if (shown) {
        code = tool_worse(code, dump(t, input, program));
    }
    hoist_program_destroy(program);
    return code;
}

// Options of dump that exclude each other; the first pair that does is complained about.
static bool fits(tool *t)
{
    const bool program = tool_given(t, OPT_AS_PROGRAM);
    const bool plan = tool_given(t, OPT_AS_PLAN);
    const bool json = tool_given(t, OPT_JSON);
    const bool member = tool_given(t, OPT_MEMBER);
    if (program && json) {
        tool_complain(t, "dump --program writes text, not JSON");
        return false;
    }
    if (member && (program || json)) {
        tool_complain(t, "dump --member writes bytes: neither a program nor JSON");
        return false;
    }
    if (tool_given(t, OPT_DIALECT) && (program || json || member)) {
        tool_complain(t, "dump --dialect writes a model: neither a program nor JSON nor a member");
        return false;
    }
    if (plan && (program || member || tool_given(t, OPT_DIALECT))) {
        tool_complain(t, "dump --plan writes a plan: neither a program nor a model nor a member");
        return false;
    }
    if (!plan && (tool_given(t, OPT_NO_FUSION) || tool_given(t, OPT_FETCH))) {
        tool_complain(t, "--no-fusion and --fetch choose a plan: they need --plan");
        return false;
    }
    if (t->argument_count > 1 && !is_lowered(t)) {
        tool_complain(t, "dump takes one file, or with --program or --plan the files of one job");
        return false;
    }
    return !t->values[OPT_OUTPUT] || tool_spares_inputs(t, t->values[OPT_OUTPUT]);
}

tool_exit cmd_dump(tool *t)
{
    if (!fits(t)) {
        return TOOL_USAGE;
    }
    // With --ranks the number of files is checked before any is opened.
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
