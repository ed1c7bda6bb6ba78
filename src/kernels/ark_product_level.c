// Products of float matrices in vectors with a fused multiply-add, with the bits of ark_matmul.c,
// which does all other calls (K. Goto and R. van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication", 2008).
//
// A block of the output goes over its terms in blocks of HOIST_ARK_MATMUL_BLOCK: rows of a are
// packed in panels of a tile's height and stay in the second cache, columns of b (ark_pack.h) in
// panels of its width, which stay in the first cache for all rows. A tile is summed in registers
// (ark_tile.h). Few rows need no packed b: its columns are read where they are.
//
// Products of the profile fast take bf16 in pairs of terms where the CPU can (ark_pairs.h), twice
// as many terms in a block; elsewhere they are those of ark.
#include "base/assert.h"
#include "base/span.h"
#include "kernels/ark_elements.h"
#include "kernels/ark_matmul.h"
#include "kernels/elements.h"
#include "kernels/level.h"
#include "ops/compute_ark.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_ark_product_group);

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)

#include "kernels/ark_pack.h"
#include "kernels/ark_tile.h"
#if defined(__AVX512BF16__)
#include "kernels/ark_pairs.h"
#endif

extern const hoist_move_kernels HOIST_BASE_NAME(hoist_move_kernels);

enum {
    BLOCK = HOIST_ARK_MATMUL_BLOCK, // steps of sums
    SIZE = sizeof(float),
    WIDTH = ARK_VECTORS * HOIST_LANES, // columns of a packed panel of b
    FEW_TILES = 2,                     // of rows, for which b is not packed
    MANY_ROWS = 8 * ARK_ROWS,          // for which the next columns are asked for
    STACK_ROWS = 4,                    // of a without scratch memory
    MOST_A = 1 << 18,                  // floats of a packed: a megabyte
    MOST_C = 1 << 19,                  // floats of totals
    MOST_Y = 3 << 20,                  // bytes of totals that are no output's
    CACHE_LINE = 64,
    // Columns that are passed on together, and elements: long lines, which are still in the caches.
    FINISH_COLUMNS = 256,
    FINISH_ELEMENTS = 1 << 14,
#if defined(__AVX512BF16__)
    PAIR = 2, // terms of a step of the sums in the profile fast
#else
    PAIR = 1,
#endif
};

// Shapes ------------------------------------------------------------------------------------------

// What is multiplied, and how.
typedef struct product {
    hoist_dtype dtype;
    int64_t terms;
    int64_t of_step; // terms of a step of the sums: 1 or PAIR
    const ark_shape *shapes;
    size_t shape_count;
} product;

static product product_of(hoist_dtype dtype, int64_t terms, int64_t of_step)
{
#if defined(__AVX512BF16__)
    if (of_step == PAIR) {
        return (product){dtype, terms, PAIR, ark_pair_shapes, HOIST_COUNT_OF(ark_pair_shapes)};
    }
#endif
    return (product){dtype, terms, of_step, ark_shapes, HOIST_COUNT_OF(ark_shapes)};
}

// The least shape of `width` vectors with at least `rows` rows; NULL: none.
static const ark_shape *shape_of(const product *of, int64_t rows, int vectors)
{
    const ark_shape *best = NULL;
    for (size_t i = 0; i < of->shape_count; i++) {
        const ark_shape *const s = &of->shapes[i];
        if (s->vectors == vectors && s->rows >= rows && (!best || s->rows < best->rows)) {
            best = s;
        }
    }
    return best;
}

// The widest shape of as few rows as hold `rows`, at most ARK_ROWS.
static const ark_shape *widest_of(const product *of, int64_t rows)
{
    const ark_shape *best = shape_of(of, rows, ARK_VECTORS);
    for (size_t i = 0; i < of->shape_count; i++) {
        const ark_shape *const s = &of->shapes[i];
        if (s->rows >= rows && s->rows <= best->rows && s->vectors > best->vectors) {
            best = s;
        }
    }
    return best;
}

