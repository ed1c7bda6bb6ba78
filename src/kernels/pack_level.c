// Tile kernels, compiled once per CPU level: HOIST_PACK_LEVEL and HOIST_PACK_TABLE name the level
// and the table. Every function handles runs of 16 elements with plain loops over fixed-size
// arrays, which gcc and clang turn into vector code; constants (mantissa width, bias) are known
// after inlining. Rules: buda-ops reference section 2; the definitions are in tensor/.
#include "kernels/le.h"
#include "kernels/pack_table.h"

#define INLINE static inline __attribute__((always_inline))

#define F32_SIGN 0x80000000u
#define F32_MANTISSA 0x7fffffu
#define HIDDEN_ONE 0x800000u
#define A_REBIAS 112 // float32's exponent bias less that of the A formats

typedef void pack_run_fn(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data);
typedef void unpack_run_fn(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN]);

INLINE void pack_runs(const hoist_pack_tile *tile, const float *rows, uint8_t *exponents,
                      uint8_t *data, size_t run_bytes, pack_run_fn *run)
{
    for (size_t y = 0; y < tile->height; y += tile->face_height) {
        for (size_t x = 0; x < tile->width; x += HOIST_RUN) {
            for (size_t i = 0; i < tile->face_height; i++) {
                uint32_t u[HOIST_RUN];
                memcpy(u, rows + (y + i) * tile->stride + x, sizeof u);
                run(u, exponents, data);
                exponents++;
                data += run_bytes;
            }
        }
    }
}

INLINE void unpack_runs(const hoist_pack_tile *tile, const uint8_t *exponents, const uint8_t *data,
                        float *rows, size_t run_bytes, unpack_run_fn *run)
{
    for (size_t y = 0; y < tile->height; y += tile->face_height) {
        for (size_t x = 0; x < tile->width; x += HOIST_RUN) {
            for (size_t i = 0; i < tile->face_height; i++) {
                uint32_t u[HOIST_RUN];
                run(*exponents, data, u);
                memcpy(rows + (y + i) * tile->stride + x, u, sizeof u);
                exponents++;
                data += run_bytes;
            }
        }
    }
}

// 32 bits.

INLINE void pack32_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    hoist_le_put32(data, u);
}

INLINE void unpack32_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    hoist_le_get32(data, u);
}

INLINE void pack_tf32_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    uint32_t v[HOIST_RUN];
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = u[i] & 0xffffe000u;
    }
    hoist_le_put32(data, v);
}

// bfloat16 and raw.

INLINE void pack_bf16_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    uint16_t v[HOIST_RUN];
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = (uint16_t)(u[i] >> 16);
    }
    hoist_le_put16(data, v);
}

INLINE void unpack_bf16_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    uint16_t v[HOIST_RUN];
    hoist_le_get16(data, v);
    for (size_t i = 0; i < HOIST_RUN; i++) {
        u[i] = (uint32_t)v[i] << 16;
    }
}

INLINE void pack_raw16_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    uint16_t v[HOIST_RUN];
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = (uint16_t)(u[i] & 0xffff);
    }
    hoist_le_put16(data, v);
}

INLINE void unpack_raw16_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    uint16_t v[HOIST_RUN];
    hoist_le_get16(data, v);
    for (size_t i = 0; i < HOIST_RUN; i++) {
        u[i] = v[i];
    }
}

INLINE void pack_raw8_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        data[i] = (uint8_t)(u[i] & 0xff);
    }
}

INLINE void unpack_raw8_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        u[i] = data[i];
    }
}

// Small floats without Inf, NaN and denormals: `m` mantissa bits, float32's bias less `rebias`,
// `width` bits in all.

