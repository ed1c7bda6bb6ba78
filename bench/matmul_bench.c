// The golden matmul, whose order of additions is fixed, against oneDNN's, which may add as it
// likes. One thread each.
#include <dnnl.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"
#include "bench/bench.h"
#include "kernels/compute.h"

// Rows of A, inner dimension, columns of B.
#define M 512
#define K 1024
#define N 1024
#define WANT 0.4

typedef struct job {
    const hoist_compute_kernels *kernels;
    hoist_compute_call call;
    const float *a; // row-major
    const float *b;
    float *c;
} job;

static void require(bool condition, const char *what)
{
    if (!condition) {
        (void)fprintf(stderr, "matmul_bench: %s failed\n", what);
        exit(1);
    }
}

static void run_golden(void *self)
{
    const job *j = self;
    hoist_compute_fault fault;
    require(hoist_compute_run(j->kernels, &j->call, 0, hoist_compute_work(&j->call), &fault) ==
                HOIST_OK,
            "the golden matmul");
    hoist_bench_use(j->c);
}

static void run_dnnl(void *self)
{
    const job *j = self;
    require(dnnl_sgemm('N', 'N', M, N, K, 1.0F, j->a, K, j->b, N, 0.0F, j->c, N) == dnnl_success,
            "oneDNN's matmul");
    hoist_bench_use(j->c);
}

// Both sides read the same numbers; as tiles they are another matrix, which costs the same.
static float *make_matrix(size_t count)
{
    float *m = aligned_alloc(64, count * sizeof *m);
    require(m != NULL, "allocating");
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        m[i] = (float)(int32_t)state * 0x1p-31F;
    }
    return m;
}

// Argument: the highest CPU level to use (default: the machine's).
int main(int argc, char **argv)
{
    hoist_cpu_level level = hoist_cpu_detect();
    if (argc > 1 && !hoist_cpu_level_find(hoist_str_from(argv[1]), &level)) {
        (void)fprintf(stderr, "matmul_bench: no CPU level '%s'\n", argv[1]);
        return 2;
    }
    omp_set_num_threads(1);
    float *a = make_matrix((size_t)M * K);
    float *b = make_matrix((size_t)K * N);
    float *c = make_matrix((size_t)M * N);
    job j = {.kernels = hoist_compute_kernels_at(level), .a = a, .b = b, .c = c};
    j.call = (hoist_compute_call){
        .op = HOIST_GOLDEN_MATMUL,
        .inputs = {{a, NULL, {1, M / HOIST_TILE_DIM, K / HOIST_TILE_DIM}},
                   {b, NULL, {1, K / HOIST_TILE_DIM, N / HOIST_TILE_DIM}}},
        .output = {c, NULL, {1, M / HOIST_TILE_DIM, N / HOIST_TILE_DIM}},
        .input_count = 2,
    };
    char what[96];
    (void)snprintf(what, sizeof what, "golden matmul 512x1024x1024, %s, vs oneDNN",
                   hoist_compute_kernels_name(j.kernels));
    const hoist_bench_pair pair = {what, run_golden, run_dnnl, &j, WANT, 0};
    const bool good = hoist_bench_compare(&pair);
    free(a);
    free(b);
    free(c);
    return good ? 0 : 1;
}
