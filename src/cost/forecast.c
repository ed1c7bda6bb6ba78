// The estimated run. In: a verified program, its entries, a model. Out: rows of steps with begin
// and end, and totals. The clock runs once for each case, since what waits for what depends on how
// long steps take; the cases know nothing of each other, and have a thread each as far as there are
// cores. Neighbours: clock.c (the run), model.c (times of steps).
#include "cost/forecast.h"

#include "base/alloc.h"
#include "base/span.h"
#include "cost/clock.h"
#include "cost/cost_cache.h"
#include "cost/pipeline.h"
#include "os/shared_alloc.h"
#include "os/thread.h"

typedef struct runner {
    const hoist_program *program;
    const hoist_forecast_options *options;
    hoist_forecast *out; // of the lead the caller's, of others one without rows
    const hoist_machine *machine;
    const hoist_prog_entry *entry; // that runs
    hoist_case now;                // case that it runs
    bool keeps;                    // rows
    hoist_cost_cache costs;
    const hoist_cost *cost;   // of the step that begins
    const hoist_clock *clock; // of the entry that runs
    bool has_cores;           // the pipeline counts
    hoist_pipeline pipeline;
    hoist_pipeline_span span; // has_cores: of the step that begins
    double ahead;      // seconds of transfers (negative: of computing) that the other may hide in
    size_t process;    // whose step that is
    uint32_t *slots;   // arena; by fifo: the slot that was read last, from 1; 0: none yet
    size_t *last_rows; // arena; by process: number of its last row, from 1
} runner;

double hoist_time_row_seconds(const hoist_time_row *row, hoist_case of)
{
    return hoist_bounds_seconds(row->seconds[of], row->at_once);
}

hoist_bound hoist_time_row_bound(const hoist_time_row *row, hoist_case of)
{
    int most = HOIST_BOUND_COUNT;
    for (int i = 0; i < HOIST_BOUND_COUNT; i++) {
        const double best = most < HOIST_BOUND_COUNT ? row->seconds[of][most] : 0;
        most = row->seconds[of][i] > best ? i : most;
    }
    return (hoist_bound)most;
}

// Times ---------------------------------------------------------------------------------------

// Seconds of work that are left when it hides in what of the other kind has gone before. `sign`: 1
// for transfers, -1 for computing.
static double hide(runner *r, double sign, double seconds)
{
    const double other = -sign * r->ahead;
    const double hidden = other <= 0 ? 0 : other < seconds ? other : seconds;
    r->ahead += sign * seconds;
    return seconds - hidden;
}

// Seconds of the step. At best, streams of parameters and computing take place at the same time,
// and so do transfers of a device that has bounds only: in total the longer of both counts.
static double seconds_of(runner *r)
{
    const double *const part = r->cost->seconds[r->now];
    const double all = hoist_cost_seconds(r->cost, r->now);
    const double moves =
        part[HOIST_BOUND_PARAMETERS] + (r->cost->is_bound ? part[HOIST_BOUND_TRANSFER] : 0);
    const double computes = part[HOIST_BOUND_COMPUTE];
    if (r->now != HOIST_CASE_LOW || r->cost->resource == HOIST_RESOURCE_CPU) {
        return all;
    }
    r->out->overlaps = r->out->overlaps || moves > 0;
    const double rest = all - moves - computes;
    const double left = hide(r, 1, moves);
    return (rest > 0 ? rest : 0) + left + hide(r, -1, computes);
}

// A slot that is read again and again, weights for instance, may stay on the device: it is read
// once, at least, until another slot of its queue is.
static bool is_another_slot(void *self, hoist_ref view)
{
    runner *const r = self;
    const hoist_place place = hoist_machine_resolve(r->machine, r->process, view);
    if (place.fifo == HOIST_NO_REF) {
        return true;
    }
    const uint32_t before = r->slots[place.fifo];
    r->slots[place.fifo] = place.slot + 1;
    return before != place.slot + 1;
}

// Number of a process of the machine among all threads of the program, then its units.
static size_t number_of(const runner *r, size_t process)
{
    return process < r->entry->thread_count
               ? r->entry->threads[process]
               : r->program->thread_count + (process - r->entry->thread_count);
}

// The function whose step a process is at; HOIST_NO_REF: the thread's own code.
static hoist_ref function_at(const runner *r, size_t process)
{
    const uint32_t depth = hoist_machine_depth(r->machine, process);
    return depth ? hoist_machine_frame(r->machine, process, depth - 1) : (hoist_ref)HOIST_NO_REF;
}

