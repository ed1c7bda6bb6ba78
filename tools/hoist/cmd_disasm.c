// hoist disasm: the instruction streams of a file, as text from hoist_job_disasm() or as a
// document from hoist_job_disasm_tree(). Formats without instructions give exit code 4 and no
// document.
#include "tool.h"

// Abandoning the document prints nothing, not even the outer braces: a caller that reads JSON
// gets either a complete document or none.
static tool_exit disasm_json(tool *t, const tool_input *input, const hoist_disasm_options *options)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    tool_send_file(input, &doc.sink);
    const hoist_target target = hoist_job_target(input->job);
    hoist_tree_maybe_c(&doc.sink, "target", target.arch);
    const hoist_status status = hoist_job_disasm_tree(input->job, options, input->diag, &doc.sink);
    const tool_exit code = tool_report_named(t, status, input, TOOL_OK);
    if (status == HOIST_NOT_FOUND || status == HOIST_UNSUPPORTED) {
        return tool_worse(code, tool_exit_of(hoist_document_abandon(&doc))); // it has no stream
    }
    return tool_worse(code, tool_document_end(&doc));
}

// The text is the library's; tool_report_named() turns a subgraph that is not there into
// TOOL_USAGE.
static tool_exit disasm_text(tool *t, const tool_input *input, const hoist_disasm_options *options)
{
    hoist_mut_bytes text;
    const hoist_status status = hoist_job_disasm(input->job, options, input->diag, &text);
    const tool_exit code = tool_report_named(t, status, input, TOOL_OK);
    if (status == HOIST_OK) {
        hoist_output_add(t->out, (hoist_bytes){text.data, text.size});
        hoist_job_free_text(input->job, text);
    }
    return code;
}

tool_exit cmd_disasm(tool *t)
{
    tool_input input;
    const hoist_disasm_options options = {
        .struct_size = sizeof(options),
        .offsets = tool_given(t, OPT_OFFSETS),
        // NULL: all engines, all subgraphs.
        .engine = t->values[OPT_ENGINE],
        .subgraph = t->values[OPT_SUBGRAPH],
    };
    tool_exit code = tool_open_file(t, t->arguments[0], &input);
    if (code == TOOL_OK) {
        t->doing = "disassembling";
        code = tool_given(t, OPT_JSON) ? disasm_json(t, &input, &options)
                                       : disasm_text(t, &input, &options);
    }
    tool_close(t, &input, code);
    return code;
}
