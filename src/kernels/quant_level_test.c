// The 8-bit kernels of every level of this machine against the reference functions, bit for bit,
// on random geometry.
#include <string.h>

#include "base/reader.h"
#include "kernels/quant.h"
#include "os/cpu.h"
#include "testing/test.h"

// Draws from [low, high].
static int64_t draw(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(hoist_test_random(state) % (uint64_t)(high - low + 1));
}

static bool chance(uint64_t *state, int64_t one_in)
{
    return draw(state, 1, one_in) == 1;
}

// Blocks of exactly their size, so that a sanitizer sees what is read or written beyond.
static uint8_t *block_of(hoist_test *t, size_t size)
{
    uint8_t *zeros = hoist_arena_alloc(&t->arena, size);
    memset(zeros, 0, size);
    const hoist_bytes bytes = hoist_test_exact(t, (hoist_bytes){zeros, size});
    return (uint8_t *)(uintptr_t)bytes.data;
}

static void fill(uint64_t *state, uint8_t *data, size_t size)
{
    const int64_t kind = draw(state, 0, 5);
    for (size_t i = 0; i < size; i++) {
        const uint8_t extreme = chance(state, 2) ? 0x80 : 0x7f;
        data[i] = kind == 0 ? extreme : kind == 1 ? 0xff : (uint8_t)hoist_test_random(state);
    }
}

// Strides of [n, h, w, c] with gaps behind pixels, rows and images; returns the bytes they span.
static size_t draw_strides(uint64_t *state, const int64_t dim[4], int64_t out[4])
{
    const bool gaps = chance(state, 3);
    out[3] = 1;
    for (size_t i = 3; i-- > 0;) {
        out[i] = out[i + 1] * dim[i + 1] + (gaps ? draw(state, 0, 5) : 0);
    }
    size_t size = 1;
    for (size_t i = 0; i < 4; i++) {
        size += (size_t)((dim[i] - 1) * out[i]);
    }
    return size;
}

static void draw_scale(hoist_test *t, uint64_t *state, int64_t channels, hoist_quant_conv *conv)
{
    hoist_quant_scale *s = &conv->scale;
    const int64_t least = conv->is_signed ? -128 : 0;
    s->is_float = chance(state, 4);
    s->is_single = !s->is_float && chance(state, 3);
    s->count = chance(state, 2) ? 1 : channels;
    s->stride[0] = s->is_float ? 4 : 8;
    s->stride[1] = s->is_float ? 0 : 4;
    uint8_t *numbers = block_of(t, (size_t)(s->count * s->stride[0]));
    const bool wild = chance(state, 6);
    for (int64_t p = 0; p < s->count; p++) {
        uint8_t *pair = numbers + p * s->stride[0];
        if (s->is_float) {
            const float scale = (float)draw(state, 1, 1 << 20) * (wild ? 1e30F : 0x1p-28F);
            uint32_t bits;
            memcpy(&bits, &scale, sizeof bits);
            hoist_store_u32le(pair, bits);
        } else {
            const int64_t multiplier = wild && chance(state, 2) ? draw(state, 0, 1 << 30)
                                                                : draw(state, 1 << 30, INT32_MAX);
            const int64_t shift = wild ? draw(state, -31, 30) : draw(state, -12, -3);
            hoist_store_u32le(pair, (uint32_t)multiplier);
            hoist_store_u32le(pair + 4, (uint32_t)(int32_t)shift);
        }
    }
    s->numbers = numbers;
    s->zero_out = (int32_t)draw(state, least, least + 255);
    s->low = (int32_t)draw(state, least, s->zero_out);
    s->high = (int32_t)draw(state, s->zero_out, least + 255);
    s->low_f32 = (float)(s->low - s->zero_out);
    s->high_f32 =
        (float)(s->high - s->zero_out) - (chance(state, 2) && s->high > s->zero_out ? 0.25F : 0);
}

// Sizes that kernels have a way of their own for come often.
static int64_t draw_channels(uint64_t *state, int64_t most)
{
    static const int64_t common[] = {1, 3, 4, 8, 16, 24, 32, 64, 96, 128, 192, 256, 320};
    const int64_t c =
        chance(state, 2) ? common[draw(state, 0, HOIST_COUNT_OF(common) - 1)] : draw(state, 1, 150);
    return c < most ? c : most;
}

