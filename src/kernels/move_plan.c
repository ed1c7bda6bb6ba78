// How a move is done: its views as common loops, in the order that suits memory, and cut into
// units.
#include <stdlib.h>

#include "base/assert.h"
#include "kernels/elements.h"
#include "kernels/move.h"
#include "kernels/move_table.h"

enum {
    LINE_UNIT = 16384,        // elements
    TILE_UNIT = 256 * 1024,   // bytes
    FLAT_UNIT = 1024 * 1024,  // bytes
    BLOCK_TILE = 32 * 1024,   // bytes of a tile of a copy
    PAGE = 4096,              // the same
    STREAM_TILE = 128 * 1024, // the same, past the caches
    CACHE_LINE = 64,          // bytes
    STREAMED = 16 << 20,      // bytes of a result that leaves nothing in the caches
    SQUARE_BYTES = 256,       // side of a tile of a transposing copy, bytes
    LINE = 1024,              // elements of a tile of any other move
    LONG_LINE = 4096,         // the same, of rows that are converted where they stand
    STREAM_LINE = 32768,      // the same, past the caches
    SQUARE = 32,              // side of a tile of elements where the source goes another way
    LONG_SQUARE = 64,         // the same, of rows that are converted once they are turned
    LONG_ROW = 256,           // elements: rows that are converted where they are
};

// Views ------------------------------------------------------------------------------------------

// Dimensions of one element left out, and those joined that step on where the next inner one ends.
static void join_dims(hoist_view *view)
{
    hoist_shape *shape = &view->shape;
    int rank = 0;
    for (int i = 0; i < shape->rank; i++) {
        const int64_t dim = shape->dim[i];
        if (dim == 1) {
            continue;
        }
        if (rank > 0 && view->stride[rank - 1] == dim * view->stride[i]) {
            shape->dim[rank - 1] *= dim;
            view->stride[rank - 1] = view->stride[i];
        } else {
            shape->dim[rank] = dim;
            view->stride[rank] = view->stride[i];
            rank++;
        }
    }
    shape->rank = rank;
}

static hoist_status transpose(hoist_view *view, const hoist_view_move *move)
{
    const hoist_view source = *view;
    if (move->transpose_rank == 0) {
        return HOIST_OK;
    }
    if (move->transpose_rank != (size_t)source.shape.rank) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i < move->transpose_rank; i++) {
        view->shape.dim[i] = source.shape.dim[move->transpose_axes[i]];
        view->stride[i] = source.stride[move->transpose_axes[i]];
    }
    return HOIST_OK;
}

static uint64_t count_of(const hoist_view *view)
{
    return (uint64_t)hoist_shape_count(&view->shape);
}

// As many elements as the destination, or all that the table names.
static hoist_status check(const hoist_view_move *move, uint64_t count)
{
    const bool one = move->op == HOIST_KERNEL_COPY || move->op == HOIST_KERNEL_CAST;
    if (move->source_count > HOIST_MOVE_MAX_VIEWS ||
        (one && !move->table && move->source_count != 1)) {
        return HOIST_INVALID;
    }
    uint64_t joined = 0;
    for (size_t i = 0; i < move->source_count; i++) {
        const uint64_t elements = count_of(&move->sources[i]);
        if (!move->table && elements != count) {
            return HOIST_INVALID;
        }
        joined += elements;
    }
    for (uint64_t i = 0; move->table && i < count; i++) {
        if (move->table[i] >= 0 && (uint64_t)move->table[i] >= joined) {
            return HOIST_INVALID;
        }
    }
    return HOIST_OK;
}

static hoist_status take_views(hoist_move_plan *plan)
{
    const hoist_view_move *move = &plan->move;
    plan->views[0] = move->destination;
    for (size_t i = 0; i < move->source_count; i++) {
        plan->views[i + 1] = move->sources[i];
        HOIST_TRY(transpose(&plan->views[i + 1], move));
    }
    for (size_t i = 0; plan->count && i <= move->source_count; i++) {
        join_dims(&plan->views[i]);
        plan->base[i] = plan->views[i].memory.data + plan->views[i].offset;
    }
    return HOIST_OK;
}

