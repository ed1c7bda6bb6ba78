// Finds buffers that are read through tables of tiles (reshapes.h): what each buffer's uses are, in
// one pass over the code of its function, then each move checked by the uses of both its sides.
#include "plan/reshapes.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "ops/compute.h"
#include "program/uses.h"

// What the steps of a function do with a buffer.
typedef struct facts {
    uint32_t writes;
    uint32_t written_last; // step
    uint32_t read_last;    // step
    hoist_ref layout;      // of its first view
    bool is_apart;         // a view is of a part of it or cut otherwise, or a step reads no tiles
} facts;

typedef struct finder {
    const hoist_program *program;
    const hoist_ref *owners;
    facts *facts;         // per buffer
    uint32_t *barrier_at; // per step: the first one from it on that may change slots of fifos
    size_t capacity;      // steps that `barrier_at` has space for
    hoist_reshape *out;
    hoist_ref function;
    const hoist_prog_step *step;
    uint32_t at; // its number
    bool changes_slots;
} finder;

static bool is_tiled(const hoist_program *program, hoist_ref view)
{
    return program->layouts[program->views[view].layout].kind == HOIST_LAYOUT_TILED;
}

// Kernels on tiles, and moves of tiles, read through tables.
static bool reads_tiles(const hoist_program *program, const hoist_prog_step *step)
{
    return (step->kind == HOIST_STEP_COMPUTE && hoist_compute_get(step->as.compute->op)->tiled) ||
           (step->kind == HOIST_STEP_MOVE && is_tiled(program, step->as.move->destination));
}

// The buffer of this function's calls that a view is of; HOIST_NO_REF: it is of something else.
static hoist_ref own_buffer(const finder *f, hoist_ref view)
{
    const hoist_prog_view *row = &f->program->views[view];
    const hoist_ref root =
        row->base == HOIST_VIEW_BUFFER ? hoist_prog_root(f->program, row->of, NULL) : HOIST_NO_REF;
    return root != HOIST_NO_REF && f->owners[root] == f->function ? root : HOIST_NO_REF;
}

static void note(void *self, hoist_step_use use)
{
    finder *f = self;
    const hoist_prog_view *row = &f->program->views[use.view];
    const hoist_ref buffer = own_buffer(f, use.view);
    if (buffer == HOIST_NO_REF) {
        // Of other memory nothing is known but that it may be a slot's.
        f->changes_slots = f->changes_slots || use.written;
        return;
    }
    facts *is = &f->facts[buffer];
    const bool is_first = is->writes == 0 && is->layout == HOIST_NO_REF;
    is->layout = is_first ? row->layout : is->layout;
    is->is_apart = is->is_apart || row->of != buffer || row->offset != 0 ||
                   row->reg != HOIST_NO_REF || row->layout != is->layout ||
                   (is_first && !use.written);
    if (use.written) {
        is->writes++;
        is->written_last = f->at;
    } else {
        is->read_last = f->at;
        is->is_apart = is->is_apart || !reads_tiles(f->program, f->step);
    }
}

// Whether other processes may be given, or take, slots at this step.
static bool moves_pointers(hoist_step_kind kind)
{
    switch (kind) {
    case HOIST_STEP_PUSH:
    case HOIST_STEP_ADVANCE:
    case HOIST_STEP_POP:
    case HOIST_STEP_SET_POINTER:
    case HOIST_STEP_ALLOCATE:
    case HOIST_STEP_FREE:
    case HOIST_STEP_ZERO:
    case HOIST_STEP_SIGNAL:
    case HOIST_STEP_DRAIN:
        return true;
    default:
        return false;
    }
}

// Steps that are gone through once, in order.
static bool is_straight(const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_step_kind kind = code->steps[i].kind;
        if (kind == HOIST_STEP_LOOP || kind == HOIST_STEP_BRANCH || kind == HOIST_STEP_CALL ||
            kind == HOIST_STEP_POST || kind == HOIST_STEP_COLLECTIVE) {
            return false;
        }
    }
    return true;
}

