// The fast kernels against the slow definitions, at every CPU level that this machine has.
#include <string.h>

#include "kernels/compute.h"
#include "kernels/pack_testing.h"
#include "tensor/float_bits.h"
#include "testing/test.h"

// Bit patterns around every edge of the rules.
static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x3f000000, 0xbf000000,
    0x3effffff, 0x3f000001, 0x3f800000, 0x3f7fffff, 0x3fffffff, 0x37ffffff, 0x38000000, 0x387fffff,
    0x38800000, 0x47ffffff, 0x48000000, 0xc7ffffff, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0x7f800001, 0xffffffff, 0x42fe0000, 0x42fdffff, 0x42ff0000, 0xc3000000, 0x4effffff, 0x4f000000,
    0xcf000000, 0x4f800000, 0x40490fdb, 0x33800000, 0x33000000, 0x20000000,
};

// How the values of a tensor are drawn.
typedef enum draw {
    DRAW_BITS,   // any pattern
    DRAW_EDGES,  // of the list above
    DRAW_NORMAL, // -2..2
    DRAW_NARROW, // nearly one exponent: what blocks round best
    DRAW_TINY,   // denormals and zeros
    DRAW_COUNT,
} draw;

static uint32_t draw_bits(draw how, uint64_t *state)
{
    const uint64_t r = hoist_test_random(state);
    const uint32_t u = (uint32_t)(r >> 32);
    switch (how) {
    case DRAW_EDGES:
        return edges[u % HOIST_COUNT_OF(edges)];
    case DRAW_NORMAL:
        return hoist_f32_to_bits((float)(int32_t)u * 0x1p-30f);
    case DRAW_NARROW:
        return (u & 0x807fffff) | (0x3f000000 + ((uint32_t)r % 9 << 23));
    case DRAW_TINY:
        return u % 3 ? u & 0x80ffffff : u & 0x80000000;
    default:
        return u;
    }
}

static void fill(float *tensor, size_t count, draw how, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        tensor[i] = hoist_f32_from_bits(draw_bits(how, state));
    }
}

static hoist_mut_bytes *make_buffers(hoist_test *t, const hoist_queue_size *size)
{
    hoist_mut_bytes *buffers = hoist_arena_array(&t->arena, size->tiling.buffers, sizeof *buffers);
    for (size_t i = 0; i < size->tiling.buffers; i++) {
        buffers[i] =
            (hoist_mut_bytes){hoist_arena_alloc(&t->arena, size->buffer_bytes), size->buffer_bytes};
        memset(buffers[i].data, 0xa5, buffers[i].size); // padding must be written, too
    }
    return buffers;
}

static size_t count_differences(const hoist_queue_size *size, const hoist_mut_bytes *a,
                                const hoist_mut_bytes *b)
{
    size_t differing = 0;
    for (size_t i = 0; i < size->tiling.buffers; i++) {
        differing += memcmp(a[i].data, b[i].data, size->buffer_bytes) != 0;
    }
    return differing;
}

// Unpacks `buffers` both ways, whatever they hold.
static void check_unpack(hoist_test *t, const hoist_pack_kernels *kernels,
                         const hoist_queue_layout *layout, const hoist_mut_bytes *buffers)
{
    hoist_queue_size size;
    HOIST_EXPECT_EQ(t, hoist_queue_measure(layout, &size), HOIST_OK);
    const size_t bytes = size.tiling.elements * sizeof(float);
    float *slow = hoist_arena_alloc(&t->arena, bytes);
    float *fast = hoist_arena_alloc(&t->arena, bytes);
    const size_t count = size.tiling.buffers;
    HOIST_EXPECT_EQ(t, hoist_queue_unpack(layout, buffers, count, slow), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_unpack_queue(kernels, layout, buffers, count, fast), HOIST_OK);
    HOIST_EXPECT(t, memcmp(slow, fast, bytes) == 0);
}

