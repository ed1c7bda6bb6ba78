// Convolutions and pools as they are defined, one output after the other (TFLite kernels reference,
// sections 4.1, 4.4 and 4.5; darwinn reference section 16.7).
#include "base/reader.h"
#include "kernels/quant.h"
#include "kernels/quant_scale.h"
#include "tensor/float_bits.h"

static int32_t number_at(const uint8_t *p, bool is_signed)
{
    return is_signed ? (int8_t)*p : *p;
}

static int32_t word_at(const uint8_t *p)
{
    return (int32_t)hoist_load_u32le(p);
}

int32_t hoist_quant_scale_sum(const hoist_quant_scale *s, int64_t o, int32_t sum)
{
    const uint8_t *row = s->numbers + (s->count == 1 ? 0 : o) * s->stride[0];
    if (s->is_float) {
        // Of edgetpu: one product of floats.
        return hoist_quant_place_f32(sum, hoist_f32_from_bits(hoist_load_u32le(row)), s->zero_out,
                                     s->low_f32, s->high_f32);
    }
    const int32_t multiplier = word_at(row);
    const int32_t shift = word_at(row + s->stride[1]);
    // Scaled with one rounding or two, as the row says.
    const int32_t x = s->is_single ? hoist_fixed_scale_single(sum, multiplier, shift)
                                   : hoist_fixed_scale(sum, multiplier, shift);
    return hoist_quant_place(x, s->zero_out, s->low, s->high);
}

// Where an output is.
typedef struct position {
    int64_t image, oy, ox;
} position;

// The byte at four indices.
static const uint8_t *element(const uint8_t *base, const int64_t stride[4], int64_t a, int64_t b,
                              int64_t c, int64_t d)
{
    return base + a * stride[0] + b * stride[1] + c * stride[2] + d * stride[3];
}

// Channels [first, first + c->i) of x at one tap, times the weights that begin at `weights`.
static int32_t tap_sum(const hoist_quant_conv *c, const uint8_t *x, const uint8_t *weights)
{
    int32_t sum = 0;
    for (int64_t j = 0; j < c->i; j++) {
        sum += (number_at(x + j * c->x_stride[3], c->is_signed) - c->zero_in) *
               (number_at(weights + j * c->weight_stride[3], c->is_signed) - c->zero_weight);
    }
    return sum;
}

// The sum of all taps inside the image for output channel `o`, and its bias.
static int32_t window_sum(const hoist_quant_conv *c, position at, int64_t o)
{
    // Outputs that read the same channels, and the first of these.
    const int64_t per_group = c->is_depthwise ? c->o / c->c : c->o / (c->c / c->i);
    const int64_t first = o / per_group * c->i;
    int32_t sum = 0;
    for (int64_t ky = 0; ky < c->kh; ky++) {
        // Rows and columns outside of the image add nothing.
        const int64_t iy = at.oy * c->stride_h - c->pad_top + c->dilation_h * ky;
        for (int64_t kx = 0; iy >= 0 && iy < c->h && kx < c->kw; kx++) {
            const int64_t ix = at.ox * c->stride_w - c->pad_left + c->dilation_w * kx;
            if (ix >= 0 && ix < c->w) {
                sum +=
                    tap_sum(c, element(c->x, c->x_stride, at.image, iy, ix, first),
                            c->is_depthwise ? element(c->weights, c->weight_stride, 0, ky, kx, o)
                                            : element(c->weights, c->weight_stride, o, ky, kx, 0));
            }
        }
    }
    // Only the bias may make the sum wrap.
    return hoist_fixed_add(sum, word_at(c->bias + o * c->bias_stride));
}

static uint8_t *output(uint8_t *y, const int64_t stride[4], position at, int64_t o)
{
    return y + at.image * stride[0] + at.oy * stride[1] + at.ox * stride[2] + o * stride[3];
}

// One row of output positions, channels [begin, end).
static void conv_row(const hoist_quant_conv *c, position at, int64_t begin, int64_t end)
{
    for (at.ox = 0; at.ox < c->ow; at.ox++) {
        for (int64_t o = begin; o < end; o++) {
            *output(c->y, c->y_stride, at, o) =
                (uint8_t)hoist_quant_scale_sum(&c->scale, o, window_sum(c, at, o));
        }
    }
}

// Depthwise rows have all channels in one unit.
size_t hoist_quant_conv_units(const hoist_quant_conv *c)
{
    const int64_t blocks = (c->o + HOIST_QUANT_BLOCK - 1) / HOIST_QUANT_BLOCK;
    return (size_t)((c->is_depthwise ? 1 : blocks) * c->n * c->oh);
}

