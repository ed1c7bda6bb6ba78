// Rows of the profile ark that go element by element, and sums and maxima, against plain C compiled
// for the same CPU, in blocks that stay in cache and in arrays that do not; as a part of memcpy's
// bytes per second; and what a call costs before it does anything.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "bench/ark_plain.h"
#include "bench/bench.h"
#include "kernels/compute.h"
#include "ops/compute_ark.h"

enum { ROW = HOIST_ARK_PLAIN_ROW, BLOCK = 4 * ROW, MOST = 4096 * ROW };

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    size_t inputs;
    hoist_dtype from, to;
    hoist_ark_plain_fn *plain;
    int axis; // of sums and maxima; -1: element by element
} rows[] = {
    {"add f32", HOIST_ARK_ADD, 2, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_add, -1},
    {"add bf16", HOIST_ARK_ADD, 2, HOIST_DTYPE_BF16, HOIST_DTYPE_BF16, hoist_ark_plain_add_bf16, -1},
    {"exp f32", HOIST_ARK_EXP, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_exp, -1},
    {"sigmoid f32", HOIST_ARK_SIGMOID, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_sigmoid, -1},
    {"gelu f32", HOIST_ARK_GELU, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_gelu, -1},
    {"cast f32 to bf16", HOIST_ARK_CAST, 1, HOIST_DTYPE_F32, HOIST_DTYPE_BF16, hoist_ark_plain_cast_bf16, -1},
    {"sum of rows", HOIST_ARK_REDUCE_SUM, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_sum, 1},
    {"max of rows", HOIST_ARK_REDUCE_MAX, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_max, 1},
    {"sum of columns", HOIST_ARK_REDUCE_SUM, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, hoist_ark_plain_sum_columns, 0},
};
// clang-format on

typedef struct job {
    const hoist_compute_kernels *kernels;
    hoist_compute_call call;
    hoist_view views[3];
    hoist_ark_plain_fn *plain;
    size_t count; // elements
    size_t bytes; // of the inputs and the output
    size_t repeat;
} job;

static uint8_t *memory[3]; // 2 * MOST elements each, as memcpy moves half of three operands' bytes

static void require(bool condition, const char *what)
{
    if (!condition) {
        (void)fprintf(stderr, "ark_elements_bench: %s failed\n", what);
        exit(1);
    }
}

static void run_ours(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        hoist_compute_fault fault;
        const size_t units = hoist_compute_work(&j->call);
        require(hoist_compute_run(j->kernels, &j->call, 0, units, &fault) == HOIST_OK, "a call");
        hoist_bench_use(memory[2]);
    }
}

static void run_plain(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        j->plain(memory[0], memory[1], memory[2], j->count);
        hoist_bench_use(memory[2]);
    }
}

// As many bytes read and written.
static void run_memcpy(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        memcpy(memory[2], memory[0], j->bytes / 2);
        hoist_bench_use(memory[2]);
    }
}

static void view(job *j, size_t which, const hoist_shape *shape, hoist_dtype dtype, uint8_t *at)
{
    const hoist_mut_bytes bytes = {at, MOST * sizeof(float)};
    require(hoist_view_init(bytes, dtype, shape, 0, NULL, &j->views[which]) == HOIST_OK, "a view");
    j->bytes += (size_t)hoist_shape_count(shape) * hoist_dtype_get(dtype)->bits / 8;
}

static void prepare(job *j, size_t row, size_t count)
{
    const hoist_shape shape = {2, {(int64_t)(count / ROW), ROW}};
    const hoist_shape line = {1, {rows[row].axis == 0 ? ROW : (int64_t)(count / ROW)}};
    *j = (job){.kernels = hoist_compute_kernels_at(hoist_cpu_detect()),
               .call = {.op = rows[row].op, .input_count = rows[row].inputs},
               .plain = rows[row].plain,
               .count = count,
               .repeat = 16 * (size_t)MOST / count};
    j->repeat = count == MOST ? 4 : j->repeat / 8;
    for (size_t i = 0; i < rows[row].inputs; i++) {
        view(j, i, &shape, rows[row].from, memory[i]);
    }
    view(j, rows[row].inputs, rows[row].axis < 0 ? &shape : &line, rows[row].to, memory[2]);
    j->call.views = j->views;
    j->call.attrs.value[HOIST_ARK_REDUCE_AXIS].integer = rows[row].axis < 0 ? 0 : rows[row].axis;
}

static void compare(size_t row, size_t count, const char *where)
{
    job j;
    char what[80];
    prepare(&j, row, count);
    (void)snprintf(what, sizeof what, "%s, %s, vs plain C", rows[row].name, where);
    const hoist_bench_pair pair = {
        .what = what, .ours = run_ours, .theirs = run_plain, .self = &j, .rounds = 15};
    (void)hoist_bench_compare(&pair);
    const double ours = hoist_bench_seconds(run_ours, &j, 15);
    const double copy = hoist_bench_seconds(run_memcpy, &j, 15);
    (void)snprintf(what, sizeof what, "%s, %s, of memcpy's speed", rows[row].name, where);
    hoist_bench_figure(what, copy / ours, "");
    (void)snprintf(what, sizeof what, "%s, %s", rows[row].name, where);
    hoist_bench_figure(what, ours / (double)j.repeat / (double)count * 1e9, "ns per element");
}

// A call of one element against one of BLOCK.
static void measure_call(void)
{
    job j;
    prepare(&j, 0, BLOCK);
    const double block = hoist_bench_seconds(run_ours, &j, 31) / (double)j.repeat;
    for (size_t i = 0; i < 3; i++) {
        j.views[i].shape = (hoist_shape){1, {1}};
    }
    const double one = hoist_bench_seconds(run_ours, &j, 31) / (double)j.repeat;
    hoist_bench_figure("a call of one element", one * 1e9, "ns");
    (void)hoist_bench_at_most("a call of one element, part of one of 4,096", one / block, "", 0.05);
}

int main(void)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(memory); i++) {
        memory[i] = aligned_alloc(64, 2 * MOST * sizeof(float));
        require(memory[i], "allocating");
        for (size_t k = 0; k < 2 * (size_t)MOST; k++) {
            const float x = (float)(k % 4001) * 0x1p-8F - 7.5F;
            memcpy(memory[i] + k * sizeof x, &x, sizeof x);
        }
    }
    for (size_t row = 0; row < HOIST_COUNT_OF(rows); row++) {
        compare(row, BLOCK, "4,096 elements");
        compare(row, MOST, "4 Mi elements");
    }
    measure_call();
    return 0;
}