// Quantises a copy of `tensor` at once, and tile by tile to tiles of their own.
static void check_quantize(hoist_test *t, const hoist_pack_kernels *kernels,
                           const hoist_queue_layout *layout, const float *tensor)
{
    enum { STRIDE = 33 }; // a float more than a row has
    hoist_queue_size size;
    HOIST_EXPECT_EQ(t, hoist_queue_measure(layout, &size), HOIST_OK);
    const size_t bytes = size.tiling.elements * sizeof(float);
    float *slow = hoist_arena_alloc(&t->arena, bytes);
    memcpy(slow, tensor, bytes);
    HOIST_EXPECT_EQ(t, hoist_queue_quantize(layout, slow), HOIST_OK);
    const size_t cols = size.tiling.cols;
    size_t differing = 0;
    for (size_t k = 0; k < size.tiling.buffers * size.tiling.buffer_tiles; k++) {
        const hoist_tile_slot slot = {k / size.tiling.buffer_tiles, k % size.tiling.buffer_tiles};
        const size_t origin = hoist_tiling_origin(&layout->tiling, &size.tiling, slot);
        float tile[HOIST_TILE_DIM * STRIDE];
        memset(tile, 0xa5, sizeof tile);
        hoist_quantize_tile(kernels, layout, (hoist_tile_rows){tensor + origin, cols}, tile,
                            STRIDE);
        for (size_t y = 0; y < layout->tiling.tile_height; y++) {
            const float *row = tile + y * STRIDE;
            differing += memcmp(row, slow + origin + y * cols,
                                layout->tiling.tile_width * sizeof(float)) != 0;
            differing += hoist_f32_to_bits(row[layout->tiling.tile_width]) != 0xa5a5a5a5;
        }
    }
    HOIST_EXPECT_EQ(t, differing, 0);
}

static void check_layout(hoist_test *t, const hoist_pack_kernels *kernels,
                         const hoist_queue_layout *layout, draw how, uint64_t *state)
{
    hoist_queue_size size;
    HOIST_EXPECT_EQ(t, hoist_queue_measure(layout, &size), HOIST_OK);
    float *tensor = hoist_arena_array(&t->arena, size.tiling.elements, sizeof *tensor);
    fill(tensor, size.tiling.elements, how, state);
    hoist_mut_bytes *slow = make_buffers(t, &size);
    hoist_mut_bytes *fast = make_buffers(t, &size);
    const size_t count = size.tiling.buffers;
    HOIST_EXPECT_EQ(t, hoist_queue_pack(layout, tensor, slow, count), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_pack_queue(kernels, layout, tensor, fast, count), HOIST_OK);
    HOIST_EXPECT_EQ(t, count_differences(&size, slow, fast), 0);
    check_unpack(t, kernels, layout, slow);
    if (!layout->flat) {
        check_quantize(t, kernels, layout, tensor);
    }
    // Foreign bytes: every exponent and datum, padding and header as well.
    for (size_t b = 0; b < count; b++) {
        for (size_t i = 0; i < size.buffer_bytes; i++) {
            slow[b].data[i] = (uint8_t)(hoist_test_random(state) >> 56);
        }
    }
    check_unpack(t, kernels, layout, slow);
}

static hoist_queue_layout one_tile(hoist_dtype dtype, uint32_t height, uint32_t width)
{
    return (hoist_queue_layout){
        .tiling = {1, 1, 1, 1, 1, 1, 1, false, height, width}, .dtype = dtype, .alignment = 32};
}

// The kernels of `level`; NULL when the build has none of its own for it.
static const hoist_pack_kernels *own_kernels(hoist_cpu_level level)
{
    const hoist_pack_kernels *kernels = hoist_pack_kernels_at(level);
    const bool repeated = level > HOIST_CPU_BASELINE &&
                          kernels == hoist_pack_kernels_at((hoist_cpu_level)(level - 1));
    return repeated ? NULL : kernels;
}

static void check_dtype(hoist_test *t, const hoist_pack_kernels *kernels, hoist_dtype dtype)
{
    static const uint32_t dims[][2] = {{32, 32}, {16, 32}, {8, 32}, {4, 32},
                                       {2, 32},  {1, 32},  {32, 16}};
    uint64_t state = 1;
    for (size_t i = 0; i < HOIST_COUNT_OF(dims); i++) {
        for (draw how = 0; how < DRAW_COUNT; how++) {
            hoist_queue_layout layout = one_tile(dtype, dims[i][0], dims[i][1]);
            check_layout(t, kernels, &layout, how, &state);
            layout.truncate = true;
            layout.alignment = 64;
            check_layout(t, kernels, &layout, how, &state);
        }
    }
}

HOIST_TEST(every_tile_at_every_level)
{
    const hoist_cpu_level machine = hoist_cpu_detect();
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= machine; level++) {
        const hoist_pack_kernels *kernels = own_kernels(level);
        for (int dtype = 1; kernels && dtype < HOIST_DTYPE_COUNT; dtype++) {
            if (hoist_tile_dtype_ok((hoist_dtype)dtype)) {
                hoist_test_row(t, hoist_dtype_get((hoist_dtype)dtype)->name);
                check_dtype(t, kernels, (hoist_dtype)dtype);
            }
        }
    }
}

