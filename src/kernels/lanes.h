// kernels/lanes.h - runs of 16 elements: vectors of lanes, and the way between memory
// (little-endian) and uint32_t[16].
//
// Arithmetic is written with the compilers' vector types, as wide as the level that the including
// file is compiled for: plain loops over 16 elements were unrolled and then not vectorised by
// gcc 12 (figures in README.md). Only the change of width needs intrinsics.
#ifndef HOIST_SRC_KERNELS_LANES_H
#define HOIST_SRC_KERNELS_LANES_H

#include <math.h>
#include <string.h>

#include "base/reader.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define HOIST_RUN 16 // elements that kernels handle at a time: a row of a face, a block

// Elements of a vector of 32-bit lanes: of 64, 32 or 16 bytes.
#if defined(__AVX512F__)
#define HOIST_LANES 16
#elif defined(__AVX2__)
#define HOIST_LANES 8
#else
#define HOIST_LANES 4
#endif

// Vectors are passed in registers, whatever the ABI of the level says.
#define HOIST_LANES_INLINE static inline __attribute__((always_inline))

// Lanes as bits, as signed integers and as floats; casts between them change no bit.
typedef uint32_t hoist_u32s __attribute__((vector_size(4 * HOIST_LANES)));
typedef int32_t hoist_i32s __attribute__((vector_size(4 * HOIST_LANES)));
typedef float hoist_f32s __attribute__((vector_size(4 * HOIST_LANES)));

// Comparisons of vectors give lanes of all ones or zero. These choose by such a mask.
static inline hoist_u32s hoist_lanes_choose(hoist_i32s mask, hoist_u32s yes, hoist_u32s no)
{
    return (yes & (hoist_u32s)mask) | (no & ~(hoist_u32s)mask);
}
// `yes`, or zero.
static inline hoist_u32s hoist_lanes_keep(hoist_i32s mask, hoist_u32s yes)
{
    return yes & (hoist_u32s)mask;
}

static inline hoist_f32s hoist_lanes_choose_f32(hoist_i32s mask, hoist_f32s yes, hoist_f32s no)
{
    return (hoist_f32s)hoist_lanes_choose(mask, (hoist_u32s)yes, (hoist_u32s)no);
}
// True when a lane of `mask` is set.
static inline bool hoist_lanes_any(hoist_i32s mask)
{
    // Two lanes in a word.
    uint64_t part[HOIST_LANES / 2];
    memcpy(part, &mask, sizeof part);
    uint64_t any = part[0];
    for (size_t i = 1; i < HOIST_LANES / 2; i++) {
        any |= part[i];
    }
    return any != 0;
}

// Signed comparison, for want of an unsigned one before AVX-512: lanes below 2^31 only, here and in
// the next two.
static inline hoist_i32s hoist_lanes_less(hoist_u32s a, hoist_u32s b)
{
    return (hoist_i32s)a < (hoist_i32s)b;
}
// By one instruction where the level has it, else by comparison and choice.
static inline hoist_u32s hoist_lanes_min(hoist_u32s a, hoist_u32s b)
{
#if defined(__AVX512F__)
    return (hoist_u32s)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (hoist_u32s)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return hoist_lanes_choose(hoist_lanes_less(a, b), a, b);
#endif
}
// As the minimum, with the choice turned around.
static inline hoist_u32s hoist_lanes_max(hoist_u32s a, hoist_u32s b)
{
#if defined(__AVX512F__)
    return (hoist_u32s)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (hoist_u32s)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return hoist_lanes_choose(hoist_lanes_less(a, b), b, a);
#endif
}

// The same for lanes below 2^15, for which SSE2 has instructions.
static inline hoist_u32s hoist_lanes_min15(hoist_u32s a, hoist_u32s b)
{
#if defined(__SSE2__) && !defined(__AVX2__)
    return (hoist_u32s)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    return hoist_lanes_min(a, b);
#endif
}
static inline hoist_u32s hoist_lanes_max15(hoist_u32s a, hoist_u32s b)
{
#if defined(__SSE2__) && !defined(__AVX2__)
    return (hoist_u32s)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    return hoist_lanes_max(a, b);
#endif
}

