// Golden ops of two tensors, tile by tile (buda-ops reference section 5.2). Compiled once per CPU
// level; compute_level.c lists the rows.
#include "kernels/compute_table.h"
#include "kernels/lanes.h"
#include "kernels/level.h"

#define INLINE static inline __attribute__((always_inline))

#define QUIET 0x400000u

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_binary_group);

typedef hoist_f32s binary_fn(hoist_f32s a, hoist_f32s b);

// `mask` of an element's index is the index of the element of the second tile.
INLINE void map(const hoist_compute_call *call, size_t begin, size_t end, size_t mask,
                binary_fn *lanes)
{
    for (size_t n = begin; n < end; n++) {
        const float *a = hoist_tile_in(&call->inputs[0], n);
        const float *b = hoist_tile_in(&call->inputs[1], n);
        float *out = hoist_tile_out(&call->output, n);
        // Backwards, because the row that add_row adds may be the output's.
        for (size_t i = HOIST_TILE_FLOATS; i > 0;) {
            i -= HOIST_LANES;
            const hoist_f32s x = hoist_lanes_load_f32(a, i);
            const hoist_f32s y = hoist_lanes_load_f32(b, i & mask);
            hoist_lanes_store_f32(out, i, lanes(x, y));
        }
    }
}

// `result`, or `a` made quiet where it is a NaN: of two NaNs the compiler, which takes sums and
// products to be commutative, would give either.
INLINE hoist_f32s first_nan(hoist_f32s a, hoist_f32s result)
{
    return (hoist_f32s)hoist_lanes_choose(a != a, (hoist_u32s)a | QUIET, (hoist_u32s)result);
}

INLINE hoist_f32s add_lanes(hoist_f32s a, hoist_f32s b)
{
    return first_nan(a, a + b);
}

INLINE hoist_f32s subtract_lanes(hoist_f32s a, hoist_f32s b)
{
    return first_nan(a, a - b);
}

// +0.0 on either side makes the other side +0.0: Inf, NaN and signs do not get past it.
INLINE hoist_f32s multiply_lanes(hoist_f32s a, hoist_f32s b)
{
    const hoist_i32s zero = ((hoist_i32s)a == 0) | ((hoist_i32s)b == 0);
    return (hoist_f32s)hoist_lanes_keep(~zero, (hoist_u32s)first_nan(a, a * b));
}

// b when equal and when one is a NaN.
INLINE hoist_f32s maximum_lanes(hoist_f32s a, hoist_f32s b)
{
    return hoist_lanes_choose_f32(a > b, a, b);
}

#define BINARY(name, mask, lanes)                                                                  \
    static void name(const hoist_compute_call *call, size_t begin, size_t end)                     \
    {                                                                                              \
        map(call, begin, end, mask, lanes);                                                        \
    }

BINARY(add, SIZE_MAX, add_lanes)
BINARY(subtract, SIZE_MAX, subtract_lanes)
BINARY(multiply, SIZE_MAX, multiply_lanes)
BINARY(maximum, SIZE_MAX, maximum_lanes)
BINARY(add_row, HOIST_TILE_DIM - 1, add_lanes)

enum { FIRST = HOIST_GOLDEN_ADD };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_ADD - FIRST]      = {.fill = add},
    [HOIST_GOLDEN_SUBTRACT - FIRST] = {.fill = subtract},
    [HOIST_GOLDEN_MULTIPLY - FIRST] = {.fill = multiply},
    [HOIST_GOLDEN_MAXIMUM - FIRST]  = {.fill = maximum},
    [HOIST_GOLDEN_ADD_ROW - FIRST]  = {.fill = add_row},
};
// clang-format on
const hoist_compute_group HOIST_LEVEL_NAME(hoist_binary_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                  group_rows};