// Seconds by which the process is later when the step has ended among cores of its own.
static double pass_of(runner *r, size_t process, const hoist_prog_step *step)
{
    const double *const part = r->cost->seconds[r->now];
    const double computing = part[HOIST_BOUND_COMPUTE] > part[HOIST_BOUND_NETWORK]
                                 ? part[HOIST_BOUND_COMPUTE]
                                 : part[HOIST_BOUND_NETWORK];
    const hoist_pipeline_step passing = {.step = step,
                                         .process = number_of(r, process),
                                         .function = function_at(r, process),
                                         .now = r->clock->now,
                                         .computing = computing,
                                         .moving = part[HOIST_BOUND_TRANSFER]};
    r->span = hoist_pipeline_pass(&r->pipeline, &passing);
    return r->span.end > r->clock->now ? r->span.end - r->clock->now : 0;
}

static hoist_clock_need need_of(void *self, const hoist_machine *machine, size_t process,
                                const hoist_prog_step *step)
{
    runner *const r = self;
    const hoist_slot_filter filter = {is_another_slot, r};
    (void)machine;
    r->process = process;
    r->cost = hoist_cost_cache_find(&r->costs, step, &filter);
    if (r->has_cores) {
        return (hoist_clock_need){pass_of(r, process, step), HOIST_CLOCK_RESOURCES};
    }
    const bool shares = r->cost->is_timed && r->cost->resource != HOIST_RESOURCE_QUEUE;
    return (hoist_clock_need){r->cost->is_timed ? seconds_of(r) : 0,
                              shares ? (uint32_t)r->cost->resource : HOIST_CLOCK_RESOURCES};
}

// Rows ----------------------------------------------------------------------------------------

static hoist_str function_of(const runner *r, size_t process, uint32_t depth)
{
    const hoist_ref function = hoist_machine_frame(r->machine, process, depth);
    return function == HOIST_NO_REF ? HOIST_STR("") : r->program->functions[function].name;
}

static hoist_str name_of(const runner *r, const hoist_clock_span *span)
{
    if (span->step->label.size) {
        return span->step->label;
    }
    if (span->process >= r->entry->thread_count && span->post && span->post->label.size) {
        return span->post->label;
    }
    const uint32_t depth = hoist_machine_depth(r->machine, span->process);
    const hoist_str function = depth ? function_of(r, span->process, depth - 1) : HOIST_STR("");
    return function.size ? function : r->out->processes[number_of(r, span->process)].name;
}

// The row that a step belongs to: the last one of its process, or a new one. NULL: no memory.
static hoist_time_row *find_row(runner *r, const hoist_clock_span *span)
{
    hoist_forecast *const out = r->out;
    const hoist_str name = name_of(r, span);
    const size_t process = number_of(r, span->process);
    const size_t last = r->last_rows[process];
    if (last && hoist_str_equal(out->rows[last - 1].name, name) &&
        out->rows[last - 1].resource == r->cost->resource) {
        return &out->rows[last - 1];
    }
    if (!hoist_grow(r->options->alloc, (void **)&out->rows, &out->capacity, out->count + 1,
                    sizeof(*out->rows))) {
        return NULL;
    }
    r->last_rows[process] = out->count + 1;
    hoist_time_row *const row = &out->rows[out->count++];
    const bool nested = hoist_machine_depth(r->machine, span->process) > 0;
    *row = (hoist_time_row){.name = name,
                            .function = nested ? function_of(r, span->process, 0) : HOIST_STR(""),
                            .process = process,
                            .device = r->cost->device,
                            .resource = r->cost->resource,
                            .at_once = r->cost->at_once,
                            .begin = r->has_cores ? r->span.begin : span->begin};
    return row;
}

static void note_step(const runner *r, const hoist_clock_span *span)
{
    const hoist_ref function = function_at(r, span->process);
    const size_t code = function == HOIST_NO_REF
                            ? r->program->function_count + r->entry->threads[span->process]
                            : function;
    const hoist_prog_step *const first = hoist_prog_code_at(r->program, code)->steps;
    r->out->steps[code][span->step - first] =
        r->has_cores ? (hoist_step_time){r->span.begin, r->span.end, true}
                     : (hoist_step_time){span->begin, span->end, true};
}

