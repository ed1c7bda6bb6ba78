// A value that is moved into the middle of a larger one, with the zero point stored around it: PAD.
//
// Each tile has a part of the larger one, whose rows and columns the loops that move the value
// show. How much lies before the value follows from where each tile has its pixels: a reading of
// its own on each. What tiles store has to be the zero point and, where the padding is a value of
// its own, all of the part but the pixels, each word once.
#include <string.h>

#include "base/assert.h"
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_work.h"

enum {
    CLASS_LAYOUT = 0x0038, // of the operation that lays out an input
    TILES = DWN_GRID * DWN_GRID,
    ADDRESSES = 1 << 16, // words that loops of a tile can reach
    BYTES = 0x01010101,  // times a byte: a word of it
};

// The part of a tile. Pixels have one word.
typedef struct part {
    bool is_there;
    int64_t base;       // of its first pixel that is moved
    int64_t pitch;      // columns
    int64_t words;      // of all of it
    uint32_t pixels[2]; // that are moved: rows and columns
    const dwn_operation *op;
} part;

// The parts, and how far along each axis they go.
typedef struct grid {
    part parts[TILES];
    dwn_extent moved;   // pixels
    uint32_t moving[2]; // rows and columns of tiles that have some
} grid;

static bool is_layout(const dwn_operation *op)
{
    return op->kind == DWN_KIND_MOVE && op->code == CLASS_LAYOUT;
}

// Loops over what is written: a word, columns, rows, and all of the part. False: others.
static bool part_of(const dwn_operation *op, part *out)
{
    enum { WORD = 0, COLUMN, ROW, ALL };
    const dwn_loop *const loops = op->b.loops;
    bool is_so = loops[WORD].count == 1 && loops[COLUMN].stride == 1 && loops[ROW].stride > 0 &&
                 loops[ROW].stride <= ADDRESSES && loops[ALL].count == 1 && loops[ALL].stride > 0 &&
                 loops[ALL].stride <= ADDRESSES && loops[ALL].stride % loops[ROW].stride == 0 &&
                 loops[COLUMN].count <= loops[ROW].stride;
    for (size_t i = ALL; i < DWN_LOOPS; i++) {
        is_so = is_so && loops[i].count == 1;
    }
    *out = (part){.is_there = true,
                  .base = op->b.base,
                  .pitch = loops[ROW].stride,
                  .words = loops[ALL].stride,
                  .pixels = {loops[ROW].count, loops[COLUMN].count},
                  .op = op};
    return is_so;
}

// Which tiles have a part, and that those of a row of tiles, or of a column, have the same pixels:
// together all of the value.
static bool grid_of(const dwn_operations *all, const dwn_group *group, dwn_extent value, grid *g)
{
    *g = (grid){.moving = {0, 0}};
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        for (uint32_t tile = 0; tile < TILES; tile++) {
            if ((op->tiles >> tile & 1) && (!is_layout(op) || !part_of(op, &g->parts[tile]))) {
                return false;
            }
        }
    }
    const part *rows[DWN_GRID] = {NULL}; // one part that stands for each line of tiles
    const part *columns[DWN_GRID] = {NULL};
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const part *p = &g->parts[tile];
        if (p->is_there) {
            rows[tile / DWN_GRID] = p;
            columns[tile % DWN_GRID] = p;
        }
    }
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const part *p = &g->parts[tile];
        const part *row = rows[tile / DWN_GRID];
        const part *column = columns[tile % DWN_GRID];
        if (p->is_there != (row && column) || // a part wherever its row and its column have one
            (p->is_there &&
             (p->pixels[0] != row->pixels[0] || p->pixels[1] != column->pixels[1]))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < DWN_GRID; i++) {
        g->moved.h += rows[i] ? rows[i]->pixels[0] : 0;
        g->moved.w += columns[i] ? columns[i]->pixels[1] : 0;
        g->moving[0] += rows[i] != NULL;
        g->moving[1] += columns[i] != NULL;
    }
    return g->parts[0].is_there && g->moved.h == value.h && g->moved.w == value.w;
}

// Stores -----------------------------------------------------------------------------------------

