// A data step made ready: its views resolved to memory, the kernel chosen, and the step cut into
// units that may be done in any order with the same bits. dispatch.c gives the units to workers;
// kernels/compute.h and kernels/move.h do them.
#include "runtime/work.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "kernels/elements.h"

// Memory --------------------------------------------------------------------------------------

// Start of the memory of a call: that of `process`, after the calls that it was called from.
static uint8_t *frame_memory(const hoist_work_context *c, size_t process, uint32_t frame)
{
    HOIST_ASSERT(frame < hoist_machine_depth(c->machine, process));
    uint64_t offset = 0;
    // Calls follow each other, each with the bytes that its function needs.
    for (uint32_t i = 0; i < frame; i++) {
        const hoist_ref function = hoist_machine_frame(c->machine, process, i);
        offset += function == HOIST_NO_REF ? 0 : c->plan->bytes[function];
    }
    return c->call_memory[process] + offset;
}

// Bytes of a buffer or slot that holds bytes; {NULL, 0} when there are none.
static hoist_mut_bytes bytes_of(const hoist_work_context *c, size_t process,
                                const hoist_place *place)
{
    if (place->buffer != HOIST_NO_REF) {
        const hoist_prog_buffer *row = &c->program->buffers[place->buffer];
        // UINT64_MAX: the buffer is no one's call's, but the session's.
        const uint64_t offset = c->plan->offset[place->buffer];
        HOIST_ASSERT(place->buffer < c->program->buffer_count);
        if (offset == UINT64_MAX) {
            return c->store->buffers[place->buffer];
        }
        return (hoist_mut_bytes){frame_memory(c, process, place->frame) + offset,
                                 (size_t)row->size};
    }
    if (place->fifo != HOIST_NO_REF) {
        return hoist_store_slot(c->store, place->fifo, place->slot);
    }
    return (hoist_mut_bytes){NULL, 0};
}

// The placed buffer of `space` that holds `address`, and the offset in it.
static bool find_address(const hoist_work_context *c, const hoist_place *place,
                         hoist_mut_bytes *out_bytes, int64_t *out_offset)
{
    HOIST_ASSERT(place->space < c->program->space_count);
    const uint64_t address = (uint64_t)place->offset;
    for (uint32_t i = 0; i < c->program->buffer_count; i++) {
        const hoist_prog_buffer *row = &c->program->buffers[i];
        if (row->space == place->space && row->placed && address >= row->address &&
            address - row->address < row->size && c->store->buffers[i].data) {
            *out_bytes = c->store->buffers[i];
            *out_offset = (int64_t)(address - row->address);
            return true;
        }
    }
    return false;
}

bool hoist_work_view(const hoist_work_context *c, size_t process, hoist_ref view, hoist_view *out)
{
    const hoist_place place = hoist_machine_resolve(c->machine, process, view);
    const hoist_prog_layout *layout = &c->program->layouts[place.layout];
    hoist_mut_bytes bytes = bytes_of(c, process, &place);
    int64_t offset = place.offset;
    if (!bytes.data && !find_address(c, &place, &bytes, &offset)) {
        return false;
    }
    return hoist_view_init(bytes, place.dtype, &layout->shape, offset, layout->stride, out) ==
           HOIST_OK;
}

static uint64_t tile_count(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols;
}

// A slot is accessed as one piece only.
static bool slot_tiles(const hoist_work_context *c, const hoist_place *place, hoist_tiles *out)
{
    HOIST_ASSERT(place->slot < c->program->fifos[place->fifo].slots);
    const hoist_store_fifo *fifo = &c->store->fifos[place->fifo];
    out->tiles = fifo->tiles;
    return place->offset == 0 && out->shape.z == fifo->shape.z &&
           out->shape.rows == fifo->shape.rows && out->shape.cols == fifo->shape.cols;
}