static hoist_status keep(void *self, const hoist_clock_span *span)
{
    runner *const r = self;
    if (!r->keeps) {
        return HOIST_OK;
    }
    hoist_time_row *const row = find_row(r, span);
    if (!row) {
        return HOIST_NO_MEMORY;
    }
    hoist_time_process *const process = &r->out->processes[number_of(r, span->process)];
    const bool takes_time = hoist_cost_seconds(r->cost, r->now) > 0;
    const double end = !r->has_cores ? span->end : takes_time ? r->span.end : row->begin;
    // What is read ahead is no beginning of what computes.
    if (r->has_cores && r->cost->cycles && !row->cycles) {
        row->begin = r->span.begin;
    }
    row->end = end > row->end ? end : row->end;
    note_step(r, span);
    row->waited += span->begin - span->ready;
    row->steps++;
    row->untimed += !r->cost->is_timed;
    r->out->is_timed = r->out->is_timed || r->cost->is_timed;
    row->bytes += r->cost->amount.bytes;
    row->operations += r->cost->amount.operations;
    row->cycles += r->cost->cycles;
    process->steps++;
    process->bytes += r->cost->amount.bytes;
    // Among cores, what a step moves has a time where what it computes has none.
    const bool counts = r->cost->is_timed || r->has_cores;
    for (int i = 0; i < HOIST_CASE_COUNT && counts; i++) {
        process->seconds[i] += hoist_cost_seconds(r->cost, (hoist_case)i);
        for (int k = 0; k < HOIST_BOUND_COUNT; k++) {
            row->seconds[i][k] += r->cost->seconds[i][k];
        }
    }
    return HOIST_OK;
}

// Runs ----------------------------------------------------------------------------------------

// The host fills queues and empties them whenever the program can do nothing else.
static bool serve(void *self, hoist_machine *machine)
{
    const runner *const r = self;
    bool moved = false;
    uint32_t slot = 0;
    for (hoist_ref i = 0; i < r->program->fifo_count; i++) {
        const hoist_prog_fifo *const fifo = &r->program->fifos[i];
        for (uint32_t k = 0; fifo->kind == HOIST_FIFO_QUEUE && k < fifo->slots; k++) {
            if (fifo->host_push && hoist_machine_host_push_begin(machine, i, &slot)) {
                hoist_machine_host_push_end(machine, i);
                moved = true;
            }
            if (fifo->host_pop && hoist_machine_host_pop_begin(machine, i, &slot)) {
                hoist_machine_host_pop_end(machine, i);
                moved = true;
            }
        }
    }
    return moved;
}

static hoist_status run_entry(runner *r, hoist_machine *machine, uint32_t entry, hoist_diag *diag,
                              double *now)
{
    hoist_clock clock = {.alloc = r->options->alloc,
                         .deadline = r->options->deadline,
                         .need = need_of,
                         .span = keep,
                         .idle = serve,
                         .self = r,
                         .now = *now};
    r->clock = &clock;
    HOIST_TRY(
        hoist_machine_start(machine, r->options->entries[entry], r->options->parameters[entry]));
    r->entry = &r->program->entries[r->options->entries[entry]];
    const hoist_status status = hoist_clock_run(&clock, machine, diag, &r->out->outcome);
    *now = clock.now;
    return status;
}

static hoist_status run_all(runner *r, hoist_machine *machine, hoist_diag *diag, double *out_time)
{
    double now = 0;
    r->ahead = 0;
    if (r->has_cores) {
        hoist_pipeline_reset(&r->pipeline);
    }
    for (uint32_t i = 0; i < r->program->fifo_count; i++) {
        r->slots[i] = 0;
    }
    for (uint32_t i = 0; i < r->options->entry_count; i++) {
        HOIST_TRY(run_entry(r, machine, i, diag, &now));
        if (r->out->outcome != HOIST_OUTCOME_DONE) {
            break;
        }
    }
    *out_time = now;
    return HOIST_OK;
}

// The host has filled every ram that it may fill.
static void fill_rams(const hoist_program *program, hoist_machine *machine)
{
    for (hoist_ref i = 0; i < program->fifo_count; i++) {
        const hoist_prog_fifo *const fifo = &program->fifos[i];
        for (uint32_t k = 0; fifo->kind == HOIST_FIFO_RAM && fifo->host_push && k < fifo->slots;
             k++) {
            hoist_machine_host_write(machine, i, k);
        }
    }
}

