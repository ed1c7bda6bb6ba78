// The arithmetic of the compiler for multipliers and clamps (darwinn reference section 16.5), in
// float32 and in its order of operations, and its inverses: scales are found by trying the float32
// numbers next to a quotient. recover_scales.c uses them for a whole model.
#include "formats/darwinn/recover_numbers.h"

#include <math.h>

#include "ops/multiplier.h"

// In the order of the compiler: product, reciprocal, product, each rounded to float32.
float dwn_multiplier_of(float in, float weight, float out)
{
    const float product = in * weight;
    const float inverse = 1.0F / out;
    return product * inverse;
}

// Activations ------------------------------------------------------------------------------------

// Numbers that results are cut off to; infinite where the type alone does it.
typedef struct range {
    float from, to;
} range;

// Real numbers; RELU_1 and RELU_6 are TFLite's.
static range range_of(dwn_activation activation)
{
    static const range ranges[] = {
        [DWN_ACTIVATION_NONE] = {-INFINITY, INFINITY},
        [DWN_ACTIVATION_RELU] = {0, INFINITY},
        [DWN_ACTIVATION_RELU_1] = {-1, 1},
        [DWN_ACTIVATION_RELU_6] = {0, 6},
        [DWN_ACTIVATION_OTHER] = {-INFINITY, INFINITY},
    };
    return ranges[activation];
}

float dwn_activation_most(dwn_activation activation)
{
    return range_of(activation).to;
}

dwn_clamps dwn_clamps_of(dwn_activation activation, float scale, uint8_t zero)
{
    const range r = range_of(activation);
    const float inverse = 1.0F / scale;
    const float least = (float)-(int)zero * scale;     // never -0, which no file has
    const float most = (255.0F - (float)zero) * scale; // where the type ends
    return (dwn_clamps){.low = fmaxf(least * inverse, r.from * inverse),
                        .high = fminf(most * inverse, r.to * inverse)};
}

dwn_activation dwn_activation_of(dwn_clamps clamps, uint8_t zero)
{
    // Limits of the type differ from integers by three roundings of float32 at most; what is
    // further inside is that of an activation, though it may cut nothing off.
    const float inside = 1.0F - 0x1p-22F;
    const bool cuts_high = clamps.high < (255.0F - (float)zero) * inside;
    const bool cuts_low = clamps.low > -(float)zero * inside;
    if (!cuts_high) {
        const bool is_relu = cuts_low && clamps.low == 0;
        return !cuts_low ? DWN_ACTIVATION_NONE
               : is_relu ? DWN_ACTIVATION_RELU
                         : DWN_ACTIVATION_OTHER;
    }
    if (clamps.low == -clamps.high) {
        return DWN_ACTIVATION_RELU_1;
    }
    const bool is_relu = clamps.low == 0 || (zero == 0 && !cuts_low);
    return is_relu ? DWN_ACTIVATION_RELU_6 : DWN_ACTIVATION_OTHER;
}

enum { NEAR = 4 }; // steps of float32 around a quotient within which the true scale is

// The float32 number so many steps after it, or before.
static float stepped(float value, int steps)
{
    const float towards = steps < 0 ? 0 : INFINITY;
    for (int i = 0; i < (steps < 0 ? -steps : steps); i++) {
        value = nextafterf(value, towards);
    }
    return value;
}

// Between 2^-60 and 2^60, so that the product of two is finite and not 0 in float32.
static bool is_scale(float value)
{
    return isfinite(value) && value >= 0x1p-60F && value <= 0x1p60F;
}

// Equal, not bit for bit: -0 and 0 are the same clamp.
static bool has_clamps(dwn_clamps a, dwn_clamps b)
{
    return a.low == b.low && a.high == b.high;
}

float dwn_scale_near(float middle, int steps, dwn_clamps clamps, uint8_t zero)
{
    const dwn_activation activation = dwn_activation_of(clamps, zero);
    if (!is_scale(middle)) {
        return 0;
    }
    for (int i = 0; i <= 2 * steps; i++) {
        const float scale = stepped(middle, i % 2 ? (i + 1) / 2 : -i / 2); // 0, 1, -1, 2 ...
        if (has_clamps(dwn_clamps_of(activation, scale, zero), clamps)) {
            return scale;
        }
    }
    return middle; // none gives the clamps
}