INLINE uint32_t small_float(uint32_t u, uint32_t m, uint32_t rebias, uint32_t width)
{
    const uint32_t most = (1u << (width - 1)) - 1;
    const uint32_t magnitude = u & ~F32_SIGN;
    const uint32_t least = (rebias + 1) << 23;
    const uint32_t fields = (magnitude >> (23 - m)) - (rebias << m);
    const uint32_t kept = fields > most ? most : fields;
    return (magnitude < least ? 0 : kept) | (u >> 31) << (width - 1);
}

INLINE uint32_t small_float_bits(uint32_t bits, uint32_t m, uint32_t rebias, uint32_t width)
{
    const uint32_t fields = bits & ((1u << (width - 1)) - 1);
    const uint32_t shift = fields >> m ? rebias << 23 : 0;
    return ((fields << (23 - m)) + shift) | (bits >> (width - 1)) << 31;
}

INLINE void pack_f16_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    uint16_t v[HOIST_RUN];
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = (uint16_t)small_float(u[i], 10, A_REBIAS, 16);
    }
    hoist_le_put16(data, v);
}

INLINE void unpack_f16_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    uint16_t v[HOIST_RUN];
    hoist_le_get16(data, v);
    for (size_t i = 0; i < HOIST_RUN; i++) {
        u[i] = small_float_bits(v[i], 10, A_REBIAS, 16);
    }
}

INLINE void pack_lf8_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        data[i] = (uint8_t)small_float(u[i], 2, A_REBIAS, 8);
    }
}

INLINE void unpack_lf8_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        u[i] = small_float_bits(data[i], 2, A_REBIAS, 8);
    }
}

INLINE void unpack_e4m3_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        u[i] = small_float_bits(data[i], 3, 120, 8);
    }
}

// Sign-magnitude bytes.

INLINE void pack_i8_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        const uint32_t bits = u[i] & ~F32_SIGN;
        float a;
        memcpy(&a, &bits, sizeof a);
        a = a < 127.0f ? a : 127.0f; // a NaN becomes 127
        // Twice the value is exact, so this rounds halves up without adding 0.5.
        const int32_t magnitude = ((int32_t)(a + a) + 1) >> 1;
        const uint32_t sign = magnitude ? u[i] >> 31 << 7 : 0;
        data[i] = (uint8_t)(sign | (uint32_t)magnitude);
    }
}

INLINE void unpack_i8_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])
{
    (void)exponent;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        const int32_t magnitude = data[i] & 0x7f;
        const float value = (float)(data[i] & 0x80 ? -magnitude : magnitude);
        memcpy(&u[i], &value, sizeof value);
    }
}

// Block floats: `m` mantissa bits; `a_format`: 5-bit exponents.

// The value's exponent on the block's scale, 0..31 in A formats.
INLINE int32_t block_exponent(uint32_t u, bool a_format)
{
    const int32_t e = (int32_t)((u >> 23) & 0xff) - (a_format ? A_REBIAS : 0);
    const int32_t most = a_format ? 31 : 255;
    return e < 0 ? 0 : e > most ? most : e;
}

// The mantissa with its hidden one; A formats have no mantissa beyond their exponent range.
INLINE uint32_t block_mantissa(uint32_t u, bool a_format)
{
    const int32_t e = (int32_t)((u >> 23) & 0xff) - A_REBIAS;
    const uint32_t mantissa = u & F32_MANTISSA;
    if (!a_format) {
        return HIDDEN_ONE | mantissa;
    }
    return HIDDEN_ONE | (e > 31 ? F32_MANTISSA : e < 0 ? 0 : mantissa);
}

