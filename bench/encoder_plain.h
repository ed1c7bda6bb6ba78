// bench/encoder_plain.h - examples/buda/transformer_encoder.yaml written out in plain C.
//
// It follows the BUDA ops reference op by op and shares nothing with hoist: row-major float32, one
// loop per op, no threads, no blocks, no intrinsics. Not thread-safe.
#ifndef HOIST_BENCH_ENCODER_PLAIN_H
#define HOIST_BENCH_ENCODER_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum hoist_plain_input {
    HOIST_PLAIN_X,
    HOIST_PLAIN_WQ,
    HOIST_PLAIN_WK,
    HOIST_PLAIN_WV,
    HOIST_PLAIN_WO,
    HOIST_PLAIN_W1,
    HOIST_PLAIN_W2,
    HOIST_PLAIN_BQ,
    HOIST_PLAIN_BK,
    HOIST_PLAIN_BV,
    HOIST_PLAIN_BO,
    HOIST_PLAIN_B1,
    HOIST_PLAIN_B2,
    HOIST_PLAIN_GAIN1,
    HOIST_PLAIN_OFFSET1,
    HOIST_PLAIN_GAIN2,
    HOIST_PLAIN_OFFSET2,
    HOIST_PLAIN_MEAN,
    HOIST_PLAIN_ONES,
    HOIST_PLAIN_SCALE,
    HOIST_PLAIN_EPSILON,
    HOIST_PLAIN_INPUT_COUNT,
} hoist_plain_input;

enum { HOIST_PLAIN_ELEMENTS = 128 * 128 }; // of an entry of x or y

// Rounds `count` values (a multiple of 16 where `block`) as a push to a queue does: to Bfp8_b where
// `block`, else to Float16_b.
typedef void hoist_plain_push_fn(const float *values, size_t count, bool block, float *out);

// y of one x. `inputs` are all rounded.
typedef void hoist_plain_encode_fn(const float *const inputs[HOIST_PLAIN_INPUT_COUNT], float *y);

hoist_plain_push_fn hoist_plain_push;
hoist_plain_encode_fn hoist_plain_encode;

// The same source, compiled for x86-64-v3; only there where the build has HOIST_BENCH_V3.
hoist_plain_push_fn hoist_plain_push_v3;
hoist_plain_encode_fn hoist_plain_encode_v3;

#endif // HOIST_BENCH_ENCODER_PLAIN_H
