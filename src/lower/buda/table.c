// TM chains as tables of tiles: buda-ops reference section 3. Every TM but the transpose within a
// tile moves complete tiles, so a chain is one table, composed step by step.
// In: TMs, pads and unpads of the module, and shapes by formats/buda/shape.c. Out: for each tile
// of the result the tile of the source, or -1.

#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"
#include "lower/buda/state.h"
#include "tensor/float_bits.h"

// A table has one entry per tile, so a broadcast of a hostile factor must stop before it is made.
enum { MAX_TILES = 1 << 22 }; // of a tensor

// Checked; 0 for a product that does not fit.
uint64_t buda_lower_tiles(hoist_tile_shape shape)
{
    uint64_t tiles = 0;
    return hoist_ckd_mul(&tiles, shape.z, shape.rows) || hoist_ckd_mul(&tiles, tiles, shape.cols)
               ? 0
               : tiles;
}

bool buda_lower_fits(buda_lower_job *l, hoist_tile_shape shape, hoist_pos pos, const char *what)
{
    const uint64_t tiles = buda_lower_tiles(shape);
    if (tiles >= 1 && tiles <= MAX_TILES) {
        return true;
    }
    buda_lower_refuse(l, RUN_008, pos, "%s has %llu x %llu x %llu tiles, more than %d", what,
                      (unsigned long long)shape.z, (unsigned long long)shape.rows,
                      (unsigned long long)shape.cols, MAX_TILES);
    return false;
}

// All tables of a program together: they stay in its file.
void buda_lower_spend(buda_lower_job *l, uint64_t tiles, hoist_pos pos)
{
    if (l->tiles_left < tiles) {
        buda_lower_refuse(l, RUN_008, pos,
                          "the tables of tensor manipulations have too many tiles");
        hoist_lower_fail(&l->c, HOIST_LIMIT);
        return;
    }
    l->tiles_left -= tiles;
}

// The identity, without a table as long as no step needs one.
buda_lower_table buda_lower_table_of(hoist_tile_shape shape)
{
    return (buda_lower_table){.shape = shape};
}

// A chain that cancels out, such as two transposes, is recognized by its entries.
bool buda_lower_table_is_same(const buda_lower_table *table, hoist_tile_shape source)
{
    const bool same = table->shape.z == source.z && table->shape.rows == source.rows &&
                      table->shape.cols == source.cols;
    if (!same || !table->tiles) {
        return same;
    }
    const uint64_t tiles = buda_lower_tiles(source);
    for (uint64_t i = 0; i < tiles; i++) {
        if (table->tiles[i] != (int32_t)i) {
            return false;
        }
    }
    return true;
}

// The tile of a tensor of shape `from` that is at (z, row, col) after a step; false: fill. `at` is
// changed in place: position in the result, then in the source.
typedef bool source_of(const void *step, hoist_tile_shape from, hoist_tile_shape to,
                       uint64_t at[3]);

// The inverse of section 1.7: from a place in the result to one in the source.
static bool tm_source(const void *step, hoist_tile_shape from, hoist_tile_shape to, uint64_t at[3])
{
    const buda_tm *tm = step;
    const uint64_t n = tm->factor.value > 0 ? (uint64_t)tm->factor.value : 1;
    const uint64_t z = at[0];
    const uint64_t r = at[1];
    const uint64_t c = at[2];
    switch (tm->kind) {
    // Repeats the whole tensor along an axis.
    case BUDA_TM_BROADCAST:
        at[0] = z % from.z;
        at[1] = r % from.rows;
        at[2] = c % from.cols;
        return true;
    // Slice j of input z is z*n + j of the result.
    case BUDA_TM_HSLICE:
        at[0] = z / n;
        at[2] = z % n * to.cols + c;
        return true;
    case BUDA_TM_VSLICE:
        at[0] = z / n;
        at[1] = z % n * to.rows + r;
        return true;
    // Column block c of a result slice is input slice z*n + c.
    case BUDA_TM_HSTACK:
        at[0] = z * n + c / from.cols;
        at[2] = c % from.cols;
        return true;
    case BUDA_TM_VSTACK:
        at[0] = z * n + r / from.rows;
        at[1] = r % from.rows;
        return true;
    case BUDA_TM_TRANSPOSE: // the elements within each tile: `transposed`
        at[1] = c;
        at[2] = r;
        return true;
    case BUDA_TM_PAD:
        return r < from.rows && c < from.cols;
    case BUDA_TM_TILE_BROADCAST:
    case BUDA_TM_NONE:
        break;
    }
    return true;
}

// Also for unpad, whose results are all inside the source.
static bool pad_source(const void *step, hoist_tile_shape from, hoist_tile_shape to, uint64_t at[3])
{
    (void)step;
    (void)to;
    return at[1] < from.rows && at[2] < from.cols;
}

