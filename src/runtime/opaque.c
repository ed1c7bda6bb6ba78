// Steps whose meaning is not public: the caller's function gets their bytes, or the session's
// policy decides what they do. In: the step's views; out: bytes written, and ranges that shadow.c
// marks as unknown.
#include "runtime/opaque.h"

#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "runtime/session.h"

// The row of an opaque step, and one of its views: what it reads first, then what it writes.
static const hoist_prog_opaque *row_of(const hoist_prog_step *step)
{
    return step->as.opaque;
}

static hoist_ref view_at(const hoist_prog_opaque *row, size_t i)
{
    return i < row->read_count ? row->reads[i] : row->writes[i - row->read_count];
}

// Which thread it is of says the rank.
// Reports why an opaque step cannot be done, with the process that is at it.
static hoist_status refuse(hoist_session *s, size_t process, const hoist_prog_step *step,
                           const char *why)
{
    return hoist_fail(s->diag, HOIST_UNSUPPORTED, hoist_runtime_rule_row(HOIST_RUNTIME_STEP),
                      step->loc, "step '%.*s' of '%.*s' cannot be done: %s",
                      HOIST_STR_ARGS(row_of(step)->name),
                      HOIST_STR_ARGS(hoist_machine_process_name(s->machine, process)), why);
}

// A view that leads outside its memory is a defect of the program, not of what is known of it.
static hoist_status report_outside(hoist_session *s, size_t process, const hoist_prog_step *step)
{
    (void)refuse(s, process, step, "a view leads outside its memory");
    return HOIST_INVALID;
}

hoist_status hoist_session_shadowed(hoist_session *session, const hoist_prog_step *step,
                                    hoist_status status)
{
    if (status == HOIST_LIMIT) {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_MEMORY), step->loc,
                     "with notes of which bytes are unknown the program needs at least %llu bytes "
                     "of memory, more than its limit of %llu: raise max_memory (--max-memory)",
                     (unsigned long long)session->store.needed,
                     (unsigned long long)session->options.max_memory);
    }
    return status;
}

// Policies ------------------------------------------------------------------------------------

// Begins to keep marks, from the first step on that makes bytes unknown.
static hoist_status open_shadow(hoist_session *s)
{
    if (hoist_shadow_is_open(&s->shadow)) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_shadow_open(&s->shadow, &s->store, s->lane_count));
    // Memory of calls is in no store.
    for (size_t i = 0; i < s->lane_count; i++) {
        hoist_shadow_add(&s->shadow, s->lanes[i].call_memory);
    }
    return HOIST_OK;
}

// Marks what the step may have written, by tiles or by elements.
static hoist_status mark_view(hoist_session *s, size_t process, const hoist_prog_step *step,
                              hoist_ref view)
{
    const hoist_work_context c = hoist_session_context(s);
    hoist_view strided;
    hoist_tiles tiles;
    if (hoist_work_is_tiled(&c, view)) {
        return hoist_work_tiles(&c, process, view, &tiles)
                   ? hoist_shadow_mark_tiles(&s->shadow, &tiles, true)
                   : report_outside(s, process, step);
    }
    return hoist_work_view(&c, process, view, &strided)
               ? hoist_shadow_mark(&s->shadow, &strided, true)
               : report_outside(s, process, step);
}

// All that the step writes is unknown from now on.
static hoist_status poison(hoist_session *s, size_t process, const hoist_prog_step *step)
{
    const hoist_prog_opaque *row = row_of(step);
    hoist_status status = open_shadow(s);
    for (uint32_t i = 0; status == HOIST_OK && i < row->write_count; i++) {
        status = mark_view(s, process, step, row->writes[i]);
    }
    return hoist_session_shadowed(s, step, status);
}

// The result of a step that was not executed.
static hoist_status apply_policy(hoist_session *s, size_t process, const hoist_prog_step *step)
{
    // The program itself has it passed over where nobody executes it.
    if (row_of(step)->skip) {
        return HOIST_OK;
    }
    switch (s->options.on_unknown) {
    case HOIST_UNKNOWN_SKIP:
        return HOIST_OK;
    case HOIST_UNKNOWN_POISON:
        return poison(s, process, step);
    case HOIST_UNKNOWN_STOP:
        break;
    }
    return refuse(s, process, step, "what it does is not public");
}