// A piece of a block, and where it is worked on ---------------------------------------------------

// Scratch memory of whoever does a block, cut into its uses.
typedef struct memory {
    float *a, *b, *c;
    uint8_t *y;       // elements that no output has
    int64_t a_floats; // `a` holds
    int64_t rows;     // at most, of a piece
    int64_t c_floats;
    int64_t y_bytes; // 0: the output has them
} memory;

// Rows and columns of a block that fit the memory.
typedef struct piece {
    const hoist_ark_block *block;
    const memory *memory;
    const product *of;
    const hoist_compute_finish *finish; // NULL: nobody
    int64_t height;                     // rows of a tile
    const ark_shape *shape;             // of all tiles but those that are left
    bool is_direct;                     // b is read where it is
    bool is_in_place;                   // totals are summed in y itself, else in the memory
    bool stores_last;                   // totals that are complete go to y as its elements
    float *c;                           // totals: of y itself, or of the memory
    int64_t c_row;                      // floats from a row of it to the next
    int64_t depth;                      // blocks of terms whose a is packed at a time
} piece;

// Whether totals can be summed where the output is: float32 without gaps in its rows.
static bool is_in_place(const hoist_ark_block *block, hoist_dtype dtype)
{
    return dtype == HOIST_DTYPE_F32 && block->y.column == SIZE && block->y.row % SIZE == 0 &&
           (uintptr_t)block->y.first % SIZE == 0;
}

