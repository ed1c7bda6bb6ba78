// Packing and unpacking a queue entry, against copying its float32 bytes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "bench/bench.h"
#include "kernels/pack_testing.h"

// A square matrix of float32 with one buffer; `repeat` makes small ones measurable.
typedef struct matrix {
    const char *name;
    uint32_t edge; // elements
    size_t repeat;
} matrix;

typedef struct job {
    const hoist_pack_kernels *kernels;
    hoist_queue_layout layout;
    hoist_mut_bytes packed;
    float *tensor;
    float *copy;
    size_t tensor_size; // bytes
    size_t repeat;
} job;

static void require(bool condition, const char *what)
{
    if (!condition) {
        (void)fprintf(stderr, "pack_bench: %s failed\n", what);
        exit(1);
    }
}

static void run_pack(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        require(hoist_pack_queue(j->kernels, &j->layout, j->tensor, &j->packed, 1) == HOIST_OK,
                "packing");
        hoist_bench_use(j->packed.data);
    }
}

static void run_unpack(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        require(hoist_unpack_queue(j->kernels, &j->layout, &j->packed, 1, j->copy) == HOIST_OK,
                "unpacking");
        hoist_bench_use(j->copy);
    }
}

static void run_memcpy(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        memcpy(j->copy, j->tensor, j->tensor_size);
        hoist_bench_use(j->copy);
    }
}

static const matrix matrices[] = {{"1 MiB", 512, 64}, {"64 MiB", 4096, 1}};

// clang-format off
static const struct {
    hoist_dtype dtype;
    double want; // of memcpy's speed; 0: only shown
} rows[] = {
    {HOIST_DTYPE_BF16,      0.25},
    {HOIST_DTYPE_TT_BFP8B,  0.12},
    {HOIST_DTYPE_F32,       0   },
    {HOIST_DTYPE_TT_F16,    0   },
    {HOIST_DTYPE_TT_BFP8A,  0   },
    {HOIST_DTYPE_TT_BFP4B,  0   },
    {HOIST_DTYPE_TT_BFP2B,  0   },
    {HOIST_DTYPE_TT_I8,     0   },
    {HOIST_DTYPE_TT_RAW32,  0   },
};
// clang-format on

static job make_job(const hoist_pack_kernels *kernels, const matrix *m, hoist_dtype dtype)
{
    const uint32_t tiles = m->edge / 32;
    job j = {.kernels = kernels, .repeat = m->repeat};
    j.layout = (hoist_queue_layout){
        .tiling = {1, 1, 1, tiles / 4, tiles / 4, 4, 4, false, 32, 32},
        .dtype = dtype,
        .alignment = 32,
    };
    hoist_queue_size size;
    require(hoist_queue_measure(&j.layout, &size) == HOIST_OK, "measuring");
    j.tensor_size = size.tiling.elements * sizeof *j.tensor;
    j.packed.size = size.buffer_bytes;
    j.packed.data = malloc(j.packed.size);
    j.tensor = malloc(j.tensor_size);
    j.copy = malloc(j.tensor_size);
    require(j.packed.data && j.tensor && j.copy, "allocating");
    uint32_t state = 1;
    for (size_t i = 0; i < size.tiling.elements; i++) {
        state = state * 1664525u + 1013904223u;
        j.tensor[i] = (float)(int32_t)state * 1e-8f;
    }
    return j;
}

static bool compare(const job *j, const char *verb, hoist_bench_fn *ours, const char *size,
                    double want)
{
    char what[96];
    (void)snprintf(what, sizeof what, "%s %s, %s, %s vs memcpy", verb,
                   hoist_dtype_get(j->layout.dtype)->name, size,
                   hoist_pack_kernels_name(j->kernels));
    job copy = *j;
    const hoist_bench_pair pair = {
        .what = what, .ours = ours, .theirs = run_memcpy, .self = &copy, .want = want};
    return hoist_bench_compare(&pair);
}

// Argument: the highest CPU level to use (default: the machine's).
int main(int argc, char **argv)
{
    hoist_cpu_level level = hoist_cpu_detect();
    if (argc > 1 && !hoist_cpu_level_find(hoist_str_from(argv[1]), &level)) {
        (void)fprintf(stderr, "pack_bench: no CPU level '%s'\n", argv[1]);
        return 2;
    }
    bool good = true;
    for (size_t i = 0; i < HOIST_COUNT_OF(matrices); i++) {
        for (size_t k = 0; k < HOIST_COUNT_OF(rows); k++) {
            job j = make_job(hoist_pack_kernels_at(level), &matrices[i], rows[k].dtype);
            good &= compare(&j, "pack", run_pack, matrices[i].name, rows[k].want);
            good &= compare(&j, "unpack", run_unpack, matrices[i].name, rows[k].want);
            free(j.packed.data);
            free(j.tensor);
            free(j.copy);
        }
    }
    return good ? 0 : 1;
}
