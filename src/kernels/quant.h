// kernels/quant.h - convolutions, dense layers and pools of 8-bit numbers on plain memory: what the
// rows of the profiles tflite and edgetpu (ops/compute.h) run, once per CPU level.
//
// Integers all the way: every order of additions gives the same bits, so every level gives
// those of the reference functions here (TFLite kernels reference, sections 3 and 4).
//
// Constants are prepared once. MobileNet v1 1.0 has 3.3 MB of weights for 569 million products.
// With 8-bit dot products of 64 bytes a core does these in 3 to 6 ms; putting 3.3 MB into the order
// that they want costs 1 to 3 ms, and the sums of weights that a zero point of the input needs
// another pass. So calls do not pack: a session asks for the prepared form of every step whose
// weights and bias are constants when it opens, and hands it to each run. Weights that a program
// computes have none (`prepared` is NULL): such a call is right, and may be slow.
#ifndef HOIST_SRC_KERNELS_QUANT_H
#define HOIST_SRC_KERNELS_QUANT_H

#include "kernels/compute.h"

// Output channels of one unit of a convolution.
#define HOIST_QUANT_BLOCK 64
#define HOIST_QUANT_PREPARED_ALIGNMENT 64

// What becomes of an accumulator of channel o. Pair p is 0 when `count` is 1, else o.
//
// Integers: y = clamp(MBQM(acc, multiplier[p], shift[p]) + zero_out, low, high), with
// multiplier 0 or more and shift -31 to 30; where `is_single` is set, MBQM rounds once. Floats: t =
// (float)acc * scale[p], clamped to [low_f32, high_f32], rounded half to even, + zero_out; scale is
// finite and the result always fits the type.
typedef struct hoist_quant_scale {
    bool is_float;
    bool is_single;
    int64_t count;          // 1 or `o`
    const uint8_t *numbers; // borrowed; i32 pairs of multiplier and shift, or f32; little-endian
    int64_t stride[2];      // bytes: of p, and from multiplier to shift
    int32_t zero_out;
    int32_t low; // inside the type of y
    int32_t high;
    float low_f32;
    float high_f32;
} hoist_quant_scale;

// A convolution: y[n, oy, ox, o] = requantised(bias[o] + sum over ky, kx, j of
//     (x[n, oy * stride_h - pad_top + dilation_h * ky, ..., g * i + j] - zero_in)
//     * (weights[o, ky, kx, j] - zero_weight)),
// over the positions inside the image; there are c / i groups of channels, and o is in group g =
// o / (o's of a group). A dense layer is one with h = w = kh = kw = oh = ow = 1 and i = c.
// Depthwise: weights[0, ky, kx, o] with input channel o / (o's per c); i is 1.
//
// The products of one output sum to less than 2^31 whatever the data (the verifier sees to it); the
// bias is added modulo 2^32.
typedef struct hoist_quant_conv {
    bool is_signed;    // x, weights and y are i8, else u8
    bool is_depthwise; // weights are [1, kh, kw, o]
    int64_t n, h, w, c;
    int64_t o, kh, kw, i;
    int64_t oh, ow;
    int64_t stride_h, stride_w; // 1 or more
    int64_t pad_top, pad_left;  // 0 or more
    int64_t dilation_h, dilation_w;
    int32_t zero_in;
    int32_t zero_weight;
    hoist_quant_scale scale;
    // Borrowed. Strides are bytes.
    const uint8_t *x; // [n, h, w, c]
    int64_t x_stride[4];
    const uint8_t *weights; // [o, kh, kw, i]; depthwise [1, kh, kw, o]
    int64_t weight_stride[4];
    const uint8_t *bias; // [o], i32 little-endian
    int64_t bias_stride;
    uint8_t *y; // [n, oh, ow, o]
    int64_t y_stride[4];
} hoist_quant_conv;

// A pool: the average (each rounded half up when unsigned, half away from zero when signed) or the
// greatest of what the window has inside the image, at least one position; then clamped.
typedef struct hoist_quant_pool {
    bool is_signed;     // x and y are i8, else u8
    int64_t n, h, w, c; // of x; y has as many images and channels
    int64_t kh, kw;     // the window
    int64_t oh, ow;
    int64_t stride_h, stride_w;
    int64_t pad_top, pad_left;
    int32_t low; // inside the type of y
    int32_t high;
    const uint8_t *x;
    int64_t x_stride[4];
    uint8_t *y;
    int64_t y_stride[4];
} hoist_quant_pool;