// 64 tiles that hold every 16-bit element, or every 8-bit one, or every datum under every exponent.
static void fill_with_everything(const hoist_tile_format *tile, hoist_mut_bytes buffer)
{
    const size_t exponents = hoist_tile_exponent_size(tile);
    const size_t data = hoist_tile_data_size(tile);
    const size_t size = hoist_tile_size(tile);
    for (size_t k = 0; k < buffer.size / size; k++) {
        uint8_t *section = buffer.data + k * size + HOIST_TILE_HEADER_SIZE;
        for (size_t i = 0; i < exponents; i++) {
            section[i] = (uint8_t)((k * exponents + i) / 16 & 0xff);
        }
        for (size_t i = 0; i < data; i++) {
            const size_t at = k * data + i;
            const bool two_bytes = data == 2048;
            section[exponents + i] = (uint8_t)((two_bytes ? at >> (at % 2 ? 9 : 1) : at) & 0xff);
        }
    }
}

HOIST_TEST(every_narrow_pattern_unpacks)
{
    const hoist_cpu_level machine = hoist_cpu_detect();
    for (int dtype = 1; dtype < HOIST_DTYPE_COUNT; dtype++) {
        hoist_queue_layout layout = one_tile((hoist_dtype)dtype, 32, 32);
        layout.tiling.t = 64;
        hoist_queue_size size;
        const hoist_dtype_info *info = hoist_dtype_get((hoist_dtype)dtype);
        if (info->bits > 16 || hoist_queue_measure(&layout, &size) != HOIST_OK) {
            continue;
        }
        hoist_test_row(t, info->name);
        hoist_mut_bytes *buffer = make_buffers(t, &size);
        const hoist_tile_format tile = hoist_queue_tile(&layout);
        fill_with_everything(&tile, buffer[0]);
        for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= machine; level++) {
            check_unpack(t, hoist_pack_kernels_at(level), &layout, buffer);
        }
    }
}

static uint32_t small(uint64_t *state, uint32_t most)
{
    return 1 + (uint32_t)(hoist_test_random(state) >> 32) % most;
}

HOIST_TEST(random_layouts)
{
    static const hoist_dtype dtypes[] = {HOIST_DTYPE_F32, HOIST_DTYPE_BF16, HOIST_DTYPE_TT_BFP8B,
                                         HOIST_DTYPE_TT_RAW16, HOIST_DTYPE_U8};
    const hoist_pack_kernels *kernels = hoist_pack_kernels_at(hoist_cpu_detect());
    uint64_t state = 7;
    for (size_t i = 0; i < 40; i++) {
        hoist_queue_layout layout = one_tile(dtypes[i % HOIST_COUNT_OF(dtypes)], 32, 32);
        layout.tiling.grid_rows = small(&state, 2);
        layout.tiling.grid_cols = small(&state, 2);
        layout.tiling.t = small(&state, 2);
        layout.tiling.mblock_m = small(&state, 3);
        layout.tiling.mblock_n = small(&state, 3);
        layout.tiling.ublock_rt = small(&state, 2);
        layout.tiling.ublock_ct = small(&state, 2);
        layout.tiling.column_major = small(&state, 2) == 1;
        layout.tiling.tile_height = 1u << (small(&state, 6) - 1);
        layout.flat = hoist_dtype_get(layout.dtype)->block == 1 && small(&state, 4) == 1;
        check_layout(t, kernels, &layout, DRAW_BITS, &state);
    }
}

// clang-format off
static const struct {
    const char *name;
    hoist_cpu_level level;
    const char *x86_64;
} tables[] = {
    {"baseline", HOIST_CPU_BASELINE,  "baseline" },
    {"v3",       HOIST_CPU_X86_64_V3, "x86-64-v3"},
    {"v4",       HOIST_CPU_X86_64_V4, "x86-64-v4"},
    {"amx",      HOIST_CPU_AMX,       "x86-64-v4"},
};
// clang-format on

HOIST_TEST_TABLE(table_of_a_level, tables)
{
    const char *name = hoist_pack_kernels_name(hoist_pack_kernels_at(row->level));
#if defined(__x86_64__)
    HOIST_EXPECT_STR(t, hoist_str_from(name), row->x86_64);
#else
    HOIST_EXPECT_STR(t, hoist_str_from(name), "baseline");
#endif
}

