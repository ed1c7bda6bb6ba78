// bench/quant_peer.h - what quant_torch.py calls: one 8-bit layer on data of its own.
#ifndef HOIST_BENCH_QUANT_PEER_H
#define HOIST_BENCH_QUANT_PEER_H

#include <stdint.h>

#define BENCH_EXPORT __attribute__((visibility("default")))

// A layer with square images and windows and SAME padding. A dense layer has edge and kernel 1.
typedef struct bench_layer {
    int64_t is_depthwise;
    int64_t edge; // of the input
    int64_t channels;
    int64_t outputs;
    int64_t kernel;
    int64_t stride;
} bench_layer;

typedef struct bench_job bench_job;

// A layer of random u8 numbers with zero points, prepared for the kernels of `level` (os/cpu.h).
// NULL: no such level, or no memory.
BENCH_EXPORT bench_job *bench_create(const char *level, const bench_layer *layer);

// Runs layers one after the other, `repeat` times, on `threads` threads: each layer's units are
// shared out evenly, and all wait for the last.
BENCH_EXPORT void bench_run(bench_job *const *jobs, int count, int threads, int repeat);

BENCH_EXPORT void bench_destroy(bench_job *job);

#endif // HOIST_BENCH_QUANT_PEER_H
