// tflite.add and tflite.subtract of 8-bit numbers, in vectors: bytes of both sides to sums, which
// are scaled and clamped as those of convolutions are (quant_outcome.h). Other types go the way of
// the definition (quant_elements.c).
//
// By the definition alone the ten additions of MobileNet v2 took a fifth of its time: three scales
// by 64-bit products and divisions for each number.
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/level.h"
#include "kernels/quant_outcome.h"
#include "kernels/quant_sum.h"
#include "ops/compute_quant.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_quant_sum_group);

// hoist_fixed_scale() by a multiplier, 0 or more, and a shift.
typedef struct scale {
    uint32_t multiplier;
    uint32_t left;
    uint32_t right; // one less, or 0
    uint32_t once;  // 1, or 0 where nothing is shifted right
    int32_t sign;   // -1, or 0 there
} scale;

// What all elements of a call share.
typedef struct sum {
    scale a, b, y;
    uint32_t flip; // which takes bytes of i8 to u8
    uint32_t zero_a, zero_b;
    uint32_t left;
    uint32_t negates; // all ones, or 0
    uint32_t zero_out;
    int32_t low, high; // without zero_out
} sum;

static int32_t integer(const hoist_compute_call *call, size_t index)
{
    return (int32_t)call->attrs.value[index].integer;
}

static scale scale_of(const hoist_compute_call *call, size_t multiplier)
{
    const int32_t shift = integer(call, multiplier + 1);
    return (scale){.multiplier = (uint32_t)integer(call, multiplier),
                   .left = shift > 0 ? (uint32_t)shift : 0,
                   .right = shift < 0 ? (uint32_t)-shift - 1 : 0,
                   .once = shift < 0,
                   .sign = shift < 0 ? -1 : 0};
}

// Attributes of a call in the form that lanes take.
static sum sum_of(const hoist_compute_call *call, bool negates)
{
    const uint32_t flip = call->views[0].dtype == HOIST_DTYPE_I8 ? 0x80 : 0;
    const int32_t zero = integer(call, HOIST_SUM_ZERO_OUT);
    return (sum){.a = scale_of(call, HOIST_SUM_MULTIPLIER_A),
                 .b = scale_of(call, HOIST_SUM_MULTIPLIER_B),
                 .y = scale_of(call, HOIST_SUM_MULTIPLIER),
                 .flip = flip,
                 .zero_a = (uint32_t)integer(call, HOIST_SUM_ZERO_A) + flip,
                 .zero_b = (uint32_t)integer(call, HOIST_SUM_ZERO_B) + flip,
                 .left = (uint32_t)integer(call, HOIST_SUM_LEFT),
                 .negates = negates ? UINT32_MAX : 0,
                 .zero_out = (uint32_t)zero,
                 .low = integer(call, HOIST_SUM_LOW) - zero,
                 .high = integer(call, HOIST_SUM_HIGH) - zero};
}

// As hoist_lanes_divide(), for one scale of all lanes.
HOIST_LANES_INLINE hoist_i32s scaled(hoist_u32s x, const scale *s)
{
    const hoist_i32s high = hoist_lanes_multiply_high(x << s->left, hoist_lanes_all(s->multiplier));
    const hoist_i32s part = (high + ((high >> 31) & s->sign)) >> (int32_t)s->right;
    return (part + (int32_t)s->once) >> (int32_t)s->once;
}

// The sum of two vectors, scaled, clamped, with the zero point of the output.
HOIST_LANES_INLINE hoist_u32s sum_lanes(const sum *s, hoist_u32s a, hoist_u32s b)
{
    const hoist_u32s x = (hoist_u32s)scaled(((a ^ s->flip) - s->zero_a) << s->left, &s->a);
    const hoist_u32s y = (hoist_u32s)scaled(((b ^ s->flip) - s->zero_b) << s->left, &s->b);
    hoist_u32s result = (hoist_u32s)scaled(x + ((y ^ s->negates) - s->negates), &s->y);
    result = hoist_lanes_max(result, hoist_lanes_all((uint32_t)s->low));
    result = hoist_lanes_min(result, hoist_lanes_all((uint32_t)s->high));
    return result + s->zero_out;
}

// Lines have whole runs.
static void sum_line(const sum *sums, const uint8_t *a, const uint8_t *b, uint8_t *y, size_t count)
{
    const sum s = *sums;
    for (size_t i = 0; i < count; i += HOIST_RUN) {
        uint32_t run[HOIST_RUN];
        for (size_t k = 0; k < HOIST_RUN; k += HOIST_LANES) {
            const hoist_u32s result =
                sum_lanes(&s, hoist_lanes_load8(a + i + k), hoist_lanes_load8(b + i + k));
            hoist_lanes_store(run, k, result & 0xff);
        }
        hoist_lanes_put8(y + i, run);
    }
}

static void run(const hoist_compute_call *call, bool negates, size_t begin, size_t end)
{
    const hoist_view *to = &call->views[2];
    const uint64_t total = (uint64_t)hoist_shape_count(&to->shape);
    // Zeros behind what is read, as lines are whole runs.
    uint8_t a[HOIST_QUANT_UNIT] = {0};
    uint8_t b[HOIST_QUANT_UNIT] = {0};
    uint8_t y[HOIST_QUANT_UNIT];
    // Lanes are loaded from bytes only.
    if (to->dtype == HOIST_DTYPE_I16) {
        hoist_quant_sum(call, negates, begin, end);
        return;
    }
    const sum s = sum_of(call, negates);
    for (size_t unit = begin; unit < end; unit++) {
        const uint64_t first = (uint64_t)unit * HOIST_QUANT_UNIT;
        const uint64_t left = total - first;
        const size_t count = left < HOIST_QUANT_UNIT ? (size_t)left : HOIST_QUANT_UNIT;
        hoist_elements_read(&call->views[0], first, count, a);
        hoist_elements_read(&call->views[1], first, count, b);
        sum_line(&s, a, b, y, count);
        hoist_elements_write(to, first, count, y);
    }
}

static void add(const hoist_compute_call *call, size_t begin, size_t end)
{
    run(call, false, begin, end);
}

static void subtract(const hoist_compute_call *call, size_t begin, size_t end)
{
    run(call, true, begin, end);
}

enum { FIRST = HOIST_TFLITE_ADD };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_ADD - FIRST] = {.work = hoist_quant_elements_work, .fill = add},
    [HOIST_TFLITE_SUBTRACT - FIRST] = {.work = hoist_quant_elements_work, .fill = subtract},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_quant_sum_group) = {
    FIRST, HOIST_COUNT_OF(group_rows), group_rows};
