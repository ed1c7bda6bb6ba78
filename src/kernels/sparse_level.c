// Golden identity ("sparse") matmul, buda-ops reference section 5.1.2.
#include "kernels/compute_table.h"
#include "kernels/level.h"
#include "kernels/sparse_walk.h"
#include "kernels/tile_product.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_sparse_group);

static void add_product(hoist_sparse_walk *walk, uint64_t row, const float *sparse,
                        const float *activation)
{
    hoist_tile_add_chain(sparse, activation, hoist_sparse_output(walk, row));
}

static const hoist_sparse_visitor visitor = {.attrs = HOIST_SPARSE_GRID_ROWS,
                                             .product = add_product};

static size_t sparse_work(const hoist_compute_call *call)
{
    return hoist_sparse_units(call, &visitor);
}

static hoist_status sparse_matmul(const hoist_compute_call *call, size_t begin, size_t end,
                                  hoist_compute_fault *out_fault)
{
    hoist_status status = HOIST_OK;
    for (size_t unit = begin; unit < end && status == HOIST_OK; unit++) {
        status = hoist_sparse_walk_unit(call, unit, &visitor, NULL, out_fault);
    }
    return status;
}

enum { FIRST = HOIST_GOLDEN_SPARSE_MATMUL };

static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_SPARSE_MATMUL - FIRST] = {.work = sparse_work, .run = sparse_matmul},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_sparse_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                  group_rows};
