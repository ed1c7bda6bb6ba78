// One element of any type to a number and back, with the rounding and overflow that the caller
// chooses: the definition that kernels/ are tested against.
#include "tensor/convert.h"

#include <math.h>

#include "base/assert.h"
#include "tensor/float_bits.h"
#include "tensor/tt_element.h"

// What the top exponent of a float type means.
typedef enum top_exponent {
    TOP_IEEE = 0, // Inf, NaN
    TOP_FN,       // numbers, but all ones is NaN
    TOP_NUMBERS,  // numbers
} top_exponent;

// clang-format off
static const struct {
    top_exponent top;
    bool flush; // a zero exponent field holds zeros only
} float_rules[HOIST_DTYPE_COUNT] = {
    [HOIST_DTYPE_F8E4M3FN]  = {TOP_FN,      false},
    [HOIST_DTYPE_TT_F16]    = {TOP_NUMBERS, true },
    [HOIST_DTYPE_TT_LF8]    = {TOP_NUMBERS, true },
    [HOIST_DTYPE_TT_F8E4M3] = {TOP_NUMBERS, true },
};
// clang-format on

typedef enum number_kind {
    NUMBER_FINITE,
    NUMBER_INF,
    NUMBER_NAN,
} number_kind;

// A float taken apart: mantissa * 2^exponent; for a NaN the payload, left-aligned in 52 bits.
typedef struct number {
    number_kind kind;
    bool negative;
    int exponent;
    uint64_t mantissa;
} number;

// Derived layout of a float type.
typedef struct float_layout {
    top_exponent top;
    bool flush;
    int m; // stored mantissa bits
    int bias;
    uint64_t top_field;
    int unused; // zero bits below the mantissa (TF32)
    int sign_at;
} float_layout;

