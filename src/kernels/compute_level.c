// The compute kernels of one CPU level.
#include "kernels/compute_table.h"
#include "kernels/level.h"

// Groups of rows: those of the level, then those that are the same at every level.
// clang-format off
#define GROUPS(group) \
    group(HOIST_BASE_NAME(hoist_ark_level_group)) \
    group(HOIST_PRODUCT_NAME(hoist_ark_product_group)) \
    group(HOIST_BASE_NAME(hoist_ark_reduce_group)) \
    group(HOIST_BASE_NAME(hoist_binary_group)) \
    group(HOIST_BASE_NAME(hoist_declared_group)) \
    group(HOIST_BASE_NAME(hoist_math_group)) \
    group(HOIST_BASE_NAME(hoist_matmul_group)) \
    group(HOIST_QUANT_NAME(hoist_quant_group)) \
    group(HOIST_QUANT_NAME(hoist_quant_sum_group)) \
    group(HOIST_BASE_NAME(hoist_reduce_group)) \
    group(HOIST_BASE_NAME(hoist_simple_group)) \
    group(HOIST_BASE_NAME(hoist_sparse_older_group)) \
    group(HOIST_BASE_NAME(hoist_sparse_group)) \
    group(HOIST_BASE_NAME(hoist_tile_group)) \
    group(hoist_ark_embedding_group) \
    group(hoist_detections_group) \
    group(hoist_device_kernel_group) \
    group(hoist_device_sparse_group) \
    group(hoist_embedding_group) \
    group(hoist_ieee_group) \
    group(hoist_plain_lookup_group) \
    group(hoist_plain_numbers_group) \
    group(hoist_plain_window_group) \
    group(hoist_poses_group) \
    group(hoist_quant_elements_group) \
    group(hoist_quant_image_group) \
    group(hoist_quant_softmax_group) \
    group(hoist_quant_wide_group) \
    group(hoist_topk_group) \
    group(hoist_transposed_group) \
    group(hoist_unary_group)
// clang-format on

// The list serves twice: as declarations, and as the table.
#define DECLARE(name) extern const hoist_compute_group name;
#define LIST(name) &name,

GROUPS(DECLARE)

const hoist_compute_kernels HOIST_LEVEL_NAME(hoist_compute_kernels) = {
    .level = HOIST_LEVEL,
#if defined(__AVX512BF16__)
    .fast = "AVX512-BF16",
#endif
    .groups = {GROUPS(LIST)},
};