static void draw_window(uint64_t *state, hoist_quant_conv *conv)
{
    static const int64_t kernels[] = {1, 1, 3, 3, 3, 2, 5};
    const size_t last = HOIST_COUNT_OF(kernels) - 1;
    conv->kh = kernels[draw(state, 0, (int64_t)last)];
    conv->kw = chance(state, 4) ? kernels[draw(state, 0, (int64_t)last)] : conv->kh;
    conv->stride_h = draw(state, 1, 3);
    conv->stride_w = chance(state, 4) ? draw(state, 1, 3) : conv->stride_h;
    conv->dilation_h = chance(state, 5) ? draw(state, 1, 3) : 1;
    conv->dilation_w = chance(state, 5) ? draw(state, 1, 3) : 1;
    conv->pad_top = chance(state, 2) ? 0 : draw(state, 0, 3);
    conv->pad_left = chance(state, 2) ? 0 : draw(state, 0, 3);
    conv->h = draw(state, 1, 9);
    conv->w = draw(state, 1, 17);
    conv->oh = draw(state, 1, 5);
    conv->ow = draw(state, 1, 15);
}

// Takes positions away from a convolution whose products would take long in sanitized builds.
static void limit_work(hoist_quant_conv *conv)
{
    const int64_t most = 40000;
    const int64_t each = conv->o * conv->kh * conv->kw * conv->i * conv->n;
    conv->oh = each * conv->ow * conv->oh > most ? 2 : conv->oh;
    while (conv->ow > 1 && each * conv->ow * conv->oh > most) {
        conv->ow--;
    }
}

static void draw_tensors(hoist_test *t, uint64_t *state, hoist_quant_conv *conv)
{
    const int64_t x_dim[4] = {conv->n, conv->h, conv->w, conv->c};
    const int64_t y_dim[4] = {conv->n, conv->oh, conv->ow, conv->o};
    const size_t x_size = draw_strides(state, x_dim, conv->x_stride);
    uint8_t *x = block_of(t, x_size);
    fill(state, x, x_size);
    conv->x = x;
    (void)draw_strides(state, y_dim, conv->y_stride);

    const int64_t taps = conv->kh * conv->kw;
    const int64_t inner = conv->is_depthwise ? conv->o : conv->i;
    const size_t weight_size = (size_t)(taps * (conv->is_depthwise ? conv->o : conv->i * conv->o));
    uint8_t *weights = block_of(t, weight_size);
    fill(state, weights, weight_size);
    conv->weights = weights;
    const int64_t strides[4] = {taps * inner, conv->kw * inner, inner, 1};
    memcpy(conv->weight_stride, strides, sizeof strides);

    uint8_t *bias = block_of(t, (size_t)conv->o * 4);
    const bool wild = chance(state, 8);
    for (int64_t o = 0; o < conv->o; o++) {
        const uint64_t r = hoist_test_random(state);
        hoist_store_u32le(bias + 4 * o, wild ? (uint32_t)r : (uint32_t)(r % 20000) - 10000);
    }
    conv->bias = bias;
    conv->bias_stride = 4;
}

static hoist_quant_conv draw_conv(hoist_test *t, uint64_t *state, bool is_depthwise)
{
    hoist_quant_conv conv = {.is_signed = chance(state, 2), .is_depthwise = is_depthwise};
    draw_window(state, &conv);
    conv.n = chance(state, 3) ? draw(state, 1, 3) : 1;
    conv.c = draw_channels(state, 320);
    if (is_depthwise) {
        const int64_t multiple = chance(state, 4) ? draw(state, 2, 4) : 1;
        conv.o = conv.c * multiple;
        conv.i = 1;
    } else {
        conv.o = draw_channels(state, 200);
        conv.i = conv.c;
        const int64_t most = 40000 / (conv.kh * conv.kw * conv.c) + 1;
        conv.o = conv.o < most ? conv.o : most;
        if (chance(state, 12)) { // groups
            const int64_t groups = draw(state, 2, 3);
            conv.i = (conv.c + groups - 1) / groups;
            conv.c = conv.i * groups;
            conv.o = (conv.o + groups - 1) / groups * groups;
        }
    }
    limit_work(&conv);
    const int32_t least = conv.is_signed ? -128 : 0;
    conv.zero_in = (int32_t)draw(state, least, least + 255);
    conv.zero_weight =
        conv.is_signed && chance(state, 2) ? 0 : (int32_t)draw(state, least, least + 255);
    draw_scale(t, state, conv.o, &conv);
    draw_tensors(t, state, &conv);
    return conv;
}

static size_t span_of(const hoist_quant_conv *conv)
{
    return (size_t)((conv->n - 1) * conv->y_stride[0] + (conv->oh - 1) * conv->y_stride[1] +
                    (conv->ow - 1) * conv->y_stride[2] + conv->o);
}

