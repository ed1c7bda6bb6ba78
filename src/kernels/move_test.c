// Moves of elements against one element at a time through arrays, and of tiles.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "kernels/move.h"
#include "tensor/convert.h"
#include "tensor/float_bits.h"
#include "tensor/view_testing.h"
#include "testing/test.h"

#define MEMORY 4096

static hoist_view make_view(hoist_test *t, uint8_t *memory, hoist_dtype dtype, hoist_shape shape,
                            int64_t offset, const int64_t *stride)
{
    hoist_view view;
    HOIST_EXPECT_EQ(
        t, hoist_view_init((hoist_mut_bytes){memory, MEMORY}, dtype, &shape, offset, stride, &view),
        HOIST_OK);
    return view;
}

static hoist_view line(hoist_test *t, uint8_t *memory, hoist_dtype dtype, int64_t count,
                       int64_t offset)
{
    return make_view(t, memory, dtype, (hoist_shape){1, {count}}, offset, NULL);
}

static uint8_t *new_memory(hoist_test *t)
{
    return hoist_arena_array(&t->arena, MEMORY, 1);
}

static void put(const hoist_view *view, const double *values, size_t count)
{
    int64_t index[HOIST_MAX_RANK] = {0};
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    for (size_t i = 0; i < count; i++) {
        view_store(view, index, hoist_from_f64(view->dtype, values[i], nearest));
        (void)hoist_shape_next(&view->shape, index);
    }
}

static void expect_values(hoist_test *t, const hoist_view *view, const double *values, size_t count)
{
    int64_t index[HOIST_MAX_RANK] = {0};
    for (size_t i = 0; i < count; i++) {
        const double got = hoist_to_f64(view->dtype, view_load(view, index));
        if (!(got == values[i] || (isnan(got) && isnan(values[i])))) {
            hoist_test_fail(t, __FILE__, __LINE__, "element %zu is %g, expected %g", i, got,
                            values[i]);
        }
        (void)hoist_shape_next(&view->shape, index);
    }
}

static const hoist_move_kernels *baseline(void)
{
    return hoist_move_kernels_at(HOIST_CPU_BASELINE);
}

static hoist_status move(const hoist_view_move *m)
{
    return hoist_move_views(baseline(), m, hoist_allocator_system());
}

// One to three sources of four elements, a destination of four.
typedef struct fold_case {
    const char *name;
    hoist_move_kernel op;
    hoist_dtype to;
    hoist_dtype from[3]; // NONE: no such source
    double source[3][4];
    float scales[3];
    bool has_start;
    double start;
    double expected[4];
    hoist_dtype arithmetic;
} fold_case;

#define F32 HOIST_DTYPE_F32
#define U8 HOIST_DTYPE_U8
#define BF16 HOIST_DTYPE_BF16
#define I32 HOIST_DTYPE_I32
#define U32 HOIST_DTYPE_U32

