// ops/compute_quant_fit.c - the shape rules of the profiles tflite and edgetpu.
#include "ops/compute_quant_fit.h"

#include <math.h>

#include "base/checked.h"
#include "ops/compute_quant.h"

static const char low_above_high[] = "low no greater than high";
static const char sums_too_large[] =
    "fewer products: their sum could leave the 32 bits it is kept in";
static const char row_too_long[] = "at most 2^34 products for a row of the output";
static const char outside_image[] = "windows that all meet the image";
static const char bad_multiplier[] = "a finite multiplier above 0";
static const char bad_limits[] = "finite limits that with zero_out are numbers of y, low first";
static const char bad_scale[] = "a finite scale above 0";

static int64_t extent(const hoist_compute_extents *extents, char letter)
{
    return extents->of[letter - 'A'];
}

static int64_t integer(const hoist_compute_attrs *attrs, size_t index)
{
    return attrs->value[index].integer;
}

static bool is_factor(float number)
{
    return isfinite(number) && number > 0;
}

// The largest size of a number of `dtype` less `zero`.
static int64_t reach(hoist_dtype dtype, int64_t zero)
{
    const int64_t down = zero - hoist_quant_least(dtype);
    const int64_t up = hoist_quant_greatest(dtype) - zero;
    return down > up ? down : up;
}

// True when `count` terms of at most `each` sum to an int32.
static bool sums_fit(int64_t count, int64_t each)
{
    int64_t sum = 0;
    return !hoist_ckd_mul_i64(&sum, count, each) && sum <= INT32_MAX;
}

// A row of outputs, each of `taps` products, is done in one go. No network comes near the limit,
// and a run has to notice when its time is over.
static bool row_fits(int64_t positions, int64_t channels, int64_t taps)
{
    int64_t products = 0;
    return !hoist_ckd_mul_i64(&products, positions * channels, taps) && products <= INT64_C(1)
                                                                                        << 34;
}

// One axis of windows over an image.
typedef struct window_axis {
    int64_t in, out, kernel;
    int64_t stride, pad, dilation;
} window_axis;

// The first and the last window, and so all between, have a position inside the image.
static bool windows_meet(window_axis a)
{
    return a.pad <= (a.kernel - 1) * a.dilation && (a.out - 1) * a.stride - a.pad < a.in;
}

static bool conv_windows_meet(const hoist_compute_attrs *attrs, const hoist_compute_extents *e)
{
    const window_axis down = {extent(e, 'H'),
                              extent(e, 'P'),
                              extent(e, 'K'),
                              integer(attrs, HOIST_CONV_STRIDE_H),
                              integer(attrs, HOIST_CONV_PAD_TOP),
                              integer(attrs, HOIST_CONV_DILATION_H)};
    const window_axis across = {extent(e, 'W'),
                                extent(e, 'Q'),
                                extent(e, 'L'),
                                integer(attrs, HOIST_CONV_STRIDE_W),
                                integer(attrs, HOIST_CONV_PAD_LEFT),
                                integer(attrs, HOIST_CONV_DILATION_W)};
    return windows_meet(down) && windows_meet(across);
}

static bool rows_fit(const hoist_compute_extents *e)
{
    return extent(e, 'R') == 1 || extent(e, 'R') == extent(e, 'O');
}

static const char one_row[] = "one row of scales, or one for each output channel";

// Windows, scales and sums of both kinds of convolution; `channels` are in one window.
static const char *fit_windows(const hoist_compute_attrs *attrs,
                               const hoist_compute_operand *operands,
                               const hoist_compute_extents *e, int64_t channels)
{
    const int64_t each = reach(operands[0].dtype, integer(attrs, HOIST_CONV_ZERO_IN)) *
                         reach(operands[1].dtype, integer(attrs, HOIST_CONV_ZERO_WEIGHT));
    int64_t taps = 0;
    if (!rows_fit(e)) {
        return one_row;
    }
    if (!conv_windows_meet(attrs, e)) {
        return outside_image;
    }
    if (hoist_ckd_mul_i64(&taps, extent(e, 'K') * extent(e, 'L'), channels) ||
        !sums_fit(taps, each)) {
        return sums_too_large;
    }
    return row_fits(extent(e, 'Q'), extent(e, 'O'), taps) ? NULL : row_too_long;
}

static const char *fit_conv_shape(const hoist_compute_attrs *attrs,
                                  const hoist_compute_operand *operands,
                                  const hoist_compute_extents *e)
{
    if (extent(e, 'C') % extent(e, 'I') != 0) {
        return "channels of x that those of a window divide";
    }
    if (extent(e, 'O') % (extent(e, 'C') / extent(e, 'I')) != 0) {
        return "output channels that the groups, channels of x over those of a window, divide";
    }
    return fit_windows(attrs, operands, e, extent(e, 'I'));
}

