// Tile kernels, compiled once per CPU level (kernels/level.h). Every function handles runs of 16
// elements in vectors of the level's width;
// constants (mantissa width, bias) and functions passed as arguments are known after inlining.
// Rules: buda-ops reference section 2; the definitions are in tensor/.
#include "kernels/lanes.h"
#include "kernels/level.h"
#include "kernels/pack_table.h"

// Bytes of a run of elements of `bits` bits.
#define RUN_BYTES(bits) ((size_t)HOIST_RUN * (size_t)(bits) / 8)

#define INLINE static inline __attribute__((always_inline))

#define F32_SIGN 0x80000000u
#define F32_MANTISSA 0x7fffffu
#define HIDDEN_ONE 0x800000u // above the mantissa of a normal number, not stored
#define A_REBIAS 112         // float32's exponent bias less that of the A formats

// 16 floats in a row, to or from `data`.
typedef void pack_run_fn(const float *row, uint8_t *exponent, uint8_t *data);
typedef void unpack_run_fn(uint8_t exponent, const uint8_t *data, float *row);

// The runs of a tile in their order: faces from left to right, rows of a face downwards.
INLINE void pack_runs(const hoist_pack_tile *tile, const float *rows, uint8_t *exponents,
                      uint8_t *data, size_t run_bytes, pack_run_fn *run)
{
    for (size_t y = 0; y < tile->height; y += tile->face_height) {
        for (size_t x = 0; x < tile->width; x += HOIST_RUN) {
            for (size_t i = 0; i < tile->face_height; i++) {
                run(rows + (y + i) * tile->stride + x, exponents, data);
                exponents++;
                data += run_bytes;
            }
        }
    }
}

// The same order for reading; the exponents advance with the runs, one each.
INLINE void unpack_runs(const hoist_pack_tile *tile, const uint8_t *exponents, const uint8_t *data,
                        float *rows, size_t run_bytes, unpack_run_fn *run)
{
    for (size_t y = 0; y < tile->height; y += tile->face_height) {
        for (size_t x = 0; x < tile->width; x += HOIST_RUN) {
            for (size_t i = 0; i < tile->face_height; i++) {
                run(*exponents, data, rows + (y + i) * tile->stride + x);
                exponents++;
                data += run_bytes;
            }
        }
    }
}

// Applies `fn` to 16 elements of 32 bits, a vector at a time. The vectors go straight to and from
// the floats: through an array gcc would copy by 16 bytes, and wider loads of what was stored in
// parts wait for the store buffer.
typedef hoist_u32s lanes_fn(hoist_u32s u);

INLINE void map_lanes(const void *in, void *out, lanes_fn *fn)
{
    for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
        hoist_lanes_store(out, i, fn(hoist_lanes_load(in, i)));
    }
}

// What `fn` makes of a tile element by element. Without the packed form between, a tensor of bf16
// that the caches do not hold takes half the time.
INLINE void round_rows(const hoist_pack_tile *tile, const float *rows, float *to, size_t to_stride,
                       lanes_fn *fn)
{
    for (size_t y = 0; y < tile->height; y++) {
        for (size_t x = 0; x < tile->width; x += HOIST_RUN) {
            map_lanes(rows + y * tile->stride + x, to + y * to_stride + x, fn);
        }
    }
}

// One function per element type and direction, on lanes of uint32_t.

// Elements of 32 bits are lanes already.
INLINE hoist_u32s copy_lanes(hoist_u32s u)
{
    return u;
}

// The lowest 13 bits are cut off.
INLINE hoist_u32s tf32_lanes(hoist_u32s u)
{
    return u & 0xffffe000u;
}

INLINE hoist_u32s bf16_lanes(hoist_u32s u)
{
    return u >> 16;
}

INLINE hoist_u32s bf16_float_lanes(hoist_u32s bits)
{
    return bits << 16;
}

INLINE hoist_u32s raw16_lanes(hoist_u32s u)
{
    return u & 0xffff;
}

INLINE hoist_u32s raw8_lanes(hoist_u32s u)
{
    return u & 0xff;
}

// Small floats without Inf, NaN and denormals: `m` mantissa bits, a bias `rebias` less than
// float32's, `width` bits in all.
INLINE hoist_u32s small_lanes(hoist_u32s u, uint32_t m, uint32_t rebias, uint32_t width)
{
    const hoist_u32s magnitude = u & ~F32_SIGN;
    const hoist_u32s least = hoist_lanes_all((rebias + 1) << 23);
    const hoist_u32s most = hoist_lanes_all((1u << (width - 1)) - 1);
    // Exponent and mantissa together, moved to the smaller bias.
    const hoist_u32s fields = (magnitude >> (23 - m)) - (rebias << m);
    const hoist_u32s kept =
        hoist_lanes_keep(~hoist_lanes_less(magnitude, least), hoist_lanes_min(fields, most));
    return kept | u >> 31 << (width - 1);
}