// clang-format off
static const fold_case fold_cases[] = {
    {"copy of one type", HOIST_KERNEL_COPY, F32, {F32}, {{1, -2, 1e30, 0}}, {0}, false, 0, {1, -2, (double)1e30F, 0}, F32},
    {"copy f32 to bf16", HOIST_KERNEL_COPY, BF16, {F32}, {{1, 1.00390625, 1.01171875, -3}}, {0}, false, 0, {1, 1, 1.015625, -3}, F32},
    {"copy f32 to i8 saturates", HOIST_KERNEL_COPY, HOIST_DTYPE_I8, {F32}, {{1.5, 2.5, 300, -300}}, {0}, false, 0, {2, 2, 127, -128}, F32},
    {"copy i32 to i64 through float32", HOIST_KERNEL_COPY, HOIST_DTYPE_I64, {I32}, {{16777217, 5, -7, 0}}, {0}, false, 0, {16777216, 5, -7, 0}, F32},
    {"copy i32 exactly", HOIST_KERNEL_COPY, I32, {I32}, {{16777217, 5, -7, 2147483647}}, {0}, false, 0, {16777217, 5, -7, 2147483647}, F32},
    {"fma", HOIST_KERNEL_FMA, F32, {F32, F32, F32}, {{1, 2, 3, 4}, {10, 20, 30, 40}, {100, 200, 300, 400}}, {2, 0.5F, 1}, false, 0, {107, 214, 321, 428}, F32},
    {"fma rounds product and sum", HOIST_KERNEL_FMA, F32, {F32, F32}, {{-1, 1, 0, 0}, {1.00024414062500, 1, 1, 1}}, {1, 1.00024414062500F}, false, 0, {0.00048828125, 2.000244140625, 1.000244140625, 1.000244140625}, F32},
    {"fma with start", HOIST_KERNEL_FMA, F32, {F32}, {{1, 2, 3, 4}}, {3}, true, 1, {4, 7, 10, 13}, F32},
    {"add of two types", HOIST_KERNEL_ADD, F32, {BF16, I32}, {{1, 2, 3, 4}, {10, 20, 30, -40}}, {0}, false, 0, {11, 22, 33, -36}, F32},
    {"add to bf16", HOIST_KERNEL_ADD, BF16, {BF16, BF16}, {{256, 1, 2, 3}, {1, 1, 2, 3}}, {0}, false, 0, {256, 2, 4, 6}, F32},
    {"add from the left", HOIST_KERNEL_ADD, F32, {F32, F32, F32}, {{1e8, 1, 1, 1}, {-1e8, 1, 1, 1}, {1, 1, 1, 1}}, {0}, false, 0, {1, 3, 3, 3}, F32},
    {"add of nothing", HOIST_KERNEL_ADD, F32, {HOIST_DTYPE_NONE}, {{0}}, {0}, true, 7, {7, 7, 7, 7}, F32},
    {"min", HOIST_KERNEL_MIN, F32, {F32, F32}, {{1, -2, (double)NAN, 4}, {0, 5, 1, (double)NAN}}, {0}, false, 0, {0, -2, (double)NAN, (double)NAN}, F32},
    {"max", HOIST_KERNEL_MAX, F32, {F32, BF16}, {{1, -2, (double)INFINITY, 4}, {0, 5, 1, 4}}, {0}, false, 0, {1, 5, (double)INFINITY, 4}, F32},
    {"max with start", HOIST_KERNEL_MAX, F32, {F32}, {{1, -2, 3, 4}}, {0}, true, 2.5, {2.5, 2.5, 3, 4}, F32},
    {"cast f32 to bf16", HOIST_KERNEL_CAST, BF16, {F32}, {{1, 1.00390625, 1.01171875, -3}}, {0}, false, 0, {1, 1, 1.015625, -3}, F32},
    {"cast i32 to itself", HOIST_KERNEL_CAST, I32, {I32}, {{16777217, 5, -7, 2147483647}}, {0}, false, 0, {16777216, 5, -7, 2147483647}, F32},
    {"cast u32 to itself", HOIST_KERNEL_CAST, U32, {U32}, {{16777219, 5, 4294967295.0, 4294967167.0}}, {0}, false, 0, {16777220, 5, 4294967295.0, 4294967040.0}, F32},
    {"max in i32", HOIST_KERNEL_MAX, I32, {I32, I32}, {{16777217, -1, 5, -2147483648.0}, {16777216, 1, 4, -5}}, {0}, false, 0, {16777217, 1, 5, -5}, I32},
    {"min in i32 with start", HOIST_KERNEL_MIN, I32, {I32}, {{16777217, -1, 5, 3}}, {0}, true, 4, {4, -1, 4, 3}, I32},
    {"min in i32 with a start beyond it", HOIST_KERNEL_MIN, I32, {I32}, {{2147483647, -1, 5, 3}}, {0}, true, 1e10, {2147483647, -1, 5, 3}, I32},
    {"max in u32", HOIST_KERNEL_MAX, U32, {U32, U32}, {{4294967295.0, 1, 2147483649.0, 0}, {7, 2, 2147483648.0, 0}}, {0}, false, 0, {4294967295.0, 2, 2147483649.0, 0}, U32},
    {"min in u32", HOIST_KERNEL_MIN, U32, {U32, U32}, {{4294967295.0, 1, 2147483649.0, 0}, {7, 2, 2147483648.0, 0}}, {0}, false, 0, {7, 1, 2147483648.0, 0}, U32},
    {"max of i32 in float32", HOIST_KERNEL_MAX, I32, {I32, I32}, {{16777217, -1, 5, -2147483648.0}, {16777216, 1, 4, -5}}, {0}, false, 0, {16777216, 1, 5, -5}, F32},
    {"max of i32 and u32 in float32", HOIST_KERNEL_MAX, I32, {I32, U32}, {{16777217, -1, 5, 0}, {1, 1, 4, 0}}, {0}, false, 0, {16777216, 1, 5, 0}, F32},
};
// clang-format on

HOIST_TEST_TABLE(folds, fold_cases)
{
    hoist_view sources[3];
    hoist_view_move m = {.op = row->op,
                         .destination = line(t, new_memory(t), row->to, 4, 8),
                         .sources = sources,
                         .scales = row->scales,
                         .arithmetic = row->arithmetic,
                         .has_start = row->has_start,
                         .start = row->start};
    for (size_t i = 0; i < 3 && row->from[i] != HOIST_DTYPE_NONE; i++) {
        sources[i] = line(t, new_memory(t), row->from[i], 4, 16);
        put(&sources[i], row->source[i], 4);
        m.source_count++;
    }
    HOIST_EXPECT_EQ(t, move(&m), HOIST_OK);
    expect_values(t, &m.destination, row->expected, 4);
}

