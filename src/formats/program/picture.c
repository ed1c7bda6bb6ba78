// What `hoist graph` draws of a program: for each thread and function the list of its steps that
// touch data or call, with the buffers, fifos and parameters that these read and write. In: a
// module. Out: rows of a picture; none of a program that breaks rules. The views of a step are
// those of program/uses.h.
#include "base/picture.h"

#include "base/span.h"
#include "formats/program/module.h"
#include "program/fields.h"
#include "program/uses.h"
#include "program/verify.h"

// The places of a graph: rows of three tables, numbered one after the other.
enum { PLACE_BUFFER, PLACE_FIFO, PLACE_PARAMETER, PLACE_KINDS };

// While one code is drawn; tables serve all codes.
typedef struct drawer {
    hoist_picture *picture;
    const hoist_program *program;
    const hoist_prog_function *function; // NULL: a thread
    const hoist_prog_code *code;
    size_t first[PLACE_KINDS]; // number of the first place of each kind
    size_t *nodes;             // arena; by place: its node; HOIST_PICTURE_NONE: not drawn
    size_t *drawn;             // arena: the places of the graph
    size_t drawn_count;
    // While edges are added:
    size_t step;      // node
    uint64_t operand; // number of the next one that is read
} drawer;

// The program was verified, so every reference leads to a row.
static const hoist_prog_view *view_at(const drawer *d, hoist_ref view)
{
    return &d->program->views[view];
}

// The place that a view is of; views of spaces have none.
static size_t place_of(const drawer *d, hoist_ref view)
{
    const hoist_prog_view *const v = view_at(d, view);
    switch (v->base) {
    case HOIST_VIEW_BUFFER:
        return d->first[PLACE_BUFFER] + v->of;
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
        return d->first[PLACE_FIFO] + v->of;
    case HOIST_VIEW_PARAMETER:
        return d->first[PLACE_PARAMETER] + v->of;
    default:
        return HOIST_PICTURE_NONE;
    }
}

// Control steps are left out: a picture shows data.
static bool is_drawn(hoist_step_kind kind)
{
    return kind == HOIST_STEP_CALL || kind == HOIST_STEP_POST || kind >= HOIST_STEP_MOVE;
}

// Steps ------------------------------------------------------------------------------------------

// "tflite.conv", "move copy", "call f"; data NULL: no memory.
static hoist_str type_of(const drawer *d, const hoist_prog_step *step)
{
    hoist_arena *const arena = &d->picture->arena;
    const char *const keyword = hoist_step_record(step->kind)->keyword;
    const hoist_words *words = NULL;
    if (step->kind == HOIST_STEP_COMPUTE) {
        const hoist_compute_def *const def = hoist_compute_get(step->as.compute->op);
        return hoist_arena_format(arena, "%s.%s", hoist_profile_name(def->profile), def->name);
    }
    if (step->kind == HOIST_STEP_CALL || step->kind == HOIST_STEP_POST) {
        const hoist_ref f = step->as.call.target.function;
        const hoist_str name =
            f == HOIST_NO_REF ? HOIST_STR("one of a table") : d->program->functions[f].name;
        return hoist_arena_format(arena, "%s %.*s", keyword, HOIST_STR_ARGS(name));
    }
    if (step->kind == HOIST_STEP_OPAQUE) {
        const hoist_str name = step->as.opaque->name;
        return hoist_arena_format(arena, "%s %.*s", keyword, HOIST_STR_ARGS(name));
    }
    // Of a move and a collective the first operand says which: "move copy", "collective sum".
    words = hoist_step_record(step->kind)->fields[0].words;
    const uint32_t word = step->kind == HOIST_STEP_MOVE ? (uint32_t)step->as.move->op
                                                        : (uint32_t)step->as.collective->kind;
    return hoist_arena_format(arena, "%s %s", keyword, words->names[word]);
}

// Tiled and other layouts have no shape in this sense.
static void add_shape(drawer *d, hoist_ref layout)
{
    const hoist_prog_layout *const l = &d->program->layouts[layout];
    if (l->kind == HOIST_LAYOUT_STRIDED) {
        hoist_picture_list(d->picture, "shape", l->shape.dim, (size_t)l->shape.rank,
                           HOIST_PICTURE_COLUMN);
    }
}

// The first view that a step writes.
typedef struct first_written {
    hoist_ref view;
} first_written;

