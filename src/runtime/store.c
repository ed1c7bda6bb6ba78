#include "runtime/store.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/reader.h"
#include "os/pages.h"

hoist_status hoist_store_take(hoist_store *store, uint64_t size, hoist_mut_bytes *out_pages)
{
    *out_pages = (hoist_mut_bytes){NULL, 0};
    uint64_t total = 0;
    if (hoist_ckd_add(&total, store->bytes, size) || (store->limit && total > store->limit)) {
        return HOIST_LIMIT;
    }
    if (size == 0) {
        return HOIST_OK;
    }
    *out_pages = hoist_pages_alloc(size);
    store->bytes += out_pages->size;
    return out_pages->data ? HOIST_OK : HOIST_NO_MEMORY;
}

static hoist_ref root_of(const hoist_program *program, hoist_ref buffer, uint64_t *out_offset)
{
    *out_offset = 0;
    while (program->buffers[buffer].window_of != HOIST_NO_REF) {
        *out_offset += program->buffers[buffer].window_offset;
        buffer = program->buffers[buffer].window_of;
    }
    return buffer;
}

// Which buffers need bytes --------------------------------------------------------------------

static void mark(const hoist_program *program, bool *needed, hoist_ref buffer)
{
    uint64_t offset = 0;
    const hoist_ref root = root_of(program, buffer, &offset);
    needed[root] = program->buffers[root].lifetime != HOIST_LIFETIME_CALL;
}

static void mark_space(const hoist_program *program, bool *needed, hoist_ref space)
{
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        if (program->buffers[i].space == space && program->buffers[i].placed) {
            mark(program, needed, i);
        }
    }
}

static void mark_all(const hoist_program *program, bool *needed)
{
    for (uint32_t i = 0; i < program->view_count; i++) {
        const hoist_prog_view *view = &program->views[i];
        if (view->base == HOIST_VIEW_BUFFER) {
            mark(program, needed, view->of);
        } else if (view->base == HOIST_VIEW_SPACE) {
            mark_space(program, needed, view->of);
        }
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        const hoist_prog_fifo *fifo = &program->fifos[i];
        if (program->layouts[fifo->layout].kind == HOIST_LAYOUT_STRIDED) {
            mark(program, needed, fifo->parts[0]);
        }
    }
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        mark(program, needed, program->relocations[i].buffer);
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        if (program->buffers[i].output || program->buffers[i].contents == HOIST_CONTENTS_CALLER) {
            mark(program, needed, i);
        }
    }
}

static hoist_status take_buffers(hoist_store *store, const bool *needed)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        if (needed[i]) {
            HOIST_TRY(hoist_store_take(store, program->buffers[i].size, &store->buffers[i]));
        }
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t offset = 0;
        const hoist_ref root = root_of(program, i, &offset);
        if (root != i && store->buffers[root].data) {
            store->buffers[i] = (hoist_mut_bytes){store->buffers[root].data + offset,
                                                  (size_t)program->buffers[i].size};
        }
    }
    return HOIST_OK;
}

// Contents ------------------------------------------------------------------------------------

static void set_contents(hoist_store *store, uint32_t buffer)
{
    const hoist_prog_buffer *row = &store->program->buffers[buffer];
    const hoist_mut_bytes memory = store->buffers[buffer];
    if (!memory.data || row->contents == HOIST_CONTENTS_UNDEFINED ||
        row->contents == HOIST_CONTENTS_CALLER) {
        return;
    }
    if (row->contents == HOIST_CONTENTS_PATTERN && row->bytes.size > 0) {
        for (size_t i = 0; i < memory.size; i++) {
            memory.data[i] = row->bytes.data[i % row->bytes.size];
        }
        return;
    }
    const size_t given = row->contents == HOIST_CONTENTS_BYTES ? row->bytes.size : 0;
    if (given) {
        memcpy(memory.data, row->bytes.data, given);
    }
    memset(memory.data + given, 0, memory.size - given);
}

// Writes the low `bits` bits of `value` at bit `at`, little-endian.
static void put_bits(uint8_t *bytes, uint64_t at, unsigned bits, uint64_t value)
{
    for (unsigned i = 0; i < bits; i++) {
        const uint64_t bit = at + i;
        const uint8_t mask = (uint8_t)(1u << (bit % 8));
        if (value >> i & 1) {
            bytes[bit / 8] |= mask;
        } else {
            bytes[bit / 8] &= (uint8_t)~mask;
        }
    }
}

