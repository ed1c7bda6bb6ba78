// Draws a job: the picture that its module makes, and after it what is nested in it, as text, as
// tree events (picture/draw.h) and as documents in markup (picture/draw_markup.h), all of it or a
// part (picture/choose.h).
#include "picture/draw.h"

#include "base/name_list.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "load/time.h"
#include "picture/choose.h"
#include "picture/draw_markup.h"

// The picture of the job's module, and after it those of what is nested in it: graphs of one
// picture.
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

// Choices ----------------------------------------------------------------------------------------

// Reports that the picture has no graph of that name. HOIST_NOT_FOUND, HOIST_NO_MEMORY.
// The name is the user's; the file's own names are in the message.
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

// True when `part` is in the name anywhere.
static bool has_part(hoist_str name, hoist_str part)
{
    bool found = false;
    for (size_t i = 0; !found && i + part.size <= name.size; i++) {
        found = hoist_str_equal(hoist_str_slice(name, i, part.size), part);
    }
    return found;
}

// Reports an op that no graph has. Names that contain the asked one come alone; without such all of
// the graph are listed.
static hoist_status report_op(const hoist_picture *picture, const hoist_draw_options *options,
                              hoist_diag *diag)
{
    const hoist_str asked = hoist_str_from(options->op);
    hoist_name_list names;
    hoist_name_list_init(&names, picture->arena.alloc);
    for (int any = 0; any < 2 && names.count == 0; any++) { // first those that contain it, then any
        for (size_t i = 0; i < picture->graph_count; i++) {
            const hoist_picture_graph *const g = &picture->graphs[i];
            const bool is_there = !options->graph || hoist_str_equal_c(g->name, options->graph);
            for (size_t k = 0; is_there && k < g->node_count; k++) {
                const bool fits = !g->nodes[k].is_foreign && !g->nodes[k].is_for_people;
                if (fits && (any || has_part(g->nodes[k].name, asked))) {
                    hoist_name_list_add(&names, g->nodes[k].name);
                }
            }
        }
    }
    const char *const there = hoist_name_list_text(&names);
    const hoist_status status = names.text.failed ? HOIST_NO_MEMORY : HOIST_NOT_FOUND;
    if (status == HOIST_NOT_FOUND) {
        hoist_report(diag, hoist_load_rule(LOAD_003), hoist_loc_none(),
                     "there is no op '%s'; there are: %s", options->op, there);
    }
    hoist_name_list_deinit(&names);
    return status;
}

// Depths are unsigned for callers; beyond all nesting they mean the same.
static int depth_of(const hoist_draw_options *options)
{
    enum { MOST_DEPTH = 1 << 16 };
    return options->depth < MOST_DEPTH ? (int)options->depth : MOST_DEPTH;
}

// Makes the picture that `options` choose in `out`, which borrows from `picture`. Text gets groups
// by depth here, SVG and DOT make groups themselves. HOIST_NOT_FOUND: nothing has a name that was
// given.
static hoist_status choose(const hoist_job *job, const hoist_picture *picture,
                           const hoist_draw_options *options, hoist_diag *diag, hoist_picture *out)
{
    const bool is_markup =
        options->form == HOIST_DRAW_FORM_SVG || options->form == HOIST_DRAW_FORM_DOT;
    const hoist_picture_choice choice = {.graph = options->graph,
                                         .op = options->op,
                                         .by_depth = options->by_depth && !is_markup,
                                         .depth = depth_of(options),
                                         .deadline = job->deadline};
    bool has_graph = !options->graph;
    bool found = false;
    for (size_t i = 0; i < picture->graph_count; i++) {
        has_graph = has_graph || hoist_str_equal_c(picture->graphs[i].name, options->graph);
    }
    if (!has_graph) {
        return report_graph(picture, options->graph, diag);
    }
    HOIST_TRY(hoist_picture_choose(picture, &choice, out, &found));
    return found ? HOIST_OK : report_op(picture, options, diag);
}

// A drawing being made: text, or tree events through `send`.
typedef struct drawer {
    const hoist_job *job;
    const hoist_draw_options *options; // NULL: everything
    hoist_diag *diag;
    hoist_buffer *text; // NULL: events go to `sink`
    hoist_tree_sink *sink;
    hoist_status (*send)(const hoist_picture *picture, hoist_tree_sink *sink);
} drawer;

// Events have no form, so only text looks at options->form.
static hoist_status draw_chosen(const drawer *d, const hoist_picture *picture)
{
    if (!d->text) {
        return d->send(picture, d->sink);
    }
    const hoist_draw_options *const o = d->options;
    const flow_view view = {.depth = o->by_depth ? depth_of(o) : FLOW_NOT_DEEP,
                            .deadline = d->job->deadline};
    switch (o->form) {
    case HOIST_DRAW_FORM_SVG:
        return hoist_picture_svg(picture, &view, d->text);
    case HOIST_DRAW_FORM_DOT:
        return hoist_picture_dot(picture, &view, d->text);
    case HOIST_DRAW_FORM_TEXT:
        break;
    }
    return hoist_picture_text(picture, o->width, d->text);
}

