// Tables of reshapes: the move's own numbers, which count the source's tiles in logical order, as
// places in the source.
#include "runtime/reshapes.h"

#include "base/alloc.h"
#include "base/assert.h"

// Places of the logical tiles of what `view` is of; NULL: tile n is at n.
static const uint32_t *places_of(const hoist_store *store, hoist_ref view)
{
    const hoist_prog_view *row = &store->program->views[view];
    return row->base == HOIST_VIEW_BUFFER ? store->layout_tiles[row->layout]
                                          : store->fifos[row->of].tiles;
}

static hoist_status make_table(hoist_allocator alloc, const hoist_store *store,
                               const hoist_prog_move *move, hoist_reshape_table *out)
{
    const uint32_t *places = places_of(store, move->sources[0].view);
    if (!move->table) {
        out->tiles = places;
        return HOIST_OK;
    }
    out->owned = hoist_alloc_zero(alloc, move->table_count, sizeof *out->owned);
    if (!out->owned) {
        return HOIST_NO_MEMORY;
    }
    out->count = move->table_count;
    for (size_t n = 0; n < out->count; n++) {
        HOIST_ASSERT(move->table[n] >= 0);
        const uint32_t tile = (uint32_t)move->table[n];
        out->owned[n] = places ? places[tile] : tile;
    }
    out->tiles = out->owned;
    return HOIST_OK;
}

hoist_status hoist_reshape_tables_init(hoist_reshape_tables *tables, const hoist_call_plan *plan,
                                       const hoist_store *store)
{
    const size_t count = plan->buffer_count;
    *tables =
        (hoist_reshape_tables){.alloc = store->alloc,
                               .of = hoist_alloc_zero(store->alloc, count, sizeof *tables->of),
                               .buffer_count = count};
    hoist_status status = tables->of ? HOIST_OK : HOIST_NO_MEMORY;
    for (size_t i = 0; i < count && status == HOIST_OK; i++) {
        const hoist_prog_move *move = plan->reshapes[i].move;
        status = move ? make_table(store->alloc, store, move, &tables->of[i]) : HOIST_OK;
    }
    return status;
}

void hoist_reshape_tables_deinit(hoist_reshape_tables *tables)
{
    for (size_t i = 0; tables->of && i < tables->buffer_count; i++) {
        hoist_free(tables->alloc, tables->of[i].owned,
                   tables->of[i].count * sizeof *tables->of[i].owned);
    }
    if (tables->of) {
        hoist_free(tables->alloc, tables->of, tables->buffer_count * sizeof *tables->of);
    }
    *tables = (hoist_reshape_tables){.buffer_count = 0};
}