// Forgets the rows of a run that did not end.
static void drop_rows(runner *r)
{
    hoist_forecast *const out = r->out;
    out->count = 0;
    for (size_t i = 0; i < out->process_count; i++) {
        out->processes[i] = (hoist_time_process){.name = out->processes[i].name};
        r->last_rows[i] = 0;
    }
}

// The first run and, unless the program ends only once, the second one.
static hoist_status run_twice(runner *r, hoist_machine *machine, hoist_diag *diag)
{
    hoist_forecast *const out = r->out;
    r->keeps = out->once && r->now == out->lead;
    HOIST_TRY(run_all(r, machine, diag, &out->first[r->now]));
    out->total[r->now] = out->first[r->now];
    if (out->once || out->outcome != HOIST_OUTCOME_DONE) {
        return HOIST_OK;
    }
    r->keeps = r->now == out->lead;
    HOIST_TRY(run_all(r, machine, NULL, &out->total[r->now]));
    out->once = out->outcome == HOIST_OUTCOME_DEADLOCK || out->outcome == HOIST_OUTCOME_FAULT;
    return HOIST_OK;
}

static hoist_status run_case(runner *r, hoist_diag *diag)
{
    const hoist_machine_options options = {.alloc = r->options->alloc,
                                           .max_steps = r->options->max_steps};
    hoist_machine *machine = NULL;
    HOIST_TRY(hoist_machine_create(r->program, &options, &machine));
    r->machine = machine;
    fill_rams(r->program, machine);
    const hoist_status status = run_twice(r, machine, diag);
    r->keeps = false;
    hoist_machine_destroy(machine);
    return status;
}

// Cases ---------------------------------------------------------------------------------------

typedef struct case_run {
    runner r;
    hoist_forecast found; // by a case that is not the lead
    hoist_diag *diag;     // owned
    hoist_status status;
} case_run;

typedef struct case_set {
    case_run runs[HOIST_CASE_COUNT];
    int count;
    hoist_forecast *out;
} case_set;

// The lead first, which keeps rows and takes longest.
static void run_one(void *self, size_t i)
{
    case_set *const set = self;
    case_run *const run = &set->runs[((size_t)set->out->lead + i) % (size_t)set->count];
    run->status = run_case(&run->r, run->diag);
}

// What the cases found together; of the first one that does not end the reason.
static hoist_status merge(case_set *set, hoist_diag *diag)
{
    hoist_forecast *const out = set->out;
    const case_run *stuck = NULL;
    for (int i = 0; i < set->count; i++) {
        const case_run *const run = &set->runs[i];
        const hoist_forecast *const found = run->r.out;
        HOIST_TRY(hoist_diag_incomplete(run->diag) ? HOIST_NO_MEMORY : run->status);
        out->first[i] = found->first[i];
        out->total[i] = found->total[i];
        out->overlaps = out->overlaps || found->overlaps;
        stuck = !stuck && found->outcome != HOIST_OUTCOME_DONE ? run : stuck;
    }
    if (stuck) {
        out->outcome = stuck->r.out->outcome;
        hoist_diag_add_all(diag, stuck->diag, NULL, NULL);
    }
    return HOIST_OK;
}

// Whether all first runs end, but not all second ones.
static bool ends_once(const case_set *set)
{
    bool once = false;
    for (int i = 0; i < set->count; i++) {
        const hoist_forecast *const found = set->runs[i].r.out;
        if (set->runs[i].status != HOIST_OK ||
            (found->outcome != HOIST_OUTCOME_DONE && !found->once)) {
            return false;
        }
        once = once || found->once;
    }
    return once;
}

// Again where only the first run ends: it counts then.
static hoist_status run_cases(case_set *set, hoist_diag *diag)
{
    hoist_run_on_cores((size_t)set->count, run_one, set);
    if (ends_once(set)) {
        drop_rows(&set->runs[set->out->lead].r);
        for (int i = 0; i < set->count; i++) {
            set->runs[i].r.out->once = true;
        }
        hoist_run_on_cores((size_t)set->count, run_one, set);
    }
    return merge(set, diag);
}

// Whether all that the program needs has typical times, too.
static bool find_bounds(const hoist_program *program, const hoist_cost_model *model)
{
    const hoist_str devices[] = {model->device,
                                 program->work_count ? program->works[0].device : model->device};
    for (size_t i = 0; i < HOIST_COUNT_OF(devices); i++) {
        for (int k = 0; k < HOIST_RATE_KIND_COUNT; k++) {
            const hoist_rate *const rate = hoist_cost_rate(model, devices[i], (hoist_rate_kind)k);
            if (rate && k != HOIST_RATE_REQUEST && rate->value[HOIST_CASE_TYPICAL] <= 0) {
                return true;
            }
        }
    }
    return false;
}

