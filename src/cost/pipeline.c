// Ops that have cores of their own, as a pipeline. In: steps in the order of the program, with
// seconds of their cores and of the device's memory. Out: begin and end of each, by the bytes that
// it reads. Neighbour: forecast.c.
#include "cost/pipeline.h"

#include <string.h>

#include "base/span.h"
#include "program/uses.h"

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

typedef struct lister {
    hoist_pipeline *pipeline;
    hoist_pipeline_uses *uses;
} lister;

static void count_use(void *self, hoist_step_use use)
{
    const lister *const l = self;
    (void)use;
    l->uses->count++;
}

static void list_use(void *self, hoist_step_use use)
{
    const lister *const l = self;
    double *const time = time_of(l->pipeline, use.view);
    l->uses->is_elsewhere = l->uses->is_elsewhere || !time;
    if (time) {
        l->uses->times[l->uses->count++] = time;
        l->uses->read_count += !use.written;
    }
}

static hoist_status list_uses(hoist_pipeline *p, const hoist_prog_code *code, hoist_arena *arena,
                              hoist_pipeline_uses **out_uses)
{
    *out_uses = hoist_arena_array(arena, (size_t)code->step_count + 1, sizeof **out_uses);
    HOIST_TRY_MEMORY(*out_uses);
    for (uint32_t i = 0; i < code->step_count; i++) {
        lister l = {p, &(*out_uses)[i]};
        hoist_step_uses(p->program, &code->steps[i], count_use, &l);
        l.uses->times = hoist_arena_array(arena, (size_t)l.uses->count + 1, sizeof(double *));
        HOIST_TRY_MEMORY(l.uses->times);
        l.uses->count = 0;
        hoist_step_uses(p->program, &code->steps[i], list_use, &l);
    }
    return HOIST_OK;
}

static const hoist_pipeline_uses *uses_of(const hoist_pipeline *p, const hoist_pipeline_step *step)
{
    const size_t code = step->function == HOIST_NO_REF ? p->program->function_count + step->process
                                                       : step->function;
    return &p->uses[code][step->step - hoist_prog_code_at(p->program, code)->steps];
}

hoist_status hoist_pipeline_init(hoist_pipeline *pipeline, const hoist_program *program,
                                 size_t process_count, hoist_arena *arena)
{
    hoist_pipeline *const p = pipeline;
    const size_t codes = hoist_prog_code_count(program);
    *p = (hoist_pipeline){.program = program, .process_count = process_count};
    p->buffers = hoist_arena_array(arena, (size_t)program->buffer_count + 1, sizeof *p->buffers);
    p->fifos = hoist_arena_array(arena, (size_t)program->fifo_count + 1, sizeof *p->fifos);
    p->works = hoist_arena_array(arena, (size_t)program->work_count + 1, sizeof *p->works);
    p->memory = hoist_arena_array(arena, process_count + 1, sizeof *p->memory);
    p->floor = hoist_arena_array(arena, process_count + 1, sizeof *p->floor);
    p->functions = hoist_arena_array(arena, process_count + 1, sizeof *p->functions);
    p->ops = hoist_arena_array(arena, process_count + 1, sizeof(void *));
    p->uses = hoist_arena_array(arena, codes + 1, sizeof(void *));
    HOIST_TRY_MEMORY(p->buffers && p->fifos && p->works && p->memory && p->floor && p->functions &&
                     p->ops && p->uses);
    for (size_t i = 0; i < codes; i++) {
        HOIST_TRY(list_uses(p, hoist_prog_code_at(program, i), arena, &p->uses[i]));
    }
    return HOIST_OK;
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

static double later(double a, double b)
{
    return a > b ? a : b;
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
    const hoist_pipeline_uses *const uses = uses_of(p, step);
    // Another function: cores are given to other ops, once all have done.
    if (p->functions[process] != step->function) {
        p->functions[process] = step->function;
        p->floor[process] = step->now;
    }
    double ready = p->floor[process];
    for (uint32_t i = 0; i < uses->read_count; i++) {
        ready = later(ready, *uses->times[i]);
    }
    if (uses->is_elsewhere) { // after all before it, and before all after it
        ready = later(ready, step->now);
    }
    const double begin = step->computing > 0 ? later(ready, p->works[step->step->work]) : ready;
    double end = begin + step->computing;
    if (step->moving > 0) {
        p->memory[process] = later(p->memory[process], p->floor[process]) + step->moving;
        end = later(end, p->memory[process]);
    }
    if (cores) {
        *cores = later(*cores, end);
    }
    for (uint32_t i = uses->read_count; i < uses->count; i++) {
        *uses->times[i] = end;
    }
    p->floor[process] = uses->is_elsewhere ? end : p->floor[process];
    return (hoist_pipeline_span){later(begin, end - later(step->computing, step->moving)), end};
}
