// The builder of programs: rows in, copied into the arena of the program; tables that grow, code
// that is open, limits. finish() freezes the tables and makes the index (index.c); the first
// failure is kept and returned there.
// Tables grow on the heap and are copied to the arena at the end, in one piece each; names,
// lists and payloads of steps are in the arena from the start. A builder that failed keeps
// accepting calls, so that a lowering checks once, at its end.
#include "program/builder.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/map.h"
#include "base/span.h"
#include "program/index.h"

// A growing table of rows of one size.
typedef struct rows {
    void *items;  // owned
    size_t size;  // bytes of a row
    size_t count; // rows in use
    size_t capacity;
} rows;

typedef enum table {
    SPACES,
    BUFFERS,
    RELOCATIONS,
    PORTS,
    NEEDS,
    LAYOUTS,
    VIEWS,
    FIFOS,
    UNITS,
    SEMAPHORES,
    FUNCTIONS,
    THREADS,
    ENTRIES,
    WORKS,
    LEFT_OUT,
    SOURCES,
    // From here on not of the program: emptied at the end of each code.
    REGISTERS, // of the code at hand
    STEPS,
    LOOPS, // indices of LOOP steps without END
    TABLE_COUNT,
} table;

static const size_t row_sizes[TABLE_COUNT] = {
    [SPACES] = sizeof(hoist_prog_space),
    [BUFFERS] = sizeof(hoist_prog_buffer),
    [RELOCATIONS] = sizeof(hoist_prog_relocation),
    [PORTS] = sizeof(hoist_prog_port),
    [NEEDS] = sizeof(hoist_prog_need),
    [LAYOUTS] = sizeof(hoist_prog_layout),
    [VIEWS] = sizeof(hoist_prog_view),
    [FIFOS] = sizeof(hoist_prog_fifo),
    [UNITS] = sizeof(hoist_prog_unit),
    [SEMAPHORES] = sizeof(hoist_prog_semaphore),
    [FUNCTIONS] = sizeof(hoist_prog_function),
    [THREADS] = sizeof(hoist_prog_thread),
    [ENTRIES] = sizeof(hoist_prog_entry),
    [WORKS] = sizeof(hoist_prog_work),
    [LEFT_OUT] = sizeof(hoist_str),
    [SOURCES] = sizeof(hoist_source),
    [REGISTERS] = sizeof(hoist_prog_register),
    [STEPS] = sizeof(hoist_prog_step),
    [LOOPS] = sizeof(uint32_t),
};

struct hoist_builder {
    hoist_allocator alloc;
    hoist_status status;      // sticky
    hoist_deadline *deadline; // borrowed; NULL: none
    hoist_program *program;   // owned: the arena is in use from the start
    rows tables[TABLE_COUNT];
    hoist_map layouts;  // bytes of a row -> index
    hoist_map views;    // the same of views
    hoist_map contents; // places and sizes of contents as they were given -> where they are kept
    const hoist_rule **rules; // of the program; arena, NULL: none
    uint32_t work, rest;      // of the next data step, and of those after it
    hoist_prog_code *code;    // of the function or thread being built; NULL: none
};

hoist_status hoist_builder_create(hoist_allocator alloc, hoist_str name,
                                  hoist_builder **out_builder)
{
    *out_builder = NULL;
    hoist_builder *b = hoist_alloc_zero(alloc, 1, sizeof *b);
    hoist_program *program = hoist_alloc_zero(alloc, 1, sizeof *program);
    if (!b || !program) {
        hoist_free(alloc, b, sizeof *b);
        hoist_free(alloc, program, sizeof *program);
        return HOIST_NO_MEMORY;
    }
    // From here on hoist_builder_destroy() can free it, whatever is missing.
    b->alloc = alloc;
    b->program = program;
    hoist_arena_init(&program->arena, alloc);
    hoist_map_init(&b->layouts, alloc);
    hoist_map_init(&b->views, alloc);
    hoist_map_init(&b->contents, alloc);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        b->tables[i].size = row_sizes[i];
    }
    program->name = hoist_arena_str(&program->arena, name);
    b->status = program->name.data ? HOIST_OK : HOIST_NO_MEMORY;
    *out_builder = b;
    return HOIST_OK;
}

// The allocator is a copy, as the arena that has it is part of what is freed.
void hoist_program_destroy(hoist_program *program)
{
    if (program) {
        const hoist_allocator alloc = program->arena.alloc;
        hoist_prog_index_deinit(program);
        hoist_arena_deinit(&program->arena);
        hoist_free(alloc, program, sizeof *program);
    }
}

