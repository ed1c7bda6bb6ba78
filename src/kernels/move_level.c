// Conversions and folds of moves, compiled once per CPU level (kernels/level.h), in runs of 16
// elements. The definitions are those of tensor/convert.h under HOIST_ROUND_NEAREST.
//
// float32 arithmetic occurs where it is exact or rounds to nearest by itself: the environment's
// rounding mode must be that.
#include "kernels/lanes.h"
#include "kernels/level.h"
#include "kernels/move_rows.h"
#include "kernels/move_table.h"

#define INLINE static inline __attribute__((always_inline))

#define F32_SIGN 0x80000000u
#define F32_INFINITY 0x7f800000u
#define F32_MANTISSA 0x7fffffu

// A small float: `m` mantissa bits below `e` exponent bits. `fn`: no infinity, all ones is NaN.
typedef struct small_float {
    uint32_t e;
    uint32_t m;
    bool fn;
} small_float;

static const small_float f16_form = {5, 10, false};
static const small_float f8e5m2_form = {5, 2, false};
static const small_float f8e4m3_form = {4, 3, false};
static const small_float f8e4m3fn_form = {4, 3, true};
static const small_float f8e3m4_form = {3, 4, false};

INLINE hoist_f32s power_of_two(uint32_t exponent)
{
    return (hoist_f32s)hoist_lanes_all((127 + exponent) << 23);
}

// Denormals: adding a number whose last place is theirs rounds to it, ties to even.
INLINE hoist_u32s narrow(hoist_u32s u, small_float f)
{
    const uint32_t bias = (1u << (f.e - 1)) - 1;
    const uint32_t shift = 23 - f.m;
    const uint32_t top = ((1u << f.e) - 1) << f.m;
    const uint32_t worst = f.fn ? top | 7 : top; // what overflows
    const hoist_u32s magnitude = u & ~F32_SIGN;
    const hoist_u32s odd = (magnitude >> shift) & 1;
    const hoist_u32s normal =
        ((magnitude + ((1u << (shift - 1)) - 1) + odd) >> shift) - ((127 - bias) << f.m);
    const hoist_f32s last = power_of_two(24 - bias - f.m);
    const hoist_u32s small = (hoist_u32s)((hoist_f32s)magnitude + last) - (hoist_u32s)last;
    const hoist_i32s is_small = hoist_lanes_less(magnitude, hoist_lanes_all((128 - bias) << 23));
    const hoist_u32s fields =
        hoist_lanes_min(hoist_lanes_choose(is_small, small, normal), hoist_lanes_all(worst));
    const uint32_t quiet = f.fn ? worst : top | 1u << (f.m - 1);
    const hoist_u32s nan = ((magnitude & F32_MANTISSA) >> shift) | quiet;
    const hoist_i32s is_nan = hoist_lanes_less(hoist_lanes_all(F32_INFINITY), magnitude);
    return hoist_lanes_choose(is_nan, nan, fields) | u >> 31 << (f.e + f.m);
}

INLINE hoist_u32s widen(hoist_u32s bits, small_float f)
{
    const uint32_t bias = (1u << (f.e - 1)) - 1;
    const uint32_t top = ((1u << f.e) - 1) << f.m;
    const hoist_u32s magnitude = bits & ((1u << (f.e + f.m)) - 1);
    const hoist_u32s normal = (magnitude << (23 - f.m)) + ((127 - bias) << 23);
    const hoist_f32s count = __builtin_convertvector((hoist_i32s)magnitude, hoist_f32s);
    const hoist_u32s small = (hoist_u32s)(count * power_of_two(1 - bias - f.m));
    const hoist_i32s is_small = hoist_lanes_less(magnitude, hoist_lanes_all(1u << f.m));
    const hoist_i32s is_top =
        hoist_lanes_less(hoist_lanes_all((f.fn ? top | 7 : top) - 1), magnitude);
    const hoist_u32s special = ((magnitude & ((1u << f.m) - 1)) << (23 - f.m)) | F32_INFINITY;
    const hoist_u32s finite = hoist_lanes_choose(is_small, small, normal);
    return hoist_lanes_choose(is_top, special, finite) | bits >> (f.e + f.m) << 31;
}

