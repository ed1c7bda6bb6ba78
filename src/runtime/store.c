// The memory of a session, made once when it opens: a block for each root of buffers that needs
// bytes, fifos as carriers of float32 tiles, constants shared where their bytes are equal, and
// tables of tiles. Memory of calls is laid out by plan/calls.h. work.c resolves views to it.
#include "runtime/store.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/poison.h"
#include "base/reader.h"
#include "os/pages.h"

// Whether so many bytes are within the limit; if not, they are kept for the message.
static hoist_status allow(hoist_store *store, uint64_t total)
{
    if (store->limit && total > store->limit) {
        store->needed = total;
        return HOIST_LIMIT;
    }
    return HOIST_OK;
}

hoist_status hoist_store_take(hoist_store *store, uint64_t size, hoist_mut_bytes *out_pages)
{
    *out_pages = (hoist_mut_bytes){NULL, 0};
    HOIST_ASSERT(store->limit == 0 || store->bytes <= store->limit);
    uint64_t total = 0;
    if (hoist_ckd_add(&total, store->bytes, size)) {
        return HOIST_LIMIT;
    }
    // Before anything is asked of the system.
    HOIST_TRY(allow(store, total));
    if (size == 0) {
        return HOIST_OK;
    }
    *out_pages = hoist_pages_alloc(size);
    store->bytes += out_pages->size;
    return out_pages->data ? HOIST_OK : HOIST_NO_MEMORY;
}

enum {
    LINE = 64, // bytes: parts of the store's pages begin where a cache's lines do
    GUARD = HOIST_POISONS ? 4096 : 0 // bytes after a part that no code may touch
};

// The next `size` bytes of the store's pages, which allow_all() has counted.
static void take_part(hoist_store *store, uint64_t size, hoist_mut_bytes *out_part)
{
    *out_part = (hoist_mut_bytes){NULL, 0};
    if (size == 0) {
        return;
    }
    HOIST_ASSERT(store->used <= store->pages.size && size <= store->pages.size - store->used);
    *out_part = (hoist_mut_bytes){store->pages.data + store->used, (size_t)size};
    store->bytes += size;
    store->used = (store->used + (size_t)size + GUARD + LINE - 1) / LINE * LINE;
    hoist_poison(out_part->data + size, GUARD);
}

// Other memory may get these addresses.
static void give_part(hoist_mut_bytes part)
{
    if (part.data) {
        hoist_unpoison(part.data + part.size, GUARD);
    }
}

// Whether the entries of a fifo are held as tiles.
static bool is_tiled(const hoist_program *program, const hoist_prog_fifo *fifo)
{
    return program->layouts[fifo->layout].kind == HOIST_LAYOUT_TILED;
}

// Notes why a program cannot be run, for the caller's message.
static hoist_status refuse(hoist_store *store, hoist_str name, hoist_loc loc, const char *why)
{
    store->refused = (hoist_page_refusal){name, loc, why};
    return HOIST_UNSUPPORTED;
}

// Buffers --------------------------------------------------------------------------------------

// Memory of buffers that are not windows, each from where the plan has it.
static void take_roots(hoist_store *store, const hoist_page_plan *plan)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        // Equal constants are kept once.
        const hoist_ref equal = plan->equal[i];
        store->shared[i] = equal != i ? HOIST_SHARE_CONSTANT : HOIST_SHARE_NONE;
        const uint64_t offset = plan->reuse.offset[i];
        if (equal != i) {
            store->buffers[i] = store->buffers[equal];
        } else if (offset != UINT64_MAX) {
            // It shares bytes with other values of its thread.
            const hoist_mut_bytes pages = store->threads[plan->reuse.life[i].thread];
            HOIST_ASSERT(offset + program->buffers[i].size <= pages.size);
            store->shared[i] = plan->reuse.life[i].is_read ? HOIST_SHARE_RESULT : HOIST_SHARE_VALUE;
            store->buffers[i] =
                (hoist_mut_bytes){pages.data + offset, (size_t)program->buffers[i].size};
        } else if (plan->needed[i]) {
            // Its own, of the bytes that steps can come to; buffers that nothing uses have none.
            take_part(store, plan->held[i], &store->buffers[i]);
        }
    }
}