void hoist_builder_destroy(hoist_builder *builder)
{
    if (!builder) {
        return;
    }
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        hoist_free(builder->alloc, builder->tables[i].items,
                   builder->tables[i].capacity * builder->tables[i].size);
    }
    hoist_map_deinit(&builder->layouts);
    hoist_map_deinit(&builder->views);
    hoist_map_deinit(&builder->contents);
    hoist_program_destroy(builder->program);
    hoist_free(builder->alloc, builder, sizeof *builder);
}

hoist_status hoist_builder_status(const hoist_builder *b)
{
    return b->status;
}

// The first status is kept: later ones follow from it.
static void fail(hoist_builder *b, hoist_status status)
{
    if (b->status == HOIST_OK) {
        b->status = status;
    }
}

void hoist_builder_limit(hoist_builder *b, hoist_deadline *deadline)
{
    b->deadline = deadline;
}

// A new row of `which`, a copy of `row`; NULL after a failure.
// The deadline is looked at once per row: lowering a large file is mostly this.
static void *add(hoist_builder *b, table which, const void *row)
{
    HOIST_ASSERT(which < TABLE_COUNT && row);
    rows *t = &b->tables[which];
    fail(b, hoist_deadline_look(b->deadline));
    // HOIST_NO_REF itself can be no index.
    if (b->status == HOIST_OK && t->count >= HOIST_NO_REF) {
        fail(b, HOIST_LIMIT);
    }
    HOIST_ASSERT(t->size == row_sizes[which] && t->count <= t->capacity);
    if (b->status == HOIST_OK &&
        !hoist_grow(b->alloc, &t->items, &t->capacity, t->count + 1, t->size)) {
        fail(b, HOIST_NO_MEMORY);
    }
    if (b->status != HOIST_OK) {
        return NULL;
    }
    void *slot = (uint8_t *)t->items + t->count * t->size;
    memcpy(slot, row, t->size);
    t->count++;
    return slot;
}

// Index of the row that was added last.
// HOIST_NO_REF after a failure, which later calls pass on unharmed.
static hoist_ref last(const hoist_builder *b, table which)
{
    HOIST_ASSERT(b->status != HOIST_OK || b->tables[which].count > 0);
    return b->status == HOIST_OK ? (hoist_ref)(b->tables[which].count - 1) : HOIST_NO_REF;
}

// Copies of what callers own. After a failure the program is never seen.
// NULL for nothing as well as after a failure: empty lists have no memory.
static const void *keep(hoist_builder *b, const void *items, size_t count, size_t size)
{
    HOIST_ASSERT(size > 0);
    if (!items || count == 0 || b->status != HOIST_OK) {
        return NULL;
    }
    void *copy = hoist_arena_array(&b->program->arena, count, size);
    if (!copy) {
        fail(b, HOIST_NO_MEMORY);
        return NULL;
    }
    memcpy(copy, items, count * size);
    return copy;
}

static hoist_str keep_str(hoist_builder *b, hoist_str text)
{
    return (hoist_str){keep(b, text.data, text.size, 1), text.size};
}

// Bytes without size have no data.
static hoist_bytes keep_bytes(hoist_builder *b, hoist_bytes bytes)
{
    return (hoist_bytes){keep(b, bytes.data, bytes.size, 1), bytes.size};
}

// The same, but what was given before from the same place, as the constants of each rank are, is
// kept once.
// Constants of a job of n ranks are given n times, from the same mapped file. The key is the
// place in memory, not the bytes: hashing gigabytes would cost more than copying them.
static hoist_bytes keep_contents(hoist_builder *b, hoist_bytes bytes)
{
    enum { WORTHWHILE = 4096 }; // bytes
    const hoist_str place = {(const char *)&bytes, sizeof bytes};
    size_t found = 0;
    if (bytes.size < WORTHWHILE || b->status != HOIST_OK) {
        return keep_bytes(b, bytes);
    }
    if (hoist_map_find(&b->contents, place, &found)) {
        const uint8_t *const kept = (const uint8_t *)(uintptr_t)found;
        // The caller may have freed the place and put something else there.
        const bool same = memcmp(kept, bytes.data, bytes.size) == 0; // there may be others now
        return same ? (hoist_bytes){kept, bytes.size} : keep_bytes(b, bytes);
    }
    const hoist_bytes kept = keep_bytes(b, bytes);
    const void *const key = keep(b, &bytes, 1, sizeof bytes);
    if (kept.data && key &&
        hoist_map_add(&b->contents, (hoist_str){key, sizeof bytes}, (size_t)(uintptr_t)kept.data,
                      NULL) != HOIST_OK) {
        fail(b, HOIST_NO_MEMORY);
    }
    return kept;
}

