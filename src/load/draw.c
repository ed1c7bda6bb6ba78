// Draws a job: the picture that its module makes, and after it what is nested in it, as text, as
// tree events (picture/draw.h) and as documents in markup (picture/draw_markup.h).
#include "picture/draw.h"

#include "base/name_list.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "picture/draw_markup.h"

// What the job's module is drawn as, and after it what is nested in it.
static hoist_status make_picture(const hoist_job *job, hoist_diag *diag, hoist_picture *picture)
{
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        if (module && module->format->picture) {
            HOIST_TRY(module->format->picture(module, &job->options, diag, picture));
        }
    }
    return hoist_picture_status(picture);
}

hoist_status hoist_job_draw(const hoist_job *job, size_t width, hoist_diag *diag,
                            hoist_mut_bytes *out_text)
{
    *out_text = (hoist_mut_bytes){NULL, 0};
    if (!job->module->format->picture) {
        return hoist_job_refuse(job, "drawn", diag);
    }
    const hoist_call call = hoist_job_call(job, diag, NULL, "drawing");
    hoist_buffer text;
    hoist_picture picture;
    hoist_buffer_init(&text, job->alloc);
    hoist_picture_init(&picture, job->alloc);
    hoist_status status = make_picture(job, diag, &picture);
    if (status == HOIST_OK) {
        status = hoist_picture_text(&picture, width, &text);
    }
    hoist_picture_deinit(&picture);
    return hoist_load_take(&text, hoist_call_end(&call, status), out_text);
}

// Sends what `send` makes of the picture.
static hoist_status send_picture(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink,
                                 hoist_status (*send)(const hoist_picture *picture,
                                                      hoist_tree_sink *sink))
{
    if (!job->module->format->picture) {
        return hoist_job_refuse(job, "drawn", diag);
    }
    if (!sink) {
        return HOIST_OK;
    }
    const hoist_call call = hoist_job_call(job, diag, sink, "drawing");
    hoist_picture picture;
    hoist_picture_init(&picture, job->alloc);
    hoist_status status = make_picture(job, diag, &picture);
    if (status == HOIST_OK) {
        status = send(&picture, sink);
    }
    hoist_picture_deinit(&picture);
    return hoist_call_end(&call, status);
}

hoist_status hoist_job_graph(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    return send_picture(job, diag, sink, hoist_picture_tree);
}

hoist_status hoist_job_layout(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    return send_picture(job, diag, sink, hoist_picture_layouts);
}

// Markup ------------------------------------------------------------------------------------------

// Reports that the picture has no graph of that name. HOIST_NOT_FOUND, HOIST_NO_MEMORY.
static hoist_status report_graph(const hoist_picture *picture, const char *asked, hoist_diag *diag)
{
    hoist_name_list names;
    hoist_name_list_init(&names, picture->arena.alloc);
    for (size_t i = 0; i < picture->graph_count; i++) {
        hoist_name_list_add(&names, picture->graphs[i].name);
    }
    const char *const there = hoist_name_list_text(&names);
    const hoist_status status = names.text.failed ? HOIST_NO_MEMORY : HOIST_NOT_FOUND;
    if (status == HOIST_NOT_FOUND && picture->graph_count == 0) {
        hoist_report(diag, hoist_load_rule(LOAD_003), hoist_loc_none(),
                     "the file has no graph '%s': it has none", asked);
    } else if (status == HOIST_NOT_FOUND) {
        hoist_report(diag, hoist_load_rule(LOAD_003), hoist_loc_none(),
                     "the file has no graph '%s'; there are: %s", asked, there);
    }
    hoist_name_list_deinit(&names);
    return status;
}

static hoist_status draw_markup(const hoist_picture *picture, const hoist_draw_options *options,
                                const flow_view *view, hoist_diag *diag, hoist_buffer *out)
{
    bool is_there = !view->graph;
    for (size_t i = 0; i < picture->graph_count; i++) {
        is_there = is_there || flow_view_has(view, &picture->graphs[i]);
    }
    if (!is_there) {
        return report_graph(picture, view->graph, diag);
    }
    return (options->form == HOIST_DRAW_FORM_DOT ? hoist_picture_dot
                                                 : hoist_picture_svg)(picture, view, out);
}

hoist_status hoist_job_draw_markup(const hoist_job *job, const hoist_draw_options *options,
                                   hoist_diag *diag, hoist_mut_bytes *out_text)
{
    enum { MOST_DEPTH = 1 << 16 };
    hoist_draw_options own;
    *out_text = (hoist_mut_bytes){NULL, 0};
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_draw_options", diag));
    if (!job->module->format->picture) {
        return hoist_job_refuse(job, "drawn", diag);
    }
    const int depth = own.depth < MOST_DEPTH ? (int)own.depth : MOST_DEPTH;
    const flow_view view = {.graph = own.graph,
                            .depth = own.by_depth ? depth : FLOW_NOT_DEEP,
                            .deadline = job->deadline};
    const hoist_call call = hoist_job_call(job, diag, NULL, "drawing");
    hoist_buffer text;
    hoist_picture picture;
    hoist_buffer_init(&text, job->alloc);
    hoist_picture_init(&picture, job->alloc);
    hoist_status status = make_picture(job, diag, &picture);
    if (status == HOIST_OK) {
        status = draw_markup(&picture, &own, &view, diag, &text);
    }
    hoist_picture_deinit(&picture);
    return hoist_load_take(&text, hoist_call_end(&call, status), out_text);
}