#define SMALL_FLOAT(name)                                                                          \
    INLINE hoist_u32s name##_lanes(hoist_u32s u)                                                   \
    {                                                                                              \
        return narrow(u, name##_form);                                                             \
    }                                                                                              \
    INLINE hoist_u32s name##_value(hoist_u32s bits)                                                \
    {                                                                                              \
        return widen(bits, name##_form);                                                           \
    }

SMALL_FLOAT(f16)
SMALL_FLOAT(f8e5m2)
SMALL_FLOAT(f8e4m3)
SMALL_FLOAT(f8e4m3fn)
SMALL_FLOAT(f8e3m4)

INLINE hoist_u32s f32_lanes(hoist_u32s u)
{
    return u;
}

INLINE hoist_u32s bf16_lanes(hoist_u32s u)
{
    const hoist_u32s rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    const hoist_i32s is_nan = hoist_lanes_less(hoist_lanes_all(F32_INFINITY), u & ~F32_SIGN);
    return hoist_lanes_choose(is_nan, u >> 16 | 0x40, rounded);
}

INLINE hoist_u32s bf16_value(hoist_u32s bits)
{
    return bits << 16;
}

// Integers.

INLINE hoist_u32s without_nan(hoist_u32s u)
{
    return hoist_lanes_keep(~hoist_lanes_less(hoist_lanes_all(F32_INFINITY), u & ~F32_SIGN), u);
}

// Of up to 16 bits, from `least` to `most`. Adding 1.5 * 2^23 leaves the integer in the mantissa.
INLINE hoist_u32s short_lanes(hoist_u32s u, float least, float most, uint32_t mask)
{
    const hoist_f32s low = hoist_lanes_all_f32(least);
    const hoist_f32s high = hoist_lanes_all_f32(most);
    hoist_f32s x = (hoist_f32s)without_nan(u);
    x = hoist_lanes_choose_f32(x < low, low, x);
    x = hoist_lanes_choose_f32(x > high, high, x);
    const hoist_f32s large = hoist_lanes_all_f32(12582912.0F);
    return ((hoist_u32s)(x + large) - (hoist_u32s)large) & mask;
}

// The integer nearest to lanes of 0 to below 2^31.
INLINE hoist_u32s whole(hoist_f32s x)
{
    const hoist_f32s large = hoist_lanes_all_f32(8388608.0F); // 2^23: from there on all are whole
    const hoist_u32s rounded = (hoist_u32s)(x + large) - (hoist_u32s)large;
    const hoist_u32s exact = (hoist_u32s) __builtin_convertvector(x, hoist_i32s);
    return hoist_lanes_choose(x < large, rounded, exact);
}

INLINE hoist_u32s i32_lanes(hoist_u32s u)
{
    const hoist_u32s number = without_nan(u);
    const hoist_f32s magnitude = (hoist_f32s)(number & ~F32_SIGN);
    const hoist_i32s fits = magnitude < hoist_lanes_all_f32(2147483648.0F);
    const hoist_u32s integer = whole((hoist_f32s)hoist_lanes_keep(fits, (hoist_u32s)magnitude));
    const hoist_u32s minus = -(number >> 31);
    const hoist_u32s end = minus ^ 0x7fffffffu;
    return hoist_lanes_choose(fits, (integer ^ minus) - minus, end);
}

INLINE hoist_u32s u32_lanes(hoist_u32s u)
{
    const hoist_u32s number = without_nan(u);
    const hoist_f32s half = hoist_lanes_all_f32(2147483648.0F);
    const hoist_f32s x = (hoist_f32s)hoist_lanes_keep((hoist_i32s)number >= 0, number);
    const hoist_i32s fits = x < hoist_lanes_all_f32(4294967296.0F);
    const hoist_i32s is_high = x >= half;
    const hoist_f32s rest = hoist_lanes_choose_f32(is_high, x - half, x);
    const hoist_u32s integer = whole((hoist_f32s)hoist_lanes_keep(fits, (hoist_u32s)rest));
    return hoist_lanes_choose(fits, integer + hoist_lanes_keep(is_high, hoist_lanes_all(F32_SIGN)),
                              hoist_lanes_all(UINT32_MAX));
}

INLINE hoist_u32s i8_lanes(hoist_u32s u)
{
    return short_lanes(u, -128, 127, 0xff);
}
INLINE hoist_u32s u8_lanes(hoist_u32s u)
{
    return short_lanes(u, 0, 255, 0xff);
}
INLINE hoist_u32s i16_lanes(hoist_u32s u)
{
    return short_lanes(u, -32768, 32767, 0xffff);
}
INLINE hoist_u32s u16_lanes(hoist_u32s u)
{
    return short_lanes(u, 0, 65535, 0xffff);
}
INLINE hoist_u32s bool_lanes(hoist_u32s u)
{
    return hoist_lanes_keep((u & ~F32_SIGN) != 0, hoist_lanes_all(1));
}

INLINE hoist_u32s value_of(hoist_i32s integer)
{
    return (hoist_u32s) __builtin_convertvector(integer, hoist_f32s);
}
INLINE hoist_u32s i8_value(hoist_u32s bits)
{
    return value_of((hoist_i32s)(bits << 24) >> 24);
}
INLINE hoist_u32s u8_value(hoist_u32s bits)
{
    return value_of((hoist_i32s)bits);
}
INLINE hoist_u32s i16_value(hoist_u32s bits)
{
    return value_of((hoist_i32s)(bits << 16) >> 16);
}
INLINE hoist_u32s u16_value(hoist_u32s bits)
{
    return value_of((hoist_i32s)bits);
}
INLINE hoist_u32s i32_value(hoist_u32s bits)
{
    return value_of((hoist_i32s)bits);
}
// The low half is exact and the high one a multiple of 2^16: only their sum rounds.
INLINE hoist_u32s u32_value(hoist_u32s bits)
{
    const hoist_f32s high = (hoist_f32s)value_of((hoist_i32s)(bits >> 16));
    const hoist_f32s low = (hoist_f32s)value_of((hoist_i32s)(bits & 0xffff));
    return (hoist_u32s)(high * hoist_lanes_all_f32(65536.0F) + low);
}
INLINE hoist_u32s bool_value(hoist_u32s bits)
{
    return hoist_lanes_keep(bits != 0, hoist_lanes_all(0x3f800000));
}

// Rows of elements of 8, 16 or 32 bits. Elements of 32 bits are lanes already.
#if defined(HOIST_MOVE_ROWS)

enum { WHOLE = 1 };

#define CONVERSIONS(name, width)                                                                   \
    INLINE __m512i name##_to_values(__m512i bits)                                                  \
    {                                                                                              \
        return (__m512i)name##_value((hoist_u32s)bits);                                            \
    }                                                                                              \
    INLINE __m512i name##_of_values(__m512i values)                                                \
    {                                                                                              \
        return (__m512i)name##_lanes((hoist_u32s)values);                                          \
    }                                                                                              \
    static void read_##name(const hoist_move_tile *rows, bool streams)                             \
    {                                                                                              \
        hoist_rows_move(rows, streams,                                                             \
                        (hoist_rows_form){hoist_rows_load##width, name##_to_values,                \
                                          hoist_rows_store32, hoist_rows_stream32, HOIST_RUN,      \
                                          (width) / 8, sizeof(float)});                            \
    }                                                                                              \
    static void write_##name(const hoist_move_tile *rows, bool streams)                            \
    {                                                                                              \
        hoist_rows_move(rows, streams,                                                             \
                        (hoist_rows_form){hoist_rows_load32, name##_of_values,                     \
                                          hoist_rows_store##width, hoist_rows_stream##width,       \
                                          HOIST_RUN, sizeof(float), (width) / 8});                 \
    }

#else

enum { WHOLE = HOIST_RUN };

typedef hoist_u32s lanes_fn(hoist_u32s u);

INLINE void map_lanes(const void *in, void *out, lanes_fn *fn)
{
    for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
        hoist_lanes_store(out, i, fn(hoist_lanes_load(in, i)));
    }
}

typedef void run_fn(const uint8_t *in, uint8_t *out);

// Whole runs, then what is left through a run of zeros.
INLINE void convert_row(const uint8_t *source, uint8_t *destination, size_t count, size_t from,
                        size_t to, run_fn *run)
{
    for (; count >= HOIST_RUN; count -= HOIST_RUN) {
        run(source, destination);
        source += HOIST_RUN * from;
        destination += HOIST_RUN * to;
    }
    if (count) {
        uint8_t in[HOIST_RUN * sizeof(float)] = {0};
        uint8_t out[HOIST_RUN * sizeof(float)];
        memcpy(in, source, count * from);
        run(in, out);
        memcpy(destination, out, count * to);
    }
}

INLINE void convert_rows(const hoist_move_tile *t, size_t from, size_t to, run_fn *run)
{
    for (size_t plane = 0; plane < t->planes; plane++) {
        for (size_t row = 0; row < t->rows; row++) {
            convert_row(t->source + (int64_t)plane * t->source_plane + (int64_t)row * t->source_row,
                        t->destination + (int64_t)plane * t->destination_plane +
                            (int64_t)row * t->destination_row,
                        t->cols, from, to, run);
        }
    }
}

#define CONVERSIONS(name, width)                                                                   \
    INLINE void name##_write_run(const uint8_t *values, uint8_t *elements)                         \
    {                                                                                              \
        uint32_t v[HOIST_RUN];                                                                     \
        map_lanes(values, v, name##_lanes);                                                        \
        hoist_lanes_put##width(elements, v);                                                       \
    }                                                                                              \
    INLINE void name##_read_run(const uint8_t *elements, uint8_t *values)                          \
    {                                                                                              \
        uint32_t v[HOIST_RUN];                                                                     \
        hoist_lanes_get##width(elements, v);                                                       \
        map_lanes(v, values, name##_value);                                                        \
    }                                                                                              \
    static void read_##name(const hoist_move_tile *rows, bool streams)                             \
    {                                                                                              \
        (void)streams;                                                                             \
        convert_rows(rows, (width) / 8, sizeof(float), name##_read_run);                           \
    }                                                                                              \
    static void write_##name(const hoist_move_tile *rows, bool streams)                            \
    {                                                                                              \
        (void)streams;                                                                             \
        convert_rows(rows, sizeof(float), (width) / 8, name##_write_run);                          \
    }

#endif

#define f32_value f32_lanes
CONVERSIONS(f32, 32)
CONVERSIONS(bf16, 16)
CONVERSIONS(f16, 16)
CONVERSIONS(f8e5m2, 8)
CONVERSIONS(f8e4m3, 8)
CONVERSIONS(f8e4m3fn, 8)
CONVERSIONS(f8e3m4, 8)
CONVERSIONS(i8, 8)
CONVERSIONS(u8, 8)
CONVERSIONS(i16, 16)
CONVERSIONS(u16, 16)
CONVERSIONS(i32, 32)
CONVERSIONS(u32, 32)
CONVERSIONS(bool, 8)

// Folds. Lines are padded: they run to the end of the last vector.

INLINE hoist_f32s add_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)scale;
    return sum + next;
}
INLINE hoist_f32s fma_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    const hoist_f32s product = scale * next;
    return sum + product;
}
INLINE hoist_f32s min_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)scale;
    return hoist_lanes_choose_f32((next < sum) | (next != next), next, sum);
}
INLINE hoist_f32s max_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)scale;
    return hoist_lanes_choose_f32((next > sum) | (next != next), next, sum);
}
INLINE hoist_f32s scale_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)sum;
    return scale * next;
}