// A new row of a table whose rows begin with their name.
static void *add_named(hoist_builder *b, table which, const void *row)
{
    hoist_str *const name = add(b, which, row);
    if (name) {
        *name = keep_str(b, *name);
    }
    return name;
}

hoist_ref hoist_builder_space(hoist_builder *b, const hoist_prog_space *row)
{
    (void)add_named(b, SPACES, row);
    return last(b, SPACES);
}

hoist_ref hoist_builder_buffer(hoist_builder *b, const hoist_prog_buffer *row)
{
    hoist_prog_buffer *new = add_named(b, BUFFERS, row);
    if (new) {
        new->bytes = keep_contents(b, row->bytes);
    }
    return last(b, BUFFERS);
}

void hoist_builder_relocation(hoist_builder *b, const hoist_prog_relocation *row)
{
    (void)add(b, RELOCATIONS, row);
}

hoist_ref hoist_builder_port(hoist_builder *b, const hoist_prog_port *row)
{
    hoist_prog_port *new = add_named(b, PORTS, row);
    if (new) {
        new->note = keep_str(b, row->note);
    }
    return last(b, PORTS);
}

void hoist_builder_need(hoist_builder *b, const hoist_prog_need *row)
{
    (void)add(b, NEEDS, row);
}

// The row equal to the `size` bytes at `row`, which have no undefined padding; added when new.
// Lowerings ask for the same layout for each tensor and step; shared rows keep programs small,
// and equal layouts have equal indices, which the verifier compares.
static hoist_ref share(hoist_builder *b, table which, hoist_map *index, const void *row)
{
    const size_t size = b->tables[which].size;
    size_t found = 0;
    if (b->status == HOIST_OK && hoist_map_find(index, (hoist_str){row, size}, &found)) {
        return (hoist_ref)found;
    }
    const void *key = keep(b, row, 1, size);
    if (!key || !add(b, which, row)) {
        return HOIST_NO_REF;
    }
    const hoist_ref at = last(b, which);
    if (hoist_map_add(index, (hoist_str){key, size}, at, NULL) != HOIST_OK) {
        fail(b, HOIST_NO_MEMORY);
        return HOIST_NO_REF;
    }
    return at;
}

hoist_ref hoist_builder_layout(hoist_builder *b, const hoist_prog_layout *row)
{
    // Field by field into zeroed memory: padding and members of the other kind must not tell
    // equal rows apart.
    hoist_prog_layout clean;
    memset(&clean, 0, sizeof clean);
    clean.kind = row->kind;
    if (row->kind == HOIST_LAYOUT_TILED) {
        const hoist_tiling *t = &row->tiling;
        clean.tiling.grid_rows = t->grid_rows;
        clean.tiling.grid_cols = t->grid_cols;
        clean.tiling.t = t->t;
        clean.tiling.mblock_m = t->mblock_m;
        clean.tiling.mblock_n = t->mblock_n;
        clean.tiling.ublock_rt = t->ublock_rt;
        clean.tiling.ublock_ct = t->ublock_ct;
        clean.tiling.column_major = t->column_major;
        clean.tiling.tile_height = t->tile_height;
        clean.tiling.tile_width = t->tile_width;
        clean.flat = row->flat;
    } else {
        clean.shape.rank = row->shape.rank;
        for (int i = 0; i < row->shape.rank && i < HOIST_MAX_RANK; i++) {
            clean.shape.dim[i] = row->shape.dim[i];
            clean.stride[i] = row->stride[i];
        }
    }
    return share(b, LAYOUTS, &b->layouts, &clean);
}

hoist_ref hoist_builder_view(hoist_builder *b, const hoist_prog_view *row)
{
    hoist_prog_view clean;
    memset(&clean, 0, sizeof clean);
    clean.base = row->base;
    clean.of = row->of;
    clean.dtype = row->dtype;
    clean.layout = row->layout;
    clean.offset = row->offset;
    clean.reg = row->reg;
    // A factor without a register has no meaning.
    clean.reg_factor = row->reg == HOIST_NO_REF ? 0 : row->reg_factor;
    return share(b, VIEWS, &b->views, &clean);
}