HOIST_TEST(copy_keeps_bits)
{
    // A signalling NaN and a negative zero.
    static const uint32_t bits[] = {0x7f800001, 0x80000000, 0xffffffff, 0x00000001};
    uint8_t *memory = new_memory(t);
    const hoist_view source = line(t, memory, HOIST_DTYPE_F32, 4, 0);
    for (size_t i = 0; i < 4; i++) {
        hoist_store_u32le(memory + 4 * i, bits[i]);
    }
    const hoist_view_move m = {.destination = line(t, memory, HOIST_DTYPE_F32, 4, 100),
                               .sources = &source,
                               .source_count = 1};
    HOIST_EXPECT_EQ(t, move(&m), HOIST_OK);
    HOIST_EXPECT(t, memcmp(memory, memory + 100, 16) == 0);
}

// Elements go in linear order from a permuted source of one shape to a strided destination of
// another.
HOIST_TEST(transpose_and_strides)
{
    uint8_t *memory = new_memory(t);
    const hoist_shape shape = {3, {2, 3, 4}};
    const hoist_shape to_shape = {2, {12, 2}};
    const int64_t to_stride[] = {-8, -2};
    const uint8_t axes[] = {2, 0, 1};
    const hoist_view source = make_view(t, memory, HOIST_DTYPE_I16, shape, 0, NULL);
    const hoist_view to = make_view(t, memory, HOIST_DTYPE_I16, to_shape, 1000, to_stride);
    double values[24];
    double expected[24];
    for (size_t i = 0; i < 24; i++) {
        values[i] = (double)i;
        // Result [c][a][b] of shape 4x2x3 is source [a][b][c].
        const size_t c = i / 6, a = i / 3 % 2, b = i % 3;
        expected[i] = (double)(a * 12 + b * 4 + c);
    }
    put(&source, values, 24);
    hoist_view_move m = {.destination = to,
                         .sources = &source,
                         .source_count = 1,
                         .transpose_rank = 3,
                         .transpose_axes = axes};
    HOIST_EXPECT_EQ(t, move(&m), HOIST_OK);
    expect_values(t, &to, expected, 24);
    m.transpose_rank = 2;
    HOIST_EXPECT_EQ(t, move(&m), HOIST_INVALID);
}

HOIST_TEST(table)
{
    static const int32_t map[] = {4, -1, 0, 6, 1, -1};
    static const double first[] = {10, 11, 12};
    static const double second[] = {20, 21, 22, 23.75};
    static const double expected[] = {21, 2, 10, 24, 11, 2}; // 2.5 rounds to even
    const hoist_view sources[] = {line(t, new_memory(t), HOIST_DTYPE_I8, 3, 0),
                                  line(t, new_memory(t), HOIST_DTYPE_F32, 4, 0)};
    put(&sources[0], first, 3);
    put(&sources[1], second, 4);
    hoist_view_move m = {.destination = line(t, new_memory(t), HOIST_DTYPE_I8, 6, 0),
                         .sources = sources,
                         .source_count = 2,
                         .table = map,
                         .fill = 2.5F};
    HOIST_EXPECT_EQ(t, move(&m), HOIST_OK);
    expect_values(t, &m.destination, expected, 6);
    m.source_count = 1; // 4 and 6 are outside now
    HOIST_EXPECT_EQ(t, move(&m), HOIST_INVALID);
}

static const struct {
    const char *name;
    int64_t from;
    int64_t to;
    bool in_steps; // of the destination: twice the element's size
    bool buffered; // memory is needed for the result
} overlaps[] = {
    {"onto itself", 0, 0, false, false},        {"forwards", 0, 4, false, false},
    {"backwards", 4, 0, false, false},          {"spread", 0, 0, true, true},
    {"by less than one", 0, 2, false, false},   {"apart", 0, 8192, false, false},
    {"apart and spread", 0, 8192, true, false},
};

