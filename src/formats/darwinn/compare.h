// formats/darwinn/compare.h - what two recovered layers say differently, constant by constant.
//
// Arrays that one of both lacks are compared by the value that all of their elements have: one
// multiplier or weight zero point, no bias as zeros. Floats are compared by their bits.
#ifndef HOIST_SRC_FORMATS_DARWINN_COMPARE_H
#define HOIST_SRC_FORMATS_DARWINN_COMPARE_H

#include "formats/darwinn/recover.h"

// Constants of a layer; arrays are last.
typedef enum dwn_constant {
    DWN_CONSTANT_KIND = 0,
    DWN_CONSTANT_INPUT_HEIGHT,
    DWN_CONSTANT_INPUT_WIDTH,
    DWN_CONSTANT_INPUT_CHANNELS,
    DWN_CONSTANT_OUTPUT_HEIGHT,
    DWN_CONSTANT_OUTPUT_WIDTH,
    DWN_CONSTANT_OUTPUT_CHANNELS,
    DWN_CONSTANT_KERNEL_HEIGHT,
    DWN_CONSTANT_KERNEL_WIDTH,
    DWN_CONSTANT_STRIDE_HEIGHT,
    DWN_CONSTANT_STRIDE_WIDTH,
    DWN_CONSTANT_DILATION_HEIGHT,
    DWN_CONSTANT_DILATION_WIDTH,
    DWN_CONSTANT_PADDING_TOP,
    DWN_CONSTANT_PADDING_LEFT,
    DWN_CONSTANT_LOW,
    DWN_CONSTANT_HIGH,
    DWN_CONSTANT_INPUT_ZERO,
    DWN_CONSTANT_SECOND_ZERO,
    DWN_CONSTANT_OUTPUT_ZERO,
    DWN_CONSTANT_FIRST_FACTOR,
    DWN_CONSTANT_SECOND_FACTOR,
    DWN_CONSTANT_SUM, // the K of an addition
    DWN_CONSTANT_SCALE,
    DWN_CONSTANT_IN_ROWS,
    DWN_CONSTANT_ORDER,
    DWN_CONSTANT_FIRST_CHANNEL,
    DWN_CONSTANT_ROWS,
    DWN_CONSTANT_WEIGHT_COUNT,
    DWN_CONSTANT_MULTIPLIER,
    DWN_CONSTANT_WEIGHT_ZERO,
    DWN_CONSTANT_BIAS,
    DWN_CONSTANT_WEIGHTS,
    DWN_CONSTANT_COUNT,
} dwn_constant;

#define DWN_CONSTANT_BIT(constant) (UINT64_C(1) << (constant))

// The value of a constant, or of one element of it.
typedef struct dwn_number {
    const char *word; // static: of a kind; NULL: a number
    double number;    // float32, or an integer below 2^53
    bool is_float;
} dwn_number;

typedef struct dwn_layer_difference {
    dwn_constant constant;
    uint64_t first;      // element that differs
    uint64_t elements;   // that differ
    uint64_t count;      // of elements; 1: no array
    double largest;      // absolute difference; 0 of words; infinite or NaN where a value is
    dwn_number old, now; // of the first
} dwn_layer_difference;

typedef struct dwn_layer_sink {
    void *self;
    hoist_status (*difference)(void *self, const dwn_layer_difference *difference);
} dwn_layer_sink;

// "kernel_height".
const char *dwn_constant_name(dwn_constant constant);
// Bits of the constants that mean something for a kind.
uint64_t dwn_constants_of(dwn_layer_kind kind);
// Compares the constants whose bits are in `constants`; arrays only where both have as many rows
// and weights. `*out_compared`: how many values were. HOIST_OK, or the sink's status.
HOIST_NODISCARD hoist_status dwn_layer_compare(const dwn_recovered *old, const dwn_recovered *now,
                                               uint64_t constants, const dwn_layer_sink *sink,
                                               uint64_t *out_compared);

#endif // HOIST_SRC_FORMATS_DARWINN_COMPARE_H
