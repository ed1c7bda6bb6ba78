// Golden ops of one tensor whose elements go through the C library (buda-ops reference section
// 5.3). The bits are glibc's: its float functions, and double arithmetic rounded to float at the
// end where the reference computes in double.
#include "kernels/unary.h"

#include <float.h>
#include <math.h>

#include "kernels/compute_table.h"
#include "ops/compute_declared.h"

extern const hoist_compute_group hoist_unary_group;

float hoist_golden_exp(float x)
{
    const float e = expf(x);
    // Also where it is NaN, with which no comparison is true.
    return e < FLT_MAX ? e : FLT_MAX;
}

float hoist_golden_log(float x)
{
    return logf(x == 0 ? FLT_EPSILON : x);
}

#define GELU_K (M_2_SQRTPI / M_SQRT2)

// tanh(K * (x + 0.044715 * x^3))
static double gelu_tanh(double x)
{
    return tanh(GELU_K * (x + 0.044715 * pow(x, 3)));
}

float hoist_golden_gelu(float f)
{
    const double x = f;
    return (float)(0.5 * x * (1 + gelu_tanh(x)));
}

float hoist_golden_gelu_derivative(float f)
{
    if (isnan(f)) {
        return f + f; // quiet; whose sign a sum of two NaNs gets is the compiler's choice
    }
    const double x = f;
    return (float)(0.5 * (1 + gelu_tanh(x)) + x * exp(-0.5 * x * x) * (0.5 * GELU_K));
}

// Elements of the rows that count, one call each; the rest of the tile is 0.
static void map(const hoist_compute_call *call, size_t begin, size_t end, float (*function)(float))
{
    const hoist_tile_extent extent = hoist_tile_extent_of(call);
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < extent.rows * HOIST_TILE_DIM; i++) {
            out[i] = function(in[i]);
        }
        hoist_tile_zero_rest(out, extent);
    }
}

#define UNARY(name, function)                                                                      \
    static void name(const hoist_compute_call *call, size_t begin, size_t end)                     \
    {                                                                                              \
        map(call, begin, end, function);                                                           \
    }

UNARY(sine, sinf)
UNARY(cosine, cosf)
UNARY(hyperbolic_tangent, tanhf)

// The Mersenne twister MT19937, up to the outputs that a tile needs.
enum {
    TWISTER_SEED = 5489, // its default
    TWISTER_WORDS = 624,
    TWISTER_SHIFT = 397,
};

typedef struct twister {
    uint32_t word[TWISTER_WORDS];
    size_t next;
} twister;

// The state from a seed, as the generator defines it.
static void twister_init(twister *t, uint32_t seed)
{
    t->word[0] = seed;
    for (uint32_t i = 1; i < TWISTER_WORDS; i++) {
        const uint32_t last = t->word[i - 1];
        t->word[i] = 1812433253U * (last ^ (last >> 30)) + i;
    }
    t->next = TWISTER_WORDS;
}

// The next 624 words of the state.
static void twister_turn(twister *t)
{
    for (size_t i = 0; i < TWISTER_WORDS; i++) {
        const uint32_t both =
            (t->word[i] & 0x80000000) | (t->word[(i + 1) % TWISTER_WORDS] & 0x7fffffff);
        t->word[i] = t->word[(i + TWISTER_SHIFT) % TWISTER_WORDS] ^ (both >> 1) ^
                     (both & 1 ? 0x9908b0df : 0);
    }
    t->next = 0;
}

// The next output, tempered.
static uint32_t twister_next(twister *t)
{
    if (t->next == TWISTER_WORDS) {
        twister_turn(t);
    }
    uint32_t y = t->word[t->next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return y ^ (y >> 18);
}

// The factor of each element before scaling: 0 where it is dropped, else 1.
static void dropout_mask(float p, uint32_t seed, float mask[HOIST_TILE_FLOATS])
{
    twister t;
    twister_init(&t, seed);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        // 64 random bits from two outputs, as a number from 0 to 1.
        const double low = twister_next(&t);
        const double high = twister_next(&t);
        mask[i] = (low + high * 0x1p32) * 0x1p-64 < (double)p ? 0 : 1;
    }
}

// All tiles have one mask, or each its own (declared).
static void dropout(const hoist_compute_call *call, size_t begin, size_t end)
{
    const bool is_seeded = call->op == HOIST_DECLARED_DROPOUT;
    const float p = call->attrs.value[HOIST_DROPOUT_P].number;
    const float scale = p == 1 ? 1 : 1 / (1 - p);
    const hoist_tile_extent extent = hoist_tile_extent_of(call);
    float mask[HOIST_TILE_FLOATS];
    dropout_mask(p, TWISTER_SEED, mask);
    for (size_t n = begin; n < end; n++) {
        if (is_seeded) {
            const int64_t seed = call->attrs.value[HOIST_DECLARED_SEED].integer;
            dropout_mask(p, (uint32_t)((uint64_t)seed + n), mask);
        }
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            out[i] = mask[i] * in[i] * scale;
        }
        hoist_tile_zero_rest(out, extent);
    }
}

enum { FIRST = HOIST_GOLDEN_SINE };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_SINE - FIRST]      = {.fill = sine},
    [HOIST_GOLDEN_COSINE - FIRST]    = {.fill = cosine},
    [HOIST_GOLDEN_TANH - FIRST]      = {.fill = hyperbolic_tangent},
    [HOIST_GOLDEN_DROPOUT - FIRST]   = {.fill = dropout},
    [HOIST_DECLARED_DROPOUT - FIRST] = {.fill = dropout},
};
// clang-format on
const hoist_compute_group hoist_unary_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