// The stores between a group and an operation after it.
typedef struct fills {
    const dwn_fill *items;
    uint32_t count;
} fills;

// From the group to the operation, included: stores come before what they are for.
static fills fills_of(const dwn_operations *all, const dwn_group *group, uint32_t until)
{
    const uint32_t first = dwn_fills_before(all, group->first + group->count);
    const uint32_t end = dwn_fills_before(all, until + 1);
    return end > first ? (fills){&all->fills[first], end - first} : (fills){NULL, 0};
}

// Whether the zero point, or anything else, is stored around what a group moved.
dwn_around dwn_around_of(const dwn_operations *all, const dwn_group *moved, const dwn_group *group,
                         uint8_t zero)
{
    const fills s = fills_of(all, moved, group->first);
    dwn_around around = {false, false};
    for (uint32_t i = 0; i < s.count; i++) {
        const bool is_zero = s.items[i].value == (uint32_t)zero * BYTES;
        around.has_zero = around.has_zero || (!s.items[i].is_sent && is_zero);
        around.has_other = around.has_other || (!s.items[i].is_sent && !is_zero);
    }
    return around;
}

// Marks the words of a store; false: one is not of the part, or was marked. The count is compared
// first, so that a hostile loop ends.
static bool mark(const dwn_fill *fill, int64_t first, int64_t words, uint8_t *marks)
{
    dwn_steps steps = dwn_steps_of(fill->base - first, fill->loops, DWN_MESH_LOOPS);
    if (steps.count > (uint64_t)words) {
        return false;
    }
    for (uint64_t i = 0; i < steps.count; i++, dwn_steps_next(&steps)) {
        if (steps.at < 0 || steps.at >= words || marks[steps.at]) {
            return false;
        }
        marks[steps.at] = 1;
    }
    return true;
}

// Whether the pixels of a tile, and the words that are stored around them, are all of its part;
// then `*out_first` is where it begins. What lies elsewhere is not of it.
static bool is_covered(const part *p, uint32_t tile, const fills *s, uint32_t value, uint8_t *marks,
                       int64_t *out_first)
{
    int64_t first = p->base;
    // Words that stores have to fill.
    int64_t left = p->words - (int64_t)p->pixels[0] * p->pixels[1];
    for (uint32_t i = 0; i < s->count; i++) {
        const dwn_fill *fill = &s->items[i];
        if (fill->tiles >> tile & 1 && fill->value == value && fill->base < first) {
            first = fill->base;
        }
    }
    memset(marks, 0, ADDRESSES);
    const int64_t row = (p->base - first) / p->pitch;
    const int64_t column = (p->base - first) % p->pitch;
    if (p->base - first >= p->words || column + p->pixels[1] > p->pitch ||
        row + p->pixels[0] > p->words / p->pitch) {
        return false;
    }
    for (uint32_t y = 0; y < p->pixels[0]; y++) {
        memset(marks + (row + y) * p->pitch + column, 1, p->pixels[1]);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const dwn_fill *fill = &s->items[i];
        const bool is_beyond = fill->base >= first + p->words; // other data behind the part
        if (!(fill->tiles >> tile & 1) || (is_beyond && fill->value != value) ||
            fill->is_passed_on) {
            continue;
        }
        if (fill->value != value || !mark(fill, first, p->words, marks)) {
            return false;
        }
        left -= (int64_t)dwn_steps_of(0, fill->loops, DWN_MESH_LOOPS).count;
    }
    *out_first = first;
    return left == 0;
}

// Along an axis, with which part begins before the pixels and all parts together.
typedef struct sums {
    int64_t parts, pixels, before;
} sums;

// A tile's part along an axis: `at` pixels of padding come first. False: tiles do not agree.
static bool add_tile(sums *s, bool is_first, int64_t at, int64_t rows, int64_t pixels)
{
    s->before = is_first ? at : s->before;
    const bool is_so = s->parts + at == s->before + s->pixels;
    s->parts += rows;
    s->pixels += pixels;
    return is_so;
}

