// Where the time of runs goes: the rows are made when a profile begins, and steps.c and host.c
// add times and bytes to them as steps end. Waiting is counted while something runs; what no other
// row has is control.
#include "runtime/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"
#include "os/thread.h"
#include "program/fields.h"

// Kinds of steps ------------------------------------------------------------------------------

// The type of a view's elements, which the program states.
static hoist_dtype dtype_of(const hoist_program *program, hoist_ref view)
{
    HOIST_ASSERT(view < program->view_count);
    return program->views[view].dtype;
}

// Whether a move is one of tiles: both of its sides are.
static bool is_tiled(const hoist_program *program, const hoist_prog_move *move)
{
    const hoist_prog_view *view = &program->views[move->destination];
    return program->layouts[view->layout].kind == HOIST_LAYOUT_TILED;
}

// A copy within one type is the same whatever the type.
static bool shows_types(const hoist_program *program, const hoist_prog_move *move)
{
    return !is_tiled(program, move) &&
           (move->op != HOIST_MOVE_COPY ||
            dtype_of(program, move->sources[0].view) != dtype_of(program, move->destination));
}

// All that tells kinds of moves apart, in 48 bits: types have 12 each, and are 0 where they are
// not shown.
static uint64_t move_bits(const hoist_program *program, const hoist_prog_move *move)
{
    const bool typed = shows_types(program, move);
    const uint64_t from = typed ? (uint64_t)dtype_of(program, move->sources[0].view) : 0;
    const uint64_t to = typed ? (uint64_t)dtype_of(program, move->destination) : 0;
    const unsigned flags = (move->transpose_rank ? 4U : 0U) | (move->table ? 2U : 0U) |
                           (is_tiled(program, move) ? 1U : 0U);
    return (uint64_t)move->op << 32 | from << 20 | to << 8 | flags;
}

// The key of a step's kind. Steps with equal keys have the same name.
static uint64_t bits_of(const hoist_program *program, const hoist_prog_step *step)
{
    uint64_t bits = 0;
    switch (step->kind) {
    case HOIST_STEP_MOVE:
        bits = move_bits(program, step->as.move);
        break;
    case HOIST_STEP_COMPUTE:
        bits = (uint64_t)step->as.compute->op;
        break;
    case HOIST_STEP_COLLECTIVE:
        bits = (uint64_t)step->as.collective->kind << 32 | (uint64_t)step->as.collective->op;
        break;
    default:
        break;
    }
    return (uint64_t)step->kind << 48 | bits;
}

// "move copy", "collective all_reduce add": the keyword and what is chosen right after it.
static hoist_str title_of(hoist_arena *arena, const hoist_prog_step *step)
{
    const hoist_record *record = hoist_step_record(step->kind);
    const uint8_t *fields = hoist_step_fields(step);
    hoist_str title = hoist_str_from(record->keyword);
    for (uint32_t i = 0; title.data && i < record->field_count; i++) {
        const hoist_field *field = &record->fields[i];
        // A choice that stands right after the keyword in the text of a program.
        if (field->type == HOIST_FIELD_CHOICE && !field->word &&
            (!field->used || field->used(fields))) {
            uint32_t choice = 0;
            memcpy(&choice, fields + field->offset, sizeof choice);
            title = hoist_arena_format(arena, "%.*s %s", HOIST_STR_ARGS(title),
                                       field->words->names[choice]);
        }
    }
    return title;
}

// "move copy bf16 to f32 transposed".
static hoist_str move_name(const hoist_program *program, hoist_arena *arena,
                           const hoist_prog_step *step)
{
    const hoist_prog_move *move = step->as.move;
    const hoist_str title = title_of(arena, step);
    const char *from = hoist_dtype_get(dtype_of(program, move->sources[0].view))->name;
    const char *to = hoist_dtype_get(dtype_of(program, move->destination))->name;
    const bool typed = shows_types(program, move);
    const bool converts = typed && from != to;
    return !title.data
               ? title
               : hoist_arena_format(arena, "%.*s%s%s%s%s%s%s%s", HOIST_STR_ARGS(title),
                                    typed ? " " : "", typed ? from : "", converts ? " to " : "",
                                    converts ? to : "", is_tiled(program, move) ? " tiles" : "",
                                    move->transpose_rank ? " transposed" : "",
                                    move->table ? " by table" : "");
}

