// The vector unit of a Tensix core on single numbers (device_vector.h). First its multiply-add,
// with what Wormhole b0 and Blackhole do differently, then a function per row: the sequence of
// instructions that the vendor's kernels are compiled to. Sources: docs/formats/buda-device.md.
#include "kernels/device_vector.h"

#include "base/assert.h"

enum {
    MANTISSA = 23, // bits of a float32
    GUARD = 3,     // bits of a sum below those
    SPECIAL = 255, // exponent of infinities and NaN
    BIAS = 127,
    WIDTH = MANTISSA + GUARD, // place of the highest bit of a sum
};
#define SIGN 0x80000000U
#define INFINITE 0x7f800000U
#define HIDDEN (1U << MANTISSA)
#define FRACTION (HIDDEN - 1)

// Multiply-add ------------------------------------------------------------------------------------

// mantissa * 2^(exponent - BIAS - MANTISSA); a denormal is a zero.
typedef struct number {
    uint32_t sign; // SIGN or 0
    int32_t exponent;
    uint32_t mantissa;
} number;

static number number_of(uint32_t bits)
{
    const uint32_t exponent = bits >> MANTISSA & SPECIAL;
    return (number){bits & SIGN, (int32_t)exponent, exponent ? (bits & FRACTION) | HIDDEN : 0};
}

// With GUARD bits, of which the lowest collects all that are lost.
static number product(number x, number y)
{
    const uint64_t exact = (uint64_t)x.mantissa * y.mantissa << GUARD;
    return (number){x.sign ^ y.sign, x.exponent + y.exponent - BIAS,
                    (uint32_t)(exact >> MANTISSA) | ((exact & FRACTION) != 0)};
}

static bool is_nan(number x)
{
    return x.exponent == SPECIAL && x.mantissa != HIDDEN;
}

static bool is_infinite(number x)
{
    return x.exponent == SPECIAL && x.mantissa == HIDDEN;
}

// The NaN that a factor or an infinity less another one makes; 0: none. `p` is x * y.
static uint32_t invalid(hoist_device_arch arch, number x, number y, number z, number p)
{
    const bool is_wormhole = arch == HOIST_DEVICE_WORMHOLE_B0;
    const bool is_product = is_nan(x) || is_nan(y) || (is_infinite(x) && y.mantissa == 0) ||
                            (is_infinite(y) && x.mantissa == 0);
    // An overflow counts as infinity on Wormhole only.
    const bool is_large =
        x.exponent == SPECIAL || y.exponent == SPECIAL || (is_wormhole && p.exponent >= SPECIAL);
    const bool is_difference = is_infinite(z) && is_large && z.sign != p.sign;
    if (is_product || is_difference) {
        return is_wormhole ? p.sign | INFINITE | 1 : 0x7fc00000;
    }
    return !is_nan(z) ? 0 : is_wormhole ? z.sign | INFINITE | 1 : 0x7fc00000;
}

// Shifted to the right; a bit that is lost is kept in the lowest one, unless all are lost.
static uint32_t aligned(uint32_t mantissa, int32_t shift)
{
    if (shift >= 32) {
        return 0;
    }
    const uint32_t kept = mantissa >> shift;
    return kept ? kept | (kept << shift != mantissa) : 0;
}

static int32_t highest_bit(uint32_t mantissa)
{
    int32_t place = -1;
    for (; mantissa; mantissa >>= 1) {
        place++;
    }
    return place;
}

// The exponent and mantissa of a sum, as one number: rounded to nearest, ties to even.
static uint32_t rounded(uint32_t exponent, uint32_t mantissa)
{
    const uint32_t bits = (exponent << MANTISSA) + (mantissa >> GUARD & FRACTION);
    return bits + ((mantissa & 7) + (bits & 1) > 4);
}