static const char *fit_depthwise_shape(const hoist_compute_attrs *attrs,
                                       const hoist_compute_operand *operands,
                                       const hoist_compute_extents *e)
{
    if (extent(e, 'O') % extent(e, 'C') != 0) {
        return "output channels that the channels of x divide";
    }
    return fit_windows(attrs, operands, e, 1);
}

static const char *fit_dense_shape(const hoist_compute_attrs *attrs,
                                   const hoist_compute_operand *operands,
                                   const hoist_compute_extents *e)
{
    const int64_t each = reach(operands[0].dtype, integer(attrs, HOIST_DENSE_ZERO_IN)) *
                         reach(operands[1].dtype, integer(attrs, HOIST_DENSE_ZERO_WEIGHT));
    if (!rows_fit(e)) {
        return one_row;
    }
    return sums_fit(extent(e, 'I'), each) ? NULL : sums_too_large;
}

static const char *fit_limits(const hoist_compute_attrs *attrs, size_t low, size_t high)
{
    return integer(attrs, low) > integer(attrs, high) ? low_above_high : NULL;
}

// Limits of edgetpu: what they round to, with zero_out, is a number of `dtype`.
static const char *fit_real_limits(const hoist_compute_attrs *attrs, hoist_dtype dtype,
                                   size_t zero_out, size_t low)
{
    const double least = (double)(hoist_quant_least(dtype) - integer(attrs, zero_out));
    const double greatest = (double)(hoist_quant_greatest(dtype) - integer(attrs, zero_out));
    const double from = (double)attrs->value[low].number;
    const double to = (double)attrs->value[low + 1].number;
    return from > least - 0.5 && from <= to && to < greatest + 0.5 ? NULL : bad_limits;
}

const char *hoist_fit_conv(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                           const hoist_compute_extents *e)
{
    const char *wanted = fit_conv_shape(attrs, operands, e);
    return wanted ? wanted : fit_limits(attrs, HOIST_CONV_LOW, HOIST_CONV_HIGH);
}

const char *hoist_fit_depthwise(const hoist_compute_attrs *attrs,
                                const hoist_compute_operand *operands,
                                const hoist_compute_extents *e)
{
    const char *wanted = fit_depthwise_shape(attrs, operands, e);
    return wanted ? wanted : fit_limits(attrs, HOIST_CONV_LOW, HOIST_CONV_HIGH);
}

const char *hoist_fit_dense(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                            const hoist_compute_extents *e)
{
    const char *wanted = fit_dense_shape(attrs, operands, e);
    return wanted ? wanted : fit_limits(attrs, HOIST_DENSE_LOW, HOIST_DENSE_HIGH);
}

const char *hoist_fit_conv_real(const hoist_compute_attrs *attrs,
                                const hoist_compute_operand *operands,
                                const hoist_compute_extents *e)
{
    const char *wanted = fit_conv_shape(attrs, operands, e);
    return wanted ? wanted
                  : fit_real_limits(attrs, operands[4].dtype, HOIST_CONV_ZERO_OUT, HOIST_CONV_LOW);
}

const char *hoist_fit_depthwise_real(const hoist_compute_attrs *attrs,
                                     const hoist_compute_operand *operands,
                                     const hoist_compute_extents *e)
{
    const char *wanted = fit_depthwise_shape(attrs, operands, e);
    return wanted ? wanted
                  : fit_real_limits(attrs, operands[4].dtype, HOIST_CONV_ZERO_OUT, HOIST_CONV_LOW);
}

const char *hoist_fit_dense_real(const hoist_compute_attrs *attrs,
                                 const hoist_compute_operand *operands,
                                 const hoist_compute_extents *e)
{
    const char *wanted = fit_dense_shape(attrs, operands, e);
    return wanted
               ? wanted
               : fit_real_limits(attrs, operands[4].dtype, HOIST_DENSE_ZERO_OUT, HOIST_DENSE_LOW);
}

const char *hoist_fit_sum(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                          const hoist_compute_extents *e)
{
    (void)e;
    const int64_t left = INT64_C(1) << integer(attrs, HOIST_SUM_LEFT);
    if (!sums_fit(left, reach(operands[0].dtype, integer(attrs, HOIST_SUM_ZERO_A))) ||
        !sums_fit(left, reach(operands[1].dtype, integer(attrs, HOIST_SUM_ZERO_B)))) {
        return "a smaller left: shifted numbers could leave 32 bits";
    }
    return fit_limits(attrs, HOIST_SUM_LOW, HOIST_SUM_HIGH);
}

const char *hoist_fit_multiply(const hoist_compute_attrs *attrs,
                               const hoist_compute_operand *operands,
                               const hoist_compute_extents *e)
{
    (void)operands;
    (void)e;
    return fit_limits(attrs, HOIST_MULTIPLY_LOW, HOIST_MULTIPLY_HIGH);
}

