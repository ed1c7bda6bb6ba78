// hoist info: what a file is and what is in it.
#include "tool.h"

// Sends the members of one file's map.
static hoist_status send_info(tool *t, const tool_input *input, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "file", input->path);
    hoist_tree_uint(sink, "size_bytes", input->view.bytes.size, HOIST_UNIT_BYTES);
    return hoist_job_info(input->job, tool_given(t, OPT_RESOURCES), input->diag, sink);
}

// One file as an item of the list "files".
static tool_exit info_json(tool *t, const tool_input *input, tool_exit code, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    const hoist_status status = send_info(t, input, sink);
    hoist_tree_end(sink);
    return tool_judge_shown(t, status, input, code);
}

// One file as a document of its own, an empty line before all but the first.
static tool_exit info_text(tool *t, const tool_input *input, tool_exit code, bool first)
{
    hoist_output_c(t->out, first ? "" : "\n");
    hoist_document doc;
    tool_document(t, &doc, false);
    const hoist_status status = send_info(t, input, &doc.sink);
    return tool_worse(tool_judge_shown(t, status, input, code), tool_document_end(t, &doc));
}

// `sink` NULL: as text.
static tool_exit info_one(tool *t, size_t index, hoist_tree_sink *sink)
{
    tool_input input;
    const hoist_status status = tool_open(t, t->arguments[index], &input);
    tool_exit code = input.diag ? tool_judge(t, status, &input) : TOOL_LIMIT;
    if (tool_can_show(&input, code)) {
        t->doing = "summing up";
        code = sink ? info_json(t, &input, code, sink) : info_text(t, &input, code, index == 0);
    }
    tool_close(t, &input, code);
    return code;
}

tool_exit cmd_info(tool *t)
{
    tool_exit code = TOOL_OK;
    hoist_document doc;
    hoist_tree_sink *sink = NULL;
    if (tool_given(t, OPT_JSON)) {
        tool_document(t, &doc, false);
        hoist_tree_list(&doc.sink, "files");
        sink = &doc.sink;
    }
    for (size_t i = 0; i < t->argument_count; i++) {
        code = tool_worse(code, info_one(t, i, sink));
    }
    if (sink) {
        hoist_tree_end(sink);
        code = tool_worse(code, tool_document_end(t, &doc));
    }
    return code;
}