// The name of a step's row, in the arena.
static hoist_str name_of(const hoist_program *program, hoist_arena *arena,
                         const hoist_prog_step *step)
{
    if (step->kind == HOIST_STEP_MOVE) {
        return move_name(program, arena, step);
    }
    if (step->kind == HOIST_STEP_COMPUTE) {
        const hoist_compute_def *def = hoist_compute_get(step->as.compute->op);
        return hoist_arena_format(arena, "%s.%s", hoist_profile_name(def->profile), def->name);
    }
    return title_of(arena, step);
}

// The group of rows that a kind of step belongs to; zeroing is a move.
static hoist_profiled kind_of(hoist_step_kind kind)
{
    switch (kind) {
    case HOIST_STEP_COMPUTE:
        return HOIST_PROFILED_COMPUTE;
    case HOIST_STEP_COLLECTIVE:
        return HOIST_PROFILED_COLLECTIVE;
    case HOIST_STEP_OPAQUE:
        return HOIST_PROFILED_OPAQUE;
    default:
        return HOIST_PROFILED_MOVE;
    }
}

static int by_bits(const void *a, const void *b)
{
    const uint64_t x = ((const hoist_profile_key *)a)->bits;
    const uint64_t y = ((const hoist_profile_key *)b)->bits;
    return (x > y) - (x < y);
}

// Counts the data steps of the program, and with `keys` lists the key of each.
static size_t add_keys(const hoist_program *program, hoist_profile_key *keys)
{
    size_t count = 0;
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        const hoist_prog_code *code = hoist_prog_code_at(program, i);
        for (uint32_t k = 0; k < code->step_count; k++) {
            if (!hoist_profile_is_data(&code->steps[k])) {
                continue;
            }
            if (keys) {
                keys[count] =
                    (hoist_profile_key){bits_of(program, &code->steps[k]), &code->steps[k]};
            }
            count++;
        }
    }
    return count;
}

// One key for each kind.
static hoist_status find_keys(hoist_profiler *p)
{
    const size_t count = add_keys(p->program, NULL);
    p->keys = hoist_arena_array(&p->arena, count, sizeof(p->keys[0]));
    if (!p->keys) {
        return HOIST_NO_MEMORY;
    }
    (void)add_keys(p->program, p->keys);
    // Equal keys are neighbours then, and a step finds its key by a search.
    qsort(p->keys, count, sizeof(p->keys[0]), by_bits);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || p->keys[i].bits != p->keys[i - 1].bits) {
            p->keys[p->key_count++] = p->keys[i];
        }
    }
    return HOIST_OK;
}

// Rows ----------------------------------------------------------------------------------------

// A row without times; the caller has space for all of them.
static void add_row(hoist_profiler *p, hoist_profiled kind, hoist_str name)
{
    p->rows[p->row_count++] =
        (hoist_profile_row){.struct_size = sizeof(hoist_profile_row), .kind = kind, .name = name};
}

static void add_fixed_rows(hoist_profiler *p)
{
    static const struct {
        hoist_profiled kind;
        const char *name;
    } fixed[HOIST_PROFILE_FIXED_ROWS] = {
        [HOIST_PROFILE_ROW_RUNS] = {HOIST_PROFILED_RUNS, "runs"},
        [HOIST_PROFILE_ROW_CONTROL] = {HOIST_PROFILED_CONTROL, "control"},
        [HOIST_PROFILE_ROW_IDLE] = {HOIST_PROFILED_IDLE, "idle"},
        [HOIST_PROFILE_ROW_PUSH] = {HOIST_PROFILED_HOST, "push"},
        [HOIST_PROFILE_ROW_POP] = {HOIST_PROFILED_HOST, "pop"},
    };
    for (size_t i = 0; i < HOIST_PROFILE_FIXED_ROWS; i++) {
        add_row(p, fixed[i].kind, hoist_str_from(fixed[i].name));
    }
}