static int64_t divided_up(int64_t value, int64_t by)
{
    return (value + by - 1) / by;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static piece piece_of(const hoist_ark_block *block, const memory *m, const product *of)
{
    piece p = {.block = block, .memory = m, .of = of};
    const int64_t tiles = divided_up(block->rows, ARK_ROWS);
    // Packing b pays when many rows use it.
    p.is_direct = of->dtype == HOIST_DTYPE_F32 && block->b.column == SIZE && tiles <= FEW_TILES;
    const int64_t rows = divided_up(block->rows, tiles);
    p.shape = p.is_direct ? widest_of(of, rows) : shape_of(of, rows, ARK_VECTORS);
    p.height = p.shape->rows;
    p.is_in_place = is_in_place(block, of->dtype);
    p.stores_last = of->dtype == HOIST_DTYPE_BF16 && block->y.column == sizeof(uint16_t);
    p.c = p.is_in_place ? (float *)(void *)block->y.first : m->c;
    p.c_row = p.is_in_place ? block->y.row / SIZE : divided_up(block->columns, WIDTH) * WIDTH;
    const int64_t packed_rows = divided_up(block->rows, p.height) * p.height;
    // As many blocks of terms as fit, so that columns of totals are gone over less often.
    p.depth = p.is_direct ? 1 : m->a_floats / BLOCK / packed_rows;
    p.depth = p.depth < 1 ? 1 : p.depth;
    return p;
}

static void pack(const product *of, const ark_lines *lines, float *packed)
{
#if defined(__AVX512BF16__)
    if (of->of_step == PAIR) {
        ark_pack_pairs(lines, packed);
        return;
    }
#endif
    (void)of;
    ark_pack(lines, &HOIST_BASE_NAME(hoist_move_kernels), packed);
}

// Packs all rows of a block of terms in panels of a tile's height.
static void pack_rows(const piece *p, int64_t first, int64_t terms, float *packed)
{
    const int64_t steps = divided_up(terms, p->of->of_step);
    const hoist_ark_matrix *const a = &p->block->a;
    for (int64_t row = 0; row < p->block->rows; row += p->height) {
        const ark_lines lines = {.first = a->first + row * a->row + first * a->column,
                                 .line = a->row,
                                 .term = a->column,
                                 .count = least_of(p->height, p->block->rows - row),
                                 .width = p->height,
                                 .terms = terms,
                                 .dtype = p->of->dtype};
        pack(p->of, &lines, packed + row * steps);
    }
}

// A panel of columns for all rows, in one block of terms.
static void do_panel(const piece *p, int64_t column, int64_t first, int64_t terms, const float *a)
{
    const hoist_ark_matrix *const from = &p->block->b;
    const hoist_ark_matrix *const y = &p->block->y;
    const int64_t left = p->block->columns - column;
    const int vectors = p->shape->vectors;
    const bool is_direct = p->is_direct && left >= (int64_t)vectors * HOIST_LANES;
    // The last columns, which are less than a panel, are always packed.
    const ark_shape *const shape = is_direct ? p->shape : shape_of(p->of, p->height, ARK_VECTORS);
    ark_tile tile = {.steps = divided_up(terms, p->of->of_step),
                     .is_first = first == 0,
                     .is_last = first + terms == p->of->terms,
                     .c_row = p->c_row,
                     .y_row = p->block->y.row,
                     .columns = least_of(left, (int64_t)shape->vectors * HOIST_LANES)};
    const uint8_t *const b = from->first + column * from->column + first * from->row;
    tile.b = is_direct ? b : (const uint8_t *)p->memory->b;
    tile.b_step = is_direct ? from->row : (int64_t)WIDTH * SIZE;
    ark_lines lines = {.first = b,
                       .line = from->column,
                       .term = from->row,
                       .count = tile.columns,
                       .width = WIDTH,
                       .terms = terms,
                       .dtype = p->of->dtype};
    if (!is_direct) {
        pack(p->of, &lines, p->memory->b);
    }
    // The columns that come next are on their way while these are worked on.
    const bool is_asking = !is_direct && left > WIDTH && p->block->rows >= MANY_ROWS;
    lines.first += WIDTH * from->column;
    lines.count = least_of(left - WIDTH, WIDTH);
    for (int64_t row = 0; row < p->block->rows; row += p->height) {
        if (is_asking) {
            ark_ask_for(&lines, row / p->height, divided_up(p->block->rows, p->height));
        }
        tile.a = a + row * tile.steps;
        tile.c = p->c + row * p->c_row + column;
        tile.y =
            p->stores_last && tile.is_last ? y->first + row * y->row + column * y->column : NULL;
        tile.rows = (int)least_of(p->height, p->block->rows - row);
        shape->sum(&tile);
    }
}

// Rounds totals of columns [begin, end) that were summed apart to the output's type.
static void store_totals(const piece *p, int64_t begin, int64_t end)
{
    const hoist_ark_matrix *const y = &p->block->y;
    const size_t size = hoist_element_size(p->of->dtype);
    for (int64_t row = 0; row < p->block->rows; row++) {
        uint8_t line[WIDTH * SIZE];
        for (int64_t column = begin; column < end; column += WIDTH) {
            const int64_t count = least_of(WIDTH, end - column);
            uint8_t *const to = y->first + row * y->row + column * y->column;
            const bool is_line = y->column == (int64_t)size;
            const hoist_move_tile rows = {.source =
                                              (const uint8_t *)(p->c + row * p->c_row + column),
                                          .destination = is_line ? to : line,
                                          .planes = 1,
                                          .rows = 1,
                                          .cols = (size_t)count};
            HOIST_BASE_NAME(hoist_move_kernels).from_f32[p->of->dtype](&rows, false);
            for (int64_t i = 0; !is_line && i < count; i++) {
                memcpy(to + i * y->column, line + (size_t)i * size, size);
            }
        }
    }
}

// Columns [begin, end) have all their terms.
static void finish_columns(const piece *p, int64_t begin, int64_t end)
{
    if (!p->is_in_place && !p->stores_last) {
        store_totals(p, begin, end);
    }
    if (p->finish) {
        const hoist_ark_block done =
            hoist_ark_part(p->block, 0, begin, p->block->rows, end - begin);
        hoist_ark_finish(p->finish, &done);
    }
}

// Goes over the terms in groups of blocks: first all rows are packed, then panel after panel is
// done.
static void do_piece(const piece *p)
{
    const int64_t rows = divided_up(p->block->rows, p->height) * p->height;
    const int64_t block = BLOCK * p->of->of_step;
    for (int64_t group = 0; group < p->of->terms; group += p->depth * block) {
        const int64_t end = least_of(p->of->terms, group + p->depth * block);
        float *a = p->memory->a;
        for (int64_t first = group; first < end; first += block, a += BLOCK * rows) {
            pack_rows(p, first, least_of(block, end - first), a);
        }
        int64_t width = (int64_t)p->shape->vectors * HOIST_LANES;
        int64_t finished = 0;
        for (int64_t column = 0; column < p->block->columns; column += width) {
            width = p->block->columns - column >= width ? width : WIDTH;
            a = p->memory->a;
            for (int64_t first = group; first < end; first += block, a += BLOCK * rows) {
                do_panel(p, column, first, least_of(block, end - first), a);
            }
            const int64_t done = least_of(column + width, p->block->columns);
            const bool is_enough = done - finished >= FINISH_COLUMNS &&
                                   (done - finished) * p->block->rows >= FINISH_ELEMENTS;
            if (end == p->of->terms && (is_enough || done == p->block->columns)) {
                finish_columns(p, finished, done);
                finished = done;
            }
        }
    }
}

// Bytes of a row of elements that no output has: not a power of two, so that rows are in sets of
// the caches of their own.
static int64_t own_row(int64_t columns, int64_t size)
{
    return columns * size + CACHE_LINE;
}

// Columns of a block that fit the memory at a time.
static int64_t columns_that_fit(const hoist_ark_block *block, const memory *m, const product *of,
                                int64_t rows)
{
    const int64_t size = (int64_t)hoist_element_size(of->dtype);
    int64_t columns = block->columns;
    if (m->c_floats > 0) {
        columns = least_of(columns, m->c_floats / rows / WIDTH * WIDTH);
    }
    if (m->y_bytes > 0 && own_row(columns, size) * rows > m->y_bytes) {
        columns = (m->y_bytes / rows - CACHE_LINE) / size / WIDTH * WIDTH;
    }
    return columns;
}

// Cuts a block so that rows of a and totals fit the memory.
static void do_block(const hoist_ark_block *block, const memory *m, const product *of,
                     const hoist_compute_finish *finish)
{
    const int64_t size = (int64_t)hoist_element_size(of->dtype);
    const int64_t rows = least_of(block->rows, m->rows);
    const int64_t columns = columns_that_fit(block, m, of, rows);
    for (int64_t row = 0; row < block->rows; row += rows) {
        for (int64_t column = 0; column < block->columns; column += columns) {
            hoist_ark_block part = hoist_ark_part(block, row, column, rows, columns);
            if (m->y_bytes > 0) {
                part.y = (hoist_ark_matrix){m->y, own_row(part.columns, size), size};
            }
            piece p = piece_of(&part, m, of);
            p.finish = finish;
            do_piece(&p);
        }
    }
}

// Whether the level converts the type in vectors.
static bool is_fast(const hoist_compute_call *call)
{
    const hoist_dtype dtype = hoist_ark_output(call)->dtype;
    return hoist_elements_are_floats(HOIST_DTYPE_F32) &&
           HOIST_BASE_NAME(hoist_move_kernels).from_f32[dtype] != NULL;
}

// The same of all blocks, whose batches may begin anywhere.
static bool are_in_place(const hoist_compute_call *call, const hoist_ark_block *first)
{
    const hoist_view *const y = hoist_ark_output(call);
    bool in_place = is_in_place(first, y->dtype);
    for (int i = 0; i < y->shape.rank - 2; i++) {
        in_place = in_place && y->stride[i] % SIZE == 0;
    }
    return in_place;
}

// What a block takes of scratch memory.
static memory need_of(const hoist_compute_call *call)
{
    const hoist_ark_product p = hoist_ark_product_of(call);
    const int64_t rows = divided_up(least_of(p.rows, HOIST_ARK_MOST_ROWS), ARK_ROWS) * ARK_ROWS;
    const int64_t columns = divided_up(p.columns, WIDTH) * WIDTH;
    const hoist_ark_block block = hoist_ark_block_at(call, &p, 0, 1);
    const hoist_dtype dtype = hoist_ark_output(call)->dtype;
    const bool is_own = call->finish && !call->finish->is_stored;
    const bool in_place = is_own ? dtype == HOIST_DTYPE_F32 : are_in_place(call, &block);
    const int64_t row = own_row(columns, (int64_t)hoist_element_size(dtype));
    memory m = {.rows = rows};
    m.a_floats = least_of(rows * divided_up(p.terms, BLOCK) * BLOCK, MOST_A);
    m.c_floats = in_place ? 0 : least_of(rows * columns, MOST_C);
    m.y_bytes = is_own ? least_of(rows * row, MOST_Y) : 0;
    return m;
}

static size_t scratch_size(const hoist_compute_call *call)
{
    if (!is_fast(call)) {
        return 0;
    }
    const memory m = need_of(call);
    return (size_t)((int64_t)BLOCK * WIDTH + m.a_floats + m.c_floats) * SIZE + (size_t)m.y_bytes;
}

static void multiply(const hoist_compute_call *call, size_t begin, size_t end, int64_t of_step)
{
    if (!is_fast(call)) {
        hoist_ark_matmul_reference(call, begin, end);
        return;
    }
    // Without scratch memory there is enough here for a few rows at a time.
    const hoist_ark_product p = hoist_ark_product_of(call);
    const product of = product_of(hoist_ark_output(call)->dtype, p.terms, of_step);
    _Alignas(64) float of_stack[(BLOCK + STACK_ROWS) * WIDTH + BLOCK * STACK_ROWS];
    memory m = need_of(call);
    m.b = of_stack;
    if (call->scratch.size >= scratch_size(call)) {
        m.b = (float *)(void *)call->scratch.data;
    } else {
        HOIST_ASSERT(m.y_bytes == 0); // compute.h
        m.rows = STACK_ROWS;
        m.a_floats = (int64_t)BLOCK * STACK_ROWS;
        m.c_floats = m.c_floats ? (int64_t)STACK_ROWS * WIDTH : 0;
    }
    m.a = m.b + (int64_t)BLOCK * WIDTH;
    m.c = m.a + m.a_floats;
    m.y = (uint8_t *)(m.c + m.c_floats);
    while (begin < end) {
        const hoist_ark_block block = hoist_ark_block_at(call, &p, begin, end);
        do_block(&block, &m, &of, call->finish);
        begin += block.units;
    }
}

static void matmul(const hoist_compute_call *call, size_t begin, size_t end)
{
    multiply(call, begin, end, 1);
}

static void matmul_fast(const hoist_compute_call *call, size_t begin, size_t end)
{
    multiply(call, begin, end, PAIR);
}

#else

static size_t scratch_size(const hoist_compute_call *call)
{
    (void)call;
    return 0;
}

// Without the instruction the definition is as quick.
static void matmul(const hoist_compute_call *call, size_t begin, size_t end)
{
    hoist_ark_matmul_reference(call, begin, end);
}

static void matmul_fast(const hoist_compute_call *call, size_t begin, size_t end)
{
    hoist_ark_matmul_reference(call, begin, end);
}

#endif

enum { FIRST = HOIST_ARK_MATMUL };

static const hoist_compute_row group_rows[] = {
    [HOIST_ARK_MATMUL -
     FIRST] = {.work = hoist_ark_matmul_work, .fill = matmul, .scratch_size = scratch_size},
    [HOIST_FAST_MATMUL -
        FIRST] = {.work = hoist_ark_matmul_work, .fill = matmul_fast, .scratch_size = scratch_size},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_ark_product_group) = {
    FIRST, HOIST_COUNT_OF(group_rows), group_rows};
