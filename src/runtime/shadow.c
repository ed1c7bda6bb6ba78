// Unknown bytes: marks next to the session's memory, carried by moves and computes as the bytes
// are, so that a pop of an unknown byte can be reported. In: opaque steps that were skipped and all
// later data steps; out: whether a range is known.
#include "runtime/shadow.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/order.h"
#include "os/pages.h"

enum { UNKNOWN = 255 };

// Regions -------------------------------------------------------------------------------------

// Regions for all memory of the store that is not part of another one's.
hoist_status hoist_shadow_open(hoist_shadow *shadow, hoist_store *store, size_t more)
{
    const hoist_program *program = store->program;
    const size_t room = (size_t)program->buffer_count + program->fifo_count + more + 1;
    shadow->store = store;
    shadow->popped =
        hoist_alloc_zero(store->alloc, (size_t)program->fifo_count + 1, sizeof *shadow->popped);
    shadow->regions = hoist_alloc_zero(store->alloc, room, sizeof *shadow->regions);
    shadow->capacity = room;
    if (!shadow->popped || !shadow->regions) {
        hoist_shadow_deinit(shadow);
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        // Windows and shared buffers have their bytes in the memory of others.
        if (program->buffers[i].window_of == HOIST_NO_REF && !store->shared[i]) {
            hoist_shadow_add(shadow, store->buffers[i]);
        }
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        hoist_shadow_add(shadow, store->fifos[i].pages);
    }
    return HOIST_OK;
}

void hoist_shadow_add(hoist_shadow *shadow, hoist_mut_bytes memory)
{
    HOIST_ASSERT(shadow->count < shadow->capacity);
    if (memory.size == 0) {
        return;
    }
    size_t at = shadow->count++;
    // Kept in the order of addresses, for the search by each view.
    for (; at > 0 && shadow->regions[at - 1].base > memory.data; at--) {
        shadow->regions[at] = shadow->regions[at - 1];
    }
    shadow->regions[at] = (hoist_shadow_region){.base = memory.data, .size = memory.size};
}

void hoist_shadow_deinit(hoist_shadow *shadow)
{
    if (!shadow->store) {
        return;
    }
    const hoist_store *store = shadow->store;
    for (size_t i = 0; shadow->regions && i < shadow->count; i++) {
        hoist_pages_free(shadow->regions[i].marks);
    }
    hoist_free(store->alloc, shadow->regions,
               shadow->regions ? shadow->capacity * sizeof *shadow->regions : 0);
    hoist_free(store->alloc, shadow->popped,
               shadow->popped ? ((size_t)store->program->fifo_count + 1) * sizeof *shadow->popped
                              : 0);
    *shadow = (hoist_shadow){.store = NULL};
}

static bool begins_by(const void *region, const void *at)
{
    return ((const hoist_shadow_region *)region)->base <= *(const uint8_t *const *)at;
}

// The region that has `at`; NULL: none.
static hoist_shadow_region *region_of(const hoist_shadow *shadow, const uint8_t *at)
{
    const size_t begun =
        hoist_order_first(shadow->regions, shadow->count, sizeof *shadow->regions, begins_by, &at);
    hoist_shadow_region *region = begun > 0 ? &shadow->regions[begun - 1] : NULL;
    return region && (size_t)(at - region->base) < region->size ? region : NULL;
}

// The marks of what is at `at`; NULL: no byte of the region is unknown.
static uint8_t *marks_at(const hoist_shadow *shadow, const uint8_t *at)
{
    const hoist_shadow_region *region = region_of(shadow, at);
    return region && region->marks.data ? region->marks.data + (at - region->base) : NULL;
}

// The same, made when they are not there.
static hoist_status need_marks(hoist_shadow *shadow, const uint8_t *at, uint8_t **out_marks)
{
    hoist_shadow_region *region = region_of(shadow, at);
    HOIST_ASSERT(region);
    if (!region->marks.data) {
        HOIST_TRY(hoist_store_take(shadow->store, region->size, &region->marks));
        // The new marks are all 0.
        region->known_from = 0;
        region->known_to = region->size;
    }
    *out_marks = region->marks.data + (at - region->base);
    return HOIST_OK;
}