const char *hoist_fit_multiply_real(const hoist_compute_attrs *attrs,
                                    const hoist_compute_operand *operands,
                                    const hoist_compute_extents *e)
{
    (void)e;
    if (!is_factor(attrs->value[HOIST_MULTIPLY_MULTIPLIER].number)) {
        return bad_multiplier;
    }
    return fit_real_limits(attrs, operands[2].dtype, HOIST_MULTIPLY_ZERO_OUT, HOIST_MULTIPLY_LOW);
}

static const char *fit_weights(const hoist_compute_attrs *attrs,
                               const hoist_compute_operand *operands)
{
    const int64_t most = reach(operands[0].dtype, 0);
    const int64_t k1 = integer(attrs, HOIST_WEIGHTED_K1);
    const int64_t k2 = integer(attrs, HOIST_WEIGHTED_K2);
    const int64_t constant = integer(attrs, HOIST_WEIGHTED_CONSTANT);
    const int64_t sum = (k1 < 0 ? -k1 : k1) * most + (k2 < 0 ? -k2 : k2) * most;
    return sum + (constant < 0 ? -constant : constant) > INT32_MAX
               ? "smaller numbers: the sum could leave 32 bits"
               : NULL;
}

const char *hoist_fit_weighted(const hoist_compute_attrs *attrs,
                               const hoist_compute_operand *operands,
                               const hoist_compute_extents *e)
{
    (void)e;
    const char *wanted = fit_weights(attrs, operands);
    return wanted ? wanted : fit_limits(attrs, HOIST_WEIGHTED_LOW, HOIST_WEIGHTED_HIGH);
}

const char *hoist_fit_weighted_real(const hoist_compute_attrs *attrs,
                                    const hoist_compute_operand *operands,
                                    const hoist_compute_extents *e)
{
    (void)e;
    const char *wanted = fit_weights(attrs, operands);
    if (wanted) {
        return wanted;
    }
    if (!is_factor(attrs->value[HOIST_WEIGHTED_MULTIPLIER].number)) {
        return bad_multiplier;
    }
    return fit_real_limits(attrs, operands[2].dtype, HOIST_WEIGHTED_ZERO_OUT, HOIST_WEIGHTED_LOW);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

const char *hoist_fit_pool(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                           const hoist_compute_extents *e)
{
    const window_axis down = {extent(e, 'H'),
                              extent(e, 'P'),
                              integer(attrs, HOIST_POOL_KERNEL_H),
                              integer(attrs, HOIST_POOL_STRIDE_H),
                              integer(attrs, HOIST_POOL_PAD_TOP),
                              1};
    const window_axis across = {extent(e, 'W'),
                                extent(e, 'Q'),
                                integer(attrs, HOIST_POOL_KERNEL_W),
                                integer(attrs, HOIST_POOL_STRIDE_W),
                                integer(attrs, HOIST_POOL_PAD_LEFT),
                                1};
    if (!windows_meet(down) || !windows_meet(across)) {
        return outside_image;
    }
    // A sum and half of the count stay in 32 bits: 255 and a half for each.
    const int64_t taps = lesser(down.kernel, down.in) * lesser(across.kernel, across.in);
    if (!sums_fit(taps, reach(operands[0].dtype, 0) + 1)) {
        return "smaller windows: their sum could leave 32 bits";
    }
    if (!row_fits(extent(e, 'Q'), extent(e, 'C'), taps)) {
        return row_too_long;
    }
    return fit_limits(attrs, HOIST_POOL_LOW, HOIST_POOL_HIGH);
}

// So that no position, in steps of 1/1024, leaves 32 bits in the reference.
const char *hoist_fit_nearest(const hoist_compute_attrs *attrs,
                              const hoist_compute_operand *operands, const hoist_compute_extents *e)
{
    (void)attrs;
    (void)operands;
    const int64_t most = INT64_C(1) << 20;
    return extent(e, 'H') <= most && extent(e, 'W') <= most && extent(e, 'P') <= most &&
                   extent(e, 'Q') <= most
               ? NULL
               : "images of at most 1048576 rows and columns";
}

const char *hoist_fit_resize(const hoist_compute_attrs *attrs,
                             const hoist_compute_operand *operands, const hoist_compute_extents *e)
{
    return integer(attrs, HOIST_RESIZE_ALIGN_CORNERS) && integer(attrs, HOIST_RESIZE_HALF_PIXEL)
               ? "aligned corners or half pixel centers, not both"
               : hoist_fit_nearest(attrs, operands, e);
}

const char *hoist_fit_mean(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                           const hoist_compute_extents *e)
{
    return sums_fit(extent(e, 'H') * extent(e, 'W'),
                    reach(operands[0].dtype, integer(attrs, HOIST_MEAN_ZERO_IN)))
               ? NULL
               : sums_too_large;
}

// quantize, dequantize, rescale: attribute 0.
const char *hoist_fit_scale(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                            const hoist_compute_extents *e)
{
    (void)operands;
    (void)e;
    return is_factor(attrs->value[0].number) ? NULL : bad_scale;
}