// Tiles in a buffer's bytes, of which there must be enough from the offset on.
static bool buffer_tiles(const hoist_work_context *c, const hoist_place *place,
                         hoist_mut_bytes bytes, hoist_tiles *out)
{
    const uint64_t room = bytes.size / HOIST_TILE_BYTES;
    if (place->offset < 0 || (uint64_t)place->offset > room ||
        tile_count(out) > room - (uint64_t)place->offset ||
        (uintptr_t)bytes.data % HOIST_PLAN_ALIGNMENT != 0) { // a window may begin anywhere
        return false;
    }
    out->base += (size_t)place->offset * HOIST_TILE_FLOATS;
    out->tiles = c->store->layout_tiles[place->layout];
    return true;
}

bool hoist_work_tiles(const hoist_work_context *c, size_t process, hoist_ref view, hoist_tiles *out)
{
    const hoist_reshape *reshape = hoist_reshape_of(c->program, c->plan->reshapes, view);
    if (reshape) {
        // Its tiles are in a tensor that is stored: no source is a reshape itself.
        const hoist_prog_view *row = &c->program->views[view];
        const bool found = hoist_work_tiles(c, process, reshape->move->sources[0].view, out);
        out->tiles = c->reshapes->of[row->of].tiles;
        out->shape = hoist_store_shape(&c->program->layouts[row->layout]);
        return found;
    }
    const hoist_place place = hoist_machine_resolve(c->machine, process, view);
    const hoist_mut_bytes bytes = bytes_of(c, process, &place);
    if (!bytes.data) {
        return false;
    }
    *out = (hoist_tiles){.base = (float *)(void *)bytes.data,
                         .shape = hoist_store_shape(&c->program->layouts[place.layout])};
    return place.fifo != HOIST_NO_REF ? slot_tiles(c, &place, out)
                                      : buffer_tiles(c, &place, bytes, out);
}

// Whether two tensors that begin at one tile have it and all others in the same places.
static bool same_tiles(const hoist_tiles *a, const hoist_tiles *b)
{
    if (a->shape.z != b->shape.z || a->shape.rows != b->shape.rows ||
        a->shape.cols != b->shape.cols) {
        return false;
    }
    // The same table, none at all, or tables with the same places.
    return a->tiles == b->tiles ||
           (a->tiles && b->tiles &&
            memcmp(a->tiles, b->tiles, (size_t)tile_count(a) * sizeof *a->tiles) == 0);
}

bool hoist_work_is_tiled(const hoist_work_context *c, hoist_ref view)
{
    const hoist_prog_view *row = &c->program->views[view];
    return c->program->layouts[row->layout].kind == HOIST_LAYOUT_TILED;
}

// Steps ---------------------------------------------------------------------------------------

static const char outside[] = "a view leads outside its memory";

// Resolves the operands of a kernel on tiles, none of which may be in the way of the result.
static hoist_status prepare_tiles(const hoist_work_context *c, size_t process, hoist_work *work)
{
    const hoist_prog_compute *compute = work->step->as.compute;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        if (!hoist_work_tiles(c, process, compute->inputs[i], &work->call.inputs[i])) {
            return HOIST_INVALID;
        }
    }
    if (!hoist_work_tiles(c, process, compute->outputs[0], &work->call.output)) {
        return HOIST_INVALID;
    }
    // The verifier sees this of buffers; whether two slots are one is known only now.
    const bool tilewise = hoist_compute_get(compute->op)->tilewise;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        const hoist_tiles *input = &work->call.inputs[i];
        if (input->base == work->call.output.base &&
            !(tilewise && same_tiles(input, &work->call.output))) {
            return HOIST_UNSUPPORTED;
        }
    }
    return HOIST_OK;
}

// Elements in C order without gaps; dimensions of one index have no stride to compare.
static bool is_dense(const hoist_view *view)
{
    int64_t dense[HOIST_MAX_RANK];
    bool same = hoist_view_strides(&view->shape, view->dtype, dense) == HOIST_OK;
    for (int i = 0; same && i < view->shape.rank; i++) {
        same = view->shape.dim[i] == 1 || view->stride[i] == dense[i];
    }
    return same;
}

