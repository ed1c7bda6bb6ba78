// kernels/quant_strip.h - strips: HOIST_STRIP neighbouring channels of a depthwise convolution.
//
// The bytes of HOIST_WORD_TAPS taps are interleaved to as many vectors of words, in the order of
// hoist_strip_place(); narrowing the results puts the channels in order again, at no cost.
#ifndef HOIST_SRC_KERNELS_QUANT_STRIP_H
#define HOIST_SRC_KERNELS_QUANT_STRIP_H

#include "kernels/quant_words.h"

// One vector per 4 bytes of a word; or the factors of HOIST_WORD_TAPS taps, one vector each.
typedef struct hoist_strip {
    hoist_u32s at[HOIST_WORD_TAPS];
} hoist_strip;

// Factors of a strip's channels at one tap. Reads HOIST_STRIP bytes.
HOIST_QUANT_INLINE hoist_u32s hoist_strip_load(const uint8_t *x, uint8_t flip)
{
#if defined(__AVX512VNNI__)
    return (hoist_u32s)_mm512_xor_si512(_mm512_loadu_si512(x), _mm512_set1_epi8((char)flip));
#elif defined(__AVX512BW__)
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)x);
    const __m256i flips = _mm256_set1_epi8((char)flip);
    return (hoist_u32s)_mm512_cvtepu8_epi16(_mm256_xor_si256(bytes, flips));
#elif defined(__AVX2__)
    const __m128i bytes = _mm_loadu_si128((const __m128i *)x);
    return (hoist_u32s)_mm256_cvtepu8_epi16(_mm_xor_si128(bytes, _mm_set1_epi8((char)flip)));
#elif defined(__SSE2__)
    const __m128i bytes =
        _mm_xor_si128(_mm_loadl_epi64((const __m128i *)x), _mm_set1_epi8((char)flip));
    return (hoist_u32s)_mm_unpacklo_epi8(bytes, _mm_setzero_si128());
#else
    // Without vector instructions: the same numbers one by one.
    uint16_t factors[HOIST_STRIP];
    for (size_t i = 0; i < HOIST_STRIP; i++) {
        factors[i] = x[i] ^ flip;
    }
    return hoist_lanes_load(factors, 0);
#endif
}

// The same of `count` channels and reads no more; anything is in the others.
HOIST_QUANT_INLINE hoist_u32s hoist_strip_load_part(const uint8_t *x, size_t count, uint8_t flip)
{
#if defined(__AVX512VNNI__)
    const __m512i bytes = _mm512_maskz_loadu_epi8(~UINT64_C(0) >> (HOIST_STRIP - count), x);
    return (hoist_u32s)_mm512_xor_si512(bytes, _mm512_set1_epi8((char)flip));
#elif defined(__AVX512BW__)
    const __m256i bytes = _mm256_maskz_loadu_epi8(~UINT32_C(0) >> (HOIST_STRIP - count), x);
    const __m256i flips = _mm256_set1_epi8((char)flip);
    return (hoist_u32s)_mm512_cvtepu8_epi16(_mm256_xor_si256(bytes, flips));
#else
    uint8_t bytes[HOIST_STRIP] = {0};
    for (size_t i = 0; i < count; i++) {
        bytes[i] = x[i];
    }
    return hoist_strip_load(bytes, flip);
#endif
}