// Functions and ops, in the order of their names' numbers.
static void add_places(hoist_profiler *p)
{
    p->first_place = p->row_count;
    for (size_t i = 0; i < p->places.name_count; i++) {
        add_row(p, i < p->places.functions ? HOIST_PROFILED_FUNCTION : HOIST_PROFILED_OP,
                p->places.names[i]);
    }
}

// Makes all rows in their order (profile.h), so that rows are found by sums.
static hoist_status add_rows(hoist_profiler *p)
{
    const hoist_program *program = p->program;
    const size_t processes = (size_t)program->thread_count + program->unit_count;
    p->rows = hoist_arena_array(&p->arena,
                                HOIST_PROFILE_FIXED_ROWS + p->key_count + processes + p->workers +
                                    p->places.name_count,
                                sizeof(p->rows[0]));
    if (!p->rows) {
        return HOIST_NO_MEMORY;
    }
    add_fixed_rows(p);
    for (size_t i = 0; i < p->key_count; i++) {
        const hoist_prog_step *step = p->keys[i].step;
        add_row(p, kind_of(step->kind), name_of(program, &p->arena, step));
    }
    p->first_thread = p->row_count;
    for (uint32_t i = 0; i < program->thread_count; i++) {
        add_row(p, HOIST_PROFILED_THREAD, program->threads[i].name);
    }
    for (uint32_t i = 0; i < program->unit_count; i++) {
        add_row(p, HOIST_PROFILED_UNIT, program->units[i].name);
    }
    p->first_worker = p->row_count;
    for (uint32_t i = 0; i < p->workers; i++) {
        add_row(p, HOIST_PROFILED_WORKER, hoist_arena_format(&p->arena, "worker %u", i));
    }
    for (size_t i = 0; i < p->row_count; i++) {
        // Names made here are in the arena; those of threads and units may be missing in the
        // program.
        if (!p->rows[i].name.data && p->rows[i].kind != HOIST_PROFILED_THREAD &&
            p->rows[i].kind != HOIST_PROFILED_UNIT) {
            return HOIST_NO_MEMORY;
        }
    }
    add_places(p);
    return HOIST_OK;
}

hoist_status hoist_profiler_init(hoist_profiler *profiler, const hoist_profiler_setup *setup)
{
    *profiler = (hoist_profiler){.program = setup->program,
                                 .workers = setup->workers ? setup->workers : 1,
                                 .callers_work = setup->workers == 0,
                                 .run_began = -1,
                                 .idle = setup->idle};
    hoist_arena_init(&profiler->arena, setup->alloc);
    HOIST_TRY(find_keys(profiler));
    HOIST_TRY(hoist_profile_places_find(setup->program, &profiler->arena, &profiler->places));
    HOIST_TRY(add_rows(profiler));
    profiler->has_timeline = setup->events > 0;
    return profiler->has_timeline
               ? hoist_timeline_init(&profiler->timeline, setup->alloc,
                                     &(hoist_timeline_setup){.most = setup->events,
                                                             .control = HOIST_PROFILE_ROW_CONTROL,
                                                             .idle = HOIST_PROFILE_ROW_IDLE,
                                                             .first_worker = profiler->first_worker,
                                                             .workers = profiler->workers,
                                                             .waits = !profiler->callers_work,
                                                             .origin = hoist_now()})
               : HOIST_OK;
}

void hoist_profiler_deinit(hoist_profiler *profiler)
{
    hoist_timeline_deinit(&profiler->timeline);
    hoist_arena_deinit(&profiler->arena);
}

// Time ----------------------------------------------------------------------------------------

// Seconds of waiting since the number of those who wait last changed, while something runs. Several
// callers of a sequential session may wait: no more than there are workers count.
static double open_idle(const hoist_profiler *p, double now)
{
    const uint32_t idle = p->idle < p->workers ? p->idle : p->workers;
    return p->run_began >= 0 ? idle * (now - p->idle_since) : 0;
}