// Whether writing `to` changes what others still read of `from`. As for the verifier, views with
// gaps may lie between each other's elements.
static bool is_in_the_way(const hoist_view *from, const hoist_view *to, bool tilewise)
{
    const bool same = from->memory.data + from->offset == to->memory.data + to->offset &&
                      hoist_dtype_get(from->dtype)->bits == hoist_dtype_get(to->dtype)->bits;
    return is_dense(from) && is_dense(to) && hoist_elements_may_overlap(from, to) &&
           !(tilewise && same);
}

// The views of `compute`, inputs first.
static hoist_status resolve_views(const hoist_work_context *c, size_t process,
                                  const hoist_prog_compute *compute, hoist_view *views)
{
    for (uint32_t i = 0; i < compute->input_count; i++) {
        if (!hoist_work_view(c, process, compute->inputs[i], &views[i])) {
            return HOIST_INVALID;
        }
    }
    const hoist_view *to = &views[compute->input_count];
    if (!hoist_work_view(c, process, compute->outputs[0], &views[compute->input_count])) {
        return HOIST_INVALID;
    }
    const bool tilewise = hoist_compute_get(compute->op)->tilewise;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        if (is_in_the_way(&views[i], to, tilewise)) {
            return HOIST_UNSUPPORTED;
        }
    }
    return HOIST_OK;
}

// The views of a copy.
static hoist_status resolve_copy(const hoist_work_context *c, size_t process,
                                 const hoist_prog_step *step, hoist_view *views)
{
    for (size_t i = 0; i < 2; i++) {
        if (!hoist_work_view(c, process, hoist_block_view(step, i), &views[i])) {
            return HOIST_INVALID;
        }
    }
    return HOIST_OK;
}

static hoist_compute_call call_of(const hoist_work_context *c, const hoist_prog_step *step)
{
    const hoist_prog_compute *compute = step->as.compute;
    HOIST_ASSERT(compute->input_count <= HOIST_COMPUTE_MAX_INPUTS && compute->output_count > 0);
    return (hoist_compute_call){.op = compute->op,
                                .attrs = compute->attrs,
                                .input_count = compute->input_count,
                                .goes_on = c->goes_on,
                                .prepared = hoist_prepared_of(c->prepared, step)};
}

// A kernel's call with all operands in place; its units are those that the kernel has.
static hoist_status prepare_compute(const hoist_work_context *c, size_t process, hoist_work *work)
{
    const hoist_prog_compute *compute = work->step->as.compute;
    work->kind = HOIST_WORK_COMPUTE;
    work->call = call_of(c, work->step);
    if (hoist_compute_get(compute->op)->tiled) {
        HOIST_TRY(prepare_tiles(c, process, work));
    } else {
        HOIST_TRY(resolve_views(c, process, compute, work->views));
        work->call.views = work->views;
    }
    work->units = hoist_compute_work(&work->call);
    return HOIST_OK;
}

// A tile that is moved to where it is stays there; one that another unit still reads must not be
// written.
static hoist_status check_sources(hoist_work *work)
{
    for (size_t i = 0; i < work->tile_move.source_count; i++) {
        if (work->tiles[i].base != work->tile_move.destination.base) {
            continue;
        }
        if (work->tile_move.table || !same_tiles(&work->tiles[i], &work->tile_move.destination)) {
            return HOIST_UNSUPPORTED;
        }
        // The tiles are where they should be.
        work->kind = HOIST_WORK_NONE;
    }
    return HOIST_OK;
}

// A move of tiles: each tile of the destination is a unit.
static hoist_status prepare_tile_move(const hoist_work_context *c, size_t process, hoist_work *work)
{
    HOIST_ASSERT(work->step->as.move->source_count <= HOIST_MOVE_MAX_VIEWS);
    const hoist_prog_move *move = work->step->as.move;
    HOIST_ASSERT(move->op == HOIST_MOVE_COPY && move->transpose_rank == 0); // PRG-027
    if (hoist_reshape_of(c->program, c->plan->reshapes, move->destination)) {
        work->kind = HOIST_WORK_NONE; // who reads the destination reads the source
        work->units = 1;
        return HOIST_OK;
    }
    work->kind = HOIST_WORK_TILE_MOVE;
    work->tile_move = (hoist_tile_move){.sources = work->tiles,
                                        .source_count = move->source_count,
                                        .table = move->table,
                                        .fill = move->fill};
    for (uint32_t i = 0; i < move->source_count; i++) {
        HOIST_ASSERT(hoist_work_is_tiled(c, move->sources[i].view));
        if (!hoist_work_tiles(c, process, move->sources[i].view, &work->tiles[i])) {
            return HOIST_INVALID;
        }
    }
    if (!hoist_work_tiles(c, process, move->destination, &work->tile_move.destination)) {
        return HOIST_INVALID;
    }
    work->units = (size_t)tile_count(&work->tile_move.destination);
    return check_sources(work);
}

