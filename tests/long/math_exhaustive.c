// math_exhaustive OP [PARTS]: the kernels of a golden op at every CPU level that this machine has
// against the function that defines its bits, for every one of the 2^32 floats. PARTS > 1 takes
// each PARTS-th run of floats only (a sample).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "kernels/compute_testing.h"
#include "kernels/unary.h"
#include "tensor/float_bits.h"

enum { TILES = 64, FLOATS = TILES * HOIST_TILE_FLOATS }; // of one run: 2^16

static float sigmoid(float x)
{
    return (float)(1.0 / (1.0 + (double)hoist_golden_exp(-x)));
}

static const struct {
    const char *name;
    hoist_compute_op op;
    float (*wanted)(float x);
} ops[] = {
    {"exp", HOIST_GOLDEN_EXP, hoist_golden_exp},
    {"log", HOIST_GOLDEN_LOG, hoist_golden_log},
    {"sigmoid", HOIST_GOLDEN_SIGMOID, sigmoid},
    {"gelu", HOIST_GOLDEN_GELU, hoist_golden_gelu},
    {"gelu_derivative", HOIST_GOLDEN_GELU_DERIVATIVE, hoist_golden_gelu_derivative},
};

static _Alignas(64) float in[FLOATS];
static _Alignas(64) float out[FLOATS];
static _Alignas(64) float wanted[FLOATS];

// Runs one level on the floats in `in` and counts the results that are not in `wanted`.
static size_t count_wrong(hoist_compute_op op, hoist_cpu_level level)
{
    const hoist_tile_shape shape = {1, 1, TILES};
    const hoist_compute_call call = {
        .op = op, .inputs = {{in, NULL, shape}}, .output = {out, NULL, shape}, .input_count = 1};
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
    hoist_compute_fault fault;
    if (hoist_compute_run(kernels, &call, 0, TILES, &fault) != HOIST_OK) {
        return FLOATS;
    }
    size_t wrong = 0;
    for (size_t i = 0; i < FLOATS; i++) {
        const uint32_t got = hoist_f32_to_bits(out[i]);
        if (got != hoist_f32_to_bits(wanted[i]) && wrong++ == 0) {
            (void)printf("%s: %08x gives %08x, expected %08x\n", compute_kernels_name(kernels),
                         hoist_f32_to_bits(in[i]), got, hoist_f32_to_bits(wanted[i]));
        }
    }
    return wrong;
}

static size_t find_op(const char *name)
{
    size_t op = 0;
    while (op < sizeof ops / sizeof *ops && strcmp(ops[op].name, name) != 0) {
        op++;
    }
    return op;
}

int main(int argc, char **argv)
{
    const size_t op = argc > 1 ? find_op(argv[1]) : sizeof ops / sizeof *ops;
    const unsigned long parts = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (op == sizeof ops / sizeof *ops || parts == 0) {
        (void)fprintf(stderr, "usage: math_exhaustive OP [PARTS]\n");
        return 2;
    }
    const size_t runs = ((size_t)1 << 32) / FLOATS;
    size_t wrong = 0;
    for (size_t run = 0; run < runs; run += parts) {
        for (size_t i = 0; i < FLOATS; i++) {
            in[i] = hoist_f32_from_bits((uint32_t)(run * FLOATS + i));
            wanted[i] = ops[op].wanted(in[i]);
        }
        for (int level = HOIST_CPU_BASELINE; level <= (int)hoist_cpu_detect(); level++) {
            wrong += count_wrong(ops[op].op, (hoist_cpu_level)level);
        }
    }
    (void)printf("%s: %zu wrong\n", ops[op].name, wrong);
    return wrong ? 1 : 0;
}