// Makes the table of one more step, which gives a tensor of shape `to`. Composition: entry i of
// the new table is the old table at the place that the step gives; fill stays fill.
static bool compose(buda_lower_job *l, buda_lower_table *table, hoist_tile_shape to,
                    source_of *source, const void *step)
{
    HOIST_ASSERT(to.rows > 0 && to.cols > 0);
    const hoist_tile_shape from = table->shape;
    const uint64_t count = buda_lower_tiles(to);
    int32_t *tiles = hoist_lower_scratch(&l->c, (size_t)count, sizeof *tiles);
    if (!tiles) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at[3] = {i / to.cols / to.rows, i / to.cols % to.rows, i % to.cols};
        tiles[i] = -1;
        if (source(step, from, to, at)) {
            // buda_shape_apply() has made the shape.
            HOIST_ASSERT(at[0] < from.z && at[1] < from.rows && at[2] < from.cols);
            const uint64_t tile = (at[0] * from.rows + at[1]) * from.cols + at[2];
            tiles[i] = table->tiles ? table->tiles[tile] : (int32_t)tile;
        }
    }
    table->tiles = tiles;
    table->shape = to;
    return true;
}

static hoist_tile_shape tile_shape(const buda_shape *shape)
{
    return (hoist_tile_shape){(uint64_t)shape->z, (uint64_t)shape->r, (uint64_t)shape->c};
}

static buda_shape block_shape(hoist_tile_shape shape)
{
    return (buda_shape){(int64_t)shape.z, (int64_t)shape.rows, (int64_t)shape.cols};
}

// The value of new tiles; a chain has one, compared by bits (NaN, -0.0).
static bool set_fill(buda_lower_job *l, buda_lower_table *table, double value, hoist_pos pos,
                     const char *what)
{
    const float fill = (float)value;
    if (table->filled && hoist_f32_to_bits(table->fill) != hoist_f32_to_bits(fill)) {
        buda_lower_refuse(l, RUN_002, pos, "%s is padded twice, with different values", what);
        return false;
    }
    table->fill = fill;
    table->filled = true;
    return true;
}

// Shapes are checked by the same function as in check_shape.c.
static bool apply(buda_lower_job *l, buda_lower_table *table, const buda_tm *tm, const char *what)
{
    if (tm->kind == BUDA_TM_NONE || tm->kind == BUDA_TM_TILE_BROADCAST) {
        buda_lower_refuse(l, RUN_004, tm->pos, "%s has the manipulation '%.*s'", what,
                          HOIST_STR_ARGS(tm->text));
        return false;
    }
    buda_shape shape = block_shape(table->shape);
    if (buda_shape_apply(&shape, tm) != BUDA_TM_OK) {
        buda_lower_refuse(
            l, RUN_004, tm->pos, "%s: '%.*s' cannot be applied to %llu x %llu x %llu tiles", what,
            HOIST_STR_ARGS(tm->text), (unsigned long long)table->shape.z,
            (unsigned long long)table->shape.rows, (unsigned long long)table->shape.cols);
        return false;
    }
    if (!buda_lower_fits(l, tile_shape(&shape), tm->pos, what) ||
        (tm->kind == BUDA_TM_PAD && !set_fill(l, table, tm->pad_value.value, tm->pos, what))) {
        return false;
    }
    // Two transposes leave the elements as they were.
    table->transposed = table->transposed != (tm->kind == BUDA_TM_TRANSPOSE);
    return compose(l, table, tile_shape(&shape), tm_source, tm);
}

bool buda_lower_table_tms(buda_lower_job *l, buda_lower_table *table, const buda_tms *tms,
                          const char *what)
{
    for (size_t i = 0; i < tms->count; i++) {
        if (!apply(l, table, &tms->items[i], what)) {
            return false;
        }
    }
    return true;
}

// The keys input_<N>_pad, after the TMs.
bool buda_lower_table_pad(buda_lower_job *l, buda_lower_table *table, const buda_pad *pad,
                          const char *what)
{
    hoist_tile_shape to = table->shape;
    if (pad->rt.value < 0 || pad->ct.value < 0 ||
        hoist_ckd_add(&to.rows, to.rows, (uint64_t)pad->rt.value) ||
        hoist_ckd_add(&to.cols, to.cols, (uint64_t)pad->ct.value)) {
        buda_lower_refuse(l, RUN_004, pad->pos, "%s cannot be padded by %lld x %lld tiles", what,
                          (long long)pad->rt.value, (long long)pad->ct.value);
        return false;
    }
    return buda_lower_fits(l, to, pad->pos, what) &&
           set_fill(l, table, pad->pad_value.value, pad->pos, what) &&
           compose(l, table, to, pad_source, pad);
}

// The keys input_<N>_unpad, before the TMs. At least one row and column stay.
bool buda_lower_table_unpad(buda_lower_job *l, buda_lower_table *table, const buda_pad *unpad,
                            const char *what)
{
    hoist_tile_shape to = table->shape;
    if (unpad->rt.value < 0 || unpad->ct.value < 0 || (uint64_t)unpad->rt.value >= to.rows ||
        (uint64_t)unpad->ct.value >= to.cols) {
        buda_lower_refuse(l, RUN_004, unpad->pos,
                          "%s has %llu x %llu tiles, it cannot lose %lld x %lld", what,
                          (unsigned long long)to.rows, (unsigned long long)to.cols,
                          (long long)unpad->rt.value, (long long)unpad->ct.value);
        return false;
    }
    to.rows -= (uint64_t)unpad->rt.value;
    to.cols -= (uint64_t)unpad->ct.value;
    HOIST_ASSERT(to.rows > 0 && to.cols > 0);
    return compose(l, table, to, pad_source, unpad);
}
