// kernels/ark_product_testing.h - sizes of products of matrices and their operands, for tests of
// the profiles ark and fast (ark_matmul_test.c, ark_fast_test.c).
#ifndef HOIST_SRC_KERNELS_ARK_PRODUCT_TESTING_H
#define HOIST_SRC_KERNELS_ARK_PRODUCT_TESTING_H

#include "kernels/ark_testing.h"

// [batches, m, k] by [batches, k, n]. y has `gap` elements between its rows, operands have `spread`
// elements from one column to the next.
typedef struct ark_product_size {
    const char *name;
    int64_t batches, m, n, k;
    int64_t transposes[2]; // of a and b
    int64_t gap;
    int64_t spread;
} ark_product_size;

// clang-format off
// Sizes that have something left over in the kernels of both profiles; each test has those of its own, too.
static const ark_product_size ark_product_sizes[] = {
    {"rows and columns that are left",  1,  15,  33,   17, {0, 0}, 3, 1},
    {"one row",                         1,   1,  70,   40, {0, 0}, 0, 1},
    {"a transposed",                    1,  29,  20,   13, {1, 0}, 0, 1},
    {"a transposed, spread",            1,  29,  20,   13, {1, 0}, 0, 2},
    {"both transposed, batches",        3,  13,  34,    7, {1, 1}, 2, 1},
    {"rows of a block and one more",    1, 673,   5,    3, {0, 0}, 0, 1},
    {"many rows for the next columns",  1, 120,  70,   20, {0, 1}, 0, 1},
    {"columns of several units",        1,   3, 700,    5, {0, 0}, 0, 1},
};
// clang-format on

static inline hoist_shape ark_product_shape(int64_t batches, int64_t rows, int64_t columns,
                                            int64_t transposed)
{
    return (hoist_shape){3, {batches, transposed ? columns : rows, transposed ? rows : columns}};
}

// An operand whose rows are `gap` elements apart, and its columns `spread`.
static inline hoist_view ark_product_view(hoist_test *t, ark_tensor *x, const hoist_shape *shape,
                                          int64_t gap, int64_t spread)
{
    const int64_t row = (shape->dim[2] + gap) * spread;
    return ark_view(t, x, shape, 0, (int64_t[]){shape->dim[1] * row, row, spread});
}

#endif // HOIST_SRC_KERNELS_ARK_PRODUCT_TESTING_H
