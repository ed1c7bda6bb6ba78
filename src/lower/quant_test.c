// Quantised layers with both ways of scaling: the same calls, the steps and constants of two
// profiles, worked out by hand from the formulas of quant.h; and what does not fit, with its
// reason.
#include "base/alloc.h"
#include "lower/quant_steps.h"
#include "lower/quant_testing.h"

#define U8 HOIST_DTYPE_U8
#define I8 HOIST_DTYPE_I8
#define I16 HOIST_DTYPE_I16
#define F32 HOIST_DTYPE_F32

static const hoist_shape image = {.rank = 4, .dim = {1, 9, 9, 1}};
static const hoist_shape filter = {.rank = 4, .dim = {1, 3, 3, 1}};
static const hoist_shape windows = {.rank = 4, .dim = {1, 5, 2, 1}}; // of `filter` over `image`
static const hoist_shape filters = {.rank = 4, .dim = {2, 3, 3, 1}};
static const hoist_shape channels = {.rank = 4, .dim = {1, 5, 2, 2}};
static const hoist_shape rows = {.rank = 2, .dim = {4, 4}};
static const hoist_shape line = {.rank = 1, .dim = {4}};
static const hoist_shape column = {.rank = 2, .dim = {4, 1}};
static const hoist_shape two = {.rank = 1, .dim = {2}};
static const hoist_shape one = {.rank = 4, .dim = {1, 1, 1, 1}};
static const hoist_shape square = {.rank = 4, .dim = {1, 4, 4, 1}};
static const hoist_quant_limits around = {-2.25, 126.00001};

// Windows whose numbers all differ where they may.
static const hoist_quant_window window = {.kernel_h = 3,
                                          .kernel_w = 4,
                                          .stride_h = 2,
                                          .stride_w = 3,
                                          .pad_top = 2,
                                          .pad_left = 1,
                                          .dilation_h = 1,
                                          .dilation_w = 2};

// A call with the numbers of its row.
typedef struct numbers {
    double factor, other, third;
} numbers;
typedef hoist_status add_layer(quant_bench *n, numbers by);

static hoist_quant_products products(const quant_bench *n, hoist_shape x, hoist_shape w,
                                     hoist_shape y)
{
    return (hoist_quant_products){.x = quant_test_view(n->a, U8, x, 1),
                                  .weights = quant_test_view(n->w, U8, w, 2),
                                  .y = quant_test_view(n->y, U8, y, 3),
                                  .window = window,
                                  .limits = around};
}

static hoist_quant_pair pair_of(const quant_bench *n, hoist_dtype dtype)
{
    const bool odd = dtype == U8; // the reference has no zero points of 16 bits
    return (hoist_quant_pair){quant_test_view(n->a, dtype, rows, odd ? 1 : 0),
                              quant_test_view(n->w, dtype, rows, odd ? 2 : 0),
                              quant_test_view(n->y, dtype, rows, odd ? 3 : 0), around};
}

static hoist_status add_conv(quant_bench *n, numbers by)
{
    hoist_quant_products p = products(n, image, filter, windows);
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_conv(&n->layers, &p);
}

static hoist_status add_conv_of_two(quant_bench *n, numbers by)
{
    const hoist_lower_view bias = quant_test_view(n->w, HOIST_DTYPE_I32, two, 0);
    const double factors[] = {by.factor, by.other};
    hoist_quant_products p = products(n, image, filters, channels);
    p.bias = &bias;
    p.scales = (hoist_quant_scales){factors, 2};
    return hoist_quant_conv(&n->layers, &p);
}

static hoist_status add_depthwise(quant_bench *n, numbers by)
{
    hoist_quant_products p = products(n, image, filter, windows);
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_depthwise(&n->layers, &p);
}

static hoist_status add_dense(quant_bench *n, numbers by)
{
    hoist_quant_products p = products(n, rows, rows, rows);
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_matrix(&n->layers, &p);
}

// A convolution (dense layer, depthwise convolution) of int8 numbers.
static hoist_quant_products signed_of(hoist_quant_products p)
{
    p.x.dtype = p.weights.dtype = p.y.dtype = I8;
    p.limits = (hoist_quant_limits){-9, 9};
    return p;
}

static hoist_status add_signed_conv(quant_bench *n, numbers by)
{
    hoist_quant_products p = signed_of(products(n, image, filter, windows));
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_conv(&n->layers, &p);
}

static hoist_status add_signed_depthwise(quant_bench *n, numbers by)
{
    hoist_quant_products p = signed_of(products(n, image, filter, windows));
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_depthwise(&n->layers, &p);
}

static hoist_status add_signed_dense(quant_bench *n, numbers by)
{
    hoist_quant_products p = signed_of(products(n, rows, rows, rows));
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_matrix(&n->layers, &p);
}

// To as many dimensions as `other` says.
static hoist_status add_dense_to_fewer(quant_bench *n, numbers by)
{
    hoist_shape y = rows;
    y.rank = (int)by.other;
    hoist_quant_products p = products(n, rows, rows, y);
    p.scales = (hoist_quant_scales){&by.factor, 1};
    return hoist_quant_matrix(&n->layers, &p);
}

