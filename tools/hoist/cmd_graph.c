// hoist graph: graphs, placement and memory. Text comes from hoist_job_draw(), JSON from
// hoist_job_graph(), SVG and DOT from hoist_job_draw_markup(); all have the rows of base/picture.h.
#include "parse.h"
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

static tool_exit graph_markup(tool *t, const tool_input *input, tool_exit code)
{
    const hoist_draw_options options = {.struct_size = sizeof(options),
                                        .form = tool_given(t, OPT_DOT) ? HOIST_DRAW_FORM_DOT
                                                                       : HOIST_DRAW_FORM_SVG,
                                        .graph = t->values[OPT_GRAPH],
                                        .by_depth = t->values[OPT_DEPTH] != NULL,
                                        .depth = (uint32_t)tool_count_of(t, OPT_DEPTH, 0)};
    hoist_mut_bytes text;
    const char *const path = t->values[OPT_DRAWING_FILE] ? t->values[OPT_DRAWING_FILE] : "-";
    hoist_status status = hoist_job_draw_markup(input->job, &options, input->diag, &text);
    const bool is_missing = status == HOIST_NOT_FOUND;
    if (status == HOIST_OK) {
        t->doing = "writing";
        status = tool_save(t, input->diag, path, (hoist_bytes){text.data, text.size});
        hoist_job_free_text(input->job, text);
    }
    code = tool_report_shown(t, status, input, code);
    return is_missing && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}

// The options that only documents in markup have, and how many kinds of output are asked for.
static bool fits(tool *t)
{
    const bool is_markup = tool_given(t, OPT_SVG) || tool_given(t, OPT_DOT);
    if (tool_given(t, OPT_SVG) + tool_given(t, OPT_DOT) + tool_given(t, OPT_JSON) > 1) {
        tool_complain(t, "expected one of --svg, --dot and --json");
        return false;
    }
    if (!is_markup &&
        (t->values[OPT_GRAPH] || t->values[OPT_DEPTH] || t->values[OPT_DRAWING_FILE])) {
        tool_complain(t, "--graph, --depth and --output take --svg or --dot");
        return false;
    }
    return !t->values[OPT_DRAWING_FILE] || tool_spares_inputs(t, t->values[OPT_DRAWING_FILE]);
}

tool_exit cmd_graph(tool *t)
{
    tool_input input;
    if (!fits(t)) {
        return TOOL_USAGE;
    }
    tool_exit code = tool_open_file(t, t->arguments[0], &input);
    if (tool_can_show(&input, code)) {
        t->doing = "drawing";
        code = tool_given(t, OPT_SVG) || tool_given(t, OPT_DOT) ? graph_markup(t, &input, code)
               : tool_given(t, OPT_JSON)                        ? graph_json(t, &input, code)
                                                                : graph_text(t, &input, code);
    }
    tool_close(t, &input, code);
    return code;
}
