// Operations that compute steps take, by the column `flops` of their rows (compute.h): attributes
// and shapes in, a number out. What they cost on a machine is not in it.
#include <math.h>

#include "base/checked.h"
#include "ops/compute.h"

enum { TILE_SIDE = 32 };

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    return hoist_ckd_mul(&result, a, b) ? UINT64_MAX : result;
}

static uint64_t extent(const hoist_shape *shape, int dimension)
{
    return dimension >= 0 && shape->dim[dimension] > 0 ? (uint64_t)shape->dim[dimension] : 1;
}

static uint64_t elements(const hoist_compute_def *def, const hoist_shape *shape)
{
    uint64_t count = def->tiled ? TILE_SIDE * TILE_SIDE : 1;
    for (int i = 0; i < shape->rank; i++) {
        count = product(count, shape->dim[i] > 0 ? (uint64_t)shape->dim[i] : 0);
    }
    return count;
}

// Products that are summed up for each element of the output.
static uint64_t terms(const hoist_compute_def *def, const hoist_compute_attrs *attrs,
                      const hoist_compute_operand *operands)
{
    const hoist_shape *a = &operands[0].shape;
    const hoist_shape *weights = &operands[1].shape;
    const bool transposed = def->attr_count > 0 && attrs->value[0].integer != 0;
    switch (def->flops.basis) {
    case HOIST_FLOPS_PRODUCTS:
        return product(extent(a, transposed ? a->rank - 2 : a->rank - 1),
                       def->tiled ? TILE_SIDE : 1);
    case HOIST_FLOPS_WEIGHTS:
        return elements(def, weights) / extent(weights, 0);
    case HOIST_FLOPS_DEPTHWISE:
    case HOIST_FLOPS_SCATTERED:
        return elements(def, weights) / extent(weights, weights->rank - 1);
    case HOIST_FLOPS_WINDOW:
        return product((uint64_t)attrs->value[0].integer, (uint64_t)attrs->value[1].integer);
    default:
        return 1;
    }
}

// How many limits there are for each element that is stored.
static uint64_t limits(const hoist_compute_def *def, const hoist_compute_attrs *attrs)
{
    const uint32_t low = def->flops.limits;
    return low == 0 ? 0
                    : (uint64_t)isfinite(attrs->value[low - 1].number) +
                          (uint64_t)isfinite(attrs->value[low].number);
}

uint64_t hoist_compute_flops(hoist_compute_op op, const hoist_compute_attrs *attrs,
                             const hoist_compute_operand *operands)
{
    const hoist_compute_def *def = hoist_compute_get(op);
    const bool is_of_input =
        def->flops.basis == HOIST_FLOPS_INPUT || def->flops.basis == HOIST_FLOPS_SCATTERED;
    const hoist_shape *output = &operands[def->inputs].shape;
    const hoist_shape *of = is_of_input ? &operands[0].shape : output;
    if (def->flops.basis == HOIST_FLOPS_NONE) {
        return 0;
    }
    const uint64_t inner =
        product(product(def->flops.each, elements(def, of)), terms(def, attrs, operands));
    uint64_t all = product(limits(def, attrs), elements(def, output));
    return hoist_ckd_add(&all, all, inner) ? UINT64_MAX : all;
}