static const hoist_move_kernel move_kernels[HOIST_MOVE_OP_COUNT] = {
    [HOIST_MOVE_COPY] = HOIST_KERNEL_COPY, [HOIST_MOVE_CAST] = HOIST_KERNEL_CAST,
    [HOIST_MOVE_FMA] = HOIST_KERNEL_FMA,   [HOIST_MOVE_ADD] = HOIST_KERNEL_ADD,
    [HOIST_MOVE_MIN] = HOIST_KERNEL_MIN,   [HOIST_MOVE_MAX] = HOIST_KERNEL_MAX,
};

static const hoist_dtype move_arithmetic[HOIST_MOVE_ARITHMETIC_COUNT] = {
    [HOIST_MOVE_IN_F32] = HOIST_DTYPE_F32,
    [HOIST_MOVE_IN_I32] = HOIST_DTYPE_I32,
    [HOIST_MOVE_IN_U32] = HOIST_DTYPE_U32,
};

// A move of elements, whose kernel and units hoist_move_prepare() chooses.
static hoist_status prepare_view_move(const hoist_work_context *c, size_t process, hoist_work *work)
{
    HOIST_ASSERT(work->step->as.move->source_count <= HOIST_MOVE_MAX_VIEWS);
    HOIST_ASSERT(work->step->as.move->op < HOIST_MOVE_OP_COUNT);
    const hoist_prog_move *move = work->step->as.move;
    for (uint32_t i = 0; i < move->source_count; i++) {
        HOIST_ASSERT(!hoist_work_is_tiled(c, move->sources[i].view));
        if (!hoist_work_view(c, process, move->sources[i].view, &work->views[i])) {
            return HOIST_INVALID;
        }
        work->scales[i] = move->sources[i].scale;
    }
    hoist_view_move ready = {.op = move_kernels[move->op],
                             .sources = work->views,
                             .scales = work->scales,
                             .source_count = move->source_count,
                             .arithmetic = move_arithmetic[move->arithmetic],
                             .has_start = move->has_start,
                             .start = move->start,
                             .transpose_rank = move->transpose_rank,
                             .transpose_axes = move->transpose_axes,
                             .table = move->table,
                             .fill = move->fill};
    if (!hoist_work_view(c, process, move->destination, &ready.destination)) {
        return HOIST_INVALID;
    }
    work->kind = HOIST_WORK_VIEW_MOVE;
    HOIST_TRY(hoist_move_prepare(&ready, &work->view_move));
    work->units = work->view_move.units;
    return HOIST_OK;
}

// A message that stays (plan/stays.h) is where it is: the slot gets no bytes, but their place.
static hoist_status prepare_stay(const hoist_work_context *c, size_t process, hoist_work *work)
{
    const hoist_prog_move *move = work->step->as.move;
    const hoist_place to = hoist_machine_resolve(c->machine, process, move->destination);
    hoist_view from;
    if (!hoist_work_view(c, process, move->sources[0].view, &from)) {
        return HOIST_INVALID;
    }
    const size_t bytes =
        (size_t)hoist_shape_count(&from.shape) * (hoist_dtype_get(from.dtype)->bits / 8);
    c->store->fifos[to.fifo].entries[to.slot] =
        (hoist_mut_bytes){from.memory.data + from.offset, bytes};
    work->units = 1;
    return HOIST_OK;
}