// A sum that is not 0, without its sign; 0: below the least normal number, whose neighbours each
// chip rounds in its own way. SPECIAL << MANTISSA: too large.
static uint32_t normalized(hoist_device_arch arch, int32_t exponent, uint32_t mantissa)
{
    const bool is_wormhole = arch == HOIST_DEVICE_WORMHOLE_B0;
    int32_t shift = highest_bit(mantissa) - WIDTH;
    exponent += shift;
    if (exponent >= SPECIAL) {
        return INFINITE;
    }
    if (is_wormhole && exponent < 0) {
        return 0;
    }
    if (!is_wormhole && exponent <= 0) {
        shift++;
        exponent = 0;
    }
    const uint32_t lost = is_wormhole ? 1 : (uint32_t)shift | 1; // those that count
    mantissa = shift <= 0 ? mantissa << -shift : mantissa >> shift | ((mantissa & lost) != 0);
    const uint32_t bits = rounded((uint32_t)exponent, mantissa);
    return bits >> MANTISSA ? bits : 0;
}

uint32_t hoist_device_fma(hoist_device_arch arch, uint32_t a, uint32_t b, uint32_t c)
{
    const bool is_wormhole = arch == HOIST_DEVICE_WORMHOLE_B0;
    const number x = number_of(a);
    const number y = number_of(b);
    number z = number_of(c);
    number p = product(x, y);
    const uint32_t nan = invalid(arch, x, y, z, p);
    // The sign of a zero that is no rounded number.
    const uint32_t zero = is_wormhole ? 0 : z.sign & p.sign;
    if (nan && !is_wormhole) {
        return nan;
    }
    if (!nan && (z.exponent == SPECIAL || p.exponent >= SPECIAL || x.exponent == SPECIAL ||
                 y.exponent == SPECIAL)) {
        return z.exponent == SPECIAL ? c : p.sign | INFINITE;
    }
    if (p.mantissa == 0 || p.exponent < 0) {
        if (!nan) {
            return z.mantissa ? c : zero;
        }
        p = (number){p.sign, 0, 0};
    }
    // Wormhole goes on with a NaN, so that bits of the numbers get into it.
    p.exponent = p.exponent > SPECIAL ? SPECIAL : p.exponent;
    z.mantissa <<= GUARD;
    const int32_t exponent = p.exponent > z.exponent ? p.exponent : z.exponent;
    p.mantissa = aligned(p.mantissa, exponent - p.exponent);
    z.mantissa = aligned(z.mantissa, exponent - z.exponent);
    const bool is_larger = p.mantissa >= z.mantissa;
    const uint32_t sum = p.sign == z.sign ? p.mantissa + z.mantissa
                         : is_larger      ? p.mantissa - z.mantissa
                                          : z.mantissa - p.mantissa;
    if (sum == 0) {
        return nan ? nan : zero;
    }
    const uint32_t sign = is_larger ? p.sign : z.sign;
    const uint32_t bits = normalized(arch, exponent, sum);
    if (nan) {
        return nan | (bits == INFINITE ? 0 : bits);
    }
    return bits || !is_wormhole ? sign | bits : 0;
}

// Instructions ------------------------------------------------------------------------------------

uint32_t hoist_device_stored(hoist_device_dest dest, uint32_t value)
{
    const uint32_t sign = value & SIGN;
    const int32_t exponent = (int32_t)(value >> MANTISSA & SPECIAL);
    if (dest == HOIST_DEVICE_DEST_F16) {
        return exponent <= 112  ? sign
               : exponent > 143 ? sign | 143U << MANTISSA | 0x7fe000
                                : value & ~0x1fffU;
    }
    if (exponent == 0) {
        return sign;
    }
    return dest == HOIST_DEVICE_DEST_BF16 ? value & 0xffff0000 : value;
}

typedef hoist_device_function function;

#define ZERO 0U
#define HALF 0x3f000000U
#define ONE 0x3f800000U
#define TWO 0x40000000U

static uint32_t mad(const function *f, uint32_t a, uint32_t b, uint32_t c)
{
    return hoist_device_fma(f->arch, a, b, c);
}

static uint32_t mul(const function *f, uint32_t a, uint32_t b)
{
    return mad(f, a, b, ZERO);
}

static int32_t exponent_of(uint32_t x)
{
    return (int32_t)(x >> MANTISSA & SPECIAL) - BIAS;
}

static uint32_t with_exponent(uint32_t x, int32_t biased)
{
    return (x & (SIGN | FRACTION)) | ((uint32_t)biased & SPECIAL) << MANTISSA;
}

static uint32_t magnitude(uint32_t x)
{
    return x & ~SIGN;
}

