// ops/compute_quant_fit.c - the rules of the profiles tflite and edgetpu: windows that meet the
// image, groups, sums that stay in 32 bits, limits in order.
#include "ops/compute_quant_fit.h"

#include <math.h>

#include "base/checked.h"
#include "ops/compute_plain.h"
#include "ops/compute_quant.h"
#include "ops/compute_rows.h"

static const char sums_too_large[] =
    "fewer products: their sum could leave the 32 bits it is kept in";
static const char wide_sums_too_large[] = "fewer products: their sum could leave 48 bits";
static const char row_too_long[] = "at most 2^34 products for a row of the output";
static const char outside_image[] = "windows that all meet the image";
static const char one_row[] = "one row of scales, or one for each output channel";

// The largest size of a number of an operand less `zero`.
static int64_t reach(const hoist_compute_case *c, size_t operand, int64_t zero)
{
    const int64_t down = zero - hoist_quant_least(c->operands[operand].dtype);
    const int64_t up = hoist_quant_greatest(c->operands[operand].dtype) - zero;
    return down > up ? down : up;
}

// The largest product of inputs 0 and 1; attributes `zero` and the next are their zero points.
static int64_t product(const hoist_compute_case *c, size_t zero)
{
    return reach(c, 0, hoist_case_integer(c, zero)) * reach(c, 1, hoist_case_integer(c, zero + 1));
}

// Numbers are float32: sums have no bounds, and there are no scales.
static bool is_real(const hoist_compute_case *c)
{
    return c->operands[0].dtype == HOIST_DTYPE_F32;
}

// True when `count` terms of at most `each` sum to no more than `most`.
static bool sums_to(int64_t count, int64_t each, int64_t most)
{
    int64_t sum = 0;
    return !hoist_ckd_mul_i64(&sum, count, each) && sum <= most;
}

static bool sums_fit(int64_t count, int64_t each)
{
    return sums_to(count, each, INT32_MAX);
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

static bool conv_windows_meet(const hoist_compute_case *c)
{
    const window_axis down = {hoist_case_extent(c, 'H'),
                              hoist_case_extent(c, 'P'),
                              hoist_case_extent(c, 'K'),
                              hoist_case_integer(c, HOIST_CONV_STRIDE_H),
                              hoist_case_integer(c, HOIST_CONV_PAD_TOP),
                              hoist_case_integer(c, HOIST_CONV_DILATION_H)};
    const window_axis across = {hoist_case_extent(c, 'W'),
                                hoist_case_extent(c, 'Q'),
                                hoist_case_extent(c, 'L'),
                                hoist_case_integer(c, HOIST_CONV_STRIDE_W),
                                hoist_case_integer(c, HOIST_CONV_PAD_LEFT),
                                hoist_case_integer(c, HOIST_CONV_DILATION_W)};
    return windows_meet(down) && windows_meet(across);
}

static bool rows_fit(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'R') == 1 || hoist_case_extent(c, 'R') == hoist_case_extent(c, 'O');
}

static const char *check_integers(const hoist_compute_case *c, size_t low)
{
    return hoist_case_integer(c, low) <= hoist_case_integer(c, low + 1)
               ? NULL
               : "low no greater than high";
}

// Attributes `low` and the next. Floats, where numbers are not: what they round to, with the zero
// point before them, is a number of the output's type.
static const char *check_limits(const hoist_compute_case *c, size_t low)
{
    if (c->def->attrs[low].kind == HOIST_COMPUTE_INT) {
        return check_integers(c, low);
    }
    if (is_real(c)) {
        return c->attrs->value[low].number <= c->attrs->value[low + 1].number
                   ? NULL
                   : "low no greater than high";
    }
    const hoist_dtype dtype = c->operands[c->def->inputs].dtype;
    const int64_t zero = hoist_case_integer(c, low - 1);
    const double from = (double)c->attrs->value[low].number;
    const double to = (double)c->attrs->value[low + 1].number;
    return from > (double)(hoist_quant_least(dtype) - zero) - 0.5 && from <= to &&
                   to < (double)(hoist_quant_greatest(dtype) - zero) + 0.5
               ? NULL
               : "finite limits that with zero_out are numbers of y, low first";
}

// Of edgetpu, a float; of tflite its range is enough.
static const char *check_multiplier(const hoist_compute_case *c, size_t index)
{
    const float factor = c->attrs->value[index].number;
    return c->def->attrs[index].kind == HOIST_COMPUTE_INT || (isfinite(factor) && factor > 0)
               ? NULL
               : "a finite multiplier above 0";
}