// Adds the waiting up to now; from here on another number of workers waits.
static void settle_idle(hoist_profiler *p, double now)
{
    p->rows[HOIST_PROFILE_ROW_IDLE].seconds += open_idle(p, now);
    p->idle_since = now;
}

void hoist_profiler_begin_run(hoist_profiler *profiler, hoist_ref entry, double now,
                              uint64_t control_steps)
{
    settle_idle(profiler, now);
    profiler->entry = entry;
    profiler->run_began = now;
    profiler->control_before = control_steps;
    profiler->rows[HOIST_PROFILE_ROW_RUNS].calls++;
    if (profiler->has_timeline) {
        hoist_timeline_begin_run(&profiler->timeline, now);
    }
}

// The run itself is an event, above what is done in it.
static void note_run(hoist_profiler *p, double now)
{
    const hoist_timed run = {.row = HOIST_PROFILE_ROW_RUNS,
                             .owner = HOIST_PROFILE_ROW_RUNS,
                             .steps = 1,
                             .begin = p->run_began,
                             .end = now,
                             .label = &p->program->entries[p->entry].name};
    if (p->has_timeline) {
        hoist_timeline_end_run(&p->timeline, now);
        hoist_timeline_add(&p->timeline, &run);
    }
}

void hoist_profiler_end_run(hoist_profiler *profiler, double now, uint64_t control_steps)
{
    // Without a run there is nothing to end.
    if (profiler->run_began >= 0) {
        settle_idle(profiler, now);
        profiler->rows[HOIST_PROFILE_ROW_RUNS].seconds += now - profiler->run_began;
        profiler->rows[HOIST_PROFILE_ROW_CONTROL].calls += control_steps - profiler->control_before;
        note_run(profiler, now);
        profiler->run_began = -1;
    }
}

void hoist_profiler_begin_wait(hoist_profiler *profiler, size_t worker, double now)
{
    settle_idle(profiler, now);
    profiler->idle++;
    profiler->rows[HOIST_PROFILE_ROW_IDLE].calls += profiler->run_began >= 0;
    if (profiler->has_timeline) {
        hoist_timeline_begin_wait(&profiler->timeline, worker, now);
    }
}

void hoist_profiler_end_wait(hoist_profiler *profiler, size_t worker, double now)
{
    settle_idle(profiler, now);
    if (profiler->has_timeline) {
        hoist_timeline_end_wait(&profiler->timeline, worker, now);
    }
    profiler->idle -= profiler->idle > 0; // it may have begun before the profile did
}

// Bytes ---------------------------------------------------------------------------------------

// Bytes of elements, whatever gaps are between them.
static uint64_t view_bytes(const hoist_view *view)
{
    return (uint64_t)hoist_shape_count(&view->shape) * (hoist_dtype_get(view->dtype)->bits / 8);
}

// Bytes of tiles as the session holds them, float32.
static uint64_t tile_bytes(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols * HOIST_TILE_BYTES;
}

// Operations by the definition of the kernel, from the shapes of all operands.
static uint64_t flops_of(const hoist_compute_call *call)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    for (size_t i = 0; i <= call->input_count; i++) {
        const hoist_tiles *tiles = i < call->input_count ? &call->inputs[i] : &call->output;
        operands[i] = call->views
                          ? (hoist_compute_operand){call->views[i].dtype, call->views[i].shape}
                          : hoist_compute_tiles(tiles->shape);
    }
    return hoist_compute_flops(call->op, &call->attrs, operands);
}

// Each operand is counted once, however often the kernel reads it.
static hoist_traffic compute_traffic(const hoist_compute_call *call)
{
    hoist_traffic bytes = {.flops = flops_of(call)};
    for (size_t i = 0; i < call->input_count; i++) {
        bytes.read += call->views ? view_bytes(&call->views[i]) : tile_bytes(&call->inputs[i]);
    }
    bytes.written =
        call->views ? view_bytes(&call->views[call->input_count]) : tile_bytes(&call->output);
    return bytes;
}

