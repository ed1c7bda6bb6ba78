// Moves of elements and bytes (move.h): the call checked and planned (move_plan.c), then done in
// units by the way that the plan chose (move_copy.c, move_elements.c).
#include "kernels/move.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/move_ways.h"

enum {
    SMALL_RESULT = 4096, // bytes of a buffered result that needs no allocation
    STOP_EVERY = 1 << 18 // elements between two questions: some milliseconds
};

// The whole result as elements side by side, then to the destination.
static hoist_status move_through(const hoist_move_kernels *kernels, const hoist_view_move *move,
                                 hoist_mut_bytes bytes, hoist_allocator alloc)
{
    hoist_view buffer;
    HOIST_TRY(hoist_view_init(bytes, move->destination.dtype, &move->destination.shape, 0, NULL,
                              &buffer));
    hoist_view_move there = *move;
    there.destination = buffer;
    const hoist_view_move back = {
        .destination = move->destination, .sources = &buffer, .source_count = 1};
    HOIST_TRY(hoist_move_views(kernels, &there, alloc));
    return hoist_move_views(kernels, &back, alloc);
}

// A result that sources and destination do not allow to be written as it comes.
static hoist_status run_buffered(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                                 hoist_allocator alloc)
{
    uint8_t small[SMALL_RESULT];
    size_t size = 0;
    if (hoist_ckd_size_mul(&size, (size_t)plan->count, hoist_element_size(plan->views[0].dtype))) {
        return HOIST_NO_MEMORY;
    }
    // Small ones go through the stack.
    if (size <= sizeof small) {
        return move_through(kernels, &plan->move, (hoist_mut_bytes){small, size}, alloc);
    }
    uint8_t *large = hoist_alloc(alloc, size);
    if (!large) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status =
        move_through(kernels, &plan->move, (hoist_mut_bytes){large, size}, alloc);
    hoist_free(alloc, large, size);
    return status;
}

// Units [begin, end) as tiles, elements or bytes of the whole.
static uint64_t last_of(const hoist_move_plan *plan, size_t end, uint64_t whole)
{
    return end == plan->units ? whole : (uint64_t)end * plan->unit;
}

// Elements in their order; those of one unit until they are to stop.
static hoist_status run_lines(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                              uint64_t begin, uint64_t end, hoist_move_stop *stop)
{
    // What has more units is asked between them.
    if (!stop || plan->units > 1) {
        hoist_move_run_lines(kernels, plan, begin, end);
        return HOIST_OK;
    }
    // A call that follows goes on where this one stopped.
    while (stop->done < end) {
        const uint64_t left = end - stop->done;
        const uint64_t next = stop->done + (left < STOP_EVERY ? left : STOP_EVERY);
        hoist_move_run_lines(kernels, plan, stop->done, next);
        stop->done = next;
        if (next < end && stop->is_wanted(stop->self)) {
            return HOIST_CANCELLED;
        }
    }
    return HOIST_OK;
}

static hoist_status run_units(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                              size_t begin, size_t end, hoist_allocator alloc,
                              hoist_move_stop *stop)
{
    // What a unit counts depends on the way.
    const uint64_t first = (uint64_t)begin * plan->unit;
    switch (plan->way) {
    case HOIST_MOVE_NOTHING:
        return HOIST_OK;
    case HOIST_MOVE_FLAT:
        hoist_move_run_flat(kernels, plan, first, last_of(plan, end, plan->block));
        return HOIST_OK;
    case HOIST_MOVE_BLOCKS:
        hoist_move_run_blocks(kernels, plan, first, last_of(plan, end, plan->tiles));
        return HOIST_OK;
    case HOIST_MOVE_TILES:
        hoist_move_run_tiles(kernels, plan, first, last_of(plan, end, plan->tiles));
        return HOIST_OK;
    case HOIST_MOVE_LINES:
        return run_lines(kernels, plan, first, last_of(plan, end, plan->count), stop);
    case HOIST_MOVE_BUFFERED:
        return run_buffered(kernels, plan, alloc);
    }
    return HOIST_INTERNAL;
}

hoist_status hoist_move_run(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                            size_t begin, size_t end, hoist_allocator alloc, hoist_move_stop *stop)
{
    const hoist_status status = run_units(kernels, plan, begin, end, alloc, stop);
    if (plan->streams) {
        kernels->fence(); // else others might see that the move is done before its bytes
    }
    return status;
}

hoist_status hoist_move_views(const hoist_move_kernels *kernels, const hoist_view_move *move,
                              hoist_allocator alloc)
{
    hoist_move_plan plan;
    HOIST_TRY(hoist_move_prepare(move, &plan));
    return hoist_move_run(kernels, &plan, 0, plan.units, alloc, NULL);
}

static uint64_t tiles_of(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols;
}

// Tile `at` of the sources joined; it exists.
static const float *joined_tile(const hoist_tile_move *move, uint64_t at)
{
    const hoist_tiles *source = move->sources;
    // Sources are few: no table is needed to find one.
    for (; at >= tiles_of(source); source++) {
        at -= tiles_of(source);
    }
    return hoist_tile_in(source, at);
}

static void fill_tile(float *tile, float value)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tile[i] = value;
    }
}

void hoist_move_tiles(const hoist_tile_move *move, size_t begin, size_t end)
{
    for (size_t n = begin; n < end; n++) {
        float *out = hoist_tile_out(&move->destination, n);
        if (move->table && move->table[n] < 0) {
            fill_tile(out, move->fill);
        } else {
            const uint64_t at = move->table ? (uint64_t)move->table[n] : n;
            memcpy(out, joined_tile(move, at), HOIST_TILE_FLOATS * sizeof *out);
        }
    }
}