static uint64_t ones(int count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

static float_layout layout_of(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return (float_layout){
        .top = float_rules[dtype].top,
        .flush = float_rules[dtype].flush,
        .m = info->mantissa_bits,
        .bias = info->bias,
        .top_field = ones(info->exponent_bits),
        .unused = info->bits - 1 - info->exponent_bits - info->mantissa_bits,
        .sign_at = info->bits - 1,
    };
}

static number decode_float(const float_layout *f, uint64_t bits)
{
    const uint64_t mantissa = (bits >> f->unused) & ones(f->m);
    const uint64_t field = (bits >> (f->unused + f->m)) & f->top_field;
    number n = {NUMBER_FINITE, (bits >> f->sign_at) & 1, (int)field - f->bias - f->m, mantissa};
    const bool top_nan = f->top == TOP_FN && mantissa == ones(f->m);
    if (field == f->top_field && (f->top == TOP_IEEE || top_nan)) {
        n.kind = mantissa ? NUMBER_NAN : NUMBER_INF;
        n.mantissa = mantissa << (52 - f->m);
    } else if (field) {
        n.mantissa |= (uint64_t)1 << f->m;
    } else if (f->flush) {
        // Tenstorrent's unpacker copies the fields, so the mantissa lands in a float32 denormal.
        n.mantissa <<= 23 - f->m;
        n.exponent = -149;
    } else {
        n.exponent++;
    }
    return n;
}

// `value` >> `shift`, rounded; `shift` may be negative or larger than the word.
static uint64_t shift_round(uint64_t value, int shift, hoist_round_mode mode)
{
    if (shift <= 0) {
        return value << -shift;
    }
    if (shift > 63) {
        return 0; // values have at most 53 bits: less than half
    }
    const uint64_t whole = value >> shift;
    const uint64_t rest = value & ones(shift);
    const uint64_t half = (uint64_t)1 << (shift - 1);
    const bool up = mode == HOIST_ROUND_NEAREST && (rest > half || (rest == half && (whole & 1)));
    return whole + up;
}

static uint64_t largest(const float_layout *f)
{
    const uint64_t all = f->top_field << f->m | ones(f->m);
    switch (f->top) {
    case TOP_IEEE:
        return all - ones(f->m) - 1;
    case TOP_FN:
        return all - 1;
    default:
        return all;
    }
}

static uint64_t encode_special(const float_layout *f, const number *n, hoist_rounding rounding)
{
    if (f->top == TOP_NUMBERS) {
        return largest(f);
    }
    if (n->kind == NUMBER_INF && rounding.saturate) {
        return largest(f);
    }
    if (f->top == TOP_FN) {
        return f->top_field << f->m | ones(f->m);
    }
    const uint64_t quiet = (uint64_t)1 << (f->m - 1);
    return f->top_field << f->m | (n->kind == NUMBER_NAN ? quiet | n->mantissa >> (52 - f->m) : 0);
}

// Exponent and mantissa fields of a finite number, as one integer that counts on over the
// exponents: a carry out of the mantissa is right by itself.
static uint64_t encode_finite(const float_layout *f, const number *n, hoist_rounding rounding)
{
    if (n->mantissa == 0) {
        return 0;
    }
    const int least = 1 - f->bias;
    int exponent = n->exponent + 63 - __builtin_clzll(n->mantissa);
    if (exponent < least && !f->flush) {
        exponent = least;
    }
    // q holds the hidden one unless the number is denormal, so the field of `least` counts as 0.
    const uint64_t q = shift_round(n->mantissa, exponent - f->m - n->exponent, rounding.mode);
    const int64_t one = (int64_t)1 << f->m;
    const int64_t fields = (exponent - least) * one + (int64_t)q;
    if (f->flush && fields < one) {
        return 0;
    }
    if ((uint64_t)fields <= largest(f)) {
        return (uint64_t)fields;
    }
    if (rounding.mode != HOIST_ROUND_NEAREST || rounding.saturate) {
        return largest(f);
    }
    return encode_special(f, &(number){.kind = NUMBER_INF}, rounding);
}

static uint64_t encode_float(hoist_dtype dtype, const number *n, hoist_rounding rounding)
{
    const float_layout f = layout_of(dtype);
    const uint64_t fields =
        n->kind == NUMBER_FINITE ? encode_finite(&f, n, rounding) : encode_special(&f, n, rounding);
    return (uint64_t)n->negative << f.sign_at | fields << f.unused;
}

static number from_double(double value)
{
    const float_layout f = layout_of(HOIST_DTYPE_F64);
    return decode_float(&f, hoist_f64_to_bits(value));
}

static bool is_float(hoist_dtype dtype)
{
    return hoist_dtype_get(dtype)->kind == HOIST_CLASS_FLOAT;
}

// Integers.

static uint64_t low_bits(hoist_dtype dtype, uint64_t bits)
{
    return bits & ones(hoist_dtype_get(dtype)->bits);
}

// Magnitude and sign of an integer element.
static uint64_t decode_integer(hoist_dtype dtype, uint64_t bits, bool *out_negative)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    bits = low_bits(dtype, bits);
    const bool top = bits >> (info->bits - 1);
    switch (info->kind) {
    case HOIST_CLASS_SIGNED:
        *out_negative = top;
        return top ? low_bits(dtype, ~bits + 1) : bits;
    case HOIST_CLASS_SIGN_MAGNITUDE:
        *out_negative = top;
        return bits & ones(info->bits - 1);
    case HOIST_CLASS_BOOL:
        *out_negative = false;
        return bits != 0;
    default:
        *out_negative = false;
        return bits;
    }
}

double hoist_round_even(double value)
{
    const double whole = trunc(value);
    const double rest = fabs(value - whole);
    const bool odd = fmod(whole, 2.0) != 0.0;
    const bool away = rest > 0.5 || (rest == 0.5 && odd);
    return away ? whole + copysign(1.0, value) : whole;
}

// Magnitude `limit` is the largest that fits on the side of the sign.
static uint64_t clamp_magnitude(double magnitude, uint64_t limit)
{
    // 2^63 and 2^64 are exact doubles, the limits just below them are not.
    return magnitude >= (double)limit ? limit : (uint64_t)magnitude;
}

