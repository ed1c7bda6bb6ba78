// Ops that have cores of their own, as a pipeline. In: steps in the order of the program, with
// seconds of their cores and of the device's memory. Out: begin and end of each, by the bytes that
// it reads. Neighbour: forecast.c.
#include "cost/pipeline.h"

#include <string.h>

#include "base/span.h"
#include "program/uses.h"

hoist_status hoist_pipeline_init(hoist_pipeline *pipeline, const hoist_program *program,
                                 size_t process_count, hoist_arena *arena)
{
    hoist_pipeline *const p = pipeline;
    *p = (hoist_pipeline){.program = program, .process_count = process_count};
    p->buffers = hoist_arena_array(arena, (size_t)program->buffer_count + 1, sizeof *p->buffers);
    p->fifos = hoist_arena_array(arena, (size_t)program->fifo_count + 1, sizeof *p->fifos);
    p->works = hoist_arena_array(arena, (size_t)program->work_count + 1, sizeof *p->works);
    p->memory = hoist_arena_array(arena, process_count + 1, sizeof *p->memory);
    p->floor = hoist_arena_array(arena, process_count + 1, sizeof *p->floor);
    p->functions = hoist_arena_array(arena, process_count + 1, sizeof *p->functions);
    p->ops = hoist_arena_array(arena, process_count + 1, sizeof(void *));
    return p->buffers && p->fifos && p->works && p->memory && p->floor && p->functions && p->ops
               ? HOIST_OK
               : HOIST_NO_MEMORY;
}

static void zero(double *times, size_t count)
{
    memset(times, 0, (count + 1) * sizeof *times);
}

void hoist_pipeline_reset(hoist_pipeline *pipeline)
{
    hoist_pipeline *const p = pipeline;
    zero(p->buffers, p->program->buffer_count);
    zero(p->fifos, p->program->fifo_count);
    zero(p->works, p->program->work_count);
    zero(p->memory, p->process_count);
    zero(p->floor, p->process_count);
    for (size_t i = 0; i < p->process_count; i++) {
        p->functions[i] = HOIST_NO_REF;
        p->ops[i] = NULL;
    }
}

typedef struct passing {
    hoist_pipeline *pipeline;
    double ready; // of what it reads
    double end;
    bool is_elsewhere; // a place is not known from the step alone: it may be that of any other step
} passing;

// Where the time of a view's bytes is kept, of windows in their buffer; NULL: parameters and
// addresses.
static double *time_of(hoist_pipeline *p, hoist_ref ref)
{
    const hoist_prog_view *const view = &p->program->views[ref];
    uint64_t first = 0;
    return view->base == HOIST_VIEW_BUFFER
               ? &p->buffers[hoist_prog_root(p->program, view->of, &first)]
           : view->base == HOIST_VIEW_READ_SLOT || view->base == HOIST_VIEW_WRITE_SLOT
               ? &p->fifos[view->of]
               : NULL;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

static void note_read(void *self, hoist_step_use use)
{
    passing *const p = self;
    const double *const time = time_of(p->pipeline, use.view);
    p->is_elsewhere = p->is_elsewhere || !time;
    p->ready = time && !use.written ? later(p->ready, *time) : p->ready;
}

static void note_written(void *self, hoist_step_use use)
{
    passing *const p = self;
    double *const time = use.written ? time_of(p->pipeline, use.view) : NULL;
    if (time) {
        *time = p->end;
    }
}

// When the cores that do the step are free; what has no work of its own belongs to the op before,
// as long as it has its name: its results leave the cores.
static double *cores_of(hoist_pipeline *p, const hoist_pipeline_step *step)
{
    const hoist_prog_step **const op = &p->ops[step->process];
    if (step->computing > 0) {
        *op = step->step;
        return &p->works[step->step->work];
    }
    return *op && hoist_str_equal((*op)->label, step->step->label) ? &p->works[(*op)->work] : NULL;
}

hoist_pipeline_span hoist_pipeline_pass(hoist_pipeline *pipeline, const hoist_pipeline_step *step)
{
    hoist_pipeline *const p = pipeline;
    const size_t process = step->process;
    double *const cores = cores_of(p, step);
    // Another function: cores are given to other ops, once all have done.
    if (p->functions[process] != step->function) {
        p->functions[process] = step->function;
        p->floor[process] = step->now;
    }
    passing at = {p, p->floor[process], 0, false};
    hoist_step_uses(p->program, step->step, note_read, &at);
    if (at.is_elsewhere) { // after all before it, and before all after it
        at.ready = later(at.ready, step->now);
    }
    const double begin =
        step->computing > 0 ? later(at.ready, p->works[step->step->work]) : at.ready;
    at.end = begin + step->computing;
    if (step->moving > 0) {
        p->memory[process] = later(p->memory[process], p->floor[process]) + step->moving;
        at.end = later(at.end, p->memory[process]);
    }
    if (cores) {
        *cores = later(*cores, at.end);
    }
    hoist_step_uses(p->program, step->step, note_written, &at);
    p->floor[process] = at.is_elsewhere ? at.end : p->floor[process];
    return (hoist_pipeline_span){later(begin, at.end - later(step->computing, step->moving)),
                                 at.end};
}
