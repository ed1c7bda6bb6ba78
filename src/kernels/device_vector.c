// The vector unit of a Tensix core on single numbers (device_vector.h). First its multiply-add,
// with what Wormhole b0 and Blackhole do differently, then a function per row: the sequence of
// instructions that the vendor's kernels are compiled to. Sources: docs/formats/buda-device.md.
#include "kernels/device_vector.h"

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
