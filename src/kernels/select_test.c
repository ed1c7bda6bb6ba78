// Golden embedding and topk, which choose elements, against their definitions.
#include <math.h>

#include "kernels/tiles_testing.h"

static int64_t attr(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

// One row of grid cells of section 5.7.
static void embed_part(const hoist_compute_call *call, uint64_t part, uint64_t index_rows,
                       uint64_t out_rows)
{
    const hoist_tiles *table = &call->inputs[0];
    const hoist_tiles *indices = &call->inputs[1];
    const hoist_tile_shape *out = &call->output.shape;
    for (uint64_t i = 0; i < out_rows * 32; i++) {
        uint32_t index = UINT32_MAX;
        if (i < (uint64_t)attr(call, HOIST_EMBEDDING_INDICES)) {
            const uint64_t tile = part * index_rows * indices->shape.cols + i / 1024;
            index = hoist_f32_to_bits(tiles_tile(indices, tile)[i % 1024]);
        }
        for (uint64_t z = 0; z < out->z; z++) {
            for (uint64_t j = 0; j < out->cols * 32; j++) {
                *tiles_at(&call->output, z, part * out_rows * 32 + i, j) =
                    index == UINT32_MAX ? 0.0F : *tiles_at(table, 0, index, j);
            }
        }
    }
}

// Indices of one slice.
static void embed(const hoist_compute_call *call)
{
    const uint64_t parts = (uint64_t)attr(call, HOIST_EMBEDDING_GRID_ROWS);
    for (uint64_t part = 0; part < parts; part++) {
        embed_part(call, part, call->inputs[1].shape.rows / parts, call->output.shape.rows / parts);
    }
}

// clang-format off
static const struct {
    const char *name;
    int64_t attrs[3];
    hoist_tile_shape table;
    hoist_tile_shape indices;
} embeddings[] = {
    {"one tile",              {32, 1, 1},   {1, 2, 1}, {1, 1, 1}},
    {"rows left over",        {40, 1, 3},   {1, 2, 2}, {1, 1, 1}},
    {"rows of cores",         {40, 2, 4},   {1, 3, 2}, {1, 2, 1}},
    {"more than an index tile", {1050, 1, 33}, {1, 2, 1}, {1, 1, 2}},
    {"tiles in rows",         {2060, 1, 65}, {1, 2, 1}, {1, 2, 2}},
};
// clang-format on

static hoist_compute_call make_embedding(const int64_t attrs[3])
{
    hoist_compute_call call = {.op = HOIST_GOLDEN_EMBEDDING, .input_count = 2};
    for (size_t i = 0; i < 3; i++) {
        call.attrs.value[i].integer = attrs[i];
    }
    return call;
}

HOIST_TEST_TABLE(embeds, embeddings)
{
    uint64_t state = 1;
    hoist_compute_call call = make_embedding(row->attrs);
    call.inputs[0] = tiles_input(t, row->table, TILES_SPECIAL, &state);
    call.inputs[1] = tiles_make(t, row->indices, &state);
    for (uint64_t n = 0; n < tiles_count(&row->indices); n++) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            const uint64_t r = hoist_test_random(&state);
            const uint32_t index = (uint32_t)(r % (row->table.rows * 32));
            tiles_tile(&call.inputs[1], n)[i] =
                hoist_f32_from_bits(r >> 60 == 0 ? UINT32_MAX : index);
        }
    }
    tiles_check(t, &call, embed, 2, &state);
}

// Rows of the second slice of the table follow those of the first; every slice of the output is
// the same.
HOIST_TEST(embeds_from_slices)
{
    uint64_t state = 1;
    static const int64_t attrs[] = {2, 1, 1};
    hoist_compute_call call = make_embedding(attrs);
    call.inputs[0] = tiles_input(t, (hoist_tile_shape){2, 1, 1}, TILES_NORMAL, &state);
    call.inputs[1] = tiles_make(t, (hoist_tile_shape){1, 1, 1}, &state);
    tiles_tile(&call.inputs[1], 0)[0] = hoist_f32_from_bits(33);
    tiles_tile(&call.inputs[1], 0)[1] = hoist_f32_from_bits(31);
    call.output = tiles_make(t, tiles_output_shape(t, &call), &state);
    hoist_compute_fault fault;
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 2, &fault), HOIST_OK);
    for (uint64_t z = 0; z < 2; z++) {
        for (uint64_t j = 0; j < 32; j++) {
            HOIST_EXPECT(t,
                         *tiles_at(&call.output, z, 0, j) == *tiles_at(&call.inputs[0], 1, 1, j));
            HOIST_EXPECT(t,
                         *tiles_at(&call.output, z, 1, j) == *tiles_at(&call.inputs[0], 0, 31, j));
            HOIST_EXPECT(t, *tiles_at(&call.output, z, 2, j) == 0);
        }
    }
}