// Bytes of a region that may be known from now on, because marks of theirs are written.
static void note_known(hoist_shadow_region *region, size_t from, size_t to)
{
    const bool none = region->known_from == region->known_to;
    region->known_from = none || from < region->known_from ? from : region->known_from;
    region->known_to = none || to > region->known_to ? to : region->known_to;
}

// All bytes of the region that has `at`: for what lies in tiles.
static void note_all(const hoist_shadow *shadow, const void *at)
{
    hoist_shadow_region *region = region_of(shadow, at);
    if (region) {
        note_known(region, 0, region->size);
    }
}

// Marks bytes as unknown, those that are not yet.
static void mark_run(hoist_shadow_region *region, size_t from, size_t to)
{
    const size_t first = from > region->known_from ? from : region->known_from;
    const size_t last = to < region->known_to ? to : region->known_to;
    // All of them are marked already.
    if (first >= last) {
        return;
    }
    memset(region->marks.data + first, UNKNOWN, last - first);
    // Marks at either end make what may be known shorter; in the middle they leave it as it is.
    if (last == region->known_to) {
        region->known_to = first;
    } else if (first == region->known_from) {
        region->known_from = last;
    }
}

// Bytes of views ------------------------------------------------------------------------------

// A view as runs of bytes: the innermost dimensions without gaps are one.
typedef struct runs {
    hoist_shape outer;
    size_t size; // bytes of a run
} runs;

static runs runs_of(const hoist_view *view)
{
    runs r = {.outer = view->shape, .size = hoist_dtype_get(view->dtype)->bits / 8};
    // Elements that follow each other are one run, then rows that do, and so on outwards.
    while (r.outer.rank > 0 && view->stride[r.outer.rank - 1] == (int64_t)r.size) {
        r.outer.rank--;
        r.size *= (size_t)r.outer.dim[r.outer.rank];
    }
    return r;
}

// Where the run of an index begins, in the memory of the view.
static int64_t offset_of(const hoist_view *view, const int64_t *index, int rank)
{
    int64_t offset = view->offset;
    for (int i = 0; i < rank; i++) {
        offset += index[i] * view->stride[i];
    }
    return offset;
}

// A view of no elements has no marks, and may be of no memory at all.
static bool is_empty(const hoist_view *view)
{
    return hoist_shape_count(&view->shape) == 0 || view->memory.size == 0;
}

// What the elements of a view, which is not empty, cover may be known from now on.
static void note_view(const hoist_shadow *shadow, const hoist_view *view)
{
    hoist_shadow_region *region = region_of(shadow, view->memory.data);
    HOIST_ASSERT(region); // all memory of views is in one
    const runs r = runs_of(view);
    int64_t low = view->offset;
    int64_t high = view->offset;
    for (int i = 0; i < r.outer.rank; i++) {
        // A dimension with a negative stride goes down from where the view begins.
        const int64_t reach = (r.outer.dim[i] - 1) * view->stride[i];
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    const size_t start = (size_t)(view->memory.data - region->base);
    note_known(region, start + (size_t)low, start + (size_t)high + r.size);
}

// Marks all bytes of a view, run by run.
static void mark_runs(hoist_shadow *shadow, const hoist_view *view)
{
    hoist_shadow_region *region = region_of(shadow, view->memory.data);
    const size_t start = (size_t)(view->memory.data - region->base);
    const runs r = runs_of(view);
    int64_t index[HOIST_MAX_RANK] = {0};
    do {
        const size_t from = start + (size_t)offset_of(view, index, r.outer.rank);
        mark_run(region, from, from + r.size);
    } while (hoist_shape_next(&r.outer, index));
}

// Bytes of a run that are unknown.
static uint64_t count_marks(const uint8_t *marks, size_t size)
{
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += marks[i] != 0;
    }
    return count;
}