// Memory of threads' values, then of roots, then the windows into them.
static void take_buffers(hoist_store *store, const hoist_page_plan *plan)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->thread_count; i++) {
        take_part(store, plan->reuse.bytes[i], &store->threads[i]);
    }
    take_roots(store, plan);
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t offset = 0;
        const hoist_ref root = hoist_prog_root(program, i, &offset);
        if (root != i && store->buffers[root].data) {
            store->buffers[i] = (hoist_mut_bytes){store->buffers[root].data + offset,
                                                  (size_t)program->buffers[i].size};
        }
    }
}

// Contents ------------------------------------------------------------------------------------

// `fresh`: the memory is as the system gave it, zero; pages that nothing writes are then not there.
static void set_contents(hoist_store *store, uint32_t buffer, bool fresh)
{
    const hoist_prog_buffer *row = &store->program->buffers[buffer];
    const hoist_mut_bytes memory = store->buffers[buffer];
    if (!memory.data || store->shared[buffer] != HOIST_SHARE_NONE ||
        row->contents == HOIST_CONTENTS_UNDEFINED || row->contents == HOIST_CONTENTS_CALLER) {
        return;
    }
    // Only memory of fifos, which begins without contents, may be less than the buffer.
    HOIST_ASSERT(memory.size >= row->size);
    if (row->contents == HOIST_CONTENTS_PATTERN && row->bytes.size > 0) {
        for (size_t i = 0; i < memory.size; i++) {
            // The pattern again and again, cut at the end.
            memory.data[i] = row->bytes.data[i % row->bytes.size];
        }
        return;
    }
    const size_t given = row->contents == HOIST_CONTENTS_BYTES ? row->bytes.size : 0;
    HOIST_ASSERT(given <= memory.size);
    if (given) {
        memcpy(memory.data, row->bytes.data, given);
    }
    if (!fresh) {
        memset(memory.data + given, 0, memory.size - given);
    }
}

// Writes the low `bits` bits of `value` at bit `at`, little-endian.
static void put_bits(uint8_t *bytes, uint64_t at, unsigned bits, uint64_t value)
{
    HOIST_ASSERT(bits <= 64);
    for (unsigned i = 0; i < bits; i++) {
        const uint64_t bit = at + i;
        const uint8_t mask = (uint8_t)(1u << (bit % 8));
        // Bit by bit, as the field may begin at any bit.
        if (value >> i & 1) {
            bytes[bit / 8] |= mask;
        } else {
            bytes[bit / 8] &= (uint8_t)~mask;
        }
    }
}

// Writes the address of a buffer into the bytes of another one.
static void relocate(hoist_store *store, const hoist_prog_relocation *r)
{
    const uint64_t address = store->program->buffers[r->target].address + (uint64_t)r->addend;
    uint8_t *bytes = store->buffers[r->buffer].data;
    HOIST_ASSERT(bytes && r->bit_offset / 8 < store->buffers[r->buffer].size);
    switch (r->kind) {
    case HOIST_RELOCATION_64:
        put_bits(bytes, r->bit_offset, 64, address);
        break;
    case HOIST_RELOCATION_LOW32:
        put_bits(bytes, r->bit_offset, 32, address);
        break;
    case HOIST_RELOCATION_HIGH32:
        put_bits(bytes, r->bit_offset, 32, address >> 32);
        break;
    }
}

// What a window begins with is over what its base begins with.
static void set_all(hoist_store *store, bool run_only)
{
    const hoist_program *program = store->program;
    // Roots first, then windows.
    for (int windows = 0; windows < 2; windows++) {
        for (uint32_t i = 0; i < program->buffer_count; i++) {
            const hoist_prog_buffer *row = &program->buffers[i];
            if ((row->window_of != HOIST_NO_REF) == windows &&
                (!run_only || row->lifetime == HOIST_LIFETIME_RUN)) {
                // Memory below a window has been written by then.
                set_contents(store, i, !run_only && !windows);
            }
        }
    }
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        const hoist_prog_relocation *r = &program->relocations[i];
        if (!run_only || program->buffers[r->buffer].lifetime == HOIST_LIFETIME_RUN) {
            relocate(store, r);
        }
    }
}

void hoist_store_begin_run(hoist_store *store)
{
    set_all(store, true);
}

// Fifos ---------------------------------------------------------------------------------------

