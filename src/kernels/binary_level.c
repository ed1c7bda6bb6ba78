// Golden ops of two tensors, tile by tile (buda-ops reference section 5.2).
#include "kernels/compute_table.h"
#include "kernels/lanes.h"
#include "kernels/level.h"

extern const hoist_compute_row HOIST_LEVEL_NAME(hoist_binary_rows)[HOIST_COMPUTE_COUNT];

static hoist_f32s load(const float *tile, size_t at)
{
    return (hoist_f32s)hoist_lanes_load(tile, at);
}

static hoist_f32s add_lanes(hoist_f32s a, hoist_f32s b)
{
    return a + b;
}

static hoist_f32s subtract_lanes(hoist_f32s a, hoist_f32s b)
{
    return a - b;
}

// +0.0 on either side makes the other side +0.0, so Inf, NaN and signs do not get past it.
static hoist_f32s multiply_lanes(hoist_f32s a, hoist_f32s b)
{
    const hoist_i32s zero = ((hoist_i32s)a == 0) | ((hoist_i32s)b == 0);
    return (hoist_f32s)hoist_lanes_keep(~zero, (hoist_u32s)(a * b));
}

// b when equal or when one is NaN.
static hoist_f32s maximum_lanes(hoist_f32s a, hoist_f32s b)
{
    return (hoist_f32s)hoist_lanes_choose(a > b, (hoist_u32s)a, (hoist_u32s)b);
}

// One op: LANES of the elements of each pair of tiles; MASK chooses the row of the second.
#define BINARY(name, lanes, mask)                                                                  \
    static hoist_status name(const hoist_compute_call *call, size_t begin, size_t end,             \
                             hoist_compute_fault *out_fault)                                       \
    {                                                                                              \
        (void)out_fault;                                                                           \
        for (size_t n = begin; n < end; n++) {                                                     \
            const float *a = hoist_tile_in(&call->inputs[0], n);                                   \
            const float *b = hoist_tile_in(&call->inputs[1], n);                                   \
            float *out = hoist_tile_out(&call->output, n);                                         \
            for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_LANES) {                          \
                const hoist_f32s v = lanes(load(a, i), load(b, i & (mask)));                       \
                hoist_lanes_store(out, i, (hoist_u32s)v);                                          \
            }                                                                                      \
        }                                                                                          \
        return HOIST_OK;                                                                           \
    }

BINARY(add, add_lanes, SIZE_MAX)
BINARY(subtract, subtract_lanes, SIZE_MAX)
BINARY(multiply, multiply_lanes, SIZE_MAX)
BINARY(maximum, maximum_lanes, SIZE_MAX)

const hoist_compute_row HOIST_LEVEL_NAME(hoist_binary_rows)[HOIST_COMPUTE_COUNT] = {
    [HOIST_GOLDEN_ADD] = {NULL, add},
    [HOIST_GOLDEN_SUBTRACT] = {NULL, subtract},
    [HOIST_GOLDEN_MULTIPLY] = {NULL, multiply},
    [HOIST_GOLDEN_MAXIMUM] = {NULL, maximum},
};