static void describe(hoist_test *t, hoist_cpu_level level, const hoist_quant_conv *c, size_t at)
{
    hoist_test_fail(
        t, __FILE__, __LINE__,
        "%s: byte %zu of y differs; depthwise %d signed %d float %d single %d n %d, %dx%dx%d, "
        "kernel %dx%d, out %dx%dx%d, stride %d %d pad %d %d dilation %d %d zeros %d %d",
        hoist_cpu_level_name(level), at, c->is_depthwise, c->is_signed, c->scale.is_float,
        c->scale.is_single, (int)c->n, (int)c->h, (int)c->w, (int)c->c, (int)c->kh, (int)c->kw,
        (int)c->oh, (int)c->ow, (int)c->o, (int)c->stride_h, (int)c->stride_w, (int)c->pad_top,
        (int)c->pad_left, (int)c->dilation_h, (int)c->dilation_w, c->zero_in, c->zero_weight);
}

static uint8_t *prepared_of(hoist_test *t, hoist_cpu_level level, const hoist_quant_conv *conv)
{
    const hoist_quant_kernels *kernels = hoist_quant_kernels_at(level);
    const size_t size = kernels->prepared_size(conv);
    if (size == 0) {
        return NULL;
    }
    uint8_t *block = block_of(t, size + HOIST_QUANT_PREPARED_ALIGNMENT);
    const size_t over = (uintptr_t)block % HOIST_QUANT_PREPARED_ALIGNMENT;
    uint8_t *prepared = block + HOIST_QUANT_PREPARED_ALIGNMENT - over;
    kernels->prepare(conv, prepared);
    return prepared;
}

// Runs `conv` at a level, cut in two somewhere, and compares every byte of y and of its gaps.
static void expect_same(hoist_test *t, hoist_cpu_level level, hoist_quant_conv *conv,
                        const uint8_t *expected, size_t cut)
{
    const size_t size = span_of(conv);
    const size_t units = hoist_quant_conv_units(conv);
    const hoist_quant_kernels *k = hoist_quant_kernels_at(level);
    const uint8_t *prepared = prepared_of(t, level, conv);
    uint8_t *y = block_of(t, size);
    conv->y = y;
    (conv->is_depthwise ? k->depthwise : k->conv)(conv, prepared, cut, units);
    (conv->is_depthwise ? k->depthwise : k->conv)(conv, prepared, 0, cut);
    size_t at = 0;
    while (at < size && y[at] == expected[at]) {
        at++;
    }
    if (at < size) {
        describe(t, level, conv, at);
    }
}

static void compare_levels(hoist_test *t, uint64_t *state, bool is_depthwise)
{
    const hoist_cpu_level machine = hoist_cpu_detect();
    hoist_quant_conv conv = draw_conv(t, state, is_depthwise);
    uint8_t *expected = block_of(t, span_of(&conv));
    conv.y = expected;
    const size_t units = hoist_quant_conv_units(&conv);
    (is_depthwise ? hoist_quant_depthwise_reference : hoist_quant_conv_reference)(&conv, NULL, 0,
                                                                                  units);
    const size_t cut = (size_t)draw(state, 0, (int64_t)units);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= machine; level++) {
        expect_same(t, level, &conv, expected, cut);
    }
}

// A fresh test per geometry, which frees its blocks.
static void compare_many(hoist_test *t, bool is_depthwise, size_t rounds)
{
    for (size_t round = 0; round < HOIST_TEST_ROUNDS(rounds) && t->failures == 0; round++) {
        uint64_t state = round * 2 + is_depthwise;
        hoist_test one;
        hoist_test_begin(&one);
        compare_levels(&one, &state, is_depthwise);
        t->failures += one.failures;
        one.failures = 0;
        hoist_test_end(&one);
    }
}

// Elsewhere no call is plain, and none reaches these kernels.
static void want_little_endian(hoist_test *t)
{
    if (!hoist_is_little_endian()) {
        hoist_test_skip(t, "fast convolutions are for little-endian machines");
    }
}

HOIST_TEST(convolutions_equal_the_reference)
{
    want_little_endian(t);
    compare_many(t, false, 1200);
}

HOIST_TEST(depthwise_convolutions_equal_the_reference)
{
    want_little_endian(t);
    compare_many(t, true, 1200);
}

// Pools -----------------------------------------------------------------------------------------