static hoist_status add_dense_until(quant_bench *n, numbers by)
{
    hoist_quant_products p = products(n, rows, rows, rows);
    p.scales = (hoist_quant_scales){&by.factor, 1};
    p.limits = (hoist_quant_limits){by.other, by.third};
    return hoist_quant_matrix(&n->layers, &p);
}

// Two layers without a bias, which share their zeros.
static hoist_status add_dense_twice(quant_bench *n, numbers by)
{
    HOIST_TRY(add_dense(n, by));
    return add_dense(n, by);
}

static hoist_quant_sum sum_of(const quant_bench *n, hoist_dtype dtype, numbers by)
{
    return (hoist_quant_sum){
        .pair = pair_of(n, dtype), .scale_a = by.factor, .scale_b = by.other, .scale_y = by.third};
}

static hoist_status add_sum(quant_bench *n, numbers by)
{
    const hoist_quant_sum s = sum_of(n, U8, by);
    return hoist_quant_add_sum(&n->layers, &s);
}

static hoist_status add_sum_of_i16(quant_bench *n, numbers by)
{
    const hoist_quant_sum s = sum_of(n, I16, by);
    return hoist_quant_add_sum(&n->layers, &s);
}

static hoist_status add_difference(quant_bench *n, numbers by)
{
    hoist_quant_sum s = sum_of(n, U8, by);
    s.subtracts = true;
    return hoist_quant_add_sum(&n->layers, &s);
}

static hoist_status add_product(quant_bench *n, numbers by)
{
    const hoist_quant_pair p = pair_of(n, U8);
    return hoist_quant_multiply(&n->layers, &p, by.factor);
}

// A row and a column, stretched to a square.
static hoist_status add_outer_product(quant_bench *n, numbers by)
{
    hoist_quant_pair p = pair_of(n, U8);
    p.a = quant_test_view(n->a, U8, line, 1);
    p.b = quant_test_view(n->w, U8, column, 2);
    return hoist_quant_multiply(&n->layers, &p, by.factor);
}

static hoist_status add_product_of_two(quant_bench *n, numbers by)
{
    hoist_quant_pair p = pair_of(n, U8);
    *(by.factor < 1 ? &p.a : &p.b) = quant_test_view(n->a, U8, two, 1);
    return hoist_quant_multiply(&n->layers, &p, by.factor);
}

static hoist_status add_weighted(quant_bench *n, numbers by)
{
    const hoist_quant_weighted w = {pair_of(n, U8), .k1 = 7, .k2 = -9, .constant = 11,
                                    .factor = by.factor};
    return hoist_quant_add_weighted(&n->layers, &w);
}

static hoist_status add_pool(quant_bench *n, bool is_max)
{
    const hoist_quant_pool p = {quant_test_view(n->a, I8, image, 3),
                                quant_test_view(n->y, I8, windows, 3),
                                window,
                                {-3, 100},
                                is_max};
    return hoist_quant_add_pool(&n->layers, &p);
}

static hoist_status add_max_pool(quant_bench *n, numbers by)
{
    (void)by;
    return add_pool(n, true);
}

static hoist_status add_average_pool(quant_bench *n, numbers by)
{
    (void)by;
    return add_pool(n, false);
}

// One tensor in, one out.
static hoist_quant_unary unary_of(const quant_bench *n, hoist_dtype from, hoist_dtype to)
{
    return (hoist_quant_unary){quant_test_view(n->a, from, rows, from == F32 ? 0 : 1),
                               quant_test_view(n->y, to, rows, to == F32 ? 0 : 3)};
}

static hoist_status add_mean(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = {quant_test_view(n->a, U8, square, 1),
                                 quant_test_view(n->y, U8, one, 3)};
    return hoist_quant_mean(&n->layers, &u, by.factor);
}

static hoist_status add_mean_single(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = {quant_test_view(n->a, U8, square, 10),
                                 quant_test_view(n->y, U8, one, 3)};
    return hoist_quant_mean_single(&n->layers, &u, (float)by.factor, 0.25F);
}

static hoist_status add_softmax_single(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, U8);
    return hoist_quant_softmax_single(&n->layers, &u, (float)by.factor, 0x1p-8F);
}

static hoist_status add_softmax(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, U8);
    return hoist_quant_softmax(&n->layers, &u, by.factor);
}

static hoist_status add_logistic(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, U8);
    return hoist_quant_logistic(&n->layers, &u, by.factor);
}

static hoist_status add_tanh(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, I8, I8);
    return hoist_quant_tanh(&n->layers, &u, by.factor);
}

static hoist_status add_resize_of(quant_bench *n, hoist_dtype dtype, numbers by)
{
    const hoist_quant_unary u = {quant_test_view(n->a, dtype, square, 0),
                                 quant_test_view(n->y, dtype, image, 0)};
    return hoist_quant_resize(&n->layers, &u, (hoist_quant_corners){by.factor != 0, by.other != 0});
}

static hoist_status add_resize(quant_bench *n, numbers by)
{
    return add_resize_of(n, U8, by);
}

