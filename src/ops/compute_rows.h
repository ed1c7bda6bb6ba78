// ops/compute_rows.h - how the tables of compute rows are written.
#ifndef HOIST_SRC_OPS_COMPUTE_ROWS_H
#define HOIST_SRC_OPS_COMPUTE_ROWS_H

#include "ops/compute.h"

#define COUNT(array) (uint8_t)(sizeof(array) / sizeof *(array))
#define BIT(index) (uint16_t)(1U << (index))
#define BIG (INT64_C(1) << 31)

// Sets of types.
#define TYPE(name) (UINT64_C(1) << HOIST_DTYPE_##name)
#define INT8S (TYPE(U8) | TYPE(I8))
#define INT16S (INT8S | TYPE(I16))
#define INT32S (INT16S | TYPE(I32))
#define ALL_TYPES UINT64_MAX

// Attributes.
#define LETTER(text, low, high, dims)                                                              \
    {                                                                                              \
        (text), HOIST_COMPUTE_INT, (low), (high), (dims)                                           \
    }
#define INT(text, low, high) LETTER(text, low, high, 0)
#define FLOAT(text)                                                                                \
    {                                                                                              \
        (text), HOIST_COMPUTE_FLOAT, 0, 0, 0                                                       \
    }

// Attributes of windows, pools (`limit`: FLOAT or an integer's) and resizing.
// clang-format off
#define WINDOW_ATTRS                                                                               \
    [HOIST_CONV_STRIDE_H]   = INT("stride_h", 1, BIG),                                             \
    [HOIST_CONV_STRIDE_W]   = INT("stride_w", 1, BIG),                                             \
    [HOIST_CONV_PAD_TOP]    = INT("pad_top", 0, BIG),                                              \
    [HOIST_CONV_PAD_LEFT]   = INT("pad_left", 0, BIG),                                             \
    [HOIST_CONV_DILATION_H] = INT("dilation_h", 1, BIG),                                           \
    [HOIST_CONV_DILATION_W] = INT("dilation_w", 1, BIG)
#define POOL_ATTRS(limit)                                                                          \
    [HOIST_POOL_KERNEL_H] = INT("kernel_h", 1, BIG),                                               \
    [HOIST_POOL_KERNEL_W] = INT("kernel_w", 1, BIG),                                               \
    [HOIST_POOL_STRIDE_H] = INT("stride_h", 1, BIG),                                               \
    [HOIST_POOL_STRIDE_W] = INT("stride_w", 1, BIG),                                               \
    [HOIST_POOL_PAD_TOP]  = INT("pad_top", 0, BIG),                                                \
    [HOIST_POOL_PAD_LEFT] = INT("pad_left", 0, BIG),                                               \
    [HOIST_POOL_LOW]      = limit("low"),                                                          \
    [HOIST_POOL_HIGH]     = limit("high")
#define RESIZE_ATTRS                                                                               \
    [HOIST_RESIZE_ALIGN_CORNERS] = INT("align_corners", 0, 1),                                     \
    [HOIST_RESIZE_HALF_PIXEL]    = INT("half_pixel_centers", 0, 1)
// Of sparse matmuls, from attribute `first` on.
#define HOIST_SPARSE_ATTRS(first)                                                                  \
    [(first) + HOIST_SPARSE_GRID_ROWS] = INT("grid_rows", 1, BIG),                                 \
    [(first) + HOIST_SPARSE_GRID_COLS] = INT("grid_cols", 1, BIG),                                 \
    [(first) + HOIST_SPARSE_T]         = LETTER("t", 1, BIG, 'T'),                                 \
    [(first) + HOIST_SPARSE_MBLOCK_M]  = INT("mblock_m", 1, BIG),                                  \
    [(first) + HOIST_SPARSE_MBLOCK_N]  = INT("mblock_n", 1, BIG),                                  \
    [(first) + HOIST_SPARSE_UBLOCK_RT] = INT("ublock_rt", 1, BIG),                                 \
    [(first) + HOIST_SPARSE_UBLOCK_CT] = INT("ublock_ct", 1, BIG),                                 \
    [(first) + HOIST_SPARSE_U_KT]      = INT("u_kt", 1, BIG),                                      \
    [(first) + HOIST_SPARSE_TILES]     = INT("sparse_tiles", 1, BIG),                              \
    [(first) + HOIST_SPARSE_PTR_BITS]  = INT("ptr_bits", 1, 16),                                   \
    [(first) + HOIST_SPARSE_IDX_BITS]  = INT("idx_bits", 1, 16),                                   \
    [(first) + HOIST_SPARSE_FRACTURE]  = INT("fracture", 1, BIG)
// clang-format on

// The rule of their shapes; extent M of the output.
const char *hoist_derive_sparse(hoist_compute_case *c, size_t first);

// Operands: of one set of types, alike others, views of any type.
#define OPERAND(text, set, dims)                                                                   \
    {                                                                                              \
        (text), (set), false, (dims), 0, 0                                                         \
    }
#define ALIKE(text, set, dims)                                                                     \
    {                                                                                              \
        (text), (set), true, (dims), 0, 0                                                          \
    }

// Rows.
#define ATTRS(list) .attrs = (list), .attr_count = COUNT(list)
#define ROW(who, text, list, ...)                                                                  \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_##who, .operands = (list),                        \
        .inputs = COUNT(list) - HOIST_COMPUTE_MAX_OUTPUTS, __VA_ARGS__                             \
    }

#define FLOPS(of, count) .flops = {HOIST_FLOPS_##of, (count), 0}
#define FLOPS_LIMITED(of, count, low) .flops = {HOIST_FLOPS_##of, (count), (low) + 1}

// Tables of other files, each of the ops from one on.
#define HOIST_QUANT_FIRST HOIST_TFLITE_CONV
#define HOIST_PLAIN_FIRST HOIST_TFLITE_MAXIMUM
#define HOIST_ARK_FIRST HOIST_ARK_ADD
#define HOIST_FAST_FIRST HOIST_FAST_MATMUL
#define HOIST_DEVICE_FIRST HOIST_DEVICE_MATMUL
#define HOIST_DECLARED_FIRST HOIST_DECLARED_MATMUL
extern const hoist_compute_def hoist_golden_rows[HOIST_QUANT_FIRST];
extern const hoist_compute_def hoist_quant_rows[HOIST_PLAIN_FIRST - HOIST_QUANT_FIRST];
extern const hoist_compute_def hoist_plain_rows[HOIST_ARK_FIRST - HOIST_PLAIN_FIRST];
extern const hoist_compute_def hoist_ark_rows[HOIST_FAST_FIRST - HOIST_ARK_FIRST];
extern const hoist_compute_def hoist_fast_rows[HOIST_DEVICE_FIRST - HOIST_FAST_FIRST];
extern const hoist_compute_def hoist_device_rows[HOIST_DECLARED_FIRST - HOIST_DEVICE_FIRST];
extern const hoist_compute_def hoist_declared_rows[HOIST_COMPUTE_COUNT - HOIST_DECLARED_FIRST];

static inline int64_t hoist_case_extent(const hoist_compute_case *c, char letter)
{
    return c->extent[letter - 'A'];
}

static inline int64_t hoist_case_integer(const hoist_compute_case *c, size_t index)
{
    return c->attrs->value[index].integer;
}

#endif // HOIST_SRC_OPS_COMPUTE_ROWS_H