// a >> shift, lane by lane, for a < 2^24 and shift < 32. SSE2 has no such shift; the float product
// is exact and its conversion truncates.
static inline hoist_u32s hoist_lanes_shift24(hoist_u32s a, hoist_u32s shift)
{
#if defined(__SSE2__) && !defined(__AVX2__)
    // 2^-shift, by its exponent.
    const hoist_f32s scale = (hoist_f32s)((127 - shift) << 23);
    const hoist_f32s value = __builtin_convertvector((hoist_i32s)a, hoist_f32s);
    return (hoist_u32s) __builtin_convertvector(value * scale, hoist_i32s);
#else
    return a >> shift;
#endif
}

// The compilers copy a number to all lanes when an operand is a vector.
static inline hoist_u32s hoist_lanes_all(uint32_t value)
{
    return value - (hoist_u32s){0};
}

// By bits: some compilers take a float in an expression for a double.
static inline hoist_f32s hoist_lanes_all_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (hoist_f32s)hoist_lanes_all(bits);
}
// Correctly rounded.
static inline hoist_f32s hoist_lanes_sqrt(hoist_f32s a)
{
#if defined(__AVX512F__)
    return (hoist_f32s)_mm512_sqrt_ps((__m512)a);
#elif defined(__AVX2__)
    return (hoist_f32s)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
    return (hoist_f32s)_mm_sqrt_ps((__m128)a);
#else
    for (size_t i = 0; i < HOIST_LANES; i++) {
        a[i] = sqrtf(a[i]);
    }
    return a;
#endif
}

// `a` where it is greater than `b`, else `b`: of equals, and when one is NaN.
static inline hoist_f32s hoist_lanes_greater_f32(hoist_f32s a, hoist_f32s b)
{
#if defined(__AVX512F__)
    return (hoist_f32s)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (hoist_f32s)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (hoist_f32s)_mm_max_ps((__m128)a, (__m128)b);
#else
    return hoist_lanes_choose_f32(a > b, a, b);
#endif
}
// `a` where it is less than `b`, else `b`.
static inline hoist_f32s hoist_lanes_lesser_f32(hoist_f32s a, hoist_f32s b)
{
#if defined(__AVX512F__)
    return (hoist_f32s)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (hoist_f32s)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (hoist_f32s)_mm_min_ps((__m128)a, (__m128)b);
#else
    return hoist_lanes_choose_f32(a < b, a, b);
#endif
}

// Lanes from and to the 32-bit elements `at`.. of an array.
static inline hoist_u32s hoist_lanes_load(const void *array, size_t at)
{
    hoist_u32s v;
    memcpy(&v, (const uint8_t *)array + 4 * at, sizeof v);
    return v;
}
static inline void hoist_lanes_store(void *array, size_t at, hoist_u32s v)
{
    memcpy((uint8_t *)array + 4 * at, &v, sizeof v);
}

// The same of floats.
static inline hoist_f32s hoist_lanes_load_f32(const float *array, size_t at)
{
    return (hoist_f32s)hoist_lanes_load(array, at);
}
// Unaligned, as all of these are.
static inline void hoist_lanes_store_f32(float *array, size_t at, hoist_f32s v)
{
    hoist_lanes_store(array, at, (hoist_u32s)v);
}

// Vectors of four, which every level has.
typedef uint32_t hoist_u32x4 __attribute__((vector_size(16)));
typedef int32_t hoist_i32x4 __attribute__((vector_size(16)));

// The greater of each pair of lanes.
static inline hoist_u32x4 hoist_lanes_max4(hoist_u32x4 a, hoist_u32x4 b)
{
    const hoist_i32x4 mask = (hoist_i32x4)a > (hoist_i32x4)b;
    return (a & (hoist_u32x4)mask) | (b & ~(hoist_u32x4)mask);
}

