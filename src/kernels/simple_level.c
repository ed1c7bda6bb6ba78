// Golden ops of one tensor whose elements need only arithmetic that rounds correctly everywhere
// (buda-ops reference sections 4.2.5 and 5.3).
#include "kernels/compute_table.h"
#include "kernels/lanes.h"
#include "kernels/level.h"

#define INLINE static inline __attribute__((always_inline))

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_simple_group);

static const hoist_tile_extent whole = {HOIST_TILE_DIM, HOIST_TILE_DIM};

// `p` is the op's parameter in every lane.
typedef hoist_f32s unary_fn(hoist_f32s x, hoist_f32s p);

// Does the elements of the extent, and zeros the others.
INLINE void map(const hoist_compute_call *call, size_t begin, size_t end, hoist_tile_extent extent,
                float parameter, unary_fn *lanes)
{
    const hoist_f32s p = hoist_lanes_all_f32(parameter);
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t row = 0; row < extent.rows; row++) {
            for (size_t col = 0; col < extent.cols; col += HOIST_LANES) {
                const size_t i = row * HOIST_TILE_DIM + col;
                hoist_lanes_store_f32(out, i, lanes(hoist_lanes_load_f32(in, i), p));
            }
        }
        hoist_tile_zero_rest(out, extent);
    }
}

// The one NaN of calls that go on: machines differ in the sign of an invalid operation's.
INLINE hoist_f32s nan_lanes(void)
{
    return (hoist_f32s)hoist_lanes_all(0x7fc00000);
}

INLINE hoist_f32s copy_lanes(hoist_f32s x, hoist_f32s p)
{
    (void)p;
    return x;
}

INLINE hoist_f32s square_lanes(hoist_f32s x, hoist_f32s p)
{
    (void)p;
    return x * x;
}

// Without the sign bit, of NaN, too.
INLINE hoist_f32s abs_lanes(hoist_f32s x, hoist_f32s p)
{
    (void)p;
    return (hoist_f32s)((hoist_u32s)x & 0x7fffffff);
}

// NaN is multiplied, as it is not above 0.
INLINE hoist_f32s lrelu_lanes(hoist_f32s x, hoist_f32s slope)
{
    return hoist_lanes_choose_f32(x > 0.0F, x, x * slope);
}

// From 0 to the threshold; NaN gives 0.
INLINE hoist_f32s relu_max_lanes(hoist_f32s x, hoist_f32s threshold)
{
    const hoist_f32s low = (hoist_f32s)hoist_lanes_keep(x >= 0.0F, (hoist_u32s)x);
    return hoist_lanes_choose_f32(x >= threshold, threshold, low);
}

// What is below the threshold becomes 0, and so does NaN.
INLINE hoist_f32s relu_min_lanes(hoist_f32s x, hoist_f32s threshold)
{
    return (hoist_f32s)hoist_lanes_keep(x >= threshold, (hoist_u32s)x);
}

INLINE hoist_f32s add_scalar_lanes(hoist_f32s x, hoist_f32s value)
{
    return x + value;
}

// Others stop the run, or it goes on with NaN.
INLINE hoist_f32s sqrt_lanes(hoist_f32s x, hoist_f32s p)
{
    (void)p;
    return hoist_lanes_choose_f32(x >= 0.0F, hoist_lanes_sqrt(x), nan_lanes());
}

// The reference divides doubles. That rounds to the same float, denormals included: a quotient of
// floats is never so near to the middle of two floats that 53 bits cannot tell its side.
INLINE hoist_f32s reciprocal_lanes(hoist_f32s x, hoist_f32s p)
{
    (void)p;
    const hoist_f32s result = hoist_lanes_choose_f32(x == x, 1.0F / x, nan_lanes());
    return hoist_lanes_choose_f32(x == 0.0F, hoist_lanes_all_f32(0x1p23F), result);
}

// One op; `extent` and `parameter` are expressions of `call`.
#define UNARY(name, extent, parameter, lanes)                                                      \
    static void name(const hoist_compute_call *call, size_t begin, size_t end)                     \
    {                                                                                              \
        map(call, begin, end, extent, parameter, lanes);                                           \
    }

#define EXTENT hoist_tile_extent_of(call)
#define NUMBER(index) call->attrs.value[index].number

// Name, extent, parameter, and what becomes of lanes.
UNARY(copy, EXTENT, 0, copy_lanes)
UNARY(square, EXTENT, 0, square_lanes)
UNARY(absolute, EXTENT, 0, abs_lanes)
UNARY(lrelu, EXTENT, NUMBER(HOIST_LRELU_SLOPE), lrelu_lanes)
UNARY(relu_max, whole, NUMBER(HOIST_RELU_THRESHOLD), relu_max_lanes)
UNARY(relu_min, whole, NUMBER(HOIST_RELU_THRESHOLD), relu_min_lanes)
UNARY(add_scalar, whole, NUMBER(HOIST_ADD_SCALAR_VALUE), add_scalar_lanes)

// Lanes that stop the run.
typedef hoist_i32s stops_fn(hoist_f32s x);

