// 8-bit pools. Plain loops over runs of channels: compilers make vectors of them, and no network
// spends much here (the one pool of MobileNet v1 takes 0.1 % of its time).
//
// Averages: with s = |sum| + n / 2 below 2^24 the quotient of the floats s and n, cut off, is that
// of the integers. Were it not, s / n = q - r / n would be rounded up to the integer q;
// but r / n is at least 1 / n, and half a step of floats below q is at most q / 2^25 < 1 / n, as
// q n <= s + n < 2^25.
#include <string.h>

#include "kernels/quant_table.h"

#define RUN 64
#define LARGEST_WINDOW (1 << 16) // n * 255 + n / 2 < 2^24

// The part of the image under a window, in bytes of x and positions.
typedef struct window {
    const uint8_t *x;
    int64_t rows;
    int64_t cols;
} window;

typedef void fold_fn(const hoist_quant_pool *pool, const window *w, size_t count, uint8_t *y);

// Both ends of a window are cut at the image.
static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static window window_at(const hoist_quant_pool *pool, int64_t image, int64_t oy, int64_t ox)
{
    const int64_t top = larger(oy * pool->stride_h - pool->pad_top, 0);
    const int64_t left = larger(ox * pool->stride_w - pool->pad_left, 0);
    const int64_t bottom = smaller(oy * pool->stride_h - pool->pad_top + pool->kh, pool->h);
    const int64_t right = smaller(ox * pool->stride_w - pool->pad_left + pool->kw, pool->w);
    return (window){pool->x + image * pool->x_stride[0] + top * pool->x_stride[1] +
                        left * pool->x_stride[2],
                    bottom - top, right - left};
}

// Adds or compares `count` channels, at most RUN, of what lies under a window.
static void add_window(const hoist_quant_pool *pool, const window *w, size_t count,
                       int32_t sum[RUN])
{
    memset(sum, 0, RUN * sizeof *sum);
    for (int64_t row = 0; row < w->rows; row++) {
        for (int64_t col = 0; col < w->cols; col++) {
            const uint8_t *x = w->x + row * pool->x_stride[1] + col * pool->x_stride[2];
            for (size_t i = 0; i < count && pool->is_signed; i++) {
                sum[i] += (int8_t)x[i];
            }
            for (size_t i = 0; i < count && !pool->is_signed; i++) {
                sum[i] += x[i];
            }
        }
    }
}

// The mean of each channel, half away from zero.
static void average(const hoist_quant_pool *pool, const window *w, size_t count, uint8_t *y)
{
    int32_t sum[RUN];
    add_window(pool, w, count, sum);
    const int32_t n = (int32_t)(w->rows * w->cols);
    for (size_t i = 0; i < count; i++) {
        const int32_t up = sum[i] < 0 ? sum[i] - n / 2 : sum[i] + n / 2;
        const int32_t quotient = (int32_t)((float)up / (float)n);
        const int32_t low = quotient < pool->low ? pool->low : quotient;
        y[i] = (uint8_t)(low > pool->high ? pool->high : low);
    }
}

// A plain loop of bytes, which compilers make vectors of.
static void fold_max(const uint8_t *x, size_t count, uint8_t flip, uint8_t most[RUN])
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t value = x[i] ^ flip;
        most[i] = value > most[i] ? value : most[i];
    }
}

// In u8 = i8 + 128, so that 0 is below everything.
static void greatest(const hoist_quant_pool *pool, const window *w, size_t count, uint8_t *y)
{
    const uint8_t flip = pool->is_signed ? 0x80 : 0;
    const uint8_t low = (uint8_t)pool->low ^ flip;
    const uint8_t high = (uint8_t)pool->high ^ flip;
    uint8_t most[RUN];
    // What begins with the lower limit cannot fall below it.
    memset(most, low, sizeof most);
    for (int64_t row = 0; row < w->rows; row++) {
        for (int64_t col = 0; col < w->cols; col++) {
            const uint8_t *x = w->x + row * pool->x_stride[1] + col * pool->x_stride[2];
            fold_max(x, count, flip, most);
        }
    }
    for (size_t i = 0; i < count; i++) {
        y[i] = (most[i] > high ? high : most[i]) ^ flip;
    }
}

// Rows of the output, some channels of a position at a time.
static void run_rows(const hoist_quant_pool *pool, size_t begin, size_t end, fold_fn *fold)
{
    for (size_t unit = begin; unit < end; unit++) {
        const int64_t image = (int64_t)unit / pool->oh;
        const int64_t oy = (int64_t)unit % pool->oh;
        for (int64_t ox = 0; ox < pool->ow; ox++) {
            window w = window_at(pool, image, oy, ox);
            uint8_t *y = pool->y + image * pool->y_stride[0] + oy * pool->y_stride[1] +
                         ox * pool->y_stride[2];
            for (size_t c = 0; c < (size_t)pool->c; c += RUN) {
                const size_t left = (size_t)pool->c - c;
                fold(pool, &w, left < RUN ? left : RUN, y + c);
                w.x += left < RUN ? left : RUN;
            }
        }
    }
}

void HOIST_LEVEL_NAME(hoist_quant_average_pool)(const hoist_quant_pool *pool, size_t begin,
                                                size_t end)
{
    const int64_t rows = smaller(pool->kh, pool->h);
    if (rows * smaller(pool->kw, pool->w) > LARGEST_WINDOW) {
        hoist_quant_average_pool_reference(pool, begin, end);
        return;
    }
    run_rows(pool, begin, end, average);
}

void HOIST_LEVEL_NAME(hoist_quant_max_pool)(const hoist_quant_pool *pool, size_t begin, size_t end)
{
    run_rows(pool, begin, end, greatest);
}
