// Shapes: made with their bounds checked, counted, compared, and walked in C order.
#include "tensor/shape.h"

#include "base/assert.h"
#include "base/checked.h"

hoist_status hoist_shape_init(const int64_t *dims, size_t rank, hoist_shape *out_shape)
{
    *out_shape = (hoist_shape){0};
    if (rank > HOIST_MAX_RANK) {
        return HOIST_LIMIT;
    }
    hoist_shape shape = {.rank = (int)rank};
    int64_t product = 1;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] < 0) {
            return HOIST_INVALID;
        }
        // Zeros are left out so that no later stride computation can overflow either.
        if (dims[i] > 0 && hoist_ckd_mul_i64(&product, product, dims[i])) {
            return HOIST_LIMIT;
        }
        shape.dim[i] = dims[i];
    }
    *out_shape = shape;
    return HOIST_OK;
}

int64_t hoist_shape_count(const hoist_shape *shape)
{
    HOIST_ASSERT(shape->rank >= 0 && shape->rank <= HOIST_MAX_RANK);
    int64_t count = 1;
    for (int i = 0; i < shape->rank; i++) {
        // The product of the others was verified without zeros, and need not be multiplied out.
        if (shape->dim[i] == 0) {
            return 0;
        }
        count *= shape->dim[i];
    }
    return count;
}

bool hoist_shape_equal(const hoist_shape *a, const hoist_shape *b)
{
    HOIST_ASSERT(a->rank <= HOIST_MAX_RANK && b->rank <= HOIST_MAX_RANK);
    if (a->rank != b->rank) {
        return false;
    }
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i] != b->dim[i]) {
            return false;
        }
    }
    return true;
}

bool hoist_shape_next(const hoist_shape *shape, int64_t index[HOIST_MAX_RANK])
{
    HOIST_ASSERT(shape->rank >= 0 && shape->rank <= HOIST_MAX_RANK);
    // The last index runs fastest; one that is through begins again, and the one before goes on.
    for (int i = shape->rank - 1; i >= 0; i--) {
        if (++index[i] < shape->dim[i]) {
            return true;
        }
        index[i] = 0;
    }
    return false;
}