// The reverse. With exponent 0 nothing is added to it: the mantissa is that of a float32 denormal.
INLINE hoist_u32s small_float_lanes(hoist_u32s bits, uint32_t m, uint32_t rebias, uint32_t width)
{
    const hoist_u32s fields = bits & ((1u << (width - 1)) - 1);
    const hoist_i32s normal = ~hoist_lanes_less(fields, hoist_lanes_all(1u << m));
    const hoist_u32s shift = hoist_lanes_keep(normal, hoist_lanes_all(rebias << 23));
    return ((fields << (23 - m)) + shift) | bits >> (width - 1) << 31;
}

INLINE hoist_u32s f16_lanes(hoist_u32s u)
{
    return small_lanes(u, 10, A_REBIAS, 16);
}

INLINE hoist_u32s f16_float_lanes(hoist_u32s bits)
{
    return small_float_lanes(bits, 10, A_REBIAS, 16);
}

INLINE hoist_u32s lf8_lanes(hoist_u32s u)
{
    return small_lanes(u, 2, A_REBIAS, 8);
}

INLINE hoist_u32s lf8_float_lanes(hoist_u32s bits)
{
    return small_float_lanes(bits, 2, A_REBIAS, 8);
}

// The exponent bias of e4m3 is 7: 120 less than float32's.
INLINE hoist_u32s e4m3_float_lanes(hoist_u32s bits)
{
    return small_float_lanes(bits, 3, 120, 8);
}

// Sign-magnitude bytes. Positive floats compare as integers do, so a NaN becomes 127, too. Twice
// the value is exact, so this rounds halves up without adding 0.5.
INLINE hoist_u32s i8_lanes(hoist_u32s u)
{
    const hoist_u32s most = hoist_lanes_all(0x42fe0000); // 127.0
    const hoist_f32s a = (hoist_f32s)hoist_lanes_min(u & ~F32_SIGN, most);
    const hoist_u32s twice = (hoist_u32s) __builtin_convertvector(a + a, hoist_i32s);
    const hoist_u32s magnitude = (twice + 1) >> 1;
    return magnitude | hoist_lanes_keep(magnitude != 0, u >> 31 << 7);
}

INLINE hoist_u32s i8_float_lanes(hoist_u32s bits)
{
    // All ones where the sign is set.
    const hoist_u32s minus = -(bits >> 7);
    const hoist_u32s value = ((bits & 0x7f) ^ minus) - minus;
    return (hoist_u32s) __builtin_convertvector((hoist_i32s)value, hoist_f32s);
}

// Block floats: `m` mantissa bits; `a_format`: 5-bit exponents.

// Magnitude of a float on the block's scale. A formats clamp it to their exponents, 112 to 143
// (0 to 31 in a tile), with no mantissa below and a full one above.
INLINE hoist_u32s block_magnitudes(hoist_u32s u, bool a_format)
{
    const hoist_u32s magnitude = u & ~F32_SIGN;
    if (!a_format) {
        return magnitude;
    }
    const hoist_u32s raised = hoist_lanes_max(magnitude, hoist_lanes_all(A_REBIAS << 23));
    return hoist_lanes_min(raised, hoist_lanes_all(((A_REBIAS + 32) << 23) - 1));
}

// Elements on the scale of their block: shifted right by how much smaller they are, and rounded.
INLINE hoist_u32s block_datums(hoist_u32s u, uint32_t exponent, uint32_t m, bool a_format,
                               bool truncate)
{
    const hoist_u32s value = block_magnitudes(u, a_format);
    const hoist_u32s distance = hoist_lanes_all(exponent) - (value >> 23);
    const hoist_u32s shift = hoist_lanes_min15(distance, hoist_lanes_all(31)); // 24 bits: gives 0
    const hoist_u32s shifted = hoist_lanes_shift24((value & F32_MANTISSA) | HIDDEN_ONE, shift);
    const hoist_u32s rounded = (shifted + (truncate ? 0 : 1u << (23 - m))) >> (24 - m);
    // Rounding up may not reach the next power of two: the block's exponent stays.
    const hoist_u32s kept = hoist_lanes_min15(rounded, hoist_lanes_all((1u << m) - 1));
    const hoist_u32s magnitude = hoist_lanes_keep((u & ~F32_SIGN) != 0, kept);
    return magnitude | hoist_lanes_keep(magnitude != 0, u >> 31 << m);
}

