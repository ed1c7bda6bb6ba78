// hoist graph: graphs, placement and memory. Text comes from hoist_job_draw(), JSON from
// hoist_job_graph(); both have the rows of base/picture.h.
#include "tool.h"

static tool_exit graph_text(tool *t, const tool_input *input, tool_exit code)
{
    hoist_mut_bytes text;
    const hoist_status status = hoist_job_draw(input->job, t->width, input->diag, &text);
    code = tool_report_shown(t, status, input, code);
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
        return tool_report_shown(t, drawable, input, code); // and no document
    }
    hoist_document doc;
    tool_document(t, &doc, false);
    tool_send_file(input, &doc.sink);
    const hoist_status status = hoist_job_graph(input->job, input->diag, &doc.sink);
    return tool_worse(tool_report_shown(t, status, input, code), tool_document_end(t, &doc));
}

tool_exit cmd_graph(tool *t)
{
    tool_input input;
    tool_exit code = tool_open_file(t, t->arguments[0], &input);
    if (tool_can_show(&input, code)) {
        t->doing = "drawing";
        code = tool_given(t, OPT_JSON) ? graph_json(t, &input, code) : graph_text(t, &input, code);
    }
    tool_close(t, &input, code);
    return code;
}