// With a table as many elements or tiles are read as are written.
static hoist_traffic tile_move_traffic(const hoist_tile_move *move)
{
    hoist_traffic bytes = {.written = tile_bytes(&move->destination)};
    for (size_t i = 0; !move->table && i < move->source_count; i++) {
        bytes.read += tile_bytes(&move->sources[i]);
    }
    bytes.read = move->table ? bytes.written : bytes.read;
    return bytes;
}

// The same of a move of elements.
static hoist_traffic view_move_traffic(const hoist_view_move *move)
{
    hoist_traffic bytes = {.written = view_bytes(&move->destination)};
    for (size_t i = 0; !move->table && i < move->source_count; i++) {
        bytes.read += view_bytes(&move->sources[i]);
    }
    if (move->table) {
        bytes.read = (uint64_t)hoist_shape_count(&move->destination.shape) *
                     (hoist_dtype_get(move->sources[0].dtype)->bits / 8);
    }
    return bytes;
}

// The operands of all members together; a barrier moves nothing.
static hoist_traffic collective_traffic(const hoist_work *work)
{
    hoist_traffic bytes = {0};
    const bool barrier = work->step->as.collective->kind == HOIST_COLLECTIVE_BARRIER;
    for (size_t i = 0; !barrier && i < work->member_count; i++) {
        bytes.read += view_bytes(&work->members[i].source);
        bytes.written += view_bytes(&work->members[i].destination);
    }
    return bytes;
}

// What the caller's function is given.
static hoist_traffic opaque_traffic(const hoist_opaque_work *opaque)
{
    hoist_traffic bytes = {0};
    for (size_t i = 0; i < opaque->step.read_count; i++) {
        bytes.read += opaque->step.reads[i].elements.size;
    }
    for (size_t i = 0; i < opaque->step.write_count; i++) {
        bytes.written += opaque->step.writes[i].elements.size;
    }
    return bytes;
}

// Bytes and operations of a step that was made ready.
static hoist_traffic traffic_of(const hoist_work *work, const hoist_store *store)
{
    const hoist_store_fifo *fifo = NULL;
    switch (work->kind) {
    case HOIST_WORK_NONE:
        return (hoist_traffic){0};
    case HOIST_WORK_COMPUTE:
        return compute_traffic(&work->call);
    case HOIST_WORK_TILE_MOVE:
        return tile_move_traffic(&work->tile_move);
    case HOIST_WORK_VIEW_MOVE:
        return view_move_traffic(&work->view_move.move);
    case HOIST_WORK_ZERO:
        fifo = &store->fifos[work->fifo];
        return (hoist_traffic){.written = work->units * (fifo->tile_count
                                                             ? fifo->tile_count * HOIST_TILE_BYTES
                                                             : fifo->slot_bytes)};
    case HOIST_WORK_COLLECTIVE:
        return collective_traffic(work);
    case HOIST_WORK_GROUP:
        break; // each of its steps has a row
    }
    return (hoist_traffic){0};
}

// Steps ---------------------------------------------------------------------------------------

// Threads of the entry come first, then units.
static size_t process_row(const hoist_profiler *p, size_t process)
{
    const hoist_prog_entry *entry = &p->program->entries[p->entry];
    return p->first_thread + (process < entry->thread_count
                                  ? entry->threads[process]
                                  : p->program->thread_count + process - entry->thread_count);
}

// One more execution, in one of the rows that a step belongs to.
static void count_call(hoist_profile_row *row, hoist_traffic bytes)
{
    row->calls++;
    row->bytes_read += bytes.read;
    row->bytes_written += bytes.written;
    row->flops += bytes.flops;
}

// The row of a function or op; 0, which is that of runs, stands for none.
static size_t place_row(const hoist_profiler *p, hoist_ref place)
{
    return place == HOIST_NO_REF ? 0 : p->first_place + place;
}

