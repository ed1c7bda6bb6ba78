// formats/darwinn/layers_testing.h - the program of a package of two layers that can be recovered:
//
//     image 4 x 5 x 3 -> convolution 3 x 3 to 32 channels, relu6 -> grid -> dense to 10 -> scores
//
// All three have scale 0.5. Nothing of it is a real model's.
#ifndef HOIST_SRC_FORMATS_DARWINN_LAYERS_TESTING_H
#define HOIST_SRC_FORMATS_DARWINN_LAYERS_TESTING_H

#include "formats/darwinn/stream_testing.h"

enum {
    DWN_TEST_CONVOLUTION = 32 * 4 + 32 * 4 * 9, // bytes: biases and weights
    DWN_TEST_DENSE = 16 * 4 + 16 * 4 * 160,     // the same, of 16 rows
    DWN_TEST_BLOB = DWN_TEST_CONVOLUTION + DWN_TEST_DENSE,
};

// Adds its tensor operations: a layout of the image, the convolution, the dense layer.
void dwn_test_layers(dwn_maker *m);
// Adds what caches their parameters.
void dwn_test_layers_runs(dwn_maker *m);
// Fills in its parameters: DWN_TEST_BLOB bytes of zeros before.
void dwn_test_fill_blob(uint8_t *bytes);

#endif // HOIST_SRC_FORMATS_DARWINN_LAYERS_TESTING_H
