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

#endif // HOIST_SRC_LOWER_QUANT_PLAIN_H
