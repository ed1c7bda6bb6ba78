// Lines of elements against the view's own loads and stores, one element after the other.
#include <math.h>
#include <string.h>

#include "kernels/elements.h"
#include "tensor/convert.h"
#include "tensor/element.h"
#include "tensor/float_bits.h"
#include "tensor/view_testing.h"
#include "testing/test.h"

enum { BYTES = 4096, MOST = 512 };

// Strides in elements.
static const struct {
    const char *name;
    int rank;
    int64_t dim[4];
    int64_t stride[4];
    int64_t offset; // elements
} shapes[] = {
    {"one element", 0, {0}, {0}, 3},
    {"a line", 1, {7}, {1}, 0},
    {"every third", 1, {9}, {3}, 5},
    {"backwards", 1, {9}, {-2}, 20},
    {"one element again and again", 1, {6}, {0}, 4},
    {"rows with gaps", 2, {4, 5}, {8, 1}, 2},
    {"columns", 2, {4, 5}, {1, 4}, 0},
    {"rows from the last", 2, {4, 5}, {-5, 1}, 15},
    {"one row for all", 2, {3, 6}, {0, 1}, 1},
    {"of one column", 2, {6, 1}, {2, 9}, 1},
    {"cubes", 3, {3, 2, 4}, {16, 8, 2}, 0},
    {"all the other way", 3, {3, 2, 4}, {-1, -6, -12}, 60},
    {"four", 4, {2, 3, 2, 3}, {60, 20, 6, 2}, 4},
    {"nothing", 2, {3, 0}, {1, 1}, 0},
};

static const hoist_dtype sizes[] = {HOIST_DTYPE_U8, HOIST_DTYPE_I16, HOIST_DTYPE_F32,
                                    HOIST_DTYPE_I64};

static hoist_view view_of(hoist_test *t, size_t shape, hoist_dtype dtype, uint8_t *memory)
{
    hoist_view view;
    hoist_shape dims = {.rank = shapes[shape].rank};
    int64_t stride[HOIST_MAX_RANK] = {0};
    const int64_t size = (int64_t)hoist_element_size(dtype);
    for (int i = 0; i < dims.rank; i++) {
        dims.dim[i] = shapes[shape].dim[i];
        stride[i] = shapes[shape].stride[i] * size;
    }
    HOIST_EXPECT_EQ(t,
                    hoist_view_init((hoist_mut_bytes){memory, BYTES}, dtype, &dims,
                                    shapes[shape].offset * size, stride, &view),
                    HOIST_OK);
    return view;
}

static void fill(uint8_t *memory, uint64_t seed)
{
    for (size_t i = 0; i < BYTES; i++) {
        memory[i] = (uint8_t)hoist_test_random(&seed);
    }
}

// All elements in C order; how many.
static size_t load_all(const hoist_view *view, uint64_t *out)
{
    int64_t index[HOIST_MAX_RANK] = {0};
    size_t count = 0;
    if (hoist_shape_count(&view->shape) == 0) {
        return 0;
    }
    do {
        out[count++] = view_load(view, index);
    } while (hoist_shape_next(&view->shape, index));
    return count;
}

// Every part of every view, with the byte behind the line left as it is.
HOIST_TEST(lines_are_the_elements_in_order)
{
    static uint8_t memory[BYTES];
    fill(memory, 1);
    for (size_t i = 0; i < HOIST_COUNT_OF(shapes) * HOIST_COUNT_OF(sizes); i++) {
        const hoist_dtype dtype = sizes[i % HOIST_COUNT_OF(sizes)];
        const size_t size = hoist_element_size(dtype);
        const hoist_view view = view_of(t, i / HOIST_COUNT_OF(sizes), dtype, memory);
        uint64_t all[MOST];
        const size_t count = load_all(&view, all);
        hoist_test_row(t, shapes[i / HOIST_COUNT_OF(sizes)].name);
        HOIST_EXPECT_EQ(t, count, hoist_shape_count(&view.shape));
        for (size_t begin = 0; begin <= count; begin++) {
            for (size_t part = 0; begin + part <= count; part++) {
                uint8_t line[MOST * HOIST_ELEMENT_MAX_SIZE];
                line[part * size] = 0xa5;
                hoist_elements_read(&view, begin, part, line);
                HOIST_EXPECT_EQ(t, line[part * size], 0xa5);
                for (size_t k = 0; k < part; k++) {
                    HOIST_EXPECT_EQ(t, hoist_element_load(line + k * size, size), all[begin + k]);
                }
            }
        }
    }
}

