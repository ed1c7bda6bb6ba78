// ops/compute_quant_fit.h - what has to hold between extents and attributes of quantised rows, for
// their table: windows that meet the image, groups, sums that stay in 32 bits, limits in order.
#ifndef HOIST_SRC_OPS_COMPUTE_QUANT_FIT_H
#define HOIST_SRC_OPS_COMPUTE_QUANT_FIT_H

#include "ops/compute.h"

// The `fit` of rows; `_real`: those that scale in float32.
hoist_compute_fit_fn hoist_fit_conv;
hoist_compute_fit_fn hoist_fit_conv_real;
hoist_compute_fit_fn hoist_fit_dense;
hoist_compute_fit_fn hoist_fit_dense_real;
hoist_compute_fit_fn hoist_fit_depthwise;
hoist_compute_fit_fn hoist_fit_depthwise_real;
hoist_compute_fit_fn hoist_fit_mean;
hoist_compute_fit_fn hoist_fit_multiply;
hoist_compute_fit_fn hoist_fit_multiply_real;
hoist_compute_fit_fn hoist_fit_nearest;
hoist_compute_fit_fn hoist_fit_pool;
hoist_compute_fit_fn hoist_fit_resize;
hoist_compute_fit_fn hoist_fit_scale;
hoist_compute_fit_fn hoist_fit_sum;
hoist_compute_fit_fn hoist_fit_weighted;
hoist_compute_fit_fn hoist_fit_weighted_real;

#endif // HOIST_SRC_OPS_COMPUTE_QUANT_FIT_H