static hoist_status add_resize_of_floats(quant_bench *n, numbers by)
{
    return add_resize_of(n, F32, by);
}

static hoist_status add_requantize(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, I16);
    return hoist_quant_requantize(&n->layers, &u, by.factor);
}

static hoist_status add_clamp(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, U8);
    return hoist_quant_clamp(&n->layers, &u, by.factor, (hoist_quant_limits){by.other, by.third});
}

static hoist_status add_rescale(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, U8);
    return hoist_quant_rescale(&n->layers, &u, (float)by.factor);
}

static hoist_status add_quantize(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, F32, I8);
    return hoist_quant_quantize(&n->layers, &u, (float)by.factor);
}

static hoist_status add_dequantize(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, I16, F32);
    return hoist_quant_dequantize(&n->layers, &u, (float)by.factor);
}

static hoist_status add_copy(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = {quant_test_view(n->a, I16, square, 1),
                                 quant_test_view(n->y, I16, rows, 3)};
    (void)by;
    return hoist_quant_copy(&n->layers, &u);
}

static hoist_status add_copy_of_another_type(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = unary_of(n, U8, I8);
    (void)by;
    return hoist_quant_copy(&n->layers, &u);
}

static hoist_status add_copy_of_a_part(quant_bench *n, numbers by)
{
    const hoist_quant_unary u = {quant_test_view(n->a, U8, rows, 0),
                                 quant_test_view(n->y, U8, line, 0)};
    (void)by;
    return hoist_quant_copy(&n->layers, &u);
}

static hoist_status fill(quant_bench *n, hoist_dtype dtype, numbers by)
{
    const hoist_lower_view y = quant_test_view(n->y, dtype, rows, (int64_t)by.factor);
    return hoist_quant_fill(&n->layers, &y);
}

static hoist_status fill_u8(quant_bench *n, numbers by)
{
    return fill(n, U8, by);
}

static hoist_status fill_i16(quant_bench *n, numbers by)
{
    return fill(n, I16, by);
}

static hoist_status fill_f32(quant_bench *n, numbers by)
{
    return fill(n, F32, by);
}

static hoist_status fill_i64(quant_bench *n, numbers by)
{
    return fill(n, HOIST_DTYPE_I64, by);
}