// Each tile has the rows and columns of the first of its row and its column of tiles, and the first
// ones follow each other.
static bool is_image(const grid *g, const int64_t firsts[TILES], dwn_padded *out)
{
    sums along[2] = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const part *p = &g->parts[tile];
        if (!p->is_there) {
            continue;
        }
        const part *top = &g->parts[tile % DWN_GRID];
        const part *left = &g->parts[tile - tile % DWN_GRID];
        const uint32_t start = tile - tile % DWN_GRID;
        const int64_t row = (p->base - firsts[tile]) / p->pitch;
        const int64_t column = (p->base - firsts[tile]) % p->pitch;
        const int64_t rows = p->words / p->pitch;
        if (p->pitch != top->pitch || rows != left->words / left->pitch ||
            column != (top->base - firsts[tile % DWN_GRID]) % top->pitch ||
            row != (left->base - firsts[start]) / left->pitch) {
            return false;
        }
        if ((p == left && !add_tile(&along[0], tile == 0, row, rows, p->pixels[0])) ||
            (p == top && !add_tile(&along[1], tile == 0, column, p->pitch, p->pixels[1]))) {
            return false;
        }
    }
    out->before[0] = (uint32_t)along[0].before;
    out->before[1] = (uint32_t)along[1].before;
    out->extent.h = (uint32_t)along[0].parts;
    out->extent.w = (uint32_t)along[1].parts;
    return true;
}

// Values of up to 4 channels only, one word per pixel: the first layer's input.
bool dwn_padded_value(const dwn_operations *all, const dwn_group *group, const dwn_value *value,
                      hoist_arena *arena, dwn_padded *out)
{
    grid g;
    int64_t firsts[TILES] = {0};
    *out = (dwn_padded){.extent = value->extent};
    if (dwn_words_of(value->extent.c) != 1 || !grid_of(all, group, value->extent, &g)) {
        return false;
    }
    uint8_t *marks = hoist_arena_array(arena, ADDRESSES, 1);
    const fills s = fills_of(all, group, group->first + group->count);
    bool is_so = marks != NULL;
    for (uint32_t i = 0; i < s.count; i++) {
        is_so = is_so && !s.items[i].is_sent;
    }
    for (uint32_t tile = 0; tile < TILES && is_so; tile++) {
        const part *p = &g.parts[tile];
        is_so = !p->is_there ||
                (is_covered(p, tile, &s, (uint32_t)value->zero * BYTES, marks, &firsts[tile]) &&
                 firsts[tile] == firsts[0]);
    }
    out->base = (int32_t)firsts[0];
    return is_so && is_image(&g, firsts, out);
}

// Windows ----------------------------------------------------------------------------------------

// What a tile makes with a window, and reads for it.
typedef struct reading {
    bool is_there;
    int64_t base, pitch, words; // of the part that it reads
    int64_t stride[2];
    uint32_t outputs[2]; // rows and columns
} reading;

// Loops over what is read: a word, columns and rows of the window, a word again, columns and rows
// of pixels, and all of the part. False: others.
static bool reading_of(const dwn_operation *op, reading *out)
{
    enum { LEFT_TAP = 1, TOP_TAP, REST, COLUMN, ROW, ALL };
    const dwn_loop *const loops = op->a.loops;
    const int64_t pitch = loops[TOP_TAP].stride;
    if (loops[0].count != 1 || loops[LEFT_TAP].stride != 1 || loops[REST].count != 1 ||
        pitch <= 0 || pitch > ADDRESSES || loops[ROW].stride % pitch != 0 ||
        loops[COLUMN].stride <= 0 || loops[ROW].stride <= 0 || loops[ALL].stride % pitch != 0 ||
        loops[ALL].stride > ADDRESSES || loops[COLUMN].stride > DWN_MAX_STRIDE ||
        loops[ROW].stride / pitch > DWN_MAX_STRIDE) {
        return false;
    }
    *out = (reading){.is_there = true,
                     .base = op->a.base,
                     .pitch = pitch,
                     .words = loops[ALL].stride,
                     .stride = {loops[ROW].stride / pitch, loops[COLUMN].stride},
                     .outputs = {loops[ROW].count, loops[COLUMN].count}};
    return true;
}