// Without a choice the picture is drawn as it is, not copied.
static bool chooses(const drawer *d)
{
    const hoist_draw_options *const o = d->options;
    return o && (o->graph || o->op || o->by_depth);
}

static hoist_status draw(const drawer *d)
{
    hoist_picture all;
    hoist_picture chosen;
    hoist_picture_init(&all, d->job->alloc);
    hoist_picture_init(&chosen, d->job->alloc);
    hoist_status status = make_picture(d->job, d->diag, &all);
    // As `graph --shares`: the estimate's.
    if (status == HOIST_OK && d->options && d->options->shares) {
        const bool lives = d->text && d->options->form == HOIST_DRAW_FORM_SVG;
        status = hoist_job_append_time(d->job, lives, d->diag, &all);
    }
    if (status == HOIST_OK && chooses(d)) {
        status = choose(d->job, &all, d->options, d->diag, &chosen);
    }
    if (status == HOIST_OK) {
        status = draw_chosen(d, chooses(d) ? &chosen : &all);
    }
    hoist_picture_deinit(&chosen);
    hoist_picture_deinit(&all);
    return status;
}

// Events ------------------------------------------------------------------------------------------

// Common part of all calls that send events. A NULL sink is allowed: the call only reports whether
// the format can be drawn.
static hoist_status send_picture(const hoist_job *job, const hoist_draw_options *options,
                                 hoist_diag *diag, hoist_tree_sink *sink,
                                 hoist_status (*send)(const hoist_picture *picture,
                                                      hoist_tree_sink *sink))
{
    hoist_draw_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_draw_options", diag));
    if (!job->module->format->picture) {
        return hoist_job_refuse(job, "drawn", diag);
    }
    if (!sink) {
        return HOIST_OK;
    }
    own.form = HOIST_DRAW_FORM_TEXT; // events are of the picture, whatever form text would have
    const hoist_call call = hoist_job_call(job, diag, sink, "drawing");
    const drawer d = {.job = job, .options = &own, .diag = diag, .sink = sink, .send = send};
    return hoist_call_end(&call, draw(&d));
}

hoist_status hoist_job_graph(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    return send_picture(job, NULL, diag, sink, hoist_picture_tree);
}

hoist_status hoist_job_graph_part(const hoist_job *job, const hoist_draw_options *options,
                                  hoist_diag *diag, hoist_tree_sink *sink)
{
    return send_picture(job, options, diag, sink, hoist_picture_tree);
}

hoist_status hoist_job_ops(const hoist_job *job, const hoist_draw_options *options,
                           hoist_diag *diag, hoist_tree_sink *sink)
{
    // A caller of an older version has no `op`.
    const bool has_one = options && options->struct_size >= sizeof(*options) && options->op;
    return send_picture(job, options, diag, sink, has_one ? hoist_picture_op : hoist_picture_ops);
}

hoist_status hoist_job_layout(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    return send_picture(job, NULL, diag, sink, hoist_picture_layouts);
}

// One picture for both, so that it is made once.
static hoist_status send_both(const hoist_picture *picture, hoist_tree_sink *sink)
{
    HOIST_TRY(hoist_picture_tree(picture, sink));
    return hoist_picture_layouts(picture, sink);
}

hoist_status hoist_job_graph_and_layout(const hoist_job *job, hoist_diag *diag,
                                        hoist_tree_sink *sink)
{
    return send_picture(job, NULL, diag, sink, send_both);
}

// Text and markup --------------------------------------------------------------------------------

hoist_status hoist_job_draw_markup(const hoist_job *job, const hoist_draw_options *options,
                                   hoist_diag *diag, hoist_mut_bytes *out_text)
{
    hoist_draw_options own;
    *out_text = (hoist_mut_bytes){NULL, 0};
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_draw_options", diag));
    if (!job->module->format->picture) {
        return hoist_job_refuse(job, "drawn", diag);
    }
    const hoist_call call = hoist_job_call(job, diag, NULL, "drawing");
    hoist_buffer text;
    hoist_buffer_init(&text, job->alloc);
    const drawer d = {.job = job, .options = &own, .diag = diag, .text = &text};
    return hoist_load_take(&text, hoist_call_end(&call, draw(&d)), out_text);
}

hoist_status hoist_job_draw(const hoist_job *job, size_t width, hoist_diag *diag,
                            hoist_mut_bytes *out_text)
{
    // Options without a choice draw all of it.
    const hoist_draw_options options = {
        .struct_size = sizeof(options), .form = HOIST_DRAW_FORM_TEXT, .width = width};
    return hoist_job_draw_markup(job, &options, diag, out_text);
}