// Largest of all lanes. Parts of 4 first: the last four are cheap one by one.
static inline uint32_t hoist_lanes_largest(hoist_u32s v)
{
    hoist_u32x4 part[HOIST_LANES / 4];
    memcpy(part, &v, sizeof v);
    hoist_u32x4 most = part[0];
    for (size_t i = 1; i < HOIST_LANES / 4; i++) {
        most = hoist_lanes_max4(most, part[i]);
    }
    const uint32_t low = most[0] > most[1] ? most[0] : most[1];
    const uint32_t high = most[2] > most[3] ? most[2] : most[3];
    return low > high ? low : high;
}

// hoist_lanes_put16() and ..8() want lanes that fit; ..get..() clear the rest of the lane.
#if defined(__AVX512F__)

// AVX-512 has an instruction for each change of width.
static inline void hoist_lanes_put16(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16(_mm512_loadu_si512(v)));
}
static inline void hoist_lanes_put8(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8(_mm512_loadu_si512(v)));
}
static inline void hoist_lanes_get16(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)p);
    _mm512_storeu_si512(v, _mm512_cvtepu16_epi32(x));
}
// Sixteen bytes to as many lanes.
static inline void hoist_lanes_widen8(__m128i bytes, uint32_t v[HOIST_RUN])
{
    _mm512_storeu_si512(v, _mm512_cvtepu8_epi32(bytes));
}

// A vector of elements of 8 or 16 bits, and the low bits of lanes as such.
static inline hoist_u32s hoist_lanes_load16(const uint8_t *p)
{
    return (hoist_u32s)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
}
static inline hoist_u32s hoist_lanes_load8(const uint8_t *p)
{
    return (hoist_u32s)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline void hoist_lanes_store16(uint8_t *p, hoist_u32s v)
{
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16((__m512i)v));
}
static inline void hoist_lanes_store8(uint8_t *p, hoist_u32s v)
{
    _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8((__m512i)v));
}

#elif defined(__AVX2__)

// Lanes 0..15 as 16-bit numbers in order; the pack instruction works within 128-bit halves.
static inline __m256i hoist_lanes_words(const uint32_t v[HOIST_RUN])
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)v);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(v + 8));
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
}
static inline void hoist_lanes_put16(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    _mm256_storeu_si256((__m256i *)p, hoist_lanes_words(v));
}
static inline void hoist_lanes_put8(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    const __m256i words = hoist_lanes_words(v);
    // The halves are in order: bytes are packed from one into 16.
    const __m128i low = _mm256_castsi256_si128(words);
    const __m128i high = _mm256_extracti128_si256(words, 1);
    _mm_storeu_si128((__m128i *)p, _mm_packus_epi16(low, high));
}
static inline void hoist_lanes_get16(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    const __m128i low = _mm_loadu_si128((const __m128i *)p);
    const __m128i high = _mm_loadu_si128((const __m128i *)(p + 16));
    _mm256_storeu_si256((__m256i *)v, _mm256_cvtepu16_epi32(low));
    _mm256_storeu_si256((__m256i *)(v + 8), _mm256_cvtepu16_epi32(high));
}
static inline void hoist_lanes_widen8(__m128i bytes, uint32_t v[HOIST_RUN])
{
    _mm256_storeu_si256((__m256i *)v, _mm256_cvtepu8_epi32(bytes));
    _mm256_storeu_si256((__m256i *)(v + 8), _mm256_cvtepu8_epi32(_mm_srli_si128(bytes, 8)));
}

