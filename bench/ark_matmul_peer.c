// Products of matrices for ark_matmul_torch.py: a shared object that it loads, so that all sides
// run in one process. Threads are OpenMP's, as PyTorch's are, and take shares of a call as the
// workers of a session do.
#include "bench/ark_matmul_peer.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "kernels/compute.h"
#include "ops/compute_ark.h"

struct bench_job {
    const hoist_compute_kernels *kernels;
    hoist_compute_call call;
    hoist_view views[3];
    uint8_t *scratch[BENCH_MOST_THREADS]; // owned
    size_t scratch_size;
};

// A matrix in memory that the caller keeps.
static bool view_of(void *data, hoist_dtype dtype, int64_t rows, int64_t columns, hoist_view *out)
{
    const hoist_shape shape = {2, {rows, columns}};
    const size_t size = hoist_dtype_get(dtype)->bits / 8;
    return hoist_view_init((hoist_mut_bytes){data, (size_t)(rows * columns) * size}, dtype, &shape,
                           0, NULL, out) == HOIST_OK;
}

bench_job *bench_create(const char *level_name, const bench_product *p)
{
    static const hoist_dtype dtypes[] = {HOIST_DTYPE_F32, HOIST_DTYPE_BF16, HOIST_DTYPE_F16};
    hoist_cpu_level level = HOIST_CPU_BASELINE;
    bench_job *job = calloc(1, sizeof *job);
    const hoist_dtype dtype = dtypes[p->type];
    if (!job || !hoist_cpu_level_find(hoist_str_from(level_name), &level) ||
        !view_of(p->a, dtype, p->m, p->k, &job->views[0]) ||
        !view_of(p->b, dtype, p->is_transposed ? p->n : p->k, p->is_transposed ? p->k : p->n,
                 &job->views[1]) ||
        !view_of(p->y, dtype, p->m, p->n, &job->views[2])) {
        free(job);
        return NULL;
    }
    job->kernels = hoist_compute_kernels_at(level);
    job->call = (hoist_compute_call){.op = p->is_fast ? HOIST_FAST_MATMUL : HOIST_ARK_MATMUL,
                                     .views = job->views,
                                     .input_count = 2};
    job->call.attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_B].integer = p->is_transposed;
    job->scratch_size = hoist_compute_scratch_size(job->kernels, &job->call);
    for (int i = 0; i < BENCH_MOST_THREADS; i++) {
        job->scratch[i] = aligned_alloc(64, (job->scratch_size + 64) / 64 * 64);
        if (!job->scratch[i]) {
            bench_destroy(job);
            return NULL;
        }
    }
    return job;
}

// One thread's part: shares until none is left.
static void take_shares(const bench_job *job, size_t units, size_t share, size_t *next)
{
    hoist_compute_call call = job->call;
    call.scratch = (hoist_mut_bytes){job->scratch[omp_get_thread_num()], job->scratch_size};
    for (;;) {
        size_t begin = 0;
#pragma omp atomic capture
        {
            begin = *next;
            *next += share;
        }
        if (begin >= units) {
            return;
        }
        hoist_compute_fault fault;
        const size_t end = units - begin < share ? units : begin + share;
        if (hoist_compute_run(job->kernels, &call, begin, end, &fault) != HOIST_OK) {
            abort();
        }
    }
}

void bench_run(bench_job *job, int threads)
{
    const size_t units = hoist_compute_work(&job->call);
    size_t share = units / (4 * (size_t)threads);
    size_t next = 0;
    share = share ? share : 1;
    if (threads == 1) {
        take_shares(job, units, share, &next);
        return;
    }
#pragma omp parallel num_threads(threads)
    take_shares(job, units, share, &next);
}

void bench_destroy(bench_job *job)
{
    for (int i = 0; job && i < BENCH_MOST_THREADS; i++) {
        free(job->scratch[i]);
    }
    free(job);
}
