// kernels/move_squares.h - transposes of squares of elements in vectors, for the sources that are
// compiled once per CPU level.
#ifndef HOIST_SRC_KERNELS_MOVE_SQUARES_H
#define HOIST_SRC_KERNELS_MOVE_SQUARES_H

#include <string.h>

#include "kernels/lanes.h"

#define HOIST_SQUARES_INLINE static inline __attribute__((always_inline))

// Squares of n x n elements fill n vectors of 16 bytes; wider vectors are as many squares side by
// side as they have lanes of 16 bytes, within which the interleaving instructions work. Columns of
// the tile are side by side in the source, rows in the destination: lane k has columns k * n and
// on. Interleaving the first half of the vectors with the second, as often as n has binary digits,
// transposes the squares.
#define HOIST_SQUARES_OF(name, type, load, interleave, n, bits)                                    \
    HOIST_SQUARES_INLINE void name(const uint8_t *source, int64_t source_col,                      \
                                   uint8_t *destination, int64_t destination_row)                  \
    {                                                                                              \
        type a[n];                                                                                 \
        type b[n];                                                                                 \
        _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)                                     \
        {                                                                                          \
            a[i] = load(source + i * source_col, (n)*source_col);                                  \
        }                                                                                          \
        _Pragma("GCC unroll 4") for (int round = 1; round < (n); round *= 2)                       \
        {                                                                                          \
            _Pragma("GCC unroll 8") for (size_t i = 0; i < (n) / 2; i++)                           \
            {                                                                                      \
                b[2 * i] = interleave(lo, bits)(a[i], a[i + (n) / 2]);                             \
                b[2 * i + 1] = interleave(hi, bits)(a[i], a[i + (n) / 2]);                         \
            }                                                                                      \
            _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)                                 \
            {                                                                                      \
                a[i] = b[i];                                                                       \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)                                     \
        {                                                                                          \
            memcpy(destination + i * destination_row, &a[i], sizeof a[i]);                         \
        }                                                                                          \
    }

#if defined(__SSE2__)

// The instructions for one vector of 16 bytes, by half and element size.
#define HOIST_SQUARES_INTERLEAVE1(half, bits) _mm_unpack##half##_epi##bits
// One square beside the other is of wide vectors only: `step` says nothing here.
HOIST_SQUARES_INLINE __m128i hoist_squares_load1(const uint8_t *p, int64_t step)
{
    (void)step;
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
#define HOIST_SQUARES_TYPE1 __m128i

#else

// Without vector instructions: 16 bytes, interleaved one by one.
typedef struct hoist_squares_bytes16 {
    uint8_t byte[16];
} hoist_squares_bytes16;
#define HOIST_SQUARES_TYPE1 hoist_squares_bytes16
#define HOIST_SQUARES_INTERLEAVE1(half, bits) hoist_squares_##half##_##bits
#define HOIST_SQUARES_INTERLEAVE_BYTES(name, size, first)                                          \
    HOIST_SQUARES_INLINE hoist_squares_bytes16 name(hoist_squares_bytes16 a,                       \
                                                    hoist_squares_bytes16 b)                       \
    {                                                                                              \
        hoist_squares_bytes16 c;                                                                   \
        for (size_t i = 0; i < 16; i++) {                                                          \
            const size_t at = (first) + i / (2 * (size)) * (size) + i % (size);                    \
            c.byte[i] = i / (size) % 2 ? b.byte[at] : a.byte[at];                                  \
        }                                                                                          \
        return c;                                                                                  \
    }
// By element size in bytes, and the byte where the half begins.
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_lo_8, 1, 0)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_hi_8, 1, 8)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_lo_16, 2, 0)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_hi_16, 2, 8)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_lo_32, 4, 0)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_hi_32, 4, 8)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_lo_64, 8, 0)
HOIST_SQUARES_INTERLEAVE_BYTES(hoist_squares_hi_64, 8, 8)
HOIST_SQUARES_INLINE hoist_squares_bytes16 hoist_squares_load1(const uint8_t *p, int64_t step)
{
    hoist_squares_bytes16 v;
    (void)step;
    memcpy(&v, p, sizeof v);
    return v;
}

#endif

HOIST_SQUARES_OF(hoist_square8, HOIST_SQUARES_TYPE1, hoist_squares_load1, HOIST_SQUARES_INTERLEAVE1,
                 16, 8)
HOIST_SQUARES_OF(hoist_square16, HOIST_SQUARES_TYPE1, hoist_squares_load1,
                 HOIST_SQUARES_INTERLEAVE1, 8, 16)
HOIST_SQUARES_OF(hoist_square32, HOIST_SQUARES_TYPE1, hoist_squares_load1,
                 HOIST_SQUARES_INTERLEAVE1, 4, 32)
HOIST_SQUARES_OF(hoist_square64, HOIST_SQUARES_TYPE1, hoist_squares_load1,
                 HOIST_SQUARES_INTERLEAVE1, 2, 64)

// With vectors of 64 bytes transposes were no faster: more inserting, and half as many shuffles a
// cycle.
#if defined(__AVX2__)

