// The compute kernels of one CPU level.
#include "kernels/compute_table.h"
#include "kernels/level.h"

// The same at every level.
extern const hoist_compute_row hoist_ark_embedding_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_detections_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_device_kernel_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_embedding_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_ieee_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_plain_lookup_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_plain_numbers_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_plain_window_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_quant_elements_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_quant_image_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_quant_softmax_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_quant_wide_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_topk_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_transposed_rows[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row hoist_unary_rows[HOIST_COMPUTE_COUNT];

extern const hoist_compute_row HOIST_BASE_NAME(hoist_ark_level_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_ark_product_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_ark_reduce_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_binary_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_declared_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_math_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_matmul_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_LEVEL_NAME(hoist_quant_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_reduce_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_simple_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_sparse_rows)[HOIST_COMPUTE_COUNT];
extern const hoist_compute_row HOIST_BASE_NAME(hoist_tile_rows)[HOIST_COMPUTE_COUNT];

// clang-format off
const hoist_compute_kernels HOIST_LEVEL_NAME(hoist_compute_kernels) = {
    .level = HOIST_LEVEL,
    .groups = {
        HOIST_BASE_NAME(hoist_ark_level_rows),
        HOIST_BASE_NAME(hoist_ark_product_rows),
        HOIST_BASE_NAME(hoist_ark_reduce_rows),
        HOIST_BASE_NAME(hoist_binary_rows),
        HOIST_BASE_NAME(hoist_declared_rows),
        HOIST_BASE_NAME(hoist_math_rows),
        HOIST_BASE_NAME(hoist_matmul_rows),
        HOIST_LEVEL_NAME(hoist_quant_rows),
        HOIST_BASE_NAME(hoist_reduce_rows),
        HOIST_BASE_NAME(hoist_simple_rows),
        HOIST_BASE_NAME(hoist_sparse_rows),
        HOIST_BASE_NAME(hoist_tile_rows),
        hoist_ark_embedding_rows,
        hoist_detections_rows,
        hoist_device_kernel_rows,
        hoist_embedding_rows,
        hoist_ieee_rows,
        hoist_plain_lookup_rows,
        hoist_plain_numbers_rows,
        hoist_plain_window_rows,
        hoist_quant_elements_rows,
        hoist_quant_image_rows,
        hoist_quant_softmax_rows,
        hoist_quant_wide_rows,
        hoist_topk_rows,
        hoist_transposed_rows,
        hoist_unary_rows,
    },
};
// clang-format on