// A line of a table: 1 of sign, 3 of exponent below 1, 4 of mantissa; 0xff is 0.
static uint32_t from_8_bits(uint32_t x)
{
    x &= 0xff;
    return x == 0xff ? 0 : (x >> 7) << 31 | (BIAS - (x >> 4 & 7)) << MANTISSA | (x & 15) << 19;
}

// A Float16 whose exponents 0 and 31 are an ordinary one and 0.
static uint32_t from_16_bits(uint32_t x)
{
    const uint32_t exponent = x >> 10 & 31;
    return (x >> 15 & 1) << 31 | (exponent == 31 ? 0 : exponent + 112) << MANTISSA |
           (x & 0x3ff) << 13;
}

// Lines of |x| below 1, below 2 and above: 8 bits of factor, 8 of summand. The sign is that of x.
static uint32_t three_lines(const function *f, const uint16_t lines[3], uint32_t x)
{
    const uint32_t size = magnitude(x);
    const uint32_t line = lines[size < ONE ? 0 : size < TWO ? 1 : 2];
    return magnitude(mad(f, from_8_bits(line >> 8), size, from_8_bits(line))) | (x & SIGN);
}

typedef struct line {
    uint16_t factor, summand;
} line;

// Lines of |x| below 0.5, 1, 1.5, 2, `last` and above.
static uint32_t six_lines(const function *f, const line lines[6], uint32_t last, uint32_t x)
{
    const uint32_t ends[] = {HALF, ONE, 0x3fc00000, TWO, last};
    const uint32_t size = magnitude(x);
    size_t i = 0;
    while (i < sizeof ends / sizeof *ends && size >= ends[i]) {
        i++;
    }
    return mad(f, from_16_bits(lines[i].factor), size, from_16_bits(lines[i].summand));
}

// Functions ---------------------------------------------------------------------------------------

static uint32_t absolute(const function *f, uint32_t x)
{
    (void)f;
    return x <= (SIGN | INFINITE) ? magnitude(x) : x; // negative NaN stay as they are
}

static uint32_t square(const function *f, uint32_t x)
{
    return mul(f, x, x);
}

// x^parameter; that of 0 and 1 is the square, too.
static uint32_t power(const function *f, uint32_t x)
{
    uint32_t result = mul(f, x, x);
    for (uint32_t i = 2; i < f->parameter; i++) {
        result = mul(f, result, x);
    }
    return result;
}

static uint32_t lrelu(const function *f, uint32_t x)
{
    return x & SIGN ? mul(f, x, f->parameter << 16) : x;
}

// 1 / |x|: of the mantissa m in [0.5, 1), negated, r = r (2 - m r) from a first guess of 1/ln 2.
static uint32_t inverse(const function *f, uint32_t x, int steps)
{
    const uint32_t guess = 0x3fb8aa3b;
    const uint32_t m = with_exponent(x | SIGN, BIAS - 1);
    uint32_t result = mul(f, guess, mad(f, m, guess, TWO));
    for (int i = 1; i < steps; i++) {
        result = mul(f, result, mad(f, m, result, TWO));
    }
    const int32_t biased = exponent_of(result) - exponent_of(x) + BIAS - 1;
    return biased < 0 ? ZERO : with_exponent(result, biased);
}

static uint32_t reciprocal(const function *f, uint32_t x)
{
    return inverse(f, x, f->is_approximate ? 2 : 3) ^ (x & SIGN);
}

// e^|x|: a series in [0, 1), squared once for each power of two above.
static uint32_t exponential(const function *f, uint32_t x)
{
    uint32_t result = magnitude(x);
    int32_t exponent = exponent_of(result);
    const bool is_large = exponent >= 0;
    result = is_large ? with_exponent(result, BIAS - 1) : result;
    result = mad(f, result, mad(f, result, 0x3f56594b, 0x3f5c0000), ONE);
    result = is_large ? mul(f, result, result) : result;
    for (int i = 0; i < 7 && --exponent >= 0; i++) {
        result = mul(f, result, result);
    }
    return x & SIGN ? inverse(f, result, 3) : result;
}