// The caller's function -----------------------------------------------------------------------

void hoist_opaque_free(hoist_opaque_work *work, hoist_allocator alloc)
{
    if (!work) {
        return;
    }
    for (size_t i = 0; work->copies && i < work->count; i++) {
        hoist_free(alloc, work->copies[i].data, work->copies[i].size);
    }
    hoist_free(alloc, work->copies, (work->count + 1) * sizeof *work->copies);
    hoist_free(alloc, work->shown, (work->count + 1) * sizeof *work->shown);
    hoist_free(alloc, work->views, (work->count + 1) * sizeof *work->views);
    hoist_free(alloc, work, sizeof *work);
}

// Empty tables for so many views; each has a row more, so that none is empty.
static hoist_opaque_work *take_work(size_t count, hoist_allocator alloc)
{
    hoist_opaque_work *work = hoist_alloc_zero(alloc, 1, sizeof *work);
    if (!work) {
        return NULL;
    }
    work->count = count;
    work->shown = hoist_alloc_zero(alloc, count + 1, sizeof *work->shown);
    work->views = hoist_alloc_zero(alloc, count + 1, sizeof *work->views);
    work->copies = hoist_alloc_zero(alloc, count + 1, sizeof *work->copies);
    if (!work->shown || !work->views || !work->copies) {
        hoist_opaque_free(work, alloc);
        return NULL;
    }
    return work;
}

// What the caller is told of the step: its name, its bytes in the file, and where they are.
static void describe_step(hoist_session *s, const hoist_prog_step *step, hoist_opaque_work *work)
{
    const hoist_prog_opaque *row = row_of(step);
    const uint32_t number = step->loc.source;
    const hoist_source nowhere = {s->program->file, HOIST_STR(""), 0};
    // Numbers of sources begin at 1; 0 is the program's own file.
    const hoist_source *source =
        number && number <= s->program->source_count ? &s->program->sources[number - 1] : &nowhere;
    hoist_loc loc = step->loc;
    loc.source = 0;
    work->step = (hoist_opaque_step){.struct_size = sizeof work->step,
                                     .name = row->name,
                                     .record = row->record,
                                     .file = source->file,
                                     .member = source->member,
                                     .loc = loc,
                                     .reads = work->shown,
                                     .read_count = row->read_count,
                                     .writes = work->shown + row->read_count,
                                     .write_count = row->write_count};
}

// What the caller is told of a view: what it is in, where, and of which type and shape.
static void describe_view(hoist_session *s, size_t process, hoist_ref view, hoist_opaque_view *out)
{
    const hoist_place place = hoist_machine_resolve(s->machine, process, view);
    const hoist_prog_layout *layout = &s->program->layouts[place.layout];
    out->name = place.buffer != HOIST_NO_REF ? s->program->buffers[place.buffer].name
                : place.fifo != HOIST_NO_REF ? s->program->fifos[place.fifo].name
                                             : HOIST_STR("");
    out->offset = place.offset;
    out->slot = place.fifo != HOIST_NO_REF ? place.slot : 0;
    out->dtype = place.dtype;
    out->rank = (uint32_t)layout->shape.rank;
    memcpy(out->shape, layout->shape.dim, sizeof out->shape);
}

// Elements in C order without gaps, as the caller's function gets them.
static bool is_dense(const hoist_view *view)
{
    int64_t stride[HOIST_MAX_RANK];
    return hoist_view_strides(&view->shape, view->dtype, stride) == HOIST_OK &&
           memcmp(stride, view->stride, (size_t)view->shape.rank * sizeof stride[0]) == 0;
}

// Bytes of the elements alone, without gaps.
static size_t bytes_of(const hoist_view *view)
{
    return (size_t)hoist_shape_count(&view->shape) * (hoist_dtype_get(view->dtype)->bits / 8);
}