hoist_tile_shape hoist_store_shape(const hoist_prog_layout *layout)
{
    const hoist_tiling *t = &layout->tiling;
    return (hoist_tile_shape){t->t, (uint64_t)t->grid_rows * t->mblock_m * t->ublock_rt,
                              (uint64_t)t->grid_cols * t->mblock_n * t->ublock_ct};
}

uint32_t *hoist_store_tile_table(const hoist_prog_layout *layout, uint64_t part_tiles,
                                 hoist_allocator alloc, bool *out_identity)
{
    const hoist_tile_shape shape = hoist_store_shape(layout);
    const size_t count = (size_t)(shape.z * shape.rows * shape.cols);
    uint32_t *tiles = hoist_alloc_zero(alloc, count, sizeof *tiles);
    *out_identity = tiles != NULL;
    if (!tiles) {
        return NULL;
    }
    for (size_t n = 0; n < count; n++) {
        const hoist_tile_at at = {n / (shape.rows * shape.cols), n / shape.cols % shape.rows,
                                  n % shape.cols};
        const hoist_tile_slot slot = hoist_tiling_find(&layout->tiling, at);
        HOIST_ASSERT(slot.tile < part_tiles && slot.buffer * part_tiles + slot.tile < UINT32_MAX);
        // The n-th tile of the tensor is there in the memory of the device.
        tiles[n] = (uint32_t)(slot.buffer * part_tiles + slot.tile);
        *out_identity = *out_identity && tiles[n] == n;
    }
    // A table that says nothing takes no memory.
    if (*out_identity) {
        hoist_free(alloc, tiles, count * sizeof *tiles);
        return NULL;
    }
    return tiles;
}

// Bytes of the table of a layout, were it needed.
static uint64_t table_bytes(const hoist_prog_layout *layout)
{
    const hoist_tile_shape shape = hoist_store_shape(layout);
    return shape.z * shape.rows * shape.cols * sizeof(uint32_t);
}

// The table of `layout` in `*out_tiles` (NULL: tile n is at n). Tables count to the limit,
// because a program of a few lines can have large ones.
static hoist_status take_table(hoist_store *store, const hoist_prog_layout *layout,
                               uint64_t part_tiles, uint32_t **out_tiles)
{
    const uint64_t bytes = table_bytes(layout);
    if (bytes > HOIST_STORE_MAX_TABLE) {
        return HOIST_LIMIT;
    }
    bool identity = false;
    *out_tiles = hoist_store_tile_table(layout, part_tiles, store->alloc, &identity);
    store->table_bytes += *out_tiles ? bytes : 0;
    if (*out_tiles) {
        HOIST_TRY(allow(store, store->bytes + store->table_bytes));
    }
    return *out_tiles || identity ? HOIST_OK : HOIST_NO_MEMORY;
}

// Whether what the caller gives can be cut into whole tiles.
static bool is_of_tiles(const hoist_shape *shape, const hoist_tiling *tiling)
{
    for (int i = 0; i < 3; i++) {
        if (shape->rank != 3 || shape->dim[i] < 1 || shape->dim[i] > INT32_MAX) {
            return false;
        }
    }
    return shape->dim[1] % tiling->tile_height == 0 && shape->dim[2] % tiling->tile_width == 0;
}

// Memory of a fifo of tiles, or its part of that of the fifo with which it shares it.
static hoist_status take_tiled(hoist_store *store, uint32_t index, const hoist_page_plan *plan)
{
    const hoist_page_root *const root = hoist_page_root_of(plan, index);
    const hoist_prog_fifo *row = &store->program->fifos[index];
    const hoist_prog_layout *layout = &store->program->layouts[row->layout];
    hoist_store_fifo *fifo = &store->fifos[index];
    if (row->push_tiles && !is_of_tiles(&row->push_shape, &layout->tiling)) {
        return refuse(store, row->name, row->loc, "the caller's data are not of complete tiles");
    }
    // One fifo of those that share memory has the pages.
    if (root->leader == index) {
        uint64_t tiles = 0;
        if (!hoist_page_fifo_tiles(plan, index, &tiles)) {
            return HOIST_LIMIT;
        }
        take_part(store, tiles * HOIST_TILE_BYTES, &fifo->pages);
    }
    fifo->base = store->fifos[root->leader].pages.data;
    HOIST_ASSERT(fifo->base);
    fifo->slot_bytes = hoist_page_entry_tiles(layout) * HOIST_TILE_BYTES;
    fifo->shape = hoist_store_shape(layout);
    fifo->tile_count = fifo->shape.z * fifo->shape.rows * fifo->shape.cols;
    HOIST_ASSERT(fifo->tile_count == hoist_page_entry_tiles(layout) * row->part_count);
    return take_table(store, layout, root->part_tiles, &fifo->tiles);
}

