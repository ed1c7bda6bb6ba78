// kernels/quant_words.h - words of factors: what products of 8-bit numbers are made of at a CPU
// level.
//
// A word is 32 bits with the factors of HOIST_WORD_TAPS neighbouring taps of one channel. One
// instruction multiplies the words of a vector with as many others and adds the products of each
// word to a sum of 32 bits, exactly: nothing here saturates.
//
//   AVX-512 VNNI      4 taps: x as u8, weights as i8
//   everything else   2 taps: both as i16 (the pmaddwd of SSE2, AVX2 and AVX-512)
//
// x' = x ^ flip, which takes i8 to u8 = x + 128, and the zero point of x with it. Weights of 4 taps
// are w' = w ^ 0x80 of u8 (w - 128) or i8 itself and keep their zero point; of 2 taps they are
// w' = w - zero, which has 9 bits. Then, over K taps,
//   sum (x' - zx)(w' - zw) = sum x' w'  - zx sum w' + K zx zw  - zw sum x'
// where the middle belongs to the constants (quant_prepared.h), and the last term is 0 for 2 taps
// and for weights without a zero point.
#ifndef HOIST_SRC_KERNELS_QUANT_WORDS_H
#define HOIST_SRC_KERNELS_QUANT_WORDS_H

#include "kernels/lanes.h"
#include "kernels/quant.h"

#if defined(__AVX512VNNI__)
#define HOIST_WORD_TAPS 4
#else
#define HOIST_WORD_TAPS 2
#endif
#define HOIST_WORD_SIZE 4
#define HOIST_FACTOR_SIZE (HOIST_WORD_SIZE / HOIST_WORD_TAPS) // bytes

// Depthwise: channels of a vector of bytes that becomes HOIST_WORD_TAPS vectors of words.
enum { HOIST_STRIP = HOIST_WORD_TAPS * HOIST_LANES };

#if defined(__clang__)
#define HOIST_QUANT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HOIST_QUANT_UNROLL _Pragma("GCC unroll 8")
#endif
#define HOIST_QUANT_INLINE static inline __attribute__((always_inline))

// What x is xored with, and the zero point of the outcome.
static inline uint8_t hoist_quant_flip(const hoist_quant_conv *conv)
{
    return conv->is_signed ? 0x80 : 0;
}
static inline int32_t hoist_quant_zero_in(const hoist_quant_conv *conv)
{
    return conv->zero_in + (conv->is_signed ? 128 : 0);
}

// What is left of the zero point of the weights in words.
static inline int32_t hoist_quant_zero_weight(const hoist_quant_conv *conv)
{
#if HOIST_WORD_TAPS == 4
    return conv->zero_weight - (conv->is_signed ? 0 : 128);
#else
    (void)conv;
    return 0;
#endif
}

// sum + the products of words.
HOIST_QUANT_INLINE hoist_u32s hoist_words_dot(hoist_u32s sum, hoist_u32s x, hoist_u32s weights)
{
#if defined(__AVX512VNNI__)
    return (hoist_u32s)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)x, (__m512i)weights);
#elif defined(__AVX512BW__)
    return sum + (hoist_u32s)_mm512_madd_epi16((__m512i)x, (__m512i)weights);
#elif defined(__AVX2__)
    return sum + (hoist_u32s)_mm256_madd_epi16((__m256i)x, (__m256i)weights);
#elif defined(__SSE2__)
    return sum + (hoist_u32s)_mm_madd_epi16((__m128i)x, (__m128i)weights);
#else
    const hoist_i32s low = ((hoist_i32s)(x << 16) >> 16) * ((hoist_i32s)(weights << 16) >> 16);
    const hoist_i32s high = ((hoist_i32s)x >> 16) * ((hoist_i32s)weights >> 16);
    return sum + (hoist_u32s)low + (hoist_u32s)high;
#endif
}

// The word at `p` in all lanes.
HOIST_QUANT_INLINE hoist_u32s hoist_words_all(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return hoist_lanes_all(word);
}

#endif // HOIST_SRC_KERNELS_QUANT_WORDS_H