size_t hoist_quant_pool_units(const hoist_quant_pool *pool)
{
    return (size_t)(pool->n * pool->oh);
}

void hoist_quant_conv_reference(const hoist_quant_conv *c, const uint8_t *prepared, size_t begin,
                                size_t end)
{
    (void)prepared;
    for (size_t unit = begin; unit < end; unit++) {
        // Units go down all images, then to the next block of channels.
        const int64_t row = (int64_t)unit % (c->n * c->oh);
        const int64_t first = (int64_t)unit / (c->n * c->oh) * HOIST_QUANT_BLOCK;
        const int64_t last = c->o - first < HOIST_QUANT_BLOCK ? c->o : first + HOIST_QUANT_BLOCK;
        conv_row(c, (position){row / c->oh, row % c->oh, 0}, first, last);
    }
}

void hoist_quant_depthwise_reference(const hoist_quant_conv *c, const uint8_t *prepared,
                                     size_t begin, size_t end)
{
    (void)prepared;
    for (size_t unit = begin; unit < end; unit++) {
        const int64_t row = (int64_t)unit;
        conv_row(c, (position){row / c->oh, row % c->oh, 0}, 0, c->o);
    }
}

// Pools -----------------------------------------------------------------------------------------

// The part of a window along one axis that is inside the image: [begin, end), never empty.
typedef struct span {
    int64_t begin, end;
} span;

static span inside(int64_t out, int64_t stride, int64_t pad, int64_t kernel, int64_t in)
{
    const int64_t begin = out * stride - pad;
    const int64_t end = begin + kernel;
    return (span){begin < 0 ? 0 : begin, end > in ? in : end};
}

// What a window has inside the image.
typedef struct window {
    span rows, cols;
} window;

static window window_of(const hoist_quant_pool *p, position at)
{
    return (window){inside(at.oy, p->stride_h, p->pad_top, p->kh, p->h),
                    inside(at.ox, p->stride_w, p->pad_left, p->kw, p->w)};
}

// A number of the image under a window.
static int32_t pool_number(const hoist_quant_pool *p, int64_t image, int64_t iy, int64_t ix,
                           int64_t channel)
{
    return number_at(element(p->x, p->x_stride, image, iy, ix, channel), p->is_signed);
}

// Halves go up in unsigned numbers, away from zero in signed ones.
static int32_t average_of(const hoist_quant_pool *p, position at, int64_t channel)
{
    const window w = window_of(p, at);
    const int32_t n = (int32_t)((w.rows.end - w.rows.begin) * (w.cols.end - w.cols.begin));
    int32_t sum = 0;
    for (int64_t iy = w.rows.begin; iy < w.rows.end; iy++) {
        for (int64_t ix = w.cols.begin; ix < w.cols.end; ix++) {
            sum += pool_number(p, at.image, iy, ix, channel);
        }
    }
    // Division cuts off: half of it goes on top before.
    return (sum > 0 ? sum + n / 2 : sum - n / 2) / n;
}

// The greatest number under a window, which has one at least.
static int32_t greatest_of(const hoist_quant_pool *p, position at, int64_t channel)
{
    const window w = window_of(p, at);
    int32_t most = INT32_MIN;
    for (int64_t iy = w.rows.begin; iy < w.rows.end; iy++) {
        for (int64_t ix = w.cols.begin; ix < w.cols.end; ix++) {
            const int32_t x = pool_number(p, at.image, iy, ix, channel);
            most = x > most ? x : most;
        }
    }
    return most;
}

// Rows of the output, each by `fold`.
static void pool_rows(const hoist_quant_pool *p, size_t begin, size_t end,
                      int32_t (*fold)(const hoist_quant_pool *, position, int64_t))
{
    for (size_t unit = begin; unit < end; unit++) {
        position at = {(int64_t)unit / p->oh, (int64_t)unit % p->oh, 0};
        for (; at.ox < p->ow; at.ox++) {
            for (int64_t channel = 0; channel < p->c; channel++) {
                *output(p->y, p->y_stride, at, channel) =
                    (uint8_t)hoist_quant_place(fold(p, at, channel), 0, p->low, p->high);
            }
        }
    }
}

void hoist_quant_average_pool_reference(const hoist_quant_pool *pool, size_t begin, size_t end)
{
    pool_rows(pool, begin, end, average_of);
}

void hoist_quant_max_pool_reference(const hoist_quant_pool *pool, size_t begin, size_t end)
{
    pool_rows(pool, begin, end, greatest_of);
}