enum { HOIST_SQUARES_WIDE = 2 };
#define HOIST_SQUARES_INTERLEAVE_WIDE(half, bits) _mm256_unpack##half##_epi##bits
#define HOIST_SQUARES_TYPE_WIDE __m256i
// Rows of two squares, `step` bytes apart.
HOIST_SQUARES_INLINE __m256i hoist_squares_load_wide(const uint8_t *p, int64_t step)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(hoist_squares_load1(p, 0)),
                                   hoist_squares_load1(p + step, 0), 1);
}

#else

enum { HOIST_SQUARES_WIDE = 1 };
#define HOIST_SQUARES_INTERLEAVE_WIDE HOIST_SQUARES_INTERLEAVE1
#define HOIST_SQUARES_TYPE_WIDE HOIST_SQUARES_TYPE1
#define hoist_squares_load_wide hoist_squares_load1

#endif

HOIST_SQUARES_OF(hoist_wide8, HOIST_SQUARES_TYPE_WIDE, hoist_squares_load_wide,
                 HOIST_SQUARES_INTERLEAVE_WIDE, 16, 8)
HOIST_SQUARES_OF(hoist_wide16, HOIST_SQUARES_TYPE_WIDE, hoist_squares_load_wide,
                 HOIST_SQUARES_INTERLEAVE_WIDE, 8, 16)
HOIST_SQUARES_OF(hoist_wide32, HOIST_SQUARES_TYPE_WIDE, hoist_squares_load_wide,
                 HOIST_SQUARES_INTERLEAVE_WIDE, 4, 32)
HOIST_SQUARES_OF(hoist_wide64, HOIST_SQUARES_TYPE_WIDE, hoist_squares_load_wide,
                 HOIST_SQUARES_INTERLEAVE_WIDE, 2, 64)

// Squares of 8 x 8 bytes: as many tiles of bytes are too narrow for 16.
#if defined(__SSE2__)

HOIST_SQUARES_INLINE __m128i hoist_squares_load_half(const uint8_t *p)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)p);
}

// Two rows of 8 bytes from one vector.
HOIST_SQUARES_INLINE void hoist_squares_store_halves(uint8_t *low, uint8_t *high, __m128i v)
{
    _mm_storel_epi64((__m128i *)(void *)low, v);
    _mm_storel_epi64((__m128i *)(void *)high, _mm_unpackhi_epi64(v, v));
}

HOIST_SQUARES_INLINE void hoist_half8(const uint8_t *source, int64_t source_col,
                                      uint8_t *destination, int64_t destination_row)
{
    __m128i a[4]; // columns i and i + 4
    for (int64_t i = 0; i < 4; i++) {
        a[i] = _mm_unpacklo_epi8(hoist_squares_load_half(source + i * source_col),
                                 hoist_squares_load_half(source + (i + 4) * source_col));
    }
    // Columns i and i + 4 are interleaved already: three rounds in all.
    const __m128i even_low = _mm_unpacklo_epi8(a[0], a[2]);
    const __m128i even_high = _mm_unpackhi_epi8(a[0], a[2]);
    const __m128i odd_low = _mm_unpacklo_epi8(a[1], a[3]);
    const __m128i odd_high = _mm_unpackhi_epi8(a[1], a[3]);
    const __m128i rows[4] = {
        _mm_unpacklo_epi8(even_low, odd_low), _mm_unpackhi_epi8(even_low, odd_low),
        _mm_unpacklo_epi8(even_high, odd_high), _mm_unpackhi_epi8(even_high, odd_high)};
    for (int64_t i = 0; i < 4; i++) {
        hoist_squares_store_halves(destination + 2 * i * destination_row,
                                   destination + (2 * i + 1) * destination_row, rows[i]);
    }
}

#else

HOIST_SQUARES_INLINE void hoist_half8(const uint8_t *source, int64_t source_col,
                                      uint8_t *destination, int64_t destination_row)
{
    for (int col = 0; col < 8; col++) {
        for (int row = 0; row < 8; row++) {
            destination[row * destination_row + col] = source[col * source_col + row];
        }
    }
}

#endif

// As many small squares side by side as a wide vector has.
HOIST_SQUARES_INLINE void hoist_wide_half8(const uint8_t *source, int64_t source_col,
                                           uint8_t *destination, int64_t destination_row)
{
    for (int64_t i = 0; i < HOIST_SQUARES_WIDE; i++) {
        hoist_half8(source + 8 * i * source_col, source_col, destination + 8 * i, destination_row);
    }
}

typedef void hoist_squares_fn(const uint8_t *source, int64_t source_col, uint8_t *destination,
                              int64_t destination_row);

// The squares of an element's size: `n` x `n`, and HOIST_SQUARES_WIDE of them.
typedef struct hoist_squares {
    hoist_squares_fn *one; // NULL: no vectors for this size
    hoist_squares_fn *wide;
    size_t n;    // elements of a side
    size_t size; // bytes of an element
} hoist_squares;

#endif // HOIST_SRC_KERNELS_MOVE_SQUARES_H