// For the node's type: the result of a step, as operators of other formats have it.
static void find_written(void *self, hoist_step_use use)
{
    first_written *const found = self;
    if (use.written && found->view == HOIST_NO_REF) {
        found->view = use.view;
    }
}

// The label is the name that a format gave the step; else its kind.
static void add_step(drawer *d, const hoist_prog_step *step)
{
    first_written result = {HOIST_NO_REF};
    const hoist_str type = type_of(d, step);
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OP,
        .name = step->label.size ? step->label
                                 : hoist_str_from(hoist_step_record(step->kind)->keyword)};
    d->picture->failed = d->picture->failed || !type.data;
    (void)hoist_picture_add_node(d->picture, &node);
    hoist_picture_str(d->picture, "type", type, HOIST_PICTURE_COLUMN);
    hoist_step_uses(d->program, step, find_written, &result);
    if (result.view != HOIST_NO_REF) {
        const hoist_prog_view *const view = view_at(d, result.view);
        hoist_picture_str(d->picture, "dtype", hoist_str_from(hoist_dtype_get(view->dtype)->name),
                          HOIST_PICTURE_COLUMN);
        add_shape(d, view->layout);
    }
    // For programs that read the picture.
    hoist_picture_uint(d->picture, "line", step->loc.pos.line, HOIST_PICTURE_HIDDEN);
}

// Places -----------------------------------------------------------------------------------------

// Untyped buffers are bytes and have a size only.
static void add_buffer(drawer *d, const hoist_prog_buffer *buffer)
{
    const hoist_picture_node node = {.kind = HOIST_PICTURE_VARIABLE, .name = buffer->name};
    (void)hoist_picture_add_node(d->picture, &node);
    hoist_picture_str(d->picture, "type", hoist_str_from(hoist_lifetime_name(buffer->lifetime)),
                      HOIST_PICTURE_COLUMN);
    if (buffer->typed) {
        hoist_picture_str(d->picture, "dtype", hoist_str_from(hoist_dtype_get(buffer->dtype)->name),
                          HOIST_PICTURE_COLUMN);
        add_shape(d, buffer->layout);
    }
    hoist_picture_bytes(d->picture, "size_bytes", buffer->size, HOIST_PICTURE_EXTRA);
}

// Fifos and parameters always have a type.
static void add_typed(drawer *d, hoist_picture_node_kind kind, hoist_str name, const char *type,
                      hoist_dtype dtype, hoist_ref layout)
{
    const hoist_picture_node node = {.kind = kind, .name = name};
    (void)hoist_picture_add_node(d->picture, &node);
    hoist_picture_str(d->picture, "type", hoist_str_from(type), HOIST_PICTURE_COLUMN);
    hoist_picture_str(d->picture, "dtype", hoist_str_from(hoist_dtype_get(dtype)->name),
                      HOIST_PICTURE_COLUMN);
    add_shape(d, layout);
}

// Numbers of places go through the three tables in turn.
static void add_place(drawer *d, size_t place)
{
    if (place < d->first[PLACE_FIFO]) {
        add_buffer(d, &d->program->buffers[place]);
    } else if (place < d->first[PLACE_PARAMETER]) {
        const hoist_prog_fifo *const fifo = &d->program->fifos[place - d->first[PLACE_FIFO]];
        add_typed(d, HOIST_PICTURE_QUEUE, fifo->name,
                  fifo->kind == HOIST_FIFO_QUEUE ? "queue" : "ram", fifo->dtype, fifo->layout);
    } else {
        const hoist_prog_parameter *const parameter =
            &d->function->parameters[place - d->first[PLACE_PARAMETER]];
        add_typed(d, HOIST_PICTURE_TENSOR, parameter->name, "parameter", parameter->dtype,
                  parameter->layout);
    }
}

// A place is drawn at its first use in a code.
static void find_place(void *self, hoist_step_use use)
{
    drawer *const d = self;
    const size_t place = place_of(d, use.view);
    if (place != HOIST_PICTURE_NONE && d->nodes[place] == HOIST_PICTURE_NONE &&
        !d->picture->failed) {
        d->nodes[place] = d->picture->graphs[d->picture->graph_count - 1].node_count;
        d->drawn[d->drawn_count++] = place;
        add_place(d, place);
    }
}

