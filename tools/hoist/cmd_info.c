// hoist info: what a file is and what is in it.
#include "tool.h"

static tool_exit info_one(tool *t, const char *path, hoist_tree_sink *sink)
{
    tool_input input;
    hoist_status status = tool_open(t, path, &input);
    tool_exit code = input.diag ? tool_judge(t, status, &input) : TOOL_LIMIT;
    if (code == TOOL_OK) {
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "file", path);
        hoist_tree_uint(sink, "size", input.text.size, HOIST_UNIT_BYTES);
        status = hoist_job_info(input.job, tool_given(t, OPT_RESOURCES), input.diag, sink);
        hoist_tree_end(sink);
        code = tool_judge(t, status, &input);
    }
    tool_close(t, &input);
    return code;
}

tool_exit cmd_info(tool *t)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_list(&doc.sink, "files");
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < t->argument_count; i++) {
        code = tool_worse(code, info_one(t, t->arguments[i], &doc.sink));
    }
    hoist_tree_end(&doc.sink);
    return tool_worse(code, tool_document_end(t, &doc));
}