// clang-format off
#define INTEGERS HOIST_REQUANTIZE_DOUBLE
#define SINGLE HOIST_REQUANTIZE_SINGLE
#define FLOATS HOIST_REQUANTIZE_FLOAT
static const struct {
    const char *name;
    hoist_requantization how;
    add_layer *add;
    numbers by;
    const char *lines;
} layers[] = {
    {"conv, integers", INTEGERS, add_conv, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.conv(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[1, 9, 9, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y u8[1, 5, 2, 1]]\n"},
    {"conv, floats", FLOATS, add_conv, {.factor = 0.5},
     "buffer constant/0 in m size 4 lifetime constant contents bytes data 0000003f\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute edgetpu.conv(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[1, 9, 9, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 f32[1]] to [y u8[1, 5, 2, 1]]\n"},
    {"conv of two channels", INTEGERS, add_conv_of_two, {.factor = 0.5, .other = 0.375},
     "buffer constant/0 in m size 16 lifetime constant contents bytes data 000000400000000000000060ffffffff\n"
     "compute tflite.conv(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[1, 9, 9, 1], w u8[2, 3, 3, 1], w i32[2], constant/0 i32[2, 2]] to [y u8[1, 5, 2, 2]]\n"},
    {"conv of two channels, floats", FLOATS, add_conv_of_two, {.factor = 0.5, .other = 0.375},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000003f0000c03e\n"
     "compute edgetpu.conv(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[1, 9, 9, 1], w u8[2, 3, 3, 1], w i32[2], constant/0 f32[2]] to [y u8[1, 5, 2, 2]]\n"},
    {"depthwise, integers", INTEGERS, add_depthwise, {.factor = 0.75},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000006000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.depthwise(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[1, 9, 9, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y u8[1, 5, 2, 1]]\n"},
    {"depthwise, floats", FLOATS, add_depthwise, {.factor = 0.75},
     "buffer constant/0 in m size 4 lifetime constant contents bytes data 0000403f\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute edgetpu.depthwise(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[1, 9, 9, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 f32[1]] to [y u8[1, 5, 2, 1]]\n"},
    {"dense, integers", INTEGERS, add_dense, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"dense, floats", FLOATS, add_dense, {.factor = 0.5},
     "buffer constant/0 in m size 4 lifetime constant contents bytes data 0000003f\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute edgetpu.dense(zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 f32[1]] to [y u8[4, 4]]\n"},
    {"conv of i8, one rounding", SINGLE, add_signed_conv, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.conv_single(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low -6, high 12) from [a i8[1, 9, 9, 1], w i8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y i8[1, 5, 2, 1]]\n"},
    {"conv of i8, two roundings", INTEGERS, add_signed_conv, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.conv(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low -6, high 12) from [a i8[1, 9, 9, 1], w i8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y i8[1, 5, 2, 1]]\n"},
    {"depthwise of i8 has two in any case", SINGLE, add_signed_depthwise, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.depthwise(stride_h 2, stride_w 3, pad_top 2, pad_left 1, dilation_h 1, dilation_w 2, zero_in 1, zero_weight 2, zero_out 3, low -6, high 12) from [a i8[1, 9, 9, 1], w i8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y i8[1, 5, 2, 1]]\n"},
    {"dense of i8, one rounding", SINGLE, add_signed_dense, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense_single(zero_in 1, zero_weight 2, zero_out 3, low -6, high 12) from [a i8[4, 4], w i8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y i8[4, 4]]\n"},
    {"dense of u8 has two in any case", SINGLE, add_dense, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"zeros are there once", INTEGERS, add_dense_twice, {.factor = 0.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "buffer constant/2 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/2 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"a factor of zero", INTEGERS, add_dense, {.factor = 0},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000000000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"the smallest factor", INTEGERS, add_dense, {.factor = 0x1p-32},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 00000040e1ffffff\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"below the smallest factor", INTEGERS, add_dense, {.factor = 0x1p-33},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000000000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"the largest factor", INTEGERS, add_dense, {.factor = 0x1.fffffffcp29},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data ffffff7f1e000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"limits half to even, down", INTEGERS, add_dense_until, {0.5, -2.5, 126.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"limits half to even, up", INTEGERS, add_dense_until, {0.5, -1.5, 125.5},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/1 in m size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]\n"},
    {"sum, a coarser", INTEGERS, add_sum, {0.5, 0.25, 1},
     "compute tflite.add(zero_a 1, zero_b 2, zero_out 3, left 20, multiplier_a 1073741824, shift_a 0, multiplier_b 1073741824, shift_b -1, multiplier 1073741824, shift -19, low 1, high 129) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"sum, b coarser", FLOATS, add_sum, {0.25, 0.5, 2},
     "compute tflite.add(zero_a 1, zero_b 2, zero_out 3, left 20, multiplier_a 1073741824, shift_a -1, multiplier_b 1073741824, shift_b 0, multiplier 1073741824, shift -20, low 1, high 129) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"sum of 16 bits", INTEGERS, add_sum_of_i16, {0.5, 0.25, 1},
     "compute tflite.add(zero_a 0, zero_b 0, zero_out 0, left 15, multiplier_a 1073741824, shift_a 0, multiplier_b 1073741824, shift_b -1, multiplier 1073741824, shift -14, low -2, high 126) from [a i16[4, 4], w i16[4, 4]] to [y i16[4, 4]]\n"},
    {"difference", INTEGERS, add_difference, {0.5, 0.25, 1},
     "compute tflite.subtract(zero_a 1, zero_b 2, zero_out 3, left 20, multiplier_a 1073741824, shift_a 0, multiplier_b 1073741824, shift_b -1, multiplier 1073741824, shift -19, low 1, high 129) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"multiply, integers", INTEGERS, add_product, {.factor = 0.5},
     "compute tflite.multiply(zero_a 1, zero_b 2, zero_out 3, low 1, high 129, multiplier 1073741824, shift 0) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"multiply, floats", FLOATS, add_product, {.factor = 0.5},
     "compute edgetpu.multiply(zero_a 1, zero_b 2, zero_out 3, low -2.25, high 126.00001, multiplier 0.5) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"a row by a column", INTEGERS, add_outer_product, {.factor = 0.5},
     "compute tflite.multiply(zero_a 1, zero_b 2, zero_out 3, low 1, high 129, multiplier 1073741824, shift 0) from [a u8[4, 4] by [0, 1], w u8[4, 4] by [1, 0]] to [y u8[4, 4]]\n"},
    {"weighted, integers", INTEGERS, add_weighted, {.factor = 0.5},
     "compute tflite.weighted_sum(k1 7, k2 -9, constant 11, zero_out 3, low 1, high 129, multiplier 1073741824, shift 0) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"weighted, floats", FLOATS, add_weighted, {.factor = 0.5},
     "compute edgetpu.weighted_sum(k1 7, k2 -9, constant 11, zero_out 3, low -2.25, high 126.00001, multiplier 0.5) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]\n"},
    {"greatest of windows", FLOATS, add_max_pool, {.factor = 0},
     "compute tflite.max_pool(kernel_h 3, kernel_w 4, stride_h 2, stride_w 3, pad_top 2, pad_left 1, low 0, high 103) from [a i8[1, 9, 9, 1]] to [y i8[1, 5, 2, 1]]\n"},
    {"average of windows", FLOATS, add_average_pool, {.factor = 0},
     "compute tflite.average_pool(kernel_h 3, kernel_w 4, stride_h 2, stride_w 3, pad_top 2, pad_left 1, low 0, high 103) from [a i8[1, 9, 9, 1]] to [y i8[1, 5, 2, 1]]\n"},
    {"mean", FLOATS, add_mean, {.factor = 0.375},
     "compute tflite.mean(zero_in 1, zero_out 3, multiplier 1610612736, shift -1) from [a u8[1, 4, 4, 1]] to [y u8[1, 1, 1, 1]]\n"},
    {"requantize", FLOATS, add_requantize, {.factor = 3},
     "compute tflite.requantize(zero_in 1, zero_out 3, multiplier 1610612736, shift 2) from [a u8[4, 4]] to [y i16[4, 4]]\n"},
    {"mean, single", INTEGERS, add_mean_single, {.factor = 0.125},
     "compute tflite.mean_single(multiplier 1073741824, shift -4, bias -2) from [a u8[1, 4, 4, 1]] to [y u8[1, 1, 1, 1]]\n"},
    {"softmax, single", INTEGERS, add_softmax_single, {.factor = 0.5},
     "compute tflite.softmax_single(scale 0.5, scale_out 0.00390625) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"softmax", INTEGERS, add_softmax, {.factor = 0.5},
     "compute tflite.softmax(multiplier 1073741824, shift 26) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"softmax below 2^30", INTEGERS, add_softmax, {.factor = 0x1.fffffffcp3},
     "compute tflite.softmax(multiplier 2147483647, shift 30) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"softmax at 2^30", INTEGERS, add_softmax, {.factor = 16},
     "compute tflite.softmax(multiplier 1073741824, shift 31) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"softmax beyond 2^31", INTEGERS, add_softmax, {.factor = 1e9},
     "compute tflite.softmax(multiplier 2147483647, shift 31) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"logistic", INTEGERS, add_logistic, {.factor = 0.5},
     "compute tflite.logistic(zero_in 1, multiplier 1073741824, shift 27) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"logistic of the greatest scale", INTEGERS, add_logistic, {.factor = 0x1.fffffffcp2},
     "compute tflite.logistic(zero_in 1, multiplier 2147483647, shift 30) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"tanh", INTEGERS, add_tanh, {.factor = 0.25},
     "compute tflite.tanh(zero_in 1, multiplier 1073741824, shift 26) from [a i8[4, 4]] to [y i8[4, 4]]\n"},
    {"resize with aligned corners", INTEGERS, add_resize, {.factor = 1},
     "compute tflite.resize_bilinear(align_corners 1, half_pixel_centers 0) from [a u8[1, 4, 4, 1]] to [y u8[1, 9, 9, 1]]\n"},
    {"resize of pixel centers", INTEGERS, add_resize, {.other = 1},
     "compute tflite.resize_bilinear(align_corners 0, half_pixel_centers 1) from [a u8[1, 4, 4, 1]] to [y u8[1, 9, 9, 1]]\n"},
    {"resize of floats", INTEGERS, add_resize_of_floats, {.factor = 1},
     "compute tflite.resize_bilinear_f32(align_corners 1, half_pixel_centers 0) from [a f32[1, 4, 4, 1]] to [y f32[1, 9, 9, 1]]\n"},
    {"clamp", INTEGERS, add_clamp, {0.5, -3, 6},
     "compute tflite.weighted_sum(k1 1, k2 0, constant -1, zero_out 3, low 0, high 9, multiplier 1073741824, shift 0) from [a u8[4, 4], a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"clamp, in integers for both", FLOATS, add_clamp, {0.5, -3, 6},
     "compute tflite.weighted_sum(k1 1, k2 0, constant -1, zero_out 3, low 0, high 9, multiplier 1073741824, shift 0) from [a u8[4, 4], a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"rescale", INTEGERS, add_rescale, {.factor = 0.5},
     "compute tflite.rescale(scale 0.5, zero_in 1, zero_out 3) from [a u8[4, 4]] to [y u8[4, 4]]\n"},
    {"quantize", INTEGERS, add_quantize, {.factor = 0.5},
     "compute tflite.quantize(scale 0.5, zero 3) from [a f32[4, 4]] to [y i8[4, 4]]\n"},
    {"dequantize", INTEGERS, add_dequantize, {.factor = 0.25},
     "compute tflite.dequantize(scale 0.25, zero 1) from [a i16[4, 4]] to [y f32[4, 4]]\n"},
    {"copy to another shape", INTEGERS, add_copy, {.factor = 0}, "move copy from [a i16[1, 4, 4, 1]] to y i16[4, 4]\n"},
    {"fill with the least", INTEGERS, fill_i16, {.factor = -32768},
     "buffer constant/0 in m size 2 lifetime constant contents bytes data 0080\n"
     "move copy from [constant/0 i16[4, 4] by [0, 0]] to y i16[4, 4]\n"},
    {"fill with the greatest", INTEGERS, fill_u8, {.factor = 255},
     "buffer constant/0 in m size 1 lifetime constant contents bytes data ff\n"
     "move copy from [constant/0 u8[4, 4] by [0, 0]] to y u8[4, 4]\n"},
    {"fill with zero", INTEGERS, fill_u8, {.factor = 0},
     "buffer constant/0 in m size 1 lifetime constant contents bytes data 00\n"
     "move copy from [constant/0 u8[4, 4] by [0, 0]] to y u8[4, 4]\n"},
    {"fill floats", INTEGERS, fill_f32, {.factor = 0},
     "buffer constant/0 in m size 4 lifetime constant contents bytes data 00000000\n"
     "move copy from [constant/0 f32[4, 4] by [0, 0]] to y f32[4, 4]\n"},
    {"fill 64 bits", INTEGERS, fill_i64, {.factor = 0},
     "buffer constant/0 in m size 8 lifetime constant contents bytes data 0000000000000000\n"
     "move copy from [constant/0 i64[4, 4] by [0, 0]] to y i64[4, 4]\n"},
};
// clang-format on

HOIST_TEST_TABLE(each_layer_is_a_step_of_its_profile, layers)
{
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, row->how, hoist_allocator_system(), t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, row->add(&n, row->by), HOIST_OK);
    HOIST_EXPECT_STR(t, quant_test_end(t, &n), row->lines);
    HOIST_EXPECT_RULE(t, NULL);
}

// What does not fit ------------------------------------------------------------------------------

// clang-format off
typedef struct refusal {
    const char *name;
    hoist_requantization how;
    add_layer *add;
    numbers by;
    const char *why;
} refusal;

static const refusal refusals[] = {
    {"conv, a negative factor", INTEGERS, add_conv, {.factor = -0.5},
     "the ratio of scales is -0.5, expected 0 or more and below 2^30"},
    {"conv, no number", INTEGERS, add_conv, {.factor = __builtin_nan("")},
     "the ratio of scales is nan, expected 0 or more and below 2^30"},
    {"conv, floats, a negative factor", FLOATS, add_conv, {.factor = -0.5},
     "the ratio of scales is -0.5, expected 0 or more and below 2^30"},
    {"conv, floats, no number", FLOATS, add_conv, {.factor = __builtin_nan("")},
     "the ratio of scales is nan, expected 0 or more and below 2^30"},
    {"conv, floats, infinite", FLOATS, add_conv, {.factor = __builtin_inf()},
     "the ratio of scales is inf, expected 0 or more and below 2^30"},
    {"conv, floats, 2^30", FLOATS, add_conv, {.factor = 0x1p30},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"conv, the second factor", INTEGERS, add_conv_of_two, {.factor = 0.5, .other = -0.5},
     "the ratio of scales is -0.5, expected 0 or more and below 2^30"},
    {"depthwise, 2^30", INTEGERS, add_depthwise, {.factor = 0x1p30},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"dense, 2^30", INTEGERS, add_dense, {.factor = 0x1p30},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"limits beyond the type, down", INTEGERS, add_dense_until, {0.5, -4, 126}, "low is -1, and y is u8"},
    {"limits beyond the type, up", INTEGERS, add_dense_until, {0.5, 0, 253}, "high is 256, and y is u8"},
    {"limits beyond all numbers, down", INTEGERS, add_dense_until, {0.5, -__builtin_inf(), 126}, "low is -1099511627773, expected -2147483648 to 2147483647"},
    {"limits beyond all numbers, up", INTEGERS, add_dense_until, {0.5, 0, __builtin_inf()}, "high is 1099511627779, expected -2147483648 to 2147483647"},
    {"limits that are no numbers", INTEGERS, add_dense_until, {0.5, __builtin_nan(""), 126}, "low is 1099511627779, expected -2147483648 to 2147483647"},
    {"limits that change places", INTEGERS, add_dense_until, {0.5, 5, 4}, "dense expects low no greater than high"},
    {"sum, the scale of a", INTEGERS, add_sum, {-0.5, 0.25, 1},
     "the ratio of scales is -1, expected 0 or more and below 2^30"},
    {"sum, the scale of b", INTEGERS, add_sum, {0.5, -0.25, 1},
     "the ratio of scales is -0.25, expected 0 or more and below 2^30"},
    {"sum, the scale of y", INTEGERS, add_sum, {0.5, 0.25, 0},
     "the ratio of scales is inf, expected 0 or more and below 2^30"},
    {"multiply", INTEGERS, add_product, {.factor = -1},
     "the ratio of scales is -1, expected 0 or more and below 2^30"},
    {"multiply, floats", FLOATS, add_product, {.factor = -1}, "multiply expects a finite multiplier above 0"},
    {"multiply, a too short", INTEGERS, add_product_of_two, {.factor = 0.5}, "an input cannot be stretched to the shape of the output"},
    {"multiply, b too short", INTEGERS, add_product_of_two, {.factor = 1}, "an input cannot be stretched to the shape of the output"},
    {"weighted", INTEGERS, add_weighted, {.factor = 0x1p30},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"weighted, floats", FLOATS, add_weighted, {.factor = __builtin_nan("")}, "weighted_sum expects a finite multiplier above 0"},
    {"mean", INTEGERS, add_mean, {.factor = 0x1p30},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"mean, single", INTEGERS, add_mean_single, {.factor = 1e30}, "the zero point of x is 4e+31 in steps of y"},
    {"requantize", INTEGERS, add_requantize, {.factor = -1},
     "the ratio of scales is -1, expected 0 or more and below 2^30"},
    {"dense, to a row", INTEGERS, add_dense_to_fewer, {.factor = 0.5, .other = 1}, "y has 1 dimensions, expected [B, O]"},
    {"dense, to a number", INTEGERS, add_dense_to_fewer, {.factor = 0.5, .other = 0}, "dimension 0 of bias is 1, expected 4 (O)"},
    {"softmax, no number", INTEGERS, add_softmax, {.factor = __builtin_nan("")},
     "the ratio of scales is nan, expected 0 or more and below 2^30"},
    {"softmax, infinite", INTEGERS, add_softmax, {.factor = __builtin_inf()},
     "the ratio of scales is inf, expected 0 or more and below 2^30"},
    {"softmax, less than all", INTEGERS, add_softmax, {.factor = -__builtin_inf()},
     "the ratio of scales is -inf, expected 0 or more and below 2^30"},
    {"softmax, negative", INTEGERS, add_softmax, {.factor = -0x1p10},
     "the ratio of scales is -6.87195e+10, expected 0 or more and below 2^30"},
    {"softmax of a small scale", INTEGERS, add_softmax, {.factor = 0x1p-28}, "shift is -1, expected 0 to 31"},
    {"logistic of scale 8", INTEGERS, add_logistic, {.factor = 8},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"logistic of a small scale", INTEGERS, add_logistic, {.factor = 0x1p-29}, "shift is -1, expected 0 to 30"},
    {"tanh of scale 8", INTEGERS, add_tanh, {.factor = 8},
     "the ratio of scales is 1.07374e+09, expected 0 or more and below 2^30"},
    {"clamp", INTEGERS, add_clamp, {-1, -3, 6},
     "the ratio of scales is -1, expected 0 or more and below 2^30"},
    {"clamp, out of range", INTEGERS, add_clamp, {1, -4, 6}, "low is -1, and y is u8"},
    {"rescale by nothing", INTEGERS, add_rescale, {.factor = 0}, "rescale expects a finite scale above 0"},
    {"quantize to a scale of 0", INTEGERS, add_quantize, {.factor = 0}, "quantize expects a finite scale above 0"},
    {"dequantize, no number", INTEGERS, add_dequantize, {.factor = __builtin_nan("")}, "dequantize expects a finite scale above 0"},
    {"copy, other types", INTEGERS, add_copy_of_another_type, {.factor = 0}, "x is u8, y is i8"},
    {"copy, fewer elements", INTEGERS, add_copy_of_a_part, {.factor = 0}, "x has 16 elements, y has 4"},
    {"fill, above the greatest", INTEGERS, fill_u8, {.factor = 256}, "the zero point of y is 256, and y is u8"},
    {"fill, below the least", INTEGERS, fill_u8, {.factor = -1}, "the zero point of y is -1, and y is u8"},
    {"fill, below the least of 16 bits", INTEGERS, fill_i16, {.factor = -32769}, "the zero point of y is -32769, and y is i16"},
    {"fill floats with a zero point", INTEGERS, fill_f32, {.factor = 1}, "the zero point of y is 1, and y is f32"},
    {"fill 64 bits with a zero point", INTEGERS, fill_i64, {.factor = 1}, "the zero point of y is 1, and y is i64"},
};
// clang-format on

// No step is added, and the next layer is as if nothing had been tried.
HOIST_TEST_TABLE(layers_that_do_not_fit, refusals)
{
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, row->how, hoist_allocator_system(), t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, row->add(&n, row->by), HOIST_UNSUPPORTED);
    HOIST_EXPECT_STR(t, hoist_str_from(n.layers.why), row->why);
    HOIST_EXPECT_EQ(t, hoist_lower_status(&n.c), HOIST_OK);
    HOIST_EXPECT(t, !hoist_str_contains(quant_test_end(t, &n), "compute"));
    HOIST_EXPECT_RULE(t, NULL);
}

// Ranges -----------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    int64_t zero;
    double low, high;
} ranges[] = {
    {"u8",          U8,              3,    -3,            252},
    {"u8, no zero", U8,              0,    0,             255},
    {"i8",          I8,              -128, 0,             255},
    {"i16",         I16,             0,    -32768,        32767},
    {"i32",         HOIST_DTYPE_I32, 1,    -2147483649.0, 2147483646},
    {"i64",         HOIST_DTYPE_I64, 1,    0,             0},
    {"f32",         F32,             1,    0,             0},
    {"bool",        HOIST_DTYPE_BOOL, 1,   0,             0},
};
// clang-format on

HOIST_TEST_TABLE(limits_of_integers_are_their_range, ranges)
{
    const hoist_lower_view y = quant_test_view(0, row->dtype, rows, row->zero);
    const hoist_quant_limits limits = hoist_quant_all(&y);
    HOIST_EXPECT(t, limits.low == row->low);
    HOIST_EXPECT(t, limits.high == row->high);
}

// Failures of the builder ------------------------------------------------------------------------

// A step outside code is a failure, which each later layer reports.
HOIST_TEST_TABLE(layers_report_what_failed_before, layers)
{
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, row->how, hoist_allocator_system(), t->diag), HOIST_OK);
    hoist_builder_end_code(n.c.b);
    (void)hoist_builder_step(n.c.b, &(hoist_prog_step){.kind = HOIST_STEP_END});
    HOIST_EXPECT_EQ(t, row->add(&n, row->by), HOIST_INTERNAL);
    HOIST_EXPECT_EQ(t, quant_test_drop(&n), HOIST_INTERNAL);
}

// clang-format off
static const refusal misfits[] = {
    {"softmax of a small scale", INTEGERS, add_softmax, {.factor = 0x1p-28}, ""},
    {"clamp, out of range", INTEGERS, add_clamp, {1, -4, 6}, ""},
    {"rescale by nothing", INTEGERS, add_rescale, {.factor = 0}, ""},
};
// clang-format on

// The failure, not what does not fit.
HOIST_TEST_TABLE(failures_come_before_refusals, misfits)
{
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, row->how, hoist_allocator_system(), t->diag), HOIST_OK);
    hoist_builder_end_code(n.c.b);
    (void)hoist_builder_step(n.c.b, &(hoist_prog_step){.kind = HOIST_STEP_END});
    HOIST_EXPECT_EQ(t, row->add(&n, row->by), HOIST_INTERNAL);
    HOIST_EXPECT_STR(t, hoist_str_from(n.layers.why), row->why);
    HOIST_EXPECT_EQ(t, quant_test_drop(&n), HOIST_INTERNAL);
}

// Names of constants are of the arena.
HOIST_TEST(no_constant_has_no_name)
{
    static const uint8_t byte = 1;
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, INTEGERS, hoist_allocator_system(), t->diag), HOIST_OK);
    HOIST_EXPECT(t, hoist_quant_constant(&n.layers, (hoist_bytes){&byte, 1}) != HOIST_NO_REF);
    hoist_lower_fail(&n.c, HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, hoist_quant_constant(&n.layers, (hoist_bytes){&byte, 1}), HOIST_NO_REF);
    const hoist_lower_view zeros = hoist_quant_zeros(&n.layers, HOIST_DTYPE_I32, 3);
    HOIST_EXPECT_EQ(t, zeros.of, HOIST_NO_REF);
    HOIST_EXPECT_EQ(t, quant_test_drop(&n), HOIST_NO_MEMORY);
}