// Scales, sums and limits of convolutions; `channels` are in one window.
static const char *check_products(const hoist_compute_case *c, int64_t channels)
{
    int64_t taps = 0;
    if (!is_real(c) && !rows_fit(c)) {
        return one_row;
    }
    const bool is_wide = c->operands[0].dtype == HOIST_DTYPE_I16;
    if (hoist_ckd_mul_i64(&taps, hoist_case_extent(c, 'K') * hoist_case_extent(c, 'L'), channels) ||
        (!is_real(c) &&
         !sums_to(taps, product(c, HOIST_CONV_ZERO_IN), is_wide ? INT64_C(1) << 47 : INT32_MAX))) {
        return is_wide ? wide_sums_too_large : sums_too_large;
    }
    return row_fits(hoist_case_extent(c, 'Q'), hoist_case_extent(c, 'O'), taps)
               ? check_limits(c, is_real(c) ? HOIST_CONV_F32_LOW : HOIST_CONV_LOW)
               : row_too_long;
}

static const char *check_windows(const hoist_compute_case *c, int64_t channels)
{
    return conv_windows_meet(c) ? check_products(c, channels) : outside_image;
}

// Windows may lie where they like: positions outside the output count for nothing.
const char *hoist_rule_transpose(const hoist_compute_case *c)
{
    return check_products(c, hoist_case_extent(c, 'I'));
}

const char *hoist_rule_conv(const hoist_compute_case *c)
{
    const int64_t channels = hoist_case_extent(c, 'C');
    const int64_t in_window = hoist_case_extent(c, 'I');
    if (channels % in_window != 0) {
        return "channels of x that those of a window divide";
    }
    if (hoist_case_extent(c, 'O') % (channels / in_window) != 0) {
        return "output channels that the groups, channels of x over those of a window, divide";
    }
    return check_windows(c, in_window);
}

const char *hoist_rule_depthwise(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'O') % hoist_case_extent(c, 'C') == 0
               ? check_windows(c, 1)
               : "output channels that the channels of x divide";
}

const char *hoist_rule_dense(const hoist_compute_case *c)
{
    if (!rows_fit(c)) {
        return one_row;
    }
    return sums_fit(hoist_case_extent(c, 'I'), product(c, HOIST_DENSE_ZERO_IN))
               ? check_limits(c, HOIST_DENSE_LOW)
               : sums_too_large;
}

const char *hoist_rule_dense_i16(const hoist_compute_case *c)
{
    const int64_t inputs = hoist_case_extent(c, 'I');
    const int64_t most = reach(c, 0, hoist_case_integer(c, HOIST_SHORT_ZERO)) * -INT8_MIN;
    if (!row_fits(1, hoist_case_extent(c, 'O'), inputs)) {
        return row_too_long;
    }
    return sums_fit(inputs, most) ? NULL : sums_too_large;
}

const char *hoist_rule_dense_i16_i8(const hoist_compute_case *c)
{
    return row_fits(1, hoist_case_extent(c, 'O'), hoist_case_extent(c, 'I')) ? NULL : row_too_long;
}

const char *hoist_rule_limits(const hoist_compute_case *c)
{
    return check_integers(c, HOIST_SHORT_LOW);
}

const char *hoist_rule_sum(const hoist_compute_case *c)
{
    const int64_t left = INT64_C(1) << hoist_case_integer(c, HOIST_SUM_LEFT);
    return sums_fit(left, reach(c, 0, hoist_case_integer(c, HOIST_SUM_ZERO_A))) &&
                   sums_fit(left, reach(c, 1, hoist_case_integer(c, HOIST_SUM_ZERO_B)))
               ? check_limits(c, HOIST_SUM_LOW)
               : "a smaller left: shifted numbers could leave 32 bits";
}

const char *hoist_rule_multiply(const hoist_compute_case *c)
{
    const char *expected = check_multiplier(c, HOIST_MULTIPLY_MULTIPLIER);
    return expected ? expected : check_limits(c, HOIST_MULTIPLY_LOW);
}

const char *hoist_rule_prelu(const hoist_compute_case *c)
{
    return sums_fit(1, product(c, HOIST_PRELU_ZERO_A))
               ? NULL
               : "a smaller zero point: a number times its slope could leave 32 bits";
}