// Lists are copied: the caller's may be on its stack.
hoist_ref hoist_builder_fifo(hoist_builder *b, const hoist_prog_fifo *row)
{
    hoist_prog_fifo *new = add_named(b, FIFOS, row);
    if (new) {
        new->parts = keep(b, row->parts, row->part_count, sizeof *row->parts);
        new->push_tiles = keep(b, row->push_tiles, row->push_tile_count, sizeof *row->push_tiles);
    }
    return last(b, FIFOS);
}

hoist_ref hoist_builder_unit(hoist_builder *b, const hoist_prog_unit *row)
{
    (void)add_named(b, UNITS, row);
    return last(b, UNITS);
}

hoist_ref hoist_builder_semaphore(hoist_builder *b, const hoist_prog_semaphore *row)
{
    (void)add_named(b, SEMAPHORES, row);
    return last(b, SEMAPHORES);
}

// The builder knows nothing about which threads exist: the verifier does.
hoist_ref hoist_builder_entry(hoist_builder *b, const hoist_prog_entry *row)
{
    hoist_prog_entry *new = add_named(b, ENTRIES, row);
    if (!new) {
        return HOIST_NO_REF;
    }
    new->threads = keep(b, row->threads, row->thread_count, sizeof *row->threads);
    hoist_prog_entry_parameter *list =
        hoist_arena_array(&b->program->arena, row->parameter_count, sizeof *row->parameters);
    if (!list) {
        fail(b, HOIST_NO_MEMORY);
        return HOIST_NO_REF;
    }
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        list[i] = row->parameters[i];
        list[i].name = keep_str(b, list[i].name);
    }
    new->parameters = list;
    return last(b, ENTRIES);
}

// The table is made with the first rule: most formats map a few, some none.
void hoist_builder_rule(hoist_builder *b, hoist_program_rule rule, const hoist_rule *row)
{
    if (!b->rules && b->status == HOIST_OK) {
        b->rules = hoist_arena_array(&b->program->arena, HOIST_PRG_COUNT, sizeof(void *));
        b->program->rules = b->rules;
    }
    if (b->rules) {
        b->rules[rule] = row;
    } else {
        fail(b, HOIST_NO_MEMORY);
    }
}

// A name of no bytes is the same as none.
void hoist_builder_file(hoist_builder *b, hoist_str file)
{
    b->program->file = keep_str(b, file);
}

// Numbers count from 1, since 0 is a place without a source.
uint32_t hoist_builder_source(hoist_builder *b, hoist_source source)
{
    const rows *t = &b->tables[SOURCES];
    const hoist_source *all = t->items;
    for (size_t i = t->count; i > 0; i--) { // the last one is asked for again most often
        if (hoist_str_equal(all[i - 1].member, source.member) &&
            hoist_str_equal(all[i - 1].file, source.file)) {
            return (uint32_t)i;
        }
    }
    const hoist_source own = {keep_str(b, source.file), keep_str(b, source.member),
                              source.record_size};
    return add(b, SOURCES, &own) ? last(b, SOURCES) + 1 : 0;
}

// Code ------------------------------------------------------------------------------------------

// A row whose code begins; NULL after a failure, which another code at hand is.
static void *begin(hoist_builder *b, table which, const void *row)
{
    if (b->code) {
        fail(b, HOIST_INTERNAL);
    }
    return add_named(b, which, row);
}

hoist_ref hoist_builder_begin_function(hoist_builder *b, const hoist_prog_function *row)
{
    hoist_prog_function *new = begin(b, FUNCTIONS, row);
    if (!new) {
        return HOIST_NO_REF;
    }
    hoist_prog_parameter *list =
        hoist_arena_array(&b->program->arena, row->parameter_count, sizeof *row->parameters);
    if (!list) {
        fail(b, HOIST_NO_MEMORY);
        return HOIST_NO_REF;
    }
    new->parameters = list;
    // The caller's `code` is ignored: it would point to memory that the builder does not own.
    new->code = (hoist_prog_code){.registers = NULL};
    b->code = &new->code;
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        list[i] = row->parameters[i];
        list[i].name = keep_str(b, list[i].name);
        // Integer parameters become the first registers, in order (program.h).
        if (!list[i].is_view) {
            (void)hoist_builder_register(b, &(hoist_prog_register){.name = list[i].name});
        }
    }
    return last(b, FUNCTIONS);
}