HOIST_TEST_TABLE(overlap, overlaps)
{
    enum { COUNT = 1025 };
    uint8_t *memory = hoist_arena_array(&t->arena, (size_t)5 * MEMORY, 1);
    double values[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = (double)i;
    }
    const hoist_mut_bytes bytes = {memory, (size_t)5 * MEMORY};
    const hoist_shape shape = {1, {COUNT}};
    const int64_t stride = row->in_steps ? 8 : 4;
    hoist_view source;
    hoist_view to;
    HOIST_EXPECT_EQ(t, hoist_view_init(bytes, I32, &shape, row->from, NULL, &source), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_view_init(bytes, I32, &shape, row->to, &stride, &to), HOIST_OK);
    put(&source, values, COUNT);
    const hoist_view_move m = {.destination = to, .sources = &source, .source_count = 1};
    hoist_failing failing = {.parent = hoist_allocator_system()};
    const hoist_allocator none = hoist_failing_allocator(&failing, 1);
    HOIST_EXPECT_EQ(t, hoist_move_views(baseline(), &m, none),
                    row->buffered ? HOIST_NO_MEMORY : HOIST_OK);
    put(&source, values, COUNT);
    const hoist_allocator counting = hoist_failing_allocator(&failing, 0);
    HOIST_EXPECT_EQ(t, hoist_move_views(baseline(), &m, counting), HOIST_OK);
    HOIST_EXPECT_EQ(t, failing.live, 0);
    expect_values(t, &to, values, COUNT);
}

static const struct {
    const char *name;
    int64_t to;
    int64_t from;
    size_t sources;
    hoist_status status;
} counts[] = {
    {"equal", 5, 5, 1, HOIST_OK},
    {"fewer", 5, 4, 1, HOIST_INVALID},
    {"more", 5, 6, 1, HOIST_INVALID},
    {"copy of two", 5, 5, 2, HOIST_INVALID},
    {"copy of none", 5, 5, 0, HOIST_INVALID},
    {"nothing at all", 0, 0, 1, HOIST_OK},
};

HOIST_TEST_TABLE(element_counts, counts)
{
    const hoist_view source = line(t, new_memory(t), HOIST_DTYPE_U16, row->from, 0);
    const hoist_view sources[] = {source, source};
    const hoist_view_move m = {.destination = line(t, new_memory(t), HOIST_DTYPE_U16, row->to, 0),
                               .sources = sources,
                               .source_count = row->sources};
    HOIST_EXPECT_EQ(t, move(&m), row->status);
}

// One element, at every level: what becomes of NaNs, ends of ranges and zeros.
// clang-format off
static const struct {
    const char *name;
    hoist_move_kernel op;
    hoist_dtype from;
    uint32_t bits;
    hoist_dtype to;
    uint32_t expected;
} elements[] = {
    {"a signalling NaN is copied",         HOIST_KERNEL_COPY, F32,  0x7f800001, F32,  0x7f800001},
    {"and cast to itself",                 HOIST_KERNEL_CAST, F32,  0xff800001, F32,  0xff800001},
    {"from bf16",                          HOIST_KERNEL_CAST, BF16, 0xff81,     F32,  0xff810000},
    {"quiet in bf16",                      HOIST_KERNEL_CAST, F32,  0xff812345, BF16, 0xffc1},
    {"quiet in bf16 from itself",          HOIST_KERNEL_CAST, BF16, 0x7f81,     BF16, 0x7fc1},
    {"a NaN without bits of f16",          HOIST_KERNEL_CAST, F32,  0x7f800001, HOIST_DTYPE_F16, 0x7e00},
    {"from f16",                           HOIST_KERNEL_CAST, HOIST_DTYPE_F16, 0x7c01, F32, 0x7f802000},
    {"beyond f16",                         HOIST_KERNEL_CAST, F32,  0x477ff000, HOIST_DTYPE_F16, 0x7c00},
    {"just in f16",                        HOIST_KERNEL_CAST, F32,  0x477fefff, HOIST_DTYPE_F16, 0x7bff},
    {"half of the smallest of f16",        HOIST_KERNEL_CAST, F32,  0xb3000000, HOIST_DTYPE_F16, 0x8000},
    {"a little more",                      HOIST_KERNEL_CAST, F32,  0xb3000001, HOIST_DTYPE_F16, 0x8001},
    {"240 is the end of f8e4m3",           HOIST_KERNEL_CAST, F32,  0x43780000, HOIST_DTYPE_F8E4M3, 0x78},
    {"of f8e4m3fn it is 448",              HOIST_KERNEL_CAST, F32,  0x43e80000, HOIST_DTYPE_F8E4M3FN, 0x7e},
    {"beyond f8e4m3fn",                    HOIST_KERNEL_CAST, F32,  0xc3e80001, HOIST_DTYPE_F8E4M3FN, 0xff},
    {"the NaN of f8e4m3fn",                HOIST_KERNEL_CAST, HOIST_DTYPE_F8E4M3FN, 0xff, F32, 0xfff00000},
    {"NaN as an integer",                  HOIST_KERNEL_CAST, F32,  0xffc00000, I32,  0},
    {"2^31 as i32",                        HOIST_KERNEL_CAST, F32,  0x4f000000, I32,  0x7fffffff},
    {"minus infinity as i32",              HOIST_KERNEL_CAST, F32,  0xff800000, I32,  0x80000000},
    {"minus infinity as u32",              HOIST_KERNEL_CAST, F32,  0xff800000, U32,  0},
    {"2^32 as u32",                        HOIST_KERNEL_CAST, F32,  0x4f800000, U32,  0xffffffff},
    {"3 * 2^30 as u32",                    HOIST_KERNEL_CAST, F32,  0x4f400000, U32,  0xc0000000},
    {"2.5 as u32",                         HOIST_KERNEL_CAST, F32,  0x40200000, U32,  2},
    {"-3.5 as i32",                        HOIST_KERNEL_CAST, F32,  0xc0600000, I32,  0xfffffffc},
    {"300 as u8",                          HOIST_KERNEL_CAST, F32,  0x43960000, HOIST_DTYPE_U8, 255},
    {"2^24 + 1 is rounded",                HOIST_KERNEL_CAST, I32,  0x01000001, I32,  0x01000000},
    {"the largest u32 is rounded",         HOIST_KERNEL_CAST, U32,  0xffffffff, F32,  0x4f800000},
    {"any bits are true",                  HOIST_KERNEL_CAST, HOIST_DTYPE_BOOL, 2, F32, 0x3f800000},
    {"NaN is true",                        HOIST_KERNEL_CAST, F32,  0x7fc00000, HOIST_DTYPE_BOOL, 1},
    {"minus zero is not",                  HOIST_KERNEL_CAST, F32,  0x80000000, HOIST_DTYPE_BOOL, 0},
    {"a sum forgets which NaN it was",     HOIST_KERNEL_ADD,  F32,  0xff812345, F32,  0x7fc00000},
    {"so does a minimum",                  HOIST_KERNEL_MIN,  F32,  0xff812345, BF16, 0x7fc0},
    {"minus zero alone is kept",           HOIST_KERNEL_ADD,  F32,  0x80000000, F32,  0x80000000},
};
// clang-format on

