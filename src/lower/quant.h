// lower/quant.h - adds quantised layers to the function or thread that is being built.
//
// A layer is one step of a row of ops/compute_quant.h, or of moves; what it needs besides its
// tensors, such as a row of multipliers, becomes constants. Where tensors lie, and what is a layer,
// is the caller's: the graph of a TFLite file, or layers recovered from a compiled one.
//
// Every function that adds something returns HOIST_OK, HOIST_UNSUPPORTED (what does not fit is in
// `why`, and no step was added), or the status of the builder: HOIST_NO_MEMORY, HOIST_LIMIT,
// HOIST_INTERNAL. Factors and limits that are not finite, or negative factors, are among what does
// not fit; the caller has to check nothing before.
#ifndef HOIST_SRC_LOWER_QUANT_H
#define HOIST_SRC_LOWER_QUANT_H

#include "lower/context.h"
#include "lower/views.h"
#include "ops/compute_quant.h"

// What layers are added to.
typedef struct hoist_quant_layers {
    hoist_lower_context *c;              // borrowed; code is being built
    hoist_ref space;                     // of constants
    hoist_requantization requantization; // FLOAT: rows of the profile edgetpu where it has some
    hoist_loc loc;                       // of the steps that are added
    hoist_str label;                     // the same
    hoist_ref zeros;                     // four bytes of zeros; HOIST_NO_REF: none yet
    char why[HOIST_COMPUTE_WHY];         // of HOIST_UNSUPPORTED
} hoist_quant_layers;

// Nothing of it is owned.
void hoist_quant_init(hoist_quant_layers *layers, hoist_lower_context *c, hoist_ref space);

// Layers -----------------------------------------------------------------------------------------

// Float factors from sums to steps of the output: scale in * scale of weights / scale out.
typedef struct hoist_quant_scales {
    const double *factors;
    uint32_t count; // 1, or one for each output channel
} hoist_quant_scales;

// The least and greatest result in steps of the output, zero point not counted: 0 represents
// the number 0.0. Rounded to integers, half to even, where results are integers.
typedef struct hoist_quant_limits {
    double low, high;
} hoist_quant_limits;

// The range of the view's integer type of at most 32 bits; no limits for other types.
hoist_quant_limits hoist_quant_all(const hoist_lower_view *view);

// Of convolutions and pools, in rows and columns of the input. Pads are above and to the left; how
// far a window goes beyond the other end follows from the output.
typedef struct hoist_quant_window {
    int64_t kernel_h, kernel_w; // pools
    int64_t stride_h, stride_w;
    int64_t pad_top, pad_left;
    int64_t dilation_h, dilation_w; // convolutions
} hoist_quant_window;

// Layers of sums of products. conv: x [N, H, W, C], weights [O, K, L, C / groups], y [N, P, Q, O];
// depthwise: weights [1, K, L, O]; dense: x [B, I], weights [O, I], y [B, O]. A conv, transposed or
// not, may be of i16 numbers with i8 weights and a bias of i64, always in integers.
typedef struct hoist_quant_products {
    hoist_lower_view x, weights, y;
    const hoist_lower_view *bias; // i32 [O], i64 where x is i16; NULL: none
    hoist_quant_window window;    // not of dense
    hoist_quant_scales scales;
    hoist_quant_limits limits;
} hoist_quant_products;

HOIST_NODISCARD hoist_status hoist_quant_conv(hoist_quant_layers *layers,
                                              const hoist_quant_products *layer);
HOIST_NODISCARD hoist_status hoist_quant_depthwise(hoist_quant_layers *layers,
                                                   const hoist_quant_products *layer);
// x [N, H, W, C], weights [O, K, L, C], y [N, P, Q, O]; pads are of y. Not of layers whose
// requantization is FLOAT.
HOIST_NODISCARD hoist_status hoist_quant_transpose(hoist_quant_layers *layers,
                                                   const hoist_quant_products *layer);
HOIST_NODISCARD hoist_status hoist_quant_matrix(hoist_quant_layers *layers,
                                                const hoist_quant_products *layer);

// Layers of two tensors of the shape of y, element by element; see hoist_lower_view_broadcast().
typedef struct hoist_quant_pair {
    hoist_lower_view a, b, y;
    hoist_quant_limits limits;
} hoist_quant_pair;

// a + b or a - b of numbers with these scales, as TFLite has it: a common scale, shifted left by 20
// bits, by 15 where numbers have 16 (kernels reference 4.2). Always in integers.
typedef struct hoist_quant_sum {
    hoist_quant_pair pair;
    bool subtracts;
    double scale_a, scale_b, scale_y;
} hoist_quant_sum;
HOIST_NODISCARD hoist_status hoist_quant_add_sum(hoist_quant_layers *layers,
                                                 const hoist_quant_sum *layer);

// (a - zero) * (b - zero), scaled by the factor.
HOIST_NODISCARD hoist_status hoist_quant_multiply(hoist_quant_layers *layers,
                                                  const hoist_quant_pair *pair, double factor);

