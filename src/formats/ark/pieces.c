// Cuts memories into pieces (formats/ark/pieces.h): a sweep over the ranges of all views of a
// memory, in ascending order, that names each set of views by which a range is covered.
//
// Dimensions that all views of a memory have in common, such as the rows of a matrix that is cut
// into columns, are left out before, so the work follows from the pieces and rarely from the sizes.
#include "formats/ark/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/order.h"

// Of a file, in ranges of views, each as often as another view covers it. A file with more is
// HOIST_LIMIT.
enum { MOST_WORK = 1 << 24 };

// A different view of a memory, and the sweep's place in it.
typedef struct view {
    hoist_block bytes;
    hoist_block_walk walk;
    hoist_run run; // the one at hand
    bool is_inside;
    uint32_t piece_count;
    uint32_t *pieces; // arena
} view;

// A set is all views that have a byte in common; each byte of the memory is in one set.
typedef struct piece_set {
    const uint32_t *views; // that have the piece; scratch
    uint32_t count;
} piece_set;

typedef struct cutter {
    const ark_graph *graph;
    hoist_arena *arena;
    ark_pieces *pieces;
    uint64_t work;
    // Of the memory at hand:
    hoist_arena scratch;
    view *views; // scratch, as all below
    uint32_t view_count;
    uint32_t *heap; // views by the place of their next begin or end
    uint32_t heap_count;
    uint32_t *inside; // views that cover the place of the sweep, ascending
    uint32_t inside_count;
    hoist_map known; // sets of views, as bytes, to indices of `sets`
    piece_set *sets; // owned
    size_t set_capacity;
    ark_piece_range *ranges; // owned
    size_t range_count, range_capacity;
} cutter;

// Bytes of an element are the innermost, contiguous run.
hoist_block ark_value_block(const ark_value *value)
{
    hoist_block block = {.offset = value->offset, .rank = value->rank};
    block.size = (uint64_t)value->stride[value->rank - 1];
    for (int i = 0; i < value->rank; i++) {
        block.count[i] = (uint64_t)value->shape[i];
        block.stride[i] = (uint64_t)value->stride[i];
    }
    return hoist_block_normal(&block);
}

// The range, repeated along the dimensions of its memory.
hoist_block ark_piece_block(const ark_piece_memory *memory, const ark_piece_range *range)
{
    hoist_block block = {
        .offset = range->begin, .size = range->end - range->begin, .rank = memory->rank};
    memcpy(block.count, memory->count, sizeof(block.count));
    memcpy(block.stride, memory->stride, sizeof(block.stride));
    return block;
}

// Views ------------------------------------------------------------------------------------------

// A tensor's bytes before equal ones are joined to one view.
typedef struct named_block {
    hoist_block bytes;
    uint32_t value;
} named_block;

// Equal for the same bytes, since blocks are normal.
static int order_blocks(const void *left, const void *right)
{
    const hoist_block *const a = &((const named_block *)left)->bytes;
    const hoist_block *const b = &((const named_block *)right)->bytes;
    int order = hoist_order_u64(a->offset, b->offset);
    order = order ? order : hoist_order_u64(a->size, b->size);
    order = order ? order : a->rank - b->rank;
    for (int i = 0; order == 0 && i < a->rank; i++) {
        order = hoist_order_u64(a->count[i], b->count[i]);
        order = order ? order : hoist_order_u64(a->stride[i], b->stride[i]);
    }
    return order;
}

// The bytes of one row of a view, when all of it is `count` such rows, `stride` apart from `start`
// on and within that; false: it is not.
static bool row_of(const hoist_block *block, uint64_t start, uint64_t count, uint64_t stride,
                   hoist_block *out_row)
{
    *out_row = *block;
    if (block->rank == 0) {
        out_row->size = stride;
        return block->offset == start && block->size % stride == 0 && block->size / stride == count;
    }
    out_row->rank--;
    memmove(&out_row->count[0], &block->count[1], sizeof(block->count) - sizeof(block->count[0]));
    memmove(&out_row->stride[0], &block->stride[1],
            sizeof(block->stride) - sizeof(block->stride[0]));
    return block->count[0] == count && block->stride[0] == stride &&
           hoist_block_end(out_row) - start <= stride;
}