// Negative numbers and NaN; -0 is none of these.
INLINE hoist_i32s sqrt_stops(hoist_f32s x)
{
    return ~(x >= 0.0F);
}

// NaN, and the negative numbers whose reciprocal rounds to -Inf: those down to -2^-128.
INLINE hoist_i32s reciprocal_stops(hoist_f32s x)
{
    // The bits without the sign, which compare as the numbers do.
    const hoist_i32s magnitude = (hoist_i32s)x & INT32_MAX;
    return (x != x) | (((hoist_i32s)x < 0) & (magnitude > 0) & (magnitude <= 0x200000));
}

// The elements of a tile that stop the run, and the first of them.
INLINE uint64_t count_stops(const float *tile, hoist_tile_extent extent, stops_fn *stops,
                            size_t *out_first)
{
    uint64_t count = 0;
    for (size_t row = 0; row < extent.rows; row++) {
        for (size_t col = 0; col < extent.cols; col += HOIST_LANES) {
            const size_t at = row * HOIST_TILE_DIM + col;
            const hoist_i32s mask = stops(hoist_lanes_load_f32(tile, at));
            // Most vectors have none, and cost one question.
            for (size_t i = 0; hoist_lanes_any(mask) && i < HOIST_LANES; i++) {
                *out_first = mask[i] && count == 0 ? at + i : *out_first;
                count += mask[i] != 0;
            }
        }
    }
    return count;
}

// Looks at all tiles before any is written, for the output may be the input.
INLINE hoist_status check_all(const hoist_compute_call *call, size_t begin, size_t end,
                              stops_fn *stops, const char *what, hoist_compute_fault *out_fault)
{
    const hoist_tile_extent extent = hoist_tile_extent_of(call);
    uint64_t count = 0;
    for (size_t n = begin; n < end && (call->goes_on || count == 0); n++) {
        const float *tile = hoist_tile_in(&call->inputs[0], n);
        size_t at = 0;
        const uint64_t found = count_stops(tile, extent, stops, &at);
        // The first place is what is reported.
        if (found > 0 && count == 0) {
            *out_fault = hoist_compute_fault_at(what, &call->output.shape, n, at, tile[at]);
        }
        count += found;
    }
    // Of a call that goes on all of them.
    out_fault->count = count;
    return count > 0 && !call->goes_on ? HOIST_INVALID : HOIST_OK;
}

// Ops that may stop: all tiles are looked at first.
static hoist_status square_root(const hoist_compute_call *call, size_t begin, size_t end,
                                hoist_compute_fault *out_fault)
{
    HOIST_TRY(check_all(call, begin, end, sqrt_stops, "square root of a negative number or NaN",
                        out_fault));
    map(call, begin, end, hoist_tile_extent_of(call), 0, sqrt_lanes);
    return HOIST_OK;
}

static hoist_status reciprocal(const hoist_compute_call *call, size_t begin, size_t end,
                               hoist_compute_fault *out_fault)
{
    HOIST_TRY(check_all(call, begin, end, reciprocal_stops,
                        "reciprocal that is NaN or minus infinity", out_fault));
    map(call, begin, end, hoist_tile_extent_of(call), 0, reciprocal_lanes);
    return HOIST_OK;
}

// 1, then `exponent` times the product with x from the left.
static void power(const hoist_compute_call *call, size_t begin, size_t end)
{
    const int64_t exponent = call->attrs.value[HOIST_POWER_EXPONENT].integer;
    const hoist_tile_extent extent = hoist_tile_extent_of(call);
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < extent.rows * HOIST_TILE_DIM; i += HOIST_LANES) {
            const hoist_f32s x = hoist_lanes_load_f32(in, i);
            hoist_f32s r = hoist_lanes_all_f32(1);
            for (int64_t k = 0; k < exponent; k++) {
                r = x * r;
            }
            hoist_lanes_store_f32(out, i, r);
        }
        hoist_tile_zero_rest(out, extent);
    }
}

enum { FIRST = HOIST_GOLDEN_SQRT };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_SQRT - FIRST]       = {.run = square_root},
    [HOIST_GOLDEN_SQUARE - FIRST]     = {.fill = square},
    [HOIST_GOLDEN_ABS - FIRST]        = {.fill = absolute},
    [HOIST_GOLDEN_RECIPROCAL - FIRST] = {.run = reciprocal},
    [HOIST_GOLDEN_LRELU - FIRST]      = {.fill = lrelu},
    [HOIST_GOLDEN_POWER - FIRST]      = {.fill = power},
    [HOIST_GOLDEN_COPY - FIRST]       = {.fill = copy},
    [HOIST_GOLDEN_RELU_MAX - FIRST]   = {.fill = relu_max},
    [HOIST_GOLDEN_RELU_MIN - FIRST]   = {.fill = relu_min},
    [HOIST_GOLDEN_ADD_SCALAR - FIRST] = {.fill = add_scalar},
};
// clang-format on
const hoist_compute_group HOIST_LEVEL_NAME(hoist_simple_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                  group_rows};