// The facts of all buffers of the function, and its barriers.
static void gather(finder *f, const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        f->step = &code->steps[i];
        f->at = i;
        f->changes_slots = moves_pointers(f->step->kind);
        hoist_step_uses(f->program, f->step, note, f);
        f->barrier_at[i] = f->changes_slots ? i : UINT32_MAX;
    }
    // From the end, so that each step knows the first barrier that is not before it.
    for (uint32_t i = code->step_count; i-- > 1;) {
        if (f->barrier_at[i - 1] == UINT32_MAX) {
            f->barrier_at[i - 1] = f->barrier_at[i];
        }
    }
}

// Whether the tiles of the source stay as they are from step `at` on up to step `last`.
static bool source_stays(const finder *f, hoist_ref source, uint32_t at, uint32_t last)
{
    const hoist_prog_view *row = &f->program->views[source];
    if (row->reg != HOIST_NO_REF) {
        return false;
    }
    if (row->base == HOIST_VIEW_READ_SLOT) {
        return f->barrier_at[at] > last; // of the move itself, too: it writes no slot
    }
    const hoist_ref buffer = own_buffer(f, source);
    return buffer != HOIST_NO_REF && row->of == buffer && !f->out[buffer].move &&
           f->facts[buffer].writes > 0 && f->facts[buffer].written_last < at;
}

// Zero tiles have a number of their own in tables; other numbers do not.
static bool has_fill(const hoist_prog_move *move)
{
    for (uint32_t i = 0; i < move->table_count; i++) {
        if (move->table[i] < 0) {
            return true;
        }
    }
    return false;
}

static void judge_move(finder *f, const hoist_prog_move *move, uint32_t at)
{
    const hoist_ref buffer = own_buffer(f, move->destination);
    if (buffer == HOIST_NO_REF || !is_tiled(f->program, move->destination) ||
        move->op != HOIST_MOVE_COPY || move->source_count != 1 || move->transpose_rank != 0) {
        return;
    }
    const facts *is = &f->facts[buffer];
    const hoist_ref source = move->sources[0].view;
    if (is->is_apart || is->writes != 1 || is->read_last <= at || !is_tiled(f->program, source) ||
        has_fill(move) || !source_stays(f, source, at, is->read_last)) {
        return;
    }
    f->out[buffer] = (hoist_reshape){.move = move, .layout = is->layout};
}

static hoist_status find_in(finder *f, const hoist_prog_code *code, hoist_allocator alloc)
{
    if (code->step_count == 0 || !is_straight(code)) {
        return HOIST_OK;
    }
    if (!hoist_grow(alloc, (void **)&f->barrier_at, &f->capacity, code->step_count,
                    sizeof *f->barrier_at)) {
        return HOIST_NO_MEMORY;
    }
    gather(f, code);
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_MOVE) {
            judge_move(f, code->steps[i].as.move, i);
        }
    }
    return HOIST_OK;
}

// Whether marks of unknown bytes may be carried from step to step.
static bool has_opaque(const hoist_program *program)
{
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        const hoist_prog_code *code = hoist_prog_code_at(program, i);
        for (uint32_t k = 0; k < code->step_count; k++) {
            if (code->steps[k].kind == HOIST_STEP_OPAQUE) {
                return true;
            }
        }
    }
    return false;
}

hoist_status hoist_reshapes_find(const hoist_program *program, const hoist_ref *owners,
                                 hoist_allocator alloc, hoist_reshape *out_reshapes)
{
    if (program->buffer_count == 0 || has_opaque(program)) {
        return HOIST_OK;
    }
    finder f = {.program = program,
                .owners = owners,
                .out = out_reshapes,
                .facts = hoist_alloc_zero(alloc, program->buffer_count, sizeof *f.facts)};
    hoist_status status = f.facts ? HOIST_OK : HOIST_NO_MEMORY;
    for (uint32_t i = 0; f.facts && i < program->buffer_count; i++) {
        f.facts[i].layout = HOIST_NO_REF;
    }
    for (uint32_t i = 0; status == HOIST_OK && i < program->function_count; i++) {
        f.function = i;
        status = find_in(&f, &program->functions[i].code, alloc);
    }
    hoist_free(alloc, f.facts, program->buffer_count * sizeof *f.facts);
    hoist_free(alloc, f.barrier_at, f.capacity * sizeof *f.barrier_at);
    return status;
}