uint64_t hoist_shadow_count(const hoist_shadow *shadow, const hoist_view *view)
{
    const uint8_t *marks = is_empty(view) ? NULL : marks_at(shadow, view->memory.data);
    if (!marks) {
        return 0;
    }
    const runs r = runs_of(view);
    int64_t index[HOIST_MAX_RANK] = {0};
    uint64_t count = 0;
    do {
        count += count_marks(marks + offset_of(view, index, r.outer.rank), r.size);
    } while (hoist_shape_next(&r.outer, index));
    return count;
}

// Whether any mark is set: the first one, or one that differs from the one before it.
static bool has_marks(const uint8_t *marks, size_t size)
{
    return marks[0] || memcmp(marks, marks + 1, size - 1) != 0;
}

// Whether any byte of a view is; it stops at the first.
static bool is_unknown(const hoist_shadow *shadow, const hoist_view *view)
{
    const uint8_t *marks = is_empty(view) ? NULL : marks_at(shadow, view->memory.data);
    if (!marks) {
        return false;
    }
    const runs r = runs_of(view);
    int64_t index[HOIST_MAX_RANK] = {0};
    do {
        if (has_marks(marks + offset_of(view, index, r.outer.rank), r.size)) {
            return true;
        }
    } while (hoist_shape_next(&r.outer, index));
    return false;
}

void hoist_shadow_clear(hoist_shadow *shadow, const hoist_view *view)
{
    uint8_t *marks = is_empty(view) ? NULL : marks_at(shadow, view->memory.data);
    if (!marks) {
        return;
    }
    note_view(shadow, view);
    const runs r = runs_of(view);
    int64_t index[HOIST_MAX_RANK] = {0};
    do {
        memset(marks + offset_of(view, index, r.outer.rank), 0, r.size);
    } while (hoist_shape_next(&r.outer, index));
}

hoist_status hoist_shadow_mark(hoist_shadow *shadow, const hoist_view *view, bool unknown)
{
    uint8_t *marks = NULL;
    // To clear takes no memory: where there are no marks all is known.
    if (!unknown || is_empty(view)) {
        hoist_shadow_clear(shadow, view);
        return HOIST_OK;
    }
    HOIST_TRY(need_marks(shadow, view->memory.data, &marks));
    mark_runs(shadow, view);
    return HOIST_OK;
}

// Tiles ---------------------------------------------------------------------------------------

static uint64_t tile_count(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols;
}

// Bytes from the first tile of memory to tile n; false: it is a tile of zeros.
static bool find_tile(const hoist_tiles *tiles, uint64_t n, size_t *out_offset)
{
    const uint64_t tile = tiles->tiles ? tiles->tiles[n] : n;
    *out_offset = (size_t)tile * HOIST_TILE_BYTES;
    return !tiles->tiles || tile != HOIST_TILE_ZERO;
}

// Marks the tiles of an operand, but for zeros, which have no memory.
static void fill_tiles(uint8_t *marks, const hoist_tiles *tiles, bool unknown)
{
    size_t offset = 0;
    for (uint64_t n = 0; n < tile_count(tiles); n++) {
        if (find_tile(tiles, n, &offset)) {
            memset(marks + offset, unknown ? UNKNOWN : 0, HOIST_TILE_BYTES);
        }
    }
}

void hoist_shadow_clear_tiles(hoist_shadow *shadow, const hoist_tiles *tiles)
{
    uint8_t *marks = marks_at(shadow, (const uint8_t *)tiles->base);
    if (marks) {
        note_all(shadow, tiles->base);
        fill_tiles(marks, tiles, false);
    }
}

hoist_status hoist_shadow_mark_tiles(hoist_shadow *shadow, const hoist_tiles *tiles, bool unknown)
{
    uint8_t *marks = NULL;
    if (!unknown) {
        hoist_shadow_clear_tiles(shadow, tiles);
        return HOIST_OK;
    }
    HOIST_TRY(need_marks(shadow, (const uint8_t *)tiles->base, &marks));
    fill_tiles(marks, tiles, true);
    return HOIST_OK;
}

