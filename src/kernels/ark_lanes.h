// kernels/ark_lanes.h - how rows of the profile ark have elements of each type in vectors: the bits
// of float32, or integers extended to 32 bits; stored as ops/compute_ark.h defines it.
#ifndef HOIST_SRC_KERNELS_ARK_LANES_H
#define HOIST_SRC_KERNELS_ARK_LANES_H

#include "kernels/lanes_convert.h"

// How elements of one type are read, written, and rounded between.
typedef hoist_u32s hoist_ark_load_fn(const uint8_t *p);
typedef void hoist_ark_store_fn(uint8_t *p, hoist_u32s values);
typedef hoist_u32s hoist_ark_round_fn(hoist_u32s values);

typedef struct hoist_ark_form {
    size_t size; // of an element, bytes
    hoist_ark_load_fn *load;
    hoist_ark_load_fn *all; // the element at `p` in all lanes
    hoist_ark_store_fn *store;
    hoist_ark_round_fn *round; // what is stored and loaded again
} hoist_ark_form;

#define HOIST_ARK_FORM(type)                                                                       \
    ((hoist_ark_form){hoist_ark_size_##type, hoist_ark_load_##type, hoist_ark_all_##type,          \
                      hoist_ark_store_##type, hoist_ark_round_##type})

enum {
    // Bytes of an element, by names that the macro puts together.
    hoist_ark_size_f32 = 4,
    hoist_ark_size_f16 = 2,
    hoist_ark_size_bf16 = 2,
    hoist_ark_size_i32 = 4,
    hoist_ark_size_u32 = 4,
    hoist_ark_size_i8 = 1,
    hoist_ark_size_u8 = 1,
};

// Floats: every NaN becomes the one that the profile stores.
HOIST_LANES_INLINE hoist_u32s hoist_ark_settle_lanes(hoist_u32s values)
{
    const hoist_u32s nan = hoist_lanes_all(0x7fc00000);
#if defined(__AVX512F__)
    const __m512 x = (__m512)values;
    return (hoist_u32s)_mm512_mask_mov_ps((__m512)nan, _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x);
#elif defined(__AVX2__)
    const __m256 x = (__m256)values;
    return (hoist_u32s)_mm256_blendv_ps((__m256)nan, x, _mm256_cmp_ps(x, x, _CMP_ORD_Q));
#else
    const hoist_f32s x = (hoist_f32s)values;
    return hoist_lanes_choose(x == x, values, nan);
#endif
}

// Float32 is in memory as in lanes.
HOIST_LANES_INLINE hoist_u32s hoist_ark_load_f32(const uint8_t *p)
{
    return hoist_lanes_load32(p);
}
HOIST_LANES_INLINE hoist_u32s hoist_ark_all_f32(const uint8_t *p)
{
    return hoist_lanes_all(hoist_load_u32le(p));
}
HOIST_LANES_INLINE void hoist_ark_store_f32(uint8_t *p, hoist_u32s values)
{
    hoist_lanes_store32(p, hoist_ark_settle_lanes(values));
}
// It is stored as it is, and loses nothing.
HOIST_LANES_INLINE hoist_u32s hoist_ark_round_f32(hoist_u32s values)
{
    return values;
}

// NaN is settled, so that its bits need no care.
HOIST_LANES_INLINE hoist_u32s hoist_ark_narrow_bf16(hoist_u32s values)
{
    const hoist_u32s u = hoist_ark_settle_lanes(values);
    return u + 0x7fff + ((u >> 16) & 1);
}
// Bfloat16 is the upper half of float32.
HOIST_LANES_INLINE hoist_u32s hoist_ark_load_bf16(const uint8_t *p)
{
    return hoist_lanes_load16(p) << 16;
}
HOIST_LANES_INLINE hoist_u32s hoist_ark_all_bf16(const uint8_t *p)
{
    return hoist_lanes_all((uint32_t)hoist_load_u16le(p) << 16);
}
HOIST_LANES_INLINE void hoist_ark_store_bf16(uint8_t *p, hoist_u32s values)
{
    hoist_lanes_store16(p, hoist_ark_narrow_bf16(values) >> 16);
}
// What is stored and loaded again, without memory between.
HOIST_LANES_INLINE hoist_u32s hoist_ark_round_bf16(hoist_u32s values)
{
    return hoist_ark_narrow_bf16(values) & 0xffff0000;
}

#if defined(__AVX512F__)
// Under a mask, since gcc's macro of the same without one does not compile with our warnings.
HOIST_LANES_INLINE __m256i hoist_ark_shorten(__m512 values)
{
    return _mm512_maskz_cvtps_ph(0xffff, values, _MM_FROUND_TO_NEAREST_INT);
}
#endif

// The instructions differ from lanes_convert.h in NaNs alone.
HOIST_LANES_INLINE hoist_u32s hoist_ark_load_f16(const uint8_t *p)
{
#if defined(__AVX512F__)
    return (hoist_u32s)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
#elif defined(__F16C__) && defined(__AVX2__)
    return (hoist_u32s)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
#else
    return hoist_lanes_of_f16(hoist_lanes_load16(p));
#endif
}
HOIST_LANES_INLINE hoist_u32s hoist_ark_all_f16(const uint8_t *p)
{
#if defined(__AVX512F__)
    return (hoist_u32s)_mm512_cvtph_ps(_mm256_set1_epi16((short)hoist_load_u16le(p)));
#elif defined(__F16C__) && defined(__AVX2__)
    return (hoist_u32s)_mm256_cvtph_ps(_mm_set1_epi16((short)hoist_load_u16le(p)));
#else
    return hoist_lanes_of_f16(hoist_lanes_all(hoist_load_u16le(p)));
#endif
}
HOIST_LANES_INLINE void hoist_ark_store_f16(uint8_t *p, hoist_u32s values)
{
    const hoist_u32s u = hoist_ark_settle_lanes(values);
#if defined(__AVX512F__)
    // Half as many bytes as the vector has.
    _mm256_storeu_si256((__m256i *)p, hoist_ark_shorten((__m512)u));
#elif defined(__F16C__) && defined(__AVX2__)
    _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph((__m256)u, _MM_FROUND_TO_NEAREST_INT));
#else
    hoist_lanes_store16(p, hoist_lanes_to_f16(u));
#endif
}
HOIST_LANES_INLINE hoist_u32s hoist_ark_round_f16(hoist_u32s values)
{
#if defined(__AVX512F__)
    return (hoist_u32s)_mm512_cvtph_ps(hoist_ark_shorten((__m512)values));
#elif defined(__F16C__) && defined(__AVX2__)
    return (hoist_u32s)_mm256_cvtph_ps(_mm256_cvtps_ph((__m256)values, _MM_FROUND_TO_NEAREST_INT));
#else
    return hoist_lanes_of_f16(hoist_lanes_to_f16(values));
#endif
}

// Integers: the low bits are stored.
#define HOIST_ARK_INTEGER(type, width, first, lanes)                                               \
    HOIST_LANES_INLINE hoist_u32s hoist_ark_load_##type(const uint8_t *p)                          \
    {                                                                                              \
        const hoist_u32s values = hoist_lanes_load##width(p);                                      \
        return lanes;                                                                              \
    }                                                                                              \
    HOIST_LANES_INLINE hoist_u32s hoist_ark_all_##type(const uint8_t *p)                           \
    {                                                                                              \
        const hoist_u32s values = hoist_lanes_all(first);                                          \
        return lanes;                                                                              \
    }                                                                                              \
    HOIST_LANES_INLINE void hoist_ark_store_##type(uint8_t *p, hoist_u32s values)                  \
    {                                                                                              \
        hoist_lanes_store##width(p, values);                                                       \
    }                                                                                              \
    HOIST_LANES_INLINE hoist_u32s hoist_ark_round_##type(hoist_u32s values)                        \
    {                                                                                              \
        return lanes;                                                                              \
    }

// Signed numbers are shifted to the top and back, which copies the sign.
HOIST_ARK_INTEGER(i32, 32, hoist_load_u32le(p), values)
HOIST_ARK_INTEGER(u32, 32, hoist_load_u32le(p), values)
HOIST_ARK_INTEGER(i8, 8, *p, (hoist_u32s)((hoist_i32s)(values << 24) >> 24))
HOIST_ARK_INTEGER(u8, 8, *p, values & 0xff)

#endif // HOIST_SRC_KERNELS_ARK_LANES_H
