// hoist graph: graphs, placement and memory drawn as text.
#include "tool.h"

tool_exit cmd_graph(tool *t)
{
    tool_input input;
    hoist_status status = tool_open(t, t->arguments[0], &input);
    tool_exit code = input.diag ? tool_judge(t, status, &input) : TOOL_LIMIT;
    if (tool_can_show(&input, code)) {
        t->doing = "drawing";
        hoist_mut_bytes text;
        status = hoist_job_draw(input.job, t->width, input.diag, &text);
        code = tool_judge_shown(t, status, &input, code);
        if (status == HOIST_OK) {
            hoist_output_add(t->out, (hoist_bytes){text.data, text.size});
            hoist_job_free_text(input.job, text);
        }
    }
    tool_close(t, &input, code);
    return code;
}
