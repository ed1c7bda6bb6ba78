// The compute kernels of one CPU level.
#include "kernels/compute_table.h"
#include "kernels/level.h"

// Groups of rows: those of the level, then those that are the same at every level.
// clang-format off
#define GROUPS(group) \
    group(HOIST_BASE_NAME(hoist_ark_level_rows)) \
    group(HOIST_PRODUCT_NAME(hoist_ark_product_rows)) \
    group(HOIST_BASE_NAME(hoist_ark_reduce_rows)) \
    group(HOIST_BASE_NAME(hoist_binary_rows)) \
    group(HOIST_BASE_NAME(hoist_declared_rows)) \
    group(HOIST_BASE_NAME(hoist_math_rows)) \
    group(HOIST_BASE_NAME(hoist_matmul_rows)) \
    group(HOIST_QUANT_NAME(hoist_quant_rows)) \
    group(HOIST_QUANT_NAME(hoist_quant_sum_rows)) \
    group(HOIST_BASE_NAME(hoist_reduce_rows)) \
    group(HOIST_BASE_NAME(hoist_simple_rows)) \
    group(HOIST_BASE_NAME(hoist_sparse_older_rows)) \
    group(HOIST_BASE_NAME(hoist_sparse_rows)) \
    group(HOIST_BASE_NAME(hoist_tile_rows)) \
    group(hoist_ark_embedding_rows) \
    group(hoist_detections_rows) \
    group(hoist_device_kernel_rows) \
    group(hoist_device_sparse_rows) \
    group(hoist_embedding_rows) \
    group(hoist_ieee_rows) \
    group(hoist_plain_lookup_rows) \
    group(hoist_plain_numbers_rows) \
    group(hoist_plain_window_rows) \
    group(hoist_poses_rows) \
    group(hoist_quant_elements_rows) \
    group(hoist_quant_image_rows) \
    group(hoist_quant_softmax_rows) \
    group(hoist_quant_wide_rows) \
    group(hoist_topk_rows) \
    group(hoist_transposed_rows) \
    group(hoist_unary_rows)
// clang-format on

// The list serves twice: as declarations, and as the table.
#define DECLARE(rows) extern const hoist_compute_row rows[HOIST_COMPUTE_COUNT];
#define LIST(rows) rows,

GROUPS(DECLARE)

const hoist_compute_kernels HOIST_LEVEL_NAME(hoist_compute_kernels) = {
    .level = HOIST_LEVEL,
#if defined(__AVX512BF16__)
    .fast = "AVX512-BF16",
#endif
    .groups = {GROUPS(LIST)},
};
