// Extents that are not those of the input over the strides: windows inside an image, padding of its
// own around it, and the same of layers that are cut into strips, up to a seam.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { WINDOW_BLOCK = 192, POINT_BLOCK = 64, BIG_BLOCK = 448, STEPS = 32, GRID = 4 };
enum { AT_MOVED = 1000, AT_FIRST = 5000, AT_SECOND = 9000, AT_SEAM = 13000 };

// One step of a program: an operation, whose parameters begin at a byte, or a store.
typedef struct step {
    dwn_sketch sketch;
    dwn_stored stored;
    uint32_t supply;
    bool is_store, has_supply;
} step;

typedef struct program {
    step steps[STEPS];
    size_t count;
    dwn_extent input, output;
    uint8_t output_zero;
    uint32_t blob; // bytes of parameters
} program;

static step *add(program *p)
{
    return &p->steps[p->count++];
}

static void add_operation(program *p, dwn_sketch sketch, uint32_t supply)
{
    *add(p) = (step){.sketch = sketch, .supply = supply, .has_supply = true};
}

// Rows of the image that each row of tiles has, moved to where the loops over windows expect it:
// `shift` words later on each.
static void add_moves(program *p, bool is_layout, uint32_t rows, int64_t pitch, int32_t shift)
{
    for (int32_t i = 0; i < GRID; i++) {
        const dwn_sketch move = {.tiles = (uint16_t)(0xf << i * GRID),
                                 .mode = is_layout ? 0x1c30 : 0x30,
                                 .code = is_layout ? 0x38 : 0,
                                 .multiplier = 1,
                                 .high = INFINITY,
                                 .rest = rows * 2,
                                 .a = {{rows * 2, 0}},
                                 .b_base = AT_MOVED + i * shift,
                                 .b = {{1, 1}, {2, 1}, {rows, pitch}}};
        *add(p) = (step){.sketch = move};
    }
}

static void add_store(program *p, uint32_t value)
{
    *add(p) = (step){.stored = {.tiles = 0xf000, .value = value, .base = 100}, .is_store = true};
}

static void run(hoist_test *t, const program *p, dwn_recovery *out)
{
    dwn_maker main = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model *model = hoist_arena_array(&t->arena, 1, sizeof(*model));
    uint8_t *blob = hoist_arena_array(&t->arena, p->blob, 1);
    for (size_t i = 0; i < p->blob; i++) {
        blob[i] = (uint8_t)(i % 5 + 20);
    }
    uint32_t runs_end = 0; // bytes that the caching program has put into tile 15
    dwn_make_begin(&main);
    dwn_make_begin(&runs);
    for (size_t i = 0; i < p->count; i++) {
        const step *s = &p->steps[i];
        if (s->is_store) {
            dwn_make_fill(&main, &s->stored);
            continue;
        }
        dwn_make_operation(&main, &s->sketch);
        if (s->has_supply) {
            dwn_make_supply(&main, false, s->supply);
        }
        if (s->has_supply && s->supply >= runs_end) {
            dwn_make_run(&runs, s->supply);
            runs_end = s->supply + 1;
        }
    }
    dwn_test_border(&model->input, &model->numerics[0], p->input, 0);
    dwn_test_border(&model->output, &model->numerics[1], p->output, p->output_zero);
    dwn_test_model(t, model, dwn_make_end(&main, false), (hoist_bytes){blob, p->blob});
    dwn_test_runs(t, model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model->contents, &t->arena, out), HOIST_OK);
}

static bool has_gap(const dwn_recovery *r, const char *reason)
{
    for (uint32_t i = 0; i < r->gap_count; i++) {
        if (strcmp(r->gaps[i].reason, reason) == 0) {
            return true;
        }
    }
    return false;
}

// The gap, or that there is none, and the extents of a layer's output.
static void expect(hoist_test *t, const program *p, const char *reason, uint32_t rows,
                   uint32_t columns)
{
    dwn_recovery r;
    run(t, p, &r);
    if (reason) {
        HOIST_EXPECT(t, has_gap(&r, reason));
        return;
    }
    HOIST_EXPECT_STR(t, hoist_str_from(r.gap_count == 0 ? "" : r.gaps[0].reason), "");
    HOIST_EXPECT_EQ(t, r.layers[0].output.h, rows);
    HOIST_EXPECT_EQ(t, r.layers[0].output.w, columns);
}

