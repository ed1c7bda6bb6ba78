// Pools of averages whose strides are what the tiles begin with: windows that touch, overlap or
// leave pixels out, and copies that say something else.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ZERO = 7, PLACE = 0x1f80, FLAG = 0x4000, TILES = DWN_GRID * DWN_GRID };

#define TILES_OF_POOL "the tiles do not show where the windows of the pool lie"
#define LESS "the tiles of the layer make less than its output"

// Rows, and as many columns, of an image on rows of tiles, and of what a pool makes of it.
typedef struct image {
    uint32_t input[DWN_GRID], output[DWN_GRID];
    uint32_t window;
    uint32_t shifted, by; // 1 + the tile that copies from elsewhere, and how much
    uint32_t to;          // where it is copied; 0: where the pool reads
    bool is_later;        // after the pool
} image;

// clang-format off
static const struct {
    const char *name;
    image i;
    uint32_t stride; // 0: it is not proven
    const char *gap;
} pools[] = {
    {"windows that touch",       {{2, 2, 2, 2}, {1, 1, 1, 1}, 2, 0, 0, 0, false}, 2, NULL},
    {"several on a tile",        {{4, 4, 4, 4}, {2, 2, 2, 2}, 2, 0, 0, 0, false}, 2, NULL},
    {"windows that overlap",     {{1, 1, 1, 2}, {1, 1, 1, 0}, 3, 0, 0, 0, false}, 1, NULL},
    {"pixels between windows",   {{3, 3, 2, 0}, {1, 1, 1, 0}, 2, 0, 0, 0, false}, 3, NULL},
    {"one window of all pixels", {{2, 2, 2, 2}, {1, 0, 0, 0}, 8, 0, 0, 0, false}, 8, NULL},
    {"pixels after the last",    {{2, 2, 3, 0}, {1, 1, 1, 0}, 2, 0, 0, 0, false}, 2, NULL},
    {"an image that is larger",  {{2, 2, 4, 0}, {1, 1, 1, 0}, 2, 0, 0, 0, false}, 0, LESS},
    {"a tile begins later",      {{2, 2, 2, 2}, {1, 1, 1, 1}, 2, 6, 1, 0, false}, 0, TILES_OF_POOL},
    {"all begin later",          {{2, 2, 2, 2}, {1, 1, 1, 1}, 2, 1, 1, 0, false}, 0, TILES_OF_POOL},
    {"a word of nothing",        {{2, 2, 2, 2}, {1, 1, 1, 1}, 2, 16, 4, 0, false}, 0, TILES_OF_POOL},
    {"copied to elsewhere",      {{2, 2, 2, 2}, {1, 1, 1, 1}, 2, 0, 0, PLACE + 1, false}, 0, TILES_OF_POOL},
    {"copied afterwards",        {{2, 2, 2, 2}, {1, 1, 1, 1}, 2, 0, 0, 0, true}, 0, TILES_OF_POOL},
    {"one window in a corner",   {{2, 2, 2, 2}, {1, 0, 0, 0}, 7, 0, 0, 0, false}, 7, NULL},
    {"one window after a corner", {{2, 2, 2, 2}, {1, 0, 0, 0}, 7, 1, 1, 0, false}, 0, TILES_OF_POOL},
};
// clang-format on

static uint32_t sum(const uint32_t rows[DWN_GRID])
{
    return rows[0] + rows[1] + rows[2] + rows[3];
}

// An operation on one tile, with its rows and columns of what it writes.
static void make_part(dwn_maker *m, const dwn_sketch *sketch, const uint32_t rows[DWN_GRID],
                      uint32_t tile)
{
    const uint32_t h = rows[tile / DWN_GRID];
    const uint32_t w = rows[tile % DWN_GRID];
    dwn_sketch part = *sketch;
    part.tiles = (uint16_t)(1u << tile);
    part.rest = h * w;
    part.b[0][0] = w;
    part.b[0][1] = 1;
    part.b[1][0] = h;
    part.b[1][1] = w;
    part.a[part.a[0][0] > 0 ? 2 : 0][0] = h * w; // after the window
    if (h * w > 0) {
        dwn_make_operation(m, &part);
    }
}

static void make_copies(dwn_maker *m, const image *i, uint32_t from)
{
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const uint32_t by = i->shifted == tile + 1 ? i->by : 0;
        dwn_make_copy(m, (uint16_t)(1u << tile), from + by, i->to ? i->to : PLACE);
    }
}