// a less its zero point, scaled by `factor` where it is 0 or more; else its product with b less its
// zero point, scaled by `slope_factor`, which may be negative. Numbers of 8 or 16 bits, always in
// integers; limits are not read.
HOIST_NODISCARD hoist_status hoist_quant_prelu(hoist_quant_layers *layers,
                                               const hoist_quant_pair *pair, double factor,
                                               double slope_factor);

// k1 * a + k2 * b + constant, scaled by the factor; zero points of a and b are in the constant.
typedef struct hoist_quant_weighted {
    hoist_quant_pair pair;
    int64_t k1, k2, constant;
    double factor;
} hoist_quant_weighted;
HOIST_NODISCARD hoist_status hoist_quant_add_weighted(hoist_quant_layers *layers,
                                                      const hoist_quant_weighted *layer);

// Pools of [N, H, W, C], of bytes, whose scales of x and y are one, or of float32, whose limits are
// numbers.
typedef struct hoist_quant_pool {
    hoist_lower_view x, y;
    hoist_quant_window window;
    hoist_quant_limits limits;
    bool is_max; // else the average
} hoist_quant_pool;
HOIST_NODISCARD hoist_status hoist_quant_add_pool(hoist_quant_layers *layers,
                                                  const hoist_quant_pool *layer);

// Layers of one tensor.
typedef struct hoist_quant_unary {
    hoist_lower_view x, y;
} hoist_quant_unary;

// Over H and W of [N, H, W, C] to [N, 1, 1, C]; factor: scale in / scale out, the number of
// elements not counted.
HOIST_NODISCARD hoist_status hoist_quant_mean(hoist_quant_layers *layers,
                                              const hoist_quant_unary *layer, double factor);
// The same as the interpreter's own kernel has it, of these scales.
HOIST_NODISCARD hoist_status hoist_quant_mean_single(hoist_quant_layers *layers,
                                                     const hoist_quant_unary *layer, float scale_in,
                                                     float scale_out);
// Over the innermost dimension, of beta * scale in = `factor`; the scale of y is 1/256, of i16
// 1/65536, its zero point the least number.
HOIST_NODISCARD hoist_status hoist_quant_softmax(hoist_quant_layers *layers,
                                                 const hoist_quant_unary *layer, double factor);
// The same as the interpreter's own kernel has it, in float32.
HOIST_NODISCARD hoist_status hoist_quant_softmax_single(hoist_quant_layers *layers,
                                                        const hoist_quant_unary *layer,
                                                        float factor, float scale_out);
// The scale of y is 1/256 (tanh: 1/128), its zero point the least number (tanh: the middle).
HOIST_NODISCARD hoist_status hoist_quant_logistic(hoist_quant_layers *layers,
                                                  const hoist_quant_unary *layer, double scale_in);
HOIST_NODISCARD hoist_status hoist_quant_tanh(hoist_quant_layers *layers,
                                              const hoist_quant_unary *layer, double scale_in);
// [N, H, W, C] to [N, P, Q, C], of bytes or float32.
typedef struct hoist_quant_corners {
    bool aligned;
    bool half_pixel;
} hoist_quant_corners;
HOIST_NODISCARD hoist_status hoist_quant_resize(hoist_quant_layers *layers,
                                                const hoist_quant_unary *layer,
                                                hoist_quant_corners corners);
// Other scale and zero point; factor: scale in / scale out.
HOIST_NODISCARD hoist_status hoist_quant_requantize(hoist_quant_layers *layers,
                                                    const hoist_quant_unary *layer, double factor);
// The same with limits: relu and the like. 8-bit numbers.
HOIST_NODISCARD hoist_status hoist_quant_clamp(hoist_quant_layers *layers,
                                               const hoist_quant_unary *layer, double factor,
                                               hoist_quant_limits limits);
// The same with two factors: of x less its zero point where that is 0 or more, and of others.
HOIST_NODISCARD hoist_status hoist_quant_leaky(hoist_quant_layers *layers,
                                               const hoist_quant_unary *layer, double factor,
                                               double slope_factor);
// The same in float32, as TFLite's concatenation has it (4.11): round(x * factor - zero * factor).
HOIST_NODISCARD hoist_status hoist_quant_rescale(hoist_quant_layers *layers,
                                                 const hoist_quant_unary *layer, float factor);
// float32 to integers of this scale, and back.
HOIST_NODISCARD hoist_status hoist_quant_quantize(hoist_quant_layers *layers,
                                                  const hoist_quant_unary *layer, float scale);
HOIST_NODISCARD hoist_status hoist_quant_dequantize(hoist_quant_layers *layers,
                                                    const hoist_quant_unary *layer, float scale);

// Elements of x, one after the other, to y, which has as many, of the same type.
HOIST_NODISCARD hoist_status hoist_quant_copy(hoist_quant_layers *layers,
                                              const hoist_quant_unary *layer);
// The zero point of y to all of y; 0 where its type has none.
HOIST_NODISCARD hoist_status hoist_quant_fill(hoist_quant_layers *layers,
                                              const hoist_lower_view *y);

#endif // HOIST_SRC_LOWER_QUANT_H
