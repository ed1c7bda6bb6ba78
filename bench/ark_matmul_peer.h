// bench/ark_matmul_peer.h - what ark_matmul_torch.py calls: one product on matrices that it gives.
#ifndef HOIST_BENCH_ARK_MATMUL_PEER_H
#define HOIST_BENCH_ARK_MATMUL_PEER_H

#include <stdint.h>

#define BENCH_EXPORT __attribute__((visibility("default")))

enum { BENCH_MOST_THREADS = 8 };

// y[m, n] = a[m, k] * b[k, n]; b is stored as [n, k] when it is transposed. Borrowed.
typedef struct bench_product {
    int64_t m, n, k;
    int64_t is_transposed;
    int64_t type;    // 0: f32, 1: bf16, 2: f16
    int64_t is_fast; // by the profile fast, which has bf16
    void *a, *b, *y;
} bench_product;

typedef struct bench_job bench_job;

// A product with the kernels of `level` (os/cpu.h). NULL: no such level, or no memory.
BENCH_EXPORT bench_job *bench_create(const char *level, const bench_product *product);

// Runs it once on `threads` threads, at most BENCH_MOST_THREADS.
BENCH_EXPORT void bench_run(bench_job *job, int threads);

BENCH_EXPORT void bench_destroy(bench_job *job);

#endif // HOIST_BENCH_ARK_MATMUL_PEER_H