uint64_t hoist_shadow_count_tiles(const hoist_shadow *shadow, const hoist_tiles *tiles)
{
    const uint8_t *marks = marks_at(shadow, (const uint8_t *)tiles->base);
    uint64_t count = 0;
    size_t offset = 0;
    for (uint64_t n = 0; marks && n < tile_count(tiles); n++) {
        count += find_tile(tiles, n, &offset) ? count_marks(marks + offset, HOIST_TILE_BYTES) : 0;
    }
    return count;
}

hoist_tiles hoist_shadow_slot_tiles(const hoist_store *store, hoist_ref fifo, uint32_t slot)
{
    const hoist_store_fifo *at = &store->fifos[fifo];
    uint8_t *base = at->base + slot * at->slot_bytes;
    return (hoist_tiles){.base = (float *)(void *)base, .tiles = at->tiles, .shape = at->shape};
}

hoist_view hoist_shadow_slot_view(const hoist_store *store, hoist_ref fifo, uint32_t slot)
{
    const hoist_prog_fifo *row = &store->program->fifos[fifo];
    const hoist_prog_layout *layout = &store->program->layouts[row->layout];
    const hoist_store_fifo *at = &store->fifos[fifo];
    hoist_view view = {.memory = {at->base + slot * at->slot_bytes, (size_t)at->slot_bytes},
                       .dtype = row->dtype,
                       .shape = layout->shape};
    memcpy(view.stride, layout->stride, sizeof view.stride);
    return view;
}

void hoist_shadow_begin_run(hoist_shadow *shadow)
{
    const hoist_program *program = shadow->store->program;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_prog_buffer *row = &program->buffers[i];
        const hoist_mut_bytes memory = shadow->store->buffers[i];
        // What the program gives a buffer at the begin of a run is known, whatever it held before.
        const bool is_set =
            row->contents != HOIST_CONTENTS_UNDEFINED && row->contents != HOIST_CONTENTS_CALLER;
        uint8_t *marks = memory.size ? marks_at(shadow, memory.data) : NULL;
        if (marks && is_set && row->lifetime == HOIST_LIFETIME_RUN) {
            note_all(shadow, memory.data);
            memset(marks, 0, memory.size);
        }
    }
}

// Steps ---------------------------------------------------------------------------------------

// A view on the marks of another one; elements of the same size that nothing converts.
static hoist_status shadow_view(hoist_shadow *shadow, const hoist_view *view, bool written,
                                hoist_view *out)
{
    static const hoist_dtype carriers[9] = {
        [1] = HOIST_DTYPE_U8, [2] = HOIST_DTYPE_U16, [4] = HOIST_DTYPE_U32, [8] = HOIST_DTYPE_U64};
    const hoist_dtype carrier = carriers[hoist_dtype_get(view->dtype)->bits / 8 % 9];
    *out = *view;
    out->dtype = carrier != HOIST_DTYPE_NONE ? carrier : view->dtype;
    if (is_empty(view)) {
        return HOIST_OK;
    }
    HOIST_TRY(need_marks(shadow, view->memory.data, &out->memory.data));
    // What is copied there may be marks of known bytes.
    if (written) {
        note_view(shadow, view);
    }
    return HOIST_OK;
}

