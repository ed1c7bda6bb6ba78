// Whether the tiles of other rows or columns read a value where the padding says (darwinn reference
// section 16.4): a second reading of it, after that of tile 0.
//
// A tile has a part of the value and reads from where its own outputs begin. What comes before both
// is the sum of the parts of the tiles above or to the left, so each tile gives the padding anew.
#include "formats/darwinn/recover_operation.h"

// The operation of a group that runs on a tile; NULL: none does.
static const dwn_operation *part_on(const dwn_operations *all, const dwn_group *group,
                                    uint32_t tile)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (all->items[group->first + i].tiles >> tile & 1) {
            return &all->items[group->first + i];
        }
    }
    return NULL;
}

// Steps of the outermost loop with that stride; 0: there is none.
static int64_t steps_of(const dwn_traversal *traversal, int64_t stride)
{
    int64_t steps = 0;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &traversal->loops[i];
        steps = loop->count > 1 && loop->stride == stride ? (int64_t)loop->count : steps;
    }
    return steps;
}

// Rows that the rest of a value has on a tile, where they lie right after those of the first part.
static int64_t steps_after(const dwn_operations *all, const dwn_group *rest, uint32_t tile,
                           const dwn_operation *from, int64_t unit)
{
    const dwn_operation *more = rest ? part_on(all, rest, tile) : NULL;
    const int64_t first = steps_of(&from->b, unit) * unit;
    if (!more || (int64_t)more->b.base - from->b.base != first) {
        return 0;
    }
    const int64_t steps = steps_of(&more->b, unit);
    return steps == 0 ? 1 : steps;
}

typedef struct axis { // along which tiles are compared
    uint32_t next;    // from a tile to the next
    int64_t unit;     // words from a pixel of the value to the next
    int64_t stride;   // of the layer
} axis;

// Whether tiles 1 to 3 along an axis agree, of which at least one is not where tile 0 is.
static bool agrees_along(const dwn_operations *all, const dwn_group *written, const dwn_group *rest,
                         const dwn_group *read, int64_t first, const axis *a)
{
    int64_t pixels = 0;  // of the value, before the tile
    int64_t outputs = 0; // of the layer
    for (uint32_t i = 0; i + 1 < DWN_GRID; i++) {
        const dwn_operation *from = part_on(all, written, i * a->next);
        const dwn_operation *to = part_on(all, read, i * a->next);
        const dwn_operation *next_from = part_on(all, written, (i + 1) * a->next);
        const dwn_operation *next_to = part_on(all, read, (i + 1) * a->next);
        if (!from || !to || !next_from || !next_to) {
            return false;
        }
        const int64_t has = steps_of(&from->b, a->unit);
        const int64_t makes = steps_of(&to->a, a->unit * a->stride);
        if (has == 0 || makes == 0) {
            return false;
        }
        pixels += has + steps_after(all, rest, i * a->next, from, a->unit);
        outputs += makes;
        // The padding follows anew from each tile.
        if ((int64_t)next_from->b.base - next_to->a.base !=
            first + (pixels - a->stride * outputs) * a->unit) {
            return false;
        }
    }
    return true;
}

// Along rows or along columns: padding that two tiles agree on is read.
bool dwn_tiles_agree(const dwn_operations *all, const dwn_group *written, const dwn_group *rest,
                     const dwn_group *read, const dwn_geometry *g, dwn_extent input)
{
    const int64_t words = dwn_words_of(input.c);
    const int64_t first = g->padding[0] * g->pitch + g->padding[1] * words;
    const axis rows = {DWN_GRID, g->pitch, g->stride[0]};
    const axis columns = {1, words, g->stride[1]};
    return g->has_window && (agrees_along(all, written, rest, read, first, &rows) ||
                             agrees_along(all, written, NULL, read, first, &columns));
}