// Moves the outermost dimension of all views, when it is the same for all, to the memory.
static bool strip(cutter *c, ark_piece_memory *memory)
{
    const uint64_t start = c->views[0].bytes.offset; // the least
    const hoist_block *pattern = NULL;
    for (uint32_t i = 0; i < c->view_count && !pattern; i++) {
        pattern = c->views[i].bytes.rank ? &c->views[i].bytes : NULL;
    }
    if (!pattern) {
        return false;
    }
    const uint64_t count = pattern->count[0];
    const uint64_t stride = pattern->stride[0];
    hoist_block row;
    for (uint32_t i = 0; i < c->view_count; i++) {
        if (!row_of(&c->views[i].bytes, start, count, stride, &row)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < c->view_count; i++) {
        (void)row_of(&c->views[i].bytes, start, count, stride, &row);
        c->views[i].bytes = row;
    }
    memory->count[memory->rank] = count;
    memory->stride[memory->rank] = stride;
    memory->rank++;
    return true;
}

// Heap -------------------------------------------------------------------------------------------

// A view that is inside is left next, else it is entered next.
static uint64_t next_place(const cutter *c, uint32_t slot)
{
    const view *const v = &c->views[c->heap[slot]];
    return v->is_inside ? v->run.end : v->run.begin;
}

// The root is the view whose next begin or end is the least byte.
static void sift_down(cutter *c)
{
    uint32_t at = 0;
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < c->heap_count; child++) {
            least = next_place(c, child) < next_place(c, least) ? child : least;
        }
        if (least == at) {
            return;
        }
        const uint32_t moved = c->heap[at];
        c->heap[at] = c->heap[least];
        c->heap[least] = moved;
        at = least;
    }
}

// Enters or leaves the range of the view that is first. A view that has no further range leaves
// the heap.
static void pass_first(cutter *c)
{
    const uint32_t index = c->heap[0];
    view *const v = &c->views[index];
    uint32_t at = 0;
    while (at < c->inside_count && c->inside[at] < index) {
        at++;
    }
    if (!v->is_inside) {
        memmove(&c->inside[at + 1], &c->inside[at], (c->inside_count - at) * sizeof(*c->inside));
        c->inside[at] = index;
        c->inside_count++;
        v->is_inside = true;
    } else {
        c->inside_count--;
        memmove(&c->inside[at], &c->inside[at + 1], (c->inside_count - at) * sizeof(*c->inside));
        v->is_inside = false;
        if (!hoist_block_next(&v->walk, &v->run)) {
            c->heap[0] = c->heap[--c->heap_count];
        }
    }
    sift_down(c);
}

// Pieces -----------------------------------------------------------------------------------------

// The index of the set of views that cover the place of the sweep.
static hoist_status find_set(cutter *c, size_t *out_set)
{
    const size_t size = c->inside_count * sizeof(*c->inside);
    const size_t next = c->known.count;
    const hoist_str key = {(const char *)c->inside, size};
    if (hoist_map_find(&c->known, key, out_set)) {
        return HOIST_OK;
    }
    uint32_t *const views = hoist_arena_array(&c->scratch, c->inside_count, sizeof(*views));
    void *sets = c->sets;
    HOIST_TRY_MEMORY(views && hoist_grow(c->graph->module->base.alloc, &sets, &c->set_capacity,
                                         next + 1, sizeof(*c->sets)));
    memcpy(views, c->inside, size);
    c->sets = sets;
    c->sets[next] = (piece_set){views, c->inside_count};
    for (uint32_t i = 0; i < c->inside_count; i++) {
        c->views[views[i]].piece_count++;
    }
    *out_set = next;
    return hoist_map_add(&c->known, (hoist_str){(const char *)views, size}, next, NULL);
}