// Every use is an edge, also a second one of the same place.
static void add_edge(void *self, hoist_step_use use)
{
    drawer *const d = self;
    const size_t place = place_of(d, use.view);
    if (place == HOIST_PICTURE_NONE || d->picture->failed) {
        return;
    }
    const size_t node = d->nodes[place];
    if (use.written) {
        hoist_picture_connect(d->picture, HOIST_PICTURE_WRITES, d->step, node);
    } else {
        const hoist_picture_edge edge = {
            .kind = HOIST_PICTURE_READS, .from = node, .to = d->step, .number = d->operand++};
        hoist_picture_add_edge(d->picture, &edge);
    }
}

// Graphs -----------------------------------------------------------------------------------------

// The same walk for places and edges; `step` counts drawn steps only, as nodes do.
static void each_use(drawer *d, void (*use)(void *self, hoist_step_use use))
{
    d->step = 0;
    for (uint32_t i = 0; i < d->code->step_count; i++) {
        d->operand = 0;
        if (is_drawn(d->code->steps[i].kind)) {
            hoist_step_uses(d->program, &d->code->steps[i], use, d);
            d->step++;
        }
    }
}

// Steps first, then places in the order of their first use.
static hoist_status draw_code(drawer *d, const char *title, hoist_str name)
{
    const hoist_picture_graph graph = {.title = title, .name = name, .is_list = true};
    bool begun = false; // a code without data has no graph
    for (uint32_t i = 0; i < d->code->step_count; i++) {
        HOIST_TRY(hoist_picture_status(d->picture));
        if (is_drawn(d->code->steps[i].kind)) {
            if (!begun) {
                hoist_picture_begin_graph(d->picture, &graph);
                begun = true;
            }
            add_step(d, &d->code->steps[i]);
        }
    }
    if (!begun) {
        return HOIST_OK;
    }
    each_use(d, find_place);
    each_use(d, add_edge);
    // Only the places of this code are reset: a program may have a million buffers and thousands
    // of codes.
    for (size_t i = 0; i < d->drawn_count; i++) {
        d->nodes[d->drawn[i]] = HOIST_PICTURE_NONE;
    }
    d->drawn_count = 0;
    HOIST_TRY(hoist_picture_status(d->picture));
    hoist_picture_end_graph(d->picture);
    return hoist_picture_status(d->picture);
}

// Threads first: they are where a program begins.
static hoist_status draw_codes(drawer *d)
{
    for (uint32_t i = 0; i < d->program->thread_count; i++) {
        d->code = &d->program->threads[i].code;
        HOIST_TRY(draw_code(d, "thread", d->program->threads[i].name));
    }
    for (uint32_t i = 0; i < d->program->function_count; i++) {
        d->function = &d->program->functions[i];
        d->code = &d->function->code;
        HOIST_TRY(draw_code(d, "function", d->function->name));
    }
    return HOIST_OK;
}

// Parameters of functions share numbers, since one function is drawn at a time.
static bool make_tables(drawer *d)
{
    const hoist_program *const g = d->program;
    size_t places = (size_t)g->buffer_count + g->fifo_count;
    size_t parameters = 0;
    for (uint32_t i = 0; i < g->function_count; i++) {
        const size_t count = g->functions[i].parameter_count;
        parameters = count > parameters ? count : parameters;
    }
    d->first[PLACE_FIFO] = g->buffer_count;
    d->first[PLACE_PARAMETER] = places;
    places += parameters;
    d->nodes = hoist_arena_array(&d->picture->arena, places, sizeof(*d->nodes));
    d->drawn = hoist_arena_array(&d->picture->arena, places, sizeof(*d->drawn));
    for (size_t i = 0; d->nodes && i < places; i++) {
        d->nodes[i] = HOIST_PICTURE_NONE;
    }
    return d->nodes && d->drawn;
}

// Findings say why nothing is drawn of a program that breaks rules: HOIST_OK all the same.
hoist_status program_picture(const hoist_module *module, const hoist_check_options *options,
                             hoist_diag *diag, hoist_picture *picture)
{
    (void)options; // nothing in them is about programs
    const program_module *const m = program_of(module);
    drawer d = {.picture = picture, .program = m->program};
    const hoist_status sound = hoist_program_verify_fully(m->program, diag, module->alloc);
    if (sound != HOIST_OK) { // references may lead nowhere
        return sound == HOIST_INVALID ? HOIST_OK : sound;
    }
    return make_tables(&d) ? draw_codes(&d) : HOIST_NO_MEMORY;
}