// clang-format off
static const struct {
    const char *name;
    uint32_t index;
} bad_indices[] = {
    {"first behind the table", 64},
    {"large", 0x7fffffff},
    {"just below the mark of no row", 0xfffffffe},
};
// clang-format on

HOIST_TEST_TABLE(bad_index, bad_indices)
{
    uint64_t state = 1;
    static const int64_t attrs[] = {40, 1, 2};
    hoist_compute_call call = make_embedding(attrs);
    call.inputs[0] = tiles_input(t, (hoist_tile_shape){1, 2, 1}, TILES_NORMAL, &state);
    call.inputs[1] = tiles_make(t, (hoist_tile_shape){1, 1, 1}, &state);
    memset(tiles_tile(&call.inputs[1], 0), 0, HOIST_TILE_FLOATS * sizeof(float));
    tiles_tile(&call.inputs[1], 0)[35] = hoist_f32_from_bits(row->index);
    tiles_tile(&call.inputs[1], 0)[40] = hoist_f32_from_bits(row->index); // not an index any more
    call.output = tiles_make(t, tiles_output_shape(t, &call), &state);
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    hoist_compute_fault fault;
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 1, &fault), HOIST_OK);
    HOIST_EXPECT(t, fault.what == NULL);
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 2, &fault), HOIST_INVALID);
    HOIST_EXPECT(t, fault.what != NULL);
    HOIST_EXPECT_EQ(t, fault.row, 35);
}

// Section 5.10, level by level over a whole row.
typedef struct pair {
    float value;
    float index;
} pair;

static void compare(bool is_max, pair *left, pair *right, bool unconditional)
{
    const float l = left->value;
    const float r = right->value;
    bool swap =
        is_max ? r > l || (r < 0 && l < 0 && r == l) : r < l || (r >= 0 && l >= 0 && r == l);
    if (unconditional) {
        swap = !swap;
    }
    if (swap) {
        const pair p = *left;
        *left = *right;
        *right = p;
    }
}

// Steps log2(size)..1 over `size` elements.
static void steps(pair *p, size_t size, bool is_max, bool unconditional)
{
    for (size_t d = size / 2; d > 0; d /= 2) {
        for (size_t i = 0; i < size / (2 * d); i++) {
            for (size_t j = 0; j < d; j++) {
                compare(is_max, &p[i * 2 * d + j], &p[i * 2 * d + j + d], unconditional);
            }
        }
    }
}

static void sort_row(pair *p, size_t n, size_t k, bool kreduce)
{
    for (size_t phase = 0; !kreduce && (size_t)1 << phase < k; phase++) {
        const size_t size = (size_t)2 << phase;
        for (size_t s = 0; s < n / size; s++) {
            const bool inverted = k >= 64 && phase >= 3 && phase < 5 && s * size % 128 >= 64;
            steps(p + s * size, size, s % 2 == 0, inverted);
        }
    }
    for (size_t s = 0; kreduce && k > 16 && s < n / k; s++) {
        steps(p + s * k, k, s % 2 == 0, false);
    }
    size_t sequences = n / k;
    for (size_t m = 0; (size_t)2 << m <= n / k; m++) {
        const size_t stride = ((size_t)2 << m) * k;
        sequences /= 2;
        for (size_t i = 0; i < sequences; i++) {
            for (size_t j = 0; j < k; j++) {
                compare(true, &p[i * stride + j], &p[i * stride + j + stride / 2], false);
            }
        }
        for (size_t i = 0; i < sequences; i++) {
            steps(p + i * stride, k, i % 2 == 0, false);
        }
    }
}

enum { MAX_COLUMNS = 64 * 32 };

static void topk_row(const hoist_compute_call *call, uint64_t z, uint64_t i, uint64_t core)
{
    const uint64_t grid = (uint64_t)attr(call, HOIST_TOPK_GRID_COLS);
    const size_t n = (size_t)(call->inputs[0].shape.cols / grid * 32);
    const size_t k = (size_t)attr(call, HOIST_TOPK_K);
    const uint64_t out_cols = call->output.shape.cols / grid * 32;
    static pair p[MAX_COLUMNS];
    for (size_t j = 0; j < n; j++) {
        p[j].value = *tiles_at(&call->inputs[0], z, i, core * n + j);
        p[j].index = *tiles_at(&call->inputs[1], z, i, core * n + j);
    }
    sort_row(p, n, k, attr(call, HOIST_TOPK_KREDUCE) != 0);
    for (size_t j = 0; j < out_cols; j++) {
        const float chosen = attr(call, HOIST_TOPK_ARGMAX) ? p[j].index : p[j].value;
        *tiles_at(&call->output, z, i, core * out_cols + j) = j < k ? chosen : 0.0F;
    }
}