// True when no two elements share a byte, as far as can be told: sorted by their strides, each
// dimension steps over what those below it reach.
static bool is_distinct(const hoist_view *view)
{
    int64_t reach = (int64_t)hoist_element_size(view->dtype);
    bool done[HOIST_MAX_RANK] = {false};
    for (int round = 0; round < view->shape.rank; round++) {
        int least = -1;
        for (int i = 0; i < view->shape.rank; i++) {
            if (!done[i] && (least < 0 || llabs(view->stride[i]) < llabs(view->stride[least]))) {
                least = i;
            }
        }
        const int64_t stride = llabs(view->stride[least]);
        if (stride < reach) {
            return false;
        }
        done[least] = true;
        reach += (view->shape.dim[least] - 1) * stride;
    }
    return true;
}

static bool is_same_place(const hoist_view *a, const hoist_view *b)
{
    bool same = a->memory.data + a->offset == b->memory.data + b->offset &&
                a->shape.rank == b->shape.rank &&
                hoist_element_size(a->dtype) == hoist_element_size(b->dtype);
    for (int i = 0; same && i < a->shape.rank; i++) {
        same = a->shape.dim[i] == b->shape.dim[i] && a->stride[i] == b->stride[i];
    }
    return same;
}

// Loops ------------------------------------------------------------------------------------------

// Where the walk over the dimensions of a view is, innermost first.
typedef struct cursor {
    int dim;
    size_t left; // of that dimension
    int64_t stride;
} cursor;

static void load_dim(const hoist_view *view, cursor *c)
{
    if (c->left == 1 && c->dim > 0) {
        c->dim--;
        c->left = (size_t)view->shape.dim[c->dim];
        c->stride = view->stride[c->dim];
    }
}