static hoist_quant_pool draw_pool(hoist_test *t, uint64_t *state)
{
    hoist_quant_pool pool = {
        .is_signed = chance(state, 2),
        .n = draw(state, 1, 2),
        .h = draw(state, 1, 9),
        .w = draw(state, 1, 9),
        .c = draw_channels(state, 320),
        .stride_h = draw(state, 1, 3),
        .stride_w = draw(state, 1, 3),
        .kh = draw(state, 1, 8),
        .kw = draw(state, 1, 8),
    };
    pool.pad_top = draw(state, 0, pool.kh - 1);
    pool.pad_left = draw(state, 0, pool.kw - 1);
    // Every window has a position of the image in it.
    pool.oh = (pool.h - 1 + pool.pad_top) / pool.stride_h + 1;
    pool.ow = (pool.w - 1 + pool.pad_left) / pool.stride_w + 1;
    const int32_t least = pool.is_signed ? -128 : 0;
    pool.low = chance(state, 2) ? least : (int32_t)draw(state, least, least + 255);
    pool.high = chance(state, 2) ? least + 255 : (int32_t)draw(state, pool.low, least + 255);
    const int64_t dim[4] = {pool.n, pool.h, pool.w, pool.c};
    const size_t size = draw_strides(state, dim, pool.x_stride);
    uint8_t *x = block_of(t, size);
    fill(state, x, size);
    pool.x = x;
    return pool;
}

static void compare_pools(hoist_test *t, uint64_t *state, bool is_average)
{
    hoist_quant_pool pool = draw_pool(t, state);
    const int64_t dim[4] = {pool.n, pool.oh, pool.ow, pool.c};
    const size_t size = draw_strides(state, dim, pool.y_stride);
    const size_t units = hoist_quant_pool_units(&pool);
    const size_t cut = (size_t)draw(state, 0, (int64_t)units);
    uint8_t *expected = block_of(t, size);
    pool.y = expected;
    (is_average ? hoist_quant_average_pool_reference : hoist_quant_max_pool_reference)(&pool, 0,
                                                                                       units);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_quant_kernels *k = hoist_quant_kernels_at(level);
        uint8_t *y = block_of(t, size);
        pool.y = y;
        (is_average ? k->average_pool : k->max_pool)(&pool, cut, units);
        (is_average ? k->average_pool : k->max_pool)(&pool, 0, cut);
        if (memcmp(y, expected, size) != 0) {
            hoist_test_fail(t, __FILE__, __LINE__,
                            "%s: average %d signed %d %dx%dx%d, window %dx%d",
                            hoist_cpu_level_name(level), is_average, pool.is_signed, (int)pool.h,
                            (int)pool.w, (int)pool.c, (int)pool.kh, (int)pool.kw);
        }
    }
}

HOIST_TEST(pools_equal_the_reference)
{
    for (size_t round = 0; round < HOIST_TEST_ROUNDS(1200) && t->failures == 0; round++) {
        uint64_t state = round;
        hoist_test one;
        hoist_test_begin(&one);
        compare_pools(&one, &state, round % 2 == 0);
        t->failures += one.failures;
        one.failures = 0;
        hoist_test_end(&one);
    }
}

// A window of more positions than the fast kernels divide by.
HOIST_TEST(a_pool_of_a_large_window)
{
    enum { EDGE = 300, SIZE = EDGE * EDGE };
    uint8_t *x = block_of(t, SIZE);
    memset(x, 0xff, SIZE);
    uint8_t y = 0;
    const hoist_quant_pool pool = {
        .n = 1,
        .h = EDGE,
        .w = EDGE,
        .c = 1,
        .kh = EDGE,
        .kw = EDGE,
        .oh = 1,
        .ow = 1,
        .stride_h = 1,
        .stride_w = 1,
        .high = 255,
        .x = x,
        .x_stride = {SIZE, EDGE, 1, 1},
        .y = &y,
        .y_stride = {1, 1, 1, 1},
    };
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        hoist_quant_kernels_at(level)->average_pool(&pool, 0, 1);
        HOIST_EXPECT_EQ(t, y, 255);
        y = 0;
    }
}

// What nothing is prepared for is done by the reference.
HOIST_TEST(shapes_without_a_prepared_form)
{
    static const hoist_quant_conv cases[] = {
        {.c = 4, .i = 2, .o = 2, .kh = 1, .kw = 1},                               // groups
        {.c = 1, .i = 1, .o = 1, .kh = 1, .kw = 1, .zero_in = 256},               // of no u8
        {.c = 1, .i = 1, .o = 1, .kh = 1, .kw = 1, .zero_weight = -1},            // of no u8
        {.c = 1, .i = 1, .o = 1, .kh = 12, .kw = 12, .is_depthwise = true},       // many taps
        {.c = 10000, .i = 1, .o = 10000, .kh = 1, .kw = 1, .is_depthwise = true}, // many channels
    };
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
            HOIST_EXPECT_EQ(t, hoist_quant_kernels_at(level)->prepared_size(&cases[i]), 0);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(convolutions_equal_the_reference),
                HOIST_TEST_ROW(depthwise_convolutions_equal_the_reference),
                HOIST_TEST_ROW(pools_equal_the_reference), HOIST_TEST_ROW(a_pool_of_a_large_window),
                HOIST_TEST_ROW(shapes_without_a_prepared_form))
