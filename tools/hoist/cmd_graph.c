// hoist graph: graphs, placement and memory, drawn as text or as data.
#include "tool.h"

static tool_exit graph_text(tool *t, const tool_input *input, tool_exit code)
{
    hoist_mut_bytes text;
    const hoist_status status = hoist_job_draw(input->job, t->width, input->diag, &text);
    code = tool_judge_shown(t, status, input, code);
    if (status == HOIST_OK) {
        hoist_output_add(t->out, (hoist_bytes){text.data, text.size});
        hoist_job_free_text(input->job, text);
    }
    return code;
}

static tool_exit graph_json(tool *t, const tool_input *input, tool_exit code)
{
    const hoist_status drawable = hoist_job_graph(input->job, input->diag, NULL);
    if (drawable != HOIST_OK) {
        return tool_judge_shown(t, drawable, input, code); // and no document
    }
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_c(&doc.sink, "file", input->path);
    hoist_tree_c(&doc.sink, "format", hoist_job_format(input->job));
    const hoist_status status = hoist_job_graph(input->job, input->diag, &doc.sink);
    return tool_worse(tool_judge_shown(t, status, input, code), tool_document_end(t, &doc));
}

tool_exit cmd_graph(tool *t)
{
    tool_input input;
    const hoist_status status = tool_open(t, t->arguments[0], &input);
    tool_exit code = input.diag ? tool_judge(t, status, &input) : TOOL_LIMIT;
    if (tool_can_show(&input, code)) {
        t->doing = "drawing";
        code = tool_given(t, OPT_JSON) ? graph_json(t, &input, code) : graph_text(t, &input, code);
    }
    tool_close(t, &input, code);
    return code;
}