// A part is written where its elements are, and nothing else is. Of elements that share bytes the
// last one stays.
HOIST_TEST(writes_touch_their_elements_only)
{
    static uint8_t memory[BYTES];
    static uint8_t expected[BYTES];
    uint64_t random = 7;
    for (size_t i = 0; i < HOIST_COUNT_OF(shapes) * HOIST_COUNT_OF(sizes); i++) {
        const hoist_dtype dtype = sizes[i % HOIST_COUNT_OF(sizes)];
        const size_t shape = i / HOIST_COUNT_OF(sizes);
        const size_t size = hoist_element_size(dtype);
        hoist_view view = view_of(t, shape, dtype, memory);
        const uint64_t count = (uint64_t)hoist_shape_count(&view.shape);
        const uint64_t begin = hoist_test_random(&random) % (count + 1);
        const uint64_t part = hoist_test_random(&random) % (count - begin + 1);
        uint8_t line[MOST * HOIST_ELEMENT_MAX_SIZE];
        for (size_t k = 0; k < part * size; k++) {
            line[k] = (uint8_t)hoist_test_random(&random);
        }
        fill(memory, 2);
        memcpy(expected, memory, BYTES);
        hoist_elements_write(&view, begin, (size_t)part, line);
        view = view_of(t, shape, dtype, expected);
        int64_t index[HOIST_MAX_RANK] = {0};
        for (uint64_t k = 0; k < begin + part; k++) {
            if (k >= begin) {
                view_store(&view, index, hoist_element_load(line + (k - begin) * size, size));
            }
            (void)hoist_shape_next(&view.shape, index);
        }
        hoist_test_row(t, shapes[shape].name);
        HOIST_EXPECT(t, memcmp(memory, expected, BYTES) == 0);
    }
}

static const float numbers[] = {0.0F,   -0.0F,    1.0F,     -1.0F,     0.5F,   1.5F,
                                2.5F,   -2.5F,    127.0F,   127.5F,    128.0F, -128.5F,
                                255.5F, 65504.0F, 65520.0F, 1e10F,     -1e10F, 1e-40F,
                                3e38F,  32767.5F, INFINITY, -INFINITY, 0.1F,   16777217.0F};

// Types that hold numbers: the slow conversion of each element is the definition.
static const struct {
    const char *name;
    hoist_dtype dtype;
} types[] = {
    {"f32", HOIST_DTYPE_F32}, {"f16", HOIST_DTYPE_F16}, {"bf16", HOIST_DTYPE_BF16},
    {"i8", HOIST_DTYPE_I8},   {"u8", HOIST_DTYPE_U8},   {"i16", HOIST_DTYPE_I16},
    {"u16", HOIST_DTYPE_U16}, {"i32", HOIST_DTYPE_I32},
};