static void relocate(hoist_store *store, const hoist_prog_relocation *r)
{
    const uint64_t address = store->program->buffers[r->target].address + (uint64_t)r->addend;
    uint8_t *bytes = store->buffers[r->buffer].data;
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

static void set_all(hoist_store *store, bool run_only)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        if (!run_only || program->buffers[i].lifetime == HOIST_LIFETIME_RUN) {
            set_contents(store, i);
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
        tiles[n] = (uint32_t)(slot.buffer * part_tiles + slot.tile);
        *out_identity = *out_identity && tiles[n] == n;
    }
    if (*out_identity) {
        hoist_free(alloc, tiles, count * sizeof *tiles);
        return NULL;
    }
    return tiles;
}

// Tiles of an entry in one part.
static uint64_t entry_tiles(const hoist_prog_layout *layout)
{
    const hoist_tiling *t = &layout->tiling;
    return (uint64_t)t->t * t->mblock_m * t->mblock_n * t->ublock_rt * t->ublock_ct;
}

static bool is_tiled(const hoist_program *program, const hoist_prog_fifo *fifo)
{
    return program->layouts[fifo->layout].kind == HOIST_LAYOUT_TILED;
}

// Tiles of all slots of fifo `index` in one part.
static uint64_t slots_tiles(const hoist_program *program, uint32_t index)
{
    const hoist_prog_fifo *fifo = &program->fifos[index];
    return fifo->slots * entry_tiles(&program->layouts[fifo->layout]);
}

// The fifo that holds the carriers of the buffer `root`, and the most tiles that any fifo on it has
// in one part. All fifos on it are seen before the first of them takes memory.
typedef struct shared_root {
    hoist_ref fifo; // HOIST_NO_REF: none yet
    uint64_t part_tiles;
} shared_root;

static hoist_status note_roots(const hoist_program *program, shared_root *roots)
{
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        roots[i] = (shared_root){HOIST_NO_REF, 0};
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        if (!is_tiled(program, &program->fifos[i])) {
            continue;
        }
        uint64_t offset = 0;
        const hoist_ref root = root_of(program, program->fifos[i].parts[0], &offset);
        if (offset != 0) {
            return HOIST_UNSUPPORTED;
        }
        const uint64_t tiles = slots_tiles(program, i);
        roots[root].part_tiles = tiles > roots[root].part_tiles ? tiles : roots[root].part_tiles;
    }
    return HOIST_OK;
}

static hoist_status take_tiled(hoist_store *store, uint32_t index, shared_root *root)
{
    const hoist_prog_fifo *row = &store->program->fifos[index];
    const hoist_prog_layout *layout = &store->program->layouts[row->layout];
    hoist_store_fifo *fifo = &store->fifos[index];
    if (root->fifo == HOIST_NO_REF) {
        uint64_t bytes = 0;
        if (hoist_ckd_mul(&bytes, root->part_tiles, row->part_count) || bytes >= UINT32_MAX) {
            return HOIST_LIMIT;
        }
        HOIST_TRY(hoist_store_take(store, bytes * HOIST_TILE_BYTES, &fifo->pages));
        root->fifo = index;
    }
    fifo->base = store->fifos[root->fifo].pages.data;
    fifo->slot_bytes = entry_tiles(layout) * HOIST_TILE_BYTES;
    fifo->shape = hoist_store_shape(layout);
    fifo->tile_count = fifo->shape.z * fifo->shape.rows * fifo->shape.cols;
    bool identity = false;
    fifo->tiles = hoist_store_tile_table(layout, root->part_tiles, store->alloc, &identity);
    return fifo->tiles || identity ? HOIST_OK : HOIST_NO_MEMORY;
}

static hoist_status take_fifos(hoist_store *store, shared_root *roots)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        const hoist_prog_fifo *fifo = &program->fifos[i];
        uint64_t offset = 0;
        const hoist_ref root = root_of(program, fifo->parts[0], &offset);
        if (is_tiled(program, fifo)) {
            HOIST_TRY(take_tiled(store, i, &roots[root]));
        } else {
            store->fifos[i].base = store->buffers[fifo->parts[0]].data + fifo->header;
            store->fifos[i].slot_bytes = fifo->slot_bytes;
        }
    }
    return HOIST_OK;
}