HOIST_TEST_TABLE(one_element, elements)
{
    for (int level = 0; level <= (int)hoist_cpu_detect(); level++) {
        uint8_t *memory = new_memory(t);
        // More than a run of them: whole vectors, and the rest.
        const hoist_view source = line(t, memory, row->from, 37, 1);
        const hoist_view_move m = {.op = row->op,
                                   .destination = line(t, memory, row->to, 37, 1001),
                                   .sources = &source,
                                   .source_count = 1};
        int64_t index[HOIST_MAX_RANK] = {0};
        for (; index[0] < 37; index[0]++) {
            view_store(&source, index, row->bits);
        }
        HOIST_EXPECT_EQ(t,
                        hoist_move_views(hoist_move_kernels_at((hoist_cpu_level)level), &m,
                                         hoist_allocator_system()),
                        HOIST_OK);
        for (index[0] = 0; index[0] < 37; index[0]++) {
            HOIST_EXPECT_EQ(t, view_load(&m.destination, index), row->expected);
        }
    }
}

static const struct {
    const char *name;
    int64_t dims[2];
    int64_t from[2]; // strides of bytes
    int64_t to[2];
    int64_t offset; // of the destination
    hoist_move_way way;
    size_t units;
} ways[] = {
    {"rows side by side", {64, 64}, {64, 1}, {64, 1}, 8192, HOIST_MOVE_FLAT, 1},
    {"rows apart", {32, 64}, {128, 1}, {64, 1}, 8192, HOIST_MOVE_BLOCKS, 1},
    {"rows of one matrix, other columns", {32, 64}, {128, 1}, {128, 1}, 64, HOIST_MOVE_BLOCKS, 1},
    {"columns that meet", {32, 64}, {128, 1}, {128, 1}, 63, HOIST_MOVE_BUFFERED, 1},
    {"turned", {64, 64}, {1, 64}, {64, 1}, 8192, HOIST_MOVE_BLOCKS, 1},
    {"turned in place", {64, 64}, {1, 64}, {64, 1}, 0, HOIST_MOVE_BUFFERED, 1},
    {"in place", {64, 64}, {1, 64}, {1, 64}, 0, HOIST_MOVE_NOTHING, 1},
    {"one byte for all", {64, 64}, {64, 1}, {0, 0}, 8192, HOIST_MOVE_LINES, 1},
    {"the same row again", {64, 64}, {64, 1}, {0, 1}, 8192, HOIST_MOVE_LINES, 1},
    {"upwards or downwards", {64, 64}, {-64, -1}, {-64, -1}, 12287, HOIST_MOVE_FLAT, 1},
};

