// formats/tflite/tflite_testing.h - small models that tests make, change and write.
#ifndef HOIST_SRC_FORMATS_TFLITE_TFLITE_TESTING_H
#define HOIST_SRC_FORMATS_TFLITE_TFLITE_TESTING_H

#include "formats/tflite/options.h"
#include "formats/tflite/tflite.h"
#include "testing/test.h"

// A classifier with all that a quantised model has: a convolution with a scale for each channel, a
// pool, a reshape, a dense layer without a bias, a softmax; metadata and a signature. It breaks no
// rule. Like all functions here it aborts when memory runs out.
tflite_model *tflite_test_model(hoist_arena *arena);
// The tensors of tflite_test_model().
enum {
    TEST_INPUT = 0,
    TEST_FILTERS,
    TEST_BIAS,
    TEST_CONV,
    TEST_POOL,
    TEST_SHAPE,
    TEST_FLAT,
    TEST_WEIGHTS,
    TEST_DENSE,
    TEST_SOFTMAX,
    TEST_TENSORS,
};
// Its operators.
enum { TEST_OP_CONV = 0, TEST_OP_POOL, TEST_OP_RESHAPE, TEST_OP_DENSE, TEST_OP_SOFTMAX, TEST_OPS };

// Makes the first operator a compiled one: the custom operator of the Edge TPU, whose options hold
// `package` as key "4".
void tflite_test_compile(hoist_arena *arena, tflite_model *model, hoist_bytes package);
// Adds a subgraph with one operator IF that names two subgraphs.
void tflite_test_add_if(hoist_arena *arena, tflite_model *model, int32_t then_graph,
                        int32_t else_graph);

// The options of TFLite_Detection_PostProcess: `most` boxes of one class of two, each; the one
// called `without` is left out, `text` is a text. NULL: none.
hoist_bytes tflite_test_detection(hoist_arena *arena, int64_t most, const char *without,
                                  const char *text);
// Those of PosenetDecoderOp, the same.
hoist_bytes tflite_test_pose(hoist_arena *arena, int64_t most, int64_t stride, const char *without,
                             const char *text);

// Vectors in the arena.
hoist_bytes tflite_test_ints(hoist_arena *arena, size_t count, const int32_t *items);
hoist_bytes tflite_test_longs(hoist_arena *arena, size_t count, const int64_t *items);
hoist_bytes tflite_test_floats(hoist_arena *arena, size_t count, const float *items);
#define TEST_INTS(arena, ...)                                                                      \
    tflite_test_ints((arena), sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t),                  \
                     (const int32_t[]){__VA_ARGS__})
#define TEST_LONGS(arena, ...)                                                                     \
    tflite_test_longs((arena), sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                 \
                      (const int64_t[]){__VA_ARGS__})
#define TEST_FLOATS(arena, ...)                                                                    \
    tflite_test_floats((arena), sizeof((float[]){__VA_ARGS__}) / sizeof(float),                    \
                       (const float[]){__VA_ARGS__})

// The model as a file, in a block of exactly its size.
hoist_bytes tflite_test_write(hoist_test *t, const tflite_model *model);
// The file as a module, which tflite_destroy() frees; findings go to the test's diag.
tflite_module *tflite_test_open(hoist_test *t, hoist_bytes file);

#endif // HOIST_SRC_FORMATS_TFLITE_TFLITE_TESTING_H