// A view of a buffer that could not be made, for want of memory.
HOIST_TEST_TABLE(views_of_no_buffer_are_no_memory, layers)
{
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, row->how, hoist_allocator_system(), t->diag), HOIST_OK);
    n.y = HOIST_NO_REF;
    HOIST_EXPECT_EQ(t, row->add(&n, row->by), HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, quant_test_drop(&n), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(steps_have_the_place_and_label_of_the_layer)
{
    quant_bench n;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, INTEGERS, hoist_allocator_system(), t->diag), HOIST_OK);
    n.layers.loc = hoist_loc_byte(12);
    n.layers.label = HOIST_STR("one");
    HOIST_EXPECT_EQ(t, add_product(&n, (numbers){.factor = 0.5}), HOIST_OK);
    n.layers.loc = hoist_loc_byte(34);
    n.layers.label = HOIST_STR("two");
    HOIST_EXPECT_EQ(t, add_copy(&n, (numbers){0}), HOIST_OK);
    hoist_builder_end_code(n.c.b);
    HOIST_EXPECT_EQ(t, hoist_lower_finish(&n.c, NULL, 0, &program), HOIST_OK);
    if (program) {
        const hoist_prog_step *steps = program->functions[0].code.steps;
        HOIST_EXPECT_STR(t, steps[0].label, "one");
        HOIST_EXPECT_EQ(t, steps[0].loc.offset, 12);
        HOIST_EXPECT_STR(t, steps[1].label, "two");
        HOIST_EXPECT_EQ(t, steps[1].loc.offset, 34);
    }
    hoist_program_destroy(program);
    hoist_lower_deinit(&n.c);
}

