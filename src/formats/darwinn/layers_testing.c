#include "formats/darwinn/layers_testing.h"

#include "base/reader.h"
#include "formats/darwinn/recover_testing.h"

enum { WEIGHT_ZERO = 120, CLASSES = 10, DENSE_ROWS = 16, DENSE_STEPS = 160 };

void dwn_test_layers(dwn_maker *m)
{
    static const dwn_sketch layout = {
        .mode = 0x1c30, .code = 0x0038, .high = __builtin_inff(), .b_base = 1000, .multiplier = 1};
    // Of 4 x 4 tiles the first of each row has two pixels, others one; rows of 7 words.
#define PART(on, pixels)                                                                           \
    {                                                                                              \
        .tiles = (on), .reduction = 9, .rest = (pixels), .input_zero = 127,                        \
        .weight_zero = WEIGHT_ZERO, .multiplier = 0x1p-8F, .high = 12, .low = 0, .has_bias = true, \
        .full_rows = 32, .last_rows = 32, .a_base = 1000 - 8, .b_base = 2000, .a = {               \
            {3, 1},                                                                                \
            {3, 7},                                                                                \
            {pixels, 1}                                                                            \
        }                                                                                          \
    }
    static const dwn_sketch convolution[2] = {PART(0x1111, 2), PART(0xeeee, 1)};
    static const dwn_sketch dense = {.reduction = DENSE_STEPS,
                                     .weight_zero = WEIGHT_ZERO,
                                     .output_zero = 130,
                                     .multiplier = 0x1p-10F,
                                     .high = 125,
                                     .low = -130,
                                     .has_bias = true,
                                     .full_rows = 12,
                                     .last_rows = 12,
                                     .a_base = 2000,
                                     .b_base = 3000,
                                     .a = {{DENSE_STEPS, 1}}};
    dwn_make_operation(m, &layout);
    dwn_make_operation(m, &convolution[0]);
    dwn_make_operation(m, &convolution[1]);
    dwn_make_supply(m, false, 0);
    dwn_make_operation(m, &dense);
    dwn_make_supply(m, false, DWN_TEST_CONVOLUTION);
}

void dwn_test_layers_runs(dwn_maker *m)
{
    dwn_make_run(m, 0);
    dwn_make_run(m, DWN_TEST_CONVOLUTION);
}

// Rows of biases and weights; those beyond `real` are padding.
static void fill(uint8_t *bytes, uint32_t rows, uint32_t real, uint32_t stored)
{
    for (uint32_t row = 0; row < real; row++) {
        hoist_store_u32le(bytes + (size_t)row * 4, row * 3000 - 20000);
    }
    uint8_t *weights = bytes + (size_t)rows * 4;
    for (uint32_t i = 0; i < stored; i++) {
        const uint32_t row = i / 4 % rows;
        const uint32_t random = (i * 2654435761U) >> 24;
        weights[i] = (uint8_t)(row < real ? random : row < real + 2 ? WEIGHT_ZERO : 0);
    }
}

void dwn_test_fill_blob(uint8_t *bytes)
{
    fill(bytes, 32, 32, DWN_TEST_CONVOLUTION - 32 * 4);
    // What fills the fourth channel is the zero point.
    for (uint32_t i = 3; i < DWN_TEST_CONVOLUTION - 32 * 4; i += 4) {
        bytes[32 * 4 + i] = WEIGHT_ZERO;
    }
    fill(bytes + DWN_TEST_CONVOLUTION, DENSE_ROWS, CLASSES, DWN_TEST_DENSE - DENSE_ROWS * 4);
}
