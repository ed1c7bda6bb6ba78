// The plain C of ark_elements_bench (ark_plain.h): one loop each, left to the compiler's
// vectoriser.
#include "bench/ark_plain.h"

#include <math.h>
#include <string.h>

enum { ROW = HOIST_ARK_PLAIN_ROW };

static float float_of(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return x;
}

static uint16_t bits_of(float x)
{
    uint32_t wide;
    memcpy(&wide, &x, sizeof wide);
    return (uint16_t)((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

#define EACH(name, type, result_type, result)                                                      \
    void name(const void *first, const void *second, void *output, size_t count)                   \
    {                                                                                              \
        const type *restrict const a = first;                                                      \
        const type *restrict const b = second;                                                     \
        result_type *restrict const y = output;                                                    \
        (void)b;                                                                                   \
        for (size_t i = 0; i < count; i++) {                                                       \
            y[i] = result;                                                                         \
        }                                                                                          \
    }

EACH(hoist_ark_plain_add, float, float, a[i] + b[i])
EACH(hoist_ark_plain_add_bf16, uint16_t, uint16_t, bits_of(float_of(a[i]) + float_of(b[i])))
EACH(hoist_ark_plain_exp, float, float, expf(a[i]))
EACH(hoist_ark_plain_sigmoid, float, float, 1 / (1 + expf(-a[i])))
EACH(hoist_ark_plain_gelu, float, float,
     a[i] / 2 * (1 + tanhf(0.7978845608F * (a[i] + 0.044715F * a[i] * a[i] * a[i]))))
EACH(hoist_ark_plain_cast_bf16, float, uint16_t, bits_of(a[i]))

void hoist_ark_plain_sum(const void *first, const void *second, void *output, size_t count)
{
    const float *const a = first;
    float *const y = output;
    (void)second;
    for (size_t row = 0; row < count / ROW; row++) {
        double sum = 0;
        for (size_t i = 0; i < ROW; i++) {
            sum += (double)a[row * ROW + i];
        }
        y[row] = (float)sum;
    }
}

void hoist_ark_plain_max(const void *first, const void *second, void *output, size_t count)
{
    const float *const a = first;
    float *const y = output;
    (void)second;
    for (size_t row = 0; row < count / ROW; row++) {
        float most = a[row * ROW];
        for (size_t i = 1; i < ROW; i++) {
            most = a[row * ROW + i] > most ? a[row * ROW + i] : most;
        }
        y[row] = most;
    }
}

void hoist_ark_plain_sum_columns(const void *first, const void *second, void *output, size_t count)
{
    const float *restrict const a = first;
    float *restrict const y = output;
    double sum[ROW] = {0};
    (void)second;
    for (size_t row = 0; row < count / ROW; row++) {
        for (size_t i = 0; i < ROW; i++) {
            sum[i] += (double)a[row * ROW + i];
        }
    }
    for (size_t i = 0; i < ROW; i++) {
        y[i] = (float)sum[i];
    }
}