// Elements of a view: 1 where any byte is unknown, as dense float32. `out->memory.data` is owned.
static hoist_status take_elements(const hoist_shadow *shadow, const hoist_view *view,
                                  hoist_allocator alloc, hoist_view *out)
{
    const size_t count = (size_t)hoist_shape_count(&view->shape);
    // One more, so that an empty view has memory, too.
    float *values = hoist_alloc_zero(alloc, count + 1, sizeof *values);
    const hoist_mut_bytes memory = {(uint8_t *)values, (count + 1) * sizeof *values};
    if (!values) {
        *out = (hoist_view){.memory = {NULL, 0}};
        return HOIST_NO_MEMORY;
    }
    const uint8_t *marks = is_empty(view) ? NULL : marks_at(shadow, view->memory.data);
    const size_t size = hoist_dtype_get(view->dtype)->bits / 8;
    int64_t index[HOIST_MAX_RANK] = {0};
    for (size_t i = 0; marks && i < count; i++) {
        values[i] = has_marks(marks + offset_of(view, index, view->shape.rank), size) ? 1.0f : 0.0f;
        (void)hoist_shape_next(&view->shape, index);
    }
    const hoist_status status =
        hoist_view_init(memory, HOIST_DTYPE_F32, &view->shape, 0, NULL, out);
    HOIST_ASSERT(status == HOIST_OK);
    return status;
}

// Also of elements that were never taken, which are {NULL, 0}.
static void free_elements(hoist_view *elements, hoist_allocator alloc)
{
    hoist_free(alloc, elements->memory.data, elements->memory.size);
}

// Marks the elements of a view as such elements say, in their order: where they share bytes the
// last one wins.
static hoist_status give_elements(hoist_shadow *shadow, const hoist_view *elements,
                                  const hoist_view *view)
{
    const float *values = (const float *)(const void *)elements->memory.data;
    const size_t count = (size_t)hoist_shape_count(&view->shape);
    const size_t size = hoist_dtype_get(view->dtype)->bits / 8;
    uint8_t *marks = NULL;
    if (is_empty(view)) {
        return HOIST_OK;
    }
    HOIST_TRY(need_marks(shadow, view->memory.data, &marks));
    note_view(shadow, view);
    int64_t index[HOIST_MAX_RANK] = {0};
    for (size_t i = 0; i < count; i++) {
        memset(marks + offset_of(view, index, view->shape.rank), values[i] != 0 ? UNKNOWN : 0,
               size);
        (void)hoist_shape_next(&view->shape, index);
    }
    return HOIST_OK;
}

// Whether an element of the result depends on more than the bytes of one of the same size.
static bool converts(const hoist_view_move *move)
{
    bool same = move->op == HOIST_KERNEL_COPY;
    for (size_t i = 0; i < move->source_count; i++) {
        same = same && move->sources[i].dtype == move->destination.dtype;
    }
    return !same;
}

// Moves the marks as the move moves bytes: each goes with its byte.
static hoist_status carry_bytes(hoist_shadow *shadow, const hoist_work_context *c,
                                const hoist_view_move *move)
{
    hoist_view sources[HOIST_MOVE_MAX_VIEWS];
    hoist_view_move marks = *move;
    for (size_t i = 0; i < move->source_count; i++) {
        HOIST_TRY(shadow_view(shadow, &move->sources[i], false, &sources[i]));
    }
    HOIST_TRY(shadow_view(shadow, &move->destination, true, &marks.destination));
    marks.sources = sources;
    // What is filled in is known.
    marks.fill = 0;
    return hoist_move_views(c->moves, &marks, c->alloc);
}

// Moves marks element by element: of several that are joined by arithmetic the greatest wins.
static hoist_status carry_elements(hoist_shadow *shadow, const hoist_work_context *c,
                                   const hoist_view_move *move)
{
    hoist_view sources[HOIST_MOVE_MAX_VIEWS] = {0};
    hoist_view destination = {.memory = {NULL, 0}};
    hoist_status status = take_elements(shadow, &move->destination, c->alloc, &destination);
    for (size_t i = 0; status == HOIST_OK && i < move->source_count; i++) {
        status = take_elements(shadow, &move->sources[i], c->alloc, &sources[i]);
    }
    if (status == HOIST_OK) {
        // Each element of the result is of one source.
        const bool one = move->source_count == 1 || move->table;
        const hoist_view_move marks = {.op = one ? HOIST_KERNEL_COPY : HOIST_KERNEL_MAX,
                                       .destination = destination,
                                       .sources = sources,
                                       .source_count = move->source_count,
                                       .arithmetic = HOIST_DTYPE_F32,
                                       .transpose_rank = move->transpose_rank,
                                       .transpose_axes = move->transpose_axes,
                                       .table = move->table};
        status = hoist_move_views(c->moves, &marks, c->alloc);
    }
    if (status == HOIST_OK) {
        status = give_elements(shadow, &destination, &move->destination);
    }
    for (size_t i = 0; i < move->source_count; i++) {
        free_elements(&sources[i], c->alloc);
    }
    free_elements(&destination, c->alloc);
    return status;
}