// Memory of all fifos, and how many of their slots are in it.
static hoist_status take_fifos(hoist_store *store, const hoist_page_plan *plan)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        const hoist_prog_fifo *fifo = &program->fifos[i];
        store->fifos[i].slots = plan->stays.capacities[i];
        if (is_tiled(program, fifo)) {
            HOIST_TRY(take_tiled(store, i, plan));
            continue;
        }
        store->fifos[i].slot_bytes = fifo->slot_bytes;
        // Slots of bytes are in the buffer that the program names, after its header.
        if (!plan->stays.stays[i]) {
            store->fifos[i].base = store->buffers[fifo->parts[0]].data + fifo->header;
            continue;
        }
        store->fifos[i].entries =
            hoist_alloc_zero(store->alloc, fifo->slots, sizeof *store->fifos[i].entries);
        HOIST_TRY(store->fifos[i].entries ? HOIST_OK : HOIST_NO_MEMORY);
    }
    return HOIST_OK;
}

hoist_mut_bytes hoist_store_slot(const hoist_store *store, hoist_ref fifo, uint64_t slot)
{
    const hoist_store_fifo *f = &store->fifos[fifo];
    HOIST_ASSERT(slot < store->program->fifos[fifo].slots);
    // A fifo may have fewer slots in memory than it counts (plan/stays.h).
    return f->entries ? f->entries[slot]
                      : (hoist_mut_bytes){f->base + slot % f->slots * f->slot_bytes,
                                          (size_t)f->slot_bytes};
}

// `seen`: layouts whose table was made, or found to be needless.
// Tables for views of buffers, one for each layout that some view has.
static hoist_status take_layouts(hoist_store *store, bool *seen)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->view_count; i++) {
        const hoist_prog_view *view = &program->views[i];
        const hoist_prog_layout *layout = &program->layouts[view->layout];
        if (view->base == HOIST_VIEW_READ_SLOT || view->base == HOIST_VIEW_WRITE_SLOT ||
            layout->kind != HOIST_LAYOUT_TILED || seen[view->layout]) {
            continue;
        }
        seen[view->layout] = true;
        HOIST_TRY(take_table(store, layout, hoist_page_entry_tiles(layout),
                             &store->layout_tiles[view->layout]));
    }
    return HOIST_OK;
}

// All that will be taken is known before anything is, so that a refusal states it.
static hoist_status allow_all(hoist_store *store, uint64_t own, uint64_t later)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        const hoist_prog_fifo *fifo = &program->fifos[i];
        if (is_tiled(program, fifo) &&
            table_bytes(&program->layouts[fifo->layout]) > HOIST_STORE_MAX_TABLE) {
            return HOIST_LIMIT;
        }
    }
    uint64_t total = 0;
    return hoist_ckd_add(&total, own, later) ? HOIST_LIMIT : allow(store, total);
}

// The pages of which buffers and fifos are parts, `own` bytes. In one mapping large pages also hold
// small tensors and the ends of others: with a mapping for each, a run of BERT base had 17,000
// faults more, of 4 KiB each.
static hoist_status take_pages(hoist_store *store, uint64_t own)
{
    const hoist_program *program = store->program;
    const uint64_t parts =
        (uint64_t)program->thread_count + program->buffer_count + program->fifo_count;
    uint64_t size = 0;
    if (hoist_ckd_add(&size, own, parts * (GUARD + LINE)) || size > SIZE_MAX) {
        return HOIST_LIMIT;
    }
    store->pages = own ? hoist_pages_alloc((size_t)size) : store->pages;
    return store->pages.data || own == 0 ? HOIST_OK : HOIST_NO_MEMORY;
}