// Eight elements, as wide as this level's vectors.
static inline hoist_u32s hoist_lanes_load16(const uint8_t *p)
{
    return (hoist_u32s)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline hoist_u32s hoist_lanes_load8(const uint8_t *p)
{
    return (hoist_u32s)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
}
// Lanes below 2^16 as 16-bit numbers in order.
static inline __m128i hoist_lanes_shorten(hoist_u32s v)
{
    // Packing by halves of 128 bits, side by side afterwards.
    const __m256i both = (__m256i)v;
    return _mm_packus_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
}
static inline void hoist_lanes_store16(uint8_t *p, hoist_u32s v)
{
    _mm_storeu_si128((__m128i *)p, hoist_lanes_shorten(v & 0xffff));
}
static inline void hoist_lanes_store8(uint8_t *p, hoist_u32s v)
{
    const __m128i words = hoist_lanes_shorten(v & 0xff);
    // Eight bytes; the upper half of the packed vector is the same again.
    _mm_storel_epi64((__m128i *)p, _mm_packus_epi16(words, words));
}

#elif defined(__SSE2__)

// Eight lanes as 16-bit numbers. SSE2 packs signed numbers only, hence the sign extension.
static inline __m128i hoist_lanes_words(const uint32_t *v)
{
    const __m128i low = _mm_slli_epi32(_mm_loadu_si128((const __m128i *)v), 16);
    const __m128i high = _mm_slli_epi32(_mm_loadu_si128((const __m128i *)(v + 4)), 16);
    return _mm_packs_epi32(_mm_srai_epi32(low, 16), _mm_srai_epi32(high, 16));
}
static inline void hoist_lanes_put16(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    _mm_storeu_si128((__m128i *)p, hoist_lanes_words(v));
    _mm_storeu_si128((__m128i *)(p + 16), hoist_lanes_words(v + 8));
}
static inline void hoist_lanes_put8(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    const __m128i bytes = _mm_packus_epi16(hoist_lanes_words(v), hoist_lanes_words(v + 8));
    _mm_storeu_si128((__m128i *)p, bytes);
}
// Unsigned numbers get zeros above them.
static inline void hoist_lanes_widen16(__m128i words, uint32_t *v)
{
    const __m128i zero = _mm_setzero_si128();
    _mm_storeu_si128((__m128i *)v, _mm_unpacklo_epi16(words, zero));
    _mm_storeu_si128((__m128i *)(v + 4), _mm_unpackhi_epi16(words, zero));
}
static inline void hoist_lanes_get16(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    hoist_lanes_widen16(_mm_loadu_si128((const __m128i *)p), v);
    hoist_lanes_widen16(_mm_loadu_si128((const __m128i *)(p + 16)), v + 8);
}
static inline void hoist_lanes_widen8(__m128i bytes, uint32_t v[HOIST_RUN])
{
    const __m128i zero = _mm_setzero_si128();
    hoist_lanes_widen16(_mm_unpacklo_epi8(bytes, zero), v);
    hoist_lanes_widen16(_mm_unpackhi_epi8(bytes, zero), v + 8);
}

static inline hoist_u32s hoist_lanes_load16(const uint8_t *p)
{
    return (hoist_u32s)_mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i *)p), _mm_setzero_si128());
}
// Four bytes, by way of an integer.
static inline hoist_u32s hoist_lanes_load8(const uint8_t *p)
{
    // At any address.
    int32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    const __m128i zero = _mm_setzero_si128();
    const __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), zero);
    return (hoist_u32s)_mm_unpacklo_epi16(words, zero);
}
// Sign-extended first, as SSE2 packs signed numbers only.
static inline void hoist_lanes_store16(uint8_t *p, hoist_u32s v)
{
    const __m128i words = _mm_srai_epi32(_mm_slli_epi32((__m128i)v, 16), 16);
    _mm_storel_epi64((__m128i *)p, _mm_packs_epi32(words, words));
}
static inline void hoist_lanes_store8(uint8_t *p, hoist_u32s v)
{
    // Numbers below 256 are positive in 16 bits.
    const __m128i low = (__m128i)(v & 0xff);
    const __m128i words = _mm_packs_epi32(low, low);
    const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(p, &bytes, sizeof bytes);
}

#else

