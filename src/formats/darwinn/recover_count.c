// Rows and columns of pixels that the tiles of a group make together (darwinn reference section
// 16.4). In: the operations of a group, which have different tiles, and the value that they read;
// out: the extents of what they make, by nothing but their loops (recover_geometry.c has windows).
//
// The loops of an operation over what it reads or writes show rows and columns, unless rows lie
// after each other: then they show the product alone. Tiles are 4 x 4: those of a row have the same
// rows, those of a column the same columns. So one operation that shows its rows gives those of all
// tiles next to it, and the product of each tile agrees.
#include "formats/darwinn/recover_operation.h"

enum { TILES = DWN_GRID * DWN_GRID };

// What a tile makes; rows and columns 0: unknown.
typedef struct count {
    uint64_t pixels; // 0: the tile makes none
    uint32_t along[2];
} count;

// The loops over pixels of what is written, of so many words. False: they are not two.
static bool read_written(const dwn_operation *op, uint32_t words, count *c)
{
    uint32_t loops = 0;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->b.loops[i];
        if (loop->count > 1 && loop->stride >= words) {
            c->along[loops == 0] = loop->count;
            loops++;
        }
    }
    return loops == 2 && (uint64_t)c->along[0] * c->along[1] == c->pixels;
}

// One operation: its pixels, and rows and columns where the loops over the input or the output show
// them.
static bool read_part(const dwn_operation *op, dwn_extent input, count *out)
{
    dwn_geometry g;
    if (!dwn_window_of(op, input, &g)) {
        return false;
    }
    *out = (count){.pixels = g.pixels, .along = {g.part[0], g.part[1]}};
    if (g.pixels == 1) {
        out->along[0] = out->along[1] = 1;
    } else if (out->along[0] == 0 && !read_written(op, dwn_words_of(g.output.c), out)) {
        out->along[0] = out->along[1] = 0;
    }
    return true;
}

// The row of tiles, or the column.
static size_t line_of(uint32_t tile, size_t axis)
{
    return axis == 0 ? tile / DWN_GRID : tile % DWN_GRID;
}

// Takes the extents of rows and columns of tiles from those that show them. False: they differ.
static bool take_shown(const count counts[TILES], uint32_t lines[2][DWN_GRID])
{
    for (uint32_t tile = 0; tile < TILES; tile++) {
        for (size_t axis = 0; axis < 2; axis++) {
            const uint32_t found = counts[tile].along[axis];
            uint32_t *const line = &lines[axis][line_of(tile, axis)];
            if (found != 0 && *line != 0 && *line != found) {
                return false;
            }
            *line = found != 0 ? found : *line;
        }
    }
    return true;
}

// Those of other rows and columns follow from the product of a tile.
static void take_products(const count counts[TILES], uint32_t lines[2][DWN_GRID])
{
    for (uint32_t tile = 0; tile < TILES; tile++) {
        for (size_t axis = 0; axis < 2; axis++) {
            const uint32_t other = lines[1 - axis][line_of(tile, 1 - axis)];
            uint32_t *const line = &lines[axis][line_of(tile, axis)];
            const uint64_t rest = other == 0 ? 0 : counts[tile].pixels / other;
            *line = *line == 0 && rest <= DWN_MAX_EXTENT ? (uint32_t)rest : *line;
        }
    }
}

// False unless each tile's product is what its row and its column say.
bool dwn_count_pixels(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                      uint32_t out[2])
{
    count counts[TILES] = {{0, {0, 0}}};
    uint32_t lines[2][DWN_GRID] = {{0}, {0}};
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        count part;
        if (!read_part(op, input, &part)) {
            return false;
        }
        for (uint32_t tile = 0; tile < TILES; tile++) {
            counts[tile] = op->tiles >> tile & 1 ? part : counts[tile];
        }
    }
    if (!take_shown(counts, lines)) {
        return false;
    }
    take_products(counts, lines);
    out[0] = out[1] = 0;
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const uint64_t made = (uint64_t)lines[0][tile / DWN_GRID] * lines[1][tile % DWN_GRID];
        if (made != counts[tile].pixels) {
            return false;
        }
        out[0] += tile % DWN_GRID == 0 ? lines[0][tile / DWN_GRID] : 0;
        out[1] += tile < DWN_GRID ? lines[1][tile] : 0;
    }
    return out[0] > 0 && out[1] > 0 && out[0] <= DWN_MAX_EXTENT && out[1] <= DWN_MAX_EXTENT;
}

// The geometry with what the tiles count, where that is known.
bool dwn_geometry_of(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                     dwn_geometry *out)
{
    uint32_t counted[2];
    const bool is_counted = dwn_count_pixels(all, group, input, counted);
    return dwn_counted_geometry(all, group, input, is_counted ? counted : NULL, out);
}