HOIST_TEST_TABLE(how_copies_are_done, ways)
{
    uint8_t *memory = hoist_arena_array(&t->arena, (size_t)4 * MEMORY, 1);
    const hoist_mut_bytes bytes = {memory, (size_t)4 * MEMORY};
    const hoist_shape shape = {2, {row->dims[0], row->dims[1]}};
    hoist_view source;
    hoist_view_move m = {.sources = &source, .source_count = 1};
    HOIST_EXPECT_EQ(t,
                    hoist_view_init(bytes, HOIST_DTYPE_U8, &shape, row->from[0] < 0 ? 4095 : 0,
                                    row->from, &source),
                    HOIST_OK);
    HOIST_EXPECT_EQ(
        t, hoist_view_init(bytes, HOIST_DTYPE_U8, &shape, row->offset, row->to, &m.destination),
        HOIST_OK);
    hoist_move_plan plan;
    HOIST_EXPECT_EQ(t, hoist_move_prepare(&m, &plan), HOIST_OK);
    HOIST_EXPECT_EQ(t, plan.way, row->way);
    HOIST_EXPECT_EQ(t, plan.units, row->units);
}

// Planes of rows from byte 4 on, to byte 262144 + `offset`; those of 30 rows are several tiles.
// clang-format off
static const struct {
    const char *name;
    int64_t dims[3];
    hoist_dtype from_type;
    hoist_dtype to_type;
    int64_t from[3];
    int64_t to[3];
    int64_t offset;
    bool streams;
} streams[] = {
    {"all bytes", {4, 3, 100}, U8, U8, {300, 100, 1}, {300, 100, 1}, 3, true},
    {"rows with gaps", {4, 3, 100}, U8, U8, {333, 111, 1}, {300, 100, 1}, 3, true},
    {"rows to gaps", {4, 3, 100}, U8, U8, {300, 100, 1}, {333, 111, 1}, 0, false},
    {"short rows", {4, 3, 100}, U8, U8, {333, 7, 111}, {300, 1, 3}, 0, true},
    {"rows of floats", {4, 3, 100}, F32, F32, {2000, 500, 4}, {1200, 400, 4}, 16, true},
    {"turned", {4, 3, 100}, F32, F32, {1200, 4, 12}, {1200, 400, 4}, 16, true},
    {"turned to gaps", {4, 3, 100}, F32, F32, {1200, 4, 12}, {1500, 500, 4}, 16, false},
    {"every second", {4, 3, 100}, F32, F32, {2400, 800, 8}, {1200, 400, 4}, 16, true},
    {"every second of many", {4, 30, 50}, F32, F32, {12000, 400, 8}, {6000, 200, 4}, 20, true},
    {"many turned", {40, 30, 50}, F32, F32, {6000, 4, 120}, {6000, 200, 4}, 20, true},
    {"blocks of 12 turned", {30, 40, 3}, F32, F32, {12, 360, 4}, {480, 12, 4}, 20, true},
    {"floats narrowed", {4, 3, 100}, F32, BF16, {2000, 500, 4}, {600, 200, 2}, 16, true},
    {"floats widened", {4, 3, 100}, BF16, F32, {666, 222, 2}, {1200, 400, 4}, 16, true},
    {"floats at odd bytes", {4, 3, 100}, U8, F32, {333, 111, 1}, {1200, 400, 4}, 17, true},
    {"bytes of floats", {4, 3, 100}, F32, U8, {2000, 500, 4}, {300, 100, 1}, 1, true},
    {"neither are floats", {4, 3, 100}, BF16, HOIST_DTYPE_F16, {600, 200, 2}, {600, 200, 2}, 16, false},
    {"converted and turned", {4, 3, 100}, U8, F32, {300, 1, 3}, {1200, 400, 4}, 16, false},
    {"many converted and turned", {40, 30, 50}, U8, F32, {1500, 1, 30}, {6000, 200, 4}, 20, true},
    {"many turned to odd bytes", {40, 30, 50}, F32, U8, {6000, 4, 120}, {1500, 50, 1}, 7, true},
    {"converted to gaps", {4, 3, 100}, U8, F32, {300, 100, 1}, {1500, 500, 4}, 16, false},
    {"one by one", {4, 3, 100}, HOIST_DTYPE_I64, F32, {2400, 800, 8}, {1200, 400, 4}, 16, false},
};
// clang-format on

