// Products, sums and packing of a Tensix core on single words (device_arith.h): in the source words
// of both operands and the number that the register holds, out the number that it holds then. What
// rounds where is in docs/formats/buda-device.md.
#include "kernels/device_arith.h"

#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "tensor/float_bits.h"

enum {
    SOURCE_MANTISSA = 10, // bits of a source word
    SOURCE_SIGN = 18,
    HIDDEN = 1 << SOURCE_MANTISSA,
    F16_BIAS = 112, // of float32's bias over Float16's
    FRACTION = 13,  // bits of a sum below those of a product
    FACTOR_A = 5,   // bits of a that a phase multiplies
    FACTOR_B = 7,
    GROUP = 8, // products that are aligned with one another
};

// Sources -----------------------------------------------------------------------------------------

uint32_t hoist_device_unpack(hoist_device_source source, uint32_t f32)
{
    const uint32_t sign = f32 >> 31 << SOURCE_SIGN;
    const int32_t exponent = (int32_t)(f32 >> 23 & 0xff) - F16_BIAS;
    const uint32_t mantissa = f32 >> FRACTION & (HIDDEN - 1);
    switch (source) {
    case HOIST_DEVICE_SOURCE_F16:
        if (exponent > 31) {
            return sign | 31 << SOURCE_MANTISSA | (HIDDEN - 1);
        }
        return exponent <= 0 ? sign : sign | (uint32_t)exponent << SOURCE_MANTISSA | mantissa;
    case HOIST_DEVICE_SOURCE_BF16:
        return (f32 & 0x7f800000) ? f32 >> 16 << 3 : sign;
    default:
        return (f32 & 0x7f800000) ? f32 >> FRACTION : sign;
    }
}

typedef struct factor {
    uint32_t negative; // 0 or 1
    int32_t exponent;
    uint32_t mantissa; // with the hidden bit; 0: the word is a zero
} factor;

// Words without an exponent are zeros, whatever their sign.
static factor factor_of(uint32_t word)
{
    const uint32_t exponent = word >> SOURCE_MANTISSA & 0xff;
    return (factor){.negative = word >> SOURCE_SIGN & 1,
                    .exponent = (int32_t)exponent,
                    .mantissa = exponent ? (word & (HIDDEN - 1)) | HIDDEN : 0};
}

// Sums --------------------------------------------------------------------------------------------

// A number of an accumulation: mantissa * 2^(exponent - 23), without bias.
typedef struct term {
    uint32_t negative; // 0 or 1
    int32_t exponent;
    uint32_t mantissa;
} term;

// Shifted to the right; what is lost is rounded to nearest, halves up, or down when `down` is 1.
static uint32_t shifted(uint32_t mantissa, uint32_t shift, uint32_t down)
{
    if (shift == 0) {
        return mantissa;
    }
    return shift < 31 ? (mantissa + (1U << (shift - 1)) - down) >> shift : 0;
}

