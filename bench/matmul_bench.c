// The golden matmul, whose order of additions is fixed, against oneDNN's, which may add as it
// likes, and against its own operations without memory (matmul_limit.h). One thread each.
#include <dnnl.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"
#include "bench/bench.h"
#include "bench/matmul_limit.h"
#include "kernels/compute_testing.h"

#define WANT 0.4

typedef struct product {
    const char *name;
    size_t m; // rows of A
    size_t k;
    size_t n; // columns of B
    size_t repeat;
    double of_limit; // wanted
} product;

// clang-format off
static const product products[] = {
    {"512x1024x1024", 512,  1024, 1024, 1,  0.85},
    {"32x1024x1024",  32,   1024, 1024, 16, 0.85},
    {"1024x64x1024",  1024, 64,   1024, 8,  0.75}, // zeroing the result counts
    {"128x768x3072",  128,  768,  3072, 2,  0.85},
};
// clang-format on

typedef struct job {
    hoist_cpu_level level;
    const hoist_compute_kernels *kernels;
    const product *product;
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
    for (size_t i = 0; i < j->product->repeat; i++) {
        hoist_compute_fault fault;
        require(hoist_compute_run(j->kernels, &j->call, 0, hoist_compute_work(&j->call), &fault) ==
                    HOIST_OK,
                "the golden matmul");
        hoist_bench_use(j->c);
    }
}

static void run_dnnl(void *self)
{
    const job *j = self;
    const dnnl_dim_t m = (dnnl_dim_t)j->product->m;
    const dnnl_dim_t k = (dnnl_dim_t)j->product->k;
    const dnnl_dim_t n = (dnnl_dim_t)j->product->n;
    for (size_t i = 0; i < j->product->repeat; i++) {
        require(dnnl_sgemm('N', 'N', m, n, k, 1.0F, j->a, k, j->b, n, 0.0F, j->c, n) ==
                    dnnl_success,
                "oneDNN's matmul");
        hoist_bench_use(j->c);
    }
}

#ifdef HOIST_BENCH_LIMIT
static void run_limit(void *self)
{
    const job *j = self;
    const product *p = j->product;
    const size_t tile = (size_t)HOIST_TILE_DIM * HOIST_TILE_DIM * HOIST_TILE_DIM;
    const size_t count = p->m * p->k * p->n / tile * p->repeat;
    const bool wide = j->level >= HOIST_CPU_X86_64_V4;
    const float sum = wide ? matmul_limit_v4(count) : matmul_limit_v3(count);
    hoist_bench_use(&sum);
}
#endif

static bool compare_with_limit(job *j)
{
#ifdef HOIST_BENCH_LIMIT
    if (j->level >= HOIST_CPU_X86_64_V3) {
        char what[96];
        (void)snprintf(what, sizeof what, "golden matmul %s, %s, vs its order's limit",
                       j->product->name, compute_kernels_name(j->kernels));
        const hoist_bench_pair pair = {.what = what,
                                       .ours = run_golden,
                                       .theirs = run_limit,
                                       .self = j,
                                       .want = j->product->of_limit};
        return hoist_bench_compare(&pair);
    }
#endif
    (void)j;
    return true;
}

// Both sides read the same numbers; as tiles they are another matrix, which costs the same. Tiles
// begin with a page, as those of sessions do.
static float *make_matrix(size_t count)
{
    float *m = aligned_alloc(4096, count * sizeof *m);
    require(m != NULL, "allocating");
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        m[i] = (float)(int32_t)state * 0x1p-31F;
    }
    return m;
}

static bool compare(hoist_cpu_level level, const product *p)
{
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
    float *a = make_matrix(p->m * p->k);
    float *b = make_matrix(p->k * p->n);
    float *c = make_matrix(p->m * p->n);
    const hoist_tile_shape left = {1, p->m / HOIST_TILE_DIM, p->k / HOIST_TILE_DIM};
    const hoist_tile_shape right = {1, left.cols, p->n / HOIST_TILE_DIM};
    job j = {.level = level, .kernels = kernels, .product = p, .a = a, .b = b, .c = c};
    j.call = (hoist_compute_call){
        .op = HOIST_GOLDEN_MATMUL,
        .inputs = {{a, NULL, left}, {b, NULL, right}},
        .output = {c, NULL, {1, left.rows, right.cols}},
        .input_count = 2,
    };
    char what[96];
    (void)snprintf(what, sizeof what, "golden matmul %s, %s, vs oneDNN", p->name,
                   compute_kernels_name(kernels));
    const hoist_bench_pair pair = {
        .what = what, .ours = run_golden, .theirs = run_dnnl, .self = &j, .want = WANT};
    bool good = hoist_bench_compare(&pair);
    good &= compare_with_limit(&j);
    free(a);
    free(b);
    free(c);
    return good;
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
    bool good = true;
    for (size_t i = 0; i < HOIST_COUNT_OF(products); i++) {
        good &= compare(level, &products[i]);
    }
    return good ? 0 : 1;
}