static bool name_processes(const hoist_program *program, hoist_forecast *out)
{
    out->process_count = (size_t)program->thread_count + program->unit_count;
    out->processes = hoist_arena_array(&out->arena, out->process_count + 1, sizeof *out->processes);
    for (size_t i = 0; out->processes && i < out->process_count; i++) {
        out->processes[i].name = i < program->thread_count
                                     ? program->threads[i].name
                                     : program->units[i - program->thread_count].name;
    }
    return out->processes != NULL;
}

// Places for the times of all steps.
static hoist_status make_steps(const hoist_program *program, hoist_forecast *out)
{
    const size_t codes = hoist_prog_code_count(program);
    out->steps = hoist_arena_array(&out->arena, codes + 1, sizeof(void *));
    HOIST_TRY_MEMORY(out->steps);
    for (size_t i = 0; i < codes; i++) {
        const hoist_prog_code *const code = hoist_prog_code_at(program, i);
        out->steps[i] =
            hoist_arena_array(&out->arena, (size_t)code->step_count + 1, sizeof **out->steps);
        HOIST_TRY_MEMORY(out->steps[i]);
    }
    return HOIST_OK;
}

static hoist_status make_runner(const hoist_program *program, hoist_forecast *out, runner *r)
{
    hoist_arena *const arena = &out->arena;
    r->last_rows = hoist_arena_array(arena, out->process_count + 1, sizeof *r->last_rows);
    r->slots = hoist_arena_array(arena, (size_t)program->fifo_count + 1, sizeof *r->slots);
    if (!r->last_rows || !r->slots) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(hoist_cost_cache_init(&r->costs, r->options->model, program, arena));
    r->has_cores = hoist_program_has_cores(program);
    return r->has_cores ? hoist_pipeline_init(&r->pipeline, program, out->process_count, arena)
                        : HOIST_OK;
}

static hoist_status make_set(const hoist_program *program, const hoist_forecast_options *options,
                             const hoist_diag *diag, case_set *set)
{
    hoist_forecast *const out = set->out;
    for (int i = 0; i < set->count; i++) {
        case_run *const run = &set->runs[i];
        run->found.lead = out->lead;
        run->r = (runner){.program = program,
                          .options = options,
                          .out = i == (int)out->lead ? out : &run->found,
                          .now = (hoist_case)i};
        HOIST_TRY(hoist_diag_create_like(options->alloc, diag, &run->diag));
        HOIST_TRY(make_runner(program, out, &run->r));
    }
    return HOIST_OK;
}

static hoist_status forecast_cases(const hoist_program *program,
                                   const hoist_forecast_options *options, hoist_diag *diag,
                                   hoist_forecast *out)
{
    hoist_shared_alloc shared;
    if (!hoist_shared_alloc_init(&shared, options->alloc)) {
        return HOIST_NO_MEMORY;
    }
    hoist_forecast_options own = *options;
    own.alloc = hoist_shared_allocator(&shared);
    case_set set = {.count = out->is_bound ? 1 : HOIST_CASE_COUNT, .out = out};
    hoist_status status = make_set(program, &own, diag, &set);
    status = status == HOIST_OK ? run_cases(&set, diag) : status;
    for (int i = 0; i < set.count; i++) {
        hoist_diag_destroy(set.runs[i].diag);
    }
    hoist_shared_alloc_deinit(&shared);
    return status;
}

hoist_status hoist_forecast_make(const hoist_program *program,
                                 const hoist_forecast_options *options, hoist_diag *diag,
                                 hoist_forecast *out_forecast)
{
    hoist_forecast *const out = out_forecast;
    *out = (hoist_forecast){.is_bound = find_bounds(program, options->model)};
    hoist_arena_init(&out->arena, options->alloc);
    out->lead = out->is_bound ? HOIST_CASE_LOW : HOIST_CASE_TYPICAL;
    if (!name_processes(program, out)) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(make_steps(program, out));
    return forecast_cases(program, options, diag, out);
}

void hoist_forecast_deinit(hoist_forecast *forecast)
{
    hoist_free(forecast->arena.alloc, forecast->rows, forecast->capacity * sizeof(*forecast->rows));
    hoist_arena_deinit(&forecast->arena);
}