// One piece ---------------------------------------------------------------------------------------

// 64 x 64 pixels, and all windows of 5 x 5 that lie in them: 60 x 60, 15 x 15 on each tile.
static program windows_inside(void)
{
    enum { PITCH = 19 };
    program p = {.input = {64, 64, 4}, .output = {60, 60, 4}, .output_zero = 5, .blob = BIG_BLOCK};
    add_moves(&p, true, 16, PITCH, PITCH);
    add_operation(&p,
                  (dwn_sketch){.tiles = 0xffff,
                               .reduction = 25,
                               .rest = 225,
                               .weight_zero = 7,
                               .output_zero = 5,
                               .a_base = AT_MOVED,
                               .b_base = AT_FIRST,
                               .a = {{5, 1}, {5, PITCH}, {15, 1}, {15, PITCH}}},
                  0);
    return p;
}

// 66 x 66 pixels with two rows and columns of padding on all sides: 68 x 68 of 3 x 3.
static program windows_beyond(uint32_t around)
{
    enum { PITCH = 19 };
    program p = {.input = {66, 66, 4},
                 .output = {68, 68, 4},
                 .output_zero = 6,
                 .blob = WINDOW_BLOCK + POINT_BLOCK};
    for (int32_t i = 0; i < GRID; i++) {
        add_moves(&p, true, i == 0 || i == 3 ? 16 : 17, PITCH, i == 0 ? 0 : -PITCH);
        p.count -= GRID;
        p.steps[p.count + (size_t)i].sketch.tiles = (uint16_t)(0xf << i * GRID);
    }
    p.count += GRID;
    // Before tile i there are 17 i - 1 rows of the image but for the first, and 17 i of the output.
    const uint32_t rows[GRID] = {15, 17, 17, 17};
    for (size_t i = 0; i < GRID; i++) {
        dwn_sketch *move = &p.steps[i].sketch;
        move->rest = rows[i] * 2;
        move->a[0][0] = rows[i] * 2;
        move->b[2][0] = rows[i];
        move->b_base = i == 0 ? AT_MOVED + 2 * PITCH + 2 : AT_MOVED + 2;
    }
    add_store(&p, around);
    add_operation(&p,
                  (dwn_sketch){.tiles = 0xffff,
                               .reduction = 9,
                               .rest = 289,
                               .weight_zero = 7,
                               .output_zero = 5,
                               .a_base = AT_MOVED,
                               .b_base = AT_FIRST,
                               .a = {{3, 1}, {3, PITCH}, {17, 1}, {17, PITCH}}},
                  0);
    add_operation(&p,
                  (dwn_sketch){.tiles = 0xffff,
                               .rest = 289,
                               .weight_zero = 7,
                               .input_zero = 5,
                               .output_zero = 6,
                               .a_base = AT_FIRST,
                               .b_base = AT_SECOND,
                               .a = {{289, 1}}},
                  WINDOW_BLOCK);
    return p;
}

HOIST_TEST(windows_inside_an_image)
{
    program p = windows_inside();
    expect(t, &p, NULL, 60, 60);
    p.output = (dwn_extent){64, 64, 4};
    expect(t, &p, "no layer was found that makes the output", 0, 0);
    p = windows_inside();
    p.steps[GRID].sketch.a_base = AT_MOVED - 1; // there is padding on the left
    expect(t, &p, "no value fits as the input of the layer", 0, 0);
    p = windows_inside();
    p.steps[1].sketch.b_base++; // a tile has its pixels elsewhere
    p.steps[2].sketch.b_base++;
    expect(t, &p, "no two readings of the instructions give the same padding", 0, 0);
}

HOIST_TEST(windows_beyond_an_image)
{
    program p = windows_beyond(0);
    expect(t, &p, NULL, 68, 68);
    p = windows_beyond(0x01010101);
    expect(t, &p, "the number that the tiles store around the input is unknown", 0, 0);
    p = windows_beyond(0);
    p.count--; // no layer reads it
    p.blob = WINDOW_BLOCK;
    expect(t, &p, "no layer that reads the output determines how far its padding goes", 0, 0);
}