static size_t gcd(size_t a, size_t b)
{
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The next loop from the inside: as long as divides what every view has left. 1: there is none.
static size_t common_count(const hoist_move_plan *plan, cursor *cursors)
{
    size_t count = 0;
    for (size_t v = 0; v <= plan->move.source_count; v++) {
        load_dim(&plan->views[v], &cursors[v]);
        count = gcd(cursors[v].left, count);
    }
    return count;
}

// Adds a loop outside of those that are there, or makes the outermost longer. Loops stand from the
// inside out here.
static bool add_loop(hoist_move_plan *plan, size_t count, cursor *cursors)
{
    hoist_move_loop *inner = plan->loop_count ? &plan->loops[plan->loop_count - 1] : NULL;
    const size_t views = plan->move.source_count + 1;
    bool joins = inner != NULL;
    for (size_t v = 0; joins && v < views; v++) {
        joins = cursors[v].stride == inner->stride[v] * (int64_t)inner->count;
    }
    if (joins) {
        inner->count *= count;
    } else if (plan->loop_count < HOIST_MOVE_MAX_LOOPS) {
        inner = &plan->loops[plan->loop_count++];
        inner->count = count;
        for (size_t v = 0; v < views; v++) {
            inner->stride[v] = cursors[v].stride;
        }
    } else {
        return false;
    }
    for (size_t v = 0; v < views; v++) {
        cursors[v].left /= count;
        cursors[v].stride *= (int64_t)count;
    }
    return true;
}

// The views as common loops, from the inside out. False where their shapes have none.
static bool find_loops(hoist_move_plan *plan)
{
    cursor cursors[1 + HOIST_MOVE_MAX_VIEWS];
    for (size_t v = 0; v <= plan->move.source_count; v++) {
        cursors[v] = (cursor){.dim = plan->views[v].shape.rank, .left = 1};
    }
    plan->loop_count = 0;
    for (uint64_t left = plan->count; left > 1;) {
        const size_t count = common_count(plan, cursors);
        if (count <= 1 || !add_loop(plan, count, cursors)) {
            return false;
        }
        left /= count;
    }
    return true;
}

static void swap_loops(hoist_move_loop *a, hoist_move_loop *b)
{
    const hoist_move_loop kept = *a;
    *a = *b;
    *b = kept;
}

// The destination upwards: its longest stride outermost, none negative. Loops that now step on
// where the next inner one ends are joined.
static void order_loops(hoist_move_plan *plan)
{
    const size_t views = plan->move.source_count + 1;
    hoist_move_loop *loops = plan->loops;
    for (size_t i = 0; i < plan->loop_count; i++) {
        for (size_t v = 0; loops[i].stride[0] < 0 && v < views; v++) {
            const size_t at = views - 1 - v; // the destination last: the condition is on it
            plan->base[at] += (int64_t)(loops[i].count - 1) * loops[i].stride[at];
            loops[i].stride[at] = -loops[i].stride[at];
        }
    }
    for (size_t i = 1; i < plan->loop_count; i++) {
        for (size_t k = i; k > 0 && loops[k - 1].stride[0] < loops[k].stride[0]; k--) {
            swap_loops(&loops[k - 1], &loops[k]);
        }
    }
    size_t kept = 0;
    for (size_t i = 1; i < plan->loop_count; i++) {
        bool joins = true;
        for (size_t v = 0; joins && v < views; v++) {
            joins = loops[kept].stride[v] == loops[i].stride[v] * (int64_t)loops[i].count;
        }
        if (joins) {
            loops[i].count *= loops[kept].count;
        } else {
            kept++;
        }
        loops[kept] = loops[i];
    }
    plan->loop_count = plan->loop_count ? kept + 1 : 0;
}

// Sharing ----------------------------------------------------------------------------------------

// What a view takes of every `period` bytes: length bytes from `begin` on; longer than the period
// when that says nothing.
typedef struct footprint {
    uint64_t begin;
    uint64_t length;
} footprint;

static footprint footprint_in(const hoist_view *view, uint64_t period)
{
    uint64_t length = hoist_element_size(view->dtype);
    uint64_t begin = (uint64_t)(uintptr_t)view->memory.data + (uint64_t)view->offset;
    for (int i = 0; i < view->shape.rank; i++) {
        const uint64_t stride = (uint64_t)llabs(view->stride[i]);
        if (stride % period != 0) {
            const uint64_t reach = (uint64_t)(view->shape.dim[i] - 1) * stride;
            begin -= view->stride[i] < 0 ? reach : 0;
            length += reach;
        }
    }
    return (footprint){begin % period, length};
}

// True when the views take different bytes of every `period`: columns of one matrix.
static bool are_apart_in(const hoist_view *a, const hoist_view *b, int64_t stride)
{
    const uint64_t period = (uint64_t)llabs(stride);
    if (period == 0) {
        return false;
    }
    const footprint x = footprint_in(a, period);
    const footprint y = footprint_in(b, period);
    const uint64_t distance = (y.begin + period - x.begin) % period;
    return x.length <= distance && y.length <= period - distance;
}

static bool are_apart(const hoist_view *a, const hoist_view *b)
{
    if (!hoist_elements_may_overlap(a, b)) {
        return true;
    }
    for (int i = 0; i < a->shape.rank; i++) {
        if (are_apart_in(a, b, a->stride[i])) {
            return true;
        }
    }
    return false;
}

// True when a source is not where the destination is, nor element for element in its place.
static bool is_crossed(const hoist_move_plan *plan, bool distinct)
{
    const hoist_view *to = &plan->views[0];
    for (size_t i = 1; i <= plan->move.source_count; i++) {
        const hoist_view *from = &plan->views[i];
        const bool in_place = distinct && !plan->move.table && is_same_place(to, from);
        if (!in_place && !are_apart(to, from)) {
            return true;
        }
    }
    return false;
}

// Ways -------------------------------------------------------------------------------------------

static size_t at_most(size_t value, size_t most)
{
    return value < most ? value : most;
}

static uint64_t parts(uint64_t whole, uint64_t part)
{
    return (whole + part - 1) / part;
}

static void set_units(hoist_move_plan *plan, uint64_t whole, uint64_t unit)
{
    plan->unit = (size_t)unit;
    plan->units = (size_t)parts(whole, unit);
}

// The loop along which source 0 has its elements closest becomes the last but one, unless that is
// the last. True when it is not.
static bool turn_loops(hoist_move_plan *plan)
{
    hoist_move_loop *loops = plan->loops;
    const size_t last = plan->loop_count - 1;
    size_t closest = last;
    for (size_t i = 0; i < last; i++) {
        const int64_t stride = llabs(loops[i].stride[1]);
        if (stride > 0 && stride < llabs(loops[closest].stride[1])) {
            closest = i;
        }
    }
    for (size_t i = closest; i + 1 < last; i++) {
        swap_loops(&loops[i], &loops[i + 1]);
    }
    return closest != last;
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
        plan->tiles *= parts(plan->loops[i].count, inner <= 3 ? plan->tile[3 - inner] : 1);
    }
}

static void set_tile_units(hoist_move_plan *plan, size_t element)
{
    const uint64_t bytes = (uint64_t)plan->tile[0] * plan->tile[1] * plan->tile[2] * element;
    set_units(plan, plan->tiles, bytes < TILE_UNIT ? TILE_UNIT / bytes : 1);
}

