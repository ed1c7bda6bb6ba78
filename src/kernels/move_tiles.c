// Tiles of a move in the order of its loops, and units of them: a unit is a run of tiles that a
// worker does alone.
#include "base/assert.h"
#include "kernels/elements.h"
#include "kernels/move_plan.h"
#include "kernels/move_table.h"

enum {
    TILE_UNIT = 256 * 1024,   // bytes
    FLAT_UNIT = 1024 * 1024,  // bytes
    BLOCK_TILE = 32 * 1024,   // bytes of a tile of a copy
    PAGE = 4096,              // the same
    STREAM_TILE = 128 * 1024, // the same, past the caches
    CACHE_LINE = 64,          // bytes
    SQUARE_BYTES = 256,       // side of a tile of a transposing copy, bytes
    LINE = 1024,              // elements of a tile of any other move
    LONG_LINE = 4096,         // the same, of rows that are converted where they are
    STREAM_LINE = 32768,      // the same, past the caches
    SQUARE = 32,              // side of a tile of elements where the source goes another way
    LONG_SQUARE = 64,         // the same, of rows that are converted once they are transposed
    LONG_ROW = 256,           // elements: rows that are converted where they are
};

static size_t at_most(size_t value, size_t most)
{
    return value < most ? value : most;
}

// Tiles of `rows` x `cols` elements or blocks, and as many planes of them as are no more than
// `most` in all.
static void set_tiles(hoist_move_plan *plan, size_t rows, size_t cols, size_t most)
{
    const hoist_move_loop *last = &plan->loops[plan->loop_count - 3];
    plan->tile[2] = at_most(cols, last[2].count);
    plan->tile[1] = at_most(rows, last[1].count);
    const size_t plane = plan->tile[1] * plan->tile[2];
    HOIST_ASSERT(plane > 0); // no loop is empty
    const bool whole = plan->tile[1] == last[1].count && plan->tile[2] == last[2].count;
    plan->tile[0] = whole && plane < most ? at_most(most / plane, last[0].count) : 1;
    plan->tiles = 1;
    for (size_t i = 0; i < plan->loop_count; i++) {
        const size_t inner = plan->loop_count - i;
        plan->tiles *=
            hoist_move_parts(plan->loops[i].count, inner <= 3 ? plan->tile[3 - inner] : 1);
    }
}

// As many tiles as are worth the way to another worker.
static void set_tile_units(hoist_move_plan *plan, size_t element)
{
    const uint64_t bytes = (uint64_t)plan->tile[0] * plan->tile[1] * plan->tile[2] * element;
    hoist_move_set_units(plan, plan->tiles, bytes < TILE_UNIT ? TILE_UNIT / bytes : 1);
}

// Bytes of a tile of a copy. What streams is best written in long runs; small blocks go by way of
// the first cache, and those that are not transposed by pages: every second float32 of 64 MiB took
// 0.47 ns, and 0.59 by four pages or as usual.
static size_t tile_bytes(const hoist_move_plan *plan)
{
    if (!plan->streams) {
        return BLOCK_TILE;
    }
    if (plan->block >= CACHE_LINE) {
        return STREAM_TILE;
    }
    return plan->turned ? HOIST_MOVE_STAGE : PAGE;
}

static void tile_copy(hoist_move_plan *plan)
{
    // Where the sides go different ways; blocks are smaller than a line then.
    const size_t side = SQUARE_BYTES / plan->block;
    const size_t last = plan->loops[plan->loop_count - 1].count;
    const size_t most = tile_bytes(plan);
    const size_t blocks = plan->block < most ? most / plan->block : 1;
    if (plan->turned && !plan->streams) {
        set_tiles(plan, side, side, blocks);
    } else {
        const size_t cols = at_most(last, plan->turned ? most / CACHE_LINE : blocks);
        HOIST_ASSERT(cols > 0); // no loop is empty
        set_tiles(plan, blocks / cols, cols, blocks);
    }
    set_tile_units(plan, plan->block);
}

void hoist_move_plan_copy(hoist_move_plan *plan)
{
    const hoist_move_loop *last = plan->loop_count ? &plan->loops[plan->loop_count - 1] : NULL;
    plan->block = hoist_element_size(plan->views[0].dtype);
    // Elements that follow each other on both sides are one block.
    if (last && last->stride[0] == (int64_t)plan->block &&
        last->stride[1] == (int64_t)plan->block) {
        plan->block *= last->count;
        plan->loop_count--;
    }
    if (plan->loop_count == 0) {
        plan->way = HOIST_MOVE_FLAT;
        hoist_move_set_units(plan, plan->block, FLAT_UNIT);
        return;
    }
    plan->way = HOIST_MOVE_BLOCKS;
    // Blocks of a line or more are as quick in any order.
    plan->turned = plan->block < CACHE_LINE && hoist_move_turn_loops(plan);
    hoist_move_pad_loops(plan);
    tile_copy(plan);
}