static inline void hoist_lanes_put16(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    // Other machines have plain loops, which compilers make vectors of where they can.
    for (size_t i = 0; i < HOIST_RUN; i++) {
        hoist_store_u16le(p + 2 * i, (uint16_t)(v[i] & 0xffff));
    }
}
static inline void hoist_lanes_put8(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        p[i] = (uint8_t)(v[i] & 0xff);
    }
}
static inline void hoist_lanes_get16(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = hoist_load_u16le(p + 2 * i);
    }
}
static inline void hoist_lanes_get8(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = p[i];
    }
}
// Without vectors: bytes of two words, first element lowest.
static inline void hoist_lanes_get8_words(uint64_t low, uint64_t high, uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN / 2; i++) {
        v[i] = (uint32_t)(low >> (8 * i)) & 0xff;
        v[i + 8] = (uint32_t)(high >> (8 * i)) & 0xff;
    }
}

static inline hoist_u32s hoist_lanes_load16(const uint8_t *p)
{
    hoist_u32s v;
    for (size_t i = 0; i < HOIST_LANES; i++) {
        v[i] = hoist_load_u16le(p + 2 * i);
    }
    return v;
}
static inline hoist_u32s hoist_lanes_load8(const uint8_t *p)
{
    hoist_u32s v;
    for (size_t i = 0; i < HOIST_LANES; i++) {
        v[i] = p[i];
    }
    return v;
}
static inline void hoist_lanes_store16(uint8_t *p, hoist_u32s v)
{
    for (size_t i = 0; i < HOIST_LANES; i++) {
        hoist_store_u16le(p + 2 * i, (uint16_t)(v[i] & 0xffff));
    }
}
static inline void hoist_lanes_store8(uint8_t *p, hoist_u32s v)
{
    for (size_t i = 0; i < HOIST_LANES; i++) {
        p[i] = (uint8_t)(v[i] & 0xff);
    }
}

#endif

#if defined(__SSE2__)

static inline void hoist_lanes_get8(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    hoist_lanes_widen8(_mm_loadu_si128((const __m128i *)p), v);
}
// The same from two words, first element lowest; through memory the two stores would have to
// leave the store buffer before a load of 16 bytes could see them.
static inline void hoist_lanes_get8_words(uint64_t low, uint64_t high, uint32_t v[HOIST_RUN])
{
    hoist_lanes_widen8(_mm_set_epi64x((int64_t)high, (int64_t)low), v);
}

#endif

// 32-bit elements and the words that sub-byte elements are moved in.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

// Little-endian: memory has what lanes have.
static inline void hoist_lanes_put32(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
        hoist_lanes_store(p, i, hoist_lanes_load(v, i));
    }
}
static inline void hoist_lanes_get32(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
        hoist_lanes_store(v, i, hoist_lanes_load(p, i));
    }
}
static inline hoist_u32s hoist_lanes_load32(const uint8_t *p)
{
    return hoist_lanes_load(p, 0);
}
static inline void hoist_lanes_store32(uint8_t *p, hoist_u32s v)
{
    hoist_lanes_store(p, 0, v);
}
// A word of sub-byte elements, first element lowest.
static inline uint64_t hoist_lanes_load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void hoist_lanes_store64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

#else

static inline void hoist_lanes_put32(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        // Big-endian machines turn each element around.
        hoist_store_u32le(p + 4 * i, v[i]);
    }
}
static inline void hoist_lanes_get32(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = hoist_load_u32le(p + 4 * i);
    }
}
static inline hoist_u32s hoist_lanes_load32(const uint8_t *p)
{
    hoist_u32s v;
    for (size_t i = 0; i < HOIST_LANES; i++) {
        v[i] = hoist_load_u32le(p + 4 * i);
    }
    return v;
}
static inline void hoist_lanes_store32(uint8_t *p, hoist_u32s v)
{
    for (size_t i = 0; i < HOIST_LANES; i++) {
        hoist_store_u32le(p + 4 * i, v[i]);
    }
}
static inline uint64_t hoist_lanes_load64(const uint8_t *p)
{
    return hoist_load_u64le(p);
}
static inline void hoist_lanes_store64(uint8_t *p, uint64_t v)
{
    hoist_store_u64le(p, v);
}

#endif

#endif // HOIST_SRC_KERNELS_LANES_H