const char *hoist_rule_weighted(const hoist_compute_case *c)
{
    const int64_t most = reach(c, 0, 0);
    const int64_t k1 = hoist_case_integer(c, HOIST_WEIGHTED_K1);
    const int64_t k2 = hoist_case_integer(c, HOIST_WEIGHTED_K2);
    const int64_t constant = hoist_case_integer(c, HOIST_WEIGHTED_CONSTANT);
    const int64_t sum = (k1 < 0 ? -k1 : k1) * most + (k2 < 0 ? -k2 : k2) * most;
    if (sum + (constant < 0 ? -constant : constant) > INT32_MAX) {
        return "smaller numbers: the sum could leave 32 bits";
    }
    const char *expected = check_multiplier(c, HOIST_WEIGHTED_MULTIPLIER);
    return expected ? expected : check_limits(c, HOIST_WEIGHTED_LOW);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

const char *hoist_rule_pool(const hoist_compute_case *c)
{
    const window_axis down = {hoist_case_extent(c, 'H'),
                              hoist_case_extent(c, 'P'),
                              hoist_case_integer(c, HOIST_POOL_KERNEL_H),
                              hoist_case_integer(c, HOIST_POOL_STRIDE_H),
                              hoist_case_integer(c, HOIST_POOL_PAD_TOP),
                              1};
    const window_axis across = {hoist_case_extent(c, 'W'),
                                hoist_case_extent(c, 'Q'),
                                hoist_case_integer(c, HOIST_POOL_KERNEL_W),
                                hoist_case_integer(c, HOIST_POOL_STRIDE_W),
                                hoist_case_integer(c, HOIST_POOL_PAD_LEFT),
                                1};
    if (!windows_meet(down) || !windows_meet(across)) {
        return outside_image;
    }
    // A sum and half of the count stay in 32 bits: 255 and a half for each.
    const int64_t taps = lesser(down.kernel, down.in) * lesser(across.kernel, across.in);
    if (!is_real(c) && !sums_fit(taps, reach(c, 0, 0) + 1)) {
        return "smaller windows: their sum could leave 32 bits";
    }
    return row_fits(hoist_case_extent(c, 'Q'), hoist_case_extent(c, 'C'), taps)
               ? check_limits(c, HOIST_POOL_LOW)
               : row_too_long;
}

// So that no position, in steps of 1/1024, leaves 32 bits in the reference.
const char *hoist_rule_nearest(const hoist_compute_case *c)
{
    for (const char *letter = "HWPQ"; *letter; letter++) {
        if (hoist_case_extent(c, *letter) > INT64_C(1) << 20) {
            return "images of at most 1048576 rows and columns";
        }
    }
    return NULL;
}

const char *hoist_rule_resize(const hoist_compute_case *c)
{
    return hoist_case_integer(c, HOIST_RESIZE_ALIGN_CORNERS) &&
                   hoist_case_integer(c, HOIST_RESIZE_HALF_PIXEL)
               ? "aligned corners or half pixel centers, not both"
               : hoist_rule_nearest(c);
}

const char *hoist_rule_mean(const hoist_compute_case *c)
{
    const int64_t count = hoist_case_extent(c, 'H') * hoist_case_extent(c, 'W');
    return sums_fit(count, reach(c, 0, hoist_case_integer(c, HOIST_MEAN_ZERO_IN))) ? NULL
                                                                                   : sums_too_large;
}

const char *hoist_rule_mean_single(const hoist_compute_case *c)
{
    const int64_t count = hoist_case_extent(c, 'H') * hoist_case_extent(c, 'W');
    return sums_fit(count, reach(c, 0, 0)) ? NULL : sums_too_large;
}

static const char *check_scale(const hoist_compute_case *c, size_t index)
{
    const float scale = c->attrs->value[index].number;
    return isfinite(scale) && scale > 0 ? NULL : "a finite scale above 0";
}

// quantize, dequantize, rescale: attribute 0.
const char *hoist_rule_scale(const hoist_compute_case *c)
{
    return check_scale(c, 0);
}

const char *hoist_rule_softmax(const hoist_compute_case *c)
{
    const hoist_dtype x = c->operands[0].dtype;
    const hoist_dtype y = c->operands[1].dtype;
    return x == y || (x == HOIST_DTYPE_I8 && y == HOIST_DTYPE_I16)
               ? NULL
               : "a y of the type of x, or of i16 where x is i8";
}

const char *hoist_rule_softmax_single(const hoist_compute_case *c)
{
    const char *expected = check_scale(c, HOIST_SOFTMAX_SINGLE_SCALE);
    expected = expected ? expected : check_scale(c, HOIST_SOFTMAX_SINGLE_OUT);
    return expected ? expected : hoist_rule_softmax(c);
}