// ln m as a polynomial of the mantissa, plus exponent times ln 2.
static uint32_t logarithm(const function *f, uint32_t x)
{
    if (x == 0) {
        return SIGN | INFINITE;
    }
    const uint32_t m = with_exponent(x, BIAS);
    uint32_t series = mad(f, m, 0x3dd8adac, 0xbf377319);
    series = mad(f, m, series, 0x4005930c);
    series = mad(f, m, series, 0xbfbcd6a1);
    const int32_t exponent = exponent_of(x);
    const uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
    uint32_t as_float = 0;
    if (size) {
        const int32_t place = highest_bit(size);
        as_float = with_exponent(size << (MANTISSA - place), BIAS + place);
    }
    return mad(f, as_float | (exponent < 0 ? SIGN : 0), 0x3f315ffe, series);
}

// x / sqrt x: of the inverse root by a magic number and two of Newton's steps; or only halved, with
// its exponent, when it is approximate.
static uint32_t root(const function *f, uint32_t x)
{
    const uint32_t minus_half = SIGN | HALF;
    if (f->is_approximate) {
        return (x + ONE) >> 1;
    }
    if (x == 0) {
        return x;
    }
    uint32_t r = 0x5f370000 - (x >> 1);
    for (int i = 0; i < 2; i++) {
        r = mul(f, mad(f, mul(f, r, r), mul(f, x, minus_half), 0x3fc00000), r);
    }
    return mul(f, r, x);
}

static uint32_t gelu(const function *f, uint32_t x)
{
    static const line lines[] = {{0x322b, 0x86d8}, {0x37e7, 0xb122}, {0x38f3, 0xb479},
                                 {0x38e1, 0xb437}, {0x3852, 0xafa4}, {0x3800, 0x7c00}};
    return mad(f, x, HALF, six_lines(f, lines, 0x40400000, x));
}

// The approximate one.
static uint32_t gelu_derivative(const function *f, uint32_t x)
{
    static const line lines[] = {{0x3a66, 0x3800}, {0x3666, 0x399a}, {0x2e66, 0x3bec},
                                 {0xadc3, 0x3d14}, {0xaccd, 0x3cf1}, {0x7c00, 0x3c00}};
    const uint32_t result = magnitude(six_lines(f, lines, 0x40400000, x)) | (x & SIGN);
    return result & SIGN ? mad(f, ONE, result, ONE) : result;
}

static uint32_t sigmoid(const function *f, uint32_t x)
{
    static const line lines[] = {{0x33d9, 0x9018}, {0x32f4, 0x23c8}, {0x318a, 0x2baa},
                                 {0x300a, 0x3027}, {0x2a35, 0x34cc}, {0x7c00, 0x37ff}};
    const uint32_t result = magnitude(six_lines(f, lines, 0x40800000, x)) | (x & SIGN);
    return mad(f, ONE, result, HALF);
}

static uint32_t hyperbolic_tangent(const function *f, uint32_t x)
{
    static const uint16_t lines[] = {0x1dff, 0x481a, 0xff00};
    return three_lines(f, lines, x);
}

uint32_t hoist_device_apply(const hoist_device_function *f, uint32_t x)
{
    typedef uint32_t apply_fn(const function *f, uint32_t x);
#define AT(op) [HOIST_DEVICE_##op - HOIST_DEVICE_ABS]
    static apply_fn *const functions[] = {
        AT(ABS) = absolute,    AT(EXP) = exponential,
        AT(GELU) = gelu,       AT(GELU_DERIVATIVE) = gelu_derivative,
        AT(LOG) = logarithm,   AT(LRELU) = lrelu,
        AT(POWER) = power,     AT(RECIPROCAL) = reciprocal,
        AT(SIGMOID) = sigmoid, AT(SQRT) = root,
        AT(SQUARE) = square,   AT(TANH) = hyperbolic_tangent,
    };
#undef AT
    HOIST_ASSERT(hoist_device_has_function(f->arch, f->op, f->is_approximate));
    return hoist_device_stored(f->dest, functions[f->op - HOIST_DEVICE_ABS](f, x));
}

uint32_t hoist_device_maximum(hoist_device_arch arch, hoist_device_dest dest, uint32_t a,
                              uint32_t b)
{
    const uint32_t difference = hoist_device_fma(arch, b, SIGN | ONE, a);
    return difference & SIGN ? hoist_device_stored(dest, b) : a;
}