// The largest exponent of 16 numbers, and each of them on its scale.
INLINE void block_run(const float *row, uint8_t *exponent, uint32_t q[HOIST_RUN], uint32_t m,
                      bool a_format, bool truncate)
{
    hoist_u32s most = hoist_lanes_all(0);
    for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
        most = hoist_lanes_max15(most, (hoist_lanes_load(row, i) & ~F32_SIGN) >> 23);
    }
    uint32_t largest = hoist_lanes_largest(most);
    if (a_format) {
        largest = largest < A_REBIAS ? A_REBIAS : largest;
        largest = largest > A_REBIAS + 31 ? A_REBIAS + 31 : largest;
    }
    *exponent = (uint8_t)(largest - (a_format ? A_REBIAS : 0));
    for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
        const hoist_u32s u = hoist_lanes_load(row, i);
        hoist_lanes_store(q, i, block_datums(u, largest, m, a_format, truncate));
    }
}

// Moves the low 4 (or 2) bits of 8 bytes together, first byte lowest.
INLINE uint64_t squeeze4(uint64_t x)
{
    // Neighbours move together, then pairs of them, then four.
    x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
    x = (x | x >> 8) & 0x0000ffff0000ffffu;
    return (x | x >> 16) & 0xffffffffu;
}

INLINE uint64_t squeeze2(uint64_t x)
{
    x = (x | x >> 6) & 0x000f000f000f000fu;
    x = (x | x >> 12) & 0x000000ff000000ffu;
    return (x | x >> 24) & 0xffffu;
}