static hoist_status take_layouts(hoist_store *store)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; i < program->view_count; i++) {
        const hoist_prog_view *view = &program->views[i];
        const hoist_prog_layout *layout = &program->layouts[view->layout];
        if (view->base == HOIST_VIEW_READ_SLOT || view->base == HOIST_VIEW_WRITE_SLOT ||
            layout->kind != HOIST_LAYOUT_TILED || store->layout_tiles[view->layout]) {
            continue;
        }
        bool identity = false;
        store->layout_tiles[view->layout] =
            hoist_store_tile_table(layout, entry_tiles(layout), store->alloc, &identity);
        if (!store->layout_tiles[view->layout] && !identity) {
            return HOIST_NO_MEMORY;
        }
    }
    return HOIST_OK;
}

static hoist_status take_all(hoist_store *store, bool *needed, shared_root *roots)
{
    mark_all(store->program, needed);
    HOIST_TRY(note_roots(store->program, roots));
    HOIST_TRY(take_buffers(store, needed));
    HOIST_TRY(take_fifos(store, roots));
    HOIST_TRY(take_layouts(store));
    set_all(store, false);
    return HOIST_OK;
}

// Tables have one row more than the program, so that none is empty.
static size_t rows(uint32_t count)
{
    return (size_t)count + 1;
}

hoist_status hoist_store_init(hoist_store *store, const hoist_program *program,
                              hoist_allocator alloc, uint64_t limit)
{
    *store = (hoist_store){.program = program, .alloc = alloc, .limit = limit};
    const size_t buffers = rows(program->buffer_count);
    store->buffers = hoist_alloc_zero(alloc, buffers, sizeof *store->buffers);
    store->fifos = hoist_alloc_zero(alloc, rows(program->fifo_count), sizeof *store->fifos);
    store->layout_tiles =
        hoist_alloc_zero(alloc, rows(program->layout_count), sizeof *store->layout_tiles);
    bool *needed = hoist_alloc_zero(alloc, buffers, sizeof *needed);
    shared_root *roots = hoist_alloc_zero(alloc, buffers, sizeof *roots);
    hoist_status status = HOIST_NO_MEMORY;
    if (store->buffers && store->fifos && store->layout_tiles && needed && roots) {
        status = take_all(store, needed, roots);
    }
    hoist_free(alloc, needed, buffers * sizeof *needed);
    hoist_free(alloc, roots, buffers * sizeof *roots);
    if (status != HOIST_OK) {
        hoist_store_deinit(store);
    }
    return status;
}

static void free_table(const hoist_store *store, uint32_t *tiles, uint64_t count)
{
    hoist_free(store->alloc, tiles, (size_t)count * sizeof *tiles);
}

void hoist_store_deinit(hoist_store *store)
{
    const hoist_program *program = store->program;
    for (uint32_t i = 0; store->buffers && i < program->buffer_count; i++) {
        if (program->buffers[i].window_of == HOIST_NO_REF) {
            hoist_pages_free(store->buffers[i]);
        }
    }
    for (uint32_t i = 0; store->fifos && i < program->fifo_count; i++) {
        hoist_pages_free(store->fifos[i].pages);
        free_table(store, store->fifos[i].tiles, store->fifos[i].tile_count);
    }
    for (uint32_t i = 0; store->layout_tiles && i < program->layout_count; i++) {
        const hoist_tile_shape s = hoist_store_shape(&program->layouts[i]);
        free_table(store, store->layout_tiles[i], s.z * s.rows * s.cols);
    }
    hoist_free(store->alloc, store->buffers, rows(program->buffer_count) * sizeof *store->buffers);
    hoist_free(store->alloc, store->fifos, rows(program->fifo_count) * sizeof *store->fifos);
    hoist_free(store->alloc, store->layout_tiles,
               rows(program->layout_count) * sizeof *store->layout_tiles);
    *store = (hoist_store){.program = program, .alloc = store->alloc};
}