HOIST_TEST_TABLE(conversions_are_those_of_single_elements, types)
{
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    const size_t size = hoist_element_size(row->dtype);
    uint8_t line[sizeof numbers + 1] = {0};
    float back[HOIST_COUNT_OF(numbers) + 1];
    line[HOIST_COUNT_OF(numbers) * size] = 0x5a;
    back[HOIST_COUNT_OF(numbers)] = -77.0F;
    hoist_elements_from_f32(row->dtype, numbers, HOIST_COUNT_OF(numbers), line);
    hoist_elements_to_f32(row->dtype, line, HOIST_COUNT_OF(numbers), back);
    HOIST_EXPECT_EQ(t, line[HOIST_COUNT_OF(numbers) * size], 0x5a);
    HOIST_EXPECT(t, back[HOIST_COUNT_OF(numbers)] == -77.0F);
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        const uint64_t bits = hoist_element_load(line + i * size, size);
        HOIST_EXPECT_EQ(t, bits, hoist_from_f32(row->dtype, numbers[i], nearest));
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(back[i]),
                        hoist_f32_to_bits(hoist_to_f32(row->dtype, bits)));
    }
}

// A NaN keeps its bits, quiet or not, on the way there and back.
HOIST_TEST(float32_is_not_converted)
{
    static const uint32_t bits[] = {0x7fc00001, 0x7f800001, 0xffc12345, 0x00000001, 0x80000000};
    float values[HOIST_COUNT_OF(bits)];
    float back[HOIST_COUNT_OF(bits)];
    uint8_t line[sizeof values];
    memcpy(values, bits, sizeof bits);
    hoist_elements_from_f32(HOIST_DTYPE_F32, values, HOIST_COUNT_OF(bits), line);
    hoist_elements_to_f32(HOIST_DTYPE_F32, line, HOIST_COUNT_OF(bits), back);
    for (size_t i = 0; i < HOIST_COUNT_OF(bits); i++) {
        HOIST_EXPECT_EQ(t, hoist_element_load(line + 4 * i, 4), bits[i]);
    }
    HOIST_EXPECT(t, memcmp(back, bits, sizeof bits) == 0);
}

// Extents in elements of float32.
static const struct {
    const char *name;
    int64_t a[3]; // offset, count, stride
    int64_t b[3];
    bool meet;
} pairs[] = {
    {"next to each other", {0, 4, 1}, {4, 4, 1}, false},
    {"one in common", {0, 5, 1}, {4, 4, 1}, true},
    {"the other way round", {4, 4, 1}, {0, 4, 1}, false},
    {"one inside", {0, 9, 1}, {3, 2, 1}, true},
    {"the same", {3, 2, 1}, {3, 2, 1}, true},
    {"backwards up to it", {7, 4, -1}, {0, 4, 1}, false},
    {"backwards into it", {6, 4, -1}, {0, 4, 1}, true},
    {"in the gaps: not known", {0, 4, 2}, {1, 4, 2}, true},
    {"nothing", {0, 0, 1}, {0, 4, 1}, false},
    {"of nothing", {2, 3, 1}, {3, 0, 1}, false},
    {"one element of many", {5, 6, 0}, {6, 4, 1}, false},
};

HOIST_TEST_TABLE(extents_meet, pairs)
{
    static uint8_t memory[BYTES];
    const int64_t *const numbers_of[] = {row->a, row->b};
    hoist_view views[2];
    for (size_t i = 0; i < 2; i++) {
        const hoist_shape shape = {.rank = 1, .dim = {numbers_of[i][1]}};
        const int64_t stride[HOIST_MAX_RANK] = {4 * numbers_of[i][2]};
        HOIST_EXPECT_EQ(t,
                        hoist_view_init((hoist_mut_bytes){memory, BYTES}, HOIST_DTYPE_F32, &shape,
                                        4 * numbers_of[i][0], stride, &views[i]),
                        HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_elements_may_overlap(&views[0], &views[1]), row->meet);
    HOIST_EXPECT_EQ(t, hoist_elements_may_overlap(&views[1], &views[0]), row->meet);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(lines_are_the_elements_in_order),
                HOIST_TEST_ROW(writes_touch_their_elements_only),
                HOIST_TEST_ROW(conversions_are_those_of_single_elements),
                HOIST_TEST_ROW(float32_is_not_converted), HOIST_TEST_ROW(extents_meet))