// Words of the factors of HOIST_WORD_TAPS taps.
HOIST_QUANT_INLINE hoist_strip hoist_strip_words(const hoist_strip *taps)
{
    hoist_strip words;
#if defined(__AVX512VNNI__)
    const __m512i a = (__m512i)taps->at[0];
    const __m512i b = (__m512i)taps->at[1];
    const __m512i c = (__m512i)taps->at[2];
    const __m512i d = (__m512i)taps->at[3];
    // Bytes of two taps are interleaved, then pairs of two pairs: four taps of a channel are a
    // word.
    const __m512i ab_low = _mm512_unpacklo_epi8(a, b);
    const __m512i ab_high = _mm512_unpackhi_epi8(a, b);
    const __m512i cd_low = _mm512_unpacklo_epi8(c, d);
    const __m512i cd_high = _mm512_unpackhi_epi8(c, d);
    words.at[0] = (hoist_u32s)_mm512_unpacklo_epi16(ab_low, cd_low);
    words.at[1] = (hoist_u32s)_mm512_unpackhi_epi16(ab_low, cd_low);
    words.at[2] = (hoist_u32s)_mm512_unpacklo_epi16(ab_high, cd_high);
    words.at[3] = (hoist_u32s)_mm512_unpackhi_epi16(ab_high, cd_high);
#elif defined(__AVX512BW__)
    const __m512i a = (__m512i)taps->at[0];
    const __m512i b = (__m512i)taps->at[1];
    words.at[0] = (hoist_u32s)_mm512_unpacklo_epi16(a, b);
    words.at[1] = (hoist_u32s)_mm512_unpackhi_epi16(a, b);
#elif defined(__AVX2__)
    const __m256i a = (__m256i)taps->at[0];
    const __m256i b = (__m256i)taps->at[1];
    words.at[0] = (hoist_u32s)_mm256_unpacklo_epi16(a, b);
    words.at[1] = (hoist_u32s)_mm256_unpackhi_epi16(a, b);
#elif defined(__SSE2__)
    const __m128i a = (__m128i)taps->at[0];
    const __m128i b = (__m128i)taps->at[1];
    words.at[0] = (hoist_u32s)_mm_unpacklo_epi16(a, b);
    words.at[1] = (hoist_u32s)_mm_unpackhi_epi16(a, b);
#else
    uint16_t a[HOIST_STRIP];
    uint16_t b[HOIST_STRIP];
    uint16_t pairs[2 * HOIST_STRIP];
    hoist_lanes_store(a, 0, taps->at[0]);
    hoist_lanes_store(b, 0, taps->at[1]);
    for (size_t i = 0; i < HOIST_STRIP; i++) {
        pairs[2 * i] = a[i];
        pairs[2 * i + 1] = b[i];
    }
    words.at[0] = hoist_lanes_load(pairs, 0);
    words.at[1] = hoist_lanes_load(pairs, HOIST_LANES);
#endif
    return words;
}

// Writes HOIST_STRIP bytes, the lowest of each lane, of which nothing else is set.
HOIST_QUANT_INLINE void hoist_strip_narrow(uint8_t *y, const hoist_strip *results)
{
    const hoist_u32s *at = results->at;
#if defined(__AVX512VNNI__)
    const __m512i low = _mm512_packs_epi32((__m512i)at[0], (__m512i)at[1]);
    const __m512i high = _mm512_packs_epi32((__m512i)at[2], (__m512i)at[3]);
    // Packing works within 128 bits, as the interleaving did: the order is right again.
    _mm512_storeu_si512(y, _mm512_packus_epi16(low, high));
#elif defined(__AVX512BW__)
    const __m512i words = _mm512_packs_epi32((__m512i)at[0], (__m512i)at[1]);
    _mm256_storeu_si256((__m256i *)y, _mm512_cvtepi16_epi8(words));
#elif defined(__AVX2__)
    const __m256i words = _mm256_packs_epi32((__m256i)at[0], (__m256i)at[1]);
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08);
    _mm_storeu_si128((__m128i *)y, _mm256_castsi256_si128(bytes));
#elif defined(__SSE2__)
    const __m128i words = _mm_packs_epi32((__m128i)at[0], (__m128i)at[1]);
    _mm_storel_epi64((__m128i *)y, _mm_packus_epi16(words, words));
#else
    for (size_t i = 0; i < HOIST_STRIP; i++) {
        y[i] = (uint8_t)at[i / HOIST_LANES][i % HOIST_LANES];
    }
#endif
}

// The same with `count` bytes.
HOIST_QUANT_INLINE void hoist_strip_narrow_part(uint8_t *y, size_t count,
                                                const hoist_strip *results)
{
    // Whole to the stack; `y` gets no more than it has.
    uint8_t bytes[HOIST_STRIP];
    hoist_strip_narrow(bytes, results);
#if defined(__AVX512VNNI__)
    _mm512_mask_storeu_epi8(y, ~UINT64_C(0) >> (HOIST_STRIP - count), _mm512_loadu_si512(bytes));
#else
    memcpy(y, bytes, count);
#endif
}

#endif // HOIST_SRC_KERNELS_QUANT_STRIP_H