// Continues the last range when it has the same views.
static hoist_status add_range(cutter *c, uint64_t begin, uint64_t end)
{
    size_t set = 0;
    HOIST_TRY(find_set(c, &set));
    const uint32_t piece = c->pieces->count + (uint32_t)set;
    ark_piece_range *const last = c->range_count ? &c->ranges[c->range_count - 1] : NULL;
    if (last && last->end == begin && last->piece == piece) {
        last->end = end;
        return HOIST_OK;
    }
    void *ranges = c->ranges;
    HOIST_TRY_MEMORY(hoist_grow(c->graph->module->base.alloc, &ranges, &c->range_capacity,
                                c->range_count + 1, sizeof(*c->ranges)));
    c->ranges = ranges;
    c->ranges[c->range_count++] = (ark_piece_range){begin, end, piece};
    return HOIST_OK;
}

// Between two bytes at which views begin or end, the set of views that cover a byte is the same.
static hoist_status sweep(cutter *c)
{
    for (uint32_t i = 0; i < c->view_count; i++) { // in order of their first bytes: a heap
        c->views[i].walk = (hoist_block_walk){.block = &c->views[i].bytes};
        (void)hoist_block_next(&c->views[i].walk, &c->views[i].run);
        c->heap[c->heap_count++] = i;
    }
    while (c->heap_count) {
        const uint64_t at = next_place(c, 0);
        while (c->heap_count && next_place(c, 0) == at) {
            pass_first(c);
            c->work += 1 + c->inside_count;
        }
        HOIST_TRY(hoist_deadline_look(c->graph->module->base.deadline));
        if (c->work > MOST_WORK) {
            return HOIST_LIMIT;
        }
        if (c->inside_count) {
            HOIST_TRY(add_range(c, at, next_place(c, 0)));
        }
    }
    return HOIST_OK;
}

// Ranges and lists of pieces go to the caller's arena. Pieces of a memory are numbered on from
// those of the memories before.
static hoist_status keep(cutter *c, ark_piece_memory *memory)
{
    ark_piece_range *const ranges = hoist_arena_array(c->arena, c->range_count, sizeof(*ranges));
    HOIST_TRY_MEMORY(ranges);
    if (c->range_count) {
        memcpy(ranges, c->ranges, c->range_count * sizeof(*ranges));
    }
    memory->ranges = ranges;
    memory->range_count = (uint32_t)c->range_count;
    for (uint32_t i = 0; i < c->view_count; i++) {
        view *const v = &c->views[i];
        v->pieces = hoist_arena_array(c->arena, v->piece_count, sizeof(*v->pieces));
        HOIST_TRY_MEMORY(v->pieces);
        v->piece_count = 0;
    }
    for (size_t i = 0; i < c->known.count; i++) {
        for (uint32_t k = 0; k < c->sets[i].count; k++) {
            view *const v = &c->views[c->sets[i].views[k]];
            v->pieces[v->piece_count++] = c->pieces->count + (uint32_t)i;
        }
    }
    c->pieces->count += (uint32_t)c->known.count;
    return HOIST_OK;
}

// Equal views are cut once. `of` gets the pieces of each tensor, by value.
static hoist_status cut(cutter *c, named_block *blocks, size_t count, ark_operands *of,
                        ark_piece_memory *memory)
{
    c->views = hoist_arena_array(&c->scratch, count, sizeof(*c->views));
    c->heap = hoist_arena_array(&c->scratch, count, sizeof(*c->heap));
    c->inside = hoist_arena_array(&c->scratch, count, sizeof(*c->inside));
    uint32_t *const view_of = hoist_arena_array(&c->scratch, count, sizeof(*view_of));
    HOIST_TRY_MEMORY(c->views && c->heap && c->inside && view_of);
    qsort(blocks, count, sizeof(*blocks), order_blocks);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || order_blocks(&blocks[i - 1], &blocks[i]) != 0) {
            c->views[c->view_count++].bytes = blocks[i].bytes;
        }
        view_of[i] = c->view_count - 1;
    }
    while (strip(c, memory)) { // what all have in common is left out, one dimension after the other
    }
    HOIST_TRY(sweep(c));
    HOIST_TRY(keep(c, memory));
    for (size_t i = 0; i < count; i++) {
        const view *const v = &c->views[view_of[i]];
        of[blocks[i].value] = (ark_operands){v->pieces, v->piece_count};
    }
    return HOIST_OK;
}