// One tile of bf16 with one thing wrong; buffers of 2080 bytes unless it says otherwise.
// clang-format off
static const struct {
    const char *name;
    hoist_queue_layout layout;
    size_t buffers;
    size_t size; // of each
    hoist_status want;
} refused[] = {
#define ROW(dtype, alignment, ...) {.tiling = {__VA_ARGS__}, dtype, alignment, false, false}
#define BF16(...) ROW(HOIST_DTYPE_BF16, 32, __VA_ARGS__)
#define TILE 1, 1, 1, 1, 1, 1, 1, false, 32, 32
    {"nothing wrong",      BF16(TILE), 1, 2080, HOIST_OK},
    {"buffer too small",   BF16(TILE), 1, 2079, HOIST_INVALID},
    {"buffer too large",   BF16(TILE), 1, 2081, HOIST_INVALID},
    {"empty buffer",       BF16(TILE), 1, 0,    HOIST_INVALID},
    {"no buffer",          BF16(TILE), 0, 2080, HOIST_INVALID},
    {"buffer too many",    BF16(TILE), 2, 2080, HOIST_INVALID},
    {"buffer missing",     BF16(1, 2, 1, 1, 1, 1, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no grid rows",       BF16(0, 1, 1, 1, 1, 1, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no grid columns",    BF16(1, 0, 1, 1, 1, 1, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no t",               BF16(1, 1, 0, 1, 1, 1, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no mblock rows",     BF16(1, 1, 1, 0, 1, 1, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no mblock columns",  BF16(1, 1, 1, 1, 0, 1, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no ublock rows",     BF16(1, 1, 1, 1, 1, 0, 1, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"no ublock columns",  BF16(1, 1, 1, 1, 1, 1, 0, false, 32, 32), 1, 2080, HOIST_INVALID},
    {"tile of no rows",    BF16(1, 1, 1, 1, 1, 1, 1, false, 0, 32),  1, 2080, HOIST_INVALID},
    {"tile of no columns", BF16(1, 1, 1, 1, 1, 1, 1, false, 32, 0),  1, 2080, HOIST_INVALID},
    {"tile of 3 rows",     BF16(1, 1, 1, 1, 1, 1, 1, false, 3, 32),  1, 2080, HOIST_INVALID},
    {"tile of 64 rows",    BF16(1, 1, 1, 1, 1, 1, 1, false, 64, 32), 1, 2080, HOIST_INVALID},
    {"tile of 8 columns",  BF16(1, 1, 1, 1, 1, 1, 1, false, 32, 8),  1, 2080, HOIST_INVALID},
    {"size wraps around",  BF16(1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1, false, 32, 32), 1, 2080, HOIST_LIMIT},
    {"alignment 0",        ROW(HOIST_DTYPE_BF16, 0, TILE),   1, 2080, HOIST_INVALID},
    {"alignment 16",       ROW(HOIST_DTYPE_BF16, 16, TILE),  1, 2080, HOIST_INVALID},
    {"alignment 128",      ROW(HOIST_DTYPE_BF16, 128, TILE), 1, 2176, HOIST_INVALID},
    {"no tiles of int64",  ROW(HOIST_DTYPE_I64, 32, TILE),   1, 8224, HOIST_UNSUPPORTED},
    {"no tiles of bool",   ROW(HOIST_DTYPE_BOOL, 32, TILE),  1, 1056, HOIST_UNSUPPORTED},
    {"no type",            ROW(HOIST_DTYPE_NONE, 32, TILE),  1, 2080, HOIST_UNSUPPORTED},
#undef ROW
#undef BF16
#undef TILE
};
// clang-format on

// The fast and the slow way give one status, and touch nothing unless it is HOIST_OK.
HOIST_TEST_TABLE(refuses_what_the_slow_one_refuses, refused)
{
    const hoist_pack_kernels *kernels = hoist_pack_kernels_at(hoist_cpu_detect());
    float tensor[32 * 32] = {1.0f};
    hoist_mut_bytes buffers[2];
    for (size_t i = 0; i < 2; i++) {
        buffers[i] = (hoist_mut_bytes){hoist_arena_alloc(&t->arena, row->size), row->size};
    }
    const hoist_queue_layout *layout = &row->layout;
    const size_t count = row->buffers;
    HOIST_EXPECT_EQ(t, hoist_queue_pack(layout, tensor, buffers, count), row->want);
    HOIST_EXPECT_EQ(t, hoist_pack_queue(kernels, layout, tensor, buffers, count), row->want);
    const bool written = row->size > 1 && buffers[0].data[0] != 0;
    HOIST_EXPECT_EQ(t, written, row->want == HOIST_OK);
    tensor[0] = 2.0f;
    HOIST_EXPECT_EQ(t, hoist_queue_unpack(layout, buffers, count, tensor), row->want);
    HOIST_EXPECT_EQ(t, tensor[0] == 1.0f, row->want == HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_unpack_queue(kernels, layout, buffers, count, tensor), row->want);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_tile_at_every_level),
                HOIST_TEST_ROW(every_narrow_pattern_unpacks), HOIST_TEST_ROW(random_layouts),
                HOIST_TEST_ROW(table_of_a_level), HOIST_TEST_ROW(refuses_what_the_slow_one_refuses))