// Whether a move fills a slot of a fifo whose entries stay at their senders.
static bool stays(const hoist_work_context *c, const hoist_prog_move *move)
{
    const hoist_prog_view *to = &c->program->views[move->destination];
    return to->base == HOIST_VIEW_WRITE_SLOT && c->store->fifos[to->of].entries;
}

// Every member has its own step, and views of its own.
static hoist_status prepare_member(const hoist_work_context *c, size_t process,
                                   hoist_collective_member *member)
{
    const hoist_prog_collective *step = hoist_machine_at(c->machine, process)->as.collective;
    if (hoist_work_is_tiled(c, step->source) || hoist_work_is_tiled(c, step->destination)) {
        return HOIST_UNSUPPORTED;
    }
    member->is_elsewhere = false;
    return hoist_work_view(c, process, step->source, &member->source) &&
                   hoist_work_view(c, process, step->destination, &member->destination)
               ? HOIST_OK
               : HOIST_INVALID;
}

// The operands of all members, which are at their steps now.
static hoist_status prepare_collective(const hoist_work_context *c, size_t process,
                                       hoist_work *work)
{
    const hoist_prog_collective *const step = work->step->as.collective;
    work->kind = HOIST_WORK_COLLECTIVE;
    work->units = 1;
    work->member_count = 0;
    // Members of other homes are there, too.
    if (c->remote) {
        return c->members(c, process, work);
    }
    if (step->kind == HOIST_COLLECTIVE_BARRIER) {
        return HOIST_OK; // no member gives or gets anything
    }
    if (!hoist_grow(c->alloc, (void **)&work->members, &work->member_capacity, step->members,
                    sizeof *work->members) ||
        !hoist_grow(c->alloc, (void **)&work->processes, &work->process_capacity, step->members,
                    sizeof *work->processes)) {
        return HOIST_NO_MEMORY;
    }
    work->member_count =
        hoist_machine_collective(c->machine, process, work->processes, step->members);
    HOIST_ASSERT(work->member_count == step->members);
    for (size_t i = 0; i < work->member_count; i++) {
        HOIST_TRY(prepare_member(c, work->processes[i], &work->members[i]));
    }
    return HOIST_OK;
}

// Makes a data step ready by its kind.
static hoist_status prepare(const hoist_work_context *c, size_t process, hoist_work *work)
{
    switch (work->step->kind) {
    case HOIST_STEP_COMPUTE:
        return prepare_compute(c, process, work);
    case HOIST_STEP_MOVE:
        if (stays(c, work->step->as.move)) {
            return prepare_stay(c, process, work);
        }
        return hoist_work_is_tiled(c, work->step->as.move->destination)
                   ? prepare_tile_move(c, process, work)
                   : prepare_view_move(c, process, work);
    case HOIST_STEP_ZERO:
        work->kind = HOIST_WORK_ZERO;
        work->fifo = work->step->as.fifo.fifo;
        // A slot is a unit.
        work->units = c->program->fifos[work->fifo].slots;
        return HOIST_OK;
    case HOIST_STEP_COLLECTIVE:
        return prepare_collective(c, process, work);
    default:
        return HOIST_UNSUPPORTED;
    }
}

// The status of preparation in words.
static const char *reason_of(hoist_status status)
{
    switch (status) {
    case HOIST_INVALID:
        return outside;
    case HOIST_UNSUPPORTED:
        return "there is no kernel for it, or not in place";
    case HOIST_NO_MEMORY:
        return "memory ran out";
    default:
        return "";
    }
}

hoist_status hoist_work_prepare(const hoist_work_context *context, size_t process,
                                const hoist_prog_step *step, hoist_work *out_work,
                                const char **out_why)
{
    HOIST_ASSERT(step && step == hoist_machine_at(context->machine, process));
    out_work->step = step;
    out_work->kind = HOIST_WORK_NONE;
    const hoist_status status = prepare(context, process, out_work);
    *out_why = reason_of(status);
    return status;
}