float dwn_scale_of_clamps(dwn_activation activation, dwn_clamps clamps, uint8_t zero)
{
    const float to = dwn_activation_most(activation);
    return isfinite(to) ? dwn_scale_near(to / clamps.high, NEAR, clamps, zero) : 0;
}

// Multipliers ------------------------------------------------------------------------------------

// What TFLite computes at load time: in double, of a product that is rounded to float or not.
static double factor_of(float in, float weight, float out, dwn_rounding rounding)
{
    const float rounded = in * weight;
    const double product =
        rounding == DWN_ROUNDS_PRODUCT ? (double)rounded : (double)in * (double)weight;
    return product / (double)out;
}

// The reference works with a multiplier of 31 bits and a shift: those have to be equal.
bool dwn_is_exact(float multiplier, float in, float weight, float out, dwn_rounding rounding)
{
    hoist_multiplier expected;
    hoist_multiplier found;
    const double factor = factor_of(in, weight, out, rounding);
    return hoist_quantize_multiplier((double)multiplier, &expected) == HOIST_OK &&
           hoist_quantize_multiplier(factor, &found) == HOIST_OK &&
           expected.multiplier == found.multiplier && expected.shift == found.shift;
}

float dwn_weight_scale(float multiplier, const dwn_ends *ends, bool prefers_exact,
                       bool *out_is_exact)
{
    const float in = ends->in;
    const float out = ends->out;
    const dwn_rounding rounding = ends->rounding;
    const float middle = (float)((double)multiplier * (double)out / (double)in);
    float best = 0;
    double best_rank = INFINITY;
    *out_is_exact = false;
    if (!is_scale(middle) || !is_scale(in) || !is_scale(out)) {
        return 0;
    }
    // Of the float32 numbers around the quotient the one whose factor is nearest; one that is
    // exact, or gives the file's multiplier, comes before all others.
    for (int steps = -NEAR; steps <= NEAR; steps++) {
        const float weight = stepped(middle, steps);
        const bool is_exact = dwn_is_exact(multiplier, in, weight, out, rounding);
        const bool is_same = dwn_multiplier_of(in, weight, out) == multiplier;
        const double distance = fabs(factor_of(in, weight, out, rounding) / (double)multiplier - 1);
        const double rank =
            distance + (prefers_exact ? !is_exact : !is_same); // distances are small
        if (rank < best_rank) {
            best = weight;
            best_rank = rank;
            *out_is_exact = is_exact;
        }
    }
    return best;
}

// The scale that gives the multiplier and, if possible, the clamps; else the first that gives the
// multiplier alone.
float dwn_scale_before(float multiplier, float out, dwn_clamps clamps, uint8_t zero)
{
    const dwn_activation activation = dwn_activation_of(clamps, zero);
    const float middle = multiplier * out;
    float found = 0;
    for (int i = 0; i <= 2 * NEAR && is_scale(middle) && is_scale(out); i++) {
        const float scale = stepped(middle, i % 2 ? (i + 1) / 2 : -i / 2);
        if (dwn_multiplier_of(scale, 1, out) != multiplier) {
            continue;
        }
        if (has_clamps(dwn_clamps_of(activation, scale, zero), clamps)) {
            return scale;
        }
        found = found == 0 ? scale : found;
    }
    return found;
}

// Tries scales upwards from that of the input; `tries` is shared by all layers and bounds time.
float dwn_free_scale(float multiplier, const dwn_ends *ends, dwn_clamps clamps, uint8_t zero,
                     uint32_t *tries)
{
    const dwn_activation activation = dwn_activation_of(clamps, zero);
    dwn_ends at = {ends->in, ends->in, ends->rounding};
    float found = 0;
    for (int i = 0; i<DWN_TRIES && * tries> 0 && is_scale(at.in); i++) {
        bool is_exact = false;
        const float weight = dwn_weight_scale(multiplier, &at, true, &is_exact);
        found = is_exact && found == 0 ? at.out : found;
        if (is_exact && dwn_multiplier_of(at.in, weight, at.out) == multiplier &&
            has_clamps(dwn_clamps_of(activation, at.out, zero), clamps)) {
            return at.out;
        }
        at.out = nextafterf(at.out, INFINITY);
        --*tries;
    }
    return found;
}