// Rows at the end of an input that are moved on their own.
HOIST_TEST(an_image_in_two_moves)
{
    program p = windows_inside();
    memmove(&p.steps[(size_t)2 * GRID], &p.steps[GRID], sizeof(p.steps[0]));
    for (size_t i = 0; i < GRID; i++) {
        dwn_sketch *move = &p.steps[i].sketch;
        dwn_sketch *rest = &p.steps[GRID + i].sketch;
        *rest = *move;
        move->b[2][0] = 15;
        rest->b[2][0] = 1;
        rest->b_base += 15 * 19;
    }
    p.count += GRID;
    expect(t, &p, NULL, 60, 60);
    p.steps[GRID + 1].sketch.b_base++; // they do not go on with the others
    expect(t, &p, "no two readings of the instructions give the same padding", 0, 0);
}

// The same windows over what another layer made, each row of tiles from a row further up, and each
// column of what it wrote one further to the right.
static program windows_inside_a_value(void)
{
    enum { PITCH = 20, FIRST_PITCH = 18 };
    program p = {.input = {64, 64, 4},
                 .output = {60, 60, 4},
                 .output_zero = 6,
                 .blob = WINDOW_BLOCK + BIG_BLOCK};
    add_moves(&p, true, 16, FIRST_PITCH, 0);
    for (int32_t i = 0; i < GRID; i++) {
        add_operation(&p,
                      (dwn_sketch){.tiles = (uint16_t)(0x1111 << i),
                                   .reduction = 9,
                                   .rest = 256,
                                   .weight_zero = 7,
                                   .output_zero = 5,
                                   .a_base = AT_MOVED - FIRST_PITCH - 1,
                                   .b_base = AT_FIRST + i,
                                   .a = {{3, 1}, {3, FIRST_PITCH}, {16, 1}, {16, FIRST_PITCH}},
                                   .b = {{16, 1}, {16, PITCH}}},
                      0);
    }
    for (int32_t i = 0; i < GRID; i++) {
        add_operation(&p,
                      (dwn_sketch){.tiles = (uint16_t)(0xf << i * GRID),
                                   .reduction = 25,
                                   .rest = 225,
                                   .weight_zero = 7,
                                   .input_zero = 5,
                                   .output_zero = 6,
                                   .a_base = AT_FIRST - i * PITCH,
                                   .b_base = AT_SECOND,
                                   .a = {{5, 1}, {5, PITCH}, {15, 1}, {15, PITCH}}},
                      WINDOW_BLOCK);
    }
    return p;
}

HOIST_TEST(windows_inside_what_was_made)
{
    program p = windows_inside_a_value();
    expect(t, &p, NULL, 64, 64);
    p.steps[p.count - 2].sketch.a_base++;
    expect(t, &p, "the words that the tiles read are not those of the layer's windows", 0, 0);
}

// Strips ------------------------------------------------------------------------------------------

// 60 x 60 pixels with a row and a column of padding at the end, SAME windows of 3 x 3 with a stride
// of 2, twice: 31 x 31 and 16 x 16. Two strips of 8 columns each, for which the first layer makes
// 16 columns, one of them twice.
typedef struct strips {
    uint32_t columns;  // of the last strip of the first layer, on each tile
    int32_t second_at; // what the second layer reads
    uint32_t seam;     // rows and columns on each tile behind the seam
    uint32_t around;
    uint32_t image; // height and width
} strips;

static const strips sound = {4, AT_FIRST - 11, 4, 0, 60};