// Memories ---------------------------------------------------------------------------------------

// Cuts one memory; all that was made on the way is freed.
static hoist_status cut_memory(cutter *c, named_block *blocks, size_t count, ark_operands *of,
                               ark_piece_memory *memory)
{
    const hoist_allocator alloc = c->graph->module->base.alloc;
    cutter one = {.graph = c->graph, .arena = c->arena, .pieces = c->pieces, .work = c->work};
    hoist_arena_init(&one.scratch, alloc);
    hoist_map_init(&one.known, alloc);
    const hoist_status status = cut(&one, blocks, count, of, memory);
    hoist_free(alloc, one.sets, one.set_capacity * sizeof(*one.sets));
    hoist_free(alloc, one.ranges, one.range_capacity * sizeof(*one.ranges));
    hoist_map_deinit(&one.known);
    hoist_arena_deinit(&one.scratch);
    c->work = one.work;
    return status;
}

// The tensors that have effects or are results, sorted by memory: of memory i
// blocks[first[i]] up to blocks[first[i + 1]]. A counting sort: counts by memory, their sums, and
// the blocks.
static hoist_status collect(const ark_graph *graph, const ark_effects *effects, hoist_arena *arena,
                            named_block **out_blocks, uint32_t **out_first)
{
    bool *const is_used = hoist_arena_array(arena, graph->value_count, sizeof(*is_used));
    uint32_t *const first =
        hoist_arena_array(arena, (size_t)graph->memory_count + 2, sizeof(*first));
    HOIST_TRY_MEMORY(is_used && first);
    for (uint32_t i = 0; i < effects->first[graph->step_count]; i++) {
        is_used[effects->items[i].value] = true;
    }
    for (uint32_t i = 0; i < graph->step_count; i++) {
        if (effects->results[i] != ARK_NONE) {
            is_used[effects->results[i]] = true;
        }
    }
    // Counted two places on, so that filling leaves each start where it belongs.
    size_t count = 0;
    for (uint32_t i = 0; i < graph->value_count; i++) {
        first[graph->values[i].memory + 2] += is_used[i];
        count += is_used[i];
    }
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        first[i + 2] += first[i + 1];
    }
    named_block *const blocks = hoist_arena_array(arena, count, sizeof(*blocks));
    HOIST_TRY_MEMORY(blocks);
    for (uint32_t i = 0; i < graph->value_count; i++) {
        if (is_used[i]) {
            const ark_value *const value = &graph->values[i];
            blocks[first[value->memory + 1]++] = (named_block){ark_value_block(value), i};
        }
    }
    *out_blocks = blocks;
    *out_first = first;
    return HOIST_OK;
}

// Memories are cut one by one: views of two buffers share no byte.
static hoist_status find(cutter *c, const ark_effects *effects)
{
    const ark_graph *const graph = c->graph;
    named_block *blocks = NULL;
    uint32_t *first = NULL;
    ark_operands *const of = hoist_arena_array(c->arena, graph->value_count, sizeof(*of));
    ark_piece_memory *const memories =
        hoist_arena_array(c->arena, graph->memory_count, sizeof(*memories));
    HOIST_TRY_MEMORY(of && memories);
    HOIST_TRY(collect(graph, effects, &c->scratch, &blocks, &first));
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        if (first[i] < first[i + 1]) {
            HOIST_TRY(cut_memory(c, &blocks[first[i]], first[i + 1] - first[i], of, &memories[i]));
        }
    }
    c->pieces->of = of;
    c->pieces->memories = memories;
    return HOIST_OK;
}

// Empty when it fails.
hoist_status ark_pieces_find(const ark_graph *graph, const ark_effects *effects, hoist_arena *arena,
                             ark_pieces *out_pieces)
{
    *out_pieces = (ark_pieces){0};
    cutter c = {.graph = graph, .arena = arena, .pieces = out_pieces};
    hoist_arena_init(&c.scratch, graph->module->base.alloc);
    const hoist_status status = find(&c, effects);
    hoist_arena_deinit(&c.scratch);
    if (status != HOIST_OK) {
        *out_pieces = (ark_pieces){0};
    }
    return status;
}