// What goes past the caches is what comes by way of them, however its tiles are shared out.
HOIST_TEST_TABLE(what_streams, streams)
{
    enum { SIZE = 524288 };
    const hoist_shape shape = {3, {row->dims[0], row->dims[1], row->dims[2]}};
    uint8_t *memory[2]; // by way of the caches, and past them
    hoist_view source;
    hoist_view_move m = {.sources = &source, .source_count = 1};
    for (size_t i = 0; i < 2; i++) {
        memory[i] = hoist_arena_array(&t->arena, SIZE, 1);
    }
    for (int way = 0; way <= (int)hoist_cpu_detect() * 2 + 1; way++) {
        uint8_t *bytes = memory[way % 2];
        const hoist_mut_bytes all = {bytes, SIZE};
        hoist_move_plan plan;
        for (size_t i = 0; i < SIZE; i++) {
            bytes[i] = i < SIZE / 2 ? (uint8_t)(i * 2654435761u >> 13 & 0x3f) : 0;
        }
        HOIST_EXPECT_EQ(t, hoist_view_init(all, row->from_type, &shape, 4, row->from, &source),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t,
                        hoist_view_init(all, row->to_type, &shape, SIZE / 2 + row->offset, row->to,
                                        &m.destination),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_move_prepare(&m, &plan), HOIST_OK);
        HOIST_EXPECT(t, !plan.streams);
        if (way % 2) {
            hoist_move_stream(&plan);
            HOIST_EXPECT_EQ(t, plan.streams, row->streams);
        }
        if (way % 2 && plan.way == HOIST_MOVE_BLOCKS) {
            plan.unit = 1;
            plan.units = (size_t)plan.tiles;
        }
        for (size_t unit = plan.units; unit-- > 0;) {
            HOIST_EXPECT_EQ(t,
                            hoist_move_run(hoist_move_kernels_at((hoist_cpu_level)(way / 2)), &plan,
                                           unit, unit + 1, hoist_allocator_system(), NULL),
                            HOIST_OK);
        }
        HOIST_EXPECT(t, way == 0 || memcmp(memory[0], memory[1], SIZE) == 0);
    }
}

// A row that lies across itself is moved as by memmove.
HOIST_TEST(no_stream_across_itself)
{
    uint8_t *memory = new_memory(t);
    const hoist_view source = line(t, memory, U8, 1000, 0);
    const hoist_view_move m = {
        .destination = line(t, memory, U8, 1000, 64), .sources = &source, .source_count = 1};
    hoist_move_plan plan;
    HOIST_EXPECT_EQ(t, hoist_move_prepare(&m, &plan), HOIST_OK);
    hoist_move_stream(&plan);
    HOIST_EXPECT_EQ(t, plan.way, HOIST_MOVE_FLAT);
    HOIST_EXPECT(t, !plan.streams);
}

// More than the caches hold, in whole lines: past them.
HOIST_TEST(large_copies_stream)
{
    enum { ROWS = 8192, ROW = 2048, STEP = ROW + 64, SIZE = ROWS * STEP };
    const hoist_shape shape = {2, {ROWS, ROW}};
    const int64_t stride[] = {STEP, 1};
    const hoist_mut_bytes from = {hoist_arena_alloc(&t->arena, SIZE), SIZE};
    const hoist_mut_bytes to = {hoist_arena_alloc(&t->arena, SIZE + 64), SIZE + 64};
    const int64_t aligned = (int64_t)(64 - (uintptr_t)to.data % 64) % 64;
    hoist_view source;
    hoist_view_move m = {.sources = &source, .source_count = 1};
    hoist_move_plan plan;
    HOIST_EXPECT_EQ(t, hoist_view_init(from, HOIST_DTYPE_U8, &shape, 0, stride, &source), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_view_init(to, HOIST_DTYPE_U8, &shape, aligned, NULL, &m.destination),
                    HOIST_OK);
    for (size_t i = 0; i < SIZE; i++) {
        from.data[i] = (uint8_t)(i * 2654435761u >> 13 & 0xff);
    }
    HOIST_EXPECT_EQ(t, hoist_move_prepare(&m, &plan), HOIST_OK);
    HOIST_EXPECT(t, plan.streams && plan.units > 1);
    for (int level = 0; level <= (int)hoist_cpu_detect(); level++) {
        memset(to.data, 0, to.size);
        HOIST_EXPECT_EQ(t,
                        hoist_move_run(hoist_move_kernels_at((hoist_cpu_level)level), &plan, 0,
                                       plan.units, hoist_allocator_system(), NULL),
                        HOIST_OK);
        for (size_t row = 0; row < ROWS; row++) {
            HOIST_EXPECT(t,
                         memcmp(to.data + aligned + row * ROW, from.data + row * STEP, ROW) == 0);
        }
    }
}

static bool count_question(void *self)
{
    ++*(int *)self;
    return true;
}