static void add_strip(program *p, const strips *s, bool is_first)
{
    const int64_t pitch = 12;
    const int64_t second_pitch = 10;
    const uint32_t columns = is_first ? 4 : s->columns;
    const int32_t left = is_first ? 1 : 0;
    add_moves(p, is_first, 15, pitch, -(int32_t)pitch);
    for (size_t i = 0; i < GRID; i++) {
        p->steps[p->count - 1 - i].sketch.b_base += (int32_t)pitch + left;
    }
    add_store(p, s->around);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t rows = i == 0 ? 8 : 7;
        add_operation(p,
                      (dwn_sketch){.tiles = i == 0 ? 0x0fff : 0xf000,
                                   .reduction = 9,
                                   .rest = columns * rows,
                                   .weight_zero = 7,
                                   .output_zero = 5,
                                   .a_base = AT_MOVED,
                                   .b_base = AT_FIRST,
                                   .a = {{3, 1}, {3, pitch}, {columns, 2}, {rows, 2 * pitch}}},
                      0);
    }
    add_operation(p,
                  (dwn_sketch){.tiles = 0xffff,
                               .reduction = 9,
                               .rest = 8,
                               .weight_zero = 7,
                               .input_zero = 5,
                               .output_zero = 6,
                               .a_base = is_first ? s->second_at : AT_FIRST,
                               .b_base = AT_SECOND,
                               .a = {{3, 1}, {3, second_pitch}, {2, 2}, {4, 2 * second_pitch}}},
                  WINDOW_BLOCK);
}

static program cut(const strips *s)
{
    const uint32_t pixels = s->seam * s->seam;
    program p = {.input = {s->image, s->image, 4},
                 .output = {16, 16, 4},
                 .output_zero = 8,
                 .blob = 2 * WINDOW_BLOCK + POINT_BLOCK};
    add_strip(&p, s, true);
    add_strip(&p, s, false);
    add_operation(&p,
                  (dwn_sketch){.tiles = 0xffff,
                               .rest = pixels,
                               .weight_zero = 7,
                               .input_zero = 6,
                               .output_zero = 8,
                               .a_base = AT_SECOND,
                               .b_base = AT_SEAM,
                               .a = {{pixels, 1}}},
                  2 * WINDOW_BLOCK);
    return p;
}

HOIST_TEST(strips_with_padding_of_their_own)
{
    dwn_recovery r;
    const program p = cut(&sound);
    expect(t, &p, NULL, 31, 31);
    run(t, &p, &r);
    HOIST_EXPECT_EQ(t, r.count, 3);
    HOIST_EXPECT_EQ(t, r.layers[0].padding[0], 1);
    HOIST_EXPECT_EQ(t, dwn_padding_after(&r.layers[0]).read[0], 2);
    HOIST_EXPECT_EQ(t, r.layers[1].input.w, 31);
    HOIST_EXPECT_EQ(t, r.layers[1].output.w, 16);
    HOIST_EXPECT_EQ(t, r.layers[2].input.w, 16);
}

// An image that makes the extents by itself.
HOIST_TEST(strips_without)
{
    strips s = sound;
    s.image = 61;
    const program p = cut(&s);
    expect(t, &p, NULL, 31, 31);
}

static const struct {
    const char *name;
    strips strips;
    const char *reason;
} wrong[] = {
    // clang-format off
    {"a column is missing",  {3, AT_FIRST - 11, 4, 0, 60},           "strips overlap, and no layer that reads them determines by how much"},
    {"padding on one side",  {4, AT_FIRST - 1, 4, 0, 60},            "the tiles of the layer make more than its output"},
    {"no padding is read",   {4, AT_FIRST + 1, 4, 0, 60},            "the tiles of the layer make more than its output"},
    {"another number",       {4, AT_FIRST - 11, 4, 0x05050505, 60},  "the number that the tiles store around the input is unknown"},
    {"a much smaller image", {4, AT_FIRST - 11, 4, 0, 56},           "the tiles of the layer make more than its output"},
    {"more behind the seam", {4, AT_FIRST - 11, 5, 0, 60},           "no value fits as the input of the layer"},
    // clang-format on
};

HOIST_TEST_TABLE(strips_that_do_not_agree, wrong)
{
    const program p = cut(&row->strips);
    expect(t, &p, row->reason, 0, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(windows_inside_an_image), HOIST_TEST_ROW(windows_beyond_an_image),
                HOIST_TEST_ROW(an_image_in_two_moves), HOIST_TEST_ROW(windows_inside_what_was_made),
                HOIST_TEST_ROW(strips_with_padding_of_their_own), HOIST_TEST_ROW(strips_without),
                HOIST_TEST_ROW(strips_that_do_not_agree))