INLINE void block_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t q[HOIST_RUN],
                      uint32_t m, bool a_format, bool truncate)
{
    int32_t largest = 0;
    for (size_t i = 0; i < HOIST_RUN; i++) {
        const int32_t e = block_exponent(u[i], a_format);
        largest = e > largest ? e : largest;
    }
    *exponent = (uint8_t)largest;
    const uint32_t most = (1u << m) - 1;
    const uint32_t half = truncate ? 0 : 1u << (23 - m);
    for (size_t i = 0; i < HOIST_RUN; i++) {
        const uint32_t shift = (uint32_t)(largest - block_exponent(u[i], a_format));
        const uint32_t mantissa = block_mantissa(u[i], a_format);
        const uint32_t shifted = shift > 31 ? 0 : mantissa >> (shift & 31);
        const uint32_t rounded = (shifted + half) >> (24 - m);
        const uint32_t kept = rounded > most ? most : rounded;
        const uint32_t magnitude = u[i] & ~F32_SIGN ? kept : 0;
        const uint32_t sign = magnitude ? u[i] >> 31 << m : 0;
        q[i] = (uint8_t)(sign | magnitude);
    }
}

// Moves the low 4 (or 2) bits of 8 bytes together, first byte lowest.
INLINE uint64_t squeeze4(uint64_t x)
{
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

INLINE void store_datums(const uint8_t q[HOIST_RUN], uint8_t *data, uint32_t bits)
{
    if (bits == 8) {
        memcpy(data, q, HOIST_RUN);
        return;
    }
    const uint64_t low = hoist_le_load64(q);
    const uint64_t high = hoist_le_load64(q + 8);
    if (bits == 4) {
        hoist_le_store64(data, squeeze4(low) | squeeze4(high) << 32);
        return;
    }
    hoist_store_u32le(data, (uint32_t)(squeeze2(low) | squeeze2(high) << 16));
}

INLINE void load_datums(const uint8_t *data, uint8_t q[HOIST_RUN], uint32_t bits)
{
    if (bits == 8) {
        memcpy(q, data, HOIST_RUN);
        return;
    }
    if (bits == 4) {
        const uint64_t x = hoist_le_load64(data);
        hoist_le_store64(q, spread4(x & 0xffffffffu));
        hoist_le_store64(q + 8, spread4(x >> 32));
        return;
    }
    const uint64_t x = hoist_load_u32le(data);
    hoist_le_store64(q, spread2(x & 0xffffu));
    hoist_le_store64(q + 8, spread2(x >> 16));
}

// The conversion of the mantissa to float normalises it; what is left is to move its exponent.
INLINE void block_bits(uint8_t exponent, const uint8_t q[HOIST_RUN], uint32_t u[HOIST_RUN],
                       uint32_t m, bool a_format)
{
    const int32_t shared = a_format ? (exponent & 31) + A_REBIAS : exponent;
    const int32_t move = shared - 127 - (int32_t)(m - 1);
    for (size_t i = 0; i < HOIST_RUN; i++) {
        const int32_t magnitude = q[i] & ((1 << m) - 1);
        const float normal = (float)magnitude;
        int32_t bits;
        memcpy(&bits, &normal, sizeof bits);
        const bool small = (bits >> 23) + move < 0;
        const uint32_t moved = (uint32_t)bits + ((uint32_t)move << 23);
        u[i] = (magnitude == 0 || small ? 0 : moved) | (uint32_t)(q[i] >> m) << 31;
    }
}

#define BLOCK_KERNELS(name, m, a_format)                                                           \
    INLINE void pack_##name##_run(const uint32_t u[HOIST_RUN], uint8_t *exponent, uint8_t *data)   \
    {                                                                                              \
        uint8_t q[HOIST_RUN];                                                                      \
        block_run(u, exponent, q, m, a_format, false);                                             \
        store_datums(q, data, (m) + 1);                                                            \
    }                                                                                              \
    INLINE void truncate_##name##_run(const uint32_t u[HOIST_RUN], uint8_t *exponent,              \
                                      uint8_t *data)                                               \
    {                                                                                              \
        uint8_t q[HOIST_RUN];                                                                      \
        block_run(u, exponent, q, m, a_format, true);                                              \
        store_datums(q, data, (m) + 1);                                                            \
    }                                                                                              \
    INLINE void unpack_##name##_run(uint8_t exponent, const uint8_t *data, uint32_t u[HOIST_RUN])  \
    {                                                                                              \
        uint8_t q[HOIST_RUN];                                                                      \
        load_datums(data, q, (m) + 1);                                                             \
        block_bits(exponent, q, u, m, a_format);                                                   \
    }                                                                                              \
    PACK_TILE(pack_##name, 2 * ((m) + 1))                                                          \
    PACK_TILE(truncate_##name, 2 * ((m) + 1))                                                      \
    UNPACK_TILE(unpack_##name, 2 * ((m) + 1))

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

PACK_TILE(pack32, 64)
UNPACK_TILE(unpack32, 64)
PACK_TILE(pack_tf32, 64)
PACK_TILE(pack_bf16, 32)
UNPACK_TILE(unpack_bf16, 32)
PACK_TILE(pack_raw16, 32)
UNPACK_TILE(unpack_raw16, 32)
PACK_TILE(pack_raw8, 16)
UNPACK_TILE(unpack_raw8, 16)
PACK_TILE(pack_f16, 32)
UNPACK_TILE(unpack_f16, 32)
PACK_TILE(pack_lf8, 16)
UNPACK_TILE(unpack_lf8, 16)
UNPACK_TILE(unpack_e4m3, 16)
PACK_TILE(pack_i8, 16)
UNPACK_TILE(unpack_i8, 16)
BLOCK_KERNELS(bfp8a, 7, true)
BLOCK_KERNELS(bfp8b, 7, false)
BLOCK_KERNELS(bfp4a, 3, true)
BLOCK_KERNELS(bfp4b, 3, false)
BLOCK_KERNELS(bfp2a, 1, true)
BLOCK_KERNELS(bfp2b, 1, false)

// clang-format off
const hoist_pack_kernels HOIST_PACK_TABLE = {
    .level = HOIST_PACK_LEVEL,
    .row = {
        [HOIST_DTYPE_F32]       = {pack32,     NULL,           unpack32    },
        [HOIST_DTYPE_TF32]      = {pack_tf32,  NULL,           unpack32    },
        [HOIST_DTYPE_BF16]      = {pack_bf16,  NULL,           unpack_bf16 },
        [HOIST_DTYPE_TT_F16]    = {pack_f16,   NULL,           unpack_f16  },
        [HOIST_DTYPE_TT_LF8]    = {pack_lf8,   NULL,           unpack_lf8  },
        // Packing e4m3 tiles really emits Lf8 bits: see hoist_tile_encode().
        [HOIST_DTYPE_TT_F8E4M3] = {pack_lf8,   NULL,           unpack_e4m3 },
        [HOIST_DTYPE_TT_I8]     = {pack_i8,    NULL,           unpack_i8   },
        [HOIST_DTYPE_TT_RAW8]   = {pack_raw8,  NULL,           unpack_raw8 },
        [HOIST_DTYPE_TT_RAW16]  = {pack_raw16, NULL,           unpack_raw16},
        [HOIST_DTYPE_TT_RAW32]  = {pack32,     NULL,           unpack32    },
        [HOIST_DTYPE_TT_BFP8A]  = {pack_bfp8a, truncate_bfp8a, unpack_bfp8a},
        [HOIST_DTYPE_TT_BFP8B]  = {pack_bfp8b, truncate_bfp8b, unpack_bfp8b},
        [HOIST_DTYPE_TT_BFP4A]  = {pack_bfp4a, truncate_bfp4a, unpack_bfp4a},
        [HOIST_DTYPE_TT_BFP4B]  = {pack_bfp4b, truncate_bfp4b, unpack_bfp4b},
        [HOIST_DTYPE_TT_BFP2A]  = {pack_bfp2a, truncate_bfp2a, unpack_bfp2a},
        [HOIST_DTYPE_TT_BFP2B]  = {pack_bfp2b, truncate_bfp2b, unpack_bfp2b},
    },
};
// clang-format on