// Gives the caller the memory of a view itself where that is dense, else a copy.
static hoist_status give_view(hoist_session *s, size_t process, const hoist_prog_step *step,
                              hoist_opaque_work *work, size_t i)
{
    const hoist_work_context c = hoist_session_context(s);
    const hoist_ref ref = view_at(row_of(step), i);
    hoist_view *view = &work->views[i];
    if (hoist_work_is_tiled(&c, ref)) {
        return refuse(s, process, step, "a view of it is of tiles");
    }
    if (!hoist_work_view(&c, process, ref, view)) {
        return report_outside(s, process, step);
    }
    describe_view(s, process, ref, &work->shown[i]);
    const size_t size = bytes_of(view);
    if (size == 0) {
        return HOIST_OK;
    }
    // The memory itself: what the function writes is where it belongs.
    if (is_dense(view)) {
        work->shown[i].elements = (hoist_mut_bytes){view->memory.data + view->offset, size};
        return HOIST_OK;
    }
    // Filled later, without the lock.
    work->copies[i].data = hoist_alloc(s->alloc, size);
    work->copies[i].size = work->copies[i].data ? size : 0;
    work->shown[i].elements = work->copies[i];
    return work->copies[i].data ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status hoist_opaque_begin(hoist_session *session, size_t process, const hoist_prog_step *step)
{
    hoist_session *s = session;
    hoist_lane *lane = &s->lanes[process];
    lane->open->work.step = step;
    lane->open->work.kind = HOIST_WORK_NONE;
    lane->open->work.units = 1;
    // Without a function of the caller there is nothing to be done any more.
    if (!s->options.on_opaque) {
        return apply_policy(s, process, step);
    }
    const size_t count = (size_t)row_of(step)->read_count + row_of(step)->write_count;
    lane->opaque = take_work(count, s->alloc);
    if (!lane->opaque) {
        return HOIST_NO_MEMORY;
    }
    describe_step(s, step, lane->opaque);
    for (size_t i = 0; i < count; i++) {
        HOIST_TRY(give_view(s, process, step, lane->opaque, i));
    }
    return HOIST_OK;
}

// Between the memory of a view that is not dense and its copy.
static hoist_status copy(const hoist_session *s, const hoist_opaque_work *work, size_t i, bool back)
{
    const hoist_view *view = &work->views[i];
    hoist_view dense;
    if (!work->copies[i].data) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_view_init(work->copies[i], view->dtype, &view->shape, 0, NULL, &dense));
    const hoist_view_move move = {
        .destination = back ? *view : dense, .sources = back ? &dense : view, .source_count = 1};
    return hoist_move_views(s->moves, &move, s->alloc);
}

hoist_status hoist_opaque_run(const hoist_session *session, const hoist_opaque_work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        HOIST_TRY(copy(session, work, i, false));
    }
    HOIST_TRY(session->options.on_opaque(session->options.on_opaque_self, &work->step));
    // Only what is written goes back.
    for (size_t i = work->step.read_count; i < work->count; i++) {
        HOIST_TRY(copy(session, work, i, true));
    }
    return HOIST_OK;
}

// What was computed of unknown bytes is unknown.
static hoist_status carry(hoist_session *s, const hoist_opaque_work *work)
{
    bool unknown = false;
    for (size_t i = 0; i < work->step.read_count && !unknown; i++) {
        // One unknown byte is enough, as nobody knows what it was used for.
        unknown = hoist_shadow_count(&s->shadow, &work->views[i]) > 0;
    }
    for (size_t i = work->step.read_count; i < work->count; i++) {
        HOIST_TRY(hoist_shadow_mark(&s->shadow, &work->views[i], unknown));
    }
    return HOIST_OK;
}

hoist_status hoist_opaque_end(hoist_session *session, size_t process, hoist_status status)
{
    hoist_lane *lane = &session->lanes[process];
    hoist_opaque_work *work = lane->opaque;
    // The function does not know this step: then it is as if there were none.
    if (status == HOIST_UNSUPPORTED) {
        status = apply_policy(session, process, lane->open->work.step);
    } else if (status == HOIST_OK && hoist_shadow_is_open(&session->shadow)) {
        status = hoist_session_shadowed(session, lane->open->work.step, carry(session, work));
    } else if (status != HOIST_OK) {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP),
                     lane->open->work.step->loc, "step '%.*s' of '%.*s' failed: %s",
                     HOIST_STR_ARGS(work->step.name),
                     HOIST_STR_ARGS(hoist_machine_process_name(session->machine, process)),
                     hoist_status_name(status));
    }
    hoist_opaque_free(work, session->alloc);
    lane->opaque = NULL;
    return status;
}