// The mantissa at `exponent`, as a signed number. Products round halves up as numbers of two's
// complement do, what the register holds rounds them away from zero.
static int32_t aligned(const term *t, int32_t exponent, bool is_product, bool is_wide)
{
    const uint32_t down = is_product ? t->negative : 0;
    uint32_t mantissa = t->mantissa;
    if (t->exponent < exponent) {
        mantissa = shifted(mantissa, (uint32_t)(exponent - t->exponent), down);
    }
    if (!is_wide) {
        mantissa = (mantissa + (1U << (FRACTION - 1)) - down) >> FRACTION << FRACTION;
    }
    return t->negative ? -(int32_t)mantissa : (int32_t)mantissa;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// The place of the highest bit of `mantissa`, which is not 0, above bit 23.
static int32_t excess(uint32_t mantissa)
{
    int32_t place = -23;
    while (mantissa >>= 1) {
        place++;
    }
    return place;
}

// The number that a register holds, from a mantissa of up to 24 bits.
static uint32_t encoded(const hoist_device_unit *unit, uint32_t negative, int32_t exponent,
                        uint32_t mantissa)
{
    const uint32_t sign = negative << 31;
    const bool has_five_bits = unit->is_short && unit->dest != HOIST_DEVICE_DEST_F32;
    if (exponent <= 0) {
        return 0;
    }
    if (has_five_bits && exponent > 31) {
        return sign | 31U << 23 | (uint32_t)(HIDDEN - 1) << FRACTION;
    }
    if (exponent >= 255) {
        return sign | 255U << 23;
    }
    return sign | (uint32_t)exponent << 23 | (mantissa & 0x7fffff);
}

// held + first + second.
static uint32_t accumulated(const hoist_device_unit *unit, const term *first, const term *second,
                            uint32_t held)
{
    const bool is_wide = unit->dest == HOIST_DEVICE_DEST_F32;
    term old = {held >> 31, (int32_t)(held >> 23 & 0xff), (held & 0x7fffff) | 0x800000};
    old.mantissa = old.exponent ? old.mantissa : 0;
    int32_t exponent = greater(greater(first->exponent, second->exponent), old.exponent);
    if (exponent <= 0) {
        return 0;
    }
    const int32_t sum = aligned(&old, exponent, false, is_wide) +
                        aligned(first, exponent, true, is_wide) +
                        aligned(second, exponent, true, is_wide);
    if (sum == 0) {
        return 0;
    }
    const uint32_t negative = sum < 0;
    uint32_t mantissa = negative ? -(uint32_t)sum : (uint32_t)sum;
    int32_t shift = excess(mantissa);
    // Wormhole counts the signs in front of -1 one by one too many, all 32 of them.
    if (unit->arch == HOIST_DEVICE_WORMHOLE_B0 && negative && mantissa == 1) {
        shift = 4;
    }
    exponent += shift;
    const int32_t dropped = is_wide ? 0 : unit->is_short ? FRACTION : 16;
    shift += dropped;
    mantissa = shift > 0 ? shifted(mantissa, (uint32_t)shift, 0) : mantissa << -shift;
    mantissa <<= dropped;
    return encoded(unit, negative, exponent + (int32_t)(mantissa >> 24 & 1), mantissa);
}

// Products ----------------------------------------------------------------------------------------

// What is added to the exponents of two factors.
static int32_t product_bias(const hoist_device_unit *unit, unsigned phase)
{
    const int32_t bias = !unit->is_short                       ? -127
                         : unit->dest == HOIST_DEVICE_DEST_F32 ? 127 - 30
                                                               : -15;
    return bias - (phase & 1 ? FACTOR_A : 0) - (phase & 2 ? FACTOR_B : 0);
}

// The product of the bits that take part in `phase`, at most 12 bits; a zero has an exponent of its
// own, which others are aligned to.
static term product(uint32_t a, uint32_t b, int32_t bias, unsigned phase)
{
    const factor x = factor_of(a);
    const factor y = factor_of(b);
    if (!x.mantissa || !y.mantissa) {
        return (term){0, greater(bias, 0), 0};
    }
    const uint32_t left = phase & 1 ? x.mantissa >> 1 & 31 : x.mantissa >> 6;
    const uint32_t right = phase & 2 ? (y.mantissa & 15) << 3 : y.mantissa >> 4;
    return (term){x.negative ^ y.negative, x.exponent + y.exponent + bias, left * right};
}

uint32_t hoist_device_multiply(const hoist_device_unit *unit, unsigned phase, uint32_t a,
                               uint32_t b, uint32_t held)
{
    const int32_t bias = product_bias(unit, phase);
    term p = product(a, b, bias, phase);
    if (p.exponent <= 0) {
        p = (term){0, greater(bias, 0), 0};
    }
    p.mantissa <<= FRACTION;
    return accumulated(unit, &p, &(term){0}, held);
}

// The sum of GROUP products, each shifted to the greatest of their exponents, halves up.
static term summed(const term *products)
{
    int32_t exponent = products[0].exponent;
    for (size_t i = 1; i < GROUP; i++) {
        exponent = greater(exponent, products[i].exponent);
    }
    if (exponent <= 0) {
        return (term){0};
    }
    int32_t sum = 0;
    for (size_t i = 0; i < GROUP; i++) {
        const int32_t mantissa =
            (int32_t)shifted(products[i].mantissa, (uint32_t)(exponent - products[i].exponent), 0);
        sum += products[i].negative ? -mantissa : mantissa;
    }
    return (term){sum < 0, exponent, (uint32_t)(sum < 0 ? -sum : sum) << FRACTION};
}

uint32_t hoist_device_dot(const hoist_device_unit *unit, unsigned phase,
                          const uint32_t a[HOIST_DEVICE_LANES],
                          const uint32_t b[HOIST_DEVICE_LANES], uint32_t held)
{
    term products[HOIST_DEVICE_LANES];
    const int32_t bias = product_bias(unit, phase);
    for (size_t i = 0; i < HOIST_DEVICE_LANES; i++) {
        products[i] = product(a[i], b[i], bias, phase);
    }
    const term first = summed(products);
    const term second = summed(products + GROUP);
    return accumulated(unit, &first, &second, held);
}

uint32_t hoist_device_add(const hoist_device_unit *unit, uint32_t a, uint32_t b)
{
    const uint32_t magnitude = (1U << SOURCE_SIGN) - 1;
    const bool swaps = (a & magnitude) < (b & magnitude);
    factor large = factor_of(swaps ? b : a);
    factor small = factor_of(swaps ? a : b);
    large.negative = large.mantissa ? large.negative : 0;
    small.negative = small.mantissa ? small.negative : 0;
    const uint32_t lesser = shifted(small.mantissa, (uint32_t)(large.exponent - small.exponent), 0);
    term sum = {
        large.negative, large.exponent,
        (large.negative == small.negative ? large.mantissa + lesser : large.mantissa - lesser)
            << FRACTION};
    if (unit->is_short && unit->dest == HOIST_DEVICE_DEST_F32) {
        sum.exponent = sum.exponent ? sum.exponent + F16_BIAS : 127 - 30;
    }
    return accumulated(unit, &sum, &(term){0}, 0);
}

// The register and memory -------------------------------------------------------------------------

uint32_t hoist_device_widen(hoist_device_dest dest, uint32_t held)
{
    if (dest != HOIST_DEVICE_DEST_F16 || !(held & 0x7f800000)) {
        return held;
    }
    return held + ((uint32_t)F16_BIAS << 23);
}

uint32_t hoist_device_narrow(hoist_device_dest dest, uint32_t f32)
{
    return dest == HOIST_DEVICE_DEST_F16
               ? hoist_device_unpack(HOIST_DEVICE_SOURCE_F16, f32) << FRACTION
               : f32;
}

// The number as the packer reads it, of 16 bits unless its type in memory is a float32, or a
// Blackhole makes a Float16 of a float32, when it has the 19 bits of a source word.
static uint32_t read_half(uint32_t held, bool is_block)
{
    uint32_t value = held >> 31 << 15 | (held >> FRACTION & 0x7fff);
    if (is_block) {
        value = (value & 0x7fff) > 0x7ff7 ? (value & 0x8000) | 0x7ff0 : value;
        value = (value + 8) & ~15U;
    }
    return (value & 0x7fff) < 0x400 ? 0 : value;
}

static uint32_t without_nan(uint32_t f32)
{
    return (f32 & 0x7fffffff) > 0x7f800000 ? (f32 & 0x80000000) | 0x7f800000 : f32;
}

static uint32_t read_brain(uint32_t held, bool is_wide, bool is_block)
{
    uint32_t value = without_nan(held);
    if (!is_wide && !(value & 0x7f800000)) {
        return 0;
    }
    value = is_block ? ((value >> 16) + 1) & ~1U : (value + 0x8000) >> 16;
    return (value & 0x7fff) < 0x80 ? 0 : value;
}

static uint32_t read_word(uint32_t held)
{
    const uint32_t value = (without_nan(held) + 0x1000) >> FRACTION;
    return (value & ((1U << SOURCE_SIGN) - 1)) < HIDDEN ? 0 : value;
}

// Numbers of `sign` compared with a threshold; the lowest `ignored` bits do not count above it.
static uint32_t relu(hoist_device_relu kind, uint32_t value, uint32_t sign, uint32_t threshold,
                     unsigned ignored)
{
    if (kind == HOIST_DEVICE_RELU_NONE) {
        return value;
    }
    value = value & sign ? 0 : value;
    if (kind == HOIST_DEVICE_RELU_MIN) {
        return value <= threshold ? 0 : value;
    }
    return kind == HOIST_DEVICE_RELU_MAX && value >> ignored > threshold >> ignored ? threshold
                                                                                    : value;
}

static uint32_t brain_of_half(uint32_t value)
{
    const uint32_t exponent = value >> 10 & 31;
    return exponent ? (value & 0x8000) | (exponent + F16_BIAS) << 7 | (value >> 3 & 0x7f) : 0;
}

static uint32_t half_of_word(uint32_t word)
{
    const uint32_t sign = word >> SOURCE_SIGN << 15;
    const int32_t exponent = (int32_t)(word >> SOURCE_MANTISSA & 0xff) - F16_BIAS;
    if (exponent < 0 || exponent > 31) {
        return exponent < 0 ? sign : sign | 0x7fff;
    }
    return sign | (uint32_t)exponent << 10 | (word & (HIDDEN - 1));
}

// A Float16 as float32; without an exponent only its bits are kept.
static uint32_t single_of_half(uint32_t half)
{
    const uint32_t bits = (half & 0x8000) << 16 | (half & 0x7fff) << FRACTION;
    return half & 0x7c00 ? bits + ((uint32_t)F16_BIAS << 23) : bits;
}

static bool is_block(hoist_dtype dtype)
{
    return dtype == HOIST_DTYPE_TT_BFP8B || dtype == HOIST_DTYPE_TT_BFP4B;
}

// Float32 of a number as it is in memory, unless that is a block float: of that the 16 bits of
// which the block is made.
static uint32_t packed(const hoist_device_packer *p, uint32_t held)
{
    const bool block = is_block(p->dtype);
    uint32_t value;
    if (p->dest == HOIST_DEVICE_DEST_F16) {
        value = relu(p->relu, read_half(held, block), 0x8000, p->threshold, 0);
        if (p->dtype == HOIST_DTYPE_F32 || p->dtype == HOIST_DTYPE_TT_F16) {
            return single_of_half(value);
        }
        value = brain_of_half(value);
    } else if (p->dest == HOIST_DEVICE_DEST_F32 && p->dtype == HOIST_DTYPE_F32) {
        return relu(p->relu, held, 0x80000000, (uint32_t)p->threshold << 16, FRACTION);
    } else if (p->dtype == HOIST_DTYPE_TT_F16) {
        value = relu(p->relu, read_word(held), 1U << SOURCE_SIGN, (uint32_t)p->threshold << 3, 0);
        return single_of_half(half_of_word(value));
    } else {
        value = read_brain(held, p->dest == HOIST_DEVICE_DEST_F32, block);
        value = relu(p->relu, value, 0x8000, p->threshold, 0);
    }
    return block ? value : value << 16;
}

// An element of a block with `exponent`, of `bits` with its sign: rounded to 7 bits of mantissa,
// then cut off, then read back.
static uint32_t block_element(uint32_t brain, uint32_t exponent, unsigned bits)
{
    const uint32_t own = brain >> 7 & 0xff;
    uint32_t mantissa = shifted((brain & 0x7f) | (own ? 0x80 : 0), exponent - own + 1, 0);
    mantissa = mantissa > 0x7f ? 0x7f : mantissa;
    mantissa = exponent - own < 8 ? mantissa >> (8 - bits) << (8 - bits) << 1 : 0;
    if (mantissa == 0) {
        return 0;
    }
    while (!(mantissa & 0x80)) {
        mantissa <<= 1;
        exponent--;
    }
    return (brain & 0x8000) << 16 | (exponent & 0xff) << 23 | (mantissa & 0x7e) << 16;
}

void hoist_device_pack(const hoist_device_packer *packer, const uint32_t held[HOIST_DEVICE_LANES],
                       uint32_t out[HOIST_DEVICE_LANES])
{
    uint32_t exponent = 0;
    HOIST_ASSERT(hoist_device_packs(packer->arch, packer->dest, packer->dtype));
    for (size_t i = 0; i < HOIST_DEVICE_LANES; i++) {
        out[i] = packed(packer, held[i]);
        const uint32_t own = out[i] >> 7 & 0xff; // of a block float
        exponent = own > exponent ? own : exponent;
    }
    for (size_t i = 0; is_block(packer->dtype) && i < HOIST_DEVICE_LANES; i++) {
        out[i] = block_element(out[i], exponent, packer->dtype == HOIST_DTYPE_TT_BFP8B ? 8 : 4);
    }
}

// Sums in memory --------------------------------------------------------------------------------

// Denormals are zeros on both sides, and there is one NaN.
static uint32_t without_denormal(uint32_t f32)
{
    return f32 & 0x7f800000 ? f32 : f32 & 0x80000000;
}

static uint32_t single_sum(uint32_t memory, uint32_t packed)
{
    const float sum = hoist_f32_from_bits(without_denormal(memory)) +
                      hoist_f32_from_bits(without_denormal(packed));
    return isnan(sum) ? 0x7fc00000 : without_denormal(hoist_f32_to_bits(sum));
}

// A Float16_b as a double. A NaN is a number: in memory beyond all others, else of the exponent
// after the last one.
static double brain_number(uint32_t f32, bool is_memory)
{
    const uint32_t bits = without_denormal(f32);
    const double sign = bits >> 31 ? -1 : 1;
    if ((bits & 0x7fffffff) <= 0x7f800000) {
        return (double)hoist_f32_from_bits(bits);
    }
    return sign * (is_memory ? DBL_MAX : ldexp((double)((bits >> 16 & 0x7f) | 0x80), 128 - 7));
}

// The double with the exponent of a float32, to nearest, ties to even.
static uint32_t brain_sum(uint32_t memory, uint32_t packed)
{
    const uint32_t infinity = 0x7f800000;
    if ((memory ^ packed) == 0x80000000 && (memory & 0x7fffffff) == infinity) {
        return 0x7fc00000;
    }
    const uint64_t sum =
        hoist_f64_to_bits(brain_number(memory, true) + brain_number(packed, false));
    const uint32_t sign = (uint32_t)(sum >> 63) << 31;
    const int32_t exponent = (int32_t)(sum >> 52 & 0x7ff) - 1023 + 127;
    if (exponent <= 0 || exponent >= 255) {
        return exponent <= 0 ? sign : sign | infinity;
    }
    const uint64_t mantissa = sum & ((UINT64_C(1) << 52) - 1);
    const uint64_t rounded = mantissa + (UINT64_C(1) << 44) - 1 + (mantissa >> 45 & 1);
    return sign | (((uint32_t)exponent << 23) + ((uint32_t)(rounded >> 45) << 16));
}

uint32_t hoist_device_accumulate(hoist_dtype dtype, uint32_t memory, uint32_t packed)
{
    HOIST_ASSERT(hoist_device_accumulates(dtype));
    return dtype == HOIST_DTYPE_F32 ? single_sum(memory, packed) : brain_sum(memory, packed);
}