hoist_ref hoist_builder_begin_thread(hoist_builder *b, const hoist_prog_thread *row)
{
    hoist_prog_thread *new = begin(b, THREADS, row);
    if (new) {
        new->code = (hoist_prog_code){.registers = NULL};
        b->code = &new->code;
    }
    return last(b, THREADS);
}

hoist_ref hoist_builder_register(hoist_builder *b, const hoist_prog_register *row)
{
    // A failure of add_named() is kept; HOIST_INTERNAL only comes first where there is no code.
    if (!b->code || !add_named(b, REGISTERS, row)) {
        fail(b, HOIST_INTERNAL);
        return HOIST_NO_REF;
    }
    return last(b, REGISTERS);
}

// Branches forward are written with this number before their target exists.
uint32_t hoist_builder_next_step(const hoist_builder *b)
{
    return (uint32_t)b->tables[STEPS].count;
}

// NULL: there is no such step, as after a failure.
static hoist_prog_step *step_at(hoist_builder *b, uint32_t index)
{
    return index < b->tables[STEPS].count ? (hoist_prog_step *)b->tables[STEPS].items + index
                                          : NULL;
}

// Silent for what is no branch: after a failure the step may not be there.
void hoist_builder_set_target(hoist_builder *b, uint32_t branch, uint32_t target)
{
    hoist_prog_step *step = step_at(b, branch);
    if (step && step->kind == HOIST_STEP_BRANCH) {
        step->as.branch.target_step = target;
    }
}

// `step` is the copy in the table, whose lists still point to the caller's.
static const void *keep_call(hoist_builder *b, hoist_prog_step *step)
{
    hoist_prog_target *target = &step->as.call.target;
    target->table = keep(b, target->table, target->table_count, sizeof *target->table);
    target->arguments =
        keep(b, target->arguments, target->argument_count, sizeof *target->arguments);
    step->as.call.signals =
        keep(b, step->as.call.signals, step->as.call.signal_count, sizeof *step->as.call.signals);
    return target;
}

// The payload is copied last, with pointers to lists that are copied already.
static const hoist_prog_move *keep_move(hoist_builder *b, const hoist_prog_move *move)
{
    hoist_prog_move copy = *move;
    copy.sources = keep(b, move->sources, move->source_count, sizeof *move->sources);
    copy.table = keep(b, move->table, move->table_count, sizeof *move->table);
    return keep(b, &copy, 1, sizeof copy);
}

static const hoist_prog_compute *keep_compute(hoist_builder *b, const hoist_prog_compute *compute)
{
    hoist_prog_compute copy = *compute;
    copy.inputs = keep(b, compute->inputs, compute->input_count, sizeof *compute->inputs);
    copy.outputs = keep(b, compute->outputs, compute->output_count, sizeof *compute->outputs);
    return keep(b, &copy, 1, sizeof copy);
}

// The record's bytes are kept as they are in the file.
static const hoist_prog_opaque *keep_opaque(hoist_builder *b, const hoist_prog_opaque *opaque)
{
    hoist_prog_opaque copy = *opaque;
    copy.name = keep_str(b, opaque->name);
    copy.record = keep_bytes(b, opaque->record);
    copy.reads = keep(b, opaque->reads, opaque->read_count, sizeof *opaque->reads);
    copy.writes = keep(b, opaque->writes, opaque->write_count, sizeof *opaque->writes);
    return keep(b, &copy, 1, sizeof copy);
}

// Pairs LOOP and END; an END without a loop keeps HOIST_NO_REF, which the verifier reports.
// A stack of open loops; what it holds at the end of the code has no END.
static void pair_loops(hoist_builder *b, hoist_prog_step *step, uint32_t at)
{
    rows *open = &b->tables[LOOPS];
    if (step->kind == HOIST_STEP_LOOP) {
        step->as.loop.end = HOIST_NO_REF;
        (void)add(b, LOOPS, &at);
    } else {
        step->as.end.begin = HOIST_NO_REF;
        if (open->count > 0) {
            open->count--;
            const uint32_t begin = ((const uint32_t *)open->items)[open->count];
            step->as.end.begin = begin;
            step_at(b, begin)->as.loop.end = at;
        }
    }
}