// `seen`: a row per layout, all false.
static hoist_status take_all(hoist_store *store, const hoist_page_plan *plan, uint64_t later,
                             bool *seen)
{
    uint64_t own = 0;
    HOIST_TRY(hoist_page_plan_bytes(plan, &own) ? HOIST_OK : HOIST_LIMIT);
    HOIST_TRY(allow_all(store, own, later));
    HOIST_TRY(take_pages(store, own));
    take_buffers(store, plan);
    HOIST_TRY(take_fifos(store, plan));
    HOIST_TRY(take_layouts(store, seen));
    set_all(store, false);
    return HOIST_OK;
}

// Tables have one row more than the program, so that none is empty.
static size_t rows(uint32_t count)
{
    return (size_t)count + 1;
}

hoist_status hoist_store_init_with(hoist_store *store, const hoist_program *program,
                                   const hoist_page_plan_options *options, uint64_t later,
                                   uint64_t limit)
{
    const hoist_allocator alloc = options->alloc;
    *store = (hoist_store){.program = program, .alloc = alloc, .limit = limit};
    const size_t buffers = rows(program->buffer_count);
    store->buffers = hoist_alloc_zero(alloc, buffers, sizeof *store->buffers);
    store->shared = hoist_alloc_zero(alloc, buffers, sizeof *store->shared);
    store->fifos = hoist_alloc_zero(alloc, rows(program->fifo_count), sizeof *store->fifos);
    store->threads = hoist_alloc_zero(alloc, rows(program->thread_count), sizeof *store->threads);
    store->layout_tiles =
        hoist_alloc_zero(alloc, rows(program->layout_count), sizeof *store->layout_tiles);
    const size_t layouts = rows(program->layout_count);
    bool *seen = hoist_alloc_zero(alloc, layouts, sizeof *seen);
    // Unless all tables are there.
    hoist_status status = HOIST_NO_MEMORY;
    if (store->buffers && store->shared && store->fifos && store->threads && store->layout_tiles &&
        seen) {
        hoist_page_plan plan;
        status = hoist_page_plan_build(program, options, &plan);
        status = status == HOIST_OK ? take_all(store, &plan, later, seen) : status;
        // The plan may have refused before anything was taken.
        store->refused = plan.refused.why ? plan.refused : store->refused;
        hoist_page_plan_deinit(&plan);
    }
    hoist_free(alloc, seen, layouts * sizeof *seen);
    if (status != HOIST_OK) {
        hoist_store_deinit(store);
    }
    return status;
}

// A table of tiles; NULL is none.
static void free_table(const hoist_store *store, uint32_t *tiles, uint64_t count)
{
    hoist_free(store->alloc, tiles, (size_t)count * sizeof *tiles);
}

void hoist_store_deinit(hoist_store *store)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; store->buffers && store->shared && i < program->buffer_count; i++) {
        if (program->buffers[i].window_of == HOIST_NO_REF && store->shared[i] == HOIST_SHARE_NONE) {
            give_part(store->buffers[i]);
        }
    }
    for (uint32_t i = 0; store->fifos && i < program->fifo_count; i++) {
        give_part(store->fifos[i].pages);
        free_table(store, store->fifos[i].tiles, store->fifos[i].tile_count);
        hoist_free(store->alloc, store->fifos[i].entries,
                   program->fifos[i].slots * sizeof *store->fifos[i].entries);
    }
    for (uint32_t i = 0; store->threads && i < program->thread_count; i++) {
        give_part(store->threads[i]);
    }
    hoist_pages_free(store->pages);
    for (uint32_t i = 0; store->layout_tiles && i < program->layout_count; i++) {
        const hoist_tile_shape s = hoist_store_shape(&program->layouts[i]);
        free_table(store, store->layout_tiles[i], s.z * s.rows * s.cols);
    }
    hoist_free(store->alloc, store->buffers, rows(program->buffer_count) * sizeof *store->buffers);
    hoist_free(store->alloc, store->shared, rows(program->buffer_count) * sizeof *store->shared);
    hoist_free(store->alloc, store->fifos, rows(program->fifo_count) * sizeof *store->fifos);
    hoist_free(store->alloc, store->threads, rows(program->thread_count) * sizeof *store->threads);
    hoist_free(store->alloc, store->layout_tiles,
               rows(program->layout_count) * sizeof *store->layout_tiles);
    // What was refused stays readable.
    *store = (hoist_store){.program = program,
                           .alloc = store->alloc,
                           .needed = store->needed,
                           .refused = store->refused};
}
