// Rows of ops/compute_ark.h that go element by element, in vectors: a line of the operands
// (ark_walk.h) is loaded as ark_lanes.h has its type, computed by the function of the row, and
// stored. ark_math.h has exp, sigmoid and gelu; ark_reduce_level.c, ark_product_level.c and
// ark_embedding.c have the other rows.
#include "base/assert.h"
#include "kernels/ark_lanes.h"
#include "kernels/ark_math.h"
#include "kernels/ark_walk.h"
#include "kernels/elements.h"
#include "kernels/level.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_ark_level_group);

#define INLINE HOIST_LANES_INLINE
#define FIRST HOIST_ARK_ADD // of the rows

// Lines -----------------------------------------------------------------------------------------

typedef void line_fn(const hoist_compute_line *l);

// Results from the operands; of one input `b` has no meaning. `form` is the operands'.
typedef hoist_u32s lanes_fn(hoist_u32s a, hoist_u32s b, hoist_ark_form form);

// The vector at `p`, `count` elements of which are there.
INLINE hoist_u32s load_part(const uint8_t *p, size_t count, hoist_ark_form form)
{
    uint8_t part[sizeof(hoist_u32s)] = {0};
    memcpy(part, p, count * form.size);
    return form.load(part);
}

// Elements from number `i` on, less than a vector of them.
INLINE void end_line(const hoist_compute_line *l, size_t i, size_t inputs, hoist_ark_form from,
                     hoist_ark_form to, lanes_fn *fn)
{
    uint8_t part[sizeof(hoist_u32s)];
    const size_t left = l->count - i;
    hoist_u32s x[2];
    for (size_t k = 0; k < inputs; k++) {
        x[k] =
            l->step[k] == 0 ? from.all(l->at[k]) : load_part(l->at[k] + i * from.size, left, from);
    }
    to.store(part, fn(x[0], x[inputs - 1], from));
    memcpy(l->at[inputs] + i * to.size, part, left * to.size);
}

// Whole vectors, then what is left of the line through a part of one.
//
// An element that stands for all is in a register: copies of it in memory would be read before the
// stores that make them are done.
INLINE void do_line(const hoist_compute_line *l, size_t inputs, hoist_ark_form from,
                    hoist_ark_form to, lanes_fn *fn)
{
    const uint8_t *const at_a = l->at[0];
    const uint8_t *const at_b = l->at[inputs - 1];
    uint8_t *const at_y = l->at[inputs];
    const bool one_a = l->step[0] == 0;
    const bool one_b = l->step[inputs - 1] == 0;
    const hoist_u32s all_a = from.all(at_a);
    const hoist_u32s all_b = from.all(at_b);
    const size_t end = l->count - l->count % HOIST_LANES;
    size_t i = 0;
    for (; i < end; i += HOIST_LANES) {
        const hoist_u32s a = one_a ? all_a : from.load(at_a + i * from.size);
        const hoist_u32s b = one_b ? all_b : from.load(at_b + i * from.size);
        to.store(at_y + i * to.size, fn(a, b, from));
    }
    if (i < l->count) {
        end_line(l, i, inputs, from, to, fn);
    }
}

// Arithmetic ------------------------------------------------------------------------------------

// Functions of two operands as floats, the operation written with `a` and `b`.
#define TWO_FLOATS(name, result)                                                                   \
    INLINE hoist_u32s name(hoist_u32s first, hoist_u32s second, hoist_ark_form form)               \
    {                                                                                              \
        (void)form;                                                                                \
        const hoist_f32s a = (hoist_f32s)first;                                                    \
        const hoist_f32s b = (hoist_f32s)second;                                                   \
        return (hoist_u32s)(result);                                                               \
    }

TWO_FLOATS(add_floats, a + b)
TWO_FLOATS(subtract_floats, a - b)
TWO_FLOATS(multiply_floats, (a * b))
TWO_FLOATS(divide_floats, a / b)

// The same of integers, modulo 2^32: the low bits are right whatever the sign.
#define TWO_INTEGERS(name, result)                                                                 \
    INLINE hoist_u32s name(hoist_u32s a, hoist_u32s b, hoist_ark_form form)                        \
    {                                                                                              \
        (void)form;                                                                                \
        return result;                                                                             \
    }

TWO_INTEGERS(add_integers, a + b)
TWO_INTEGERS(subtract_integers, a - b)
TWO_INTEGERS(multiply_integers, (a * b))