static void topk(const hoist_compute_call *call)
{
    const hoist_tile_shape *in = &call->inputs[0].shape;
    for (uint64_t z = 0; z < in->z; z++) {
        for (uint64_t i = 0; i < in->rows * 32; i++) {
            for (uint64_t core = 0; core < (uint64_t)attr(call, HOIST_TOPK_GRID_COLS); core++) {
                topk_row(call, z, i, core);
            }
        }
    }
}

// clang-format off
static const struct {
    const char *name;
    int64_t attrs[4]; // k, argmax, kreduce, grid columns
    hoist_tile_shape in;
} sorts[] = {
    {"k 1",                    {1, 0, 0, 1},  {1, 1, 2}},
    {"k 4, argmax",            {4, 1, 0, 1},  {1, 1, 4}},
    {"k 8",                    {8, 0, 0, 1},  {2, 2, 2}},
    {"k 32, argmax",           {32, 1, 0, 1}, {1, 1, 4}},
    {"k of the whole row",     {32, 0, 0, 1}, {1, 1, 1}},
    {"k 64",                   {64, 0, 0, 1}, {1, 1, 8}},
    {"k 64, argmax",           {64, 1, 0, 1}, {1, 1, 4}},
    {"k 64, columns of cores", {64, 0, 0, 3}, {1, 2, 12}},
    {"k 64, half a sequence",  {64, 0, 0, 1}, {1, 1, 3}},
    {"three sequences",        {32, 0, 0, 1}, {1, 1, 3}},
    {"six sequences",          {32, 1, 0, 1}, {1, 1, 6}},
    {"k 4, 512 sequences",     {4, 0, 0, 1},  {1, 1, 64}},
    {"kreduce, k 8",           {8, 0, 1, 1},  {1, 1, 4}},
    {"kreduce, k 16",          {16, 1, 1, 2}, {1, 1, 4}},
    {"kreduce, k 32",          {32, 0, 1, 1}, {1, 1, 4}},
    {"kreduce, k 64, argmax",  {64, 1, 1, 1}, {1, 1, 8}},
};
// clang-format on

static hoist_compute_call make_topk(const int64_t attrs[4])
{
    hoist_compute_call call = {.op = HOIST_GOLDEN_TOPK, .input_count = 2};
    for (size_t i = 0; i < 4; i++) {
        call.attrs.value[i].integer = attrs[i];
    }
    return call;
}

HOIST_TEST_TABLE(sorts_like_the_reference, sorts)
{
    uint64_t state = 1;
    for (tiles_draw how = 0; how < TILES_DRAW_COUNT; how++) {
        hoist_compute_call call = make_topk(row->attrs);
        call.inputs[0] = tiles_input(t, row->in, how, &state);
        call.inputs[1] = tiles_make(t, row->in, &state);
        for (uint64_t n = 0; n < tiles_count(&row->in); n++) {
            for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
                tiles_tile(&call.inputs[1], n)[i] = (float)(n * 32 + i % 32);
            }
        }
        tiles_check(t, &call, topk, 2, &state);
    }
}

// clang-format off
static const struct {
    const char *name;
    float index;
    float expected;
} wholes[] = {
    {"fraction",          2.75F,       2.0F},
    {"negative fraction", -2.75F,      -2.0F},
    {"negative zero",     -0.0F,       0.0F},
    {"largest",           2147483520.0F, 2147483520.0F},
    {"too large",         0x1p31F,     -0x1p31F},
    {"NaN",               NAN,         -0x1p31F},
    {"minus infinity",    -INFINITY,   -0x1p31F},
};
// clang-format on

// Indices pass through a 32-bit integer.
HOIST_TEST_TABLE(indices_are_integers, wholes)
{
    uint64_t state = 1;
    static const int64_t attrs[] = {1, 1, 0, 1};
    hoist_compute_call call = make_topk(attrs);
    const hoist_tile_shape one = {1, 1, 1};
    call.inputs[0] = tiles_make(t, one, &state);
    call.inputs[1] = tiles_make(t, one, &state);
    call.output = tiles_make(t, one, &state);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tiles_tile(&call.inputs[0], 0)[i] = (float)(i % 32);
        tiles_tile(&call.inputs[1], 0)[i] = row->index;
    }
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    hoist_compute_fault fault;
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 1, &fault), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tiles_tile(&call.output, 0)[0]),
                    hoist_f32_to_bits(row->expected));
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tiles_tile(&call.output, 0)[1]), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(embeds), HOIST_TEST_ROW(embeds_from_slices),
                HOIST_TEST_ROW(bad_index), HOIST_TEST_ROW(sorts_like_the_reference),
                HOIST_TEST_ROW(indices_are_integers))
