// lower/quant_plain.h - adds steps of ops/compute_plain.h, as lower/quant.h does those of layers.
#ifndef HOIST_SRC_LOWER_QUANT_PLAIN_H
#define HOIST_SRC_LOWER_QUANT_PLAIN_H

#include "lower/quant.h"

// Two tensors that are stretched to the shape of y. `limits` are least and greatest results; rows
// without limits do not look at them.
HOIST_NODISCARD hoist_status hoist_plain_pair(hoist_quant_layers *layers, hoist_compute_op op,
                                              const hoist_quant_pair *pair);
// Rows of one tensor that have no attributes: cast, sqrt_f32, logistic_f32, tanh_f32.
HOIST_NODISCARD hoist_status hoist_plain_unary(hoist_quant_layers *layers, hoist_compute_op op,
                                               const hoist_quant_unary *layer);
// Layers of float32, whose scales are not looked at; limits are numbers. The row is conv_f32,
// depthwise_f32 or transpose_conv_f32; dense: [B, I] and [B, O].
HOIST_NODISCARD hoist_status hoist_plain_windows(hoist_quant_layers *layers, hoist_compute_op op,
                                                 const hoist_quant_products *layer);
HOIST_NODISCARD hoist_status hoist_plain_dense(hoist_quant_layers *layers,
                                               const hoist_quant_products *layer);
// Over the innermost dimension, of float32.
HOIST_NODISCARD hoist_status hoist_plain_softmax(hoist_quant_layers *layers,
                                                 const hoist_quant_unary *layer, float beta);
// x of float32 where it is 0 or more, else `slope` * x.
HOIST_NODISCARD hoist_status hoist_plain_leaky(hoist_quant_layers *layers,
                                               const hoist_quant_unary *layer, float slope);
// A number and x of float32 through add_f32, subtract_f32, multiply_f32 or divide_f32.
HOIST_NODISCARD hoist_status hoist_plain_number(hoist_quant_layers *layers, hoist_compute_op op,
                                                float number, const hoist_quant_unary *layer);
// float32 clamped: relu and the like.
HOIST_NODISCARD hoist_status hoist_plain_clamp(hoist_quant_layers *layers,
                                               const hoist_quant_unary *layer,
                                               hoist_quant_limits limits);
// x * relu6(x + 3) / 6 of 8-bit numbers with these scales.
HOIST_NODISCARD hoist_status hoist_plain_swish(hoist_quant_layers *layers,
                                               const hoist_quant_unary *layer, float scale_in,
                                               float scale_out);
// arg_max or arg_min along an axis, which y does not have.
HOIST_NODISCARD hoist_status hoist_plain_places(hoist_quant_layers *layers, hoist_compute_op op,
                                                const hoist_quant_unary *layer, int axis);

typedef struct hoist_plain_lookup {
    hoist_lower_view x, indices, y;
} hoist_plain_lookup;
// y has the dimensions of the indices in place of axis `axis` of x.
HOIST_NODISCARD hoist_status hoist_plain_gather(hoist_quant_layers *layers,
                                                const hoist_plain_lookup *layer, int axis);
// Each row of the last dimension of the indices is one place in the first dimensions of x.
HOIST_NODISCARD hoist_status hoist_plain_gather_nd(hoist_quant_layers *layers,
                                                   const hoist_plain_lookup *layer);
// [N, H, W, C] to [N, P, Q, C].
HOIST_NODISCARD hoist_status hoist_plain_nearest(hoist_quant_layers *layers,
                                                 const hoist_quant_unary *layer,
                                                 hoist_quant_corners corners);

// The layers of LSTM cells of 16 bits (compute_quant.h). dense: x i8 [B, I] with its zero point,
// weights i8 [O, I], bias i32 [O], a and y i16 [B, O]; the factor is that from sums to steps of y.
typedef struct hoist_plain_short_dense {
    hoist_lower_view x, weights, y;
    const hoist_lower_view *bias, *a; // NULL: zeros
    double factor;
} hoist_plain_short_dense;
HOIST_NODISCARD hoist_status hoist_plain_add_short_dense(hoist_quant_layers *layers,
                                                         const hoist_plain_short_dense *layer);
// Rows with weights and results of their own (dense_i16_i8): x i16 [B, O, I], weights i16 [O, I],
// bias i32 [O], y i8 [B, O] with its zero point; the factor is that from sums to steps of y.
typedef struct hoist_plain_short_rows {
    hoist_lower_view x, weights, y;
    const hoist_lower_view *bias; // NULL: zeros
    double factor;
} hoist_plain_short_rows;
HOIST_NODISCARD hoist_status hoist_plain_add_short_rows(hoist_quant_layers *layers,
                                                        const hoist_plain_short_rows *layer);
// a + b within the limits, and within 16 bits.
HOIST_NODISCARD hoist_status hoist_plain_short_sum(hoist_quant_layers *layers,
                                                   const hoist_quant_pair *pair);
// a * b / 2^shift; limits are not read, here and below.
HOIST_NODISCARD hoist_status hoist_plain_short_product(hoist_quant_layers *layers,
                                                       const hoist_quant_pair *pair, int shift);
// a * b, scaled by the factor, as i8 with the zero point of y.
HOIST_NODISCARD hoist_status hoist_plain_short_output(hoist_quant_layers *layers,
                                                      const hoist_quant_pair *pair, double factor);
// tanh of numbers with `bits` bits before the point.
HOIST_NODISCARD hoist_status hoist_plain_short_tanh(hoist_quant_layers *layers,
                                                    const hoist_quant_unary *layer, int bits);

// The best boxes of an SSD head (detections_f32): boxes [B, 4 or more], scores [B, C], anchors
// [B, 4], y [most * each + 1, 6].
typedef struct hoist_plain_detections {
    hoist_lower_view boxes, scores, anchors, y;
    int64_t most, each, classes, per_class;
    bool is_regular;
    float least_score, most_overlap;
    float scales[4]; // of y, x, h and w
} hoist_plain_detections;
HOIST_NODISCARD hoist_status hoist_plain_add_detections(hoist_quant_layers *layers,
                                                        const hoist_plain_detections *layer);

// Poses of maps of keypoints (pose_roots_f32 and poses_f32): scores [H, W, 17], as odds, shorts
// [H, W, 34] and mids [H, W, 64] in places; roots i32 [H * W * 17], y [most + 1, 52].
typedef struct hoist_plain_poses {
    hoist_lower_view scores, shorts, mids, roots, y;
    int64_t most, stride;
    float score, radius;
} hoist_plain_poses;
HOIST_NODISCARD hoist_status hoist_plain_add_poses(hoist_quant_layers *layers,
                                                   const hoist_plain_poses *layer);
// Which pose each place belongs to (pose_masks_f32): poses [P + 1, 52], longs [H, W, 34] in places,
// y [P, N].
typedef struct hoist_plain_pose_masks {
    hoist_lower_view poses, longs, y;
    int64_t stride;
} hoist_plain_pose_masks;
HOIST_NODISCARD hoist_status hoist_plain_add_pose_masks(hoist_quant_layers *layers,
                                                        const hoist_plain_pose_masks *layer);

#endif // HOIST_SRC_LOWER_QUANT_PLAIN_H