// No CPU divides vectors of integers.
#define QUOTIENTS(name, type)                                                                      \
    INLINE hoist_u32s name(hoist_u32s a, hoist_u32s b, hoist_ark_form form)                        \
    {                                                                                              \
        (void)form;                                                                                \
        for (size_t i = 0; i < HOIST_LANES; i++) {                                                 \
            const int64_t over = (type)a[i];                                                       \
            const int64_t under = (type)b[i];                                                      \
            a[i] = under == 0 ? 0 : (uint32_t)(over / under);                                      \
        }                                                                                          \
        return a;                                                                                  \
    }

QUOTIENTS(divide_signed, int32_t)
QUOTIENTS(divide_unsigned, uint32_t)

// Functions of one operand, whose bits are `a`.
#define ONE(name, result)                                                                          \
    INLINE hoist_u32s name(hoist_u32s a, hoist_u32s b, hoist_ark_form form)                        \
    {                                                                                              \
        (void)b;                                                                                   \
        (void)form;                                                                                \
        return (hoist_u32s)(result);                                                               \
    }

ONE(same, a)
ONE(positive, hoist_lanes_keep((hoist_i32s)a > 0, a)) // of integers, and of floats but NaN
ONE(relu_floats, hoist_lanes_keep((hoist_f32s)a > 0, a))
ONE(square_root, hoist_lanes_sqrt((hoist_f32s)a))
ONE(inverse_root, hoist_lanes_all_f32(1) / hoist_lanes_sqrt((hoist_f32s)a))
ONE(exponential, hoist_ark_exp((hoist_f32s)a))
ONE(gelu, hoist_ark_gelu((hoist_f32s)a))
ONE(sigmoid, hoist_ark_sigmoid((hoist_f32s)a))

// The lanes of each pair exchanged.
INLINE hoist_u32s swap_pairs(hoist_u32s x)
{
    typedef uint64_t pairs __attribute__((vector_size(4 * HOIST_LANES)));
    return (hoist_u32s)((pairs)x << 32 | (pairs)x >> 32);
}

// (x0 * y0 - x1 * y1, x0 * y1 + x1 * y0); a line has complete pairs.
INLINE hoist_u32s rotate(hoist_u32s x, hoist_u32s y, hoist_ark_form form)
{
    const hoist_f32s straight = (hoist_f32s)form.round((hoist_u32s)((hoist_f32s)x * (hoist_f32s)y));
    const hoist_f32s across =
        (hoist_f32s)form.round((hoist_u32s)((hoist_f32s)x * (hoist_f32s)swap_pairs(y)));
    const hoist_f32s first = straight - (hoist_f32s)swap_pairs((hoist_u32s)straight);
    const hoist_f32s second = across + (hoist_f32s)swap_pairs((hoist_u32s)across);
    // All ones in the odd lanes.
    hoist_i32s is_second = {0};
    for (size_t i = 1; i < HOIST_LANES; i += 2) {
        is_second[i] = -1;
    }
    return (hoist_u32s)hoist_lanes_choose_f32(is_second, second, first);
}

// Casts -----------------------------------------------------------------------------------------

// Modulo 2^32, truncated: numbers from 2^31 on, which are multiples of 2^8, and NaN as 0.
INLINE hoist_u32s low_bits_of(hoist_u32s x)
{
    const hoist_u32s number = hoist_lanes_without_nan(x);
    const hoist_f32s magnitude = (hoist_f32s)(number & ~HOIST_F32_SIGN);
    const hoist_i32s fits = magnitude < hoist_lanes_all_f32(2147483648.0F);
    return hoist_lanes_truncated((hoist_f32s)hoist_lanes_keep(fits, number));
}

// The float32 that a 16-bit float rounds from as from the integer itself: of more than 24 bits the
// last 8 become one, which is set when one of them is.
INLINE hoist_u32s odd_of_unsigned(hoist_u32s x)
{
    const hoist_u32s odd = hoist_lanes_keep((x & 0xff) != 0, hoist_lanes_all(0x100));
    return hoist_lanes_of_u32(hoist_lanes_choose((x >> 24) != 0, (x & ~0xffu) | odd, x));
}

// By magnitude, and the sign goes on top.
INLINE hoist_u32s odd_of_signed(hoist_u32s x)
{
    const hoist_u32s minus = -(x >> 31);
    return odd_of_unsigned((x ^ minus) - minus) | (x & HOIST_F32_SIGN);
}

