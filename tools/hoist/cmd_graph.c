// hoist graph: graphs, placement and memory. Text, SVG and DOT come from hoist_job_draw_markup(),
// JSON from hoist_job_graph_part(); all have the rows of base/picture.h. What is chosen of them is
// the same for `hoist info` (tool_draw_options).
#include "parse.h"
#include "report/plain.h"
#include "tool.h"

// A flag of its own says that a depth was given, because 0 is a depth: one box for each graph.
hoist_draw_options tool_draw_options(const tool *t)
{
    return (hoist_draw_options){.struct_size = sizeof(hoist_draw_options),
                                .form = HOIST_DRAW_FORM_TEXT,
                                .graph = t->values[OPT_GRAPH],
                                .op = t->values[OPT_OP],
                                .by_depth = t->values[OPT_DEPTH] != NULL,
                                .depth = (uint32_t)tool_count_of(t, OPT_DEPTH, 0),
                                .width = t->width,
                                .shares = tool_given(t, OPT_SHARES)};
}

bool tool_chooses_part(const tool *t)
{
    return tool_given(t, OPT_GRAPH) || tool_given(t, OPT_OP) || tool_given(t, OPT_DEPTH);
}

// Every line of a drawing ends with a newline.
static size_t count_lines(hoist_mut_bytes text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == '\n';
    }
    return count;
}

// The first lines of a text that is too long for a summary, or the graphs of it in `lines`, and how
// to see the others.
// Three lines are kept for what follows the text: an empty line and the hint, which may take
// two.
static hoist_status print_summary(tool *t, hoist_mut_bytes text, size_t lines)
{
    enum { ENDS = 3 };
    const size_t kept = tool_summary_lines(t) - ENDS;
    size_t count = 0;
    size_t size = 0;
    while (size < text.size && count < kept) {
        count += text.data[size++] == '\n';
    }
    hoist_output_add(t->out, (hoist_bytes){text.data, size});
    hoist_buffer raw;
    hoist_buffer words;
    hoist_buffer_init(&raw, t->alloc);
    hoist_buffer_init(&words, t->alloc);
    if (lines > kept) {
        hoist_buffer_format(&raw, "... %zu more lines; ", lines - kept);
    }
    hoist_buffer_c(&raw, "--all draws everything, --graph NAME a graph, --op NAME an op, --depth N "
                         "groups of ops");
    hoist_buffer_char(&words, '\n');
    hoist_plain_wrap(&words, hoist_buffer_text(&raw), 0, t->width);
    hoist_buffer_char(&words, '\n');
    hoist_output_str(t->out, hoist_buffer_text(&words));
    const bool failed = raw.failed || words.failed;
    hoist_buffer_deinit(&words);
    hoist_buffer_deinit(&raw);
    return failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Prints a text that is longer than a summary: a line for each graph where there are many, else as
// much of it as there is space for.
// Many graphs in full would all be cut away but the first; one line for each says more.
static hoist_status print_less(tool *t, const tool_input *input, hoist_mut_bytes text)
{
    enum { FEW_GRAPHS = 4 + 4 }; // lines: heading, titles, the graphs
    hoist_draw_options options = tool_draw_options(t);
    options.by_depth = true;
    options.depth = 0;
    hoist_mut_bytes graphs;
    HOIST_TRY(hoist_job_draw_markup(input->job, &options, input->diag, &graphs));
    const bool has_many = count_lines(graphs) > FEW_GRAPHS;
    const hoist_mut_bytes shown = has_many ? graphs : text;
    const hoist_status status = print_summary(t, shown, count_lines(shown));
    hoist_job_free_text(input->job, graphs);
    return status;
}

// The drawing is made in memory, since its length decides how much of it is printed.
static tool_exit graph_text(tool *t, const tool_input *input, tool_exit code)
{
    const hoist_draw_options options = tool_draw_options(t);
    // Whoever chooses a part wants all of it.
    const size_t most = tool_chooses_part(t) ? 0 : tool_summary_lines(t);
    hoist_mut_bytes text;
    hoist_status status = hoist_job_draw_markup(input->job, &options, input->diag, &text);
    if (status == HOIST_OK) {
        if (most && count_lines(text) > most) {
            status = print_less(t, input, text);
        } else {
            hoist_output_add(t->out, (hoist_bytes){text.data, text.size});
        }
        hoist_job_free_text(input->job, text);
    }
    return tool_report_named(t, status, input, code);
}

// Names of --graph and --op that the file lacks give TOOL_USAGE and no document.
static tool_exit graph_json(tool *t, const tool_input *input, tool_exit code)
{
    const hoist_draw_options options = tool_draw_options(t);
    // A first pass without a sink finds out whether names exist, before "{" is written.
    hoist_status status = hoist_job_graph_part(input->job, &options, input->diag, NULL);
    if (status != HOIST_OK) {
        return tool_report_named(t, status, input, code); // and no document
    }
    hoist_document doc;
    tool_document(t, &doc, false);
    tool_send_file(input, &doc.sink);
    status = hoist_job_graph_part(input->job, &options, input->diag, &doc.sink);
    if (status == HOIST_NOT_FOUND) {
        const tool_exit dropped = tool_exit_of(hoist_document_abandon(&doc));
        return tool_worse(tool_report_named(t, status, input, code), dropped);
    }
    return tool_worse(tool_report_shown(t, status, input, code), tool_document_end(&doc));
}

// SVG and DOT are complete texts in memory: an output file that fails half-way is not left
// behind (tool_save()).
static tool_exit graph_markup(tool *t, const tool_input *input, tool_exit code)
{
    hoist_draw_options options = tool_draw_options(t);
    options.form = tool_given(t, OPT_DOT) ? HOIST_DRAW_FORM_DOT : HOIST_DRAW_FORM_SVG;
    hoist_mut_bytes text;
    const char *const path = t->values[OPT_DRAWING_FILE] ? t->values[OPT_DRAWING_FILE] : "-";
    hoist_status status = hoist_job_draw_markup(input->job, &options, input->diag, &text);
    if (status == HOIST_OK) {
        t->doing = "writing";
        status = tool_save(t, input->diag, path, (hoist_bytes){text.data, text.size});
        hoist_job_free_text(input->job, text);
        return tool_report_shown(t, status, input, code);
    }
    return tool_report_named(t, status, input, code);
}

// The options that only documents in markup have, and how many kinds of output are asked for.
static bool fits(tool *t)
{
    const bool is_markup = tool_given(t, OPT_SVG) || tool_given(t, OPT_DOT);
    if (tool_given(t, OPT_SVG) + tool_given(t, OPT_DOT) + tool_given(t, OPT_JSON) > 1) {
        tool_complain(t, "expected one of --svg, --dot and --json");
        return false;
    }
    if (!is_markup && t->values[OPT_DRAWING_FILE]) {
        tool_complain(t, "--output takes --svg or --dot");
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