// A mebibyte to one byte, and to as many; both go on where they were stopped.
HOIST_TEST(long_moves_stop_where_memory_is_no_bound)
{
    enum { SIZE = 1 << 20, EVERY = 1 << 18 };
    const hoist_shape shape = {1, {SIZE}};
    const hoist_mut_bytes from = {hoist_arena_alloc(&t->arena, SIZE), SIZE};
    const hoist_mut_bytes to = {hoist_arena_alloc(&t->arena, SIZE), SIZE};
    const hoist_move_kernels *const kernels = hoist_move_kernels_at(HOIST_CPU_BASELINE);
    for (int64_t step = 0; step < 2; step++) {
        hoist_view source;
        hoist_view_move m = {.sources = &source, .source_count = 1};
        hoist_move_plan plan;
        int questions = 0;
        hoist_move_stop stop = {.is_wanted = count_question, .self = &questions};
        HOIST_EXPECT_EQ(t, hoist_view_init(from, HOIST_DTYPE_U8, &shape, 0, NULL, &source),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_view_init(to, HOIST_DTYPE_U8, &shape, 0, &step, &m.destination),
                        HOIST_OK);
        memset(from.data, 1, SIZE - 1);
        from.data[SIZE - 1] = 9;
        HOIST_EXPECT_EQ(t, hoist_move_prepare(&m, &plan), HOIST_OK);
        hoist_status status = HOIST_CANCELLED;
        for (uint64_t part = 1; status == HOIST_CANCELLED && part < 9; part++) {
            status = hoist_move_run(kernels, &plan, 0, plan.units, hoist_allocator_system(), &stop);
            HOIST_EXPECT_EQ(t, stop.done, step ? 0 : part * EVERY);
        }
        HOIST_EXPECT_EQ(t, status, HOIST_OK);
        HOIST_EXPECT_EQ(t, questions, step ? 0 : SIZE / EVERY - 1);
        HOIST_EXPECT_EQ(t, to.data[step ? SIZE - 1 : 0], 9);
    }
}

enum { TILES = 4 };

static float tile_store[3][TILES * HOIST_TILE_FLOATS];

static void number_tiles(void)
{
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
            tile_store[s][i] = (float)(s * 100000 + i);
        }
    }
    memset(tile_store[2], 0xff, sizeof tile_store[2]);
}

static void expect_tile(hoist_test *t, size_t at, float first, float last)
{
    const float *tile = tile_store[2] + at * HOIST_TILE_FLOATS;
    HOIST_EXPECT(t, tile[0] == first);
    HOIST_EXPECT(t, tile[HOIST_TILE_FLOATS - 1] == last);
}

HOIST_TEST(tiles_by_table)
{
    static const int32_t map[] = {5, -1, 2, 3};
    static const uint32_t reversed[] = {3, 2, 1, 0};
    static const uint32_t holes[] = {1, HOIST_TILE_ZERO};
    const hoist_tiles sources[] = {{tile_store[0], reversed, {1, 2, 2}},
                                   {tile_store[1], holes, {1, 1, 2}}};
    number_tiles();
    const hoist_tile_move m = {.destination = {tile_store[2], reversed, {2, 2, 1}},
                               .sources = sources,
                               .source_count = 2,
                               .table = map,
                               .fill = -7};
    hoist_move_tiles(&m, 2, 4);
    hoist_move_tiles(&m, 0, 2);
    expect_tile(t, 3, 0, 0); // tile 1 of the second source
    expect_tile(t, 2, -7, -7);
    expect_tile(t, 1, 1024, 2047); // tile 2 of the first stands at 1
    expect_tile(t, 0, 0, 1023);
}

HOIST_TEST(tiles_in_order)
{
    const hoist_tiles source = {tile_store[1], NULL, {1, 1, TILES}};
    number_tiles();
    const hoist_tile_move m = {
        .destination = {tile_store[2], NULL, {1, 1, TILES}}, .sources = &source, .source_count = 1};
    hoist_move_tiles(&m, 0, TILES);
    HOIST_EXPECT(t, memcmp((const void *)tile_store[2], (const void *)tile_store[1],
                           sizeof tile_store[1]) == 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(folds), HOIST_TEST_ROW(copy_keeps_bits),
                HOIST_TEST_ROW(transpose_and_strides), HOIST_TEST_ROW(table),
                HOIST_TEST_ROW(overlap), HOIST_TEST_ROW(element_counts),
                HOIST_TEST_ROW(one_element), HOIST_TEST_ROW(how_copies_are_done),
                HOIST_TEST_ROW(what_streams), HOIST_TEST_ROW(no_stream_across_itself),
                HOIST_TEST_ROW(large_copies_stream),
                HOIST_TEST_ROW(long_moves_stop_where_memory_is_no_bound),
                HOIST_TEST_ROW(tiles_by_table), HOIST_TEST_ROW(tiles_in_order))