static uint64_t encode_integer(hoist_dtype dtype, double value, hoist_round_mode mode)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    if (info->kind == HOIST_CLASS_BOOL) {
        return value != 0.0;
    }
    if (isnan(value)) {
        return 0;
    }
    const double whole = mode == HOIST_ROUND_NEAREST ? hoist_round_even(value) : trunc(value);
    const bool negative = whole < 0.0;
    const uint64_t half = ones(info->bits - 1);
    switch (info->kind) {
    case HOIST_CLASS_UNSIGNED:
        return negative ? 0 : clamp_magnitude(whole, ones(info->bits));
    case HOIST_CLASS_SIGN_MAGNITUDE: {
        const uint64_t magnitude = clamp_magnitude(fabs(whole), half);
        return negative ? (half + 1) | magnitude : magnitude;
    }
    default: {
        const uint64_t magnitude = clamp_magnitude(fabs(whole), half + negative);
        return negative ? low_bits(dtype, ~magnitude + 1) : magnitude;
    }
    }
}

static bool is_raw(hoist_dtype dtype)
{
    return hoist_dtype_get(dtype)->kind == HOIST_CLASS_RAW;
}

static void assert_element(hoist_dtype dtype)
{
    const hoist_dtype_class kind = hoist_dtype_get(dtype)->kind;
    HOIST_ASSERT(kind != HOIST_CLASS_NONE && kind != HOIST_CLASS_BLOCK);
    (void)kind;
}

double hoist_to_f64(hoist_dtype dtype, uint64_t bits)
{
    assert_element(dtype);
    if (is_raw(dtype)) {
        return hoist_f64_from_bits(low_bits(dtype, bits));
    }
    if (!is_float(dtype)) {
        bool negative = false;
        const double magnitude = (double)decode_integer(dtype, bits, &negative);
        return negative ? -magnitude : magnitude;
    }
    const float_layout f = layout_of(dtype);
    const number n = decode_float(&f, bits);
    const uint64_t sign = (uint64_t)n.negative << 63;
    if (n.kind != NUMBER_FINITE) {
        return hoist_f64_from_bits(sign | (uint64_t)0x7ff << 52 | n.mantissa);
    }
    const double magnitude = ldexp((double)n.mantissa, n.exponent);
    return n.negative ? -magnitude : magnitude;
}

float hoist_to_f32(hoist_dtype dtype, uint64_t bits)
{
    assert_element(dtype);
    if (is_raw(dtype)) {
        return hoist_f32_from_bits((uint32_t)low_bits(dtype, bits));
    }
    if (!is_float(dtype)) {
        bool negative = false;
        const float magnitude = (float)decode_integer(dtype, bits, &negative);
        return negative ? -magnitude : magnitude;
    }
    const float_layout f = layout_of(dtype);
    const number n = decode_float(&f, bits);
    if (n.kind == NUMBER_NAN && f.m <= 23) {
        const uint32_t payload = (uint32_t)(n.mantissa >> 29);
        return hoist_f32_from_bits((uint32_t)n.negative << 31 | 0x7f800000 | payload);
    }
    return hoist_f32_from_bits(
        (uint32_t)encode_float(HOIST_DTYPE_F32, &n, (hoist_rounding){HOIST_ROUND_NEAREST, false}));
}

uint64_t hoist_from_f64(hoist_dtype dtype, double value, hoist_rounding rounding)
{
    assert_element(dtype);
    if (rounding.mode == HOIST_ROUND_TT && hoist_tt_has_rule(dtype)) {
        const hoist_rounding chop = {HOIST_ROUND_TRUNCATE, false};
        return hoist_tt_encode(dtype, (uint32_t)hoist_from_f64(HOIST_DTYPE_F32, value, chop));
    }
    if (is_raw(dtype)) {
        return low_bits(dtype, hoist_f64_to_bits(value));
    }
    if (!is_float(dtype)) {
        return encode_integer(dtype, value, rounding.mode);
    }
    const number n = from_double(value);
    return encode_float(dtype, &n, rounding);
}

uint64_t hoist_from_f32(hoist_dtype dtype, float value, hoist_rounding rounding)
{
    const uint32_t u = hoist_f32_to_bits(value);
    if (rounding.mode == HOIST_ROUND_TT && hoist_tt_has_rule(dtype)) {
        return hoist_tt_encode(dtype, u);
    }
    if (is_raw(dtype)) {
        return low_bits(dtype, u);
    }
    return hoist_from_f64(dtype, hoist_to_f64(HOIST_DTYPE_F32, u), rounding);
}