static void make_pool(dwn_maker *m, const image *i, uint32_t from, int32_t to)
{
    const dwn_sketch pool = {.mode = 0x1870,
                             .code = 0x938,
                             .multiplier = 1.0f / (float)(i->window * i->window),
                             .high = 248,
                             .low = -7,
                             .weight_zero = ZERO,
                             .output_zero = ZERO,
                             .reduction = i->window * i->window,
                             .c_base = FLAG + PLACE,
                             .b_base = to,
                             .a = {{i->window, 0}, {i->window, 0}}};
    if (!i->is_later) {
        make_copies(m, i, from);
    }
    for (uint32_t tile = 0; tile < TILES; tile++) {
        make_part(m, &pool, i->output, tile);
    }
    if (i->is_later) {
        make_copies(m, i, from);
    }
}

static void make_layout(dwn_maker *m, const image *i)
{
    const dwn_sketch layout = {
        .mode = 0x1c30, .code = 0x38, .multiplier = 1, .high = INFINITY, .low = -INFINITY};
    for (uint32_t tile = 0; tile < TILES; tile++) {
        make_part(m, &layout, i->input, tile);
    }
}

static void recover(hoist_test *t, dwn_maker *m, const image *i, dwn_recovery *out)
{
    dwn_model *model = hoist_arena_alloc(&t->arena, sizeof(*model));
    const uint32_t input = sum(i->input);
    const uint32_t output = sum(i->output);
    dwn_test_border(&model->input, &model->numerics[0], (dwn_extent){input, input, 4}, ZERO);
    dwn_test_border(&model->output, &model->numerics[1], (dwn_extent){output, output, 4}, ZERO);
    dwn_test_model(t, model, dwn_make_end(m, false), (hoist_bytes){NULL, 0});
    HOIST_EXPECT_EQ(t, dwn_recover(&model->contents, &t->arena, out), HOIST_OK);
}

static bool has_gap(const dwn_recovery *r, const char *reason)
{
    bool is_there = false;
    for (uint32_t k = 0; k < r->gap_count; k++) {
        is_there = is_there || strcmp(r->gaps[k].reason, reason) == 0;
    }
    return is_there;
}

HOIST_TEST_TABLE(strides_of_pools, pools)
{
    dwn_maker m = {.next_id = 0};
    dwn_recovery r;
    dwn_make_begin(&m);
    make_layout(&m, &row->i);
    make_pool(&m, &row->i, 0, 500);
    recover(t, &m, &row->i, &r);
    HOIST_EXPECT_EQ(t, r.gap_count == 0, row->gap == NULL);
    HOIST_EXPECT(t, !row->gap || has_gap(&r, row->gap));
    if (row->stride && r.count == 1) {
        HOIST_EXPECT_EQ(t, r.layers[0].kind, DWN_KIND_AVERAGE_POOL);
        HOIST_EXPECT_EQ(t, r.layers[0].output.h, sum(row->i.output));
        HOIST_EXPECT_EQ(t, r.layers[0].output.w, sum(row->i.output));
        for (size_t axis = 0; axis < 2; axis++) {
            HOIST_EXPECT_EQ(t, r.layers[0].kernel[axis], row->i.window);
            HOIST_EXPECT_EQ(t, r.layers[0].stride[axis], row->stride);
        }
    }
    HOIST_EXPECT_EQ(t, r.count, 1);
}

// A second pool reads what its tiles copy: of the first it is known, of the input it is not, as no
// layer made that.
HOIST_TEST(pools_of_one_value)
{
    const image i = {{1, 1, 1, 1}, {1, 1, 0, 0}, 2, 0, 0, 0, false};
    const uint32_t froms[] = {0, 500};
    for (uint32_t k = 0; k < 2; k++) {
        dwn_maker m = {.next_id = 0};
        dwn_recovery r;
        dwn_make_begin(&m);
        make_layout(&m, &i);
        make_pool(&m, &i, 0, 500);
        make_pool(&m, &i, froms[k], 600);
        recover(t, &m, &i, &r);
        HOIST_EXPECT_EQ(t, r.count, 2);
        HOIST_EXPECT_EQ(t, r.layers[1].inputs[0], 0);
        HOIST_EXPECT_EQ(t, has_gap(&r, "the values that the layer reads are unknown"), k == 0);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(strides_of_pools), HOIST_TEST_ROW(pools_of_one_value))