// Finds the rows of a step and counts it there; its times come while it is worked on.
static void begin_step(hoist_profiler *p, size_t process, const hoist_prog_step *step,
                       hoist_traffic bytes, hoist_profiled_step *out_step)
{
    const hoist_profile_key key = {bits_of(p->program, step), NULL};
    const hoist_profile_key *found = bsearch(&key, p->keys, p->key_count, sizeof(key), by_bits);
    out_step->step = step;
    out_step->traffic = bytes;
    out_step->kind_row = HOIST_PROFILE_FIXED_ROWS + (size_t)(found - p->keys);
    out_step->process_row = process_row(p, process);
    count_call(&p->rows[out_step->kind_row], bytes);
    count_call(&p->rows[out_step->process_row], bytes);
    const hoist_profile_place place = hoist_profile_places_of(&p->places, step);
    out_step->place_rows[0] = place_row(p, place.function);
    out_step->place_rows[1] = place_row(p, place.op);
    for (size_t i = 0; i < HOIST_COUNT_OF(out_step->place_rows); i++) {
        if (out_step->place_rows[i]) {
            count_call(&p->rows[out_step->place_rows[i]], bytes);
        }
    }
    out_step->began = hoist_now();
}

void hoist_profiler_begin_step(hoist_profiler *profiler, size_t process, const hoist_work *work,
                               const hoist_opaque_work *opaque, const hoist_store *store,
                               hoist_profiled_step *out_step)
{
    const hoist_traffic bytes = opaque ? opaque_traffic(opaque) : traffic_of(work, store);
    begin_step(profiler, process, work->step, bytes, out_step);
}

void hoist_profiler_begin_group(hoist_profiler *profiler, size_t process, const hoist_work *work,
                                hoist_profiled_step *out_steps)
{
    for (uint32_t i = 0; i < work->group->count; i++) {
        const hoist_block_step *step = &work->steps[i];
        hoist_compute_call call = step->call;
        call.views = step->views;
        const hoist_traffic copied = {.read = view_bytes(&step->views[0]),
                                      .written = view_bytes(&step->views[1])};
        begin_step(profiler, process, &work->group->steps[i],
                   step->copies ? copied : compute_traffic(&call), &out_steps[i]);
    }
}

// The event of these steps, without who did it and when.
static hoist_timed timed_of(const hoist_profiled_step *steps, uint32_t count)
{
    return (hoist_timed){.row = (uint32_t)steps[0].kind_row,
                         .steps = count,
                         .label = &steps[0].step->label,
                         .loc = &steps[0].step->loc};
}

// The piece, and in it the steps of a group one after the other: how long each took in all blocks.
static void note_piece(hoist_profiler *p, const hoist_profiled_step *steps, uint32_t count,
                       const hoist_profiled_piece *piece)
{
    hoist_timed timed = timed_of(steps, count);
    timed.owner = (uint32_t)(p->first_worker + piece->worker);
    timed.begin = piece->began;
    timed.end = piece->began + piece->seconds;
    // Nothing of the piece is left to show, and so nothing of its steps.
    if (!hoist_timeline_work(&p->timeline, piece->worker, &timed)) {
        return;
    }
    double began = timed.begin;
    const double ended = timed.end;
    // Sums of clocks may be a little longer than the piece: the last ones are cut.
    for (uint32_t i = 0; piece->each && i < count && began < ended; i++) {
        hoist_timed step = timed_of(&steps[i], 1);
        step.owner = timed.owner;
        step.nested = true;
        step.begin = began;
        step.end = began + piece->each[i] < ended ? began + piece->each[i] : ended;
        began = step.end;
        hoist_timeline_add(&p->timeline, &step);
    }
}