hoist_move_convert_fn *hoist_move_conversion(const hoist_move_kernels *kernels,
                                             const hoist_move_plan *plan)
{
    const hoist_dtype from = plan->views[1].dtype;
    const hoist_dtype to = plan->views[0].dtype;
    if (hoist_elements_are_floats(from) && kernels->from_f32[to]) {
        return kernels->from_f32[to];
    }
    return hoist_elements_are_floats(to) ? kernels->to_f32[from] : NULL;
}

// True when one kernel converts rows to where they go, from where they are or, once they are
// transposed, from a stage.
static bool has_rows(const hoist_move_plan *plan)
{
    const hoist_move_loop *last = &plan->loops[plan->loop_count - 1];
    const hoist_move_loop *rows = plan->turned ? last - 1 : last;
    return (plan->move.op == HOIST_KERNEL_COPY || plan->move.op == HOIST_KERNEL_CAST) &&
           hoist_move_conversion(hoist_move_kernels_at(HOIST_CPU_BASELINE), plan) &&
           last->stride[0] == (int64_t)hoist_element_size(plan->views[0].dtype) &&
           rows->stride[1] == (int64_t)hoist_element_size(plan->views[1].dtype);
}

// Tiles for elements that change on the way, by what holds a tile meanwhile.
static void tile_elements(hoist_move_plan *plan)
{
    const size_t count = plan->loops[plan->loop_count - 1].count;
    const size_t long_line = plan->streams ? STREAM_LINE : LONG_LINE;
    const size_t most = plan->has_rows ? long_line : LINE;
    if (plan->turned && plan->has_rows) {
        set_tiles(plan, LONG_SQUARE, LONG_SQUARE, HOIST_MOVE_STAGED);
    } else if (plan->turned) {
        set_tiles(plan, SQUARE, SQUARE, LINE);
    } else {
        const size_t cols = at_most(most, count);
        set_tiles(plan, cols < LONG_ROW || plan->has_rows ? most / cols : 1, cols, most);
    }
    set_tile_units(plan, sizeof(float));
}

void hoist_move_plan_elements(hoist_move_plan *plan)
{
    plan->way = HOIST_MOVE_TILES;
    plan->turned =
        plan->loop_count > 1 && plan->move.source_count > 0 && hoist_move_turn_loops(plan);
    hoist_move_pad_loops(plan);
    plan->has_rows = has_rows(plan);
    tile_elements(plan);
}

// True when each tile begins where the one before it ends.
static bool is_dense(const hoist_move_plan *plan, size_t element)
{
    const size_t first = plan->loop_count - 3;
    size_t reach = element;
    bool cut = false; // within the tile
    for (size_t i = plan->loop_count; i-- > 0;) {
        const hoist_move_loop *loop = &plan->loops[i];
        const size_t tile = i >= first ? plan->tile[i - first] : 1;
        if (loop->count > 1 && (loop->stride[0] != (int64_t)reach || (cut && tile > 1))) {
            return false;
        }
        cut = cut || tile < loop->count;
        reach *= loop->count;
    }
    return true;
}

// True when all that is written lies in whole cache lines.
static bool is_in_lines(const hoist_move_plan *plan)
{
    uintptr_t all = (uintptr_t)plan->base[0] | plan->block;
    for (size_t i = 0; i < plan->loop_count; i++) {
        all |= (uintptr_t)plan->loops[i].stride[0];
    }
    return all % CACHE_LINE == 0;
}

// Blocks that are lines wherever they go, or all that leaves no gap.
static bool can_stream(const hoist_move_plan *plan)
{
    if (plan->way == HOIST_MOVE_TILES) {
        return plan->has_rows && is_dense(plan, hoist_element_size(plan->views[0].dtype));
    }
    return (plan->block >= CACHE_LINE && is_in_lines(plan)) || is_dense(plan, plan->block);
}

// Tiles of either way, as `streams` now is.
static void set_tiles_of(hoist_move_plan *plan)
{
    if (plan->way == HOIST_MOVE_BLOCKS) {
        tile_copy(plan);
    } else {
        tile_elements(plan);
    }
}

void hoist_move_stream(hoist_move_plan *plan)
{
    if (plan->way == HOIST_MOVE_FLAT) {
        const uintptr_t to = (uintptr_t)plan->base[0];
        const uintptr_t from = (uintptr_t)plan->base[1];
        // Stores past the caches do not suit blocks that overlap.
        plan->streams = (to < from ? from - to : to - from) >= plan->block;
    } else if (plan->way == HOIST_MOVE_BLOCKS || plan->way == HOIST_MOVE_TILES) {
        // Tiles are larger then, and whether they can stream depends on them.
        plan->streams = true;
        set_tiles_of(plan);
        plan->streams = can_stream(plan);
        set_tiles_of(plan);
    }
}