// With nothing unknown in its sources a move makes its destination known.
static hoist_status carry_move(hoist_shadow *shadow, const hoist_work_context *c,
                               const hoist_view_move *move)
{
    bool unknown = false;
    for (size_t i = 0; i < move->source_count && !unknown; i++) {
        unknown = is_unknown(shadow, &move->sources[i]);
    }
    if (!unknown) {
        hoist_shadow_clear(shadow, &move->destination);
        return HOIST_OK;
    }
    return converts(move) ? carry_elements(shadow, c, move) : carry_bytes(shadow, c, move);
}

// The same of tiles, which are moved as a whole.
static hoist_status carry_tiles(hoist_shadow *shadow, const hoist_tile_move *move)
{
    hoist_tiles sources[HOIST_MOVE_MAX_VIEWS];
    hoist_tile_move marks = *move;
    uint8_t *base = NULL;
    bool unknown = false;
    for (size_t i = 0; i < move->source_count; i++) {
        unknown = unknown || hoist_shadow_count_tiles(shadow, &move->sources[i]) > 0;
    }
    if (!unknown) {
        hoist_shadow_clear_tiles(shadow, &move->destination);
        return HOIST_OK;
    }
    for (size_t i = 0; i < move->source_count; i++) {
        HOIST_TRY(need_marks(shadow, (const uint8_t *)move->sources[i].base, &base));
        sources[i] = move->sources[i];
        sources[i].base = (float *)(void *)base;
    }
    HOIST_TRY(need_marks(shadow, (const uint8_t *)move->destination.base, &base));
    note_all(shadow, move->destination.base);
    marks.destination.base = (float *)(void *)base;
    marks.sources = sources;
    marks.fill = 0;
    hoist_move_tiles(&marks, 0, (size_t)tile_count(&marks.destination));
    return HOIST_OK;
}

// Every output depends on every input.
static hoist_status carry_compute(hoist_shadow *shadow, const hoist_compute_call *call)
{
    bool unknown = false;
    for (size_t i = 0; i < call->input_count && !unknown; i++) {
        // The first operand with an unknown byte decides.
        unknown = call->views ? is_unknown(shadow, &call->views[i])
                              : hoist_shadow_count_tiles(shadow, &call->inputs[i]) > 0;
    }
    return call->views ? hoist_shadow_mark(shadow, &call->views[call->input_count], unknown)
                       : hoist_shadow_mark_tiles(shadow, &call->output, unknown);
}

// Bytes go from member to member as they are.
static bool exchanges_bytes(const hoist_work *work)
{
    const hoist_prog_collective *step = work->step->as.collective;
    const hoist_dtype dtype = work->members[0].source.dtype;
    bool same =
        step->kind == HOIST_COLLECTIVE_ALL_GATHER || step->kind == HOIST_COLLECTIVE_BROADCAST;
    for (size_t i = 0; i < work->member_count; i++) {
        same = same && work->members[i].source.dtype == dtype &&
               work->members[i].destination.dtype == dtype;
    }
    return same;
}

// A member's operands as marks: the marks themselves, or elements that are given back later.
static hoist_status take_member(hoist_shadow *shadow, const hoist_collective_member *member,
                                bool bytes, hoist_allocator alloc, hoist_collective_member *out)
{
    if (bytes) {
        HOIST_TRY(shadow_view(shadow, &member->source, false, &out->source));
        return shadow_view(shadow, &member->destination, true, &out->destination);
    }
    HOIST_TRY(take_elements(shadow, &member->source, alloc, &out->source));
    return take_elements(shadow, &member->destination, alloc, &out->destination);
}

