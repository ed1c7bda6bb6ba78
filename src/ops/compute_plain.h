// ops/compute_plain.h - rows of the profile tflite that work on numbers as they are: float32 and
// int32 arithmetic, choices, lookups, and images in float32 (TFLite's reference kernels).
//
// Views have any strides. Letters in the operands' `dims`: A and B surround an axis of M elements;
// I indices along it; R rows of K indices into the last K of A, B, C and D, each to E elements.
// Images are as in ops/compute_quant.h.
//
// add_f32 and the others: the result of float32 clamped to low..high, which TFLite does even
// without an activation: infinities become the greatest finite numbers. NaN stays.
// add_i32 and the others: modulo 2^32, then clamped. [inferred: TFLite leaves it undefined]
// floor_divide_i32: the quotient rounded down, modulo 2^32; a divisor of 0 stops the run.
// floor_mod_i32: what it leaves over, of the sign of the divisor; the same of a divisor of 0.
// same_i32: b, where a is b or -1; another number stops the run.
// maximum, minimum: a where it is greater (less), else b; so of NaN it is b.
// cast: of integers modulo 2^bits; of float32 truncated, what the type cannot hold is its
// nearest number, NaN 0 [inferred: TFLite leaves it undefined]; to bool whether it is not 0.
// arg_max, arg_min: the first of the greatest (least) numbers along M; NaN is chosen last.
// gather, gather_nd: an index outside of its dimension stops the run.
// conv_f32, depthwise_f32, dense_f32: products are rounded, then summed one after the other by
// rising row, column and channel of the window, then the bias is added and the sum clamped.
// transpose_conv_f32: the same products as transpose_conv has, by rising row, column and channel of
// x, then the bias.
// average_pool_f32: the sum, in the same order, over the number of positions inside the image.
// softmax_f32: over the innermost dimension; logistic_f32, tanh_f32: exponentials are those of
// double, rounded once. prelu_f32: a where it is 0 or more, else a * b; NaN stays.
// detections_f32: boxes [y, x, h, w] over their scales, in those of anchors, as [top, left, bottom,
// right]; one without an area stops the run. By falling score, of equal ones the first, each box is
// kept that does not overlap one that is. Not regular: of all classes, by the best class of each
// box, with a row for each of its best classes. Regular: of each class by itself; then the best of
// all, of equal ones those of the last class. Rows are a box, its class and its score, zeros where
// there is none; the last one begins with the number of boxes that were kept.
// pose_roots_f32: numbers of the scores [H, W, K] that are at least the logarithm of the odds of
// `score` and that none of the eight around them, of their keypoint, exceeds, by falling score, of
// equal ones as kernels/score_queue.h has them; then -1.
// poses_f32: from each root, moved by its short offset, that is farther than `radius` from its
// keypoint in all poses so far, offsets lead to the other keypoints: the middle one of the edge,
// then five times the short one, read between places. The keypoint of the best score goes first.
// A pose is kept where the mean of its scores, as probabilities, is at least `score`; then again
// without keypoints near those of a better one, by falling mean. Rows are 17 points y, x times
// `stride`, 17 scores and their mean, zeros where there is none; the last one begins with the
// number of poses. Offsets: 17 (of edges: 16) of y, then of x; mids: of edges, then of their ways
// back. NaN that is read stops the run.
// pose_masks_f32: 1 for the pose whose points are nearest, by the sum of squares, to those that the
// long offsets lead to in three steps, else 0. Place y, x of pose p is number (p * W + y) * H + x
// of y, as the operator has it: rows of masks that are not square overlap.
#ifndef HOIST_SRC_OPS_COMPUTE_PLAIN_H
#define HOIST_SRC_OPS_COMPUTE_PLAIN_H

#include "ops/compute.h"

// Dimensions that gather_nd can look into.
#define HOIST_GATHER_MAX_INDICES 4

// Of a pose, and the numbers of its row.
#define HOIST_POSE_KEYPOINTS 17
#define HOIST_POSE_EDGES 16
#define HOIST_POSE_COLUMNS (3 * HOIST_POSE_KEYPOINTS + 1)
#define HOIST_POSES_LIMIT 1024

// Attributes by index.
enum {
    // add_f32, subtract_f32, multiply_f32, divide_f32: floats; their _i32: int32
    HOIST_PLAIN_LOW = 0,
    HOIST_PLAIN_HIGH,
    // hard_swish, all in 16 bits: x less its zero point, times 2^7, is scaled to 32768 for 3 by
    // `ramp` and to the output by `multiplier`; a multiplier is m * 2^(shift - 15)
    HOIST_SWISH_ZERO_IN = 0,
    HOIST_SWISH_ZERO_OUT,
    HOIST_SWISH_MULTIPLIER,
    HOIST_SWISH_SHIFT,
    HOIST_SWISH_RAMP,
    HOIST_SWISH_RAMP_SHIFT,
    // conv_f32, depthwise_f32, transpose_conv_f32: floats, after the strides, pads and dilations of
    // HOIST_CONV_...;
    // dense_f32: HOIST_PLAIN_LOW and _HIGH; pools: HOIST_POOL_..., low and high are floats
    HOIST_CONV_F32_LOW = 6,
    HOIST_CONV_F32_HIGH,
    HOIST_SOFTMAX_F32_BETA = 0, // float
    // detections_f32: thresholds and scales are floats
    HOIST_DETECTIONS_MOST = 0,  // boxes that are kept
    HOIST_DETECTIONS_EACH,      // rows of each, where not regular
    HOIST_DETECTIONS_CLASSES,   // without the background
    HOIST_DETECTIONS_PER_CLASS, // boxes of a class that are kept, where regular
    HOIST_DETECTIONS_REGULAR,   // 0 or 1
    HOIST_DETECTIONS_SCORE,     // the least of a box that counts
    HOIST_DETECTIONS_OVERLAP,   // the most with a better box
    HOIST_DETECTIONS_Y_SCALE,
    HOIST_DETECTIONS_X_SCALE,
    HOIST_DETECTIONS_H_SCALE,
    HOIST_DETECTIONS_W_SCALE,
    HOIST_POSE_ROOTS_SCORE = 0, // float: a probability
    HOIST_POSES_MOST = 0,       // poses that are kept
    HOIST_POSES_SCORE,          // float: the least of a pose, a probability
    HOIST_POSES_STRIDE,         // pixels between two places
    HOIST_POSES_RADIUS,         // float: pixels
    HOIST_POSE_MASKS_STRIDE = 0,
    // resize_nearest and resize_bilinear_f32: HOIST_RESIZE_... of ops/compute_quant.h
};

#endif // HOIST_SRC_OPS_COMPUTE_PLAIN_H
