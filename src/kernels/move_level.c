// Conversions and folds of moves, compiled once per CPU level (kernels/level.h), in runs of 16
// elements. lanes_convert.h has the conversions.
#include "kernels/lanes_convert.h"
#include "kernels/level.h"
#include "kernels/move_rows.h"
#include "kernels/move_table.h"

#define INLINE HOIST_LANES_INLINE

// Rows of elements of 8, 16 or 32 bits. Elements of 32 bits are lanes already.
#if defined(HOIST_MOVE_ROWS)

// Rows of any length are fast with masks.
enum { WHOLE = 1 };

#define CONVERSIONS(name, width)                                                                   \
    INLINE __m512i name##_to_values(__m512i bits)                                                  \
    {                                                                                              \
        return (__m512i)hoist_lanes_of_##name((hoist_u32s)bits);                                   \
    }                                                                                              \
    INLINE __m512i name##_of_values(__m512i values)                                                \
    {                                                                                              \
        return (__m512i)hoist_lanes_to_##name((hoist_u32s)values);                                 \
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

// Else rows of whole runs are.
enum { WHOLE = HOIST_RUN };

typedef hoist_u32s lanes_fn(hoist_u32s u);

// A run of 16, by vectors of the level.
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
    // `from` and `to` are the sizes of elements.
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

// All rows of a tile; what converts a run is known after inlining.
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
        map_lanes(values, v, hoist_lanes_to_##name);                                               \
        hoist_lanes_put##width(elements, v);                                                       \
    }                                                                                              \
    INLINE void name##_read_run(const uint8_t *elements, uint8_t *values)                          \
    {                                                                                              \
        uint32_t v[HOIST_RUN];                                                                     \
        hoist_lanes_get##width(elements, v);                                                       \
        map_lanes(v, values, hoist_lanes_of_##name);                                               \
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

// A name and the bits of a stored element.
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

// What becomes of a sum and the next operand, and a factor that only some use.
INLINE hoist_f32s add_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)scale;
    return sum + next;
}
INLINE hoist_f32s fma_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    // Rounded before the sum: no fused multiply-add.
    const hoist_f32s product = scale * next;
    return sum + product;
}
INLINE hoist_f32s min_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)scale;
    // NaN of the next operand is taken; that of the sum stays, as no comparison with it is true.
    return hoist_lanes_choose_f32((next < sum) | (next != next), next, sum);
}
INLINE hoist_f32s max_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)scale;
    return hoist_lanes_choose_f32((next > sum) | (next != next), next, sum);
}
// The first operand of a sum of products has nothing to be added to.
INLINE hoist_f32s scale_lanes(hoist_f32s sum, hoist_f32s next, hoist_f32s scale)
{
    (void)sum;
    return scale * next;
}

// Goes over a line by vectors, to the end of the last one.
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

// NaN is the only number that differs from itself.
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
        // Flipped numbers compare as signed ones.
        const hoist_i32s less = (hoist_i32s)(b ^ flip) < (hoist_i32s)(a ^ flip);
        hoist_lanes_store(sum, i, hoist_lanes_choose(is_min ? less : ~less, b, a));
    }
}

// Least and greatest of both kinds of integers.
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
    fold_integers(sum, next, count, HOIST_F32_SIGN, true);
}
static void max_u32(uint32_t *sum, const uint32_t *next, size_t count)
{
    fold_integers(sum, next, count, HOIST_F32_SIGN, false);
}

// From move_tile_level.c of the same level.
extern hoist_move_tile_fn *const HOIST_LEVEL_NAME(hoist_move_tiles)[HOIST_MOVE_ELEMENT_SIZES];
extern hoist_move_blocks_fn HOIST_LEVEL_NAME(hoist_move_blocks);
extern hoist_move_blocks_fn HOIST_LEVEL_NAME(hoist_move_stream_blocks);
extern void HOIST_LEVEL_NAME(hoist_move_fence)(void);

// clang-format off
const hoist_move_kernels HOIST_LEVEL_NAME(hoist_move_kernels) = {
    // Types that have no entry go one by one.
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