void hoist_profiler_work(hoist_profiler *profiler, const hoist_profiled_step *steps, uint32_t count,
                         const hoist_profiled_piece *piece)
{
    // A worker's time counts once for the worker, and in each row that the step belongs to.
    hoist_profile_row *row = &profiler->rows[profiler->first_worker + piece->worker];
    for (uint32_t i = 0; i < count; i++) {
        const double seconds = piece->each ? piece->each[i] : piece->seconds;
        row->calls++;
        row->seconds += seconds;
        profiler->rows[steps[i].kind_row].seconds += seconds;
        for (size_t k = 0; k < HOIST_COUNT_OF(steps[i].place_rows); k++) {
            if (steps[i].place_rows[k]) {
                profiler->rows[steps[i].place_rows[k]].seconds += seconds;
            }
        }
    }
    if (profiler->has_timeline) {
        note_piece(profiler, steps, count, piece);
    }
}

void hoist_profiler_end_step(hoist_profiler *profiler, const hoist_profiled_step *steps,
                             uint32_t count, double now)
{
    // For a process it is the time that its step took, however many workers did it.
    profiler->rows[steps[0].process_row].seconds += now - steps[0].began;
    if (!profiler->has_timeline) {
        return;
    }
    hoist_timed timed = timed_of(steps, count);
    timed.owner = (uint32_t)steps[0].process_row;
    timed.begin = steps[0].began;
    timed.end = now;
    for (uint32_t i = 0; i < count; i++) {
        // An event of a group has the sums of its steps.
        timed.bytes_read += steps[i].traffic.read;
        timed.bytes_written += steps[i].traffic.written;
        timed.flops += steps[i].traffic.flops;
    }
    hoist_timeline_add(&profiler->timeline, &timed);
}

// In a sequential session it is the caller, who is the worker, that converts the entry.
static void note_host(hoist_profiler *p, hoist_timed *timed)
{
    if (p->callers_work && p->run_began >= 0) {
        timed->owner = (uint32_t)p->first_worker;
        (void)hoist_timeline_work(&p->timeline, 0, timed);
    } else {
        hoist_timeline_add(&p->timeline, timed);
    }
}

void hoist_profiler_host(hoist_profiler *profiler, bool is_push, size_t size, double began,
                         double seconds)
{
    const uint32_t index = is_push ? HOIST_PROFILE_ROW_PUSH : HOIST_PROFILE_ROW_POP;
    hoist_profile_row *row = &profiler->rows[index];
    hoist_timed timed = {.row = index,
                         .owner = index,
                         .steps = 1,
                         .begin = began,
                         .end = began + seconds,
                         .bytes_read = is_push ? 0 : size,
                         .bytes_written = is_push ? size : 0};
    row->calls++;
    row->seconds += seconds;
    row->bytes_read += timed.bytes_read;
    row->bytes_written += timed.bytes_written;
    // Of a sequential session this time is no control.
    profiler->host_in_runs += profiler->run_began >= 0 ? seconds : 0;
    if (profiler->has_timeline) {
        note_host(profiler, &timed);
    }
}

// What is left of the runs' time when all else is taken away.
static double control_seconds(const hoist_profiler *p, double runs, double idle)
{
    double seconds = runs * p->workers - idle - (p->callers_work ? p->host_in_runs : 0);
    for (size_t i = 0; i < p->key_count; i++) {
        seconds -= p->rows[HOIST_PROFILE_FIXED_ROWS + i].seconds;
    }
    // Clocks are read at different moments.
    return seconds > 0 ? seconds : 0;
}

hoist_profile_row hoist_profiler_row(const hoist_profiler *profiler, size_t index, double now)
{
    hoist_profile_row row = profiler->rows[index];
    const bool runs = profiler->run_began >= 0;
    const double all =
        profiler->rows[HOIST_PROFILE_ROW_RUNS].seconds + (runs ? now - profiler->run_began : 0);
    const double idle = profiler->rows[HOIST_PROFILE_ROW_IDLE].seconds + open_idle(profiler, now);
    // Three rows go on while a run does; all others are as they were noted last.
    if (index == HOIST_PROFILE_ROW_RUNS) {
        row.seconds = all;
    } else if (index == HOIST_PROFILE_ROW_IDLE) {
        row.seconds = idle;
    } else if (index == HOIST_PROFILE_ROW_CONTROL) {
        row.seconds = control_seconds(profiler, all, idle);
    }
    return row;
}