// Memory -----------------------------------------------------------------------------------------

typedef struct starved {
    hoist_requantization how;
    add_layer *add;
    numbers by;
} starved;

static hoist_status add_starved(hoist_allocator alloc, const void *self)
{
    const starved *one_layer = self;
    quant_bench n;
    hoist_status status = quant_test_begin(&n, one_layer->how, alloc, NULL);
    status = status == HOIST_OK ? one_layer->add(&n, one_layer->by) : status;
    const hoist_status finished = quant_test_drop(&n);
    return status != HOIST_OK ? status : finished;
}

HOIST_TEST_TABLE(layers_without_memory, layers)
{
    const starved self = {row->how, row->add, row->by};
    hoist_test_starve(t, add_starved, &self);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_layer_is_a_step_of_its_profile),
                HOIST_TEST_ROW(layers_that_do_not_fit),
                HOIST_TEST_ROW(limits_of_integers_are_their_range),
                HOIST_TEST_ROW(layers_report_what_failed_before),
                HOIST_TEST_ROW(failures_come_before_refusals),
                HOIST_TEST_ROW(no_constant_has_no_name),
                HOIST_TEST_ROW(views_of_no_buffer_are_no_memory),
                HOIST_TEST_ROW(steps_have_the_place_and_label_of_the_layer),
                HOIST_TEST_ROW(layers_without_memory))