// What all tiles read, who together make an image; its extents. False: they do not.
static bool readings_of(const dwn_operations *all, const dwn_group *group, reading readings[TILES],
                        dwn_extent *out)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        for (uint32_t tile = 0; tile < TILES; tile++) {
            if ((op->tiles >> tile & 1) && !reading_of(op, &readings[tile])) {
                return false;
            }
        }
    }
    *out = (dwn_extent){.h = 0};
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const reading *r = &readings[tile];
        const reading *left = &readings[tile - tile % DWN_GRID];
        const reading *top = &readings[tile % DWN_GRID];
        if (!r->is_there || r->stride[0] != readings[0].stride[0] ||
            r->stride[1] != readings[0].stride[1] || r->outputs[0] != left->outputs[0] ||
            r->outputs[1] != top->outputs[1]) {
            return false;
        }
        out->h += r == left ? r->outputs[0] : 0;
        out->w += r == top ? r->outputs[1] : 0;
    }
    return out->h <= DWN_MAX_EXTENT && out->w <= DWN_MAX_EXTENT;
}

// The padding that each tile with pixels gives, which has to be the same on all, of more than one
// row and column of tiles.
static bool find_before(const grid *g, const reading readings[TILES], uint32_t padding[2])
{
    int64_t pixels[2] = {0, 0}; // of the value, before the tile
    int64_t outputs[2] = {0, 0};
    int64_t before[2] = {-1, -1};
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const part *p = &g->parts[tile];
        const reading *r = &readings[tile];
        pixels[1] = tile % DWN_GRID == 0 ? 0 : pixels[1];
        outputs[1] = tile % DWN_GRID == 0 ? 0 : outputs[1];
        const int64_t distance = p->base - r->base; // where its pixels begin in the part
        if (p->is_there) {
            const int64_t top = distance / r->pitch - pixels[0] + r->stride[0] * outputs[0];
            const int64_t left = distance % r->pitch - pixels[1] + r->stride[1] * outputs[1];
            if (distance < 0 || p->pitch != r->pitch || p->words != r->words || top < 0 ||
                left < 0 || (before[0] >= 0 && (top != before[0] || left != before[1]))) {
                return false;
            }
            before[0] = top;
            before[1] = left;
        }
        pixels[1] += g->parts[tile % DWN_GRID].is_there ? g->parts[tile % DWN_GRID].pixels[1] : 0;
        outputs[1] += r->outputs[1];
        if (tile % DWN_GRID == DWN_GRID - 1) {
            const part *first = &g->parts[tile - tile % DWN_GRID];
            pixels[0] += first->is_there ? first->pixels[0] : 0;
            outputs[0] += r->outputs[0];
        }
    }
    padding[0] = (uint32_t)before[0];
    padding[1] = (uint32_t)before[1];
    return g->moving[0] > 1 && g->moving[1] > 1; // one row of tiles alone agrees with itself
}

// The padding of an input that has no layer of its own: windows read it as if it were the image.
bool dwn_padded_window(const dwn_operations *all, const dwn_group *moved, const dwn_group *group,
                       const dwn_value *value, dwn_geometry *out)
{
    grid g;
    reading readings[TILES] = {{false, 0, 0, 0, {0, 0}, {0, 0}}};
    dwn_extent output;
    *out = (dwn_geometry){0};
    if (dwn_words_of(value->extent.c) != 1 || !grid_of(all, moved, value->extent, &g) ||
        !readings_of(all, group, readings, &output)) {
        return false;
    }
    // An input of which windows make that many outputs; how much of it the padding is follows.
    const dwn_extent around = {(uint32_t)(output.h * readings[0].stride[0]),
                               (uint32_t)(output.w * readings[0].stride[1]), value->extent.c};
    const dwn_around stored = dwn_around_of(all, moved, group, value->zero);
    return stored.has_zero && !stored.has_other && dwn_geometry_of(all, group, around, out) &&
           out->kind == DWN_KIND_CONVOLUTION && out->has_window && out->output.h == output.h &&
           out->output.w == output.w && find_before(&g, readings, out->padding);
}