// Units of work. A unit of a convolution is one row of output positions of one block of
// HOIST_QUANT_BLOCK channels (the last one may have fewer): unit ((block * n) + image) * oh + oy,
// so that a range of units goes down the image with the same weights. A unit of a depthwise
// convolution or a pool is one row with all channels: image * oh + oy.
size_t hoist_quant_conv_units(const hoist_quant_conv *conv);
size_t hoist_quant_pool_units(const hoist_quant_pool *pool);

// True when fast kernels may take the call: a little-endian machine; channels of x and y, weights,
// bias and scales without gaps (strides of images, rows and pixels are free); bias and scales
// aligned to 4 bytes. Else the reference functions do it.
bool hoist_quant_conv_is_plain(const hoist_quant_conv *conv);
bool hoist_quant_pool_is_plain(const hoist_quant_pool *pool);

// Kernels of one CPU level. They do units [begin, end); calls are plain, and different ranges run
// at the same time. `prepared_size` may be NULL, and `prepare` then, too.
typedef struct hoist_quant_kernels {
    // Bytes of the prepared form of weights, bias, scales and geometry (all but the elements of x
    // and y); 0: none is needed. Depthwise, too. At most a few times the weights.
    size_t (*prepared_size)(const hoist_quant_conv *conv);
    // Fills it; `prepared` is aligned to HOIST_QUANT_PREPARED_ALIGNMENT.
    void (*prepare)(const hoist_quant_conv *conv, uint8_t *prepared);
    // `prepared`: what prepare() made for such a call, or NULL.
    void (*conv)(const hoist_quant_conv *conv, const uint8_t *prepared, size_t begin, size_t end);
    void (*depthwise)(const hoist_quant_conv *conv, const uint8_t *prepared, size_t begin,
                      size_t end);
    void (*average_pool)(const hoist_quant_pool *pool, size_t begin, size_t end);
    void (*max_pool)(const hoist_quant_pool *pool, size_t begin, size_t end);
} hoist_quant_kernels;

// The table of a level: quant_level.c, compiled once for each.
extern const hoist_quant_kernels hoist_quant_kernels_baseline;
extern const hoist_quant_kernels hoist_quant_kernels_v3;
extern const hoist_quant_kernels hoist_quant_kernels_v4;
extern const hoist_quant_kernels hoist_quant_kernels_vnni;

// The table of the highest level up to `level`, which the machine has.
const hoist_quant_kernels *hoist_quant_kernels_at(hoist_cpu_level level);

// The reference: slow, for any strides and byte order; `prepared` is not looked at.
void hoist_quant_conv_reference(const hoist_quant_conv *conv, const uint8_t *prepared, size_t begin,
                                size_t end);
void hoist_quant_depthwise_reference(const hoist_quant_conv *conv, const uint8_t *prepared,
                                     size_t begin, size_t end);
void hoist_quant_average_pool_reference(const hoist_quant_pool *pool, size_t begin, size_t end);
void hoist_quant_max_pool_reference(const hoist_quant_pool *pool, size_t begin, size_t end);

// Calls of compute rows ---------------------------------------------------------------------------

// The convolution of a call of conv, depthwise or dense, and the pool of one of average_pool or
// max_pool, of either profile. The call fits its row.
hoist_quant_conv hoist_quant_conv_of(const hoist_compute_call *call);
hoist_quant_pool hoist_quant_pool_of(const hoist_compute_call *call);

// The scales of such a call: `numbers` is their operand, `zero_out` the index of an attribute, with
// low and high after it.
hoist_quant_scale hoist_quant_scale_of(const hoist_compute_call *call, const hoist_view *numbers,
                                       size_t zero_out);
// The result of output channel `o`, whose accumulator is `sum`.
int32_t hoist_quant_scale_sum(const hoist_quant_scale *scale, int64_t o, int32_t sum);

// True when multipliers and shifts are in their ranges. False with `*out_fault`, whose place is row
// and column of the first that is not.
bool hoist_quant_scale_is_good(const hoist_quant_scale *scale, hoist_compute_fault *out_fault);

// The same of sums of 64 bits, whose shifts are at most 7 (quant_wide.c).
int32_t hoist_quant_scale_wide_sum(const hoist_quant_scale *scale, int64_t o, int64_t sum);
bool hoist_quant_scale_is_good_wide(const hoist_quant_scale *scale, hoist_compute_fault *out_fault);

#endif // HOIST_SRC_KERNELS_QUANT_H