// Floats to integers: truncated from float32, to nearest from 16-bit floats, as the profile has
// it.
ONE(truncated_signed, hoist_lanes_to_signed(a, hoist_lanes_truncated))
ONE(truncated_unsigned, hoist_lanes_to_unsigned(a, hoist_lanes_truncated))
ONE(nearest_signed, hoist_lanes_to_i32(a))
ONE(nearest_unsigned, hoist_lanes_to_u32(a))
ONE(low_bits, low_bits_of(a))
ONE(of_signed, hoist_lanes_of_i32(a))
ONE(of_unsigned, hoist_lanes_of_u32(a))
ONE(of_signed_odd, odd_of_signed(a))
ONE(of_unsigned_odd, odd_of_unsigned(a))

// The table -------------------------------------------------------------------------------------

// clang-format off
// A function for lines of one type or two, everything in it known to the compiler.
#define LINE(name, inputs, from, to, fn) \
    static void name(const hoist_compute_line *l) \
    { \
        do_line(l, inputs, HOIST_ARK_FORM(from), HOIST_ARK_FORM(to), fn); \
    }
// The same for all types of floats, of integers, and all types that one is cast to.
#define FLOATS(name, inputs, fn) \
    LINE(name##_f32, inputs, f32, f32, fn) \
    LINE(name##_f16, inputs, f16, f16, fn) \
    LINE(name##_bf16, inputs, bf16, bf16, fn)
#define INTEGERS(name, inputs, on_signed, on_unsigned) \
    LINE(name##_i32, inputs, i32, i32, on_signed) \
    LINE(name##_u32, inputs, u32, u32, on_unsigned) \
    LINE(name##_i8, inputs, i8, i8, on_signed) \
    LINE(name##_u8, inputs, u8, u8, on_unsigned)
#define CASTS(from, to_f32, to_16, to_i32, to_u32, to_8) \
    LINE(cast_##from##_f32, 1, from, f32, to_f32) \
    LINE(cast_##from##_f16, 1, from, f16, to_16) \
    LINE(cast_##from##_bf16, 1, from, bf16, to_16) \
    LINE(cast_##from##_i32, 1, from, i32, to_i32) \
    LINE(cast_##from##_u32, 1, from, u32, to_u32) \
    LINE(cast_##from##_i8, 1, from, i8, to_8) \
    LINE(cast_##from##_u8, 1, from, u8, to_8)

FLOATS(add, 2, add_floats)
INTEGERS(add, 2, add_integers, add_integers)
FLOATS(subtract, 2, subtract_floats)
INTEGERS(subtract, 2, subtract_integers, subtract_integers)
FLOATS(multiply, 2, multiply_floats)
INTEGERS(multiply, 2, multiply_integers, multiply_integers)
FLOATS(divide, 2, divide_floats)
INTEGERS(divide, 2, divide_signed, divide_unsigned)
FLOATS(exp, 1, exponential)
FLOATS(sqrt, 1, square_root)
FLOATS(rsqrt, 1, inverse_root)
FLOATS(gelu, 1, gelu)
FLOATS(relu, 1, relu_floats)
INTEGERS(relu, 1, positive, same)
FLOATS(sigmoid, 1, sigmoid)
FLOATS(rope, 2, rotate)

CASTS(f32, same, same, truncated_signed, truncated_unsigned, low_bits)
CASTS(f16, same, same, nearest_signed, nearest_unsigned, low_bits)
CASTS(bf16, same, same, nearest_signed, nearest_unsigned, low_bits)
CASTS(i32, of_signed, of_signed_odd, same, same, same)
CASTS(u32, of_unsigned, of_unsigned_odd, same, same, same)
CASTS(i8, of_signed, of_signed, same, same, same)
CASTS(u8, of_signed, of_signed, same, same, same)

// Entries of the tables below, by type.
#define AT_FLOATS(name) [HOIST_DTYPE_F32] = name##_f32, [HOIST_DTYPE_F16] = name##_f16, [HOIST_DTYPE_BF16] = name##_bf16
#define AT_INTEGERS(name) [HOIST_DTYPE_I32] = name##_i32, [HOIST_DTYPE_U32] = name##_u32, [HOIST_DTYPE_I8] = name##_i8, [HOIST_DTYPE_U8] = name##_u8
#define ROW(op, ...) [HOIST_ARK_##op - FIRST] = {__VA_ARGS__}
#define CAST(from, name) [HOIST_DTYPE_##from] = {AT_FLOATS(cast_##name), AT_INTEGERS(cast_##name)}

// By the type of the operands.
static line_fn *const lines[][HOIST_DTYPE_COUNT] = {
    ROW(ADD, AT_FLOATS(add), AT_INTEGERS(add)),
    ROW(SUBTRACT, AT_FLOATS(subtract), AT_INTEGERS(subtract)),
    ROW(MULTIPLY, AT_FLOATS(multiply), AT_INTEGERS(multiply)),
    ROW(DIVIDE, AT_FLOATS(divide), AT_INTEGERS(divide)),
    ROW(EXP, AT_FLOATS(exp)),
    ROW(SQRT, AT_FLOATS(sqrt)),
    ROW(RSQRT, AT_FLOATS(rsqrt)),
    ROW(GELU, AT_FLOATS(gelu)),
    ROW(RELU, AT_FLOATS(relu), AT_INTEGERS(relu)),
    ROW(SIGMOID, AT_FLOATS(sigmoid)),
    ROW(ROPE, AT_FLOATS(rope)),
};

// By the types of the input and the output.
static line_fn *const casts[HOIST_DTYPE_COUNT][HOIST_DTYPE_COUNT] = {
    CAST(F32, f32), CAST(F16, f16), CAST(BF16, bf16), CAST(I32, i32), CAST(U32, u32), CAST(I8, i8), CAST(U8, u8),
};
// clang-format on

static line_fn *line_of(const hoist_compute_call *call)
{
    const hoist_dtype to = hoist_ark_output(call)->dtype;
    line_fn *const fn =
        call->op == HOIST_ARK_CAST ? casts[call->views[0].dtype][to] : lines[call->op - FIRST][to];
    HOIST_ASSERT(fn);
    return fn;
}

static void run(const hoist_compute_call *call, size_t begin, size_t end)
{
    line_fn *const fn = line_of(call);
    hoist_ark_walk walk;
    hoist_compute_line line;
    hoist_ark_walk_begin(&walk, call->views, call->input_count + 1,
                         (uint64_t)begin * HOIST_ARK_UNIT,
                         (uint64_t)(end - begin) * HOIST_ARK_UNIT);
    while (hoist_ark_walk_next(&walk, &line)) {
        fn(&line);
    }
}

// Forms (hoist_compute_form_of) -------------------------------------------------------------------

static void run_form(const hoist_compute_form *form, const hoist_compute_line *line)
{
    line_fn *fn = NULL;
    memcpy(&fn, form->state, sizeof fn);
    fn(line);
}

static bool form(const hoist_compute_call *call, const int64_t *step, hoist_compute_form *out_form)
{
    line_fn *const fn = line_of(call);
    for (size_t i = 0; i <= call->input_count; i++) {
        const bool is_output = i == call->input_count;
        if (step[i] != (int64_t)hoist_element_size(call->views[i].dtype) &&
            (is_output || step[i] != 0)) {
            return false;
        }
    }
    out_form->run = run_form;
    memcpy(out_form->state, &fn, sizeof fn);
    return true;
}

#define EACH                                                                                       \
    {                                                                                              \
        .work = hoist_ark_work, .fill = run, .form = form                                          \
    }

static const hoist_compute_row group_rows[] = {
    [HOIST_ARK_ADD - FIRST] = EACH,
    [HOIST_ARK_SUBTRACT - FIRST] = EACH,
    [HOIST_ARK_MULTIPLY - FIRST] = EACH,
    [HOIST_ARK_DIVIDE - FIRST] = EACH,
    [HOIST_ARK_EXP - FIRST] = EACH,
    [HOIST_ARK_SQRT - FIRST] = EACH,
    [HOIST_ARK_RSQRT - FIRST] = EACH,
    [HOIST_ARK_GELU - FIRST] = EACH,
    [HOIST_ARK_RELU - FIRST] = EACH,
    [HOIST_ARK_SIGMOID - FIRST] = EACH,
    [HOIST_ARK_CAST - FIRST] = EACH,
    [HOIST_ARK_ROPE - FIRST] = {.work = hoist_ark_work, .fill = run},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_ark_level_group) = {
    FIRST, HOIST_COUNT_OF(group_rows), group_rows};