// Whether any member gives an unknown byte.
static bool any_source_is_unknown(const hoist_shadow *shadow, const hoist_work *work)
{
    bool unknown = false;
    for (size_t i = 0; i < work->member_count; i++) {
        unknown = unknown || is_unknown(shadow, &work->members[i].source);
    }
    return unknown;
}

// What all members get is known.
static void clear_destinations(hoist_shadow *shadow, const hoist_work *work)
{
    for (size_t i = 0; i < work->member_count; i++) {
        hoist_shadow_clear(shadow, &work->members[i].destination);
    }
}

static hoist_status carry_collective(hoist_shadow *shadow, const hoist_work_context *c,
                                     const hoist_work *work)
{
    if (!any_source_is_unknown(shadow, work)) {
        clear_destinations(shadow, work);
        return HOIST_OK;
    }
    hoist_collective_member *const members =
        hoist_alloc_zero(c->alloc, work->member_count, sizeof(*members));
    if (!members) {
        return HOIST_NO_MEMORY;
    }
    const bool bytes = exchanges_bytes(work);
    hoist_prog_collective step = *work->step->as.collective;
    // The greatest mark of all sources is that of the result.
    step.op = HOIST_REDUCE_MAX;
    hoist_status status = HOIST_OK;
    for (size_t i = 0; status == HOIST_OK && i < work->member_count; i++) {
        status = take_member(shadow, &work->members[i], bytes, c->alloc, &members[i]);
    }
    if (status == HOIST_OK) {
        status = hoist_collective_run(&step, members, work->member_count, c->moves, c->alloc);
    }
    for (size_t i = 0; !bytes && i < work->member_count; i++) {
        if (status == HOIST_OK) {
            status = give_elements(shadow, &members[i].destination, &work->members[i].destination);
        }
        free_elements(&members[i].source, c->alloc);
        free_elements(&members[i].destination, c->alloc);
    }
    hoist_free(c->alloc, members, work->member_count * sizeof(*members));
    return status;
}

// All slots of a fifo are known.
static void carry_zero(hoist_shadow *shadow, hoist_ref fifo)
{
    const hoist_prog_fifo *row = &shadow->store->program->fifos[fifo];
    for (uint32_t slot = 0; slot < row->slots; slot++) {
        if (shadow->store->fifos[fifo].tile_count) {
            const hoist_tiles tiles = hoist_shadow_slot_tiles(shadow->store, fifo, slot);
            hoist_shadow_clear_tiles(shadow, &tiles);
        } else {
            const hoist_view view = hoist_shadow_slot_view(shadow->store, fifo, slot);
            hoist_shadow_clear(shadow, &view);
        }
    }
}

hoist_status hoist_shadow_carry(hoist_shadow *shadow, const hoist_work_context *context,
                                const hoist_work *work)
{
    switch (work->kind) {
    case HOIST_WORK_NONE:
        return HOIST_OK;
    case HOIST_WORK_COMPUTE:
        return carry_compute(shadow, &work->call);
    case HOIST_WORK_TILE_MOVE:
        return carry_tiles(shadow, &work->tile_move);
    case HOIST_WORK_VIEW_MOVE:
        return carry_move(shadow, context, &work->view_move.move);
    case HOIST_WORK_ZERO:
        carry_zero(shadow, work->fifo);
        return HOIST_OK;
    case HOIST_WORK_COLLECTIVE:
        return work->step->as.collective->kind == HOIST_COLLECTIVE_BARRIER
                   ? HOIST_OK
                   : carry_collective(shadow, context, work);
    case HOIST_WORK_GROUP:
        break; // with marks every step is done by itself
    }
    return HOIST_INTERNAL;
}
