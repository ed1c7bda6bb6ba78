// ops/compute_quant_fit.h - the rules of quantised rows and of images, for the tables that list
// them.
#ifndef HOIST_SRC_OPS_COMPUTE_QUANT_FIT_H
#define HOIST_SRC_OPS_COMPUTE_QUANT_FIT_H

#include "ops/compute.h"

hoist_compute_rule_fn hoist_rule_conv;
hoist_compute_rule_fn hoist_rule_dense;
hoist_compute_rule_fn hoist_rule_dense_i16;
hoist_compute_rule_fn hoist_rule_depthwise;
hoist_compute_rule_fn hoist_rule_limits;
hoist_compute_rule_fn hoist_rule_mean;
hoist_compute_rule_fn hoist_rule_mean_single;
hoist_compute_rule_fn hoist_rule_multiply;
hoist_compute_rule_fn hoist_rule_nearest;
hoist_compute_rule_fn hoist_rule_pool;
hoist_compute_rule_fn hoist_rule_prelu;
hoist_compute_rule_fn hoist_rule_resize;
hoist_compute_rule_fn hoist_rule_scale;
hoist_compute_rule_fn hoist_rule_sum;
hoist_compute_rule_fn hoist_rule_transpose;
hoist_compute_rule_fn hoist_rule_weighted;

#endif // HOIST_SRC_OPS_COMPUTE_QUANT_FIT_H