uint32_t hoist_builder_step(hoist_builder *b, const hoist_prog_step *row)
{
    hoist_prog_step *step = b->code ? add(b, STEPS, row) : NULL;
    if (!step) {
        fail(b, HOIST_INTERNAL);
        return HOIST_NO_REF;
    }
    const uint32_t at = last(b, STEPS);
    step->label = keep_str(b, row->label);
    // Data steps, which are the last kinds of the enum.
    if (row->kind >= HOIST_STEP_ZERO) {
        step->work = b->work;
        // One step has all of the work; those after it belong to it without adding to it.
        b->work = b->rest;
    }
    switch (row->kind) {
    case HOIST_STEP_LOOP:
    case HOIST_STEP_END:
        pair_loops(b, step, at);
        break;
    case HOIST_STEP_CALL:
    case HOIST_STEP_POST:
        (void)keep_call(b, step);
        break;
    case HOIST_STEP_MOVE:
        step->as.move = keep_move(b, row->as.move);
        break;
    case HOIST_STEP_COMPUTE:
        step->as.compute = keep_compute(b, row->as.compute);
        break;
    case HOIST_STEP_COLLECTIVE:
        step->as.collective = keep(b, row->as.collective, 1, sizeof *row->as.collective);
        break;
    case HOIST_STEP_OPAQUE:
        step->as.opaque = keep_opaque(b, row->as.opaque);
        break;
    default:
        break;
    }
    return at;
}

// The arrays of the next code begin empty, in the same memory.
void hoist_builder_end_code(hoist_builder *b)
{
    rows *registers = &b->tables[REGISTERS];
    rows *steps = &b->tables[STEPS];
    if (b->code) {
        b->code->register_count = (uint32_t)registers->count;
        b->code->registers = keep(b, registers->items, registers->count, registers->size);
        b->code->step_count = (uint32_t)steps->count;
        b->code->steps = keep(b, steps->items, steps->count, steps->size);
    }
    b->code = NULL;
    b->work = b->rest = 0;
    registers->count = 0;
    steps->count = 0;
    b->tables[LOOPS].count = 0;
}

// 0: it was not added, which the status says.
static uint32_t add_work(hoist_builder *b, const hoist_prog_work *row)
{
    return add_named(b, WORKS, row) ? last(b, WORKS) + 1 : 0;
}

void hoist_builder_work(hoist_builder *b, const hoist_prog_work *work)
{
    b->work = b->rest = 0;
    if (work) {
        b->work = add_work(b, work);
        b->rest =
            add_work(b, &(hoist_prog_work){.device = work->device, .has_cores = work->has_cores});
    }
}

void hoist_builder_leave_out(hoist_builder *b, hoist_str name)
{
    (void)add_named(b, LEFT_OUT, &name);
}

// Moves table `which` to the arena.
// An empty table is NULL with a count of 0.
static const void *table_out(hoist_builder *b, table which, uint32_t *out_count)
{
    const rows *t = &b->tables[which];
    *out_count = (uint32_t)t->count;
    return keep(b, t->items, t->count, t->size);
}

hoist_status hoist_builder_finish(hoist_builder *b, hoist_program **out_program)
{
    hoist_program *p = b->program;
    // After a failure these are NULL, and the program is destroyed below.
    p->spaces = table_out(b, SPACES, &p->space_count);
    p->buffers = table_out(b, BUFFERS, &p->buffer_count);
    p->relocations = table_out(b, RELOCATIONS, &p->relocation_count);
    p->ports = table_out(b, PORTS, &p->port_count);
    p->needs = table_out(b, NEEDS, &p->need_count);
    p->layouts = table_out(b, LAYOUTS, &p->layout_count);
    p->views = table_out(b, VIEWS, &p->view_count);
    p->fifos = table_out(b, FIFOS, &p->fifo_count);
    p->units = table_out(b, UNITS, &p->unit_count);
    p->semaphores = table_out(b, SEMAPHORES, &p->semaphore_count);
    p->functions = table_out(b, FUNCTIONS, &p->function_count);
    p->threads = table_out(b, THREADS, &p->thread_count);
    p->entries = table_out(b, ENTRIES, &p->entry_count);
    p->works = table_out(b, WORKS, &p->work_count);
    p->left_out = table_out(b, LEFT_OUT, &p->left_out_count);
    p->sources = table_out(b, SOURCES, &p->source_count);
    // A code that was not ended would be lost without a word.
    hoist_status status = b->code ? HOIST_INTERNAL : b->status;
    status = status == HOIST_OK ? hoist_prog_index_init(p) : status;
    *out_program = NULL;
    if (status == HOIST_OK) {
        *out_program = p;
        b->program = NULL;
    }
    hoist_builder_destroy(b);
    return status;
}