// The opposite: 4 (or 2) bits to each of 8 bytes.
INLINE uint64_t spread4(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    return (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
}

INLINE uint64_t spread2(uint64_t x)
{
    x = (x | x << 24) & 0x000000ff000000ffu;
    x = (x | x << 12) & 0x000f000f000f000fu;
    return (x | x << 6) & 0x0303030303030303u;
}

// 16 elements as bytes, or squeezed to 4 or 2 bits each.
INLINE void store_datums(const uint32_t q[HOIST_RUN], uint8_t *data, uint32_t bits)
{
    if (bits == 8) {
        hoist_lanes_put8(data, q);
        return;
    }
    // As bytes first; the bits that count are at their lower ends.
    uint8_t bytes[HOIST_RUN];
    hoist_lanes_put8(bytes, q);
    const uint64_t low = hoist_lanes_load64(bytes);
    const uint64_t high = hoist_lanes_load64(bytes + 8);
    if (bits == 4) {
        hoist_lanes_store64(data, squeeze4(low) | squeeze4(high) << 32);
        return;
    }
    hoist_store_u32le(data, (uint32_t)(squeeze2(low) | squeeze2(high) << 16));
}

// The reverse of store_datums().
INLINE void load_datums(const uint8_t *data, uint32_t q[HOIST_RUN], uint32_t bits)
{
    if (bits == 8) {
        hoist_lanes_get8(data, q);
        return;
    }
    if (bits == 4) {
        const uint64_t x = hoist_lanes_load64(data);
        hoist_lanes_get8_words(spread4(x & 0xffffffffu), spread4(x >> 32), q);
        return;
    }
    const uint64_t x = hoist_load_u32le(data);
    hoist_lanes_get8_words(spread2(x & 0xffffu), spread2(x >> 16), q);
}

// The conversion of the mantissa to float normalises it; what is left is to move its exponent.
INLINE hoist_u32s block_float_lanes(hoist_u32s q, uint32_t exponent, uint32_t m, bool a_format)
{
    // Exponents of A formats have 5 bits and a bias of their own.
    const int32_t shared = (int32_t)(a_format ? (exponent & 31) + A_REBIAS : exponent);
    const int32_t move = shared - 127 - (int32_t)(m - 1);
    const hoist_u32s magnitude = q & ((1u << m) - 1);
    const hoist_u32s normal =
        (hoist_u32s) __builtin_convertvector((hoist_i32s)magnitude, hoist_f32s);
    const hoist_u32s moved = normal + ((uint32_t)move << 23);
    // Too small for float32: only B formats, and only in bytes that no encoder wrote.
    const hoist_i32s fits = ~((hoist_i32s)((normal >> 23) + (uint32_t)move) < 0);
    return hoist_lanes_keep(fits & (magnitude != 0), moved) | q >> m << 31;
}

#define PACK_TILE(name, run_bytes)                                                                 \
    static void name(const hoist_pack_tile *tile, const float *rows, uint8_t *exponents,           \
                     uint8_t *data)                                                                \
    {                                                                                              \
        pack_runs(tile, rows, exponents, data, run_bytes, name##_run);                             \
    }

#define UNPACK_TILE(name, run_bytes)                                                               \
    static void name(const hoist_pack_tile *tile, const uint8_t *exponents, const uint8_t *data,   \
                     float *rows)                                                                  \
    {                                                                                              \
        unpack_runs(tile, exponents, data, rows, run_bytes, name##_run);                           \
    }

// Tile kernels of a type whose elements are packed one by one into `width` bits.
#define PACK_ELEMENTS(name, width, fn)                                                             \
    INLINE void name##_run(const float *row, uint8_t *exponent, uint8_t *data)                     \
    {                                                                                              \
        (void)exponent;                                                                            \
        uint32_t v[HOIST_RUN];                                                                     \
        map_lanes(row, v, fn);                                                                     \
        hoist_lanes_put##width(data, v);                                                           \
    }                                                                                              \
    PACK_TILE(name, RUN_BYTES(width))

#define UNPACK_ELEMENTS(name, width, fn)                                                           \
    INLINE void name##_run(uint8_t exponent, const uint8_t *data, float *row)                      \
    {                                                                                              \
        (void)exponent;                                                                            \
        uint32_t v[HOIST_RUN];                                                                     \
        hoist_lanes_get##width(data, v);                                                           \
        map_lanes(v, row, fn);                                                                     \
    }                                                                                              \
    UNPACK_TILE(name, RUN_BYTES(width))

// Both one after the other.
#define ROUND_ELEMENTS(name, pack, unpack)                                                         \
    INLINE hoist_u32s name##_lanes(hoist_u32s u)                                                   \
    {                                                                                              \
        return unpack(pack(u));                                                                    \
    }                                                                                              \
    static void name(const hoist_pack_tile *tile, const float *rows, float *to, size_t to_stride)  \
    {                                                                                              \
        round_rows(tile, rows, to, to_stride, name##_lanes);                                       \
    }

// Tile kernels of a block float with `m` mantissa bits.
#define PACK_BLOCKS(name, m, a_format, truncate)                                                   \
    INLINE void name##_run(const float *row, uint8_t *exponent, uint8_t *data)                     \
    {                                                                                              \
        uint32_t q[HOIST_RUN];                                                                     \
        block_run(row, exponent, q, m, a_format, truncate);                                        \
        store_datums(q, data, (m) + 1);                                                            \
    }                                                                                              \
    PACK_TILE(name, RUN_BYTES((m) + 1))

#define UNPACK_BLOCKS(name, m, a_format)                                                           \
    INLINE void name##_run(uint8_t exponent, const uint8_t *data, float *row)                      \
    {                                                                                              \
        uint32_t q[HOIST_RUN];                                                                     \
        load_datums(data, q, (m) + 1);                                                             \
        for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {                                      \
            const hoist_u32s x = hoist_lanes_load(q, i);                                           \
            hoist_lanes_store(row, i, block_float_lanes(x, exponent, m, a_format));                \
        }                                                                                          \
    }                                                                                              \
    UNPACK_TILE(name, RUN_BYTES((m) + 1))

// A name, the bits of an element, and what lanes become.
PACK_ELEMENTS(pack_32, 32, copy_lanes)
UNPACK_ELEMENTS(unpack_32, 32, copy_lanes)
PACK_ELEMENTS(pack_tf32, 32, tf32_lanes)
PACK_ELEMENTS(pack_bf16, 16, bf16_lanes)
UNPACK_ELEMENTS(unpack_bf16, 16, bf16_float_lanes)
PACK_ELEMENTS(pack_raw16, 16, raw16_lanes)
UNPACK_ELEMENTS(unpack_raw16, 16, copy_lanes)
PACK_ELEMENTS(pack_raw8, 8, raw8_lanes)
UNPACK_ELEMENTS(unpack_raw8, 8, copy_lanes)
PACK_ELEMENTS(pack_f16, 16, f16_lanes)
UNPACK_ELEMENTS(unpack_f16, 16, f16_float_lanes)
PACK_ELEMENTS(pack_lf8, 8, lf8_lanes)
UNPACK_ELEMENTS(unpack_lf8, 8, lf8_float_lanes)
UNPACK_ELEMENTS(unpack_e4m3, 8, e4m3_float_lanes)
PACK_ELEMENTS(pack_i8, 8, i8_lanes)
UNPACK_ELEMENTS(unpack_i8, 8, i8_float_lanes)
ROUND_ELEMENTS(round_32, copy_lanes, copy_lanes)
ROUND_ELEMENTS(round_tf32, tf32_lanes, copy_lanes)
ROUND_ELEMENTS(round_bf16, bf16_lanes, bf16_float_lanes)
ROUND_ELEMENTS(round_raw16, raw16_lanes, copy_lanes)
ROUND_ELEMENTS(round_raw8, raw8_lanes, copy_lanes)
ROUND_ELEMENTS(round_f16, f16_lanes, f16_float_lanes)
ROUND_ELEMENTS(round_lf8, lf8_lanes, lf8_float_lanes)
ROUND_ELEMENTS(round_e4m3, lf8_lanes, e4m3_float_lanes)
ROUND_ELEMENTS(round_i8, i8_lanes, i8_float_lanes)
// Mantissa bits, whether the exponent has 5 bits, and whether mantissas are cut off.
PACK_BLOCKS(pack_bfp8a, 7, true, false)
PACK_BLOCKS(truncate_bfp8a, 7, true, true)
UNPACK_BLOCKS(unpack_bfp8a, 7, true)
PACK_BLOCKS(pack_bfp8b, 7, false, false)
PACK_BLOCKS(truncate_bfp8b, 7, false, true)
UNPACK_BLOCKS(unpack_bfp8b, 7, false)
PACK_BLOCKS(pack_bfp4a, 3, true, false)
PACK_BLOCKS(truncate_bfp4a, 3, true, true)
UNPACK_BLOCKS(unpack_bfp4a, 3, true)
PACK_BLOCKS(pack_bfp4b, 3, false, false)
PACK_BLOCKS(truncate_bfp4b, 3, false, true)
UNPACK_BLOCKS(unpack_bfp4b, 3, false)
PACK_BLOCKS(pack_bfp2a, 1, true, false)
PACK_BLOCKS(truncate_bfp2a, 1, true, true)
UNPACK_BLOCKS(unpack_bfp2a, 1, true)
PACK_BLOCKS(pack_bfp2b, 1, false, false)
PACK_BLOCKS(truncate_bfp2b, 1, false, true)
UNPACK_BLOCKS(unpack_bfp2b, 1, false)

// clang-format off
const hoist_pack_kernels HOIST_LEVEL_NAME(hoist_pack_kernels) = {
    .level = HOIST_LEVEL,
    .row = {
        [HOIST_DTYPE_F32]       = {pack_32,    NULL,           unpack_32,    round_32   },
        [HOIST_DTYPE_TF32]      = {pack_tf32,  NULL,           unpack_32,    round_tf32 },
        [HOIST_DTYPE_BF16]      = {pack_bf16,  NULL,           unpack_bf16,  round_bf16 },
        [HOIST_DTYPE_TT_F16]    = {pack_f16,   NULL,           unpack_f16,   round_f16  },
        [HOIST_DTYPE_TT_LF8]    = {pack_lf8,   NULL,           unpack_lf8,   round_lf8  },
        // Packing e4m3 tiles really emits Lf8 bits: see hoist_tile_encode().
        [HOIST_DTYPE_TT_F8E4M3] = {pack_lf8,   NULL,           unpack_e4m3,  round_e4m3 },
        [HOIST_DTYPE_TT_I8]     = {pack_i8,    NULL,           unpack_i8,    round_i8   },
        [HOIST_DTYPE_TT_RAW8]   = {pack_raw8,  NULL,           unpack_raw8,  round_raw8 },
        [HOIST_DTYPE_TT_RAW16]  = {pack_raw16, NULL,           unpack_raw16, round_raw16},
        [HOIST_DTYPE_TT_RAW32]  = {pack_32,    NULL,           unpack_32,    round_32   },
        [HOIST_DTYPE_TT_BFP8A]  = {pack_bfp8a, truncate_bfp8a, unpack_bfp8a, NULL       },
        [HOIST_DTYPE_TT_BFP8B]  = {pack_bfp8b, truncate_bfp8b, unpack_bfp8b, NULL       },
        [HOIST_DTYPE_TT_BFP4A]  = {pack_bfp4a, truncate_bfp4a, unpack_bfp4a, NULL       },
        [HOIST_DTYPE_TT_BFP4B]  = {pack_bfp4b, truncate_bfp4b, unpack_bfp4b, NULL       },
        [HOIST_DTYPE_TT_BFP2A]  = {pack_bfp2a, truncate_bfp2a, unpack_bfp2a, NULL       },
        [HOIST_DTYPE_TT_BFP2B]  = {pack_bfp2b, truncate_bfp2b, unpack_bfp2b, NULL       },
    },
};
// clang-format on