// Loops of one turn outside, so that there are planes, rows and columns.
static void pad_loops(hoist_move_plan *plan)
{
    const size_t missing = plan->loop_count < 3 ? 3 - plan->loop_count : 0;
    for (size_t i = plan->loop_count; missing && i-- > 0;) {
        plan->loops[i + missing] = plan->loops[i];
    }
    for (size_t i = 0; i < missing; i++) {
        plan->loops[i] = (hoist_move_loop){.count = 1};
    }
    plan->loop_count += missing;
}

// Bytes of a tile of a copy. What streams is best written in long runs; small blocks go by way of
// the first cache, and those that are not turned by pages: every second float32 of 64 MiB took 0.47
// ns, and 0.59 by four pages or as usual.
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

static void plan_copy(hoist_move_plan *plan)
{
    const hoist_move_loop *last = plan->loop_count ? &plan->loops[plan->loop_count - 1] : NULL;
    plan->block = hoist_element_size(plan->views[0].dtype);
    if (last && last->stride[0] == (int64_t)plan->block &&
        last->stride[1] == (int64_t)plan->block) {
        plan->block *= last->count;
        plan->loop_count--;
    }
    if (plan->loop_count == 0) {
        plan->way = HOIST_MOVE_FLAT;
        set_units(plan, plan->block, FLAT_UNIT);
        return;
    }
    plan->way = HOIST_MOVE_BLOCKS;
    plan->turned = plan->block < CACHE_LINE && turn_loops(plan);
    pad_loops(plan);
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

// True when one kernel converts rows to where they go, from where they stand or, once they are
// turned, from a stage.
static bool has_rows(const hoist_move_plan *plan)
{
    const hoist_move_loop *last = &plan->loops[plan->loop_count - 1];
    const hoist_move_loop *rows = plan->turned ? last - 1 : last;
    return (plan->move.op == HOIST_KERNEL_COPY || plan->move.op == HOIST_KERNEL_CAST) &&
           hoist_move_conversion(hoist_move_kernels_at(HOIST_CPU_BASELINE), plan) &&
           last->stride[0] == (int64_t)hoist_element_size(plan->views[0].dtype) &&
           rows->stride[1] == (int64_t)hoist_element_size(plan->views[1].dtype);
}

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

static void plan_elements(hoist_move_plan *plan)
{
    plan->way = HOIST_MOVE_TILES;
    plan->turned = plan->loop_count > 1 && plan->move.source_count > 0 && turn_loops(plan);
    pad_loops(plan);
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
        plan->streams = (to < from ? from - to : to - from) >= plan->block;
    } else if (plan->way == HOIST_MOVE_BLOCKS || plan->way == HOIST_MOVE_TILES) {
        plan->streams = true;
        set_tiles_of(plan);
        plan->streams = can_stream(plan);
        set_tiles_of(plan);
    }
}

static bool is_copy(const hoist_move_plan *plan)
{
    return plan->move.op == HOIST_KERNEL_COPY && !plan->move.table &&
           plan->views[0].dtype == plan->views[1].dtype;
}

static void choose_way(hoist_move_plan *plan)
{
    const bool copies = is_copy(plan);
    const bool distinct = is_distinct(&plan->views[0]);
    const bool loops = !plan->move.table && distinct && find_loops(plan);
    if (copies && is_same_place(&plan->views[0], &plan->views[1])) {
        return;
    }
    if (loops) {
        order_loops(plan);
        if (copies) {
            plan_copy(plan);
        } else {
            plan_elements(plan);
        }
    } else {
        plan->way = HOIST_MOVE_LINES;
        set_units(plan, plan->count, distinct ? LINE_UNIT : plan->count);
    }
    if (is_crossed(plan, distinct)) {
        plan->way = plan->way == HOIST_MOVE_FLAT ? HOIST_MOVE_FLAT : HOIST_MOVE_BUFFERED;
        plan->unit *= plan->units; // all of it
        plan->units = 1;
    }
    if (plan->count * hoist_element_size(plan->views[0].dtype) >= STREAMED) {
        hoist_move_stream(plan);
    }
}

hoist_status hoist_move_prepare(const hoist_view_move *move, hoist_move_plan *out_plan)
{
    out_plan->move = *move;
    out_plan->way = HOIST_MOVE_NOTHING;
    out_plan->streams = false;
    out_plan->units = 1;
    out_plan->count = count_of(&move->destination);
    HOIST_TRY(check(move, out_plan->count));
    HOIST_TRY(take_views(out_plan));
    if (out_plan->count > 0) {
        choose_way(out_plan);
    }
    return HOIST_OK;
}