#define FOLD(name)                                                                                 \
    static void fold_##name(float *sum, const float *next, float scale, size_t count)              \
    {                                                                                              \
        const hoist_f32s factor = hoist_lanes_all_f32(scale);                                      \
        for (size_t i = 0; i < count; i += HOIST_LANES) {                                          \
            const hoist_f32s a = hoist_lanes_load_f32(sum, i);                                     \
            const hoist_f32s b = hoist_lanes_load_f32(next, i);                                    \
            hoist_lanes_store_f32(sum, i, name##_lanes(a, b, factor));                             \
        }                                                                                          \
    }

FOLD(add)
FOLD(fma)
FOLD(min)
FOLD(max)
FOLD(scale)

static void settle(float *sum, size_t count)
{
    for (size_t i = 0; i < count; i += HOIST_LANES) {
        const hoist_f32s a = hoist_lanes_load_f32(sum, i);
        const hoist_f32s nan = (hoist_f32s)hoist_lanes_all(0x7fc00000);
        hoist_lanes_store_f32(sum, i, hoist_lanes_choose_f32(a != a, nan, a));
    }
}

// `flip` moves the range of the type to that of signed numbers.
INLINE void fold_integers(uint32_t *sum, const uint32_t *next, size_t count, uint32_t flip,
                          bool is_min)
{
    for (size_t i = 0; i < count; i += HOIST_LANES) {
        const hoist_u32s a = hoist_lanes_load(sum, i);
        const hoist_u32s b = hoist_lanes_load(next, i);
        const hoist_i32s less = (hoist_i32s)(b ^ flip) < (hoist_i32s)(a ^ flip);
        hoist_lanes_store(sum, i, hoist_lanes_choose(is_min ? less : ~less, b, a));
    }
}

static void min_i32(uint32_t *sum, const uint32_t *next, size_t count)
{
    fold_integers(sum, next, count, 0, true);
}
static void max_i32(uint32_t *sum, const uint32_t *next, size_t count)
{
    fold_integers(sum, next, count, 0, false);
}
static void min_u32(uint32_t *sum, const uint32_t *next, size_t count)
{
    fold_integers(sum, next, count, F32_SIGN, true);
}
static void max_u32(uint32_t *sum, const uint32_t *next, size_t count)
{
    fold_integers(sum, next, count, F32_SIGN, false);
}

extern hoist_move_tile_fn *const HOIST_LEVEL_NAME(hoist_move_tiles)[HOIST_MOVE_ELEMENT_SIZES];
extern hoist_move_blocks_fn HOIST_LEVEL_NAME(hoist_move_blocks);
extern hoist_move_blocks_fn HOIST_LEVEL_NAME(hoist_move_stream_blocks);
extern void HOIST_LEVEL_NAME(hoist_move_fence)(void);

// clang-format off
const hoist_move_kernels HOIST_LEVEL_NAME(hoist_move_kernels) = {
    .to_f32 = {
        [HOIST_DTYPE_F32]       = read_f32,
        [HOIST_DTYPE_BF16]      = read_bf16,
        [HOIST_DTYPE_F16]       = read_f16,
        [HOIST_DTYPE_F8E5M2]    = read_f8e5m2,
        [HOIST_DTYPE_F8E4M3]    = read_f8e4m3,
        [HOIST_DTYPE_F8E4M3FN]  = read_f8e4m3fn,
        [HOIST_DTYPE_F8E3M4]    = read_f8e3m4,
        [HOIST_DTYPE_I8]        = read_i8,
        [HOIST_DTYPE_U8]        = read_u8,
        [HOIST_DTYPE_I16]       = read_i16,
        [HOIST_DTYPE_U16]       = read_u16,
        [HOIST_DTYPE_I32]       = read_i32,
        [HOIST_DTYPE_U32]       = read_u32,
        [HOIST_DTYPE_BOOL]      = read_bool,
    },
    .from_f32 = {
        [HOIST_DTYPE_F32]       = write_f32,
        [HOIST_DTYPE_BF16]      = write_bf16,
        [HOIST_DTYPE_F16]       = write_f16,
        [HOIST_DTYPE_F8E5M2]    = write_f8e5m2,
        [HOIST_DTYPE_F8E4M3]    = write_f8e4m3,
        [HOIST_DTYPE_F8E4M3FN]  = write_f8e4m3fn,
        [HOIST_DTYPE_F8E3M4]    = write_f8e3m4,
        [HOIST_DTYPE_I8]        = write_i8,
        [HOIST_DTYPE_U8]        = write_u8,
        [HOIST_DTYPE_I16]       = write_i16,
        [HOIST_DTYPE_U16]       = write_u16,
        [HOIST_DTYPE_I32]       = write_i32,
        [HOIST_DTYPE_U32]       = write_u32,
        [HOIST_DTYPE_BOOL]      = write_bool,
    },
    .whole = WHOLE,
    .fold = {
        [HOIST_KERNEL_FMA] = fold_fma,
        [HOIST_KERNEL_ADD] = fold_add,
        [HOIST_KERNEL_MIN] = fold_min,
        [HOIST_KERNEL_MAX] = fold_max,
    },
    .scale = fold_scale,
    .fold_i32 = {min_i32, max_i32},
    .fold_u32 = {min_u32, max_u32},
    .settle = settle,
    .tile = HOIST_LEVEL_NAME(hoist_move_tiles),
    .blocks = HOIST_LEVEL_NAME(hoist_move_blocks),
    .stream = HOIST_LEVEL_NAME(hoist_move_stream_blocks),
    .fence = HOIST_LEVEL_NAME(hoist_move_fence),
};
// clang-format on