hoist_status hoist_work_prepare_group(const hoist_work_context *context, size_t process,
                                      const hoist_group *group, hoist_work *out_work,
                                      const hoist_prog_step **out_step, const char **out_why)
{
    HOIST_ASSERT(group->steps == hoist_machine_at(context->machine, process));
    out_work->step = group->steps;
    out_work->kind = HOIST_WORK_GROUP;
    out_work->group = group;
    *out_step = group->steps;
    hoist_status status =
        hoist_grow(context->alloc, (void **)&out_work->steps, &out_work->step_capacity,
                   group->count, sizeof *out_work->steps)
            ? HOIST_OK
            : HOIST_NO_MEMORY;
    for (uint32_t i = 0; i < group->count && status == HOIST_OK; i++) {
        const hoist_prog_step *step = &group->steps[i];
        hoist_block_step *to = &out_work->steps[i];
        *out_step = step;
        to->copies = step->kind == HOIST_STEP_MOVE;
        if (to->copies) {
            to->call = (hoist_compute_call){.input_count = 1};
            status = resolve_copy(context, process, step, to->views);
        } else {
            to->call = call_of(context, step);
            status = resolve_views(context, process, step->as.compute, to->views);
        }
        if (status == HOIST_OK) {
            hoist_blocks_place(context->program, context->groups, context->kernels, group, step,
                               to);
        }
    }
    // A block is a unit, whatever the steps' own units are, unless a product makes the blocks.
    out_work->units = status == HOIST_OK ? hoist_blocks_units(group, out_work->steps) : 1;
    *out_why = reason_of(status);
    return status;
}

void hoist_work_deinit(hoist_work *work, hoist_allocator alloc)
{
    hoist_free(alloc, work->members, work->member_capacity * sizeof *work->members);
    hoist_free(alloc, work->processes, work->process_capacity * sizeof *work->processes);
    hoist_free(alloc, work->steps, work->step_capacity * sizeof *work->steps);
}

// Zeros a slot: its bytes, or the tiles that it has.
static void zero_slot(const hoist_work_context *c, hoist_ref index, size_t slot)
{
    HOIST_ASSERT(slot < c->program->fifos[index].slots);
    const hoist_store_fifo *fifo = &c->store->fifos[index];
    uint8_t *base = fifo->base + slot * fifo->slot_bytes;
    if (!fifo->tile_count) {
        memset(base, 0, (size_t)fifo->slot_bytes);
        return;
    }
    for (uint64_t n = 0; n < fifo->tile_count; n++) {
        const uint64_t tile = fifo->tiles ? fifo->tiles[n] : n;
        memset(base + tile * HOIST_TILE_BYTES, 0, HOIST_TILE_BYTES);
    }
}

// Does units of a kernel in the memory of this worker.
static hoist_status run_compute(const hoist_work_context *c, const hoist_work *work, size_t begin,
                                size_t end, hoist_compute_fault *out_fault)
{
    hoist_compute_call own = work->call; // other workers have their own memory
    own.scratch = c->scratch;
    return hoist_compute_run(c->kernels, &own, begin, end, out_fault);
}

hoist_status hoist_work_run(const hoist_work_context *context, const hoist_work *work, size_t begin,
                            size_t end, hoist_compute_fault *out_fault)
{
    HOIST_ASSERT(begin <= end && end <= work->units);
    switch (work->kind) {
    case HOIST_WORK_NONE:
        return HOIST_OK;
    case HOIST_WORK_COMPUTE:
        return run_compute(context, work, begin, end, out_fault);
    case HOIST_WORK_TILE_MOVE:
        hoist_move_tiles(&work->tile_move, begin, end);
        return HOIST_OK;
    case HOIST_WORK_VIEW_MOVE:
        return hoist_move_run(context->moves, &work->view_move, begin, end, context->alloc,
                              context->stop);
    case HOIST_WORK_ZERO:
        for (size_t i = begin; i < end; i++) {
            zero_slot(context, work->fifo, i);
        }
        return HOIST_OK;
    case HOIST_WORK_COLLECTIVE:
        return hoist_collective_run(work->step->as.collective, work->members, work->member_count,
                                    context->moves, context->alloc);
    case HOIST_WORK_GROUP:
        break;
    }
    return HOIST_INTERNAL;
}
